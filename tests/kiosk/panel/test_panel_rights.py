"""Who may press the panel's buttons, what the PIN keeps back there, and whose decisions they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.panel.link import QUESTION_SECONDS
from kiosk.views.phone import log_of
from kiosk.web.access import PIN_SECONDS
from tests.kiosk.desk import GAMEMASTER_CODE, PHONE, TABLE_CODE, Desk, got, post, send
from tests.kiosk.panel.test_panel_link import Rig
from tests.kiosk.web.test_api import CREW

BROWSER: dict[str, Any] = {
    "environ_overrides": {"HTTP_ORIGIN": "http://localhost", "HTTP_SEC_FETCH_SITE": "same-origin"}
}
"""How a page at the kiosk's own screen asks, unlike a program there."""

PIN = "2468"


@pytest.fixture
def rig() -> Iterator[Rig]:
    with Desk(settings={"server.host": "0.0.0.0", "server.open_to_network": True}) as desk:  # noqa: S104 - opened
        made = Rig(desk)
        desk.services.keys.connect(made.link.gesture)
        yield made


def phone(rig: Rig, **code: str) -> FlaskClient:
    """A device in the network that has joined with `code`."""
    client = rig.desk.client()
    client.environ_base.update(PHONE)
    assert post(client, "/api/v1/join", code)[0] == 200
    return client


def keys(rig: Rig, client: FlaskClient, *gestures: str, apart: float = 1.0, **more: Any) -> list[int]:  # noqa: ANN401 - what the client takes
    """Press by keys there; what each was answered."""
    answers = []
    for gesture in gestures:
        rig.desk.clock.ticks += apart
        answers.append(post(client, "/api/v1/panel", {"gesture": gesture}, **more)[0])
        rig.link.turn()
    return answers


def walk(rig: Rig) -> list[str]:
    """Every entry of the open menu's level, in its words."""
    rig.press("next")
    found = [rig.link.shown.partition("? ")[2] or rig.link.shown]
    while len(found) < 40:
        rig.press("next")
        if rig.link.shown.partition(" of ")[0].endswith(" 1"):
            return found
        found.append(rig.link.shown)
    pytest.fail(f"it never begins anew: {found}")


def set_pin(rig: Rig) -> None:
    assert post(rig.client, "/api/v1/pin", {"pin": PIN})[0] == 200
    rig.desk.clock.ticks += PIN_SECONDS + 1
    rig.link.turn()


def test_a_players_device_presses_no_buttons_and_a_stranger_none(rig: Rig) -> None:
    player, stranger = phone(rig, code=TABLE_CODE), rig.desk.client()
    stranger.environ_base.update(PHONE)
    before = rig.desk.engine.present()
    assert keys(rig, player, "undo", "undo", "undo", "undo") == [403] * 4
    assert keys(rig, stranger, "undo") == [401]
    assert rig.desk.engine.present() == before
    assert "table's own screen" in post(player, "/api/v1/panel", {"gesture": "undo"})[1]["detail"]
    pressed = '"panel":true'
    assert pressed not in player.get("/display").get_data(as_text=True).replace("&#34;", '"')
    gamemaster = phone(rig, gamemaster_code=GAMEMASTER_CODE)
    for screen in (rig.client, gamemaster):
        assert pressed in screen.get("/display").get_data(as_text=True).replace("&#34;", '"')
    assert keys(rig, gamemaster, "next") == [200]
    assert rig.link.shown.startswith("What now?")


def test_undo_asks_before_the_set_up_and_before_anothers_decision(rig: Rig) -> None:
    gamemaster = phone(rig, gamemaster_code=GAMEMASTER_CODE)
    post(gamemaster, "/api/v1/me", {"name": "Sam"})
    send(gamemaster, "adjust_pool", pool="threat", change=7)
    rig.press("undo")
    assert rig.desk.engine.present().table.threat == 11
    asked = "Sam decided this: the change of a pool. Take it back all the same? Press again for yes."
    assert rig.link.shown == rig.desk.voice.prompts[-1][0].terse == asked
    assert rig.outputs.sounded[-1] == "question"
    rig.press("confirm!")
    assert rig.link.shown == "It is left as it is."
    rig.press("undo", "repeat")
    assert rig.link.shown == asked
    rig.press("undo")
    assert rig.desk.engine.present().table.threat == 4
    for _ in range(9):
        assert keys(rig, rig.client, "undo", apart=0.1, **BROWSER) == [200]
    assert rig.desk.engine.present().table.characters, "who only hurries has heard no question"
    rig.desk.clock.ticks += QUESTION_SECONDS
    rig.link.turn()
    assert rig.link.shown == ""
    rig.press("undo")
    assert rig.link.shown.startswith("This takes back"), "too late a press asks anew"
    send(rig.client, "add_trait", name="Fog")
    rig.link.turn()
    rig.press("confirm")
    assert rig.desk.engine.present().table.traits, "no question stands after another decision"
    rig.press("confirm!", "undo", "undo", "undo", "undo")
    assert [one.command for one in rig.desk.engine.present().history.done] == ["set_up_table"]
    assert "This takes back setting up the table." in rig.link.shown, "asked about, and not yet answered"


