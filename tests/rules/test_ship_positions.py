"""Ships on the map: ranges, ways and their price, scans, probes, areas and cores (SHIP-9, S2E-1, S2E-5, S2E-X)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.conflict.budget import TakeMinorAction
from rules.conflict.lasting import EffectBegan, effects_named
from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.conflict.zones import ChangeZone, DrawMap, PlaceAt
from rules.deciding.agenda import AgendaChanged
from rules.deciding.decision import Command
from rules.legal.menu import choices_for
from rules.legal.offers import options
from rules.ships.cards import SaveShip
from rules.ships.first.choosing import SettleShipHit
from rules.ships.first.rounds import may_be_named
from rules.ships.places import impulse_price, sheltered, terrain_at
from rules.ships.second.core import ChooseShipsInClose
from rules.ships.second.hits import SettleHit
from rules.ships.second.movement import SetTerrain
from rules.state.conflict import Action, LastingEffect, Step
from rules.state.options import TableOptions
from rules.state.vocabulary import (
    ActionScope,
    ConflictKind,
    CrewQuality,
    Layout,
    Range,
    Ruleset,
    StepKind,
    System,
    Terrain,
)
from rules.status import where_told
from rules.tasks.settling import FinishSpending
from tests.rules.fleet2e import Fleet
from tests.rules.squadron import Squadron

ZONES = ("Orbit", "Ring", "Nebula", "Gate")


def draw(game: Fleet) -> tuple[str, ...]:
    """Orbit, Ring, Nebula and Gate in a line; the players' ship in orbit, the raider in the nebula."""
    game.do(DrawMap(zones=ZONES))
    assert game.table.zone_map is not None
    ids = tuple(one.zone_id for one in game.table.zone_map.zones)
    game.do(PlaceAt(who_ids=(game.ship,), zone_id=ids[0]))
    game.do(PlaceAt(who_ids=(game.raider,), zone_id=ids[2]))
    return ids


def where(game: Fleet, ship_id: str = "") -> str:
    assert game.table.zone_map is not None
    zone = game.table.zone_map.zone_of(ship_id or game.ship)
    return zone.name if zone is not None else ""


def range_of_task(game: Fleet) -> Range | None:
    action = game.task.declaration.action
    assert action is not None
    return action.at_range


def fight(game: Fleet, station: str = "helm") -> None:
    """A fight of ships: Okafor at that station has the Turn."""
    crew = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station=station),
        Entrant(combatant_id=game.raider),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=crew, begins=game.okafor))
    game.do(BeginTurn(combatant_id=game.okafor))


# --- the first edition ------------------------------------------------------------------------------------------


def test_a_shots_range_is_the_maps() -> None:
    """SATK-1: 1 for each band off the best range, which nobody has to say."""
    game = Squadron()
    draw(game)
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers")
    assert range_of_task(game) is Range.LONG
    assert game.task.difficulty == 3
    game = Squadron()
    draw(game)
    wrong = game.acting("fire_weapon", target_id=game.raider, weapon="Phasers", at_range=Range.CLOSE)
    said = game.refused(wrong, "RNG-1")
    assert said.startswith("On the map Black Comet is at long range, not at close range")


def on_islands() -> Squadron:
    game = Squadron()
    game.do(DrawMap(zones=("Orbit", "Isle"), layout=Layout.LINKS))
    assert game.table.zone_map is not None
    for who, zone in zip((game.ship, game.raider), game.table.zone_map.zones, strict=True):
        game.do(PlaceAt(who_ids=(who,), zone_id=zone.zone_id))
    return game


def test_where_no_way_leads_is_far_unless_somebody_says_how_far() -> None:
    game = on_islands()
    game.refused(game.acting("tractor_beam", target_id=game.raider), "STN-22")
    assert game.refused(game.acting("ramming_speed", target_id=game.raider), "RNG-1").startswith("No way leads")
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers")
    assert range_of_task(game) is Range.EXTREME
    game = on_islands()
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers", at_range=Range.MEDIUM)
    assert range_of_task(game) is Range.MEDIUM


