"""The limits by which a throw is over, and what it shows is settled.

Each says its unit and its source. "Chosen": by hand, on rendered pictures and photographs, when the rule was written;
how is not recorded. "Reasoned": it follows from what is said. A name alone is that of the bench in `tests.bench` that
measures what the value does.
"""

from __future__ import annotations

from typing import Final

from vision.errors import Blindness

# Throws.

VOTE_WITNESSES: Final = 2
"""So many other looks must agree on a die's face to settle a doubt.

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
"""Seconds until it is looked again whether a hand is gone.

Unit: seconds. Source: chosen.
"""
BLIND_AGAIN: Final = 0.2
"""Seconds until it is looked again whether a camera that saw nothing sees.

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
"""What differs by less than this from before, in either hue, is what lay there before, or its shadow.

Unit: levels of either difference. Source: chosen.
"""
HAND_AREA: Final = 0.04
"""The least share of the picture that a hand takes.

Unit: a share of the picture. Source: chosen.
"""
HAND_WRIST: Final = 7
"""A wrist crosses the edge of the small picture along so many pixels.

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
"""The least local contrast, smoothed, that is something to see.

Unit: grey levels at middling light. Source: chosen: an empty plain tray shows none.
"""
STRUCTURE_GONE: Final = 40
"""Where less of the 320 x 180 look has structure, nothing is to be seen.

Unit: pixels of the look. Source: chosen: the smallest die takes more than 100.
"""
STRUCTURE_SHARE: Final = 0.05
"""The share of the structure of before that may be left of it beside what covers it.

Unit: a share. Source: chosen.
"""
STRUCTURE_LEAST: Final = 150
"""The least structure that is missed when it is gone.

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
"""So many pictures of a table at rest that each differ from the one before prove that the camera has noise.

Unit: pictures. Source: reasoned: a stream without noise repeats its pictures at rest.
"""
FLASH_LEVEL: Final = 12.0
"""Grey levels by which the middle cell turns brighter or darker in a flash.

Unit: grey levels. Source: as for a lamp in `vision.frames.settling`.
"""
FLASH_CELL: Final = 5.0
"""Grey levels by which each cell does.

Unit: grey levels. Source: chosen.
"""
FLASH_CELLS: Final = 0.8
"""The share of the cells that do: a hand leaves more of them alone.

Unit: a share. Source: chosen.
"""
FLASH_TURNS: Final = 5
"""So many turns, up and down, are flashing; a lamp that is switched off and on makes two.

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
"""So many such edges, in every sixteenth row, tell how sharp a picture is.

Unit: places. Source: chosen: a die or two.
"""
BLUR_MOST: Final = 0.33
"""A picture as sharp as this or less is out of focus, whatever was before (`sharpness_of`).

Unit: a share. Source: chosen: a blur of 6 pixels of 1280.
"""
BLUR_LEAST: Final = 0.5
"""A picture sharper than this is in focus, however sharp it was before.

Unit: a share. Source: chosen: a blur of 3 pixels of 1280, in which dice are still read.
"""
BLUR_FALL: Final = 0.52
"""A picture as sharp as this share of what its camera has shown is out of focus.

Unit: a share. Source: chosen.
"""
LANDMARK_RESTS: Final = 3
"""What is seen in so many rests at the same place belongs to the table.

Unit: rests. Source: chosen.
"""
LANDMARKS_LEAST: Final = 150
"""So much of the look must belong to it to tell by it.

Unit: pixels of the look. Source: chosen.
"""
LANDMARK_PLACES: Final = 4
"""In so many of 4 x 4 parts of the picture.

Unit: parts of the picture. Source: chosen: a hand hides two or three.
"""
OUT_OF_VIEW: Final = 0.45
"""A correlation with what belongs to the table below which none of it is where it was.

Unit: a correlation. Source: chosen.
"""
BACK_IN_VIEW: Final = 0.6
"""A correlation above which it is there again.

Unit: a correlation. Source: chosen.
"""
FADED: Final = 0.5
"""What belongs to the table shows at most so much of its contrast in a picture that is far out of focus.

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
"""How long each fault lasts before it is told: a camera that sets its exposure or its focus anew takes a second.

Unit: seconds. Source: reasoned: each is to be told within three seconds.
"""
