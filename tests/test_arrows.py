"""The arrows between the folders, walked from their imports, and proved on made trees that break them."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import pytest

from rules.state.vocabulary import Spend
from rules.table import PLAYBOOK
from rules.tasks.extended import PLAYBOOK as PLAYBOOK_OF_TASKS
from tests.imports import HOUSE, imports_of

ROOT = Path(__file__).resolve().parents[1]

SOURCES = ("vision", "firmware_bridge", "hardware")
"""The folders that may know dice and sentences of the game (`VOCABULARY`), and nothing else of ours."""

VOCABULARY = ("rules.dice", "rules.words")
"""What these folders may know: dice and their readings, and sentences before they are filled."""

OWNER = {
    "cv2": "vision",
    "numpy": "vision",
    "picamera2": "vision",
    "serial": "firmware_bridge",
    "cobs": "firmware_bridge",
    "bleak": "firmware_bridge",
    "gpiozero": "hardware",
    "lgpio": "hardware",
}
"""The one folder that may import each library of the outside world."""

SHELL = frozenset({"clock", "config", "engine", "errors", "hub", "ports", "settings", "sources"})
"""The kiosk's modules that every room knows and that know no room: what they need comes in by `ports`.

The settings and what they mean (`settings`, `config`), time, errors, the sources of dice and how each part is, the one
writer, and live pages.
"""

COMPOSITION = frozenset({"cli", "compose", "losses"})
"""The kiosk's modules that know every room: the command line's table of commands, what puts a kiosk together, and what
tells the losses of all that is kept."""

ROOMS = {
    "storage": frozenset[str](),
    "i18n": frozenset({"storage"}),
    "speech": frozenset({"storage", "i18n"}),
    "devices": frozenset({"storage", "i18n"}),
    "views": frozenset({"storage", "i18n", "speech"}),
    "panel": frozenset({"storage", "views"}),
    "web": frozenset({"storage", "i18n", "speech", "devices", "views", "panel"}),
    "commands": frozenset({"storage", "i18n", "speech", "devices", "panel", "web"}),
}
"""The rooms of the kiosk, and which others each of them knows beside the shell. Only the composition knows them all."""

GAME = (
    "dice", "words", "errors", "state", "rulesets", "deciding", "tasks", "conflict", "ships", "setup", "house", "table",
    "undo", "messages", "narrate", "history", "odds", "legal", "status", "reference", "game",
)  # fmt: skip
"""The rooms of the rules, and the modules beside them. Each knows those before it."""

EDITIONS = frozenset({"first", "second"})
"""The rooms of the two editions' ships, which do not know each other."""

ABOVE_EDITIONS = frozenset({"moves", "playbook", "striking", "upkeep"})
"""The modules of ships that know both editions; those beside them know neither."""

COMMON = (("rules", "deciding"), ("rules", "tasks"))
"""The rooms of the rules that every subject builds on."""

COMMON_ROWS = frozenset(
    {
        "create_advantage", "create_opportunity", "create_problem", "obtain_information", "reroll_damage",
        "immediate_paid_in_threat", "complication_bought_off", "threatening_scene", "npc_leftover_momentum",
        "npc_immediate_spend", "waive_npc_complication", "create_complication", "environment_effect",
        "extraordinary_attribute",
    }
)  # fmt: skip
"""What pools buy and abilities do in Tasks of any kind, by the names of the rows; every other row is a subject's."""

ROWS = frozenset({"SpendRule", "ThreatRow", "AbilityRow"})
"""What the rows of those tables are made by."""

FACE = ("rules.game", *VOCABULARY)
"""What the kiosk knows of the rules: their public face, and what everybody knows."""

WHOLE_GAME = frozenset({"kiosk/storage/checkpoint.py"})
"""What may import `rules` itself: a checkpoint holds for the game whose files it was made by, and counts them all."""

EYE = ("frames", "pose", "taught", "table", "read", "watch", "desk", "training")
"""The rooms of the camera. Each knows those before it, and what `EYE_SHELL` has; `training` is known by none."""

EYE_SHELL = frozenset({"errors", "ports"})
"""The camera's modules that every room knows and that know none: what can go wrong, what rooms ask of one another."""

LAYERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "firmware_bridge": {
        "ground": ("errors", "framing", "held_rolls", "holders", "plain"),
        "wire": ("discover", "link", "messages", "rolls", "shares"),
        "taught": ("taught", "taught_file", "teaching"),
        "meaning": ("actions", "describe", "pictures", "places", "starts", "wording"),
        "talk": ("connection", "conversation", "onlookers", "session", "supervisor"),
        "checks": ("check_host", "check_rules", "checking", "recording"),
        "simulator": ("pty_simulator", "simulated_readers", "simulator", "simulator_commands"),
        "bluetooth": ("bluetooth",),
        "camera_tray": ("camera_tray",),
    },
    "hardware": {
        "parts": ("board", "buzzer", "errors", "lamp", "notify", "pins"),
        "watching": ("board_watch", "debounce"),
        "found": ("devices",),
        "panel": ("panel",),
    },
}
"""The modules of the folders that have no rooms, by what they are for: see `KNOWN`."""

KNOWN = {
    "wire": frozenset({"ground"}),
    "taught": frozenset({"ground"}),
    "meaning": frozenset({"ground", "wire", "taught"}),
    "talk": frozenset({"ground", "wire", "taught", "meaning"}),
    "checks": frozenset({"ground", "wire", "taught", "meaning", "talk"}),
    "simulator": frozenset({"ground", "wire"}),
    "bluetooth": frozenset({"ground"}),
    "watching": frozenset({"parts"}),
    "found": frozenset({"parts"}),
    "panel": frozenset({"parts", "watching", "found"}),
}
"""Which layers of its folder each layer knows, beside itself; none where it is not named.

So nothing of a tray knows what checks or simulates one, and Bluetooth dice know nothing of trays.
"""

WORDED = (
    *HOUSE,
    *(f"vision/{room}" for room in EYE),
    *(f"kiosk/{room}" for room in ROOMS),
    *(f"rules/{room}" for room in GAME if (ROOT / "rules" / room).is_dir()),
)
"""The folders that say what enters and what leaves."""

IMPURE = frozenset(
    {
        "asyncio", "datetime", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil",
        "signal", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
    }
)  # fmt: skip
"""Standard modules that bring I/O, a clock, randomness, threads or logging, which `rules` goes without."""

SKIPPED = frozenset({"build", "node_modules", "__pycache__", "shared"})
"""Folders that hold no source of ours, beside the hidden ones."""


def python_files(root: Path) -> Iterator[Path]:
    """Every Python file under `root` that is ours, as a path relative to it."""
    found: list[Path] = []
    for folder, folders, files in os.walk(root):
        folders[:] = [
            one for one in folders if not (one in SKIPPED or one.startswith(".") or one.endswith(".egg-info"))
        ]
        here = Path(folder).relative_to(root)
        found += [here / one for one in files if one.endswith(".py") and not one.startswith(".")]
    yield from sorted(found)


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
        if folder == "tests":
            continue  # which may import all, and are half of what there is to parse
        text = (root / path).read_text(encoding="utf-8")
        for line, name in imports_of(text, path):
            why = why_forbidden(folder, name)
            if folder == "rules" and name == "__future__.annotations":
                continue
            if why:
                found.append(f"{path}:{line}: {name}: {why}")
    return found


def room_of(module: str) -> str:
    """The room of the kiosk, or the module beside them, that a dotted name lies in; empty outside of the kiosk."""
    top, _, rest = module.partition(".")
    return rest.partition(".")[0] if top == "kiosk" else ""


def why_unknown(room: str, other: str) -> str:
    """Why `room` of the kiosk, or the module beside them, may not import `other`; empty if it may."""
    if room in COMPOSITION or other in {"", room}:
        return ""
    if other in COMPOSITION:
        return f"{room} need not know {other}, which puts it together"
    if room in ROOMS:
        return f"{room} need not know {other}" if other in ROOMS and other not in ROOMS[room] else ""
    return f"the shell knows no room, so {room} need not know {other}" if other in ROOMS else ""


def arrows_between_rooms(root: Path) -> list[str]:
    """Every import of one room of the kiosk in another that need not know it, with its place."""
    found: list[str] = []
    for path in python_files(root):
        room = room_of(module_of(path))
        if not room:
            continue
        for line, name in imports_of((root / path).read_text(encoding="utf-8"), path):
            if why := why_unknown(room, room_of(name)):
                found.append(f"{path}:{line}: {name}: {why}")
    return found


