"""Learns the pose of a still camera from ordinary throws: the direction "up", and the surroundings of the dice.

Pure: pictures and the poses of dice that were read go in, another memory comes out. It is used only while the
surroundings are the same, or if dice of the picture confirm it. Dice that contradict it end it; changed surroundings
only suspend it, because a sheet of paper or a lamp changes them, too. Of a calibrated camera only the surroundings are
kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box
from vision.ports import Tops
from vision.pose.geometry import Array, unit
from vision.pose.table_normal import POSE_SPREAD, TableNormal
from vision.pose.thresholds import CALIBRATED
from vision.table.calibration import Calibration
from vision.table.thresholds import (
    EDGE_KEPT,
    EDGE_SAME_WAY,
    EDGE_SEEN,
    EDGES_LEAST,
    EDGES_UNMOVED,
    RELIED_ON_DICE,
    RELIED_ON_THROWS,
    SHADOW_REACH,
    STRANGE_THROWS,
    THROWS_KEPT,
    TOP_CONFIRMS,
    TOP_STRANGE,
    TOPS_AGREE,
    TOPS_SHARE,
    TOPS_TOGETHER,
    TOPS_TURNED,
)

_ROUGH: Final = math.radians(1.0)
"""The least error of what was learnt, however many dice agree."""

_COLUMNS: Final = 160
"""The width in pixels at which surroundings are compared."""


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
            reach = SHADOW_REACH * max(box.width, box.height)
            left, top = (max(0, int((side - reach) * scale)) for side in (box.x, box.y))
            end_x, end_y = (math.ceil((end + reach) * scale) for end in (box.x + box.width, box.y + box.height))
            free[top:end_y, left:end_x] = False
        return cls(np.asarray(right, np.float32), np.asarray(down, np.float32), free)

    @property
    def tells(self) -> bool:
        """Whether it has enough edges to be compared with others."""
        return int(((np.hypot(self.right, self.down) > EDGE_KEPT) & self.free).sum()) >= EDGES_LEAST

    def stand(self, now: Backdrop) -> bool | None:
        """Whether `now` shows the same from the same place; None if either has too few edges."""
        if self.free.shape != now.free.shape:
            return False
        steepness, slope = np.hypot(self.right, self.down), np.hypot(now.right, now.down)
        free = self.free & now.free
        edges = (steepness > EDGE_KEPT) & free
        if min(int(edges.sum()), int(((slope > EDGE_SEEN) & free).sum())) < EDGES_LEAST:
            return None
        along = self.right * now.right + self.down * now.down
        same = (along > EDGE_SAME_WAY * steepness * slope) & (slope > EDGE_SEEN)
        return float(same[edges].mean()) >= EDGES_UNMOVED


class CameraStand(Enum):
    """The camera's place by the evidence of a throw."""

    SAME = auto()
    """At the same place."""
    UNSURE = auto()
    """The surroundings changed, and no dice explain it: nothing is learnt from this throw."""
    ELSEWHERE = auto()
    """It was moved."""


