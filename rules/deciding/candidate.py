"""One thing that may be legal now, as every group of candidates offers it.

In: nothing. Out: the value that `moves` of each room and `rules.legal.turns` yield, and `rules.legal.offers` tries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from rules.deciding.decision import Command
from rules.words import say


class Role(StrEnum):
    """Who would choose an option at a table; anyone may press it."""

    PLAYER = "player"
    GAMEMASTER = "gamemaster"
    ANYONE = "anyone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A command that may be legal now. `free` ones cost nothing, whatever pools they move.

    `own_label` is the label for whoever acts, without their name; empty where it is no part of a Turn. `asks_for` is
    the field of the command that whoever chooses it has to fill with words; empty where none has to be.
    """

    option_id: str
    label: str
    command: Command
    rule: str
    role: Role
    repeatable: bool = False
    threat_allowed: bool = False
    free: bool = False
    own_label: str = ""
    asks_for: str = ""


def how_paid(label: str, how: str) -> str:
    """A label that says which of the `ways_to_pay` is meant; the usual one goes without saying."""
    if how == "threat":
        return say("{label} by adding Threat", label=label)
    if how == "mixed":
        return say("{label} with the pool and added Threat", label=label)
    return label


def ways_to_pay(price: int, at_hand: int, *, threat: bool) -> Iterator[tuple[str, int]]:
    """The ways a price in Momentum can be paid, each with the points of it that are added to Threat instead.

    With Momentum; if `threat` with Threat alone, and with as little of it as what is `at_hand` leaves open (POOL-4).
    """
    yield "momentum", 0
    if threat and price:
        yield "threat", price
        if 0 < at_hand < price:
            yield "mixed", price - at_hand
