"""The Minor Actions and Tasks of people in a conflict besides attacks (ACT-3 to ACT-8, ASST-4, RNG-2)."""

from __future__ import annotations

import pytest

from rules.conflict.budget import TakeMinorAction
from rules.conflict.lasting import effects_named
from rules.conflict.rounds import EndConflict, EndTurn, KeepInitiative, NextRound, PassTurn
from rules.state.conflict import Action
from rules.state.options import TableOptions
from rules.state.vocabulary import Discipline, InjuryState, Ruleset, Spend, TraitKind
from rules.tasks.declaring import WithdrawTask
from rules.tasks.settling import FinishSpending, MakeSpend, TakeComplication
from rules.tasks.traits import AddTrait
from rules.undo import Undo
from tests.rules.skirmish import Skirmish


def names(game: Skirmish) -> list[str]:
    return [one.name for one in game.table.effects]


def settle(game: Skirmish) -> None:
    game.do(FinishSpending())
    while game.table.task is not None:
        game.do(TakeComplication())


def test_aim_holds_for_the_turn() -> None:
    """ACT-3, C-19."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.minor(game.okafor, "aim")
    assert names(game) == ["aim"]
    assert "Aim" in game.last_said.terse
    game.do(EndTurn())
    assert names(game) == []


def test_aim_holds_until_the_next_turn_where_the_table_plays_so() -> None:
    """C-19."""
    game = Skirmish(begins="okafor", options=TableOptions(aim_until_next_turn=True))
    game.begin(game.okafor)
    game.minor(game.okafor, "aim")
    game.do(EndTurn())
    for one in (game.brack, game.lindqvist, game.dorr):
        game.take_turn(one)
    game.do(NextRound())
    assert names(game) == ["aim"]
    game.begin(game.okafor)
    assert names(game) == []


def test_prone_and_up_again() -> None:
    """ACT-3."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.refused(TakeMinorAction(character_id=game.okafor, action=Action(name="stand")), "ACT-3")
    game.minor(game.okafor, "drop_prone")
    assert game.card(game.okafor).body.prone
    game.do(EndTurn())
    for one in (game.brack, game.lindqvist, game.dorr):
        game.take_turn(one)
    game.do(NextRound())
    game.begin(game.okafor)
    game.minor(game.okafor, "stand")
    assert not game.card(game.okafor).body.prone


def test_nobody_walks_away_from_an_enemy_who_can_act() -> None:
    """ACT-3, C-79."""
    game = Skirmish(begins="okafor")
    game.reach(game.okafor, game.brack)
    game.begin(game.okafor)
    move = TakeMinorAction(character_id=game.okafor, action=Action(name="movement"))
    game.refused(move, "ACT-3")
    game.injure(game.brack)
    game.do(move)
    assert game.conflict.reach == ()


def test_movement_goes_into_someones_reach_and_excludes_sprint() -> None:
    """ACT-3, ACT-6."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.minor(game.okafor, "movement", target_id=game.dorr)
    assert game.conflict.reach == ((game.okafor, game.dorr),)
    game.refused(game.declaration(game.okafor, action=Action(name="sprint")), "ACT-6")


def test_sprint_moves_once_a_round_and_may_succeed_at_a_cost() -> None:
    """ACT-6, TASK-11."""
    game = Skirmish(begins="okafor")
    game.reach(game.okafor, game.brack)
    game.begin(game.okafor)
    game.act(game.okafor, "sprint")
    assert (game.task.difficulty, game.task.target_number) == (1, 11)
    assert game.task.declaration.may_succeed_at_cost
    game.throw(1, 19)
    game.do(MakeSpend(spend=Spend.SPRINT_ON))
    game.refused(MakeSpend(spend=Spend.REGAIN_STRESS), "ACT-5")
    settle(game)
    assert game.conflict.reach == ()
    game.refused(game.declaration(game.okafor, action=Action(name="sprint")), "ACT-6")
    game.refused(TakeMinorAction(character_id=game.okafor, action=Action(name="movement")), "ACT-3")


def test_an_enemy_in_reach_distracts_from_every_task() -> None:
    """RNG-2, C-79."""
    game = Skirmish(begins="okafor")
    game.reach(game.okafor, game.brack)
    game.reach(game.okafor, game.lindqvist)
    game.begin(game.okafor)
    game.act(game.okafor, "create_advantage", note="Noise")
    assert game.task.difficulty == 3
    game.do(Undo())
    game.injure(game.brack)
    game.act(game.okafor, "create_advantage", note="Noise")
    assert game.task.difficulty == 2


def test_guard_needs_no_dice_and_holds_until_ones_next_turn() -> None:
    """ACT-8, C-55."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.act(game.okafor, "guard")
    assert game.table.task is None
    assert effects_named(game.table, "guard", owner_id=game.okafor, target_id=game.okafor)
    assert game.last_said.terse == "Guard, Okafor."
    game.do(EndTurn())
    for one in (game.brack, game.lindqvist, game.dorr):
        game.take_turn(one)
    game.do(NextRound())
    assert names(game) == ["guard"]
    game.begin(game.okafor)
    assert names(game) == []
    assert "Guard" in game.last_said.terse


