"""Internal systems: power, Shields, repairs, transporters, and a failing warp core (STN-7 to STN-10, REP, WCB).

In: Tasks of engineers. Out: Power, Shields and systems put right; the core stabilised or ejected.
"""

from __future__ import annotations

from typing import Final

from rules.conflict.helping import action_of
from rules.deciding.agenda import plan_last
from rules.deciding.checks import find_character, profile
from rules.deciding.decision import ActionRow, Draft
from rules.deciding.fields import HARDEST, FieldRow
from rules.errors import Refusal
from rules.ships.among import damages, own_ships
from rules.ships.bridge import acting_ship, as_played, held_by, ship_of, times_bought, use_effects
from rules.ships.cards import no_new_power
from rules.ships.events import ShieldsChanged
from rules.ships.first.events import ShipRepaired
from rules.ships.first.numbers import repair_task
from rules.ships.first.power import gain, require_new_power
from rules.ships.first.stations import STATIONS, complete, station_row
from rules.ships.orders import eject_core, stabilise_core
from rules.ships.stations import house_difficulty, managed_power, regenerate_shields
from rules.ships.systems import is_counted_whole
from rules.state.changing import replace
from rules.state.conflict import Step
from rules.state.glossary import grammatical
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration, ExtendedTrack, Modifier, Task
from rules.state.vocabulary import Condition, Spend, StepKind
from rules.tasks.extended import begin, difficulty_now, tracks_for
from rules.tasks.traits import TraitRemoved, complications
from rules.words import say, say_count

STABILISE: Final = "stabilise_core_first_edition"
"""The purpose of the Extended Task that stabilises a core."""


STABILISE_WORK, STABILISE_MAGNITUDE, STABILISE_RESISTANCE, STABILISE_DIFFICULTY = 8, 3, 2, 3
"""WCB-2."""


# --- power and Shields --------------------------------------------------------------------------------------


def _plan_power(table: Table, declaration: Declaration) -> Declaration:
    ship = acting_ship(table, declaration.character_id, action_of(declaration))
    require_new_power(ship)
    if ship.state.power >= ship.state.power_max:
        raise Refusal("STN-7", "{ship} has all its Power; nothing is there to gain.", ship=ship.name)
    return complete(table, declaration, may_succeed_at_cost=True)


def _managed(draft: Draft, task: Task) -> None:
    """STN-7, STN-27, C-65: 1 Power and 1 for each Momentum, never above the Engines."""
    state = ship_of(draft, task).state
    raised = managed_power(state.power, times_bought(task, Spend.MORE_POWER), state.power_max)
    gain(draft, ship_of(draft, task).ship_id, raised, say("Power Management"))


def power_to_gain(draft: Draft, task: Task) -> int:
    """How many times more Power Management can bring Power, after what it brings as it is (STN-7, C-65)."""
    ship = ship_of(draft, task)
    state = ship.state
    managed = managed_power(state.power, times_bought(task, Spend.MORE_POWER), state.power_max)
    return 0 if no_new_power(ship) else max(0, state.power_max - managed)


def _plan_shields(table: Table, declaration: Declaration) -> Declaration:
    ship = acting_ship(table, declaration.character_id, action_of(declaration))
    state = ship.state
    if not state.shields_raised:
        raise Refusal("STN-8", "The Shields are lowered; raise them first.")
    if state.shields >= state.shields_max:
        raise Refusal("STN-8", "{ship}'s Shields are whole; nothing is there to regenerate.", ship=ship.name)
    usual = _restored(table, replace(ship, state=replace(state, shields=1)), 0)[0]
    harder = _restored(table, ship, 0)[0] - usual
    down = (Modifier(reason=say("the Shields are down"), change=harder),) if harder else ()
    return complete(table, declaration, difficulty=usual, modifiers=down)


def _restored(table: Table, ship: Ship, momentum: int) -> tuple[int, int]:
    """Difficulty of regenerating the Shields, and what they come to (STN-8, C-48)."""
    restored = regenerate_shields(
        shields=ship.state.shields,
        shields_max=ship.state.shields_max,
        momentum_spent=momentum,
        engineering=ship.departments.engineering,
        profile=profile(table),
    )
    return restored.difficulty, restored.shields_after


def _regenerated(draft: Draft, task: Task) -> None:
    ship = ship_of(draft, task)
    shields = _restored(draft.table, ship, times_bought(task, Spend.MORE_SHIELDS))[1]
    draft.record(
        ShieldsChanged(
            ship_id=ship.ship_id,
            name=ship.name,
            shields=shields,
            change=shields - ship.state.shields,
            why=say("Regenerate Shields"),
            state=replace(ship.state, shields=shields),
        )
    )


