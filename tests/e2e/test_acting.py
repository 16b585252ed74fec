"""Actions of a fight, on a phone and on the conflict's page: their odds before they are declared, whom one moves to."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.program import Program
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import live
from tests.e2e.thumbs import PHONE, phone_of, within_reach

ADA = "Lieutenant Ada Lindqvist"


@pytest.fixture(scope="module")
def evening(standing_kiosk: Program) -> Evening:
    """An officer with a phaser, a colleague, and two raiders."""
    made = Evening(standing_kiosk)
    made.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben"])
    made.join(ADA, weapons=["phaser_type_2", "knife"], values=["Nobody is left behind"], determination=1)
    made.join("Ben Adeyemi")
    made.join("Raider Vosk", standing="notable_npc")
    made.join("Raider Dorr", standing="minor_npc")
    made.send("adjust_pool", pool="momentum", change=3)
    return made


@pytest.fixture(scope="module")
def phone(evening: Evening, open_standing: OpenPage) -> Page:
    """Ada's phone."""
    assert ADA in evening.people
    return phone_of(ADA, open_standing("/play/fight", 390, 844, bypass_csp=True, **PHONE))


def fight(evening: Evening) -> str:
    """A conflict on foot in Ada's Turn, nobody in anybody's Reach, as the test before may have left it; her id."""
    ada = evening.people[ADA]
    while evening.table["task"] is not None:
        evening.send("undo")
    now = evening.table["conflict"] or {"turn": None}
    if now["turn"] is None or now["turn"]["combatant_id"] != ada or now["reach"] or now["turn"]["minor_actions"]:
        evening.fight(ADA)
        evening.send("begin_turn", combatant_id=ada)
    return ada


def peace(evening: Evening) -> None:
    """Nothing under way."""
    while evening.table["task"] is not None:
        evening.send("undo")
    if evening.table["conflict"] is not None:
        evening.send("end_conflict")


def action(page: Page, deed: str) -> Locator:
    return page.locator(f'.action[data-deed="personal/{deed}"]')


@pytest.mark.parametrize("path", ["/play/fight", pytest.param("/conflict", marks=pytest.mark.long)])
def test_an_attack_shows_its_odds_beside_each_choice(
    evening: Evening, phone: Page, open_beside: OpenPage, path: str
) -> None:
    fight(evening)
    page = phone if path == "/play/fight" else live(open_beside("/conflict", 1280, 800, bypass_csp=True))
    attack = action(page, "attack")
    expect(attack.locator("summary").first).to_contain_text("Difficulty 2")
    expect(attack.locator("summary").first).to_contain_text("52\u00a0%")
    attack.locator("summary").first.click()
    odds = attack.locator(".odds")
    expect(odds).to_be_visible()
    expect(odds).to_have_text("Difficulty 2, Target Number 14. Success 52\u00a0%. Complication 10\u00a0%.")
    focus = attack.get_by_label("A focus applies")
    expect(attack.locator(".check", has_text="A focus applies").locator(".chance")).to_have_text("58\u00a0%")
    more = attack.get_by_role("button", name=re.compile("3 bonus dice"))
    expect(more).to_contain_text("3 Momentum, 3 Threat added")
    more.click()
    evening.send("gain_threat", event="threatening_scene", amount=1)
    expect(odds).to_contain_text("The dice cost 3 Momentum, 3 Threat added.")
    die = attack.get_by_role("button", name=re.compile("1 bonus die"))
    expect(die).to_contain_text("1 Momentum")
    die.click()
    expect(odds).to_contain_text("Success 80\u00a0%")
    expect(odds).to_contain_text("The dice cost 1 Momentum.")
    expect(die).to_have_attribute("aria-pressed", "true")
    focus.check()
    expect(odds).to_contain_text("Success 82\u00a0%")
    attack.get_by_text("Modifiers", exact=True).click()
    attack.get_by_role("button", name="More: Difficulty change 1").click()
    expect(odds).to_contain_text("Difficulty 3")
    attack.get_by_role("button", name="Attack", exact=True).click()
    expect(page.locator(".stage-word")).to_have_text("Throw 3 d20s")
    task = evening.table["task"]
    assert task["difficulty"] == 3
    assert task["declaration"]["focus"] is True
    assert evening.table["momentum"] == 2


