"""The spoken menu's tables of the books: a table is chosen, then each row is heard.

What an option buys is said with it in full, from the same rows.
"""

from __future__ import annotations

from kiosk.panel.spoken_places import Facts, Level, LevelEntry, Rules, RulesOf
from rules.game import Option, ReferenceRow, Topic, profile, reference, reference_row, row_about
from rules.words import NOTHING, Phrase, say, sentences, spoken


def rules(facts: Facts, _: Rules) -> Level:
    """Every table of the books, as this table plays them."""
    tables = reference(profile(facts.table)).values()
    return Level(say("About what?"), tuple(_entry(one.topic, one.heading) for one in tables))


def rules_of(facts: Facts, where: RulesOf) -> Level:
    """Each row of one table, said as it is chosen."""
    table = reference(profile(facts.table)).get(where.topic)
    if table is None:
        return Level("", ())
    rows = (LevelEntry(key=one.key, label=spoken(one.label), tell=one.said) for one in table.rows)
    return Level(say("{heading}.", heading=table.heading), tuple(rows))


def meaning(facts: Facts, option: Option) -> Phrase:
    """What an option buys or does, in full; empty where no table of the books says it."""
    ruled = profile(facts.table)
    found = row_about(ruled, option.command)
    return _meant(reference_row(ruled, *found)) if found is not None else NOTHING


def of_difficulty(facts: Facts, difficulty: int) -> Phrase:
    """What a Difficulty feels like; empty beyond those that the books have words for."""
    return _meant(reference_row(profile(facts.table), Topic.DIFFICULTY, str(difficulty)))


def _entry(topic: Topic, heading: Phrase) -> LevelEntry:
    return LevelEntry(key=topic.value, label=heading, go=RulesOf(topic))


def _meant(row: ReferenceRow | None) -> Phrase:
    return sentences(row.meaning) if row is not None else NOTHING