def test_guarding_an_ally_or_under_pressure_is_thrown_for() -> None:
    """ACT-8, C-80."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.refused(game.declaration(game.okafor, action=Action(name="guard", target_id=game.brack)), "ASST-4")
    game.act(game.okafor, "guard", target_id=game.lindqvist)
    assert game.task.difficulty == 1
    game.do(Undo())
    game.reach(game.okafor, game.brack)
    game.act(game.okafor, "guard")
    assert game.task.difficulty == 1
    game.throw(19, 20)
    settle(game)
    assert names(game) == []


@pytest.mark.parametrize(
    ("ruleset", "in_cover", "difficulty"),
    [(Ruleset.STARTER, True, 2), (Ruleset.CORE_1E, True, 1), (Ruleset.CORE_1E, False, 2)],
)
def test_recover_is_easier_in_cover_where_the_ruleset_says_so(
    ruleset: Ruleset,
    in_cover: bool,  # noqa: FBT001 - a case
    difficulty: int,
) -> None:
    """ACT-5, C-54."""
    game = Skirmish(ruleset=ruleset, begins="okafor")
    game.begin(game.okafor)
    game.act(game.okafor, "recover", in_cover=in_cover)
    assert (game.task.difficulty, game.task.target_number) == (difficulty, 11)


def test_recover_gives_stress_resistance_and_another_chance() -> None:
    """ACT-5, DMG-7, DMG-9, C-70."""
    game = Skirmish(begins="okafor", momentum=3)
    game.change_body(game.okafor, stress_max=11, stress=6, avoided=True)
    game.begin(game.okafor)
    game.act(game.okafor, "recover")
    game.throw(1, 1)
    game.do(MakeSpend(spend=Spend.REGAIN_STRESS, times=2))
    assert game.card(game.okafor).body.stress == 10
    game.do(MakeSpend(spend=Spend.REGAIN_STRESS))
    assert game.card(game.okafor).body.stress == 11
    game.refused(MakeSpend(spend=Spend.REGAIN_STRESS), "ACT-5")
    settle(game)
    assert not game.card(game.okafor).body.avoided
    assert effects_named(game.table, "recover_cover", target_id=game.okafor)
    game.minor(game.okafor, "movement")
    assert names(game) == []


def test_first_aid_stabilises_and_puts_back_in_action() -> None:
    """ACT-7, DMG-8, C-81."""
    game = Skirmish(begins="okafor", momentum=2)
    game.begin(game.okafor)
    game.refused(game.declaration(game.okafor, action=Action(name="first_aid")), "ACT-7")
    aid = Action(name="first_aid", target_id=game.lindqvist)
    game.refused(game.declaration(game.okafor, action=aid), "ACT-7")
    game.change_body(game.lindqvist, injury=InjuryState.LETHAL, debilitated=True)
    game.act(game.okafor, "first_aid", target_id=game.lindqvist)
    assert (game.task.difficulty, game.task.target_number) == (2, 10)
    game.throw(9, 9)
    game.do(MakeSpend(spend=Spend.BACK_IN_ACTION))
    settle(game)
    body = game.card(game.lindqvist).body
    assert (body.injury, body.stabilised, body.pushing_on) == (InjuryState.LETHAL, True, True)
    assert game.table.momentum == 0


def test_treatment_waits_until_the_conflict_is_over() -> None:
    """ACT-4."""
    game = Skirmish()
    game.change_body(game.lindqvist, injury=InjuryState.LETHAL, stabilised=True)
    treat = Action(name="treatment", target_id=game.lindqvist, level=3)
    game.refused(game.declaration(game.okafor, action=treat), "ACT-4")
    game.do(EndConflict())
    game.act(game.okafor, "treatment", target_id=game.lindqvist, level=3)
    assert (game.task.difficulty, game.task.target_number) == (3, 12)
    game.throw(1, 1)
    settle(game)
    body = game.card(game.lindqvist).body
    assert (body.injury, body.stabilised) == (InjuryState.NONE, False)


def test_an_advantage_is_made_or_a_complication_removed() -> None:
    """ACT-4, C-21, TRAIT-3."""
    game = Skirmish(begins="okafor")
    game.do(AddTrait(name="Fire", kind=TraitKind.COMPLICATION))
    fire = game.table.traits[0].trait_id
    game.begin(game.okafor)
    game.refused(game.declaration(game.okafor, action=Action(name="create_advantage")), "TRAIT-3")
    game.act(game.okafor, "create_advantage", target_id=fire)
    game.throw(5, 5)
    settle(game)
    assert not game.table.traits
    game.do(EndTurn())
    game.begin(game.brack)
    game.act(game.brack, "create_advantage", note="Cover")
    game.throw(5, 5)
    settle(game)
    assert {(made.name, made.kind) for made in game.history.present.traits} == {("Cover", TraitKind.ADVANTAGE)}


def test_assist_costs_the_helpers_task_and_comes_with_the_allys_next() -> None:
    """ASST-4."""
    game = Skirmish(begins="okafor", momentum=2)
    game.begin(game.okafor)
    game.refused(game.declaration(game.okafor, action=Action(name="assist", target_id=game.brack)), "ASST-4")
    game.refused(game.declaration(game.okafor, action=Action(name="assist", target_id=game.okafor)), "ASST-4")
    game.act(game.okafor, "assist", target_id=game.lindqvist)
    game.do(KeepInitiative(ally_id=game.lindqvist))
    game.do(EndTurn())
    game.begin(game.lindqvist)
    game.declare(game.lindqvist)
    assert [one.character_id for one in game.task.declaration.assists] == [game.okafor]
    assert names(game) == []
    game.refused(WithdrawTask(), "TASK-10")
    game.throw(5, 5)
    assert game.table.request is not None
    assert game.table.request.who == "Okafor"


def test_direct_lets_an_ally_act_at_once_with_the_leaders_help() -> None:
    """ACT-4, C-22."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.act(game.okafor, "direct", target_id=game.lindqvist)
    assert "Okafor directs Lindqvist." in game.last_said.terse
    game.act(game.lindqvist, "create_advantage", note="Crossfire")
    helper = game.task.declaration.assists[0]
    assert (helper.character_id, helper.discipline) == (game.okafor, Discipline.COMMAND)
    game.throw(5, 5)
    game.throw(5)
    settle(game)
    declared = game.declaration(game.lindqvist, action=Action(name="other"))
    game.refused(declared, "TURN-1")
    game.do(EndTurn())
    game.take_turn(game.brack)
    game.begin(game.lindqvist)
    game.act(game.lindqvist, "other")


