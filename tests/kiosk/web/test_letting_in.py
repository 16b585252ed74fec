"""Letting phones in: the way to join where the owner sets up, what keeps phones out, and whoever only looks."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from kiosk.config import load_config
from kiosk.web.invitation import owners_settings
from tests.kiosk.desk import GAMEMASTER_CODE, PHONE, TABLE_CODE, Desk, got, post
from tests.kiosk.web.test_api import set_up
from tests.kiosk.web.test_form_results import Forms

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
def test_a_kiosk_that_is_closed_is_opened_and_closed_by_one_tap(path: str) -> None:
    with Desk() as desk:
        client = desk.client()
        set_up(client)
        page = read(client, path)
        assert "Only the kiosk itself can open these pages now." in page
        assert TABLE_CODE not in page
        for let_in, code_shown in (("yes", True), ("no", False)):
            form = Forms(page).to("/network")
            answer = client.post("/network", data=form | {"let_in": let_in})
            assert (answer.status_code, answer.headers["Location"]) == (303, f"{path}#phones")
            assert desk.network.is_open is code_shown
            page = read(client, path)
            assert (TABLE_CODE in page) is code_shown


def test_the_settings_of_the_file_are_named_where_they_hold(tmp_path: Path) -> None:
    file = tmp_path / "kiosk.toml"
    file.write_text("[server]\nopen_to_network = false\n")
    with Desk(config=file) as desk:
        client = desk.client()
        set_up(client)
        page = read(client, "/setup")
        assert f"The settings in {file} say who reaches the kiosk." in page
        assert "/network" not in page
        answer = client.post("/network", data={**Forms(page).all[0][1], "let_in": "yes", "back": "/setup"})
        assert answer.status_code == 409
        assert not desk.network.is_open


def test_a_port_that_is_taken_is_said_where_phones_are_let_in() -> None:
    with Desk() as desk:
        client = desk.client()
        set_up(client)
        desk.door.refuses = "Port 8080 is taken by another program."
        form = Forms(read(client, "/setup")).to("/network")
        page = client.post("/network", data=form | {"let_in": "yes"}, follow_redirects=True).text
        assert "Port 8080 is taken by another program." in page
        assert got(client, "/healthz")["status"] == "degraded"
        desk.door.refuses = ""
        assert client.post("/network", data=form | {"let_in": "yes"}).status_code == 303
        assert desk.network.is_open
        assert "is taken" not in read(client, "/setup")


def test_a_machine_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kiosk.web.access.own_network_address", lambda: "127.0.0.1")
    with Desk() as desk:
        client = desk.client()
        set_up(client)
        desk.network.choose(let_in=True)
        for path in ("/setup", "/gm", "/settings"):
            page = read(client, path)
            assert "this machine is in no network" in page
            assert 'class="qr"' not in page


def test_the_gamemaster_at_a_phone_is_asked_before_the_phone_is_shut_out() -> None:
    with Desk() as desk:
        desk.network.choose(let_in=True)
        phone = desk.client()
        set_up(phone)
        post(phone, "/api/v1/join", {"gamemaster_code": GAMEMASTER_CODE}, environ_overrides=PHONE)
        page = read(phone, "/setup", phone=True)
        assert "This phone, too, is shut out then." in page
        form = Forms(page).to("/network")
        assert phone.post("/network", data=form | {"let_in": "no"}, environ_overrides=PHONE).status_code == 303
        assert not desk.network.is_open


def test_the_owner_is_told_what_the_settings_file_has_and_no_password(tmp_path: Path) -> None:
    file = tmp_path / "kiosk.toml"
    file.write_text('[camera]\nsource = "rtsp://us:secret@camera/1"\n')
    camera, tray = owners_settings(load_config(file, {"tray.url": "off"}))
    assert (camera.now, camera.lines) == ("rtsp://***@camera/1 is used.", '[camera]\nsource = "auto"')
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
        assert "js/gm" in read(client, "/gm", phone=True)


def test_what_the_kiosks_own_screen_opens_from_the_display_leads_back_to_it() -> None:
    with Desk(settings=OPENED) as desk:
        client = desk.client()
        assert "Back to the table" not in read(client, "/gm")
        assert "Back to the table" not in read(client, "/play?from=stage", phone=True)
        for path in ("/play?from=stage", "/play/log", "/colours?back=/play"):
            page = read(client, path)
            assert '<a class="button main-action" href="/display">Back to the table</a>' in page
            assert "back.js" in page, "and by itself"
        assert "Back to the table" in read(client, "/text"), "where nothing runs, too"
        assert "Back to the table" not in read(client, "/display")
        assert "Back to the table" not in read(client, "/gm")


def test_what_it_opens_looks_as_the_display_does() -> None:
    """Read from the same seat, in the same colours, turned round with it; a device's own colours go first."""
    with Desk(settings=OPENED) as desk:
        client = desk.client()
        post(client, "/api/v1/screen", {"theme": "paper", "flip": True})
        page = read(client, "/setup?from=stage")
        assert 'data-theme="paper"' in page
        assert " data-flip data-seat>" in page
        assert "/display.css?diagonal_inches=24&distance_metres=2" in page
        for other in (read(client, "/setup?from=stage", phone=True), read(desk.client(), "/setup")):
            assert 'data-theme="dark"' in other
            assert "data-flip" not in other
            assert "data-seat" not in other
            assert "display.css" not in other
        post(client, "/api/v1/listener", {"skin": "candlelight"})
        assert 'data-theme="candlelight"' in read(client, "/setup?from=stage")
