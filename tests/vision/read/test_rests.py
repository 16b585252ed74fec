"""A network, and of d20s their faces, tell dice that lean from dice that lie as their pose says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rules.dice import DieKind, DieState
from tests.bench.vision_causes import MIXES, Seen, looked_at
from vision.frames.pictures import load_picture
from vision.read.evidence import Evidence
from vision.read.reader import load_reader
from vision.training.glyphs import Fonts

PICTURES = Path(__file__).parents[1] / "pictures"
SEEDS = (7_321_003, 7_321_010, 7_321_014)
"""Trays on each of which a cube that leans is read without the network."""
LEANS = 15.0
"""A die that leans by more degrees lies on something; a tray may be as uneven as half of that."""


@pytest.fixture(scope="module")
def trays() -> list[Seen]:
    """Cubes on worn and shiny trays, of which every other one leans by 4 to 40 degrees."""
    reader = load_reader()
    return [
        one
        for seed in SEEDS
        for one in looked_at(reader, seed, Fonts(), weather=True, cocked=0.5, mix=MIXES["cubes"])[0]
    ]


def test_what_leans_is_not_read(trays: list[Seen]) -> None:
    leaning = [one for one in trays if one.lean > LEANS]
    assert len(leaning) > 8
    assert not any(one.read for one in leaning)


def test_what_lies_flat_is_read_as_before(trays: list[Seen]) -> None:
    found = [(one, one.found.evidence) for one in trays if one.lean < 1.0 and one.found is not None]
    before = [one for one, seen in found if seen is not None and replace(seen, leans=0.0).sure()]
    assert len(before) > 5
    assert all(one.read and one.right for one in before)


@pytest.mark.parametrize(("leans", "sure"), [(0.0, True), (0.02, True), (0.2, False), (0.9, False)])
def test_the_chance_that_it_leans_is_a_doubt(leans: float, *, sure: bool) -> None:
    evidence = Evidence(DieKind.CHALLENGE, 0.99, leans=leans)
    assert evidence.sure() is sure
    assert evidence.main_doubt() == ("" if sure else "it may lean on something")
    assert replace(evidence, leans=0.0).confidence() * (1 - leans) == pytest.approx(evidence.confidence())


def test_a_d20_that_stands_on_an_edge_is_asked_about_and_flat_dice_beside_it_are_read() -> None:
    picture = load_picture(PICTURES / "d20_on_edge.jpg").pixels
    dice = load_reader().read(picture)
    on_edge = [
        die for die in dice if die.kind is DieKind.D20 and die.box is not None and 18 in {g.face for g in die.guesses}
    ]
    assert [(die.state, die.face) for die in on_edge] == [(DieState.DOUBTFUL, None)]
    assert sorted(die.face for die in dice if die.state is DieState.READ and isinstance(die.face, int)) == [1, 2, 16]
