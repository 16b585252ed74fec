"""What the house's Python files import, parsed once for all who ask: the arrows, `make check`, the mutants."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePath

HOUSE = ("rules", "vision", "firmware_bridge", "hardware", "kiosk")
"""The import packages that are ours."""

BY_NAME = ("import_module", "__import__")
"""The functions that import what a text names."""


@cache
def imports_of(text: str, path: PurePath) -> tuple[tuple[int, str], ...]:
    """Line and full dotted name of all that a file imports, wherever in the file, and by name as well.

    `from package import name` yields `package.name`, for the name may be a module.
    """
    tree = ast.parse(text)
    nodes = ast.walk(tree) if any(one in text for one in BY_NAME) else _statements(tree)
    return tuple(_imported(nodes, path))


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """The statements of a file and those inside them: an import is one, and expressions are most of a file."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, field, None)
            if isinstance(inner, list):
                left += reversed(inner)


def _imported(nodes: Iterator[ast.AST], path: PurePath) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            # One dot is the file's own package, each further dot the one above it.
            package = ".".join(path.parent.parts[: len(path.parent.parts) + 1 - node.level]) if node.level else ""
            module = ".".join(part for part in (package, node.module) if part)
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}"
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in BY_NAME and isinstance(node.args[0].value, str):
                yield node.lineno, node.args[0].value


def files_of(root: Path, name: str) -> Iterator[PurePath]:
    """The files under `root` that define a dotted name: itself a module, or a name in one."""
    whole = PurePath(*name.split("."))
    for place in (whole, whole.parent):
        files = (place / "__init__.py", place.parent / f"{place.name}.py")
        yield from (file for file in files if (root / file).is_file())
