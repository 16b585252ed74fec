"""Trays of another renderer than the one that teaches: path-traced by Blender's Cycles, thrown by Bullet.

Enters: a seed. Leaves: pictures and `index.jsonl`, a line a die, in the form of the photographs' index. Nothing of
`vision.training` is used, only the solids' shapes, the common d20 layout and its choice of usable fonts, so that what
the networks were taught on and what they are measured on share no drawing. Needs `pip install bpy==5.0.1` (Python 3.11)
beside NumPy, OpenCV and Pillow; measuring the pictures (`python -m tests.bench.vision_ray_traced`) does not.

Plain trays are `python -m tests.bench.ray_traced --out FOLDER`. Hard ones (`--hard PART`) are as other people's
pictures are. `looks` lists what they are made of: `SORTS` of trays that are hard for one reason each, taken in turn by
seed, and tables of materials, inks, lamps, surfaces, layouts and cameras. A line says more of a hard die: which rows it
is of, `contrast` of its sign in grey levels, `hidden` share of its upper face, `touching`, and whether a person could
tell the face (`legible`, by the rule of `truth`). The parts have seeds, signs and families of fonts of their own:

    python -m tests.bench.ray_traced --hard dev       --out DEV       --scenes 60 --fonts FONTS   # seeds from 1
    python -m tests.bench.ray_traced --hard calibrate --out CALIBRATE --scenes 40 --fonts FONTS   # from 500,000
    python -m tests.bench.ray_traced --hard blind     --out BLIND     --scenes 60 --fonts FONTS   # from 900,000

`dev` is to look at, to develop and to teach with. `calibrate` sets thresholds and teaches nothing. `blind` also has
materials, inks, lamps and surfaces that no other part has. Nobody looks at its pictures, or at its results by die or
group:

    python -m tests.bench.vision_ray_traced DEV --lost
    python -m tests.bench.vision_ray_traced BLIND --marks-only

FONTS is a folder of some hundred fonts; each part takes its families out of it. A picture that is in the index already
is not rendered again: the same command goes on where it was stopped, and `--seed` and `--scenes` make shards.
"""
