"""Nothing that is allowed is hidden: over random play, whatever of a bounded kind `decide` accepts is offered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings

from rules.conflict.attacks import FendOff
from rules.conflict.budget import TakeMinorAction
from rules.conflict.damage_spends import RerollDamage, SettleDamage
from rules.conflict.hits import ChooseTargets
from rules.conflict.injuries import AvoidHow, AvoidInjury, FallDown, StayUp, SufferInjury
from rules.conflict.minors import ROWS
from rules.conflict.rounds import (
    BeginTurn,
    EndConflict,
    EndTurn,
    Entrant,
    KeepInitiative,
    NextRound,
    PassTurn,
    StartConflict,
)
from rules.deciding.checks import profile
from rules.deciding.decision import ActionRow, Command
from rules.errors import Refusal
from rules.legal.menu import MenuEntry, menu
from rules.legal.offers import UNSAID, Price, options
from rules.ships.cards import SaveShip
from rules.ships.first.breaching import NameCasualty
from rules.ships.first.choosing import SettleShipHit
from rules.ships.first.rounds import NameShipsHit
from rules.ships.second.core import ChooseShipsInClose
from rules.ships.second.hits import ChooseStruckSystem, SettleHit
from rules.ships.second.leaving import ChooseShaken, UseSurplusDie
from rules.ships.second.tactical import PREPARATIONS
from rules.ships.shaken import RESULTS
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.tasks import Purchase
from rules.state.vocabulary import ActionScope, ConflictKind, Payer, RerollReason, Ruleset, Spend, System
from rules.table import PLAYBOOK, decide
from rules.tasks.actions import FollowThrough
from rules.tasks.buying import next_die_price
from rules.tasks.challenge_rolls import CloseChallenge
from rules.tasks.declaring import BuyDie, CreateProblem, WithdrawTask
from rules.tasks.pools import spend_cost, spends_of
from rules.tasks.second_throws import RerollDice, own_positions
from rules.tasks.settling import BuyOffComplication, FinishSpending, MakeSpend, SucceedAtCost, TakeComplication
from rules.tasks.task_dice import ThrowAgainst
from tests.rules.squadron import Squadron
from tests.rules.tabletop import disciplines, systems
from tests.rules.test_conflict_properties import MOVES, SCENES, play

PLAIN: tuple[Command, ...] = (
    FollowThrough(),
    FinishSpending(),
    SucceedAtCost(),
    ThrowAgainst(),
    TakeComplication(),
    BuyOffComplication(),
    WithdrawTask(),
    CloseChallenge(),
    SettleDamage(),
    FallDown(),
    StayUp(),
    AvoidInjury(),
    SufferInjury(),
    FendOff(),
    ChooseTargets(),
    SettleShipHit(),
    NameCasualty(),
    NameShipsHit(),
    ChooseShipsInClose(),
    UseSurplusDie(),
    EndTurn(),
    NextRound(),
    EndConflict(),
    *(SettleHit(reductions=number) for number in range(4)),
    *(ChooseStruckSystem(system=one) for one in System),
    *(ChooseShaken(result=name) for name in RESULTS),
    *(ChooseShaken(result=name, system=one) for name in RESULTS if name == "system_out" for one in System),
)
"""Commands that say everything by themselves."""


def bounded(table: Table) -> Iterator[Command]:
    """Every command of the kinds that can be listed."""
    yield from PLAIN
    for waiting in table.complications_waiting:
        yield from (TakeComplication(number=waiting.number), BuyOffComplication(number=waiting.number))
    house = profile(table)
    costs = {one.name: spend_cost(one, 1, house) for one in spends_of(PLAYBOOK, house)}
    for spend in Spend:
        note = UNSAID if spend is Spend.CREATE_ADVANTAGE else ""
        yield from (MakeSpend(spend=spend, threat_part=part, note=note) for part in range(costs.get(spend, 0) + 2))
    yield from (MakeSpend(spend=Spend.CREATE_ADVANTAGE, trait_id=one.trait_id) for one in table.traits)
    ids = [one.character_id for one in table.characters] + [one.ship_id for one in table.ships]
    for one in ids:
        yield BeginTurn(combatant_id=one)
        yield from (KeepInitiative(ally_id=one, threat_part=part) for part in range(costs["keep_initiative"] + 1))
        yield ChooseTargets(target_ids=(one,))
        yield NameShipsHit(ship_ids=(one,))
        yield ChooseShipsInClose(ship_ids=(one,))
        yield from (NameCasualty(character_id=one, lethal=lethal) for lethal in (False, True))
    for part in range(costs["avoid_injury"] + 3):
        yield AvoidInjury(threat_part=part)
        yield AvoidInjury(how=AvoidHow.COMPLICATION, threat_part=part)
    yield from before_the_dice(table, costs["create_problem"])
    yield from thrown_again(table)
    conflict = table.conflict
    if conflict is None:
        return
    yield from (PassTurn(combatant_id=one) for one in (ids if conflict.turn is None else [""]))
    if conflict.turn is not None:
        who = conflict.turn.combatant_id
        for action in wordless(table, conflict.kind):
            for part in range(costs["extra_minor_action"] + 4):
                yield TakeMinorAction(character_id=who, action=action, threat_part=part)


def wordless(table: Table, kind: ConflictKind) -> Iterator[Action]:
    """The Minor Actions that need no words, on foot and at the stations, with whatever else may be chosen for them."""
    if kind is ConflictKind.PERSONAL:
        yield from (Action(name=row.name) for row in ROWS if not row.needs)
        return
    for row in minors_aboard(table.ruleset):
        action = Action(name=row.name, scope=ActionScope.BRIDGE)
        if "system" in row.needs:
            yield from (replace(action, system=system) for system in System)
        elif "zones" in row.needs:
            yield from (replace(action, zones=zones) for zones in range(1, 4))
        elif "target_id" in row.needs:
            yield from (replace(action, target_id=one.ship_id) for one in table.ships)
        elif row.name != "change_position":
            yield action


def minors_aboard(ruleset: Ruleset) -> tuple[ActionRow, ...]:
    return tuple(
        row
        for (scope, _, played), row in PLAYBOOK.rows.items()
        if scope is ActionScope.BRIDGE and played is ruleset and row.minor
    )


def before_the_dice(table: Table, problem: int) -> Iterator[Command]:
    """Bonus dice by every payer and in every mixture, and what makes the Task harder."""
    yield from (CreateProblem(threat_part=part) for part in range(problem + 1))
    for payer in (Payer.MOMENTUM, Payer.THREAT, Payer.TALENT):
        yield BuyDie(purchase=Purchase(payer=payer))
    for part in (1, 2):
        mixed = Purchase(payer=Payer.MOMENTUM, threat_part=part)
        if part < dice_price(table):
            yield BuyDie(purchase=mixed)
    for value in values_of(table):
        yield BuyDie(purchase=Purchase(payer=Payer.DETERMINATION), value=value)


def dice_price(table: Table) -> int:
    bought = table.task.declaration.purchases if table.task is not None else ()
    return next_die_price((one.payer for one in bought), profile(table))


def values_of(table: Table) -> tuple[str, ...]:
    return tuple(value.text for one in table.characters for value in one.values if not value.struck)


def thrown_again(table: Table) -> Iterator[Command]:
    """Each of the Task's dice, and all of its leader's own; each die of the damage, and all of them."""
    task = table.task
    if task is not None and task.dice:
        own = own_positions(task)
        yield RerollDice(positions=own, reason=RerollReason.ACCURATE_AIM)
        yield from (RerollDice(positions=own, reason=RerollReason.INSPIRATION, value=one) for one in values_of(table))
        for place in range(len(task.dice)):
            yield RerollDice(positions=(place,), reason=RerollReason.AIM)
            yield RerollDice(positions=(place,), reason=RerollReason.SHIP_SYSTEM)
    faces = len(table.attack.faces) if table.attack is not None else 0
    yield RerollDamage(positions=tuple(range(faces)))
    yield from (RerollDamage(positions=(place,)) for place in range(faces))


def covered(command: Command, offered: dict[Command, Price]) -> bool:
    """Whether it is offered as it is, or as one whose price says that points of it may go to Threat instead."""
    if command in offered:
        return True
    if isinstance(command, BuyDie):
        parts: Iterable[Command] = (
            replace(command, purchase=replace(command.purchase, threat_part=part)) for part in range(4)
        )
    elif isinstance(command, MakeSpend | CreateProblem | KeepInitiative | TakeMinorAction | AvoidInjury):
        parts = (replace(command, threat_part=part) for part in range(9))
    else:
        return False
    return any(one in offered and offered[one].threat_allowed for one in parts)


def accepted(table: Table, command: Command) -> bool:
    try:
        return bool(decide(table, command))
    except Refusal:
        return False


@settings(max_examples=settings().max_examples // 2)
@given(scene=SCENES, numbers=MOVES)
def test_nothing_that_is_allowed_is_hidden(scene: tuple[object, Ruleset], numbers: list[int]) -> None:
    """POOL-4, TURN-1 to TURN-6, ACT-1, DMG-3 to DMG-7, S2E-8 to S2E-13: each choice that would be taken is listed."""
    for one in play(scene, numbers)[::3]:
        table = one.after.present
        offered = {choice.worded(): choice.price for choice in options(table)}
        for command in bounded(table):
            assert covered(command, offered) or not accepted(table, command), command


def choices_of(table: Table, entry: MenuEntry) -> Iterator[Action]:
    """A Minor Action of the menu with whatever may be chosen for it."""
    action = Action(name=entry.name, scope=entry.scope)
    systems = System if "system" in entry.needs else (None,)
    zones = range(4) if "zones" in entry.needs else (0,)
    notes = ("", "as said", *PREPARATIONS) if "note" in entry.needs else ("",)
    ships = ("", *(one.ship_id for one in table.ships))
    weapons = {name for one in table.characters for name in one.weapons} if "weapon" in entry.needs else {""}
    aims = ships if "target_id" in entry.needs else ("",)
    for system, far, note, ship_id, weapon, aim in product(systems, zones, notes, ships, weapons, aims):
        yield replace(action, system=system, zones=far, note=note, ship_id=ship_id, weapon=weapon, target_id=aim)


@settings(max_examples=settings().max_examples // 5)
@given(scene=SCENES, numbers=MOVES)
def test_the_menu_calls_a_minor_action_possible_if_some_choice_is_allowed(
    scene: tuple[object, Ruleset], numbers: list[int]
) -> None:
    """ACT-1 to ACT-3, SHIP-10, S2E-6: whoever asks, nothing shown is refused and nothing allowed is hidden."""
    table = play(scene, numbers)[-1].after.present
    for actor_id in (*(one.character_id for one in table.characters), *(one.ship_id for one in table.ships)):
        if find_actor(table, actor_id):
            menu_is_complete(table, actor_id)


def find_actor(table: Table, actor_id: str) -> bool:
    """Whether it is a person or an NPC ship, which act; a players' ship does nothing by itself."""
    return all(one.ship_id != actor_id or one.crew is not None for one in table.ships)


