"""`trueroll tray …` as a person uses it: real programs, a real pseudo-terminal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from typing import Self
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from firmware_bridge.describe import TextFinder
from firmware_bridge.errors import PortBusyError
from firmware_bridge.pty_simulator import PtySimulator
from firmware_bridge.taught import FILE_NAME, TaughtDie
from firmware_bridge.taught_file import TaughtFile
from kiosk.commands import onlooking
from kiosk.commands.onlooking import PortNotice, Watch
from kiosk.commands.tray import tray
from rules.dice import DieKind, Symbol
from rules.words import Phrase
from tests.kiosk.forked import Typed

CODE = "from kiosk.commands.tray import tray; tray()"


PATIENCE = 60.0
"""Seconds that something is waited for: far more than it takes, for the machine may be busy with other things."""


class Command:
    """`trueroll tray …` under way: wait for what it says, then end it as Ctrl-C does."""

    def __init__(self, *arguments: str | Path) -> None:
        self.program = Typed(*map(str, arguments))
        self.said: list[str] = []
        self._watchdog = Timer(PATIENCE, self.program.kill)
        self._watchdog.start()

    def wait_for(self, *words: str) -> None:
        """Read lines until each of `words` has been in one."""
        missing = {word for word in words if not any(word in line for line in self.said)}
        while missing:
            line = self.program.stdout.readline()
            assert line, f"{missing} never said: {self.said}"
            self.said.append(line.rstrip("\n"))
            missing = {word for word in missing if word not in line}

    def end(self, *, status: int = 0, told: bool = True) -> list[str]:
        """End it, or wait until it has ended by itself; all that it said."""
        if told:
            self.program.send_signal(signal.SIGINT)
        self.said += self.program.communicate(timeout=PATIENCE).splitlines()
        assert self.program.returncode == status, self.said
        return self.said

    def __enter__(self) -> Self:
        """It runs already."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it in any case."""
        self._watchdog.cancel()
        self.program.kill()
        self.program.communicate()


@pytest.fixture
def runner() -> CliRunner:
    return CliRunner()


@pytest.fixture
def simulator(tmp_path: Path) -> Iterator[PtySimulator]:
    one = PtySimulator(3, link=tmp_path / "port")
    one.start()
    yield one
    one.stop()


def test_simulate_obeys_its_input_and_takes_its_link_away(tmp_path: Path) -> None:
    link = tmp_path / "tray"
    lines = "throw d20:17 challenge:effect\nwait 0.1\nstatus\nroll 2d20\n"
    command = [sys.executable, "-c", CODE, "simulate", "--seed", "4", "--link", str(link)]
    run = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60, check=False)
    assert run.stdout.splitlines()[:2] == [str(link), "thrown: d20 17, challenge effect"]
    assert "rolled: d20 " in run.stdout
    assert (run.returncode, run.stderr) == (0, "")
    assert not link.is_symlink()


