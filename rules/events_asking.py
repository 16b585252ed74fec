"""What happened to Tasks that the gamemaster asks for."""

from __future__ import annotations

from dataclasses import dataclass

from rules.state import Declaration


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAsked:
    """A character is asked for a Task; `declaration` is what its player would declare."""

    who: str
    declaration: Declaration


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingTakenBack:
    """The Task is not asked for any more."""

    who: str
    character_id: str
