"""What phones ask beside the table: presets and chances, hidden rolls, the camera's switch, and taps that come late."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.devices.camera_switch import StopMark, SwitchedCamera
from kiosk.web.visit import waiting
from rules.dice import Reading, SourceKind, SourceState, SourceStatus
from rules.game import LONGEST_NAME
from rules.words import say
from tests.kiosk.desk import GAMEMASTER_CODE, LANGUAGES, PHONE, TABLE_CODE, Desk, got, post, send
from tests.kiosk.web.test_api import CREW, set_up
from tests.kiosk.web.test_conflict_page import begin, crew

SECRET = "The traitor slips the guard"  # noqa: S105 - a label, no password


class Eye:
    """A camera that only records how it was switched."""

    kind = SourceKind.CAMERA

    def __init__(self) -> None:
        self.looks = False

    def start(self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None]) -> None:  # noqa: ARG002 - it reports nothing
        self.looks = True
        tell(SourceStatus(SourceKind.CAMERA, SourceState.READY, "The camera looks."))

    def stop(self) -> None:
        self.looks = False

    def picture(self, key: str) -> bytes | None:
        return key.encode()

    def latest(self) -> bytes | None:
        return b"picture"


def task(character: str, **changes: object) -> dict[str, Any]:
    return {"character_id": character, "attribute": "control", "discipline": "engineering", **changes}


def test_presets_are_what_was_asked_for_then_before_then_best(client: FlaskClient) -> None:
    character = set_up(client)
    send(client, "declare_task", declaration=task(character, label="Again", difficulty=2))
    send(client, "withdraw_task")
    send(client, "ask_for_task", character_id=character, attribute="daring", discipline="conn", difficulty=3)
    found = got(client, f"/api/v1/presets?character={character}")["presets"]
    assert [one["why"] for one in found][:3] == ["asked", "before", "best"]
    assert found[0]["declaration"]["difficulty"] == 3
    assert found[1]["declaration"]["label"] == "Again"
    assert all(0 < one["chance"] <= 1 for one in found)
    for one in found:
        assert send(client, "declare_task", declaration=one["declaration"])["events"]
        send(client, "undo")
    assert got(client, "/api/v1/presets?character=nobody")["presets"] == []


def test_nothing_is_preset_while_nothing_can_be_declared(client: FlaskClient) -> None:
    character = set_up(client)
    send(client, "declare_task", declaration=task(character))
    assert got(client, f"/api/v1/presets?character={character}")["presets"] == []


def test_each_choice_has_the_chance_that_the_task_then_has(client: FlaskClient) -> None:
    character = set_up(client)
    send(client, "adjust_pool", pool="momentum", change=1)
    status, found = post(client, "/api/v1/odds/choices", task(character, difficulty=2))
    assert status == 200
    fields = {one["field"] for one in found["choices"]}
    assert {"attribute", "discipline", "focus", "difficulty", "dice"} <= fields
    for one in found["choices"]:
        _, odds = post(client, "/api/v1/odds", {"declaration": one["declaration"]})
        assert odds["chance"] == one["chance"], one
    by = {(one["field"], one["value"]): one for one in found["choices"]}
    assert by["difficulty", "2"]["chance"] == found["chance"]
    assert by["dice", "1"]["chance"] > by["dice", "0"]["chance"]
    assert [one["payer"] for one in by["dice", "2"]["declaration"]["purchases"]] == ["momentum", "momentum"]
    assert post(client, "/api/v1/odds/choices", task("nobody"))[0] == 409


@pytest.mark.parametrize("momentum", [0, 1, 3, 6])
def test_each_number_of_dice_is_paid_so_that_it_can_be_declared(client: FlaskClient, momentum: int) -> None:
    character = set_up(client)
    if momentum:
        send(client, "adjust_pool", pool="momentum", change=momentum)
    _, found = post(client, "/api/v1/odds/choices", task(character))
    dice = {int(one["value"]): one["declaration"] for one in found["choices"] if one["field"] == "dice"}
    assert set(dice) == {0, 1, 2, 3}
    for number, declaration in dice.items():
        before = got(client, "/api/v1/table")["table"]
        send(client, "declare_task", declaration=declaration)
        after = got(client, "/api/v1/table")["table"]
        price = (0, 1, 3, 6)[number]
        assert before["momentum"] - after["momentum"] == min(momentum, price)
        assert after["threat"] - before["threat"] == max(0, price - momentum)
        send(client, "undo")


def payers(client: FlaskClient, declaration: dict[str, Any]) -> list[list[tuple[str, int]]]:
    """Who pays for each of no die, one, two and three, and what of it is Threat."""
    _, found = post(client, "/api/v1/odds/choices", declaration)
    dice = [one["declaration"]["purchases"] for one in found["choices"] if one["field"] == "dice"]
    return [[(die["payer"], die["threat_part"]) for die in several] for several in dice]


def test_who_pays_for_a_die_is_threat_while_the_pool_is_empty_and_always_for_a_foe(client: FlaskClient) -> None:
    """BUY-3, BUY-7: what the pool does not hold nobody is said to pay with."""
    character = set_up(client)
    send(client, "save_character", **{**CREW, "name": "Vosk"}, standing="notable_npc")
    vosk = got(client, "/api/v1/table")["table"]["characters"][-1]["character_id"]
    threat = [[("threat", 0)] * number for number in range(4)]
    assert payers(client, task(character)) == threat
    send(client, "adjust_pool", pool="momentum", change=2)
    mixed = [[], [("momentum", 0)], [("momentum", 0), ("momentum", 1)]]
    assert payers(client, task(character)) == [*mixed, [("momentum", 0), ("momentum", 1), ("momentum", 3)]]
    assert payers(client, task(vosk)) == threat
    send(client, "adjust_pool", pool="momentum", change=-2)
    chosen = task(character, purchases=[{"payer": "momentum", "threat_part": 1}])
    assert payers(client, chosen)[1] == [("momentum", 1)], "it stays as it was chosen"
    assert payers(client, task(character)) == threat, "the pool is empty again"


def test_dice_stay_paid_as_they_were_chosen_and_each_number_has_its_price(client: FlaskClient) -> None:
    character = set_up(client)
    send(client, "adjust_pool", pool="momentum", change=2)
    mix = [{"payer": "threat"}, {"payer": "momentum"}]
    _, found = post(client, "/api/v1/odds/choices", task(character, purchases=mix))
    dice = {one["value"]: one for one in found["choices"] if one["field"] == "dice"}
    payers = {number: [die["payer"] for die in one["declaration"]["purchases"]] for number, one in dice.items()}
    assert payers == {
        "0": [],
        "1": ["threat"],
        "2": ["threat", "momentum"],
        "3": ["threat", "momentum", "threat"],
    }
    assert dice["2"]["price"] == {"momentum": 2, "threat": 1, "determination": 0, "threat_spent": False}
    assert not any(dice["0"]["price"].values())


def test_a_ship_of_the_other_side_is_no_helper(client: FlaskClient) -> None:
    character = set_up(client)
    systems = dict.fromkeys(("communications", "computers", "engines", "sensors", "structure", "weapons"), 8)
    numbers = {"systems": systems, "departments": CREW["disciplines"], "scale": 3}
    for name in ("Own", "Grey Talon"):
        send(client, "save_ship", name=name, **numbers)
    own, foe = (one["ship_id"] for one in got(client, "/api/v1/table")["table"]["ships"])
    send(client, "save_character", **{**CREW, "name": "Vosk"}, standing="notable_npc")
    vosk = got(client, "/api/v1/table")["table"]["characters"][-1]["character_id"]
    seats = [
        {"combatant_id": character, "ship_id": own, "station": "helm"},
        {"combatant_id": vosk, "ship_id": foe},
    ]
    send(client, "start_conflict", kind="personal", combatants=seats, begins=character)
    _, found = post(client, "/api/v1/odds/choices", task(character))
    assert [one["value"] for one in found["choices"] if one["field"] == "ship"] == [own]


def test_what_dice_cost_is_said_in_the_language_of_whoever_asks() -> None:
    with Desk() as desk:
        client = desk.client()
        character = set_up(client)
        bought = task(character, purchases=[{"payer": "threat"}])
        bills = {
            language: post(client, f"/api/v1/odds?language={language}", {"declaration": bought})[1]["bill"]["total"]
            for language in ("en", "de")
        }
    assert bills["en"] == "1 Threat added"
    assert bills["de"] == say("{number} Threat added", number=1).rendered(LANGUAGES.language("de").catalog)
    assert bills["de"] != bills["en"]


def test_a_tap_that_comes_late_counts_only_where_the_table_still_is(client: FlaskClient) -> None:
    character = set_up(client)
    seen = got(client, "/api/v1/table")["about"]
    first = {"command": "declare_task", "declaration": task(character), "idempotency": "a", "about": seen["table"]}
    assert post(client, "/api/v1/commands", first)[0] == 200
    assert post(client, "/api/v1/commands", first)[0] == 200, "the same tap once more is the same tap"
    status, problem = post(client, "/api/v1/commands", {**first, "idempotency": "b"})
    assert (status, problem["type"]) == (409, "/problems/gone-on")
    undo = {"command": "undo", "about": got(client, "/api/v1/table")["about"]["undo"]}
    assert post(client, "/api/v1/commands", undo)[0] == 200
    assert post(client, "/api/v1/commands", undo)[0] == 409, "two hands on one undo take one decision back"


def test_two_spends_of_the_same_moment_both_count(client: FlaskClient) -> None:
    set_up(client)
    seen = got(client, "/api/v1/table")["about"]["table"]
    for _ in range(2):
        body = {"command": "gain_threat", "event": "threatening_scene", "about": seen}
        known = post(client, "/api/v1/commands", body)
        assert known[0] == 200, known
    assert got(client, "/api/v1/table")["table"]["threat"] == 6


def late(client: FlaskClient, command: str, mark: str, **fields: object) -> int:
    """The status of a command that carries `mark`."""
    return post(client, "/api/v1/commands", {"command": command, "about": mark, **fields})[0]


def test_a_task_that_came_and_went_makes_a_kept_declaration_late(client: FlaskClient) -> None:
    character = set_up(client)
    seen = got(client, "/api/v1/table")["about"]["table"]
    send(client, "declare_task", declaration=task(character))
    send(client, "enter_dice", request=got(client, "/api/v1/table")["table"]["request"]["number"], faces=[3, 19])
    send(client, "finish_spending")
    assert got(client, "/api/v1/table")["table"]["task"] is None
    assert late(client, "declare_task", seen, declaration=task(character)) == 409


def test_a_mark_fits_only_the_command_that_it_belongs_to(client: FlaskClient) -> None:
    character = set_up(client)
    marks = got(client, "/api/v1/table")["about"]
    assert late(client, "undo", marks["table"]) == 409, "whatever was done last is not what was seen"
    assert late(client, "declare_task", marks["undo"], declaration=task(character)) == 409
    assert late(client, "declare_task", marks["table"], declaration=task(character)) == 200


def test_dice_thrown_again_are_those_that_were_seen(client: FlaskClient) -> None:
    character = set_up(client)
    send(client, "declare_task", declaration=task(character, difficulty=2))
    send(client, "enter_dice", request=got(client, "/api/v1/table")["table"]["request"]["number"], faces=[3, 19])
    seen = got(client, "/api/v1/table")["about"]
    send(client, "correct_scored_die", position=1, face=4)
    again = {"positions": [1], "reason": "inspiration", "value": "Nobody is left behind"}
    assert late(client, "reroll_dice", seen["reroll_dice"], **again) == 409, "that die shows something else now"
    assert late(client, "correct_scored_die", seen["correct_scored_die"], position=0, face=2) == 200
    assert late(client, "finish_spending", seen["table"]) == 200, "what dice show does not matter to it"


def test_a_complication_is_settled_by_one_of_two_hands(client: FlaskClient) -> None:
    character = set_up(client)
    send(client, "declare_task", declaration=task(character, difficulty=0))
    send(client, "enter_dice", request=got(client, "/api/v1/table")["table"]["request"]["number"], faces=[20, 20])
    send(client, "finish_spending")
    seen = got(client, "/api/v1/table")["about"]
    for name, status in (("Alarm", 200), ("Smoke", 409)):
        assert late(client, "take_complication", seen["take_complication"], name=name) == status
    assert got(client, "/api/v1/table")["table"]["task"]["complications_open"] == 1


def test_a_complication_that_waits_is_settled_though_another_ends_their_turn_meanwhile(client: FlaskClient) -> None:
    """Its question stands unchanged: what another person decided first was none of it."""
    ids = crew(client)
    begin(client, ids)
    guards = {"action": {"name": "other", "note": "Shout"}, "attribute": "daring", "discipline": "command"}
    numbers = {}
    for name in ("Okafor", "Lindqvist"):
        send(client, "begin_turn", combatant_id=ids[name])
        send(client, "declare_task", declaration={"character_id": ids[name], "difficulty": 1, **guards})
        send(client, "enter_dice", request=got(client, "/api/v1/table")["table"]["request"]["number"], faces=[1, 20])
        seen = got(client, "/api/v1/table")["about"]
        send(client, "end_turn")
        if name == "Okafor":
            send(client, "pass_turn", combatant_id=ids["Brack"])
        waits = got(client, "/api/v1/table")["table"]["complications_waiting"]
        numbers[name] = waits[-1]["number"]
    assert late(client, "take_complication", seen["take_complication"], number=numbers["Lindqvist"]) == 409, "not seen"
    taken = {"number": numbers["Okafor"], "name": "Smoke"}
    assert late(client, "take_complication", seen["take_complication"], **taken) == 200
    assert late(client, "take_complication", seen["take_complication"], **taken) == 409, "it was the same one"
    assert late(client, "buy_off_complication", seen["take_complication"], number=numbers["Okafor"]) == 409


def test_a_stopped_camera_is_let_go_of_until_somebody_starts_it(tmp_path: Path) -> None:
    eyes: list[Eye] = []
    told: list[SourceStatus] = []

    def made() -> Eye:
        eyes.append(Eye())
        return eyes[-1]

    mark = StopMark(tmp_path / "camera-stopped")
    camera = SwitchedCamera(made, stopped=mark.stopped, keep=mark.keep)
    camera.start(lambda _: None, told.append)
    assert camera.latest() == b"picture"
    assert camera.switch(running=False)
    assert not camera.switch(running=False)
    assert (eyes[0].looks, camera.latest(), camera.picture("a"), mark.stopped) == (False, None, None, True)
    assert told[-1].state is SourceState.OFF
    camera.stop()

    restarted = SwitchedCamera(made, stopped=mark.stopped, keep=mark.keep)
    restarted.start(lambda _: None, told.append)
    assert len(eyes) == 1, "a restart opens no eye that somebody closed"
    assert restarted.switch(running=True)
    assert (eyes[1].looks, mark.stopped) == (True, False)
    restarted.stop()
    assert not eyes[1].looks


def test_the_room_hears_that_the_camera_is_stopped() -> None:
    with Desk(camera=SwitchedCamera(Eye)) as desk:
        client = desk.client()
        assert post(client, "/api/v1/camera", {"running": False}) == (200, {"running": False})
        assert desk.voice.answers[-1].terse.startswith("The camera is stopped")
        assert desk.voice.said == [], "the last outcome is still what is repeated"
    with Desk() as desk:
        assert post(desk.client(), "/api/v1/camera", {"running": False})[0] == 409


def test_the_display_says_that_the_camera_was_stopped_but_not_that_there_is_none() -> None:
    with Desk(camera=SwitchedCamera(Eye)) as desk:
        client = desk.client()
        assert desk.services.camera is not None
        desk.sources.set("camera", SourceState.OFF, "The camera is switched off, in the settings or at the start.")
        assert "switched off" not in troubles(client)
        desk.services.camera.start(lambda _: None, desk.sources.tell)
        post(client, "/api/v1/camera", {"running": False})
        assert "Enter the dice by hand" in troubles(client)
        post(client, "/api/v1/camera", {"running": True})
        assert "Enter the dice by hand" not in troubles(client)
        desk.services.camera.stop()


def troubles(client: FlaskClient) -> str:
    """What the display's line of troubles says."""
    return client.get("/display").get_data(as_text=True).partition('id="troubles"')[2].partition("</p>")[0]


def test_players_are_told_how_to_become_the_gamemaster_and_a_code_in_the_other_field_counts() -> None:
    settings: dict[str, object] = {"server.host": "0.0.0.0", "server.open_to_network": True}  # noqa: S104 - opened
    with Desk(settings=settings) as desk:
        client = desk.client()
        set_up(client)
        for field, code, leads in (
            ("gamemaster_code", TABLE_CODE, "/me"),
            ("code", GAMEMASTER_CODE.lower(), "/gm"),
        ):
            page = client.get("/join", environ_overrides=PHONE).get_data(as_text=True)
            token = page.partition('name="token" value="')[2].partition('"')[0]
            form = {"token": token, field: code}
            answer = client.post("/text/join", data=form, environ_overrides=PHONE)
            assert (answer.status_code, answer.headers["Location"]) == (303, leads)
            forms = 'data-act="gain_threat"' in client.get("/gm", environ_overrides=PHONE).get_data(as_text=True)
            assert forms is (leads == "/gm")


def test_a_name_is_kept_no_longer_than_the_form_takes_it_while_no_code_is_taken() -> None:
    answer = waiting("/join", "q" * 50_000)
    assert answer.headers["Location"] == f"/join?waiting=yes&name={'q' * LONGEST_NAME}"
