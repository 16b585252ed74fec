"""Starship combat of the first edition and the starter set (STN, SATK, SDMG, BRCH, WCB).

Each station has a module of its own; `hits` and `breaching` follow an attack step by step; `playbook` has them all.

Enters: actions at its stations, Challenge Dice. Leaves: Power paid, hits, Breaches, a core that fails.
"""
