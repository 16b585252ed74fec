"""Writing another firmware to a tray from a file: by the maker's own tool, with the port let go, and told in words."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kiosk.devices.tray_update import TOOLS, TrayUpdate, reason_in
from kiosk.errors import TrayDeskError
from tests.firmware_bridge.camera_tray import PROGRAM as CAMERA_TRAY
from tests.firmware_bridge.emulated import BUILD, build

PATIENCE = 30.0


def hex_line(at: int, data: bytes) -> bytes:
    """One line of an Intel HEX file."""
    record = bytes((len(data), at >> 8, at & 0xFF, 0)) + data
    return b":" + (record + bytes((-sum(record) % 256,))).hex().upper().encode() + b"\r\n"


END = b":00000001FF\r\n"
JUMP = bytes.fromhex("0c948000")
HEX = hex_line(0, 26 * JUMP) + END
PROGRAM = CAMERA_TRAY.read_bytes()


class Tray:
    """A tray that notes when its port is free."""

    def __init__(self) -> None:
        self.did: list[str] = []

    def rest(self) -> None:
        self.did.append("rest")

    def resume(self) -> None:
        self.did.append("resume")


class Tools:
    """What is installed, and how each run of it ends: status and last words, taken one after the other."""

    def __init__(self, tray: Tray, *ends: tuple[int, str]) -> None:
        self.tray = tray
        self.ends = list(ends)
        self.commands: list[list[str]] = []
        self.written: list[bytes] = []
        self.installed = True
        self.said: Callable[[], object] = lambda: ""
        self.told: list[str] = []

    def which(self, program: str) -> str | None:
        return f"/usr/bin/{program}" if self.installed else None

    def run(self, command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert self.tray.did == ["rest"], "the port is free meanwhile"
        self.commands.append(command)
        self.told.append(str(self.said()))
        file = next(part.removeprefix("flash:w:")[:-2] if ":" in part else part for part in command if "/tray." in part)
        self.written.append(Path(file).read_bytes())
        status, words = self.ends.pop(0)
        return subprocess.CompletedProcess(command, status, "", words)


def written(tray: Tray, tools: Tools, name: str, data: bytes, *, has_camera: bool) -> str:
    """What is said in the end."""
    update = TrayUpdate(tools.which, tools.run)
    tools.said = lambda: update.said
    update.begin(tray, "/dev/ttyACM0", name, data, has_camera=has_camera)
    update.wait(PATIENCE)
    assert tray.did == ["rest", "resume"]
    return str(update.said)


def test_a_hex_file_is_written_and_the_tray_comes_back() -> None:
    tray = Tray()
    tools = Tools(tray, (0, "avrdude done.  Thank you."))
    assert "tray.hex is written" in written(tray, tools, "tray.hex", HEX, has_camera=False)
    assert tools.written == [HEX]
    (command,) = tools.commands
    assert command[:10] == [
        "/usr/bin/avrdude",
        "-p",
        "m328p",
        "-c",
        "arduino",
        "-P",
        "/dev/ttyACM0",
        "-b",
        "115200",
        "-D",
    ]


def test_an_old_nano_is_tried_at_its_own_speed_and_what_fails_says_why() -> None:
    tray = Tray()
    tools = Tools(tray, (1, "not in sync"), (0, ""))
    assert "is written" in written(tray, tools, "TRAY.HEX", HEX, has_camera=False)
    assert [command[command.index("-b") + 1] for command in tools.commands] == ["115200", "57600"]
    assert ["try 1 of 2, at 115200 baud" in told for told in tools.told] == [True, False]
    assert "try 2 of 2, at 57600 baud" in tools.told[1]
    assert "It takes 120 seconds at most." in tools.told[1], "nobody waits without an end in sight"
    tray = Tray()
    courtesy = "\n\navrdude done.  Thank you."
    ends = ((1, f"avrdude: verification error{courtesy}"), (1, f"avrdude: not in sync{courtesy}"))
    said = written(tray, Tools(tray, *ends), "tray.hex", HEX, has_camera=False)
    assert "could not be written: avrdude: verification error." in said, "the other speed says nothing of that"


def test_a_flash_image_is_written_as_one() -> None:
    tray = Tray()
    tools = Tools(tray, (0, ""))
    image = 25 * JUMP + bytes.fromhex("00c00000") + bytes(range(200))
    assert "tray.bin is written" in written(tray, tools, "tray.bin", image, has_camera=False)
    assert tools.commands[0][-1].endswith("tray.bin:r")
    assert tools.written == [image]


NO_PORT = """avrdude OS error: cannot open port /dev/x: No such file or directory
avrdude error: unable to open programmer arduino on port /dev/x

avrdude done.  Thank you.
"""
NO_ANSWER = """avrdude OS error: ioctl("TIOCMGET"): Inappropriate ioctl for device
avrdude error: programmer is not responding
avrdude warning: attempt 1 of 10: not in sync: resp=0x00
"""
NO_PROMPT = """Traceback (most recent call last):
    raise TransportError("could not enter raw repl")