def test_without_a_map_a_range_is_said_by_hand() -> None:
    game = Squadron()
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers", at_range=Range.EXTREME)
    assert range_of_task(game) is Range.EXTREME
    assert game.task.difficulty == 4


@pytest.mark.parametrize("ruleset", [Ruleset.STARTER, Ruleset.CORE_1E])
def test_impulse_moves_on_the_map(ruleset: Ruleset) -> None:
    """STN-11, STN-12."""
    game = Squadron(ruleset=ruleset)
    ids = draw(game)
    game.state(game.ship, power=5, power_max=9)
    game.refused(game.acting("maneuver", zone_id=ids[2]), "STN-11")
    game.refused(game.acting("impulse", zone_id=ids[3]), "STN-12")
    game.refused(game.acting("impulse", zone_id=ids[1], zones=2), "RNG-1")
    game.refused(game.acting("impulse", zones=1), "RNG-1")
    game.act("impulse", zone_id=ids[2])
    assert where(game) == "Nebula"
    assert "Far Lantern moves to Nebula. Close to Black Comet." in game.last_said.normal
    game.act("maneuver")
    assert where(game) == "Nebula"


def test_a_hard_zone_is_thrown_for() -> None:
    """SHIP-9: terrain raises the Difficulty, and it is the hardest of those that are left."""
    game = Squadron()
    ids = draw(game)
    game.state(game.ship, power=5, power_max=9)
    game.do(ChangeZone(zone_id=ids[1], difficulty=2))
    game.do(ChangeZone(zone_id=ids[2], difficulty=4))
    game.act("impulse", zone_id=ids[2])
    assert game.task.difficulty == 2
    assert game.task.declaration.rolled
    game.throw(1, 1)
    game.throw(10)
    game.finish()
    assert where(game) == "Nebula"


def test_warp_counts_zones_and_leaves_the_map_without_one() -> None:
    """STN-13: Power for each zone."""
    game = Squadron()
    ids = draw(game)
    game.state(game.ship, power=9, power_max=9)
    game.refused(game.acting("warp", zone_id=ids[1]), "STN-13")
    game.act("warp", zone_id=ids[3])
    assert where(game) == "Gate"
    assert game.of().state.power == 6
    game.act("warp", zones=2)
    assert where(game) == ""
    assert "leaves the map" in game.last_said.terse


def test_a_beam_takes_close_range() -> None:
    """STN-22."""
    game = Squadron()
    ids = draw(game)
    game.refused(game.acting("tractor_beam", target_id=game.raider), "STN-22")
    game.do(PlaceAt(who_ids=(game.raider,), zone_id=ids[0]))
    game.act("tractor_beam", target_id=game.raider)
    assert range_of_task(game) is Range.CLOSE


def test_a_sweep_where_the_probe_is_is_easier() -> None:
    """STN-25."""
    game = Squadron()
    ids = draw(game)
    game.act("launch_probe", zone_id=ids[2])
    game.act("sensor_sweep", zone_id=ids[2], level=3)
    assert game.task.difficulty == 1


def test_an_area_takes_ships_in_close_range() -> None:
    """SWPN-1: of the target; a map says who is."""
    game = Squadron()
    ids = draw(game)
    step = Step(kind=StepKind.SHIP_TARGETS, subject_id=game.raider, name="area", count=1)
    game.do(PlaceAt(who_ids=(game.ember,), zone_id=ids[2]))
    assert [one.ship_id for one in may_be_named(game.table, step)] == [game.ember]
    game.do(PlaceAt(who_ids=(game.ember,), zone_id=ids[3]))
    assert may_be_named(game.table, step) == ()


