"""The menu describes an action as declaring it turns out: Difficulty, Power, attributes, disciplines, dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from rules.conflict.lasting import EffectBegan
from rules.conflict.rounds import BeginTurn, EndConflict, Entrant, StartConflict
from rules.errors import Refusal
from rules.house.adopting import AdoptHouseTables
from rules.house.tables import house_tables
from rules.legal.choices import ChoiceKind, MenuChoice
from rules.legal.menu import Dice, MenuEntry, menu
from rules.rulesets.profiles import FORMS
from rules.ships.first.events import PowerChanged
from rules.ships.stations import STATION_ACTIONS
from rules.state.conflict import Action, LastingEffect
from rules.state.options import TableOptions
from rules.state.ships import Core, SystemDamage
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    Condition,
    ConflictKind,
    Discipline,
    EffectEnd,
    InjuryState,
    Ruleset,
    System,
    TraitKind,
)
from rules.table import decide
from rules.tasks.declaring import DeclareTask
from rules.tasks.events import TaskDeclared
from rules.tasks.extended import BeginExtendedTask
from rules.tasks.traits import AddTrait
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game

Tried = tuple[Declaration, int]
"""A declared Task, and the Power that it took."""


def declared(table: Table, who: str, action: Action, attribute: Attribute, discipline: Discipline) -> Tried | None:
    """The result of declaring an action; None if it is refused."""
    declaration = Declaration(character_id=who, attribute=attribute, discipline=discipline, action=action)
    try:
        events = decide(table, DeclareTask(declaration=declaration))
    except Refusal:
        return None
    (task,) = (one.task for one in events if isinstance(one, TaskDeclared))
    return task.declaration, -sum(one.change for one in events if isinstance(one, PowerChanged))


def plainly_chosen(table: Table, who: str, entry: MenuEntry) -> Iterator[Action]:
    """The action with everything that may have to be chosen for it, and nothing that may be left out."""
    ids = [one.character_id for one in table.characters] + [one.ship_id for one in table.ships]
    things = [one.trait_id for one in table.traits] + [one.track_id for one in table.extended]
    weapons = {name for one in table.characters if one.character_id == who for name in (*one.weapons, "knife")}
    mounted = {weapon.name for ship in table.ships for weapon in ship.weapons}
    fields: dict[str, tuple[Any, ...]] = {
        "target_id": ("", *ids, *things) if "target_id" in entry.needs else ("",),
        "ship_id": tuple(one.ship_id for one in table.ships) if "ship_id" in entry.needs else ("",),
        "weapon": ("", *weapons, *mounted) if "weapon" in entry.needs else ("",),
        "system": (None, *System) if "system" in entry.needs else (None,),
        "zones": (0, 1, 2, 3) if "zones" in entry.needs else (0,),
        "note": ("", "as said") if "note" in entry.needs else ("",),
    }
    for chosen in product(*fields.values()):
        action = Action(name=entry.name, scope=entry.scope, **dict(zip(fields, chosen, strict=True)))
        if entry.name in {"fire", "fire_weapon"} and action.system is not None:
            continue  # the system of a shot may be left out
        yield action


def suggested(entry: MenuEntry) -> tuple[Attribute, Discipline]:
    return (*entry.attributes, Attribute.CONTROL)[0], (*entry.disciplines, Discipline.COMMAND)[0]


def holds(table: Table, who: str, entry: MenuEntry) -> bool:
    """Compare an entry with the result of declaring it; whether it can be declared."""
    accepted: list[tuple[Action, Tried]] = []
    for action in plainly_chosen(table, who, entry):
        found = declared(table, who, action, *suggested(entry))
        if found is not None:
            accepted.append((action, found))
    assert bool(accepted) is entry.possible, (entry.name, entry.why_not)
    if not accepted:
        return False
    difficulties = {one.difficulty for _, (one, _) in accepted}
    assert entry.power == min(power for _, (_, power) in accepted), (entry.name, "Power")
    if entry.difficulty is not None and entry.name != "guard":
        assert difficulties == {entry.difficulty}, (entry.name, "Difficulty")
    thrown = [(action, one) for action, (one, _) in accepted if one.rolled]
    by_choice = entry.name == "guard" or {"zones", "level"} <= set(entry.needs)  # of an ally, or how hard the way is
    may_be_thrown = entry.dice is Dice.NOW and not by_choice
    assert may_be_thrown <= bool(thrown) <= (entry.dice is Dice.NOW), (entry.name, entry.dice)
    for choice in entry.choices:
        _choosing(who, entry, choice, [action for action, _ in accepted])
    if thrown:
        _skills(table, who, entry, thrown[-1][0])
    return True


def _choosing(who: str, entry: MenuEntry, choice: MenuChoice, accepted: list[Action]) -> None:
    """An action is refused without a required choice, works without an optional one, and accepts only listed values."""
    chosen = [getattr(action, choice.name) for action in accepted]
    if choice.kind is ChoiceKind.NUMBER:
        assert choice.least is not None
        assert choice.most is not None
        least = 0 if not choice.required else choice.least
        assert all(one is None or least <= one <= choice.most for one in chosen), (entry.name, choice)
        return
    assert all(chosen) if choice.required else not all(chosen), (entry.name, choice, chosen)
    if choice.kind is ChoiceKind.ONE_OF:
        assert {one for one in chosen if one} <= {who, *(one.id for one in choice.values)}, (entry.name, choice)


def _skills(table: Table, who: str, entry: MenuEntry, action: Action) -> None:
    """Each attribute and discipline that the menu lists is taken as it is, and no other; all where it lists none."""
    attribute, discipline = suggested(entry)
    taken = [(one, declared(table, who, action, one, discipline)) for one in Attribute]
    kept = {one for one, found in taken if found is not None and found[0].attribute is one}
    used = {found[0].attribute for _, found in taken if found is not None}
    listed = set(entry.attributes or Attribute)
    assert (used <= listed) if entry.settled else (kept == listed), (entry.name, "attributes")
    chosen = [(one, declared(table, who, action, attribute, one)) for one in Discipline]
    fitting = {one for one, found in chosen if found is not None and found[0].discipline is one}
    assert fitting == set(entry.disciplines or Discipline), (entry.name, "disciplines")


def every(game: Game, who: str) -> set[str]:
    """Hold the whole menu of one who may act; the names of what can be declared."""
    return {one.name for one in menu(game.table, who) if not one.minor and holds(game.table, who, one)}


# --- on foot ------------------------------------------------------------------------------------------------


def on_foot(ruleset: Ruleset) -> Skirmish:
    """Somebody is hurt, somebody armed, a Complication and an Extended Task are there; it is Okafor's Turn."""
    game = Skirmish(ruleset, begins="okafor", momentum=3)
    game.do(AddTrait(name="Smoke", kind=TraitKind.COMPLICATION))
    by_progress = ruleset is Ruleset.SECOND_EDITION
    game.do(BeginExtendedTask(label="Open the gate", work=6, magnitude=0 if by_progress else 2, difficulty=2))
    game.injure(game.lindqvist, InjuryState.NONLETHAL)
    game.change_body(game.lindqvist, debilitated=True)
    game.reach(game.okafor, game.brack)
    game.begin(game.okafor)
    return game


