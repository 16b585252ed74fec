"""What a phone offers whoever plays somebody: the one choice that leads on, and whose dice are asked for."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.views.work import work_of
from tests.kiosk.desk import send
from tests.kiosk.web.test_api import DECLARATION
from tests.kiosk.web.test_conflict_page import crew, table
from tests.kiosk.web.test_pages import ATTRIBUTES, DISCIPLINES

SYSTEMS = dict.fromkeys(("communications", "computers", "engines", "sensors", "structure", "weapons"), 9)


def work(client: FlaskClient, me: str) -> dict[str, Any]:
    return work_of(client.get("/api/v1/table").get_json(), gamemaster=False, me=me)


def main_choices(client: FlaskClient, me: str) -> list[str]:
    return [one["command"]["command"] for one in work(client, me)["options"] if one["main"]]


def choices(client: FlaskClient, me: str) -> list[str]:
    return [one["command"]["command"] for one in work(client, me)["options"]]


def enter(client: FlaskClient, *faces: int | str) -> None:
    """The dice that the table waits for, the last of `faces` as often as it takes."""
    request = table(client)["request"]
    missing = request["count"] - len(faces)
    send(client, "enter_dice", request=request["number"], faces=[*faces, *faces[-1:] * missing])


def ends_the_buying(client: FlaskClient, me: str) -> None:
    """The main choice comes first, then what can be bought, and last what adds to Threat."""
    first, *below = work(client, me)["options"]
    assert first["main"]
    assert not any(one["main"] for one in below)
    prices = [bool(one["price"]["threat"]) for one in below if one["command"]["command"] == "make_spend"]
    assert prices
    assert prices == sorted(prices)
    assert any(one["price"]["momentum"] for one in below)


def test_a_hit_leads_on_to_its_damage_and_to_settling_it_on_each_phone(client: FlaskClient) -> None:
    ids = crew(client)
    okafor, lindqvist = ids["Okafor"], ids["Lindqvist"]
    send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in ids.values()])
    send(client, "begin_turn", combatant_id=okafor)
    attack = {"name": "attack", "target_id": ids["Brack"], "weapon": "phaser_type_2"}
    send(client, "declare_task", declaration={"character_id": okafor, "action": attack})
    enter(client, 1)
    for me in (okafor, lindqvist):
        assert main_choices(client, me) == ["follow_through"]
    ends_the_buying(client, okafor)
    send(client, "follow_through")
    enter(client, 2)
    ends_the_buying(client, okafor)
    assert (work(client, okafor)["whose"], work(client, lindqvist)["whose"]) == ("", "Okafor")
    for me in (okafor, lindqvist):
        assert main_choices(client, me) == ["settle_damage"]


def test_what_befalls_somebody_is_theirs_to_choose(client: FlaskClient) -> None:
    ids = crew(client)
    okafor, lindqvist = ids["Okafor"], ids["Lindqvist"]
    send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in ids.values()])
    send(client, "take_weapon", character_id=ids["Brack"], weapon="phaser_type_2")
    send(client, "begin_turn", combatant_id=ids["Brack"])
    attack = {"name": "attack", "target_id": okafor, "weapon": "phaser_type_2"}
    send(client, "declare_task", declaration={"character_id": ids["Brack"], "action": attack})
    enter(client, 1)
    assert (work(client, okafor)["whose"], work(client, lindqvist)["whose"]) == ("Brack", "Brack")
    send(client, "follow_through")
    request = table(client)["request"]
    send(client, "enter_dice", request=request["number"], faces=["effect"] * request["count"])
    send(client, "settle_damage")
    assert table(client)["agenda"][0]["subject_id"] == okafor
    assert (work(client, okafor)["whose"], work(client, lindqvist)["whose"]) == ("", "Brack")
    assert main_choices(client, okafor) == ["avoid_injury"]
    assert main_choices(client, lindqvist) == []
    page = client.get(f"/play?me={okafor}").get_data(as_text=True)
    asked = "suffer the Injury, or avoid it"
    assert page.count(asked) == 1, "the panel asks, the caption does not repeat it"


SHIP_HITS = pytest.mark.parametrize(
    ("ruleset", "action", "settles"),
    [("core-1e", "fire_weapon", "settle_ship_hit"), ("second-edition", "fire", "settle_hit")],
)


def ship_hit(client: FlaskClient, ruleset: str, action: str, *, foe: bool) -> str:
    """A ship's hit that can be settled: the players' ship's, or the `foe`'s; gives who is aboard the players'."""
    send(client, "set_up_table", ruleset=ruleset, players=["Ada"])
    send(client, "save_character", name="Okafor", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    okafor: str = table(client)["characters"][0]["character_id"]
    arms = [{"name": "Phasers", "kind": "energy", "rating": 7, "optimal_range": "medium"}]
    for name, more in (("Lantern", {}), ("Comet", {"crew": "talented"})):
        numbers = {"scale": 4, "shields": 9, "resistance": 2, "weapons": arms, **more}
        send(client, "save_ship", name=name, systems=SYSTEMS, departments=DISCIPLINES, **numbers)
    lantern, comet = (one["ship_id"] for one in table(client)["ships"])
    seats = [{"combatant_id": okafor, "ship_id": lantern, "station": "tactical"}, {"combatant_id": comet}]
    who, ship, target = (comet, comet, lantern) if foe else (okafor, lantern, comet)
    send(client, "start_conflict", kind="starship", combatants=seats, begins=who)
    send(client, "begin_turn", combatant_id=who)
    fire = {"name": action, "scope": "bridge", "target_id": target, "ship_id": ship, "weapon": "Phasers"}
    send(client, "declare_task", declaration={"character_id": who, "action": fire})
    enter(client, 1)
    enter(client, 1)
    send(client, "follow_through")
    while request := table(client)["request"]:
        faces = [3 if request["kind"] == "d20" else "effect"] * request["count"]
        send(client, "enter_dice", request=request["number"], faces=faces)
    return okafor


@SHIP_HITS
def test_a_hit_on_a_ship_leads_on_to_settling_it(client: FlaskClient, ruleset: str, action: str, settles: str) -> None:
    okafor = ship_hit(client, ruleset, action, foe=False)
    assert main_choices(client, okafor) == [settles]


@SHIP_HITS
def test_a_foes_hit_on_a_ship_is_no_players_main_choice_but_leads_the_gamemaster_on(
    client: FlaskClient, ruleset: str, action: str, settles: str
) -> None:
    okafor = ship_hit(client, ruleset, action, foe=True)
    assert main_choices(client, okafor) == []
    assert settles in choices(client, okafor), "nobody joined as the gamemaster, and the fight goes on"
    view = client.get("/api/v1/table").get_json()
    made = work_of(view, gamemaster=True)
    assert [one["command"]["command"] for one in made["options"] if one["main"]] == [settles]


def test_how_somebody_defends_and_their_own_complication_are_their_main_choice(client: FlaskClient) -> None:
    ids = crew(client)
    okafor, lindqvist, brack = ids["Okafor"], ids["Lindqvist"], ids["Brack"]
    seats = [{"combatant_id": one} for one in ids.values()]
    send(client, "start_conflict", kind="personal", combatants=seats, begins=brack)
    send(client, "begin_turn", combatant_id=brack)
    there = {"name": "movement", "scope": "personal", "target_id": okafor}
    send(client, "take_minor_action", character_id=brack, action=there)
    attack = {"name": "attack", "target_id": okafor, "weapon": "unarmed"}
    send(client, "declare_task", declaration={"character_id": brack, "action": attack})
    enter(client, 2)
    mine = [one["option_id"] for one in work(client, okafor)["options"] if one["main"]]
    assert mine == ["defend:unarmed"]
    assert main_choices(client, lindqvist) == []
    while table(client)["conflict"]:
        send(client, "undo")
    send(client, "declare_task", declaration={"character_id": okafor, **DECLARATION})
    enter(client, 20)
    assert main_choices(client, okafor) == ["take_complication"]
    assert main_choices(client, lindqvist) == []


def test_an_earlier_complication_waits_below_what_leads_on(client: FlaskClient) -> None:
    ids = crew(client)
    okafor = ids["Okafor"]
    send(client, "declare_task", declaration={"character_id": okafor, **DECLARATION})
    enter(client, 1, 20)
    seats = [{"combatant_id": one} for one in ids.values()]
    send(client, "start_conflict", kind="personal", combatants=seats, begins=okafor)
    settles = ["take_complication", "buy_off_complication"]
    for step in ("begin_turn", "end_turn"):
        offered = work(client, okafor)["options"]
        assert [one["command"]["command"] for one in offered[-2:]] == settles
        assert [one["waits"] for one in offered] == [False] * (len(offered) - 2) + [True] * 2
        assert len(offered) > 2
        for path, leads in (("/play", "Okafor&#39;s Turn"), ("/play/fight", "end_turn")):
            page = client.get(f"{path}?me={okafor}").get_data(as_text=True)
            place = page.index("What can wait")
            assert "Take Okafor&#39;s Complication" in page[place:], path
            assert "Take Okafor&#39;s Complication" not in page[:place], path
            assert step == "begin_turn" or leads in page[:place], path
        send(client, step, **({"combatant_id": okafor} if step == "begin_turn" else {}))


def test_the_end_of_buying_is_the_main_choice_of_whose_task_it_is(client: FlaskClient) -> None:
    ids = crew(client)
    send(client, "declare_task", declaration={"character_id": ids["Okafor"], **DECLARATION})
    enter(client, 1)
    assert main_choices(client, ids["Okafor"]) == ["finish_spending"]
    assert main_choices(client, ids["Lindqvist"]) == []


def test_with_nothing_left_to_save_the_end_of_ones_turn_is_the_main_choice(client: FlaskClient) -> None:
    ids = crew(client)
    okafor = ids["Okafor"]
    send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in ids.values()])
    send(client, "begin_turn", combatant_id=okafor)
    send(client, "declare_task", declaration={"character_id": okafor, **DECLARATION, "difficulty": 3})
    enter(client, 2, 12)
    assert table(client)["task"]["momentum_left"] == 0
    assert main_choices(client, okafor) == ["end_turn"]
    assert "finish_spending" in choices(client, okafor)
    assert main_choices(client, ids["Lindqvist"]) == []


