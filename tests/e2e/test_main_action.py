"""In each state of a phone one main action leads, in sight before all that may be bought, in every ruleset."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.crew import declaration
from tests.e2e.program import Program
from tests.e2e.scenes import Evening
from tests.e2e.test_pages import live
from tests.e2e.test_tabs import COVERED
from tests.e2e.thumbs import PHONE, playing

ADA, BEN, VOSK = "Ada Lindqvist", "Ben Adeyemi", "Raider Vosk"
SMALL, USUAL = (320, 640), (390, 844)
SIZES = (SMALL, USUAL)
"""Of phones. In the short form a course is played on one of them, the small one in each kind of fight."""

LEADS = """main => {
    const choices = [...document.querySelectorAll("#actions button, #actions summary, #actions .button")];
    const usual = choices.filter(one => one.checkVisibility() && !one.matches(".about *, .headed *, .fold > summary"));
    const above = one => one.getBoundingClientRect().bottom <= main.getBoundingClientRect().top;
    return usual.filter(one => one !== main && above(one)).map(one => one.textContent.trim());
}"""
"""What may be chosen above the main action."""


def leads(phone: Page, name: str, *sizes: tuple[int, int]) -> None:
    """That one main action has that name, and is seen whole and uncovered, with nothing to choose above it."""
    main = phone.locator(".main-action:visible")
    for width, height in sizes or SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        phone.evaluate("scrollTo(0, 0)")
        expect(main).to_have_count(1)
        expect(main).to_have_text(re.compile("^" + name.replace(" ", r"\s")))  # a number keeps its word
        expect(main, f"{name} at {width}").to_be_in_viewport(ratio=1)
        assert main.evaluate_all(COVERED) == [], (name, width)
        assert main.evaluate(LEADS) == [], (name, width)


@pytest.mark.parametrize("ruleset", ["starter", "core-1e", "second-edition"])
def test_one_main_action_leads_in_each_state(kiosk: Program, open_page: OpenPage, ruleset: str, *, whole: bool) -> None:
    sizes = SIZES if whole else (USUAL if ruleset == "starter" else SMALL,)
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset=ruleset, players=["Ada", "Ben"])
    for name in (ADA, BEN):
        evening.join(name, weapons=["phaser_type_2"], values=["Nobody is left behind"])
    evening.join(VOSK, standing="notable_npc")
    evening.send("adjust_pool", pool="momentum", change=3)
    phone = playing(kiosk, open_page, ADA, 390, 844, bypass_csp=True, **PHONE)
    leads(phone, "Declare a Task", *sizes)
    evening.declare(ADA, label="Seal the hatch")
    leads(phone, "Count these dice", *sizes)
    evening.report({"face": 3}, {"face": None, "state": "doubtful", "confidence": 0.5, "guesses": []})
    expect(phone.locator("#held .pad").first, "the pad for the die in doubt").to_be_in_viewport()
    evening.send("correct_die", position=1, face=20)
    leads(phone, "Take the Complication", *sizes)
    evening.send("finish_spending")
    leads(phone, "Take the Complication", *sizes)
    evening.send("undo")
    evening.send("take_complication")
    leads(phone, "Done", *sizes)
    evening.send("finish_spending")
    ada = evening.fight(ADA)
    leads(phone, "Begin Lindqvist's Turn", *sizes)
    evening.send("begin_turn", combatant_id=ada)
    leads(phone, "Attack", *sizes)
    attack = {"name": "attack", "target_id": evening.people[VOSK], "weapon": "phaser_type_2"}
    evening.send("declare_task", declaration={"character_id": ada, "action": attack, "focus": True})
    leads(phone, "Count these dice", *sizes)
    evening.throw(3, 4)
    leads(phone, "Go on to the damage", *sizes)
    evening.send("follow_through")
    leads(phone, "Count these dice", *sizes)
    evening.throw(*["effect"] * evening.table["request"]["count"])
    leads(phone, "Settle the damage", *sizes)
    evening.send("settle_damage")
    leads(phone, "Raider Vosk suffers the Injury", *sizes)
    evening.send("suffer_injury")
    leads(phone, "Done: save", *sizes)
    evening.send("finish_spending")
    leads(phone, "End the Turn", *sizes)
    fight = live(open_page(f"/play/fight?me={ada}", 390, 844, bypass_csp=True, **PHONE))
    leads(fight, "End the Turn", *sizes)
    evening.send("end_turn")
    expect(phone.locator("#own-turn .main-action, #actions .main-action")).to_have_count(0)
    evening.send("end_conflict")
    leads(phone, "Declare a Task", *sizes)


@pytest.mark.parametrize(("ruleset", "fire"), [("core-1e", "fire_weapon"), ("second-edition", "fire")])
def test_one_main_action_leads_in_each_state_of_a_ship_duel(
    kiosk: Program, open_page: OpenPage, ruleset: str, fire: str, *, whole: bool
) -> None:
    sizes = SIZES if whole else (SMALL if ruleset == "core-1e" else USUAL,)
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset=ruleset, players=["Ada", "Ben"])
    evening.join(ADA, values=["Nobody is left behind"])
    phasers = [{"name": "Phasers", "kind": "energy", "rating": 7, "optimal_range": "medium"}]
    evening.launch("Kestrel", scale=4, weapons=phasers)
    evening.launch("Raider", scale=3, crew="talented", weapons=phasers)
    evening.send("adjust_pool", pool="momentum", change=3)
    ada, raider = evening.people[ADA], evening.ships["Raider"]
    crew = {"combatant_id": ada, "ship_id": evening.ships["Kestrel"], "station": "tactical"}
    evening.send("start_conflict", kind="starship", combatants=[crew, {"combatant_id": raider}])
    evening.send("begin_turn", combatant_id=ada)
    phone = playing(kiosk, open_page, ADA, 390, 844, bypass_csp=True, **PHONE)
    leads(phone, "Fire", *sizes)
    action = {"name": fire, "scope": "bridge", "target_id": raider, "weapon": "Phasers"}
    evening.send("declare_task", declaration={"character_id": ada, "action": action, "focus": True})
    mains = {"follow_through": "Go on", "settle_ship_hit": "Settle", "settle_hit": "Settle", "finish_spending": "Done"}
    seen: list[str] = []
    while "finish_spending" not in seen:
        request = evening.table["request"]
        if request is not None:
            leads(phone, "Count these dice", *sizes)
            evening.throw(*[3 if request["kind"] == "d20" else "blank"] * request["count"])
            continue
        offered = [one["command"]["command"] for one in kiosk.table()["options"]]
        seen.append(next(one for one in mains if one in offered))
        leads(phone, mains[seen[-1]], *sizes)
        evening.send(seen[-1])
    leads(phone, "End the Turn", *sizes)
    assert len(seen) == 3


def test_the_dice_lead_where_a_task_began_with_those_of_the_one_before(kiosk: Program, open_page: OpenPage) -> None:
    """What was before stands on the table's screen, and on the phone of whoever threw that."""
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben"])
    for name in (ADA, BEN):
        evening.join(name)
    ada, ben = (playing(kiosk, open_page, name, 390, 844, bypass_csp=True, **PHONE) for name in (ADA, BEN))
    evening.declare(ADA, label="Seal the hatch before the hold floods")
    evening.send("line_up", declaration=declaration(evening.people[BEN], label="Cross the gap"))
    evening.throw(18, 19)
    leads(ben, "Count these dice")
    before = "Before it: Lindqvist fails with 18 and 19."
    expect(ada.locator("#stage")).to_contain_text(before)
    expect(ben.locator("#stage")).not_to_contain_text("Before it")
    expect(live(open_page("/display", 1920, 1080)).locator("#stage")).to_contain_text(before)


