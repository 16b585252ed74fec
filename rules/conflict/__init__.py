"""Conflicts: Rounds and Turns, what people do in them, attacks on foot, Stress, Injuries, what lasts.

Enters: who takes part, actions, dice of attacks. Leaves: whose Turn it is, hits and Injuries, what holds until when.
"""
