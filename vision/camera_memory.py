"""What ordinary throws tell of a camera that stands still: which way is up, and what it sees round the dice.

Pure: pictures and the poses of dice that were read go in, another memory comes out. It is relied on only while the
surroundings are the same, or where another die of the picture confirms it; what contradicts it ends it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box
from vision.geometry import Array, unit
from vision.upright import CALIBRATED, POSE_SPREAD, Up

_AGREE: Final = math.radians(6.0)
"""Upper faces of dice at rest differ from their mean by no more than this."""
_LEAST_TOGETHER: Final = 2
"""So many dice must agree to say what is up: a lone one may lean, or show a neighbouring face."""
_MOST_AGREE: Final = 0.7
"""The least share of the dice that must agree, of one picture as of all throws."""
_LEAST_DICE: Final = 4
"""So many dice in all must have said the same before it is relied on,"""
_LEAST_THROWS: Final = 2
"""in so many throws."""
_MOST_THROWS: Final = 12
"""Older throws are forgotten."""
_TURNED: Final = math.radians(12.0)
"""What dice agree on now may differ from what was learnt by this: a pose is drawn some degrees towards what was
supposed when it was fitted."""
_ROUGH: Final = math.radians(1.0)
"""What was learnt is off by this, however many dice say so."""
_CONFIRMS: Final = math.radians(8.0)
"""A die that was read confirms what was learnt where its upper face is no further from it."""
_STRANGE: Final = math.radians(16.0)
"""A die by itself whose upper face leans further from what was learnt may show a neighbouring face."""

_COLUMNS: Final = 160
"""The width in pixels at which surroundings are compared."""
_STEEP: Final = 12.0
"""The least slope, in grey levels a pixel, of an edge that is remembered."""
_VISIBLE: Final = 3.0
"""The least slope of the same edge in other light."""
_SAME_WAY: Final = 0.8
"""The cosine of the angle between an edge's directions, then and now, where it is the same."""
_EDGES: Final = 60
"""With fewer pixels of edges nothing can be told."""
_UNMOVED: Final = 0.6
"""The least share of the remembered edges that must still be there: dice and hands come and go."""
_ROUND_A_DIE: Final = 0.8
"""A die's shadow reaches no further than this, in sides of its box."""


@dataclass(frozen=True, eq=False)
class Backdrop:
    """The edges of one picture outside of its dice: slopes to the right and downwards, 0 where there is none."""

    right: NDArray[np.float32]
    down: NDArray[np.float32]
    free: NDArray[np.bool_]

    @classmethod
    def of(cls, picture: NDArray[np.uint8], boxes: Sequence[Box]) -> Backdrop:
        """Of a BGR picture with dice in `boxes`."""
        scale = _COLUMNS / picture.shape[1]
        small = cv2.resize(picture, (_COLUMNS, max(1, round(picture.shape[0] * scale))), interpolation=cv2.INTER_AREA)
        grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float32)
        right, down = (cv2.Sobel(grey, cv2.CV_32F, *way, ksize=3) / 8 for way in ((1, 0), (0, 1)))
        free = np.ones(grey.shape, np.bool_)
        for box in boxes:
            reach = _ROUND_A_DIE * max(box.width, box.height)
            left, top = (max(0, int((side - reach) * scale)) for side in (box.x, box.y))
            end_x, end_y = (math.ceil((end + reach) * scale) for end in (box.x + box.width, box.y + box.height))
            free[top:end_y, left:end_x] = False
        return cls(np.asarray(right, np.float32), np.asarray(down, np.float32), free)

    def stand(self, now: Backdrop) -> bool | None:
        """Whether `now` shows the same from the same place; None where there are too few edges to tell."""
        if self.free.shape != now.free.shape:
            return False
        steepness = np.hypot(self.right, self.down)
        edges = (steepness > _STEEP) & self.free & now.free
        if int(edges.sum()) < _EDGES:
            return None
        slope = np.hypot(now.right, now.down)
        along = self.right * now.right + self.down * now.down
        same = (along > _SAME_WAY * steepness * slope) & (slope > _VISIBLE)
        return float(same[edges].mean()) >= _UNMOVED


@dataclass(frozen=True, eq=False)
class Tops:
    """The upper faces (unit normals, camera frame) of the dice of one picture that were read without any memory."""

    normals: tuple[Array, ...]

    @property
    def agreed(self) -> tuple[Array, ...]:
        """Those that agree on what is up; none where too few do."""
        return _agreed(self.normals)


@dataclass(frozen=True, eq=False)
class CameraMemory:
    """One camera in one place: what the dice of each throw agreed on, newest last, and what lay round the newest."""

    throws: tuple[Tops, ...]
    backdrop: Backdrop

    @classmethod
    def begun(cls, tops: Tops, picture: NDArray[np.uint8], boxes: Sequence[Box]) -> CameraMemory:
        """From one throw, whose dice lie in `boxes`."""
        return cls((tops,) if tops.normals else (), Backdrop.of(picture, boxes))

    def and_then(self, last: CameraMemory) -> CameraMemory:
        """The memory after another throw, seen from the same place."""
        return CameraMemory((*self.throws, *last.throws)[-_MOST_THROWS:], last.backdrop)

    @property
    def up(self) -> Up | None:
        """What was learnt, worth as much as a calibration; None while too few dice have said the same."""
        agreed = _agreed([one for tops in self.throws for one in tops.normals])
        if len(agreed) < _LEAST_DICE or len(self.throws) < _LEAST_THROWS:
            return None
        return Up(unit(np.mean(agreed, axis=0)), math.hypot(POSE_SPREAD / math.sqrt(len(agreed)), _ROUGH), CALIBRATED)

    def moved(self, tops: Tops, now: Backdrop) -> bool:
        """Whether what lies round the dice, or what they agree on, says that the camera looks from elsewhere."""
        if self.backdrop.stand(now) is False:
            return True
        known, agreed = self.up, tops.agreed
        if known is None or not agreed:
            return False
        return _angle(unit(np.mean(agreed, axis=0)), known.direction) > _TURNED

    def reliable_up(self, tops: Tops, now: Backdrop) -> Up | None:
        """What is up in a picture, where nothing contradicts it and something confirms it; else None.

        The same surroundings confirm it, or dice whose upper faces lie so.
        """
        known = self.up
        if known is None or self.moved(tops, now):
            return None
        near = [one for one in tops.normals if _angle(one, known.direction) <= _CONFIRMS]
        confirmed = self.backdrop.stand(now) or near
        return known if confirmed and 2 * len(near) >= len(tops.normals) else None

    def makes_strange(self, normal: Array, now: Backdrop) -> bool:
        """Whether a die by itself with this upper face leans, or shows a neighbour, as the same surroundings tell."""
        known = self.up
        return known is not None and bool(self.backdrop.stand(now)) and _angle(normal, known.direction) > _STRANGE


def _agreed(normals: Sequence[Array]) -> tuple[Array, ...]:
    if len(normals) < _LEAST_TOGETHER:
        return ()
    middle = unit(np.median(np.array(normals), axis=0))
    near = tuple(one for one in normals if _angle(one, middle) <= _AGREE)
    return near if len(near) >= max(_LEAST_TOGETHER, _MOST_AGREE * len(normals)) else ()


def _angle(one: Array, other: Array) -> float:
    return math.acos(float(np.clip(one @ other, -1, 1)))
