"""Create Trait of the second edition: Difficulty 2 at every station, with what the table names (S2E-6, S2E-C2)."""

from __future__ import annotations

import pytest

from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.legal.menu import menu
from rules.ships.seats import STATIONS
from rules.state.conflict import Action
from rules.state.tasks import Declaration
from rules.state.vocabulary import ActionScope, Attribute, ConflictKind, Discipline, TraitKind
from rules.tasks.declaring import DeclareTask
from rules.tasks.traits import AddTrait
from tests.rules.fleet2e import Fleet

OF_STATIONS = {
    "command": Discipline.COMMAND,
    "communications": Discipline.COMMAND,
    "helm": Discipline.CONN,
    "navigation": Discipline.CONN,
    "operations": Discipline.ENGINEERING,
    "sensors": Discipline.SCIENCE,
    "tactical": Discipline.SECURITY,
}


def seated(station: str) -> Fleet:
    """Okafor's Turn at a station, against the raider."""
    game = Fleet()
    okafor = Entrant(combatant_id=game.okafor, ship_id=game.ship, station=station)
    entrants = (okafor, Entrant(combatant_id=game.raider))
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=game.okafor))
    game.do(BeginTurn(combatant_id=game.okafor))
    return game


def creating(who: str, attribute: Attribute, discipline: Discipline, **action: str) -> DeclareTask:
    made = Action(name="create_trait", scope=ActionScope.BRIDGE, **action)  # type: ignore[arg-type]  # texts alone
    declaration = Declaration(character_id=who, attribute=attribute, discipline=discipline, action=made)
    return DeclareTask(declaration=declaration)


@pytest.mark.parametrize("station", sorted(STATIONS))
def test_a_trait_is_created_at_every_station(station: str) -> None:
    """S2E-6: nobody overrides anybody for it, and it is thrown with the attribute and department that were named."""
    game = seated(station)
    game.do(creating(game.okafor, Attribute.DARING, Discipline.MEDICINE, note="Calm patients"))
    declared = game.task.declaration
    assert (game.task.difficulty, declared.modifiers) == (2, ())
    assert (declared.attribute, declared.discipline) == (Attribute.DARING, Discipline.MEDICINE)
    game.throw(1, 19)
    game.finish()
    assert [(one.name, one.kind) for one in game.table.traits] == [("Calm patients", TraitKind.ADVANTAGE)]


@pytest.mark.parametrize("station", sorted(STATIONS))
def test_the_menu_offers_it_with_what_fits_the_station_first(station: str) -> None:
    """S2E-6, S2E-C2: anything may be chosen; a commander's plans are of Control, Insight or Reason."""
    game = seated(station)
    found = [one for one in menu(game.table, game.okafor) if one.label.startswith("Create Trait")]
    (entry,) = found
    assert (entry.name, entry.station, entry.difficulty, entry.possible) == ("create_trait", "", 2, True)
    assert set(entry.attributes) == set(Attribute)
    assert set(entry.disciplines) == set(Discipline)
    assert entry.disciplines[0] is OF_STATIONS[station]
    if station == "command":
        assert entry.attributes[:3] == (Attribute.CONTROL, Attribute.INSIGHT, Attribute.REASON)


def test_it_needs_words_or_a_trait_that_it_ends() -> None:
    """S2E-6: created, changed or taken away."""
    game = seated("tactical")
    game.do(AddTrait(name="Ion storm"))
    storm = game.table.traits[0].trait_id
    game.refused(creating(game.okafor, Attribute.CONTROL, Discipline.SECURITY), "S2E-6")
    game.do(creating(game.okafor, Attribute.CONTROL, Discipline.SECURITY, target_id=storm, note="Clear space"))
    game.throw(1, 19)
    game.finish()
    assert [one.name for one in game.table.traits] == ["Clear space"]


def test_the_menu_lists_the_traits_that_it_may_end() -> None:
    """S2E-6: every trait of the scene, and none where there is none."""
    game = seated("sensors")

    def offered() -> list[tuple[str, bool, str, tuple[str, ...]]]:
        (entry,) = (one for one in menu(game.table, game.okafor) if one.name == "create_trait")
        return [
            (one.label, one.required, one.otherwise, tuple(each.label for each in one.values))
            for one in entry.choices
            if one.name == "target_id"
        ]

    assert offered() == []
    for kind in TraitKind:
        game.do(AddTrait(name=f"A {kind}", kind=kind))
    names = tuple(f"A {kind}" for kind in TraitKind)
    assert offered() == [("Trait that ends", False, "None: a new trait, in words", names)]


def test_a_trait_may_only_be_taken_away() -> None:
    """S2E-6."""
    game = seated("helm")
    game.do(AddTrait(name="Ion storm"))
    game.do(creating(game.okafor, Attribute.CONTROL, Discipline.CONN, target_id=game.table.traits[0].trait_id))
    game.throw(1, 19)
    game.finish()
    assert game.table.traits == ()


def test_what_older_programs_call_it_at_navigation_is_taken_still() -> None:
    """S2E-N1: the same, by the name that the navigator's had."""
    game = seated("navigation")
    game.act("navigate", note="Short cut")
    assert (game.task.difficulty, game.task.declaration.modifiers) == (2, ())
