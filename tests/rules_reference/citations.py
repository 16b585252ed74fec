"""Which functions and tests cite which rules, read from docstrings and from the rule IDs in their code."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

RULE = re.compile(r"\b(?P<kind>[A-Z][A-Z0-9]*)-(?P<letter>[A-Z]?)(?P<number>\d+)\b")
SPAN = re.compile(RULE.pattern.replace("?P<", "?P<first_") + r" to " + RULE.pattern)

DECLARATIONS = frozenset({"commands.py", "events.py", "messages.py", "state.py", "vocabulary.py"})
"""Files that name things without deciding any."""


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """A function, constant or test that names a rule: its file below the root, and its name."""

    path: str
    name: str


def cited_rules(text: str) -> frozenset[str]:
    """Every rule ID in a text, with `A-1 to A-3` standing for all three."""
    found = {match.group() for match in RULE.finditer(text)}
    for span in SPAN.finditer(text):
        kind, letter = span["kind"], span["letter"]
        if (kind, letter) == (span["first_kind"], span["first_letter"]):
            numbers = range(int(span["first_number"]), int(span["number"]) + 1)
            found |= {f"{kind}-{letter}{number}" for number in numbers}
    return frozenset(found)


def citations(root: Path, files: Collection[Path], *, tests: bool) -> dict[str, list[Citation]]:
    """For each rule, the citations in `files`: by docstring first, then by a rule ID in the code itself.

    The plain functions come before those that decide with them. Tests are functions called `test_...`.
    """
    by_docstring: defaultdict[str, list[Citation]] = defaultdict(list)
    by_code: defaultdict[str, list[Citation]] = defaultdict(list)
    for path in sorted(files, key=lambda path: (len(path.parts), path)):
        for name, docstring, code in cited_in(path.read_text(encoding="utf-8")):
            if name.startswith("_") or name.startswith("test_") is not tests:
                continue
            citation = Citation(path.relative_to(root).as_posix(), name)
            for rule in docstring:
                by_docstring[rule].append(citation)
            for rule in code - docstring:
                by_code[rule].append(citation)
    return {rule: [*by_docstring[rule], *by_code[rule]] for rule in {*by_docstring, *by_code}}


@cache
def cited_in(text: str) -> tuple[tuple[str, frozenset[str], frozenset[str]], ...]:
    """Name, rules of the docstring and rules in the code of each function, constant and class of a module's text.

    Classes come last, for they declare what functions do.
    """
    return tuple(_cited_in(ast.parse(text)))


def _cited_in(tree: ast.Module) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    classes: list[tuple[str, frozenset[str], frozenset[str]]] = []
    for here, after in zip(tree.body, [*tree.body, None][1:], strict=True):
        if isinstance(here, ast.FunctionDef):
            yield here.name, cited_rules(ast.get_docstring(here) or ""), named_rules(here)
        elif isinstance(here, ast.ClassDef):
            classes.append((here.name, cited_rules(ast.get_docstring(here) or ""), frozenset()))
        elif isinstance(here, (ast.Assign, ast.AnnAssign)) and isinstance(after, ast.Expr):
            target = here.target if isinstance(here, ast.AnnAssign) else here.targets[0]
            if isinstance(after.value, ast.Constant) and isinstance(target, ast.Name):
                yield target.id, cited_rules(str(after.value.value)), frozenset()
    yield from classes


def named_rules(function: ast.FunctionDef) -> frozenset[str]:
    """The rule IDs that stand as strings of their own in a function, such as that of a refusal."""
    strings = (node.value for node in ast.walk(function) if isinstance(node, ast.Constant))
    return frozenset(text for text in strings if isinstance(text, str) and RULE.fullmatch(text))


def holders(root: Path) -> dict[str, list[Citation]]:
    """The functions, tables and values of `rules` that hold each rule."""
    files = [path for path in (root / "rules").rglob("*.py") if path.name not in DECLARATIONS]
    return citations(root, files, tests=False)


def held_by_tests(root: Path) -> dict[str, list[Citation]]:
    """The tests that hold each rule."""
    return citations(root, list((root / "tests/rules").rglob("test_*.py")), tests=True)
