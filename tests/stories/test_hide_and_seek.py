"""Hide and seek on a map: around a planet, into the dust, a probe ahead, a shot from afar. Restarted at every step."""

from __future__ import annotations

from typing import Any

import pytest

from rules.conflict.rounds import Entrant
from rules.conflict.zones import ChangeZone, DrawMap, PlaceAt, PutMapAway
from rules.ships.cards import SaveShip
from rules.state.conflict import Action
from rules.state.ships import ShipWeapon
from rules.state.vocabulary import ActionScope, ConflictKind, CrewQuality, Range, Ruleset, ShipWeaponKind, Terrain
from tests.rules.tabletop import disciplines, systems
from tests.stories.telling import Story

PHASERS = ShipWeapon(name="Phasers", kind=ShipWeaponKind.ENERGY, rating=7)


class Seek(Story):
    """The Far Lantern seeks the raider Black Comet, which lies hidden in the dust."""

    def __init__(self) -> None:
        super().__init__(Ruleset.SECOND_EDITION)
        numbers: dict[str, Any] = {"systems": systems(), "departments": disciplines(), "weapons": (PHASERS,)}
        self.do(SaveShip(ship_id=self.ship, name="Far Lantern", scale=4, shields=10, **numbers))
        self.do(SaveShip(name="Black Comet", scale=2, shields=12, crew=CrewQuality.TALENTED, **numbers))
        self.comet = self.table.ships[-1].ship_id

    def zones(self) -> dict[str, str]:
        assert self.table.zone_map is not None
        return {one.name: one.zone_id for one in self.table.zone_map.zones}

    def where(self, ship_id: str) -> str:
        zone = self.table.zone_map.zone_of(ship_id) if self.table.zone_map is not None else None
        return zone.name if zone is not None else ""


def tell(game: Seek) -> None:
    game.do(DrawMap(zones=("Far side", "Orbit", "Dust", "Gate")))
    zones = game.zones()
    game.do(ChangeZone(zone_id=zones["Dust"], terrain=Terrain.DUST_CLOUD, concealment=1))
    game.do(PlaceAt(who_ids=(game.ship,), zone_id=zones["Far side"]))
    game.do(PlaceAt(who_ids=(game.comet,), zone_id=zones["Gate"]))
    game.conflict(
        ConflictKind.STARSHIP,
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="sensors"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=game.comet),
        begins=game.okafor,
    )
    game.begin(game.okafor)
    game.minor(game.okafor, "launch_probe", ActionScope.BRIDGE, zone_id=zones["Dust"])
    game.declare(game.okafor, action=Action(name="scan_for_weakness", scope=ActionScope.BRIDGE, target_id=game.comet))
    action = game.task.declaration.action
    assert action is not None
    assert (action.at_range, game.task.difficulty) == (Range.MEDIUM, 3)
    game.throw(1, 1)
    game.throw(10)
    game.finish()
    game.end()
    game.begin(game.comet)
    game.minor(game.comet, "impulse", ActionScope.BRIDGE, zone_id=zones["Dust"])
    assert game.where(game.comet) == "Dust"
    game.end()
    game.begin(game.lindqvist)
    game.minor(game.lindqvist, "impulse", ActionScope.BRIDGE, zone_id=zones["Dust"])
    assert game.where(game.ship) == "Dust"
    assert "Far Lantern moves to Dust. Close to Black Comet." in game.last_said.normal
    game.do(PutMapAway())


@pytest.mark.parametrize("restarts", [False, True], ids=["live", "restarted"])
def test_hide_and_seek(restarts: bool) -> None:  # noqa: FBT001 - pytest's own
    game = Seek()
    game.restarts = restarts
    tell(game)
    game.restarts = False
    game.take_all_back()
