"""What holds of every hit on a first-edition ship: Shields in range, Breaches by the book, halves rounded up."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rules.dice import Face, Symbol
from rules.ships.first.numbers import breach_thresholds
from rules.ships.upkeep import AdjustPower
from rules.state.vocabulary import Condition, System
from rules.tasks.challenge import challenge_result
from tests.rules.fleet2e import replayed
from tests.rules.squadron import Squadron, weapon

FACES: st.SearchStrategy[Face] = st.sampled_from([1, 2, Symbol.BLANK, Symbol.EFFECT])
NOT_STRUCTURE = st.sampled_from([1, 2, 7, 18])
"""A d20 for a system whose Breaches ask for no more dice."""


@given(
    faces=st.lists(FACES, min_size=6, max_size=6),
    shields=st.integers(0, 12),
    system=NOT_STRUCTURE,
    vicious=st.booleans(),
    high_yield=st.booleans(),
)
def test_a_hit_by_the_book(faces: list[Face], shields: int, system: int, *, vicious: bool, high_yield: bool) -> None:
    """SDMG-1, SDMG-2, SWPN-6, SQUAL-4, C-29: worked out beside the rules."""
    traits = [*([("Vicious", 1)] if vicious else []), *([("High-Yield", 0)] if high_yield else [])]
    game = Squadron(special=weapon(*traits, rating=6))
    game.state(game.raider, shields=shields)
    game.strikes(*faces, system=system)
    result = challenge_result(faces)
    damage = max(0, result.total + (result.effects if vicious else 0) - 3)
    after = max(0, shields - damage)
    breaches = (damage >= 5) + (damage > 0 and after == 0)
    breaches += bool(breaches) and high_yield
    state = game.of(game.raider).state
    assert state.shields == after
    assert sum(one.breaches for one in state.systems) == breaches
    assert all(one.impact for one in state.systems)
    assert game.is_settled()
    assert replayed(game) == game.table


@given(faces=st.lists(FACES, min_size=6, max_size=6))
def test_spread_and_devastation_are_halves_of_the_whole(faces: list[Face]) -> None:
    """SWPN-5, C-56, C-69: nothing is lost by rounding, and each half meets the Resistance anew."""
    game = Squadron(special=weapon(("Spread", 0), rating=6))
    game.strikes(*faces, system=1)
    result = challenge_result(faces)
    first = max(0, result.total - 3)
    if not result.effects:
        assert game.is_settled()
        assert game.of(game.raider).state.shields == max(0, 12 - first)
        return
    game.throw(2)
    second = max(0, (result.total + 1) // 2 + result.effects - 1 - 3)
    assert game.of(game.raider).state.shields == max(0, max(0, 12 - first) - second)


@given(scale=st.integers(1, 7), breaches=st.integers(1, 9))
def test_conditions_follow_the_scale(scale: int, breaches: int) -> None:
    """BRCH-1: half the Scale rounded up, the Scale, beyond it; nothing is merely damaged at Scale 1."""
    game = Squadron()
    ship = game.of(game.raider)
    game.put(replace(ship, scale=scale))
    game.breached(System.SENSORS, breaches, game.raider)
    found = game.of(game.raider).state.damage_of(System.SENSORS).condition
    expected = Condition.OPERATIONAL
    if scale > 1 and breaches >= (scale + 1) // 2:
        expected = Condition.DAMAGED
    if breaches >= scale:
        expected = Condition.DISABLED
    if breaches > scale:
        expected = Condition.DESTROYED
    assert found is expected
    assert breach_thresholds(scale).destroyed == scale + 1


@given(changes=st.lists(st.integers(-12, 12), max_size=6))
def test_power_stays_in_range(changes: list[int]) -> None:
    """SHIP-5, C-31, C-65: never below 0, never above the maximum."""
    game = Squadron()
    for change in changes:
        before = game.of().state.power
        if not change or (before == 9 and change > 0):
            game.refused(AdjustPower(ship_id=game.ship, change=change), "SHIP-5")
            continue
        game.do(AdjustPower(ship_id=game.ship, change=change))
        assert game.of().state.power == max(0, min(9, before + change))
        assert game.waits_for_dice() == (before + change < 0)
        if game.waits_for_dice():
            game.throw(10)
