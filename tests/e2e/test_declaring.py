"""Declaring a Task on a phone: only what makes sense is offered."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration, set_up
from tests.e2e.program import Program, take_back
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import declaring, further, live, press
from tests.e2e.test_taps import waits_for
from tests.e2e.thumbs import PHONE, crew_of_two, phone_of, playing


def test_whoever_acts_is_not_offered_as_their_own_helper(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    phone = declaring(live(open_page("/gm")), more=True)
    acting, helper = phone.get_by_label("Character", exact=True), phone.locator("#assist1")
    expect(acting.locator("option:checked")).to_have_text("Ada Lindqvist")
    expect(helper.locator("option")).to_have_text(["Nobody", "Ben Adeyemi"])
    helper.select_option("Ben Adeyemi")
    expect(phone.locator("#assist_focus1")).to_be_visible()
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
    phone = playing(kiosk, open_page, "Ada Lindqvist", 390, 844, **PHONE)
    declaring(phone, more=True)
    phone.get_by_label("Bonus die 1").select_option("threat")
    phone.get_by_label("Bonus die 2").select_option("talent")
    further(phone, "Helpers")
    for place, name in enumerate(names, 1):
        one = phone.locator(f"#assist{place}")
        one.focus()
        one.select_option(label=name)
        expect(phone.locator(f"#assist_discipline{place}")).to_be_visible()
        expect(one).to_be_focused()
    further(phone, "Modifiers and range").get_by_label("Difficulty", exact=True).select_option("3")
    kiosk.send("gain_threat", event="threatening_scene", amount=1)  # the page is painted again
    expect(phone.locator("#threat")).to_have_text("5")
    expect(phone.locator("#declaring")).to_have_text("Ada Lindqvist: Control + Engineering, Difficulty 3")
    press(phone, "Declare")
    expect(phone.locator(".stage-word")).to_have_text("Throw 4 d20s")
    declared = kiosk.table()["table"]["task"]["declaration"]
    assert len(declared["assists"]) == 4
    assert [one["payer"] for one in declared["purchases"]] == ["threat", "talent"]


def test_choices_faster_than_their_answers_all_count(kiosk: Program, open_page: OpenPage) -> None:
    """The answer to what was chosen first is still to come when somebody chooses on, and declares."""
    crew_of_two(kiosk)
    phone = playing(kiosk, open_page, "Ada Lindqvist", 390, 844, **PHONE)
    declaring(phone)
    held: list[Route] = []
    phone.route("**/parts/declare*", lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no method of a list
    phone.get_by_label("Attribute", exact=True).select_option("daring")
    phone.get_by_label("Difficulty", exact=True).select_option("3")
    phone.get_by_label("Bonus dice", exact=True).select_option("threat threat")
    phone.get_by_role("button", name="Declare", exact=True).tap()
    waits_for(phone, held, 3)
    assert kiosk.table()["table"]["task"] is None, "it waits for what was chosen"
    held[-1].continue_()
    expect(phone.locator(".stage-word")).to_have_text("Throw 4 d20s")
    declared = kiosk.table()["table"]["task"]["declaration"]
    assert (declared["attribute"], declared["difficulty"], len(declared["purchases"])) == ("daring", 3, 2)


def test_a_form_that_is_open_stays_so_when_the_page_is_loaded_again(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    phone = playing(kiosk, open_page, "Ada Lindqvist", 390, 844, **PHONE)
    declaring(phone)
    phone.get_by_label("Attribute", exact=True).select_option("daring")
    expect(phone.locator("#declaring")).to_contain_text("Daring")
    phone.reload()
    expect(live(phone).locator("#declaring")).to_contain_text("Daring")
    phone.get_by_role("link", name="Not now").tap()
    expect(phone.locator("#declare-open")).to_be_focused()
    phone.reload()
    expect(live(phone).locator("#declare-open")).to_be_visible()
    expect(phone.locator("#declare-form")).to_have_count(0)


@pytest.mark.long
def test_the_whole_form_works_without_script(kiosk: Program, open_page: OpenPage) -> None:
    """In the short form without a browser, in `kiosk/web/test_pages.py`, as is a whole Task on /text."""
    crew_of_two(kiosk)
    ada = kiosk.table()["table"]["characters"][0]["character_id"]
    for path in ("/play", "/text"):
        page = open_page(f"{path}?me={ada}", 390, 844, java_script_enabled=False)
        page.get_by_role("link", name="Declare a Task").click()
        if path == "/play":
            page.get_by_label("Difficulty", exact=True).select_option("3")
            page.get_by_label("Attribute", exact=True).select_option("daring")
            page.get_by_label("Bonus dice", exact=True).select_option("threat threat")
            page.get_by_role("button", name="Show the chances").click()
        else:
            page.get_by_role("button", name=re.compile("^Difficulty 3")).click()
            page.get_by_label(re.compile("^Daring")).check()
            page.get_by_role("button", name=re.compile("^2 bonus dice")).click()
        expect(page.locator("#declaring")).to_have_text("Ada Lindqvist: Daring + Engineering, Difficulty 3")
        page.get_by_role("button", name="Declare", exact=True).click()
        assert len(kiosk.table()["table"]["task"]["declaration"]["purchases"]) == 2
        kiosk.send("undo")


def test_the_other_sides_task_is_never_preset_to_whoever_acts(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    more = {"name": "Brack", "attributes": ATTRIBUTES, "disciplines": DISCIPLINES, "standing": "notable_npc"}
    kiosk.send("save_character", **more)
    acting, other, brack = (one["character_id"] for one in kiosk.table()["table"]["characters"])
    master, phone = live(open_page("/gm")), live(open_page("/play", 390, 844, **PHONE))
    phone_of("Ada Lindqvist", phone)
    kiosk.send("declare_task", declaration={**declaration(acting), "opposed": True})
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[3, 12])
    expect(master.locator("#declare-title")).to_have_text("Declare the other side's Task")
    expect(phone.locator("#declare-title")).to_contain_text("the gamemaster declares it, or another player")
    second = playing(kiosk, open_page, "Ben Adeyemi", 390, 844, **PHONE)
    expect(declaring(second).locator("input[name=character_id]")).to_have_value(other)
    expect(declaring(master).locator("#character_id")).to_have_value(brack)
    expect(master.locator(f"#character_id option[value={acting}]")).to_have_count(0)
    expect(phone.locator("#presets a")).to_have_count(0)
    expect(phone.locator("#declare-open")).to_have_count(0)
    phone.reload()  # the own character is nobody's choice there, and still one's own afterwards
    expect(live(phone).locator("#declare-open")).to_have_count(0)
    expect(master.locator("#odds")).to_contain_text("3 to win:")
    press(master, "Declare")
    expect(phone.locator(".stage-lines")).to_contain_text("Against Ada Lindqvist: 3 successes")
    kiosk.send("withdraw_task")
    kiosk.send("undo")
    kiosk.send("undo")
    kiosk.send("undo")
    kiosk.send("undo")
    expect(declaring(phone).locator("input[name=character_id]")).to_have_value(acting)


def test_who_is_refused_reads_why_although_the_form_changes(kiosk: Program, open_page: OpenPage) -> None:
    """Two declare at once: the second is told, and the form then offers to stand in line, in sight of nobody's pad."""
    crew_of_two(kiosk)
    phone = playing(kiosk, open_page, "Ben Adeyemi", 390, 844, **PHONE)
    declaring(phone)
    phone.route("**/parts/declare*", lambda route: route.abort())
    first = kiosk.table()["table"]["characters"][0]["character_id"]
    phone.route(
        "**/text/declare", lambda route: (kiosk.send("declare_task", declaration=declaration(first)), route.continue_())
    )
    press(phone, "Declare")
    told = phone.locator("#declare-form [data-error]")
    expect(told).to_contain_text("something else was decided first")
    phone.unroute("**/parts/declare*")
    kiosk.send("gain_threat", event="threatening_scene", amount=1)
    expect(phone.locator("#declare-now")).to_have_text("Declare it for later")
    expect(told).to_contain_text("something else was decided first")
    expect(phone.locator(".entry-pad")).to_be_hidden()
    phone.unroute("**/text/declare")
    press(phone, "Declare it for later")
    expect(phone.locator(".entry-pad")).to_be_visible()
    assert len(kiosk.table()["table"]["in_line"]) == 1


