from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import OutOfRangeError, Refusal
from rules.table import PLAYBOOK
from rules.tasks.threat import gain_threat, reason_of, require_threat, spend_threat, starting_threat

GAINS, SPENDS = PLAYBOOK.gain_rows, PLAYBOOK.threat_rows


def test_a_session_starts_with_two_for_each_player() -> None:
    """THR-1."""
    assert [starting_threat(players) for players in (0, 1, 5)] == [0, 2, 10]
    with pytest.raises(OutOfRangeError):
        starting_threat(-1)


@pytest.mark.parametrize(
    ("event", "amount", "gain"),
    [
        ("immediate_paid_in_threat", 3, 3), ("threatening_scene", 2, 2), ("npc_leftover_momentum", 2, 2),
        ("pc_lethal_attack", 1, 1), ("pc_resists_knockdown", 2, 2), ("menacing_enters", 1, 1),
        ("wrathful_would_be_injured", 1, 2), ("torpedo_attack", 1, 1), ("escalation", 2, 2),
    ],
)  # fmt: skip
def test_each_reason_raises_threat_by_its_points(event: str, amount: int, gain: int) -> None:
    """THR-2."""
    assert gain_threat(3, GAINS[event], amount) == 3 + gain


def test_a_complication_bought_off_adds_two_each() -> None:
    """THR-3."""
    assert [gain_threat(0, GAINS["complication_bought_off"], many) for many in (1, 3)] == [2, 6]


@pytest.mark.parametrize(
    ("event", "amount", "price"),
    [
        ("npc_immediate_spend", 3, 3), ("npc_lethal_attack", 1, 1), ("npc_resists_knockdown", 2, 2),
        ("waive_npc_complication", 1, 2), ("create_complication", 1, 2), ("reinforce_minor", 3, 3),
        ("reinforce_notable", 2, 4), ("environment_effect", 1, 1), ("notable_avoids_injury", 1, 2),
        ("fast_recovery_clears_injury", 1, 2), ("keep_initiative", 1, 2),
    ],
)  # fmt: skip
def test_each_spend_takes_its_points(event: str, amount: int, price: int) -> None:
    """THR-4."""
    assert spend_threat(price, SPENDS[event], amount) == 0
    with pytest.raises(Refusal) as refused:
        spend_threat(price - 1, SPENDS[event], amount)
    assert refused.value.rule == "THR-5"


def test_threat_never_falls_below_nothing() -> None:
    """THR-5."""
    require_threat(2, 2)
    with pytest.raises(Refusal, match="costs 3 Threat and there is 2"):
        require_threat(3, 2)


@pytest.mark.parametrize(("event", "amount"), [("weather", 1), ("pc_lethal_attack", 0)])
def test_reasons_that_no_table_has_are_refused(event: str, amount: int) -> None:
    """THR-2, THR-4."""
    with pytest.raises(Refusal):
        gain_threat(3, reason_of(GAINS, "THR-2", event), amount)
    with pytest.raises(Refusal):
        spend_threat(3, reason_of(SPENDS, "THR-4", event), amount)


@given(st.integers(0, 20), st.sampled_from(sorted(GAINS)), st.sampled_from(sorted(SPENDS)), st.integers(1, 5))
def test_gains_raise_and_spends_lower_but_not_below_zero(threat: int, gain: str, spend: str, amount: int) -> None:
    """THR-2, THR-4, THR-5."""
    assert gain_threat(threat, GAINS[gain], amount) >= threat + amount
    try:
        left = spend_threat(threat, SPENDS[spend], amount)
    except Refusal:
        assert threat < amount * SPENDS[spend].each
    else:
        assert 0 <= left <= threat - amount
