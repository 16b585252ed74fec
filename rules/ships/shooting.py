"""A ship's shot in either edition: its weapon, what makes it harder, who opposes it, Threat (SATK, S2E-T5)."""

from __future__ import annotations

from typing import Final

from rules.conflict.helping import action_of
from rules.conflict.lasting import effects_named
from rules.conflict.positions import concealed
from rules.deciding.checks import profile
from rules.deciding.decision import ActionRow, Draft
from rules.deciding.fields import FieldRow
from rules.errors import Refusal
from rules.ships.among import own_ships
from rules.ships.answering import crew, reactions
from rules.ships.bridge import as_played, held_by, ship_of, ships_there
from rules.ships.events import EvasionWon
from rules.ships.numbers import fire
from rules.ships.places import fly_to
from rules.ships.systems import is_counted_whole
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.ships import Ship, ShipWeapon
from rules.state.table import Table
from rules.state.tasks import Modifier, Task
from rules.state.vocabulary import Pool, Range, System
from rules.words import either, say


def weapon_of(table: Table, ship: Ship, name: str) -> ShipWeapon:
    """The weapon of that name, or a ship's only one, as the house plays it.

    Refuses where none is meant, or the ship has none.
    """
    rule = profile(table).cited.ship_fires
    if not ship.weapons:
        raise Refusal(rule, "{ship} has no weapons; put them on its card first.", ship=ship.name)
    at_this_house = {one.name.casefold(): one for one in profile(table).house.ship_weapons}
    weapons = [at_this_house.get(one.name.casefold(), one) for one in ship.weapons]
    if not name and len(weapons) == 1:
        return weapons[0]
    for one in weapons:
        if one.name.casefold() == name.strip().casefold():
            return one
    raise Refusal(
        rule, "Choose one of {ship}'s weapons: {names}.", ship=ship.name, names=either([one.name for one in weapons])
    )


def attack_modifiers(table: Table, ship: Ship, target: Ship) -> tuple[Modifier, ...]:
    """What holds changes an attack's Difficulty: S2E-H3, S2E-H4, S2E-X3."""
    found = (
        [Modifier(reason=say("{target} flies an Attack Pattern", target=target.name), change=-1)]
        if effects_named(table, "pattern_flown", target_id=target.ship_id)
        else []
    )
    if effects_named(table, "evading", target_id=ship.ship_id):
        found.append(Modifier(reason=say("Evasive Action"), change=1))
    found += [
        Modifier(reason=say("{target} is hidden", target=target.name), change=one.amount)
        for one in effects_named(table, "revealed", target_id=target.ship_id)
    ]
    return (*found, *concealed(table, target.ship_id))


def is_opposed(table: Table, target: Ship, attacker_id: str) -> bool:
    """Whether an attack on a ship is an Opposed Task (S2E-H4, S2E-T4)."""
    return bool(reactions(table, target) and crew(table, target, attacker_id))


def _choosable(table: Table, who: str) -> tuple[str, ...] | None:
    """SATK-1, S2E-T3, NSHIP-3: a system is aimed at where the table plays so, or with a Targeting Solution.

    Nobody is asked for one where the Breaches of all ships of the other side count for the whole ship.
    """
    own = own_ships(table, who)
    solved = any(held_by(table, "target_solved", one) for one in own)
    npcs = any(one.crew is not None for one in own)
    foes = [one for one in ships_there(table) if one not in own and (one.crew is not None) is not npcs]
    if foes and all(is_counted_whole(table, one) for one in foes):
        return None
    return tuple(System) if solved or profile(table).range_and_aim_penalties else None


AIMED: Final = FieldRow(
    name="system", optional=True, those=_choosable, asked=say("System"), otherwise=say("A d20 says")
)
"""The system that a shot is aimed at (SATK-1, S2E-T3)."""


def _ranges(table: Table, _: str) -> tuple[str, ...] | None:
    """C-52: every distance, where it counts how far a shot goes."""
    return tuple(Range) if profile(table).range_and_aim_penalties else None


SHOT_RANGE: Final = FieldRow(
    name="at_range", optional=True, those=_ranges, asked=say("Distance"), otherwise=say("Best for the weapon")
)
"""How far away the target of a shot is (SATK-1, C-52)."""


def shot_here(row: ActionRow, table: Table, who: str) -> ActionRow:
    """C-52: the distance of a shot counts where the table plays the first edition's penalties."""
    there = as_played(row, table, who)
    if profile(table).range_and_aim_penalties:
        return there
    return replace(there, needs=tuple(one for one in row.needs if one != "at_range"))


def require_evasion(table: Table, target: Ship, action: Action) -> None:
    """Refuse a zone to move to after a shot at a ship that does not evade (S2E-H4)."""
    if action.zone_id and not effects_named(table, "evading", target_id=target.ship_id):
        raise Refusal("S2E-H4", "{target} does not evade, so nobody moves; leave the zone out.", target=target.name)


def shot_over(draft: Draft, task: Task) -> None:
    """S2E-H4, C-44: who won an attack on a ship that evades by the second edition's form may move."""
    action = action_of(task.declaration)
    if effects_named(draft.table, "evading", target_id=action.target_id):
        ship = ship_of(draft, task)
        draft.record(EvasionWon(ship_id=ship.ship_id, name=ship.name))
        if action.zone_id:
            fly_to(draft, ship, action.zone_id)


def torpedo_threat(table: Table, weapon: ShipWeapon) -> int:
    """Threat of firing a weapon: a player's adds it, an NPC's costs it (S2E-T5, C-52, NPC-1)."""
    return fire(weapon.kind).threat_added if profile(table).torpedo_adds_threat else 0


def pay_torpedo(draft: Draft, task: Task, weapon: ShipWeapon) -> None:
    """THR-2, THR-4, NPC-1: a torpedo adds Threat, or takes an NPC's. Refuses one that an NPC cannot pay for."""
    threat = torpedo_threat(draft.table, weapon)
    if task.npc and threat > draft.table.threat:
        raise Refusal(
            "THR-4", "A torpedo costs an NPC {price} Threat, and there is none; fire another weapon.", price=threat
        )
    draft.change_pool(Pool.THREAT, -threat if task.npc else threat, say("a torpedo is fired"))
