"""Who sits where on a bridge of the second edition: nobody sits down where no seat is left."""

from __future__ import annotations

from typing import Any

from rules.conflict.budget import TakeMinorAction
from rules.conflict.rounds import AddCombatant, BeginTurn, EndTurn, Entrant, NextRound, PassTurn, StartConflict
from rules.ships.cards import SaveShip
from rules.state.conflict import Action
from rules.state.vocabulary import ActionScope, ConflictKind, Ruleset
from tests.rules.fleet2e import Fleet
from tests.rules.squadron import Squadron
from tests.rules.tabletop import disciplines, systems


class Bridge(Fleet):
    """A third officer, Amara; the Far Lantern's Security, and so the second seat at tactical, as a test has it."""

    def __init__(self, security: int = 4) -> None:
        super().__init__()
        self.amara = self.character("Amara")
        departments = disciplines(security=security)
        self.do(SaveShip(ship_id=self.ship, name="Far Lantern", scale=4, systems=systems(), departments=departments))

    def at(self, who: str, station: str, ship_id: str | None = None) -> Entrant:
        return Entrant(combatant_id=who, ship_id=self.ship if ship_id is None else ship_id, station=station)

    def starting(self, *entrants: Entrant) -> StartConflict:
        return StartConflict(kind=ConflictKind.STARSHIP, combatants=(*entrants, Entrant(combatant_id=self.raider)))

    def moving(self, who: str, place: str) -> TakeMinorAction:
        action = Action(name="change_position", scope=ActionScope.BRIDGE, note=place)
        return TakeMinorAction(character_id=who, action=action)


def test_a_third_person_at_the_second_seat_is_refused_on_sitting_down() -> None:
    """S2E-22: tactical seats two from Security 4 on."""
    game = Bridge()
    people = [game.at(one, "tactical") for one in (game.okafor, game.lindqvist, game.amara)]
    said = game.refused(game.starting(*people), "S2E-22")
    assert said == (
        "No seat is left at tactical on Far Lantern, where Okafor and Lindqvist sit; choose another station."
    )
    game.do(game.starting(*people[:2]))
    game.refused(AddCombatant(combatant=people[2]), "S2E-22")
    game.do(AddCombatant(combatant=game.at(game.amara, "helm")))


def test_a_second_person_needs_a_second_seat() -> None:
    """S2E-22: Security 3 gives none, and the helm has never one."""
    game = Bridge(security=3)
    for station in ("tactical", "helm"):
        game.refused(game.starting(game.at(game.okafor, station), game.at(game.amara, station)), "S2E-22")


def test_other_ships_and_those_without_a_seat_do_not_count() -> None:
    """S2E-22: of each ship by itself; who has no station stands beside."""
    game = Bridge(security=3)
    card: dict[str, Any] = {"systems": systems(), "departments": disciplines(security=3)}
    game.do(SaveShip(name="Heron", scale=2, **card))
    heron = game.table.ships[-1].ship_id
    game.do(game.starting(game.at(game.okafor, "tactical"), game.at(game.lindqvist, "tactical", heron)))
    game.do(AddCombatant(combatant=game.at(game.amara, "")))


def test_who_names_no_ship_sits_on_the_only_one_there_is() -> None:
    """S2E-22, S2E-1."""
    game = Bridge(security=3)
    game.refused(game.starting(game.at(game.okafor, "helm", ""), game.at(game.amara, "helm")), "S2E-22")


def test_changing_position_needs_a_seat_that_is_free_on_arrival() -> None:
    """S2E-22, S2E-6: one that its officer leaves is free; one that somebody is on the way to is taken."""
    game = Bridge(security=3)
    game.do(
        game.starting(game.at(game.okafor, "tactical"), game.at(game.lindqvist, "helm"), game.at(game.amara, "sensors"))
    )
    game.do(BeginTurn(combatant_id=game.okafor))
    said = game.refused(game.moving(game.okafor, "helm"), "S2E-22")
    assert "where Lindqvist sits" in said
    game.do(game.moving(game.okafor, "engineering deck"))
    game.do(EndTurn())
    game.do(PassTurn(combatant_id=game.raider))
    game.do(BeginTurn(combatant_id=game.lindqvist))
    game.do(game.moving(game.lindqvist, "Tactical"))
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.amara))
    game.refused(game.moving(game.amara, "tactical"), "S2E-22")
    game.do(game.moving(game.amara, "helm"))
    game.do(EndTurn())
    game.do(NextRound())
    game.do(PassTurn(combatant_id=game.raider))
    for who, place in ((game.lindqvist, "tactical"), (game.okafor, "engineering deck"), (game.amara, "helm")):
        game.do(BeginTurn(combatant_id=who))
        assert game.table.conflict is not None
        seat = game.table.conflict.combatant(who)
        assert seat is not None
        assert seat.station == place
        game.do(EndTurn())


def test_the_first_edition_has_no_rule_of_seats() -> None:
    """S2E-22 is the second edition's alone."""
    game = Squadron(ruleset=Ruleset.CORE_1E)
    people = tuple(
        Entrant(combatant_id=one, ship_id=game.ship, station="tactical") for one in (game.okafor, game.lindqvist)
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=people))
