"""Starships in both editions: cards, stations, attacks, Breaches, Power, the core.

Here stands what both editions share: ships' cards, the table of stations, seats, shots and who answers them. `first`
and `second` each hold an edition's own stations, numbers, hits and Rounds, and do not know each other. `moves`,
`striking`, `upkeep` and `playbook` know both.

Enters: actions at stations, dice of ship attacks, what the gamemaster sets.
Leaves: ships as they stand then, and what is asked next.
"""
