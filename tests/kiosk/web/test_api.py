"""The API as a program or a page meets it: what it answers, and how it says no."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings

from kiosk.errors import KioskError
from kiosk.sources import Sources
from kiosk.storage.journal import open_journal
from kiosk.web.api import ROUTES
from kiosk.web.picture_uploads import LARGEST_BODY
from kiosk.web.server import WebServer
from rules.dice import Reading, SourceKind, SourceState, SourceStatus
from tests.kiosk.desk import GAMEMASTER_CODE, HEADERS, PHONE, TABLE_CODE, Desk, StillClock, got, post, send
from tests.kiosk.storage.test_wire import JSON

OPEN: dict[str, object] = {"server.open_to_network": True}
CREW = {
    "name": "Ada <script>alert(1)</script>",
    "attributes": {"control": 11, "daring": 9, "fitness": 8, "insight": 9, "presence": 8, "reason": 10},
    "disciplines": {"command": 2, "conn": 2, "security": 3, "engineering": 4, "science": 3, "medicine": 1},
    "focuses": ["Transporters"],
}
DECLARATION = {"attribute": "control", "discipline": "engineering", "focus": True, "difficulty": 2}


class Lens:
    """A camera that has two pictures."""

    kind = SourceKind.CAMERA

    def start(self, report: object, tell: object) -> None:
        """Nothing to start."""

    def stop(self) -> None:
        """Nothing to stop."""

    def picture(self, key: str) -> bytes | None:
        return b"\xff\xd8die" if key == "die-1" else None

    def has_cut_out(self, key: str) -> bool:
        return key == "die-1"

    def cut_out(self, key: str) -> bytes | None:
        return b"RIFFdie" if key == "die-1" else None

    def whole(self, key: str) -> bytes | None:
        return b"\xff\xd8throw" if key == "die-1" else None

    def latest(self) -> bytes | None:
        return b"\xff\xd8tray"


class Thrower:
    """A demonstration that keeps what it was asked to throw."""

    def __init__(self) -> None:
        self.thrown: list[tuple[SourceKind, tuple[str, ...]]] = []

    def throw(self, where: SourceKind, dice: tuple[str, ...]) -> None:
        if where is SourceKind.CAMERA:
            raise KioskError("The make-believe camera is not there.")
        self.thrown.append((where, dice))


def set_up(client: FlaskClient) -> str:
    """A table with one character; its id."""
    send(client, "set_up_table", ruleset="core-1e", players=["Ada", "<script>alert(1)</script>"])
    send(client, "save_character", **CREW)
    character_id: str = got(client, "/api/v1/table")["table"]["characters"][0]["character_id"]
    return character_id


def test_a_roll_from_declaration_to_outcome(client: FlaskClient) -> None:
    character = set_up(client)
    answer = send(client, "declare_task", declaration={"character_id": character, **DECLARATION})
    assert answer["events"][0]["event"] == "task_declared"
    view = got(client, "/api/v1/table")
    assert view["table"]["request"]["count"] == 2
    answer = send(client, "enter_dice", request=view["table"]["request"]["number"], faces=[1, 15])
    assert answer["narration"]["kind"] == "outcome"
    view = got(client, "/api/v1/table")
    assert view["table"]["task"]["outcome"]["success"] is True
    assert view["sequence"] == answer["sequence"]
    assert view["narration"] == answer["narration"]
    assert view["stage"]["says_all"] is True
    assert view["undo"]
    for option in view["options"]:
        assert option["command"]["command"]
    ready = next(one["command"] for one in view["options"] if one["command"]["command"] == "finish_spending")
    assert post(client, "/api/v1/commands", ready)[0] == 200, "an option's command is ready to send as it is"
    send(client, "undo")
    assert got(client, "/api/v1/table")["redo"]


def test_a_name_that_looks_like_a_page_stays_a_name(client: FlaskClient) -> None:
    set_up(client)
    for path in ("/", "/setup", "/display", "/play", "/gm", "/text"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert b"<script>alert" not in answer.data, path
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
    table = got(client, "/api/v1/table")["table"]
    assert table["players"][1]["name"] == "<script>alert(1)</script>"


def test_a_refusal_is_a_problem_with_its_rule_and_changes_nothing(client: FlaskClient) -> None:
    set_up(client)
    before = client.get("/api/v1/table").data
    answer = client.post("/api/v1/commands", json={"command": "finish_spending"}, headers=HEADERS)
    assert answer.status_code == 409
    assert answer.mimetype == "application/problem+json"
    problem: dict[str, Any] = answer.get_json(force=True)
    assert problem["type"] == "/problems/refused"
    assert problem["status"] == 409
    assert problem["rule"]
    assert problem["detail"].endswith(".")
    assert client.get("/api/v1/table").data == before


def test_the_same_tap_counts_once(client: FlaskClient) -> None:
    set_up(client)
    first = send(client, "adjust_pool", pool="threat", change=1, idempotency="tap")
    assert send(client, "adjust_pool", pool="threat", change=1, idempotency="tap") == first
    assert got(client, "/api/v1/table")["table"]["threat"] == 5
    status, problem = post(client, "/api/v1/commands", {"command": "undo", "idempotency": "tap"})
    assert (status, problem["type"]) == (422, "/problems/key-used")


@pytest.mark.parametrize(
    ("body", "kind", "place"),
    [
        (b"", "wrong-shape", "$"),
        (b"[1, 2", "wrong-shape", "$"),
        (b"[]", "wrong-shape", "$"),
        (b'{"command": 1}', "wrong-shape", "$.command"),
        (b'{"command": "roll_dice"}', "unknown-command", "$.command"),
        (b'{"command": "undo", "dice": []}', "wrong-shape", "$.dice"),
        (b'{"command": "enter_dice", "request": 1, "faces": [""]}', "wrong-shape", "$.faces[0]"),
    ],
)
def test_json_of_the_wrong_shape_is_told_where(client: FlaskClient, body: bytes, kind: str, place: str) -> None:
    answer = client.post("/api/v1/commands", data=body, headers=HEADERS)
    problem: dict[str, Any] = answer.get_json(force=True)
    assert (answer.status_code, problem["type"], problem["place"]) == (400, f"/problems/{kind}", place)


def test_an_unknown_command_names_near_ones(client: FlaskClient) -> None:
    _, problem = post(client, "/api/v1/commands", {"command": "declaretask"})
    assert problem["near"][0] == "declare_task"


@given(body=JSON)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_json_makes_the_kiosk_fail(client: FlaskClient, body: object) -> None:
    for route in ROUTES:
        if route.method == "POST":
            assert client.post(route.path, json=body, headers=HEADERS).status_code < 500


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api/v1/commands", 405),
        ("DELETE", "/api/v1/table", 405),
        ("GET", "/api/v1/pictures/none.jpg", 404),
        ("GET", "/api/v1/pictures/..%2f..%2fetc%2fpasswd.jpg", 404),
        ("GET", "/api/v1/camera.jpg", 404),
        ("GET", "/api/v1/speech/none.wav", 404),
    ],
)
def test_what_is_not_there_says_so_as_a_problem(client: FlaskClient, method: str, path: str, status: int) -> None:
    answer = client.open(path, method=method)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert answer.get_json(force=True)["detail"]


def test_405_says_what_is_allowed_and_a_browser_gets_a_page(client: FlaskClient) -> None:
    assert "GET" in client.delete("/api/v1/table").headers["Allow"]
    page = client.get("/nothing", headers={"Accept": "text/html"})
    assert (page.status_code, page.mimetype) == (404, "text/html")


def test_too_large_a_request_is_refused(client: FlaskClient) -> None:
    answer = client.post("/api/v1/commands", data=b" " * (LARGEST_BODY + 1), headers=HEADERS)
    assert (answer.status_code, answer.mimetype) == (413, "application/problem+json")


def test_a_fault_of_ours_is_a_problem_without_its_insides(
    desk: Desk, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = desk.client()
    monkeypatch.setattr(desk.voice, "repeat", lambda *_, **__: 1 // 0)
    answer = client.post("/api/v1/voice/say", json={"what": "again"}, headers=HEADERS)
    assert answer.status_code == 500
    assert "ZeroDivision" not in answer.text
    assert "ZeroDivision" in caplog.text


@pytest.mark.parametrize("headers", [{}, {"X-Trueroll": "0"}, {**HEADERS, "Origin": "http://evil.example"}])
def test_other_sites_cannot_change_anything(client: FlaskClient, headers: dict[str, str]) -> None:
    for route in ROUTES:
        if route.method == "POST":
            answer = client.post(route.path, json={"command": "undo"}, headers=headers)
            assert answer.status_code == 403, route.path


def test_a_name_that_is_not_ours_is_not_answered(client: FlaskClient) -> None:
    for path in ("/", "/api/v1/table", "/static/base.css"):
        assert client.get(path, headers={"Host": "evil.example"}).status_code == 421


def test_on_the_network_codes_open_what_is_closed() -> None:
    with Desk(settings=OPEN) as desk:
        client = desk.client()
        trait = {"command": "add_trait", "name": "Fog"}
        threat = {"command": "adjust_pool", "pool": "threat", "change": 1}
        assert client.get("/api/v1/table", environ_overrides=PHONE).status_code == 200
        assert client.get("/display", environ_overrides=PHONE).status_code == 200
        assert client.get("/api/v1/camera.jpg", environ_overrides=PHONE).status_code == 401, "the room is private"
        status, problem = post(client, "/api/v1/commands", trait, environ_overrides=PHONE)
        assert (status, problem["type"]) == (401, "/problems/not-joined")
        assert post(client, "/api/v1/join", {"code": "wrong!"}, environ_overrides=PHONE)[0] == 403
        answer = client.post("/api/v1/join", json={"code": TABLE_CODE}, headers=HEADERS, environ_overrides=PHONE)
        assert answer.json == {"role": "player"}
        cookie = answer.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert post(client, "/api/v1/commands", trait, environ_overrides=PHONE)[0] != 401
        assert post(client, "/api/v1/commands", threat, environ_overrides=PHONE)[0] == 403
        assert post(client, "/api/v1/join", {"gamemaster_code": GAMEMASTER_CODE}, environ_overrides=PHONE)[0] == 200
        send(client, "set_up_table", ruleset="starter", players=["Ada"])
        assert post(client, "/api/v1/commands", threat, environ_overrides=PHONE)[0] == 200
        assert next(iter(desk.journal.entries())).by == "kiosk"
        assert desk.journal.entries()[-1].by == "gamemaster"


def test_guessing_codes_is_slowed_down() -> None:
    with Desk(settings=OPEN) as desk:
        client = desk.client()
        for _ in range(6):
            post(client, "/api/v1/join", {"code": "guess"}, environ_overrides=PHONE)
        answer = client.post("/api/v1/join", json={"code": TABLE_CODE}, headers=HEADERS, environ_overrides=PHONE)
        assert answer.status_code == 429
        assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert post(client, "/api/v1/join", {}, environ_overrides=PHONE)[0] == 400


def test_dice_over_the_api_are_entered_by_hand(client: FlaskClient, desk: Desk) -> None:
    set_up(client)
    die = {"kind": "d20", "face": 20, "confidence": 1.0, "state": "read", "source": "manual"}
    reading = {"reading_id": "phone-1", "source": "manual", "dice": [die]}
    for forged in ({**reading, "source": "camera"}, {**reading, "dice": [{**die, "source": "tray"}]}):
        status, problem = post(client, "/api/v1/commands", {"command": "report_reading", "reading": forged})
        assert status == 403
        assert "manual" in problem["detail"]
    send(client, "report_reading", reading=reading)
    assert len(desk.engine.present().table.free_rolls) == 1


def test_odds_are_told_before_a_task_is_declared(client: FlaskClient) -> None:
    character = set_up(client)
    status, odds = post(client, "/api/v1/odds", {"character_id": character, **DECLARATION})
    assert status == 200
    assert 0 < odds["chance"] < odds["more_dice"][0]["chance"] < 1
    assert [more["dice"] for more in odds["more_dice"]] == [3, 4, 5]
    assert got(client, "/api/v1/table")["table"]["task"] is None
    assert post(client, "/api/v1/odds", {"character_id": "nobody", **DECLARATION})[0] == 409
    assert post(client, "/api/v1/odds", {"character_id": character, "luck": 1})[0] == 400


def test_the_price_of_bonus_dice_is_told_before_anything_is_paid(client: FlaskClient) -> None:
    character = set_up(client)

    def bill(who: str, *bought: Mapping[str, object]) -> tuple[list[str], str]:
        asked = {"character_id": who, **DECLARATION, "purchases": bought}
        status, odds = post(client, "/api/v1/odds", asked)
        assert status == 200, odds
        return odds["bill"]["dice"], odds["bill"]["total"]

    momentum, threat = {"payer": "momentum"}, {"payer": "threat"}
    assert bill(character) == ([], "nothing")
    assert bill(character, {"payer": "determination"}, momentum, threat) == (
        ["1 Determination", "1 Momentum", "2 Threat added"],
        "1 Momentum, 2 Threat added, 1 Determination",
    )
    assert bill(character, {"payer": "talent"}, {"payer": "momentum", "threat_part": 1}) == (
        ["nothing", "1 Threat added"],
        "1 Threat added",
    )
    send(client, "save_character", **CREW, standing="notable_npc")
    other = got(client, "/api/v1/table")["table"]["characters"][-1]["character_id"]
    assert bill(other, threat, threat) == (["1 Threat", "2 Threat"], "3 Threat")
    table = got(client, "/api/v1/table")["table"]
    assert (table["momentum"], table["threat"]) == (0, 4)


def test_pictures_come_from_the_camera() -> None:
    with Desk(sources=Sources((Lens(),))) as desk:
        client = desk.client()
        assert client.get("/api/v1/pictures/die-1.jpg").data == b"\xff\xd8die"
        cut_out = client.get("/api/v1/pictures/die-1.webp")
        assert (cut_out.data, cut_out.mimetype) == (b"RIFFdie", "image/webp")
        assert client.get("/api/v1/pictures/none.webp").status_code == 404
        assert client.get("/api/v1/pictures/die-1/whole.jpg").data == b"\xff\xd8throw"
        gone = client.get("/api/v1/pictures/none/whole.jpg")
        assert (gone.status_code, "no longer kept" in gone.text) == (404, True)
        desk.network.choose(let_in=True)
        stranger = client.get("/api/v1/pictures/die-1/whole.jpg", environ_overrides=PHONE)
        assert stranger.status_code == 401, "the room is private"
        assert client.get("/api/v1/camera.jpg").data == b"\xff\xd8tray"


def test_only_a_demonstration_throws_and_it_throws_what_is_awaited(client: FlaskClient) -> None:
    status, problem = post(client, "/api/v1/demo/throw", {"where": "tray"})
    assert status == 409
    assert "real ones" in problem["detail"]
    thrower = Thrower()
    with Desk(demo=thrower) as desk:
        demo = desk.client()
        assert got(demo, "/api/v1/table")["demo"] is True
        assert post(demo, "/api/v1/demo/throw", {"where": "tray"})[1] == {"where": "tray", "kind": "d20", "count": 2}
        set_up(demo)
        send(demo, "declare_challenge", count=3)
        post(demo, "/api/v1/demo/throw", {"where": "tray"})
        assert thrower.thrown == [(SourceKind.TRAY, ("d20",) * 2), (SourceKind.TRAY, ("challenge",) * 3)]
        assert post(demo, "/api/v1/demo/throw", {"where": "camera"})[0] == 409
        assert post(demo, "/api/v1/demo/throw", {"where": "moon"})[0] == 400


def test_health_names_each_part(client: FlaskClient, desk: Desk) -> None:
    assert got(client, "/healthz")["status"] == "ok"
    desk.sources.tell(SourceStatus(SourceKind.TRAY, SourceState.LOST, "The tray is gone.", "Plug it in again."))
    health = got(client, "/healthz")
    assert health["status"] == "degraded"
    assert health["parts"] == [
        {
            "source": "tray",
            "state": "lost",
            "what": "The tray is gone.",
            "remedy": "Plug it in again.",
            "notice": "",
            "faulty": False,
        }
    ]
    desk.engine.stop()
    assert client.get("/healthz").status_code == 503
    assert post(client, "/api/v1/commands", {"command": "undo"})[1]["type"] == "/problems/closing"


def test_a_full_disk_refuses_with_words_and_the_table_stays(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "journal.sqlite3", StillClock(), most_pages=24)
    with Desk(journal=journal) as desk:
        client = desk.client()
        send(client, "set_up_table", ruleset="core-1e", players=["Ada"])
        scene = {"command": "start_scene", "name": "x" * 200}
        shown: object = None
        status, problem = post(client, "/api/v1/commands", scene)
        while status == 200:
            shown = got(client, "/api/v1/table")["table"]
            status, problem = post(client, "/api/v1/commands", scene)
        assert (status, problem["type"]) == (507, "/problems/no-room")
        assert "Free some space" in problem["detail"]
        now = got(client, "/api/v1/table")
        assert now["table"] == shown
        assert now["not_kept"].startswith("Nothing is being kept: There is no room")
        assert got(client, "/healthz")["status"] == "degraded"


def test_live_pages_and_the_one_too_many(desk: Desk) -> None:
    with Desk(most_subscribers=1) as small:
        client = small.client()
        first = client.get("/api/v1/events")
        assert (first.status_code, first.mimetype) == (200, "text/event-stream")
        second = client.get("/api/v1/events")
        assert (second.status_code, second.mimetype) == (503, "application/problem+json")
        assert second.headers["Retry-After"] == "5"
        first.close()
        assert small.hub.subscribers == 0
    head = desk.client().head("/api/v1/events")
    assert head.status_code == 200
    assert desk.hub.subscribers == 0


def test_through_the_real_server_events_flow_and_it_ends_in_time(desk: Desk) -> None:
    import http.client  # noqa: PLC0415 - only here

    server = WebServer(desk.app, "127.0.0.1", 0)
    server.start()
    stream = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    stream.request("GET", "/api/v1/events", headers={"Last-Event-ID": "0"})
    answer = stream.getresponse()
    assert answer.getheader("Content-Type", "").startswith("text/event-stream")
    assert answer.readline() == b"retry: 1000\n"
    sender = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    command = json.dumps({"command": "set_up_table", "ruleset": "core-1e", "players": ["Ada"]})
    sender.request("POST", "/api/v1/commands", command, HEADERS)
    assert json.loads(sender.getresponse().read())["sequence"] >= 1
    sender.close()
    deadline = time.monotonic() + 20
    while (line := answer.readline()) != b"event: journal\n":
        assert time.monotonic() < deadline, line
    stream.close()
    begun = time.monotonic()
    desk.hub.close()
    server.stop()
    server.stop()
    assert time.monotonic() - begun < 10
    assert "web" not in {thread.name for thread in threading.enumerate()}


def test_a_reading_reaches_the_view(client: FlaskClient, desk: Desk) -> None:
    set_up(client)
    desk.engine.report(Reading("tray/9", SourceKind.TRAY, ()))
    assert desk.engine.progresses()
    assert client.get("/api/v1/table").status_code == 200
