"""Two pages decide in the same moment: the later tap does nothing else than it says, and its person is told why."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from kiosk.views.about import OF, About, mark_of
from kiosk.web.forms import _MADE  # the forms that are not called as their command
from rules.game import COMMANDS
from tests.kiosk.desk import got, post, send
from tests.kiosk.web.test_persons import Phone, opened, two


def option_form(client: FlaskClient, option: str, path: str = "/text") -> dict[str, str]:
    """The hidden fields of the form for that option, as a page without script has them now."""
    page = client.get(path).get_data(as_text=True)
    form = next(
        one for one in page.split("<form")[1:] if f'name="option" value="{option}"' in one.partition("</form>")[0]
    )
    fields = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form.partition("</form>")[0])
    return {name: unescape(value) for name, value in fields}


def undo_form(client: FlaskClient) -> dict[str, str]:
    """The hidden fields of the form that takes back what was decided last."""
    form = client.get("/text").get_data(as_text=True).partition('action="/text/undo"')[2].partition("</form>")[0]
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))


def fighting(client: FlaskClient) -> tuple[str, str]:
    """A fight in which either of two characters may begin the next Turn."""
    first, second = two(client)
    card = got(client, "/api/v1/table")["table"]["characters"][0]
    numbers = {name: card[name] for name in ("attributes", "disciplines")}
    send(client, "save_character", name="Vosk", standing="notable_npc", **numbers)
    foe = got(client, "/api/v1/table")["table"]["characters"][2]["character_id"]
    seats = [{"combatant_id": one} for one in (first, second, foe)]
    send(client, "start_conflict", kind="personal", combatants=seats, begins=foe)
    send(client, "begin_turn", combatant_id=foe)
    send(client, "end_turn")
    return first, second


@pytest.mark.parametrize("by_script", [True, False])
def test_whoever_begins_a_turn_second_is_told_whose_began(*, by_script: bool) -> None:
    with opened() as desk:
        first, second = fighting(desk.client())
        sam, ana = Phone(desk, name="Sam"), Phone(desk, name="Ana")
        sam.take(first)
        ana.take(second)
        late = option_form(ana.client, f"begin_turn:{second}", "/play")
        assert sam.asks("begin_turn", combatant_id=first)[0] == 200
        if by_script:
            fields = {name: value for name, value in late.items() if name not in {"token", "back"}}
            answer = ana.client.post("/text/option", data=fields, headers={"X-Trueroll": "1"})
            assert answer.get_json()["type"] == "/problems/gone-on"
            told = answer.get_json()["detail"]
        else:
            answer = ana.client.post("/text/option", data=late)
            told = unescape(answer.get_data(as_text=True))
        assert answer.status_code == 409
        name = got(sam.client, "/api/v1/table")["table"]["characters"][0]["name"]
        assert f"Not done, because something else was decided first: beginning {name}'s Turn, by Sam." in told
        assert got(sam.client, "/api/v1/table")["table"]["conflict"]["turn"]["combatant_id"] == first


def test_a_plain_page_ends_no_other_turn_than_it_showed() -> None:
    with opened() as desk:
        first, second = fighting(desk.client())
        client = Phone(desk, gamemaster=True).client
        send(client, "begin_turn", combatant_id=first)
        late, other = option_form(client, "end_turn"), option_form(client, "end_turn")
        assert client.post("/text/option", data=other).status_code == 303
        send(client, "begin_turn", combatant_id=second)
        assert client.post("/text/option", data=late).status_code == 409
        assert got(client, "/api/v1/table")["table"]["conflict"]["turn"]["combatant_id"] == second


def test_a_plain_page_takes_back_nothing_else_than_it_named() -> None:
    with opened() as desk:
        client = desk.client()
        two(client)
        late = undo_form(client)
        send(client, "add_trait", name="Smoke")
        assert client.post("/text/undo", data=late).status_code == 409
        assert [one["name"] for one in got(client, "/api/v1/table")["table"]["traits"]] == ["Smoke"]
        assert client.post("/text/undo", data=undo_form(client)).status_code == 303
        assert got(client, "/api/v1/table")["table"]["traits"] == []


def aside(client: FlaskClient) -> dict[str, str]:
    """The marks that a page of the table as it stands sends along."""
    seen = got(client, "/api/v1/table")["about"]
    assert isinstance(seen, dict)
    return seen


def tap(client: FlaskClient, seen: dict[str, str], command: str, **fields: object) -> tuple[int, str]:
    """The status of a tap that was made while the table was as `seen`, and what its person is told."""
    about = mark_of(seen, command)
    status, answer = post(client, "/api/v1/commands", {"command": command, "about": about, **fields})
    return status, answer.get("detail", "")


@pytest.mark.parametrize("first", ["adjust_stress", "declare_task"])
def test_the_gamemaster_puts_stress_right_while_a_player_declares(first: str) -> None:
    """Whichever arrives first: neither has to do with the other, so both count."""
    with opened() as desk:
        who, other = fighting(desk.client())
        gamemaster = Phone(desk, gamemaster=True).client
        send(gamemaster, "begin_turn", combatant_id=who)
        player = desk.client()
        action = {"action": {"name": "other", "note": "Shout"}, "attribute": "daring", "discipline": "command"}
        both: dict[str, tuple[FlaskClient, dict[str, object]]] = {
            "adjust_stress": (gamemaster, {"character_id": other, "change": -1}),
            "declare_task": (player, {"declaration": {"character_id": who, "difficulty": 1, **action}}),
        }
        seen = aside(player)
        for command in (first, *(one for one in both if one != first)):
            client, fields = both[command]
            assert tap(client, seen, command, **fields) == (200, "")
        assert got(player, "/api/v1/table")["table"]["task"] is not None


@pytest.mark.parametrize("again", [True, False])
def test_a_spend_tapped_on_two_phones_is_paid_once_and_another_beside_it(*, again: bool) -> None:
    with opened() as desk:
        client = desk.client()
        who, _ = two(client)
        send(client, "adjust_pool", pool="momentum", change=4)
        send(
            client,
            "declare_task",
            declaration={"character_id": who, "attribute": "control", "discipline": "command", "difficulty": 0},
        )
        number = got(client, "/api/v1/table")["table"]["request"]["number"]
        send(client, "enter_dice", request=number, faces=[1, 2])
        seen = aside(client)
        sam, ana = desk.client(), desk.client()
        assert tap(sam, seen, "make_spend", spend="obtain_information")[0] == 200
        spend = {"spend": "obtain_information"} if again else {"spend": "create_advantage", "note": "High ground"}
        status, told = tap(ana, seen, "make_spend", **spend)
        spends = got(client, "/api/v1/table")["table"]["task"]["spends"]
        if again:
            assert status == 409
            assert told.startswith("Not done, because something else was decided first: ")
            assert len(spends) == 1
        else:
            assert (status, len(spends)) == (200, 2)


def test_no_mark_is_named_as_a_form_of_pages_that_has_none() -> None:
    """A form called as a mark would carry that in place of the table's, and be refused for ever."""
    marks = {one for one in About.__struct_fields__ if one not in {"of", "any_time", "table"}}
    assert set(OF.values()) <= marks
    assert all(one in COMMANDS or one.startswith("of_") for one in marks)
    assert not [one for one in _MADE if one.startswith("of_")]
