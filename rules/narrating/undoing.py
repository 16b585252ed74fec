"""What undo calls each decision."""

from __future__ import annotations

from typing import Final

from rules.narrating import fighting, ships, ships2e, turns

_COMMAND_WORDS: Final[dict[str, str]] = {
    "set_up_table": "setting up the table",
    "change_options": "the change of the table's rules",
    "report_reading": "the dice that were read",
    "enter_dice": "the dice that were entered",
    "correct_die": "the correction of a die",
    "drop_die": "leaving out a die",
    "dismiss_throw": "setting the throw aside",
    "correct_scored_die": "the correction of a die",
    "attach_free_roll": "counting the free roll",
    "declare_task": "declaring the Task",
    "buy_die": "buying a die",
    "create_problem": "the problem created",
    "withdraw_task": "taking the Task back",
    "throw_against": "the active side's turn to throw",
    "declare_challenge": "declaring Challenge Dice",
    "reroll_dice": "throwing dice again",
    "reroll_challenge": "throwing Challenge Dice again",
    "succeed_at_cost": "the success at a cost",
    "make_spend": "the spend",
    "finish_spending": "finishing the spending",
    "take_complication": "taking the Complication",
    "buy_off_complication": "buying off the Complication",
    "close_challenge": "closing the Challenge roll",
    "surge_of_activity": "the Surge of Activity",
    "make_it_so": "Make It So",
    "use_value_against": "the use of a Value",
    "adjust_pool": "the change of a pool",
    "gain_threat": "the Threat gained",
    "spend_threat": "the Threat spent",
    **fighting.COMMANDS,
    **turns.COMMANDS,
    **ships.COMMANDS,
    **ships2e.COMMANDS,
    "begin_extended_task": "beginning the Extended Task",
    "end_extended_task": "giving up the Extended Task",
    "adopt_house_tables": "adopting the house tables",
}


def command_words(command: str) -> str:
    """What was decided, as a phrase that fits after "take back": the command's name in plain words."""
    return _COMMAND_WORDS.get(command, command.replace("_", " "))
