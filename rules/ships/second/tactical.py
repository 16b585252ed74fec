"""Tactical: firing and what makes a shot better, Defensive Fire, Shields and the tractor beam (S2E-T1 to S2E-T7)."""

from __future__ import annotations

from typing import Any, Final

from rules.conflict.helping import action_of
from rules.conflict.lasting import begin_effect, effects_named
from rules.conflict.numbers import bands_between
from rules.deciding.checks import profile
from rules.deciding.decision import ActionRow, Draft, as_printed
from rules.deciding.fields import HARDEST, FieldRow
from rules.errors import Refusal
from rules.ships.among import ONLY_SHIP, SHIP, WEAPON
from rules.ships.bridge import acting_ship, ship_of, target_ship, use_effects
from rules.ships.numbers import SCAN_PIERCING, fire
from rules.ships.orders import set_shields
from rules.ships.places import FIRES_AND_MOVES_TO
from rules.ships.second.events import WeaponsArmed
from rules.ships.second.hits import open_attack
from rules.ships.second.movement import require_movable
from rules.ships.second.numbers import modulate_shields
from rules.ships.second.stations import aimed, complete, minor_at, require_acting, station_row
from rules.ships.shooting import (
    AIMED,
    SHOT_RANGE,
    attack_modifiers,
    is_opposed,
    pay_torpedo,
    require_evasion,
    shot_here,
    shot_over,
    weapon_of,
)
from rules.state.changing import replace
from rules.state.conflict import Action, LastingEffect
from rules.state.people import WeaponTrait
from rules.state.ships import Ship, ShipWeapon
from rules.state.table import Table
from rules.state.tasks import Assistance, Declaration, Modifier, Task
from rules.state.vocabulary import Attribute, Discipline, EffectEnd, Range, RerollReason
from rules.words import capitalized, say

SCAN_DAMAGE: Final = 2
"""Damage that a weakness adds instead (S2E-X4)."""


def _holds(table: Table, name: str, ship: Ship, against: Ship | None = None) -> bool:
    against_id = against.ship_id if against is not None else ""
    return bool(effects_named(table, name, target_id=ship.ship_id, against_id=against_id))


def helm_helps(table: Table, declaration: Declaration, ship: Ship) -> tuple[Assistance, ...]:
    """S2E-H3: the helm assists each attack with Control + Conn, unless it is the helm that attacks."""
    known = {one.character_id for one in declaration.assists} | {declaration.character_id}
    flown = effects_named(table, "pattern_flown", target_id=ship.ship_id)
    at_the_table = {one.character_id for one in table.characters}
    helpers = tuple(
        Assistance(character_id=one.owner_id, attribute=Attribute.CONTROL, discipline=Discipline.CONN, focus=one.focus)
        for one in flown
        if one.owner_id not in known and one.owner_id in at_the_table
    )
    return (*declaration.assists, *helpers)


def plan_fire(table: Table, declaration: Declaration) -> Declaration:
    """S2E-T5. Cover and concealment come as declared: modifiers, or a wider complication range (S2E-9)."""
    action = declaration.action
    if action is None:
        return declaration
    ship = acting_ship(table, declaration.character_id, action)
    target = target_ship(table, action, ship)
    if not ship.state.weapons_armed:
        raise Refusal("S2E-T2", "{ship}'s weapons are safe; arm them first, with Prepare.", ship=ship.name)
    require_evasion(table, target, action)
    if action.zone_id:
        require_movable(table, ship)
    weapon = weapon_of(table, ship, action.weapon)
    solved = _holds(table, "target_solved", ship, target)
    if action.system is not None and not solved and not profile(table).range_and_aim_penalties:
        raise Refusal(
            "S2E-T3",
            "The system is chosen with a Targeting Solution against {target} only; take one first, or let a d20 say.",
            target=target.name,
        )
    modifiers = (*_penalties(table, action, weapon, solved=solved), *attack_modifiers(table, ship, target))
    done = complete(
        table,
        declaration,
        difficulty=fire(weapon.kind).difficulty,
        modifiers=modifiers,
        rerolls=(RerollReason.SHIP_SYSTEM,) if solved and action.system is None else (),
        opposed=is_opposed(table, target, declaration.character_id),
    )
    named = replace(action, ship_id=ship.ship_id, weapon=weapon.name)
    return replace(done, action=named, assists=helm_helps(table, declaration, ship))


def _penalties(table: Table, action: Action, weapon: ShipWeapon, *, solved: bool) -> tuple[Modifier, ...]:
    """Range and an aimed shot, for tables that play the first edition's penalties (C-52)."""
    if not profile(table).range_and_aim_penalties:
        return ()
    bands = bands_between(action.at_range or weapon.optimal_range, weapon.optimal_range)
    found = [Modifier(reason=say("off the weapon's best range"), change=bands)] if bands else []
    if action.system is not None and not solved:
        found.append(Modifier(reason=say("aimed at a system"), change=1))
    return tuple(found)


