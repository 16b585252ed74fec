"""The gamemaster's bridge: the dial that players see, fights from the library, without script too, and whose it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from kiosk.views.foes import FOES, ROLES, SHIPS
from kiosk.web import fight_form
from rules.game import Ruleset
from tests.kiosk.desk import Desk, got, post, send
from tests.kiosk.web.test_api import DECLARATION
from tests.kiosk.web.test_conflict_page import begin, crew
from tests.kiosk.web.test_pages import ATTRIBUTES, DISCIPLINES, enter, press, read, set_up, words
from tests.kiosk.web.test_persons import Phone, opened


def pressed(page: str, name: str) -> list[str]:
    """The steps of a dial that are set."""
    return re.findall(rf'name="{name}" value="(\d+)" aria-pressed="true"', page)


def test_the_dial_is_set_without_script_and_every_player_starts_from_it(client: FlaskClient) -> None:
    character = set_up(client)
    assert pressed(read(client, "/gm"), "difficulty") == []
    status, page = press(client, "set_difficulty", back="/gm", difficulty="3")
    assert (status, pressed(page, "difficulty")) == (200, ["3"])
    _, page = press(client, "set_complication_range", back="/text", complication_range="2")
    assert (pressed(page, "difficulty"), pressed(page, "complication_range")) == (["3"], ["2"])
    for path in ("/display", "/play"):
        assert "Difficulty of the next Task 3 (daunting)" in words(read(client, path)), path
        assert words(read(client, path)).count("daunting") == 1, "once, by stage, caption or form"
        assert "Complication on 19 or 20." in words(read(client, path)), path
    assert all("Difficulty 3" in one for one in re.findall(r'class="button preset".*?</a>', read(client, "/play")))
    form = f"/play?declare=yes&character_id={character}"
    assert "Control + Engineering, Difficulty 3" in words(read(client, f"{form}&{fields(3, 2)}"))
    press(client, "set_difficulty", back="/gm", difficulty="4")
    assert "Difficulty 4" in words(read(client, f"{form}&{fields(3, 2)}&dial=3/2")), "the open form follows"
    assert "Control + Engineering, Difficulty 2" in words(read(client, f"{form}&{fields(2, 1)}&dial=4/2")), "a choice"
    assert "Leave it to the players" in read(client, "/gm")
    press(client, "set_difficulty", back="/gm", difficulty="")
    assert "daunting" not in words(read(client, "/play"))


def fields(difficulty: int, complication_range: int) -> str:
    return f"attribute=control&discipline=engineering&difficulty={difficulty}&complication_range={complication_range}"


def test_another_task_in_a_fight_starts_from_it_and_an_attack_does_not(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Okafor"])
    send(client, "begin_turn", combatant_id=ids["Okafor"])
    send(client, "set_difficulty", difficulty=4, complication_range=2)
    page = read(client, f"/conflict?who={ids['Okafor']}&deed=personal/other")
    dialled = [one for one in page.split("<form")[1:] if '<input type="hidden" name="difficulty" value="4">' in one]
    assert [re.findall(r'name="deed" value="(\w+)"', one) for one in dialled] == [["other"]]
    who = {"character_id": ids["Okafor"], "who": ids["Okafor"], "deed": "other", "scope": "personal", "minor": ""}
    skills = {"attribute": "control", "discipline": "engineering", "difficulty": "4", "complication_range": "2"}
    send(client, "set_difficulty", difficulty=3)
    asked = f"/parts/deed?page=conflict&language=en&{urlencode(who | skills)}"
    (part,) = got(client, asked).values()
    assert '<input type="hidden" name="difficulty" value="3">' in part, "the open form follows the dial"
    send(client, "set_difficulty", difficulty=None)
    (part,) = got(client, asked).values()
    assert 'name="difficulty"' not in part, "and that it is open again"
    send(client, "set_difficulty", difficulty=4, complication_range=2)
    status, page = press(client, "act", back="/conflict", **who, **skills)
    assert status == 200, words(page)
    task = got(client, "/api/v1/table")["table"]["task"]
    assert (task["difficulty"], task["declaration"]["complication_range"]) == (4, 2)


def test_a_task_in_hand_is_what_the_dial_is_about(client: FlaskClient) -> None:
    character = set_up(client)
    send(client, "declare_task", declaration={"character_id": character, **DECLARATION})
    page = read(client, "/gm")
    assert ("How hard is Ada Lindqvist" in page, pressed(page, "difficulty")) == (True, ["2"])
    _, page = press(client, "set_difficulty", back="/gm", difficulty="5")
    assert pressed(page, "difficulty") == ["5"]
    assert "Leave it to the players" not in page
    table = got(client, "/api/v1/table")["table"]
    assert table["task"]["difficulty"] == 5
    send(client, "enter_dice", request=table["request"]["number"], faces=[9, 19])
    assert "How hard is the next Task?" in read(client, "/gm")


def test_a_new_session_asks_first(client: FlaskClient) -> None:
    set_up(client)
    for path in ("/gm", "/text"):
        asked = read(client, path).partition("<summary>Start a new session</summary>")[2].partition("</details>")[0]
        assert "Threat is 2 for each player again" in asked, path
        assert "Momentum" not in asked, path
        assert 'action="/text/start_session"' in asked
        assert ">Start a new session</button>" not in read(client, path)
    send(client, "change_options", options={"momentum_decay": 2})
    for path in ("/gm", "/text"):
        asked = read(client, path).partition("<summary>Start a new session</summary>")[2].partition("</details>")[0]
        assert "The group loses 2 Momentum." in asked, path


def test_only_the_gamemaster_turns_it() -> None:
    with opened() as desk:
        character = set_up(desk.client())
        sam, master = Phone(desk, name="Sam"), Phone(desk, gamemaster=True)
        sam.take(character)
        assert sam.asks("set_difficulty", difficulty=3)[0] == 403
        fields = {"difficulty": "3", "back": "/text"}
        by_script = sam.client.post("/text/set_difficulty", data=fields, headers={"X-Trueroll": "1"})
        assert by_script.status_code == 403
        assert press(sam.client, "set_difficulty", **fields)[0] == 403
        assert "How hard is the next Task?" not in sam.client.get("/text").text
        assert got(sam.client, "/api/v1/table")["table"]["dial"] is None
        assert master.asks("set_difficulty", difficulty=3)[0] == 200
        assert sam.asks("undo")[0] == 403, "it is the gamemaster's to take back"
        assert post(master.client, "/api/v1/commands", {"command": "undo"})[0] == 200


def test_each_step_of_a_foes_turn_has_its_main_action(client: FlaskClient) -> None:
    ids = crew(client)
    send(client, "take_weapon", character_id=ids["Brack"], weapon="phaser_type_2")
    begin(client, ids, begins=ids["Brack"])
    assert 'class="main-action">Begin Brack&#39;s Turn' in read(client, "/gm").partition('id="foes"')[2]
    send(client, "begin_turn", combatant_id=ids["Brack"])
    turn = read(client, "/gm").partition('id="master-turn"')[2].partition('id="declare"')[0]
    assert re.findall(r'<summary class="main-action"[^>]*><span>([^<]*)', turn) == ["Attack"]
    send(client, "declare_task", declaration={"character_id": ids["Brack"], **DECLARATION})
    send(client, "enter_dice", request=got(client, "/api/v1/table")["table"]["request"]["number"], faces=[19, 19])
    send(client, "finish_spending")
    turn = read(client, "/gm").partition('id="master-turn"')[2].partition('id="declare"')[0]
    ends = turn.index('class="main-action">End Brack&#39;s Turn')
    assert ends < turn.index('<div class="deeds">'), "before all else that it may do"
    assert turn.count('id="do-end_turn"') == 1
    assert '<summary class="main-action"' not in turn


def test_a_ship_is_once_among_the_foes_with_its_turn_on_its_card(client: FlaskClient) -> None:
    press(client, "sample_crew", ruleset="second-edition")
    assert press(client, "fight", back="/gm", kind="starship", many_needle="2")[0] == 200
    foes = read(client, "/gm").partition('id="foes"')[2].partition('id="library"')[0]
    assert foes.count("<h3>Needle skiff") == 2
    assert foes.partition("</section>")[0].count("Needle skiff 1,") == 1
    card = foes.partition('<section class="ship card" aria-label="Needle skiff 1">')[2].partition("</section>")[0]
    assert "To act" in card
    assert "Begin Needle skiff 1&#39;s Turn" in card


def test_a_number_of_foes_that_is_none_is_named_by_the_foe(client: FlaskClient) -> None:
    press(client, "sample_crew", ruleset="core-1e")
    _, page = press(client, "fight", back="/gm", kind="personal", many_corsair="lots")
    assert "The number for Corsair must be a whole number, not" in words(page)


def test_a_foe_who_reaches_nobody_comes_near_with_one_tap_where_it_chooses(client: FlaskClient) -> None:
    """ACT-3, RNG-1: its Attack is not possible, so the Movement to each player is offered first; the others stay."""
    ids = crew(client)
    begin(client, ids, begins=ids["Brack"])
    send(client, "begin_turn", combatant_id=ids["Brack"])
    turn = read(client, "/gm").partition('id="master-turn"')[2].partition('id="declare"')[0]
    deeds = turn.partition('<div class="deeds">')[2].partition("</section>")[0]
    buttons = re.findall(r'<button type="submit"( class="main-action")?>(Movement into [^<]*)', deeds)
    assert buttons[0] == (' class="main-action"', "Movement into Okafor&#39;s Reach")
    assert turn.index("Movement into") < turn.index("<h3>"), "a Minor Action stands under no heading of Tasks"
    assert re.search(r'<button type="submit" class="aside"[^>]*>End the conflict', read(client, "/gm")), (
        "it is seldom meant"
    )
    assert [main for main, _ in buttons[1:]] == [""] * (len(ids) - 2), "one for each of the crew"
    form = deeds.partition("<form")[2].partition("</form>")[0]
    sent = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    assert client.post("/text/act", data=sent).status_code == 303
    assert got(client, "/api/v1/table")["table"]["conflict"]["reach"] != []
    turn = read(client, "/gm").partition('id="master-turn"')[2].partition('id="declare"')[0]
    assert "Movement into" not in turn.partition('<div class="deeds">')[2].partition("</section>")[0]
    assert re.findall(r'<summary class="main-action"[^>]*><span>([^<]*)', turn) == ["Attack"]


FOES_OF_EACH = 8
SHIPS_OF_EACH = 6


@pytest.mark.parametrize("ruleset", Ruleset)
def test_everybody_of_the_library_can_be_met_in_every_ruleset(ruleset: Ruleset) -> None:
    """The rules take every card; numbers are within the books' ranges, and no name is another's."""
    assert len(FOES) >= FOES_OF_EACH
    assert len(SHIPS) >= SHIPS_OF_EACH
    assert {one.role for one in FOES} == set(ROLES)
    assert {one.scale for one in SHIPS} == set(range(1, 7))
    everything = (*FOES, *SHIPS)
    assert len({str(one.name) for one in everything}) == len({one.key for one in everything}) == len(everything)
    with Desk() as desk:
        client = desk.client()
        press(client, "sample_crew", ruleset=ruleset)
        assert len(set(re.findall(r'name="many_(\w+)"', read(client, "/gm")))) == len(everything)
        everybody = {f"many_{one.key}": "1" for one in FOES}
        status, page = press(client, "fight", back="/gm", kind="personal", **everybody)
        assert status == 200, words(page)
        table = got(client, "/api/v1/table")["table"]
        assert len(table["conflict"]["combatants"]) == 4 + len(FOES)
        foes = [one for one in table["characters"] if one["standing"] != "player"]
        assert all(7 <= number <= 12 for one in foes for number in one["attributes"].values())
        assert all(0 <= number <= 5 for one in foes for number in one["disciplines"].values())
        press(client, "undo")
        every_ship = {f"many_{one.key}": "1" for one in SHIPS}
        status, page = press(client, "fight", back="/gm", kind="starship", **every_ship)
        assert status == 200, words(page)
        table = got(client, "/api/v1/table")["table"]
        assert [one["scale"] for one in table["ships"]] == [4, *(one.scale for one in SHIPS)]
        assert all(6 <= number <= 12 for one in table["ships"][1:] for number in one["systems"].values())
        second = ruleset is Ruleset.SECOND_EDITION
        rated = [one["weapons"][0]["rating"] for one in table["ships"][1:]]
        assert rated == [one.weapons[0].damage if second else one.weapons[0].dice for one in SHIPS]


def test_a_fight_is_two_taps_and_one_undo(client: FlaskClient) -> None:
    press(client, "sample_crew", ruleset="core-1e")
    assert 'name="many_corsair"' in read(client, "/gm")
    status, page = press(client, "fight", back="/gm", kind="personal", many_corsair="3")
    assert status == 200, words(page)
    table = got(client, "/api/v1/table")["table"]
    names = [one["name"] for one in table["characters"] if one["standing"] == "minor_npc"]
    assert names == ["Corsair 1", "Corsair 2", "Corsair 3"]
    assert table["conflict"]["round"] == 1
    assert 'name="many_corsair"' not in page, "one fight at a time"
    assert "Undo: the fight and those who came for it" in words(page)
    press(client, "undo")
    table = got(client, "/api/v1/table")["table"]
    assert (table["conflict"], len(table["characters"])) == (None, 4)


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("corsair", ["Corsair"]),
        ("WARL", ["Warlord of the Broken Belt"]),
        ("2 sentry, 3 corsair captain", ["Corsair captain 1", "Corsair captain 2", "Corsair captain 3"]),
        ("corsair, 2x  Corsair", ["Corsair 1", "Corsair 2", "Corsair 3"]),
    ],
)
def test_a_foe_is_found_by_a_part_of_its_name(client: FlaskClient, typed: str, names: list[str]) -> None:
    press(client, "sample_crew", ruleset="core-1e")
    press(client, "fight", back="/gm", kind="personal", named=typed)
    table = got(client, "/api/v1/table")["table"]
    assert [one["name"] for one in table["characters"]][-len(names) :] == names


@pytest.mark.parametrize("typed", ["e a r n t i o s l" * 3600, "razor," * 10_000])
def test_what_a_stranger_types_for_a_name_keeps_nobody_waiting(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    """It is looked up before anybody knows who sent it; hundreds of times as many letters were compared."""
    compared: list[int] = []
    for name in ("_letters", "_likeness"):
        real = getattr(fight_form, name)

        def counted(*words: str, real: Callable[..., object] = real) -> object:
            compared.append(len(words[0]))
            return real(*words)

        monkeypatch.setattr(fight_form, name, counted)
    press(client, "fight", back="/gm", kind="starship", named=typed)
    assert sum(compared) < 2 * len(typed)


def test_by_name_and_by_number_are_added_up_and_a_ship_is_found_by_its_sort(client: FlaskClient) -> None:
    press(client, "sample_crew", ruleset="core-1e")
    fields = {"kind": "starship", "back": "/gm"}
    assert "Of each kind up to 8 can come" in press(client, "fight", named="8 razor", many_razor="1", **fields)[1]
    assert "number for Razor corsair must be" in words(press(client, "fight", named="x", many_razor="x", **fields)[1])
    press(client, "fight", named="scale 6, razor", many_razor="1", **fields)
    ships = [one["name"] for one in got(client, "/api/v1/table")["table"]["ships"]]
    assert ships[1:] == ["Razor corsair 1", "Razor corsair 2", "Glacier dreadnought"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("leviatan", "Nobody here is called 'leviatan'. The nearest name is Storm leviathan."),
        ("3 pail regent", "Nobody here is called 'pail regent'. The nearest name is Pale Regent."),
        ("war", "'war' can be Vault warden or Warlord of the Broken Belt. Type more of the name."),
        ("major", "'major' can be Warlord of the Broken Belt, Pale Regent or Storm leviathan. Type more of the name."),
        ("9" * 5000 + " corsair", "Nobody here is called '99"),
        ("0 corsair", "Choose whom the crew meets."),
        (" , ", "Choose whom the crew meets."),
    ],
)
def test_a_name_that_is_of_nobody_or_of_several_is_told(client: FlaskClient, typed: str, said: str) -> None:
    press(client, "sample_crew", ruleset="core-1e")
    page = press(client, "fight", back="/gm", kind="personal", named=typed)[1]
    assert said in words(page)
    assert got(client, "/api/v1/table")["table"]["conflict"] is None
    assert f'value="{typed}"' in page, "nobody types it twice"


@pytest.mark.parametrize(
    ("language", "typed", "name"),
    [("de", "kriegsh", "Kriegsherr"), ("de", "ausseNPosten", "Außenpostenwache"), ("fr", "leviathan", "Léviathan")],
)
def test_a_foe_is_found_by_its_name_in_the_language_of_the_page(
    client: FlaskClient, language: str, typed: str, name: str
) -> None:
    """Without accents, too."""
    press(client, "sample_crew", ruleset="core-1e")
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    press(client, "fight", back="/gm", kind="personal", named=typed)
    assert name in got(client, "/api/v1/table")["table"]["characters"][-1]["name"]


def test_the_foes_of_a_new_fight_are_numbered_from_one_where_the_old_are_gone(client: FlaskClient) -> None:
    press(client, "sample_crew", ruleset="core-1e")
    for many in ("1", "3", "2"):
        press(client, "fight", back="/gm", kind="personal", many_corsair=many)
        table = got(client, "/api/v1/table")["table"]
        there = {one["combatant_id"] for one in table["conflict"]["combatants"]}
        names = [one["name"] for one in table["characters"] if one["character_id"] in there][4:]
        assert names == (["Corsair"] if many == "1" else [f"Corsair {one + 1}" for one in range(int(many))])
        send(client, "end_conflict")


def test_a_ship_duel_gives_each_of_the_crew_the_station_they_are_best_at(client: FlaskClient) -> None:
    press(client, "sample_crew", ruleset="second-edition")
    press(client, "fight", back="/gm", kind="starship", many_razor="2")
    table = got(client, "/api/v1/table")["table"]
    names = {one["character_id"]: one["name"] for one in table["characters"]}
    posts = {names[one["combatant_id"]]: one["station"] for one in table["conflict"]["combatants"][:4]}
    assert posts == {
        "Captain Ilse Brandt": "command",
        "Lieutenant Tomás Okoro": "operations",
        "Doctor Mirembe Sato": "tactical",
        "Ensign Pell Varga": "helm",
    }
    assert [one["name"] for one in table["ships"]][1:] == ["Razor corsair 1", "Razor corsair 2"]


def test_a_crew_without_a_ship_takes_one_of_the_library_where_the_duel_begins(client: FlaskClient) -> None:
    """One tap for the ship, one for the duel; a ship of one's own is where the link leads."""
    set_up(client)
    library = read(client, "/gm").partition('id="library"')[2].partition("</section>")[0]
    assert "The crew has no ship yet." in words(library)
    assert 'href="/setup?open=ship#ship"' in library
    assert "Start the ship duel" not in library
    assert re.findall(r'name="ship" value="(\w+)"', library) == ["ready", "lantern", "anvil", "halberd"]
    assert press(client, "crew_ship", back="/gm", ship="anvil")[0] == 200
    ship = got(client, "/api/v1/table")["table"]["ships"][0]
    assert (ship["name"], ship["crew"], ship["scale"]) == ("Anvil cruiser", None, 4)
    assert len(ship["weapons"]) == 2
    library = read(client, "/gm").partition('id="library"')[2].partition("</section>")[0]
    assert ("Start the ship duel" in library, "The crew has no ship yet." in words(library)) == (True, False)
    assert press(client, "fight", back="/gm", kind="starship", many_razor="1")[0] == 200
    assert press(client, "crew_ship", back="/gm", ship="glacier")[0] == 400


