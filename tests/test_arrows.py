"""The arrows between the folders, walked from their imports, and proved on made trees that break them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

HOUSE = ("rules", "vision", "firmware_bridge", "hardware", "kiosk")
"""The import packages that are ours."""

SOURCES = ("vision", "firmware_bridge", "hardware")
"""The folders that may know dice and sentences of the game (`VOCABULARY`), and nothing else of ours."""

VOCABULARY = ("rules.dice", "rules.phrases")
"""What these folders may know: dice and their readings, and sentences before they are filled."""

OWNER = {
    "cv2": "vision",
    "numpy": "vision",
    "picamera2": "vision",
    "serial": "firmware_bridge",
    "cobs": "firmware_bridge",
    "gpiozero": "hardware",
    "lgpio": "hardware",
}
"""The one folder that may import each library of the outside world."""

ROOMS = {
    "storage": frozenset[str](),
    "i18n": frozenset({"storage"}),
    "speech": frozenset({"storage", "i18n"}),
    "devices": frozenset({"storage", "i18n"}),
    "views": frozenset({"storage", "i18n", "speech"}),
    "panel": frozenset({"storage", "views"}),
    "web": frozenset({"storage", "i18n", "speech", "devices", "views", "panel"}),
    "commands": frozenset({"storage", "devices", "web"}),
}
"""The rooms of the kiosk, and which others each of them knows. What lies beside them is the shell that they share."""

WORDED = (*HOUSE, *(f"kiosk/{room}" for room in ROOMS if room != "commands"))
"""The folders that say what enters and what leaves; nothing passes through commands but what a person typed."""

IMPURE = frozenset(
    {
        "asyncio", "datetime", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil",
        "signal", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
    }
)  # fmt: skip
"""Standard modules that bring I/O, a clock, randomness, threads or logging, which `rules` goes without."""

SKIPPED = frozenset({"build", "node_modules", "__pycache__", "shared"})
"""Folders that hold no source of ours, beside the hidden ones."""

MOST_LINES = 450
"""The longest that a file of ours may be."""


def python_files(root: Path) -> Iterator[Path]:
    """Every Python file under `root` that is ours, as a path relative to it."""
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root)
        if not any(part in SKIPPED or part.startswith(".") or part.endswith(".egg-info") for part in relative.parts):
            yield relative


def imports_of(text: str, path: Path) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of all that a file imports, wherever in the file, and by name as well.

    `from package import name` yields `package.name`, for the name may be a module.
    """
    for node in ast.walk(ast.parse(text)):
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
            if called in {"import_module", "__import__"} and isinstance(node.args[0].value, str):
                yield node.lineno, node.args[0].value


def within(name: str, module: str) -> bool:
    """Whether a dotted name is a module or something in it."""
    return name == module or name.startswith(module + ".")


def why_forbidden(folder: str, name: str) -> str:
    """Why a file in a top-level `folder` may not import `name`; empty if it may. The tests may import all."""
    top = name.partition(".")[0]
    if folder in {"tests", top}:
        return ""
    if folder == "rules":
        if top not in sys.stdlib_module_names:
            return "rules is pure: the standard library and rules only"
        return "rules has no I/O, clock, randomness, threads or logging" if top in IMPURE else ""
    if top == "kiosk":
        return "nobody but kiosk and the tests knows kiosk"
    if folder in SOURCES and top in HOUSE and not any(within(name, one) for one in VOCABULARY):
        return f"{folder} knows only dice and sentences of ours"
    owner = OWNER.get(top)
    return f"{top} is imported only in {owner}" if owner not in (None, folder) else ""


def forbidden_arrows(root: Path) -> list[str]:
    """Every import under `root` that points the wrong way, with its place and the reason."""
    found: list[str] = []
    for path in python_files(root):
        folder = path.parts[0] if len(path.parts) > 1 else ""
        text = (root / path).read_text(encoding="utf-8")
        for line, name in imports_of(text, path):
            why = why_forbidden(folder, name)
            if folder == "rules" and name == "__future__.annotations":
                continue
            if why:
                found.append(f"{path}:{line}: {name}: {why}")
    return found


