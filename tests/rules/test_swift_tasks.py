"""Swift Task and Surge of Activity make no dice of an action without dice, and take none away (MOM-9, C-7, TASK-9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from rules.conflict.lasting import EffectBegan
from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.deciding.decision import ActionRow, never
from rules.house.adopting import AdoptHouseTables
from rules.house.tables import house_tables
from rules.ships.stations import STATION_ACTIONS
from rules.state.conflict import Action, LastingEffect
from rules.state.options import TableOptions
from rules.state.ships import SystemDamage
from rules.state.vocabulary import ActionScope, Condition, ConflictKind, Ruleset, Spend, System
from rules.table import PLAYBOOK
from rules.tasks.determination import SurgeOfActivity
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.undo import Undo
from tests.rules.fleet2e import Fleet
from tests.rules.squadron import BY_SYSTEM, Squadron
from tests.rules.tabletop import OKAFOR_VALUE, Game

STARTER, CORE, SECOND = Ruleset.STARTER, Ruleset.CORE_1E, Ruleset.SECOND_EDITION

Case = tuple[str, dict[str, Any]]

FOR_ALL: Final[tuple[Case, ...]] = (
    ("assist", {"target_id": "lindqvist"}), ("direct", {"target_id": "lindqvist"}), ("ready", {"note": "Now"}),
)  # fmt: skip
OF_THE_FIRST: Final[tuple[Case, ...]] = (
    ("maneuver", {"zones": 1}), ("impulse", {"zones": 2}), ("warp", {"zones": 2}), ("launch_probe", {}),
    ("hailing_frequencies", {"target_id": "raider"}), ("respond_to_hail", {"target_id": "raider"}),
)  # fmt: skip
OF_THE_SECOND: Final[tuple[Case, ...]] = (
    ("reroute_power", {"system": System.ENGINES}), ("modulate_shields", {}), ("defensive_fire", {"weapon": "Phasers"}),
    ("attack_pattern", {}), ("evasive_action", {}),
)  # fmt: skip

ACTIONS: Final = [
    *((ruleset, scope, *one) for ruleset in Ruleset for scope in ActionScope for one in FOR_ALL),
    *((ruleset, ActionScope.BRIDGE, *one) for ruleset in (STARTER, CORE) for one in OF_THE_FIRST),
    *((SECOND, ActionScope.BRIDGE, *one) for one in OF_THE_SECOND),
]
"""Every action without dice that somebody takes in a Turn of their own, in each ruleset, on foot and aboard."""


def fighting(ruleset: Ruleset, scope: ActionScope, options: TableOptions | None = None) -> Fleet:
    """A conflict in which Okafor has the Turn, Lindqvist is with her, and the raider or Brack stands against them."""
    of_the_first = options or BY_SYSTEM
    game = Fleet(6, options) if ruleset is SECOND else Squadron(6, of_the_first, ruleset)
    aboard = scope is ActionScope.BRIDGE
    ship = game.ship if aboard else ""
    entrants = [Entrant(combatant_id=one, ship_id=ship) for one in (game.okafor, game.lindqvist)]
    foe = Entrant(combatant_id=game.raider if aboard else game.brack)
    kind = ConflictKind.STARSHIP if aboard else ConflictKind.PERSONAL
    game.do(StartConflict(kind=kind, combatants=(*entrants, foe), begins=game.okafor))
    game.do(BeginTurn(combatant_id=game.okafor))
    return game


def hailed(game: Fleet) -> None:
    """The raider has hailed the Far Lantern."""
    link = LastingEffect(effect_id="effect-900", name="link_open", owner_id=game.raider, target_id=game.ship)
    game.record(EffectBegan(effect=link, next_number=game.table.next_number))


def succeed(game: Game) -> None:
    """A first Task of Okafor's Turn, which makes Momentum."""
    game.declare(action=Action(name="other", scope=scope_of(game)))
    game.throw(1, 1)


def scope_of(game: Game) -> ActionScope:
    assert game.table.conflict is not None
    aboard = game.table.conflict.kind is ConflictKind.STARSHIP
    return ActionScope.BRIDGE if aboard else ActionScope.PERSONAL


def action_of(game: Fleet, name: str, changes: dict[str, Any]) -> Action:
    named = {**changes, "target_id": getattr(game, changes["target_id"])} if "target_id" in changes else changes
    return Action(name=name, scope=scope_of(game), **named)


