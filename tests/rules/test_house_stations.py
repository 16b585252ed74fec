"""What a house changes of stations and of a ship's systems is what the table plays."""

from __future__ import annotations

from typing import Any

import pytest

from rules.house.adopting import AdoptHouseTables
from rules.house.tables import house_tables
from rules.rulesets.profiles import profile_of
from rules.ships.second.numbers import system_destroyed
from rules.ships.stations import station_action
from rules.state.conflict import Action
from rules.state.house import HouseTables
from rules.state.ships import SystemDamage
from rules.state.vocabulary import ActionScope, Attribute, Condition, Discipline, Ruleset, System
from rules.table import PLAYBOOK
from tests.rules.fleet2e import Fleet

HOUSE: dict[str, Any] = {
    "stations": {
        "tractor_beam": {"difficulty": 1, "second-edition": {"difficulty": 4}},
        "warp": {"starter": {"power": 1}},
    },
    "breaches": {"4": {"damaged": 1, "disabled": 3, "destroyed": 4}},
}

HOLE = SystemDamage(system=System.SENSORS, breaches=1, condition=Condition.DAMAGED)


def house(plain: dict[str, Any] | None = None) -> HouseTables:
    return house_tables(HOUSE if plain is None else plain, "stations.toml")


def test_a_station_is_as_the_house_says_in_one_ruleset_or_in_all() -> None:
    """STN-22, S2E-T7, STN-13."""
    found = {one: station_action("tractor_beam", profile_of(one, house=house())).difficulty for one in Ruleset}
    assert found == {Ruleset.STARTER: 1, Ruleset.CORE_1E: 1, Ruleset.SECOND_EDITION: 4}
    assert station_action("warp", profile_of(Ruleset.STARTER, house=house())).power == 1
    assert station_action("warp", profile_of(Ruleset.CORE_1E, house=house())).power == 2
    changed = {"stations": {"rally": {"attributes": ["reason", "daring"], "discipline": "science"}}}
    row = station_action("rally", profile_of(Ruleset.CORE_1E, house=house(changed)))
    assert (row.attributes, row.discipline) == ((Attribute.REASON, Attribute.DARING), Discipline.SCIENCE)


@pytest.mark.parametrize(
    ("ruleset", "name", "usual", "ours"),
    [
        (Ruleset.STARTER, "sensor_sweep", 1, 4),
        (Ruleset.CORE_1E, "fire_weapon", 2, 4),
        (Ruleset.CORE_1E, "ramming_speed", 2, 4),
        (Ruleset.CORE_1E, "signals_jamming", 1, 4),
        (Ruleset.CORE_1E, "regenerate_shields", 2, 5),
        (Ruleset.SECOND_EDITION, "regenerate_shields", 3, 5),
        (Ruleset.SECOND_EDITION, "fire", 2, 4),
        (Ruleset.SECOND_EDITION, "damage_control", 2, 4),
        (Ruleset.SECOND_EDITION, "transport", 3, 5),
        (Ruleset.SECOND_EDITION, "long_repair", 3, 4),
    ],
)
def test_a_station_is_played_as_the_house_says(ruleset: Ruleset, name: str, usual: int, ours: int) -> None:
    """STN-5, STN-8, STN-16, STN-20, STN-23, S2E-C5, S2E-C6, S2E-O3, S2E-T5, S2E-19: what a rule adds stays added."""
    for stations, difficulty in (({}, usual), ({name: {"difficulty": 4}}, ours)):
        game = Fleet(ruleset=ruleset)
        game.do(AdoptHouseTables(tables=house({"stations": stations})))
        game.state(game.ship, shields=0)
        if ruleset is Ruleset.SECOND_EDITION:
            game.state(game.ship, reserve_power=True, systems=(HOLE,))
        row = PLAYBOOK.action(Action(name=name, scope=ActionScope.BRIDGE), ruleset)
        assert row is not None
        aimed = System.SENSORS if "repair" in name or "control" in name else None
        chosen: dict[str, Any] = {"system": aimed, "target_id": game.raider, "weapon": "Phasers"}
        game.act(name, **{field: value for field, value in chosen.items() if field in row.needs})
        assert game.table.task is not None
        assert game.table.task.difficulty == difficulty


def test_an_answer_to_an_attack_is_as_the_house_says() -> None:
    """S2E-H4: Evasive Action of the house's attribute and discipline."""
    game = Fleet()
    row = {"evasive_action": {"attributes": ["reason"], "discipline": "science"}}
    game.do(AdoptHouseTables(tables=house({"stations": row})))
    game.act("evasive_action", game.lindqvist)
    game.act("fire", game.raider, target_id=game.ship, weapon="Phasers")
    game.throw(1, 1)
    game.throw(20)
    game.act("evade", game.lindqvist)
    assert game.table.task is not None
    answer = game.table.task.declaration
    assert (answer.attribute, answer.discipline) == (Attribute.REASON, Discipline.SCIENCE)


def test_a_system_is_destroyed_in_the_second_edition_as_the_house_says() -> None:
    """S2E-14, BRCH-1."""
    assert system_destroyed(4, 2)
    assert not system_destroyed(4, 3, house())
    assert system_destroyed(4, 4, house())
    game = Fleet()
    game.do(AdoptHouseTables(tables=house()))
    game.state(game.ship, shields=0)
    game.strike(9)
    game.strike(9)
    assert game.of().state.damage_of(System.STRUCTURE).breaches == 2
    assert game.of().state.damage_of(System.STRUCTURE).condition is Condition.DAMAGED
