"""Rules of a fight as the pages and a program meet them: who pays, who sits where, what is offered."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.kiosk.desk import post, send
from tests.kiosk.web.test_conflict_page import SYSTEMS, crew, table
from tests.kiosk.web.test_pages import DISCIPLINES, press, read, words

TORPEDOES = {"name": "Torpedoes", "kind": "torpedo", "rating": 5}


def faces(client: FlaskClient, *shown: int) -> None:
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=list(shown))


def ships(client: FlaskClient, *weapons: dict[str, Any]) -> dict[str, str]:
    """A ship of the players and an NPC's, by name."""
    card = {"systems": SYSTEMS, "departments": DISCIPLINES, "shields": 10}
    send(client, "save_ship", name="Far Lantern", scale=4, **card)
    send(client, "save_ship", name="Black Comet", scale=5, crew="talented", weapons=list(weapons), **card)
    return {one["name"]: one["ship_id"] for one in table(client)["ships"]}


def refused(client: FlaskClient, rule: str, command: str, **fields: object) -> str:
    status, problem = post(client, "/api/v1/commands", {"command": command, **fields})
    assert (status, problem["rule"]) == (409, rule), problem
    detail: str = problem["detail"]
    return detail


def test_create_advantage_ends_a_complication_by_a_button(client: FlaskClient) -> None:
    """POOL-5: on the plain page, with nothing to fill in."""
    ids = crew(client)
    send(client, "add_trait", name="Thick smoke", kind="complication")
    declared = {"character_id": ids["Okafor"], "attribute": "control", "discipline": "engineering", "focus": True}
    send(client, "declare_task", declaration=declared)
    faces(client, 1, 1)
    page = read(client, "/text")
    (option,) = re.findall(r'name="option" value="(make_spend:create_advantage:momentum:[^"]+)"', page)
    form = page.split(f'value="{option}"')[1].split("</form>")[0]
    assert "Create Advantage: Thick smoke ends 2 Momentum What it means" in words(form)
    assert 'type="text"' not in form
    status, page = press(client, "option", option=option)
    assert status == 200
    assert "Create Advantage: Thick smoke ends." in words(page)
    assert table(client)["traits"] == []


def test_the_ends_of_several_complications_are_one_line_of_the_list(client: FlaskClient) -> None:
    """POOL-5: after what else is bought, and each by one tap more."""
    ids = crew(client)
    for one in ("Thick smoke", "Loose plating"):
        send(client, "add_trait", name=one, kind="complication")
    declared = {"character_id": ids["Okafor"], "attribute": "control", "discipline": "engineering", "focus": True}
    send(client, "declare_task", declaration=declared)
    faces(client, 1, 1)
    before, folded = read(client, "/text").split("Create Advantage: a Complication ends")
    assert "Obtain Information" in words(before)
    assert "Thick smoke ends" not in words(before)
    assert "2 Momentum Create Advantage: Thick smoke ends" in words(folded)
    assert "Create Advantage: Loose plating ends" in words(folded.split("</details>")[0])


def test_an_npcs_torpedo_is_paid_for(client: FlaskClient) -> None:
    """THR-4, NPC-1: its menu and its form say why it cannot fire."""
    crew(client, "second-edition")
    named = ships(client, TORPEDOES)
    comet = named["Black Comet"]
    action = {"name": "fire", "scope": "bridge", "target_id": named["Far Lantern"], "weapon": "Torpedoes"}
    declared = {"character_id": comet, "attribute": "control", "discipline": "security", "action": action}
    send(client, "adjust_pool", pool="threat", change=-table(client)["threat"])
    assert "costs an NPC 1 Threat" in refused(client, "THR-4", "declare_task", declaration=declared)
    not_now = words(read(client, f"/conflict?who={comet}").split("Not possible now")[1])
    assert "Fire. A torpedo costs an NPC 1 Threat, and there is none; fire another weapon." in not_now
    send(client, "adjust_pool", pool="threat", change=1)
    send(client, "declare_task", declaration=declared)
    assert table(client)["threat"] == 0


