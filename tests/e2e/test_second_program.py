"""A second program on the tray's port: it is named, the table goes on, and the tray is back when it leaves."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.crew import declaration, set_up
from tests.e2e.program import TRUEROLL, source, until
from tests.e2e.tray import Tray
from tests.e2e.warm import WarmProgram

HOLDER = """
import sys, serial
port = serial.Serial(sys.argv[1], exclusive=True)
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[Tray]:
    with Tray(tmp_path / "tray") as made:
        yield made


@contextmanager
def holding(port: Path) -> Iterator[subprocess.Popen[str]]:
    """Another program, no part of trueroll, that has `port` open for itself alone."""
    command = [sys.executable, "-c", HOLDER, str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "open\n"
            yield other
        finally:
            other.kill()


def test_a_program_that_was_there_first_is_named_until_it_leaves(tray: Tray, tmp_path: Path) -> None:
    with WarmProgram(tmp_path / "data", "--camera", "off", "--tray", str(tray.link)) as program:
        program.stop()
        with holding(tray.link):
            program.start()
            until(lambda: source(program, "tray").get("state") == "lost")
            told = source(program, "tray")
            assert re.fullmatch(
                rf"Another program has the dice tray's port {re.escape(str(tray.link))} open: python \(process \d+\).",
                told["what"],
            )
            assert "Close it" in told["remedy"]
            assert "tries again by itself" in told["remedy"]
            declared = set_up(program)
            program.send("declare_task", declaration=declaration(declared))
            request = program.table()["table"]["request"]["number"]
            program.send("enter_dice", request=request, faces=[4, 13])
            assert program.table()["table"]["task"]["outcome"]["successes"] == 3, "the table goes on by hand"
            program.send("undo")
        until(lambda: source(program, "tray").get("state") == "ready")
        tray.tell("throw d20:5 d20:19")
        until(lambda: program.table()["table"]["task"]["outcome"] is not None)
        assert [die["die"]["face"] for die in program.table()["table"]["task"]["dice"]] == [5, 19]
        assert program.output.count("Another program has the dice tray's port") == 1, program.output


def test_a_program_that_comes_later_is_kept_out_and_costs_no_roll(tray: Tray, tmp_path: Path) -> None:
    with WarmProgram(tmp_path / "data", "--camera", "off", "--tray", str(tray.link)) as program:
        until(lambda: source(program, "tray").get("state") == "ready")
        program.send("declare_task", declaration=declaration(set_up(program)))
        command = [str(TRUEROLL), "tray", "monitor", str(tray.link)]
        second = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
        assert second.returncode == 1
        assert "Another program has the dice tray's port" in second.stderr
        tray.tell("throw d20:4 d20:13")
        until(lambda: (program.table()["table"]["task"] or {}).get("outcome") is not None)
        assert source(program, "tray")["state"] == "ready"
