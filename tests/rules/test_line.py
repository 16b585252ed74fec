"""Several declare: who declares while another's Task is in hand stands in line (docs/declaring.md)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules.conflict.rounds import Entrant, StartConflict
from rules.legal.offers import Price, options
from rules.legal.trial import Correctable, correctable
from rules.setup.setting_up import RemoveCharacter, StartScene
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.tasks import Declaration, Purchase
from rules.state.vocabulary import ConflictKind, Payer, Side, TaskPhase
from rules.tasks.challenge_rolls import CloseChallenge, DeclareChallenge
from rules.tasks.declaring import WithdrawTask
from rules.tasks.determination import SurgeOfActivity
from rules.tasks.extended import BeginExtendedTask
from rules.tasks.line import LeaveLine, LineUp
from rules.tasks.second_throws import CorrectScoredDie
from rules.tasks.settling import FinishSpending, TakeComplication
from rules.undo import Undo
from tests.rules.tabletop import LINDQVIST_VALUE, OKAFOR_VALUE, Game


def lined(game: Game, who: str, **changes: object) -> LineUp:
    return LineUp(declaration=game.declaration(who, **changes).declaration)


def awaiting(momentum: int = 0) -> Game:
    """Okafor's dice are awaited."""
    game = Game(momentum=momentum)
    game.declare()
    return game


def names(game: Game) -> list[str]:
    return [one.character_id for one in game.table.in_line]


def test_who_declares_meanwhile_stands_in_line_and_begins_once_the_task_is_done() -> None:
    game = awaiting()
    game.do(lined(game, game.lindqvist, label="Seal the hatch"))
    assert game.last_said.normal == "Lindqvist's Task is next: it begins by itself. Seal the hatch."
    game.do(lined(game, game.brack))
    assert game.last_said.terse == "Brack's Task comes later: it begins by itself."
    assert (game.task.who, names(game)) == ("Okafor", [game.lindqvist, game.brack])
    game.throw(1, 19)
    assert game.task.who == "Okafor", "its owner may still buy"
    game.do(FinishSpending())
    assert (game.task.who, names(game)) == ("Lindqvist", [game.brack])
    assert game.table.request is not None
    game.do(Undo())
    assert (game.task.who, names(game)) == ("Okafor", [game.lindqvist, game.brack])


def test_it_begins_at_once_where_nothing_is_in_hand() -> None:
    game = Game()
    game.do(lined(game, game.lindqvist))
    assert (game.task.who, names(game)) == ("Lindqvist", [])


def test_the_next_goes_on_while_the_one_before_spends() -> None:
    game = awaiting()
    game.do(lined(game, game.lindqvist))
    game.throw(1, 2)
    (chosen,) = (one for one in options(game.table) if one.option_id == "next_in_line")
    assert str(chosen.label) == "Go on with Lindqvist's Task"
    saved = game.task.momentum_left
    game.do(chosen.command)
    assert (game.task.who, game.table.momentum, names(game)) == ("Lindqvist", saved, [])


def test_who_waits_for_an_outcome_begins_once_nothing_more_is_bought() -> None:
    game = awaiting()
    game.throw(1, 2)
    waits = replace(lined(game, game.lindqvist), waits=True)
    game.do(waits)
    assert game.last_said.terse == "Lindqvist's Task is next: it begins by itself."
    assert (game.task.who, game.table.momentum, names(game)) == ("Okafor", 0, [game.lindqvist])
    saved = game.task.momentum_left
    game.do(FinishSpending())
    assert (game.task.who, game.table.momentum, names(game)) == ("Lindqvist", saved, [])
    game.do(Undo())
    game.do(Undo())
    game.do(lined(game, game.lindqvist))
    assert game.task.who == "Lindqvist", "a program that does not ask for it goes on at once"


def test_nobody_waits_for_an_outcome_that_buys_nothing() -> None:
    game = awaiting()
    game.throw(19, 20)
    game.do(FinishSpending())
    assert game.task.phase is TaskPhase.COMPLICATIONS
    game.do(replace(lined(game, game.lindqvist), waits=True))
    assert game.task.who == "Lindqvist", "a Complication waits, and nobody waits for it"


