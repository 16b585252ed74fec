"""Finds dice in a whole picture by a small network: one look at a picture shrunk to 384 pixels.

It finds what plain image processing (`locate`) loses: dice that touch, that their shadow swallows, that have the
table's colour. Like `locate` it is generous: the `dice` network decides what is a die.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.locate import shrunk_to
from vision.pose.thresholds import PROPOSALS_MOST, PROPOSED

SHOWN_SIDE: Final = 384
"""The longer side of what the network sees."""
CLOSER_SIDE: Final = 768
"""The same for a closer look: striped cloth and neighbours hide a die from the first one."""
SMALLEST_PICTURE: Final = 1280
"""Pictures with a shorter longer side are shrunk further: otherwise their dice would be larger than those in training,
and faces would look like dice."""
SMOOTHED_WITHIN: Final = 5
"""The side of the squares, in pixels of the picture shrunk to `SHOWN_SIDE`, that smooth stripes and checks away."""
CELL: Final = 8
"""The side of the squares for which the network answers, in pixels."""
USUAL_RADIUS: Final = 16.0
"""The unit of radii in the network's logarithmic answers."""


@dataclass(frozen=True)
class Proposal:
    """A place where a die may lie: centre and circumradius in pixels of the picture, and the chance of a die."""

    centre: tuple[float, float]
    radius: float
    chance: float


def shrunk(picture: NDArray[np.uint8], side: int = SHOWN_SIDE) -> tuple[NDArray[np.uint8], float]:
    """The BGR picture as the network sees it, its sides multiples of `CELL`, and how much smaller it is (0..1).

    `side` is the longer side of what it sees: `SHOWN_SIDE`, or `CLOSER_SIDE` for small dice and busy surroundings.
    """
    height, width = picture.shape[:2]
    scale = min(1.0, side / max(height, width, SMALLEST_PICTURE))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = shrunk_to(picture, size) if scale < 1 else picture
    below, right = -size[1] % CELL, -size[0] % CELL
    if below or right:
        small = np.asarray(cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE), dtype=np.uint8)
    return small, scale


def smoothed(picture: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """The BGR picture as `shrunk` shows it, without the pattern of striped or checked cloth, and how much smaller."""
    small, scale = shrunk(picture)
    return np.asarray(cv2.medianBlur(small, SMOOTHED_WITHIN), dtype=np.uint8), scale


def proposal_batch(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The network's batch (count, 3, height, width) from BGR pictures (count, height, width, 3)."""
    planes = []
    for picture in pictures:
        mean, deviation = cv2.meanStdDev(np.ascontiguousarray(picture).reshape(-1, 1))
        spread = max(8.0, float(np.ravel(deviation)[0]))
        centre = float(np.ravel(mean)[0])
        planes.append(
            [(plane.astype(np.float32) - centre) / spread for plane in cv2.split(np.ascontiguousarray(picture))]
        )
    return np.array(planes, dtype=np.float32)


def proposals_of(answer: NDArray[np.float32], scale: float) -> tuple[Proposal, ...]:
    """The places in the network's answer (4, rows, columns), the likeliest first, in pixels of the whole picture."""
    score = answer[0]
    highest = np.asarray(cv2.dilate(score, np.ones((3, 3), np.uint8)), dtype=np.float32)
    bar = math.log(PROPOSED / (1 - PROPOSED))
    rows, columns = np.nonzero((score >= highest) & (score > bar))
    found = []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        logit, right, down, size = (float(value) for value in answer[:, row, column])
        x, y = (column + 0.5 + right) * CELL / scale, (row + 0.5 + down) * CELL / scale
        radius = USUAL_RADIUS * math.exp(min(2.0, max(-2.0, size))) / scale
        found.append(Proposal((x, y), radius, 1 / (1 + math.exp(-logit))))
    found.sort(key=lambda one: -one.chance)
    return tuple(found[:PROPOSALS_MOST])
