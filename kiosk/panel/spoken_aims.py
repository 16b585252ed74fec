"""The spoken menu's way to what an action of a conflict is aimed at: target, weapon, intent, system, distance.

A field is asked only where more than one choice leads to a Task that the rules take; what no button can say, as a note,
is what is said aloud at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Any, Final

from kiosk.panel.spoken_places import Declaring, Facts, Level, LevelEntry, PickAim, PickAttribute, Where, accepted
from kiosk.panel.spoken_words import weapon_words
from rules.game import Action, ActionScope, Declaration, DeclareTask, Range, System, Table, targets, weapons, zones
from rules.words import Phrase, counted, say, spoken, worded

MOST_TRIED: Final = 24
"""Ways to fill what is left open that are tried for one choice; a choice that none of these allows is not offered."""

_UNASKED: Final = frozenset({"one_handed", "effect", "weakness", "threat_part", "note"})
"""Fields that take the first value that the rules accept: their usual one before the others."""

_NAMED: Final = frozenset({"scan_for_weakness"})
"""Actions whose target is said, though the rules fill in the only one who is there."""

_PROMPTS: Final[dict[str, Phrase]] = {
    "target_id": say("At whom or what?"),
    "also_id": say("Who else?"),
    "weapon": say("With what?"),
    "lethal": say("With what intent?"),
    "system": say("Which system?"),
    "ship_id": say("Of which ship?"),
    "zones": say("How many zones?"),
    "zone_id": say("To which zone?"),
    "at_range": say("How far away?"),
    "level": say("How difficult?"),
}


def onward(table: Table, where: PickAim) -> Where | None:
    """Where choosing goes on, fields with one choice filled in; None where nothing leads to a Task."""
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
            label = _label(table, _action(where.draft).scope, field, value)
            entries.append(LevelEntry(key=f"{field}:{value}", label=label, go=go))
    return Level(_PROMPTS[field], tuple(entries))


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
    name, scope = _action(draft).name, _action(draft).scope
    if field in {"target_id", "also_id"}:
        found = targets(table, draft.character_id, scope)
        return tuple(one for one in found if one) if name in _NAMED else found
    if field == "weapon":
        return weapons(table, draft.character_id, scope)
    if field == "zone_id":
        return (*(one.zone_id for one, _ in zones(table, draft.character_id, scope)), "")
    if field == "ship_id":
        return tuple(one.ship_id for one in table.ships)
    if field == "level" and name in _MOVES:
        return _WAYS
    return _FIXED.get(field, (False, True))


_MOVES: Final = frozenset({"maneuver", "impulse"})
"""Movements whose way may be hard (SHIP-9)."""


_WAYS: Final = (0, 1, 2, 3, 4, 5)
"""How hard a way may be, in the order in which it mostly is (SHIP-9)."""


_FIXED: Final[dict[str, tuple[Any, ...]]] = {
    "system": (*System, None),
    "at_range": tuple(Range),
    "zones": tuple(range(6)),
    "level": (1, 2, 3, 4, 5, 0),
    "threat_part": (0, 1, 2),
    "note": (say("as said"),),
    "effect": ("",),
}
"""What can be chosen for a field whatever the table; of the others that are not in it, no or yes."""


def _label(table: Table, scope: ActionScope, field: str, value: Any) -> str:  # noqa: ANN401 - what that field of `Action` takes
    if field == "weapon":
        return weapon_words(table, value, scope)
    made = _LABELS.get(field)
    return made(value) if made is not None else next(_names(table, value), say("Nobody in particular"))


_LABELS: Final[dict[str, Callable[[Any], str]]] = {
    "lethal": lambda value: say("To kill") if value else say("Not to kill"),
    "system": lambda value: say("No particular system") if value is None else worded(value.value),
    "at_range": lambda value: say("{range} range", range=worded(value.value)),
    "zones": lambda value: counted(value, "zone"),
    "level": lambda value: say("Difficulty {difficulty}", difficulty=value),
}
"""How a choice is said, field by field; a weapon and the others are names."""


def _names(table: Table, wanted: str) -> Iterator[str]:
    yield from (spoken(one.name) for one in table.characters if one.character_id == wanted)
    yield from (spoken(one.name) for one in table.ships if one.ship_id == wanted)
    yield from (spoken(one.label) for one in table.extended if one.track_id == wanted)
    yield from (spoken(one.name) for one in table.traits if one.trait_id == wanted)
    if table.zone_map is not None:
        yield from (spoken(one.name) for one in table.zone_map.zones if one.zone_id == wanted)
