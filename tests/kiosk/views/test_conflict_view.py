"""What a conflict's view says of ships: what the ruleset counts, what is true now, none that is not in the fight."""

from __future__ import annotations

from dataclasses import replace

from kiosk.views.conflict_view import COUNTS, ShipView, conflict_view, ships_at_table
from rules.conflict.bodies import AdjustStress
from rules.conflict.rounds import EndTurn, Entrant, StartConflict
from rules.state.ships import SystemDamage
from rules.state.vocabulary import ConflictKind, InjuryState, Standing, System
from rules.tasks.settling import FinishSpending
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet
from tests.rules.squadron import Squadron


def lantern(game: Fleet) -> ShipView:
    game.state(game.ship, shields=game.of().state.shields - 1)
    return next(one for one in conflict_view(game.table).ships if one.name == "Far Lantern")


def test_the_second_edition_shows_its_reserve_and_no_power() -> None:
    """S2E-3."""
    game = Fleet()
    assert "Reserve Power ready" in lantern(game).notes
    assert "Power" not in {one.name for one in lantern(game).gauges}
    game.state(game.ship, reserve_power=False)
    assert "Reserve Power used" in lantern(game).notes


def test_the_first_edition_shows_its_power_and_no_reserve() -> None:
    """SHIP-5."""
    game = Squadron()
    assert "Power" in {one.name for one in lantern(game).gauges}
    assert not [one for one in lantern(game).notes if "Reserve" in one]


def test_the_table_tells_ships_at_table_with_its_breaches_also_while_others_fight_on_foot() -> None:
    game = Fleet()
    entrants = (Entrant(combatant_id=game.okafor), Entrant(combatant_id=game.brack))
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=entrants))
    hit = (SystemDamage(system=System.ENGINES, breaches=2),)
    game.state(game.ship, shields=3, systems=hit)
    shown = next(one for one in ships_at_table(game.table) if one.name == "Far Lantern")
    assert next(one for one in shown.gauges if one.name == "Shields").left == 3
    assert [one.breaches for one in shown.systems if one.system == "engines"] == ["2 Breaches"]


def test_a_core_fails_no_more_once_the_ship_is_gone_or_the_core_is_stable() -> None:
    """WCB-1."""
    game = Squadron()
    core = replace(game.of().state.core, rounds=2)
    game.state(game.ship, core=core)
    assert "The warp core is failing" in lantern(game).alarms
    game.state(game.ship, destroyed=True)
    assert "The warp core is failing" not in lantern(game).alarms
    game.state(game.ship, destroyed=False, core=replace(core, stable=True))
    assert "The warp core is failing" not in lantern(game).alarms
    game.state(game.ship, core=replace(core, ejected=True, exploded=True))
    assert "The warp core is failing" not in lantern(game).alarms


def test_a_fight_on_foot_shows_no_ship_of_the_evening() -> None:
    game = Fleet()
    assert lantern(game)
    entrants = (Entrant(combatant_id=game.okafor), Entrant(combatant_id=game.brack))
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=entrants))
    assert conflict_view(game.table).ships == ()


def test_whom_an_attack_is_aimed_at_is_marked_and_how_each_stands_with_their_turns() -> None:
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.attack(fight.okafor, fight.brack, "phaser_type_2")
    shown = {one.name: one for side in conflict_view(fight.table).sides for one in side.fighters}
    assert [name for name, one in shown.items() if one.target] == ["Brack"]
    signs = conflict_view(fight.table).signs
    assert signs == (("ready", 0, "To act"), ("target", 0, "Target")), "each once, and not who acts"
    assert (shown["Okafor"].state, shown["Brack"].state) == ("acting", "ready")
    fight.throw(19, 18)
    fight.do(FinishSpending())
    fight.do(EndTurn())
    shown = {one.name: one for side in conflict_view(fight.table).sides for one in side.fighters}
    assert not [name for name, one in shown.items() if one.target]
    assert shown["Okafor"].state == "acted"
    assert conflict_view(fight.table).signs == (("acted", 0, "Has acted"), ("ready", 0, "To act"))
    begun = fight.table.conflict
    assert begun is not None
    thrice = tuple(replace(one, turns=3) if one.combatant_id == fight.brack else one for one in begun.combatants)
    several = replace(fight.table, conflict=replace(begun, combatants=thrice))
    assert ("ready", 3, "Turns left") in conflict_view(several).signs


