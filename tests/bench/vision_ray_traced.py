"""`python -m tests.bench.vision_ray_traced FOLDER`: how the trays of another renderer are read, by kind.

The folder is one that `tests.bench.ray_traced` filled. Flat, whole, uncovered dice are counted by their kind; those
that lean, are stacked or cut off must only not be called `read` wrongly. Then come the marks: of the dice that a person
could tell (`legible`, or all flat ones where the index does not say), how many are called, wrong, and neither read nor
asked about, each with Wilson's interval at 95 %; and the same by what the index says of them. `--lost` names each die
that was not read, and each that was read wrongly. `--in-play` reads as the kiosk does, to which a 1 or 2 is the same on
a d6 and a Challenge Die (CD-1). `--upright` turns each picture by a quarter first, `--jpeg N` saves it as JPEG of that
quality. `--marks-only` names no single die and no group smaller than a kind: for pictures that are to stay unseen.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from rules.dice import DieKind, DieReading, DieState
from tests.bench.vision_charts import likely_share
from vision.frames.pictures import encode_jpeg, load_picture
from vision.ports import Pixels, Survey
from vision.read.detection import Detection
from vision.read.reader import PictureReader, Seen, load_reader
from vision.read.readings import surer
from vision.read.thresholds import COCKED_LEAN
from vision.read.upside_down import missed_before, settles

CUBES = (DieKind.D6, DieKind.CHALLENGE)
COLUMNS = ("dice", "missed", "read", "likeliest right", "wrong", "leaning", "leaning, read wrongly")


def _band(name: str, limits: Sequence[float]) -> Callable[[Mapping[str, Any]], str]:
    """Tells in which of the bands between the limits a row's number is; the last band is open."""

    def band(row: Mapping[str, Any]) -> str:
        number = sum(float(row[name]) >= limit for limit in limits)
        return f"{limits[number - 1]:g} to {limits[number]:g}" if number < len(limits) else f"{limits[-1]:g} and more"

    return band


def _field(name: str) -> Callable[[Mapping[str, Any]], str | None]:
    """Tells what a row says under the name; None where it says nothing."""
    return lambda row: None if row.get(name) is None else str(row[name])


GROUPS: Final[Mapping[str, Callable[[Mapping[str, Any]], str | None]]] = {
    **{name: _field(name) for name in ("sort", "material", "ink", "numbering", "layout", "touching")},
    **{name: _field(name) for name in ("lamps", "table", "sensor", "frame")},
    "camera askew, degrees": _band("askew", (0, 4, 8, 12)),
    "radius, pixels": _band("radius", (0, 18, 25, 40, 60, 90)),
}
"""What the marks are told by."""


@dataclass(frozen=True)
class Traced:
    """One line of the index and what the reader made of it; `row` is None for what was found where no die lies."""

    image: str
    row: dict[str, Any] | None
    found: Detection | None

    @property
    def read(self) -> bool:
        """Whether it was called `read`."""
        return self.found is not None and self.found.reading.state is DieState.READ

    @property
    def right(self) -> bool:
        """Whether its likeliest face is the true one, and its kind, or one of those that it may be of."""
        if self.found is None or self.row is None:
            return False
        reading, face = self.found.reading, self.found.verdict.best[0]
        kinds = {str(one) for one in (reading.kind, *reading.kinds)}
        return self.row["kind"] in kinds and str(face) == str(self.row["value"])

    @property
    def legible(self) -> bool:
        """Whether it is a die that trueroll reads, flat, and such that a person could tell its face."""
        if self.row is None or self.row["kind"] not in set(DieKind):
            return False
        return bool(self.row["flat"] and self.row.get("legible", True))

    @property
    def cocked(self) -> bool:
        """Whether it leans so far that its face does not count."""
        return self.row is not None and self.row["value"] is not None and self.row["lean"] > math.degrees(COCKED_LEAN)

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
    parser.add_argument("--lost", action="store_true", help="name the dice that were not read")
    parser.add_argument("--marks-only", action="store_true", help="nothing smaller than a kind")
    parser.add_argument("--upright", action="store_true", help="turn the pictures by a quarter first")
    parser.add_argument(
        "--jpeg", type=int, metavar="QUALITY", help="save them as JPEG of this quality (1 to 100) first"
    )
    chosen = parser.parse_args()
    if chosen.lost and chosen.marks_only:
        parser.error("--lost names dice and --marks-only none: give one of them")
    altered = Altered(upright=chosen.upright, jpeg=chosen.jpeg)
    cv2.setNumThreads(1)
    dice = []
    for one in traced(load_reader(), chosen.folder, altered):
        dice.append(one)
        lost = one.row is not None and one.row["flat"] and one.row["kind"] in set(DieKind) and not one.read
        if chosen.lost and (lost or (one.read and not one.right)):
            told = f"{one.found.reading} {one.found.verdict.best}" if one.found else "missed"
            sys.stdout.write(f"{one.image} {one.row}: {told}\n")
    for line in (*columns(dice), "", *marks(dice), *(() if chosen.marks_only else groups(dice))):
        sys.stdout.write(line + "\n")
    return 0


