"""The limits by which what is known of a table is believed.

Each says its unit and its source. "Chosen": by hand, on rendered pictures and photographs, when the rule was written;
how is not recorded. "Reasoned": it follows from what is said. A name alone is that of the bench in `tests.bench` that
measures what the value does.
"""

from __future__ import annotations

import math
from typing import Final

# The card, and corners pointed at.

CARD_OFF: Final = 4.0
"""A card that lies flat is not off its solution by more than this, in pixels.

Unit: pixels. Source: chosen.
"""
CARD_OFF_SHARP: Final = 0.018
"""A sharp card's corners are not off the solution by more than this share of a marker's side.

Unit: a share of a marker's side. Source: chosen.
"""
CARD_OFF_FEW: Final = 0.008
"""The same share where hardly any marker shows: then little else holds the solution.

Unit: a share of a marker's side. Source: chosen.
"""
CARD_FEW: Final = 4
"""So many markers of the card hardly hold a solution, and may show by chance in a mirror.

Unit: markers. Source: reasoned, as said.
"""
CARD_MARKER: Final = 32.0
"""Pixels of a marker's side below which a card that is off is too small rather than out of focus.

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
"""Corners that would mean a camera leaning further than this were not pointed at right.

Unit: a cosine. Source: reasoned, as said.
"""

# The lens.

VIEWS_APART: Final = math.radians(15.0)
"""The most unlike two of a lens's views differ by this in slant; of like ones no lens can be told.

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
"""A lens that bends by less (the first radial coefficient) needs no setting right.

Unit: the first radial coefficient. Source: chosen.
"""
SAME_SHAPE: Final = 0.01
"""The share by which the ratio of a picture's sides may differ from that of the calibrated one.

Unit: a share of the ratio. Source: chosen.
"""

# What throws tell of the camera.

TOPS_AGREE: Final = math.radians(6.0)
"""Upper faces of dice at rest differ from their mean by no more than this.

Unit: radians. Source: reasoned: the error of a fitted pose; `standing_camera` measures what it does.
"""
TOPS_TOGETHER: Final = 2
"""So many dice must agree to say what is up: a lone one may lean, or show a neighbouring face.

Unit: dice. Source: reasoned, as said.
"""
TOPS_SHARE: Final = 0.7
"""The least share of the dice that must agree, of one picture as of all throws.

Unit: a share of the dice. Source: chosen; `standing_camera` measures what it does.
"""
RELIED_ON_DICE: Final = 4
"""So many dice in all, in `RELIED_ON_THROWS` throws, must have said the same before it is relied on.

Unit: dice. Source: chosen; `standing_camera` measures what it does.
"""
RELIED_ON_THROWS: Final = 2
"""In so many throws `RELIED_ON_DICE` dice must have said the same.

Unit: throws. Source: chosen; `standing_camera` measures what it does.
"""
THROWS_KEPT: Final = 12
"""Older throws are forgotten.

Unit: throws. Source: chosen.
"""
TOPS_TURNED: Final = math.radians(12.0)
"""What dice agree on now may differ from what was learnt by this: a pose is drawn some degrees towards what was
supposed when it was fitted.

Unit: radians. Source: chosen; `standing_camera` measures what it does.
"""
TOP_CONFIRMS: Final = math.radians(8.0)
"""A die that was read confirms what was learnt where its upper face is no further from it.

Unit: radians. Source: chosen; `standing_camera` measures what it does.
"""
TOP_STRANGE: Final = math.radians(16.0)
"""A die by itself whose upper face leans further from what was learnt may show a neighbouring face.

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
"""With fewer pixels of edges nothing can be told.

Unit: pixels of the small picture. Source: chosen.
"""
EDGES_UNMOVED: Final = 0.6
"""The least share of the remembered edges that must still be there: dice and hands come and go.

Unit: a share of the edges. Source: chosen.
"""
STRANGE_THROWS: Final = 3
"""In so many throws, one after the other, other surroundings that are alike and that no die explains tell of a move.

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
"""A place whose details follow those of the empty tray so closely holds no die.

Unit: a correlation. Source: chosen.
"""
EMPTY_PLAIN: Final = 6.0
"""Where the empty tray varies by less than this, in grey levels, its details say nothing.

Unit: grey levels. Source: chosen.
"""
EMPTY_ALIKE: Final = 5.0
"""A place without details is empty if it differs from the empty tray by less than this, light aside.

Unit: grey levels. Source: chosen.
"""
