"""What is said: the caption's words as real sound from the kiosk, in each length, and how much the room hears."""

from __future__ import annotations

import io
import time
import urllib.error
import urllib.request
import wave
from pathlib import Path

import pytest
from playwright.sync_api import Response, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration, set_up
from tests.e2e.loudspeaker import Loudspeaker
from tests.e2e.program import Program, until
from tests.e2e.test_pages import live, unfold
from tests.e2e.warm import WarmProgram


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
    assert kiosk.table()["voice"]["manner"]["tones"], "each weight sounds in the room until somebody chooses otherwise"
    page = unfold(live(open_page("/gm")), "Voice in the room")
    page.get_by_label("How much is said").select_option("terse")
    page.get_by_role("button", name="Mute the speaker").click()
    expect(page.locator("#mute")).to_have_attribute("aria-pressed", "true")
    until(lambda: kiosk.table()["voice"]["muted"] and kiosk.table()["voice"]["length"] == "terse")
    kiosk.post("/api/v1/voice", {"tones": False})
    kiosk.kill()
    kiosk.start()
    page.goto(f"{kiosk.address}/gm")
    expect(page.get_by_label("How much is said")).to_have_value("terse")
    expect(page.locator("#mute")).to_have_attribute("aria-pressed", "true")
    assert not kiosk.table()["voice"]["manner"]["tones"]


def test_the_room_hears_an_outcome_soon_and_only_its_words(tmp_path: Path) -> None:
    """The real program and espeak-ng, into a pipe; the limit is ten times what is wanted of a kiosk at rest."""
    speaker = Loudspeaker(tmp_path)
    program = WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off")
    waits = []
    try:
        program.start(**speaker.environment)
        character = set_up(program)
        for _ in range(3):
            program.send("declare_task", declaration=declaration(character))
            number = program.table()["table"]["request"]["number"]
            count = speaker.until_quiet()
            tapped = time.time()
            program.send("enter_dice", request=number, faces=[4, 13])
            speaker.wait_for_more(count)
            waits.append(speaker.heard[count][0] - tapped)
            program.send("finish_spending")
            speaker.until_quiet()
        count = len(speaker.heard)
        for what in ("pools", "turn", "again", "more"):
            assert program.post("/api/v1/voice/say", {"what": what}).status == 200
            speaker.wait_for_more(count)
            count = speaker.until_quiet()
        program.post("/api/v1/voice", {"muted": True})
        program.post("/api/v1/voice/say", {"what": "pools"})
        assert speaker.until_quiet() == count
    finally:
        program.__exit__(None, None, None)
        speaker.close()
    assert min(waits) < 2.0


def test_keys_and_buttons_ask_and_keys_can_be_changed_and_switched_off(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    page = live(open_page("/voice"))
    page.get_by_label("Pools", exact=True).fill("x")
    page.get_by_label("Whose turn", exact=True).fill("x")
    page.get_by_label("Whose turn", exact=True).blur()
    expect(page.get_by_text("Each needs a key of its own.").first).to_be_visible()
    page.get_by_label("Whose turn", exact=True).fill("t")
    page.get_by_label("Whose turn", exact=True).blur()
    page.goto(f"{kiosk.address}/play")
    live(page)
    page.keyboard.press("x")
    expect(page.get_by_text("Room for 6 more Momentum.").first).to_be_visible()
    page.goto(f"{kiosk.address}/voice")
    live(page)
    page.get_by_label("Single keys ask").uncheck()
    page.goto(f"{kiosk.address}/play")
    live(page)
    page.keyboard.press("t")
    page.get_by_role("button", name="Pools").click()
    expect(page.get_by_text("Room for 6 more Momentum.").first).to_be_visible()
    assert page.get_by_text("No Task is declared yet.").count() == 0


def kept(answer: Response) -> bool:
    """Whether it answers a choice; the page that is fetched after the choice before has the same address."""
    return answer.url.endswith("/voice") and answer.request.method == "POST"


PLAYED = """() => {
  window.played = [];
  HTMLMediaElement.prototype.play = function () {
    window.played.push(this.src);
    setTimeout(() => this.dispatchEvent(new Event("ended")), 50);
    return Promise.resolve();
  };
}"""


def test_a_private_ear_speaks_each_outcome_once_in_its_own_manner(kiosk: Program, open_page: OpenPage) -> None:
    character = set_up(kiosk)
    page = live(open_page("/voice"))
    for label, choice in (
        ("What speaks each outcome here", "kiosk"), ("How much is said", "terse"), ("How fast", "2.0"),
    ):  # fmt: skip
        with page.expect_response(kept):
            page.get_by_label(label).first.select_option(choice)
    with page.expect_response(kept):
        page.get_by_label("A sound of its own for triumph").first.check()
    page.goto(f"{kiosk.address}/play")
    live(page).evaluate(PLAYED)
    page.get_by_role("heading", name="Player").click()
    kiosk.send("declare_task", declaration=declaration(character))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 13])
    said = kiosk.table()["narration"]["id"]
    page.wait_for_function(f"() => window.played.some((one) => one.includes('/speech/{said}.wav'))", polling=50)
    spoken = [one for one in page.evaluate("window.played") if "/speech/" in one or "/sounds/" in one]
    assert spoken[-2].endswith("/api/v1/sounds/success.wav")
    assert f"/speech/{said}.wav?length=terse&rate=2&" in spoken[-1]
    assert "".join(page.get_by_role("status").all_text_contents()) == "", "what is heard is not also read out"
    expect(page.locator(".stage-word")).to_have_text("Ada Lindqvist succeeds")


