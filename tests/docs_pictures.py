"""Takes the pictures of the documentation from the running kiosk: `python -m tests.docs_pictures`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.e2e.conftest import CHROMIUM, SWITCHES
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program

FOLDER = Path(__file__).parents[1] / "docs" / "images"


def main() -> None:
    """Play a short scene and photograph the display and a phone."""
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        Program(Path(data) / "data", "--camera", "off", "--tray", "off") as kiosk,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=SWITCHES)
        character = set_up(kiosk)
        display = browser.new_page(viewport={"width": 1280, "height": 720})
        display.goto(f"{kiosk.address}/display")
        phone = browser.new_page(viewport={"width": 390, "height": 780}, device_scale_factor=2)
        phone.goto(f"{kiosk.address}/play")
        phone.wait_for_selector("#odds:not(:empty)")
        phone.screenshot(path=FOLDER / "phone.png")
        bought = [{"payer": "determination"}, {"payer": "threat"}]
        task = declaration(
            character, label="Bring everyone back aboard", purchases=bought, value="Nobody is left behind"
        )
        kiosk.send("declare_task", declaration=task)
        kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[4, 13, 20])
        display.wait_for_selector('.stage[data-kind="outcome"]')
        display.screenshot(path=FOLDER / "display.png")
        browser.close()


if __name__ == "__main__":
    main()
