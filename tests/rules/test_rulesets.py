from __future__ import annotations

import re
from copy import copy
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any

import pytest

from rules.deciding.checks import profile
from rules.errors import Refusal
from rules.rulesets.options import OPTION_ROWS
from rules.rulesets.profiles import DISPUTED_ACTIONS, FORMS, PROFILES, Profile, profile_of
from rules.ships.stations import station_action
from rules.state.options import TableOptions
from rules.state.table import Table
from rules.state.vocabulary import Ruleset


def differences(first: Profile, second: Profile) -> set[str]:
    return {one.name for one in fields(Profile) if getattr(first, one.name) != getattr(second, one.name)}


def test_each_ruleset_is_the_one_before_with_its_own_differences() -> None:
    """BUY-5, DET-3, POOL-7, ACT-1, ACT-5, S2E-O3."""
    starter, core, second = (PROFILES[ruleset] for ruleset in Ruleset)
    assert differences(starter, core) == {
        "ruleset", "determination_first", "inspiration_subset", "create_problem_cap", "extra_minor_cost", "task_cap",
        "direct_use", "cover_eases_recover", "sprint_at_cost", *FORMS,
    }  # fmt: skip
    assert differences(core, second) == {
        "ruleset", "direct_use", "direct_with_control", "npc_ship_shortcut", "torpedo_adds_threat",
        "range_and_aim_penalties", "extended_progress", "help_for_a_turn", "ship_rerolls", "terrain_is_paid",
        "seats_are_counted", "seats_change_at_once", "cited", *FORMS,
    }  # fmt: skip


def other_than(value: object) -> object:
    """Another value of the same kind."""
    if isinstance(value, StrEnum):
        return next(one for one in type(value) if one is not value)
    return not value if isinstance(value, bool) else 7


@pytest.mark.parametrize("ruleset", list(Ruleset))
def test_a_table_without_options_plays_its_ruleset(ruleset: Ruleset) -> None:
    assert profile_of(ruleset) is PROFILES[ruleset]
    assert profile_of(ruleset, TableOptions()) is PROFILES[ruleset]


@pytest.mark.parametrize("option", [one.name for one in fields(TableOptions)])
def test_each_option_takes_the_rulesets_place(option: str) -> None:
    before = PROFILES[Ruleset.CORE_1E]
    value: Any = other_than(getattr(before, option))
    assert differences(profile_of(Ruleset.CORE_1E, replace(TableOptions(), **{option: value})), before) == {option}


@pytest.mark.parametrize("option", ["create_problem_cap", "task_cap"])
def test_a_limit_of_0_is_none(option: str) -> None:
    """POOL-7, TURN-5 (C-8, C-9)."""
    unlimited: dict[str, Any] = {option: 0}
    assert getattr(profile_of(Ruleset.CORE_1E, TableOptions(**unlimited)), option) is None


def test_every_option_has_its_words_and_its_place_in_the_profile() -> None:
    names = [one.name for one in fields(TableOptions)]
    assert list(OPTION_ROWS) == names
    assert set(names) <= {one.name for one in fields(Profile)}
    for row in OPTION_ROWS.values():
        assert re.fullmatch(r"C-\d+", row.rule)
        assert row.label
        assert row.meaning.endswith(".")


def test_a_table_may_take_single_actions_from_another_ruleset() -> None:
    """STN-22, S2E-T7, C-47: the form of an action that is played."""
    mixed = profile_of(Ruleset.CORE_1E, TableOptions(tractor_beam_as=Ruleset.SECOND_EDITION))
    assert station_action("tractor_beam", mixed).rule == "S2E-T7"
    assert station_action("evasive_action", mixed).rule == "STN-14"
    assert {mixed.edition_of(name) for name in ("impulse", "rally", "warp")} == {Ruleset.CORE_1E}
    assert set(DISPUTED_ACTIONS.values()) == set(FORMS)


def test_each_table_plays_its_own_rules_and_asks_for_them_once() -> None:
    """To look a profile up by what a house has settled took a tenth of a menu's time."""
    printed = Table(ruleset=Ruleset.CORE_1E)
    own = Table(ruleset=Ruleset.CORE_1E, options=TableOptions(task_cap=3))
    second = Table(ruleset=Ruleset.SECOND_EDITION)
    for table in (printed, own, second, own, printed):
        assert profile(table) == profile_of(table.ruleset, table.options, table.house)
    before = profile_of.cache_info()
    assert profile(printed) is profile(replace(printed, momentum=3))
    assert profile_of.cache_info() == before


def test_a_refusal_keeps_its_rule_when_it_is_copied() -> None:
    refusal = copy(Refusal("RULE", "Throw two."))
    assert (refusal.rule, refusal.message, str(refusal)) == ("RULE", "Throw two.", "Throw two.")
