"""`python -m tests.bench.vision_sides --fonts FOLDER`: how well the sides of cubes are told by their network alone.

Trays of all sorts in fonts kept back from teaching, each side cut out as the reader does, at poses that the reader
finds and at others a little beside the true ones.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.pose.networks import Networks
from vision.read.sides import side_patch
from vision.training.__main__ import fonts_for
from vision.training.glyphs import Fonts
from vision.training.side_samples import tray_of_sides

FIRST_SEED: Final = 1_600_000
TURNED: Final = math.sin(math.radians(12.0))
"""A side that looks farther towards the lens than this is hardly foreshortened away."""
SURE: Final = 0.95
_TURNED, _FLATTER = "12 degrees and more towards the lens", "flatter"

Told = dict[str, list[tuple[float, bool]]]
"""By how far a side looks towards the lens: of each, how sure the network is, and whether it is right."""


def sides_told(trays: int, fonts: Fonts, networks: Networks, seed: int = FIRST_SEED) -> Told:
    """What the network makes of the sides on so many trays, from this first seed on."""
    told: Told = defaultdict(list)
    for number in range(trays):
        seen = list(tray_of_sides(np.random.default_rng(seed + number), fonts, networks))
        scores = networks.sides([side_patch(grey, view, side) for grey, view, side, _ in seen])
        for (_, view, side, label), chances in zip(seen, scores, strict=True):
            how = _TURNED if view.facing[side] >= TURNED else _FLATTER
            told[how].append((float(chances.max()), int(chances.argmax()) == label))
    return told


def lines(told: Told) -> Iterator[str]:
    """The table in Markdown."""
    yield f"| sides | count | right | told with more than {SURE} | of which right |"
    yield "|---|---|---|---|---|"
    for how in (_TURNED, _FLATTER):
        some = told[how]
        sure = [right for chance, right in some if chance > SURE]
        shares = (sum(right for _, right in some) / max(1, len(some)), len(sure) / max(1, len(some)))
        yield f"| {how} | {len(some)} | {shares[0]:.1%} | {shares[1]:.1%} | {sum(sure) / max(1, len(sure)):.1%} |"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_sides", description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="a folder of fonts; may be repeated")
    parser.add_argument("--trays", type=int, default=100)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = Fonts(fonts_for(chosen.fonts, kept_back=True))
    for line in lines(sides_told(chosen.trays, fonts, Networks())):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
