"""A tap on a plain form counts once: pressed twice, loaded again, or sent by two fingers at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from kiosk.errors import JournalFullError, TrayDeskError
from kiosk.web.form_results import FormResults
from tests.kiosk.desk import Desk, send
from tests.kiosk.web.test_conflict_page import begin, crew, table
from tests.kiosk.web.test_pages import PAGES, read, set_up

MANY = 8


class Forms(HTMLParser):
    """The forms of a page that are posted, each with the fields that a browser would send untouched."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str]]] = []
        self._open = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = has.get("method") == "post"
            if self._open:
                self.all.append((has["action"], {}))
        elif tag == "input" and self._open and has.get("type") != "checkbox":
            self.all[-1][1][has["name"]] = has.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        self._open &= tag != "form"

    def to(self, action: str) -> dict[str, str]:
        """The first form that goes there."""
        return next(fields for where, fields in self.all if where == action)


def form(client: FlaskClient, action: str, path: str = "/text", **typed: str) -> dict[str, str]:
    """A form as the page holds it now, with what somebody typed."""
    return {**Forms(read(client, path)).to(action), **typed}


def threat(client: FlaskClient) -> int:
    return int(table(client)["threat"])


def at_once(press: Callable[[], object]) -> list[object]:
    """What `press` gives to many who press together."""
    ready = threading.Barrier(MANY)

    def pressed(_: int) -> object:
        ready.wait()
        return press()

    with ThreadPoolExecutor(MANY) as people:
        return list(people.map(pressed, range(MANY)))


def test_each_form_of_each_page_has_a_key_of_its_own(client: FlaskClient) -> None:
    begin(client, crew(client))
    for path in (*PAGES, "/conflict", "/tray"):
        drawn = [Forms(read(client, path)).all for _ in range(2)]
        keys = [fields["tap"] for forms in drawn for _, fields in forms]
        assert len(keys) == len(set(keys)), path
        assert all(fields["token"] for forms in drawn for _, fields in forms), path
    assert len(Forms(read(client, "/conflict")).all) > MANY


def test_pressed_twice_counts_once_and_is_answered_the_same(client: FlaskClient) -> None:
    set_up(client)
    before, grown = threat(client), form(client, "/text/adjust_pool", pool="threat", change="2")
    answers = [client.post("/text/adjust_pool", data=grown) for _ in range(3)]
    assert {(one.status_code, one.location) for one in answers} == {(303, "/text")}
    assert threat(client) == before + 2
    client.post("/text/adjust_pool", data=form(client, "/text/adjust_pool", pool="threat", change="2"))
    assert threat(client) == before + 4, "the page was drawn anew, and is pressed anew"
    client.post("/text/adjust_pool", data={**grown, "change": "1"})
    assert threat(client) == before + 5, "another content is another tap"


def test_pressed_by_many_at_the_same_time_counts_once(desk: Desk, client: FlaskClient) -> None:
    set_up(client)
    before, grown = threat(client), form(client, "/text/adjust_pool", pool="threat", change="1")
    app = desk.app
    answers = at_once(lambda: app.test_client().post("/text/adjust_pool", data=grown).status_code)
    assert answers == [303] * MANY
    assert threat(client) == before + 1


def test_what_the_table_would_refuse_the_second_time_is_answered_as_the_first(client: FlaskClient) -> None:
    """An answer and an option are gone once they were given; the same tap is no second one."""
    character = set_up(client)
    task = {"character_id": character, "attribute": "control", "discipline": "engineering", "difficulty": 1}
    send(client, "declare_task", declaration=task)
    dice = form(client, "/text/enter", face0="1", face1="2")
    assert [client.post("/text/enter", data=dice).status_code for _ in range(2)] == [303, 303]
    assert client.post("/text/enter", data={**dice, "face0": "3"}).status_code == 409, "other dice are another throw"
    option = form(client, "/text/option", note="High ground")
    assert [client.post("/text/option", data=option).status_code for _ in range(2)] == [303, 303]
    done = table(client)
    back = form(client, "/text/undo")
    assert [client.post("/text/undo", data=back).status_code for _ in range(2)] == [303, 303]
    assert table(client) != done
    send(client, "redo")
    assert table(client) == done, "one step was taken back, not two"


def test_what_was_refused_may_be_pressed_again(
    desk: Desk, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(client)
    before, grown = threat(client), form(client, "/text/adjust_pool", pool="threat", change="1")

    def full(*_: object) -> int:
        raise JournalFullError("The disk is full.")

    with monkeypatch.context() as spoilt:
        spoilt.setattr(desk.journal, "append", full)
        assert client.post("/text/adjust_pool", data=grown).status_code == 507
    assert client.post("/text/adjust_pool", data=grown).status_code == 303
    assert threat(client) == before + 1


def test_a_desk_is_asked_once_and_its_answer_can_be_loaded_again(
    desk: Desk, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def do(_self: object, action: str, _corners: object, *, printed: bool) -> str:
        assert not printed
        asked.append(action)
        return f"Done {len(asked)}."

    monkeypatch.setattr(type(desk.services.camera_desk), "there", True)
    monkeypatch.setattr(type(desk.services.camera_desk), "calibrate", do)
    card = form(client, "/camera", "/camera")
    places = {client.post("/camera", data=card).location for _ in range(2)}
    assert len(places) == 1
    place = places.pop()
    assert asked == ["card"]
    assert [">Done 1.<" in read(client, place) for _ in range(2)] == [True, True]
    assert "Done" not in read(client, "/camera")
    client.post("/camera", data=form(client, "/camera", "/camera"))
    assert asked == ["card", "card"]


def test_a_desk_does_once_what_many_ask_at_the_same_time() -> None:
    taps, done = FormResults(), []

    def do() -> str:
        done.append(1)
        return "It is done."

    assert at_once(lambda: taps.once("a", do)) == ["It is done."] * MANY
    assert (len(done), taps.said("a"), taps.said("b")) == (1, "It is done.", "")


def test_what_a_desk_refused_is_asked_again() -> None:
    taps = FormResults()

    def refuse() -> str:
        raise TrayDeskError("No.")

    with pytest.raises(TrayDeskError):
        taps.once("a", refuse)
    assert taps.said("a") == ""
    assert taps.once("a", lambda: "Yes.") == taps.said("a") == "Yes."


def test_a_desk_remembers_the_newest_taps() -> None:
    taps = FormResults(most=2)
    for key in "abc":
        taps.once(key, lambda said=key: said)  # type: ignore[misc]  # a default binds the loop's value
    assert [taps.said(key) for key in "abc"] == ["", "b", "c"]
