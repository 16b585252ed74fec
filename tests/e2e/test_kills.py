"""The plug is pulled at any moment of a busy evening: taps, a tray and a camera at once, and pages that look on."""

from __future__ import annotations

import json
import logging
import random
import threading
import time
import urllib.error
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from kiosk.clock import SystemClock
from kiosk.storage.journal import FileJournal, open_for_reading
from kiosk.storage.wire import event_json
from tests.conftest import SEED
from tests.e2e.crew import set_up
from tests.e2e.program import Program, source, until
from tests.e2e.warm import WarmProgram

log = logging.getLogger(__name__)

TIMES = 100
"""How often the plug is pulled: a start and a throw of each source take ten seconds each time."""
LONGEST = 3.0
"""Seconds of play between a start and the next plug that is pulled, at most."""
PATIENCE = 10.0
"""Seconds that a source has for a throw on a busy machine."""
LONG = 300.0
"""Seconds that a start, or the first throw after it, may take where other programs want the processor, too."""
SOURCES = ("tray", "camera")
GONE = (urllib.error.URLError, HTTPException, OSError, ValueError)
"""What is raised for whoever asks a kiosk that is gone."""


@dataclass
class Seen:
    """What people saw of the table before the plug was pulled."""

    answered: list[str] = field(default_factory=list)
    """The names of traits whose tap was answered."""
    shown: dict[int, Any] = field(default_factory=dict)
    """Events that a live page was sent, by sequence."""
    read: set[str] = field(default_factory=set)
    """Who decided something of late: a source is one of them once its dice were read."""


def ready(program: Program) -> bool:
    """Whether every source is at work; a kiosk that does not answer in time says so later."""
    try:
        return all(source(program, one).get("state") == "ready" for one in SOURCES)
    except GONE:
        return False


def tap(program: Program, seen: Seen, name: str) -> None:
    """Add a trait; once the answer is there, it counts."""
    if program.post("/api/v1/commands", {"command": "add_trait", "name": name, "idempotency": name}).status == 200:
        seen.answered.append(name)


def throw(program: Program, seen: Seen, where: str) -> None:
    """Have dice thrown there, which the source reads by itself; they lie there until it has, or for some seconds."""
    seen.read.discard(where)
    program.post("/api/v1/demo/throw", {"where": where})
    late = time.monotonic() + PATIENCE
    while where not in seen.read and time.monotonic() < late:
        time.sleep(0.02)
    program.post("/api/v1/commands", {"command": "dismiss_throw"})  # where somebody had to look at a die


def look_on(program: Program, seen: Seen) -> None:
    """Keep what a live page is sent."""
    for event, number, told in program.events():
        if event == "journal":
            seen.shown[int(number)] = told["event"]
            seen.read.add(told["by"])


@contextmanager
def play(program: Program, seen: Seen, turn: int) -> Iterator[None]:
    """Everything at once, until the kiosk is gone."""
    number = iter(range(1, 1_000_000))
    over = threading.Event()
    busy: tuple[Callable[[], None], ...] = (
        lambda: tap(program, seen, f"Fog {turn} {next(number)}"),
        lambda: throw(program, seen, "tray"),
        lambda: throw(program, seen, "camera"),
        lambda: look_on(program, seen),
    )

    def on_and_on(what: Callable[[], None]) -> None:
        while not over.is_set():
            try:
                what()
            except GONE:
                time.sleep(0.05)

    threads = [threading.Thread(target=on_and_on, args=(one,)) for one in busy]
    for one in threads:
        one.start()
    try:
        yield
    finally:
        over.set()
        for one in threads:
            one.join(LONG)


@pytest.mark.long
def test_no_plug_that_is_pulled_under_load_costs_or_doubles_anything(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    moments = random.Random(int(pytestconfig.option.hypothesis_seed or SEED))  # noqa: S311 - moments, not secrets
    seen, read = Seen(), dict[str, int]()
    program = WarmProgram(tmp_path / "data", "--demo")
    with program:
        set_up(program)
        for turn in range(TIMES):
            until(lambda: ready(program), LONG)
            with play(program, seen, turn):
                for one in SOURCES:
                    seen.read.discard(one)
                    until(lambda one=one: one in seen.read, LONG)  # type: ignore[misc]  # bound at once
                time.sleep(moments.random() * LONGEST)
                program.kill()
            with closing(open_for_reading(tmp_path / "data" / "journal.sqlite3", SystemClock())) as journal:
                read = look(journal, seen)
            program.start()
            log.info("%d: %d shown, %d answered, read %s", turn + 1, len(seen.shown), len(seen.answered), read)
        traits = [one["name"] for one in program.table()["table"]["traits"]]
        assert sorted(set(traits)) == sorted(traits), "nothing twice"
        assert set(seen.answered) <= set(traits)
    log.info("%d events shown, %d taps answered, read: %s", len(seen.shown), len(seen.answered), read)
    assert all(read.values()), "every source was at work"
    assert seen.answered


def look(journal: FileJournal, seen: Seen) -> dict[str, int]:
    """All that was shown is there as it was shown; each reading and each tap once. How many throws each source read."""
    entries = {one.sequence: one for one in journal.entries(limit=1_000_000)}
    assert list(entries) == list(range(1, len(entries) + 1))
    for number, event in seen.shown.items():
        assert event == json.loads(event_json(entries[number].event)), number
    keys = [one.key for one in entries.values() if one.key is not None]
    assert len(set(keys)) == len(keys)
    assert not list(journal.broken())
    return {one: sum(key.startswith(f"reading:{one}:") for key in keys) for one in SOURCES}
