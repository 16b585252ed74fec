"""Label in Name (WCAG 2.5.3): who speaks to a phone says what is written on a button, so its name contains that."""

from __future__ import annotations

from playwright.sync_api import Page

_MISNAMED = """() => {
    const plain = (words) => words.toLowerCase().replace(/[^\\p{L}\\p{N}%]/gu, "");
    const written = (one) => {
        const made = one.cloneNode(true);
        for (const unseen of made.querySelectorAll("svg, .unseen, [aria-hidden=true], [hidden]")) unseen.remove();
        return plain(made.textContent);
    };
    return [...document.querySelectorAll(":is(button, a, summary, [role=button])[aria-label]")]
        .filter((one) => one.checkVisibility() && !plain(one.getAttribute("aria-label")).includes(written(one)))
        .map((one) => `${one.getAttribute("aria-label")}: ${one.textContent}`);
}"""


def misnamed(page: Page) -> list[str]:
    """Name and words of each control whose name lacks what is written on it."""
    found: list[str] = page.evaluate(_MISNAMED)
    return found
