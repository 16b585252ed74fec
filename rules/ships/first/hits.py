"""What a hit on a ship does, step by step: its system, damage, Resistance, Shields, and all that follows (SATK, SDMG).

In: attacks that struck, a core that explodes, what Persistent leaves. Out: steps of the agenda, and ships' new states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rules.conflict.chain import MAIN
from rules.conflict.damage import Hit, half_rounded_up
from rules.conflict.events import AttackChanged, Struck
from rules.conflict.lasting import EffectBegan, end_one
from rules.deciding.agenda import ask_for_dice, finish_step, plan_last, plan_next
from rules.deciding.checks import find_ship
from rules.deciding.decision import Draft, StepRow
from rules.dice import DieKind
from rules.errors import Refusal
from rules.ships.bridge import state_with
from rules.ships.events import SystemStruck
from rules.ships.first.breaching import breach, breach_whole
from rules.ships.first.events import ShipHitSettled
from rules.ships.first.numbers import persistence, resolve_ship_hit, spread
from rules.ships.first.power import lose
from rules.ships.hits import amount_among, resistance_of
from rules.ships.numbers import system_hit
from rules.ships.places import sheltered
from rules.ships.systems import is_counted_whole
from rules.state.changing import replace
from rules.state.conflict import Action, Attack, LastingEffect, Step
from rules.state.glossary import SPEND_WORDS
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import EffectEnd, StepKind, System
from rules.tasks.challenge import MOST_POINTS, challenge_result
from rules.words import NOTHING, Phrase, capitalized, say, worded

BESIDE: Final = "beside"
"""A hit with the whole damage on another ship: in an area, or around an exploding core (SWPN-1, WCB-1)."""


HALF: Final = "half"
"""A further hit on the same ship, whose damage is known already (SWPN-5, MOM-10, C-69)."""


DEVASTATING_BOUGHT: Final = "devastating_attack"
"""The mark of an attack for which a Devastating Attack was bought."""


def trait_amount(attack: Attack, name: str) -> int:
    """The number X of one of an attack's effects or qualities, 1 where it has none of its own, 0 without it."""
    return amount_among((*attack.effects, *attack.qualities), name)


def whole_damage(attack: Attack) -> tuple[int, int]:
    """An attack's damage before Resistance, Vicious and Bonus Damage included, and its Effects (C-69)."""
    result = challenge_result(attack.faces)
    vicious = trait_amount(attack, "vicious") * result.effects
    return result.total + vicious + attack.bonus_damage, result.effects


def open_attack(
    draft: Draft,
    *,
    attacker: Ship | None,
    action: Action,
    dice: int,
    target_id: str,
    effects: Sequence[str] = (),
    qualities: Sequence[str] = (),
    system: System | None = None,
    bonus_damage: int = 0,
    reason: str = "",
) -> None:
    """Let an attack strike: the system is found, then the damage thrown, then what is bought for it (SATK-2, C-61)."""
    attack = new_attack(
        draft,
        attacker=attacker,
        action=action,
        dice=dice,
        effects=effects,
        qualities=qualities,
        bonus_damage=bonus_damage,
        reason=reason,
    )
    by_id = attacker.ship_id if attacker is not None else ""
    target = find_ship(draft.table, target_id)
    if attacker is not None:
        draft.record(Struck(attacker=attacker.name, name=target.name, hazard=False, attack=attack))
    else:
        begin_attack(draft, attack)
    system_die, *rest = hit_steps(draft.table, target, by_id, name=MAIN, system=system)
    damage = Step(kind=StepKind.SHIP_DAMAGE_DICE, subject_id=target_id, by_id=by_id, count=dice)
    choose = Step(kind=StepKind.CHOOSE_SHIP_DAMAGE, subject_id=target_id, by_id=by_id)
    done = Step(kind=StepKind.SHIP_ATTACK_DONE, by_id=by_id)
    plan_last(draft, system_die, damage, *rest[:-1], choose, rest[-1], done)


def begin_attack(draft: Draft, attack: Attack) -> None:
    """Put an attack in hand where no event names what strikes; its steps are the caller's to plan."""
    draft.record(AttackChanged(attack=attack, next_number=attack.number + 1))


