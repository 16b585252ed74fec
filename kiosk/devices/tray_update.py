"""Another firmware for a tray, from a file that somebody sends: written by the maker's own tool where it is installed.

In: a file's name and bytes, and the tray that it is for. Out: the result, in words. The tray's port is released
meanwhile; the tray comes back by itself in any case.
"""

from __future__ import annotations

import ast
import logging
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from kiosk.errors import TrayDeskError
from rules.words import Phrase, say

log = logging.getLogger(__name__)

WRITING: Final = 120.0
"""Seconds that a file may take with all its tries: a whole ATmega328P takes ten, silence takes avrdude 7.1 56 a try."""

_FLASH: Final = 32_256
"""Bytes of the ATmega328P's flash without its boot loader."""
_HEX_LINE: Final = re.compile(rb":(?:[0-9A-Fa-f]{2}){5,}\s*")
"""A line of an Intel HEX file."""
_VECTORS: Final = 26
"""Jumps with which every program of an ATmega328P begins; a larger chip has more, a smaller one shorter ones."""
_LONG_JUMP: Final = 0x940C
"""JMP, whose second word is where to."""
_SHORT_JUMP: Final = 0xC000
"""The upper four bits of RJMP, which some linkers use instead, followed by a NOP."""
_START: Final = 1024
"""Bytes at the start of a program that are searched for jumps; the largest chip of this family has 60."""
_HEX_DATA: Final = 0x00
"""The type of a line with bytes to write."""
_HEX_BASES: Final = {0x02: 4, 0x04: 16}
"""The types of lines that say where the next ones begin, each with the bits by which its number is shifted."""
_HEX_END: Final = 0x01
"""The type of the last line."""


class UpdatableTray(Protocol):
    """The part of a tray that writing firmware needs."""

    def rest(self) -> None:
        """Release the port, until `resume`."""

    def resume(self) -> None:
        """Look for the tray again."""


@dataclass(frozen=True, slots=True)
class Tool:
    """The tool for one kind of file: its program, its arguments, and how to install it.

    In `words` `{port}`, `{file}` and `{speed}` are filled in; `speeds`, in baud, are tried one after the other.
    `refusal` says why a file is unsuitable, before anything is touched.
    """

    ending: str
    program: str
    words: tuple[str, ...]
    install: str
    of_camera: bool
    refusal: Callable[[bytes], Phrase | None]
    speeds: tuple[str, ...] = ("",)

    def command(self, path: str, port: str, file: str, speed: str) -> list[str]:
        """What to run of the program at `path`."""
        return [path, *(one.format(port=port, file=file, speed=speed) for one in self.words)]

    def at_work(self, name: str, speed: str) -> Phrase:
        """The message while it writes the file `name` at `speed`."""
        if not speed:
            return say(
                "{file} is being written with {program}. Leave the tray plugged in. "
                "It takes {seconds} seconds at most.",
                file=name,
                program=self.program,
                seconds=round(WRITING),
            )
        return say(
            "{file} is being written with {program}, try {number} of {tries}, at {speed} baud. Leave the tray plugged "
            "in. It takes {seconds} seconds at most.",
            file=name,
            program=self.program,
            number=self.speeds.index(speed) + 1,
            tries=len(self.speeds),
            speed=speed,
            seconds=round(WRITING),
        )


def _hex_refusal(data: bytes) -> Phrase | None:
    """Why `data` is no whole Intel HEX file for this chip; None where it is."""
    length, ended, start, base = 0, False, bytearray(b"\xff" * _START), 0
    for line in data.splitlines():
        if not line.strip():
            continue
        record = bytes.fromhex(line.strip()[1:].decode()) if _HEX_LINE.fullmatch(line) else b""
        if ended or not record or sum(record) % 256 or len(record) != record[0] + 5:
            return say("The file is damaged: a line of it is no line of an Intel HEX file. Build or fetch it again.")
        if record[3] == _HEX_DATA:
            length += record[0]
            address = base + int.from_bytes(record[1:3])
            if address < _START:
                start[address : address + record[0]] = record[4:-1]
        elif record[3] in _HEX_BASES:
            base = int.from_bytes(record[4:-1]) << _HEX_BASES[record[3]]
        ended = record[3] == _HEX_END
    if not ended:
        return say("The file ends too early. Build or fetch it again.")
    return _size_refusal(length) or _start_refusal(bytes(start))


