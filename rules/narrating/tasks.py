"""How a Task is told, from its declaration to its last Complication."""

from __future__ import annotations

from typing import Final

from rules import events as e
from rules.narrating.telling import (
    Narration,
    NarrationKind,
    Sentences,
    awaited_words,
    longer,
    pools_words,
    same,
    sentence,
)
from rules.state import Payment, Table, Task
from rules.vocabulary import OpposedWinner, Payer, TaskPhase, ThrowRole
from rules.wording import (
    counted,
    faces_words,
    outcome_word,
    signless,
    spoken,
    worth_words,
    worths_words,
)


def _outcome(event: e.OutcomeReached, _: Table, after: Table) -> Narration:
    outcome = event.outcome
    word = outcome_word(outcome)
    extras = []
    decided = _opposed_words(after) if after.opposed is not None else ""
    if outcome.success and event.momentum_left and not decided:
        extras.append(f"{event.momentum_left} Momentum")
    if outcome.complications:
        extras.append(counted(outcome.complications, "Complication"))
    terse = f"{', '.join((word, *extras))}."
    if not event.dice:
        return longer(f"{word}.", "No dice are needed.", _who_and_dice(event), NarrationKind.OUTCOME)
    successes = f"{counted(outcome.successes, 'success', 'successes')} against Difficulty {outcome.difficulty}"
    normal = " ".join(f"{part}." for part in (word, successes, *extras))
    if event.phase is TaskPhase.AWAITING_OPPOSITION and after.opposed is not None:
        return _first_thrown(event, after.opposed)
    if event.phase is TaskPhase.AWAITING_OPPOSITION:
        decided = "The other side throws against it."
    normal = " ".join(part for part in (normal, decided) if part)
    terse = " ".join(part for part in (terse, decided) if part)
    return Narration(
        terse=terse, normal=normal, full=f"{normal} {_who_and_dice(event)}".strip(), kind=NarrationKind.OUTCOME
    )


def _first_thrown(event: e.OutcomeReached, active: Task) -> Narration:
    """C-42: the reactive side's dice have no Difficulty but make the active side's."""
    successes = counted(event.outcome.successes, "success", "successes")
    complications = event.outcome.complications
    more = f" {counted(complications, 'Complication')}." if complications else ""
    terse = f"{sentence(successes)}{more} {spoken(active.who)} throws against Difficulty {event.outcome.successes}."
    return longer(terse, "", _who_and_dice(event), NarrationKind.OUTCOME)


def _side_turned(event: e.SideTurned, _: Table, after: Table) -> Narration:
    return longer(
        f"{spoken(event.who)}, Difficulty {event.difficulty}.", awaited_words(after.request), "", NarrationKind.DECLARED
    )


def _opposed_words(table: Table) -> str:
    task, waiting = table.task, table.opposed
    if task is None or waiting is None or task.opposed_winner is None:
        return ""
    if task.opposed_winner is OpposedWinner.NONE:
        return "Neither side wins."
    winner = waiting if task.reactive is (task.opposed_winner is OpposedWinner.ACTIVE) else task
    gain = f"with {winner.momentum_left}" if winner.momentum_left else "without"
    return f"{spoken(winner.who)} wins {gain} Momentum."


def _who_and_dice(event: e.OutcomeReached) -> str:
    label = f", {spoken(event.label)}" if spoken(event.label) else ""
    sentences = [f"{spoken(event.who)}{label}, Target Number {event.target_number}."]
    own = [one for one in event.dice if one.role is ThrowRole.LEADER]
    others = [one for one in event.dice if one.role is not ThrowRole.LEADER]
    if own:
        sentences.append(sentence(worths_words(own)))
    sentences.extend(
        f"{spoken(one.who)} helps, Target Number {one.target_number}: {worth_words(one)}." for one in others
    )
    return " ".join(sentences)


def _task_declared(event: e.TaskDeclared, _: Table, after: Table) -> Narration:
    task = event.task
    who = spoken(task.who)
    focus = f", {task.double_at_most} or less counts twice" if task.declaration.focus else ""
    terse = f"{who}, Difficulty {task.difficulty}."
    first = "The other side throws first." if task.phase is TaskPhase.AWAITING_OPPOSITION else ""
    more = f"Target Number {task.target_number}{focus}. {awaited_words(after.request) or first}".strip()
    return longer(terse, more, _declared_details(task, after), NarrationKind.DECLARED)


def _declared_details(task: Task, after: Table) -> str:
    words = [f"{task.declaration.attribute.value} and {task.declaration.discipline.value}"]
    label = spoken(task.declaration.label)
    if label:
        words.insert(0, label)
    words += [f"{spoken(one.reason)} {signless(one.change)}" for one in task.declaration.modifiers]
    if task.declaration.complication_range > 1:
        words.append(f"Complications from {21 - task.declaration.complication_range} up")
    if any(one.payer is Payer.DETERMINATION for one in task.declaration.purchases):
        words.append("a Determination die counts twice")
    helpers = counted(len(task.declaration.assists), "helper") if task.declaration.assists else ""
    if helpers:
        words.append(helpers)
    if task.declaration.ship is not None:
        words.append("the ship helps")
    return f"{sentence(', '.join(words))} {pools_words(after)}"