def columns(dice: Sequence[Traced]) -> Iterator[str]:
    """How all flat dice are read, by kind."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in dice:
        kind = "no die" if one.row is None else one.row["kind"]
        for group in (kind, "all three") if kind in set(DieKind) else ("other dice" if one.row else kind,):
            counts[group].update(one.counts())
    yield "| path-traced trays | " + " | ".join(COLUMNS) + " |"
    yield "|---" * (len(COLUMNS) + 1) + "|"
    for kind in sorted(set(counts) - {"no die"}):
        yield f"| {kind} | " + " | ".join(str(counts[kind][column]) for column in COLUMNS) + " |"
    yield f"\nCalled read beside the dice: {counts['no die']['read']}; found there: {counts['no die']['dice']}"


def share(count: int, of: int) -> str:
    """A share in per cent with Wilson's interval at 95 %; a dash where there is nothing to have a share of."""
    if of == 0:
        return "-"
    low, high = likely_share(count, of)
    return f"{count / of:.1%} ({low:.1%} to {high:.1%})"


MARKS = ("flat and legible", "called", "wrong of called", "neither read nor asked about")


def mark(dice: Sequence[Traced]) -> str:
    """The marks of some legible dice, as cells."""
    called = [one for one in dice if one.read]
    wrong = sum(not one.right for one in called)
    silent = sum(one.found is None for one in dice)
    cells = (str(len(dice)), share(len(called), len(dice)), f"{wrong}: {share(wrong, len(called))}")
    return " | ".join((*cells, share(silent, len(dice))))


def marks(dice: Sequence[Traced]) -> Iterator[str]:
    """The marks of each kind and of all three; what is called of dice that lean, cannot be told, or are no dice."""
    legible = [one for one in dice if one.legible]
    yield "| legible dice, 95 % by Wilson | " + " | ".join(MARKS) + " |\n" + "|---" * (len(MARKS) + 1) + "|"
    for kind in DieKind:
        yield f"| {kind} | " + mark([one for one in legible if one.row and one.row["kind"] == kind]) + " |"
    yield f"| all three | {mark(legible)} |"
    cocked = [one for one in dice if one.cocked]
    yield f"\nCocked dice called read: {sum(one.read for one in cocked)} of {len(cocked)}"
    hard = [one for one in dice if one.row and one.row["flat"] and one.row["value"] is not None and not one.legible]
    called = [one for one in hard if one.read]
    wrong = sum(not one.right for one in called)
    yield f"Flat dice that are not legible: {len(hard)}, called read {len(called)}, wrongly {wrong}"
    other = [one for one in dice if one.row and one.row["value"] is None]
    false = sum(one.row is None and one.read for one in dice)
    others = f"{sum(one.read for one in other)} of {len(other)} dice of other kinds"
    yield f"Called read: {false} where no die lies, {others}"


