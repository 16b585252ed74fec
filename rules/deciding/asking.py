"""Deciding what the gamemaster asks of a character: a Task that can be declared as it is asked for.

In: commands of the gamemaster. Out: a declaration beside the table's Task, which its player's own declaration ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rules import commands_asking as ca
from rules import events_asking as ea
from rules.deciding.declaring import checked
from rules.deciding.draft import Draft, find_character, require_ready
from rules.errors import Refusal
from rules.state import Declaration


def ask_for_task(draft: Draft, command: ca.AskForTask) -> None:
    """Ask a character for a Task, in place of what it was asked before. Refuses what no Task can have."""
    require_ready(draft.table)
    character = find_character(draft.table, command.character_id)
    wanted = Declaration(
        character_id=character.character_id,
        attribute=command.attribute,
        discipline=command.discipline,
        focus=command.focus,
        label=command.label,
        difficulty=command.difficulty,
        complication_range=command.complication_range,
        opposed=command.opposed,
    )
    wanted = checked(draft.table, wanted, reactive=False)
    if wanted in draft.table.asked:
        return
    draft.record(ea.TaskAsked(who=character.name, declaration=wanted))


def take_back_asking(draft: Draft, command: ca.TakeBackAsking) -> None:
    """End what a character is asked for. Refuses where it is asked for nothing."""
    character = find_character(draft.table, command.character_id)
    if all(one.character_id != character.character_id for one in draft.table.asked):
        raise Refusal("TASK-10", "{who} is not asked for a Task.", who=character.name)
    draft.record(ea.AskingTakenBack(who=character.name, character_id=character.character_id))


DECIDERS: Final[Mapping[type, Callable[[Draft, Any], None]]] = {
    ca.AskForTask: ask_for_task,
    ca.TakeBackAsking: take_back_asking,
}
"""What decides each command about Tasks that are asked for."""
