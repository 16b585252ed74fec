"""Helm and navigation: movement, warp and pursuit, Evasive Action, Attack Pattern, courses, hazards (STN-11 to STN-18).

In: Tasks of these stations. Out: moves told, Power paid, and what holds for the ship and how long (C-32, C-71, C-74).
"""

from __future__ import annotations

from functools import partial
from typing import Final

from rules.conflict.helping import action_of
from rules.conflict.lasting import begin_effect, effects_named
from rules.conflict.numbers import RANGES
from rules.conflict.positions import path_to, require_named, zone_of
from rules.deciding.checks import find_ship, profile
from rules.deciding.decision import ActionRow, Draft
from rules.deciding.fields import FieldRow, within
from rules.errors import Refusal
from rules.ships.among import gone_to_warp, own_ships
from rules.ships.bridge import (
    acting_ship,
    as_played,
    for_ship,
    held_by,
    in_numbers,
    is_thrown,
    own_ship,
    ship_of,
    state_with,
    times_bought,
)
from rules.ships.events import ShipMoved
from rules.ships.first.events import FirstEditionWarp
from rules.ships.first.numbers import least_pursuit_power, task_with_system
from rules.ships.first.stations import NPC_ROUNDS, complete, require_usable, station_row
from rules.ships.first.stations import ROWS as STATION_ROWS
from rules.ships.numbers import MOST_POWER, TERRAIN
from rules.ships.places import WARP, entering, fly_to, let_go, require_other_zone, terrain_at
from rules.ships.stations import FEWEST_WARP_ZONES, StationAction, course_reduction, station_action, warp_power
from rules.state.changing import replace
from rules.state.conflict import Action, LastingEffect
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration, Task
from rules.state.vocabulary import Condition, EffectEnd, Range, Ruleset, Spend, System, Terrain
from rules.words import counted, listed, say, worded

_REACH: Final = {"maneuver": Range.MEDIUM, "impulse": Range.LONG}
"""How far each movement goes (STN-11, STN-12)."""


# --- movement -----------------------------------------------------------------------------------------------


def _moving(table: Table, declaration: Declaration) -> Declaration:
    """SHIP-6, SHIP-9, C-74: no roll, unless terrain or damaged Engines make it harder than 0."""
    action = action_of(declaration)
    ship = acting_ship(table, declaration.character_id, action)
    if held_by(table, "beam_held", ship):
        raise Refusal(
            "STN-22", "A tractor beam holds {ship}; break free first, and let the gamemaster end it.", ship=ship.name
        )
    require_usable(ship, System.ENGINES)
    if not _is_hard(table, declaration):
        return complete(table, declaration)
    row = _flown_by_hand(table, action.name)
    return complete(table, declaration, row=row, difficulty=_terrain(table, ship, action))


def _flown_by_hand(table: Table, name: str) -> StationAction:
    """SHIP-6: a movement that is thrown for is Piloting, at its own price."""
    own, pilot = station_action(name, profile(table)), station_action("pilot", profile(table))
    return replace(pilot, action=own.action, rule=own.rule, difficulty=0, power=own.power)


def _move_here(row: ActionRow, table: Table, who: str) -> ActionRow:
    """SHIP-9: what it is thrown with where the way may, or damaged Engines do, make it harder than 0."""
    ship = own_ship(table, who)
    engines = ship.state.damage_of(System.ENGINES).condition if ship is not None else Condition.OPERATIONAL
    zone = zone_of(table, ship.ship_id) if ship is not None else None
    if "level" not in row.needs and engines is not Condition.DAMAGED and (zone is None or not zone.difficulty):
        return as_played(row, table, who)
    way = _terrain(table, ship, Action(name=row.name, zones=1)) if ship is not None else None
    return replace(in_numbers(row, _flown_by_hand(table, row.name)), difficulty=way)


