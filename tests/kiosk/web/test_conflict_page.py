"""The conflict page: everything that a fight shows, and acting in it by plain forms."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.views.conflict_view import conflict_view
from kiosk.web.conflict_forms import expected
from rules.conflict.events import ConflictOver
from rules.conflict.rounds import EndConflict, Entrant, StartConflict
from rules.history import evolve
from rules.state.vocabulary import ConflictKind, Side
from tests.kiosk.desk import PHONE, TABLE_CODE, Desk, post, send
from tests.kiosk.web.test_pages import ATTRIBUTES, DISCIPLINES, press, read, words
from tests.rules.fleet2e import Fleet
from tests.rules.tabletop import Game

SYSTEMS = dict.fromkeys(("communications", "computers", "engines", "sensors", "structure", "weapons"), 9)


def table(client: FlaskClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/v1/table").get_json()["table"]
    return found


def crew(client: FlaskClient, ruleset: str = "core-1e") -> dict[str, str]:
    """Two players' characters and an NPC, with the id of each by name."""
    send(client, "set_up_table", ruleset=ruleset, players=["Ada", "Ben"])
    card = {"attributes": ATTRIBUTES, "disciplines": DISCIPLINES}
    send(client, "save_character", name="Okafor", weapons=["phaser_type_2"], **card)
    send(client, "save_character", name="Lindqvist", **card)
    send(client, "save_character", name="Brack", standing="notable_npc", **card)
    return {one["name"]: one["character_id"] for one in table(client)["characters"]}


def begin(client: FlaskClient, ids: dict[str, str], kind: str = "personal", **more: str) -> str:
    ticked = {f"takes_part_{one}": "yes" for one in ids.values()}
    status, page = press(client, "start_conflict", back="/conflict", kind=kind, **ticked, **more)
    assert status == 200, words(page)
    return page


def test_a_fight_is_begun_and_shows_its_sides(client: FlaskClient) -> None:
    ids = crew(client)
    assert "No conflict is under way" in read(client, "/conflict")
    shown = words(begin(client, ids, begins=ids["Okafor"]))
    assert "Round 1. Nobody has the Turn." in shown
    assert "Players' side Stress Okafor To act" in shown
    assert "Gamemaster's side Stress Brack To act" in shown


def test_the_extended_task_at_hand_comes_first_then_the_newest(client: FlaskClient) -> None:
    ids = crew(client)
    for label in ("Restart the warp core", "Seal the breach", "Calm the crowd"):
        send(client, "begin_extended_task", label=label, work=8, magnitude=2, difficulty=1)

    def listed() -> list[str]:
        return re.findall(r"<li>([^:<]*): Work 0 of 8", read(client, "/conflict"))

    assert listed() == ["Calm the crowd", "Seal the breach", "Restart the warp core"]
    second = table(client)["extended"][1]["track_id"]
    at_work = {"attribute": "control", "discipline": "engineering", "action": {"name": "extended", "target_id": second}}
    send(client, "declare_task", declaration={"character_id": ids["Okafor"], **at_work})
    assert listed() == ["Seal the breach", "Calm the crowd", "Restart the warp core"]


def test_after_a_conflict_the_page_says_what_can_be_done_now(client: FlaskClient) -> None:
    ids = crew(client)
    onward = "or begin the next conflict here."
    assert onward not in words(begin(client, ids, begins=ids["Okafor"]))
    send(client, "end_conflict")
    page = read(client, "/conflict")
    assert "No conflict is under way" in words(page)
    assert onward in words(page)
    assert "Declare a Task; the gamemaster starts the next scene or the next fight." in words(page)
    assert '<p>Declare Tasks on <a href="/play">the player' in page


