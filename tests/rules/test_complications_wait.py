"""Of an Opposed Task that sets off damage the loser's Complications come once the damage is settled (C-61)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.legal.offers import options
from rules.legal.trial import correctable
from rules.state.options import TableOptions
from rules.state.table import Table
from rules.state.vocabulary import RerollReason, Spend, TaskPhase
from rules.tasks.actions import FollowThrough, succeeded
from rules.tasks.second_throws import CorrectScoredDie, RerollDice
from rules.tasks.settling import FinishSpending, MakeSpend, TakeComplication
from rules.tasks.task_dice import ThrowAgainst
from rules.undo import Undo
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet, replayed
from tests.rules.tabletop import Game

REACTIVE_FIRST = TableOptions(opposed_reactive_first=True)


def melee(attacker: tuple[int, int], defender: tuple[int, int], *, options: TableOptions | None = None) -> Brawl:
    """Okafor attacks Brack with a knife, and Brack defends with his blade."""
    game = Brawl(options=options)
    game.fight(game.okafor, reach=(game.okafor, game.brack))
    game.attack(game.okafor, game.brack, "knife")
    if options is None:
        game.throw(*attacker)
    game.defend(game.brack, "blade")
    game.throw(*defender)
    if options is not None:
        game.do(ThrowAgainst())
        game.throw(*attacker)
    return game


def whose(game: Brawl) -> tuple[str, TaskPhase]:
    return game.task.who, game.task.phase


def test_the_losers_complication_waits_until_the_damage_is_settled() -> None:
    """C-61, TASK-10: who won goes on at once; then the loser's, with all that it can be settled by."""
    game = melee((1, 1), (20, 19))
    assert whose(game) == ("Okafor", TaskPhase.SPENDING)
    game.refused(TakeComplication(), "TASK-10")
    game.do(FollowThrough())
    game.throw_challenge(2, 1, 3, 3)
    game.settle()
    game.do(FinishSpending())
    assert whose(game) == ("Brack", TaskPhase.COMPLICATIONS)
    assert "1 Complication of Brack to settle." in game.last_said.terse
    assert {"take_complication", "buy_off_complication"} <= {one.option_id for one in options(game.table)}
    game.do(TakeComplication(name="Off balance"))
    assert game.table.task is None
    assert "Off balance" in [one.name for one in game.table.traits]
    assert replayed(game) == game.table


def test_who_won_may_have_complications_of_their_own() -> None:
    """C-61: each side's after the damage, the winner's first."""
    game = melee((1, 20), (20, 19))
    game.do(FollowThrough())
    game.throw_challenge(1, 3, 3, 3)
    game.settle()
    game.do(FinishSpending())
    assert whose(game) == ("Okafor", TaskPhase.COMPLICATIONS)
    game.do(TakeComplication())
    assert whose(game) == ("Brack", TaskPhase.COMPLICATIONS)
    game.do(TakeComplication())
    assert game.table.task is None


def test_who_defends_and_wins_strikes_before_the_attackers_complication() -> None:
    """C-61: as it was."""
    game = melee((20, 19), (1, 2))
    assert whose(game) == ("Brack", TaskPhase.SPENDING)
    game.do(FollowThrough())
    game.throw_challenge(1, 3, 3, 3, 3)
    game.settle()
    game.do(FinishSpending())
    assert whose(game) == ("Okafor", TaskPhase.COMPLICATIONS)


def test_where_the_reactive_side_throws_first_the_winner_goes_on_as_well() -> None:
    """C-42, C-61: the attacker is in hand when all dice are thrown."""
    game = melee((20, 19), (1, 2), options=REACTIVE_FIRST)
    assert whose(game) == ("Okafor", TaskPhase.SPENDING)
    game.do(FinishSpending())
    assert whose(game) == ("Brack", TaskPhase.SPENDING)
    game.do(FollowThrough())
    game.throw_challenge(1, 3, 3, 3, 3)
    game.settle()
    game.do(FinishSpending())
    assert whose(game) == ("Okafor", TaskPhase.COMPLICATIONS)


