"""`trueroll read` and `trueroll watch` as a person at a terminal meets them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

import vision.read.reader
from kiosk.commands.pictures import read, watch
from rules.dice import Box, DieKind, DieReading, DieState, Guess, SourceKind
from tests.vision.frames.test_sources import mjpeg_server, write_folder
from tests.vision.taken import TakenWith, with_exif
from tests.vision.toys import BlobReader, FragileReader, rolling, still, tray
from vision.frames.pictures import encode_jpeg
from vision.frames.sources import Pixels
from vision.ports import Survey, UncountedDie

pytestmark = pytest.mark.slow

ONE = (300, 200, 7)
TWO = (450, 100, 12)
PROGRAM = """
import sys
import vision.read.reader
from tests.vision.taken import TakenWith, with_exif
from tests.vision.toys import BlobReader
vision.read.reader.load_reader = lambda *, hfov: BlobReader()
from kiosk.commands.pictures import read, watch
{"read": read, "watch": watch}[sys.argv.pop(1)]()
"""


@pytest.fixture(autouse=True)
def blobs(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The reader of painted trays in place of the real one; the fields of view it was asked for."""
    asked: list[float] = []

    def load(*, hfov: float) -> BlobReader:
        asked.append(hfov)
        return BlobReader()

    monkeypatch.setattr(vision.read.reader, "load_reader", load)
    return asked


def run(command: str, *arguments: object) -> Result:
    return CliRunner().invoke({"read": read, "watch": watch}[command], [str(one) for one in arguments])


def start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def picture(folder: Path, name: str, *spots: tuple[int, int, int]) -> Path:
    path = folder / name
    assert cv2.imwrite(str(path), tray(*spots))
    return path


