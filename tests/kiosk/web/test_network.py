"""Letting phones in while the kiosk runs: what listens, what is kept, what is in the way, and who may choose."""

from __future__ import annotations

import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask, Response

from kiosk.clock import SystemClock
from kiosk.compose import Kiosk, build
from kiosk.config import load_config, settled_by
from kiosk.errors import KioskError, ServerError
from kiosk.sources import Sources
from kiosk.web.access import Access, Secrets
from kiosk.web.network import EVERYWHERE, Network
from kiosk.web.server import WebServer
from tests.kiosk.desk import GAMEMASTER_CODE, PHONE, TABLE_CODE, Desk, got, post

OTHER = "127.0.0.2"
"""An address of this machine at which a kiosk that is closed does not listen."""

BARE = {"camera.source": "off", "tray.url": "off", "panel.enabled": False, "voice.enabled": False, "server.port": 0}


def reaches(port: int, host: str = OTHER) -> bool:
    try:
        socket.create_connection((host, port), timeout=5).close()
    except OSError:
        return False
    return True


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def page_of(port: int, host: str) -> str:
    with urllib.request.urlopen(f"http://{host}:{port}/", timeout=10) as answer:
        return str(answer.read().decode())


@pytest.fixture
def server() -> Iterator[WebServer]:
    """A web server on 127.0.0.1 with two pages: one that is answered, one that goes on and on."""
    app = Flask("test")

    def going_on() -> Iterator[bytes]:
        while True:
            yield b"still\n"
            time.sleep(0.05)

    app.add_url_rule("/", "first", lambda: "here")
    app.add_url_rule("/live", "live", lambda: Response(going_on()))
    made = WebServer(app, "127.0.0.1", 0)
    made.start()
    yield made
    made.stop()


def test_it_listens_everywhere_and_leaves_again(server: WebServer) -> None:
    assert not reaches(server.port)
    for _ in range(3):
        server.open_to(EVERYWHERE)
        server.open_to(EVERYWHERE)
        assert page_of(server.port, OTHER) == page_of(server.port, "127.0.0.1") == "here"
        server.close_beside()
        server.close_beside()
        assert not reaches(server.port)
        assert page_of(server.port, "127.0.0.1") == "here", "the kiosk's own screen goes on"


def test_who_came_from_the_network_is_gone_when_it_is_closed(server: WebServer) -> None:
    server.open_to(EVERYWHERE)
    own = urllib.request.urlopen(f"http://127.0.0.1:{server.port}/live", timeout=10)
    others = urllib.request.urlopen(f"http://{OTHER}:{server.port}/live", timeout=10)
    idle = socket.create_connection((OTHER, server.port), timeout=10)
    assert others.readline() == own.readline() == b"still\n"
    server.close_beside()
    with idle:
        assert idle.recv(1) == b"", "who asks nothing is let go at once"
    with others:
        while others.readline():
            pass  # its page ends
    with own:
        assert [own.readline() for _ in range(40)] == [b"still\n"] * 40
    server.open_to(EVERYWHERE)
    assert page_of(server.port, OTHER) == "here"


def test_a_port_that_another_program_has_is_told(server: WebServer) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind((OTHER, server.port))
        other.listen()
        with pytest.raises(ServerError, match="is taken by another program"):
            server.open_to(EVERYWHERE)
        assert page_of(server.port, "127.0.0.1") == "here"
    server.open_to(EVERYWHERE)
    assert page_of(server.port, OTHER) == "here", "it is tried again"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Kiosk]]:
    running: list[Kiosk] = []

    def started(**settings: object) -> Kiosk:
        for one in running:
            one.stop()
        kiosk = build(load_config(None, BARE | settings), tmp_path / "data", clock=SystemClock())
        running.append(kiosk)
        kiosk.start()
        return kiosk

    yield started
    for one in running:
        one.stop()


def test_the_choice_outlasts_a_restart_until_it_is_closed_again(start: Callable[..., Kiosk]) -> None:
    kiosk = start()
    assert (kiosk.join_address, reaches(kiosk.port)) == (None, False)
    kiosk.services.network.choose(let_in=True)
    assert f":{kiosk.port}/join?code=" in str(kiosk.join_address)
    assert reaches(kiosk.port)
    assert kiosk.services.views.current().open_to_network
    kiosk = start()
    assert (kiosk.services.network.is_open, reaches(kiosk.port)) == (True, True)
    kiosk.services.network.choose(let_in=False)
    assert (kiosk.join_address, reaches(kiosk.port)) == (None, False)
    kiosk = start()
    assert (kiosk.services.network.is_open, reaches(kiosk.port)) == (False, False)


