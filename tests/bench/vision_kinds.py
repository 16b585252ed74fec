"""`python -m tests.bench.vision_kinds`: is a 1 or 2 without a frame told rightly for a d6's or a Challenge Die's?

Rendered tables of several sorts, with Challenge Dice whose 1 and 2 stand bare: one die alone, Challenge Dice, these
with pip d6s, numeral d6s, and Challenge Dice with numeral d6s. "open" is what stays doubtful although its face is sure.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, DieState
from vision.pose.geometry import Camera, tilted
from vision.read.reader import load_reader
from vision.training.__main__ import fonts_for
from vision.training.glyphs import Fonts, Hand, numeral
from vision.training.paint import Lettering, Look, light_at_random, look_at_random, paint_die
from vision.training.scenes import LyingDie, finish, tray
from vision.training.throws import FULL_TURN, PaintedDie, cube_die, readable_look, resting, spot_in

SORTS = ("one Challenge Die", "one numeral d6", "Challenge Dice", "with pip d6s", "numeral d6s", "with numeral d6s")
COLUMNS = ("bare 1 or 2", "read", "right", "wrong kind", "wrong face", "open")
FIRST_SEED = 1_100_000


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_kinds", description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="a folder of fonts; may be repeated")
    parser.add_argument("--tables", type=int, default=60, help="of each sort")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the first table")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = Fonts(fonts_for(chosen.fonts, kept_back=True))
    reader = load_reader()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for number in range(chosen.tables * len(SORTS)):
        sort = SORTS[number % len(SORTS)]
        picture, laid = table(chosen.seed + number, sort, fonts)
        found = list(reader.find(picture))
        for one in laid:
            if one.die.style == "pips" or one.die.face not in {1, 2}:
                continue
            near = [two for two in found if math.dist(two.pose.centre, one.pose.centre) < 0.4 * one.pose.radius]
            count = counts[sort]
            count["bare 1 or 2"] += 1
            if not near:
                continue
            reading = near[0].reading
            if reading.kinds:
                count["open"] += 1
            elif reading.state is DieState.READ:
                count["read"] += 1
                right = (reading.kind, reading.face) == (one.die.kind, one.die.face)
                count["right" if right else "wrong kind" if reading.face == one.die.face else "wrong face"] += 1
    sys.stdout.write("| table | " + " | ".join(COLUMNS) + " |\n" + "|---" * (len(COLUMNS) + 1) + "|\n")
    for sort in SORTS:
        sys.stdout.write(f"| {sort} | " + " | ".join(str(counts[sort][column]) for column in COLUMNS) + " |\n")
    return 0


def table(seed: int, sort: str, fonts: Fonts) -> tuple[NDArray[np.uint8], list[LyingDie]]:
    """A picture of a table of one of `SORTS` and what lies there; dice of one kind are mostly of one set."""
    rng = np.random.default_rng(seed)
    camera = Camera(1280, 720, 60.0)
    picture, light = tray(rng, (1280, 720)), light_at_random(rng)
    up = tilted(*np.sin(np.radians(rng.normal(0, 2.0, 2))))
    radius = float(rng.uniform(28, 66))
    hands = {kind: Hand.chosen(rng, fonts, cube=True) for kind in _STYLES}
    looks = {kind: _any_look(rng) for kind in _STYLES}
    one_set = rng.random() < _ONE_SET
    laid: list[LyingDie] = []
    for style in _styles(rng, sort):
        hand = hands[style] if one_set else Hand.chosen(rng, fonts, cube=True)
        die = _die(rng, fonts, style, hand, bare=sort.startswith("one "))
        look = looks[style] if one_set else _any_look(rng)
        for _ in range(200):
            spot = spot_in(camera, rng, 1.3 * radius)
            if all(math.dist(spot, other.pose.centre) > 2.3 * radius for other in laid):
                pose = resting(die, spot, radius, up, float(rng.uniform(0, FULL_TURN)))
                laid.append(LyingDie(die, pose, look))
                paint_die(picture, die.solid, pose, camera, letters=die.letters, look=look, light=light)
                break
    return finish(picture, rng), laid


_STYLES = ("challenge", "numeral", "pips")
_ONE_SET = 0.6


def _any_look(rng: np.random.Generator) -> Look:
    return next(look for look in iter(lambda: look_at_random(rng), None) if readable_look(look))


def _styles(rng: np.random.Generator, sort: str) -> Iterator[str]:
    challenge, numerals, pips = {
        "one Challenge Die": (1, 0, 0),
        "one numeral d6": (0, 1, 0),
        "Challenge Dice": (int(rng.integers(2, 7)), 0, 0),
        "with pip d6s": (int(rng.integers(1, 5)), 0, int(rng.integers(1, 4))),
        "numeral d6s": (0, int(rng.integers(2, 7)), 0),
        "with numeral d6s": (int(rng.integers(2, 5)), int(rng.integers(1, 4)), 0),
    }[sort]
    yield from ("challenge",) * challenge
    yield from ("numeral",) * numerals
    yield from ("pips",) * pips


def _die(rng: np.random.Generator, fonts: Fonts, style: str, hand: Hand, *, bare: bool) -> PaintedDie:
    """A die of the style in one hand, a Challenge Die's 1 and 2 without a frame; `bare`: with one of these up."""
    face = int(rng.integers(1, 3)) if bare else None
    kind = DieKind.CHALLENGE if style == "challenge" else DieKind.D6
    while True:
        die = cube_die(rng, fonts, kind, face, hand)
        if style in {"challenge", die.style}:
            break
    if style != "challenge":
        return die
    letters = {
        side: Lettering(numeral(fonts, hand, value, marked=False), int(rng.integers(4)))
        for side, value in die.values.items()
        if value in (1, 2)
    }
    return replace(die, letters={**die.letters, **letters})


if __name__ == "__main__":
    sys.exit(main())
