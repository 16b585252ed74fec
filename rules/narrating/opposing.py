"""How it is told against whom a side of an Opposed Task throws, and what it needs to win (OPP-1 to OPP-3, C-42)."""

from __future__ import annotations

from rules.narrating.telling import NOTHING
from rules.opposed import expected, successes_to_win
from rules.phrases import Phrase, say, say_count
from rules.state import Table, Task
from rules.wording import spoken


def against_words(table: Table, task: Task) -> Phrase:
    """Against whom the Task in hand is thrown and how many successes win, as a sentence; empty for an unopposed one."""
    other = table.opposed
    if other is None:
        return say("Opposed: the other side throws against it.") if task.declaration.opposed else NOTHING
    who = spoken(other.who)
    if other.outcome is None:
        return say("Against {who}, who throws next.", who=who)
    successes = other.outcome.successes
    needed = to_win(table, task)
    if needed is None:
        return say_count(successes, "Against {who}: {number} success.", "Against {who}: {number} successes.", who=who)
    return say_count(
        successes,
        "Against {who}: {number} success, {needed} to win.",
        "Against {who}: {number} successes, {needed} to win.",
        who=who,
        needed=needed,
    )


def to_win(table: Table, task: Task) -> int | None:
    """How many successes the reactive side needs once the active side has thrown; None for any other Task."""
    if not task.reactive or table.opposed is None or table.opposed.outcome is None:
        return None
    return successes_to_win(table.opposed.outcome, task.difficulty)


def opponent(table: Table, task: Task) -> str:
    """The name of whoever is expected to oppose a Task: at whom it is aimed. Empty where that is nobody's alone."""
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    meant = expected(table, task)
    return names.get(meant[0], "") if len(meant) == 1 else ""