def test_a_minor_action_is_listed_once(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    page = read(client, f"/conflict?who={ids['Okafor']}")
    assert ">Aim<" in page
    assert 'data-deed="personal/aim"' not in page
    assert 'data-deed="personal/movement"' in page, "it is aimed at somebody"


def test_an_attack_is_played_by_the_page_alone(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    page = read(client, f"/conflict?who={ids['Okafor']}")
    assert "Acting now" in page
    assert 'value="phaser_type_2"' in page
    status, page = press(
        client,
        "act",
        back="/conflict",
        who=ids["Okafor"],
        character_id=ids["Okafor"],
        deed="attack",
        scope="personal",
        attribute="control",
        discipline="security",
        target_id=ids["Brack"],
        weapon="phaser_type_2",
    )
    assert status == 200, words(page)
    request = table(client)["request"]
    send(client, "enter_dice", request=request["number"], faces=[1, 1])
    page = read(client, "/conflict")
    assert "Go on to the damage" in page
    press(client, "option", back="/conflict", option="follow_through")
    request = table(client)["request"]
    send(client, "enter_dice", request=request["number"], faces=[2] * request["count"])
    assert "Buy more for this damage, or settle it." in words(read(client, "/conflict"))
    press(client, "option", back="/conflict", option="settle_damage")
    assert "Brack suffers the Injury" in words(read(client, "/conflict"))


def test_what_is_not_possible_says_why(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    shown = words(read(client, f"/conflict?who={ids['Lindqvist']}"))
    assert "Not possible now" in shown
    status, page = press(
        client, "act", back="/conflict", character_id=ids["Okafor"], deed="attack", scope="personal",
        attribute="control", discipline="security",
    )  # fmt: skip
    assert status == 409
    assert 'role="alert"' in page


def test_a_bridge_shows_its_stations_and_systems(client: FlaskClient) -> None:
    ids = crew(client)
    card = {"systems": SYSTEMS, "departments": DISCIPLINES}
    send(client, "save_ship", name="Far Lantern", scale=4, **card)
    send(client, "save_ship", name="Black Comet", scale=4, crew="talented", **card)
    ships = {one["name"]: one["ship_id"] for one in table(client)["ships"]}
    okafor = ids["Okafor"]
    seats = {f"ship_{okafor}": ships["Far Lantern"], f"station_{okafor}": "tactical"}
    shown = words(begin(client, {"Okafor": okafor, "Comet": ships["Black Comet"]}, kind="starship", **seats))
    assert "Far Lantern, Scale 4" in shown
    assert "Shields 12 of 12" in shown or "Shields 13 of 13" in shown
    assert "Engines works" in shown
    assert "Tactical Okafor" in shown


def test_a_station_is_said_in_the_readers_language(client: FlaskClient) -> None:
    ids = crew(client)
    send(client, "save_ship", name="Far Lantern", scale=4, systems=SYSTEMS, departments=DISCIPLINES)
    okafor, ship = ids["Okafor"], table(client)["ships"][0]["ship_id"]
    begin(client, {"Okafor": okafor}, kind="starship", **{f"ship_{okafor}": ship, f"station_{okafor}": "helm"})
    shown = words(read(client, "/conflict?language=de"))
    assert "Okafor Steuer" in shown
    assert "Helm" not in shown


def test_a_name_is_never_markup(client: FlaskClient) -> None:
    send(client, "set_up_table", ruleset="core-1e", players=["Ada"])
    send(client, "save_character", name="<script>x</script>", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    one = table(client)["characters"][0]["character_id"]
    page = begin(client, {"x": one})
    assert "<script>x" not in page
    assert "&lt;script&gt;" in page


def test_the_gamemaster_sets_cover_hazards_and_stress(client: FlaskClient) -> None:
    ids = crew(client)
    assert press(client, "set_cover", back="/conflict", character_id=ids["Brack"], dice="2")[0] == 200
    assert "Cover, Brack" in words(read(client, "/conflict"))
    hazard = {"target_id": ids["Okafor"], "rating": "2", "reason": "Rocks", "effects": "piercing 2, intense"}
    assert press(client, "strike_hazard", back="/conflict", **hazard)[0] == 200
    request = table(client)["request"]
    send(client, "enter_dice", request=request["number"], faces=[2, "blank"])
    stress = table(client)["characters"][0]["body"]["stress"]
    assert press(client, "adjust_stress", back="/conflict", character_id=ids["Okafor"], change="1")[0] == 200
    assert table(client)["characters"][0]["body"]["stress"] == stress + 1
    status, page = press(client, "strike_hazard", back="/conflict", **hazard | {"effects": "hot"})
    assert status == 409
    assert 'role="alert"' in page


def test_an_extended_task_is_begun_shown_and_worked_on(client: FlaskClient) -> None:
    ids = crew(client)
    begun = {"label": "Seal the hull", "work": "8", "magnitude": "2", "resistance": "1", "difficulty": "2"}
    assert press(client, "begin_extended_task", back="/conflict", **begun)[0] == 200
    page = read(client, f"/conflict?who={ids['Okafor']}")
    assert "Seal the hull: Work 0 of 8, Breakthroughs 0 of 2." in words(page)
    track = table(client)["extended"][0]["track_id"]
    form = page.split('name="deed" value="extended"')[1].split("</form>")[0]
    assert re.findall(r'<option value="([^"]*)"', form.split('name="target_id"')[1].split("</select>")[0]) == [track]
    status, page = press(
        client,
        "act",
        back="/conflict",
        character_id=ids["Okafor"],
        deed="extended",
        scope="personal",
        attribute="control",
        discipline="engineering",
        target_id=track,
    )
    assert status == 200, words(page)
    assert table(client)["task"]["difficulty"] == 2
    assert press(client, "undo", back="/conflict")[0] == 200
    assert press(client, "end_extended_task", back="/conflict", track_id=track)[0] == 200
    assert not table(client)["extended"]


@pytest.mark.parametrize(("ruleset", "magnitude"), [("core-1e", "3"), ("second-edition", "")])
def test_an_extended_task_is_begun_with_the_form_as_it_stands(
    client: FlaskClient, ruleset: str, magnitude: str
) -> None:
    """EXT-T2: one by Progress has no Magnitude."""
    crew(client, ruleset)
    field = re.search(r'<input[^>]*name="magnitude"[^>]*>', read(client, "/conflict"))
    assert (f'value="{magnitude}"' in field[0]) if field is not None else not magnitude
    begun = {"label": "Seal the hull", "work": "8", "difficulty": "2"} | ({"magnitude": magnitude} if magnitude else {})
    assert press(client, "begin_extended_task", back="/conflict", **begun)[0] == 200
    assert 'href="/conflict"' in read(client, "/text"), "who plays there finds it"


def test_a_ship_is_put_right(client: FlaskClient) -> None:
    crew(client, "second-edition")
    send(client, "save_ship", name="Far Lantern", scale=4, systems=SYSTEMS, departments=DISCIPLINES)
    (ship,) = table(client)["ships"]
    one = ship["ship_id"]
    assert press(client, "adjust_power", back="/conflict", ship_id=one, change="-2")[0] == 200
    assert press(client, "shelter_ship", back="/conflict", ship_id=one, dice="2")[0] == 200
    assert (
        press(client, "set_terrain", back="/conflict", ship_id=one, terrain="dense_nebula", hazardous="yes")[0] == 200
    )
    assert table(client)["ships"][0]["state"]["terrain"] == "dense_nebula"


def test_a_complication_in_place_of_an_injury_is_named_by_whoever_takes_it(client: FlaskClient) -> None:
    ids = crew(client)
    send(client, "strike_hazard", target_id=ids["Okafor"], rating=3, reason="Rocks")
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=[2, 2, 1])
    page = read(client, "/conflict")
    assert page.count('name="complication"') == 1, "only where it is paid with one"
    chosen = {"option": "avoid_injury:complication", "complication": "Cut off from the others"}
    assert press(client, "option", back="/conflict", **chosen)[0] == 200
    assert [one["name"] for one in table(client)["traits"]] == ["Cut off from the others"]


def test_what_a_hit_throws_next_is_said(client: FlaskClient) -> None:
    crew(client)
    card = {"systems": SYSTEMS, "departments": DISCIPLINES}
    arms = [{"name": "Phasers", "kind": "energy", "rating": 5}]
    send(client, "save_ship", name="Far Lantern", scale=4, weapons=arms, **card)
    send(client, "save_ship", name="Black Comet", scale=4, crew="talented", **card)
    ships = {one["name"]: one["ship_id"] for one in table(client)["ships"]}
    action = {"name": "fire_weapon", "scope": "bridge", "target_id": ships["Black Comet"], "at_range": "medium"}
    okafor = table(client)["characters"][0]["character_id"]
    declared = {"character_id": okafor, "attribute": "control", "discipline": "security", "action": action}
    send(client, "declare_task", declaration=declared)
    for faces in ([1, 1], [1]):
        send(client, "enter_dice", request=table(client)["request"]["number"], faces=faces)
    said = send(client, "follow_through")["narration"]
    assert "Throw 5 Challenge Dice" in said["terse"]
    assert "Throw 5 Challenge Dice" in said["normal"]
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=[1, 2, 3, 5, 6])
    for page in ("/", "/display", "/conflict", "/text"):
        assert read(client, page), "numbers of d6s that stand in for Challenge Dice (CD-1) are shown"


def test_a_ships_drawing_shows_its_shields_and_systems_once(client: FlaskClient) -> None:
    ids = crew(client)
    numbers = {"systems": SYSTEMS, "departments": DISCIPLINES}
    send(client, "save_ship", name="Far Lantern", scale=4, **numbers)
    send(client, "save_ship", name="Black Comet", scale=3, crew="talented", **numbers)
    lantern, comet = table(client)["ships"]
    combatants = [
        {"combatant_id": ids["Okafor"], "ship_id": lantern["ship_id"]},
        {"combatant_id": comet["ship_id"]},
    ]
    send(client, "start_conflict", kind="starship", combatants=combatants, begins=ids["Okafor"])
    page = read(client, "/conflict")
    most = comet["state"]["shields_max"]
    assert page.count('stroke-dasharray="100 100"') == 2
    assert words(page).count(f"Shields {most} of {most}") == 2
    assert "Okafor To act Stress" not in words(page)


def test_what_is_left_of_the_shields_is_drawn() -> None:
    game = Fleet()
    for left, share in ((9, 75), (1, 8), (0, 0)):
        game.state(game.ship, shields=left)
        assert next(one for one in conflict_view(game.table).ships if one.name == "Far Lantern").shield_share == share


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("strike_ship", {"damage": "3", "reason": "Debris", "system": "engines"}),
        ("complicate_ship", {"system": "sensors", "name": "Blind on one side"}),
        ("abandon_ship", {}),
        ("choose_large_ship_turns", {"option": "match"}),
        ("renew_crew_support", {}),
    ],
)
def test_what_the_gamemaster_orders_of_ships_has_a_form(
    client: FlaskClient, action: str, fields: dict[str, str]
) -> None:
    """S2E-5, SHIP-5, S2E-20, S2E-21, SHIP-2: each is on the page and does what it says."""
    ids = crew(client, "second-edition")
    card = {"systems": SYSTEMS, "departments": DISCIPLINES, "shields": 10}
    send(client, "save_ship", name="Far Lantern", scale=4, crew_support=3, **card)
    send(client, "save_ship", name="Great Hulk", scale=9, crew="talented", **card)
    ships = {one["name"]: one["ship_id"] for one in table(client)["ships"]}
    if action == "renew_crew_support":
        send(client, "spend_crew_support", ship_id=ships["Far Lantern"])
    if action == "choose_large_ship_turns":
        seats = [{"combatant_id": ids["Okafor"], "ship_id": ships["Far Lantern"], "station": "tactical"}]
        seats.append({"combatant_id": ships["Great Hulk"]})
        send(client, "start_conflict", kind="starship", combatants=seats)
    assert f'action="/text/{action}"' in read(client, "/conflict")
    name = "Great Hulk" if action == "choose_large_ship_turns" else "Far Lantern"
    before = client.get("/api/v1/table").get_json()["sequence"]
    status, page = press(client, action, back="/conflict", ship_id=ships[name], **fields)
    assert status == 200, words(page)
    assert client.get("/api/v1/table").get_json()["sequence"] > before


