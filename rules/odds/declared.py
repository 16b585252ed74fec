"""Exact chances of a Task before its dice are thrown, and what each further die would buy.

Counts ways out of 20 to the number of dice, in whole numbers, so that nothing is lost to rounding before the
last division. Scoring is that of TASK-4 to TASK-8, ASST-1 to ASST-3 and DET-2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from rules.conflict.circumstances import unminded
from rules.deciding.checks import find_character, no_such_ship, profile
from rules.errors import require_at_least
from rules.odds.rerolled import D20_FACES, Faces, ThrownTogether, came
from rules.rulesets.profiles import Profile
from rules.state.changing import replace
from rules.state.people import Character
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration, Purchase
from rules.state.vocabulary import Payer, RerollReason
from rules.tasks.abilities import automatic_successes
from rules.tasks.buying import next_die_price
from rules.tasks.opposed import momentum_against
from rules.tasks.scoring import (
    DETERMINATION_DIE_SUCCESSES,
    MOST_BONUS_DICE,
    NARROWEST_RANGE,
    WIDEST_RANGE,
    dice_to_throw,
    double_at_most,
    is_complication,
    successes_of,
    target_number,
    task_difficulty,
)

Ways = tuple[int, ...]
"""The numbers of ways to throw 0, 1, 2 and more successes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """The aim of one d20: Target Number, and the highest face that counts double."""

    target_number: int
    double_at_most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePool:
    """Everything about a declared Task that its chances depend on.

    `dice` are the d20s that the leader throws, without a Determination die; `helpers` are those of helpers and
    ship, one d20 each. `against` is the Momentum of the side of an Opposed Task that has succeeded before it: winning
    takes more (OPP-2). None where nobody has. `rerolls` let dice be thrown again (TASK-12).
    """

    leader: Aim
    dice: int
    difficulty: int
    complication_range: int = NARROWEST_RANGE
    determination_die: bool = False
    helpers: tuple[Aim, ...] = ()
    automatic_successes: int = 0
    against: int | None = None
    rerolls: tuple[RerollReason, ...] = ()

    @property
    def to_win(self) -> int | None:
        """How many successes win against the side that has succeeded; None where none has."""
        return None if self.against is None else self.difficulty + self.against + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOdds:
    """Chances in 0..1. `successes[n]` is the chance of exactly n successes that count; they add up to 1.

    `chance` is that of success, or of winning against a side that has succeeded; `expected_momentum` the Momentum to
    expect (0 on a failure), `complication_chance` that of at least one Complication from any die. What may be
    thrown again is, while the Task would fail, and as is best for its success.
    """

    chance: float
    successes: tuple[float, ...]
    expected_momentum: float
    complication_chance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherDie:
    """The Task with more dice: `dice` that the leader throws then, with these `odds`.

    `price` is what the last of them costs, `total_price` what all further dice up to it cost together (BUY-2).
    """

    dice: int
    price: int
    total_price: int
    odds: TaskOdds


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredOdds:
    """The chances of a Task as declared, and with each further die that could be bought; `pool` is what they are of."""

    pool: DicePool
    odds: TaskOdds
    further: tuple[FurtherDie, ...]


def chance(pool: DicePool) -> TaskOdds:
    """The exact chances of one dice pool (TASK-8), with the leader's own success as condition for help (ASST-2)."""
    if pool.rerolls:
        return _chance_with_rerolls(pool)
    ways = _counted_ways(pool)
    throws: int = D20_FACES ** (pool.dice + len(pool.helpers))
    widest = _complication_range(pool)
    quiet = (D20_FACES - widest) ** pool.dice * (D20_FACES - NARROWEST_RANGE) ** len(pool.helpers)
    return _odds(pool, ways, throws - quiet, throws)


@lru_cache(maxsize=512)
def _chance_with_rerolls(pool: DicePool) -> TaskOdds:
    helpers = Counter(_faces(one, NARROWEST_RANGE) for one in pool.helpers)
    own = _faces(pool.leader, _complication_range(pool))
    throw = ThrownTogether(
        kinds=((own, require_at_least(0, pool.dice, "the number of dice")), *helpers.items()),
        own=DETERMINATION_DIE_SUCCESSES if pool.determination_die else 0,
        automatic=require_at_least(0, pool.automatic_successes, "automatic successes"),
        needed=_needed(pool),
    )
    found, throws = came(throw, pool.rerolls)
    ways = [0] * (max(number for number, _ in found) + 1)
    for (number, _), count in found.items():
        ways[number] += count
    return _odds(pool, tuple(ways), sum(count for (_, spoilt), count in found.items() if spoilt), throws)


def _odds(pool: DicePool, ways: Ways, spoilt: int, throws: int) -> TaskOdds:
    free = require_at_least(0, pool.difficulty, "a Difficulty") + (pool.against or 0)
    momentum = sum((number - free) * count for number, count in enumerate(ways) if number > free)
    return TaskOdds(
        chance=sum(ways[_needed(pool) :]) / throws,
        successes=tuple(count / throws for count in ways),
        expected_momentum=momentum / throws,
        complication_chance=spoilt / throws,
    )


def _needed(pool: DicePool) -> int:
    return pool.difficulty if pool.to_win is None else pool.to_win


def _complication_range(pool: DicePool) -> int:
    return min(WIDEST_RANGE, require_at_least(NARROWEST_RANGE, pool.complication_range, "a complication range"))


