"""Every action that somebody has, possible now or not, with its price or the reason: what pages and phones list.

In: the table and who acts. Out: `MenuEntry` values; whether one is possible is asked of `decide` itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.conflict import common
from rules.conflict.budget import minor_price
from rules.conflict.minors import INTERACT
from rules.conflict.positions import zone_of
from rules.deciding.checks import find_character, profile
from rules.deciding.decision import ActionRow, never
from rules.errors import Refusal
from rules.legal.choices import MenuChoice, choices_of
from rules.legal.trying import try_out
from rules.ships.among import own_ships
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.vocabulary import ActionScope, Attribute, ConflictKind, DirectUse, Discipline
from rules.table import PLAYBOOK
from rules.tasks.extended import ACTION

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
      decides. `harder`: what the seat of whoever acts adds to it, as Override does. `power`: the least that it takes.
    * `needs`: the fields of `Action` that a person may choose. `choices`: which of these and of others can be chosen
      now, what has to be, and among what: of a possible action each value that `decide` takes with some choice of the
      rest, and of the others why not.
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
    harder: int
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
    """Actions shared by people on foot and bridge crews are listed once: in the bridge's form for a bridge crew."""
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
    price = _price_asked(table, actor_id, row)
    tried = try_out(table, actor_id, row, choices_of(table, actor_id, row, needs), price)
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
        harder=0 if row.settled or row.minor else row.harder(table, actor_id),
        power=row.power,
        needs=needs,
        choices=tried.choices,
        settled=row.settled,
        dice=_dice(row),
        price=0 if tried.why_not else price,
        possible=not tried.why_not,
        why_not=tried.why_not,
    )


def choices_for(table: Table, actor_id: str, action: Action) -> tuple[MenuChoice, ...]:
    """All choices of one action, allowed or not; none for an action that the table does not have."""
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
    """The choices on a map: a destination zone; distances follow from the map."""
    own = tuple(one for one in row.needs if one != "at_range" and not (row.to_zone and one == "zones"))
    return (*own, "zone_id") if row.to_zone else own


def on_map(table: Table, actor_id: str, scope: ActionScope) -> bool:
    """Whether who acts is on the map: on the bridge a ship of theirs."""
    ids = [one.ship_id for one in own_ships(table, actor_id)] if scope is ActionScope.BRIDGE else [actor_id]
    return any(zone_of(table, one) is not None for one in ids)


def _price_asked(table: Table, actor_id: str, row: ActionRow) -> int:
    """The present price of the action itself, 0 if it is impossible."""
    if not row.minor:
        return int(row.name == "direct" and profile(table).direct_use is DirectUse.MOMENTUM)
    try:
        return minor_price(table, actor_id, row)
    except Refusal:
        return 0
