"""The thresholds for the end of a throw, for votes on its dice, for hands, and for faults of the camera.

Each says its unit and its source. "Chosen": by hand, on rendered pictures and photographs, when the rule was written;
how is not recorded. "Reasoned": it follows from what is said. A name alone is that of the bench in `tests.bench` that
measures what the value does.
"""

from __future__ import annotations

from typing import Final

from vision.errors import Blindness

# Throws.

VOTE_WITNESSES: Final = 2
"""Other pictures that must agree on a die's face to settle a doubt.

Unit: pictures. Source: reasoned: one picture's luck never outvotes doubt.
"""
LOOK_AGAIN: Final = 0.5
"""Seconds until dice that were not all made out are read again.

Unit: seconds. Source: chosen.
"""
LONGEST_HAND: Final = 5.0
"""Seconds for which a hand that rests in the picture holds a reading back, at most.

Unit: seconds. Source: chosen.
"""
HAND_AGAIN: Final = 0.2
"""Seconds until the next check for a hand.

Unit: seconds. Source: chosen.
"""
BLIND_AGAIN: Final = 0.2
"""Seconds until the next check of a camera that saw nothing.

Unit: seconds. Source: chosen.
"""
CALM_AFTER: Final = 2.0
"""Seconds after which a tray where nothing has moved or is to be looked at again counts as calm.

Unit: seconds. Source: chosen; `vision_idle` measures what it saves.
"""

# Hands.

SKIN_DARKEST: Final = (35, 136, 80)
"""The least brightness and differences from it (red, blue) of skins in usual light.

Unit: levels of brightness, red and blue difference. Source: chosen.
"""
SKIN_LIGHTEST: Final = (252, 176, 126)
"""The most of the same.

Unit: levels of brightness, red and blue difference. Source: chosen.
"""
HAND_HUE: Final = 10
"""Smaller changes in either hue are the same thing as before, or its shadow.

Unit: levels of either difference. Source: chosen.
"""
HAND_AREA: Final = 0.04
"""The least share of the picture that a hand takes.

Unit: a share of the picture. Source: chosen.
"""
HAND_WRIST: Final = 7
"""The least width of a wrist at the edge of the small picture, in pixels.

Unit: pixels of the small picture. Source: chosen.
"""

# Sight.