# --- repairs ------------------------------------------------------------------------------------------------


def _plan_repair(table: Table, declaration: Declaration) -> Declaration:
    """REP-1, BRCH-3, BRCH-4, NSHIP-3: by what the system, or an NPC ship as a whole, has come to."""
    action = action_of(declaration)
    ship = acting_ship(table, declaration.character_id, action)
    whole = is_counted_whole(table, ship)
    if whole:
        condition, devastating = ship.state.condition, False
    elif action.system is None:
        raise Refusal("REP-1", "Say which system is repaired.")
    else:
        damage = ship.state.damage_of(action.system)
        condition, devastating = damage.condition, damage.devastating
        if condition is Condition.OPERATIONAL and damage.impact:
            words = say_count(
                grammatical(action.system),
                "{ship}'s {system} is out only until restored; take the Minor Action Restore instead.",
                "{ship}'s {system} are out only until restored; take the Minor Action Restore instead.",
                ship=ship.name,
                system=action.system,
            )
            raise Refusal("REP-1", words)
    bare = repair_task(condition)
    changes = (
        (say("a Devastating weapon"), repair_task(condition, devastating=devastating).difficulty - bare.difficulty),
        (
            say("a Damage Report"),
            repair_task(condition, damage_report=held_by(table, "damage_reported", ship)).difficulty - bare.difficulty,
        ),
    )
    return complete(
        table,
        declaration,
        difficulty=bare.difficulty,
        modifiers=tuple(Modifier(reason=reason, change=change) for reason, change in changes if change),
        complication_range=bare.complication_range,
    )


def _repair_here(row: ActionRow, table: Table, who: str) -> ActionRow:
    """REP-1, NSHIP-3: as hard as the system is damaged; an NPC ship that is counted whole has its own damage."""
    there = as_played(row, table, who)
    ship = next((one for one in table.ships if one.ship_id == who), None)
    hurt = {Condition.DAMAGED, Condition.DISABLED}
    if ship is None or not is_counted_whole(table, ship) or ship.state.condition not in hurt:
        return there
    bare = repair_task(ship.state.condition).difficulty
    return replace(there, difficulty=house_difficulty(row.name, bare, profile(table)))


def _plan_in_person(table: Table, declaration: Declaration) -> Declaration:
    """REP-1: in person means there, not at a station of the bridge."""
    combatant = table.conflict.combatant(declaration.character_id) if table.conflict is not None else None
    if combatant is not None and combatant.station in STATIONS:
        raise Refusal("REP-1", "Repairs in person are made where the damage is; change position first.")
    return _plan_repair(table, declaration)


def _pay_repair(draft: Draft, task: Task) -> None:
    """STN-6: a Damage Report serves one repair."""
    use_effects(draft, "damage_reported", ship_of(draft, task).ship_id)


def _repaired(draft: Draft, task: Task) -> None:
    """REP-2: the penalties go, the Breaches stay."""
    ship, system = ship_of(draft, task), action_of(task.declaration).system
    whole, state = is_counted_whole(draft.table, ship), ship.state
    if whole:
        state = replace(state, condition=Condition.OPERATIONAL)
    elif system is not None:
        damage = ship.state.damage_of(system)
        mended = replace(damage, condition=Condition.OPERATIONAL, patched=damage.breaches, devastating=False)
        state = replace(state, systems=state.systems_with(mended))
    draft.record(ShipRepaired(ship_id=ship.ship_id, name=ship.name, system=None if whole else system, state=state))


def _plan_clear(table: Table, declaration: Declaration) -> Declaration:
    """REP-3: D2, unless the gamemaster says otherwise."""
    action = action_of(declaration)
    if action.target_id not in complications(table, declaration.character_id):
        raise Refusal("REP-3", "Choose the Complication that is cleared.")
    return complete(table, declaration, difficulty=_level(declaration))


def _level(declaration: Declaration) -> int | None:
    """The gamemaster's Difficulty, None for the row's. Refuses one out of all proportion."""
    level = action_of(declaration).level
    if level is not None and not 0 <= level <= HARDEST:
        raise Refusal("TASK-2", "Difficulty goes from 0 to {most} here; choose one of these.", most=HARDEST)
    return level


def _cleared(draft: Draft, task: Task) -> None:
    for one in draft.table.traits:
        if one.trait_id == action_of(task.declaration).target_id:
            draft.record(TraitRemoved(trait_id=one.trait_id, name=one.name))


