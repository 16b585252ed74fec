"""The map of a scene on foot: zones, who is where, and what follows from it (RNG-1, ACT-3, ACT-6, EFF-1, S2E-9)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.conflict.budget import TakeMinorAction
from rules.conflict.chain import StrikeHazard
from rules.conflict.events import Moved
from rules.conflict.hits import ChooseTargets, possible_targets
from rules.conflict.numbers import range_of
from rules.conflict.positions import distance, range_between, ranges_words, way, zone_words
from rules.conflict.rounds import SetReach
from rules.conflict.zones import ChangeZone, DrawMap, PlaceAt, PutMapAway
from rules.legal.offers import options
from rules.setup.setting_up import StartScene
from rules.state.conflict import Action
from rules.state.places import Zone, ZoneMap
from rules.state.vocabulary import Layout, Range, Ruleset, Spend
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.undo import Undo
from tests.rules.skirmish import Skirmish

IDS = st.integers(min_value=1, max_value=8).map(lambda number: tuple(f"zone-{one}" for one in range(number)))


@st.composite
def maps(draw: st.DrawFn) -> ZoneMap:
    """A map of some zones with any links."""
    ids = draw(IDS)
    pairs = st.tuples(st.sampled_from(ids), st.sampled_from(ids)).filter(lambda pair: pair[0] < pair[1])
    links = draw(st.lists(pairs, unique=True, max_size=12)) if len(ids) > 1 else []
    zones = tuple(Zone(zone_id=one, name=one, difficulty=draw(st.integers(0, 3))) for one in ids)
    return ZoneMap(zones=zones, links=tuple(links))


@given(maps(), st.data())
def test_distances_are_those_of_a_map(zone_map: ZoneMap, data: st.DataObject) -> None:
    """RNG-1: none to oneself, the same both ways, and never longer than by a third zone."""
    ids = st.sampled_from([one.zone_id for one in zone_map.zones])
    one, two, three = data.draw(ids), data.draw(ids), data.draw(ids)
    assert distance(zone_map, one, one) == 0
    direct = distance(zone_map, one, two)
    assert direct == distance(zone_map, two, one)
    first, second = distance(zone_map, one, three), distance(zone_map, three, two)
    if first is not None and second is not None:
        assert direct is not None
        assert direct <= first + second
    assert (direct == 1) is (two in zone_map.neighbours(one))


@given(maps(), st.data())
def test_the_way_is_a_way(zone_map: ZoneMap, data: st.DataObject) -> None:
    """Each zone of it adjoins the next, and of ways as short none is cheaper to leave."""
    ids = st.sampled_from([one.zone_id for one in zone_map.zones])
    start, end = data.draw(ids), data.draw(ids)
    found = way(zone_map, start, end, lambda zone: zone.difficulty)
    if found is None:
        return
    gone = [one.zone_id for one in found]
    assert (gone[0], gone[-1]) == (start, end)
    assert all(second in zone_map.neighbours(first) for first, second in pairwise(gone))
    for middle in zone_map.zones if len(found) == 3 else ():
        if {start, end} <= set(zone_map.neighbours(middle.zone_id)):
            assert found[1].difficulty <= middle.difficulty


class Mapped(Skirmish):
    """Bridge, Corridor, Turbolift and Engineering in a line; Okafor on the bridge, Brack in Engineering."""

    def __init__(self, ruleset: Ruleset = Ruleset.CORE_1E, momentum: int = 0, begins: str = "okafor") -> None:
        super().__init__(ruleset, begins=begins, momentum=momentum)
        self.do(DrawMap(zones=("Bridge", "Corridor", "Turbolift", "Engineering")))
        self.bridge, self.corridor, self.turbolift, self.engineering = (one.zone_id for one in self.map.zones)
        self.do(PlaceAt(who_ids=(self.okafor, self.lindqvist), zone_id=self.bridge))
        self.do(PlaceAt(who_ids=(self.brack,), zone_id=self.engineering))

    @property
    def map(self) -> ZoneMap:
        assert self.table.zone_map is not None
        return self.table.zone_map

    def where(self, who: str) -> str:
        zone = self.map.zone_of(who)
        return zone.name if zone is not None else ""


EVERY = pytest.mark.parametrize("ruleset", list(Ruleset))


# --- drawn, changed, put away ---------------------------------------------------------------------------------


def test_a_map_is_drawn_and_told() -> None:
    game = Mapped()
    assert [one.name for one in game.map.zones] == ["Bridge", "Corridor", "Turbolift", "Engineering"]
    assert range_between(game.table, game.okafor, game.brack) is Range.EXTREME
    assert range_between(game.table, game.okafor, game.lindqvist) is Range.CLOSE
    assert game.last_said.terse == "Brack is in Engineering."
    assert zone_words(game.table, game.map.zones[0]) == "Bridge: Okafor and Lindqvist."
    assert ranges_words(game.table, game.okafor) == "Close range: Lindqvist. Extreme range: Brack."


def test_layouts_and_links() -> None:
    game = Mapped()
    game.do(DrawMap(zones=("Bridge", "Corridor", "Turbolift", "Engineering"), links=(("bridge", "Engineering"),)))
    assert range_between(game.table, game.okafor, game.brack) is Range.MEDIUM
    game.do(DrawMap(zones=("Bridge", "Corridor", "Engineering"), layout=Layout.ALL))
    assert len(game.map.links) == 3
    assert game.where(game.okafor) == "Bridge"
    game.do(DrawMap(zones=("Bridge", "Engineering"), layout=Layout.LINKS))
    assert range_between(game.table, game.okafor, game.brack) is None
    game.refused(DrawMap(zones=("Bridge", "bridge")), "RNG-1")
    game.refused(DrawMap(zones=()), "RNG-1")
    game.refused(DrawMap(zones=("Bridge", "Deck"), links=(("Bridge", "Hold"),)), "RNG-1")
    game.refused(DrawMap(zones=("Bridge", "Deck"), links=(("Bridge", "Bridge"),)), "RNG-1")


def test_a_zone_is_changed_and_keeps_who_is_in_it() -> None:
    game = Mapped()
    game.do(ChangeZone(zone_id=game.bridge, name="Main bridge", cover=2, concealment=1))
    assert game.where(game.okafor) == "Main bridge"
    assert game.last_said.terse.startswith("Main bridge: attacks and scans are 1 harder")
    game.refused(ChangeZone(zone_id=game.bridge, cover=2), "UNDO")
    game.refused(ChangeZone(zone_id=game.bridge, cover=99), "DMG-2")
    game.refused(ChangeZone(zone_id=game.bridge, name="Corridor"), "RNG-1")
    game.refused(ChangeZone(zone_id="nowhere", cover=1), "RNG-1")


def test_placing_is_undone_and_the_map_put_away() -> None:
    game = Mapped()
    game.do(Undo())
    assert game.where(game.brack) == ""
    game.do(PlaceAt(who_ids=(game.okafor,)))
    assert game.where(game.okafor) == ""
    game.refused(PlaceAt(who_ids=("nobody",), zone_id=game.bridge), "SETUP")
    game.refused(PlaceAt(who_ids=(game.okafor,), zone_id="nowhere"), "RNG-1")
    game.do(PutMapAway())
    assert game.table.zone_map is None
    game.refused(PutMapAway(), "RNG-1")
    game.refused(PlaceAt(who_ids=(game.okafor,), zone_id=game.bridge), "RNG-1")


def test_the_map_ends_with_its_scene_and_not_with_the_conflict() -> None:
    game = Mapped()
    game.do(StartScene(name="Later"))
    assert game.table.conflict is None
    assert game.table.zone_map is None


# --- Reach ----------------------------------------------------------------------------------------------------


def test_reach_takes_the_same_zone_and_ends_by_moving_away() -> None:
    """RNG-1."""
    game = Mapped()
    said = game.refused(SetReach(first_id=game.okafor, second_id=game.brack), "RNG-1")
    assert "different zones" in said
    game.reach(game.okafor, game.lindqvist)
    game.do(PlaceAt(who_ids=(game.lindqvist,), zone_id=game.corridor))
    assert game.conflict.reach == ()


# --- moving on foot ---------------------------------------------------------------------------------------------


@EVERY
def test_movement_leads_to_a_zone_that_adjoins(ruleset: Ruleset) -> None:
    """ACT-3: anywhere within Medium range."""
    game = Mapped(ruleset)
    game.begin(game.okafor)
    far = Action(name="movement", zone_id=game.turbolift)
    game.refused(TakeMinorAction(character_id=game.okafor, action=far), "ACT-3")
    events = game.minor(game.okafor, "movement", zone_id=game.corridor)
    assert any(isinstance(one, Moved) for one in events)
    assert game.where(game.okafor) == "Corridor"
    assert "Okafor moves to Corridor. Nobody else is Close." in game.last_said.normal


def test_movement_into_somebodys_reach_goes_to_their_zone() -> None:
    game = Mapped()
    game.do(PlaceAt(who_ids=(game.brack,), zone_id=game.corridor))
    game.begin(game.okafor)
    game.minor(game.okafor, "movement", target_id=game.brack)
    assert game.where(game.okafor) == "Corridor"
    assert game.conflict.reach == ((game.okafor, game.brack),)
    assert "Close to Brack." in game.last_said.normal


def test_movement_too_far_into_reach_is_refused() -> None:
    game = Mapped()
    game.begin(game.okafor)
    action = Action(name="movement", target_id=game.brack)
    said = game.refused(TakeMinorAction(character_id=game.okafor, action=action), "ACT-3")
    assert "Engineering is 3 zones away" in said
    elsewhere = replace(action, zone_id=game.corridor)
    game.refused(TakeMinorAction(character_id=game.okafor, action=elsewhere), "RNG-1")
    miscounted = Action(name="movement", zone_id=game.corridor, zones=2)
    game.refused(TakeMinorAction(character_id=game.okafor, action=miscounted), "RNG-1")


def test_movement_of_who_is_not_on_the_map_is_as_ever() -> None:
    game = Mapped()
    game.begin(game.okafor)
    game.do(PlaceAt(who_ids=(game.okafor,)))
    game.minor(game.okafor, "movement")
    assert game.where(game.okafor) == ""


@EVERY
def test_sprint_goes_as_far_as_its_momentum(ruleset: Ruleset) -> None:
    """ACT-6: one zone, and one more for each Momentum; what the hardest zone on the way adds."""
    game = Mapped(ruleset)
    game.do(ChangeZone(zone_id=game.corridor, difficulty=1))
    game.begin(game.okafor)
    said = game.refused(game.declaration(game.okafor, action=Action(name="sprint")), "RNG-1")
    assert said.endswith("next to Bridge lie: Corridor.")
    game.refused(game.declaration(game.okafor, action=Action(name="sprint", zone_id=game.bridge)), "ACT-6")
    game.act(game.okafor, "sprint", zone_id=game.engineering)
    assert game.task.difficulty == 1
    game.throw(1, 1)
    game.do(MakeSpend(spend=Spend.SPRINT_ON))
    game.do(FinishSpending())
    assert game.where(game.okafor) == "Turbolift"


# --- attacks ------------------------------------------------------------------------------------------------------


def test_a_range_is_filled_in_and_no_other_taken() -> None:
    game = Mapped()
    game.begin(game.okafor)
    shot = Action(name="attack", target_id=game.brack, weapon="unarmed", at_range=Range.CLOSE)
    said = game.refused(game.declaration(game.okafor, action=shot), "ATK-1")
    assert said == "Attack takes no distance; leave it out."
    game.act(game.okafor, "create_advantage", note="A plan", target_id="")
    assert game.task.declaration.action is not None
    assert game.task.declaration.action.at_range is None


def test_who_is_concealed_is_harder_to_shoot_at() -> None:
    """S2E-9, NPC-2: darkness is nothing to Night Vision."""
    game = Mapped(begins="")
    armed = game.enter("Nkosi", weapons=("phaser_type_2",))
    game.do(PlaceAt(who_ids=(armed,), zone_id=game.bridge))
    game.do(ChangeZone(zone_id=game.engineering, concealment=2, dark=True))
    game.begin(armed)
    game.act(armed, "attack", target_id=game.brack, weapon="phaser_type_2")
    assert game.task.difficulty == 4
    assert game.task.declaration.action is not None
    assert game.task.declaration.action.at_range is Range.EXTREME


def test_a_zone_gives_cover() -> None:
    """DMG-2, C-54."""
    game = Mapped()
    game.do(ChangeZone(zone_id=game.bridge, cover=2))
    game.begin(game.okafor)
    game.act(game.okafor, "recover")
    assert game.task.difficulty == 1


def test_an_area_takes_those_in_the_zone() -> None:
    """EFF-1: who is in Close range of the first target, nobody in another zone."""
    game = Mapped()
    game.do(PlaceAt(who_ids=(game.dorr,), zone_id=game.bridge))
    game.do(StrikeHazard(target_id=game.dorr, rating=1, reason="a blast", effects=("area",)))
    game.throw_challenge(5)
    names = {one.name for one in possible_targets(game.table, "area")}
    assert names == {"Okafor", "Lindqvist"}
    said = game.refused(ChooseTargets(target_ids=(game.okafor, game.brack)), "EFF-1")
    assert said == "Brack is in Engineering, not in Close range; leave them out."
    assert game.table.attack is not None


def test_an_area_is_offered_with_as_many_as_it_may_take() -> None:
    """EFF-1: two Effects take two beyond Reach, and all in Reach with them."""
    game = Mapped()
    game.do(PlaceAt(who_ids=(game.dorr, game.brack), zone_id=game.bridge))
    for effects, several in ((1, set[str]()), (2, {"Lindqvist and Brack are hit as well"})):
        game.do(StrikeHazard(target_id=game.dorr, rating=effects, reason="a blast", effects=("area",)))
        game.throw_challenge(*[5] * effects)
        offered = {one.label for one in options(game.table) if one.option_id.startswith("choose_targets")}
        assert {one for one in offered if "Lindqvist and" in one} == several
        game.do(ChooseTargets())
    game.reach(game.dorr, game.okafor)
    game.do(StrikeHazard(target_id=game.dorr, rating=1, reason="a blast", effects=("area",)))
    game.throw_challenge(5)
    wanted = "Okafor and Brack are hit as well"
    game.do(next(one.command for one in options(game.table) if one.label == wanted))


def test_first_aid_takes_the_same_zone() -> None:
    """ACT-7."""
    game = Mapped()
    game.injure(game.brack)
    game.begin(game.okafor)
    aid = Action(name="first_aid", target_id=game.brack)
    said = game.refused(game.declaration(game.okafor, action=aid), "ACT-7")
    assert "Brack is in Engineering" in said


def test_a_hazard_is_offered_for_who_is_in_it() -> None:
    """DMG-1: the gamemaster says whether it strikes."""
    game = Mapped()
    game.do(ChangeZone(zone_id=game.engineering, hazard=3))
    option = next(one for one in options(game.table) if one.option_id.startswith("strike_hazard"))
    assert option.label == "The hazard in Engineering strikes Brack"
    game.do(option.command)
    assert game.table.request is not None
    assert game.table.request.count == 3


# --- without a map ----------------------------------------------------------------------------------------------


def test_without_a_map_nothing_is_known() -> None:
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    assert range_between(game.table, game.okafor, game.brack) is None
    zoned = Action(name="movement", zone_id="zone-1")
    game.refused(TakeMinorAction(character_id=game.okafor, action=zoned), "RNG-1")
    game.minor(game.okafor, "movement", target_id=game.brack)
    assert game.conflict.reach == ((game.okafor, game.brack),)


@pytest.mark.parametrize(("zones", "band"), [(0, Range.CLOSE), (1, Range.MEDIUM), (2, Range.LONG), (7, Range.EXTREME)])
def test_ranges_are_those_of_zones(zones: int, band: Range) -> None:
    assert range_of(zones) is band
