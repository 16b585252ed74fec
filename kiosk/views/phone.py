"""A phone's tabs: a character's card, what happened, and who is at the table, in words.

In: the table, the history, whom somebody plays. Out: what `_phone.html` lays out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from kiosk.views.about import PANEL
from kiosk.views.conflict_view import INJURIES
from kiosk.views.counted import counted_by
from kiosk.views.stage import titled
from rules.game import Character, DecidedStep, History, Narration, Standing, Table, profile, step_words, weapon_label
from rules.words import Phrase, faces_words, joined_by, say, sentences

TABS: Final = (
    ("phone", "/play", say("Now")),
    ("sheet", "/play/sheet", say("Sheet")),
    ("fight", "/play/fight", say("Fight")),
    ("log", "/play/log", say("Log")),
    ("table", "/play/table", say("Table")),
)
"""The name of each tab, its address, and what stands on it."""

TOLD: Final = 12
"""Most decisions in the log: as many as fit two screens of a phone."""


def tabs_of(table: Table, now: str) -> list[tuple[str, Phrase, bool]]:
    """The available tabs, each with address, words and whether it is the open one; the fight's only in a fight."""
    return [
        (path, words, name == now)
        for name, path, words in TABS
        if name != "fight" or table.conflict is not None or now == "fight"
    ]


def sheet_of(table: Table, character_id: str) -> dict[str, Any] | None:
    """The card of a character; None where nobody is chosen."""
    one = next((each for each in table.characters if each.character_id == character_id), None)
    if one is None:
        return None
    numbers = [_numbers(one.attributes), _numbers(one.disciplines)]
    return {
        "character_id": one.character_id,
        "name": one.name,
        "state": _state(one),
        "attributes": numbers[0],
        "disciplines": numbers[1],
        "focuses": one.focuses,
        "values": [(each.text, each.struck) for each in one.values],
        "determination": one.determination,
        "carried": one.weapons,
        "weapons": [weapon_label(each, profile(table)) for each in one.weapons],
    }


def crew_of(table: Table, persons: Iterable[Mapping[str, Any]]) -> list[tuple[str, Phrase]]:
    """Each player's character at the table, how they are, and who plays them."""
    played = {character: one["called"] for one in persons for character in one["characters"]}
    return [
        (one.name, joined_by(", ", [words for words in (_played(played.get(one.character_id)), _state(one)) if words]))
        for one in table.characters
        if one.standing is Standing.PLAYER
    ]


def log_of(
    history: History, told: Callable[[str], Narration | None], persons: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """What was decided, the newest first: in words, by whom, and the number under which it is taken back to."""
    called = {one["person_id"]: one["called"] for one in persons}
    newest = history.done[-TOLD:]
    return [
        {
            "number": step.number,
            "words": _with_dice(step, narration.normal if (narration := told(str(step.number))) else step_words(step)),
            "signed": _signed(called.get(step.person, ""), step.by),
            "before": place,
        }
        for place, step in enumerate(reversed(newest))
    ]


def _signed(name: str, by: str) -> Phrase | str:
    """Whose decision it was; empty where it was nobody's."""
    if by == PANEL and name:
        return say("Decided by {name} at the table's screen", name=name)
    if by == PANEL:
        return say("Decided at the table's screen")
    return say("Decided by {name}", name=name) if name else ""


def _with_dice(step: DecidedStep, words: Phrase | str) -> Phrase | str:
    """What was decided, after the dice that it counted and whose they were."""
    found = counted_by(step)
    if found is None:
        return words
    who, faces = found
    return sentences(say("{who}: {faces}.", who=who, faces=faces_words(faces)), words)


def _numbers(numbers: object) -> list[tuple[Phrase, int]]:
    return [(titled(name), number) for name, number in msgspec.to_builtins(numbers).items()]


def _played(name: str | None) -> Phrase | str:
    return say("played by {name}", name=name) if name else ""


def _state(one: Character) -> Phrase:
    stress = (
        say("Stress {left} of {most}", left=one.body.stress, most=one.body.stress_max) if one.body.stress_max else ""
    )
    return joined_by(", ", [words for words in (stress, INJURIES[one.body.injury]) if words])
