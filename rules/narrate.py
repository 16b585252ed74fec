"""What happened, as sentences for the caption and the voice: outcome first, in three lengths, words only.

A name or label that a person typed is said without its symbols. Falling numbers say "minus".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from rules import events as e
from rules.messages import Event
from rules.questions import question_sentence, questions_sentence
from rules.state import Payment, Table, Task, ThrowRequest
from rules.vocabulary import OpposedWinner, Payer, Pool, TaskPhase, ThrowRole
from rules.wording import (
    counted,
    dice_words,
    faces_words,
    joined,
    outcome_word,
    signless,
    spoken,
    worth_words,
    worths_words,
)

__all__ = ["Narration", "NarrationKind", "command_words", "narrate", "question_sentence", "questions_sentence"]


class NarrationKind(StrEnum):
    """What a narration is about; an outcome is never cut off by another kind."""

    OUTCOME = "outcome"
    DECLARED = "declared"
    QUESTION = "question"
    CHANGE = "change"
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Narration:
    """One thing said in three lengths. `urgent` says that a person must answer before the game goes on."""

    terse: str
    normal: str
    full: str
    kind: NarrationKind
    urgent: bool = False


def narrate(before: Table, events: tuple[Event, ...], after: Table) -> Narration | None:
    """What `events` mean to the people at the table, or None where there is nothing to say.

    The weightiest event speaks first; what follows from it (pools, dice awaited next) is added in the longer forms.
    """
    for kind in _BY_WEIGHT:
        for event in events:
            if type(event) is kind:
                return _SENTENCES[kind](event, before, after)
    return None


def _same(text: str, kind: NarrationKind, *, urgent: bool = False) -> Narration:
    return Narration(terse=text, normal=text, full=text, kind=kind, urgent=urgent)


def _longer(terse: str, more: str, most: str, kind: NarrationKind, *, urgent: bool = False) -> Narration:
    normal = " ".join(part for part in (terse, more) if part)
    full = " ".join(part for part in (normal, most) if part)
    return Narration(terse=terse, normal=normal, full=full, kind=kind, urgent=urgent)


def _pools(table: Table) -> str:
    return f"Momentum {table.momentum}, Threat {table.threat}."


def awaited_words(request: ThrowRequest | None) -> str:
    """What the table waits for: "Ada throws 3 d20s." Empty when it waits for no dice."""
    if request is None:
        return ""
    who = spoken(request.who)
    again = " again" if request.role in _AGAIN else ""
    return (
        f"{who} throws {dice_words(request.count, request.kind)}{again}."
        if who
        else (f"Throw {dice_words(request.count, request.kind)}{again}.")
    )


_AGAIN: Final = frozenset({ThrowRole.REROLL, ThrowRole.CHALLENGE_REROLL})


# --- Tasks --------------------------------------------------------------------------------------------------


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
        return _longer(f"{word}.", "No dice are needed.", _who_and_dice(event), NarrationKind.OUTCOME)
    successes = f"{counted(outcome.successes, 'success', 'successes')} against Difficulty {outcome.difficulty}"
    normal = " ".join(f"{part}." for part in (word, successes, *extras))
    if event.phase is TaskPhase.AWAITING_OPPOSITION:
        decided = "The other side throws against it."
    normal = " ".join(part for part in (normal, decided) if part)
    terse = " ".join(part for part in (terse, decided) if part)
    return Narration(
        terse=terse, normal=normal, full=f"{normal} {_who_and_dice(event)}".strip(), kind=NarrationKind.OUTCOME
    )


def _opposed_words(table: Table) -> str:
    task, active = table.task, table.opposed
    if task is None or active is None or task.opposed_winner is None:
        return ""
    if task.opposed_winner is OpposedWinner.NONE:
        return "Neither side wins."
    winner = active if task.opposed_winner is OpposedWinner.ACTIVE else task
    gain = f"with {winner.momentum_left}" if winner.momentum_left else "without"
    return f"{spoken(winner.who)} wins {gain} Momentum."


def _who_and_dice(event: e.OutcomeReached) -> str:
    label = f", {spoken(event.label)}" if spoken(event.label) else ""
    sentences = [f"{spoken(event.who)}{label}, Target Number {event.target_number}."]
    own = [one for one in event.dice if one.role is ThrowRole.LEADER]
    others = [one for one in event.dice if one.role is not ThrowRole.LEADER]
    if own:
        sentences.append(_sentence(worths_words(own)))
    sentences.extend(
        f"{spoken(one.who)} helps, Target Number {one.target_number}: {worth_words(one)}." for one in others
    )
    return " ".join(sentences)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _task_declared(event: e.TaskDeclared, _: Table, after: Table) -> Narration:
    task = event.task
    who = spoken(task.who)
    focus = f", {task.double_at_most} or less counts twice" if task.declaration.focus else ""
    terse = f"{who}, Difficulty {task.difficulty}."
    more = f"Target Number {task.target_number}{focus}. {awaited_words(after.request)}".strip()
    return _longer(terse, more, _declared_details(task, after), NarrationKind.DECLARED)


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
    return f"{_sentence(', '.join(words))} {_pools(after)}"


def _task_dice(event: e.TaskDiceThrown, _: Table, after: Table) -> Narration:
    so_far = sum(one.successes for one in event.dice if one.counted)
    text = f"{counted(so_far, 'success', 'successes')} so far."
    own = _sentence(worths_words(event.dice))
    return _longer(text, awaited_words(after.request), own, NarrationKind.CHANGE)


def _die_bought(event: e.DieBought, _: Table, after: Table) -> Narration:
    who = {Payer.DETERMINATION: "with Determination", Payer.TALENT: "from a Talent"}.get(event.purchase.payer, "")
    text = " ".join(part for part in ("One more die", who) if part)
    return _longer(f"{text}.", awaited_words(after.request), _pools(after), NarrationKind.CHANGE)


def _problem(event: e.ProblemCreated, _: Table, after: Table) -> Narration:
    return _longer(
        f"Difficulty {event.difficulty}.",
        f"A problem makes it {event.modifier.change} harder.",
        _pools(after),
        NarrationKind.CHANGE,
    )


def _withdrawn(event: e.TaskWithdrawn, before: Table, after: Table) -> Narration:
    paid = before.task is not None and before.task.paid != Payment()
    refund = "What it cost comes back." if paid else ""
    return _longer(f"{spoken(event.who)}'s Task is taken back.", refund, _pools(after), NarrationKind.CHANGE)


def _reroll(event: e.RerollStarted, _: Table, after: Table) -> Narration:
    return _longer(awaited_words(after.request), f"In place of {faces_words(event.faces)}.", "", NarrationKind.CHANGE)


def _task_corrected(event: e.TaskDieCorrected, _: Table, __: Table) -> Narration:
    return _same(f"Corrected from {event.before} to {event.after}.", NarrationKind.CHANGE)


def _spent(event: e.MomentumSpent, _: Table, after: Table) -> Narration:
    name = event.spend.spend.replace("_", " ").title()
    times = f", {event.spend.times} times" if event.spend.times > 1 else ""
    left = f"{event.momentum_left or 'No'} Momentum of this Task left."
    note = spoken(event.spend.note)
    return _longer(f"{name}{times}.", left, f"{note}. {_pools(after)}" if note else _pools(after), NarrationKind.CHANGE)


def _finished(event: e.SpendingFinished, _: Table, after: Table) -> Narration:
    parts = []
    if event.saved:
        parts.append(f"{event.saved} Momentum saved.")
    if event.lost:
        parts.append(f"{event.lost} Momentum lost above 6.")
    if event.to_threat:
        parts.append(f"{event.to_threat} Momentum becomes Threat.")
    if event.complications_open:
        parts.append(f"{counted(event.complications_open, 'Complication')} of {spoken(event.who)} to settle.")
    terse = " ".join(parts) or "Done."
    return _longer(terse, _pools(after), "", NarrationKind.CHANGE, urgent=bool(event.complications_open))


def _complication_left(left: int) -> str:
    return f"{counted(left, 'Complication')} left." if left else ""


def _complication_taken(event: e.ComplicationTaken, _: Table, after: Table) -> Narration:
    name = spoken(event.name)
    text = f"Complication: {name}." if name else "Complication taken."
    return _longer(text, _complication_left(event.left), _pools(after), NarrationKind.CHANGE)


def _complication_bought_off(event: e.ComplicationBoughtOff, _: Table, after: Table) -> Narration:
    return _longer(
        f"Complication bought off. Threat {after.threat}.", _complication_left(event.left), "", NarrationKind.CHANGE
    )


def _task_closed(event: e.TaskClosed, _: Table, after: Table) -> Narration:
    return _longer(f"{spoken(event.who)}'s Task is done.", _pools(after), "", NarrationKind.INFO)


# --- throws -------------------------------------------------------------------------------------------------


def _held(event: e.ThrowHeld, _: Table, after: Table) -> Narration | None:
    if after.request is None:
        return None
    text = questions_sentence(event.held, after.request)
    return _same(text, NarrationKind.QUESTION, urgent=True)


def _dismissed(_: e.ThrowDismissed, __: Table, after: Table) -> Narration:
    return _longer("Throw set aside.", awaited_words(after.request), "", NarrationKind.CHANGE)


def _free_roll(event: e.FreeRollMade, _: Table, __: Table) -> Narration:
    shown = [str(die.face) if die.face is not None else "one that cannot be read" for die in event.roll.dice]
    kinds = {die.kind for die in event.roll.dice}
    noun = dice_words(len(shown), kinds.pop()) if len(kinds) == 1 else counted(len(shown), "die", "dice")
    return _longer(f"Free roll: {joined(shown)}.", f"{noun}, not counted.", "", NarrationKind.INFO)


def _challenge_declared(_: e.ChallengeDeclared, __: Table, after: Table) -> Narration:
    return _same(awaited_words(after.request) or "Challenge Dice.", NarrationKind.DECLARED)


def _challenge(event: e.ChallengeDiceThrown | e.ChallengeDieCorrected, _: Table, __: Table) -> Narration:
    effects = counted(event.effects, "Effect") if event.effects else "no Effect"
    terse = f"Total {event.total}, {effects}."
    normal = f"Total {event.total}. {effects[:1].upper()}{effects[1:]}."
    shown = faces_words([die.face for die in event.dice])
    return Narration(terse=terse, normal=normal, full=f"{normal} The dice show {shown}.", kind=NarrationKind.OUTCOME)


def _challenge_reroll(event: e.ChallengeRerollStarted, _: Table, after: Table) -> Narration:
    return _longer(awaited_words(after.request), f"In place of {faces_words(event.faces)}.", "", NarrationKind.CHANGE)


# --- the table ----------------------------------------------------------------------------------------------


def _set_up(event: e.TableSetUp, _: Table, after: Table) -> Narration:
    return _longer("The table is set.", f"{counted(len(event.players), 'player')}.", _pools(after), NarrationKind.INFO)


def _session(event: e.SessionStarted, _: Table, after: Table) -> Narration:
    return _longer(f"Session {event.session}.", _pools(after), "", NarrationKind.INFO)


def _scene(event: e.SceneStarted, _: Table, after: Table) -> Narration:
    name = spoken(event.name)
    return _longer(f"Scene {event.scene}{f', {name}' if name else ''}.", "", _pools(after), NarrationKind.INFO)


def _trait_added(event: e.TraitAdded, _: Table, __: Table) -> Narration:
    kind = event.trait.kind.value.capitalize()
    potency = f", potency {event.trait.potency}" if event.trait.potency > 1 else ""
    return _same(f"{kind}: {spoken(event.trait.name)}{potency}.", NarrationKind.CHANGE)


def _trait_removed(event: e.TraitRemoved, _: Table, __: Table) -> Narration:
    return _same(f"{spoken(event.name)} ends.", NarrationKind.CHANGE)


def _pool(event: e.PoolChanged, _: Table, __: Table) -> Narration:
    name = "Momentum" if event.pool is Pool.MOMENTUM else "Threat"
    return _longer(
        f"{name} {event.after}.",
        f"Changed by {signless(event.change)}.",
        f"{spoken(event.reason)}.",
        NarrationKind.CHANGE,
    )


def _determination(event: e.DeterminationChanged, _: Table, __: Table) -> Narration:
    return _longer(
        f"{spoken(event.name)}, Determination {event.after}.",
        "",
        f"{_sentence(spoken(event.reason))}",
        NarrationKind.CHANGE,
    )


def _challenged(event: e.ValueChallenged, _: Table, __: Table) -> Narration:
    return _longer(f"{spoken(event.name)}'s Value is struck out.", f"{spoken(event.value)}.", "", NarrationKind.CHANGE)


def _surge(event: e.SurgeGained, _: Table, __: Table) -> Narration:
    return _same(f"{spoken(event.name)} may begin another Task at once.", NarrationKind.CHANGE)


def _named(words: str) -> Callable[[Any, Table, Table], Narration]:
    def sentence(event: Any, _: Table, __: Table) -> Narration:  # noqa: ANN401 - any event that carries a name
        return _same(f"{spoken(event.name)} {words}.", NarrationKind.INFO)

    return sentence


def _player_added(event: e.PlayerAdded, _: Table, __: Table) -> Narration:
    return _same(f"{spoken(event.player.name)} joins.", NarrationKind.INFO)


def _character_saved(event: e.CharacterSaved, _: Table, __: Table) -> Narration:
    return _same(f"{spoken(event.character.name)} is {'ready' if event.created else 'changed'}.", NarrationKind.INFO)


def _ship_saved(event: e.ShipSaved, _: Table, __: Table) -> Narration:
    return _same(f"{spoken(event.ship.name)} is {'ready' if event.created else 'changed'}.", NarrationKind.INFO)


def _undone(_: e.DecisionUndone, __: Table, after: Table) -> Narration:
    return _longer("Taken back.", awaited_words(after.request), _pools(after), NarrationKind.CHANGE)


def _redone(_: e.DecisionRedone, __: Table, after: Table) -> Narration:
    return _longer("Brought back.", awaited_words(after.request), _pools(after), NarrationKind.CHANGE)


_SENTENCES: Final[dict[type, Callable[[Any, Table, Table], Narration | None]]] = {
    e.ThrowHeld: _held,
    e.OutcomeReached: _outcome,
    e.ChallengeDiceThrown: _challenge,
    e.ChallengeDieCorrected: _challenge,
    e.TaskDeclared: _task_declared,
    e.ChallengeDeclared: _challenge_declared,
    e.RerollStarted: _reroll,
    e.ChallengeRerollStarted: _challenge_reroll,
    e.TaskDiceThrown: _task_dice,
    e.TaskDieCorrected: _task_corrected,
    e.ThrowDismissed: _dismissed,
    e.FreeRollMade: _free_roll,
    e.DieBought: _die_bought,
    e.ProblemCreated: _problem,
    e.TaskWithdrawn: _withdrawn,
    e.MomentumSpent: _spent,
    e.SpendingFinished: _finished,
    e.ComplicationTaken: _complication_taken,
    e.ComplicationBoughtOff: _complication_bought_off,
    e.TaskClosed: _task_closed,
    e.TableSetUp: _set_up,
    e.SessionStarted: _session,
    e.SceneStarted: _scene,
    e.ValueChallenged: _challenged,
    e.SurgeGained: _surge,
    e.TraitAdded: _trait_added,
    e.TraitRemoved: _trait_removed,
    e.DeterminationChanged: _determination,
    e.PoolChanged: _pool,
    e.PlayerAdded: _player_added,
    e.PlayerRemoved: _named("leaves"),
    e.CharacterSaved: _character_saved,
    e.CharacterRemoved: _named("leaves the table"),
    e.ShipSaved: _ship_saved,
    e.ShipRemoved: _named("leaves the table"),
    e.DecisionUndone: _undone,
    e.DecisionRedone: _redone,
}

_BY_WEIGHT: Final = tuple(_SENTENCES)
"""The weightiest first: the order of the table above decides which of several events speaks."""

_COMMAND_WORDS: Final[dict[str, str]] = {
    "set_up_table": "setting up the table",
    "report_reading": "the dice that were read",
    "enter_dice": "the dice that were entered",
    "correct_die": "the correction of a die",
    "drop_die": "leaving out a die",
    "dismiss_throw": "setting the throw aside",
    "correct_scored_die": "the correction of a die",
    "attach_free_roll": "counting the free roll",
    "declare_task": "declaring the Task",
    "buy_die": "buying a die",
    "create_problem": "the problem created",
    "withdraw_task": "taking the Task back",
    "declare_challenge": "declaring Challenge Dice",
    "reroll_dice": "throwing dice again",
    "reroll_challenge": "throwing Challenge Dice again",
    "succeed_at_cost": "the success at a cost",
    "make_spend": "the spend",
    "finish_spending": "finishing the spending",
    "take_complication": "taking the Complication",
    "buy_off_complication": "buying off the Complication",
    "close_challenge": "closing the Challenge roll",
    "surge_of_activity": "the Surge of Activity",
    "make_it_so": "Make It So",
    "use_value_against": "the use of a Value",
    "adjust_pool": "the change of a pool",
    "gain_threat": "the Threat gained",
    "spend_threat": "the Threat spent",
}


def command_words(command: str) -> str:
    """What was decided, as a phrase that fits after "take back": the command's name in plain words."""
    return _COMMAND_WORDS.get(command, command.replace("_", " "))