def test_a_swift_task_that_was_bought_is_not_ended_by_the_main_choice(client: FlaskClient) -> None:
    """MOM-9: the Task that was paid for is still to come, so the spending ends and not the Turn."""
    ids = crew(client)
    okafor = ids["Okafor"]
    send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in ids.values()])
    send(client, "begin_turn", combatant_id=okafor)
    send(client, "declare_task", declaration={"character_id": okafor, **DECLARATION, "difficulty": 1})
    enter(client, 1, 12)
    assert table(client)["task"]["momentum_left"] == 2
    send(client, "make_spend", spend="swift_task")
    assert main_choices(client, okafor) == ["finish_spending"]
    assert "end_turn" in choices(client, okafor)
    send(client, "finish_spending")
    assert "end_turn" not in main_choices(client, okafor)


def test_whoever_has_passed_begins_or_waits_once_the_round_is_over(client: FlaskClient) -> None:
    """TURN-6: with nobody else left, passing again would change nothing."""
    ids = crew(client)
    send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in ids.values()])
    assert "pass_turn" in choices(client, ids["Okafor"])
    for name in ("Okafor", "Brack", "Lindqvist"):
        send(client, "pass_turn", combatant_id=ids[name])
    assert client.get("/api/v1/table").get_json()["stage"]["word"] == "Round 1 is over"
    for who in (ids["Okafor"], ids["Lindqvist"]):
        assert "pass_turn" not in choices(client, who)
        assert "begin_turn" in choices(client, who)


