"""The whole put together: it starts with nothing, names what is missing, and a broken part costs itself alone."""

from __future__ import annotations

import builtins
import json
import logging
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.bluetooth.makers import Maker
from kiosk import compose
from kiosk import engine as engine_module
from kiosk.commands.doctor import examine
from kiosk.commands.findings import FindingState
from kiosk.compose import Kiosk, build, find_camera
from kiosk.config import load_config
from kiosk.devices.lessons import Lessons
from kiosk.errors import JournalBusyError, JournalError, JournalFullError, KioskError, ServerError
from kiosk.ports import Clock, SourceView
from kiosk.speech.voice import QueuedVoice
from kiosk.storage import folder as folder_module
from kiosk.storage import journal as journal_module
from kiosk.storage import kept_twice
from kiosk.storage import unfailing as unfailing_module
from kiosk.storage.folder import HeldFolder
from kiosk.storage.journal import FileJournal, open_journal
from kiosk.storage.kept_twice import JournalKeptTwice, open_kept_twice
from kiosk.storage.second_copy import second_copy_of
from kiosk.storage.unfailing import REOPEN_SECONDS
from kiosk.web.picture_uploads import PATH
from kiosk.web.server import LARGEST_REQUEST
from rules import history as past
from rules.dice import DieKind, DieReading, DieState, Reading, SourceKind
from rules.history import Decision, History
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.traits import AddTrait
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration
from tests.firmware_bridge.test_bluetooth_source import BLUE, I_AM_A_D20, ON_17, RED, ROLLING, STABLE_8, Air, Die
from tests.kiosk.desk import SilentVoice, StillClock
from tests.kiosk.storage.test_journal import spoil, spoil_index
from vision.errors import BLIND_WORDS, MOVED, MOVED_CALIBRATED, READING, SEES_AGAIN

BARE: dict[str, object] = {"server.port": 0, "camera.source": "off", "tray.url": "off", "panel.enabled": False}


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Kiosk]]:
    made: list[Kiosk] = []

    def one(*, demo: bool = False, **changes: object) -> Kiosk:
        settings = {**BARE, **{key.replace("__", "."): value for key, value in changes.items()}}
        kiosk = build(load_config(None, settings), tmp_path / "data", demo)
        made.append(kiosk)
        kiosk.start()
        return kiosk

    yield one
    for kiosk in made:
        kiosk.stop()


def states(kiosk: Kiosk) -> dict[str, str]:
    return {part.source: part.state for part in kiosk.services.sources.views()}


def get(kiosk: Kiosk, path: str) -> dict[str, Any]:
    with urllib.request.urlopen(kiosk.address + path.removeprefix("/"), timeout=20) as answer:  # noqa: S310 - our own
        found: dict[str, Any] = json.loads(answer.read())
        return found


def post(kiosk: Kiosk, path: str, body: object) -> dict[str, Any]:
    request = urllib.request.Request(  # noqa: S310 - our own address
        kiosk.address + path.removeprefix("/"), json.dumps(body).encode(), {"X-Trueroll": "1"}
    )
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - our own address
        found: dict[str, Any] = json.loads(answer.read())
        return found


@pytest.mark.parametrize("demo", [False, True])
def test_answers_teach_the_camera_but_not_in_the_demonstration(
    start: Callable[..., Kiosk], tmp_path: Path, *, demo: bool
) -> None:
    """Whose dice are drawn: they are nobody's own."""
    (tmp_path / "throws").mkdir()
    kiosk = start(demo=demo, camera__source=str(tmp_path / "throws"))
    listeners = kiosk.services.engine._listeners  # noqa: SLF001 - what they do is shown in `test_lessons`
    assert any(isinstance(getattr(one, "__self__", None), Lessons) for one in listeners) is not demo


def test_it_starts_with_nothing_and_ends_without_a_trace(start: Callable[..., Kiosk]) -> None:
    before = {thread.name for thread in threading.enumerate()}
    kiosk = start()
    assert kiosk.alive
    assert get(kiosk, "/healthz")["status"] == "ok"
    found = states(kiosk)
    assert {part: found[part] for part in ("camera", "tray", "panel")} == dict.fromkeys(
        ("camera", "tray", "panel"), "off"
    )
    assert kiosk.join_address is None
    kiosk.stop()
    kiosk.stop()
    assert not kiosk.services.engine.progresses()
    assert {thread.name for thread in threading.enumerate()} <= before