def test_the_page_asks_for_nothing_that_cannot_be(client: FlaskClient) -> None:
    """QUAL-2, BUY-4: no Charge without Prepare, no person as a bridge weapon's target; what is not now comes last."""
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    page = read(client, f"/conflict?who={ids['Okafor']}")
    assert "Charge adds" not in page
    assert re.sub("<form.*?</form>", "", page, flags=re.DOTALL).count("<summary>Not possible now</summary>") == 1
    send(client, "take_minor_action", character_id=ids["Okafor"], action={"name": "prepare"})
    assert "Charge adds" in read(client, f"/conflict?who={ids['Okafor']}")


def test_a_bridge_aims_at_ships(client: FlaskClient) -> None:
    """SATK-1."""
    ids = crew(client)
    card = {"systems": SYSTEMS, "departments": DISCIPLINES, "shields": 10}
    weapons = [{"name": "Phasers", "kind": "energy", "rating": 4}]
    send(client, "save_ship", name="Far Lantern", scale=4, weapons=weapons, **card)
    send(client, "save_ship", name="Black Comet", scale=5, crew="talented", **card)
    page = read(client, f"/conflict?who={ids['Okafor']}")
    assert f'href="/conflict?who={ids["Okafor"]}&amp;deed=bridge/fire_weapon#' in page, "its form is a step away"
    page = read(client, f"/conflict?who={ids['Okafor']}&deed=bridge/fire_weapon")
    form = page.split('name="deed" value="fire_weapon"')[1].split("</form>")[0]
    targets = form.split('name="target_id"')[1].split("</select>")[0]
    assert "Black Comet" in targets
    assert "Lindqvist" not in targets


