"""Another program for a camera tray that runs: MicroPython's prompt, as the tray's own program serves it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware_bridge.errors import LinkLostError
from firmware_bridge.link import SerialLink, open_link
from tests.firmware_bridge.camera_tray import PROGRAM, CameraTray
from tests.firmware_bridge.test_camera_tray import TRAY

PATIENCE = 30.0


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[CameraTray]:
    with CameraTray(tmp_path / "tray") as made:
        yield made


def told(link: SerialLink, end: bytes) -> bytes:
    """What comes up to `end`."""
    said, until = b"", time.monotonic() + PATIENCE
    while end not in said:
        assert time.monotonic() < until, said
        said += link.read(0.1)
    return said


def typed(link: SerialLink, same: bytes) -> None:
    """Write letters that are all the same, as a tool does, which waits as long as the tray needs to take them."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return link.write(same)
        except LinkLostError:  # it has taken some of them, and no more for half a second: the machine is busy
            assert time.monotonic() < until


def test_what_is_typed_at_its_prompt_is_carried_out_and_the_tray_goes_on(tray: CameraTray) -> None:
    """The program takes 0x03 for a byte like any other: no tool could interrupt it, and none could copy another one."""
    link = open_link(str(tray.port))
    try:
        link.write(b"\r\x03\r\x01")
        told(link, b"raw REPL; CTRL-B to exit\r\n>")
        link.write(b"\x05A\x01")
        assert told(link, b"R\x00") == b"R\x00"
        link.write(b"print(6 * 7)\x04")
        assert told(link, b"\x04>").replace(b"\r", b"") == b"OK42\n\x04\x04>"
        link.write(b"open('none')\x04")
        assert b"OSError" in told(link, b"\x04>")
        link.write(b"\xff\x04")
        assert b"UnicodeError" in told(link, b"\x04>"), "it ended the tray's program"
        for _ in range(33 * 16):
            typed(link, b"#" * 64)
        link.write(b"\x04")
        assert b"MemoryError" in told(link, b"\x04>"), "it took whatever came"
        link.write(b"\x04")
        told(link, b"soft reboot\r\nraw REPL; CTRL-B to exit\r\n>")
        link.write(b"\r\x02")
        told(link, b"\x00\x00")  # frames again
    finally:
        link.close()


def test_noise_and_frames_are_no_wish_for_the_prompt() -> None:
    frames = TRAY.Frames()
    frames.feed(b"\x00\r\x03\r\x01\x07\x00")
    assert not frames.wish()
    frames.feed(b"noise\r\x03")
    frames.feed(b"\r\x01")
    assert frames.wish()
    frames.feed(b"\x00")
    assert not frames.wish()


def test_what_begins_as_a_wish_is_one_once_nothing_has_followed_it_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged frame may hold the same bytes; more of it follows at once."""
    now, arrives = 0, b""
    monkeypatch.setattr(TRAY, "time", SimpleNamespace(ticks_diff=lambda later, sooner: later - sooner))
    wire = SimpleNamespace(read=lambda _: arrives, write=lambda _: True)
    tray = TRAY.Tray(SimpleNamespace(look=lambda: bytes(1200)), wire, lambda: now, 1, 1)

    def wishes(at: int, data: bytes = b"") -> bool:
        nonlocal now, arrives
        now, arrives = at, data
        assert tray.step()
        return bool(tray.wish())

    rests = TRAY._WISH_RESTS  # noqa: SLF001 - the program is one file and exports nothing
    assert not wishes(1000, b"\r\x03\r\x01")
    assert not wishes(1000 + rests - 1)
    assert not wishes(1000 + rests, b"\x07\x00"), "it was the beginning of a frame"
    assert not wishes(2000)
    assert not wishes(3000, b"\r\x03\r\x01")
    assert wishes(3000 + rests)
    assert not wishes(4000), "it was served"


@pytest.mark.long
def test_mpremote_copies_another_program_onto_a_tray_that_runs(tray: CameraTray, tmp_path: Path) -> None:
    """The real tool, as docs/camera-tray.md has it."""
    newer = tmp_path / "main.py"
    newer.write_text(PROGRAM.read_text(encoding="utf-8").replace("_FIRMWARE = 0x0100", "_FIRMWARE = 0x0205"), "utf-8")
    tool = [sys.executable, "-m", "mpremote", "connect", str(tray.port), "cp", str(newer), ":main.py", "+", "reset"]
    done = subprocess.run(tool, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done
    assert (tray.files / "main.py").read_bytes() == newer.read_bytes()
    link = open_link(str(tray.port))
    try:
        told(link, b"\x05\x02")  # firmware 2.5 in HELLO
    finally:
        link.close()
