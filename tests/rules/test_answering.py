"""Who may answer a Task that waits for the other side's, and with what (OPP-1, ATK-2, S2E-H4, S2E-T4, C-64)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.conflict.budget import TakeMinorAction
from rules.conflict.events import BodyChanged
from rules.conflict.rounds import BeginTurn, EndTurn, Entrant, StartConflict
from rules.errors import Refusal
from rules.legal.menu import menu
from rules.legal.offers import declarers, may_be_plain, options
from rules.ships.cards import SaveShip
from rules.state.conflict import Action
from rules.state.ships import SystemDamage
from rules.state.tasks import Assistance
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    Condition,
    ConflictKind,
    CrewQuality,
    Discipline,
    InjuryState,
    Ruleset,
    Standing,
    System,
    TaskPhase,
)
from rules.table import PLAYBOOK, decide
from rules.tasks.asking import AskForTask
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game, disciplines, systems

FREE_RIDES = (
    "guard",
    "assist",
    "direct",
    "ready",
    "sprint",
    "recover",
    "create_advantage",
    "first_aid",
    "pass",
    "attack",
)
"""What people on foot take in Turns of their own."""


def melee(ruleset: Ruleset = Ruleset.CORE_1E) -> Skirmish:
    """Okafor strikes at Brack, whose defence is awaited."""
    game = Skirmish(ruleset, begins="okafor", momentum=4)
    game.reach(game.okafor, game.brack)
    game.begin(game.okafor)
    game.act(game.okafor, "attack", target_id=game.brack)
    game.throw(5, 9)
    return game


def debate(ruleset: Ruleset = Ruleset.CORE_1E) -> Skirmish:
    """Okafor's opposed Task of no special kind waits for its answer."""
    game = Skirmish(ruleset, begins="okafor", momentum=4)
    game.begin(game.okafor)
    game.declare(opposed=True, action=Action(name="other"))
    game.throw(5, 9)
    return game


def ambush(evades: str = "evasive_action") -> Fleet:
    """The raider evades, or fires defensively; then Okafor's shot at it waits for its answer."""
    game = Fleet(4)
    game.do(SaveShip(name="Ember", scale=3, crew=CrewQuality.TALENTED, systems=systems(), departments=disciplines()))
    seats = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship),
        Entrant(combatant_id=game.raider),
        Entrant(combatant_id=game.table.ships[-1].ship_id),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=seats, begins=game.raider))
    game.do(BeginTurn(combatant_id=game.raider))
    game.act(evades, game.raider, **({"weapon": "Phasers"} if evades == "defensive_fire" else {}))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.okafor))
    return game


def shot(game: Fleet) -> None:
    game.act("fire", target_id=game.raider, weapon="Phasers")
    game.throw(5, 9)
    game.throw(20)


def refused(game: Game, who: str, action: Action | None) -> Refusal:
    before = game.table
    with pytest.raises(Refusal) as caught:
        game.declare(who, action=action)
    assert game.table is before
    return caught.value


def aimed(game: Skirmish, who: str, name: str) -> Action:
    """An action as somebody would declare it, with all that it needs."""
    ally = {game.okafor: game.lindqvist, game.lindqvist: game.okafor, game.brack: game.dorr, game.dorr: game.brack}[who]
    return Action(name=name, note="Now", target_id="" if name in {"guard", "create_advantage"} else ally)


# --- melee --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", Ruleset)
def test_only_who_is_attacked_answers_a_melee_attack_and_only_by_defending(ruleset: Ruleset) -> None:
    """ATK-2: neither side's bystanders, and nothing that would cost a Task of one's own Turn."""
    game = melee(ruleset)
    for name in FREE_RIDES:
        for who in (game.lindqvist, game.brack, game.dorr):
            assert refused(game, who, aimed(game, who, name)).rule == "ATK-2", (name, who)
    for who in (game.lindqvist, game.dorr):
        assert refused(game, who, Action(name="defend", weapon="unarmed")).rule == "ATK-2"
        assert refused(game, who, None).rule == "ATK-2"
    assert refused(game, game.brack, None).rule == "ATK-2"
    assert declarers(game.table) == (game.brack,)
    game.act(game.brack, "defend", weapon="unarmed")
    assert game.task.reactive


