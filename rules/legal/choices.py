"""What has to be chosen for an action, and what may be: each field with the values or numbers that are open now.

In: the table, who acts and the row of the action. Out: `MenuChoice` values, for menus, forms and the spoken menu; what
the rules then make of a choice, `decide` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from rules.conflict.among import at_hand, others
from rules.conflict.damage import attack_dice
from rules.conflict.order import is_able
from rules.conflict.positions import distance, zone_of
from rules.deciding.checks import conflict_side, find_character, is_npc, profile
from rules.deciding.decision import ActionRow
from rules.deciding.fields import HARDEST, FieldRow, within
from rules.rulesets.weapons import weapons_of
from rules.ships.among import SHIP, WEAPON, own_ships
from rules.ships.numbers import TERRAIN
from rules.state.places import Zone
from rules.state.table import Table
from rules.state.vocabulary import ActionScope, Range, System
from rules.words import capitalized, counted, either, say, worded

MOST_OF_A_PRICE: Final = max(TERRAIN.values())
"""The highest Immediate price of an action: that of leaving the worst terrain (S2E-5)."""


FARTHEST: Final = 20
"""Most zones that somebody moves or sends something; a larger number is a slip of the finger."""


class ChoiceKind(StrEnum):
    """How something is chosen: one of the values, a number, words of one's own, or yes or no."""

    ONE_OF = "one_of"
    NUMBER = "number"
    WORDS = "words"
    YES_OR_NO = "yes_or_no"


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuValue:
    """One value of a choice: `id` goes into the field of `Action`, `label` is what a person reads or hears."""

    id: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedValue:
    """One value of a choice that is not open now; `why_not` says what stands against it, as a sentence."""

    id: str
    label: str
    why_not: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuChoice:
    """What is chosen for one field of an action.

    * `name`: the field of `Action`; `label`: what a form calls it.
    * `required`: the action is refused without it, or wants something else in its place.
    * `values`: of `one_of` what may be chosen, the likeliest first; of `words` suggestions.
    * `refused`: of `one_of` and `words` what is there and is refused now, whatever else is chosen; of `yes_or_no` yes.
    * `least` and `most`: the numbers that may be chosen, both included; null where it is no number.
    * `otherwise`: what leaving it out means, in words; empty where that is one of the values, or not possible.
    """

    name: str
    label: str
    kind: ChoiceKind
    required: bool
    values: tuple[MenuValue, ...] = ()
    refused: tuple[RefusedValue, ...] = ()
    least: int | None = None
    most: int | None = None
    otherwise: str = ""


MARKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "lethal": say("Meant to kill: adds 1 Threat"),
        "one_handed": say("A two-handed weapon in one hand"),
        "weakness": say("Strikes its weakness"),
        "in_cover": say("In cover already"),
    }
)
"""Fields of an action that are yes or no."""

_MOST_NAMED: Final = 2
"""Weapons that the words of a tick name: more are not read in one breath."""


AIMS: Final = frozenset({"target_id", "also_id"})
"""Fields that name somebody or something, of whom foes come first, or one's own side where it is to help them."""


def _bridges(table: Table, who: str) -> tuple[str, ...]:
    return tuple(one.ship_id for one in own_ships(table, who))


def zones(table: Table, actor_id: str, scope: ActionScope) -> tuple[tuple[Zone, int], ...]:
    """The zones to which who acts can be bound, their own first, each with how far it is; empty without a map."""
    zone_map = table.zone_map
    ids = _bridges(table, actor_id) if scope is ActionScope.BRIDGE else (actor_id,)
    here = next((zone for zone in (zone_of(table, one) for one in ids) if zone is not None), None)
    if zone_map is None or here is None:
        return ()
    known = ((one, distance(zone_map, here.zone_id, one.zone_id)) for one in zone_map.zones)
    return tuple(sorted(((one, far) for one, far in known if far is not None), key=lambda each: each[1]))


def _zone(scope: ActionScope) -> FieldRow:
    return FieldRow(
        name="zone_id",
        optional=True,
        those=lambda table, who: tuple(one.zone_id for one, _ in zones(table, who, scope)),
        asked=say("Which zone"),
        otherwise=say("No particular zone"),
    )


_OF_ANY: Final = (
    FieldRow(name="ship_id", those=_bridges, asked=say("Which ship")),
    FieldRow(name="system", those=lambda _, __: tuple(System), asked=say("System")),
    FieldRow(name="at_range", optional=True, those=lambda _, __: tuple(Range), asked=say("Distance")),
    FieldRow(name="zones", optional=True, within=within(0, FARTHEST), asked=say("Zones")),
    FieldRow(name="level", optional=True, within=within(0, HARDEST), asked=say("Difficulty, as the gamemaster says")),
    FieldRow(
        name="threat_part", optional=True, within=within(0, MOST_OF_A_PRICE), asked=say("Points of its price as Threat")
    ),
    FieldRow(name="note", asked=say("What about")),
)
"""The fields that are asked for in the same way in every scope."""


_USUAL: Final[Mapping[tuple[ActionScope, str], FieldRow]] = MappingProxyType(
    {
        **{(scope, one.name): one for scope in ActionScope for one in _OF_ANY},
        **{(scope, "zone_id"): _zone(scope) for scope in ActionScope},
        (ActionScope.PERSONAL, "target_id"): FieldRow(name="target_id", those=others, asked=say("At whom or what")),
        (ActionScope.PERSONAL, "weapon"): FieldRow(name="weapon", those=at_hand, asked=say("With")),
        (ActionScope.BRIDGE, "target_id"): SHIP,
        (ActionScope.BRIDGE, "weapon"): WEAPON,
    }
)
"""The default rows of fields, if an action's row has none."""


