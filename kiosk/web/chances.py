"""The odds of a declaration, and what its bonus dice cost, in the form that goes out."""

from __future__ import annotations

from collections.abc import Sequence

from kiosk.views.stage.names import titled
from kiosk.web.messages import Bill, MoreDice, Odds
from rules.game import (
    MOST_BONUS_DICE,
    Declaration,
    DeclaredOdds,
    DicePrice,
    Payer,
    Purchase,
    Standing,
    Table,
    declared_odds,
    price_of_die,
    profile,
    tried,
    with_skills,
)
from rules.words import Phrase, joined_by, say, sentences


def odds_of(table: Table, declaration: Declaration) -> Odds:
    """The exact chances of `declaration` at `table`, where it has an action as the rules complete it.

    Raises `rules.errors.Refusal` where it cannot be declared.
    """
    return odds_as_they_are(table, completed(table, declaration))


def odds_as_they_are(table: Table, declaration: Declaration) -> Odds:
    """The exact chances of a declaration that is whole already. Refuses as `odds_of`."""
    found = declared_odds(table, declaration)
    pool = found.pool
    bill = bill_of(table, declaration)
    return Odds(
        words=_chance_words(declaration, found, bill),
        difficulty=pool.difficulty,
        target_number=pool.leader.target_number,
        opposed=declaration.opposed,
        to_win=pool.to_win,
        chance=found.odds.chance,
        expected_momentum=found.odds.expected_momentum,
        complication_chance=found.odds.complication_chance,
        more_dice=tuple(MoreDice(dice=more.dice, chance=more.odds.chance, price=more.price) for more in found.further),
        bill=bill,
    )


def percent(part: float) -> Phrase:
    """A chance from 0 to 1 as pages show it; sign and number stay in one line.

    Only what cannot fail is 100 %, and only what cannot happen 0 %.
    """
    if part < 1 and round(100 * part) == 100:  # noqa: PLR2004 - of a hundred
        return say("over 99\u00a0%")
    if part > 0 and round(100 * part) == 0:
        return say("under 1\u00a0%")
    return say("{percent}\u00a0%", percent=round(100 * part))


def _chance_words(declaration: Declaration, found: DeclaredOdds, bill: Bill) -> Phrase:
    chances = _of_an_action(declaration, found) if declaration.action is not None else _of_a_task(declaration, found)
    again = say("What may be thrown again is counted in.") if found.pool.rerolls and declaration.rolled else ""
    return sentences(chances, again, say("The dice cost {price}.", price=bill.total) if bill.dice else "")


def _of_a_task(declaration: Declaration, found: DeclaredOdds) -> Phrase:
    """Of a Task whose Difficulty somebody chose."""
    complication = percent(found.odds.complication_chance)
    needed, chance = found.pool.to_win, percent(found.odds.chance)
    if declaration.opposed:
        return say(
            "Difficulty reached {chance}; the other side's dice decide who wins. Complication {complication}.",
            chance=chance,
            complication=complication,
        )
    if needed is None:
        return say("Success {chance}. Complication {complication}.", chance=chance, complication=complication)
    return say(
        "{needed} to win: {chance}. Complication {complication}.",
        needed=needed,
        chance=chance,
        complication=complication,
    )


def _of_an_action(declaration: Declaration, found: DeclaredOdds) -> Phrase:
    """Of an action's Task, whose Difficulty the rules set."""
    fills: dict[str, str | int] = {
        "difficulty": found.pool.difficulty,
        "target": found.pool.leader.target_number,
        "chance": percent(found.odds.chance),
        "complication": percent(found.odds.complication_chance),
    }
    if found.pool.to_win is not None:
        return say(
            "Difficulty {difficulty}, Target Number {target}. {needed} to win: {chance}. Complication {complication}.",
            needed=found.pool.to_win,
            **fills,
        )
    if declaration.opposed:
        return say(
            "Difficulty {difficulty}, Target Number {target}. "
            "Success {chance} before the other side's dice. Complication {complication}.",
            **fills,
        )
    return say(
        "Difficulty {difficulty}, Target Number {target}. Success {chance}. Complication {complication}.", **fills
    )


def completed(table: Table, declaration: Declaration) -> Declaration:
    """`declaration` as the rules complete it for its action; one without an action is whole. Refuses as `odds_of`."""
    if declaration.action is None:
        return with_skills(table, declaration)
    return tried(table, declaration).declaration


def bill_of(table: Table, declaration: Declaration) -> Bill:
    """What each bonus die costs and what they come to together, in words."""
    prices = prices_of(table, declaration)
    return Bill(dice=tuple(_words([price]) for price in prices), total=_words(prices))


def prices_of(table: Table, declaration: Declaration) -> list[DicePrice]:
    """What each bonus die costs (BUY-2, BUY-7); not whether anyone can pay it."""
    ruled, npc, bought = profile(table), _is_npcs(table, declaration), declaration.purchases
    return [price_of_die(one, bought[:place], profile=ruled, npc=npc) for place, one in enumerate(bought)]


def _is_npcs(table: Table, declaration: Declaration) -> bool:
    leader = next((one for one in table.characters if one.character_id == declaration.character_id), None)
    return leader is None or leader.standing is not Standing.PLAYER  # an NPC ship's crew has no card


def ways_to_buy(table: Table, declaration: Declaration) -> list[list[tuple[str, Phrase]]]:
    """For each bonus die, and for one more, who can pay and in words what it then costs after those before it.

    What is chosen has the price as it was chosen; not whether anyone can pay it.
    """
    ruled, npc, bought = profile(table), _is_npcs(table, declaration), declaration.purchases
    made = []
    for place in range(min(len(bought) + 1, MOST_BONUS_DICE)):
        chosen = bought[place : place + 1]
        ways = [*chosen, *(Purchase(payer=one) for one in Payer if one not in {each.payer for each in chosen})]
        prices = {one.payer: price_words(price_of_die(one, bought[:place], profile=ruled, npc=npc)) for one in ways}
        made.append([(one.value, _way(one, prices[one], npc=npc)) for one in Payer])
    return made


def _way(payer: Payer, price: Phrase, *, npc: bool) -> Phrase:
    """A price alone where it says who pays."""
    if not price:
        return titled(payer)
    return say("{payer}: {price}", payer=titled(payer), price=price) if npc else price


def _words(prices: Sequence[DicePrice]) -> Phrase:
    together = DicePrice(
        momentum=sum(one.momentum for one in prices),
        threat_added=sum(one.threat_added for one in prices),
        threat_spent=sum(one.threat_spent for one in prices),
        determination=sum(one.determination for one in prices),
    )
    return price_words(together) or say("nothing")


def price_words(price: DicePrice) -> Phrase:
    """A price as pages name it: "1 Momentum, 2 Threat added"; empty where there is none."""
    parts = (
        say("{number} Momentum", number=price.momentum) if price.momentum else "",
        say("{number} Threat added", number=price.threat_added) if price.threat_added else "",
        say("{number} Threat", number=price.threat_spent) if price.threat_spent else "",
        say("{number} Determination", number=price.determination) if price.determination else "",
    )
    return joined_by(", ", [one for one in parts if one])