def groups(dice: Sequence[Traced]) -> Iterator[str]:
    """The marks of the legible dice by each thing that the index says of them."""
    for name, told in GROUPS.items():
        parts: dict[str, list[Traced]] = defaultdict(list)
        for one in dice:
            value = told(one.row) if one.legible and one.row is not None else None
            if value is not None:
                parts[value].append(one)
        if parts:
            yield f"\n| {name} | " + " | ".join(MARKS) + " |\n" + "|---" * (len(MARKS) + 1) + "|"
            for value in sorted(parts):
                yield f"| {value} | {mark(parts[value])} |"


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
        picture = load_picture(folder / image)
        shown = altered.picture(picture.pixels)
        seen = reader.look_at_its_size(shown)
        wider = reader.through_wider_lens(shown, seen)
        found = [one if wider is None else surer_of(one, wider[1].found) for one in upside_down(reader, shown, seen)]
        shrunk = picture.pixels.shape[1] / picture.width * seen.scale  # pictures of many pixels are loaded smaller
        centres = [(one.pose.centre[0] / shrunk, one.pose.centre[1] / shrunk) for one in found]
        middles = [altered.spot(middle_of(row["box"]), picture.width) for row in rows]
        taken = matched(rows, middles, centres)
        for row, number in zip(rows, taken, strict=True):
            yield Traced(image, row, None if number is None else found[number])
        yield from (Traced(image, None, one) for number, one in enumerate(found) if number not in taken)


def upside_down(reader: PictureReader, picture: Pixels, seen: Seen) -> list[Detection]:
    """The dice as `PictureReader.survey` tells them after it has looked at the picture upside down.

    What is seen only then is a detection that has no more than its reading and its place.
    """
    again = reader.upside_down(picture, seen)
    if again is None:
        return list(seen.found)
    told = Survey(seen.readings, seen.others, seen.maybe_print)
    settling = [settles(die, again) if n in seen.unclear else None for n, die in enumerate(told.dice)]
    dice = [one if new is None else as_read(one, new) for one, new in zip(seen.found, settling, strict=True)]
    for one in missed_before(told, again):
        if one.box is not None and one.guesses:
            x, y = one.box.x + one.box.width / 2, one.box.y + one.box.height / 2
            pose = replace(seen.found[0].pose, centre=(x * seen.scale, y * seen.scale))
            shown = replace(one, face=one.guesses[0].face)
            dice.append(replace(as_read(seen.found[0], shown), reading=one, pose=pose))
    return dice


def as_read(one: Detection, reading: DieReading) -> Detection:
    """The detection with that reading, its face the likeliest."""
    chances = {} if reading.face is None else {reading.face: reading.confidence}
    return replace(one, reading=reading, verdict=replace(one.verdict, chances=chances))


def surer_of(one: Detection, through_wider: Sequence[Detection]) -> Detection:
    """The die, or what is read there through a wider lens: as `PictureReader.survey` tells it."""
    read = [other for other in through_wider if surer([one.reading], [other.reading]) == (other.reading,)]
    return read[0] if len(read) == 1 else one


def middle_of(box: Sequence[float]) -> tuple[float, float]:
    """The middle of a box of the index."""
    x, y, wide, high = box
    return (x + wide / 2, y + high / 2)


def matched(
    rows: Sequence[Mapping[str, Any]], middles: Sequence[tuple[float, float]], centres: Sequence[tuple[float, float]]
) -> list[int | None]:
    """For each row, whose middle lies there, the number of what was found nearest to it; each is found but once.

    Dice that show choose first: of two that lie on one another, the upper one was found.
    """
    result: list[int | None] = [None] * len(rows)
    for number in sorted(range(len(rows)), key=lambda one: float(rows[one].get("hidden", 0.0))):
        left = [one for one in range(len(centres)) if one not in result]
        nearest = min(left, key=lambda one: math.dist(centres[one], middles[number]), default=None)
        if nearest is not None and math.dist(centres[nearest], middles[number]) < 0.5 * rows[number]["radius"]:
            result[number] = nearest
    return result


if __name__ == "__main__":
    sys.exit(main())