def test_simulate_that_is_told_to_stay_ends_cleanly_when_terminated(tmp_path: Path) -> None:
    link = tmp_path / "tray"
    command = [sys.executable, "-c", CODE, "simulate", "--stay", "--link", str(link)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline().strip() == str(link)
        time.sleep(0.2)
        assert program.poll() is None
        program.terminate()
        assert program.wait(30) == 0
    assert not link.is_symlink()


def test_simulate_says_which_lines_it_cannot_obey(runner: CliRunner) -> None:
    result = runner.invoke(tray, ["simulate"], input="dance\nthrow d20:21\nwait\nwait nan\nclear\n")
    assert result.exit_code == 1
    assert "'dance' is no command. help lists the commands." in result.stderr
    assert "a d20 cannot show 21" in result.stderr
    assert result.stderr.count("wait needs seconds") == 2
    assert "the tray is empty" in result.stdout


def test_monitor_shows_both_directions(simulator: PtySimulator) -> None:
    simulator.throw(((DieKind.D20, 17),))
    with Command("monitor", simulator.path or "") as monitor:
        monitor.wait_for("-> HELLO_REQ", "<- HELLO", "<- DIE", "kind=d20 face=17 state=settled", "die_id=0x")
        monitor.wait_for("firmware=1.0", "capabilities=lamp+motion+hand+die_identity")
        monitor.wait_for("== d20 17", "is ready")
        monitor.end()


def test_monitor_ends_by_itself_when_it_was_told_for_how_long(runner: CliRunner, simulator: PtySimulator) -> None:
    result = runner.invoke(tray, ["monitor", str(simulator.path), "--seconds", "0.1"])
    assert result.exit_code == 0, result.output
    assert "-> HELLO_REQ" in result.stdout


def test_monitor_in_json_is_one_object_a_line(simulator: PtySimulator) -> None:
    simulator.throw(((DieKind.CHALLENGE, Symbol.EFFECT),))
    simulator.command("noise")
    with Command("monitor", simulator.path or "", "--json") as monitor:
        monitor.wait_for("reading_id", '"BEAT"', '"ACK"')
        objects = [json.loads(line) for line in monitor.end()]
    assert {one["direction"] for one in objects if "direction" in one} == {"in", "out"}
    assert {"HELLO_REQ", "HELLO", "SNAPSHOT", "DIE", "ROLL_END", "ACK", "BEAT"} <= {
        one.get("message") for one in objects
    }
    (reading,) = [one for one in objects if "reading_id" in one]
    assert reading["dice"][0]["face"] == "effect"
    assert all(isinstance(one["t"], float) for one in objects)


def test_monitor_reads_tagged_dice_as_they_were_taught(
    runner: CliRunner, simulator: PtySimulator, tmp_path: Path
) -> None:
    red = TaughtDie("Red", DieKind.D6, (1, 2, 3, 4, 5, 6))
    TaughtFile(tmp_path / FILE_NAME).change(lambda taught: taught.with_die(red))
    simulator.command("tags 0:4")
    with Command("monitor", simulator.path or "", "--data", tmp_path) as monitor:
        monitor.wait_for("== d6 4")
        monitor.end()
    (tmp_path / FILE_NAME).write_text("version = 7\n", encoding="utf-8")
    result = runner.invoke(tray, ["monitor", str(simulator.path), "--seconds", "0", "--data", str(tmp_path)])
    assert "version has to be 1, not 7. Mend the file" in result.stderr
    assert result.exit_code == 0


def test_of_noise_and_text_the_text_is_shown() -> None:
    text = TextFinder()
    assert text.feed(b"\xff\x80\r\n d20") == []
    assert text.feed(b" 4 \n\n" + 1000 * b"x" + b"\nclear\r\n") == [
        ("d20 4", True),
        (1000 * "x", False),
        ("clear", True),
    ]
    text.feed(1000 * b"y")
    assert text.feed(b"\n") == [(200 * "y", False)]


def test_monitor_shows_each_line_of_a_plain_tray() -> None:
    text = b"A sketch that talks a great deal when it starts, longer than a frame ever is\r\nd20 17\r\nd20 21\n"
    tray_end, host_end = os.openpty()
    try:
        tty.setraw(host_end)
        with Command("monitor", os.ttyname(host_end)) as monitor:
            monitor.wait_for("-> HELLO_REQ")
            os.write(tray_end, text)
            monitor.wait_for("<- 'd20 17'", "<- 'd20 21' is no line that trueroll knows")
            monitor.wait_for("longer than a frame ever is' is no line that trueroll knows", "== d20 17 (weak)")
            said = monitor.end()
    finally:
        os.close(host_end)
        os.close(tray_end)
    assert not [line for line in said if "damaged" in line]


@pytest.mark.parametrize("command", [["monitor"], ["record", "rec.jsonl"]])
def test_a_port_that_is_in_use_is_named(
    command: list[str], runner: CliRunner, simulator: PtySimulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from firmware_bridge.link import open_link  # noqa: PLC0415 - as the command does

    monkeypatch.chdir(tmp_path)
    link = open_link(str(simulator.path))
    result = runner.invoke(tray, [*command, str(simulator.path)])
    link.close()
    assert result.exit_code == 1
    assert "Another program has the dice tray's port" in result.stderr
    assert "tries again by itself" not in result.stderr, "it does not"


def test_check_says_which_program_holds_the_port_and_ends(
    runner: CliRunner, simulator: PtySimulator, tmp_path: Path
) -> None:
    """It said that trueroll would try again by itself, and did not."""
    code = "import sys; from firmware_bridge.link import open_link; p = open_link(sys.argv[1]); print(1, flush=True); "
    arguments = [sys.executable, "-c", f"{code}sys.stdin.read()", str(simulator.path)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "1\n"
        result = runner.invoke(tray, ["check", str(simulator.path), "--data", str(tmp_path)])
        other.communicate("")
    assert result.exit_code == 1
    assert f"(process {other.pid})" in result.stderr
    assert "Close that program, then start this command again." in result.stderr
    assert "by itself" not in result.stderr


def test_monitor_without_a_tray_says_what_to_do(runner: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kiosk.commands.onlooking.ports_of", lambda _: [])
    monkeypatch.setattr("kiosk.commands.onlooking.usb_ports", lambda: ["/dev/serial/by-id/usb-uno"])
    result = runner.invoke(tray, ["monitor", "--seconds", "0"])
    assert result.exit_code == 1, "who waits for a tray in a script learns that none came"
    assert "name it: /dev/serial/by-id/usb-uno" in result.stderr
    assert "This command waits for the tray" in result.stdout


def test_monitor_waits_for_the_tray_and_tells_of_its_going_and_coming(simulator: PtySimulator, tmp_path: Path) -> None:
    simulator.command("unplug")
    with Command("monitor", simulator.path or "", "--data", tmp_path / "none") as monitor:
        monitor.wait_for("No dice tray is connected", "waits for the tray")
        simulator.command("replug")
        monitor.wait_for("is ready")
        simulator.command("unplug")
        monitor.wait_for("is gone")
        simulator.command("replug")
        monitor.wait_for("is there again")
        simulator.throw(((DieKind.D20, 9),))
        monitor.wait_for("== d20 9")
        monitor.end()


def test_a_busy_port_that_is_waited_for_asks_for_no_new_start(
    simulator: PtySimulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said both that the command waits and that it has to be started again."""
    monkeypatch.setattr(onlooking, "LOOK_INTERVAL", 0.01)
    passing = Watch(str(simulator.path), tmp_path).passing(PATIENCE)
    next(passing)
    simulator.command("unplug")
    next(one for one in passing if isinstance(one, PortNotice))
    busy = PortBusyError(Phrase("Another program has it open."), Phrase("Close it; trueroll tries again by itself."))
    monkeypatch.setattr("firmware_bridge.link.open_link", Mock(side_effect=busy))
    simulator.command("replug")
    said = next(one.words for one in passing if isinstance(one, PortNotice) and "Another program" in one.words)
    del passing  # it gives the signals back
    assert "Close it; trueroll tries again by itself." in said
    assert "This command waits for the tray" in said
    assert "start this command again" not in said


def eventually(true: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def lines_in(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines()) if file.exists() else 0


def test_a_recording_goes_on_when_the_tray_comes_back_and_is_replayed(
    runner: CliRunner, simulator: PtySimulator, tmp_path: Path
) -> None:
    file = tmp_path / "rec.jsonl"
    with Command("record", file, simulator.path or "") as record:
        eventually(lambda: lines_in(file) > 5)
        simulator.command("unplug")
        eventually(lambda: '"port": "gone"' in file.read_text(encoding="utf-8"))
        simulator.command("replug")
        eventually(lambda: '"port": "open"' in file.read_text(encoding="utf-8"))
        simulator.throw(((DieKind.D20, 9),))
        eventually(lambda: "d20 9" in runner.invoke(tray, ["replay", str(file)]).output)
        said = record.end()
    assert any(line == f"{lines_in(file) - 1} lines recorded in {file}" for line in said)
    assert any("is gone" in line for line in said)
    assert any("is there again" in line for line in said)


def test_what_is_recorded_is_replayed(runner: CliRunner, simulator: PtySimulator, tmp_path: Path) -> None:
    file = tmp_path / "rec.jsonl"
    simulator.throw(((DieKind.D20, 17), (DieKind.CHALLENGE, Symbol.EFFECT)))
    with Command("record", file, simulator.path or "") as record:
        eventually(lambda: "challenge effect" in runner.invoke(tray, ["replay", str(file)]).output)
        assert any("lines recorded" in line for line in record.end())
    words = runner.invoke(tray, ["replay", str(file)])
    assert words.stdout.endswith("d20 17, challenge effect\n")
    data = runner.invoke(tray, ["replay", str(file), "--json"])
    assert [die["face"] for die in json.loads(data.stdout)["dice"]] == [17, "effect"]


def test_a_recording_that_the_power_cut_is_played_as_far_as_it_goes(runner: CliRunner, tmp_path: Path) -> None:
    file = tmp_path / "rec.jsonl"
    whole = (Path(__file__).parents[2] / "firmware_bridge" / "recordings" / "a_plain_tray.jsonl").read_bytes()
    file.write_bytes(whole + b'{"t": 999.5, "direct')
    result = runner.invoke(tray, ["replay", str(file)])
    assert result.exit_code == 0
    count = len(whole.splitlines()) - 1
    assert f"was not written to its end; {count} whole lines are played." in result.stderr
    file.write_bytes(whole)
    again = runner.invoke(tray, ["replay", str(file)])
    assert (again.stdout, again.stderr) == (result.stdout, "")
    assert again.stdout


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(b"\xff\xfe\x00", "cannot be read"), (b"", "is empty"), (b"hello", "this is no trueroll recording")],
)
def test_a_file_that_is_no_recording(content: bytes, complaint: str, runner: CliRunner, tmp_path: Path) -> None:
    file = tmp_path / "rec.jsonl"
    file.write_bytes(content)
    result = runner.invoke(tray, ["replay", str(file)])
    assert result.exit_code == 1
    assert complaint in result.stderr


def test_a_recording_that_cannot_be_written(runner: CliRunner, simulator: PtySimulator, tmp_path: Path) -> None:
    result = runner.invoke(tray, ["record", str(tmp_path / "none" / "rec"), str(simulator.path)])
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr


def test_an_earlier_recording_is_kept_and_a_port_that_will_not_open_leaves_none(
    runner: CliRunner, simulator: PtySimulator, tmp_path: Path
) -> None:
    file = tmp_path / "rec.jsonl"
    assert runner.invoke(tray, ["record", str(file), str(simulator.path), "--seconds", "0.1"]).exit_code == 0
    before = file.read_text()
    result = runner.invoke(tray, ["record", str(file), str(simulator.path), "--seconds", "0.1"])
    assert result.exit_code == 1
    assert f"{file} is there already. Name a file that is not." in result.stderr
    assert file.read_text() == before
    other = tmp_path / "other.jsonl"
    result = runner.invoke(tray, ["record", str(other), str(tmp_path / "nowhere"), "--seconds", "0.1"])
    assert result.exit_code == 1
    assert "No dice tray is connected" in result.stderr
    assert not other.exists()


def test_monitor_ends_with_what_came_in_all(simulator: PtySimulator) -> None:
    with Command("monitor", simulator.path or "") as monitor:
        monitor.wait_for("<- PONG")
        simulator.command("noise")
        monitor.wait_for("damaged")
        words = monitor.end()[-1]
    assert " frames" in words
    assert re.search(r"[1-9][0-9]* (malformed|short|bad checksum)", words)
    assert words.endswith(" ms")
    with Command("monitor", simulator.path or "", "--json") as monitor:
        monitor.wait_for('"PONG"')
        data = json.loads(monitor.end()[-1])
    assert data["counts"]["frames"] > 1
    assert data["round_trip"] > 0


def test_help_lists_every_line_in_step(runner: CliRunner) -> None:
    said = runner.invoke(tray, ["simulate"], input="help\n").stdout.splitlines()[1:]
    named = {line.split()[0]: line for line in said}
    assert {"throw", "unplug", "replug", "wait"} <= set(named)
    begins = {re.search(r"(?<=  )\S", line).start() for line in said}  # type: ignore[union-attr]  # or the test fails
    assert len(begins) == 1


def test_a_plain_trays_text_is_not_counted_as_damaged_frames() -> None:
    tray_end, host_end = os.openpty()
    try:
        tty.setraw(host_end)
        with Command("monitor", os.ttyname(host_end)) as monitor:
            monitor.wait_for("-> HELLO_REQ")
            os.write(tray_end, 40 * b"d20 17\r\n")
            monitor.wait_for("== d20 17")
            last = monitor.end()[-1]
    finally:
        os.close(host_end)
        os.close(tray_end)
    assert "in all: 0 frames" in last
    assert "overlong" not in last


def test_a_socket_that_nobody_listens_at_is_no_plug(runner: CliRunner) -> None:
    result = runner.invoke(tray, ["monitor", "socket://127.0.0.1:1", "--seconds", "0"])
    assert result.exit_code == 1
    assert "Start what listens at this address" in result.stderr
    assert "Unplug" not in result.stderr


def test_check_tries_the_rules_of_the_page(tmp_path: Path) -> None:
    simulator = PtySimulator(1, link=tmp_path / "tray")
    port = simulator.start()
    try:
        arguments = ["check", port, "--no-throw", "--no-restart", "--data", str(tmp_path)]
        said = CliRunner().invoke(tray, arguments)
        assert (said.exit_code, said.output.splitlines()[-1]) == (0, "No rule that was tried is broken.")
        assert {"held     heartbeat", "untried  repeats"} <= set(said.output.splitlines())
        simulator.command("stall")
        frozen = CliRunner().invoke(tray, [*arguments, "--json"])
        assert frozen.exit_code == 1
        assert json.loads(frozen.output.splitlines()[0])["mend"].startswith("Answer HELLO_REQ at once")
    finally:
        simulator.stop()


def test_check_names_a_port_that_is_not_there(tmp_path: Path) -> None:
    said = CliRunner().invoke(tray, ["check", str(tmp_path / "nowhere"), "--data", str(tmp_path)])
    assert said.exit_code == 1
    assert "No dice tray is connected at" in said.output
