"""The three rulesets as data: every switch by which they differ, the options of a table, and what weapons do.

Enters: a table's ruleset, options and house tables. Leaves: the profile that it plays.
"""
