"""A fight on a player's phone: at one's own Turn what strikes leads; a conflict is begun where one looks for it."""

from __future__ import annotations

import re
from urllib.request import urlopen

import cv2
import numpy as np
import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration
from tests.e2e.naming import misnamed
from tests.e2e.program import Program
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import live
from tests.e2e.test_tabs import fits
from tests.e2e.thumbs import PHONE, phone_of, touchable

ADA = "Lieutenant Ada Lindqvist"


@pytest.fixture(scope="module")
def evening(standing_kiosk: Program) -> Evening:
    """Two players' characters, a raider in Reach of the first, and a ship that is not in the fight."""
    made = Evening(standing_kiosk)
    made.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben"])
    for name in (ADA, "Ben Adeyemi"):
        made.join(name)
    made.join("Raider Vosk", standing="notable_npc")
    made.launch("Far Lantern", scale=4)
    made.send("adjust_pool", pool="momentum", change=3)
    return made


@pytest.fixture(scope="module")
def phone(evening: Evening, open_standing: OpenPage) -> Page:
    """Ada's phone."""
    assert ADA in evening.people
    return phone_of(ADA, open_standing("/play/fight", 390, 844, bypass_csp=True, **PHONE))


def fight(evening: Evening) -> str:
    """A conflict on foot from its first Turn, the raider in Ada's Reach; her id."""
    ada = evening.fight(ADA)
    evening.send("set_reach", first_id=ada, second_id=evening.people["Raider Vosk"], in_reach=True)
    return ada


def peace(evening: Evening) -> None:
    """Nothing under way."""
    while evening.table["task"] is not None:
        evening.send("undo")
    if evening.table["conflict"] is not None:
        evening.send("end_conflict")


def turn(evening: Evening) -> None:
    """Ada's first Turn of such a conflict, possibly left by the test before."""
    ada = evening.people[ADA]
    while evening.table["task"] is not None:
        evening.send("undo")
    now = evening.table["conflict"] or {"turn": None}
    if now["turn"] is None or (now["kind"], now["turn"]["combatant_id"]) != ("personal", ada):
        evening.send("begin_turn", combatant_id=fight(evening))


def picks(kiosk: Program, path: str) -> int:
    """How many dice of a throw a page offers to throw again, as it is fetched."""
    with urlopen(kiosk.address + path) as answer:  # noqa: S310 - our own address
        return len(re.findall(r'<input type="checkbox" name="die\d+"', answer.read().decode()))


def shows(phone: Page, evening: Evening, path: str) -> Page:
    """The phone at that page."""
    if phone.url.partition("#")[0] != evening.program.address + path:
        phone.goto(evening.program.address + path)
    return live(phone)


def test_a_conflict_is_begun_first_and_on_foot_nobody_is_asked_for_a_ship(
    evening: Evening, open_beside: OpenPage
) -> None:
    page = live(open_beside("/conflict", 390, 844, bypass_csp=True, **PHONE))
    if evening.table["conflict"] is not None:
        evening.send("end_conflict")
    expect(page.locator("#begin-title")).to_be_visible()
    headings = page.locator("#live h2").all_inner_texts()
    assert headings.index("Begin a conflict") == 1, headings
    expect(page.get_by_label("On which ship").first).to_be_hidden()
    page.get_by_label("Kind").select_option("starship")
    expect(page.get_by_label("On which ship").first).to_be_visible()
    shown = page.locator("#acting > section > details > summary, #acting > details > summary").all_inner_texts()
    assert "At a ship's stations" in shown
    assert [one for one in shown if "Helm" in one or "Tactical" in one] == [], "stations are folded into one"


