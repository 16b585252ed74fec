"""Whole small pictures of trays with the places of their dice: what the network that finds dice is taught with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind
from vision.pose.geometry import Array, Camera, Pose, tilted
from vision.pose.refinement import turned_by
from vision.training.glyphs import Fonts
from vision.training.paint import Light, Look, Paint, light_at_random, look_at_random, odd_look, paint_die
from vision.training.samples import litter, spoil, surface
from vision.training.throws import FULL_TURN, cube_die, d20, other_die, resting
from vision.training.weather import patterned, shine, weathered

PAINTED: tuple[int, int] = (512, 288)
"""Width and height at which trays are painted."""
TAUGHT: tuple[int, int] = (384, 216)
"""Width and height at which they are shown to the network."""
MOST: int = 16
"""The most dice in one picture."""

_PRINTED: Final = 0.33
"""The share of surfaces with something printed on them, and of these with more on top of it."""
_LIKE_THE_TABLE: Final = 0.12
"""The share of dice that hardly differ from what they lie on."""

_WHOLE: Final = 0.5
"""The share of windows that are as wide as the picture they are cut from."""
_SCALES: Final = (0.55, 1.5)
"""By how much a picture is shrunk or enlarged, at most, before a narrower window is cut from it."""

Places = NDArray[np.float32]
"""A row for each die: x, y and circumradius in pixels of the picture shown; rows of zeros fill up to `MOST`."""


@dataclass(frozen=True)
class WholeTray:
    """A path-traced picture (BGR, larger than `TAUGHT`), and x, y and circumradius of its dice in its pixels."""

    picture: NDArray[np.uint8]
    places: NDArray[np.float32]


def trays_in(folder: Path) -> list[WholeTray]:
    """The trays of a folder that `tests/bench/ray_traced/spot_trays.py` filled."""
    trays = []
    for file in sorted(folder.glob("*.npz")):
        with np.load(file) as arrays:
            trays.append(WholeTray(arrays["picture"], arrays["places"]))
    return trays


def windows_of(trays: Sequence[WholeTray], rng: np.random.Generator) -> tuple[NDArray[np.uint8], Places]:
    """A part of each tray's picture, of the size `TAUGHT`, and the places of the dice whose middles lie in it.

    Half of them are as wide as the picture, as at a first look; the others are larger or smaller, as at a closer one.
    """
    pictures = np.zeros((len(trays), TAUGHT[1], TAUGHT[0], 3), np.uint8)
    places = np.zeros((len(trays), max((len(tray.places) for tray in trays), default=0), 3), np.float32)
    for number, tray in enumerate(trays):
        least, most = (math.log(one) for one in _SCALES)
        as_wide = TAUGHT[0] / tray.picture.shape[1]
        scale = as_wide if rng.random() < _WHOLE else math.exp(float(rng.uniform(least, most)))
        pictures[number], corner = _window(tray.picture, scale, rng)
        dice = tray.places * scale - np.array([*corner, 0], np.float32)
        inside = dice[((dice[:, :2] >= 0) & (dice[:, :2] < np.array(TAUGHT))).all(axis=1)]
        places[number, : len(inside)] = inside
    return pictures, places


def _window(
    picture: NDArray[np.uint8], scale: float, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], tuple[int, int]]:
    """A part of the scaled picture, its rim drawn outwards where it is too small, and where the part's corner lies."""
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    scaled = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way)
    left, above = (
        int(rng.integers(min(0, room), max(0, room) + 1))
        for room in (scaled.shape[1] - TAUGHT[0], scaled.shape[0] - TAUGHT[1])
    )
    shown = scaled[max(0, above) : above + TAUGHT[1], max(0, left) : left + TAUGHT[0]]
    over, before = max(0, -above), max(0, -left)
    under, behind = TAUGHT[1] - over - shown.shape[0], TAUGHT[0] - before - shown.shape[1]
    window = cv2.copyMakeBorder(shown, over, under, before, behind, cv2.BORDER_REPLICATE)
    return np.asarray(window, np.uint8), (left, above)


def make_trays(seed: int, count: int, fonts: Fonts) -> tuple[NDArray[np.uint8], Places]:
    """`count` pictures (count, height, width, 3) in BGR and the places of the dice in them."""
    rng = np.random.default_rng(seed)
    pictures = np.zeros((count, TAUGHT[1], TAUGHT[0], 3), np.uint8)
    places = np.zeros((count, MOST, 3), np.float32)
    for number in range(count):
        pictures[number], found = _tray(rng, fonts)
        places[number, : len(found)] = np.array(found, np.float32).reshape(-1, 3)
    return pictures, places


