"""`python -m tests.bench.vision_closeups`: real photographs whose die fills the picture, as a phone takes them.

Each photograph of a lone d20 or d6 is cut square round its die, which then takes a share of it of `SHARES` in turn, and
is brought to each of `SIDES` pixels; where the die fills the photograph already, it is not cut. The table tells how
many are read, asked about, wrong, and neither read nor asked about, with Wilson's interval at 95 %. The photographs lie
beside the repository (`tests/vision/photographs.py`); they decided what is asked about, so this is no blind figure.
Frames of a turntable are nearly the same picture, and are left out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle

import cv2
import numpy as np

from rules.dice import Box, DieKind, DieReading, DieState
from tests.bench.vision_charts import likely_share
from tests.vision.photographs import ABSENT, FOLDER, Photograph, overlap, photographs
from vision.frames.pictures import load_picture
from vision.ports import Pixels
from vision.read.framed import framed
from vision.read.reader import PictureReader, load_reader

SHARES = (0.6, 0.7, 0.8, 0.9, 0.98)
"""How much of the picture's side the die's box takes."""
SIDES = (300, 640, 1000, 1920, 4000)
"""The sides of the pictures, in pixels."""
DICE = ("dicetower-D20", "dicetower-D6", "diceview-dark")
"""Whose photographs are no film."""
FOUND = 0.3
"""The least overlap of a reading's box and the true one, as a share of both together."""


def close_up(picture: Pixels, box: Box, share: float, side: int) -> tuple[Pixels, Box]:
    """A square of `side` pixels round the die, of which its longer side takes `share`, and its box there.

    Where the photograph ends, its last pixels go on.
    """
    long = max(box.width, box.height)
    half = long / share / 2
    left, top = box.x + box.width / 2 - half, box.y + box.height / 2 - half
    zoom = side / (2 * half)
    move = np.array([[zoom, 0.0, -left * zoom], [0.0, zoom, -top * zoom]])
    way = cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_AREA
    cut = cv2.warpAffine(picture, move, (side, side), flags=way, borderMode=cv2.BORDER_REPLICATE)
    corner = round((box.x - left) * zoom), round((box.y - top) * zoom)
    return np.asarray(cut, np.uint8), Box(*corner, round(box.width * zoom), round(box.height * zoom))


def how_it_went(photograph: Photograph, box: Box, dice: Sequence[DieReading]) -> str:
    """`read`, `asked`, `wrong`, or `neither` for the die in `box`; `wrong` too where anything else is read."""
    near = [die for die in dice if overlap(box, die.box) > FOUND]
    if any(die.state is DieState.READ for die in dice if die not in near):
        return "wrong"
    if not near:
        return "neither"
    if near[0].state is not DieState.READ:
        return "asked"
    return "read" if (near[0].kind, near[0].face) == (photograph.kind, photograph.value) else "wrong"


def counted(reader: PictureReader) -> dict[tuple[DieKind, int], Counter[str]]:
    """How the close-ups went, by kind and side; each photograph is cut to one of the shares in turn."""
    result: dict[tuple[DieKind, int], Counter[str]] = {}
    lone = [one for one in photographs() if one.die in DICE and one.kind is not None]
    for photograph, share in zip(lone, cycle(SHARES), strict=False):
        picture = load_picture(photograph.file).pixels
        whole = Box(0, 0, picture.shape[1], picture.shape[0])
        for side in SIDES:
            cut, there = close_up(picture, photograph.box or whole, share if photograph.box else 1.0, side)
            went = how_it_went(photograph, there, reader.read(cut) or framed(reader, cut))
            assert photograph.kind is not None
            result.setdefault((photograph.kind, side), Counter())[went] += 1
    return result


def report(reader: PictureReader) -> Iterator[str]:
    """The table as lines of Markdown."""
    yield "| close-ups | pictures | read | asked about | wrong | neither |"
    yield "|---|---|---|---|---|---|"
    for (kind, side), told in counted(reader).items():
        count = told.total()
        shares = []
        for name in ("read", "asked", "wrong", "neither"):
            low, high = likely_share(told[name], count)
            shares.append(f"{told[name]} ({low:.1%} to {high:.1%})")
        yield f"| {kind}, {side} pixels | {count} | " + " | ".join(shares) + " |"


def main() -> int:
    """Print the table; 1 where there are no photographs."""
    if not (FOLDER / "index.jsonl").is_file():
        sys.stdout.write(f"{ABSENT}\n")
        return 1
    cv2.setNumThreads(1)
    for line in report(load_reader()):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
