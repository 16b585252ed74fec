"""A camera that does not see says so within three seconds, once, and never of an innocent table.

The thresholds were chosen on `TUNED`; `HELD_OUT` tuned nothing. The short form plays one table of each, in turn.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Container, Iterable
from functools import cache

import cv2
import numpy as np
import pytest
from _pytest.mark import ParameterSet

from rules.dice import Box
from tests.vision.watch.seen_tables import (
    CALIBRATION,
    FAULT_AT,
    SIZE,
    Course,
    Kept,
    Table,
    course,
    evening,
    hand,
    noisy,
    once,
    thrown,
)
from vision.errors import BLIND, Blindness
from vision.frames.settling import look_at
from vision.ports import Frame, GoesOn, Pixels
from vision.watch.sight import Sight, view_of
from vision.watch.throws import EventKind

TUNED = (
    Table("plain", 1, rim=False),
    Table("rim", 2),
    Table("noisy and slow", 3, noise=6.0, fps=5.0),
    Table("dark blue", 4, colour=(50, 26, 16)),
    Table("plain dark blue", 4, rim=False, colour=(44, 24, 14)),
)
HELD_OUT = (
    Table("held out, navy", 25, colour=(64, 34, 22), noise=3.0, fps=5.0),
    Table("held out, plain", 22, rim=False, fps=12.0),
    Table("held out, noisy", 23, noise=5.0, fps=6.0),
    Table("held out, green", 24, colour=(40, 90, 30), noise=1.5, fps=15.0),
    Table("held out, wine", 26, colour=(30, 24, 84), noise=3.0),
    Table("held out, rim", 21),
)
TABLES = TUNED + HELD_OUT
LASTS = 5.0
"""Seconds for which a fault lasts."""
WITHIN = 3.0
"""Seconds within which it is told."""
BACK_WITHIN = 2.0
"""Seconds within which it is told that it is over."""

Shown = tuple[Pixels, tuple[Box, ...]]
Fault = Callable[[Pixels, float], Pixels]


@cache
def plain(*colour: int) -> Pixels:
    return np.full((SIZE[1], SIZE[0], 3), colour, np.uint8)


@cache
def palm() -> Pixels:
    """A hand on the lens: skin that glows where light comes through."""
    down, across = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    glow = 60 + 50 * np.exp(-((across - 300) ** 2 + (down - 500) ** 2) / 400_000)
    return np.stack([glow * 0.5, glow * 0.6, glow], axis=2).astype(np.uint8)


def flashing(hertz: float, dark: float) -> Fault:
    def shown(picture: Pixels, t: float) -> Pixels:
        return picture if math.sin(2 * math.pi * hertz * t) > 0 else lit(picture, dark)

    return shown


def blurred(pixels: float) -> Fault:
    soft = once(lambda picture: cv2.GaussianBlur(picture, (0, 0), pixels).astype(np.uint8))
    return lambda picture, _: soft(picture)


def turned(right: float, down: float, degrees: float) -> Fault:
    turn = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, 1)
    turn[:, 2] += np.array((right, down))
    pushed = once(lambda picture: cv2.warpAffine(picture, turn, SIZE, borderMode=cv2.BORDER_REFLECT).astype(np.uint8))
    return lambda picture, _: pushed(picture)


FAULTS: dict[str, tuple[Blindness, Fault]] = {
    "a lens cap": (Blindness.DARK, lambda _, __: plain(6, 5, 5)),
    "the light is out": (Blindness.DARK, lambda picture, _: (picture * 0.04).astype(np.uint8)),
    "a lamp into the lens": (Blindness.DAZZLED, lambda _, __: plain(255, 255, 255)),
    "a faulty lamp": (Blindness.FLASHING, flashing(2.3, 0.4)),
    "a slow faulty lamp": (Blindness.FLASHING, flashing(1.0, 0.55)),
    "a palm on the lens": (Blindness.COVERED, lambda _, __: palm()),
    "a cloth over the lens": (Blindness.COVERED, lambda _, __: plain(150, 120, 140)),
    "out of focus": (Blindness.BLURRED, blurred(6)),
    "far out of focus": (Blindness.BLURRED, blurred(11)),
    "pushed": (Blindness.MOVED, turned(70, 40, 0)),
    "turned": (Blindness.MOVED, turned(20, 10, 7)),
}


ALIKE = {"the light is out", "a slow faulty lamp", "a cloth over the lens", "far out of focus", "turned"}
"""Faults that are of one kind with another one: of each kind the short form has one."""

CONTAINED = {"an evening of throws", "the dice are taken away"}
"""What is part of another innocent table as well."""


def cases(names: Iterable[str], longer: Container[str]) -> list[ParameterSet]:
    """Cases by name; those in `longer` in the long form alone."""
    return [pytest.param(one, marks=[pytest.mark.long] if one in longer else []) for one in names]


def chosen(name: str, tables: tuple[Table, ...], *, whole: bool) -> tuple[Table, ...]:
    """All tables, or one of two."""
    return tables if whole else (tables[:: len(tables) - 1][sum(name.encode()) % 2],)


def with_fault(table: Table, fault: Fault) -> Course:
    """An evening, a fault for `LASTS` seconds while the dice lie there, and the same dice afterwards."""

    def shown(t: float) -> Shown:
        picture, boxes = thrown(table, 3)
        return (fault(picture, t) if t < FAULT_AT + LASTS else picture), boxes

    return course(table, FAULT_AT + LASTS + BACK_WITHIN + 0.5, shown, after_evening=True)


def told_and_over(found: Course, fault: Blindness) -> None:
    assert [one for _, one in found.told] == [fault, None], found.told
    (began, _), (ended, _) = found.told
    assert 0 <= began - FAULT_AT <= WITHIN
    assert 0 <= ended - FAULT_AT - LASTS <= BACK_WITHIN


@pytest.mark.parametrize("name", cases(FAULTS, ALIKE))
def test_a_fault_is_told_within_three_seconds_and_when_it_is_over(name: str, *, whole: bool) -> None:
    fault, made = FAULTS[name]
    tables = tuple(one for one in HELD_OUT if one.rim or fault is not Blindness.MOVED)
    for table in chosen(name, tables if not whole else (*TUNED[1:4], *tables), whole=whole):
        found = with_fault(table, made)
        told_and_over(found, fault)
        assert EventKind.CLEARED not in found.events, "a tray that was not seen was called empty"


@pytest.mark.parametrize("name", ["a lens cap", "a cloth over the lens", "a lamp into the lens"])
def test_what_comes_after_a_faulty_lamp_or_a_frozen_picture_is_told_as_soon(name: str, *, whole: bool) -> None:
    fault, made = FAULTS[name]
    table = HELD_OUT[0]
    for before in ("a faulty lamp", "frozen") if whole else ("a faulty lamp",):
        first = FAULTS[before][1] if before in FAULTS else (lambda picture, _: picture)

        def shown(t: float, first: Fault = first) -> Shown:
            picture, boxes = thrown(table, 3)
            return (first if t < FAULT_AT + LASTS else made)(picture, t), boxes

        frozen = (FAULT_AT, FAULT_AT + LASTS) if before == "frozen" else None
        found = course(table, FAULT_AT + LASTS + WITHIN + 0.5, shown, after_evening=True, frozen=frozen)
        at, what = found.told[-1]
        assert (len(found.told), what) == (2, fault)
        assert at - FAULT_AT - LASTS <= WITHIN


def test_a_camera_that_was_lost_and_comes_back_covered_is_told() -> None:
    """Nothing but what there was to see before tells it: it sees nothing of the table from its first picture on."""
    table, (_, cover) = HELD_OUT[0], FAULTS["a cloth over the lens"]

    def shown(t: float) -> Shown:
        picture, boxes = thrown(table, 3)
        return (cover(picture, t) if t < FAULT_AT + LASTS else picture), boxes

    found = course(table, FAULT_AT + LASTS + BACK_WITHIN + 0.5, shown, after_evening=True, lost_at=FAULT_AT)
    told_and_over(found, Blindness.COVERED)


def test_a_camera_that_was_lost_and_sees_an_empty_table_is_not_told() -> None:
    """With another exposure, too; and once a die comes, it is read."""
    table = HELD_OUT[0]

    def shown(t: float) -> Shown:
        picture, boxes = thrown(table, -1 if t < FAULT_AT + 4 else 2)
        return lit(picture, 0.7), boxes

    found = course(table, FAULT_AT + 7, shown, after_evening=True, lost_at=FAULT_AT)
    assert found.told == []
    assert found.events[-1] is EventKind.READING


def test_a_frozen_picture_is_told_and_when_it_goes_on(*, whole: bool) -> None:
    for table in chosen("frozen", TABLES, whole=whole):

        def shown(t: float, table: Table = table) -> Shown:
            return evening(table, t) if t < FAULT_AT - 1 else thrown(table, 3)

        found = course(
            table, FAULT_AT + LASTS + BACK_WITHIN + 0.5, shown, frozen=(FAULT_AT, FAULT_AT + LASTS), calibrated=False
        )
        told_and_over(found, Blindness.FROZEN)


def seen_when_calibrated(table: Table, *, dice: int = -1, light: float = 1.0) -> Kept:
    """What was kept of the one picture by which the camera was calibrated."""
    picture, boxes = thrown(table, dice)
    kept = Kept()
    kept.keep_view(CALIBRATION, view_of(noisy(table, lit(picture, light), 0), boxes))
    return kept


def seen_in_an_evening(table: Table, *, light: float = 1.0) -> Kept:
    """What an evening leaves of a calibration that is older than the view."""

    def shown(t: float) -> Shown:
        picture, boxes = evening(table, t)
        return lit(picture, light), boxes

    kept = Kept()
    course(table, FAULT_AT, shown, views=kept)
    assert kept.times == table.rim, "once it is known what lasts"
    assert (kept.view is not None and kept.view.lasting) == table.rim
    return kept


def moved_while_off(table: Table, made: Fault, kept: Kept, dice: int) -> Course:
    """A camera that was moved so before its first picture, and that is put back after `LASTS` seconds."""

    def shown(t: float) -> Shown:
        picture, boxes = thrown(table, dice)
        return (made(picture, t) if t < LASTS else picture), boxes

    return course(table, LASTS + BACK_WITHIN + 0.5, shown, views=kept)


@pytest.mark.parametrize(("name", "dice"), [("pushed", -1), ("turned", 2)])
def test_a_camera_that_was_moved_while_the_kiosk_was_off_is_told(name: str, dice: int, *, whole: bool) -> None:
    """Within three seconds from its first picture on; and when it stands as it did."""
    made = FAULTS[name][1]
    for table in [one for one in TABLES if one.rim] if whole else HELD_OUT[-1:]:
        calibrated = [seen_when_calibrated(table, dice=1)] if whole or dice > 0 else []
        for kept in (*calibrated, *([seen_in_an_evening(table)] if whole or not calibrated else [])):
            found = moved_while_off(table, made, kept, dice)
            assert [one for _, one in found.told] == [Blindness.MOVED, None], (table.name, found.told)
            assert found.told[0][0] <= WITHIN
            assert found.told[1][0] - LASTS <= BACK_WITHIN


def test_a_camera_that_is_moved_after_its_first_rest_is_told() -> None:
    """Its calibration is older than the view: one rest of ten seconds is enough, with dice or without."""
    table, made = HELD_OUT[-1], FAULTS["pushed"][1]

    def shown(t: float) -> Shown:
        picture, boxes = thrown(table, -1)
        return (made(picture, t) if t >= FAULT_AT else picture), boxes

    found = course(table, FAULT_AT + WITHIN, shown, views=Kept())
    assert [one for _, one in found.told] == [Blindness.MOVED]
    assert found.told[0][0] - FAULT_AT <= WITHIN


@pytest.mark.parametrize("before", ["calibrated", "an evening"])
def test_another_evening_at_the_same_place_is_not_told(before: str, *, whole: bool) -> None:
    """With other light, other dice, hands and paper."""
    for table in TABLES if whole else HELD_OUT[-1:]:
        for name in INNOCENT if whole else ["a sheet of paper is laid down"]:
            seen = seen_when_calibrated(table, dice=3, light=0.6) if before == "calibrated" else None
            kept = seen or seen_in_an_evening(table, light=1.4)
            innocent = INNOCENT[name](table)

            def shown(t: float, innocent: Callable[[float], Shown] = innocent) -> Shown:
                return innocent(t + FAULT_AT)

            found = course(table, 9.0 if whole else 4.0, shown, views=kept)
            assert found.told == [], (table.name, name, found.told)


def test_paper_in_the_picture_by_which_a_camera_was_calibrated_is_no_part_of_the_table() -> None:
    table = HELD_OUT[-1]
    kept = Kept()
    kept.keep_view(CALIBRATION, view_of(paper(thrown(table, -1)[0]), ()))
    assert course(table, FAULT_AT, lambda t: evening(table, t), views=kept).told == []


def after(table: Table, then: Callable[[float, Pixels], Pixels], *, dice: int | None = 3) -> Callable[[float], Shown]:
    """What `then` makes of a throw (or of the evening) so many seconds after `FAULT_AT`."""

    def shown(t: float) -> Shown:
        picture, boxes = evening(table, t) if dice is None else thrown(table, dice)
        return then(t - FAULT_AT, picture), boxes

    return shown


@once
def lit(picture: Pixels, share: float) -> Pixels:
    return np.asarray(np.clip(picture * share, 0, 255), np.uint8)


def large_hand(picture: Pixels) -> Pixels:
    shown = picture.copy()
    cv2.rectangle(shown, (150, 100), (SIZE[0], 600), (120, 150, 200), -1)
    for finger in range(5):
        cv2.line(shown, (150, 180 + 80 * finger), (700, 170 + 80 * finger), (90, 110, 150), 4, cv2.LINE_AA)
    return shown


def paper(picture: Pixels) -> Pixels:
    shown = picture.copy()
    cv2.rectangle(shown, (300, 150), (900, 600), (235, 240, 240), -1)
    for line in range(12):
        cv2.putText(shown, f"Trait {line}", (320, 190 + line * 34), 0, 0.8, (40, 40, 40), 1, cv2.LINE_AA)
    return shown


EMPTY = "an empty tray"
"""The one innocent table that nobody played at before."""

INNOCENT: dict[str, Callable[[Table], Callable[[float], Shown]]] = {
    "an evening of throws": lambda table: lambda t: evening(table, t),
    EMPTY: lambda table: lambda _: (thrown(table, -1)[0], ()),
    "a hand over the tray for 5 s": lambda table: after(
        table, lambda u, picture: hand(picture, 900 + 20 * math.sin(9 * u)) if u < 5 else picture
    ),
    "a hand that rests on most of the tray for 5 s": lambda table: after(
        table, lambda u, picture: large_hand(picture) if u < 5 else picture
    ),
    "somebody points at the dice, then throws": lambda table: after(
        table, lambda u, picture: hand(picture, 600) if u % 1.5 < 0.7 and u < 6 else picture, dice=None
    ),
    "a lamp is switched on": lambda table: after(
        table, lambda u, picture: lit(picture, 0.6 if u < 1 else 1.0), dice=None
    ),
    "a lamp is switched off, another one stays": lambda table: after(
        table, lambda _, picture: lit(picture, 0.6), dice=None
    ),
    "the camera sets its exposure slowly": lambda table: after(
        table,
        lambda u, picture: lit(picture, 1 + 2.2 * math.exp(-2 * u) if u < 3 else 1 - 0.8 * math.exp(-1.8 * (u - 3))),
        dice=None,
    ),
    "the dice are taken away": lambda table: after(table, lambda _, picture: picture, dice=-1),
    "the dice are taken away and a lamp is lit": lambda table: after(
        table, lambda u, picture: picture if u < 2 else lit(picture, 1.6), dice=-1
    ),
    "a sheet of paper is laid down": lambda table: after(table, lambda _, picture: paper(picture)),
    "a photographer's flash": lambda table: after(
        table, lambda u, picture: lit(picture, 3.0) if u < 1 and int(u * 10) % 2 == 0 else picture
    ),
}


@pytest.mark.parametrize("name", cases(INNOCENT, CONTAINED))
def test_an_innocent_table_is_never_told(name: str, *, whole: bool) -> None:
    for table in chosen(name, HELD_OUT if not whole else TABLES, whole=whole):
        found = course(table, FAULT_AT + 7, INNOCENT[name](table), after_evening=name != EMPTY)
        assert found.told == [], (table.name, found.told)


@pytest.mark.long
def test_a_table_at_rest_for_ten_minutes_is_never_told(*, whole: bool) -> None:
    assert whole
    for table in (HELD_OUT[1], HELD_OUT[4]):

        def still(_: float, table: Table = table) -> Shown:
            return thrown(table, 2)

        assert course(table, 600, still).told == []


def still_stream(sight: Sight, pictures: list[Pixels], seconds: float, begin: float, goes_on: GoesOn) -> set[object]:
    """What is told of small pictures at rest, four a second, over and over."""
    told: set[object] = set()
    looks = [look_at(one) for one in pictures]
    for number in range(round(seconds * 4)):
        place = number % len(pictures)
        frame = Frame(pictures[place], number, begin + number / 4, goes_on=goes_on)
        sight.feed(frame, looks[place], noise=1.0, at_rest=True)
        told.add(sight.fault)
    return told


def test_dice_on_a_table_whose_patterned_mat_was_taken_away_are_read() -> None:
    """A mat has so much to see that a die is next to nothing beside it: it is enough that one comes into view."""
    table = Table("a mat", 22, rim=False)
    mat = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    rng = np.random.default_rng(5)
    for _ in range(700):
        middle = (int(rng.integers(0, SIZE[0])), int(rng.integers(0, SIZE[1])))
        shade = rng.integers(20, 230, 3).tolist()
        cv2.circle(mat, middle, int(rng.integers(10, 40)), shade, 3)
    bare = thrown(table, -1)[0]

    def with_die(under: Pixels, throw: int) -> Shown:
        picture, (box, *_) = thrown(table, throw)
        spot = (slice(box.y, box.y + box.height), slice(box.x, box.x + box.width))
        shown = under.copy()
        shown[spot] = picture[spot]
        return shown, (box,)

    on_mat = [with_die(np.where(mat.max(axis=2, keepdims=True) > 0, mat, bare), throw) for throw in range(3)]
    on_table = with_die(bare, 0)

    def shown(t: float) -> Shown:
        if t < 6:
            return on_mat[int(t // 2)]
        if t < 7 or 10 <= t < 10.6 or 13 <= t < 13.6:
            return hand(bare, 700), ()
        return on_table if 10 <= t < 13 else (bare, ())

    found = course(table, 17, shown, calibrated=False)
    assert found.faults == [Blindness.COVERED], "a cloth over all of it looks the same, an emptied table does not"
    assert found.told[-1][1] is None
    assert found.events.count(EventKind.READING) == len(on_mat) + 1


def test_a_picture_without_noise_is_a_still_one_and_not_frozen(*, whole: bool) -> None:
    rest = 600.0 if whole else 60.0
    table = HELD_OUT[0]
    clean = thrown(table, 1)[0]
    alive = [noisy(table, clean, number) for number in range(4)]
    assert still_stream(Sight(), [clean], 60, 0, GoesOn.BY_ITSELF) == {None}
    seen = Sight()
    assert still_stream(seen, [clean, clean, clean, thrown(table, 2)[0]], 60, 0, GoesOn.BY_ITSELF) == {None}
    assert still_stream(seen, [clean], 60, 60, GoesOn.BY_ITSELF) == {None}, "a stream that repeats itself has no noise"
    for goes_on in (GoesOn.BY_ITSELF, GoesOn.STAGED):
        seen = Sight()
        assert still_stream(seen, alive, rest, 0, goes_on) == {None}, "minutes at rest"
        frozen = Blindness.FROZEN in still_stream(seen, [clean], 5, rest, goes_on)
        assert frozen == (goes_on is GoesOn.BY_ITSELF)


def test_pictures_that_somebody_put_there_are_not_judged() -> None:
    black = plain(0, 0, 0)
    assert still_stream(Sight(), [black], 5, 0, GoesOn.PUT_THERE) == {None}
    assert Blindness.DARK in still_stream(Sight(), [black], 5, 0, GoesOn.BY_ITSELF)


def test_each_fault_has_words() -> None:
    assert BLIND.keys() == set(Blindness)
    assert all(what for what, _ in BLIND.values())


def test_judging_costs_less_than_a_millisecond_a_picture() -> None:
    """It is compared with the look that each picture takes anyway: a clock alone would tell of the machine."""
    table, sight = HELD_OUT[0], Sight(lambda: table)
    pictures = [noisy(table, thrown(table, 1)[0], number) for number in range(4)]
    looks = [look_at(one) for one in pictures]
    for number in range(4):
        frame = Frame(pictures[number], number, number / 15)
        sight.feed(frame, looks[number], noise=2.0, at_rest=True)
        sight.learn(frame, looks[number], thrown(table, 1)[1])
    taken = []
    for _ in range(3):
        begun = time.thread_time()
        for number in range(60):
            sight.feed(Frame(pictures[number % 4], number, number / 15), looks[number % 4], noise=2.0, at_rest=True)
        between = time.thread_time()
        for number in range(60):
            look_at(pictures[number % 4])
        taken.append((between - begun) / (time.thread_time() - between))
    assert min(taken) < 2.0, taken