@pytest.mark.parametrize("ruleset", Ruleset)
def test_who_is_directed_may_direct_on(ruleset: Ruleset) -> None:
    """ACT-4, C-22: Direct is a Task like another, but never back; nobody waits to be directed twice."""
    game = Skirmish(ruleset=ruleset, begins="okafor", momentum=4)
    third = game.enter("Tan", player_id=game.table.players[0].player_id)
    game.begin(game.okafor)
    game.act(game.okafor, "direct", target_id=game.lindqvist)
    back = game.declaration(game.lindqvist, action=Action(name="direct", target_id=game.okafor))
    assert "has the Turn or gave this Task away" in game.refused(back, "ACT-4")
    game.act(game.lindqvist, "direct", target_id=third)
    back = game.declaration(third, action=Action(name="direct", target_id=game.lindqvist))
    assert "Lindqvist has the Turn or gave this Task away" in game.refused(back, "ACT-4")
    refused = game.declaration(game.lindqvist, action=Action(name="direct", target_id=game.okafor))
    assert game.refused(refused, "ACT-4") == "Tan is directed already; let them act."
    game.act(third, "create_advantage", note="Crossfire")
    assert [one.character_id for one in game.task.declaration.assists] == [game.lindqvist]
    game.throw(5, 5)
    game.throw(5)
    settle(game)
    game.refused(game.declaration(game.lindqvist, action=Action(name="other")), "TURN-1")