def module_of(path: Path) -> str:
    """The dotted name of a file."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(root: Path) -> dict[str, frozenset[str]]:
    """Each module of the house with those of the house that it imports, in functions and for types alone as well."""
    paths = {module_of(path): path for path in python_files(root) if path.parts[0] in HOUSE}

    def known(name: str) -> str:
        while name and name not in paths:
            name = name.rpartition(".")[0]
        return name

    return {
        module: frozenset(known(name) for _, name in imports_of((root / path).read_text(encoding="utf-8"), path))
        - {"", module}
        for module, path in paths.items()
    }


def circles(arrows: Mapping[str, Collection[str]]) -> set[tuple[str, ...]]:
    """The strongly connected components of `arrows` that have more than one member (Tarjan's walk), each in order."""
    found: set[tuple[str, ...]] = set()
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_ones: list[str] = []

    def walk(module: str) -> None:
        order[module] = lowest[module] = len(order)
        open_ones.append(module)
        for other in sorted(arrows.get(module, ())):
            if other not in order:
                walk(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in open_ones:
                lowest[module] = min(lowest[module], order[other])
        if lowest[module] == order[module]:
            place = open_ones.index(module)
            if len(open_ones) - place > 1:
                found.add(tuple(sorted(open_ones[place:])))
            del open_ones[place:]

    for module in sorted(arrows):
        if module not in order:
            walk(module)
    return found


def arrows_in_the_game(root: Path) -> list[str]:
    """Every import in the rules that points at a later room, and every import of the kiosk past their public face."""
    found: list[str] = []
    for path in python_files(root):
        module = module_of(path)
        top, _, rest = module.partition(".")
        if top not in {"kiosk", "rules"}:
            continue
        for line, name in imports_of((root / path).read_text(encoding="utf-8"), path):
            other = name.split(".")[1] if within(name, "rules") and "." in name else ""
            whole = name == "rules" and path.as_posix() not in WHOLE_GAME
            if top == "kiosk" and (whole or (other and not any(within(name, one) for one in FACE))):
                found.append(f"{path}:{line}: {name}: the kiosk knows the game by rules.game")
            elif top == "rules" and rest and other:
                found += [f"{path}:{line}: {name}: {why}" for why in why_out_of_order(rest.partition(".")[0], other)]
    return found


def arrows_in_ships(root: Path) -> list[str]:
    """Every import by which one edition's ships know the other's, or what both share knows one of them."""
    found: list[str] = []
    for path in python_files(root):
        _, ships, place = module_of(path).partition("rules.ships.")
        here = place.partition(".")[0]
        if not ships or here in ABOVE_EDITIONS:
            continue
        forbidden = (EDITIONS | ABOVE_EDITIONS) - ({here} if here in EDITIONS else set())
        for line, name in imports_of((root / path).read_text(encoding="utf-8"), path):
            other = name.removeprefix("rules.ships.").partition(".")[0] if within(name, "rules.ships") else ""
            if other in forbidden:
                found.append(f"{path}:{line}: {name}: {here} need not know {other}")
    return found


def arrows_in_the_eye(root: Path) -> list[str]:
    """Every import in the camera's folder that points at a later room, or from its shell at any."""
    found: list[str] = []
    for path in python_files(root):
        room = module_of(path).removeprefix("vision").partition(".")[2].partition(".")[0]
        if path.parts[0] != "vision" or not room:
            continue
        for line, name in imports_of((root / path).read_text(encoding="utf-8"), path):
            other = name.split(".")[1] if within(name, "vision") and "." in name else ""
            if other and (why := why_unseen(room, other)):
                found.append(f"{path}:{line}: {name}: {why}")
    return found


def arrows_between_layers(root: Path) -> list[str]:
    """Every import in the folders without rooms that points at a layer its own need not know."""
    found: list[str] = []
    for path in python_files(root):
        folder, _, module = module_of(path).partition(".")
        if folder not in LAYERS or not module:
            continue
        layer_of = {one: layer for layer, modules in LAYERS[folder].items() for one in modules}
        module = module.partition(".")[0]
        for line, name in imports_of((root / path).read_text(encoding="utf-8"), path):
            other = name.split(".")[1] if within(name, folder) and "." in name else ""
            unknown = [one for one in (module, other) if one and one not in layer_of]
            if other and unknown:
                found.append(f"{path}:{line}: {name}: LAYERS does not say where {unknown[0]} stands")
            elif other and layer_of[other] not in {layer_of[module], *KNOWN.get(layer_of[module], ())}:
                found.append(f"{path}:{line}: {name}: {layer_of[module]} need not know {layer_of[other]}")
    return found


def why_unseen(room: str, other: str) -> str:
    """Why a room of the camera, or a module of its shell, may not import `other`; empty if it may."""
    if other in EYE_SHELL:
        return ""
    if room in EYE_SHELL:
        return f"the shell knows no room, so {room} need not know {other}"
    unknown = [one for one in (room, other) if one not in EYE]
    if unknown:
        return f"EYE does not say where {unknown[0]} stands"
    return f"{room} need not know {other}" if EYE.index(other) > EYE.index(room) else ""


def why_out_of_order(room: str, other: str) -> list[str]:
    """Why `room` of the game may not import `other`; nothing if it may."""
    unknown = [one for one in (room, other) if one not in GAME]
    if unknown:
        return [f"GAME does not say where {one} stands" for one in unknown]
    return [f"{room} need not know {other}"] if GAME.index(other) > GAME.index(room) else []


def private_imports(root: Path) -> list[str]:
    """Every name of one module's own that another module of the house imports."""
    return [
        f"{path}:{line}: {name}"
        for path in python_files(root)
        if path.parts[0] in HOUSE
        for line, name in imports_of((root / path).read_text(encoding="utf-8"), path)
        if name.partition(".")[0] in HOUSE and name.rpartition(".")[2].startswith("_")
    ]


def loaded_by(*modules: str) -> set[str]:
    """What else of ours is loaded by importing `modules`, in a Python of its own."""
    ours = f"(one for one in sys.modules if one.split('.')[0] in {HOUSE})"
    program = f"import sys, {', '.join(modules)}; print(*{ours})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    return {one for one in done.stdout.split() if one != "rules" and not any(within(one, our) for our in modules)}


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
    beside = {path.parts[1] for path in python_files(ROOT) if path.parts[0] == "kiosk"}
    assert beside == {"__init__.py", *ROOMS, *(f"{name}.py" for name in SHELL | COMPOSITION)}


@pytest.mark.parametrize(
    ("place", "text", "why"),
    [
        ("kiosk/views/stage.py", "from kiosk.web.api import serve", "views need not know web"),
        ("kiosk/views/stage.py", "from kiosk import web", "views need not know web"),
        ("kiosk/views/stage.py", "from ..web import api", "views need not know web"),
        ("kiosk/views/stage.py", "if TYPE_CHECKING:\n    from kiosk.web.api import Route", "views need not know web"),
        ("kiosk/hub.py", "from kiosk.storage.wire import encode", "the shell knows no room"),
        ("kiosk/engine.py", "def run():\n    from kiosk import speech", "the shell knows no room"),
        ("kiosk/ports.py", "if TYPE_CHECKING:\n    from .views.view import Views", "the shell knows no room"),
        ("kiosk/engine.py", "from kiosk.compose import build", "engine need not know compose"),
        ("kiosk/commands/run.py", "from kiosk.compose import build", "commands need not know compose"),
    ],
)
def test_a_wrong_arrow_of_the_kiosk_is_caught(tmp_path: Path, place: str, text: str, why: str) -> None:
    plant(tmp_path, place, text)
    (found,) = arrows_between_rooms(tmp_path)
    assert found.startswith(f"{place}:")
    assert why in found


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("kiosk/views/stage.py", "from kiosk.storage.wire import encode\nfrom kiosk.engine import Engine"),
        ("kiosk/compose.py", "from kiosk.web.app import create_app\nfrom kiosk.hub import Hub"),
        ("kiosk/hub.py", "from kiosk.ports import Encoder\nfrom rules.table import evolve\nimport kiosk"),
        ("rules/task.py", "from rules.web import compose"),
    ],
)
def test_an_arrow_of_the_kiosk_that_is_right_is_let_through(tmp_path: Path, place: str, text: str) -> None:
    plant(tmp_path, place, text)
    assert arrows_between_rooms(tmp_path) == []


