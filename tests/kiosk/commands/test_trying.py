"""An update is installed by programs that take nothing from the folder in which somebody called it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

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


RUNS: Final = """#!/bin/sh
echo $$ > {pid}
exec /bin/sleep 600
"""
"""A version whose kiosk begins and never serves."""

TRIES: Final = """
import sys
from pathlib import Path
from kiosk.commands.trying import _run_on
_run_on(Path(sys.argv[1]), Path(sys.argv[2]), None)
"""
"""What an update does while it tries a version."""

PATIENCE: Final = 20.0
"""Seconds; far fewer than a kiosk that nobody ends goes on."""


@pytest.mark.skipif(shutil.which("setpriv", path=os.defpath) is None, reason="this machine has no setpriv")
def test_the_kiosk_that_is_tried_ends_with_an_update_that_is_killed(tmp_path: Path) -> None:
    version, copy, pid = tmp_path / "1.0", tmp_path / "room/data", tmp_path / "pid"
    program = trying.program_of(version)
    for one in (program.parent, copy):
        one.mkdir(parents=True)
    program.write_text(RUNS.format(pid=pid))
    program.chmod(0o755)
    update = subprocess.Popen([sys.executable, "-c", TRIES, str(version), str(copy)])
    try:
        _until(lambda: pid.exists() and bool(pid.read_text().strip()))
        kiosk = int(pid.read_text())
        assert _runs(kiosk)
        update.kill()
        update.wait()
        _until(lambda: not _runs(kiosk))
    finally:
        update.kill()
        update.wait()
        if pid.exists() and _runs(left := int(pid.read_text())):
            os.kill(left, signal.SIGKILL)


def test_a_setpriv_that_cannot_end_it_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one of BusyBox knows no such option: with it, a good version would seem to end at its start."""
    setpriv = tmp_path / "setpriv"
    setpriv.write_text('#!/bin/sh\necho "unrecognized option" >&2\nexit 1\n')
    setpriv.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda *_, **__: str(setpriv))
    assert trying.ending_with_us() == ()


def _until(condition: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.02)


def _runs(process: int) -> bool:
    """Whether it is there and no zombie: who inherits it may be slow to look after it."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
