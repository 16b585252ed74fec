"""A fight on the table's screen: nothing is cut off or has to be scrolled to, and a Breach is seen on every screen."""

from __future__ import annotations

import urllib.request
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.conftest import OpenPage, pages_of
from tests.e2e.program import Program, until
from tests.e2e.scenes import EVENINGS, Evening, draw_map
from tests.e2e.test_distance import LEAST_MINUTES, too_small
from tests.e2e.warm import WarmProgram

PATIENCE = 30_000
LEAST_LETTERS = 12.5
"""CSS pixels, for who leans forward; what has to be read from the farthest seat stands on the stage."""

LEAST_DRAWN = 10
"""The same of the letters in the map's picture, which the list beside it repeats."""

SCREENS = {
    "32 inches at 3 m": (1280, 720, 32.0, 3.0),
    "32 inches at 3 m, few pixels": (800, 480, 32.0, 3.0),
    "24 inches at 2 m": (1024, 600, 24.0, 2.0),
    "24 inches at 2 m, few pixels": (800, 480, 24.0, 2.0),
    "7 inches at 1 m": (800, 480, 7.0, 1.0),
    "7 inches at an arm's length": (800, 480, 7.0, 0.7),
    "upright": (720, 1280, 24.0, 2.0),
}

SAMPLED = ("7 inches at 1 m", "upright")
"""The screens of the short form."""

CUT = """(fight) => {
    const foot = document.querySelector(".edge").getBoundingClientRect().top;
    const found = [];
    if (fight.scrollHeight > fight.clientHeight || fight.scrollWidth > fight.clientWidth) found.push("it is scrolled");
    const words = ".fighter, .ship, :is(.systems, .lasting, .map-list) li, .map-told > p, dd, strong";
    for (const one of fight.querySelectorAll(words)) {
        if (!one.checkVisibility()) continue;
        const { left, right, bottom } = one.getBoundingClientRect();
        const name = one.textContent.trim().replace(/\\s+/g, " ");
        if (bottom > foot + 1 || left < -1 || right > innerWidth + 1) found.push(`cut off: ${name}`);
        const { display, fontSize } = getComputedStyle(one);
        if (one.scrollWidth > one.clientWidth + 1 && display !== "inline") found.push(`too wide: ${name}`);
        if (parseFloat(fontSize) < LEAST) found.push(`small: ${name}`);
    }
    return found;
}""".replace("LEAST", str(LEAST_LETTERS))

"""What of a fight is not seen whole; a fight that is fitted later is asked about again."""

DRAWN = """(fight) => {
    const outside = (hull, one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left < hull.left || right > hull.right || top < hull.top || bottom > hull.bottom;
    };
    return [...fight.querySelectorAll(".ship")].flatMap((ship) => {
        const [hull, silhouette] = [ship.querySelector(".hull"), ship.querySelector(".silhouette")];
        const name = ship.getAttribute("aria-label");
        if (hull.checkVisibility() === silhouette.checkVisibility()) return [`${name} is drawn not once`];
        if (silhouette.checkVisibility()) {
            const harmed = ship.querySelectorAll('.systems li[data-mark]:not([data-mark="whole"])');
            const hits = silhouette.querySelectorAll(".ship-hit");
            const box = ship.getBoundingClientRect();
            const found = harmed.length === hits.length ? [] : [`${name}: ${hits.length} hits`];
            if (silhouette.getBoundingClientRect().height < 40) found.push(`${name} is drawn too small`);
            if ([silhouette, ...hits].some((one) => outside(box, one))) found.push(`${name} is cut off`);
            return found;
        }
        const box = hull.getBoundingClientRect();
        return [...ship.querySelectorAll(".systems li")].filter((one) => one.checkVisibility() && outside(box, one))
            .map((one) => `outside of ${name}: ${one.textContent}`);
    });
}"""
"""Ships without their drawing, or with a hit too few, and systems that are not in a hull."""

