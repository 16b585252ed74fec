"""The kiosk, forked from a process that has loaded its code: most of what a start costs is loading it.

The tests of pages start a kiosk some two hundred times. What runs is `trueroll run` from its first line on. Whoever
measures a start, or tests the command itself, takes `Program`.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.e2e.program import Program, Running, usual_port

FORKS: Final = multiprocessing.get_context("forkserver")
"""The server that forks: one for each worker of the tests."""

FORKS.set_forkserver_preload(["tests.e2e.warmed", __name__])


def kiosk() -> None:
    """Be `trueroll`."""
    from kiosk.cli import main  # noqa: PLC0415 - loaded where it is forked

    main()


class WarmProgram(Program):
    """`trueroll run` without the time that loading takes; another `main` is run by other `words` of a command line."""

    main: Callable[[], object] = staticmethod(kiosk)
    words: tuple[str, ...] = ("trueroll", "run")

    def __init__(self, data: Path, *arguments: str) -> None:
        super().__init__(data, *arguments)
        self.port = usual_port()  # where the worker's earlier kiosks stood: pages know that address

    def _begun(self, environment: dict[str, str]) -> Running:
        return _Forked(self.main, [*self.words, *self._told()], self.log, environment)


class _Forked:
    """A forked kiosk with the words of `subprocess`."""

    def __init__(self, main: Callable[[], object], words: list[str], log: Path, environment: dict[str, str]) -> None:
        self._process = FORKS.Process(target=_run, args=(main, words, log, environment), daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, sig: int) -> None:
        os.kill(self.pid, sig)

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float) -> int:
        self._process.join(timeout)
        status = self.poll()
        assert status is not None, f"it has not ended within {timeout} s"
        return status


TEMPLATES: Final = Path(__file__).parents[2] / "build" / "templates"
"""Where the templates of pages are kept as they were compiled once: a kiosk of one test shows few pages, each once."""


def _run(main: Callable[[], object], words: list[str], log: Path, environment: dict[str, str]) -> None:
    """Be a program of its own: with its own output, environment and command line."""
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = words

    from flask import Flask  # noqa: PLC0415 - loaded where it is forked; a test needs only the rest of this module
    from jinja2 import FileSystemBytecodeCache  # noqa: PLC0415 - likewise

    TEMPLATES.mkdir(parents=True, exist_ok=True)
    Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(str(TEMPLATES))}
    main()