def test_a_bridge_without_weapons_offers_none_to_fire(client: FlaskClient) -> None:
    """SATK-1: not the weapons in the hands of who sits there, and not their own ship as the target."""
    ids = crew(client)
    card = {"systems": SYSTEMS, "departments": DISCIPLINES, "shields": 10}
    send(client, "save_ship", name="Far Lantern", scale=4, **card)
    send(client, "save_ship", name="Black Comet", scale=5, crew="talented", **card)
    ships = {one["name"]: one["ship_id"] for one in table(client)["ships"]}
    okafor = ids["Okafor"]
    begin_page = read(client, "/conflict")
    berth = begin_page.split(f'name="ship_{okafor}"')[1].split("</select>")[0]
    assert f'value="{ships["Far Lantern"]}" selected' in berth, "the players' only ship is theirs"
    berth = begin_page.split(f'name="ship_{ids["Brack"]}"')[1].split("</select>")[0]
    assert "selected" not in berth
    seats = {f"ship_{okafor}": ships["Far Lantern"], f"station_{okafor}": "tactical", "begins": okafor}
    begin(client, {"Okafor": okafor, "Comet": ships["Black Comet"]}, kind="starship", **seats)
    send(client, "begin_turn", combatant_id=okafor)
    shown = words(read(client, f"/conflict?who={okafor}"))
    assert "Fire Weapon. Far Lantern has no weapons; put them on its card first." in shown
    weapons = [{"name": "Phasers", "kind": "energy", "rating": 4}]
    send(client, "save_ship", ship_id=ships["Far Lantern"], name="Far Lantern", scale=4, weapons=weapons, **card)
    form = read(client, f"/conflict?who={okafor}").split('name="deed" value="fire_weapon"')[1].split("</form>")[0]
    assert "Phasers" in form
    assert "phaser_type_2" not in form
    assert "Far Lantern</option>" not in form.split('name="target_id"')[1].split("</select>")[0]


