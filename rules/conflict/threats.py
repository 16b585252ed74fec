"""What raises Threat in a conflict, and what it buys there (THR-2, THR-4)."""

from __future__ import annotations

from typing import Final

from rules.deciding.rows import ThreatRow
from rules.words import say

LETHAL_ATTACK: Final = ThreatRow(name="pc_lethal_attack", label=say("A player character attacks to kill"))
"""An attack of a player character that means to kill (ATK-4)."""

MENACING_ENTERS: Final = ThreatRow(name="menacing_enters", label=say("A Menacing creature enters"), counted=True)
"""The first sight of a Menacing creature (NPC-2)."""

WRATHFUL: Final = ThreatRow(name="wrathful_would_be_injured", label=say("A Wrathful creature would be injured"), each=2)
"""The wrath of a creature that takes no Injury (NPC-2)."""

ESCALATION: Final = ThreatRow(
    name="escalation", label=say("A weapon with an Escalation cost is taken along, for each point"), counted=True
)
"""A weapon taken along that has an Escalation cost (WPN-1)."""

GAINS: Final = (
    LETHAL_ATTACK,
    ThreatRow(name="pc_resists_knockdown", label=say("A player character stays up, for each Effect"), counted=True),
    MENACING_ENTERS,
    WRATHFUL,
    ESCALATION,
)
"""What raises Threat in conflicts (THR-2)."""

NPC_LETHAL_ATTACK: Final = ThreatRow(name="npc_lethal_attack", label=say("An NPC attacks to kill"), own=True)
"""An attack of an NPC that means to kill (ATK-4)."""

MINOR_ARRIVES: Final = ThreatRow(name="reinforce_minor", label=say("A minor NPC arrives"), counted=True)
"""A reinforcement (NPC-1)."""

NOTABLE_ARRIVES: Final = ThreatRow(name="reinforce_notable", label=say("A notable NPC arrives"), each=2, counted=True)
"""A reinforcement that has a name (NPC-1)."""

INJURY_CLEARED: Final = ThreatRow(
    name="fast_recovery_clears_injury",
    label=say("A creature with Fast Recovery loses an Injury"),
    each=2,
    own=True,
)
"""What Fast Recovery can do at the start of a Turn (NPC-3)."""

SPENDS: Final = (
    NPC_LETHAL_ATTACK,
    ThreatRow(name="npc_resists_knockdown", label=say("An NPC stays up, for each Effect"), own=True, counted=True),
    MINOR_ARRIVES,
    NOTABLE_ARRIVES,
    ThreatRow(name="notable_avoids_injury", label=say("A notable NPC avoids an Injury"), each=2, own=True),
    INJURY_CLEARED,
    ThreatRow(name="keep_initiative", label=say("The gamemaster's side keeps the Initiative"), each=2),
)
"""What Threat buys in conflicts (THR-4)."""
