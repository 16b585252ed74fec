"""The form of an action in a conflict: what it is preset to, and its odds before it is declared."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from tests.kiosk.desk import post, send
from tests.kiosk.web.test_conflict_page import SYSTEMS, begin, crew, table
from tests.kiosk.web.test_pages import DISCIPLINES, press, read, words

PHASERS = {"name": "Phasers", "kind": "energy", "rating": 4}
TORPEDOES = {"name": "Torpedoes", "kind": "torpedo", "rating": 5, "optimal_range": "long"}


def duel(client: FlaskClient, gunner: str, *weapons: dict[str, Any]) -> dict[str, str]:
    """A gunner's Turn at Tactical, against an NPC ship; the ids of the ships by name."""
    card = {"systems": SYSTEMS, "departments": DISCIPLINES, "shields": 10}
    send(client, "save_ship", name="Far Lantern", scale=4, weapons=list(weapons), **card)
    send(client, "save_ship", name="Black Comet", scale=5, crew="talented", **card)
    ships = {one["name"]: one["ship_id"] for one in table(client)["ships"]}
    seats = {f"ship_{gunner}": ships["Far Lantern"], f"station_{gunner}": "tactical", "begins": gunner}
    begin(client, {"Okafor": gunner, "Comet": ships["Black Comet"]}, kind="starship", **seats)
    send(client, "begin_turn", combatant_id=gunner)
    return ships


def test_without_script_the_chances_are_shown_as_chosen(client: FlaskClient) -> None:
    """The form as preset has its odds; those of other choices come when asked for, and nothing is lost."""
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    page = read(client, f"/conflict?who={ids['Okafor']}")
    assert "Attack Difficulty 2, 52 %" in words(page)
    assert "Difficulty 2, Target Number 14. Success 52 %. Complication 10 %." in words(page)
    before = client.get("/api/v1/table").get_json()["sequence"]
    chosen = {"deed": "attack", "scope": "personal", "attribute": "control", "discipline": "security"}
    chosen |= {"target_id": ids["Brack"], "weapon": "phaser_type_2", "focus": "yes", "who": ids["Okafor"]}
    page = read(client, f"/conflict?{urlencode({'character_id': ids['Okafor'], **chosen})}")
    assert client.get("/api/v1/table").get_json()["sequence"] == before, "asking is not declaring"
    form = page.split('data-deed="personal/attack"')[1].split("</form>")[0]
    assert re.match("[^>]* open>", form)
    shown = words(form)
    assert "Success 58 %." in shown
    assert "1 bonus die 82 % 1 Threat added" in shown
    assert 'value="dice/0" aria-pressed="true"' in form, "what is chosen already"
    assert page.count('name="focus" value="yes" checked') == 1, "what is chosen for one action is chosen for no other"
    chosen |= {"character_id": ids["Okafor"], "choose": "dice/2 dice/1", "minor": "yes"}
    part = client.get(f"/parts/deed?{urlencode({'page': 'conflict', **chosen})}").get_json()
    (form,) = part.values()
    assert "Success 82 %." in words(form), "a form that says otherwise asks for odds all the same"
    assert 'value="dice/1" aria-pressed="true"' in form, "what was touched last counts"
    chosen |= {"target_id": "nobody-now"}
    (form,) = client.get(f"/parts/deed?{urlencode({'page': 'conflict', **chosen})}").get_json().values()
    assert f'value="{ids["Brack"]}" selected' in form, "whom nobody can choose any more is chosen no longer"
    for gone in ({"who": "nobody"}, {"deed": "no_such_deed"}, {"page": "fight", "who": ids["Brack"]}):
        assert client.get(f"/parts/deed?{urlencode({'page': 'conflict', **chosen, **gone})}").get_json() == {}


@pytest.mark.parametrize("back", ["/conflict", "/play/fight"])
def test_a_refused_action_keeps_what_was_chosen_and_says_why(client: FlaskClient, back: str) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    chosen = {"deed": "attack", "scope": "personal", "attribute": "control", "discipline": "security"}
    chosen |= {"target_id": ids["Brack"], "weapon": "unarmed", "who": ids["Okafor"], "character_id": ids["Okafor"]}
    client.set_cookie("trueroll-plays", ids["Okafor"])
    status, page = press(client, "act", back=back, **chosen)
    assert status == 409
    form = page.split('data-deed="personal/attack"')[1].split("</form>")[0]
    assert 'value="unarmed" selected' in form
    assert "not in Reach" in words(form)


