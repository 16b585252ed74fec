"""What is said: the caption's words as real sound from the kiosk, in each length, and how much the room hears."""

from __future__ import annotations

import io
import urllib.error
import urllib.request
import wave

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, until
from tests.e2e.test_pages import live


def sound(kiosk: Program, narration: str, length: str) -> float:
    """Seconds of sound that the kiosk makes of a narration."""
    address = f"{kiosk.address}/api/v1/speech/{narration}.wav?length={length}"
    with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310 - our own address
        assert answer.headers["Content-Type"].startswith("audio/")
        body = answer.read()
    with wave.open(io.BytesIO(body)) as opened:
        assert any(opened.readframes(opened.getnframes())), "silence"
        return float(opened.getnframes() / opened.getframerate())


def test_an_outcome_can_be_heard_in_three_lengths(kiosk: Program) -> None:
    kiosk.send("declare_task", declaration=declaration(set_up(kiosk)))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 13])
    narration = kiosk.table()["narration"]
    assert narration["terse"].startswith("Success")
    seconds = [sound(kiosk, narration["id"], length) for length in ("terse", "normal", "full")]
    assert seconds == sorted(seconds)
    assert 0.8 < seconds[0] < seconds[-1]


def test_what_was_never_said_cannot_be_heard(kiosk: Program) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{kiosk.address}/api/v1/speech/999.wav", timeout=30)  # noqa: S310 - our own address
    with refused.value as answer:
        assert answer.code == 404
        assert answer.headers["Content-Type"] == "application/problem+json"


def test_the_gamemaster_chooses_how_much_the_room_hears_and_it_is_kept(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    page = live(open_page("/gm"))
    page.get_by_label("How much is said").select_option("terse")
    page.get_by_role("button", name="Mute the speaker").click()
    expect(page.locator("#mute")).to_have_attribute("aria-pressed", "true")
    until(lambda: kiosk.table()["voice"] == {"available": True, "muted": True, "length": "terse"})
    kiosk.kill()
    kiosk.start()
    again = live(open_page("/gm"))
    expect(again.get_by_label("How much is said")).to_have_value("terse")
    expect(again.locator("#mute")).to_have_attribute("aria-pressed", "true")