def test_a_kept_choice_whose_port_is_taken_starts_closed_and_says_so(start: Callable[..., Kiosk]) -> None:
    kiosk = start()
    kiosk.services.network.choose(let_in=True)
    port = kiosk.port
    kiosk.stop()
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind((OTHER, port))
        other.listen()
        kiosk = start(**{"server.port": port})
        told = kiosk.services.sources.view("network")
        assert told is not None
        assert (told.state, kiosk.services.network.is_open) == ("lost", False)
        assert "is taken by another program" in told.what
    kiosk.services.network.choose(let_in=True)
    assert kiosk.services.sources.view("network") is None, "what was mended is told no more"


def test_pages_in_the_network_are_told_before_they_lose_the_connection() -> None:
    """Else all that a phone could say is that the kiosk does not answer."""
    told: list[str] = []

    class Told:
        def open_to(self, host: str) -> None:
            told.append(f"listens at {host}")

        def close_beside(self) -> None:
            told.append("closes")

    access = Access(Secrets("secret", "TABLE", "MASTER"), SystemClock())
    network = Network(
        load_config(None, BARE),
        access,
        Sources(),
        changed=lambda: told.append(f"open: {access.open_to_network}"),
    )
    network.serve(Told())
    network.choose(let_in=True)
    network.choose(let_in=False)
    assert told == [f"listens at {EVERYWHERE}", "open: True", "open: False", "closes"]


@pytest.mark.parametrize(
    ("text", "given", "settled"),
    [
        ("", {}, False),
        ('[server]\nhost = ""\nport = 8081\n', {}, False),
        ("[server]\nopen_to_network = false\n", {}, True),
        ("[server]\nopen_to_network = true\n", {}, True),
        ('[server]\nhost = "127.0.0.1"\n', {}, True),
        ("", {"server.host": "127.0.0.1"}, True),
    ],
)
def test_the_settings_hold_where_they_say_who_reaches_it(
    tmp_path: Path, text: str, given: dict[str, object], *, settled: bool
) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text)
    config = load_config(file, given)
    said = settled_by(config)
    assert (said is not None) is settled
    if said is None:
        return
    assert ("command line" if given else str(file)) in said
    with Desk(config=file, settings=given) as desk:
        before = desk.network.is_open
        with pytest.raises(KioskError, match="who reaches"):
            desk.network.choose(let_in=not before)
        assert (desk.network.is_open, desk.door.hosts) == (before, [])


def test_it_cannot_be_chosen_before_anything_listens() -> None:
    with Desk() as desk:
        early = Network(desk.config, desk.access, desk.sources)
        with pytest.raises(KioskError, match="is starting"):
            early.choose(let_in=True)


def test_only_the_gamemaster_and_whoever_stands_at_the_kiosk_choose() -> None:
    with Desk() as desk:
        client = desk.client()
        assert post(client, "/api/v1/network", {"let_in": True}) == (
            200,
            {"open_to_network": True, "settled": "", "trouble": ""},
        )
        assert (desk.network.is_open, desk.door.hosts) == (True, [EVERYWHERE])
        assert got(client, "/api/v1/table")["open_to_network"] is True
        for code, status in (({}, 401), ({"code": TABLE_CODE}, 403)):
            phone = desk.client()
            if code:
                assert post(phone, "/api/v1/join", code, environ_overrides=PHONE)[0] == 200
            for let_in in (True, False):
                asked = post(phone, "/api/v1/network", {"let_in": let_in}, environ_overrides=PHONE)
                assert asked[0] == status
            assert phone.get("/api/v1/network", environ_overrides=PHONE).status_code == (200 if code else 401)
        assert desk.network.is_open
        gamemaster = desk.client()
        post(gamemaster, "/api/v1/join", {"gamemaster_code": GAMEMASTER_CODE}, environ_overrides=PHONE)
        assert post(gamemaster, "/api/v1/network", {"let_in": False}, environ_overrides=PHONE)[0] == 200
        assert (desk.network.is_open, desk.door.hosts) == (False, [])


def test_behind_a_pin_the_shared_screen_asks_for_it_first() -> None:
    with Desk() as desk:
        client = desk.client()
        desk.access.set_pin("1234")
        form = {"Sec-Fetch-Site": "same-origin", "X-Trueroll": "1"}
        asked = client.post("/api/v1/network", json={"let_in": True}, headers=form)
        assert (asked.status_code, asked.get_json(force=True)["type"]) == (403, "/problems/pin-needed")
        assert not desk.network.is_open


def test_a_page_of_another_site_opens_nothing() -> None:
    with Desk() as desk:
        client = desk.client()
        assert client.post("/api/v1/network", json={"let_in": True}).status_code == 403
        assert client.post("/network", data={"let_in": "yes", "token": "stolen"}).status_code == 403
        assert not desk.network.is_open


def test_closed_the_kiosk_answers_to_no_address_of_the_network() -> None:
    with Desk() as desk:
        client = desk.client()
        named = {"HTTP_HOST": "192.168.1.5:8080"}
        assert client.get("/", environ_overrides=named).status_code == 421
        desk.network.choose(let_in=True)
        assert client.get("/", environ_overrides=named).status_code == 200
        desk.network.choose(let_in=False)
        assert client.get("/", environ_overrides=named).status_code == 421
