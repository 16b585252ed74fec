"""What somebody could do now, as a program asks for it: each action with its price, or what stands against it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.web import conflict_forms, menu_view
from kiosk.web.api import ROUTES
from kiosk.web.menu_view import action_names
from kiosk.web.openapi import document
from rules.game import MenuEntry, Table, menu
from rules.state.vocabulary import ActionScope
from tests.kiosk.desk import got, post, send
from tests.kiosk.web.test_conflict_page import crew
from tests.kiosk.web.test_openapi import check
from tests.kiosk.web.test_pages import read


def fight(client: FlaskClient) -> dict[str, str]:
    """A fight on foot in which Okafor has the Turn; the id of each by name."""
    ids = crew(client)
    send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in ids.values()])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    return ids


def listed(client: FlaskClient, query: str = "") -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in got(client, f"/api/v1/menu{query}")["actions"]}


def test_the_menu_says_what_is_possible_what_it_needs_and_what_stands_against_the_rest(client: FlaskClient) -> None:
    ids = fight(client)
    menu = listed(client)
    assert got(client, "/api/v1/menu")["actor"] == ids["Okafor"], "whoever has the Turn is meant where nobody is named"
    assert menu["attack"]["possible"]
    assert {"target_id", "weapon"} <= set(menu["attack"]["needs"])
    assert menu["aim"]["minor"]
    assert not menu["stand"]["possible"]
    assert menu["stand"]["why_not"].endswith(".")


def test_what_the_menu_says_is_possible_is_accepted_as_it_names_it(client: FlaskClient) -> None:
    ids = fight(client)
    entry = listed(client)["recover"]
    action = {"name": entry["name"], "scope": entry["scope"]}
    declaration = {
        "character_id": ids["Okafor"],
        "attribute": entry["attributes"][0],
        "discipline": entry["disciplines"][0],
        "action": action,
    }
    assert entry["possible"]
    events = send(client, "declare_task", declaration=declaration)["events"]
    assert "task_declared" in {one["event"] for one in events}
    assert not listed(client, f"?actor={ids['Okafor']}")["recover"]["possible"], "one Task at a time"


def test_the_menu_tells_what_has_to_be_chosen_and_among_what(client: FlaskClient) -> None:
    """ATK-1, QUAL-2, ACT-7: `needs` names the fields as ever; what cannot be chosen now is among `choices` no more."""
    ids = fight(client)
    menu = listed(client)
    attack = {one["name"]: one for one in menu["attack"]["choices"]}
    assert "effect" in menu["attack"]["needs"], "version 1 keeps it"
    assert "effect" not in attack, "nothing is prepared"
    target = attack["target_id"]
    assert (target["kind"], target["required"], target["label"]) == ("one_of", True, "At whom")
    assert target["values"][0] == {"id": ids["Brack"], "label": "Brack"}
    assert {one["id"] for one in attack["weapon"]["values"]} == {"phaser_type_2"}
    (unarmed,) = attack["weapon"]["refused"]
    assert (unarmed["id"], unarmed["why_not"]) == (
        "unarmed",
        "Brack is not in Reach. Take Movement there first, or choose a ranged weapon.",
    )
    assert (attack["lethal"]["kind"], attack["lethal"]["required"]) == ("yes_or_no", False)
    (note,) = menu["ready"]["choices"]
    assert (note["kind"], note["required"], note["values"]) == ("words", True, [])
    level = next(one for one in menu["treatment"]["choices"] if one["name"] == "level")
    assert (level["kind"], level["least"], level["most"], level["required"]) == ("number", 2, 10, False)
    assert menu["first_aid"]["why_not"] == "Nobody has an Injury that could be treated."
    send(client, "take_minor_action", character_id=ids["Okafor"], action={"name": "prepare"})
    (charge,) = (one for one in listed(client)["attack"]["choices"] if one["name"] == "effect")
    assert [one["id"] for one in charge["values"]] == ["area", "intense", "piercing", "vicious"]
    assert (charge["required"], charge["otherwise"]) == (False, "Nothing")


def test_the_description_of_the_api_says_how_a_menu_looks(client: FlaskClient) -> None:
    """An entry with each kind of choice fits its schema."""
    fight(client)
    check(got(client, "/api/v1/menu"), {"$ref": "#/components/schemas/MenuView"})


def test_a_misspelt_effect_is_refused_with_the_names(client: FlaskClient) -> None:
    """QUAL-2."""
    ids = fight(client)
    action = {"name": "attack", "target_id": ids["Brack"], "weapon": "phaser_type_2", "effect": "piercng"}
    declaration = {
        "character_id": ids["Okafor"], "attribute": "control", "discipline": "security", "action": action,
    }  # fmt: skip
    status, problem = post(client, "/api/v1/commands", {"command": "declare_task", "declaration": declaration})
    assert (status, problem["rule"]) == (409, "QUAL-2")
    assert "choose area, intense, piercing or vicious" in problem["detail"]


def test_what_an_action_settles_may_be_left_out(client: FlaskClient) -> None:
    """TASK-1: of a declaration and of its odds; where something is to be chosen, the refusal lists it."""
    ids = fight(client)
    recover = {"character_id": ids["Okafor"], "action": {"name": "recover"}}
    status, odds = post(client, "/api/v1/odds/choices", recover)
    assert (status, odds["odds"]["difficulty"]) == (200, 2)
    assert post(client, "/api/v1/odds", recover)[0] == 200
    advantage = {"character_id": ids["Okafor"], "action": {"name": "create_advantage", "note": "High ground"}}
    for path, body in (
        ("/api/v1/odds", advantage),
        ("/api/v1/odds/choices", advantage),
        ("/api/v1/odds", {"character_id": ids["Okafor"]}),
        ("/api/v1/commands", {"command": "declare_task", "declaration": advantage}),
    ):
        status, problem = post(client, path, body)
        assert (status, problem["rule"]) == (409, "TASK-1")
        assert "Choose control, daring, fitness, insight, presence or reason" in problem["detail"]
    declared = send(client, "declare_task", declaration=recover)["events"]
    (task,) = (one["task"] for one in declared if one["event"] == "task_declared")
    assert (task["declaration"]["attribute"], task["declaration"]["discipline"]) == ("fitness", "command")


def test_only_what_comes_in_may_leave_them_out() -> None:
    """Whatever goes out says with what a Task is thrown, as version 1 always did."""
    schemas = json.loads(document(ROUTES))["components"]["schemas"]
    going_out = [one for name, one in schemas.items() if name.endswith("Declaration")]
    assert len(going_out) == 2
    for schema in going_out:
        assert {"attribute", "discipline"} <= set(schema["required"])
        assert schema["properties"]["attribute"] == {"$ref": "#/components/schemas/Attribute"}
    assert not {"attribute", "discipline"} & set(schemas["DeclarationInput"]["required"])


def test_the_menu_of_nobody_is_empty_and_of_a_stranger_refused(client: FlaskClient) -> None:
    assert got(client, "/api/v1/menu") == {"actor": "", "actions": []}
    answer = client.get("/api/v1/menu?actor=nobody-here")
    assert answer.status_code == 409
    assert answer.mimetype == "application/problem+json"


def test_the_description_of_the_api_names_every_action_of_the_books() -> None:
    action = json.loads(document(ROUTES))["components"]["schemas"]["ActionInput"]["properties"]["name"]["description"]
    for scope in ActionScope:
        for name in action_names(scope):
            assert name in action
    assert {"extended", "attack"} <= set(action_names(ActionScope.PERSONAL))
    assert {"extended", "fire_weapon"} <= set(action_names(ActionScope.BRIDGE))


@pytest.mark.parametrize(
    ("name", "said"),
    [("atack", "as attack"), ("fire_weapon", "on the bridge, not on foot"), ("xyzzy", "one of the menu")],
)
def test_an_action_that_is_none_names_those_most_like_it(client: FlaskClient, name: str, said: str) -> None:
    ids = fight(client)
    declaration = {
        "character_id": ids["Okafor"],
        "attribute": "daring",
        "discipline": "security",
        "action": {"name": name},
    }
    status, problem = post(client, "/api/v1/commands", {"command": "declare_task", "declaration": declaration})
    assert status == 409
    assert said in problem["detail"]


def test_a_menu_is_worked_out_once_for_pages_and_programs(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every listener's page is rendered anew after a decision, and the table is the same for all of them."""
    asked: list[str] = []

    def counted(table: Table, actor_id: str) -> tuple[MenuEntry, ...]:
        asked.append(actor_id)
        return menu(table, actor_id)

    monkeypatch.setattr(menu_view, "menu", counted)
    monkeypatch.setattr(conflict_forms, "menu", counted)
    ids = fight(client)
    asked.clear()
    for _ in range(2):
        read(client, f"/conflict?who={ids['Brack']}")
        listed(client, f"?actor={ids['Brack']}")
    assert asked == [ids["Brack"]]
    send(client, "end_turn")
    listed(client, f"?actor={ids['Brack']}")
    assert asked == [ids["Brack"]] * 2