def test_the_gamemasters_npc_and_ones_own_next_task_wait_for_no_outcome() -> None:
    for who in ("brack", "okafor"):
        game = awaiting()
        game.throw(1, 2)
        game.do(replace(lined(game, getattr(game, who)), waits=True))
        assert game.task.declaration.character_id == getattr(game, who)
        assert game.table.request is not None


def test_nobody_gets_before_those_who_wait() -> None:
    game = awaiting()
    game.do(lined(game, game.lindqvist))
    game.throw(1, 19)
    game.do(lined(game, game.brack))
    assert (game.task.who, names(game)) == ("Okafor", [game.lindqvist, game.brack])


def test_it_reserves_nothing_and_says_why_it_does_not_begin() -> None:
    """BUY-2: what the pool holds when it begins is what counts."""
    game = awaiting(momentum=1)
    game.do(lined(game, game.lindqvist, purchases=(Purchase(payer=Payer.MOMENTUM),)))
    assert game.table.momentum == 1
    game.do(WithdrawTask())
    assert (game.task.who, game.table.momentum) == ("Lindqvist", 0)
    game.do(Undo())
    game.do(Undo())
    game.do(Undo())
    game.declare(purchases=(Purchase(payer=Payer.MOMENTUM),))
    game.do(lined(game, game.lindqvist, purchases=(Purchase(payer=Payer.MOMENTUM),)))
    game.throw(19, 19, 19)
    game.do(FinishSpending())
    assert (game.table.task, names(game), game.table.momentum) == (None, [], 0)
    assert "Lindqvist's Task does not begin." in game.last_said.normal


def test_a_character_stands_in_line_once_and_may_leave() -> None:
    game = awaiting()
    game.do(lined(game, game.lindqvist))
    game.do(lined(game, game.brack))
    game.do(lined(game, game.lindqvist, difficulty=3))
    assert [one.difficulty for one in game.table.in_line] == [3, 1]
    (leaves,) = (one for one in options(game.table) if one.option_id == f"leave_line:{game.lindqvist}")
    game.do(leaves.command)
    assert names(game) == [game.brack]
    game.refused(LeaveLine(character_id=game.lindqvist), "TASK-10")


def test_a_conflict_goes_by_turns() -> None:
    game = awaiting()
    game.do(lined(game, game.lindqvist))
    game.throw(1, 19)
    entrants = tuple(Entrant(combatant_id=one, side=Side.PC) for one in (game.okafor, game.lindqvist))
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=entrants))
    assert names(game) == []
    assert "A conflict goes by Turns." in game.last_said.normal


def test_a_new_scene_begins_with_an_empty_line() -> None:
    game = awaiting()
    game.do(lined(game, game.lindqvist))
    game.throw(1, 19)
    game.do(StartScene())
    assert (names(game), game.table.task) == ([], None)


def test_who_is_gone_when_they_are_next_is_told() -> None:
    game = awaiting()
    game.do(lined(game, game.brack))
    game.do(RemoveCharacter(character_id=game.brack))
    assert "Brack's Task does not begin. They left the table." in game.last_said.normal
    assert names(game) == []


def test_what_no_task_can_have_does_not_stand_in_line() -> None:
    game = awaiting()
    game.refused(LineUp(declaration=Declaration(character_id="nobody")), "SETUP")
    game.refused(lined(game, game.lindqvist, complication_range=9), "TASK-7")


def test_what_could_never_begin_does_not_stand_in_line() -> None:
    game = awaiting()
    game.refused(LineUp(declaration=Declaration(character_id=game.lindqvist)), "TASK-1")
    game.refused(lined(game, game.lindqvist, rolled=False, difficulty=2), "TASK-9")
    point = Purchase(payer=Payer.DETERMINATION)
    game.refused(lined(game, game.lindqvist, purchases=(point,), value="Not theirs"), "DET-1")


