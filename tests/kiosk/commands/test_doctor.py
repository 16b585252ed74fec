"""The doctor finds the kiosk of a data folder wherever it listens, and takes its word for what it has in use."""

from __future__ import annotations

import json
import os
import pwd
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from kiosk.cli import main
from kiosk.commands import doctor as doctor_module
from kiosk.commands import doctor_journal, run
from kiosk.commands.doctor import examine, to_do
from kiosk.commands.findings import Finding, FindingState
from kiosk.commands.running import Running
from kiosk.compose import build
from kiosk.config import Config, load_config
from kiosk.engine import Checkpoint, Engine
from kiosk.errors import JournalBusyError, JournalFullError
from kiosk.ports import SourceView
from kiosk.storage import folder as folder_module
from kiosk.storage.checkpoint import FILE_NAME as CHECKPOINT_NAME
from kiosk.storage.checkpoint import CheckpointFile
from kiosk.storage.damage_words import damage_words
from kiosk.storage.folder import LOCK_NAME, HeldFolder, held_at
from kiosk.storage.journal import open_journal
from kiosk.storage.kept_twice import open_kept_twice
from kiosk.storage.preferences import PreferencesFile
from kiosk.storage.second_copy import second_copy_of
from kiosk.storage.start_files import look_whole
from rules.dice import SourceState
from rules.history import Decision
from rules.undo import DecisionUndone
from tests.kiosk.desk import StillClock
from tests.kiosk.storage.test_journal import spoil_index

BARE: Mapping[str, object] = {"camera.source": "off", "tray.url": "off", "panel.enabled": False}

HOLDER = """
import sys
from pathlib import Path
from kiosk.storage.folder import HeldFolder
held = HeldFolder(Path(sys.argv[1]))
held.announce(sys.argv[2])
print("held", flush=True)
sys.stdin.read()
"""


def settings(port: int = 0, **changes: object) -> Config:
    return load_config(
        None, {**BARE, "server.port": port} | {key.replace("__", "."): one for key, one in changes.items()}
    )


@pytest.fixture
def closed_port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]  # bound, and nobody listens


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def found(part: str, config: Config, data: Path) -> Finding:
    return next(one for one in examine(config, data) if one.part == part)


def test_none_runs(data: Path, closed_port: int) -> None:
    assert found("kiosk", settings(closed_port), data).what == "Not running."
    assert found("journal", settings(closed_port), data).health is FindingState.ABSENT


