"""Dice from a tray: `trueroll tray simulate` on a pseudo-terminal, real pyserial, and the kiosk at the other end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, source, until
from tests.e2e.tray import Tray
from tests.e2e.warm import WarmProgram


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[Tray]:
    with Tray(tmp_path / "tray") as made:
        yield made


@pytest.fixture
def program(tmp_path: Path, tray: Tray) -> Iterator[Program]:
    with WarmProgram(tmp_path / "data", "--camera", "off", "--tray", str(tray.link)) as started:
        until(lambda: source(started, "tray").get("state") == "ready")
        yield started


def declare(program: Program) -> None:
    program.send("declare_task", declaration=declaration(set_up(program)))


def test_a_throw_from_before_is_named_as_that_in_a_fresh_folder(tray: Tray, program: Program, tmp_path: Path) -> None:
    """Whoever begins anew with dice on the tray sees that they lay there; the next throw is one."""
    tray.tell("throw d20:4 d20:13")
    until(lambda: program.table()["stage"]["word"] == "Free roll")
    program.stop()
    with WarmProgram(tmp_path / "fresh", "--camera", "off", "--tray", str(tray.link)) as anew:
        until(lambda: bool(anew.table()["table"]["free_rolls"]))
        assert anew.table()["stage"]["kind"] == "setup", "what is needed first is not covered"
        set_up(anew)
        assert anew.table()["stage"]["word"] == "Ready"
        tray.tell("throw d20:7")
        until(lambda: anew.table()["stage"]["word"] == "Free roll")


def test_two_dice_on_the_tray_become_the_outcome(tray: Tray, program: Program) -> None:
    declare(program)
    tray.tell("throw d20:4 d20:13")
    until(lambda: (program.table()["table"]["task"] or {}).get("outcome") is not None)
    view = program.table()
    task = view["table"]["task"]
    assert [die["die"]["face"] for die in task["dice"]] == [4, 13]
    assert {die["die"]["source"] for die in task["dice"]} == {"tray"}
    assert task["outcome"]["successes"] == 3
    assert "Success" in view["narration"]["terse"]


def test_a_wrong_count_is_said_in_words_and_nothing_is_scored(tray: Tray, program: Program) -> None:
    declare(program)
    tray.tell("throw d20:4 d20:13 d20:7")
    until(lambda: bool(program.table()["questions"]))
    view = program.table()
    assert view["questions"][0].startswith("3 d20s on the tray, 2 expected.")
    assert view["table"]["task"]["outcome"] is None


def test_a_cocked_die_is_asked_about_and_the_others_stay(tray: Tray, program: Program) -> None:
    declare(program)
    tray.tell("throw d20:4 d20:13")
    until(lambda: program.table()["table"]["task"]["outcome"] is not None)
    program.send("undo")
    tray.tell("clear")
    tray.tell("throw d20:9 d20:2")
    tray.tell("cocked 1")
    until(lambda: bool(program.table()["questions"]))
    held = program.table()["table"]["held"]
    cocked = [position for position, die in enumerate(held["dice"]) if die["state"] == "cocked"]
    assert len(cocked) == 1
    program.send("correct_die", position=cocked[0], face=17)
    stays = held["dice"][1 - cocked[0]]["face"]
    dice = program.table()["table"]["task"]["dice"]
    assert sorted(die["die"]["face"] for die in dice) == sorted([stays, 17])
    assert [die["die"]["corrected"] for die in dice if die["die"]["face"] == 17] == [True]


def test_unplugging_is_told_and_the_tray_comes_back_by_itself(tray: Tray, program: Program) -> None:
    declare(program)
    tray.tell("unplug")
    until(lambda: source(program, "tray").get("state") in {"lost", "absent"})
    tray.tell("replug")
    until(lambda: source(program, "tray").get("state") == "ready")
    tray.tell("throw d20:4 d20:13")
    until(lambda: program.table()["table"]["task"]["outcome"] is not None)
    assert program.output.count("WARNING") == 1, program.output


def test_a_throw_counts_once_across_a_kill(tray: Tray, program: Program) -> None:
    declare(program)
    tray.tell("throw d20:4 d20:13")
    until(lambda: program.table()["table"]["task"]["outcome"] is not None)
    before = program.table()["table"]
    program.kill()
    program.start()
    until(lambda: source(program, "tray").get("state") == "ready")
    time.sleep(1.0)  # the tray repeats what lies on it after a new start
    after = program.table()["table"]
    assert after["task"] == before["task"]
    assert after["free_rolls"] == before["free_rolls"]
