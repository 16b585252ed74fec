"""The dice tray as a source of readings: a thread that keeps it connected.

Importing this module needs neither pyserial nor a port. What is missing is found out in the thread, and
costs the tray only.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from firmware_bridge.errors import NO_WORDS
from firmware_bridge.held_rolls import HeldRolls
from firmware_bridge.onlookers import Onlookers
from firmware_bridge.taught_file import TaughtFile
from rules.dice import Reading, SourceKind, SourceState, SourceStatus
from rules.words import Phrase, say

if TYPE_CHECKING:
    from firmware_bridge.connection import Connection, TrayFirmware
    from firmware_bridge.conversation import Link
    from firmware_bridge.pictures import TrayPicture
    from firmware_bridge.session import TrayHealth
    from firmware_bridge.teaching import TrayPlace

STOP_TIMEOUT: Final = 2.0
"""Seconds that `stop` waits for the thread; a write may hold it for half a second."""

NOT_IN_USE: Final = say("The dice tray is not in use.")
"""What is said of a tray while nothing looks for it."""

_LOG: Final = logging.getLogger(__name__)


class TraySupervisor:
    """The serial dice tray as the kiosk sees it.

    `url` is a port, a pyserial URL, or a USB device as `usb:VID:PID` or `usb:VID:PID:SERIAL`; None takes any tray.
    Ports are looked for with `find_ports`, again and again, so that a tray may be plugged in at any time; of several
    the first is used, and the status names the others. `taught` says what the tags of the dice mean; a change of it
    takes effect at once. While `hold_back` says so, as while a die is being taught, no dice are reported, nor are those
    those that lie there then afterwards; `held_roll` is the roll that was held when the program ended, `keep_held` is
    called with each that is held now. `open_link` and `clock` stand for the port and the time in tests. Can be started
    again after `stop`.
    """

    kind: Final = SourceKind.TRAY

    def __init__(
        self,
        url: str | None,
        *,
        find_ports: Callable[[], list[str]] | None = None,
        open_link: Callable[[str], Link] | None = None,
        clock: Callable[[], float] = time.monotonic,
        taught: TaughtFile | None = None,
        hold_back: Callable[[], bool] = lambda: False,
        held_roll: str = "",
        keep_held: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._url = url
        self._taught = taught or TaughtFile()
        self._taught.listen(self._teach)
        self._hold_back = hold_back
        self._held = HeldRolls(hold_back, held_roll, keep_held)
        self.show: Callable[[TrayPicture], None] = lambda _: None
        """Given the pictures of a tray with a camera, from the tray's thread."""
        self.looked: Callable[[tuple[TrayPlace, ...]], None] = lambda _: None
        """Told of what lies on the tray, again and again, from the tray's thread; to be set before `start`."""
        self._find_ports = find_ports
        self._open_link = open_link
        self._clock = clock
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self.onlookers: Final = Onlookers()
        """Copies of the port's traffic for onlookers."""
        self._connection: Connection | None = None

    def start(self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None]) -> None:
        """Begin, in a thread of its own: `report` gets each roll once, `tell` each change of state.

        Both are called from that thread and must return quickly. Raises `RuntimeError` if already started.
        """
        if self._thread is not None:
            raise RuntimeError("the dice tray's supervisor is already running")
        stopping = self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(report, tell, stopping), name="tray", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and close the port, within `STOP_TIMEOUT` seconds. Harmless when not started."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping.set()
        connection = self._connection
        if connection is not None:
            connection.wake()
        thread.join(STOP_TIMEOUT)
        self._connection = None
        if thread.is_alive():
            _LOG.warning("The dice tray's port does not let go; it is left behind.")

    @property
    def places(self) -> tuple[TrayPlace, ...]:
        """What lies on the tray now, by slot; nothing while no tray with readers is ready. Safe from any thread."""
        connection = self._connection
        return connection.places if connection is not None else ()

    def workshop(self) -> TrayHealth | None:
        """The state of its sensors and readers, while somebody looks: it is queried repeatedly meanwhile.

        None before it has answered, as one of 1.0 never does: `untold` says why. Safe from any thread.
        """
        connection = self._connection
        if connection is None:
            return None
        connection.watch()
        return connection.health

    @property
    def untold(self) -> Phrase:
        """Why `workshop` has nothing to tell, in words. Safe from any thread."""
        connection = self._connection
        return connection.untold if connection is not None else NOT_IN_USE

    def test_lamps(self) -> bool:
        """Let the lamps shine white for a moment; whether a tray with lamps is ready. Safe from any thread."""
        connection = self._connection
        if connection is None or not connection.has_lamps:
            return False
        connection.test_lamps()
        return True

    @property
    def firmware(self) -> TrayFirmware | None:
        """What runs on the tray in use; None before one that speaks in frames has answered. Safe from any thread."""
        connection = self._connection
        return connection.firmware if connection is not None else None

    @property
    def obstacle(self) -> Phrase:
        """What keeps the tray from reading tags now, in words; empty where nothing does. Safe from any thread."""
        connection = self._connection
        return connection.obstacle if connection is not None else NOT_IN_USE

    @property
    def tagless(self) -> Phrase:
        """Why this kind of tray never reads tags, in words; empty where it does, or is not known yet.

        Of a tray that is away it is as it was. Safe from any thread.
        """
        connection = self._connection
        return connection.tagless if connection is not None else NO_WORDS

    def picture(self, key: str) -> bytes | None:  # noqa: ARG002 - the kiosk asks every source the same way
        """The picture of a die: a tray has none."""
        return None

    def _teach(self) -> None:
        connection = self._connection
        if connection is not None:
            connection.taught_anew()

    def _run(
        self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None], stopping: threading.Event
    ) -> None:
        try:
            connection = self._connect(report, tell, stopping)
        except Exception as error:  # noqa: BLE001 - a broken pyserial can fail in any way and must cost the tray only
            _LOG.warning("The dice tray cannot be used: %s", error)
            tell(
                SourceStatus(
                    SourceKind.TRAY,
                    SourceState.OFF,
                    say("The dice tray cannot be used: {reason}.", reason=str(error)),
                    say("Install trueroll again (make install), then restart it."),
                )
            )
            return
        self._connection = connection
        connection.looked = self.looked
        connection.run()

    def _connect(
        self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None], stopping: threading.Event
    ) -> Connection:
        from firmware_bridge import discover  # noqa: PLC0415 - a broken library costs the tray only
        from firmware_bridge.connection import Connection  # noqa: PLC0415 - see above
        from firmware_bridge.session import TraySession  # noqa: PLC0415 - see above

        open_link = self._open_link
        if open_link is None:
            from firmware_bridge.link import open_link as open_serial  # noqa: PLC0415 - see above

            open_link = open_serial
        return Connection(
            url=self._url,
            find_ports=self._find_ports or (lambda: discover.ports_of(self._url)),
            open_link=open_link,
            session=TraySession(
                nonce=secrets.randbelow(0xFFFF) + 1,
                start_id=secrets.token_hex(4),
                taught=self._taught.current,
                teaching=self._hold_back,
            ),
            held=self._held,
            report=report,
            tell=tell,
            clock=self._clock,
            stopping=stopping,
            onlookers=self.onlookers,
            show=self.show,
        )
