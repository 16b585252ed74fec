"""Dice of kinds that trueroll does not read are named, and nobody takes them for dice that count."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import pytest

from kiosk.i18n.languages import Languages
from rules.dice import Box, DieReading, SourceState
from rules.words import Catalog, translated
from tests.vision.toys import BlobReader, rolling, still, tray
from tests.vision.watching import camera, watching
from vision.ports import Frame, Pixels, Survey, UncountedDie, surveyed
from vision.pose.geometry import Pose
from vision.pose.posing import OtherDie
from vision.read.reader import load_reader
from vision.read.uncounted import uncounted_in_words
from vision.table.setup import EmptyTray, TableSetup
from vision.training.scenes import scene
from vision.watch.throws import EventKind, ThrowEvent, ThrowTracker

BOX = Box(10, 20, 30, 40)
ONE = (300, 200, 7)


@cache
def german_words() -> Catalog:
    return Languages().language("de").catalog


def of(*kinds: str) -> list[UncountedDie]:
    return [UncountedDie(kind, BOX) for kind in kinds]


def test_a_reader_names_dice_of_other_kinds_and_reads_none_of_them() -> None:
    reader = load_reader()
    lying = scene(50, (None, None, None))  # a d8, a d10 and a d12, from left to right
    seen = reader.survey(lying.picture)
    assert seen.dice == reader.read(lying.picture) == ()
    assert [one.kind for one in seen.others] == ["d8", "d10", "d12"]
    for one, true in zip(seen.others, sorted(lying.dice, key=lambda die: die.centre), strict=True):
        assert abs(one.box.x + one.box.width / 2 - true.box.x - true.box.width / 2) < 8
        assert abs(one.box.y + one.box.height / 2 - true.box.y - true.box.height / 2) < 8
        assert 0.8 < one.box.width / true.box.width < 1.4


def test_boxes_are_in_pixels_of_a_large_picture_and_stay_inside_it() -> None:
    reader = load_reader()
    picture = scene(50, (None, None, None)).picture
    large = np.asarray(cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    small, twice = reader.survey(picture).others, reader.survey(large).others
    assert [one.kind for one in twice] == [one.kind for one in small]
    assert all(abs(two.box.x - 2 * one.box.x) < 12 for one, two in zip(small, twice, strict=True))
    assert all(two.box.x + two.box.width <= 2560 and two.box.y + two.box.height <= 1440 for two in twice)


def test_what_the_empty_tray_shows_too_is_not_named() -> None:
    picture = scene(50, (None, None, None)).picture
    reader = load_reader(table=TableSetup(empty=EmptyTray.of(picture)))
    assert reader.survey(picture).others == ()


@pytest.mark.parametrize(
    ("chance", "glance", "told"), [(0.99, 0.8, True), (0.9, 0.8, False), (0.99, 0.3, False), (0.99, 0.0, False)]
)
def test_what_may_be_a_coin_is_not_told(chance: float, glance: float, *, told: bool) -> None:
    assert OtherDie("d12", Pose((100, 100), 40, np.eye(3)), chance, glance).surely is told


def test_a_reader_that_knows_no_other_kinds_names_none() -> None:
    assert surveyed(BlobReader(), tray(ONE)).others == ()
    assert len(surveyed(BlobReader(), tray(ONE)).dice) == 1


@pytest.mark.parametrize(
    ("kinds", "words", "german"),
    [
        ((), "", ""),
        (("d8",), "A d8 lies there and is not counted.", "Ein W8 liegt da und zählt nicht."),
        (("d8", "d8"), "2 d8s lie there and are not counted.", "2 W8 liegen da und zählen nicht."),
        (
            ("d10", "d4", "d4"),
            "Dice of other kinds lie there and are not counted: d4 and d10.",
            "Würfel anderer Art liegen da und zählen nicht: W4 und W10.",
        ),
        (
            ("d10", "d4", "d12"),
            "Dice of several other kinds lie there and are not counted.",
            "Würfel mehrerer anderer Arten liegen da und zählen nicht.",
        ),
    ],
)
def test_people_are_told_in_one_sentence_in_their_language(kinds: Sequence[str], words: str, german: str) -> None:
    said = uncounted_in_words(of(*kinds))
    assert said == words
    assert translated(said, german_words()) == german


@dataclass
class Naming:
    """A reader of blobs that names what lies beside them, as long as it does."""

    others: tuple[UncountedDie, ...]

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        return BlobReader().read(picture)

    def survey(self, picture: Pixels) -> Survey:
        return Survey(self.read(picture), self.others)


def test_what_lies_beside_a_throw_is_told_with_it() -> None:
    events: list[ThrowEvent] = []
    tracker = ThrowTracker(Naming(tuple(of("d8"))))
    for number, picture in enumerate([*still(12), *rolling(6), *still(12, ONE)]):
        events += tracker.feed(Frame(picture, number, number / 20))
    reading = next(one for one in events if one.kind is EventKind.READING)
    assert [one.kind for one in reading.others] == ["d8"]
    assert tracker.others == reading.others
    assert all(not one.others for one in events if one is not reading)


def test_the_camera_says_it_quietly_once_and_takes_it_back() -> None:
    taken = threading.Event()
    reader = Naming(tuple(of("d8")))
    with watching(camera(*still(12, ONE), taken, *rolling(6), *still(20, ONE)), reader=reader) as (_, heard):
        heard.until(lambda: bool(heard.statuses[-1].notice) if heard.statuses else False)
        told = heard.statuses[-1]
        assert told.state is SourceState.READY
        assert told.notice == told.remedy == "A d8 lies there and is not counted."
        reader.others = ()
        taken.set()
        heard.until(lambda: not heard.statuses[-1].notice)
        assert heard.statuses[-1] == replace(told, notice="", remedy="")
        assert sum(bool(status.notice) for status in heard.statuses) == 1
        assert all(len(reading.dice) == 1 for reading in heard.readings)
