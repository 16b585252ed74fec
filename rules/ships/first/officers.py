"""Command, communications, security, sensors, and Minor Actions aboard (STN-1 to STN-6, STN-19, STN-23, SHIP-10).

In: Tasks and Minor Actions of these stations. Out: what holds for a ship, its Shields up or down, a system restored.
"""

from __future__ import annotations

from typing import Final

from rules.conflict.common import ASSIST, DIRECT, on_the_bridge
from rules.conflict.events import ConflictChanged
from rules.conflict.helping import action_of, plan_direct
from rules.conflict.lasting import begin_effect, effects_named, end_one
from rules.conflict.minors import leave_place
from rules.conflict.positions import zone_of
from rules.deciding.checks import find_character, find_ship, profile, require_text
from rules.deciding.decision import Draft
from rules.deciding.fields import HARDEST, FieldRow, within
from rules.errors import Refusal
from rules.ships.among import OUT, SHIP, other_ships, own_ships
from rules.ships.bridge import acting_ship, for_ship, held_by, ship_of, target_ship
from rules.ships.first.events import PositionChanged
from rules.ships.first.stations import FIRST, STATIONS, complete, minor_row, require_acting, seat_modifiers, station_row
from rules.ships.first.stations import ROWS as STATION_ROWS
from rules.ships.numbers import SCAN_PIERCING
from rules.ships.orders import restore_system, set_shields
from rules.ships.places import hiding, probe_zone
from rules.ships.seats import require_seat
from rules.ships.stations import stations_of
from rules.state.changing import replace
from rules.state.conflict import Action, Conflict, LastingEffect
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier, Task
from rules.state.vocabulary import EffectEnd, Ruleset
from rules.words import either, known, say

JAMMING_LEVELS: Final = range(1, 4)
"""The Difficulties of Signals Jamming; a higher one jams more (STN-5)."""


NEAR_PROBE: Final = say("near the probe")
"""What `Action.note` says of a Sensor Sweep that the probe helps with (STN-25)."""


PROBE_EASIER: Final = 2
"""By how much a Sensor Sweep near the probe is easier (STN-25)."""


# --- communications -----------------------------------------------------------------------------------------


def _plan_hail(table: Table, declaration: Declaration) -> Declaration:
    action = action_of(declaration)
    target_ship(table, action, acting_ship(table, declaration.character_id, action))
    return complete(table, declaration)


def _linked(name: str, draft: Draft, task: Task) -> None:
    held = for_ship(draft, task, name, ends=EffectEnd.SCENE)
    begin_effect(draft, replace(held, owner_id=held.target_id, target_id=action_of(task.declaration).target_id))


def _hailed(draft: Draft, task: Task) -> None:
    """STN-3: a link is open; nobody has to answer."""
    _linked("link_open", draft, task)


def _plan_answer(table: Table, declaration: Declaration) -> Declaration:
    action = action_of(declaration)
    ship = acting_ship(table, declaration.character_id, action)
    target = target_ship(table, action, ship)
    if not effects_named(table, "link_open", owner_id=target.ship_id, target_id=ship.ship_id):
        raise Refusal(
            "STN-4",
            "{target} has not hailed {ship}; open hailing frequencies instead.",
            target=target.name,
            ship=ship.name,
        )
    return complete(table, declaration)


def _answered(draft: Draft, task: Task) -> None:
    ship, target_id = ship_of(draft, task), action_of(task.declaration).target_id
    for one in effects_named(draft.table, "link_open", owner_id=target_id, target_id=ship.ship_id):
        end_one(draft, one, say("the hail is answered"))
    _linked("link_full", draft, task)


def _plan_jamming(table: Table, declaration: Declaration) -> Declaration:
    action = action_of(declaration)
    target_ship(table, action, acting_ship(table, declaration.character_id, action))
    level = JAMMING_LEVELS.start if action.level is None else action.level
    if level not in JAMMING_LEVELS:
        raise Refusal("STN-5", "Signals Jamming is of Difficulty 1, 2 or 3; choose one of these.")
    return complete(table, declaration, difficulty=level)


def _jammed(draft: Draft, task: Task) -> None:
    """STN-5: how strongly is the Difficulty that was chosen; what it keeps from whom, the gamemaster says."""
    held = for_ship(draft, task, "jammed", ends=EffectEnd.SCENE, amount=task.declaration.difficulty)
    begin_effect(draft, replace(held, owner_id=held.target_id, target_id=action_of(task.declaration).target_id))