def test_every_arrow_of_the_game_points_the_right_way() -> None:
    assert arrows_in_the_game(ROOT) == []
    assert {path.parts[1].removesuffix(".py") for path in python_files(ROOT) if path.parts[0] == "rules"} == {
        "__init__",
        *GAME,
    }


@pytest.mark.parametrize(
    ("place", "text", "why"),
    [
        ("rules/tasks/pools.py", "from rules.conflict.order import can_act", "tasks need not know conflict"),
        ("rules/words/phrases.py", "if TYPE_CHECKING:\n    from rules.state.table import Table", "words need not know"),
        ("rules/ships/first/helm.py", "def late():\n    import rules.legal.menu", "ships need not know legal"),
        ("rules/history.py", "from rules import game", "history need not know game"),
        ("kiosk/engine.py", "from rules.table import decide", "by rules.game"),
        ("kiosk/web/api.py", "from rules import history", "by rules.game"),
        ("kiosk/web/api.py", "import rules", "by rules.game"),
        ("kiosk/web/api.py", "def late():\n    import rules as game", "by rules.game"),
    ],
)
def test_a_wrong_arrow_of_the_game_is_caught(tmp_path: Path, place: str, text: str, why: str) -> None:
    plant(tmp_path, place, text)
    (found,) = arrows_in_the_game(tmp_path)
    assert found.startswith(f"{place}:")
    assert why in found


