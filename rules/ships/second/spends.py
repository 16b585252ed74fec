"""What Momentum buys on the hits and Tasks of the second edition's ships (S2E-8, S2E-T4, S2E-O3)."""

from __future__ import annotations

from typing import Final

from rules.deciding.rows import SpendRule
from rules.ships.second.stations import SECOND
from rules.state.glossary import SPEND_WORDS
from rules.words import say

ROWS: Final = (
    SpendRule(
        name="added_damage", rule="S2E-8", label=SPEND_WORDS["added_damage"], cost=2, scope="starship",
        effect=say("one more damage"), repeatable=True, rulesets=SECOND,
    ),
    SpendRule(
        name="counter_hit", rule="S2E-T4", label=SPEND_WORDS["counter_hit"], cost=2, scope="starship",
        effect=say("the ship that attacked is hit in return"), rulesets=SECOND,
    ),
    SpendRule(
        name="more_shields", rule="S2E-O3", label=SPEND_WORDS["more_shields"], cost=1, scope="action",
        effect=say("2 more Shields regenerated"), repeatable=True,
    ),
)  # fmt: skip
"""The spends of the second edition alone, but for Shields, which both regenerate."""