def test_direct_once_a_scene_free_or_for_momentum() -> None:
    """C-22, C-82."""
    for ruleset, again in ((Ruleset.STARTER, True), (Ruleset.CORE_1E, False)):
        game = Skirmish(ruleset=ruleset, begins="okafor")
        game.begin(game.okafor)
        game.act(game.okafor, "direct", target_id=game.lindqvist)
        game.do(EndTurn())
        assert names(game) == []
        for follower in (game.brack, game.lindqvist, game.dorr):
            game.take_turn(follower)
        game.do(NextRound())
        game.begin(game.okafor)
        direct = game.declaration(game.okafor, action=Action(name="direct", target_id=game.lindqvist))
        if again:
            game.do(direct)
        else:
            assert "once a scene" in game.refused(direct, "ACT-4")


def test_help_of_who_cannot_act_any_more_stays_away_and_holds_nobody_up() -> None:
    """ASST-4, DMG-6: it comes with a later Task, once they can act again."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.act(game.okafor, "assist", target_id=game.lindqvist)
    game.do(EndTurn())
    game.take_turn(game.brack)
    game.injure(game.okafor)
    game.begin(game.lindqvist)
    before = game.history
    game.declare(game.lindqvist)
    assert not game.task.declaration.assists
    assert names(game) == ["assist"]
    game.history = before
    game.change_body(game.okafor, pushing_on=True)
    game.declare(game.lindqvist)
    assert [one.character_id for one in game.task.declaration.assists] == [game.okafor]


def test_direct_costs_momentum_or_threat_in_the_second_edition() -> None:
    """C-22, C-82."""
    game = Skirmish(ruleset=Ruleset.SECOND_EDITION, begins="okafor")
    game.begin(game.okafor)
    action = Action(name="direct", target_id=game.lindqvist)
    game.refused(game.declaration(game.okafor, action=action), "POOL-4")
    threat = game.table.threat
    game.act(game.okafor, "direct", target_id=game.lindqvist, threat_part=1)
    assert game.table.threat == threat + 1
    assert game.conflict.turn is not None
    assert game.conflict.turn.guest_id == game.lindqvist


def test_a_readied_task_interrupts_once_and_lapses_with_the_next_turn() -> None:
    """ACT-4."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.refused(game.declaration(game.okafor, action=Action(name="ready")), "ACT-4")
    game.act(game.okafor, "ready", note="when the door opens, I block it")
    game.do(EndTurn())
    game.begin(game.brack)
    game.act(game.okafor, "create_advantage", note="Blocked door")
    game.throw(5, 5)
    settle(game)
    game.refused(game.declaration(game.okafor, action=Action(name="other")), "TURN-1")
    game.act(game.brack, "ready", note="when they come")
    game.do(EndTurn())
    game.take_turn(game.lindqvist)
    game.take_turn(game.dorr)
    game.do(NextRound())
    game.take_turn(game.okafor)
    assert names(game) == ["ready"]
    game.begin(game.brack)
    assert names(game) == []


def test_what_was_begun_since_the_turn_was_passed_ends_as_it_begins_again() -> None:
    """ACT-4, ACT-8, TURN-6: until the next Turn begins, which is the one that was passed."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.do(PassTurn())
    game.take_turn(game.brack)
    game.begin(game.lindqvist)
    game.act(game.lindqvist, "direct", target_id=game.okafor)
    game.act(game.okafor, "guard")
    game.do(EndTurn())
    game.take_turn(game.dorr)
    assert names(game) == ["guard"]
    game.begin(game.okafor)
    assert names(game) == []


def test_pass_is_an_action_too() -> None:
    """TURN-6."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.act(game.okafor, "pass")
    assert game.conflict.turn is None
    assert game.combatant(game.okafor).passed


def test_who_has_no_turn_does_not_guard_for_ever() -> None:
    """ACT-8, C-85."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.act(game.okafor, "guard")
    game.do(EndTurn())
    for one in (game.brack, game.lindqvist, game.dorr):
        game.take_turn(one)
    game.do(NextRound())
    game.injure(game.okafor)
    for one in (game.lindqvist, game.brack, game.dorr):
        game.take_turn(one)
    assert names(game) == ["guard"]
    game.do(NextRound())
    assert names(game) == []
