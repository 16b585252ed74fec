"""The table's two functions: what a command makes happen, and what the table is afterwards.

`decide` is asked, `evolve` is told. State is a fold of the events; nothing else changes it.
"""

from __future__ import annotations

from typing import Final

from rules.conflict import chapter, fighting_chapter
from rules.conflict.creatures import DrawPrivateThreat, return_unspent
from rules.conflict.lasting import scene_ends
from rules.deciding.decision import Command, Draft, Event, Playbook, bound
from rules.errors import OutOfRangeError, Refusal
from rules.ships.first import chapter as first_chapter
from rules.ships.second import chapter as second_chapter
from rules.state.table import Table
from rules.tasks import extended

PLAYBOOK: Final = bound(
    Playbook(scene_ends=(scene_ends,)),
    extended.CHAPTER,
    chapter.CHAPTER,
    fighting_chapter.CHAPTER,
    first_chapter.CHAPTER,
    second_chapter.CHAPTER,
)
"""What the rooms bring to every table."""


def decide(table: Table, command: Command) -> tuple[Event, ...]:
    """What `command` makes happen at `table`; no events where it changes nothing.

    Raises `Refusal` with the rule that forbids it; nothing has happened then. Undo and redo are asked of
    `rules.history`.
    """
    draft = Draft(table, PLAYBOOK)
    try:
        command.decide(draft)
        if not isinstance(command, DrawPrivateThreat):
            return_unspent(draft)
    except OutOfRangeError as problem:
        raise Refusal("SETUP", "That number has no meaning here: {problem}.", problem=str(problem)) from problem
    return tuple(draft.events)


def evolve(table: Table, event: Event) -> Table:
    """The table after `event`. Never fails on an event that `decide` produced."""
    return event.fold(table)
