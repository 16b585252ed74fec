"""Deciding Extended Tasks: begun, worked on by Tasks, thrown for, finished or given up (EXT-T1, EXT-T2, C-58).

In: `begin` from the packages whose rules ask for one, commands from people, and Tasks with the action `extended`.
Out: Work or Progress after each success; who began one for a `purpose` hears of its end through the playbook.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from rules import commands_extended as ce
from rules import events_extended as ee
from rules.deciding.agenda import ask_for_dice, finish_step, plan_last
from rules.deciding.draft import Draft, find_character, find_ship, profile, require_ready, require_text
from rules.deciding.playbook import ActionRow, Chapter, StepRow
from rules.dice import DieKind
from rules.errors import Refusal
from rules.extended import ExtendedTask, do_work, make_progress, work_dice
from rules.phrases import say
from rules.state import Declaration, Modifier, Table, Task, ThrownDie
from rules.state_conflict import Step
from rules.state_extended import ExtendedTrack
from rules.vocabulary import ActionScope, StepKind

ACTION: Final = "extended"
"""The name of the action that works on an Extended Task, on the bridge as elsewhere."""

LONGEST_TRACK: Final = 100
HIGHEST_MAGNITUDE: Final = 20
HIGHEST_RESISTANCE: Final = 20
HARDEST: Final = 10
MOST_TRACKS: Final = 20
"""More than anyone keeps in mind at once; a larger number is a slip of the finger."""


def begin_extended_task(draft: Draft, command: ce.BeginExtendedTask) -> None:
    """Begin an Extended Task in the table's form, or the one chosen (EXT-T1, EXT-T2, C-58)."""
    require_ready(draft.table)
    label = require_text(command.label, say("what the Extended Task is about"))
    if len(draft.table.extended) >= MOST_TRACKS:
        raise Refusal("EXT-T1", "At most {most} Extended Tasks run at once; end one first.", most=MOST_TRACKS)
    progress = _form(draft.table, command.progress)
    if progress and command.magnitude:
        raise Refusal("EXT-T2", "An Extended Task by Progress has no Magnitude; leave it out.")
    _require_number(command.work, say("The track"), 1, LONGEST_TRACK)
    if not progress:
        _require_number(command.magnitude, say("The Magnitude"), 1, HIGHEST_MAGNITUDE)
    _require_number(command.resistance, say("The Resistance"), 0, HIGHEST_RESISTANCE)
    _require_number(command.difficulty, say("The Difficulty"), 0, HARDEST)
    begin(
        draft,
        label=label,
        work=command.work,
        magnitude=command.magnitude,
        resistance=command.resistance,
        difficulty=command.difficulty,
        progress=progress,
    )


def _require_number(value: int, what: str, least: int, most: int) -> None:
    if not least <= value <= most:
        raise Refusal(
            "EXT-T1", "{what} goes from {least} to {most}; choose one of these.", what=what, least=least, most=most
        )


def _form(table: Table, progress: bool | None) -> bool:  # noqa: FBT001 - a field of a command, as it is
    return profile(table).extended_progress if progress is None else progress


def begin(
    draft: Draft,
    *,
    label: str,
    work: int,
    difficulty: int,
    magnitude: int = 0,
    resistance: int = 0,
    progress: bool | None = None,
    purpose: str = "",
    subject_id: str = "",
) -> ExtendedTrack:
    """Begin an Extended Task for a package; one of the same purpose and subject that runs already goes on.

    `purpose` is a key of a chapter's `extended_done`, which is called when it is finished. In the form by Progress
    `magnitude` is not looked at (EXT-T2); `progress` None takes the table's form (C-58).
    """
    if purpose:
        for known in tracks_for(draft.table, purpose, subject_id):
            return known
    by_progress = _form(draft.table, progress)
    number = draft.table.next_number
    track = ExtendedTrack(
        track_id=f"extended-{number}",
        label=label,
        work=work,
        base_difficulty=difficulty,
        progress=by_progress,
        magnitude=0 if by_progress else magnitude,
        resistance=resistance,
        purpose=purpose,
        subject_id=subject_id,
    )
    draft.record(ee.ExtendedTaskBegan(track=track, next_number=number + 1))
    return track


def tracks_for(table: Table, purpose: str, subject_id: str = "") -> tuple[ExtendedTrack, ...]:
    """The Extended Tasks that run for a purpose and, if one is given, a subject."""
    return tuple(
        one for one in table.extended if one.purpose == purpose and (not subject_id or one.subject_id == subject_id)
    )


def find_track(table: Table, track_id: str) -> ExtendedTrack:
    """The Extended Task with that id. Refuses one that does not run."""
    for one in table.extended:
        if one.track_id == track_id:
            return one
    raise Refusal("EXT-T1", "That Extended Task is not under way; begin it, or choose one of those listed.")


def end(draft: Draft, track: ExtendedTrack, why: str) -> None:
    """Take an Extended Task off the table unfinished; `why` in words."""
    draft.record(ee.ExtendedTaskEnded(track=track, why=why))


