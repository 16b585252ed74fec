"""Dice that the picture's edge cuts off: how many are asked about, where the others get lost, and what else is.

`python -m tests.bench.vision_edges [--fonts FOLDER] [--scenes N] [--seed N]` prints the table.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, DieState
from vision.pose.geometry import Camera, Pose, cube, icosahedron, see, tilted
from vision.read.reader import PictureReader, Seen, load_reader
from vision.training.__main__ import fonts_for
from vision.training.glyphs import Fonts
from vision.training.paint import Light, Paint, light_at_random, look_at_random, paint_die
from vision.training.samples import litter, surface
from vision.training.scenes import LyingDie, finish, lay, tray
from vision.training.throws import FULL_TURN, die_of, readable_look, resting

FIRST_SEED = 1_100_000
SIZE = (1280, 720)
KINDS = (DieKind.D20, DieKind.D20, DieKind.CHALLENGE, DieKind.D6)
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5)
"""The table's columns begin at these shares of a die beyond the edge; 0.55 is the most."""
_MOST = 0.55


@dataclass(frozen=True)
class CutDie:
    """One die that the edge cuts off: its kind, its pose, and the share of its outline beyond the picture (0..1)."""

    kind: DieKind
    pose: Pose
    share: float


def cut_dice(seed: int, fonts: Fonts) -> tuple[NDArray[np.uint8], tuple[CutDie, ...]]:
    """A tray with two dice cut off by different sides of the picture, and two whole ones in one picture of two."""
    rng = np.random.default_rng(seed)
    camera = Camera(*SIZE)
    picture = tray(rng, SIZE) if rng.random() < 0.6 else surface(rng, SIZE[1], SIZE[0])
    light = light_at_random(rng)
    up = tilted(*np.sin(np.radians(rng.normal(0, 3.0, 2))))
    radius = float(rng.uniform(28, 75))
    if rng.random() < 0.5:
        for one in lay(rng, (DieKind.D20, DieKind.CHALLENGE), camera, up=up, radius=radius, fonts=fonts):
            x, y = one.pose.centre
            if 2.6 * radius < x < SIZE[0] - 2.6 * radius and 2.6 * radius < y < SIZE[1] - 2.6 * radius:
                _paint(picture, one, camera, light)
    cut = []
    for side in rng.permutation(4)[:2].tolist():
        kind = KINDS[int(rng.integers(len(KINDS)))]
        wanted = float(rng.uniform(SHARES[0], _MOST))
        die = die_of(rng, fonts, kind)
        look = next(look for look in iter(lambda: look_at_random(rng), None) if readable_look(look))
        spin = float(rng.uniform(0, FULL_TURN))
        along = float(rng.uniform(1.5 * radius, SIZE[side % 2] - 1.5 * radius))
        steps = (
            resting(die, _by_the_side(side, along, depth * radius), radius, up, spin)
            for depth in np.linspace(0.95, -0.2, 47).tolist()
        )
        pose = next((one for one in steps if _beyond(die.solid.name, one, camera) >= wanted), None)
        if pose is None:
            continue
        _paint(picture, LyingDie(die, pose, look), camera, light)
        cut.append(CutDie(kind, pose, _beyond(die.solid.name, pose, camera)))
    return finish(picture, rng), tuple(cut)


def _by_the_side(side: int, along: float, depth: float) -> tuple[float, float]:
    """A place `along` one of the four sides (top, left, bottom, right), `depth` pixels inside."""
    far = SIZE[1 - side % 2] - depth if side > 1 else depth
    return (along, far) if side % 2 == 0 else (far, along)


def _paint(picture: Paint, one: LyingDie, camera: Camera, light: Light) -> None:
    paint_die(picture, one.die.solid, one.pose, camera, letters=one.die.letters, look=one.look, light=light)


def _beyond(solid: str, pose: Pose, camera: Camera) -> float:
    """The share of a die's outline that lies beyond the picture."""
    outline = see(icosahedron() if solid == "d20" else cube(), pose, camera).outline().astype(np.float32)
    frame = np.array([(0, 0), (camera.width, 0), (camera.width, camera.height), (0, camera.height)], np.float32)
    inside, _ = cv2.intersectConvexConvex(outline, frame)
    return 1 - float(inside) / cv2.contourArea(outline)


