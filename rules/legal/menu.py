"""Every action that somebody has, possible now or not, with its price or the reason: what pages and phones list.

In: the table and who acts. Out: `MenuEntry` values; whether one is possible is asked of `decide` itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice, product
from types import MappingProxyType
from typing import Any, Final

from rules.conflict import common
from rules.conflict.budget import TakeMinorAction, minor_price, require_minor
from rules.conflict.minors import INTERACT
from rules.conflict.positions import zone_of
from rules.deciding.checks import find_character, profile
from rules.deciding.decision import ActionRow, Command, Draft, never
from rules.errors import Refusal
from rules.legal.choices import AIMS, MARKS, MOST_OF_A_PRICE, ChoiceKind, MenuChoice, choices_of, field_of
from rules.legal.trial import UNSAID
from rules.ships.among import own_ships
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import ActionScope, Attribute, ConflictKind, DirectUse, Discipline, Range, System
from rules.table import PLAYBOOK, decide
from rules.tasks.actions import planned
from rules.tasks.declaring import DeclareTask, make_way
from rules.tasks.extended import ACTION

MOST_CHOICES_TRIED: Final = 40
"""The most choices of one action that are tried; where none of them is allowed, the action counts as impossible."""


MOST_NUMBERS_TRIED: Final = MOST_OF_A_PRICE + 1
"""How many numbers are tried from the least on: each that a price of its own may come to."""


NOTHING_CHOSEN: Final[Mapping[str, int | None]] = MappingProxyType(
    {"system": None, "at_range": None, "level": None, "zones": 0, "threat_part": 0}
)
"""What a field of `Action` holds where nothing is chosen; of the others it is empty."""


NUMBERS: Final = frozenset({"zones", "level", "threat_part"})
"""Fields that are numbers."""


YES: Final = "yes"
"""What is chosen for a field that is yes or no, and else nothing."""


NAMED: Final[Mapping[str, type[StrEnum]]] = MappingProxyType({"system": System, "at_range": Range})
"""Fields whose values are of a vocabulary."""


ALIKE: Final = frozenset((*(row.name for row in (*common.ROWS, INTERACT)), ACTION))
"""What people on foot and bridge crews have alike (ACT-3, ACT-4, SHIP-10, S2E-6, EXT-T1)."""


OF_NO_SHIP: Final = ALIKE | {"change_position"}
"""Actions aboard that do not work a ship."""


class Dice(StrEnum):
    """What is thrown for an action: `now`; `later`, with the Tasks that it helps or answers; or `none`."""

    NOW = "now"
    LATER = "later"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuEntry:
    """One action of the ruleset for one who may act.

    * `attributes`, `disciplines`: what it may be thrown with, the first suggested; empty where anything fits.
    * `settled`: none of these is chosen: the weapon decides among them, or where they are empty nothing is thrown.
    * `dice`: whether dice are thrown for it, or what it is thrown with counts later.
    * `difficulty`: its base while nothing is chosen that may be left out; None where a choice, an opponent or the table
      decides. `power`: the least that it takes.
    * `needs`: the fields of `Action` that a person may choose. `choices`: which of these and of others can be chosen
      now, what has to be, and among what.
    * `price`: Momentum, or Threat in its place, that taking it costs now.
    * `possible`: whether it can be taken now, where it needs choices with one of them at least. `why_not` says what
      stands against it, as a sentence.
    """

    name: str
    label: str
    rule: str
    scope: ActionScope
    station: str
    minor: bool
    attributes: tuple[Attribute, ...]
    disciplines: tuple[Discipline, ...]
    difficulty: int | None
    power: int
    needs: tuple[str, ...]
    choices: tuple[MenuChoice, ...]
    settled: bool
    dice: Dice
    price: int
    possible: bool
    why_not: str


def menu(table: Table, actor_id: str) -> tuple[MenuEntry, ...]:
    """Every action of the ruleset for one who may act: on foot, and on the bridge where there are ships.

    Refuses an unknown actor.
    """
    find_character(table, actor_id)
    rows = (
        row.here(row, table, actor_id)
        for row in PLAYBOOK.played(profile(table).edition_of)
        if row.listed and _at_home(table, actor_id, row.scope) and _once(table, actor_id, row.scope, row.name)
    )
    return tuple(_entry(table, actor_id, row) for row in rows)


def _at_home(table: Table, actor_id: str, scope: ActionScope) -> bool:
    """A fight on foot has no stations, and an NPC ship's crew has nothing else."""
    if scope is ActionScope.BRIDGE:
        return bool(table.ships) and (table.conflict is None or table.conflict.kind is ConflictKind.STARSHIP)
    return all(one.ship_id != actor_id for one in table.ships)


