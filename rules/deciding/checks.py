"""Common checks of decisions: who is meant, whether a text fits, whether something is still open."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from rules.errors import Refusal
from rules.rulesets.profiles import Profile, profile_of
from rules.state.house import HouseTables
from rules.state.options import TableOptions
from rules.state.people import Character
from rules.state.ships import Ship, crew_of
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.vocabulary import Ruleset, Side, Standing, TaskPhase
from rules.words import Phrase, either, say


def acting_id(table: Table) -> str:
    """The id of who acts now: whom a chain's step affects, or whose Task or Turn it is; empty if nobody's."""
    if table.agenda:
        return table.agenda[0].subject_id or table.agenda[0].by_id
    if table.task is not None:
        return table.task.declaration.character_id
    turn = table.conflict.turn if table.conflict is not None else None
    return (turn.guest_id or turn.combatant_id) if turn is not None else ""


LONGEST_TEXT: Final = 200
"""The longest label or note in characters; longer ones are refused rather than cut."""

LONGEST_NAME: Final = 60
"""The longest name of a player, a character or a ship in characters: more than anybody's, and it fits every screen."""

A_NAME: Final[Mapping[str, object]] = MappingProxyType({"longest": LONGEST_NAME})
"""The metadata of a command's field that holds such names, so that all who take it from outside know the limit."""


_Asked: TypeAlias = tuple[Ruleset, TableOptions, HouseTables, Profile]
"""A profile, after what it was asked for by."""

_asked_last: list[_Asked] = []
"""The last profile, cached: every decision on a table needs the same one, hundreds of times."""


def profile(table: Table) -> Profile:
    """The rules that this table plays: its ruleset, its house's tables, its own options."""
    for ruleset, options, house, found in _asked_last:  # compared by identity, because comparing values is slow
        if ruleset is table.ruleset and options is table.options and house is table.house:
            return found
    found = profile_of(table.ruleset, table.options, table.house)
    _asked_last[:] = [(table.ruleset, table.options, table.house, found)]
    return found


def is_npc(character: Character) -> bool:
    """NPC-1: NPCs pay in Threat and save nothing."""
    return character.standing is not Standing.PLAYER


def conflict_side(table: Table, combatant_id: str) -> Side:
    """Someone's side in the conflict, or without one the side of who controls them."""
    combatant = table.conflict.combatant(combatant_id) if table.conflict is not None else None
    if combatant is not None:
        return combatant.side
    return Side.NPC if is_npc(find_character(table, combatant_id)) else Side.PC


def require_text(text: str, what: str) -> str:
    """The text without outer spaces. Refuses an empty or overlong one, naming `what` it should say."""
    return _given(text, what, LONGEST_TEXT)


def require_name(text: str, what: str) -> str:
    """As `require_text`, for the name of a player, a character or a ship: of at most `LONGEST_NAME` characters."""
    return _given(text, what, LONGEST_NAME)


def _given(text: str, what: str, most: int) -> str:
    cleaned = text if isinstance(text, Phrase) else " ".join(text.split())
    if not cleaned:
        raise Refusal("SETUP", "Please give {what}.", what=what)
    return short_text(cleaned, what, most)


def nothing_awaited(table: Table) -> str:
    """The refusal of dice: that none are awaited, and what to do instead."""
    task = table.task
    if table.agenda:
        return say("No dice are awaited; answer first what the table asks for.")
    if task is not None and task.phase is TaskPhase.AWAITING_OPPOSITION:
        return say("No dice are awaited; the other side of the Opposed Task is declared or throws first.")
    if task is not None and task.phase is TaskPhase.SPENDING:
        return say("No dice are awaited; go on with the Task in hand, or finish its spending.")
    if task is not None and task.phase is TaskPhase.COMPLICATIONS:
        return say("No dice are awaited; settle the Complications of the Task in hand.")
    return say("No dice are awaited; declare a roll first.")


