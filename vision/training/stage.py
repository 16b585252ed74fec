"""A simulated tray for the demo: dice are thrown, tumble for a moment, and lie still."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, lying, tilted
from vision.training.glyphs import Fonts
from vision.training.paint import Light, Paint, light_at_random
from vision.training.scenes import LyingDie, TrueDie, lay, paint, softened, tray

TUMBLE_SECONDS: Final = 0.6
"""How long dice move after a throw."""
_RADIUS: Final = 50.0
"""Pixels of a die's radius in a picture 1280 pixels wide."""
_NOISE: Final = 1.5
"""Standard deviation of a pixel's noise, in levels."""
_SHIFTS: Final = 64
"""The largest shift of the grain from picture to picture, in pixels each way."""


class Stage:
    """A rendered tray under a camera that looks straight down (60 degrees wide). Safe to share between threads.

    Everything follows from `seed`, the throws, and `clock` (seconds, never going back).
    """

    def __init__(
        self, seed: int, size: tuple[int, int] = (1280, 720), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rng = np.random.default_rng(seed)
        self._noise = np.random.default_rng(seed + 1)
        self._grain = _grain(self._noise, size)
        self._clock = clock
        self._camera = Camera(*size)
        self._fonts = Fonts()
        self._lock = Lock()
        self._radius = _RADIUS * min(1.0, size[0] / 1280)
        self._empty = tray(self._rng, size)
        light = light_at_random(self._rng)
        self._light = Light(light.towards, max(light.ambient, 0.6), min(light.shadow, 0.4))
        self._colour = self._empty.mean(axis=(0, 1)).astype(np.float64)
        self._dice: tuple[LyingDie, ...] = ()
        self._thrown = -math.inf
        self._still: Paint = softened(self._empty)
        """The dice at rest, as seen through the lens."""
        self._truth: tuple[TrueDie, ...] = ()

    def throw(self, kinds: Sequence[DieKind], *, leaning: bool = False) -> None:
        """Remove all dice and throw one new die of each of `kinds`; they lie still `TUMBLE_SECONDS` later.

        Where one is `leaning`, the first does not come to lie flat; its truth is the face that it would have shown.
        """
        with self._lock:
            up = np.array(STRAIGHT_UP)
            self._dice = lay(
                self._rng,
                kinds,
                self._camera,
                up=up,
                radius=self._radius,
                fonts=self._fonts,
                plain_on=self._colour,
            )
            if leaning and self._dice:
                first, *others = self._dice
                self._dice = (_on_end(first), *others)
            self._thrown = self._clock()
            painted = self._empty.copy()
            self._truth = tuple(paint(painted, one, self._camera, self._light) for one in self._dice)
            self._still = softened(painted)

    def clear(self) -> None:
        """Take all dice away."""
        with self._lock:
            self._dice, self._truth, self._still, self._thrown = (), (), softened(self._empty), -math.inf

    def truth(self) -> tuple[TrueDie, ...]:
        """What lies (or is about to lie) on the tray."""
        with self._lock:
            return self._truth

    def frame(self) -> NDArray[np.uint8]:
        """The camera's present picture, BGR; with a camera's noise, so that no two are quite the same."""
        with self._lock:
            left = 1 - (self._clock() - self._thrown) / TUMBLE_SECONDS
            soft = self._still if left <= 0 else softened(self._tumbling(min(1.0, left)))
            down, right = self._noise.integers(_SHIFTS, size=2)
            height, width = soft.shape[:2]
            grain = self._grain[down : down + height, right : right + width]
            return np.asarray(cv2.add(soft, grain, dtype=cv2.CV_8U), dtype=np.uint8)

    def _tumbling(self, left: float) -> Paint:
        """The dice under way, `left` of the tumble (1 to 0) before they lie: off their places, turned and smeared."""
        picture = self._empty.copy()
        for number, one in enumerate(self._dice):
            angle = 2.4 * number
            far = left * self._radius * 5
            x, y = one.pose.centre
            centre = (x + math.cos(angle) * far, y + math.sin(angle) * far)
            rolled = tilted(0.6 * left * math.sin(11 * left + number), 0.6 * left * math.cos(9 * left + number))
            pose = Pose(centre, one.pose.radius, lying(rolled, 6 * left + number))
            paint(picture, LyingDie(one.die, pose, one.look), self._camera, self._light)
        smear = 1 + 2 * round(8 * left)
        return np.asarray(cv2.blur(picture, (smear, smear)), dtype=np.float32)


def _on_end(one: LyingDie) -> LyingDie:
    """The die turned towards its highest corner, so that no face is up: a d20 wholly, a cube half, or it is no die."""
    up, corners = np.array(STRAIGHT_UP), one.die.solid.vertices @ one.pose.rotation.T
    corner = max(corners, key=lambda each: float(each @ up))
    corner /= np.linalg.norm(corner)
    axis = np.cross(corner, up)
    angle = math.acos(float(corner @ up)) * (1.0 if one.die.kind is DieKind.D20 else 0.5)
    turned = cv2.Rodrigues(axis / np.linalg.norm(axis) * angle)[0] @ one.pose.rotation
    return replace(one, pose=replace(one.pose, rotation=turned))


def _grain(rng: np.random.Generator, size: tuple[int, int]) -> NDArray[np.int8]:
    """Noise for every picture, a little larger than one: to draw it anew takes longer than all else at rest."""
    width, height = size
    grain = np.empty((height + _SHIFTS, width + _SHIFTS, 3), np.int8)
    for row in grain:
        row[:] = np.rint(rng.standard_normal(row.shape, dtype=np.float32) * _NOISE)
    return grain