def arrows_between_rooms(root: Path) -> list[str]:
    """Every import of one room of the kiosk in another that need not know it, with its place."""
    found: list[str] = []
    for path in python_files(root):
        folder, room, *_ = (*path.parts, "", "")
        if folder != "kiosk" or room not in ROOMS:
            continue
        for line, name in imports_of((root / path).read_text(encoding="utf-8"), path):
            _, other, *_ = (*name.split("."), "")
            if within(name, "kiosk") and other in ROOMS and other not in {room, *ROOMS[room]}:
                found.append(f"{path}:{line}: {name}: {room} need not know {other}")
    return found


def long_files(root: Path) -> list[str]:
    """Every Python file longer than a file may be, with its length."""
    lengths = ((path, len((root / path).read_text(encoding="utf-8").splitlines())) for path in python_files(root))
    return [f"{path}: {length} lines" for path, length in lengths if length > MOST_LINES]


def silent_folders(root: Path) -> list[str]:
    """Every folder of the house whose `__init__` does not say what enters and what leaves."""
    silent: list[str] = []
    for folder in WORDED:
        init = root / folder / "__init__.py"
        says = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) if init.is_file() else None
        if says is None or "Enters:" not in says or "Leaves:" not in says:
            silent.append(folder)
    return silent


def plant(root: Path, place: str, text: str) -> None:
    """Write a file into a made tree."""
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_every_arrow_of_the_house_points_the_right_way() -> None:
    assert forbidden_arrows(ROOT) == []


def test_the_walk_sees_the_house() -> None:
    seen = {path.parts[0] for path in python_files(ROOT)}
    assert {*HOUSE, "tests"} <= seen
    text = (ROOT / "hardware/panel.py").read_text(encoding="utf-8")
    assert "hardware.pins.PanelPins" in {name for _, name in imports_of(text, Path("hardware/panel.py"))}


def test_every_arrow_of_the_kiosk_points_the_right_way() -> None:
    assert arrows_between_rooms(ROOT) == []
    assert {path.parts[1] for path in python_files(ROOT) if path.parts[0] == "kiosk" and len(path.parts) > 2} == {
        *ROOMS
    }


@pytest.mark.parametrize("text", ["from kiosk.web.api import serve", "from kiosk import web", "from ..web import api"])
def test_a_wrong_arrow_of_the_kiosk_is_caught(tmp_path: Path, text: str) -> None:
    plant(tmp_path, "kiosk/views/stage.py", text)
    (found,) = arrows_between_rooms(tmp_path)
    assert found.endswith("views need not know web")
    plant(tmp_path, "kiosk/views/stage.py", "from kiosk.storage.wire import encode\nfrom kiosk.engine import Engine\n")
    assert arrows_between_rooms(tmp_path) == []


def test_no_file_is_too_long() -> None:
    assert long_files(ROOT) == []


def test_every_folder_says_what_enters_and_leaves() -> None:
    assert silent_folders(ROOT) == []


