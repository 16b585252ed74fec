"""What the stage shows now: one thing at a time, whatever is most pressing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from kiosk.views.stage.asked import dice_asked_for, question_asked
from kiosk.views.stage.declared import asked_for_words, dial_counts, in_line_words, task_asked_for, with_dial
from kiosk.views.stage.dice import StageDie, challenge_die, free_die
from kiosk.views.stage.hit import attack_chain
from kiosk.views.stage.names import name_of, those_said
from kiosk.views.stage.outcome import outcome_of
from kiosk.views.stage.told import throw_id, who_is_struck, work_so_far
from kiosk.views.stage.turn import while_waiting
from kiosk.views.stage.values import StageView
from rules.game import (
    ChallengeRoll,
    FreeRoll,
    Narration,
    Table,
    Task,
    TaskPhase,
    asked_words,
    dial_words,
    last_result,
    next_throw_words,
    opponent,
    other_side,
    outcome_now,
    to_take_words,
    told_apart_by,
)
from rules.words import joined_by, say, say_count, sentences

_Thrown = TypeVar("_Thrown", Task, ChallengeRoll, FreeRoll)


def stage(table: Table, questions: Sequence[str], asked: str, notices: Sequence[str] = ()) -> StageView:
    """The stage of a table. `questions` are those about the held throw, `asked` is a chain's question.

    `notices` are the sources' words on the dice, for those who wait for dice. Who stands in line is told beneath
    whatever is shown.
    """
    shown = _with_complications(table, with_dial(table, _with_work(table, _stage(table, questions, asked, notices))))
    if not table.in_line:
        return shown
    return replace(shown, next=(*(in_line_words(table, one) for one in table.in_line), *shown.next))


def _with_work(table: Table, shown: StageView) -> StageView:
    """`shown` with how far the newest Extended Task is, beneath what another Task came to that is over."""
    over = last_result(table) if table.task is None else None
    if not table.extended or shown.kind != "outcome" or over is None or over.work is not None:
        return shown
    done = work_so_far(table.extended[-1])
    words = joined_by(": ", [table.extended[-1].label, joined_by(" ", [done.name, done.value])])
    return replace(shown, next=(*shown.next, words))


def _with_complications(table: Table, shown: StageView) -> StageView:
    """`shown` with the open Complications of earlier Tasks, where the same person has others beside them."""
    deeds = ((one, told_apart_by(table, one)) for one in table.complications_waiting)
    lines = tuple(to_take_words(one.who, one.left, deed) for one, deed in deeds if deed)
    return replace(shown, next=(*shown.next, *lines)) if lines and shown.kind in {"outcome", "idle", "turn"} else shown


def _stage(table: Table, questions: Sequence[str], asked: str, notices: Sequence[str]) -> StageView:
    if table.held is not None:
        return question_asked(table, questions)
    if table.request is not None:
        return _noticed(dice_asked_for(table, table.request, table.task), tuple(notices))
    if table.task is not None and table.task.phase is TaskPhase.AWAITING_OPPOSITION and not table.task.dice:
        return while_waiting(table)
    if table.agenda and asked:
        return attack_chain(table, asked)
    thrown = _thrown(table)
    wanted = table.asked if table.task is None else ()
    if thrown is None and wanted:
        first, *others = wanted
        return replace(task_asked_for(table, first), next=tuple(asked_for_words(table, one) for one in others))
    shown = thrown or while_waiting(table)
    return replace(shown, next=tuple(asked_for_words(table, one) for one in wanted)) if wanted else shown


def _noticed(shown: StageView, notices: tuple[str, ...]) -> StageView:
    """`shown` with `notices` in each of its forms: both sides of an Opposed Task stand in place of the lines."""
    if not notices:
        return shown
    duel = shown.duel
    beside = replace(duel, lines=(*duel.lines, *notices)) if duel is not None else None
    return replace(shown, lines=(*shown.lines, *notices), duel=beside)


def with_photographs(view: StageView, has: Callable[[str], bool]) -> StageView:
    """`view` with the available photographs: `has` says whether the die of a key can be cut out."""

    def kept(dice: tuple[StageDie, ...]) -> tuple[StageDie, ...]:
        return tuple(replace(die, photograph=die.photograph if has(die.photograph or "") else None) for die in dice)

    duel, blow = view.duel, view.blow
    if duel is not None:
        duel = replace(duel, sides=tuple(replace(one, dice=kept(one.dice)) for one in duel.sides))
    if blow is not None:
        blow = replace(blow, dice=kept(blow.dice))
    return replace(view, dice=kept(view.dice), duel=duel, blow=blow)


def _thrown(table: Table) -> StageView | None:
    """The dice on the table: those of what is in hand first, then the latest."""
    task = table.task
    if task is not None and task.outcome is not None:
        return outcome_of(task, table)
    roll, last = _after_conflict(table, table.challenge), _after_conflict(table, table.last_task)
    lying = roll if roll is not None and roll.total is not None else None
    free = _after_conflict(table, next((one for one in reversed(table.free_rolls) if not one.attached), None))
    if free is not None and _newest(table, free, (last, lying)) and not (free.found and _shows_more(table)):
        return _free(free)
    if _fresh_turn(table) and (lying is None or lying.closed):
        return None
    if lying is not None and (last is None or not lying.closed or lying.number > last.number):
        return _challenge(lying)
    shown = last_result(table) if last is not None else None
    return outcome_of(shown, table) if shown is not None and shown.outcome is not None else None


def _after_conflict(table: Table, one: _Thrown | None) -> _Thrown | None:
    """`one`, or None if it is older than the end of the last conflict."""
    end = table.conflict_end
    return None if one is None or (end is not None and one.number < end.number) else one


def _shows_more(table: Table) -> bool:
    """Whether there is more to show than unattributed dice."""
    return not table.ready or any((table.last_task, table.challenge, table.conflict, table.asked))


def _fresh_turn(table: Table) -> bool:
    """Whether a conflict waits for somebody to act, so that the last Turn's dice no longer matter."""
    conflict = table.conflict
    return conflict is not None and (conflict.turn is None or not conflict.turn.tasks)