def lines(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def dice_of(told: dict[str, object]) -> list[dict[str, object]]:
    dice = told["dice"]
    assert isinstance(dice, list)
    return dice


def test_each_picture_is_one_json_line_in_the_form_of_the_design(tmp_path: Path) -> None:
    first, second = picture(tmp_path, "a.png", ONE, TWO), picture(tmp_path, "b.png")
    result = run("read", first, second, "--json")
    assert result.exit_code == 0
    told = lines(result)
    assert [list(one) for one in told] == [["image", "width", "height", "ms", "dice", "others"]] * 2
    assert (told[0]["image"], told[0]["width"], told[0]["height"]) == (str(first), 640, 360)
    assert isinstance(told[0]["ms"], float)
    assert told[0]["dice"] == [
        {"kind": "d20", "face": 7, "confidence": 0.99, "state": "read", "box": [300, 200, 40, 40]},
        {"kind": "d20", "face": 12, "confidence": 0.99, "state": "read", "box": [450, 100, 40, 40]},
    ]
    assert told[1]["dice"] == []
    assert [one["others"] for one in told] == [[], []]


def test_dice_of_other_kinds_are_named_beside_the_dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Naming(BlobReader):
        def survey(self, picture: Pixels) -> Survey:
            return Survey(self.read(picture), (UncountedDie("d8", Box(10, 20, 30, 40)),))

    monkeypatch.setattr(vision.read.reader, "load_reader", lambda **_: Naming())
    with_d20, alone = picture(tmp_path, "a.png", ONE), picture(tmp_path, "b.png")
    told = lines(run("read", with_d20, alone, "--json"))
    assert [one["others"] for one in told] == [[{"kind": "d8", "box": [10, 20, 30, 40]}]] * 2
    assert [len(str(one["dice"])) > 2 for one in told] == [True, False]
    assert run("read", with_d20, alone).stdout.splitlines() == [
        f"{with_d20}: d20 7, d8 (not counted)",
        f"{alone}: d8 (not counted)",
    ]
    folder = write_folder(tmp_path / "frames", [*still(12), *rolling(6), *still(12, ONE)])
    assert run("watch", folder, "--fps", "20").stdout.splitlines()[-1].endswith("reading: d20 7, d8 (not counted)")
    events = lines(run("watch", folder, "--fps", "20", "--json"))
    assert [one.get("others") for one in events] == [None, None, None, [{"kind": "d8", "box": [10, 20, 30, 40]}]]


def test_a_die_that_fills_the_picture_is_seen_within_a_frame_and_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Framed(BlobReader):
        def __init__(self, *boxes: Box) -> None:
            super().__init__()
            self.boxes = boxes

        def read(self, picture: Pixels) -> tuple[DieReading, ...]:
            if picture.shape == tray().shape:
                return ()
            return tuple(
                DieReading(DieKind.D6, 4, 0.99, DieState.READ, SourceKind.CAMERA, box=one) for one in self.boxes
            )

    whole = picture(tmp_path, "a.png")
    rows, columns = tray().shape[:2]
    edge = round(0.2 * columns)
    fills, small = Box(edge + 10, edge - 5, rows, rows), Box(edge + 10, edge + 10, 60, 60)
    for boxes, told in (
        ((fills,), [[10, 0, rows, rows - 5]]),
        ((small,), []),
        ((small, fills), [[10, 0, rows, rows - 5]]),
    ):
        monkeypatch.setattr(vision.read.reader, "load_reader", lambda boxes=boxes, **_: Framed(*boxes))
        (line,) = lines(run("read", whole, "--json"))
        assert [die["box"] for die in dice_of(line)] == told
        assert all(die["state"] == "doubtful" for die in dice_of(line))


def test_where_only_one_thing_is_open_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Open(BlobReader):
        def survey(self, picture: Pixels) -> Survey:
            guesses = (Guess(2, 0.998), Guess(1, 0.02))
            bare = DieReading(DieKind.D6, None, 0.8, DieState.DOUBTFUL, SourceKind.CAMERA, guesses=guesses)
            both = (DieKind.D6, DieKind.CHALLENGE)
            open_ = DieReading(DieKind.D6, 2, 0.99, DieState.READ, SourceKind.CAMERA, kinds=both)
            return Survey((bare, open_, bare, *self.read(picture)), maybe_print=frozenset({2}))

    monkeypatch.setattr(vision.read.reader, "load_reader", lambda **_: Open())
    path = picture(tmp_path, "a.png", ONE)
    words = "d6 or challenge 2"
    flat = "d6 doubtful (it shows 2; it may be print)"
    assert run("read", path).stdout == f"{path}: d6 doubtful (2: 100 %, 1: 2 %), {words}, {flat}, d20 7\n"
    first, second, *_ = dice_of(*lines(run("read", path, "--json")))
    assert "kinds" not in first
    assert second["kinds"] == ["d6", "challenge"]


def test_dice_too_small_to_be_read_are_said_to_be_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Weak(BlobReader):
        def read(self, picture: Pixels) -> tuple[DieReading, ...]:
            first, *others = super().read(picture)
            assert first.box is not None
            first = replace(first, box=replace(first.box, width=24, height=24))
            return (first, *(replace(one, face=None, state=DieState.DOUBTFUL) for one in others))

    monkeypatch.setattr(vision.read.reader, "load_reader", lambda **_: Weak())
    one, two = picture(tmp_path, "a.png", ONE), picture(tmp_path, "b.png", ONE, TWO)
    result = run("read", one, two, "--json")
    assert len(lines(result)) == 2
    said = "Too far: dice of 24 pixels; 30 are needed. Bring the camera nearer."
    assert result.stderr.splitlines() == [f"{one}: {said}", f"{two}: {said}"], "others may not have been seen at all"


TURNED = ((400, 100, 3), (450, 100, 12), (550, 200, 7))
"""Dice that `ByMirror` can read turned over only, but for the last one, which looks like another there."""


class ByMirror(BlobReader):
    """Cannot read dice right of the picture's middle, and takes what is the third of them for a 7."""

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        return tuple(
            replace(die, face=None, state=DieState.DOUBTFUL) if die.box and die.box.x > 330 and place < 2 else die
            for place, die in enumerate(super().read(picture))
        )


def test_a_mirrored_picture_is_said_and_none_of_its_d20s_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision.read.reader, "load_reader", lambda **_: ByMirror())
    image = picture(tmp_path, "a.png", *TURNED)
    in_words = run("read", image)
    assert in_words.stdout == f"{image}: d20 doubtful, d20 doubtful, d20 doubtful (7: 99 %)\n"
    assert in_words.stderr.startswith(f"{image}: The picture is mirrored. Switch that off")
    as_json = run("read", image, "--json")
    assert as_json.stderr == in_words.stderr
    (told,) = lines(as_json)
    assert list(told) == ["image", "width", "height", "ms", "dice", "others"]
    assert [(die["face"], die["state"]) for die in dice_of(told)] == [(None, "doubtful")] * 3
    folder = write_folder(tmp_path / "frames", [*still(12), *rolling(6), *still(12, *TURNED)])
    watched = run("watch", folder, "--fps", "20", "--json")
    assert watched.stderr.count("The picture is mirrored. ") == 1
    assert [(die["face"], die["state"]) for die in dice_of(lines(watched)[-1])] == [(None, "doubtful")] * 3
    true = run("read", picture(tmp_path, "b.png", (100, 100, 3), (150, 100, 12), (250, 200, 7)))
    assert true.stdout == f"{tmp_path}/b.png: d20 3, d20 12, d20 7\n"
    assert "The picture is mirrored" not in true.stderr


