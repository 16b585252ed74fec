"""One name is one thing, and says what it is: held for the classes and the constants of the product's folders."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Final

from rules.messages import EVENTS
from tests.imports import HOUSE
from tests.test_arrows import ROOT, module_of, plant, python_files

TWICE: Final[Mapping[str, str]] = {}
"""Names of classes that may stand in two modules, each with the reason why neither can be called otherwise."""


@cache
def parsed(text: str) -> ast.Module:
    """A file, parsed once for all who ask."""
    return ast.parse(text)


def modules(root: Path) -> Iterator[tuple[str, ast.Module]]:
    """Each module of the house by its name."""
    for path in python_files(root):
        if path.parts[0] in HOUSE:
            yield module_of(path), parsed((root / path).read_text(encoding="utf-8"))


def classes_that_stand_twice(root: Path) -> dict[str, list[str]]:
    """Every name that classes of several modules have, with these modules."""
    found = defaultdict[str, list[str]](list)
    for module, tree in modules(root):
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(module)
    return {name: places for name, places in found.items() if len(places) > 1}


def test_no_two_classes_have_the_same_name() -> None:
    assert classes_that_stand_twice(ROOT).keys() == TWICE.keys()


def test_a_name_that_stands_twice_is_seen(tmp_path: Path) -> None:
    plant(tmp_path, "rules/history.py", "class Step: ...\nclass History: ...\n")
    plant(tmp_path, "kiosk/views/stage.py", "class Step: ...\n")
    assert classes_that_stand_twice(tmp_path) == {"Step": ["kiosk.views.stage", "rules.history"]}


CONSTANT: Final = re.compile(r"_?[A-Z][A-Z0-9_]*")
"""A constant of a module; of types and aliases only the public ones have to say what they are."""

DESCRIPTION: Final = re.compile(r"[A-Z0-9`\"]|d20|d6")
"""How a docstring begins that is whole: not in the middle of what the one before it says."""


def names_to_describe(node: ast.stmt) -> list[str]:
    """What a statement of a module names for good. Private loggers and type variables say it by themselves."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    each = [one for target in targets for one in (target.elts if isinstance(target, ast.Tuple) else [target])]
    names = [one.id for one in each if isinstance(one, ast.Name)]
    value = getattr(node, "value", None)
    made_by = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
    plain = made_by in {"logging.getLogger", "TypeVar", "ParamSpec"}
    return [one for one in names if one[0].isupper() or (CONSTANT.fullmatch(one) and not plain)]


def unexplained(root: Path) -> list[str]:
    """Every constant, and every public type, of a module without a whole docstring of its own right under it."""
    found = []
    for module, tree in modules(root):
        for node, after in zip(tree.body, [*tree.body[1:], ast.Pass()], strict=True):
            text = after.value if isinstance(after, ast.Expr) else None
            if not (isinstance(text, ast.Constant) and DESCRIPTION.match(str(text.value))):
                found += [f"{module}.{name}" for name in names_to_describe(node)]
    return found


def test_every_constant_says_what_it_is() -> None:
    assert unexplained(ROOT) == []


def test_a_constant_that_says_nothing_is_seen(tmp_path: Path) -> None:
    said = (
        'LEAST: Final = 1\n"""Dice at least."""\nlog = get()\n_LOG: Final = logging.getLogger()\n_T = TypeVar("_T")\n'
    )
    bare = "MOST: Final = 3\nFace = int\nLOW, HIGH = 1, 2\n_OWN = 2  # dice\n_Face = int\nprint(2)\n"
    cut = '_REST: Final = 4\n"""\u2026 and the rest."""\n'
    plant(tmp_path, "rules/dice.py", said + bare + cut)
    missing = ("MOST", "Face", "LOW", "HIGH", "_OWN", "_REST")
    assert unexplained(tmp_path) == [f"rules.dice.{name}" for name in missing]


def one_apart(names: Iterable[str]) -> list[tuple[str, str]]:
    """The pairs of names of one length that differ in one character."""
    return [
        (one, other)
        for one, other in combinations(sorted(names), 2)
        if len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) == 1
    ]


def test_no_two_events_have_names_that_one_character_tells_apart() -> None:
    """An event's name that is one character from a known one is taken for damage of that one: `rows.is_misspelt`.

    Were a new event named so, the version before would leave it out of a journal as damaged, where it has to say that
    a later version wrote it.
    """
    assert len(EVENTS) > 100
    assert one_apart(EVENTS) == []


def test_names_that_one_character_tells_apart_are_seen() -> None:
    assert one_apart(("ship_hit", "aimed", "ship_bit", "aim")) == [("ship_bit", "ship_hit")]