def new_attack(
    draft: Draft,
    *,
    attacker: Ship | None,
    action: Action,
    dice: int,
    effects: Sequence[str] = (),
    qualities: Sequence[str] = (),
    bonus_damage: int = 0,
    reason: str = "",
) -> Attack:
    """An attack, for the event that puts it in hand."""
    return Attack(
        number=draft.table.next_number,
        action=action,
        attacker_id=attacker.ship_id if attacker is not None else "",
        attacker=reason or (attacker.name if attacker is not None else ""),
        npc=attacker is not None and attacker.crew is not None,
        dice=dice,
        effects=tuple(effects),
        qualities=tuple(qualities),
        bonus_damage=bonus_damage,
    )


def hit_steps(
    table: Table, target: Ship, by_id: str, *, name: str, system: System | None = None, damage: int = 0
) -> tuple[Step, ...]:
    """The steps of a hit: its system, its Resistance, what it does. `damage` is known for a `HALF`."""
    found = Step(
        kind=StepKind.SYSTEM_DIE, subject_id=target.ship_id, by_id=by_id, system=system, name=name, count=damage
    )
    settle = replace(found, kind=StepKind.SETTLE_SHIP_HIT)
    dice = sheltered(table, target).state.resistance_dice
    if not dice:
        return (found, settle)
    return (found, replace(found, kind=StepKind.SHIP_RESISTANCE_DICE, count=dice), settle)


def with_found(draft: Draft, **changes: Any) -> tuple[Step, ...]:  # noqa: ANN401 - fields of `Step`
    """The agenda with what a step found out, which is for the next hit to be settled."""
    steps = list(draft.table.agenda)
    place = next(at for at, one in enumerate(steps) if one.kind is StepKind.SETTLE_SHIP_HIT)
    steps[place] = replace(steps[place], **changes)
    return tuple(steps)


def change_attack(draft: Draft, **changes: Any) -> Attack:  # noqa: ANN401 - fields of `Attack`
    """Change the attack in hand; the attack as it is then."""
    attack = require_attack(draft.table)
    draft.record(AttackChanged(attack=replace(attack, **changes), next_number=draft.table.next_number))
    return require_attack(draft.table)


def thrower(attack: Attack) -> str:
    """Who throws an attack's dice; empty for a hazard or a core, which is nobody's to throw for."""
    return attack.attacker if attack.attacker_id else ""


def require_attack(table: Table) -> Attack:
    """The attack in hand. Refuses when there is none."""
    if table.attack is None:
        raise Refusal("SATK-1", "No attack is in hand; fire first.")
    return table.attack


# --- which system -------------------------------------------------------------------------------------------


def _begin_system(draft: Draft, step: Step) -> None:
    """SATK-2: a d20 says which system is hit, unless one was aimed at, or the ship's Breaches are counted in one."""
    target = find_ship(draft.table, step.subject_id)
    if step.system is not None:
        _struck(draft, target, step.system, 0)
    elif is_counted_whole(draft.table, target) or target.state.destroyed:
        finish_step(draft)
    else:
        ask_for_dice(
            draft,
            DieKind.D20,
            1,
            who=thrower(require_attack(draft.table)),
            why=say("where {target} is hit", target=target.name),
        )


def _which_hit(table: Table, step: Step) -> Phrase:
    """SWPN-5, MOM-10: a further hit on the same ship, with its damage and what brings it; of both, Spread is first."""
    if step.name != HALF or table.attack is None:
        return NOTHING
    last = all(one.kind is not StepKind.SYSTEM_DIE or one.name != HALF for one in table.agenda[1:])
    bought = last and DEVASTATING_BOUGHT in table.attack.once
    by = worded(SPEND_WORDS["devastating_attack"]) if bought else capitalized(worded("spread"))
    return say("A further hit, by {by}: {damage} damage before Resistance.", by=by, damage=step.count)


