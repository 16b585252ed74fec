"""The spoken menu's way to what an action of a conflict is aimed at: target, weapon, intent, system, distance.

A field is asked only where more than one choice leads to a Task that the rules take; what no button can say, as a note,
is what is said aloud at the table. An Advantage has words of its own, so that the list of traits tells it from others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, count, islice, product
from typing import Any, Final

from kiosk.panel.spoken_places import Declaring, Facts, Level, LevelEntry, PickAim, PickAttribute, Where, accepted
from kiosk.panel.spoken_words import weapon_words
from rules.game import (
    Action,
    ChoiceKind,
    Declaration,
    DeclareTask,
    MenuChoice,
    Table,
    choices_for,
    chosen,
    combatant_name,
)
from rules.words import Phrase, counted, say, spoken

MOST_TRIED: Final = 24
"""Most combinations of the open fields tried for one choice; a choice without a valid one is not offered."""

MOST_NUMBERS: Final = 6
"""Most numbers offered for one field, so that a few presses are enough."""

AS_SAID: Final = say("as said")
"""The words of an action that no button can say: they are said aloud at the table."""

_MAKE_ADVANTAGES: Final = frozenset({"create_advantage", "create_trait"})
"""Actions whose words are those of an Advantage."""

_UNASKED: Final = frozenset({"one_handed", "effect", "weakness", "threat_part", "note"})
"""Fields that take the first value that the rules accept: their usual one before the others."""

_PROMPTS: Final[dict[str, Phrase]] = {
    "also_id": say("Who else?"),
    "weapon": say("With what?"),
    "lethal": say("With what intent?"),
    "system": say("Which system?"),
    "ship_id": say("Of which ship?"),
    "zones": say("How many zones?"),
    "at_range": say("How far away?"),
}
"""The question for each field of an action for which the rules have none."""


def onward(table: Table, where: PickAim) -> Where | None:
    """The next level, with fields of one choice filled in; None if nothing leads to a Task."""
    draft, left = where.draft, where.left
    while left:
        values = _leading(table, draft, left)
        if not values:
            return None
        if left[0] not in _UNASKED and len(values) > 1:
            return PickAim(draft, left, where.settled)
        draft, left = _with(draft, left[0], values[0]), left[1:]
    if not accepted(table, DeclareTask(declaration=draft)):
        return None
    return Declaring(draft) if where.settled else PickAttribute(draft)


def aim(facts: Facts, where: PickAim) -> Level:
    """Each choice for the field that is asked."""
    field, table = where.left[0], facts.table
    entries = []
    for value in _leading(table, where.draft, where.left):
        go = onward(table, PickAim(_with(where.draft, field, value), where.left[1:], where.settled))
        if go is not None:
            label = _label(table, where.draft, field, value)
            entries.append(LevelEntry(key=f"{field}:{value}", label=label, go=go))
    return Level(_prompt(table, where.draft, field), tuple(entries))


def _prompt(table: Table, draft: Declaration, field: str) -> Phrase:
    choice = _choice(table, draft, field)
    if field in _PROMPTS or choice is None:
        return _PROMPTS[field]
    return say("{label}?", label=choice.label)


def _leading(table: Table, draft: Declaration, left: tuple[str, ...]) -> list[Any]:
    """The values of the first field left that lead to a Task, in the order in which they are offered."""
    return [one for one in _values(table, draft, left[0]) if _leads(table, _with(draft, left[0], one), left[1:])]


def _leads(table: Table, draft: Declaration, left: tuple[str, ...]) -> bool:
    ways = islice(product(*(_values(table, draft, field) for field in left)), MOST_TRIED)
    return any(accepted(table, DeclareTask(declaration=_filled(draft, left, way))) for way in ways)


def _filled(draft: Declaration, fields: tuple[str, ...], values: tuple[Any, ...]) -> Declaration:
    for field, value in zip(fields, values, strict=True):
        draft = _with(draft, field, value)
    return draft


def _with(draft: Declaration, field: str, value: Any) -> Declaration:  # noqa: ANN401 - what that field of `Action` takes
    return replace(draft, action=replace(_action(draft), **{field: value}))


def _action(draft: Declaration) -> Action:
    if draft.action is None:
        raise TypeError("only what has an action is aimed")
    return draft.action


def _values(table: Table, draft: Declaration, field: str) -> tuple[Any, ...]:
    """The values for a field of `Action`; leaving it out comes last, or is not offered."""
    choice = _choice(table, draft, field)
    if choice is None:
        return ()
    if choice.kind is ChoiceKind.NUMBER:
        return _numbers(choice, draft.difficulty)
    if choice.kind is ChoiceKind.YES_OR_NO:
        return (False, True)
    if choice.kind is ChoiceKind.WORDS:
        return ("", _words(table, draft)) if choice.required else ("",)
    named = tuple(chosen(field, one.id) for one in choice.values)
    nothing = (chosen(field, ""),) if choice.otherwise or not choice.values else ()
    return (*nothing, *named) if field in _UNASKED else (*named, *nothing)


def _words(table: Table, draft: Declaration) -> Phrase:
    """The words of an action that no button can say."""
    makes = _action(draft).name in _MAKE_ADVANTAGES
    return advantage_words(table, draft.character_id) if makes else AS_SAID


def advantage_words(table: Table, maker_id: str) -> Phrase:
    """A name for an Advantage made by ear, unlike all others: the same name would raise the potency (TRAIT-4)."""
    name = combatant_name(table, maker_id)
    held = {one.name.casefold() for one in table.traits}
    further = (say("Advantage of {name}, {number}", name=name, number=number) for number in count(2))
    return next(one for one in chain((say("Advantage of {name}", name=name),), further) if one.casefold() not in held)


def _choice(table: Table, draft: Declaration, field: str) -> MenuChoice | None:
    offered = choices_for(table, draft.character_id, _action(draft))
    return next((one for one in offered if one.name == field), None)


def _numbers(choice: MenuChoice, usual: int) -> tuple[int, ...]:
    """The offered numbers, at most `MOST_NUMBERS` from the smallest on; an unusual Difficulty of 0 comes last."""
    least, most = choice.least or 0, choice.most or 0
    numbers = range(least, min(most + 1, least + MOST_NUMBERS))
    return tuple(sorted(numbers, key=lambda one: choice.name == "level" and not one and usual != 0))


def _label(table: Table, draft: Declaration, field: str, value: Any) -> str:  # noqa: ANN401 - what that field of `Action` takes
    if field in _LABELS:
        return _LABELS[field](value)
    choice = _choice(table, draft, field)
    if choice is None or not value:
        return spoken(choice.otherwise) if choice is not None else ""
    if field == "weapon":
        return weapon_words(table, value, _action(draft).scope)
    return spoken(next((one.label for one in choice.values if one.id == value), ""))


_LABELS: Final[dict[str, Callable[[Any], str]]] = {
    "lethal": lambda value: say("To kill") if value else say("Not to kill"),
    "zones": lambda value: counted(value, "zone"),
    "level": lambda value: say("Difficulty {difficulty}", difficulty=value),
}
"""How a choice is said, for each field; other fields use the choice's own words."""
