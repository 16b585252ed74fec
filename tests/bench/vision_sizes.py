"""`python -m tests.bench.vision_sizes`: from how many pixels across dice are found and read.

Plain rendered trays with three d20s and two Challenge Dice each, made so small that the smallest of the dice is as many
pixels across as the first column says. The table tells how many are read, asked about, wrong, and neither read nor
asked about, with Wilson's interval at 95 %. `--trays N` and `--seed N` take other trays.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import cv2

from rules.dice import DieKind, DieReading, DieState
from tests.bench.vision_charts import likely_share
from vision.pose.scales import scaled
from vision.read.reader import PictureReader, load_reader
from vision.training.scenes import Scene, TrueDie, scene

DICE = (DieKind.D20,) * 3 + (DieKind.CHALLENGE,) * 2
ACROSS = (18, 22, 26, 30, 36, 45, 60)
"""Pixels across the smallest die of a tray."""
FIRST_SEED = 4_700_000


def smallest(tray: Scene) -> int:
    """Pixels across its smallest die."""
    return min(max(die.box.width, die.box.height) for die in tray.dice)


def how_it_went(die: TrueDie, dice: Sequence[DieReading], scale: float) -> str:
    """`read`, `wrong`, `asked` or `neither`, for a die of a tray that was made `scale` times as large."""
    x, y = (scale * along for along in die.centre)
    reach = scale * max(die.box.width, die.box.height) / 2
    near = [
        one
        for one in dice
        if one.box is not None
        and math.hypot(one.box.x + one.box.width / 2 - x, one.box.y + one.box.height / 2 - y) < reach
    ]
    if not near:
        return "neither"
    if all(one.state is not DieState.READ for one in near):
        return "asked"
    return "read" if any((one.kind, one.face) == (die.kind, die.face) for one in near) else "wrong"


def report(reader: PictureReader, trays: Sequence[Scene]) -> Iterator[str]:
    """The table as lines of Markdown."""
    yield "| pixels across | dice | read | asked about | wrong | neither |"
    yield "|---|---|---|---|---|---|"
    for across in ACROSS:
        went: Counter[str] = Counter()
        for tray in trays:
            scale = across / smallest(tray)
            dice = reader.read(scaled(tray.picture, scale))
            went.update(how_it_went(die, dice, scale) for die in tray.dice)
        shares = []
        for name in ("read", "asked", "wrong", "neither"):
            low, high = likely_share(went[name], went.total())
            shares.append(f"{went[name]} ({low:.1%} to {high:.1%})")
        yield f"| {across} | {went.total()} | " + " | ".join(shares) + " |"


def main() -> int:
    """Print the table; 0 always."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_sizes", description=__doc__)
    parser.add_argument("--trays", type=int, default=24)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    trays = [scene(chosen.seed + number, DICE) for number in range(chosen.trays)]
    for line in report(load_reader(), trays):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
