"""The side of pytest-xdist's controller: begins the process that collects, and each worker as a door to it."""

from __future__ import annotations

import json
import secrets
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import pytest

from tests.forked import worker

DOOR: Final = Path(__file__).with_name("door.py")

BEGUN: Final = """
import json, os, sys
told = json.loads(sys.stdin.readline())
sys.path[:] = told["path"]
life = os.dup(0)
from _pytest.config import _prepareconfig
config = _prepareconfig(told["arguments"], None)
from tests.forked.origin import collect
collect(config, told["listener"], life, told["workerinput"])
"""
"""Pytest takes standard input away, and loads its plugins before others may.

Not `-m`: processes that tests fork would load that module as their own, and pytest with it.
"""


class ForkedWorkers:
    """A plugin for pytest-xdist: its workers here are forks of a process that has collected.

    That process ends with this one, and its forks with it.
    """

    def __init__(self) -> None:
        self._origin: subprocess.Popen[str] | None = None

    def pytest_xdist_setupnodes(self, config: pytest.Config, specs: list[Any]) -> None:
        """`specs` are execnet's, each of one worker."""
        here = [spec for spec in specs if spec.popen and not spec.chdir and not spec.python]
        if sys.platform != "linux" or not here:
            return
        name = f"trueroll-tests-{secrets.token_hex(8)}"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"\0{name}")
            listener.listen()
            self._origin = subprocess.Popen(
                [sys.executable, "-u", "-c", BEGUN],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=[listener.fileno()],
                text=True,
            )
            assert self._origin.stdin is not None
            told = {
                "path": sys.path,
                "listener": listener.fileno(),
                "arguments": [str(one) for one in config.invocation_params.args],
                "workerinput": usual_input(config, len(here)),
            }
            self._origin.stdin.write(json.dumps(told) + "\n")
            self._origin.stdin.flush()
        for spec in here:
            spec.python = shlex.join([sys.executable, "-I", "-S", str(DOOR), name])

    def pytest_xdist_getremotemodule(self) -> ModuleType:
        return worker

    def pytest_unconfigure(self) -> None:
        if self._origin is not None:
            assert self._origin.stdin is not None
            self._origin.stdin.close()
            self._origin.wait()


def usual_input(config: pytest.Config, workers: int) -> dict[str, Any]:
    """What pytest-xdist and other plugins tell a worker: nobody asks for the number of the process that collects."""
    node = SimpleNamespace(
        config=config,
        workerinput={"workerid": "origin", "workercount": workers, "testrunuid": "", "mainargv": sys.argv},
    )
    config.hook.pytest_configure_node(node=node)
    return dict(node.workerinput)