mpremote.transport.TransportError: could not enter raw repl
"""


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (NO_PORT, "avrdude OS error: cannot open port /dev/x: No such file or directory"),
        (NO_ANSWER, "avrdude error: programmer is not responding"),
        (NO_PROMPT, "mpremote.transport.TransportError: could not enter raw repl"),
        ("", ""),
    ],
)
def test_of_what_a_tool_says_the_reason_is_told(output: str, reason: str) -> None:
    """As avrdude 7.1 and mpremote 1.29 really say it; of avrdude its thanks were told."""
    assert reason_in(output) == reason


def test_a_camera_trays_program_is_copied() -> None:
    tray = Tray()
    tools = Tools(tray, (0, ""))
    assert "main.py is written" in written(tray, tools, "main.py", PROGRAM, has_camera=True)
    assert tools.commands[0][:3] == ["/usr/bin/mpremote", "connect", "/dev/ttyACM0"]
    assert tools.written == [PROGRAM]


@pytest.mark.parametrize(
    ("name", "data", "has_camera", "words"),
    [
        ("tray.hex", HEX, True, "ends in .py"),
        ("main.py", PROGRAM, False, "ends in .hex, .bin"),
        ("tray.bin", b"", False, "has 0 bytes"),
        ("tray.bin", b"\x0c\x94" * 17_000, False, "room for 32256"),
        ("tray.bin", b"<html>", False, "no program for this board"),
        ("firmware.bin", b"\xe9", True, "esptool --chip esp32s3"),
        ("tray.hex", HEX.replace(b"0C94", b"0C95", 1), False, "damaged"),
        ("tray.hex", HEX[:30], False, "damaged"),
        ("tray.hex", HEX.splitlines()[0], False, "too early"),
        ("tray.hex", b":00000001FF", False, "has 0 bytes"),
        ("tray.hex", HEX + HEX, False, "damaged"),
        ("tray.hex", b"<html>", False, "damaged"),
        ("tray.hex", HEX.splitlines(keepends=True)[0] * 311 + b":00000001FF", False, "room for 32256"),
        ("tray.hex", hex_line(0, b"\x0c") + END, False, "no program for this board"),
        ("tray.hex", hex_line(0, bytes(104)) + END, False, "no program for this board"),
        ("tray.hex", hex_line(0, 25 * JUMP) + END, False, "no program for this board"),
        ("tray.hex", hex_line(0, 57 * JUMP) + END, False, "another chip: it begins with 57 jumps"),
        ("tray.bin", 35 * JUMP + bytes(900), False, "another chip: it begins with 35 jumps"),
        ("tray.hex", hex_line(0x7E00, b"\x0c\x94" * 60) + END, False, "no program for this board"),
        ("main.py", b"", True, "camera_tray/main.py of trueroll"),
        ("main.py", b"print('a tray')", True, "camera_tray/main.py of trueroll"),
        ("main.py", b"def (", True, "no whole Python program"),
        ("main.py", b"\xff\x00", True, "no whole Python program"),
    ],
)
def test_what_is_no_firmware_of_this_tray_is_refused_before_anything_is_touched(
    name: str, data: bytes, *, has_camera: bool, words: str
) -> None:
    tray = Tray()
    tools = Tools(tray)
    update = TrayUpdate(tools.which, tools.run)
    with pytest.raises(TrayDeskError, match=words):
        update.begin(tray, "/dev/ttyACM0", name, data, has_camera=has_camera)
    assert tray.did == []


def test_without_the_tool_it_says_how_to_install_it() -> None:
    tray = Tray()
    tools = Tools(tray)
    tools.installed = False
    with pytest.raises(TrayDeskError, match="Install it with sudo apt install avrdude"):
        TrayUpdate(tools.which, tools.run).begin(tray, "/dev/ttyACM0", "a.hex", HEX, has_camera=False)


def test_a_tool_that_hangs_or_breaks_gives_the_port_back() -> None:
    def hangs(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        raise subprocess.TimeoutExpired(command, 1.0)

    def breaks(*_: object, **__: object) -> subprocess.CompletedProcess[str]:
        raise OSError("no such program")

    runs: list[Callable[..., subprocess.CompletedProcess[str]]] = [hangs, breaks]
    for run, words in zip(runs, ("did not end", "no such program"), strict=True):
        tray = Tray()
        update = TrayUpdate(lambda program: program, run)
        update.begin(tray, "/dev/ttyACM0", "a.hex", HEX, has_camera=False)
        update.wait(PATIENCE)
        assert words in str(update.said)
        assert tray.did == ["rest", "resume"]


@pytest.mark.slow
def test_the_firmware_that_make_builds_is_one_that_is_taken(tmp_path: Path) -> None:
    build("firmware")
    built = BUILD / "firmware"
    assert TOOLS[0].refusal((built / "tray.hex").read_bytes()) is None
    subprocess.run(
        ["avr-objcopy", "-O", "binary", "-R", ".eeprom", built / "tray.elf", tmp_path / "tray.bin"], check=True
    )
    assert TOOLS[1].refusal((tmp_path / "tray.bin").read_bytes()) is None
