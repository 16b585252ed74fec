"""`python -m tests.bench.vision_solids`: how well cubes are told from flat things by the network for it alone.

Trays of all sorts in OpenCV's own letters, half of whose cubes are print, cards or tiles, cut out as in teaching.
"""

from __future__ import annotations

import argparse
import sys
from typing import Final

import cv2

from vision.pose.networks import Networks
from vision.training.flat_samples import make_flat
from vision.training.glyphs import Fonts

FIRST_SEED: Final = 9_200_000


def told_apart(trays: int, networks: Networks, seed: int = FIRST_SEED) -> tuple[tuple[int, int], tuple[int, int]]:
    """The number of cubes and of flat things on a number of trays, and how many are recognised rightly."""
    squares, flat = make_flat(seed, trays, Fonts(), networks)
    right = (networks.flat(list(squares)) > 0) == (flat == 1)
    cubes = flat == 0
    return (int(cubes.sum()), int(right[cubes].sum())), (int((~cubes).sum()), int(right[~cubes].sum()))


def main() -> int:
    """Print the shares."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_solids", description=__doc__)
    parser.add_argument("--trays", type=int, default=200)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    for name, (count, right) in zip(("cubes", "flat things"), told_apart(chosen.trays, Networks()), strict=True):
        sys.stdout.write(f"{name}: {count}, {right / max(1, count):.1%} told rightly\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
