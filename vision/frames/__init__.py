"""Sources of pictures, and the detection of rest in them.

Enters: the name of a camera, a stream, a file or a folder. Leaves: upright pictures within bounds, each with its time
(`ports.Frame`), losses of a source, and whether anything moves. Knows nothing of dice.
"""
