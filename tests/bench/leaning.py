"""What a calibrated camera changes: dice under a camera that leans, read with and without knowing by how much."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from rules.dice import DieKind, DieReading, DieState
from vision.read.reader import PictureReader
from vision.table.calibration import Calibration, MadeBy
from vision.table.setup import TableSetup
from vision.training.scenes import TrueDie, scene

FIRST_SEED = 980_000
LEAN = 9.0
"""One standard deviation of the camera's lean in each direction, in degrees."""
SCENES = 60


def report(reader: PictureReader, scenes: int = SCENES) -> Iterator[str]:
    """The table as lines of Markdown: one die and three dice a picture, the camera leaning by `LEAN`."""
    yield "| camera askew by 9 degrees | dice | read | wrong | read when calibrated | wrong when calibrated |"
    yield "|---|---|---|---|---|---|"
    for name, count in (("a lone d20", 1), ("three d20s", 3)):
        told = measured(reader, count, scenes // count)
        columns = ("dice", "read", "wrong", "read calibrated", "wrong calibrated")
        yield f"| {name} | " + " | ".join(str(told[column]) for column in columns) + " |"


def measured(reader: PictureReader, count: int, scenes: int) -> Counter[str]:
    """Dice, and how many are read and read wrongly, both ways. Calibrated, "up" is off by a degree as a card's is."""
    told: Counter[str] = Counter()
    for seed in range(FIRST_SEED + 1000 * count, FIRST_SEED + 1000 * count + scenes):
        tray = scene(seed, (DieKind.D20,) * count, lean=LEAN)
        askew = np.radians(np.random.default_rng(seed).normal(0, LEAN, 2))  # what `scene` draws first
        off = np.random.default_rng(seed + 1).normal(0, math.radians(0.7), 2)
        x, y = math.sin(askew[0] + off[0]), math.sin(askew[1] + off[1])
        made = Calibration(1280, 720, (x, y, -math.sqrt(1 - x * x - y * y)), MadeBy.CARD)
        for how, table in (("", TableSetup()), (" calibrated", TableSetup(calibration=made))):
            reader.table = table
            dice = reader.read(tray.picture)
            for true in tray.dice:
                told["dice"] += not how
                near = found_at(true, dice)
                if near and near[0].state is DieState.READ:
                    told[f"read{how}"] += 1
                    told[f"wrong{how}"] += near[0].face != true.face
    reader.table = TableSetup()
    return told


def found_at(true: TrueDie, dice: Sequence[DieReading]) -> list[DieReading]:
    """The dice whose boxes have their middles where the true die lies."""
    return [
        die
        for die in dice
        if die.box is not None
        and math.dist((die.box.x + die.box.width / 2, die.box.y + die.box.height / 2), true.centre)
        < 0.3 * true.box.width
    ]
