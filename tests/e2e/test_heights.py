"""A phone's page keeps within two screens in the states that had it longest, with what somebody opened in them."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from playwright.sync_api import Browser, Page, expect

from rules.dice import DieKind
from tests.e2e.conftest import OpenPage, pages_of
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration
from tests.e2e.program import Program, source, until
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import declaring, further, live
from tests.e2e.test_tabs import COVERED, HEIGHT, SCREEN, fits
from tests.e2e.thumbs import PHONE
from tests.e2e.warm import WarmProgram
from vision.training.scenes import scene

NAMES = ("Captain Ilse Brandt", "Lieutenant Tomás Okoro", "Doctor Mirembe Sato")
GUESSES = [{"face": face, "chance": 0.3} for face in (6, 9, 16)]
DOUBTFUL = {"face": None, "state": "doubtful", "confidence": 0.5, "guesses": GUESSES}


def unfolded(page: Page, *titles: str) -> None:
    """With those parts opened one after the other by a tap each: of several, the last."""
    for title in titles:
        page.locator("#main > * summary:visible", has_text=re.compile(title)).first.tap()
    fits(page)


def pictured(kiosk: Program) -> Iterator[list[dict[str, Any]]]:
    """Throws of one, two and three doubtful dice, one of them too many, each with a picture that is kept."""
    whole, jpeg = cv2.imencode(".jpg", scene(44, (DieKind.D20,) * 4).picture)
    assert whole
    asked = kiosk.table()["table"]["request"]["number"]
    urllib.request.urlopen(  # noqa: S310 - our own address
        urllib.request.Request(  # noqa: S310 - our own address
            f"{kiosk.address}/api/v1/pictures?request={asked}",
            data=jpeg.tobytes(),
            headers={"Content-Type": "image/jpeg", "X-Trueroll": "1"},
        ),
        timeout=20,
    ).close()
    seen = [die["picture"] for die in kiosk.table()["table"]["held"]["dice"]]
    kiosk.send("dismiss_throw")
    yield [{"face": 3, "picture": seen[0]}, {**DOUBTFUL, "picture": seen[1]}]
    yield [{"face": 3, "picture": seen[0]}, {"face": 7, "picture": seen[1]}, {**DOUBTFUL, "picture": seen[2]}]
    yield [{**DOUBTFUL, "picture": one} for one in seen[:3]]


def test_a_phone_keeps_within_two_screens_whatever_is_asked_and_opened(tmp_path: Path, browser: Browser) -> None:
    """The demonstration, whose camera watches: of all kiosks it shows the most at a throw."""
    with WarmProgram(tmp_path / "data", "--demo") as kiosk, pages_of(browser, kiosk) as opened:
        until(lambda: source(kiosk, "camera").get("state") == "ready")
        evening = Evening(kiosk)
        kiosk.send("set_up_table", ruleset="second-edition", players=["Ana", "Ben", "Cara"])
        for name in NAMES:
            evening.join(name, values=[f"{name} never gives in"], focuses=["Diplomacy", "Starship tactics"])
        kiosk.send("adjust_pool", pool="momentum", change=4)
        brandt = evening.people[NAMES[0]]
        phone = live(opened(f"/play?me={brandt}", 390, SCREEN, bypass_csp=True, **PHONE))
        declaring(phone, more=True)
        for part in ("Helpers", "At cost, thrown again", "Modifiers and range"):
            fits(further(phone, part))
        phone.locator("#declare-form summary:visible").first.tap()
        fits(phone)
        phone.locator("a[data-closes]").tap()
        kiosk.send("declare_task", declaration=declaration(brandt))
        unfolded(phone, "by hand")
        for dice in ([{"face": 3}], [{"face": 3}, DOUBTFUL], [DOUBTFUL, DOUBTFUL], [DOUBTFUL, DOUBTFUL, DOUBTFUL]):
            evening.report(*dice)
            phone.locator("#question-title").wait_for()
            unfolded(phone, "by hand")
            if dice != [{"face": 3}]:  # there it was unfolded before, and is folded now
                expect(phone.locator("#entered .main-action")).to_be_in_viewport(ratio=1)
                assert phone.locator("#entered .main-action").evaluate_all(COVERED) == [], "above the tabs"
            unfolded(phone, *(["Die 1"] if len(dice) > 1 and dice[0] == DOUBTFUL else []))
            unfolded(phone, "Another number|Its face|A face is wrong")
            kiosk.send("dismiss_throw")
            phone.locator("#question-title").wait_for(state="detached")
        evening.report({"face": 3})
        phone.locator("#question-title").wait_for()
        phone.set_viewport_size({"width": 320, "height": 568})
        phone.evaluate("scrollTo(0, document.body.scrollHeight)")
        kiosk.send("dismiss_throw")
        expect(phone.locator(".watching"), "somebody else has settled it").to_be_in_viewport(ratio=1)
        phone.set_viewport_size({"width": 390, "height": SCREEN})
        german = live(opened(f"/play?me={brandt}", 390, SCREEN, locale="de-DE", **PHONE))
        for dice in pictured(kiosk):
            evening.report(*dice)
            for title in ("von Hand", "Entschlossenheit jetzt", "Andere Zahl", "Die anderen Würfel", "Sein Wert"):
                german.locator("#question-title").wait_for()
                if german.locator("#main > * summary:visible", has_text=title).count():
                    unfolded(german, title)
            kiosk.send("dismiss_throw")
            german.locator("#question-title").wait_for(state="detached")
        evening.throw(3, 4)
        phone.locator("#actions .option").first.wait_for()
        unfolded(phone, "Determination now", "misread")
        phone.add_style_tag(content="#actions { padding-bottom: 60rem; }")
        assert phone.evaluate(HEIGHT) > 2 * SCREEN, "a page made bad"


def test_a_hit_on_a_ship_keeps_within_two_screens_on_every_phone(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    kiosk.send("set_up_table", ruleset="second-edition", players=["Ana", "Ben", "Cara"])
    for name in NAMES:
        evening.join(name, values=[f"{name} never gives in"])
    arms = [{"name": "Phasers", "kind": "energy", "rating": 7, "optimal_range": "medium"}]
    for name in ("Distant Harbour", "Anvil cruiser"):
        evening.launch(
            name, scale=4, shields=10, resistance=2, weapons=arms, crew=None if evening.ships == {} else "talented"
        )
    harbour, cruiser = evening.ships.values()
    fires, looks_on, _ = evening.people.values()
    stations = zip(evening.people.values(), ("tactical", "command", "helm"), strict=True)
    seats: list[dict[str, str]] = [{"combatant_id": one, "ship_id": harbour, "station": at} for one, at in stations]
    seats.append({"combatant_id": cruiser})
    kiosk.send("adjust_pool", pool="momentum", change=4)
    kiosk.send("start_conflict", kind="starship", combatants=seats, begins=fires)
    kiosk.send("begin_turn", combatant_id=fires)
    fire = {"name": "fire", "scope": "bridge", "target_id": cruiser, "weapon": "Phasers"}
    kiosk.send("declare_task", declaration=declaration(fires, discipline="security", action=fire))
    while (request := evening.table["request"]) is not None:
        evening.throw(*[1] * request["count"])
    for who, path in ((fires, "/play"), (fires, "/play/fight"), (looks_on, "/play")):
        page = live(open_page(f"{path}?me={who}", 390, SCREEN, **PHONE))
        page.locator("#actions .option").first.wait_for()
        fits(page)


def test_whom_one_plays_is_chosen_on_two_screens_among_forty(kiosk: Program, open_page: OpenPage) -> None:
    kiosk.send("set_up_table", ruleset="core-1e", players=["Ana", "Ben"])
    for number in range(40):
        kiosk.send(
            "save_character",
            name=f"Lieutenant {chr(65 + number % 26)}delheid Lindqvist-{number}",
            attributes=ATTRIBUTES,
            disciplines=DISCIPLINES,
        )
    phone = live(open_page("/play", 390, SCREEN, bypass_csp=True, **PHONE))
    fits(phone)
    for group in phone.locator("#me summary").all():
        group.tap()
        fits(phone)
    expect(phone.locator("#me button[name=play]:visible")).to_have_count(8)
    spoiled = phone.add_style_tag(
        content="#me details::details-content { content-visibility: visible; display: block }"
    )
    assert phone.evaluate(HEIGHT) > 2 * SCREEN, "a page made bad"
    spoiled.evaluate("one => one.remove()")
    phone.locator("#me summary", has_text="Lieutenant Adelheid").tap()
    phone.get_by_role("button", name="Lieutenant Adelheid Lindqvist-26").tap()
    expect(phone.locator("#me-title")).to_have_text("Lieutenant Adelheid Lindqvist-26")


@pytest.mark.parametrize("locale", ["fr-FR", "es-ES"])
def test_the_head_of_a_narrow_phone_is_one_line(open_page: OpenPage, locale: str) -> None:
    page = live(open_page("/play", 320, 640, locale=locale, **PHONE))
    assert page.locator(".station").bounding_box()["height"] < 60  # type: ignore[index]  # it is there
