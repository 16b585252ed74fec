"""What a Task came to, told at once, and what is left to spend."""

from __future__ import annotations

from itertools import accumulate

from msgspec.structs import replace

from kiosk.views.stage.dice import challenge_die, task_die
from kiosk.views.stage.names import known_as, those_said
from kiosk.views.stage.opposed import duel_of, winner_of
from kiosk.views.stage.told import (
    beat_of,
    complications_of,
    cost_of,
    headline_of,
    lost_by,
    mark_of,
    number_of,
    skills_of,
    successes_against,
    successes_in_words,
    task_summary,
    unwarded_attack,
    why_it_won,
    work_done,
    work_so_far,
)
from kiosk.views.stage.values import StageFact, StageView, Telling
from rules.game import (
    OpposedWinner,
    Table,
    Task,
    TaskPhase,
    Weight,
    Work,
    difficulty_now,
    is_finished,
    is_foes,
    next_throw_words,
    other_side,
    points_of,
    reached,
    resistance_words,
    save_momentum,
    weight_of,
)
from rules.words import Phrase, capitalized, counted, say, say_count


def outcome_of(task: Task, table: Table) -> StageView:
    """The Task's own outcome; once its opposition is decided, whether its side won (OPP-1), before it neither."""
    result = task.outcome
    assert result is not None  # noqa: S101 - for the type checker: asked for only then
    winner = task.opposed_winner
    good = reached(task)
    waits = task.phase is TaskPhase.AWAITING_OPPOSITION
    struck_by = unwarded_attack(task, table)
    theirs = struck_by or task
    landed = good or struck_by is not None  # a blow of either side
    counted_out = winner is not None or task.phase is TaskPhase.SPENDING or task.spends or task.saved or task.lost
    momentum = task.momentum_left + task.saved + task.lost if counted_out else result.momentum
    spent = any(one.from_generated for one in task.spends)
    mark = "" if waits else mark_of(theirs, table, good=landed)
    lines = those_said(
        successes_in_words(task),
        winner_of(task, table) if winner is not None and not good else "",
        next_throw_words(table, task) if waits else "",
        _to_spend(task, table),
        say("{points} Momentum saved to the group.", points=task.saved) if task.saved else "",
        lost_by(task),
    )
    shown = StageView(
        kind="outcome",
        who=task_summary(task),
        whose=task.declaration.character_id,
        word=_word(task, good=good),
        lines=lines,
        facts=(
            *(() if waits else (StageFact(say("Momentum left") if spent else say("Momentum won"), str(momentum)),)),
            complications_of(task),
        ),
        dice=tuple(task_die(die) for die in task.dice),
        mark=mark,
        weight="" if waits or is_foes(theirs, table) else weight_of(task).value,
        beat=beat_of(task),
        counts=tuple(accumulate(one.successes if one.counted else 0 for one in task.dice)),
        telling=_telling(task, table, good=good, momentum=0 if waits else momentum),
        duel=duel_of(task, table, mark),
    )
    return shown if task.work is None else _with_work(shown, task, task.work, table)


def _with_work(shown: StageView, task: Task, work: Work, table: Table) -> StageView:
    """`shown` with what its Task did on an Extended Task: the dice of the Work in place of those that succeeded.

    What finishes it has the weight of a triumph, unless it cost a Complication.
    """
    track = work.track
    telling = shown.telling
    assert telling is not None  # noqa: S101 - for the type checker: every outcome has one
    made = min(track.breakthroughs, track.magnitude)
    easier = work.breakthroughs and any(one.track_id == track.track_id for one in table.extended)
    ends = is_finished(track)
    great = ends and shown.weight in {Weight.SUCCESS, Weight.TRIUMPH}
    telling = replace(
        telling,
        headline=say("{track} is finished", track=capitalized(track.label)) if ends else telling.headline,
        banner=say("Finished!") if great else "",
        number=work_so_far(track),
        lines=those_said(
            work_done(work, known_as(table, task.who)) if ends else "",
            resistance_words(work),
            "" if track.progress else say("Breakthroughs: {made} of {most}.", made=made, most=track.magnitude),
            say("The next Task on it has Difficulty {difficulty}.", difficulty=difficulty_now(track)) if easier else "",
            *(() if work.dice else telling.lines),
        ),
        hint="",
    )
    weight = Weight.SUCCESS.value if work.dice and shown.weight == Weight.TRIUMPH else shown.weight
    shown = replace(shown, telling=telling, weight=Weight.TRIUMPH.value if great else weight)
    if not work.dice:
        return shown
    return replace(
        shown,
        dice=tuple(challenge_die(one) for one in work.dice),
        counts=tuple(accumulate(points_of(one.face) for one in work.dice)),
        beat=f"{shown.beat} {'-'.join(str(one.face) for one in work.dice)}",
        duel=None,
    )


def _telling(task: Task, table: Table, *, good: bool, momentum: int) -> Telling:
    """The outcome without repetition: Complications beside the headline, successes only if there is no Momentum."""
    waits = task.phase is TaskPhase.AWAITING_OPPOSITION
    decided = task.opposed_winner is not None
    return Telling(
        headline=headline_of(task, table, good=good, banner=weight_of(task) is Weight.TRIUMPH),
        cost=cost_of(task),
        about=skills_of(task, table),
        number=number_of(task, table, momentum if good else 0),
        lines=those_said(
            _beside(task, table) if decided else "",
            why_it_won(task, table),
            next_throw_words(table, task) if waits else "",
            lost_by(task),
        ),
        hint=_becomes_of_the_rest(task, table),
    )


def _to_spend(task: Task, table: Table) -> str:
    """What happens to the Momentum left, if it is not simply saved.

    A full pool takes none (POOL-2), an NPC saves none (POOL-9).
    """
    left = task.momentum_left if task.phase is TaskPhase.SPENDING else 0
    if not left:
        return ""
    if task.npc:
        return say_count(
            left,
            "{number} Momentum to spend; the rest becomes Threat.",
            "{number} Momentum to spend; the rest becomes Threat.",
        )
    if not save_momentum(table.momentum, left).saved:
        return say_count(
            left,
            "{number} Momentum to spend, or it is lost: the pool is full.",
            "{number} Momentum to spend, or it is lost: the pool is full.",
        )
    return ""


def _becomes_of_the_rest(task: Task, table: Table) -> Phrase | str:
    """What becomes of the Momentum that is left, without its number, which stands beside it."""
    if not _to_spend(task, table):
        return ""
    return say("What is left becomes Threat.") if task.npc else say("What is left is lost: the pool is full.")


def _word(task: Task, *, good: bool) -> Phrase:
    result = task.outcome
    assert result is not None  # noqa: S101 - for the type checker: asked for only then
    if task.reactive and task.phase is TaskPhase.AWAITING_OPPOSITION:
        return say("Difficulty {difficulty}", difficulty=result.successes)
    if task.phase is TaskPhase.AWAITING_OPPOSITION and task.dice:
        return counted(result.successes, "success")
    if task.opposed_winner in {OpposedWinner.ACTIVE, OpposedWinner.REACTIVE}:
        return say("Wins") if good else say("Loses")
    if not result.success:
        return say("Failure")
    return say("Success at cost") if result.at_cost else say("Success")


def _beside(task: Task, table: Table) -> Phrase | str:
    """What the other side of a decided Opposed Task threw; where neither won, that."""
    other = other_side(table, task)
    if task.opposed_winner is OpposedWinner.NONE:
        return say("Neither side wins.")
    return successes_against(other) if other is not None else ""