def test_dice_that_somebody_else_throws_take_no_keys(kiosk: Program, open_page: OpenPage) -> None:
    """Ada stands on what she can buy; Ben goes on, and what she stood on is gone."""
    crew_of_two(kiosk)
    ada, ben = (one["character_id"] for one in kiosk.table()["table"]["characters"])
    kiosk.send("declare_task", declaration=declaration(ada, difficulty=1))
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[1, 10])
    phone = live(open_page(f"/play?me={ada}", 390, 844, **PHONE))
    phone.get_by_role("button", name=re.compile("^Done: save")).focus()
    kiosk.send("line_up", declaration=declaration(ben))  # which saves what she has, and begins
    expect(phone.locator(".entry input")).to_have_count(2)
    expect(phone.locator("#stage, #actions-title, #tab-title").and_(phone.locator(":focus"))).to_have_count(1)


def test_a_helper_who_stands_in_line_still_enters_their_own_die(kiosk: Program, open_page: OpenPage) -> None:
    crew_of_two(kiosk)
    ada, ben = (one["character_id"] for one in kiosk.table()["table"]["characters"])
    helper = {"character_id": ben, "attribute": "reason", "discipline": "science"}
    kiosk.send("declare_task", declaration=declaration(ada, assists=[helper]))
    phone = live(open_page(f"/play?me={ben}", 390, 844, **PHONE))
    declaring(phone)
    expect(phone.locator("#declare-now")).to_have_text("Declare it for later")
    expect(phone.locator(".entry-pad"), "those are Ada's").to_be_hidden()
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[1, 10])
    expect(phone.locator(".entry-pad")).to_be_in_viewport()


