"""What the folds of all events share: characters changed in place, throws taken in, readings remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules.dice import DieReading, SourceKind
from rules.state.changing import replace
from rules.state.people import Character
from rules.state.table import Table
from rules.state.tasks import Declaration, FreeRoll, LastThrow, Task
from rules.state.thrown import ThrownDie

SEEN_READINGS_KEPT: Final = 128
"""How many reading ids a table remembers; a source repeats its latest ones after a break, not its oldest."""


def seen(table: Table, reading_id: str) -> tuple[str, ...]:
    """The reading ids to remember once this one is taken in, newest last."""
    if not reading_id or reading_id in table.seen_readings:
        return table.seen_readings
    return (*table.seen_readings, reading_id)[-SEEN_READINGS_KEPT:]


def attached(table: Table, reading_id: str) -> tuple[FreeRoll, ...]:
    """The free rolls, with the one of that reading marked as counted."""
    return tuple(replace(roll, attached=True) if roll.reading_id == reading_id else roll for roll in table.free_rolls)


def last_throw(source: SourceKind, dice: tuple[DieReading, ...] | tuple[ThrownDie, ...]) -> LastThrow:
    """The last throw, for recognising another source's view of the same dice."""
    return LastThrow(
        source=source,
        kinds=tuple(die.kind for die in dice),
        faces=tuple(die.face for die in dice),
        weak=any(die.weak for die in dice),
    )


def with_character(table: Table, character_id: str, change: Callable[[Character], Character]) -> Table:
    """The table with one character changed."""
    return replace(
        table,
        characters=tuple(change(one) if one.character_id == character_id else one for one in table.characters),
    )


def counted_throw(table: Table, reading_id: str, source: SourceKind, thrown: tuple[ThrownDie, ...]) -> Table:
    """The table once an awaited throw is taken in."""
    return replace(
        table,
        request=None,
        held=None,
        seen_readings=seen(table, reading_id),
        free_rolls=attached(table, reading_id),
        last_throw=last_throw(source, thrown),
    )


def heeds_dial(task: Task) -> bool:
    """Whether a Task that is still to be thrown is one whose Difficulty the gamemaster says.

    It is a player's, no other rule sets its Difficulty, and no other side's Task does.
    """
    return is_plain(task.declaration) and not task.npc and not task.reactive and task.outcome is None


def spends_dial(table: Table) -> bool:
    """Whether what the gamemaster has set is for the Task in hand, and not for the next one."""
    task, dial = table.task, table.dial
    return task is not None and heeds_dial(task) and (dial is None or dial.after != task.number)


def is_plain(declared: Declaration) -> bool:
    """Whether no other rule sets the Difficulty of a Task: it names no action, or the one that is what people say."""
    return declared.action is None or declared.action.name == "other"


def without_asking(table: Table, character_id: str) -> tuple[Declaration, ...]:
    """The requests at `table` to everybody except this character."""
    return tuple(one for one in table.asked if one.character_id != character_id)


def without_opponent(table: Table, its_id: str) -> Table:
    """The table once a character or a ship's crew is gone: nobody's Task that is to come names them (OPP-1)."""

    def cleared(several: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
        return tuple(replace(one, opponent_id="") if one.opponent_id == its_id else one for one in several)

    return replace(table, asked=cleared(table.asked), in_line=cleared(table.in_line))