@pytest.mark.parametrize("ruleset", Ruleset)
def test_on_foot(ruleset: Ruleset) -> None:
    """ACT-4, ATK-1, C-22, C-54, C-55, C-80."""
    game = on_foot(ruleset)
    assert {"attack", "create_advantage", "guard", "recover", "sprint", "first_aid", "other", "ready"} <= every(
        game, game.okafor
    )
    cover = LastingEffect(effect_id="e", name="cover", owner_id=game.okafor, target_id=game.okafor, amount=2)
    game.record_effect(cover)
    every(game, game.okafor)


@pytest.mark.parametrize("ruleset", Ruleset)
def test_after_a_fight(ruleset: Ruleset) -> None:
    """ACT-4, DMG-8."""
    game = on_foot(ruleset)
    game.do(EndConflict())
    assert "treatment" in every(game, game.okafor)


# --- aboard -------------------------------------------------------------------------------------------------


def broken(game: Fleet, system: System, condition: Condition) -> None:
    damage = SystemDamage(system=system, breaches=2, condition=condition)
    for ship_id in (game.ship, game.raider):
        game.state(ship_id, systems=game.of(ship_id).state.systems_with(damage), condition=condition)


def lasts(game: Fleet, name: str, role: str = "") -> None:
    held = LastingEffect(
        effect_id=name, name=name, owner_id=game.okafor, target_id=game.ship, amount=3, role=role, ends=EffectEnd.SCENE
    )
    game.record(EffectBegan(effect=held, next_number=game.table.next_number))


def prepared(game: Fleet) -> None:
    lasts(game, "power_rerouted", role=System.ENGINES)
    lasts(game, "bridge_prepared")


HURT: dict[str, Callable[[Fleet], None]] = {
    "whole": lambda _: None,
    "shields down": lambda game: game.state(game.ship, shields=0, reserve_power=True),
    "reserve used": lambda game: game.state(game.ship, reserve_power=False, regain_attempts=2, power=1),
    "engines": lambda game: broken(game, System.ENGINES, Condition.DAMAGED),
    "sensors": lambda game: broken(game, System.SENSORS, Condition.DISABLED),
    "core": lambda game: game.state(game.ship, core=Core(rounds=1)),
    "held": lambda game: lasts(game, "beam_held"),
    "prepared": prepared,
}


def aboard(ruleset: Ruleset, options: TableOptions | None = None) -> Fleet:
    game = Fleet(options=options) if ruleset is Ruleset.SECOND_EDITION else Squadron(ruleset=ruleset, options=options)
    game.do(AddTrait(name="Leaking coolant", kind=TraitKind.COMPLICATION))
    return game