def test_no_edition_of_ships_knows_the_other(tmp_path: Path) -> None:
    assert arrows_in_ships(ROOT) == []
    plant(tmp_path, "rules/ships/first/helm.py", "from rules.ships.second.power import lose")
    plant(tmp_path, "rules/ships/second/power.py", "from rules.ships.second import hits\nfrom rules.ships import moves")
    plant(tmp_path, "rules/ships/bridge.py", "from rules.ships.first.numbers import scale")
    plant(tmp_path, "rules/ships/striking.py", "from rules.ships.first.hits import struck")
    assert arrows_in_ships(tmp_path) == [
        "rules/ships/bridge.py:1: rules.ships.first.numbers.scale: bridge need not know first",
        "rules/ships/first/helm.py:1: rules.ships.second.power.lose: first need not know second",
        "rules/ships/second/power.py:2: rules.ships.moves: second need not know moves",
    ]


def test_every_arrow_of_the_camera_points_the_right_way() -> None:
    assert arrows_in_the_eye(ROOT) == []
    beside = {path.parts[1] for path in python_files(ROOT) if path.parts[0] == "vision"}
    assert beside == {"__init__.py", *EYE, *(f"{name}.py" for name in EYE_SHELL)}


@pytest.mark.parametrize(
    ("place", "text", "why"),
    [
        ("vision/frames/folders.py", "from vision.pose.scales import scaled", "frames need not know pose"),
        ("vision/pose/networks.py", "from vision.read import faces", "pose need not know read"),
        ("vision/taught/own_poses.py", "from ..read.doubt import Detection", "taught need not know read"),
        ("vision/read/mirror.py", "def late():\n    import vision.desk.hints", "read need not know desk"),
        ("vision/read/mirror.py", "import vision.watch", "read need not know watch"),
        ("vision/desk/cases.py", "from vision.training.stage import Stage", "desk need not know training"),
        ("vision/ports.py", "if TYPE_CHECKING:\n    from .table.setup import TableSetup", "the shell knows no room"),
        ("vision/read/faces.py", "from vision.geometry import Pose", "EYE does not say where geometry stands"),
    ],
)
def test_a_wrong_arrow_of_the_camera_is_caught(tmp_path: Path, place: str, text: str, why: str) -> None:
    plant(tmp_path, place, text)
    (found,) = arrows_in_the_eye(tmp_path)
    assert found.startswith(f"{place}:")
    assert why in found


def test_every_arrow_of_trays_and_panel_points_the_right_way() -> None:
    assert arrows_between_layers(ROOT) == []
    for folder, layers in LAYERS.items():
        beside = {path.parts[1].removesuffix(".py") for path in python_files(ROOT) if path.parts[0] == folder}
        assert beside - {"__init__"} == {one for modules in layers.values() for one in modules}


@pytest.mark.parametrize(
    ("place", "text", "why"),
    [
        ("firmware_bridge/errors.py", "from firmware_bridge import messages", "ground need not know wire"),
        ("firmware_bridge/rolls.py", "from .wording import what", "wire need not know meaning"),
        ("firmware_bridge/session.py", "import firmware_bridge.simulator", "talk need not know simulator"),
        ("firmware_bridge/supervisor.py", "def late():\n    from . import checking", "talk need not know checks"),
        ("firmware_bridge/bluetooth/dice.py", "from ..messages import Event", "bluetooth need not know wire"),
        ("firmware_bridge/camera_tray/main.py", "from ..errors import TrayError", "camera_tray need not know ground"),
        ("firmware_bridge/parity.py", "import firmware_bridge.errors", "LAYERS does not say where parity stands"),
        ("hardware/lamp.py", "from hardware.panel import Panel", "parts need not know panel"),
        ("hardware/devices.py", "from hardware.debounce import Debounce", "found need not know watching"),
    ],
)
def test_a_wrong_arrow_of_trays_and_panel_is_caught(tmp_path: Path, place: str, text: str, why: str) -> None:
    plant(tmp_path, place, text)
    (found,) = arrows_between_layers(tmp_path)
    assert found.startswith(f"{place}:")
    assert why in found


