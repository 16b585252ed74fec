"""Floors on real photographs of dice that the networks have never seen; left out, aloud, where there are none."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

from rules.dice import DieReading
from tests.vision.photographs import ABSENT, FOLDER, Photograph, photographs, tally
from vision.frames.pictures import load_picture
from vision.read.reader import load_reader

pytestmark = pytest.mark.skipif(not (FOLDER / "index.jsonl").is_file(), reason=ABSENT)


Counts = dict[tuple[str, str], Counter[str]]
"""What came of the photographs of each die in each view."""


@cache
def read(file: Path) -> tuple[DieReading, ...]:
    """What is read of a picture, for all who ask."""
    return load_reader().read(load_picture(file).pixels)


@pytest.fixture(scope="module")
def shown(*, whole: bool) -> list[Photograph]:
    """All photographs, of a turntable every fourth; in the short form a sixth of all."""
    still = [one for one in photographs() if not one.die.startswith("ucffool")]
    turning = [one for one in photographs() if one.die.startswith("ucffool")]
    every = 1 if whole else 6
    return [*still[::every], *turning[:: 4 * every]]  # frames that follow each other are nearly the same


@pytest.fixture(scope="module")
def counts(shown: list[Photograph]) -> Counts:
    """How often each die was seen in each view, and what came of it."""
    result: Counts = defaultdict(Counter)
    for photograph in shown:
        result[photograph.die, photograph.view] += tally(photograph, read(photograph.file))
    return result


def test_no_die_on_any_photograph_is_read_wrongly(counts: Counts) -> None:
    assert sum(count["wrong"] for count in counts.values()) == 0


def test_nothing_else_is_read(counts: Counts) -> None:
    assert sum(count["false"] for count in counts.values()) == 0


def test_beside_a_single_die_nothing_else_is_asked_about(shown: list[Photograph]) -> None:
    dice = [one for one in shown if one.die in {"dicetower-D20", "dicetower-D6"} and one.kind is not None]
    several = [one.file.name for one in dice if len(read(one.file)) != 1]
    assert dice
    assert several == []


def test_bare_wood_beside_the_tray_is_no_blank_die(shown: list[Photograph]) -> None:
    wooden = [one for one in shown if one.die in {"dicetower-d12", "dicetower-d100", "dicetower-background"}]
    assert wooden
    assert {one.file.name for one in wooden if read(one.file)} == set()


def test_every_die_seen_from_above_is_found(counts: Counts) -> None:
    assert {key: count["missed"] for key, count in counts.items() if key[1] == "overhead" and count["missed"]} == {}


@pytest.mark.parametrize(
    ("die", "view", "share"),
    [
        ("dicetower-D20", "overhead", 18 / 20),
        ("dicetower-D6", "overhead", 4 / 6),
        ("diceview-dark", "overhead", 18 / 20),
        ("ucffool-orange", "overhead", 7 / 8),
        ("ucffool-black-dragon", "overhead", 4 / 5),
    ],
)
def test_most_dice_seen_from_above_are_read(counts: Counts, die: str, view: str, share: float) -> None:
    count = counts[die, view]
    assert count["dice"]
    assert count["right"] >= share * count["dice"]
