"""Takes the pictures of the documentation from the running kiosk: `python -m tests.docs_pictures`, or `make docs`.

Every state of the table's screen is shown in docs/screens.md, in one size and one theme; further ones are put into
build/pictures. `tests/e2e/test_pictures.py` takes them anew and compares, in `make soak`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from kiosk.web.access import qr_svg
from kiosk.web.startup import StartupServer
from rules.dice import DieKind
from tests.e2e.camera_folder import Camera
from tests.e2e.conftest import SWITCHES, chromium
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program
from tests.e2e.scenes import EVENINGS, Evening
from tests.e2e.warm import WarmProgram
from vision.training.scenes import scene

DOCS: Final = Path(__file__).parents[1] / "docs"
FOLDER: Final = DOCS / "pictures"
LOOKS_FOLDER: Final = DOCS.parent / "build" / "pictures"
"""Where the further layouts are put, to be looked at."""
WIDE: Final = (1280, 720)
WEBP_LOSSLESS: Final = 101
NO_SOURCES: Final = ("--camera", "off", "--tray", "off")
_INSTALLED: Final = """folder => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(folder, "/var/lib/trueroll");
}"""
"""Shows the table as kept where an installed kiosk keeps it, not in the folder of the moment."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the screen: its file's name without the ending, what is seen in it, and how it was painted (PNG)."""

    name: str
    seen: str
    png: bytes


@dataclass(frozen=True, slots=True)
class _Look:
    """A further layout in which some scenes are shown. Its pictures are made in build/ and kept nowhere."""

    name: str
    seen: str
    size: tuple[int, int]
    screen: dict[str, Any]
    scenes: frozenset[str]


_USUAL: Final = {
    "theme": "dark", "flip": False, "diagonal_inches": 24.0, "distance_metres": 2.0,
}  # fmt: skip
_NEAR: Final = {"diagonal_inches": 7.0, "distance_metres": 1.0}
_SHOWN: Final = frozenset({"ask", "complication", "conflict"})
_LOOKS: Final = (
    _Look("panel", "On a 7-inch panel, read from 1 m.", (800, 480), _NEAR, _SHOWN),
    _Look("upright", "On a screen that stands upright.", (720, 1280), {}, _SHOWN),
    _Look("light", "In the light theme.", WIDE, {"theme": "light"}, frozenset({"complication", "failure"})),
    _Look("contrast", "In black and yellow.", WIDE, {"theme": "black-yellow"}, frozenset({"complication", "failure"})),
    _Look("turned", "Turned round, for who sits opposite.", WIDE, {"flip": True}, frozenset({"complication"})),
)  # fmt: skip


def evening(browser: Browser, number: int, looks: Sequence[_Look] = ()) -> Iterator[Picture]:
    """Every scene of one of the evenings, each followed by those of the further layouts that show it."""
    with tempfile.TemporaryDirectory() as data, WarmProgram(Path(data) / "data", *NO_SOURCES) as kiosk:
        played = Evening(kiosk, photographed=lambda: _kept_picture(kiosk))
        page = _opened(browser, kiosk, WIDE)
        page.evaluate(_INSTALLED, str(kiosk.data))
        for one in EVENINGS[number]:
            one.play(played)
            yield Picture(one.name, one.seen, _taken(page, one.kind, one.word))
            for look in looks:
                if one.name in look.scenes:
                    kiosk.post("/api/v1/screen", _USUAL | look.screen)
                    other = _opened(browser, kiosk, look.size)
                    yield Picture(f"{one.name}-{look.name}", look.seen, _taken(other, one.kind, one.word))
                    other.context.close()
                    kiosk.post("/api/v1/screen", _USUAL)
        page.context.close()


def troubles(browser: Browser) -> Iterator[Picture]:
    """What a screen shows before the kiosk is there, without it, and without one of its parts."""
    with StartupServer("127.0.0.1", 0) as server:
        page = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]}, java_script_enabled=False)
        page.goto(f"http://127.0.0.1:{server.port}/display")
        yield Picture("starting", "The kiosk starts.", page.screenshot())
        server.trouble = "The folder is used by another kiosk. End that one first."
        page.reload()
        yield Picture("not-started", "The kiosk could not start, and says why.", page.screenshot())
        page.context.close()
    missed = ("--camera", "/dev/video-over-the-table", "--tray", "off")
    with tempfile.TemporaryDirectory() as data, WarmProgram(Path(data) / "data", *missed) as kiosk:
        set_up(kiosk)
        page = _opened(browser, kiosk, WIDE)
        expect(page.locator("#troubles")).to_contain_text("Camera: lost", timeout=30_000)
        yield Picture(
            "camera-lost",
            "The camera that the settings name is not there: what helps is said, dice are entered by hand.",
            _taken(page, "idle", "Ready"),
        )
        page.context.close()
    lost = ("--camera", "off", "--tray", "socket://127.0.0.1:9")
    with tempfile.TemporaryDirectory() as data, WarmProgram(Path(data) / "data", *lost) as kiosk:
        character = set_up(kiosk)
        page = _opened(browser, kiosk, WIDE)
        expect(page.locator("#troubles > span")).to_have_count(1, timeout=30_000)
        yield Picture(
            "lost", "The tray is lost: what helps is said, dice are entered by hand.", _taken(page, "idle", "Ready")
        )
        full = _opened(browser, kiosk, WIDE, {"**/api/v1/events*": lambda route: route.fulfill(status=503, body="{}")})
        expect(full.locator(".away:visible")).to_be_visible(timeout=30_000)
        yield Picture("full", "More screens than the kiosk serves live: this one asks.", _taken(full, "idle", "Ready"))
        full.context.close()
        page.locator("#hold").click()
        kiosk.send("declare_task", declaration=declaration(character))
        expect(page.locator(".away:visible")).to_be_visible(timeout=30_000)
        yield Picture("held", "A held screen says that something newer waits.", _taken(page, "idle", "Ready"))
        page.locator("#hold").click()
        page.mouse.move(0, 0)
        expect(page.locator("#hold")).to_have_attribute("aria-pressed", "false", timeout=30_000)
        kiosk.kill()
        expect(page.locator(".away:visible")).to_contain_text("does not answer", timeout=60_000)
        page.evaluate("() => { document.getElementById('link').textContent = 'Stale: no word for 9 s, trying again'; }")
        yield Picture("stale", "The kiosk does not answer any more.", page.screenshot())
        page.context.close()


