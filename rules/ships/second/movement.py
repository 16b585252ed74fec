"""Moving a ship: Impulse, Thrusters, terrain, Maneuver, Warp and pursuit (S2E-4, S2E-5, S2E-23, S2E-H1 to S2E-H7)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

from rules.conflict.helping import action_of
from rules.conflict.lasting import begin_effect, effects_named, end_one
from rules.conflict.positions import require_named, zone_of
from rules.deciding.checks import find_character, find_ship, is_npc, require_ready
from rules.deciding.decision import ActionRow, Command, Draft
from rules.deciding.fields import FieldRow, within
from rules.errors import Refusal
from rules.ships.among import gone_to_warp
from rules.ships.bridge import acting_ship, is_held, is_npc_crew, own_ship, ship_of, state_with
from rules.ships.events import ShipMoved
from rules.ships.numbers import TERRAIN
from rules.ships.places import (
    WARP,
    entering,
    fly_to,
    impulse_price,
    let_go,
    require_other_zone,
    terrain_at,
    way_out,
)
from rules.ships.second.events import HazardMet, PursuitDecided, TerrainSet, WentToWarp
from rules.ships.second.numbers import pursuit_catches
from rules.ships.second.stations import SECOND, complete, minor_at, require_acting, station_row
from rules.state.changing import replace
from rules.state.conflict import Action, LastingEffect
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration, ShipAssistance, Task
from rules.state.vocabulary import ActionScope, Condition, Discipline, EffectEnd, Pool, System, Terrain
from rules.tasks.pools import pay
from rules.words import Phrase, capitalized, counted, say, worded


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTerrain(Command):
    """The gamemaster says what kind of zone a ship is in (S2E-5)."""

    ship_id: str
    terrain: Terrain
    hazardous: bool = False

    undone: ClassVar[Phrase | None] = say("the terrain")

    def decide(self, draft: Draft) -> None:
        """S2E-5: the kind of zone a ship is in, and whether it is hazardous."""
        require_ready(draft.table)
        ship = find_ship(draft.table, self.ship_id)
        zone = zone_of(draft.table, ship.ship_id)
        if zone is not None:
            raise Refusal("S2E-5", "{ship} is in {zone}; say what that zone is like.", ship=ship.name, zone=zone.name)
        state = state_with(draft, ship.ship_id, terrain=self.terrain, hazardous=self.hazardous)
        draft.record(
            TerrainSet(
                ship_id=ship.ship_id, name=ship.name, terrain=self.terrain, hazardous=self.hazardous, state=state
            )
        )


FARTHEST_IMPULSE: Final = 2
"""Zones that Impulse covers at most (S2E-H1)."""


def require_movable(table: Table, ship: Ship) -> None:
    """Refuse to move a ship whose Engines are gone, or which a beam holds (C-74, S2E-T7)."""
    engines = ship.state.damage_of(System.ENGINES)
    if engines.condition is Condition.DESTROYED:
        raise Refusal("S2E-14", "{ship}'s Engines are destroyed; it cannot move.", ship=ship.name)
    if engines.impact:
        raise Refusal("S2E-6", "{ship}'s Engines are out for now; restore them first.", ship=ship.name)
    if is_held(table, ship):
        raise Refusal("S2E-T7", "A tractor beam holds {ship}; break free first.", ship=ship.name)


def _impulse(draft: Draft, actor_id: str, action: Action) -> None:
    ship = minor_at(draft, actor_id, action)
    require_movable(draft.table, ship)
    require_named(draft.table, ship.ship_id, action.zone_id)
    zones = action.zones if action.zone_id else action.zones or 1
    if not 1 <= zones <= FARTHEST_IMPULSE:
        raise Refusal("S2E-H1", "Impulse moves 1 or {most} zones; choose one of these.", most=FARTHEST_IMPULSE)
    price = impulse_price(draft.table, ship, action.zone_id, zones)
    _pay_for_leaving(draft, actor_id, _on_its_way(draft.table, ship, action.zone_id), price, action.threat_part)
    _move(draft, ship, zones, action, say("Impulse"))


def _on_its_way(table: Table, ship: Ship, zone_id: str) -> Ship:
    """The ship in the hardest terrain that it leaves on its way, hazardous where any of it is (S2E-5)."""
    path = way_out(table, ship, zone_id)
    if not path:
        terrain, hazardous = terrain_at(table, ship)
    else:
        terrain = max((one.terrain for one in path), key=lambda one: TERRAIN[one])
        hazardous = any(one.hazardous for one in path)
    return replace(ship, state=replace(ship.state, terrain=terrain, hazardous=hazardous))


def _pay_for_leaving(draft: Draft, actor_id: str, ship: Ship, price: int, threat_part: int) -> None:
    """S2E-5: Momentum, or Threat; in hazardous terrain that Threat is spent at once for harm."""
    npc = is_npc(find_character(draft.table, actor_id))
    missing = price - threat_part - draft.table.momentum
    if not npc and missing > 0:
        raise Refusal(
            "S2E-5", "{missing} Momentum more is needed to leave; maneuver first, or add it to Threat.", missing=missing
        )
    payment = pay(
        price,
        generated=0,
        pool=draft.table.momentum,
        immediate=True,
        threat_part=threat_part,
        threat=draft.table.threat,
        npc=npc,
    )
    terrain = worded(ship.state.terrain)
    draft.change_pool(Pool.MOMENTUM, -payment.from_pool, say("leaving: {terrain}", terrain=terrain))
    draft.change_pool(
        Pool.THREAT, payment.added_threat - payment.spent_threat, say("leaving: {terrain}", terrain=terrain)
    )
    if ship.state.hazardous and payment.added_threat:
        draft.change_pool(Pool.THREAT, -payment.added_threat, say("harm: {terrain}", terrain=terrain))
        draft.record(
            HazardMet(ship_id=ship.ship_id, name=ship.name, terrain=ship.state.terrain, threat=payment.added_threat)
        )


def _move(draft: Draft, ship: Ship, zones: int, action: Action, how: str) -> None:
    left, _ = terrain_at(draft.table, ship)
    terrain, hazardous = entering(draft.table, action)
    state = state_with(draft, ship.ship_id, terrain=terrain, hazardous=hazardous)
    if action.zone_id:
        fly_to(draft, ship, action.zone_id)
    draft.record(
        ShipMoved(
            ship_id=ship.ship_id,
            name=ship.name,
            zones=zones,
            left=left,
            terrain=terrain,
            how=how,
            on_map=bool(action.zone_id),
            state=state,
        )
    )
    moved_away(draft, ship)


def moved_away(draft: Draft, ship: Ship) -> None:
    """End a moved ship's tractor beam, and its being revealed (S2E-T7, S2E-X3)."""
    let_go(draft, ship)
    for one in effects_named(draft.table, "revealed", target_id=ship.ship_id):
        end_one(draft, one, say("{ship} moved", ship=ship.name))


