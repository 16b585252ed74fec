from __future__ import annotations

from copy import copy
from dataclasses import fields, replace
from typing import Any

import pytest

from rules.errors import Refusal
from rules.rulesets import PROFILES, Profile, profile_of
from rules.state import TableOptions
from rules.vocabulary import Ruleset


def differences(first: Profile, second: Profile) -> set[str]:
    return {one.name for one in fields(Profile) if getattr(first, one.name) != getattr(second, one.name)}


def test_each_ruleset_is_the_one_before_with_its_own_differences() -> None:
    """BUY-5, DET-3, POOL-7, ACT-1, ACT-5, S2E-O3."""
    starter, core, second = (PROFILES[ruleset] for ruleset in Ruleset)
    assert differences(starter, core) == {
        "ruleset", "determination_first", "inspiration_subset", "create_problem_cap", "extra_minor_escalates",
        "cover_eases_recover",
    }  # fmt: skip
    assert differences(core, second) == {"ruleset", "regenerate_shields_reserve"}


@pytest.mark.parametrize("ruleset", list(Ruleset))
def test_a_table_without_options_plays_its_ruleset(ruleset: Ruleset) -> None:
    assert profile_of(ruleset) is PROFILES[ruleset]
    assert profile_of(ruleset, TableOptions()) is PROFILES[ruleset]


@pytest.mark.parametrize("option", [one.name for one in fields(TableOptions)])
def test_each_option_takes_the_rulesets_place(option: str) -> None:
    before = PROFILES[Ruleset.CORE_1E]
    value: Any = not getattr(before, option) if isinstance(getattr(before, option), bool) else 7
    assert differences(profile_of(Ruleset.CORE_1E, replace(TableOptions(), **{option: value})), before) == {option}


def test_a_refusal_keeps_its_rule_when_it_is_copied() -> None:
    refusal = copy(Refusal("RULE", "Throw two."))
    assert (refusal.rule, refusal.message, str(refusal)) == ("RULE", "Throw two.", "Throw two.")
