"""A Pi without a clock wakes up in 1970, and the network sets it: the evening goes on, and nothing is out of order."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient

from kiosk.commands.export import _rows
from kiosk.compose import build
from kiosk.config import load_config
from kiosk.storage.backup import back_up, restore, usual_name, verified
from kiosk.storage.export import LATEST, write_export
from kiosk.storage.journal import open_for_reading, open_journal
from kiosk.web.app import create_app
from tests.conftest import SEED
from tests.kiosk.desk import HEADERS, StillClock
from tests.kiosk.test_compose import BARE

LONG, SHORT = 100, 2
"""Starts, each at another time."""
TAPS = 4
"""Decisions at each, the clock set anew before every one."""
TIMES = (0.0, 1.0, 1_700_000_000.0, 4_102_444_800.0, LATEST - 1.0)
"""The beginning of 1970, 2023, 2100 and the end of 9999, in seconds since 1970."""
PAGES = ("/display", "/play/log", "/gm", "/settings", "/setup", "/healthz", "/api/v1/table")


def test_the_clock_goes_back_and_forth_by_years(tmp_path: Path, pytestconfig: pytest.Config, *, whole: bool) -> None:
    data, clock = tmp_path / "data", StillClock()
    random = Random(int(pytestconfig.option.hypothesis_seed or SEED))  # noqa: S311 - times, not secrets
    names: list[str] = []
    times: list[float] = []

    def told(client: FlaskClient, command: str, **fields: object) -> None:
        clock.wall = random.choice(TIMES)
        body = {"command": command, "idempotency": f"{command} {len(times)}", **fields}
        answer = client.post("/api/v1/commands", json=body, headers=HEADERS)
        assert answer.status_code == 200, answer.text
        times.append(clock.wall)

    for start in range(LONG if whole else SHORT):
        clock.wall = random.choice(TIMES)
        clock.ticks += 1
        kiosk = build(load_config(None, BARE), data, clock=clock)
        kiosk.services.engine.start()
        try:
            client = create_app(kiosk.services).test_client()
            if not names:
                told(client, "set_up_table", ruleset="core-1e", players=["Ada"])
            for tap in range(TAPS):
                names.append(f"Fog {start} {tap}")
                told(client, "add_trait", name=names[-1])
            for page in PAGES:
                assert client.get(page).status_code == 200, page
            found = json.loads(client.get("/api/v1/table").text)
            assert [one["name"] for one in found["table"]["traits"]] == names
        finally:
            kiosk.stop()
        backup = tmp_path / f"{start} {usual_name(clock)}"
        assert back_up(data, backup, clock) == verified(backup)
    with closing(open_for_reading(data / "journal.sqlite3", clock)) as journal, (tmp_path / "out").open("w+") as out:
        assert [one.time for one in journal.entries(limit=10_000)] == times
        assert list(journal.broken()) == []
        for form in ("markdown", "csv", "json"):
            out.seek(0)
            out.truncate()
            write_export(journal, form, out)
        out.seek(0)
        with closing(open_journal(tmp_path / "other.sqlite3", clock)) as other:
            other.take(_rows(out))
            assert other.checksum_at(other.decision) == journal.checksum_at(journal.decision)
    clock.wall = 0.0
    restore(backup, tmp_path / "elsewhere", clock)