def by_turns() -> Iterator[Any]:
    """Each state in the second edition, and in one of the two rulesets of the first; in the other one in the soak."""
    for number, state in enumerate(HURT):
        early = (Ruleset.STARTER, Ruleset.CORE_1E)
        yield state, early[number % 2]
        yield pytest.param(state, early[(number + 1) % 2], marks=pytest.mark.long)
        yield state, Ruleset.SECOND_EDITION


@pytest.mark.parametrize(("state", "ruleset"), [*by_turns()])
def test_aboard(state: str, ruleset: Ruleset) -> None:
    """STN, S2E, SHIP-6 to SHIP-9, REP-1, NSHIP-3: of the players and of an NPC ship's crew, as the ship stands."""
    game = aboard(ruleset)
    HURT[state](game)
    every(game, game.okafor)
    every(game, game.raider)


@pytest.mark.parametrize("ruleset", Ruleset)
def test_in_a_fight_of_ships(ruleset: Ruleset) -> None:
    """STN, S2E-6, S2E-C3."""
    game = aboard(ruleset)
    entrants = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="tactical"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=game.raider),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=entrants, begins=game.okafor))
    game.do(BeginTurn(combatant_id=game.okafor))
    prepared(game)
    every(game, game.okafor)


def mixed() -> Iterator[Any]:
    """The forms of each ruleset at a table of each; the table's own, which mixes nothing, in the soak."""
    for ruleset, played in product(Ruleset, Ruleset):
        yield pytest.param(ruleset, played, marks=[pytest.mark.long] if ruleset is played else [])


@pytest.mark.parametrize(("ruleset", "played"), [*mixed()])
def test_a_table_that_mixes_its_forms(ruleset: Ruleset, played: Ruleset) -> None:
    """Section 19: whatever form of an action a table plays, its menu has that one and no other."""
    forms: dict[str, Any] = dict.fromkeys(FORMS, played)
    game = aboard(ruleset, TableOptions(**forms))
    game.state(game.ship, shields=2, power=3)
    broken(game, System.SENSORS, Condition.DAMAGED)
    can = every(game, game.okafor)
    assert ("ram" in can, "ramming_speed" in can) == (
        played is Ruleset.SECOND_EDITION,
        played is not Ruleset.SECOND_EDITION,
    )


@pytest.mark.parametrize("ruleset", Ruleset)
def test_a_house_of_its_own(ruleset: Ruleset) -> None:
    """STN, S2E: a house's attributes, disciplines, Difficulty and Power."""
    game = aboard(ruleset)
    rows = {
        name: {"difficulty": 3, **({"attributes": ["presence", "daring"]} if row.attributes else {})}
        for name, row in STATION_ACTIONS[ruleset].items()
        if row.rolled and not row.as_declared
    }
    if ruleset is not Ruleset.SECOND_EDITION:
        rows |= {name: {"power": 2} for name in ("fire_weapon", "impulse", "warp", "attack_pattern")}
    game.do(AdoptHouseTables(tables=house_tables({"stations": rows}, "house.toml")))
    broken(game, System.SENSORS, Condition.DAMAGED)
    every(game, game.okafor)


def test_the_starter_scans_and_goes_to_warp_by_its_own_numbers() -> None:
    """SHIP-7, SHIP-8, C-32, C-33."""
    game = aboard(Ruleset.STARTER)
    listed = {one.name: one for one in menu(game.table, game.okafor) if one.scope is ActionScope.BRIDGE}
    sweep, warp = listed["sensor_sweep"], listed["warp"]
    assert (sweep.difficulty, sweep.attributes) == (1, (Attribute.CONTROL, Attribute.REASON))
    assert (sweep.rule, warp.power) == ("SHIP-8", 1)


def test_a_fire_of_the_house_is_paid_as_the_house_says() -> None:
    """C-36, STN-20: what has to be there is what is taken."""
    game = aboard(Ruleset.CORE_1E)
    tables = house_tables({"stations": {"fire_weapon": {"power": 2}}}, "house.toml")
    game.do(AdoptHouseTables(tables=tables))
    before = game.of().state.power
    game.act("fire_weapon", target_id=game.raider, weapon="Phasers")
    assert game.of().state.power == before - 2


def test_an_attack_on_a_ship_that_evades_by_the_other_form_can_be_answered() -> None:
    """C-44, S2E-H4: the answer belongs to the form of Evasive Action that the table plays."""
    game = aboard(Ruleset.CORE_1E, TableOptions(evasive_action_as=Ruleset.SECOND_EDITION))
    game.act("evasive_action", game.lindqvist)
    game.act("fire_weapon", game.raider, target_id=game.ship, weapon="Phasers")
    game.throw(1, 1)
    game.throw(20)
    game.act("evade", game.lindqvist)
    assert game.task.declaration.action is not None
    assert game.task.declaration.action.name == "evade"
