"""The thresholds for accepting a place as a die, and a pose as right.

Each says its unit and its source. "Chosen": by hand, on rendered pictures and photographs, when the rule was written;
how is not recorded. "Reasoned": it follows from what is said. A name alone is that of the bench in `tests.bench` that
measures what the value does.
"""

from __future__ import annotations

import math
from typing import Final

# The first look.

SMALLEST: Final = 40
"""Dice smaller than this many pixels across are not looked for.

Unit: pixels across. Source: reasoned: the networks know dice of 45 pixels and more.
"""
LARGEST: Final = 300
"""Larger dice than this are not looked for.

Unit: pixels across. Source: reasoned: larger ones are found in a smaller copy (`scales`).
"""
BOX_SHARE: Final = 0.55
"""What fills less than 0.85 times this share of its box is no die.

Unit: a share of the area. Source: reasoned: a hexagon fills 0.75 of its box, a cube turned by 45 degrees 0.5.
"""
ONE_DIE: Final = 0.9
"""The share of its convex hull that one die fills at least; less means that several touch.

Unit: a share of the hull. Source: reasoned: dice are convex.
"""
HEAP_PART: Final = 0.8
"""The share of its convex hull from which a part of a heap is a die of its own.

Unit: a share of the hull. Source: chosen.
"""
PROPOSED: Final = 0.12
"""The least chance of a die of what is looked at closer.

Unit: a chance. Source: chosen; `vision_causes` measures what it does.
"""
PROPOSALS_MOST: Final = 40
"""Most places examined closer, the likeliest first.

Unit: proposals. Source: chosen: it bounds the time that one picture takes.
"""

# The closer look.

READABLE: Final = 0.15
"""The least chance of being one of the kinds that trueroll reads: a pose that fits may speak for it yet.

Unit: a chance. Source: chosen; `vision_causes` measures what it does.
"""
OTHER_KIND: Final = 0.6
"""The least chance of being a die of another kind, to be named as one in the debug picture.

Unit: a chance. Source: chosen.
"""
OTHER_KIND_TOLD: Final = 0.94
"""The least chance of being a die of another kind, to be told to people.

Unit: a chance. Source: chosen; coins look like such dice too.
"""
NONE_AT_LOOK: Final = (0.95, 0.8, 0.5)
"""The chances of no die at the first, second and third look from which a place is dropped.

Unit: chances. Source: chosen.
"""
SETTLED_MOVE: Final = {True: 0.12, False: 0.06}
"""A judged square (of a d20 or not) that is to move or grow by more than this, in radii, is judged again there.

Unit: radii. Source: chosen.
"""
WITHIN_SHARES: Final = (0.6, 0.75)
"""The radii, in supposed ones, of the squares from which a die in no sure pose is looked for anew.

Unit: a factor. Source: looked at: from these it settled on dice whose square a hard shadow or a pattern had drawn.
"""
WITHIN_MOVES: Final = ((0.0, 0.0), (-0.3, 0.0), (0.3, 0.0), (0.0, -0.3), (0.0, 0.3))
"""Right and down, where these squares lie.

Unit: supposed radii. Source: as `WITHIN_SHARES`; dice lay aside by 0.25 to 0.42.
"""
EVEN_POSED: Final = 0.5
"""The chance of the pose of a die beside which more was seen than the table.

Unit: a chance. Source: reasoned: as likely as not, so that somebody is asked.
"""
ALIKE_MOVE: Final = 0.03
"""Squares that differ by less, in radii or in size, lead to the same pose.

Unit: radii, and a logarithm. Source: reasoned: the pose is mended by more than that.
"""
NARROWER_SQUARES: Final = (
    ((0.0, 0.0, 0.8), (0.0, 0.0, 0.7)),
    ((-0.35, 0.0, 0.7), (0.35, 0.0, 0.7), (0.0, -0.35, 0.7), (0.0, 0.35, 0.7)),
    ((0.0, 0.0, 0.6), (-0.3, 0.0, 0.6), (0.3, 0.0, 0.6), (0.0, -0.3, 0.6), (0.0, 0.3, 0.6)),
)
"""The squares in which a die in doubt is looked at once more, until one shows it clearly: right, down, and the radius.

Unit: supposed radii. Source: looked at: from them squares that held a shadow or a neighbour, too, settled on the die.
"""
NARROWER_LOOKS: Final = 3
"""How often such a square is judged and moved.

Unit: looks. Source: as for any place (`NONE_AT_LOOK`).
"""
NARROWER_MOVE: Final = 0.5
"""If it moves further than this, it has settled on another thing.

Unit: supposed radii. Source: a die with its shadow was off by 0.33; `vision_ray_traced` measures what it does.
"""
NARROWER_LEAST: Final = 0.6
"""If it stays smaller than this, it has settled on a face or a sign.

Unit: supposed radii. Source: a die with its shadow seemed 1.25 times as large; `vision_ray_traced` measures it.
"""
SETTLED_KIND: Final = 0.9
"""The least chance of its likeliest kind for what needs no further look.

Unit: a chance. Source: chosen.
"""
TWIN_SIZE: Final = 1.35
"""Squares whose sizes differ by no more than this factor may mean the same die.

Unit: a factor. Source: chosen.
"""
GLANCE_SURE: Final = 0.5
"""The least chance, at the first look, of what was surely seen there.

Unit: a chance. Source: reasoned: as likely as not at the first look alone.
"""
CLOSER_SEEN: Final = 0.4
"""The least chance, at the closer look at the whole picture, of what the first one did not see.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
CLOSER_GUESSED: Final = 0.2
"""The same of what counts only beside dice that are read.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
GLANCE_SEEN: Final = 0.4
"""The least chance, at the first look, of what was seen there at all.

Unit: a chance. Source: chosen.
"""
HEAP_NONE: Final = 0.05
"""The largest chance of "no die", at a closer look, of a place that surely holds one die or several.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
EXPLAINED_SIZE: Final = 1.6
"""The largest size, against a sure die, of a thing found by plain image processing at its place that is the die again,
with its shadow or a part of it.

