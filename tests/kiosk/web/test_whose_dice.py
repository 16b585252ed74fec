"""Whose phone asks for dice: of a ship's hit the one who fires, of a helper's die whoever plays the helper."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.kiosk.desk import got, send
from tests.kiosk.web.test_api import DECLARATION
from tests.kiosk.web.test_conflict_page import crew
from tests.kiosk.web.test_pages import DISCIPLINES, read, words
from tests.kiosk.web.test_person_pages import sent
from tests.kiosk.web.test_persons import Phone, opened
from tests.kiosk.web.test_whose_choice import SYSTEMS

OPEN, FOLDED = "an open pad", "a folded pad"


def table(client: FlaskClient) -> dict[str, Any]:
    found: dict[str, Any] = got(client, "/api/v1/table")["table"]
    return found


def enter(client: FlaskClient, *faces: int) -> None:
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=list(faces))


def asked(phone: Phone) -> tuple[str, str]:
    """How a phone asks for the dice, and for whom."""
    page = read(phone.client, "/play").partition('id="entered"')[2].partition('id="actions"')[0]
    summary = page.partition("<summary>")[2].partition("</summary>")[0]
    title = page.partition("<h2")[2].partition("</h2>")[0].partition(">")[2]
    return (FOLDED, words(summary)) if 'class="for-another"' in page else (OPEN, words(title))


def stage(client: FlaskClient) -> dict[str, Any]:
    found: dict[str, Any] = got(client, "/api/v1/table")["stage"]
    return found


def ships(client: FlaskClient) -> tuple[str, str]:
    """The players' ship and a foe's, by id."""
    arms = [{"name": "Phasers", "kind": "energy", "rating": 7, "optimal_range": "medium"}]
    for name, more in (("Lantern", {}), ("Comet", {"crew": "talented"})):
        numbers = {"scale": 4, "shields": 12, "resistance": 2, "weapons": arms, **more}
        send(client, "save_ship", name=name, systems=SYSTEMS, departments=DISCIPLINES, **numbers)
    lantern, comet = (one["ship_id"] for one in table(client)["ships"])
    return lantern, comet


def test_where_a_shot_hits_is_asked_of_who_fires_alone() -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client, "second-edition")
        lantern, comet = ships(client)
        ada, ben, master = Phone(desk, name="Ada"), Phone(desk, name="Ben"), Phone(desk, gamemaster=True)
        ada.take(ids["Okafor"])
        ben.take(ids["Lindqvist"])
        seats = [{"combatant_id": ids["Okafor"], "ship_id": lantern, "station": "tactical"}, {"combatant_id": comet}]
        send(client, "start_conflict", kind="starship", combatants=seats, begins=ids["Okafor"])
        for who, ship, whom in ((ids["Okafor"], lantern, comet), (comet, comet, lantern)):
            send(client, "begin_turn", combatant_id=who)
            fire = {"name": "fire", "scope": "bridge", "target_id": whom, "ship_id": ship, "weapon": "Phasers"}
            send(client, "declare_task", declaration={"character_id": who, "action": fire})
            enter(client, 1, 1)
            assert asked(ben) == (FOLDED, f"Enter the dice for {'Okafor' if ship == lantern else 'Comet'}"), ship
            enter(client, 19)
            send(client, "follow_through")
            assert table(client)["request"]["role"] == "step"
            if ship == lantern:
                assert asked(ada) == (OPEN, "Enter the dice for Lantern")
            else:
                assert asked(ada)[0] == FOLDED
                assert 'class="for-another"' not in read(master.client, "/gm")
            assert asked(ben) == (FOLDED, f"Enter the dice for {'Okafor' if ship == lantern else 'Comet'}")
            enter(client, 3)
            send(client, "settle_hit")
            while table(client)["agenda"]:
                send(client, "choose_shaken", result="complication")
            while table(client)["task"]:
                send(client, "finish_spending")
            send(client, "end_turn")


def test_a_helpers_die_is_asked_of_who_plays_them_and_names_them() -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        okafor, lindqvist = ids["Okafor"], ids["Lindqvist"]
        ada, ben, cleo = Phone(desk, name="Ada"), Phone(desk, name="Ben"), Phone(desk, name="Cleo")
        ada.take(okafor)
        helper = {"character_id": lindqvist, "attribute": "reason", "discipline": "science"}
        send(client, "declare_task", declaration={"character_id": okafor, **DECLARATION, "assists": [helper]})
        assert asked(ada) == (OPEN, "Enter the dice")
        assert "helps with a die" not in words(read(cleo.client, "/play"))
        enter(client, 1, 1)
        for_helper = "Enter the dice for Lindqvist"
        assert (asked(ada), asked(cleo)) == ((OPEN, for_helper), (FOLDED, for_helper)), "nobody plays the helper"
        ben.take(lindqvist)
        assert asked(ben) == (OPEN, "Enter the dice")
        assert (asked(ada), asked(cleo)) == ((FOLDED, for_helper), (FOLDED, for_helper))


def test_what_is_still_to_be_thrown_is_told_with_the_first_dice_and_where_it_hit_in_the_end() -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client, "second-edition")
        lantern, comet = ships(client)
        seats = [
            {"combatant_id": ids["Okafor"], "ship_id": lantern, "station": "tactical"},
            {"combatant_id": ids["Lindqvist"], "ship_id": lantern, "station": "command"},
            {"combatant_id": comet},
        ]
        send(client, "start_conflict", kind="starship", combatants=seats, begins=ids["Okafor"])
        send(client, "begin_turn", combatant_id=ids["Okafor"])
        fire = {"name": "fire", "scope": "bridge", "target_id": comet, "ship_id": lantern, "weapon": "Phasers"}
        helper = {"character_id": ids["Lindqvist"], "attribute": "control", "discipline": "command"}
        send(client, "declare_task", declaration={"character_id": ids["Okafor"], "action": fire, "assists": [helper]})
        where = "If it hits, 1 d20 says where."
        for faces, then in (
            ((1, 1), ["Then 1 d20 for Lindqvist and 1 d20 for Lantern.", where]),
            ((19,), ["Then 1 d20 for Lantern.", where]),
            ((19,), [where]),
        ):
            assert stage(client)["lines"] == then
            assert all(one in words(read(client, "/play")) for one in then)
            enter(client, *faces)
        send(client, "follow_through")
        assert (stage(client)["who"], stage(client)["word"]) == ("Okafor for Lantern", "Throw 1 d20")
        enter(client, 3)
        send(client, "settle_hit")
        told = stage(client)
        assert told["telling"]["lines"][-1] == told["blow"]["lines"][0] == "Engines: no Breach"
        assert told["blow"]["system"] == "engines"


def test_who_helps_and_who_is_meant_know_before_the_first_dice_are_thrown() -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        ada, ben, cleo = Phone(desk, name="Ada"), Phone(desk, name="Ben"), Phone(desk, name="Cleo")
        ada.take(ids["Okafor"])
        ben.take(ids["Lindqvist"])
        helper = {"character_id": ids["Lindqvist"], "attribute": "reason", "discipline": "science"}
        declared = {"character_id": ids["Okafor"], **DECLARATION, "opposed": True, "assists": [helper]}
        helps, against = "Lindqvist helps with a die after Okafor's.", "The other side throws against it."
        send(client, "declare_task", declaration=declared)
        shown = {one: words(read(one.client, "/play")) for one in (ben, cleo)}
        assert [(helps in here, against in here) for here in shown.values()] == [(True, True), (False, True)]
        send(client, "undo")
        send(client, "declare_task", declaration={**declared, "opponent_id": ids["Brack"]})
        assert "Brack throws against it." in words(read(ben.client, "/play"))


def test_who_helps_is_told_so_before_their_own_next_task_is_offered() -> None:
    """Also while another helper's die is asked for."""
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        ada, ben = Phone(desk, name="Ada"), Phone(desk, name="Ben")
        ada.take(ids["Okafor"])
        ben.take(ids["Lindqvist"])
        helpers = [
            {"character_id": ids[name], "attribute": "reason", "discipline": "science"}
            for name in ("Brack", "Lindqvist")
        ]
        send(client, "declare_task", declaration={"character_id": ids["Okafor"], **DECLARATION, "assists": helpers})

        def leads() -> tuple[bool, bool]:
            """Whether Ben's phone is about the help, and offers Tasks of their own as they stand."""
            page = read(ben.client, "/play")
            return '<p class="watching">Lindqvist helps with a die after ' in page, 'id="presets"' in page

        assert leads() == (True, False)
        enter(client, 5, 12)
        assert (table(client)["request"]["who"], leads()) == ("Brack", (True, False))
        enter(client, 4)
        assert asked(ben) == (OPEN, "Enter the dice")
        enter(client, 3)
        assert leads() == (False, True)


