"""The recipes of CONTRIBUTING.md: their places are in the code, and `make soak` follows each as it is written.

A recipe is followed in a copy of the project, by what its text says and nothing else. What it leaves to whoever follows
it stands here: the translations.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from types import ModuleType
from typing import Final

import pytest

from rules.dice import Reading, SourceState, SourceStatus
from tests.e2e.program import free_port
from tests.test_house import tracked_files

ROOT: Final = Path(__file__).resolve().parents[1]

PAGE: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

FENCE: Final = re.compile(r"^ *```(?P<kind>\w*)\n(?P<text>.*?)^ *```$", re.DOTALL | re.MULTILINE)

STEP: Final = re.compile(r"^\d\. `(?P<path>[\w/.]+)`: [^`]*`(?P<code>[^`]+)`,? in `(?P<where>\w+)`\.", re.MULTILINE)
"""A numbered step that adds one line to a table or an enumeration."""

TRANSLATIONS: Final[Mapping[str, tuple[str, str, str]]] = {
    "Search": ("Suchen", "Buscar", "Chercher"),
    "Say what is searched for.": ("Sag, wonach gesucht wird.", "Di qué se busca.", "Dis ce qui est cherché."),
    "{before} is called {name} now.": (
        "{before} heißt jetzt {name}.",
        "{before} se llama ahora {name}.",
        "{before} s'appelle maintenant {name}.",
    ),
    "the new name of a player": (
        "der neue Name eines Spielers",
        "el nuevo nombre de un jugador",
        "le nouveau nom d'un joueur",
    ),
    "The feed is starting.": ("Die Zuleitung startet.", "La fuente se inicia.", "Le flux démarre."),
    "The feed is ready.": ("Die Zuleitung ist bereit.", "La fuente está lista.", "Le flux est prêt."),
    "feed": ("Zuleitung", "fuente", "flux"),
    "The feed is gone.": ("Die Zuleitung ist weg.", "La fuente ya no está.", "Le flux n'est plus là."),
    "Write its file again.": (
        "Schreib ihre Datei neu.",
        "Escribe su archivo otra vez.",
        "Écris son fichier à nouveau.",
    ),
}
"""What the recipes say anew, in German, Spanish and French: the languages that are complete."""

PRELUDE: Final = """
set -e -m -o pipefail
python=.venv/bin/python
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
make() {
    case "$1" in
        words) "$python" -m tests.words; "$python" -m tests.test_recipes; "$python" -m tests.words ;;
        run) exec "$python" -m kiosk.cli run ${2#ARGS=} ;;
        *) echo "a recipe asks for make $1, which nobody follows here" >&2; exit 2 ;;
    esac
}
"""
"""What stands for `make` in a copy, which has its packages. What is new is translated between two of `make words`."""


@dataclass(frozen=True)
class Recipe:
    """A section of the page: its text without the fenced parts, and these by their kinds, the first one first."""

    heading: str
    prose: str
    parts: Mapping[str, tuple[str, ...]]

    def found(self, pattern: str) -> tuple[str, ...]:
        """What the groups of `pattern` are in the prose, whose lines are one."""
        match = re.search(pattern, " ".join(self.prose.split()))
        assert match is not None, f"{self.heading!r} says nowhere {pattern}"
        return match.groups()


def recipe(heading: str) -> Recipe:
    """The recipe under that heading."""
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert section is not None, f"CONTRIBUTING.md has no {heading!r}"
    parts: dict[str, tuple[str, ...]] = {}
    for fenced in FENCE.finditer(section[1]):
        parts[fenced["kind"]] = (*parts.get(fenced["kind"], ()), fenced["text"])
    return Recipe(heading, FENCE.sub("", section[1]), parts)


def named(source: str, name: str) -> ast.stmt:
    """The class, or what is assigned, of that name."""
    for node in ast.walk(ast.parse(source)):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.ClassDef) and node.name == name:
            return node
        if isinstance(node, ast.Assign | ast.AnnAssign) and any(getattr(one, "id", "") == name for one in targets):
            return node
    raise AssertionError(f"there is no {name}")


def insert(path: Path, text: str, where: Callable[[str], int]) -> None:
    """Insert `text` after the line of the file that `where` gives."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines(keepends=True)
    lines.insert(where(source), text)
    path.write_text("".join(lines), encoding="utf-8")


def above(name: str) -> Callable[[str], int]:
    """The place before what has that name."""
    return lambda source: named(source, name).lineno - 1


def after(name: str) -> Callable[[str], int]:
    """The place behind what has that name."""
    return lambda source: named(source, name).end_lineno or 0