def test_the_words_say_who_is_to_answer_and_how() -> None:
    """ATK-2, OPP-1."""
    game = melee()
    assert refused(game, game.dorr, None).message == "Okafor's Task waits for Brack; let them answer it first."
    assert "Defend in melee" in refused(game, game.brack, None).message
    game = debate()
    said = refused(game, game.lindqvist, None).message
    assert said == "Okafor's Task waits for Brack or Dorr; let them answer it first."
    said = refused(game, game.brack, Action(name="guard")).message
    assert said == "Okafor's Task is answered with a plain one; declare that against it."


def test_nobody_helps_with_a_blow_against_themselves() -> None:
    """OPP-1, ASST-4: who promised help is not at both sides of a Task; the help waits for another one."""
    game = Skirmish(begins="okafor")
    game.reach(game.okafor, game.lindqvist)
    game.begin(game.okafor)
    game.act(game.okafor, "direct", target_id=game.lindqvist)
    game.act(game.lindqvist, "attack", target_id=game.okafor)
    assert not game.task.declaration.assists
    assert [one.name for one in game.table.effects] == ["assist"]
    game.throw(5, 9)
    game.act(game.okafor, "defend", weapon="unarmed")


def test_nobody_is_named_as_a_helper_with_a_blow_against_themselves() -> None:
    """OPP-1."""
    game = Skirmish(Ruleset.SECOND_EDITION, begins="okafor")
    game.reach(game.okafor, game.lindqvist)
    game.begin(game.okafor)
    helper = Assistance(character_id=game.lindqvist, attribute=Attribute.CONTROL, discipline=Discipline.COMMAND)
    action = Action(name="attack", target_id=game.lindqvist)
    game.refused(game.declaration(action=action, assists=(helper,)), "OPP-1")


# --- Tasks that no rule has a special answer to ----------------------------------------------------------------


@pytest.mark.parametrize("ruleset", Ruleset)
def test_the_other_side_answers_with_a_plain_task_where_nobody_is_named(ruleset: Ruleset) -> None:
    """OPP-1: in a conflict its sides are the sides."""
    game = debate(ruleset)
    assert declarers(game.table) == (game.brack, game.dorr)
    for name in FREE_RIDES:
        for who in (game.lindqvist, game.brack, game.dorr):
            assert refused(game, who, aimed(game, who, name)).rule == "OPP-1", (name, who)
    assert refused(game, game.lindqvist, None).rule == "OPP-1"
    game.declare(game.dorr, action=Action(name="other"))
    assert game.task.reactive


def test_who_is_named_answers_whichever_side_they_are_on() -> None:
    """OPP-1: two of one side may contend, if the table says so."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.declare(opposed=True, action=Action(name="other", target_id=game.lindqvist))
    game.throw(5, 9)
    assert declarers(game.table) == (game.lindqvist,)
    assert refused(game, game.brack, None).rule == "OPP-1"
    game.declare(game.lindqvist)
    assert game.task.reactive


def test_where_who_is_named_cannot_act_their_side_answers() -> None:
    """DMG-6: a table is never left without an answer."""
    game = Skirmish(begins="okafor")
    game.injure(game.brack)
    game.begin(game.okafor)
    game.declare(opposed=True, action=Action(name="other", target_id=game.brack))
    game.throw(5, 9)
    assert declarers(game.table) == (game.dorr,)


def test_somebody_always_may_answer() -> None:
    """OPP-1: with nobody able on the other side, anybody who is not on the active one."""
    game = Skirmish(begins="okafor")
    game.injure(game.brack)
    game.injure(game.dorr)
    game.begin(game.okafor)
    game.declare(opposed=True, action=Action(name="other"))
    game.throw(5, 9)
    assert declarers(game.table) == (game.lindqvist,)


def test_who_takes_no_part_answers_what_the_rules_oppose_alone() -> None:
    """OPP-1, STN-19: intruders are seldom combatants; a contest of words is among those who are."""
    game = debate()
    game.character("Stranger", standing=Standing.MINOR_NPC)
    assert declarers(game.table) == (game.brack, game.dorr)
    board = Squadron()
    seat = Entrant(combatant_id=board.okafor, ship_id=board.ship, station="security")
    board.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=(seat,), begins=board.okafor))
    board.do(BeginTurn(combatant_id=board.okafor))
    intruder = board.character("Intruder", standing=Standing.MINOR_NPC)
    passenger = board.character("Passenger", player_id=board.table.players[0].player_id)
    board.act("deploy_security")
    board.throw(5, 9)
    assert intruder in declarers(board.table)
    assert refused(board, passenger, None).rule == "OPP-1"
    board.declare(intruder)
    assert board.task.who == "Intruder"


def test_a_contest_is_against_somebody_who_takes_part() -> None:
    """OPP-1: neither against nobody at the table, nor against who is not there."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    stranger = game.character("Stranger", standing=Standing.MINOR_NPC)
    unknown = game.declaration(opposed=True, action=Action(name="other", target_id="character-99"))
    game.refused(unknown, "SETUP")
    absent = game.declaration(opposed=True, action=Action(name="other", target_id=stranger))
    said = game.refused(absent, "OPP-1")
    assert said == "Stranger takes no part in this conflict; choose somebody who does."
    game.declare(opposed=True, action=Action(name="other", target_id=game.dorr))
    game.throw(5, 9)
    assert declarers(game.table) == (game.dorr,)


