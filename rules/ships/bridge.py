"""The ship of an action, and what both editions require of it (S2E-6, NSHIP-2, ASST-3, SATK-1)."""

from __future__ import annotations

from typing import Any

from rules.conflict.helping import action_of
from rules.conflict.lasting import effects_named, end_one
from rules.conflict.positions import zone_of
from rules.deciding.checks import find_character, find_ship, profile
from rules.deciding.decision import ActionRow, Draft
from rules.errors import Refusal
from rules.ships.events import ShipStateChanged
from rules.ships.numbers import npc_ship_turns
from rules.ships.stations import StationAction, station_action
from rules.state.changing import replace
from rules.state.conflict import Action, LastingEffect
from rules.state.ships import Ship, ShipState
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier, Task
from rules.state.vocabulary import ConflictKind, EffectEnd, Ruleset, Spend
from rules.words import say


def ships_served(table: Table, actor_id: str) -> tuple[Ship, ...]:
    """The ships that somebody may act for: an NPC ship's crew for its own, others for the one they are aboard.

    Who is aboard none in particular may act for any that takes part and has no NPC crew, if it is not the other side's.
    """
    own = tuple(one for one in table.ships if one.ship_id == actor_id)
    combatant = table.conflict.combatant(actor_id) if table.conflict is not None else None
    if own or (combatant is not None and combatant.ship_id):
        return own or tuple(one for one in table.ships if combatant is not None and one.ship_id == combatant.ship_id)
    crewed = tuple(one for one in table.ships if one.crew is None)
    conflict = table.conflict
    if conflict is None or conflict.kind is not ConflictKind.STARSHIP:
        return crewed
    taking_part = ships_taking_part(table)
    side = combatant.side if combatant is not None else None
    sides = {ship.ship_id: {one.side for one in conflict.combatants if one.ship_id == ship.ship_id} for ship in crewed}
    return tuple(
        one
        for one in crewed
        if one in taking_part and (side is None or side in sides[one.ship_id] or not sides[one.ship_id])
    )


def ships_taking_part(table: Table) -> tuple[Ship, ...]:
    """The ships that have Turns in the conflict, or have somebody aboard who has; without a conflict all of them.

    In a ships' fight whose crew was entered without a ship, the players' ships that still stand.
    """
    conflict = table.conflict
    if conflict is None:
        return table.ships
    named = {one.ship_id or one.combatant_id for one in conflict.combatants}
    there = tuple(one for one in table.ships if one.ship_id in named)
    if conflict.kind is ConflictKind.PERSONAL or any(one.crew is None for one in there):
        return there
    return there + tuple(one for one in table.ships if one.crew is None and not one.state.destroyed)


def ships_there(table: Table) -> tuple[Ship, ...]:
    """The ships that can be aimed at, hailed or scanned: in a ships' fight those that take part or are on its map."""
    if table.conflict is None or table.conflict.kind is not ConflictKind.STARSHIP:
        return table.ships
    taking_part = ships_taking_part(table)
    return tuple(one for one in table.ships if one in taking_part or zone_of(table, one.ship_id) is not None)


def acting_ship(table: Table, actor_id: str, action: Action) -> Ship:
    """The ship whose station acts: the one named, or the only one that the actor may act for (ASST-3, SATK-1).

    Refuses where neither says which, and a ship that the actor may not act for.
    """
    served = ships_served(table, actor_id)
    if action.ship_id:
        return _require_served(table, actor_id, find_ship(table, action.ship_id), served)
    own = own_ship(table, actor_id)
    if own is not None:
        return own
    raise Refusal("S2E-1", "Say on whose bridge this is done; choose the ship.")


def own_ship(table: Table, actor_id: str) -> Ship | None:
    """The ship that somebody acts for where it need not be named, None where it has to be (ASST-3)."""
    served = ships_served(table, actor_id)
    standing = tuple(one for one in served if not one.state.destroyed) or served
    return standing[0] if len(standing) == 1 else None


def require_help_of(table: Table, actor_id: str, ship_id: str) -> None:
    """ASST-3: in a fight of ships a Task is helped by a ship that its leader may act for. Refuses any other."""
    ship = find_ship(table, ship_id)
    if table.conflict is not None and table.conflict.kind is ConflictKind.STARSHIP:
        _require_served(table, actor_id, ship, ships_served(table, actor_id))


def _require_served(table: Table, actor_id: str, ship: Ship, served: tuple[Ship, ...]) -> Ship:
    if ship in served:
        return ship
    who = find_character(table, actor_id).name
    if ship.crew is not None:
        raise Refusal(
            "ASST-3",
            "{ship} is worked by a crew of its own; choose the ship that {who} serves on.",
            ship=ship.name,
            who=who,
        )
    combatant = table.conflict.combatant(actor_id) if table.conflict is not None else None
    aboard = actor_id if combatant is None else combatant.ship_id or actor_id
    own = next((one for one in served if one.ship_id == aboard), None)
    if own is not None:
        raise Refusal(
            "ASST-3", "{who} serves on {own}; choose that ship, or let {who} change ships first.", who=who, own=own.name
        )
    raise Refusal("SATK-1", "{ship} takes no part in this fight; choose a ship that does.", ship=ship.name)


def state_with(draft: Draft, ship_id: str, **changes: Any) -> ShipState | None:  # noqa: ANN401 - fields of `ShipState`
    """A ship's state with these changes, for the event that names them; None if nothing changes."""
    before = find_ship(draft.table, ship_id).state
    after = replace(before, **changes)
    return after if after != before else None


