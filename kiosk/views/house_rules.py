"""The disputed points of the rules that a table may settle for itself, as fields of a form.

The options are the fields of `TableOptions`; their words come from `rules.game.OPTION_ROWS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, get_args, get_type_hints

from rules.game import FORMS, OPTION_ROWS, PROFILES, UNLIMITED, Ruleset, TableOptions, value_words
from rules.words import capitalized, say, sentences

RULESETS: Final = {
    Ruleset.CORE_1E: say("First edition, core"),
    Ruleset.STARTER: say("First edition, starter set"),
    Ruleset.SECOND_EDITION: say("Second edition"),
}
"""The rulesets' names for a person."""

BRINGS: Final = {
    Ruleset.CORE_1E: say("Bring d20s and Challenge Dice. All fights go by the first edition."),
    Ruleset.STARTER: say("Bring d20s and Challenge Dice. All fights go by the starter set."),
    Ruleset.SECOND_EDITION: say(
        "Bring d20s. Ships fight by the second edition; on foot you fight by the first, with Challenge Dice."
    ),
}
"""Which dice each ruleset takes, and which rules its fights go by."""

PREFIX: Final = "house_"
"""Begins the name of each option's form field."""

ON_FOOT: Final = (
    "extra_minor_cost",
    "task_cap",
    "aim_until_next_turn",
    "prone_difficulty",
    "direct_use",
    "direct_with_control",
    "pushing_on",
    "cover_eases_recover",
)
"""Options about a Turn, and about people in a fight."""

OF_SHIPS: Final = (
    "npc_role_cumulative",
    "npc_ship_shortcut",
    "persistent_is_dice",
    "fire_power",
    "impact_once_per_hit",
    "torpedo_adds_threat",
    "range_and_aim_penalties",
    "s2e_zero_replaces_quarter",
    "warp_core_compare",
)
"""Options about ships, but for those that take an action from another ruleset."""

_YES_OR_NO: Final = (("yes", say("Yes")), ("no", say("No")))
"""The answers to an option that is yes or no."""
_KINDS: Final[dict[str, type]] = {
    name: next(one for one in get_args(kind) if one is not type(None))
    for name, kind in get_type_hints(TableOptions).items()
}
"""The type of each option's value."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One option as a form shows it: `choices` are values and words to choose from, none where it is a number."""

    name: str
    label: str
    meaning: str
    choices: tuple[tuple[str, str], ...]
    usual: str
    """What each ruleset does, in words; empty where its group's `note` says it."""

    @property
    def truth(self) -> bool:
        """Whether it is answered with yes or no."""
        return self.choices == _YES_OR_NO


@dataclass(frozen=True, slots=True)
class HouseRuleGroup:
    """Options that a form shows in one fold; `note` is said once for all of them."""

    title: str
    note: str
    rules: tuple[HouseRule, ...]


def house_rules() -> tuple[HouseRule, ...]:
    """Every option there is, in the rules' own order."""
    return tuple(
        HouseRule(PREFIX + row.name, row.label, _meaning(row.name), _choices(_KINDS[row.name]), _usual(row.name))
        for row in OPTION_ROWS.values()
    )


def house_rule_groups() -> tuple[HouseRuleGroup, ...]:
    """Every option in its fold."""
    apart = {*ON_FOOT, *OF_SHIPS, *FORMS}
    folds = (
        (say("Tasks, pools and Determination"), "", [one for one in OPTION_ROWS if one not in apart]),
        (say("Fights on foot"), "", ON_FOOT),
        (say("Ships"), "", OF_SHIPS),
        (say("Actions aboard, as another ruleset has them"), say("Each ruleset has its own form of these."), FORMS),
    )
    rules = {one.name: one for one in house_rules()}
    return tuple(
        HouseRuleGroup(title, note, tuple(rules[PREFIX + one] for one in names)) for title, note, names in folds
    )


def chosen(options: Mapping[str, Any]) -> dict[str, str]:
    """The options of a table as the values of their form fields; those that follow the ruleset are left out."""
    return {PREFIX + name: _typed(options[name]) for name in OPTION_ROWS if options[name] is not None}


def any_chosen(fields: Mapping[str, str]) -> bool:
    """Whether a form's fields play one of the points otherwise than the ruleset says."""
    return any(fields.get(one.name) for one in house_rules())


def _typed(value: bool | int | str) -> str:  # noqa: FBT001 - a value of an option, whatever it is
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def in_play(options: Mapping[str, Any]) -> list[str]:
    """The options that a table has set differently from its ruleset, in words."""
    chosen = {name: options[name] for name in OPTION_ROWS if options[name] is not None}
    chosen |= {name: None for name in UNLIMITED if chosen.get(name) == 0}
    return [
        say("{rule}: {value}", rule=OPTION_ROWS[name].label, value=value_words(value)) for name, value in chosen.items()
    ]


def _meaning(name: str) -> str:
    return "" if name in FORMS else OPTION_ROWS[name].meaning


def _choices(kind: type) -> tuple[tuple[str, str], ...]:
    if issubclass(kind, StrEnum):
        return tuple((one.value, capitalized(value_words(one))) for one in kind)
    return _YES_OR_NO if kind is bool else ()


def _usual(name: str) -> str:
    if name in FORMS:
        return ""
    shown = {named: value_words(getattr(PROFILES[ruleset], name)) for ruleset, named in RULESETS.items()}
    if len(set(shown.values())) == 1:
        return say("Every ruleset: {value}.", value=next(iter(shown.values())))
    return sentences(*(say("{ruleset}: {value}.", ruleset=named, value=words) for named, words in shown.items()))
