"""Damage, a foe's hit and a triumph on the table's screen: each is told so that all see across the room what it is."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import set_up
from tests.e2e.program import Program
from tests.e2e.scenes import Evening, _crew

SCREENS = {"television": (1920, 1080), "laptop": (1280, 800), "touch": (1024, 600), "upright": (1080, 1920)}

SEEN = """() => {
    const stage = document.getElementById("stage");
    const box = stage.getBoundingClientRect();
    const found = [];
    if (stage.scrollHeight > stage.clientHeight || stage.scrollWidth > stage.clientWidth) found.push("it is scrolled");
    const shown = [...stage.querySelectorAll(".stage-word, .facts, .die-face, .silhouette, .ship-aim, .stage-next")]
        .filter((one) => one.checkVisibility());
    const place = (one) => one.getBoundingClientRect();
    for (const one of shown) {
        const { left, right, top, bottom } = place(one);
        if (left < box.left || right > box.right || top < box.top || bottom > box.bottom) {
            found.push(`outside: ${one.getAttribute("class")}`);
        }
    }
    const apart = shown.filter((one) => !one.matches(".ship-aim"));
    for (const one of apart) for (const other of apart) {
        const [a, b] = [place(one), place(other)];
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        if (one !== other && high > 2 && wide > 2) {
            found.push(`${one.getAttribute("class")} on ${other.getAttribute("class")}`);
        }
    }
    return found;
}"""
"""What of the stage is cut off, or stands on something else."""

SIGN = """(one) => {
    const { maskImage, backgroundColor } = getComputedStyle(one, "::before");
    return [maskImage.split("/").at(-1), backgroundColor];
}"""
"""The shape and the colour of the sign before a headline."""

HEIGHTS = "(all) => Math.min(...all.map((one) => one.getBoundingClientRect().height))"

LETTERS = "(one) => parseFloat(getComputedStyle(one).fontSize)"


def armed(evening: Evening) -> None:
    """Lindqvist and Brack with phasers, in a fight."""
    evening.people["Ada Lindqvist"] = set_up(evening.program)
    evening.join("Brack", standing="notable_npc", weapons=["phaser_type_2"])
    evening.send("take_weapon", character_id=evening.people["Ada Lindqvist"], weapon="phaser_type_2")
    evening.fight("Ada Lindqvist")


def attacks(evening: Evening, who: str, action: dict[str, Any], *faces: int | str) -> None:
    """An attack that hits, with the dice of its damage, as far as it is decided without a choice."""
    evening.send("declare_task", declaration={"character_id": evening.people[who], "action": action})
    while (evening.table["request"] or {}).get("kind") == "d20":
        evening.throw(*[1, 2][: evening.table["request"]["count"]])
    evening.send("follow_through")
    evening.throw(*[*faces, *["blank"] * 20][: evening.table["request"]["count"]])


def opened(open_page: OpenPage, size: tuple[int, int]) -> Page:
    page = open_page("/display", *size)
    expect(page.locator("#link")).to_have_attribute("data-state", "live")
    page.evaluate("document.fonts.ready")
    return page


def on_each(open_page: OpenPage) -> dict[str, Page]:
    """The display on every screen, of one kiosk."""
    return {screen: opened(open_page, size) for screen, size in SCREENS.items()}


def test_a_settled_hit_shows_its_damage_dice_and_what_is_left(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    armed(evening)
    evening.send("begin_turn", combatant_id=evening.people["Ada Lindqvist"])
    shot = {"name": "attack", "target_id": evening.people["Brack"], "weapon": "phaser_type_2"}
    attacks(evening, "Ada Lindqvist", shot, "effect", 2, 1)
    pages = on_each(open_page)
    evening.send("settle_damage")
    for screen, page in pages.items():
        expect(page.locator(".stage-word")).to_have_text("Lindqvist hits Brack: 4 damage")
        expect(page.locator("#stage .die-challenge")).to_have_count(6)
        expect(page.locator("#stage .die-d20")).to_have_count(0)
        expect(page.locator("#stage .facts")).to_have_text("Stress of Brack7 of 11")
        assert page.evaluate(SEEN) == [], screen
        share = 0.05 if screen == "upright" else 0.08
        assert page.locator("#stage .die-face").evaluate_all(HEIGHTS) > share * SCREENS[screen][1], screen


def test_a_ship_that_is_hit_stands_there_beside_the_dice(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    _crew(evening, "core-1e")
    fire = {"name": "fire_weapon", "scope": "bridge", "target_id": evening.ships["Black Comet"], "weapon": "Phasers"}
    attacks(evening, "Ada Lindqvist", fire, 2, 2, 2, "effect", 2, 1, 2)
    pages = on_each(open_page)
    settle = [one["command"] for one in evening.program.table()["options"]]
    evening.send(**next(one for one in settle if one["command"] == "settle_ship_hit"))
    for screen, page in pages.items():
        expect(page.locator(".stage-word")).to_have_text("Lindqvist hits Black Comet: 2 Breaches")
        expect(page.locator(".stage-ship .silhouette")).to_be_visible()
        expect(page.locator("#stage .die-challenge")).to_have_count(7)
        expect(page.locator("#stage .facts")).to_have_text("Shields of Black Comet0 of 6")
        assert page.evaluate(SEEN) == [], screen


def test_six_dice_beside_our_own_ship_stand_in_two_rows(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    _crew(evening, "core-1e")
    evening.send("end_turn")
    evening.people["Black Comet"] = evening.ships["Black Comet"]
    arms = [{"name": "Phasers", "kind": "energy", "rating": 6, "optimal_range": "medium"}]
    evening.launch(
        "Black Comet", ship_id=evening.ships["Black Comet"], crew="talented", scale=4, shields=6, weapons=arms
    )
    evening.send("begin_turn", combatant_id=evening.people["Black Comet"])
    fire = {"name": "fire_weapon", "scope": "bridge", "target_id": evening.ships["Far Lantern"], "weapon": "Phasers"}
    attacks(evening, "Black Comet", fire, 2)
    evening.throw(2, "effect", 2, 2, "effect", 2)
    pages = on_each(open_page)
    settle = [one["command"] for one in evening.program.table()["options"]]
    evening.send(**next(one for one in settle if one["command"] == "settle_ship_hit"))
    for screen, page in pages.items():
        expect(page.locator(".stage-word")).to_contain_text("Black Comet hits Far Lantern: 6 damage")
        faces = page.locator("#stage .die > .die-face")
        expect(faces).to_have_count(6)
        assert page.evaluate(SEEN) == [], screen
        wide = faces.evaluate_all("(all) => Math.min(...all.map((one) => one.getBoundingClientRect().width))")
        high = faces.evaluate_all(HEIGHTS)
        assert min(wide, high) > 0.6 * max(wide, high), f"{screen}: no bar with a small die in it"


def test_what_a_foe_does_bears_no_sign_of_the_players_success(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    armed(evening)
    page = opened(open_page, (1280, 800))
    signs = {}
    for who, whom in (("Ada Lindqvist", "Brack"), ("Brack", "Ada Lindqvist")):
        evening.send("begin_turn", combatant_id=evening.people[who])
        shot = {"name": "attack", "target_id": evening.people[whom], "weapon": "phaser_type_2"}
        attacks(evening, who, shot, 1, 1, 1)
        evening.send("settle_damage")
        evening.settle()
        expect(page.locator(".stage-word")).to_contain_text(f"{who.rpartition(' ')[2]} hits")
        signs[who] = page.locator(".stage-word").evaluate(SIGN)
        evening.send("end_turn")
    ours, theirs = signs["Ada Lindqvist"], signs["Brack"]
    assert ours[0] != theirs[0], "another shape"
    assert ours[1] != theirs[1], "another colour"


def test_a_triumph_is_the_largest_word_of_all(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    evening.people["Ada Lindqvist"] = set_up(kiosk)
    evening.send("adjust_pool", pool="momentum", change=6)
    pages = on_each(open_page)
    evening.declare(label="Seal the hatch before the hold floods", purchases=[{"payer": "momentum"}])
    evening.throw(1, 2, 3)
    for screen, page in pages.items():
        banner = page.locator(".stage-banner")
        expect(banner).to_have_text("Triumph!")
        assert banner.evaluate(LETTERS) > 1.5 * page.locator(".stage-word").evaluate(LETTERS), screen
        expect(page.locator("#caption")).to_contain_text("Triumph. 6 successes")
        assert page.evaluate(SEEN) == [], screen
    evening.settle()
    evening.declare(difficulty=1)
    evening.throw(4, 12)
    for page in pages.values():
        expect(page.locator(".stage-word")).to_contain_text("succeeds")
        expect(page.locator(".stage-banner")).to_have_count(0)


def test_what_stands_large_is_in_no_caption_and_what_the_caption_asks_not_above_it(
    kiosk: Program, open_page: OpenPage
) -> None:
    evening = Evening(kiosk)
    armed(evening)
    evening.send("begin_turn", combatant_id=evening.people["Ada Lindqvist"])
    page = opened(open_page, (1280, 800))
    expect(page.locator(".stage-word")).to_have_text("Ada Lindqvist's Turn")
    expect(page.locator("#caption")).to_have_text("")
    aim = {"name": "attack", "target_id": evening.people["Brack"], "weapon": "phaser_type_2"}
    evening.send("declare_task", declaration={"character_id": evening.people["Ada Lindqvist"], "action": aim})
    evening.throw(1, 2)
    evening.send("follow_through")
    expect(page.locator(".stage-word")).to_have_text("Throw 6 Challenge Dice")
    expect(page.locator("#caption")).to_have_text("Ada Lindqvist hits Brack.")
    evening.throw(1, 1, 1, *["blank"] * 3)
    expect(page.locator("#caption")).to_contain_text("Buy more for this damage, or settle it.")
    expect(page.locator("#stage .stage-lines")).to_be_hidden()
    evening.send("adjust_pool", pool="threat", change=1)
    expect(page.locator("#caption")).not_to_contain_text("Buy more")
    expect(page.locator("#stage .stage-lines")).to_have_text("Buy more for this damage, or settle it.")
    expect(page.locator("#stage .stage-lines")).to_be_visible()


APART = """() => [...document.querySelectorAll("#fight .fighter:has([data-numbered])")].map((one) => {
    const number = one.querySelector(".gauge:first-child dd");
    const edge = parseFloat(getComputedStyle(number).borderInlineStartWidth);
    return [edge > 0, number.getBoundingClientRect().right <= one.getBoundingClientRect().right];
})"""
"""Of each fighter whose name ends in a number: whether a line parts it from the next, and that one is in its row."""


def test_the_number_of_a_name_is_parted_from_the_stress_beside_it(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    evening.people["Ada Lindqvist"] = set_up(kiosk)
    for name in ("Hired blade 1", "Hired blade 2"):
        evening.join(name, standing="minor_npc")
    evening.fight("Ada Lindqvist")
    evening.send("begin_turn", combatant_id=evening.people["Ada Lindqvist"])
    page = opened(open_page, (1920, 1080))
    evening.declare()
    expect(page.locator("#stage")).to_have_attribute("data-kind", "ask")
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
    assert page.evaluate(APART) == [[True, True]] * 2