def end_extended_task(draft: Draft, command: ce.EndExtendedTask) -> None:
    """Give an Extended Task up. Refuses while a Task on it is in hand or its dice are to come (EXT-T1)."""
    track = find_track(draft.table, command.track_id)
    task = draft.table.task
    worked_on = task is not None and _track_id(task.declaration) == track.track_id
    due = any(one.kind is StepKind.WORK_DICE and one.subject_id == track.track_id for one in draft.table.agenda)
    if worked_on or due:
        raise Refusal("EXT-T1", "Somebody is at work on it; settle that first, or take it back by undo.")
    end(draft, track, say("it was given up"))


def difficulty_now(track: ExtendedTrack) -> int:
    """Difficulty of the next Task on it: each Breakthrough makes it 1 easier, floor 0 (EXT-T1); fixed in EXT-T2."""
    return track.base_difficulty if track.progress else _value(track).difficulty


def _value(track: ExtendedTrack) -> ExtendedTask:
    return ExtendedTask(
        work=track.work,
        magnitude=track.magnitude,
        resistance=track.resistance,
        base_difficulty=track.base_difficulty,
        marked=track.marked,
        breakthroughs=track.breakthroughs,
    )


def _track_id(declaration: Declaration) -> str:
    action = declaration.action
    return action.target_id if action is not None and action.name == ACTION else ""


def _plan(table: Table, declaration: Declaration) -> Declaration:
    track = find_track(table, _track_id(declaration))
    easier = difficulty_now(track) - track.base_difficulty
    modifiers = (Modifier(reason=say("Breakthroughs"), change=easier),) if easier else ()
    return replace(
        declaration,
        label=track.label,
        difficulty=track.base_difficulty,
        modifiers=(*modifiers, *declaration.modifiers),
    )


def _worked(draft: Draft, task: Task) -> None:
    """A Task on an Extended Task succeeded: Progress is marked at once, Work is thrown for."""
    track = find_track(draft.table, _track_id(task.declaration))
    step = Step(
        kind=StepKind.WORK_DICE,
        subject_id=track.track_id,
        by_id=task.declaration.character_id,
        count=_rating(draft.table, task, track),
        discipline=task.declaration.discipline,
    )
    plan_last(draft, step)


def _rating(table: Table, task: Task, track: ExtendedTrack) -> int:
    """The discipline used; with Progress the department of the ship that assisted, if that is higher (EXT-T2)."""
    declaration = task.declaration
    own: int = getattr(find_character(table, declaration.character_id).disciplines, declaration.discipline)
    if not track.progress or declaration.ship is None:
        return own
    ship = find_ship(table, declaration.ship.ship_id)
    department: int = getattr(ship.departments, declaration.ship.department)
    return max(own, department)


def _begin_work(draft: Draft, step: Step) -> None:
    track = find_track(draft.table, step.subject_id)
    who = find_character(draft.table, step.by_id).name
    if not track.progress:
        ask_for_dice(
            draft, DieKind.CHALLENGE, work_dice(step.count), who=who, why=say("Work on {track}", track=track.label)
        )
        return
    made = make_progress(track.work, track.marked, step.count, track.resistance)
    after = replace(track, marked=made.marked)
    draft.record(ee.WorkMarked(who=who, amount=made.impact, faces=(), breakthroughs=0, track=after))
    _settle(draft, after, finished=made.finished)


def _count_work(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    track = find_track(draft.table, step.subject_id)
    faces = tuple(one.face for one in thrown)
    done = do_work(_value(track), step.count, faces)
    after = replace(track, marked=done.task.marked, breakthroughs=done.task.breakthroughs)
    draft.record(
        ee.WorkMarked(
            who=find_character(draft.table, step.by_id).name,
            amount=done.work_done,
            faces=faces,
            breakthroughs=after.breakthroughs - track.breakthroughs,
            track=after,
        )
    )
    _settle(draft, after, finished=done.task.finished)


def _settle(draft: Draft, track: ExtendedTrack, *, finished: bool) -> None:
    if finished:
        draft.record(ee.ExtendedTaskFinished(track=track))
        done = draft.playbook.extended_done.get(track.purpose)
        if done is not None:
            done(draft, track)
    finish_step(draft)


def _row(scope: ActionScope) -> ActionRow:
    return ActionRow(
        name=ACTION,
        rule="EXT-T1",
        label=say("Work on an Extended Task"),
        scope=scope,
        needs=("target_id",),
        plan=_plan,
        result=_worked,
    )


CHAPTER: Final = Chapter(
    actions=tuple(_row(scope) for scope in ActionScope),
    steps=(StepRow(kind=StepKind.WORK_DICE, begin=_begin_work, count=_count_work),),
)
"""The action `extended` and its Work, in every ruleset (EXT-T1, EXT-T2)."""

DECIDERS: Final[Mapping[type, Callable[[Draft, Any], None]]] = {
    ce.BeginExtendedTask: begin_extended_task,
    ce.EndExtendedTask: end_extended_task,
}
"""What decides each command about Extended Tasks."""
