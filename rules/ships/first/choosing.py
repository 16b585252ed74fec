"""The damage of a ship's hit: thrown, made worse by Momentum, thrown again, and let go (MOM-1, MOM-5, MOM-6, MOM-10).

In: Challenge Dice that a step asked for, and what people buy. Out: the attack in hand as it is to be settled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.damage import penetration_left, with_damage
from rules.conflict.damage_rerolls import throw_damage_again
from rules.deciding.agenda import ask_for_dice, finish_step, require_step
from rules.deciding.checks import find_ship
from rules.deciding.decision import Command, Draft, StepRow
from rules.deciding.rows import SpendRule
from rules.dice import DieKind
from rules.ships.events import name_of_ship
from rules.ships.first.events import ShipDamageCounted, ShipDamageRerollStarted, ShipResistanceCounted
from rules.ships.first.hits import (
    DEVASTATING_BOUGHT,
    change_attack,
    most_resistance,
    require_attack,
    thrower,
    whole_damage,
    with_found,
)
from rules.ships.first.power import lose
from rules.state.conflict import Attack, Step
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ActionScope, Spend, StepKind
from rules.tasks.challenge import challenge_result
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollShipDamage(Command):
    """Throw some of the damage's Challenge Dice again, `positions` from 0, once and before it is settled (MOM-6)."""

    positions: tuple[int, ...]

    undone: ClassVar[Phrase | None] = say("throwing the damage again")

    def payer(self, table: Table) -> str | None:
        """Whose Task it is."""
        return table.task.declaration.character_id if table.task is not None else None

    def decide(self, draft: Draft) -> None:
        """MOM-6, CD-5: some of the damage's dice are thrown again, once."""
        require_step(
            draft, StepKind.CHOOSE_SHIP_DAMAGE, "CD-5", say("No damage of a ship waits to be settled; throw it first.")
        )
        throw_damage_again(
            draft,
            self.positions,
            kind=StepKind.SHIP_DAMAGE_REROLL,
            started=lambda places, faces, again: ShipDamageRerollStarted(positions=places, faces=faces, attack=again),
            who=thrower(require_attack(draft.table)),
            why=say("damage again"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleShipHit(Command):
    """Nothing more is bought: the damage meets the ship's Resistance (SDMG-1)."""

    undone: ClassVar[Phrase | None] = say("settling the hit")

    def decide(self, draft: Draft) -> None:
        """Nothing more is bought; the hit is settled (SDMG-1)."""
        require_step(
            draft,
            StepKind.CHOOSE_SHIP_DAMAGE,
            "SDMG-1",
            say("No hit on a ship waits to be settled; look at what is asked for."),
        )
        finish_step(draft)


OF_A_HIT: Final = frozenset({Spend.BONUS_DAMAGE, Spend.PENETRATION, Spend.DEVASTATING_ATTACK, Spend.POWER_LOSS})
"""Spends that make the hit in hand worse (MOM-1, MOM-5, MOM-10, MOM-11)."""


POWER_SHORT: Final = "power_loss"
"""The mark of an attack whose Power Loss took more than there was."""


def _begin_damage(draft: Draft, step: Step) -> None:
    attack = require_attack(draft.table)
    ask_for_dice(draft, DieKind.CHALLENGE, step.count, who=thrower(attack), why=say("Damage"))


def _count_damage(draft: Draft, _: Step, thrown: tuple[ThrownDie, ...]) -> None:
    _counted(draft, with_damage(require_attack(draft.table), thrown, tuple(one.face for one in thrown)))
    finish_step(draft)


def _counted(draft: Draft, attack: Attack) -> None:
    total, effects = whole_damage(attack)
    draft.record(
        ShipDamageCounted(attacker=attack.attacker, faces=attack.faces, total=total, effects=effects, attack=attack)
    )


def _begin_resistance(draft: Draft, step: Step) -> None:
    target = find_ship(draft.table, step.subject_id)
    if target.state.destroyed:
        finish_step(draft)
        return
    ask_for_dice(draft, DieKind.CHALLENGE, step.count, who=target.name, why=say("Resistance of its shelter"))


def _count_resistance(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    target = find_ship(draft.table, step.subject_id)
    faces = tuple(one.face for one in thrown)
    worth = challenge_result(faces).total
    steps = with_found(draft, faces=faces)
    draft.record(ShipResistanceCounted(ship_id=target.ship_id, name=target.name, resistance=worth, steps=steps))
    finish_step(draft)


def _begin_choice(draft: Draft, _: Step) -> None:
    """Momentum may be spent on the hit; where no Task of an attack is in hand there is none, so it is settled."""
    task = draft.table.task
    if task is None or not task.followed or task.outcome is None or task.outcome.at_cost:
        finish_step(draft)


def hit_in_hand(table: Table, task: Task) -> bool:
    """Whether the hit of that Task's attack may still be made worse."""
    front = table.agenda[0] if table.agenda else None
    return task.followed and front is not None and front.kind is StepKind.CHOOSE_SHIP_DAMAGE


def spend_refused(table: Table, task: Task, spend: SpendRule) -> str | None:
    """Why a spend on a ship's hit is not possible now; None where it is, or where another room decides."""
    attack = table.attack
    of_people = attack is not None and attack.action.scope is not ActionScope.BRIDGE
    of_flat = attack is not None and not attack.dice
    if spend.name == Spend.POWER_LOSS and not hit_in_hand(table, task):
        return say("Power Loss is bought before the damage of a ship's hit is settled; none waits.")
    if spend.name == Spend.DEVASTATING_ATTACK and not of_flat and not hit_in_hand(table, task):
        return say("A Devastating Attack is bought before the damage of the first hit is settled; none waits.")
    if spend.name in OF_A_HIT and not of_people and not of_flat and not hit_in_hand(table, task):
        return say("That makes a hit worse before its damage is settled; none waits.")
    return None


def serves(draft: Draft, task: Task, spend: str) -> int | None:
    """How many times more a spend on the hit in hand can serve; None of one that always does.

    Penetration while the ship or one that its area may hit has Resistance to ignore (MOM-5). Power Loss as long as
    there is Power, and once more for the Complication that a hit brings where Power falls short (MOM-11, SHIP-5).
    """
    if not hit_in_hand(draft.table, task):
        return None
    if spend == Spend.PENETRATION:
        return penetration_left(most_resistance(draft.table), require_attack(draft.table))
    if spend == Spend.POWER_LOSS:
        short = POWER_SHORT in require_attack(draft.table).once
        return 0 if short else find_ship(draft.table, draft.table.agenda[0].subject_id).state.power + 1
    return None


def spent(draft: Draft, task: Task, spend: str, times: int) -> None:
    """Apply a spend to the hit in hand (MOM-1, MOM-5, MOM-10, MOM-11)."""
    if not hit_in_hand(draft.table, task):
        return
    attack = require_attack(draft.table)
    if spend == Spend.BONUS_DAMAGE:
        change_attack(draft, bonus_damage=attack.bonus_damage + times)
    elif spend == Spend.PENETRATION:
        change_attack(draft, penetration=attack.penetration + times)
    elif spend == Spend.DEVASTATING_ATTACK:
        change_attack(draft, once=(*attack.once, DEVASTATING_BOUGHT))
    elif spend == Spend.POWER_LOSS:
        ship_id = draft.table.agenda[0].subject_id
        if times > find_ship(draft.table, ship_id).state.power:
            change_attack(draft, once=(*attack.once, POWER_SHORT))
        lose(draft, ship_id, times, say("Power Loss"))


def _begin_again(draft: Draft, step: Step) -> None:
    ask_for_dice(
        draft, DieKind.CHALLENGE, step.count, who=thrower(require_attack(draft.table)), why=say("damage again")
    )


def _count_again(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    faces = tuple(one.face for one in thrown)
    _counted(draft, with_damage(require_attack(draft.table), thrown, faces, again=step.places))
    finish_step(draft)


def _ask_damage(table: Table, step: Step) -> Phrase:
    return say("Buy more for the hit on {ship}, or settle it.", ship=name_of_ship(table, step.subject_id))


STEPS: Final = (
    StepRow(kind=StepKind.SHIP_DAMAGE_DICE, begin=_begin_damage, count=_count_damage),
    StepRow(kind=StepKind.SHIP_RESISTANCE_DICE, begin=_begin_resistance, count=_count_resistance),
    StepRow(kind=StepKind.CHOOSE_SHIP_DAMAGE, begin=_begin_choice, asks=_ask_damage),
    StepRow(kind=StepKind.SHIP_DAMAGE_REROLL, begin=_begin_again, count=_count_again),
)
"""The damage's steps, and its shelter's."""
