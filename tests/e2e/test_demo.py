"""The demonstration as someone tries it: no hardware, two make-believe sources, throws on demand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, source, until

MOST_THROWS = 4
SCREENS = [(1920, 1080), (1024, 600), (800, 480), (720, 1280)]
FITS = """() => {
    const stage = document.getElementById("stage");
    return stage.scrollHeight <= stage.clientHeight && stage.scrollWidth <= stage.clientWidth;
}"""


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Program]:
    with Program(tmp_path / "data", "--demo") as program:
        until(lambda: all(source(program, one).get("state") == "ready" for one in ("camera", "tray")))
        yield program


@pytest.mark.parametrize("where", ["tray", "camera"])
def test_a_throw_on_request_becomes_the_outcome_in_the_browser(demo: Program, browser: Browser, where: str) -> None:
    demo.send("declare_task", declaration=declaration(set_up(demo)))
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{demo.address}/display")
    expect(page.locator(".stage-word")).to_have_text("Throw 2 d20s")
    word = page.locator(".stage-word")
    for _ in range(MOST_THROWS):  # a rendered die may be doubtful, as a real one; it is never guessed, so throw again
        page.get_by_role("button", name=re.compile(f"throw.*{where}", re.IGNORECASE)).click()
        expect(word).to_have_text(re.compile("Success|Failure|Look at the dice"), timeout=20_000)
        if word.inner_text() != "Look at the dice":
            break
        demo.send("dismiss_throw")
    expect(word).to_have_text(re.compile("Success|Failure"))
    dice = page.locator("#stage .die")
    expect(page.locator("#stage .die-photograph[data-came]")).to_have_count(2 if where == "camera" else 0)
    expect(dice.locator(".die-face").first).to_be_visible(visible=where == "tray")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(FITS)
    page.close()
    sources = {die["die"]["source"] for die in demo.table()["table"]["task"]["dice"]}
    assert sources == {where}


def test_outside_the_demonstration_nothing_throws(tmp_path: Path) -> None:
    with Program(tmp_path / "data", "--camera", "off", "--tray", "off") as program:
        answer = program.post("/api/v1/demo/throw", {"where": "tray"})
        assert answer.status in {403, 404, 409}, answer
        assert not program.table()["demo"]
