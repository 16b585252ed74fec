"""An attack's chain from its dice to its end: opened, damage counted, done; hazards, which no Task sets off (DMG-1).

In: attacks and hazards that strike. Out: the steps of `cover`, `damage_spends`, `hits` and `injuries` behind them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.abilities import MACHINE_IMMUNITIES
from rules.conflict.bodies import find_person
from rules.conflict.damage import with_damage
from rules.conflict.events import AttackChanged, AttackSettled, DamageCounted, Struck
from rules.deciding.agenda import ask_for_dice, finish_step, plan_last
from rules.deciding.checks import find_character, require_nothing_open, require_ready, require_text
from rules.deciding.decision import Command, Draft, StepRow
from rules.dice import DieKind, as_challenge_face
from rules.errors import Refusal
from rules.rulesets.weapons import EFFECTS
from rules.state.conflict import Action, Attack, Step
from rules.state.people import Character
from rules.state.table import Table
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import InjuryState, StepKind
from rules.tasks.abilities import amount_of
from rules.tasks.challenge import challenge_result
from rules.words import Phrase, either, say, worded


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeHazard(Command):
    """A hazard does damage: `rating` Challenge Dice, no Task (DMG-1). `effects` are names, as "piercing:2".

    `weakness`: it is what an Invulnerable creature is not proof against (NPC-2).
    """

    target_id: str
    rating: int
    reason: str
    effects: tuple[str, ...] = ()
    lethal: bool = False
    weakness: bool = False

    undone: ClassVar[Phrase | None] = say("the hazard")

    def decide(self, draft: Draft) -> None:
        """DMG-1: a hazard's dice, without a Task and without Security."""
        require_ready(draft.table)
        require_nothing_open(draft.table)
        target = find_person(draft.table, self.target_id)
        if target.body.injury is InjuryState.DEAD:
            raise Refusal("ATK-1", "{target} is dead; choose another target.", target=target.name)
        if not 1 <= self.rating <= MOST_DICE:
            raise Refusal("DMG-1", "A hazard has 1 to {most} Challenge Dice; choose one of these.", most=MOST_DICE)
        for one in self.effects:
            name, _, number = one.partition(":")
            if name not in EFFECTS or (number and not (number.isdecimal() and 1 <= int(number) <= MOST_DICE)):
                raise Refusal(
                    "DMG-1",
                    "No Damage Effect is called {effect}; choose {names}.",
                    effect=worded(one),
                    names=either([worded(each) for each in EFFECTS]),
                )
        reason = require_text(self.reason, say("what does the damage"))
        _require_open_to(target, reason)
        open_attack(
            draft,
            action=Action(name="hazard", target_id=target.character_id, lethal=self.lethal, weakness=self.weakness),
            attacker=None,
            dice=self.rating,
            effects=self.effects,
            reason=reason,
        )


MOST_DICE: Final = 20
"""Challenge Dice of a hazard or of cover at most; more is a slip of the finger."""


MAIN, SECONDARY, AREA = "main", "secondary", "area"
"""Whose hit it is: the target's, a Secondary Target's half, another one's in the Area."""


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


def change_attack(draft: Draft, attack: Attack) -> None:
    """Record what the attack in hand has become where no event names what happened."""
    draft.record(AttackChanged(attack=attack, next_number=draft.table.next_number))


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
    attack = Attack(
        number=draft.table.next_number,
        action=action,
        attacker_id=attacker.character_id if attacker is not None else "",
        attacker=attacker.name if attacker is not None else reason,
        npc=attacker is not None and attacker.standing.value != "player",
        dice=dice,
        effects=effects,
        qualities=qualities,
    )
    target = find_character(draft.table, action.target_id)
    draft.record(Struck(attacker=attack.attacker, name=target.name, hazard=attacker is None, attack=attack))
    steps = (StepKind.DAMAGE_DICE, StepKind.COVER_DICE, StepKind.CHOOSE_DAMAGE, StepKind.SETTLE_HIT)
    plan_last(
        draft,
        *(Step(kind=kind, subject_id=action.target_id, by_id=attack.attacker_id, name=MAIN) for kind in steps),
        Step(kind=StepKind.AREA_TARGETS, subject_id=action.target_id, by_id=attack.attacker_id, name=AREA),
        Step(kind=StepKind.ATTACK_DONE, by_id=attack.attacker_id),
    )


# --- damage -------------------------------------------------------------------------------------------------


def _begin_damage(draft: Draft, _: Step) -> None:
    attack = attack_of(draft.table)
    who = attack.attacker if attack.attacker_id else ""
    ask_for_dice(draft, DieKind.CHALLENGE, attack.dice, who=who, why=say("Damage"))


def _count_damage(draft: Draft, _: Step, thrown: tuple[ThrownDie, ...]) -> None:
    faces = tuple(as_challenge_face(one.kind, one.face) for one in thrown)
    _counted(draft, with_damage(attack_of(draft.table), thrown, faces))
    finish_step(draft)


def _counted(draft: Draft, attack: Attack) -> None:
    effects = challenge_result(attack.faces).effects
    total = whole_damage(attack)
    draft.record(
        DamageCounted(attacker=attack.attacker, faces=attack.faces, total=total, effects=effects, attack=attack)
    )


def whole_damage(attack: Attack) -> int:
    """Damage before Resistance: dice, Vicious for each Effect, Bonus Damage (DMG-3, EFF-5, MOM-1)."""
    result = challenge_result(attack.faces)
    return result.total + amount(attack.effects, "vicious") * result.effects + attack.bonus_damage


def _count_again(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    faces = tuple(as_challenge_face(one.kind, one.face) for one in thrown)
    _counted(draft, with_damage(attack_of(draft.table), thrown, faces, again=step.places))
    finish_step(draft)


# --- the end, and hazards -----------------------------------------------------------------------------------


def _done(draft: Draft, _: Step) -> None:
    draft.record(AttackSettled(attacker=attack_of(draft.table).attacker))
    finish_step(draft)


def _require_open_to(target: Character, what: str) -> None:
    """NPC-2: what a creature is immune to does it nothing, nor does what no Machine needs to breathe or eat."""
    hazard = what.casefold()
    noted = {one.note.strip().casefold() for one in target.abilities if one.name == "immune"}
    if hazard in noted or (amount_of(target, "machine") and hazard in MACHINE_IMMUNITIES):
        raise Refusal("NPC-2", "{target} is immune to that; it does no damage.", target=target.name)


STEPS: Final = (
    StepRow(kind=StepKind.DAMAGE_DICE, begin=_begin_damage, count=_count_damage),
    StepRow(kind=StepKind.DAMAGE_REROLL, begin=lambda _draft, _step: None, count=_count_again),
    StepRow(kind=StepKind.ATTACK_DONE, begin=_done),
)
"""The steps that take the dice of an attack on foot, and end it."""
