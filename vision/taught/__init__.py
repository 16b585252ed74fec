"""The taught dice: the looks of their faces, and the evidence that these give about a die in a picture.

Enters: patches and poses from a picture, the dice of a table's file. Leaves: evidence for faces, for poses and for
whose die it is (`likeness`, `own_poses`), and the dice as they are saved (`own_dice`).
"""