VOICELESS = """() => {
  window.given = [];
  speechSynthesis.speak = (one) => window.given.push(one.text);
  speechSynthesis.cancel = () => { window.given = []; };
}"""
"""A device whose own voice takes words and never begins."""


def test_a_voice_that_never_begins_gives_way_to_written_words_for_good(kiosk: Program, open_page: OpenPage) -> None:
    character = set_up(kiosk)
    page = live(open_page("/voice"))
    with page.expect_response(kept):
        page.get_by_label("What speaks each outcome here").first.select_option("device")
    page.goto(f"{kiosk.address}/play")
    live(page).evaluate(VOICELESS)
    kiosk.send("declare_task", declaration=declaration(character))
    page.wait_for_function("() => window.given.length > 0", polling=50)
    page.wait_for_function(
        "() => [...document.querySelectorAll('[role=status]')].some((one) => one.textContent)", polling=50
    )
    assert page.evaluate("window.given") == [], "what was read is not said later"


TWICE = """async () => {
  const { listener, tell } = await import("/static/js/ear.js");
  let due;
  HTMLMediaElement.prototype.play = function () {
    clearTimeout(due);
    due = setTimeout(() => this.dispatchEvent(new Event("ended")), 400);
    return Promise.resolve();
  };
  listener.earcons = true;
  for (const words of ["First words.", "Second words."]) {
    tell({ id: words, kind: "change", terse: words, normal: words, full: words }, { player: "success" }, true);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}"""
"""Two narrations, the second while the first one's sound is played."""


def test_throws_that_sound_alike_are_both_told_and_a_question_once(kiosk: Program, open_page: OpenPage) -> None:
    """What comes together is said together, none of it lost; the alert and the status do not say the same."""
    character = set_up(kiosk)
    page = live(open_page("/play"))
    page.evaluate(
        """() => {
          window.heard = [];
          for (const region of document.querySelectorAll("[role=status], [role=alert]")) {
            const note = () => region.textContent && heard.push([region.getAttribute("role"), region.textContent]);
            new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
          }
        }"""
    )
    for _ in range(2):
        kiosk.send("declare_task", declaration=declaration(character))
        kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[19, 18])
        kiosk.send("finish_spending")
    heard = "heard.filter(([role]) => role === 'status').map(([, text]) => text).join(' ')"
    page.wait_for_function(f"() => {heard}.split('Failure. 0 successes').length === 3", polling=50)
    kiosk.send("declare_task", declaration=declaration(character))
    one = {"kind": "d20", "confidence": 1.0, "state": "read", "source": "manual", "face": 4}
    kiosk.send("report_reading", reading={"reading_id": "a", "source": "manual", "dice": [one]})
    page.wait_for_function(
        "() => heard.some(([role, text]) => role === 'alert' && text.includes('2 expected'))", polling=50
    )
    kiosk.send("dismiss_throw")
    page.wait_for_function(f"() => {heard}.includes('Throw set aside.')", polling=50)
    assert "2 expected" not in page.evaluate(heard)
    page.evaluate(TWICE)
    page.wait_for_function(f"() => {heard}.includes('Second words.')", polling=50)
    assert "First words." in page.evaluate(heard), "a sound that another cuts off has its words read all the same"