Unit: a factor. Source: chosen.
"""
FACE_SIZE: Final = 2.0
"""The factor from which a smaller supposed die on a larger die is one of its faces.

Unit: a factor. Source: chosen.
"""
FACE_OF: Final = 0.7
"""The least chance of the larger one that makes the smaller one a face of it.

Unit: a chance. Source: chosen.
"""
HEAP_FITS: Final = 0.95
"""A die that fits at least this well is no heap of dice, whatever lies in it.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
PART_SURELY: Final = 0.9
"""The least chance of a die, and of its pose, that may be a part of a heap.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
WITHIN_HEAP: Final = 0.6
"""What is smaller than this against what is taken for one die around it may be one of several touching dice.

Unit: a share of the radius. Source: reasoned: of two alike that touch, each has half the radius of both together.
"""
PART_SIZE: Final = 0.3
"""A part of a heap is no smaller than this against the whole.

Unit: a share of the radius. Source: chosen.
"""

# A die without its shadow.

SHADOW_POSED: Final = 0.97
"""Below this chance of its pose a die is looked at without its shadow.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
SILHOUETTE_SIZES: Final = (0.62, 1.1)
"""From where to where a die's silhouette may be sized against the square that held the die's shadow, too.

Unit: shares of the radius. Source: reasoned: of two dice that touch, each has half the radius of both together.
"""
SILHOUETTE_ALIKE: Final = 0.92
"""A silhouette of more than this share of the square's radius, and no further aside, shows nothing new.

Unit: a share of the radius. Source: reasoned: the closer look mends more than that by itself.
"""

# The pose.

POSED_SURELY: Final = 0.8
"""From this chance on a pose needs no other to compare with.

Unit: a chance. Source: chosen.
"""
POSED_NOT: Final = 0.2
"""Below this chance a pose is no die's.

Unit: a chance. Source: chosen.
"""
DIE_TO_SIGN: Final = (1.3, 1.5, 2.1)
"""A pose that is no die's may be that of the sign on one so many times larger, by the first of these at least.

Unit: factors. Source: chosen.
"""
POSED_HOPELESS: Final = 0.1
"""The least fit of a die that the first look did not see; below it, for both spins, it is no die.

Unit: a chance. Source: chosen.
"""
FINE_TURN: Final = math.radians(2.5)
"""A correction that turns by less is not worth another look.

Unit: radians. Source: chosen: it saves the time of a look.
"""
FINE_MOVE: Final = 0.015
"""A correction smaller than this, in radii, is not worth another look.

Unit: radii. Source: chosen: it saves the time of a look.
"""
MUCH_TILT: Final = math.radians(7.0)
"""A tilt that was corrected by more is corrected once more.

Unit: radians. Source: chosen.
"""

