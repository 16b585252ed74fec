"""From frames to throws: one reading a throw, none twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.dice import Box, DieKind, DieReading, DieState, SourceKind, Symbol
from rules.words import Phrase
from tests.vision.toys import BlobReader, FragileReader, frames, rolling, still, tray
from vision.errors import NO_WORDS, ReaderFailedError
from vision.ports import Frame, Pixels, Survey
from vision.watch.throws import EventKind, ThrowEvent, ThrowTracker, as_given, same_dice, vote

ONE = (300, 200, 7)
TWO = (450, 100, 12)
SEVEN = DieReading(DieKind.D20, 7, 0.9, DieState.READ, SourceKind.CAMERA, box=Box(100, 100, 50, 50))


def play(tracker: ThrowTracker, pictures: list[Pixels], *, begin: float = 0.0) -> list[ThrowEvent]:
    return [event for frame in frames(pictures, begin=begin) for event in tracker.feed(frame)]


def outcomes(events: list[ThrowEvent]) -> list[list[int | str | None]]:
    return [
        [die.face for die in event.dice] for event in events if event.kind in (EventKind.READING, EventKind.CLEARED)
    ]


def test_each_throw_is_read_once_and_an_emptied_tray_is_said_once() -> None:
    pictures = [*still(15), *rolling(10), *still(30, ONE), *rolling(10), *still(15, ONE, TWO), *rolling(5), *still(40)]
    events = play(ThrowTracker(BlobReader()), pictures)
    assert outcomes(events) == [[7], [7, 12], []]
    assert [event.kind for event in events].count(EventKind.SETTLED) == 4


def test_a_hand_that_passes_does_not_repeat_the_throw() -> None:
    hand = [tray(ONE, (20 * step, 20, 3), seed=step) for step in range(10)]
    events = play(ThrowTracker(BlobReader()), [*still(15, ONE), *hand, *still(15, ONE)])
    assert outcomes(events) == [[7]]
    assert [event.kind for event in events][-1] is EventKind.SETTLED


def test_a_lamp_does_not_repeat_the_throw() -> None:
    events = play(ThrowTracker(BlobReader()), [*still(15, ONE, light=0.6), *still(15, ONE, light=1.1)])
    assert outcomes(events) == [[7]]


def test_a_nudged_die_is_a_new_reading() -> None:
    pictures = [*still(15, ONE), *still(15, (312, 204, 7)), *still(15, (312, 204, 12))]
    assert outcomes(play(ThrowTracker(BlobReader()), pictures)) == [[7], [7], [12]]


def test_a_reading_says_whether_its_faces_lay_there_before() -> None:
    pictures = [
        *still(15, ONE),
        *still(15, (312, 204, 7)),
        *still(15, (312, 204, 12)),
        *rolling(5),
        *still(20),
        *still(15, (200, 150, 12)),
    ]
    events = play(ThrowTracker(BlobReader()), pictures)
    told = [(event.lay_before, len(event.dice)) for event in events if event.kind is EventKind.READING]
    assert told == [(False, 1), (True, 1), (False, 1), (False, 1)]


def test_only_dice_that_lay_there_before_anything_moved_were_found() -> None:
    found = play(ThrowTracker(BlobReader()), [*still(15, ONE, light=0.6), *still(15, ONE, light=1.1), *still(15, TWO)])
    thrown = play(ThrowTracker(BlobReader()), [*still(15), *rolling(10), *still(30, ONE)])
    told = [[event.found for event in one if event.kind is EventKind.READING] for one in (found, thrown)]
    assert told == [[True, False], [False]]


def test_a_die_that_is_taken_away_or_added_is_a_new_reading_of_all() -> None:
    pictures = [*still(15, ONE, TWO), *still(15, ONE), *still(15, ONE, (100, 80, 3))]
    assert outcomes(play(ThrowTracker(BlobReader()), pictures)) == [[7, 12], [7], [3, 7]]


def test_dice_that_lay_while_the_camera_was_away_are_not_said_again() -> None:
    tracker = ThrowTracker(BlobReader())
    first = play(tracker, still(15, ONE))
    tracker.restart()
    assert (outcomes(first), outcomes(play(tracker, still(15, ONE), begin=60))) == ([[7]], [])
    tracker.restart()
    assert outcomes(play(tracker, still(15, TWO), begin=90)) == [[12]]


def test_each_still_of_a_collection_is_a_throw_of_its_own() -> None:
    tracker = ThrowTracker(BlobReader())
    events: list[ThrowEvent] = []
    picture = tray(ONE)
    for number in range(3):
        for tick in range(10):
            events += tracker.feed(Frame(picture, number, number + tick / 10, scene=number))
    assert outcomes(events) == [[7], [7], [7]]
    assert [event.frame.index for event in events if event.kind is EventKind.READING] == [0, 1, 2]


def test_a_doubt_is_settled_by_other_frames_of_the_same_rest() -> None:
    reader = BlobReader(doubts=1)
    assert outcomes(play(ThrowTracker(reader), still(15, ONE))) == [[7]]
    assert reader.asked == 3


def test_a_lasting_doubt_stays_a_doubt() -> None:
    events = play(ThrowTracker(BlobReader(doubts=2)), still(15, ONE))
    assert outcomes(events) == [[None]]


class Undecided(BlobReader):
    """Tells the same cubes as d6s and as Challenge Dice in turn, as a 1 or 2 may be told by what lies beside it."""

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        kind = DieKind.CHALLENGE if self.asked % 2 else DieKind.D6
        return tuple(replace(die, kind=kind) for die in super().read(picture))


def test_a_1_or_2_that_is_told_as_of_another_kind_is_no_new_throw() -> None:
    pictures = [*still(15, (300, 200, 1), (450, 100, 2)), *rolling(5), *still(15, (300, 200, 1), (450, 100, 2))]
    reader = Undecided()
    events = play(ThrowTracker(reader), pictures)
    assert (outcomes(events), reader.asked) == ([[1, 2]], 2)
    moved = play(ThrowTracker(Undecided()), [*still(15, (300, 200, 1)), *still(15, (400, 200, 1))])
    assert [event.lay_before for event in moved if event.kind is EventKind.READING] == [False, True]


def test_a_doubt_is_settled_by_pictures_that_show_a_1_of_either_kind() -> None:
    class Doubtful(Undecided):
        def read(self, picture: Pixels) -> tuple[DieReading, ...]:
            dice = super().read(picture)
            return tuple(replace(die, face=None, state=DieState.DOUBTFUL) for die in dice) if self.asked == 1 else dice

    assert outcomes(play(ThrowTracker(Doubtful()), still(15, (300, 200, 1)))) == [[1]]


def test_a_die_in_a_hand_is_not_reported_until_it_is_let_go() -> None:
    class Hand(BlobReader):
        def read(self, picture: Pixels) -> tuple[DieReading, ...]:
            dice = super().read(picture)
            held = self.asked < 7
            return tuple(replace(die, state=DieState.IN_HAND, face=None) if held else die for die in dice)

    events = play(ThrowTracker(Hand()), still(60, ONE))
    assert outcomes(events) == [[7]]
    reading = next(event for event in events if event.kind is EventKind.READING)
    assert reading.frame.t > 0.7


def test_a_reader_that_breaks_is_named_and_the_next_throw_is_read() -> None:
    tracker = ThrowTracker(FragileReader())
    with pytest.raises(ReaderFailedError, match="Start trueroll again") as failed:
        play(tracker, still(15, ONE))
    assert "of a sort" in failed.value.cause
    assert outcomes(play(tracker, [*rolling(5), *still(15, TWO)], begin=1.0)) == [[12]]


class Unteachable(BlobReader):
    """One that fails at learning from a throw, in one way or the other."""

    def remember(self, picture: Pixels, told: Survey) -> Phrase:
        del picture
        if told.dice[0].face == 3:
            raise ReaderFailedError(ValueError("no lesson"))
        raise ZeroDivisionError("of a sort")


def test_what_fails_beside_a_throw_never_costs_it_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    tracker = ThrowTracker(Unteachable())
    events = play(tracker, [*still(15, ONE), *still(15, (100, 80, 3)), *still(15, TWO)])
    assert (outcomes(events), tracker.camera_moved) == ([[7], [3], [12]], NO_WORDS)
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_the_same_dice_are_the_same_in_any_order_and_others_are_not() -> None:
    other = replace(SEVEN, box=Box(300, 100, 50, 50), face=3)
    assert same_dice([SEVEN, other], [other, SEVEN])
    assert same_dice([SEVEN], [replace(SEVEN, box=Box(103, 98, 51, 50))])
    assert not same_dice([SEVEN], [replace(SEVEN, box=Box(110, 100, 50, 50))])
    assert not same_dice([SEVEN], [replace(SEVEN, face=8)])
    assert not same_dice([SEVEN], [SEVEN, other])
    assert not same_dice([SEVEN], [replace(SEVEN, kind=DieKind.D6, face=6)])


def test_only_faces_that_both_cubes_have_are_the_same() -> None:
    two, challenge = replace(SEVEN, kind=DieKind.D6, face=2), replace(SEVEN, kind=DieKind.CHALLENGE, face=2)
    unknown = replace(challenge, face=None, state=DieState.DOUBTFUL)
    assert same_dice([two], [challenge])
    assert same_dice([two], [unknown])
    assert not same_dice([two], [replace(challenge, face=1)])
    assert not same_dice([two], [replace(two, kind=DieKind.D20)])
    assert not same_dice([replace(two, face=5)], [replace(challenge, face=Symbol.EFFECT)])
    assert not same_dice([replace(two, face=5)], [unknown])
    assert not same_dice([replace(two, face=5)], [replace(two, face=6)])


def test_a_die_that_becomes_known_is_news_and_one_that_becomes_doubtful_is_not() -> None:
    cocked = replace(SEVEN, face=None, state=DieState.COCKED)
    assert not same_dice([cocked], [SEVEN])
    assert same_dice([SEVEN], [cocked])


def test_votes_need_two_that_agree_and_none_that_differs() -> None:
    doubtful = replace(SEVEN, face=None, confidence=0.4, state=DieState.DOUBTFUL)
    sure = replace(SEVEN, confidence=0.95, box=Box(101, 100, 50, 50))
    assert vote([doubtful], [[sure], [SEVEN]]) == (SEVEN,)
    assert vote([doubtful], [[sure]]) == (doubtful,)
    assert vote([doubtful], [[sure], [replace(SEVEN, face=8)], [SEVEN]]) == (doubtful,)
    cube = replace(doubtful, kind=DieKind.D6)
    five, effect = replace(sure, kind=DieKind.D6, face=5), replace(sure, kind=DieKind.CHALLENGE, face=Symbol.EFFECT)
    assert vote([cube], [[effect], [effect]]) == (cube,)
    assert vote([cube], [[five], [replace(five, face=6)]]) == (cube,)
    assert vote([SEVEN], [[replace(SEVEN, face=8)], [replace(SEVEN, face=8)]]) == (SEVEN,)


def test_boxes_of_a_reduced_picture_are_led_back() -> None:
    frame = Frame(tray(), 0, 0.0, zoom=2.0)
    assert as_given([SEVEN], frame)[0].box == Box(200, 200, 100, 100)