def test_the_menus_undo_asks_too_and_the_same_press_is_the_yes(rig: Rig) -> None:
    rig.press("next")
    rig.press_until("Take back ")
    rig.press("confirm")
    assert "Press again for yes." in rig.link.shown
    rig.press("next")
    assert "Press again for yes." not in rig.link.shown, "who moves on has said no"
    rig.press("previous", "confirm", "confirm")
    assert not rig.desk.engine.present().table.characters


def test_a_program_at_the_kiosk_is_asked_nothing(rig: Rig) -> None:
    keys(rig, rig.client, "undo")
    assert not rig.desk.engine.present().table.characters


def test_the_pin_keeps_back_what_is_the_gamemasters(rig: Rig) -> None:
    send(phone(rig, gamemaster_code=GAMEMASTER_CODE), "adjust_pool", pool="threat", change=1)
    send(rig.client, "save_character", **{**CREW, "name": "Brack", "standing": "minor_npc"})
    rig.declare()
    open_menu = " ".join(walk(rig))
    rig.press("confirm!")
    for words in ("with Threat", "Set how hard", "Take back"):
        assert words in open_menu
    set_pin(rig)
    locked = " ".join(walk(rig))
    assert "with Threat" not in locked
    assert "Set how hard" not in locked
    rig.press_until("The gamemaster's part")
    rig.press("confirm")
    assert rig.link.shown.endswith("type it in under Gamemaster on the table's screen.")
    rig.press("confirm!")
    gamemaster = phone(rig, gamemaster_code=GAMEMASTER_CODE)
    send(gamemaster, "withdraw_task")
    send(gamemaster, "adjust_pool", pool="threat", change=1)
    rig.link.turn()
    assert "Take back" not in " ".join(walk(rig))
    rig.press_until("Declare a Task")
    rig.press("confirm")
    assert "Brack" not in rig.link.shown
    assert "Okafor" in rig.link.shown or "do?" in rig.link.shown
    rig.press("confirm!", "confirm!", "undo")
    assert rig.link.shown.startswith("The gamemaster decided this") or "table's PIN" in rig.link.shown
    assert rig.desk.engine.present().table.threat == 6
    assert post(rig.client, "/api/v1/pin/unlock", {"pin": PIN})[0] == 200
    rig.press("undo", "undo")
    assert rig.desk.engine.present().table.threat == 5, "typed in at the kiosk, it opens the buttons too"


def test_a_locked_screens_keys_are_kept_back_as_well(rig: Rig) -> None:
    set_pin(rig)
    send(phone(rig, gamemaster_code=GAMEMASTER_CODE), "adjust_pool", pool="threat", change=1)
    rig.link.turn()
    here = rig.desk.client()
    keys(rig, here, "undo", "undo", "undo", **BROWSER)
    assert rig.desk.engine.present().table.threat == 5
    assert rig.outputs.sounded[-1] == "refused"
    gamemaster = phone(rig, gamemaster_code=GAMEMASTER_CODE)
    keys(rig, gamemaster, "undo", "undo", "undo")
    assert rig.desk.engine.present().table.threat == 4, "the gamemaster's own device needs no PIN"


def test_what_the_panel_decides_is_signed(rig: Rig) -> None:
    def signed() -> str:
        desk = rig.desk
        people = [{"person_id": one.person_id, "called": one.called} for one in desk.persons.all]
        return str(log_of(desk.engine.present().history, desk.engine.narration, people)[0]["signed"])

    rig.throw(1, 1)
    assert signed() == ""
    rig.press("confirm")
    assert signed() == "Decided at the table's screen"
    assert got(rig.client, "/api/v1/table")["undo"].endswith(", at the table's screen")
    ana = phone(rig, code=TABLE_CODE)
    assert post(ana, "/api/v1/me", {"name": "Ana", "take": rig.character})[0] == 200
    rig.throw(1, 1)
    rig.press("confirm")
    assert signed() == "Decided by Ana at the table's screen"
    assert got(rig.client, "/api/v1/table")["undo"].endswith(", by Ana at the table's screen")
    rig.press("next")
    rig.press_until("by Ana at the table's screen")
    decided = rig.desk.engine.present().history.done
    rig.press("confirm")
    assert rig.desk.engine.present().history.done == decided[:-1], "the panel's own is taken back unasked"