def test_a_fight_that_cannot_be_says_why_and_is_the_gamemasters() -> None:
    with opened() as desk:
        client = desk.client()
        character = set_up(client)
        page = press(client, "fight", back="/gm", kind="personal")[1]
        assert "Choose whom the crew meets." in page
        folds = re.findall(r'<details class="part beside"( open)?>.*?id="(\w+)-title"', page)
        assert ("library", " open") in [(name, state) for state, name in folds], "a phone shows what was refused"
        assert [state for state, name in folds if name != "library"] == [""] * 3
        fields = {"many_needle": "1", "kind": "starship"}
        assert "The crew has no ship at this table." in press(client, "fight", back="/gm", **fields)[1]
        many = {"many_corsair": "9", "kind": "personal"}
        assert "Of each kind up to 8 can come" in press(client, "fight", back="/gm", **many)[1]
        sam = Phone(desk, name="Sam")
        few = {**many, "many_corsair": "1"}
        assert press(sam.client, "fight", back="/text", **few)[0] == 403
        card = {"name": "Corsair", "standing": "minor_npc", "attributes": ATTRIBUTES, "disciplines": DISCIPLINES}
        asked = {"kind": "personal", "crew": [{"combatant_id": character}], "foes": [card]}
        assert sam.asks("start_fight", **asked)[0] == 403
        assert Phone(desk, gamemaster=True).asks("start_fight", **asked)[0] == 200
        assert got(client, "/api/v1/table")["table"]["conflict"]["round"] == 1


