"""The smallest phones, 320 pixels wide and low: what sticks, what is cut, and what has to be seen at one glance."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.program import Program
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import live
from tests.e2e.test_tabs import COVERED, HEIGHT, SCREEN, fits
from tests.e2e.thumbs import PHONE

LANGUAGES = ["en", "de", "es", "fr"]
LOW = (320, 568)
ADA, BEN, VOSK = "Lieutenant Ada Lindqvist", "Ben Adeyemi", "Raider Vosk"

STICKS = """() => {
    const tops = [...document.querySelectorAll("#declare .ready, #declare .odds, #tabs")];
    return innerHeight - Math.min(...tops.map(one => one.getBoundingClientRect().top));
}"""
"""How much of the screen is taken, from its bottom on, by what stays while the form of a Task scrolls."""

LINES = """place => {
    const range = document.createRange();
    range.selectNodeContents(place);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}"""

CUT = """list => {
    const whole = list.cloneNode(true);
    whole.style.cssText = "position: absolute; width: auto; max-width: none";
    list.parentNode.append(whole);
    const wanted = whole.offsetWidth;
    whole.remove();
    return wanted - list.offsetWidth;
}"""
"""By how many pixels a list is too narrow for the longest of its words."""


@pytest.fixture
def evening(alone_evening: Evening) -> Evening:
    """Nothing under way."""
    while any(alone_evening.table[one] for one in ("task", "agenda", "request")):
        alone_evening.send("undo")
    if alone_evening.table["conflict"] is not None:
        alone_evening.send("end_conflict")
    return alone_evening


@pytest.fixture(scope="module")
def alone_evening(standing_kiosk: Program) -> Evening:
    """That of all tests that leave its table as it is."""
    return crewed(standing_kiosk)


def crewed(kiosk: Program) -> Evening:
    """Two players' characters, a raider with a phaser, and a ship."""
    made = Evening(kiosk)
    made.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben"])
    made.join(ADA)
    made.join(BEN)
    made.join(VOSK, standing="notable_npc", weapons=["phaser_type_1"])
    made.launch("Far Lantern", scale=4)
    made.send("adjust_pool", pool="momentum", change=3)
    return made


def phone_of_ada(evening: Evening, open_page: OpenPage, path: str = "/play", **more: object) -> Page:
    """Her phone, the smallest."""
    mark = "&" if "?" in path else "?"
    return live(open_page(f"{path}{mark}me={evening.people[ADA]}", *LOW, **more, **PHONE))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_sticks_while_a_task_is_declared_leaves_seven_tenths(
    evening: Evening, open_beside: OpenPage, language: str
) -> None:
    who = evening.people[ADA]
    form = f"/play?declare=yes&character_id={who}"
    phone = phone_of_ada(evening, open_beside, form, locale=language, bypass_csp=True)
    for height in (568, 640):
        phone.set_viewport_size({"width": 320, "height": height})
        for opposed in (False, True):
            with phone.expect_response("**/parts/declare*"):
                phone.locator("#opposed").set_checked(not opposed)
                phone.locator("#opposed").set_checked(opposed)
            phone.evaluate("scrollTo(0, 200)")
            expect(phone.locator("#declare-now")).to_be_in_viewport(ratio=1)
            assert phone.evaluate(STICKS) <= 0.3 * height, (height, opposed)
            for touched in phone.locator("#declare-now, #tabs a").all():
                box = touched.bounding_box()
                assert box is not None
                assert box["height"] >= 44
            assert opposed or phone.locator("#odds").evaluate(LINES) == 1
    phone.add_style_tag(content=".tabbed .ready .odds { padding: 1rem; }")
    assert phone.evaluate(STICKS) > 0.3 * 568, "a page made bad"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tabs_of_a_fight_are_one_line(evening: Evening, open_beside: OpenPage, language: str) -> None:
    evening.fight(ADA)
    phone = phone_of_ada(evening, open_beside, locale=language)
    tabs = phone.locator("#tabs a")
    expect(tabs).to_have_count(5)
    assert [one.evaluate(LINES) for one in tabs.all()] == [1] * 5
    assert phone.locator("#tabs").evaluate("one => one.scrollWidth <= one.clientWidth")
    assert phone.locator("#tabs").evaluate("one => one.offsetHeight") <= 52


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_weapons_of_an_attack_are_named_whole(evening: Evening, open_beside: OpenPage, language: str) -> None:
    ada = evening.fight(ADA)
    evening.send("begin_turn", combatant_id=ada)
    evening.send("set_reach", first_id=ada, second_id=evening.people[VOSK], in_reach=True)
    phone = phone_of_ada(evening, open_beside, "/play/fight", locale=language)
    attack = phone.locator('#fighting .action[data-deed$="/attack"]')
    attack.locator("summary").first.tap()
    weapons = attack.locator("select[name=weapon]")
    expect(weapons).to_be_visible()
    assert weapons.evaluate(CUT) <= 0
    mark = attack.locator(".about > summary:visible").first
    weapons.evaluate("one => one.scrollIntoView({ block: 'center' })")
    assert mark.evaluate_all(COVERED) == []
    box, beside = mark.bounding_box(), weapons.bounding_box()
    assert box is not None
    assert beside is not None
    assert min(box["width"], box["height"]) >= 44
    assert box["y"] + box["height"] <= beside["y"] + 1, "it covers nothing of the list"


def seen_at_once(phone: Page, *words: str) -> None:
    """Who throws, the words given, each field and key and the button, with nothing over them."""
    for place in ("#stage .stage-who", "#stage .stage-word", "#entered .main-action"):
        expect(phone.locator(place)).to_be_in_viewport(ratio=1)
    for word in words:
        expect(phone.locator("#stage").get_by_text(word, exact=True)).to_be_in_viewport(ratio=1)
    keys = phone.locator("#entered .entry input, #entered .pad button, #entered .main-action")
    assert keys.evaluate_all(COVERED) == []
    for key in keys.all():
        box = key.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


