"""The sizes at which a picture is read: as it is, and smaller or larger if its dice need that.

The networks know dice of 45 to 250 pixels across: a close-up is read from a smaller copy, and a far table from a larger
one. Where the picture lacks the pixels for that, it is enlarged if a die stays in doubt, or if it is so small that
dice may be taken for one. Blurred dice were taught, and small ones were not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.thresholds import (
    FEW_PIXELS,
    LARGE,
    LARGER_COPY,
    LONGEST_OF_SMALL,
    SMALL,
    SMALLER_COPY,
    SMALLEST,
)


def other_scales(
    picture: NDArray[np.uint8], usual: float, sides: Sequence[float], *, told: int, sure: bool
) -> Iterator[float]:
    """The further sizes to try, in sides of `picture`, which was looked at `usual` times as large first.

    `sides` are the pixels across what looked like dice then, `told` says how many dice showed a numeral that was read,
    and `sure` whether all of them were.
    """
    if told == 0 or max(sides, default=0.0) > LARGE:
        scale = usual * SMALLER_COPY
        while min(picture.shape[:2]) * scale >= 2 * SMALLEST:
            yield scale
            scale *= SMALLER_COPY
    most = LONGEST_OF_SMALL / max(picture.shape[:2])
    larger = min(usual * LARGER_COPY, most)
    if sure:  # then enlarging would only cost time
        larger = min(larger, 1.0)
    few = told == 0 and max(picture.shape[:2]) < FEW_PIXELS
    if larger > usual and (few or (sides and median(sides) < SMALL)):
        yield larger


def scaled(picture: NDArray[np.uint8], by: float) -> NDArray[np.uint8]:
    """The picture with sides `by` times as long; itself where that is 1."""
    if by == 1:
        return picture
    size = (max(1, round(picture.shape[1] * by)), max(1, round(picture.shape[0] * by)))
    way = cv2.INTER_AREA if by < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8)