def test_who_lost_an_opposed_task_sees_their_dice_and_what_is_next(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben"])
    for name in (ADA, BEN):
        evening.join(name)
    ada, ben = (playing(kiosk, open_page, name, 390, 844, bypass_csp=True, **PHONE) for name in (ADA, BEN))
    evening.declare(ADA, label="Arm wrestling", opposed=True, difficulty=1)
    evening.throw(1, 2)
    evening.declare(BEN, difficulty=1)
    evening.throw(18, 19)
    leads(ada, "Done: save 3\N{NO-BREAK SPACE}Momentum")
    expect(ben.locator("#stage .die")).to_have_count(2)
    evening.send("finish_spending")
    leads(ben, "Declare a Task")
    expect(ben.locator("#stage .die").first).to_be_visible()


def test_done_stays_where_it_is_from_spend_to_spend(kiosk: Program, open_page: OpenPage) -> None:
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset="core-1e", players=["Ada"])
    evening.join(ADA, values=["The crew decides with me"])
    phone = playing(kiosk, open_page, ADA, 390, 844, **PHONE)
    evening.declare(ADA, label="Ask around", difficulty=0)
    evening.throw(1, 2)
    expect(phone.locator(".again legend")).to_contain_text("1 Determination")
    done, places = phone.locator("#do-finish_spending > button"), []
    for left in (4, 3, 2):
        expect(done).to_have_text(f"Done: save {left}\N{NO-BREAK SPACE}Momentum")
        expect(phone.locator(".again .die-face, .lie .die-face")).to_have_count(2)
        assert phone.locator("#stage .die:visible").count() == 0, "they lie below"
        box = done.bounding_box()
        assert box is not None
        places.append(box["y"])
        phone.get_by_role("button", name="Obtain Information, 1 Momentum").tap()
    assert len(set(places)) == 1, places


CUT = """() => [...document.querySelectorAll(".long")].filter((one) => one.checkVisibility()).map((one) => {
    const lines = one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).fontSize);
    return [one.textContent.length, Math.floor(lines)];
})"""
"""Of each word that is too long for a line: its letters, and about how many lines it takes."""

