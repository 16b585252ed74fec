"""Extended Tasks: Work and Breakthroughs in the first edition, Progress and Impact in the second (EXT-T1, EXT-T2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.deciding.agenda import ask_for_dice, finish_step, plan_last
from rules.deciding.candidate import Candidate, Role
from rules.deciding.checks import find_character, find_ship, profile, require_ready, require_text
from rules.deciding.decision import ActionRow, Command, Draft, Event, Playbook, StepRow, by_choice
from rules.deciding.fields import HARDEST, FieldRow
from rules.deciding.telling import Narration, NarrationKind, ended, longer, reason, same
from rules.dice import DieKind, Face
from rules.errors import Refusal, require_at_least
from rules.state.changing import replace
from rules.state.conflict import Step
from rules.state.table import Table
from rules.state.tasks import Declaration, ExtendedTrack, Modifier, Task, Work
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ActionScope, StepKind
from rules.tasks.actions import succeeded
from rules.tasks.challenge import challenge_result
from rules.words import Phrase, capitalized, counted, either, faces_words, listed, say, sentences, spoken

BASE_WORK_DICE: Final = 2
"""Challenge Dice of Work before the discipline's are added (EXT-T1)."""


GREAT_WORK: Final = 5
"""Work in one go that is a Breakthrough by itself (EXT-T1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedTask:
    """A first-edition Extended Task and how far it has come (EXT-T1)."""

    work: int
    magnitude: int
    resistance: int
    base_difficulty: int
    marked: int = 0
    breakthroughs: int = 0

    @property
    def difficulty(self) -> int:
        """Difficulty of the next Task on it: 1 easier for each Breakthrough, floor 0."""
        return max(0, self.base_difficulty - self.breakthroughs)

    @property
    def finished(self) -> bool:
        """As many Breakthroughs as its Magnitude; a full track alone does not finish it."""
        return self.breakthroughs >= self.magnitude


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkDone:
    """The work of one successful Task, and the Extended Task after it."""

    work_done: int
    task: ExtendedTask


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """EXT-T2: what one successful Task marked, and the track after it."""

    impact: int
    marked: int
    finished: bool


def work_dice(discipline: int) -> int:
    """Challenge Dice after a successful Task: 2 and the discipline used (EXT-T1, CD-4)."""
    return BASE_WORK_DICE + require_at_least(0, discipline, "a discipline")


def do_work(task: ExtendedTask, discipline: int, faces: Sequence[Face]) -> WorkDone:
    """Mark the work of one successful Task (EXT-T1, C-58). Refuses a wrong number of Challenge Dice."""
    required = work_dice(discipline)
    if len(faces) != required:
        raise Refusal(
            "EXT-T1",
            "{required} Challenge Dice are due, {came} came; throw exactly those.",
            required=required,
            came=len(faces),
        )
    done = max(0, challenge_result(faces).total - task.resistance)
    marked = min(task.work, task.marked + done)
    at_the_end = done > 0 and marked == task.work
    return WorkDone(
        work_done=done,
        task=ExtendedTask(
            work=task.work,
            magnitude=task.magnitude,
            resistance=task.resistance,
            base_difficulty=task.base_difficulty,
            marked=marked,
            breakthroughs=task.breakthroughs + (done >= GREAT_WORK) + at_the_end,
        ),
    )


def make_progress(track: int, marked: int, department: int, resistance: int) -> Progress:
    """Mark the Impact of one successful Task: department less Resistance, at least 1 (EXT-T2)."""
    impact = max(1, department - resistance)
    after = min(track, marked + impact)
    return Progress(impact=impact, marked=after, finished=after >= track)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedTaskBegan(Event):
    """An Extended Task waits to be worked on."""

    track: ExtendedTrack
    next_number: int

    def fold(self, table: Table) -> Table:
        return replace(table, extended=(*table.extended, self.track), next_number=self.next_number)

    def told(self, _: Table, __: Table) -> Narration:
        track = self.track
        if track.progress:
            terms = say(
                "Progress {work}, Resistance {resistance}, Difficulty {base_difficulty}.",
                work=track.work,
                resistance=track.resistance,
                base_difficulty=track.base_difficulty,
            )
        else:
            terms = say(
                "Work {work}, Magnitude {magnitude}, Resistance {resistance}, Difficulty {base_difficulty}.",
                work=track.work,
                magnitude=track.magnitude,
                resistance=track.resistance,
                base_difficulty=track.base_difficulty,
            )
        return longer(say("Extended Task: {track}.", track=spoken(track.label)), terms, "", NarrationKind.DECLARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkMarked(Event):
    """A successful Task moved an Extended Task on: `amount` of Work, or of Progress, after Resistance.

    `faces` are the Challenge Dice of the Work, empty with Progress; `breakthroughs` are those that this go made.
    `task` is the number of the Task, `dice` are those of the Work as they lie there, `whole` is what they or the
    discipline came to before Resistance. Older journals have none of these.
    """

    who: str
    amount: int
    faces: tuple[Face, ...]
    breakthroughs: int
    track: ExtendedTrack
    task: int = 0
    dice: tuple[ThrownDie, ...] = ()
    whole: int = 0

    def fold(self, table: Table) -> Table:
        tracks = tuple(self.track if one.track_id == self.track.track_id else one for one in table.extended)
        work = self._work()

        def at_work(one: Task | None) -> Task | None:
            return replace(one, work=work) if one is not None and one.number == self.task else one

        return replace(
            table,
            extended=tracks,
            task=at_work(table.task),
            last_task=at_work(table.last_task),
            last_opponent=at_work(table.last_opponent),
        )

    def told(self, _: Table, __: Table) -> Narration:
        return work_told(self._work(), self.who, self.faces)

    def _work(self) -> Work:
        return Work(
            whole=self.whole,
            amount=self.amount,
            breakthroughs=self.breakthroughs,
            track=self.track,
            dice=self.dice,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedTaskFinished(Event):
    """An Extended Task is done, and off the table."""

    track: ExtendedTrack

    def fold(self, table: Table) -> Table:
        return _gone(table, self)

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{track} is finished.", track=capitalized(spoken(self.track.label))), NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedTaskEnded(Event):
    """An Extended Task was given up; `why` in words."""

    track: ExtendedTrack
    why: str

    def fold(self, table: Table) -> Table:
        return _gone(table, self)

    def told(self, _: Table, __: Table) -> Narration:
        return longer(
            say("{track} ends unfinished.", track=capitalized(spoken(self.track.label))),
            reason(self.why),
            "",
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginExtendedTask(Command):
    """Begin an Extended Task.

    `work` is the length of its track. `magnitude` is how many Breakthroughs finish it, and is left out (0) in the form
    with one track of Progress; `progress` chooses that form, None the table's own (C-58).
    """

    label: str
    work: int
    magnitude: int = 0
    resistance: int = 0
    difficulty: int = 2
    progress: bool | None = None

    undone: ClassVar[Phrase | None] = say("beginning the Extended Task")

    def decide(self, draft: Draft) -> None:
        """Begin an Extended Task in the table's form, or the one chosen (EXT-T1, EXT-T2, C-58)."""
        require_ready(draft.table)
        label = require_text(self.label, say("what the Extended Task is about"))
        if len(draft.table.extended) >= MOST_TRACKS:
            raise Refusal("EXT-T1", "At most {most} Extended Tasks run at once; end one first.", most=MOST_TRACKS)
        progress = _form(draft.table, self.progress)
        if progress and self.magnitude:
            raise Refusal("EXT-T2", "An Extended Task by Progress has no Magnitude; leave it out.")
        _require_number(self.work, say("The track"), 1, LONGEST_TRACK)
        if not progress:
            _require_number(self.magnitude, say("The Magnitude"), 1, HIGHEST_MAGNITUDE)
        _require_number(self.resistance, say("The Resistance"), 0, HIGHEST_RESISTANCE)
        _require_number(self.difficulty, say("The Difficulty"), 0, HARDEST)
        begin(
            draft,
            label=label,
            work=self.work,
            magnitude=self.magnitude,
            resistance=self.resistance,
            difficulty=self.difficulty,
            progress=progress,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EndExtendedTask(Command):
    """Give an Extended Task up, or say that it does not matter any more."""

    track_id: str

    undone: ClassVar[Phrase | None] = say("giving up the Extended Task")

    def decide(self, draft: Draft) -> None:
        """Give an Extended Task up. Refuses while a Task on it is in hand or its dice are to come (EXT-T1)."""
        track = find_track(draft.table, self.track_id)
        task = draft.table.task
        worked_on = task is not None and _track_id(task.declaration) == track.track_id
        due = any(one.kind is StepKind.WORK_DICE and one.subject_id == track.track_id for one in draft.table.agenda)
        if worked_on or due:
            raise Refusal("EXT-T1", "Somebody is at work on it; settle that first, or take it back by undo.")
        end(draft, track, say("it was given up"))


ACTION: Final = "extended"
"""The name of the action that works on an Extended Task, on the bridge as elsewhere."""


LONGEST_TRACK: Final = 100
"""The longest track of Work that is taken in; more is a slip of the finger."""


HIGHEST_MAGNITUDE: Final = 20
"""The largest Magnitude that is taken in; more is a slip of the finger."""


HIGHEST_RESISTANCE: Final = 20
"""The largest Resistance that is taken in; more is a slip of the finger."""


MOST_TRACKS: Final = 20
"""The most Extended Tasks at a time; more is a slip of the finger."""


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

    `purpose` is a key of the playbook's `extended_done`, which is called when it is finished. In the form by Progress
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
    draft.record(ExtendedTaskBegan(track=track, next_number=number + 1))
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
    if not table.extended:
        raise Refusal("EXT-T1", "No Extended Task is under way; begin one first.")
    names = either([spoken(one.label) for one in table.extended])
    raise Refusal("EXT-T1", "That Extended Task is not under way; choose {names}.", names=names)


def end(draft: Draft, track: ExtendedTrack, why: str) -> None:
    """Take an Extended Task off the table unfinished; `why` in words."""
    draft.record(ExtendedTaskEnded(track=track, why=why))


def difficulty_now(track: ExtendedTrack) -> int:
    """Difficulty of the next Task on it: each Breakthrough makes it 1 easier, floor 0 (EXT-T1); fixed in EXT-T2."""
    return track.base_difficulty if track.progress else _value(track).difficulty


def difficulty_as_it_is(table: Table, declared: Declaration) -> int:
    """The Difficulty of a Task that is still to come: of Work on an Extended Task what that is now."""
    track = next((one for one in table.extended if one.track_id == _track_id(declared)), None)
    return declared.difficulty if track is None else difficulty_now(track)


def is_finished(track: ExtendedTrack) -> bool:
    """Whether nothing is left to do on it: its Breakthroughs are made, or its track of Progress is full."""
    return track.marked >= track.work if track.progress else _value(track).finished


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
    """Apply a success on an Extended Task: mark Progress at once, or ask for the dice of Work."""
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
    _, discipline = declaration.skills
    own: int = getattr(find_character(table, declaration.character_id).disciplines, discipline)
    if not track.progress or declaration.ship is None:
        return own
    ship = find_ship(table, declaration.ship.ship_id)
    department: int = getattr(ship.departments, declaration.ship.department)
    return max(own, department)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkDue:
    """What a success on an Extended Task brings: `dice` of Work, or points of `progress`; 0 for what it is not."""

    dice: int = 0
    progress: int = 0


def work_due(table: Table, task: Task) -> WorkDue | None:
    """What follows once the spending of `task` is over; None where it succeeds on no Extended Task that runs."""
    track = next((one for one in table.extended if one.track_id == _track_id(task.declaration)), None)
    if track is None or not succeeded(task):
        return None
    rating = _rating(table, task, track)
    if not track.progress:
        return WorkDue(dice=work_dice(rating))
    return WorkDue(progress=make_progress(track.work, track.marked, rating, track.resistance).impact)


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
    draft.record(
        WorkMarked(
            who=who,
            amount=made.impact,
            faces=(),
            breakthroughs=0,
            track=after,
            task=_number_of(draft.table, step),
            whole=step.count,
        )
    )
    _settle(draft, after, finished=made.finished)


def _count_work(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    track = find_track(draft.table, step.subject_id)
    faces = tuple(one.face for one in thrown)
    done = do_work(_value(track), step.count, faces)
    after = replace(track, marked=done.task.marked, breakthroughs=done.task.breakthroughs)
    draft.record(
        WorkMarked(
            who=find_character(draft.table, step.by_id).name,
            amount=done.work_done,
            faces=faces,
            breakthroughs=after.breakthroughs - track.breakthroughs,
            track=after,
            task=_number_of(draft.table, step),
            dice=thrown,
            whole=challenge_result(faces).total,
        )
    )
    _settle(draft, after, finished=done.task.finished)


def _number_of(table: Table, step: Step) -> int:
    """The number of the Task whose success the step is about; 0 where it is gone."""
    there = (table.task, table.last_task, table.last_opponent)
    theirs = (one for one in there if one is not None and one.declaration.character_id == step.by_id)
    return next((one.number for one in theirs if one.outcome is not None), 0)


def _settle(draft: Draft, track: ExtendedTrack, *, finished: bool) -> None:
    if finished:
        draft.record(ExtendedTaskFinished(track=track))
        done = draft.playbook.extended_done.get(track.purpose)
        if done is not None:
            done(draft, track)
    finish_step(draft)


def _tracks(table: Table, _: str) -> tuple[str, ...]:
    return tuple(one.track_id for one in table.extended)


_TRACK: Final = FieldRow(
    name="target_id",
    those=_tracks,
    asked=say("Extended Tasks"),
    none=say("No Extended Task is under way; begin one first."),
)
"""Which Extended Task is worked on."""


def _row(scope: ActionScope) -> ActionRow:
    return ActionRow(
        name=ACTION,
        rule="EXT-T1",
        label=say("Work on an Extended Task"),
        scope=scope,
        needs=("target_id",),
        fields=(_TRACK,),
        free_form=True,
        plan=_plan,
        rolled=by_choice,
        result=_worked,
    )


PLAYBOOK: Final = Playbook(
    actions=tuple(_row(scope) for scope in ActionScope),
    steps=(StepRow(kind=StepKind.WORK_DICE, begin=_begin_work, count=_count_work),),
)
"""The part of the playbook that Extended Tasks bring: the action `extended` and its Work (EXT-T1, EXT-T2)."""


def track_words(track: ExtendedTrack) -> Phrase:
    """How far an Extended Task has come: "6 of 8 Work, 1 of 3 Breakthroughs"."""
    if track.progress:
        return say("{marked} of {work} Progress", marked=track.marked, work=track.work)
    made = min(track.breakthroughs, track.magnitude)
    return say(
        "{marked} of {work} Work, {made} of {magnitude} Breakthroughs",
        marked=track.marked,
        work=track.work,
        made=made,
        magnitude=track.magnitude,
    )


def work_told(done: Work, who: str, faces: tuple[Face, ...]) -> Narration:
    """What a go came to, with the `faces` that somebody threw for it, in three lengths."""
    track = done.track
    thrown = say("{who} threw {faces}.", who=spoken(who), faces=faces_words(faces)) if faces else ""
    has = say("{track} has {progress}.", track=spoken(track.label), progress=track_words(track))
    return longer(
        ended(work_words(done) or (say("No Progress done") if track.progress else say("No Work done"))),
        sentences(resistance_words(done), has),
        thrown,
        NarrationKind.OUTCOME,
    )


def work_words(done: Work) -> Phrase | str:
    """What a go came to: "5 Work and 1 Breakthrough"; empty where it did nothing."""
    if not done.amount:
        return ""
    by_progress, by_work = say("{points} Progress", points=done.amount), say("{points} Work", points=done.amount)
    made = [counted(done.breakthroughs, "Breakthrough")] if done.breakthroughs else []
    return listed([by_progress if done.track.progress else by_work, *made])


def resistance_words(done: Work) -> Phrase | str:
    """What Resistance took of a go, and what Effects brought, as a sentence; empty where it was neither."""
    effects = challenge_result(one.face for one in done.dice).effects
    whole: Phrase | str = str(done.whole)
    if effects:
        whole = say("{whole} with {effects}", whole=done.whole, effects=counted(effects, "Effect"))
    resistance = done.track.resistance
    if not resistance or not done.whole:
        return say("The dice came to {whole}.", whole=whole) if effects else ""
    if not done.track.progress:
        return say("The dice came to {whole}, less Resistance {resistance}.", whole=whole, resistance=resistance)
    if done.amount > done.whole - resistance:
        return say(
            "The success brought {whole}, less Resistance {resistance}, but 1 at least.",
            whole=whole,
            resistance=resistance,
        )
    return say("The success brought {whole}, less Resistance {resistance}.", whole=whole, resistance=resistance)


def _gone(table: Table, event: ExtendedTaskFinished | ExtendedTaskEnded) -> Table:
    return replace(table, extended=tuple(one for one in table.extended if one.track_id != event.track.track_id))


def extended_tasks(table: Table) -> Iterator[Candidate]:
    """Giving up each Extended Task that runs; working on one needs words, and is declared."""
    for track in table.extended:
        yield Candidate(
            option_id=f"end_extended_task:{track.track_id}",
            label=say("Give up the Extended Task {track}", track=track.label),
            command=EndExtendedTask(track_id=track.track_id),
            rule="EXT-T1",
            role=Role.GAMEMASTER,
            free=True,
        )
