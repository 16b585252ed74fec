"""What the gamemaster can ask of a character: a Task that its player declares when ready."""

from __future__ import annotations

from dataclasses import dataclass

from rules.vocabulary import Attribute, Discipline


@dataclass(frozen=True, slots=True, kw_only=True)
class AskForTask:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBackAsking:
    """The gamemaster does not ask this character for a Task any more."""

    character_id: str
