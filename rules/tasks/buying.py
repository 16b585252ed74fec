"""Bonus d20s: what each costs, who pays how, and at which purchase a list is refused (BUY-1 to BUY-7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rules.errors import Refusal, require_at_least
from rules.rulesets.profiles import Profile
from rules.state.tasks import Purchase
from rules.state.vocabulary import Payer
from rules.tasks.scoring import MOST_BONUS_DICE, dice_to_throw

_POOL_PAYERS: Final = frozenset({Payer.MOMENTUM, Payer.THREAT})
"""The payers whose dice make the next one dearer in every ruleset (BUY-1, C-5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Funds:
    """What can pay: the group's Momentum, the gamemaster's Threat, the character's Determination."""

    momentum: int
    threat: int
    determination: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePrice:
    """What one bonus die cost, by where the points came from or went."""

    momentum: int = 0
    threat_added: int = 0
    threat_spent: int = 0
    determination: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PurchaseTotal:
    """What a list of purchases comes to.

    If `allowed`, `funds` is what is left and `prices` has one entry a purchase. If not, `refused_at` is the
    one-based place of the purchase that cannot be made and `why` says what is the matter; `funds`, `prices` and
    the dice are those of the purchases before it.
    """

    allowed: bool
    bonus_dice: int
    dice_to_roll: int
    funds: Funds
    prices: tuple[DicePrice, ...]
    refused_at: int | None = None
    why: Refusal | None = None


def next_die_price(before: Iterable[Payer], profile: Profile) -> int:
    """Points that the next die bought with Momentum or Threat costs: 1, then 2, then 3 (BUY-2).

    One escalation for both pools (BUY-3). Talent and Determination dice do not raise it unless the table plays
    so (BUY-6, C-5).
    """
    return 1 + sum(1 for payer in before if profile.bonus_price_counts_all or payer in _POOL_PAYERS)


def price_of_die(purchase: Purchase, before: Sequence[Purchase], *, profile: Profile, npc: bool = False) -> DicePrice:
    """What one purchase costs after those `before` it; nothing is checked against what is there to pay."""
    if purchase.payer is Payer.TALENT:
        return DicePrice()
    if purchase.payer is Payer.DETERMINATION:
        return DicePrice(determination=1)
    price = next_die_price((one.payer for one in before), profile)
    if npc:
        return DicePrice(threat_spent=price)
    added = price if purchase.payer is Payer.THREAT else purchase.threat_part
    return DicePrice(momentum=price - added, threat_added=added)


def buy_dice(
    purchases: Sequence[Purchase],
    funds: Funds,
    profile: Profile,
    *,
    value_applies: bool = False,
    npc: bool = False,
) -> PurchaseTotal:
    """Work through the purchases in order (BUY-1 to BUY-7) and say what they come to, or where they fail.

    A player character's Threat payments add to Threat (BUY-3), an NPC's are taken from it (BUY-7).
    `value_applies` says that a Value was cited for a Determination die (BUY-4, DET-1).
    """
    prices: list[DicePrice] = []
    for place, purchase in enumerate(purchases):
        before = purchases[:place]
        try:
            _check_purchase(purchase, before, funds, profile, value_applies=value_applies, npc=npc)
            price = price_of_die(purchase, before, profile=profile, npc=npc)
            funds = pay_for_die(price, funds, npc=npc)
        except Refusal as why:
            return PurchaseTotal(
                allowed=False,
                bonus_dice=place,
                dice_to_roll=thrown_dice(before),
                funds=funds,
                prices=tuple(prices),
                refused_at=place + 1,
                why=why,
            )
        prices.append(price)
    return PurchaseTotal(
        allowed=True,
        bonus_dice=len(purchases),
        dice_to_roll=thrown_dice(purchases),
        funds=funds,
        prices=tuple(prices),
    )


def thrown_dice(purchases: Sequence[Purchase]) -> int:
    """d20s that the leader throws with these purchases (TASK-3); the Determination die is not thrown."""
    fixed = any(one.payer is Payer.DETERMINATION for one in purchases)
    return dice_to_throw(len(purchases), determination_die=fixed)


def pay_for_die(price: DicePrice, funds: Funds, *, npc: bool = False) -> Funds:
    """What is left after one die. Refuses what the pools or the character cannot bear (BUY-3, BUY-4, BUY-7)."""
    if price.momentum > funds.momentum:
        raise Refusal(
            "BUY-2",
            "This die costs {momentum} Momentum and the pool holds {pool}; add Threat for the rest.",
            momentum=price.momentum,
            pool=funds.momentum,
        )
    if price.threat_spent > funds.threat:
        raise Refusal(
            "BUY-7",
            "This die costs {threat_spent} Threat and there is {threat}; roll fewer dice.",
            threat_spent=price.threat_spent,
            threat=funds.threat,
        )
    if price.determination > funds.determination:
        if npc:
            raise Refusal("BUY-4", "An NPC has no Determination; pay with Threat.")
        raise Refusal("BUY-4", "No Determination is left; pay otherwise.")
    return Funds(
        momentum=funds.momentum - price.momentum,
        threat=funds.threat + price.threat_added - price.threat_spent,
        determination=funds.determination - price.determination,
    )


def _check_purchase(
    purchase: Purchase,
    before: Sequence[Purchase],
    funds: Funds,
    profile: Profile,
    *,
    value_applies: bool,
    npc: bool,
) -> None:
    """Refuse what no price can mend: the cap, the Determination die's conditions, an impossible split."""
    require_at_least(0, min(funds.momentum, funds.threat, funds.determination), "what is there to pay")
    if len(before) >= MOST_BONUS_DICE:
        raise Refusal("BUY-1", "A Task has at most {most} bonus dice; leave this one out.", most=MOST_BONUS_DICE)
    if purchase.payer is Payer.DETERMINATION:
        _check_determination_die(before, profile, value_applies=value_applies)
    if npc and purchase.payer is Payer.MOMENTUM:
        raise Refusal("BUY-7", "NPCs have no Momentum pool; pay for this die with Threat.")
    price = next_die_price((one.payer for one in before), profile)
    most = price if purchase.payer is Payer.MOMENTUM else 0
    if purchase.threat_part and not most:
        raise Refusal("BUY-3", "No part of this die's price goes to Threat besides; leave that part out.")
    if not 0 <= purchase.threat_part <= most:
        raise Refusal(
            "BUY-3", "Of this die's price, 0 to {most} points can go to Threat; choose within that.", most=most
        )


def _check_determination_die(before: Sequence[Purchase], profile: Profile, *, value_applies: bool) -> None:
    if any(one.payer is Payer.DETERMINATION for one in before):
        raise Refusal("BUY-4", "One Determination die is all that a Task can have; pay for this one otherwise.")
    if not value_applies:
        raise Refusal("BUY-4", "A Determination die needs a Value that helps with this Task; cite one.")
    if before and profile.determination_first:
        raise Refusal("BUY-5", "The Determination die has to be the first bonus die; put it before the others.")
