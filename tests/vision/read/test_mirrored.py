"""A mirrored picture is told by its d20s, where there is no card: their numbers can be read turned over only."""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Self

import cv2
import numpy as np
import pytest

from rules.dice import DieKind, DieReading, DieState, SourceKind, SourceState
from tests.bench import vision_mirrored
from tests.vision.desk.test_workbench import Still
from tests.vision.toys import rolling, still, tray
from tests.vision.watching import camera, watching
from vision.desk.cases import Expected, judged, keep_case
from vision.desk.hints import Hint, HintKind
from vision.desk.workbench import Workbench
from vision.errors import CalibrationError, Unusable
from vision.ports import Pixels, Survey
from vision.read.mirror import Mirror, seems_mirrored
from vision.read.reader import PictureReader, explained, load_reader
from vision.table.setup import EmptyTray, TableSetup
from vision.training.scenes import scene
from vision.watch.watcher import SeenThrow

pytestmark = pytest.mark.slow

ONE = (450, 100, 12)


@pytest.fixture(scope="module")
def loaded() -> PictureReader:
    return load_reader()


def turned_over(picture: Pixels) -> Pixels:
    return np.ascontiguousarray(picture[:, ::-1])


def hint(bench: Workbench, picture: Pixels) -> Hint | None:
    bench.attend(Still(picture))
    return next((one for one in bench.hints() if one.kind is HintKind.MIRROR), None)


def test_a_mirrored_throw_is_told_and_a_true_one_is_not(loaded: PictureReader, tmp_path: Path, *, whole: bool) -> None:
    bench = Workbench(loaded, tmp_path)
    for seed in (61, 62, 63, 64) if whole else (61,):
        picture = scene(seed, (DieKind.D20,) * 3 + (DieKind.CHALLENGE,)).picture
        assert hint(bench, picture) is None, seed
        found = hint(bench, turned_over(picture))
        assert found is not None, seed
        assert not found.fine


def test_a_lone_die_does_not_tell(loaded: PictureReader, tmp_path: Path) -> None:
    assert hint(Workbench(loaded, tmp_path), turned_over(scene(61, (DieKind.D20,)).picture)) is None


def test_unreadable_dice_do_not_tell(loaded: PictureReader) -> None:
    picture = scene(61, (DieKind.D20,) * 2).picture
    smeared = np.asarray(cv2.GaussianBlur(picture, (0, 0), 5.0), np.uint8)
    dice = loaded.read(smeared)
    assert sum(die.kind is DieKind.D20 and die.state is DieState.DOUBTFUL for die in dice) >= 2
    assert not seems_mirrored(loaded, smeared, dice)


def test_what_is_known_of_the_table_is_not_held_against_the_picture_turned_over(loaded: PictureReader) -> None:
    picture = scene(61, (DieKind.D20,) * 2).picture
    at_table = PictureReader(loaded.networks, loaded.hfov, TableSetup(empty=EmptyTray.of(picture)))
    assert not at_table.read(picture)
    turned = turned_over(picture)
    assert seems_mirrored(at_table, turned, at_table.read(turned))


def test_no_d20_of_a_mirrored_picture_is_read_and_those_of_a_true_one_stay(loaded: PictureReader) -> None:
    picture = scene(7029, (DieKind.D20,) * 4).picture
    turned = turned_over(picture)
    dice, mirror = loaded.read(turned), Mirror(loaded)
    misread = [die.face for die in dice if die.state is DieState.READ]
    assert misread, "a number that looks like another one turned over, or there is nothing to hold back"
    judged = mirror.judged(turned, dice)
    assert mirror.mirrored
    assert [die.face for die in judged] == [None] * 4
    assert {die.state for die in judged} == {DieState.DOUBTFUL}
    assert [die.box for die in judged] == [die.box for die in dice]
    assert set(misread) <= {die.guesses[0].face for die in judged if die.guesses}
    true = loaded.read(picture)
    assert mirror.judged(picture, true) == Mirror(loaded).judged(picture, true) == true
    assert not mirror.mirrored