def at_end_of(name: str) -> Callable[[str], int]:
    """The last place within a table; behind the last line of a class."""
    return lambda source: after(name)(source) - (not isinstance(named(source, name), ast.ClassDef))


def behind_line(text: str) -> Callable[[str], int]:
    """The place behind the only line that holds `text`."""

    def place(source: str) -> int:
        found = [number for number, line in enumerate(source.splitlines(), start=1) if text in line]
        assert len(found) == 1, f"{len(found)} lines hold {text!r}"
        return found[0]

    return place


def an_action(root: Path, way: Recipe) -> None:
    """The plan above the rows, the row at their end, a test."""
    (path,) = way.found(r"One file: `([\w/.]+)`\. Above `ROWS`")
    way.found(r"(and at the end of `ROWS`)")
    insert(root / path, way.parts["text"][0], at_end_of("ROWS"))
    insert(root / path, way.parts["python"][0] + "\n\n", above("ROWS"))
    (test,) = way.found(r"Show that it works in `([\w/.]+)`")
    (root / test).write_text(way.parts["python"][1], encoding="utf-8")


def an_event(root: Path, way: Recipe) -> None:
    """An event, the command that records it, a test."""
    event, command, test = way.parts["python"]
    path, before = way.found(r"here `([\w/.]+)`, after `(\w+)`")
    insert(root / path, "\n\n" + event, after(before))
    path, before, imported = way.found(r"here a command, in `([\w/.]+)` after `(\w+)` \(import `(\w+)` there\)")
    insert(root / path, "\n\n" + command, after(before))
    insert(root / path, f"    {imported},\n", behind_line("    PlayerRemoved,"))
    (path,) = way.found(r"`(tests/rules/test_\w+\.py)`:")
    (root / path).write_text(test, encoding="utf-8")


def a_source(root: Path, way: Recipe) -> None:
    """A name in three tables, the source itself, its place among the parts."""
    steps = list(STEP.finditer(way.prose))
    assert len(steps) == 3
    for step in steps:
        insert(root / step["path"], f"    {step['code']}\n", at_end_of(step["where"]))
    source, part = way.parts["python"]
    (path,) = way.found(r"\d\. `(kiosk/devices/\w+\.py)`:")
    (root / path).write_text(source, encoding="utf-8")
    path, line, before, table = way.found(
        r"\d\. `([\w/.]+)`: `(from [\w. ]+)` \(between `([\w.]+)` and `[\w.]+`\), and in `(\w+)` of `build`"
    )
    insert(root / path, line + "\n", behind_line(f"from kiosk.{before} import"))
    insert(root / path, part, at_end_of(table))


def a_language(root: Path, way: Recipe) -> None:
    """The head of the translators' file, and the glossary; the translation itself comes with `make words`."""
    (path,) = way.found(r"1\. `([\w/.]+\.po)`, with a head alone")
    (root / path).write_text(way.parts[""][0], encoding="utf-8")
    (path,) = way.found(r"3\. `([\w/.]+\.toml)`: the terms")
    (root / path).write_text(way.parts["toml"][0], encoding="utf-8")


RECIPES: Final[Mapping[str, Callable[[Path, Recipe], None]]] = {
    "An action of the rules": an_action,
    "An event": an_event,
    "A source of dice": a_source,
    "A language": a_language,
}
"""What follows each recipe up to its commands, by its heading."""


def commands(way: Recipe) -> str:
    """The commands that the recipe ends with, on a port that nobody uses; they wait until the kiosk is ready."""
    port = str(free_port())
    block = way.parts[""][-1].replace("8099", port)
    ready = f"curl -sf http://127.0.0.1:{port}/api/v1/table | grep -q 'feed is ready'"
    started = f"until {ready}; do sleep 1; done; sleep 1"
    words = "" if "make words" in block else "make words\n"
    return PRELUDE + words + re.sub(r"\bsleep 15\b", started, block)


def translate(folder: Path) -> None:
    """Give the new templates their translations, in each language that is complete; in Dutch what its recipe says."""
    for place, code in enumerate(("de", "es", "fr")):
        path = folder / f"{code}.po"
        path.write_text(filled(path.read_text("utf-8"), {one: said[place] for one, said in TRANSLATIONS.items()}))
    dutch = folder / "nl.po"
    if dutch.exists():
        template, said = recipe("A language").found(r"under `msgid \"(\w+)\"` write `msgstr \"(\w+)\"`")
        dutch.write_text(filled(dutch.read_text("utf-8"), {template: said}))


def filled(book: str, translations: Mapping[str, str]) -> str:
    """The translators' file with these translations where it has none."""
    for template, said in translations.items():
        book = book.replace(f'msgid "{template}"\nmsgstr ""\n', f'msgid "{template}"\nmsgstr "{said}"\n')
    return book


