"""Dice that say of themselves that something is wrong (field `flags` of DIE), each told once: pure, free of the clock.

A die goes by its number, so that it is the same wherever it lies; one without a number goes by its place.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from firmware_bridge.messages import Die, DieFlag, FaultCode
from firmware_bridge.taught import TaughtDice
from rules.words import Fill, Phrase, say

_KNOWN: Final = DieFlag.BATTERY_LOW | DieFlag.SENSOR_FAULT


class AilingDice:
    """What each die said last of itself. A die that is taken away, or not told of, is still as it said."""

    def __init__(self) -> None:
        self._flags: dict[tuple[int, int | None], tuple[DieFlag, int]] = {}

    def take(self, die: Die) -> None:
        """Note the flags of `die`; without any it is well again."""
        key = (die.die_id, None if die.die_id else die.slot)
        flags = DieFlag(die.flags & _KNOWN)
        if flags:
            self._flags[key] = (flags, die.slot)
        else:
            self._flags.pop(key, None)

    def words(self, taught: TaughtDice, faults: Collection[tuple[int, int]] = ()) -> tuple[Phrase, ...]:
        """A sentence for each ailment; no die is to blame where a reader fails: `faults` as (code, slot) of FAULT."""
        said: list[Phrase] = []
        for (die_id, _), (flags, slot) in self._flags.items():
            name = _name(die_id, slot, taught)
            if DieFlag.BATTERY_LOW in flags:
                said.append(
                    say(
                        "The battery of {die} is low: charge or replace it soon. It is read until it is empty.",
                        die=name,
                    )
                )
            if DieFlag.SENSOR_FAULT in flags and (FaultCode.READER, slot) not in faults:
                said.append(say("The sensor of {die} fails: enter it by hand, or take another die.", die=name))
        return tuple(said)


def _name(die_id: int, slot: int, taught: TaughtDice) -> Fill:
    """What the die is called: as it was taught, else by its number, else by its place."""
    die = taught.die(die_id)
    if die is not None:
        return die.name
    if die_id:
        return say("die {number}", number=f"{die_id:08x}")
    return say("the die in place {place}", place=slot + 1)
