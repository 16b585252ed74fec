"""Patches of d20s that lie on path-traced sheets, cut anew each time: never twice in quite the same pose.

`tests/bench/ray_traced/number_sheets.py` renders the sheets. A patch costs a tenth of a millisecond here, and a sheet
of fifty dice half a minute of a core once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import Array, Camera, Pose, icosahedron, see
from vision.pose.refinement import turned_by
from vision.training.number_samples import NO_NUMBER

_LEAST: Final = 0.4
"""A face is cut out if it faces the camera by more than this (the cosine of the angle), as the reader does."""
_BESIDE: Final = 0.16
"""The share of the poses that are spun between two right ones: what they cut out shows no whole number."""
_SPREAD: Final = 0.05
"""How far, in radians, a pose is turned off the right one, as the reader may have got it (one deviation)."""
_NOISES: Final = (0.0, 0.0, 0.0, 2.0, 4.0)
"""How deep the noise is that is added to a patch, in grey levels."""
_SOFTER: Final = 0.12
"""The share of patches that are blurred."""
_MIXED: Final = 16
"""How many batches are cut at once and mixed: the patches of a die are much alike."""
_MOVE: Final = 0.03
"""How far, in radii, it is moved, and how much it is scaled."""


@dataclass(frozen=True)
class NumberSheet:
    """Pictures of one sheet by several sensors (count, height, width; grey), and the d20s that lie there.

    `middles` are in pixels, `turns` rotations from a die's frame to the camera's, as in `vision.pose.geometry`.
    `classes` says what each face shows: three times the number less one, and the corner its top points to; -1 for a
    sign. `clear` tells the dice that let light through.
    """

    pictures: NDArray[np.uint8]
    hfov: float
    up: Array
    middles: Array
    radii: Array
    turns: Array
    classes: NDArray[np.int64]
    clear: NDArray[np.bool_]


def written(sheet: NumberSheet, file: Path) -> None:
    """Write the sheet; the file is whole once it has its name."""
    unfinished = file.with_suffix(".part")
    with unfinished.open("wb") as opened:
        np.savez_compressed(
            opened,
            pictures=sheet.pictures,
            hfov=sheet.hfov,
            up=sheet.up,
            middles=sheet.middles,
            radii=sheet.radii,
            turns=sheet.turns,
            classes=sheet.classes,
            clear=sheet.clear,
        )
    unfinished.rename(file)


def load_sheet(file: Path) -> NumberSheet:
    """The sheet that `written` wrote."""
    with np.load(file) as kept:
        named = {one.name: kept[one.name] for one in fields(NumberSheet)}
    return NumberSheet(**named | {"hfov": float(named["hfov"])})


def sheets_of(folder: Path) -> list[NumberSheet]:
    """All sheets of a folder."""
    return [load_sheet(file) for file in sorted(folder.glob("*.npz"))]


class CutAnew:
    """Draws patches of the sheets' dice, and what each shows (a class of `numbers`)."""

    def __init__(self, sheets: Sequence[NumberSheet], seed: int) -> None:
        self._sheets = sheets
        self._rng = np.random.default_rng(seed)
        self._dice = [(sheet, die) for sheet in range(len(sheets)) for die in range(len(sheets[sheet].radii))]
        self._waiting: list[tuple[Grey, int]] = []

    def batch(self, count: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """So many patches, of many dice, and their classes."""
        if len(self._waiting) < count:
            while len(self._waiting) < _MIXED * count:
                self._waiting += self._of_a_die()
            self._rng.shuffle(self._waiting)
        now, self._waiting = self._waiting[:count], self._waiting[count:]
        return np.array([patch for patch, _ in now]), np.array([label for _, label in now], np.int64)

    def _of_a_die(self) -> list[tuple[Grey, int]]:
        rng = self._rng
        number, die = self._dice[int(rng.integers(len(self._dice)))]
        sheet = self._sheets[number]
        picture = sheet.pictures[int(rng.integers(len(sheet.pictures)))]
        beside = rng.random() < _BESIDE
        turn = math.pi / 3 + float(rng.normal(0, 0.25)) if beside else 0.0
        patches = patches_of(sheet, die, picture, jittered(sheet, die, rng, turn))
        if not beside:
            return patches
        return [(patch, NO_NUMBER) for patch, _ in patches[: 1 + int(rng.integers(3))]]


def exposed_anew(patches: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The patches in somewhat other light, some of them with more noise or softer."""
    count = len(patches)
    steep, bright = np.exp(rng.normal(0, 0.15, (count, 1, 1))), rng.normal(0, 10, (count, 1, 1))
    deep = rng.choice(_NOISES, (count, 1, 1))
    noise = rng.standard_normal(patches.shape, dtype=np.float32) * deep
    result: NDArray[np.uint8] = np.clip((patches - 128.0) * steep + 128 + bright + noise, 0, 255).astype(np.uint8)
    for number in np.flatnonzero(rng.random(count) < _SOFTER):
        result[number] = cv2.GaussianBlur(result[number], (0, 0), float(rng.uniform(0.3, 1.0)))
    return result


def jittered(sheet: NumberSheet, die: int, rng: np.random.Generator, turn: float = 0.0) -> Pose:
    """The die's pose as a reader might have got it, a little wrong, spun by `turn` radians more."""
    pose = Pose((float(sheet.middles[die][0]), float(sheet.middles[die][1])), float(sheet.radii[die]), sheet.turns[die])
    right, down, grow = (float(one) for one in rng.normal(0, _MOVE, 3))
    near = pose.moved(right, down, math.exp(grow))
    spun = turned_by(sheet.up * (turn + float(rng.normal(0, _SPREAD))))
    return Pose(near.centre, near.radius, turned_by(rng.normal(0, _SPREAD, 3)) @ spun @ pose.rotation)


def patches_of(sheet: NumberSheet, die: int, picture: Grey, pose: Pose) -> list[tuple[Grey, int]]:
    """The patches of all faces that face the camera, if the die lies so, and what each shows."""
    height, width = picture.shape
    view = see(icosahedron(), pose, Camera(width, height, sheet.hfov))
    classes = np.where(sheet.classes[die] < 0, NO_NUMBER, sheet.classes[die])
    return [(face_patch(picture, view, int(face)), int(classes[face])) for face in np.flatnonzero(view.facing > _LEAST)]