def test_ones_own_turn_leads_with_what_can_be_done(evening: Evening, phone: Page) -> None:
    ada = fight(evening)
    expect(phone.locator("#fighting section")).to_have_count(0)
    evening.send("begin_turn", combatant_id=ada)
    attack = phone.locator("#fighting summary", has_text="Attack")
    expect(attack).to_be_visible()
    end = phone.get_by_role("button", name="End the Turn")
    expect(end).to_have_text("End the Turn")
    assert misnamed(phone) == []
    aim = phone.locator("#actions").get_by_role("button", name="Aim", exact=True)
    expect(aim).to_have_text("Aim")
    tops = [one.evaluate("one => one.getBoundingClientRect().top") for one in (attack, aim, end)]
    assert tops == sorted(tops)
    expect(phone.get_by_role("button", name="Adeyemi is next").first).to_be_hidden()
    phone.locator("#actions summary").get_by_text("Keep the Initiative", exact=True).tap()
    expect(phone.get_by_role("button", name="Adeyemi is next").first).to_be_visible()
    first = phone.locator("#fighting .action > summary > span").first
    expect(first).to_have_text("Attack")
    expect(phone.locator("#standing .fighter").first).to_be_hidden()
    end.tap()
    expect(phone.locator("#standing .fighter").first, "unfolded once the Turn is over").to_be_visible()


def test_on_foot_foes_lead_the_targets_and_no_ship_is_among_them(evening: Evening, phone: Page) -> None:
    turn(evening)
    attack = phone.locator('#fighting .action[data-deed$="/attack"]')
    attack.locator("summary").first.tap()
    offered = attack.get_by_label("At whom").locator("option:not([value=''])")
    expect(offered.first).to_have_text("Raider Vosk")
    expect(offered.get_by_text("Far Lantern")).to_have_count(0)
    first = phone.locator("#fighting .deeds > *").first
    expect(first).to_have_class("action")
    attack.locator("summary").first.tap()


def test_what_was_chosen_stays_when_the_table_changes(evening: Evening, phone: Page) -> None:
    turn(evening)
    guard = phone.locator('#fighting .action[data-deed$="/guard"]')
    guard.locator("summary").first.tap()
    guard.get_by_label("Who is guarded").select_option(evening.people["Ben Adeyemi"])
    threat = evening.table["threat"]
    evening.send("gain_threat", event="threatening_scene", amount=1)
    expect(phone.locator("#threat")).to_have_text(str(threat + 1))
    chosen = guard.get_by_label("Who is guarded")
    expect(chosen).to_have_value(evening.people["Ben Adeyemi"])
    expect(chosen).to_be_visible()
    touchable(phone)


def bare_above(phone: Page, button: Locator, width: int, height: int) -> bool:
    """Whether nothing of a row is seen at the edge of a button that stays in sight, on a screen of that size."""
    phone.set_viewport_size({"width": width, "height": height})
    box = button.bounding_box()
    assert box is not None
    edge: FloatRect = {"x": box["x"] + 4, "y": box["y"] - 7, "width": box["width"] - 8, "height": 6}
    picture = cv2.imdecode(np.frombuffer(phone.screenshot(clip=edge), np.uint8), cv2.IMREAD_COLOR)
    return picture is not None and not np.ptp(picture, axis=(0, 1)).any()


def test_two_taps_strike_the_only_foe(evening: Evening, phone: Page) -> None:
    turn(evening)
    phone.reload()
    phone.locator("#fighting summary", has_text="Attack").tap()
    strike = phone.locator('#fighting .action[data-deed$="/attack"]').get_by_role("button", name="Attack")
    expect(strike, "in sight").to_be_in_viewport(ratio=1)
    fits(phone)
    assert [bare_above(phone, strike, *size) for size in ((320, 568), (390, 844))] == [True, True]
    heading = phone.locator("#fighting summary", has_text="choose an action")
    heading.tap()
    expect(phone.locator("#do-end_turn"), "closed, it shows what else there is").to_be_visible()
    heading.tap()
    strike.tap()
    expect(phone.locator(".stage-word")).to_have_text("Throw 2 d20s")
    action = evening.table["task"]["declaration"]["action"]
    assert (action["name"], action["target_id"]) == ("attack", evening.people["Raider Vosk"])
    expect(phone.locator("#fighting section")).to_have_count(0)
    expect(phone.locator(".entry input").first).to_be_focused()


STATED = """(one, state) => {
    const made = one.cloneNode(true);
    Object.assign(made, { id: "stated" }).dataset.state = state;
    one.after(made);
}"""
"""Sets a copy of the connection's words beside it, in a state of its own."""


