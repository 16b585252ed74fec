"""The gamemaster's bridge: what the dial is set to, with a word for each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.game import DIFFICULTY_WORDS, Dial, Table, dial_of, dialled
from rules.words import Phrase, say

HIGHEST: Final = 20
"""The highest face of a d20, a Complication in every range."""

RANGES: Final = (say("usual"), say("risky"), say("perilous"), say("precarious"), say("treacherous"))
"""A word for each complication range from 1 to 5 (TASK-7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialStep:
    """One step of a dial: what is sent, what stands on it, its word, and whether it is set there."""

    value: int
    shown: str
    word: str
    pressed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DialView:
    """Both dials. `now` is what they are set to or would be sent beside the other's; `open`: nothing is set."""

    title: str
    now: Dial
    open: bool
    in_hand: bool
    difficulties: tuple[DialStep, ...]
    ranges: tuple[DialStep, ...]


def dial_view(table: Table) -> DialView:
    """What the dials show: a player's Task in hand that they change, else what is set for the next one."""
    task = dialled(table)
    dial = dial_of(task) if task is not None else table.dial
    now = dial if dial is not None else Dial(difficulty=1)
    return DialView(
        title=_title(task.who) if task is not None else say("How hard is the next Task?"),
        now=now,
        open=dial is None,
        in_hand=task is not None,
        difficulties=tuple(
            DialStep(value=place, shown=str(place), word=word, pressed=dial is not None and place == now.difficulty)
            for place, word in enumerate(DIFFICULTY_WORDS)
        ),
        ranges=tuple(
            DialStep(
                value=place,
                shown=_faces(place),
                word=word,
                pressed=dial is not None and place == now.complication_range,
            )
            for place, word in enumerate(RANGES, 1)
        ),
    )


def _title(who: str) -> Phrase:
    return say("How hard is {who}'s Task?", who=who)


def _faces(complication_range: int) -> str:
    """The faces that are Complications, as a dial has them, the lowest and the highest."""
    return str(HIGHEST) if complication_range == 1 else f"{HIGHEST + 1 - complication_range}\u2013{HIGHEST}"