def test_a_foes_ship_is_offered_its_attacks_first_on_the_bridge_alone(client: FlaskClient) -> None:
    assert press(client, "sample_crew", back="/setup", ruleset="second-edition")[0] == 200
    press(client, "fight", back="/gm", kind="starship", many_razor="1")
    table = got(client, "/api/v1/table")["table"]
    first, *_, ship = [one["combatant_id"] for one in table["conflict"]["combatants"]]

    def offered() -> list[str]:
        menu = read(client, "/gm").partition('id="master-turn"')[2].partition('id="actions"')[0]
        return re.findall(r"<h3>(.*?)</h3>", menu)

    send(client, "begin_turn", combatant_id=first)
    assert offered() == [], "a player acts on their own phone"
    send(client, "end_turn")
    send(client, "begin_turn", combatant_id=ship)
    assert offered()[0] == "Tactical: Tasks"
    part = client.get(f"/parts/deed?page=gm&who={ship}&deed=bridge/fire").get_json()
    assert 'name="back" value="/gm"' in part["act-bridge-fire"]


def test_minor_actions_of_a_foe_name_it_once(client: FlaskClient) -> None:
    ids = crew(client)
    begin(client, ids, begins=ids["Brack"])
    send(client, "begin_turn", combatant_id=ids["Brack"])
    page = read(client, "/gm")
    offered = page.partition('id="actions-title"')[2].partition("</section>")[0]
    buttons = [words(one) for one in re.findall(r'<button type="submit"[^>]*>(.*?)</button>', offered, re.DOTALL)]
    assert {"Aim", "Drop Prone", "Prepare"} <= {one.strip() for one in buttons}
    assert not [one for one in buttons if "Brack:" in one]
    assert "Brack's Turn: choose an action" in words(page).replace("\u2068", "").replace("\u2069", "")
    assert "Brack: Aim" in words(client.get("/text").text), "where no heading names it"


