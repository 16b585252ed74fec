"""Speech and sounds over the API: what is asked for, in the listener's manner; the room's speaker and what it keeps."""

from __future__ import annotations

import io
import wave

import pytest
from flask.testing import FlaskClient

from kiosk.errors import KioskError
from kiosk.panel.link import PanelKeys
from kiosk.panel.rights import Presser
from kiosk.panel.spoken_places import Gesture
from kiosk.ports import Manner
from kiosk.speech.earcons import NAMES
from kiosk.speech.voice_gate import VoiceGate
from rules.status import pools_told, turn_told
from tests.kiosk.desk import Desk, got, post, send
from tests.kiosk.web.test_pages import set_up


def heard(client: FlaskClient, name: str, query: str = "") -> str:
    answer = client.get(f"/api/v1/speech/{name}.wav{query}")
    assert (answer.status_code, answer.mimetype) == (200, "audio/wav")
    return str(answer.data.removeprefix(b"RIFF").decode())


def test_speech_comes_in_the_length_asked_for(client: FlaskClient, desk: Desk) -> None:
    set_up(client)
    narration = got(client, "/api/v1/table")["narration"]
    for length in ("terse", "normal", "full"):
        assert heard(client, narration["id"], f"?length={length}").startswith(narration[length])
    desk.voice.available = False
    assert client.get(f"/api/v1/speech/{narration['id']}.wav").status_code == 404


def test_no_browser_keeps_words_that_mean_something_else_another_evening(client: FlaskClient) -> None:
    set_up(client)
    narration = got(client, "/api/v1/table")["narration"]["id"]
    assert client.get(f"/api/v1/speech/{narration}.wav").headers["Cache-Control"] == "no-store"


def test_what_may_not_be_seen_yet_is_not_heard_on_a_phone_either(client: FlaskClient, desk: Desk) -> None:
    set_up(client)
    desk.views.gate = VoiceGate(desk.engine.present(), desk.hub.publish, wanted=lambda: True)
    before = got(client, "/api/v1/table")["narration"]["id"]
    send(client, "adjust_pool", pool="threat", change=1)
    said = desk.engine.present().said
    assert said is not None
    assert said.narration_id != before
    assert client.get(f"/api/v1/speech/{said.narration_id}.wav").status_code == 404
    assert client.get(f"/api/v1/speech/{before}.wav").status_code == 200
    desk.views.gate = None
    assert client.get(f"/api/v1/speech/{said.narration_id}.wav").status_code == 200


def test_speech_comes_in_the_listeners_manner(client: FlaskClient) -> None:
    set_up(client)
    narration = got(client, "/api/v1/table")["narration"]["id"]
    assert heard(client, narration, "?rate=2.5&volume=40&voice=deep").endswith(
        str(Manner(rate=2.5, volume=40, voice="deep"))
    )


@pytest.mark.parametrize("query", ["length=long", "rate=0.7", "rate=2.6", "rate=fast", "volume=9", "voice=robot"])
def test_a_manner_that_there_is_not_is_refused(client: FlaskClient, query: str) -> None:
    assert client.get(f"/api/v1/speech/pools.wav?{query}").status_code == 400


def test_pools_and_turn_can_be_asked_for_at_any_time_and_are_never_old(client: FlaskClient, desk: Desk) -> None:
    assert heard(client, "turn").startswith("There is no table yet.")
    set_up(client)
    table = desk.engine.present().table
    assert heard(client, "pools", "?length=full").startswith(pools_told(table).full)
    assert heard(client, "turn").startswith(turn_told(table).normal)
    assert client.get("/api/v1/speech/pools.wav").headers["Cache-Control"] == "no-store"
    view = got(client, "/api/v1/table")
    assert view["pools_told"]["terse"] == pools_told(table).terse
    assert view["turn_told"]["normal"] == turn_told(table).normal


@pytest.mark.parametrize("name", [*NAMES, "silence"])
def test_each_sound_is_a_wav(client: FlaskClient, name: str) -> None:
    with wave.open(io.BytesIO(client.get(f"/api/v1/sounds/{name}.wav").data)) as opened:
        assert opened.getnframes() > 0


