"""The words of the vocabulary, for those who translate: what is said of attributes, systems and the like.

In: nothing. Out: the English words of every member that is ever said, as phrases; `rules.words` finds a member's
words in another language by its English ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from rules.dice import Symbol
from rules.state.vocabulary import Attribute, Benefit, Discipline, Range, System, Terrain, TraitKind
from rules.words import Phrase, say


def grammatical(system: System) -> int:
    """The number in which a system's name stands: one for "the structure is", several for "the engines are"."""
    return 1 if system is System.STRUCTURE else 2


RANGE_WORDS: Final[Mapping[Range, Phrase]] = MappingProxyType(
    {
        Range.CLOSE: say("close range"),
        Range.MEDIUM: say("medium range"),
        Range.LONG: say("long range"),
        Range.EXTREME: say("extreme range"),
    }
)
"""The words for each distance as the reason of a modifier."""


TOLD: Final[Mapping[type[StrEnum], tuple[Phrase, ...]]] = MappingProxyType(
    {
        Attribute: (
            say("control"),
            say("daring"),
            say("fitness"),
            say("insight"),
            say("presence"),
            say("reason"),
        ),
        Discipline: (
            say("command"),
            say("conn"),
            say("security"),
            say("engineering"),
            say("science"),
            say("medicine"),
        ),
        System: (
            say("communications"),
            say("computers"),
            say("engines"),
            say("sensors"),
            say("structure"),
            say("weapons"),
        ),
        Terrain: (
            say("open space"),
            say("planetary gravity well"),
            say("dust cloud"),
            say("debris field"),
            say("stellar gravity well"),
            say("dense nebula"),
            say("comet tail"),
            say("singularity"),
            say("strange anomaly"),
        ),
        TraitKind: (say("trait"), say("advantage"), say("complication")),
        Benefit: (
            say("perfect opportunity"),
            say("moment of inspiration"),
            say("surge of activity"),
            say("make it so"),
            say("ignore injury"),
        ),
        Symbol: (say("blank"), say("effect")),
    }
)
"""Every word of a vocabulary that is said, in its order; an underscore is said as a space."""


STATIONS: Final[tuple[Phrase, ...]] = (
    say("command"),
    say("communications"),
    say("helm"),
    say("internal"),
    say("navigation"),
    say("operations"),
    say("security"),
    say("sensors"),
    say("tactical"),
)
"""Where a bridge crew sits, in both editions."""


WEAPON_TRAITS: Final[tuple[Phrase, ...]] = (
    say("accurate"),
    say("area"),
    say("calibration"),
    say("charge"),
    say("cumbersome"),
    say("dampening"),
    say("deadly"),
    say("debilitating"),
    say("devastating"),
    say("grenade"),
    say("hidden"),
    say("high yield"),
    say("inaccurate"),
    say("intense"),
    say("knockdown"),
    say("non lethal"),
    say("persistent"),
    say("piercing"),
    say("spread"),
    say("versatile"),
    say("vicious"),
)
"""What weapons are like and do, in both editions: their effects and qualities (EFF, QUAL, SWPN, SQUAL)."""


CONDITIONS: Final[tuple[Phrase, ...]] = (say("operational"), say("damaged"), say("disabled"), say("destroyed"))
"""How a system is (BRCH-1)."""
