"""Spending ends by itself where nothing can be bought, and a misread die can still be put right (docs/declaring.md)."""

from __future__ import annotations

import pytest

from rules.conflict.rounds import BeginTurn, EndConflict, EndTurn
from rules.legal.offers import options
from rules.legal.trial import correctable
from rules.setup.setting_up import StartScene
from rules.ships.striking import StrikeShip
from rules.state.conflict import Action
from rules.state.options import TableOptions
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline, OpposedWinner, Pool, Ruleset, Spend, System, TaskPhase
from rules.tasks.challenge_rolls import CloseChallenge, DeclareChallenge
from rules.tasks.declaring import DeclareTask
from rules.tasks.extended import BeginExtendedTask
from rules.tasks.line import LineUp
from rules.tasks.opposed import other_side
from rules.tasks.pools import AdjustPool
from rules.tasks.second_throws import CorrectScoredDie
from rules.tasks.settling import FinishSpending, MakeSpend, TakeComplication
from rules.tasks.task_dice import ThrowAgainst
from rules.undo import Undo
from tests.rules.brawl import Brawl
from tests.rules.skirmish import Skirmish
from tests.rules.tabletop import Game, challenge_die, reading


def thrown(*faces: int, ruleset: Ruleset = Ruleset.CORE_1E, **declared: object) -> Game:
    """Reed, who has no Value to cite, throws at Difficulty 1 with nothing that lets dice be thrown again."""
    game = Game(ruleset)
    reed = game.character("Reed", player_id=game.table.players[0].player_id, values=())
    game.declare(reed, rerolls=(), **{"difficulty": 1, **declared})
    game.throw(*faces)
    return game


@pytest.mark.parametrize("ruleset", Ruleset)
@pytest.mark.parametrize("faces", [(19, 18), (3, 18)])
def test_a_task_on_which_nothing_can_be_bought_is_over_with_its_dice(ruleset: Ruleset, faces: tuple[int, int]) -> None:
    game = thrown(*faces, ruleset=ruleset)
    assert (game.table.task, game.table.last_task and game.table.last_task.phase) == (None, TaskPhase.CLOSED)
    assert ("Success" in game.last_said.terse) == (faces == (3, 18)), "the outcome is what is said"
    assert not [one for one in options(game.table) if "spend" in one.option_id]
    before = game.history.done[-1].before
    game.do(Undo())
    assert game.table == before, "one undo takes back the throw and its end"


def test_one_that_can_buy_stays_open() -> None:
    """C-62, DET-3, TASK-11: Momentum of the Task or the pool, Determination, a success at a cost."""
    assert thrown(1, 2).task.momentum_left
    saved = Game(momentum=2)
    saved.declare(saved.okafor, rerolls=())
    saved.throw(3, 18)
    assert saved.task.phase is TaskPhase.SPENDING
    inspired = Game()
    inspired.declare(inspired.okafor, rerolls=())
    inspired.throw(19, 18)
    assert inspired.task.phase is TaskPhase.SPENDING
    assert thrown(19, 18, may_succeed_at_cost=True).task.phase is TaskPhase.SPENDING


def test_a_misread_die_of_a_task_that_is_over_is_put_right_and_opens_it_again() -> None:
    game = thrown(3, 18)
    assert correctable(game.table).places == (0, 1)
    game.do(CorrectScoredDie(position=1, face=2))
    assert (game.task.phase, game.task.momentum_left) == (TaskPhase.SPENDING, 1)
    assert [one.die.face for one in game.task.dice] == [3, 2]
    assert game.last_said.terse == "Success, 1 Momentum. Corrected from 18 to 2."
    game.do(FinishSpending())
    assert game.table.momentum == 1
    game.refused(CorrectScoredDie(position=1, face=18), "CD-2")
    assert correctable(game.table).places == ()


def test_one_that_stays_without_anything_to_buy_is_over_again() -> None:
    game = thrown(19, 18)
    game.do(CorrectScoredDie(position=0, face=17))
    assert game.table.task is None
    assert game.table.last_task is not None
    assert [one.die.face for one in game.table.last_task.dice] == [17, 18]


def test_its_complications_are_settled_at_once_and_go_with_a_die_that_was_no_twenty() -> None:
    game = thrown(20, 18)
    assert (game.task.phase, game.task.complications_open) == (TaskPhase.COMPLICATIONS, 1)
    game.do(CorrectScoredDie(position=0, face=2))
    assert game.table.task is None
    assert game.table.last_task is not None
    assert game.table.last_task.outcome is not None
    assert (game.table.last_task.outcome.success, game.table.last_task.complications_open) == (True, 0)
    game = thrown(20, 18)
    game.do(TakeComplication())
    assert correctable(game.table).places == (), "somebody has settled it"
    assert game.refused(CorrectScoredDie(position=0, face=2), "CD-2")


