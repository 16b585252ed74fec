"""Tasks and throws: declaring, buying dice, scoring, spending, Complications, Determination, Threat, Extended Tasks.

Enters: declarations, readings of dice, choices.
Leaves: what the dice came to, pools and traits as they change, what is asked of people.
"""
