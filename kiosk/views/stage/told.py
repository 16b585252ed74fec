"""The words and numbers of one Task: who did what, how it went, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from kiosk.views.stage.names import known_as, name_of, titled
from kiosk.views.stage.values import StageFact
from rules.dice import Face
from rules.game import (
    MOMENTUM_CAP,
    PLAYBOOK,
    Declaration,
    ExtendedTrack,
    OpposedWinner,
    Table,
    Task,
    TaskPhase,
    Weight,
    Work,
    as_dialled,
    expected,
    is_foes,
    other_side,
    profile,
    reached,
    save_momentum,
    successes_to_win,
    weight_of,
    why_won,
    work_words,
)
from rules.words import Phrase, counted, joined_by, say, say_count


def task_summary(task: Task) -> Phrase:
    """A Task in a line: what it is named, else its skills."""
    declared = task.declaration
    attribute, discipline = (titled(one) for one in declared.skills)
    if not declared.label:
        return say("{who}, {attribute} + {discipline}", who=task.who, attribute=attribute, discipline=discipline)
    return say(
        "{who}: {label}, {attribute} + {discipline}",
        who=task.who,
        label=declared.label,
        attribute=attribute,
        discipline=discipline,
    )


_LONGEST_DEED: Final = 32
"""Most letters of a deed and a name that head an outcome: more would take the dice's room, and stand small above it."""


def _deed(task: Task, table: Table) -> str:
    """What the Task was about, where that heads its outcome: of the answer to another's, what that one was.

    Empty of a blow, which tells whom it hits, and of another Task in a fight whose deed nobody named.
    """
    deed = _named_deed(task, table)
    too_long = len(deed) + len(known_as(table, task.who)) > _LONGEST_DEED
    return "" if too_long or task.phase is TaskPhase.AWAITING_OPPOSITION or who_is_struck(task, table) else deed


def _named_deed(task: Task, table: Table) -> str:
    """What somebody named as what the Task is about, else as what the one was that it answered; else empty."""
    label, action = task.declaration.label, task.declaration.action
    row = PLAYBOOK.action(action, profile(table).edition_of(action.name)) if action is not None else None
    own = "" if row is not None and row.free_form and label == row.label else label
    answered = other_side(table, task) if task.reactive else None
    return own or (_named_deed(answered, table) if answered is not None and not who_is_struck(answered, table) else "")


def headline_of(task: Task, table: Table, *, good: bool, banner: bool = False) -> Phrase:
    """The deed, where one was named, and the result for whoever threw; for an attack, whom it hits.

    `banner`: a triumph is told above it.
    """
    deed = _deed(task, table)
    who = known_as(table, task.who) if deed else task.who
    result = work_done(task.work, who) if task.work else result_of(task, table, who, good=good, banner=banner)
    return joined_by(": ", [deed, result]) if deed else result


def work_done(work: Work, who: str) -> Phrase:
    """What somebody's Work on an Extended Task came to."""
    made = work_words(work)
    return say("{who} gets {work}", who=who, work=made) if made else say("{who} gets no Work done", who=who)


def work_so_far(track: ExtendedTrack) -> StageFact:
    """How far an Extended Task is (EXT-T1, EXT-T2)."""
    of_most = say("{left} of {most}", left=min(track.marked, track.work), most=track.work)
    return StageFact(say("Progress") if track.progress else say("Work"), of_most)


def result_of(task: Task, table: Table, who: str, *, good: bool, banner: bool) -> Phrase:
    """What a Task came to for `who`; with `banner`, a triumph is told above it."""
    result = task.outcome
    assert result is not None  # noqa: S101 - for the type checker: asked for only then
    if task.reactive and task.phase is TaskPhase.AWAITING_OPPOSITION:
        return say("{who} sets Difficulty {difficulty}", who=who, difficulty=result.successes)
    if task.phase is TaskPhase.AWAITING_OPPOSITION and task.dice:
        return say("{who}: {successes}", who=who, successes=counted(result.successes, "success"))
    target = who_is_struck(task, table)
    if target:
        return _blow(task, table, target, good=good)
    if task.opposed_winner in {OpposedWinner.ACTIVE, OpposedWinner.REACTIVE}:
        return say("{who} wins", who=who) if good else say("{who} loses", who=who)
    if good and result.at_cost:
        return say("{who} succeeds at cost", who=who)
    return _BY_WEIGHT[Weight.SUCCESS if banner else weight_of(task)](who)


