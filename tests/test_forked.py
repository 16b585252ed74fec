"""The forked workers, in a project of their own: what each has for itself, and what pytest-xdist promises of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

COLLECTED_BY: Final = os.getpid()

CONFTEST: Final = """
from tests.forked.controller import ForkedWorkers

def pytest_configure(config):
    config.pluginmanager.register(ForkedWorkers())
"""

FILE: Final = """
import os
from pathlib import Path
import pytest

COLLECTED_BY = os.getpid()

def test_alone(tmp_path, worker_id, capfd):
    os.system("echo $PYTEST_XDIST_WORKER; echo wrong >&2")
    assert capfd.readouterr() == (worker_id + chr(10), "wrong" + chr(10))
    assert tmp_path.parent.name == f"popen-{worker_id}"
    assert os.getppid() == COLLECTED_BY
    Path(__file__).with_suffix("." + worker_id).touch()

@pytest.mark.flaky(reruns=1)
def test_again(tmp_path_factory):
    seen = tmp_path_factory.getbasetemp() / "seen"
    if not seen.exists():
        seen.touch()
        pytest.fail("the first time")
"""

BROKEN: Final = """
import os

def test_that_says_why():
    os.system("echo heard of $PYTEST_XDIST_WORKER")
    assert 1 == 2
"""


def run_of(folder: Path, **files: str) -> str:
    """What pytest with two forked workers says of such a project."""
    here = Path(__file__).parent
    made = folder / "tests"
    shutil.copytree(here / "forked", made / "forked", ignore=shutil.ignore_patterns("__pycache__"))
    (made / "__init__.py").touch()
    (made / "conftest.py").write_text(CONFTEST)
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\nfilterwarnings = ['error']\n")
    for name, text in files.items():
        (made / f"{name}.py").write_text(text)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    command = [sys.executable, "-m", "pytest", "-n2", "--dist=loadfile", "-rA", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_a_worker_here_is_a_fork_of_what_has_collected(pytestconfig: pytest.Config) -> None:
    forked = hasattr(pytestconfig, "workerinput")
    assert (os.getppid() if forked else os.getpid()) == COLLECTED_BY


def test_each_fork_has_its_own_folder_output_and_reruns(tmp_path: Path) -> None:
    said = run_of(tmp_path, test_a=FILE, test_b=FILE, test_c=BROKEN)
    assert "1 failed, 4 passed, 2 rerun" in said, said
    assert re.search(r"heard of gw\d", said), said
    assert {one.suffix for one in (tmp_path / "tests").glob("test_[ab].gw*")} <= {".gw0", ".gw1"}


@pytest.mark.long
def test_what_cannot_be_collected_is_told_by_usual_workers(tmp_path: Path) -> None:
    said = run_of(tmp_path, test_a=FILE, test_b="import nothing_of_this_name")
    assert "ModuleNotFoundError: No module named 'nothing_of_this_name'" in said, said
    assert "1 error" in said, said
