"""Sensors: calibration, probe, Reveal, Scan for Weakness, Sensor Sweep (S2E-X1 to S2E-X5)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from rules.conflict.helping import action_of
from rules.conflict.lasting import begin_effect, effects_named
from rules.conflict.positions import require_named
from rules.deciding.decision import Draft
from rules.deciding.fields import FieldRow
from rules.errors import Refusal
from rules.ships.among import ONLY_SHIP, SHIP
from rules.ships.bridge import acting_ship, ship_of, target_ship, use_effects
from rules.ships.numbers import SCAN_PIERCING
from rules.ships.places import hiding, ranged
from rules.ships.second.stations import aimed, complete, minor_at, range_modifiers, station_row
from rules.ships.second.tactical import SCAN_DAMAGE
from rules.state.changing import replace
from rules.state.conflict import Action, LastingEffect
from rules.state.table import Table
from rules.state.tasks import Declaration, Task
from rules.state.vocabulary import EffectEnd, Range, RerollReason
from rules.words import say


class CalibrationUse(StrEnum):
    """What calibrated sensors give, as `Action.effect` says it; a d20 thrown again where it says nothing (S2E-X1)."""

    REROLL = "reroll"
    TRAIT = "trait"


class Weakness(StrEnum):
    """What a weakness gives, as `Action.effect` says it; more damage where it says nothing (S2E-X4)."""

    DAMAGE = "damage"
    PIERCING = "piercing"


REVEALED_DIFFICULTY: Final = 2
"""By how much attacks on a revealed ship are harder until it moves (S2E-X3)."""


def _plan_sensors(table: Table, declaration: Declaration) -> Declaration:
    """Every major action of the sensors: 1 harder a band; calibration throws a d20 again (S2E-X1)."""
    action = declaration.action
    if action is None:
        return declaration
    ship = acting_ship(table, declaration.character_id, action)
    calibrated = effects_named(table, "sensors_calibrated", target_id=ship.ship_id)
    again = (RerollReason.SHIP_SYSTEM,) if any(one.role != CalibrationUse.TRAIT for one in calibrated) else ()
    harder = (*range_modifiers(action.at_range), *hiding(table, action))
    return complete(table, declaration, modifiers=harder, rerolls=again)


def _plan_reveal(table: Table, declaration: Declaration) -> Declaration:
    action = declaration.action
    if action is not None:
        if action.at_range is Range.EXTREME:
            raise Refusal("S2E-X3", "Reveal reaches to Long range; come nearer first.")
        target_ship(table, action, acting_ship(table, declaration.character_id, action))
    return _plan_sensors(table, declaration)


def _plan_scan(table: Table, declaration: Declaration) -> Declaration:
    """S2E-X4: a weakness of one ship, which is named, or is the only other one that is there."""
    action = declaration.action
    if action is not None:
        own = acting_ship(table, declaration.character_id, action)
        declaration = replace(declaration, action=ranged(table, own, aimed(table, action, own, "S2E-X4")))
    return _plan_sensors(table, declaration)


def _used(draft: Draft, task: Task) -> None:
    use_effects(draft, "sensors_calibrated", ship_of(draft, task).ship_id)


def _calibrate(draft: Draft, actor_id: str, action: Action) -> None:
    ship = minor_at(draft, actor_id, action)
    role = CalibrationUse.TRAIT.value if action.effect == CalibrationUse.TRAIT else ""
    begin_effect(draft, replace(_blank("sensors_calibrated", actor_id, ship.ship_id), role=role, note=action.note))


def _launch(draft: Draft, actor_id: str, action: Action) -> None:
    ship = minor_at(draft, actor_id, action)
    if action.at_range is Range.EXTREME:
        raise Refusal("S2E-X2", "A probe reaches to Long range; choose a zone within it.")
    if effects_named(draft.table, "probe_out", target_id=ship.ship_id):
        raise Refusal("S2E-X2", "A probe is out already; use that one, or end it first.")
    require_named(draft.table, ship.ship_id, action.zone_id)
    probe = replace(_blank("probe_out", actor_id, ship.ship_id), note=action.note, ends=EffectEnd.SCENE)
    begin_effect(draft, replace(probe, zone_id=action.zone_id))


def _blank(name: str, owner_id: str, target_id: str) -> LastingEffect:
    return LastingEffect(effect_id="", name=name, owner_id=owner_id, target_id=target_id, ends=EffectEnd.USED)


def _revealed(draft: Draft, task: Task) -> None:
    shown = _blank("revealed", task.declaration.character_id, action_of(task.declaration).target_id)
    begin_effect(draft, replace(shown, amount=REVEALED_DIFFICULTY, ends=EffectEnd.SCENE))


def _weakness(draft: Draft, task: Task) -> None:
    """S2E-X4: for the next attack on the ship that was scanned."""
    pierces = action_of(task.declaration).effect == Weakness.PIERCING
    found = replace(
        _blank("weakness_found", task.declaration.character_id, ship_of(draft, task).ship_id),
        amount=SCAN_PIERCING if pierces else SCAN_DAMAGE,
        role=Weakness.PIERCING.value if pierces else "",
        against_id=action_of(task.declaration).target_id,
        ends=EffectEnd.NEXT_ATTACK,
    )
    begin_effect(draft, found)


_CALIBRATED: Final = FieldRow(
    name="effect",
    optional=True,
    labels=(
        (CalibrationUse.REROLL.value, say("A d20 is thrown again")),
        (CalibrationUse.TRAIT.value, say("A trait is ignored")),
    ),
    asked=say("What the calibration gives"),
)
"""What calibrated sensors give to the next Task (S2E-X1)."""


_GIVEN: Final = FieldRow(
    name="effect",
    optional=True,
    labels=((Weakness.DAMAGE.value, say("2 more damage")), (Weakness.PIERCING.value, say("Piercing 2"))),
    asked=say("What the weakness gives"),
)
"""What a weakness that was found gives to an attack."""


def _within_long(_: Table, __: str) -> tuple[str, ...]:
    """S2E-X3: Reveal reaches to Long range."""
    return tuple(one for one in Range if one is not Range.EXTREME)


_TO_LONG: Final = FieldRow(name="at_range", optional=True, those=_within_long, asked=say("Distance"))
"""How far away a hidden ship is that is to be revealed."""


ROWS: Final = (
    station_row("calibrate_sensors", say("Calibrate Sensors"), fields=(_CALIBRATED,), perform=_calibrate),
    station_row("launch_probe", say("Launch Probe"), to_zone=True, unasked=("at_range",), perform=_launch),
    station_row(
        "reveal", say("Reveal"), needs=("target_id", "at_range"), fields=(SHIP, _TO_LONG), plan=_plan_reveal,
        pay=_used, result=_revealed,
    ),
    station_row(
        "scan_for_weakness", say("Scan for Weakness"), needs=("target_id", "at_range", "effect"),
        fields=(ONLY_SHIP, _GIVEN), plan=_plan_scan, pay=_used, result=_weakness,
    ),
    station_row(
        "sensor_sweep", say("Sensor Sweep"), needs=("at_range",), to_zone=True, unasked=("target_id",),
        plan=_plan_sensors, pay=_used,
    ),
)  # fmt: skip
"""The actions of sensors (S2E-X1 to S2E-X5)."""
