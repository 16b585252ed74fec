"""The process that has collected, and its forks: what it forks goes on as a worker of pytest-xdist."""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
from typing import Any, Final, NoReturn

import pytest
import xdist.remote
from _pytest import tmpdir
from pytest_rerunfailures import ClientStatusDB

COLLECTED: Final[list[pytest.Session]] = []
"""The session of this process, once it has collected."""


def collect(config: pytest.Config, listener: int, life: int, workerinput: dict[str, Any]) -> None:
    """Collect as a worker does, then fork for each who calls, until `life` ends."""
    xdist.remote.setup_config(config, None)
    vars(config).update(workerinput=workerinput, workeroutput={})
    config.pluginmanager.register(Forking(socket.socket(fileno=listener), life))
    config.hook.pytest_cmdline_main(config=config)


class Forking:
    """In place of running tests: a fork for each who calls and hands over the pipes of a worker.

    `life` ends with the process that wants workers; the forks that are left then end, too.
    """

    def __init__(self, listener: socket.socket, life: int) -> None:
        self._listener = listener
        self._life = life
        self._forks: list[int] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            return True  # the usual workers, which collect by themselves, tell of it
        COLLECTED.append(session)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while self._life not in select.select([self._life, self._listener.fileno()], [], [])[0]:
            self._fork(session.config)
        for fork in self._forks:
            os.kill(fork, signal.SIGKILL)  # also where it has ended: it is waited for below, and keeps its number
            os.waitpid(fork, 0)
        return True

    def _fork(self, config: pytest.Config) -> None:
        line, _ = self._listener.accept()
        _, pipes, _, _ = socket.recv_fds(line, 1, 3)
        fork = os.fork()
        if fork == 0:
            self._listener.close()
            os.close(self._life)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            config.pluginmanager.unregister(self)
            serve(config, line, pipes)
        for pipe in pipes:
            os.close(pipe)
        self._forks.append(fork)
        line.close()  # the fork has it: it ends with the fork


def serve(config: pytest.Config, line: socket.socket, pipes: list[int]) -> NoReturn:
    """Be what execnet begins as `python -c …`: it sends what to run in one line."""
    try:
        config.pluginmanager.getplugin("capturemanager").stop_global_capturing()
        for number, pipe in enumerate(pipes):
            os.dup2(pipe, number)
            os.close(pipe)
        line.sendall(b"!")
        sys.stdin = os.fdopen(0, closefd=False)
        exec(eval(sys.stdin.readline()), {"__name__": "__main__"})  # noqa: S102, S307 - what execnet's own line does
    finally:
        os._exit(0)


def work(channel: Any) -> None:  # noqa: ANN401 - execnet's own, of the code that it sent
    """Be a worker of pytest-xdist from after the collection on."""
    workerinput, _, options, _ = channel.receive()
    (session,) = COLLECTED
    config = session.config
    os.environ["PYTEST_XDIST_TESTRUNUID"] = workerinput["testrunuid"]
    os.environ["PYTEST_XDIST_WORKER"] = workerinput["workerid"]
    os.environ["PYTEST_XDIST_WORKER_COUNT"] = str(workerinput["workercount"])
    be_alone(config, workerinput, options.get("basetemp"))
    interactor = xdist.remote.WorkerInteractor(config, channel)
    vars(xdist.remote)["interactor"] = interactor  # where it looks when it tells of an error in pytest itself
    try:
        interactor.pytest_sessionstart(session)
        interactor.pytest_collection()
        interactor.pytest_collection_modifyitems(config, session.items)
        interactor.pytest_collection_finish(session)
        config.hook.pytest_runtestloop(session=session)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED if session.testsfailed else pytest.ExitCode.OK
    except (KeyboardInterrupt, pytest.exit.Exception):
        session.exitstatus = pytest.ExitCode.INTERRUPTED
    except BaseException:  # noqa: BLE001 - as pytest does
        session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        config.notify_exception(pytest.ExceptionInfo.from_current(), config.option)
    config.hook.pytest_sessionfinish(session=session, exitstatus=session.exitstatus)
    config._ensure_unconfigure()  # noqa: SLF001 - the end of pytest's own session, which has no other name


def be_alone(config: pytest.Config, workerinput: dict[str, Any], basetemp: str | None) -> None:
    """Give the worker what forks must not share: who it is, its folder, its line about reruns, what it captures."""
    vars(config).update(workerinput=workerinput, workeroutput={})
    config.option.basetemp = basetemp
    tmpdir.pytest_configure(config)
    vars(config)["failures_db"].sock.close()
    vars(config)["failures_db"] = ClientStatusDB(workerinput["sock_port"], workerinput["statusdb_token"])
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.start_global_capturing()
    capture.suspend_global_capture()
