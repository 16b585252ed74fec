"""Conformance cases as values, read from JSON lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.state.vocabulary import Ruleset

KEYS = frozenset({"id", "rule", "ruleset", "given", "expect", "source", "why"})
ANY = "any"
SOURCE_OF_STARTER = "000"


class CaseFileError(Exception):
    """A file that does not hold conformance cases: which, where and why."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case: what goes into a rule and what has to come out, in every ruleset of `rulesets`."""

    case_id: str
    rule: str
    rulesets: tuple[Ruleset, ...]
    given: dict[str, Any]
    expect: dict[str, Any]


def read_cases(path: Path) -> tuple[Case, ...]:
    """All cases of a file, blank lines skipped. Raises `CaseFileError` with the line at fault."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise CaseFileError(f"{path} cannot be read: {problem}") from problem
    cases = tuple(parse_case(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip())
    if not cases:
        raise CaseFileError(f"{path} holds no cases")
    return cases


def parse_case(line: str, place: str) -> Case:
    """One case from one line. Raises `CaseFileError` naming the place and what is wrong with it."""
    try:
        found = json.loads(line)
    except ValueError as problem:
        raise CaseFileError(f"{place}: not JSON: {problem}") from problem
    if not isinstance(found, dict):
        raise CaseFileError(f"{place}: a case is a JSON object")
    if missing := sorted(KEYS - set(found)):
        raise CaseFileError(f"{place}: the case lacks {', '.join(missing)}")
    if unknown := sorted(set(found) - KEYS):
        raise CaseFileError(f"{place}: a case has no {', '.join(unknown)}")
    for key in ("given", "expect"):
        if not isinstance(found[key], dict):
            raise CaseFileError(f"{place}: {key} has to be an object")
    return Case(
        case_id=str(found["id"]),
        rule=str(found["rule"]),
        rulesets=_rulesets(str(found["ruleset"]), str(found["source"]), place),
        given=found["given"],
        expect=found["expect"],
    )


def _rulesets(named: str, source: str, place: str) -> tuple[Ruleset, ...]:
    """The rulesets in which a case holds: `any` in all, core-1e from the starter's source in the starter too."""
    if named == ANY:
        return tuple(Ruleset)
    if named not in {one.value for one in Ruleset}:
        raise CaseFileError(f"{place}: {named} is no ruleset; choose {ANY}, {', '.join(Ruleset)}")
    ruleset = Ruleset(named)
    if ruleset is Ruleset.CORE_1E and SOURCE_OF_STARTER in source.replace(" ", "").split(","):
        return (Ruleset.STARTER, ruleset)
    return (ruleset,)
