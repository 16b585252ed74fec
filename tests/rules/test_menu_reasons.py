"""The reason why an action is not possible is what stands against it, not what the first target was refused for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.conflict.rounds import BeginTurn, EndConflict, EndTurn, Entrant, StartConflict
from rules.conflict.zones import DrawMap, PlaceAt
from rules.deciding.checks import profile
from rules.legal.menu import MenuEntry, menu
from rules.rulesets.weapons import weapons_of
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
from tests.rules.fleet2e import TORPEDOES, Fleet
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


def shut(game: Game, who: str, name: str, field: str) -> dict[str, str]:
    """What is not open for a field of a possible action, each with its reason."""
    entry = of(game, who, name, ActionScope.BRIDGE)
    assert entry.possible, entry.why_not
    return {one.label: one.why_not for choice in entry.choices if choice.name == field for one in choice.refused}


def sailing(game: Fleet) -> None:
    """The players' ship in the first of four zones in a line, Okafor at the helm and at the move."""
    game.do(EndConflict())
    entrants = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="sensors"),
        Entrant(combatant_id=game.raider),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=game.okafor))
    game.do(DrawMap(zones=("Orbit", "Ring", "Nebula", "Gate")))
    assert game.table.zone_map is not None
    game.do(PlaceAt(who_ids=(game.ship,), zone_id=game.table.zone_map.zones[0].zone_id))
    game.do(BeginTurn(combatant_id=game.okafor))


def test_a_zone_that_is_too_far_or_too_near_says_so() -> None:
    """STN-11 to STN-13, S2E-H1: each zone that an action cannot lead to, by what stands against it."""
    game = duel(Ruleset.CORE_1E)
    sailing(game)
    far = "That goes {most} at most; move less, or choose another action."
    assert shut(game, game.okafor, "impulse", "zone_id") == {"Gate, 3 zones away": far.format(most="2 zones")}
    assert shut(game, game.okafor, "maneuver", "zone_id") == {
        "Nebula, 2 zones away": far.format(most="1 zone"),
        "Gate, 3 zones away": far.format(most="1 zone"),
    }
    assert set(shut(game, game.okafor, "warp", "zone_id")) == {"Orbit, here", "Ring, 1 zone away"}
    game = duel(Ruleset.SECOND_EDITION)
    sailing(game)
    assert set(shut(game, game.okafor, "impulse", "zone_id")) == {"Orbit, here", "Gate, 3 zones away"}


def test_a_torpedo_without_threat_and_a_seat_that_is_taken_say_so() -> None:
    """THR-4, S2E-22: the other weapons and seats stay."""
    game = duel(Ruleset.SECOND_EDITION)
    departments = replace(game.of().departments, science=2)
    game.put(replace(game.of(), departments=departments))
    game.put(replace(game.of(game.raider), weapons=(PHASERS, TORPEDOES)))
    sailing(game)
    taken = shut(game, game.okafor, "change_position", "note")
    assert taken.pop("Helm").startswith("That is where they are already")
    assert list(taken) == ["Sensors"]
    assert "where Lindqvist sits" in taken["Sensors"]
    game.do(EndTurn())
    game.do(AdjustPool(pool=Pool.THREAT, change=-game.table.threat))
    game.do(BeginTurn(combatant_id=game.raider))
    (reason,) = shut(game, game.raider, "fire", "weapon").values()
    assert "costs an NPC 1 Threat" in reason


def test_a_weapon_is_offered_with_the_dice_that_are_thrown_for_it() -> None:
    """DMG-1: its rating and one's Security."""
    game = Skirmish(Ruleset.CORE_1E, begins="okafor")
    game.begin(game.okafor)
    weapons = next(one for one in of(game, game.okafor, "attack").choices if one.name == "weapon")
    offered = {one.id: one.label for one in weapons.values}
    rating = next(one.rating for one in weapons_of(profile(game.table)) if one.name == "unarmed")
    security = game.card(game.okafor).disciplines.security
    assert security > 0
    assert offered["unarmed"] == f"Unarmed, {rating + security} dice"
