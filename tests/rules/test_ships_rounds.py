"""What Rounds bring to first-edition ships: Persistent damage, dead Engines, a failing core and what averts it."""

from __future__ import annotations

from rules import commands_ships as ch
from rules.deciding.lasting import effects_named
from rules.dice import Symbol
from rules.options import options
from rules.state_options import TableOptions
from rules.vocabulary import Condition, StepKind, System
from tests.rules.fleet2e import replayed
from tests.rules.squadron import Squadron, weapon

EFFECT, BLANK = Symbol.EFFECT, Symbol.BLANK


def failing(momentum: int = 0) -> Squadron:
    """Far Lantern's Engines are destroyed: 5 Breaches at Scale 4."""
    game = Squadron(momentum=momentum)
    game.breached(System.ENGINES, 5)
    game.throw(1)
    assert game.of().state.core.rounds == 1
    return game


def test_persistent_damage_comes_each_round() -> None:
    """SWPN-3, C-35: X, for as many Rounds as Effects, against the ship's Resistance."""
    game = Squadron(special=weapon(("Persistent", 5)))
    game.strikes(1, BLANK, EFFECT, EFFECT)
    assert game.of(game.raider).state.shields == 12
    game.finish()
    game.round_ends()
    assert game.of(game.raider).state.shields == 10
    game.round_ends()
    assert game.of(game.raider).state.shields == 8
    assert effects_named(game.table, "persistent_damage") == ()
    game.round_ends()
    assert game.of(game.raider).state.shields == 8


def test_two_hits_burn_on_side_by_side() -> None:
    """SWPN-3: each for its own Rounds."""
    game = Squadron(special=weapon(("Persistent", 4)))
    game.strikes(1, BLANK, EFFECT, EFFECT)
    game.finish()
    game.strikes(1, BLANK, BLANK, EFFECT)
    game.finish()
    game.round_ends()
    assert game.of(game.raider).state.shields == 10
    game.round_ends()
    assert game.of(game.raider).state.shields == 9
    assert effects_named(game.table, "persistent_damage") == ()


def test_persistent_damage_may_be_dice() -> None:
    """C-35, SWPN-3."""
    options_ = TableOptions(npc_ship_shortcut=False, persistent_is_dice=True)
    game = Squadron(special=weapon(("Persistent", 3)), options=options_)
    game.strikes(1, BLANK, BLANK, EFFECT)
    game.finish()
    game.round_ends()
    game.throw_challenge(2, 2, EFFECT)
    assert game.of(game.raider).state.shields == 10


def test_disabled_engines_drain_power() -> None:
    """BRCH-4, C-74: 1 each Round; what is not there any more brings a Complication (SHIP-5)."""
    game = Squadron()
    game.breached(System.ENGINES, 4)
    assert game.of().state.power == 1
    game.round_ends()
    assert (game.of().state.power, game.waits_for_dice()) == (0, False)
    game.round_ends()
    game.throw(8)
    assert [one.name for one in game.table.traits] == ["Far Lantern: trouble with the sensors"]


def test_the_countdown_grows_until_an_effect() -> None:
    """WCB-1, BRCH-5: 1, 2, 3 Challenge Dice; an Effect destroys the ship and hits all in Close range."""
    game = failing()
    for faces in ((1,), (2, BLANK)):
        game.round_ends()
        game.throw(1)
        assert game.table.request is not None
        assert game.table.request.count == len(faces)
        game.throw_challenge(*faces)
        assert not game.of().state.destroyed
    game.round_ends()
    game.throw(1)
    game.throw_challenge(1, 1, EFFECT)
    assert game.of().state.destroyed
    assert "is lost with all aboard" in game.last_said.terse
    assert game.table.agenda[0].kind is StepKind.SHIP_TARGETS
    assert {"name_ships_hit:none", "name_ships_hit:all"} <= {one.option_id for one in options(game.table)}
    game.do(ch.NameShipsHit(ship_ids=(game.raider,)))
    assert game.table.request is not None
    assert game.table.request.count == 7
    game.throw_challenge(2, 2, 2, 2, 1, 1, EFFECT)
    game.throw(12)
    # 11 less 3 Resistance pierced by 2: 10 damage, a Breach
    state = game.of(game.raider).state
    assert (state.shields, state.damage_of(System.STRUCTURE).breaches) == (2, 1)
    assert game.is_settled()
    assert replayed(game) == game.table


def test_an_ejected_core_spares_the_ship_but_hits_it() -> None:
    """WCB-3: Daring + Engineering D2; then everyone in Close range, the own ship too."""
    game = failing()
    game.act("eject_core")
    assert (game.task.difficulty, game.task.target_number) == (2, 13)
    game.throw(1, 1)
    game.finish()
    game.refused(game.acting("eject_core"), "WCB-3")
    game.round_ends()
    game.throw(1)
    game.throw_challenge(EFFECT)
    assert not game.of().state.destroyed
    game.do(ch.NameShipsHit())
    game.throw_challenge(2, 2, 2, 2, 1, 1, 1)
    game.throw(8)
    assert (game.of().state.shields, game.of().state.core.exploded) == (5, True)
    game.round_ends()
    assert game.table.request is not None
    assert game.table.request.why.startswith("the system of Far Lantern that has")


def test_stabilising_is_an_extended_task() -> None:
    """WCB-2, EXT-T1: Work 8, Magnitude 3, Resistance 2, base D3; 2 Challenge Dice and the discipline's."""
    game = failing()
    game.act("stabilise_core")
    assert game.task.difficulty == 3
    game.throw(1, 1)
    game.finish()
    track = game.table.extended[0]
    assert (track.work, track.magnitude, track.resistance) == (8, 3, 2)
    assert game.table.request is not None
    assert game.table.request.count == 6
    game.throw_challenge(2, 2, 2, 2, 2, 2)
    assert game.table.extended[0].breakthroughs == 2
    game.act("stabilise_core")
    assert game.task.difficulty == 1
    game.throw(1, 1)
    game.finish()
    game.throw_challenge(2, 2, 2, 2, 2, 2)
    assert (game.of().state.core.stable, game.table.extended) == (True, ())
    game.refused(game.acting("stabilise_core"), "WCB-2")
    game.round_ends()
    game.throw(1)
    assert game.is_settled()


def test_a_sound_core_needs_nothing() -> None:
    """WCB-2, WCB-3."""
    game = Squadron()
    game.refused(game.acting("stabilise_core"), "WCB-2")
    game.refused(game.acting("eject_core"), "WCB-2")


def test_the_systems_of_each_scale() -> None:
    """BRCH-1: damaged at half the Scale rounded up, disabled at the Scale, destroyed beyond it."""
    game = Squadron()
    found = []
    for _ in range(5):
        game.breached(System.COMPUTERS, 1)
        found.append(game.of().state.damage_of(System.COMPUTERS).condition)
    assert found == [
        Condition.OPERATIONAL,
        Condition.DAMAGED,
        Condition.DAMAGED,
        Condition.DISABLED,
        Condition.DESTROYED,
    ]
