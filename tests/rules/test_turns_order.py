"""Rounds and Turns at the table: who may act, who is next, when a Round is over (TURN-1 to TURN-6, C-53, C-85)."""

from __future__ import annotations

import pytest

from rules.conflict.budget import TakeMinorAction
from rules.conflict.order import may_begin
from rules.conflict.rounds import (
    AddCombatant,
    BeginTurn,
    EndConflict,
    EndTurn,
    Entrant,
    KeepInitiative,
    NextRound,
    PassTurn,
    RemoveCombatant,
    SetReach,
    StartConflict,
)
from rules.legal.offers import options
from rules.setup.setting_up import RemoveCharacter, StartScene, StartSession
from rules.ships.cards import SaveShip
from rules.state.conflict import Action, Conflict
from rules.state.ships import Systems
from rules.state.vocabulary import ConflictKind, CrewQuality, Pool, Ruleset, Side, Standing
from rules.tasks.pools import AdjustPool
from rules.undo import Undo
from tests.rules.skirmish import Skirmish
from tests.rules.tabletop import disciplines


def test_whoever_the_gamemaster_names_begins() -> None:
    """TURN-2."""
    game = Skirmish(begins="okafor")
    assert [one.combatant_id for one in may_begin(game.table)] == [game.okafor]
    assert game.refused(BeginTurn(combatant_id=game.brack), "TURN-3")
    game.begin(game.okafor)
    assert game.conflict.turn is not None
    assert game.conflict.turn.combatant_id == game.okafor
    assert game.last_said.terse == "Okafor's Turn."


def test_with_nobody_named_anyone_begins() -> None:
    """TURN-2."""
    game = Skirmish()
    assert len(may_begin(game.table)) == 4
    game.begin(game.brack)


def test_sides_alternate_and_the_rest_of_one_goes_on() -> None:
    """TURN-3: three of the players' side against one: after the one has acted, the others finish."""
    game = Skirmish(begins="okafor")
    game.take_turn(game.okafor)
    assert game.refused(BeginTurn(combatant_id=game.lindqvist), "TURN-3")
    game.take_turn(game.brack)
    game.take_turn(game.lindqvist)
    assert {one.combatant_id for one in may_begin(game.table)} == {game.dorr}
    game.take_turn(game.dorr)
    assert may_begin(game.table) == ()


def test_a_round_opens_with_the_side_that_did_not_act_last() -> None:
    """TURN-3."""
    game = Skirmish(begins="okafor")
    for one in (game.okafor, game.brack, game.lindqvist, game.dorr):
        game.take_turn(one)
    game.do(NextRound())
    assert game.conflict.round == 2
    assert {one.side for one in may_begin(game.table)} == {Side.PC}
    assert game.last_said.normal.startswith("Round 2. The players' side begins.")


def test_one_turn_each_and_no_round_before_all_had_theirs() -> None:
    """TURN-1, TURN-3."""
    game = Skirmish(begins="okafor")
    game.take_turn(game.okafor)
    assert "had every Turn" in game.refused(BeginTurn(combatant_id=game.okafor), "TURN-1")
    message = game.refused(NextRound(), "TURN-3")
    assert message == "Still to act this Round: Lindqvist, Brack and Dorr."


def test_one_turn_at_a_time() -> None:
    """TURN-1."""
    game = Skirmish(begins="okafor")
    game.refused(EndTurn(), "TURN-1")
    game.begin(game.okafor)
    assert game.refused(BeginTurn(combatant_id=game.brack), "TURN-1") == "It is the Turn of Okafor; end it first."
    game.refused(NextRound(), "TURN-3")


def test_who_passes_may_act_later() -> None:
    """TURN-6."""
    game = Skirmish(begins="okafor")
    game.do(PassTurn(combatant_id=game.okafor))
    assert game.last_said.terse == "Okafor passes."
    assert game.combatant(game.okafor).passed
    game.take_turn(game.brack)
    game.take_turn(game.okafor)
    assert not game.combatant(game.okafor).passed


def test_passing_after_a_minor_action_is_having_acted() -> None:
    """TURN-6."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.minor(game.okafor, "interact")
    game.do(PassTurn())
    assert game.combatant(game.okafor).turns_taken == 1
    assert not game.combatant(game.okafor).passed


def test_nobody_passes_after_a_task() -> None:
    """TURN-6."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.act(game.okafor, "ready", note="if the door opens, I shoot")
    game.refused(PassTurn(), "TURN-6")
    game.refused(PassTurn(combatant_id=game.brack), "TURN-6")


def test_when_all_who_remain_have_passed_the_gamemaster_ends_the_round() -> None:
    """C-85; and where a side's rest has passed, the other may go on."""
    game = Skirmish(begins="okafor")
    game.take_turn(game.okafor)
    game.do(PassTurn(combatant_id=game.brack))
    game.do(PassTurn(combatant_id=game.lindqvist))
    game.refused(NextRound(), "TURN-3")
    assert {one.combatant_id for one in may_begin(game.table)} == {game.dorr, game.brack}
    game.do(PassTurn(combatant_id=game.dorr))
    assert {one.combatant_id for one in may_begin(game.table)} == {game.lindqvist, game.brack, game.dorr}
    game.do(NextRound())
    assert game.conflict.round == 2
    assert not any(one.passed for one in game.conflict.combatants)


