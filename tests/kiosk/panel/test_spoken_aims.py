"""A fight by the panel's buttons: target, weapon and intent by ear; only what leads to a Task is offered."""

from __future__ import annotations

from typing import Any

import pytest

from kiosk.panel.spoken_declaring import who
from kiosk.panel.spoken_levels import level
from kiosk.panel.spoken_menu import Menu, done, press
from kiosk.panel.spoken_minors import minor_choices
from kiosk.panel.spoken_places import Declaring, Facts, Gesture, PickPreset, Ways, Where, Who
from kiosk.views.of_table import Menus, OfTable
from rules.conflict.budget import TakeMinorAction
from rules.conflict.rounds import AddCombatant, BeginTurn, EndConflict, EndTurn, Entrant, StartConflict
from rules.conflict.zones import DrawMap, PlaceAt
from rules.deciding.decision import Command
from rules.legal.trial import tried
from rules.ships.cards import SaveShip
from rules.state.places import ZoneMap
from rules.state.vocabulary import ConflictKind, CrewQuality, Layout, Ruleset, Spend, Standing, TraitKind
from rules.tasks.declaring import DeclareTask
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.tasks.traits import AddTrait
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game, disciplines, systems
from tests.rules.test_positions_properties import fight_of


class Listener:
    """Somebody who presses next and confirm and hears what is said."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.menu = Menu()
        self.heard: list[str] = []
        self.given: list[Command] = []
        self._menus: Menus = OfTable()
        self._ways: Ways = OfTable()

    @property
    def facts(self) -> Facts:
        return Facts(history=self.game.history, hint="", menus=self._menus, ways=self._ways)

    def press(self, gesture: Gesture) -> str:
        step = press(self.menu, gesture, self.facts)
        self.menu = step.menu
        if step.command is not None:
            self.given.append(step.command)
            self.game.do(step.command)
            after = done(self.menu, self.facts)
            self.menu = after.menu
            step = after
        self.heard.append(step.say.full if step.say is not None else "")
        return self.heard[-1]

    def find(self, words: str) -> str:
        """Move on until `words` are heard, then choose."""
        for _ in range(60):
            if self.heard and words in self.heard[-1]:
                return self.press(Gesture.CONFIRM)
            self.press(Gesture.NEXT)
        raise AssertionError(f"{words!r} was not offered: {self.heard[-60:]}")


def acting(game: Game, who: str) -> Listener:
    """Somebody at the menu of what `who` does."""
    ear = Listener(game)
    ear.press(Gesture.NEXT)
    if ear.find("Declare a Task").startswith("Who acts?"):
        ear.find(who)
    return ear


def test_an_attack_is_declared_by_ear_with_target_weapon_and_intent() -> None:
    game = Brawl(Ruleset.CORE_1E)
    game.fight(game.okafor, reach=(game.okafor, game.brack))
    ear = acting(game, "Okafor")
    assert ear.find("Attack").startswith("At whom?")
    assert ear.find("Brack").startswith("With what?")
    assert ear.find("Phaser Type 2").startswith("With what intent?")
    told = ear.find("Not to kill")
    assert told.startswith(
        "Okafor: Attack, Control and Security, Difficulty 3. At Brack. With Phaser Type 2. Target Number 14."
    ), told
    ear.find("Declare it")
    assert isinstance(ear.given[-1], DeclareTask)
    action = ear.given[-1].declaration.action
    assert action is not None
    assert (action.target_id, action.weapon, action.lethal) == (game.brack, "phaser_type_2", False)
    assert game.task.difficulty == 3


def test_what_cannot_be_reached_is_not_offered() -> None:
    game = Brawl(Ruleset.CORE_1E)
    game.fight(game.brack)
    ear = acting(game, "Brack")
    offered = [ear.heard[-1], *(ear.press(Gesture.NEXT) for _ in range(16))]
    assert not any("Attack" in one for one in offered), "a blade needs somebody within Reach"
    assert any("Guard" in one for one in offered)


def test_whose_turn_it_is_comes_first() -> None:
    """TURN-1: the others of the fight are not asked; who takes no part in it may do something elsewhere."""
    game = Brawl(Ruleset.CORE_1E)
    game.fight(game.guard)
    ear = Listener(game)
    ear.press(Gesture.NEXT)
    assert ear.find("Declare a Task").startswith("What does Guard do?")
    game.character("Stranger")
    ear = Listener(game)
    ear.press(Gesture.NEXT)
    assert ear.find("Declare a Task").startswith("Who acts? Guard.")


def test_the_crew_is_asked_first_and_no_foe_of_a_fight_that_is_over() -> None:
    game = Brawl(Ruleset.CORE_1E)
    spare = game.character("Aardvark", standing=Standing.NOTABLE_NPC)
    game.fight(game.okafor)
    game.do(EndConflict())
    where = who(Facts(history=game.history), Who())
    keys = [one.key for one in where.entries]
    assert keys[:2] == [game.okafor, game.lindqvist]
    assert keys[-1] == spare
    assert not {game.brack, game.guard} & set(keys)


def test_an_advantage_by_ear_has_words_of_its_own() -> None:
    """TRAIT-4: of two people each their own, and of one a second one, which is no potency of the first."""
    game = Brawl(Ruleset.CORE_1E)
    game.fight(game.okafor)
    game.do(AddTrait(name="Advantage of Okafor", kind=TraitKind.ADVANTAGE))
    ear = acting(game, "Okafor")
    ear.find("Create Advantage")
    ear.find("Reason")
    ear.find("Science")
    if "focus" in ear.heard[-1]:
        ear.find("No focus")
    if "How difficult" in ear.heard[-1]:
        ear.find("Difficulty 2")
    ear.find("Declare it")
    assert isinstance(ear.given[-1], DeclareTask)
    assert ear.given[-1].declaration.action is not None
    assert ear.given[-1].declaration.action.note == "Advantage of Okafor, 2"


def test_each_advantage_that_momentum_makes_is_told_from_the_others() -> None:
    """POOL-5, TRAIT-4: nobody types at two buttons, and what it is, is said at the table."""
    game = Brawl(Ruleset.CORE_1E)
    for words in ("Advantage of Okafor", "Advantage of Okafor, 2"):
        game.declare(focus=True)
        game.throw(1, 1)
        ear = Listener(game)
        ear.find("Spend Momentum")
        ear.find("Create Advantage, costs 2 Momentum")
        assert ear.given[-1] == MakeSpend(spend=Spend.CREATE_ADVANTAGE, note=words)
        game.do(FinishSpending())
    assert [(one.name, one.potency) for one in game.table.traits] == [
        ("Advantage of Okafor", 1),
        ("Advantage of Okafor, 2", 1),
    ]


def test_moving_into_reach_names_whom() -> None:
    """ACT-3: by ear as by touch, a Minor Action with a choice is chosen to the end."""
    game = Brawl(Ruleset.CORE_1E)
    game.fight(game.okafor)
    ear = Listener(game)
    ear.press(Gesture.NEXT)
    ear.find("Minor Actions")
    assert ear.find("Movement into somebody's Reach").startswith("Into whose Reach?")
    ear.find("Brack")
    assert isinstance(ear.given[-1], TakeMinorAction)
    assert ear.given[-1].action.target_id == game.brack
    assert game.table.conflict is not None
    assert game.table.conflict.turn is not None
    assert game.table.conflict.turn.minor_actions == ("movement",)


def test_a_minor_action_that_the_pin_keeps_back_is_not_offered() -> None:
    game = Brawl(Ruleset.CORE_1E)
    game.fight(game.okafor)
    assert minor_choices(Facts(history=game.history))
    assert not minor_choices(Facts(history=game.history, withheld=lambda one: isinstance(one, TakeMinorAction)))


def test_a_weapon_is_drawn_by_name_and_a_further_minor_action_has_its_price() -> None:
    """ACT-1, MOM-3."""
    game = Brawl(Ruleset.CORE_1E, momentum=1)
    game.fight(game.okafor)
    ear = Listener(game)
    ear.press(Gesture.NEXT)
    ear.find("Minor Actions")
    ear.find("Okafor: Prepare")
    ear.press(Gesture.NEXT)
    ear.find("Minor Actions")
    assert ear.find("Draw Item, a weapon").startswith("Which weapon?")
    assert "Phaser Type 2, costs 1 Momentum." in ear.heard[-1]
    assert "Phaser Type 2 by adding Threat, adds 1 Threat." in ear.press(Gesture.NEXT)
    assert "Knife, costs 1 Momentum." in ear.press(Gesture.NEXT)
    ear.press(Gesture.CONFIRM)
    assert game.card(game.okafor).body.drawn == "knife"
    assert game.table.momentum == 0


def test_another_station_is_chosen_by_name() -> None:
    """SHIP-10."""
    game = Squadron()
    aboard = Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical")
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=(aboard,), begins=game.okafor))
    game.do(BeginTurn(combatant_id=game.okafor))
    ear = Listener(game)
    ear.press(Gesture.NEXT)
    ear.find("Minor Actions")
    assert ear.find("Change Position").startswith("To which station?")
    ear.find("Helm")
    assert game.table.conflict is not None
    seat = game.table.conflict.combatant(game.okafor)
    assert seat is not None
    assert seat.station == "helm"


def test_a_scan_is_aimed_at_a_ship_by_ear() -> None:
    """S2E-X4: the only other one is taken without a question, of several one is chosen."""
    game = Fleet()
    seats = Entrant(combatant_id=game.okafor, ship_id=game.ship, station="sensors")
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=(seats, Entrant(combatant_id=game.raider))))
    game.do(BeginTurn(combatant_id=game.okafor))
    assert acting(game, "Okafor").find("Scan for Weakness").startswith("How far away?")
    numbers: dict[str, Any] = {"systems": systems(), "departments": disciplines()}
    game.do(SaveShip(name="Ember", scale=3, crew=CrewQuality.BASIC, **numbers))
    game.do(AddCombatant(combatant=Entrant(combatant_id=game.table.ships[-1].ship_id)))
    ear = acting(game, "Okafor")
    assert ear.find("Scan for Weakness").startswith("At which ship?")
    assert ear.find("Ember").startswith("How far away?")


def test_a_zone_is_chosen_by_ear() -> None:
    """ACT-6, RNG-1: each with how far it is; on a map alone."""
    game = Brawl(Ruleset.CORE_1E)
    game.fight(game.okafor)
    assert not acting(game, "Okafor").find("Sprint").startswith("Which zone?")
    game.do(DrawMap(zones=("Bridge", "Corridor", "Engineering")))
    bridge, _, engineering = (one.zone_id for one in mapped(game).zones)
    game.do(PlaceAt(who_ids=(game.okafor,), zone_id=bridge))
    ear = acting(game, "Okafor")
    assert ear.find("Sprint").startswith("Which zone? Corridor, 1 zone away.")
    assert "Engineering, 2 zones away." in ear.press(Gesture.NEXT)
    ear.press(Gesture.CONFIRM)
    ear.find("Declare it")
    action = game.task.declaration.action
    assert action is not None
    assert (action.zone_id, action.zones) == (engineering, 2)


def test_where_the_winner_moves_is_chosen_by_ear() -> None:
    """S2E-H4: of who fires at a ship that evades, before the dice."""
    game = Fleet()
    game.do(DrawMap(zones=("Orbit", "Ring")))
    orbit, ring = (one.zone_id for one in mapped(game).zones)
    game.do(PlaceAt(who_ids=(game.ship, game.raider), zone_id=orbit))
    seat = Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical")
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=(seat, Entrant(combatant_id=game.raider))))
    game.do(BeginTurn(combatant_id=game.raider))
    game.act("evasive_action", game.raider)
    game.do(EndTurn())
    game.do(BeginTurn(combatant_id=game.okafor))
    ear = acting(game, "Okafor")
    ear.find("do? Fire.")
    assert ear.find("Phasers").startswith("To which zone, if it wins? Ring, 1 zone away.")
    ear.press(Gesture.CONFIRM)
    ear.find("Declare it")
    action = game.task.declaration.action
    assert action is not None
    assert action.zone_id == ring


def test_a_trait_is_ended_by_ear() -> None:
    """S2E-6: no words are put in its place, which a new trait has from the table."""
    game = Fleet()
    game.do(AddTrait(name="Ion storm"))
    seat = Entrant(combatant_id=game.okafor, ship_id=game.ship, station="sensors")
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=(seat,)))
    game.do(BeginTurn(combatant_id=game.okafor))
    ear = acting(game, "Okafor")
    assert ear.find("Create Trait").startswith("Trait that ends? Ion storm.")
    ear.find("Ion storm")
    ear.find("Declare it")
    action = game.task.declaration.action
    assert action is not None
    assert (action.note, action.target_id) == ("", game.table.traits[0].trait_id)


def mapped(game: Game) -> ZoneMap:
    assert game.table.zone_map is not None
    return game.table.zone_map


def test_a_way_is_asked_for_before_how_hard_it_is() -> None:
    """STN-12, SHIP-9: to another zone first; staying comes last."""
    game = fight_of(Ruleset.CORE_1E, Layout.LINE, [0, 1, 2, 3], ConflictKind.STARSHIP)
    ear = acting(game, "Okafor")
    assert ear.find("Impulse").startswith("Which zone? East, 1 zone away.")
    assert ear.press(Gesture.CONFIRM).startswith("Difficulty, as the gamemaster says?")


@pytest.mark.parametrize("kind", ConflictKind)
@pytest.mark.parametrize("ruleset", Ruleset)
def test_the_panel_offers_nothing_that_changes_nothing(ruleset: Ruleset, kind: ConflictKind) -> None:
    """S2E-T4, STN, ACT-4: each action's ways to declare it are taken, and no two of them make the same Task."""
    game = fight_of(ruleset, Layout.LINE, [0, 0, 0, 1], kind)
    facts = Facts(history=game.history)
    walked = 0
    for one in level(facts, PickPreset(game.okafor)).entries:
        go: Where | None = one.go if one.key.startswith("action:") else None
        while go is not None and not isinstance(go, Declaring):
            go = level(facts, go).entries[0].go
        if go is None:
            continue
        commands = [each.command for each in level(facts, go).entries if isinstance(each.command, DeclareTask)]
        tasks = [tried(game.table, each.declaration).declaration for each in commands]
        assert len(set(tasks)) == len(tasks) > 0, one.label
        assert tasks[0].rolled or len(tasks) == 1, f"{one.label} throws no dice"
        walked += 1
    assert walked >= 9