def test_an_attack_is_meant_for_a_foe_who_can_act(client: FlaskClient) -> None:
    """ATK-1: the first of the other side, and the next one once that one is out of the fight."""
    crew(client)
    card = {"attributes": ATTRIBUTES, "disciplines": DISCIPLINES}
    send(client, "save_character", name="Dorr", standing="minor_npc", **card)
    ids = {one["name"]: one["character_id"] for one in table(client)["characters"]}
    begin(client, ids)
    send(client, "begin_turn", combatant_id=ids["Okafor"])

    def preset() -> list[str]:
        form = read(client, f"/conflict?who={ids['Okafor']}").split('name="deed" value="attack"')[1]
        targets = form.split('name="target_id"')[1].split("</select>")[0]
        return re.findall(r'<option value="([^"]*)" selected', targets)

    assert preset() == [ids["Brack"]]
    send(client, "strike_hazard", target_id=ids["Brack"], rating=6, reason="Falling rocks")
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=[2] * 6)
    while asked := table(client)["agenda"]:
        send(client, "suffer_injury" if asked[0]["kind"] == "injury" else "settle_damage")
    assert preset() == [ids["Dorr"]]


def test_nobody_buys_dice_for_what_throws_none(client: FlaskClient) -> None:
    """S2E-H3, S2E-T6: a focus counts with an Attack Pattern's help later; Modulate Shields asks for nothing at all."""
    ids = crew(client, "second-edition")
    send(client, "save_ship", name="Far Lantern", scale=4, systems=SYSTEMS, departments=DISCIPLINES, shields=10)

    def form(deed: str) -> str:
        page = read(client, f"/conflict?who={ids['Okafor']}&deed=bridge/{deed}")
        return page.split(f'name="deed" value="{deed}"')[1].split("</form>")[0]

    assert ('class="odds"' in form("maneuver"), 'name="purchase1"' in form("maneuver")) == (True, True)
    assert ('class="odds"' in form("attack_pattern"), 'name="focus"' in form("attack_pattern")) == (False, True)
    assert ('class="odds"' in form("modulate_shields"), 'name="focus"' in form("modulate_shields")) == (False, False)