def masters(client: FlaskClient, *taken: str) -> list[str]:
    """What leads the gamemaster's list, where a person plays those who are `taken`."""
    view = client.get("/api/v1/table").get_json()
    view["persons"] = [{"called": "Sam", "gamemaster": False, "characters": list(taken), "decides_for": list(taken)}]
    made = [one for one in work_of(view, gamemaster=True)["options"] if one["main"]]
    assert made == work_of(view, gamemaster=True)["options"][: len(made)], "first of all"
    return [one["command"]["command"] for one in made]


def test_a_hit_leads_the_gamemaster_on_and_what_another_person_decides_does_not(client: FlaskClient) -> None:
    ids = crew(client)
    send(client, "start_conflict", kind="personal", combatants=[{"combatant_id": one} for one in ids.values()])
    send(client, "take_weapon", character_id=ids["Brack"], weapon="phaser_type_2")
    for who, whom, theirs in (("Okafor", "Brack", []), ("Brack", "Okafor", ["settle_damage"])):
        assert masters(client, ids["Okafor"]) == (["begin_turn"] if theirs else []), "of several who may none leads"
        send(client, "begin_turn", combatant_id=ids[who])
        attack = {"name": "attack", "target_id": ids[whom], "weapon": "phaser_type_2"}
        send(client, "declare_task", declaration={"character_id": ids[who], "action": attack})
        enter(client, 1)
        assert masters(client) == masters(client, ids["Okafor"]) == ["follow_through"], who
        send(client, "follow_through")
        enter(client, "blank")
        assert masters(client) == ["settle_damage"], who
        assert masters(client, ids["Okafor"]) == theirs, who
        send(client, "settle_damage")
        while table(client)["task"]:
            send(client, "finish_spending")
        assert masters(client) == ["end_turn"], who
        assert masters(client, ids["Okafor"]) == (["end_turn"] if theirs else []), who
        send(client, "end_turn")


