"""Remembers rolls that do not count, because their dice were laid down for teaching."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules.dice import Reading

_READING_PARTS: Final = 5
"""Parts of a reading's ID: tray, tray ID, boot ID, roll, event. That of a plain tray ends with its roll."""


class HeldRolls:
    """Remembers the newest roll of which dice came while `hold_back` said so; for one thread.

    `roll` is the one that an earlier run of the program held, or several with blanks between them; `keep` is called
    with each that is held from now on, so that the tray, which tells its last roll again, does not bring it back after
    a restart.
    """

    def __init__(
        self, hold_back: Callable[[], bool], roll: str = "", keep: Callable[[str], None] = lambda _: None
    ) -> None:
        self._hold_back = hold_back
        self._keep = keep
        self._rolls = frozenset(roll.split())
        self._newest = ("", 0)

    def seen(self, roll: str, event: int) -> None:
        """Note that the newest die is of `roll`, by its `event`.

        The roll's end may come only after that of the teaching.
        """
        if (roll, event) != self._newest:
            self._newest = (roll, event)
            if self._hold_back():
                self._hold(roll)

    def holds(self, reading: Reading) -> bool:
        """Whether `reading` counts for nothing. That the tray is clear always counts."""
        roll = _roll_of(reading.reading_id)
        if self._hold_back():
            self._hold(roll)
        return bool(reading.dice) and roll in self._rolls

    def _hold(self, roll: str) -> None:
        if roll not in self._rolls:
            self._rolls = frozenset({roll})
            self._keep(roll)


def _roll_of(reading_id: str) -> str:
    """What the ids of all readings of one roll have in common; a roll of a plain tray has only one reading."""
    return reading_id.rpartition(":")[0] if reading_id.count(":") == _READING_PARTS - 1 else reading_id
