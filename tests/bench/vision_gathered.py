"""What the reader holds of many rendered dice, kept in a file: what `tests.bench.vision_thresholds` weighs.

Five mixes of dice by turns on plain trays, worn, shiny ones on any surface, and these under a harsh camera: d20s,
cubes, and cubes of another game with signs of families never taught. Everything follows from the tray's number.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

import numpy as np

from rules.dice import DieKind, DieState, Face
from tests.bench.own_scenes import owned, throw
from tests.bench.vision_causes import AT_REST, looked_at
from vision.pose.networks import MODELS
from vision.read.detection import Detection
from vision.read.evidence import Evidence
from vision.read.reader import PictureReader
from vision.training.glyphs import Fonts


class Sort(StrEnum):
    """What lies on a tray."""

    D20S = "d20"
    CUBES = "cubes"
    STRANGE = "strange"


class Setting(StrEnum):
    """How hard a tray is to read."""

    PLAIN = "plain"
    WORN = "worn"
    HARSH = "harsh"


FIRST_SEEDS: Final = {Sort.D20S: 1_200_000, Sort.CUBES: 1_300_000, Sort.STRANGE: 1_400_000}
_D20, _CHALLENGE, _D6 = DieKind.D20, DieKind.CHALLENGE, DieKind.D6
_MIXES: Final[dict[Sort, tuple[tuple[DieKind | None, ...], ...]]] = {
    Sort.D20S: ((_D20,) * 8, (_D20,) * 5, (*(_D20,) * 5, None), (_D20,) * 2, (_D20,)),
    Sort.CUBES: (
        (_CHALLENGE, _D6) * 4,
        (_CHALLENGE,) * 5,
        (*(_CHALLENGE, _D6) * 3, None),
        (_D6,) * 2,
        (_CHALLENGE,),
    ),
}
_OF_CUBES: Final = frozenset({"cubes", "sides"})
_STRANGERS: Final = 6
"""Dice of another game on one tray."""
_KEEP_EVERY: Final = 25
"""Trays after which what was gathered is written to its file."""


@dataclass(frozen=True)
class Told:
    """One die that lay there, or a thing that did not, and what the reader holds of it.

    `kind` and `face` are its own (None for what trueroll does not read, or what leans); `read_as` and `guess` are what
    the reader holds likeliest, and `evidence` what that is founded on (None where the die was missed or is hidden).
    """

    sort: Sort
    tray: int
    setting: Setting
    kind: DieKind | None = None
    face: Face | None = None
    read_as: DieKind | None = None
    guess: Face | None = None
    state: DieState | None = None
    evidence: Evidence | None = None

    @property
    def right(self) -> bool:
        """Whether its likeliest face is the one that is up."""
        return self.kind is not None and (self.read_as, self.guess) == (self.kind, self.face)

    def by(self, found: Detection | None) -> Told:
        """The same with what the reader holds of it."""
        if found is None:
            return self
        kind, (face, _) = found.verdict.kind, found.verdict.best
        return replace(self, read_as=kind, guess=face, state=found.reading.state, evidence=found.evidence)


Gathered = dict[tuple[str, Sort, int], tuple[Told, ...]]
"""By the fingerprint of code, networks and fonts, the sort and the tray's number."""


def fingerprint(fonts: Sequence[Path], sort: Sort, vision: Path = MODELS.parent) -> str:
    """What tells these fonts, the code of `vision` and its networks that read such trays from others.

    Some networks read cubes alone: where they change, what was held of d20s still counts.
    """
    whole = hashlib.sha256("\n".join(file.name for file in fonts).encode())
    networks = (file for file in vision.glob("models/*.onnx") if sort is not Sort.D20S or file.stem not in _OF_CUBES)
    for file in (*sorted(vision.rglob("*.py")), *sorted(networks)):
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()[:16]


def gather(
    reader: PictureReader,
    fonts: Sequence[Path],
    trays: dict[Sort, int],
    file: Path | None,
    say: Callable[[str], None] = lambda _: None,
) -> list[Told]:
    """That number of trays of each sort, from the file, or read and added to it."""
    known: Gathered = pickle.loads(file.read_bytes()) if file is not None and file.is_file() else {}  # noqa: S301 - a file of one's own
    prints = {sort: fingerprint(fonts, sort) for sort in trays}
    lettering = Fonts(fonts)
    start, fresh = time.monotonic(), 0
    for sort, count in trays.items():
        for number in range(count):
            key = (prints[sort], sort, number)
            if key in known:
                continue
            known[key] = tuple(
                _strangers(reader, number) if sort is Sort.STRANGE else _tray(reader, lettering, sort, number)
            )
            fresh += 1
            if file is not None and fresh % _KEEP_EVERY == 0:
                _keep(known, file)
                say(f"{sort}: {number + 1} of {count} trays, {time.monotonic() - start:.0f} s")
    if file is not None and fresh:
        _keep(known, file)
    return [one for sort, count in trays.items() for n in range(count) for one in known[prints[sort], sort, n]]


def _keep(known: Gathered, file: Path) -> None:
    beside = file.with_suffix(".new")
    beside.write_bytes(pickle.dumps(known))
    beside.replace(file)


def _tray(reader: PictureReader, fonts: Fonts, sort: Sort, number: int) -> list[Told]:
    mixes = _MIXES[sort]
    mix, setting = mixes[number % len(mixes)], list(Setting)[number // len(mixes) % len(Setting)]
    weather, harsh = setting is Setting.WORN, setting is Setting.HARSH
    seen, beside = looked_at(reader, FIRST_SEEDS[sort] + number, fonts, weather=weather, harsh=harsh, mix=mix)
    nothing = Told(sort, number, setting)
    flat = [die.kind is not None and die.face is not None and die.lean < AT_REST for die in seen]
    dice = [
        (replace(nothing, kind=die.kind, face=die.face) if rests else nothing).by(die.found)
        for die, rests in zip(seen, flat, strict=True)
        if rests or die.found is not None
    ]
    return dice + [nothing.by(found) for found in beside]


def _strangers(reader: PictureReader, number: int) -> list[Told]:
    rng = np.random.default_rng(FIRST_SEEDS[Sort.STRANGE] + number)
    dice = [owned("other game", rng, Fonts()) for _ in range(_STRANGERS)]
    return [Told(Sort.STRANGE, number, Setting.PLAIN).by(found) for found in reader.look(throw(rng, dice)[0]).found]
