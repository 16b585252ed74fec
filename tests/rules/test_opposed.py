from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.opposed import OpposedOutcome, decide_opposed
from rules.rulesets import PROFILES, profile_of
from rules.state_options import TableOptions
from rules.task import result_of
from rules.vocabulary import OpposedWinner, Ruleset

CORE = PROFILES[Ruleset.CORE_1E]
ACTIVE, REACTIVE, NONE = OpposedWinner.ACTIVE, OpposedWinner.REACTIVE, OpposedWinner.NONE

COUNT = st.integers(0, 10)


@pytest.mark.parametrize(
    ("active", "reactive", "winner", "momentum"),
    [
        ((3, 1), (0, 1), ACTIVE, 2), ((0, 1), (3, 1), REACTIVE, 2), ((0, 1), (0, 1), NONE, 0),
        ((1, 2), (1, 2), NONE, 0),
    ],
)  # fmt: skip
def test_who_alone_succeeds_wins_with_all_momentum(
    active: tuple[int, int], reactive: tuple[int, int], winner: OpposedWinner, momentum: int
) -> None:
    """OPP-1."""
    assert decide_opposed(result_of(*active), result_of(*reactive), CORE) == OpposedOutcome(
        winner=winner, momentum=momentum
    )


@pytest.mark.parametrize(("active", "reactive", "winner", "momentum"), [(5, 2, ACTIVE, 3), (2, 4, REACTIVE, 2)])
def test_the_greater_momentum_wins_by_the_difference(
    active: int, reactive: int, winner: OpposedWinner, momentum: int
) -> None:
    """OPP-2."""
    decided = decide_opposed(result_of(active, 1), result_of(reactive, 1), CORE)
    assert (decided.winner, decided.momentum) == (winner, momentum)
    assert sorted(decided.momentum_of(side) for side in OpposedWinner) == [0, 0, momentum]


def test_a_tie_is_the_active_sides_with_nothing_left() -> None:
    """OPP-3."""
    assert decide_opposed(result_of(5, 3), result_of(3, 1), CORE) == OpposedOutcome(winner=ACTIVE, momentum=0)


def test_a_table_may_let_the_reactive_side_set_the_mark() -> None:
    """C-42."""
    reactive_first = profile_of(Ruleset.SECOND_EDITION, TableOptions(opposed_reactive_first=True))
    for active, reactive, winner, momentum in ((3, 3, ACTIVE, 0), (4, 1, ACTIVE, 3), (0, 2, REACTIVE, 2)):
        decided = decide_opposed(result_of(active, 1), result_of(reactive, 1), reactive_first)
        assert (decided.winner, decided.momentum) == (winner, momentum)


@given(COUNT, COUNT, COUNT, COUNT)
def test_nobody_wins_with_more_than_they_made(active: int, first: int, reactive: int, second: int) -> None:
    """OPP-1, OPP-2, OPP-3."""
    one, other = result_of(active, first), result_of(reactive, second)
    decided = decide_opposed(one, other, CORE)
    assert 0 <= decided.momentum <= max(one.momentum, other.momentum)
    assert (decided.winner is NONE) is (not one.success and not other.success)
