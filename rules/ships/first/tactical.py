"""Tactical: fire, Shields, the tractor beam; and ramming, which strikes like a weapon (STN-16, STN-20 to STN-22).

In: Tasks of tactical and the helm. Out: attacks that strike, and what holds for a ship.
"""

from __future__ import annotations

from typing import Final

from rules.conflict.chain import MAIN
from rules.conflict.helping import action_of
from rules.conflict.lasting import begin_effect, effects_named
from rules.conflict.positions import zone_of
from rules.deciding.agenda import finish_step, plan_last, plan_next
from rules.deciding.checks import find_ship, profile
from rules.deciding.decision import ActionRow, Draft, StepRow
from rules.errors import Refusal
from rules.ships.among import SHIP, WEAPON
from rules.ships.bridge import acting_ship, for_ship, ship_of, target_ship, times_bought, use_effects
from rules.ships.first.events import BonusMomentumGained
from rules.ships.first.hits import begin_attack, hit_steps, new_attack, open_attack
from rules.ships.first.holding import pattern_bonus
from rules.ships.first.numbers import shot_penalties
from rules.ships.first.stations import complete, station_row
from rules.ships.numbers import WEAPON_DIFFICULTY
from rules.ships.places import FIRES_AND_MOVES_TO, fly_to
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
from rules.ships.stations import modulated_resistance, ramming, station_action
from rules.state.changing import replace
from rules.state.conflict import Action, Step
from rules.state.glossary import RANGE_WORDS
from rules.state.people import WeaponTrait
from rules.state.ships import Ship, ShipWeapon
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier, Task
from rules.state.vocabulary import ActionScope, EffectEnd, Range, Spend, StepKind
from rules.tasks.pools import bonus_momentum
from rules.words import say

FIRE: Final = "fire_weapon"
"""The name of the action that fires a ship's weapon."""


RAM_EFFECTS: Final = ("spread", "vicious:1", "devastating")
"""The effects of both hits of ramming (STN-16)."""


def trait_name(trait: WeaponTrait) -> str:
    """An effect's or quality's name as the rules compare it."""
    return trait.name.strip().casefold().replace(" ", "_").replace("-", "_")


def traits_of(traits: tuple[WeaponTrait, ...]) -> tuple[str, ...]:
    """Effects or qualities as an attack carries them: "name" or "name:X"."""
    return tuple(f"{trait_name(one)}:{one.amount}" if one.amount else trait_name(one) for one in traits)


def weapon_trait(weapon: ShipWeapon, name: str) -> int:
    """The number X of one of a weapon's effects or qualities, 1 where it has none of its own, 0 without it."""
    return next((one.amount or 1 for one in (*weapon.effects, *weapon.qualities) if trait_name(one) == name), 0)


# --- Fire ---------------------------------------------------------------------------------------------------


def _plan_fire(table: Table, declaration: Declaration) -> Declaration:
    """SATK-1, SQUAL-1: the weapon's Difficulty, an aimed shot, range; Calibration needs Prepare in the same Turn."""
    action = action_of(declaration)
    ship = acting_ship(table, declaration.character_id, action)
    target = target_ship(table, action, ship)
    weapon = weapon_of(table, ship, action.weapon)
    require_evasion(table, target, action)
    if weapon_trait(weapon, "calibration") and not effects_named(
        table, "ship_prepared", owner_id=declaration.character_id, target_id=ship.ship_id
    ):
        raise Refusal("SQUAL-1", "{weapon} needs Prepare in the same Turn; prepare first.", weapon=weapon.name)
    done = complete(
        table,
        declaration,
        difficulty=WEAPON_DIFFICULTY[weapon.kind],
        modifiers=(*_penalties(table, action, weapon), *attack_modifiers(table, ship, target)),
        opposed=is_opposed(table, target, declaration.character_id),
    )
    return replace(done, action=replace(action, ship_id=ship.ship_id, weapon=weapon.name))


