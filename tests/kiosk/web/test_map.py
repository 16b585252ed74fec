"""The map over HTTP: drawn by forms, told, asked for, moved on; without one the pages are as ever."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from tests.kiosk.desk import got, send
from tests.kiosk.web.test_conflict_page import SYSTEMS, begin, crew, table
from tests.kiosk.web.test_pages import DISCIPLINES, Buttons, Parts, press, read, words

PHASERS = {"name": "Phasers", "kind": "energy", "rating": 7}


def draw(client: FlaskClient, **more: str) -> str:
    status, page = press(
        client, "draw_map", back="/conflict", zones="Bridge\nCorridor\nEngineering", **{"layout": "line", **more}
    )
    assert status == 200, words(page)
    return page


def zones(client: FlaskClient) -> dict[str, str]:
    return {one["name"]: one["zone_id"] for one in table(client)["zone_map"]["zones"]}


def put(client: FlaskClient, zone: str, *ids: str) -> str:
    ticked = {f"there_{one}": "yes" for one in ids}
    status, page = press(client, "place_at", back="/conflict", zone_id=zones(client)[zone], **ticked)
    assert status == 200, words(page)
    return page


def test_a_map_is_drawn_by_forms_and_listed(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    draw(client)
    put(client, "Bridge", ids["Okafor"], ids["Lindqvist"])
    page = put(client, "Engineering", ids["Brack"])
    assert "Bridge: Okafor and Lindqvist." in words(page)
    assert "Engineering: Brack." in words(page)
    assert '<svg class="map-picture"' in page
    status, page = press(
        client,
        "change_zone",
        back="/conflict",
        zone_id=zones(client)["Corridor"],
        name="Jefferies tube",
        difficulty="1",
    )
    assert status == 200
    assert "Jefferies tube: nobody. Leaving is 1 harder. Next to Bridge and Engineering." in words(page)


def test_a_pair_that_is_none_is_refused(client: FlaskClient) -> None:
    crew(client)
    status, page = press(client, "draw_map", back="/conflict", zones="A\nB", layout="links", links="A B")
    assert status == 400
    assert "A pair is two zones with + between them, not A B." in words(page)
    status, page = press(client, "draw_map", back="/conflict", zones="A\nB", layout="links", links="A + B")
    assert status == 200
    assert table(client)["zone_map"]["links"] == [["zone-1", "zone-2"]]


def test_where_everybody_is_can_be_asked_for(client: FlaskClient) -> None:
    ids = crew(client)
    assert got(client, "/api/v1/table")["where_told"] is None
    assert "Where everybody is" not in read(client, "/text")
    begin(client, ids, begins=ids["Okafor"])
    draw(client)
    put(client, "Bridge", ids["Okafor"], ids["Lindqvist"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    told = got(client, "/api/v1/table")["where_told"]
    assert told["terse"] == "Bridge: Okafor and Lindqvist. Not on the map: Brack."
    assert told["normal"].endswith("From Okafor: Close range: Lindqvist.")
    assert "Bridge: Okafor and Lindqvist." in words(read(client, "/text?ask=where"))
    assert "Bridge: Okafor and Lindqvist." in words(read(client, "/display"))


def _option(client: FlaskClient, label: str) -> dict[str, Any]:
    options: list[dict[str, Any]] = got(client, "/api/v1/table")["options"]
    return next(one for one in options if one["label"] == label)


def test_a_zone_is_offered_by_name_and_moved_to(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    draw(client)
    put(client, "Bridge", ids["Okafor"])
    put(client, "Corridor", ids["Brack"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    page = read(client, f"/conflict?who={ids['Okafor']}")
    assert "Corridor, 1 zone away" in page
    option = _option(client, "Okafor: Movement to Corridor")
    answer = send(client, option["command"].pop("command"), **option["command"])
    assert "Okafor moves to Corridor. Close to Brack." in answer["narration"]["normal"]
    send(client, "undo")
    assert "Bridge: Okafor." in words(read(client, "/conflict"))


def test_the_menu_asks_for_a_zone_on_a_map_alone(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])

    def needs(name: str) -> list[str]:
        menu = got(client, f"/api/v1/menu?actor={ids['Okafor']}")
        entries = next(one for one in menu.values() if isinstance(one, list))
        return next(list(one["needs"]) for one in entries if one["name"] == name and one["scope"] == "personal")

    assert "zone_id" not in needs("sprint")
    draw(client)
    put(client, "Bridge", ids["Okafor"])
    assert "zone_id" in needs("sprint")


def test_a_form_is_preset_to_the_nearest_zone_and_sent(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    draw(client)
    put(client, "Bridge", ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    corridor = zones(client)["Corridor"]
    page = read(client, f"/conflict?who={ids['Okafor']}")
    assert f'<option value="{corridor}" selected>Corridor, 1 zone away</option>' in page
    fields = {"character_id": ids["Okafor"], "deed": "sprint", "scope": "personal", "zone_id": corridor}
    status, page = press(client, "act", back="/conflict", attribute="fitness", discipline="security", **fields)
    assert status == 200, words(page)
    assert table(client)["task"]["declaration"]["action"]["zone_id"] == corridor


def _sent(page: str) -> list[tuple[str, str, dict[str, str]]]:
    """What every button of the page would send, in order: its words, where to, the fields but for their keys."""
    return [
        (one.words, one.action, {name: value for name, value in one.fields.items() if name not in {"token", "tap"}})
        for one in Buttons(page).all
    ]


def test_what_was_refused_is_shown_in_its_own_form_alone(client: FlaskClient) -> None:
    """What was typed for one zone is neither another zone's nor that of a form with a field of the same name."""
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    page = draw(client)
    before = _sent(page)
    zone_id = zones(client)["Corridor"]
    status, page = press(
        client, "change_zone", back="/conflict", zone_id=zone_id, name="Jefferies tube", difficulty="9", cover="3"
    )
    assert status == 409
    changed = [(was, now) for was, now in zip(before, _sent(page), strict=True) if was != now]
    [((_, _, was), (_, _, now))] = changed
    assert was["name"] == "Corridor"
    assert now == {**was, "name": "Jefferies tube", "difficulty": "9", "cover": "3"}
    parts = Parts(page).names
    assert {"Map: zones, and who is where", "Corridor"} <= set(parts[True])
    assert "Bridge" in parts[False]


