"""Special abilities of creatures: which there are, and what a number of theirs comes to (NPC-2)."""

from __future__ import annotations

from typing import Final

from rules.deciding.decision import Playbook
from rules.deciding.rows import AbilityRow
from rules.errors import Refusal
from rules.state.people import Ability, Character
from rules.state.vocabulary import Attribute
from rules.words import say, worded

EXTRAORDINARY_ATTRIBUTE: Final = AbilityRow(
    name="extraordinary_attribute", label=say("Extraordinary Attribute"), number=say("automatic successes"),
    about=say("the attribute"), meaning=say("so many successes come on top of each roll with that attribute"),
)  # fmt: skip
"""Successes on top of each roll with one attribute (NPC-2)."""

ROWS: Final = (EXTRAORDINARY_ATTRIBUTE,)
"""The special abilities that tell on Tasks of any kind; creatures bring the others."""

LARGEST_NUMBER: Final = 20
"""The largest number of an ability; more is a slip of the finger."""


def require_ability(playbook: Playbook, ability: Ability) -> Ability:
    """The ability if the playbook has it and its number makes sense. Refuses another (NPC-2)."""
    row = playbook.ability_rows.get(ability.name)
    if row is None:
        name = worded(ability.name)
        raise Refusal("NPC-2", "No special ability is called {name}; choose one of those listed.", name=name)
    if not 0 <= ability.amount <= LARGEST_NUMBER:
        raise Refusal(
            "NPC-2",
            "{ability} goes up to {most}; choose a smaller number.",
            ability=row.label,
            most=LARGEST_NUMBER,
        )
    if row is EXTRAORDINARY_ATTRIBUTE and ability.note not in set(Attribute):
        raise Refusal("NPC-2", "Say which attribute is extraordinary, by its name.")
    return ability


def amount_of(character: Character, name: str) -> int:
    """The number X of an ability, 1 where it has none, 0 where the character lacks it (NPC-2)."""
    return max((one.amount or 1 for one in character.abilities if one.name == name), default=0)


def automatic_successes(character: Character, attribute: Attribute) -> int:
    """Successes that come on top of a roll with `attribute` (NPC-2, Extraordinary Attribute X)."""
    return sum(
        one.amount
        for one in character.abilities
        if one.name == EXTRAORDINARY_ATTRIBUTE.name and one.note == attribute.value
    )
