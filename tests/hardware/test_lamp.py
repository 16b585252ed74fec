"""The lamp's table: every state told apart without colour, and no flashing that could hurt."""

from __future__ import annotations

import itertools
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.lamp import DARK, PATTERNS, Lamp, LampPhase, Pattern, on_legs, shown_at

STEP = 0.01


def rhythm(pattern: Pattern, seconds: float) -> tuple[bool, ...]:
    return tuple(shown_at(pattern, (index + 0.5) * STEP)[0] != DARK for index in range(round(seconds / STEP)))


def test_every_state_has_a_pattern_with_beats_in_range() -> None:
    assert set(PATTERNS) == set(Lamp)
    for pattern in PATTERNS.values():
        assert all(0.0 <= part <= 1.0 for part in pattern.colour)
        assert all(beat.seconds > 0 for beat in pattern.beats)


def test_no_two_states_share_a_rhythm() -> None:
    seen = {rhythm(pattern, 12.0) for pattern in PATTERNS.values()}
    assert len(seen) == len(Lamp)


@pytest.mark.parametrize("lamp", Lamp)
def test_no_state_flashes_more_than_three_times_in_any_second(lamp: Lamp) -> None:
    lit = rhythm(PATTERNS[lamp], 20.0)
    rises = [index for index, (before, after) in enumerate(pairwise(lit)) if after and not before]
    assert all(sum(start <= rise < start + 100 for rise in rises) <= 3 for start in rises)


def test_the_flash_limit_is_seen_to_bite() -> None:
    strobe = Pattern((1, 1, 1), (LampPhase(lit=True, seconds=0.1), LampPhase(lit=False, seconds=0.1)), "strobe")
    lit = rhythm(strobe, 2.0)
    assert sum(after and not before for before, after in pairwise(lit[:100])) > 3


@given(lamp=st.sampled_from(Lamp), elapsed=st.floats(-10.0, 1e6))
def test_the_wait_leads_to_a_change_and_not_past_one(lamp: Lamp, elapsed: float) -> None:
    pattern = PATTERNS[lamp]
    colour, wait = shown_at(pattern, elapsed)
    assert colour in {pattern.colour, DARK}
    if wait is None:
        assert pattern.steady
        return
    assert 0.0 < wait <= max(beat.seconds for beat in pattern.beats)
    if wait > 0.001 and elapsed >= 0.0:
        assert shown_at(pattern, elapsed + wait * 0.99)[0] == colour
        assert shown_at(pattern, elapsed + wait + 0.0005)[0] != colour


LEGS = [legs for legs in itertools.product((True, False), repeat=3) if any(legs)]


@pytest.mark.parametrize("legs", LEGS)
@pytest.mark.parametrize("lamp", Lamp)
def test_every_state_can_be_seen_on_every_lamp_and_dark_stays_dark(lamp: Lamp, legs: tuple[bool, bool, bool]) -> None:
    colour = PATTERNS[lamp].colour
    shown = on_legs(colour, legs)
    assert (shown != DARK) == (colour != DARK)
    assert all(level == 0.0 for level, leg in zip(shown, legs, strict=True) if not leg)
    assert on_legs(colour, (True, True, True)) == colour
