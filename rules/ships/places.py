"""The places of ships: ranges and ways of actions aboard, by the map (SHIP-9, S2E-1, S2E-5, S2E-X2).

In: actions of stations. Out: the same with what the map knows of them, and ships in other zones.
"""

from __future__ import annotations

from typing import Final

from rules.conflict.lasting import effects_named, end_one
from rules.conflict.numbers import range_of
from rules.conflict.positions import (
    at_known_range,
    concealing,
    distance,
    over_known_zones,
    parted,
    path_to,
    require_place,
    require_way,
    require_zone,
    zone_of,
    zones_between,
)
from rules.conflict.rounds import leave_reach
from rules.conflict.zones import move_to
from rules.deciding.decision import ActionRow, Draft
from rules.deciding.fields import FieldRow
from rules.errors import Refusal
from rules.ships.among import other_ships, own_ships
from rules.ships.bridge import acting_ship
from rules.ships.numbers import TERRAIN, terrain_cost
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.places import Zone
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Modifier
from rules.state.vocabulary import ActionScope, Terrain
from rules.words import say

SCANS: Final = frozenset({"reveal", "scan_for_weakness", "sensor_sweep"})
"""The sensors' actions, which count from where the probe is (S2E-X2)."""


WARP: Final = "warp"
"""The action that takes a ship far away, off the map, or after another one (SHIP-7, S2E-4)."""


_GO_THERE: Final = frozenset({"ram", "ramming_speed"})
"""The actions that end in the target's zone (STN-16, S2E-H6)."""
_WINNERS_MOVE: Final = frozenset({"fire", "fire_weapon", "evade"})
"""The actions whose winner moves 1 zone if the target evades (S2E-H4)."""


def situated(table: Table, actor_id: str, row: ActionRow, action: Action) -> Action:
    """RNG-1, SHIP-9: an action aboard with the range to its target and the number of zones to its destination."""
    if row.scope is not ActionScope.BRIDGE or (table.zone_map is None and not action.zone_id):
        return action
    if action.name == WARP and action.target_id:
        action = _in_pursuit(table, actor_id, action)
    zone = require_zone(table, action.zone_id) if action.zone_id else None
    at_a_ship = any(one.ship_id == action.target_id for one in table.ships)
    if zone is None and not at_a_ship:
        return action
    try:
        ship = acting_ship(table, actor_id, action)
    except Refusal:  # what its row makes of it says so
        return action
    return ranged(table, ship, _led(table, ship, row, action, zone) if zone is not None else action)


def _in_pursuit(table: Table, actor_id: str, action: Action) -> Action:
    """SHIP-7, S2E-23: a pursuer on the map goes where the ship pursued is, off the map after one that left it."""
    pursued = next((one for one in table.ships if one.ship_id == action.target_id), None)
    try:
        own = acting_ship(table, actor_id, action)
    except Refusal:  # what its row makes of it says so
        return action
    if pursued is None or zone_of(table, own.ship_id) is None:
        return action
    there = zone_of(table, pursued.ship_id)
    if there is None and action.zone_id:
        raise Refusal("SHIP-7", "{name} left the map; leave the zone out, or pursue nobody.", name=pursued.name)
    if there is not None and action.zone_id not in ("", there.zone_id):
        raise Refusal(
            "SHIP-7", "{name} is in {zone}; pursue it there, or pursue nobody.", name=pursued.name, zone=there.name
        )
    return action if there is None else replace(action, zone_id=there.zone_id)


def ranged(table: Table, ship: Ship, action: Action) -> Action:
    """The action with the range from a ship to the one it is aimed at; of a scan, from the probe if that is nearer."""
    target = next((one for one in table.ships if one.ship_id == action.target_id), None)
    if target is None or target.ship_id == ship.ship_id:
        return action
    zones = zones_between(table, ship.ship_id, target.ship_id)
    here, there = zone_of(table, ship.ship_id), zone_of(table, target.ship_id)
    if action.name in _GO_THERE and here is not None and there is not None:
        require_way(table, here, there)
    if action.name in SCANS and there is not None:
        zones = _nearest(zones, _from_probe(table, ship, there))
    known = None if zones is None else range_of(zones)
    return at_known_range(action, known, target.name, no_way=parted(table, ship.ship_id, target.ship_id))


def _led(table: Table, ship: Ship, row: ActionRow, action: Action, zone: Zone) -> Action:
    """The action that leads to a zone or is about one, with how far that is."""
    if not row.to_zone and row.name not in _WINNERS_MOVE:
        raise Refusal("RNG-1", "{action} leads to no zone; leave the zone out.", action=row.label)
    far = require_way(table, require_place(table, ship.ship_id), zone)
    if "zones" in row.needs:
        return over_known_zones(action, far)
    if row.name in _WINNERS_MOVE:
        if far != 1:
            raise Refusal("S2E-H4", "Who wins moves 1 zone; choose one that adjoins, or none.")
        return action
    known = _nearest(far, _from_probe(table, ship, zone)) if row.name in SCANS else far
    return action if known is None else at_known_range(action, range_of(known), zone.name)


def _nearest(*found: int | None) -> int | None:
    return min((one for one in found if one is not None), default=None)


def probe_zone(table: Table, ship: Ship) -> str:
    """The zone that a ship's probe is in; empty where none is out, or nobody said where."""
    for name in ("probe_out", "probe_launched"):
        for one in effects_named(table, name, target_id=ship.ship_id):
            return one.zone_id
    return ""