def edge_without_dice(seed: int) -> NDArray[np.uint8]:
    """A table without any die, but with litter, a wall and shadows, all cut off by the picture's edge."""
    rng = np.random.default_rng(seed)
    width, height = SIZE
    picture = tray(rng, SIZE) if rng.random() < 0.4 else surface(rng, height, width)
    if rng.random() < 0.3:
        _wall(picture, rng)
    for _ in range(4):
        radius = float(rng.uniform(25, 110))
        side = int(rng.integers(4))
        along = float(rng.uniform(radius, SIZE[side % 2] - radius))
        x, y = _by_the_side(side, along, float(rng.uniform(-0.6, 0.8)) * radius)
        if rng.random() < 0.35:
            _shadow(picture, rng, (x, y), radius)
            continue
        reach = round(2.5 * radius)
        wide = np.asarray(cv2.copyMakeBorder(picture, reach, reach, reach, reach, cv2.BORDER_REPLICATE), np.float32)
        left, top = round(x), round(y)
        litter(wide[top : top + 2 * reach, left : left + 2 * reach], rng, radius)
        picture[:] = wide[reach:-reach, reach:-reach]
    return finish(picture, rng)


def _wall(picture: Paint, rng: np.random.Generator) -> None:
    """The dice tray's wall along one side."""
    height, width = picture.shape[:2]
    thick = int(rng.integers(10, 120))
    part = [picture[:thick], picture[:, :thick], picture[height - thick :], picture[:, width - thick :]]
    part[int(rng.integers(4))][:] = rng.uniform(0, 255, 3).astype(np.float32)


def _shadow(picture: Paint, rng: np.random.Generator, centre: tuple[float, float], radius: float) -> None:
    dark = np.zeros(picture.shape[:2], np.float32)
    corners = np.array(centre) + rng.normal(0, radius, (int(rng.integers(4, 8)), 2))
    hull = cv2.convexHull(np.round(corners).astype(np.int32))
    cv2.fillConvexPoly(dark, hull, float(rng.uniform(0.2, 0.6)))
    soft = np.asarray(cv2.GaussianBlur(dark, (0, 0), radius * float(rng.uniform(0.03, 0.2))), np.float32)
    picture *= 1 - soft[..., None]


def fate(seen: Seen, one: CutDie) -> str:
    """The fate of a die: `read`, `asked`, or the step at which it was lost."""

    def here(pose: Pose) -> bool:
        return math.dist(pose.centre, one.pose.centre) < 0.75 * one.pose.radius

    states = [die.reading.state for die in seen.found if here(die.pose)]
    if states:
        return "read" if DieState.READ in states else "asked"
    considered = seen.considered
    if any(here(place.pose) for place in considered.places):
        return "doubted away"
    if any(here(other.pose) for other in considered.others):
        return "another kind"
    if any(math.dist(spot.centre, one.pose.centre) < 0.75 * one.pose.radius for spot in considered.proposals):
        return "no die at a closer look"
    return "not looked at"


FATES = ("asked", "read", "doubted away", "another kind", "no die at a closer look", "not looked at")


def report(reader: PictureReader, fonts: Fonts, seed: int, scenes: int) -> Iterator[str]:
    """The table of fates by share beyond the edge and kind, then what is told of pictures without a die."""
    told: Counter[tuple[str, str]] = Counter()
    for number in range(seed, seed + scenes):
        picture, dice = cut_dice(number, fonts)
        seen = reader.look(picture)
        for one in dice:
            column = fate(seen, one)
            low = max(share for share in SHARES if share <= one.share + 1e-9)
            for row in (f"{low:.0%} or more beyond", one.kind.value, "all"):
                told[row, column] += 1
    yield "| cut off | dice | " + " | ".join(FATES) + " |"
    yield "|---|" + "---|" * (1 + len(FATES))
    for row in (*(f"{share:.0%} or more beyond" for share in SHARES), *dict.fromkeys(KINDS), "all"):
        counts = [told[str(row), column] for column in FATES]
        yield f"| {row} | {sum(counts)} | " + " | ".join(map(str, counts)) + " |"
    states = Counter(
        die.reading.state.value
        for number in range(seed, seed + scenes)
        for die in reader.look(edge_without_dice(number)).found
    )
    yield f"\n{scenes} pictures without dice: {dict(states) or 'nothing told'}"


def main() -> int:
    """Print the table; 0 always: marks are for people to judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_edges", description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="a folder of fonts; may be repeated")
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the first picture")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = Fonts(fonts_for(chosen.fonts, kept_back=True))
    for line in report(load_reader(), fonts, chosen.seed, chosen.scenes):
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