# The size at which a picture is read.

LONGEST_SIDE: Final = 1920
"""The longest side at which a picture is read, in pixels, unless its dice are small.

Unit: pixels. Source: reasoned: its dice are as large there as those taught.
"""
LONGEST_OF_SMALL: Final = 3840
"""The same where the dice are small.

Unit: pixels. Source: chosen: it bounds the time that one picture takes.
"""
SMALLER_COPY: Final = 0.4
"""The factor from each copy to the next smaller one: dice of one size fit two of them.

Unit: a factor. Source: reasoned, as said.
"""
LARGER_COPY: Final = 2.0
"""The factor from the usual copy to the enlarged one.

Unit: a factor. Source: chosen; `vision_sizes` measures what it does.
"""
LARGE: Final = 200.0
"""Dice of more pixels across may be too large to be read.

Unit: pixels across. Source: reasoned: the networks know dice of up to 250 pixels.
"""
SMALL: Final = 60.0
"""Dice of fewer pixels across may be too small.

Unit: pixels across. Source: reasoned: the networks know dice of 45 pixels and more.
"""

FEW_PIXELS: Final = 1000
"""A picture with a shorter longer side is enlarged where no numeral was read, whatever looked like a die there.

Unit: pixels. Source: reasoned: a whole tray's dice have fewer than `SMALL` pixels there; those that touch look like
a large one.
"""

# The table normal.

AT_REST: Final = math.radians(10.0)
"""Dice that lean further than this from the others have no say in what is up.

Unit: radians. Source: chosen; `leaning` measures what it does.
"""
CALIBRATED: Final = 3
"""The number of agreeing dice for which a calibrated camera counts.

Unit: dice. Source: chosen; `leaning` measures what it does.
"""
THING_SURELY: Final = 1.2
"""From these log odds on, in each of four turns, no die lies there: one that was read is asked about, and nobody is
asked about others.

Unit: log odds. Source: chosen; of the places of 227 flat dice on 30 hard path-traced trays of `calibrate` the most at a
die's size is 1.0, and 52 of 89 things in 60 pictures without dice lie beyond. `vision_without_dice` measures it.
"""
THING_RATHER: Final = 0.5
"""From these log odds on, in the mean of four turns, nobody is asked about it in a picture in which no die is read.

Unit: log odds. Source: looked at: of 69 dice in doubt 61 are below -1, of 26 things in pictures without dice 3.
"""
DIE_SURELY: Final = 1.2
"""From these log odds on, the other way round and in each of four turns, a die lies there.

Unit: log odds. Source: chosen; on the same trays 12 of 24 dice that nobody was asked about lie beyond, and in the
same pictures none of 141 such things that do not look printed. `vision_without_dice` measures it.
"""

# A camera that stands askew.

ASKEW_FROM: Final = math.radians(2.0)
"""Dice whose poses show another "up" by less than this show the assumed one.

Unit: radians. Source: chosen on path-traced trays of `calibrate`: under a camera askew by 14 degrees one shows 2.8.
"""
ASKEW_STEP: Final = 1.6
"""How far "up" is moved, in steps of what the poses show: they are fitted by 0.4 to 0.65 of the way.

Unit: a factor. Source: chosen on the same trays, where 2.0 left larger errors.
"""
ASKEW_ROUNDS: Final = 3
"""How often the dice are laid and fitted anew, at most.

Unit: rounds. Source: reasoned: each leaves a tenth of the error.
"""
ASKEW_SETTLED: Final = math.radians(1.0)
"""Dice that are fitted by less than this from where they were laid lie there.

Unit: radians. Source: chosen.
"""
ASKEW_SPREAD: Final = math.radians(20.0)
"""How far "up" may be from where the dice are laid: so far that only the dice tell.

Unit: radians. Source: chosen.
"""
ASKEW_MOST: Final = math.radians(17.0)
"""How far "up" is moved at most: a camera that stands more askew is to be calibrated.

Unit: radians. Source: reasoned: beyond half of the angle between two faces, 20.9 degrees, less the errors of poses,
another face of a d20 looks up.
"""
ASKEW_AGREED: Final = math.radians(5.0)
"""Dice whose upper faces are within this from a common "up" agree on it.

Unit: radians. Source: reasoned: a fitted pose is off by some 3.5 degrees.
"""
ASKEW_DICE: Final = 3
"""The least number of dice that show how a camera stands.

Unit: dice. Source: reasoned: that three lean alike by chance is rarer than such a camera. Two d20s seen from aside may
each show another face that looks up, and two flat pictures of dice agree.
"""
ASKEW_AGAINST: Final = 3
"""For each die that leans from it so many must agree on an "up".

Unit: a factor. Source: chosen.
"""