def _tray(rng: np.random.Generator, fonts: Fonts) -> tuple[NDArray[np.uint8], list[tuple[float, float, float]]]:
    width, height = PAINTED
    picture = surface(rng, height, width)
    while rng.random() < _PRINTED:
        patterned(picture, rng)
    if rng.random() < 0.35:
        _walls(picture, rng)
    camera = Camera(width, height, float(rng.uniform(45, 70)))
    light = light_at_random(rng)
    light = Light(light.towards, light.ambient, float(rng.uniform(0, 0.85)))
    up = tilted(*np.clip(np.sin(np.radians(rng.normal(0, 5.0, 2))), -0.6, 0.6))
    radius = math.exp(float(rng.uniform(math.log(8.5), math.log(52 if rng.random() < 0.9 else 85))))
    for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.5 else 0):
        reach = round(radius * float(rng.uniform(1.2, 3)))
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        litter(picture[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach], rng, reach * 0.6)
    wanted = int(rng.integers(0, MOST + 1)) if rng.random() < 0.7 else int(rng.integers(0, 3))
    spots: list[tuple[float, float, float]] = []
    for _ in range(wanted):
        size = radius * math.exp(float(rng.normal(0, 0.12)))
        spot = _free(rng, spots, size, size if rng.random() < 0.95 else 0.0)
        if spot is None:
            continue
        kind = rng.random()
        if kind < 0.42:
            die = d20(rng, fonts)
        elif kind < 0.87:
            die = cube_die(rng, fonts, DieKind.CHALLENGE if rng.random() < 0.6 else DieKind.D6)
        else:
            die = other_die(rng, fonts)
        pose = resting(die, spot, size, up, float(rng.uniform(0, FULL_TURN)))
        if rng.random() < 0.1:
            axis = np.array([rng.normal(), rng.normal(), 0.0])
            pose = Pose(spot, size, turned_by(axis * 0.3) @ pose.rotation)
        letters = weathered(die.letters, rng)
        table = picture[round(spot[1]) % height, round(spot[0]) % width].astype(np.float64)
        view = paint_die(picture, die.solid, pose, camera, letters=letters, look=_look(rng, table), light=light)
        shine(picture, view, size, rng)
        spots.append((*spot, size))
    shown = cv2.resize(spoil(picture, rng), TAUGHT, interpolation=cv2.INTER_AREA)
    scale = TAUGHT[0] / width
    return np.asarray(shown, dtype=np.uint8), [(x * scale, y * scale, size * scale) for x, y, size in spots]


def _look(rng: np.random.Generator, table: Array) -> Look:
    """Any material; now and then of nearly the colour of the table beneath."""
    look = odd_look(look_at_random(rng), rng)
    if rng.random() < _LIKE_THE_TABLE:
        blue, green, red = (float(v) for v in np.clip(table + rng.normal(0, 22, 3), 2, 250))
        look = replace(look, body=(blue, green, red))
    return look


def _free(
    rng: np.random.Generator, taken: list[tuple[float, float, float]], size: float, margin: float
) -> tuple[float, float] | None:
    """A place for a die: anywhere, or beside another one; None when ten tries found none."""
    width, height = PAINTED
    beside = bool(taken) and rng.random() < 0.45
    for _ in range(10):
        if beside:
            x, y, other = taken[int(rng.integers(len(taken)))]
            angle, far = float(rng.uniform(0, FULL_TURN)), (size + other) * float(rng.uniform(0.84, 1.1))
            spot = (x + math.cos(angle) * far, y + math.sin(angle) * far)
        else:
            spot = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
        inside = margin <= spot[0] <= width - margin and margin <= spot[1] <= height - margin
        if inside and all(math.dist(spot, one[:2]) > 0.84 * (size + one[2]) for one in taken):
            return spot
    return None


def _walls(picture: Paint, rng: np.random.Generator) -> None:
    """A dice tray's wall, or the table around it, in place."""
    height, width = picture.shape[:2]
    colour = tuple(float(value) for value in rng.uniform(0, 255, 3))
    low = (int(rng.integers(-20, width // 5)), int(rng.integers(-20, height // 5)))
    high = (int(rng.integers(width * 4 // 5, width + 20)), int(rng.integers(height * 4 // 5, height + 20)))
    if rng.random() < 0.6:
        outside = np.ones((height, width), np.uint8)
        cv2.rectangle(outside, low, high, 0, -1)
        picture[outside > 0] = np.array(colour, np.float32)
    cv2.rectangle(picture, low, high, colour, int(rng.integers(1, 14)), cv2.LINE_AA)
