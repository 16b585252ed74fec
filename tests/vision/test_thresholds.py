"""Each limit says its unit and its source, each constant what it is for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

NO_VALUES = {"_log", "__all__"}
"""Names of a module that are no constants of the field."""


def constants(path: Path) -> Iterator[tuple[str, str]]:
    """The constants of a module, and what is said below each (empty where nothing is)."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    for one, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        if not isinstance(one, ast.Assign | ast.AnnAssign):
            continue
        target = one.targets[0] if isinstance(one, ast.Assign) else one.target
        said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and after.value.value
        yield ast.unparse(target), said if isinstance(said, str) else ""


def modules() -> list[Path]:
    rooms = [path for path in sorted((ROOT / "vision").rglob("*.py")) if "training" not in path.parts]
    assert len(rooms) > 50
    return rooms


def test_every_constant_of_the_camera_says_what_it_is_for() -> None:
    silent = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules()
        for name, said in constants(path)
        if not said and name not in NO_VALUES
    ]
    assert silent == []


def test_every_threshold_says_its_unit_and_its_source() -> None:
    """And the benches that it names are there."""
    seen = 0
    for path in modules():
        if path.name != "thresholds.py":
            continue
        for name, said in constants(path):
            last = " ".join(said.split("\n\n")[-1].split())
            assert re.fullmatch(r"Unit: \S.*\. Source: \S.*\.", last), f"{path.relative_to(ROOT)}: {name}"
            benches = re.findall(r"`((?:vision_)?[a-z_]+)` measures?", last)
            assert all((ROOT / "tests" / "bench" / f"{bench}.py").is_file() for bench in benches), name
            seen += 1
    assert seen > 100


def test_a_constant_without_a_word_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "room.py"
    file.write_text('A: Final = 1\nB = 2\n"""Of B."""\nC, D = 3, 4\n')
    assert list(constants(file)) == [("A", ""), ("B", "Of B."), ("(C, D)", "")]