def test_a_name_is_shortened_to_what_tells_people_apart() -> None:
    """The last name, unless another's ends alike or it is only a number; NPCs and ships keep their whole names."""
    game = Fleet()
    entrants = [Entrant(combatant_id=one) for one in (game.okafor, game.brack)]
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=tuple(entrants)))

    def named(name: str, standing: Standing = Standing.PLAYER) -> str:
        table = game.table
        people = tuple(
            replace(one, name=name, standing=standing) if one.character_id == game.okafor else one
            for one in table.characters
        )
        sides = conflict_view(replace(table, characters=people)).sides
        return next(one.short for side in sides for one in side.fighters if one.name == name)

    other = next(one.name for one in game.table.characters if one.character_id == game.brack)
    assert named("Commander Ifeoma Okafor") == "Okafor"
    assert named(f"Sergeant {other.split()[-1]}") == f"Sergeant {other.split()[-1]}"
    assert named("Smuggler 3") == "Smuggler 3"
    assert named("Guard Two", Standing.MINOR_NPC) == "Guard Two"
    assert named("Raider Vosk", Standing.NOTABLE_NPC) == "Raider Vosk"


def test_only_a_ship_without_any_breach_is_called_whole() -> None:
    """NSHIP-3: Breaches of an NPC ship count in one total, and belong to no system."""
    game = Squadron()
    assert lantern(game).whole
    game.state(game.ship, unplaced_breaches=1)
    assert not lantern(game).whole
    assert "1 Breach" in lantern(game).alarms


def test_who_cannot_act_is_not_said_to_act_later() -> None:
    """DMG-6."""
    game = Fleet()
    entrants = tuple(Entrant(combatant_id=one) for one in (game.okafor, game.brack))
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=entrants))
    hurt = tuple(
        replace(one, body=replace(one.body, injury=InjuryState.NONLETHAL)) if one.character_id == game.brack else one
        for one in game.table.characters
    )
    sides = conflict_view(replace(game.table, characters=hurt)).sides
    assert {one.combatant_id: one.turn for side in sides for one in side.fighters} == {
        game.okafor: "To act",
        game.brack: "Cannot act",
    }


def test_a_foe_on_foot_says_whom_it_has_in_reach() -> None:
    fight = Brawl()
    fight.fight(fight.okafor, reach=(fight.okafor, fight.brack))
    crew, foes = conflict_view(fight.table).sides
    said = [[note for one in side.fighters for note in one.notes if "Reach" in note] for side in (crew, foes)]
    assert said == [[], ["in Reach of Okafor"]]


def test_no_more_are_folded_than_the_room_asks_for() -> None:
    fight = Brawl()
    for number in range(6):
        fight.character(f"Guard {number}", standing=Standing.MINOR_NPC)
    seats = tuple(Entrant(combatant_id=one.character_id) for one in fight.table.characters)
    fight.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=seats, begins=fight.okafor))
    ours, theirs = conflict_view(fight.table).sides
    assert ours.places == {fight.okafor: 0, fight.lindqvist: 2}
    for count in COUNTS:
        left = [
            [one.name for one in side.fighters if str(count) in side.without(one).split()] for side in (ours, theirs)
        ]
        assert sum(map(len, left)) == max(0, 10 - count), "one more at a time"
        told = [
            [str(words) for words, hidden in side.folds.items() if str(count) not in hidden.split()]
            for side in (ours, theirs)
        ]
        of = [len(side.fighters) for side in (ours, theirs)]
        assert told == [
            [] if not gone else [f"all {len(gone)}" if len(gone) == all_of else f"{len(gone)} more"]
            for gone, all_of in zip(left, of, strict=True)
        ]
    assert str(next(iter(theirs.folds))) == "all 8"


def test_whoever_neither_acts_nor_is_aimed_at_nor_hurt_is_folded_into_a_count() -> None:
    """Where too many fight for each to be read across the room."""
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.attack(fight.okafor, fight.brack, "phaser_type_2")
    ours, theirs = conflict_view(fight.table).sides
    assert [one.name for one in ours.fighters if not one.quiet] == ["Okafor"]
    assert [str(words) for words, hidden in ours.folds.items() if "0" not in hidden.split()] == [
        f"{len(ours.fighters) - 1} more"
    ]
    assert [one.name for one in theirs.fighters if not one.quiet] == ["Brack"]
    fight.do(AdjustStress(character_id=fight.lindqvist, change=-2, reason="a fall"))
    ours, _ = conflict_view(fight.table).sides
    assert "Lindqvist" in {one.name for one in ours.fighters if not one.quiet}
