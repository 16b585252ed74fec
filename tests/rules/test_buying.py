from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import OutOfRangeError
from rules.rulesets.profiles import PROFILES, Profile, profile_of
from rules.state.options import TableOptions
from rules.state.tasks import Purchase
from rules.state.vocabulary import Payer, Ruleset
from rules.tasks.buying import DicePrice, Funds, PurchaseTotal, buy_dice, next_die_price

CORE = PROFILES[Ruleset.CORE_1E]
STARTER = PROFILES[Ruleset.STARTER]
RICH = Funds(momentum=6, threat=9, determination=3)

MOMENTUM, THREAT = Purchase(payer=Payer.MOMENTUM), Purchase(payer=Payer.THREAT)
DETERMINATION, TALENT = Purchase(payer=Payer.DETERMINATION), Purchase(payer=Payer.TALENT)


def bill(
    *purchases: Purchase, funds: Funds = RICH, profile: Profile = CORE, value: bool = True, npc: bool = False
) -> PurchaseTotal:
    return buy_dice(purchases, funds, profile, value_applies=value, npc=npc)


def refusal(found: PurchaseTotal) -> tuple[int | None, str]:
    """Where a bill was refused, and by which rule."""
    assert not found.allowed
    assert found.why is not None
    assert str(found.why)
    return found.refused_at, found.why.rule


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_one_two_and_three_more(count: int) -> None:
    """BUY-2."""
    found = bill(*[MOMENTUM] * count)
    assert found.allowed
    assert found.funds.momentum == 6 - sum(range(count + 1))
    assert (found.bonus_dice, found.dice_to_roll) == (count, 2 + count)


def test_a_price_that_the_pool_cannot_bear_is_refused_where_it_falls() -> None:
    """BUY-2."""
    found = bill(MOMENTUM, MOMENTUM, funds=Funds(momentum=2, threat=0))
    assert refusal(found) == (2, "BUY-2")
    assert found.funds.momentum == 1


@pytest.mark.parametrize(("order", "momentum", "threat"), [((MOMENTUM, THREAT), 5, 11), ((THREAT, MOMENTUM), 4, 10)])
def test_one_escalation_for_both_pools(order: tuple[Purchase, ...], momentum: int, threat: int) -> None:
    """BUY-3."""
    assert bill(*order).funds == Funds(momentum=momentum, threat=threat, determination=3)


@pytest.mark.parametrize("part", [0, 1, 2])
def test_one_die_may_be_paid_from_both_point_for_point(part: int) -> None:
    """BUY-3."""
    found = bill(MOMENTUM, Purchase(payer=Payer.MOMENTUM, threat_part=part))
    assert found.prices[1] == DicePrice(momentum=2 - part, threat_added=part)
    assert found.funds == Funds(momentum=3 + part, threat=9 + part, determination=3)


@pytest.mark.parametrize(
    "purchase",
    [
        Purchase(payer=Payer.MOMENTUM, threat_part=2), Purchase(payer=Payer.MOMENTUM, threat_part=-1),
        Purchase(payer=Payer.TALENT, threat_part=1),
    ],
)  # fmt: skip
def test_a_split_that_the_price_does_not_have_is_refused(purchase: Purchase) -> None:
    """BUY-3."""
    assert refusal(bill(purchase)) == (1, "BUY-3")


@pytest.mark.parametrize("fourth", [MOMENTUM, THREAT, DETERMINATION, TALENT])
def test_a_fourth_die_is_refused_whoever_pays(fourth: Purchase) -> None:
    """BUY-1."""
    assert refusal(bill(MOMENTUM, TALENT, THREAT, fourth)) == (4, "BUY-1")


def test_the_science_officer_of_the_worked_example() -> None:
    """BUY-4, BUY-5, TASK-3."""
    found = bill(MOMENTUM, DETERMINATION, profile=STARTER)
    assert (found.allowed, found.bonus_dice, found.dice_to_roll) == (True, 2, 3)
    assert found.funds == Funds(momentum=5, threat=9, determination=2)