def _penalties(table: Table, action: Action, weapon: ShipWeapon) -> tuple[Modifier, ...]:
    """SATK-1, C-52: 1 for an aimed shot, 1 for each band off the weapon's best range, nearer or farther."""
    if not profile(table).range_and_aim_penalties:
        return ()
    system, best = action.system, weapon.optimal_range
    bands, aimed = shot_penalties(action.at_range or best, best, aimed=system is not None)
    found = [Modifier(reason=say("off the weapon's best range"), change=bands)] if bands else []
    if system is not None:
        found.append(Modifier(reason=say("aimed at the {system}", system=system), change=aimed))
    return tuple(found)


def _fire_power(table: Table, _: Declaration) -> int:
    """C-36: none, unless the table plays otherwise, by its house's row or the option."""
    return max(profile(table).fire_power, station_action(FIRE, profile(table)).power)


def _fire_here(row: ActionRow, table: Table, who: str) -> ActionRow:
    """C-36, C-52: its Power by the option, too; the distance counts where the table plays it."""
    there = shot_here(row, table, who)
    return replace(there, power=max(profile(table).fire_power, there.power))


def _pay_fire(draft: Draft, task: Task) -> None:
    """C-52, SQUAL-1: a torpedo's Threat where the table plays it; what was prepared is used up, hit or miss."""
    ship = ship_of(draft, task)
    weapon = weapon_of(draft.table, ship, action_of(task.declaration).weapon)
    pay_torpedo(draft, task, weapon)
    if weapon_trait(weapon, "calibration"):
        use_effects(draft, "ship_prepared", ship.ship_id)


def _fired(draft: Draft, task: Task) -> None:
    ship, action = ship_of(draft, task), action_of(task.declaration)
    weapon = weapon_of(draft.table, ship, action.weapon)
    gain_bonus(draft, ship, task, weapon_trait(weapon, "versatile"))
    piercing, more_damage = _weakness(draft, ship, action.target_id)
    effects = [one for one in traits_of(weapon.effects) if not one.startswith("piercing")]
    piercing += weapon_trait(weapon, "piercing")
    if piercing:
        effects.append(f"piercing:{piercing}")
    open_attack(
        draft,
        attacker=ship,
        action=action,
        dice=weapon.rating,
        target_id=action.target_id,
        effects=effects,
        qualities=[one for one in traits_of(weapon.qualities) if not one.startswith("piercing")],
        system=action.system,
        bonus_damage=more_damage,
    )


def _weakness(draft: Draft, ship: Ship, target_id: str) -> tuple[int, int]:
    """STN-24, C-49: Piercing, or damage by the second edition's form, that a scan lends to an attack on that target."""
    held = effects_named(draft.table, "weakness_found", target_id=ship.ship_id, against_id=target_id)
    piercing = sum(one.amount for one in held if one.role == "piercing")
    damage = sum(one.amount for one in held if one.role != "piercing")
    use_effects(draft, "weakness_found", ship.ship_id, against_id=target_id)
    damage += use_effects(draft, "weapons_calibrated", ship.ship_id)
    return piercing, damage


def _missed(draft: Draft, task: Task) -> None:
    """Effects on the next attack are used up by a failed one, too."""
    _weakness(draft, ship_of(draft, task), action_of(task.declaration).target_id)


def gain_bonus(draft: Draft, ship: Ship, task: Task, versatile: int) -> None:
    """SQUAL-5, STN-15, POOL-10: bonus Momentum of a success, not of one at a cost."""
    if task.outcome is None or task.outcome.at_cost:
        return
    sources = (
        (versatile, say("a Versatile weapon")),
        (pattern_bonus(draft.table, ship, task.declaration), say("Attack Pattern")),
    )
    for amount, why in sources:
        if not amount:
            continue
        known = draft.table.task or task
        left = bonus_momentum(known.momentum_left, amount, success=True)
        draft.record(BonusMomentumGained(number=task.number, who=task.who, amount=amount, momentum_left=left, why=why))


# --- Ramming Speed ------------------------------------------------------------------------------------------


def _plan_ram(table: Table, declaration: Declaration) -> Declaration:
    action = action_of(declaration)
    ship = acting_ship(table, declaration.character_id, action)
    target_ship(table, action, ship)
    at_range = action.at_range or Range.CLOSE
    far = ramming(at_range, ship.scale).difficulty
    near = ramming(Range.CLOSE, ship.scale).difficulty
    bands = (Modifier(reason=RANGE_WORDS[at_range], change=far - near),) if far > near else ()
    return complete(table, declaration, difficulty=near, modifiers=bands)