def choices_of(table: Table, actor_id: str, row: ActionRow, needs: tuple[str, ...]) -> tuple[MenuChoice, ...]:
    """What may be chosen for an action: the fields that it `needs`, then what else its row takes.

    Nothing that cannot be chosen now, such as a Charge before Prepare.
    """
    names = (*needs, *(one.name for one in row.fields if one.name not in {*needs, *row.needs}))
    made = (_choice(table, actor_id, row, name) for name in names)
    return tuple(one for one in made if one is not None)


def field_of(row: ActionRow, name: str) -> FieldRow:
    """What an action takes for a field: the row's own, else what any action does."""
    return row.field(name) or _USUAL[row.scope, name]


def _choice(table: Table, actor_id: str, row: ActionRow, name: str) -> MenuChoice | None:
    if name in MARKS:
        label = MARKS[name]
        if name == "lethal" and any(is_npc(one) for one in table.characters if one.character_id == actor_id):
            label = say("Meant to kill: costs 1 Threat")
        if name == "one_handed":
            weapons = _two_handed(table, actor_id, row)
            if not weapons:
                return None
            if len(weapons) <= _MOST_NAMED:
                label = say("{weapons} in one hand", weapons=either(weapons))
        return MenuChoice(name=name, label=label, kind=ChoiceKind.YES_OR_NO, required=False)
    field = field_of(row, name)
    label = field.asked or _USUAL[row.scope, name].asked
    if field.within is not None:
        numbers = field.within(table, actor_id)
        least, most = numbers.start, numbers.stop - 1
        return MenuChoice(
            name=name, label=label, kind=ChoiceKind.NUMBER, required=not field.optional, least=least, most=most
        )
    ids = _ids(table, actor_id, field)
    if ids and name == "zone_id" and "zones" in row.needs:
        ids = (*ids[1:], ids[0])  # what leads away is seldom meant to stay
    words = name == "note" and (field.free or not field.labels)
    if ids is None or (not ids and field.optional and not words):
        return None
    labels = _labels(table, actor_id, row.scope, field)
    values = tuple(MenuValue(id=one, label=labels.get(one) or capitalized(worded(one))) for one in ids)
    return MenuChoice(
        name=name,
        label=label,
        kind=ChoiceKind.WORDS if words else ChoiceKind.ONE_OF,
        required=not (field.optional or (field.alone and len(values) == 1)),
        values=values,
        otherwise=field.otherwise,
    )


def _two_handed(table: Table, actor_id: str, row: ActionRow) -> list[str]:
    """Those of the weapons that may be chosen for it that take two hands (ATK-5)."""
    held = _ids(table, actor_id, field_of(row, "weapon")) or ()
    return [one.label for one in weapons_of(profile(table)) if one.two_handed and one.name in held]


def _ids(table: Table, actor_id: str, field: FieldRow) -> tuple[str, ...] | None:
    """What may be chosen now, the likeliest first; None where nobody is asked."""
    if field.those is None:
        return tuple(name for name, _ in field.labels)
    found = field.those(table, actor_id)
    if found is None or field.name not in AIMS:
        return None if found is None else tuple(found)
    there = {one.combatant_id for one in table.conflict.combatants} if table.conflict is not None else set[str]()
    if field.helps:
        side = conflict_side(table, actor_id)
        return tuple(sorted(found, key=lambda one: (conflict_side(table, one) is not side, one not in there)))
    foes = foes_of(table, actor_id)
    return tuple(
        sorted(found, key=lambda one: (not (one in foes and is_able(table, one)), one not in foes, one not in there))
    )


def foes_of(table: Table, actor_id: str) -> frozenset[str]:
    """Who takes part on the other side; nobody for who takes no part in a conflict."""
    conflict = table.conflict
    seat = conflict.combatant(actor_id) if conflict is not None else None
    if conflict is None or seat is None:
        return frozenset()
    return frozenset(one.combatant_id for one in conflict.combatants if one.side is not seat.side)


def _labels(table: Table, actor_id: str, scope: ActionScope, field: FieldRow) -> dict[str, str]:
    if field.name == "weapon":
        return _mounted(table, actor_id) if scope is ActionScope.BRIDGE else _held(table, actor_id)
    if field.name == "zone_id":
        return {one.zone_id: _with_distance(one, far) for one, far in zones(table, actor_id, scope)}
    if field.name == "note" and not field.labels and field.those is not None:
        return {}
    names = {
        **{one.character_id: one.name for one in table.characters},
        **{one.ship_id: one.name for one in table.ships},
        **{one.track_id: one.label for one in table.extended},
        **{one.trait_id: one.name for one in table.traits},
    }
    return {**(names if field.name in {*AIMS, "ship_id"} else {}), **dict(field.labels)}


def _with_distance(zone: Zone, far: int) -> str:
    if not far:
        return say("{zone}, here", zone=zone.name)
    return say("{zone}, {zones} away", zone=zone.name, zones=counted(far, "zone"))


def _held(table: Table, actor_id: str) -> dict[str, str]:
    """The weapons of people, each with the dice that an attack of the actor throws for its damage (DMG-1)."""
    actor = find_character(table, actor_id)
    return {
        one.name: say("{weapon}, {dice}", weapon=one.label, dice=counted(attack_dice(one, actor), "die"))
        for one in weapons_of(profile(table))
    }


def _mounted(table: Table, actor_id: str) -> dict[str, str]:
    """The weapons of one's ships, each with the distance that it is best at."""
    own = own_ships(table, actor_id)
    return {
        one.name: say("{weapon}, {range}", weapon=one.name, range=worded(one.optimal_range.value))
        for ship in own
        for one in ship.weapons
    }
