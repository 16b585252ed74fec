"""What ordinary throws tell of a camera that stands still: it is asked about less, and a wrong memory does no harm."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.dice import Box
from tests.bench.standing_camera import KINDS, tally, tray, watched
from tests.vision.carded import up_of
from tests.vision.toys import BlobReader, Script, rolling, still
from tests.vision.watching import watching
from vision.camera_memory import Backdrop, CameraMemory, Tops
from vision.errors import MOVED
from vision.follow import Follower
from vision.frames import open_source
from vision.geometry import Array
from vision.reader import PictureReader, load_reader
from vision.seams import Pixels, Survey
from vision.watcher import watch_events

LEANING = up_of(12, 8)
PICTURE = np.zeros((360, 640, 3), np.uint8)


def reader() -> PictureReader:
    """One of this test's own, which remembers nothing yet."""
    made = PictureReader(_loaded().networks)
    assert made.memory is None
    return made


@cache
def _loaded() -> PictureReader:
    return load_reader()


@cache
def taught() -> tuple[CameraMemory, Counter[str], Counter[str]]:
    """What twelve throws under a leaning camera teach, and how they were read without and with it."""
    eyes = reader()
    without, along = watched(eyes, LEANING, 12)
    assert not along["moved"]
    assert eyes.memory is not None
    return eyes.memory, without, along


def angle(one: Array, other: Array) -> float:
    return math.degrees(math.acos(float(np.clip(one @ other, -1, 1))))


@pytest.mark.slow
def test_a_stream_of_throws_under_a_leaning_camera_is_asked_about_less() -> None:
    memory, without, along = taught()
    assert without["wrong"] == along["wrong"] == 0
    assert along["dice"] == along["read"] + along["asked"] == without["read"] + without["asked"]
    assert along["asked"] < without["asked"]
    assert memory.up is not None
    assert angle(memory.up.direction, LEANING) < 3


@pytest.mark.slow
def test_a_moved_camera_forgets_says_so_once_and_learns_anew() -> None:
    eyes = reader()
    eyes.memory, _, _ = taught()
    moved = []
    for number in range(6):
        seen = tray(8000 + number, up_of(-6, 4), KINDS[2], rim=70)
        told = eyes.survey(seen.picture)
        assert tally(seen, told.dice)["wrong"] == 0
        moved.append(eyes.remember(seen.picture, told))
    assert moved == [True] + [False] * 5
    assert eyes.memory.up is not None
    assert angle(eyes.memory.up.direction, up_of(-6, 4)) < 4


@pytest.mark.slow
@pytest.mark.parametrize("rim", [40, 0], ids=["the same surroundings", "nothing to tell by"])
def test_a_wrong_memory_never_turns_a_question_into_a_wrong_reading(rim: int) -> None:
    """The camera of the memory leans otherwise by 20 degrees and more, and not even its surroundings tell."""
    eyes = reader()
    memory, _, _ = taught()
    for number in range(12):
        seen = tray(9000 + number, up_of(-8, -6), KINDS[number % 4], rim=rim)
        plain = reader().read(seen.picture)
        eyes.memory = memory
        told = tally(seen, eyes.survey(seen.picture).dice)
        assert told["wrong"] <= tally(seen, plain)["wrong"] == 0


def edged(shift: int = 0, light: float = 1.0) -> Pixels:
    """A tray's rim, shifted and in other light."""
    picture = np.full((360, 640, 3), 60, np.uint8)
    cv2.rectangle(picture, (60 + shift, 40 + shift), (580 + shift, 320 + shift), (190, 190, 190), 9)
    return (picture * light).astype(np.uint8)


def memory_of(throws: Sequence[Sequence[Array]], picture: Pixels = PICTURE) -> CameraMemory:
    return CameraMemory(tuple(Tops(tuple(one)) for one in throws), Backdrop.of(picture, ()))


def test_the_same_surroundings_are_known_in_other_light_and_behind_dice_and_another_place_is_told() -> None:
    kept = Backdrop.of(edged(), ())
    assert kept.stand(Backdrop.of(edged(light=0.5), ())) is True
    assert kept.stand(Backdrop.of(edged(shift=16), ())) is False
    covered = edged()
    covered[0:160, 0:160] = 255
    assert kept.stand(Backdrop.of(covered, (Box(20, 20, 90, 90),))) is True
    assert kept.stand(Backdrop.of(edged()[:, :480], ())) is False
    assert Backdrop.of(PICTURE, ()).stand(Backdrop.of(PICTURE, ())) is None


def test_it_takes_four_dice_in_two_throws_that_agree() -> None:
    up, other = up_of(10, 0), up_of(-20, 0)
    assert memory_of([[up] * 4]).up is None
    assert memory_of([[up], [up], [up]]).up is None
    assert memory_of([[up, other], [other, up]]).up is None
    known = memory_of([[up], [up, other], [up], [up], [up]]).up
    assert known is not None
    assert angle(known.direction, up) < 0.1
    assert math.degrees(known.spread) < 3


def test_it_is_relied_on_only_where_it_is_confirmed_and_nothing_contradicts_it() -> None:
    up, near, far = up_of(10, 0), up_of(5, 0), up_of(-10, 0)
    seen, bare = Backdrop.of(edged(), ()), Backdrop.of(PICTURE, ())
    known = memory_of([[up] * 2] * 3, edged())
    for tops, now, relied in (
        ([], seen, True),
        ([near], seen, True),
        ([far], seen, False),
        ([far, far], seen, False),
        ([], bare, False),
        ([near], Backdrop.of(edged(shift=16), ()), False),
    ):
        assert (known.reliable_up(Tops(tuple(tops)), now) is not None) is relied
    plain = memory_of([[up] * 2] * 3)
    for tops, relied in (([], False), ([near], True), ([near, near, far], True), ([far], False)):
        assert (plain.reliable_up(Tops(tuple(tops)), bare) is not None) is relied
    assert known.makes_strange(far, seen)
    assert not known.makes_strange(near, seen)
    assert not plain.makes_strange(far, bare)


class MovedAtSeven(BlobReader):
    """A reader that finds its camera moved whenever it sees a 7."""

    def remember(self, picture: Pixels, told: Survey) -> bool:
        del picture
        return told.dice[0].face == 7


def test_that_the_camera_was_moved_is_told_with_that_throw_and_not_with_the_next() -> None:
    frames = [one for face in (3, 7, 5) for one in (*rolling(8), *still(14, (300, 200, face)))]
    with watching(Script(*frames, pace=0.04), reader=MovedAtSeven()) as (_, heard):
        heard.until(lambda: heard.faces == [[3], [7], [5]])
        heard.until(lambda: MOVED in [one.notice for one in heard.statuses] and not heard.statuses[-1].notice)
    assert [one.notice for one in heard.statuses].count(MOVED) == 1


def test_the_terminal_is_told_once_for_each_time(tmp_path: Path) -> None:
    frames = [one for face in (3, 7, 5, 7) for one in (*rolling(8), *still(14, (300, 200, face)))]
    for number, picture in enumerate(frames):
        cv2.imwrite(str(tmp_path / f"{number:03d}.png"), picture)
    told: list[str] = []
    events = watch_events(Follower(open_source(str(tmp_path), fps=30)), MovedAtSeven(), notice=told.append)
    assert [event["event"] for event in events].count("reading") == 4
    assert told == [MOVED, MOVED]