MAPPED = """(fight) => {
    const picture = fight.querySelector(".map-picture");
    if (!picture.checkVisibility()) return [];
    const box = fight.getBoundingClientRect();
    const { left, right, top, bottom, width } = picture.getBoundingClientRect();
    const found = left < box.left || right > box.right || top < box.top || bottom > box.bottom ? ["it is cut off"] : [];
    const letters = 20 * width / picture.viewBox.baseVal.width;
    if (letters < LEAST) found.push(`small letters: ${letters}`);
    for (const text of picture.querySelectorAll("text")) {
        const zone = text.parentElement.querySelector("rect").getBoundingClientRect();
        const own = text.getBoundingClientRect();
        if (own.right > zone.right || own.bottom > zone.bottom) found.push(`beyond its zone: ${text.textContent}`);
    }
    return found;
}""".replace("LEAST", str(LEAST_DRAWN))
"""What of the map's picture is not seen whole, where there is room for one; the list beside it says the same."""

MATTERS = """() => [...document.querySelectorAll("#fight :is([data-matters] dd, .breaches, .injury)")]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.textContent, parseFloat(getComputedStyle(one).fontSize)])"""
"""Shields, Breaches and Injuries, with the size of their letters in CSS pixels."""

BEYOND = {"7 inches at 1 m"}
"""Screens that are too small for the distance at which they stand."""

ALIKE = """(fight) => {
    const found = [];
    const dots = document.getElementById("momentum-places").getBoundingClientRect();
    if (Math.min(dots.height, dots.width / 6) < 16) found.push(`specks of Momentum: ${dots.width} by ${dots.height}`);
    if (/rows|people|quiet/.test(fight.dataset.without)) return found;
    const rows = [...fight.querySelectorAll(".fighter:not(:has(.injury, .notes))")].map((one) => one.offsetHeight);
    return Math.max(...rows) - Math.min(...rows) > 1 ? [...found, `rows of ${rows} px`] : found;
}"""
"""Rows that are not as high as the next, and places of Momentum that are too small to be counted."""

ON_THE_LINE = """(fight) => {
    fight.dataset.without = "bars names whole works full";
    fight.style.setProperty("--fit", 0.4);
    const found = [];
    for (const ship of fight.querySelectorAll(".ship")) {
        const ring = ship.querySelector(".hull").getBoundingClientRect();
        const line = ring.top + 5.5 / 160 * ring.height;
        const name = ship.querySelector("h3");
        if (name.getBoundingClientRect().top < line) found.push(`${name.textContent} stands on the line of its hull`);
        for (const gone of ship.querySelectorAll('.systems li[data-mark]:not([data-mark="whole"])')) {
            gone.dataset.mark = "destroyed";
            const { textDecorationLine, textShadow } = getComputedStyle(gone.querySelector("span"));
            if (textDecorationLine !== "line-through") found.push("not struck through");
            if (textShadow !== "none") found.push(`the shadow of its line hides ${gone.textContent}`);
        }
    }
    return found;
}"""
"""Words that the line round a high hull crosses, or that the line through a destroyed system hides."""

SHORTENED = """one => {
    const { bottom } = one.getBoundingClientRect();
    const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(one);
    const found = [];
    if (overflowX !== "visible" || overflowY !== "visible") found.push("can be cut off");
    if (bottom > innerHeight) found.push("below the screen");
    if (webkitLineClamp !== "none") found.push("ends in an ellipsis");
    return found;
}"""

HEIGHT = "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)"
"""How many lines something takes."""

PEOPLE = ("Captain Ilse Brandt", "Lieutenant Tomás Okoro", "Doctor Mirembe Sato", "Ensign Pell Varga")
STATIONS = ("command", "internal", "security", "helm")


@pytest.fixture(scope="module")
def evening(standing_kiosk: Program) -> Evening:
    """A bridge of four, their ship, a raider on none, and a second ship."""
    made = Evening(standing_kiosk)
    made.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben", "Cleo", "Dan"])
    for name in PEOPLE:
        made.join(name)
    made.join("Raider Vosk", standing="notable_npc")
    made.launch("Distant Harbour", scale=4)
    made.launch("Grey Talon", scale=4, crew="talented")
    made.send("add_trait", name="Sample tray broken", kind="complication")
    return made


