"""Somebody who plays without seeing: by roles, names and keyboard alone, hearing what a screen reader would say.

Nothing here looks at ids, classes or pixels: what cannot be found so cannot be found by a blind player either.
"""

from __future__ import annotations

import time
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page

PATIENCE = 20.0
_LISTEN = """
addEventListener("DOMContentLoaded", () => {
  for (const region of document.querySelectorAll("[role=status], [role=alert]")) {
    new MutationObserver(() => { if (region.textContent) told(region.textContent); })
      .observe(region, { childList: true, characterData: true, subtree: true });
  }
});
"""
Role = Literal["button", "checkbox", "combobox", "heading", "link", "radio", "spinbutton", "textbox"]


class BlindPlayer:
    """One person at one device. `heard` is all that live regions said, page after page."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.heard: list[str] = []
        self.troubles: list[str] = []
        self._mark = 0
        self._address = address
        self._context: BrowserContext = browser.new_context(
            viewport={"width": 360, "height": 740}, service_workers="block", reduced_motion="reduce"
        )
        self._context.expose_function("told", self._told)
        self._context.add_init_script(_LISTEN)
        self.page: Page = self._context.new_page()
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self._tree = self._context.new_cdp_session(self.page)

    def _told(self, text: str) -> None:
        self.heard.append(text)

    def close(self) -> None:
        """Put the device away."""
        self._context.close()
        assert not self.troubles

    def open(self, path: str) -> None:
        """Go to a page by its address, as from a bookmark, and wait until it is live."""
        self.page.goto(self._address + path)
        self.live()

    def live(self) -> None:
        """Wait until the page says that it is live."""
        self.page.get_by_role("banner").get_by_text("Live", exact=True).wait_for(timeout=PATIENCE * 1000)

    def find(self, role: Role, name: str, *, within: str = "", exact: bool = False) -> Locator:
        """The first control of that role whose name holds `name`, where given in the region or group `within`."""
        named = [self.page.get_by_role(one, name=within, exact=True) for one in ("region", "group")]
        place = named[0].or_(named[1]).first if within else self.page
        found = place.get_by_role(role, name=name, exact=exact).first
        found.wait_for(timeout=PATIENCE * 1000)
        return found

    def press(self, role: Role, name: str, *, within: str = "", exact: bool = False) -> None:
        """Go to a control and use it with the keyboard."""
        self._mark = len(self.heard)
        found = self.find(role, name, within=within, exact=exact)
        found.focus()
        self.page.keyboard.press("Space" if role in {"radio", "checkbox"} else "Enter")

    def unfold(self, name: str) -> None:
        """Open what is folded under these words; a fold has a name, but no role that can be asked for."""
        found = self.page.get_by_text(name, exact=True).locator("xpath=ancestor-or-self::summary").first
        found.wait_for(timeout=PATIENCE * 1000)
        found.focus()
        self.page.keyboard.press("Enter")

    def type(self, role: Role, name: str, text: str) -> None:
        """Write into a field."""
        self.find(role, name).fill(text)

    def choose(self, name: str, option: str, *, begins: bool = False) -> None:
        """Choose from a list what is called, or begins, so."""
        place = self.find("combobox", name)
        named = (words.strip() for words in place.locator("option").all_inner_texts())
        place.select_option(label=next(each for each in named if each.startswith(option)) if begins else option)

    def key(self, *keys: str) -> None:
        """Press keys where one is."""
        self._mark = len(self.heard)
        for one in keys:
            self.page.keyboard.press(one)

    def hear(self, words: str) -> str:
        """Wait until `words` are said since the last thing done, and return the sentence that holds them."""
        deadline = time.monotonic() + PATIENCE
        while True:
            for one in self.heard[self._mark :]:
                if words in one:
                    return one
            assert time.monotonic() < deadline, f"{words!r} was not said; heard {self.heard[self._mark :]}"
            self.page.wait_for_timeout(50)

    def focused(self) -> tuple[str, str]:
        """Role and name of what has the focus, as the accessibility tree has it; empty where nothing has."""
        nodes: list[dict[str, Any]] = self._tree.send("Accessibility.getFullAXTree")["nodes"]
        found = [one for one in nodes if _has(one, "focused") and one["role"]["value"] != "RootWebArea"]
        return (str(found[-1]["role"]["value"]), str(found[-1]["name"]["value"])) if found else ("", "")

    def focus_comes_to(self, role: str, name: str) -> None:
        """Wait until the focus is on a control of that role whose name holds `name`."""
        deadline = time.monotonic() + PATIENCE
        while True:
            now = self.focused()
            if now[0].lower() == role.lower() and name in now[1]:
                return
            assert time.monotonic() < deadline, f"the focus is on {now}"
            self.page.wait_for_timeout(50)

    def reads(self, words: str) -> bool:
        """Whether the page holds these words where a screen reader finds them."""
        return words in self.page.get_by_role("main").aria_snapshot()


def _has(node: dict[str, Any], state: str) -> bool:
    return any(one["name"] == state and one["value"].get("value") for one in node.get("properties", []))