def test_bars_and_the_live_dot_are_true_in_forced_colours(evening: Evening, open_beside: OpenPage) -> None:
    turn(evening)
    display = live(open_beside("/conflict", 800, 600, bypass_csp=True, forced_colors="active"))
    bar = display.locator("#live .fighter .bar").first
    expect(bar).to_be_visible()

    def drawn(value: int) -> bytes:
        bar.evaluate("(one, value) => { one.value = value; }", value)
        return bar.screenshot()

    def dot(state: str) -> bytes:
        display.locator("#link").evaluate(STATED, state)
        seen = display.locator("#stated").screenshot()
        display.locator("#stated").evaluate("one => one.remove()")
        return seen

    assert drawn(0) != drawn(11), "a full bar does not look like an empty one"
    assert dot("live") != dot("any other"), "the dot is filled while the page is live"
    display.add_style_tag(content=".bar::-webkit-progress-value { background: Canvas !important }")
    assert drawn(0) == drawn(11), "what forced colours take away is found"


def test_stations_of_others_are_folded_in_a_duel(evening: Evening, phone: Page) -> None:
    peace(evening)
    ada, ship = evening.people[ADA], evening.ships["Far Lantern"]
    seats = [{"combatant_id": ada, "ship_id": ship, "station": "helm"}, {"combatant_id": evening.people["Raider Vosk"]}]
    evening.send("start_conflict", kind="starship", combatants=seats, begins=ada)
    evening.send("begin_turn", combatant_id=ada)
    folds = phone.locator("#fighting details.fold")
    expect(folds.first).to_have_attribute("open", "")
    expect(folds.first.locator("summary h3").first).to_contain_text("Helm")
    expect(phone.locator("#fighting details.fold[data-fold=own]:not([open])")).to_have_count(0)
    expect(phone.locator("#fighting details.fold[data-fold=other][open]")).to_have_count(0)
    fits(phone)
    other = phone.locator("#fighting details.fold[data-fold=other]").first
    other.locator("summary").first.tap()
    expect(other.locator(".action").first).to_be_visible()
    other.locator(".action > summary").first.tap()
    expect(other.locator(".action[open] .main-action"), "in sight").to_be_in_viewport(ratio=1)
    expect(phone.locator("#fighting details.fold[data-fold=own]"), "behind its heading").to_be_hidden()
    fits(phone)
    other.locator(".action > summary").first.tap()
    phone.locator("#standing summary", has_text="How everybody stands").tap()
    expect(phone.locator("#standing .systems li:visible").first).to_have_text("All systems work")
    expect(other, "one of them at a time").to_be_hidden()
    fits(phone)
    phone.locator("#fighting-title").tap()
    expect(phone.locator("#standing .systems").first).to_be_hidden()


def test_any_dice_of_the_damage_are_thrown_again_by_touching_them(
    evening: Evening, phone: Page, open_beside: OpenPage
) -> None:
    peace(evening)
    evening.send(
        "save_character", name="Gunner Holt", attributes=ATTRIBUTES, disciplines=DISCIPLINES, weapons=["phaser_type_1"]
    )
    holt = str(evening.table["characters"][-1]["character_id"])
    vosk = evening.people["Raider Vosk"]
    seats = [{"combatant_id": one} for one in (holt, vosk)]
    evening.send("start_conflict", kind="personal", combatants=seats, begins=holt)
    evening.send("begin_turn", combatant_id=holt)
    shot = {"name": "attack", "scope": "personal", "weapon": "phaser_type_1", "target_id": vosk}
    evening.send("declare_task", declaration=declaration(holt, action=shot, discipline="security"))
    evening.throw(1, 1)
    evening.send("follow_through")
    count = evening.table["request"]["count"]
    assert count > 2
    evening.throw("blank", *[1] * (count - 2), "blank")
    dice = phone.locator(".again .dice-picks input")
    expect(dice).to_have_count(count)
    assert misnamed(phone) == []
    fits(phone)
    phone.set_viewport_size({"width": 320, "height": 568})
    expect(phone.get_by_role("button", name="Settle the damage"), "in sight without a scroll").to_be_in_viewport(
        ratio=1
    )
    phone.set_viewport_size({"width": 390, "height": 844})
    expect(phone.locator("#actions .options").get_by_role("button", name="Re-Roll Damage")).to_have_count(0)
    plain = open_beside("/text", 390, 844)
    assert picks(evening.program, "/conflict") == picks(evening.program, "/play/fight") == count
    dice.nth(0).tap()
    dice.nth(count - 1).tap()
    phone.get_by_role("button", name="Throw these again").tap()
    expect(phone.locator(".stage-word")).to_have_text("Throw 2 Challenge Dice")
    evening.send("undo")
    plain.reload()
    plain.locator(".again label").nth(1).click()
    plain.get_by_role("button", name="Throw these again").click()
    expect(phone.locator(".stage-word")).to_have_text("Throw 1 Challenge Die")