@pytest.mark.parametrize("profile", [CORE, PROFILES[Ruleset.SECOND_EDITION]])
def test_the_determination_die_comes_first(profile: Profile) -> None:
    """BUY-5."""
    assert refusal(bill(MOMENTUM, DETERMINATION, profile=profile)) == (2, "BUY-5")
    assert bill(DETERMINATION, MOMENTUM, profile=profile).allowed


@pytest.mark.parametrize("first", [True, False])
def test_a_table_may_choose_the_order(*, first: bool) -> None:
    """BUY-5."""
    profile = profile_of(Ruleset.CORE_1E, TableOptions(determination_first=first))
    assert bill(MOMENTUM, DETERMINATION, profile=profile).allowed is not first


def test_a_determination_die_needs_a_value_a_point_and_is_alone() -> None:
    """BUY-4."""
    assert refusal(bill(DETERMINATION, value=False)) == (1, "BUY-4")
    assert refusal(bill(DETERMINATION, funds=Funds(momentum=6, threat=0))) == (1, "BUY-4")
    assert refusal(bill(DETERMINATION, DETERMINATION, profile=STARTER)) == (2, "BUY-4")


def test_talent_dice_are_free_and_raise_no_price() -> None:
    """BUY-6."""
    assert bill(TALENT, MOMENTUM).funds.momentum == 5
    dear = profile_of(Ruleset.CORE_1E, TableOptions(bonus_price_counts_all=True))
    assert bill(TALENT, MOMENTUM, profile=dear).funds.momentum == 4
    assert next_die_price([Payer.DETERMINATION, Payer.TALENT], dear) == 3


def test_an_npc_pays_from_threat() -> None:
    """BUY-7."""
    found = bill(THREAT, THREAT, funds=Funds(momentum=0, threat=4), npc=True)
    assert found.funds == Funds(momentum=0, threat=1)
    assert refusal(bill(THREAT, THREAT, funds=Funds(momentum=6, threat=2), npc=True)) == (2, "BUY-7")
    assert refusal(bill(MOMENTUM, npc=True)) == (1, "BUY-7")
    assert refusal(bill(DETERMINATION, funds=Funds(momentum=6, threat=6), npc=True)) == (1, "BUY-4")


def test_pools_below_nothing_are_the_callers_mistake() -> None:
    """BUY-2."""
    with pytest.raises(OutOfRangeError):
        bill(MOMENTUM, funds=Funds(momentum=-1, threat=0))


purchases = st.lists(st.sampled_from([MOMENTUM, THREAT, DETERMINATION, TALENT]), max_size=6)
funds = st.builds(Funds, momentum=st.integers(0, 6), threat=st.integers(0, 12), determination=st.integers(0, 3))


@given(purchases, funds, st.sampled_from(list(Ruleset)), st.booleans())
def test_points_are_conserved_and_nothing_falls_below_zero(
    bought: list[Purchase], before: Funds, ruleset: Ruleset, npc: object
) -> None:
    """BUY-1, BUY-2, BUY-3, BUY-7."""
    found = bill(*bought, funds=before, profile=PROFILES[ruleset], npc=bool(npc))
    assert min(found.funds.momentum, found.funds.threat, found.funds.determination) >= 0
    assert all(min(one.momentum, one.threat_added, one.threat_spent, one.determination) >= 0 for one in found.prices)
    assert before.momentum - found.funds.momentum == sum(one.momentum for one in found.prices)
    assert found.funds.threat - before.threat == sum(one.threat_added - one.threat_spent for one in found.prices)
    assert found.bonus_dice <= 3
    assert 2 <= found.dice_to_roll <= 5
    assert found.allowed is (found.bonus_dice == len(bought))


@given(purchases, st.sampled_from(list(Ruleset)))
def test_what_is_refused_poor_may_be_allowed_rich_but_never_the_reverse(
    bought: list[Purchase], ruleset: Ruleset
) -> None:
    """BUY-2."""
    poor = bill(*bought, funds=Funds(momentum=1, threat=1, determination=1), profile=PROFILES[ruleset])
    rich = bill(*bought, profile=PROFILES[ruleset])
    assert rich.allowed >= poor.allowed