def test_what_was_decided_is_there_at_the_next_start(start: Callable[..., Kiosk]) -> None:
    first = start()
    post(first, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    shown = get(first, "/api/v1/table")
    first.stop()
    again = get(start(), "/api/v1/table")
    assert {key: again[key] for key in ("sequence", "table", "options", "narration", "undo")} == {
        key: shown[key] for key in ("sequence", "table", "options", "narration", "undo")
    }


def test_a_second_kiosk_on_the_same_folder_is_told(start: Callable[..., Kiosk]) -> None:
    start()
    with pytest.raises(JournalBusyError, match="--data"):
        start()


def test_a_restore_that_was_cut_off_is_told_at_the_start_with_what_to_do(
    start: Callable[..., Kiosk], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    for folder in (".restoring-20261124T010203Z", "before-restore-20261124T010203Z"):
        (data / folder).mkdir(parents=True)
    (data / ".restoring-20261124T010203Z" / "journal.sqlite3").touch()
    [part] = [one for one in get(start(), "/healthz")["parts"] if one["source"] == "restore"]
    assert part["state"] == "lost"
    assert part["remedy"] == (
        "Stop the kiosk and restore the same backup once more. What was there before is in "
        "before-restore-20261124T010203Z. To go on without that backup, delete .restoring-20261124T010203Z."
    )
    assert [one.part for one in examine(load_config(None, BARE), data) if "restore" in one.remedy] == ["restore"]


def test_a_damaged_journal_is_told_on_the_screens(start: Callable[..., Kiosk], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "journal.sqlite3").write_bytes(b"spilt tea" * 500)
    kiosk = start()
    [part] = [one for one in get(kiosk, "/healthz")["parts"] if one["source"] == "journal"]
    assert "journal.damaged-" in part["what"]
    assert get(kiosk, "/api/v1/table")["sequence"] == 0


def test_a_second_copy_that_is_taken_away_in_play_is_told_on_the_screens(
    start: Callable[..., Kiosk], tmp_path: Path
) -> None:
    kiosk = start()
    post(kiosk, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    second_copy_of(tmp_path / "data" / "journal.sqlite3").unlink()
    post(kiosk, "/api/v1/commands", {"command": "add_trait", "name": "Fog"})
    [part] = [one for one in get(kiosk, "/healthz")["parts"] if one["source"] == "second copy"]
    assert part["state"] == "lost"
    assert "Nothing is lost" in part["what"] + part["remedy"]


@pytest.mark.parametrize("damage", ["'}'", "'{}'", "replace(event, 'trait_added', 'trait_odded')"])
def test_a_decision_that_no_file_has_whole_costs_itself_alone(
    start: Callable[..., Kiosk], tmp_path: Path, damage: str
) -> None:
    first = start()
    post(first, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    for name in ("Fog", "Rain", "Hail"):
        post(first, "/api/v1/commands", {"command": "add_trait", "name": name})
    first.stop()
    with sqlite3.connect(tmp_path / "data" / "journal.sqlite3") as connection:
        connection.execute(f"UPDATE journal SET event = {damage} WHERE decision = 3")  # noqa: S608 - named above
    connection.close()
    lines = second_copy_of(tmp_path / "data" / "journal.sqlite3")
    whole = lines.read_bytes()
    kiosk = start()
    assert [one["name"] for one in get(kiosk, "/api/v1/table")["table"]["traits"]] == ["Fog", "Rain", "Hail"]
    [words] = told(kiosk)
    assert words.startswith("The journal was damaged; its second copy brought it back. The damaged one is kept as jour")
    assert told(start()) == []
    assert lines.read_bytes() == whole

    with sqlite3.connect(tmp_path / "data" / "journal.sqlite3") as connection:
        connection.execute(f"UPDATE journal SET event = {damage} WHERE decision = 3")  # noqa: S608 - named above
    connection.close()
    lines.unlink()
    kiosk = start()
    assert [one["name"] for one in get(kiosk, "/api/v1/table")["table"]["traits"]] == ["Fog", "Hail"]
    [part] = [one for one in get(kiosk, "/healthz")["parts"] if one["source"] == "journal"]
    assert part["what"].startswith("Decision 3 of the journal (adding the trait) can be read nowhere any more.")
    assert "is kept as journal.damaged-" in part["what"]
    assert "enter again what is missing" in part["remedy"]
    post(kiosk, "/api/v1/commands", {"command": "add_trait", "name": "Snow"})
    kiosk.stop()
    again = start()
    assert [one["name"] for one in get(again, "/api/v1/table")["table"]["traits"]] == ["Fog", "Hail", "Snow"]
    assert told(again) == [], "once"


def test_a_disk_that_takes_nothing_is_told_on_every_screen_and_aloud_and_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "RETRY_SECONDS", 0.02)
    said: list[str] = []
    monkeypatch.setattr(QueuedVoice, "ask", lambda _, words: said.append(str(words.full)))
    clock, full = StillClock(), [JournalFullError("no room")]

    def opened(path: Path, clock: Clock) -> FileJournal:
        if full and path.is_relative_to(tmp_path):
            raise full[0]
        return open_journal(path, clock)

    kiosk = build(load_config(None, BARE), tmp_path / "data", clock=clock, journal=opened)
    try:
        kiosk.start()
        post(kiosk, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
        words = "Nothing is being kept: the disk is full. What is decided now is lost if the kiosk is switched off."
        for page in ("display", "play", "play/sheet", "play/log", "gm", "conflict", "text", "setup"):
            assert words in page_of(kiosk, page), page
        assert get(kiosk, "/healthz")["status"] == "degraded"
        assert said == [words]
        full.clear()
        clock.ticks += REOPEN_SECONDS
        until = time.monotonic() + 20
        while kiosk.services.engine.trouble is not None:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert words not in page_of(kiosk, "display")
        assert said[1:] == ["Everything is kept again, also what was decided in between."]
        assert get(kiosk, "/healthz")["status"] == "ok"
    finally:
        kiosk.stop()
    journal = open_journal(tmp_path / "data" / "journal.sqlite3", clock)
    assert [one.command for one in journal.decisions()] == ["set_up_table"]
    journal.close()


def wait_for_trouble(kiosk: Kiosk, why: str | None) -> None:
    until = time.monotonic() + 20
    while kiosk.services.engine.trouble != why:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_data_folder_that_cannot_be_is_told_and_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "RETRY_SECONDS", 0.02)
    (tmp_path / "file").write_text("in the way")
    clock = StillClock()
    kiosk = build(load_config(None, BARE), tmp_path / "file" / "data", clock=clock)
    try:
        kiosk.start()
        post(kiosk, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
        assert "Nothing is being kept: a file is in its way." in page_of(kiosk, "display")
        (tmp_path / "file").unlink()
        with HeldFolder(tmp_path / "file" / "data"):
            clock.ticks += REOPEN_SECONDS
            wait_for_trouble(kiosk, "another kiosk uses the data folder")
            told = kiosk.services.sources.view("journal")
            assert told is not None
            assert told.remedy == "End the other kiosk. All is kept by itself then."
        clock.ticks += REOPEN_SECONDS
        wait_for_trouble(kiosk, None)
    finally:
        kiosk.stop()
    with closing(open_journal(tmp_path / "file" / "data" / "journal.sqlite3", clock)) as journal:
        assert [one.command for one in journal.decisions()] == ["set_up_table"]


def test_the_evening_can_be_read_and_taken_back_when_its_disk_goes_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle: neither read nor written any more, and no journal can be opened in its place."""
    monkeypatch.setattr(engine_module, "RETRY_SECONDS", 0.02)
    clock, gone = StillClock(), list[JournalError]()

    def opened(path: Path, clock: Clock) -> FileJournal:
        if gone:
            raise gone[0]
        return open_journal(path, clock)

    def command(asked: str, **fields: object) -> None:
        post(kiosk, "/api/v1/commands", {"command": asked, **fields})

    kiosk = build(load_config(None, BARE), tmp_path / "data", clock=clock, journal=opened)
    try:
        kiosk.start()
        command("set_up_table", ruleset="core-1e", players=["Ada"])
        command("add_trait", name="Fog")
        gone.append(JournalError("the disk is gone"))
        for name in ("append", "entries", "decisions", "members"):
            monkeypatch.setattr(FileJournal, name, lambda *_, **__: (_ for _ in gone).throw(gone[0]))
        command("add_trait", name="Rain")
        clock.ticks += REOPEN_SECONDS
        command("add_trait", name="Hail")
        assert kiosk.services.engine.trouble is not None
        log = page_of(kiosk, "play/log")
        assert [name for name in ("Hail", "Rain", "Fog") if name in log] == ["Hail", "Rain", "Fog"]
        for _ in range(3):
            command("undo")
        assert get(kiosk, "/api/v1/table")["table"]["traits"] == []
        command("redo")
        assert [one["name"] for one in get(kiosk, "/api/v1/table")["table"]["traits"]] == ["Fog"]
        request = urllib.request.Request(f"{kiosk.address}api/v1/events", headers={"Last-Event-ID": "1"})  # noqa: S310 - our own
        with urllib.request.urlopen(request, timeout=20) as stream:  # noqa: S310 - our own
            lines = list(iter(stream.readline, b"event: beat\n"))  # up to the first silence
        missed = [json.loads(one[6:]) for one in lines if one.startswith(b'data: {"sequence"')]
        told = [one["event"]["event"] for one in missed if "event" in one]
        assert told.count("decision_undone") == 3, told
        assert told.count("decision_redone") == 1
    finally:
        kiosk.stop()


def page_of(kiosk: Kiosk, name: str) -> str:
    with urllib.request.urlopen(kiosk.address + name, timeout=20) as answer:  # noqa: S310 - our own
        text: str = answer.read().decode()
        return text


def test_whoever_comes_by_a_proxy_is_a_guest_and_the_proxy_is_told_once(
    start: Callable[..., Kiosk], caplog: pytest.LogCaptureFixture
) -> None:
    """Through the web server itself, which keeps places by whose a request is and takes pictures in from few."""
    kiosk = start()
    for path, size in (("api/v1/commands", 2), (PATH[1:], LARGEST_REQUEST + 1)):
        for headers in ({"X-Forwarded-For": "192.168.1.20"}, {"Via": "1.1 proxy"}):
            request = urllib.request.Request(kiosk.address + path, bytes(size), {"X-Trueroll": "1", **headers})  # noqa: S310 - our own
            with pytest.raises(urllib.error.HTTPError, match="401") as refused:
                urllib.request.urlopen(request, timeout=20)  # noqa: S310 - our own
            refused.value.close()
    [part] = [one for one in get(kiosk, "/healthz")["parts"] if one["source"] == "proxy"]
    assert part["state"] == "lost"
    assert "trust_this_machine = false" in part["remedy"]
    assert f"Proxy: needs attention. {part['what']}" in page_of(kiosk, "display")
    assert sum("A proxy on this machine" in one.getMessage() for one in caplog.records) == 1
    assert post(kiosk, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    [told] = [one for one in examine(kiosk.config, kiosk._folder.path) if one.part == "proxy"]  # noqa: SLF001 - where it is
    assert told.health is FindingState.WRONG


def altered(data: Path, *numbers: int, by: str = "somebody") -> None:
    """Change who decided those decisions, as no kiosk does, where no second copy tells what they were."""
    second_copy_of(data / "journal.sqlite3").unlink()
    with sqlite3.connect(data / "journal.sqlite3") as connection:
        connection.executemany("UPDATE journal SET by = ? WHERE decision = ?", [(by, one) for one in numbers])
    connection.close()


def journal_part(kiosk: Kiosk) -> SourceView:
    part = kiosk.services.sources.view("journal")
    assert part is not None
    return part


def told(kiosk: Kiosk) -> list[str]:
    """What it tells of its journal, and stop it."""
    parts = [f"{one['what']} {one['remedy']}" for one in get(kiosk, "/healthz")["parts"] if one["source"] == "journal"]
    kiosk.stop()
    return parts


def test_decisions_that_are_not_as_they_were_written_are_told_once(start: Callable[..., Kiosk], tmp_path: Path) -> None:
    first = start()
    post(first, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    for name in ("Fog", "Rain", "Hail"):
        post(first, "/api/v1/commands", {"command": "add_trait", "name": name})
    assert told(first) == []
    altered(tmp_path / "data", 2)
    [words] = told(start())
    assert words == (
        "Decision 2 of the journal is not as it was written; the table goes on with what it says. "
        "Decision 2: adding the trait. Nothing else is lost: compare the table with your notes, and correct what is "
        "wrong. `trueroll doctor` names each decision."
    )
    assert told(start()) == []
    altered(tmp_path / "data", 3, 4)
    [words] = told(start())
    assert words.startswith("2 decisions of the journal, from 3 on, are not as they were written;")
    assert told(start()) == []
    (tmp_path / "data" / "told.json").write_text("spilt tea")
    [words] = told(start())
    assert words.startswith("3 decisions of the journal, from 2 on,"), "rather twice than not at all"


def test_what_is_missing_and_what_was_changed_is_told_each_as_it_is(
    start: Callable[..., Kiosk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = start()
    post(first, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    for name in ("Fog", "Rain", "Hail", "Snow", "Dust", "Ash", "Smoke", "Sand"):
        post(first, "/api/v1/commands", {"command": "add_trait", "name": name})
    first.stop()
    data = tmp_path / "data"
    altered(data, 2)
    spoil(data / "journal.sqlite3", "UPDATE journal SET event = '{' WHERE decision IN (4, 6)")
    kiosk = start()
    [words] = told(kiosk)
    assert "Decision 4 of the journal (adding the trait) can be read nowhere any more." in words
    assert "Decision 2 of the journal is not as it was written; the table goes on with what it says." in words
    assert "The table goes on without them." in words
    assert "missing;" not in words, "what is left out is told as that"
    assert told(start()) == []
    second_copy_of(data / "journal.sqlite3").unlink()
    spoil(data / "journal.sqlite3", "DELETE FROM journal WHERE decision = 8")
    really = past.evolve

    def evolve(history: History, decision: Decision) -> History:
        if decision.number == 9:
            raise KeyError("of the eighth")
        return really(history, decision)

    monkeypatch.setattr(past, "evolve", evolve)
    [words] = told(start())
    assert words.startswith(
        "Decision 8 of the journal is missing; the table goes on without it. Decision 9 of the journal does not fit "
        "without those that are missing: it stays there and counts for nothing. Decision 9: adding the trait."
    )
    assert "2 of the journal" not in words
    assert told(start()) == []


def test_an_older_decision_that_was_changed_is_told_once_and_restored_at_the_next_start(
    start: Callable[..., Kiosk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Older than those that the start looks at."""
    monkeypatch.setattr(journal_module, "RECENT", 1)
    monkeypatch.setattr(kept_twice, "COMPARED", 1)
    first = start()
    post(first, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    for name in ("Fog", "Rain", "Hail"):
        post(first, "/api/v1/commands", {"command": "add_trait", "name": name})
    assert told(first) == []
    path = tmp_path / "data" / "journal.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE journal SET by = 'somebody' WHERE decision = 2")
    connection.close()
    (tmp_path / "data" / "checkpoint.json").unlink(missing_ok=True)
    kiosk = start()
    assert kiosk._looking is not None  # noqa: SLF001 - what it found is told below
    kiosk._looking.join(20)  # noqa: SLF001 - likewise
    [words] = told(kiosk)
    assert words.startswith("Decision 2 of the journal is not as it was written;")
    [words] = told(start())
    assert words.startswith("The journal was damaged; its second copy brought it back.")
    assert told(start()) == []
    assert sorted(one.name for one in path.parent.glob("*look-whole")) == []


def test_an_index_that_is_made_anew_is_told_once(start: Callable[..., Kiosk], tmp_path: Path) -> None:
    """The log alone told it."""
    first = start()
    post(first, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    for name in ("Fog", "Rain", "Hail"):
        post(first, "/api/v1/commands", {"command": "add_trait", "name": name})
    assert told(first) == []
    spoil_index(tmp_path / "data" / "journal.sqlite3")
    kiosk = start()
    assert kiosk._looking is not None  # noqa: SLF001 - what it found is told below
    kiosk._looking.join(20)  # noqa: SLF001 - likewise
    assert [one.what for one in examine(kiosk.config, tmp_path / "data") if one.part == "journal"] == [
        "An index of the journal was damaged. It was made anew: every decision is there."
    ]
    [words] = told(kiosk)
    assert words.startswith("An index of the journal was damaged. It was made anew: every decision is there. Nothing")
    kiosk = start()
    assert kiosk._looking is not None  # noqa: SLF001 - as above
    kiosk._looking.join(20)  # noqa: SLF001 - likewise
    assert told(kiosk) == []


@pytest.mark.parametrize("damage", [b"spilt tea" * 500, b""])
def test_a_table_that_begins_empty_after_a_loss_is_told_until_it_is_set_up_anew(
    start: Callable[..., Kiosk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes
) -> None:
    data = tmp_path / "data"
    settings = load_config(None, BARE)
    kiosk = start()
    post(kiosk, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    assert told(kiosk) == []
    for one in (data / "journal.sqlite3", second_copy_of(data / "journal.sqlite3")):
        one.write_bytes(damage)
    (data / "checkpoint.json").unlink(missing_ok=True)
    words = told(start())
    assert "the table begins empty" in words[0]
    assert "bring a backup back with `trueroll restore FILE`, before the table is set up anew." in words[0]
    assert ("Keep that file" in words[0]) is bool(damage)
    (data / "told.json").unlink()
    kiosk = start()
    assert told(kiosk) == words, "until it is set up, also where what was told is lost"
    (data / "told.json").unlink()
    [found] = [one for one in examine(settings, data) if one.part == "journal"]
    assert (found.health, f"{found.what} {found.remedy}") == (FindingState.WRONG, words[0])
    kiosk = start()
    assert journal_part(kiosk).state == "lost"
    post(kiosk, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    assert (journal_part(kiosk).state, journal_part(kiosk).what) == ("ready", "The table is set up anew.")
    with monkeypatch.context() as patched:
        patched.setattr(unfailing_module, "has_room", lambda _: False)
        post(kiosk, "/api/v1/commands", {"command": "add_trait", "name": "Fog"})
        assert "Nothing is being kept" in journal_part(kiosk).what
    post(kiosk, "/api/v1/commands", {"command": "add_trait", "name": "Rain"})
    assert told(kiosk) == ["Everything is kept again, also what was decided in between. "]
    [found] = [one for one in examine(settings, data) if one.part == "journal"]
    assert found.health is FindingState.WELL
    assert told(start()) == []
    assert told(start()) == []


def test_a_new_table_where_disks_come_and_go_is_told_without_one(
    start: Callable[..., Kiosk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "empty_place", lambda folder: folder.parent)
    kiosk = start()
    [part] = [one for one in get(kiosk, "/healthz")["parts"] if one["source"] == "data folder"]
    assert part["what"].startswith(f"No disk is mounted at {tmp_path}, where disks are mounted.")


def test_a_new_table_is_told_once_and_a_disk_that_is_missing_at_each_start(
    start: Callable[..., Kiosk], tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO)
    words = f"This table is new, and is kept in {tmp_path / 'data'}. If you expected one from before, it is on another"
    kiosk = start()
    assert caplog.text.count(words) == 1
    first = unescape(page_of(kiosk, "display"))
    assert "This table is new. If you expected one from before, it is on another card or disk." in first
    assert str(tmp_path) not in first, "a folder's path is no first thing to read"
    assert get(kiosk, "/healthz")["status"] == "ok"
    kiosk.stop()
    monkeypatch.setattr(folder_module, "missing_disk", lambda folder: folder.parent)
    for _ in range(2):
        kiosk = start()
        assert "This table is new" not in page_of(kiosk, "display")
        [part] = [one for one in get(kiosk, "/healthz")["parts"] if one["source"] == "data folder"]
        assert part["what"].startswith(f"No disk is mounted at {tmp_path}, where one belongs.")
        with monkeypatch.context() as mounted:
            mounted.setattr(folder_module, "missing_disk", lambda _: None)
            kiosk.services.engine._keep()  # noqa: SLF001 - what it does every two seconds
            [part] = [one for one in get(kiosk, "/healthz")["parts"] if one["source"] == "data folder"]
            assert (part["state"], part["what"]) == ("ready", "The disk of the data folder is mounted now.")
        kiosk.services.engine._keep()  # noqa: SLF001 - as above
        assert "data folder" not in {one["source"] for one in get(kiosk, "/healthz")["parts"]}, "it is gone again"
        kiosk.stop()
    assert caplog.text.count(words) == 1


@pytest.mark.parametrize("what", ["rescued", "in-memory"])
def test_where_a_table_lies_beside_none_is_called_new(start: Callable[..., Kiosk], tmp_path: Path, what: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / f"journal.{what}-20261124T120000Z.sqlite3").touch()
    assert not start().services.begun


def test_a_table_that_was_set_up_while_its_lost_journal_could_not_be_read_is_not_told_as_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is told as kept aside, and that alone."""
    clock, fault = StillClock(), [JournalError("the disk fails")]

    def opened(path: Path, clock: Clock) -> JournalKeptTwice:
        if fault and path.is_relative_to(tmp_path / "data"):
            raise fault[0]
        return open_kept_twice(path, clock)

    monkeypatch.setattr(unfailing_module, "_copy_what_can_be_read", lambda *_: None)
    data = tmp_path / "data"
    data.mkdir()
    (data / "journal.sqlite3").write_bytes(b"spilt tea" * 500)
    kiosk = build(load_config(None, BARE), data, clock=clock, journal=opened)
    try:
        kiosk.services.engine.start()
        kiosk.services.engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "gm")
        fault.clear()
        clock.ticks += REOPEN_SECONDS
        kiosk.services.engine.submit(AddTrait(name="Fog"), "gm")
        assert "What is left of it is kept as journal.damaged-" in journal_part(kiosk).what
        assert "empty" not in journal_part(kiosk).what
    finally:
        kiosk.stop()


def test_a_journal_that_was_set_aside_in_play_is_told_at_the_next_start_once(
    start: Callable[..., Kiosk], tmp_path: Path
) -> None:
    first = start()
    post(first, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    assert told(first) == []
    (tmp_path / "data" / "journal.damaged-20261124T120000Z.sqlite3").write_bytes(b"spilt tea" * 500)
    [words] = told(start())
    assert "What is left of it is kept as journal.damaged-20261124T120000Z.sqlite3." in words
    assert told(start()) == []


def test_a_journal_that_was_set_aside_before_files_were_told_is_not_told_again(
    start: Callable[..., Kiosk], tmp_path: Path
) -> None:
    """Its words may have been said months ago."""
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "told.json").write_text('["a checksum"]')
    (tmp_path / "data" / "journal.damaged-20251124T120000Z.sqlite3").write_bytes(b"spilt tea" * 500)
    assert told(start()) == []


def test_a_journal_in_the_place_of_another_is_told_of_anew(start: Callable[..., Kiosk], tmp_path: Path) -> None:
    """What was told of another journal, or of a decision that said something else, is not taken for told."""
    data = tmp_path / "data"

    def begun() -> None:
        kiosk = start()
        post(kiosk, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
        post(kiosk, "/api/v1/commands", {"command": "add_trait", "name": "Fog"})
        kiosk.stop()

    begun()
    (tmp_path / "restored").write_bytes((data / "journal.sqlite3").read_bytes())
    altered(data, 2)
    assert told(start())
    assert told(start()) == []
    for damage in (lambda path: path.write_bytes(b"spilt tea" * 500), Path.unlink):
        damage(data / "journal.sqlite3")
        second_copy_of(data / "journal.sqlite3").unlink()
        begun()
        altered(data, 2)
        [words] = told(start())
        assert words.startswith("Decision 2 of the journal is not as it was written;")
        assert told(start()) == []
    (data / "journal.sqlite3").write_bytes((tmp_path / "restored").read_bytes())
    assert told(start()) == []
    altered(data, 2, by="somebody else")
    assert told(start())
    assert told(start()) == []


def test_a_port_that_is_taken_is_told_and_everything_let_go(start: Callable[..., Kiosk], tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ServerError, match="--port"):
            start(server__port=taken.getsockname()[1])
    build(load_config(None, BARE), tmp_path / "data").stop()


@pytest.mark.parametrize(
    ("broken", "part", "wanted", "state", "health"),
    [
        ("vision", "camera", {"camera__source": "auto"}, "absent", "ok"),
        ("vision", "camera", {"camera__source": "0"}, "lost", "degraded"),
        ("firmware_bridge", "tray", {"tray__url": "auto"}, "absent", "ok"),
        ("firmware_bridge", "tray", {"tray__url": "/dev/ttyUSB0"}, "lost", "degraded"),
        ("hardware", "panel", {"panel__enabled": True}, "absent", "ok"),
    ],
)
def test_a_broken_library_costs_its_own_part_alone(  # noqa: PLR0917 - what breaks, and what that costs
    start: Callable[..., Kiosk],
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
    part: str,
    wanted: dict[str, object],
    state: str,
    health: str,
) -> None:
    real = builtins.__import__

    def failing(name: str, *arguments: Any, **more: Any) -> Any:  # noqa: ANN401 - whatever import takes and gives
        if name.partition(".")[0] == broken:
            raise OSError(f"lib{broken}.so.1: cannot open shared object file")
        return real(name, *arguments, **more)

    monkeypatch.setattr(builtins, "__import__", failing)
    kiosk = start(**wanted)
    [view] = [one for one in kiosk.services.sources.views() if one.source == part]
    assert view.state == state
    assert f"lib{broken}.so.1" in view.what
    assert view.remedy
    assert get(kiosk, "/healthz")["status"] == health


def test_pins_that_clash_cost_the_panel_with_a_warning_that_names_the_settings(
    start: Callable[..., Kiosk], caplog: pytest.LogCaptureFixture
) -> None:
    kiosk = start(panel__enabled=True, panel__undo_pin=17)
    [view] = [one for one in kiosk.services.sources.views() if one.source == "panel"]
    assert view.state == "incompatible"
    assert "GPIO 17 is set for both the confirm button and the undo button" in view.what
    assert "panel.confirm_pin, panel.undo_pin" in view.remedy
    [line] = [one for one in caplog.records if "GPIO 17" in one.getMessage()]
    assert line.levelname == "WARNING"
    assert get(kiosk, "/healthz")["status"] == "degraded"


def test_the_demonstrations_tray_throws_what_is_awaited(start: Callable[..., Kiosk]) -> None:
    kiosk = start(demo=True, tray__url="auto")
    wait_for(lambda: states(kiosk).get("tray") == "ready")
    post(kiosk, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    post(kiosk, "/api/v1/commands", {"command": "declare_challenge", "count": 4, "label": "Falling rocks"})
    assert post(kiosk, "/api/v1/demo/throw", {"where": "tray"})["count"] == 4
    wait_for(lambda: get(kiosk, "/api/v1/table")["table"]["challenge"]["total"] is not None)
    roll = get(kiosk, "/api/v1/table")["table"]["challenge"]
    assert {die["source"] for die in roll["dice"]} == {"tray"}
    assert len(roll["dice"]) == 4


def test_a_picture_in_a_folder_is_the_throw_that_is_asked_for(start: Callable[..., Kiosk], tmp_path: Path) -> None:
    (tmp_path / "throws").mkdir()
    for name in ("challenge.jpg", "d20s.jpg"):
        shutil.copy(Path(__file__).parents[1] / "vision" / "pictures" / name, tmp_path / "throws")
    kiosk = start(camera__source=str(tmp_path / "throws"))
    post(kiosk, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    wait_for(lambda: "when dice are called for" in camera(kiosk).what)
    assert kiosk.services.sources.camera_picture() is not None  # to calibrate by; nothing is read in it yet
    assert get(kiosk, "/api/v1/table")["table"]["free_rolls"] == []
    post(kiosk, "/api/v1/commands", {"command": "declare_challenge", "count": 4, "label": "Falling rocks"})
    wait_for(lambda: get(kiosk, "/api/v1/table")["table"]["challenge"]["total"] is not None)
    assert get(kiosk, "/api/v1/table")["table"]["free_rolls"] == []
    wait_for(lambda: "when dice are called for" in camera(kiosk).what)
    assert camera(kiosk).state == "ready"


def camera(kiosk: Kiosk) -> SourceView:
    [part] = [one for one in kiosk.services.sources.views() if one.source == "camera"]
    return part


def test_a_demonstration_without_its_camera_says_so(start: Callable[..., Kiosk]) -> None:
    kiosk = start(demo=True)
    demo = kiosk.services.demo
    assert demo is not None
    with pytest.raises(KioskError, match="not there"):
        demo.throw(SourceKind.CAMERA, ("d20",))


def test_a_reading_goes_all_the_way_to_the_view(start: Callable[..., Kiosk]) -> None:
    kiosk = start()
    post(kiosk, "/api/v1/commands", {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    die = DieReading(DieKind.D20, 17, 1.0, DieState.READ, SourceKind.TRAY)
    kiosk.services.engine.report(Reading("tray/1", SourceKind.TRAY, (die,)))
    wait_for(lambda: len(get(kiosk, "/api/v1/table")["table"]["free_rolls"]) == 1)


def test_bluetooth_dice_lead_to_an_outcome_and_count_once(
    start: Callable[..., Kiosk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the paired dice that are kept, by bleak's interface, to the Task at the table."""
    air = Air(AA_01=Die(Maker.PIXELS, "Red"), AA_02=Die(Maker.GODICE, "Blue"))
    monkeypatch.setitem(sys.modules, "bleak", air)
    (tmp_path / "data").mkdir()
    kept = [{"address": one.address, "name": one.name, "maker": one.maker, "kind": "d20"} for one in (RED, BLUE)]
    (tmp_path / "data" / "bluetooth-dice.json").write_text(json.dumps(kept), encoding="utf-8")
    kiosk = start()
    for command in (
        {"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]},
        {"command": "save_character", "name": "Ada", "attributes": ATTRIBUTES, "disciplines": DISCIPLINES},
    ):
        post(kiosk, "/api/v1/commands", command)
    [character] = get(kiosk, "/api/v1/table")["table"]["characters"]
    declared = declaration(character["character_id"], focus=False)
    post(kiosk, "/api/v1/commands", {"command": "declare_task", "declaration": declared})
    red, blue = air.dice["AA:01"], air.dice["AA:02"]
    wait_for(lambda: states(kiosk).get("bluetooth") == "ready" and bool(red.wrote and blue.wrote))
    red.send(I_AM_A_D20, ROLLING, ON_17)
    blue.send(b"R", STABLE_8)
    wait_for(lambda: get(kiosk, "/api/v1/table")["table"]["task"] is None)  # with nothing to buy it ends by itself
    table = get(kiosk, "/api/v1/table")["table"]
    assert {(one["die"]["face"], one["die"]["source"]) for one in table["last_task"]["dice"]} == {
        (17, "bluetooth"),
        (8, "bluetooth"),
    }
    assert table["last_task"]["outcome"]["successes"] == 1
    assert table["free_rolls"] == [], "it counted once"


def test_what_waits_is_written_before_any_part_may_hang_at_the_end(
    start: Callable[..., Kiosk], monkeypatch: pytest.MonkeyPatch
) -> None:
    kiosk = start()
    monkeypatch.setattr(unfailing_module, "has_room", lambda _: False)
    kiosk.services.engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "gm")
    assert not kiosk.all_is_kept()
    kept: list[bool] = []
    monkeypatch.setattr(kiosk.services.voice, "stop", lambda: kept.append(kiosk.all_is_kept()))
    kiosk.stop()
    assert kept == [True]


def test_what_was_never_kept_is_not_waited_for_once_the_journal_is_closed(
    start: Callable[..., Kiosk], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise JournalError("the disk is gone")

    kiosk = start()
    monkeypatch.setattr(FileJournal, "append", refuse)
    kiosk.services.engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "gm")
    assert not kiosk.all_is_kept()
    kiosk.stop()
    assert kiosk.all_is_kept()


def test_the_camera_found_by_itself_is_the_one_that_is_plugged_in(tmp_path: Path) -> None:
    assert find_camera(tmp_path / "none") in {"0", "picamera2"}
    (tmp_path / "video3").touch()
    (tmp_path / "usb-Cam_B-video-index0").symlink_to(tmp_path / "video3")
    (tmp_path / "usb-Cam_A-video-index1").symlink_to(tmp_path / "video4")
    assert find_camera(tmp_path) == str(tmp_path / "usb-Cam_B-video-index0"), "its number may be another next time"


def test_a_part_that_is_missing_is_on_the_list_from_the_first_and_named_once(
    start: Callable[..., Kiosk], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    missing = {"camera.source": str(tmp_path / "no-camera"), "tray.url": str(tmp_path / "no-tray")}
    unstarted = build(load_config(None, BARE | missing), tmp_path / "unstarted")
    assert [states(unstarted)[part] for part in ("camera", "tray")] == ["starting", "starting"]
    unstarted.stop()
    caplog.clear()
    kiosk = start(camera__source=missing["camera.source"], tray__url=missing["tray.url"])
    wait_for(lambda: "starting" not in states(kiosk).values())
    said = [record.getMessage() for record in caplog.records]
    for part in kiosk.services.sources.views():
        if part.source in {"camera", "tray"}:
            assert part.state == ("lost" if part.source == "camera" else "absent")
            assert sum(part.what in one for one in said) == 1, (part, said)
    assert not any("is starting" in one for one in said)


def test_the_join_code_leads_to_the_port_that_is_served(start: Callable[..., Kiosk]) -> None:
    kiosk = start(server__open_to_network=True, server__host="0.0.0.0")  # noqa: S104 - as a table opens it
    with urllib.request.urlopen(kiosk.address + "display", timeout=20) as answer:  # noqa: S310 - our own
        page = answer.read().decode()
    assert f":{kiosk.port}/join" in page
    assert ":0/join" not in page


def test_exporting_loads_no_camera_library() -> None:
    code = "import sys, kiosk.commands.export; print([m for m in ('flask', 'cv2', 'waitress') if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert loaded.stdout.strip() == "[]"


def wait_for(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_that_the_camera_was_moved_is_said_in_the_room_once_for_each_time() -> None:
    voice = SilentVoice()
    told = compose._CameraAloud(voice, lambda: False)  # noqa: SLF001 - what `build` listens with
    for source, notice in (("camera", MOVED), ("camera", MOVED), ("tray", ""), ("camera", ""), ("camera", MOVED)):
        told(SourceView(source=source, state="ready", what="It watches.", notice=notice))
    assert [one.normal for one in voice.answers] == [MOVED, MOVED]
    for notice in (MOVED_CALIBRATED, MOVED_CALIBRATED, ""):
        told(SourceView(source="camera", state="ready", what="It watches.", notice=notice))
    assert [one.normal for one in voice.answers[2:]] == [MOVED_CALIBRATED]


def test_a_camera_that_was_moved_is_not_told_anew_after_each_long_reading() -> None:
    voice = SilentVoice()
    told = compose._CameraAloud(voice, lambda: False)  # noqa: SLF001 - what `build` listens with
    for notice in (MOVED_CALIBRATED, READING, MOVED_CALIBRATED, READING, MOVED_CALIBRATED):
        told(SourceView(source="camera", state="ready", what="It watches.", notice=notice))
    assert [one.normal for one in voice.answers] == [MOVED_CALIBRATED]


def test_that_dice_are_being_read_is_said_in_the_room_once_while_they_are_awaited() -> None:
    voice, wanted = SilentVoice(), [False]
    told = compose._CameraAloud(voice, lambda: wanted[0])  # noqa: SLF001 - what `build` listens with
    for wanted[0] in (False, True):
        for notice in (READING, READING, ""):
            told(SourceView(source="camera", state="ready", what="It watches.", notice=notice))
    assert [one.normal for one in voice.answers] == [READING]


def test_a_camera_that_does_not_see_is_said_once_while_dice_are_awaited_and_that_it_sees_again() -> None:
    voice, wanted = SilentVoice(), [False]
    told = compose._CameraAloud(voice, lambda: wanted[0])  # noqa: SLF001 - what `build` listens with
    dark, blurred = BLIND_WORDS[0], BLIND_WORDS[-1]

    def is_now(state: str, notice: str = "") -> None:
        told(SourceView(source="camera", state=state, what="It is so.", notice=notice))
        told(SourceView(source="tray", state="ready", what="The tray is ready."))

    def said() -> list[str]:
        return [one.normal for one in voice.answers]

    is_now("lost", dark)
    told.committed()
    is_now("ready")
    assert said() == [], "nobody waits for dice"
    is_now("lost", dark)
    wanted[0] = True
    told.committed()
    told.committed()
    is_now("lost", dark)
    assert said() == [dark]
    is_now("ready")
    is_now("ready")
    assert said() == [dark, SEES_AGAIN]
    is_now("lost", dark)
    is_now("lost", blurred)
    is_now("lost")
    assert said()[2:] == [dark, blurred, "It is so."], "a camera that was unplugged does not see again"


def test_a_camera_that_is_unplugged_while_dice_are_awaited_is_said_once_and_that_it_is_back() -> None:
    """Once pages alone told that; a table without one at hand waited for dice that nobody read."""
    voice, wanted = SilentVoice(), [True]
    told = compose._CameraAloud(voice, lambda: wanted[0])  # noqa: SLF001 - what `build` listens with

    def said_after(*states: str) -> list[str]:
        before = len(voice.answers)
        for number, state in enumerate(states):
            told(SourceView(source="camera", state=state, what=f"It is {state}, {number}.", notice=""))
        return [one.normal for one in voice.answers[before:]]

    assert said_after("starting", "lost", "starting", "lost") == [], "nobody misses one that was never there"
    assert said_after("ready", "lost", "starting", "lost") == ["It is lost, 1."]
    assert said_after("starting", "ready", "ready") == [SEES_AGAIN]
    assert said_after("off", "lost") == [], "somebody switched it off"
    wanted[0] = False
    assert said_after("ready", "lost", "ready") == [], "nobody waits for dice"


def test_a_camera_that_saw_nothing_from_the_start_and_is_unplugged_then_is_said_too() -> None:
    voice = SilentVoice()
    told = compose._CameraAloud(voice, lambda: True)  # noqa: SLF001 - what `build` listens with
    covered = str(BLIND_WORDS[0])
    for state, notice in (("starting", ""), ("lost", covered), ("lost", ""), ("starting", ""), ("ready", "")):
        told(SourceView(source="camera", state=state, what=f"It is {state}.", notice=notice))
    assert [one.normal for one in voice.answers] == [covered, "It is lost.", SEES_AGAIN]
