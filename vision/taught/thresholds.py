"""The thresholds for recognising a taught die.

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
"""The likeness from which a patch counts as a known look of its face.

Unit: a correlation. Source: chosen; `own_dice` measures what it does.
"""
SURELY_THE_LOOK: Final = 0.95
"""A patch must be as like as this to a face that was shown to outweigh the other face for which it is surely read.

Faces of one die that differ in a sign within a frame are alike by 0.93 to 0.97.

Unit: a correlation. Source: `evening` measures what it does.
"""
LEGIBLE_AFTER: Final = 3
"""The least number of throws for deciding whether the networks can read a die.

Unit: throws. Source: chosen.
"""
LEGIBLE_SHARE: Final = 0.4
"""A die is illegible to the networks if they read less than this share of its throws as a person does.

Unit: a share of the throws. Source: chosen; `own_dice` measures what it does.
"""
LIKE_ENOUGH: Final = 0.5
"""The least likeness of a patch to a face, however turned, for laying it upon that face.

Unit: a correlation. Source: chosen; `own_dice` measures what it does.
"""
SURELY_ITS: Final = 0.95
"""The least chance at which a die is said to be one of those that were taught.

Unit: a chance. Source: chosen; `own_dice` measures what it does.
"""

# Which pose is laid upon the looks.

POSE_BETTER: Final = 1.2
"""The least advantage of the other pose, as log odds that the die is a taught one.

Unit: log odds. Source: chosen; `own_dice` measures what it does.
"""
POSE_BELONGS: Final = 0.5
"""The least log odds, in the other pose, that the die is a taught one.

Unit: log odds. Source: chosen; `own_dice` measures what it does.
"""
AGREED: Final = 3.5
"""The log odds of matching numbers (with those that the die is a taught one) from which a pose is right.

Unit: log odds. Source: chosen; `own_dice` measures what it does.
"""
AGREED_BY_NUMBERS: Final = 2.5
"""The least part of `AGREED` that must come of the numbers alone.

Unit: log odds. Source: chosen; `own_dice` measures what it does.
"""
TELLS_PLACE: Final = 0.6
"""The least likeness of a face that is evidence for its place.

Unit: a correlation. Source: chosen; `own_dice` measures what it does.
"""
BELONGS: Final = 2.5
"""The log odds of a taught cube from which other sizes are not tried.

Unit: log odds. Source: chosen; `own_dice` measures what it does.
"""
KNOWN_FACES_D20: Final = 12
"""The least number of taught faces for laying a d20 upon its looks.

Unit: faces. Source: chosen; `own_dice` measures what it does.
"""
KNOWN_FACES_CUBE: Final = 3
"""The least number of taught faces for laying a cube upon its looks, or seeking its size.

Unit: faces. Source: chosen; `own_dice` measures what it does.
"""
OTHER_SOLID: Final = 0.02
"""The chance of the other solid from which it is tried, too; it is also tried if the own one hardly fits.

Unit: a chance. Source: chosen; `own_dice` measures what it does.
"""
HARDLY_FITS: Final = 0.5
"""Below this chance a pose hardly fits.

Unit: a chance. Source: reasoned: likelier than not.
"""