def answer_with(sizes: str, route: Route) -> None:
    """The sizes of one screen, while others look by other sizes."""
    route.fulfill(body=sizes, content_type="text/css")


@pytest.fixture(scope="module")
def screens(standing_kiosk: Program, open_standing: OpenPage, *, whole: bool) -> dict[str, Page]:
    """The display on every screen at once, each with the kiosk's own sizes for it; on some in the short form."""
    pages = {}
    for name in SCREENS if whole else SAMPLED:
        width, height, diagonal, metres = SCREENS[name]
        standing_kiosk.post("/api/v1/screen", {"diagonal_inches": diagonal, "distance_metres": metres})
        with urllib.request.urlopen(f"{standing_kiosk.address}/display.css", timeout=20) as answer:  # noqa: S310 - our own address
            sizes = answer.read().decode()
        page = open_standing("/healthz", width, height, bypass_csp=True)
        page.route(f"{standing_kiosk.address}/display.css*", partial(answer_with, sizes))
        page.goto(f"{standing_kiosk.address}/display")
        expect(page.locator("#link")).to_have_attribute("data-state", "live", timeout=PATIENCE)
        pages[name] = page
    return pages


def duel(evening: Evening, *, ships: int) -> None:
    """A starship conflict that Okoro begins: against the raider on no ship, or against the other ship."""
    harbour = evening.ships["Distant Harbour"]
    seats = [
        {"combatant_id": evening.people[name], "ship_id": harbour, "station": station}
        for name, station in zip(PEOPLE, STATIONS, strict=True)
    ]
    enemy = evening.people["Raider Vosk"] if ships == 1 else evening.ships["Grey Talon"]
    okoro = evening.people["Lieutenant Tomás Okoro"]
    if evening.table["conflict"] is not None:
        evening.send("end_conflict")
    evening.send("start_conflict", kind="starship", combatants=[*seats, {"combatant_id": enemy}], begins=okoro)


def acting(evening: Evening) -> None:
    """A duel of both ships in Okoro's Turn, as the test before may have left it: each change costs every page."""
    okoro = evening.people["Lieutenant Tomás Okoro"]
    now = evening.table["conflict"] or {"turn": None}
    if now["turn"] is None or (now["kind"], now["turn"]["combatant_id"]) != ("starship", okoro):
        duel(evening, ships=2)
        evening.send("begin_turn", combatant_id=okoro)


def breach(evening: Evening, name: str) -> None:
    """Debris opens the Structure of a ship; who is hurt is thrown for next."""
    evening.send("strike_ship", ship_id=evening.ships[name], damage=20, reason="Debris", system="structure")


def once(page: Page, place: str, script: str) -> None:
    """`script` finds no fault with `place`, once the letters are there and it has been fitted."""
    faults: list[str] = []

    def fitted() -> bool:
        faults[:] = page.locator(place).evaluate(script)
        return not faults

    until(lambda: bool(page.evaluate("() => document.fonts.status === 'loaded'")))
    try:
        until(fitted)
    except AssertionError:
        pytest.fail(f"{page.viewport_size}: {'; '.join(faults)}")


def seen_whole(page: Page) -> None:
    """Nothing of the fight is cut off."""
    once(page, "#fight", CUT)


@pytest.mark.parametrize("ships", [pytest.param(1, marks=pytest.mark.long), 2])
def test_a_duel_is_seen_whole_with_its_breaches(evening: Evening, screens: dict[str, Page], ships: int) -> None:
    duel(evening, ships=ships)
    told = evening.program.table()["narration"]["normal"]
    assert all(name in told for name in PEOPLE)
    for page in screens.values():
        expect(page.locator("#caption")).to_have_text(told, timeout=PATIENCE)
        once(page, "#caption", SHORTENED)
    evening.send("begin_turn", combatant_id=evening.people["Lieutenant Tomás Okoro"])
    for page in screens.values():
        expect(page.locator("#stage")).to_have_attribute("data-kind", "turn", timeout=PATIENCE)
        expect(page.locator("#fight .ship")).to_have_count(ships, timeout=PATIENCE)
        expect(page.locator(".fighter[data-acting=yes]")).to_contain_text("Okoro")
        expect(page.locator("#turn")).to_be_hidden()
        once(page, "#fight", ALIKE)
        seen_whole(page)
        once(page, "#fight", DRAWN)
    breach(evening, "Distant Harbour")
    for page in screens.values():
        expect(page.locator('#fight [data-system="structure"]').first).to_contain_text("Breach", timeout=PATIENCE)
        seen_whole(page)
        expect(page.locator('#fight [data-system="structure"] .breaches').first).to_be_visible()
        once(page, "#fight", DRAWN)
        expect(page.locator("#turn")).to_be_visible()
    for name in screens.keys() - BEYOND:
        _, _, diagonal, metres = SCREENS[name]
        assert not too_small(screens[name], MATTERS, diagonal, metres, LEAST_MINUTES), name
    evening.send("undo")


