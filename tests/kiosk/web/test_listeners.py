"""What one listener chooses at one device: kept there, used there, and never more than a choice."""

from __future__ import annotations

import base64

import pytest
from flask.testing import FlaskClient

from kiosk.web.listeners import ANYBODY, COOKIE, LONGEST_COOKIE, Listener, listener_of
from tests.kiosk.desk import Desk, got, post
from tests.kiosk.web.test_pages import set_up


def test_each_device_keeps_its_own(desk: Desk) -> None:
    mine, other = desk.client(), desk.client()
    status, chosen = post(mine, "/api/v1/listener", {"rate": 2.2, "length": "terse", "ear": "kiosk"})
    assert status == 200
    assert got(mine, "/api/v1/listener") == chosen
    assert (chosen["rate"], chosen["length"], chosen["ear"], chosen["volume"]) == (2.2, "terse", "kiosk", 100)
    post(mine, "/api/v1/listener", {"language": "de"})
    assert got(mine, "/api/v1/listener") == chosen | {"language": "de"}
    assert got(other, "/api/v1/listener")["rate"] == 1.0


def test_speech_follows_the_listener_unless_asked_otherwise(desk: Desk) -> None:
    client: FlaskClient = desk.client()
    set_up(client)
    post(client, "/api/v1/listener", {"rate": 2.5, "length": "full", "voice": "bright"})
    narration = got(client, "/api/v1/table")["narration"]
    heard = client.get(f"/api/v1/speech/{narration['id']}.wav").data.decode()
    assert heard.startswith("RIFF" + narration["full"])
    assert "rate=2.5" in heard
    assert "voice='bright'" in heard
    otherwise = client.get(f"/api/v1/speech/{narration['id']}.wav?rate=0.8&length=terse").data.decode()
    assert otherwise.startswith("RIFF" + narration["terse"])
    assert "rate=0.8" in otherwise


@pytest.mark.parametrize(
    "body",
    [{"rate": 0.5}, {"rate": 3}, {"volume": 500}, {"voice": "robot"}, {"ear": "loud"}, {"language": "../x"}, {"no": 1}],
)
def test_what_cannot_be_chosen_is_refused(desk: Desk, body: dict[str, object]) -> None:
    client = desk.client()
    assert post(client, "/api/v1/listener", body)[0] == 400
    assert client.get_cookie(COOKIE) is None


@pytest.mark.parametrize(
    "cookie",
    ["", "rubbish", "%%%", base64.urlsafe_b64encode(b'{"rate": 99}').decode(), "A" * (LONGEST_COOKIE + 1)],
)
def test_a_cookie_that_cannot_be_read_counts_as_not_chosen(cookie: str) -> None:
    assert listener_of({COOKIE: cookie}) == ANYBODY == Listener()
