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
from kiosk.views.stage.names import titled
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
        "strained": one.body.stress < one.body.stress_max,
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
            "words": _line(step, told(str(step.number))),
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


_WHAT_FOR: Final = frozenset({"make_spend", "spend_threat", "gain_threat"})
"""Commands whose longest narration alone says what somebody paid for."""


def _line(step: DecidedStep, told: Narration | None) -> Phrase | str:
    """What was decided, after what it was about: the dice that it counted, whose Task it belongs to, who paid."""
    words: Phrase | str = step_words(step)
    if told is not None:
        words = told.full if step.command in _WHAT_FOR else told.normal
    if step.command == "spend_threat":
        spent = step.before.threat - step.after.threat
        return sentences(say("The gamemaster spends {points} Threat.", points=spent), words)
    who, deed = _whose(step)
    found = counted_by(step)
    if found is not None and deed:
        return sentences(say("{who}, {what}: {faces}.", who=found[0], what=deed, faces=faces_words(found[1])), words)
    if found is not None:
        return sentences(say("{who}: {faces}.", who=found[0], faces=faces_words(found[1])), words)
    if not deed:
        return words
    named = step.command in {"make_spend", "finish_spending"}
    return sentences(say("{who}: {what}.", who=who, what=deed) if named else say("{words}.", words=deed), words)


_OF_COMPLICATIONS: Final = frozenset({"take_complication", "buy_off_complication"})
"""Commands that settle one, also of a Task that is over."""

_OF_A_TASK: Final = frozenset({"declare_task", "make_spend", "finish_spending", *_OF_COMPLICATIONS})
"""Commands about one Task, besides those that count its dice."""


def _whose(step: DecidedStep) -> tuple[str, str]:
    """Whose Task a decision belongs to, and its deed; both empty where it belongs to none, or nobody named one."""
    before, after = step.before, step.after
    if step.command not in _OF_A_TASK and counted_by(step) is None:
        return "", ""
    waits = before.complications_waiting if step.command in _OF_COMPLICATIONS else ()
    settled = next((each for each in waits if each not in after.complications_waiting), None)
    if settled is not None:
        return settled.who, settled.deed
    one = before.task if step.command != "declare_task" else after.task or after.last_task
    return (one.who, one.declaration.label) if one is not None else ("", "")


def _numbers(numbers: object) -> list[tuple[Phrase, int]]:
    return [(titled(name), number) for name, number in msgspec.to_builtins(numbers).items()]


def _played(name: str | None) -> Phrase | str:
    return say("played by {name}", name=name) if name else ""


def _state(one: Character) -> Phrase:
    stress = (
        say("Stress {left} of {most}", left=one.body.stress, most=one.body.stress_max) if one.body.stress_max else ""
    )
    return joined_by(", ", [words for words in (stress, INJURIES[one.body.injury]) if words])