CLAMPED = "(one) => one.scrollHeight > one.clientHeight + 1"
"""Whether lines of a headline are cut off."""


def test_a_name_without_a_break_leaves_declaring_inside_a_phone(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset="core-1e", players=["Ada"])
    evening.join("W" * 60)
    phone = playing(kiosk, open_page, "W" * 60, 390, 844, bypass_csp=True, **PHONE)
    phone.locator("#declare-open").click()
    expect(phone.locator("#declaring .long")).to_be_visible()
    for width in (320, 390):
        phone.set_viewport_size({"width": width, "height": 844})
        assert phone.evaluate("() => document.documentElement.scrollWidth") <= width
        assert phone.locator("#declare-now").evaluate("(one) => one.getBoundingClientRect().right") <= width


def test_who_acts_reads_the_whole_of_who_declares_the_other_side(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben"])
    for name in ("Ada Lindqvist", "Ben Adeyemi"):
        evening.join(name)
    evening.declare(opposed=True, difficulty=1)
    evening.throw(1, 2)
    phone = playing(kiosk, open_page, "Ada Lindqvist", 390, 844, bypass_csp=True, **PHONE)
    expect(phone.locator("#declare-title")).to_contain_text("another player")
    assert not phone.locator("#declare-title").evaluate(CLAMPED)


def test_numbers_stand_on_one_line_beside_a_label_of_two(kiosk: Program, open_page: OpenPage) -> None:
    kiosk.send("set_up_table", ruleset="core-1e", players=["Ada"])
    page = live(open_page("/conflict?open=extended-tasks", 1366, 768))
    inputs = page.locator("#extended-tasks .stepper input")
    expect(inputs).to_have_count(4)
    boxes = [box for one in inputs.all() if (box := one.bounding_box()) is not None]
    assert len({(round(box["y"]), round(box["height"])) for box in boxes}) == 1, boxes


CHOSEN = "(one, value) => { one.value = value; one.dispatchEvent(new Event('input', { bubbles: true })); }"
"""Chooses in a list as it is, without bringing it into sight."""


@pytest.fixture(scope="module")
def beginning(standing_kiosk: Program) -> dict[str, Any]:
    """A table of one."""
    set_up(standing_kiosk)
    whole: dict[str, Any] = standing_kiosk.table()["table"]
    return whole


@pytest.fixture
def alone(standing_kiosk: Program, beginning: dict[str, Any]) -> Program:
    """That table as it began: what a test before it decided is taken back."""
    take_back(standing_kiosk, beginning)
    return standing_kiosk


SMALLEST, NARROW, USUAL = (320, 568), (320, 844), (390, 844)


@pytest.mark.parametrize(
    ("size", "language"),
    [
        *((SMALLEST, language) for language in ("en", "de", "fr")),
        (NARROW, "de"),
        (USUAL, "en"),
        *(pytest.param(NARROW, language, marks=pytest.mark.long) for language in ("en", "fr")),
        *(pytest.param(USUAL, language, marks=pytest.mark.long) for language in ("de", "fr")),
    ],
)
def test_the_chance_follows_each_difficulty_and_the_button_stays_under_the_thumb(
    alone: Program, open_beside: OpenPage, size: tuple[int, int], language: str
) -> None:
    """Also where the form's end is in sight, and as the gamemaster turns the dial."""
    phone = declaring(playing(alone, open_beside, "Ada Lindqvist", *size, locale=language, **PHONE))
    button, odds = phone.locator("#declare-now"), phone.locator("#odds")
    for end in (False, True):
        if end:
            phone.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        seen = {}
        for difficulty in range(6):
            phone.locator("#difficulty").evaluate(CHOSEN, str(difficulty))
            expect(phone.locator("#declaring")).to_have_text(re.compile(rf"{difficulty}$"))
            box = button.bounding_box()
            assert box is not None
            seen[odds.inner_text()] = round(box["y"])
        assert len(seen) == 6, "each has its own chance"
        assert len(set(seen.values())) == 1, seen
        alone.send("set_difficulty", difficulty=3 if end else 2)
        expect(phone.locator("#declaring")).to_have_text(re.compile(f"{3 if end else 2}$"))
        expect(odds).to_have_text(list(seen)[3 if end else 2])
    assert phone.locator("#declare .chance:visible").count() == 0, "the chance stands once"


TOP_EDGE = """(one) => {
    const { top } = one.getBoundingClientRect();
    const ready = document.querySelector(".ready"), [ground] = getComputedStyle(ready).boxShadow.split("px ").slice(1);
    return top - ready.getBoundingClientRect().bottom - parseFloat(ground);
}"""
"""How far above the way back the ground ends that lies below the form's button."""


@pytest.mark.parametrize("size", [(390, 844), (320, 568)])
def test_the_ground_below_the_forms_button_covers_no_edge_of_the_way_back(
    alone: Program, open_beside: OpenPage, size: tuple[int, int]
) -> None:
    phone = declaring(playing(alone, open_beside, "Ada Lindqvist", *size, bypass_csp=True, **PHONE))
    phone.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert phone.get_by_role("link", name="Not now").evaluate(TOP_EDGE) >= 0
    phone.add_style_tag(content="[data-closes] { margin-top: 0 !important }")
    assert phone.get_by_role("link", name="Not now").evaluate(TOP_EDGE) < 0, "a page made bad"


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_the_button_stays_under_the_thumb_whatever_is_thrown_with(
    alone: Program, open_beside: OpenPage, language: str, *, whole: bool
) -> None:
    """Also where the form's end is in sight: what is declared takes one line or two by what its attribute is called.

    In the short form with the shortest and the longest of the attributes and of the disciplines.
    """
    more = {"locale": language, "bypass_csp": True, **PHONE}
    phone = declaring(playing(alone, open_beside, "Ada Lindqvist", 412, 915, **more))
    for width, height in ((320, 568), (390, 844), (412, 915)):
        phone.set_viewport_size({"width": width, "height": height})
        for end in (False, True):
            phone.evaluate("end => scrollTo(0, end ? document.documentElement.scrollHeight : 0)", end)
            found = places(phone, whole=whole)
            assert max(found.values()) - min(found.values()) <= 1, (width, end, found)
    one_line = "#declaring { min-height: 0 !important; max-width: 16ch; } .ready { position: static !important; }"
    phone.add_style_tag(content=one_line)
    found = places(phone, whole=whole)
    assert max(found.values()) - min(found.values()) > 1, "a page made bad"


def places(phone: Page, *, whole: bool) -> dict[str, int]:
    """Where the button stands with each attribute and with each discipline, or with the extremes of both."""
    button, found = phone.locator("#declare-now"), {}
    for field in ("attribute", "discipline"):
        names = [words.partition(" ")[0] for words in phone.locator(f"#{field} option").all_inner_texts()]
        by_length = sorted(range(len(names)), key=lambda place: len(names[place]))
        for place in by_length if whole else (by_length[0], by_length[-1]):
            with phone.expect_response("**/parts/declare*"):
                phone.locator(f"#{field}").evaluate(
                    "(one, place) => { one.selectedIndex = place;"
                    " one.dispatchEvent(new Event('input', { bubbles: true })); }",
                    place,
                )
            expect(phone.locator("#declaring")).to_contain_text(names[place])
            box = button.bounding_box()
            assert box is not None
            found[names[place]] = round(box["y"])
    return found
