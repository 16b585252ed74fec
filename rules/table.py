"""The table's two functions: what a command makes happen, and what the table is afterwards.

`decide` is asked, `evolve` is told. State is a fold of the events; nothing else changes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rules import commands as c
from rules import commands_conflict as cc
from rules.commands_fighting import DrawPrivateThreat
from rules.deciding import (
    actions,
    adjusting,
    asking,
    challenge_rolls,
    declaring,
    extended_tasks,
    house,
    lasting,
    second_throws,
    setting_up,
    settling,
    table_options,
    task_dice,
    throwing,
    values,
)
from rules.deciding.draft import Draft
from rules.deciding.fighting import chapter as fighting
from rules.deciding.fighting.creatures import return_unspent
from rules.deciding.playbook import Chapter, bound
from rules.deciding.ships import cards
from rules.deciding.ships import chapter as ships
from rules.deciding.ships2e import chapter as ships2e
from rules.deciding.turns import chapter as turns
from rules.errors import OutOfRangeError, Refusal
from rules.evolving import FOLDS
from rules.messages import Command, Event
from rules.state import Table


def _undo(_: Draft, __: c.Undo | c.Redo) -> None:
    raise Refusal("UNDO", "A table alone cannot be taken back; ask its history.")


PLAYBOOK: Final = bound(
    Chapter(scene_ends=(lasting.scene_ends,)),
    extended_tasks.CHAPTER,
    turns.CHAPTER,
    fighting.CHAPTER,
    ships.CHAPTER,
    ships2e.CHAPTER,
)
"""What the packages of `rules.deciding` bring to every table."""

_DECIDERS: Final[dict[type, Callable[[Draft, Any], None]]] = {
    c.SetUpTable: setting_up.set_up_table,
    c.ChangeOptions: table_options.change_options,
    c.AddPlayer: setting_up.add_player,
    c.RemovePlayer: setting_up.remove_player,
    c.SaveCharacter: setting_up.save_character,
    c.RemoveCharacter: setting_up.remove_character,
    c.SaveShip: cards.save_ship,
    c.RemoveShip: cards.remove_ship,
    c.StartSession: setting_up.start_session,
    c.StartScene: setting_up.start_scene,
    c.AddTrait: setting_up.add_trait,
    c.RemoveTrait: setting_up.remove_trait,
    c.AdjustPool: adjusting.adjust_pool,
    c.GainThreat: adjusting.gain,
    c.SpendThreat: adjusting.spend,
    c.DeclareTask: declaring.declare_task,
    c.BuyDie: declaring.buy_die,
    c.CreateProblem: declaring.create_problem,
    c.WithdrawTask: declaring.withdraw_task,
    c.ThrowAgainst: task_dice.throw_against,
    c.DeclareChallenge: challenge_rolls.declare_challenge,
    c.ReportReading: throwing.report_reading,
    c.EnterDice: throwing.enter_dice,
    c.CorrectDie: throwing.correct_die,
    c.DropDie: throwing.drop_die,
    c.DismissThrow: throwing.dismiss_throw,
    c.AttachFreeRoll: throwing.attach_free_roll,
    c.CorrectScoredDie: second_throws.correct_scored_die,
    c.RerollDice: second_throws.reroll_dice,
    c.RerollChallenge: challenge_rolls.reroll_challenge,
    c.SucceedAtCost: settling.take_success_at_cost,
    c.MakeSpend: settling.make_spend,
    c.FinishSpending: settling.finish_spending,
    c.TakeComplication: settling.take_complication,
    c.BuyOffComplication: settling.buy_off_complication,
    c.CloseChallenge: challenge_rolls.close_challenge,
    c.SurgeOfActivity: values.surge_of_activity,
    c.MakeItSo: values.make_it_so,
    c.UseValueAgainst: values.use_value,
    cc.FollowThrough: actions.follow_through,
    cc.EndEffect: lasting.end_effect,
    **asking.DECIDERS,
    **extended_tasks.DECIDERS,
    **fighting.DECIDERS,
    **house.DECIDERS,
    **turns.DECIDERS,
    **ships.DECIDERS,
    **ships2e.DECIDERS,
    c.Undo: _undo,
    c.Redo: _undo,
}


def decide(table: Table, command: Command) -> tuple[Event, ...]:
    """What `command` makes happen at `table`; no events where it changes nothing.

    Raises `Refusal` with the rule that forbids it; nothing has happened then. Undo and redo are asked of
    `rules.history`.
    """
    draft = Draft(table, PLAYBOOK)
    try:
        _DECIDERS[type(command)](draft, command)
        if not isinstance(command, DrawPrivateThreat):
            return_unspent(draft)
    except OutOfRangeError as problem:
        raise Refusal("SETUP", "That number has no meaning here: {problem}.", problem=str(problem)) from problem
    return tuple(draft.events)


def evolve(table: Table, event: Event) -> Table:
    """The table after `event`. Never fails on an event that `decide` produced."""
    return FOLDS[type(event)](table, event)
