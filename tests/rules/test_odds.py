from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product
from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.errors import Refusal
from rules.odds.declared import Aim, DicePool, TaskOdds, chance, declared_odds, further_dice
from rules.rulesets.profiles import PROFILES
from rules.state.people import Attributes, Character, Disciplines
from rules.state.ships import Ship, Systems
from rules.state.table import Table
from rules.state.tasks import Assistance, Declaration, Modifier, Purchase, ShipAssistance
from rules.state.vocabulary import Attribute, Discipline, Payer, RerollReason, Ruleset, System
from rules.tasks.scoring import is_complication, successes_of
from tests.rules.scored import AssistDie, ShipDie, score_task

LEADER = Aim(target_number=12, double_at_most=3)
HELPER = Aim(target_number=11, double_at_most=1)
SHIP = Aim(target_number=10, double_at_most=2)
PLAIN = DicePool(leader=LEADER, dice=2, difficulty=1)


def thrown_every_way(
    *, dice: int, difficulty: int, complication_range: int, determination_die: bool, helpers: int, automatic: int
) -> TaskOdds:
    """Every throw of a leader (9 + 3, focus), a helper (9 + 2) and a ship (8 + 2), scored one by one."""
    successes: Counter[int] = Counter()
    won = momentum = troubled = 0
    for faces in product(range(1, 21), repeat=dice + helpers):
        help_faces = faces[dice:]
        outcome = score_task(
            attribute=9,
            discipline=3,
            focus=True,
            difficulty=difficulty,
            dice=faces[:dice],
            complication_range=complication_range,
            assists=[AssistDie(attribute=9, discipline=2, die=die) for die in help_faces[:1]],
            ship_assist=ShipDie(system=8, department=2, die=help_faces[1]) if helpers > 1 else None,
            determination_die=determination_die,
            automatic_successes=automatic,
        ).outcome
        successes[outcome.successes] += 1
        won += outcome.success
        momentum += outcome.momentum
        troubled += outcome.complications > 0
    throws = 20 ** (dice + helpers)
    return TaskOdds(
        chance=won / throws,
        successes=tuple(successes[number] / throws for number in range(max(successes) + 1)),
        expected_momentum=momentum / throws,
        complication_chance=troubled / throws,
    )


@pytest.mark.parametrize(
    ("dice", "difficulty", "width", "determination", "helpers", "automatic"),
    [
        (2, 1, 1, False, 0, 0), (2, 0, 3, False, 0, 0), (2, 2, 5, True, 0, 0), (2, 2, 2, False, 1, 0),
        (1, 3, 2, False, 2, 1), (1, 2, 1, True, 2, 0), (3, 4, 1, False, 0, 0),
    ],
)  # fmt: skip
def test_the_chances_are_those_of_every_throw_scored(
    dice: int, difficulty: int, width: int, helpers: int, automatic: int, *, determination: bool
) -> None:
    """TASK-8, ASST-1, ASST-2, ASST-3, DET-2, NPC-2."""
    counted = thrown_every_way(
        dice=dice,
        difficulty=difficulty,
        complication_range=width,
        determination_die=determination,
        helpers=helpers,
        automatic=automatic,
    )
    pool = DicePool(
        leader=LEADER,
        dice=dice,
        difficulty=difficulty,
        complication_range=width,
        determination_die=determination,
        helpers=(HELPER, SHIP)[:helpers],
        automatic_successes=automatic,
    )
    assert chance(pool) == counted


targets = st.builds(Aim, target_number=st.integers(7, 18), double_at_most=st.integers(1, 5))
pools = st.builds(
    DicePool,
    leader=targets,
    dice=st.integers(2, 5),
    difficulty=st.integers(0, 8),
    complication_range=st.integers(1, 5),
    determination_die=st.booleans(),
    helpers=st.lists(targets, max_size=6).map(tuple),
    automatic_successes=st.integers(0, 2),
)


@given(pools)
def test_chances_add_up_and_stay_between_none_and_certain(pool: DicePool) -> None:
    """TASK-8."""
    odds = chance(pool)
    assert isclose(sum(odds.successes), 1.0)
    assert all(0.0 <= one <= 1.0 for one in (*odds.successes, odds.chance, odds.complication_chance))
    assert isclose(odds.chance, sum(odds.successes[pool.difficulty :]), abs_tol=1e-12)
    expected = sum(max(0, number - pool.difficulty) * one for number, one in enumerate(odds.successes))
    assert isclose(odds.expected_momentum, expected, abs_tol=1e-9)


