"""The table as a value: everything that is true now, folded from events, never edited in place.

`table` holds the whole; the other modules its parts, the closed sets of the game (`vocabulary`), their words
(`glossary`) and what changes a value (`changing`). Every room reads these values, so they are a room of their own.

Enters: nothing but values. Leaves: frozen dataclasses and the closed sets of the game.
"""