def test_a_question_stands_first_and_what_it_does_not_need_is_folded(client: FlaskClient) -> None:
    """An attack that hit waits for the gamemaster; an Extended Task runs, and an old hidden roll was thrown."""
    ids = crew(client)
    send(client, "begin_extended_task", label="Restart the core", work=8, magnitude=2, difficulty=2)
    hidden = {"character_id": ids["Brack"], **DECLARATION}
    for step in ({"action": "declare", "declaration": hidden}, {"action": "enter", "roll_id": "1", "faces": [2, 3]}):
        assert post(client, "/api/v1/hidden", step)[0] == 200
    assert 'class="part beside"' in dial_of(read(client, "/gm"))
    begin(client, ids, begins=ids["Brack"])
    send(client, "begin_turn", combatant_id=ids["Brack"])
    send(client, "set_reach", first_id=ids["Brack"], second_id=ids["Okafor"], in_reach=True)
    action = {"name": "attack", "scope": "personal", "weapon": "unarmed", "target_id": ids["Okafor"]}
    skills = {"attribute": "daring", "discipline": "security"}
    send(client, "declare_task", declaration={"character_id": ids["Brack"], **skills, "action": action})
    while (asked := got(client, "/api/v1/table")["table"]["request"]) is not None and asked["kind"] == "d20":
        send(client, "enter_dice", request=asked["number"], faces=[1] * asked["count"])
    page = read(client, "/gm")
    places = [page.index(f'id="{one}"') for one in ("actions-title", "hidden-1", "declare-title", "dial")]
    assert places == sorted(places)
    assert 'class="part beside"' in dial_of(page), "at hand on a laptop, whatever is asked"
    offered = re.findall(r'data-act="(\w+)" id|id="do-(\w+)', page.partition('id="actions-title"')[2])
    assert [name for _, name in offered if name not in {"", "set_cover"}][-1] == "end_extended_task", "it comes last"
    assert ">Give up the Extended Task Restart the core</span></summary>" in page, "and asks"
    assert "Yes, give it up" in words(page)
    fight = read(client, f"/play/fight?me={ids['Lindqvist']}")
    assert 'id="standing-own" class="fold"' in fight
    assert 'id="standing-all"' not in fight


