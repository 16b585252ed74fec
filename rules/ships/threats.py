"""What a torpedo costs in Threat (THR-2, THR-4, C-52)."""

from __future__ import annotations

from typing import Final

from rules.deciding.rows import ThreatRow
from rules.words import say

GAINS: Final = (ThreatRow(name="torpedo_attack", label=say("A torpedo is fired")),)
"""What raises Threat in starship combat (THR-2)."""

SPENDS: Final = (ThreatRow(name="npc_torpedo_attack", label=say("An NPC fires a torpedo"), own=True),)
"""What Threat buys in starship combat (THR-4)."""