_SOMEWHERE: Final = """drawing => {
    document.querySelector("#join > .qr").innerHTML = drawing;
    const [place, code] = document.querySelectorAll("#join strong");
    [place.textContent, code.textContent] = ["192.168.178.20:8080/join", "K79GXR"];
}"""
"""Shows the way to a table of no machine in particular: a kiosk's own is never the same."""


def by_camera(browser: Browser) -> Iterator[Picture]:
    """The way in while nobody is in, then what a camera read; its light and its dice follow from one seed."""
    with tempfile.TemporaryDirectory() as data:
        camera = Camera(Path(data) / "frames")
        camera.looks()
        with WarmProgram(Path(data) / "data", "--camera", str(camera.folder), "--tray", "off") as kiosk:
            character = set_up(kiosk)
            page = _opened(browser, kiosk, WIDE, {"**/api/v1/pictures/**": lambda route: route.continue_()})
            kiosk.post("/api/v1/network", {"let_in": True})
            expect(page.locator("#join > .qr")).to_be_visible(timeout=30_000)
            page.evaluate(_SOMEWHERE, qr_svg("http://192.168.178.20:8080/join?code=K79GXR", ""))
            yield Picture("code", "Nobody is in yet: the code to scan has the stage.", _taken(page, "idle", "Ready"))
            kiosk.post("/api/v1/network", {"let_in": False})
            kiosk.send("declare_task", declaration=declaration(character))
            camera.stage.throw([DieKind.D20] * 2)
            camera.looks()
            expect(page.locator("#stage .die-photograph[data-came]")).to_have_count(2, timeout=60_000)
            headline = page.locator(".stage-word").inner_text()
            seen = "An outcome whose dice a camera read: each is its own photograph."
            yield Picture("photographs", seen, _taken(page, "outcome", headline))
            kiosk.send("declare_task", declaration=declaration(character, label="Raise the shields"))
            kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[1, 1])
            triumph = "Triumph! Raise the shields: Lindqvist succeeds"
            yield Picture("triumph", "A triumph: every die is critical.", _taken(page, "outcome", triumph))
            page.context.close()


PARTS: Final[tuple[Callable[[Browser], Iterator[Picture]], ...]] = (
    lambda browser: evening(browser, 0),
    lambda browser: evening(browser, 1),
    lambda browser: evening(browser, 2),
    by_camera,
    troubles,
)
"""All pictures that are kept, in the order in which they are shown, in parts that are taken by themselves."""