def _task_dice(event: e.TaskDiceThrown, _: Table, after: Table) -> Narration:
    so_far = sum(one.successes for one in event.dice if one.counted)
    text = f"{counted(so_far, 'success', 'successes')} so far."
    own = sentence(worths_words(event.dice))
    return longer(text, awaited_words(after.request), own, NarrationKind.CHANGE)


def _die_bought(event: e.DieBought, _: Table, after: Table) -> Narration:
    who = {Payer.DETERMINATION: "with Determination", Payer.TALENT: "from a Talent"}.get(event.purchase.payer, "")
    text = " ".join(part for part in ("One more die", who) if part)
    return longer(f"{text}.", awaited_words(after.request), pools_words(after), NarrationKind.CHANGE)


def _problem(event: e.ProblemCreated, _: Table, after: Table) -> Narration:
    return longer(
        f"Difficulty {event.difficulty}.",
        f"A problem makes it {event.modifier.change} harder.",
        pools_words(after),
        NarrationKind.CHANGE,
    )


def _withdrawn(event: e.TaskWithdrawn, before: Table, after: Table) -> Narration:
    paid = before.task is not None and before.task.paid != Payment()
    refund = "What it cost comes back." if paid else ""
    return longer(f"{spoken(event.who)}'s Task is taken back.", refund, pools_words(after), NarrationKind.CHANGE)


def _reroll(event: e.RerollStarted, _: Table, after: Table) -> Narration:
    return longer(awaited_words(after.request), f"In place of {faces_words(event.faces)}.", "", NarrationKind.CHANGE)


def _task_corrected(event: e.TaskDieCorrected, _: Table, __: Table) -> Narration:
    return same(f"Corrected from {event.before} to {event.after}.", NarrationKind.CHANGE)


def _spent(event: e.MomentumSpent, _: Table, after: Table) -> Narration:
    name = event.spend.spend.replace("_", " ").title()
    times = f", {event.spend.times} times" if event.spend.times > 1 else ""
    left = f"{event.momentum_left or 'No'} Momentum of this Task left."
    note = spoken(event.spend.note)
    most = f"{note}. {pools_words(after)}" if note else pools_words(after)
    return longer(f"{name}{times}.", left, most, NarrationKind.CHANGE)


def left_over(event: e.SpendingFinished) -> Narration:
    """What became of the Momentum that a Task had left; without words where none was."""
    parts = []
    if event.saved:
        parts.append(f"{event.saved} Momentum saved.")
    if event.lost:
        parts.append(f"{event.lost} Momentum lost above 6.")
    if event.to_threat:
        parts.append(f"{event.to_threat} Momentum becomes Threat.")
    return same(" ".join(parts), NarrationKind.CHANGE)


def _finished(event: e.SpendingFinished, _: Table, after: Table) -> Narration:
    to_settle = _to_settle(after)
    terse = " ".join(part for part in (left_over(event).terse, to_settle) if part) or "Done."
    return longer(terse, pools_words(after), "", NarrationKind.CHANGE, urgent=bool(to_settle))


def _to_settle(table: Table) -> str:
    """The Complications that somebody must take or buy off now, those of the other side of an opposed Task too."""
    task = table.task
    if task is None or task.phase is not TaskPhase.COMPLICATIONS or not task.complications_open:
        return ""
    return f"{counted(task.complications_open, 'Complication')} of {spoken(task.who)} to settle."


def _complication_left(left: int, after: Table) -> str:
    """What is left of these Complications; after the last of them, those of the other side of an opposed Task."""
    return f"{counted(left, 'Complication')} left." if left else _to_settle(after)


def _complication_taken(event: e.ComplicationTaken, _: Table, after: Table) -> Narration:
    name = spoken(event.name)
    text = f"Complication: {name}." if name else "Complication taken."
    return longer(text, _complication_left(event.left, after), pools_words(after), NarrationKind.CHANGE)


def _complication_bought_off(event: e.ComplicationBoughtOff, _: Table, after: Table) -> Narration:
    return longer(
        f"Complication bought off. Threat {after.threat}.",
        _complication_left(event.left, after),
        "",
        NarrationKind.CHANGE,
    )


def _task_closed(event: e.TaskClosed, _: Table, after: Table) -> Narration:
    return longer(f"{spoken(event.who)}'s Task is done.", pools_words(after), "", NarrationKind.INFO)


SENTENCES: Final[Sentences] = {
    e.OutcomeReached: _outcome,
    e.TaskDeclared: _task_declared,
    e.SideTurned: _side_turned,
    e.RerollStarted: _reroll,
    e.TaskDiceThrown: _task_dice,
    e.TaskDieCorrected: _task_corrected,
    e.DieBought: _die_bought,
    e.ProblemCreated: _problem,
    e.TaskWithdrawn: _withdrawn,
    e.MomentumSpent: _spent,
    e.SpendingFinished: _finished,
    e.ComplicationTaken: _complication_taken,
    e.ComplicationBoughtOff: _complication_bought_off,
    e.TaskClosed: _task_closed,
}
"""The weightiest first."""