def test_an_injury_leads_the_gamemaster_on_where_no_other_person_chooses(client: FlaskClient) -> None:
    ids = crew(client)
    for name, likely in (("Okafor", ["avoid_injury"]), ("Brack", ["suffer_injury"])):
        send(client, "strike_hazard", target_id=ids[name], rating=8, reason="Falling rocks")
        enter(client, 2)
        assert masters(client) == likely
        assert masters(client, ids["Okafor"]) == ([] if name == "Okafor" else likely)
        send(client, "undo")
        send(client, "undo")


def test_of_two_with_one_name_whose_dice_they_are_throws_them(client: FlaskClient) -> None:
    first = crew(client)["Okafor"]
    send(client, "save_character", name="Okafor", attributes=ATTRIBUTES, disciplines=DISCIPLINES)
    second = table(client)["characters"][-1]["character_id"]

    def throwers() -> list[str]:
        return [me for me in (first, second, "") if work(client, me)["thrower"]]

    helper = {"character_id": second, "attribute": "reason", "discipline": "science"}
    declaration = {"character_id": first, **DECLARATION, "assists": [helper], "rerolls": ["aim"]}
    send(client, "declare_task", declaration=declaration)
    assert throwers() == [first]
    enter(client, 1)
    assert throwers() == [second]
    enter(client, 19)
    assert throwers() == []
    send(client, "reroll_dice", reason="aim", positions=[0])
    assert throwers() == [first], "their own die, thrown again"


def test_challenge_dice_are_thrown_by_whoever_is_named(client: FlaskClient) -> None:
    ids = crew(client)
    send(client, "declare_challenge", count=2, who="Lindqvist")
    assert [name for name, me in ids.items() if work(client, me)["thrower"]] == ["Lindqvist"]


def test_where_dice_may_be_thrown_again_and_nothing_bought_the_main_choice_leaves_them(client: FlaskClient) -> None:
    ids = crew(client)
    okafor = ids["Okafor"]
    declared = {"character_id": okafor, **DECLARATION, "rerolls": ["aim"]}
    for faces, label in (((19, 18), "Leave the dice as they lie"), ((1, 1), "Done: save")):
        send(client, "declare_task", declaration=declared)
        enter(client, *faces)
        assert work(client, okafor)["again"] is not None
        (main,) = [str(one["label"]) for one in work(client, okafor)["options"] if one["main"]]
        assert main.startswith(label)
        send(client, "finish_spending")


def test_where_a_task_left_nothing_but_to_throw_again_the_next_in_line_goes_on_with_one_tap(
    client: FlaskClient,
) -> None:
    ids = crew(client)
    okafor, lindqvist = ids["Okafor"], ids["Lindqvist"]
    leaves = ["Go on now: Okafor leaves the dice as they lie"]
    for faces, mains in (((1, 1), []), ((19, 18), leaves), ((19, 1), leaves)):
        send(client, "declare_task", declaration={"character_id": okafor, **DECLARATION, "rerolls": ["aim"]})
        enter(client, *faces)
        send(client, "line_up", declaration={"character_id": lindqvist, **DECLARATION}, waits=True)
        assert [str(one["label"]) for one in work(client, lindqvist)["options"] if one["main"]] == mains
        assert main_choices(client, okafor) == ["finish_spending"], "both may choose"
        send(client, "undo")
        send(client, "finish_spending")


@pytest.mark.parametrize("gamemaster", [False, True])
def test_with_no_momentum_left_the_complication_is_what_leads(client: FlaskClient, *, gamemaster: bool) -> None:
    """TASK-7: the pool can still buy something, so that the spending goes on, and one tap settles what is open."""
    ids = crew(client)
    acts = ids["Brack" if gamemaster else "Okafor"]
    send(client, "adjust_pool", pool="threat" if gamemaster else "momentum", change=3)
    send(client, "declare_task", declaration={"character_id": acts, **DECLARATION, "difficulty": 1})

    def mains() -> list[str]:
        view = client.get("/api/v1/table").get_json()
        found = work_of(view, gamemaster=gamemaster, me="" if gamemaster else acts)
        return [one["option_id"] for one in found["options"] if one["main"]]

    enter(client, 8, 20)
    assert (table(client)["task"]["momentum_left"], table(client)["task"]["complications_open"]) == (0, 1)
    assert mains() == ["take_complication"]
    send(client, "take_complication")
    assert mains() == ["finish_spending"]
    send(client, "undo")
    send(client, "undo")
    enter(client, 1, 20)
    assert mains() == ["finish_spending"], "there is Momentum to save"


