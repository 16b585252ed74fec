"""The printed calibration card: its layout, and finding it in a picture.

One page: a board of nine square markers in the middle, and one marker in each corner that can be cut off and laid into
a corner of the tray. Markers are those of OpenCV's ArUco module, dictionary 4x4_50. All lengths are millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box
from vision.pose.crops import Grey
from vision.pose.geometry import Array

WIDE: Final = 255.0
"""The card's width in millimetres; with its height it fits on A4 and on US letter, lying."""
HIGH: Final = 180.0
"""The card's height in millimetres."""
PIECE: Final = 40.0
"""The side of the square that is cut off at each corner; its outer corner points into the tray's."""
CORNER_IDS: Final = (0, 1, 2, 3)
"""The markers of the corners, clockwise from the upper left."""
BOARD_IDS: Final = tuple(range(4, 13))
"""The markers of the board, row by row."""
_CORNER_SIDE: Final = 28.0
"""Millimetres of a marker's side in a corner of the card."""
_BOARD_SIDE: Final = 36.0
"""Millimetres of a marker's side on the board."""
_BOARD_STEP: Final = 46.0
"""Millimetres from one marker of the board to the next."""
MODULES: Final = 6
"""The width of a marker in squares, its black rim included."""


@dataclass(frozen=True)
class Marker:
    """One marker's place on the card: its number, its upper left corner and its side."""

    number: int
    left: float
    top: float
    side: float

    @property
    def corners(self) -> Array:
        """Its four corners, clockwise from the upper left, one row a corner."""
        right, bottom = self.left + self.side, self.top + self.side
        return np.array([[self.left, self.top], [right, self.top], [right, bottom], [self.left, bottom]])


@cache
def markers() -> dict[int, Marker]:
    """Every marker of the card by its number."""
    spare = (PIECE - _CORNER_SIDE) / 2
    lows = ((0.0, 0.0), (WIDE - PIECE, 0.0), (WIDE - PIECE, HIGH - PIECE), (0.0, HIGH - PIECE))
    placed = [
        Marker(number, left + spare, top + spare, _CORNER_SIDE)
        for number, (left, top) in zip(CORNER_IDS, lows, strict=True)
    ]
    board = 2 * _BOARD_STEP + _BOARD_SIDE
    left, top = (WIDE - board) / 2, (HIGH - board) / 2
    placed += [
        Marker(number, left + place % 3 * _BOARD_STEP, top + place // 3 * _BOARD_STEP, _BOARD_SIDE)
        for place, number in enumerate(BOARD_IDS)
    ]
    return {one.number: one for one in placed}


@cache
def modules(number: int) -> NDArray[np.bool_]:
    """The marker's squares, `MODULES` rows and columns: whether each is black."""
    drawn = np.asarray(cv2.aruco.generateImageMarker(_dictionary(), number, MODULES), np.uint8)
    return np.asarray(drawn == 0, np.bool_)


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@dataclass(frozen=True)
class Sighting:
    """The card's markers in a picture: each one's four corners in pixels, clockwise from its upper left."""

    corners: dict[int, Array]

    def __bool__(self) -> bool:
        return bool(self.corners)

    @property
    def board(self) -> tuple[Array, Array]:
        """Points of the board in millimetres and in pixels, one row a point; the same order in both."""
        return self._points(BOARD_IDS)

    @property
    def whole(self) -> tuple[Array, Array]:
        """The same for all markers: only for a card from which nothing was cut off."""
        return self._points(tuple(self.corners))

    @property
    def scale(self) -> float | None:
        """Pixels a millimetre where the markers lie; None where none shows."""
        sides = [
            float(np.linalg.norm(spots - np.roll(spots, 1, axis=0), axis=1).mean()) / markers()[number].side
            for number, spots in self.corners.items()
        ]
        return float(np.median(sides)) if sides else None

    def _points(self, numbers: tuple[int, ...]) -> tuple[Array, Array]:
        seen = [number for number in numbers if number in self.corners]
        if not seen:
            return np.empty((0, 2)), np.empty((0, 2))
        placed = markers()
        return (
            np.vstack([placed[number].corners for number in seen]),
            np.vstack([self.corners[number] for number in seen]),
        )

    def tips(self) -> tuple[tuple[float, float], ...]:
        """Where the outer corners of the four corner pieces lie, clockwise from the upper left; () unless all show.

        Each follows from its own marker alone, so that the pieces may lie anywhere.
        """
        if not all(number in self.corners for number in CORNER_IDS):
            return ()
        tips = []
        for place, number in enumerate(CORNER_IDS):
            own = markers()[number].corners
            tip = np.array([(0.0, 0.0), (WIDE, 0.0), (WIDE, HIGH), (0.0, HIGH)][place])
            plane = cv2.getPerspectiveTransform(own.astype(np.float32), self.corners[number].astype(np.float32))
            x, y, depth = (float(value) for value in plane @ np.array([*tip, 1.0]))
            tips.append((x / depth, y / depth))
        return tuple(tips)


def find_card(grey: Grey) -> Sighting:
    """The card's markers in a picture; markers that are not the card's are ignored."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, numbers, _ = cv2.aruco.ArucoDetector(_dictionary(), parameters).detectMarkers(grey)
    found = zip([] if not len(corners) else np.ravel(np.asarray(numbers)).tolist(), corners, strict=True)
    return Sighting(
        {
            int(number): np.asarray(spots, np.float64).reshape(4, 2)
            for number, spots in found
            if int(number) in markers()
        }
    )


def pieces(grey: Grey) -> tuple[Box, ...]:
    """Where the card or its cut-off corners lie in a picture: round each marker, with the paper beside it."""
    boxes = []
    for spots in find_card(grey).corners.values():
        (left, top), (right, bottom) = spots.min(axis=0), spots.max(axis=0)
        side = round(max(right - left, bottom - top))
        boxes.append(Box(round(left) - side, round(top) - side, 3 * side, 3 * side))
    return tuple(boxes)


def paper_white(picture: NDArray[np.uint8], sighting: Sighting) -> tuple[float, float, float] | None:
    """The card's paper as the camera sees it (blue, green, red; 0..255), from the white rim of its markers."""
    seen = []
    for spots in sighting.corners.values():
        middle = spots.mean(axis=0)
        for x, y in middle + (spots - middle) * 1.12:
            column, row = round(float(x)), round(float(y))
            if 0 <= row < picture.shape[0] and 0 <= column < picture.shape[1]:
                seen.append(picture[row, column])
    if not seen:
        return None
    blue, green, red = (float(value) for value in np.median(np.array(seen), axis=0))
    return blue, green, red