def _from_probe(table: Table, ship: Ship, zone: Zone) -> int | None:
    at = probe_zone(table, ship)
    return distance(table.zone_map, at, zone.zone_id) if at and table.zone_map is not None else None


def hiding(table: Table, action: Action) -> tuple[Modifier, ...]:
    """What the zone that is scanned, or that of the ship scanned, adds to a scan (S2E-9)."""
    zone = zone_of(table, action.target_id) if action.target_id else None
    if zone is None and table.zone_map is not None:
        zone = table.zone_map.zone(action.zone_id)
    return concealing(zone)


def sheltered(table: Table, ship: Ship) -> Ship:
    """The ship with the Challenge Dice of its zone's cover, where they are better than its own shelter (SDMG-1)."""
    zone = zone_of(table, ship.ship_id)
    if zone is None or zone.cover <= ship.state.resistance_dice:
        return ship
    return replace(ship, state=replace(ship.state, resistance_dice=zone.cover))


def terrain_at(table: Table, ship: Ship) -> tuple[Terrain, bool]:
    """A ship's terrain, and whether it is hazardous: by its zone, without a map as the gamemaster said (S2E-5)."""
    zone = zone_of(table, ship.ship_id)
    return (ship.state.terrain, ship.state.hazardous) if zone is None else (zone.terrain, zone.hazardous)


def impulse_price(table: Table, ship: Ship, zone_id: str, zones: int) -> int:
    """Momentum for Impulse: of each zone that is left on the way, 1 less where it goes just one (S2E-5)."""
    path = way_out(table, ship, zone_id)
    if not path:
        return terrain_cost(terrain_at(table, ship)[0], zones)
    price = sum(TERRAIN[one.terrain] for one in path)
    return max(0, price - 1) if len(path) == 1 else price


def way_out(table: Table, ship: Ship, zone_id: str) -> tuple[Zone, ...]:
    """The zones that a ship leaves on its way to another, the cheapest of those as short; none without a map."""
    return path_to(table, ship.ship_id, zone_id, lambda zone: TERRAIN[zone.terrain])[:-1]


def _entered(note: str) -> Terrain:
    """The kind of zone that a ship enters, if the action's note names one; else open space."""
    named = note.strip().casefold().replace(" ", "_")
    return Terrain(named) if named in set(Terrain) else Terrain.OPEN_SPACE


def entering(table: Table, action: Action) -> tuple[Terrain, bool]:
    """A ship's terrain after moving: by the zone, without one as the action's note says."""
    zone = table.zone_map.zone(action.zone_id) if table.zone_map is not None else None
    return (_entered(action.note), False) if zone is None else (zone.terrain, zone.hazardous)


def require_other_zone(ship: Ship, action: Action, rule: str) -> None:
    """Refuse to go to warp, on a map, to the zone that the ship is in."""
    if action.zone_id and not action.zones:
        raise Refusal(rule, "{ship} is there already; choose another zone, or none to leave the map.", ship=ship.name)


def fly_to(draft: Draft, ship: Ship, zone_id: str) -> None:
    """Move a ship of the map there, or off the map if `zone_id` is empty."""
    here = zone_of(draft.table, ship.ship_id)
    if here is not None and here.zone_id != zone_id:
        move_to(draft, ship.ship_id, zone_id)
        let_go(draft, ship)


def let_go(draft: Draft, ship: Ship) -> None:
    """End Contact and tractor beams of a ship that moved to another zone (SHIP-9, STN-22, S2E-T7)."""
    leave_reach(draft, ship.ship_id)
    for one in effects_named(draft.table, "beam_held", owner_id=ship.ship_id):
        end_one(draft, one, say("{ship} moved", ship=ship.name))


def require_reached(table: Table, first_id: str, others: tuple[Ship, ...], rule: str) -> None:
    """Refuse ships that are not in Close range of another, where the map says so (SWPN-1, WCB-1, S2E-17)."""
    for one in others:
        zones = zones_between(table, first_id, one.ship_id)
        if zones:
            at = require_place(table, one.ship_id)
            raise Refusal(rule, "{name} is in {zone}, not in Close range; leave it out.", name=one.name, zone=at.name)


def destinations(table: Table, ship: Ship) -> tuple[Zone, ...]:
    """The zones that adjoin a ship's; none for one that is not on the map."""
    here = zone_of(table, ship.ship_id)
    if here is None or table.zone_map is None:
        return ()
    near = (table.zone_map.zone(one) for one in table.zone_map.neighbours(here.zone_id))
    return tuple(one for one in near if one is not None)


def _adjoining(table: Table, who: str) -> tuple[str, ...] | None:
    """The zones that adjoin those of one's ships; nobody is asked without a map."""
    return (
        tuple(dict.fromkeys(one.zone_id for ship in own_ships(table, who) for one in destinations(table, ship))) or None
    )


def _adjoining_who_evade(table: Table, who: str) -> tuple[str, ...] | None:
    """The same, where a ship that may be fired at evades (S2E-H4)."""
    evade = any(effects_named(table, "evading", target_id=one) for one in other_ships(table, who))
    return _adjoining(table, who) if evade else None


EVADES_TO: Final = FieldRow(
    name="zone_id",
    optional=True,
    those=_adjoining,
    asked=say("To which zone, if it wins"),
    otherwise=say("It stays where it is"),
)
"""Where a ship that evades an attack goes if it wins (S2E-H4)."""


FIRES_AND_MOVES_TO: Final = replace(EVADES_TO, those=_adjoining_who_evade)
"""Where a ship that fires at one that evades goes if it wins (S2E-H4)."""
