"""A network tells dice that lean from dice that lie as their pose says: a leaning one is hardly ever read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.dice import DieKind, DieState
from tests.bench.vision_causes import MIXES, Seen, looked_at
from vision.read.evidence import Evidence
from vision.read.reader import load_reader
from vision.training.glyphs import Fonts

SEEDS = range(7_320_000, 7_320_006)
LEANS = 15.0
"""A die that leans by more degrees lies on something; a tray may be as uneven as half of that."""


@pytest.fixture(scope="module")
def trays() -> list[Seen]:
    """Dice of three mixes on worn and shiny trays, of which every third leans by 4 to 40 degrees."""
    reader, mixes = load_reader(), list(MIXES.values())
    seen: list[Seen] = []
    for seed in SEEDS:
        dice, _ = looked_at(reader, seed, Fonts(), weather=True, cocked=0.35, mix=mixes[seed % len(mixes)])
        seen += [one for one in dice if one.kind is not None]
    return seen


def test_what_leans_is_not_read(trays: list[Seen]) -> None:
    leaning = [one for one in trays if one.lean > LEANS]
    assert len(leaning) > 8
    assert sum(one.read for one in leaning) <= 1


def test_what_lies_flat_is_read_as_before(trays: list[Seen]) -> None:
    flat = [one for one in trays if one.lean < 1.0]
    assert len(flat) > 20
    cocked = [one for one in flat if one.found is not None and one.found.reading.state is DieState.COCKED]
    assert not cocked
    assert sum(one.read for one in flat) > 0.75 * len(flat)
    assert not any(one.wrong for one in flat)


@pytest.mark.parametrize(("leans", "sure"), [(0.0, True), (0.02, True), (0.2, False), (0.9, False)])
def test_the_chance_that_it_leans_is_a_doubt(leans: float, *, sure: bool) -> None:
    evidence = Evidence(DieKind.CHALLENGE, 0.99, leans=leans)
    assert evidence.sure() is sure
    assert evidence.main_doubt() == ("" if sure else "it may lean on something")
    assert replace(evidence, leans=0.0).confidence() * (1 - leans) == pytest.approx(evidence.confidence())
