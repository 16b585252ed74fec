"""`python -m tests.bench.vision_thresholds --fonts FOLDER`: how sure is sure enough to call a die `read`.

The mark is one wrong die in `TARGET` called. On many rendered dice (`tests.bench.vision_gathered`) this tells for
each threshold what share is called, how many of those are wrong, and how many are to be expected.

Too few dice are wrong near a threshold to count them alone. So on one half of the trays the chance of being wrong is
fitted to the confidence (a logistic curve in its log odds: two numbers), and the other half tells how many wrong ones
this leaves among those called (`expected`). `upper` is its 95th percentile when the fit is made again and again on
trays drawn from the first half with replacement: how far off the two numbers may be. The other half stays as it is,
so that `upper` says neither how other dice would be called nor whether such a curve is the right one. `counted` is
the upper end of what the other half's own count allows (Wilson's interval at 95 %), where no curve is believed.

The margin: a threshold holds only if `upper` keeps the mark on the harsh trays by themselves, whose light, haste,
grain and lens are worse than those of the tray that people are asked for. With `--gathered FILE` what was looked at
is kept, and not looked at again; other code of `vision`, other networks or fonts have theirs beside it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind, DieState
from tests.bench.vision_charts import likely_share
from tests.bench.vision_gathered import Setting, Sort, Told, gather
from vision.pose.geometry import Array
from vision.read.evidence import Evidence
from vision.read.reader import load_reader
from vision.training.__main__ import fonts_for

TARGET: Final = 1000
"""The number of dice called `read` of which one may be wrong."""
CANDIDATES: Final = (0.8, 0.85, 0.88, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.995)
DRAWS: Final = 200
"""How often the curve is fitted anew for `upper`."""
_PERCENTILE: Final = 95
_FARTHEST: Final = 9.0
"""Log odds beyond this are as good as certainty."""
_RIDGE: Final = 0.05
"""How much the fit is held to the confidence itself, in dice: none were wrong at all in some draws."""
_STEPS: Final = 40

GROUPS: Final[Mapping[str, Callable[[Evidence], bool]]] = {
    "d20s": lambda one: one.kind is DieKind.D20,
    "cubes that show a face": lambda one: one.kind is not DieKind.D20 and not one.blank,
    "cubes taken for blank": lambda one: one.blank,
}


@dataclass(frozen=True)
class Held:
    """Some dice in columns: by tray, how sure the reader is (log odds and as it is), and whether it is wrong."""

    trays: Array
    odds: Array
    confidence: Array
    wrong: Array

    @classmethod
    def of(cls, dice: Sequence[Told]) -> Held:
        """Those of the dice that were found and not called cocked."""
        rows = [(die.tray, die.evidence.confidence(), not die.right) for die in dice if die.evidence is not None]
        trays, confidence, wrong = np.array(rows, np.float64).reshape(-1, 3).T
        limited = np.clip(confidence, 1e-6, 1 - 1e-6)
        odds = np.clip(np.log(limited / (1 - limited)), -_FARTHEST, _FARTHEST)
        return cls(trays, odds, confidence, wrong)

    def called(self, threshold: float) -> NDArray[np.bool_]:
        """Which are called `read` with this threshold."""
        result: NDArray[np.bool_] = self.confidence >= threshold
        return result

    def halved(self) -> bool:
        """Whether both halves of the trays have some."""
        return len(set((self.trays % 2).tolist())) > 1

    def rows(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Held:
        """Those of these numbers, or where this is true."""
        return Held(self.trays[chosen], self.odds[chosen], self.confidence[chosen], self.wrong[chosen])


@dataclass(frozen=True)
class Curve:
    """The chance of being wrong: `1 / (1 + exp(shift + slope * odds))`."""

    shift: float
    slope: float

    def wrong(self, odds: Array) -> Array:
        """By log odds of the confidence."""
        result: Array = 1 / (1 + np.exp(self.shift + self.slope * odds))
        return result


def fitted(held: Held) -> Curve:
    """The likeliest curve, held a little to the confidence as it is (shift 0, slope 1)."""
    columns = np.column_stack([np.ones_like(held.odds), held.odds])
    before, weights = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    right = 1 - held.wrong
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-columns @ weights))
        slope = columns.T @ (right - chance) - _RIDGE * (weights - before)
        bend = (columns * (chance * (1 - chance))[:, None]).T @ columns + _RIDGE * np.eye(2)
        step = np.linalg.solve(bend, slope)
        weights = weights + step * min(1.0, 1.0 / max(1e-9, float(np.abs(step).max())))
    return Curve(float(weights[0]), float(weights[1]))


def drawn(held: Held, rng: np.random.Generator) -> list[Curve]:
    """Curves fitted to trays drawn with replacement: how else it may be."""
    trays = np.unique(held.trays)
    places = [np.flatnonzero(held.trays == tray) for tray in trays]
    return [
        fitted(held.rows(np.concatenate([places[n] for n in rng.integers(0, len(places), len(places))])))
        for _ in range(DRAWS)
    ]


@dataclass(frozen=True)
class Row:
    """One threshold: dice called and wrong ones (of both halves), and wrong ones in `TARGET` by each estimate."""

    threshold: float
    called: int
    wrong: int
    expected: float
    upper: float
    counted: float

    @property
    def holds(self) -> bool:
        """Whether the mark is kept by the estimate and its upper end."""
        return max(self.expected, self.upper) <= 1


def rows(held: Held, thresholds: Sequence[float] = CANDIDATES) -> list[Row]:
    """Every threshold, the curves fitted on trays with even numbers, and tested on the others."""
    first = held.rows(held.trays % 2 == 0)
    other = held.rows(held.trays % 2 == 1)
    curve, curves = fitted(first), drawn(first, np.random.default_rng(1))
    result = []
    for threshold in thresholds:
        called = other.rows(other.called(threshold))
        odds, count = called.odds, max(1, len(called.odds))
        shares = [float(one.wrong(odds).sum()) / count for one in curves]
        wrong = int(called.wrong.sum())
        both = held.called(threshold)
        result.append(
            Row(
                threshold,
                int(both.sum()),
                int(held.wrong[both].sum()),
                TARGET * float(curve.wrong(odds).sum()) / count,
                TARGET * float(np.percentile(shares, _PERCENTILE)),
                TARGET * likely_share(wrong, count)[1],
            )
        )
    return result


def calibration(held: Held) -> tuple[Curve, float, float]:
    """The curve of one half, and of the other half how far confidence is off, as it is and after the curve."""
    curve = fitted(held.rows(held.trays % 2 == 0))
    other = held.rows(held.trays % 2 == 1)
    return curve, off(other.confidence, other.wrong), off(1 - curve.wrong(other.odds), other.wrong)


def off(confidence: Array, wrong: Array, bins: int = 10) -> float:
    """The expected calibration error, over equally full bins."""
    order = np.argsort(confidence)
    parts = np.array_split(np.column_stack([confidence[order], 1 - wrong[order]]), bins)
    gaps = [len(part) * abs(float(part[:, 0].mean() - part[:, 1].mean())) for part in parts if len(part)]
    return sum(gaps) / len(order)


def doubts(dice: Sequence[Told]) -> Iterator[str]:
    """For each doubt the dice that are not read for it alone, by whether that was well."""
    yield "| doubt | right, not read for it alone | wrong, not read for it alone | strange or no die, likewise |"
    yield "|---|---|---|---|"
    told: dict[str, list[int]] = {}
    for die in dice:
        evidence = die.evidence
        if evidence is None or die.state is DieState.COCKED or evidence.sure():
            continue
        for name, without in evidence.doubts():
            told.setdefault(name, [0, 0, 0])[0 if die.right else 1 if die.kind is not None else 2] += without.sure()
    for name, counts in told.items():
        yield _line((name, *counts))


def report(dice: Sequence[Told]) -> Iterator[str]:
    """All tables as lines of Markdown."""
    judged = [die for die in dice if die.evidence is not None and die.state is not DieState.COCKED]
    yield from shares([die for die in dice if die.kind is not None])
    for name, belongs in GROUPS.items():
        yield f"\n{name.capitalize()}:\n"
        yield from candidates([die for die in judged if die.evidence is not None and belongs(die.evidence)])
    yield ""
    yield from doubts(judged)


COLUMNS: Final = (
    "threshold",
    *(f"called, {one}" for one in Setting),
    "wrong, of all called",
    "expected in 1,000",
    "upper",
    "counted",
    "harsh alone: expected",
    "upper",
    "strange or no die called",
    "holds",
)


def candidates(group: Sequence[Told]) -> Iterator[str]:
    """What each threshold would do, and the lowest one that holds together with all above it."""
    flat = [die for die in group if die.kind is not None]
    by_setting = [Held.of([die for die in flat if die.setting is one]) for one in Setting]
    every, harsh = Held.of(flat), by_setting[list(Setting).index(Setting.HARSH)]
    none = Held.of([die for die in group if die.kind is None])
    if not all(one.halved() for one in by_setting):
        yield "(too few dice)"
        return
    curve, as_is, after = calibration(every)
    yield (
        f"{len(flat)} dice, {int(every.wrong.sum())} wrong; calibration error {as_is:.4f}, after the curve "
        f"(shift {curve.shift:.2f}, slope {curve.slope:.2f}) {after:.4f}\n"
    )
    yield _line(COLUMNS)
    yield "|---" * len(COLUMNS) + "|"
    lowest = None
    for row, hard in zip(rows(every), rows(harsh), strict=True):
        holds = row.holds and hard.holds
        lowest = (lowest or row.threshold) if holds else None
        called = [f"{one.called(row.threshold).mean():.1%}" for one in by_setting]
        estimates = [f"{one:.2f}" for one in (row.expected, row.upper, row.counted, hard.expected, hard.upper)]
        strange = f"{int(none.called(row.threshold).sum())} of {len(none.odds)}"
        yield _line(
            (row.threshold, *called, f"{row.wrong} of {row.called}", *estimates, strange, "yes" if holds else "no")
        )
    yield f"\nThe lowest threshold that holds, as all above it do: {lowest or 'none'}"


def shares(ours: Sequence[Told]) -> Iterator[str]:
    """What is called with the thresholds in use: of all trays, and of those on which nothing is fitted."""
    told = ("flat dice", "found", "likeliest face right", "called", "wrong")
    yield _line(("dice", *told, *(f"second half: {one}" for one in (told[0], *told[3:]))))
    yield "|---" * 9 + "|"
    for kind in DieKind:
        for setting in Setting:
            some = [die for die in ours if die.kind is kind and die.setting is setting]
            other = [die for die in some if die.tray % 2]
            if some and other:
                found = sum(die.state is not None for die in some) / len(some)
                right = sum(die.right for die in some) / len(some)
                cells = (f"{found:.1%}", f"{right:.1%}", *_called(some), len(other), *_called(other))
                yield _line((f"{kind}, {setting}", len(some), *cells))


def _called(dice: Sequence[Told]) -> tuple[str, int]:
    read = [
        die for die in dice if die.evidence is not None and die.state is not DieState.COCKED and die.evidence.sure()
    ]
    return f"{len(read) / len(dice):.1%}", sum(not die.right for die in read)


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> int:
    """Print the tables; 0 always: marks are for people to judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_thresholds", description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="a folder of fonts; may be repeated")
    parser.add_argument("--gathered", type=Path, help="a file that keeps what was looked at")
    for sort, count in ((Sort.D20S, 1500), (Sort.CUBES, 1500), (Sort.STRANGE, 150)):
        parser.add_argument(f"--{sort}", type=int, default=count, help=f"trays of this sort (default {count})")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    trays = {sort: getattr(chosen, sort) for sort in Sort}
    fonts = fonts_for(chosen.fonts, kept_back=True)

    def say(text: str) -> None:
        sys.stderr.write(text + "\n")

    for line in report(gather(load_reader(), fonts, trays, chosen.gathered, say)):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
