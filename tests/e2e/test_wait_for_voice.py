"""Where the table wants it, nobody reads an outcome before the voice begins to say it, which is the real espeak-ng."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from kiosk.speech.voice_gate import LONGEST_WAIT_SECONDS
from tests.e2e.conftest import pages_of
from tests.e2e.crew import declaration, set_up
from tests.e2e.loudspeaker import Loudspeaker
from tests.e2e.program import Program, until
from tests.e2e.warm import WarmProgram

PATIENCE = 30_000
SOON = LONGEST_WAIT_SECONDS - 1
"""A try that took longer says nothing: by then the kiosk may have given the voice up."""

MOST_TRIES = 6

WATCH = """() => {
    const stage = document.getElementById("stage");
    window.shown = [];
    const look = () => { if (stage.dataset.kind === "outcome") window.shown.push(Date.now() / 1000); };
    new MutationObserver(look).observe(stage, { attributes: true, attributeFilter: ["data-kind"] });
    look();
}"""
"""Keeps when an outcome came to be seen."""


@pytest.fixture
def speaker(tmp_path: Path) -> Iterator[Loudspeaker]:
    made = Loudspeaker(tmp_path)
    yield made
    made.held.unlink(missing_ok=True)
    made.close()


@pytest.fixture
def kiosk(tmp_path: Path, speaker: Loudspeaker) -> Iterator[Program]:
    """A table that waits for the voice."""
    program = WarmProgram(tmp_path / "data", "--camera", "off", "--tray", "off")
    try:
        program.start(**speaker.environment)
        assert program.post("/api/v1/screen", {"wait_for_voice": True}).status == 200
        yield program
    finally:
        program.__exit__()


@pytest.fixture
def screens(browser: Browser, kiosk: Program) -> Iterator[tuple[Page, Page]]:
    """The table's screen and a phone."""
    character = set_up(kiosk)
    with pages_of(browser, kiosk) as opened:
        both = opened("/display", 1280, 720), opened("/play")
        for page in both:
            expect(page.locator("#link")).to_have_attribute("data-state", "live", timeout=PATIENCE)
        kiosk.send("declare_task", declaration=declaration(character))
        yield both


def throw(kiosk: Program, *faces: int) -> None:
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=list(faces))


def next_task(kiosk: Program, screens: tuple[Page, Page]) -> None:
    """The next Task is declared, and both screens ask for its dice."""
    until(lambda: kiosk.table()["table"]["task"]["outcome"] is not None)
    kiosk.send("finish_spending")
    kiosk.send("declare_task", declaration=declaration(kiosk.table()["table"]["characters"][0]["character_id"]))
    for page in screens:
        expect(page.locator("#stage")).to_have_attribute("data-kind", "ask", timeout=PATIENCE)


def test_neither_screen_shows_an_outcome_before_the_voice_begins(
    kiosk: Program, speaker: Loudspeaker, screens: tuple[Page, Page]
) -> None:
    """The voice is kept busy with the outcome before, which nothing may cut off: until then it cannot begin."""
    for _ in range(MOST_TRIES):
        speaker.until_quiet()
        speaker.held.touch()
        throw(kiosk, 4, 13)
        next_task(kiosk, screens)
        for page in screens:
            page.evaluate(WATCH)
        thrown = time.time()
        throw(kiosk, 3, 12)
        kept = kiosk.table()["table"]
        captions = [page.locator("#caption").inner_text() for page in screens]
        free = time.time()
        speaker.held.unlink()
        for page in screens:
            expect(page.locator("#stage")).to_have_attribute("data-kind", "outcome", timeout=PATIENCE)
        if free - thrown < SOON:
            assert kept["request"] is not None, "whoever asks the kiosk is told no more than the screens show"
            assert not any("Success" in one for one in captions)
            assert all(page.evaluate("() => window.shown[0]") >= free for page in screens)
            return
        next_task(kiosk, screens)
    pytest.fail("the machine was too busy to see anything")


def test_with_a_voice_that_nobody_hears_an_outcome_is_shown_at_once(
    kiosk: Program, speaker: Loudspeaker, screens: tuple[Page, Page]
) -> None:
    said = speaker.until_quiet()
    speaker.held.touch()
    assert kiosk.post("/api/v1/voice", {"muted": True}).status == 200
    throw(kiosk, 4, 13)
    assert kiosk.table()["table"]["task"]["outcome"] is not None
    for page in screens:
        expect(page.locator(".stage-word")).to_have_text("Ada Lindqvist succeeds", timeout=PATIENCE)
    speaker.held.unlink()
    assert speaker.until_quiet() == said, "nothing was said of it"