def test_refused_zones_stay_typed(client: FlaskClient) -> None:
    crew(client)
    status, page = press(client, "draw_map", back="/conflict", zones="A\nB", layout="links", links="A B")
    assert status == 400
    assert ">A\nB</textarea>" in page
    assert ">A B</textarea>" in page
    assert '<option value="links" selected>' in page


def test_who_fires_at_a_ship_that_evades_chooses_where_to_if_it_wins(client: FlaskClient) -> None:
    """S2E-H4: in the form of Fire, the zones that adjoin; the evader's choices are buttons."""
    ids = crew(client, "second-edition")
    send(client, "save_ship", name="Far Lantern", scale=4, systems=SYSTEMS, departments=DISCIPLINES, weapons=[PHASERS])
    send(client, "save_ship", name="Black Comet", scale=1, systems=SYSTEMS, departments=DISCIPLINES, crew="basic")
    lantern, comet = (one["ship_id"] for one in table(client)["ships"])
    seats = [{"combatant_id": ids["Okafor"], "ship_id": lantern, "station": "tactical"}, {"combatant_id": comet}]
    send(client, "start_conflict", kind="starship", combatants=seats, begins=comet)
    draw(client)
    put(client, "Bridge", lantern, comet)
    send(client, "begin_turn", combatant_id=comet)
    evading = {"character_id": comet, "action": {"name": "evasive_action", "scope": "bridge"}}
    send(client, "declare_task", declaration=evading)
    send(client, "end_turn")
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    shown = words(read(client, f"/conflict?who={ids['Okafor']}"))
    assert "To which zone, if it wins It stays where it is Corridor, 1 zone away" in shown
    corridor = zones(client)["Corridor"]
    fields = {"character_id": ids["Okafor"], "deed": "fire", "scope": "bridge", "target_id": comet}
    status, page = press(client, "act", back="/conflict", weapon="Phasers", zone_id=corridor, **fields)
    assert status == 200, words(page)
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=[1, 1])
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=[19])
    assert "Black Comet evades to Corridor" in words(read(client, f"/conflict?who={comet}"))
