"""The disputed points of the rules that a table may settle for itself: words for each option, and its form field.

The fields themselves come from `rules.state.TableOptions`; a test holds that each has its words here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from rules.rulesets import PROFILES
from rules.state import TableOptions
from rules.vocabulary import Ruleset

RULESETS: Final = {
    Ruleset.CORE_1E: "First edition, core",
    Ruleset.STARTER: "First edition, starter set",
    Ruleset.SECOND_EDITION: "Second edition",
}
"""The rulesets' names for a person."""

PREFIX: Final = "house_"
"""Begins the name of each option's form field."""

WORDS: Final[dict[str, tuple[str, str]]] = {
    "determination_first": (
        "Determination die bought first",
        "Whether a bonus die paid with Determination has to be bought before all others.",
    ),
    "bonus_price_counts_all": (
        "Free dice raise the price",
        "Whether dice from Determination and Talents make the next bought die dearer, as bought dice do.",
    ),
    "inspiration_subset": (
        "Inspiration for chosen dice",
        "Whether a Moment of Inspiration may throw only some dice again. If not, it throws all of them.",
    ),
    "surge_difficulty": (
        "Difficulty of a second Task",
        "Added to the Difficulty of the extra Task that Determination buys.",
    ),
    "create_problem_cap": (
        "Most steps of Create Problem",
        "How far Create Problem may raise one Task's Difficulty. 0 means no limit.",
    ),
    "momentum_decay": ("Momentum lost after a scene", "What the group's pool loses when a scene ends."),
    "bonus_momentum_saved": (
        "Bonus Momentum can be saved",
        "Whether bonus Momentum may go to the group's pool. If not, it is spent at once or lost.",
    ),
    "price_complications_buyoff": (
        "Complications taken as a price can be bought off",
        "Whether Threat waives a Complication that someone accepted in exchange for something.",
    ),
    "opposed_reactive_first": (
        "Reactive side throws first",
        "Whether the reactive side of an Opposed Task throws first and so sets the Difficulty.",
    ),
    "determination_start": ("Determination at the start", "What each new character begins with."),
    "determination_maximum": ("Most Determination", "The most that a character can hold."),
}
"""For each option its label and what it decides."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One option as a form shows it; `choice` is False where a number is asked for."""

    name: str
    label: str
    meaning: str
    choice: bool
    usual: str
    """What each ruleset does, in words."""


def house_rules() -> tuple[HouseRule, ...]:
    """Every option there is, in the rules' own order."""
    return tuple(
        HouseRule(PREFIX + one.name, *WORDS[one.name], choice="bool" in str(one.type), usual=_usual(one.name))
        for one in fields(TableOptions)
    )


def in_play(options: Mapping[str, Any]) -> list[str]:
    """The options that a table has set apart from its ruleset, in words."""
    chosen = {one.name: options[one.name] for one in fields(TableOptions) if options[one.name] is not None}
    if chosen.get("create_problem_cap") == 0:
        chosen["create_problem_cap"] = None
    return [f"{WORDS[name][0]}: {_shown(value)}" for name, value in chosen.items()]


def _usual(name: str) -> str:
    shown = {named: _shown(getattr(PROFILES[ruleset], name)) for ruleset, named in RULESETS.items()}
    if len(set(shown.values())) == 1:
        return f"Every ruleset: {next(iter(shown.values()))}."
    return " ".join(f"{named}: {words}." for named, words in shown.items())


def _shown(value: bool | int | None) -> str:  # noqa: FBT001 - a value to be shown, whatever it is
    if value is None:
        return "no limit"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