def test_without_json_the_dice_are_said_in_words(tmp_path: Path) -> None:
    result = run("read", picture(tmp_path, "a.png", ONE, TWO), picture(tmp_path, "b.png"))
    assert result.stdout.splitlines() == [f"{tmp_path}/a.png: d20 7, d20 12", f"{tmp_path}/b.png: no dice"]


def test_what_is_no_picture_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    good = picture(tmp_path, "good.png", ONE)
    bad = tmp_path / "bad.png"
    bad.write_text("no picture")
    result = run("read", bad, tmp_path / "absent.jpg", tmp_path, good, "--json")
    assert result.exit_code == 1
    assert [one["image"] for one in lines(result)] == [str(good)]
    errors = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 3
    assert "bad.png" in errors[0]
    assert "no such file" in errors[1]


def test_a_doubtful_die_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision.read.reader, "load_reader", lambda **_: BlobReader(doubts=9))
    path = picture(tmp_path, "a.png", ONE)
    result = run("read", path, "--json")
    assert result.exit_code == 0
    assert lines(result)[0]["dice"] == [
        {"kind": "d20", "face": None, "confidence": 0.4, "state": "doubtful", "box": [300, 200, 40, 40]}
    ]
    assert run("read", path).stdout.strip().endswith("d20 doubtful")


def test_a_doubtful_die_is_told_with_its_guesses_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Guessing(BlobReader):
        def read(self, picture: Pixels) -> tuple[DieReading, ...]:
            return tuple(replace(die, guesses=(Guess(17, 0.62), Guess(3, 0.214))) for die in super().read(picture))

    monkeypatch.setattr(vision.read.reader, "load_reader", lambda **_: Guessing(doubts=9))
    path = picture(tmp_path, "a.png", ONE)
    assert run("read", path).stdout.strip().endswith("d20 doubtful (17: 62 %, 3: 21 %)")
    assert run("read", path, "--json").stdout.count("guess") == 0