def test_pages_cases_and_the_explained_picture_tell_the_same_of_a_mirrored_picture(
    loaded: PictureReader, tmp_path: Path
) -> None:
    tray = scene(7029, (DieKind.D20,) * 4)
    turned, bench = turned_over(tray.picture), Workbench(loaded, tmp_path)
    raw, told = loaded.read(turned), bench.told(turned)
    misread = next(die for die in raw if die.state is DieState.READ)
    assert told.mirrored
    assert not any(die.state is DieState.READ for die in told.dice)
    assert misread.box is not None
    case = keep_case(tmp_path, "one", turned, [Expected(DieKind.D20, 1 + (misread.face != 2), misread.box)], ())
    assert judged(case, loaded).asked == 1
    bench.attend(Still(turned))
    for known in (None, True):
        assert not greens(explained(turned, loaded, mirrored=known))
    assert greens(explained(turned, loaded, mirrored=False))
    assert greens(explained(tray.picture, loaded))
    bench.attend(Mirrored(turned, told.dice))
    assert not greens(cv2.imdecode(np.frombuffer(bench.explained(), np.uint8), cv2.IMREAD_COLOR))
    with pytest.raises(CalibrationError) as refused:
        bench.teach("Old faithful", 0, DieKind.D20, 7, sure=True)
    assert refused.value.why is Unusable.MIRRORED
    assert not bench.setup.dice


class Mirrored(Still):
    """An eye on a throw whose picture was found to be mirrored."""

    def last_throw(self) -> SeenThrow | None:
        last = super().last_throw()
        return None if last is None else replace(last, mirrored=True)


def greens(drawn: cv2.typing.MatLike | None) -> int:
    """How many points of the picture (without its legend) are in the colour of what is read."""
    assert drawn is not None
    return int((drawn[:720] == (80, 220, 80)).all(axis=2).sum())


def test_after_a_mirrored_throw_one_unread_d20_is_enough_until_all_are_read() -> None:
    sure = DieReading(DieKind.D20, 7, 0.99, DieState.READ, SourceKind.CAMERA)
    unsure = DieReading(DieKind.D20, None, 0.5, DieState.DOUBTFUL, SourceKind.CAMERA)
    cube = DieReading(DieKind.D6, 3, 0.99, DieState.READ, SourceKind.CAMERA)
    picture, mirror = tray(ONE), Mirror(Selfie())
    assert mirror.judged(picture, (sure, unsure)) == (sure, unsure)
    assert mirror.judged(picture, (unsure, unsure, cube)) == (unsure, unsure, cube)
    doubtful, *others = mirror.judged(picture, (sure, unsure, cube))
    assert others == [unsure, cube]
    assert (doubtful.face, doubtful.state) == (None, DieState.DOUBTFUL)
    assert [(guess.face, guess.chance) for guess in doubtful.guesses] == [(7, 0.99)]
    assert mirror.judged(picture, (sure, sure)) == (sure, sure)
    assert mirror.judged(picture, (sure, unsure)) == (sure, unsure)


class Selfie:
    """A reader that can read its d20s only where the left half of the picture shows them."""

    def __init__(self, dice: int = 2) -> None:
        self.dice = dice
        self.asked = 0
        self.mended = False

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        self.asked += 1
        readable = self.mended or not bool((picture[:, 450:490, 2] > 150).any())
        state, face = (DieState.READ, 7) if readable else (DieState.DOUBTFUL, None)
        return (DieReading(DieKind.D20, face, 0.9, state, SourceKind.CAMERA),) * self.dice


def test_cubes_and_one_unread_d20_cost_no_further_look_and_two_beside_any_number_do() -> None:
    reader = Selfie()
    sure = DieReading(DieKind.D20, 7, 0.99, DieState.READ, SourceKind.CAMERA)
    unsure = DieReading(DieKind.D20, None, 0.5, DieState.DOUBTFUL, SourceKind.CAMERA)
    cube = DieReading(DieKind.D6, None, 0.5, DieState.DOUBTFUL, SourceKind.CAMERA)
    assert not seems_mirrored(reader, tray(ONE), (sure, sure, sure, unsure, cube))
    assert not seems_mirrored(reader, tray(ONE), (cube,) * 5)
    assert not seems_mirrored(reader, tray(ONE), (unsure,))
    assert reader.asked == 0
    assert seems_mirrored(reader, tray(ONE), (unsure, unsure))
    mostly = (sure, sure, sure, unsure, unsure)
    assert seems_mirrored(Selfie(5), tray(ONE), mostly)
    assert not seems_mirrored(Selfie(4), tray(ONE), mostly)


