"""How the stage names people, ships and things in little room."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from rules.game import Standing, Table
from rules.words import Phrase, altered, worded

_SHORTEST_NAME: Final = 3
"""Fewest letters of the end of a name that may stand for the whole: a guard's number is no name."""

_MOST_WORDS: Final = 3
"""Words of a name whose last is the family's; of more, or with a small word as in "Robert the Elder", nobody knows."""


def last_name(name: str, others: Iterable[str]) -> str:
    """The last word of `name` if that is a name and tells it from the others, otherwise the whole."""
    words = name.split()
    if "," in name or name.endswith(".") or len(words) > _MOST_WORDS or any(one.islower() for one in words):
        return name
    last = name.rpartition(" ")[2]
    told_apart = all(one.rpartition(" ")[2] != last for one in others)
    return last if told_apart and len(last) >= _SHORTEST_NAME and last[0].isalpha() else name


def called(name: str, players: Collection[str], everybody: Iterable[str]) -> str:
    """A player's character by the last name where nobody else at the table has it; anybody else by the whole name."""
    return last_name(name, (one for one in everybody if one != name)) if [*players].count(name) == 1 else name


def known_as(table: Table, name: str) -> str:
    """The name as `called` gives it among the people and ships of this table."""
    players = [one.name for one in table.characters if one.standing is Standing.PLAYER]
    return called(name, players, [*(one.name for one in table.characters), *(one.name for one in table.ships)])


def titled(word: str) -> Phrase:
    """A word of the closed sets as a person writes it: `create_advantage` -> `Create advantage`."""
    return altered(worded(word.lower()), _as_title)


def _as_title(words: str) -> str:
    return re.sub(r"\bnpc\b", "NPC", words[:1].upper() + words[1:])


def those_said(*lines: str) -> tuple[str, ...]:
    """The lines that say something."""
    return tuple(line for line in lines if line)


def name_of(table: Table, its_id: str) -> str:
    """The name of a character or ship; empty if it is no longer at the table."""
    named = {one.ship_id: one.name for one in table.ships} | {one.character_id: one.name for one in table.characters}
    return named.get(its_id, "")
