"""A fight at once: foes come to the table and the conflict with them begins, and one undo takes both back."""

from __future__ import annotations

from typing import Any

import pytest

from rules.conflict.events import allies_among
from rules.conflict.rounds import EndConflict, Entrant, StartConflict
from rules.setup.fights import StartFight
from rules.setup.setting_up import SaveCharacter
from rules.ships.cards import SaveShip
from rules.state.people import Ability
from rules.state.vocabulary import ConflictKind, CrewQuality, Ruleset, Side, Standing
from rules.undo import Undo
from tests.rules.tabletop import Game, attributes, disciplines, systems


def foe(name: str, **more: Any) -> SaveCharacter:  # noqa: ANN401 - any field of the command
    card: dict[str, Any] = {"standing": Standing.MINOR_NPC, **more}
    return SaveCharacter(name=name, attributes=attributes(), disciplines=disciplines(), **card)


def ship(name: str = "Razor", crew: CrewQuality | None = CrewQuality.BASIC) -> SaveShip:
    return SaveShip(name=name, scale=3, systems=systems(), departments=disciplines(), crew=crew)


def test_an_ally_is_none_of_the_crew() -> None:
    """TURN-1."""
    game = Game()
    game.do(foe("Guard captain"))
    guard = game.table.characters[-1].character_id
    crew = (Entrant(combatant_id=game.okafor), Entrant(combatant_id=guard, side=Side.PC))
    game.do(StartFight(kind=ConflictKind.PERSONAL, crew=crew, foes=(foe("Corsair 1"),)))
    assert "1 foe against 1 of the crew and 1 ally." in game.last_said.normal
    assert game.table.conflict is not None
    assert allies_among(game.table.conflict.combatants, game.table) == (guard,)


def test_foes_come_and_the_conflict_begins_in_one_decision() -> None:
    """NPC-1, NPC-2, TURN-1."""
    game = Game()
    before = game.table
    crew = (Entrant(combatant_id=game.okafor), Entrant(combatant_id=game.lindqvist))
    beast = foe("Stalker", abilities=(Ability(name="menacing"),))
    game.do(StartFight(kind=ConflictKind.PERSONAL, crew=crew, foes=(foe("Corsair 1"), beast)))
    told = game.last_said.normal
    assert "Conflict, Round 1. 2 foes against 2 of the crew. Choose who acts next." in told
    assert "is ready" not in game.last_said.full, "nobody of them is named before the others"
    conflict = game.table.conflict
    assert conflict is not None
    names = {one.character_id: one.name for one in game.table.characters}
    sides = [(names[one.combatant_id], one.side) for one in conflict.combatants]
    assert sides == [("Okafor", Side.PC), ("Lindqvist", Side.PC), ("Corsair 1", Side.NPC), ("Stalker", Side.NPC)]
    assert game.table.threat == before.threat + 1, "who is menacing adds Threat as it enters"
    assert "Corsair 1" in game.last_said.full
    game.do(Undo())
    assert game.table.conflict is None
    assert game.table.characters == before.characters
    assert game.table.threat == before.threat


def test_many_without_a_foe_are_told_without_sides() -> None:
    game = Game()
    some = [game.character(f"Officer {number}") for number in range(9)]
    taking_part = tuple(Entrant(combatant_id=one) for one in some)
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=taking_part, begins=some[0]))
    assert game.last_said.normal == "Conflict, Round 1. Officer 0 begins."


@pytest.mark.parametrize("ruleset", Ruleset)
def test_ships_come_and_have_their_turns(ruleset: Ruleset) -> None:
    """NSHIP-2."""
    game = Game(ruleset)
    crew = (Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),)
    game.do(StartFight(kind=ConflictKind.STARSHIP, crew=crew, ships=(ship("Razor 1"), ship("Razor 2"))))
    assert game.table.conflict is not None
    assert [one.turns for one in game.table.conflict.combatants] == [1, 3, 3]
    assert [one.name for one in game.table.ships] == ["Far Lantern", "Razor 1", "Razor 2"]


def test_what_is_no_fight_is_refused_and_leaves_nobody_behind() -> None:
    game = Game()
    crew = (Entrant(combatant_id=game.okafor),)
    people = ConflictKind.PERSONAL
    game.refused(StartFight(kind=people, crew=crew), "TURN-1")
    game.refused(StartFight(kind=people, crew=(), foes=(foe("Corsair"),)), "TURN-1")
    game.refused(StartFight(kind=ConflictKind.STARSHIP, crew=crew, foes=(foe("Corsair"),)), "TURN-1")
    game.refused(StartFight(kind=people, crew=crew, foes=(foe("Ada", standing=Standing.PLAYER),)), "NPC-1")
    game.refused(StartFight(kind=people, crew=crew, foes=(foe("Brack", character_id=game.brack),)), "NPC-1")
    own = ship(crew=None)
    game.refused(StartFight(kind=ConflictKind.STARSHIP, crew=crew, ships=(own,)), "NSHIP-1")
    game.declare(game.okafor)
    game.refused(StartFight(kind=people, crew=crew, foes=(foe("Corsair"),)), "TASK-10")


def test_foes_of_an_ended_fight_make_room_for_new_ones_of_their_name() -> None:
    game = Game()
    crew = (Entrant(combatant_id=game.okafor),)
    come = (foe("Corsair 1"), foe("Corsair 2"))
    game.do(StartFight(kind=ConflictKind.PERSONAL, crew=crew, foes=come))
    old = {one.character_id for one in game.table.characters}
    game.do(EndConflict())
    game.do(StartFight(kind=ConflictKind.PERSONAL, crew=crew, foes=(foe("Corsair 1"),)))
    named = [one for one in game.table.characters if one.name == "Corsair 1"]
    assert (len(named), named[0].character_id in old) == (1, False)
    assert [one.name for one in game.table.characters].count("Corsair 2") == 1, "nobody needs that name"
    game.do(Undo())
    assert {one.character_id for one in game.table.characters} == old
