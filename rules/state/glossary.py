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


SPEND_WORDS: Final[Mapping[str, Phrase]] = MappingProxyType(
    {
        "create_advantage": say("Create Advantage"),
        "create_opportunity": say("Create Opportunity"),
        "create_problem": say("Create Problem"),
        "obtain_information": say("Obtain Information"),
        "bonus_damage": say("Bonus Damage"),
        "disarm": say("Disarm"),
        "extra_minor_action": say("Extra Minor Action"),
        "keep_initiative": say("Keep the Initiative"),
        "penetration": say("Penetration"),
        "reroll_damage": say("Re-Roll Damage"),
        "avoid_injury": say("Avoid an Injury"),
        "secondary_target": say("Secondary Target"),
        "swift_task": say("Swift Task"),
        "regain_stress": say("Regain Stress"),
        "sprint_on": say("Sprint On"),
        "back_in_action": say("Back in Action"),
        "devastating_attack": say("Devastating Attack"),
        "power_loss": say("Power Loss"),
        "added_damage": say("Added Damage"),
        "counter_hit": say("Counter-hit"),
        "more_shields": say("More Shields"),
        "more_power": say("More Power"),
        "more_resistance": say("More Resistance"),
        "better_course": say("Better Course"),
        "more_hazards": say("More Hazards"),
    }
)
"""What each Momentum spend is called, by its name: journals keep the name alone."""


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
