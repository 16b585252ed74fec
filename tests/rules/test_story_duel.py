"""A first-edition duel in Rounds, told from the first shot to a core breach, with its numbers worked out by hand."""

from __future__ import annotations

from rules.conflict.lasting import effects_named
from rules.conflict.rounds import BeginTurn, EndTurn, Entrant, NextRound, StartConflict
from rules.dice import Symbol
from rules.ships.first.choosing import SettleShipHit
from rules.ships.first.rounds import NameShipsHit
from rules.state.table import Table
from rules.state.vocabulary import Condition, ConflictKind, InjuryState, Spend, System
from rules.tasks.settling import MakeSpend
from rules.undo import Redo, Undo
from tests.rules.fleet2e import replayed
from tests.rules.squadron import Squadron

EFFECT, BLANK = Symbol.EFFECT, Symbol.BLANK


def turn(game: Squadron, who: str) -> None:
    game.do(BeginTurn(combatant_id=who))


def over(game: Squadron) -> None:
    game.do(EndTurn())


def test_a_duel_that_ends_in_a_core_breach() -> None:  # noqa: PLR0915 - a story is told in one piece
    """SATK-1, SATK-2, SDMG-1, SDMG-2, BRCH-1 to BRCH-5, NSHIP-2, NSHIP-3, SHIP-10, STN-14, WCB-1, WCB-3."""
    game = Squadron(momentum=2, options=None)
    game.threaten(6)
    entrants = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=game.ember),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=game.okafor))
    assert game.table.conflict is not None
    assert [one.turns for one in game.table.conflict.combatants] == [1, 1, 3]

    # Round 1. Okafor fires at the Ember (Scale 3, Shields 11): 6 damage and 1 bought, less 3, so 4; Shields 7.
    turn(game, game.okafor)
    game.fire(1, 19, ship=19, target_id=game.ember)
    game.throw_challenge(2, 2, 1, 1)
    game.do(MakeSpend(spend=Spend.BONUS_DAMAGE))
    game.do(SettleShipHit())
    game.finish()
    assert game.of(game.ember).state.shields == 11 - 4
    over(game)

    # The Ember, whose gunners know the wounded engines, aims at them: D3, met by 5 successes; 2 Momentum to Threat.
    game.state(game.ship, shields=2)
    game.breached(System.ENGINES, 3)
    game.minor("restore", game.lindqvist, system=System.ENGINES)
    assert game.of().state.damage_of(System.ENGINES).condition is Condition.DAMAGED
    assert game.of().state.power == 3
    turn(game, game.ember)
    game.fire(1, 2, ship=9, target_id=game.ship, character_id=game.ember, system=System.ENGINES)
    game.throw_challenge(2, 2, 2, 2)
    game.do(SettleShipHit())
    # 8 less 4 is 4: the Shields fall, a Breach; the engines are disabled and 2 Power lost
    engines = game.of().state.damage_of(System.ENGINES)
    assert (game.of().state.shields, engines.breaches, engines.condition) == (0, 4, Condition.DISABLED)
    assert game.of().state.power == 1
    game.finish()
    over(game)

    # Lindqvist cannot evade without engines, but the Structure helps: Evasive Action costs the last Power.
    turn(game, game.lindqvist)
    game.refused(game.acting("maneuver", game.lindqvist), "BRCH-4")
    game.succeed("evasive_action", 1, 1, character_id=game.lindqvist, ship=19)
    game.finish()
    assert (game.of().state.power, bool(effects_named(game.table, "evasive_action"))) == (0, True)
    over(game)

    # The same role again is 1 harder, an evading ship 1 more, an aimed shot 1: D5, met by 6 successes with the ship's.
    turn(game, game.ember)
    game.act("fire_weapon", game.ember, target_id=game.ship, weapon="Phasers", system=System.ENGINES)
    assert game.task.difficulty == 5
    game.throw(1, 1)
    game.throw(3)
    game.follow()
    # the kiosk is switched off and on again in the middle of the hit
    assert replayed(game) == game.table
    game.throw_challenge(2, 2, 1, BLANK)
    game.do(SettleShipHit())
    # 5 less 4 is 1 on Shields at 0: a Breach destroys the engines; 2 Power that is not there: a Complication
    game.throw(12)
    assert game.of().state.damage_of(System.ENGINES).condition is Condition.DESTROYED
    assert game.of().state.core.rounds == 1
    assert "Trouble with the structure of Far Lantern" in [one.name for one in game.table.traits]
    game.finish()
    over(game)
    turn(game, game.ember)
    over(game)

    # The Round ends: Power that dead engines drain is not there (a Complication), and 1 Challenge Die for the core.
    game.do(NextRound())
    game.throw(1)
    game.throw_challenge(2)
    assert (game.of().state.core.rounds, game.table.conflict.round if game.table.conflict else 0) == (2, 2)

    # Round 2. The sides pass their Turns, the engineers fail; 2 Challenge Dice show an Effect.
    for who in (game.okafor, game.ember, game.lindqvist, game.ember, game.ember):
        turn(game, who)
        if who == game.okafor:
            game.act("eject_core", game.okafor)
            game.throw(20, 20)
            game.finish()
        over(game)
    game.do(NextRound())
    game.throw(1)
    game.throw_challenge(1, EFFECT)
    assert game.of().state.destroyed
    assert {game.card(one).body.injury for one in (game.okafor, game.lindqvist)} == {InjuryState.DEAD}
    game.do(NameShipsHit(ship_ids=(game.ember,)))
    game.throw_challenge(2, 2, 2, 2, 1, 1, EFFECT)
    # 7 dice: 11, less 3 Resistance pierced by 2, so 10 on Shields of 7: two Breaches, damaged, a Turn and 2 Power
    state = game.of(game.ember).state
    assert (state.shields, state.unplaced_breaches, state.condition) == (0, 2, Condition.DAMAGED)
    assert (state.turns_lost, state.power) == (0, 7)
    assert game.is_settled()
    # the Round begins after all that, and in it she has one Turn less
    conflict = game.table.conflict
    ember = conflict.combatant(game.ember) if conflict is not None else None
    assert ember is not None
    assert (ember.turns, ember.turns_taken) == (3, 1)
    assert replayed(game) == game.table
    # every decision of the duel can be taken back, one by one, and made again
    ended, many = game.table, len(game.decisions)
    for _ in range(many):
        game.do(Undo())
    assert game.table == Table()
    for _ in range(many):
        game.do(Redo())
    assert game.table == ended
