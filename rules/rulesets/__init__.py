"""The three rulesets as data: every switch by which they differ, the options of a table, and what weapons do.

Every rule asks the profile that a table plays, so this room comes before those of the subjects.

Enters: a table's ruleset, options and house tables. Leaves: the profile that it plays.
"""