def test_what_an_action_adds_is_added_once_and_when_it_begins() -> None:
    """ACT-4: skills that the action settles are known in line; its Difficulty is that of the table by then."""
    game = Game()
    game.do(BeginExtendedTask(label="Seal the hull", work=6, magnitude=2, difficulty=3, resistance=1))
    game.declare()
    action = Action(name="extended", target_id=game.table.extended[0].track_id)
    declared = game.declaration(game.lindqvist, action=action)
    game.do(LineUp(declaration=declared.declaration))
    game.do(WithdrawTask())
    once = (game.task.difficulty, game.task.declaration.modifiers)
    assert once[0] == 3
    game.do(Undo())
    game.do(Undo())
    game.do(WithdrawTask())
    game.do(declared)
    assert (game.task.difficulty, game.task.declaration.modifiers) == once


def test_who_stands_in_line_never_answers_an_opposed_task() -> None:
    game = Game()
    game.declare(opposed=True)
    game.do(lined(game, game.lindqvist))
    game.throw(1, 2)
    assert not [one for one in options(game.table) if one.option_id == "next_in_line"]
    game.do(lined(game, game.brack))
    assert (game.task.who, names(game)) == ("Okafor", [game.lindqvist, game.brack])


def test_a_plain_declaration_gets_before_nobody_but_the_gamemasters() -> None:
    game = Game()
    third = game.character("Reed", player_id=game.card(game.okafor).player_id)
    game.declare()
    game.do(lined(game, game.lindqvist))
    game.throw(1, 19)
    assert game.refused(game.declaration(third), "TASK-10") == "Lindqvist's Task is next; declare yours for later."
    game.declare(game.brack)
    assert (game.task.who, names(game)) == ("Brack", [game.lindqvist])


def test_a_surge_of_activity_is_not_lost_to_the_line() -> None:
    """DET-4."""
    game = awaiting()
    game.do(lined(game, game.lindqvist))
    game.throw(1, 2)
    game.do(SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE))
    game.do(FinishSpending())
    assert (game.table.task, game.table.surge_for, names(game)) == (None, game.okafor, [game.lindqvist])
    game.declare(game.okafor)
    assert (game.task.who, game.task.surge) == ("Okafor", True)


def test_a_task_that_waits_when_its_surge_is_bought_comes_before_all_others() -> None:
    """DET-4: nobody waits for a declaration that is there."""
    game = awaiting()
    game.do(lined(game, game.lindqvist))
    game.do(lined(game, game.okafor))
    game.throw(1, 2)
    game.do(SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE))
    assert names(game) == [game.okafor, game.lindqvist]
    game.do(FinishSpending())
    assert (game.task.who, game.task.surge, names(game)) == ("Okafor", True, [game.lindqvist])


def test_the_task_of_a_surge_waits_before_all_others_for_what_the_winner_can_buy() -> None:
    """DET-4, OPP-2: the loser's Task is in hand, and the winner's waits behind it."""
    game = Game()
    game.declare(game.okafor, difficulty=1, opposed=True)
    game.throw(1, 2)
    game.declare(game.lindqvist, difficulty=1)
    game.do(lined(game, game.brack))
    game.throw(19, 18)
    game.do(SurgeOfActivity(character_id=game.lindqvist, value=LINDQVIST_VALUE))
    game.do(replace(lined(game, game.lindqvist), waits=True))
    assert (game.task.who, names(game)) == ("Lindqvist", [game.lindqvist, game.brack])
    assert game.last_said.terse == "Lindqvist's Task is next: it begins by itself."
    game.do(FinishSpending())
    assert (game.task.who, game.table.momentum) == ("Okafor", 0)
    game.do(FinishSpending())
    assert (game.task.who, game.task.surge, names(game)) == ("Lindqvist", True, [game.brack])
    assert (game.table.surge_for, game.table.momentum > 0) == ("", True)


def test_the_next_in_line_shows_no_price_of_what_is_saved() -> None:
    game = awaiting()
    game.do(lined(game, game.lindqvist))
    game.throw(1, 2)
    for one in options(game.table):
        assert min(one.price.momentum, one.price.threat, one.price.determination) >= 0, one.option_id
    (chosen,) = (one for one in options(game.table) if one.option_id == "next_in_line")
    assert chosen.price == Price()