SIGHT_BACK: Final = 0.6
"""Seconds without a fault after which the camera sees again.

Unit: seconds. Source: chosen; `tests/vision/watch/test_sight.py` holds what it does.
"""
DARKEST_SEEN: Final = 16
"""The most brightness of the brightest of 16 x 9 cells of a picture in which no die can be made out.

Unit: grey levels. Source: reasoned: a lit dark tray shows 20 and more, a die far more.
"""
DAZZLED_LEVEL: Final = 245
"""The least brightness of the darkest of those cells of a picture that is burnt out.

Unit: grey levels. Source: reasoned: nearly the highest grey level.
"""
STRUCTURE: Final = 8.0
"""The least local contrast, smoothed, that counts as structure.

Unit: grey levels at middling light. Source: chosen: an empty plain tray shows none.
"""
STRUCTURE_GONE: Final = 40
"""The least number of pixels with structure in the 320 x 180 look; below it nothing is visible.

Unit: pixels of the look. Source: chosen: the smallest die takes more than 100.
"""
STRUCTURE_SHARE: Final = 0.05
"""The largest share of the earlier structure left beside a cover.

Unit: a share. Source: chosen.
"""
STRUCTURE_LEAST: Final = 150
"""The least structure whose loss counts.

Unit: pixels of the look. Source: chosen: a die or two.
"""
CELL_LEAPT: Final = 12
"""Grey levels by which a cell differs from before.

Unit: grey levels. Source: as in `vision.frames.settling`.
"""
CELLS_LEAPT: Final = 0.6
"""The share of the cells that differ where the whole picture is another.

Unit: a share. Source: as in `vision.frames.settling`.
"""
NOISE_PAIRS: Final = 12
"""Pictures at rest in a row, each different from the one before, that prove the camera's noise.

Unit: pictures. Source: reasoned: a stream without noise repeats its pictures at rest.
"""
FLASH_LEVEL: Final = 12.0
"""Grey levels by which the middle cell turns brighter or darker in a flash.

Unit: grey levels. Source: as for a lamp in `vision.frames.settling`.
"""
FLASH_CELL: Final = 5.0
"""Grey levels by which each other cell turns.

Unit: grey levels. Source: chosen.
"""
FLASH_CELLS: Final = 0.8
"""The share of the cells that turn: a hand leaves more of them unchanged.

Unit: a share. Source: chosen.
"""
FLASH_TURNS: Final = 5
"""Turns up and down that count as flashing; a lamp switched off and on makes two.

Unit: turns. Source: reasoned, as said.
"""
FLASH_WITHIN: Final = 2.8
"""Seconds within which they come.

Unit: seconds. Source: reasoned: it is to be told within three seconds.
"""
FLASH_LASTS: Final = 1.4
"""Seconds from the first of them to the last at least: a photographer's flash is over sooner.

Unit: seconds. Source: reasoned, as said.
"""
FLASH_AGAIN: Final = 1.0
"""Seconds without a turn after which it is over.

Unit: seconds. Source: chosen.
"""
FOCUS_EVERY: Final = 0.4
"""Seconds between two looks at how sharp the picture is.

Unit: seconds. Source: reasoned: it takes a millisecond.
"""
FOCUS_STEP: Final = 30.0
"""The least rise of an edge within 24 pixels by which sharpness is told; a soft shadow rises less.

Unit: grey levels. Source: reasoned, as said.
"""
FOCUS_EDGES: Final = 15
"""Such edges, in every sixteenth row, needed to measure a picture's sharpness.

Unit: places. Source: chosen: a die or two.
"""
BLUR_MOST: Final = 0.33
"""A picture of this sharpness or less is always out of focus (`sharpness_of`).

Unit: a share. Source: chosen: a blur of 6 pixels of 1280.
"""
BLUR_LEAST: Final = 0.5
"""A sharper picture is always in focus.

Unit: a share. Source: chosen: a blur of 3 pixels of 1280, in which dice are still read.
"""
BLUR_FALL: Final = 0.52
"""A picture with this share of its camera's earlier sharpness is out of focus.

Unit: a share. Source: chosen.
"""
LANDMARK_RESTS: Final = 3
"""Rests at which a thing must be seen at the same place to belong to the table.

Unit: rests. Source: chosen.
"""
LANDMARKS_LEAST: Final = 150
"""The least part of the look that must belong to the table for a judgement, in pixels.

Unit: pixels of the look. Source: chosen.
"""
LANDMARK_PLACES: Final = 4
"""The least number of the picture's 4 x 4 parts that must contain some of it.

Unit: parts of the picture. Source: chosen: a hand hides two or three.
"""
EARLY_LEAST: Final = 500
"""The least part of the look with structure for a judgement by one picture of the table alone, in pixels.

Unit: pixels of the look. Source: reasoned: more than the things that somebody leaves on a plain cloth.
"""
EARLY_LASTS: Final = 8.0
"""Seconds for which the first rest must look alike before it counts as the table: a hand lies there for less.

Unit: seconds. Source: chosen.
"""
EARLY_PLACES: Final = 8
"""The least number of the picture's 4 x 4 parts that must contain some of it then.

Unit: parts of the picture. Source: reasoned: a rim runs through twelve.
"""
EARLY_SPAN: Final = 0.6
"""The least share of the picture's width and height over which it must be spread then, but for the outermost tenth.

Unit: a share. Source: reasoned: a rim or a patterned cloth spans more, a sheet of paper less.
"""
PART_LEAST: Final = 20
"""The least part of the table in one of these parts for it to count, in pixels.

Unit: pixels of the look. Source: chosen.
"""
PARTS_OUT: Final = 0.5
"""The least share of these parts that shows nothing at its place where the camera was moved.

Unit: a share. Source: chosen: a moved camera leaves up to five of twelve alike, as a rim is straight.
"""
OUT_OF_VIEW: Final = 0.45
"""The correlation with the fixed parts of the table below which none is at its place.

Unit: a correlation. Source: chosen.
"""
BACK_IN_VIEW: Final = 0.6
"""A correlation above which it is there again.

Unit: a correlation. Source: chosen.
"""
FADED: Final = 0.5
"""The largest share of contrast left of the table's fixed parts in a picture far out of focus.

Unit: a share. Source: chosen: a hand or a lamp leaves 0.85 and more.
"""
SIGHT_LASTS: Final = {
    Blindness.DARK: 2.0,
    Blindness.DAZZLED: 2.4,
    Blindness.FROZEN: 1.8,
    Blindness.FLASHING: 0.0,
    Blindness.COVERED: 1.6,
    Blindness.BLURRED: 1.1,
    Blindness.MOVED: 1.5,
}
"""How long each fault lasts before it is reported: a camera that sets its exposure or its focus anew takes a second.

Unit: seconds. Source: reasoned: each is to be told within three seconds.
"""
