"""Special abilities of creatures, as a table: what each is called, and what its number means (NPC-2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rules.errors import Refusal
from rules.state.people import Ability, Character
from rules.state.vocabulary import Attribute
from rules.words import say, worded


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityRow:
    """One special ability: `number` says what its X is, `about` what its note names; empty where it has none."""

    name: str
    label: str
    meaning: str
    number: str = ""
    about: str = ""


_TABLE: Final = (
    AbilityRow(
        name="extraordinary_attribute", label=say("Extraordinary Attribute"), number=say("automatic successes"),
        about=say("the attribute"), meaning=say("so many successes come on top of each roll with that attribute"),
    ),
    AbilityRow(
        name="fast_recovery", label=say("Fast Recovery"), number=say("Stress regained"),
        meaning=say("regains Stress when its Turn begins, and may lose an Injury then for 2 Threat"),
    ),
    AbilityRow(
        name="immune", label=say("Immune"), about=say("what it is immune to"), meaning=say("is not harmed by that"),
    ),
    AbilityRow(
        name="invulnerable", label=say("Invulnerable"), about=say("its weakness, if it has one"),
        meaning=say("loses Stress but takes no Injury"),
    ),
    AbilityRow(
        name="staggered", label=say("Staggered"),
        meaning=say("loses its next Turn in place of an Injury it would take"),
    ),
    AbilityRow(
        name="wrathful", label=say("Wrathful"), meaning=say("adds 2 Threat in place of an Injury it would take"),
    ),
    AbilityRow(
        name="machine", label=say("Machine"), number=say("Resistance"),
        meaning=say("has Resistance, suffers neither vacuum nor hunger, and heat and cold are 2 easier for it"),
    ),
    AbilityRow(name="menacing", label=say("Menacing"), meaning=say("adds 1 Threat when it enters a scene")),
    AbilityRow(name="night_vision", label=say("Night Vision"), meaning=say("darkness makes nothing harder for it")),
    AbilityRow(
        name="threatening", label=say("Threatening"), number=say("its own Threat"),
        meaning=say("has Threat of its own in each scene"),
    ),
)  # fmt: skip
"""Every special ability of NPCs and creatures (NPC-2)."""


ABILITIES: Final[Mapping[str, AbilityRow]] = MappingProxyType({one.name: one for one in _TABLE})
"""Every special ability by name (NPC-2)."""


MACHINE_IMMUNITIES: Final = frozenset({"suffocation", "vacuum", "starvation", "thirst"})
"""Damage Effects that do a Machine no harm (NPC-2)."""


LARGEST_NUMBER: Final = 20
"""The largest number of an ability; more is a slip of the finger."""


def require_ability(ability: Ability) -> Ability:
    """The ability if the table has it and its number makes sense. Refuses another (NPC-2)."""
    row = ABILITIES.get(ability.name)
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
    if ability.name == "extraordinary_attribute" and ability.note not in set(Attribute):
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
        if one.name == "extraordinary_attribute" and one.note == attribute.value
    )
