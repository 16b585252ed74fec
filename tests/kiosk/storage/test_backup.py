"""A backup: all that is kept in one file, equal on another machine, and trusted only where it is whole."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.cli import main
from kiosk.errors import JournalBusyError, JournalError, JournalFullError
from kiosk.storage import backup as backup_module
from kiosk.storage.backup import MANIFEST, BackupError, CutOff, back_up, cut_off, restore, sweep, usual_name, verified
from kiosk.storage.folder import HeldFolder
from kiosk.storage.kept_twice import open_kept_twice
from kiosk.storage.second_copy import second_copy_of
from tests.kiosk.desk import StillClock
from tests.kiosk.storage.test_journal import decision

CLOCK = StillClock()
EXAMPLES = 6
"""Each makes, packs and unpacks two folders: a tenth of a second."""
NAMES = ("access.json", "persons.json", "cases/one.json", "cases/one.png", "glossary.de.toml", "my notes")


def folder(data: Path, names: list[str], files: dict[str, bytes]) -> Path:
    with closing(open_kept_twice(data / "journal.sqlite3", CLOCK)) as journal:
        for number, name in enumerate(names, start=journal.decision + 1):
            journal.append(decision(number, name), f"{name}-{number}")
    for name, content in files.items():
        (data / name).parent.mkdir(exist_ok=True)
        (data / name).write_bytes(content)
    return data


def contents(data: Path) -> tuple[list[tuple[object, ...]], dict[str, bytes]]:
    """All that is kept: the journal's rows, and every other file."""
    with closing(sqlite3.connect(data / "journal.sqlite3")) as journal:
        rows = journal.execute("SELECT * FROM journal ORDER BY sequence").fetchall()
    files = {
        one.relative_to(data).as_posix(): one.read_bytes()
        for one in data.rglob("*")
        if one.is_file() and not one.relative_to(data).as_posix().startswith(("journal.", "kiosk.lock", "before-"))
    }
    return rows, files


@settings(max_examples=EXAMPLES)
@given(
    st.lists(st.text(max_size=20).filter(str.isprintable), min_size=1, max_size=4),
    st.dictionaries(st.sampled_from(NAMES), st.binary(max_size=300)),
    st.dictionaries(st.sampled_from(NAMES), st.binary(max_size=30), max_size=2),
)
def test_restored_on_another_machine_it_is_equal(
    names: list[str], files: dict[str, bytes], others: dict[str, bytes]
) -> None:
    with TemporaryDirectory() as room:
        one = folder(Path(room) / "one", names, files)
        other = folder(Path(room) / "other", ["Snow"], others)
        before = contents(other)
        made = back_up(one, Path(room) / "backup.zip", CLOCK)
        assert verified(Path(room) / "backup.zip") == made
        done = restore(Path(room) / "backup.zip", other, CLOCK)
        assert contents(other) == contents(one)
        assert contents(other / done.before) == before, "nothing is deleted"
        with closing(open_kept_twice(other / "journal.sqlite3", CLOCK)) as journal:
            assert [one.events[0].name for one in journal.decisions()] == names  # type: ignore[attr-defined]  # all are of one kind
            assert (journal.set_aside, journal.altered) == (None, {})


