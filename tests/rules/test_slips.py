"""Slips at the table: each is refused with what there is, or told, and none passes in silence."""

from __future__ import annotations

from rules.conflict.budget import TakeMinorAction
from rules.conflict.rounds import AddCombatant, BeginTurn, Entrant, SetReach, StartConflict
from rules.conflict.zones import DrawMap, PlaceAt
from rules.legal.menu import MenuEntry, menu
from rules.legal.turns import movements
from rules.setup.setting_up import RemovePlayer
from rules.state.conflict import Action
from rules.state.ships import SystemDamage
from rules.state.vocabulary import ActionScope, Condition, ConflictKind, Spend, Standing, System
from rules.tasks.settling import MakeSpend
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game


def entry(game: Game, who: str, name: str) -> MenuEntry:
    return next(one for one in menu(game.table, who) if one.name == name)


# --- who there is -------------------------------------------------------------------------------------------


def test_who_is_not_there_is_refused_with_those_who_are() -> None:
    """TURN-1, TURN-2, RNG-1."""
    game = Skirmish()
    for command in (
        SetReach(first_id=game.okafor, second_id="nobody"),
        BeginTurn(combatant_id="nobody"),
    ):
        said = game.refused(command, "TURN-1")
        assert said == (
            "They take no part in this conflict; choose Okafor, Lindqvist, Brack or Dorr, or let them join first."
        )
    peace = Game()
    fight = StartConflict(
        kind=ConflictKind.PERSONAL, combatants=(Entrant(combatant_id=peace.okafor),), begins=peace.brack
    )
    assert peace.refused(fight, "TURN-2") == "Who begins has to take part; choose Okafor."
    assert peace.refused(RemovePlayer(player_id="x"), "SETUP") == (
        "That player is not at this table; choose Ann or Bob."
    )
    for player in peace.table.players:
        peace.do(RemovePlayer(player_id=player.player_id))
    assert peace.refused(RemovePlayer(player_id="x"), "SETUP") == "That player is not at this table; add one first."


# --- what is said -------------------------------------------------------------------------------------------


def test_disarm_names_the_weapon_in_hand_or_none() -> None:
    """MOM-2."""
    game = Brawl(momentum=2)
    game.save(game.brack, "Brack", standing=Standing.NOTABLE_NPC, weapons=("blade", "knife"))
    game.shoot(3, 3, 3, 3, 3, 3)
    said = game.refused(MakeSpend(spend=Spend.DISARM, note="Knife/Dagger"), "MOM-2")
    assert said == "Brack holds Blade; name that, or leave the weapon out."
    game.do(MakeSpend(spend=Spend.DISARM, note="blade"))
    assert game.body(game.brack).disarmed == ("blade",)


def test_what_is_said_of_a_minor_action_is_told() -> None:
    """ACT-3: of those that make nothing of words themselves."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.minor(game.okafor, "prepare", note="Counts to three")
    assert game.last_said.normal.count("Counts to three.") == 1
    fleet = Fleet()
    aboard = (Entrant(combatant_id=fleet.okafor, ship_id=fleet.ship), Entrant(combatant_id=fleet.raider))
    fleet.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=aboard, begins=fleet.okafor))
    fleet.do(BeginTurn(combatant_id=fleet.okafor))
    for name, note in (("calibrate_weapons", "The aft array"), ("prepare", "Going to warp")):
        action = Action(name=name, scope=ActionScope.BRIDGE, note=note)
        fleet.do(TakeMinorAction(character_id=fleet.okafor, action=action, threat_part=name == "prepare"))
        assert fleet.last_said.full.count(note) == 1


# --- where somebody goes ------------------------------------------------------------------------------------


def test_movement_goes_one_zone_without_a_map_too() -> None:
    """ACT-3."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    walk = TakeMinorAction(character_id=game.okafor, action=Action(name="movement", zones=2))
    assert game.refused(walk, "ACT-3") == "Movement goes one zone; choose a nearer one, or Sprint."
    game.minor(game.okafor, "movement", zones=1)


def test_a_zone_without_a_name_is_refused() -> None:
    """RNG-1: it is no place to leave a zone out of the line."""
    game = Game()
    game.refused(DrawMap(zones=("Bridge", " ", "Hold")), "SETUP")


