"""The table's screen uses its room: nobody is left out beside empty space, and what finds none is counted."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.docs_pictures import _kept_picture
from tests.e2e.conftest import OpenPage, pages_of
from tests.e2e.crew import set_up
from tests.e2e.program import Program, until
from tests.e2e.scenes import EVENINGS, Evening
from tests.e2e.test_stage_events import LETTERS, SCREENS, on_each, opened
from tests.e2e.warm import WarmProgram

FIGHTERS = """() => {
    const fight = document.getElementById("fight");
    const seen = [...fight.querySelectorAll(".fighter")].filter((one) => one.checkVisibility());
    const told = [...fight.querySelectorAll(".folded")].filter((one) => one.checkVisibility());
    const counted = told.reduce((sum, one) => sum + Number(one.textContent.match(/\\d+/)[0]), 0);
    const last = Math.max(...[...seen, ...told].map((one) => one.getBoundingClientRect().bottom));
    const row = Math.max(...seen.map((one) => one.getBoundingClientRect().height));
    const free = (fight.getBoundingClientRect().bottom - last) / row;
    return [seen.length, counted, free, fight.scrollHeight <= fight.clientHeight];
}"""
"""How many fighters are seen and how many are counted, how many rows would still fit, and whether all of it is seen."""

COMPANY = """() => {
    const company = document.getElementById("company");
    const seen = (one) => one.checkVisibility();
    const ships = [...company.querySelectorAll(".company-ships > li:not(.company-more)")].filter(seen);
    const told = [...company.querySelectorAll(".company-more")].filter(seen).map((one) => one.textContent);
    const boxes = [...company.querySelectorAll(".company-ships > li, .company-crew > li, .company-recent > li")]
        .filter(seen).map((one) => one.getBoundingClientRect());
    const lies = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    const on = boxes.some((one) => boxes.some((other) => one !== other && lies(one, other)));
    return [ships.length, told, on, company.querySelectorAll(".company-recent > li strong").length > 0
        && company.querySelector(".company-recent > li").checkVisibility()];
}"""
"""The ships that are drawn, the words for others, whether something lies on another, and whether the log is seen."""

RINGS = """() => {
    const company = document.getElementById("company").getBoundingClientRect();
    const rings = [...document.querySelectorAll("#company .shield-left")].filter((one) => one.checkVisibility());
    return rings.filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const box = one.ownerSVGElement.getBoundingClientRect();
        const scale = Math.min(box.width / 252, box.height / 128);
        const [wide, high] = [2 * scale + .015 * box.width, 2 * scale + .02 * box.height];
        return left - wide < company.left || right + wide > company.right
            || top - high < company.top || bottom + high > company.bottom;
    }).length;
}"""
"""How many rings of Shields are cut, with the width of their line and as far as a ship drifts."""

ON_WORDS = """() => {
    const outlines = [...document.querySelectorAll("#stage .awaited > svg")].map((one) => one.getBoundingClientRect());
    const found = [], range = document.createRange();
    const walk = document.createTreeWalker(document.getElementById("stage"), NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        if (!node.data.trim() || !node.parentElement.checkVisibility()) continue;
        range.selectNodeContents(node);
        for (const one of range.getClientRects())
            for (const { left, right, top, bottom } of outlines)
                if (Math.min(right, one.right) > Math.max(left, one.left)
                    && Math.min(bottom, one.bottom) > Math.max(top, one.top)) found.push(node.data.trim());
    }
    return [Math.min(...outlines.map(({ width, height }) => Math.min(width, height))) / innerHeight, found];
}"""
"""How large the least outline of a die is, as a share of the screen's height, and the words that outlines lie over."""

LABELLED = """() => [...document.querySelectorAll("#fight .side")].map((side) => {
    const [title, label] = [side.querySelector("h3").firstChild, side.querySelector(".column")];
    if (!label?.checkVisibility()) return "no label";
    const range = document.createRange();
    range.selectNodeContents(title);
    const [one, other] = [range.getBoundingClientRect(), label.getBoundingClientRect()];
    const beside = one.right <= other.left || other.right <= one.left || (one.top + one.bottom) / 2 < other.top;
    return beside && label.scrollWidth <= label.clientWidth ? "" : "one on the other";
})"""
"""What is wrong, side after side, with the word above its numbers."""


