"""Throwing dice again: which may be, and what then lies on the table (CD-5, TASK-12, DET-3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, TypeVar

from rules.errors import Refusal

FaceType = TypeVar("FaceType")
"""The type of the faces of a throw."""


ANY_NUMBER: Final = None
"""The limit of dice where as many may be chosen as one likes."""


ACCURATE: Final = "accurate"
"""The weapon quality that lets an attacker who aimed throw dice again."""


INACCURATE: Final = "inaccurate"
"""The weapon quality that takes this from an aim."""


def chosen_positions(count: int, positions: Collection[int], rule: str) -> tuple[int, ...]:
    """The chosen places of a throw of `count` dice, in order.

    Refuses, citing `rule`, if none is chosen, one is chosen twice, or one lies outside the throw.
    """
    chosen = tuple(sorted(positions))
    if not chosen:
        raise Refusal(rule, "Choose at least one die to throw again.")
    if len(set(chosen)) != len(chosen):
        raise Refusal(rule, "A die can be thrown again once; name each one once.")
    if chosen[0] < 0 or chosen[-1] >= count:
        raise Refusal(rule, "Choose among dice 1 to {count}.", count=count)
    return chosen


def replace_faces(
    faces: Sequence[FaceType], positions: Sequence[int], new_faces: Sequence[FaceType], rule: str
) -> tuple[FaceType, ...]:
    """The faces after a re-roll (CD-5, TASK-12): new faces in the chosen places, even if worse.

    `positions` count from 0; the first new face goes to the first position, and so on. Refuses, citing `rule`,
    positions that the throw does not have and a number of new faces that differs from theirs.
    """
    chosen_positions(len(faces), positions, rule)
    if len(new_faces) != len(positions):
        raise Refusal(
            rule,
            "{count} dice are thrown again, {came} came; throw exactly those.",
            count=len(positions),
            came=len(new_faces),
        )
    after = list(faces)
    for position, face in zip(positions, new_faces, strict=True):
        after[position] = face
    return tuple(after)


def rerollable_dice(*, aim: bool, qualities: Collection[str] = ()) -> int | None:
    """How many d20s of an attack Aim lets one throw again (TASK-12, QUAL-1, QUAL-7).

    0 without Aim or with an Inaccurate weapon, 1 with Aim, `ANY_NUMBER` (None) with an Accurate weapon as well.
    """
    if not aim or INACCURATE in qualities:
        return 0
    return ANY_NUMBER if ACCURATE in qualities else 1
