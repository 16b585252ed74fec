"""Challenge Dice: what their faces are worth (CD-1, CD-2, CD-5).

A face is 1, 2, `blank` or `effect`; a plain d6 that stands in shows 1 to 6. The two agree where they overlap,
so every function here takes either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rules.dice import DieKind, Face, Symbol, challenge_face, require_face

MOST_POINTS: Final = 2
"""The most points that one face is worth (CD-1)."""


@dataclass(frozen=True, slots=True)
class ChallengeResult:
    """CD-2: points in all, and how many dice showed an Effect."""

    total: int
    effects: int


def points_of(face: Face) -> int:
    """Points of one face (CD-1): its number, 0 for a blank, 1 for an Effect. Raises `DiceError` for no such face."""
    shown = _as_challenge(face)
    if isinstance(shown, int):
        return shown
    return 1 if shown is Symbol.EFFECT else 0


def is_effect(face: Face) -> bool:
    """Whether one face is an Effect (CD-1). Raises `DiceError` for a face that no Challenge Die or d6 shows."""
    return _as_challenge(face) is Symbol.EFFECT


def challenge_result(faces: Iterable[Face]) -> ChallengeResult:
    """Total and Effects of a throw (CD-2); no dice make 0 and 0. Raises `DiceError` for a face that is none."""
    shown = tuple(faces)
    return ChallengeResult(
        total=sum(points_of(face) for face in shown), effects=sum(1 for face in shown if is_effect(face))
    )


def _as_challenge(face: Face) -> Face:
    if isinstance(face, int) and not isinstance(face, bool):
        return challenge_face(face)
    return require_face(DieKind.CHALLENGE, face)