def test_the_answer_that_gives_up_an_extended_task_is_named_by_its_task(client: FlaskClient) -> None:
    crew(client)
    for label in ("Restart the core", "Seal the hull"):
        send(client, "begin_extended_task", label=label, work=8, magnitude=2, difficulty=2)
    page = read(client, "/gm")
    answers = re.findall(r'<button type="submit" id="([^"]+)" aria-labelledby="\1 ([^"]+)">Yes, give it up<', page)
    named = [text for _, title in answers for text in re.findall(rf'id="{re.escape(title)}">([^<]*)<', page)]
    assert named == ["Give up the Extended Task Restart the core", "Give up the Extended Task Seal the hull"]


def test_a_complication_taken_without_a_name_stands_at_the_scene_until_it_gets_one(client: FlaskClient) -> None:
    """TRAIT-3: on the gamemaster's page, the stage and a phone."""
    ada = set_up(client)
    send(client, "declare_task", declaration={"character_id": ada, **DECLARATION})
    enter(client, "3", "20")
    send(client, "finish_spending")
    send(client, "take_complication")
    for path in ("/gm", "/text", "/display", "/play/table"):
        assert "Trouble for Ada Lindqvist" in words(read(client, path)), path
    trait = got(client, "/api/v1/table")["table"]["traits"][0]["trait_id"]
    assert f'name="trait_id" value="{trait}"' in read(client, "/gm")
    assert press(client, "rename_trait", back="/gm", trait_id=trait, name="Sparks")[0] == 200
    here = got(client, "/api/v1/table")
    assert [(one["name"], one["kind"]) for one in here["table"]["traits"]] == [("Sparks", "complication")]
    assert here["undo"] == "renaming the trait"
    assert "Trouble for" not in words(read(client, "/gm").partition('id="traits"')[2].partition("</section>")[0])