def test_a_side_that_cannot_act_is_skipped() -> None:
    """C-85, DMG-6."""
    game = Skirmish(begins="okafor")
    game.injure(game.brack)
    game.injure(game.dorr)
    game.take_turn(game.okafor)
    assert {one.combatant_id for one in may_begin(game.table)} == {game.lindqvist}
    game.take_turn(game.lindqvist)
    game.refused(BeginTurn(combatant_id=game.brack), "DMG-6")
    game.do(NextRound())
    assert {one.side for one in may_begin(game.table)} == {Side.PC}


def test_keeping_the_initiative_costs_two_and_hands_the_turn_on() -> None:
    """TURN-4, MOM-4."""
    game = Skirmish(begins="okafor", momentum=3)
    game.refused(KeepInitiative(ally_id=game.lindqvist), "TURN-4")
    game.take_turn(game.okafor)
    game.refused(KeepInitiative(ally_id=game.brack), "TURN-4")
    game.refused(KeepInitiative(ally_id=game.okafor), "TURN-4")
    rich = game.history
    game.do(AdjustPool(pool=Pool.MOMENTUM, change=-2))
    assert "1 Momentum more is needed" in game.refused(KeepInitiative(ally_id=game.lindqvist), "POOL-4")
    game.history = rich
    game.do(KeepInitiative(ally_id=game.lindqvist))
    assert game.table.momentum == 1
    assert game.last_said.terse == "Initiative kept. Next Lindqvist. Momentum 1."
    assert [one.combatant_id for one in may_begin(game.table)] == [game.lindqvist]
    game.take_turn(game.lindqvist)


def test_the_initiative_is_kept_once_until_the_other_side_had_a_turn() -> None:
    """TURN-4, C-53."""
    game = Skirmish(begins="okafor", momentum=6)
    third = game.enter("Vance")
    game.take_turn(game.okafor)
    game.do(KeepInitiative(ally_id=game.lindqvist))
    game.take_turn(game.lindqvist)
    assert "has to have a Turn" in game.refused(KeepInitiative(ally_id=third), "TURN-4")
    game.take_turn(game.brack)
    game.take_turn(third)
    assert game.conflict.kept_initiative is None


def test_an_npc_keeps_the_initiative_with_threat() -> None:
    """TURN-4: 2 Threat; and of a player's price a part may go to Threat."""
    game = Skirmish(begins="brack")
    before = game.table.threat
    game.take_turn(game.brack)
    game.refused(KeepInitiative(ally_id=game.dorr, threat_part=1), "POOL-4")
    game.do(KeepInitiative(ally_id=game.dorr))
    assert game.table.threat == before - 2
    game.take_turn(game.dorr)
    game.take_turn(game.okafor)
    game.enter("Third", standing=Standing.NOTABLE_NPC)
    game.do(KeepInitiative(ally_id=game.lindqvist, threat_part=2))
    assert game.table.threat == before
    assert game.table.momentum == 0


def test_with_the_other_side_done_nobody_pays_for_going_on() -> None:
    """TURN-3, TURN-4."""
    game = Skirmish(begins="okafor", momentum=6)
    third = game.enter("Vance")
    game.injure(game.dorr)
    for one in (game.okafor, game.brack, game.lindqvist):
        game.take_turn(one)
    assert "without paying" in game.refused(KeepInitiative(ally_id=third), "TURN-4")
    game.take_turn(third)


def test_the_initiative_is_paid_from_the_task_in_hand() -> None:
    """TURN-4, C-62."""
    game = Skirmish(begins="okafor", momentum=1)
    game.begin(game.okafor)
    game.act(game.okafor, "create_advantage", note="High ground")
    game.throw(1, 1)
    assert game.task.momentum_left == 2
    game.do(KeepInitiative(ally_id=game.lindqvist))
    assert (game.task.momentum_left, game.table.momentum) == (0, 1)
    game.do(EndTurn())
    assert [one.combatant_id for one in may_begin(game.table)] == [game.lindqvist]


def test_reach_is_between_two_and_told_once() -> None:
    """RNG-1."""
    game = Skirmish()
    game.refused(SetReach(first_id=game.okafor, second_id=game.okafor), "RNG-1")
    game.do(SetReach(first_id=game.okafor, second_id=game.brack))
    assert game.last_said.terse == "Okafor and Brack are within each other's Reach."
    game.refused(SetReach(first_id=game.brack, second_id=game.okafor), "UNDO")
    game.do(SetReach(first_id=game.brack, second_id=game.okafor, in_reach=False))
    assert game.conflict.reach == ()


