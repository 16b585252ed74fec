"""Faces that a person typed in, as dice."""

from __future__ import annotations

from rules.dice import DiceError, DieKind, Face, Symbol, require_face
from rules.errors import Refusal

_HIGHEST_NUMBER_OF_A_CHALLENGE_DIE = 2
"""A Challenge Die shows 1, 2, nothing or an Effect (CD-1)."""


def entered_face(awaited: DieKind, face: Face) -> tuple[DieKind, Face]:
    """The die of the awaited kind that shows `face`; 3 to 6 on a Challenge Die mean a d6 that stands in (CD-1).

    Refuses a face that no such die has, naming those it has.
    """
    kind = awaited
    if kind is DieKind.CHALLENGE and not isinstance(face, Symbol) and face > _HIGHEST_NUMBER_OF_A_CHALLENGE_DIE:
        kind = DieKind.D6
    try:
        return kind, require_face(kind, face)
    except DiceError as problem:
        raise Refusal("TASK-3", "Please enter that die again: {problem}.", problem=str(problem)) from problem