def test_who_finds_no_seat_is_told_as_the_fight_begins(client: FlaskClient) -> None:
    """S2E-22: on the page that begins it, and for who comes later."""
    ids = crew(client, "second-edition")
    named = ships(client)
    seats = {f"takes_part_{named['Black Comet']}": "yes"}
    for one in (ids["Okafor"], ids["Lindqvist"]):
        seats |= {f"takes_part_{one}": "yes", f"ship_{one}": named["Far Lantern"], f"station_{one}": "helm"}
    status, page = press(client, "start_conflict", back="/conflict", kind="starship", **seats)
    assert status == 409
    assert "No seat is left at helm on Far Lantern, where Okafor sits; choose another station." in words(page)
    seats[f"station_{ids['Lindqvist']}"] = "tactical"
    assert press(client, "start_conflict", back="/conflict", kind="starship", **seats)[0] == 200
    late = {"combatant_id": ids["Brack"], "ship_id": named["Far Lantern"], "station": "helm"}
    refused(client, "S2E-22", "add_combatant", combatant=late)


def test_terrain_is_set_and_asked_for_in_the_first_edition(client: FlaskClient) -> None:
    """SHIP-9: the gamemaster's form sets it, the way's Difficulty follows, and a harder one may be said."""
    ids = crew(client)
    named = ships(client)
    helm = ids["Lindqvist"]
    send(client, "start_conflict", kind="starship", begins=helm, combatants=[
        {"combatant_id": helm, "ship_id": named["Far Lantern"], "station": "helm"},
        {"combatant_id": named["Black Comet"]},
    ])  # fmt: skip
    send(client, "begin_turn", combatant_id=helm)
    page = read(client, f"/conflict?who={helm}")
    form = page.split('name="deed" value="impulse"')[1].split("</form>")[0]
    assert re.search(r'name="level"[^>]* value="0"', form)
    lantern = {"ship_id": named["Far Lantern"], "terrain": "dense_nebula"}
    assert press(client, "set_terrain", back="/conflict", **lantern)[0] == 200
    assert "Impulse Difficulty 2, 1 Power," in words(read(client, f"/conflict?who={helm}"))
    impulse = {"deed": "impulse", "scope": "bridge", "zones": "1", "level": "3", "who": helm}
    press(client, "act", back="/conflict", character_id=helm, attribute="control", discipline="conn", **impulse)
    assert table(client)["task"]["difficulty"] == 3


def test_a_trait_is_created_at_any_station(client: FlaskClient) -> None:
    """S2E-6: one form, with every attribute and department, the station's own first."""
    ids = crew(client, "second-edition")
    named = ships(client)
    helm = ids["Lindqvist"]
    send(client, "start_conflict", kind="starship", begins=helm, combatants=[
        {"combatant_id": helm, "ship_id": named["Far Lantern"], "station": "helm"},
        {"combatant_id": named["Black Comet"]},
    ])  # fmt: skip
    send(client, "begin_turn", combatant_id=helm)
    page = read(client, f"/conflict?who={helm}&deed=bridge/create_trait")
    assert page.count("<span>Create Trait") == 1
    form = page.split('name="deed" value="create_trait"')[1].split("</form>")[0]
    departments = form.split('name="discipline"')[1].split("</select>")[0]
    assert re.findall(r'value="(\w+)"( selected)?', departments)[0] == ("conn", " selected")
    assert departments.count("<option") == 6
    trait = {"deed": "create_trait", "scope": "bridge", "note": "Sheltered course", "who": helm}
    press(client, "act", back="/conflict", character_id=helm, attribute="daring", discipline="conn", **trait)
    task = table(client)["task"]
    assert (task["difficulty"], task["declaration"]["attribute"], task["declaration"]["modifiers"]) == (2, "daring", [])


