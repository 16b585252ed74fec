"""Places at the door: what strangers take is never the kiosk's, the gamemaster's or the table's."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass

import pytest
from flask import Flask, request

from kiosk.errors import AskedTooOftenError, HubFullError, TooManyTriesError
from kiosk.hub import MOST_LIVE, MOST_OF_ONE, KeptPlace
from kiosk.web import door, server
from kiosk.web.access import COOKIE, TryLimit
from kiosk.web.allowance import OF_ALL, OF_ONE, SpeechAllowance
from kiosk.web.app import create_app
from kiosk.web.door import Caller, in_the_way, network_of
from kiosk.web.network import EVERYWHERE
from kiosk.web.server import WebServer
from tests.kiosk.desk import PHONE, Desk, StillClock

GUEST = Caller(KeptPlace.GUEST)
KIOSK = "127.0.0.1"
STRANGER = "127.0.0.2"
FEW = 4


@dataclass
class Line:
    network: str
    caller: Caller = GUEST
    asked: float = 0.0
    has_asked: bool = False
    busy: bool = False


def knows(address: str | None, cookie: str | None) -> Caller:
    if address == KIOSK:
        return Caller(KeptPlace.KIOSK)
    return Caller(KeptPlace.TABLE, cookie) if cookie else Caller(KeptPlace.GUEST, address or "")


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.168.1.20", "192.168.1.20"),
        ("::ffff:192.168.1.20", "192.168.1.20"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_an_address_is_counted_by_its_network(address: str, counted: str) -> None:
    assert network_of(address) == counted


def test_of_one_address_the_line_of_least_use_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "FROM_ONE", FEW)
    phone = Line("a", Caller(KeptPlace.TABLE, "ada"), asked=1, has_asked=True)
    guest, slow, late = Line("a", asked=2, has_asked=True), Line("a", asked=3), Line("a", asked=4)
    lines = [phone, guest, late, slow]
    assert in_the_way(lines, "b") == (True, None)
    for gone in (slow, late, guest, phone):
        assert in_the_way(lines, "a") == (True, gone)
        gone.busy = True
    assert in_the_way(lines, "a") == (False, None), "all are being answered"


def test_in_a_full_house_the_greediest_address_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "CONNECTIONS", FEW)
    one, two, three = Line("a"), Line("b", asked=1), Line("b", asked=2)
    assert in_the_way([one, two, three, Line("", Caller(KeptPlace.KIOSK))], "c") == (True, None)
    assert in_the_way([one, two, three, Line("d")], "c") == (True, two)


@pytest.fixture
def held() -> threading.Event:
    return threading.Event()


@pytest.fixture
def web(held: threading.Event, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    monkeypatch.setattr(server, "LOOK_SECONDS", 0.05)
    app = Flask("held")
    app.add_url_rule("/", "at once", lambda: "here")
    app.add_url_rule("/held", "held", lambda: str(held.wait(20)))
    made = WebServer(app, KIOSK, 0, knows=knows)
    made.start()
    made.open_to(EVERYWHERE)
    yield made
    held.set()
    made.stop()


def line_of(web: WebServer, address: str) -> socket.socket:
    """A connection of somebody at that address; the kiosk is at another, so that the wider listener is met."""
    to = KIOSK if address == KIOSK else "127.0.0.3"
    return socket.create_connection((to, web.port), 10, source_address=(address, 0))


def asked(web: WebServer, address: str, path: str = "/", cookie: str = "") -> bytes:
    with closing(line_of(web, address)) as line:
        head = f"GET {path} HTTP/1.1\r\nHost: k\r\nCookie: {COOKIE}={cookie}\r\nConnection: close"
        line.sendall(f"{head}\r\n\r\n".encode())
        answer = http.client.HTTPResponse(line)
        answer.begin()
        return answer.read()


def test_lines_that_never_ask_keep_nobody_out(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "FROM_ONE", FEW)
    monkeypatch.setattr(door, "CONNECTIONS", 2 * FEW)
    with ExitStack() as lines:
        slow = [lines.enter_context(closing(line_of(web, STRANGER))) for _ in range(4 * FEW)]
        for one in slow:
            one.settimeout(5)
        assert asked(web, KIOSK) == b"here"
        assert asked(web, STRANGER) == b"here", "somebody behind the same router"
        assert slow[0].recv(1) == b"", "the oldest has gone"


def test_strangers_who_hold_all_their_threads_hold_up_nobody_else(web: WebServer, held: threading.Event) -> None:
    with ExitStack() as lines:
        for _ in range(door.THREADS[KeptPlace.GUEST] + 1):
            line = lines.enter_context(closing(line_of(web, STRANGER)))
            line.sendall(b"GET /held HTTP/1.1\r\nHost: k\r\n\r\n")
        assert asked(web, KIOSK) == b"here"
        assert asked(web, STRANGER, cookie="ada") == b"here", "who has joined"
        with closing(line_of(web, STRANGER)) as one:
            one.settimeout(0.2)
            one.sendall(b"GET / HTTP/1.1\r\nHost: k\r\n\r\n")
            with pytest.raises(TimeoutError):
                one.recv(1)
        held.set()


@pytest.mark.parametrize(
    "begin", [b"GET / HTTP/1.1\r\nX: ", b"POST / HTTP/1.1\r\nHost: k\r\nContent-Length: 50\r\n\r\n"]
)
def test_a_request_that_never_comes_whole_ends(web: WebServer, monkeypatch: pytest.MonkeyPatch, begin: bytes) -> None:
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.2)
    with closing(line_of(web, STRANGER)) as line:
        line.sendall(begin)
        until = time.monotonic() + 10
        try:
            while time.monotonic() < until:
                line.sendall(b"a")
                time.sleep(0.05)
        except OSError:
            return  # ended, as it should be
    raise AssertionError("it was let go on")


def test_the_kiosks_own_screen_does_not_queue_behind_strangers_at_the_listener() -> None:
    """Open to the network, it listens at its own address by itself: connections wait in a queue of the system's."""
    app = Flask("here")
    app.add_url_rule("/", "here", lambda: "here")
    made = WebServer(app, EVERYWHERE, 0, knows=knows)
    made._listening.listen(1)  # noqa: SLF001 - a queue that few strangers fill
    with ExitStack() as lines:
        lines.callback(made.stop)

        def stranger() -> None:
            line = socket.create_connection(("127.0.0.3", made.port), 0.3, source_address=(STRANGER, 0))
            lines.enter_context(closing(line))

        for _ in range(2):  # one more than the queue is long
            stranger()
        with pytest.raises(TimeoutError):
            stranger()
        screen = lines.enter_context(closing(socket.create_connection((KIOSK, made.port), 0.3)))
        screen.settimeout(10)
        made.start()
        screen.sendall(b"GET / HTTP/1.1\r\nHost: k\r\nConnection: close\r\n\r\n")
        assert screen.makefile("rb").read().endswith(b"here")


