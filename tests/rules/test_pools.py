from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import OutOfRangeError, Refusal
from rules.rulesets.profiles import PROFILES, profile_of
from rules.state.options import TableOptions
from rules.state.vocabulary import Ruleset, Spend
from rules.table import PLAYBOOK
from rules.tasks.pools import (
    MOMENTUM_CAP,
    PricePaid,
    Saved,
    bonus_momentum,
    decayed_momentum,
    npc_leftover,
    pay,
    save_momentum,
    spend_cost,
    spend_rule,
    spends_of,
)

STARTER, CORE, SECOND = (PROFILES[ruleset] for ruleset in Ruleset)
POINTS = st.integers(0, 12)
SPENDS = PLAYBOOK.spend_rows
POOL = st.integers(0, MOMENTUM_CAP)


@pytest.mark.parametrize(
    ("pool", "earned", "spent", "saved"),
    [
        (6, 0, 0, Saved(pool=6, saved=0, lost=0)), (6, 3, 0, Saved(pool=6, saved=0, lost=3)),
        (4, 4, 1, Saved(pool=6, saved=2, lost=1)), (3, 1, 4, Saved(pool=0, saved=0, lost=0)),
        (0, 9, 0, Saved(pool=6, saved=6, lost=3)),
    ],
)  # fmt: skip
def test_the_pool_holds_six_and_the_rest_is_lost(pool: int, earned: int, spent: int, saved: Saved) -> None:
    """POOL-2, POOL-3."""
    assert save_momentum(pool, earned, spent) == saved


@given(POOL, POINTS, POINTS)
def test_momentum_earned_is_spent_saved_or_lost(pool: int, earned: int, spent: int) -> None:
    """POOL-1, POOL-2."""
    if spent > pool + earned:
        with pytest.raises(Refusal):
            save_momentum(pool, earned, spent)
        return
    after = save_momentum(pool, earned, spent)
    assert pool + earned == spent + after.pool + after.lost
    assert min(spent, earned) + after.saved + after.lost == earned
    assert 0 <= after.pool <= MOMENTUM_CAP