@pytest.mark.parametrize("path", ["/gm", "/text"])
def test_a_refused_name_stays_in_the_form_of_its_complication_alone(client: FlaskClient, path: str) -> None:
    set_up(client)
    for name in ("Smoke", "Fog"):
        send(client, "add_trait", name=name, kind="complication")
    smoke = got(client, "/api/v1/table")["table"]["traits"][0]["trait_id"]
    too_long = "x" * 201
    status, page = press(client, "rename_trait", back=path, trait_id=smoke, name=too_long)
    assert status == 400
    forms = re.findall(r'<form[^>]*action="/text/(?:add|rename)_trait".*?</form>', page, re.DOTALL)
    assert len(forms) == 3
    assert [f'id="named-{smoke}"' in one for one in forms if too_long in one] == [True]
    folds = re.findall(r"<details([^>]*)><summary>Another name for (\w+)</summary>", page)
    assert [(name, "open" in attributes) for attributes, name in folds] == [("Smoke", True), ("Fog", False)]
    reason = re.findall(r'<p class="error"([^>]*)>([^<]+)</p>', page)
    assert len(reason) == 1, "it is told once"
    assert "autofocus" in reason[0][0]
    assert reason[0][1] in next(one for one in forms if too_long in one), "beside what was typed"
    before = page.partition("Another name for Smoke")[0]
    around = re.findall(r"<details[^>]*>|</details>", before)[:-1]
    opened: list[str] = []
    for tag in around:
        opened = opened[:-1] if tag == "</details>" else [*opened, tag]
    assert opened
    assert all(" open" in one for one in opened), "nor is it in a fold that is shut"