def test_an_older_backup_of_the_same_season_is_not_brought_forward_by_the_second_copy(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", ["Fog"], {})
    back_up(data, tmp_path / "backup.zip", CLOCK)
    folder(data, ["Rain"], {})
    restore(tmp_path / "backup.zip", data, CLOCK)
    with closing(open_kept_twice(data / "journal.sqlite3", CLOCK)) as journal:
        assert list(journal.decisions()) == [decision(1, "Fog")]
    assert second_copy_of(data / "journal.sqlite3").read_bytes().count(b"\n") == 1


ALTERED = "UPDATE journal SET event = replace(event, 'Rain', 'Ruin') WHERE decision = 2"
UNREADABLE = "UPDATE journal SET event = 'x' || event WHERE decision = 2"


def damaged(data: Path, how: str) -> None:
    with closing(sqlite3.connect(data / "journal.sqlite3")) as journal:
        journal.execute(how)
        journal.commit()


@pytest.mark.parametrize("how", [ALTERED, UNREADABLE])
def test_a_damaged_journal_is_backed_up_as_its_second_copy_has_it(tmp_path: Path, how: str) -> None:
    data, file = folder(tmp_path / "data", ["Fog", "Rain", "Snow"], {}), tmp_path / "backup.zip"
    damaged(data, how)
    assert back_up(data, file, CLOCK).decisions == 3
    restore(file, tmp_path / "other", CLOCK)
    with closing(open_kept_twice(tmp_path / "other" / "journal.sqlite3", CLOCK)) as journal:
        told = [decision(number, name) for number, name in enumerate(["Fog", "Rain", "Snow"], start=1)]
        assert list(journal.decisions()) == told
        assert not journal.altered


def test_what_nobody_has_whole_is_backed_up_where_it_can_be_read_and_refused_where_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data, file = folder(tmp_path / "data", ["Fog", "Rain", "Snow"], {}), tmp_path / "backup.zip"
    second_copy_of(data / "journal.sqlite3").unlink()
    damaged(data, ALTERED)
    back_up(data, file, CLOCK)
    assert "Decision 2 is not as it was written" in caplog.text
    for words in (["--check"], []):
        told = CliRunner().invoke(main, ["restore", *words, str(file), "--data", str(tmp_path / "other")])
        assert told.exit_code == 0
        assert "Damaged or missing when it was made, so compare them with your notes: decision 2." in told.output
    before = file.read_bytes()
    damaged(data, UNREADABLE)
    with pytest.raises(BackupError, match="Decision 2"):
        back_up(data, file, CLOCK)
    assert file.read_bytes() == before, "the last good one stays"


def test_checking_a_backup_reads_its_journal_decision_by_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, file = folder(tmp_path / "data", ["Fog", "Rain", "Snow"], {}), tmp_path / "backup.zip"
    damaged(data, UNREADABLE)
    with monkeypatch.context() as older:
        older.setattr(backup_module, "_healed", lambda *told: told[-1])  # as backups were made once
        back_up(data, file, CLOCK)
    assert verified(file).decisions == 3
    result = CliRunner().invoke(main, ["restore", "--check", str(file), "--data", str(tmp_path / "other")])
    assert result.exit_code == 1
    assert "cannot be read to its end" in result.output


def test_a_plug_that_is_pulled_while_restoring_leaves_one_table_or_the_other_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each renaming; restoring once more finishes it."""
    back_up(folder(tmp_path / "one", ["Fog", "Rain"], {"persons.json": b"[]"}), tmp_path / "backup.zip", CLOCK)
    renamed, done = Path.rename, False
    for step in range(20):
        data = folder(tmp_path / f"other-{step}", ["Snow", "Hail", "Sun"], {"access.json": b"{}", "my notes": b"x"})
        left = step

        def pulled(path: Path, target: Path) -> Path:
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
            return renamed(path, target)

        with monkeypatch.context() as patched:
            patched.setattr(shutil, "rmtree", lambda *_, **__: None)  # a pulled plug leaves all as it is
            for name in ("rename", "replace"):
                patched.setattr(Path, name, pulled)
            try:
                restore(tmp_path / "backup.zip", data, CLOCK)
                done = True
            except KeyboardInterrupt:
                pass
        cut = cut_off(data)
        assert (cut is None) == done, step
        assert cut is None or (data / cut.before / "journal.sqlite3").exists()
        sweep(data)
        assert cut_off(data) == cut, "it is told at each start until it is mended"
        with closing(open_kept_twice(data / "journal.sqlite3", CLOCK)) as journal:
            assert [one.number for one in journal.decisions()] == ([1, 2] if done else [1, 2, 3]), step
            assert (journal.set_aside, journal.altered) == (None, {}), step
        if cut is not None and cut.before:
            assert cut.room in str(cut.remedy)
            (data / cut.room).rename(tmp_path / f"deleted-{step}")
            assert cut_off(data) is None, "who goes on without that backup is told no more"
            (tmp_path / f"deleted-{step}").rename(data / cut.room)
        restore(tmp_path / "backup.zip", data, CLOCK)
        assert contents(data) == contents(tmp_path / "one")
        assert cut_off(data) is None
        if done:
            return
    raise AssertionError("it was never restored")


def test_a_restore_that_is_cut_off_before_it_changes_anything_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(folder(tmp_path / "one", ["Fog"], {"persons.json": b"[]"}), tmp_path / "backup.zip", CLOCK)
    data = folder(tmp_path / "other", ["Snow"], {})
    before = contents(data)

    def pulled(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", lambda *_, **__: None)
        patched.setattr(backup_module, "_altered_in", pulled)
        with pytest.raises(KeyboardInterrupt):
            restore(tmp_path / "backup.zip", data, CLOCK)
    cut = cut_off(data)
    assert cut is not None
    [room] = data.glob(".restoring-*")
    assert cut == CutOff("", room.name)
    sweep(data)
    assert cut_off(data) is None
    assert contents(data) == before


def test_a_backup_comes_back_where_a_killed_kiosk_left_its_journal_open(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", ["Smoke"], {})
    back_up(one, tmp_path / "backup.zip", CLOCK)
    other = folder(tmp_path / "other", ["Snow"], {})
    with closing(sqlite3.connect(other / "journal.sqlite3")) as killed:
        killed.execute("CREATE TABLE open (a)")
        for name in ("journal.sqlite3", "journal.sqlite3-wal", "journal.sqlite3-shm"):
            (tmp_path / name).write_bytes((other / name).read_bytes())
    for name in ("journal.sqlite3", "journal.sqlite3-wal", "journal.sqlite3-shm"):
        (tmp_path / name).replace(other / name)
    restore(tmp_path / "backup.zip", other, CLOCK)
    assert contents(other) == contents(one)


def test_a_bit_that_fell_over_anywhere_is_found_before_anything_is_changed(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", ["Fog"], {"access.json": b"{}"})
    back_up(data, tmp_path / "backup.zip", CLOCK)
    whole = (tmp_path / "backup.zip").read_bytes()
    before = contents(data)
    spoilt = tmp_path / "spoilt.zip"
    found = 0
    for place in range(0, len(whole) * 8, 97):
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << place % 8
        spoilt.write_bytes(damaged)
        try:
            assert verified(spoilt).files == verified(tmp_path / "backup.zip").files, place
        except BackupError:
            found += 1
    assert found > len(whole) * 8 // 97 * 0.8, "the others lie in dates and the like, and change nothing"
    for content in (b"", whole[: len(whole) // 2], b"\xa5" * 5000):
        spoilt.write_bytes(content)
        with pytest.raises(BackupError, match="Nothing was changed"):
            restore(spoilt, data, CLOCK)
    assert contents(data) == before
    assert not list(data.glob(".restoring-*"))
    for new in (tmp_path / "new", tmp_path / "deep" / "er"):
        with pytest.raises(BackupError, match="Nothing was changed"):
            restore(spoilt, new, CLOCK)
        assert not new.exists()
    assert not (tmp_path / "deep").exists()
    (tmp_path / "new").mkdir()
    with pytest.raises(BackupError, match="Nothing was changed"):
        restore(spoilt, tmp_path / "new", CLOCK)
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize(
    "name", ["../escaped", "/etc/escaped", "a/../../escaped", "kiosk.lock", "a\\b", "checkpoint.json", "journal.lines"]
)
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    data = folder(tmp_path / "data", ["Fog"], {"notes": b"x"})
    back_up(data, tmp_path / "backup.zip", CLOCK)
    with zipfile.ZipFile(tmp_path / "backup.zip") as archive:
        manifest = json.loads(archive.read(MANIFEST))
        parts = {one["name"]: archive.read(one["name"]) for one in manifest["files"]}
    parts[name] = parts.pop("notes")
    manifest["files"] = [one | {"name": name} if one["name"] == "notes" else one for one in manifest["files"]]
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr(MANIFEST, json.dumps(manifest))
        for one, content in parts.items():
            archive.writestr(one, content)
    with pytest.raises(BackupError, match="no backup of trueroll"):
        restore(tmp_path / "evil.zip", data, CLOCK)
    assert not (tmp_path / "escaped").exists()


def test_a_kiosk_that_runs_is_backed_up_and_not_written_over(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", ["Fog"], {})
    with HeldFolder(data), closing(open_kept_twice(data / "journal.sqlite3", CLOCK)) as journal:
        journal.append(decision(2, "Rain"))
        assert back_up(data, tmp_path / "backup.zip", CLOCK).decisions == 2
        with pytest.raises(JournalBusyError):
            restore(tmp_path / "backup.zip", data, CLOCK)
    assert (tmp_path / "backup.zip").stat().st_mode & 0o777 == 0o600


def test_a_disk_that_fails_leaves_the_backup_from_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = folder(tmp_path / "data", ["Fog"], {})
    file = tmp_path / "backup.zip"
    back_up(data, file, CLOCK)
    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(backup_module, "_written", full)
        with pytest.raises(BackupError, match="the disk is full"):
            back_up(data, file, CLOCK)

    def full_too(_: Path) -> int:
        raise JournalFullError("There is no room left to record this, so it was not done.")

    with pytest.raises(BackupError, match="cannot be written: the disk is full"):
        back_up(data, file, CLOCK, full_too)
    assert file.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["backup.zip", "data"]
    with pytest.raises(BackupError, match="There is no journal"):
        back_up(tmp_path / "nowhere", file, CLOCK)


def test_a_stick_that_is_pulled_is_blamed_itself(tmp_path: Path) -> None:
    """Once the journal was, with the advice to check the kiosk's disk; and its copy passed for a file beside it."""
    data, stick = folder(tmp_path / "data", ["Fog"], {}), tmp_path / "stick"

    def pulled(_: Path) -> int:
        shutil.rmtree(stick)
        raise JournalError("The journal cannot be used (disk I/O error), so nothing was done.")

    def taken(journal: Path) -> int:
        shutil.copy(data / "journal.sqlite3", journal)
        return 1

    stick.mkdir()
    with pytest.raises(BackupError, match=r"stick/backup\.zip cannot be written"):
        back_up(data, stick / "backup.zip", CLOCK, pulled)
    stick.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(backup_module, "_healed", lambda journal, *_: journal.unlink() or 1)
        with pytest.raises(BackupError, match=r"stick/backup\.zip cannot be written"):
            back_up(data, stick / "backup.zip", CLOCK, taken)
    assert not list(stick.iterdir())


def test_whatever_lies_in_the_folder_there_is_a_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = folder(
        tmp_path / "data", ["Fog"], {"persons.json": b"[]", "unreadable": b"", "a\\b": b"", "manifest.json": b""}
    )
    os.utime(data / "persons.json", (0, 0))
    (data / "a" / "b" / "c" / "d").mkdir(parents=True)
    (data / "a" / "b" / "c" / "d" / "e").write_bytes(b"deep")
    (data / os.fsdecode(b"\xff")).touch()
    really: Callable[..., object] = Path.open

    def opened(path: Path, *how: str, **more: str) -> object:
        if path.name == "unreadable":
            raise OSError(5, "Input/output error")
        if path.name == "persons.json" and (data / "gone").exists():
            path.unlink()
        return really(path, *how, **more)

    monkeypatch.setattr(Path, "open", opened)
    made = back_up(data, tmp_path / "backup.zip", CLOCK)
    assert [one.name for one in made.files] == ["a/b/c/d/e", "persons.json", "journal.sqlite3"]
    assert sorted(made.left_out) == ["?", "a\\b", "manifest.json", "unreadable"]
    assert verified(tmp_path / "backup.zip") == made
    (data / "gone").touch()
    made = back_up(data, tmp_path / "backup.zip", CLOCK)
    assert "persons.json" not in [one.name for one in made.files], "the kiosk took it away meanwhile"


def test_a_file_that_the_kiosk_changes_meanwhile_is_in_it_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = folder(tmp_path / "data", ["Fog"], {"persons.json": b"[]"})

    def changed(_: str) -> str:
        (data / "persons.json").write_bytes(b"[1]" * 1000)
        return "1"

    monkeypatch.setattr(backup_module, "version", changed)
    made = back_up(data, tmp_path / "backup.zip", CLOCK)
    assert [one.size for one in made.files if one.name == "persons.json"] == [2]


def test_a_disk_that_fails_while_all_changes_places_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = folder(tmp_path / "data", ["Fog"], {"persons.json": b"[]", "cases/one.json": b"1"})
    back_up(data, tmp_path / "backup.zip", CLOCK)
    folder(data, ["Rain"], {"persons.json": b"[1]"})
    before = contents(data)
    lines = second_copy_of(data / "journal.sqlite3").read_bytes()
    (data / ".restoring-of-a-pulled-plug").mkdir()
    really = Path.replace

    def failing(path: Path, target: Path) -> Path:
        if path.name == "journal.sqlite3":
            raise OSError(5, "Input/output error")
        return really(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", failing)
        with pytest.raises(BackupError, match="Nothing was changed"):
            restore(tmp_path / "backup.zip", data, CLOCK)
    assert contents(data) == before
    assert second_copy_of(data / "journal.sqlite3").read_bytes() == lines
    assert sorted(one.name for one in data.iterdir() if one.is_dir()) == ["cases"]


def test_what_a_dying_disk_does_not_give_back_is_not_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder with all from before was deleted, also where the way back failed."""
    data = folder(tmp_path / "data", ["Fog"], {"persons.json": b"[]"})
    back_up(data, tmp_path / "backup.zip", CLOCK)
    (data / "persons.json").write_bytes(b"[1]")
    really, renamed = Path.replace, Path.rename

    def failing(path: Path, target: Path) -> Path:
        if path.name == "journal.sqlite3":
            raise OSError(5, "Input/output error")
        return really(path, target)

    def failing_back(path: Path, target: Path) -> Path:
        if path.parent.name.startswith("before-"):
            raise OSError(5, "Input/output error")
        return renamed(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", failing)
        patched.setattr(Path, "rename", failing_back)
        with pytest.raises(BackupError, match=r"files from before are in before-restore-\w+ now"):
            restore(tmp_path / "backup.zip", data, CLOCK)
    assert [one.read_bytes() for one in data.glob("before-restore-*/persons.json")] == [b"[1]"]
    assert len(contents(data)[0]) > 0


def test_by_command(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", ["Fog", "Rain"], {})
    file = str(tmp_path / usual_name(CLOCK))
    assert usual_name(CLOCK) == "trueroll-20231114T221320Z.zip"

    def said(*words: str) -> str:
        return CliRunner().invoke(main, [*words]).output

    assert "holds 2 decisions and 1 files, and was read back whole" in said("backup", "--data", str(data), file)
    before = Path(file).read_bytes()
    assert "is there already, and nothing was changed" in said("backup", "--data", str(data), file)
    assert Path(file).read_bytes() == before
    assert "was read back whole" in said("backup", "--force", "--data", str(data), file)
    assert "is whole: 2 decisions" in said("restore", "--check", file)
    assert "2 decisions." in said("restore", "--data", str(tmp_path / "new"), file)
    assert contents(tmp_path / "new") == contents(data)
    assert "before-restore-" in said("restore", "--data", str(data), file)
    assert "Error: " in said("restore", "--data", str(data), str(tmp_path / "none.zip"))


class FullKiosk(BaseHTTPRequestHandler):
    """A kiosk whose disk takes nothing, as far as it tells of that."""

    def do_GET(self) -> None:
        body = b'{"table": {}, "not_kept": "Nothing is being kept: the disk is full."}'
        self.send_response(200 if self.path == "/api/v1/table" else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing: what is asked of it is no news."""


def test_what_only_the_running_kiosk_holds_is_missed_aloud(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", ["Fog"], {})
    server = HTTPServer(("127.0.0.1", 0), FullKiosk)
    answering = Thread(target=server.serve_forever, args=(0.01,))
    answering.start()
    try:
        with HeldFolder(data) as held:
            held.announce(f"http://127.0.0.1:{server.server_port}/")
            for words in (["backup", str(tmp_path / "full.zip")], ["export", "--output", str(tmp_path / "full.md")]):
                result = CliRunner().invoke(main, [*words, "--data", str(data)])
                assert result.exit_code == 0
                assert "That is not in here: make a backup at the kiosk" in result.stderr
    finally:
        server.shutdown()
        server.server_close()
        answering.join()
    assert CliRunner().invoke(main, ["export", "--data", str(data)]).stderr == ""
