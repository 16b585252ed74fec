"""The menu of actions: all that someone has, possible or not, and why (ACT-3, ACT-4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.conflict.rounds import BeginTurn, EndConflict, Entrant, StartConflict
from rules.deciding.checks import find_character
from rules.errors import Refusal
from rules.legal.menu import MenuEntry, choices_for, menu
from rules.ships.cards import SaveShip
from rules.state.conflict import Action
from rules.state.options import TableOptions
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    ConflictKind,
    CrewQuality,
    Discipline,
    InjuryState,
    Ruleset,
    TraitKind,
)
from rules.tasks.extended import BeginExtendedTask
from rules.tasks.traits import AddTrait
from tests.rules.fleet2e import PHASERS, Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game, disciplines, systems


def of(game: Game, who: str, name: str, scope: ActionScope = ActionScope.PERSONAL) -> MenuEntry:
    return next(one for one in menu(game.table, who) if one.name == name and one.scope is scope)


def test_every_action_on_foot_is_listed() -> None:
    """ACT-3, ACT-4."""
    game = Skirmish(begins="okafor")
    listed = {one.name for one in menu(game.table, game.okafor)}
    assert {
        "aim", "draw_item", "drop_prone", "interact", "movement", "prepare", "stand", "assist", "attack",
        "create_advantage", "direct", "guard", "pass", "ready", "recover", "sprint", "first_aid", "treatment", "other",
    } <= listed  # fmt: skip
    assert all(one.scope is ActionScope.PERSONAL for one in menu(game.table, game.okafor))


def test_who_is_helped_is_chosen_among_ones_own_side_first() -> None:
    """ACT-7, ATK-1: who may die before whom First Aid holds; an attack is aimed at foes first."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.injure(game.brack, InjuryState.LETHAL)
    for one in (game.okafor, game.lindqvist):
        game.injure(one)
    game.change_body(game.lindqvist, injury=InjuryState.LETHAL)
    game.change_body(game.okafor, pushing_on=True)

    def first(name: str) -> list[str]:
        entry = of(game, game.okafor, name)
        return [one.id for one in next(each for each in entry.choices if each.name == "target_id").values]

    assert first("first_aid") == [game.lindqvist, game.okafor, game.brack]
    assert first("attack") == [game.dorr, game.brack, game.lindqvist]


def test_what_is_not_possible_says_why() -> None:
    """TURN-1, TURN-5, ACT-7."""
    game = Skirmish(begins="okafor")
    assert of(game, game.okafor, "recover").why_not == "Begin the Turn of Okafor first."
    game.begin(game.okafor)
    recover = of(game, game.okafor, "recover")
    assert (recover.possible, recover.difficulty, recover.rule) == (True, 2, "ACT-5")
    assert (recover.attributes, recover.disciplines) == ((Attribute.FITNESS,), (Discipline.COMMAND,))
    assert not of(game, game.okafor, "treatment").possible
    assert not of(game, game.okafor, "first_aid").possible
    game.injure(game.dorr, InjuryState.LETHAL)
    assert of(game, game.okafor, "first_aid").possible
    assert not of(game, game.okafor, "stand").possible
    assert "It is the Turn of Okafor" in of(game, game.brack, "aim").why_not
    game.act(game.okafor, "ready", note="when they come")
    assert "The Task of this Turn is taken" in of(game, game.okafor, "recover").why_not
    assert of(game, game.okafor, "aim").possible


def test_a_price_is_what_taking_it_now_costs() -> None:
    """ACT-1, C-82."""
    game = Skirmish(begins="okafor", momentum=2)
    game.begin(game.okafor)
    assert of(game, game.okafor, "aim").price == 0
    game.minor(game.okafor, "interact")
    assert of(game, game.okafor, "aim").price == 1
    second = Skirmish(ruleset=Ruleset.SECOND_EDITION, begins="okafor", momentum=2)
    second.begin(second.okafor)
    assert of(second, second.okafor, "direct").price == 1


