"""What a part of the kiosk lacks is named once to whoever listens at a device, also where the kiosk starts anew."""

from __future__ import annotations

import json

from playwright.sync_api import Route, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import live

_EAR = """() => {
  window.heard = [];
  for (const place of document.querySelectorAll("[id^=status-]")) {
    const hear = () => place.textContent && window.heard.push(place.textContent);
    new MutationObserver(hear).observe(place, { childList: true });
  }
}"""


def _part(state: str, what: str) -> bytes:
    status = {"source": "panel", "state": state, "what": what, "remedy": "", "notice": ""}
    return f"event: source\ndata: {json.dumps(status)}\n\n".encode()


def test_what_is_missing_is_named_once_for_each_loss(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    phone = live(open_page("/play"))
    phone.evaluate(_EAR)
    lost, back = _part("absent", "There is no panel."), _part("ready", "Buttons and lamp are ready.")
    starts = [
        (lost, ["There is no panel."]),
        (_part("starting", "It starts.") + lost, []),
        (back, ["Buttons and lamp are ready."]),
        (lost, ["There is no panel."]),
    ]
    without = kiosk.table() | {"sources": []}  # the real panel's words are others than those told below
    table = f"retry: 100\nevent: snapshot\ndata: {json.dumps(without)}\n\n".encode()
    stream = [b""]

    def answer(route: Route) -> None:
        route.fulfill(status=200, content_type="text/event-stream", body=stream[0])

    phone.route("**/api/v1/events*", answer)
    told: list[str] = []
    for number, (parts, expected) in enumerate(starts):
        mark = f"Start {number} is over."
        stream[0] = table + parts + _part("starting", mark).replace(b'"notice": ""', f'"notice": "{mark}"'.encode())
        phone.evaluate("() => dispatchEvent(new Event('online'))")  # the line is opened anew
        phone.wait_for_function("mark => window.heard.some((one) => one.includes(mark))", arg=mark, polling=50)
        told += expected
        heard = " ".join(phone.evaluate("window.heard"))
        assert heard.count("There is no panel.") == told.count("There is no panel.")
        assert heard.count("Buttons and lamp are ready.") == told.count("Buttons and lamp are ready.")
        assert "It starts." not in heard
    expect(phone.locator("#link")).to_be_visible()
