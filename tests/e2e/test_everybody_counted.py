"""Whoever takes part in a fight is seen on the table's screen or counted, in rows that stay as they are."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.program import Program, until
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import live

SIZES = ((1920, 1080), (1024, 600), (1080, 1920))
CREW = ("Captain Ilse Brandt", "Ensign Pell Varga", "Lieutenant T'Vari", "Doctor Mirembe Sato")
FOES = ("Boarder 1", "Boarder 2", "Boarder 3", "Raider chief Vosk")

MISSING = """(fight) => [...fight.querySelectorAll(".side")].flatMap((side) => {
    const seen = (what) => [...side.querySelectorAll(what)].filter((one) => one.checkVisibility());
    const told = seen(".folded").reduce((all, one) => all + Number(one.textContent.match(/\\d+/)[0]), 0);
    const gone = side.querySelectorAll(".fighter").length - seen(".fighter").length;
    return gone === told ? [] : [`${gone} are not seen, ${told} are counted`];
})"""
"""The sides of which more are left out than is told."""

UNLIKE = """(fight) => {
    const rows = [...fight.querySelectorAll(".fighter")].filter((one) => one.checkVisibility());
    const letters = (one) => parseFloat(getComputedStyle(one).fontSize);
    const short = rows.filter((one) => one.querySelector("strong").offsetHeight < 1.8 * letters(one));
    const heights = short.map((one) => one.offsetHeight), [least, most] = [Math.min(...heights), Math.max(...heights)];
    const large = rows.flatMap((row) => [...row.querySelectorAll(".injury, dd")].filter((one) => one.checkVisibility())
        .filter((one) => letters(one) > 1.1 * letters(row)).map((one) => `${one.textContent} is larger than its row`));
    return most - least > 0.2 * least ? [...large, `rows of ${heights} px`] : large;
}"""
"""Words that are larger than their row, and rows on foot, but those of long names, that are not as high as the next."""

DULL = """(fight) => [...fight.querySelectorAll(".ship")].flatMap((ship) => {
    const [card, drawn] = [ship, ship.querySelector(".silhouette")].map((one) => one.getBoundingClientRect());
    const letters = (one) => parseFloat(getComputedStyle(one).fontSize);
    const shields = letters(ship.querySelector("dd"));
    const large = [...fight.querySelectorAll(".fighter dd")].filter((one) => letters(one) >= shields);
    const found = large.map((one) => `as large as Shields: ${one.textContent}`);
    if (drawn.width < 0.35 * card.width) found.push(`drawn ${drawn.width} px wide of ${card.width}`);
    if (2.3 * card.height < fight.clientHeight - 40) found.push(`${card.height} px of ${fight.clientHeight}`);
    return found;
})"""
"""Ships of two that do not fill the height between throws, or are a badge beside their words."""

BADGES = ".display #fight .silhouette { width: 20% !important; }"
GONE = '.display #fight .fighter[data-done="yes"] { display: none !important; }'
"""Whoever has acted is left out without a word."""
SWOLLEN = ".display #fight .injury { font-size: 2em !important; }"


def fine(page: Page, script: str) -> None:
    """`script` finds nothing, once the fight is fitted."""
    found: list[str] = []

    def fitted() -> bool:
        found[:] = page.locator("#fight").evaluate(script)
        return not found

    try:
        until(fitted, 5)
    except AssertionError:
        pytest.fail(f"{page.viewport_size}: {'; '.join(found)}")


def all_there(page: Page, kind: str, *, rows: bool = False) -> None:
    """On one page, which takes each size: what changes is fitted once, and then for each of the others."""
    expect(page.locator("#stage")).to_have_attribute("data-kind", kind)
    for size in SIZES:
        sized(page, size)
        fine(page, MISSING)
        if rows:
            fine(page, UNLIKE)


def sized(page: Page, size: tuple[int, int]) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})


@pytest.fixture(scope="module")
def evening(standing_kiosk: Program) -> Evening:
    """Four of each side, of whom two are behind cover."""
    made = Evening(standing_kiosk)
    made.send("set_up_table", ruleset="core-1e", players=["Ana", "Ben"])
    for name in CREW:
        made.join(name)
    for name in FOES:
        made.join(name, standing="notable_npc" if name == FOES[-1] else "minor_npc")
    made.send("take_weapon", character_id=made.people[CREW[2]], weapon="phaser_type_2")
    made.launch("Distant Harbour", scale=4)
    made.launch("Grey Talon", scale=4, crew="talented")
    return made


def turns(evening: Evening, *who: str) -> None:
    """Those Turns begin and end."""
    for one in who:
        evening.send("begin_turn", combatant_id=one)
        evening.send("end_turn")


def test_nobody_vanishes_in_a_fight_on_foot(evening: Evening, open_beside: OpenPage) -> None:
    people = evening.people
    evening.fight(CREW[0])
    for name in (CREW[0], FOES[1]):
        evening.send("set_cover", character_id=people[name], dice=2)
    page = live(open_beside("/display", *SIZES[0], bypass_csp=True))
    turns(evening, people[CREW[0]], people[FOES[0]], people[CREW[1]], people[FOES[1]])
    all_there(page, "turn", rows=True)
    evening.send("strike_hazard", target_id=people[CREW[1]], rating=3, reason="Falling rocks")
    evening.throw(2, 2, 1)
    all_there(page, "chain", rows=True)
    evening.send("suffer_injury")
    all_there(page, "turn", rows=True)
    evening.send("begin_turn", combatant_id=people[CREW[2]])
    aim = {"name": "attack", "target_id": people[FOES[1]], "weapon": "phaser_type_2"}
    evening.send("declare_task", declaration={"character_id": people[CREW[2]], "action": aim})
    all_there(page, "ask", rows=True)
    evening.throw(3, 2)
    all_there(page, "outcome", rows=True)
    for style, script in ((SWOLLEN, UNLIKE), (GONE, MISSING)):
        page.add_style_tag(content=style)
        for size in SIZES:
            sized(page, size)
            assert page.locator("#fight").evaluate(script), "a page made bad"


def test_nobody_vanishes_in_a_duel_of_ships(evening: Evening, open_beside: OpenPage) -> None:
    people, ships = evening.people, evening.ships
    while evening.table["task"] is not None:
        evening.send("undo")
    if evening.table["conflict"] is not None:
        evening.send("end_conflict")
    stations = ("command", "helm", "tactical", "internal")
    seats = [
        {"combatant_id": people[name], "ship_id": ships["Distant Harbour"], "station": station}
        for name, station in zip(CREW, stations, strict=True)
    ]
    foe = {"combatant_id": ships["Grey Talon"]}
    evening.send("start_conflict", kind="starship", combatants=[*seats, foe], begins=people[CREW[0]])
    page = live(open_beside("/display", *SIZES[0], bypass_csp=True))
    turns(evening, people[CREW[0]], ships["Grey Talon"], people[CREW[2]])
    for size in SIZES[1::-1]:
        sized(page, size)
        fine(page, DULL)
    badges = page.add_style_tag(content=BADGES)
    assert page.locator("#fight").evaluate(DULL), "a page made bad"
    badges.evaluate("one => one.remove()")
    for name in ships.values():
        evening.send("strike_ship", ship_id=name, damage=14, reason="Debris", system="engines")
    all_there(page, "turn")
    evening.send("begin_turn", combatant_id=ships["Grey Talon"])
    all_there(page, "turn")
