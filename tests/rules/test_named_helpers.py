"""Helpers who are named in a declaration of a conflict give for it what an Assist costs (ASST-4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.conflict.events import TurnGivenUp
from rules.conflict.helping import may_help
from rules.conflict.lasting import effects_named
from rules.conflict.rounds import BeginTurn, EndConflict, EndTurn, Entrant, NextRound, PassTurn, StartConflict
from rules.deciding.decision import Command
from rules.errors import Refusal
from rules.state.conflict import Action
from rules.state.tasks import Assistance
from rules.state.vocabulary import ActionScope, Attribute, ConflictKind, Discipline, Ruleset, Standing
from rules.tasks.declaring import WithdrawTask
from rules.undo import Undo
from tests.rules.fleet2e import Fleet, replayed
from tests.rules.skirmish import Skirmish

FIRST = (Ruleset.STARTER, Ruleset.CORE_1E)


def helping(who: str) -> tuple[Assistance, ...]:
    return (Assistance(character_id=who, attribute=Attribute.REASON, discipline=Discipline.SCIENCE),)


def acting(game: Skirmish, *helpers: str, who: str = "") -> Command:
    """Okafor creates an Advantage with these helpers."""
    action = Action(name="create_advantage", note="High ground")
    assists = tuple(each for one in helpers for each in helping(one))
    return game.declaration(who or game.okafor, action=action, assists=assists, rerolls=())


def turn(ruleset: Ruleset) -> Skirmish:
    game = Skirmish(ruleset, begins="okafor")
    game.begin(game.okafor)
    return game


@pytest.mark.parametrize("ruleset", FIRST)
def test_in_the_first_edition_a_helper_takes_assist_before(ruleset: Ruleset) -> None:
    """ASST-4: who is only named gives nothing, and hears what to do; the help that was promised comes by itself."""
    game = turn(ruleset)
    said = game.refused(acting(game, game.lindqvist), "ASST-4")
    assert said == (
        "In a conflict helping costs a Task. Let Lindqvist take Assist in a Turn before; "
        "it comes with Okafor's next Task."
    )
    assert game.table.conflict is not None
    assert may_help(game.table) == ()
    game.act(game.okafor, "assist", target_id=game.lindqvist)
    game.do(EndTurn())
    game.take_turn(game.brack)
    game.begin(game.lindqvist)
    game.do(acting(game, game.okafor, who=game.lindqvist))
    assert [(one.character_id, one.promised) for one in game.task.declaration.assists] == [(game.okafor, True)]
    assert not effects_named(game.table, "assist")


def test_in_the_second_edition_a_helper_gives_up_the_turn() -> None:
    """ASST-4, S2E-6: at once, for all of the Round; the words say so, and undo gives it back."""
    game = turn(Ruleset.SECOND_EDITION)
    assert set(may_help(game.table)) == {game.lindqvist, game.brack, game.dorr}
    before = game.table
    events = game.do(acting(game, game.lindqvist))
    assert [one.name for one in events if isinstance(one, TurnGivenUp)] == ["Lindqvist"]
    assert "Lindqvist gives up the Turn to help Okafor." in game.last_said.normal
    assert [(one.character_id, one.promised) for one in game.task.declaration.assists] == [(game.lindqvist, True)]
    assert (game.combatant(game.lindqvist).turns_taken, game.combatant(game.lindqvist).tasks) == (1, 1)
    game.refused(WithdrawTask(), "TASK-10")
    game.throw(1, 19)
    game.throw(3)
    game.do(Undo())
    game.do(Undo())
    game.do(Undo())
    assert game.table == before
    game.do(acting(game, game.lindqvist))
    assert game.table.conflict is not None
    assert game.lindqvist not in may_help(game.table)


def test_a_turn_that_was_given_up_is_gone_until_the_next_round() -> None:
    """ASST-4, TURN-1: neither a Turn nor more help."""
    game = turn(Ruleset.SECOND_EDITION)
    game.do(acting(game, game.lindqvist))
    game.throw(19, 19)
    game.throw(19)
    game.do(EndTurn())
    game.refused(BeginTurn(combatant_id=game.lindqvist), "TURN-1")
    game.begin(game.brack)
    said = game.refused(acting(game, game.okafor, who=game.brack), "ASST-4")
    assert said == "Okafor is on the other side; choose an ally."
    game.do(EndTurn())
    game.take_turn(game.dorr)
    game.do(NextRound())
    game.begin(game.okafor)
    game.do(acting(game, game.lindqvist))
    assert replayed(game) == game.table


def test_who_had_the_turn_has_none_to_give() -> None:
    """ASST-4: nor who has it just now, nor who takes no part."""
    game = turn(Ruleset.SECOND_EDITION)
    stranger = game.character("Tane")
    said = game.refused(acting(game, stranger), "ASST-4")
    assert said == "Tane takes no part in the conflict; let Tane join first, or choose another helper."
    game.do(EndTurn())
    game.begin(game.brack)
    game.do(EndTurn())
    game.begin(game.lindqvist)
    said = game.refused(acting(game, game.okafor, who=game.lindqvist), "ASST-4")
    assert said == "Okafor has no Turn left to give up this Round; choose another helper, or act alone."


def test_who_passed_may_still_give_up_the_turn() -> None:
    """ASST-4, TURN-6."""
    game = Skirmish(Ruleset.SECOND_EDITION, begins="okafor")
    game.do(PassTurn(combatant_id=game.okafor))
    game.take_turn(game.brack)
    game.begin(game.lindqvist)
    game.do(acting(game, game.okafor, who=game.lindqvist))
    assert game.combatant(game.okafor).turns_taken == 1


def test_what_holds_until_the_helpers_next_turn_ends() -> None:
    """ASST-4: a Turn that is given up was one."""
    game = turn(Ruleset.SECOND_EDITION)
    game.act(game.okafor, "guard")
    game.do(EndTurn())
    game.take_turn(game.brack)
    game.take_turn(game.lindqvist)
    game.take_turn(game.dorr)
    game.do(NextRound())
    assert effects_named(game.table, "guard")
    game.begin(game.lindqvist)
    game.do(acting(game, game.okafor, who=game.lindqvist))
    assert not effects_named(game.table, "guard")


def test_outside_a_conflict_helping_costs_nothing() -> None:
    """ASST-1."""
    for ruleset in Ruleset:
        game = Skirmish(ruleset)
        game.do(EndConflict())
        game.do(acting(game, game.lindqvist))
        assert [one.promised for one in game.task.declaration.assists] == [False]
        assert {game.brack, game.dorr} <= set(may_help(game.table))


def test_the_helm_that_flies_an_attack_pattern_is_free() -> None:
    """S2E-H3: its major action was the price; also where a program names it."""
    game = Fleet()
    seats = {game.okafor: "tactical", game.lindqvist: "helm"}
    entrants = tuple(Entrant(combatant_id=who, ship_id=game.ship, station=seat) for who, seat in seats.items())
    raider = Entrant(combatant_id=game.raider)
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=(*entrants, raider), begins=game.lindqvist))
    game.do(BeginTurn(combatant_id=game.lindqvist))
    game.act("attack_pattern", game.lindqvist)
    game.do(EndTurn())
    game.do(PassTurn(combatant_id=game.raider))
    game.do(BeginTurn(combatant_id=game.okafor))
    game.act("fire", target_id=game.raider, weapon="Phasers", assists=helping(game.lindqvist))
    (helper,) = game.task.declaration.assists
    assert (helper.character_id, helper.attribute, helper.discipline) == (game.lindqvist, "control", "conn")


def test_a_crew_that_acts_as_one_helps_nobody() -> None:
    """ASST-4, NSHIP-1."""
    game = Fleet()
    brack = Entrant(combatant_id=game.brack)
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=(brack, Entrant(combatant_id=game.raider))))
    game.do(BeginTurn(combatant_id=game.brack))
    action = Action(name="other", scope=ActionScope.BRIDGE)
    game.refused(game.declaration(game.brack, action=action, assists=helping(game.raider)), "ASST-4")


@given(steps=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), max_size=8))
def test_nobody_gets_more_tasks_than_the_turns_they_had(steps: list[tuple[int, int, bool]]) -> None:
    """ASST-4, C-8: a Round's Turns and given-up Turns together are one each."""
    game = Skirmish(Ruleset.SECOND_EDITION, begins="okafor")
    people = (game.okafor, game.lindqvist, game.brack, game.dorr)
    for leader, helper, helped in steps:
        try:
            game.do(BeginTurn(combatant_id=people[leader]))
            game.do(acting(game, *((people[helper],) if helped else ()), who=people[leader]))
            while game.table.request is not None:
                game.throw(*[19] * game.table.request.count)
            game.do(EndTurn())
        except Refusal:
            if game.table.task is None and game.conflict.turn is not None:
                game.do(EndTurn())
    for one in people:
        assert game.combatant(one).turns_taken <= 1
        assert game.combatant(one).tasks <= 1
    assert game.card(game.brack).standing is Standing.NOTABLE_NPC
