"""Mutants: where a probe stands, and which of the tests that come past a place run first."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue

import pytest

from tests.mutants.__main__ import passed_by
from tests.mutants.places import places_of
from tests.mutants.probes import probed
from tests.mutants.trying import FIRST, OF_EACH_FILE, Copy, first_of

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


class Timed(Copy):
    """A copy whose tests are not run: they write that a test came past, and end with `codes`, one after the other."""

    codes: tuple[int | None, ...] = ()
    runs = 0

    def _pytest(self, what: Sequence[str], *, whole: bool = False) -> tuple[int | None, str]:
        wrote = self.place / "build" / "passed"
        wrote.mkdir(exist_ok=True)
        (wrote / f"{self.runs}.tsv").write_text(f"0\ttests/rules/test_a.py::test_{self.runs}\n", "utf-8")
        self.runs += 1
        return self.codes[self.runs - 1], f"{what} {whole}"


def test_who_came_past_is_kept_of_a_whole_run_and_for_its_own_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree, folder = tmp_path / "tree", tmp_path / "kept"
    for file in (tree / "rules" / "a.py", tree / "tests" / "mutants" / "__init__.py", folder / "none"):
        file.parent.mkdir(parents=True)
        file.write_text(SOURCE, "utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tree, check=True)
    subprocess.run(["git", "add", "."], cwd=tree, check=True)
    mutant = places_of("rules/a.py", SOURCE)[0][0]
    copies: SimpleQueue[Copy] = SimpleQueue()
    one = Timed(tree, tmp_path / "copy", None)
    one.codes = (None, 1, 0)
    copies.put(one)

    def found() -> dict[str, list[str]]:
        return passed_by(tree, [mutant], copies, folder)

    assert found() == {}, "it timed out"
    assert "not run to their end" in capsys.readouterr().err
    second = {mutant.name: ["tests/rules/test_a.py::test_1"]}
    assert (found(), found(), one.runs) == (second, second, 2), "the second time as it was kept"
    (tree / "rules" / "a.py").write_text(f"{SOURCE}\n\nMORE = 1\n", "utf-8")
    assert (found(), one.runs) == ({mutant.name: ["tests/rules/test_a.py::test_2"]}, 3), "other code, and it alone"
