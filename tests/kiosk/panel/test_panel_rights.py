"""Who may press the panel's buttons, what the PIN keeps back there, and whose decisions they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.errors import PinNeededError
from kiosk.panel.link import QUESTION_SECONDS
from kiosk.panel.rights import Presser
from kiosk.panel.spoken_words import LOCKED
from kiosk.views.about import PANEL
from kiosk.views.phone import log_of
from kiosk.web.access import PIN_SECONDS
from kiosk.web.messages import GAMEMASTER_COMMANDS
from kiosk.web.permissions import of_npc
from rules.conflict.bodies import AdjustStress
from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.game import Command, DeclareTask, Redo, Role, Undo, name_of, options
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, ConflictKind, Discipline, Pool
from rules.tasks.line import LineUp
from rules.tasks.pools import AdjustPool
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


LOCKED_HERE = Presser(locked=True)
"""Whoever presses a button of the machine itself while the screen is locked."""


def needs_pin(rig: Rig, command: Command) -> bool:
    """Whether a locked press of `command` is refused for the PIN, which an open one is not."""
    rights, present = rig.desk.services.rights, rig.desk.engine.present()
    rights.require(present, command, Presser(), confirmed=True)
    try:
        rights.require(present, command, LOCKED_HERE, confirmed=True)
    except PinNeededError:
        return True
    return False


def brack(rig: Rig) -> str:
    """An NPC at the table, by id."""
    send(rig.client, "save_character", **{**CREW, "name": "Brack", "standing": "minor_npc"})
    rig.link.turn()
    return rig.desk.engine.present().table.characters[-1].character_id


def plain(character: str) -> Declaration:
    return Declaration(character_id=character, attribute=Attribute.CONTROL, discipline=Discipline.COMMAND)


def of_gamemaster(rig: Rig) -> Command:
    """A choice of the gamemaster's that neither its name nor an NPC tells."""
    table = rig.desk.engine.present().table
    found = [one.command for one in options(table) if one.role is Role.GAMEMASTER]
    return next(one for one in found if name_of(one) not in GAMEMASTER_COMMANDS and not of_npc(one, table))


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


@pytest.mark.parametrize("yes", ["undo", "confirm"])
def test_a_yes_after_the_table_has_gone_on_does_nothing_and_says_so(rig: Rig, yes: str) -> None:
    sam = phone(rig, gamemaster_code=GAMEMASTER_CODE)
    post(sam, "/api/v1/me", {"name": "Sam"})
    rig.declare()
    send(sam, "adjust_pool", pool="threat", change=1)
    rig.link.turn()
    rig.press("undo")
    assert rig.link.shown.startswith("Sam decided this")
    rig.desk.clock.ticks += 2
    request = rig.desk.engine.present().table.request
    assert request is not None
    send(rig.client, "enter_dice", request=request.number, faces=[1, 1])
    rig.link.turn()
    before = rig.desk.engine.present()
    rig.press(yes)
    assert rig.desk.engine.present() == before, "neither what was asked about, nor anything else"
    assert rig.link.shown.startswith("The table has gone on since, so this was not done.")
    assert rig.outputs.sounded[-1] == "refused"
    rig.press("undo")
    assert rig.desk.engine.present().history.done == before.history.done[:-1], "decided anew"


def test_after_a_no_the_open_menu_says_where_one_is(rig: Rig) -> None:
    rig.press("next")
    rig.press_until("Take back ")
    rig.press("confirm", "confirm!")
    assert rig.link.shown.startswith("It is left as it is. Take back the new character Ada <script>alert(1)</script>.")


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
    rig.press("repeat", "repeat")
    assert "type it in under Gamemaster on the table's screen." in rig.link.shown
    rig.press("confirm!")
    gamemaster = phone(rig, gamemaster_code=GAMEMASTER_CODE)
    send(gamemaster, "withdraw_task")
    send(gamemaster, "adjust_pool", pool="threat", change=1)
    rig.link.turn()
    assert "Take back" not in " ".join(walk(rig))
    rig.press_until("Declare a Task")
    rig.press("confirm")
    assert "Brack" not in rig.link.shown
    assert rig.link.shown.startswith("What does Ada script alert 1 script do?")
    rig.press("confirm!", "confirm!", "undo")
    assert rig.link.shown == "The gamemaster decided this: only the gamemaster takes it back or brings it back."
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


def test_a_locked_press_gives_no_command_of_the_gamemasters_and_none_of_an_npcs(rig: Rig) -> None:
    npc = brack(rig)
    assert needs_pin(rig, DeclareTask(declaration=plain(npc)))
    assert not needs_pin(rig, DeclareTask(declaration=plain(rig.character)))
    assert needs_pin(rig, AdjustPool(pool=Pool.THREAT, change=1))
    rig.declare()
    assert needs_pin(rig, of_gamemaster(rig))


def test_a_locked_press_takes_back_and_brings_back_nothing_that_it_could_not_do(rig: Rig) -> None:
    npc, engine = brack(rig), rig.desk.engine
    engine.submit(DeclareTask(declaration=plain(npc)), PANEL)
    assert needs_pin(rig, Undo())
    engine.submit(Undo(), PANEL)
    assert needs_pin(rig, Redo())
    rig.declare()
    assert not needs_pin(rig, Undo())
    engine.submit(LineUp(declaration=plain(npc)), PANEL)
    assert needs_pin(rig, Undo())
    engine.submit(Undo(), PANEL)
    assert needs_pin(rig, Redo())
    engine.submit(of_gamemaster(rig), PANEL)
    assert needs_pin(rig, Undo())
    engine.submit(Undo(), PANEL)
    engine.submit(Undo(), PANEL)
    assert not needs_pin(rig, Redo()), "the Task of a player's character"
    engine.submit(AdjustPool(pool=Pool.THREAT, change=1), PANEL)
    assert needs_pin(rig, Undo())


