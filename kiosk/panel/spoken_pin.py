"""The spoken menu's way to type in the table's PIN by buttons alone; see docs/persons.md.

Who is in the room hears the menu, so no digit is said: each stands at zero, one press moves it up by one, and the menu
says the same to each press. A blind gamemaster counts their presses, as everybody else there could.
"""

from __future__ import annotations

from typing import Final

from kiosk.panel.spoken_places import Dialling, Facts, Level, LevelEntry
from rules.words import Phrase, say

_ASKED: Final[tuple[Phrase, ...]] = (
    say("The table's PIN. First digit."),
    say("Second digit."),
    say("Third digit."),
    say("Fourth digit."),
    say("Fifth digit, or that is all."),
    say("Sixth digit, or that is all."),
    say("Seventh digit, or that is all."),
    say("Eighth digit, or that is all."),
)
"""What is asked for each digit."""

LEAST: Final = 4
"""Digits after which a PIN may be all there is; `PIN_LENGTHS` of kiosk.web.access says the same."""


def dialling(facts: Facts, where: Dialling) -> Level:
    """The next digit, from zero up; after four digits the end of the PIN, too."""
    if not facts.locked:
        return Level("", ())
    entries = [_digit(where, digit) for digit in range(10)]
    if len(where.digits) >= LEAST:
        entries.append(LevelEntry(key="all", label=say("That is all"), pin=where.digits))
    return Level(_ASKED[len(where.digits)], tuple(entries), secret=True)


def _digit(where: Dialling, digit: int) -> LevelEntry:
    digits = f"{where.digits}{digit}"
    whole = len(digits) == len(_ASKED)
    return LevelEntry(
        key=str(digit),
        label=say("Click") if digit else say("It stands at zero"),
        more=say("One press moves it up by one. No digit is said aloud: count your presses."),
        go=None if whole else Dialling(digits),
        pin=digits if whole else "",
    )
