"""An attack's chain, step by step: damage, cover, what is bought, each target's hit, until all is settled (DMG, EFF).

In: attacks and hazards that strike. Out: steps that ask for their dice, hits that change bodies, Injuries to settle.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rules import commands_fighting as cf
from rules import events_conflict as ec
from rules import events_fighting as ef
from rules.challenge import challenge_result
from rules.damage import Hit, half_rounded_down, resolve_flat
from rules.deciding.agenda import ask_for_dice, finish_step, plan_last, plan_next, require_step
from rules.deciding.draft import (
    Draft,
    find_character,
    profile,
    require_nothing_open,
    require_ready,
    require_text,
)
from rules.deciding.fighting.bodies import body_of, change_body, resistance_of
from rules.deciding.lasting import begin_effect, effects_named, end_one
from rules.deciding.playbook import StepRow
from rules.deciding.settling import pay_from_task, record_spend
from rules.dice import DieKind, as_challenge_face
from rules.errors import Refusal
from rules.pools import spend_cost, spend_rule
from rules.rerolls import chosen_positions, replace_faces
from rules.state import Character, SpendMade, Table, Task, ThrownDie
from rules.state_conflict import Action, Attack, LastingEffect, Step
from rules.vocabulary import EffectEnd, InjuryState, Spend, StepKind
from rules.weapons import EFFECTS

COVER: Final = "cover"
"""What lasts while somebody is behind cover: its Challenge Dice are the amount (DMG-2)."""

MOST_DICE: Final = 20
"""Challenge Dice of a hazard or of cover at most; more is a slip of the finger."""

MAIN, SECONDARY, AREA = "main", "secondary", "area"
"""Whose hit it is: the target's, a Secondary Target's half, another one's in the Area."""

_REROLL: Final = "reroll_damage"


def amount(names: tuple[str, ...], wanted: str) -> int:
    """The number of an effect among "name" and "name:X"; 1 where it has none, 0 where it is not among them."""
    for one in names:
        name, _, number = one.partition(":")
        if name == wanted:
            return int(number) if number else 1
    return 0


def attack_of(table: Table) -> Attack:
    """The attack in hand. Refuses when there is none."""
    if table.attack is None:
        raise Refusal("ATK-1", "No attack is being settled; strike first.")
    return table.attack


def _change_attack(draft: Draft, attack: Attack | None) -> None:
    draft.record(ec.AttackChanged(attack=attack, next_number=draft.table.next_number))


def open_attack(
    draft: Draft,
    *,
    action: Action,
    attacker: Character | None,
    dice: int,
    effects: tuple[str, ...] = (),
    qualities: tuple[str, ...] = (),
    reason: str = "",
) -> None:
    """Let an attack or a hazard strike: its damage is thrown first (DMG-1)."""
    number = draft.table.next_number
    attack = Attack(
        number=number,
        action=action,
        attacker_id=attacker.character_id if attacker is not None else "",
        attacker=attacker.name if attacker is not None else reason,
        npc=attacker is not None and attacker.standing.value != "player",
        dice=dice,
        effects=effects,
        qualities=qualities,
    )
    draft.record(ec.AttackChanged(attack=attack, next_number=number + 1))
    steps = (StepKind.DAMAGE_DICE, StepKind.COVER_DICE, StepKind.CHOOSE_DAMAGE, StepKind.SETTLE_HIT)
    plan_last(
        draft,
        *(Step(kind=kind, subject_id=action.target_id, by_id=attack.attacker_id, name=MAIN) for kind in steps),
        Step(kind=StepKind.AREA_TARGETS, subject_id=action.target_id, by_id=attack.attacker_id, name=AREA),
        Step(kind=StepKind.ATTACK_DONE, by_id=attack.attacker_id),
    )


# --- damage and cover ---------------------------------------------------------------------------------------


def _begin_damage(draft: Draft, _: Step) -> None:
    attack = attack_of(draft.table)
    who = attack.attacker if attack.attacker_id else ""
    ask_for_dice(draft, DieKind.CHALLENGE, attack.dice, who=who, why="Damage")


def _count_damage(draft: Draft, _: Step, thrown: tuple[ThrownDie, ...]) -> None:
    attack = attack_of(draft.table)
    faces = tuple(as_challenge_face(one.kind, one.face) for one in thrown)
    _change_attack(draft, replace(attack, faces=faces))
    _tell_damage(draft)
    finish_step(draft)


