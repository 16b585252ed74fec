"""What happened to a Task, from its declaration to its last Complication."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from rules.deciding.checks import profile
from rules.deciding.decision import Event
from rules.deciding.telling import (
    Narration,
    NarrationKind,
    awaited_words,
    ended,
    longer,
    pools_if_same,
    pools_words,
    same,
    sentence,
)
from rules.dice import Face, SourceKind
from rules.rulesets.weapons import weapons_of
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.folding import counted_throw, spends_dial, without_asking
from rules.state.glossary import SPEND_WORDS
from rules.state.table import Table
from rules.state.tasks import (
    Declaration,
    Modifier,
    Payment,
    Purchase,
    SpendMade,
    Task,
    TaskDie,
    TaskOutcome,
    WaitingComplications,
)
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ActionScope, OpposedWinner, Payer, RerollReason, Spend, TaskPhase, ThrowRole
from rules.tasks.opposed import against_words, named_opponent, next_throw_words, other_side, reached, why_won
from rules.tasks.scoring import goal, ship_acts
from rules.tasks.throws import ChallengeDieCorrected
from rules.tasks.weighing import Weight, weight_of
from rules.tasks.words import outcome_word, worth_words, worths_words
from rules.words import (
    NOTHING,
    Phrase,
    counted,
    dice_words,
    face_word,
    faces_words,
    joined_by,
    say,
    say_count,
    sentences,
    signless,
    spoken,
    worded,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDeclared(Event):
    """A Task began. `reactive` says that it opposes the Task in hand, which waits meanwhile (OPP-1)."""

    task: Task
    reactive: bool
    next_number: int

    weight: ClassVar[int | None] = 90

    def fold(self, table: Table) -> Table:
        opposed = table.task if self.reactive else None
        task = replace(self.task, reactive=self.reactive)
        who = task.declaration.character_id
        line = tuple(one for one in table.in_line if one.character_id != who)
        asked = without_asking(table, who)
        return replace(table, task=task, opposed=opposed, asked=asked, in_line=line, next_number=self.next_number)

    def told(self, before: Table, after: Table) -> Narration:
        task = self.task
        waits = task.phase is TaskPhase.AWAITING_OPPOSITION
        declared = say("{who}, Difficulty {difficulty}.", who=spoken(task.who), difficulty=task.difficulty)
        terse = sentences(declared, NOTHING if waits or after.task is None else against_words(after, after.task))
        other = named_opponent(after, task.declaration)
        first = say("Opposed: the other side throws first.")
        if other:
            first = say("Opposed: {who} throws first.", who=spoken(other))
        if task.declaration.focus:
            target = say(
                "Target Number {target}, {double_at_most} or less counts twice.",
                target=task.target_number,
                double_at_most=task.double_at_most,
            )
        else:
            target = say("Target Number {target}.", target=task.target_number)
        more = sentences(_aimed(task, after), target, _thrown_by(after, task.who) or (first if waits else NOTHING))
        details = sentences(_declared_details(task), pools_if_same(before, after))
        return longer(terse, more, details, NarrationKind.DECLARED)


def _thrown_by(after: Table, who: str) -> Phrase:
    """What the table waits for; who throws is named only if that is not `who`, who was named first of all."""
    request = after.request
    return awaited_words(replace(request, who="") if request is not None and request.who == who else request)


@dataclass(frozen=True, slots=True, kw_only=True)
class DieBought(Event):
    """One more bonus d20 before the throw; `declaration`, `own_dice` and `paid` are the Task's afterwards."""

    purchase: Purchase
    declaration: Declaration
    own_dice: int
    paid: Payment

    weight: ClassVar[int | None] = 140

    def fold(self, table: Table) -> Table:
        return _with_task(
            table, lambda task: replace(task, declaration=self.declaration, own_dice=self.own_dice, paid=self.paid)
        )

    def told(self, before: Table, after: Table) -> Narration:
        text = _BOUGHT.get(self.purchase.payer) or say("One more die.")
        return longer(text, awaited_words(after.request), pools_if_same(before, after), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemCreated(Event):
    """POOL-7: the Task in hand became harder; `spend` says what it cost whom."""

    modifier: Modifier
    difficulty: int
    spend: SpendMade

    weight: ClassVar[int | None] = 150

    def fold(self, table: Table) -> Table:
        def harder(task: Task) -> Task:
            modifiers = (*task.declaration.modifiers, self.modifier)
            return replace(
                task,
                declaration=replace(task.declaration, modifiers=modifiers),
                difficulty=self.difficulty,
                problems=(*task.problems, self.spend),
            )

        return _with_task(table, harder)

    def told(self, before: Table, after: Table) -> Narration:
        return longer(
            say("Difficulty {difficulty}.", difficulty=self.difficulty),
            say("A problem makes it {change} harder.", change=self.modifier.change),
            pools_if_same(before, after),
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskWithdrawn(Event):
    """A Task was taken back before its dice. What it cost comes back in the events beside this one."""

    number: int
    who: str

    weight: ClassVar[int | None] = 160

    def fold(self, table: Table) -> Table:
        return replace(table, task=table.opposed, opposed=None, request=None, held=None)

    def told(self, before: Table, after: Table) -> Narration:
        paid = before.task is not None and before.task.paid != Payment()
        refund = say("What it cost comes back.") if paid else NOTHING
        return longer(
            say("{who}'s Task is taken back.", who=spoken(self.who)),
            refund,
            pools_if_same(before, after),
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDiceThrown(Event):
    """Dice of the Task in hand counted: `thrown` just now, `dice` all of the Task so far with their worth."""

    request: int
    role: ThrowRole
    who: str
    reading_id: str
    source: SourceKind
    thrown: tuple[ThrownDie, ...]
    dice: tuple[TaskDie, ...]

    weight: ClassVar[int | None] = 120

    def fold(self, table: Table) -> Table:
        table = counted_throw(table, self.reading_id, self.source, self.thrown)
        return _with_task(table, lambda task: replace(task, dice=self.dice, rerolling=()))

    def told(self, _: Table, after: Table) -> Narration:
        so_far = sum(one.successes for one in self.dice if one.counted)
        text = say("{successes} so far.", successes=counted(so_far, "success"))
        own = sentence(worths_words(self.dice))
        return longer(text, _awaited_help(after), own, NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeReached(Event):
    """TASK-8, TASK-11: what the Task came to, now that every die of it is known."""

    number: int
    who: str
    label: str
    target_number: int
    double_at_most: int
    dice: tuple[TaskDie, ...]
    outcome: TaskOutcome
    momentum_left: int
    complications_open: int
    price_complications: int
    phase: TaskPhase

    weight: ClassVar[int | None] = 20

    def fold(self, table: Table) -> Table:
        if table.task is not None and spends_dial(table) and not table.task.rerolled:
            table = replace(table, dial=None)
        return _with_task(
            table,
            lambda task: replace(
                task,
                dice=self.dice,
                outcome=self.outcome,
                momentum_left=self.momentum_left,
                complications_open=self.complications_open,
                price_complications=self.price_complications,
                phase=self.phase,
            ),
        )

    def told(self, _: Table, after: Table) -> Narration:
        return outcome_told(self, after)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTurned(Event):
    """The reactive side has thrown first; now the active side, `who`, throws against that Difficulty (C-42)."""

    number: int
    who: str
    difficulty: int

    weight: ClassVar[int | None] = 100

    def fold(self, table: Table) -> Table:
        if table.opposed is None:
            return table
        active = replace(table.opposed, difficulty=self.difficulty, phase=TaskPhase.AWAITING_DICE)
        return replace(table, task=active, opposed=table.task)

    def told(self, _: Table, after: Table) -> Narration:
        against = against_words(after, after.task) if after.task is not None else NOTHING
        return longer(
            sentences(
                say("{who}, Difficulty {difficulty}.", who=spoken(self.who), difficulty=self.difficulty), against
            ),
            _thrown_by(after, self.who),
            "",
            NarrationKind.DECLARED,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OpposedDecided(Event):
    """OPP-1 to OPP-3: who won, and the Momentum each side has left of what it generated."""

    winner: OpposedWinner
    active: str
    reactive: str
    active_momentum: int
    reactive_momentum: int

    def fold(self, table: Table) -> Table:
        def decided(task: Task, phase: TaskPhase) -> Task:
            momentum = self.reactive_momentum if task.reactive else self.active_momentum
            return replace(task, opposed_winner=self.winner, momentum_left=momentum, phase=phase)

        if table.task is None or table.opposed is None:
            return table
        return replace(
            table,
            task=decided(table.task, table.task.phase),
            opposed=decided(table.opposed, TaskPhase.SPENDING),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplicationsWait(Event):
    """Who lost an Opposed Task has Complications, which wait until what the winner sets off is settled (C-61).

    The winner's Task is in hand now.
    """

    number: int
    who: str
    complications: int

    def fold(self, table: Table) -> Table:
        return table if table.opposed is None else replace(table, task=table.opposed, opposed=table.task)

    def told(self, _: Table, __: Table) -> Narration:
        text = say_count(
            self.complications,
            "{who}'s Complication waits until the damage is settled.",
            "{who}'s Complications wait until the damage is settled.",
            who=spoken(self.who),
        )
        return same(text, NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplicationsPutOff(Event):
    """Somebody went on before the Complications of the Task in hand were settled: they wait, and nobody for them."""

    waiting: WaitingComplications

    weight: ClassVar[int | None] = 185

    def fold(self, table: Table) -> Table:
        return replace(table, complications_waiting=(*table.complications_waiting, self.waiting))

    def told(self, _: Table, __: Table) -> Narration:
        return same(put_off_words(self), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollStarted(Event):
    """Dice of the Task are thrown again; the others stay (TASK-12, DET-3)."""

    reason: RerollReason
    positions: tuple[int, ...]
    faces: tuple[Face, ...]

    weight: ClassVar[int | None] = 110

    def fold(self, table: Table) -> Table:
        return _with_task(
            table,
            lambda task: replace(
                task,
                rerolled=(*task.rerolled, self.reason),
                rerolling=self.positions,
                phase=TaskPhase.AWAITING_DICE,
                outcome=None,
                momentum_left=0,
                complications_open=0,
            ),
        )

    def told(self, _: Table, after: Table) -> Narration:
        return longer(
            awaited_words(after.request),
            say("In place of {faces}.", faces=faces_words(self.faces)),
            "",
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDieCorrected(Event):
    """A person said what a counted die of the Task really shows."""

    position: int
    before: Face
    after: Face
    dice: tuple[TaskDie, ...]

    weight: ClassVar[int | None] = 130

    def fold(self, table: Table) -> Table:
        return _with_task(table, lambda task: replace(task, dice=self.dice))

    def told(self, _: Table, __: Table) -> Narration:
        return corrected(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentumSpent(Event):
    """A spend was taken on the Task in hand; `momentum_left` is what it has left of its own."""

    spend: SpendMade
    momentum_left: int

    weight: ClassVar[int | None] = 170

    def fold(self, table: Table) -> Table:
        return _with_task(
            table, lambda task: replace(task, spends=(*task.spends, self.spend), momentum_left=self.momentum_left)
        )

    def told(self, _: Table, __: Table) -> Narration:
        spend = self.spend
        name = SPEND_WORDS.get(spend.spend) or worded(spend.spend)
        first = say("{spend}, {times} times.", spend=name, times=spend.times) if spend.times > 1 else ended(name)
        if spend.ended:
            first = say("{spend}: {trait} ends.", spend=name, trait=spoken(spend.ended))
        if spend.spend == Spend.CREATE_ADVANTAGE and spend.note:
            return same(say("{spend}: {trait}.", spend=name, trait=spoken(spend.note)), NarrationKind.CHANGE)
        return longer(first, "", ended(spoken(spend.note)), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingFinished(Event):
    """What was left of the generated Momentum: `saved` to the pool, `lost` above its cap, `to_threat` of an NPC."""

    who: str
    saved: int
    lost: int
    to_threat: int
    complications_open: int

    weight: ClassVar[int | None] = 180

    def fold(self, table: Table) -> Table:
        return _with_task(
            table,
            lambda task: replace(
                task, saved=self.saved, lost=self.lost, momentum_left=0, phase=TaskPhase.COMPLICATIONS
            ),
        )

    def told(self, _: Table, after: Table) -> Narration:
        waits = to_settle(after)
        terse = sentences(left_over(self).terse, waits) or say("Done.")
        return longer(terse, pools_words(after), "", NarrationKind.CHANGE, urgent=bool(waits))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplicationTaken(Event):
    """One Complication was accepted, by `name`; an older journal's may have none.

    `number` is the Task's, 0 for the one in hand.
    """

    who: str
    name: str
    left: int
    price_complications: int
    number: int = 0

    weight: ClassVar[int | None] = 190

    def fold(self, table: Table) -> Table:
        return _with_left(table, self.number, self.left, self.price_complications)

    def told(self, _: Table, after: Table) -> Narration:
        name = spoken(self.name)
        text = (
            say("{who} takes a Complication: {name}.", who=self.who, name=name)
            if name
            else say("{who} takes a Complication.", who=self.who)
        )
        return longer(text, _complication_left(self.left, after), pools_words(after), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplicationBoughtOff(Event):
    """One Complication was waived for Threat (THR-3, THR-4). `number` is the Task's, 0 for the one in hand."""

    who: str
    left: int
    number: int = 0

    weight: ClassVar[int | None] = 200

    def fold(self, table: Table) -> Table:
        return _with_left(table, self.number, self.left, self.left)

    def told(self, _: Table, after: Table) -> Narration:
        text = say("{who} buys a Complication off.", who=self.who)
        return longer(text, _complication_left(self.left, after), "", NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskClosed(Event):
    """A Task is over. `resumed` is the number of the active side's Task that is in hand again, 0 for none."""

    number: int
    who: str
    resumed: int = 0

    weight: ClassVar[int | None] = 210

    def fold(self, table: Table) -> Table:
        if table.task is None:
            return table
        closed = replace(table.task, phase=TaskPhase.CLOSED)
        waits = table.opposed if self.resumed else None
        other = table.last_task if closed.opposed_winner is not None and not self.resumed else None
        rolls = (
            table.free_rolls if waits is not None else tuple(r for r in table.free_rolls if r.number > closed.number)
        )
        return replace(table, task=waits, opposed=None, last_task=closed, last_opponent=other, free_rolls=rolls)

    def told(self, _: Table, after: Table) -> Narration:
        return longer(say("{who}'s Task is done.", who=spoken(self.who)), pools_words(after), "", NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskReopened(Event):
    """A Task whose spending had ended by itself is in hand again, as it was before: a die of it is put right.

    Of an Opposed Task the other side's waits again.
    """

    number: int
    who: str

    def fold(self, table: Table) -> Table:
        closed = _of_number(table, self.number)
        if closed is None:
            return table
        other = other_side(table, closed)
        waiting = tuple(one for one in table.complications_waiting if one.number != closed.number)
        return replace(
            table,
            task=replace(closed, phase=TaskPhase.SPENDING),
            opposed=replace(other, phase=TaskPhase.SPENDING) if other is not None else None,
            complications_waiting=waiting,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedThrough(Event):
    """The Task in hand sets off what its action does; its own dice stand from now on."""

    number: int
    who: str
    label: str

    def fold(self, table: Table) -> Table:
        return table if table.task is None else replace(table, task=replace(table.task, followed=True))


def outcome_told(event: OutcomeReached, after: Table) -> Narration:
    """The outcome of a Task at the table `after`; of an Opposed Task who won."""
    outcome = event.outcome
    if not event.dice:
        return longer(
            ended(outcome_word(outcome)), say("No dice are needed."), _who_and_dice(event, after), NarrationKind.OUTCOME
        )
    waits = event.phase is TaskPhase.AWAITING_OPPOSITION
    sides = (one for one in (after.opposed, after.task) if one is not None and one.number != event.number)
    if waits and (active := next(sides, None)) is not None:
        return _first_thrown(event, active, after)
    if decided := NOTHING if waits else _opposed_words(event.number, after):
        return _decided(event, decided, after)
    extras = []
    if outcome.success and event.momentum_left:
        extras.append(counted(event.momentum_left, "Momentum"))
    if outcome.complications:
        extras.append(counted(outcome.complications, "Complication"))
    if waits:
        return _one_side(event, after)
    word = _TRIUMPH if _is_triumph(event.number, after) else outcome_word(outcome)
    normal = sentences(ended(word), _successes(event), *(ended(one) for one in extras))
    return Narration(
        terse=ended(joined_by(", ", (word, *extras))),
        normal=normal,
        full=sentences(normal, _who_and_dice(event, after)),
        kind=NarrationKind.OUTCOME,
    )


_TRIUMPH: Final = say("Triumph")
"""The word of the greatest weight of an outcome."""


def _is_triumph(number: int, table: Table) -> bool:
    """Whether the Task of that number, in hand or just closed, has ended in a triumph."""
    task = _of_number(table, number)
    return task is not None and task.outcome is not None and weight_of(task) is Weight.TRIUMPH


def _of_number(table: Table, number: int) -> Task | None:
    """The Task of that number, in hand, waiting or just closed."""
    there = (table.task, table.opposed, table.last_task, table.last_opponent)
    return next((one for one in there if one is not None and one.number == number), None)


def _one_side(event: OutcomeReached, after: Table) -> Narration:
    """OPP-1: what one side threw is neither won nor lost before the other has thrown."""
    successes, complications = event.outcome.successes, event.outcome.complications
    extra = ended(counted(complications, "Complication")) if complications else NOTHING
    awaited = next_throw_words(after, after.task) if after.task is not None else NOTHING
    normal = sentences(_successes(event), extra, awaited)
    return Narration(
        terse=sentences(ended(counted(successes, "success")), extra, awaited),
        normal=normal,
        full=sentences(normal, _who_and_dice(event, after)),
        kind=NarrationKind.OUTCOME,
    )


def _successes(event: OutcomeReached) -> Phrase:
    return say(
        "{successes} against Difficulty {difficulty}.",
        successes=counted(event.outcome.successes, "success"),
        difficulty=event.outcome.difficulty,
    )


def _whose_successes(event: OutcomeReached) -> Phrase:
    return say(
        "{who}: {successes} against Difficulty {difficulty}.",
        who=spoken(event.who),
        successes=counted(event.outcome.successes, "success"),
        difficulty=event.outcome.difficulty,
    )


def _decided(event: OutcomeReached, decided: Phrase, after: Table) -> Narration:
    """OPP-2, OPP-3: what counts is who won, and why; dice that reached their Difficulty are no success of who lost."""
    won, lost = _sides(event.number, after)
    complications = event.outcome.complications
    extra = ended(counted(complications, "Complication")) if complications else NOTHING
    made = _successes(event) if won is not None and won.number == event.number else _whose_successes(event)
    why = NOTHING
    if won is not None and lost is not None and (event.outcome.success or event.number == won.number):
        why = why_won(won, lost, profile(after), spoken(won.who), spoken(lost.who))
    word = ended(_TRIUMPH) if won is not None and _is_triumph(won.number, after) else NOTHING
    normal = sentences(word, decided, made, why, extra)
    return Narration(
        terse=sentences(word, decided, extra),
        normal=normal,
        full=sentences(normal, _who_and_dice(event, after)),
        kind=NarrationKind.OUTCOME,
    )


def _sides(number: int, table: Table) -> tuple[Task, Task] | tuple[None, None]:
    """The side that won the Opposed Task of that number and the one that lost it; nothing where neither won."""
    task = _of_number(table, number)
    other = other_side(table, task) if task is not None else None
    if task is None or other is None or task.opposed_winner is OpposedWinner.NONE:
        return None, None
    return (task, other) if reached(task) else (other, task)


def _first_thrown(event: OutcomeReached, active: Task, after: Table) -> Narration:
    """C-42: the reactive side's dice have no Difficulty but make the active side's."""
    successes, complications = event.outcome.successes, event.outcome.complications
    terse = sentences(
        ended(counted(successes, "success")),
        ended(counted(complications, "Complication")) if complications else NOTHING,
        say("{who} throws against Difficulty {difficulty}.", who=spoken(active.who), difficulty=successes),
    )
    return longer(terse, "", _who_and_dice(event, after), NarrationKind.OUTCOME)


def _opposed_words(number: int, table: Table) -> Phrase:
    """Who won the Opposed Task of that number, as a sentence; empty before it is decided, and of any other."""
    won, _ = _sides(number, table)
    if won is None:
        task = _of_number(table, number)
        decided = task is not None and other_side(table, task) is not None
        return say("Neither side wins.") if decided else NOTHING
    if won.momentum_left:
        return say("{who} wins with {momentum} Momentum.", who=spoken(won.who), momentum=won.momentum_left)
    return say("{who} wins without Momentum.", who=spoken(won.who))


def named(told: Narration | None, events: tuple[Event, ...]) -> Narration | None:
    """`told`, after whose Task it is where it was declared and thrown in one: nobody was told of it before."""
    thrown = next((one for one in events if isinstance(one, OutcomeReached) and one.dice), None)
    if told is None or thrown is None or not any(isinstance(one, TaskDeclared) for one in events):
        return told
    whose = _whose(thrown)
    return replace(told, terse=sentences(whose, told.terse), normal=sentences(whose, told.normal))


def _whose(event: OutcomeReached) -> Phrase:
    who, label = spoken(event.who), spoken(event.label)
    if label:
        return say("{who}, {label}, Target Number {target}.", who=who, label=label, target=event.target_number)
    return say("{who}, Target Number {target}.", who=who, target=event.target_number)


def _who_and_dice(event: OutcomeReached, after: Table) -> Phrase:
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


def _aimed(task: Task, table: Table) -> Phrase:
    """At whom a Task in a conflict is aimed and with what, as a sentence; empty for one that is aimed at nobody."""
    action, label = task.declaration.action, spoken(task.declaration.label)
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    if action is None or not label or action.target_id not in names:
        return NOTHING
    target = spoken(names[action.target_id])
    if not action.weapon:
        return say("{action}: {target}.", action=label, target=target)
    return say("{action}: {target}, with {weapon}.", action=label, target=target, weapon=weapon_words(table, action))


def weapon_words(table: Table, action: Action) -> str:
    """With what an action strikes, as it is said; empty where it names no weapon."""
    carried = {one.name: one.label for one in weapons_of(profile(table))}
    return spoken(action.weapon if action.scope is ActionScope.BRIDGE else carried.get(action.weapon, action.weapon))


def _declared_details(task: Task) -> Phrase:
    declaration = task.declaration
    attribute, discipline = declaration.skills
    words: list[str] = [say("{attribute} and {discipline}", attribute=attribute, discipline=discipline)]
    label = spoken(declaration.label)
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
    return say("{reason} {change}", reason=spoken(one.reason), change=signless(one.change))


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
"""What is said of a bonus die that no pool has paid for."""


def corrected(event: TaskDieCorrected | ChallengeDieCorrected) -> Narration:
    """That a person said what a die really shows."""
    before, after = face_word(event.before), face_word(event.after)
    return same(say("Corrected from {before} to {after}.", before=before, after=after), NarrationKind.CHANGE)


def left_over(event: SpendingFinished) -> Narration:
    """Where a Task's remaining Momentum went; empty if there was none."""
    parts = []
    if event.saved:
        parts.append(say("{saved} Momentum saved.", saved=event.saved))
    if event.lost:
        parts.append(say("{lost} Momentum lost above 6.", lost=event.lost))
    if event.to_threat:
        parts.append(say("{to_threat} Momentum becomes Threat.", to_threat=event.to_threat))
    return same(sentences(*parts), NarrationKind.CHANGE)


def put_off_words(event: ComplicationsPutOff) -> Phrase:
    """That Complications wait, and whose."""
    waiting = event.waiting
    return say(
        "{complications} of {who} can be settled later.",
        complications=counted(waiting.left, "Complication"),
        who=spoken(waiting.who),
    )


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


def _with_left(table: Table, number: int, left: int, price: int) -> Table:
    """The table with `left` Complications of a Task, at most `price` taken as a price; `number` 0: that in hand."""

    def settled(task: Task) -> Task:
        return replace(task, complications_open=left, price_complications=min(left, price, task.price_complications))

    def of_number(task: Task | None) -> Task | None:
        return settled(task) if task is not None and task.number == number else task

    if not number:
        return _with_task(table, settled)
    waiting = (
        replace(one, left=left, price=min(left, price, one.price)) if one.number == number else one
        for one in table.complications_waiting
    )
    return replace(
        table,
        complications_waiting=tuple(one for one in waiting if one.left),
        last_task=of_number(table.last_task),
        last_opponent=of_number(table.last_opponent),
    )


def _with_task(table: Table, change: Callable[[Task], Task]) -> Table:
    return table if table.task is None else replace(table, task=change(table.task))
