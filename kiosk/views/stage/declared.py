"""A Task that somebody has declared, and the dial that says how hard the next one is."""

from __future__ import annotations

from msgspec.structs import replace

from kiosk.views.stage.asked import wide_range
from kiosk.views.stage.names import name_of, those_said, titled
from kiosk.views.stage.turn import while_waiting
from kiosk.views.stage.values import StageFact, StageView
from rules.game import (
    DIFFICULTY_WORDS,
    Declaration,
    Side,
    Table,
    TaskPhase,
    dial_words,
    difficulty_as_it_is,
    last_result,
    named_opponent,
    spends_dial,
    turn_is_lost,
)
from rules.words import Phrase, joined_by, say


def with_dial(table: Table, shown: StageView) -> StageView:
    """`shown` with the gamemaster's settings, where a Task may start from them now.

    They are large if nothing else is shown, and in place of an outcome that nobody spends on any more, but for Work on
    an Extended Task; else beneath what is shown.
    """
    dial = table.dial
    if dial is None or not dial_counts(table):
        return shown
    over = last_result(table)
    # The dice of Work have just been thrown, and no Task was in hand then; Progress comes without dice.
    at_work = over is not None and over.work is not None and bool(over.work.dice)
    if table.conflict is None and table.task is None and shown.kind == "outcome" and not table.asked and not at_work:
        shown = while_waiting(table)
    if table.conflict is None and shown.kind == "idle":
        word = DIFFICULTY_WORDS[dial.difficulty] if dial.difficulty < len(DIFFICULTY_WORDS) else ""
        fact = StageFact(say("Difficulty of the next Task"), str(dial.difficulty), note=word)
        return replace(
            shown, lines=those_said(*shown.lines, wide_range(dial.complication_range)), facts=(fact, *shown.facts)
        )
    return replace(shown, next=(*shown.next, dial_words(table)))


def dial_counts(table: Table) -> bool:
    """Whether a Task that is declared now would start from what the gamemaster has set.

    Not while dice are awaited or looked at, a choice is open, or the other side has its Task to come. In a conflict
    the rules set the Difficulty of most Tasks, so only a player who has the Turn may still declare one.
    """
    task, conflict = table.task, table.conflict
    if table.dial is None or spends_dial(table) or table.request or table.held or table.agenda:
        return False
    if conflict is None:
        return task is None or task.phase is not TaskPhase.AWAITING_OPPOSITION
    turn = conflict.turn
    return task is None and turn is not None and turn.side is Side.PC and not turn.tasks and not turn_is_lost(table)


def in_line_words(table: Table, declaration: Declaration) -> Phrase:
    """Who stands in line, and for what."""
    told = asked_for_words(table, declaration)
    return joined_by(": ", [told, declaration.label]) if declaration.label else told


def asked_for_words(table: Table, wanted: Declaration) -> Phrase:
    """The Task that the gamemaster asks for, shown beside an outcome that is still being read."""
    attribute, discipline = wanted.skills
    return say(
        "{who}, {attribute} + {discipline}, Difficulty {difficulty}",
        who=name_of(table, wanted.character_id) or say("somebody who left"),
        attribute=titled(attribute),
        discipline=titled(discipline),
        difficulty=difficulty_as_it_is(table, wanted),
    )


def task_asked_for(table: Table, wanted: Declaration) -> StageView:
    """The Task that the gamemaster asks a character for, until it is declared."""
    one = next((each for each in table.characters if each.character_id == wanted.character_id), None)
    attribute, discipline = wanted.skills
    facts = [StageFact(say("Difficulty"), str(wanted.difficulty))]
    if one is not None:
        target = getattr(one.attributes, attribute) + getattr(one.disciplines, discipline)
        facts.insert(0, StageFact(say("Target Number"), str(target)))
    return StageView(
        kind="idle",
        who=one.name if one is not None else "",
        word=say("{attribute} + {discipline}", attribute=titled(attribute), discipline=titled(discipline)),
        lines=those_said(wanted.label, _against_named(table, wanted), say("The gamemaster asks for this Task.")),
        facts=tuple(facts),
    )


def _against_named(table: Table, wanted: Declaration) -> Phrase | str:
    """Whom a Task is against, where the gamemaster named them."""
    other = named_opponent(table, wanted)
    return say("Against {who}.", who=other) if other else ""
