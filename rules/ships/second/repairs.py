"""Repairs: patching in combat, and for good outside of it (S2E-18, S2E-19, S2E-C5, C-40, C-51)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules.conflict.helping import action_of
from rules.deciding.checks import profile
from rules.deciding.decision import ActionRow, Draft, always, as_printed, never
from rules.deciding.fields import FieldRow
from rules.errors import Refusal
from rules.ships.among import damages, own_ships
from rules.ships.bridge import acting_ship, in_numbers, ship_of
from rules.ships.second.events import BreachesMended, BreachPatched
from rules.ships.second.numbers import hull_state, long_repair, system_destroyed
from rules.ships.second.stations import SECOND, complete, station_row
from rules.ships.stations import house_difficulty, station_action
from rules.state.changing import replace
from rules.state.glossary import grammatical
from rules.state.house import HouseTables
from rules.state.ships import Ship, ShipState, SystemDamage
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier, Task
from rules.state.vocabulary import ActionScope, Condition, Discipline
from rules.words import say, say_count

PATCH_DIFFICULTY: Final = 2
"""The Difficulty of patching one Breach; each further one on the system adds 1 (S2E-18, C-40)."""


_LONG: Final = "long_repair"
"""The name of the repair that holds for good."""


_IN_DOCK: Final = "starbase_repair"
"""The name of the repair for good in a starbase's dock."""


_UNDISTURBED: Final = "undisturbed_repair"
"""The name of the repair for good while nothing presses."""


def _breached(table: Table, declaration: Declaration, rule: str) -> tuple[Ship, SystemDamage]:
    action = declaration.action
    if action is None or action.system is None:
        raise Refusal(rule, "Say which system is repaired.")
    ship = acting_ship(table, declaration.character_id, action)
    damage = ship.state.damage_of(action.system)
    if not damage.breaches:
        raise Refusal(
            rule, "No Breach is on {ship}'s {system}; choose another system.", ship=ship.name, system=action.system
        )
    return ship, damage


def _plan_patch(table: Table, declaration: Declaration) -> Declaration:
    ship, damage = _breached(table, declaration, "S2E-18")
    if damage.condition is Condition.DESTROYED:
        raise Refusal(
            "S2E-14",
            say_count(
                grammatical(damage.system),
                "{ship}'s {system} is destroyed; that is repaired outside combat only.",
                "{ship}'s {system} are destroyed; that is repaired outside combat only.",
                ship=ship.name,
                system=damage.system,
            ),
        )
    open_breaches = damage.breaches - damage.patched
    if not open_breaches:
        raise Refusal(
            "S2E-18",
            say_count(
                grammatical(damage.system),
                "{ship}'s {system} is patched already; choose another system.",
                "{ship}'s {system} are patched already; choose another system.",
                ship=ship.name,
                system=damage.system,
            ),
        )
    further = (Modifier(reason=say("further Breaches"), change=open_breaches - 1),) if open_breaches > 1 else ()
    worse = (Modifier(reason=say("a Devastating weapon"), change=1),) if damage.devastating else ()
    return complete(table, declaration, difficulty=PATCH_DIFFICULTY, modifiers=(*further, *worse))


def _patched(draft: Draft, task: Task) -> None:
    ship, system = ship_of(draft, task), action_of(task.declaration).system
    if system is None:
        return
    damage = ship.state.damage_of(system)
    patched = min(damage.breaches, damage.patched + 1)
    whole = patched == damage.breaches
    after = replace(damage, patched=patched, condition=Condition.OPERATIONAL if whole else damage.condition)
    draft.record(
        BreachPatched(
            ship_id=ship.ship_id,
            name=ship.name,
            system=system,
            open_breaches=damage.breaches - patched,
            state=_repaired(ship, after),
        )
    )


def _repaired(ship: Ship, damage: SystemDamage) -> ShipState:
    systems = ship.state.systems_with(damage)
    total = sum(one.breaches for one in systems) + ship.state.unplaced_breaches
    return replace(ship.state, systems=systems, critical=hull_state(ship.scale, total, 0).critical)


# --- outside combat -----------------------------------------------------------------------------------------


