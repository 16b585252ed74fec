"""What undo calls each decision."""

from __future__ import annotations

from typing import Final

from rules.narrating import fighting, ships, ships2e, turns
from rules.phrases import Phrase, say, worded

_COMMAND_WORDS: Final[dict[str, Phrase]] = {
    "set_up_table": say("setting up the table"),
    "change_options": say("the change of the table's rules"),
    "report_reading": say("the dice that were read"),
    "enter_dice": say("the dice that were entered"),
    "correct_die": say("the correction of a die"),
    "drop_die": say("leaving out a die"),
    "dismiss_throw": say("setting the throw aside"),
    "correct_scored_die": say("the correction of a die"),
    "attach_free_roll": say("counting the free roll"),
    "declare_task": say("declaring the Task"),
    "show_hidden_roll": say("showing the hidden roll"),
    "ask_for_task": say("the Task asked for"),
    "take_back_asking": say("taking back what was asked for"),
    "buy_die": say("buying a die"),
    "create_problem": say("the problem created"),
    "withdraw_task": say("taking the Task back"),
    "throw_against": say("the active side's turn to throw"),
    "declare_challenge": say("declaring Challenge Dice"),
    "reroll_dice": say("throwing dice again"),
    "reroll_challenge": say("throwing Challenge Dice again"),
    "succeed_at_cost": say("the success at a cost"),
    "make_spend": say("the spend"),
    "finish_spending": say("finishing the spending"),
    "take_complication": say("taking the Complication"),
    "buy_off_complication": say("buying off the Complication"),
    "close_challenge": say("closing the Challenge roll"),
    "surge_of_activity": say("the Surge of Activity"),
    "make_it_so": say("Make It So"),
    "use_value_against": say("the use of a Value"),
    "adjust_pool": say("the change of a pool"),
    "gain_threat": say("the Threat gained"),
    "spend_threat": say("the Threat spent"),
    "end_effect": say("the end of what lasted"),
    "add_player": say("adding a player"),
    "remove_player": say("taking a player off the table"),
    "save_character": say("the change of a character"),
    "remove_character": say("taking a character off the table"),
    "save_ship": say("the change of a ship"),
    "remove_ship": say("taking a ship off the table"),
    "start_session": say("starting the session"),
    "start_scene": say("starting the scene"),
    "add_trait": say("adding the trait"),
    "remove_trait": say("taking the trait away"),
    **fighting.COMMANDS,
    **turns.COMMANDS,
    **ships.COMMANDS,
    **ships2e.COMMANDS,
    "begin_extended_task": say("beginning the Extended Task"),
    "end_extended_task": say("giving up the Extended Task"),
    "adopt_house_tables": say("adopting the house tables"),
}


def command_words(command: str) -> Phrase:
    """What was decided, as a phrase that fits after "take back": the command's name in plain words."""
    return _COMMAND_WORDS.get(command) or worded(command)