@pytest.mark.parametrize(
    ("name", "other", "short"),
    [
        ("Wilhelmina Featherstonehaugh", "Lindqvist", "Featherstonehaugh"),
        ("Wilhelmina Featherstonehaugh", "Dora Featherstonehaugh", "Wilhelmina Featherstonehaugh"),
        ("Ann Lee", "Ann Lee Smith", "Lee"),
    ],
)
def test_a_button_calls_a_player_by_the_short_name_where_it_is_one(
    client: FlaskClient, name: str, other: str, short: str
) -> None:
    """A whole name may be sixty letters long; on the gamemaster's page it stands whole."""
    ids = crew(client)
    for who, called in (("Okafor", name), ("Lindqvist", other)):
        card = {"attributes": ATTRIBUTES, "disciplines": DISCIPLINES}
        send(client, "save_character", character_id=ids[who], name=called, **card)
    send(client, "strike_hazard", target_id=ids["Okafor"], rating=8, reason="Falling rocks")
    enter(client, 2)
    view = client.get("/api/v1/table").get_json()

    def labels(found: dict[str, Any]) -> set[str]:
        return {one["label"] for one in found["options"]}

    assert f"{short} suffers the Injury" in labels(work(client, ids["Okafor"]))
    assert f"{name} suffers the Injury" in labels(work_of(view, gamemaster=True))


def test_a_name_within_what_somebody_typed_stays_whole(client: FlaskClient) -> None:
    """A Value, or another's name of which it is a part."""
    ids = crew(client)
    value = "Never leave Bea Reed behind"
    card = {"attributes": ATTRIBUTES, "disciplines": DISCIPLINES}
    send(client, "save_character", character_id=ids["Okafor"], name="Bea Reed", values=[value, "Bea Reed"], **card)
    send(client, "save_character", name="Bea Reed's Guard", standing="notable_npc", **card)
    send(client, "strike_hazard", target_id=ids["Okafor"], rating=8, reason="Falling rocks")
    enter(client, 2)
    send(client, "suffer_injury")
    labels = {one["label"] for one in work(client, ids["Okafor"])["options"]}
    assert f"Reed acts in spite of the Injury, by the Value: {value}" in labels
    assert "Reed acts in spite of the Injury, by the Value: Bea Reed" in labels


def test_each_way_to_pay_has_the_price_of_its_own(client: FlaskClient) -> None:
    """POOL-4, BUY-2: no row names a payment that is the next row's."""
    ids = crew(client)
    send(client, "adjust_pool", pool="momentum", change=3)
    send(client, "declare_task", declaration={"character_id": ids["Okafor"], **DECLARATION})
    costs = {str(one["label"]): str(one["cost"]) for one in work(client, ids["Okafor"])["options"]}
    assert costs["Buy one more d20 with Momentum"] == "1 Momentum"
    assert costs["Buy one more d20 by adding Threat"] == "1 Threat added"


def test_determination_that_buys_no_die_any_more_says_why_and_taking_the_task_back_is_last(client: FlaskClient) -> None:
    """BUY-5."""
    okafor = crew(client)["Okafor"]
    card = {"attributes": ATTRIBUTES, "disciplines": DISCIPLINES}
    send(client, "save_character", character_id=okafor, name="Okafor", values=["The crew decides with me"], **card)
    send(client, "declare_task", declaration={"character_id": okafor, **DECLARATION})

    def by_determination() -> list[str]:
        return [one["option_id"] for one in work(client, okafor)["options"] if "determination" in one["option_id"]]

    assert (work(client, okafor)["late"], bool(by_determination())) == (False, True)
    assert choices(client, okafor)[-1] == "withdraw_task"
    send(client, "buy_die", purchase={"payer": "threat"})
    assert (work(client, okafor)["late"], by_determination()) == (True, [])
    assert choices(client, okafor)[-1] == "withdraw_task"
    assert "it has to be the first that is bought" in client.get(f"/play?me={okafor}").text
