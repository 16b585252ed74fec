"""What the panel's menu says is on the table's screen in the same words, live, and gone once it is over.

A screen reader on that screen says them too.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from kiosk.panel.link import PanelLink
from kiosk.panel.signals import BUTTONS
from kiosk.web.server import WebServer
from tests.e2e.conftest import pages_of
from tests.e2e.program import Program, usual_port
from tests.e2e.test_pages import live
from tests.kiosk.desk import Desk
from tests.kiosk.panel.test_panel_link import Outputs
from tests.kiosk.web.test_api import set_up


def test_the_caption_is_what_the_menu_says(browser: Browser, tmp_path: Path) -> None:
    with Desk() as desk:
        set_up(desk.client())
        views, hub = desk.views, desk.hub

        def caption(words: str) -> None:
            views.show_menu(words)
            hub.publish_table()

        link = PanelLink(
            desk.engine,
            desk.voice,
            Outputs(),
            clock=desk.clock,
            fitted=BUTTONS,
            sources=desk.sources.views,
            caption=caption,
            rights=desk.services.rights,
        )
        address = Program(tmp_path)  # of nobody yet
        address.port = usual_port()
        server = WebServer(desk.app, "127.0.0.1", address.port)
        server.start()
        try:
            with pages_of(browser, address) as opened:
                link.pressed("next")
                link.turn()
                page = live(opened("/display", 1280, 720))  # what it comes with is said by nobody
                place = page.locator(".caption:visible")
                expect(place).to_have_text("What now? Declare a Task. 1 of 7.")
                link.pressed("next")
                link.turn()
                expect(place).to_have_text(link.shown)
                spoken = page.locator('[role="status"]', has_text=link.shown)
                expect(spoken).to_have_text(link.shown)
                page.keyboard.press("p")
                expect(place, "an answer is seen where the menu was").to_contain_text("Momentum")
                page.locator("#hold").click()
                expect(spoken).to_have_count(0)
                held = page.locator('[role="status"]', has_text="This screen is held.")
                expect(held, "what comes within a fifth of a second is said together").to_have_count(1)
                link.pressed("next")
                link.turn()
                expect(page.locator('[role="status"]', has_text=link.shown)).to_have_text(link.shown)
                page.locator("#hold").click()
                link.held("confirm")
                link.turn()
                expect(place).to_have_text("Menu closed.")
                desk.clock.ticks += 60.0
                link.turn()
                said = desk.engine.present().said
                assert said is not None
                expect(place).to_have_text(said.narration.normal)
                for words in ("Fog.", "Smoke.", "Smoke & <b>fog</b>.", "Fog."):
                    caption(words)
                    expect(place, "words are never markup, and change alone too").to_have_text(words)
        finally:
            desk.hub.close()
            server.stop()
