"""`python -m tests.bench.vision_mishaps`: dice under a glare, and dice that did not come to lie flat, read or not.

Five rendered dice lie on each tray. `glare`: the lamp is mirrored in a part of each upper face, which is white there.
`leaning`: two of the five lean by 15 to 45 degrees, or stand on an edge (a d20 by 20.9, a cube by 45). A leaning die
has no right answer: whatever is `read` is wrong.
Rates come with Wilson's interval at 95 %. `--keep FOLDER` keeps a picture of each die that is read wrongly.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, DieReading, DieState
from tests.bench.leaning import found_at
from tests.bench.vision_charts import likely_share
from vision.pose.geometry import STRAIGHT_UP, Array, Camera, see
from vision.read.reader import load_reader
from vision.training.glyphs import Fonts
from vision.training.paint import Paint, light_at_random
from vision.training.scenes import LyingDie, TrueDie, finish, lay, paint, tray

FIRST_SEED: Final = 6_100_000
KINDS: Final = (DieKind.CHALLENGE, DieKind.D20, DieKind.D6, DieKind.CHALLENGE, DieKind.D20)
LEANING: Final = 2
"""How many of them lean."""
SIZE: Final = (1280, 720)
_GLARE: Final = (0.25, 0.75)
"""The share of an upper face that a glare covers."""
_LEANS: Final = (15.0, 45.0)
"""By how many degrees a die leans."""
_ON_EDGE: Final = {DieKind.D20: 20.9}
"""By how many degrees a die leans that stands on an edge, if not by 45."""


def main() -> int:
    """Print the table; 0 always: rates are for people to judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_mishaps", description=__doc__)
    parser.add_argument("mishap", choices=("glare", "leaning"))
    parser.add_argument("--first", type=int, default=0, help="the first tray")
    parser.add_argument("--trays", type=int, default=60)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    reader = load_reader()
    make = glared if given.mishap == "glare" else leaning
    told: Counter[tuple[str, str]] = Counter()
    for number in range(given.first, given.first + given.trays):
        picture, dice = make(FIRST_SEED + number)
        found = reader.read(picture)
        for true, hurt in dice:
            what = f"{true.kind}{'' if hurt else ', flat'}"
            near = found_at(true, found)
            how = outcome(true, near, leans=hurt and given.mishap == "leaning")
            told[what, "dice"] += 1
            told[what, how] += 1
            if how == "wrong" and given.keep is not None:
                _keep(given.keep, f"{given.mishap}-{number}", picture, true, near[0])
    for line in table(told):
        sys.stdout.write(f"{line}\n")
    return 0


def outcome(true: TrueDie, near: Sequence[DieReading], *, leans: bool) -> str:
    """What came of a die: "missed", "doubtful", "cocked", "right" or "wrong"."""
    if not near:
        return "missed"
    if near[0].state is not DieState.READ:
        return str(near[0].state.value)
    return "wrong" if leans or near[0].face != true.face else "right"


def table(told: Counter[tuple[str, str]]) -> Iterator[str]:
    """The outcomes by kind as lines of Markdown."""
    columns = ("right", "wrong", "doubtful", "cocked", "missed")
    yield f"| dice | number | {' | '.join(columns)} | wrong, 95 % |"
    yield "|---" * (len(columns) + 3) + "|"
    for what in sorted({one for one, _ in told}):
        dice = told[what, "dice"]
        low, high = likely_share(told[what, "wrong"], dice)
        counts = " | ".join(str(told[what, column]) for column in columns)
        yield f"| {what} | {dice} | {counts} | {low:.1%} to {high:.1%} |"


def glared(seed: int) -> tuple[NDArray[np.uint8], list[tuple[TrueDie, bool]]]:
    """A tray with a glare on each die; whether a die has one."""
    rng, picture, camera, dice = _tray(seed)
    light = light_at_random(rng)
    told = [(paint(picture, one, camera, light), True) for one in dice]
    for one in dice:
        _glare(picture, one, camera, rng)
    return finish(picture, rng), told


def leaning(seed: int) -> tuple[NDArray[np.uint8], list[tuple[TrueDie, bool]]]:
    """A tray of which the first two dice lean; whether a die does."""
    rng, picture, camera, dice = _tray(seed)
    light = light_at_random(rng)
    lie = [(_tipped(one, rng), True) if number < LEANING else (one, False) for number, one in enumerate(dice)]
    told = [(paint(picture, one, camera, light), leans) for one, leans in lie]
    return finish(picture, rng), told


def _tray(seed: int) -> tuple[np.random.Generator, Paint, Camera, tuple[LyingDie, ...]]:
    rng = np.random.default_rng(seed)
    camera, picture = Camera(*SIZE), tray(rng, SIZE)
    kinds = [KINDS[(seed + number) % len(KINDS)] for number in range(len(KINDS))]
    up = np.array(STRAIGHT_UP)
    return rng, picture, camera, lay(rng, kinds, camera, up=up, radius=float(rng.uniform(36, 62)), fonts=Fonts())


def _glare(picture: Paint, one: LyingDie, camera: Camera, rng: np.random.Generator) -> None:
    """A lamp mirrored in the upper face: white on one side of a line across it, with a soft or a sharp edge."""
    view = see(one.die.solid, one.pose, camera)
    corners: Array = view.points[list(one.die.solid.faces[0])]
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1.0, cv2.LINE_AA)
    angle = float(rng.uniform(0, 2 * math.pi))
    way = np.array([math.cos(angle), math.sin(angle)])
    rows, columns = np.indices(mask.shape, dtype=np.float32)
    along = columns * way[0] + rows * way[1]
    inside = along[mask > 0.5]
    edge = float(np.quantile(inside, 1 - rng.uniform(*_GLARE)))
    soft = one.pose.radius * float(rng.uniform(0.02, 0.3))
    white = np.clip((along - edge) / soft + 0.5, 0, 1) * mask
    picture += 500 * white[..., None]
    np.minimum(picture, 255, out=picture)


def _tipped(one: LyingDie, rng: np.random.Generator) -> LyingDie:
    """The die turned about one of its upper face's edges: half of them onto that edge, the others by any angle."""
    kind = one.die.kind
    most = _ON_EDGE.get(kind, 45.0) if kind is not None else 45.0
    degrees = most if rng.random() < 0.5 else float(rng.uniform(*_LEANS))
    face = one.die.solid.vertices[list(one.die.solid.faces[0])] @ one.pose.rotation.T
    start = int(rng.integers(len(face)))
    along = face[(start + 1) % len(face)] - face[start]
    along /= np.linalg.norm(along)
    turned = cv2.Rodrigues(along * math.radians(degrees))[0] @ one.pose.rotation
    return replace(one, pose=replace(one.pose, rotation=turned))


def _keep(folder: Path, name: str, picture: NDArray[np.uint8], true: TrueDie, read: DieReading) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    x, y = (round(value) for value in true.centre)
    cut = picture[max(0, y - 80) : y + 80, max(0, x - 80) : x + 80]
    cv2.imwrite(str(folder / f"{name}-{x}-{true.kind}-{true.face}-read-{read.kind}-{read.face}.png"), cut)


if __name__ == "__main__":
    sys.exit(main())