def test_someone_joins_and_leaves() -> None:
    """TURN-1."""
    game = Skirmish(begins="okafor")
    game.do(SetReach(first_id=game.okafor, second_id=game.brack))
    game.refused(AddCombatant(combatant=Entrant(combatant_id=game.brack)), "TURN-1")
    game.do(RemoveCombatant(combatant_id=game.brack))
    assert game.conflict.reach == ()
    assert game.conflict.combatant(game.brack) is None
    game.do(AddCombatant(combatant=Entrant(combatant_id=game.brack, side=Side.PC)))
    assert game.combatant(game.brack).side is Side.PC
    game.begin(game.okafor)
    game.refused(RemoveCombatant(combatant_id=game.okafor), "TURN-1")


def test_a_combatant_stays_at_the_table() -> None:
    """TURN-1."""
    game = Skirmish()
    game.refused(RemoveCharacter(character_id=game.brack), "TURN-1")
    game.do(RemoveCombatant(combatant_id=game.brack))
    game.do(RemoveCharacter(character_id=game.brack))


@pytest.mark.parametrize("ends", [StartScene(), StartSession(), EndConflict()])
def test_a_conflict_ends_with_its_scene(ends: StartScene | StartSession | EndConflict) -> None:
    """TURN-1: what is bound to Turns ends with it."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.minor(game.okafor, "aim")
    game.do(ends)
    assert game.table.conflict is None
    assert game.table.effects == ()
    game.refused(EndConflict(), "TURN-1")


def test_what_no_conflict_can_be() -> None:
    """TURN-1, TURN-2, NSHIP-2."""
    game = Skirmish()
    one = Entrant(combatant_id=game.okafor)
    game.refused(StartConflict(kind=ConflictKind.PERSONAL, combatants=(one,)), "TURN-1")
    game.do(EndConflict())
    game.refused(StartConflict(kind=ConflictKind.PERSONAL, combatants=()), "TURN-1")
    game.refused(StartConflict(kind=ConflictKind.PERSONAL, combatants=(one, one)), "TURN-1")
    game.refused(StartConflict(kind=ConflictKind.PERSONAL, combatants=(one,), begins=game.brack), "TURN-2")
    ship = Entrant(combatant_id=game.ship)
    game.refused(StartConflict(kind=ConflictKind.PERSONAL, combatants=(ship,)), "TURN-1")
    game.refused(StartConflict(kind=ConflictKind.STARSHIP, combatants=(ship,)), "NSHIP-2")


def test_an_npc_ship_has_as_many_turns_as_its_scale() -> None:
    """NSHIP-2."""
    game = Skirmish()
    game.do(EndConflict())
    high = Systems(communications=9, computers=9, engines=9, sensors=9, structure=9, weapons=9)
    game.do(SaveShip(name="Raider", scale=3, systems=high, departments=disciplines(), crew=CrewQuality.PROFICIENT))
    raider = game.table.ships[-1].ship_id
    entrants = tuple(Entrant(combatant_id=one) for one in (game.okafor, raider))
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=raider))
    for one in (raider, game.okafor, raider, raider):
        game.take_turn(one)
    game.refused(BeginTurn(combatant_id=raider), "TURN-1")
    game.do(NextRound())
    assert game.combatant(raider).turns_taken == 0


def test_what_can_be_chosen_of_turns_is_offered_with_its_price() -> None:
    """TURN-4, ACT-1."""
    game = Skirmish(begins="okafor", momentum=2)
    offered = {one.option_id: one for one in options(game.table)}
    assert f"begin_turn:{game.okafor}" in offered
    assert f"begin_turn:{game.brack}" not in offered
    assert "next_round" not in offered
    game.begin(game.okafor)
    game.minor(game.okafor, "interact")
    offered = {one.option_id: one for one in options(game.table)}
    assert offered["minor_action:prepare"].price.momentum == 1
    assert "minor_action:interact" not in offered
    assert offered[f"keep_initiative:{game.lindqvist}"].price.momentum == 2
    assert offered[f"keep_initiative:{game.lindqvist}:threat"].price.threat == 2
    assert "end_turn" in offered


def test_undo_takes_a_turn_back() -> None:
    """TURN-1: step by step, to the exact state."""
    game = Skirmish(begins="okafor")
    states: list[Conflict | None] = [game.table.conflict]
    game.begin(game.okafor)
    states.append(game.table.conflict)
    game.do(EndTurn())
    game.do(Undo())
    assert game.table.conflict == states.pop()
    game.do(Undo())
    assert game.table.conflict == states.pop()


def test_every_ruleset_has_the_same_turns() -> None:
    """TURN-3."""
    for ruleset in Ruleset:
        game = Skirmish(ruleset=ruleset, begins="okafor")
        game.do(AdjustPool(pool=Pool.MOMENTUM, change=1))
        game.begin(game.okafor)
        game.do(TakeMinorAction(character_id=game.okafor, action=Action(name="interact")))
        game.do(EndTurn())
        assert {one.side for one in may_begin(game.table)} == {Side.NPC}
