from __future__ import annotations

from dataclasses import replace

import pytest

from rules.dice import DiceError
from rules.errors import Refusal
from rules.rulesets.profiles import PROFILES
from rules.ships.first.numbers import (
    SystemTask,
    breach_impact,
    core_countdown,
    least_pursuit_power,
    lose_power,
    persistence,
    repair_task,
    resolve_ship_hit,
    shot_penalties,
    spread,
    system_condition,
    task_with_system,
)
from rules.ships.numbers import WEAPON_DIFFICULTY, npc_ship_turns, ship_numbers, system_hit
from rules.state.ships import CREW_RATINGS
from rules.state.vocabulary import Condition, CrewQuality, Range, Ruleset, ShipWeaponKind, System
from rules.tasks.scoring import task_difficulty

CORE = PROFILES[Ruleset.CORE_1E]
OPERATIONAL, DAMAGED, DISABLED, DESTROYED = Condition


def test_a_ships_numbers_follow_from_its_ratings() -> None:
    """SHIP-2."""
    ship = ship_numbers(scale=4, structure=8, security=3, engines=9)
    assert (ship.resistance, ship.shields, ship.power, ship.crew_support) == (4, 11, 9, 4)


@pytest.mark.parametrize(("loss", "left", "complications"), [(2, 1, 0), (3, 0, 0), (4, 0, 1)])
def test_power_does_not_go_below_nothing(loss: int, left: int, complications: int) -> None:
    """SHIP-5, SWPN-2."""
    lost = lose_power(3, loss)
    assert (lost.power, lost.complications) == (left, complications)


def test_a_pursuer_spends_more() -> None:
    """SHIP-7."""
    assert least_pursuit_power(3) == 4


def test_crews_have_four_qualities() -> None:
    """NSHIP-1."""
    assert [(one.attribute, one.discipline) for one in (CREW_RATINGS[quality] for quality in CrewQuality)] == [
        (8, 1), (9, 2), (10, 3), (11, 4),
    ]  # fmt: skip


def test_a_role_repeats_at_one_harder() -> None:
    """NSHIP-2."""
    assert [npc_ship_turns(3, tasks, CORE).difficulty_increase for tasks in (0, 1, 2)] == [0, 1, 1]
    growing = replace(CORE, npc_role_cumulative=True)
    assert npc_ship_turns(3, 2, growing).difficulty_increase == 2


@pytest.mark.parametrize(
    ("weapon", "aimed", "target", "best", "modifiers", "difficulty"),
    [
        (ShipWeaponKind.ENERGY, False, Range.CLOSE, Range.CLOSE, (), 2),
        (ShipWeaponKind.TORPEDO, True, Range.LONG, Range.LONG, (), 4),
        (ShipWeaponKind.ENERGY, False, Range.CLOSE, Range.LONG, (1,), 5),
        (ShipWeaponKind.ENERGY, False, Range.LONG, Range.LONG, (-4,), 0),
    ],
)  # fmt: skip
def test_ranges_and_aim_make_an_attack_harder(  # noqa: PLR0917 - the rule's five numbers and the answer
    weapon: ShipWeaponKind,
    aimed: object,
    target: Range,
    best: Range,
    modifiers: tuple[int, ...],
    difficulty: int,
) -> None:
    """SATK-1."""
    penalties = shot_penalties(target, best, aimed=bool(aimed))
    assert difficulty == task_difficulty(WEAPON_DIFFICULTY[weapon], (*penalties, *modifiers))


def test_a_d20_finds_the_system() -> None:
    """SATK-2."""
    expected = [System.COMMUNICATIONS, System.COMPUTERS] + [System.ENGINES] * 4 + [System.SENSORS] * 3
    expected += [System.STRUCTURE] * 8 + [System.WEAPONS] * 3
    assert [system_hit(face) for face in range(1, 21)] == expected
    with pytest.raises(DiceError):
        system_hit(21)