def _reported(draft: Draft, task: Task) -> None:
    begin_effect(draft, for_ship(draft, task, "damage_reported", ends=EffectEnd.USED))


# --- security, sensors --------------------------------------------------------------------------------------


def _plan_security(table: Table, declaration: Declaration) -> Declaration:
    """STN-19: against the intruders."""
    return complete(table, declaration, opposed=True)


def _plan_sweep(table: Table, declaration: Declaration) -> Declaration:
    """STN-23, SHIP-8, C-33: D0 with Reason, in the starter D1 with Control or Reason; the gamemaster may name more."""
    action = action_of(declaration)
    ship = acting_ship(table, declaration.character_id, action)
    if action.level is not None and not 0 <= action.level <= HARDEST:
        raise Refusal("TASK-2", "Difficulty goes from 0 to {most} here; choose one of these.", most=HARDEST)
    modifiers = [*_hidden(table, action), *hiding(table, action)]
    probe = probe_zone(table, ship)
    if action.note.strip().casefold() == NEAR_PROBE or (probe and probe == action.zone_id):
        if not held_by(table, "probe_launched", ship):
            raise Refusal("STN-25", "{ship} has no probe out; launch one first.", ship=ship.name)
        modifiers.append(Modifier(reason=say("the probe"), change=-PROBE_EASIER))
    return complete(
        table,
        declaration,
        difficulty=action.level,
        modifiers=tuple(modifiers),
    )


def _hidden(table: Table, action: Action) -> tuple[Modifier, ...]:
    """SQUAL-3: a scan for hidden weapons is harder by their number."""
    if not action.target_id or not action.weapon:
        return ()
    target = find_ship(table, action.target_id)
    known = [one for one in target.weapons if one.name.casefold() == action.weapon.casefold()]
    amounts = [one.amount or 1 for weapon in known for one in weapon.qualities if one.name.casefold() == "hidden"]
    return (Modifier(reason=say("a Hidden weapon"), change=max(amounts)),) if amounts else ()


def _on_the_map(table: Table, who: str) -> tuple[str, ...] | None:
    """The other ships on the map; without one nobody is asked which is scanned."""
    return tuple(one for one in other_ships(table, who) if zone_of(table, one) is not None) or None


def _plan_scan(table: Table, declaration: Declaration) -> Declaration:
    """STN-24, S2E-9: a ship whose zone conceals it is harder to scan, so that on a map one of several is named."""
    action = action_of(declaration)
    own = acting_ship(table, declaration.character_id, action)
    there = [one for one in _on_the_map(table, declaration.character_id) or () if one != own.ship_id]
    if not action.target_id and len(there) > 1:
        names = either([find_ship(table, one).name for one in there])
        raise Refusal("STN-24", "Say which ship is scanned: {ships}.", ships=names)
    if action.target_id:
        target_ship(table, action, own)
    aimed = replace(action, target_id=action.target_id or next(iter(there), ""))
    return complete(table, replace(declaration, action=aimed), modifiers=hiding(table, aimed))


def _weakness(draft: Draft, task: Task) -> None:
    """STN-24: Piercing for the ship's next attack before the end of the next Turn."""
    held = for_ship(
        draft, task, "weakness_found", ends=EffectEnd.OWNER_NEXT_TURN_ENDS, amount=SCAN_PIERCING, role="piercing"
    )
    begin_effect(draft, held)


def _probed(draft: Draft, task: Task) -> None:
    """STN-25: it is where it was sent, or with its ship."""
    here = zone_of(draft.table, ship_of(draft, task).ship_id)
    zone_id = action_of(task.declaration).zone_id or (here.zone_id if here is not None else "")
    begin_effect(draft, for_ship(draft, task, "probe_launched", ends=EffectEnd.SCENE, zone_id=zone_id))


# --- Minor Actions ------------------------------------------------------------------------------------------


def _aboard(draft: Draft, actor_id: str, action: Action) -> Ship:
    ship = acting_ship(draft.table, actor_id, action)
    require_acting(draft.table, ship)
    return ship


def _require_at(draft: Draft, actor_id: str, station: str) -> None:
    conflict = draft.table.conflict
    combatant = conflict.combatant(actor_id) if conflict is not None else None
    if combatant is not None and combatant.station not in ("", station):
        raise Refusal("SHIP-10", "That is done at {station}; change position first.", station=known(station))


