from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import DiceError, DieKind, SourceKind
from rules.errors import OutOfRangeError, Refusal
from rules.state.tasks import TaskOutcome
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ThrowRole
from rules.tasks.scoring import (
    DIFFICULTY_LADDER,
    complication_range_of,
    dice_to_throw,
    double_at_most,
    is_complication,
    result_of,
    score_die,
    simple_success,
    succeed_at_cost,
    successes_of,
    target_number,
    task_difficulty,
)
from tests.rules.scored import AssistDie, ShipDie, score_task

D20 = st.integers(1, 20)
ATTRIBUTE = st.integers(7, 12)
DISCIPLINE = st.integers(0, 5)


def outcome(
    *dice: int,
    difficulty: int = 1,
    complication_range: int = 1,
    assists: tuple[AssistDie, ...] = (),
    ship_assist: ShipDie | None = None,
    determination_die: bool = False,
    automatic_successes: int = 0,
) -> TaskOutcome:
    """A Task of attribute 9 and discipline 3 without focus."""
    return score_task(
        attribute=9,
        discipline=3,
        focus=False,
        difficulty=difficulty,
        dice=dice,
        complication_range=complication_range,
        assists=assists,
        ship_assist=ship_assist,
        determination_die=determination_die,
        automatic_successes=automatic_successes,
    ).outcome


def test_the_target_number_is_the_sum() -> None:
    """TASK-1."""
    assert target_number(11, 4) == 15
    with pytest.raises(OutOfRangeError):
        target_number(-1, 4)


@pytest.mark.parametrize(("face", "successes"), [(11, 1), (12, 1), (13, 0), (20, 0)])
def test_a_die_up_to_the_target_number_is_one_success(face: int, successes: int) -> None:
    """TASK-4."""
    assert successes_of(face, 12, double_at_most(3, focus=False)) == successes


@pytest.mark.parametrize(("face", "successes"), [(2, 2), (3, 2), (4, 1), (12, 1), (13, 0)])
def test_with_a_focus_the_discipline_counts_double(face: int, successes: int) -> None:
    """TASK-5."""
    assert successes_of(face, 12, double_at_most(3, focus=True)) == successes


@pytest.mark.parametrize(("discipline", "focus"), [(3, False), (3, True), (0, False), (0, True)])
def test_a_natural_one_is_always_two(discipline: int, *, focus: bool) -> None:
    """TASK-6."""
    assert successes_of(1, 9 + discipline, double_at_most(discipline, focus=focus)) == 2
    assert double_at_most(discipline, focus=focus) == (3 if focus and discipline else 1)


@pytest.mark.parametrize(("width", "first"), [(1, 20), (2, 19), (3, 18), (4, 17), (5, 16), (6, 16), (9, 16)])
def test_each_complication_range_begins_where_it_should(width: int, first: int) -> None:
    """TASK-7."""
    assert [face for face in range(1, 21) if is_complication(face, width)] == list(range(first, 21))


def test_a_complication_range_grows_to_five_at_most() -> None:
    """TASK-7."""
    assert [complication_range_of(), complication_range_of(1), complication_range_of(3, 4)] == [1, 2, 5]
    with pytest.raises(OutOfRangeError):
        is_complication(20, 0)


def test_one_die_may_be_both_success_and_complication() -> None:
    """TASK-7."""
    score = score_task(attribute=12, discipline=5, focus=False, difficulty=1, dice=(17, 18), complication_range=4)
    assert (score.outcome.successes, score.outcome.complications) == (1, 2)


def test_the_engineer_of_the_worked_example() -> None:
    """TASK-8."""
    score = score_task(attribute=11, discipline=4, focus=True, difficulty=2, dice=(4, 19))
    assert score.target_number == 15
    assert score.outcome == TaskOutcome(successes=2, difficulty=2, success=True, momentum=0, complications=0)


