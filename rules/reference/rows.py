"""The rows of the books' tables: with their rule, label, meaning and price.

In: words and numbers of the rooms. Out: `ReferenceTable` values, as `rules.reference.book` gathers them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.deciding.telling import Narration, NarrationKind, ended, same
from rules.state.people import WeaponTrait
from rules.words import NOTHING, Phrase, capitalized, joined_by, say, sentences, spoken, worded


class Topic(StrEnum):
    """What a table of the books is about."""

    DIFFICULTY = "difficulty"
    COMPLICATION_RANGE = "complication_range"
    BONUS_DICE = "bonus_dice"
    MOMENTUM = "momentum"
    DETERMINATION = "determination"
    THREAT_GAINS = "threat_gains"
    THREAT_SPENDS = "threat_spends"
    TRAITS = "traits"
    CIRCUMSTANCES = "circumstances"
    RANGES = "ranges"
    ACTIONS = "actions"
    WEAPONS = "weapons"
    WEAPON_EFFECTS = "weapon_effects"
    WEAPON_QUALITIES = "weapon_qualities"
    INJURIES = "injuries"
    ABILITIES = "abilities"
    CREWS = "crews"
    STATIONS = "stations"
    SHIP_WEAPONS = "ship_weapons"
    SHIP_EFFECTS = "ship_effects"
    SHIP_QUALITIES = "ship_qualities"
    TERRAIN = "terrain"
    SYSTEMS_HIT = "systems_hit"
    BREACH_CAUSES = "breach_causes"
    BREACHES = "breaches"
    CONDITIONS = "conditions"
    IMPACTS = "impacts"
    SHAKEN = "shaken"
    LASTING = "lasting"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRow:
    """One row. `key` is its own within its table, `rule` the rule that it stands in.

    `label` is a name; it may be a house's own. `meaning` and `price` are whole sentences, empty where there is none.
    """

    key: str
    rule: str
    label: str
    meaning: Phrase
    price: Phrase = NOTHING

    @property
    def said(self) -> Phrase:
        """The row as it is read aloud."""
        return sentences(ended(spoken(self.label)), self.meaning, self.price)

    @property
    def told(self) -> Narration:
        """The row for a voice; as long as it is, in every length."""
        return same(self.said, NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceTable:
    """A table of the books: its heading and its rows, in the rules' own order."""

    topic: Topic
    heading: Phrase
    rows: tuple[ReferenceRow, ...]

    def row(self, key: str) -> ReferenceRow | None:
        """The row of that key; None where it has none."""
        return next((one for one in self.rows if one.key == key), None)


def named(name: str) -> Phrase:
    """The name of a table or of the vocabulary as a label: "Dust cloud"."""
    return capitalized(worded(name))


def trait_label(name: str, *, numbered: bool) -> Phrase:
    """An effect or a quality as a label, with an X where it has a number."""
    return say("{name} X", name=named(name)) if numbered else named(name)


def traits_words(traits: tuple[WeaponTrait, ...]) -> Phrase:
    """Effects or qualities as a weapon has them: "Vicious 1, Deadly"."""
    return joined_by(", ", [trait_words(one.name, str(one.amount or "")) for one in traits])


def trait_words(name: str, number: str = "") -> Phrase:
    """An effect or a quality as a weapon has it, with its number where it has one: "Piercing 2"."""
    return say("{name} {number}", name=named(name), number=number) if number else named(name)
