"""With a seat far from a small screen letters are large: what matters keeps its place, and nothing stands on it."""

from __future__ import annotations

from functools import partial

from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.program import Program, until
from tests.e2e.scenes import EVENINGS, Evening
from tests.e2e.test_pages import live

SCREENS = {"television": (1920, 1080), "laptop": (1280, 800), "touch": (1024, 600), "upright": (1080, 1920)}
"""Each of 24 inches, seen from 4 m."""

CREW = ("Captain Ilse Brandt", "Lieutenant Tomás Okoro", "Doctor Mirembe Sato", "Ensign Pell Varga")

COVERED = """(throws) => {
    const controls = document.getElementById("controls");
    for (const where of throws) {
        const made = document.getElementById("hold").cloneNode(true);
        made.removeAttribute("id");
        made.dataset.post = `/api/v1/demo/throw`;
        controls.append(made);
    }
    const boxes = (places) => [...document.querySelectorAll(places)].filter((one) => one.checkVisibility())
        .map((one) => [one.textContent.trim() || one.tagName, one.getBoundingClientRect()]);
    const pools = boxes(".pools dt, .pools dd, .place").filter(([, { width }]) => width > 0);
    const buttons = boxes("#controls button");
    const lies = (a, b) => a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1;
    for (const one of controls.querySelectorAll("[data-post$='/throw']")) one.remove();
    return [
        ...pools.filter(([, one]) => buttons.some(([, other]) => lies(one, other))).map(([name]) => `covered: ${name}`),
        ...[...pools, ...buttons].filter(([, { left, right }]) => left < 0 || right > innerWidth)
            .map(([name]) => `outside: ${name}`),
    ];
}"""
"""What of the pools is covered by a button, or stands beyond the edge, with the throws of a demonstration added."""


def far(kiosk: Program, open_page: OpenPage, screen: str) -> Page:
    """The display on that screen, once it is live."""
    kiosk.post("/api/v1/screen", {"diagonal_inches": 24.0, "distance_metres": 4.0})
    width, height = SCREENS[screen]
    return live(open_page("/display", width, height, bypass_csp=True, has_touch=True))


def seen(page: Page, places: str) -> int:
    """How many of them stand within the screen and in what is shown."""
    count: int = page.evaluate(
        """(places) => [...document.querySelectorAll(places)].filter((one) => {
            const { bottom, right, height } = one.getBoundingClientRect();
            const foot = document.querySelector(".edge").getBoundingClientRect().top;
            return one.checkVisibility() && height > 0 && bottom <= foot + 1 && right <= innerWidth + 1;
        }).length""",
        places,
    )
    return count


def shows(page: Page, places: str, number: int) -> bool:
    """Whether so many of them stand within the screen and in what is shown."""
    return seen(page, places) == number


def test_pools_are_read_beside_every_button(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    kiosk.send("set_up_table", ruleset="core-1e", players=["Ana", "Ben"])
    for name in CREW:
        evening.join(name)
    kiosk.send("adjust_pool", pool="threat", change=18)
    for screen in SCREENS:
        page = far(kiosk, open_page, screen)
        expect(page.locator("#threat")).to_have_text("22")
        assert page.evaluate(COVERED, []) == [], screen
        assert page.evaluate(COVERED, ["tray", "camera"]) == [], screen
        page.add_style_tag(content=".places, .pool { flex: none !important; max-width: none !important }")
        page.add_style_tag(content=".pools { flex: 1 1 0 !important; min-width: 0 !important }")
        if screen in ("television", "upright"):
            assert page.evaluate(COVERED, ["tray", "camera"]), "a page made bad"


def test_stress_of_the_crew_stays_between_throws(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    kiosk.send("set_up_table", ruleset="core-1e", players=["Ana", "Ben"])
    for name in CREW:
        evening.join(name)
    evening.launch("Distant Harbour", scale=4, shields=10)
    evening.declare(CREW[0], label="Seal the hatch")
    evening.throw(4, 6)
    evening.settle()
    kiosk.send("add_trait", name="Core humming", kind="advantage")
    kiosk.send("start_scene", name="The flooded hold below the bridge")
    kiosk.send("add_trait", name="Smoke from the burning relays hangs in every corridor", kind="complication")
    for screen in ("television", "laptop", "upright"):
        page = far(kiosk, open_page, screen)
        until(partial(shows, page, ".company-crew li b", len(CREW)), 5)


def test_who_fights_and_the_ship_that_is_hit_stay_in_a_duel(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    for scene in EVENINGS[2]:
        scene.play(evening)
    for screen in SCREENS:
        page = far(kiosk, open_page, screen)  # two of the crew and their foe, whom nothing befell
        expect(page.locator("#stage")).to_have_attribute("data-kind", "chain")
        until(partial(shows, page, ".fighter strong", 3), 5)
        assert seen(page, ".stage-ship .silhouette"), screen
        sizes = page.evaluate("""() => ["h3", ".systems li:not([data-mark=whole]) > span:first-child"].map((place) =>
            Math.max(0, ...[...document.querySelectorAll(`#fight .ship ${place}`)].map((one) =>
                parseFloat(getComputedStyle(one).fontSize))))""")
        assert sizes[0] >= sizes[1], f"{screen}: no system is named larger than its ship"


def test_words_stand_in_the_middle_of_their_row(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    for scene in EVENINGS[2]:
        scene.play(evening)
    kiosk.post("/api/v1/screen", {"diagonal_inches": 24.0, "distance_metres": 2.0})
    page = live(open_page("/display", 1920, 1080))
    expect(page.locator("#stage")).to_have_attribute("data-kind", "chain")
    off = page.evaluate("""() => [...document.querySelectorAll(".fighter")].map((row) => {
        const middle = ({ top, height }) => top + height / 2;
        const [words, whole] = [row.querySelector("strong"), row].map((one) => one.getBoundingClientRect());
        return Math.abs(middle(words) - middle(whole)) / whole.height;
    })""")
    assert max(off) < 0.08
