"""The gamemaster's dial: how hard the next Task of a player is, seen by all before anybody declares it.

In: a Difficulty and a complication range. Out: what who declares starts from; a Task in hand whose dice are still to
come takes it at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rules.deciding.checks import is_npc, profile, require_ready
from rules.deciding.decision import Command, Draft, Event
from rules.deciding.telling import Narration, NarrationKind, longer, same
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.folding import heeds_dial, is_plain
from rules.state.table import Table
from rules.state.tasks import Declaration, Dial, Task
from rules.tasks.declaring import LARGEST_DIFFICULTY
from rules.tasks.scoring import DIFFICULTY_WORDS, NARROWEST_RANGE, RANGE_WORDS, WIDEST_RANGE, task_difficulty
from rules.words import NOTHING, Phrase, say, sentences, spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDifficulty(Command):
    """Set the Difficulty of the next Task that a player declares (TASK-2), and its complication range (TASK-7).

    A player's Task in hand takes them, too, while its dice are still to come and no other rule sets its Difficulty.
    A Difficulty of None leaves the next Task to who declares it; a range of None stays as it is. What is set is spent
    by the first outcome of such a Task.
    """

    difficulty: int | None
    complication_range: int | None = None

    undone: ClassVar[Phrase | None] = say("setting the Difficulty")

    def decide(self, draft: Draft) -> None:
        """TASK-10: the gamemaster sets the Difficulty before the dice."""
        require_ready(draft.table)
        if self.difficulty is None:
            if draft.table.dial is not None:
                draft.record(DifficultySet(dial=None))
            return
        if not 0 <= self.difficulty <= LARGEST_DIFFICULTY:
            raise Refusal("TASK-2", "Difficulty goes from 0 to {most}; choose one of these.", most=LARGEST_DIFFICULTY)
        wanted = self.complication_range
        kept = dial_now(draft.table).complication_range if wanted is None else wanted
        _set(draft, Dial(difficulty=self.difficulty, complication_range=kept))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetComplicationRange(Command):
    """Set the complication range as `SetDifficulty` does, and leave the Difficulty as it is (TASK-7)."""

    complication_range: int

    undone: ClassVar[Phrase | None] = say("setting the complication range")

    def decide(self, draft: Draft) -> None:
        """TASK-7: the gamemaster widens the range before the dice."""
        require_ready(draft.table)
        _set(draft, replace(dial_now(draft.table), complication_range=self.complication_range))


def _set(draft: Draft, dial: Dial) -> None:
    """Record what the next Task, or the one in hand, is to have now; nothing where it has that already."""
    if not NARROWEST_RANGE <= dial.complication_range <= WIDEST_RANGE:
        raise Refusal(
            "TASK-7",
            "The complication range goes from {narrowest} to {widest}; choose one of these.",
            narrowest=NARROWEST_RANGE,
            widest=WIDEST_RANGE,
        )
    task, thrown = dialled(draft.table), draft.table.task
    if task is None:
        dial = replace(dial, after=thrown.number if thrown is not None and heeds_dial(thrown) else 0)
        if dial != draft.table.dial:
            draft.record(DifficultySet(dial=dial))
    elif dial != dial_of(task):
        changes = [one.change for one in task.declaration.modifiers]
        difficulty = task_difficulty(dial.difficulty, changes)
        draft.record(DifficultyChanged(number=task.number, who=task.who, dial=dial, difficulty=difficulty))


def dial_now(table: Table) -> Dial:
    """The dial's present value: that of the Task in hand if it changes it, else the setting, else Difficulty 1."""
    task = dialled(table)
    if task is not None:
        return dial_of(task)
    return table.dial if table.dial is not None else Dial(difficulty=1)


def dialled(table: Table) -> Task | None:
    """The Task in hand that the dial changes; None where there is none.

    Its dice are still to come, and the other side's do not make its Difficulty (C-42).
    """
    task = table.task
    if task is None or not heeds_dial(task) or task.dice or table.held is not None:
        return None
    against = task.declaration.opposed and profile(table).opposed_reactive_first
    return None if against else task


def dial_of(task: Task) -> Dial:
    """The Difficulty and range with which a Task was declared."""
    declared = task.declaration
    return Dial(difficulty=declared.difficulty, complication_range=declared.complication_range)


def as_dialled(table: Table, declared: Declaration) -> Declaration:
    """The Task with what the gamemaster has set, where it is a player's and no other rule sets its Difficulty."""
    dial, who = table.dial, declared.character_id
    players = any(one.character_id == who and not is_npc(one) for one in table.characters)
    if dial is None or not players or not is_plain(declared):
        return declared
    return replace(declared, difficulty=dial.difficulty, complication_range=dial.complication_range)


@dataclass(frozen=True, slots=True, kw_only=True)
class DifficultySet(Event):
    """What the next Task of a player is to have; None where that is for who declares it."""

    dial: Dial | None

    weight: ClassVar[int | None] = 225

    def fold(self, table: Table) -> Table:
        return replace(table, dial=self.dial)

    def told(self, _: Table, after: Table) -> Narration:
        if self.dial is None:
            return same(say("The Difficulty of the next Task is open again."), NarrationKind.CHANGE)
        return longer(_for_which(after, self.dial), _range_told(self.dial), NOTHING, NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DifficultyChanged(Event):
    """A Task in hand has another base and range before its dice; `difficulty` is what it comes to.

    They stay set where it is taken back.
    """

    number: int
    who: str
    dial: Dial
    difficulty: int

    weight: ClassVar[int | None] = 145

    def fold(self, table: Table) -> Table:
        if table.task is None:
            return table
        dial = self.dial
        declared = replace(
            table.task.declaration, difficulty=dial.difficulty, complication_range=dial.complication_range
        )
        return replace(table, task=replace(table.task, declaration=declared, difficulty=self.difficulty), dial=dial)

    def told(self, _: Table, __: Table) -> Narration:
        who, difficulty = spoken(self.who), difficulty_words(self.difficulty)
        return longer(
            say("{who}'s Task: {difficulty}.", who=who, difficulty=difficulty),
            _range_told(self.dial),
            NOTHING,
            NarrationKind.CHANGE,
        )


def dial_words(table: Table) -> Phrase:
    """What the gamemaster has set, and for which Task, as sentences; empty where nothing is set."""
    return sentences(_for_which(table, table.dial), _range_told(table.dial)) if table.dial is not None else NOTHING


def _for_which(table: Table, dial: Dial) -> Phrase:
    """The Difficulty for the next Task; in a conflict for one that is no action of its own, as its menu calls it."""
    difficulty = difficulty_words(dial.difficulty)
    if table.conflict is not None:
        return say("Another Task: {difficulty}.", difficulty=difficulty)
    return say("The next Task: {difficulty}.", difficulty=difficulty)


def difficulty_words(difficulty: int) -> Phrase:
    """A Difficulty with its word, "Difficulty 3, daunting"; without one above the ladder."""
    if difficulty < len(DIFFICULTY_WORDS):
        return say("Difficulty {difficulty}, {word}", difficulty=difficulty, word=DIFFICULTY_WORDS[difficulty])
    return say("Difficulty {difficulty}", difficulty=difficulty)


def _range_told(dial: Dial) -> Phrase:
    """A wider complication range than usual, as a sentence."""
    return RANGE_WORDS[dial.complication_range] if dial.complication_range > NARROWEST_RANGE else NOTHING
