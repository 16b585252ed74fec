"""Who may act for which ship, and who may take part: the crew aboard, at a station that there is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.conflict.budget import TakeMinorAction
from rules.conflict.events import BodyChanged
from rules.conflict.rounds import AddCombatant, BeginTurn, EndTurn, Entrant, StartConflict
from rules.ships.cards import SaveShip
from rules.state.conflict import Action
from rules.state.ships import SystemDamage
from rules.state.tasks import ShipAssistance
from rules.state.vocabulary import ActionScope, ConflictKind, Discipline, InjuryState, Ruleset, System
from rules.tasks.declaring import DeclareTask
from rules.undo import Undo
from tests.rules.fleet2e import PHASERS, Fleet
from tests.rules.tabletop import disciplines, systems


def fight(ruleset: Ruleset = Ruleset.SECOND_EDITION) -> Fleet:
    game = Fleet(ruleset=ruleset)
    game.do(
        StartConflict(
            kind=ConflictKind.STARSHIP,
            combatants=(
                Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
                Entrant(combatant_id=game.raider),
            ),
            begins=game.okafor,
        )
    )
    game.do(BeginTurn(combatant_id=game.okafor))
    return game


def launch(game: Fleet) -> str:
    """A shuttle that takes no part yet."""
    game.do(SaveShip(name="Small Hope", scale=1, systems=systems(), departments=disciplines(), weapons=(PHASERS,)))
    return game.table.ships[-1].ship_id


@pytest.mark.parametrize(("ruleset", "name"), [(Ruleset.CORE_1E, "fire_weapon"), (Ruleset.SECOND_EDITION, "fire")])
def test_nobody_fires_the_weapons_of_a_ship_with_another_crew(ruleset: Ruleset, name: str) -> None:
    """ASST-3, SATK-1."""
    game = fight(ruleset)
    shot = Action(name=name, scope=ActionScope.BRIDGE, ship_id=game.raider, target_id=game.ship, weapon="Phasers")
    said = game.refused(game.declaration(game.okafor, action=shot), "ASST-3")
    assert "Black Comet is worked by a crew of its own" in said


def test_a_ship_that_takes_no_part_does_nothing_in_a_fight() -> None:
    """SATK-1, ASST-3."""
    game = fight(Ruleset.CORE_1E)
    elsewhere = launch(game)
    shot = Action(
        name="fire_weapon", scope=ActionScope.BRIDGE, ship_id=elsewhere, target_id=game.raider, weapon="Phasers"
    )
    assert "Okafor serves on Far Lantern" in game.refused(game.declaration(game.okafor, action=shot), "ASST-3")
    game.do(AddCombatant(combatant=Entrant(combatant_id=game.lindqvist)))
    game.do(EndTurn())
    assert "takes no part" in game.refused(game.declaration(game.lindqvist, action=shot), "SATK-1")


def test_a_station_is_one_that_the_rules_have() -> None:
    """STN-1."""
    game = fight()
    entrant = Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="internal_systems")
    said = game.refused(AddCombatant(combatant=entrant), "STN-1")
    assert "choose command, communications" in said


@pytest.mark.parametrize(("ruleset", "name"), [(Ruleset.CORE_1E, "fire_weapon"), (Ruleset.SECOND_EDITION, "fire")])
def test_who_serves_beside_an_npc_crew_acts_for_that_ship_without_its_focus(ruleset: Ruleset, name: str) -> None:
    """ASST-3, NSHIP-1: the crew is always focused, an officer of the gamemaster's aboard only where it is claimed."""
    game = fight(ruleset)
    game.do(AddCombatant(combatant=Entrant(combatant_id=game.brack, ship_id=game.raider, station="tactical")))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.brack))
    for named in ("", game.raider):
        shot = Action(name=name, scope=ActionScope.BRIDGE, ship_id=named, target_id=game.ship, weapon="Phasers")
        game.do(game.declaration(game.brack, action=shot))
        assert game.table.task is not None
        assert not game.table.task.declaration.focus
        assert game.table.task.declaration.action == replace(shot, ship_id=game.raider)
        game.do(Undo())
    game.do(game.declaration(game.brack, action=shot))
    game.throw(1, 1)
    game.throw(1)
    game.follow()
    assert game.table.attack is not None
    assert game.table.attack.attacker_id == game.raider


