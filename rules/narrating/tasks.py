"""How a Task is told, from its declaration to its last Complication."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rules import events as e
from rules.deciding.task_dice import goal
from rules.messages import Event
from rules.narrating.opposing import against_words, opponent
from rules.narrating.telling import (
    NOTHING,
    Narration,
    NarrationKind,
    Sentences,
    awaited_words,
    ended,
    longer,
    pools_if_same,
    pools_words,
    same,
    sentence,
)
from rules.phrases import Phrase, joined_by, known, say, sentences
from rules.rulesets import profile_at
from rules.state import Modifier, Payment, Table, Task, TaskDie
from rules.task import ship_acts
from rules.vocabulary import ActionScope, OpposedWinner, Payer, TaskPhase, ThrowRole
from rules.weapons import weapons_of
from rules.wording import (
    counted,
    dice_words,
    face_word,
    faces_words,
    outcome_word,
    signless,
    spoken,
    worth_words,
    worths_words,
)


def _outcome(event: e.OutcomeReached, _: Table, after: Table) -> Narration:
    return outcome_told(event, after)


def outcome_told(event: e.OutcomeReached, after: Table) -> Narration:
    """What the dice of a Task came to at the table `after`; of an Opposed Task who won."""
    outcome = event.outcome
    if not event.dice:
        return longer(
            ended(outcome_word(outcome)), say("No dice are needed."), _who_and_dice(event, after), NarrationKind.OUTCOME
        )
    if event.phase is TaskPhase.AWAITING_OPPOSITION and after.opposed is not None:
        return _first_thrown(event, after.opposed, after)
    if decided := _opposed_words(after):
        return _decided(event, decided, after)
    extras = []
    if outcome.success and event.momentum_left:
        extras.append(counted(event.momentum_left, "Momentum"))
    if outcome.complications:
        extras.append(counted(outcome.complications, "Complication"))
    goes_on = _answer_awaited(after) if event.phase is TaskPhase.AWAITING_OPPOSITION else NOTHING
    word = outcome_word(outcome)
    normal = sentences(ended(word), _successes(event), *(ended(one) for one in extras), goes_on)
    return Narration(
        terse=sentences(ended(joined_by(", ", (word, *extras))), goes_on),
        normal=normal,
        full=sentences(normal, _who_and_dice(event, after)),
        kind=NarrationKind.OUTCOME,
    )


def _answer_awaited(after: Table) -> Phrase:
    who = opponent(after, after.task) if after.task is not None else ""
    if who:
        return say("{who} throws against it.", who=spoken(who))
    return say("The other side throws against it.")


def _successes(event: e.OutcomeReached) -> Phrase:
    return say(
        "{successes} against Difficulty {difficulty}.",
        successes=counted(event.outcome.successes, "success"),
        difficulty=event.outcome.difficulty,
    )


def _decided(event: e.OutcomeReached, decided: Phrase, after: Table) -> Narration:
    """OPP-2, OPP-3: what counts is who won; that the dice reached their Difficulty is no success of who lost."""
    complications = event.outcome.complications
    extra = ended(counted(complications, "Complication")) if complications else NOTHING
    normal = sentences(decided, _successes(event), extra)
    return Narration(
        terse=sentences(decided, extra),
        normal=normal,
        full=sentences(normal, _who_and_dice(event, after)),
        kind=NarrationKind.OUTCOME,
    )


def _first_thrown(event: e.OutcomeReached, active: Task, after: Table) -> Narration:
    """C-42: the reactive side's dice have no Difficulty but make the active side's."""
    successes, complications = event.outcome.successes, event.outcome.complications
    terse = sentences(
        ended(counted(successes, "success")),
        ended(counted(complications, "Complication")) if complications else NOTHING,
        say("{who} throws against Difficulty {difficulty}.", who=spoken(active.who), difficulty=successes),
    )
    return longer(terse, "", _who_and_dice(event, after), NarrationKind.OUTCOME)


def _side_turned(event: e.SideTurned, _: Table, after: Table) -> Narration:
    against = against_words(after, after.task) if after.task is not None else NOTHING
    return longer(
        sentences(say("{who}, Difficulty {difficulty}.", who=spoken(event.who), difficulty=event.difficulty), against),
        awaited_words(after.request),
        "",
        NarrationKind.DECLARED,
    )


def _opposed_words(table: Table) -> Phrase:
    task, waiting = table.task, table.opposed
    if task is None or waiting is None or task.opposed_winner is None:
        return NOTHING
    if task.opposed_winner is OpposedWinner.NONE:
        return say("Neither side wins.")
    winner = waiting if task.reactive is (task.opposed_winner is OpposedWinner.ACTIVE) else task
    if winner.momentum_left:
        return say("{who} wins with {momentum} Momentum.", who=spoken(winner.who), momentum=winner.momentum_left)
    return say("{who} wins without Momentum.", who=spoken(winner.who))


def named(told: Narration | None, events: tuple[Event, ...]) -> Narration | None:
    """`told`, after whose Task it is where it was declared and thrown in one: nobody was told of it before."""
    thrown = next((one for one in events if isinstance(one, e.OutcomeReached) and one.dice), None)
    if told is None or thrown is None or not any(isinstance(one, e.TaskDeclared) for one in events):
        return told
    whose = _whose(thrown)
    return replace(told, terse=sentences(whose, told.terse), normal=sentences(whose, told.normal))


def _whose(event: e.OutcomeReached) -> Phrase:
    who, label = spoken(event.who), spoken(known(event.label))
    if label:
        return say("{who}, {label}, Target Number {target}.", who=who, label=label, target=event.target_number)
    return say("{who}, Target Number {target}.", who=who, target=event.target_number)


def _who_and_dice(event: e.OutcomeReached, after: Table) -> Phrase:
    tasks = (after.task, after.opposed, after.last_task, after.last_opponent)
    alone = any(ship_acts(task) for task in tasks if task is not None and task.dice == event.dice)
    own = [one for one in event.dice if one.role is ThrowRole.LEADER]
    helped = [_help_words(one, alone=alone) for one in event.dice if one.role is not ThrowRole.LEADER]
    return sentences(_whose(event), sentence(worths_words(own)) if own else NOTHING, *helped)


def _help_words(one: TaskDie, *, alone: bool) -> Phrase:
    """What a helper's or the ship's die is worth; `alone` of a ship whose own crew acts."""
    target, die = one.target_number, worth_words(one)
    if alone and one.role is ThrowRole.SHIP:
        return say("The ship's own die, Target Number {target}: {die}.", target=target, die=die)
    return say("{who} helps, Target Number {target}: {die}.", who=spoken(one.who), target=target, die=die)


def _task_declared(event: e.TaskDeclared, before: Table, after: Table) -> Narration:
    task = event.task
    waits = task.phase is TaskPhase.AWAITING_OPPOSITION
    declared = say("{who}, Difficulty {difficulty}.", who=spoken(task.who), difficulty=task.difficulty)
    terse = sentences(declared, NOTHING if waits or after.task is None else against_words(after, after.task))
    first = say("Opposed: the other side throws first.") if waits else NOTHING
    if task.declaration.focus:
        target = say(
            "Target Number {target}, {double_at_most} or less counts twice.",
            target=task.target_number,
            double_at_most=task.double_at_most,
        )
    else:
        target = say("Target Number {target}.", target=task.target_number)
    more = sentences(_aimed(task, after), target, awaited_words(after.request) or first)
    details = sentences(_declared_details(task), pools_if_same(before, after))
    return longer(terse, more, details, NarrationKind.DECLARED)


def _aimed(task: Task, table: Table) -> Phrase:
    """At whom a Task in a conflict is aimed and with what, as a sentence; empty for one that is aimed at nobody."""
    action, label = task.declaration.action, spoken(known(task.declaration.label))
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    if action is None or not label or action.target_id not in names:
        return NOTHING
    target = spoken(names[action.target_id])
    if not action.weapon:
        return say("{action}: {target}.", action=label, target=target)
    carried = {one.name: one.label for one in weapons_of(profile_at(table))}
    weapon = action.weapon if action.scope is ActionScope.BRIDGE else carried.get(action.weapon, action.weapon)
    return say("{action}: {target}, with {weapon}.", action=label, target=target, weapon=spoken(known(weapon)))


def _declared_details(task: Task) -> Phrase:
    declaration = task.declaration
    words: list[str] = [
        say("{attribute} and {discipline}", attribute=declaration.attribute, discipline=declaration.discipline)
    ]
    label = spoken(known(declaration.label))
    if label:
        words.insert(0, label)
    words += [_modifier_words(one) for one in declaration.modifiers]
    if declaration.complication_range > 1:
        words.append(say("Complications from {lowest} up", lowest=21 - declaration.complication_range))
    if any(one.payer is Payer.DETERMINATION for one in declaration.purchases):
        words.append(say("a Determination die counts twice"))
    if declaration.assists:
        words.append(counted(len(declaration.assists), "helper"))
    if declaration.ship is not None:
        words.append(say("the ship helps"))
    return sentence(joined_by(", ", words))


def _modifier_words(one: Modifier) -> Phrase:
    return say("{reason} {change}", reason=spoken(known(one.reason)), change=signless(one.change))


def _task_dice(event: e.TaskDiceThrown, _: Table, after: Table) -> Narration:
    so_far = sum(one.successes for one in event.dice if one.counted)
    text = say("{successes} so far.", successes=counted(so_far, "success"))
    own = sentence(worths_words(event.dice))
    return longer(text, _awaited_help(after), own, NarrationKind.CHANGE)


def _awaited_help(table: Table) -> Phrase:
    """Who helps next, and against what: a helper throws against a Target Number of their own (ASST-1)."""
    request, task = table.request, table.task
    if request is None or task is None or request.role not in {ThrowRole.ASSIST, ThrowRole.SHIP}:
        return awaited_words(request)
    who, dice = spoken(request.who), dice_words(request.count, request.kind)
    target, _ = goal(table, task, request.role)
    return say("{who} throws {dice}, Target Number {target}.", who=who, dice=dice, target=target)


_BOUGHT: Final = {
    Payer.DETERMINATION: say("One more die with Determination."),
    Payer.TALENT: say("One more die from a Talent."),
}


def _die_bought(event: e.DieBought, before: Table, after: Table) -> Narration:
    text = _BOUGHT.get(event.purchase.payer) or say("One more die.")
    return longer(text, awaited_words(after.request), pools_if_same(before, after), NarrationKind.CHANGE)


def _problem(event: e.ProblemCreated, before: Table, after: Table) -> Narration:
    return longer(
        say("Difficulty {difficulty}.", difficulty=event.difficulty),
        say("A problem makes it {change} harder.", change=event.modifier.change),
        pools_if_same(before, after),
        NarrationKind.CHANGE,
    )


def _withdrawn(event: e.TaskWithdrawn, before: Table, after: Table) -> Narration:
    paid = before.task is not None and before.task.paid != Payment()
    refund = say("What it cost comes back.") if paid else NOTHING
    return longer(
        say("{who}'s Task is taken back.", who=spoken(event.who)),
        refund,
        pools_if_same(before, after),
        NarrationKind.CHANGE,
    )


def _reroll(event: e.RerollStarted, _: Table, after: Table) -> Narration:
    return longer(
        awaited_words(after.request),
        say("In place of {faces}.", faces=faces_words(event.faces)),
        "",
        NarrationKind.CHANGE,
    )


def corrected(event: e.TaskDieCorrected | e.ChallengeDieCorrected) -> Narration:
    """That a person said what a die really shows."""
    before, after = face_word(event.before), face_word(event.after)
    return same(say("Corrected from {before} to {after}.", before=before, after=after), NarrationKind.CHANGE)


def _task_corrected(event: e.TaskDieCorrected, _: Table, __: Table) -> Narration:
    return corrected(event)


def _spent(event: e.MomentumSpent, _: Table, __: Table) -> Narration:
    spend = event.spend
    name = known(spend.spend.replace("_", " ").title())
    first = say("{spend}, {times} times.", spend=name, times=spend.times) if spend.times > 1 else ended(name)
    return longer(first, "", ended(spoken(spend.note)), NarrationKind.CHANGE)


def left_over(event: e.SpendingFinished) -> Narration:
    """What became of the Momentum that a Task had left; without words where none was."""
    parts = []
    if event.saved:
        parts.append(say("{saved} Momentum saved.", saved=event.saved))
    if event.lost:
        parts.append(say("{lost} Momentum lost above 6.", lost=event.lost))
    if event.to_threat:
        parts.append(say("{to_threat} Momentum becomes Threat.", to_threat=event.to_threat))
    return same(sentences(*parts), NarrationKind.CHANGE)


def _finished(event: e.SpendingFinished, _: Table, after: Table) -> Narration:
    waits = to_settle(after)
    terse = sentences(left_over(event).terse, waits) or say("Done.")
    return longer(terse, pools_words(after), "", NarrationKind.CHANGE, urgent=bool(waits))


def to_settle(table: Table) -> Phrase:
    """The Complications that somebody must take or buy off now, those of the other side of an opposed Task too."""
    task = table.task
    if task is None or task.phase is not TaskPhase.COMPLICATIONS or not task.complications_open:
        return NOTHING
    return say(
        "{complications} of {who} to settle.",
        complications=counted(task.complications_open, "Complication"),
        who=spoken(task.who),
    )


def _complication_left(left: int, after: Table) -> Phrase:
    """What is left of these Complications; after the last of them, those of the other side of an opposed Task."""
    return say("{complications} left.", complications=counted(left, "Complication")) if left else to_settle(after)


def _complication_taken(event: e.ComplicationTaken, _: Table, after: Table) -> Narration:
    name = spoken(event.name)
    text = say("Complication: {name}.", name=name) if name else say("Complication taken.")
    return longer(text, _complication_left(event.left, after), pools_words(after), NarrationKind.CHANGE)


def _complication_bought_off(event: e.ComplicationBoughtOff, _: Table, after: Table) -> Narration:
    return longer(say("Complication bought off."), _complication_left(event.left, after), "", NarrationKind.CHANGE)


def _task_closed(event: e.TaskClosed, _: Table, after: Table) -> Narration:
    return longer(say("{who}'s Task is done.", who=spoken(event.who)), pools_words(after), "", NarrationKind.INFO)


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
