"""An update is installed by programs that take nothing from the folder in which somebody called it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kiosk.commands import trying

PYTHON = """#!/bin/sh
echo "$*" >> {log}
for last; do :; done
case "$*" in *" venv "*) mkdir -p "$last/bin"; cp "$0" "$last/bin/python";; esac
"""
"""Notes what it is to run; the environment that it makes has it again."""


def test_no_step_runs_code_of_the_current_folder_and_the_last_compiles_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, python, version = tmp_path / "log", tmp_path / "python3", tmp_path / "1.0"
    python.write_text(PYTHON.format(log=log))
    python.chmod(0o755)
    version.mkdir()
    (version / "trueroll-1.0-py3-none-any.whl").touch()
    monkeypatch.setattr(shutil, "which", lambda *_, **__: str(python))
    trying.environment(version)
    steps = log.read_text().splitlines()
    assert [one.split()[:3] for one in steps[:3]] == [["-I", "-m", "venv"], ["-I", "-m", "pip"], ["-I", "-m", "pip"]]
    assert steps[3:] == [f"-I -c {trying.COMPILES}"]
    assert not list(version.glob("*.whl"))
