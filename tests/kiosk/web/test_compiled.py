"""Templates are compiled once for all starts, and anew where anything that they were made of is not as it was."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import jinja2
import markupsafe
import pytest
from jinja2 import Environment, FileSystemLoader

from kiosk.commands.trying import COMPILES
from kiosk.web import app as app_module
from kiosk.web import compiled
from kiosk.web.compiled import KeptTemplates


class Counting(Environment):
    """How often something was compiled."""

    times = 0

    def _generate(self, *arguments: Any, **named: Any) -> str:  # noqa: ANN401 - as the library calls it
        self.times += 1
        return super()._generate(*arguments, **named)


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the shell says."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def shown(folder: Path) -> tuple[str, int]:
    """The page as a kiosk that has just started shows it, and how often it compiled for that."""
    made = Counting(loader=FileSystemLoader(folder), bytecode_cache=KeptTemplates(folder), autoescape=True)
    return made.get_template("page.html").render(who="Ada"), made.times


def test_a_template_is_compiled_once_for_all_starts(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("Hail {{ who }}.")
    assert [shown(tmp_path) for _ in range(3)] == [("Hail Ada.", 1), ("Hail Ada.", 0), ("Hail Ada.", 0)]
    page.write_text("Bye {{ who }}.")
    assert [shown(tmp_path) for _ in range(2)] == [("Bye Ada.", 1), ("Bye Ada.", 0)]


def test_a_kept_one_that_is_not_whole_is_made_anew(tmp_path: Path) -> None:
    """A pulled plug leaves it empty or torn, a worn-out card with another bit: Python would run anything."""
    (tmp_path / "page.html").write_text("Hail {{ who }}.")
    shown(tmp_path)
    (kept,) = (tmp_path / "__pycache__").iterdir()
    whole = kept.read_bytes()
    for spoilt in (b"", whole[:20], whole[:-7], whole[:40] + bytes((whole[40] ^ 1,)) + whole[41:]):
        kept.write_bytes(spoilt)
        assert [shown(tmp_path) for _ in range(2)] == [("Hail Ada.", 1), ("Hail Ada.", 0)]


def test_other_code_compiles_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.html").write_text("Hail {{ who }}.")
    code = tmp_path / "filters"
    code.mkdir()
    monkeypatch.setattr(compiled, "COMPILED_WITH", (code,))
    for text in ("", "# longer"):
        (code / "filters.py").write_text(text)
        assert [shown(tmp_path)[1] for _ in range(2)] == [1, 0]
    os.utime(code / "filters.py", ns=(0, 0))
    assert [shown(tmp_path)[1] for _ in range(2)] == [1, 0], "as long as before, and of another time"


def test_what_compiles_is_a_part_of_the_code() -> None:
    for library in (jinja2, markupsafe):
        assert Path(library.__path__[0]) in compiled.COMPILED_WITH


def test_code_that_changes_after_the_start_is_not_what_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An update replaces the filters while the kiosk runs, which still has those from before."""
    (tmp_path / "page.html").write_text("Hail {{ who }}.")
    code = tmp_path / "filters"
    code.mkdir()
    monkeypatch.setattr(compiled, "COMPILED_WITH", (code,))
    running = Counting(loader=FileSystemLoader(tmp_path), bytecode_cache=KeptTemplates(tmp_path), autoescape=True)
    (code / "filters.py").write_text("# another")
    running.get_template("page.html")
    assert [shown(tmp_path)[1] for _ in range(2)] == [1, 0]


def test_pages_are_shown_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.html").write_text("Hail {{ who }}.")
    (tmp_path / "__pycache__").write_text("in the way")
    assert [shown(tmp_path) for _ in range(2)] == [("Hail Ada.", 1)] * 2
    (tmp_path / "__pycache__").unlink()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [shown(tmp_path) for _ in range(2)] == [("Hail Ada.", 1)] * 2
    assert not (tmp_path / "__pycache__").exists()


def test_whoever_installs_the_kiosk_has_its_pages_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_conflict.html", "pin.html"):
        shutil.copy(app_module.TEMPLATES / name, tmp_path)
    monkeypatch.setattr(app_module, "TEMPLATES", tmp_path)
    exec(COMPILES, {})  # noqa: S102 - as an update runs it
    assert {one.name.partition(".html")[0] for one in (tmp_path / "__pycache__").iterdir()} == {"_conflict", "pin"}
