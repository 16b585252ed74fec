"""What the gamemaster can ask of a character: a Task that its player declares when ready."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rules.deciding.checks import find_character, require_ready
from rules.deciding.decision import Command, Draft, Event
from rules.deciding.telling import Narration, NarrationKind, longer, reason, same
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.folding import without_asking
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline
from rules.tasks.declaring import checked
from rules.tasks.opposed import named_opponent
from rules.words import NOTHING, Phrase, capitalized, say, sentences, spoken, worded


@dataclass(frozen=True, slots=True, kw_only=True)
class AskForTask(Command):
    """Ask a character for a Task (TASK-1, TASK-10): the table sees it before anybody decides how to meet it.

    A character is asked for one Task at a time; the newest counts. It ends when the character declares a Task.
    """

    character_id: str
    attribute: Attribute
    discipline: Discipline
    focus: bool = False
    label: str = ""
    difficulty: int = 1
    complication_range: int = 1
    opposed: bool = False
    opponent_id: str = ""

    undone: ClassVar[Phrase | None] = say("the Task asked for")

    def decide(self, draft: Draft) -> None:
        """Ask a character for a Task, in place of what it was asked before. Refuses what no Task can have."""
        require_ready(draft.table)
        character = find_character(draft.table, self.character_id)
        wanted = Declaration(
            character_id=character.character_id,
            attribute=self.attribute,
            discipline=self.discipline,
            focus=self.focus,
            label=self.label,
            difficulty=self.difficulty,
            complication_range=self.complication_range,
            opposed=self.opposed,
            opponent_id=self.opponent_id,
        )
        wanted = checked(draft, wanted, reactive=False)
        if wanted in draft.table.asked:
            return
        draft.record(TaskAsked(who=character.name, declaration=wanted))


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBackAsking(Command):
    """The gamemaster does not ask this character for a Task any more."""

    character_id: str

    undone: ClassVar[Phrase | None] = say("taking back what was asked for")

    def decide(self, draft: Draft) -> None:
        """End what a character is asked for. Refuses where it is asked for nothing."""
        character = find_character(draft.table, self.character_id)
        if all(one.character_id != character.character_id for one in draft.table.asked):
            raise Refusal("TASK-10", "{who} is not asked for a Task.", who=character.name)
        draft.record(AskingTakenBack(who=character.name, character_id=character.character_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAsked(Event):
    """A character is asked for a Task; `declaration` is what its player would declare."""

    who: str
    declaration: Declaration

    weight: ClassVar[int | None] = 220

    def fold(self, table: Table) -> Table:
        others = without_asking(table, self.declaration.character_id)
        return replace(table, asked=(*others, self.declaration))

    def told(self, _: Table, after: Table) -> Narration:
        wanted, who = self.declaration, spoken(self.who)
        attribute, discipline = wanted.skills
        skills = say(
            "{attribute} and {discipline}, Difficulty {difficulty}.",
            attribute=capitalized(worded(attribute)),
            discipline=capitalized(worded(discipline)),
            difficulty=wanted.difficulty,
        )
        other = named_opponent(after, wanted)
        against = say("Against {who}.", who=spoken(other)) if other else NOTHING
        told = say("{who} is asked for a Task.", who=who)
        return longer(told, sentences(skills, against), reason(wanted.label), NarrationKind.DECLARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingTakenBack(Event):
    """The Task is not asked for any more."""

    who: str
    character_id: str

    weight: ClassVar[int | None] = 230

    def fold(self, table: Table) -> Table:
        return replace(table, asked=without_asking(table, self.character_id))

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{who} is not asked for a Task any more.", who=spoken(self.who)), NarrationKind.CHANGE)