@pytest.mark.parametrize(
    ("ruleset", "hint"),
    [
        ("core-1e", "In a conflict, who helps takes Assist in a Turn before."),
        ("second-edition", "In a conflict, who helps at once gives up their Turn."),
    ],
)
def test_who_helps_in_a_conflict_gives_something_for_it(client: FlaskClient, ruleset: str, hint: str) -> None:
    """ASST-4: the first edition's view names nobody, the second's those with a Turn; the form says what it costs."""
    able = ruleset == "second-edition"
    people = list(crew(client, ruleset).values())
    assert client.get("/api/v1/table").get_json()["helpers"] == people
    combatants = [{"combatant_id": one} for one in people]
    send(client, "start_conflict", kind="personal", combatants=combatants, begins=people[0])
    send(client, "begin_turn", combatant_id=people[0])
    assert hint in words(read(client, "/text?declare=yes&more=yes"))
    assert client.get("/api/v1/table").get_json()["helpers"] == (people[1:] if able else [])
    plain = {"character_id": people[0], "attribute": "control", "discipline": "security"}
    asked = client.post("/api/v1/odds/choices", json=plain, headers={"X-Trueroll": "1"}).get_json()
    helped = [one["value"] for one in asked["choices"] if one["field"] == "help"]
    assert helped == ([people[1]] if able else []), "only who can help is offered with a chance"
    declared = plain | {"assists": [{"character_id": people[1], "attribute": "reason", "discipline": "science"}]}
    if not able:
        assert "Let Lindqvist take Assist" in refused(client, "ASST-4", "declare_task", declaration=declared)
        return
    send(client, "declare_task", declaration=declared)
    taken = {one["combatant_id"]: one["turns_taken"] for one in table(client)["conflict"]["combatants"]}
    assert taken[people[1]] == 1


def test_on_ones_own_turn_the_first_tab_leads_to_an_attack(client: FlaskClient) -> None:
    """Issue 19: one thing to do first, also for who does not know where a fight's actions stand."""
    ids = crew(client)
    okafor = ids["Okafor"]
    send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in ids.values()])
    assert ">Attack<" not in read(client, f"/play?me={okafor}"), "before the Turn"
    send(client, "begin_turn", combatant_id=okafor)
    page = client.get(f"/play?me={okafor}").get_data(as_text=True)
    (link,) = re.findall(r'<a class="button preset main-action" href="([^"]+)"><span>Attack</span> <small>Diff', page)
    assert "Choose another action" in page
    assert 'class="presets"' not in page, "what one does in peace is not offered"
    opened = client.get(unescape(link).partition("#")[0]).get_data(as_text=True)
    (attack,) = re.findall(r'<details class="action" id="act-personal-attack"[^>]*>', opened)
    assert attack.endswith(" open>")
    assert "Brack" in words(opened.split(attack)[1].split("</form>")[0]), "aimed at the foe"
    assert ">Attack<" not in read(client, f"/play?me={ids['Lindqvist']}"), "not on turn"
    send(client, "end_turn")
    send(client, "begin_turn", combatant_id=ids["Brack"])
    send(client, "end_turn")
    send(client, "begin_turn", combatant_id=ids["Lindqvist"])
    page = read(client, f"/play?me={ids['Lindqvist']}")
    assert "main-action" in page.partition(">Your Turn: choose an action<")[0].rpartition("<a")[2], "nobody in Reach"
    assert read(client, f"/play/fight?me={ids['Lindqvist']}").count("is not in Reach") == 1, "told once"


def test_at_a_station_without_weapons_no_attack_leads(client: FlaskClient) -> None:
    ids = crew(client, "second-edition")
    named = ships(client, TORPEDOES)
    seats = [
        {"combatant_id": ids[name], "ship_id": named["Far Lantern"], "station": station}
        for name, station in (("Okafor", "helm"), ("Lindqvist", "tactical"))
    ]
    send(client, "start_conflict", kind="starship", combatants=[*seats, {"combatant_id": named["Black Comet"]}])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    page = client.get(f"/play?me={ids['Okafor']}").get_data(as_text=True)
    assert re.search(r'<a class="button main-action" href="/play/fight">Your Turn: choose an action<', page)
