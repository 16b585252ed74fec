"""The thresholds for trusting a calibration, a memory of the camera, and the empty tray.

Each says its unit and its source. "Chosen": by hand, on rendered pictures and photographs, when the rule was written;
how is not recorded. "Reasoned": it follows from what is said. A name alone is that of the bench in `tests.bench` that
measures what the value does.
"""

from __future__ import annotations

import math
from typing import Final

# The card, and corners pointed at.

CARD_OFF: Final = 4.0
"""The largest error of a flat card's solution, in pixels.

Unit: pixels. Source: chosen.
"""
CARD_OFF_SHARP: Final = 0.018
"""The largest error of a sharp card's corners, as a share of a marker's side.

Unit: a share of a marker's side. Source: chosen.
"""
CARD_OFF_FEW: Final = 0.008
"""The same share if hardly any marker is seen: then little else checks the solution.

Unit: a share of a marker's side. Source: chosen.
"""
CARD_FEW: Final = 4
"""The number of markers that hardly determine a solution, and may appear by chance in a mirror.

Unit: markers. Source: reasoned, as said.
"""
CARD_MARKER: Final = 32.0
"""The side of a marker, in pixels, below which an inexact card is too small instead of out of focus.

Unit: pixels. Source: chosen.
"""
CARD_WHOLE: Final = 0.02
"""A card's corners lie where they were printed if they are no further off than this share of its width.

Unit: a share of the card's width. Source: chosen.
"""
TRAY_AREA: Final = 0.02
"""The least share of the picture's area that a tray fills.

Unit: a share of the picture's area. Source: chosen.
"""
CORNERS_UP: Final = math.cos(math.radians(45.0))
"""The largest lean of the camera that is plausible; corners that mean more were pointed at wrongly.

Unit: a cosine. Source: reasoned, as said.
"""

# The lens.

VIEWS_APART: Final = math.radians(15.0)
"""The least difference in slant between the most different views; similar views do not determine a lens.

Unit: radians. Source: reasoned: of like views no lens can be told.
"""
VIEWS_OFF: Final = 2.0
"""Pixels that the corners of several views may be off their common solution.

Unit: pixels. Source: chosen.
"""
FOCAL_ERROR: Final = 0.05
"""The standard error of a focal length that is measured, as a share of it.

Unit: a share of the focal length. Source: chosen.
"""
BEND_MATTERS: Final = 0.02
"""The least distortion (first radial coefficient) that is corrected.

Unit: the first radial coefficient. Source: chosen.
"""
SAME_SHAPE: Final = 0.01
"""The share by which the ratio of a picture's sides may differ from that of the calibrated one.

Unit: a share of the ratio. Source: chosen.
"""

# What is learnt of the camera from throws.

TOPS_AGREE: Final = math.radians(6.0)
"""Upper faces of dice at rest differ from their mean by no more than this.

Unit: radians. Source: reasoned: the error of a fitted pose; `standing_camera` measures what it does.
"""
TOPS_TOGETHER: Final = 2
"""The least number of dice that determine "up": a lone one may lean, or show a neighbouring face.

Unit: dice. Source: reasoned, as said.
"""
TOPS_SHARE: Final = 0.7
"""The least share of the dice that must agree, in one picture and over all throws.

Unit: a share of the dice. Source: chosen; `standing_camera` measures what it does.
"""
RELIED_ON_DICE: Final = 4
"""The number of agreeing dice, in `RELIED_ON_THROWS` throws, from which "up" is relied on.

Unit: dice. Source: chosen; `standing_camera` measures what it does.
"""
RELIED_ON_THROWS: Final = 2
"""The number of throws in which `RELIED_ON_DICE` dice must have agreed.

Unit: throws. Source: chosen; `standing_camera` measures what it does.
"""
THROWS_KEPT: Final = 12
"""Throws remembered; older ones are forgotten.

Unit: throws. Source: chosen.
"""
TOPS_TURNED: Final = math.radians(12.0)
"""The largest difference between the dice's "up" and the learnt one: a fitted pose is biased some degrees towards the
assumption.

Unit: radians. Source: chosen; `standing_camera` measures what it does.
"""
TOP_CONFIRMS: Final = math.radians(8.0)
"""The largest distance of a read die's upper face from the learnt "up" that confirms it.

Unit: radians. Source: chosen; `standing_camera` measures what it does.
"""
TOP_STRANGE: Final = math.radians(16.0)
"""The distance from the learnt "up" beyond which a lone die may show a neighbouring face.

Unit: radians. Source: chosen; `standing_camera` measures what it does.
"""
EDGE_KEPT: Final = 12.0
"""The least slope, in grey levels a pixel, of an edge that is remembered.

Unit: grey levels a pixel. Source: chosen.
"""
EDGE_SEEN: Final = 3.0
"""The least slope of the same edge in other light.

Unit: grey levels a pixel. Source: chosen.
"""
EDGE_SAME_WAY: Final = 0.8
"""The cosine of the angle between an edge's directions, then and now, where it is the same.

Unit: a cosine. Source: chosen.
"""
EDGES_LEAST: Final = 60
"""The least number of edge pixels for a comparison.

Unit: pixels of the small picture. Source: chosen.
"""
EDGES_UNMOVED: Final = 0.6
"""The least share of the remembered edges that must still be there: dice and hands come and go.

Unit: a share of the edges. Source: chosen.
"""
STRANGE_THROWS: Final = 3
"""Consecutive throws with the same changed surroundings, unexplained by dice, that mean a move.

Unit: throws. Source: chosen.
"""
SHADOW_REACH: Final = 0.8
"""A die's shadow reaches no further than this, in sides of its box.

Unit: sides of the die's box. Source: chosen.
"""

# The empty tray.

EMPTY_SHAPE: Final = 0.02
"""Copies of one picture differ in their ratio of sides by no more than this, by rounding.

Unit: a share of the ratio. Source: reasoned: rounding.
"""
EMPTY_SAME: Final = 0.88
"""The correlation with the empty tray from which a place holds no die.

Unit: a correlation. Source: chosen.
"""
EMPTY_PLAIN: Final = 6.0
"""The least variation of the empty tray's place, in grey levels, for comparing details.

Unit: grey levels. Source: chosen.
"""
EMPTY_ALIKE: Final = 5.0
"""The largest difference from the empty tray of an empty place without details, apart from the light.

Unit: grey levels. Source: chosen.
"""
