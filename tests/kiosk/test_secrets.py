"""Secrets are kept in one file: all else that a kiosk writes is searched for them, after each was used."""

from __future__ import annotations

import json
import logging
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from kiosk.cli import main
from kiosk.commands.run import greet
from kiosk.compose import Kiosk, build
from kiosk.config import load_config
from kiosk.storage.typed_text import visible, visible_in
from kiosk.storage.wire import command_of
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.traits import AddTrait
from tests.kiosk.test_compose import BARE

CODES = {"secret": "a-known-secret", "table_code": "CDFGHJ", "gamemaster_code": "CDKMPQRT"}
PIN = "73915824"
WRONG = "XYXYXY"


def asked(kiosk: Kiosk, path: str, body: object = None, cookie: str = "") -> str:
    """Ask for something; the cookie that came of it."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"X-Trueroll": "1", "Cookie": cookie}
    request = urllib.request.Request(kiosk.address + path, data, headers)  # noqa: S310 - our own address
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - our own address
            return str(answer.headers.get("Set-Cookie") or "").partition(";")[0]
    except urllib.error.HTTPError as error:
        with error:
            return ""


def test_all_that_is_written_holds_no_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    data = tmp_path / "data"
    data.mkdir()
    (data / "access.json").write_text(json.dumps(CODES))
    kiosk = build(load_config(None, {**BARE, "server.open_to_network": True}), data)
    kiosk.start()
    try:
        greet(kiosk, data)
        told = kiosk.services.access
        cookies = [
            asked(kiosk, "api/v1/join", {"code": CODES["table_code"], "name": "Quentina"}),
            asked(kiosk, "api/v1/join", {"gamemaster_code": CODES["gamemaster_code"]}),
        ]
        asked(kiosk, f"join?code={CODES['table_code']}")
        asked(kiosk, f"join?code={CODES['table_code']}&%ff=%7f")
        asked(kiosk, "api/v1/join", {"code": WRONG})
        asked(kiosk, "api/v1/join", {"code": CODES["table_code"], "nonsense": CODES["gamemaster_code"]})
        kiosk.services.engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Adalgisa",)), "kiosk")
        asked(kiosk, "api/v1/commands", {"command": "add_trait", "name": "Nebelbank"}, cookies[0])
        told.set_pin(PIN)
        cookies.append(asked(kiosk, "api/v1/pin/unlock", {"pin": PIN}))
        token = told.unlock("127.0.0.1", PIN)
        told.renew_code(gamemaster=False)
        renewed = told.table_code
    finally:
        kiosk.stop()
    assert all(cookies[:2]), "nobody joined: this shows nothing"
    kept = json.loads((data / "access.json").read_text())
    written = {one: one.read_bytes() for one in data.rglob("*") if one.is_file() and one.name != "access.json"}
    assert b"Nebelbank" in written[data / "journal.sqlite3"], "nothing was kept: this shows nothing"
    for style in ("markdown", "csv", "json"):
        done = CliRunner().invoke(main, ["export", "--data", str(data), "--format", style])
        assert "Nebelbank" in done.output
        written[Path(style)] = done.output.encode()
    written[Path("log")] = "\n".join(f"{one.getMessage()} {one.exc_text}" for one in caplog.records).encode()
    shown = capsys.readouterr()
    written[Path("printed")] = (shown.out + shown.err).encode()
    assert b"Phones join at" in written[Path("printed")]
    values = [one.partition("=")[2] for one in cookies if one]
    for secret in (*CODES.values(), renewed, PIN, kept["pin"], token, *values):
        assert [str(where) for where, what in written.items() if secret.encode() in what] == [], secret


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("Ada\u202egnp.exe", "Ada gnp.exe"),
        ("Ada\x1b[2J\r\nBen", "Ada [2J Ben"),
        ("\u2066Ada\u2069\x00", "Ada"),
        ("\u06a9\u062a\u0627\u0628\u200c\u0647\u0627", "\u06a9\u062a\u0627\u0628\u200c\u0647\u0627"),
        ("Ada  Lindqvist ", "Ada  Lindqvist "),
    ],
)
def test_what_cannot_be_seen_is_taken_out(typed: str, seen: str) -> None:
    assert visible(typed) == seen
    assert visible_in({"a": [typed, 1, None]}) == {"a": [seen, 1, None]}


def test_a_commands_names_are_as_they_can_be_seen() -> None:
    asked_for = command_of({"command": "add_trait", "name": "Fog\u202e\n", "idempotency": "a\nb"})
    assert asked_for.command == AddTrait(name="Fog")
    assert asked_for.idempotency == "a\nb"
