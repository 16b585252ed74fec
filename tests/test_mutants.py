"""Mutants: where a probe stands, and which of the tests that come past a place run first."""

from __future__ import annotations

import ast

from tests.mutants.places import places_of
from tests.mutants.probes import probed
from tests.mutants.trying import FIRST, OF_EACH_FILE, first_of

SOURCE = "LEAST = 1\ndef count(dice):\n    if dice:\n        return 2\n    elif LEAST:\n        return 3\n"


def test_a_probe_stands_before_the_statement_that_is_changed() -> None:
    changes = [change for place in places_of("rules/a.py", SOURCE) for change in place]
    (three,) = (one for one in changes if one.old == "3")
    lines = ast.unparse(ast.parse(probed(SOURCE, {7: three}))).splitlines()
    at = next(number for number, line in enumerate(lines) if ".passed(7)" in line)
    assert lines[at + 3].strip() == "return 3"
    (least,) = (one for one in changes if one.old == "1")
    assert probed(SOURCE, {8: least}) == ast.unparse(ast.parse(SOURCE)), "outside of functions there is none"


def test_some_of_each_file_run_first_the_nearest_before_the_others() -> None:
    passed = [f"tests/rules/test_{name}.py::test_{number}" for name in "ab" for number in range(9)]
    chosen = first_of([*passed, "tests/e2e/test_far.py::test"], ["tests/rules/test_b.py", "tests/rules/test_a.py"])
    assert chosen == [*passed[9 : 9 + OF_EACH_FILE], *passed[:OF_EACH_FILE]]
    assert len(chosen) < FIRST
