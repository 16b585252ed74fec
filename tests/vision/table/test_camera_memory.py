"""What ordinary throws tell of a camera that stands still: it is asked about less, and a wrong memory does no harm."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.dice import Box, DieKind, DieState
from rules.words import Phrase
from tests.bench.standing_camera import KINDS, tally, tray, watched
from tests.vision.carded import up_of
from tests.vision.toys import BlobReader, Script, rolling, still
from tests.vision.watching import watching
from vision.errors import MOVED, MOVED_CALIBRATED, NO_WORDS
from vision.frames.follow import Follower
from vision.frames.sources import open_source
from vision.ports import Pixels, Survey, Tops
from vision.pose.geometry import Array
from vision.pose.networks import Networks
from vision.read.reader import PictureReader, Seen, load_reader
from vision.read.readings import questioned
from vision.table.calibration import Calibration, MadeBy
from vision.table.camera_memory import Backdrop, CameraMemory, CameraStand
from vision.table.setup import TableSetup
from vision.training.scenes import scene
from vision.watch.watcher import watch_events

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
    """What eight throws under a leaning camera teach, and how they were read without and with it."""
    eyes = reader()
    without, along = watched(eyes, LEANING, 8)
    assert not along["moved"]
    assert eyes.memory is not None
    return eyes.memory, without, along


def angle(one: Array, other: Array) -> float:
    return math.degrees(math.acos(float(np.clip(one @ other, -1, 1))))


@pytest.mark.slow
def test_a_stream_of_throws_under_a_leaning_camera_is_asked_about_no_more() -> None:
    """Its memory tells what several dice of one picture tell already, and learns it right."""
    memory, without, along = taught()
    assert without["wrong"] == along["wrong"] == 0
    assert along["dice"] == along["read"] + along["asked"] == without["read"] + without["asked"]
    assert along["asked"] <= without["asked"] <= 4
    assert memory.up is not None
    assert angle(memory.up.direction, LEANING) < 3


@pytest.mark.slow
def test_a_moved_camera_forgets_says_so_once_and_learns_anew(*, whole: bool) -> None:
    eyes = reader()
    eyes.memory, _, _ = taught()
    moved = []
    for number in range(6 if whole else 3):
        seen = tray(8000 + number, up_of(-6, 4), KINDS[2], rim=70)
        told = eyes.survey(seen.picture)
        assert tally(seen, told.dice)["wrong"] == 0
        moved.append(eyes.remember(seen.picture, told))
    assert moved == [MOVED] + [NO_WORDS] * (len(moved) - 1)
    assert eyes.memory.up is not None
    assert angle(eyes.memory.up.direction, up_of(-6, 4)) < 4


@pytest.mark.slow
@pytest.mark.parametrize("rim", [40, 0], ids=["the same surroundings", "nothing to tell by"])
def test_a_wrong_memory_never_turns_a_question_into_a_wrong_reading(rim: int, *, whole: bool) -> None:
    """The camera of the memory leans otherwise by 20 degrees and more, and not even its surroundings tell."""
    eyes = reader()
    memory, _, _ = taught()
    for number in range(12 if whole else len(KINDS)):
        seen = tray(9000 + number, up_of(-8, -6), KINDS[number % len(KINDS)], rim=rim)
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


def covered() -> Pixels:
    """The tray's rim with a sheet of paper over its left half."""
    picture = edged()
    picture[:, :330] = 225
    return picture


def test_a_sheet_of_paper_or_a_dimmed_lamp_is_no_move_where_the_dice_lie_as_before() -> None:
    up = up_of(12, 8)
    known, two = memory_of([[up] * 2] * 3, edged()), Tops((up_of(14, 8), up_of(10, 8)))
    paper = Backdrop.of(covered(), ())
    assert known.backdrop.stand(paper) is False
    assert known.standing(two, paper) is CameraStand.SAME
    after = known.and_then(CameraMemory.begun(two, paper))
    assert (len(after.throws), after.backdrop.stand(paper)) == (4, True)
    for picture in (edged(light=0.05), edged(light=0.0), np.full_like(PICTURE, 255)):
        now = Backdrop.of(picture, ())
        assert known.backdrop.stand(now) is None
        assert known.standing(Tops(()), now) is CameraStand.SAME
        assert known.and_then(CameraMemory.begun(two, now)).backdrop is known.backdrop
    for tops in (Tops((up_of(-6, 4),) * 2), Tops((up_of(-6, 4), up_of(-7, 4)))):
        assert known.standing(tops, paper) is known.standing(tops, known.backdrop) is CameraStand.ELSEWHERE


def test_other_surroundings_alone_rest_the_memory_until_three_throws_saw_them() -> None:
    up, far = up_of(12, 8), up_of(-12, 8)
    known, bare, lone = memory_of([[up] * 2] * 3, edged()), Tops(()), Tops((far,))
    paper, shifted = (Backdrop.of(picture, ()) for picture in (covered(), edged(shift=16)))
    assert known.standing(bare, paper) is CameraStand.UNSURE
    assert known.reliable_up(bare, paper) is None
    once = known.unsure(bare, paper)
    assert once.backdrop is known.backdrop
    assert once.throws == known.throws
    twice = once.unsure(lone, paper)
    assert (once.standing(bare, paper), twice.standing(lone, paper)) == (CameraStand.UNSURE, CameraStand.ELSEWHERE)
    assert twice.standing(bare, shifted) is CameraStand.UNSURE
    assert twice.standing(Tops((up,)), paper) is CameraStand.UNSURE
    assert twice.unsure(Tops((up,)), paper) is twice
    back = twice.and_then(CameraMemory.begun(bare, Backdrop.of(edged(), ())))
    assert back.standing(bare, paper) is CameraStand.UNSURE
    assert back.unsure(bare, paper).standing(bare, paper) is CameraStand.UNSURE