@pytest.mark.parametrize(
    ("place", "text", "why"),
    [
        ("rules/task.py", "import vision", "rules is pure"),
        ("rules/task.py", "from kiosk.engine import Engine", "rules is pure"),
        ("rules/task.py", "import numpy as np", "rules is pure"),
        ("rules/task.py", "import msgspec", "rules is pure"),
        ("rules/task.py", "import random", "no I/O, clock, randomness"),
        ("rules/task.py", "from time import monotonic", "no I/O, clock, randomness"),
        ("rules/task.py", "def now():\n    import datetime", "no I/O, clock, randomness"),
        ("rules/deep/task.py", "from ...kiosk import hub", "rules is pure"),
        ("vision/reader.py", "from rules import task", "knows only dice and sentences"),
        ("vision/reader.py", "from rules.dicey import Trick", "knows only dice and sentences"),
        ("vision/reader.py", "import rules", "knows only dice and sentences"),
        ("vision/reader.py", "from rules import *", "knows only dice and sentences"),
        ("vision/reader.py", "import hardware.panel", "knows only dice and sentences"),
        ("vision/deep/reader.py", "from ...firmware_bridge import link", "knows only dice and sentences"),
        ("firmware_bridge/link.py", "from vision.frames import Frame", "knows only dice and sentences"),
        ("hardware/panel.py", "from firmware_bridge import link", "knows only dice and sentences"),
        ("vision/reader.py", "from kiosk.ports import Clock", "nobody but kiosk"),
        ("firmware_bridge/link.py", "import kiosk", "nobody but kiosk"),
        ("hardware/panel.py", "from kiosk import config", "nobody but kiosk"),
        ("scripts/chart.py", "import kiosk.engine", "nobody but kiosk"),
        ("kiosk/web/pages.py", "import cv2", "cv2 is imported only in vision"),
        ("kiosk/web/pages.py", "from numpy import typing", "numpy is imported only in vision"),
        ("hardware/panel.py", "import numpy", "numpy is imported only in vision"),
        ("kiosk/web/pages.py", "import serial.tools.list_ports", "serial is imported only in firmware_bridge"),
        ("vision/reader.py", "import serial", "serial is imported only in firmware_bridge"),
        ("kiosk/web/pages.py", "import gpiozero", "gpiozero is imported only in hardware"),
        ("firmware_bridge/link.py", "import gpiozero", "gpiozero is imported only in hardware"),
        ("kiosk/web/pages.py", "if TYPE_CHECKING:\n    import cv2", "cv2 is imported only in vision"),
        ("kiosk/web/pages.py", "import importlib\nimportlib.import_module('cv2')", "cv2 is imported only in vision"),
        ("kiosk/web/pages.py", "__import__('gpiozero.pins')", "gpiozero is imported only in hardware"),
    ],
)
def test_each_forbidden_arrow_is_caught(tmp_path: Path, place: str, text: str, why: str) -> None:
    plant(tmp_path, place, text)
    (found,) = forbidden_arrows(tmp_path)
    assert found.startswith(f"{place}:")
    assert why in found


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("rules/task.py", "from __future__ import annotations\nfrom dataclasses import dataclass\nimport math"),
        ("rules/task.py", "from rules.dice import Face\nfrom . import dice\nfrom .pools import Pools"),
        ("vision/reader.py", "import numpy\nimport cv2\nimport threading\nfrom rules.dice import Reading"),
        ("vision/reader.py", "from rules import dice\nimport rules.dice\nfrom .frames import Frame"),
        ("firmware_bridge/link.py", "from rules.phrases import say\nfrom rules import phrases"),
        ("firmware_bridge/link.py", "import serial\nfrom cobs import cobs"),
        ("hardware/panel.py", "from gpiozero import Button"),
        ("kiosk/compose.py", "import flask\nimport vision\nfrom hardware import panel\nfrom rules import table"),
        ("tests/vision/test_reader.py", "import cv2\nimport numpy\nimport kiosk\nimport gpiozero\nimport serial"),
        ("build/lib/rules/task.py", "import kiosk"),
        (".venv/lib/anything.py", "import kiosk"),
    ],
)
def test_what_is_allowed_is_let_through(tmp_path: Path, place: str, text: str) -> None:
    plant(tmp_path, place, text)
    assert forbidden_arrows(tmp_path) == []


@pytest.mark.parametrize(("lines", "caught"), [(MOST_LINES, False), (MOST_LINES + 1, True)])
def test_a_file_over_the_limit_is_caught(tmp_path: Path, lines: int, *, caught: bool) -> None:
    plant(tmp_path, "rules/task.py", "pass\n" * lines)
    assert bool(long_files(tmp_path)) is caught


@pytest.mark.parametrize("text", ["", '"""The game."""', '"""Enters: dice."""', "# Enters: dice. Leaves: events."])
def test_a_folder_that_does_not_say_what_passes_is_caught(tmp_path: Path, text: str) -> None:
    for folder in WORDED:
        plant(tmp_path, f"{folder}/__init__.py", '"""A room.\n\nEnters: this. Leaves: that.\n"""')
    assert silent_folders(tmp_path) == []
    plant(tmp_path, "rules/__init__.py", text)
    assert silent_folders(tmp_path) == ["rules"]