def _blow(task: Task, table: Table, target: str, *, good: bool) -> Phrase:
    """Whose blow lands on whom; of an attack that was answered in vain, that it missed."""
    who = task.who
    neither = task.reactive and task.opposed_winner is OpposedWinner.NONE
    if neither or unwarded_attack(task, table) is not None:
        who, target = target, who
    landed = good or unwarded_attack(task, table) is not None
    who, target = known_as(table, who), known_as(table, target)
    missed = say("{who} misses {target}", who=who, target=target)
    return say("{who} hits {target}", who=who, target=target) if landed else missed


_BY_WEIGHT: Final[Mapping[Weight, Callable[[str], Phrase]]] = {
    Weight.FAILURE: lambda who: say("{who} fails", who=who),
    Weight.SUCCESS: lambda who: say("{who} succeeds", who=who),
    Weight.COST: lambda who: say("{who} succeeds", who=who),
    Weight.TRIUMPH: lambda who: say("{who} triumphs", who=who),
}
"""How a Task ended by itself, by its weight; the Complications of a success with a cost are told beside it."""


def unwarded_attack(task: Task, table: Table) -> Task | None:
    """The attack that this Task did not ward off; None for any other Task."""
    lost = task.reactive and task.opposed_winner is OpposedWinner.ACTIVE and bool(who_is_struck(task, table))
    return other_side(table, task) if lost else None


def who_is_struck(task: Task, table: Table) -> str:
    """The name of an attack's target; empty for any other Task."""
    return name_of(table, _target_of(task, table))


def _target_of(task: Task, table: Table) -> str:
    """The id of an attack's target; empty for any other Task."""
    action = task.declaration.action
    row = PLAYBOOK.action(action, profile(table).edition_of(action.name)) if action is not None else None
    return action.target_id if action is not None and row is not None and row.strikes else ""


def aimed_at(table: Table) -> frozenset[str]:
    """The ids of those that the attack in hand is aimed at, from its declaration until each hit is settled."""
    attack = table.attack
    hit = {attack.action.target_id, *attack.hit_ids} if attack is not None else set()
    tasks = (one for one in (table.task, table.opposed) if one is not None)
    return frozenset(hit | {_target_of(one, table) for one in tasks}) - {""}


def skills_of(task: Task, table: Table) -> Phrase:
    """What the headline leaves open of what was thrown for."""
    attribute, discipline = (titled(one) for one in task.declaration.skills)
    skills = say("{attribute} + {discipline}", attribute=attribute, discipline=discipline)
    label = task.declaration.label or _named_deed(task, table)
    return joined_by(", ", [label, skills]) if label and not _deed(task, table) else skills


def cost_of(task: Task) -> Phrase | str:
    """The Complications of the dice, and how many of them are still open."""
    told = complications_of(task)
    if not told.mark:
        return ""
    number = task.outcome.complications if task.outcome is not None else 0
    return joined_by(", ", [say_count(number, "{number} Complication", "{number} Complications"), told.note])


def number_of(task: Task, table: Table, momentum: int) -> StageFact | None:
    """The Momentum won, else the successes beside the Difficulty, if there is one; None if there is neither."""
    result = task.outcome
    assert result is not None  # noqa: S101 - for the type checker: asked for only then
    if momentum:
        left = task.momentum_left if task.phase is TaskPhase.SPENDING else 0
        if not left and not task.saved and task.lost:
            return StageFact(say("Momentum lost"), str(task.lost))
        if not left:
            return StageFact(say("Momentum saved") if task.saved else say("Momentum"), str(task.saved or momentum))
        saves = not task.npc and save_momentum(table.momentum, left).saved
        return StageFact(say("Momentum to spend or save") if saves else say("Momentum to spend"), str(left))
    if not task.dice or (task.reactive and task.phase is TaskPhase.AWAITING_OPPOSITION):
        return None
    return _to_win(task, table) or _successes(task, result.successes, result.difficulty)


