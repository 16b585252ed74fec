"""Scan for Weakness and Targeting Solution count against the ship that was scanned, and against no other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules.conflict.lasting import EffectBegan, effects_named
from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.conflict.zones import DrawMap, PlaceAt
from rules.legal.menu import menu
from rules.legal.offers import options
from rules.ships.cards import SaveShip
from rules.ships.second.hits import SettleHit
from rules.state.conflict import LastingEffect
from rules.state.options import TableOptions
from rules.state.vocabulary import ConflictKind, CrewQuality, EffectEnd, RerollReason, Ruleset, System
from rules.undo import Undo
from tests.rules.fleet2e import PHASERS, Fleet
from tests.rules.squadron import BY_SYSTEM, Squadron
from tests.rules.tabletop import disciplines, systems


class Three(Fleet):
    """The raider has a consort, Ember, of the same Shields and Resistance."""

    def __init__(self, options: TableOptions | None = None) -> None:
        super().__init__(options=options)
        ember = SaveShip(
            name="Ember",
            scale=5,
            crew=CrewQuality.TALENTED,
            weapons=(PHASERS,),
            systems=systems(),
            departments=disciplines(),
            shields=12,
            resistance=3,
        )
        self.do(ember)
        self.ember = self.table.ships[-1].ship_id

    def scan(self, target_id: str, effect: str = "") -> None:
        self.act("scan_for_weakness", target_id=target_id, effect=effect)
        self.throw(1, 1)
        self.throw(19)
        self.finish()

    def fight(self, *others: str) -> None:
        entrants = (
            Entrant(combatant_id=self.okafor, ship_id=self.ship, station="tactical"),
            *(Entrant(combatant_id=one) for one in others or (self.raider, self.ember)),
        )
        self.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=self.okafor))
        self.do(BeginTurn(combatant_id=self.okafor))


def test_a_weakness_is_that_of_the_ship_that_was_scanned() -> None:
    """S2E-X4: an attack on another ship has nothing of it, and does not use it up."""
    game = Three()
    game.scan(game.raider)
    game.hit(1, 1, 20, target_id=game.ember)
    game.do(SettleHit())
    assert game.of(game.ember).state.shields == 12 - (7 - 3)
    game.finish()
    game.hit(1, 1, 20)
    game.do(SettleHit())
    assert game.of(game.raider).state.shields == 12 - (7 + 2 - 3)
    assert not effects_named(game.table, "weakness_found")


def test_a_miss_on_another_ship_keeps_the_weakness() -> None:
    """S2E-X4."""
    game = Three()
    game.scan(game.raider)
    for target, left in ((game.ember, 1), (game.raider, 0)):
        game.act("fire", target_id=target, weapon="Phasers")
        game.throw(19, 19)
        game.throw(20)
        game.finish()
        assert len(effects_named(game.table, "weakness_found")) == left


def test_two_ships_may_both_have_been_scanned() -> None:
    """S2E-X4: one weakness does not take the place of the other; the same ship's is renewed."""
    game = Three()
    game.scan(game.raider)
    game.scan(game.ember, "piercing")
    game.scan(game.raider)
    held = {one.against_id: one.role for one in effects_named(game.table, "weakness_found")}
    assert held == {game.raider: "", game.ember: "piercing"}


def test_a_solution_is_for_one_ship() -> None:
    """S2E-T3: neither the system nor a d20 again against another, and it stays for its own."""
    game = Three()
    game.minor("targeting_solution", target_id=game.raider)
    said = game.refused(game.acting("fire", target_id=game.ember, weapon="Phasers", system=System.ENGINES), "S2E-T3")
    assert "against Ember" in said
    game.act("fire", target_id=game.ember, weapon="Phasers")
    assert RerollReason.SHIP_SYSTEM not in game.task.declaration.rerolls
    assert effects_named(game.table, "target_solved")
    game.do(Undo())
    game.act("fire", target_id=game.raider, weapon="Phasers")
    assert RerollReason.SHIP_SYSTEM in game.task.declaration.rerolls
    assert not effects_named(game.table, "target_solved")


def test_who_names_no_ship_where_several_are_is_asked_which() -> None:
    """S2E-X4, S2E-T3: each is named; the only other one needs no naming."""
    game = Three()
    game.fight()
    for rule, said in (
        ("S2E-X4", game.refused(game.acting("scan_for_weakness"), "S2E-X4")),
        ("S2E-T3", game.minor_refused("targeting_solution", "S2E-T3")),
    ):
        assert "Black Comet or Ember" in said, rule
    game.refused(game.acting("scan_for_weakness", target_id=game.ship), "S2E-7")
    game.refused(game.acting("scan_for_weakness", target_id=game.lindqvist), "SETUP")
    game.state(game.ember, destroyed=True)
    game.act("scan_for_weakness")
    action = game.task.declaration.action
    assert action is not None
    assert action.target_id == game.raider