def changed_files(root: Path) -> Iterator[str]:
    """The Python files of the copy that are new, or other than here."""
    for path in root.rglob("*.py"):
        here = ROOT / path.relative_to(root)
        if ".venv" not in path.parts and (not here.exists() or here.read_bytes() != path.read_bytes()):
            yield str(path.relative_to(root))


def copy(root: Path, paths: Iterable[Path]) -> None:
    """The files as they are here."""
    for path in paths:
        there = root / path.relative_to(ROOT)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, there)


def touched(way: Recipe) -> list[Path]:
    """The files that a recipe names and that are there before it."""
    named_files = {ROOT / path for path in re.findall(r"`([\w/]+/\w+\.\w+)`", way.prose)}
    return sorted(path for path in named_files if path.is_file())


@pytest.mark.parametrize("heading", RECIPES)
def test_the_places_of_a_recipe_are_in_the_code(heading: str, tmp_path: Path) -> None:
    """What it adds can be added where it says, and is Python then."""
    for folder in ("tests/rules", "kiosk/devices", "kiosk/i18n/translations"):
        (tmp_path / folder).mkdir(parents=True)
    copy(tmp_path, touched(recipe(heading)))
    RECIPES[heading](tmp_path, recipe(heading))
    changed = sorted(changed_files(tmp_path))
    assert len(changed) >= 2 or heading == "A language"
    for path in changed:
        ast.parse((tmp_path / path).read_text(encoding="utf-8"))


def test_the_code_of_a_recipe_is_short() -> None:
    """An action fits 25 lines and a source of dice 100: what takes more is a sign that the rooms ask too much."""
    action = recipe("An action of the rules").parts
    assert len((action["python"][0] + action["text"][0]).splitlines()) < 25
    assert len(recipe("A source of dice").parts["python"][0].splitlines()) < 100


def test_a_place_that_is_gone_is_told(tmp_path: Path) -> None:
    way = recipe("An event")
    copy(tmp_path, touched(way))
    event = tmp_path / "rules/setup/events.py"
    event.write_text(event.read_text(encoding="utf-8").replace("class PlayerRemoved(", "class PlayerGone("))
    with pytest.raises(AssertionError, match="there is no PlayerRemoved"):
        an_event(tmp_path, way)
    with pytest.raises(AssertionError, match="says nowhere"):
        an_event(tmp_path, Recipe(way.heading, "Put it where you like.", way.parts))


def test_the_source_of_a_recipe_outlives_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its thread goes on without the file, tells that once, and its return once; no throw is lost or told twice."""
    code = recipe("A source of dice").parts["python"][0].replace("SourceKind.FEED", "SourceKind.MANUAL")
    feed = ModuleType("feed")
    monkeypatch.setitem(sys.modules, "feed", feed)
    exec(compile(code.replace("Final = 0.2", "Final = 0.002"), "feed.py", "exec"), vars(feed))  # noqa: S102 - as it is told
    path, readings, told = tmp_path / "dice.txt", Queue[Reading](), Queue[SourceStatus]()
    path.write_text("d20 1\n")
    source = feed.Feed(path)
    source.start(readings.put, told.put)

    def thrown(line: str) -> tuple[str, list[object]]:
        with path.open("a") as file:
            file.write(line + "\n")
        reading = readings.get(timeout=20)
        return reading.reading_id, [die.face for die in reading.dice]

    def state() -> SourceState:
        return told.get(timeout=20).state

    assert state() is SourceState.READY
    before = thrown("d20 17")
    path.unlink()
    assert state() is SourceState.LOST
    again, another = thrown("d20 4"), thrown("d20 9")
    assert state() is SourceState.READY
    source.stop()
    assert [faces for _, faces in (before, again, another)] == [[17], [4], [9]]
    assert len({one for one, _ in (before, again, another)}) == 3
    assert told.empty()
    assert readings.empty()


@pytest.mark.long
@pytest.mark.parametrize("heading", RECIPES)
def test_a_recipe_leads_to_what_it_says(heading: str, tmp_path: Path) -> None:
    """Its commands end well; style and types hold of what it made."""
    copy(tmp_path, tracked_files(ROOT))
    (tmp_path / ".venv").symlink_to(sys.prefix)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    way = recipe(heading)
    RECIPES[heading](tmp_path, way)
    changed = sorted(changed_files(tmp_path))
    style = ".venv/bin/ruff check .\n.venv/bin/ruff format --check .\n.venv/bin/mypy\n"
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    command = ["bash", "-c", commands(way) + (style if changed else "")]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{changed}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"


if __name__ == "__main__":
    translate(Path("kiosk/i18n/translations"))