def test_a_ship_is_hit_before_its_helms_complication() -> None:
    """C-61, S2E-H4."""
    game = Fleet()
    game.act("evasive_action", game.lindqvist)
    game.act("fire", game.raider, target_id=game.ship)
    game.throw(1, 1)
    game.throw(1)
    game.do(next(one.command for one in options(game.table) if one.option_id == "declare_task:evade"))
    game.throw(19, 20)
    game.throw(19)
    game.do(FinishSpending())
    assert (game.task.who, game.task.phase) == ("Black Comet", TaskPhase.SPENDING)
    game.follow()


def test_of_a_contest_without_damage_the_losers_complication_is_open_at_once_and_nobody_waits_for_it() -> None:
    """OPP-1, TASK-7."""
    game = Brawl()
    game.declare(game.okafor, opposed=True)
    game.throw(1, 1)
    game.declare(game.brack, rerolls=())
    game.throw(20, 19)
    assert whose(game) == ("Okafor", TaskPhase.SPENDING)
    (waits,) = game.table.complications_waiting
    assert (waits.who, waits.left) == ("Brack", 1)
    assert f"take_complication:{waits.number}" in {one.option_id for one in options(game.table)}
    game.do(MakeSpend(spend=Spend.OBTAIN_INFORMATION))
    game.do(TakeComplication(number=waits.number))
    assert whose(game) == ("Okafor", TaskPhase.SPENDING)


def test_dice_of_whoever_lost_are_put_right_until_the_winner_goes_on() -> None:
    """OPP-1: with the Complication that waits; nothing is thrown again, and undo goes back before what follows."""
    game = melee((1, 1), (20, 19))
    game.refused(RerollDice(positions=(0,), reason=RerollReason.INSPIRATION), "OPP-1")
    game.do(CorrectScoredDie(position=0, face=18))
    assert whose(game) == ("Okafor", TaskPhase.SPENDING)
    assert game.table.opposed is None, "Brack has no Complication any more"
    assert replayed(game) == game.table
    game.do(Undo())
    before = game.table
    game.do(FollowThrough())
    game.refused(CorrectScoredDie(position=0, face=18), "TASK-10")
    game.do(Undo())
    assert game.table == before


def strikes_first(table: Table) -> bool:
    """Whether damage is still to come, of the Task in hand or of the one that waits."""
    if table.attack is not None or table.agenda:
        return True
    return any(one is not None and succeeded(one) and not one.followed for one in (table.task, table.opposed))


@pytest.mark.parametrize("first", [None, REACTIVE_FIRST])
@given(dice=st.lists(st.sampled_from([1, 8, 19, 20]), min_size=4, max_size=4))
def test_no_complication_is_open_to_be_settled_before_the_damage(first: TableOptions | None, dice: list[int]) -> None:
    """C-61, whatever is thrown."""
    game = melee((dice[0], dice[1]), (dice[2], dice[3]), options=first)
    for _ in range(20):
        task = game.table.task
        if task is None:
            break
        if task.phase is TaskPhase.COMPLICATIONS:
            assert not strikes_first(game.table)
            game.do(TakeComplication())
        elif succeeded(task) and not task.followed:
            game.do(FollowThrough())
            game.throw_challenge(*([3] * (game.table.request.count if game.table.request is not None else 0)))
            game.settle()
        else:
            game.do(FinishSpending())
    assert game.table.task is None


def test_a_complication_is_taken_at_once_and_momentum_is_spent_after_it() -> None:
    game = Game()
    game.declare(difficulty=1)
    game.throw(1, 20)
    left = game.task.momentum_left
    offered = {one.option_id: one for one in options(game.table)}
    assert left
    assert {"take_complication", "buy_off_complication"} <= set(offered)
    game.do(offered["take_complication"].command)
    assert (game.task.phase, game.task.momentum_left, game.task.complications_open) == (TaskPhase.SPENDING, left, 0)
    assert correctable(game.table).places == (), "its dice stand from then on"
    assert not [one for one in options(game.table) if one.option_id.startswith("reroll")]
    game.do(FinishSpending())
    assert (game.table.task, game.table.momentum) == (None, left)


def test_of_an_attack_a_complication_waits_for_the_damage() -> None:
    """C-61: what follows the dice comes first."""
    game = Brawl()
    game.fight(game.okafor)
    game.attack(game.okafor, game.brack, "phaser_type_2")
    game.throw(1, 20)
    game.refused(TakeComplication(), "TASK-10")
    assert "take_complication" not in {one.option_id for one in options(game.table)}
