"""Which tests come past a place: a copy of the tree notes, as its tests run, who was there.

Before the statement that a mutant changes stands a probe then. It writes the number of the place and the test that runs
into a file of its process: a program that a test starts writes, too.
"""

from __future__ import annotations

import ast
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.mutants.places import Mutant

PASSING: Final = Path(__file__).with_name("passing.py")
"""What a probe calls."""


def probed(text: str, mutants: Mapping[int, Mutant]) -> str:
    """A file's text with a probe before each of these places; those outside of functions get none."""
    tree = ast.parse(text)
    for number, mutant in mutants.items():
        block = _block(tree, mutant)
        if block is not None:
            body, at = block
            body[at:at] = ast.parse(
                "try:\n"
                f"    __import__('tests.mutants.passing', fromlist=['']).passed({number})\n"
                "except ImportError:\n"
                "    pass"
            ).body
    return ast.unparse(tree)


def _block(tree: ast.Module, mutant: Mutant) -> tuple[list[ast.stmt], int] | None:
    """The innermost block of a function that holds the place, and the statement of it that does."""
    found: tuple[list[ast.stmt], int] | None = None
    left: list[tuple[ast.AST, bool]] = [(tree, False)]
    while left:
        node, in_function = left.pop()
        in_function = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for value in (value for _, value in ast.iter_fields(node) if isinstance(value, list)):
            for at, child in enumerate(value):
                if not isinstance(child, ast.AST) or not _holds(child, mutant):
                    continue
                if in_function and isinstance(child, ast.stmt):
                    found = value, at
                left.append((child, in_function))
    return found


def _holds(node: ast.AST, mutant: Mutant) -> bool:
    """Whether a node spans the place; one without lines of its own, such as a case, may."""
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if first is None or last is None:
        return True
    begins, ends = (first, getattr(node, "col_offset", 0)), (last, getattr(node, "end_col_offset", 0))
    return begins <= (mutant.line, mutant.column) and (mutant.end_line, mutant.end_column) <= ends


def who_passed(folder: Path) -> dict[int, list[str]]:
    """The tests that came past each place, by its number, as the probes of a tree wrote them."""
    found: dict[int, dict[str, None]] = {}
    for file in sorted(folder.glob("*.tsv")):
        for line in file.read_text("utf-8").splitlines():
            number, _, test = line.partition("\t")
            if test:
                found.setdefault(int(number), {})[test] = None
    return {number: list(tests) for number, tests in found.items()}


def put_probes(place: Path, mutants: Sequence[Mutant]) -> None:
    """Put a probe before every mutant's place in the copy at `place`."""
    shutil.copy(PASSING, place / "tests" / "mutants" / PASSING.name)
    by_path: dict[str, dict[int, Mutant]] = {}
    for number, mutant in enumerate(mutants):
        by_path.setdefault(mutant.path, {})[number] = mutant
    for path, here in by_path.items():
        text = (place / path).read_text("utf-8")
        (place / path).write_text(probed(text, here), "utf-8")