def test_a_zone_shelters_ships_and_hides_them() -> None:
    """SDMG-1, S2E-9."""
    game = Squadron()
    ids = draw(game)
    game.do(ChangeZone(zone_id=ids[2], cover=3, concealment=1))
    assert sheltered(game.table, game.of(game.raider)).state.resistance_dice == 3
    assert sheltered(game.table, game.of()).state.resistance_dice == 0
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers")
    assert game.task.difficulty == 4


def test_whoever_rams_is_where_the_target_is() -> None:
    """STN-16."""
    game = Squadron()
    draw(game)
    game.act("ramming_speed", target_id=game.raider)
    assert game.task.difficulty == 4
    game.throw(1, 1)
    game.throw(1)
    game.follow()
    assert where(game) == "Nebula"


@pytest.mark.parametrize("game", [Squadron(), Fleet()])
def test_a_zone_says_that_leaving_is_harder_where_it_is(game: Fleet) -> None:
    """SHIP-9, S2E-5: ships of the second edition pay for terrain, and no number makes leaving harder for them."""
    ids = draw(game)
    game.do(ChangeZone(zone_id=ids[1], difficulty=2, terrain=Terrain.DENSE_NEBULA))
    harder = isinstance(game, Squadron)
    assert ("leaving is 2 harder" in game.last_said.normal) == harder
    assert "dense nebula" in game.last_said.normal
    told = where_told(game.table)
    assert told is not None
    assert ("leaving is 2 harder" in told.full) == harder
    game.do(PlaceAt(who_ids=(game.okafor,), zone_id=ids[1]))
    told = where_told(game.table)
    assert told is not None
    assert "leaving is 2 harder" in told.full, "people on foot sprint through it"


# --- the second edition -----------------------------------------------------------------------------------------


def test_impulse_pays_for_each_zone_that_is_left() -> None:
    """S2E-5: 1 less where it goes just one zone."""
    game = Fleet(momentum=6)
    ids = draw(game)
    game.do(ChangeZone(zone_id=ids[0], terrain=Terrain.PLANETARY_GRAVITY_WELL))
    game.do(ChangeZone(zone_id=ids[1], terrain=Terrain.DEBRIS_FIELD))
    game.do(ChangeZone(zone_id=ids[2], terrain=Terrain.DENSE_NEBULA))
    ship = game.of()
    assert impulse_price(game.table, ship, ids[1], 1) == 0
    assert impulse_price(game.table, ship, ids[2], 2) == 2
    assert terrain_at(game.table, ship) == (Terrain.PLANETARY_GRAVITY_WELL, False)
    fight(game)
    labels = {one.label: one for one in options(game.table)}
    assert "Okafor: Impulse to Nebula, 2 zones" in labels
    assert labels["Okafor: Impulse to Nebula, 2 zones"].price.momentum == 2
    assert labels["Okafor: Impulse to Ring, 1 zone"].price.momentum == 0
    game.do(labels["Okafor: Impulse to Nebula, 2 zones"].command)
    assert (where(game), game.table.momentum) == ("Nebula", 4)
    assert game.of().state.terrain is Terrain.DENSE_NEBULA
    assert "Close to Black Comet" in game.last_said.normal


def test_impulse_goes_two_zones_and_names_one() -> None:
    """S2E-H1."""
    game = Fleet(momentum=6)
    ids = draw(game)
    fight(game)

    def impulse(**changes: Any) -> TakeMinorAction:  # noqa: ANN401 - an Action's
        action = replace(Action(name="impulse", scope=ActionScope.BRIDGE), **changes)
        return TakeMinorAction(character_id=game.okafor, action=action)

    game.refused(impulse(zone_id=ids[3]), "S2E-H1")
    game.refused(impulse(zone_id=ids[0]), "S2E-H1")
    game.refused(impulse(zones=1), "RNG-1")


