"""What a page shows of dice that a person must look at: one tap for one die, a short list where a mat is to blame."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count

import pytest
from flask.testing import FlaskClient

from kiosk.web.live_parts import LivePage
from rules.dice import DieKind, DieReading, DieState, Guess, Reading, SourceKind, Symbol
from tests.kiosk.desk import Desk, got, send
from tests.kiosk.web.test_live_parts import declared, parts_of
from tests.kiosk.web.test_pages import set_up

_readings = count()


def see(desk: Desk, *dice: DieReading) -> None:
    desk.engine.report(Reading(f"camera/{next(_readings)}", SourceKind.CAMERA, dice))
    assert desk.engine.progresses()


def d20(face: int) -> DieReading:
    return DieReading(DieKind.D20, face, 0.99, DieState.READ, SourceKind.CAMERA)


def test_of_one_die_too_many_each_is_one_tap(desk: Desk, client: FlaskClient) -> None:
    declared(client, set_up(client))
    see(desk, d20(3), d20(12), d20(17))
    parts = parts_of(client, LivePage.PHONE)
    held = parts["held"]
    assert ("1 die too many" in parts["stage"], "Look at the dice" in held) == (True, False), "said once"
    assert '<h2 id="question-title">Tap the die that does not count</h2>' in held
    assert re.findall(r'class="unseen">(Leave out [^<]*)<', held) == [
        "Leave out 3: die 1",
        "Leave out 12: die 2",
        "Leave out 17: die 3",
    ], "each begins with what is written on it"
    assert re.findall(r'<span aria-hidden="true">(Leave out \d+)</span>', held) == [
        "Leave out 3",
        "Leave out 12",
        "Leave out 17",
    ]
    form = {"position": "1", "tap": "one"}
    assert client.post("/text/drop_die", data=form, headers={"X-Trueroll": "1"}).status_code == 200
    task = got(client, "/api/v1/table")["table"]["task"]
    assert [one["die"]["face"] for one in task["dice"]] == [3, 17]


def test_of_a_throw_with_dice_missing_those_that_were_read_are_kept_and_the_rest_is_asked_for(
    desk: Desk, client: FlaskClient
) -> None:
    declared(client, set_up(client))
    see(desk, d20(4))
    entered = parts_of(client, LivePage.PHONE)["entered"]
    assert "<summary>Enter the missing die by hand</summary>" in entered
    dice = re.findall(r'<input id="face-[^>]*name="(face\d)"[^>]*value="(\d*)"[^>]*?( data-active)?>', entered)
    assert dice == [("face0", "4", ""), ("face1", "", " data-active")]
    assert "Nothing is filled in for you" not in entered
    see(desk, d20(4), d20(5), d20(6))
    assert "<summary>Enter the whole throw by hand</summary>" in parts_of(client, LivePage.PHONE)["entered"]


def test_of_several_dice_too_many_their_number_is_asked_for(desk: Desk, client: FlaskClient) -> None:
    declared(client, set_up(client))
    see(desk, d20(3), d20(12), d20(17), d20(18))
    for title in ("Tap the 2 dice that do not count", "Tap the die that does not count"):
        assert f'<h2 id="question-title">{title}</h2>' in parts_of(client, LivePage.PHONE)["held"]
        send(client, "drop_die", position=0)


def test_a_die_to_leave_out_stands_upright_where_it_can_be_cut_out(
    desk: Desk, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared(client, set_up(client))
    for name, kept in (("picture_kept", bool), ("cut_out_kept", lambda key: key != "a/1")):
        monkeypatch.setitem(client.application.jinja_env.globals, name, kept)
    see(desk, *(replace(d20(face), picture=f"a/{place}") for place, face in enumerate((3, 12, 17))))
    picks = parts_of(client, LivePage.PHONE)["held"].partition('class="dice-picks"')[2].partition("</div>")[0]
    assert re.findall(r'pictures/a%2F([^"]*)"', picks) == ["0.webp", "1.jpg", "2.webp"]


def test_a_doubtful_die_is_answered_by_its_guess_or_on_the_pad(desk: Desk, client: FlaskClient) -> None:
    declared(client, set_up(client))
    guess = Guess(6, 0.5)
    see(desk, d20(3), DieReading(DieKind.D20, None, 0.4, DieState.DOUBTFUL, SourceKind.CAMERA, guesses=(guess,)))
    held = parts_of(client, LivePage.PHONE)["held"]
    assert "Die 2: d20, not read, doubtful" in held
    assert "It shows 6" in held
    assert "Leave out" not in held
    pad = held.partition("Another number")[2].partition("</details>")[0]
    assert re.findall(r'name="face" value="(\d+)"', pad) == [str(face) for face in range(1, 21)]


@pytest.mark.parametrize("squares", [2, 12])
def test_of_a_mats_pattern_the_way_out_comes_first_and_the_list_is_short(
    desk: Desk, client: FlaskClient, squares: int
) -> None:
    send(client, "set_up_table", ruleset="core-1e", players=["Ada"])
    send(client, "declare_challenge", count=3, label="Falling rocks")
    see(desk, *(DieReading(DieKind.CHALLENGE, None, 0.1, DieState.COCKED, SourceKind.CAMERA) for _ in range(squares)))
    for held in (parts_of(client, LivePage.PHONE)["held"], client.get("/text").text.partition('id="held"')[2]):
        first = held.partition("</section>")[0]
        much = squares > 10
        assert ("the mat's pattern" in first) is much
        assert first.count("Set this throw aside") == 1
        assert (first.index("Set this throw aside") < first.index("Die 1:")) is much
        assert ('href="/camera#empty"' in first) is much
        assert ("9 more to look at" in first) is much


def test_a_form_sent_by_script_is_answered_as_a_command_is(client: FlaskClient) -> None:
    declared(client, set_up(client))
    number = got(client, "/api/v1/table")["table"]["request"]["number"]
    mark = got(client, "/api/v1/table")["about"]["table"]
    form = {"request": str(number), "face0": "4", "face1": "20", "tap": "one", "about": mark}
    for _ in range(2):
        answer = client.post("/text/enter", data=form, headers={"X-Trueroll": "1"})
        assert answer.status_code == 200, answer.text
    assert [one["die"]["face"] for one in got(client, "/api/v1/table")["table"]["task"]["dice"]] == [4, 20]
    late = client.post("/text/undo", data={"tap": "two", "about": "undo:0"}, headers={"X-Trueroll": "1"})
    assert (late.status_code, late.get_json()["title"]) == (409, "The table has gone on")
    other_site = {"X-Trueroll": "1", "Origin": "http://elsewhere.example"}
    assert client.post("/text/undo", data={"tap": "three"}, headers=other_site).status_code == 403


@pytest.mark.parametrize("path", ["/play", "/gm"])
def test_without_script_a_phones_forms_lead_back_to_it(client: FlaskClient, path: str) -> None:
    declared(client, set_up(client))
    page = client.get(path).get_data(as_text=True)
    form = page.partition('action="/text/enter"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    wrong = client.post("/text/enter", data={**fields, "face0": "4", "face1": "30"})
    assert wrong.status_code == 400
    assert 'role="alert"' in wrong.get_data(as_text=True)
    answer = client.post("/text/enter", data={**fields, "face0": "4", "face1": "20"})
    assert (answer.status_code, answer.headers["Location"]) == (303, path)
    assert "Lindqvist succeeds" in client.get(path).get_data(as_text=True)


def test_of_very_many_dice_one_can_be_left_out(desk: Desk, client: FlaskClient) -> None:
    send(client, "set_up_table", ruleset="core-1e", players=["Ada"])
    send(client, "declare_challenge", count=12, label="Falling rocks")
    see(desk, *(DieReading(DieKind.CHALLENGE, 1, 0.99, DieState.READ, SourceKind.CAMERA) for _ in range(13)))
    held = parts_of(client, LivePage.PHONE)["held"]
    assert "Leave out 1: die 13" in held


def test_an_option_whose_price_has_changed_is_refused(client: FlaskClient) -> None:
    declared(client, set_up(client))
    option = next(one for one in got(client, "/api/v1/table")["options"] if one["price"]["threat"])
    form = {"option": option["option_id"], "price": "9 9 9", "tap": "one"}
    late = client.post("/text/option", data=form, headers={"X-Trueroll": "1"})
    assert late.status_code == 400
    assert "not possible any more" in late.get_json()["detail"]


def test_what_only_a_person_can_answer_is_told_and_is_one_matter_until_it_is_answered(
    desk: Desk, client: FlaskClient
) -> None:
    """Dice that are still to be thrown are none; Complications that grow fewer are the same matter."""

    def awaited() -> dict[str, str]:
        found: dict[str, str] = got(client, "/api/v1/table")["awaited"]
        return found

    character = set_up(client)
    skills = {"attribute": "control", "discipline": "engineering"}
    send(client, "declare_task", declaration={"character_id": character, **skills})
    assert awaited() == {"about": "", "words": ""}
    send(client, "enter_dice", request=got(client, "/api/v1/table")["table"]["request"]["number"], faces=[20, 20])
    send(client, "finish_spending")
    told = awaited()
    assert told == {"about": "complications", "words": "2 Complications have to be settled."}
    send(client, "take_complication", name="Sparks")
    assert awaited() == told | {"words": "1 Complication has to be settled."}
    send(client, "take_complication", name="Smoke")
    assert awaited() == {"about": "", "words": ""}
    declared(client, character)
    see(desk, d20(3), d20(12), d20(17))
    assert awaited()["words"].startswith("Someone must look at the dice. ")


def doubtful(*faces: int, picture: str | None = None) -> DieReading:
    guesses = tuple(Guess(face, 0.5) for face in faces)
    return DieReading(DieKind.D20, None, 0.4, DieState.DOUBTFUL, SourceKind.CAMERA, guesses=guesses, picture=picture)


def test_beside_the_likely_faces_is_the_way_to_any_other(desk: Desk, client: FlaskClient) -> None:
    declared(client, set_up(client))
    see(desk, d20(3), doubtful(6))
    held = parts_of(client, LivePage.PHONE)["held"]
    form = held.partition('action="/text/correct_die"')[2].partition("</form>")[0]
    assert re.findall("It shows 6|<summary>[^<]*", form) == ["It shows 6", "<summary>Another number"]
    send(client, "correct_die", position=1, face=16)
    table = got(client, "/api/v1/table")
    assert [one["origin"] for one in table["stage"]["dice"]] == ["", "(entered)"], "a first answer corrects nothing"


def test_of_several_doubtful_dice_one_is_open_at_a_time(desk: Desk, client: FlaskClient) -> None:
    declared(client, set_up(client))
    see(desk, doubtful(6), doubtful(9), doubtful(12))
    held = parts_of(client, LivePage.PHONE)["held"]
    lines = re.findall(r'<details class="held-die" name="held-dice"( open)?>', held)
    assert lines == [" open", "", ""]
    assert re.findall(r'aria-hidden="true">(Leave this one out)<', held) == ["Leave this one out"] * 3
    assert 'class="unseen">Leave this one out: die 2<' in held
    assert "is none of this throw" not in held, "that is what the row above is for"


def test_the_only_die_of_a_throw_is_not_left_out(desk: Desk, client: FlaskClient) -> None:
    declared(client, set_up(client))
    see(desk, d20(3))
    held = parts_of(client, LivePage.PHONE)["held"]
    assert "Set this throw aside" in held
    assert "is none of this throw" not in held, "it would be refused"


def test_a_picture_that_is_gone_says_so_in_its_place(
    desk: Desk, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the kiosk was started again it has none of before."""
    kept = set[str]()
    monkeypatch.setitem(client.application.jinja_env.globals, "picture_kept", lambda key: key in kept)
    declared(client, set_up(client))
    see(desk, d20(3), doubtful(6, picture="a/b"))
    gone = "The picture is gone. Look at the die on the table."
    held, stage = (
        parts_of(client, page)[part] for page, part in ((LivePage.PHONE, "held"), (LivePage.DISPLAY, "stage"))
    )
    assert (gone in held, gone in stage) == (True, True)
    assert "<img" not in held + stage
    kept.add("a/b")
    send(client, "add_trait", name="Fog")
    held = parts_of(client, LivePage.PHONE)["held"]
    assert gone not in held, "it is asked anew, although nothing else of this part has changed"
    assert re.search(
        r'<details class="enlarged"><summary><img class="die-picture" src="/api/v1/pictures/a%2Fb.jpg"', held
    )