def test_challenge_dice_that_may_be_thrown_again_are_settled_before_the_line_goes_on() -> None:
    """CD-5: the pool pays for that; with an empty one nothing is to be decided on them."""
    for momentum in (3, 0):
        game = Game(momentum=momentum)
        game.do(DeclareChallenge(count=2, label="Blast"))
        game.do(lined(game, game.lindqvist))
        game.throw_challenge(1, 1)
        if momentum:
            assert (game.table.task, names(game)) == (None, [game.lindqvist])
            game.do(CloseChallenge())
        assert game.task.who == "Lindqvist"


def test_challenge_dice_are_put_right_until_the_next_task_has_its_own() -> None:
    """CD-2: they left the stage as the next in line began, and nothing is based on them yet."""
    game = Game()
    game.do(DeclareChallenge(count=2, label="Blast"))
    game.do(lined(game, game.lindqvist))
    game.throw_challenge(2, 1)
    task, request = game.task, game.table.request
    assert (task.who, correctable(game.table).places) == ("Lindqvist", (0, 1))
    assert [one.face for one in correctable(game.table).dice] == [2, 1]
    game.do(CorrectScoredDie(position=0, face=1))
    assert game.table.challenge is not None
    assert (game.table.challenge.total, game.table.challenge.closed) == (2, True)
    assert (game.task, game.table.request) == (task, request), "the next throw goes on"
    game.throw(19, 18)
    game.refused(CorrectScoredDie(position=0, face=2, challenge=True), "CD-2")
    game.do(FinishSpending())
    game.declare(game.okafor)
    assert correctable(game.table) == Correctable(), "another Task has had its dice since"


def test_what_ended_is_told_and_then_who_is_next() -> None:
    game = awaiting()
    game.do(lined(game, game.lindqvist, difficulty=2))
    game.throw(1, 20)
    game.do(FinishSpending())
    game.do(TakeComplication(name="Sparks"))
    assert game.last_said.terse == "Okafor takes a Complication: Sparks. Lindqvist, Difficulty 2."
    game.do(lined(game, game.okafor, rolled=False, difficulty=0))
    game.do(lined(game, game.brack, difficulty=3))
    game.throw(19, 19)
    game.do(FinishSpending())
    assert game.task.who == "Brack"
    assert "Brack, Difficulty 3." in game.last_said.terse


def test_a_new_scene_is_told_after_what_was_saved() -> None:
    game = awaiting()
    game.throw(1, 2)
    game.do(StartScene(name="Bridge"))
    assert "Momentum saved." in game.last_said.terse
    assert "Scene 2, Bridge." in game.last_said.terse


@given(moves=st.lists(st.sampled_from(["okafor", "lindqvist", "brack", "throw", "done", "back", "undo"]), max_size=14))
def test_nothing_waits_while_nothing_is_in_hand(moves: list[str]) -> None:
    """The line is empty or something is in hand, whatever was decided; each character stands there once."""
    game = Game(momentum=3)
    set_up = len(game.history.done)
    for number, one in enumerate(moves):
        if one == "throw" and game.table.request is not None:
            game.throw(*(7 for _ in range(game.table.request.count)))
        elif one == "done" and game.table.task is not None and game.table.request is None:
            game.do(FinishSpending())
        elif one == "back" and game.table.request is not None:
            game.do(WithdrawTask())
        elif one == "undo" and len(game.history.done) > set_up:
            game.do(Undo())
        elif one in {"okafor", "lindqvist", "brack"}:
            game.do(lined(game, getattr(game, one), difficulty=number % 6))
        assert not game.table.in_line or game.table.task is not None
        assert len(set(names(game))) == len(names(game))


def test_a_task_without_dice_that_the_line_began_is_told_with_its_owner() -> None:
    game = awaiting()
    game.do(lined(game, game.lindqvist, label="Open the door", difficulty=0, rolled=False))
    game.do(lined(game, game.brack))
    game.throw(1, 19)
    game.do(FinishSpending())
    assert "Lindqvist: Open the door. Success. Brack, Difficulty" in game.last_said.terse
    assert game.last_said.normal.count("Lindqvist") == 1
