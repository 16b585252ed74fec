from __future__ import annotations

import pytest

from rules.conflict.numbers import (
    NextTurn,
    attack_task,
    awkward_use,
    bands_between,
    first_aid,
    guard,
    minor_actions_cost,
    next_turn,
    range_of,
    reach_penalty,
    recover,
    sprint_zones,
)
from rules.errors import Refusal
from rules.rulesets.profiles import PROFILES, Profile
from rules.state.vocabulary import AttackType, Attribute, Range, Ruleset, Side

STARTER, CORE, SECOND = (PROFILES[ruleset] for ruleset in Ruleset)
PC, NPC = Side.PC, Side.NPC


@pytest.mark.parametrize(
    ("last", "pcs", "npcs", "following", "new_round"),
    [
        (PC, 2, 1, NPC, False),
        (PC, 2, 0, PC, False),
        (NPC, 0, 3, NPC, False),
        (NPC, 0, 0, PC, True),
        (PC, 0, 0, NPC, True),
    ],
)
def test_sides_alternate_until_one_is_through(
    last: Side, pcs: int, npcs: int, following: Side, *, new_round: bool
) -> None:
    """TURN-3."""
    assert next_turn(last, {PC: pcs, NPC: npcs}) == NextTurn(side=following, new_round=new_round)


@pytest.mark.parametrize(("count", "starter", "core"), [(0, 0, 0), (1, 0, 0), (2, 1, 1), (3, 3, 2), (4, 6, 3)])
def test_the_first_minor_action_is_free(count: int, starter: int, core: int) -> None:
    """ACT-1, MOM-3."""
    actions = ["aim", "interact", "prepare", "draw_item"][:count]
    assert minor_actions_cost(actions, STARTER) == starter
    assert minor_actions_cost(actions, CORE) == minor_actions_cost(actions, SECOND) == core


@pytest.mark.parametrize("actions", [["aim", "aim"], ["stand", "interact", "drop_prone"]])
def test_each_minor_action_is_possible_once_a_turn(actions: list[str]) -> None:
    """ACT-2."""
    with pytest.raises(Refusal) as refused:
        minor_actions_cost(actions, CORE)
    assert refused.value.rule == "ACT-2"


def test_zones_make_ranges() -> None:
    """RNG-1, SHIP-9."""
    assert [range_of(zones) for zones in (0, 1, 2, 3, 9)] == [*Range, Range.EXTREME]
    assert bands_between(Range.EXTREME, Range.MEDIUM) == bands_between(Range.MEDIUM, Range.EXTREME) == 2


@pytest.mark.parametrize(
    ("profile", "cover", "difficulty"), [(STARTER, True, 2), (CORE, True, 1), (CORE, False, 2), (SECOND, True, 1)]
)
def test_recover_gives_stress_and_resistance_back(profile: Profile, difficulty: int, *, cover: bool) -> None:
    """ACT-5, DMG-9."""
    back = recover(in_cover=cover, momentum_spent=3, stress=5, stress_max=10, cover_faces=[5, 1, 6], profile=profile)
    assert (back.difficulty, back.stress_after, back.resistance_bonus, back.avoid_injury_restored) == (
        difficulty, 10, 2, True,
    )  # fmt: skip


def test_sprint_first_aid_and_guard() -> None:
    """ACT-6, ACT-7, ACT-8, DMG-8."""
    assert [sprint_zones(momentum) for momentum in (0, 2)] == [1, 3]
    assert [first_aid(debilitating=debilitating).difficulty for debilitating in (False, True)] == [1, 2]
    self_guard, ally_guard = guard(ally=False, attack_difficulty=1), guard(ally=True, attack_difficulty=2)
    assert (self_guard.difficulty, self_guard.attack_difficulty) == (0, 2)
    assert (ally_guard.difficulty, ally_guard.attack_difficulty) == (1, 3)


def test_melee_and_ranged_attacks_differ() -> None:
    """ATK-2, ATK-3."""
    fist, phaser = attack_task(AttackType.MELEE), attack_task(AttackType.RANGED)
    assert (fist.attribute, fist.difficulty) == (Attribute.DARING, 1)
    assert (phaser.attribute, phaser.difficulty, phaser.complication_range) == (Attribute.CONTROL, 2, 1)


def test_reach_matters_to_ranged_attacks_alone() -> None:
    """ATK-3, RNG-2."""
    assert attack_task(AttackType.RANGED, creatures_in_target_reach=True).complication_range == 2
    assert attack_task(AttackType.MELEE, creatures_in_target_reach=True).complication_range == 1
    near = [reach_penalty(enemy_in_reach=True, melee_attack=melee) for melee in (True, False)]
    alone = [reach_penalty(enemy_in_reach=False, melee_attack=melee) for melee in (True, False)]
    assert (near, alone) == ([0, 1], [0, 0])


@pytest.mark.parametrize(
    ("two_handed", "one_handed", "deadly", "non_lethal", "lethal", "harder"),
    [
        (True, True, False, False, False, 1), (True, False, False, False, False, 0),
        (False, True, True, False, False, 1), (False, True, True, False, True, 0),
        (False, True, False, True, True, 1), (False, True, False, True, False, 0), (True, True, True, False, False, 2),
    ],
)  # fmt: skip
def test_each_awkward_use_makes_an_attack_harder(
    harder: int, *, two_handed: bool, one_handed: bool, deadly: bool, non_lethal: bool, lethal: bool
) -> None:
    """ATK-5, QUAL-4, QUAL-8."""
    reasons = awkward_use(
        two_handed=two_handed, one_handed=one_handed, deadly=deadly, non_lethal=non_lethal, lethal=lethal
    )
    assert len(reasons) == harder
