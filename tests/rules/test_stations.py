from __future__ import annotations

import pytest

from rules.errors import Refusal
from rules.rulesets.profiles import PROFILES
from rules.ships.stations import (
    STATION_ACTIONS,
    attack_under_pattern,
    course_reduction,
    managed_power,
    modulated_resistance,
    ramming,
    regenerate_shields,
    station_action,
    warp_power,
)
from rules.state.vocabulary import Attribute, Discipline, Range, Ruleset, System

STARTER, CORE, SECOND = (PROFILES[ruleset] for ruleset in Ruleset)


@pytest.mark.parametrize("ruleset", list(Ruleset))
def test_every_row_is_whole(ruleset: Ruleset) -> None:
    """STN-2, STN-25, S2E-4."""
    for row in STATION_ACTIONS[ruleset].values():
        assert row.rolled is (row.as_declared or (bool(row.attributes) and not row.with_attacks)), row.action
        assert not (row.minor and row.rolled), row.action
        assert (row.ship_system is None) is (row.ship_department is None), row.action
        assert row.difficulty is None or 0 <= row.difficulty <= 3
        assert row.power >= 0


@pytest.mark.parametrize(
    ("action", "first", "second"),
    [("scan_for_weakness", 1, 2), ("tractor_beam", 2, 2), ("regenerate_shields", 1, 2)],
)
def test_the_editions_differ_where_they_should(action: str, first: int, second: int) -> None:
    """STN-8, STN-22, STN-24, S2E-X4, S2E-T7, S2E-O3."""
    assert station_action(action, CORE).difficulty == station_action(action, STARTER).difficulty == first
    assert station_action(action, SECOND).difficulty == second


def test_the_scan_is_that_of_each_ruleset() -> None:
    """SHIP-8, STN-23, S2E-X5, C-33."""
    assert [station_action("sensor_sweep", one).difficulty for one in (STARTER, CORE, SECOND)] == [1, 0, 1]


def test_the_beam_is_held_by_another_system_in_each_edition() -> None:
    """STN-22, S2E-T7."""
    assert station_action("tractor_beam", CORE).ship_system is System.WEAPONS
    assert station_action("tractor_beam", SECOND).ship_system is System.STRUCTURE


def test_a_choice_of_attributes_and_a_missing_action() -> None:
    """STN-7, STN-15, S2E-X3."""
    row = station_action("power_management", CORE)
    assert (set(row.attributes), row.discipline) == ({Attribute.DARING, Attribute.CONTROL}, Discipline.ENGINEERING)
    assert station_action("reveal", SECOND).difficulty == 3
    for action, profile in (("reveal", CORE), ("impulse_power", SECOND), ("bake", CORE)):
        with pytest.raises(Refusal):
            station_action(action, profile)


@pytest.mark.parametrize(("before", "after", "momentum"), [(3, 2, 0), (2, 1, 0), (1, 1, 1), (0, 0, 1)])
def test_attack_pattern_eases_down_to_one(before: int, after: int, momentum: int) -> None:
    """STN-26."""
    change = attack_under_pattern(before)
    assert (change.difficulty, change.bonus_momentum) == (after, momentum)


def test_power_managed_stops_at_the_engines() -> None:
    """STN-27."""
    assert [managed_power(4, momentum) for momentum in (0, 2)] == [5, 7]
    assert [managed_power(power, 3, engines=6) for power in (4, 6, 7)] == [6, 6, 7]


def test_warp_takes_a_point_a_zone_from_two_on() -> None:
    """STN-13."""
    assert warp_power(2) == 2
    with pytest.raises(Refusal):
        warp_power(1)


def test_ramming_course_and_modulation() -> None:
    """STN-16, STN-28, STN-29."""
    blow = ramming(Range.LONG, 5)
    assert (blow.difficulty, blow.target_dice, blow.own_dice) == (4, 7, 5)
    assert [course_reduction(momentum) for momentum in (0, 1, 2, 5)] == [1, 1, 2, 3]
    assert [modulated_resistance(momentum) for momentum in (0, 3)] == [1, 4]


@pytest.mark.parametrize(
    ("second", "shields", "momentum", "difficulty", "after"),
    [(False, 0, 0, 2, 2), (False, 5, 2, 1, 11), (False, 11, 2, 1, 12), (True, 0, 0, 3, 3), (True, 5, 1, 2, 10)],
)
def test_shields_come_back_by_the_edition(
    shields: int, momentum: int, difficulty: int, after: int, *, second: bool
) -> None:
    """STN-8, S2E-O3."""
    restored = regenerate_shields(
        shields=shields,
        shields_max=12,
        momentum_spent=momentum,
        engineering=3,
        profile=SECOND if second else CORE,
    )
    assert (restored.difficulty, restored.shields_after) == (difficulty, after)
