"""Many on foot beside the dice: as many are shown as have room, and how many more there are is told."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.program import Program, until
from tests.e2e.scenes import Evening
from tests.e2e.test_distance import too_small
from tests.e2e.test_pages import live

SIZES = ((1920, 1080), (1024, 600), (1080, 1920))

SEEN = """(fight) => {
    const seen = (one) => one.checkVisibility();
    return [...fight.querySelectorAll(".side")].map((side) => [
        [...side.querySelectorAll(".fighter")].filter(seen).length,
        [...side.querySelectorAll(".folded")].filter(seen).map((one) => one.textContent),
    ]);
}"""
"""For each side how many are shown, and what is told of the others."""

ROOM_FOR_ONE_MORE = """(fight) => {
    const [before, size] = [fight.dataset.without, fight.style.getPropertyValue("--fit")];
    fight.dataset.without = before.replace(/quiet(\\d+)/, (_, shown) => `quiet${Number(shown) + 1}`);
    fight.style.setProperty("--fit", Math.min(0.94, size));
    const over = [fight, ...fight.querySelectorAll(".fighters, .fighter, .fighter-name")]
        .some((one) => one.scrollWidth > one.clientWidth) || fight.scrollHeight > fight.clientHeight;
    fight.dataset.without = before;
    fight.style.setProperty("--fit", size);
    return !over;
}"""
"""Whether another one would fit, in the smallest letters of that layout."""

WORDS = """() => [...document.querySelectorAll("#fight :is(h3, .fighter strong, .gauge dd, .folded)")]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.textContent, parseFloat(getComputedStyle(one).fontSize)])"""
"""What is read of the fight, with the size of its letters in CSS pixels."""

NONE = ".display #fight { --layouts: .8 names lasts both notes drawings like quiet0 !important; }"
"""None of them is shown, whatever room there is."""

CREW, FOES = 4, 8


@pytest.fixture(scope="module")
def attack(standing_kiosk: Program) -> Program:
    """Four against eight; the first of the four aims at the last of the eight, and is to throw."""
    evening = Evening(standing_kiosk)
    evening.send("set_up_table", ruleset="core-1e", players=["Ana", "Ben"])
    for name in ("Captain Ilse Brandt", "Lieutenant Tomás Okoro", "Doctor Mirembe Sato", "Ensign Pell Varga"):
        evening.join(name)
    for number in range(1, FOES + 1):
        evening.join(f"Cinder drone {number}", standing="minor_npc")
    first, *_, last = evening.people.values()
    evening.send("take_weapon", character_id=first, weapon="phaser_type_2")
    seats = [{"combatant_id": one} for one in evening.people.values()]
    evening.send("start_conflict", kind="personal", combatants=seats, begins=first)
    evening.send("begin_turn", combatant_id=first)
    aim = {"name": "attack", "target_id": last, "weapon": "phaser_type_2"}
    evening.send("declare_task", declaration={"character_id": first, "action": aim})
    return standing_kiosk


def shown(page: Page) -> int:
    """How many quiet ones the fitted layout shows."""
    found: list[str] = []

    def fitted() -> bool:
        found[:] = re.findall(r"quiet(\d+)", page.locator("#fight").get_attribute("data-without") or "")
        return bool(found)

    until(fitted, 5)
    return int(found[0])


@pytest.mark.parametrize("size", SIZES)
def test_as_many_are_shown_as_have_room(attack: Program, open_beside: OpenPage, size: tuple[int, int]) -> None:
    page = live(open_beside("/display", *size, bypass_csp=True))
    expect(page.locator("#stage")).to_have_attribute("data-kind", "ask")
    assert attack.table()["table"]["task"]
    count, fight = shown(page), page.locator("#fight")
    assert count > 0
    sides = fight.evaluate(SEEN)
    assert sum(number for number, _ in sides) == count + 2, "and who acts, and who is aimed at"
    assert [told for _, told in sides] == [
        [f"{of - number} more"] if of > number else [] for (number, _), of in zip(sides, (CREW, FOES), strict=True)
    ]
    assert not fight.evaluate(ROOM_FOR_ONE_MORE)
    assert too_small(page, WORDS, 24.0, 2.0, 15.0) == []
    page.add_style_tag(content=NONE)
    page.set_viewport_size({"width": size[0], "height": size[1] + 40})  # it is fitted again
    until(lambda: shown(page) == 0, 5)
    assert fight.evaluate(ROOM_FOR_ONE_MORE), "a page made bad"


HEADED = """(fight) => [...fight.querySelectorAll(".side")].every((side) => {
    const seen = (wanted) => [...side.querySelectorAll(wanted)].some((one) => one.checkVisibility());
    return !seen(".column") || seen(".gauge dd");
})"""
"""Whether the name of the numbers stands only above numbers."""


def test_no_name_of_numbers_stands_where_none_are_shown(attack: Program, open_standing: OpenPage) -> None:
    """While the dice are up whoever is unhurt has a bar alone."""
    assert attack.table()["table"]["request"] is not None
    page = live(open_standing("/display", *SIZES[0]))
    fight = page.locator("#fight")
    until(lambda: "quiet" in str(fight.get_attribute("data-without")))
    until(lambda: bool(fight.evaluate(HEADED)))
