"""Where pictures come from, and when what they show has come to rest.

Enters: the name of a camera, a stream, a file or a folder. Leaves: upright pictures within bounds, each with its time
(`ports.Frame`), what becomes of a source that is lost, and whether anything moves.
Knows no dice.
"""