def test_the_camera_says_so_beside_the_throw_until_a_d20_is_read() -> None:
    mended = threading.Event()
    reader = Selfie()
    script = camera(*still(12, ONE), mended, *rolling(6), *still(20, ONE))
    with watching(script, reader=reader) as (watcher, heard):
        heard.until(lambda: bool(heard.statuses and heard.statuses[-1].notice))
        last = watcher.last_throw()
        assert last is not None
        assert last.mirrored
        assert heard.statuses[-1].notice == heard.statuses[-1].remedy
        assert heard.statuses[-1].notice.startswith("The picture is mirrored. ")
        reader.mended = True
        mended.set()
        heard.until(lambda: not heard.statuses[-1].notice)
        assert heard.faces == [[None, None], [7, 7]]


class Fragile:
    """A reader of four d20s that can read one of them, all of them turned over, or breaks on that."""

    def __init__(self) -> None:
        self.broken = False
        self.failed = self.told = 0

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        turned = not bool((picture[:, 450:490, 2] > 150).any())
        if turned and self.broken:
            self.failed += 1
            raise ZeroDivisionError("of a sort")
        self.told += turned
        sure = DieReading(DieKind.D20, 7, 0.9, DieState.READ, SourceKind.CAMERA)
        return (sure, *(sure if turned else replace(sure, face=None, state=DieState.DOUBTFUL) for _ in range(3)))


def test_a_reader_that_breaks_on_the_picture_turned_over_costs_no_throw(caplog: pytest.LogCaptureFixture) -> None:
    reader, steps = Fragile(), [threading.Event() for _ in range(3)]
    throw = [*rolling(6), *still(20, ONE)]
    script = camera(*still(12, ONE), steps[0], *throw, steps[1], *throw, steps[2], *throw)
    with watching(script, reader=reader) as (_, heard):
        heard.until(lambda: bool(heard.statuses and heard.statuses[-1].notice))
        reader.broken = True
        steps[0].set()
        heard.until(lambda: reader.failed == 1)
        steps[1].set()
        heard.until(lambda: reader.failed == 2)
        reader.broken = False
        steps[2].set()
        heard.until(lambda: len(heard.faces) == 4)
    assert reader.told == 2
    assert heard.faces == [[None] * 4] * 4, "what was found before stands"
    assert heard.states == [SourceState.STARTING, SourceState.READY, SourceState.READY]
    assert heard.statuses[-1].notice.startswith("The picture is mirrored. ")
    assert caplog.text.count("cannot be told (ZeroDivisionError: of a sort)") == 1


class Turning(PictureReader):
    """A reader that cannot read its d20s, and breaks on the picture turned over."""

    def survey(self, picture: Pixels) -> Survey:
        assert picture.ndim == 3
        return Survey((DieReading(DieKind.D20, None, 0.5, DieState.DOUBTFUL, SourceKind.CAMERA),) * 3)

    def untaught(self) -> Self:
        raise ZeroDivisionError("of a sort")


def test_a_reader_that_breaks_on_pictures_turned_over_is_logged_once_however_often_a_page_asks(
    loaded: PictureReader, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Workbench(Turning(loaded.networks), tmp_path)
    for _ in range(3):
        assert not bench.told(tray(ONE)).mirrored
    assert caplog.text.count("cannot be told (ZeroDivisionError: of a sort)") == 1


def test_the_table_of_mirrored_trays_says_where_there_is_none_to_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"image": "0.png", "kind": "d20", "flat": True, "box": [0, 0, 9, 9], "radius": 5.0, "value": 7}
    (tmp_path / "index.jsonl").write_text(json.dumps(row) + "\n")
    monkeypatch.setattr(sys, "argv", ["vision_mirrored", str(tmp_path)])
    assert vision_mirrored.main() == 1
    assert "nothing to judge" in capsys.readouterr().err
