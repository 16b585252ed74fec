"""`trueroll calibrate`, `trueroll dice` and `trueroll bench-cases` in the terminal, on rendered pictures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

from kiosk.cli import main
from kiosk.storage.folder import HeldFolder
from rules.dice import DieKind
from tests.vision.carded import photographed, up_of
from vision.pose.geometry import Camera
from vision.read.detection import Detection
from vision.read.die_evidence import Shown
from vision.training.scenes import scene

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("known_answers")]


def run(*arguments: str | Path, typed: str = "") -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments], input=typed)


@pytest.fixture
def die(tmp_path: Path) -> tuple[Path, str]:
    """A picture of one d20, and the face that is up on it."""
    tray = scene(48, (DieKind.D20,))
    file = tmp_path / "die.png"
    assert cv2.imwrite(str(file), tray.picture)
    return file, str(tray.dice[0].face)


def test_the_card_is_written_as_svg_and_pdf(tmp_path: Path) -> None:
    for name, start in (("card.svg", b"<svg"), ("card.PDF", b"%PDF")):
        done = run("calibrate", "card", tmp_path / name)
        assert done.exit_code == 0, done.output
        assert (tmp_path / name).read_bytes().startswith(start)
    assert run("calibrate", "card", tmp_path / "card.png").exit_code == 2
    assert run("calibrate", "card", tmp_path / "none" / "card.svg").exit_code == 1


def test_the_table_is_calibrated_checked_and_forgotten(tmp_path: Path) -> None:
    picture, corners = photographed(Camera(1280, 720), up_of(6, -8), 420)
    file = tmp_path / "card.png"
    assert cv2.imwrite(str(file), picture)
    data = ("--data", tmp_path / "data")
    done = run("calibrate", "table", file, *data)
    assert done.exit_code == 0, done.output
    assert "leans by 10°" in done.stdout
    told = run("calibrate", "check", file, "--json", *data)
    hints = {one["kind"]: one for one in json.loads(told.stdout)["hints"]}
    assert hints["blur"]["fine"]
    assert hints["lean"]["value"] == pytest.approx(10, abs=1)
    assert told.exit_code == (0 if all(one["fine"] for one in hints.values()) else 1)
    pairs = [f"{x:.1f},{y:.1f}" for x, y in corners.tolist()]
    assert "four corners" in run("calibrate", "corners", *pairs, "--source", file, *data).stdout
    assert run("calibrate", "corners", "1,1", "2", "3,3", "4,4", "--source", file, *data).exit_code == 2
    assert run("calibrate", "corners", "1,1", "1,1", "1,1", "1,1", "--source", file, *data).exit_code == 1
    outside = run("calibrate", "corners", "-100,-100", "9,1", "9,9", "1,9", "--source", file, *data)
    assert (outside.exit_code, "-100,-100 lies outside of the picture" in outside.stderr) == (1, True)
    (tmp_path / "data" / "calibration.json").write_text("{")
    damaged = run("read", file, "--data", tmp_path / "data")
    assert (damaged.exit_code, "`trueroll calibrate forget`" in damaged.stderr) == (1, True)
    assert run("calibrate", "forget", *data).exit_code == 0
    assert "Not calibrated" in run("calibrate", "check", file, *data).stdout
    refused = run("calibrate", "lens", file, file, *data)
    assert refused.exit_code == 1
    assert "three or more" in refused.stderr
    alike = run("calibrate", "lens", file, file, file, *data)
    assert (alike.exit_code, "too like one another" in alike.stderr) == (1, True)
    with HeldFolder(tmp_path / "data"):
        busy = run("calibrate", "table", file, *data)
    assert busy.exit_code == 1
    assert "/camera" in busy.stderr


def test_a_tray_with_a_die_in_it_is_not_kept_as_empty(tmp_path: Path, die: tuple[Path, str]) -> None:
    file, _ = die
    data = ("--data", tmp_path / "data")
    refused = run("calibrate", "empty", file, *data)
    assert refused.exit_code == 1
    assert "1 die was seen" in refused.stderr
    assert "Take it out" in refused.stderr
    assert "no dice" not in run("read", file, *data).stdout
    assert run("calibrate", "empty", file, "--printed", *data).exit_code == 0
    assert "no dice" in run("read", file, *data).stdout


def test_a_die_is_enrolled_from_pictures_and_travels(tmp_path: Path, die: tuple[Path, str]) -> None:
    file, face = die
    data = ("--data", tmp_path / "data")
    assert run("dice", "list", *data).stdout.startswith("No dice")
    done = run("dice", "enrol", "Red one", "--picture", file, face, *data)
    assert done.exit_code == 0, done.output
    assert "Red one was learnt" in done.stdout
    asked = run("dice", "enrol", "Red one", "--source", file, *data, typed=f"{face}\n\nq\n")
    assert asked.exit_code == 0, asked.output
    assert "Red one" in run("dice", "list", *data).stdout
    wrong = str(int(face) % 20 + 1)
    doubted = run("dice", "enrol", "Red one", "--picture", file, wrong, *data)
    assert doubted.exit_code == 1
    assert f"It was read as {face}, not {wrong}: passed over." in doubted.stderr
    asked = run("dice", "enrol", "Red one", "--source", file, *data, typed=f"{wrong}\nn\nq\n")
    assert f"Does it show {wrong}?" in asked.stdout
    assert asked.exit_code == 1
    kept = tmp_path / "dice.json"
    with HeldFolder(tmp_path / "data"):  # as by a running kiosk
        kept.write_text(run("dice", "export", *data).stdout)
    assert run("dice", "forget", "red ONE", *data).exit_code == 0
    assert run("dice", "forget", "red one", *data).exit_code == 1
    assert run("dice", "import", kept, *data).exit_code == 0
    (tmp_path / "empty.json").touch()
    for other in (file, tmp_path / "empty.json"):
        refused = run("dice", "import", other, *data)
        assert refused.exit_code == 1
        assert "This file holds no dice." in refused.stderr
    assert "Red one" in run("dice", "list", *data).stdout
    assert run("dice", "enrol", "Other", "--picture", file, "21", *data).exit_code == 1
    named = run("read", file, *data, "--explain", tmp_path / "seen.png")
    assert named.stdout == f"{file}: Red one: d20 {face}\n"
    told = json.loads(run("read", file, "--json", *data).stdout)
    assert [one["kind"] for one in told["dice"]] == ["d20"]


def test_an_unusual_die_is_taught_though_it_looks_like_another_thing(
    tmp_path: Path, die: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing_but_things(_: Shown, told: Sequence[Detection]) -> tuple[list[Detection], list[Detection]]:
        return [], list(told)

    monkeypatch.setattr("vision.read.reader.without_things", nothing_but_things)
    file, face = die
    data = ("--data", tmp_path / "data")
    assert "no dice" in run("read", file).stdout
    done = run("dice", "enrol", "Odd one", "--picture", file, face, *data)
    assert "Odd one was learnt" in done.stdout, done.output


def test_nothing_is_taught_from_a_picture_of_many_dice(tmp_path: Path) -> None:
    file = tmp_path / "many.png"
    assert cv2.imwrite(str(file), scene(44, (DieKind.D20,) * 2).picture)
    done = run("dice", "enrol", "Red", "--picture", file, "3", "--data", tmp_path / "data")
    assert done.exit_code == 1
    assert "2 dice were seen" in done.stdout


def test_cases_are_read_again(tmp_path: Path, die: tuple[Path, str]) -> None:
    file, face = die
    folder = tmp_path / "data" / "cases"
    folder.mkdir(parents=True)
    picture = cv2.imread(str(file))
    assert picture is not None
    assert cv2.imwrite(str(folder / "a.jpg"), picture)
    box = [round(side) for side in json.loads(run("read", file, "--json").stdout)["dice"][0]["box"]]
    for said, line, code in (
        (int(face), "1 right, 0 asked about, 0 missed, 0 wrong", 0),
        (int(face) % 20 + 1, "1 wrong", 1),
    ):
        told = {"form": 1, "expected": [{"kind": "d20", "face": said, "box": box}], "seen": []}
        (folder / "a.json").write_text(json.dumps(told))
        done = run("bench-cases", "--data", tmp_path / "data")
        assert done.exit_code == code, done.output
        assert line in done.stdout.splitlines()[-1]
    assert run("bench-cases", folder, "--data", tmp_path / "other").exit_code == 1
    told = {"form": 1, "expected": [{"kind": "d20", "face": 3, "box": [1, 1, 40, 40]}], "seen": []}
    (folder / "a.json").write_text(json.dumps(told))
    missed = run("bench-cases", folder, "--data", tmp_path / "other")
    assert (missed.exit_code, missed.stdout.splitlines()[-1]) == (1, "0 right, 0 asked about, 1 missed, 0 wrong")


def test_cases_that_cannot_be_read_are_named_and_the_others_are_read(tmp_path: Path, die: tuple[Path, str]) -> None:
    file, face = die
    box = [round(side) for side in json.loads(run("read", file, "--json").stdout)["dice"][0]["box"]]
    told = json.dumps({"form": 1, "expected": [{"kind": "d20", "face": int(face), "box": box}], "seen": []})
    broken = {
        "cut-off": told[:30],
        "of-another-die": told.replace(face, "21", 1) if face != "1" else told.replace('"d20"', '"d7"'),
        "endless": told.replace(f"[{box[0]},", "[Infinity,"),
        "no-case": "[]",
        "newer": told.replace('"form": 1', '"form": 2'),
        "no-picture": told,
    }
    for name, text in {**broken, "good": told}.items():
        (tmp_path / f"{name}.json").write_text(text)
        if name != "no-picture":
            (tmp_path / f"{name}.png").write_bytes(file.read_bytes())
    (tmp_path / "die.png").unlink()
    done = run("bench-cases", tmp_path, "--data", tmp_path / "data")
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [f"good: d20 {face}: right", "1 right, 0 asked about, 0 missed, 0 wrong"]
    named = done.stderr.splitlines()
    assert [line.partition(": ")[0] for line in named] == ["Error"] * len(broken)
    assert [Path(line.split(": ")[1]).stem for line in named] == sorted(broken)


def test_a_folder_without_cases_says_so(tmp_path: Path) -> None:
    for arguments, code in (((), 0), ((tmp_path,), 1)):
        done = run("bench-cases", *arguments, "--data", tmp_path)
        assert done.exit_code == code
        assert done.stdout.startswith("There is no test case in")
