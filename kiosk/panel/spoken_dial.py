"""The spoken menu's dial: how hard the gamemaster makes the next Task, and how risky; see docs/declaring.md.

Each half is set by itself. What it stands at already is not offered.
"""

from __future__ import annotations

from kiosk.panel.spoken_places import DialHalf, DialLevel, Facts, Level, LevelEntry
from kiosk.panel.spoken_reference import of_difficulty
from rules.game import (
    DIFFICULTY_WORDS,
    RANGE_WORDS,
    SetComplicationRange,
    SetDifficulty,
    dial_now,
    dialled,
    difficulty_words,
)
from rules.words import Phrase, say, spoken


def dial_entry(facts: Facts) -> LevelEntry:
    """The entry that leads to the dial; in full length it says whose the dial is."""
    return LevelEntry(
        key="dial", label=_about(facts), more=say("For the gamemaster."), go=DialLevel(DialHalf.DIFFICULTY)
    )


def dial(facts: Facts, where: DialLevel) -> Level:
    """Each step of one half, and from the Difficulty the way to the range and to leaving it to the players."""
    if facts.locked:
        return Level("", ())
    return _ranges(facts) if where.half is DialHalf.RANGE else _difficulties(facts)


def _about(facts: Facts) -> Phrase:
    task = dialled(facts.table)
    if task is not None:
        return say("Set how hard {who}'s Task is", who=spoken(task.who))
    return say("Set how hard the next Task is")


def _difficulties(facts: Facts) -> Level:
    table, now = facts.table, dial_now(facts.table).difficulty
    entries = [
        LevelEntry(
            key=str(one),
            label=difficulty_words(one),
            more=of_difficulty(facts, one),
            command=SetDifficulty(difficulty=one),
        )
        for one in range(len(DIFFICULTY_WORDS))
        if one != now or not _is_set(facts)
    ]
    entries.append(LevelEntry(key="range", label=say("Complication range"), go=DialLevel(DialHalf.RANGE)))
    if table.dial is not None and dialled(table) is None:
        label = say("Leave it to the players")
        entries.append(LevelEntry(key="open", label=label, command=SetDifficulty(difficulty=None)))
    return Level(say("{heading}.", heading=_about(facts)), tuple(entries))


def _ranges(facts: Facts) -> Level:
    now = dial_now(facts.table).complication_range
    entries = tuple(
        LevelEntry(
            key=str(one),
            label=say("Complication range {width}", width=one),
            more=words,
            command=SetComplicationRange(complication_range=one),
        )
        for one, words in RANGE_WORDS.items()
        if one != now or not _is_set(facts)
    )
    return Level(say("{heading}.", heading=say("Complication range")), entries)


def _is_set(facts: Facts) -> bool:
    """Whether the dial stands at anything: the Task in hand has its own, else what the gamemaster has set."""
    return facts.table.dial is not None or dialled(facts.table) is not None
