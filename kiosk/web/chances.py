"""The odds of a declaration, and what its bonus dice cost, in the form that goes out."""

from __future__ import annotations

from collections.abc import Sequence

from kiosk.web.messages import Bill, MoreDice, Odds
from rules.buying import DicePrice, price_of_die
from rules.odds import declared_odds
from rules.phrases import Phrase, joined_by, say
from rules.rulesets import profile_at
from rules.state import Declaration, Table
from rules.vocabulary import Standing


def odds_of(table: Table, declaration: Declaration) -> Odds:
    """The exact chances of `declaration` at `table`. Raises `rules.errors.Refusal` where it cannot be declared."""
    found = declared_odds(table, declaration)
    return Odds(
        chance=found.odds.chance,
        expected_momentum=found.odds.expected_momentum,
        complication_chance=found.odds.complication_chance,
        more_dice=tuple(MoreDice(dice=more.dice, chance=more.odds.chance, price=more.price) for more in found.further),
        bill=bill_of(table, declaration),
    )


def bill_of(table: Table, declaration: Declaration) -> Bill:
    """What each bonus die costs and what they come to together, in words."""
    prices = prices_of(table, declaration)
    return Bill(dice=tuple(_words([price]) for price in prices), total=_words(prices))


def prices_of(table: Table, declaration: Declaration) -> list[DicePrice]:
    """What each bonus die costs (BUY-2, BUY-7); not whether anyone can pay it."""
    leader = next((one for one in table.characters if one.character_id == declaration.character_id), None)
    npc = leader is not None and leader.standing is not Standing.PLAYER
    profile = profile_at(table)
    bought = declaration.purchases
    return [price_of_die(one, bought[:place], profile=profile, npc=npc) for place, one in enumerate(bought)]


def _words(prices: Sequence[DicePrice]) -> Phrase:
    momentum, added = sum(one.momentum for one in prices), sum(one.threat_added for one in prices)
    spent, determination = sum(one.threat_spent for one in prices), sum(one.determination for one in prices)
    parts = (
        say("{number} Momentum", number=momentum) if momentum else "",
        say("{number} Threat added", number=added) if added else "",
        say("{number} Threat", number=spent) if spent else "",
        say("{number} Determination", number=determination) if determination else "",
    )
    return joined_by(", ", [one for one in parts if one] or [say("nothing")])