@pytest.mark.parametrize("ruleset", Ruleset)
def test_the_row_says_whether_an_action_may_be_opposed(ruleset: Ruleset) -> None:
    """OPP-1: only what the table says in words is opposed because somebody says so; plot_course never is."""
    rows = {(row.scope, row.name) for row in PLAYBOOK.actions if ruleset in row.rulesets and row.free_form}
    assert rows == {(scope, name) for scope in ActionScope for name in ("other", "extended")}
    game = Squadron()
    course = game.acting("plot_course").declaration
    said = game.refused(DeclareTask(declaration=replace(course, opposed=True)), "OPP-1")
    assert said == "Nobody opposes this: Plot Course. Declare it without the other side."


def test_without_a_conflict_anybody_else_answers_the_other_side_first() -> None:
    """OPP-1."""
    game = Game()
    game.declare(opposed=True)
    game.throw(5, 9)
    assert declarers(game.table) == (game.brack, game.lindqvist)
    assert refused(game, game.brack, Action(name="sprint")).rule == "OPP-1"
    game.declare(game.lindqvist)


# --- ships --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prepared", "answer", "other", "rule"),
    [("evasive_action", "evade", "return_fire", "S2E-H4"), ("defensive_fire", "return_fire", "evade", "S2E-T4")],
)
def test_the_crew_that_is_shot_at_answers_with_what_it_prepared(
    prepared: str, answer: str, other: str, rule: str
) -> None:
    """S2E-H4, S2E-T4, C-64."""
    game = ambush(prepared)
    shot(game)
    ember = game.table.ships[-1].ship_id
    assert declarers(game.table) == (game.raider,)
    for who in (game.lindqvist, game.brack, ember):
        for name in (answer, "assist", "ready", "direct", "maneuver", "modulate_shields", "attack_pattern", "rally"):
            target = game.ship if name in {"assist", "direct"} else ""
            action = Action(name=name, scope=ActionScope.BRIDGE, note="Now", target_id=target)
            assert refused(game, who, action).rule == rule, (name, who)
        assert refused(game, who, None).rule == rule
    for one in (None, *(Action(name=one, scope=ActionScope.BRIDGE) for one in (other, "rally", "evasive_action"))):
        assert refused(game, game.raider, one).rule == rule
    assert f"declare_task:{answer}" in {one.option_id for one in options(game.table)}
    game.act(answer, game.raider)
    assert game.task.reactive


@pytest.mark.parametrize("lost", ["crew", "system"])
def test_a_ship_that_cannot_answer_is_shot_at_without_one(lost: str) -> None:
    """S2E-H4, S2E-14: with nobody to fly it, or its Structure out, there is nothing to oppose the shot."""
    game = ambush()
    if lost == "crew":
        game.state(game.raider, abandoned=True)
    else:
        out = SystemDamage(system=System.STRUCTURE, breaches=3, condition=Condition.DESTROYED)
        game.state(game.raider, systems=(out,))
    shot(game)
    assert game.task.phase is TaskPhase.SPENDING