def _size_refusal(length: int) -> Phrase | None:
    if not 0 < length <= _FLASH:
        return say("The file has {bytes} bytes of program; the board has room for {most}.", bytes=length, most=_FLASH)
    return None


def _image_refusal(data: bytes) -> Phrase | None:
    """Why `data` is no image of this chip's flash; None where it may be: it begins with this chip's jumps."""
    return _size_refusal(len(data)) or _start_refusal(data[:_START])


def _start_refusal(start: bytes) -> Phrase | None:
    jumps = next((at for at in range(len(start) // 4) if not _is_jump(start[4 * at : 4 * at + 4])), len(start) // 4)
    if jumps == _VECTORS:
        return None
    if jumps > _VECTORS:
        return say(
            "The file is a program for another chip: it begins with {count} jumps, one for this board's ATmega328P "
            "with {right}. Build or fetch the one for an Uno or a Nano.",
            count=jumps,
            right=_VECTORS,
        )
    return say("The file is no program for this board. Build or fetch it again.")


def _is_jump(entry: bytes) -> bool:
    """Whether these four bytes are an entry of the table."""
    first, second = int.from_bytes(entry[:2], "little"), int.from_bytes(entry[2:], "little")
    return first == _LONG_JUMP or (first & 0xF000 == _SHORT_JUMP and second == 0)


_PROGRAMS_OWN: Final = frozenset({"Tray", "framed", "run", "main"})
"""What every program of a camera tray defines: the protocol and its beginning."""


def _program_refusal(data: bytes) -> Phrase | None:
    """Why `data` is no program of a camera tray; None where it may be. Any other leaves the board silent."""
    try:
        parsed = ast.parse(data.decode("utf-8"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return say("The file is no whole Python program. Copy it again.")
    if not {one.name for one in parsed.body if isinstance(one, ast.FunctionDef | ast.ClassDef)} >= _PROGRAMS_OWN:
        return say("The file is no program for a camera tray. Send firmware_bridge/camera_tray/main.py of trueroll.")
    return None


def _avrdude(ending: str, form: str, refusal: Callable[[bytes], Phrase | None]) -> Tool:
    """What writes files of that `form`, as avrdude calls it, to an Uno or a Nano."""
    words = ("-p", "m328p", "-c", "arduino", "-P", "{port}", "-b", "{speed}", "-D", "-U", f"flash:w:{{file}}:{form}")
    speeds = ("115200", "57600")  # a Nano with the old boot loader has the second
    return Tool(ending, "avrdude", words, "sudo apt install avrdude", of_camera=False, refusal=refusal, speeds=speeds)


TOOLS: Final = (
    _avrdude(".hex", "i", _hex_refusal),
    _avrdude(".bin", "r", _image_refusal),
    Tool(
        ".py",
        "mpremote",
        ("connect", "{port}", "cp", "{file}", ":main.py", "+", "reset"),
        "pipx install mpremote",
        of_camera=True,
        refusal=_program_refusal,
    ),
)
"""What writes which kind of file: the firmware of a tray with readers, the program of one with a camera."""


MICROPYTHON: Final = ".bin"
"""The ending of MicroPython itself for a camera board. No kiosk writes it: the board has to be in its loader."""

MICROPYTHON_COMMAND: Final = "esptool --chip esp32s3 write_flash 0 FIRMWARE.bin"
"""What writes MicroPython to a camera board whose BOOT button was held while it was plugged in."""


def tools_for(*, has_camera: bool) -> tuple[Tool, ...]:
    """What writes to a tray with, or without, a camera."""
    return tuple(tool for tool in TOOLS if tool.of_camera is has_camera)


def find_program(name: str) -> str | None:
    """Where the program is: installed for everybody, or beside the kiosk's own Python."""
    return shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))


_COURTESY: Final = "done.  Thank you."
"""The last line of avrdude, also after a failure."""
_REASON: Final = re.compile(r"\w+( OS)? error: (?!ioctl)")
"""The beginning of a line of avrdude that reports an error."""
_NO_ANSWER: Final = ("not in sync", "not responding")
"""What avrdude prints when nothing answers; another speed may still work."""


def reason_in(output: str) -> str:
    """The line of a tool's output that says best why it failed; empty where it said nothing."""
    lines = [line.strip() for line in output.splitlines() if line.strip() and _COURTESY not in line]
    said = next((line for line in lines if _REASON.match(line)), lines[-1] if lines else "")
    return said[:200]


class TrayUpdate:
    """Writes one file at a time, in a thread of its own. Every method may be called from any thread.

    `which` finds a program, `run` runs one; both stand for the system's in tests.
    """

    def __init__(
        self,
        which: Callable[[str], str | None] = find_program,
        run: Callable[..., subprocess.CompletedProcess[str]] = subprocess.run,
    ) -> None:
        self._which = which
        self._run = run
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.said: Phrase | None = None
        """The result for the newest file; None before the first."""
        self.wrote_to: str | None = None
        """The port of the newest file: a tray that is silent afterwards can be written to again."""

    def is_installed(self, tool: Tool) -> bool:
        """Whether this kiosk can write such files itself."""
        return self._which(tool.program) is not None

    def begin(self, tray: UpdatableTray, port: str, name: str, data: bytes, *, has_camera: bool) -> Phrase:
        """Begin to write `data`, sent as file `name`, to the tray at `port`; what is said of it.

        Raises `TrayDeskError` where it cannot be written; then nothing has changed.
        """
        tools = tools_for(has_camera=has_camera)
        tool = next((one for one in tools if name.lower().endswith(one.ending)), None)
        if tool is None and has_camera and name.lower().endswith(MICROPYTHON):
            raise TrayDeskError(
                say(
                    "This file is not the tray's program. To write MicroPython itself, hold the board's BOOT button "
                    "while you plug it into a computer, and type there: {command}",
                    command=MICROPYTHON_COMMAND,
                )
            )
        if tool is None:
            endings = ", ".join(one.ending for one in tools)
            raise TrayDeskError(say("This tray takes a file that ends in {ending}.", ending=endings))
        if (refusal := tool.refusal(data)) is not None:
            raise TrayDeskError(refusal)
        if not self.is_installed(tool):
            raise TrayDeskError(
                say(
                    "{program} is not installed here. Install it with {command}, or write the file from a computer.",
                    program=tool.program,
                    command=tool.install,
                )
            )
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                raise TrayDeskError(say("A file is being written just now. Wait until it is done."))
            self.wrote_to = port
            self.said = tool.at_work(name, tool.speeds[0])
            self._thread = threading.Thread(
                target=self._write, args=(tool, tray, port, name, data), name="tray update", daemon=True
            )
            self._thread.start()
            return self.said

    def wait(self, seconds: float) -> None:
        """Until the file is written, or that many seconds have passed."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _write(self, tool: Tool, tray: UpdatableTray, port: str, name: str, data: bytes) -> None:
        try:
            tray.rest()
            why = self._written(tool, port, name, data)
        except Exception as error:
            log.exception("the tray's firmware could not be written")
            why = str(error) or type(error).__name__
        finally:
            tray.resume()
        if why:
            self.said = say(
                "{file} could not be written: {reason}. Where the tray does not come back, write it once more.",
                file=name,
                reason=why.rstrip("."),
            )
            log.warning("%s", self.said)
        else:
            self.said = say("{file} is written. The tray starts anew by itself.", file=name)
            log.info("%s", self.said)

    def _written(self, tool: Tool, port: str, name: str, data: bytes) -> str:
        """Why `data` could not be written; empty where it is."""
        path, whys = self._which(tool.program) or tool.program, list[str]()
        until = time.monotonic() + WRITING
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / f"tray{tool.ending}"
            file.write_bytes(data)
            for speed in tool.speeds:
                self.said = tool.at_work(name, speed)
                command, left = tool.command(path, port, str(file), speed), max(until - time.monotonic(), 1.0)
                try:
                    done = self._run(
                        command, capture_output=True, text=True, check=False, timeout=left, stdin=subprocess.DEVNULL
                    )
                except subprocess.TimeoutExpired:
                    return f"{tool.program} did not end"
                if done.returncode == 0:
                    return ""
                why = reason_in(f"{done.stdout or ''}\n{done.stderr or ''}")
                whys.append(why or f"{tool.program} ended with {done.returncode}")
        return next((why for why in whys if not any(one in why for one in _NO_ANSWER)), whys[-1])
