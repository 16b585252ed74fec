"""What waits at the table and whose it is, and who stands on which side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.views.bridge import Waiting, bridge
from rules.conflict.events import BodyChanged
from rules.conflict.rounds import BeginTurn, EndConflict, EndTurn, Entrant, RemoveCombatant, StartConflict
from rules.setup.fights import StartFight
from rules.setup.setting_up import RemoveCharacter, SetUpTable, StartScene, StartSession
from rules.ships.cards import RemoveShip, SaveShip
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import (
    Attribute,
    ConflictKind,
    CrewQuality,
    Discipline,
    InjuryState,
    Ruleset,
    Side,
    Standing,
    StepKind,
)
from rules.table import decide, evolve
from rules.tasks.line import LineUp
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet
from tests.rules.tabletop import Game, disciplines, systems


def waits(game: Game, **called: str) -> list[Waiting]:
    """What waits; `called` names the persons who play Okafor and Lindqvist."""
    ids = {"okafor": game.okafor, "lindqvist": game.lindqvist}
    persons = [{"called": name, "characters": [ids[who]], "asks": ""} for who, name in called.items()]
    return list(bridge(game.table, persons).waits)


def test_whose_dice_and_answers_are_awaited_is_told_by_the_persons_name() -> None:
    game = Game()
    assert waits(game, okafor="Sam") == [Waiting(words="No Task is declared yet. Whoever acts next declares one.")]
    game.declare(game.okafor)
    assert waits(game, okafor="Sam") == [Waiting(words="Okafor throws 2 d20s.", whose="Sam")]
    assert waits(game) == [Waiting(words="Okafor throws 2 d20s.")]
    game.throw(20, 19)
    game.declare(game.lindqvist)
    planned = Declaration(character_id=game.okafor, attribute=Attribute.DARING, discipline=Discipline.CONN)
    game.do(LineUp(declaration=planned))
    first, open_, line = waits(game, okafor="Sam", lindqvist="Ana")
    assert (first.words, first.whose) == ("Lindqvist throws 2 d20s. Okafor is next.", "Ana")
    assert open_.words == "Okafor has 1 Complication to take."
    assert line.words == "In line: Okafor, Daring + Conn, Difficulty 1."


def test_what_is_the_gamemasters_says_so() -> None:
    game = Game()
    game.declare(game.brack)
    assert [one.mine for one in waits(game)] == [True]
    game = Game()
    game.declare(game.okafor, opposed=True)
    game.throw(2, 2)
    assert [one.mine for one in waits(game, okafor="Sam")] == [True], "an NPC is expected to answer"


def test_of_several_players_who_may_oppose_none_is_named() -> None:
    game = Game()
    game.do(RemoveCharacter(character_id=game.brack))
    game.declare(game.okafor, opposed=True)
    game.throw(2, 2)
    assert [one.whose for one in waits(game, okafor="Sam", lindqvist="Ana")] == ["Ana"], "nobody else could"
    game = Game()
    game.character("Reed")
    game.do(RemoveCharacter(character_id=game.brack))
    game.declare(game.okafor, opposed=True)
    game.throw(2, 2)
    assert waits(game, okafor="Sam", lindqvist="Ana") == [
        Waiting(words="The other side of Okafor's Task is to declare.")
    ]


def test_a_players_complication_is_not_the_gamemasters_while_a_foe_acts() -> None:
    fight = Brawl()
    fight.declare(fight.okafor)
    fight.throw(20, 3)
    fight.fight(fight.brack)
    assert waits(fight, okafor="Sam") == [
        Waiting(words="It is Brack's Turn.", mine=True),
        Waiting(words="Okafor has 1 Complication to take.", whose="Sam"),
    ]


def test_a_foes_turn_leads_to_what_it_can_do_and_a_players_does_not() -> None:
    fight = Brawl()
    fight.fight(fight.okafor, reach=(fight.okafor, fight.brack))
    assert bridge(fight.table, ()).acts == ""
    fight.do(EndTurn())
    fight.do(BeginTurn(combatant_id=fight.brack))
    assert bridge(fight.table, ()).acts == "Brack"
    fight.attack(fight.brack, fight.okafor, "blade")
    assert bridge(fight.table, ()).acts == "", "its dice are awaited"


def test_what_is_bought_for_damage_waits_for_whoever_struck() -> None:
    fight = Brawl()
    fight.shoot(2, 2, 1, 2, 2, 1)
    assert fight.table.agenda[0].kind is StepKind.CHOOSE_DAMAGE
    (first,) = bridge(fight.table, [{"called": "Sam", "characters": [fight.okafor], "asks": ""}]).waits
    assert (first.mine, first.whose) == (False, "Sam")


def test_in_a_conflict_each_stands_where_they_fight_and_no_foe_who_does_not() -> None:
    game = Game()
    spare = game.character("Spare", standing=game.card(game.brack).standing)
    crew, foes = (bridge(game.table, ()).crew, bridge(game.table, ()).foes)
    assert [one.name for one in crew.people] == ["Okafor", "Lindqvist"]
    assert [one.name for one in foes.people] == ["Brack", "Spare"]
    assert [one.name for one in crew.ships] == ["Far Lantern"]
    turned = Entrant(combatant_id=game.lindqvist, side=Side.NPC)
    there = (Entrant(combatant_id=game.okafor), turned, Entrant(combatant_id=game.brack))
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=there, begins=game.brack))
    shown = bridge(game.table, ())
    assert [one.name for one in shown.crew.people] == ["Okafor"]
    assert [one.name for one in shown.foes.people] == ["Lindqvist", "Brack"]
    assert spare
    assert shown.crew.people[0].notes[0] == "Determination 1"
    assert shown.library is None


@pytest.mark.parametrize("ends", [EndConflict(), StartScene(name="Dawn"), StartSession()])
def test_foes_leave_with_their_fight_however_it_ends(ends: EndConflict | StartScene | StartSession) -> None:
    fight = Brawl()
    spare = fight.character("Spare", standing=Standing.MINOR_NPC)
    fight.fight(fight.okafor)
    fight.do(EndTurn())
    fight.do(RemoveCombatant(combatant_id=fight.guard))
    fight.do(ends)
    shown = bridge(fight.table, ())
    back = [] if isinstance(ends, EndConflict) else ["Brack"]
    assert [one.name for one in shown.foes.people] == [*back, "Spare"], "a notable one comes back with a new scene"
    assert [one.name for one in shown.crew.people] == ["Okafor", "Lindqvist"]
    assert shown.library is not None
    fight.do(RemoveCharacter(character_id=fight.brack))
    assert fight.table.fought == (fight.guard,)
    fight.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=(Entrant(combatant_id=fight.guard),)))
    assert [one.name for one in bridge(fight.table, ()).foes.people] == ["Guard"], "one may come back"
    assert spare


def test_of_the_notable_who_fought_those_who_can_act_stand_by_in_a_new_scene_for_no_fight_yet() -> None:
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.do(EndConflict())
    assert fight.table.fought == (fight.brack, fight.guard)
    assert bridge(fight.table, ()).foes.people == ()
    fight.do(StartScene(name="Dawn"))
    assert [one.name for one in bridge(fight.table, ()).foes.people] == ["Brack"]
    assert fight.table.fought == (fight.brack, fight.guard), "who fought once takes part when they are chosen"
    body = replace(fight.card(fight.brack).body, injury=InjuryState.LETHAL)
    hurt = BodyChanged(character_id=fight.brack, name="Brack", body=body, why="the test").fold(fight.table)
    assert bridge(hurt, ()).foes.people == ()


def test_a_foe_who_takes_no_part_in_a_fight_is_named_below_those_who_do() -> None:
    game = Game()
    game.character("Corsair", standing=Standing.MINOR_NPC)
    there = tuple(Entrant(combatant_id=one) for one in (game.okafor, game.brack))
    assert bridge(game.table, ()).foes.aside == ()
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=there))
    shown = bridge(game.table, ()).foes
    assert ([one.name for one in shown.people], shown.aside) == (["Brack"], ("Corsair",))
    assert bridge(game.table, ()).crew.aside == ()


def test_a_ship_of_an_ended_duel_is_no_foe_of_the_next_fight() -> None:
    game = Game()
    crew = (Entrant(combatant_id=game.okafor, ship_id=game.ship),)
    razor = SaveShip(name="Razor", scale=3, systems=systems(), departments=disciplines(), crew=CrewQuality.BASIC)
    game.do(StartFight(kind=ConflictKind.STARSHIP, crew=crew, ships=(razor,)))
    assert [one.name for one in bridge(game.table, ()).foes.ships] == ["Razor"]
    game.do(EndConflict())
    assert bridge(game.table, ()).foes.ships == ()
    there = tuple(Entrant(combatant_id=one) for one in (game.okafor, game.brack))
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=there))
    shown = bridge(game.table, ())
    assert ([one.name for one in shown.foes.people], shown.foes.ships) == (["Brack"], ())
    assert [one.name for one in shown.crew.ships] == ["Far Lantern"]
    game.do(EndConflict())
    game.do(RemoveShip(ship_id=game.table.ships[-1].ship_id))
    assert game.table.fought == (game.brack,)


def test_before_a_table_is_set_up_nothing_can_begin() -> None:
    empty = Table()
    assert bridge(empty, ()).library is None
    (event,) = decide(empty, SetUpTable(ruleset=Ruleset.STARTER, players=("Ann",)))
    assert bridge(evolve(empty, event), ()).library is not None


def test_a_crew_whose_ship_is_destroyed_had_one_and_is_offered_another() -> None:
    game = Fleet()
    own = next(one.ship_id for one in game.table.ships if one.crew is None)

    def offered() -> tuple[bool, bool]:
        library = bridge(game.table, ()).library
        assert library is not None
        return library.lost, bool(library.offered)

    assert offered() == (False, False)
    game.state(own, destroyed=True)
    assert offered() == (True, True)
    none = bridge(replace(game.table, ships=()), ()).library
    assert none is not None
    assert (none.lost, bool(none.offered)) == (False, True)
