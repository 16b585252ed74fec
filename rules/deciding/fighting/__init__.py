"""Fighting on foot: weapons, attacks, damage, cover, Injuries, hazards, what special creatures can do (§11 to §13).

In: Tasks of the attack rows, and answers to what a chain asks. Out: steps of the agenda, and changed bodies.
"""
