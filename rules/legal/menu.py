"""Every action that somebody has, possible now or not, with its price or the reason: what pages and phones list.

In: the table and who acts. Out: `MenuEntry` values; whether one is possible is asked of `decide` itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice, product
from typing import Final

from rules.conflict import common
from rules.conflict.budget import TakeMinorAction, minor_price
from rules.conflict.minors import INTERACT
from rules.conflict.positions import distance, zone_of
from rules.deciding.checks import find_character, profile
from rules.deciding.decision import ActionRow, Command, never
from rules.errors import Refusal
from rules.legal.trial import UNSAID
from rules.ships.bridge import ships_served
from rules.ships.numbers import TERRAIN
from rules.ships.stations import FEWEST_WARP_ZONES
from rules.state.conflict import Action
from rules.state.places import Zone
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import ActionScope, Attribute, ConflictKind, DirectUse, Discipline, Range, System
from rules.table import PLAYBOOK, decide
from rules.tasks.declaring import DeclareTask
from rules.tasks.extended import ACTION

MOST_CHOICES_TRIED: Final = 40
"""The most choices of one action that are tried; where none of them is allowed, the action counts as impossible."""


MOST_OF_A_PRICE: Final = max(TERRAIN.values())
"""What an action's own Immediate price is at most, that of leaving the worst terrain (S2E-5)."""


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
    * `needs`: the fields of `Action` that a person may choose.
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
        if _at_home(table, actor_id, row.scope) and _once(table, actor_id, row.scope, row.name)
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
    why_not = _why_not(table, actor_id, row)
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
        needs=_needs(table, actor_id, row),
        settled=row.settled,
        dice=_dice(row),
        price=0 if why_not else _price_asked(table, actor_id, row),
        possible=not why_not,
        why_not=why_not,
    )


def _dice(row: ActionRow) -> Dice:
    if row.later:
        return Dice.LATER
    thrown = not row.minor and row.rolled is not never and (bool(row.attributes) or not row.settled)
    return Dice.NOW if thrown else Dice.NONE


def _needs(table: Table, actor_id: str, row: ActionRow) -> tuple[str, ...]:
    """What a person may choose: for who may act for several ships, which of them too."""
    if on_map(table, actor_id, row.scope):
        row = replace(row, needs=_by_map(row))
    several = row.scope is ActionScope.BRIDGE and row.name not in OF_NO_SHIP and len(_bridges(table, actor_id)) > 1
    return (*row.needs, "ship_id") if several and "ship_id" not in row.needs else row.needs


def _by_map(row: ActionRow) -> tuple[str, ...]:
    """What is chosen on a map: a zone where it leads to one; how far it is, and how far targets are, the map says."""
    own = tuple(one for one in row.needs if one != "at_range" and not (row.to_zone and one == "zones"))
    return (*own, "zone_id") if row.to_zone else own


def on_map(table: Table, actor_id: str, scope: ActionScope) -> bool:
    """Whether who acts is on the map: on the bridge a ship of theirs."""
    ids = [one.ship_id for one in _bridges(table, actor_id)] if scope is ActionScope.BRIDGE else [actor_id]
    return any(zone_of(table, one) is not None for one in ids)


def zones(table: Table, actor_id: str, scope: ActionScope) -> tuple[tuple[Zone, int], ...]:
    """The zones to which who acts can be bound, their own first, each with how far it is; empty without a map."""
    zone_map = table.zone_map
    ids = [one.ship_id for one in _bridges(table, actor_id)] if scope is ActionScope.BRIDGE else [actor_id]
    here = next((zone for zone in (zone_of(table, one) for one in ids) if zone is not None), None)
    if zone_map is None or here is None:
        return ()
    known = ((one, distance(zone_map, here.zone_id, one.zone_id)) for one in zone_map.zones)
    return tuple(sorted(((one, far) for one, far in known if far is not None), key=lambda each: each[1]))


def _bridges(table: Table, actor_id: str) -> tuple[Ship, ...]:
    return tuple(one for one in ships_served(table, actor_id) if not one.state.destroyed)


def _price_asked(table: Table, actor_id: str, row: ActionRow) -> int:
    """What taking the action costs now by itself, 0 where it cannot be taken at all."""
    if not row.minor:
        return int(row.name == "direct" and profile(table).direct_use is DirectUse.MOMENTUM)
    try:
        return minor_price(table, actor_id, row)
    except Refusal:
        return 0


