"""A kiosk that is told to end is gone in bounded time, with all that was decided on a disk."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from io import StringIO
from pathlib import Path
from typing import NoReturn

import pytest

from kiosk.commands import ending
from kiosk.commands.ending import EndInTime

HANGING = """
import os, signal, sys, threading, time, types
from kiosk.commands import ending, run
ending.END_SECONDS = 0.1
kept = iter([False, True])

class Kiosk:
    def all_is_kept(self): return next(kept)
    alive = True
    def start(self, listening): listening.close()
    def stop(self):
        print("stopping", flush=True)
        time.sleep(60)

run.greet = lambda *_: os.kill(os.getpid(), signal.SIGTERM)
run.run(["--data", sys.argv[1], "--port", "0"], obj=lambda *_: Kiosk())
"""
"""`trueroll run` with a kiosk of which a part never ends."""


class LeftError(Exception):
    """The program would have ended here."""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(_: str = "") -> NoReturn:
        raise LeftError

    monkeypatch.setattr(ending, "END_SECONDS", 0.01)
    monkeypatch.setattr(ending, "LOOK_AGAIN_SECONDS", 0.001)
    monkeypatch.setattr(ending, "leave", leave)


def test_a_kiosk_of_which_a_part_never_ends_is_gone_in_time_and_has_ended_well(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", HANGING, str(tmp_path)], check=False, capture_output=True, text=True, timeout=50
    )
    assert (ended.returncode, ended.stdout) == (0, "stopping\n"), ended.stderr
    assert "What could be kept is kept." in ended.stderr


@pytest.mark.usefixtures("quick")
def test_what_is_in_memory_alone_is_waited_for() -> None:
    end, looks = EndInTime(), iter([False, False, True])
    end.kept = lambda: next(looks)
    with pytest.raises(LeftError):
        end.begin()
    assert next(looks, None) is None


@pytest.mark.usefixtures("quick")
def test_a_journal_that_cannot_say_is_asked_again() -> None:
    end, looks = EndInTime(), iter([AttributeError, KeyError, None])

    def kept() -> bool:
        if (error := next(looks)) is not None:
            raise error
        return True

    end.kept = kept
    with pytest.raises(LeftError):
        end.begin()


class Deaf(StringIO):
    """Nobody reads at the other end, or it is closed."""

    def __init__(self, error: OSError | None = None) -> None:
        super().__init__()
        self.taken = threading.Event()
        self.waited_out = False
        self._error = error

    def flush(self) -> None:
        if self._error is not None:
            raise self._error
        self.waited_out = not self.taken.wait(2)


@pytest.mark.parametrize("broken", [False, True])
def test_last_words_that_nobody_takes_hold_nothing_up(monkeypatch: pytest.MonkeyPatch, *, broken: bool) -> None:
    def left(_: int) -> NoReturn:
        raise LeftError

    deaf = Deaf(BrokenPipeError() if broken else None)
    handler = logging.StreamHandler(deaf)  # it flushes after each line
    monkeypatch.setattr(ending.log, "handlers", [handler])
    monkeypatch.setattr(sys, "stdout", deaf)
    monkeypatch.setattr(sys, "stderr", deaf)
    monkeypatch.setattr(os, "_exit", left)
    monkeypatch.setattr(ending, "LAST_WORDS_SECONDS", 0.02)
    monkeypatch.setattr(ending, "END_SECONDS", 0.0)
    with pytest.raises(LeftError):
        EndInTime().begin()
    late = deaf.waited_out
    deaf.taken.set()
    assert not late
    assert "is left behind" in deaf.getvalue()


@pytest.mark.usefixtures("quick")
def test_what_was_never_kept_is_waited_for_until_the_journal_has_been_closed() -> None:
    end = EndInTime()
    end.kept = lambda: False
    threading.Timer(0.05, end.close).start()
    end.begin()


@pytest.mark.usefixtures("quick")
def test_a_kiosk_that_ends_in_time_ends_by_itself() -> None:
    end = EndInTime()
    end.close()
    end.begin()