@given(pools)
def test_a_die_more_and_a_difficulty_less_never_hurt(pool: DicePool) -> None:
    """TASK-3, TASK-8."""
    odds = chance(pool)
    assert chance(replace(pool, dice=pool.dice + 1)).chance >= odds.chance
    assert chance(replace(pool, difficulty=pool.difficulty + 1)).chance <= odds.chance
    assert chance(replace(pool, dice=pool.dice + 1)).complication_chance > odds.complication_chance


@settings(max_examples=settings().max_examples // 2)
@given(pools, st.lists(st.sampled_from(list(Payer)), max_size=3), st.sampled_from(list(Ruleset)))
def test_further_dice_rise_in_price_and_in_worth(pool: DicePool, payers: list[Payer], ruleset: Ruleset) -> None:
    """BUY-1, BUY-2."""
    further = further_dice(pool, [Purchase(payer=payer) for payer in payers], PROFILES[ruleset])
    assert [one.dice - pool.dice for one in further] == list(range(1, 4 - len(payers)))
    assert [one.total_price for one in further] == [
        sum(other.price for other in further[: place + 1]) for place in range(len(further))
    ]
    assert [one.price for one in further] == sorted({one.price for one in further})
    assert all(one.odds == chance(replace(pool, dice=one.dice)) for one in further)


RATINGS = Disciplines(command=1, conn=2, security=3, engineering=4, science=2, medicine=1)
CHARACTER = Character(
    character_id="c1",
    name="Ada",
    attributes=Attributes(control=8, daring=9, fitness=10, insight=7, presence=11, reason=12),
    disciplines=RATINGS,
)
SHIP_CARD = Ship(
    ship_id="s1",
    name="Kestrel",
    scale=3,
    systems=Systems(communications=7, computers=8, engines=9, sensors=10, structure=8, weapons=7),
    departments=RATINGS,
)
TABLE = Table(ready=True, characters=(CHARACTER, replace(CHARACTER, character_id="c2")), ships=(SHIP_CARD,))
DECLARED = Declaration(
    character_id="c1",
    attribute=Attribute.DARING,
    discipline=Discipline.SECURITY,
    focus=True,
    difficulty=1,
    modifiers=(Modifier(reason="dark", change=1),),
    complication_range=2,
    purchases=(Purchase(payer=Payer.DETERMINATION), Purchase(payer=Payer.MOMENTUM)),
    assists=(Assistance(character_id="c2", attribute=Attribute.CONTROL, discipline=Discipline.SCIENCE),),
    ship=ShipAssistance(ship_id="s1", system=System.SENSORS, department=Discipline.CONN),
)


def test_a_declaration_is_weighed_with_all_that_it_names() -> None:
    """TASK-1, TASK-3, TRAIT-2, ASST-1, ASST-3, DET-2."""
    weighed = declared_odds(TABLE, DECLARED)
    assert weighed.odds == chance(
        DicePool(
            leader=Aim(target_number=12, double_at_most=3),
            dice=3,
            difficulty=2,
            complication_range=2,
            determination_die=True,
            helpers=(
                Aim(target_number=10, double_at_most=1),
                Aim(target_number=12, double_at_most=2),
            ),
        )
    )
    assert [(one.dice, one.price, one.total_price) for one in weighed.further] == [(4, 2, 2)]


def test_what_is_not_rolled_is_certain() -> None:
    """TASK-9."""
    weighed = declared_odds(TABLE, replace(DECLARED, difficulty=0, modifiers=(), rolled=False))
    assert (weighed.odds.chance, weighed.odds.complication_chance, weighed.further) == (1.0, 0.0, ())


@pytest.mark.parametrize(
    "declaration",
    [
        replace(DECLARED, character_id="c9"), replace(DECLARED, purchases=(Purchase(payer=Payer.TALENT),) * 4),
        replace(DECLARED, ship=ShipAssistance(ship_id="s9", system=System.SENSORS, department=Discipline.CONN)),
    ],
)  # fmt: skip
def test_what_is_not_at_the_table_is_refused(declaration: Declaration) -> None:
    """TASK-1, ASST-3, BUY-1."""
    with pytest.raises(Refusal):
        declared_odds(TABLE, declaration)


def best_of_every_reroll(pool: DicePool) -> tuple[float, float, float]:
    """Chance, Momentum and Complications of dice that are tried face by face, one or all of them thrown again."""

    def worth(faces: Sequence[int]) -> tuple[bool, int, bool]:
        own = sum(successes_of(one, LEADER.target_number, LEADER.double_at_most) for one in faces[: pool.dice])
        aids = zip(faces[pool.dice :], pool.helpers, strict=True)
        help_given = sum(successes_of(one, aim.target_number, aim.double_at_most) for one, aim in aids) if own else 0
        spoilt = any(is_complication(one, pool.complication_range) for one in faces[: pool.dice])
        total = own + help_given
        return total >= pool.difficulty, max(0, total - pool.difficulty), spoilt or 20 in faces[pool.dice :]

    count = pool.dice + len(pool.helpers)
    every = {RerollReason.AIM: pool.dice, RerollReason.SHIP_SYSTEM: count}.get(pool.rerolls[0], 0)
    sets: list[tuple[int, ...]] = [(one,) for one in range(every)] or [
        places for many in range(1, pool.dice + 1) for places in combinations(range(pool.dice), many)
    ]
    sums = [0.0, 0.0, 0.0]
    for faces in product(range(1, 21), repeat=count):
        best = [float(one) for one in worth(faces)]
        if not best[0]:
            kept = -1.0
            for places in sets:
                lying = list(faces)
                found = [0.0, 0.0, 0.0]
                for fresh in product(range(1, 21), repeat=len(places)):
                    for place, face in zip(places, fresh, strict=True):
                        lying[place] = face
                    for place, one in enumerate(worth(lying)):
                        found[place] += one / 20 ** len(places)
                rank = found[0] - found[2] / 1e6
                if found[0] > 0 and rank > kept:
                    best, kept = found, rank
        sums = [so_far + one / 20**count for so_far, one in zip(sums, best, strict=True)]
    return sums[0], sums[1], sums[2]


@pytest.mark.parametrize(
    ("reason", "dice", "difficulty", "width", "helpers"),
    [
        (RerollReason.AIM, 2, 2, 1, ()), (RerollReason.AIM, 2, 3, 4, ()), (RerollReason.AIM, 1, 2, 2, (HELPER,)),
        (RerollReason.ACCURATE_AIM, 2, 3, 2, ()), (RerollReason.SHIP_SYSTEM, 1, 2, 1, (HELPER,)),
        (RerollReason.SHIP_SYSTEM, 2, 2, 3, ()),
    ],
)  # fmt: skip
def test_what_may_be_thrown_again_counts(
    reason: RerollReason, dice: int, difficulty: int, width: int, helpers: tuple[Aim, ...]
) -> None:
    """TASK-12, QUAL-1, ACT-3: the best that can be made of each throw."""
    pool = DicePool(
        leader=LEADER, dice=dice, difficulty=difficulty, complication_range=width, helpers=helpers, rerolls=(reason,)
    )
    odds = chance(pool)
    assert (odds.chance, odds.expected_momentum, odds.complication_chance) == pytest.approx(best_of_every_reroll(pool))


again = st.sampled_from(
    [
        (RerollReason.AIM,),
        (RerollReason.ACCURATE_AIM,),
        (RerollReason.SHIP_SYSTEM,),
        (RerollReason.AIM, RerollReason.SHIP_SYSTEM),
    ]
)


@settings(max_examples=settings().max_examples // 2)
@given(
    st.builds(
        DicePool,
        leader=targets,
        dice=st.integers(1, 4),
        difficulty=st.integers(0, 6),
        complication_range=st.integers(1, 5),
        determination_die=st.booleans(),
        helpers=st.lists(targets, max_size=2).map(tuple),
        automatic_successes=st.integers(0, 2),
    ),
    again,
)
def test_a_reroll_never_hurts_and_two_are_no_worse_than_one(pool: DicePool, rerolls: tuple[RerollReason, ...]) -> None:
    """TASK-12: who may throw again need not."""
    odds, plain = chance(replace(pool, rerolls=rerolls)), chance(pool)
    assert isclose(sum(odds.successes), 1.0)
    assert plain.chance <= odds.chance <= 1.0
    assert all(chance(replace(pool, rerolls=(one,))).chance <= odds.chance for one in rerolls)
    assert (plain.chance in {0.0, 1.0}) or odds.chance > plain.chance
