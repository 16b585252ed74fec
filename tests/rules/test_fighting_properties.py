"""Single attacks at random, to their end: what a hit can and cannot do, and that each die counts once."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from rules.conflict.cover import SetCover
from rules.conflict.damage_spends import RerollDamage
from rules.conflict.events import DamageSettled, InjuryAvoided, InjurySuffered
from rules.conflict.hits import ChooseTargets
from rules.conflict.injuries import AvoidInjury
from rules.deciding.agenda import StepDiceThrown
from rules.deciding.checks import find_character
from rules.deciding.decision import Event, PoolChanged
from rules.dice import DieKind
from rules.legal.offers import Option, options
from rules.state.table import Table
from rules.state.vocabulary import InjuryState, Pool, Spend, Standing, StepKind
from rules.tasks.actions import FollowThrough
from rules.tasks.challenge import challenge_result
from rules.tasks.events import MomentumSpent, SpendingFinished
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.undo import Redo, Undo
from tests.rules.brawl import Brawl

FACES = st.integers(1, 6)
CHARGES = st.sampled_from(["", "area", "intense", "piercing", "vicious"])
CHOICES = st.lists(st.integers(0, 2**16), min_size=25, max_size=25)

ANSWERS = (
    "settle_damage",
    "reroll_damage",
    "make_spend:bonus_damage",
    "make_spend:penetration",
    "make_spend:secondary_target",
    "make_spend:disarm",
    "avoid_injury",
    "suffer_injury",
    "fall_down",
    "stay_up",
    "choose_targets",
)
WORSE = tuple(InjuryState)


def answers(game: Brawl) -> tuple[Option, ...]:
    return tuple(one for one in options(game.table) if one.option_id.startswith(ANSWERS))


def struck(charge: str, momentum: int, cover: int, *, lethal: bool) -> Brawl:
    """Okafor has hit Brack with 2 Momentum, prepared, and the damage is still to be thrown."""
    game = Brawl(momentum=momentum)
    game.save(game.brack, "Brack", standing=Standing.NOTABLE_NPC, weapons=("blade",), resistance=1, stress_max=6)
    if cover:
        game.do(SetCover(character_id=game.brack, dice=cover))
    game.prepare()
    game.attack(game.okafor, game.brack, "phaser_type_2", effect=charge, lethal=lethal)
    game.throw(1, 1)
    game.do(FollowThrough())
    return game


def step(game: Brawl, number: int) -> tuple[Event, ...]:
    """Throw what is asked for, or answer what is asked, as the number says."""
    request = game.table.request
    if request is not None:
        assert request.kind is DieKind.CHALLENGE
        return game.throw_challenge(
            *((number * 7 + place * (number % 5 + 1)) % 6 + 1 for place in range(request.count))
        )
    possible = answers(game)
    assert possible, "a chain never stands still"
    return game.do(possible[number % len(possible)].worded())


@given(charge=CHARGES, momentum=st.integers(0, 6), cover=st.integers(0, 3), lethal=st.booleans(), numbers=CHOICES)
def test_every_attack_comes_to_an_end_within_its_bounds(
    charge: str, momentum: int, cover: int, numbers: list[int], *, lethal: bool
) -> None:
    """DMG-3 to DMG-7, EFF-1, MOM-8, C-61: Stress in its range, two Injuries a hit at most, nobody hit twice."""
    game = struck(charge, momentum, cover, lethal=lethal)
    told: list[Event] = []
    for number in numbers:
        if game.table.attack is None:
            break
        before = game.table
        told += step(game, number)
        after = game.table
        game.do(Undo())
        assert game.table == before
        game.do(Redo())
        assert game.table == after
        check_bodies(before, after)
    while game.table.attack is not None:
        told += step(game, 0)
    hits = [one for one in told if isinstance(one, DamageSettled)]
    assert len({one.character_id for one in hits}) == len(hits) >= 1
    for hit in hits:
        settled = settled_injuries(told, hit.character_id)
        assert settled <= hit.injuries <= 2
        assert hit.injuries == (hit.damage >= 5) + (hit.damage > 0 and hit.stress == 0)
        assert settled == hit.injuries or game.body(hit.character_id).injury is InjuryState.DEAD
    game.do(FinishSpending())
    assert game.table.task is None or not game.table.task.momentum_left


def settled_injuries(told: list[Event], character_id: str) -> int:
    return sum(isinstance(one, InjurySuffered | InjuryAvoided) and one.character_id == character_id for one in told)


def check_bodies(before: Table, after: Table) -> None:
    for one in after.characters:
        body, was = one.body, find_character(before, one.character_id).body
        assert 0 <= body.stress <= body.stress_max
        assert body.stress <= was.stress, "an attack gives nothing back"
        assert WORSE.index(body.injury) >= WORSE.index(was.injury)
        assert body.avoided or not was.avoided
    assert 0 <= after.momentum <= 6
    assert after.threat >= 0


@given(CHARGES, st.lists(FACES, min_size=6, max_size=6), st.lists(FACES, min_size=3, max_size=3), st.data())
def test_each_die_of_the_damage_counts_once(
    charge: str, first: list[int], cover: list[int], data: st.DataObject
) -> None:
    """CD-2, CD-5, DMG-1 to DMG-3: what was thrown again is gone; the cover's dice are no damage."""
    game = struck(charge, 1, len(cover), lethal=False)
    game.throw_challenge(*first)
    game.throw_challenge(*cover)
    faces = list(first)
    places = data.draw(st.lists(st.integers(0, 5), unique=True, max_size=6))
    if places:
        game.do(RerollDamage(positions=tuple(places)))
        again = data.draw(st.lists(FACES, min_size=len(places), max_size=len(places)))
        events = game.throw_challenge(*again)
        for place, face in zip(sorted(places), again, strict=True):
            faces[place] = face
        assert sum(isinstance(one, StepDiceThrown) for one in events) == 1
    bonus = data.draw(st.integers(0, 2))
    if bonus:
        game.do(MakeSpend(spend=Spend.BONUS_DAMAGE, times=bonus))
    game.settle()
    damage, effects = points(faces)
    resistance = max(0, 1 + points(cover)[0] - 2 * effects * (charge == "piercing"))
    done = max(0, damage + effects * (charge == "vicious") + bonus - resistance)
    assert game.body(game.brack).stress == max(0, 6 - done)
    assert challenge_result(tuple(faces)).total == damage


