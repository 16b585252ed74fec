"""Deciding rolls of Challenge Dice: declared, counted, thrown again once, done with (CD-1, CD-2, CD-5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rules.deciding.agenda import ThrowAwaited, require_agenda_done
from rules.deciding.checks import is_npc, nothing_awaited, profile, require_ready, short_text
from rules.deciding.decision import Command, Draft
from rules.dice import DieKind, Face, SourceKind, as_challenge_face
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.table import Table
from rules.state.tasks import ChallengeRoll, SpendMade, ThrowRequest
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import Pool, TaskPhase, ThrowRole
from rules.tasks.challenge import challenge_result
from rules.tasks.entering import entered_face
from rules.tasks.pools import REROLL_DAMAGE, PricePaid, pay, played, spend_cost
from rules.tasks.rerolls import chosen_positions, replace_faces
from rules.tasks.settling import record_spend
from rules.tasks.throws import (
    ChallengeClosed,
    ChallengeDeclared,
    ChallengeDiceThrown,
    ChallengeDieCorrected,
    ChallengeRerollStarted,
)
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareChallenge(Command):
    """Ask for `count` Challenge Dice (CD-2)."""

    count: int
    label: str = ""
    who: str = ""

    undone: ClassVar[Phrase | None] = say("declaring Challenge Dice")

    def decide(self, draft: Draft) -> None:
        """CD-2: ask for Challenge Dice. A roll that is scored and still open is closed by it."""
        require_ready(draft.table)
        if draft.table.request is not None:
            raise Refusal("CD-2", "The table waits for other dice; throw them or call that roll off first.")
        require_agenda_done(draft)
        if not 1 <= self.count <= MOST_CHALLENGE_DICE:
            raise Refusal("CD-2", "A roll has 1 to {most} Challenge Dice; choose how many.", most=MOST_CHALLENGE_DICE)
        label = short_text(self.label, say("what the roll is for"))
        who = short_text(self.who, say("who rolls"))
        close_scored_challenge(draft)
        number = draft.table.next_number
        roll = ChallengeRoll(number=number, label=label, who=who, count=self.count)
        draft.record(ChallengeDeclared(challenge=roll, next_number=number + 1))
        request = ThrowRequest(
            number=draft.table.next_number,
            role=ThrowRole.CHALLENGE,
            kind=DieKind.CHALLENGE,
            count=self.count,
            who=who,
            why=label,
        )
        draft.record(ThrowAwaited(request=request, next_number=request.number + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollChallenge(Command):
    """Throw dice of the Challenge roll again for 1 Momentum, once (CD-5)."""

    positions: tuple[int, ...]

    undone: ClassVar[Phrase | None] = say("throwing Challenge Dice again")

    def payer(self, table: Table) -> str | None:
        """Whose Task is settled, else whose roll it is."""
        if table.task is not None:
            return table.task.declaration.character_id
        who = table.challenge.who if table.challenge is not None else ""
        return next((one.character_id for one in table.characters if one.name == who), "")

    def decide(self, draft: Draft) -> None:
        """CD-5: any of the dice again for 1 Momentum, once. Paid like any spend (C-62)."""
        roll = require_scored_challenge(draft.table)
        if roll.rerolled:
            raise Refusal("CD-5", "These Challenge Dice were thrown again once already; go on with them.")
        positions = chosen_positions(len(roll.dice), self.positions, "CD-5")
        if draft.table.request is not None:
            raise Refusal("CD-5", "The table waits for other dice; throw them first.")
        _pay_for_reroll(draft, roll)
        faces = tuple(roll.dice[position].face for position in positions)
        draft.record(ChallengeRerollStarted(positions=positions, faces=faces))
        kept = tuple(die for position, die in enumerate(roll.dice) if position not in positions)
        number = draft.table.next_number
        request = ThrowRequest(
            number=number,
            role=ThrowRole.CHALLENGE_REROLL,
            kind=DieKind.CHALLENGE,
            count=len(positions),
            who=roll.who,
            why=roll.label,
            kept=tuple(as_challenge_face(one.kind, one.face) for one in kept),
        )
        draft.record(ThrowAwaited(request=request, next_number=number + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseChallenge(Command):
    """Done with the Challenge Dice in hand."""

    undone: ClassVar[Phrase | None] = say("closing the Challenge roll")

    def decide(self, draft: Draft) -> None:
        """Done with the Challenge Dice, or called off before they were thrown."""
        roll = require_challenge(draft.table)
        if roll.rerolling:
            raise Refusal("CD-5", "The re-roll is paid for; throw its dice, or undo it.")
        draft.record(ChallengeClosed(number=roll.number))


_REROLL = "reroll_damage"
"""The name of Reroll Damage in the table of spends."""


MOST_CHALLENGE_DICE = 30
"""The most Challenge Dice of a roll; a larger number is a slip of the finger."""


def close_scored_challenge(draft: Draft) -> None:
    """Close a Challenge roll that is scored and still open, because something new begins."""
    roll = draft.table.challenge
    if roll is not None and not roll.closed and roll.dice and not roll.rerolling:
        draft.record(ChallengeClosed(number=roll.number))


def count_challenge_dice(draft: Draft, thrown: tuple[ThrownDie, ...], reading_id: str, source: SourceKind) -> None:
    """CD-2: total and Effects of the whole roll, with new dice in the places of those thrown again."""
    roll = require_challenge(draft.table)
    request = draft.table.request
    if request is None:
        raise Refusal("CD-2", nothing_awaited(draft.table))
    dice = replace_faces(roll.dice, roll.rerolling, thrown, "CD-5") if roll.rerolling else thrown
    result = challenge_result(one.face for one in dice)
    draft.record(
        ChallengeDiceThrown(
            request=request.number,
            role=request.role,
            who=roll.who,
            label=roll.label,
            reading_id=reading_id,
            source=source,
            thrown=thrown,
            dice=dice,
            total=result.total,
            effects=result.effects,
        )
    )


def _pay_for_reroll(draft: Draft, roll: ChallengeRoll) -> None:
    """MOM-6: out of the Task that is being settled first, then the pool; an NPC's from Threat."""
    table = draft.table
    price = spend_cost(REROLL_DAMAGE, 1, profile(table))
    task = table.task if table.task is not None and table.task.phase is TaskPhase.SPENDING else None
    label = played(REROLL_DAMAGE, profile(table)).label
    payment = challenge_reroll_payment(table, roll, price)
    if task is not None:
        spend = SpendMade(
            spend=_REROLL,
            times=1,
            from_generated=payment.from_generated,
            from_pool=payment.from_pool,
            added_threat=0,
            spent_threat=payment.spent_threat,
        )
        record_spend(draft, spend, label)
        return
    draft.change_pool(Pool.MOMENTUM, -payment.from_pool, label)
    draft.change_pool(Pool.THREAT, -payment.spent_threat, label)