def _once(table: Table, actor_id: str, scope: ActionScope, name: str) -> bool:
    """What people on foot and bridge crews have alike is listed once: as the bridge has it for those at theirs."""
    if name not in ALIKE:
        return True
    combatant = None
    if table.conflict is not None and table.conflict.kind is ConflictKind.STARSHIP:
        combatant = table.conflict.combatant(actor_id)
    aboard = combatant is not None and bool(combatant.ship_id)
    at_bridge = aboard or any(one.ship_id == actor_id for one in table.ships)
    return (scope is ActionScope.BRIDGE) is at_bridge


def _entry(table: Table, actor_id: str, row: ActionRow) -> MenuEntry:
    needs = _needs(table, actor_id, row)
    choices = choices_of(table, actor_id, row, needs)
    why_not = _why_not(table, actor_id, row, choices)
    return MenuEntry(
        name=row.name,
        label=row.label,
        rule=row.rule,
        scope=row.scope,
        station=row.station,
        minor=row.minor,
        attributes=row.attributes,
        disciplines=row.disciplines,
        difficulty=row.difficulty,
        power=row.power,
        needs=needs,
        choices=choices,
        settled=row.settled,
        dice=_dice(row),
        price=0 if why_not else _price_asked(table, actor_id, row),
        possible=not why_not,
        why_not=why_not,
    )


def choices_for(table: Table, actor_id: str, action: Action) -> tuple[MenuChoice, ...]:
    """What may be chosen for one action, as its entry in the menu says; nothing for one that the table has not."""
    printed = PLAYBOOK.action(action, profile(table).edition_of(action.name))
    if printed is None:
        return ()
    row = printed.here(printed, table, actor_id)
    return choices_of(table, actor_id, row, _needs(table, actor_id, row))


def skills_for(
    table: Table, actor_id: str, action: Action | None
) -> tuple[tuple[Attribute, ...], tuple[Discipline, ...]]:
    """What an action may be thrown with, as its entry in the menu says, with each one where anything fits."""
    printed = PLAYBOOK.action(action, profile(table).edition_of(action.name)) if action is not None else None
    row = printed.here(printed, table, actor_id) if printed is not None else None
    attributes, disciplines = (row.attributes, row.disciplines) if row is not None else ((), ())
    return attributes or tuple(Attribute), disciplines or tuple(Discipline)


def chosen(name: str, value: str) -> str | int | bool | System | Range | None:
    """What a field of `Action` holds where `value` is chosen for it, as a menu or a form names that; "" for nothing."""
    if name in MARKS:
        return value == YES
    if not value:
        return NOTHING_CHOSEN.get(name, "")
    return int(value) if name in NUMBERS else NAMED.get(name, str)(value)


def _dice(row: ActionRow) -> Dice:
    if row.later:
        return Dice.LATER
    thrown = not row.minor and row.rolled is not never and (bool(row.attributes) or not row.settled)
    return Dice.NOW if thrown else Dice.NONE


def _needs(table: Table, actor_id: str, row: ActionRow) -> tuple[str, ...]:
    """What a person may choose: for who may act for several ships, which of them too."""
    if on_map(table, actor_id, row.scope):
        row = replace(row, needs=_by_map(row))
    several = row.scope is ActionScope.BRIDGE and row.name not in OF_NO_SHIP and len(own_ships(table, actor_id)) > 1
    return (*row.needs, "ship_id") if several and "ship_id" not in row.needs else row.needs


def _by_map(row: ActionRow) -> tuple[str, ...]:
    """What is chosen on a map: a zone where it leads to one; how far it is, and how far targets are, the map says."""
    own = tuple(one for one in row.needs if one != "at_range" and not (row.to_zone and one == "zones"))
    return (*own, "zone_id") if row.to_zone else own


def on_map(table: Table, actor_id: str, scope: ActionScope) -> bool:
    """Whether who acts is on the map: on the bridge a ship of theirs."""
    ids = [one.ship_id for one in own_ships(table, actor_id)] if scope is ActionScope.BRIDGE else [actor_id]
    return any(zone_of(table, one) is not None for one in ids)