def _count_system(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    face = int(thrown[0].face)
    _struck(draft, find_ship(draft.table, step.subject_id), system_hit(face), face)


def _struck(draft: Draft, target: Ship, system: System, face: int) -> None:
    steps = with_found(draft, system=system)
    draft.record(SystemStruck(ship_id=target.ship_id, name=target.name, system=system, face=face, steps=steps))
    finish_step(draft)


# --- what it does -------------------------------------------------------------------------------------------


def _settle(draft: Draft, step: Step) -> None:
    ship, attack = find_ship(draft.table, step.subject_id), require_attack(draft.table)
    if ship.state.destroyed:
        finish_step(draft)
        return
    effects = challenge_result(attack.faces).effects
    hit = _resolved(draft.table, ship, attack, step)
    after = apply_hit(draft, ship, hit, step.system, attack)
    if step.name == MAIN:
        after += _further_hits(draft, ship, attack, step, effects)
    if step.name != HALF:
        _effects_of(draft, ship, attack, step, effects)
    plan_next(draft, *after)
    finish_step(draft)


def foreseen_ship_hit(table: Table) -> Hit | None:
    """What the hit on a ship does whose damage waits to be settled, if no more is bought; None where none waits."""
    steps = table.agenda[:2]
    if table.attack is None or [one.kind for one in steps] != [
        StepKind.CHOOSE_SHIP_DAMAGE,
        StepKind.SETTLE_SHIP_HIT,
    ]:
        return None
    return _resolved(table, find_ship(table, steps[1].subject_id), table.attack, steps[1])


def _resolved(table: Table, ship: Ship, attack: Attack, step: Step) -> Hit:
    """SDMG-1; a hit whose damage is known meets its own Resistance, pierced as the first was (C-69).

    Damage that is no Challenge Dice's at all has no Effects, and pierces by its number once.
    """
    resistance, effects = resistance_of(table, ship), challenge_result(attack.faces).effects
    piercing = trait_amount(attack, "piercing")
    if step.name != HALF and attack.dice:
        return resolve_ship_hit(
            attack.faces,
            scale=resistance,
            shields_before=ship.state.shields,
            resistance_faces=step.faces,
            vicious=trait_amount(attack, "vicious"),
            piercing=piercing,
            bonus_damage=attack.bonus_damage,
            penetration=attack.penetration,
            high_yield=_yields(attack, ship, step.system),
        )
    whole = resistance + challenge_result(step.faces).total
    return resolve_ship_hit(
        (),
        scale=max(0, whole - piercing * (effects if attack.dice else 1)),
        shields_before=ship.state.shields,
        bonus_damage=step.count if step.name == HALF else attack.bonus_damage,
        penetration=attack.penetration,
        high_yield=_yields(attack, ship, step.system),
    )


def most_resistance(table: Table) -> int:
    """The highest Resistance, Piercing taken off, that the attack in hand may meet: dice not thrown yet at their best.

    Of the ship that is hit, of its further hits, and of those that its area may take in (SDMG-1, SWPN-1, SWPN-5).
    """
    attack = require_attack(table)
    effects = challenge_result(attack.faces).effects
    met = []
    for one in table.agenda:
        if one.kind is StepKind.SETTLE_SHIP_HIT:
            ship = find_ship(table, one.subject_id)
            met.append(resistance_of(table, ship) + challenge_result(one.faces).total)
            if DEVASTATING_BOUGHT in attack.once or (trait_amount(attack, "spread") and effects):
                met.append(_best_resistance(table, ship))
    if trait_amount(attack, "area") and effects:
        met += [_best_resistance(table, one) for one in table.ships if not one.state.destroyed]
    return max(0, max(met, default=0) - trait_amount(attack, "piercing") * effects)


def _best_resistance(table: Table, ship: Ship) -> int:
    return resistance_of(table, ship) + MOST_POINTS * sheltered(table, ship).state.resistance_dice


def _yields(attack: Attack, ship: Ship, system: System | None) -> bool:
    """SQUAL-4, C-68: each system that suffers a Breach from the attack suffers one more, once."""
    return bool(trait_amount(attack, "high_yield")) and _yield_mark(ship, system) not in attack.once


def _yield_mark(ship: Ship, system: System | None) -> str:
    return f"high_yield:{ship.ship_id}:{system or ''}"


def apply_hit(draft: Draft, ship: Ship, hit: Hit, system: System | None, attack: Attack | None) -> list[Step]:
    """Shields fall, Breaches come, what lasts until damage ends (SDMG-1, SDMG-2); the steps that follow."""
    total_resistance = hit.total_resistance
    whole = is_counted_whole(draft.table, ship)
    draft.record(
        ShipHitSettled(
            ship_id=ship.ship_id,
            name=ship.name,
            system=None if whole else system,
            damage=hit.damage,
            resistance=total_resistance,
            shields=hit.track_after,
            shields_max=ship.state.shields_max,
            breaches=hit.wounds,
            state=state_with(draft, ship.ship_id, shields=hit.track_after),
        )
    )
    if hit.damage:
        for one in draft.table.effects:
            if one.ends is EffectEnd.DAMAGED and one.target_id == ship.ship_id:
                end_one(draft, one, say("the ship is damaged"))
    if not hit.wounds:
        return []
    if attack is not None and _yields(attack, ship, system):
        attack = change_attack(draft, once=(*attack.once, _yield_mark(ship, system)))
    if whole:
        return breach_whole(draft, ship.ship_id, hit.wounds)
    devastating = attack is not None and bool(trait_amount(attack, "devastating"))
    return breach(draft, ship.ship_id, system or System.STRUCTURE, hit.wounds, devastating=devastating)


def _further_hits(draft: Draft, ship: Ship, attack: Attack, step: Step, effects: int) -> list[Step]:
    """SWPN-5, MOM-10, SWPN-1: hits on other systems for half the damage, then other ships."""
    whole, _ = whole_damage(attack)
    change_attack(draft, damage_done=whole)
    later: list[Step] = []
    if trait_amount(attack, "spread"):
        more = spread(whole, effects)
        for _ in range(more.extra_hits):
            later += hit_steps(draft.table, ship, step.by_id, name=HALF, damage=more.damage)
    if DEVASTATING_BOUGHT in attack.once:
        later += hit_steps(draft.table, ship, step.by_id, name=HALF, damage=half_rounded_up(whole))
    if trait_amount(attack, "area") and effects:
        later.append(
            Step(kind=StepKind.SHIP_TARGETS, subject_id=ship.ship_id, by_id=step.by_id, name="area", count=effects)
        )
    return later


def _effects_of(draft: Draft, ship: Ship, attack: Attack, step: Step, effects: int) -> None:
    """CD-3, SWPN-2, SWPN-3: Dampening takes Power for each Effect, Persistent damages again for as many Rounds."""
    if not effects:
        return
    if trait_amount(attack, "dampening"):
        lose(draft, ship.ship_id, effects, say("Dampening"))
    lasts = persistence(trait_amount(attack, "persistent"), effects)
    if trait_amount(attack, "persistent"):
        number = draft.table.next_number
        burning = LastingEffect(
            effect_id=f"effect-{number}",
            name="persistent_damage",
            owner_id=attack.attacker_id or ship.ship_id,
            target_id=ship.ship_id,
            amount=lasts.damage_per_round,
            rounds_left=lasts.rounds,
            role=step.system or "",
            ends=EffectEnd.USED,
        )
        # each hit burns on by itself, so that a second one does not renew the first
        draft.record(EffectBegan(effect=burning, next_number=number + 1))


def _begin_done(draft: Draft, _: Step) -> None:
    """Every hit of the attack is settled (C-61)."""
    draft.record(AttackChanged(attack=None, next_number=draft.table.next_number))
    finish_step(draft)


STEPS: Final = (
    StepRow(kind=StepKind.SYSTEM_DIE, begin=_begin_system, count=_count_system, beside=_which_hit),
    StepRow(kind=StepKind.SETTLE_SHIP_HIT, begin=_settle),
    StepRow(kind=StepKind.SHIP_ATTACK_DONE, begin=_begin_done),
)
"""The steps of a hit on a ship."""
