"""From DIE and ROLL_END to readings."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.messages import Die, KindCode, RollEnd, StateCode
from firmware_bridge.rolls import (
    DOUBLINGS,
    PATIENCE,
    RollBook,
    TrayIdentity,
    die_reading,
    face_code,
    is_newer,
    roll_digest,
)
from rules.dice import FACES, DieKind, DieState, Doubt, Guess, Reading, Symbol

D20 = Die(1, 1, 0, 0xABC, KindCode.D20, 17, StateCode.SETTLED, 100, 0, 0)
EFFECT = Die(2, 1, 1, 0, KindCode.CHALLENGE, 4, StateCode.SETTLED, 100, 0, 0)


def end_of(*dice: Die, event: int = 3, roll: int = 1) -> RollEnd:
    return RollEnd(event, roll, len(dice), roll_digest(dice))


def book() -> RollBook:
    return RollBook(TrayIdentity(0x11, 0x22))


def feed(book: RollBook, *messages: Die | RollEnd, now: float = 0.0) -> list[Reading]:
    return [reading for reading in (book.take(message, now) for message in messages) if reading is not None]


@pytest.mark.parametrize("order", list(itertools.permutations([D20, EFFECT, end_of(D20, EFFECT)])))
def test_a_roll_is_complete_in_whatever_order_its_parts_come(order: tuple[Die | RollEnd, ...]) -> None:
    (reading,) = feed(book(), *order, *order)
    assert reading.reading_id == "tray:00000011:00000022:1:3"
    assert [(die.kind, die.face, die.die_id) for die in reading.dice] == [
        (DieKind.D20, 17, "00000abc"),
        (DieKind.CHALLENGE, Symbol.EFFECT, None),
    ]
    assert all(not die.weak and die.confidence == 1.0 for die in reading.dice)


def test_nothing_while_a_die_is_missing_or_another_than_the_tray_closed_the_roll_with() -> None:
    assert feed(book(), D20, end_of(D20, EFFECT)) == []
    assert feed(book(), replace(D20, face=16), EFFECT, end_of(D20, EFFECT)) == []


def test_an_older_event_repeated_late_does_not_set_a_die_rolling_again() -> None:
    rolling = replace(D20, event=1, state=StateCode.ROLLING)
    settled = replace(D20, event=2)
    assert len(feed(book(), settled, rolling, end_of(settled))) == 1


@pytest.mark.parametrize("places", [(0, 1), (0, 2, 3)])
def test_one_die_in_several_places_is_one_die_that_is_asked_about(places: tuple[int, ...]) -> None:
    lying = [replace(D20, event=2 + place, slot=place, face=place + 1) for place in places]
    (reading,) = feed(book(), *lying, end_of(*lying, event=9))
    assert [(die.die_id, die.state, die.face) for die in reading.dice] == [("00000abc", DieState.COCKED, None)]


def test_dice_without_a_number_are_as_many_as_their_places() -> None:
    lying = [replace(EFFECT, event=2 + place, slot=place) for place in range(3)]
    (reading,) = feed(book(), *lying, end_of(*lying, event=9))
    assert [die.face for die in reading.dice] == [Symbol.EFFECT] * 3


def test_a_die_that_still_rolls_in_one_of_its_places_is_not_read() -> None:
    rolling = replace(D20, event=5, slot=3, state=StateCode.ROLLING, face=0)
    assert feed(book(), D20, rolling, end_of(D20, rolling, event=9)) == []


def test_a_later_change_of_the_same_roll_is_another_reading() -> None:
    lying = book()
    first = feed(lying, D20, EFFECT, end_of(D20, EFFECT))
    cocked = replace(EFFECT, event=4, state=StateCode.COCKED)
    second = feed(lying, cocked, end_of(D20, cocked, event=5))
    assert [die.state for die in second[0].dice] == [DieState.READ, DieState.COCKED]
    assert second[0].dice[1].face is None
    assert first[0].reading_id != second[0].reading_id


def test_a_cleared_tray_is_an_empty_reading() -> None:
    lying = book()
    feed(lying, D20, end_of(D20))
    gone = replace(D20, event=4, state=StateCode.REMOVED)
    (reading,) = feed(lying, gone, end_of(event=5))
    assert reading.dice == ()


def test_dice_that_lay_there_at_the_start_are_never_a_reading() -> None:
    lying = replace(D20, roll=0)
    assert feed(book(), lying, end_of(lying, roll=0)) == []


def test_what_settled_before_the_host_was_there_was_found() -> None:
    met_at = 0xFFFF_FFF0  # the tray's clock is about to wrap
    before, after = replace(D20, device_time=met_at - 9_000), replace(EFFECT, device_time=300)
    known = (RollBook(TrayIdentity(1, 2), met_at), RollBook(TrayIdentity(1, 2), met_at), RollBook(TrayIdentity(1, 2)))
    thrown = (feed(known[0], before, end_of(before)), feed(known[1], before, after, end_of(before, after)))
    assert [[one.found for one in each] for each in thrown] == [[True], [False]]
    assert [one.found for one in feed(known[2], D20, end_of(D20))] == [False], "a tray that tells no time"


def test_a_die_still_rolling_is_never_reported_even_if_the_tray_says_the_roll_is_over() -> None:
    rolling = replace(D20, state=StateCode.ROLLING)
    assert feed(book(), rolling, end_of(rolling)) == []


def test_missing_dice_are_asked_for_and_a_damaged_one_is_replaced() -> None:
    lying = book()
    wrong = replace(D20, face=16)  # passed its checksum by chance
    assert feed(lying, wrong, EFFECT, end_of(D20, EFFECT), now=10.0) == []
    assert lying.ask_at == 10.0 + PATIENCE
    lying.start_anew(11.0)
    (reading,) = feed(lying, D20, EFFECT, end_of(D20, EFFECT), now=11.1)
    assert reading.dice[0].face == 17
    assert lying.ask_at is None


def test_asking_anew_grows_rare_and_never_ends() -> None:
    lying, now = book(), 0.0
    feed(lying, D20, end_of(D20, EFFECT), now=now)
    waits: list[float] = []
    for _ in range(DOUBLINGS + 3):
        assert lying.ask_at is not None
        waits.append(lying.ask_at - now)
        now = lying.ask_at
        lying.start_anew(now)
        feed(lying, D20, end_of(D20, EFFECT), now=now)
    assert waits == [PATIENCE * factor for factor in (1, 2, 4, 8, 16, 32, 32, 32)]


def test_asking_anew_does_not_report_a_roll_twice() -> None:
    lying = book()
    assert len(feed(lying, D20, end_of(D20))) == 1
    lying.start_anew(5.0)
    assert feed(lying, D20, end_of(D20), now=5.0) == []


def test_a_roll_whose_end_has_the_number_of_an_old_one_after_the_numbers_wrapped_counts() -> None:
    one = book()
    assert len(feed(one, D20, end_of(D20, event=2))) == 1
    for event in range(3, 0x10000, 0x1000):  # the numbers go once around, with few rolls among them
        feed(one, replace(D20, event=event, state=StateCode.HANDLING))
    for event in range(0x10000 - 1100, 0x10000):
        feed(one, replace(D20, event=event, state=StateCode.HANDLING))
    again = replace(D20, event=1, roll=900)
    assert [reading.reading_id[-5:] for reading in feed(one, again, end_of(again, event=2, roll=900))] == ["900:2"]


def test_a_die_of_unknown_kind_is_left_out_and_counted() -> None:
    strange = replace(EFFECT, kind=9)
    lying = book()
    (reading,) = feed(lying, D20, strange, end_of(D20, strange))
    assert len(reading.dice) == 1
    assert lying.unknown_kinds == 1


@pytest.mark.parametrize(
    ("die", "state", "guesses"),
    [
        (replace(D20, face=0), DieState.DOUBTFUL, ()),
        (replace(D20, face=21), DieState.DOUBTFUL, ()),
        (replace(EFFECT, face=5), DieState.DOUBTFUL, ()),
        (replace(D20, confidence=101), DieState.DOUBTFUL, ()),
        (replace(D20, confidence=89), DieState.DOUBTFUL, (Guess(17, 0.89),)),
        (replace(D20, state=StateCode.FAULT), DieState.DOUBTFUL, ()),
        (replace(D20, state=77), DieState.DOUBTFUL, ()),
        (replace(D20, state=StateCode.COCKED), DieState.COCKED, ()),
        (replace(D20, state=StateCode.HANDLING), DieState.IN_HAND, ()),
        (replace(D20, state=StateCode.ROLLING), DieState.MOVING, ()),
    ],
)
def test_what_is_not_sure_has_no_face(die: Die, state: DieState, guesses: tuple[Guess, ...]) -> None:
    reading = die_reading(die)
    assert reading is not None
    assert (reading.state, reading.face, reading.guesses) == (state, None, guesses)


@given(st.builds(Die, *[st.integers(0, 255)] * 10))
def test_every_die_that_can_come_over_the_wire_is_a_die_or_none(die: Die) -> None:
    reading = die_reading(die)
    assert (reading is None) == (die.kind not in tuple(KindCode))


@pytest.mark.parametrize("kind", list(DieKind))
def test_every_face_goes_over_the_wire_and_back(kind: DieKind) -> None:
    code = {DieKind.D20: 1, DieKind.CHALLENGE: 2, DieKind.D6: 3}[kind]
    for face in FACES[kind]:
        reading = die_reading(replace(D20, kind=code, face=face_code(kind, face)))
        assert reading is not None
        assert reading.face == face


@given(st.integers(0, 0xFFFF), st.integers(1, 0x7FFF))
def test_event_numbers_wrap(event: int, steps: int) -> None:
    later = (event + steps) & 0xFFFF
    assert is_newer(later, event)
    assert not is_newer(event, later)
    assert not is_newer(event, event)


@pytest.mark.parametrize(
    ("state", "kind", "die_id", "doubt"),
    [
        (StateCode.FAULT, KindCode.NOT_KNOWN, 9, Doubt.UNTAUGHT),
        (StateCode.FAULT, KindCode.NOT_KNOWN, 0, None),
        (StateCode.COCKED, KindCode.NOT_KNOWN, 0, Doubt.CROWDED),
        (StateCode.COCKED, KindCode.D20, 9, None),
        (StateCode.SETTLED, KindCode.D20, 9, None),
    ],
)
def test_why_a_die_shows_no_face_is_passed_on(
    state: StateCode, kind: KindCode, die_id: int, doubt: Doubt | None
) -> None:
    face = 17 if state == StateCode.SETTLED else 0
    read = die_reading(Die(1, 1, 0, die_id, kind, face, state, 100 if face else 0, 0, 0))
    assert read is not None
    assert read.doubt is doubt