def bridge(prepared: str, **seats: str) -> Fleet:
    """A fight of ships; Okafor is at tactical, Lindqvist at the helm, others as `seats` say; one of both prepares."""
    game = Fleet(4)
    stations = {"okafor": "tactical", "lindqvist": "helm", **seats}
    there = [
        Entrant(combatant_id=getattr(game, name, "") or seated(game, name), ship_id=game.ship, station=station)
        for name, station in stations.items()
    ]
    who = game.lindqvist if prepared == "evasive_action" else game.okafor
    game.do(
        StartConflict(kind=ConflictKind.STARSHIP, combatants=(*there, Entrant(combatant_id=game.raider)), begins=who)
    )
    game.do(BeginTurn(combatant_id=who))
    game.act(prepared, who, weapon="Phasers" if prepared == "defensive_fire" else "")
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.raider))
    return game


def seated(game: Fleet, name: str) -> str:
    return game.character(name.title(), player_id=game.table.players[0].player_id)


def fired_at(game: Fleet) -> None:
    game.act("fire", game.raider, target_id=game.ship, weapon="Phasers")
    game.throw(5, 9)
    game.throw(20)


def injure(game: Fleet, who: str) -> None:
    card = game.card(who)
    body = replace(card.body, injury=InjuryState.NONLETHAL)
    game.record(BodyChanged(character_id=card.character_id, name=card.name, why="a hit", body=body))


@pytest.mark.parametrize(
    ("prepared", "answer", "rule"), [("evasive_action", "evade", "S2E-H4"), ("defensive_fire", "return_fire", "S2E-T4")]
)
def test_who_prepared_it_answers_and_nobody_else_aboard(prepared: str, answer: str, rule: str) -> None:
    """S2E-H4, S2E-T4: the officer who took the action; others at the table are refused by the rule of that action."""
    game = bridge(prepared, nog="sensors")
    fired_at(game)
    who = game.lindqvist if prepared == "evasive_action" else game.okafor
    assert declarers(game.table) == (who,)
    for other in (one.character_id for one in game.table.characters):
        if other != who:
            assert refused(game, other, Action(name=answer, scope=ActionScope.BRIDGE, ship_id=game.ship)).rule == rule
    offered = next(one for one in options(game.table) if one.option_id == f"declare_task:{answer}")
    game.do(offered.command)
    assert game.task.who == game.card(who).name


def test_who_prepared_it_answers_from_another_seat_too() -> None:
    """S2E-H4: whoever took that action reacts, by Override from another station as well."""
    game = Fleet(4)
    seats = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=game.raider),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=seats, begins=game.okafor))
    game.do(BeginTurn(combatant_id=game.okafor))
    game.act("evasive_action", game.okafor)
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.raider))
    fired_at(game)
    assert declarers(game.table) == (game.okafor,)


def test_where_who_prepared_it_cannot_act_its_station_answers() -> None:
    """S2E-H4, S2E-T4, S2E-22: both who sit at tactical, nobody at another station."""
    game = bridge("defensive_fire", second="sensors")
    injure(game, game.okafor)
    fired_at(game)
    assert game.task.phase is TaskPhase.SPENDING, "nobody is left at tactical, so the shot is not opposed"
    game = Fleet(4)
    game.put(replace(game.of(), departments=disciplines(security=4)))
    second = seated(game, "second")
    seats = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=second, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=game.raider),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=seats, begins=game.okafor))
    game.do(BeginTurn(combatant_id=game.okafor))
    game.act("defensive_fire", game.okafor, weapon="Phasers")
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.raider))
    before = game.history
    fired_at(game)
    assert declarers(game.table) == (game.okafor,)
    game.history = before
    injure(game, game.okafor)
    fired_at(game)
    assert declarers(game.table) == (second,)


