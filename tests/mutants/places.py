"""Where the product can be changed, and how: one place is drawn as likely as another, then one of its changes.

* a comparison is negated, or `<` and `<=`, `>` and `>=` change places;
* `and` and `or` change places;
* an integer constant is one more;
* a `not` is dropped, or put before what `if` and `while` ask;
* what is returned becomes the empty value of its kind;
* a statement inside a function is taken out;
* an arithmetic operator becomes its opposite.

Docstrings, annotations, `__all__`, what stands in f-strings and the code that trains are left alone.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

FOLDERS: Final = ("rules", "vision", "firmware_bridge", "hardware", "kiosk")
"""The product; its tests are in folders of the same names."""

LEFT_OUT: Final = ("vision/training/",)
"""Code that never runs on a table."""

_COMPARED: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
"""What each comparison can become: the one beside it, and its opposite."""

_COUNTED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}
"""What each arithmetic operator becomes."""

_EMPTY: Final = {"bool": ("False", "True"), "int": ("0", "1"), "float": ("0.0", "1.0"), "str": ("''", "None")}
"""What is returned in the place of each kind, and what else where it is that already; None for all others."""

_STATEMENTS: Final = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Delete, ast.Continue, ast.Break)
"""The statements that can be taken out of a function."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: where it begins and ends in its file, and what stands there then."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    old: str
    new: str

    @property
    def name(self) -> str:
        """Where it is and what it changes, in one line."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.path}:{self.line}:{self.column}: {old[:80]} -> {new[:80]}"

    def applied(self, text: str) -> str:
        """The file's text with the change in it."""
        lines = text.encode().splitlines(keepends=True)  # columns are counted in bytes
        head = lines[self.line - 1][: self.column]
        tail = lines[self.end_line - 1][self.end_column :]
        changed = [*lines[: self.line - 1], head + self.new.encode() + tail, *lines[self.end_line :]]
        return b"".join(changed).decode()


def product_files(tree: Path) -> list[str]:
    """The product's Python files, as git knows them."""
    command = ["git", "ls-files", "-z", *(f"{folder}/*.py" for folder in FOLDERS)]
    listed = subprocess.run(command, cwd=tree, capture_output=True, check=True).stdout.decode()
    return sorted(path for path in listed.split("\0") if path and not path.startswith(LEFT_OUT))


def drawn(tree: Path, seed: int, count: int) -> list[Mutant]:
    """`count` mutants of the product in `tree`, in the order in which they are drawn."""
    places = [place for path in product_files(tree) for place in places_of(path, (tree / path).read_text("utf-8"))]
    chance = Random(seed)  # noqa: S311 - the seed is what makes the draw one that can be repeated
    chosen = chance.sample(places, min(count, len(places)))
    return [chance.choice(changes) for changes in chosen]


def places_of(path: str, text: str) -> list[tuple[Mutant, ...]]:
    """Each place of a file with the changes that can be made there."""
    tree, lines = ast.parse(text), text.encode().splitlines(keepends=True)
    found = []
    for node, in_function, returns in _mutable(tree):
        changes = [change for change in _changes(node, in_function=in_function, returns=returns) if change]
        if changes:
            found.append(tuple(_mutant(path, lines, at, new) for at, new in changes))
    return found


def _mutant(path: str, lines: list[bytes], node: ast.expr | ast.stmt, new: str) -> Mutant:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    within = lines[node.lineno - 1 : node.end_lineno]
    within[-1] = within[-1][: node.end_col_offset]
    old = b"".join([within[0][node.col_offset :], *within[1:]]).decode()
    return Mutant(path, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, old, new)


def _mutable(tree: ast.Module) -> Iterator[tuple[ast.AST, bool, str]]:
    """Every node that may be changed, whether it stands in a function, and what that function returns."""
    left: list[tuple[ast.AST, bool, str]] = [(tree, False, "")]
    while left:
        node, in_function, returns = left.pop()
        if isinstance(node, ast.JoinedStr) or _names_all(node):
            continue
        yield node, in_function, returns
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            in_function, returns = True, ast.unparse(node.returns) if node.returns else ""
        left += [(child, in_function, returns) for child in _children(node)]


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """What is inside a node, its annotations and its docstring left out."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_text(child):
                yield child


def _is_text(node: ast.AST) -> bool:
    """Whether a statement is nothing but a text: a docstring, or what is said of a constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _names_all(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and any(
        isinstance(one, ast.Name) and one.id == "__all__" for one in node.targets
    )


Change = tuple[ast.expr | ast.stmt, str]
"""A node and what stands in its place then."""


def _changes(node: ast.AST, *, in_function: bool, returns: str) -> Iterator[Change]:
    match node:
        case ast.Compare():
            yield from _compared(node)
        case ast.BoolOp():
            yield node, _text(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            yield node, f"{number + 1}"
        case ast.UnaryOp(op=ast.Not()):
            yield node, _text(node.operand)
        case ast.If() | ast.While() | ast.IfExp() if not isinstance(node.test, ast.UnaryOp):
            yield node.test, _text(ast.UnaryOp(ast.Not(), node.test))
        case ast.BinOp() if type(node.op) in _COUNTED and not _joins_texts(node):
            yield node, _text(ast.BinOp(node.left, _COUNTED[type(node.op)](), node.right))
        case ast.Return(value=ast.expr() as value):
            empty, other = _EMPTY.get(returns, ("None", "NotImplemented"))
            yield node, f"return {other if ast.unparse(value) == empty else empty}"
        case _ if in_function and isinstance(node, _STATEMENTS):
            yield node, "pass"


def _compared(node: ast.Compare) -> Iterator[Change]:
    for place, operator in enumerate(node.ops):
        for kind in _COMPARED[type(operator)]:
            other = deepcopy(node)
            other.ops[place] = kind()
            yield node, _text(other)


def _joins_texts(node: ast.BinOp) -> bool:
    """Whether texts are put together: then any other operator fails at once."""
    sides = (node.left, node.right)
    return any(
        isinstance(one, ast.JoinedStr) or (isinstance(one, ast.Constant) and isinstance(one.value, str | bytes))
        for one in sides
    )


def _text(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"