def test_until_the_next_declaration() -> None:
    game = thrown(3, 18)
    game.declare(game.okafor)
    assert correctable(game.table).places == ()
    game.do(Undo())
    assert correctable(game.table).places == (0, 1)
    game.do(StartScene())
    assert correctable(game.table).places == ()


def test_challenge_dice_of_before_hold_nothing_up_and_those_of_after_end_it() -> None:
    game = thrown(3, 18)
    game.do(DeclareChallenge(count=2))
    game.do(reading(challenge_die(1), challenge_die(2)))
    game.do(CloseChallenge())
    assert correctable(game.table).places == (), "they were declared since"
    game.refused(CorrectScoredDie(position=1, face=2), "CD-2")
    game.declare(game.brack, rerolls=(), difficulty=1)
    game.throw(3, 18)
    assert correctable(game.table).places == (0, 1)
    game.do(CorrectScoredDie(position=1, face=2))
    assert game.task.momentum_left == 1


def test_a_hit_that_asks_something_is_settled_before_a_die_is_put_right() -> None:
    game = thrown(3, 18, ruleset=Ruleset.SECOND_EDITION)
    game.do(StrikeShip(ship_id=game.ship, damage=20, reason="a storm", system=System.SENSORS))
    assert game.table.agenda
    assert correctable(game.table).places == ()


def test_the_next_in_line_begins_without_a_tap() -> None:
    game = Game()
    game.declare(game.brack, rerolls=(), difficulty=1)
    waits = Declaration(character_id=game.okafor, attribute=Attribute.CONTROL, discipline=Discipline.CONN)
    game.do(LineUp(declaration=waits))
    game.throw(19, 18)
    assert game.task.declaration.character_id == game.okafor


