"""The open serial port: pyserial, opened for one program only, its many ways of failing made one.

The address is anything that pyserial's `serial_for_url` takes: a device, `loop://`, `socket://host:port`,
`rfc2217://host:port`, `spy://device`. A port that dies raises `SerialException`, a bare `OSError` or
`termios.error`, depending on the call; here all of them are `LinkLostError`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import threading
from typing import Final

import serial

from firmware_bridge.errors import (
    AddressError,
    LinkLostError,
    PortBrokenError,
    PortBusyError,
    PortForbiddenError,
    PortMissingError,
    TrayError,
)
from firmware_bridge.holders import holders
from rules.words import Phrase, masked, masked_address, say

try:
    import fcntl
    import termios
except ImportError:  # not a POSIX system: pyserial works there, exclusive use is the system's default
    _POSIX = False
else:
    _POSIX = True

BAUD_RATE: Final = 115_200
"""Bits a second; a tray on USB sends at whatever speed, one behind a serial chip at this."""

WRITE_TIMEOUT: Final = 0.5
"""Seconds that a write may block: a frozen device takes 16 kB before it does, a live one never."""

_CHUNK: Final = 4096
"""Bytes read at a time."""
_PATIENCE_WITHOUT_FILE: Final = 0.02
"""Seconds between looks at a port that select cannot wait for, such as loop://."""
_FAILURES: Final[tuple[type[Exception], ...]] = (
    serial.SerialException,
    OSError,
    *((termios.error,) if _POSIX else ()),
)
"""What pyserial lets through where a port fails."""
_BUSY: Final = frozenset({errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK})
"""The error numbers of a port that another program holds."""
_FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM})
"""The error numbers of a port that this user may not open."""
_MISSING: Final = frozenset({errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.ENOTDIR})
"""The error numbers of a port that is not there."""


class SerialLink:
    """An open port. `read` and `write` raise `LinkLostError` once it is dead; `close` never raises.

    Use it from one thread; only `wake` may be called from another.
    """

    def __init__(self, port: serial.SerialBase, address: str) -> None:
        self.address: Final = address
        self._port = port
        self._file = _file_of(port)
        self._wake_end, self._wake_start = os.pipe()
        os.set_blocking(self._wake_start, False)
        self._wake_lock = threading.Lock()
        self._closed = False

    def read(self, timeout: float) -> bytes:
        """What has arrived, waiting up to `timeout` seconds for the first byte; empty when nothing came."""
        try:
            if self._file is None:
                self._port.timeout = min(max(timeout, 0.0), _PATIENCE_WITHOUT_FILE)
                first = self._port.read(1)
                waiting: int = getattr(self._port, "in_waiting", 0)
                return bytes(first + self._port.read(waiting)) if first else b""
            ready, _, _ = select.select([self._file, self._wake_end], [], [], max(timeout, 0.0))
            if self._wake_end in ready:
                os.read(self._wake_end, _CHUNK)
            return bytes(self._port.read(_CHUNK)) if self._file in ready else b""
        except _FAILURES as error:
            raise self._lost(error) from error

    def write(self, data: bytes) -> None:
        """Send all of `data`."""
        try:
            self._port.write(data)
        except _FAILURES as error:
            raise self._lost(error) from error

    def wake(self) -> None:
        """Let a `read` that waits in another thread return now."""
        with self._wake_lock, contextlib.suppress(OSError):
            if not self._closed:
                os.write(self._wake_start, b"w")

    def close(self) -> None:
        """Close the port and let other programs have it."""
        if _POSIX and self._file is not None:
            with contextlib.suppress(*_FAILURES):
                fcntl.ioctl(self._file, termios.TIOCNXCL)  # a pseudo-terminal would stay locked after closing
        with contextlib.suppress(*_FAILURES):
            self._port.close()
        with self._wake_lock:
            if not self._closed:
                self._closed = True
                os.close(self._wake_end)
                os.close(self._wake_start)

    def _lost(self, error: Exception) -> LinkLostError:
        said = str(error)
        if isinstance(error, serial.SerialTimeoutException):
            return LinkLostError(
                say("The dice tray at {address} takes no more data; it has frozen.", address=self.address),
                say("Unplug the tray and plug it in again."),
            )
        if "returned no data" in said:
            return LinkLostError(
                say(
                    "The dice tray at {address} is gone: it was unplugged, or a second program reads its port.",
                    address=self.address,
                ),
                say("Plug it in again, or close the other program; trueroll reconnects by itself."),
            )
        return LinkLostError(
            say("The dice tray at {address} is gone ({reason}).", address=self.address, reason=masked(said)),
            say("Plug it in again; trueroll reconnects by itself."),
        )