def test_boxes_are_in_pixels_of_the_picture_as_given(tmp_path: Path) -> None:
    large = cv2.resize(tray(ONE), None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    path = tmp_path / "large.png"
    assert cv2.imwrite(str(path), large)
    told = lines(run("read", path, "--json"))[0]
    assert (told["width"], told["height"]) == (5120, 2880)
    dice = told["dice"]
    assert isinstance(dice, list)
    assert np.abs(np.subtract(dice[0]["box"], [2400, 1600, 320, 320])).max() <= 16


def test_the_field_of_view_reaches_the_reader(tmp_path: Path, blobs: list[float]) -> None:
    path = picture(tmp_path, "a.png")
    assert run("read", path, "--hfov", "52.5").exit_code == 0
    assert run("watch", path, "--hfov", "48").exit_code == 0
    assert blobs == [52.5, 48.0]
    assert run("read", path, "--hfov", "181").exit_code == 2


class ThroughLenses(BlobReader):
    """A reader that is told of lenses."""

    def __init__(self) -> None:
        super().__init__()
        self.lens: float | None = None
        self.read_through: list[float | None] = []

    def look_through(self, hfov: float | None) -> None:
        self.lens = hfov

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        self.read_through.append(self.lens)
        return super().read(picture)


def test_what_each_picture_tells_of_its_lens_reaches_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = ThroughLenses()
    monkeypatch.setattr(vision.read.reader, "load_reader", lambda **_: reader)
    for name, lens in (("a.jpg", TakenWith(26)), ("b.jpg", None), ("c.jpg", TakenWith(13))):
        data = encode_jpeg(tray(ONE))
        (tmp_path / name).write_bytes(data if lens is None else with_exif(data, lens=lens))
    told = [pytest.approx(71.9, abs=0.1), None, pytest.approx(110.8, abs=0.1)]
    assert run("read", *sorted(tmp_path.iterdir())).exit_code == 0
    assert reader.read_through == told
    reader.read_through.clear()
    assert run("watch", tmp_path, "--hold", "0.5").exit_code == 0
    assert reader.read_through == told


def test_a_picture_that_breaks_the_reader_costs_itself_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = FragileReader()
    monkeypatch.setattr(vision.read.reader, "load_reader", lambda **_: reader)
    result = run("read", picture(tmp_path, "a.png", ONE), picture(tmp_path, "b.png", ONE), "--json")
    assert result.exit_code == 1
    assert "of a sort" in result.stderr
    assert len(lines(result)) == 1


def test_explain_draws_one_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def explained(picture: Pixels, reader: BlobReader, *, mirrored: bool) -> Pixels:
        return picture + np.uint8(len(reader.read(picture)) + 7 * mirrored)

    monkeypatch.setattr(vision.read.reader, "explained", explained)
    path = picture(tmp_path, "a.png", ONE)
    drawn = tmp_path / "drawn.png"
    assert run("read", path, "--explain", drawn).exit_code == 0
    seen = cv2.imread(str(drawn))
    assert seen is not None
    assert np.array_equal(seen, tray(ONE) + np.uint8(1))
    with monkeypatch.context() as patch:
        patch.setattr(vision.read.reader, "load_reader", lambda **_: ByMirror())
        turned = picture(tmp_path, "turned.png", *TURNED)
        assert run("read", turned, "--explain", drawn).exit_code == 0
    assert np.array_equal(np.asarray(cv2.imread(str(drawn))), tray(*TURNED) + np.uint8(10))
    assert run("read", path, path, "--explain", drawn).exit_code == 2
    refused = run("read", path, "--explain", tmp_path / "absent" / "drawn.png")
    assert refused.exit_code == 1
    assert "cannot be written" in refused.stderr


def test_a_recording_is_told_event_by_event(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "frames", [*still(12), *rolling(6), *still(12, ONE)])
    result = run("watch", folder, "--json", "--fps", "20")
    assert result.exit_code == 0
    told = lines(result)
    assert [one["event"] for one in told] == ["settled", "motion", "settled", "reading"]
    assert [list(one) for one in told] == [["event", "frame", "t", "dice"]] * 4
    words = run("watch", folder, "--fps", "20").stdout.splitlines()
    assert words[-1].endswith("reading: d20 7")


def test_a_folder_of_stills_is_a_throw_each(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "stills", [tray(ONE), tray(TWO), tray(TWO), tray()])
    for options in ([], ["--hold", "0.6"]):
        told = lines(run("watch", folder, "--json", *options))
        readings = [one for one in told if one["event"] in ("reading", "cleared")]
        assert [(one["event"], one["frame"]) for one in readings] == [
            ("reading", 0),
            ("reading", 1),
            ("reading", 2),
            ("cleared", 3),
        ]


def test_a_recording_in_which_nothing_rests_says_what_to_try(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "frames", rolling(8))
    result = run("watch", folder, "--json", "--fps", "20")
    assert result.exit_code == 0
    assert {one["event"] for one in lines(result)} == {"motion"}
    assert "--hold" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["watch", "no-such-thing"], 1, "no file or folder"),
        (["watch", "97"], 1, "camera 97"),
        (["watch", "http://127.0.0.1:9/"], 1, "does not answer"),
        (["watch", "gopher://x"], 1, "not known"),
        (["watch", ".", "--fps", "0"], 2, "--fps"),
        (["watch", ".", "--fps", "5", "--hold", "1"], 2, "--hold"),
        (["read"], 2, "IMAGE"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], code: int, words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert words in result.stderr
    assert "Traceback" not in result.output
    assert isinstance(result.exception, SystemExit)


def test_a_broken_opencv_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "cv2.py").write_text("raise RuntimeError('libGL.so.1 is missing')")
    for command in ("read", "watch"):
        code = f"from kiosk.commands.pictures import {command}; {command}()"
        done = subprocess.run(
            [sys.executable, "-c", code, "x.png"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(Path(__file__).parents[2])))},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 1
        assert "libGL" in done.stderr
        assert "make install" in done.stderr


def test_help_loads_no_opencv() -> None:
    code = "import sys; from kiosk.commands.pictures import read, watch; assert 'cv2' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "stills", [tray(ONE), tray(TWO)] * 10)
    watching = start("watch", folder, "--json", "--hold", "0.6")
    assert watching.stdout is not None
    assert watching.stderr is not None
    assert json.loads(watching.stdout.readline())["event"] == "settled"
    watching.stdout.close()
    assert watching.wait(30) == 0
    assert watching.stderr.read() == ""
    watching.stderr.close()


def test_ctrl_c_ends_quietly() -> None:
    with mjpeg_server(still(3, ONE) * 400, pace=0.03) as address:
        watching = start("watch", address, "--json")
        killer = threading.Timer(60, watching.kill)
        killer.start()
        assert watching.stdout is not None
        assert json.loads(watching.stdout.readline())["event"] == "settled"
        watching.send_signal(signal.SIGINT)
        _, errors = watching.communicate(timeout=30)
        killer.cancel()
    assert (watching.returncode, errors) == (130, "")
