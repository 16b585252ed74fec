from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.conflict.damage import (
    AvoidancePrice,
    Knockdown,
    avoid_injury_price,
    damage_dice,
    fast_recovery,
    half_rounded_down,
    half_rounded_up,
    injured,
    knockdown,
    resolve_hit,
)
from rules.errors import OutOfRangeError, Refusal
from rules.state.vocabulary import InjuryState, Pool, Standing

NONE, NONLETHAL, LETHAL, DEAD = InjuryState


def test_a_weapon_throws_its_rating_and_security() -> None:
    """DMG-1."""
    assert (damage_dice(3, 2), damage_dice(4)) == (5, 4)


@pytest.mark.parametrize(
    ("faces", "static", "cover", "piercing", "penetration", "resistance"),
    [
        ((2, 2), 1, (), 0, 0, 1), ((2, 2), 1, (1, 5, 3), 0, 0, 3), ((5, 6), 5, (), 2, 0, 1), ((5,), 1, (), 3, 0, 0),
        ((2, 2), 5, (), 2, 1, 3), ((2, 2), 1, (), 0, 1, 0),
    ],
)  # fmt: skip
def test_resistance_is_armour_and_cover_less_what_pierces(  # noqa: PLR0917 - the rule's five numbers and the answer
    faces: tuple[int, ...], static: int, cover: tuple[int, ...], piercing: int, penetration: int, resistance: int
) -> None:
    """DMG-2, EFF-4, MOM-5."""
    hit = resolve_hit(
        faces,
        track_before=20,
        static_resistance=static,
        resistance_faces=cover,
        piercing=piercing,
        penetration=penetration,
    )
    assert hit.total_resistance == resistance


@pytest.mark.parametrize(
    ("faces", "vicious", "bonus", "damage"),
    [((2, 1), 0, 0, 2), ((5, 6, 1), 2, 0, 6), ((2, 1), 3, 2, 4), ((3,), 0, 0, 0)],
)
def test_damage_is_what_the_dice_and_their_effects_leave(
    faces: tuple[int, ...], vicious: int, bonus: int, damage: int
) -> None:
    """DMG-3, EFF-5, MOM-1."""
    hit = resolve_hit(faces, track_before=10, static_resistance=1, vicious=vicious, bonus_damage=bonus)
    assert (hit.damage, hit.track_after) == (damage, 10 - damage)


@pytest.mark.parametrize(
    ("damage", "before", "injuries"),
    [(4, 10, 0), (5, 10, 1), (3, 3, 1), (1, 0, 1), (0, 0, 0), (5, 5, 2), (5, 0, 2), (9, 4, 2)],
)
def test_a_heavy_hit_and_an_empty_track_injure(damage: int, before: int, injuries: int) -> None:
    """DMG-4, DMG-5."""
    assert resolve_hit((), track_before=before, bonus_damage=damage).wounds == injuries


@given(st.lists(st.integers(1, 6), max_size=12), st.integers(0, 20), st.integers(0, 8), st.integers(0, 3))
def test_a_hit_stays_within_its_bounds(faces: list[int], before: int, resistance: int, piercing: int) -> None:
    """DMG-3, DMG-4."""
    hit = resolve_hit(faces, track_before=before, static_resistance=resistance, piercing=piercing)
    assert hit.track_after == max(0, before - hit.damage)
    assert 0 <= hit.wounds <= 2
    assert (hit.wounds > 0) >= (hit.damage > 0 and hit.track_after == 0)
    assert hit.damage <= hit.rolled
    softer = resolve_hit(faces, track_before=before, static_resistance=max(0, resistance - 1), piercing=piercing)
    assert softer.damage >= hit.damage


def test_negative_numbers_are_the_callers_mistake() -> None:
    """DMG-2."""
    with pytest.raises(OutOfRangeError):
        resolve_hit((1,), track_before=-1)


def test_halves_are_rounded_down_for_bystanders_and_up_for_systems() -> None:
    """MOM-8, MOM-10."""
    assert [half_rounded_down(damage) for damage in (0, 1, 4, 7)] == [0, 0, 2, 3]
    assert [half_rounded_up(damage) for damage in (0, 1, 4, 7)] == [0, 1, 2, 4]


@pytest.mark.parametrize(
    ("before", "lethal", "after"),
    [
        (NONE, False, NONLETHAL), (NONE, True, LETHAL), (NONLETHAL, False, LETHAL), (NONLETHAL, True, LETHAL),
        (LETHAL, False, DEAD), (LETHAL, True, DEAD), (DEAD, False, DEAD),
    ],
)  # fmt: skip
def test_each_injury_makes_it_worse(before: InjuryState, after: InjuryState, *, lethal: bool) -> None:
    """DMG-6."""
    assert injured(before, lethal=lethal) is after
    assert injured(before, lethal=lethal, injuries=2, avoided=1) is after
    assert injured(before, lethal=lethal, injuries=1, avoided=1) is before


def test_two_injuries_at_once_come_one_after_the_other() -> None:
    """DMG-5, DMG-6."""
    assert injured(NONE, lethal=False, injuries=2) is LETHAL
    assert injured(NONE, lethal=True, injuries=2) is DEAD


@pytest.mark.parametrize(
    ("standing", "effects", "intense", "price"),
    [
        (Standing.PLAYER, 3, False, AvoidancePrice(cost=2, pool=Pool.MOMENTUM)),
        (Standing.PLAYER, 3, True, AvoidancePrice(cost=5, pool=Pool.MOMENTUM)),
        (Standing.NOTABLE_NPC, 0, True, AvoidancePrice(cost=2, pool=Pool.THREAT)),
    ],
)
def test_avoiding_an_injury_has_its_price(
    standing: Standing, effects: int, price: AvoidancePrice, *, intense: bool
) -> None:
    """DMG-7, MOM-7, EFF-2."""
    assert avoid_injury_price(standing, effects=effects, intense=intense) == price


def test_minor_npcs_and_second_times_are_refused() -> None:
    """DMG-7, NPC-1."""
    with pytest.raises(Refusal):
        avoid_injury_price(Standing.MINOR_NPC)
    with pytest.raises(Refusal):
        avoid_injury_price(Standing.PLAYER, used_this_scene=True)


def test_knockdown_is_resisted_with_threat() -> None:
    """EFF-3."""
    assert knockdown(2, npc=False) == Knockdown(prone_unless_resisted=True, resist_threat_change=2)
    assert knockdown(3, npc=True) == Knockdown(prone_unless_resisted=True, resist_threat_change=-3)
    assert not knockdown(0, npc=False).prone_unless_resisted


def test_fast_recovery_stops_at_the_maximum() -> None:
    """NPC-3."""
    assert [fast_recovery(stress, 8, 3) for stress in (2, 6, 8)] == [5, 8, 8]
