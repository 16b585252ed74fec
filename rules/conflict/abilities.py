"""Special abilities of creatures, as a table: what each is called, and what its number means (NPC-2)."""

from __future__ import annotations

from typing import Final

from rules.deciding.rows import AbilityRow
from rules.words import say

ROWS: Final = (
    AbilityRow(
        name="fast_recovery", label=say("Fast Recovery"), number=say("Stress regained"),
        meaning=say("regains Stress when its Turn begins, and may lose an Injury then for 2 Threat"),
    ),
    AbilityRow(
        name="immune", label=say("Immune"), about=say("what it is immune to"), meaning=say("is not harmed by that"),
    ),
    AbilityRow(
        name="invulnerable", label=say("Invulnerable"), about=say("its weakness, if it has one"),
        meaning=say("loses Stress but takes no Injury"),
    ),
    AbilityRow(
        name="staggered", label=say("Staggered"),
        meaning=say("loses its next Turn in place of an Injury it would take"),
    ),
    AbilityRow(
        name="wrathful", label=say("Wrathful"), meaning=say("adds 2 Threat in place of an Injury it would take"),
    ),
    AbilityRow(
        name="machine", label=say("Machine"), number=say("Resistance"),
        meaning=say("has Resistance, suffers neither vacuum nor hunger, and heat and cold are 2 easier for it"),
    ),
    AbilityRow(name="menacing", label=say("Menacing"), meaning=say("adds 1 Threat when it enters a scene")),
    AbilityRow(name="night_vision", label=say("Night Vision"), meaning=say("darkness makes nothing harder for it")),
    AbilityRow(
        name="threatening", label=say("Threatening"), number=say("its own Threat"),
        meaning=say("has Threat of its own in each scene"),
    ),
)  # fmt: skip
"""The special abilities that tell in conflicts (NPC-2)."""

MACHINE_IMMUNITIES: Final = frozenset({"suffocation", "vacuum", "starvation", "thirst"})
"""Damage Effects that do a Machine no harm (NPC-2)."""