def test_hazardous_ground_on_the_way_harms() -> None:
    """S2E-5: Threat that pays is spent at once."""
    game = Fleet()
    ids = draw(game)
    game.do(ChangeZone(zone_id=ids[0], terrain=Terrain.COMET_TAIL, hazardous=True))
    fight(game)
    action = Action(name="impulse", scope=ActionScope.BRIDGE, zone_id=ids[1], threat_part=1)
    (paid,) = (one for one in options(game.table) if one.label == "Okafor: Impulse to Nebula, 2 zones by adding Threat")
    assert (paid.price.threat, paid.price.threat_spent) == (2, False)
    before = game.table.threat
    game.do(TakeMinorAction(character_id=game.okafor, action=action))
    assert game.table.threat == before
    assert "comet tail harms Far Lantern" in game.last_said.normal


def test_the_terrain_of_a_placed_ship_is_its_zones() -> None:
    game = Fleet()
    draw(game)
    game.refused(SetTerrain(ship_id=game.ship, terrain=Terrain.DUST_CLOUD), "S2E-5")


def test_scans_count_their_range_also_from_the_probe() -> None:
    """S2E-X2, S2E-X4, S2E-X5."""
    game = Fleet()
    ids = draw(game)
    game.act("scan_for_weakness", target_id=game.raider)
    assert (range_of_task(game), game.task.difficulty) == (Range.LONG, 4)
    game = Fleet()
    draw(game)
    game.act("scan_for_weakness")
    assert game.task.difficulty == 4
    game = Fleet()
    ids = draw(game)
    game.minor("launch_probe", zone_id=ids[2])
    held = effects_named(game.table, "probe_out", target_id=game.ship)
    assert [one.zone_id for one in held] == [ids[2]]
    game.act("scan_for_weakness", target_id=game.raider)
    assert (range_of_task(game), game.task.difficulty) == (Range.CLOSE, 2)


def test_a_sweep_is_of_a_zone() -> None:
    """S2E-X5, S2E-9."""
    game = Fleet()
    ids = draw(game)
    game.do(ChangeZone(zone_id=ids[1], concealment=2))
    game.act("sensor_sweep", zone_id=ids[1])
    assert game.task.difficulty == 4


def test_a_probe_is_sent_to_long_range() -> None:
    """S2E-X2."""
    game = Fleet()
    ids = draw(game)
    fight(game, "sensors")
    probe = Action(name="launch_probe", scope=ActionScope.BRIDGE, zone_id=ids[3])
    game.refused(TakeMinorAction(character_id=game.okafor, action=probe), "S2E-X2")
    offered = [one.label for one in options(game.table) if "Launch Probe" in one.label]
    assert offered == [
        "Okafor: Launch Probe to Orbit",
        "Okafor: Launch Probe to Ring, 1 zone",
        "Okafor: Launch Probe to Nebula, 2 zones",
    ]
    game.do(TakeMinorAction(character_id=game.okafor, action=replace(probe, zone_id=ids[2])))
    game.act("sensor_sweep", zone_id=ids[3])
    assert (range_of_task(game), game.task.difficulty) == (Range.MEDIUM, 2)


def test_who_evades_says_where_to() -> None:
    """S2E-H4: the winner moves 1 zone."""
    game = Fleet()
    ids = draw(game)
    game.act("evasive_action", game.lindqvist)
    game.act("fire", game.raider, target_id=game.ship, weapon="Phasers")
    game.throw(1, 20)
    game.throw(20)
    labels = {one.label: one for one in options(game.table)}
    game.refused(game.acting("evade", game.lindqvist, ship_id=game.ship, zone_id=ids[3]), "S2E-H4")
    game.do(labels["Lindqvist evades to Ring"].command)
    game.throw(1, 1)
    game.throw(1)
    game.finish()
    assert where(game) == "Ring"