@pytest.mark.parametrize("command", ["drop_die", "correct_die", "dismiss_throw"])
def test_before_anothers_dice_are_answered_for_a_question_is_asked(command: str) -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        ada, ben, master = Phone(desk, name="Ada"), Phone(desk, name="Ben"), Phone(desk, gamemaster=True)
        ada.take(ids["Okafor"])
        fields = {"drop_die": {"position": 0}, "correct_die": {"position": 0, "face": 4}}.get(command, {})
        for thrower, asks, free in (("Brack", (ada, ben), master), ("Okafor", (ben,), ada), ("Lindqvist", (), ada)):
            send(client, "declare_task", declaration={"character_id": ids[thrower], **DECLARATION})
            die = {"kind": "d20", "confidence": 1.0, "state": "read", "source": "manual"}
            reading = {"reading_id": f"{thrower}-{command}", "source": "manual"}
            send(client, "report_reading", reading={**reading, "dice": [{**die, "face": one} for one in (3, 12, 17)]})
            for phone in asks:
                status, problem = phone.asks(command, **fields)
                assert (status, problem["type"]) == (409, "/problems/ask-first"), (thrower, problem)
                assert problem["detail"] == f"{thrower} throws these dice. Answer for {thrower} all the same?"
                form = {one: str(value) for one, value in fields.items()}
                _, _, page = sent(phone.client, f"/text/{command}", "/play", **form, back="/play")
                assert 'name="confirmed" value="yes"' in page
            assert free.asks(command, **fields)[0] == 200, thrower
            send(client, "undo")
            if asks:
                assert asks[0].asks(command, **fields, confirmed=True)[0] == 200
                send(client, "undo")
            while table(client)["task"]:
                send(client, "undo")
