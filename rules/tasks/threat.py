"""Threat: where it starts, what raises it, what it buys (THR-1 to THR-5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rules.errors import Refusal, require_at_least
from rules.words import say, worded

THREAT_PER_PLAYER: Final = 2
"""Threat that each player adds at the start of a session (THR-1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreatRow:
    """One reason for which Threat rises or is spent: `each` points for each of the amount (THR-2, THR-4).

    `own`: an NPC spends it on what it does itself, so that Threat of its own may pay (THR-6).
    """

    name: str
    label: str
    each: int = 1
    own: bool = False


def _table(*rows: ThreatRow) -> Mapping[str, ThreatRow]:
    return MappingProxyType({row.name: row for row in rows})


THREAT_GAINS: Final = _table(
    ThreatRow(name="immediate_paid_in_threat", label=say("An Immediate spend paid in Threat, point for point")),
    ThreatRow(name="complication_bought_off", label=say("A Complication bought off"), each=2),
    ThreatRow(name="threatening_scene", label=say("A threatening scene, 1 or 2")),
    ThreatRow(name="npc_leftover_momentum", label=say("Momentum that an NPC has left")),
    ThreatRow(name="pc_lethal_attack", label=say("A player character attacks to kill")),
    ThreatRow(name="pc_resists_knockdown", label=say("A player character stays up, for each Effect")),
    ThreatRow(name="menacing_enters", label=say("A Menacing creature enters")),
    ThreatRow(name="wrathful_would_be_injured", label=say("A Wrathful creature would be injured"), each=2),
    ThreatRow(name="torpedo_attack", label=say("A torpedo is fired")),
    ThreatRow(name="escalation", label=say("A weapon with an Escalation cost is taken along, for each point")),
)
"""What raises Threat (THR-2, THR-3)."""


THREAT_SPENDS: Final = _table(
    ThreatRow(name="npc_immediate_spend", label=say("What players buy with Momentum, point for point"), own=True),
    ThreatRow(name="npc_lethal_attack", label=say("An NPC attacks to kill"), own=True),
    ThreatRow(name="npc_torpedo_attack", label=say("An NPC fires a torpedo"), own=True),
    ThreatRow(name="npc_resists_knockdown", label=say("An NPC stays up, for each Effect"), own=True),
    ThreatRow(name="waive_npc_complication", label=say("A Complication of an NPC waived"), each=2, own=True),
    ThreatRow(name="create_complication", label=say("A Complication made"), each=2),
    ThreatRow(name="reinforce_minor", label=say("A minor NPC arrives")),
    ThreatRow(name="reinforce_notable", label=say("A notable NPC arrives"), each=2),
    ThreatRow(name="environment_effect", label=say("Something about the place changes, for each point")),
    ThreatRow(name="notable_avoids_injury", label=say("A notable NPC avoids an Injury"), each=2, own=True),
    ThreatRow(
        name="fast_recovery_clears_injury",
        label=say("A creature with Fast Recovery loses an Injury"),
        each=2,
        own=True,
    ),
    ThreatRow(name="keep_initiative", label=say("The gamemaster's side keeps the Initiative"), each=2),
)
"""What Threat buys (THR-4)."""


def starting_threat(players: int) -> int:
    """Threat at the start of a session: 2 for each player (THR-1)."""
    return THREAT_PER_PLAYER * require_at_least(0, players, "the number of players")


def gain_threat(threat: int, event: str, amount: int = 1) -> int:
    """Threat after something raised it (THR-2): `event` is a key of `THREAT_GAINS`, `amount` how often or how much.

    A Complication bought off costs 2 each (THR-3, C-15). Refuses an unknown reason and an amount below 1.
    """
    row = _row(THREAT_GAINS, say("THR-2"), event, amount)
    return require_at_least(0, threat, "Threat") + row.each * amount


def spend_threat(threat: int, event: str, amount: int = 1) -> int:
    """Threat after the gamemaster spent it (THR-4): `event` is a key of `THREAT_SPENDS`.

    Refuses an unknown reason, an amount below 1, and more than there is (THR-5).
    """
    price = _row(THREAT_SPENDS, say("THR-4"), event, amount).each * amount
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


def _row(table: Mapping[str, ThreatRow], rule: str, event: str, amount: int) -> ThreatRow:
    row = table.get(event)
    if row is None:
        raise Refusal(
            rule, "Threat does not change for {event}; choose one of the reasons listed.", event=worded(event)
        )
    if amount < 1:
        raise Refusal(rule, "Say how much: 1 or more.")
    return row
