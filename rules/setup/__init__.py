"""Who and what is at the table: players, characters, sessions, scenes, and the options it plays by.

Enters: what people set up, and when a session or a scene begins. Leaves: a table that is ready, and what a scene ends.
"""
