"""The plain dialect: its lines and its rolls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.plain import MOST_DICE, QUIET, LineFinder, PlainBook, PlainDie, PlainLine, PlainWord, parse_line
from rules.dice import DieKind, DieState, Symbol


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"d20 17", PlainDie(DieKind.D20, 17)),
        (b"  D20\t17 ", PlainDie(DieKind.D20, 17)),
        (b"challenge effect", PlainDie(DieKind.CHALLENGE, Symbol.EFFECT)),
        (b"Challenge BLANK", PlainDie(DieKind.CHALLENGE, Symbol.BLANK)),
        (b"challenge 2", PlainDie(DieKind.CHALLENGE, 2)),
        (b"d6 6", PlainDie(DieKind.D6, 6)),
        (b"rolling", PlainWord.ROLLING),
        (b" Clear", PlainWord.CLEAR),
    ],
)
def test_lines_of_the_dialect(line: bytes, said: PlainLine) -> None:
    assert parse_line(line) == said


@pytest.mark.parametrize(
    "line",
    [b"", b"d20", b"d20 0", b"d20 21", b"d20 117", b"d20 -1", b"d20 1.5", b"d2017", b"20 17", b"d20 17 3",
     b"d20 effect", b"challenge 3", b"challenge", b"d6 7", b"d12 3", b"roll", b"d20 17\x00", b"\xffd20 17",
     "d20 \u0661".encode()],
)  # fmt: skip
def test_lines_that_are_none(line: bytes) -> None:
    assert parse_line(line) is None


@given(st.binary(max_size=200), st.integers(1, 7))
def test_any_bytes_are_taken_and_splitting_changes_nothing(data: bytes, size: int) -> None:
    whole, split = LineFinder(), LineFinder()
    expected = whole.feed(data)
    found = [line for start in range(0, len(data), size) for line in split.feed(data[start : start + size])]
    assert found == expected
    assert split.ignored == whole.ignored


def test_line_ends_of_every_system_and_noise_between() -> None:
    finder = LineFinder()
    assert finder.feed(b"d20 1\nd20 2\r\nd20 3\r" + b"x" * 1000 + b"\n\xff\xfe d20 4\nclear\n") == [
        PlainDie(DieKind.D20, 1),
        PlainDie(DieKind.D20, 2),
        PlainDie(DieKind.D20, 3),
        PlainWord.CLEAR,
    ]
    assert finder.ignored == 2


def test_a_roll_ends_with_quiet_and_is_weak() -> None:
    book = PlainBook("s")
    book.take(PlainDie(DieKind.D20, 17), 0.0)
    book.take(PlainDie(DieKind.CHALLENGE, Symbol.EFFECT), 0.3)
    assert book.tick(0.3 + QUIET - 0.01) is None
    reading = book.tick(0.3 + QUIET)
    assert reading is not None
    assert [die.face for die in reading.dice] == [17, Symbol.EFFECT]
    assert all(die.weak and die.state is DieState.READ and die.confidence < 1 for die in reading.dice)
    assert book.tick(9.0) is None


def test_rolling_withdraws_what_was_not_reported() -> None:
    book = PlainBook("s")
    book.take(PlainDie(DieKind.D20, 17), 0.0)
    book.take(PlainWord.ROLLING, 0.1)
    assert book.tick(5.0) is None
    book.take(PlainDie(DieKind.D20, 4), 6.0)
    reading = book.tick(7.0)
    assert reading is not None
    assert [die.face for die in reading.dice] == [4]


def test_clear_is_told_once_and_rolls_have_names_of_their_own() -> None:
    book = PlainBook("s")
    assert book.take(PlainWord.CLEAR, 0.0) is None
    book.take(PlainDie(DieKind.D20, 17), 0.0)
    first = book.tick(1.0)
    cleared = book.take(PlainWord.CLEAR, 2.0)
    assert book.take(PlainWord.CLEAR, 3.0) is None
    book.take(PlainDie(DieKind.D20, 17), 4.0)
    second = book.tick(5.0)
    assert first is not None
    assert cleared is not None
    assert second is not None
    assert cleared.dice == ()
    assert len({first.reading_id, cleared.reading_id, second.reading_id}) == 3


def test_a_stuck_tray_is_cut_off() -> None:
    book = PlainBook("s")
    for number in range(1000):
        book.take(PlainDie(DieKind.D20, 1), number / 1000)
    reading = book.tick(9.0)
    assert reading is not None
    assert len(reading.dice) == MOST_DICE