BESIDE = CUT.replace(".long", ".fight strong[data-long]")
"""The same of each such name in the table of a fight beside the stage."""


def test_a_name_of_sixty_letters_without_a_break_leaves_the_main_action_in_sight(
    kiosk: Program, open_page: OpenPage
) -> None:
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset="core-1e", players=["Ada"])
    ada, vosk = "W" * 60, "V" * 60
    evening.join(ada, weapons=["phaser_type_2"])
    evening.join(vosk, standing="notable_npc", weapons=["blade"])
    evening.send("adjust_pool", pool="momentum", change=3)
    phone = playing(kiosk, open_page, ada, 390, 844, bypass_csp=True, **PHONE)
    evening.declare(ada, label="Seal the hatch")
    evening.throw(1, 20)
    evening.send("take_complication")
    leads(phone, "Done")
    expect(phone.locator(".stage-word"), "whole for whoever hears or copies it").to_contain_text(f"{ada} succeeds")
    cut = phone.evaluate(CUT)
    assert cut
    assert {(letters, lines) for letters, lines in cut} == {(60, 1), (61, 1)}  # the latter ends what was taken: a stop
    evening.send("finish_spending")
    me = evening.fight(ada)
    leads(phone, "Begin")
    evening.send("begin_turn", combatant_id=me)
    attack = {"name": "attack", "target_id": evening.people[vosk], "weapon": "phaser_type_2"}
    evening.send("declare_task", declaration={"character_id": me, "action": attack, "focus": True})
    evening.throw(3, 4)
    leads(phone, "Go on to the damage")
    evening.send("follow_through")
    evening.throw(*["effect"] * evening.table["request"]["count"])
    leads(phone, "Settle the damage")
    evening.send("settle_damage")
    leads(phone, vosk)
    assert phone.evaluate("() => document.documentElement.scrollWidth") <= phone.evaluate("() => innerWidth")
    stage = live(open_page("/display", 1920, 1080, alone=True))
    assert stage.evaluate("() => document.querySelector('#turn .long').getBoundingClientRect().right <= innerWidth"), (
        "on the stage nothing ends beyond the edge"
    )
    assert stage.evaluate(BESIDE) == [[60, 2]] * 2, "beside others, who stay in sight"


def test_the_dice_of_work_leave_the_main_action_in_sight(kiosk: Program, open_page: OpenPage) -> None:
    """EXT-T1: they are shown on the phone too, with what they came to; undo takes them off."""
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset="core-1e", players=["Ada"])
    evening.join(ADA)
    evening.send("begin_extended_task", label="Pump out the hold", work=8, magnitude=2, resistance=1, difficulty=2)
    phone = playing(kiosk, open_page, ADA, 390, 844, bypass_csp=True, **PHONE)
    screen = live(open_page("/display", 1024, 600))
    evening.declare(ADA, label="", action={"name": "extended", "target_id": evening.table["extended"][0]["track_id"]})
    evening.throw(4, 12)
    evening.send("finish_spending")
    leads(phone, "Count these dice")
    evening.throw(2, 2, "effect", 1, "blank", "blank")
    leads(phone, "Declare a Task")
    for page in (phone, screen):
        expect(page.locator("#stage .die-challenge")).to_have_count(6)
        expect(page.locator("#stage .die-challenge").last).to_be_visible()
        expect(page.locator("#stage h2")).to_contain_text("Lindqvist gets 5 Work and 1 Breakthrough")
        expect(page.locator("#stage .facts")).to_contain_text("5 of 8")
        expect(page.locator("#stage .stage-lines")).to_contain_text("6 with 1 Effect, less Resistance 1.")
    evening.send("undo")
    for page in (phone, screen):
        expect(page.locator("#stage .die .die-challenge")).to_have_count(0)


CLEAR = """button => {
    const { bottom } = button.getBoundingClientRect();
    return document.getElementById("tabs").getBoundingClientRect().top - bottom;
}"""
"""How many pixels part a button from the tabs below it."""


@pytest.mark.parametrize("more", [1, 3])
def test_the_button_that_counts_the_dice_stands_clear_of_the_tabs_in_every_language(
    kiosk: Program, open_page: OpenPage, more: int
) -> None:
    """In Spanish it touched them with three dice, once a Task was named and somebody helped."""
    evening = Evening(kiosk)
    evening.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben"])
    for name in (ADA, BEN):
        evening.join(name)
    helps = {"character_id": evening.people[BEN], "attribute": "control", "discipline": "science"}
    label = "Sellar la escotilla antes de que sea tarde"
    evening.declare(ADA, label=label, assists=[helps], purchases=[{"payer": "threat"}] * more)
    for language in ("es", "de", "fr", "en"):
        phone = live(open_page(f"/play?me={evening.people[ADA]}&language={language}", *USUAL, **PHONE))
        expect(phone.locator(".entry input")).to_have_count(2 + more)
        assert phone.locator("#entered .main-action").evaluate(CLEAR) >= 8, language