def test_who_is_aboard_no_ship_in_particular_acts_for_the_one_that_takes_part() -> None:
    """ASST-3."""
    game = fight()
    wreck = launch(game)
    game.state(wreck, destroyed=True)
    game.do(AddCombatant(combatant=Entrant(combatant_id=game.lindqvist)))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.raider))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.lindqvist))
    shot = Action(name="fire", scope=ActionScope.BRIDGE, target_id=game.raider, weapon="Phasers")
    game.do(game.declaration(game.lindqvist, action=shot))
    assert game.table.task is not None
    assert game.table.task.declaration.action == replace(shot, ship_id=game.ship)


@pytest.mark.parametrize(("ruleset", "rule"), [(Ruleset.CORE_1E, "BRCH-5"), (Ruleset.SECOND_EDITION, "S2E-15")])
def test_a_wreck_begins_no_conflict(ruleset: Ruleset, rule: str) -> None:
    game = Fleet(ruleset=ruleset)
    game.state(game.raider, destroyed=True)
    fight_it = StartConflict(
        kind=ConflictKind.STARSHIP,
        combatants=(Entrant(combatant_id=game.okafor), Entrant(combatant_id=game.raider)),
    )
    assert "Black Comet is destroyed" in game.refused(fight_it, rule)


def test_neither_a_wreck_nor_the_dead_take_part() -> None:
    """S2E-15, DMG-6."""
    game = fight()
    wreck = launch(game)
    game.state(wreck, destroyed=True)
    aboard = Entrant(combatant_id=game.lindqvist, ship_id=wreck)
    assert "Small Hope is destroyed" in game.refused(AddCombatant(combatant=aboard), "S2E-15")
    body = replace(game.card(game.lindqvist).body, injury=InjuryState.DEAD)
    game.record(BodyChanged(character_id=game.lindqvist, name="Lindqvist", body=body, why="the test"))
    dead = Entrant(combatant_id=game.lindqvist, ship_id=game.ship)
    assert "is dead and takes no part" in game.refused(AddCombatant(combatant=dead), "DMG-6")


@pytest.mark.parametrize("ruleset", [Ruleset.CORE_1E, Ruleset.SECOND_EDITION])
def test_on_a_wreck_nothing_is_prepared_or_restored(ruleset: Ruleset) -> None:
    """BRCH-5, S2E-15; aboard a critically damaged ship a system may still be restored."""
    game = fight(ruleset)
    out = SystemDamage(system=System.SENSORS, breaches=1, impact=True)
    rule = "S2E-15" if ruleset is Ruleset.SECOND_EDITION else "BRCH-5"
    game.state(game.ship, systems=(out,), destroyed=True)
    for action in (
        Action(name="prepare", scope=ActionScope.BRIDGE, note="the tubes"),
        Action(name="restore", scope=ActionScope.BRIDGE, system=System.SENSORS),
    ):
        game.refused(TakeMinorAction(character_id=game.okafor, action=action), rule)
    game.state(game.ship, systems=(out,), destroyed=False, critical=ruleset is Ruleset.SECOND_EDITION)
    game.do(TakeMinorAction(character_id=game.okafor, action=action))
    assert not game.of().state.damage_of(System.SENSORS).impact


def test_a_ship_helps_those_who_work_it() -> None:
    """ASST-3: neither the other side's ship nor one that takes no part helps in a fight of ships."""
    game = fight()
    elsewhere = launch(game)

    def helped_by(ship_id: str) -> DeclareTask:
        tool = ShipAssistance(ship_id=ship_id, system=System.SENSORS, department=Discipline.SCIENCE)
        return game.declaration(game.okafor, ship=tool, action=Action(name="other"))

    for ship_id in (game.raider, elsewhere):
        game.refused(helped_by(ship_id), "ASST-3")
    game.do(helped_by(game.ship))


def test_nobody_of_the_other_side_acts_for_a_ship_without_being_aboard() -> None:
    """ASST-3, SATK-1."""
    game = fight()
    game.do(AddCombatant(combatant=Entrant(combatant_id=game.brack)))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.brack))
    for named in ("", game.ship):
        shot = Action(name="fire", scope=ActionScope.BRIDGE, ship_id=named, target_id=game.raider, weapon="Phasers")
        game.refused(game.declaration(game.brack, action=shot), "SATK-1" if named else "S2E-1")