def _price_asked(table: Table, actor_id: str, row: ActionRow) -> int:
    """What taking the action costs now by itself, 0 where it cannot be taken at all."""
    if not row.minor:
        return int(row.name == "direct" and profile(table).direct_use is DirectUse.MOMENTUM)
    try:
        return minor_price(table, actor_id, row)
    except Refusal:
        return 0


def _why_not(table: Table, actor_id: str, row: ActionRow, choices: tuple[MenuChoice, ...]) -> str:
    """What stands against the action now, whatever is chosen for it; empty where some choice is possible.

    First what stands against who acts, and against the action; then that there is nothing which it could be aimed at;
    then, of the refusals of single choices, that of the one that came farthest: a foe who can act is tried first.
    """
    refused = _against_any(table, actor_id, row)
    if refused is not None:
        return refused.message
    missing = (field_of(row, one.name).none for one in choices if one.required and not one.values)
    for none in missing:
        if none:
            return none
    threat = _price_asked(table, actor_id, row)
    refusals: list[tuple[Command, Refusal]] = []
    for action in islice(_actions(row, choices), MOST_CHOICES_TRIED):
        for threat_part in (0, threat) if threat else (0,):
            tried = _tried(actor_id, row, action, threat_part)
            try:
                decide(table, tried)
            except Refusal as refusal:
                refusals.append((tried, refusal))
            else:
                return ""
    return _farthest(table, refusals).message


def _against_any(table: Table, actor_id: str, row: ActionRow) -> Refusal | None:
    """What stands against who acts, or against the action, whatever is chosen for it; None where nothing does."""
    draft = Draft(table, PLAYBOOK)
    try:
        if row.minor:
            require_minor(draft, actor_id, row)
        elif not make_way(draft, _declared(actor_id, row, Action(name=row.name, scope=row.scope))):
            PLAYBOOK.take_task(draft, actor_id, row)
    except Refusal as refusal:
        return refusal
    return None


def _farthest(table: Table, refusals: list[tuple[Command, Refusal]]) -> Refusal:
    """The refusal of the choice that came farthest: one that its action's own rules took, else the first."""
    if len({refusal.message for _, refusal in refusals}) > 1:
        for tried, refusal in refusals:
            if isinstance(tried, DeclareTask) and _is_planned(table, tried.declaration):
                return refusal
    return refusals[0][1]


def _is_planned(table: Table, declaration: Declaration) -> bool:
    try:
        planned(Draft(table, PLAYBOOK), declaration)
    except Refusal:
        return False
    return True


def _tried(actor_id: str, row: ActionRow, action: Action, threat_part: int) -> Command:
    if row.minor:
        return TakeMinorAction(character_id=actor_id, action=action, threat_part=threat_part)
    return DeclareTask(
        declaration=_declared(actor_id, row, replace(action, threat_part=action.threat_part or threat_part))
    )


def _declared(actor_id: str, row: ActionRow, action: Action) -> Declaration:
    return Declaration(
        character_id=actor_id,
        attribute=row.attributes[0] if row.attributes else Attribute.CONTROL,
        discipline=row.disciplines[0] if row.disciplines else Discipline.COMMAND,
        action=action,
    )


def _actions(row: ActionRow, choices: tuple[MenuChoice, ...]) -> Iterator[Action]:
    """The action with each choice that could be made for it, what may be left out left out first.

    What is chosen least often differs last, so that the first of the choices is that of the likeliest target.
    """
    order = sorted((one for one in choices if one.kind is not ChoiceKind.YES_OR_NO), key=lambda one: one.name in AIMS)
    for way in product(*(tuple(_worth_trying(one)) for one in order)):
        fields: dict[str, Any] = {one.name: value for one, value in zip(order, way, strict=True)}
        yield Action(name=row.name, scope=row.scope, **fields)


def _worth_trying(choice: MenuChoice) -> Iterator[Any]:
    empty = NOTHING_CHOSEN.get(choice.name, "")
    if choice.kind is ChoiceKind.WORDS:
        yield UNSAID if choice.required else ""
    elif choice.kind is ChoiceKind.NUMBER:
        if not choice.required:
            yield empty
        yield from islice(range(choice.least or 0, (choice.most or 0) + 1), MOST_NUMBERS_TRIED)
    else:
        if not (choice.required and choice.values):
            yield empty
        yield from (chosen(choice.name, one.id) for one in choice.values)
