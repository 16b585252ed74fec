"""Hidden rolls: the gamemaster's alone until they are shown, and shown once."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.errors import EngineUncertainError
from kiosk.storage.export import write_export
from kiosk.views.hidden import MOST, HiddenDesk
from rules.dice import DieKind, DieReading, DieState, Reading, SourceKind
from tests.kiosk.desk import GAMEMASTER_CODE, PHONE, TABLE_CODE, Desk, got, post, send
from tests.kiosk.memory_journal import MemoryJournal
from tests.kiosk.web.test_api import set_up
from tests.kiosk.web.test_persons import two
from tests.kiosk.web.test_phone_routes import task

SECRET = "The traitor slips the guard"  # noqa: S105 - a label, no password


def hide(client: FlaskClient, **change: object) -> tuple[int, dict[str, Any]]:
    return post(client, "/api/v1/hidden", change)


def test_a_hidden_roll_reaches_nobody_before_it_is_shown(desk: Desk) -> None:
    client = desk.client()
    character = set_up(client)
    before, said = desk.views.json(), len(desk.voice.said)
    watching = desk.hub.subscribe()
    assert hide(client, action="declare", declaration=task(character, label=SECRET))[0] == 200
    status, found = hide(client, action="enter", roll_id="1", faces=[3, 19])
    assert status == 200
    (roll,) = found["rolls"]
    assert roll["stage"]["kind"] == "outcome"
    assert roll["faces"] == [3, 19]
    status, found = hide(client, action="correct", roll_id="1", position=1, face=4)
    assert found["rolls"][0]["faces"] == [3, 4]
    would_be_said = found["rolls"][0]["said"]

    assert desk.views.json() == before, "no screen shows it"
    assert len(desk.voice.said) == len(desk.voice.sounds) == said, "nobody says it, and no sound gives it away"
    told = next(iter(watching)).decode()
    written = io.StringIO()
    assert isinstance(desk.journal, MemoryJournal)
    for form in ("markdown", "json"):
        write_export(desk.journal, form, written)
    exported = written.getvalue()
    for place in (
        told,
        exported,
        *(client.get(path).get_data(as_text=True) for path in ("/play", "/display", "/text")),
    ):
        assert SECRET not in place
    assert hide(client, action="show", roll_id="1")[1] == {"rolls": []}
    table = got(client, "/api/v1/table")
    assert table["table"]["task"]["declaration"]["label"] == SECRET
    assert f", {SECRET}, Target Number " in table["narration"]["terse"], "whose it is was hidden too"
    assert "Success" in table["narration"]["terse"]
    assert "2 successes against" in table["narration"]["normal"], "as it was put right"
    assert table["narration"]["normal"] == would_be_said
    assert [one["die"]["face"] for one in table["table"]["task"]["dice"]] == [3, 4]
    assert table["undo"] == "showing the hidden roll"
    send(client, "undo")
    assert got(client, "/api/v1/table")["narration"]["terse"].startswith("Taken back: showing the hidden roll.")
    assert got(client, "/api/v1/table")["table"]["task"] is None, "one undo takes all of it back"


def test_a_step_of_a_hidden_roll_that_is_sent_again_counts_once(desk: Desk) -> None:
    client = desk.client()
    character = set_up(client)
    for _ in range(2):
        hide(client, action="declare", declaration=task(character), idempotency="a")
    for _ in range(2):
        (roll,) = hide(client, action="enter", roll_id="1", faces=[3, 19], idempotency="b")[1]["rolls"]
    assert roll["faces"] == [3, 19]
    for _ in range(2):
        assert hide(client, action="show", roll_id="1", idempotency="c") == (200, {"rolls": []})
    assert hide(client, action="show", roll_id="1", idempotency="d")[0] == 409


def test_a_roll_whose_showing_was_never_answered_is_entered_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk was slow: the gamemaster was told to look at the table, and presses again."""
    client = desk.client()
    character = set_up(client)
    hide(client, action="declare", declaration=task(character))
    hide(client, action="enter", roll_id="1", faces=[3, 19])
    submit_all = desk.engine.submit_all

    def unanswered(*asked: Any, **more: Any) -> None:  # noqa: ANN401 - whatever it takes
        submit_all(*asked, **more)
        raise EngineUncertainError("Look at the table.")

    with monkeypatch.context() as slow:
        slow.setattr(desk.engine, "submit_all", unanswered)
        assert hide(client, action="show", roll_id="1")[0] == 504
    sequence = got(client, "/api/v1/table")["sequence"]
    assert hide(client, action="show", roll_id="1") == (200, {"rolls": []})
    assert got(client, "/api/v1/table")["sequence"] == sequence