def test_a_ship_that_is_hit_stays_drawn_on_a_small_screen(evening: Evening, screens: dict[str, Page]) -> None:
    acting(evening)
    evening.send("strike_ship", ship_id=evening.ships["Distant Harbour"], damage=14, reason="Debris", system="engines")
    page = screens["upright"]
    page.set_viewport_size({"width": 1024, "height": 600})
    until(page.locator(".silhouette .ship-hit").first.is_visible)
    once(page, "#fight", DRAWN)
    seen_whole(page)
    width, height, *_ = SCREENS["upright"]
    page.set_viewport_size({"width": width, "height": height})
    evening.send("undo")


def test_no_line_crosses_the_words_in_a_hull(evening: Evening, screens: dict[str, Page]) -> None:
    acting(evening)
    evening.send("strike_ship", ship_id=evening.ships["Distant Harbour"], damage=14, reason="Debris", system="engines")
    page = screens["upright"]
    page.set_viewport_size({"width": 1280, "height": 720})
    evening.send("end_turn")
    expect(page.locator("#stage")).to_have_attribute("data-kind", "turn", timeout=PATIENCE)
    once(page, "#fight", ON_THE_LINE)
    width, height, *_ = SCREENS["upright"]
    page.set_viewport_size({"width": width, "height": height})
    evening.send("undo")
    evening.send("undo")


def without_refresh(route: Route) -> None:
    """The page as it is, but that it stays while it is measured."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace('http-equiv="refresh"', ""))


def test_without_script_a_duel_fits_a_screen(evening: Evening, open_beside: OpenPage) -> None:
    acting(evening)
    still = open_beside("/healthz", 1280, 720, java_script_enabled=False)
    still.route(f"{evening.program.address}/display", without_refresh)
    still.goto(f"{evening.program.address}/display")
    once(still, "#fight", CUT)
    assert still.locator(".stage-word").evaluate(HEIGHT) < 2, "the heading takes one line"
    expect(still.locator("#controls"), "nothing answers them").to_be_hidden()


def test_what_is_cut_off_is_found(evening: Evening, screens: dict[str, Page]) -> None:
    page = screens["7 inches at 1 m"]
    if evening.table["conflict"] is None:
        duel(evening, ships=1)
    expect(page.locator("#fight")).to_be_visible(timeout=PATIENCE)
    seen_whole(page)
    spoil = page.add_style_tag(content="#fight { max-height: .4rem !important }")  # no layout is so low
    until(lambda: "it is scrolled" in page.locator("#fight").evaluate(CUT))
    spoil.evaluate("one => one.remove()")


def test_sizes_that_come_late_are_fitted(evening: Evening, screens: dict[str, Page]) -> None:
    """As where somebody sets the screen's size during a fight: its style sheet comes after what it is for."""
    page = screens["7 inches at 1 m"]
    if evening.table["conflict"] is None:
        duel(evening, ships=1)
    expect(page.locator("#fight")).to_be_visible(timeout=PATIENCE)
    seen_whole(page)
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    before = page.locator("body").evaluate(size)
    larger = f":root {{ --legible: {1.5 * before}px !important }}"
    page.route("**/larger.css", partial(answer_with, larger))
    page.locator("#letters").evaluate("one => { one.dataset.was = one.href; one.href = '/larger.css'; }")
    until(lambda: page.locator("body").evaluate(size) > before)
    seen_whole(page)
    page.locator("#letters").evaluate("one => { one.href = one.dataset.was; }")
    until(lambda: page.locator("body").evaluate(size) == before)
    seen_whole(page)


