"""A short program of a test in a process of its own, which may be killed: forked where the kiosk is loaded already."""

from __future__ import annotations

import os
import sys
import threading
import time
from multiprocessing.reduction import DupFd
from typing import Any

from tests.e2e.warm import FORKS


def ended(program: str) -> int:
    """Runs that Python and tells how its process ended: as its signal's number below zero where one killed it."""
    process = FORKS.Process(target=exec, args=(program, {}), daemon=True)
    process.start()
    process.join(60)
    assert process.exitcode is not None, "it has not ended within 60 s"
    return process.exitcode


class Typed:
    """`trueroll tray …` on two pipes, with the words of `subprocess.Popen`: what is typed, and all that it says."""

    def __init__(self, *words: str) -> None:
        reads, typed = os.pipe()
        said, writes = os.pipe()
        self.stdin = os.fdopen(typed, "w")
        self.stdout = os.fdopen(said)
        ends = (DupFd(reads), DupFd(writes))
        self._process = FORKS.Process(target=_tray, args=(*ends, words), daemon=True)
        self._process.start()
        os.close(reads)
        os.close(writes)

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, sig: int) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, sig)

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float) -> int | None:
        self._process.join(timeout)
        return self.returncode

    def communicate(self, timeout: float = 60.0) -> str:
        """All that it says from now on, once nothing more is typed and it has ended; nothing the second time."""
        if self.stdout.closed:
            return ""
        end = time.monotonic() + timeout
        self.stdin.close()
        rest: list[str] = []
        reading = threading.Thread(target=lambda: rest.append(self.stdout.read()), daemon=True)
        reading.start()
        reading.join(timeout)
        assert not reading.is_alive(), f"it has not fallen silent within {timeout} s"
        self.stdout.close()
        assert self.wait(max(0.0, end - time.monotonic())) is not None, f"it has not ended within {timeout} s"
        return rest[0]


def _tray(reads: Any, writes: Any, words: tuple[str, ...]) -> None:  # noqa: ANN401 - descriptors as they travel
    os.dup2(reads.detach(), 0)
    end = writes.detach()
    os.dup2(end, 1)
    os.dup2(end, 2)
    os.close(end)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - as the interpreter opens it
    sys.stdout = open(1, "w", buffering=1, closefd=False)  # noqa: SIM115 - likewise
    sys.argv = ["trueroll tray", *words]

    from kiosk.commands.tray import tray  # noqa: PLC0415 - loaded where it is forked

    tray()