def _plan_long(table: Table, declaration: Declaration) -> Declaration:
    """S2E-19: D3, D2 if patched, 2 easier in dock; no roll undisturbed. `Action.level` says how many at once."""
    if table.conflict is not None:
        raise Refusal("S2E-19", "That takes hours; in combat patch the Breach with Damage Control.")
    ship, damage = _breached(table, declaration, "S2E-19")
    action = declaration.action
    many = action.level if action is not None and action.level is not None else 1
    most = min(damage.breaches, max(1, ship.departments.engineering))
    if not 1 <= many <= most:
        raise Refusal("S2E-19", "1 to {most} Breaches are repaired at once there; choose within that.", most=most)
    name = action.name if action is not None else ""
    if name == _UNDISTURBED:
        return declaration
    row = station_action(_LONG, profile(table))
    attribute = declaration.attribute if declaration.attribute in row.attributes else row.attributes[0]
    return replace(
        declaration,
        attribute=attribute,
        discipline=row.discipline or Discipline.ENGINEERING,
        difficulty=house_difficulty(_LONG, _long(ship, damage, name)[1], profile(table)),
    )


def _long(ship: Ship, damage: SystemDamage, name: str) -> tuple[int, int]:
    """Hours for each Breach, and the Difficulty."""
    done = long_repair(
        ship.departments.engineering, patched=damage.patched == damage.breaches, starbase=name == _IN_DOCK
    )
    return done.hours_per_breach, done.difficulty


def _mended(draft: Draft, task: Task) -> None:
    action = action_of(task.declaration)
    ship = ship_of(draft, task)
    if action.system is None:
        return
    damage = ship.state.damage_of(action.system)
    mended = min(damage.breaches, action.level or 1)
    left = damage.breaches - mended
    patched = max(0, damage.patched - mended)
    after = replace(
        damage,
        breaches=left,
        patched=patched,
        condition=_condition_after(ship, left, patched, draft.table.house),
        devastating=damage.devastating and left > 0,
    )
    draft.record(
        BreachesMended(
            ship_id=ship.ship_id,
            name=ship.name,
            system=action.system,
            mended=mended,
            hours=_long(ship, damage, action.name)[0],
            left=left,
            state=_repaired(ship, after),
        )
    )


def _condition_after(ship: Ship, breaches: int, patched: int, house: HouseTables) -> Condition:
    if breaches and system_destroyed(ship.scale, breaches, house):
        return Condition.DESTROYED
    return Condition.OPERATIONAL if patched == breaches else Condition.DAMAGED


def _outside_here(row: ActionRow, table: Table, _: str) -> ActionRow:
    """S2E-19: how hard it is, the system's Breaches say."""
    return in_numbers(row, replace(station_action(_LONG, profile(table)), difficulty=None))


def _with_breaches(table: Table, who: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.system for one in damages(table, who) if one.breaches))


def _with_open_breaches(table: Table, who: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.system for one in damages(table, who) if one.breaches > one.patched))


def _many(table: Table, who: str) -> range:
    """S2E-19: as many at once as the ship's Engineering."""
    return range(1, max((1, *(one.departments.engineering for one in own_ships(table, who)))) + 1)


_BREACHED: Final = FieldRow(
    name="system", those=_with_breaches, asked=say("System"), none=say("No system has a Breach to be mended.")
)
"""Which system with Breaches is repaired for good."""


_OPEN: Final = replace(_BREACHED, those=_with_open_breaches)
"""Which system with Breaches that nobody has patched is patched."""


_AT_ONCE: Final = FieldRow(name="level", optional=True, within=_many, asked=say("Breaches at once"))
"""How many Breaches are repaired in one Task."""


def _outside(name: str, label: str, rolled: Callable[[Table, Declaration], bool] = always) -> ActionRow:
    return ActionRow(
        name=name,
        rule="S2E-19",
        label=label,
        scope=ActionScope.BRIDGE,
        free=True,
        rulesets=SECOND,
        difficulty=0 if rolled is never else None,
        needs=("system", "level"),
        fields=(_BREACHED, _AT_ONCE),
        here=as_printed if rolled is never else _outside_here,
        settled=rolled is never,
        plan=_plan_long,
        rolled=rolled,
        result=_mended,
    )


ROWS: Final = (
    station_row(
        "damage_control", say("Damage Control"), needs=("system",), fields=(_OPEN,), plan=_plan_patch, result=_patched
    ),
    station_row(
        "repair_in_person",
        say("Repair in person"),
        needs=("system",),
        fields=(_OPEN,),
        plan=_plan_patch,
        result=_patched,
    ),
    _outside(_LONG, say("Repair for good")),
    _outside(_IN_DOCK, say("Repair at a starbase")),
    _outside(_UNDISTURBED, say("Repair undisturbed"), never),
)
"""The actions that repair (S2E-18, S2E-19, S2E-C5, S2E-O1)."""
