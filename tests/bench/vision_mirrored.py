"""`python -m tests.bench.vision_mirrored FOLDER...`: whether mirrored pictures are told, and true ones left alone.

Each FOLDER is one that `tests.bench.ray_traced` filled. Every tray with two d20s or more that lie flat is judged as it
is and turned over, by itself, as `trueroll read` does; `--never` leaves out the second look. "time" is what it costs
beside the first one.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from rules.dice import DieKind, DieState
from tests.bench.vision_ray_traced import rows_by_picture
from vision.frames.pictures import load_picture
from vision.ports import Pixels
from vision.read.mirror import Mirror
from vision.read.reader import PictureReader, load_reader

WAYS = ("as it is", "turned over")
COLUMNS = ("trays", "told to be mirrored", "d20s read", "d20s read wrongly", "trays with a wrong one")


def main() -> int:
    """Print the table: 0 whatever it says, for marks are for people to judge; 1 where there is nothing to judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_mirrored", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--never", action="store_true", help="without the second look")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    reader = load_reader()
    counts: dict[str, Counter[str]] = {way: Counter() for way in WAYS}
    seconds = {way: [0.0, 0.0] for way in WAYS}
    for picture, d20s in trays(chosen.folders):
        for way, shown in zip(WAYS, (picture, np.ascontiguousarray(picture[:, ::-1])), strict=True):
            told, spent = judged(
                reader, shown, d20s if way == WAYS[0] else turned(d20s, picture), look=not chosen.never
            )
            counts[way].update(told)
            seconds[way] = [before + now for before, now in zip(seconds[way], spent, strict=True)]
    if not counts[WAYS[0]]:
        sys.stderr.write("No tray in these folders shows two d20s or more that lie flat; there is nothing to judge.\n")
        return 1
    sys.stdout.write(
        "| path-traced trays | " + " | ".join(COLUMNS) + " | time |\n" + "|---" * (len(COLUMNS) + 2) + "|\n"
    )
    for way in WAYS:
        cells = [str(counts[way][column]) for column in COLUMNS]
        first, second = seconds[way]
        sys.stdout.write(f"| {way} | {' | '.join(cells)} | +{second / first:.0%} |\n")
    return 0


def trays(folders: list[Path]) -> Iterator[tuple[Pixels, list[tuple[tuple[float, float], dict[str, Any]]]]]:
    """The pictures that show two d20s or more, with those dice's middles and lines of the index."""
    for folder in folders:
        for image, rows in rows_by_picture(folder).items():
            d20s = [row for row in rows if row["kind"] == DieKind.D20]
            if sum(row["flat"] for row in d20s) > 1:
                middles = [(row["box"][0] + row["box"][2] / 2, row["box"][1] + row["box"][3] / 2) for row in d20s]
                yield load_picture(folder / image).pixels, list(zip(middles, d20s, strict=True))


def turned(
    d20s: list[tuple[tuple[float, float], dict[str, Any]]], picture: Pixels
) -> list[tuple[tuple[float, float], dict[str, Any]]]:
    """The same dice in the picture turned over."""
    return [((picture.shape[1] - x, y), row) for (x, y), row in d20s]


def judged(
    reader: PictureReader, picture: Pixels, d20s: list[tuple[tuple[float, float], dict[str, Any]]], *, look: bool
) -> tuple[Counter[str], tuple[float, float]]:
    """What is told of one picture, and the seconds that the first and the second look took."""
    begun = time.process_time()
    dice = reader.read(picture)
    first, mirror = time.process_time(), Mirror(reader)
    dice = mirror.judged(picture, dice) if look else dice
    ended = time.process_time()
    read = wrong = 0
    for die in dice:
        if die.kind is not DieKind.D20 or die.state is not DieState.READ or die.box is None:
            continue
        middle = (die.box.x + die.box.width / 2, die.box.y + die.box.height / 2)
        lying = [row for spot, row in d20s if math.dist(spot, middle) < 0.5 * row["radius"]]
        read += 1
        wrong += not lying or lying[0]["value"] != die.face
    told = {"trays": 1, "told to be mirrored": int(mirror.mirrored), "d20s read": read, "d20s read wrongly": wrong}
    return Counter({**told, "trays with a wrong one": int(wrong > 0)}), (first - begun, ended - first)


if __name__ == "__main__":
    sys.exit(main())
