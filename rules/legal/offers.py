"""What is legal now, with its price: commands ready to send, so that a person chooses instead of guessing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rules.conflict.events import PrivateThreatReturned
from rules.conflict.moves import fights_on_foot
from rules.deciding.candidate import Candidate, Role
from rules.deciding.decision import EVERY_RULESET, Command, Draft, Event, PoolChanged
from rules.errors import Refusal
from rules.legal.turns import turn_order
from rules.ships.moves import second_edition_ships, second_edition_upkeep, ships, upkeep
from rules.ships.second.stations import SECOND
from rules.state.changing import replace
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.vocabulary import Pool, Ruleset
from rules.table import PLAYBOOK, decide, evolve
from rules.tasks.determination import DeterminationChanged
from rules.tasks.ending import still_spending
from rules.tasks.events import MomentumSpent, SpendingFinished
from rules.tasks.extended import extended_tasks
from rules.tasks.line import line_moves, spends_before
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
from rules.tasks.opposed import PLAIN, answer, opponents
from rules.tasks.settling import FinishSpending


def candidates(table: Table) -> Iterator[Candidate]:
    """Whatever may be legal now, in the order of play; some of it the rules will refuse."""
    groups = (group for group in _GROUPS if table.ruleset in _ONLY_IN.get(group, EVERY_RULESET))
    return (one for group in groups for one in group(table))


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
    line_moves,
    challenge_moves,
    upkeep,
    second_edition_upkeep,
    turn_order,
    determination_moves,
)
"""The pseudo-legal moves of each room, in the order in which a table meets them."""


_ONLY_IN: Final[Mapping[Callable[[Table], Iterator[Candidate]], frozenset[Ruleset]]] = {second_edition_upkeep: SECOND}
"""The moves that not every ruleset has."""


def declarers(table: Table) -> tuple[str, ...]:
    """Who can declare a Task now, as `character_id`s; where one waits for the other side's, who may answer it (OPP-1).

    Of those the expected come first, and NPC ships' crews are among them (NSHIP-1).
    """
    found = answer(table, PLAYBOOK)
    return found.who if found is not None else tuple(one.character_id for one in table.characters)


def may_oppose(table: Table, who: str) -> tuple[str, ...]:
    """Who can be named to oppose a Task that `who` declares, as `character_id`s, the other side first (OPP-1)."""
    return opponents(table, PLAYBOOK, who)


def may_be_plain(table: Table) -> bool:
    """Whether the Task that is declared next may name no action: an attack that waits has answers of its own."""
    found = answer(table, PLAYBOOK)
    return found is None or found.actions >= PLAIN


def has_to_wait_for(table: Table, who: str) -> frozenset[str]:
    """The ids of the others whose outcome can still buy something, which a Task that `who` declares now would end."""
    return spends_before(Draft(table, PLAYBOOK), who)


def spending_ended_by(table: Table, command: Command) -> tuple[Task, ...]:
    """The Tasks whose spending `command` would end by going on, although something can still be bought on each.

    To say that it is done, as its owner does, is no going on.
    """
    spending = still_spending(Draft(table, PLAYBOOK))
    if isinstance(command, FinishSpending) or not spending:
        return ()
    try:
        events = decide(table, command, goes_on=True)
    except Refusal:
        return ()
    ended = set[int]()
    for event in events:
        if isinstance(event, SpendingFinished) and table.task is not None:
            ended.add(table.task.number)
        table = evolve(table, event)
    return tuple(one for one in spending if one.number in ended)


UNSAID: Final = "as said"
"""The stand-in for words that a person has yet to give; they change no price and no chance."""


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
    `short_label` is the label with players' characters by their last names; empty until somebody who knows which of
    these tell them apart fills it in.
    `asks_for` is the field of the command that has to be filled with words first; empty where it can be sent as it is.
    """

    option_id: str
    label: str
    command: Command
    price: Price
    rule: str
    role: Role
    repeatable: bool = False
    own_label: str = ""
    short_label: str = ""
    asks_for: str = ""

    def worded(self, said: str = UNSAID) -> Command:
        """The command with its words, where it has to be filled with some."""
        return _worded(self.command, self.asks_for, said)


def options(table: Table) -> tuple[Option, ...]:
    """Everything that can be chosen now, in the order of play; `decide` accepts each with the words it asks for."""
    return tuple(one for one in (offered(table, each) for each in candidates(table)) if one is not None)


def offered(table: Table, one: Candidate) -> Option | None:
    """What could be chosen, with what it costs now; None where the rules refuse it."""
    try:
        events = decide(table, _worded(one.command, one.asks_for, UNSAID))
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
        asks_for=one.asks_for,
    )


def _worded(command: Command, field: str, said: str) -> Command:
    changed: dict[str, Any] = {field: said} if field else {}
    return replace(command, **changed)


def _price(events: tuple[Event, ...], *, threat_allowed: bool) -> Price:
    momentum = threat = added = determination = 0
    for event in events:
        if isinstance(event, MomentumSpent):
            momentum += event.spend.from_generated
        elif isinstance(event, DeterminationChanged):
            determination -= event.change
        elif isinstance(event, PoolChanged) and event.pool is Pool.MOMENTUM:
            momentum -= event.change
        elif isinstance(event, PoolChanged):
            threat += event.change
            added += max(0, event.change)
        elif isinstance(event, PrivateThreatReturned):
            threat += event.points  # goes back to its creature by itself, whatever is chosen
    return Price(
        momentum=momentum,
        threat=abs(threat) or added,  # in hazardous terrain what is added is spent at once (S2E-5)
        determination=max(0, determination),
        threat_allowed=threat_allowed,
        threat_spent=threat < 0,
    )
