"""Cuts out the visible sides of a cube as upright squares for a network of their own."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.pose.crops import Grey
from vision.pose.geometry import Array, View
from vision.read.thresholds import SIDE_FACING

SIDE_PIXELS: Final = 40
"""The side of the patch in which a cube's side is read."""
SIDE_REACH: Final = 1.17
"""How many edges of the cube it spans."""
SQUARE_SIDE: Final = 0.2
"""How much a side must face the lens (12 degrees) to count fully; less counts in proportion."""
USUAL_SIDES: Final = (0.12, 0.12, 0.18, 0.21, 0.19, 0.18)
"""The shares of `SIDE_SHOWS` in what the `sides` network was taught with."""


def visible_sides(view: View) -> list[int]:
    """The sides of a posed cube (face 0 up) that look towards the lens, the most frontal first."""
    order = np.argsort(-view.facing)
    beside = set(view.solid.neighbours[0])
    return [int(face) for face in order if int(face) in beside and view.facing[face] > SIDE_FACING]


def side_patch(grey: Grey, view: View, side: int, pixels: int = SIDE_PIXELS, reach: float = SIDE_REACH) -> Grey:
    """A cube's side as an upright square of `pixels` that spans `reach` edges, the edge to face 0 above."""
    members = list(view.solid.faces[side])
    above = set(view.solid.faces[0])
    start = next(i for i in range(4) if {members[i], members[(i + 1) % 4]} <= above)
    corners: Array = view.points[members[start:] + members[:start]]
    middle, half = (pixels - 1) / 2, pixels / reach / 2
    # From outside corners run counter-clockwise: along the upper edge from right to left.
    square = np.array([(half, -half), (-half, -half), (-half, half), (half, half)]) + middle
    into = cv2.getPerspectiveTransform(square.astype(np.float32), corners.astype(np.float32))
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpPerspective(grey, into, (pixels, pixels), flags=way, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)
