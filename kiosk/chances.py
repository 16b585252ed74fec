"""The odds of a declaration in the form that goes out."""

from __future__ import annotations

from kiosk.messages import MoreDice, Odds
from rules.odds import declared_odds
from rules.state import Declaration, Table


def odds_of(table: Table, declaration: Declaration) -> Odds:
    """The exact chances of `declaration` at `table`. Raises `rules.errors.Refusal` where it cannot be declared."""
    found = declared_odds(table, declaration)
    return Odds(
        chance=found.odds.chance,
        expected_momentum=found.odds.expected_momentum,
        complication_chance=found.odds.complication_chance,
        more_dice=tuple(MoreDice(dice=more.dice, chance=more.odds.chance, price=more.price) for more in found.further),
    )