class HardlySure(PictureReader):
    """Takes the face of every die that it reads for unclear; upside down it reads as always."""

    def look_at_its_size(self, picture: Pixels) -> Seen:
        seen = super().look_at_its_size(picture)
        found = (
            replace(one, reading=questioned(one.reading), evidence=replace(one.evidence, face=0.4))
            for one in seen.found
            if one.evidence is not None
        )
        return replace(seen, found=tuple(found))


def test_a_lone_die_settled_upside_down_is_asked_about_where_it_contradicts_what_is_known() -> None:
    tray = scene(61, (DieKind.D20,))
    picture = tray.picture.copy()
    cv2.rectangle(picture, (9, 9), (picture.shape[1] - 10, picture.shape[0] - 10), (240, 240, 240), 5)
    reader = HardlySure(Networks())
    told = reader.survey(picture)
    assert [die.face for die in told.dice] == [tray.dice[0].face]
    assert told.tops is not None
    (normal,) = told.tops.normals
    for known, state in ((normal, DieState.READ), (up_of(30, 0), DieState.DOUBTFUL)):
        reader.memory = memory_of([[known] * 2] * 3, picture)
        assert [die.state for die in reader.survey(picture).dice] == [state]


class CountedLooks(PictureReader):
    """Counts how often it looks at a picture."""

    looks = 0

    def look_at_its_size(self, picture: Pixels) -> Seen:
        self.looks += 1
        return super().look_at_its_size(picture)


def calibrated(up: Array, made_by: MadeBy = MadeBy.CARD) -> TableSetup:
    x, y, z = (float(one) for one in up)
    return TableSetup(Calibration(640, 360, (x, y, z), made_by))


def test_a_calibrated_camera_learns_nothing_of_dice_and_once_moved_is_to_be_calibrated_again() -> None:
    eyes = CountedLooks(_loaded().networks, 60.0, calibrated(up_of(12, 8)))
    so, otherwise, none = (Survey((), tops=Tops(tops)) for tops in ((up_of(12, 8),) * 3, (up_of(-6, 4),) * 3, ()))
    shifted = edged(shift=16)
    throws = (
        (edged(), so),
        (edged(), otherwise),
        (covered(), so),
        (shifted, otherwise),
        (shifted, so),
        (edged(), none),
    )
    told = [eyes.remember(picture, survey) for picture, survey in throws]
    assert told == [NO_WORDS] * 3 + [MOVED_CALIBRATED] + [NO_WORDS] * 2
    assert [eyes.remember(edged(), none) for _ in range(3)] == [NO_WORDS, MOVED_CALIBRATED, NO_WORDS]
    assert eyes.memory is not None
    assert (eyes.memory.up, eyes.looks) == (None, 0)
    eyes.table = calibrated(up_of(-6, 4))
    assert eyes.remember(shifted, otherwise) == NO_WORDS
    eyes.table = calibrated(up_of(-6, 4), MadeBy.LENS)
    assert eyes.remember(edged(), so) == NO_WORDS


def test_a_lens_that_two_throws_have_shown_is_supposed_until_the_camera_is_another_one() -> None:
    eyes = reader()
    throws = (
        (edged(), 92.0, 60.0),
        (edged(), 78.0, 60.0),
        (edged(), None, 60.0),
        (edged(), 78.0, 78.0),
        (edged(), None, 78.0),
        (edged(40), None, 60.0),
        (edged(40), 78.0, 60.0),
    )
    for picture, shown, supposed in throws:
        assert eyes.remember(picture, Survey((), hfov=shown)) == NO_WORDS
        assert eyes.hfov == supposed
    eyes.look_through(50.0)
    assert eyes.hfov == 50.0, "what the camera tells comes before"


class MovedAtSeven(BlobReader):
    """A reader that finds its camera moved whenever it sees a 7."""

    def remember(self, picture: Pixels, told: Survey) -> Phrase:
        del picture
        return MOVED if told.dice[0].face == 7 else NO_WORDS


def test_that_the_camera_was_moved_is_told_with_that_throw_and_not_with_the_next() -> None:
    frames = [one for face in (3, 7, 5) for one in (*rolling(8), *still(14, (300, 200, face)))]
    with watching(Script(*frames, pace=0.04), reader=MovedAtSeven()) as (_, heard):
        heard.until(lambda: heard.faces == [[3], [7], [5]])
        heard.until(lambda: MOVED in [one.notice for one in heard.statuses] and not heard.statuses[-1].notice)
    assert [one.notice for one in heard.statuses].count(MOVED) == 1


def test_the_terminal_is_told_once_for_each_time(tmp_path: Path) -> None:
    frames = [one for face in (3, 7, 5, 7) for one in (*rolling(8), *still(14, (300, 200, face)))]
    for number, picture in enumerate(frames):
        cv2.imwrite(str(tmp_path / f"{number:03d}.bmp"), picture)
    told: list[str] = []
    events = watch_events(Follower(open_source(str(tmp_path), fps=30)), MovedAtSeven(), notice=told.append)
    assert [event["event"] for event in events].count("reading") == 4
    assert told == [MOVED, MOVED]