def test_a_ships_weapon_is_fired_from_where_it_is_best(client: FlaskClient) -> None:
    """SATK-1: no band off; the distance follows the weapon. SATK-2: who aims at no system is told what says which.

    NSHIP-3: of a ship whose Breaches count for the whole ship nothing says it, and nobody is asked.
    """
    ids = crew(client)
    okafor = ids["Okafor"]
    ships = duel(client, okafor, PHASERS, TORPEDOES)
    whole = read(client, f"/conflict?who={okafor}").split('name="deed" value="fire_weapon"')[1].split("</form>")[0]
    assert 'name="system"' not in whole
    send(client, "change_options", options={"npc_ship_shortcut": False})
    form = read(client, f"/conflict?who={okafor}").split('name="deed" value="fire_weapon"')[1].split("</form>")[0]
    assert "Torpedoes, long" in words(form)
    assert re.search(r'name="at_range">\s*<option value="">Best for the weapon', form)
    assert " selected" not in form.split('name="at_range"')[1].split("</select>")[0]
    assert "A d20 says" in words(form)
    for weapon, difficulty in (("Phasers", 2), ("Torpedoes", 3)):
        action = {"name": "fire_weapon", "scope": "bridge", "target_id": ships["Black Comet"], "weapon": weapon}
        declared = {"character_id": okafor, "attribute": "control", "discipline": "security", "action": action}
        found = client.post("/api/v1/odds/choices", json=declared, headers={"X-Trueroll": "1"}).get_json()
        assert found["odds"]["difficulty"] == difficulty
        near = {one["value"]: one["chance"] for one in found["choices"] if one["field"] == "at_range"}
        assert near[""] == max(near.values())
        assert near["extreme"] < near[""]


def test_an_npc_ship_that_fires_has_its_odds(client: FlaskClient) -> None:
    """NSHIP-1: its crew throws; NPC-1: what dice cost comes out of Threat."""
    ids = crew(client)
    card = {"systems": SYSTEMS, "departments": DISCIPLINES, "shields": 10}
    arms = [{"name": "Disruptors", "kind": "energy", "rating": 4}]
    send(client, "save_ship", name="Far Lantern", scale=4, **card)
    send(client, "save_ship", name="Black Comet", scale=5, crew="talented", weapons=arms, **card)
    send(client, "adjust_pool", pool="threat", change=3 - table(client)["threat"])
    ships = {one["name"]: one["ship_id"] for one in table(client)["ships"]}
    okafor, comet = ids["Okafor"], ships["Black Comet"]
    seats = {f"ship_{okafor}": ships["Far Lantern"], f"station_{okafor}": "tactical", "begins": comet}
    begin(client, {"Okafor": okafor, "Comet": comet}, kind="starship", **seats)
    send(client, "begin_turn", combatant_id=comet)
    action = {"name": "fire_weapon", "scope": "bridge", "target_id": ships["Far Lantern"], "weapon": "Disruptors"}
    declared = {"character_id": comet, "attribute": "control", "discipline": "security", "action": action}
    found = client.post("/api/v1/odds/choices", json=declared, headers={"X-Trueroll": "1"}).get_json()
    assert found["odds"]["target_number"] == 13
    prices = {one["value"]: one["price"]["threat"] for one in found["choices"] if one["field"] == "dice"}
    assert prices == {"0": 0, "1": 1, "2": 3}, "only what the pool can pay is offered"


def test_a_system_is_chosen_once_a_targeting_solution_lets_it(client: FlaskClient) -> None:
    """S2E-T3."""
    ids = crew(client, "second-edition")
    okafor = ids["Okafor"]
    duel(client, okafor, PHASERS)

    def asked() -> bool:
        page = read(client, f"/conflict?who={okafor}")
        return 'name="system"' in page.split('name="deed" value="fire"')[1].split("</form>")[0]

    assert not asked()
    solution = {"name": "targeting_solution", "scope": "bridge"}
    send(client, "take_minor_action", character_id=okafor, action=solution)
    assert asked()


def test_which_ship_is_scanned_is_asked_and_told(client: FlaskClient) -> None:
    """S2E-X4, S2E-T3: the form has the ships, the other side's first; a program that names none is asked which."""
    ids = crew(client, "second-edition")
    okafor = ids["Okafor"]
    ships = duel(client, okafor, PHASERS)
    send(client, "save_ship", name="Ember", scale=3, crew="basic", systems=SYSTEMS, departments=DISCIPLINES)
    ships["Ember"] = table(client)["ships"][-1]["ship_id"]
    send(client, "add_combatant", combatant={"combatant_id": ships["Ember"]})
    page = read(client, f"/conflict?who={okafor}&deed=bridge/scan_for_weakness")
    form = page.split('name="deed" value="scan_for_weakness"')[1].split("</form>")[0]
    listed = form.split('name="target_id"')[1].split("</select>")[0]
    assert words(listed.split(">", 1)[1]) == "Black Comet Ember"
    assert words(form.split('name="effect"')[1].split("</select>")[0].split(">", 1)[1]) == "2 more damage Piercing 2"
    scan = {"name": "scan_for_weakness", "scope": "bridge"}
    declared = {"character_id": okafor, "attribute": "control", "discipline": "science", "action": scan}
    status, problem = post(client, "/api/v1/commands", {"command": "declare_task", "declaration": declared})
    assert (status, problem["rule"]) == (409, "S2E-X4")
    assert "Black Comet or Ember" in problem["detail"]
    solution = {"deed": "targeting_solution", "scope": "bridge", "minor": "yes", "who": okafor}
    press(client, "act", back="/conflict", character_id=okafor, target_id=ships["Ember"], **solution)
    held = table(client)["effects"]
    assert [(one["name"], one["target_id"], one["against_id"]) for one in held] == [
        ("target_solved", ships["Far Lantern"], ships["Ember"])
    ]
    assert "the next attack on Ember chooses the system" in words(read(client, "/conflict"))


