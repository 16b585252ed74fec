"""What the gamemaster may restore or order is offered, and only where it would change something."""

from __future__ import annotations

from rules.conflict.bodies import RestoreEverybody
from rules.conflict.rounds import EndConflict, Entrant, StartConflict
from rules.legal.offers import options
from rules.setup.setting_up import StartScene
from rules.ships.cards import SaveShip
from rules.ships.first.choosing import RerollShipDamage
from rules.ships.second.leaving import AbandonShip, ChooseLargeShipTurns
from rules.ships.upkeep import RestoreShields
from rules.state.vocabulary import ConflictKind, InjuryState
from rules.undo import Undo
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game


def offered(game: Game, command: type) -> list[str]:
    return [one.label for one in options(game.table) if isinstance(one.command, command)]


def take(game: Game, option_id: str) -> None:
    game.do(next(one.command for one in options(game.table) if one.option_id == option_id))


def test_after_a_fight_each_one_who_is_short_of_stress_may_have_it_back() -> None:
    """C-75: not while the fight goes on, and not where nothing is missing."""
    game = Skirmish()
    game.change_body(game.okafor, stress=3, stress_max=11)
    assert not [one for one in options(game.table) if one.option_id.startswith("adjust_stress")]
    game.do(EndConflict())
    game.do(StartScene(name="Sickbay"))
    assert "Restore Okafor's Stress, 3 of 11" in [one.label for one in options(game.table)]
    take(game, f"adjust_stress:{game.okafor}")
    assert game.card(game.okafor).body.stress == 11
    assert f"adjust_stress:{game.okafor}" not in {one.option_id for one in options(game.table)}


def test_several_have_their_stress_back_at_once_and_the_dead_do_not() -> None:
    """C-75."""
    game = Skirmish()
    game.change_body(game.okafor, stress=3, stress_max=11)
    game.change_body(game.lindqvist, stress=0, stress_max=9)
    game.change_body(game.brack, stress=1, stress_max=8, injury=InjuryState.DEAD)
    game.do(EndConflict())
    offers = [one for one in options(game.table) if one.rule == "C-75"]
    assert [one.label for one in offers] == ["Restore everybody's Stress"]
    take(game, "restore_everybody")
    bodies = [game.card(one).body for one in (game.okafor, game.lindqvist, game.brack)]
    assert [one.stress for one in bodies] == [11, 9, 1]
    assert game.last_said.terse == "Everybody's Stress is restored."
    assert not [one for one in options(game.table) if one.rule == "C-75"], "nothing is offered for the dead"
    game.refused(RestoreEverybody(), "DMG-3")
    game.do(Undo())
    assert game.card(game.lindqvist).body.stress == 0


def test_after_a_fight_the_shields_that_are_down_may_be_restored() -> None:
    """C-75."""
    game = Fleet()
    assert not offered(game, RestoreShields)
    game.state(game.ship, shields=2)
    assert offered(game, RestoreShields) == ["Restore Far Lantern's Shields, 2 of 12"]
    take(game, f"restore_shields:{game.ship}")
    assert game.of().state.shields == 12
    assert not offered(game, RestoreShields)


def test_the_order_to_abandon_a_critical_ship_is_offered_once() -> None:
    """S2E-20."""
    game = Fleet()
    assert not offered(game, AbandonShip)
    game.state(game.ship, critical=True)
    assert offered(game, AbandonShip) == ["Give the order to abandon Far Lantern"]
    take(game, f"abandon_ship:{game.ship}")
    assert not offered(game, AbandonShip)


def test_a_large_adversary_is_asked_for_its_turns_before_its_first() -> None:
    """S2E-21."""
    game = Fleet()
    card = game.of(game.raider)
    game.do(
        SaveShip(
            ship_id=game.raider, name=card.name, scale=9, crew=card.crew, systems=card.systems,
            departments=card.departments,
        )
    )  # fmt: skip
    assert not offered(game, ChooseLargeShipTurns)
    seats = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.raider),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=seats))
    assert len(offered(game, ChooseLargeShipTurns)) == 2
    take(game, f"choose_large_ship_turns:{game.raider}:match")
    raider = game.table.conflict.combatant(game.raider) if game.table.conflict is not None else None
    assert raider is not None
    assert raider.turns == 1


def test_each_die_of_a_ships_damage_may_be_thrown_again_alone() -> None:
    """MOM-6, CD-5."""
    game = Squadron(momentum=6)
    game.fire()
    game.throw(12)
    assert game.table.request is not None
    count = game.table.request.count
    game.throw_challenge(*(1,) * count)
    positions = {one.command.positions for one in options(game.table) if isinstance(one.command, RerollShipDamage)}
    assert {(place,) for place in range(count)} <= positions