# What has a die's colour beside it.

BESIDE_REACH: Final = 3.2
"""How far from a die's middle a part of its colour is looked for.

Unit: radii. Source: reasoned: a die of its size that touches it ends within 3.
"""
BESIDE_BODY: Final = (0.2, 0.4, 0.55)
"""Where a die's colour is sampled: rings about its middle.

Unit: radii. Source: reasoned: a cube that stands face on ends at 0.58.
"""
BESIDE_NEAR: Final = 1.2
"""Where it is sampled what touches a die.

Unit: radii. Source: reasoned: just beyond a d20's corners.
"""
BESIDE_SEEN: Final = 0.1
"""From this share of such samples in a die's colour on the surroundings are looked at.

Unit: a share. Source: reasoned: what touches a die and is as large takes a sixth.
"""
BESIDE_LIGHTNESS: Final = 45.0
"""How far lightness may differ from the die's own.

Unit: levels of 255. Source: looked at: faces of one die that are lit differently.
"""
BESIDE_COLOUR: Final = 18.0
"""How far both hues (a* and b*), added, may differ from the die's own.

Unit: levels of 255. Source: looked at: faces of one die that are lit differently.
"""
BESIDE_RIM: Final = 0.08
"""What lies nearer to a known die's outline is of that die.

Unit: radii. Source: reasoned: poses err by less.
"""
BESIDE_OPENED: Final = 0.3
"""What is narrower than twice this is no die.

Unit: radii. Source: chosen.
"""
BESIDE_AREA: Final = 0.6
"""The least area of what is left that may be a die.

Unit: squared radii. Source: reasoned: a cube's upper face has 1.33, and half of it may be hidden.
"""
BESIDE_LONGEST: Final = 2.5
"""What is longer or wider than this is no die.

Unit: radii. Source: reasoned: a die ends at 2.
"""
BESIDE_EVERYWHERE: Final = 0.5
"""Where more than this of the surroundings has the die's colour, the table has it.

Unit: a share of the area. Source: chosen.
"""
BESIDE_POSED: Final = 0.5
"""The least chance of the pose of such a die.

Unit: a chance. Source: reasoned: rather so than not; another die hides a part of it, and its face has to be read yet.
"""

# Whether a square shows the table alone beside its dice.

TABLE_REACH: Final = 1.8
"""How far from the square's middle the table is looked at.

Unit: radii of the square. Source: chosen: most of it is not the square's own.
"""
TABLE_FROM: Final = 1.1
"""From where on it is.

Unit: radii of the square. Source: chosen.
"""
TABLE_PIXELS: Final = 96
"""The side of the picture that is compared.

Unit: pixels. Source: chosen, for speed.
"""
TABLE_BIN: Final = 8.0
"""How finely colours are told apart.

Unit: levels of 255 in lightness and both hues. Source: chosen.
"""
TABLE_SHARE: Final = 0.004
"""The least share of the surroundings in a colour, and those next to it, that is the table's.

Unit: a share of the area. Source: chosen.
"""
TABLE_DARKEST: Final = 10.0
"""What is darker than this share of the surroundings may lie in a shadow.

Unit: per cent. Source: chosen.
"""
TABLE_SHOWN: Final = 0.85
"""The least share of what a square held besides its dice that is the table.

Unit: a share of the area. Source: looked at: a die beneath another shows a quarter and more of what was held.
"""
