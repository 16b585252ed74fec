"""Starships in both editions: cards, stations, attacks, Breaches, Power, the core.

What differs stands in `first` and `second`.

Enters: actions at stations, dice of ship attacks, what the gamemaster sets.
Leaves: ships as they stand then, and what is asked next.
"""
