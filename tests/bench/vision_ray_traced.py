"""`python -m tests.bench.vision_ray_traced FOLDER`: how the trays of another renderer are read, by kind.

The folder is one that `tests.bench.ray_traced` filled. Flat, whole, uncovered dice are counted by their kind; those
that lean, are stacked or cut off must only not be called `read` wrongly. `--lost` names each die that was not read,
and each that was read wrongly. `--in-play` reads as the kiosk does, to which a 1 or 2 is the same on a d6 and a
Challenge Die (CD-1). `--upright` turns each picture by a quarter first, `--jpeg N` saves it as JPEG of that quality.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from rules.dice import DieKind, DieState
from vision.doubt import Detection
from vision.pictures import encode_jpeg, load_picture
from vision.reader import PictureReader, load_reader
from vision.seams import Pixels

CUBES = (DieKind.D6, DieKind.CHALLENGE)
COLUMNS = ("dice", "missed", "read", "likeliest right", "wrong", "leaning", "leaning, read wrongly")


@dataclass(frozen=True)
class Traced:
    """One line of the index and what the reader made of it; `row` is None for what was found where no die lies."""

    image: str
    row: dict[str, Any] | None
    found: Detection | None
    in_play: bool = False

    @property
    def read(self) -> bool:
        """Whether it was called `read`."""
        return self.found is not None and self.found.reading.state is DieState.READ

    @property
    def right(self) -> bool:
        """Whether its likeliest kind and face are the true ones."""
        if self.found is None or self.row is None:
            return False
        kind, face = self.found.reading.kind, self.found.verdict.best[0]
        alike = {kind, *(CUBES if self.in_play and face in {1, 2} and kind in CUBES else ())}
        return self.row["kind"] in {str(one) for one in alike} and str(face) == str(self.row["value"])

    def counts(self) -> Iterator[str]:
        """The columns that this die is counted in."""
        if self.row is not None and not self.row["flat"]:
            yield "leaning"
            if self.read and not self.right:
                yield "leaning, read wrongly"
            return
        yield "dice"
        if self.found is None and self.row is not None and self.row["value"] is not None:
            yield "missed"
        if self.right:
            yield "likeliest right"
        if self.read:
            yield "read"
            if not self.right:
                yield "wrong"


def main() -> int:
    """Print the table; 0 always: marks are for people to judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_ray_traced", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--in-play", action="store_true", help="read as the kiosk does")
    parser.add_argument("--lost", action="store_true", help="name the dice that were not read")
    parser.add_argument("--upright", action="store_true", help="turn the pictures by a quarter first")
    parser.add_argument(
        "--jpeg", type=int, metavar="QUALITY", help="save them as JPEG of this quality (1 to 100) first"
    )
    chosen = parser.parse_args()
    altered = Altered(upright=chosen.upright, jpeg=chosen.jpeg)
    cv2.setNumThreads(1)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in traced(load_reader(kinds_apart=not chosen.in_play), chosen.folder, altered):
        kind = "no die" if one.row is None else one.row["kind"]
        known = kind in set(DieKind)
        for group in (kind, "all three") if known else ("other dice" if one.row else kind,):
            counts[group].update(one.counts())
        if chosen.lost and ((known and one.row and one.row["flat"] and not one.read) or (one.read and not one.right)):
            told = f"{one.found.reading} {one.found.verdict.best}" if one.found else "missed"
            sys.stdout.write(f"{one.image} {one.row}: {told}\n")
    sys.stdout.write("| path-traced trays | " + " | ".join(COLUMNS) + " |\n" + "|---" * (len(COLUMNS) + 1) + "|\n")
    for kind in sorted(set(counts) - {"no die"}):
        sys.stdout.write(f"| {kind} | " + " | ".join(str(counts[kind][column]) for column in COLUMNS) + " |\n")
    sys.stdout.write(f"\nCalled read beside the dice: {counts['no die']['read']}\n")
    return 0


def rows_by_picture(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The lines of the folder's index, a die each, by the picture that shows them."""
    by_picture: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (folder / "index.jsonl").read_text().splitlines():
        row = json.loads(line)
        by_picture[row["image"]].append(row)
    return by_picture


@dataclass(frozen=True)
class Altered:
    """What is done to each picture before it is read."""

    upright: bool = False
    jpeg: int | None = None

    def picture(self, picture: Pixels) -> Pixels:
        """The picture as it is read."""
        if self.upright:
            picture = np.ascontiguousarray(np.rot90(picture))
        if self.jpeg is not None:
            coded = np.frombuffer(encode_jpeg(picture, quality=self.jpeg), np.uint8)
            picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
        return picture

    def spot(self, spot: tuple[float, float], width: int) -> tuple[float, float]:
        """Where what lay at `spot` of the picture as it was, `width` pixels wide, lies now."""
        return (spot[1], width - spot[0]) if self.upright else spot


AS_IT_IS = Altered()


def traced(reader: PictureReader, folder: Path, altered: Altered = AS_IT_IS) -> Iterator[Traced]:
    """Every die of the folder's index, and everything found beside them."""
    for image, rows in rows_by_picture(folder).items():
        picture = load_picture(folder / image).pixels
        found = list(reader.look(altered.picture(picture)).found)
        for row in rows:
            x, y, wide, high = row["box"]
            middle = altered.spot((x + wide / 2, y + high / 2), picture.shape[1])
            near = [one for one in found if math.dist(one.pose.centre, middle) < 0.5 * row["radius"]]
            if near:
                found.remove(near[0])
            yield Traced(image, row, near[0] if near else None, not reader.kinds_apart)
        yield from (Traced(image, None, one) for one in found)


if __name__ == "__main__":
    sys.exit(main())