@pytest.mark.parametrize(
    ("successes", "difficulty", "success", "momentum"),
    [(0, 0, True, 0), (2, 0, True, 2), (1, 2, False, 0), (6, 6, True, 0)],
)
def test_what_exceeds_the_difficulty_is_momentum(
    successes: int, difficulty: int, momentum: int, *, success: bool
) -> None:
    """TASK-8, TASK-2, POOL-1."""
    result = result_of(successes, difficulty, 1)
    assert (result.success, result.momentum, result.complications) == (success, momentum, 1)


def test_without_dice_difficulty_zero_succeeds_and_makes_nothing() -> None:
    """TASK-9."""
    simple = simple_success()
    assert simple.outcome == TaskOutcome(successes=0, difficulty=0, success=True, momentum=0, complications=0)
    assert not simple.can_spend_momentum
    with pytest.raises(Refusal, match="throw for this one"):
        simple_success(1)


def test_a_failure_becomes_a_bare_success_at_a_cost() -> None:
    """TASK-11."""
    turned = succeed_at_cost(outcome(13, 20, difficulty=2))
    assert (turned.success, turned.momentum, turned.complications, turned.at_cost) == (True, 0, 2, True)
    with pytest.raises(Refusal, match="only a failure"):
        succeed_at_cost(turned)


@pytest.mark.parametrize(
    ("bonus", "determination", "required"), [(0, False, 2), (3, False, 5), (1, True, 2), (3, True, 4)]
)
def test_the_right_number_of_dice_is_asked_for(bonus: int, required: int, *, determination: bool) -> None:
    """TASK-3."""
    assert dice_to_throw(bonus, determination_die=determination) == required


@pytest.mark.parametrize(("bonus", "determination"), [(4, False), (4, True)])
def test_a_fourth_bonus_die_is_refused(bonus: int, *, determination: bool) -> None:
    """TASK-3, BUY-1."""
    with pytest.raises(Refusal) as refused:
        dice_to_throw(bonus, determination_die=determination)
    assert refused.value.rule == "BUY-1"


def test_the_doctor_of_the_worked_example() -> None:
    """TRAIT-2."""
    assert task_difficulty(2, [1, 1, 0]) == 4
    assert task_difficulty(1, [-1, -1, -1]) == 0
    assert task_difficulty(2, [-2], floor=1) == 1


@given(st.integers(0, 8), st.lists(st.integers(-3, 3), max_size=6), st.integers(0, 3))
def test_difficulty_never_falls_below_its_floor_and_rises_with_each_point(
    base: int, modifiers: list[int], floor: int
) -> None:
    """TRAIT-2."""
    assert floor <= task_difficulty(base, modifiers, floor) <= task_difficulty(base, [*modifiers, 1], floor)


def test_the_ladder_has_a_step_for_each_usual_difficulty() -> None:
    """DIFF-1."""
    assert len(DIFFICULTY_LADDER) == 6
    assert all(len(examples) == 3 for examples in DIFFICULTY_LADDER)


def helper(die: int) -> AssistDie:
    return AssistDie(attribute=10, discipline=2, focus=True, die=die)


def test_helpers_use_their_own_numbers_and_add_up() -> None:
    """ASST-1."""
    assert outcome(12, 13, difficulty=4, assists=(helper(2), helper(12))).successes == 4
    assert outcome(12, 13, assists=(helper(13),)).successes == 1


@pytest.mark.parametrize(("helpers", "ship"), [((helper(1),), None), ((), ShipDie(system=9, department=3, die=1))])
def test_help_counts_only_beside_a_success_of_the_leader(helpers: tuple[AssistDie, ...], ship: ShipDie | None) -> None:
    """ASST-2."""
    assert outcome(13, 14, assists=helpers, ship_assist=ship).successes == 0
    assert outcome(12, 14, assists=helpers, ship_assist=ship).successes == 3
    assert outcome(13, 14, determination_die=True, assists=helpers, ship_assist=ship).successes == 4


def test_a_die_that_does_not_count_says_so() -> None:
    """ASST-2."""
    score = score_task(attribute=9, discipline=3, focus=False, difficulty=1, dice=(13, 14), assists=(helper(1),))
    assert [one.counted for one in score.dice] == [True, True, False]
    assert [one.successes for one in score.dice] == [0, 0, 2]