def _pay_fire(draft: Draft, task: Task) -> None:
    """S2E-T5: a torpedo's Threat; the solution against its target is used up, hit or miss."""
    ship = ship_of(draft, task)
    pay_torpedo(draft, task, weapon_of(draft.table, ship, action_of(task.declaration).weapon))
    use_effects(draft, "target_solved", ship.ship_id, against_id=action_of(task.declaration).target_id)


def _fired(draft: Draft, task: Task) -> None:
    ship, action = ship_of(draft, task), action_of(task.declaration)
    begin_hit(draft, ship, action, action.target_id)


def begin_hit(draft: Draft, ship: Ship, action: Action, target_id: str) -> None:
    """Let a ship's weapon strike, with calibrations and a found weakness of its target (S2E-10)."""
    weapon = weapon_of(draft.table, ship, action.weapon)
    flat = weapon.rating + use_effects(draft, "weapons_calibrated", ship.ship_id)
    traits = [_quality(one) for one in (*weapon.effects, *weapon.qualities)]
    for one in effects_named(draft.table, "weakness_found", target_id=ship.ship_id, against_id=target_id):
        if one.role == "piercing":
            traits = [name for name in traits if not name.startswith("piercing")]
            traits.append(f"piercing:{one.amount + _piercing(weapon)}")
        else:
            flat += one.amount
    use_effects(draft, "weakness_found", ship.ship_id, against_id=target_id)
    open_attack(
        draft,
        attacker=ship,
        action=action,
        flat=flat,
        target_id=target_id,
        qualities=tuple(traits),
        system=action.system if action.target_id == target_id else None,
    )


def _piercing(weapon: ShipWeapon) -> int:
    return sum(one.amount or SCAN_PIERCING for one in (*weapon.effects, *weapon.qualities) if _name(one) == "piercing")


def _name(trait: WeaponTrait) -> str:
    return trait.name.strip().casefold().replace(" ", "_").replace("-", "_")


def _quality(trait: WeaponTrait) -> str:
    amount = trait.amount or (SCAN_PIERCING if _name(trait) == "piercing" else 0)
    return f"{_name(trait)}:{amount}" if amount else _name(trait)


def _missed(draft: Draft, task: Task) -> None:
    """Effects on the next attack are used up by a failed one, too."""
    ship = ship_of(draft, task)
    use_effects(draft, "weapons_calibrated", ship.ship_id)
    use_effects(draft, "weakness_found", ship.ship_id, against_id=action_of(task.declaration).target_id)


# --- for the next attack ------------------------------------------------------------------------------------


def _for_next_attack(draft: Draft, actor_id: str, ship: Ship, name: str, **fields: Any) -> None:  # noqa: ANN401 - fields of `LastingEffect`
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name=name,
            owner_id=actor_id,
            target_id=ship.ship_id,
            ends=EffectEnd.NEXT_ATTACK,
            **fields,
        ),
    )


def _calibrate_weapons(draft: Draft, actor_id: str, action: Action) -> None:
    _for_next_attack(draft, actor_id, minor_at(draft, actor_id, action), "weapons_calibrated", amount=1)


def _targeting_solution(draft: Draft, actor_id: str, action: Action) -> None:
    """S2E-T3: for the next attack on one ship, which is named, or is the only other one that is there."""
    if action.at_range is Range.EXTREME:
        raise Refusal("S2E-T3", "A Targeting Solution reaches to Long range; come nearer first.")
    ship = minor_at(draft, actor_id, action)
    target_id = aimed(draft.table, action, ship, "S2E-T3").target_id
    _for_next_attack(draft, actor_id, ship, "target_solved", against_id=target_id)


# --- Prepare ------------------------------------------------------------------------------------------------

RAISE, LOWER, ARM, SAFE = say("raise shields"), say("lower shields"), say("arm weapons"), say("make weapons safe")
"""The words of `Action.note` by which tactical says what it prepares (S2E-6, S2E-T2)."""


PREPARATIONS: Final = (RAISE, LOWER, ARM, SAFE)
"""All of these; other words prepare something else (S2E-6, S2E-T2)."""


def _prepare(draft: Draft, actor_id: str, action: Action) -> None:
    note = action.note.strip().casefold()
    if note not in PREPARATIONS:
        _prepare_something(draft, actor_id, action)
        return
    ship = minor_at(draft, actor_id, action)
    state = ship.state
    if note in (RAISE, LOWER):
        _set_shields(draft, ship, raised=note == RAISE)
        return
    if state.weapons_armed is (note == ARM):
        if note == ARM:
            raise Refusal("S2E-T2", "{ship}'s weapons are armed already.", ship=ship.name)
        raise Refusal("S2E-T2", "{ship}'s weapons are safe already.", ship=ship.name)
    armed = replace(state, weapons_armed=note == ARM)
    draft.record(WeaponsArmed(ship_id=ship.ship_id, name=ship.name, armed=note == ARM, state=armed))