def _terrain(table: Table, ship: Ship, action: Action) -> int:
    """The Difficulty of the way: as said, or as the hardest zone that is left on it; of warp, the first one.

    A zone is as hard as its number, or as leaving such terrain costs in the second edition. Of warp, `Action.level` is
    Power instead.
    """
    here = zone_of(table, ship.ship_id)
    if action.name == WARP:
        return here.difficulty if here is not None else 0
    if here is None:
        way = TERRAIN[ship.state.terrain] if action.zones else 0
    else:
        left = path_to(table, ship.ship_id, action.zone_id)[:-1]
        way = max((max(one.difficulty, TERRAIN[one.terrain]) for one in left), default=0)
    return max(action.level or 0, way)


def _is_hard(table: Table, declaration: Declaration) -> bool:
    """SHIP-9, BRCH-3: whether terrain or damaged Engines make it harder than 0, so that it is thrown for."""
    action = action_of(declaration)
    ship = acting_ship(table, declaration.character_id, action)
    condition = ship.state.damage_of(System.ENGINES).condition
    return task_with_system(condition, _terrain(table, ship, action)).difficulty > 0


def _move_is_thrown(table: Table, declaration: Declaration) -> bool:
    return _is_hard(table, declaration) or is_thrown(table, declaration)


def _plan_move(table: Table, declaration: Declaration) -> Declaration:
    action = action_of(declaration)
    most = RANGES.index(_REACH[action.name])
    if not 0 <= action.zones <= most:
        raise Refusal(
            STATION_ROWS[action.name].rule,
            "That goes {zones} at most; move less, or choose another action.",
            zones=counted(most, "zone"),
        )
    if action.zones:
        require_named(table, acting_ship(table, declaration.character_id, action).ship_id, action.zone_id)
    return _moving(table, declaration)


def _moved(draft: Draft, task: Task) -> None:
    ship, action = ship_of(draft, task), action_of(task.declaration)
    left, hazardous = terrain_at(draft.table, ship)
    terrain, hazardous = entering(draft.table, action) if action.zones else (left, hazardous)
    state = state_with(draft, ship.ship_id, terrain=terrain, hazardous=hazardous)
    if action.zone_id:
        fly_to(draft, ship, action.zone_id)
    elif action.zones:
        let_go(draft, ship)
    draft.record(
        ShipMoved(
            ship_id=ship.ship_id,
            name=ship.name,
            zones=action.zones,
            left=left,
            terrain=terrain,
            how=action.name,
            state=state,
            on_map=bool(action.zones and action.zone_id),
        )
    )


def _plan_pilot(table: Table, declaration: Declaration) -> Declaration:
    """SHIP-6: as hard as the way; the gamemaster names it with `Action.level`."""
    return complete(table, declaration, difficulty=action_of(declaration).level or 0)


# --- warp ---------------------------------------------------------------------------------------------------


def warp_price(table: Table, declaration: Declaration) -> int:
    """Power for warp: 1, or one for each zone; a pursuer's exceeds that of who flees (SHIP-7, STN-13, C-32).

    `Action.level` may be more, to shake pursuers off. Refuses less than a pursuer needs.
    """
    action = action_of(declaration)
    ruled = profile(table)
    own = station_action(WARP, ruled).power
    least = own if ruled.warp_as is Ruleset.STARTER else max(own, warp_power(action.zones))
    if action.target_id:
        needed = least_pursuit_power(_trail(table, action.target_id))
        least = max(least, needed)
    price = least if action.level is None else action.level
    if not least <= price <= MOST_POWER:
        raise Refusal("SHIP-7", "Going to warp takes {least} Power or more here; spend that.", least=least)
    return price


def _trail(table: Table, fleeing_id: str) -> int:
    """The Power that a ship spent when it fled. Refuses one that did not go to warp."""
    fleeing = find_ship(table, fleeing_id)
    trails = effects_named(table, "warp_trail", target_id=fleeing_id)
    if not trails:
        raise Refusal("SHIP-7", "{fleeing} has not gone to warp; there is nobody to follow.", fleeing=fleeing.name)
    return trails[-1].amount