def _prepare(draft: Draft, actor_id: str, action: Action) -> None:
    """SHIP-10, SQUAL-1: what needs it may be done in this Turn."""
    ship = _aboard(draft, actor_id, action)
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name="ship_prepared",
            owner_id=actor_id,
            target_id=ship.ship_id,
            note=action.note,
            ends=EffectEnd.OWNER_TURN_ENDS,
        ),
    )


def _restore(draft: Draft, actor_id: str, action: Action) -> None:
    """SHIP-10, BRCH-2: the Impact on a system is over."""
    ship = _aboard(draft, actor_id, action)
    restore_system(draft, ship, action.system, "BRCH-2")


def _raise_shields(draft: Draft, actor_id: str, action: Action) -> None:
    _set_shields(draft, actor_id, action, raised=True)


def _lower_shields(draft: Draft, actor_id: str, action: Action) -> None:
    _set_shields(draft, actor_id, action, raised=False)


def _set_shields(draft: Draft, actor_id: str, action: Action, *, raised: bool) -> None:
    """SHIP-10: lowered Shields are 0, raised ones what they were; not both in one Round."""
    _require_at(draft, actor_id, "tactical")
    ship = _aboard(draft, actor_id, action)
    conflict = draft.table.conflict
    if ship.state.shields_raised is raised:
        if raised:
            raise Refusal("SHIP-10", "{ship}'s Shields are raised already.", ship=ship.name)
        raise Refusal("SHIP-10", "{ship}'s Shields are lowered already.", ship=ship.name)
    mark = f"round:shields:{ship.ship_id}"
    if conflict is not None and mark in conflict.once:
        raise Refusal("SHIP-10", "Shields are not raised and lowered in one Round; wait for the next one.")
    if conflict is not None:
        draft.record(ConflictChanged(conflict=replace(conflict, once=(*conflict.once, mark))))
    set_shields(draft, ship, say("raised") if raised else say("lowered"), raised=raised)


def _change_position(draft: Draft, actor_id: str, action: Action) -> None:
    """SHIP-10, C-3: to another station now; elsewhere aboard, or from there, with the start of the next Turn.

    In the second edition it always takes until then (S2E-6). Whoever sets out leaves their cover (C-70). Elsewhere is
    wherever the people at the table say, such as the shuttle bay, so that any words are a place; what is nearly the
    name of a station is taken for a slip.
    """
    conflict = draft.table.conflict
    combatant = conflict.combatant(actor_id) if conflict is not None else None
    if conflict is None or combatant is None:
        raise Refusal("SHIP-10", "Stations matter in a conflict; start one first.")
    if any(one.ship_id == actor_id for one in draft.table.ships):
        raise Refusal("SHIP-10", "An NPC ship's crew mans every station; act in any role.")
    place = require_text(action.note, say("the station, or the place aboard")).casefold()
    if place == combatant.station:
        raise Refusal("SHIP-10", "That is where they are already; choose another place.")
    require_seat(draft.table, conflict.combatants, replace(combatant, station=place))
    name = find_character(draft.table, actor_id).name
    between_stations = place in STATIONS and combatant.station in (*STATIONS, "")
    at_once = between_stations and profile(draft.table).seats_change_at_once
    leave_place(draft, actor_id)
    if not at_once:
        begin_effect(
            draft,
            LastingEffect(
                effect_id="",
                name="changing_position",
                owner_id=actor_id,
                target_id=actor_id,
                note=place,
                ends=EffectEnd.USED,
            ),
        )
    seated = _seated(draft, actor_id, place) if at_once else None
    draft.record(PositionChanged(name=name, station=place, arrived=at_once, conflict=seated))


def _seated(draft: Draft, actor_id: str, place: str) -> Conflict | None:
    """The conflict with someone at that station, or that place aboard."""
    conflict = draft.table.conflict
    if conflict is None:
        return None
    return replace(conflict, combatants=conflict.combatants_with(actor_id, station=place))


def turn_starts(draft: Draft, combatant_id: str) -> None:
    """C-3: who was on the way arrives."""
    for one in effects_named(draft.table, "changing_position", owner_id=combatant_id):
        end_one(draft, one, say("they are there"))
        seated = _seated(draft, combatant_id, one.note)
        name = find_character(draft.table, combatant_id).name
        draft.record(PositionChanged(name=name, station=one.note, arrived=True, conflict=seated))