def _successes(task: Task, successes: int, difficulty: int) -> StageFact:
    if task.opposed_winner is not None or not difficulty:
        note = say("none needed") if task.opposed_winner is None else ""
        return StageFact(say("Successes"), str(successes), note=note)
    needed = say("{successes} of {difficulty}", successes=successes, difficulty=difficulty)
    return StageFact(say("Successes"), needed)


def _to_win(task: Task, table: Table) -> StageFact | None:
    """How many successes the other side needs to win, where the one that threw first reached its Difficulty (OPP-2).

    Its own Difficulty is what its Task would start from; whoever declares it may still choose another.
    """
    result, waits = task.outcome, task.phase is TaskPhase.AWAITING_OPPOSITION and not task.reactive
    if not waits or result is None or not result.success:
        return None
    meant = expected(table, task)
    theirs = as_dialled(table, Declaration(character_id=meant[0] if len(meant) == 1 else "")).difficulty
    at = say("at Difficulty {difficulty}", difficulty=theirs)
    return StageFact(say("To win"), str(successes_to_win(result, theirs)), note=at)


def beat_of(task: Task) -> str:
    """An id for a Task's dice as they lie."""
    return throw_id(task.number, (one.die.face for one in task.dice))


def throw_id(number: int, faces: Iterable[Face]) -> str:
    """An id for a throw: settling keeps it, a re-roll changes it."""
    return "-".join([str(number), *(str(one) for one in faces)])


def lost_by(task: Task) -> str:
    """What of a Task's Momentum found no room in the pool; empty where all did (POOL-2)."""
    return (
        say("{points} Momentum lost: the pool holds {most}.", points=task.lost, most=MOMENTUM_CAP) if task.lost else ""
    )


def successes_against(other: Task) -> Phrase:
    """What lies there against a Task: who threw how many successes."""
    successes = other.outcome.successes if other.outcome is not None else 0
    return say_count(successes, "Against {who}: {number} success.", "Against {who}: {number} successes.", who=other.who)


def mark_of(task: Task, table: Table, *, good: bool) -> str:
    """How a Task ended, as the players' side of the table sees it: a foe's success is no success there."""
    how = "success" if good else "failure"
    return f"npc-{how}" if is_foes(task, table) else how


def why_it_won(task: Task, table: Table) -> Phrase | str:
    """Why the winner of a decided Opposed Task won, where the successes do not show it; else empty."""
    other = other_side(table, task)
    if other is None or task.opposed_winner is OpposedWinner.NONE:
        return ""
    won, lost = (task, other) if reached(task) else (other, task)
    return why_won(won, lost, profile(table), known_as(table, won.who), known_as(table, lost.who))


def successes_in_words(task: Task) -> Phrase:
    """How many successes a Task has, and against what Difficulty."""
    result = task.outcome
    assert result is not None  # noqa: S101 - for the type checker: asked for only then
    if task.reactive and task.phase is TaskPhase.AWAITING_OPPOSITION:
        return say_count(result.successes, "{number} success.", "{number} successes.")
    if not task.declaration.rolled and not task.dice:
        return say("Difficulty 0: no dice needed.")
    return say_count(
        result.successes,
        "{number} success against Difficulty {difficulty}.",
        "{number} successes against Difficulty {difficulty}.",
        difficulty=result.difficulty,
    )


def complications_of(task: Task) -> StageFact:
    """The number of Complications, and how many of them are still open."""
    number, left = task.outcome.complications if task.outcome is not None else 0, task.complications_open
    if not number:
        return StageFact(say("Complications"), "0")
    note = say("open") if left == number else say("{number} open", number=left) if left else say("settled")
    return StageFact(say("Complications"), str(number), "complication", note)