def test_what_a_fight_is_about_is_left_to_its_owner() -> None:
    """C-61: an action has more to it than its dice."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.declare(game.okafor)
    game.throw(19, 18)
    assert game.task.phase is TaskPhase.SPENDING


def contest(
    first: tuple[int, int],
    second: tuple[int, int],
    *,
    by: tuple[str, str] = ("reed", "brack"),
    house: TableOptions | None = None,
) -> Game:
    """Reed, who has no Value, and Brack throw against each other; the pools buy nothing."""
    game = Game(options=house)
    game.do(AdjustPool(pool=Pool.THREAT, change=-game.table.threat))
    reed = game.character("Reed", player_id=game.table.players[0].player_id, values=())
    active, reactive = ({"reed": reed, "brack": game.brack}[one] for one in by)
    game.declare(active, opposed=True, rerolls=(), difficulty=1)
    if house is None:
        game.throw(*first)
    game.declare(reactive, rerolls=(), difficulty=1)
    game.throw(*second)
    if house is not None:
        game.do(ThrowAgainst())
        game.throw(*first)
    return game


REACTIVE_FIRST = TableOptions(opposed_reactive_first=True)


@pytest.mark.parametrize("by", [("reed", "brack"), ("brack", "reed")])
def test_who_lost_an_opposed_task_ends_by_itself_and_the_winner_spends(by: tuple[str, str]) -> None:
    """OPP-2, C-62: nobody has to say first that the loser has nothing to buy."""
    game = contest((1, 2), (19, 18), by=by)
    winner = by[0].capitalize()
    assert (game.task.who, game.task.phase, game.task.momentum_left) == (winner, TaskPhase.SPENDING, 2)
    assert game.last_said.terse == f"{winner} wins with 2 Momentum."
    spends = next(one for one in options(game.table) if one.option_id == "finish_spending")
    assert spends.label.startswith("Done: ")
    before = game.history.done[-1].before
    game.do(Undo())
    assert game.table == before, "one undo takes back the throw and its end"


def test_where_the_loser_threw_first_and_where_the_active_side_throws_last_as_well() -> None:
    """OPP-1, C-42."""
    game = contest((19, 18), (1, 2))
    assert (game.task.who, game.task.momentum_left) == ("Brack", 2)
    game.do(FinishSpending())
    assert game.table.task is None
    game = contest((19, 18), (1, 2), house=REACTIVE_FIRST)
    assert (game.task.who, game.task.phase, game.task.momentum_left) == ("Brack", TaskPhase.SPENDING, 3)
    assert [one.face for one in correctable(game.table).dice] == [19, 18], "those that fell last"


@pytest.mark.parametrize(("first", "second", "said"), [
    ((19, 18), (18, 19), "Neither side wins."),
    ((3, 18), (18, 19), "Reed wins without Momentum."),
    ((19, 18), (3, 18), "Brack wins without Momentum."),
])  # fmt: skip
def test_where_nothing_was_won_both_sides_are_over(first: tuple[int, int], second: tuple[int, int], said: str) -> None:
    """OPP-1, OPP-3."""
    game = contest(first, second)
    assert game.table.task is None
    assert game.last_said.terse == said
    assert {one.phase for one in (game.table.last_task, game.table.last_opponent) if one} == {TaskPhase.CLOSED}
    made = len(game.history.done)
    game.do(FinishSpending())
    assert len(game.history.done) == made, "who says so all the same is not refused, and nothing happens"


def test_a_loser_who_may_throw_again_chooses_for_themselves() -> None:
    """DET-3."""
    game = Game()
    game.declare(game.brack, opposed=True, rerolls=())
    game.throw(1, 2)
    game.declare(game.okafor, rerolls=())
    game.throw(19, 18)
    assert (game.task.who, game.task.phase) == ("Okafor", TaskPhase.SPENDING)
    assert [one for one in options(game.table) if one.option_id.startswith("reroll_dice")]


@pytest.mark.parametrize(("first", "second"), [((1, 2), (19, 18)), ((19, 18), (18, 19)), ((3, 18), (18, 20))])
def test_a_misread_die_of_whoever_threw_last_is_put_right(first: tuple[int, int], second: tuple[int, int]) -> None:
    """OPP-1, TASK-3: both sides are compared anew, and a Complication goes with a die that brought none."""
    game = contest(first, second)
    found = correctable(game.table)
    assert (found.places, [one.face for one in found.dice]) == ((0, 1), list(second))
    threw_last = found.number
    game.do(CorrectScoredDie(position=0, face=1))
    game.do(CorrectScoredDie(position=1, face=1))
    assert (game.task.who, game.task.phase, game.task.number) == ("Brack", TaskPhase.SPENDING, threw_last)
    assert game.table.opposed is not None
    assert (game.table.opposed.who, game.table.complications_waiting) == ("Reed", ())
    game.do(CorrectScoredDie(position=0, face=second[0]))
    game.do(CorrectScoredDie(position=1, face=second[1]))
    again = contest(first, second)
    assert (game.table.task, game.table.complications_waiting) == (again.table.task, again.table.complications_waiting)


def test_it_is_put_right_until_the_winner_has_bought_something_or_is_done() -> None:
    for decides in (MakeSpend(spend=Spend.OBTAIN_INFORMATION), FinishSpending()):
        game = contest((1, 2), (19, 18))
        game.do(decides)
        assert correctable(game.table).places == ()
        game.do(Undo())
        assert correctable(game.table).places == (0, 1)
    game = contest((19, 18), (18, 19))
    game.declare(game.okafor)
    assert correctable(game.table).places == ()


def test_the_winners_complication_that_somebody_settled_keeps_the_losers_dice() -> None:
    game = contest((3, 20), (18, 19))
    assert (game.task.who, game.task.phase) == ("Reed", TaskPhase.COMPLICATIONS)
    assert correctable(game.table).places == (0, 1)
    game.do(TakeComplication())
    assert correctable(game.table).places == ()


def test_the_losers_complication_waits_and_holds_nobody_up() -> None:
    """TASK-7, THR-3."""
    game = contest((1, 2), (20, 18))
    assert (game.task.who, game.task.phase) == ("Reed", TaskPhase.SPENDING)
    (waits,) = game.table.complications_waiting
    assert (waits.who, waits.left) == ("Brack", 1)
    game.do(TakeComplication(number=waits.number))
    assert correctable(game.table).places == (), "somebody has settled it"
    game.do(FinishSpending())
    assert game.table.task is None


def test_a_loser_who_leaves_the_dice_keeps_nobody_waiting_for_their_complication() -> None:
    """DET-3: who could have thrown again says that the dice stay; the winner spends at once."""
    game = Game()
    game.declare(game.brack, opposed=True, rerolls=())
    game.throw(1, 2)
    game.declare(game.okafor, rerolls=())
    game.throw(19, 20)
    game.do(FinishSpending())
    assert (game.task.who, game.task.phase) == ("Brack", TaskPhase.SPENDING)
    assert [one.who for one in game.table.complications_waiting] == ["Okafor"]


def test_in_a_fight_the_defenders_dice_are_put_right_in_that_turn_alone() -> None:
    """ATK-2, TURN-1."""
    game = Brawl()
    game.fight(game.guard, reach=(game.guard, game.brack))
    game.threat(0)
    game.attack(game.guard, game.brack)
    game.throw(19, 18)
    game.defend(game.brack)
    game.throw(18, 19)
    assert game.table.task is None, "neither hit, and nobody can throw again"
    assert correctable(game.table).places == (0, 1)
    game.do(CorrectScoredDie(position=0, face=1))
    assert (game.task.who, game.task.phase) == ("Brack", TaskPhase.SPENDING)
    game.do(Undo())
    game.do(EndTurn())
    assert correctable(game.table).places == ()
    game.do(BeginTurn(combatant_id=game.okafor))
    assert correctable(game.table).places == ()


def test_outside_of_a_fight_work_that_failed_holds_nobody_up() -> None:
    """EXT-T1: it has done nothing; work that succeeded goes on with its Challenge Dice."""
    for faces, who in (((19, 18), "Okafor"), ((3, 18), "Reed")):
        game = Game()
        reed = game.character("Reed", player_id=game.table.players[0].player_id, values=())
        game.do(BeginExtendedTask(label="Mend the relay", work=8, magnitude=2, difficulty=1))
        track = game.table.extended[0].track_id
        game.do(
            DeclareTask(
                declaration=Declaration(
                    character_id=reed,
                    attribute=Attribute.CONTROL,
                    discipline=Discipline.ENGINEERING,
                    action=Action(name="extended", target_id=track),
                )
            )
        )
        waits = Declaration(character_id=game.okafor, attribute=Attribute.CONTROL, discipline=Discipline.CONN)
        game.do(LineUp(declaration=waits))
        game.throw(*faces)
        assert game.task.who == who
    game = thrown(19, 18)
    assert game.table.task is None


def test_in_a_fight_a_shot_that_missed_is_put_right_in_its_turn_alone() -> None:
    """ATK-2, TURN-1: its owner has said that they are done, and it is as a hit again."""
    for ends in (EndTurn(), EndConflict()):
        game = Brawl()
        game.fight(game.okafor)
        game.attack(game.okafor, game.brack, "phaser_type_2")
        game.throw(19, 18)
        game.do(FinishSpending())
        assert correctable(game.table).places == (0, 1)
        game.do(ends)
        assert correctable(game.table).places == ()
        game.refused(CorrectScoredDie(position=0, face=1), "CD-2")


def test_after_a_fight_the_next_contest_is_put_right_as_ever() -> None:
    """OPP-1, TASK-3."""
    game = Brawl()
    game.fight(game.guard)
    game.do(EndConflict())
    game.declare(game.guard, opposed=True, rerolls=())
    game.throw(19, 18)
    game.declare(game.brack, rerolls=())
    game.throw(18, 19)
    assert game.table.task is None
    assert correctable(game.table).places == (0, 1)


def test_the_active_side_is_asked_for_its_dice_once_those_before_stand() -> None:
    """C-42: nobody has to say that the other side throws now, unless dice may be thrown again first."""
    for who, waits in (("reed", False), ("okafor", True)):
        game = Game(options=REACTIVE_FIRST)
        people = {"reed": game.character("Reed", values=()), "okafor": game.okafor}
        game.declare(game.brack, opposed=True, rerolls=())
        game.declare(people[who], rerolls=())
        game.throw(5, 18)
        assert (game.table.request is None) is waits, who
        assert "Brack throws against Difficulty 1." in game.last_said.terse
        if not waits:
            assert (game.task.who, game.task.difficulty) == ("Brack", 1)
            game.do(Undo())
            assert game.task.who == "Reed", "one undo takes back the throw and what followed"


def test_the_sides_of_two_contests_are_told_apart() -> None:
    """OPP-1: those of the one before keep each other while the next is decided and in hand."""
    game = contest((3, 18), (18, 19))
    game.declare(game.brack, opposed=True, rerolls=())
    game.throw(1, 2)
    game.declare(game.okafor, rerolls=())
    game.throw(19, 18)
    table = game.table
    for one, other in ((table.task, table.opposed), (table.last_task, table.last_opponent)):
        assert one is not None
        assert other is not None
        assert one.opposed_winner is other.opposed_winner is OpposedWinner.ACTIVE
        assert (other_side(table, one), other_side(table, other)) == (other, one)
    game.do(FinishSpending())
    table = game.table
    assert table.task is not None
    assert table.last_task is not None
    assert (table.task.who, other_side(table, table.task)) == ("Brack", table.last_task)
    assert other_side(table, table.last_task) == table.task