def test_of_dice_thrown_again_that_which_stays_may_lie_there(desk: Desk, client: FlaskClient) -> None:
    """One is awaited, or two with the one that stays: of three one alone is left out."""
    declaration = {"character_id": set_up(client), "attribute": "control", "discipline": "engineering"}
    send(client, "declare_task", declaration={**declaration, "rerolls": ["aim"]})
    see(desk, d20(17), d20(18))
    send(client, "reroll_dice", reason="aim", positions=[0])
    see(desk, d20(3), d20(12), d20(18))
    assert "Tap the die that does not count" in parts_of(client, LivePage.PHONE)["held"]
    send(client, "drop_die", position=0)
    assert [one["die"]["face"] for one in got(client, "/api/v1/table")["table"]["task"]["dice"]] == [12, 18]


@pytest.mark.parametrize("path", ["/text", "/gm", "/play"])
def test_a_die_that_is_refused_is_told_once_where_it_was_typed_and_that_is_open(
    desk: Desk, client: FlaskClient, path: str
) -> None:
    declared(client, set_up(client))
    see(desk, d20(4))
    form = client.get(path).get_data(as_text=True).partition('action="/text/enter"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    page = client.post("/text/enter", data={**fields, "face0": "4", "face1": "30"}).get_data(as_text=True)
    assert page.count('class="error" role="alert"') == 1
    folds = re.findall(r"<details([^>]*)><summary>Enter the missing die by hand</summary>", page)
    assert folds, page[page.index("missing die by hand") - 200 :][:300]
    assert all(one.endswith(" open") for one in folds), folds
    entry = page.partition("Enter the missing die by hand</summary>")[2].partition("</form>")[0]
    assert 'role="alert"' in entry


def test_a_face_that_was_read_stands_in_the_entry_as_on_its_key_and_is_understood(
    desk: Desk, client: FlaskClient
) -> None:
    send(client, "set_up_table", ruleset="core-1e", players=["Ada"])
    send(client, "declare_challenge", count=3, label="Falling rocks")
    faces: tuple[int | Symbol, ...] = (Symbol.BLANK, Symbol.EFFECT)
    see(desk, *(DieReading(DieKind.CHALLENGE, one, 0.99, DieState.READ, SourceKind.CAMERA) for one in faces))
    page = client.get("/text?language=de", headers={"Accept-Language": "de"}).get_data(as_text=True)
    entry = page.partition('action="/text/enter"')[2].partition("</form>")[0]
    typed = dict(re.findall(r'<input id="face-[^>]*name="(face\d)"[^>]*?value="([^"]*)"', entry))
    assert typed == {"face0": "leer", "face1": "Effekt", "face2": ""}
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', entry))
    data = fields | typed | {"face2": "2"}
    assert client.post("/text/enter", data=data, headers={"Accept-Language": "de"}).status_code == 303