def _newest(table: Table, free: FreeRoll, others: Iterable[Task | ChallengeRoll | None]) -> bool:
    """Whether `free` was thrown after the others: the active side's Task closes last but was declared first (OPP-1)."""
    there = [one.number for one in others if one is not None]
    return not there or (free.number > max(there) and free.reading_id == table.seen_readings[-1])


def beside_what_was_told(shown: StageView, table: Table, told: Narration | None) -> StageView:
    """`shown`, marked `says_all` if the last narration was this outcome, this dial, or asks of the dice the same.

    What the caption says of the dial is not shown beneath another thing at the same time.
    """
    if told is None:
        return shown
    shown = replace(shown, says_it_large=_is_large(shown, told), asks=_asks(shown, table))
    if shown.kind == "question":
        return replace(shown, says_all=told.normal == sentences(*shown.lines))
    dial = dial_words(table)
    if dial and told.normal == dial and dial_counts(table):
        others = tuple(one for one in shown.next if one != dial)
        return replace(shown, next=others, says_all=len(others) == len(shown.next))
    now = outcome_now(table) if shown.kind == "outcome" else None
    has = those_said(now.full, now.normal, now.terse) if now is not None else ()
    return replace(shown, says_all=now is not None and told.normal == now.normal, has=has)


def _asks(shown: StageView, table: Table) -> tuple[str, ...]:
    """The sentences for the dice that it asks for, with who throws them and without."""
    if shown.kind != "ask":
        return ()
    return those_said(asked_words(table), asked_words(table, named=False)) or (say("{words}.", words=shown.word),)


def _is_large(shown: StageView, told: Narration) -> bool:
    """Whether the last narration is the very sentence of a Turn, or of a new scene with its name, that stands there."""
    if shown.kind == "turn":
        return told.normal == f"{shown.word}."
    scene = told.normal.partition(", ")[2]
    return shown.kind == "idle" and bool(shown.who) and scene == f"{shown.who}."


def seen_by(shown: StageView, table: Table, me: str) -> StageView:
    """`shown` as the phone of whoever plays `me` has it: of a decided Opposed Task that side's own result (OPP-1).

    The room is shown one side. Whoever was the other one sees no mark of what the opponent reached. Who is to throw
    against a Task has a button that says so, and who throws now has the dice in sight without what was before.
    """
    task = table.task or last_result(table)
    if shown.before and task is not None and task.declaration.character_id == me:
        return replace(shown, before="")
    waits = task is not None and task is table.task and task.phase is TaskPhase.AWAITING_OPPOSITION
    if task is not None and waits and shown.telling is not None and opponent(table, task) == name_of(table, me) != "":
        said = next_throw_words(table, task)
        others = tuple(one for one in shown.telling.lines if one != said)
        return replace(shown, telling=replace(shown.telling, lines=others))
    if shown.kind != "outcome" or task is None or task.opposed_winner is None:
        return shown
    own = other_side(table, task)
    if own is None or own.outcome is None or own.declaration.character_id != me:
        return shown
    theirs = outcome_of(own, table)
    if shown.telling is not None and theirs.telling is not None and who_is_struck(own, table):
        blow = replace(theirs.telling, headline=shown.telling.headline)  # the same blow, with the harm that it did
        theirs = replace(theirs, telling=blow)
    return replace(theirs, beat=shown.beat, says_all=shown.says_all)


def _challenge(roll: ChallengeRoll) -> StageView:
    title = joined_by(": ", [part for part in (roll.who, roll.label) if part]) or say("Challenge Dice")
    return StageView(
        kind="challenge",
        who=title,
        word=say_count(roll.total or 0, "{number} point", "{number} points"),
        lines=(say_count(roll.effects or 0, "{number} Effect.", "{number} Effects."),),
        dice=tuple(challenge_die(die) for die in roll.dice),
        beat=throw_id(roll.number, (one.face for one in roll.dice)),
    )


def _free(roll: FreeRoll) -> StageView:
    dice = tuple(free_die(die) for die in roll.dice)
    if roll.found:
        lines = (say("Nobody was seen to throw these: shown, not scored."),)
        return StageView(kind="free", who="", word=say("Lay there already"), lines=lines, dice=dice)
    lines = (say("Nothing was declared: shown, not scored."),)
    return StageView(kind="free", who="", word=say("Free roll"), lines=lines, dice=dice)
