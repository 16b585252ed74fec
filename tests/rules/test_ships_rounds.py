"""What Rounds bring to first-edition ships: Persistent damage, dead Engines, a failing core and what averts it."""

from __future__ import annotations

from dataclasses import replace

from rules.conflict.lasting import EffectBegan, effects_named
from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.dice import DieKind, Symbol
from rules.legal.offers import options
from rules.ships.cards import RemoveShip, SaveShip
from rules.ships.first.rounds import NameShipsHit
from rules.state.conflict import LastingEffect
from rules.state.options import TableOptions
from rules.state.vocabulary import Condition, ConflictKind, EffectEnd, InjuryState, StepKind, System
from rules.undo import Redo, Undo
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
    assert [one.name for one in game.table.traits] == ["Trouble with the sensors of Far Lantern"]


def test_the_countdown_grows_until_an_effect() -> None:
    """WCB-1, BRCH-5, CD-4: 1, 2, 3 Challenge Dice; an Effect destroys the ship and hits all in Close range."""
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
    game.do(NameShipsHit(ship_ids=(game.raider,)))
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
    game.do(NameShipsHit())
    game.throw_challenge(2, 2, 2, 2, 1, 1, 1)
    game.throw(8)
    assert (game.of().state.shields, game.of().state.core.exploded) == (5, True)
    game.round_ends()
    assert game.table.request is not None
    assert game.table.request.why == "where Far Lantern has trouble"


def test_all_aboard_are_killed_with_the_ship() -> None:
    """WCB-1: the table knows of those who have Turns aboard; who ejected the core lives on."""
    for ejected, fate in ((False, InjuryState.DEAD), (True, InjuryState.NONE)):
        game = failing()
        entrants = (
            Entrant(combatant_id=game.okafor, ship_id=game.ship, station="internal"),
            Entrant(combatant_id=game.ember),
        )
        game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=game.okafor))
        game.state(game.ship, core=replace(game.of().state.core, ejected=ejected))
        game.round_ends()
        game.throw(1)
        game.throw_challenge(EFFECT)
        assert game.card(game.okafor).body.injury is fate
        assert game.card(game.lindqvist).body.injury is InjuryState.NONE
        assert ("Okafor is dead" in game.last_said.terse) is not ejected
        game.do(NameShipsHit())
        while game.table.request is not None:
            if game.table.request.kind is DieKind.D20:
                game.throw(2)
            else:
                game.throw_challenge(*(BLANK,) * game.table.request.count)
        if not ejected:
            game.refused(BeginTurn(combatant_id=game.okafor), "DMG-6")
        assert game.is_settled()


def test_a_ship_that_leaves_takes_with_it_what_lasts_for_it() -> None:
    """SWPN-3, WCB-2: a Round can still end, and no Extended Task is left about a core that is gone."""
    game = Squadron(special=weapon(("Persistent", 5)))
    game.strikes(1, BLANK, EFFECT, EFFECT)
    game.finish()
    game.do(RemoveShip(ship_id=game.raider))
    assert game.table.effects == ()
    game.round_ends()
    assert game.is_settled()
    second = failing()
    second.act("stabilise_core")
    second.throw(1, 1)
    second.finish()
    second.throw_challenge(1, 1, 1, 1, 1, 1)
    assert len(second.table.extended) == 1
    second.do(RemoveShip(ship_id=second.ship))
    without = second.table
    assert without.extended == ()
    second.do(Undo())
    assert len(second.table.extended) == 1
    second.do(Redo())
    assert second.table == without


def test_what_burns_may_let_the_core_fail_in_the_same_round() -> None:
    """WCB-1, SWPN-3, C-35: one Challenge Die in the Round that containment fails, whatever made it fail."""
    game = Squadron(options=TableOptions(persistent_is_dice=True))
    game.breached(System.ENGINES, 4)
    game.state(game.ship, shields=0, power=9)
    game.record(
        EffectBegan(
            effect=LastingEffect(
                effect_id="effect-burning", name="persistent_damage", owner_id=game.ship, target_id=game.ship,
                amount=3, rounds_left=1, role=System.ENGINES, ends=EffectEnd.USED,
            ),
            next_number=game.table.next_number,
        )
    )  # fmt: skip
    game.round_ends()
    game.throw_challenge(2, 2, 1)
    assert game.of().state.core.rounds == 1
    assert game.table.request is not None
    assert game.table.request.why == "the warp core of Far Lantern"
    game.throw_challenge(1)
    assert (game.of().state.core.rounds, game.is_settled()) == (2, True)


def test_any_of_the_ships_near_by_may_be_named() -> None:
    """WCB-1: with three near by, two of them as well as one or all."""
    game = failing()
    game.do(SaveShip(name="Cinder", scale=2, systems=game.of().systems, departments=game.of().departments))
    game.round_ends()
    game.throw(1)
    game.throw_challenge(EFFECT)
    offered = [one.command for one in options(game.table)]
    named = {one.ship_ids for one in offered if isinstance(one, NameShipsHit)}
    assert sorted(len(one) for one in named) == [0, 1, 1, 1, 2, 2, 2, 3]


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
