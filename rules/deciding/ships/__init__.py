"""Starships: their cards in every ruleset, and combat by the first edition (SHIP, SATK, SDMG, BRCH, REP, WCB, STN).

In: Tasks of the bridge's stations, and answers to what a chain asks. Out: steps of the agenda, and ships' new states.
"""