def test_what_threat_could_pay_is_possible() -> None:
    """C-2: without Momentum a further Minor Action can still be paid with Threat."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.minor(game.okafor, "interact")
    entry = of(game, game.okafor, "aim")
    assert (entry.possible, entry.price) == (True, 1)


def test_pass_and_an_unknown_actor() -> None:
    """TURN-6."""
    game = Skirmish(begins="okafor")
    assert of(game, game.okafor, "pass").possible
    assert not of(game, game.brack, "pass").possible
    game.begin(game.okafor)
    assert of(game, game.okafor, "pass").possible
    assert not of(game, game.brack, "pass").possible
    with pytest.raises(Refusal):
        menu(game.table, "nobody")


def test_outside_a_conflict_nothing_waits_for_a_turn() -> None:
    """ACT-4."""
    game = Skirmish()
    game.do(EndConflict())
    assert of(game, game.okafor, "guard").possible
    assert of(game, game.okafor, "attack").possible
    assert not of(game, game.okafor, "direct").possible
    assert any(one.scope is ActionScope.BRIDGE for one in menu(game.table, game.okafor)) == bool(game.table.ships)


def test_what_a_bridge_may_do_is_found_among_all_that_may_be_meant() -> None:
    """STN-13, STN-20, EXT-T1, REP-3: warp of two zones, a ship to fire at, an Extended Task, a Complication."""
    game = Squadron()

    def possible(name: str) -> bool:
        (found,) = (one for one in menu(game.table, game.okafor) if one.name == name)
        return found.possible

    assert (possible("warp"), possible("fire_weapon")) == (True, True)
    assert (possible("extended"), possible("clear_complication")) == (False, False)
    game.do(BeginExtendedTask(label="Decode the log", work=6, magnitude=2, resistance=0, difficulty=2))
    game.do(AddTrait(name="Leaking coolant", kind=TraitKind.COMPLICATION))
    assert (possible("extended"), possible("clear_complication")) == (True, True)
    game.state(game.raider, destroyed=True)
    assert possible("fire_weapon")
    game.state(game.ember, destroyed=True)
    assert not possible("fire_weapon")


def test_nobody_is_asked_for_what_a_plan_settles() -> None:
    """ATK-2, ATK-3, C-22: the weapon decides in an attack; Ready and Pass throw nothing; 2e directs by Control."""
    game = Skirmish(begins="okafor")
    settled = {one.name for one in menu(game.table, game.okafor) if one.settled}
    assert settled == {"attack", "ready", "pass"}
    assert of(game, game.okafor, "direct").attributes == ()
    later = Skirmish(ruleset=Ruleset.SECOND_EDITION, begins="okafor")
    assert of(later, later.okafor, "direct").attributes == (Attribute.CONTROL,)


def test_what_keeps_from_an_attack_is_said_of_a_foe() -> None:
    """ATK-1: an ally who is out of Reach as well is nobody's first thought."""
    game = Skirmish(begins="okafor")
    attack = next(one for one in of(game, game.okafor, "attack").choices if one.name == "target_id")
    order = [one.id for one in attack.values]
    assert set(order[:2]) == {game.brack, game.dorr}
    assert order[2:] == [game.lindqvist]


def test_whom_to_attack_names_foes_who_can_act_before_those_who_cannot() -> None:
    """ATK-1: then the other foes, then the rest."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.injure(game.brack)
    (aim,) = (one for one in of(game, game.okafor, "attack").choices if one.name == "target_id")
    assert [one.id for one in aim.values] == [game.dorr, game.brack, game.lindqvist]


def test_a_ship_fires_however_many_weapons_others_have() -> None:
    """S2E-T5, SATK-1: what is offered is tried with one's own weapons, in both rulesets."""
    for ruleset, action in ((Ruleset.SECOND_EDITION, "fire"), (Ruleset.CORE_1E, "fire_weapon")):
        game = Game(ruleset)
        numbers: dict[str, Any] = {"systems": systems(), "departments": disciplines(), "shields": 12}
        banks = tuple(replace(PHASERS, name=f"Bank {place}") for place in range(8))
        for name, weapons, crew in (
            ("Comet", banks, CrewQuality.TALENTED),
            ("Ember", banks, CrewQuality.TALENTED),
            ("Heron", (PHASERS,), None),
        ):
            game.do(SaveShip(name=name, scale=4, crew=crew, weapons=weapons, **numbers))
        comet, ember, heron = (one.ship_id for one in game.table.ships[-3:])
        entrants = (
            Entrant(combatant_id=game.okafor, ship_id=heron, station="tactical"),
            Entrant(combatant_id=comet),
            Entrant(combatant_id=ember),
        )
        game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=game.okafor))
        entry = of(game, game.okafor, action, ActionScope.BRIDGE)
        assert (entry.possible, entry.why_not) == (False, "Begin the Turn of Okafor first.")
        game.do(BeginTurn(combatant_id=game.okafor))
        assert of(game, game.okafor, action, ActionScope.BRIDGE).possible


def test_the_crew_of_an_npc_ship_is_told_the_dice_that_it_throws() -> None:
    """DMG-1, NSHIP-1: with its own Security, as its attack is thrown."""
    game = Squadron()
    crew = find_character(game.table, game.raider)
    choices = choices_for(game.table, game.raider, Action(name="attack"))
    (labels,) = ([str(value.label) for value in one.values] for one in choices if one.name == "weapon")
    assert crew.disciplines.security == 3
    assert labels == ["Unarmed, 4 dice"]


def test_the_distance_of_a_shot_is_asked_where_it_counts() -> None:
    """S2E-7, C-52."""
    assert "at_range" not in of(Fleet(), Fleet().okafor, "fire", ActionScope.BRIDGE).needs
    game = Fleet(options=TableOptions(range_and_aim_penalties=True))
    assert "at_range" in of(game, game.okafor, "fire", ActionScope.BRIDGE).needs
