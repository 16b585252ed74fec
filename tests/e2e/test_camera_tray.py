"""From dice before a camera tray's camera, through its own program on MicroPython, to the outcome at the table."""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.dice import DieKind
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, source, until
from tests.e2e.warm import WarmProgram
from tests.firmware_bridge.camera_tray import CameraTray
from vision.ports import Pixels
from vision.training.scenes import Scene, scene


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[CameraTray]:
    with CameraTray(tmp_path / "tray") as made:
        yield made


@pytest.fixture
def program(tmp_path: Path, tray: CameraTray) -> Iterator[Program]:
    with WarmProgram(tmp_path / "data", "--camera", "off", "--tray", str(tray.port)) as started:
        until(lambda: source(started, "tray").get("state") == "ready")
        yield started


def page_of(program: Program, path: str) -> str:
    """The page as the kiosk's own browser gets it."""
    with urllib.request.urlopen(f"{program.address}{path}", timeout=30) as answer:  # noqa: S310 - our own address
        return str(answer.read().decode())


def empty(thrown: Scene) -> Pixels:
    """The same tray without dice, as far as a look at it tells."""
    return np.full_like(thrown.picture, 90)


def test_a_throw_is_read_counted_once_and_shown_with_pictures(
    tray: CameraTray, program: Program, tmp_path: Path
) -> None:
    program.send("declare_task", declaration=declaration(set_up(program)))
    assert "its camera looks at the dice" in source(program, "tray")["what"]
    thrown = scene(45, (DieKind.D20, DieKind.D20), radius=(60, 60))
    tray.show_picture(thrown.picture)
    until(lambda: program.table()["table"]["task"]["outcome"] is not None)
    page = page_of(program, "/tray")
    assert "/tray/picture?tray=1&amp;n=1" in page
    assert "reads no tag now" not in page
    assert "Ada Lindqvist succeeds" in page_of(program, "/display")
    dice = [one["die"] for one in program.table()["table"]["task"]["dice"]]
    assert {die["face"] for die in dice} == {one.face for one in thrown.dice}
    assert {die["source"] for die in dice} == {"tray"}
    rolls = program.table()["table"]["free_rolls"]
    assert rolls == [], "it counted once"
    program.stop()
    with WarmProgram(tmp_path / "data", "--camera", "off", "--tray", str(tray.port)) as again:
        until(lambda: source(again, "tray").get("state") == "ready")
        tray.show_picture(empty(thrown))
        until(lambda: again.table()["table"]["task"]["outcome"] is not None)
        assert [one["die"] for one in again.table()["table"]["task"]["dice"]] == dice
        assert again.table()["table"]["free_rolls"] == []


def test_a_throw_counts_once_when_the_kiosk_is_ended_while_its_picture_is_under_way(
    tray: CameraTray, program: Program, tmp_path: Path
) -> None:
    """The tray keeps its newest picture and tells it again: what this run does not count, the next one does."""
    program.send("declare_task", declaration=declaration(set_up(program)))
    tray.show_picture(scene(45, (DieKind.D20, DieKind.D20), radius=(60, 60)).picture)
    time.sleep(0.45)  # it is taken 0.4 s after the dice lie still
    assert program.table()["table"]["task"]["outcome"] is None, "it has not counted yet"
    program.stop()
    with WarmProgram(tmp_path / "data", "--camera", "off", "--tray", str(tray.port)) as again:
        until(lambda: again.table()["table"]["task"]["outcome"] is not None)
        assert len(again.table()["table"]["task"]["dice"]) == 2
        assert again.table()["table"]["free_rolls"] == []


def test_a_picture_that_is_none_costs_itself_and_the_next_one_is_read(tray: CameraTray, program: Program) -> None:
    set_up(program)
    thrown = scene(45, (DieKind.D20,), radius=(60, 60))
    look = cv2.resize(cv2.cvtColor(thrown.picture, cv2.COLOR_BGR2GRAY), (160, 120)).astype(np.uint8)
    tray.show(b"no picture at all", look)
    until(lambda: source(program, "tray").get("state") == "lost")
    assert "Enter the dice by hand" in source(program, "tray")["remedy"]
    tray.show_picture(scene(46, (DieKind.D20,), radius=(60, 60)).picture)
    until(lambda: source(program, "tray").get("state") == "ready")
    until(lambda: bool(program.table()["table"]["free_rolls"]))