@pytest.mark.parametrize(("language", "damage", "cover"), [("en", "Damage", "Cover"), ("de", "Schaden", "Deckung")])
def test_dice_of_no_task_say_what_they_are_for_and_all_are_in_sight(
    evening: Evening, open_beside: OpenPage, language: str, damage: str, cover: str
) -> None:
    phone = phone_of_ada(evening, open_beside, locale=language)
    vosk, ada = evening.fight(VOSK), evening.people[ADA]
    evening.send("set_cover", character_id=ada, dice=2)
    evening.send("begin_turn", combatant_id=vosk)
    shot = {"name": "attack", "target_id": ada, "weapon": "phaser_type_1"}
    evening.declare(VOSK, discipline="security", action=shot)
    evening.throw(1, 1)
    evening.send("follow_through")
    for word in (damage, cover):
        count = evening.table["request"]["count"]
        expect(phone.locator("#entered .entry input")).to_have_count(count)
        seen_at_once(phone, word)
        evening.throw(*[1] * count)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_dice_of_who_leads_helps_and_of_the_ship_are_in_sight(
    evening: Evening, open_beside: OpenPage, language: str
) -> None:
    """With as many dice as there can be; wherever the page stood."""
    phone = phone_of_ada(evening, open_beside, locale=language)
    ship = {"ship_id": evening.ships["Far Lantern"], "system": "engines", "department": "conn"}
    helper = {"character_id": evening.people[BEN], "attribute": "reason", "discipline": "science", "focus": False}
    bought = [{"payer": "threat"}] * 3
    evening.declare(ADA, label="Seal the hatch", purchases=bought, ship=ship, assists=[helper])
    for count in (5, 1, 1):
        assert evening.table["request"]["count"] == count
        expect(phone.locator("#entered .entry input")).to_have_count(count)
        expect(phone.locator("#stage .stage-word")).to_contain_text(str(count))
        seen_at_once(phone)
        evening.throw(*[1] * count)


def ship_fight(evening: Evening) -> None:
    """Ada's Turn at the tactical station of a ship that meets another."""
    arms = [{"name": "Phasers", "kind": "energy", "rating": 7, "optimal_range": "medium"}]
    evening.launch("Distant Harbour", scale=4, weapons=arms)
    evening.launch("Anvil cruiser", scale=4, weapons=arms, crew="talented")
    ada, ben, _ = evening.people.values()
    ours, theirs = evening.ships["Distant Harbour"], evening.ships["Anvil cruiser"]
    seats = [
        {"combatant_id": ada, "ship_id": ours, "station": "tactical"},
        {"combatant_id": ben, "ship_id": ours, "station": "helm"},
        {"combatant_id": theirs},
    ]
    evening.send("start_conflict", kind="starship", combatants=seats, begins=ada)
    evening.send("begin_turn", combatant_id=ada)


CHOICES = """() => {
    const headed = [...document.querySelectorAll("#acting section, section[aria-labelledby=actions-title]")];
    const chosen = ".action > summary > span, .option button, .deeds > form button";
    return headed.map(one => [...one.querySelectorAll(chosen)].map(each => each.firstChild.textContent.trim()));
}"""
"""What can be chosen on the page of a fight, by the headings that it stands under; what is folded, too."""


def test_the_page_of_a_fight_keeps_within_two_screens_and_lists_each_choice_once(
    kiosk: Program, open_page: OpenPage
) -> None:
    """As it opens: with what can be done again beside what can be undone it is a line longer."""
    evening = crewed(kiosk)
    page = live(open_page("/conflict", 390, SCREEN, bypass_csp=True, **PHONE))
    fits(page)
    evening.fight(ADA)
    expect(page.get_by_role("button", name=f"Begin {ADA}'s Turn")).to_be_visible()
    fits(page)
    evening.send("begin_turn", combatant_id=evening.people[ADA])
    for aboard in (False, True):
        if aboard:
            ship_fight(evening)
        expect(page.locator("#acting[data-turn] .option").first).to_be_attached()
        fits(page)
        headings = page.locator("#acting > section").evaluate_all("all => all.map(one => one.ariaLabel)")
        assert len(headings) == len(set(headings)), headings
        groups = page.evaluate(CHOICES)
        for some in groups:
            assert len(some) == len(set(some)), some
        assert not [one for one in groups[-1] if "Prepare" in one or "Interact" in one], "they stand in the menu"
        evening.send("end_conflict")
    page.add_style_tag(content=".fights main { gap: 8rem !important; }")
    assert page.evaluate(HEIGHT) > 2 * SCREEN, "a page made bad"


@pytest.mark.parametrize("width", [320, 390])
def test_each_awaited_die_is_drawn_on_a_narrow_stage(evening: Evening, open_beside: OpenPage, width: int) -> None:
    """And what the page is stands in one line with how its connection is."""
    page = live(open_beside("/display", width, SCREEN, **PHONE))
    evening.declare(ADA, purchases=[{"payer": "threat"}])
    dice = page.locator("#stage .awaited .die-face")
    expect(dice).to_have_count(3)
    boxes = [one.bounding_box() for one in dice.all()]
    assert [box for box in boxes if box is None or min(box["width"], box["height"]) < 44] == []
    assert len({round(box["height"]) for box in boxes if box}) == 1, "each is as large as the next"
    title, link = page.locator(".station h1").bounding_box(), page.locator("#link").bounding_box()
    assert title is not None
    assert link is not None
    assert link["y"] < title["y"] + title["height"]