@pytest.mark.parametrize(("die", "successes"), [(3, 2), (4, 1), (12, 1), (13, 0), (1, 2)])
def test_the_ship_is_always_focused(die: int, successes: int) -> None:
    """ASST-3, SHIP-3, SHIP-4."""
    assert outcome(12, 13, ship_assist=ShipDie(system=9, department=3, die=die)).successes == 1 + successes


def test_a_widened_range_is_the_leaders_alone() -> None:
    """ASST-1, TASK-7."""
    ship = ShipDie(system=9, department=3, die=19)
    assert outcome(13, 19, complication_range=2, assists=(helper(19),), ship_assist=ship).complications == 1
    ship = ShipDie(system=9, department=3, die=20)
    assert outcome(13, 14, assists=(helper(20),), ship_assist=ship).complications == 2


def test_the_determination_die_is_two_successes_and_no_complication() -> None:
    """DET-2, TASK-7."""
    result = outcome(13, 14, difficulty=2, determination_die=True, complication_range=5)
    assert (result.successes, result.success, result.complications) == (2, True, 0)
    fixed = ThrownDie(kind=DieKind.D20, face=20, source=SourceKind.MANUAL, fixed=True)
    scored = score_die(fixed, role=ThrowRole.LEADER, who="", target_number=12, double_at_most=1, complication_range=5)
    assert (scored.successes, scored.complication) == (2, False)


@pytest.mark.parametrize("role", list(ThrowRole))
def test_only_a_die_of_the_leaders_own_feels_a_widened_range(role: ThrowRole) -> None:
    """TASK-7."""
    die = ThrownDie(kind=DieKind.D20, face=18, source=SourceKind.TRAY)
    scored = score_die(die, role=role, who="Ada", target_number=12, double_at_most=3, complication_range=3)
    assert scored.complication is (role is ThrowRole.LEADER)
    assert (scored.die, scored.role, scored.who, scored.successes) == (die, role, "Ada", 0)


def test_automatic_successes_come_on_top_and_open_no_door_for_helpers() -> None:
    """NPC-2, ASST-2."""
    assert outcome(12, 13, automatic_successes=2).successes == 3
    assert outcome(13, 14, automatic_successes=2, assists=(helper(1),)).successes == 2


@pytest.mark.parametrize("face", [0, 21, True, -3])
def test_no_d20_shows_that(face: int) -> None:
    """TASK-4."""
    with pytest.raises(DiceError):
        outcome(face, 5)


@given(st.tuples(ATTRIBUTE, DISCIPLINE), st.booleans(), st.lists(D20, min_size=1, max_size=5), st.integers(0, 6))
def test_a_score_stays_within_its_bounds(
    numbers: tuple[int, int], focus: object, dice: list[int], difficulty: int
) -> None:
    """TASK-8."""
    scored = score_task(
        attribute=numbers[0], discipline=numbers[1], focus=bool(focus), difficulty=difficulty, dice=dice
    ).outcome
    assert 0 <= scored.successes <= 2 * len(dice)
    assert 0 <= scored.complications <= len(dice)
    assert scored.success is (scored.successes >= difficulty)
    assert scored.momentum == max(0, scored.successes - difficulty)


@given(ATTRIBUTE, DISCIPLINE, st.lists(D20, min_size=2, max_size=5), st.integers(0, 4), st.integers(0, 4))
def test_lower_dice_a_focus_and_a_better_attribute_never_hurt(
    attribute: int, discipline: int, dice: list[int], place: int, difficulty: int
) -> None:
    """TASK-4, TASK-5."""
    place %= len(dice)
    lower = [max(1, face - 1) if here == place else face for here, face in enumerate(dice)]

    def successes(attribute: int, dice: list[int], *, focus: bool) -> int:
        return score_task(
            attribute=attribute, discipline=discipline, focus=focus, difficulty=difficulty, dice=dice
        ).outcome.successes

    plain = successes(attribute, dice, focus=False)
    assert successes(attribute, lower, focus=False) >= plain
    assert successes(attribute, dice, focus=True) >= plain
    assert successes(attribute + 1, dice, focus=False) >= plain
