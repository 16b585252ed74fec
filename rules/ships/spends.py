"""What Momentum buys on a ship's hit in both editions (MOM-10, MOM-11)."""

from __future__ import annotations

from typing import Final

from rules.deciding.rows import SpendRule
from rules.state.glossary import SPEND_WORDS
from rules.words import say

ROWS: Final = (
    SpendRule(
        name="devastating_attack", rule="MOM-10", label=SPEND_WORDS["devastating_attack"], cost=2, scope="starship",
        effect=say("another system takes half the damage, rounded up"),
    ),
    SpendRule(
        name="power_loss", rule="MOM-11", label=SPEND_WORDS["power_loss"], cost=1, scope="starship",
        effect=say("the target loses 1 Power"), repeatable=True,
    ),
)  # fmt: skip
"""The spends that both editions' ships share."""
