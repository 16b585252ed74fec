"""Trays of another renderer than the one that teaches: path-traced by Blender's Cycles, thrown by Bullet.

Enters: a seed. Leaves: pictures and `index.jsonl`, a line a die, in the form of the photographs' index. Nothing of
`vision.training` is used, only the solids' shapes and the common d20 layout, so that what the networks were taught
on and what they are measured on share no drawing. Needs `pip install bpy==5.0.1` (Python 3.11) beside NumPy, OpenCV
and Pillow; measuring the pictures (`python -m tests.bench.vision_ray_traced`) does not.
"""
