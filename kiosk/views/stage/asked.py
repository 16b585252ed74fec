"""Dice that are asked for, and questions about those that lie there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kiosk.views.stage.dice import OWN, dice_that_stay, held_die, task_die
from kiosk.views.stage.hit import still_to_spend
from kiosk.views.stage.names import known_as, those_said
from kiosk.views.stage.opposed import duel_asked
from kiosk.views.stage.told import successes_against, task_summary
from kiosk.views.stage.values import StageFact, StageView
from kiosk.views.to_come import still_to_throw
from rules.dice import DieKind
from rules.game import (
    RANGE_WORDS,
    HeldThrow,
    QuestionReason,
    Table,
    Task,
    ThrowRequest,
    ThrowRole,
    against_words,
    beside_dice_words,
    goal,
    ship_acts,
    to_win,
)
from rules.words import Phrase, capitalized, counted, say, say_count

_AGAIN: Final = frozenset({ThrowRole.REROLL, ThrowRole.CHALLENGE_REROLL})
"""The throws of dice that lie on the table already."""

OF_NO_TASK: Final = frozenset({ThrowRole.CHALLENGE, ThrowRole.CHALLENGE_REROLL, ThrowRole.STEP})
"""The throws whose dice no Task's Target Number scores."""

_MOST_DRAWN: Final = 12
"""Most dice drawn of a held throw."""


def question_asked(table: Table, questions: Sequence[str]) -> StageView:
    """A throw that waits for an answer, with its dice."""
    held = table.held
    assert held is not None  # noqa: S101 - for the type checker: asked for only then
    asked = {one.position for one in held.questions if one.position is not None}
    numbered = list(enumerate(held.dice))
    if len(numbered) > _MOST_DRAWN:  # a mat that looks like dice: those that were surely read are drawn in any case
        numbered = sorted(sorted(numbered, key=lambda one: one[0] in asked)[:_MOST_DRAWN], key=lambda one: one[0])
    dice = tuple(held_die(die, place + 1, asked=place in asked) for place, die in numbered)
    who = table.request.who if table.request is not None else ""
    word = _miscounted(held, table.request) or say("Look at the dice")
    return StageView(kind="question", who=who, word=word, lines=those_said(*questions), dice=dice)


def _miscounted(held: HeldThrow, request: ThrowRequest | None) -> Phrase | str:
    """By how many the dice are too many or too few, where nothing else of them is in question; else empty."""
    reasons = {one.reason for one in held.questions}
    if request is None or reasons != {QuestionReason.WRONG_COUNT}:
        return ""
    question = held.questions[0]
    seen, expected = question.seen or 0, question.expected or 0
    whole = expected + len(request.kept)  # those that stay may lie there, too
    if seen > whole:
        return say_count(seen - whole, "{number} die too many", "{number} dice too many")
    if seen < expected:
        return say_count(expected - seen, "{number} die is missing", "{number} dice are missing")
    return ""


def dice_asked_for(table: Table, request: ThrowRequest, task: Task | None) -> StageView:
    """The throw that is asked for: how many dice, of whom, and what they are thrown against."""
    what = counted(request.count, "d20" if request.kind is DieKind.D20 else "Challenge Die")
    again = request.role in _AGAIN
    word = say("Throw {dice} again", dice=what) if again else say("Throw {dice}", dice=what)
    kept = dice_that_stay(table, request)
    if task is None or request.role in OF_NO_TASK:
        step = request.role is ThrowRole.STEP
        label = table.challenge.label if table.challenge is not None and not step else capitalized(request.why)
        anybody = "" if request.who else say("Anybody at the table throws.")
        lines = those_said(label, beside_dice_words(table), anybody, still_to_spend(table))
        return StageView(kind="ask", who=_for_whom(table, request), word=word, lines=lines, dice=kept)
    target, double = goal(table, task, request.role)
    needed = to_win(table, task)
    facts = (
        StageFact(say("Target Number"), str(target)),
        StageFact(say("Counts double"), "1" if double <= 1 else say("1 to {most}", most=double)),
        StageFact(say("Difficulty"), str(task.difficulty)) if needed is None else StageFact(say("To win"), str(needed)),
    )
    wide = wide_range(task.declaration.complication_range)
    against = against_words(table, task)
    if needed is not None and table.opposed is not None:  # how many win stands among the figures
        against = successes_against(table.opposed)
    lines = those_said(against, wide, say("The others stay.") if again else "", *still_to_throw(table, task))
    helped = say("{helper} helps {who}", helper=request.who, who=task.who)
    own = request.role in OWN or (request.role is ThrowRole.SHIP and ship_acts(task))
    who = task_summary(task) if own else helped
    dice = kept if again else tuple(task_die(die) for die in task.dice)
    duel = None if again else duel_asked(task, table, those_said(wide, *still_to_throw(table, task)))
    return StageView(kind="ask", who=who, word=word, lines=lines, facts=facts, dice=dice, duel=duel)


def _for_whom(table: Table, request: ThrowRequest) -> str:
    """Who throws the dice of no Task; for a players' ship that hit, who fires."""
    attack, task = table.attack, table.task
    fires = attack is not None and task is not None and attack.attacker == request.who != task.who and not task.npc
    return say("{who} for {ship}", who=known_as(table, task.who), ship=request.who) if fires and task else request.who


def wide_range(complication_range: int) -> str:
    """What a complication range wider than usual means (TASK-7)."""
    return RANGE_WORDS[complication_range] if complication_range > 1 else ""
