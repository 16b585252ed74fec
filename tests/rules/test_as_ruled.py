"""What a declaration says that the rules have otherwise is refused by name, and never put right in silence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.conflict.budget import TakeMinorAction
from rules.state.conflict import Action
from rules.state.tasks import Declaration
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    Discipline,
    Range,
    RerollReason,
    Ruleset,
    System,
)
from rules.table import PLAYBOOK
from rules.tasks.declaring import DeclareTask
from rules.tasks.second_throws import RerollDice
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game


def armed() -> Brawl:
    """Okafor's Turn, with a phaser and a knife."""
    game = Brawl()
    game.fight(game.okafor)
    return game


def minor(game: Brawl, name: str, weapon: str = "") -> TakeMinorAction:
    return TakeMinorAction(character_id=game.okafor, action=Action(name=name, weapon=weapon))


# --- attribute and discipline -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("attack", {"attribute": Attribute.DARING}, "Attack is thrown with control, not with daring"),
        ("attack", {"discipline": Discipline.CONN}, "Attack is thrown with security, not with conn"),
        ("sprint", {"attribute": Attribute.REASON}, "Sprint is thrown with fitness, not with reason"),
        ("recover", {"discipline": Discipline.MEDICINE}, "Recover is thrown with command, not with medicine"),
    ],
)
def test_what_an_action_is_not_thrown_with_is_refused(name: str, wrong: dict[str, Any], said: str) -> None:
    """TASK-1: it says what the action takes; left out, that is thrown with."""
    game = armed()
    shot = Action(name=name, target_id=game.guard, weapon="phaser_type_2")
    declaration = Declaration(character_id=game.okafor, action=shot if name == "attack" else Action(name=name))
    message = game.refused(DeclareTask(declaration=replace(declaration, **wrong)), "TASK-1")
    assert message == f"{said}; choose that, or leave it out."
    game.do(DeclareTask(declaration=declaration))


def test_of_several_all_are_named() -> None:
    """TASK-1, STN-7."""
    game = Squadron()
    game.state(game.ship, power=3)
    wrong = replace(game.acting("power_management").declaration, attribute=Attribute.REASON)
    said = game.refused(DeclareTask(declaration=wrong), "TASK-1")
    assert said == "Power Management is thrown with daring or control, not with reason; choose that, or leave it out."


# --- fields -------------------------------------------------------------------------------------------------


def test_what_an_action_makes_nothing_of_is_refused() -> None:
    """ACT-4: a target, a weapon or a level that would be passed over in silence."""
    game = Squadron()
    rows: tuple[tuple[dict[str, Any], str], ...] = (
        ({"target_id": game.raider}, "Rally takes no target; leave it out."),
        ({"target_id": "nobody"}, "Rally takes no target; leave it out."),
        ({"weapon": "Phasers"}, "Rally takes no weapon; leave it out."),
        ({"level": 0}, "Rally takes no level; leave it out."),
        ({"system": System.ENGINES}, "Rally takes no system; leave it out."),
        ({"at_range": Range.CLOSE}, "Rally takes no distance; leave it out."),
        ({"threat_part": 2}, "Rally takes no Threat; leave it out."),
    )
    for changes, said in rows:
        action = Action(name="rally", scope=ActionScope.BRIDGE, **changes)
        assert game.refused(DeclareTask(declaration=Declaration(character_id=game.okafor, action=action)), "STN-2") == (
            said
        )
    game.act("rally", note="To the last")


def test_a_minor_action_takes_no_more_than_it_needs() -> None:
    """ACT-3."""
    game = armed()
    assert game.refused(minor(game, "aim", weapon="knife"), "ACT-3") == "Aim takes no weapon; leave it out."
    game.do(minor(game, "aim"))


@pytest.mark.parametrize("ruleset", Ruleset)
def test_every_field_that_a_menu_asks_for_is_taken(ruleset: Ruleset) -> None:
    """No row refuses what its own form sends."""
    for row in PLAYBOOK.actions:
        if ruleset in row.rulesets:
            assert all(row.takes(one) for one in (*row.needs, *(each.name for each in row.fields)))
            assert not set(row.unasked) & {*row.needs, *(each.name for each in row.fields)}, row.name


# --- re-rolls -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("claimed", [RerollReason.AIM, RerollReason.ACCURATE_AIM, RerollReason.SHIP_SYSTEM])
def test_a_reroll_is_not_had_by_saying_so(claimed: RerollReason) -> None:
    """TASK-12, ACT-3, QUAL-1: in a fight the table knows who aimed, and with what."""
    game = armed()
    shot = Declaration(
        character_id=game.okafor,
        action=Action(name="attack", target_id=game.guard, weapon="phaser_type_2"),
        rerolls=(claimed,),
    )
    game.refused(DeclareTask(declaration=shot), "TASK-12")
    other = replace(shot, action=Action(name="other"), attribute=Attribute.DARING, discipline=Discipline.CONN)
    game.refused(DeclareTask(declaration=other), "TASK-12")
    game.refused(DeclareTask(declaration=replace(other, action=None)), "TASK-12")


def test_an_aim_gives_what_it_gives() -> None:
    """ACT-3, QUAL-1: claimed or not; no more than that."""
    game = armed()
    game.do(minor(game, "aim"))
    shot = Declaration(
        character_id=game.okafor,
        action=Action(name="attack", target_id=game.guard, weapon="phaser_type_2"),
        rerolls=(RerollReason.AIM,),
    )
    said = game.refused(DeclareTask(declaration=replace(shot, rerolls=(RerollReason.ACCURATE_AIM,))), "TASK-12")
    assert said == "Nobody aimed an Accurate weapon for this Task; take Aim first, or leave that re-roll out."
    game.do(DeclareTask(declaration=shot))
    assert game.task.declaration.rerolls == (RerollReason.AIM,)
    game.throw(20, 20)
    game.do(RerollDice(positions=(0,), reason=RerollReason.AIM))


def test_the_ships_reroll_is_that_of_its_sensors() -> None:
    """S2E-X1: what was not calibrated is not thrown again."""
    game = Fleet()
    sweep = replace(game.acting("sensor_sweep").declaration, rerolls=(RerollReason.SHIP_SYSTEM,))
    said = game.refused(DeclareTask(declaration=sweep), "TASK-12")
    assert said == "The ship gives no re-roll to this Task; prepare one first, or leave it out."
    game.minor("calibrate_sensors")
    game.do(DeclareTask(declaration=sweep))


def test_without_a_conflict_the_table_says_who_aimed() -> None:
    """TASK-12: nobody's Minor Actions are counted there. Of what the rules complete it is known all the same."""
    game = Game()
    game.declare(rerolls=(RerollReason.AIM,))
    assert game.task.declaration.rerolls == (RerollReason.AIM,)
    game = Squadron()
    rally = replace(game.acting("rally").declaration, rerolls=(RerollReason.AIM,))
    game.refused(DeclareTask(declaration=rally), "TASK-12")
