"""Whatever is played on a map: everybody is in a zone that there is, Reach takes one zone, and undo brings all back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.conflict.positions import parted
from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.conflict.zones import ChangeZone, DrawMap, PlaceAt
from rules.legal.offers import Option, options
from rules.state.table import Table
from rules.state.vocabulary import ConflictKind, Layout, Ruleset, Terrain
from rules.undo import Undo
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game

MOST_STEPS = 12


def holds(table: Table) -> None:
    """What is true of every table with a map."""
    zone_map = table.zone_map
    assert zone_map is not None
    ids = {one.zone_id for one in zone_map.zones}
    assert len({one.who_id for one in zone_map.places}) == len(zone_map.places)
    assert {one.zone_id for one in zone_map.places} <= ids
    if table.conflict is not None:
        assert not any(parted(table, *pair) for pair in table.conflict.reach)


def mapped(game: Game, layout: Layout, spots: list[int], who: list[str]) -> None:
    """A map of four zones, one of them hard to leave, with everybody somewhere."""
    game.do(DrawMap(zones=("North", "East", "South", "West"), layout=layout))
    assert game.table.zone_map is not None
    zones = [one.zone_id for one in game.table.zone_map.zones]
    game.do(ChangeZone(zone_id=zones[1], terrain=Terrain.DENSE_NEBULA, hazardous=True, difficulty=1, concealment=1))
    game.do(ChangeZone(zone_id=zones[1], cover=1, hazard=2))
    for one, spot in zip(who, spots, strict=True):
        game.do(PlaceAt(who_ids=(one,), zone_id=zones[spot]))


def fight_of(ruleset: Ruleset, layout: Layout, spots: list[int], kind: ConflictKind) -> Game:
    if kind is ConflictKind.PERSONAL:
        game: Game = Skirmish(ruleset, begins="okafor", momentum=4)
        assert isinstance(game, Skirmish)
        mapped(game, layout, spots, [game.okafor, game.lindqvist, game.brack, game.dorr])
        game.do(BeginTurn(combatant_id=game.okafor))
        return game
    fleet = Fleet(momentum=4) if ruleset is Ruleset.SECOND_EDITION else Squadron(momentum=4, ruleset=ruleset)
    mapped(fleet, layout, spots[:2], [fleet.ship, fleet.raider])
    crew = (
        Entrant(combatant_id=fleet.okafor, ship_id=fleet.ship, station="helm"),
        Entrant(combatant_id=fleet.raider),
    )
    fleet.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=crew, begins=fleet.okafor))
    fleet.do(BeginTurn(combatant_id=fleet.okafor))
    return fleet


@pytest.mark.parametrize("kind", list(ConflictKind))
@pytest.mark.parametrize("ruleset", list(Ruleset))
@settings(max_examples=8, deadline=None)
@given(
    layout=st.sampled_from(Layout),
    spots=st.lists(st.integers(0, 3), min_size=4, max_size=4),
    choices=st.lists(st.integers(0, 10_000), min_size=1, max_size=MOST_STEPS),
)
def test_whatever_is_chosen_the_map_stays_whole(
    ruleset: Ruleset, kind: ConflictKind, layout: Layout, spots: list[int], choices: list[int]
) -> None:
    game = fight_of(ruleset, layout, spots, kind)
    tables = [game.table]
    for choice in choices:
        if game.table.request is not None:
            break
        offered: tuple[Option, ...] = tuple(one for one in options(game.table) if one.option_id != "end_conflict")
        if not offered:
            break
        before = game.table
        if game.do(offered[choice % len(offered)].worded()):
            tables.append(before)
        holds(game.table)
    for table in reversed(tables[1:]):
        game.do(Undo())
        assert game.table == table
