"""The Bluetooth dice as a source of readings; nothing runs before the first die is paired or looked for.

Most tables have none of these dice: `supervisor`, asyncio and bleak are imported for those that do.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from firmware_bridge.bluetooth.dice import DieStatus, FoundDie, PairedDie
from firmware_bridge.errors import TrayError
from rules.dice import Reading, SourceKind, SourceStatus
from rules.words import say

if TYPE_CHECKING:
    from firmware_bridge.bluetooth.supervisor import BluetoothDice


class BluetoothSource:
    """The dice that `paired` names. `start_id` is another at every start. Any thread may call every method."""

    kind: Final = SourceKind.BLUETOOTH

    def __init__(self, paired: Callable[[], tuple[PairedDie, ...]], *, start_id: str) -> None:
        self._paired = paired
        self._start_id = start_id
        self._lock = threading.Lock()
        self._wanted: tuple[Callable[[Reading], None], Callable[[SourceStatus], None]] | None = None
        """Who is told, while the source is in use."""
        self._running: BluetoothDice | None = None

    def start(self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None]) -> None:
        """Be in use from now on; see `BluetoothDice.start`."""
        with self._lock:
            self._wanted = (report, tell)
        self.refresh()

    def stop(self) -> None:
        """End as `BluetoothDice.stop` does; harmless when not started."""
        with self._lock:
            self._wanted = None
            running, self._running = self._running, None
        if running is not None:
            running.stop()

    def refresh(self) -> None:
        """Take note that the paired dice changed."""
        running = self._running
        if running is not None:
            running.refresh()
        elif self._paired():
            self._run()

    def picture(self, key: str) -> bytes | None:  # noqa: ARG002 - the kiosk asks every source the same way
        """The picture of a die: these have none."""
        return None

    @property
    def dice(self) -> tuple[DieStatus, ...]:
        """The paired dice, and how each is."""
        running = self._running
        if running is not None:
            return running.dice
        return tuple(DieStatus(die, in_reach=False, doing=None, battery=None) for die in self._paired())

    def look_for(self) -> tuple[FoundDie, ...]:
        """The dice nearby that are not connected. Raises `TrayError` with words where none can be looked for."""
        running = self._run()
        if running is None:
            raise TrayError(say("The Bluetooth dice are not in use."), say("Restart the kiosk."))
        return running.look_for()

    def _run(self) -> BluetoothDice | None:
        """The supervisor of the dice, started if necessary; None while the source is not in use."""
        from firmware_bridge.bluetooth.supervisor import BluetoothDice  # noqa: PLC0415  # see the module

        with self._lock:
            if self._running is None and self._wanted is not None:
                self._running = BluetoothDice(self._paired, start_id=self._start_id)
                self._running.start(*self._wanted)
            return self._running
