"""Who is choosing a Task: told to the others, kept nowhere, forgotten after a while, by declaring, with the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.hub import Subscription
from kiosk.i18n.languages import Languages
from kiosk.ports import SOURCE_LANGUAGE
from kiosk.web.choosing import LOOK, SECONDS, Choosing, words_of_choosers
from tests.kiosk.desk import Desk, StillClock, got, post, send
from tests.kiosk.test_hub import parsed
from tests.kiosk.web.test_conflict_page import crew
from tests.kiosk.web.test_pages import set_up
from tests.kiosk.web.test_persons import Phone, two
from tests.kiosk.web.test_persons import opened as opened_to_phones

OPEN = {"page": "phone", "declare": "yes"}
OKAFOR = "Okafor is choosing a Task."


@pytest.fixture
def still(desk: Desk) -> StillClock:
    """The clock of what is told, which moves only when told; its own thread sees no time go by."""
    clock = StillClock()
    desk.services.choosing._clock = clock  # noqa: SLF001 - whoever builds the kiosk gives it
    return clock


def line(client: FlaskClient, path: str = "/display") -> str:
    found = re.search(r'<p id="choosing" class="choosing" aria-live="off">([^<]*)</p>', client.get(path).text)
    assert found is not None, path
    return found[1]


def opened(client: FlaskClient, character: str, **more: str) -> str:
    answer = client.get("/parts/declare", query_string={**OPEN, "me": character, "character_id": character, **more})
    html: str = answer.get_json()["declare"]
    return html


def fields(html: str) -> dict[str, Any]:
    """The fields of the open form, as its script sends them when the table changes."""
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', html))
    chosen = re.findall(r'<select[^>]* name="([^"]+)".*?<option value="([^"]*)" selected', html, re.DOTALL)
    return hidden | dict(chosen)


def test_an_open_form_is_told_to_the_others_and_no_decision(desk: Desk, client: FlaskClient) -> None:
    character = set_up(client, "Okafor")
    assert line(client) == ""
    before = desk.journal.sequence
    assert 'id="declare-now"' in opened(client, character)
    assert [line(client, path) for path in ("/display", "/gm", "/text")] == [OKAFOR, OKAFOR, OKAFOR]
    assert line(client, f"/play?me={character}") == "", "whoever chooses knows it"
    assert desk.journal.sequence == before
    assert desk.voice.said == []


def test_the_gamemasters_own_form_is_told_to_nobody(client: FlaskClient) -> None:
    """It may be for a hidden roll."""
    character = set_up(client, "Okafor")
    assert (
        'id="declare-now"'
        in client.get(
            "/parts/declare", query_string={"page": "gm", "declare": "yes", "character_id": character}
        ).get_json()["declare"]
    )
    client.get("/text", query_string={"declare": "yes", "character_id": character})
    assert line(client) == ""


def test_it_is_forgotten_after_a_while_and_asking_again_for_the_same_form_is_no_touch(
    desk: Desk, client: FlaskClient, still: StillClock
) -> None:
    """A page asks for its open form again with each decision; a form that lies open for an hour tells nothing."""
    character = set_up(client, "Okafor")
    sent = fields(opened(client, character))
    still.ticks += SECONDS - 1
    opened(client, character, **sent)
    still.ticks += 2
    assert line(client) == ""
    desk.services.choosing.sweep()
    opened(client, character, **sent)
    assert line(client) == ""
    opened(client, character, **sent | {"attribute": "daring"})
    assert line(client) == OKAFOR, "something else was chosen"
    still.ticks += SECONDS + 1
    opened(client, character)
    assert line(client) == OKAFOR, "it was opened"


def test_who_is_choosing_is_told_by_the_name_that_the_table_calls_them(client: FlaskClient) -> None:
    opened(client, set_up(client, "Captain Ilse Brandt"))
    assert line(client) == "Brandt is choosing a Task."


def test_whoever_declares_chooses_no_more(desk: Desk, client: FlaskClient) -> None:
    character = set_up(client, "Okafor")
    html = opened(client, character)
    assert line(client) == OKAFOR
    assert html
    send(client, "declare_task", declaration={"character_id": character, "attribute": "control", "discipline": "conn"})
    assert line(client) == ""
    desk.services.choosing.sweep()
    assert desk.services.choosing.choosers() == {}


def test_a_page_that_is_behind_does_not_bring_back_whoever_stands_in_line(client: FlaskClient) -> None:
    """The table comes before the answer to what was declared: the form, still open, is asked for once more."""
    first, second = two(client)
    control = {"attribute": "control", "discipline": "conn"}
    send(client, "declare_task", declaration={"character_id": first, **control})
    sent = fields(opened(client, second))
    assert line(client) == "Reed is choosing a Task."
    send(client, "line_up", declaration={"character_id": second, **control})
    assert 'id="declare-now"' in opened(client, second, **sent)
    assert line(client) == ""


def test_whoever_plays_no_longer_chooses_no_more(client: FlaskClient) -> None:
    _, second = two(client)
    opened(client, second)
    assert line(client) == "Reed is choosing a Task."
    send(client, "remove_character", character_id=second)
    assert line(client) == ""


def test_who_is_shown_that_the_table_has_gone_on_chooses_no_more(client: FlaskClient, still: StillClock) -> None:
    first, second = two(client)
    sent = fields(opened(client, second))
    seats = [{"combatant_id": one} for one in (first, second)]
    send(client, "start_conflict", kind="personal", combatants=seats, begins=first)
    assert 'id="declare-now"' not in opened(client, second, **sent)
    still.ticks += LOOK + 1
    assert line(client) == ""


@pytest.mark.parametrize("path", ["/parts/declare?page=phone", "/play?"])
def test_a_form_that_is_closed_is_missed_soon_and_told_when_opened_again(
    client: FlaskClient, still: StillClock, path: str
) -> None:
    another, character = two(client)
    words = "Reed is choosing a Task."
    sent = fields(opened(client, character))
    client.get(f"{path}&me={another}")
    still.ticks += LOOK + 1
    assert line(client) == words, "somebody else's form was closed"
    client.get(f"{path}&me={character}")
    assert line(client) == words, "a page that is loaded again opens its form in a moment"
    opened(client, character, **sent)
    still.ticks += LOOK + 1
    assert line(client) == words
    client.get(f"{path}&me={character}")
    still.ticks += LOOK + 1
    assert line(client) == ""


def messages(chunks: Iterator[bytes], name: str) -> dict[str, str]:
    """The next message of that name."""
    while True:
        for found, _, data in parsed(next(chunks)):
            if found == name:
                return dict(data)


def test_pages_are_told_by_a_small_message_of_its_own(desk: Desk, client: FlaskClient) -> None:
    """No table comes with it, and a program is not told."""
    character = set_up(client, "Okafor")
    assert desk.app is not None
    screen = iter(desk.hub.subscribe(page="display"))
    own = iter(desk.hub.subscribe(page=f"phone/normal//{character}"))
    program = iter(desk.hub.subscribe())
    assert "is choosing" not in messages(screen, "beside")["choosing"]
    assert [name for name, *_ in parsed(next(own))] == ["snapshot", "parts", "beside"]
    next(program)
    opened(client, character)
    while not (news := [(name, data) for name, _, data in parsed(next(screen)) if name != "beat"]):
        pass
    assert news == [("beside", {"choosing": OKAFOR})]
    assert "is choosing" not in messages(own, "beside")["choosing"]
    assert {name for name, *_ in parsed(next(program))} == {"beat"}


def live(desk: Desk, tab: str, character: str = "") -> Subscription:
    """A live page of whoever plays that character, which names itself so."""
    return desk.hub.subscribe(page=f"phone/normal//{character}", tab=tab)


def test_a_page_that_goes_is_missed(desk: Desk, client: FlaskClient) -> None:
    """One that is loaded again is back before it is."""
    character = set_up(client, "Okafor")
    phone = live(desk, "one", character)
    opened(client, character, tab="one")
    again = live(desk, "two", character)
    opened(client, character, tab="two")
    phone.close()
    desk.services.choosing.sweep()
    assert line(client) == OKAFOR
    again.close()
    desk.services.choosing.sweep()
    assert line(client) == ""


def test_of_two_pages_of_one_person_the_one_without_a_form_hides_nothing_and_keeps_nothing(
    desk: Desk, client: FlaskClient, still: StillClock
) -> None:
    character = set_up(client, "Okafor")
    first = live(desk, "one", character)
    opened(client, character, tab="one")
    client.get(f"/play?me={character}")
    second = live(desk, "two", character)
    client.get("/parts/declare", query_string={"page": "phone", "me": character, "tab": "two"})
    still.ticks += LOOK + 1
    assert line(client) == OKAFOR, "a second page was loaded, and one closed the form that it had"
    second.close()
    desk.services.choosing.sweep()
    assert line(client) == OKAFOR, "it went"
    second = live(desk, "three", character)
    first.close()
    desk.services.choosing.sweep()
    assert line(client) == "", "the one with the form went unnoticed"
    second.close()


def test_two_open_forms_of_one_person_are_no_touch_of_each_other(client: FlaskClient, still: StillClock) -> None:
    """Each is asked for again with each decision, and holds something else."""
    character = set_up(client, "Okafor")
    sent = {tab: fields(opened(client, character, tab=tab)) for tab in ("one", "two")}
    sent["two"] |= {"attribute": "daring"}
    for _ in range(3):
        for tab, one in sent.items():
            opened(client, character, **one, tab=tab)
        still.ticks += SECONDS / 2
    assert line(client) == ""


def test_the_form_that_a_page_was_loaded_with_goes_with_that_page(
    desk: Desk, client: FlaskClient, still: StillClock
) -> None:
    character = set_up(client, "Okafor")
    html = client.get("/play", query_string={"me": character, "declare": "yes", "character_id": character}).text
    page = live(desk, "one", character)
    opened(client, character, **fields(html[html.index('id="declare-form"') :]), tab="one")
    client.get(f"/play?me={character}")
    still.ticks += LOOK + 1
    assert line(client) == OKAFOR
    page.close()
    desk.services.choosing.sweep()
    assert line(client) == ""


def test_a_gamemaster_who_looks_at_a_players_page_is_not_told_as_that_player() -> None:
    """Who plays the character, too, is."""
    with opened_to_phones() as desk:
        okafor, reed = two(desk.client())
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        sam.take(okafor)
        master.take(reed)
        assert 'id="declare-now"' in opened(master.client, okafor)
        assert master.client.get("/play", query_string={"me": okafor, "declare": "yes"}).status_code == 200
        assert line(desk.client()) == ""
        opened(master.client, reed)
        assert line(desk.client()) == "Reed is choosing a Task."
        opened(sam.client, okafor)
        assert "2 people" in line(desk.client()) or "Choosing Tasks" in line(desk.client())


def deed(client: FlaskClient, who: str, name: str = "personal/guard", **more: str) -> dict[str, str]:
    answer = client.get("/parts/deed", query_string={"page": "fight", "who": who, "deed": name, **more})
    found: dict[str, str] = answer.get_json()
    return found


def fight(client: FlaskClient, *ids: str) -> None:
    send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in ids], begins=ids[0])
    send(client, "begin_turn", combatant_id=ids[0])


def test_whoever_chooses_an_action_of_their_turn_is_told_until_it_is_declared(
    desk: Desk, client: FlaskClient, still: StillClock
) -> None:
    okafor, reed = two(client)
    fight(client, okafor, reed)
    assert deed(client, okafor, tab="one")
    words = line(client)
    assert words.endswith("is choosing an action.")
    assert [line(client, path) for path in (f"/play?me={reed}", f"/play/fight?me={reed}", "/gm")] == [words] * 3
    assert line(client, f"/play/fight?me={okafor}") == "", "whoever chooses knows it"
    assert deed(client, reed) == {}
    deed(client, okafor, "", tab="two")
    still.ticks += LOOK + 1
    assert line(client) == words, "it was another page that closed one"
    deed(client, okafor, "", tab="one")
    still.ticks += LOOK + 1
    assert line(client) == ""
    deed(client, okafor, tab="one")
    assert line(client) == words, "it was opened again"
    guard = {"character_id": okafor, "action": {"name": "guard", "target_id": okafor}}
    send(client, "declare_task", declaration=guard)
    assert line(client) == ""
    assert desk.voice.said == []


def test_whose_turn_is_over_or_who_took_a_minor_action_chooses_none(client: FlaskClient) -> None:
    okafor, reed = two(client)
    fight(client, okafor, reed)
    deed(client, okafor)
    prone = {"name": "drop_prone", "scope": "personal"}
    send(client, "take_minor_action", character_id=okafor, action=prone)
    assert line(client) == ""
    deed(client, okafor, tab="one")
    assert line(client) != ""
    send(client, "end_turn")
    assert line(client) == ""


def test_the_same_action_is_told_again_in_the_same_turn_once_it_was_declared(client: FlaskClient) -> None:
    """After undo, say, or as a second attack that Momentum bought."""
    okafor, reed = two(client)
    fight(client, okafor, reed)
    deed(client, okafor, tab="one")
    words = line(client)
    assert words != ""
    guard = {"character_id": okafor, "action": {"name": "guard", "target_id": okafor}}
    send(client, "declare_task", declaration=guard)
    assert deed(client, okafor, tab="one") == {}, "a page that is behind"
    assert line(client) == ""
    send(client, "undo")
    deed(client, okafor, tab="one")
    assert line(client) == words


def test_a_second_attack_that_a_swift_task_bought_is_told_like_the_first(client: FlaskClient) -> None:
    ids = crew(client)
    okafor, brack = ids["Okafor"], ids["Brack"]
    fight(client, okafor, brack)
    send(client, "adjust_pool", pool="momentum", change=2)
    attack = {"name": "attack", "target_id": brack, "weapon": "phaser_type_2"}
    for bought in (True, False):
        deed(client, okafor, "personal/attack", tab="one")
        assert line(client).endswith("is choosing an action."), "the same form once more, in the same Turn"
        send(client, "declare_task", declaration={"character_id": okafor, "action": attack})
        assert line(client) == ""
        deed(client, okafor, "personal/attack", tab="one")
        assert line(client) == "", "a page that is behind"
        throw(client)
        if bought:
            send(client, "make_spend", spend="swift_task")
            send(client, "follow_through")
            throw(client, "blank")
            send(client, "settle_damage")
            while got(client, "/api/v1/table")["table"]["task"]:
                send(client, "finish_spending")
    assert got(client, "/api/v1/table")["table"]["task"]["declaration"]["modifiers"][0]["reason"] == "Swift Task"


def throw(client: FlaskClient, face: int | str = 1) -> None:
    """The dice that are asked for, each with that face."""
    request = got(client, "/api/v1/table")["table"]["request"]
    send(client, "enter_dice", request=request["number"], faces=[face] * request["count"])


def test_in_a_fight_a_task_for_later_begins_at_once_or_is_refused_and_the_line_says_so(client: FlaskClient) -> None:
    """TURN-1: Turns say who is next, so that nobody stands in line."""
    okafor, reed = two(client)
    fight(client, okafor, reed)
    deed(client, okafor)
    words = line(client)
    guard = {one: {"character_id": one, "action": {"name": "guard", "target_id": one}} for one in (okafor, reed)}
    status, told = post(client, "/api/v1/commands", {"command": "line_up", "declaration": guard[reed]})
    assert (status, told["rule"]) == (409, "TURN-1")
    assert line(client) == words != "", "another's Task that was refused"
    send(client, "line_up", declaration=guard[okafor])
    assert line(client) == ""
    assert got(client, "/api/v1/table")["table"]["in_line"] == []


def test_each_action_of_a_turn_is_told_with_or_without_dice(client: FlaskClient) -> None:
    okafor, reed = two(client)
    fight(client, okafor, reed)
    page = client.get(f"/play/fight?me={okafor}").text
    actions = re.findall(r'<details class="action"[^>]* data-deed="([^"]+)" data-fresh="([^"]+)"', page)
    assert len(actions) == page.count('<details class="action"'), "each asks for its form as it is opened"
    without = {"personal/ready", "personal/pass", "personal/direct"}
    assert without <= {name for name, _ in actions}
    for name in without:
        shown = client.get(f"{unescape(dict(actions)[name])}&tab=one&deed={name}").get_json()
        assert " data-live open>" in shown[f"act-{name.replace('/', '-')}"]
        assert line(client).endswith("is choosing an action.")
        deed(client, okafor, "", tab="one")
        send(client, "end_turn")
        send(client, "begin_turn", combatant_id=reed)
        send(client, "end_turn")
        assert line(client) == ""
        send(client, "next_round")
        send(client, "begin_turn", combatant_id=okafor)


def test_of_two_open_forms_of_one_character_the_newest_is_told_at_once(
    desk: Desk, client: FlaskClient, still: StillClock
) -> None:
    """A Task's on one page and an action's on another: pages that are there hear the same as one that is loaded."""
    okafor, reed = two(client)
    screen = iter(desk.hub.subscribe(page="display"))
    for tab in ("one", "two"):
        live(desk, tab, okafor)

    def told(kind: str) -> str:
        words = line(client)
        assert words.endswith(kind)
        while messages(screen, "beside")["choosing"] != unescape(words):
            pass
        return words

    opened(client, okafor, tab="one")
    task = told("a Task.")
    fight(client, okafor, reed)
    still.ticks += 1
    deed(client, okafor, tab="two")
    told("an action.")
    still.ticks += 1
    opened(client, okafor, tab="one")
    assert told("a Task.") == task
    assert len(desk.services.choosing.choosers()) == 1


def test_the_same_action_is_told_again_in_another_turn_and_once_it_was_closed(
    desk: Desk, client: FlaskClient, still: StillClock
) -> None:
    okafor, reed = two(client)
    fight(client, okafor, reed)
    deed(client, okafor, tab="one")
    still.ticks += SECONDS + 1
    desk.services.choosing.sweep()
    deed(client, okafor, tab="one")
    assert line(client) == "", "it lies open"
    deed(client, okafor, "", tab="one")
    deed(client, okafor, tab="one")
    assert line(client) != "", "it was closed after its time was over, and opened again"
    for who in (okafor, reed):
        if who == reed:
            send(client, "begin_turn", combatant_id=reed)
        send(client, "end_turn")
    assert line(client) == ""
    send(client, "next_round")
    send(client, "begin_turn", combatant_id=okafor)
    deed(client, okafor, tab="one")
    assert line(client) != "", "another Turn"


def test_the_gamemasters_own_actions_are_told_to_nobody() -> None:
    with opened_to_phones() as desk:
        okafor, reed = two(desk.client())
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        sam.take(okafor)
        fight(desk.client(), okafor, reed)
        assert deed(master.client, okafor)
        desk.client().get("/parts/deed", query_string={"page": "gm", "who": okafor, "deed": "personal/guard"})
        assert line(desk.client()) == ""
        assert deed(sam.client, okafor)
        assert line(desk.client()).endswith("is choosing an action.")


def test_the_line_is_one_and_in_each_language() -> None:
    german = Languages().language("de")
    choosing = Choosing()
    choosing.touched("c1", "Okafor", "p1", 1, opened=True)
    assert choosing.line(german) == "Okafor wählt eine Aufgabe."
    choosing.touched("c2", "Reed", "p2", 1, opened=True)
    assert choosing.line(SOURCE_LANGUAGE, person="p2") == OKAFOR
    assert choosing.line(SOURCE_LANGUAGE, me="c1") == "Reed is choosing a Task."
    choosing.close()
    assert words_of_choosers(["Reed", "Okafor"]) == "Choosing Tasks: Reed, Okafor."
    assert words_of_choosers(["Wilhelmina Constantinopolitana of the North"]) == (
        "Wilhelmina Cons… is choosing a Task."
    )
    assert words_of_choosers(["Okafor", "Reed", "Lindqvist"]) == "Choosing Tasks: Okafor, Reed, Lindqvist."
    long = words_of_choosers(["Wilhelmina Constantinopolitana", "Lindqvist"])
    assert long == "2 people are choosing Tasks.", "on a phone they would be two lines"
    assert words_of_choosers("ABCD") == "4 people are choosing Tasks."
    assert words_of_choosers(["Reed"], 1) == "Reed is choosing an action."
    assert words_of_choosers(["Reed", "Okafor"], 1) == "Choosing: Reed, Okafor."
    assert words_of_choosers("ABCD", 2) == "4 people are choosing."
