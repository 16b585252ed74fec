"""`python -m tests.bench.vision_things`: how well dice are told from other things by the network for it alone.

Trays of all sorts in OpenCV's own letters, with cards, coins, dominoes and the like, cut out as in teaching.
"""

from __future__ import annotations

import argparse
import sys
from typing import Final

import cv2
import numpy as np

from vision.pose.networks import Networks
from vision.pose.things import things_among
from vision.training.glyphs import Fonts
from vision.training.thing_samples import make_things

FIRST_SEED: Final = 11_900_000


def told_apart(trays: int, networks: Networks, seed: int = FIRST_SEED) -> tuple[tuple[int, int], tuple[int, int]]:
    """The number of dice, and of other things, on a number of trays, and how many are surely no dice."""
    squares, nothing = make_things(seed, trays, Fonts(), networks)
    surely = np.zeros(len(squares), bool)
    surely[things_among(networks, list(squares))] = True
    dice, things = surely[nothing == 0], surely[nothing == 1]
    return (len(dice), int(dice.sum())), (len(things), int(things.sum()))


def main() -> int:
    """Print the shares."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_things", description=__doc__)
    parser.add_argument("--trays", type=int, default=60)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    for name, told in zip(("dice", "other things"), told_apart(chosen.trays, Networks()), strict=True):
        sys.stdout.write(f"{name}: {told[0]}, {told[1] / max(1, told[0]):.2%} surely no dice\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
