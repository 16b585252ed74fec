"""The limits by which a die counts as one that was taught.

Each says its unit and its source. "Chosen": by hand, on rendered pictures and photographs, when the rule was written;
how is not recorded. "Reasoned": it follows from what is said. A name alone is that of the bench in `tests.bench` that
measures what the value does.
"""

from __future__ import annotations

from typing import Final

# Which look is which.

LEAST_DEVIATION: Final = 10.0
"""A face that varies by less, in grey levels, is blank: its noise is not blown up.

Unit: grey levels. Source: chosen.
"""
SAME_LOOK: Final = 0.75
"""A patch so like a known look of its face is that look seen again.

Unit: a correlation. Source: chosen; `own_dice` measures what it does.
"""
SURELY_THE_LOOK: Final = 0.95
"""A patch must be as like as this to a face that was shown to outweigh the other face for which it is surely read.

Faces of one die that differ in a sign within a frame are alike by 0.93 to 0.97.

Unit: a correlation. Source: `evening` measures what it does.
"""
LEGIBLE_AFTER: Final = 3
"""After fewer throws nobody can tell whether the networks read a die as a person does.

Unit: throws. Source: chosen.
"""
LEGIBLE_SHARE: Final = 0.4
"""What the networks read as a person does in no more than this share of its throws, `_FEW` at least, they cannot.

Unit: a share of the throws. Source: chosen; `own_dice` measures what it does.
"""
LIKE_ENOUGH: Final = 0.5
"""A patch that is not even so much like a face, however it is turned, is not laid upon it.

Unit: a correlation. Source: chosen; `own_dice` measures what it does.
"""
SURELY_ITS: Final = 0.95
"""The least chance at which a die is said to be one of those that were taught.

Unit: a chance. Source: chosen; `own_dice` measures what it does.
"""

# Which pose is laid upon the looks.

POSE_BETTER: Final = 1.2
"""The other pose must be better by so much, as log odds that the die is a taught one.

Unit: log odds. Source: chosen; `own_dice` measures what it does.
"""
POSE_BELONGS: Final = 0.5
"""The least log odds, in the other pose, that the die is a taught one.

Unit: log odds. Source: chosen; `own_dice` measures what it does.
"""
AGREED: Final = 3.5
"""Faces that show numbers which belong together by so much (log odds, with those that the die is a taught one) are not
cut out in a wrong pose.

Unit: log odds. Source: chosen; `own_dice` measures what it does.
"""
AGREED_BY_NUMBERS: Final = 2.5
"""The least part of `AGREED` that must come of the numbers alone.

Unit: log odds. Source: chosen; `own_dice` measures what it does.
"""
TELLS_PLACE: Final = 0.6
"""What is not even so alike says nothing about where a face lies.

Unit: a correlation. Source: chosen; `own_dice` measures what it does.
"""
BELONGS: Final = 2.5
"""A cube that so surely (log odds) looks like a taught one is not sought in other sizes.

Unit: log odds. Source: chosen; `own_dice` measures what it does.
"""
KNOWN_FACES_D20: Final = 12
"""Of a d20 of which fewer faces were taught, too little is known to lay it upon its looks.

Unit: faces. Source: chosen; `own_dice` measures what it does.
"""
KNOWN_FACES_CUBE: Final = 3
"""Of a cube of which fewer faces were taught, too little is known to lay it upon its looks, or to seek its size.

Unit: faces. Source: chosen; `own_dice` measures what it does.
"""
OTHER_SOLID: Final = 0.02
"""What may be the other solid by this chance, or hardly fits its own, is tried as that one too.

Unit: a chance. Source: chosen; `own_dice` measures what it does.
"""
HARDLY_FITS: Final = 0.5
"""A pose so unlikely hardly fits.

Unit: a chance. Source: reasoned: likelier than not.
"""
