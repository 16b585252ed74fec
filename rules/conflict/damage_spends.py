"""The spends after an attack's damage is thrown: damage, Penetration, dice again, a second target, Disarm.

MOM-1, MOM-2, MOM-5, MOM-6, MOM-8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.bodies import body_with
from rules.conflict.chain import SECONDARY, attack_of, change_attack
from rules.conflict.damage import penetration_left
from rules.conflict.damage_rerolls import throw_damage_again
from rules.conflict.events import DamageRerollStarted, Disarmed
from rules.conflict.hits import most_resistance, possible_targets
from rules.deciding.agenda import AgendaChanged, finish_step, require_step
from rules.deciding.checks import find_character, profile
from rules.deciding.decision import Command, Draft, StepRow
from rules.deciding.rows import SpendRule
from rules.errors import Refusal
from rules.rulesets.weapons import weapon
from rules.state.changing import replace
from rules.state.conflict import Step
from rules.state.people import Character
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.vocabulary import ActionScope, Spend, StepKind
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollDamage(Command):
    """Throw some of the damage's Challenge Dice again, `positions` from 0, once and before it is settled (MOM-6)."""

    positions: tuple[int, ...]

    undone: ClassVar[Phrase | None] = say("throwing damage again")

    def payer(self, table: Table) -> str | None:
        """Whose Task it is."""
        return table.task.declaration.character_id if table.task is not None else None

    def decide(self, draft: Draft) -> None:
        """MOM-6, CD-5: any of the damage's dice again, once; paid like any spend (C-62)."""
        attack = attack_of(draft.table)
        if not choosing(draft.table):
            raise Refusal("MOM-6", "Damage is thrown again once it lies there and before it is settled.")
        throw_damage_again(
            draft,
            self.positions,
            kind=StepKind.DAMAGE_REROLL,
            started=lambda places, faces, again: DamageRerollStarted(positions=places, faces=faces, attack=again),
            who=attack.attacker,
            why=say("Damage again"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleDamage(Command):
    """Nothing more is bought: the damage meets the Resistance (DMG-3)."""

    undone: ClassVar[Phrase | None] = say("settling the damage")

    def decide(self, draft: Draft) -> None:
        """DMG-3: nothing more is bought; the damage meets the Resistance."""
        require_step(
            draft, StepKind.CHOOSE_DAMAGE, "DMG-3", say("No damage waits to be settled; look at what is asked for.")
        )
        finish_step(draft)


_ATTACK_SPENDS: Final = frozenset({Spend.BONUS_DAMAGE, Spend.PENETRATION, Spend.SECONDARY_TARGET, Spend.DISARM})
"""Spends that act on thrown damage."""


def _begin_choosing(draft: Draft, _: Step) -> None:
    """Nothing can be bought for a hazard; an attack's side chooses."""
    if not attack_of(draft.table).attacker_id:
        finish_step(draft)


def choosing(table: Table) -> bool:
    """Whether an attack's damage is thrown and not settled yet."""
    return bool(table.agenda) and table.agenda[0].kind is StepKind.CHOOSE_DAMAGE


def spend_on_attack(draft: Draft, spend: str, times: int, note: str = "") -> None:
    """Apply a spend to the attack in hand (MOM-1, MOM-2, MOM-5, MOM-8); for Disarm `note` may name the weapon."""
    attack = attack_of(draft.table)
    if spend == Spend.BONUS_DAMAGE:
        change_attack(draft, replace(attack, bonus_damage=attack.bonus_damage + times))
    elif spend == Spend.PENETRATION:
        change_attack(draft, replace(attack, penetration=attack.penetration + times))
    elif spend == Spend.DISARM:
        _disarm(draft, find_character(draft.table, attack.action.target_id), note)
    elif spend == Spend.SECONDARY_TARGET:
        step = Step(
            kind=StepKind.AREA_TARGETS, subject_id=attack.action.target_id, by_id=attack.attacker_id, name=SECONDARY
        )
        agenda = draft.table.agenda
        draft.record(AgendaChanged(steps=(*agenda[:-1], step, agenda[-1])))


def in_hand(character: Character) -> str:
    """The weapon that somebody holds: the one drawn last, else the first they carry; empty with bare hands."""
    body = character.body
    if body.drawn and body.drawn not in body.disarmed:
        return body.drawn
    return next((one for one in character.weapons if one not in body.disarmed), "")


def _disarm(draft: Draft, target: Character, named: str) -> None:
    """MOM-2: it lies within Reach until it is picked up. Refuses the name of a weapon that is not in hand."""
    held = in_hand(target)
    label = weapon(held, profile(draft.table)).label
    if named and named.casefold() not in (held.casefold(), label.casefold()):
        raise Refusal(
            "MOM-2", "{name} holds {weapon}; name that, or leave the weapon out.", name=target.name, weapon=label
        )
    body = body_with(draft, target.character_id, drawn="", disarmed=(*target.body.disarmed, held))
    draft.record(Disarmed(character_id=target.character_id, name=target.name, weapon=held, label=label, body=body))


def spend_refused(table: Table, task: Task, spend: SpendRule) -> str | None:
    """Why an attack's spend is not possible now; None if it is, or if it is another spend."""
    on_foot = task.declaration.action is not None and task.declaration.action.scope is ActionScope.PERSONAL
    if on_foot and spend.scope == "starship":
        return say("Only a ship's attack has that; choose another spend.")
    if spend.name not in _ATTACK_SPENDS:
        return None
    if spend.name in {Spend.SECONDARY_TARGET, Spend.DISARM} and not choosing(table):
        return say("That is bought while an attack's damage lies there and is not settled yet.")
    waiting = table.agenda[0].kind if table.agenda else None
    if waiting not in {StepKind.CHOOSE_DAMAGE, StepKind.CHOOSE_SHIP_DAMAGE}:
        return say("That is bought while an attack's damage lies there and is not settled yet.")
    return _personal_refused(table, spend.name) if choosing(table) else None


def _personal_refused(table: Table, spend: str) -> str | None:
    attack = attack_of(table)
    if spend == Spend.SECONDARY_TARGET and not possible_targets(table):
        return say("Nobody else can be hit; a Secondary Target is within the first one's Reach.")
    if spend == Spend.DISARM and not in_hand(find_character(table, attack.action.target_id)):
        return say("The target holds no weapon.")
    return None


def serves(draft: Draft, _: Task, spend: str) -> int | None:
    """MOM-5: Penetration serves while it has Resistance to ignore, of the target or of somebody else who may be hit."""
    if spend != Spend.PENETRATION or not choosing(draft.table):
        return None
    return penetration_left(most_resistance(draft.table), attack_of(draft.table))


def spent(draft: Draft, task: Task, spend: str, times: int) -> None:
    """Let a spend act on the attack in hand."""
    if spend in _ATTACK_SPENDS and choosing(draft.table):
        spend_on_attack(draft, spend, times, task.spends[-1].note)


def _ask_choice(_: Table, __: Step) -> Phrase:
    return say("Buy more for this damage, or settle it.")


STEPS: Final = (StepRow(kind=StepKind.CHOOSE_DAMAGE, begin=_begin_choosing, asks=_ask_choice),)
"""The step that waits for what is bought."""
