"""`python -m tests.bench.standing_camera`: what is asked about under leaning cameras, without and with their memory.

Each camera leans otherwise and watches `THROWS` throws of one to three dice in a tray with a rim. The same pictures are
read twice: each by itself, and in order with what the throws before told of the camera (`vision.table.camera_memory`).
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from rules.dice import DieKind, DieReading, DieState
from vision.pose.geometry import Array, Camera, tilted
from vision.read.reader import PictureReader, load_reader
from vision.training.glyphs import Fonts
from vision.training.paint import light_at_random
from vision.training.scenes import Scene, finish, lay, paint
from vision.training.scenes import tray as cloth

LEANS = ((10, 0), (0, 12), (-9, 9), (12, 8))
"""Degrees to the right and downwards by which each camera is askew."""
THROWS = 24
FIRST_SEED = 7_000
KINDS = ((DieKind.D20,), (DieKind.D20,) * 2, (DieKind.D20, DieKind.D20, DieKind.CHALLENGE), (DieKind.CHALLENGE,) * 2)
"""What is thrown in turn."""


def tray(seed: int, up: Array, kinds: Sequence[DieKind], *, rim: int = 40) -> Scene:
    """Dice on a table whose tray has a bright rim, `rim` pixels from the picture's edge (0: none is seen)."""
    rng = np.random.default_rng(seed)
    camera = Camera(1280, 720, 60.0)
    picture = cloth(np.random.default_rng(3), (1280, 720))
    if rim:
        cv2.rectangle(picture, (rim, rim), (1280 - rim, 720 - rim), (150.0, 160.0, 170.0), 14)
    light = light_at_random(rng)
    lying = lay(rng, kinds, camera, up=up, radius=float(rng.uniform(40, 50)), fonts=Fonts())
    truths = tuple(paint(picture, one, camera, light) for one in lying)
    return Scene(finish(picture, rng), truths)


def tally(true: Scene, dice: Sequence[DieReading]) -> Counter[str]:
    """How many dice lie there, are read, and are read wrongly; and how many things are asked about."""
    told = Counter(dice=len(true.dice))
    for die in dice:
        if die.state is not DieState.READ or die.box is None:
            told["asked"] += 1
            continue
        middle = (die.box.x + die.box.width / 2, die.box.y + die.box.height / 2)
        near = min(true.dice, key=lambda one: math.dist(one.centre, middle))
        told["read"] += 1
        told["wrong"] += (near.kind, near.face) != (die.kind, die.face)
    return told


def watched(reader: PictureReader, up: Array, throws: int = THROWS) -> tuple[Counter[str], Counter[str]]:
    """How the throws under one camera are read without and with its memory, which the `reader` keeps."""
    without, along = Counter[str](), Counter[str]()
    for number in range(throws):
        seen = tray(FIRST_SEED + number, up, KINDS[number % len(KINDS)])
        without += tally(seen, PictureReader(reader.networks).read(seen.picture))
        told = reader.survey(seen.picture)
        along += tally(seen, told.dice)
        if reader.remember(seen.picture, told):
            along["moved"] += 1
    return without, along


def report(reader: PictureReader) -> Iterator[str]:
    """The table as lines of Markdown."""
    yield "| camera askew by | dice | asked about | wrong | asked about, with its memory | wrong | up off by |"
    yield "|---|---|---|---|---|---|---|"
    for lean in LEANS:
        up = tilted(*np.sin(np.radians(lean)))
        reader.memory = None
        without, along = watched(reader, up)
        known = reader.memory.up if reader.memory is not None else None
        off = "-" if known is None else f"{math.degrees(math.acos(min(1.0, float(known.direction @ up)))):.1f}"
        told = (without["dice"], without["asked"], without["wrong"], along["asked"], along["wrong"], off)
        yield f"| {lean[0]} and {lean[1]} degrees | " + " | ".join(str(one) for one in told) + " |"


def main() -> None:
    """Print the table."""
    cv2.setNumThreads(1)
    for line in report(load_reader()):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
