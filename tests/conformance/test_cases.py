"""The project's own cases, and the shared collection where it lies beside the project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conformance.cases import Case, read_cases
from tests.conformance.runner import FORMS, failures

OWN = Path(__file__).with_name("own.jsonl")
SHARED = Path(__file__).parents[3] / "shared" / "conformance" / "cases.jsonl"

OF_A_ROLL = re.compile(r"(?:CD|TASK|DIFF|TRAIT|ASST|BUY|DET|OPP|POOL|THR)-\d+|RNG-2|NPC-2")
"""The rules of a roll and of the pools."""


def failing(cases: list[Case]) -> list[str]:
    return [str(failure) for failure in failures(cases)]


def test_our_own_cases_hold() -> None:
    cases = list(read_cases(OWN))
    assert len({case.case_id for case in cases}) == len(cases) >= 60
    assert failing(cases) == []


def test_every_rule_of_a_roll_has_a_case_of_our_own() -> None:
    ours = {case.rule for case in read_cases(OWN)}
    assert {rule for rule in FORMS if OF_A_ROLL.fullmatch(rule)} - ours == set()


@pytest.mark.parametrize("of_a_roll", [True, False])
def test_the_shared_cases_hold(*, of_a_roll: bool) -> None:
    if not SHARED.is_file():
        pytest.skip(f"{SHARED.name} of the shared folder is not here; only the project's own cases were run")
    cases = [case for case in read_cases(SHARED) if bool(OF_A_ROLL.fullmatch(case.rule)) is of_a_roll]
    assert cases
    assert failing(cases) == []
