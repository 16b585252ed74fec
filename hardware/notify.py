"""Word to the service manager: one datagram each (systemd's sd_notify protocol), and nothing without one.

Feed the watchdog only from the loop that checks the engine's own progress: a thread that merely lives
proves nothing.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping
from typing import Final

WATCHDOG_SHARE: Final = 0.5
"""Feed at this share of the service manager's deadline, as sd_watchdog_enabled(3) advises."""

_LOGGER = logging.getLogger(__name__)


class Notifier:
    """Tells the service manager how the kiosk is.

    `address` is that of NOTIFY_SOCKET: a path, or "@" and a name of the abstract namespace. With None every
    call does nothing. A datagram that cannot be sent is dropped: the loss is logged once, and its return once.
    """

    def __init__(self, address: str | None, *, feed_every: float | None = None) -> None:
        self._address = address
        self._lost = False
        self.feed_every = feed_every
        """Seconds between calls of `watchdog` that keep the service alive; None when nobody is watching."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], *, process: int | None = None) -> Notifier:
        """The notifier that systemd's variables ask for. `process` is the process's id, this one's if None."""
        address = environment.get("NOTIFY_SOCKET") or None
        watched = environment.get("WATCHDOG_PID", "")
        meant = watched in ("", str(os.getpid() if process is None else process))
        microseconds = environment.get("WATCHDOG_USEC", "")
        feed = None
        if address is not None and meant and microseconds.isdecimal() and int(microseconds) > 0:
            feed = int(microseconds) / 1_000_000 * WATCHDOG_SHARE
        return cls(address, feed_every=feed)

    def ready(self) -> None:
        """Report that the kiosk can be used: systemd starts what waits for it."""
        self._send("READY=1")

    def watchdog(self) -> None:
        """Report that the engine has made progress since the last call."""
        self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """One line for `systemctl status`; line breaks become spaces."""
        self._send(f"STATUS={' '.join(text.split())}")

    def stopping(self) -> None:
        """Report that the kiosk is stopping."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if self._address is None:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as datagram:
                # A service manager that does not read must not hold up the table.
                datagram.setblocking(False)  # noqa: FBT003 - the standard library's own signature
                datagram.sendto(message.encode(), address)
        except (OSError, ValueError) as error:
            if not self._lost:
                _LOGGER.warning("the service manager cannot be told (%s); it may restart the kiosk", error)
            self._lost = True
        else:
            if self._lost:
                _LOGGER.info("the service manager can be told again")
            self._lost = False