def test_a_surplus_live_page_is_refused_before_the_application_sees_it() -> None:
    """With when to come again. Those of the kiosk, the gamemaster and whoever has joined are had meanwhile."""
    asked_of_the_application: list[str] = []
    with Desk(settings={"server.open_to_network": True}) as desk:
        app = create_app(desk.services)
        app.before_request(lambda: asked_of_the_application.append(request.path))
        cookies = {
            "ada": desk.access.join(STRANGER, desk.access.table_code),
            "gm": desk.access.join(STRANGER, desk.access.gamemaster_code, gamemaster=True),
        }

        def who(address: str | None, cookie: str | None) -> Caller:
            return desk.services.knows("192.168.1.20" if address == STRANGER else address, cookie)

        for number in range(MOST_LIVE[KeptPlace.GUEST]):
            desk.hub.subscribe(place=KeptPlace.GUEST, who=str(number))
        made = WebServer(app, KIOSK, 0, knows=who, full=lambda one: desk.hub.full(one.place, one.who))
        made.start()
        made.open_to(EVERYWHERE)
        try:
            status, headers, body = live(made, STRANGER)
            assert (status, headers["Retry-After"]) == (503, "5")
            assert b"/problems/no-live-place" in body
            assert asked_of_the_application == []
            for address, cookie in ((KIOSK, ""), (STRANGER, cookies["ada"]), (STRANGER, cookies["gm"])):
                assert live(made, address, cookie)[0] == 200
        finally:
            desk.hub.close()
            made.stop()


def live(web: WebServer, address: str, cookie: str = "") -> tuple[int, dict[str, str], bytes]:
    """What a live page is answered at first."""
    with closing(line_of(web, address)) as line:
        head = f"GET {door.LIVE} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {COOKIE}={cookie}"
        line.sendall(f"{head}\r\n\r\n".encode())
        answer = http.client.HTTPResponse(line)
        answer.begin()
        return answer.status, dict(answer.getheaders()), answer.read1(500)


