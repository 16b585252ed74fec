"""Starships in both editions: cards, stations, attacks, Breaches, Power, the core.

Here stands what both editions share: ships' cards, the table of stations, damage that no attack does, what the
gamemaster sets. `first` and `second` each hold an edition's own stations, numbers, hits and Rounds.

Enters: actions at stations, dice of ship attacks, what the gamemaster sets.
Leaves: ships as they stand then, and what is asked next.
"""