def _tell_damage(draft: Draft) -> None:
    attack = attack_of(draft.table)
    effects = challenge_result(attack.faces).effects
    total = whole_damage(attack)
    draft.record(ef.DamageCounted(attacker=attack.attacker, faces=attack.faces, total=total, effects=effects))


def whole_damage(attack: Attack) -> int:
    """Damage before Resistance: dice, Vicious for each Effect, Bonus Damage (DMG-3, EFF-5, MOM-1)."""
    result = challenge_result(attack.faces)
    return result.total + amount(attack.effects, "vicious") * result.effects + attack.bonus_damage


def cover_dice(table: Table, character_id: str) -> int:
    """Challenge Dice of the cover that somebody is behind (DMG-2)."""
    return sum(one.amount for one in effects_named(table, COVER, target_id=character_id))


def _begin_cover(draft: Draft, step: Step) -> None:
    dice = cover_dice(draft.table, step.subject_id)
    if not dice:
        finish_step(draft)
        return
    target = find_character(draft.table, step.subject_id)
    ask_for_dice(draft, DieKind.CHALLENGE, dice, who=target.name, why="Cover")


def _count_cover(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    """DMG-2, C-70: the cover's Resistance goes to the hit on whom it covers."""
    target = find_character(draft.table, step.subject_id)
    faces = tuple(as_challenge_face(one.kind, one.face) for one in thrown)
    result = challenge_result(faces)
    better = sum(one.amount for one in effects_named(draft.table, "recover_cover", target_id=step.subject_id))
    found = result.total + better * result.effects
    draft.record(ef.CoverCounted(name=target.name, resistance=found))
    agenda = tuple(
        replace(one, count=found)
        if one.kind is StepKind.SETTLE_HIT and one.subject_id == step.subject_id and one.name == step.name
        else one
        for one in draft.table.agenda
    )
    draft.record(ec.AgendaChanged(steps=agenda))
    finish_step(draft)


def set_cover(draft: Draft, command: cf.SetCover) -> None:
    """DMG-2: the gamemaster says how good somebody's cover is."""
    require_ready(draft.table)
    character = find_character(draft.table, command.character_id)
    if not 0 <= command.dice <= MOST_DICE:
        raise Refusal("DMG-2", f"Cover has 0 to {MOST_DICE} Challenge Dice; choose one of these.")
    known = effects_named(draft.table, COVER, target_id=character.character_id)
    if not command.dice:
        if not known:
            raise Refusal("DMG-2", f"{character.name} is behind no cover.")
        for name in (COVER, "recover_cover"):
            for one in effects_named(draft.table, name, target_id=character.character_id):
                end_one(draft, one, f"{character.name} leaves it")
        return
    cover = LastingEffect(
        effect_id="",
        name=COVER,
        owner_id=character.character_id,
        target_id=character.character_id,
        amount=command.dice,
        ends=EffectEnd.SCENE,
    )
    begin_effect(draft, cover)


# --- what is bought -----------------------------------------------------------------------------------------


def _begin_choosing(draft: Draft, _: Step) -> None:
    """Nothing can be bought for a hazard; an attack's side chooses."""
    if not attack_of(draft.table).attacker_id:
        finish_step(draft)


def choosing(table: Table) -> bool:
    """Whether an attack's damage lies there and is not settled yet."""
    return bool(table.agenda) and table.agenda[0].kind is StepKind.CHOOSE_DAMAGE


def bought(draft: Draft, spend: str, times: int) -> None:
    """What a spend does to the attack in hand (MOM-1, MOM-2, MOM-5, MOM-8)."""
    attack = attack_of(draft.table)
    if spend == Spend.BONUS_DAMAGE:
        _change_attack(draft, replace(attack, bonus_damage=attack.bonus_damage + times))
    elif spend == Spend.PENETRATION:
        _change_attack(draft, replace(attack, penetration=attack.penetration + times))
    elif spend == Spend.DISARM:
        target = find_character(draft.table, attack.action.target_id)
        held = target.body.drawn
        change_body(draft, target.character_id, "disarmed", drawn="")
        draft.record(ef.Disarmed(character_id=target.character_id, name=target.name, weapon=held))
    elif spend == Spend.SECONDARY_TARGET:
        step = Step(
            kind=StepKind.AREA_TARGETS, subject_id=attack.action.target_id, by_id=attack.attacker_id, name=SECONDARY
        )
        agenda = draft.table.agenda
        draft.record(ec.AgendaChanged(steps=(*agenda[:-1], step, agenda[-1])))


def reroll_damage(draft: Draft, command: cf.RerollDamage) -> None:
    """MOM-6, CD-5: any of the damage's dice again, once; paid like any spend (C-62)."""
    attack = attack_of(draft.table)
    task = draft.table.task
    if not choosing(draft.table) or task is None or not attack.faces:
        raise Refusal("MOM-6", "Damage is thrown again once it lies there and before it is settled.")
    if attack.rerolled:
        raise Refusal("CD-5", "This damage was thrown again once already; go on with it.")
    places = chosen_positions(len(attack.faces), command.positions, "CD-5")
    ruled = profile(draft.table)
    payment = pay_from_task(draft.table, spend_cost(_REROLL, 1, ruled), immediate=False)
    spend = SpendMade(
        spend=_REROLL,
        times=1,
        from_generated=payment.from_generated,
        from_pool=payment.from_pool,
        added_threat=payment.added_threat,
        spent_threat=payment.spent_threat,
    )
    record_spend(draft, spend, spend_rule(_REROLL, ruled).label)
    faces = tuple(attack.faces[place] for place in places)
    draft.record(ef.DamageRerollStarted(positions=places, faces=faces))
    _change_attack(draft, replace(attack, rerolled=True))
    again = Step(kind=StepKind.DAMAGE_REROLL, by_id=attack.attacker_id, count=len(places), places=places)
    draft.record(ec.AgendaChanged(steps=(again, *draft.table.agenda)))
    ask_for_dice(draft, DieKind.CHALLENGE, len(places), who=attack.attacker, why="Damage again")


def _count_again(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    attack = attack_of(draft.table)
    new = tuple(as_challenge_face(one.kind, one.face) for one in thrown)
    _change_attack(draft, replace(attack, faces=replace_faces(attack.faces, step.places, new, "CD-5")))
    _tell_damage(draft)
    finish_step(draft)


def settle_damage(draft: Draft, _: cf.SettleDamage) -> None:
    """DMG-3: nothing more is bought; the damage meets the Resistance."""
    require_step(draft, StepKind.CHOOSE_DAMAGE, "DMG-3", "No damage waits to be settled; look at what is asked for.")
    finish_step(draft)


# --- hits ---------------------------------------------------------------------------------------------------


def _begin_hit(draft: Draft, step: Step) -> None:
    """DMG-2 to DMG-5: one target's hit; its Injuries and its fall follow."""
    attack = attack_of(draft.table)
    target = find_character(draft.table, step.subject_id)
    effects = challenge_result(attack.faces).effects
    whole = whole_damage(attack)
    if step.name == MAIN:
        _change_attack(draft, replace(attack, damage_done=whole, hits_settled=attack.hits_settled + 1))
    hit = _hit(attack, target, step, half_rounded_down(whole) if step.name == SECONDARY else whole, effects)
    body = change_body(draft, target.character_id, "a hit", stress=hit.track_after)
    draft.record(
        ef.DamageSettled(
            character_id=target.character_id,
            name=target.name,
            damage=hit.damage,
            resistance=hit.total_resistance,
            stress=body.stress,
            stress_max=body.stress_max,
            injuries=hit.wounds,
        )
    )
    injury = Step(
        kind=StepKind.INJURY,
        subject_id=target.character_id,
        by_id=attack.attacker_id,
        count=effects if amount(attack.effects, "intense") else 0,
        lethal=attack.action.lethal,
    )
    falls = effects > 0 and bool(amount(attack.effects, "knockdown"))
    fall = Step(kind=StepKind.KNOCKDOWN, subject_id=target.character_id, by_id=attack.attacker_id, count=effects)
    plan_next(draft, *(injury for _ in range(hit.wounds)), *((fall,) if falls else ()))
    finish_step(draft)


def _hit(attack: Attack, target: Character, step: Step, damage: int, effects: int) -> Hit:
    return resolve_flat(
        damage,
        effects,
        track_before=body_of(target).stress,
        static_resistance=resistance_of(target) + step.count,
        piercing=amount(attack.effects, "piercing"),
        penetration=attack.penetration,
    )


def _begin_targets(draft: Draft, step: Step) -> None:
    """EFF-1, MOM-8: who else is hit is asked, unless nobody can be."""
    attack = attack_of(draft.table)
    effects = challenge_result(attack.faces).effects
    if step.name == AREA and not (effects and amount(attack.effects, "area")):
        finish_step(draft)


def possible_targets(table: Table) -> tuple[Character, ...]:
    """Whom a second hit can reach: everybody but the first target, the attacker, and the dead (EFF-1, MOM-8)."""
    attack = table.attack
    if attack is None:
        return ()
    without = {attack.action.target_id, attack.attacker_id}
    return tuple(
        one for one in table.characters if one.character_id not in without and one.body.injury is not InjuryState.DEAD
    )


def choose_targets(draft: Draft, command: cf.ChooseTargets) -> None:
    """EFF-1, MOM-8: each one named has cover and a hit of their own; a Secondary Target is one."""
    step = require_step(
        draft, StepKind.AREA_TARGETS, "EFF-1", "Nobody else is hit just now; look at what is asked for."
    )
    named = [find_character(draft.table, one) for one in dict.fromkeys(command.target_ids)]
    allowed = {one.character_id for one in possible_targets(draft.table)}
    if any(one.character_id not in allowed for one in named):
        raise Refusal("EFF-1", "Name others than the attacker and the first target; choose among those listed.")
    if step.name == SECONDARY and len(named) > 1:
        raise Refusal("MOM-8", "A Secondary Target is one; name one of them.")
    draft.record(ef.TargetsChosen(names=tuple(one.name for one in named)))
    kinds = (StepKind.COVER_DICE, StepKind.SETTLE_HIT)
    steps = [
        Step(kind=kind, subject_id=one.character_id, by_id=step.by_id, name=step.name)
        for one in named
        for kind in kinds
    ]
    plan_next(draft, *steps)
    finish_step(draft)


def _done(draft: Draft, _: Step) -> None:
    attack = attack_of(draft.table)
    _change_attack(draft, None)
    draft.record(ef.AttackSettled(attacker=attack.attacker))
    finish_step(draft)


def strike_hazard(draft: Draft, command: cf.StrikeHazard) -> None:
    """DMG-1: a hazard's dice, without a Task and without Security."""
    require_ready(draft.table)
    require_nothing_open(draft.table)
    target = find_character(draft.table, command.target_id)
    if target.body.injury is InjuryState.DEAD:
        raise Refusal("ATK-1", f"{target.name} is dead; choose another target.")
    if not 1 <= command.rating <= MOST_DICE:
        raise Refusal("DMG-1", f"A hazard has 1 to {MOST_DICE} Challenge Dice; choose one of these.")
    for one in command.effects:
        name, _, number = one.partition(":")
        if name not in EFFECTS or (number and not number.isdecimal()):
            raise Refusal("DMG-1", f"No Damage Effect is called {one.replace('_', ' ')}; choose one of those listed.")
    open_attack(
        draft,
        action=Action(name="hazard", target_id=target.character_id, lethal=command.lethal),
        attacker=None,
        dice=command.rating,
        effects=command.effects,
        reason=require_text(command.reason, "what does the damage"),
    )


def spend_refused(table: Table, _: Task, spend: str) -> str | None:
    """Why an attack's spend is not possible now; None where it is, or is none of these."""
    if spend not in {Spend.BONUS_DAMAGE, Spend.PENETRATION, Spend.SECONDARY_TARGET, Spend.DISARM}:
        return None
    if spend in {Spend.SECONDARY_TARGET, Spend.DISARM} and not choosing(table):
        return "That is bought while an attack's damage lies there and is not settled yet."
    waiting = table.agenda[0].kind if table.agenda else None
    if waiting not in {StepKind.CHOOSE_DAMAGE, StepKind.CHOOSE_SHIP_DAMAGE}:
        return "That is bought while an attack's damage lies there and is not settled yet."
    if spend == Spend.SECONDARY_TARGET and not possible_targets(table):
        return "Nobody else is there to be hit."
    return None


def spent(draft: Draft, _: Task, spend: str, times: int) -> None:
    """Let a spend act on the attack in hand."""
    wanted = {Spend.BONUS_DAMAGE, Spend.PENETRATION, Spend.SECONDARY_TARGET, Spend.DISARM}
    if spend in wanted and choosing(draft.table):
        bought(draft, spend, times)


STEPS: Final = (
    StepRow(kind=StepKind.DAMAGE_DICE, begin=_begin_damage, count=_count_damage),
    StepRow(kind=StepKind.COVER_DICE, begin=_begin_cover, count=_count_cover),
    StepRow(kind=StepKind.CHOOSE_DAMAGE, begin=_begin_choosing),
    StepRow(kind=StepKind.DAMAGE_REROLL, begin=lambda _draft, _step: None, count=_count_again),
    StepRow(kind=StepKind.SETTLE_HIT, begin=_begin_hit),
    StepRow(kind=StepKind.AREA_TARGETS, begin=_begin_targets),
    StepRow(kind=StepKind.ATTACK_DONE, begin=_done),
)
"""How each step of an attack on foot is taken."""
