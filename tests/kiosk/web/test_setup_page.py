"""Setting the table up on its page: house rules, and ships that can be changed."""

from __future__ import annotations

import html
import re
from dataclasses import fields
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.views.house_rules import BRINGS, PREFIX, house_rule_groups, house_rules
from rules.state.options import TableOptions
from tests.kiosk.desk import send
from tests.kiosk.web.test_pages import ATTRIBUTES, DISCIPLINES, Outline, press, read, set_up, words
from tests.kiosk.web.test_persons import Phone, opened


def table_of(client: FlaskClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/v1/table").get_json()["table"]
    return found


def test_every_disputed_point_can_be_settled_at_the_start_and_is_shown(client: FlaskClient) -> None:
    assert [rule.name for rule in house_rules()] == [PREFIX + one.name for one in fields(TableOptions)]
    page = read(client, "/setup")
    assert "House rules" in page
    for rule in house_rules():
        assert f'name="{rule.name}"' in page
    chosen = {
        "house_bonus_price_counts_all": "yes",
        "house_inspiration_subset": "no",
        "house_momentum_decay": "1",
        "house_create_problem_cap": "0",
        "house_direct_use": "momentum",
        "house_warp_as": "starter",
    }
    assert press(client, "set_up", back="/setup", ruleset="core-1e", players="Ada\nBen", **chosen)[0] == 200
    options = client.get("/api/v1/table").get_json()["table"]["options"]
    assert {name: value for name, value in options.items() if value is not None} == {
        "bonus_price_counts_all": True,
        "inspiration_subset": False,
        "create_problem_cap": 0,
        "momentum_decay": 1,
        "direct_use": "momentum",
        "warp_as": "starter",
    }
    shown = words(read(client, "/setup"))
    assert "House rules in play: Free dice raise the price: yes; Inspiration for chosen dice: no;" in shown
    assert "Most steps of Create Problem: no limit;" in shown
    assert "Direct: 1 Momentum; Going to warp: first edition, starter set." in shown


def test_the_house_rules_of_a_table_are_changed_on_any_evening(client: FlaskClient) -> None:
    set_up(client)
    page = read(client, "/setup")
    assert "This table plays as its ruleset says." in words(page)
    changes = {"house_momentum_decay": "1", "house_inspiration_subset": "no", "house_warp_as": "starter"}
    assert press(client, "change_options", back="/setup", **changes)[0] == 200
    page = read(client, "/setup")
    assert "House rules in play: Inspiration for chosen dice: no;" in words(page)
    assert re.search('id="change-house_momentum_decay"[^>]* value="1"', page)
    options = client.get("/api/v1/table").get_json()["table"]["options"]
    filled = {
        one["name"]: one["value"]
        for one in re.finditer(
            r'id="change-(?P<name>\w+)" name[^>]*>(?:<option[^>]*>[^<]*</option>)*?'
            r'<option value="(?P<value>\w+)" selected',
            page,
        )
    }
    assert filled == {"house_inspiration_subset": "no", "house_warp_as": "starter"}
    decided = client.get("/api/v1/table").get_json()["sequence"]
    assert press(client, "change_options", back="/setup", **changes)[0] == 200
    assert client.get("/api/v1/table").get_json()["sequence"] == decided
    assert client.get("/api/v1/table").get_json()["table"]["options"] == options


def test_house_rules_stand_in_folds_and_what_the_house_plays_before_them(client: FlaskClient) -> None:
    set_up(client)
    grouped = [rule for group in house_rule_groups() for rule in group.rules]
    assert sorted(one.name for one in grouped) == sorted(one.name for one in house_rules()), "each stands once"
    page = read(client, "/setup").partition("Change the house rules")[2].partition("</form>")[0]
    assert re.findall(r'<details class="rules"><summary>([^<]+)', page) == [
        "Tasks, pools and Determination: 12",
        "Fights on foot: 8",
        "Ships: 9",
        "Actions aboard, as another ruleset has them: 12",
    ]
    assert page.count("Each ruleset has its own") == 1
    assert "Played otherwise here" not in page
    assert press(client, "change_options", back="/setup", house_warp_as="starter", house_task_cap="0")[0] == 200
    page = read(client, "/setup").partition("Change the house rules")[2].partition("</form>")[0]
    assert page.startswith(" <small>Played otherwise here: 2</small></span></summary>")
    own, _, folded = page.partition('<details class="rules">')
    for name in ("house_warp_as", "house_task_cap"):
        assert f'id="change-{name}"' in own
        assert f'id="change-{name}"' not in folded
    assert "<summary>Fights on foot: 7</summary>" in folded


def test_each_ruleset_says_which_dice_to_bring_and_by_which_rules_it_fights(client: FlaskClient) -> None:
    for path in ("/display?step=ruleset", "/setup"):
        page = words(read(client, path))
        assert [one for one in BRINGS.values() if one not in page] == [], path
    press(client, "sample_crew", ruleset="second-edition", back="/setup")
    assert "Second edition. Bring d20s. Ships fight by the second edition" in words(read(client, "/setup"))


def test_refused_changes_of_house_rules_stay_in_their_own_form(client: FlaskClient) -> None:
    set_up(client)
    wrong = {"changing_options": "yes", "house_determination_start": "5", "house_determination_maximum": "2"}
    status, page = press(client, "change_options", back="/setup", **wrong)
    assert status == 409
    assert "<details open><summary>Change the house rules" in page
    assert re.search('id="change-house_determination_start"[^>]* value="5"', page)


def test_refused_house_rules_stay_in_the_form(client: FlaskClient) -> None:
    many = {"house_determination_start": "5", "house_determination_maximum": "2", "house_inspiration_subset": "no"}
    status, page = press(client, "set_up", back="/setup", ruleset="core-1e", players="Ada", **many)
    assert status == 409
    assert "<details open><summary>House rules" in page
    assert re.search('id="house_determination_start"[^>]* value="5"', page)
    assert '<option value="no" selected>No</option>' in page


def test_a_ship_is_changed_like_a_character(client: FlaskClient) -> None:
    set_up(client)
    systems = dict.fromkeys(("communications", "computers", "engines", "sensors", "structure", "weapons"), 9)
    send(client, "save_ship", name="Distant Harbour", scale=4, systems=systems, departments=DISCIPLINES)
    (ship,) = client.get("/api/v1/table").get_json()["table"]["ships"]
    page = read(client, f"/setup?ship={ship['ship_id']}")
    assert '<details id="ship" open>' in page
    filled = {one["name"]: one["value"] for one in Outline(page).all("input") if one.get("name")}
    assert (filled["ship_name"], filled["scale"], filled["system_engines"]) == ("Distant Harbour", "4", "9")
    assert (filled["department_engineering"], filled["ship_id"]) == ("4", ship["ship_id"])
    form = re.compile("ship_|scale|system_|department_")
    sent = {name: str(value) for name, value in filled.items() if name is not None and form.match(name)}
    assert press(client, "ship", back="/setup", **sent | {"system_engines": "11"})[0] == 200
    (after,) = client.get("/api/v1/table").get_json()["table"]["ships"]
    assert after == {**ship, "systems": {**systems, "engines": 11}, "state": after["state"]}
    assert (ship["state"]["power_max"], after["state"]["power_max"]) == (9, 11), "Power follows the Engines"


@pytest.mark.parametrize(
    ("ruleset", "named", "skill"),
    [("core-1e", "First edition, core", "Discipline"), ("second-edition", "Second edition", "Department")],
)
def test_a_running_table_says_by_which_ruleset_it_plays_in_the_words_of_that(
    client: FlaskClient, ruleset: str, named: str, skill: str
) -> None:
    press(client, "sample_crew", ruleset=ruleset, back="/setup")
    page = read(client, "/setup")
    assert f"This table plays by: {named}." in words(page)
    assert re.search(f'<option value="{ruleset}" selected>', page), "and would begin again by it"
    assert f"<legend>{skill}s</legend>" in page
    for path, label in (("/play", '<label for="discipline">'), ("/text", "<legend>")):
        assert f"{label}{skill}</" in read(client, f"{path}?declare=yes"), path
    assert ("Ask for Challenge Dice" in read(client, "/text")) == (ruleset == "core-1e")


def test_the_sample_crew_is_offered_until_there_are_characters(client: FlaskClient) -> None:
    assert "Start with the sample crew" in read(client, "/setup")
    press(client, "set_up", back="/setup", ruleset="core-1e", players="Ada\nBen")
    page = words(read(client, "/setup"))
    assert "Start with the sample crew" in page
    assert "It begins a new table, with four players in place of yours." in page
    press(client, "sample_crew", back="/setup", ruleset="core-1e")
    table = client.get("/api/v1/table").get_json()["table"]
    assert (len(table["players"]), len(table["characters"])) == (4, 4)
    assert "Start with the sample crew" not in read(client, "/setup")


def test_the_sample_crew_has_the_words_of_whoever_calls_for_it(client: FlaskClient) -> None:
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert "Fähnrich Pell Varga" in read(client, "/setup")
    assert press(client, "sample_crew", ruleset="core-1e", back="/setup")[0] == 200
    table = client.get("/api/v1/table").get_json()["table"]
    assert [one["name"] for one in table["players"]] == ["Person 1", "Person 2", "Person 3", "Person 4"]
    assert table["characters"][1]["values"][0]["text"] == "Nichts ist für immer kaputt"
    assert table["characters"][3]["name"] == "Fähnrich Pell Varga"


def test_what_was_added_is_said_where_it_was_and_takes_the_focus_once(client: FlaskClient) -> None:
    set_up(client)
    numbers = {f"discipline_{one}": "2" for one in DISCIPLINES} | {f"attribute_{one}": "8" for one in ATTRIBUTES}
    vosk = {"character_name": "Raider Vosk", "standing": "notable_npc", **numbers}
    status, page = press(client, "character", back="/setup", **vosk)
    assert status == 200
    told = re.findall(r'<p class="caption" id="done" tabindex="-1" autofocus>([^<]*)</p>', page)
    assert told == ["Raider Vosk is ready."]
    assert page.index('id="characters-title"') < page.index('id="done"') < page.index('id="ships-title"')
    assert 'id="done"' not in read(client, "/setup")
    assert 'id="done"' not in read(client, "/setup?done=character&told=other"), "only the decision that it came to"


def test_with_characters_a_new_one_is_folded_and_the_sample_crew_is_never_first(client: FlaskClient) -> None:
    def shown() -> str:
        return client.get("/setup").get_data(as_text=True)

    assert '<button type="submit" class="main-action">Start with the sample crew' in shown()
    send(client, "set_up_table", ruleset="core-1e", players=["Ada"])
    page = shown()
    assert '<button type="submit">Start with the sample crew' in page
    assert page.index("New character") < page.index("Start with the sample crew")
    assert '<details id="character" open>' in page
    set_up(client)
    page = shown()
    assert '<details id="character">' in page
    assert "Start with the sample crew" not in page


def test_without_a_table_the_gamemasters_page_leads_to_setting_one_up(client: FlaskClient) -> None:
    leads = 'class="button main-action" href="/setup"'
    assert leads in client.get("/gm").get_data(as_text=True)
    set_up(client)
    assert leads not in client.get("/gm").get_data(as_text=True)


def test_foes_of_fights_that_are_over_stand_apart_and_go_in_one_decision(client: FlaskClient) -> None:
    set_up(client)
    for name, standing in (
        ("Brack", "minor_npc"),
        ("Kell", "minor_npc"),
        ("Vosk", "notable_npc"),
        ("Doctor Ames", "minor_npc"),
    ):
        send(client, "save_character", name=name, attributes=ATTRIBUTES, disciplines=DISCIPLINES, standing=standing)
    okafor, brack, kell, vosk, _ = (one["character_id"] for one in table_of(client)["characters"])
    assert "Of fights that are over" not in read(client, "/setup")
    seats = [{"combatant_id": one} for one in (okafor, brack, kell, vosk)]
    send(client, "start_conflict", kind="personal", combatants=seats)
    assert "Of fights that are over" not in read(client, "/setup"), "they fight"
    send(client, "end_conflict")
    page = read(client, "/setup")
    assert "NPCs: 2" in words(page), "who comes back stays among them, and who did not fight"
    assert "Of fights that are over: 2" in words(page)
    gone = re.search('name="gone" value="([^"]*)"', page)
    assert gone is not None
    assert gone[1] == f"{brack} {kell}"
    status, page = press(client, "clear_fights", back="/setup", gone=gone[1], confirmed="yes")
    assert status == 200
    assert [one["name"] for one in table_of(client)["characters"]] == ["Ada Lindqvist", "Vosk", "Doctor Ames"]
    assert "Of fights that are over" not in page
    assert "Brack and Kell leave the table." in words(page)
    send(client, "add_trait", name="Smoke", kind="complication")
    status, page = press(client, "clear_fights", back="/setup", gone=gone[1], confirmed="yes")
    assert status == 409
    assert "Nobody was removed: all of them had left the table before." in words(page), "not what was told last"
    assert "Complication: Smoke." not in words(page)
    send(client, "undo")
    send(client, "undo")
    assert len(table_of(client)["characters"]) == 5


SHIP = {
    "ship_name": "Kestrel",
    "scale": "4",
    **{f"system_{one}": "9" for one in ("communications", "computers", "engines", "sensors", "structure", "weapons")},
    **{f"department_{one}": "2" for one in DISCIPLINES},
    "fights": "yes",
}
LINK = re.compile(r'<a [^>]*href="(/setup\?ship=[^"]*)">(.*?)</a>')


def links(page: str) -> list[str]:
    """The words of those that lead to a ship's card to give it a weapon."""
    return [re.sub("<[^>]*>", "", text) for _, text in LINK.findall(page) if not text.startswith("Change")]


def test_a_new_ship_is_armed_unless_somebody_says_otherwise(client: FlaskClient) -> None:
    set_up(client)
    ready = [one for one in Outline(read(client, "/setup")).all("input") if str(one.get("name")).startswith("mount_")]
    assert [(one["name"], "checked" in one) for one in ready] == [
        ("mount_phasers", True),
        ("mount_torpedoes", True),
        ("mount_light_phasers", False),
    ]
    ticked = {str(one["name"]): "yes" for one in ready if "checked" in one}
    status, page = press(client, "ship", back="/setup", **SHIP, **ticked, ship_weapons="Lance; energy; 9; long")
    assert status == 200
    (ship,) = table_of(client)["ships"]
    assert [(one["name"], one["kind"], one["rating"]) for one in ship["weapons"]] == [
        ("Phasers", "energy", 7),
        ("Torpedoes", "torpedo", 5),
        ("Lance", "energy", 9),
    ]
    assert "Kestrel is ready." in page
    assert not links(page)


@pytest.mark.parametrize("ruleset", ["starter", "core-1e", "second-edition"])
def test_a_ship_without_a_weapon_says_so_everywhere_and_a_link_arms_it(client: FlaskClient, ruleset: str) -> None:
    set_up(client)
    send(client, "set_up_table", ruleset=ruleset, players=["Ada", "Ben"])
    _, page = press(client, "ship", back="/setup", **SHIP)
    assert "is ready" not in page
    assert "Kestrel has no weapon yet: it cannot fire." in page
    assert links(page) == ["No weapon yet: give it one: Kestrel"]
    for path in ("/gm", "/play/table"):
        assert links(read(client, path)) == ["No weapon yet: Kestrel"], path
    (ship,) = table_of(client)["ships"]
    pilot = table_of(client)["characters"][0]["character_id"]
    seat = {f"takes_part_{pilot}": "yes", f"ship_{pilot}": ship["ship_id"], f"station_{pilot}": "tactical"}
    press(client, "start_conflict", back="/conflict", kind="starship", confirmed="yes", **seat)
    send(client, "begin_turn", combatant_id=pilot)
    fight = read(client, f"/conflict?who={pilot}")
    assert "Kestrel has no weapon yet: it cannot fire." in words(fight)
    assert links(fight) == ["Give it one"]
    found = LINK.search(fight)
    assert found is not None
    form = Outline(read(client, found[1]))
    assert not [one for one in form.all("input") if str(one.get("name")).startswith("mount_") and "checked" in one]
    send(client, "end_conflict")
    status, page = press(client, "ship", back="/setup", **SHIP, ship_id=ship["ship_id"], mount_torpedoes="yes")
    assert status == 200
    assert "Kestrel is changed." in page
    for path in ("/setup", "/gm", "/play/table"):
        assert not links(read(client, path)), path
    status, page = press(client, "ship", back="/setup", **SHIP, ship_id=ship["ship_id"])
    assert (status, table_of(client)["ships"][0]["weapons"]) == (200, [])
    assert "Kestrel is changed. It has no weapon: it cannot fire." in page
    press(client, "ship", back="/setup", **SHIP | {"ship_name": "Corsair"})
    assert links(read(client, "/gm")) == ["No weapon yet: Kestrel", "No weapon yet: Corsair"], "each by its name"


def test_the_gamemaster_finds_back_from_the_set_up() -> None:
    with opened() as desk:
        set_up(desk.client())
        back = 'href="/gm">To the gamemaster\'s page'
        assert back in html.unescape(read(Phone(desk, gamemaster=True).client, "/setup"))
        assert back not in html.unescape(read(Phone(desk).client, "/setup"))


def test_a_refused_set_up_opens_the_house_rules_only_where_one_was_chosen(client: FlaskClient) -> None:
    rule = f"{PREFIX}momentum_decay"
    for chosen, shown in (("", ""), ("1", " open")):
        fields = {"ruleset": "core-1e", "players": "N" * 63, rule: chosen}
        status, page = press(client, "set_up", back="/setup", **fields)
        assert status == 400
        assert f"<details{shown}><summary>House rules</summary>" in page


SHORT = re.compile(r'<(?:a|summary|button)\b[^>]* aria-label="([^"]*)"[^>]*>([^<]*)</')


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_changing_and_removing_are_called_shortly_beside_each_name_and_wholly_for_the_ear(
    client: FlaskClient, language: str
) -> None:
    """The names stood in each line twice. What is seen is a part of what is heard: WCAG 2.5.3."""
    set_up(client)
    assert press(client, "ship", back="/setup", **SHIP)[0] == 200
    send(client, "add_trait", name="Ion storm")
    pages = [read(client, f"{path}?language={language}") for path in ("/setup", "/gm")]
    found = [(html.unescape(said), words(shown)) for page in pages for said, shown in SHORT.findall(page)]
    table = table_of(client)
    for name in (table["characters"][0]["name"], "Kestrel", table["players"][0]["name"], "Ion storm"):
        own = [(said.replace("\u2068", "").replace("\u2069", ""), shown) for said, shown in found if name in said]
        assert own, name
        assert all(shown.casefold() in said.casefold() and name not in shown for said, shown in own), own


def test_beginning_again_offers_who_plays_and_leaves_foes_of_fights_behind(client: FlaskClient) -> None:
    """Names are one tick each; a foe that a fight brought comes along only where its tick is taken away."""
    set_up(client)
    before = table_of(client)
    names = [one["name"] for one in before["players"]]
    fight = {"kind": "personal", "many_corsair": "1"}
    assert press(client, "fight", back="/gm", **fight)[0] == 200
    send(client, "end_conflict")
    page = read(client, "/setup").partition("Begin again with a new table")[2]
    again = {f"again_{one['player_id']}": "yes" for one in before["players"]}
    for field, name in zip(again, names, strict=True):
        assert re.search(rf'name="{field}" value="yes" checked><span>{name}</span>', page)
    foes = re.search(r'name="gone" value="([^"]*)"', page)
    assert foes is not None
    assert "Leave behind: Corsair." in words(page)
    assert "Corsair" not in words(page).partition("These stay as they stand")[2].partition("Remove above")[0]
    left = {"leave": "yes", "gone": foes[1], "confirmed": "yes"}
    form = {"back": "/setup", "ruleset": "core-1e", "players": "Zoe", **again}
    assert press(client, "set_up", **form, **left)[0] == 200
    table = table_of(client)
    assert [one["name"] for one in table["players"]] == [*names, "Zoe"]
    assert "Corsair" not in {one["name"] for one in table["characters"]}
    assert {one["player_id"] for one in table["characters"]} <= {one["player_id"] for one in table["players"]} | {""}
    client.post("/text/undo", data={"confirmed": "yes", "tap": "back"}, headers={"X-Trueroll": "1"})
    assert "Corsair" in {one["name"] for one in table_of(client)["characters"]}


def test_beginning_again_that_is_refused_stays_open_with_the_reason_in_it(client: FlaskClient) -> None:
    set_up(client)
    page = press(client, "set_up", back="/setup", ruleset="core-1e", players="")[1]
    fold = page.partition('<details id="again" open>')[2]
    assert "A table has 1 to 12 players; name them." in fold
    assert page.count("name them.") == 1
    assert re.search(r'class="error" role="alert" tabindex="-1" autofocus', fold)
    assert " checked><span>" not in fold.partition("</form>")[0].partition("</fieldset>")[0], (
        "what was unticked stays so"
    )


def test_the_page_opens_at_the_ships_and_at_a_new_one(client: FlaskClient) -> None:
    set_up(client)
    assert '<a class="button" href="/setup#ships-title">NPCs, crews, ships</a>' in read(client, "/gm")
    assert '<details id="ship" open>' in read(client, "/setup?open=ship")
    assert '<details id="ship">' in read(client, "/setup")


def test_an_ally_in_the_fight_is_not_left_behind_by_a_new_table(client: FlaskClient) -> None:
    ada = set_up(client)
    alike = {"attributes": ATTRIBUTES, "disciplines": DISCIPLINES, "standing": "notable_npc"}
    for name in ("Old friend", "Corsair"):
        send(client, "save_character", name=name, **alike)
    friend, foe = (one["character_id"] for one in table_of(client)["characters"][1:])
    sides = [{"combatant_id": ada}, {"combatant_id": friend, "side": "pc"}, {"combatant_id": foe}]
    send(client, "start_conflict", kind="personal", combatants=sides, begins=ada)
    assert "Leave behind: Corsair." in words(read(client, "/setup"))
