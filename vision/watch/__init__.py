"""A camera watched over time: from frames to throws, in a thread of its own.

Enters: a source of frames and a reader. Leaves: one `Reading` for each settled throw, the state of the source, and the
pictures of single dice that people may look at.
"""
