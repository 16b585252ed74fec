"""`python -m tests.bench.vision_witness --fonts FOLDER`: what the second witness says of d20s whose face is in doubt.

Worn and harsh trays in fonts kept back from teaching, or with `--traced FOLDER` path-traced ones. The witness is asked
as in reading, and its word weighed as nothing, so that the chances are those of the own networks alone. The first table
counts what it says for the number that is up and for others that the own networks hold possible, and what that weighs;
the second how many dice are called without it and with it, and how many of those wrongly. `--roman` asks of dice with
Roman numerals, of which none may be called.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from unittest import mock

import cv2
import numpy as np

from rules.dice import DieKind, DieState, Face
from tests.bench.own_scenes import owned, throw
from tests.bench.vision_causes import AT_REST, looked_at
from tests.bench.vision_charts import likely_share
from tests.bench.vision_ray_traced import traced
from vision.pose.geometry import Array
from vision.read import witness
from vision.read.detection import Detection
from vision.read.reader import PictureReader, load_reader
from vision.read.thresholds import RECOGNISED
from vision.training.__main__ import fonts_for
from vision.training.glyphs import Fonts

FIRST_SEED: Final = 5_200_000
FIRST_ROMAN: Final = 7_700_000
POSSIBLE: Final = 0.003
"""A number of this chance is one that the own networks hold possible."""
_MIXES: Final = ((DieKind.D20,) * 8, (DieKind.D20,) * 5, (*(DieKind.D20,) * 5, None))


@dataclass(frozen=True)
class Doubted:
    """A flat d20 that was found: the number that is up (None: it has none of them), and what was said of it."""

    face: Face | None
    found: Detection

    @property
    def asked(self) -> bool:
        """Whether the witness was asked."""
        return bool(self.found.verdict.printed)

    @property
    def called(self) -> bool:
        """Whether it is called `read` without the witness."""
        return self.found.reading.state is DieState.READ

    def with_witness(self) -> tuple[Face, bool]:
        """Its likeliest face with the witness, and whether it is called `read`."""
        verdict, evidence = self.found.verdict, self.found.evidence
        if not self.asked or evidence is None:
            return verdict.best[0], self.called
        chances = witness.heard(verdict.chances, np.array(verdict.printed))
        face = max(chances, key=lambda one: chances[one])
        return face, replace(evidence, face=chances[face]).sure()


def unweighed(trays: Iterable[list[Doubted]]) -> Iterator[list[Doubted]]:
    """Each tray's dice, read while the witness' word is weighed as nothing."""
    with mock.patch.object(witness, "RECOGNISED", ((0.0, 0.0),)):
        yield from trays


def rendered(reader: PictureReader, fonts: Fonts, trays: int) -> Iterator[list[Doubted]]:
    """A number of worn and harsh trays with d20s alone."""
    for number in range(trays):
        mix = _MIXES[number % len(_MIXES)]
        seen, _ = looked_at(reader, FIRST_SEED + number, fonts, weather=True, harsh=number % 2 == 0, mix=mix)
        flat = [die for die in seen if die.kind is DieKind.D20 and die.lean < AT_REST]
        yield [Doubted(die.face, die.found) for die in flat if die.found is not None and die.face is not None]


def path_traced(reader: PictureReader, folder: Path) -> Iterator[list[Doubted]]:
    """The legible d20s of a folder that `tests.bench.ray_traced` filled."""
    some = [one for one in traced(reader, folder) if one.legible and one.row and one.row["kind"] == DieKind.D20]
    yield [Doubted(one.row["value"], one.found) for one in some if one.row is not None and one.found is not None]


def roman(reader: PictureReader, throws: int) -> Iterator[list[Doubted]]:
    """A number of throws of four dice with Roman numerals."""
    for number in range(throws):
        rng = np.random.default_rng(FIRST_ROMAN + number)
        picture, *_ = throw(rng, [owned("roman", rng, Fonts()) for _ in range(4)])
        yield [Doubted(None, found) for found in reader.look(picture).found if found.verdict.kind is DieKind.D20]


def weights(dice: Sequence[Doubted]) -> Array:
    """By the steps of `RECOGNISED`: numbers that are up, others that are possible, and the log odds that this makes."""
    least = np.array([one for one, _ in RECOGNISED])
    counts: Array = np.zeros((2, len(least)))
    for one in dice:
        for number, said in enumerate(one.found.verdict.printed[:20], 1):
            if number == one.face or one.found.verdict.chances.get(number, 0.0) > POSSIBLE:
                counts[int(number != one.face), np.searchsorted(least, said, side="right") - 1] += 1
    shares = (counts + 0.5) / (counts + 0.5).sum(axis=1, keepdims=True)
    return np.vstack([counts, np.log(shares[0] / shares[1])])


def lines(dice: Sequence[Doubted]) -> Iterator[str]:
    """Both tables in Markdown."""
    asked = [one for one in dice if one.asked]
    yield "| the recogniser's chance | of what is up | of others | log odds | in use |"
    yield "|---|---|---|---|---|"
    for (least, odds), (up, others, here) in zip(RECOGNISED, weights(asked).T, strict=True):
        yield f"| from {least} | {up:.0f} | {others:.0f} | {here:+.2f} | {odds:+.1f} |"
    yield ""
    yield "| d20s found | asked of | called without | wrong | called with | wrong |"
    yield "|---|---|---|---|---|---|"
    before = [one.found.verdict.best[0] != one.face for one in dice if one.called]
    after = [face != one.face for one in dice for face, called in (one.with_witness(),) if called]
    cells = [len(dice), len(asked)]
    yield "| " + " | ".join(map(str, [*cells, *_share(before, dice), *_share(after, dice)])) + " |"


def _share(wrong: Sequence[bool], dice: Sequence[Doubted]) -> tuple[str, str]:
    low, high = likely_share(sum(wrong), max(1, len(wrong)))
    return f"{len(wrong)} ({len(wrong) / max(1, len(dice)):.1%})", f"{sum(wrong)} ({low:.1%} to {high:.1%})"


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_witness", description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="a folder of fonts; may be repeated")
    parser.add_argument("--trays", type=int, default=200)
    parser.add_argument("--traced", type=Path, help="a folder of path-traced trays instead")
    parser.add_argument("--roman", action="store_true", help="dice with Roman numerals instead")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    reader = load_reader()
    if chosen.traced is not None:
        trays = path_traced(reader, chosen.traced)
    elif chosen.roman:
        trays = roman(reader, chosen.trays)
    else:
        trays = rendered(reader, Fonts(fonts_for(chosen.fonts, kept_back=True)), chosen.trays)
    for line in lines([die for tray in unweighed(trays) for die in tray]):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