def test_a_map_is_seen_whole(evening: Evening, screens: dict[str, Page], *, whole: bool) -> None:
    """RNG-1: who is where, in a fight on foot, while dice are thrown, and in the long form in a fight of ships."""
    evening.fight(PEOPLE[0])
    if evening.table["zone_map"] is not None:
        evening.send("put_map_away")
    draw_map(evening.program, [evening.people[one] for one in (*PEOPLE, "Raider Vosk")])
    evening.send("begin_turn", combatant_id=evening.people[PEOPLE[0]])
    _look_at_the_map(screens, "turn")
    assert screens["upright"].locator(".map-picture").is_visible()
    evening.declare(PEOPLE[0], attribute="fitness", discipline="command", action={"name": "recover"})
    _look_at_the_map(screens, "ask")
    if whole:
        evening.send("undo")
        duel(evening, ships=2)
        zone = evening.table["zone_map"]["zones"][0]["zone_id"]
        evening.send("place_at", who_ids=list(evening.ships.values()), zone_id=zone)
        evening.send("begin_turn", combatant_id=evening.people[PEOPLE[1]])
        _look_at_the_map(screens, "turn")


def _look_at_the_map(screens: dict[str, Page], kind: str) -> None:
    for page in screens.values():
        expect(page.locator("#stage")).to_have_attribute("data-kind", kind, timeout=PATIENCE)
        expect(page.locator("#fight .map-list")).to_be_visible(timeout=PATIENCE)
        seen_whole(page)
        once(page, "#fight", MAPPED)


UNEXPLAINED = """() => {
    const seen = (each) => [...document.querySelectorAll(each)].filter((one) => one.checkVisibility());
    const signs = (each) => seen(each).map((one) => one.dataset.turn ?? "target").filter((one) => one !== "acting");
    const told = signs("#fight .meaning"), words = seen("#fight :is(.meaning, .column)");
    const foot = document.querySelector(".edge").getBoundingClientRect().top;
    const least = 0.5 * parseFloat(getComputedStyle(document.body).fontSize);
    return [
        ...signs("#fight :is(.turn-state, .target)").filter((one) => !told.includes(one)),
        ...words.filter((one) => one.getBoundingClientRect().bottom > foot).map((one) => `cut: ${one.textContent}`),
        ...words.filter((one) => parseFloat(getComputedStyle(one).fontSize) < least).map((one) => one.textContent),
    ];
}"""
"""The signs of a fight without words for them, and words cut off or in small letters; the headline says who acts."""


@pytest.mark.parametrize("language", ["de", *(pytest.param(one, marks=pytest.mark.long) for one in ("en", "es", "fr"))])
def test_where_there_is_room_each_sign_of_a_fight_has_its_words(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    settings = tmp_path / "trueroll.toml"
    settings.write_text(f'[language]\nroom = "{language}"\n')
    nothing = ("--config", str(settings), "--camera", "off", "--tray", "off")
    with WarmProgram(tmp_path / "data", *nothing) as kiosk, pages_of(browser, kiosk) as opened:
        evening, shown = Evening(kiosk), {"turn": 0, "chain": 0}
        pages = [opened("/display", width, height) for width, height in ((1920, 1080), (1024, 600))]
        for one in EVENINGS[0]:
            one.play(evening)
            if one.name not in {"conflict", "injury"}:
                continue
            for page in pages:
                expect(page.locator("#stage")).to_have_attribute("data-kind", one.kind)
                page.wait_for_function(f"() => ({UNEXPLAINED})().length === 0", timeout=PATIENCE)
                shown[one.kind] += page.locator("#fight .meaning:visible").count()
        assert shown == {"turn": 2, "chain": 4}
        gone = "(one) => one.style.setProperty('display', 'none', 'important')"
        pages[1].locator("#fight .meanings").evaluate(gone)
        assert pages[1].evaluate(UNEXPLAINED) == ["ready", "target", "ready", "ready"], "a page made bad"