def test_only_the_gamemasters_pages_are_told_that_a_hidden_roll_changed(desk: Desk) -> None:
    client = desk.client()
    character = set_up(client)
    master, player = (iter(desk.hub.subscribe(with_hidden=told)) for told in (True, False))
    next(master), next(player)
    hide(client, action="declare", declaration=task(character, label=SECRET))
    assert next(master) == b"event: hidden\ndata: {}\n\n"
    send(client, "gain_threat", event="threatening_scene")
    assert b"threat" in next(player), "nothing was sent to it before"


def test_a_hidden_roll_is_the_gamemasters_alone() -> None:
    with Desk(settings={"server.host": "0.0.0.0", "server.open_to_network": True}) as desk:  # noqa: S104 - opened
        client = desk.client()
        set_up(client)
        assert client.get("/api/v1/hidden", environ_overrides=PHONE).status_code == 401
        assert client.get("/api/v1/events?hidden=yes", environ_overrides=PHONE).status_code == 401
        post(client, "/api/v1/join", {"code": TABLE_CODE}, environ_overrides=PHONE)
        assert client.get("/api/v1/hidden", environ_overrides=PHONE).status_code == 403
        assert client.get("/api/v1/events?hidden=yes", environ_overrides=PHONE).status_code == 403
        assert hide_from_phone(client) == 403
        post(client, "/api/v1/join", {"gamemaster_code": GAMEMASTER_CODE}, environ_overrides=PHONE)
        assert client.get("/api/v1/hidden", environ_overrides=PHONE).status_code == 200


def hide_from_phone(client: FlaskClient) -> int:
    return post(client, "/api/v1/hidden", {"action": "drop", "roll_id": "1"}, environ_overrides=PHONE)[0]


def test_a_hidden_roll_outlasts_a_restart_and_is_dropped_without_a_trace(desk: Desk, tmp_path: Path) -> None:
    client = desk.client()
    character = set_up(client)
    path = tmp_path / "hidden.json"
    for change in (
        {"action": "declare", "declaration": task(character, label=SECRET)},
        {"action": "enter", "roll_id": "1", "faces": [3, 19]},
    ):
        object.__setattr__(desk.services, "hidden", HiddenDesk(desk.engine, path))
        assert hide(client, **change)[0] == 200
    assert path.stat().st_mode & 0o777 == 0o600
    again = HiddenDesk(desk.engine, path)
    assert again.view().rolls[0].faces == (3, 19)
    assert hide(client, action="drop", roll_id="1")[1] == {"rolls": []}
    assert json.loads(path.read_text()) == []
    path.write_text("no list")
    assert HiddenDesk(desk.engine, path).view().rolls == ()


def test_a_file_that_somebody_wrote_by_hand_costs_no_later_roll(desk: Desk, tmp_path: Path) -> None:
    client = desk.client()
    character = set_up(client)
    path = tmp_path / "hidden.json"
    path.write_text(json.dumps([{"roll_id": "the first", "declaration": task(character)}]))
    object.__setattr__(desk.services, "hidden", HiddenDesk(desk.engine, path))
    status, found = hide(client, action="declare", declaration=task(character))
    assert status == 200, found
    assert [one["roll_id"] for one in found["rolls"]] == ["the first", "1"]


def test_rolls_of_whoever_left_do_not_keep_others_from_being_hidden(client: FlaskClient) -> None:
    character = set_up(client)
    body = {"action": "declare", "declaration": task(character)}
    for _ in range(MOST):
        assert hide(client, **body)[0] == 200
    assert hide(client, **body)[0] == 409
    send(client, "remove_character", character_id=character)
    assert got(client, "/api/v1/hidden") == {"rolls": []}
    other = set_up(client)
    status, found = hide(client, action="declare", declaration=task(other))
    assert status == 200, found
    assert len(found["rolls"]) == 1


@pytest.mark.parametrize(
    "changes",
    [{"purchases": [{"payer": "threat"}]}, {"opposed": True}, {"difficulty": 99}],
)
def test_what_cannot_be_hidden_is_refused_in_words(client: FlaskClient, changes: dict[str, object]) -> None:
    character = set_up(client)
    status, problem = hide(client, action="declare", declaration=task(character, **changes))
    assert status == 409
    assert problem["detail"]
    assert got(client, "/api/v1/hidden") == {"rolls": []}
    assert hide(client, action="show", roll_id="7")[0] == 409
    assert hide(client, action="declare")[0] == 400