def _faces(target: Aim, complication_range: int) -> Faces:
    """The worth of each face of a d20 (TASK-4 to TASK-7)."""
    worths = Counter(
        (successes_of(face, target.target_number, target.double_at_most), is_complication(face, complication_range))
        for face in range(1, D20_FACES + 1)
    )
    return tuple(sorted(worths.items()))


def further_dice(pool: DicePool, purchases: Sequence[Purchase], profile: Profile) -> tuple[FurtherDie, ...]:
    """What each further bought die would make of the chances, up to the cap (BUY-1, BUY-2)."""
    payers = [one.payer for one in purchases]
    free = range(1, MOST_BONUS_DICE - len(payers) + 1)
    prices = [next_die_price([*payers, *[Payer.MOMENTUM] * (more - 1)], profile) for more in free]
    return tuple(
        FurtherDie(
            dice=pool.dice + more,
            price=price,
            total_price=total,
            odds=chance(replace(pool, dice=pool.dice + more)),
        )
        for more, price, total in zip(free, prices, accumulate(prices), strict=True)
    )


def declared_odds(table: Table, declaration: Declaration) -> DeclaredOdds:
    """The chances of a Task that someone is about to declare at a table, and of each further die.

    A Difficulty 0 Task that is not rolled is certain (TASK-9). Refuses characters and ships that are not there,
    and more than three bonus dice (BUY-1).
    """
    pool = pool_of(table, declaration)
    if not declaration.rolled and pool.difficulty == 0:
        certain = TaskOdds(chance=1.0, successes=(1.0,), expected_momentum=0.0, complication_chance=0.0)
        return DeclaredOdds(pool=pool, odds=certain, further=())
    further = further_dice(pool, declaration.purchases, profile(table))
    return DeclaredOdds(pool=pool, odds=chance(pool), further=further)


def pool_of(table: Table, declaration: Declaration) -> DicePool:
    """The dice pool of a declaration at a table (TASK-1 to TASK-3, TRAIT-2). Refuses as `declared_odds` does.

    Where one side of an Opposed Task has thrown, the declaration is the other side's.
    """
    leader = find_character(table, declaration.character_id, "TASK-1")
    determination_die = any(one.payer is Payer.DETERMINATION for one in declaration.purchases)
    helpers = [
        _character_target(
            find_character(table, one.character_id, "TASK-1"), one.attribute, one.discipline, focus=one.focus
        )
        for one in declaration.assists
    ]
    if declaration.ship is not None:
        ship = _ship(table, declaration.ship.ship_id)
        system: int = getattr(ship.systems, declaration.ship.system)
        department: int = getattr(ship.departments, declaration.ship.department)
        helpers.append(_die_target(system, department, focus=True))
    attribute, discipline = declaration.skills
    # What has an action comes here as the rules completed it (NPC-2 among it).
    of_creature = unminded(table, declaration) if declaration.action is None else ()
    modifiers = [one.change for one in (*declaration.modifiers, *of_creature)]
    return DicePool(
        leader=_character_target(leader, attribute, discipline, focus=declaration.focus),
        dice=dice_to_throw(len(declaration.purchases), determination_die=determination_die),
        difficulty=task_difficulty(declaration.difficulty, modifiers),
        complication_range=declaration.complication_range,
        determination_die=determination_die,
        helpers=tuple(helpers),
        automatic_successes=automatic_successes(leader, attribute),
        against=momentum_against(table),
        rerolls=tuple(
            one for one in declaration.rerolls if one is not RerollReason.SHIP_SYSTEM or profile(table).ship_rerolls
        ),
    )


def _counted_ways(pool: DicePool) -> Ways:
    """Ways to each number of successes that count: without one of the leader's own, help is worth nothing (ASST-2)."""
    own = _ways_of([pool.leader] * require_at_least(0, pool.dice, "the number of dice"))
    if pool.determination_die:
        own = (*(0,) * DETERMINATION_DIE_SUCCESSES, *own)
    helped = _combined((0, *own[1:]), _ways_of(pool.helpers))
    alone = own[0] * D20_FACES ** len(pool.helpers)
    automatic = require_at_least(0, pool.automatic_successes, "automatic successes")
    return (*(0,) * automatic, helped[0] + alone, *helped[1:])


def _ways_of(targets: Sequence[Aim]) -> Ways:
    ways: Ways = (1,)
    for target in targets:
        double = min(D20_FACES, max(1, target.double_at_most))
        single = max(0, min(D20_FACES, target.target_number) - double)
        ways = _combined(ways, (D20_FACES - single - double, single, double))
    return ways


def _combined(first: Ways, second: Ways) -> Ways:
    total = [0] * (len(first) + len(second) - 1)
    for here, count in enumerate(first):
        for there, other in enumerate(second):
            total[here + there] += count * other
    return tuple(total)


def _die_target(attribute: int, discipline: int, *, focus: bool) -> Aim:
    return Aim(
        target_number=target_number(attribute, discipline), double_at_most=double_at_most(discipline, focus=focus)
    )


def _character_target(character: Character, attribute: str, discipline: str, *, focus: bool) -> Aim:
    return _die_target(
        getattr(character.attributes, attribute), getattr(character.disciplines, discipline), focus=focus
    )


def _ship(table: Table, ship_id: str) -> Ship:
    for one in table.ships:
        if one.ship_id == ship_id:
            return one
    raise no_such_ship(table, "ASST-3")