def open_link(address: str) -> SerialLink:
    """Open the port at `address` for this program alone.

    Raises `AddressError` for what can be no address, `PortMissingError`, `PortBusyError`,
    `PortForbiddenError`, and `PortBrokenError` for every other refusal.
    """
    try:
        port = serial.serial_for_url(
            address, do_not_open=True, baudrate=BAUD_RATE, timeout=0, write_timeout=WRITE_TIMEOUT
        )
        port.exclusive = True
        port.open()
    except _FAILURES as error:
        raise _refusal(address, error) from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:  # what pyserial's URL readers stumble into
        raise AddressError(
            say(
                "{address} is no address of a serial port ({reason}).",
                address=repr(masked_address(address)),
                reason=masked(str(error)),
            ),
            say("Use a device such as /dev/serial/by-id/… or a URL such as socket://host:port."),
        ) from error
    try:
        _claim(port)
    except _FAILURES as error:
        with contextlib.suppress(*_FAILURES):
            port.close()
        raise _refusal(address, error) from error
    return SerialLink(port, masked_address(address))


def _claim(port: serial.SerialBase) -> None:
    """Keep others out for good, and keep closing from resetting an Uno-class board."""
    file = _file_of(port)
    if not _POSIX or file is None or not os.isatty(file):
        return
    fcntl.ioctl(file, termios.TIOCEXCL)  # pyserial's `exclusive` is an flock, which only other polite programs ask for
    settings = termios.tcgetattr(file)
    settings[2] &= ~termios.HUPCL
    termios.tcsetattr(file, termios.TCSANOW, settings)


def _refusal(address: str, error: Exception) -> TrayError:
    address = masked_address(address)
    number = _error_number(error)
    if number in _BUSY:
        return PortBusyError(
            _busy_words(address),
            say("Close it (a second trueroll, a serial monitor, ModemManager); trueroll tries again by itself."),
        )
    if number in _FORBIDDEN:
        return PortForbiddenError(
            say("This user may not open the dice tray's port {address}.", address=address),
            say(
                "Add the user to the group that owns the port (on Debian: sudo usermod -aG dialout USER) and log in "
                "again."
            ),
        )
    if number in _MISSING or "no ports found" in str(error):  # the words of hwgrep://
        return PortMissingError(
            say("No dice tray is connected at {address}.", address=address),
            say("Plug it in; trueroll notices by itself."),
        )
    broken = say("The dice tray's port {address} will not open ({reason}).", address=address, reason=masked(str(error)))
    if "://" in address:
        return PortBrokenError(broken, say("Start what listens at this address; trueroll tries again by itself."))
    return PortBrokenError(broken, say("Unplug the tray and plug it in again."))


def _busy_words(address: str) -> Phrase:
    """Who has the port open, as far as the system tells."""
    programs = ", ".join(map(str, holders(address)))
    if not programs:
        return say("Another program has the dice tray's port {address} open.", address=address)
    return say(
        "Another program has the dice tray's port {address} open: {programs}.", address=address, programs=programs
    )


def _error_number(error: Exception) -> int | None:
    """The system's number for `error`; pyserial hides that of its lock in the words of the message."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    if isinstance(error.__context__, OSError):
        return error.__context__.errno
    first = error.args[0] if error.args else None
    return first if isinstance(first, int) else None


def _file_of(port: serial.SerialBase) -> int | None:
    """The port's file descriptor; None for a port that has none, such as `loop://`."""
    try:
        file = port.fileno()
    except (AttributeError, OSError, ValueError):  # io.UnsupportedOperation is both of the latter
        return None
    return file if isinstance(file, int) else None