def test_one_that_was_put_right_is_shown_whole_while_somebody_stands_in_line(desk: Desk) -> None:
    client = desk.client()
    okafor, reed = two(client)
    card = got(client, "/api/v1/table")["table"]["characters"][0]
    numbers = {"attributes": card["attributes"], "disciplines": card["disciplines"]}
    send(client, "save_character", name="Brack", standing="notable_npc", **numbers)
    brack = got(client, "/api/v1/table")["table"]["characters"][2]["character_id"]
    hide(client, action="declare", declaration=task(brack, label=SECRET))
    hide(client, action="enter", roll_id="1", faces=[19, 18])
    hide(client, action="correct", roll_id="1", position=0, face=17)
    send(client, "declare_task", declaration=task(okafor))
    send(client, "line_up", declaration=task(reed))
    request = got(client, "/api/v1/table")["table"]["request"]["number"]
    send(client, "enter_dice", request=request, faces=[20, 18])  # its Complication keeps the line waiting
    status, found = hide(client, action="show", roll_id="1")
    assert (status, found) == (200, {"rolls": []})
    table = got(client, "/api/v1/table")["table"]
    assert [one["die"]["face"] for one in table["last_task"]["dice"]] == [17, 18]
    assert table["task"]["declaration"]["character_id"] == reed, "who stood in line comes after it"


def test_dice_under_the_camera_are_told_to_nobody_while_a_hidden_roll_waits_for_its_own(desk: Desk) -> None:
    client = desk.client()
    character = set_up(client)
    hide(client, action="declare", declaration=task(character, label=SECRET))

    def thrown(key: str) -> int:
        die = DieReading(DieKind.D20, 16, 1.0, DieState.READ, SourceKind.CAMERA)
        desk.engine.report(Reading(reading_id=key, source=SourceKind.CAMERA, dice=(die, die)))
        send(client, "adjust_pool", pool="threat", change=1)  # what came before it is done
        return len(got(client, "/api/v1/table")["table"]["free_rolls"])

    assert thrown("first") == 0
    hide(client, action="enter", roll_id="1", faces=[3, 19])
    assert thrown("second") == 1, "its dice are in: others are seen as ever"


def test_a_hidden_roll_left_open_silences_free_throws_for_three_minutes_and_never_after_a_restart(
    desk: Desk, tmp_path: Path
) -> None:
    client = desk.client()
    character = set_up(client)
    object.__setattr__(desk.services, "hidden", HiddenDesk(desk.engine, tmp_path / "hidden.json", clock=desk.clock))
    hide(client, action="declare", declaration=task(character))
    kept = desk.services.hidden
    desk.clock.ticks += 179
    assert kept.waits()
    assert not HiddenDesk(desk.engine, tmp_path / "hidden.json", clock=desk.clock).waits(), "started anew"
    desk.clock.ticks += 1
    assert not kept.waits()
    assert kept.view().rolls[0].waits_for == 2, "its own dice can still be entered"


@pytest.mark.parametrize("ends", ["start_scene", "start_session"])
def test_a_hidden_roll_is_gone_with_its_scene_and_back_when_that_is_taken_back(desk: Desk, ends: str) -> None:
    client = desk.client()
    character = set_up(client)
    told: list[str] = []
    desk.hidden.listen(lambda: told.append("changed"))
    hide(client, action="declare", declaration=task(character, label=SECRET))
    hide(client, action="enter", roll_id="1", faces=[3, 19])
    send(client, "adjust_pool", pool="threat", change=1)
    told.clear()
    assert SECRET in client.get("/gm").get_data(as_text=True)
    send(client, ends)
    assert got(client, "/api/v1/hidden") == {"rolls": []}
    assert told == ["changed"], "the gamemaster's pages fetch them anew"
    assert SECRET not in client.get("/gm").get_data(as_text=True)
    assert not desk.hidden.waits()
    status, found = hide(client, action="declare", declaration=task(character))
    assert (status, len(found["rolls"])) == (200, 1), "of this scene alone"
    send(client, "undo")
    assert [one["faces"] for one in got(client, "/api/v1/hidden")["rolls"]] == [[3, 19]]