def test_shields_take_what_scale_and_dice_let_through() -> None:
    """SDMG-1, SWPN-4, SWPN-6."""
    hit = resolve_ship_hit((2, 5, 6), scale=4, shields_before=9, resistance_faces=(1, 3), vicious=1, piercing=2)
    assert (hit.rolled, hit.effects, hit.total_resistance, hit.damage, hit.track_after) == (4, 2, 1, 5, 4)


@pytest.mark.parametrize(
    ("bonus", "shields", "high_yield", "breaches"),
    [(8, 9, False, 0), (9, 9, False, 1), (9, 5, False, 2), (9, 5, True, 3), (8, 9, True, 0), (5, 0, True, 2)],
)
def test_breaches_follow_from_heavy_hits_and_empty_shields(
    bonus: int, shields: int, breaches: int, *, high_yield: bool
) -> None:
    """SDMG-2, SQUAL-4."""
    hit = resolve_ship_hit((), scale=4, shields_before=shields, bonus_damage=bonus, high_yield=high_yield)
    assert hit.wounds == breaches


@pytest.mark.parametrize(
    ("scale", "damaged", "disabled", "destroyed"),
    [(1, None, 1, 2), (2, 1, 2, 3), (3, 2, 3, 4), (4, 2, 4, 5), (5, 3, 5, 6), (6, 3, 6, 7), (7, 4, 7, 8)],
)
def test_each_scale_has_its_thresholds(scale: int, damaged: int | None, disabled: int, destroyed: int) -> None:
    """BRCH-1, BRCH-4, BRCH-5, NSHIP-3."""
    states = [system_condition(scale, breaches) for breaches in range(scale + 3)]
    first = {state: states.index(state) for state in Condition if state in states}
    assert first.get(DAMAGED) == damaged
    assert (first[OPERATIONAL], first[DISABLED], first[DESTROYED]) == (0, disabled, destroyed)


def test_a_breach_strikes_at_once() -> None:
    """BRCH-2."""
    assert breach_impact(System.ENGINES, 5).power == 3
    assert breach_impact(System.ENGINES, 1).power == 0
    assert [breach_impact(System.STRUCTURE, 5, face).pc_injured for face in (2, 4, 5)] == [False, False, True]
    assert breach_impact(System.SENSORS, 5).power == 5
    with pytest.raises(Refusal):
        breach_impact(System.STRUCTURE, 5)


def test_a_damaged_system_is_harder_to_use_and_a_disabled_one_useless() -> None:
    """BRCH-3, BRCH-4, BRCH-5."""
    assert task_with_system(OPERATIONAL, 1) == SystemTask(difficulty=1, complication_range=1)
    assert task_with_system(DAMAGED, 1) == SystemTask(difficulty=3, complication_range=2)
    for condition in (DISABLED, DESTROYED):
        with pytest.raises(Refusal):
            task_with_system(condition, 1)


def test_repairs_have_their_difficulty() -> None:
    """REP-1, SQUAL-2."""
    assert repair_task(DAMAGED) == SystemTask(difficulty=3, complication_range=1)
    assert repair_task(DISABLED, devastating=True) == SystemTask(difficulty=5, complication_range=3)
    assert repair_task(DAMAGED, devastating=True, damage_report=True).difficulty == 3
    for condition in (OPERATIONAL, DESTROYED):
        with pytest.raises(Refusal):
            repair_task(condition)


def test_the_core_counts_down_a_die_a_round() -> None:
    """WCB-1."""
    assert not core_countdown(2, (1, 4), 4).explodes
    blast = core_countdown(2, (1, 5), 4)
    assert (blast.explodes, blast.splash_dice) == (True, 7)
    with pytest.raises(Refusal):
        core_countdown(2, (5,), 4)


def test_lasting_and_spreading_damage() -> None:
    """SWPN-3, SWPN-5."""
    lasting = persistence(3, 2)
    assert (lasting.damage_per_round, lasting.rounds) == (3, 2)
    assert persistence(3, 0).damage_per_round == 0
    assert [(spread(7, effects).extra_hits, spread(7, effects).damage) for effects in (0, 1, 3)] == [
        (0, 0),
        (1, 4),
        (1, 6),
    ]