def _plan_transport(table: Table, declaration: Declaration) -> Declaration:
    return complete(table, declaration, difficulty=_level(declaration))


# --- the warp core ------------------------------------------------------------------------------------------


def _require_failing(table: Table, declaration: Declaration) -> Ship:
    ship = acting_ship(table, declaration.character_id, action_of(declaration))
    core = ship.state.core
    if not core.rounds or core.stable or core.exploded:
        raise Refusal("WCB-2", "{ship}'s warp core does not fail; nothing is there to do.", ship=ship.name)
    return ship


def _plan_stabilise(table: Table, declaration: Declaration) -> Declaration:
    """WCB-2: an Extended Task, whose Breakthroughs make it easier."""
    ship = _require_failing(table, declaration)
    easier = sum(difficulty_now(one) - one.base_difficulty for one in tracks_for(table, STABILISE, ship.ship_id))
    modifiers = (Modifier(reason=say("Breakthroughs"), change=easier),) if easier else ()
    return complete(table, declaration, modifiers=modifiers)


def _worked(draft: Draft, task: Task) -> None:
    ship = ship_of(draft, task)
    track = begin(
        draft,
        label=say("Stabilise the warp core of {ship}", ship=ship.name),
        work=STABILISE_WORK,
        magnitude=STABILISE_MAGNITUDE,
        resistance=STABILISE_RESISTANCE,
        difficulty=STABILISE_DIFFICULTY,
        progress=False,
        purpose=STABILISE,
        subject_id=ship.ship_id,
    )
    declaration = task.declaration
    _, discipline = declaration.skills
    rating: int = getattr(find_character(draft.table, declaration.character_id).disciplines, discipline)
    work = Step(
        kind=StepKind.WORK_DICE,
        subject_id=track.track_id,
        by_id=declaration.character_id,
        count=rating,
        discipline=discipline,
    )
    plan_last(draft, work)


def stabilised(draft: Draft, track: ExtendedTrack) -> None:
    """The Extended Task is finished: the core holds."""
    for ship in draft.table.ships:
        if ship.ship_id == track.subject_id:
            stabilise_core(draft, ship)


def _plan_eject(table: Table, declaration: Declaration) -> Declaration:
    ship = _require_failing(table, declaration)
    if ship.state.core.ejected:
        raise Refusal("WCB-3", "{ship}'s warp core is ejected already.", ship=ship.name)
    return complete(table, declaration)


def _ejected(draft: Draft, task: Task) -> None:
    eject_core(draft, ship_of(draft, task))


def _to_repair(table: Table, who: str) -> tuple[str, ...] | None:
    """REP-1: the systems that are damaged; nobody is asked for one where a ship's damage is counted whole."""
    ships = own_ships(table, who)
    if ships and all(is_counted_whole(table, one) for one in ships):
        return None
    hurt = (one.system for one in damages(table, who) if one.condition is not Condition.OPERATIONAL or one.impact)
    return tuple(dict.fromkeys(hurt))


_DAMAGED: Final = FieldRow(
    name="system", those=_to_repair, asked=say("System"), none=say("Every system works; nothing is there to repair.")
)
"""Which system is repaired."""


_CLEARED: Final = FieldRow(
    name="target_id",
    those=complications,
    asked=say("Which Complication"),
    none=say("No Complication is there to be cleared."),
)
"""Which Complication is cleared."""


ROWS: Final = (
    station_row("power_management", say("Power Management"), plan=_plan_power, result=_managed),
    station_row("regenerate_shields", say("Regenerate Shields"), plan=_plan_shields, result=_regenerated),
    station_row(
        "damage_control", say("Damage Control"), needs=("system",), fields=(_DAMAGED,), plan=_plan_repair,
        here=_repair_here,
        pay=_pay_repair, result=_repaired,
    ),
    station_row(
        "repair_in_person", say("Repair in person"), needs=("system",), fields=(_DAMAGED,), plan=_plan_in_person,
        here=_repair_here,
        pay=_pay_repair, result=_repaired,
    ),
    station_row(
        "clear_complication", say("Clear a Complication"), needs=("target_id", "level"), fields=(_CLEARED,),
        plan=_plan_clear, result=_cleared,
    ),
    station_row("transporters", say("Transporters"), needs=("level",), plan=_plan_transport),
    station_row("stabilise_core", say("Stabilise the warp core"), plan=_plan_stabilise, result=_worked),
    station_row("eject_core", say("Eject the warp core"), plan=_plan_eject, result=_ejected),
)  # fmt: skip
"""The actions of internal systems, and repairs (STN-7 to STN-10, REP-1 to REP-3, WCB-2, WCB-3)."""