def test_what_an_npc_did_otherwise_stands_against_a_locked_press_and_its_card_does_not(rig: Rig) -> None:
    npc, engine = brack(rig), rig.desk.engine
    assert not needs_pin(rig, Undo()), "the set-up is everybody's"
    engine.submit(AdjustStress(character_id=npc, change=-1), PANEL)
    assert needs_pin(rig, Undo())
    there = tuple(Entrant(combatant_id=one) for one in (npc, rig.character))
    engine.submit(StartConflict(kind=ConflictKind.PERSONAL, combatants=there, begins=npc), PANEL)
    engine.submit(BeginTurn(combatant_id=npc), PANEL)
    assert needs_pin(rig, Undo())


def test_an_npcs_task_by_an_open_panel_stands_against_a_locked_one(rig: Rig) -> None:
    npc = brack(rig)
    set_pin(rig)
    assert post(rig.client, "/api/v1/pin/unlock", {"pin": PIN})[0] == 200
    rig.desk.engine.submit(DeclareTask(declaration=plain(npc)), PANEL)
    rig.desk.clock.ticks += PIN_SECONDS + 1
    rig.link.turn()
    rig.press("undo", "undo")
    assert rig.link.shown == LOCKED
    assert rig.desk.engine.present().table.task is not None
    here = rig.desk.client()
    assert post(here, "/api/v1/commands", {"command": "undo", "confirmed": True}, **BROWSER)[0] == 200, "a page does"


def test_what_the_gamemasters_keys_decide_is_theirs_and_asked_about_at_the_table(rig: Rig) -> None:
    sam = phone(rig, gamemaster_code=GAMEMASTER_CODE)
    post(sam, "/api/v1/me", {"name": "Sam"})
    rig.throw(1, 1)
    assert keys(rig, sam, "confirm") == [200]
    newest = rig.desk.engine.present().history.done[-1]
    assert newest.command == "finish_spending"
    assert got(rig.client, "/api/v1/table")["undo"].endswith(", by Sam"), "at no screen of the table's"
    people = [{"person_id": one.person_id, "called": one.called} for one in rig.desk.persons.all]
    told = log_of(rig.desk.engine.present().history, rig.desk.engine.narration, people)
    assert str(told[0]["signed"]) == "Decided by Sam"
    rig.press("undo")
    assert rig.link.shown.startswith("Sam decided this")
    assert rig.desk.engine.present().history.done[-1] == newest


def test_only_at_the_tables_screen_is_its_own_decision_taken_back_unasked(rig: Rig) -> None:
    ana, sam = phone(rig, code=TABLE_CODE), phone(rig, gamemaster_code=GAMEMASTER_CODE)
    assert post(ana, "/api/v1/me", {"name": "Ana", "take": rig.character})[0] == 200
    rig.throw(1, 1)
    rig.press("confirm")
    decided = rig.desk.engine.present().history.done
    keys(rig, sam, "undo")
    assert rig.link.shown.startswith("Ana decided this")
    assert rig.desk.engine.present().history.done == decided
    rig.desk.clock.ticks += QUESTION_SECONDS
    rig.link.turn()
    rig.press("undo")
    assert rig.desk.engine.present().history.done == decided[:-1]


def test_the_keys_of_somebody_at_the_kiosk_decide_in_their_name_and_are_asked_about(rig: Rig) -> None:
    here = rig.desk.client()
    assert post(here, "/api/v1/me", {"name": "Bea"}, **BROWSER)[0] == 200
    rig.throw(1, 1)
    keys(rig, here, "confirm", **BROWSER)
    rig.press("undo")
    assert rig.link.shown.startswith("Bea decided this")
    rig.press("confirm!")
    decided = rig.desk.engine.present().history.done
    keys(rig, here, "undo", **BROWSER)
    assert rig.desk.engine.present().history.done == decided[:-1], "who decided takes it back unasked"


def test_a_turn_that_the_table_began_for_somebody_is_taken_back_there_unasked(rig: Rig) -> None:
    ana, npc = phone(rig, code=TABLE_CODE), brack(rig)
    status, me = post(ana, "/api/v1/me", {"name": "Ana", "take": rig.character})
    assert status == 200
    there = tuple(Entrant(combatant_id=one) for one in (npc, rig.character))
    start = StartConflict(kind=ConflictKind.PERSONAL, combatants=there, begins=rig.character)
    rig.desk.engine.submit(start, PANEL)
    rig.desk.engine.submit(BeginTurn(combatant_id=rig.character), PANEL, person=me["person_id"])
    rig.link.turn()
    rig.press("undo")
    assert rig.desk.engine.present().history.done[-1].command == "start_conflict"


def test_after_a_decision_by_the_gamemasters_keys_the_menu_asks_what_is_open(rig: Rig) -> None:
    """It is the menu's own decision, as one by a button is, and not told as another's, after which nothing is asked."""
    gamemaster = phone(rig, gamemaster_code=GAMEMASTER_CODE)
    rig.throw(1, 3, difficulty=0)
    send(gamemaster, "adjust_pool", pool="threat", change=1)
    rig.link.turn()
    keys(rig, gamemaster, "undo")
    assert "4 Momentum to spend or save." in rig.link.shown