def _thrusters(draft: Draft, actor_id: str, action: Action) -> None:
    """S2E-H2: within the zone, also into Contact, at no price."""
    ship = minor_at(draft, actor_id, action)
    require_movable(draft.table, ship)
    terrain, _ = terrain_at(draft.table, ship)
    draft.record(
        ShipMoved(
            ship_id=ship.ship_id,
            name=ship.name,
            zones=0,
            left=terrain,
            terrain=terrain,
            how=say("Thrusters"),
        )
    )


def _plan_maneuver(table: Table, declaration: Declaration) -> Declaration:
    if declaration.action is not None:
        require_movable(table, acting_ship(table, declaration.character_id, declaration.action))
    return complete(table, declaration)


# --- warp ---------------------------------------------------------------------------------------------------


def _plan_warp(table: Table, declaration: Declaration) -> Declaration:
    action = declaration.action
    if action is None:
        return declaration
    ship = acting_ship(table, declaration.character_id, action)
    require_movable(table, ship)
    if not _rerouted(table, ship):
        raise Refusal("S2E-4", "Warp needs Reserve Power in the Engines; reroute it first.")
    if table.conflict is not None and not effects_named(table, "bridge_prepared", target_id=ship.ship_id):
        raise Refusal("S2E-4", "In combat, warp has to be prepared; take Prepare first.")
    if not 0 <= action.zones <= ship.systems.engines:
        raise Refusal(
            "S2E-4",
            "Warp covers up to {zones}, or none to leave; choose within that.",
            zones=counted(ship.systems.engines, "zone"),
        )
    if action.zones:
        require_named(table, ship.ship_id, action.zone_id)
    require_other_zone(ship, action, "S2E-4")
    if action.target_id:
        _fled(table, action.target_id)
    return complete(table, declaration)


def _rerouted(table: Table, ship: Ship) -> bool:
    held = effects_named(table, "power_rerouted", target_id=ship.ship_id)
    return any(one.role == System.ENGINES for one in held)


def _fled(table: Table, ship_id: str) -> LastingEffect:
    """The flight of a ship at warp. Refuses one that is not."""
    fled = effects_named(table, "at_warp", target_id=ship_id)
    if not fled:
        raise Refusal("S2E-23", "That ship is not at warp; pursue one that is, or pursue nobody.")
    return fled[0]


def _pay_warp(draft: Draft, task: Task) -> None:
    ship = ship_of(draft, task)
    for one in effects_named(draft.table, "bridge_prepared", target_id=ship.ship_id):
        end_one(draft, one, say("it was used"))


