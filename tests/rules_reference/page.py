"""The page itself: one table for each kind of rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from tests.rules_reference import lines_conflict, lines_rolls
from tests.rules_reference.citations import Citation, held_by_tests, holders

LINES = {**lines_rolls.LINES, **lines_conflict.LINES}

PAGE = "docs/rules.md"

MISSING = "**missing**"

MOST_NAMED = 3
"""Citations named for a rule on the page; of more, the first."""

INTRODUCTION = """# The rules by ID

What the core knows of the game, in our own words, with the functions that hold each rule and the tests that hold
those. The game is its publisher's; its books say it all, and better.

This page is written by `python -m tests.rules_reference` from the docstrings and refusals that cite a rule. **missing**
marks what nothing cites.
"""


def rules_page(root: Path) -> str:
    """The whole page as Markdown."""
    return render(LINES, holders(root), held_by_tests(root))


def render(
    lines: Mapping[str, str], functions: Mapping[str, Sequence[Citation]], tests: Mapping[str, Sequence[Citation]]
) -> str:
    """The page for given lines and citations."""
    parts = [INTRODUCTION]
    for kind, rules in groupby(lines, key=lambda rule: rule.partition("-")[0]):
        parts.append(f"## {kind}\n\n| rule | says | held by | tested by |\n|---|---|---|---|")
        parts.extend(
            f"| {rule} | {lines[rule]} | {named(functions.get(rule, ()))} | {named(tests.get(rule, ()))} |"
            for rule in rules
        )
        parts.append("")
    return "\n".join(parts)


def missing(root: Path) -> dict[str, tuple[bool, bool]]:
    """The rules that no function or no test holds: whether each has a function, and whether it has a test."""
    functions, tests = holders(root), held_by_tests(root)
    return {rule: (rule in functions, rule in tests) for rule in LINES if rule not in functions or rule not in tests}


def named(citations: Sequence[Citation]) -> str:
    """Links to the first few citations."""
    links = [f"[`{one.name}`](../{one.path})" for one in citations[:MOST_NAMED]]
    return ", ".join(links) or MISSING
