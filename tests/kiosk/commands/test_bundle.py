"""What is given to a helper: enough to help, and nobody's secrets."""

from __future__ import annotations

import errno
import getpass
import json
import os
import socket
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from kiosk.cli import main
from kiosk.commands.bundle import redacted, write_bundle
from kiosk.compose import build
from kiosk.config import load_config
from kiosk.storage.second_copy import second_copy_of
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.traits import AddTrait
from tests.kiosk.desk import StillClock
from tests.kiosk.test_compose import BARE


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder in which Ada and a trait of hers are kept."""
    folder = tmp_path / "data"
    kiosk = build(load_config(None, BARE), folder, clock=StillClock())
    kiosk.services.engine.start()
    kiosk.services.engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Adalgisa",)), "kiosk")
    kiosk.services.engine.submit(AddTrait(name="Nebelbank"), "kiosk")
    kiosk.services.access.persons.join("", "player", "Quentina")
    kiosk.stop()
    return folder


def doctor(data: Path, *more: str) -> str:
    return CliRunner().invoke(main, ["doctor", "--data", str(data), *more]).output


def test_the_bundle_tells_what_is_there_and_nobodys_secrets(data: Path, tmp_path: Path) -> None:
    settings = tmp_path / "trueroll.toml"
    settings.write_text(
        '[camera]\nsource = "rtsp://ada:geheim@10.1.2.3/cam?token=wort1&pass=wort2"\n[tray]\nurl = "socket://u:wort3@127.0.0.1:9"\n'
    )
    file = tmp_path / "help.zip"
    told = doctor(data, "--bundle", str(file), "--config", str(settings))
    assert f"{file} holds no codes" in told
    with zipfile.ZipFile(file) as bundle:
        texts = {name: bundle.read(name).decode() for name in bundle.namelist()}
    assert json.loads(texts["journal.json"])["commands"] == {"set_up_table": 1, "add_trait": 1}
    assert "access.json" in texts["files.json"]
    whole = "\n".join(texts.values())
    codes = json.loads((data / "access.json").read_text())
    for secret in (
        "Adalgisa",
        "Nebelbank",
        "Quentina",
        "geheim",
        "wort1",
        "wort2",
        "wort3",
        "10.1.2.3",
        str(data),
        str(tmp_path),
    ):
        assert secret not in whole, secret
    for name in ("secret", "table_code", "gamemaster_code"):
        assert codes[name] not in whole, name
    assert "is there already" in doctor(data, "--bundle", str(file))


def test_what_cannot_be_looked_at_keeps_no_bundle_away(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / "nowhere").symlink_to(data / "gone")
    (data / os.fsdecode(b"\xff")).touch()
    (data / "lost+found").mkdir()
    really = Path.iterdir

    def refusing(path: Path) -> Iterator[Path]:
        if path.name == "lost+found":
            raise PermissionError(errno.EACCES, "Permission denied")
        return really(path)

    monkeypatch.setattr(Path, "iterdir", refusing)
    doctor(data, "--bundle", str(tmp_path / "help.zip"))
    with zipfile.ZipFile(tmp_path / "help.zip") as bundle:
        files = {one["name"]: one for one in json.loads(bundle.read("files.json"))}
    assert files["lost+found"]["trouble"] == "Permission denied"
    assert {"nowhere", "?", "journal.sqlite3"} <= files.keys()


def test_who_and_where_is_redacted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "adalgisa")
    monkeypatch.setattr(socket, "gethostname", lambda: "bridge")
    monkeypatch.setattr(Path, "home", lambda: Path("/srv/adalgisa"))
    text = "/x /srv/adalgisa/y adalgisa@bridge 192.168.1.7 127.0.0.1 fe80::1:2:3:4 bridges "
    text += "a://***@8.8.8.8 a://9.9.9.9 4.1.0.8"
    told = redacted(f"{tmp_path}{text}", tmp_path)
    assert told == "DATA/x HOME/y USER@MACHINE ADDRESS 127.0.0.1 ADDRESS bridges a://***@ADDRESS a://ADDRESS 4.1.0.8"


def test_a_finding_that_quotes_a_secret_is_written_without_it_and_whole(data: Path, tmp_path: Path) -> None:
    """As an error of a library does that nobody looked at."""
    said = 'no "rtsp://u:wo"rt@h/x", no http://h/?k=wort'
    write_bundle(tmp_path / "help.zip", load_config(None, BARE), data, [{"what": said}, {"part": "last"}])
    with zipfile.ZipFile(tmp_path / "help.zip") as bundle:
        findings = json.loads(bundle.read("findings.json"))
    assert findings == [{"what": 'no "rtsp://***@h/x", no http://h/?***'}, {"part": "last"}]


def test_the_doctor_ends_with_what_to_do(data: Path) -> None:
    (data / "persons.json").write_text("{")
    (data / "cases").mkdir()
    (data / "cases" / "one.json").write_text("{")
    (data / "calibration.json").write_text("{")
    told = doctor(data)
    assert "persons.json is damaged" in told
    assert "no test case, or a damaged one" in told
    assert "The kept calibration is damaged" in told
    assert (data / "persons.json").read_text() == "{", "it looks, and changes nothing"
    [last] = [one for one in told.split("What to do:\n")[1].splitlines() if "files: " in one]
    assert "Bring them back from a backup" in last
    second_copy_of(data / "journal.sqlite3").unlink()
    with sqlite3.connect(data / "journal.sqlite3") as connection:
        connection.execute("UPDATE journal SET by = 'somebody' WHERE decision = 1")
    connection.close()
    assert "1. journal: The next start, tried on a copy, ends with" in doctor(data)
    assert "What to do" not in doctor(data, "--json")


def test_a_journal_that_cannot_be_folded_is_told(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_past: object, _decision: object) -> None:
        raise KeyError("trait-1")

    monkeypatch.setattr("rules.history.evolve", failing)
    assert "decision 1 can be read and not be followed" in doctor(data)
