"""A tray's camera as the second view of the table's: one throw counts once, whoever sees it first, and is asked about
where the two differ."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.devices.second_view import ALIKE, DIFFER, MOST_NOTED, SAME_THROW, SecondView, joined
from rules.dice import Box, DieKind, DieReading, DieState, Face, Guess, Reading, SourceKind, Symbol
from rules.words import Phrase

CAMERA, TRAY = SourceKind.CAMERA, SourceKind.TRAY


def die(
    face: Face | None,
    *,
    source: SourceKind = CAMERA,
    kind: DieKind = DieKind.D20,
    confidence: float = 0.9,
    state: DieState | None = None,
    guesses: tuple[Guess, ...] = (),
) -> DieReading:
    given_state = state or (DieState.READ if face is not None else DieState.DOUBTFUL)
    shown = face if given_state is DieState.READ else None
    return DieReading(
        kind, shown, confidence, given_state, source, Box(1, 2, 3, 4), picture=f"{source}", guesses=guesses
    )


def reading(source: SourceKind, *dice: DieReading, name: str = "1", found: bool = False) -> Reading:
    return Reading(f"{source}:{name}", source, dice, found=found)


def both(camera: tuple[DieReading, ...], tray: tuple[DieReading, ...]) -> list[tuple[Face | None, DieState]]:
    made = joined(reading(CAMERA, *camera), reading(TRAY, *tray))
    assert (made.reading_id, made.source) == ("camera:1", CAMERA)
    return [(one.face, one.state) for one in made.dice]


def of_tray(*faces: Face | None) -> tuple[DieReading, ...]:
    return tuple(die(face, source=TRAY) for face in faces)


def test_what_both_read_alike_is_surer() -> None:
    made = joined(reading(CAMERA, die(17), die(3)), reading(TRAY, *of_tray(3, 17)))
    assert [(one.face, one.state) for one in made.dice] == [(17, DieState.READ), (3, DieState.READ)]
    assert [one.confidence for one in made.dice] == pytest.approx([0.99, 0.99])
    assert [one.picture for one in made.dice] == ["camera", "camera"]


def test_what_differs_is_asked_about_with_both_faces_to_choose() -> None:
    made = joined(reading(CAMERA, die(17), die(3)), reading(TRAY, *of_tray(17, 8)))
    assert [(one.face, one.state) for one in made.dice] == [(17, DieState.READ), (None, DieState.DOUBTFUL)]
    assert {guess.face for guess in made.dice[1].guesses} == {3, 8}


def test_a_die_that_one_cannot_read_is_read_by_the_other_unless_that_is_denied() -> None:
    likely = (Guess(6, 0.6), Guess(9, 0.4))
    assert both((die(None, guesses=likely), die(3)), of_tray(3, 9)) == [(9, DieState.READ), (3, DieState.READ)]
    assert both((die(9), die(3)), (die(None, source=TRAY, guesses=likely), *of_tray(3)))[0] == (9, DieState.READ)
    assert both((die(None, guesses=likely),), of_tray(1)) == [(None, DieState.DOUBTFUL)]
    assert both((die(None),), of_tray(1)) == [(1, DieState.READ)], "it has no word against it"
    assert both((die(None, guesses=likely),), (die(None, source=TRAY, guesses=likely),)) == [(None, DieState.DOUBTFUL)]


def test_what_leans_for_one_of_them_leans() -> None:
    leaning = die(None, source=TRAY, state=DieState.COCKED)
    assert both((die(17),), (leaning,)) == [(None, DieState.COCKED)]


def test_a_die_that_one_alone_sees_is_asked_about_and_one_in_a_hand_stays_so() -> None:
    hand = die(None, state=DieState.IN_HAND)
    assert both((die(17), hand), of_tray(17, 5)) == [
        (17, DieState.READ),
        (None, DieState.DOUBTFUL),
        (None, DieState.IN_HAND),
    ]
    assert both((die(17), die(5)), of_tray(17))[1] == (None, DieState.DOUBTFUL)


def test_a_six_sided_die_is_the_challenge_die_that_it_stands_in_for() -> None:
    cubes = (die(5, kind=DieKind.D6), die(1, kind=DieKind.D6))
    symbols = (
        die(Symbol.EFFECT, source=TRAY, kind=DieKind.CHALLENGE),
        die(1, source=TRAY, kind=DieKind.CHALLENGE),
    )
    assert both(cubes, symbols) == [(5, DieState.READ), (1, DieState.READ)]
    assert both((die(5),), (symbols[0],)) == [(None, DieState.DOUBTFUL)] * 2, "no d20 is a cube"


faces = st.lists(st.integers(1, 20), min_size=1, max_size=6)


@given(faces, faces)
def test_no_face_is_read_that_either_denies(mine: list[int], theirs: list[int]) -> None:
    made = joined(reading(CAMERA, *(die(face) for face in mine)), reading(TRAY, *of_tray(*theirs)))
    read = [one.face for one in made.dice if one.state is DieState.READ]
    assert sorted(read, key=str) == sorted(
        (face for face in set(mine) for _ in range(min(mine.count(face), theirs.count(face)))), key=str
    )
    assert len(made.dice) >= max(len(mine), len(theirs))


@given(faces.flatmap(lambda shown: st.tuples(st.just(shown), st.permutations(shown))))
def test_two_views_of_the_same_dice_ask_nothing_in_whatever_order(views: tuple[list[int], list[int]]) -> None:
    shown, other = views
    made = joined(reading(CAMERA, *(die(face) for face in shown)), reading(TRAY, *of_tray(*other)))
    assert [one.face for one in made.dice] == shown


class Table:
    """What reaches the table by way of both views; `now` is the time of both."""

    def __init__(self, patience: float = 30.0) -> None:
        self.readings: list[Reading] = []
        self.told: list[Phrase] = []
        self.now = 100.0
        self.ready = {CAMERA, TRAY}
        self.came = threading.Event()
        self.views = SecondView(
            self.take,
            sees=lambda kind: kind in self.ready,
            tell=lambda what, _: self.told.append(what),
            clock=lambda: self.now,
            patience=patience,
        )

    def take(self, reading: Reading) -> None:
        self.readings.append(reading)
        self.came.set()

    def camera(self, *seen: int, name: str = "1") -> None:
        self.views.report(reading(CAMERA, *(die(face) for face in seen), name=name))

    def tray(self, *seen: int, name: str = "1", at: float | None = None) -> None:
        self.views.noted(f"tray:{name}", self.now if at is None else at)
        self.views.report(reading(TRAY, *of_tray(*seen), name=name))

    @property
    def shown(self) -> list[list[Face | None]]:
        return [[one.face for one in reading.dice] for reading in self.readings]


@pytest.mark.parametrize("first", ["camera", "tray"])
def test_a_throw_that_both_see_is_one_reading_by_the_cameras_name(first: str) -> None:
    table = Table()
    steps: list[Callable[[], None]] = [lambda: table.camera(4, 13), lambda: table.tray(13, 4)]
    for step in steps if first == "camera" else steps[::-1]:
        step()
        table.now += 0.4
    assert table.shown == [[4, 13]]
    assert table.readings[0].reading_id == "camera:1"


def test_one_whose_other_is_not_there_waits_for_nobody() -> None:
    table = Table()
    table.ready = {CAMERA}
    table.camera(4)
    assert table.shown == [[4]]
    table.ready = {TRAY}
    table.now += 10
    table.tray(5)
    assert table.shown == [[4], [5]]


def test_a_view_that_does_not_come_is_waited_for_no_longer_than_a_moment() -> None:
    table = Table(patience=0.05)
    start = time.monotonic()
    table.camera(4)
    assert table.shown == []
    assert table.came.wait(10)
    assert time.monotonic() - start >= 0.05
    table.now += SAME_THROW / 2
    table.tray(4)
    assert table.shown == [[4]], "it came late, and sees the same"
    assert table.told == []


def test_a_late_view_that_differs_never_counts_and_is_told_until_both_agree() -> None:
    table = Table(patience=0.01)
    table.camera(4)
    assert table.came.wait(10)
    table.tray(7)
    assert table.shown == [[4]]
    assert table.told == [DIFFER]
    table.now += 60
    table.came.clear()
    table.views._patience = 30.0  # noqa: SLF001 - both are quick this time
    table.camera(9, name="2")
    table.tray(9, name="2")
    assert table.shown == [[4], [9]]
    assert table.told == [DIFFER, ALIKE]


def test_throws_that_lie_apart_in_time_are_two() -> None:
    table = Table()
    table.camera(4)
    table.now += SAME_THROW + 1
    table.tray(7)
    assert table.shown == [[4]], "the first waits no more"
    table.camera(7, name="2")
    assert table.shown == [[4], [7]]


def test_a_slow_wire_brings_the_view_of_the_throw_that_it_was_announced_for() -> None:
    """13 s at 115,200 Bd: by then another throw may lie there."""
    table = Table(patience=0.01)
    table.camera(4)
    assert table.came.wait(10)
    announced = table.now
    table.now += 13
    table.tray(4, at=announced)
    assert table.shown == [[4]]


def test_a_slow_view_does_not_count_again_after_another_throw() -> None:
    table = Table(patience=30.0)
    table.camera(4)
    announced = table.now
    table.now += SAME_THROW + 1
    table.camera(9, name="2")
    table.ready = {CAMERA}
    table.now += 10
    table.tray(4, at=announced)
    table.views.stop()
    assert table.shown == [[4], [9]]


def test_a_throw_that_waits_comes_before_the_tray_that_is_empty_after_it() -> None:
    table = Table()
    table.camera(4)
    table.camera(name="2")
    table.tray(4, name="2")
    assert table.shown == [[4], []], "its other view comes late"


def test_tags_a_cleared_tray_and_other_sources_go_their_way_at_once() -> None:
    table = Table()
    table.views.report(reading(TRAY, *of_tray(5)))
    table.views.report(reading(TRAY, name="2"))
    table.views.report(reading(SourceKind.PHONE, die(6, source=SourceKind.PHONE)))
    assert table.shown == [[5], [], [6]]
    for number in range(3 * MOST_NOTED):
        table.views.noted(str(number), 0.0)
    assert len(table.views._noted) == MOST_NOTED  # noqa: SLF001 - what never comes is not kept for ever


def test_nothing_that_waits_is_lost_when_the_kiosk_ends() -> None:
    table = Table()
    table.camera(4)
    table.views.stop()
    assert table.shown == [[4]]


def test_every_order_of_two_throws_counts_each_once() -> None:
    steps = ("camera 1", "tray 1", "camera 2", "tray 2")
    for order in permutations(steps):
        if order.index("camera 1") > order.index("camera 2") or order.index("tray 1") > order.index("tray 2"):
            continue  # each source tells its own throws in order
        table = Table(patience=0.0)
        for step in order:
            source, number = step.split()
            at = 100.0 + 10 * int(number)
            table.now = at
            if source == "camera":
                table.camera(int(number), name=number)
            else:
                table.tray(int(number), name=number, at=at)
            time.sleep(0.01)
        seen = [face for faces in table.shown for face in faces]
        assert sorted(face for face in seen if face is not None) == [1, 2], order