def test_a_name_of_a_complication_that_is_gone_is_refused_at_the_head_of_the_page(client: FlaskClient) -> None:
    set_up(client)
    send(client, "add_trait", name="Smoke", kind="complication")
    smoke = got(client, "/api/v1/table")["table"]["traits"][0]["trait_id"]
    send(client, "remove_trait", trait_id=smoke)
    for path in ("/gm", "/text"):
        status, page = press(client, "rename_trait", back=path, trait_id=smoke, name="Sparks")
        assert status == 409
        assert re.search(r'<p class="error" role="alert">[^<]+</p>', page)


def test_how_far_an_extended_task_is_stands_where_it_was_begun_and_on_the_bridge(client: FlaskClient) -> None:
    set_up(client)
    told = "Restart the core: Work 0 of 8, Breakthroughs 0 of 2."
    assert re.search(r'<div id="tracks" hidden></div>', read(client, "/gm"))
    fields = {"label": "Restart the core", "work": "8", "magnitude": "2", "resistance": "0", "difficulty": "1"}
    status, page = press(client, "begin_extended_task", back="/conflict", **fields)
    assert status == 200
    fold = page.partition('<details id="extended-tasks"')[2].partition("</details>")[0]
    assert f"{told} Give up Restart the core" in words(fold)
    assert told in words(read(client, "/gm").partition('<div id="tracks"')[2].partition("</div>")[0])


def dial_of(page: str) -> str:
    """The part with the dial."""
    return page.partition('<section id="dial"')[2].partition("</section>")[0]


@pytest.mark.parametrize(("decay", "told"), [("", "Momentum stays."), ("1", "The group loses 1 Momentum.")])
def test_what_a_new_scene_takes_and_leaves_is_said_where_it_begins(client: FlaskClient, decay: str, told: str) -> None:
    """C-17, C-75: and on the Sheet of whoever has lost Stress."""
    ada = set_up(client)
    press(client, "change_options", back="/setup", changing_options="yes", house_momentum_decay=decay)
    for path in ("/gm", "/text"):
        said = words(read(client, path))
        assert f"{told} Non-lethal Injuries end, hidden rolls are forgotten; Stress and Shields stay" in said, path
    stays = "Stress stays over scenes: Recover gives it back"
    assert stays not in words(read(client, f"/play/sheet?me={ada}"))
    send(client, "adjust_stress", character_id=ada, change=-2)
    assert stays in words(read(client, f"/play/sheet?me={ada}"))


def test_whom_nobody_plays_takes_part_only_where_they_are_ticked_and_sits_where_a_seat_is_left() -> None:
    with opened() as desk:
        master = desk.client()
        press(master, "sample_crew", ruleset="second-edition")
        people = {one["name"].rpartition(" ")[2]: one["character_id"] for one in rows(master, "characters")}
        told = "Whom nobody plays with a device is not ticked."
        for path in ("/gm", "/conflict"):
            assert told not in words(read(master, path)), "nobody is played, so that all take part"
        ada, ben = Phone(desk, name="Ada"), Phone(desk, name="Ben")
        ada.take(people["Brandt"])
        ben.take(people["Okoro"])
        page = read(master, "/gm")
        assert told in words(page)
        ticked = set(re.findall(r'name="takes_part_([^"]+)" value="yes" checked', page))
        assert ticked == {people["Brandt"], people["Okoro"]}
        page = read(master, "/conflict")
        assert told in words(page)
        assert set(re.findall(r'name="takes_part_([^"]+)" value="yes" checked', page)) == ticked
        foe = {"kind": "starship", "many_razor": "1", "crew": "ticked"}
        played = {f"{name}_{one}": "yes" for one in ticked for name in ("takes_part", "played")}
        assert press(master, "fight", back="/gm", **foe, **played)[0] == 200
        assert {one["station"] for one in seats(master)} == {"tactical", "helm"}, "the essential ones first"
        press(master, "undo")
        everybody = {f"takes_part_{one}": "yes" for one in people.values()}
        press(master, "fight", back="/gm", **{**foe, **played, **everybody})
        posts = {one["combatant_id"]: one["station"] for one in seats(master)}
        assert {posts[one] for one in ticked} == {"tactical", "helm"}
        assert len(set(posts.values())) == len(posts) == len(people)


