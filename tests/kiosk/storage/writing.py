"""Keeps some of all that a kiosk keeps, a step after the other: `python -m tests.kiosk.storage.writing DATA LOG STEPS`.

After each step the log gets a line that it is done, with what was decided and the checksum of each file.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware_bridge.taught_file import TaughtFile
from kiosk.devices.teaching_file import TeachingFile
from kiosk.storage.kept_twice import open_kept_twice
from kiosk.storage.persons import Persons
from kiosk.storage.preferences import PreferencesFile
from kiosk.storage.told_once import ToldOnce
from kiosk.web.access import Secrets, keep_secrets
from tests.firmware_bridge.tagged import TAUGHT
from tests.kiosk.desk import StillClock
from tests.kiosk.storage.test_journal import decision
from vision.table.folder import keep

JOURNAL: Final = "journal.sqlite3"
"""The journal beside the other files."""


def text_of(number: int) -> str:
    """What is decided: long and short, so that decisions begin and end anywhere in a page."""
    return "Fog " * (number * 37 % 400)


def main() -> None:
    """Save all of it, that number of times."""
    data, log, steps = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    journal = open_kept_twice(data / JOURNAL, StillClock())
    persons, preferences = Persons(data / "persons.json"), PreferencesFile(data / "preferences.json")
    taught, teaching = TaughtFile(data / "taught.toml"), TeachingFile(data / "teaching.json")
    told = ToldOnce(data / "told.json")

    def decide() -> None:
        journal.append(decision(journal.decision + 1, text_of(journal.decision + 1)))

    def others(turn: int) -> tuple[Callable[[], object], ...]:
        return (
            lambda: persons.join("", "player", f"Ada {turn}"),
            lambda: preferences.change(phones=bool(turn % 2)),
            lambda: keep_secrets(data, Secrets("secret", f"TABLE{turn}", "MASTER")),
            lambda: taught.change(lambda before: TAUGHT if turn % 2 == 0 else type(before)()),
            lambda: teaching.hold(f"roll {turn}"),
            lambda: told.news({turn + 1: f"{turn}"}),
            lambda: keep(data / "calibration.json", f"{turn}" * 700),
            lambda: keep(data / "cases" / f"{turn}.png", os.urandom(5000)),
        )

    for turn in range(steps):
        for step in others(turn):
            for done in (decide, step):
                done()
                acknowledge(log, data, journal.decision)
    journal.close()


def acknowledge(log: Path, data: Path, decided: int) -> None:
    """Put into the log what is kept now."""
    files = {
        one.relative_to(data).as_posix(): hashlib.sha256(one.read_bytes()).hexdigest()
        for one in data.rglob("*")
        if one.is_file() and not one.name.startswith("journal.")
    }
    told = json.dumps({"decided": decided, "files": files}).encode()
    with log.open("ab") as out:
        out.write(b"done 0 %d -\n" % len(told) + told)


if __name__ == "__main__":
    main()
