"""Conflicts: Rounds and Turns, what people do in them, attacks on foot, Stress, Injuries, and what lasts.

`rounds`, `order` and `budget` hold whose Turn it is and what fits into it; `personal`, `minors` and `attacks` the
actions of people; `chain`, `hits` and `injuries` what an attack leads to, step by step; `lasting` what goes on
until a moment. `playbook` puts it all together.

Enters: who takes part, actions, dice of attacks. Leaves: whose Turn it is, hits and Injuries, what holds until when.
"""
