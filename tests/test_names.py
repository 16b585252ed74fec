"""One thing has one name, and one name is one thing: held for the classes of the product's folders."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.imports import HOUSE
from tests.test_arrows import ROOT, module_of, plant, python_files

TWICE: Final[Mapping[str, str]] = {}
"""Names of classes that may stand in two modules, each with the reason why neither can be called otherwise."""


def modules(root: Path) -> Iterator[tuple[str, ast.Module]]:
    """Each module of the house by its name."""
    for path in python_files(root):
        if path.parts[0] in HOUSE:
            yield module_of(path), ast.parse((root / path).read_text(encoding="utf-8"))


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