def change_ship(draft: Draft, ship_id: str, why: str, **changes: Any) -> None:  # noqa: ANN401 - fields of `ShipState`
    """Change a ship's state if no other event names it; nothing if it is so already."""
    state = state_with(draft, ship_id, **changes)
    if state is not None:
        name = find_ship(draft.table, ship_id).name
        draft.record(ShipStateChanged(ship_id=ship_id, name=name, state=state, why=why))


def is_npc_crew(ship: Ship, actor_id: str) -> bool:
    """Whether who acts is the ship's own NPC crew, which is always focused (NSHIP-1); a person aboard is not."""
    return ship.crew is not None and ship.ship_id == actor_id


def override(table: Table, *stations: str) -> tuple[Modifier, ...]:
    """What it adds to do what belongs to other stations alone: 1 (S2E-6, C-59).

    Refuses what is the commander's where the table plays the second edition's form.
    """
    if stations == ("command",) and profile(table).override_as is Ruleset.SECOND_EDITION:
        raise Refusal("S2E-6", "The commander's actions cannot be overridden; choose another action.")
    return (Modifier(reason=say("Override"), change=1),)


def role_modifiers(table: Table, ship: Ship, row: StationAction) -> tuple[Modifier, ...]:
    """NSHIP-2, C-34, C-72: a further Task of the same role on an NPC ship is harder."""
    combatant = table.conflict.combatant(ship.ship_id) if table.conflict is not None and ship.crew is not None else None
    if combatant is None:
        return ()
    harder = npc_ship_turns(ship.scale, combatant.roles.count(row.station), profile(table)).difficulty_increase
    return (Modifier(reason=say("the same role again"), change=harder),) if harder else ()


def ship_of(draft: Draft, task: Task) -> Ship:
    """The ship whose station the Task in hand belongs to, as it was found when the Task was declared."""
    action = action_of(task.declaration)
    if action.ship_id:
        return find_ship(draft.table, action.ship_id)
    return acting_ship(draft.table, task.declaration.character_id, action)


def times_bought(task: Task, spend: Spend) -> int:
    """How often something was bought on a Task."""
    return sum(one.times for one in task.spends if one.spend == spend)


def target_ship(table: Table, action: Action, own: Ship) -> Ship:
    """The ship that an action is aimed at.

    Refuses none, an unknown one, one's own, one that is gone, and in a ships' fight one that is not in it.
    """
    cited = profile(table).cited
    if not action.target_id:
        raise Refusal(cited.ship_aimed_at, "Choose the ship that this is aimed at.")
    target = find_ship(table, action.target_id)
    if target.ship_id == own.ship_id:
        raise Refusal(cited.ship_aimed_at, "A ship cannot be aimed at by itself; choose another one.")
    if target.state.destroyed:
        raise Refusal(cited.ship_gone, "{target} is destroyed already; choose another ship.", target=target.name)
    if target not in ships_there(table):
        raise Refusal(
            cited.ship_aimed_at, "{ship} takes no part in this fight; choose a ship that does.", ship=target.name
        )
    return target


def is_held(table: Table, ship: Ship) -> bool:
    """Whether a tractor beam holds the ship (S2E-T7)."""
    return bool(effects_named(table, "beam_held", target_id=ship.ship_id))


def use_effects(draft: Draft, name: str, ship_id: str, *, against_id: str = "") -> int:
    """End what of that name holds for a ship, and against another if given, as it is used up; the amounts' sum."""
    used = effects_named(draft.table, name, target_id=ship_id, against_id=against_id)
    for one in used:
        end_one(draft, one, say("it was used"))
    return sum(one.amount for one in used)


def held_by(table: Table, name: str, ship: Ship) -> bool:
    """Whether something of that name holds for a ship."""
    return bool(effects_named(table, name, target_id=ship.ship_id))


def for_ship(draft: Draft, task: Task, name: str, *, ends: EffectEnd, **fields: Any) -> LastingEffect:  # noqa: ANN401 - fields of `LastingEffect`
    """Something that lasts for the ship whose station acted, of the character who did it."""
    return LastingEffect(
        effect_id="",
        name=name,
        owner_id=task.declaration.character_id,
        target_id=ship_of(draft, task).ship_id,
        ends=ends,
        **fields,
    )


def in_numbers(row: ActionRow, at_station: StationAction) -> ActionRow:
    """An action with the numbers of its row among the stations'; where it throws nothing, nothing is chosen either."""
    thrown = at_station.rolled or at_station.with_attacks
    return replace(
        row,
        attributes=at_station.attributes if thrown else (),
        disciplines=(at_station.discipline,) if thrown and at_station.discipline is not None else (),
        difficulty=at_station.difficulty,
        power=at_station.power,
        settled=not thrown,
        later=at_station.with_attacks,
    )


def as_played(row: ActionRow, table: Table, _: str) -> ActionRow:
    """What holds of a station's action at this house (STN, S2E)."""
    played = station_action(row.name, profile(table))
    return replace(in_numbers(row, played), rule=played.rule)


def is_thrown(table: Table, declaration: Declaration) -> bool:
    """Whether a station's action throws dice, as its row at this house says."""
    return station_action(action_of(declaration).name, profile(table)).rolled


def take_lost_turns(draft: Draft, combatant_id: str) -> int:
    """NSHIP-3: the Turns that an NPC ship lost in the last Round, taken from it now."""
    lost = next((one.state.turns_lost for one in draft.table.ships if one.ship_id == combatant_id), 0)
    if lost:
        change_ship(draft, combatant_id, say("the lost Turns are over"), turns_lost=0)
    return lost