def _why_not(table: Table, actor_id: str, row: ActionRow) -> str:
    """What stands against the action now, whatever is chosen for it; empty where some choice is possible."""
    first = ""
    threat = _price_asked(table, actor_id, row)
    for action in _choices(table, actor_id, row):
        for threat_part in (0, threat) if threat else (0,):
            try:
                decide(table, _tried(actor_id, row, action, threat_part))
            except Refusal as refusal:
                first = first or refusal.message
            else:
                return ""
    return first


def _tried(actor_id: str, row: ActionRow, action: Action, threat_part: int) -> Command:
    if row.minor:
        return TakeMinorAction(character_id=actor_id, action=action, threat_part=threat_part)
    declaration = Declaration(
        character_id=actor_id,
        attribute=row.attributes[0] if row.attributes else Attribute.CONTROL,
        discipline=row.disciplines[0] if row.disciplines else Discipline.COMMAND,
        action=replace(action, threat_part=action.threat_part or threat_part),
    )
    return DeclareTask(declaration=declaration)


def _choices(table: Table, actor_id: str, row: ActionRow) -> Iterator[Action]:
    """The action with each choice that could be made for it, a few of those that are open, the plainest first.

    What is chosen least often differs last, so that the first refusal is the one that stands against any choice.
    """
    needs = _needs(table, actor_id, row)
    fields = {
        "system": (None, *System) if "system" in needs else (None,),
        "note": (UNSAID,) if "note" in needs else ("",),
        "zones": (1, FEWEST_WARP_ZONES) if "zones" in needs else (0,),
        "at_range": (Range.CLOSE,) if "at_range" in needs else (None,),
        "weapon": weapons(table, actor_id, row.scope) or ("",) if "weapon" in needs else ("",),
        "ship_id": tuple(one.ship_id for one in _bridges(table, actor_id)) if "ship_id" in needs else ("",),
        "target_id": targets(table, actor_id, row.scope) if "target_id" in needs else ("",),
        "zone_id": _zone_ids(table, actor_id, row) if "zone_id" in needs else ("",),
        "threat_part": range(MOST_OF_A_PRICE + 1) if "threat_part" in needs else (0,),
    }
    for chosen in islice(product(*fields.values()), MOST_CHOICES_TRIED):
        yield Action(name=row.name, scope=row.scope, **dict(zip(fields, chosen, strict=True)))


def _zone_ids(table: Table, actor_id: str, row: ActionRow) -> tuple[str, ...]:
    """The zones that are tried: the nearest beyond one's own first, at last one's own, and none."""
    own, *others = (one.zone_id for one, _ in zones(table, actor_id, row.scope))
    return (*others, own, "")


def targets(table: Table, actor_id: str, scope: ActionScope) -> tuple[str, ...]:
    """Whom or what an action may be aimed at: those in the conflict first, the other side leading, on the bridge ships.

    Then what else may be meant: nobody, where the action may do without, Extended Tasks and traits.
    """
    there = {one.combatant_id for one in table.conflict.combatants} if table.conflict is not None else set[str]()
    people, ships = [one.character_id for one in table.characters], [one.ship_id for one in table.ships]
    ids = ships + people if scope is ActionScope.BRIDGE else people + ships
    gone = {one.ship_id for one in table.ships if one.state.destroyed}
    foes = foes_of(table, actor_id)
    others = sorted(
        (one for one in ids if one != actor_id and one not in gone), key=lambda one: (one not in foes, one not in there)
    )
    things = (*(one.track_id for one in table.extended), *(one.trait_id for one in table.traits))
    return (*others, actor_id, "", *things)


def foes_of(table: Table, actor_id: str) -> frozenset[str]:
    """Who takes part on the other side; nobody for who takes no part in a conflict."""
    conflict = table.conflict
    seat = conflict.combatant(actor_id) if conflict is not None else None
    if conflict is None or seat is None:
        return frozenset()
    return frozenset(one.combatant_id for one in conflict.combatants if one.side is not seat.side)


def weapons(table: Table, actor_id: str, scope: ActionScope) -> tuple[str, ...]:
    """The names of what somebody may strike or shoot with: their own and bare hands, on the bridge their ships'."""
    if scope is ActionScope.BRIDGE:
        return tuple(dict.fromkeys(weapon.name for ship in _bridges(table, actor_id) for weapon in ship.weapons))
    return (*find_character(table, actor_id).weapons, "unarmed")