def fire_and_win(game: Fleet, firing: Command) -> None:
    """The raider fires at the ship, which evades, and wins; its hit is thrown."""
    game.do(firing)
    game.throw(1, 1)
    game.throw(19)
    game.act("evade", game.lindqvist, ship_id=game.ship)
    game.throw(19, 19)
    game.throw(20)
    game.do(FinishSpending())
    game.follow()
    game.throw(12)


def test_who_fires_at_a_ship_that_evades_says_where_to() -> None:
    """S2E-H4: whoever wins moves, so the attacker is asked as well, where the ship fired at evades."""
    game = Fleet()
    ids = draw(game)

    def asked(who: str, name: str) -> list[str]:
        action = Action(name=name, scope=ActionScope.BRIDGE)
        found = [one for one in choices_for(game.table, who, action) if one.name == "zone_id"]
        return [one.label for choice in found for one in choice.values]

    assert asked(game.raider, "fire") == []
    firing = game.acting("fire", game.raider, target_id=game.ship, weapon="Phasers", zone_id=ids[3])
    assert game.refused(firing, "S2E-H4") == "Far Lantern does not evade, so nobody moves; leave the zone out."
    game.act("evasive_action", game.lindqvist)
    assert asked(game.raider, "fire") == ["Ring, 1 zone away", "Gate, 1 zone away"]
    assert asked(game.lindqvist, "evade") == ["Ring, 1 zone away"]
    fire_and_win(game, firing)
    game.do(SettleHit())
    game.do(FinishSpending())
    assert where(game, game.raider) == "Gate"
    assert "Black Comet may move 1 zone. Black Comet moves to Gate." in game.last_said.terse
    assert where(game) == "Orbit"


def test_who_wins_against_the_other_form_of_evading_moves_too() -> None:
    """C-44, S2E-H4: at a table of the first edition that plays Evasive Action as the second has it."""
    options = TableOptions(evasive_action_as=Ruleset.SECOND_EDITION)
    game = Fleet(ruleset=Ruleset.CORE_1E, options=options)
    ids = draw(game)
    firing = game.acting("fire_weapon", game.raider, target_id=game.ship, weapon="Phasers", zone_id=ids[3])
    assert game.refused(firing, "S2E-H4") == "Far Lantern does not evade, so nobody moves; leave the zone out."
    game.act("evasive_action", game.lindqvist)
    fire_and_win(game, firing)
    assert game.table.request is not None
    game.throw_challenge(*(1 for _ in range(game.table.request.count)))
    game.do(SettleShipHit())
    game.do(FinishSpending())
    assert where(game, game.raider) == "Gate"
    assert "Black Comet may move 1 zone. Black Comet moves to Gate." in game.last_said.terse


def test_a_concealed_ship_is_harder_to_scan_in_the_first_edition() -> None:
    """STN-24, S2E-9: which ship is scanned is asked on a map alone."""
    game = Fleet(ruleset=Ruleset.CORE_1E)
    game.act("scan_for_weakness")
    assert game.task.difficulty == 1
    game = Fleet(ruleset=Ruleset.CORE_1E)
    ids = draw(game)
    game.do(ChangeZone(zone_id=ids[2], concealment=2))
    game.act("scan_for_weakness")
    assert game.task.difficulty == 3, "the only other ship of the map"
    game = Fleet(ruleset=Ruleset.CORE_1E)
    ids = draw(game)
    card: dict[str, Any] = {"systems": game.of().systems, "departments": game.of().departments}
    game.do(SaveShip(name="Ember", scale=3, crew=CrewQuality.TALENTED, **card))
    ember = game.table.ships[-1].ship_id
    game.do(PlaceAt(who_ids=(ember,), zone_id=ids[1]))
    said = game.refused(game.acting("scan_for_weakness"), "STN-24")
    assert said == "Say which ship is scanned: Black Comet or Ember."
    game.act("scan_for_weakness", target_id=ember)
    assert game.task.difficulty == 1