@pytest.mark.parametrize(
    ("spend", "cost"),
    [
        ("create_advantage", 2), ("create_opportunity", 1), ("create_problem", 2), ("obtain_information", 1),
        ("bonus_damage", 1), ("disarm", 2), ("extra_minor_action", 1), ("keep_initiative", 2), ("penetration", 1),
        ("reroll_damage", 1), ("avoid_injury", 2), ("secondary_target", 2), ("swift_task", 2),
        ("devastating_attack", 2), ("power_loss", 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ruleset", list(Ruleset))
def test_each_spend_has_its_price(spend: str, cost: int, ruleset: Ruleset) -> None:
    """POOL-4, POOL-5, POOL-6, POOL-7, POOL-8."""
    assert spend_cost(SPENDS[spend], 1, PROFILES[ruleset]) == cost


def test_added_damage_is_of_the_second_edition() -> None:
    """S2E-8."""
    assert spend_cost(SPENDS["added_damage"], 3, SECOND) == 6
    with pytest.raises(Refusal):
        spend_cost(SPENDS["added_damage"], 1, CORE)
    assert {one.name for one in spends_of(PLAYBOOK, SECOND)} - {one.name for one in spends_of(PLAYBOOK, CORE)} == {
        "added_damage",
        "counter_hit",
    }


REPEATABLE = {
    "create_opportunity", "create_problem", "obtain_information", "bonus_damage", "extra_minor_action", "penetration",
    "power_loss", "added_damage", "more_shields", "regain_stress", "sprint_on",
    "more_power", "more_resistance", "better_course", "more_hazards",
}  # fmt: skip
IMMEDIATE = {"create_opportunity", "create_problem", "extra_minor_action", "keep_initiative", "avoid_injury"}


def test_the_classes_of_the_table() -> None:
    """POOL-4."""
    assert {name for name, row in SPENDS.items() if row.repeatable} == REPEATABLE
    assert {name for name, row in SPENDS.items() if row.immediate} == IMMEDIATE
    assert {one.value for one in Spend} <= set(SPENDS)


@pytest.mark.parametrize("spend", sorted(set(SPENDS) - REPEATABLE))
def test_what_is_not_repeatable_is_bought_once(spend: str) -> None:
    """POOL-4."""
    with pytest.raises(Refusal, match="once only") as refused:
        spend_cost(SPENDS[spend], 2, SECOND)
    assert refused.value.rule == "POOL-4"
    with pytest.raises(Refusal, match="once only"):
        spend_cost(SPENDS[spend], 1, SECOND, already=1)


@pytest.mark.parametrize(("times", "cost"), [(1, 1), (2, 3), (3, 6)])
def test_dice_and_early_minor_actions_escalate(times: int, cost: int) -> None:
    """POOL-6, ACT-1."""
    assert spend_cost(SPENDS["create_opportunity"], times, CORE) == cost
    assert spend_cost(SPENDS["extra_minor_action"], times, STARTER) == cost
    assert spend_cost(SPENDS["extra_minor_action"], times, CORE) == times


def test_the_third_die_costs_three_after_two() -> None:
    """POOL-6."""
    assert spend_cost(SPENDS["create_opportunity"], 1, CORE, already=2) == 3
    with pytest.raises(Refusal) as refused:
        spend_cost(SPENDS["create_opportunity"], 2, CORE, already=2)
    assert refused.value.rule == "BUY-1"


@pytest.mark.parametrize(("times", "already"), [(4, 0), (1, 3)])
def test_create_problem_stops_at_the_rulesets_cap(times: int, already: int) -> None:
    """POOL-7."""
    assert spend_cost(SPENDS["create_problem"], times, STARTER, already=already) == 2 * times
    lifted = profile_of(Ruleset.CORE_1E, TableOptions(create_problem_cap=0))
    assert spend_cost(SPENDS["create_problem"], times, lifted, already=already) == 2 * times
    for profile in (CORE, SECOND):
        with pytest.raises(Refusal) as refused:
            spend_cost(SPENDS["create_problem"], times, profile, already=already)
        assert refused.value.rule == "POOL-7"


@pytest.mark.parametrize(("spend", "times"), [("make_tea", 1), ("penetration", 0), ("penetration", -1)])
def test_what_no_table_has_is_refused(spend: str, times: int) -> None:
    """POOL-4."""
    with pytest.raises(Refusal):
        spend_cost(spend_rule(PLAYBOOK, spend, CORE), times, CORE)


@given(st.sampled_from(sorted(REPEATABLE)), st.integers(1, 3), st.sampled_from(list(Ruleset)))
def test_buying_at_once_costs_what_buying_singly_costs(spend: str, times: int, ruleset: Ruleset) -> None:
    """POOL-4."""
    profile = PROFILES[ruleset]
    if spend not in {one.name for one in spends_of(PLAYBOOK, PROFILES[ruleset])}:
        return
    singly = sum(spend_cost(SPENDS[spend], 1, profile, already=before) for before in range(times))
    assert spend_cost(SPENDS[spend], times, profile) == singly


def test_generated_momentum_pays_first_then_the_pool() -> None:
    """POOL-4."""
    assert pay(2, generated=1, pool=4, immediate=False) == PricePaid(from_generated=1, from_pool=1)
    assert pay(2, generated=0, pool=1, threat_part=1, immediate=True) == PricePaid(from_pool=1, added_threat=1)
    with pytest.raises(Refusal, match="1 Momentum more"):
        pay(2, generated=0, pool=1, immediate=False)


@pytest.mark.parametrize(
    ("part", "immediate", "npc"), [(1, False, False), (1, True, True), (3, True, False), (-1, True, False)]
)
def test_threat_pays_only_where_it_may(part: int, *, immediate: bool, npc: bool) -> None:
    """POOL-4."""
    with pytest.raises(Refusal):
        pay(2, generated=6, pool=6, immediate=immediate, threat_part=part, threat=6, npc=npc)


def test_an_npc_pays_the_rest_from_threat() -> None:
    """POOL-9, THR-5."""
    assert pay(3, generated=1, pool=6, immediate=False, threat=2, npc=True) == PricePaid(
        from_generated=1, spent_threat=2
    )
    with pytest.raises(Refusal) as refused:
        pay(3, generated=1, pool=6, immediate=False, threat=1, npc=True)
    assert refused.value.rule == "THR-5"


@given(POINTS, POINTS, POOL, POINTS, st.booleans())
def test_a_payment_adds_up_to_its_price(price: int, generated: int, pool: int, threat: int, npc: object) -> None:
    """POOL-4."""
    try:
        paid = pay(price, generated=generated, pool=pool, immediate=True, threat=threat, npc=bool(npc))
    except Refusal:
        assert price > generated + (threat if npc else pool)
        return
    assert paid.from_generated + paid.from_pool + paid.added_threat + paid.spent_threat == price
    assert paid.from_generated <= generated
    assert paid.from_pool <= pool
    assert paid.spent_threat <= threat


def test_what_an_npc_has_left_is_threat() -> None:
    """POOL-9."""
    assert npc_leftover(4, 3, 1) == 6
    with pytest.raises(Refusal):
        npc_leftover(4, 1, 2)


def test_bonus_momentum_needs_a_success() -> None:
    """POOL-10, SQUAL-5."""
    assert (bonus_momentum(1, 2, success=True), bonus_momentum(0, 2, success=False)) == (3, 0)
    assert not CORE.bonus_momentum_saved


@pytest.mark.parametrize(("decay", "pool", "after"), [(None, 4, 4), (1, 4, 3), (1, 0, 0), (9, 4, 0)])
def test_the_pool_decays_where_the_table_plays_so(decay: int | None, pool: int, after: int) -> None:
    """POOL-11."""
    profile = profile_of(Ruleset.CORE_1E, TableOptions(momentum_decay=decay))
    assert decayed_momentum(pool, profile) == after


def test_negative_points_are_the_callers_mistake() -> None:
    """POOL-2."""
    with pytest.raises(OutOfRangeError):
        save_momentum(-1, 2)
