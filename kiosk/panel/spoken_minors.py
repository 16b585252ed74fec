"""The spoken menu's way to Minor Actions that are about something: into whose Reach, which weapon, to which station.

Those that need no choice, or can be listed with each, are among the options; these are asked for one by one, and
only what the rules take is offered, as often as there are ways to pay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from kiosk.panel.spoken_places import Facts, Level, LevelEntry, PickMinor
from kiosk.panel.spoken_words import price_words, weapon_words
from rules.game import (
    ALSO_WITHOUT,
    MOVEMENT,
    WORDLESS,
    Action,
    ActionScope,
    Candidate,
    MenuEntry,
    Option,
    Role,
    Side,
    Table,
    TakeMinorAction,
    Turn,
    choices_for,
    combatant_name,
    how_paid,
    menu,
    momentum_at_hand,
    offered,
    ways_to_pay,
)
from rules.words import Phrase, say, spoken

_FURTHER: Final[dict[str, str]] = {MOVEMENT: "target_id", "draw_item": "weapon"}
"""The optional field of each Minor Action that has one (ACT-3)."""

_PROMPTS: Final[dict[str, Phrase]] = {
    "target_id": say("Into whose Reach?"),
    "weapon": say("Which weapon?"),
    "note": say("To which station?"),
}
"""The fields of an action that can be chosen by ear, and how each is asked for."""


def minor_choices(facts: Facts) -> tuple[LevelEntry, ...]:
    """The Minor Actions that need a choice, for the Turn's owner; none outside a Turn and while something is due."""
    table = facts.table
    turn = _turn(table)
    if turn is None or table.task is not None or table.agenda:
        return ()
    name = spoken(combatant_name(table, turn.combatant_id))
    found = []
    for one in facts.menus.of(table, turn.combatant_id, menu):
        field = _field(one)
        if not field or not one.possible:
            continue
        go = PickMinor(turn.combatant_id, Action(name=one.name, scope=one.scope), field, one.price)
        if any(not facts.withheld(each.command) for each in _ways(table, go)):
            found.append(LevelEntry(key=f"minor:{one.scope}:{one.name}", label=_label(one, name), go=go))
    return tuple(found)


def minor(facts: Facts, where: PickMinor) -> Level:
    """Each choice for a Minor Action, with its price."""
    entries = tuple(
        LevelEntry(
            key=one.option_id,
            label=one.label,
            price=price_words(one.price),
            more=say("Points of it may be added to Threat instead.") if one.price.threat_allowed else "",
            command=one.command,
        )
        for one in _ways(facts.table, where)
    )
    return Level(_PROMPTS[where.field], entries)


def _turn(table: Table) -> Turn | None:
    return table.conflict.turn if table.conflict is not None else None


def _field(one: MenuEntry) -> str:
    """The field to be chosen by ear; empty if there is none, or the options list each choice."""
    if not one.minor:
        return ""
    if one.scope is ActionScope.PERSONAL and one.name in _FURTHER:
        return _FURTHER[one.name]
    needs = [need for need in one.needs if need != "ship_id"]
    if WORDLESS.issuperset(needs) or one.name in ALSO_WITHOUT:
        return ""
    return needs[0] if len(needs) == 1 and needs[0] in _PROMPTS else ""


def _label(one: MenuEntry, name: str) -> Phrase:
    action = spoken(one.label)
    if one.name == MOVEMENT:
        return say("{name}: {action} into somebody's Reach", name=name, action=action)
    if one.name == "draw_item":
        return say("{name}: {action}, a weapon", name=name, action=action)
    return say("{name}: {action}", name=name, action=action)


def _ways(table: Table, where: PickMinor) -> Iterator[Option]:
    turn = _turn(table)
    if turn is None or turn.combatant_id != where.character_id:
        return
    players = turn.side is Side.PC
    at_hand = momentum_at_hand(table, npc=not players)
    for value, label in _values(table, where):
        chosen: dict[str, Any] = {where.field: value}
        action = replace(where.action, **chosen)
        for how, threat_part in ways_to_pay(where.price, at_hand, threat=players):
            way = Candidate(
                option_id=f"{value}:{how}",
                label=how_paid(label, how),
                command=TakeMinorAction(character_id=where.character_id, action=action, threat_part=threat_part),
                rule="ACT-3",
                role=Role.PLAYER if players else Role.GAMEMASTER,
                threat_allowed=players and how != "threat",
            )
            if (option := offered(table, way)) is not None:
                yield option


def _values(table: Table, where: PickMinor) -> Iterator[tuple[str, str]]:
    """What may be chosen, with its words."""
    scope = where.action.scope
    for choice in choices_for(table, where.character_id, where.action):
        if choice.name == where.field:
            for one in choice.values:
                weapon = where.field == "weapon"
                yield one.id, weapon_words(table, one.id, scope) if weapon else spoken(one.label)
