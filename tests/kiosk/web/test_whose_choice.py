"""On each phone stands what its person decides: their own Injury, their own Tasks, and no foe of another fight."""

from __future__ import annotations

import html
import re

from flask.testing import FlaskClient

from kiosk.views.foes import FOES
from tests.kiosk.desk import got, send
from tests.kiosk.web.test_conflict_page import begin, crew
from tests.kiosk.web.test_pages import ATTRIBUTES, DISCIPLINES, press, read, words
from tests.kiosk.web.test_persons import Phone, opened

SYSTEMS = dict.fromkeys(("communications", "computers", "engines", "sensors", "structure", "weapons"), 9)


def hit(client: FlaskClient, whom: str) -> None:
    """A hazard that injures unless it is avoided."""
    send(client, "strike_hazard", target_id=whom, rating=8, reason="Falling rocks")
    send(client, "enter_dice", request=got(client, "/api/v1/table")["table"]["request"]["number"], faces=[2] * 8)


def test_an_injury_is_offered_to_whoever_plays_the_one_who_is_hit_and_to_the_gamemaster() -> None:
    with opened() as desk:
        ids = crew(desk.client())
        ada, ben, nobody = Phone(desk, name="Ada"), Phone(desk, name="Ben"), Phone(desk, name="Cara")
        ada.take(ids["Okafor"])
        ben.take(ids["Lindqvist"])
        hit(desk.client(), ids["Okafor"])
        offered = "Okafor suffers the Injury"
        assert offered in words(read(ada.client, "/play"))
        assert offered in words(read(desk.client(), "/gm"))
        for other in (ben, nobody):
            page = words(read(other.client, "/play"))
            assert offered not in page
            assert "Okafor chooses" in page, "for whom they wait"


def test_no_form_of_another_persons_character_stands_there_to_be_filled_in() -> None:
    """Their Turn is told, and what they can choose from; a box to tick would be sent in vain."""
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        ada, ben = Phone(desk, name="Ada"), Phone(desk, name="Ben")
        ada.take(ids["Okafor"])
        ben.take(ids["Lindqvist"])
        begin(client, ids, begins=ids["Okafor"])
        send(client, "begin_turn", combatant_id=ids["Okafor"])
        paths = (f"/play/fight?me={ids['Okafor']}", "/conflict", f"/conflict?who={ids['Okafor']}")
        for path in paths:
            own, others = read(ada.client, path), read(ben.client, path)
            assert 'type="checkbox"' in own, path
            assert 'type="checkbox"' not in others, path
            assert 'data-act="declare_task"' not in others, path
            assert "What Okafor can choose" in words(others), path
        query = {"page": "fight", "who": ids["Okafor"], "deed": "personal/attack"}
        for page in ("fight", "conflict"):
            for phone, there in ((ada, True), (ben, False)):
                found = phone.client.get("/parts/deed", query_string=query | {"page": page}).get_json()
                assert bool(found) == there, page


def test_cover_stands_where_an_action_is_chosen_one_fold_deep() -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        begin(client, ids, begins=ids["Okafor"])
        send(client, "begin_turn", combatant_id=ids["Okafor"])
        page = read(client, "/conflict")
        head = page.partition('id="acting-title"')[2].partition('<div id="acting"')[0]
        assert head.count("<details") == head.count("</details>") == 1
        assert f'<option value="{ids["Okafor"]}" selected>' in head.partition('id="cover-who"')[2]
        assert page.count('action="/text/set_cover"') == 1
        status, page = press(client, "set_cover", back="/conflict", character_id=ids["Brack"], dice="3")
        assert status == 200
        assert "3 Challenge Dice" in words(page)
        ana = Phone(desk, name="Ana")
        assert 'action="/text/set_cover"' not in read(ana.client, "/conflict"), "the gamemaster says who is in cover"


def test_who_is_injured_declares_nothing_and_acts_in_spite_of_it_on_their_own_phone_alone() -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        send(client, "save_character", character_id=ids["Okafor"], name="Okafor", values=["Duty"],
             attributes=ATTRIBUTES, disciplines=DISCIPLINES)  # fmt: skip
        ada, ben = Phone(desk, name="Ada"), Phone(desk, name="Ben")
        ada.take(ids["Okafor"])
        ben.take(ids["Lindqvist"])
        hit(client, ids["Okafor"])
        send(client, "suffer_injury")
        page = read(ada.client, "/play")
        assert "Okafor is injured and cannot act." in words(page)
        assert 'id="declare-open"' not in page
        assert "Okafor acts in spite of the Injury" in words(page)
        page = read(ben.client, "/play")
        assert 'id="declare-open"' in page
        assert "in spite of the Injury" not in words(page)
        assert ids["Okafor"] not in got(client, "/api/v1/table")["helpers"]
        assert "in spite of the Injury" in words(read(client, "/gm"))