@dataclass(frozen=True, eq=False)
class CameraMemory:
    """One camera in one place: the "up" of each throw, newest last, and the surroundings of the newest.

    Of a camera with a `calibration` no dice are kept. `strange` are the surroundings of the newest throws, if they
    differed from `backdrop`, were alike, and no dice explained them.
    """

    throws: tuple[Tops, ...]
    backdrop: Backdrop
    calibration: Calibration | None = None
    strange: tuple[Backdrop, ...] = ()

    @classmethod
    def begun(cls, tops: Tops, backdrop: Backdrop, calibration: Calibration | None = None) -> CameraMemory:
        """A new memory from one throw and its surroundings."""
        return cls((tops,) if tops.normals and calibration is None else (), backdrop, calibration)

    def and_then(self, last: CameraMemory) -> CameraMemory:
        """The memory after another throw, seen from the same place. Surroundings without enough edges are not kept."""
        backdrop = last.backdrop if last.backdrop.tells else self.backdrop
        return CameraMemory((*self.throws, *last.throws)[-THROWS_KEPT:], backdrop, self.calibration)

    def unsure(self, tops: Tops, now: Backdrop) -> CameraMemory:
        """The memory after a throw that is `CameraStand.UNSURE`."""
        return self if self._near(tops) else replace(self, strange=self._strange_with(now))

    @property
    def up(self) -> TableNormal | None:
        """The learnt "up", worth as much as a calibration; None while too few dice agree."""
        agreed = _agreed([one for tops in self.throws for one in tops.normals])
        if len(agreed) < RELIED_ON_DICE or len(self.throws) < RELIED_ON_THROWS:
            return None
        return TableNormal(
            unit(np.mean(agreed, axis=0)), math.hypot(POSE_SPREAD / math.sqrt(len(agreed)), _ROUGH), CALIBRATED
        )

    def standing(self, tops: Tops, now: Backdrop) -> CameraStand:
        """The camera's place, by the upper faces of a throw and the surroundings of its dice.

        Dice that agree outweigh the surroundings. Dice that contradict a calibrated camera mean a move only if the
        surroundings changed, too: the calibration may be wrong.
        """
        others = self.backdrop.stand(now) is False
        known, agreed = self._known, _agreed(tops.normals)
        if known is None:
            return CameraStand.ELSEWHERE if others else CameraStand.SAME
        if agreed:
            turned = _angle(unit(np.mean(agreed, axis=0)), known) > TOPS_TURNED
            return CameraStand.ELSEWHERE if turned and (others or self.calibration is None) else CameraStand.SAME
        if not others:
            return CameraStand.SAME
        gone = not self._near(tops) and len(self._strange_with(now)) >= STRANGE_THROWS
        return CameraStand.ELSEWHERE if gone else CameraStand.UNSURE

    @property
    def _known(self) -> Array | None:
        if self.calibration is not None:
            return np.array(self.calibration.up)
        return None if self.up is None else self.up.direction

    def _near(self, tops: Tops) -> tuple[Array, ...]:
        """The upper faces of a throw that fit the known "up"."""
        known = self._known
        return () if known is None else tuple(one for one in tops.normals if _angle(one, known) <= TOP_CONFIRMS)

    def _strange_with(self, now: Backdrop) -> tuple[Backdrop, ...]:
        alike = all(one.stand(now) for one in self.strange)
        return (*self.strange, now) if alike else (now,)

    def reliable_up(self, tops: Tops, now: Backdrop) -> TableNormal | None:
        """The remembered "up" for a picture, if something confirms it and nothing contradicts it; else None.

        It is confirmed by the same surroundings, or by dice whose upper faces fit.
        """
        known = self.up
        if known is None or self.standing(tops, now) is not CameraStand.SAME:
            return None
        near = self._near(tops)
        confirmed = self.backdrop.stand(now) or near
        return known if confirmed and 2 * len(near) >= len(tops.normals) else None

    def makes_strange(self, normal: Array, now: Backdrop) -> bool:
        """Whether a lone die with this upper face leans, or shows a neighbouring face, given the same surroundings."""
        known = self.up
        return known is not None and bool(self.backdrop.stand(now)) and _angle(normal, known.direction) > TOP_STRANGE


def _agreed(normals: Sequence[Array]) -> tuple[Array, ...]:
    if len(normals) < TOPS_TOGETHER:
        return ()
    middle = unit(np.median(np.array(normals), axis=0))
    near = tuple(one for one in normals if _angle(one, middle) <= TOPS_AGREE)
    return near if len(near) >= max(TOPS_TOGETHER, TOPS_SHARE * len(normals)) else ()


def _angle(one: Array, other: Array) -> float:
    return math.acos(float(np.clip(one @ other, -1, 1)))