def _at_warp(draft: Draft, task: Task) -> None:
    """S2E-4, S2E-23: a pursuer that does not catch up is somewhere off the map."""
    ship, action = ship_of(draft, task), action_of(task.declaration)
    successes = task.outcome.successes if task.outcome is not None else 0
    fled = _fled(draft.table, action.target_id) if action.target_id else None
    caught = fled is not None and pursuit_catches(fled.amount, successes)
    if fled is not None and not caught and action.zone_id:
        action = replace(action, zone_id="", zones=0)
    terrain, hazardous = entering(draft.table, replace(action, note=""))
    state = state_with(draft, ship.ship_id, terrain=terrain, hazardous=hazardous)
    draft.record(WentToWarp(ship_id=ship.ship_id, name=ship.name, zones=action.zones, successes=successes, state=state))
    moved_away(draft, ship)
    fly_to(draft, ship, action.zone_id)
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name="at_warp",
            owner_id=task.declaration.character_id,
            target_id=ship.ship_id,
            amount=successes,
            ends=EffectEnd.SCENE,
        ),
    )
    if fled is None:
        return
    draft.record(
        PursuitDecided(
            pursuer=ship.name,
            fleeing=find_ship(draft.table, action.target_id).name,
            pursuer_successes=successes,
            fleeing_successes=fled.amount,
            caught=caught,
        )
    )
    if caught:
        end_one(draft, fled, say("its pursuer caught up"))
        for one in effects_named(draft.table, "at_warp", target_id=ship.ship_id):
            end_one(draft, one, say("it caught up"))


# --- tractor beam -------------------------------------------------------------------------------------------


def _plan_break_free(table: Table, declaration: Declaration) -> Declaration:
    if declaration.action is None:
        return declaration
    ship = acting_ship(table, declaration.character_id, declaration.action)
    require_acting(ship, declaration.action.name)
    held = effects_named(table, "beam_held", target_id=ship.ship_id)
    if not held:
        raise Refusal("S2E-T7", "No tractor beam holds {ship}; nothing is there to break.", ship=ship.name)
    return Declaration(
        character_id=declaration.character_id,
        attribute=declaration.attribute,
        discipline=Discipline.CONN,
        focus=declaration.focus or is_npc_crew(ship, declaration.character_id),
        label=declaration.label,
        difficulty=max(one.amount for one in held),
        modifiers=declaration.modifiers,
        complication_range=declaration.complication_range,
        purchases=declaration.purchases,
        value=declaration.value,
        assists=declaration.assists,
        ship=ShipAssistance(ship_id=ship.ship_id, system=System.ENGINES, department=Discipline.CONN),
        rerolls=declaration.rerolls,
        action=replace(declaration.action, ship_id=ship.ship_id),
    )


def _free_here(row: ActionRow, table: Table, who: str) -> ActionRow:
    """S2E-T7: as hard as the beam is strong."""
    ship = own_ship(table, who)
    held = effects_named(table, "beam_held", target_id=ship.ship_id) if ship is not None else ()
    return replace(row, difficulty=max(one.amount for one in held)) if held else row


def _broke_free(draft: Draft, task: Task) -> None:
    ship = ship_of(draft, task)
    for one in effects_named(draft.table, "beam_held", target_id=ship.ship_id):
        end_one(draft, one, say("{ship} broke free", ship=ship.name))


def _warped(table: Table, who: str) -> range:
    """S2E-4: as many zones as the Engines, or none to leave."""
    ship = own_ship(table, who)
    return range((ship.systems.engines if ship is not None else 0) + 1)


_FLOWN: Final = FieldRow(name="zones", optional=True, within=within(1, FARTHEST_IMPULSE))
"""How many zones a ship flies under impulse."""


def _terrains(table: Table, _: str) -> tuple[str, ...] | None:
    """Every kind of zone; where a map is kept, it says of which kind each is."""
    return tuple(Terrain) if table.zone_map is None else None


_ENTERED: Final = FieldRow(
    name="note",
    optional=True,
    those=_terrains,
    labels=tuple((one.value, capitalized(worded(one.value))) for one in Terrain),
    asked=say("What kind of zone is entered"),
    otherwise=say("Open space"),
    rule="S2E-5",
)
"""The kind of zone that a ship comes to (S2E-5)."""


_WARPED: Final = FieldRow(name="zones", optional=True, within=_warped)
"""How many zones a ship goes at warp (S2E-4)."""


_PURSUED: Final = FieldRow(
    name="target_id",
    optional=True,
    those=partial(gone_to_warp, "at_warp"),
    asked=say("In pursuit of"),
    otherwise=say("Nobody"),
)
"""Who is pursued, where somebody is at warp (S2E-23)."""


ROWS: Final = (
    station_row(
        "impulse",
        say("Impulse"),
        needs=("zones", "threat_part"),
        fields=(_FLOWN, _ENTERED),
        to_zone=True,
        perform=_impulse,
    ),
    station_row("thrusters", say("Thrusters"), perform=_thrusters),
    station_row("maneuver", say("Maneuver"), plan=_plan_maneuver),
    station_row(
        WARP,
        say("Warp"),
        needs=("zones",),
        fields=(_WARPED, _PURSUED),
        to_zone=True,
        plan=_plan_warp,
        pay=_pay_warp,
        result=_at_warp,
    ),
    ActionRow(
        name="break_free",
        rule="S2E-T7",
        label=say("Break free of a tractor beam"),
        scope=ActionScope.BRIDGE,
        station="helm",
        rulesets=SECOND,
        disciplines=(Discipline.CONN,),
        here=_free_here,
        plan=_plan_break_free,
        result=_broke_free,
    ),
)
"""The actions that move a ship, and breaking free (S2E-H1, S2E-H2, S2E-H5, S2E-H7, S2E-T7)."""