def test_the_page_turns_to_who_answers_an_attack(client: FlaskClient) -> None:
    """ATK-2: nobody else has anything to do then, and no plain Task is offered to anybody."""
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    send(client, "set_reach", first_id=ids["Okafor"], second_id=ids["Brack"])
    skills = {"attribute": "daring", "discipline": "security"}
    attack = {"name": "attack", "target_id": ids["Brack"]}
    send(client, "declare_task", declaration={"character_id": ids["Okafor"], **skills, "action": attack})
    assert view(client)["may_be_plain"]
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=[2, 3])
    assert (view(client)["declarers"], view(client)["may_be_plain"]) == ([ids["Brack"]], False)
    assert re.search(rf'<option value="{ids["Brack"]}" selected', read(client, "/conflict"))
    shown = words(read(client, f"/conflict?who={ids['Lindqvist']}"))
    assert "Okafor's Task waits for Brack; let them answer it first." in shown
    guard = {"character_id": ids["Lindqvist"], **skills, "action": {"name": "guard"}}
    answer = client.post(
        "/api/v1/commands", json={"command": "declare_task", "declaration": guard}, headers={"X-Trueroll": "1"}
    )
    assert (answer.status_code, answer.get_json()["rule"]) == (409, "ATK-2")


def view(client: FlaskClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/v1/table").get_json()
    return found


def test_a_form_lists_what_can_be_chosen_and_nothing_else(client: FlaskClient) -> None:
    """ACT-7, SHIP-10, S2E-6: who is hurt, and the stations of this ruleset with the words of the reader's language."""
    ids = crew(client, "second-edition")
    send(client, "save_ship", name="Far Lantern", scale=4, systems=SYSTEMS, departments=DISCIPLINES, shields=10)
    okafor, ship = ids["Okafor"], table(client)["ships"][0]["ship_id"]
    begin(client, {"Okafor": okafor}, kind="starship", **{f"ship_{okafor}": ship, f"station_{okafor}": "helm"})
    send(client, "begin_turn", combatant_id=okafor)

    def form(deed: str, language: str = "en") -> str:
        page = read(client, f"/conflict?who={okafor}&deed={deed}&language={language}")
        return page.split(f'name="deed" value="{deed.split("/")[1]}"')[1].split("</form>")[0]

    seats = form("bridge/change_position", "de").split("<datalist")[1].split("</datalist>")[0]
    assert '<option value="operations">' in seats
    assert '<option value="internal">' not in seats
    assert "Kommando" in seats
    assert "<strong>Steuer.</strong> " in form("bridge/change_position", "de"), "where they sit already"
    zones = form("bridge/impulse")
    assert 'name="zones" type="number" inputmode="numeric" min="1" max="2" value="1"' in zones
    assert "Dense nebula" in zones


def test_foes_of_a_fight_that_is_over_are_not_ticked_for_the_next(client: FlaskClient) -> None:
    ids = crew(client)

    def ticked() -> set[str]:
        page = read(client, "/conflict")
        return {name for name, one in ids.items() if re.search(f'name="takes_part_{one}" value="yes" checked', page)}

    assert ticked() == {"Okafor", "Lindqvist", "Brack"}
    begin(client, ids)
    send(client, "end_conflict")
    assert ticked() == {"Okafor", "Lindqvist"}


def test_who_fought_in_a_journal_of_before_or_for_the_players_is_not_expected_again() -> None:
    """Such a journal names no foes where a fight ends."""
    for side in Side:
        game = Game()
        assert expected(game.history) == {game.okafor, game.lindqvist, game.brack}
        there = (Entrant(combatant_id=game.okafor), Entrant(combatant_id=game.brack, side=side))
        game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=there))
        before = game.history
        game.do(EndConflict())
        old = tuple(
            replace(each, foes=()) if isinstance(each, ConflictOver) else each for each in game.decisions[-1].events
        )
        folded = evolve(before, replace(game.decisions[-1], events=old))
        assert folded.present.fought == ()
        assert expected(folded) == {game.okafor, game.lindqvist}


