"""Between throws the table's screen shows the crew, and the ships drawn from their data."""

from __future__ import annotations

import re
from dataclasses import replace

from kiosk.views.company import MOST_CREW, company
from kiosk.views.silhouette import PLACES
from kiosk.web.live_parts import LivePage
from rules.game import Condition, System, Table
from rules.state.ships import SystemDamage
from rules.state.vocabulary import CrewQuality, InjuryState
from tests.kiosk.desk import Desk, post
from tests.kiosk.web.test_first_steps import read
from tests.kiosk.web.test_live_parts import parts_of


def crewed(desk: Desk) -> Table:
    """The sample crew at a table."""
    client = desk.client()
    form = {"ruleset": "core-1e", "back": "/setup"}
    token = re.search(r'name="token" value="([^"]*)"', read(client, "/setup"))
    assert token is not None
    assert client.post("/text/sample_crew", data=form | {"token": token[1]}).status_code == 303
    return desk.engine.present().table


def test_the_crew_is_named_with_what_befell_them_and_each_ship_with_its_shields() -> None:
    with Desk() as desk:
        table = crewed(desk)
        hurt = replace(table.characters[0], body=replace(table.characters[0].body, injury=InjuryState.NONLETHAL))
        made = company(replace(table, characters=(hurt, *table.characters[1:])))
        assert [one.name for one in made.crew] == [one.name for one in table.characters]
        assert [one.injury for one in made.crew] == ["Injured", "", "", ""]
        assert made.crew[0].stress is not None
        (ship,) = made.ships
        drawn = ship.drawing
        assert (ship.name, drawn.large, drawn.foe, drawn.shield_share) == ("Distant Harbour", True, False, 100)
        assert drawn.hits == ()


def test_a_hit_is_drawn_where_its_system_lies() -> None:
    with Desk() as desk:
        table = crewed(desk)
        own = table.ships[0]
        damage = (
            SystemDamage(system=System.ENGINES, breaches=2, condition=Condition.DAMAGED),
            SystemDamage(system=System.SENSORS, breaches=1, condition=Condition.DISABLED),
        )
        state = replace(own.state, systems=damage, shields=own.state.shields_max // 2)
        foe = replace(own, ship_id="foe", scale=2, crew=CrewQuality.TALENTED)
        drawn, other = (one.drawing for one in company(replace(table, ships=(replace(own, state=state), foe))).ships)
        assert drawn.shield_share == round(100 * state.shields / state.shields_max)
        assert {(one.x, one.y): (one.system, one.breaches) for one in drawn.hits} == {
            PLACES[System.ENGINES]: ("Engines", "2 Breaches"),
            PLACES[System.SENSORS]: ("Sensors", "1 Breach"),
        }
        assert (other.foe, other.large, other.hits) == (True, False, ())
    assert len(set(PLACES.values())) == len(System), "each system lies somewhere else"


def test_the_display_has_it_live_and_not_more_than_it_can_show() -> None:
    with Desk() as desk:
        table = crewed(desk)
        part = parts_of(desk.client(), LivePage.DISPLAY)["company"]
        assert part.count('class="silhouette"') == 1
        assert "Captain Ilse Brandt" in part
        many = tuple(replace(table.characters[0], character_id=f"one-{number}") for number in range(20))
        assert len(company(replace(table, characters=many)).crew) == MOST_CREW
        post(desk.client(), "/api/v1/commands", {"command": "undo", "confirmed": True})
        assert " hidden>" in parts_of(desk.client(), LivePage.DISPLAY)["company"]
