"""Where a ship is hit: each hit that was not aimed has its own d20, and its words say which hit it is for."""

from __future__ import annotations

import pytest

from kiosk.views.stage.now import stage
from rules.dice import SourceKind, Symbol
from rules.narrate import asked_words
from rules.ships.first.choosing import SettleShipHit
from rules.state.vocabulary import Spend, StepKind, System
from rules.tasks.settling import MakeSpend
from rules.tasks.throwing import EnterDice
from rules.undo import Undo
from tests.rules.squadron import Squadron, weapon
from tests.rules.tabletop import die, reading

EFFECT = Symbol.EFFECT
PLAIN = "Far Lantern throws 1 d20: where Black Comet is hit."
SPREAD = "A further hit, by Spread: 7 damage before Resistance."
DEVASTATING = "A further hit, by Devastating Attack: 6 damage before Resistance."


def unaimed() -> Squadron:
    """A shot with Spread that hits and was not aimed: its d20 is awaited."""
    game = Squadron(momentum=6, special=weapon(("Spread", 0), ("Vicious", 1), rating=6))
    game.fire(1, 1, ship=20, weapon="Lance")
    return game


def answered(game: Squadron, source: SourceKind, face: int) -> None:
    """The d20 that is awaited comes by `source`."""
    request = game.table.request
    assert request is not None
    if source is SourceKind.MANUAL:
        game.do(EnterDice(request=request.number, faces=(face,)))
    else:
        game.do(reading(die(face, source=source), source=source))


@pytest.mark.parametrize("source", SourceKind)
def test_each_hit_has_its_own_die_whoever_reads_it(source: SourceKind) -> None:
    """SATK-2, SWPN-5, MOM-10: several Breaches of one hit are of one system; a further hit asks again."""
    game = unaimed()
    assert asked_words(game.table) == PLAIN
    answered(game, source, 4)
    game.throw_challenge(2, 2, 2, 1, EFFECT, EFFECT)
    game.do(MakeSpend(spend=Spend.DEVASTATING_ATTACK))
    game.do(SettleShipHit())
    assert asked_words(game.table) == f"{PLAIN} {SPREAD}"
    assert SPREAD in game.last_said.normal
    answered(game, source, 8)
    assert asked_words(game.table) == f"{PLAIN} {DEVASTATING}"
    answered(game, source, 19)
    assert not game.waits_for_dice()
    assert [one.system for one in game.of(game.raider).state.systems if one.breaches] == [
        System.ENGINES, System.SENSORS, System.WEAPONS,
    ]  # fmt: skip


def test_two_breaches_of_one_hit_need_one_die() -> None:
    """SDMG-2, C-29."""
    game = Squadron(special=weapon(rating=6))
    game.state(game.raider, shields=5)
    game.strikes(2, 2, 2, 2, EFFECT, EFFECT, system=4)
    assert game.of(game.raider).state.damage_of(System.ENGINES).breaches == 2
    assert not game.waits_for_dice()


def test_the_stage_says_which_hit_the_die_is_for() -> None:
    """SWPN-5, MOM-10; what is aimed at one system leaves the further hit to its die."""
    game = Squadron(momentum=6, special=weapon(rating=6))
    game.fire(1, 1, ship=1, weapon="Lance", system=System.SENSORS)
    game.throw_challenge(2, 2, 2, 2, 2, 1)
    game.do(MakeSpend(spend=Spend.DEVASTATING_ATTACK))
    game.do(SettleShipHit())
    assert game.table.agenda[0].kind is StepKind.SYSTEM_DIE
    shown = stage(game.table, (), asked_words(game.table))
    assert (shown.kind, shown.word) == ("ask", "Throw 1 d20")
    assert shown.lines[:2] == ("Where Black Comet is hit", DEVASTATING)
    game.throw(12)
    game.do(Undo())
    assert asked_words(game.table).endswith(DEVASTATING)
