"""The simulated tray behind a pseudo-terminal, so that the real pyserial talks to it.

A thread drives `SimulatedTray`. What it sends while nobody has the port open is dropped, as on a real wire.
POSIX only.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import threading
import time
import tty
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Final

from firmware_bridge.errors import SimulatorError, TrayError
from firmware_bridge.messages import ResetCause
from firmware_bridge.simulator import SimulatedTray
from firmware_bridge.simulator_commands import help_line, help_text, perform
from rules.dice import DieKind, Face

IDLE_LOOK: Final = 0.04
"""Seconds between two looks for somebody opening the port: a pseudo-terminal cannot be waited for until then."""

PROBE_INTERVAL: Final = 0.5
"""Seconds between two looks at whether a port without a host can still be opened."""

STOP_TIMEOUT: Final = 2.0
"""Seconds that `stop` waits for the thread."""

_CHUNK: Final = 4096
"""Bytes read at a time."""
_PLUGGING: Final = (
    ("unplug", "pull the cable: the port vanishes"),
    ("replug", "put it back: a new port, and a new boot as the power was gone"),
)
"""The commands that only a simulator with a port has, and what they do."""


class PtySimulator:
    """A simulated tray on a pseudo-terminal; every method may be called from any thread.

    `seed` decides boot ids, noise and the faces of `throw_some`. `link` is a path kept pointing at the port, whose
    own name changes with every replugging; an existing symbolic link there is replaced, anything else refused.
    """

    def __init__(
        self, seed: int | None = None, *, link: str | os.PathLike[str] | None = None, tray_id: int = 0x54524159
    ) -> None:
        self._clock: Callable[[], float] = time.monotonic
        self._tray = SimulatedTray(
            Random(seed),  # noqa: S311 - dice of a simulator, which have to be repeatable
            now=self._clock(),
            tray_id=tray_id,
        )
        self._link = Path(link) if link is not None else None
        self._lock = threading.RLock()
        self._master: int | None = None
        self._path: str | None = None
        self._was_open = False
        self._probe_at = 0.0
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._wake_end, self._wake_start = -1, -1

    @property
    def path(self) -> str | None:
        """The path for a host to open: the link if there is one, else the port; None while unplugged without a link."""
        return str(self._link) if self._link is not None else self._path

    def start(self) -> str:
        """Plug the tray in and return `path`. Raises `SimulatorError` if started before or if `link` is in the way."""
        with self._lock:
            if self._thread is not None:
                raise SimulatorError("this simulated tray has been started already")
            self._wake_end, self._wake_start = os.pipe()
            os.set_blocking(self._wake_start, False)
            try:
                self._plug()
            except (OSError, TrayError):
                self._unplug()
                os.close(self._wake_end)
                os.close(self._wake_start)
                raise
            self._stopping = False
            self._thread = threading.Thread(target=self._run, name="simulated tray", daemon=True)
            self._thread.start()
            return self.path or ""

    def stop(self) -> None:
        """Unplug and end the thread. Harmless when not started."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping = True
        with contextlib.suppress(OSError):
            os.write(self._wake_start, b"w")
        thread.join(STOP_TIMEOUT)
        with self._lock:
            self._unplug()
            os.close(self._wake_end)
            os.close(self._wake_start)

    def throw(self, faces: Sequence[tuple[DieKind, Face]]) -> None:
        """Throw dice that land with `faces`. Raises `SimulatorError` or `DiceError`."""
        with self._lock:
            self._tray.throw(faces, self._clock())
        self._wake()

    def throw_some(self, kinds: Iterable[DieKind]) -> tuple[tuple[DieKind, Face], ...]:
        """Throw dice as chance has it, and return how they land. Raises `SimulatorError`."""
        with self._lock:
            faces = self._tray.throw_some(kinds, self._clock())
        self._wake()
        return faces

    def command(self, line: str) -> str:
        """Carry out one line (`help` lists them) and return what happened. Raises `SimulatorError`."""
        with self._lock:
            word = line.strip().lower()
            if word == "help":
                said = "\n".join([help_text(), *(help_line(*one) for one in _PLUGGING)])
            elif word == "unplug":
                self._unplug()
                said = "the tray is unplugged"
            elif word == "replug":
                said = self._replug()
            else:
                said = perform(self._tray, line, self._clock())
        self._wake()
        return said

    def _wake(self) -> None:
        with self._lock, contextlib.suppress(OSError):  # the lock keeps `stop` from closing the pipe meanwhile
            if self._thread is not None:
                os.write(self._wake_start, b"w")

    def _plug(self) -> None:
        master, slave = os.openpty()
        try:
            tty.setraw(slave)
            os.set_blocking(master, False)
            self._path = os.ttyname(slave)
        finally:
            os.close(slave)  # with it open, the tray could not tell whether a host listens
        self._master = master
        self._was_open = False
        if self._link is not None:
            _point(self._link, self._path)

    def _unplug(self) -> None:
        if self._link is not None and self._path is not None and _points_at(self._link, self._path):
            self._link.unlink()
        if self._master is not None:
            os.close(self._master)
        self._master, self._path = None, None

    def _replug(self) -> str:
        self._unplug()
        self._tray.restart(self._clock(), ResetCause.POWER)
        self._tray.take_output()
        self._plug()
        return f"the tray is plugged in at {self.path}"

    def _run(self) -> None:
        while not self._stopping:
            with self._lock:
                now = self._clock()
                self._tray.advance(now)
                listened = self._transfer(now)
                wait = max(self._tray.deadline - now, 0.0)
                master = self._master
            readers = [self._wake_end]
            if listened and master is not None:
                readers.append(master)
            else:
                wait = min(wait, IDLE_LOOK) if master is not None else wait
            self._sleep(readers, wait)

    def _sleep(self, readers: list[int], wait: float) -> None:
        try:
            ready, _, _ = select.select(readers, [], [], wait)
        except (OSError, ValueError):
            return  # unplugged by another thread in between
        if self._wake_end in ready:
            with contextlib.suppress(OSError):
                os.read(self._wake_end, _CHUNK)

    def _transfer(self, now: float) -> bool:
        """Move bytes both ways; whether a host has the port open."""
        output = self._tray.take_output()
        if self._master is None:
            return False
        events = self._events()
        if events & select.POLLHUP:
            self._forsaken(now)
            return False
        self._was_open = True
        try:
            if output:
                os.write(self._master, output)
            if events & select.POLLIN:
                self._tray.receive(os.read(self._master, _CHUNK), now)
                output = self._tray.take_output()
                if output:
                    os.write(self._master, output)
        except OSError as error:
            if error.errno not in (errno.EIO, errno.EAGAIN):  # just closed, or full: the bytes are lost, as on a wire
                raise
        return True

    def _forsaken(self, now: float) -> None:
        """No host has the port open: take in what is still in it, and replace a port that a killed host left reserved.

        A pseudo-terminal keeps TIOCEXCL beyond its last closing, which a serial port does not.
        """
        if self._master is None or self._path is None:
            return
        if self._was_open:
            self._was_open = False
            with contextlib.suppress(OSError):  # what was sent last arrives, maybe from a host that has just come
                while received := os.read(self._master, _CHUNK):
                    self._tray.receive(received, now)
        if now < self._probe_at or self._link is None:
            return
        self._probe_at = now + PROBE_INTERVAL
        try:
            os.close(os.open(self._path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))
        except OSError as error:
            if error.errno == errno.EBUSY and self._events() & select.POLLHUP:
                self._unplug()
                self._plug()

    def _events(self) -> int:
        """What a poll of the port says now; 0 while unplugged."""
        if self._master is None:
            return 0
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        return dict(poll.poll(0)).get(self._master, 0)


def _points_at(link: Path, target: str) -> bool:
    with contextlib.suppress(OSError):
        return link.is_symlink() and str(link.readlink()) == target
    return False


def _point(link: Path, target: str) -> None:
    """Make `link` a symbolic link to `target` in one step. Raises `SimulatorError` if something else is there."""
    if link.exists() and not link.is_symlink():
        raise SimulatorError(f"{link} is there and no link", "Choose another path for the link.")
    fresh = link.with_name(f"{link.name}.new")
    try:
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target)
        fresh.replace(link)
    except OSError as error:
        raise SimulatorError(f"the link {link} cannot be made: {error}", "Choose a folder you may write to.") from error
