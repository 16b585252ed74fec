from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import DiceError, Face, Symbol
from rules.errors import Refusal
from rules.tasks.challenge import (
    ChallengeResult,
    challenge_result,
    is_effect,
    points_of,
)
from rules.tasks.rerolls import replace_faces

D6 = st.integers(1, 6)


@pytest.mark.parametrize(
    ("face", "points", "effect"),
    [
        (1, 1, False), (2, 2, False), (3, 0, False), (4, 0, False), (5, 1, True), (6, 1, True),
        (Symbol.BLANK, 0, False), (Symbol.EFFECT, 1, True),
    ],
)  # fmt: skip
def test_each_face_has_its_worth(face: Face, points: int, *, effect: bool) -> None:
    """CD-1."""
    assert (points_of(face), is_effect(face)) == (points, effect)


def test_six_dice_of_the_worked_example() -> None:
    """CD-2."""
    shown: list[Face] = [1, 2, Symbol.EFFECT, Symbol.BLANK, Symbol.BLANK, Symbol.BLANK]
    assert challenge_result(shown) == ChallengeResult(total=4, effects=1)
    assert challenge_result([]) == ChallengeResult(total=0, effects=0)


@pytest.mark.parametrize("face", [0, 7, -1, True, "1"])
def test_no_die_shows_that(face: Face) -> None:
    """CD-1."""
    with pytest.raises(DiceError):
        challenge_result([face])


@given(st.lists(D6, max_size=20))
def test_a_total_lies_between_the_effects_and_two_a_die(faces: list[int]) -> None:
    """CD-2."""
    result = challenge_result(faces)
    assert 0 <= result.effects <= result.total <= 2 * len(faces)


@given(st.lists(D6, max_size=20), st.lists(D6, max_size=20))
def test_two_throws_together_are_worth_their_sum(first: list[int], second: list[int]) -> None:
    """CD-2."""
    one, other, both = challenge_result(first), challenge_result(second), challenge_result(first + second)
    assert (both.total, both.effects) == (one.total + other.total, one.effects + other.effects)


def test_chosen_dice_are_replaced_and_the_others_stay() -> None:
    """CD-5."""
    shown: list[Face] = [2, Symbol.BLANK, 1, Symbol.EFFECT]
    assert replace_faces(shown, (3, 1), (2, Symbol.EFFECT), "CD-5") == (2, Symbol.EFFECT, 1, 2)


@pytest.mark.parametrize(
    ("positions", "new"), [((), ()), ((0, 0), (1, 1)), ((4,), (1,)), ((-1,), (1,)), ((0,), (1, 2))]
)
def test_a_reroll_that_does_not_fit_is_refused(positions: tuple[int, ...], new: tuple[int, ...]) -> None:
    """CD-5."""
    with pytest.raises(Refusal) as refused:
        replace_faces([1, 2, 1, 2], positions, new, "CD-5")
    assert refused.value.rule == "CD-5"
