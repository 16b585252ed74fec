"""Real photographs beside the repository: where they are, what lies in them, and how the reader's dice match.

They are no part of the project. TRUEROLL_PHOTOS names their folder; without it `../shared/photos` is tried.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rules.dice import Box, DieKind, DieReading, DieState

FOLDER = Path(os.environ.get("TRUEROLL_PHOTOS", Path(__file__).parents[2].parent / "shared" / "photos"))
ABSENT = f"no photographs at {FOLDER} (TRUEROLL_PHOTOS names their folder)"


@dataclass(frozen=True)
class Photograph:
    """One line of the index: `kind` is None for dice that trueroll does not read and for empty trays."""

    file: Path
    kind: DieKind | None
    value: int | None
    box: Box | None
    die: str
    view: str


def photographs() -> list[Photograph]:
    """The index, in its order."""
    rows = [json.loads(line) for line in (FOLDER / "index.jsonl").read_text().splitlines()]
    return [
        Photograph(
            file=FOLDER / row["image"],
            kind=DieKind(row["kind"]) if row["kind"] in {"d20", "d6"} else None,
            value=row["value"],
            box=Box(*row["box"]) if row["box"] else None,
            die=row["die"],
            view=row["view"],
        )
        for row in rows
    ]


def tally(photograph: Photograph, dice: Sequence[DieReading]) -> Counter[str]:
    """How one picture went: dice, found, read, right, wrong, missed, false (read where there is no such die)."""
    count: Counter[str] = Counter()
    if photograph.kind is None:
        count["false"] = sum(die.state is DieState.READ for die in dice)
        return count
    count["dice"] = 1
    if photograph.box is None:
        true = max(dice, key=lambda die: die.box.width if die.box else 0, default=None)
    else:
        true = max(dice, key=lambda die: overlap(photograph.box, die.box), default=None)
        true = true if true is not None and overlap(photograph.box, true.box) > 0.3 else None
    count["false"] = sum(die.state is DieState.READ for die in dice if die is not true)
    if true is None:
        count["missed"] = 1
        return count
    count["found"] = 1
    if true.state is DieState.READ:
        count["read"] = 1
        count["right" if (true.kind, true.face) == (photograph.kind, photograph.value) else "wrong"] = 1
    return count


def overlap(one: Box | None, other: Box | None) -> float:
    """The boxes' shared area as a part of their joint area."""
    if one is None or other is None:
        return 0.0
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    shared = max(0, wide) * max(0, high)
    return shared / (one.width * one.height + other.width * other.height - shared)