def test_where_nobody_is_said_to_sit_there_those_without_a_seat_answer() -> None:
    """S2E-H4: a crew that was entered without stations has the helm among them."""
    game = bridge("evasive_action", okafor="", lindqvist="", nog="")
    fired_at(game)
    assert declarers(game.table) == (game.lindqvist,)
    game = bridge("evasive_action", okafor="", lindqvist="")
    injure(game, game.lindqvist)
    fired_at(game)
    assert declarers(game.table) == (game.okafor,)


# --- everything asks it -------------------------------------------------------------------------------------


def test_no_minor_action_is_taken_while_an_answer_is_awaited() -> None:
    """OPP-1, ATK-2."""
    for game, rule in ((melee(), "ATK-2"), (debate(), "OPP-1")):
        for who in (game.okafor, game.brack, game.dorr):
            game.refused(TakeMinorAction(character_id=who, action=Action(name="aim")), rule)


@pytest.mark.parametrize("begin", [melee, debate, ambush])
def test_the_menu_has_nothing_for_who_may_not_answer(begin: Any) -> None:  # noqa: ANN401 - a scene
    """What can be taken is what `declarers` says and no more."""
    game = begin()
    if isinstance(game, Fleet):
        shot(game)
    may = declarers(game.table)
    crews = [one.ship_id for one in game.table.ships if one.crew is not None]
    for who in (*(one.character_id for one in game.table.characters), *crews):
        possible = {one.name for one in menu(game.table, who) if one.possible}
        assert possible <= {"defend", "other", "evade"}
        assert bool(possible) is (who in may)


@pytest.mark.parametrize("begin", [melee, debate, ambush])
def test_every_offer_while_an_answer_is_awaited_is_one_who_may_give_it(begin: Any) -> None:  # noqa: ANN401 - a scene
    game = begin()
    if isinstance(game, Fleet):
        shot(game)
    for one in options(game.table):
        if isinstance(one.command, DeclareTask):
            assert one.command.declaration.character_id in declarers(game.table)
            decide(game.table, one.command)


# --- plain Tasks of who takes part ---------------------------------------------------------------------------


def test_a_plain_task_in_a_fight_is_taken_in_ones_own_turn() -> None:
    """TURN-1, TURN-5: who takes part has no Task for nothing, neither in another's Turn nor between Turns."""
    game = Skirmish(begins="okafor")
    game.refused(game.declaration(game.brack), "TURN-1")
    game.begin(game.okafor)
    for who in (game.lindqvist, game.brack):
        game.refused(game.declaration(who), "TURN-1")
    stranger = game.character("Stranger", standing=Standing.MINOR_NPC)
    game.declare(stranger)
    assert game.task.who == "Stranger"


def test_a_plain_task_is_what_was_directed_or_readied() -> None:
    """ACT-4: it takes the Task that was given or kept, once."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.act(game.okafor, "direct", target_id=game.lindqvist)
    game.declare(game.lindqvist)
    game.throw(19, 19)
    game.throw(19)
    game.do(FinishSpending())
    game.refused(game.declaration(game.lindqvist), "TURN-1")
    assert game.combatant(game.lindqvist).tasks == 1
    game.do(EndTurn())
    game.begin(game.brack)
    game.act(game.brack, "ready", note="Now")
    game.do(EndTurn())
    game.declare(game.brack)
    game.throw(19, 19)
    game.do(FinishSpending())
    game.refused(game.declaration(game.brack), "TURN-1")


def test_what_the_gamemaster_asks_for_is_thrown_in_anybodys_turn() -> None:
    """TASK-1, TASK-10: such as a Task to avoid a hazard; once for each time it is asked."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    ask = AskForTask(character_id=game.brack, attribute=Attribute.FITNESS, discipline=Discipline.SECURITY)
    game.do(ask)
    game.declare(game.brack)
    game.throw(19, 19)
    assert game.table.task is None, "nothing can be bought on it"
    assert game.combatant(game.brack).tasks == 0
    game.refused(game.declaration(game.brack), "TURN-1")


def test_a_page_knows_where_a_plain_task_is_no_answer() -> None:
    """ATK-2, OPP-1: as `rules.legal.offers` says of the Task that is declared next."""
    game = Skirmish(begins="okafor")
    assert may_be_plain(game.table)
    assert may_be_plain(debate().table)
    assert not may_be_plain(melee().table)
