"""Deciding what Determination and Values do (DET-1 to DET-7)."""

from __future__ import annotations

from rules import commands as c
from rules import events as e
from rules.deciding.draft import Draft, find_character, profile, require_text
from rules.deciding.setting_up import record_trait
from rules.deciding.turns.budget import surge_refused
from rules.determination import Benefit, spend_determination, use_value_against
from rules.errors import Refusal
from rules.phrases import say, worded
from rules.state import Character, Table
from rules.vocabulary import TaskPhase, TraitKind, ValueAction

_AFTER_THE_DICE = frozenset({TaskPhase.SPENDING, TaskPhase.COMPLICATIONS})


def value_applies(character: Character, value: str) -> bool:
    """Whether a Value of the character was cited (DET-1). Refuses one that is not theirs or is struck out."""
    if not value:
        return False
    for one in character.values:
        if one.text == value:
            if one.struck:
                raise Refusal("DET-7", "That Value is struck out until it is rewritten; cite another.")
            return True
    raise Refusal(
        "DET-1", "That is not a Value of {character}; cite one of those on the card.", character=character.name
    )


def change_determination(draft: Draft, character: Character, change: int, reason: str, value: str) -> None:
    """Record a change of a character's Determination, if it is one."""
    if change:
        draft.record(
            e.DeterminationChanged(
                character_id=character.character_id,
                name=character.name,
                change=change,
                after=character.determination + change,
                reason=reason,
                value=value,
            )
        )


def spend_on(draft: Draft, character: Character, benefit: Benefit, value: str) -> None:
    """Pay one point for a benefit (DET-1). Refuses without a Value that applies or without a point."""
    after = spend_determination(character.determination, benefit, value_applies=value_applies(character, value))
    words = worded(benefit)
    change_determination(draft, character, after - character.determination, words, value)


def surge_of_activity(draft: Draft, command: c.SurgeOfActivity) -> None:
    """DET-4: right after their Task, the character may begin another."""
    character = find_character(draft.table, command.character_id)
    if not _just_acted(draft.table, character.character_id):
        raise Refusal("DET-4", "A Surge of Activity follows a Task of the same character; act first.")
    if draft.table.surge_for:
        raise Refusal("DET-4", "A further Task is already granted; declare it.")
    why = surge_refused(draft.table, character.character_id)
    if why is not None:
        raise Refusal("DET-4", why)
    spend_on(draft, character, Benefit.SURGE_OF_ACTIVITY, command.value)
    draft.record(e.SurgeGained(character_id=character.character_id, name=character.name))


def _just_acted(table: Table, character_id: str) -> bool:
    task = table.task
    if task is None:
        task = table.last_task
    elif task.phase not in _AFTER_THE_DICE:
        return False
    return task is not None and task.declaration.character_id == character_id


def make_it_so(draft: Draft, command: c.MakeItSo) -> None:
    """DET-5: an Advantage for the scene at once."""
    character = find_character(draft.table, command.character_id)
    advantage = require_text(command.advantage, say("the Advantage in words"))
    spend_on(draft, character, Benefit.MAKE_IT_SO, command.value)
    record_trait(draft, advantage, TraitKind.ADVANTAGE)


def use_value(draft: Draft, command: c.UseValueAgainst) -> None:
    """DET-6, DET-7: a Value gets in the way for a Complication, or is challenged and struck out."""
    character = find_character(draft.table, command.character_id)
    if not value_applies(character, command.value):
        raise Refusal("DET-6", "Say which Value gets in the way or is challenged.")
    use = use_value_against(
        character.determination,
        command.action,
        profile(draft.table),
        challenged_this_session=character.challenged_this_session,
    )
    complication = ""
    if command.action is ValueAction.ACCEPT_COMPLICATION:
        complication = require_text(command.complication, say("the Complication in words"))
    words = say("a Value got in the way") if complication else say("a Value was challenged")
    change_determination(draft, character, use.determination - character.determination, words, command.value)
    if complication:
        record_trait(draft, complication, TraitKind.COMPLICATION)
    if not use.value_usable:
        draft.record(e.ValueChallenged(character_id=character.character_id, name=character.name, value=command.value))
