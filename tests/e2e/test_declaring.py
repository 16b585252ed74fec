"""Declaring a Task on a phone: only what makes sense is offered."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration, set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import live, press
from tests.e2e.thumbs import PHONE, crew_of_two


def test_whoever_acts_is_not_offered_as_their_own_helper(kiosk: Program, open_page: OpenPage) -> None:
    set_up(kiosk)
    kiosk.send("save_character", name="Ben Adeyemi", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    phone = live(open_page("/play"))
    phone.locator("summary", has_text="Helpers and ship").click()
    acting, helper = phone.get_by_label("Character", exact=True), phone.locator("#assist1")
    expect(acting.locator("option:checked")).to_have_text("Ada Lindqvist")
    expect(helper.locator("option")).to_have_text(["Nobody", "Ben Adeyemi"])
    helper.select_option("Ben Adeyemi")
    acting.select_option("Ben Adeyemi")
    expect(helper.locator("option")).to_have_text(["Nobody", "Ada Lindqvist"])
    expect(helper).to_have_value("")


def test_four_helpers_are_four_and_each_choice_leaves_the_others_as_they_are(
    kiosk: Program, open_page: OpenPage
) -> None:
    set_up(kiosk)
    names = ["Ben", "Cem", "Dana", "Eli"]
    for name in names:
        kiosk.send("save_character", name=name, attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    phone = live(open_page("/play", 390, 844, **PHONE))
    press(phone, "Ada Lindqvist")
    phone.get_by_label("Bonus die 1").select_option("threat")
    phone.get_by_label("Bonus die 2").select_option("talent")
    for name in names:
        one = phone.locator(".quick").get_by_role("button", name=re.compile(f"^{name} helps"))
        one.tap()
        expect(one).to_have_attribute("aria-pressed", "true")
    phone.locator(".quick").get_by_role("button", name=re.compile("^Difficulty 3")).tap()
    kiosk.send("gain_threat", event="threatening_scene", amount=1)  # the page is painted again
    expect(phone.locator("#threat")).to_have_text("5")
    expect(phone.locator("#declaring")).to_have_text("Ada Lindqvist: Control + Command, Difficulty 3")
    press(phone, "Declare")
    expect(phone.locator(".stage-word")).to_have_text("Throw 4 d20s")
    declared = kiosk.table()["table"]["task"]["declaration"]
    assert len(declared["assists"]) == 4
    assert [one["payer"] for one in declared["purchases"]] == ["threat", "talent"]


def test_a_choice_made_before_its_chance_came_changes_nothing_else(kiosk: Program, open_page: OpenPage) -> None:
    """The chances of what stood there before are still to come when somebody chooses on."""
    crew_of_two(kiosk)
    phone = live(open_page("/play", 390, 844, **PHONE))
    press(phone, "Ada Lindqvist")
    harder = phone.locator(".quick").get_by_role("button", name=re.compile("^Difficulty 3"))
    expect(harder).to_be_visible()
    held: list[Route] = []
    phone.route("**/api/v1/odds/choices*", lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no method of a list
    phone.get_by_label(re.compile("^Daring")).check()
    harder.tap()
    expect(phone.locator("#declaring")).to_have_text("Ada Lindqvist: Daring + Command, Difficulty 3")
    for one in held:
        one.abort()


def test_the_other_sides_task_is_never_preset_to_whoever_acts(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    more = {"name": "Brack", "attributes": ATTRIBUTES, "disciplines": DISCIPLINES, "standing": "notable_npc"}
    kiosk.send("save_character", **more)
    acting, other, brack = (one["character_id"] for one in kiosk.table()["table"]["characters"])
    master, phone = live(open_page("/gm")), live(open_page("/play", 390, 844, **PHONE))
    press(phone, "Ada Lindqvist")
    kiosk.send("declare_task", declaration={**declaration(acting), "opposed": True})
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[3, 12])
    expect(master.locator("#declare-title")).to_have_text("Declare the other side's Task")
    expect(phone.locator("#declare-title")).to_contain_text("the gamemaster declares it, or another player")
    for page, expected in ((master, brack), (phone, other)):
        expect(page.locator("#character_id")).to_have_value(expected)
        expect(page.locator(f"#character_id option[value={acting}]")).to_have_count(0)
    expect(phone.locator("#presets button")).to_have_count(0)
    expect(phone.locator("#declare-form")).to_be_hidden()
    phone.reload()  # the own character is nobody's choice there, and still one's own afterwards
    expect(phone.locator("#declare-form")).to_be_hidden()
    expect(master.locator("#odds")).to_contain_text("3 to win:")
    press(master, "Declare")
    expect(phone.locator(".stage-lines")).to_contain_text("Against Ada Lindqvist: 3 successes")
    kiosk.send("withdraw_task")
    kiosk.send("undo")
    kiosk.send("undo")
    kiosk.send("undo")
    kiosk.send("undo")
    expect(phone.locator("#character_id")).to_have_value(acting)
