"""The emulated tray as tests use it: the runner as a subprocess, one line answered at a time.

Runner and firmware are built by the project's own Makefile, once, whoever asks first. A failing build fails the test.
"""

from __future__ import annotations

import fcntl
import functools
import os
import queue
import subprocess
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

ROOT: Final = Path(__file__).parents[2]
BUILD: Final = ROOT / "build"
EMULATOR: Final = BUILD / "emulator" / "tray-emulator"
READERS: Final = BUILD / "emulator" / "readers.so"
BENCH_FIRMWARE: Final = BUILD / "emulator" / "bench.elf"
TRAY_FIRMWARE: Final = BUILD / "firmware" / "tray.elf"

PATIENCE: Final = 30.0
"""Seconds; far beyond what anything here takes, because machines are busy."""

WARM_UP: Final = "wait 800"
"""Until the firmware has felt how quiet the room is: no person throws sooner after a start."""

HIT: Final = "piezo 2500 400"
"""A die that strikes the floor of the tray."""


@functools.cache
def build(*targets: str) -> None:
    """Let make bring `targets` up to date; one process at a time."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(
            ["make", "--no-print-directory", *targets], cwd=ROOT, capture_output=True, text=True, check=False
        )
    assert made.returncode == 0, f"make {' '.join(targets)} failed:\n{made.stdout}{made.stderr}"


class EmulatedTray:
    """A running emulated tray; `port` is what a host opens. `eeprom` keeps its identity from run to run."""

    def __init__(
        self,
        link: Path,
        *,
        firmware: Path = TRAY_FIRMWARE,
        eeprom: Path | None = None,
        seed: int = 1,
        dtr_reset: bool = True,
        loader: Path | None = None,
    ) -> None:
        build("emulator", "firmware" if firmware == TRAY_FIRMWARE else str(firmware.relative_to(ROOT)))
        self.port = str(link)
        arguments = [str(EMULATOR), "--link", self.port, "--seed", str(seed)]
        arguments += [] if eeprom is None else ["--eeprom", str(eeprom)]
        arguments += [] if dtr_reset else ["--no-dtr-reset"]
        arguments += [] if loader is None else ["--loader", str(loader), "--pulse-dtr"]
        self._process = subprocess.Popen(
            [*arguments, str(firmware)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        with suppress(PermissionError):  # a board runs in real time, however busy the tests beside it keep the machine
            os.setpriority(os.PRIO_PROCESS, self._process.pid, -10)
        self.told: list[str] = []
        """Every line it printed of itself, answers left out."""
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self.heard("pty "):
            self.close()
            raise AssertionError("the emulated tray did not start")

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(("ok ", "error ")):
                self._answers.put(line.rstrip("\n"))
                continue
            with self._changed:
                self.told.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def answer(self, line: str) -> str:
        """What it answers to one line, right or wrong."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._answers.get(timeout=PATIENCE)

    def send(self, *lines: str) -> None:
        """Carry lines out, all at the same instant of the tray's time; each must be accepted."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()
        for line in lines:
            assert self._answers.get(timeout=PATIENCE) == f"ok {line}"

    def heard(self, start: str, count: int = 1) -> bool:
        """Wait until it has printed `count` lines that begin so."""
        return self.wait(lambda: sum(line.startswith(start) for line in self.told) >= count)

    def wait(self, until: Callable[[], bool]) -> bool:
        """Wait until something holds of what it has printed."""
        with self._changed:
            self._changed.wait_for(lambda: until() or self._ended, PATIENCE)
            return until()

    def throw(self, tags: Mapping[int, str]) -> None:
        """Throw dice: they strike the floor, and lie with these tags (UIDs in hexadecimal) on these readers."""
        self.send(WARM_UP, HIT, *(f"tag {slot} {uid}" for slot, uid in tags.items()))

    def clear(self, *slots: int) -> None:
        """Take everything off these readers."""
        self.send(*(f"lift {slot}" for slot in slots))

    @property
    def pid(self) -> int:
        """Its process number."""
        return self._process.pid

    def close(self) -> int:
        """End it; its exit status."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        status = self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return status

    def __enter__(self) -> Self:
        """It runs already."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()
