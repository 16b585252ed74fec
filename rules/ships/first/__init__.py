"""Starship combat of the first edition and the starter set (STN, SATK, SDMG, BRCH, WCB).

Enters: actions at its stations. Leaves: Power, hits by Challenge Dice, Breaches.
"""
