"""Teaching a tagged die on the tray's page in Chromium, over the wire, until a throw of it counts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import pages_of
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, source, until
from tests.e2e.test_accessibility import BUT_COLOURS, open_everything, settled, violations
from tests.e2e.tray import Tray
from tests.e2e.warm import WarmProgram


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[Tray]:
    with Tray(tmp_path / "tray") as made:
        yield made


@pytest.fixture
def program(tmp_path: Path, tray: Tray) -> Iterator[Program]:
    with WarmProgram(tmp_path / "data", "--camera", "off", "--tray", str(tray.link)) as started:
        until(lambda: source(started, "tray").get("state") == "ready")
        yield started


@pytest.fixture
def page(browser: Browser, program: Program) -> Iterator[Page]:
    with pages_of(browser, program) as opened:
        yield opened("/tray", bypass_csp=True)


@pytest.fixture
def plain_page(browser: Browser, program: Program) -> Iterator[Page]:
    with pages_of(browser, program) as opened:
        yield opened("/tray", java_script_enabled=False)


def reads(program: Program, words: str) -> bool:
    """Whether the tray says just this of one place."""
    return [place["words"] for place in program.get("/api/v1/tray").body["places"]] == [words]


def teach_red(program: Program, page: Page, tray: Tray, tags: range) -> None:
    """Teach a d6 as a person does: lay it down, wait until it is read, tap. All steps but the last by the API."""
    page.get_by_label("Name", exact=True).fill("Red cube")
    page.get_by_label("Kind", exact=True).select_option("d6")
    page.get_by_role("button", name="Begin").click()
    *first, last = tags
    for tag in first:
        tray.tell(f"tags 0:{tag:08x}")
        until(partial(reads, program, f"tag {tag:08x}, not taught yet"))
        assert program.post("/api/v1/tray", {"action": "take"}).status == 200
    page.goto(f"{program.address}/tray")
    expect(page.locator("#instruction")).to_have_text("Step 6 of 6: lay the die on the tray with 6 up.")
    tray.tell(f"tags 0:{last:08x}")
    expect(page.locator("#places")).to_have_text(f"Place 1: tag {last:08x}, not taught yet")
    page.get_by_role("button", name="It lies so").click()
    expect(page.locator(".caption")).to_have_text("Red cube is complete and kept.")


def test_a_die_taught_on_the_page_counts_at_once(tray: Tray, program: Program, page: Page, *, whole: bool) -> None:
    """In the short form axe looks at a lesson that goes on, in the next test, and not at one that has ended."""
    teach_red(program, page, tray, range(0x100, 0x106))
    if whole:
        settled(page)
        open_everything(page)
        assert violations(page, rules=BUT_COLOURS) == {}
    expect(page.locator("#places")).to_have_text("Place 1: Red cube, 6 up")
    tray.tell("clear")
    set_up(program)
    program.send("declare_challenge", count=2)
    tray.tell("tags 0:00000104 1:00000200")
    until(lambda: bool(program.table()["questions"]))
    dice = program.table()["table"]["held"]["dice"]
    assert [(die["face"], die["state"]) for die in dice] == [(5, "read"), (None, "doubtful")]
    remedy = source(program, "tray")["remedy"]
    assert "Nobody has taught the die in place 2" in remedy


def test_dice_laid_down_for_teaching_are_no_throw(tray: Tray, program: Program, page: Page) -> None:
    program.send("declare_task", declaration=declaration(set_up(program)))
    page.get_by_label("Name", exact=True).fill("Blue")
    page.get_by_role("button", name="Begin").click()
    tray.tell("tags 0:00000001 1:00000002")
    expect(page.locator("#places li")).to_have_count(2)
    page.get_by_role("button", name="It lies so").click()
    expect(page.get_by_role("alert").filter(has_text="places 1 and 2")).to_be_visible()
    settled(page)
    open_everything(page)
    assert violations(page, rules=BUT_COLOURS) == {}
    assert program.table()["questions"] == []
    page.get_by_role("button", name="Stop teaching").click()
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    tray.tell("throw d20:4 d20:13")
    until(lambda: program.table()["table"]["task"]["outcome"] is not None)
    tray.tell("unplug")
    expect(page.locator("#condition"), "the page says by itself how the tray is").to_contain_text("Lost.")


def test_teaching_without_script(tray: Tray, program: Program, plain_page: Page) -> None:
    """The first side and the last one on the page; those between by the API."""
    page = plain_page
    page.get_by_label("Name", exact=True).fill("Plain")
    page.get_by_label("Kind").select_option("d6")
    page.get_by_role("button", name="Begin").click()
    for tag in range(1, 7):
        tray.tell(f"tags 0:{tag:08x}")
        if 1 < tag < 6:
            until(partial(reads, program, f"tag {tag:08x}, not taught yet"))
            assert program.post("/api/v1/tray", {"action": "take"}).status == 200
            continue
        if tag == 6:
            page.reload()
        expect(page.locator("#instruction")).to_contain_text(f"Step {tag} of 6")
        for _ in range(200):
            page.get_by_role("button", name="It lies so").click()
            if page.locator("#instruction").filter(has_text=f"Step {tag} of 6").count() == 0:
                break
            page.wait_for_timeout(100)
    expect(page.locator(".caption")).to_have_text("Plain is complete and kept.")
    expect(page.get_by_text("Plain (D6)")).to_be_visible()
