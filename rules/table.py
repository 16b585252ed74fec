"""The table's two functions: what a command makes happen, and what the table is afterwards.

`decide` is asked, `evolve` is told. State is a fold of the events; nothing else changes it.
"""

from __future__ import annotations

from typing import Final

from rules.conflict import playbook as conflict
from rules.deciding.decision import Command, Draft, Event, bound
from rules.errors import OutOfRangeError, Refusal
from rules.ships import playbook as ships
from rules.ships.first import playbook as first_ships
from rules.ships.second import playbook as second_ships
from rules.state.table import Table
from rules.tasks import ending, line
from rules.tasks import playbook as tasks

PLAYBOOK: Final = bound(
    tasks.PLAYBOOK,
    conflict.PLAYBOOK,
    ships.PLAYBOOK,
    first_ships.PLAYBOOK,
    second_ships.PLAYBOOK,
    ending.PLAYBOOK,
    line.PLAYBOOK,
)
"""The playbook of every table, made of the parts that the rooms bring."""


def decide(table: Table, command: Command, *, goes_on: bool = False) -> tuple[Event, ...]:
    """What `command` makes happen at `table`; no events where it changes nothing.

    Where the decision `goes_on` with another command, nothing ends or begins by itself yet.

    Raises `Refusal` with the rule that forbids it; nothing has happened then. Undo and redo are asked of
    `rules.history`.
    """
    draft = Draft(table, PLAYBOOK)
    try:
        command.decide(draft)
        for decided in PLAYBOOK.decided:
            decided(table, draft, command)
        for ends in () if goes_on else PLAYBOOK.ends:
            ends(table, draft)
    except OutOfRangeError as problem:
        raise Refusal("SETUP", "That number has no meaning here: {problem}.", problem=str(problem)) from problem
    return tuple(draft.events)


def evolve(table: Table, event: Event) -> Table:
    """The table after `event`. Never fails on an event that `decide` produced."""
    return event.fold(table)
