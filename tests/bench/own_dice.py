"""`python -m tests.bench.own_dice`: how well one's own dice are read before and after they were taught.

Each set has one die of every sort of `own_scenes`. It is taught from a few throws as a person would, saying what each
die shows, and then thrown again: those throws are read with and without what was taught. So are throws of dice that
nobody taught, those of the next set.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter, defaultdict
from dataclasses import replace

import cv2
import numpy as np

from rules.dice import DieState
from tests.bench.own_scenes import CUBES, D20S, Lies, Owned, owned, throw
from vision.desk.enrolment import EnrolmentPicture, learnt
from vision.errors import OwnDiceError
from vision.read.detection import Detection
from vision.read.reader import PictureReader, Seen, load_reader
from vision.table.setup import TableSetup
from vision.taught.likeness import KnownDie
from vision.taught.own_dice import OwnDie, as_text
from vision.training.glyphs import Fonts

FIRST_SEED = 950_000
TRIES = 3
STRANGERS = "never taught"
COLUMNS = ("dice", "read before", "wrong before", "read after", "wrong after", "named", "named wrongly")


def taught(reader: PictureReader, rng: np.random.Generator, dice: list[Owned], shown_faces: int) -> tuple[OwnDie, ...]:
    """The dice after they were laid down with so many faces up, each time another, and a person said what they show.

    A refused die is laid down again, as the person is asked to, at most `TRIES` times.
    """
    own = {n: OwnDie(f"{n:08x}", f"{one.sort} {n}", one.die.kind) for n, one in enumerate(dice) if one.die.kind}
    for turn in range(shown_faces):
        left = list(range(len(dice)))
        for _ in range(TRIES):
            picture, lies = throw(rng, [dice[number] for number in left], up_now=turn)
            reader.table = replace(reader.table, dice=tuple(own.values()))
            seen = reader.look(picture)
            shown = EnrolmentPicture(seen.picture, seen.camera, seen.found)
            for one in lies:
                number = dice.index(one.owned)
                found = at(seen, one)
                if found is None:
                    continue
                try:
                    own[number] = learnt(own[number], shown, found, one.face, reader.networks)
                except OwnDiceError:
                    continue
                left.remove(number)
            if not left:
                break
    return tuple(own.values())


def at(seen: Seen, lies: Lies) -> Detection | None:
    """What was found where a die lies."""
    near = [one for one in seen.found if math.dist(one.pose.centre, lies.pose.centre) < 0.3 * lies.pose.radius]
    return near[0] if near else None


def measured(
    reader: PictureReader, *, sets: int, teaching: int, throws: int, first: int = FIRST_SEED
) -> tuple[dict[str, Counter[str]], list[int]]:
    """Counts by sort of die, and the bytes that each taught die takes.

    The dice of the next set are thrown at the same table, too: nobody taught them there.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    sizes: list[int] = []
    for number in range(first, first + sets):
        rng = np.random.default_rng(number)
        dice, strangers = _set(rng), _set(np.random.default_rng(number + 1))
        reader.table = TableSetup()
        own = taught(reader, rng, dice, teaching)
        sizes += [len(as_text([die])) for die in own if KnownDie.of(die).faces]
        rng = np.random.default_rng([number, 1])  # the same throws, however often a die was laid down before
        for thrown in (dice, strangers):
            for _ in range(throws):
                picture, lies = throw(rng, thrown)
                for when, table in (("before", TableSetup()), ("after", TableSetup(dice=own))):
                    reader.table = table
                    seen = reader.look(picture)
                    for one in lies:
                        known = dice.index(one.owned) if thrown is dice else None
                        _count(counts[one.owned.sort if thrown is dice else STRANGERS], at(seen, one), one, known, when)
    reader.table = TableSetup()
    return counts, sizes


def _set(rng: np.random.Generator) -> list[Owned]:
    """One die of every sort."""
    return [owned(sort, rng, Fonts()) for sort in (*D20S, *CUBES)]


def _count(count: Counter[str], found: Detection | None, lies: Lies, known: int | None, when: str) -> None:
    """Count what was made of a die, the `known`th of those that were taught (None for a stranger)."""
    count["dice"] += when == "before"
    if found is None:
        return
    if found.reading.state is DieState.READ:
        count[f"read {when}"] += 1
        count[f"wrong {when}"] += (found.reading.kind, found.reading.face) != (lies.owned.die.kind, lies.face)
    if when == "after" and found.reading.die_id is not None:
        count["named"] += 1
        count["named wrongly"] += int(found.reading.die_id, 16) != known


def report(
    reader: PictureReader, *, sets: int = 3, teaching: int = 20, throws: int = 8, first: int = FIRST_SEED
) -> list[str]:
    """The table as lines of Markdown."""
    counts, sizes = measured(reader, sets=sets, teaching=teaching, throws=throws, first=first)
    lines = ["| own dice | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    whole: Counter[str] = Counter()
    for sort, count in counts.items():
        if sort != STRANGERS:
            whole += count
    for sort, count in [
        *((one, counts[one]) for one in (*D20S, *CUBES)),
        ("all", whole),
        (STRANGERS, counts[STRANGERS]),
    ]:
        lines.append(f"| {sort} | " + " | ".join(str(count[column]) for column in COLUMNS) + " |")
    lines.append(
        f"\nEach die was shown with {teaching} faces up (a cube with six at most, over and over). "
        f"It takes {np.mean(sizes) / 1024:.1f} KB."
    )
    return lines


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.own_dice", description=__doc__)
    parser.add_argument("--sets", type=int, default=3)
    parser.add_argument("--teaching", type=int, default=20)
    parser.add_argument("--throws", type=int, default=8)
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="the first set's seed")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    counted = {"sets": chosen.sets, "teaching": chosen.teaching, "throws": chosen.throws, "first": chosen.first}
    for line in report(load_reader(), **counted):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
