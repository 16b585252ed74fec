"""The table as a value: everything that is true now, folded from events, never edited in place.

Enters: nothing but values. Leaves: frozen dataclasses and the closed sets of the game.
"""
