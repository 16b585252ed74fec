"""The hit of each target: damage against their own Resistance, then Injuries, falls and further targets.

DMG-2 to DMG-5, EFF-1, EFF-3, MOM-8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.bodies import body_of, body_with, find_person, name_of_person, resistance_of
from rules.conflict.chain import AREA, MAIN, SECONDARY, amount, attack_of, whole_damage
from rules.conflict.circumstances import harder_to_hit
from rules.conflict.cover import best_cover
from rules.conflict.damage import Hit, half_rounded_down, resolve_flat
from rules.conflict.events import DamageSettled, TargetsChosen
from rules.conflict.order import in_reach
from rules.conflict.positions import parted, require_place
from rules.deciding.agenda import finish_step, plan_next, require_step, with_next
from rules.deciding.checks import find_character, profile
from rules.deciding.decision import Command, Draft, StepRow
from rules.errors import Refusal
from rules.rulesets.weapons import weapon
from rules.state.changing import replace
from rules.state.conflict import Attack, Step
from rules.state.people import Character
from rules.state.table import Table
from rules.state.vocabulary import AttackType, InjuryState, StepKind
from rules.tasks.challenge import challenge_result
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseTargets(Command):
    """Name who else is hit: by an Area weapon (EFF-1), or as the Secondary Target (MOM-8). Nobody is possible."""

    target_ids: tuple[str, ...] = ()

    undone: ClassVar[Phrase | None] = say("who else is hit")

    def decide(self, draft: Draft) -> None:
        """EFF-1, MOM-8: each one named has cover and a hit of their own; a Secondary Target is one."""
        step = require_step(
            draft, StepKind.AREA_TARGETS, "EFF-1", say("Nobody else is hit just now; look at what is asked for.")
        )
        named = [find_person(draft.table, one) for one in dict.fromkeys(self.target_ids)]
        _require_close(draft.table, step, named)
        allowed = {one.character_id for one in possible_targets(draft.table, step.name)}
        if any(one.character_id not in allowed for one in named):
            raise Refusal(
                "EFF-1",
                "Name others than the attacker and those hit already, nobody dead, "
                "and in an area nobody harder to hit.",
            )
        if step.name == SECONDARY and len(named) > 1:
            raise Refusal("MOM-8", "A Secondary Target is one; name one of them.")
        if step.name == AREA:
            _require_within_area(draft.table, step, named)
        kinds = (StepKind.COVER_DICE, StepKind.SETTLE_HIT)
        steps = [
            Step(kind=kind, subject_id=one.character_id, by_id=step.by_id, name=step.name)
            for one in named
            for kind in kinds
        ]
        draft.record(TargetsChosen(names=tuple(one.name for one in named), steps=with_next(draft, *steps)))
        finish_step(draft)


def _require_close(table: Table, step: Step, named: list[Character]) -> None:
    """EFF-1, MOM-8, RNG-1: on a map nobody is hit as well who is in another zone than the first target."""
    for one in named:
        if parted(table, step.subject_id, one.character_id):
            zone = require_place(table, one.character_id)
            raise Refusal(
                "MOM-8" if step.name == SECONDARY else "EFF-1",
                "{name} is in {zone}, not in Close range; leave them out.",
                name=one.name,
                zone=zone.name,
            )


def _begin_hit(draft: Draft, step: Step) -> None:
    """DMG-2 to DMG-5: one target's hit; its Injuries and its fall follow."""
    attack = attack_of(draft.table)
    target = find_character(draft.table, step.subject_id)
    effects = challenge_result(attack.faces).effects
    whole = whole_damage(attack)
    settled = replace(
        attack,
        damage_done=whole if step.name == MAIN else attack.damage_done,
        hits_settled=attack.hits_settled + 1,
        hit_ids=(*attack.hit_ids, target.character_id),
    )
    hit = _hit(attack, target, step, half_rounded_down(whole) if step.name == SECONDARY else whole, effects)
    draft.record(
        DamageSettled(
            character_id=target.character_id,
            name=target.name,
            damage=hit.damage,
            resistance=hit.total_resistance,
            stress=hit.track_after,
            stress_max=body_of(target).stress_max,
            injuries=hit.wounds,
            body=body_with(draft, target.character_id, stress=hit.track_after),
            attack=settled,
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


def foreseen_hit(table: Table) -> Hit | None:
    """What the hit does whose damage waits to be settled, if nothing more is bought for it; None where none waits."""
    attack, steps = table.attack, table.agenda[:2]
    if attack is None or [one.kind for one in steps] != [StepKind.CHOOSE_DAMAGE, StepKind.SETTLE_HIT]:
        return None
    target = find_character(table, steps[1].subject_id)
    return _hit(attack, target, steps[1], whole_damage(attack), challenge_result(attack.faces).effects)


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
    if step.name == AREA and not _has_area(attack_of(draft.table)):
        finish_step(draft)


def possible_targets(table: Table, name: str = SECONDARY) -> tuple[Character, ...]:
    """The possible further targets: everybody except those hit already, the attacker, and the dead (EFF-1, MOM-8).

    Where a conflict keeps who is within Reach, a Secondary Target is one within the first target's. An Area weapon
    reaches nobody who is harder to hit than the first target, and on a map nobody in another zone; `name` is the
    step's.
    """
    attack = table.attack
    if attack is None:
        return ()
    without = {attack.action.target_id, attack.attacker_id, *attack.hit_ids}
    others = tuple(
        one
        for one in table.characters
        if one.character_id not in without
        and one.body.injury is not InjuryState.DEAD
        and not parted(table, attack.action.target_id, one.character_id)
    )
    if name == SECONDARY and table.conflict is not None:
        near = in_reach(table.conflict, attack.action.target_id)
        return tuple(one for one in others if one.character_id in near)
    if name != AREA or not attack.attacker_id:
        return others
    most = _hardness(table, attack, find_character(table, attack.action.target_id))
    return tuple(one for one in others if _hardness(table, attack, one) <= most)


def most_resistance(table: Table) -> int:
    """The highest Resistance, Piercing taken off, that the attack in hand may meet; unthrown cover counts at its best.

    Of the first target, and of those whom its area or a Secondary Target that was bought may hit (EFF-1, MOM-8).
    """
    attack = attack_of(table)
    effects = challenge_result(attack.faces).effects
    pierced = amount(attack.effects, "piercing") * effects
    hit = (one for one in table.agenda if one.kind is StepKind.SETTLE_HIT)
    met = [resistance_of(find_character(table, one.subject_id)) + one.count for one in hit]
    for one in table.agenda:
        if one.kind is StepKind.AREA_TARGETS and (one.name == SECONDARY or _has_area(attack)):
            others = possible_targets(table, one.name)
            met += [resistance_of(other) + best_cover(table, other.character_id) for other in others]
    return max(0, max(met, default=0) - pierced)


def _has_area(attack: Attack) -> bool:
    """EFF-1, CD-3: whether its area takes others in."""
    return bool(challenge_result(attack.faces).effects and amount(attack.effects, "area"))


def _hardness(table: Table, attack: Attack, target: Character) -> int:
    melee = weapon(attack.action.weapon, profile(table)).attack is AttackType.MELEE
    return sum(one.change for one in harder_to_hit(table, target, melee=melee))


def _require_within_area(table: Table, step: Step, named: list[Character]) -> None:
    """EFF-1: beside those in the first target's Reach, one for each Effect; Reach is kept in a conflict only."""
    if table.conflict is None:
        return
    near = in_reach(table.conflict, step.subject_id)
    beyond = sum(one.character_id not in near for one in named)
    effects = challenge_result(attack_of(table).faces).effects
    if beyond > effects:
        raise Refusal(
            "EFF-1",
            "Beside those in the target's Reach the area takes {effects} more, one for each Effect; "
            "leave some out, or say first who is in Reach.",
            effects=effects,
        )


def _ask_targets(table: Table, step: Step) -> Phrase:
    if step.name == "secondary":
        return say("Who near {name} is hit as well?", name=name_of_person(table, step.subject_id))
    return say("Gamemaster, who else near {name} is in the area?", name=name_of_person(table, step.subject_id))


STEPS: Final = (
    StepRow(kind=StepKind.SETTLE_HIT, begin=_begin_hit),
    StepRow(kind=StepKind.AREA_TARGETS, begin=_begin_targets, asks=_ask_targets),
)
"""The steps that settle the hits of an attack."""
