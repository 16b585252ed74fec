"""The event that names a fact changes the table; journals kept before have a second event beside it."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from rules.conflict.events import (
    AttackChanged,
    BodyChanged,
    ConflictChanged,
    ConflictOver,
    DamageCounted,
    PushedOn,
    TurnOver,
)
from rules.deciding.decision import Event
from rules.messages import EVENTS
from rules.ships.events import ShipStateChanged
from rules.ships.first.events import PowerChanged
from rules.state.conflict import Action, Attack, Conflict
from rules.state.table import Table
from rules.state.vocabulary import ConflictKind, Ruleset
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish

CHANGES_NOTHING = {
    # what a hit's system, cover and shelter are worth, and who else is hit, stands in the steps that follow
    "cover_counted",
    "ship_resistance_counted",
    "system_struck",
    "targets_chosen",
    # another event of the same decision says what becomes of it: a trait, a hit, a step, a pool
    "casualty_named",
    "first_edition_warp",
    "hazard_met",
    "hull_failed",
    "impact_counted",
    "ship_complicated",
    "ships_named",
    # it is told only
    "evasion_won",
    "pursuit_decided",
    # the history folds it, not the table
    "decision_redone",
    "decision_undone",
}


def test_an_event_changes_the_table_unless_it_is_known_to_change_nothing() -> None:
    assert {name for name, kind in EVENTS.items() if kind.fold is Event.fold} == CHANGES_NOTHING


@pytest.mark.parametrize("name", ["conflict", "body", "attack"])
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


def _alike(table: Table, kept: Event, told: Event, carrying: Event) -> None:
    """The pair of an older journal and the one event of today leave the same table, which is another one."""
    after = carrying.fold(table)
    assert after == told.fold(kept.fold(table))
    assert after != table