def short_text(text: str, what: str, most: int = LONGEST_TEXT) -> str:
    """The text without outer spaces, empty allowed. Refuses one of more than `most` characters.

    Words of the program stay as they are, so that they can be said in each language.
    """
    if isinstance(text, Phrase):
        return text
    cleaned = " ".join(text.split())
    if len(cleaned) > most:
        raise Refusal("SETUP", "Please shorten {what} to at most {most} characters.", what=what, most=most)
    return cleaned


def find_character(table: Table, character_id: str, rule: str = "SETUP") -> Character:
    """The character with that id, or the crew of an NPC ship with it (NSHIP-1). Refuses an unknown one by `rule`."""
    for one in table.characters:
        if one.character_id == character_id:
            return one
    for ship in table.ships:
        if ship.ship_id == character_id and ship.crew is not None:
            return crew_of(ship, ship.crew)
    raise no_such_character(table, rule)


def find_ship(table: Table, ship_id: str) -> Ship:
    """The ship with that id. Refuses an unknown one."""
    for one in table.ships:
        if one.ship_id == ship_id:
            return one
    names = either([one.name for one in table.ships])
    if not ship_id and table.ships:
        raise Refusal("SETUP", "No ship is named; choose {names}.", names=names)
    person = next((one for one in table.characters if one.character_id == ship_id), None)
    if person is not None and table.ships:
        raise Refusal("SETUP", "{name} is no ship; choose {names}.", name=person.name, names=names)
    raise no_such_ship(table)


def no_such_character(table: Table, rule: str = "SETUP") -> Refusal:
    """The refusal of somebody who is not at the table, with the people and the NPC ships' crews who are."""
    those = [one.name for one in table.characters] + [one.name for one in table.ships if one.crew is not None]
    if not those:
        return Refusal(rule, "That character is not at this table; add one first.")
    return Refusal(rule, "That character is not at this table; choose {names}.", names=either(those))


def no_such_ship(table: Table, rule: str = "SETUP") -> Refusal:
    """The refusal of a ship that is not at the table, with those that are."""
    if not table.ships:
        return Refusal(rule, "That ship is not at this table; add one first.")
    names = either([one.name for one in table.ships])
    return Refusal(rule, "That ship is not at this table; choose {names}.", names=names)


def require_ready(table: Table) -> None:
    """Refuse until the table was set up."""
    if not table.ready:
        raise Refusal("SETUP", "Set the table up first: choose a ruleset and name the players.")


def require_task(table: Table) -> Task:
    """The Task in hand. Refuses when there is none."""
    if table.task is None:
        raise Refusal("TASK-10", "No Task is in hand; declare one first.")
    return table.task


def require_spending(table: Table) -> Task:
    """The Task in hand, with its outcome known and its spending not yet finished. Refuses otherwise."""
    task = require_task(table)
    if task.phase is TaskPhase.AWAITING_DICE:
        raise Refusal("TASK-10", "The dice of this Task are still to come; throw them first.")
    if task.phase is TaskPhase.AWAITING_OPPOSITION:
        raise Refusal("OPP-1", "The other side comes first; declare its Task, or let it throw.")
    if task.phase is TaskPhase.COMPLICATIONS:
        raise Refusal("TASK-10", "Spending on this Task is finished; settle its Complications.")
    return task


def require_nothing_open(table: Table) -> None:
    """Refuse while a Task or a throw is in hand."""
    if table.task is not None:
        raise Refusal("TASK-10", "A Task is in hand; finish it or take it back first.")
    if table.request is not None and table.agenda:
        raise Refusal("TASK-10", "The table waits for dice; throw them, or take back what asked for them.")
    if table.request is not None:
        raise Refusal("TASK-10", "The table waits for dice; throw them or call the roll off first.")
    if table.agenda:
        raise Refusal("TASK-10", "Something is still to be settled; look at what the table asks for.")