def test_nobody_comes_into_somebodys_reach_where_ships_fight() -> None:
    """RNG-1."""
    game = Fleet()
    aboard = tuple(Entrant(combatant_id=one, ship_id=game.ship) for one in (game.okafor, game.lindqvist))
    fight = (*aboard, Entrant(combatant_id=game.raider))
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=fight, begins=game.okafor))
    game.do(BeginTurn(combatant_id=game.okafor))
    assert "target_id" not in {one.name for one in entry(game, game.okafor, "movement").choices}
    assert not list(movements(game.table, game.lindqvist))
    walk = TakeMinorAction(character_id=game.okafor, action=Action(name="movement", target_id=game.lindqvist))
    game.refused(walk, "RNG-1")


def test_who_boards_a_ship_of_the_map_is_where_it_is() -> None:
    """RNG-1, SHIP-9: as a fight begins, as somebody joins, and as the ship is put somewhere."""
    for late in (False, True):
        game = Fleet()
        game.do(DrawMap(zones=("Orbit", "Moon")))
        assert game.table.zone_map is not None
        orbit, moon = (one.zone_id for one in game.table.zone_map.zones)
        game.do(PlaceAt(who_ids=(game.okafor, game.lindqvist), zone_id=moon))
        if not late:
            game.do(PlaceAt(who_ids=(game.ship,), zone_id=orbit))
        aboard = Entrant(combatant_id=game.okafor, ship_id=game.ship)
        fight = (aboard, Entrant(combatant_id=game.raider))
        game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=fight))
        if late:
            game.do(PlaceAt(who_ids=(game.ship,), zone_id=orbit))
        assert game.said[-1] is not None
        assert "Okafor is where Far Lantern is." in game.said[-1].full
        game.do(AddCombatant(combatant=Entrant(combatant_id=game.lindqvist, ship_id=game.ship)))
        assert game.table.zone_map is not None
        assert {one.who_id for one in game.table.zone_map.places} == {game.ship}


def test_who_fights_on_foot_aboard_a_ship_of_the_map_has_a_zone_of_their_own() -> None:
    """RNG-1: only where ships fight is who serves on one where that is."""
    game = Fleet()
    game.do(DrawMap(zones=("Hangar", "Bay")))
    assert game.table.zone_map is not None
    hangar, bay = (one.zone_id for one in game.table.zone_map.zones)
    game.do(PlaceAt(who_ids=(game.ship, game.okafor), zone_id=hangar))
    fight = (Entrant(combatant_id=game.okafor, ship_id=game.ship), Entrant(combatant_id=game.brack))
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=fight))
    game.do(PlaceAt(who_ids=(game.okafor,), zone_id=bay))
    assert game.table.zone_map is not None
    assert {one.who_id for one in game.table.zone_map.places} == {game.ship, game.okafor}


# --- aboard -------------------------------------------------------------------------------------------------


def test_the_menu_says_what_a_seat_adds() -> None:
    """S2E-6, C-59, NSHIP-2: Override, and another Task of the same role."""
    for game, who, name in ((Squadron(), "helm", "plot_course"), (Fleet(), "helm", "fire")):
        seats = (
            Entrant(combatant_id=game.okafor, ship_id=game.ship, station=who),
            Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="navigation" if who else ""),
            Entrant(combatant_id=game.raider),
        )
        game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=seats, begins=game.okafor))
        assert entry(game, game.okafor, name).harder == 1
        assert entry(game, game.okafor, "evasive_action").harder == 0
    course = Squadron()
    alone = (Entrant(combatant_id=course.okafor, ship_id=course.ship, station="helm"),)
    course.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=alone, begins=course.okafor))
    course.do(BeginTurn(combatant_id=course.okafor))
    listed = entry(course, course.okafor, "plot_course")
    course.act("plot_course")
    assert listed.difficulty is not None
    assert course.task.difficulty == listed.difficulty + listed.harder == 4


def test_engines_that_are_gone_are_said_to_be_gone() -> None:
    """BRCH-4, BRCH-5, SHIP-7: not that the Power should be managed."""
    game = Squadron()
    gone = SystemDamage(system=System.ENGINES, breaches=5, condition=Condition.DESTROYED)
    game.state(game.ship, systems=(gone,), power=0)
    for name in ("warp", "impulse"):
        said = game.refused(game.acting(name, zones=2), "BRCH-4")
        assert said == "That system is destroyed for good; use another."
    said = game.refused(game.acting("attack_pattern"), "STN-15")
    assert said == "That takes 1 Power, Far Lantern has 0, and its engines give no more; choose what takes less."
