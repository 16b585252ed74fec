"""Journals that were recorded once, and what each of their decisions led to: the table, its words, its events.

`journals/` holds them; `test_recorded` replays them; `python -m tests.recorded write` plays them anew, which one does
only where the game is meant to change. All that this folder needs of the game it takes from `game`.
"""