def menu_is_complete(table: Table, actor_id: str) -> None:
    for entry in menu(table, actor_id):
        if entry.minor:
            tried = (
                TakeMinorAction(character_id=actor_id, action=action, threat_part=part)
                for action in choices_of(table, entry)
                for part in range(6)
            )
            assert any(accepted(table, one) for one in tried) is entry.possible, (entry, actor_id)


@pytest.mark.parametrize("ruleset", Ruleset)
def test_the_menu_asks_which_ship_of_several(ruleset: Ruleset) -> None:
    """SHIP-10, S2E-6: outside of a fight of ships anyone may work any of them."""
    game = Squadron(ruleset=ruleset)
    game.do(SaveShip(name="Small Hope", scale=1, systems=systems(), departments=disciplines()))
    menu_is_complete(game.table, game.okafor)
    listed = {one.name: one for one in menu(game.table, game.okafor) if one.scope is ActionScope.BRIDGE}
    assert listed["prepare"].needs == ("note", "ship_id")
    assert listed["prepare"].possible
    assert listed["rally"].possible
    assert "ship_id" not in listed["change_position"].needs
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=(Entrant(combatant_id=game.okafor),)))
    game.do(BeginTurn(combatant_id=game.okafor))
    menu_is_complete(game.table, game.okafor)
    offered = {choice.option_id for choice in options(game.table)}
    assert {f"minor_action:prepare:{one.ship_id}" for one in game.table.ships if one.crew is None} <= offered
