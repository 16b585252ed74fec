"""Damage of a ship's attack thrown again: once for the attack, and once a Round for who pays (MOM-6, CD-5, POOL-4)."""

from __future__ import annotations

from rules.conflict.rounds import BeginTurn, EndTurn, Entrant, StartConflict
from rules.dice import Symbol
from rules.legal.offers import options
from rules.ships.first.choosing import RerollShipDamage, SettleShipHit
from rules.state.vocabulary import ConflictKind
from tests.rules.squadron import Squadron


def shoot(game: Squadron) -> None:
    """The raider fires at the Far Lantern and hits; 6 dice of damage lie there."""
    game.fire(1, 1, target_id=game.ship, character_id=game.raider)
    game.throw(12)
    game.throw_challenge(*[1] * (game.table.request.count if game.table.request is not None else 0))


def test_a_ships_damage_is_thrown_again_once_an_attack_and_once_a_round() -> None:
    game = Squadron()
    game.threaten(6)
    entrants = (Entrant(combatant_id=game.okafor, ship_id=game.ship), Entrant(combatant_id=game.raider))
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=game.raider))
    game.do(BeginTurn(combatant_id=game.raider))
    shoot(game)
    game.do(RerollShipDamage(positions=(0, 2)))
    game.throw_challenge(Symbol.BLANK, 2)
    assert game.table.attack is not None
    assert game.table.attack.faces[:3] == (Symbol.BLANK, 1, 2)
    game.refused(RerollShipDamage(positions=(1,)), "POOL-4")
    game.do(SettleShipHit())
    while game.table.request is not None:
        game.throw_challenge(Symbol.BLANK)
    game.finish()
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.okafor))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.raider))
    shoot(game)
    game.refused(RerollShipDamage(positions=(1,)), "POOL-4")
    assert not any(one.option_id.startswith("reroll_ship_damage") for one in options(game.table))


def test_without_rounds_one_attack_still_throws_again_once() -> None:
    game = Squadron()
    game.threaten(6)
    shoot(game)
    game.do(RerollShipDamage(positions=(0,)))
    game.throw_challenge(2)
    game.refused(RerollShipDamage(positions=(1,)), "CD-5")