def challenge_reroll_payment(table: Table, roll: ChallengeRoll, price: int) -> PricePaid:
    """How a re-roll of Challenge Dice would be paid now (C-62). Refuses what is not there."""
    task = table.task if table.task is not None and table.task.phase is TaskPhase.SPENDING else None
    npc = task.npc if task is not None else any(is_npc(one) for one in table.characters if one.name == roll.who)
    return pay(
        price,
        generated=task.momentum_left if task is not None else 0,
        pool=table.momentum,
        immediate=False,
        threat=table.threat,
        npc=npc,
    )


def correct_challenge_die(draft: Draft, position: int, face: Face) -> None:
    """Correct a misread Challenge Die that was counted: total and Effects are counted anew (CD-2)."""
    roll = correctable_roll(draft.table) or require_scored_challenge(draft.table)
    if not 0 <= position < len(roll.dice):
        raise Refusal("CD-2", "Choose one of the dice 1 to {count}.", count=len(roll.dice))
    before = roll.dice[position]
    kind, shown = entered_face(DieKind.CHALLENGE, face)
    after = replace(before, kind=kind, face=shown, source=SourceKind.MANUAL, corrected=True, weak=False)
    dice = (*roll.dice[:position], after, *roll.dice[position + 1 :])
    result = challenge_result(one.face for one in dice)
    draft.record(
        ChallengeDieCorrected(
            position=position,
            before=before.face,
            after=after.face,
            dice=dice,
            total=result.total,
            effects=result.effects,
        )
    )


def correctable_roll(table: Table) -> ChallengeRoll | None:
    """The Challenge roll whose dice can be put right; None where there is none.

    That is the one in hand, and one that the next Task ended until that Task has dice of its own.
    """
    roll, task = table.challenge, table.task
    if roll is None or not roll.dice or roll.rerolling:
        return None
    since = (one for one in (task, table.opposed, table.last_task) if one is not None and one.number > roll.number)
    awaited = task is not None and task.number > roll.number and not any(one.dice for one in since)
    return roll if awaited or not roll.closed else None


def require_challenge(table: Table) -> ChallengeRoll:
    """The Challenge roll in hand, thrown or not. Refuses when there is none."""
    if table.challenge is None or table.challenge.closed:
        raise Refusal("CD-2", "No Challenge Dice are in hand; declare a roll first.")
    return table.challenge


def require_scored_challenge(table: Table) -> ChallengeRoll:
    """The Challenge roll in hand with all its dice counted. Refuses otherwise."""
    roll = require_challenge(table)
    if not roll.dice or roll.rerolling:
        raise Refusal("CD-2", "The Challenge Dice are still to come; throw them first.")
    return roll
