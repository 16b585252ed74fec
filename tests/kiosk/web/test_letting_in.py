"""Letting phones in: the way to join where the owner sets up, what keeps phones out, and whoever only looks."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from kiosk.config import load_config
from kiosk.web.invitation import owners_settings
from tests.kiosk.desk import GAMEMASTER_CODE, PHONE, TABLE_CODE, Desk, post
from tests.kiosk.web.test_api import set_up

OPENED: dict[str, object] = {"server.host": "0.0.0.0", "server.open_to_network": True}  # noqa: S104 - opened


def read(client: FlaskClient, path: str, *, phone: bool = False) -> str:
    answer = client.get(path, environ_overrides=PHONE if phone else {})
    return unescape(answer.get_data(as_text=True))


@pytest.mark.parametrize("path", ["/setup", "/gm"])
def test_the_owner_finds_the_way_to_join_where_they_set_up(path: str) -> None:
    with Desk(settings=OPENED) as desk:
        client = desk.client()
        set_up(client)
        page = read(client, path)
        assert 'class="qr" role="img" aria-label="QR code that opens http://' in page
        assert TABLE_CODE in page
        stranger = read(client, path, phone=True)
        assert TABLE_CODE not in stranger, "no stranger is given the code"
        assert "Only the kiosk itself can open these pages" not in stranger, "it was opened on a phone"


@pytest.mark.parametrize("path", ["/setup", "/gm"])
def test_a_kiosk_that_is_closed_says_which_line_opens_it(path: str, tmp_path: Path) -> None:
    settings = tmp_path / "kiosk.toml"
    settings.write_text("")
    with Desk(config=settings) as desk:
        client = desk.client()
        set_up(client)
        page = read(client, path)
        assert "[server]\nopen_to_network = true" in page
        assert str(settings) in page


def test_the_owner_is_told_what_the_settings_file_has_and_no_password(tmp_path: Path) -> None:
    file = tmp_path / "kiosk.toml"
    file.write_text('[camera]\nsource = "rtsp://us:secret@camera/1"\n')
    camera, tray = owners_settings(load_config(file, {"tray.url": "off"}))
    assert (camera.now, camera.lines) == ("rtsp://us:***@camera/1 is used.", '[camera]\nsource = "auto"')
    assert (tray.now, tray.overruled, camera.overruled) == ("Switched off.", True, False)
    for one in (camera, tray):
        assert load_config(_written(tmp_path, one.lines)).path is not None, "the line can be written as it stands"


def _written(folder: Path, lines: str) -> Path:
    made = folder / "made.toml"
    made.write_text(lines)
    return made


def test_whoever_has_not_joined_is_told_so_and_offered_to_join_first() -> None:
    with Desk(settings=OPENED) as desk:
        client = desk.client()
        for path in ("/", "/play", "/conflict", "/gm"):
            page = read(client, path, phone=True)
            assert "Not joined: you can look, but not play." in page
            assert 'href="/join"' in page
        first = read(client, "/", phone=True).partition('<ul class="choices">')[2]
        assert first.index("/join") < first.index("/display")
        assert "Start here" not in first, "a stranger sets no table up"
        assert "Not joined" not in read(client, "/join", phone=True)
        assert "js/home.js" in read(client, "/gm", phone=True), "the line is followed there too"
        post(client, "/api/v1/join", {"code": TABLE_CODE}, environ_overrides=PHONE)
        assert "Not joined" not in read(client, "/play", phone=True)
        post(client, "/api/v1/join", {"gamemaster_code": GAMEMASTER_CODE}, environ_overrides=PHONE)
        assert "js/gm.js" in read(client, "/gm", phone=True)
