"""A ship's Power: paid, lost, gained, and the Complication where it falls short (SHIP-5, C-31, C-65, C-74, C-84).

In: losses and prices from the rest of the room. Out: the ship's Power, and the d20 for the system that suffers.
"""

from __future__ import annotations

from typing import Final

from rules.deciding.agenda import ask_for_dice, finish_step, plan_next
from rules.deciding.checks import find_ship
from rules.deciding.decision import Draft, StepRow
from rules.dice import DieKind
from rules.errors import Refusal
from rules.ships.bridge import state_with
from rules.ships.cards import no_new_power
from rules.ships.first.events import PowerChanged, ShipComplicated
from rules.ships.first.numbers import lose_power
from rules.ships.numbers import system_hit
from rules.ships.systems import is_counted_whole
from rules.state.conflict import Step
from rules.state.ships import Ship
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import Condition, StepKind, System, TraitKind
from rules.tasks.traits import record_trait
from rules.words import say

_NAME_KEPT: Final = 120
"""Most letters of a long name in a trait beside its other words."""


def require_power(ship: Ship, price: int, rule: str) -> None:
    """Refuse what the ship has no Power for."""
    if ship.state.power < price and no_new_power(ship):
        raise Refusal(
            rule,
            "That takes {price} Power, {ship} has {power}, and its engines give no more; choose what takes less.",
            price=price,
            ship=ship.name,
            power=ship.state.power,
        )
    if ship.state.power < price:
        raise Refusal(
            rule,
            "That takes {price} Power and {ship} has {power}; manage the power first.",
            price=price,
            ship=ship.name,
            power=ship.state.power,
        )


def require_new_power(ship: Ship) -> None:
    """Refuse what would bring Power to a ship whose Engines give none (BRCH-4, BRCH-5, C-74)."""
    if ship.state.damage_of(System.ENGINES).condition is Condition.DESTROYED:
        raise Refusal(
            "BRCH-5", "{ship}'s engines are destroyed and give no new Power; use what is left.", ship=ship.name
        )
    if no_new_power(ship):
        raise Refusal("BRCH-4", "{ship}'s engines give no new Power; repair them first.", ship=ship.name)


def spend(draft: Draft, ship_id: str, price: int, why: str) -> None:
    """Take what an action costs, when it is attempted (C-65). The caller has made sure that it is there."""
    ship = find_ship(draft.table, ship_id)
    _set(draft, ship, max(0, ship.state.power - price), why)


def gain(draft: Draft, ship_id: str, power: int, why: str) -> None:
    """Raise a ship's Power to `power`; nothing comes where the Engines are disabled or destroyed (C-74)."""
    ship = find_ship(draft.table, ship_id)
    if not no_new_power(ship):
        _set(draft, ship, max(ship.state.power, power), why)


def lose(draft: Draft, ship_id: str, loss: int, why: str) -> None:
    """Power is lost; more than is left brings a Complication on a random system (SHIP-5, C-31, C-84)."""
    ship = find_ship(draft.table, ship_id)
    left = lose_power(ship.state.power, loss)
    _set(draft, ship, left.power, why)
    if not left.complications:
        return
    if is_counted_whole(draft.table, ship):
        complicate(draft, ship, None)
    else:
        plan_next(draft, Step(kind=StepKind.POWER_COMPLICATION_DIE, subject_id=ship_id))


def _set(draft: Draft, ship: Ship, power: int, why: str) -> None:
    change = power - ship.state.power
    if change:
        state = state_with(draft, ship.ship_id, power=power)
        draft.record(
            PowerChanged(ship_id=ship.ship_id, name=ship.name, power=power, change=change, why=why, state=state)
        )


def complicate(draft: Draft, ship: Ship, system: System | None, name: str = "") -> None:
    """Record a Complication on a ship, as a trait of the scene."""
    named = ship.name[:_NAME_KEPT]
    trait = name or (
        say("Trouble with the {system} of {ship}", system=system, ship=named)
        if system is not None
        else say("Trouble aboard {ship}", ship=named)
    )
    draft.record(ShipComplicated(ship_id=ship.ship_id, name=ship.name, system=system, trait=trait))
    record_trait(draft, trait, TraitKind.COMPLICATION, npc=ship.crew is not None)


def _begin_die(draft: Draft, step: Step) -> None:
    ship = find_ship(draft.table, step.subject_id)
    ask_for_dice(draft, DieKind.D20, 1, who="", why=say("where {ship} has trouble", ship=ship.name))


def _count_die(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    complicate(draft, find_ship(draft.table, step.subject_id), system_hit(int(thrown[0].face)))
    finish_step(draft)


STEPS: Final = (StepRow(kind=StepKind.POWER_COMPLICATION_DIE, begin=_begin_die, count=_count_die),)
"""The step of the d20 that finds the system to suffer when Power runs short (SHIP-5)."""
