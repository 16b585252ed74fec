"""What is legal now, with its price: commands ready to send, so that a person chooses instead of guessing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from rules.conflict.moves import fights_on_foot
from rules.deciding.candidate import Candidate, Role
from rules.deciding.decision import Command, Event, PoolChanged
from rules.errors import Refusal
from rules.legal.turns import turn_order
from rules.ships.moves import second_edition_ships, ships, upkeep
from rules.state.table import Table
from rules.state.vocabulary import Pool
from rules.table import PLAYBOOK, decide
from rules.tasks.determination import DeterminationChanged
from rules.tasks.events import MomentumSpent
from rules.tasks.extended import extended_tasks
from rules.tasks.moves import (
    challenge_moves,
    complication_moves,
    determination_moves,
    free_roll_moves,
    held_throw_moves,
    moves_before_dice,
    opposition_moves,
    reroll_moves,
    spend_moves,
)


def candidates(table: Table) -> Iterator[Candidate]:
    """Whatever may be legal now, in the order of play; some of it the rules will refuse."""
    return (one for group in _GROUPS for one in group(table))


_GROUPS: Final[tuple[Callable[[Table], Iterator[Candidate]], ...]] = (
    held_throw_moves,
    free_roll_moves,
    moves_before_dice,
    opposition_moves,
    extended_tasks,
    fights_on_foot,
    ships,
    second_edition_ships,
    reroll_moves,
    lambda table: spend_moves(table, PLAYBOOK),
    complication_moves,
    challenge_moves,
    upkeep,
    turn_order,
    determination_moves,
)
"""The pseudo-legal moves of each room, in the order in which a table meets them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What an option costs as it stands.

    `momentum` comes from the Task in hand first, then from the group pool. `threat` points are added to Threat, or
    taken out of it if `threat_spent`. `threat_allowed` says that points of the Momentum may be added to Threat instead.
    """

    momentum: int = 0
    threat: int = 0
    determination: int = 0
    threat_allowed: bool = False
    threat_spent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing that is legal now. `option_id` is stable while the table does not change.

    `own_label` is the label for whoever has the Turn, without their name; empty where it is no part of a Turn.
    """

    option_id: str
    label: str
    command: Command
    price: Price
    rule: str
    role: Role
    repeatable: bool = False
    own_label: str = ""


def options(table: Table) -> tuple[Option, ...]:
    """Everything that can be chosen now, in the order of play. Every one is accepted by `decide` as it is."""
    found = (offered(table, one) for one in candidates(table))
    return tuple(one for one in found if one is not None)


def offered(table: Table, one: Candidate) -> Option | None:
    """What could be chosen, with what it costs now; None where the rules refuse it."""
    try:
        events = decide(table, one.command)
    except Refusal:
        return None
    return Option(
        option_id=one.option_id,
        label=one.label,
        command=one.command,
        price=Price() if one.free else _price(events, threat_allowed=one.threat_allowed),
        rule=one.rule,
        role=one.role,
        repeatable=one.repeatable,
        own_label=one.own_label,
    )


def _price(events: tuple[Event, ...], *, threat_allowed: bool) -> Price:
    momentum = threat = determination = 0
    for event in events:
        if isinstance(event, MomentumSpent):
            momentum += event.spend.from_generated
        elif isinstance(event, DeterminationChanged):
            determination -= event.change
        elif isinstance(event, PoolChanged) and event.pool is Pool.MOMENTUM:
            momentum -= event.change
        elif isinstance(event, PoolChanged):
            threat += event.change
    return Price(
        momentum=momentum,
        threat=abs(threat),
        determination=max(0, determination),
        threat_allowed=threat_allowed,
        threat_spent=threat < 0,
    )