def test_an_unknown_sound_is_answered_with_those_there_are(client: FlaskClient) -> None:
    answer = client.get("/api/v1/sounds/gong.wav")
    assert answer.status_code == 404
    assert "player-1" in answer.text


def test_the_room_is_muted_and_spoken_to_otherwise_and_every_page_knows(client: FlaskClient, desk: Desk) -> None:
    status, body = post(client, "/api/v1/voice", {"muted": True, "length": "terse", "rate": 1.5, "earcons": True})
    assert status == 200
    assert body["muted"]
    assert body["manner"] == {"rate": 1.5, "volume": 100, "voice": "plain", "earcons": True, "tones": False}
    assert got(client, "/api/v1/table")["voice"] == body
    post(client, "/api/v1/voice", {"volume": 60})
    assert desk.voice.manner == Manner(rate=1.5, volume=60, earcons=True)
    assert post(client, "/api/v1/voice", {"muted": "yes"})[0] == 400
    assert post(client, "/api/v1/voice", {"rate": 3})[0] == 400


def test_the_room_answers_who_asks(client: FlaskClient, desk: Desk) -> None:
    set_up(client)
    for what in ("again", "more", "pools", "turn"):
        assert post(client, "/api/v1/voice/say", {"what": what})[0] == 200
    assert (desk.voice.repeats, desk.voice.repeated_in_full) == (2, True)
    table = desk.engine.present().table
    assert desk.voice.answers == [pools_told(table), turn_told(table)]
    assert post(client, "/api/v1/voice/say", {"what": "everything"})[0] == 400


def test_asking_again_gives_the_outcome_that_stands_whatever_was_said_since(client: FlaskClient, desk: Desk) -> None:
    character = set_up(client)

    def again() -> str:
        asked: str = got(client, "/api/v1/table")["again_told"]["terse"]
        return asked

    declared = {"character_id": character, "attribute": "control", "discipline": "engineering", "difficulty": 1}
    send(client, "declare_task", declaration=declared)
    assert again() == got(client, "/api/v1/table")["narration"]["terse"]
    send(client, "enter_dice", request=got(client, "/api/v1/table")["table"]["request"]["number"], faces=[3, 9])
    outcome = got(client, "/api/v1/table")["narration"]["terse"]
    assert outcome.startswith("Success")
    assert again() == outcome
    send(client, "make_spend", spend="obtain_information")
    send(client, "undo")
    assert again().startswith(f"{outcome} Taken back: the spend on Obtain Information.")
    send(client, "finish_spending")
    done = got(client, "/api/v1/table")["narration"]
    assert again() == f"{outcome} {done['terse']}"
    assert done["full"] in heard(client, "again", "?length=full")
    post(client, "/api/v1/voice/say", {"what": "more"})
    assert desk.voice.repeated is not None
    assert desk.voice.repeated.terse == again()
    send(client, "undo")
    send(client, "undo")
    assert again() == got(client, "/api/v1/table")["narration"]["terse"]
    send(client, "withdraw_task")
    send(client, "declare_task", declaration=declared)
    assert not again().startswith("Success")


def test_a_result_names_its_sounds(client: FlaskClient) -> None:
    character = set_up(client)
    assert got(client, "/api/v1/table")["sounds"] == {"player": "", "how": ""}
    given = {"character_id": character, "attribute": "control", "discipline": "engineering", "difficulty": 1}
    send(client, "declare_task", declaration=given)
    number = got(client, "/api/v1/table")["table"]["request"]["number"]
    send(client, "enter_dice", request=number, faces=[3, 9])
    assert got(client, "/api/v1/table")["sounds"]["how"] == "success"


def test_keys_press_what_the_panel_has(client: FlaskClient, desk: Desk) -> None:
    for gesture in Gesture:
        assert post(client, "/api/v1/panel", {"gesture": gesture})[0] == 200
    assert desk.pressed == list(Gesture)
    assert post(client, "/api/v1/panel", {"gesture": "jump"})[0] == 400


def test_keys_before_there_is_a_menu_are_told_to_wait() -> None:
    keys = PanelKeys()
    with pytest.raises(KioskError, match="not ready yet"):
        keys.press(Gesture.NEXT, Presser())
