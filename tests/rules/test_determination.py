from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import Refusal
from rules.rulesets.profiles import PROFILES, profile_of
from rules.state.options import TableOptions
from rules.state.vocabulary import Benefit, Ruleset, ValueAction
from rules.tasks.determination import (
    BENEFIT_RULES,
    gain_determination,
    inspired_positions,
    spend_determination,
    surge_difficulty,
    use_value_against,
)

CORE = PROFILES[Ruleset.CORE_1E]
STARTER = PROFILES[Ruleset.STARTER]


@pytest.mark.parametrize("benefit", list(Benefit))
def test_each_benefit_costs_a_point_and_cites_a_value(benefit: Benefit) -> None:
    """DET-1, DET-2, DET-3, DET-4, DET-5."""
    assert spend_determination(2, benefit, value_applies=True) == 1
    with pytest.raises(Refusal) as refused:
        spend_determination(2, benefit, value_applies=False)
    assert refused.value.rule == "DET-1"
    with pytest.raises(Refusal) as refused:
        spend_determination(0, benefit, value_applies=True)
    assert refused.value.rule == BENEFIT_RULES[benefit]


def test_inspiration_throws_all_or_any_by_the_ruleset() -> None:
    """DET-3."""
    assert inspired_positions(3, (2, 0), CORE) == (0, 2)
    assert inspired_positions(3, (0, 1, 2), STARTER) == (0, 1, 2)
    with pytest.raises(Refusal, match="choose all") as refused:
        inspired_positions(3, (0, 1), STARTER)
    assert refused.value.rule == "DET-3"


@pytest.mark.parametrize("positions", [(), (3,), (0, 0)])
def test_inspiration_is_for_ones_own_dice(positions: tuple[int, ...]) -> None:
    """DET-3."""
    with pytest.raises(Refusal):
        inspired_positions(3, positions, CORE)


def test_a_surge_adds_what_the_table_plays() -> None:
    """DET-4."""
    assert surge_difficulty(CORE) == 0
    assert surge_difficulty(profile_of(Ruleset.CORE_1E, TableOptions(surge_difficulty=1))) == 1


def test_a_value_in_the_way_gives_a_point_for_a_complication() -> None:
    """DET-6."""
    use = use_value_against(0, ValueAction.ACCEPT_COMPLICATION, CORE, challenged_this_session=True)
    assert (use.determination, use.complications, use.value_usable) == (1, 1, True)


def test_a_value_is_challenged_once_a_session_and_struck_out() -> None:
    """DET-7."""
    use = use_value_against(1, ValueAction.CHALLENGE, CORE)
    assert (use.determination, use.complications, use.value_usable) == (2, 0, False)
    with pytest.raises(Refusal) as refused:
        use_value_against(1, ValueAction.CHALLENGE, CORE, challenged_this_session=True)
    assert refused.value.rule == "DET-7"


@pytest.mark.parametrize("action", list(ValueAction))
def test_at_the_maximum_the_point_is_lost(action: ValueAction) -> None:
    """DET-8, DET-6, DET-7."""
    assert use_value_against(3, action, CORE).determination == 3


def test_start_and_maximum_are_the_tables() -> None:
    """DET-8."""
    assert (CORE.determination_start, CORE.determination_maximum) == (1, 3)
    roomy = profile_of(Ruleset.STARTER, TableOptions(determination_maximum=5))
    assert gain_determination(3, roomy) == 4


@given(st.integers(0, 9), st.integers(0, 5))
def test_a_gain_never_takes_and_never_lifts_beyond_the_maximum(determination: int, points: int) -> None:
    """DET-8."""
    after = gain_determination(determination, CORE, points)
    assert determination <= after <= max(determination, CORE.determination_maximum)
