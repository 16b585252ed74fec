"""The thresholds for learning a face, and for hints about a picture.

Each says its unit and its source. "Chosen": by hand, on rendered pictures and photographs, when the rule was written;
how is not recorded. "Reasoned": it follows from what is said. A name alone is that of the bench in `tests.bench` that
measures what the value does.
"""

from __future__ import annotations

from typing import Final

# What is learnt of a die.

TAUGHT_POSE: Final = 0.2
"""The least chance that the die lies about as supposed (`Detection.likely`, of the picture in which it is taught).

Below it, what is cut out might be no face but a corner or an edge, and nothing is learnt: a wrong look would harm
more than a missing one, and the person can lay the die elsewhere. Above it, what is taught is worth the risk:
strange signs make the pose network doubt even where it is right.

Unit: a chance. Source: chosen; `own_dice` measures what it does.
"""
TAUGHT_FACING: Final = 0.5
"""How much a face beside the upper one must look at the camera to be learnt, as a cosine.

Unit: a cosine. Source: chosen; `own_dice` measures what it does.
"""
TAUGHT_LAYOUT: Final = 0.97
"""The least chance of a known numbering that names all the faces seen.

Unit: a chance. Source: chosen; `own_dice` measures what it does.
"""
TAUGHT_RING: Final = 0.9
"""The least chance of each of the three numbers round a face that are kept as its ring.

Unit: a chance. Source: chosen; `own_dice` measures what it does.
"""
TAUGHT_LOOK: Final = 0.97
"""The least chance of a number on a face beside the upper one, where no numbering tells it.

Unit: a chance. Source: chosen; `own_dice` measures what it does.
"""
TAUGHT_ALIKE: Final = 0.5
"""The least chance that the network gives what the person says, where it reads the die as a person does.

Unit: a chance. Source: reasoned: likelier than not.
"""

SAID_TWICE: Final = 0.9
"""The least likeness of two faces that count as the same face.

Unit: a correlation. Source: `evening` measures what it does.
"""

# What a picture lacks.

NEEDED_PIXELS: Final = 30.0
"""The least side of a die in pixels of the picture: of smaller ones ever more are not read.

Unit: pixels. Source: `vision_sizes`: 118 of 120 dice of this size are read, and 110 of 120 dice of 22 pixels.
"""
MOST_PIXELS: Final = 600.0
"""The largest side of a die: a throw of larger ones hardly fits into a picture.

Unit: pixels. Source: reasoned, as said.
"""
LEAST_LIGHT: Final = 70.0
"""The least brightness, in grey levels, that the brightest 0.5 % of a picture must have.

Unit: grey levels. Source: chosen.
"""
LEAST_LIGHT_OF_NOTHING: Final = 25.0
"""The same for an empty dark tray, which is dark in any light.

Unit: grey levels. Source: reasoned, as said.
"""
PLAIN: Final = 10.0
"""A picture that varies by less, in grey levels, shows nothing but the table.

Unit: grey levels. Source: chosen.
"""
MOST_GLARE: Final = 0.04
"""The share of a picture that may be burnt out.

Unit: a share of the picture. Source: chosen.
"""
MOST_TINT: Final = 1.35
"""How many times as bright one colour may be as another.

Unit: a factor. Source: chosen.
"""
MOST_BLUR: Final = 5.5
"""Pixels that an edge may take from dark to light: see `edge_width`.

Unit: pixels. Source: chosen.
"""
MOST_LEAN: Final = 15.0
"""Degrees by which the camera may lean from looking straight down.

Unit: degrees. Source: chosen; `leaning` measures what a lean costs.
"""
LEAST_SIDE: Final = 640
"""Pixels of a picture's longer side; on a smaller picture the dice of a whole tray are too small.

Unit: pixels. Source: reasoned, as said.
"""
SURELY_SMALL: Final = 0.95
"""A die that was read is surely too small below this share of the least size: its box may be slightly off.

Unit: a factor. Source: reasoned, as said.
"""
