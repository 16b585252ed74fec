"""Two cameras over one tray: the table's own, and the tray's with its own program."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from kiosk.cli import main
from kiosk.compose import build
from kiosk.devices.second_view import SecondView
from rules.dice import DieKind
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, source, until
from tests.e2e.warm import WarmProgram
from tests.firmware_bridge.camera_tray import CameraTray
from vision.training.scenes import scene

SETTINGS = "[tray]\nsecond_view = true\n"


def patiently() -> None:
    """Be `trueroll` where one view waits for the other as long as a busy machine may need.

    How long it waits is held on a clock of its own, in tests/kiosk/devices/test_second_view.py.
    """
    main(obj=partial(build, second_view=partial(SecondView, patience=60.0, same_throw=60.0)))


class Patient(WarmProgram):
    """Such a kiosk."""

    main = staticmethod(patiently)


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[CameraTray]:
    """A tray of its own for each throw: here a view that came late would wait a minute, and be taken for the next."""
    with CameraTray(tmp_path / "tray") as made:
        yield made


@pytest.fixture
def program(tmp_path: Path, tray: CameraTray) -> Iterator[Program]:
    """A demonstration beside that tray, which draws its own tray anew for as long as it runs; two d20s asked for."""
    settings = tmp_path / "trueroll.toml"
    settings.write_text(SETTINGS, encoding="utf-8")
    arguments = ("--demo", "--config", str(settings), "--tray", str(tray.port))
    with Patient(tmp_path / "data", *arguments) as started:
        until(lambda: source(started, "tray").get("state") == source(started, "camera").get("state") == "ready")
        set_up(started)
        character = started.table()["table"]["characters"][0]["character_id"]
        started.send("declare_task", declaration=declaration(character))
        yield started


def fetched(program: Program, path: str) -> bytes:
    """A picture of the kiosk; empty where there is none."""
    try:
        with urllib.request.urlopen(f"{program.address}{path}", timeout=10) as answer:  # noqa: S310 - our own address
            return bytes(answer.read())
    except urllib.error.HTTPError:
        return b""


def has_counted(table: dict[str, Any]) -> bool:
    """Whether the dice of the Task have counted; one with nothing to buy has ended by itself."""
    return table["task"] is None or table["task"]["outcome"] is not None


class Follows:
    """Lets the tray's camera see what the table's sees, until the end."""

    def __init__(self, program: Program, tray: CameraTray) -> None:
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(program, tray), daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join(10)

    def _run(self, program: Program, tray: CameraTray) -> None:
        last = b""
        while not self._ended.wait(0.2):
            seen = fetched(program, "/api/v1/camera.jpg")
            if seen and seen != last:
                last = seen
                picture = cv2.imdecode(np.frombuffer(seen, np.uint8), cv2.IMREAD_COLOR)
                assert picture is not None
                tray.show_picture(np.asarray(picture, np.uint8))


def test_a_throw_that_both_see_counts_once(program: Program, tray: CameraTray) -> None:
    with Follows(program, tray):
        assert program.post("/api/v1/demo/throw", {"where": "camera"}).status == 200
        until(lambda: has_counted(program.table()["table"]) or bool(program.table()["questions"]))
        until(lambda: bool(fetched(program, "/tray/picture")))
    table = program.table()
    assert table["table"]["free_rolls"] == []
    assert source(program, "second view").get("remedy", "") == ""


def test_what_the_second_view_denies_is_asked_about(program: Program, tray: CameraTray) -> None:
    assert program.post("/api/v1/demo/throw", {"where": "camera"}).status == 200
    tray.show_picture(scene(45, (DieKind.D20, DieKind.D20, DieKind.D20), radius=(60, 60)).picture)
    until(lambda: bool(program.table()["questions"]), 60)
    assert program.table()["table"]["free_rolls"] == []
