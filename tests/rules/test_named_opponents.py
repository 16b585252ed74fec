"""A Task may name who opposes it: they answer it and nobody else, and it is told so (OPP-1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.conflict.events import BodyChanged
from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.legal.offers import declarers, may_oppose
from rules.setup.setting_up import RemoveCharacter
from rules.state.conflict import Action
from rules.state.options import TableOptions
from rules.state.tasks import Assistance, Declaration
from rules.state.vocabulary import ActionScope, Attribute, ConflictKind, Discipline, InjuryState, Ruleset, Standing
from rules.status import turn_told
from rules.tasks.asking import AskForTask
from rules.tasks.declaring import DeclareTask
from rules.tasks.line import LineUp
from rules.tasks.settling import FinishSpending
from rules.tasks.task_dice import ThrowAgainst
from rules.undo import Undo
from tests.rules.fleet2e import Fleet
from tests.rules.tabletop import Game


def helping(who: str) -> Assistance:
    return Assistance(character_id=who, attribute=Attribute.CONTROL, discipline=Discipline.CONN)


def test_whom_a_task_names_answers_it_and_nobody_else_does() -> None:
    game = Game()
    game.declare(opposed=True, opponent_id=game.lindqvist)
    assert game.last_said.terse == "Okafor, Difficulty 1. Opposed: Lindqvist throws against it."
    game.throw(5, 9)
    assert game.last_said.terse == "2 successes. Lindqvist throws against it."
    assert turn_told(game.table).terse == "Lindqvist is to declare a Task against Okafor."
    assert declarers(game.table) == (game.lindqvist,)
    why = game.refused(game.declaration(game.brack), "OPP-1")
    assert why == "Okafor's Task waits for Lindqvist; let them answer it first."
    game.declare(game.lindqvist)
    assert (game.task.reactive, game.task.declaration.opponent_id) == (True, "")
    game.throw(19, 18)
    assert "Okafor wins" in game.last_said.terse


def test_a_task_that_names_nobody_is_answered_by_anybody() -> None:
    game = Game()
    game.declare(opposed=True)
    game.throw(5, 9)
    assert game.last_said.terse == "2 successes. The other side throws against it."
    assert declarers(game.table) == (game.brack, game.lindqvist), "the other side first"


def test_where_the_other_side_throws_first_whom_the_task_names_does() -> None:
    """C-42."""
    game = Game(Ruleset.SECOND_EDITION, options=TableOptions(opposed_reactive_first=True))
    game.declare(opposed=True, opponent_id=game.brack)
    assert "Opposed: Brack throws first." in game.last_said.normal
    game.refused(game.declaration(game.lindqvist), "OPP-1")
    game.declare(game.brack)
    game.throw(5, 19)
    game.do(ThrowAgainst())
    assert game.task.declaration.character_id == game.okafor


def test_who_cannot_oppose_it_is_not_named() -> None:
    game = Game()
    assert may_oppose(game.table, game.okafor) == (game.brack, game.lindqvist), "the other side first"
    assert may_oppose(game.table, game.brack) == (game.okafor, game.lindqvist)
    wrong: dict[str, Any]
    for wrong, rule in (
        ({"opponent_id": game.brack}, "OPP-1"),
        ({"opponent_id": game.okafor, "opposed": True}, "OPP-1"),
        ({"opponent_id": game.brack, "opposed": True, "assists": (helping(game.brack),)}, "OPP-1"),
        ({"opponent_id": "nobody", "opposed": True}, "SETUP"),
        ({"opponent_id": game.brack, "opposed": True, "rolled": False, "difficulty": 0}, "TASK-9"),
    ):
        game.refused(game.declaration(**wrong), rule)


def test_the_crew_of_an_npc_ship_can_be_named() -> None:
    """NSHIP-1."""
    game = Fleet()
    assert game.raider in may_oppose(game.table, game.okafor)
    game.declare(opposed=True, opponent_id=game.raider)
    assert "Black Comet throws against it." in game.last_said.terse


def test_an_action_whose_other_side_the_rules_know_takes_no_name() -> None:
    game = Fleet()
    game.act("evasive_action", game.raider)
    shot: dict[str, Any] = {"opposed": True, "opponent_id": game.lindqvist, "attribute": None, "discipline": None}
    aimed = Action(name="fire", target_id=game.raider, weapon="Phasers", scope=ActionScope.BRIDGE)
    why = game.refused(game.declaration(action=aimed, **shot), "OPP-1")
    assert "The rules say who opposes this" in why


def test_who_is_named_stays_until_the_task_is_decided() -> None:
    game = Game()
    game.declare(opposed=True, opponent_id=game.brack)
    game.refused(RemoveCharacter(character_id=game.brack), "TASK-10")
    game.throw(5, 9)
    game.refused(RemoveCharacter(character_id=game.brack), "TASK-10")
    game.do(Undo())
    game.do(Undo())
    game.do(RemoveCharacter(character_id=game.brack))


def test_a_task_that_is_to_come_names_nobody_who_left() -> None:
    game = Game()
    wanted: dict[str, Any] = {"attribute": Attribute.DARING, "discipline": Discipline.CONN, "opponent_id": game.brack}
    game.do(AskForTask(character_id=game.okafor, opposed=True, **wanted))
    assert "Against Brack." in game.last_said.normal
    game.declare(game.lindqvist)
    game.do(LineUp(declaration=Declaration(character_id=game.okafor, opposed=True, **wanted)))
    assert [one.opponent_id for one in (*game.table.asked, *game.table.in_line)] == [game.brack] * 2
    game.do(RemoveCharacter(character_id=game.brack))
    assert [(one.opposed, one.opponent_id) for one in (*game.table.asked, *game.table.in_line)] == [(True, "")] * 2


def test_a_task_that_is_to_come_names_nobody_who_cannot_act_any_more() -> None:
    """DMG-6: anybody else answers, as docs/declaring.md says; whoever names them only now is refused."""
    wanted: dict[str, Any] = {"attribute": Attribute.DARING, "discipline": Discipline.CONN, "opposed": True}
    for waits in (False, True):
        game = Fleet()
        planned = Declaration(character_id=game.okafor, opponent_id=game.brack, **wanted)
        if waits:
            game.declare(game.lindqvist)
            game.do(LineUp(declaration=planned))
        else:
            game.do(AskForTask(character_id=game.okafor, opponent_id=game.brack, **wanted))
        body = replace(game.card(game.brack).body, injury=InjuryState.LETHAL)
        game.record(BodyChanged(character_id=game.brack, name="Brack", body=body, why="the test"))
        if waits:
            game.throw(19, 18)
            game.do(FinishSpending())
        else:
            game.refused(game.declaration(game.lindqvist, opposed=True, opponent_id=game.brack), "DMG-6")
            game.do(DeclareTask(declaration=planned))
        assert (game.task.who, game.task.declaration.opposed, game.task.declaration.opponent_id) == ("Okafor", True, "")
        game.throw(5, 9)
        assert "The other side throws against it." in game.last_said.normal
        assert game.lindqvist in declarers(game.table)


def test_in_a_conflict_who_takes_no_part_answers_where_they_are_named_and_only_there() -> None:
    game = Game()
    bystander = game.character("Vey", standing=Standing.NOTABLE_NPC)
    there = tuple(Entrant(combatant_id=one) for one in (game.okafor, game.brack))
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=there))
    game.do(BeginTurn(combatant_id=game.okafor))
    for named, answers in (("", game.brack), (bystander, bystander)):
        game.declare(opposed=True, opponent_id=named)
        game.throw(5, 9)
        assert declarers(game.table) == (answers,)
        game.do(Undo())
        game.do(Undo())
    game.declare(opposed=True, opponent_id=bystander)
    game.throw(5, 9)
    game.declare(bystander)
    assert game.task.reactive


def test_what_is_asked_of_a_player_is_declared_as_it_was_asked() -> None:
    game = Game()
    asked: dict[str, Any] = {"attribute": Attribute.DARING, "discipline": Discipline.CONN, "opponent_id": game.brack}
    game.do(AskForTask(character_id=game.okafor, opposed=True, **asked))
    (wanted,) = game.table.asked
    game.do(DeclareTask(declaration=wanted))
    assert (game.task.declaration.opponent_id, game.table.asked) == (game.brack, ())
