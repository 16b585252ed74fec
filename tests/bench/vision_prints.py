"""Flat things with faces of dice: how many of them are taken for dice, and how the dice beside them are read.

`python -m tests.bench.vision_prints [--fonts FOLDER] [--scenes N] [--seed N]` prints the table. Print, paper and tiles
are drawn flat and seen askew as a whole, by other means than the `plates` that teach the network.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, DieState
from vision.pose.geometry import STRAIGHT_UP, Array, Camera, tilted
from vision.pose.refinement import turned_by
from vision.read.reader import PictureReader, load_reader
from vision.training.__main__ import fonts_for
from vision.training.emblems import emblem
from vision.training.glyphs import Fonts, Hand, Mask, numeral, pips
from vision.training.paint import Paint, light_at_random
from vision.training.scenes import LyingDie, finish, lay, paint, tray

FIRST_SEED = 5_000_000
SIZE = (1280, 720)
SHOWS = ("blank", "pips", "numeral", "one or two", "emblem")
_COUNTS = (1, 2, 3, 4, 5, 6, 8, 10, 12)
_CELL = 128
_RIM = 8


@dataclass(frozen=True)
class FlatThing:
    """What it shows, and where its middle lies in the picture."""

    shows: str
    spot: tuple[float, float]


@dataclass(frozen=True, eq=False)
class FlatScene:
    """A picture, its flat things with the side of their squares in pixels, and the dice that lie among them."""

    picture: NDArray[np.uint8]
    things: tuple[FlatThing, ...]
    side: float
    dice: tuple[LyingDie, ...]


def flat_scene(seed: int, fonts: Fonts) -> FlatScene:
    """One to twelve flat things on a tray under a camera askew by some 4 degrees; beside half of them dice."""
    rng = np.random.default_rng(seed)
    camera = Camera(*SIZE)
    ground = np.asarray(tray(rng, SIZE), np.float32).copy()
    side = float(rng.uniform(36, 120))
    spots: list[Array] = []
    for spot in rng.uniform((80, 80), (1200, 640), (400, 2)):
        if all(math.dist(spot, other) > 1.6 * side for other in spots):
            spots.append(spot)
    kept = spots[: int(rng.choice(_COUNTS))]
    shows = _lay_out(ground, kept, side, rng, fonts)
    slant = np.radians(rng.normal(0, 3, 2))
    turn = turned_by(np.array([slant[0], slant[1], 0.0]))
    focal = SIZE[0] / 2 / math.tan(math.radians(camera.hfov) / 2)
    lens = np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1]])
    into = lens @ turn @ np.linalg.inv(lens)
    picture = np.asarray(cv2.warpPerspective(ground, into, SIZE, borderMode=cv2.BORDER_REPLICATE), np.float32)
    seen = cv2.perspectiveTransform(np.array([kept]), into)[0]
    things = tuple(FlatThing(one, (float(x), float(y))) for one, (x, y) in zip(shows, seen, strict=True))
    up = turn @ np.array(STRAIGHT_UP)
    laid: tuple[LyingDie, ...] = ()
    if rng.random() < 0.5:
        kinds = [DieKind.D20] * int(rng.integers(0, 4)) + [DieKind.CHALLENGE] * int(rng.integers(0, 3))
        laid = lay(rng, kinds, camera, up=tilted(float(up[0]), float(up[1])), radius=0.75 * side, fonts=fonts)
    beside = [one for one in laid if all(math.dist(one.pose.centre, thing.spot) > 1.5 * side for thing in things)]
    light = light_at_random(rng)
    for one in beside:
        paint(picture, one, camera, light)
    return FlatScene(finish(picture, rng), things, side, tuple(beside))


def _lay_out(ground: Paint, spots: list[Array], side: float, rng: np.random.Generator, fonts: Fonts) -> list[str]:
    """Draw the things, alike or not, in ranks or not, with shadows, frames and bright edges or none."""
    alike, ranks, shadows, frames, bevels = rng.random(5) < (0.6, 0.4, 0.4, 0.5, 0.4)
    spin = float(rng.uniform(0, math.pi / 2))
    one_sort = str(rng.choice([*SHOWS, "mixed"]))
    hand = Hand.chosen(rng, fonts, cube=True)
    body, ink = _colours(rng)
    shows = []
    for spot in spots:
        if not alike:
            body, ink = _colours(rng)
        sort = one_sort if one_sort != "mixed" else str(rng.choice(SHOWS))
        card = _card(rng, body, ink, _sign(sort, rng, fonts, hand))
        if frames:
            rim = cv2.morphologyEx(card[..., 3], cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8))
            card[..., :3] = np.where(rim[..., None] > 0, ink, card[..., :3])
        if bevels:
            card[_RIM : 2 * _RIM, :, :3] *= 1.15
            card[-2 * _RIM : -_RIM, :, :3] *= 0.8
        angle = spin if ranks else float(rng.uniform(0, math.pi / 2))
        about = cv2.getRotationMatrix2D((_CELL / 2, _CELL / 2), math.degrees(angle), side / (_CELL - 2 * _RIM))
        into = np.asarray(about, np.float64)
        into[:, 2] += spot - _CELL / 2
        if shadows:
            beside = into.copy()
            beside[:, 2] += rng.uniform(-1, 1, 2) * side * 0.06
            dark = cv2.GaussianBlur(cv2.warpAffine(card[..., 3], beside, SIZE), (0, 0), 3)
            np.multiply(ground, 1 - 0.4 * dark[..., None], out=ground)
        laid = np.asarray(cv2.warpAffine(card, into, SIZE, flags=cv2.INTER_LINEAR), np.float32)
        np.add(ground, (laid[..., :3] - ground) * laid[..., 3:], out=ground)
        shows.append(sort)
    return shows


def _colours(rng: np.random.Generator) -> tuple[Array, Array]:
    body = rng.uniform(20, 245, 3)
    return body, (body + rng.uniform(90, 180)) % 256


def _card(rng: np.random.Generator, body: Array, ink: Array, sign: Mask | None) -> Paint:
    """A square with sharp or round corners in colour and coverage (four planes)."""
    card = np.zeros((_CELL, _CELL, 4), np.float32)
    card[..., :3] = body
    corner = int(rng.choice([0, 0, 8, 16, 24]))
    cover = np.zeros((_CELL, _CELL), np.uint8)
    cv2.rectangle(cover, (_RIM + corner, _RIM + corner), (_CELL - _RIM - 1 - corner,) * 2, 255, -1)
    if corner:
        cover = np.asarray(cv2.dilate(cover, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * corner + 1,) * 2)))
    card[..., 3] = cover / 255
    if sign is not None:
        share = cv2.resize(np.asarray(sign, np.float32) / 255, (_CELL, _CELL))[..., None]
        card[..., :3] += (ink - card[..., :3]) * share
    return card


def _sign(sort: str, rng: np.random.Generator, fonts: Fonts, hand: Hand) -> Mask | None:
    number = int(rng.integers(1, 3 if sort == "one or two" else 7))
    if sort == "blank":
        return None
    if sort == "pips":
        return pips(hand, number)
    return emblem(hand) if sort == "emblem" else numeral(fonts, hand, number, marked=False)


def counted(reader: PictureReader, scenes: Iterator[FlatScene]) -> dict[str, Counter[str]]:
    """How many of the things (by what they show) and of the dice among them were asked about, and how many read."""
    result: dict[str, Counter[str]] = {shows: Counter() for shows in (*SHOWS, "dice among them")}
    for scene in scenes:
        seen = reader.look(scene.picture).found
        lie = [(one.shows, one.spot, 0.7 * scene.side) for one in scene.things]
        lie += [("dice among them", one.pose.centre, 0.5 * one.pose.radius) for one in scene.dice]
        for sort, spot, near in lie:
            there = [one for one in seen if math.dist(one.pose.centre, spot) < near]
            states = {one.reading.state for one in there}
            result[sort]["all"] += 1
            result[sort]["read"] += DieState.READ in states
            result[sort]["asked about"] += bool(states) and DieState.READ not in states
    return result


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_prints", description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="folders of fonts given to teaching")
    parser.add_argument("--scenes", type=int, default=150)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = Fonts(fonts_for(chosen.fonts, kept_back=True))
    scenes = (flat_scene(chosen.seed + number, fonts) for number in range(chosen.scenes))
    lines = ["| flat things that show | lie there | asked about | read |", "|---|---|---|---|"]
    for sort, counts in counted(load_reader(), scenes).items():
        lines.append(f"| {sort} | {counts['all']} | {counts['asked about']} | {counts['read']} |")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