def _plan_direct(table: Table, declaration: Declaration) -> Declaration:
    """STN-1, C-22: the ally's Task is what is thrown for, so that Override makes nothing here harder (C-59)."""
    seat_modifiers(table, declaration.character_id, STATION_ROWS["direct"])
    return plan_direct(table, declaration)


def _hailing(table: Table, who: str) -> tuple[str, ...]:
    """STN-4: the ships that hailed one's own."""
    own = {one.ship_id for one in own_ships(table, who)}
    return tuple(one.owner_id for one in effects_named(table, "link_open") if one.target_id in own)


def _probe(table: Table, who: str) -> tuple[str, ...]:
    """STN-25: what can be said of a sweep while a probe is out."""
    return (NEAR_PROBE,) if any(held_by(table, "probe_launched", one) for one in own_ships(table, who)) else ()


def _places(table: Table, _: str) -> tuple[str, ...]:
    """The stations of a bridge in this ruleset."""
    return stations_of(table.ruleset)


_HAILING: Final = FieldRow(
    name="target_id",
    those=_hailing,
    asked=say("At which ship"),
    none=say("Nobody has hailed; open hailing frequencies instead."),
)
"""Which hail is answered (STN-4)."""


_SCANNED: Final = replace(SHIP, alone=True, those=_on_the_map)
"""The ship that is scanned, where a map says how well it hides (STN-24)."""


_JAMMING: Final = FieldRow(
    name="level", optional=True, within=within(JAMMING_LEVELS.start, JAMMING_LEVELS[-1]), asked=say("How strong")
)
"""How strong the jamming is, where the gamemaster has said it."""


_NEAR: Final = FieldRow(
    name="note", optional=True, those=_probe, labels=((NEAR_PROBE, NEAR_PROBE),), free=True, asked=say("What about")
)
"""Whether a sweep is made near a probe (STN-25)."""


_PLACE: Final = FieldRow(name="note", those=_places, free=True, asked=say("To which station, or place aboard"))
"""Where somebody goes aboard."""


ROWS: Final = (
    on_the_bridge(ASSIST, rulesets=FIRST),
    on_the_bridge(DIRECT, rule="STN-1", station="command", rulesets=FIRST, plan=_plan_direct),
    station_row("rally", say("Rally")),
    station_row(
        "hailing_frequencies", say("Hailing Frequencies"), needs=("target_id",), fields=(SHIP,), plan=_plan_hail,
        result=_hailed,
    ),
    station_row(
        "respond_to_hail", say("Respond to Hail"), needs=("target_id",), fields=(_HAILING,), plan=_plan_answer,
        result=_answered,
    ),
    station_row(
        "signals_jamming", say("Signals Jamming"), needs=("target_id", "level"), fields=(SHIP, _JAMMING),
        plan=_plan_jamming, result=_jammed,
    ),
    station_row("damage_report", say("Damage Report"), result=_reported),
    station_row("deploy_security", say("Deploy Security"), unasked=("target_id",), plan=_plan_security),
    station_row(
        "sensor_sweep", say("Sensor Sweep"), to_zone=True, needs=("level", "note"), fields=(_NEAR,),
        unasked=("target_id", "weapon"), plan=_plan_sweep,
    ),
    station_row(
        "scan_for_weakness", say("Scan for Weakness"), fields=(_SCANNED,), plan=_plan_scan, result=_weakness
    ),
    station_row("launch_probe", say("Launch Probe"), to_zone=True, result=_probed),
    minor_row("prepare", say("Prepare"), _prepare, needs=("note",), fields=(FieldRow(name="note", optional=True),)),
    minor_row("restore", say("Restore"), _restore, needs=("system",), fields=(OUT,)),
    minor_row("raise_shields", say("Raise Shields"), _raise_shields, station="tactical"),
    minor_row("lower_shields", say("Lower Shields"), _lower_shields, station="tactical"),
    minor_row(
        "change_position", say("Change Position"), _change_position, needs=("note",), fields=(_PLACE,),
        rulesets=frozenset(Ruleset),
    ),
)  # fmt: skip
"""The actions of command, communications, security and sensors (SHIP-8, SHIP-10, STN-1 to STN-6, STN-19, STN-23 to
STN-25)."""