def test_live_pages_of_strangers_take_no_place_of_the_table() -> None:
    with Desk() as desk:
        for number in range(MOST_LIVE[KeptPlace.GUEST]):
            desk.hub.subscribe(place=KeptPlace.GUEST, who=str(number // MOST_OF_ONE[KeptPlace.GUEST]))
        with pytest.raises(HubFullError, match="All 16"):
            desk.hub.subscribe(place=KeptPlace.GUEST, who="another")
        for place in (KeptPlace.KIOSK, KeptPlace.GAMEMASTER, KeptPlace.TABLE):
            desk.hub.subscribe(place=place, who="ada")


def test_one_address_of_strangers_leaves_places_to_others() -> None:
    with Desk() as desk:
        for _ in range(MOST_OF_ONE[KeptPlace.GUEST]):
            desk.hub.subscribe(place=KeptPlace.GUEST, who="a")
        with pytest.raises(HubFullError, match="All 12"):
            desk.hub.subscribe(place=KeptPlace.GUEST, who="a")
        desk.hub.subscribe(place=KeptPlace.GUEST, who="b")


def test_a_place_is_that_of_whoever_asks() -> None:
    with Desk(settings={"server.open_to_network": True}) as desk:
        services, phone = desk.services, PHONE["REMOTE_ADDR"]
        assert services.knows(KIOSK, None) == Caller(KeptPlace.KIOSK)
        assert services.knows(phone, None) == Caller(KeptPlace.GUEST, phone)
        player = desk.access.join(phone, desk.access.table_code)
        assert services.knows(phone, player).place is KeptPlace.TABLE
        master = desk.access.join(phone, desk.access.gamemaster_code, gamemaster=True)
        assert services.knows(phone, master).place is KeptPlace.GAMEMASTER
    with Desk(settings={"access.trust_this_machine": False}) as desk:
        assert desk.services.knows(KIOSK, None) == Caller(KeptPlace.GUEST), "a proxy: nobody's own address"


def test_speech_of_strangers_is_limited_by_address_and_in_all() -> None:
    clock = StillClock()
    allowance = SpeechAllowance(clock.monotonic)
    guest, other = Caller(KeptPlace.GUEST, "a"), Caller(KeptPlace.GUEST, "b")
    for _ in range(int(OF_ONE[KeptPlace.GUEST].at_once)):
        allowance.take(guest)
    with pytest.raises(AskedTooOftenError) as told:
        allowance.take(guest)
    assert told.value.retry_after == 1
    for _ in range(int(OF_ALL[KeptPlace.GUEST].at_once - OF_ONE[KeptPlace.GUEST].at_once)):
        allowance.take(other)
    with pytest.raises(AskedTooOftenError):
        allowance.take(Caller(KeptPlace.GUEST, "c"))
    allowance.take(Caller(KeptPlace.TABLE, "ada"))
    for _ in range(1000):
        allowance.take(Caller(KeptPlace.KIOSK))
    clock.ticks += 1
    allowance.take(guest)


def test_a_stranger_who_asks_for_too_much_speech_is_told_when_to_come_again() -> None:
    with Desk(settings={"server.open_to_network": True}) as desk:
        client = desk.client()
        answers = [
            client.get("/api/v1/speech/pools.wav", environ_base=PHONE, headers={"Host": "192.168.1.1"})
            for _ in range(int(OF_ONE[KeptPlace.GUEST].at_once) + 1)
        ]
        assert [one.status_code for one in answers] == [200] * (len(answers) - 1) + [429]
        assert answers[-1].headers["Retry-After"] == "1"
        assert client.get("/api/v1/speech/pools.wav").status_code == 200


def test_wrong_codes_of_strangers_leave_the_pin_at_the_kiosk_alone() -> None:
    limit = TryLimit(StillClock().monotonic, one_address=2, everyone=3)
    for number in range(3):
        limit.wrong(f"192.168.1.{number}")
    with pytest.raises(TooManyTriesError):
        limit.require("192.168.1.9")
    limit.require(KIOSK)


def test_a_device_with_many_addresses_has_the_tries_of_one() -> None:
    limit = TryLimit(StillClock().monotonic, one_address=2)
    for number in range(2):
        limit.wrong(f"2001:db8::{number}")
    with pytest.raises(TooManyTriesError):
        limit.require("2001:db8::9")
    limit.require("2001:db8:0:1::9")
