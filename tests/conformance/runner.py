"""Running cases: each through its rule's function in each of its rulesets, compared as JSON would compare them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules.errors import RulesError
from rules.rulesets.profiles import profile_of
from tests.conformance.cases import Case
from tests.conformance.forms import Form, Result
from tests.conformance.forms_conflict import FORMS as CONFLICT
from tests.conformance.forms_rolls import FORMS as ROLLS
from tests.conformance.forms_starships import FORMS as STARSHIPS

FORMS: dict[str, Form] = {**ROLLS, **CONFLICT, **STARSHIPS}
"""The call form of each rule."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that did not come out as expected, in one line."""

    case_id: str
    what: str

    def __str__(self) -> str:
        return f"{self.case_id}: {self.what}"


def failures(cases: Iterable[Case]) -> Iterator[Failure]:
    """The failing cases, each named once, at the first ruleset in which it fails."""
    for case in cases:
        failure = failure_of(case)
        if failure is not None:
            yield failure


def failure_of(case: Case) -> Failure | None:
    """Why a case fails, or None. A rule without a form fails; so does one that raises."""
    form = FORMS.get(case.rule)
    if form is None:
        return Failure(case.case_id, f"no function is known for rule {case.rule}")
    for ruleset in case.rulesets:
        expected = _plain(case.expect)
        try:
            got = _plain(form(profile_of(ruleset), **case.given))
        except (RulesError, TypeError, ValueError, KeyError) as problem:
            return Failure(case.case_id, f"expected {expected}, got {type(problem).__name__}: {problem} ({ruleset})")
        if got != expected:
            return Failure(case.case_id, f"expected {expected}, got {got} ({ruleset})")
    return None


def _plain(result: Result) -> str:
    """The canonical JSON of a result, so that true is not 1 and a tuple is a list."""
    return json.dumps(result, sort_keys=True)