def _rammed(draft: Draft, task: Task) -> None:
    """STN-16, C-50: the target takes 2 + Scale dice, then the own ship as many as its Scale; it is there then."""
    ship, action = ship_of(draft, task), action_of(task.declaration)
    there = zone_of(draft.table, action.target_id)
    if there is not None:
        fly_to(draft, ship, there.zone_id)
    dice = ramming(Range.CLOSE, ship.scale)
    open_attack(
        draft,
        attacker=ship,
        action=action,
        dice=dice.target_dice,
        target_id=action.target_id,
        effects=RAM_EFFECTS[:2],
        qualities=RAM_EFFECTS[2:],
    )
    plan_last(
        draft, Step(kind=StepKind.RAM_RECOIL, subject_id=ship.ship_id, by_id=action.target_id, count=dice.own_dice)
    )


def _begin_recoil(draft: Draft, step: Step) -> None:
    ship = find_ship(draft.table, step.subject_id)
    attack = new_attack(
        draft,
        attacker=None,
        action=Action(name="ramming_speed", scope=ActionScope.BRIDGE, ship_id=step.by_id, target_id=ship.ship_id),
        dice=step.count,
        effects=RAM_EFFECTS[:2],
        qualities=RAM_EFFECTS[2:],
        reason=say("The collision"),
    )
    begin_attack(draft, attack)
    system_die, *rest = hit_steps(draft.table, ship, step.by_id, name=MAIN)
    damage = Step(kind=StepKind.SHIP_DAMAGE_DICE, subject_id=ship.ship_id, by_id=step.by_id, count=step.count)
    plan_next(draft, system_die, damage, *rest, Step(kind=StepKind.SHIP_ATTACK_DONE, by_id=step.by_id))
    finish_step(draft)


# --- Shields, the beam --------------------------------------------------------------------------------------


def _modulated(draft: Draft, task: Task) -> None:
    """STN-21, STN-29: Resistance until the ship is damaged."""
    amount = modulated_resistance(times_bought(task, Spend.MORE_RESISTANCE))
    begin_effect(draft, for_ship(draft, task, "resistance_modulated", ends=EffectEnd.DAMAGED, amount=amount))


def _plan_beam(table: Table, declaration: Declaration) -> Declaration:
    action = action_of(declaration)
    target_ship(table, action, acting_ship(table, declaration.character_id, action))
    if action.at_range not in (None, Range.CLOSE):
        raise Refusal("STN-22", "A tractor beam reaches to Close range only; come nearer first.")
    return complete(table, declaration)


def _caught(draft: Draft, task: Task) -> None:
    held = for_ship(draft, task, "beam_held", ends=EffectEnd.SCENE)
    begin_effect(draft, replace(held, owner_id=held.target_id, target_id=action_of(task.declaration).target_id))


ROWS: Final = (
    station_row(
        FIRE, say("Fire Weapon"), needs=("target_id", "weapon", "at_range", "system"),
        fields=(SHIP, WEAPON, SHOT_RANGE, AIMED, FIRES_AND_MOVES_TO), plan=_plan_fire,
        here=_fire_here, price=_fire_power, pay=_pay_fire, struck=_fired, result=shot_over, failed=_missed,
    ),
    station_row(
        "ramming_speed", say("Ramming Speed"), needs=("target_id", "at_range"), fields=(SHIP,), plan=_plan_ram,
        struck=_rammed,
    ),
    station_row("modulate_shields", say("Modulate Shields"), result=_modulated),
    station_row(
        "tractor_beam", say("Tractor Beam"), needs=("target_id",), fields=(SHIP,), unasked=("at_range",),
        plan=_plan_beam, result=_caught,
    ),
)  # fmt: skip
"""The actions of tactical, and ramming (STN-16, STN-20 to STN-22)."""


STEPS: Final = (StepRow(kind=StepKind.RAM_RECOIL, begin=_begin_recoil),)
"""The step of what ramming does to the ship that rams (STN-16)."""