def points(faces: list[int]) -> tuple[int, int]:
    """CD-1, worked out by hand: 1 and 2 count themselves, 5 and 6 count 1 and are Effects."""
    counted = Counter(faces)
    effects = counted[5] + counted[6]
    return counted[1] + 2 * counted[2] + effects, effects


@given(CHARGES, st.integers(0, 6), CHOICES)
def test_momentum_of_an_attack_is_spent_saved_or_lost(charge: str, momentum: int, numbers: list[int]) -> None:
    """POOL-1, POOL-2, C-61, C-62: what the attack made and the pool held is accounted for to the point."""
    game = struck(charge, momentum, 0, lethal=False)
    held = game.table.momentum + game.task.momentum_left
    paid = 0
    for number in numbers:
        if game.table.attack is None:
            break
        paid += spent(step(game, number))
    while game.table.attack is not None:
        paid += spent(step(game, 0))
    lost = sum(one.lost for one in game.do(FinishSpending()) if isinstance(one, SpendingFinished))
    assert held == paid + game.table.momentum + lost


def spent(events: tuple[Event, ...]) -> int:
    total = 0
    for one in events:
        if isinstance(one, MomentumSpent):
            total += one.spend.from_generated
        elif isinstance(one, PoolChanged) and one.pool is Pool.MOMENTUM:
            total -= one.change
    return total


def test_a_restart_in_the_middle_goes_on_there() -> None:
    """C-61: the steps that are left are held by the table itself."""
    game = struck("area", 4, 2, lethal=False)
    game.throw_challenge(5, 6, 2, 2, 1, 1)
    again = Brawl()
    again.history = game.history
    assert again.table.agenda[0].kind is StepKind.COVER_DICE
    again.throw_challenge(3, 3)
    again.settle()
    again.do(AvoidInjury())
    again.do(ChooseTargets())
    assert again.table.attack is None