def _plan_warp(table: Table, declaration: Declaration) -> Declaration:
    action = action_of(declaration)
    if not 0 <= action.zones <= MOST_POWER:
        most = counted(MOST_POWER, "zone")
        raise Refusal("SHIP-7", "Warp covers up to {zones}; choose within that.", zones=most)
    require_other_zone(acting_ship(table, declaration.character_id, action), action, "SHIP-7")
    planned = _moving(table, replace(declaration, action=replace(action, level=None)))
    return replace(planned, action=replace(action_of(planned), level=warp_price(table, declaration)))


def _warped(draft: Draft, task: Task) -> None:
    ship, action = ship_of(draft, task), action_of(task.declaration)
    price = warp_price(draft.table, task.declaration)
    pursued = find_ship(draft.table, action.target_id).name if action.target_id else ""
    terrain, hazardous = entering(draft.table, replace(action, note=""))
    draft.record(
        FirstEditionWarp(
            ship_id=ship.ship_id,
            name=ship.name,
            zones=action.zones,
            power=price,
            pursued=pursued,
            state=state_with(draft, ship.ship_id, terrain=terrain, hazardous=hazardous),
        )
    )
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name="warp_trail",
            owner_id=ship.ship_id,
            target_id=ship.ship_id,
            amount=price,
            ends=EffectEnd.SCENE,
        ),
    )
    fly_to(draft, ship, action.zone_id)
    let_go(draft, ship)


# --- what the helm flies ------------------------------------------------------------------------------------


def _flown(draft: Draft, task: Task, name: str, ends: EffectEnd) -> None:
    """STN-14, STN-15; an NPC ship's ends with its next Task of the helm, at the latest with the next Round (C-71)."""
    npc = ship_of(draft, task).crew is not None
    held = for_ship(
        draft,
        task,
        name,
        ends=EffectEnd.ROLE_NEXT_TASK if npc else ends,
        role="helm",
        rounds_left=NPC_ROUNDS if npc else 0,
    )
    begin_effect(draft, held)


def _evading(draft: Draft, task: Task) -> None:
    _flown(draft, task, "evasive_action", EffectEnd.ROLE_NEXT_TASK)


def _patterned(draft: Draft, task: Task) -> None:
    _flown(draft, task, "attack_pattern", EffectEnd.OWNER_NEXT_TURN)


# --- navigation ---------------------------------------------------------------------------------------------


def _plotted(draft: Draft, task: Task) -> None:
    """STN-17, STN-28: 1 easier, and 1 more for every 2 Momentum."""
    easier = course_reduction(2 * times_bought(task, Spend.BETTER_COURSE))
    begin_effect(draft, for_ship(draft, task, "course_plotted", ends=EffectEnd.USED, amount=easier))


def _plan_chart(table: Table, declaration: Declaration) -> Declaration:
    action = action_of(declaration)
    named = _named(action.note)
    if not named:
        raise Refusal("STN-18", "Say which hazard is charted; name further ones after a comma.")
    ship = acting_ship(table, declaration.character_id, action)
    if not _uncharted(table, ship, action.note):
        raise Refusal(
            "STN-18",
            "{ship} has charted {hazards} already; name another hazard.",
            ship=ship.name,
            hazards=listed(named),
        )
    return complete(table, declaration)


def _charted(draft: Draft, task: Task) -> None:
    """STN-18: one hazard, and one more for every 2 Momentum; those named first."""
    many = 1 + times_bought(task, Spend.MORE_HAZARDS)
    ship = ship_of(draft, task)
    fresh = _uncharted(draft.table, ship, action_of(task.declaration).note)
    note = ", ".join([*_charted_for(draft.table, ship), *fresh[:many]])
    held = for_ship(draft, task, "hazard_charted", ends=EffectEnd.SCENE, amount=many, note=note)
    begin_effect(draft, replace(held, owner_id=ship.ship_id))


def hazards_to_chart(draft: Draft, task: Task) -> int:
    """How many more hazards were named than are charted with what was bought so far (STN-18)."""
    fresh = _uncharted(draft.table, ship_of(draft, task), action_of(task.declaration).note)
    return max(0, len(fresh) - 1 - times_bought(task, Spend.MORE_HAZARDS))