def test_a_folder_without_a_journal_is_told_with_what_that_means(
    data: Path, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for what in (f"There is no folder {data}.", f"{data} holds no journal."):
        told = found("journal", settings(closed_port), data)
        assert (told.health, told.what) == (FindingState.ABSENT, what)
        assert "see that its disk is plugged in and mounted, or name the right folder with --data." in told.remedy
        assert to_do((told,)) == f"Nothing is wrong, but there is no journal. {told.remedy}"
        data.mkdir(exist_ok=True)
    monkeypatch.setattr(folder_module, "empty_place", lambda folder: folder.parent)
    told = found("data folder", settings(closed_port), data)
    assert told.what.startswith(f"No disk is mounted at {data.parent}, where disks are mounted.")
    begun(data, 1)
    assert [one for one in examine(settings(closed_port), data) if one.part == "data folder"] == []
    assert to_do((found("journal", settings(closed_port), data),)) == "Nothing is wrong."
    monkeypatch.setattr(folder_module, "missing_disk", lambda folder: folder.parent)
    told = found("data folder", settings(closed_port), data)
    assert told.health is FindingState.WRONG
    assert told.what.startswith(f"No disk is mounted at {data.parent}, where one belongs.")


def test_bluetooth_dice_are_told_with_what_they_lack(
    data: Path, closed_port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_module, "ADAPTERS", tmp_path / "adapters")
    config = settings(closed_port)
    assert found("bluetooth", config, data).health is FindingState.ABSENT
    data.mkdir()
    die = {"address": "AA:01", "name": "Red", "maker": "pixels", "kind": "d20"}
    (data / "bluetooth-dice.json").write_text(json.dumps([die]), encoding="utf-8")
    told = found("bluetooth", config, data)
    assert (told.health, told.what) == (FindingState.WRONG, "Paired: Red. This computer has no Bluetooth adapter.")
    (tmp_path / "adapters" / "hci0").mkdir(parents=True)
    told = found("bluetooth", config, data)
    assert (told.health, told.what) == (FindingState.WELL, "Paired: Red. Adapter: hci0.")
    monkeypatch.setitem(sys.modules, "bleak", None)
    assert found("bluetooth", config, data).remedy == "Run: make install"
    (data / "bluetooth-dice.json").write_text("{", encoding="utf-8")
    assert "bluetooth-dice.json is damaged" in found("files", config, data).what


def test_one_on_another_port_is_found_and_asked(data: Path, closed_port: int) -> None:
    kiosk = build(settings(), data)
    kiosk.services.sources.set("tray", SourceState.READY, "A tray named on the command line.")
    kiosk.services.sources.set("camera", SourceState.LOST, "The camera is gone.", "Plug it in.")
    try:
        kiosk.start()
        looked_at = examine(settings(closed_port, camera__source="auto", tray__url="auto"), data)
        told = {one.part: one for one in looked_at}
        assert told["kiosk"] == Finding("kiosk", FindingState.WELL, f"Running at {kiosk.address}.")
        assert told["tray"] == Finding("tray", FindingState.WELL, "A tray named on the command line.")
        assert told["camera"] == Finding("camera", FindingState.WRONG, "The camera is gone.", "Plug it in.")
        assert told["panel"].health is FindingState.ABSENT
        said = "More than 4 trays cannot be used at once: /e in tray.url is left out."
        kiosk.services.sources.set("tray", SourceState.READY, "Four trays are ready.", said)
        told = {one.part: one for one in examine(settings(closed_port, tray__url="/a /b /c /d /e"), data)}
        assert told["tray"] == Finding("tray", FindingState.WRONG, "Four trays are ready.", said)
        assert told["journal"].health is FindingState.WELL
    finally:
        kiosk.stop()
    assert found("kiosk", settings(closed_port), data).health is FindingState.ABSENT
    assert (data / LOCK_NAME).read_bytes() == b""


def test_one_with_another_folder_is_told_apart(data: Path, tmp_path: Path) -> None:
    kiosk = build(settings(), tmp_path / "other")
    try:
        kiosk.start()
        told = found("kiosk", settings(kiosk.port), data)
    finally:
        kiosk.stop()
    assert told.health is FindingState.ABSENT
    assert "another data folder" in told.what
    assert "--data" in told.remedy


def test_pins_that_clash_are_wrong_and_named_by_their_settings(data: Path, closed_port: int) -> None:
    pins = {"panel__enabled": True, "panel__undo_pin": 17, "panel__repeat_pin": 14}
    told = found("panel", settings(closed_port, **pins), data)
    assert told.health is FindingState.WRONG
    assert "GPIO 17 is set for both the confirm button and the undo button" in told.what
    assert told.remedy.startswith("Set panel.confirm_pin, panel.undo_pin, panel.repeat_pin so that")


def test_another_program_on_its_port_is_named(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kiosk.commands.running.ANSWER_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        told = found("kiosk", settings(port), data)
    assert told.health is FindingState.ABSENT
    assert f"another program has port {port}" in told.what


def test_addresses_of_more_trays_than_can_be_used_are_named(data: Path, closed_port: int) -> None:
    told = found("tray", settings(closed_port, tray__url="/a /b /c /d /e"), data)
    assert (told.health, told.what) == (FindingState.WRONG, "More than 4 trays cannot be used at once: /e is left out.")


def test_what_a_killed_kiosk_left_is_not_taken_for_one(data: Path, closed_port: int) -> None:
    address = f"http://127.0.0.1:{closed_port}/"
    command = [sys.executable, "-c", HOLDER, str(data), address]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        silent = found("kiosk", settings(closed_port), data)
        with pytest.raises(JournalBusyError):
            HeldFolder(data)
        os.kill(holder.pid, signal.SIGKILL)
    assert silent.health is FindingState.WRONG
    assert f"does not answer at {address}" in silent.what
    assert (data / LOCK_NAME).read_text() == address, "it had no time to tidy up"
    assert found("kiosk", settings(closed_port), data).what == "Not running."
    HeldFolder(data).release()


def test_one_that_has_said_no_address_yet_is_starting(data: Path, closed_port: int) -> None:
    with HeldFolder(data):
        for left in (b"", b"\xa5\x00\xff{tea" * 300):
            (data / LOCK_NAME).write_bytes(left)  # as somebody garbles it
            assert held_at(data / LOCK_NAME) == ""
        told = found("kiosk", settings(closed_port), data).what
        assert "it is starting, or ending, or another program emptied that file" in told


def test_one_whose_lock_was_emptied_is_not_called_starting_alone(
    data: Path, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HeldFolder(data):
        monkeypatch.setattr(doctor_module, "parts_at", lambda _: {})
        told = found("kiosk", settings(closed_port), data)
    assert f"One answers at http://127.0.0.1:{closed_port}/; it may be of another folder." in told.what


def test_a_lock_that_another_program_spoils_is_put_right_in_play(data: Path) -> None:
    kiosk = build(settings(), data, clock=StillClock())
    lock, engine = data / LOCK_NAME, kiosk.services.engine
    try:
        kiosk.start()
        engine.stop()  # whose thread looks by itself
        for spoiled in (lambda: lock.write_bytes(b""), lambda: lock.write_bytes(b"tea" * 500), lock.unlink):
            spoiled()
            assert not held_at(lock)
            engine._keep()  # noqa: SLF001 - what it does every two seconds
            assert held_at(lock) == kiosk.address
        with pytest.raises(JournalBusyError):
            HeldFolder(data)
        lock.unlink()
        with HeldFolder(data):
            engine._keep()  # noqa: SLF001 - as above
            assert not held_at(lock), "the other's"
        engine._keep()  # noqa: SLF001 - as above
        assert held_at(lock) == kiosk.address
    finally:
        kiosk.stop()


def test_one_whose_disk_takes_nothing_is_not_called_starting(
    data: Path, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HeldFolder(data):
        monkeypatch.setattr(doctor_journal, "has_room", lambda _: False)
        told = found("kiosk", settings(closed_port), data)
        assert (told.health, "the disk takes nothing" in told.what) == (FindingState.WRONG, True)
        monkeypatch.setattr(doctor_module, "parts_at", lambda _: {})
        told = found("kiosk", settings(closed_port), data)
        assert told.health is FindingState.WRONG
        assert f"One answers at http://127.0.0.1:{closed_port}/; it may be of another folder." in told.what


def test_a_looker_keeps_no_kiosk_from_starting(data: Path) -> None:
    with HeldFolder(data):
        assert held_at(data / LOCK_NAME) == ""
    assert held_at(data / LOCK_NAME) is None
    with HeldFolder(data) as held:
        held.announce("http://127.0.0.1:1/")
        assert held_at(data / LOCK_NAME) == "http://127.0.0.1:1/"


def test_a_folder_that_cannot_be_looked_into_is_named(tmp_path: Path, closed_port: int) -> None:
    (tmp_path / "file").write_text("no folder")
    told = {one.part: one for one in examine(settings(closed_port), tmp_path / "file" / "data")}
    assert told["kiosk"].health is FindingState.WRONG
    assert "cannot be looked into" in told["kiosk"].what
    assert told["journal"].what == f"{tmp_path / 'file'} is no folder."


def test_a_decision_that_is_not_as_it_was_written_is_named(data: Path, closed_port: int) -> None:
    data.mkdir(parents=True, exist_ok=True)
    path = data / "journal.sqlite3"
    journal = open_journal(path, StillClock())
    for number in (1, 2, 3):
        journal.append(Decision(number=number, by="gm", command="undo", events=(DecisionUndone(decision=1),)))
    journal.close()
    assert found("journal", settings(closed_port), data).health is FindingState.WELL
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE journal SET by = 'Ada' WHERE decision = 2")
    connection.close()
    told = found("journal", settings(closed_port), data)
    assert told.health is FindingState.WRONG
    assert "not as they were written: 2." in told.what
    assert told.remedy


def test_a_decision_that_cannot_be_read_is_told_with_what_to_do(data: Path, closed_port: int) -> None:
    data.mkdir(parents=True, exist_ok=True)
    path = data / "journal.sqlite3"
    journal = open_journal(path, StillClock())
    for number in (1, 2, 3):
        journal.append(Decision(number=number, by="gm", command="undo", events=(DecisionUndone(decision=1),)))
    journal.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE journal SET event = '{' WHERE decision = 2")
    connection.close()
    told = found("journal", settings(closed_port), data)
    assert told.health is FindingState.WRONG
    assert told.what == f"{path}: decision 2 is damaged."
    assert told.remedy.startswith("The next start, tried on a copy, ends with decision 3 as its last. Decision 2 of")


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _spilt(file: Path) -> None:
    file.write_bytes(b"tea" * 500)


def _kept_as_damaged(file: Path) -> None:
    file.rename(file.with_name("journal.damaged-20200101T000000Z.sqlite3"))


def _emptied(file: Path) -> None:
    file.write_bytes(b"")


def _made_anew(file: Path) -> None:
    file.rename(file.with_name("journal.restored.sqlite3"))  # the plug was pulled before it had its name


@pytest.mark.parametrize("lines", [None, _cut, Path.unlink])
@pytest.mark.parametrize("journal", [_spilt, _emptied, Path.unlink, None, _kept_as_damaged, _made_anew])
def test_what_the_doctor_says_of_a_damaged_journal_is_what_the_next_start_does(
    data: Path,
    closed_port: int,
    journal: Callable[[Path], None] | None,
    lines: Callable[[Path], None] | None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    path = begun(data, 6)
    open_kept_twice(path, StillClock()).close()
    if lines is not None:
        lines(second_copy_of(path))
    (journal or (lambda one: spoil(one, "UPDATE journal SET event = '{' WHERE decision = 3")))(path)
    (data / CHECKPOINT_NAME).touch()
    before = {one: one.read_bytes() for one in data.iterdir()}
    told = found("journal", settings(closed_port), data)
    assert told.health is FindingState.WRONG
    assert not re.search(r"SQL|table|database|malformed|Page|Tree", told.what), "in words of people who play"
    assert {one: one.read_bytes() for one in before} == before, "nothing is changed"
    assert not caplog.records, "and nothing of the copy is told as if it were so"
    with closing(open_kept_twice(path, StillClock())) as opened:
        Engine(opened)
        end, aside = opened.decision, opened.set_aside
    assert aside is not None or journal is _made_anew
    words = damage_words(aside) if aside is not None else ()
    ends = f"decision {end} as its last" if end else "an empty table"
    expected = " ".join((f"ends with {ends}.", *(re.sub(r"damaged-\w+", "damaged-…", str(one)) for one in words)))
    assert told.remedy == f"The next start, tried on a copy, {expected}"


def test_what_is_no_file_where_the_journal_should_be_is_named(data: Path, closed_port: int) -> None:
    (data / "journal.sqlite3").mkdir(parents=True)
    told = found("journal", settings(closed_port), data)
    assert (told.health, told.what) == (FindingState.WRONG, f"{data / 'journal.sqlite3'} is no file.")
    assert told.remedy.startswith("Move it away")


def test_a_link_that_leads_nowhere_is_told_as_one(data: Path, closed_port: int) -> None:
    """The next start does not bring the journal back through it."""
    path = begun(data, 1)
    open_kept_twice(path, StillClock()).close()
    path.rename(data / "away")
    away = data.parent / "disk" / "journal.sqlite3"
    away.parent.mkdir()
    path.symlink_to(away)
    told = found("journal", settings(closed_port), data)
    assert (told.health, told.what) == (FindingState.WRONG, f"{path} is a link to a file that is not there.")
    assert "Plug in the disk that it leads to. Or move it away: the next start brings the journal back" in told.remedy
    for _ in ("in memory", "restored"):
        kiosk = build(settings(), data)
        assert kiosk.services.engine.present().sequence == 1
        kiosk.stop()
        assert list(away.parent.iterdir()) == [], "nothing is written through it"
        path.unlink()


def test_the_doctor_tries_the_next_start_with_the_checkpoint_that_it_has(data: Path, closed_port: int) -> None:
    path = begun(data, 6)
    with closing(open_journal(path, StillClock())) as journal:
        present = Engine(journal).present()
        checkpoint = Checkpoint(present.sequence, journal.decision, present.history, None)
        CheckpointFile(data / CHECKPOINT_NAME).save(checkpoint, journal)
    spoil(path, "UPDATE journal SET event = '{' WHERE decision = 3")
    told = found("journal", settings(closed_port), data)
    with closing(open_kept_twice(path, StillClock())) as opened:
        Engine(opened, checkpoints=CheckpointFile(data / CHECKPOINT_NAME))
        assert opened.set_aside is None, "nothing is taken out: the table needs nothing from before the checkpoint"
    assert "decision 6 as its last. Decision 3 of the journal is not as it was written" in told.remedy


def test_no_room_for_the_copy_is_not_told_as_what_the_next_start_lacks(
    data: Path, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise JournalFullError("Free some space on the kiosk's disk.")

    monkeypatch.setattr(doctor_journal, "open_kept_twice", full)
    spoil(begun(data, 3), "UPDATE journal SET event = '{' WHERE decision = 2")
    told = found("journal", settings(closed_port), data).remedy
    assert "cannot be tried: there is no room in " in told
    assert "kiosk's disk" not in told


def test_the_doctor_tries_the_next_start_with_the_mark_that_it_looks_at_all(
    data: Path, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kiosk.storage.journal.RECENT", 2)
    monkeypatch.setattr("kiosk.storage.kept_twice.COMPARED", 2)
    path = begun(data, 6)
    open_kept_twice(path, StillClock()).close()
    spoil(path, "UPDATE journal SET by = 'Ada' WHERE decision = 2")
    look_whole(path).touch()
    told = found("journal", settings(closed_port), data)
    assert look_whole(path).exists()
    with closing(open_kept_twice(path, StillClock())) as opened:
        assert opened.set_aside is not None
        assert opened.set_aside.restored == 6
    assert "decision 6 as its last. The journal was damaged; its second copy brought it back." in told.remedy


def test_an_end_that_both_files_lost_is_told(data: Path, closed_port: int) -> None:
    """Once a journal that looked whole was called sound."""
    path = data / "journal.sqlite3"
    for numbers in (range(1, 4), range(4, 7)):
        older = path.read_bytes() if path.exists() else b""
        with closing(open_kept_twice(path, StillClock())) as journal:
            for number in numbers:
                journal.append(Decision(number=number, by="gm", command="undo", events=(DecisionUndone(decision=1),)))
    path.write_bytes(older)
    (data / "journal.lines").unlink()
    told = found("journal", settings(closed_port), data)
    assert told.health is FindingState.WRONG
    assert told.what == f"{path}: it ends with decision 3, and the table had 6."
    assert "The last 3 decisions, 4 to 6, are lost: neither the journal nor its second copy has them" in told.remedy


def test_garbage_in_the_write_ahead_log_is_told(data: Path, closed_port: int, tmp_path: Path) -> None:
    """Once the journal was called sound up to the garbage."""
    beside = tmp_path / "beside"
    with closing(open_kept_twice(beside / "journal.sqlite3", StillClock())) as journal:
        for number in range(1, 11):
            journal.append(Decision(number=number, by="gm", command="undo", events=(DecisionUndone(decision=1),)))
        shutil.copytree(beside, data, dirs_exist_ok=True)
    wal = data / "journal.sqlite3-wal"
    content = bytearray(wal.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 5000] = b"garbage!" * 625
    wal.write_bytes(content)
    (data / "journal.lines").unlink()
    told = found("journal", settings(closed_port), data)
    assert told.health is FindingState.WRONG
    assert "what came last, in journal.sqlite3-wal, is damaged" in told.what
    assert "ends with decision 10 as its last" in told.remedy


def test_a_damaged_line_of_the_second_copy_is_named(data: Path, closed_port: int) -> None:
    path = begun(data, 6)
    open_kept_twice(path, StillClock()).close()
    assert found("journal", settings(closed_port), data).health is FindingState.WELL
    lines = second_copy_of(path).read_bytes().splitlines(keepends=True)
    for damaged in (lines[2].replace(b'"gm"', b'"fm"'), lines[2].replace(b"[[", b"[{"), b""):
        second_copy_of(path).write_bytes(b"".join([*lines[:2], damaged, *lines[3:]]))
        told = found("journal", settings(closed_port), data)
        assert told.health is FindingState.WRONG
        assert "these decisions are missing, or not alike: 3." in told.what


def test_a_damaged_index_is_told(data: Path, closed_port: int) -> None:
    path = begun(data, 6)
    spoil_index(path)
    told = found("journal", settings(closed_port), data)
    assert (told.health, "an index is damaged" in told.what) == (FindingState.WRONG, True)
    with closing(open_kept_twice(path, StillClock())) as opened:
        assert opened.mend_indexes()
    assert found("journal", settings(closed_port), data).health is FindingState.WELL


def begun(data: Path, decisions: int) -> Path:
    """A journal with that number of decisions."""
    data.mkdir(parents=True, exist_ok=True)
    path = data / "journal.sqlite3"
    journal = open_journal(path, StillClock())
    for number in range(1, decisions + 1):
        journal.append(Decision(number=number, by="gm", command="undo", events=(DecisionUndone(decision=1),)))
    journal.close()
    return path


def spoil(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("damage", "whole"),
    [
        ("UPDATE journal SET event = '{' WHERE decision = 3", "1 to 2, 4 to 6"),
        ("UPDATE journal SET event = '{' WHERE decision = 1", "2 to 6"),
        ("UPDATE journal SET event = '{' WHERE decision IN (2, 6)", "1, 3 to 5"),
        ("UPDATE journal SET by = 'Ada', event = replace(event, '1', '2') WHERE decision = 5", "1 to 4, 6"),
        ("DELETE FROM journal WHERE decision = 3", "1 to 2, 4 to 6"),
    ],
)
def test_what_is_whole_in_a_journal_that_was_set_aside_is_told(
    data: Path, closed_port: int, damage: str, whole: str
) -> None:
    path = begun(data, 6)
    spoil(path, damage)
    path.rename(data / "journal.damaged-20261123T200000Z.sqlite3")
    told = found("set aside", settings(closed_port), data)
    assert told.health is FindingState.ABSENT, "the table that plays has no fault by it"
    assert "journal.damaged-20261123T200000Z.sqlite3: " in told.what
    assert f"up to 6 these are whole: {whole}." in told.what
    assert told.remedy.startswith("Keep the file.")
    assert ("To see the table that these make" in told.remedy) is whole.startswith("1")


def test_what_the_doctor_says_of_a_journal_set_aside_can_be_done(data: Path, closed_port: int, tmp_path: Path) -> None:
    path = begun(data, 6)
    spoil(path, "UPDATE journal SET event = '{' WHERE decision = 3")
    path.rename(data / "journal.damaged-20261123T200000Z.sqlite3")
    remedy = found("set aside", settings(closed_port), data).remedy
    assert "as journal.sqlite3 into a new folder" in remedy
    assert remedy.endswith("trueroll run --port 8081 --data THAT_FOLDER")
    (tmp_path / "new").mkdir()
    shutil.copy(data / "journal.damaged-20261123T200000Z.sqlite3", tmp_path / "new" / "journal.sqlite3")
    kiosk = build(settings(), tmp_path / "new")
    assert kiosk.services.engine.present().sequence == 6
    kiosk.stop()


def test_what_a_start_would_take_from_a_journal_that_was_set_aside_is_told(
    data: Path, closed_port: int, tmp_path: Path
) -> None:
    """Once no decision in it was whole where SQLite stopped at the first page that it cannot use."""
    path = begun(data, 300)
    content = bytearray(path.read_bytes())
    page = len(content) // 4096 - 2
    content[page * 4096 : (page + 1) * 4096] = b"garbage!" * 512
    aside = data / "journal.damaged-20261123T200000Z.sqlite3"
    aside.write_bytes(content)
    told = found("set aside", settings(closed_port), data)
    many = re.search(r": it is damaged. (\d+) decisions in it are whole: 1 to \d+", told.what)
    assert many is not None
    assert 250 <= int(many[1]) < 300
    (tmp_path / "new").mkdir()
    shutil.copy(aside, tmp_path / "new" / "journal.sqlite3")
    with closing(open_kept_twice(tmp_path / "new" / "journal.sqlite3", StillClock())) as journal:
        assert len(list(journal.decisions())) == int(many[1]), "as the start has it"
    aside.write_bytes(b"SQLite format 3\0" + bytes(8000))
    assert "nothing in it can be read" in found("set aside", settings(closed_port), data).what


def test_a_journal_set_aside_of_which_nothing_can_be_read_is_named(data: Path, closed_port: int) -> None:
    path = begun(data, 3)
    (data / "journal.damaged-20261123T200000Z.sqlite3").write_bytes(b"spilt tea" * 500)
    spoil(path, "UPDATE journal SET event = '{'")
    path.rename(data / "journal.damaged-20261124T200000Z.sqlite3")
    first, second = (one for one in examine(settings(closed_port), data) if one.part == "set aside")
    assert "nothing in it can be read" in first.what
    assert "no decision in it is whole" in second.what
    assert {first.remedy, second.remedy} == {"Keep the file."}


def test_a_journal_without_room_is_told_by_the_kiosk_that_knows(
    data: Path, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    HeldFolder(data).release()
    full = SourceView(source="journal", state="lost", what="The disk is full.", remedy="Free some space.")
    monkeypatch.setattr(doctor_module, "running_on", lambda _: Running("http://127.0.0.1:1/", {"journal": full}))
    assert found("journal", settings(closed_port), data).what == "The disk is full."
    spoil(begun(data, 3), "UPDATE journal SET by = 'Ada' WHERE decision = 2")
    told = found("journal", settings(closed_port), data)
    assert told.what.startswith("The disk is full. ")
    assert told.what.endswith("not as they were written: 2.")
    assert told.remedy.startswith("Free some space. ")


def test_a_tray_that_is_ready_with_a_fault_is_wrong(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = SourceView(source="tray", state="ready", what="It is ready.", remedy="A reader fails.", faulty=True)
    monkeypatch.setattr(doctor_module, "running_on", lambda _: Running("http://127.0.0.1:1/", {"tray": one}))
    assert found("tray", settings(), data).health is FindingState.WRONG


def test_the_command_says_so_too(data: Path) -> None:
    kiosk = build(settings(), data)
    try:
        kiosk.start()
        run = CliRunner().invoke(main, ["doctor", "--data", str(data), "--json"])
    finally:
        kiosk.stop()
    lines = {one["part"]: one for one in map(json.loads, run.output.splitlines())}
    assert lines["kiosk"]["what"] == f"Running at {kiosk.address}."
    assert (lines["camera"]["health"], lines["camera"]["what"]) == (
        "absent",
        "The camera is switched off, in the settings or at the start.",
    )


def test_a_house_file_mended_since_is_not_told_as_broken(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = data.parent / "house.toml"
    told = SourceView(
        source="house tables", state=SourceState.LOST.value, what="weapons has a wrong row.", remedy="Mend the file."
    )
    running = Running(address="http://127.0.0.1:9/", parts={"house tables": told})
    monkeypatch.setattr(doctor_module, "running_on", lambda _: running)
    house.write_text("[weapons.phaser_type_2]\nno_such_key = 1\n")
    config = settings(rules__house_tables=str(house))
    assert found("house tables", config, data).health is FindingState.WRONG
    assert "no_such_key" in found("house tables", config, data).what
    house.write_text("[weapons.phaser_type_2]\nrating = 4\n")
    now = found("house tables", config, data)
    assert now.health is FindingState.ABSENT
    assert "wrong row" not in now.what
    assert "Start the kiosk again" in now.remedy


def test_the_greeting_says_how_phones_are_let_in(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kiosk = build(settings(), data)
    run.greet(kiosk, data)
    kiosk.stop()
    assert "To let phones in, choose that on http://127.0.0.1:0/setup." in capsys.readouterr().out
    file = tmp_path / "mine.toml"
    file.write_text("[server]\nopen_to_network = false\n")
    kiosk = build(load_config(file, dict(BARE)), data)
    run.greet(kiosk, data)
    kiosk.stop()
    assert f"The settings in {file} say who reaches the kiosk." in capsys.readouterr().out


def test_it_says_whether_phones_reach_the_kiosk_and_who_said_so(data: Path) -> None:
    closed = found("network", settings(), data)
    assert (closed.health, "on the kiosk's own page /setup" in closed.remedy) == (FindingState.ABSENT, True)
    data.mkdir(exist_ok=True)
    PreferencesFile(data / "preferences.json").change(phones=True)
    chosen = found("network", settings(), data)
    assert (chosen.health, "was chosen at the kiosk" in chosen.what) == (FindingState.WELL, True)
    held = found("network", settings(server__open_to_network=False), data)
    assert (held.health, "The command line" in held.remedy) == (FindingState.ABSENT, True)
    opened = found("network", settings(server__open_to_network=True), data)
    assert (opened.health, "The command line" in opened.what) == (FindingState.WELL, True)


def test_it_says_who_counts_as_the_kiosk_itself(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def users(*them: tuple[int, str]) -> None:
        made = [pwd.struct_passwd(("x", "x", number, 0, "", "/", shell)) for number, shell in them]
        monkeypatch.setattr(pwd, "getpwall", lambda: made)

    users((0, "/bin/bash"), (999, "/bin/sh"), (1000, "/bin/bash"), (1001, "/usr/sbin/nologin"), (65534, "/bin/sh"))
    assert found("this machine", settings(), data).remedy == "", "one person alone"
    users((1000, "/bin/bash"), (1001, "/bin/zsh"))
    several = found("this machine", settings(), data)
    assert several.what.startswith("2 people can log in")
    assert "trust_this_machine = false" in several.remedy
    assert found("this machine", settings(access__trust_this_machine=False), data).remedy == ""