def unlike(png: bytes, kept: Path) -> float:
    """How far a picture is from the kept one: the share of it, 0 to 1, that plainly differs once both are made small.

    Letters that are drawn a little otherwise by another version of the browser vanish in that; a changed word does not.
    """
    now = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    then = cv2.imread(str(kept), cv2.IMREAD_GRAYSCALE)
    if now is None or then is None or now.shape != then.shape:
        return 1.0
    small = (now.shape[1] // 8, now.shape[0] // 8)
    pair = [cv2.resize(one, small, interpolation=cv2.INTER_AREA).astype(np.int16) for one in (now, then)]
    return float(np.mean(np.abs(pair[0] - pair[1]) > 24))


def _opened(
    browser: Browser, kiosk: Program, size: tuple[int, int], routes: dict[str, Callable[[Route], None]] | None = None
) -> Page:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page.route("**/api/v1/pictures/**", lambda route: route.fulfill(body=_die(), content_type="image/png"))
    for path, answer in (routes or {}).items():
        page.route(path, answer)
    page.goto(f"{kiosk.address}/display")
    expect(page.locator("#link")).to_have_attribute("data-state", "live", timeout=30_000)
    return page


def _taken(page: Page, kind: str, word: str) -> bytes:
    """The screen once it shows that; letters, drawings and the fight beside the stage have arrived."""
    expect(page.locator("#stage")).to_have_attribute("data-kind", kind, timeout=30_000)
    expect(page.locator(".stage-word")).to_have_text(word, timeout=30_000)
    page.evaluate("() => document.fonts.ready")
    page.wait_for_function("() => [...document.images].every((one) => one.complete || !one.checkVisibility())")
    before, now = b"", page.screenshot()
    while now != before:  # what arrives late makes a difference between two looks
        page.evaluate("() => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 150))")
        before, now = now, page.screenshot()
    return now


def _kept_picture(kiosk: Program) -> str:
    """The key of a picture that the kiosk keeps: one that a phone sent, and that was set aside."""
    sent, jpeg = cv2.imencode(".jpg", scene(44, (DieKind.D20,)).picture)
    assert sent
    asked = kiosk.table()["table"]["request"]["number"]
    address = f"{kiosk.address}/api/v1/pictures?request={asked}"
    headers = {"Content-Type": "image/jpeg", "X-Trueroll": "1"}
    urlopen(Request(address, data=jpeg.tobytes(), headers=headers), timeout=60).close()  # noqa: S310 - our own
    key = str(kiosk.table()["table"]["held"]["dice"][0]["picture"])
    kiosk.send("dismiss_throw")
    return key


def _die() -> bytes:
    """A die as a camera might have seen it: our own drawing."""
    picture = np.full((120, 160, 3), (70, 90, 60), np.uint8)
    corners = np.array([(80, 8), (128, 34), (128, 86), (80, 112), (32, 86), (32, 34)], np.int32)
    cv2.fillPoly(picture, [corners], (150, 60, 40), cv2.LINE_AA)
    cv2.putText(picture, "6", (62, 80), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (235, 235, 235), 4, cv2.LINE_AA)
    return bytes(cv2.imencode(".png", cv2.GaussianBlur(picture, (7, 7), 0))[1])


_ABOUT: Final = (
    "Taken by `make docs` from the running kiosk, which writes other sizes and colours into build/pictures. "
    "`make soak` takes them again and compares. Where one differs, look at what the test kept; if the change is right, "
    "run `make docs` and commit what it wrote."
)
_BRIDGE: Final = (
    "The gamemaster's page has no picture here: on a laptop the crew stands at the left, what waits, the pools, the "
    "stage and the dial in the middle, foes or the library at the right; on a phone one below the other, the dial, "
    "foes, crew and library folded."
)


def _page(pictures: list[Picture]) -> str:
    lines = [
        "# What the screens show",
        "",
        _ABOUT,
        "",
        _BRIDGE,
        "",
    ]
    for one in pictures:
        lines += [
            f"## {one.name.replace('-', ' ').capitalize()}",
            "",
            one.seen,
            "",
            f"![{one.seen}](pictures/{one.name}.webp)",
            "",
        ]
    return "\n".join(lines)


def _read_me(browser: Browser) -> None:
    """The two pictures of the first page: the display after a throw that a camera saw, and a phone before a Task."""
    folder = DOCS / "images"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        camera = Camera(Path(data) / "frames")
        camera.looks()
        with WarmProgram(Path(data) / "data", "--camera", str(camera.folder), "--tray", "off") as kiosk:
            character = set_up(kiosk)
            phone = browser.new_page(viewport={"width": 390, "height": 844}, device_scale_factor=2)
            phone.goto(f"{kiosk.address}/play")
            phone.locator("#declare-open").click()
            phone.wait_for_selector("#odds:not(:empty)")
            phone.evaluate("() => scrollTo(0, 0)")
            phone.screenshot(path=folder / "phone.png")
            bought = [{"payer": "threat"}, {"payer": "threat"}]
            kiosk.send(
                "declare_task",
                declaration=declaration(character, label="Bring everyone back aboard", purchases=bought),
            )
            display = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]}, reduced_motion="reduce")
            display.goto(f"{kiosk.address}/display")
            camera.stage.throw([DieKind.D20] * 4)
            camera.looks()
            expect(display.locator("#stage .die-photograph[data-came]")).to_have_count(4, timeout=60_000)
            headline = display.locator(".stage-word").inner_text()
            (folder / "display.png").write_bytes(_taken(display, "outcome", headline))


def main() -> None:
    """Take every picture anew, and write the page that shows them."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=SWITCHES)
        pictures = [picture for part in PARTS for picture in part(browser)]
        looks = [picture for number in range(len(EVENINGS)) for picture in evening(browser, number, _LOOKS)]
        _read_me(browser)
        browser.close()
    for old in FOLDER.glob("*.webp"):
        old.unlink()
    for one in pictures:
        image = cv2.imdecode(np.frombuffer(one.png, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        cv2.imwrite(str(FOLDER / f"{one.name}.webp"), image, [cv2.IMWRITE_WEBP_QUALITY, WEBP_LOSSLESS])
    LOOKS_FOLDER.mkdir(parents=True, exist_ok=True)
    for one in looks:
        (LOOKS_FOLDER / f"{one.name}.png").write_bytes(one.png)
    (DOCS / "screens.md").write_text(_page(pictures), encoding="utf-8")


if __name__ == "__main__":
    main()