def test_who_is_aboard_is_where_the_ship_is() -> None:
    """RNG-1: nobody is put elsewhere than the ship that they serve on."""
    game = Fleet()
    ids = draw(game)
    seats = (Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),)
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=seats, begins=game.okafor))
    said = game.refused(PlaceAt(who_ids=(game.okafor,), zone_id=ids[3]), "RNG-1")
    assert said == "Okafor is aboard Far Lantern, and is where that is; put Far Lantern there instead."
    game.do(PlaceAt(who_ids=(game.ship,), zone_id=ids[3]))


def test_warp_goes_no_farther_than_a_number_can_be_meant() -> None:
    """SHIP-7: the starter rules take 1 Power however far it is."""
    game = Fleet(ruleset=Ruleset.STARTER)
    said = game.refused(game.acting("warp", zones=31), "SHIP-7")
    assert said == "Warp covers up to 30 zones; choose within that."
    said = game.refused(game.acting("warp", zones=10**9), "STN-13")
    assert said == "Number of zones goes from 0 to 100; choose within that."
    game.act("warp", zones=30)


def test_warp_moves_on_the_map_or_off_it() -> None:
    """S2E-4."""
    game = Fleet()
    ids = draw(game)
    rerouted = LastingEffect(
        effect_id="effect-900", name="power_rerouted", owner_id=game.okafor, target_id=game.ship, role="engines"
    )
    game.record(EffectBegan(effect=rerouted, next_number=game.table.next_number))
    game.refused(game.acting("warp", zones=2), "RNG-1")
    game.act("warp", zone_id=ids[3])
    game.throw(1, 1)
    game.throw(10)
    game.finish()
    assert where(game) == "Gate"


def test_a_core_takes_those_in_close_range() -> None:
    """S2E-17."""
    game = Fleet(options=TableOptions())
    draw(game)
    step = Step(kind=StepKind.CORE_SPLASH, subject_id=game.raider, count=5)
    game.record(AgendaChanged(steps=(step,)))
    said = game.refused(ChooseShipsInClose(ship_ids=(game.ship,)), "S2E-17")
    assert "Far Lantern is in Orbit, not in Close range" in said
    assert [one.option_id for one in options(game.table) if "close" in one.option_id] == ["choose_ships_in_close:none"]


# --- after another one --------------------------------------------------------------------------------------


def warped(game: Fleet, who: str, *faces: int, **action: Any) -> None:  # noqa: ANN401 - an Action's
    """A ship of the second edition at warp, with all that it takes."""
    game.act("reroute_power", who, system=System.ENGINES)
    game.act("warp", who, **action)
    game.throw(*faces)
    game.throw(20)
    game.finish()


@pytest.mark.parametrize(("faces", "zone"), [((5, 19), ""), ((1, 1), "Gate")])
def test_a_pursuer_comes_to_where_the_other_one_is_if_it_catches_up(faces: tuple[int, int], zone: str) -> None:
    """S2E-4, S2E-23: else it is somewhere off the map; nobody pursues into another zone."""
    game = Fleet()
    ids = draw(game)
    warped(game, game.raider, 5, 19, zone_id=ids[3])
    game.act("reroute_power", system=System.ENGINES)
    said = game.refused(game.acting("warp", game.lindqvist, target_id=game.raider, zone_id=ids[1]), "SHIP-7")
    assert said == "Black Comet is in Gate; pursue it there, or pursue nobody."
    game.act("warp", game.lindqvist, target_id=game.raider)
    assert game.task.declaration.action is not None
    assert game.task.declaration.action.zones == 3
    game.throw(*faces)
    game.throw(20)
    game.finish()
    assert where(game) == zone