def _named(note: str) -> tuple[str, ...]:
    """The hazards of a note, each once, as they stand between its commas."""
    named: dict[str, str] = {}
    for one in filter(None, (each.strip() for each in note.split(","))):
        named.setdefault(one.casefold(), one)
    return tuple(named.values())


def _charted_for(table: Table, ship: Ship) -> tuple[str, ...]:
    notes = (one.note for one in effects_named(table, "hazard_charted", target_id=ship.ship_id))
    return _named(",".join(notes))


def _uncharted(table: Table, ship: Ship, note: str) -> tuple[str, ...]:
    """The hazards of a note that were not charted for the ship yet."""
    known = {one.casefold() for one in _charted_for(table, ship)}
    return tuple(one for one in _named(note) if one.casefold() not in known)


def _charted_hazards(table: Table, who: str) -> tuple[str, ...]:
    """STN-18: the hazards that were charted for one's ship."""
    return tuple(dict.fromkeys(one for ship in own_ships(table, who) for one in _charted_for(table, ship)))


HAZARD: Final = FieldRow(name="note", optional=True, those=_charted_hazards, free=True, asked=say("What about"))
"""What the way is about: a hazard that was charted, or anything else (STN-18)."""


def _entered(table: Table, who: str) -> tuple[str, ...]:
    """A charted hazard of the way, or the kind of zone that the ship comes to, where no map says it (SHIP-9)."""
    kinds = (str(worded(one.value)) for one in Terrain) if table.zone_map is None else ()
    return (*_charted_hazards(table, who), *kinds)


_CHARTED: Final = FieldRow(name="note", free=True, asked=say("Hazards, with commas between them"))
"""The hazards that are charted, the first one first (STN-18)."""


_WAY: Final = replace(HAZARD, those=_entered)
"""What is on the way: a charted hazard, or the kind of the zone (SHIP-9)."""


def _zones(name: str) -> FieldRow:
    return FieldRow(name="zones", optional=True, within=within(0, RANGES.index(_REACH[name])))


def _warped_zones(table: Table, _: str) -> range:
    least = 0 if profile(table).warp_as is Ruleset.STARTER else FEWEST_WARP_ZONES
    return range(least, MOST_POWER + 1)


_WARPED: Final = FieldRow(name="zones", within=_warped_zones)
"""How many zones a ship goes at warp."""


_PURSUED: Final = FieldRow(
    name="target_id",
    optional=True,
    those=partial(gone_to_warp, "warp_trail"),
    asked=say("In pursuit of"),
    otherwise=say("Nobody"),
)
"""Who is pursued, where somebody went to warp (SHIP-7)."""


ROWS: Final = (
    station_row("pilot", say("Pilot"), needs=("level", "note"), fields=(HAZARD,), plan=_plan_pilot),
    station_row(
        "maneuver",
        say("Maneuver"),
        needs=("zones", "level"),
        to_zone=True,
        fields=(_zones("maneuver"), _WAY),
        plan=_plan_move,
        rolled=_move_is_thrown,
        here=_move_here,
        result=_moved,
    ),
    station_row(
        "impulse",
        say("Impulse"),
        needs=("zones", "level"),
        to_zone=True,
        fields=(_zones("impulse"), _WAY),
        plan=_plan_move,
        rolled=_move_is_thrown,
        here=_move_here,
        result=_moved,
    ),
    station_row(
        WARP,
        say("Warp"),
        needs=("zones",),
        to_zone=True,
        unasked=("level",),
        fields=(_WARPED, _PURSUED, HAZARD),
        plan=_plan_warp,
        rolled=_move_is_thrown,
        here=_move_here,
        price=warp_price,
        result=_warped,
    ),
    station_row("evasive_action", say("Evasive Action"), result=_evading),
    station_row("attack_pattern", say("Attack Pattern"), result=_patterned),
    station_row("plot_course", say("Plot Course"), result=_plotted),
    station_row(
        "chart_hazard", say("Chart Hazard"), needs=("note",), fields=(_CHARTED,), plan=_plan_chart, result=_charted
    ),
)
"""The actions of helm and navigation (SHIP-6, STN-11 to STN-15, STN-17, STN-18)."""
