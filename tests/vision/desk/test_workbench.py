"""A person at work on what the camera knows: calibrating, teaching, keeping misreadings; and what a picture lacks."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.dice import Box, DieKind, DieReading, DieState, Face, Guess, Reading, SourceKind, Symbol
from rules.words import Phrase
from tests.vision.carded import photographed, up_of
from tests.vision.toys import Script
from tests.vision.watching import watching
from vision.desk.cases import FOLDER_NAME, Expected, cases, judged, keep_case, run_all
from vision.desk.hints import HintKind, edge_width, look_over
from vision.desk.workbench import NoPictureError, ThrowGoneError, Workbench
from vision.errors import (
    CalibrationError,
    DiceThereError,
    OwnDiceError,
    OwnDiceFault,
    ReaderError,
    ReaderFailedError,
    Unusable,
)
from vision.frames.pictures import load_picture
from vision.ports import Pixels
from vision.pose.geometry import Camera
from vision.read.reader import PictureReader, Seen, load_reader
from vision.table.setup import EmptyTray, TableSetup
from vision.taught.own_dice import from_text
from vision.training.scenes import Scene, scene
from vision.watch.watcher import SeenThrow

pytestmark = pytest.mark.slow


class Still:
    """An eye on one picture."""

    def __init__(self, picture: Pixels | None, dice: tuple[DieReading, ...] = ()) -> None:
        self.picture = picture
        self.dice = dice

    def newest(self) -> Pixels | None:
        return self.picture

    def last_throw(self) -> SeenThrow | None:
        if self.picture is None or not self.dice:
            return None
        return SeenThrow(self.picture, self.dice, Reading("a:1", SourceKind.CAMERA, self.dice))


@pytest.fixture(scope="module")
def loaded() -> PictureReader:
    return load_reader()


@pytest.fixture
def bench(loaded: PictureReader, tmp_path: Path) -> Workbench:
    loaded.table = TableSetup()
    made = Workbench(loaded, tmp_path)
    assert made.load() == ()
    return made


def thrown(bench: Workbench, seed: int = 44) -> Scene:
    tray = scene(seed, (DieKind.D20, DieKind.D20, DieKind.CHALLENGE))
    bench.attend(Still(tray.picture, bench.read(tray.picture)))
    return tray


def test_without_a_picture_everything_says_so(bench: Workbench) -> None:
    for step in (bench.hints, bench.by_card, bench.remember_empty, bench.explained):
        with pytest.raises(NoPictureError):
            step()
    assert bench.last_throw() is None
    bench.attend(Still(None))
    with pytest.raises(NoPictureError):
        bench.teach("x", 0, DieKind.D20, 1)


def test_a_calibration_is_kept_used_at_once_and_forgotten(bench: Workbench, tmp_path: Path) -> None:
    picture, corners = photographed(Camera(1280, 720), up_of(6, -8), 560, tray=(380, 250))
    bench.attend(Still(picture))
    bench.by_card()
    kept = bench.setup.calibration
    assert kept is not None
    assert kept.lean == pytest.approx(10, abs=1.0)
    again = Workbench(load_reader(), tmp_path)
    assert again.load() == ()
    assert again.setup.calibration == kept
    bench.by_corners([(x / 1280, y / 720) for x, y in corners.tolist()])
    other = Workbench(load_reader(), tmp_path)
    assert not other.load()
    seen = other.view_of(other.calibrated_place)
    assert seen is not None, "what the camera saw is kept with it"
    assert not seen.known.all(), "without the card"
    with pytest.raises(CalibrationError) as refused:
        bench.by_corners([(0.1, 0.1)] * 4)
    assert refused.value.why is Unusable.NO_TRAY
    bench.forget_calibration()
    assert bench.setup.calibration is None
    assert not list(tmp_path.glob("calibration*"))


def test_a_damaged_part_is_told_and_the_others_are_used(bench: Workbench, tmp_path: Path) -> None:
    tray = scene(45, ())
    bench.attend(Still(tray.picture))
    bench.remember_empty()
    (tmp_path / "calibration.json").write_text("{")
    (tmp_path / "own-dice.json").write_text("[]")
    other = Workbench(load_reader(), tmp_path)
    assert len(other.load()) == 2
    assert other.setup.empty is not None
    assert (tmp_path / "calibration.json").read_text() == "{"


def test_what_the_empty_tray_shows_too_is_no_die(bench: Workbench) -> None:
    """A picture of a die printed on the mat is read as one, until the empty tray was kept."""
    tray = scene(46, (DieKind.D20, DieKind.D20))
    printed = bench.read(tray.picture)
    assert len(printed) == 2
    bench.attend(Still(tray.picture))
    bench.remember_empty(printed=True)
    darker = np.clip(tray.picture * 0.8 + np.random.default_rng(1).normal(0, 2, tray.picture.shape), 0, 255)
    assert bench.read(darker.astype(np.uint8)) == ()
    moved = np.asarray(np.roll(tray.picture, 150, axis=1), np.uint8)
    assert bench.read(moved)
    bench.forget_empty()
    assert len(bench.read(tray.picture)) == 2
    plain = EmptyTray(np.full((90, 160), 80, np.uint8))
    assert printed[0].box is not None
    assert not plain.same_at(np.full((720, 1280), 80, np.uint8), printed[0].box)


def test_a_tray_with_dice_in_it_is_not_kept_as_empty(bench: Workbench) -> None:
    tray = scene(46, (DieKind.D20, DieKind.D20))
    for _ in range(2):  # also where the same dice were kept as printed before
        bench.attend(Still(tray.picture))
        with pytest.raises(DiceThereError) as refused:
            bench.remember_empty()
        assert refused.value.count == 2
        bench.remember_empty(printed=True)
    bench.forget_empty()
    bench.attend(Still(scene(45, ()).picture))
    bench.remember_empty()
    assert len(bench.read(tray.picture)) == 2


def test_a_correction_teaches_a_die_and_dice_travel_as_a_file(bench: Workbench, tmp_path: Path) -> None:
    thrown(bench)
    last = bench.last_throw()
    assert last is not None
    place, face = next((n, die.face) for n, die in enumerate(last.dice) if die.kind is DieKind.D20 and die.face)
    die = bench.teach("  Red   one ", place, DieKind.D20, face, reading_id="a:1")
    assert (die.name, die.throws) == ("Red one", 1)
    assert face in die.faces
    assert len(die.faces) > 3  # its neighbours were learnt with it
    assert bench.teach("RED ONE", place, DieKind.D20, face).throws == 2
    for name, kind, why in (("red one", DieKind.D6, OwnDiceFault.TAKEN), ("", DieKind.D20, OwnDiceFault.NAME)):
        with pytest.raises(OwnDiceError) as refused:
            bench.teach(name, place, kind, 1, sure=True)
        assert refused.value.why is why
    with pytest.raises(OwnDiceError):
        bench.teach("Red one", 17, DieKind.D20, face)
    with pytest.raises(ThrowGoneError):
        bench.teach("Red one", place, DieKind.D20, face, reading_id="another throw")
    with pytest.raises(OwnDiceError) as doubted:
        bench.teach("Red one", place, DieKind.D20, int(str(face)) % 20 + 1)
    assert doubted.value.why is OwnDiceFault.READ_OTHERWISE
    assert not bench.agrees(place, DieKind.D20, int(str(face)) % 20 + 1)
    named = bench.read(last.picture)[place]
    assert named.die_id == die.die_id
    text = bench.exported_dice()
    assert len(text) < 16_384
    bench.rename(die.die_id, "Crimson")
    with pytest.raises(OwnDiceError):
        bench.rename("ffffffff", "x")
    bench.forget(die.die_id)
    assert bench.setup.dice == ()
    assert bench.import_dice(text) == 1
    assert [one.name for one in from_text((tmp_path / "own-dice.json").read_text())] == ["Red one"]
    with pytest.raises(OwnDiceError) as strange:
        bench.import_dice("no dice")
    assert strange.value.why is OwnDiceFault.NO_DICE


def test_what_is_answered_about_a_doubtful_die_is_learnt(bench: Workbench) -> None:
    thrown(bench)
    last = bench.last_throw()
    assert last is not None
    place, die = next((n, die) for n, die in enumerate(last.dice) if die.kind is DieKind.D20 and die.face)
    face = die.face
    assert isinstance(face, int)

    def answered(
        *guesses: Guess, die_id: str | None = None, picture: str = "p", kind: DieKind = DieKind.D20
    ) -> tuple[str, int] | None:
        """The name and the throws of the die that learnt from the answer."""
        doubtful = replace(die, face=None, state=DieState.DOUBTFUL, picture="p", guesses=guesses, die_id=die_id)
        throw = Still(last.picture, (*last.dice[:place], doubtful, *last.dice[place + 1 :])).last_throw()
        assert throw is not None
        learnt = bench.learn_answer(throw, picture, kind, face if kind is DieKind.D20 else 1)
        return (learnt.name, learnt.throws) if learnt is not None else None

    likely, another = Guess(face, 0.6), Guess(face % 20 + 1, 0.6)
    assert answered(picture="of another throw") is None
    assert answered(kind=DieKind.D6) is None
    assert answered(likely) is None  # it would have said so itself
    assert answered(another) is None  # a slip of the finger
    assert answered(Guess(face % 20 + 1, 0.4)) == ("d20 1", 1)
    (known,) = bench.setup.dice
    assert face in known.faces
    assert bench.read(last.picture)[place].die_id == known.die_id
    assert answered(likely, die_id=known.die_id) == ("d20 1", 2)  # a die that is known learns from every answer...
    assert answered(another, die_id=known.die_id) is None  # ... that is no slip
    bench.rename(known.die_id, "D20 2")
    assert answered() == ("d20 1", 1)  # another die: a name that a person gave is not taken for it, however it is spelt
    assert answered() == ("d20 3", 1)


@pytest.fixture
def with_cube(bench: Workbench) -> Callable[..., bool]:
    """Answers about a Challenge Die in doubt, always the same one; whether the evening has learnt of it."""
    thrown(bench)
    last = bench.last_throw()
    assert last is not None
    place, die = next((n, die) for n, die in enumerate(last.dice) if die.kind is not DieKind.D20)

    def answered(*guesses: Guess, face: Face = Symbol.EFFECT) -> bool:
        before = bench.setup.evening
        doubtful = replace(
            die, kind=DieKind.CHALLENGE, face=None, state=DieState.DOUBTFUL, picture="p", guesses=guesses
        )
        throw = Still(last.picture, (*last.dice[:place], doubtful, *last.dice[place + 1 :])).last_throw()
        assert throw is not None
        assert bench.learn_answer(throw, "p", DieKind.CHALLENGE, face) is None
        return bench.setup.evening != before

    return answered


def test_what_is_confirmed_is_remembered_for_the_evening_alone(
    bench: Workbench, with_cube: Callable[..., bool], tmp_path: Path
) -> None:
    assert with_cube(Guess(Symbol.EFFECT, 0.6))
    (known,) = bench.setup.evening
    assert known.faces == (Symbol.EFFECT,)
    assert bench.setup.dice == ()
    assert not (tmp_path / "own-dice.json").exists()
    bench.forget_evening()
    assert bench.setup.evening == ()
    assert with_cube(Guess(Symbol.EFFECT, 0.6))
    bench.load()
    assert bench.setup.evening == ()


def test_what_is_said_against_the_likely_face_has_to_be_said_twice(with_cube: Callable[..., bool]) -> None:
    assert not with_cube(Guess(2, 0.6))  # a slip of the finger?
    assert not with_cube(Guess(2, 0.6), face=1)  # that was another face
    assert with_cube(Guess(2, 0.6))


def test_one_step_turns_a_misreading_into_a_case(bench: Workbench, loaded: PictureReader, tmp_path: Path) -> None:
    thrown(bench)
    last = bench.last_throw()
    assert last is not None
    place = next(n for n, die in enumerate(last.dice) if die.kind is DieKind.D20 and die.face)
    true = last.dice[place].face
    assert isinstance(true, int)
    name = bench.put_right(place, DieKind.D20, true % 20 + 1, reading_id="a:1", now="20300101-")
    assert bench.case_names() == (name,)
    (outcome,) = run_all(tmp_path / FOLDER_NAME, loaded)
    assert not isinstance(outcome, str)
    assert outcome.wrong == 1
    assert outcome.right == sum(die.face is not None for die in last.dice) - 1
    kept = load_picture(tmp_path / FOLDER_NAME / f"{name}.png").pixels
    assert np.array_equal(kept, last.picture)  # the very picture that was misread, not one coded anew
    with pytest.raises(OwnDiceError) as refused:
        bench.put_right(place, DieKind.D20, true, reading_id="a:1")
    assert refused.value.why is OwnDiceFault.READ_SO
    other = next(n for n, die in enumerate(last.dice) if n != place and die.face)
    assert bench.put_right(other, DieKind.D20, 7, reading_id="a:1") == name  # one throw, one case
    (again,) = run_all(tmp_path / FOLDER_NAME, loaded)
    assert not isinstance(again, str)
    assert again.wrong == 2
    with zipfile.ZipFile(io.BytesIO(bench.exported_cases())) as archive:
        assert sorted(archive.namelist()) == [f"{name}.json", f"{name}.png"]
        told = json.loads(archive.read(f"{name}.json"))
    assert len(told["expected"]) >= 1
    assert told["seen"][place]["face"] == true
    assert told["hfov"] == loaded.known_hfov
    assert not bench.forget_case("../calibration")
    (tmp_path / FOLDER_NAME / f"{name}.png").write_bytes(b"no picture")
    (why,) = run_all(tmp_path / FOLDER_NAME, loaded)
    assert isinstance(why, str)
    assert bench.forget_case(name)
    (tmp_path / FOLDER_NAME / "junk.json").write_text("{}")
    assert list(cases(tmp_path / FOLDER_NAME)) == []


@pytest.mark.parametrize(
    ("said", "read", "counts"),
    [
        ((DieKind.CHALLENGE, 1), (DieKind.D6, 1), "right"),
        ((DieKind.D6, 2), (DieKind.CHALLENGE, 2), "right"),
        ((DieKind.D6, 1), (DieKind.D6, 1), "right"),
        ((DieKind.CHALLENGE, 1), (DieKind.D6, 2), "wrong"),
        ((DieKind.CHALLENGE, 1), (DieKind.D20, 1), "wrong"),
        ((DieKind.CHALLENGE, Symbol.EFFECT), (DieKind.D6, 6), "wrong"),
    ],
)
def test_a_case_judges_a_1_or_2_without_its_kind(
    tmp_path: Path, said: tuple[DieKind, Face], read: tuple[DieKind, Face], counts: str
) -> None:
    box = Box(10, 10, 40, 40)
    kept = keep_case(tmp_path, "one", np.zeros((90, 160, 3), np.uint8), [Expected(*said, box)], [])
    seen = DieReading(*read, 0.99, DieState.READ, SourceKind.CAMERA, box=box)

    class Sure:
        def read(self, picture: Pixels) -> tuple[DieReading, ...]:
            assert picture.shape == (90, 160, 3)
            return (seen,)

    outcome = judged(kept, Sure())
    assert {"right": outcome.right, "wrong": outcome.wrong}[counts] == 1


def test_a_case_is_read_through_the_lens_that_it_was_seen_through(tmp_path: Path) -> None:
    class Told:
        lens: float | None = None

        def look_through(self, hfov: float | None) -> None:
            self.lens = hfov

        def read(self, picture: Pixels) -> tuple[DieReading, ...]:
            assert picture.size
            return ()

    reader = Told()
    for number, hfov in enumerate((102.0, None)):
        keep_case(tmp_path, f"{number}", np.zeros((90, 160, 3), np.uint8), [], [], hfov=hfov)
    for case, hfov in zip(cases(tmp_path), (102.0, None), strict=True):
        judged(case, reader)
        assert reader.lens == hfov
    file = tmp_path / "0.json"
    for damaged in ("-1", "NaN", "181", '"wide"'):
        file.write_text(file.read_text().replace("102.0", damaged))
        assert [one.case_id for one in cases(tmp_path)] == ["1"], damaged
        file.write_text(file.read_text().replace(damaged, "102.0"))


@pytest.mark.parametrize(("beside", "found"), [(0, True), (16, True), (24, False), (39, False), (80, False)])
def test_a_case_finds_a_die_where_it_lay_by_most_of_its_area(tmp_path: Path, beside: int, *, found: bool) -> None:
    box = Box(10, 10, 40, 40)
    kept = keep_case(tmp_path, "one", np.zeros((90, 160, 3), np.uint8), [Expected(DieKind.D20, 7, box)], [])
    seen = replace(box, x=box.x + beside)

    class Beside:
        def read(self, picture: Pixels) -> tuple[DieReading, ...]:
            del picture
            return (DieReading(DieKind.D20, 7, 0.99, DieState.READ, SourceKind.CAMERA, box=seen),)

    outcome = judged(kept, Beside())
    assert (outcome.right, outcome.missed) == ((1, 0) if found else (0, 1))


@pytest.mark.parametrize("why", [ReaderError(Phrase("No model.")), ReaderFailedError(ValueError("odd"))])
def test_a_reader_that_cannot_work_ends_all_cases_and_one_that_breaks_costs_the_picture_alone(
    tmp_path: Path, why: ReaderError
) -> None:
    for name in ("one", "two"):
        keep_case(tmp_path, name, np.zeros((90, 160, 3), np.uint8), [], [])

    class Unable:
        def read(self, picture: Pixels) -> tuple[DieReading, ...]:
            assert picture.shape == (90, 160, 3)
            raise why

    if isinstance(why, ReaderFailedError):
        said = f"the reader failed on a picture ({why.cause})"
        assert list(run_all(tmp_path, Unable())) == [f"{tmp_path / name}.png: {said}" for name in ("one", "two")]
    else:
        with pytest.raises(ReaderError, match="No model"):
            list(run_all(tmp_path, Unable()))


def test_what_is_no_test_case_is_never_to_be_deleted(loaded: PictureReader, tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text('{"name": "somebody\'s own"}')
    (told,) = run_all(tmp_path, loaded)
    assert told == f"{tmp_path / 'index.json'}: this is no test case, or a damaged one; move it out of the folder"


def test_what_was_read_is_no_misreading_whichever_cube_a_1_is_said_to_be(bench: Workbench) -> None:
    die = DieReading(DieKind.D6, 1, 0.99, DieState.READ, SourceKind.CAMERA, box=Box(10, 10, 40, 40))
    bench.attend(Still(np.zeros((90, 160, 3), np.uint8), (die,)))
    with pytest.raises(OwnDiceError) as refused:
        bench.put_right(0, DieKind.CHALLENGE, 1)
    assert refused.value.why is OwnDiceFault.READ_SO
    assert bench.put_right(0, DieKind.CHALLENGE, 2) in bench.case_names()


def test_explaining_gives_a_picture_of_the_last_throw(bench: Workbench) -> None:
    thrown(bench)
    drawn = cv2.imdecode(np.frombuffer(bench.explained(), np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    assert drawn.shape[0] > 720


def test_dice_too_small_to_be_seen_are_told_among_the_hints(bench: Workbench) -> None:
    picture = scene(44, (DieKind.D20,) * 3).picture
    small = np.asarray(cv2.resize(picture, (256, 144), interpolation=cv2.INTER_AREA), np.uint8)
    tray = np.full((720, 1280, 3), small.mean(axis=(0, 1)), np.uint8)
    tray[200:344, 400:656] = small
    bench.attend(Still(tray))
    (told,) = (one for one in bench.hints() if one.kind is HintKind.FAR)
    assert not told.fine
    assert told.value < 30


def test_what_is_said_otherwise_of_the_same_die_takes_the_place_of_the_lesson(bench: Workbench) -> None:
    tray = thrown(bench, 45)
    place = next(n for n, die in enumerate(bench.read(tray.picture)) if die.kind is DieKind.D20)
    wrong = bench.teach("red", place, DieKind.D20, 13, reading_id="a:1", sure=True)
    assert (wrong.faces, wrong.throws) == ((13,), 1)
    twice = bench.teach("red", place, DieKind.D20, 13, reading_id="a:1", sure=True)
    assert twice.throws == 2
    right = bench.teach("red", place, DieKind.D20, 7, reading_id="a:1", sure=True)
    assert (right.faces, right.throws, right.die_id) == ((7,), 1, wrong.die_id)


def test_how_a_throw_was_read_is_told_by_what_was_known_then(bench: Workbench, loaded: PictureReader) -> None:
    picture = scene(44, (DieKind.D20, DieKind.D20, DieKind.CHALLENGE)).picture
    with watching(Script(picture, pace=0.05), reader=loaded) as (watcher, heard):
        heard.until(lambda: bool(heard.readings))
        bench.attend(watcher)
        before = bench.explained()
        bench.remember_empty(printed=True)
        assert bench.read(picture) == ()
        assert bench.explained() == before


def test_without_a_picture_there_is_too_little_to_measure_the_lens(bench: Workbench) -> None:
    with pytest.raises(CalibrationError) as refused:
        bench.measure_lens([])
    assert refused.value.why is Unusable.FEW_VIEWS


class Broken(PictureReader):
    """A reader whose network is not as it should be."""

    def look(self, picture: Pixels, scale: float = 1.0) -> Seen:
        raise cv2.error(f"a layer of another size than {picture.shape} at {scale}")


def test_a_reader_that_breaks_is_an_error_in_words_and_is_logged_once(
    loaded: PictureReader, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Workbench(Broken(loaded.networks), tmp_path)
    die = DieReading(DieKind.D20, None, 0.3, DieState.DOUBTFUL, SourceKind.CAMERA, box=Box(10, 10, 40, 40))
    bench.attend(Still(np.zeros((90, 160, 3), np.uint8), (die,)))
    for step in (bench.hints, bench.explained, lambda: bench.teach("x", 0, DieKind.D20, 1)):
        with pytest.raises(ReaderFailedError, match="The reader of dice fails") as failed:
            step()
        assert "a layer of another size" in failed.value.cause
    assert caplog.text.count("the reader fails on a picture") == 1
    assert bench.picture().shape == (90, 160, 3)


class Counting(PictureReader):
    """A reader that counts how often it looks."""

    looks = 0

    def look(self, picture: Pixels, scale: float = 1.0) -> Seen:
        Counting.looks += 1
        return super().look(picture, scale)


@pytest.mark.parametrize("size", [(1280, 720), (2560, 1440)])
def test_the_same_picture_at_the_same_table_is_looked_at_once(
    loaded: PictureReader, tmp_path: Path, size: tuple[int, int]
) -> None:
    bench = Workbench(Counting(loaded.networks), tmp_path)
    picture = np.full((size[1], size[0], 3), 90, np.uint8)
    bench.attend(Still(picture))
    first = bench.hints()
    looked = Counting.looks
    assert looked
    assert bench.hints() == first
    assert Counting.looks == looked, "nothing has changed"
    bench.by_corners([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)])
    bench.hints()
    assert Counting.looks > looked, "the table is known better"
    looked = Counting.looks
    bench.attend(Still(picture.copy()))
    bench.hints()
    assert Counting.looks > looked, "another picture"


def kinds(picture: Pixels, dice: tuple[DieReading, ...] = ()) -> set[HintKind]:
    """What a picture lacks."""
    return {one.kind for one in look_over(picture, dice) if not one.fine}


def test_a_fair_picture_lacks_nothing(loaded: PictureReader) -> None:
    tray = scene(47, (DieKind.D20,) * 4)
    loaded.table = TableSetup()
    hints = look_over(tray.picture, loaded.read(tray.picture))
    assert {one.kind for one in hints} >= {HintKind.DARK, HintKind.BLUR, HintKind.FAR, HintKind.NEAR}
    assert all(one.fine for one in hints)


def test_dark_burnt_blurred_small_and_far_pictures_are_told(loaded: PictureReader) -> None:
    tray = scene(47, (DieKind.D20,) * 4)
    loaded.table = TableSetup()
    dice = loaded.read(tray.picture)
    assert kinds((tray.picture * 0.1).astype(np.uint8), dice) >= {HintKind.DARK}
    assert HintKind.GLARE in kinds(np.clip(tray.picture.astype(np.int32) + 235, 0, 255).astype(np.uint8), dice)
    assert HintKind.BLUR in kinds(np.asarray(cv2.GaussianBlur(tray.picture, (0, 0), 4.0), np.uint8), dice)
    half = np.asarray(cv2.resize(tray.picture, (480, 270), interpolation=cv2.INTER_AREA), np.uint8)
    assert HintKind.SMALL in kinds(half)
    far = np.asarray(cv2.resize(tray.picture, None, fx=0.55, fy=0.55, interpolation=cv2.INTER_AREA), np.uint8)
    seen = loaded.read(far)
    assert (HintKind.FAR in kinds(far, seen)) is any(
        die.box is not None and max(die.box.width, die.box.height) < 45 for die in seen
    )


def test_blur_is_measured_in_pixels() -> None:
    sharp = np.full((400, 600), 40, np.uint8)
    for left in range(40, 560, 80):
        cv2.rectangle(sharp, (left, 60), (left + 40, 340), 200, -1)
    widths = [edge_width(np.asarray(cv2.GaussianBlur(sharp, (0, 0), sigma), np.uint8)) for sigma in (0.5, 2.0, 3.5)]
    assert [width is not None for width in widths] == [True] * 3
    first, second, third = (width or 0.0 for width in widths)
    assert first < 3.5 < second < third
    assert edge_width(np.full((200, 300), 90, np.uint8)) is None


def test_coloured_paper_and_distance_are_told_by_the_card() -> None:
    picture, _ = photographed(Camera(1280, 720), up_of(0, 0), 560)
    assert HintKind.TINT not in kinds((picture * 0.8).astype(np.uint8))
    assert kinds((picture * 0.12).astype(np.uint8)) >= {HintKind.DARK}
    assert HintKind.MIRROR in kinds(np.ascontiguousarray(picture[:, ::-1]))
    invented = DieReading(DieKind.D6, None, 0.1, DieState.DOUBTFUL, SourceKind.CAMERA, box=Box(600, 300, 90, 90))
    told = {one.kind: one for one in look_over(picture, (invented,))}
    assert told[HintKind.SCALE].value == pytest.approx(20 * Camera(1280, 720).focal / 560, rel=0.05)
    assert HintKind.FAR not in told
    yellow = (picture * np.array([0.5, 0.85, 0.9])).astype(np.uint8)
    assert HintKind.TINT in kinds(yellow)