@pytest.mark.parametrize(("ruleset", "scope", "name", "changes"), ACTIONS)
@pytest.mark.parametrize("bought", ["swift", "surge"])
def test_an_action_without_dice_has_none_as_a_further_task(
    ruleset: Ruleset, scope: ActionScope, name: str, changes: dict[str, Any], bought: str
) -> None:
    """MOM-9, DET-4, C-7, TASK-9: it is possible, nothing is thrown, and it does what it does as a first Task."""
    options = replace(BY_SYSTEM, surge_difficulty=1)
    game = fighting(ruleset, scope, options)
    hailed(game)
    succeed(game)
    if bought == "swift":
        game.do(MakeSpend(spend=Spend.SWIFT_TASK))
    else:
        game.do(SurgeOfActivity(character_id=game.okafor, value=OKAFOR_VALUE))
    game.do(FinishSpending())
    before = game.table
    game.declare(action=action_of(game, name, changes))
    assert game.table.request is None
    assert game.table.task is None
    assert game.table != before
    turn = game.table.conflict.turn if game.table.conflict is not None else None
    assert turn is not None
    assert (turn.tasks, turn.harder) == (2, 0)
    assert game.table.surge_for == ""


def swift(game: Game) -> None:
    succeed(game)
    game.do(MakeSpend(spend=Spend.SWIFT_TASK))
    game.do(FinishSpending())


def test_all_of_them_are_here() -> None:
    """Whatever row throws no dice is one of these cases, but for what takes nothing of a Turn."""
    found = {
        (ruleset, scope, name)
        for (scope, name, ruleset), row in PLAYBOOK.rows.items()
        if not row.minor and not row.free and is_without_dice(row, ruleset)
    }
    assert found == {(ruleset, scope, name) for ruleset, scope, name, _ in ACTIONS}


def is_without_dice(row: ActionRow, ruleset: Ruleset) -> bool:
    at_station = STATION_ACTIONS[ruleset].get(row.name) if row.scope is ActionScope.BRIDGE else None
    return row.rolled is never or (at_station is not None and not at_station.rolled)


def test_guard_becomes_a_throw_instead() -> None:
    """C-80: it has no dice at Difficulty 0 alone."""
    game = fighting(CORE, ActionScope.PERSONAL)
    swift(game)
    game.declare(action=Action(name="guard"))
    assert game.task.difficulty == 1
    assert game.table.request is not None


@pytest.mark.parametrize("ruleset", [STARTER, CORE])
def test_a_way_that_is_thrown_for_is_harder_as_a_swift_task(ruleset: Ruleset) -> None:
    """SHIP-9, BRCH-3: terrain and damaged Engines make a Task with dice of it, to which Swift Task adds."""
    game = fighting(ruleset, ActionScope.BRIDGE)
    swift(game)
    game.declare(action=Action(name="maneuver", scope=ActionScope.BRIDGE, zones=1, level=1))
    assert game.task.difficulty == 2
    game.do(Undo())
    game.state(game.ship, systems=(SystemDamage(system=System.ENGINES, breaches=2, condition=Condition.DAMAGED),))
    game.declare(action=Action(name="maneuver", scope=ActionScope.BRIDGE, zones=1))
    assert game.task.difficulty == 3


def test_a_task_that_may_go_without_dice_is_thrown_as_a_swift_task() -> None:
    """TASK-9: who declares it may leave the dice away at Difficulty 0, which it is no more."""
    game = fighting(CORE, ActionScope.PERSONAL)
    swift(game)
    sprint = Action(name="sprint")
    game.refused(game.declaration(action=sprint, rolled=False), "TASK-9")
    game.declare(action=sprint)
    assert game.task.difficulty == 1


def test_a_house_may_let_dice_be_thrown_for_it() -> None:
    """The row at this house says whether: with a discipline it is a Task with dice."""
    game = fighting(SECOND, ActionScope.BRIDGE)
    changed = {"modulate_shields": {"attributes": ["control"], "discipline": "security"}}
    game.do(AdoptHouseTables(tables=house_tables({"stations": changed}, "house.toml")))
    swift(game)
    game.declare(action=Action(name="modulate_shields", scope=ActionScope.BRIDGE))
    assert (game.task.difficulty, game.task.target_number) == (1, 14)


def test_breaches_make_nothing_harder_that_is_not_thrown() -> None:
    """S2E-18: what has no dice has no Difficulty either."""
    game = fighting(SECOND, ActionScope.BRIDGE)
    breach = SystemDamage(system=System.STRUCTURE, breaches=1, condition=Condition.DAMAGED)
    game.state(game.ship, systems=(breach,))
    swift(game)
    game.declare(action=Action(name="modulate_shields", scope=ActionScope.BRIDGE))
    assert game.table.task is None
