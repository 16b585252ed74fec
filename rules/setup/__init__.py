"""Who and what is at the table: players, characters, sessions, scenes, options.

Enters: what people set up. Leaves: a table that is ready.
"""