def rows(client: FlaskClient, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = got(client, "/api/v1/table")["table"][name]
    return found


def seats(client: FlaskClient) -> list[dict[str, Any]]:
    fighting = got(client, "/api/v1/table")["table"]["conflict"]["combatants"]
    return [one for one in fighting if one["station"]]


def test_a_foe_of_whose_strength_nobody_said_anything_gets_it_where_it_stands(client: FlaskClient) -> None:
    """A card that was never filled in looked like any other foe's. It stays who it is, and one undo takes it back."""
    set_up(client)
    alike = {"attributes": dict.fromkeys(ATTRIBUTES, 8), "disciplines": dict.fromkeys(DISCIPLINES, 2)}
    send(client, "save_character", name="Smuggler", standing="notable_npc", values=["Free trade"], **alike)

    def foe() -> tuple[dict[str, Any], bool]:
        """The card, and whether the bridge says that it has no numbers of its own."""
        foes = read(client, "/gm").partition('id="foes"')[2].partition('id="crew"')[0]
        return got(client, "/api/v1/table")["table"]["characters"][-1], "No numbers of its own yet" in foes

    before, unset = foe()
    assert unset
    status, page = press(client, "foe", back="/gm", character_id=before["character_id"], foe="belt_warlord")
    assert status == 200, words(page)
    now, unset = foe()
    assert not unset
    kept = ("character_id", "name", "standing", "values")
    assert [now[one] for one in kept] == [before[one] for one in kept]
    warlord = next(one for one in FOES if one.key == "belt_warlord")
    assert tuple(now["attributes"].values()) == warlord.attributes
    assert (now["weapons"], now["body"]["stress_max"]) == (list(warlord.weapons), 11 + 5)
    send(client, "undo")
    assert foe() == (before, True)


def _hired_blade(client: FlaskClient, **more: object) -> str:
    """The id of an NPC with all numbers alike."""
    alike = {"attributes": dict.fromkeys(ATTRIBUTES, 8), "disciplines": dict.fromkeys(DISCIPLINES, 2)}
    send(client, "save_character", name="Smuggler", standing="notable_npc", **alike, **more)
    return str(got(client, "/api/v1/table")["table"]["characters"][-1]["character_id"])


@pytest.mark.parametrize("whose", ["a player's", "gone"])
def test_only_an_npc_who_is_there_gets_the_numbers_of_a_foe(client: FlaskClient, whose: str) -> None:
    player, gone = set_up(client), _hired_blade(client)
    send(client, "remove_character", character_id=gone)
    before = got(client, "/api/v1/table")["table"]["characters"]
    sought = player if whose == "a player's" else gone
    status, page = press(client, "foe", back="/gm", character_id=sought, foe="belt_warlord")
    assert (status, "That character is not at the table." in words(page)) == (400, True)
    assert got(client, "/api/v1/table")["table"]["characters"] == before


def test_numbers_that_somebody_else_set_meanwhile_are_not_lost_to_those_of_a_foe(client: FlaskClient) -> None:
    set_up(client)
    smuggler = _hired_blade(client)
    foes = read(client, "/gm").partition('id="foes"')[2].partition('id="crew"')[0]
    seen = re.search(r'name="seen" value="([^"]*)"', foes)
    assert seen is not None
    form = {"back": "/gm", "character_id": smuggler, "seen": unescape(seen[1])}
    assert press(client, "foe", **form, foe="belt_warlord")[0] == 200
    status, page = press(client, "foe", **form, foe="hired_blade")
    assert (status, "Smuggler was changed meanwhile." in words(page)) == (409, True)
    warlord = next(one for one in FOES if one.key == "belt_warlord")
    assert tuple(got(client, "/api/v1/table")["table"]["characters"][-1]["attributes"].values()) == warlord.attributes


def test_who_has_a_weapon_has_numbers_though_they_are_alike(client: FlaskClient) -> None:
    set_up(client)
    _hired_blade(client)
    assert "No numbers of its own yet" in read(client, "/gm")
    send(client, "undo")
    _hired_blade(client, weapons=list(FOES[0].weapons))
    assert "No numbers of its own yet" not in read(client, "/gm")


def test_two_taps_for_a_crews_ship_make_one_ship(client: FlaskClient) -> None:
    set_up(client)
    assert press(client, "crew_ship", back="/gm", ship="anvil")[0] == 200
    status, page = press(client, "crew_ship", back="/gm", ship="lantern")
    assert (status, "The crew has a ship already." in words(page)) == (409, True)
    assert [one["name"] for one in got(client, "/api/v1/table")["table"]["ships"]] == ["Anvil cruiser"]