def test_a_fight_lists_nobody_who_is_gone_and_nobody_of_another_fight(client: FlaskClient) -> None:
    ids = crew(client, "second-edition")
    arms = [{"name": "Phasers", "kind": "energy", "rating": 7, "optimal_range": "medium"}]
    for name, more in (("Lantern", {}), ("Comet", {"crew": "basic"}), ("Anvil", {"crew": "basic"})):
        send(client, "save_ship", name=name, systems=SYSTEMS, departments=DISCIPLINES, scale=2, weapons=arms, **more)
    lantern, comet, anvil = (one["ship_id"] for one in got(client, "/api/v1/table")["table"]["ships"])
    seats = [
        {"combatant_id": ids["Okafor"], "ship_id": lantern, "station": "tactical"},
        {"combatant_id": ids["Lindqvist"], "ship_id": lantern, "station": "command"},
        {"combatant_id": comet},
    ]
    send(client, "start_conflict", kind="starship", combatants=seats, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    page = read(client, f"/conflict?who={ids['Okafor']}&deed=bridge/fire")
    actors = re.search(r'<select id="who".*?</select>', page, re.DOTALL)
    assert actors is not None
    assert [name for name in ("Okafor", "Lindqvist", "Comet", "Anvil", "Brack") if name in actors[0]] == [
        "Okafor", "Lindqvist", "Comet",
    ]  # fmt: skip
    aims = re.search(r'<select id="act-bridge-fire-target".*?</select>', page, re.DOTALL)
    assert aims is not None
    assert (f'value="{comet}"' in aims[0], f'value="{anvil}"' in aims[0]) == (True, False)
    foes = read(client, "/gm").partition('<section id="foes"')[2].partition("</section></details>")[0]
    assert ("Comet" in words(foes), "Anvil" in words(foes.partition('id="crew"')[0])) == (True, False)


def test_the_gamemaster_is_told_where_nobody_is_there_to_be_against_a_task(client: FlaskClient) -> None:
    ids = crew(client)
    send(client, "remove_character", character_id=ids["Brack"])
    assert "No foe is at the table" not in words(read(client, "/gm"))
    declaration = {"character_id": ids["Okafor"], "attribute": "daring", "discipline": "security", "opposed": True}
    send(client, "declare_task", declaration=declaration)
    send(client, "enter_dice", request=got(client, "/api/v1/table")["table"]["request"]["number"], faces=[2, 3])
    page = read(client, "/gm")
    assert "No foe is at the table" in words(page)
    (link,) = re.findall(r'<a class="button" href="([^"]+)">Fill in the card of a new foe</a>', page)
    assert page.index("Choose a foe") < page.index("Fill in the card of a new foe"), "who is ready comes first"
    assert page.index('id="master-turn"') < page.index("Choose a foe") < page.index('id="actions"'), "it leads on"
    form = read(client, html.unescape(link)).partition('<details id="character"')[2].partition("</form>")[0]
    assert form.partition(">")[0].strip() == "open", "what is needed is unfolded"
    assert re.findall(r'<option value="(\w+)" selected', form) == ["notable_npc"]


def test_who_has_no_part_in_an_opposed_task_has_its_other_side_as_the_main_thing_without_a_gamemaster_alone() -> None:
    """Docs/declaring.md: anybody may, but where somebody joined as the gamemaster it is likely theirs."""
    with opened() as desk:
        kiosk = desk.client()
        ids = crew(kiosk)
        ben = Phone(desk, name="Ben")
        ben.take(ids["Lindqvist"])
        declaration = {"character_id": ids["Okafor"], "attribute": "daring", "discipline": "security", "opposed": True}

        def offered() -> str:
            (found,) = re.findall(r'<a id="declare-open" class="([^"]*)"', read(ben.client, "/play"))
            return str(found)

        send(kiosk, "declare_task", declaration=declaration)
        send(kiosk, "enter_dice", request=got(kiosk, "/api/v1/table")["table"]["request"]["number"], faces=[2, 3])
        assert offered() == "button main-action"
        Phone(desk, gamemaster=True)
        assert offered() == "button"
        send(kiosk, "undo")
        send(kiosk, "undo")
        send(kiosk, "declare_task", declaration=declaration | {"opponent_id": ids["Lindqvist"]})
        send(kiosk, "enter_dice", request=got(kiosk, "/api/v1/table")["table"]["request"]["number"], faces=[2, 3])
        assert offered() == "button main-action", "it is this player's own"


def test_a_foe_of_the_library_answers_an_opposed_task_at_once(client: FlaskClient) -> None:
    ids = crew(client)
    send(client, "save_character", name="Corsair", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    send(client, "remove_character", character_id=ids["Brack"])
    declaration = {"character_id": ids["Okafor"], "attribute": "daring", "discipline": "security", "opposed": True}
    send(client, "declare_task", declaration=declaration)
    send(client, "enter_dice", request=got(client, "/api/v1/table")["table"]["request"]["number"], faces=[2, 3])
    ready = read(client, "/gm").partition('<details id="ready-foes">')[2].partition("</details>")[0]
    offered = re.findall(r'name="foe" value="(\w+)"><span>([^<]*) <small>([^<]*)</small>', ready)
    assert offered[1] == ("corsair", "Corsair", "minor NPC")
    assert len(offered) == len(FOES)
    assert press(client, "foe", back="/gm", foe="nobody")[0] == 400
    status, page = press(client, "foe", back="/gm", foe="corsair")
    assert (status, 'id="ready-foes"' in page) == (200, False)
    assert "Declare the other side" in words(page.partition('id="master-turn"')[2].partition("</a>")[0])
    new = got(client, "/api/v1/table")["table"]["characters"][-1]
    assert (new["name"], new["standing"]) == ("Corsair 1", "minor_npc"), "one name of two is told apart"
    assert new["character_id"] in got(client, "/api/v1/table")["declarers"]


def test_a_foe_who_is_there_is_let_into_the_fight_that_has_none(client: FlaskClient) -> None:
    ids = crew(client)
    brack = ids.pop("Brack")
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    declaration = {"character_id": ids["Okafor"], "attribute": "daring", "discipline": "security", "opposed": True}
    send(client, "declare_task", declaration=declaration)
    send(client, "enter_dice", request=got(client, "/api/v1/table")["table"]["request"]["number"], faces=[2, 3])
    page = read(client, "/gm")
    assert "No foe is at the table" not in words(page)
    assert "No foe who could answer takes part in the fight" in words(page)
    assert f'<option value="{brack}">Brack</option>' in page.partition('action="/text/add_combatant"')[2]
    status, page = press(client, "add_combatant", back="/gm", combatant_id=brack)
    assert (status, 'action="/text/add_combatant"' in page) == (200, False)
    assert got(client, "/api/v1/table")["declarers"] == [brack]


def test_beginning_again_says_first_what_stays_and_that_nothing_may_be_in_hand(client: FlaskClient) -> None:
    ids = crew(client)
    page = words(read(client, "/setup"))
    assert "These stay as they stand, with Stress, Injuries and damage: Okafor, Lindqvist, Brack." in page
    assert "begin anew" in page
    declaration = {"character_id": ids["Okafor"], "attribute": "daring", "discipline": "security"}
    send(client, "declare_task", declaration=declaration)
    page = read(client, "/setup")
    assert "Something is in hand: finish it, or take it back. Then a new table can begin." in words(page)
    assert 'action="/text/set_up"' not in page


def test_the_next_round_is_begun_by_the_gamemaster_and_where_nobody_is_by_the_players() -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        ada = Phone(desk, name="Ada")
        ada.take(ids["Okafor"])
        send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in ids.values()])
        begins = r'<button type="submit"( class="main-action")?>Begin the next Round'
        assert re.findall(begins, read(client, "/gm")) == [], "somebody can act"
        for name in ("Okafor", "Brack", "Lindqvist"):
            send(client, "pass_turn", combatant_id=ids[name])
        page = read(ada.client, "/play")
        assert "Round 1 is over Begin the next Round." in words(page)
        assert re.findall(begins, page) == re.findall(begins, read(client, "/gm")) == [' class="main-action"']
        assert "Begin Okafor's Turn" in words(page), "who passed may still act"
        assert page.partition('id="declare"')[0].count('class="main-action"') == 1
        Phone(desk, gamemaster=True)
        page = read(ada.client, "/play")
        assert "Round 1 is over The gamemaster begins the next Round." in words(page)
        assert re.findall(begins, page) == []
        assert 'class="main-action"' not in page.partition('id="declare"')[0]
        assert re.findall(begins, read(client, "/gm")) == [' class="main-action"']


def test_the_fights_tab_leads_on_once_the_fight_is_over() -> None:
    with opened() as desk:
        client = desk.client()
        ids = crew(client)
        ada = Phone(desk, name="Ada")
        ada.take(ids["Okafor"])
        begin(client, ids, begins=ids["Okafor"])
        on = r'<a class="button main-action" href="(/play[^"]*)">([^<]*)</a>'
        assert re.findall(on, read(ada.client, "/play/fight")) == []
        send(client, "end_conflict")
        ((address, label),) = re.findall(on, read(ada.client, "/play/fight"))
        assert label == "Declare a Task"
        assert 'id="declare-form"' in read(ada.client, html.unescape(address).partition("#")[0])
        declaration = {"character_id": ids["Lindqvist"], "attribute": "daring", "discipline": "security"}
        send(client, "declare_task", declaration=declaration)
        assert re.findall(on, read(ada.client, "/play/fight")) == [], "dice are awaited"
