"""Reads the faces of posed dice, weighs the evidence, and decides which of them are `read`.

Enters: a picture with its poses, and what is known of its table. Leaves: a `Survey` of readings; what cannot be known
is doubtful. `reader` leads a picture through.
"""