@pytest.mark.parametrize("ruleset", [Ruleset.STARTER, Ruleset.CORE_1E])
def test_who_pursues_by_power_comes_to_the_same_zone_and_off_the_map_too(ruleset: Ruleset) -> None:
    """SHIP-7, STN-13."""
    game = Squadron(ruleset=ruleset)
    ids = draw(game)
    game.act("warp", game.raider, zone_id=ids[0])
    game.refused(game.acting("warp", zone_id=ids[2], target_id=game.raider), "SHIP-7")
    game.do(PlaceAt(who_ids=(game.raider,), zone_id=ids[3]))
    game.act("warp", target_id=game.raider)
    assert where(game) == "Gate"
    game.do(PlaceAt(who_ids=(game.raider,)))
    said = game.refused(game.acting("warp", zone_id=ids[0], target_id=game.raider), "SHIP-7")
    assert said == "Black Comet left the map; leave the zone out, or pursue nobody."


def test_warp_leads_to_another_zone() -> None:
    """S2E-4, SHIP-7: not to the one where the ship is."""
    game = Fleet()
    ids = draw(game)
    game.act("reroute_power", system=System.ENGINES)
    said = game.refused(game.acting("warp", game.lindqvist, zone_id=ids[0]), "S2E-4")
    assert said == "Far Lantern is there already; choose another zone, or none to leave the map."
    first = Squadron(ruleset=Ruleset.STARTER)
    ids = draw(first)
    first.refused(first.acting("warp", zone_id=ids[0]), "SHIP-7")


@pytest.mark.parametrize("fleet", [Fleet, Squadron])
def test_a_beam_lets_go_as_its_ship_moves_away(fleet: type[Fleet]) -> None:
    """S2E-T7, STN-22: it reaches to Close range only."""
    game = fleet()
    ids = draw(game)
    game.do(PlaceAt(who_ids=(game.raider,), zone_id=ids[0]))
    game.act("tractor_beam", target_id=game.raider)
    game.throw(1, 1)
    game.throw(20)
    game.finish()
    assert effects_named(game.table, "beam_held", target_id=game.raider)
    if fleet is Fleet:
        game.minor("impulse", game.lindqvist, zone_id=ids[1], zones=1)
    else:
        game.act("impulse", zone_id=ids[1])
    assert where(game) == "Ring"
    assert not effects_named(game.table, "beam_held", target_id=game.raider)


def touching(game: Fleet) -> set[str]:
    assert game.table.conflict is not None
    return {one for pair in game.table.conflict.reach for one in pair}


def test_who_rams_is_in_contact_until_either_moves() -> None:
    """S2E-H6."""
    game = Fleet()
    fight(game)
    game.act("ram", target_id=game.raider)
    game.throw(1, 1)
    game.throw(20)
    game.follow()
    while not game.is_settled():
        if game.table.request is not None:
            game.throw(12)
        elif game.table.agenda[0].kind is StepKind.SHAKEN:
            game.do(next(one.command for one in options(game.table) if one.option_id.startswith("choose_shaken")))
        else:
            game.do(SettleHit())
    game.do(FinishSpending())
    assert touching(game) == {game.ship, game.raider}
    assert game.said[-1] is not None
    assert "Far Lantern and Black Comet are in Contact." in game.said[-1].full
    game.minor("impulse", zones=1)
    assert not touching(game)


def test_who_is_held_evades_and_stays() -> None:
    """S2E-H4, S2E-T7: winning moves nobody whom a beam holds."""
    game = Fleet()
    ids = draw(game)
    game.act("evasive_action", game.raider)
    beam = LastingEffect(effect_id="effect-90", name="beam_held", owner_id=game.ship, target_id=game.raider, amount=4)
    game.record(EffectBegan(effect=beam, next_number=game.table.next_number))
    game.act("fire", target_id=game.raider, weapon="Phasers")
    game.throw(5, 9)
    game.throw(20)
    game.refused(game.acting("evade", game.raider, zone_id=ids[1]), "S2E-T7")
    assert [one.option_id for one in options(game.table) if one.option_id.startswith("declare_task:evade")] == [
        "declare_task:evade"
    ]
    game.act("evade", game.raider)
