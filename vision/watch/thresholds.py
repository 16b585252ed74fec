"""The limits by which a throw is over, and what it shows is settled.

Each says its unit and its source. "Chosen": by hand, on rendered pictures and photographs, when the rule was written;
how is not recorded. "Reasoned": it follows from what is said. A name alone is that of the bench in `tests.bench` that
measures what the value does.
"""

from __future__ import annotations

from typing import Final

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
