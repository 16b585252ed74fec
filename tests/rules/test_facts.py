"""The event that names a fact changes the table; journals kept before have a second event beside it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Final

import pytest

from rules.conflict.events import (
    AttackChanged,
    BodyChanged,
    ConflictChanged,
    ConflictOver,
    CoverCounted,
    DamageCounted,
    PushedOn,
    TurnOver,
)
from rules.deciding.agenda import AgendaChanged
from rules.deciding.decision import Event
from rules.messages import EVENTS
from rules.ships.events import ShipStateChanged
from rules.ships.first.events import PowerChanged
from rules.state.conflict import Action, Attack, Conflict, Step
from rules.state.table import Table
from rules.state.vocabulary import ConflictKind, Ruleset, StepKind
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish

CHANGES_NOTHING: Final = {
    "hazard_met": "a pool changes by one event, which is its own fact: the Threat that is spent stands beside it",
    "hull_failed": "the hit before it carries how the ship stands from then on, critical or destroyed with it",
    "ship_complicated": "the trait of the scene that it brings is a fact of its own beside it",
    "evasion_won": "where a map is kept the ship moves by an event of its own; without one it is told only",
    "pursuit_decided": "what lasted ends beside it where one is caught, by the event that ends any effect",
    "decision_redone": "the history folds it, not the table",
    "decision_undone": "the history folds it, not the table",
}
"""Every event that changes nothing of the table, and why. An event that names a change carries it."""


def test_an_event_changes_the_table_unless_it_is_known_to_change_nothing() -> None:
    assert {name for name, kind in EVENTS.items() if kind.fold is Event.fold} == CHANGES_NOTHING.keys()


@pytest.mark.parametrize("name", ["conflict", "body", "attack", "steps"])
def test_what_an_event_carries_may_be_missing_in_a_journal(name: str) -> None:
    carrying = [kind for kind in EVENTS.values() if any(one.name == name for one in fields(kind))]
    defaults = {one.default for kind in carrying for one in fields(kind) if one.name == name}
    assert None in defaults
    assert len(carrying) > 1


def test_a_ship_stands_alike_after_one_event_and_after_two() -> None:
    game = Fleet()
    ship = game.table.ships[0]
    state = replace(ship.state, power=ship.state.power + 3)
    told = PowerChanged(ship_id=ship.ship_id, name=ship.name, power=state.power, change=3, why="the test")
    kept = ShipStateChanged(ship_id=ship.ship_id, name=ship.name, state=state, why="the test")
    _alike(game.table, kept, told, replace(told, state=state))


def test_a_body_is_alike_after_one_event_and_after_two() -> None:
    table = Skirmish().table
    one = table.characters[0]
    body = replace(one.body, pushing_on=True)
    told = PushedOn(character_id=one.character_id, name=one.name)
    kept = BodyChanged(character_id=one.character_id, name=one.name, body=body, why="the test")
    _alike(table, kept, told, replace(told, body=body))


def test_turns_are_alike_after_one_event_and_after_two() -> None:
    conflict = Conflict(kind=ConflictKind.PERSONAL, round=4, combatants=())
    told = TurnOver(combatant_id="character-1", name="Okafor")
    _alike(Skirmish().table, ConflictChanged(conflict=conflict), told, replace(told, conflict=conflict))


def test_a_conflict_is_over_after_one_event_and_after_two() -> None:
    over = ConflictOver(round=1)
    _alike(Skirmish().table, ConflictChanged(conflict=None), over, over)


def test_an_attack_is_alike_after_one_event_and_after_two() -> None:
    table = Skirmish(Ruleset.CORE_1E).table
    number = table.next_number
    attack = Attack(
        number=number, action=Action(name="attack"), attacker_id="character-1", attacker="Okafor", npc=False
    )
    told = DamageCounted(attacker="Okafor", faces=(), total=0, effects=0)
    _alike(table, AttackChanged(attack=attack, next_number=number + 1), told, replace(told, attack=attack))


def test_a_chain_goes_on_alike_after_one_event_and_after_two() -> None:
    step = Step(kind=StepKind.SETTLE_HIT, subject_id="character-1", count=2)
    told = CoverCounted(name="Okafor", resistance=2)
    _alike(Skirmish().table, AgendaChanged(steps=(step,)), told, replace(told, steps=(step,)))


def _alike(table: Table, kept: Event, told: Event, carrying: Event) -> None:
    """The pair of an older journal and the one event of today leave the same table, which is another one."""
    after = carrying.fold(table)
    assert after == told.fold(kept.fold(table))
    assert after != table
