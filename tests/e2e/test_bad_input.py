"""What a table may do to the kiosk: each gets a clear error, the table goes on, nothing is lost."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from kiosk.storage.paths import JOURNAL_NAME
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import TRUEROLL, Program, source, until
from tests.e2e.warm import WarmProgram

NO_SOURCES = ("--camera", "off", "--tray", "off")


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    with WarmProgram(tmp_path / "data", *NO_SOURCES) as started:
        yield started


def refused(program: Program) -> str:
    """What a program printed that ended instead of starting; at its address another one may answer."""
    with suppress(AssertionError):
        program.start()
    assert program.wait() == 1
    return program.output


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"command": "declare_taks"}, "declare_task"),
        ({}, "command"),
        ([], "object"),
        ({"command": "adjust_pool", "pool": "threat"}, "change"),
        ({"command": "adjust_pool", "pool": "threat", "change": "many"}, "change"),
        ({"command": "adjust_pool", "pool": "luck", "change": 1}, "pool"),
        ({"command": "adjust_pool", "pool": "threat", "change": 1, "chnage": 1}, "chnage"),
        ({"command": "enter_dice", "request": 1, "faces": [2**70]}, "faces"),
    ],
)
def test_json_of_the_wrong_shape_is_named_and_changes_nothing(standing_kiosk: Program, body: object, said: str) -> None:
    before = standing_kiosk.table()["sequence"]
    answer = standing_kiosk.post("/api/v1/commands", body)
    assert answer.status == 400
    assert said in json.dumps(answer.body)
    assert standing_kiosk.table()["sequence"] == before


def test_a_player_called_script_is_a_name(program: Program) -> None:
    character = set_up(program, name="<script>alert(1)</script>")
    program.send("declare_task", declaration=declaration(character))
    table = program.table()["table"]
    program.send("enter_dice", request=table["request"]["number"], faces=[4, 13])
    view = program.table()
    assert view["table"]["task"]["who"] == "<script>alert(1)</script>"
    assert "script alert 1 script, Target Number 15" in view["narration"]["full"], "a voice says words, not marks"


def test_an_empty_field_is_never_filled_in(program: Program) -> None:
    program.send("declare_task", declaration=declaration(set_up(program)))
    number = program.table()["table"]["request"]["number"]
    for faces in ([4], [], [4, 13, 7], [4, 0], [4, 21]):
        answer = program.post("/api/v1/commands", {"command": "enter_dice", "request": number, "faces": faces})
        assert answer.status in {400, 409}, faces
    assert program.table()["table"]["task"]["outcome"] is None


def test_a_second_kiosk_on_the_same_journal_is_refused_in_words(program: Program) -> None:
    second = WarmProgram(program.data, *NO_SOURCES)
    second.log = program.data.parent / "second.log"
    told = refused(second)
    assert "Error:" in told
    assert "Traceback" not in told
    assert program.table()["sequence"] == 0


def test_a_taken_port_is_named(program: Program, tmp_path: Path) -> None:
    second = WarmProgram(tmp_path / "other", *NO_SOURCES)
    second.port = program.port
    told = refused(second)
    assert str(program.port) in told
    assert "Traceback" not in told


def test_a_journal_from_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    program = WarmProgram(tmp_path / "data", *NO_SOURCES)
    with program:
        set_up(program)
        program.stop()
    path = program.data / JOURNAL_NAME
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    before = path.read_bytes()
    assert "later version" in refused(program)
    assert path.read_bytes() == before


def test_a_damaged_journal_is_set_aside_and_told(tmp_path: Path) -> None:
    program = WarmProgram(tmp_path / "data", *NO_SOURCES)
    with program:
        set_up(program)
        before = program.table()["sequence"]
        program.stop()
    path = program.data / JOURNAL_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))
    with program:
        assert program.table()["sequence"] == before, "its second copy brings it back"
        kept = list(program.data.glob("journal.damaged-*.sqlite3"))
        assert kept
        assert str(kept[0]) in program.output


def test_a_settings_file_with_a_misspelt_key_names_it(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text("[server]\nprot = 8081\n")
    answer = subprocess.run(
        [TRUEROLL, "config", "show", "--config", settings], capture_output=True, text=True, timeout=60, check=False
    )
    assert answer.returncode == 1
    assert "prot" in answer.stderr
    assert "port" in answer.stderr


def test_an_unplugged_camera_costs_the_camera_alone(tmp_path: Path) -> None:
    with WarmProgram(tmp_path / "data", "--camera", "/dev/video97", "--tray", "/dev/ttyACM97") as program:
        until(lambda: {source(program, one).get("state") for one in ("camera", "tray")} <= {"absent", "lost"})
        assert source(program, "camera")["remedy"]
        set_up(program)
        assert program.output.count("There is no camera") == 1