def test_a_players_page_of_a_fight_is_without_the_gamemasters_forms() -> None:
    with Desk() as desk:
        kiosk = desk.client()
        begin(kiosk, crew(kiosk))
        desk.network.choose(let_in=True)
        phone = desk.client()
        post(phone, "/api/v1/join", {"code": TABLE_CODE}, environ_overrides=PHONE)
        shown = phone.get("/conflict", environ_overrides=PHONE).get_data(as_text=True)
        for title in ("directing-title", "order-title"):
            assert title in read(kiosk, "/conflict")
            assert title not in shown


@pytest.mark.parametrize(("ruleset", "told"), [("second-edition", True), ("core-1e", False)])
def test_the_second_edition_says_where_its_fights_between_people_come_from(
    client: FlaskClient, ruleset: str, *, told: bool
) -> None:
    crew(client, ruleset)
    for path in ("/conflict", "/gm"):
        assert ("Fights between people go by the first edition" in read(client, path)) == told, path


def test_a_ship_that_is_shaken_is_drawn_on_the_stage_with_its_hit(client: FlaskClient) -> None:
    send(client, "set_up_table", ruleset="second-edition", players=["Ada"])
    send(client, "save_ship", name="Far Lantern", scale=4, shields=9, systems=SYSTEMS, departments=DISCIPLINES)
    assert 'class="stage-ship"' not in read(client, "/display")
    ship = client.get("/api/v1/table").get_json()["table"]["ships"][0]["ship_id"]
    send(client, "strike_ship", ship_id=ship, damage=14, reason="Debris", system="engines")
    page = read(client, "/display")
    assert 'class="stage-ship"' in page
    assert 'class="ship-aim"' in page


@pytest.mark.parametrize("ruleset", ["starter", "core-1e", "second-edition"])
@pytest.mark.parametrize("scenes", [0, 1])
def test_a_foe_who_fell_in_a_fight_that_is_over_is_listed_with_nobody(
    client: FlaskClient, ruleset: str, scenes: int
) -> None:
    """DMG-6, C-75: who is hurt of the crew stays listed, with the Stress that a new scene does not give back."""
    ids = crew(client, ruleset)
    begin(client, ids)
    send(client, "adjust_stress", character_id=ids["Brack"], change=-2)
    send(client, "adjust_stress", character_id=ids["Lindqvist"], change=-3)
    attack = {"name": "attack", "target_id": ids["Brack"], "weapon": "phaser_type_2", "lethal": True}
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    send(client, "declare_task", declaration={"character_id": ids["Okafor"], "action": attack})
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=[1, 1])
    send(client, "follow_through")
    request = table(client)["request"]
    send(client, "enter_dice", request=request["number"], faces=[2] * request["count"])
    send(client, "settle_damage")
    while table(client)["agenda"]:
        send(client, "suffer_injury")
    send(client, "finish_spending")
    send(client, "end_conflict")
    for _ in range(scenes):
        send(client, "start_scene")
    brack = next(one for one in table(client)["characters"] if one["name"] == "Brack")
    assert brack["body"]["injury"] == "dead"
    for path in ("/conflict", "/play/table", "/gm"):
        listed = re.findall(r'<li class="fighter"[^>]*>.*?</li>', read(client, path), re.DOTALL)
        assert not [one for one in listed if "Brack" in one], path
    hurt = words(read(client, "/conflict").partition('class="overview"')[2].partition("</section>")[0])
    assert "Brack" not in hurt
    assert "Lindqvist" in hurt
