from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import Refusal
from rules.rulesets.profiles import PROFILES
from rules.ships.numbers import TERRAIN, fire, has_second_seat, terrain_cost
from rules.ships.second.numbers import (
    HullState,
    LargeShipTurns,
    ShieldHit,
    collision_rating,
    core_check,
    hit_shields,
    hull_state,
    large_ship_round,
    long_repair,
    modulate_shields,
    pursuit_catches,
    regain_power_difficulty,
    ship_damage,
    system_destroyed,
)
from rules.state.vocabulary import Ruleset, ShipWeaponKind

SECOND = PROFILES[Ruleset.SECOND_EDITION]


@pytest.mark.parametrize("terrain", sorted(TERRAIN))
def test_terrain_costs_momentum_and_one_zone_of_impulse_saves_one(terrain: str) -> None:
    """S2E-5."""
    assert terrain_cost(terrain, 2) == TERRAIN[terrain]
    assert terrain_cost(terrain, 1) == max(0, TERRAIN[terrain] - 1)
    with pytest.raises(Refusal):
        terrain_cost("soup", 1)


@pytest.mark.parametrize(
    ("modifiers", "resistance", "reductions", "damage"),
    [((), 3, 0, 4), ((2, -1), 3, 0, 5), ((), 9, 0, 1), ((), 9, 1, 0), ((), 3, 9, 0)],
)
def test_damage_is_one_at_least_until_complications_take_it(
    modifiers: tuple[int, ...], resistance: int, reductions: int, damage: int
) -> None:
    """S2E-10."""
    assert ship_damage(7, modifiers, resistance, reductions) == damage


@pytest.mark.parametrize(
    ("before", "damage", "after", "shaken", "breaches"),
    [
        (16, 8, 8, 0, 0), (16, 9, 7, 1, 0), (16, 12, 4, 1, 0), (16, 13, 3, 1, 1), (7, 4, 3, 1, 0), (7, 3, 4, 0, 0),
        (3, 1, 2, 0, 0), (3, 3, 0, 0, 1), (16, 16, 0, 1, 2), (7, 9, 0, 1, 1), (0, 1, 0, 0, 1),
    ],
)  # fmt: skip
def test_each_threshold_crossed_is_applied_in_order(
    before: int, damage: int, after: int, shaken: int, breaches: int
) -> None:
    """S2E-11, S2E-12."""
    assert hit_shields(16, before, damage, SECOND) == ShieldHit(shields=after, shaken=shaken, breaches=breaches)


def test_a_table_may_let_zero_stand_for_the_quarter() -> None:
    """S2E-11."""
    assert hit_shields(16, 16, 16, replace(SECOND, s2e_zero_replaces_quarter=True)).breaches == 1


@given(st.integers(1, 30), st.data())
def test_a_hit_never_shakes_or_breaches_more_than_twice(most: int, data: st.DataObject) -> None:
    """S2E-11, S2E-12."""
    before, damage = data.draw(st.integers(0, most)), data.draw(st.integers(1, 40))
    hit = hit_shields(most, before, damage, SECOND)
    assert hit.shields == max(0, before - damage)
    assert 0 <= hit.shaken + hit.breaches <= 3
    assert (hit.breaches > 0) >= (hit.shields == 0)


@pytest.mark.parametrize(("scale", "first"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_half_the_scale_in_breaches_destroys_a_system(scale: int, first: int) -> None:
    """S2E-14."""
    assert [system_destroyed(scale, breaches) for breaches in (first - 1, first)] == [False, True]


@pytest.mark.parametrize(
    ("before", "new", "critical", "destroyed"),
    [(3, 1, False, False), (4, 1, True, False), (5, 1, True, True), (4, 2, True, True), (5, 0, True, False)],
)
def test_beyond_its_scale_a_ship_is_critical_and_then_lost(
    before: int, new: int, *, critical: bool, destroyed: bool
) -> None:
    """S2E-15."""
    assert hull_state(4, before, new) == HullState(critical=critical, destroyed=destroyed)


def test_a_collision_grows_with_the_way_behind() -> None:
    """S2E-16."""
    assert [collision_rating(4, zones) for zones in (0, 1, 2, 3)] == [4, 5, 5, 6]


@pytest.mark.parametrize(
    ("critical", "engines", "face", "asked", "explodes", "splash"),
    [
        (True, True, 5, True, True, 7), (True, True, 4, True, False, 0), (True, False, 20, False, False, 0),
        (False, True, 20, False, False, 0),
    ],
)  # fmt: skip
def test_the_core_holds_while_the_die_stays_low(
    face: int, splash: int, *, critical: bool, engines: bool, asked: bool, explodes: bool
) -> None:
    """S2E-17."""
    check = core_check(critical=critical, engines_destroyed=engines, engineering=4, face=face, scale=6)
    assert (check.roll_required, check.explodes, check.splash_damage) == (asked, explodes, splash)


def test_repairs_outside_combat() -> None:
    """S2E-19."""
    found = [
        long_repair(3, patched=patched, starbase=starbase) for patched in (False, True) for starbase in (False, True)
    ]
    assert [(one.hours_per_breach, one.difficulty) for one in found] == [(6, 3), (3, 1), (6, 2), (3, 0)]
    assert {one.simultaneous for one in found} == {3}


@pytest.mark.parametrize(
    ("option", "players", "turns", "dice"),
    [(LargeShipTurns.ALL, 4, 9, 0), (LargeShipTurns.MATCH, 4, 4, 5), (LargeShipTurns.MATCH, 12, 9, 0)],
)
def test_a_large_ship_trades_turns_for_dice(option: LargeShipTurns, players: int, turns: int, dice: int) -> None:
    """S2E-21."""
    taken = large_ship_round(9, players, option)
    assert (taken.turns, taken.bonus_dice) == (turns, dice)


def test_seats_pursuit_power_fire_and_shields() -> None:
    """S2E-22, S2E-23, S2E-O2, S2E-T5, S2E-T6."""
    assert [has_second_seat(department) for department in (3, 4)] == [False, True]
    assert [pursuit_catches(2, successes) for successes in (1, 2, 3)] == [False, False, True]
    assert [regain_power_difficulty(attempts) for attempts in (0, 2)] == [1, 3]
    assert [(fire(weapon).difficulty, fire(weapon).threat_added) for weapon in ShipWeaponKind] == [(2, 0), (3, 1)]
    assert modulate_shields(1) == 2
    with pytest.raises(Refusal):
        modulate_shields(0)