def subjects_named(root: Path) -> list[str]:
    """Every step, spend, ability and reason of Threat of a subject that the common code names: the subjects bring them.

    Rows by their name; other code by a member of a vocabulary, or by the text that is the row's name.
    """
    own = {row.kind.name for row in PLAYBOOK_OF_TASKS.steps}
    common = {one.name for one in Spend if one in COMMON_ROWS}
    tables = (PLAYBOOK.spends, PLAYBOOK.threat_gains, PLAYBOOK.threat_spends, PLAYBOOK.abilities)
    brought = {row.name for rows in tables for row in rows} - COMMON_ROWS
    found: list[str] = []
    for path in python_files(root):
        if path.parts[:2] not in COMMON:
            continue
        for node in ast.walk(ast.parse((root / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                kind, name = node.value.id, node.attr
                if (kind == "StepKind" and name not in own) or (kind == "Spend" and name not in common):
                    found.append(f"{path}:{node.lineno}: {kind}.{name}")
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ROWS:
                names = [one.value for one in node.keywords if one.arg == "name"]
                found += [
                    f"{path}:{node.lineno}: {node.func.id} of {ast.unparse(one)}"
                    for one in names
                    if not isinstance(one, ast.Constant) or one.value not in COMMON_ROWS | brought
                ]
            elif isinstance(node, ast.Constant) and node.value in brought:
                found.append(f"{path}:{node.lineno}: {node.value!r}")
    return found


def test_common_code_names_nothing_of_a_subject(tmp_path: Path) -> None:
    assert subjects_named(ROOT) == []
    plant(tmp_path, "rules/deciding/agenda.py", "DAMAGE = frozenset({StepKind.DAMAGE_DICE})")
    plant(tmp_path, "rules/tasks/settling.py", "if spend == Spend.EXTRA_MINOR_ACTION:\n    pass")
    plant(tmp_path, "rules/conflict/chain.py", "DAMAGE = frozenset({StepKind.DAMAGE_DICE})")
    plant(tmp_path, "rules/conflict/spends.py", 'SpendRule(name="disarm", rule="MOM-2", cost=2, scope="personal")')
    plant(tmp_path, "rules/tasks/abilities.py", 'ROW = AbilityRow(\n    name="wrathful"\n)')
    plant(tmp_path, "rules/tasks/pools.py", 'ROWS = (\n    SpendRule(name="disarm", rule="MOM-2"),\n)')
    plant(tmp_path, "rules/tasks/paying.py", 'EACH = 2 if spend == "extra_minor_action" else 1')
    plant(tmp_path, "rules/tasks/threat.py", 'ROWS = (ThreatRow(name="boarding_party"), ThreatRow(name=NAME))')
    assert subjects_named(tmp_path) == [
        "rules/deciding/agenda.py:1: StepKind.DAMAGE_DICE",
        "rules/tasks/abilities.py:2: 'wrathful'",
        "rules/tasks/paying.py:1: 'extra_minor_action'",
        "rules/tasks/pools.py:2: 'disarm'",
        "rules/tasks/settling.py:1: Spend.EXTRA_MINOR_ACTION",
        "rules/tasks/threat.py:1: ThreatRow of 'boarding_party'",
        "rules/tasks/threat.py:1: ThreatRow of NAME",
    ]


def rulesets_asked_for(root: Path) -> list[str]:
    """Every comparison in the rules of the ruleset that is played with one by its name: tables say what differs."""
    found: list[str] = []
    for path in python_files(root):
        if path.parts[0] != "rules":
            continue
        for node in ast.walk(ast.parse((root / path).read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Compare):
                continue
            sides = [ast.unparse(one) for one in (node.left, *node.comparators)]
            played = any(one == "ruleset" or one.endswith(".ruleset") for one in sides)
            if played and any("Ruleset." in one or one in {"FIRST", "SECOND"} for one in sides):
                found.append(f"{path}:{node.lineno}: {ast.unparse(node)}")
    return found


def test_the_rules_do_not_ask_which_ruleset_is_played(tmp_path: Path) -> None:
    assert rulesets_asked_for(ROOT) == []
    asked = "if draft.table.ruleset is not Ruleset.SECOND_EDITION:\n    pass\n"
    plant(tmp_path, "rules/tasks/settling.py", asked)
    plant(tmp_path, "rules/ships/seats.py", "FOUND = [one for one in ROWS if profile.ruleset in FIRST]\n")
    plant(tmp_path, "rules/tasks/pools.py", "FOUND = [one for one in ROWS if profile.ruleset in one.rulesets]\n")
    assert rulesets_asked_for(tmp_path) == [
        "rules/ships/seats.py:1: profile.ruleset in FIRST",
        "rules/tasks/settling.py:1: draft.table.ruleset is not Ruleset.SECOND_EDITION",
    ]


def test_nobody_imports_what_is_another_modules_own(tmp_path: Path) -> None:
    assert private_imports(ROOT) == []
    plant(tmp_path, "rules/task.py", "from rules.pools import _price, cost")
    assert private_imports(tmp_path) == ["rules/task.py:1: rules.pools._price"]


def test_dice_and_words_load_nothing_else_of_the_game() -> None:
    assert loaded_by("rules.dice", "rules.words") == set()
    assert "rules.table" in loaded_by("rules.messages")


def test_no_imports_go_round_in_a_circle() -> None:
    """Not for types alone, nor inside of a function."""
    assert circles(imported_modules(ROOT)) == set()


@pytest.mark.parametrize(
    "back",
    [
        "from kiosk.engine import Engine",
        "from kiosk import engine",
        "if TYPE_CHECKING:\n    from kiosk.engine import Engine",
        "def late():\n    from .engine import Engine",
        "import kiosk.engine",
    ],
)
def test_a_circle_is_caught(tmp_path: Path, back: str) -> None:
    for module in ("ports", "errors", "__init__"):
        plant(tmp_path, f"kiosk/{module}.py", "")
    plant(tmp_path, "kiosk/engine.py", "from kiosk.hub import Hub\nimport kiosk.errors")
    plant(tmp_path, "kiosk/hub.py", "from kiosk.sources import Sources\nfrom kiosk.ports import Journal")
    plant(tmp_path, "kiosk/sources.py", "from kiosk.ports import Clock")
    assert circles(imported_modules(tmp_path)) == set()
    plant(tmp_path, "kiosk/sources.py", f"from kiosk.ports import Clock\n{back}")
    assert circles(imported_modules(tmp_path)) == {("kiosk.engine", "kiosk.hub", "kiosk.sources")}


def scripts_imported(folder: Path) -> dict[str, frozenset[str]]:
    """Each script of a folder of pages with the scripts beside it that it imports, at once or later."""
    imported = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["']\./([\w.-]+)["']""")
    return {path.name: frozenset(imported.findall(path.read_text(encoding="utf-8"))) for path in folder.glob("*.js")}


def test_no_scripts_import_one_another_in_a_circle(tmp_path: Path) -> None:
    arrows = scripts_imported(ROOT / "kiosk" / "static" / "js")
    assert "dom.js" in arrows["forms.js"]
    assert circles(arrows) == set()
    plant(tmp_path, "dice.js", 'import { give } from "./work.js";')
    plant(tmp_path, "work.js", 'import("./dice.js").then(({ looking }) => looking());')
    assert circles(scripts_imported(tmp_path)) == {("dice.js", "work.js")}


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
        ("firmware_bridge/link.py", "from rules.words import say\nfrom rules import words"),
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


@pytest.mark.parametrize("text", ["", '"""The game."""', '"""Enters: dice."""', "# Enters: dice. Leaves: events."])
def test_a_folder_that_does_not_say_what_passes_is_caught(tmp_path: Path, text: str) -> None:
    for folder in WORDED:
        plant(tmp_path, f"{folder}/__init__.py", '"""A room.\n\nEnters: this. Leaves: that.\n"""')
    assert silent_folders(tmp_path) == []
    plant(tmp_path, "rules/__init__.py", text)
    assert silent_folders(tmp_path) == ["rules"]