def _prepare_something(draft: Draft, actor_id: str, action: Action) -> None:
    """S2E-6: anyone may prepare what needs it, such as going to warp (S2E-4)."""
    ship = acting_ship(draft.table, actor_id, action)
    require_acting(ship, action.name)
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name="bridge_prepared",
            owner_id=actor_id,
            target_id=ship.ship_id,
            note=action.note,
            ends=EffectEnd.OWNER_NEXT_TURN,
        ),
    )


def _set_shields(draft: Draft, ship: Ship, *, raised: bool) -> None:
    """Lowered Shields are 0; raised ones are what they were (SHIP-10)."""
    if ship.state.shields_raised is raised:
        if raised:
            raise Refusal("S2E-T2", "{ship}'s Shields are raised already.", ship=ship.name)
        raise Refusal("S2E-T2", "{ship}'s Shields are lowered already.", ship=ship.name)
    set_shields(draft, ship, RAISE if raised else LOWER, raised=raised)


# --- for the ship -------------------------------------------------------------------------------------------


def _plan_modulate(table: Table, declaration: Declaration) -> Declaration:
    if declaration.action is not None:
        modulate_shields(acting_ship(table, declaration.character_id, declaration.action).state.shields)
    return complete(table, declaration)


def _modulated(draft: Draft, task: Task) -> None:
    ship = ship_of(draft, task)
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name="shields_modulated",
            owner_id=task.declaration.character_id,
            target_id=ship.ship_id,
            amount=modulate_shields(ship.state.shields),
            ends=EffectEnd.OWNER_NEXT_TURN,
        ),
    )


def _plan_beam(table: Table, declaration: Declaration) -> Declaration:
    action = declaration.action
    if action is not None:
        target_ship(table, action, acting_ship(table, declaration.character_id, action))
        if action.at_range not in (None, Range.CLOSE):
            raise Refusal("S2E-T7", "A tractor beam reaches to Close range only; come nearer first.")
        if action.level is not None and action.level > HARDEST:
            raise Refusal("TASK-2", "Difficulty goes from 0 to {most} here; choose one of these.", most=HARDEST)
    return complete(table, declaration)


def _caught(draft: Draft, task: Task) -> None:
    """S2E-T7: held until it breaks free. The beam's strength is the Scale, unless the gamemaster named another."""
    ship, action = ship_of(draft, task), action_of(task.declaration)
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name="beam_held",
            owner_id=ship.ship_id,
            target_id=action.target_id,
            amount=action.level if action.level is not None else ship.scale,
            ends=EffectEnd.SCENE,
        ),
    )


def _preparation(words: str) -> ActionRow:
    """One of tactical's preparations as an action by its own name: "raise_shields"."""

    def perform(draft: Draft, actor_id: str, action: Action) -> None:
        _prepare(draft, actor_id, replace(action, name="prepare", note=words))

    row = station_row("prepare", capitalized(words), here=as_printed, perform=perform)
    return replace(row, name=words.replace(" ", "_"))


_PREPARED: Final = FieldRow(
    name="note",
    optional=True,
    labels=tuple((words, capitalized(words)) for words in PREPARATIONS),
    free=True,
    asked=say("What about"),
)
"""What is prepared (S2E-T2)."""


ROWS: Final = (
    station_row(
        "fire", say("Fire"), needs=("target_id", "weapon", "at_range", "system"),
        fields=(SHIP, WEAPON, SHOT_RANGE, AIMED, FIRES_AND_MOVES_TO), here=shot_here, plan=plan_fire, pay=_pay_fire,
        struck=_fired, result=shot_over, failed=_missed,
    ),
    station_row("calibrate_weapons", say("Calibrate Weapons"), perform=_calibrate_weapons),
    station_row(
        "targeting_solution", say("Targeting Solution"), needs=("target_id",), fields=(ONLY_SHIP,),
        perform=_targeting_solution,
    ),
    station_row("prepare", say("Prepare"), needs=("note",), fields=(_PREPARED,), perform=_prepare),
    *(_preparation(words) for words in PREPARATIONS),
    station_row("modulate_shields", say("Modulate Shields"), plan=_plan_modulate, result=_modulated),
    station_row(
        "tractor_beam", say("Tractor Beam"), needs=("target_id",), fields=(SHIP,), unasked=("at_range", "level"),
        plan=_plan_beam, result=_caught,
    ),
)  # fmt: skip
"""The actions of tactical (S2E-T1 to S2E-T3, S2E-T5 to S2E-T7)."""
