"""The bench that weighs what the second witness says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.dice import DieKind, DieState, Face
from tests.bench.vision_witness import Doubted, lines, unweighed, weights
from vision.read import witness
from vision.read.detection import Detection
from vision.read.evidence import Evidence
from vision.read.reader import load_reader
from vision.read.thresholds import RECOGNISED
from vision.training.scenes import scene


@pytest.fixture(scope="module")
def seen() -> Detection:
    (die,) = load_reader().look(scene(41, (DieKind.D20,)).picture).found
    return die


def doubted(seen: Detection, face: int, own: dict[int, float], told: dict[int, float]) -> Doubted:
    """A d20 whose face alone is in doubt, the chances of the own networks, and what the witness says."""
    printed = np.zeros(21)
    for number, chance in told.items():
        printed[number - 1] = chance
    chances: dict[Face, float] = {number: own.get(number, 0.0) for number in range(1, 21)}
    verdict = replace(seen.verdict, chances=chances, printed=tuple(printed.tolist()))
    reading = replace(seen.reading, state=DieState.DOUBTFUL, face=None)
    return Doubted(
        face, replace(seen, verdict=verdict, reading=reading, evidence=Evidence(DieKind.D20, max(own.values())))
    )


def test_what_is_up_and_what_else_is_possible_are_counted_by_what_is_said_of_them(seen: Detection) -> None:
    dice = [doubted(seen, 17, {17: 0.7, 7: 0.2, 3: 0.001}, {17: 0.9, 7: 0.05, 3: 0.9})]
    up, others, odds = weights(dice)
    assert up.tolist() == [0, 0, 0, 0, 0, 1]
    assert others.tolist() == [0, 1, 0, 0, 0, 0], "a 3 is not possible"
    assert odds[5] > 0 > odds[1]
    assert len(odds) == len(RECOGNISED)


def test_the_table_tells_what_is_called_without_and_with_it(seen: Detection) -> None:
    sure = Doubted(seen.verdict.best[0], seen)
    wrong = doubted(seen, 10, {18: 0.9, 10: 0.05}, {18: 0.95})
    dice = [sure, doubted(seen, 17, {17: 0.7}, {17: 0.9}), wrong, doubted(seen, 5, {5: 0.6, 8: 0.3}, {8: 0.9})]
    *_, row = lines(dice)
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:3] == ["4", "3", "1 (25.0%)"]
    assert cells[3].startswith("0 (")
    assert cells[4] == "3 (75.0%)"
    assert cells[5].startswith("1 (")


def test_while_it_is_measured_its_word_weighs_nothing() -> None:
    inside = [witness.odds_of([0.9] * 20).max() for _ in unweighed([[]])]
    assert inside == [1.0]
    assert witness.odds_of([0.9] * 20).max() > 1
