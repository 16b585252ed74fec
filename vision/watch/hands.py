"""Detects a hand that rests in the picture: dice may lie beneath it, or be in it.

A hand is no die, because it is large and reaches in from the picture's edge, and no part of the table, because there
was no colour of skin before. Skins of every shade differ in brightness far more than in hue. On a table of that hue no
hand is seen.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ports import Pixels
from vision.watch.thresholds import HAND_AREA, HAND_HUE, HAND_WRIST, SKIN_DARKEST, SKIN_LIGHTEST

_COLUMNS: Final = 160
"""The width of the small picture for detecting hands, in pixels."""
_ROWS: Final = 90
"""The height of the same, in pixels."""

Hues = NDArray[np.uint8]
"""A small picture of brightness and hues."""


def hues_of(image: Pixels) -> Hues:
    """What `hand_came` compares, of a BGR picture of any size; takes well under a millisecond."""
    thinned = cv2.resize(image, (2 * _COLUMNS, 2 * _ROWS), interpolation=cv2.INTER_NEAREST)
    small = cv2.resize(thinned, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb), dtype=np.uint8)


def hand_came(before: Hues, now: Hues) -> bool:
    """Whether something large of a skin's colour reaches in from the edge that was not there before."""
    is_skin, was_skin = (cv2.inRange(one, np.array(SKIN_DARKEST), np.array(SKIN_LIGHTEST)) for one in (now, before))
    other = np.abs(now[..., 1:].astype(np.int16) - before[..., 1:]).max(axis=2) >= HAND_HUE
    came = ((is_skin > 0) & (was_skin == 0) & other).astype(np.uint8)
    joined = cv2.morphologyEx(came, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, parts, figures, _ = cv2.connectedComponentsWithStats(joined)
    for number in range(1, count):
        if figures[number, cv2.CC_STAT_AREA] < HAND_AREA * _COLUMNS * _ROWS:
            continue
        edges = (parts[0], parts[-1], parts[:, 0], parts[:, -1])
        if max(int(np.count_nonzero(edge == number)) for edge in edges) >= HAND_WRIST:
            return True
    return False
