"""Between throws the table's screen shows the crew, and the ships drawn from their data."""

from __future__ import annotations

import re
from dataclasses import replace

from kiosk.views.company import MOST_CREW, MOST_SHIPS, company
from kiosk.views.conflict_view import ships_at_table
from kiosk.views.silhouette import PLACES, silhouette
from kiosk.web.live_parts import LivePage
from rules.game import Condition, System, Table
from rules.state.conflict import Combatant, Conflict
from rules.state.ships import SystemDamage
from rules.state.vocabulary import ConflictKind, CrewQuality, InjuryState, Side
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


def test_ships_that_are_not_drawn_are_counted() -> None:
    with Desk() as desk:
        table = crewed(desk)
        for number, words in (
            (3, ("", "")),
            (4, ("", "and 1 more ship")),
            (10, ("and 2 more ships", "and 7 more ships")),
        ):
            ships = tuple(replace(table.ships[0], ship_id=f"ship-{place}") for place in range(number))
            made = company(replace(table, ships=ships))
            assert len(made.ships) == min(number, MOST_SHIPS)
            assert (made.more_ships, made.with_few) == words


def test_a_hit_is_drawn_where_its_system_lies() -> None:
    with Desk() as desk:
        table = crewed(desk)
        own = table.ships[0]
        damage = (
            SystemDamage(system=System.ENGINES, breaches=2, condition=Condition.DAMAGED),
            SystemDamage(system=System.SENSORS, breaches=1, condition=Condition.DISABLED),
        )
        state = replace(own.state, systems=damage, shields=own.state.shields_max // 2)
        (drawn,) = (one.drawing for one in company(replace(table, ships=(replace(own, state=state),))).ships)
        assert drawn.shield_share == round(100 * state.shields / state.shields_max)
        assert {(one.x, one.y): (one.system, one.breaches) for one in drawn.hits} == {
            PLACES[System.ENGINES]: ("Engines", "2 Breaches"),
            PLACES[System.SENSORS]: ("Sensors", "1 Breach"),
        }
        foe = silhouette(replace(own, ship_id="foe", scale=2, crew=CrewQuality.TALENTED))
        assert (foe.foe, foe.large, foe.hits) == (True, False, ())
    assert len(set(PLACES.values())) == len(System), "each system lies somewhere else"


def test_a_foes_ship_leaves_stage_and_phones_with_its_fight() -> None:
    with Desk() as desk:
        table = crewed(desk)
        own = table.ships[0]
        foe = replace(own, ship_id="foe", name="Comet", crew=CrewQuality.TALENTED)
        fight = Conflict(
            kind=ConflictKind.STARSHIP, round=1, combatants=(Combatant(combatant_id="foe", side=Side.NPC),)
        )
        during = replace(table, ships=(own, foe), conflict=fight)
        assert [one.name for one in ships_at_table(during)] == [own.name, "Comet"]
        after = replace(during, conflict=None)
        assert [one.name for one in company(after).ships] == [own.name]
        assert [one.name for one in ships_at_table(after)] == [own.name]


def test_the_display_has_it_live_and_not_more_than_it_can_show() -> None:
    with Desk() as desk:
        table = crewed(desk)
        part = parts_of(desk.client(), LivePage.DISPLAY)["company"]
        assert part.count('class="silhouette"') == 1
        assert "Captain Ilse Brandt" in part
        many = tuple(replace(table.characters[0], character_id=f"one-{number}") for number in range(20))
        shown = company(replace(table, characters=many))
        assert (len(shown.crew), shown.more) == (MOST_CREW, 20 - MOST_CREW), "the rest is counted"
        assert company(table).more == 0
        post(desk.client(), "/api/v1/commands", {"command": "undo", "confirmed": True})
        assert " hidden>" in parts_of(desk.client(), LivePage.DISPLAY)["company"]
