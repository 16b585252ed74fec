"""The reason why an action is not possible is what stands against it, not what the first target was refused for."""

from __future__ import annotations

import pytest

from rules.conflict.rounds import BeginTurn, EndConflict, Entrant, StartConflict
from rules.legal.menu import MenuEntry, menu
from rules.state.ships import ShipWeapon, SystemDamage
from rules.state.vocabulary import (
    ActionScope,
    Condition,
    ConflictKind,
    InjuryState,
    Pool,
    Ruleset,
    ShipWeaponKind,
    Standing,
    System,
)
from rules.tasks.pools import AdjustPool
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game


def of(game: Game, who: str, name: str, scope: ActionScope = ActionScope.PERSONAL) -> MenuEntry:
    return next(one for one in menu(game.table, who) if one.name == name and one.scope is scope)


def why(game: Game, who: str, name: str, scope: ActionScope = ActionScope.PERSONAL) -> str:
    entry = of(game, who, name, scope)
    assert not entry.possible, entry
    return entry.why_not


@pytest.mark.parametrize("ruleset", Ruleset)
def test_what_stands_against_everything_comes_first(ruleset: Ruleset) -> None:
    """TURN-1, TURN-5, DMG-6: not that nobody is in Reach, hurt or there."""
    game = Skirmish(ruleset, begins="okafor")
    for name in ("attack", "first_aid", "guard", "assist", "extended", "movement", "hide_weapon"):
        assert why(game, game.okafor, name) == "Begin the Turn of Okafor first.", name
    game.begin(game.okafor)
    for name in ("attack", "first_aid", "extended", "movement"):
        assert why(game, game.brack, name) == "It is the Turn of Okafor; Brack acts in a Turn of their own."
    game.act(game.okafor, "ready", note="when they come")
    for name in ("attack", "first_aid", "assist", "extended"):
        assert "The Task of this Turn is taken" in why(game, game.okafor, name), name
    game.injure(game.brack, InjuryState.LETHAL)
    for name in ("attack", "first_aid", "aim"):
        assert "Brack cannot act" in why(game, game.brack, name)


@pytest.mark.parametrize("ruleset", Ruleset)
def test_nobody_there_is_said_as_it_is(ruleset: Ruleset) -> None:
    """ACT-7, ASST-4, EXT-T1, QUAL-6: not that the first of the others is unhurt, or on the other side."""
    game = Skirmish(ruleset, begins="okafor")
    game.begin(game.okafor)
    assert why(game, game.okafor, "first_aid") == "Nobody has an Injury that could be treated."
    assert why(game, game.okafor, "extended") == "No Extended Task is under way; begin one first."
    assert why(game, game.okafor, "hide_weapon") == "They carry nothing that can be hidden."
    game.injure(game.lindqvist)
    assert of(game, game.okafor, "first_aid").possible
    assert why(game, game.okafor, "assist") == "No ally is there who can act."
    assert of(game, game.okafor, "guard").possible, "oneself"
    game.do(EndConflict())
    game.change_body(game.lindqvist, injury=InjuryState.DEAD)
    assert why(game, game.okafor, "treatment") == "Nobody has an Injury that could be treated."


@pytest.mark.parametrize("ruleset", Ruleset)
def test_an_attack_says_what_keeps_from_the_foes_who_can_act(ruleset: Ruleset) -> None:
    """ATK-1: neither that the first foe is dead, nor anything of an ally."""
    game = Skirmish(ruleset, begins="okafor")
    game.begin(game.okafor)
    game.change_body(game.brack, injury=InjuryState.DEAD)
    assert why(game, game.okafor, "attack").startswith("Dorr is not in Reach")
    game.change_body(game.dorr, injury=InjuryState.DEAD)
    assert why(game, game.okafor, "attack").startswith("Lindqvist is not in Reach")
    game.change_body(game.lindqvist, injury=InjuryState.DEAD)
    assert why(game, game.okafor, "attack") == "Nobody else is there to be attacked."


def test_the_choice_that_came_farthest_says_what_is_missing() -> None:
    """C-82, TURN-5: one ally took every Task; that the other cannot be directed is for want of Threat."""
    game = Skirmish(Ruleset.SECOND_EDITION, begins="brack")
    torval = game.enter("Torval", standing=Standing.NOTABLE_NPC)
    game.do(AdjustPool(pool=Pool.THREAT, change=-game.table.threat))
    game.begin(game.brack)
    game.record_tasks(game.dorr, 2)
    assert "Threat" in why(game, game.brack, "direct")
    game.record_tasks(torval, 2)
    assert "took every Task of this Round" in why(game, game.brack, "direct")


PHASERS = ShipWeapon(name="Phasers", kind=ShipWeaponKind.ENERGY, rating=4)


def duel(ruleset: Ruleset) -> Fleet:
    game = Fleet() if ruleset is Ruleset.SECOND_EDITION else Squadron(ruleset=ruleset)
    entrants = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.raider),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=game.okafor))
    return game


@pytest.mark.parametrize("ruleset", Ruleset)
def test_at_a_station(ruleset: Ruleset) -> None:
    """STN, S2E: the Turn first, then what there is to be aimed at, then what the choices are refused for."""
    game, bridge = duel(ruleset), ActionScope.BRIDGE
    fire = "fire" if ruleset is Ruleset.SECOND_EDITION else "fire_weapon"
    names = (fire, "damage_control", "restore", "assist", "direct", "change_position")
    for name in names:
        assert why(game, game.okafor, name, bridge) == "Begin the Turn of Okafor first.", name
    game.do(BeginTurn(combatant_id=game.okafor))
    assert why(game, game.okafor, "restore", bridge) == "No system is out; nothing is there to restore."
    damaged = "No system has a Breach to be mended."
    if ruleset is not Ruleset.SECOND_EDITION:
        damaged = "Every system works; nothing is there to repair."
        assert why(game, game.okafor, "respond_to_hail", bridge).startswith("Nobody has hailed")
        assert why(game, game.okafor, "clear_complication", bridge) == "No Complication is there to be cleared."
    assert why(game, game.okafor, "damage_control", bridge) == damaged
    for one in game.table.ships:
        if one.ship_id != game.ship:
            game.state(one.ship_id, destroyed=True)
    assert why(game, game.okafor, fire, bridge) == "No other ship is there that it could be aimed at."


def test_what_is_out_only_is_restored_and_not_repaired() -> None:
    """REP-1, BRCH-2: the one system that something is wrong with is spoken of, none of those that work."""
    game = duel(Ruleset.CORE_1E)
    game.do(BeginTurn(combatant_id=game.okafor))
    out = SystemDamage(system=System.SENSORS, breaches=1, impact=True)
    game.state(game.ship, systems=game.of().state.systems_with(out))
    said = why(game, game.okafor, "damage_control", ActionScope.BRIDGE)
    assert "sensors are out only until restored" in said
    assert of(game, game.okafor, "restore", ActionScope.BRIDGE).possible
    gone = SystemDamage(system=System.SENSORS, breaches=5, condition=Condition.DESTROYED)
    game.state(game.ship, systems=game.of().state.systems_with(gone))
    assert "destroyed" in why(game, game.okafor, "damage_control", ActionScope.BRIDGE)