def test_an_answer_is_gone_once_it_may_be_true_no_more(evening: Evening, phone: Page) -> None:
    fight(evening)
    expect(shows(phone, evening, "/play").locator("#stage")).to_have_attribute("data-kind", "turn")
    phone.get_by_role("button", name="Whose turn").tap()
    expect(phone.locator("#answered")).to_be_visible()
    evening.send("gain_threat", event="threatening_scene", amount=1)
    expect(phone.locator("#answered")).to_be_hidden()


def test_an_extended_task_is_reached_from_a_phone_outside_a_fight(evening: Evening, phone: Page) -> None:
    peace(evening)
    evening.send("begin_extended_task", label="Restart the core", work=8, magnitude=2, resistance=1, difficulty=2)
    shows(phone, evening, "/play").get_by_role("link", name="Work on: Restart the core").tap()
    expect(phone.get_by_role("button", name="Work on: Restart the core"), "on the form").to_be_in_viewport(ratio=1)
    expect(phone.locator("#choose-" + evening.table["extended"][0]["track_id"])).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(phone.locator("#declare-now")).to_be_in_viewport(ratio=1)
    phone.locator("a[data-closes]").tap()
    evening.send("end_extended_task", track_id=evening.table["extended"][0]["track_id"])


def leads_in_sight(phone: Page, name: str) -> None:
    """That one main action is there, and seen whole without a scroll on the smallest phone and on a usual one."""
    leading = phone.locator(".main-action:visible")
    for width, height in ((320, 568), (390, 844)):
        phone.set_viewport_size({"width": width, "height": height})
        expect(leading).to_contain_text([name])
        expect(leading).to_be_in_viewport(ratio=1)


def test_who_is_attacked_in_melee_and_who_has_a_complication_is_led_on(evening: Evening, phone: Page) -> None:
    peace(evening)
    vosk, ada = evening.fight("Raider Vosk"), evening.people[ADA]
    evening.send("set_reach", first_id=vosk, second_id=ada, in_reach=True)
    evening.send("begin_turn", combatant_id=vosk)
    expect(shows(phone, evening, "/play").locator("#declare")).to_contain_text(
        "Raider Vosk has the Turn. Out of your own"
    )
    attack = {"name": "attack", "target_id": ada, "weapon": "unarmed"}
    evening.send("declare_task", declaration={"character_id": vosk, "action": attack})
    evening.throw(2, 3)
    expect(phone.locator(".stage-word")).to_have_text("Raider Vosk: 2 successes")
    leads_in_sight(phone, "defends, Unarmed")
    shows(phone, evening, "/play/fight")
    fits(phone)
    shows(phone, evening, "/play")
    peace(evening)
    evening.declare(ADA)
    evening.throw(20, 20)
    leads_in_sight(phone, "Take the Complication")
    evening.settle()


def test_the_end_of_a_fight_is_asked_about_in_words_of_its_own(evening: Evening, open_beside: OpenPage) -> None:
    fight(evening)
    page = live(open_beside("/gm", 1366, 768))
    page.get_by_role("button", name="End the conflict").first.click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("This ends the fight for the whole table. End it?")
    assert question.get_by_role("button").all_inner_texts() == ["End it", "Play on"]
    question.get_by_role("button", name="Play on").click()
    expect(question).to_be_hidden()
    assert evening.table["conflict"]
    page.get_by_role("button", name="End the conflict").first.click()
    question.get_by_role("button", name="End it").click()
    expect(question).to_be_hidden()
    expect(page.get_by_role("button", name="End the conflict")).to_have_count(0)
    assert evening.table["conflict"] is None
