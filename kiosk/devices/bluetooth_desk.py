"""Pairing of Bluetooth dice, for the tray's page: find, pair and forget them.

In: what a person asks (`BluetoothChange`). Out: `BluetoothView`, and the paired dice kept in the data folder.
"""

from __future__ import annotations

import logging
import secrets
import threading
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal, Protocol

import msgspec
from msgspec import Meta, Struct

from firmware_bridge.bluetooth.dice import DieStatus, FoundDie, PairedDie
from firmware_bridge.bluetooth.makers import Doing, Maker
from firmware_bridge.bluetooth.source import BluetoothSource
from firmware_bridge.errors import TrayError
from kiosk.errors import TrayDeskError
from kiosk.storage.kept_file import Tell, read_kept
from kiosk.storage.replacing import replace_file
from kiosk.storage.typed_text import visible
from rules.dice import DieKind
from rules.words import Phrase, say, say_count, sentences

log = logging.getLogger(__name__)

FILE_NAME: Final = "bluetooth-dice.json"
"""The file's name in the data folder."""

MOST_DICE: Final = 8
"""Dice that one adapter keeps connected; more than a throw takes."""

LONGEST_NAME: Final = 60
"""Characters of a die's name that are kept."""

DOING_WORDS: Final[dict[Doing | None, Phrase]] = {
    None: say("in reach"),
    Doing.HANDLED: say("in a hand"),
    Doing.ROLLING: say("rolling"),
    Doing.SETTLED: say("settled"),
    Doing.COCKED: say("leaning"),
    Doing.PLACED: say("lying"),
}
"""What a die does, as the page tells it."""


BluetoothAction = Literal["look", "pair", "unpair"]
"""The actions that a person can choose."""


class KeptDie(Struct, frozen=True, kw_only=True):
    """A paired die as the file keeps it."""

    address: str
    name: str
    maker: Maker
    kind: DieKind


class BluetoothChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to do: look for dice nearby, pair one of those that were found, or forget one."""

    action: BluetoothAction
    address: Annotated[str, Meta(max_length=64)] = ""
    kind: DieKind = DieKind.D20


class PairedView(Struct, frozen=True, kw_only=True):
    """A paired die and how it is, in words."""

    address: str
    name: str
    kind: DieKind
    words: Phrase


class BluetoothView(Struct, frozen=True, kw_only=True):
    """The paired dice, and those that were found nearby and are not paired."""

    paired: tuple[PairedView, ...] = ()
    found: tuple[FoundDie, ...] = ()


class PairableDice(Protocol):
    """The Bluetooth dice as far as the desk needs them; `BluetoothSource` is one."""

    @property
    def dice(self) -> tuple[DieStatus, ...]:
        """The paired dice, and how each is."""

    def refresh(self) -> None:
        """Take note that the paired dice changed."""

    def look_for(self) -> tuple[FoundDie, ...]:
        """The dice nearby. Raises `TrayError`."""


class BluetoothDesk:
    """Keeps the paired dice at `path`, or without one in memory. Every method may be called from any thread."""

    def __init__(self, path: Path | None = None, tell: Tell = None, dice: PairableDice | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        kept = read_kept(path, tuple[KeptDie, ...], tell) if path is not None else None
        self._paired = tuple(PairedDie(one.address, one.name, one.maker, one.kind) for one in kept or ())
        self._found: tuple[FoundDie, ...] = ()
        self.source: Final = BluetoothSource(self.paired, start_id=secrets.token_hex(4))
        """The dice as a source of readings."""
        self._dice: PairableDice = dice or self.source

    def paired(self) -> tuple[PairedDie, ...]:
        """The dice that are ours."""
        return self._paired

    def view(self) -> BluetoothView:
        """How everything stands."""
        paired = tuple(
            PairedView(address=one.die.address, name=one.die.name, kind=one.die.kind, words=_words(one))
            for one in self._dice.dice
        )
        ours = {one.address for one in paired}
        return BluetoothView(paired=paired, found=tuple(one for one in self._found if one.address not in ours))

    def do(self, change: BluetoothChange) -> str:
        """Carry out `change`; what it did, in words. Raises `TrayDeskError` with words for the person."""
        if change.action == "look":
            return self._look()
        with self._lock:
            if change.action == "pair":
                return self._pair(change)
            return self._unpair(change.address)

    def _look(self) -> str:
        try:
            found = self._dice.look_for()
        except TrayError as error:
            raise TrayDeskError(sentences(error.what, error.remedy)) from error
        # whoever is near may have a device call itself anything
        self._found = tuple(replace(one, name=visible(one.name) or one.address) for one in found)
        count = len(self.view().found)
        if not count:
            return say("No die was found. Shake it or take it out of its charger, then look again.")
        return say_count(count, "One die was found.", "{number} dice were found.")

    def _pair(self, change: BluetoothChange) -> str:
        found = next((one for one in self._found if one.address == change.address), None)
        if found is None:
            raise TrayDeskError(say("This die is not in reach any more. Look for it again."))
        if len(self._paired) >= MOST_DICE:
            raise TrayDeskError(say("{most} dice are paired already. Forget one first.", most=MOST_DICE))
        others = tuple(one for one in self._paired if one.address != found.address)
        self._keep((*others, PairedDie(found.address, found.name[:LONGEST_NAME], found.maker, change.kind)))
        return say("{die} is paired.", die=found.name)

    def _unpair(self, address: str) -> str:
        gone = next((one for one in self._paired if one.address == address), None)
        if gone is None:
            return say("This die was forgotten already.")
        self._keep(tuple(one for one in self._paired if one.address != address))
        return say("{die} was forgotten.", die=gone.name)

    def _keep(self, paired: tuple[PairedDie, ...]) -> None:
        self._paired = paired
        self._write()
        self._dice.refresh()

    def write_anew(self) -> bool:
        """Write the paired dice again; whether that succeeded."""
        with self._lock:
            return self._write()

    def _write(self) -> bool:
        if self._path is None:
            return True
        kept = [KeptDie(address=one.address, name=one.name, maker=one.maker, kind=one.kind) for one in self._paired]
        try:
            replace_file(self._path, msgspec.json.encode(kept))
        except OSError as error:
            log.warning("The paired Bluetooth dice are not kept over a restart: %s", error)
            return False
        return True


def _words(one: DieStatus) -> Phrase:
    words = DOING_WORDS[one.doing] if one.in_reach else say("not in reach")
    if one.battery is None:
        return words
    return say("{doing}, battery {level} per cent", doing=words, level=one.battery)