def test_the_menu_asks_which_and_the_options_name_each() -> None:
    """S2E-T3, S2E-X4."""
    game = Three()
    game.fight()
    needs = {one.name: one.needs for one in menu(game.table, game.okafor)}
    assert "target_id" in needs["scan_for_weakness"]
    assert "target_id" in needs["targeting_solution"]
    labels = {one.own_label for one in options(game.table)}
    assert {"Targeting Solution against Black Comet", "Targeting Solution against Ember"} <= labels
    assert "Targeting Solution" not in labels


def test_what_was_found_says_against_whom() -> None:
    """S2E-X4: as it begins and as it ends."""
    game = Three()
    game.scan(game.raider)
    said = game.last_said
    assert said.terse.startswith("Weakness found, Far Lantern against Black Comet.")
    assert "The next attack on Black Comet does more damage or pierces." in said.normal
    game.act("fire", target_id=game.raider, weapon="Phasers")
    game.throw(19, 19)
    game.throw(19)
    game.finish()
    assert "Weakness found against Black Comet ends for Far Lantern." in game.last_said.normal


def test_a_journal_from_before_counts_against_anybody() -> None:
    """S2E-X4: what an older journal kept names nobody, and holds as it did."""
    game = Three()
    old = LastingEffect(
        effect_id="effect-90",
        name="weakness_found",
        owner_id=game.okafor,
        target_id=game.ship,
        amount=2,
        ends=EffectEnd.NEXT_ATTACK,
    )
    game.record(EffectBegan(effect=old, next_number=game.table.next_number))
    game.hit(1, 1, 20, target_id=game.ember)
    game.do(SettleHit())
    assert game.of(game.ember).state.shields == 12 - (7 + 2 - 3)


def test_a_first_edition_table_that_plays_the_seconds_form_names_the_ship_too() -> None:
    """C-49, S2E-X4."""
    game = Squadron(options=TableOptions(npc_ship_shortcut=False, scan_for_weakness_as=Ruleset.SECOND_EDITION))
    game.refused(game.acting("scan_for_weakness"), "S2E-X4")
    game.act("scan_for_weakness", target_id=game.ember)
    game.throw(1, 1)
    game.throw(20)
    game.finish()
    game.strikes(2, 2, 2, 2, weapon="Phasers")
    assert game.of(game.raider).state.shields == 12 - (8 - 3)
    assert effects_named(game.table, "weakness_found")


def test_the_first_editions_scan_is_for_whatever_attack_comes_next() -> None:
    """STN-24: for the ship's next attack, whoever is its target; no ship is named."""
    game = Squadron(options=BY_SYSTEM)
    assert "target_id" not in {one.name: one.needs for one in menu(game.table, game.okafor)}["scan_for_weakness"]
    game.succeed("scan_for_weakness")
    game.finish()
    assert [one.against_id for one in effects_named(game.table, "weakness_found")] == [""]


@given(shots=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=4), first=st.booleans())
def test_only_the_first_attack_on_the_scanned_ship_has_the_weakness(
    shots: list[tuple[bool, bool]],
    first: bool,  # noqa: FBT001 - drawn
) -> None:
    """S2E-X4, over any order of hits and misses on two ships."""
    game = Three()
    scanned = game.raider if first else game.ember
    game.scan(scanned)
    unused = True
    for at_raider, hits in shots:
        target = game.raider if at_raider else game.ember
        for one in (game.raider, game.ember):
            game.state(one, shields=100, shields_max=100)
        game.act("fire", target_id=target, weapon="Phasers")
        game.throw(*((1, 1) if hits else (19, 19)))
        game.throw(20)
        if hits:
            game.follow()
            game.throw(12)
            game.do(SettleHit())
            more = 2 if unused and target == scanned else 0
            assert game.of(target).state.shields == 100 - (7 + more - 3)
        game.finish()
        unused = unused and target != scanned
        assert bool(effects_named(game.table, "weakness_found")) is unused


def test_a_ship_that_is_not_in_the_fight_is_neither_offered_nor_aimed_at() -> None:
    """S2E-7: it may be of another fight; with a map of zones, whatever is on it is there."""
    game = Three()
    game.fight(game.raider)
    choices = next(one.choices for one in menu(game.table, game.okafor) if one.name == "fire")
    assert [value.id for one in choices if one.name == "target_id" for value in one.values] == [game.raider]
    assert not [one.own_label for one in options(game.table) if "Ember" in one.own_label]
    for action in ("fire", "scan_for_weakness", "tractor_beam"):
        said = game.refused(game.acting(action, target_id=game.ember), "S2E-7")
        assert said == "Ember takes no part in this fight; choose a ship that does."
    game.do(DrawMap(zones=("Nebula", "Belt"), links=()))
    assert game.table.zone_map is not None
    game.do(PlaceAt(who_ids=(game.ember,), zone_id=game.table.zone_map.zones[0].zone_id))
    game.act("scan_for_weakness", target_id=game.ember)
