"""Tasks and throws: declaring, buying dice, scoring, spending, Complications, Determination, Threat, Extended Tasks.

A Task passes through `declaring`, `throwing`, `review`, `task_dice`, `scoring` and `settling`, in this order. `pools`
and `threat` are the tables of what Momentum and Threat buy; `actions` asks the playbook what a conflict's Task is for.

Enters: declarations, readings of dice, choices.
Leaves: what the dice came to, pools and traits as they change, what is asked of people.
"""