def test_whom_one_moves_to_is_asked_and_opens_the_attack(evening: Evening, phone: Page) -> None:
    """ACT-3, ATK-1: out of Reach the knife is refused, the way there is one tap, and the form keeps what was chosen."""
    ada = fight(evening)
    attack = action(phone, "attack")
    if not attack.get_by_label("With").is_visible():
        attack.locator("summary").first.tap()
    attack.get_by_label("At whom").select_option("Raider Dorr")
    attack.get_by_label("With").select_option(label="Knife, 4 dice")
    expect(attack.get_by_text("Raider Dorr is not in Reach")).to_be_visible()
    attack.get_by_role("button", name="Movement into Raider Dorr's Reach").tap()
    expect(attack.locator(".odds")).to_contain_text("before the other side's dice")
    expect(phone.locator("#error")).to_be_hidden()
    assert evening.table["conflict"]["reach"] == [sorted([ada, evening.people["Raider Dorr"]])]
    expect(attack.get_by_label("With")).to_have_value("knife")
    expect(attack.get_by_role("button", name="Movement into")).to_have_count(0)
    phone.get_by_role("button", name="Undo: ").tap()
    expect(attack.get_by_role("button", name="Movement into")).to_have_count(1)
    attack.locator("summary").first.tap()  # while its form is open, the others are not in sight
    phone.locator("#fighting summary", has_text="Minor Actions").tap()
    move = action(phone, "movement")
    move.locator("summary").first.tap()
    expect(move.get_by_label("Into whose Reach").locator("option")).to_have_count(4)
    assert evening.table["conflict"]["reach"] == []


def test_dice_are_entered_on_the_page_of_the_conflict(evening: Evening, open_beside: OpenPage) -> None:
    """A beginning Turn leads to its actions, an attack to the pad, and its dice to their result."""
    vosk = evening.people["Raider Vosk"]
    peace(evening)
    seats = [{"combatant_id": one} for one in evening.people.values()]
    evening.send("start_conflict", kind="personal", combatants=seats, begins=vosk)
    page = live(open_beside("/conflict", 390, 844, bypass_csp=True, **PHONE))
    page.get_by_role("button", name="Begin Raider Vosk's Turn").tap()
    expect(page.locator("#acting-title")).to_be_focused()
    expect(page.locator("#answer input")).to_have_count(0)
    action(page, "create_advantage").locator("summary").first.tap()
    action(page, "create_advantage").get_by_label("What about").fill("Smoke")
    action(page, "create_advantage").get_by_role("button", name="Create Advantage", exact=True).tap()
    first = page.locator("#answer .entry input").first
    expect(first).to_be_focused()
    assert page.get_by_role("link", name="Enter the dice").count() == 0
    within_reach(page)
    for face in ("20", "19"):
        page.locator(".pad").get_by_role("button", name=re.compile(f": {face}$")).tap()
    page.get_by_role("button", name="Count these dice").tap()
    expect(page.locator(".stage-word")).to_have_text(re.compile("^Create Advantage: Raider Vosk fails"))
    expect(page.locator("#answer input")).to_have_count(0)
    evening.settle()


def test_a_form_that_the_page_leaves_out_comes_when_it_is_opened(evening: Evening, open_beside: OpenPage) -> None:
    """Before a fight the stations of a ship are a step away; what was chosen in one stays when the table changes."""
    peace(evening)
    evening.launch("Far Lantern", scale=4)
    page = live(open_beside("/conflict", 1280, 800, bypass_csp=True))
    page.get_by_text("At a ship's stations").click()
    scan = page.locator('.action[data-deed="bridge/damage_control"], .action[data-deed="bridge/sensor_sweep"]').first
    page.locator("details:has(> .deeds > .action)", has=scan).last.locator("summary").first.click()
    scan.locator("summary").first.click()
    focus = scan.get_by_label("A focus applies")
    focus.check()
    expect(scan.locator(".odds")).to_contain_text("Success")
    evening.send("gain_threat", event="threatening_scene", amount=1)
    expect(page.locator("#live [data-live]")).to_have_count(1)
    expect(focus).to_be_checked()
    page.goto(page.url.split("?")[0] + "?open=extended-tasks#extended-tasks")
    expect(page.get_by_label("What has to be done")).to_be_visible()


def test_a_turn_that_one_begins_leads_to_its_actions(evening: Evening, phone: Page) -> None:
    fight(evening)
    phone.get_by_role("button", name=re.compile("^Undo: beginning .*Lindqvist's Turn")).tap()
    phone.get_by_role("button", name="Begin Lindqvist's Turn").tap()
    expect(phone.locator("#fighting-title")).to_be_focused()