def test_little_room_is_left_while_fighters_are_only_counted(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    evening.people["Ada Lindqvist"] = set_up(kiosk)
    evening.join("Ben Adeyemi")
    evening.join("Brack", standing="notable_npc")
    for number in range(1, 8):
        evening.join(f"Smuggler {number}", standing="minor_npc")
    evening.send("take_weapon", character_id=evening.people["Ada Lindqvist"], weapon="phaser_type_2")
    evening.send("begin_turn", combatant_id=evening.fight("Ada Lindqvist"))
    pages = on_each(open_page)
    aim = {"name": "attack", "target_id": evening.people["Brack"], "weapon": "phaser_type_2"}
    evening.send("declare_task", declaration={"character_id": evening.people["Ada Lindqvist"], "action": aim})
    for screen, page in pages.items():
        expect(page.locator("#stage")).to_have_attribute("data-kind", "ask")
        until(partial(whole, page))
        seen, counted, free, seen_whole = page.evaluate(FIGHTERS)
        assert (seen + counted, seen_whole) == (10, True), f"{screen}: whoever is not seen is counted"
        assert seen >= (4 if screen == "upright" else 6), screen
        assert free < 4, f"{screen}: room for {free} more"


def whole(page: Page) -> bool:
    """Whether all of a fight is seen."""
    return bool(page.evaluate(FIGHTERS)[3])


def crewed(evening: Evening, ships: int) -> None:
    """Five of a crew, so many ships, and three outcomes, before a new scene."""
    evening.people["Ada Lindqvist"] = set_up(evening.program)
    for name in ("Ben Adeyemi", "Tomás Okoro", "Mirembe Sato", "Pell Varga"):
        evening.join(name)
    for number in range(1, ships + 1):
        evening.launch(f"Runabout {number}", scale=4, shields=9)
    for faces in ((4, 6), (18, 19), (3, 9)):
        evening.declare(label="Seal the hatch", difficulty=1)
        evening.throw(*faces)
        evening.settle()
    evening.send("start_scene", name="The bridge")


def company(page: Page) -> list[int | list[str] | bool]:
    """What is seen between throws, once it is fitted."""
    expect(page.locator("#stage")).to_have_attribute("data-kind", "idle")
    found: list[int | list[str] | bool] = page.evaluate(COMPANY)
    return found


def test_ships_are_drawn_or_counted_and_lie_on_nothing(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    crewed(evening, ships=7)
    for screen, page in on_each(open_page).items():
        assert company(page) in ([7, [], False, True], [3, ["and 4 more ships"], False, True]), screen
        assert page.evaluate(RINGS) == 0, screen


def test_a_caption_of_two_lines_leaves_the_log_and_a_whole_ring(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    crewed(evening, ships=1)
    pages = on_each(open_page)
    name = "Smoke from the burning relays hangs in every corridor of the deck below"
    evening.send("add_trait", name=name, kind="complication")
    for screen, page in pages.items():
        expect(page.locator("#caption")).to_contain_text("Smoke")
        assert company(page) == [1, [], False, True], screen
        assert page.evaluate(RINGS) == 0, screen


def test_awaited_dice_lie_on_no_words(kiosk: Program, open_page: OpenPage) -> None:
    """Also beside a long label and a line more, where the screen is low."""
    evening = Evening(kiosk)
    for scene in EVENINGS[0][:3]:
        scene.play(evening)
    page = opened(open_page, SCREENS["touch"])
    for dice in (2, 3, 5):
        evening.send("undo")
        bought = [{"payer": "threat"}] * (dice - 2)
        evening.declare(label="Seal the hatch before the hold floods", purchases=bought, complication_range=2)
        expect(page.locator("#stage .awaited")).to_have_count(dice)
        for width, height in (SCREENS["touch"], SCREENS["laptop"]):
            page.set_viewport_size({"width": width, "height": height})
            least, on = page.evaluate(ON_WORDS)
            assert (least > 0.14, on) == (True, []), (dice, width)


def test_numbers_on_foot_say_what_they_are(kiosk: Program, open_page: OpenPage) -> None:
    """Between throws and beside a hit."""
    evening = Evening(kiosk)
    evening.people["Ada Lindqvist"] = set_up(kiosk)
    evening.join("Ben Adeyemi")
    evening.join("Brack", standing="notable_npc")
    evening.join("Smuggler", standing="minor_npc")
    pages = on_each(open_page)
    evening.send("begin_turn", combatant_id=evening.fight("Ada Lindqvist"))
    for kind in ("turn", "chain"):
        if kind == "chain":
            evening.send("strike_hazard", target_id=evening.people["Ben Adeyemi"], rating=3, reason="Falling rocks")
            evening.throw(2, 2, 1)
        for screen, page in pages.items():
            expect(page.locator("#stage")).to_have_attribute("data-kind", kind)
            until(partial(whole, page))
            assert page.evaluate(LABELLED) == ["", ""], f"{kind}, {screen}"


NARROW = ((390, 844), (320, 568))
LARGE = """() => Math.min(...[...document.querySelectorAll("#stage .dice > :is(.die, .awaited)")].map((one) => {
    const seen = [...one.querySelectorAll(".die-face, .die-photograph, .die-picture")]
        .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
    const boxes = seen.map((each) => each.getBoundingClientRect());
    return Math.min(...boxes.map(({ width, height }) => Math.min(width, height)));
})) / innerWidth"""
"""How large the least die of a throw is, or its picture, as a share of the screen's width."""

LEAST_DIE = {"doubtful": 0.23, "wrong-count": 0.23, "success": 0.23, "failure": 0.27, "challenge": 0.23, "free": 0.27}
"""How much each has at least on a phone."""


ABOVE = """() => [...document.querySelectorAll("#stage .die")].filter((one) => {
    const face = [...one.querySelectorAll(".die-face, .die-picture")].find((each) => each.checkVisibility());
    return one.querySelector(".die-words").getBoundingClientRect().top < face.getBoundingClientRect().bottom - 1;
}).map((one) => one.textContent)"""
"""The dice whose words stand above them."""


def test_a_stage_on_a_phone_is_seen_whole(kiosk: Program, open_page: OpenPage) -> None:
    """In every scene: with all below it, dice as large as their number lets them be, and the crew between throws."""
    evening = Evening(kiosk, photographed=lambda: _kept_picture(kiosk))
    pages = [opened(open_page, size) for size in NARROW]
    for scene in EVENINGS[0]:
        scene.play(evening)
        for page in pages:
            expect(page.locator("#stage")).to_have_attribute("data-kind", scene.kind)
            expect(page.locator(".stage-word")).to_have_text(scene.word)
            state = f"{scene.name}, {page.viewport_size}"
            if scene.name == "doubtful":
                expect(page.locator(".die-picture[data-came]")).to_be_visible()
                expect(page.locator(".die:has(.die-picture) > .die-face")).to_be_hidden()
                assert page.evaluate(ABOVE) == [], state
            assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") <= 0, state
            if scene.name in LEAST_DIE:
                assert page.evaluate(LARGE) >= LEAST_DIE[scene.name], state
            if scene.name == "ready":
                for name in evening.people:
                    expect(page.locator(".company-crew")).to_contain_text(name)
                expect(page.locator(".company-crew li b").first).to_be_in_viewport(ratio=1)


def test_a_hit_ship_on_a_phone_is_seen_whole(kiosk: Program, open_page: OpenPage) -> None:
    """The ship has the width of the stage, and a Turn's headline no empty frame."""
    evening = Evening(kiosk)
    pages = [opened(open_page, size) for size in NARROW]
    for scene in EVENINGS[2]:
        scene.play(evening)
        for page in pages:
            expect(page.locator("#stage")).to_have_attribute("data-kind", scene.kind)
            assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") <= 0, scene.name
            if scene.kind == "turn":
                high = "() => document.getElementById('stage').offsetHeight / innerHeight"
                assert page.evaluate(high) < 0.12
            else:
                share = "one => one.getBoundingClientRect().width / document.getElementById('stage').offsetWidth"
                assert page.locator(".stage-ship").evaluate(share) > 0.8


def test_what_a_breach_does_is_seen_in_longer_words_too(browser: Browser, tmp_path: Path) -> None:
    """However much the caption says of the hit."""
    settings = tmp_path / "trueroll.toml"
    settings.write_text('[language]\nroom = "de"\n')
    nothing = ("--config", str(settings), "--camera", "off", "--tray", "off")
    with WarmProgram(tmp_path / "data", *nothing) as kiosk, pages_of(browser, kiosk) as opens:
        evening = Evening(kiosk)
        for scene in EVENINGS[1]:
            scene.play(evening)
        for size in ((1280, 720), (1920, 1080)):
            page = opened(opens, size)
            until(partial(whole, page))
            broken = page.locator('#fight .systems li[data-mark]:not([data-mark="whole"]) .system-state')
            expect(broken).to_be_in_viewport(ratio=1)


def test_words_of_ships_come_before_larger_drawings(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    for scene in EVENINGS[1]:
        scene.play(evening)
    for size in ((1280, 720), (1920, 1080)):
        page = opened(open_page, size)
        until(partial(whole, page))
        broken = page.locator('#fight .systems li[data-mark]:not([data-mark="whole"]) .system-state')
        expect(broken).to_be_in_viewport(ratio=1)
        expect(page.locator("#fight .all-work").last).to_be_in_viewport(ratio=1)
        drawn = page.locator("#fight .silhouette").last.bounding_box()
        assert drawn is not None
        assert drawn["width"] > 0.15 * size[0], "and still drawn large"


UPRIGHT = ((768, 1366), (639, 900), (540, 900), (449, 800))
BETWEEN = """() => {
    const box = (one) => one.getBoundingClientRect();
    const [stage, crew, way] = [".stage", ".company-crew", "#join button"].map((one) => document.querySelector(one));
    const found = [...crew.children].filter((one) => {
        const holds = [...one.children].filter((each) => each.checkVisibility()).map(box);
        const high = Math.max(...holds.map(({ bottom }) => bottom)) - Math.min(...holds.map(({ top }) => top));
        return box(one).height > 1.6 * high;
    }).map((one) => `hardly filled: ${one.textContent}`);
    if (box(way).bottom > box(crew).top) found.push("the way to a code stands beside or below the crew");
    if (box(way).top > box(stage).bottom + .1 * innerHeight) found.push("it is far from the word");
    return found;
}"""
"""What is wrong between throws with a crew without a ship, while phones are kept out."""


def test_a_small_crew_and_the_way_to_a_code_stand_where_one_looks(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    EVENINGS[0][1].play(evening)
    for size in ((1920, 1080), (1280, 720), (1024, 600), *UPRIGHT):
        page = opened(open_page, size)
        for name in evening.people:
            expect(page.locator(".company-crew")).to_contain_text(name)
        for one in page.locator(".company-crew li b").all():
            expect(one).to_be_in_viewport(ratio=1)
        assert page.evaluate(BETWEEN) == [], size


def test_upright_a_turn_and_a_ship_that_is_hit_are_large(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    page = opened(open_page, UPRIGHT[0])
    for scene in EVENINGS[2]:
        scene.play(evening)
        expect(page.locator("#stage")).to_have_attribute("data-kind", scene.kind)
        if scene.kind == "turn":
            assert page.locator(".stage-word").evaluate(LETTERS) > 0.07 * UPRIGHT[0][0]
        else:
            share = "one => one.getBoundingClientRect().width / innerWidth"
            assert page.locator("#stage .shield-most").evaluate(share) > 0.55
        until(partial(whole, page))


def test_who_acts_next_is_asked_once(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    evening.people["Ada Lindqvist"] = set_up(kiosk)
    for name in ("Ben Adeyemi", "Tomás Okoro", "Mirembe Sato"):
        evening.join(name)
    for number in range(1, 8):
        evening.join(f"Smuggler {number}", standing="minor_npc")
    page = opened(open_page, SCREENS["laptop"])
    evening.send(
        "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in evening.people.values()]
    )
    expect(page.locator("#stage")).to_contain_text("Choose who acts next.")
    expect(page.locator("#caption")).to_contain_text("Conflict, Round 1.")
    assert "Choose who acts next." in kiosk.table()["narration"]["normal"], "the voice asks it"
    expect(page.locator("#caption")).not_to_contain_text("Choose who acts next.")
