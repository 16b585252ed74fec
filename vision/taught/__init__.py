"""The dice that a person taught: what their faces look like, and what that says of a die in a picture.

Enters: patches and poses from a picture, the dice of a table's file. Leaves: evidence for faces, for poses and for
whose die it is (`likeness`, `own_poses`), and the dice as they are kept (`own_dice`).
"""
