"""What the page without script shows before a Task is declared: numbers, chances, Tasks ready to declare.

The live pages ask for chances choice by choice as somebody touches them; here they stand together, for every pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from kiosk.views.stage import titled
from kiosk.web.chances import percent
from kiosk.web.presets import HARDEST_UNASKED, presets
from rules.game import (
    BASE_DICE,
    MOST_BONUS_DICE,
    Attribute,
    Character,
    Declaration,
    Discipline,
    History,
    Table,
    chance,
    pool_of,
)
from rules.words import Phrase, joined_by, say

FEWEST_DICE: Final = BASE_DICE
"""The fewest d20s of a Task, none of them bought (TASK-1)."""
MOST_DICE: Final = BASE_DICE + MOST_BONUS_DICE
"""The most d20s of a Task, with all that may be bought (BUY-1)."""

LONGEST_NUMBER: Final = 9
"""Digits of a number that is read; Python refuses thousands of them."""


def plain_odds(history: History, asked: Mapping[str, str]) -> dict[str, Any]:
    """What `text.html` shows before its form for a declaration.

    `asked` is what its visitor chose: `character`, `difficulty`, `dice` and `focus`; what makes no sense is left aside.
    `actor` is None where no character is chosen and there are several.
    """
    table = history.present
    wanted = asked.get("character") or asked.get("character_id", "")
    able = (
        table.characters
        if len(table.characters) == 1
        else [one for one in table.characters if one.character_id == wanted]
    )
    about = {
        "difficulty": _within(asked.get("difficulty", ""), 0, HARDEST_UNASKED, 1),
        "dice": _within(asked.get("dice", ""), FEWEST_DICE, MOST_DICE, FEWEST_DICE),
        "focus": asked.get("focus", "") == "yes",
    }
    actor = _actor(history, able[0], about) if able else None
    return {
        "actor": actor,
        "about": about,
        "fewest_dice": FEWEST_DICE,
        "most_dice": MOST_DICE,
        "hardest": HARDEST_UNASKED,
    }


def _within(typed: str, least: int, most: int, usual: int) -> int:
    if not (typed.isascii() and typed.isdecimal()) or len(typed) > LONGEST_NUMBER:
        return usual
    return min(most, max(least, int(typed)))


def _actor(history: History, character: Character, about: Mapping[str, Any]) -> dict[str, Any]:
    table = history.present
    numbers = {one.value: getattr(character.attributes, one) for one in Attribute}
    numbers |= {one.value: getattr(character.disciplines, one) for one in Discipline}
    return {
        "id": character.character_id,
        "name": character.name,
        "numbers": numbers,
        "tasks": [
            {
                "declaration": one.declaration,
                "words": _task_words(one.declaration),
                "chance": percent(one.chance),
                "to_win": one.to_win,
            }
            for one in presets(history, character.character_id)
        ],
        "chances": [_chances(table, character, attribute, about) for attribute in Attribute],
    }


def _task_words(declared: Any) -> Phrase:  # noqa: ANN401  # a struct made from `Declaration`
    attribute, discipline = titled(declared.attribute), titled(declared.discipline)
    pair = (
        say("{attribute} + {discipline}, focus", attribute=attribute, discipline=discipline)
        if declared.focus
        else say("{attribute} + {discipline}", attribute=attribute, discipline=discipline)
    )
    return say("{label}, {skills}", label=declared.label, skills=pair) if declared.label else pair


def _chances(table: Table, character: Character, attribute: Attribute, about: Mapping[str, Any]) -> Phrase:
    """One attribute with each discipline: "Control: Command 84 %, Conn 80 %"."""
    plain = Declaration(character_id=character.character_id, attribute=attribute, discipline=Discipline.COMMAND)
    pools = (
        (one, replace(pool_of(table, replace(plain, discipline=one, **_wanted(about))), dice=about["dice"]))
        for one in Discipline
    )
    each = [
        say("{discipline} {chance}", discipline=titled(one), chance=percent(chance(pool).chance)) for one, pool in pools
    ]
    return say("{attribute}: {chances}", attribute=titled(attribute), chances=joined_by(", ", each))


def _wanted(about: Mapping[str, Any]) -> dict[str, Any]:
    return {"difficulty": about["difficulty"], "focus": about["focus"]}
