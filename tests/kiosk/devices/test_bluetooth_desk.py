"""Pairing Bluetooth dice: looked for, paired, kept over a restart, forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.bluetooth.dice import DieStatus, FoundDie, PairedDie
from firmware_bridge.bluetooth.makers import Doing, Maker
from firmware_bridge.errors import TrayError
from kiosk.devices.bluetooth_desk import FILE_NAME, MOST_DICE, BluetoothChange, BluetoothDesk
from kiosk.errors import TrayDeskError
from rules.dice import DieKind
from rules.words import say

LOOK = BluetoothChange(action="look")


class Dice:
    """Dice nearby, as they are told to be."""

    def __init__(self, *found: FoundDie) -> None:
        self.found = found
        self.desk: BluetoothDesk | None = None
        self.refreshed = 0
        self.adapter = True

    @property
    def dice(self) -> tuple[DieStatus, ...]:
        assert self.desk is not None
        return tuple(DieStatus(one, in_reach=True, doing=Doing.SETTLED, battery=80) for one in self.desk.paired())

    def refresh(self) -> None:
        self.refreshed += 1

    def look_for(self) -> tuple[FoundDie, ...]:
        if not self.adapter:
            raise TrayError(say("No dice can be looked for: no adapter."), say("Plug one in."))
        return self.found


def desk(dice: Dice, path: Path | None = None) -> BluetoothDesk:
    made = BluetoothDesk(path, dice=dice)
    dice.desk = made
    return made


def test_a_die_is_found_paired_kept_and_forgotten(tmp_path: Path) -> None:
    dice = Dice(FoundDie("AA:01", "Red", Maker.PIXELS), FoundDie("AA:02", "Blue", Maker.GODICE))
    one = desk(dice, tmp_path / FILE_NAME)
    assert one.do(LOOK) == "2 dice were found."
    assert one.do(BluetoothChange(action="pair", address="AA:02", kind=DieKind.D6)) == "Blue is paired."
    assert [found.name for found in one.view().found] == ["Red"]
    (paired,) = one.view().paired
    assert (paired.name, paired.kind, paired.words) == ("Blue", DieKind.D6, "settled, battery 80 per cent")
    again = desk(Dice(), tmp_path / FILE_NAME)
    assert again.paired() == (PairedDie("AA:02", "Blue", Maker.GODICE, DieKind.D6),)
    assert again.do(BluetoothChange(action="unpair", address="AA:02")) == "Blue was forgotten."
    assert again.do(BluetoothChange(action="unpair", address="AA:02")) == "This die was forgotten already."
    assert desk(Dice(), tmp_path / FILE_NAME).paired() == ()
    assert dice.refreshed == 1


def test_a_die_that_calls_itself_by_control_characters_shows_none() -> None:
    dice = Dice(FoundDie("AA:01", "Re\u202ed\n", Maker.PIXELS), FoundDie("AA:02", "\u200e", Maker.GODICE))
    one = desk(dice)
    one.do(LOOK)
    assert [found.name for found in one.view().found] == ["Re d", "AA:02"]


def test_what_cannot_be_done_is_said_in_words() -> None:
    dice = Dice(*(FoundDie(f"AA:{number}", f"Die {number}", Maker.PIXELS) for number in range(MOST_DICE + 1)))
    one = desk(dice)
    with pytest.raises(TrayDeskError, match="not in reach any more"):
        one.do(BluetoothChange(action="pair", address="AA:0"))
    one.do(LOOK)
    for number in range(MOST_DICE):
        one.do(BluetoothChange(action="pair", address=f"AA:{number}"))
    with pytest.raises(TrayDeskError, match="8 dice are paired already"):
        one.do(BluetoothChange(action="pair", address=f"AA:{MOST_DICE}"))
    dice.adapter = False
    with pytest.raises(TrayDeskError, match=r"no adapter\. Plug one in"):
        one.do(LOOK)
    dice.adapter, dice.found = True, ()
    assert one.do(LOOK).startswith("No die was found.")
