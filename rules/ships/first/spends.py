"""What Momentum buys on the Tasks of the first edition's stations (STN-7, STN-17, STN-18, STN-21)."""

from __future__ import annotations

from typing import Final

from rules.deciding.rows import SpendRule
from rules.state.glossary import SPEND_WORDS
from rules.words import say

ROWS: Final = (
    SpendRule(
        name="more_power", rule="STN-7", label=SPEND_WORDS["more_power"], cost=1, scope="action",
        effect=say("1 more Power from Power Management"), repeatable=True,
    ),
    SpendRule(
        name="more_resistance", rule="STN-21", label=SPEND_WORDS["more_resistance"], cost=1, scope="action",
        effect=say("1 more Resistance from Modulate Shields"), repeatable=True,
    ),
    SpendRule(
        name="better_course", rule="STN-17", label=SPEND_WORDS["better_course"], cost=2, scope="action",
        effect=say("the next Task of the helm is 1 easier still"), repeatable=True,
    ),
    SpendRule(
        name="more_hazards", rule="STN-18", label=SPEND_WORDS["more_hazards"], cost=2, scope="action",
        effect=say("one hazard more is charted"), repeatable=True,
    ),
)  # fmt: skip
"""The spends of one action each. A house may play these actions in every ruleset (section 19)."""
