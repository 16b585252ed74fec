"""Two phones, the table's screen and the gamemaster: who is choosing a Task stands there in one quiet line."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.test_pages import live
from tests.e2e.test_persons import joined as phone_joined

WORDS = "Okafor is choosing a Task."


def joined(phones: tuple[OpenPage, dict[str, str]], name: str, character: str) -> Page:
    """A phone whose person took the character, once it is live."""
    return live(phone_joined(phones, name, character))


NOTED = """() => {
    window.moved = 0;
    window.spoken = [];
    document.addEventListener("focusin", () => { window.moved += 1; });
    const seen = { childList: true, subtree: true, characterData: true };
    for (const one of document.querySelectorAll("[aria-live]:not([aria-live=off]), [role=status], [role=alert]"))
        new MutationObserver(() => window.spoken.push(one.id || one.className)).observe(one, seen);
}"""
"""Notes what moves the focus, and what a screen reader would be told."""


def test_the_others_see_who_is_choosing_and_nothing_moves(phones: tuple[OpenPage, dict[str, str]]) -> None:
    opened, _ = phones
    okafor, reed = joined(phones, "Sam", "Okafor"), joined(phones, "Ana", "Reed")
    screen = live(opened("/display", width=1920, height=1080))
    for page in (screen, reed):
        expect(page.locator("#choosing")).to_be_empty()
        page.evaluate(NOTED)
    reed.locator("#declare-open").focus()
    reed.evaluate("window.moved = 0")
    before = (
        [page.locator("main").bounding_box() for page in (screen, reed)],
        reed.locator("#declare-open").bounding_box(),
    )
    okafor.locator("#declare-open").click()
    for page in (screen, reed):
        expect(page.locator("#choosing")).to_have_text(WORDS)
        assert page.locator("#choosing").get_attribute("aria-live") == "off"
        assert page.evaluate("[window.moved, window.spoken]") == [0, []]
    expect(reed.locator("#declare-open")).to_be_focused()
    after = (
        [page.locator("main").bounding_box() for page in (screen, reed)],
        reed.locator("#declare-open").bounding_box(),
    )
    assert after == before, "nothing moves under a thumb"
    expect(okafor.locator("#choosing")).to_be_empty()
    assert not screen.evaluate(
        "document.querySelector('#choosing').closest('[aria-live]:not([aria-live=off]), [role=status], [role=log]')"
    )
    reed.locator("#declare-open").click()
    expect(screen.locator("#choosing")).to_have_text("Choosing Tasks: Okafor, Reed.")
    expect(okafor.locator("#choosing")).to_have_text("Reed is choosing a Task.")
    okafor.locator("#declare-now").click()
    expect(okafor.locator(".entry-pad, .entry").first).to_be_attached()
    expect(screen.locator("#choosing")).to_have_text("Reed is choosing a Task.")
    expect(reed.locator("#declare-form"), "Reed goes on meanwhile").to_be_visible()
    reed.get_by_role("link", name="Not now").click()
    expect(screen.locator("#choosing")).to_be_empty()
    reed.locator("#declare-open").click()
    expect(screen.locator("#choosing")).to_have_text("Reed is choosing a Task.")
    reed.goto("about:blank")
    expect(screen.locator("#choosing")).to_be_empty()
