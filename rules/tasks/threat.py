"""Threat: where it starts, what raises it, what it buys (THR-1 to THR-5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.deciding.rows import ThreatRow
from rules.errors import Refusal, require_at_least
from rules.words import say, worded

THREAT_PER_PLAYER: Final = 2
"""Threat that each player adds at the start of a session (THR-1)."""


COMPLICATION_BOUGHT_OFF: Final = ThreatRow(
    name="complication_bought_off", label=say("A Complication bought off"), each=2, counted=True
)
"""What a player pays for a Complication that does not come (THR-3)."""

GAINS: Final = (
    ThreatRow(
        name="immediate_paid_in_threat", label=say("An Immediate spend paid in Threat, point for point"), counted=True
    ),
    COMPLICATION_BOUGHT_OFF,
    ThreatRow(name="threatening_scene", label=say("A threatening scene, 1 or 2"), counted=True),
    ThreatRow(name="npc_leftover_momentum", label=say("Momentum that an NPC has left"), counted=True),
)
"""What raises Threat whatever is played (THR-2, THR-3); the subjects bring what raises it in theirs."""

WAIVE_COMPLICATION: Final = ThreatRow(
    name="waive_npc_complication", label=say("A Complication of an NPC waived"), each=2, own=True, counted=True
)
"""What an NPC pays for a Complication that does not come (THR-4)."""

CREATE_COMPLICATION: Final = ThreatRow(name="create_complication", label=say("A Complication made"), each=2)
"""The spend that makes a trait, and may say what it is (THR-4)."""

SPENDS: Final = (
    ThreatRow(
        name="npc_immediate_spend", label=say("What players buy with Momentum, point for point"), own=True, counted=True
    ),
    WAIVE_COMPLICATION,
    CREATE_COMPLICATION,
    ThreatRow(name="environment_effect", label=say("Something about the place changes, for each point"), counted=True),
)
"""What Threat buys whatever is played (THR-4); the subjects bring what it buys in theirs."""


def starting_threat(players: int) -> int:
    """Threat at the start of a session: 2 for each player (THR-1)."""
    return THREAT_PER_PLAYER * require_at_least(0, players, "the number of players")


def reason_of(rows: Mapping[str, ThreatRow], rule: str, name: str) -> ThreatRow:
    """The reason of that name. Refuses an unknown one, by `rule`."""
    row = rows.get(name)
    if row is None:
        raise Refusal(rule, "Threat does not change for {event}; choose one of the reasons listed.", event=worded(name))
    return row


def gain_threat(threat: int, row: ThreatRow, amount: int = 1) -> int:
    """Threat after something raised it (THR-2): `amount` is how often or how much.

    A Complication bought off costs 2 each (THR-3, C-15). Refuses an amount below 1.
    """
    return require_at_least(0, threat, "Threat") + _points(row, say("THR-2"), amount)


def spend_threat(threat: int, row: ThreatRow, amount: int = 1) -> int:
    """Threat after the gamemaster spent it (THR-4). Refuses an amount below 1, and more than there is (THR-5)."""
    price = _points(row, say("THR-4"), amount)
    require_threat(price, threat)
    return threat - price


def require_threat(price: int, threat: int) -> None:
    """Refuse a price that exceeds the Threat there is; it never falls below 0 (THR-5)."""
    if price > threat:
        raise Refusal(
            "THR-5",
            "That costs {price} Threat and there is {threat}; choose something cheaper.",
            price=price,
            threat=threat,
        )


def _points(row: ThreatRow, rule: str, amount: int) -> int:
    if amount < 1:
        raise Refusal(rule, "Say how much: 1 or more.")
    return row.each * amount
