"""What the posed dice of a picture show, what speaks against it, and so which of them are `read`.

Enters: a picture with its poses, and what is known of its table. Leaves: a `Survey` of readings; what cannot be known
is doubtful. `reader` leads a picture through.
"""
