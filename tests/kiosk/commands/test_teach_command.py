"""`trueroll tray teach` as a person uses it: a real program, a simulated tray on a pseudo-terminal."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from firmware_bridge.pty_simulator import PtySimulator
from firmware_bridge.taught import FILE_NAME, TagSide, TaughtDie, read
from firmware_bridge.taught_file import TaughtFile
from kiosk.storage.folder import HeldFolder
from rules.dice import DieKind
from tests.kiosk.forked import Typed

CODE = "from kiosk.commands.tray import tray; tray()"


@pytest.fixture
def simulator(tmp_path: Path) -> Iterator[PtySimulator]:
    one = PtySimulator(3, link=tmp_path / "port")
    one.start()
    yield one
    one.stop()


class Teach:
    """`trueroll tray teach` under way; type into it and wait for what it says."""

    def __init__(self, simulator: PtySimulator, data: Path, *arguments: str) -> None:
        self.program = Typed("teach", *arguments, "--port", str(simulator.path), "--data", str(data))
        self.said: list[str] = []

    def wait_for(self, words: str) -> None:
        """Read lines until one holds `words`."""
        for line in self.program.stdout:
            self.said.append(line)
            if words in line:
                return
        raise AssertionError(f"{words!r} was never said: {self.said}")

    def type(self, line: str) -> None:
        self.program.stdin.write(f"{line}\n")
        self.program.stdin.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.program.kill()
        self.program.communicate()


def test_a_die_is_taught_with_an_undone_step(simulator: PtySimulator, tmp_path: Path) -> None:
    with Teach(simulator, tmp_path / "data", "Blue one", "--kind", "challenge") as teach:
        teach.wait_for("Step 1 of 6: lay the die on the tray with 1 up.")
        teach.wait_for("The tray sees nothing.")
        teach.type("")
        teach.wait_for("The tray reads no tag.")
        simulator.command("tags 0:00000009")
        teach.wait_for("The tray sees place 1: tag 00000009, not taught yet.")
        teach.type("")
        teach.wait_for("Step 2 of 6")
        teach.type("")
        teach.wait_for("This is the tag that was just taught as 1.")
        teach.type("u")
        teach.wait_for("Step 1 of 6")
        teach.type("help")
        teach.wait_for("u undoes a step")
        for tag in range(1, 7):
            simulator.command(f"tags 0:{tag:08x}")
            teach.wait_for(f"place 1: tag {tag:08x}, not taught yet.")
            teach.type("")
            teach.wait_for(f"Step {tag + 1} of 6" if tag < 6 else "Blue one is complete and kept.")
        assert teach.program.wait(10) == 0
    kept = read((tmp_path / "data" / FILE_NAME).read_text(encoding="utf-8"))
    assert [(die.name, die.tags) for die in kept.dice] == [("Blue one", (1, 2, 3, 4, 5, 6))]
    with Teach(simulator, tmp_path / "data", "blue ONE") as teach:
        teach.wait_for("add --again")
    with Teach(simulator, tmp_path / "data", "Red", "--again") as teach:
        teach.wait_for("No die is called Red")


def test_a_die_taught_again_keeps_its_kind_and_side_unless_said(simulator: PtySimulator, tmp_path: Path) -> None:
    file = TaughtFile(tmp_path / "data" / FILE_NAME)
    file.change(lambda taught: taught.with_die(TaughtDie("Wee", DieKind.D6, (1, 2, 3, 4, 5, 6), TagSide.DOWN)))
    with Teach(simulator, tmp_path / "data", "wee", "--again") as teach:
        teach.wait_for("Step 1 of 6: lay down the tag for 1, alone.")
    with Teach(simulator, tmp_path / "data", "wee", "--again", "--kind", "challenge") as teach:
        teach.wait_for("Step 1 of 6: lay the die on the tray with 1 up.")
    for arguments in (["wee", "--again"], ["Red"]):
        with Teach(simulator, tmp_path / "data", *arguments, "--kind", "d20") as teach:
            teach.wait_for("Tags suit no d20")
            assert teach.program.wait(10) == 1


def test_a_tray_that_goes_while_a_die_is_taught_is_told(simulator: PtySimulator, tmp_path: Path) -> None:
    with Teach(simulator, tmp_path / "data", "Red") as teach:
        teach.wait_for("The tray sees nothing.")
        simulator.command("unplug")
        teach.wait_for("Plug it in again")
        teach.type("")
        teach.wait_for("Plug it in again")
        simulator.command("replug")
        teach.wait_for("The tray sees nothing.")


def test_stopping_changes_nothing(simulator: PtySimulator, tmp_path: Path) -> None:
    for stop in ("q", "interrupt", "end of input"):
        with Teach(simulator, tmp_path / "data", "Red") as teach:
            teach.wait_for("Step 1 of 6")
            if stop == "q":
                teach.type("q")
            elif stop == "interrupt":
                teach.program.send_signal(signal.SIGINT)
            else:
                teach.program.stdin.close()
            teach.wait_for("Red was not taught; nothing was changed.")
            assert teach.program.wait(10) == 1
    assert not (tmp_path / "data" / FILE_NAME).exists()


def test_while_a_kiosk_runs_its_page_is_named(simulator: PtySimulator, tmp_path: Path) -> None:
    with HeldFolder(tmp_path / "data") as held:
        held.announce("http://127.0.0.1:8000/")
        with Teach(simulator, tmp_path / "data", "Red") as teach:
            teach.wait_for("Teach on its page: http://127.0.0.1:8000/tray")


def test_without_a_tray_it_says_so(simulator: PtySimulator, tmp_path: Path) -> None:
    simulator.command("unplug")
    with Teach(simulator, tmp_path / "data", "Red") as teach:
        teach.wait_for("No dice tray is connected at")


def test_dice_prints_the_file(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CODE, "dice", "--data", str(tmp_path)]
    empty = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert read(empty).dice == ()
    (tmp_path / FILE_NAME).write_text("version = 7\n", encoding="utf-8")
    broken = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (broken.returncode, "version has to be 1, not 7" in broken.stderr) == (1, True)