def test_who_is_out_of_reach_is_offered_the_move_there(client: FlaskClient) -> None:
    """ATK-1, ACT-3, RNG-1: the Minor Action names whom one moves to and writes the Reach; one undo takes both back."""
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    action = {"name": "attack", "target_id": ids["Brack"], "weapon": "unarmed"}
    declared = {"character_id": ids["Okafor"], "attribute": "daring", "discipline": "security", "action": action}

    def asked() -> dict[str, Any]:
        answer = client.post("/api/v1/odds/choices", json=declared, headers={"X-Trueroll": "1"})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.get_json()
        return found

    found = asked()
    assert found["odds"] is None
    assert "not in Reach" in found["why_not"]
    weapons = {one["value"]: one["chance"] for one in found["choices"] if one["field"] == "weapon"}
    assert set(weapons) == {"phaser_type_2"}, "what can be done instead has its chance"
    move = found["instead"]
    assert move["own_label"] == "Movement into Brack's Reach"
    offered = [one["own_label"] for one in client.get("/api/v1/table").get_json()["options"]]
    assert [one for one in offered if "Movement" in one] == ["Movement out of everybody's Reach"], (
        "one, whoever is there"
    )
    page = read(client, f"/conflict?who={ids['Okafor']}")
    form = page.split('name="deed" value="movement"')[1].split("</form>")[0]
    assert "Into whose Reach Nobody's Brack Lindqvist" in words(form), "people who take part, foes first"
    assert "/conflict" in read(client, "/text").split("options-title")[0], "a step away for who plays on the plain page"
    into = {"deed": "movement", "scope": "personal", "minor": "yes", "target_id": ids["Brack"], "who": ids["Okafor"]}
    press(client, "act", back="/conflict", character_id=ids["Okafor"], **into)
    assert table(client)["conflict"]["reach"] == [sorted([ids["Okafor"], ids["Brack"]])]
    found = asked()
    assert found["odds"]["opposed"] is True
    assert (found["why_not"], found["instead"]) == ("", None)
    send(client, "undo")
    assert table(client)["conflict"]["reach"] == []


def test_no_move_is_offered_where_none_helps(client: FlaskClient) -> None:
    """ATK-1: a target is wanting."""
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    declared = {"character_id": ids["Okafor"], "attribute": "daring", "discipline": "security"}
    for action in ({"name": "attack"}, {"name": "attack", "target_id": ids["Brack"], "weapon": "bat'leth"}):
        answer = client.post("/api/v1/odds/choices", json=declared | {"action": action}, headers={"X-Trueroll": "1"})
        assert answer.get_json()["why_not"]
        assert answer.get_json()["instead"] is None


def test_the_price_of_a_minor_action_may_be_paid_as_threat(client: FlaskClient) -> None:
    """A second one in a Turn costs 1 Momentum or 1 Threat: what its form asks for is what the command takes."""
    ids = crew(client)
    send(client, "adjust_pool", pool="momentum", change=3)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    send(client, "take_minor_action", character_id=ids["Okafor"], action={"name": "prepare"})
    page = read(client, f"/conflict?who={ids['Okafor']}")
    form = page.split('data-deed="personal/aim"')[1].split("</form>")[0]
    assert [name for name in ("price_threat", "threat_part") if f'name="{name}"' in form] == ["price_threat"]
    threat = table(client)["threat"]
    aim = {"deed": "aim", "scope": "personal", "minor": "yes", "price_threat": "1", "character_id": ids["Okafor"]}
    press(client, "act", back="/conflict", **aim)
    assert (table(client)["momentum"], table(client)["threat"]) == (3, threat + 1)


def test_movement_leads_to_a_foe_out_of_reach_and_says_who_is_near(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])

    def shown() -> str:
        form = read(client, f"/conflict?who={ids['Okafor']}&deed=personal/movement")
        return form[form.index('id="act-personal-movement"') :]

    assert "Nobody is within Reach." in shown()
    assert f'<option value="{ids["Brack"]}" selected>' in shown()
    send(client, "set_reach", first_id=ids["Lindqvist"], second_id=ids["Okafor"], in_reach=True)
    assert "Within Reach: Lindqvist." in shown()
    assert f'<option value="{ids["Brack"]}" selected>' in shown()
