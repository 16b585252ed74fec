"""Tasks that a character would declare next, each with its chance: asked for, as before, and where it is best.

Only what can be declared at the table now is offered; nothing of an earlier Task but its skills and label is kept.
How hard it was is not: the next Task starts from the gamemaster's dial, or at Difficulty 1 (TASK-2).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Final

from flask import Response, request
from msgspec import Meta, Struct

from kiosk.storage import shapes
from kiosk.storage.wire import output
from kiosk.web.chances import prices_of
from kiosk.web.messages import Chance, Odds
from kiosk.web.route import answered
from kiosk.web.services import Services
from rules.game import (
    MOST_BONUS_DICE,
    Assistance,
    Attribute,
    Character,
    Declaration,
    DeclareTask,
    Discipline,
    History,
    Payer,
    Purchase,
    Refusal,
    ShipAssistance,
    Standing,
    System,
    Table,
    as_dialled,
    chance,
    decide,
    may_help,
    momentum_to_declare,
    pool_of,
    price_of_die,
    profile,
)

MOST: Final = 6
"""Most presets: as many as fit on a phone without much scrolling."""

BEST: Final = 3
"""Most pairs of attribute and discipline offered as the character's best."""

HARDEST_UNASKED: Final = 5
"""The highest Difficulty whose chance is computed unasked (TASK-2)."""

CHARACTER: Final = (
    "character",
    {"type": "string", "maxLength": 200},
    "Whose Tasks are wanted: a `character_id`.",
)
"""The query of `get_presets`, as the API's table of routes has it."""


class Why(StrEnum):
    """Where a preset comes from."""

    ASKED = "asked"
    BEFORE = "before"
    BEST = "best"


class Preset(Struct, frozen=True, kw_only=True):
    """A Task that can be declared as it stands: `declaration` is what `declare_task` takes."""

    why: Annotated[Why, Meta(description="Asked for by the gamemaster, declared before, or the character's best.")]
    declaration: shapes.DeclarationOut
    chance: Annotated[Chance, Meta(description="The chance of success as it stands, or of winning.")]
    to_win: Annotated[int | None, Meta(description="Successes that win against the side that has succeeded.")] = None


class Presets(Struct, frozen=True, kw_only=True):
    """What a character would declare next, the likeliest first; empty while nothing can be declared."""

    character_id: str
    presets: tuple[Preset, ...]


class Cost(Struct, frozen=True, kw_only=True):
    """Points that several dice come to. `threat` is added to Threat, or taken out of it if `threat_spent`."""

    momentum: int
    threat: int
    determination: int
    threat_spent: bool


class Choice(Struct, frozen=True, kw_only=True):
    """One other choice in a declaration, and the chance of success with it.

    `field` is `attribute`, `discipline`, `focus`, `difficulty`, `dice` (bonus dice bought), `determination`, `help` (a
    `character_id`) or `ship` (a `ship_id`); of an action also a field of it, as `weapon`. A `value` of yes or no is
    `yes` or empty.
    """

    field: str
    value: str
    chance: Chance
    price: Annotated[Cost, Meta(description="What the bonus dice then cost together.")]
    declaration: Annotated[shapes.DeclarationOut, Meta(description="The declaration with this choice made.")]


class Choices(Struct, frozen=True, kw_only=True):
    """Everything in a declaration that changes its chances, choice by choice.

    Of a Task with an action `odds` are those as it stands. Where the rules refuse it so, they are null and its chance
    is 0; `why_not` says why, and `instead` is what would let it, a Movement.
    """

    chance: Chance
    odds: Odds | None = None
    why_not: str = ""
    instead: shapes.OptionOut | None = None
    choices: tuple[Choice, ...]


def get_presets(kiosk: Services) -> Response:
    """The presets of the character that the query names."""
    present = kiosk.views.present()
    character_id = request.args.get("character", "")
    found = Presets(character_id=character_id, presets=tuple(presets(present.history, character_id)))
    return answered(found)


def presets(history: History, character_id: str) -> Iterator[Preset]:
    """At most `MOST` Tasks of this character that can be declared now, none twice."""
    table = history.present
    character = next((one for one in table.characters if one.character_id == character_id), None)
    if character is None:
        return
    seen: set[Declaration] = set()
    for why, declaration in _candidates(history, character):
        plain = replace(declaration, label="")
        if plain in seen or not _possible(table, declaration):
            continue
        seen.add(plain)
        pool = pool_of(table, declaration)
        yield Preset(why=why, declaration=output(declaration), chance=chance(pool).chance, to_win=pool.to_win)
        if len(seen) == MOST:
            return


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedDeclaration:
    """A `Choice` within the kiosk, whose declaration is the rules' own."""

    field: str
    value: str
    chance: float
    price: Cost
    declaration: Declaration


def choices(table: Table, declaration: Declaration, *, unpaid: bool) -> Choices:
    """The chances of `declaration` and of each declaration that differs from it in one choice.

    `unpaid` as for `bonus_dice`. Raises `rules.errors.Refusal` where it names somebody who is not at the table.
    """
    return Choices(
        chance=chance(pool_of(table, declaration)).chance,
        choices=tuple(
            Choice(
                field=one.field,
                value=one.value,
                chance=one.chance,
                price=one.price,
                declaration=output(one.declaration),
            )
            for one in other_choices(table, declaration, unpaid=unpaid)
        ),
    )


def other_choices(table: Table, declaration: Declaration, *, unpaid: bool) -> Iterator[PricedDeclaration]:
    """The declarations of `choices`, each with its chance; the same dice are priced once."""
    prices: dict[tuple[Purchase, ...], Cost] = {}
    for field, value, one in differing(table, declaration, unpaid=unpaid):
        if one.purchases not in prices:
            prices[one.purchases] = cost_of(table, one)
        price = prices[one.purchases]
        yield PricedDeclaration(
            field=field, value=value, chance=chance(pool_of(table, one)).chance, price=price, declaration=one
        )


def _candidates(history: History, character: Character) -> Iterator[tuple[Why, Declaration]]:
    asked = (one for one in history.present.asked if one.character_id == character.character_id)
    yield from ((Why.ASKED, one) for one in asked)
    before = list(_before(history, character.character_id))
    often = [one for one, _ in Counter(before).most_common(MOST)]
    table = history.present
    yield from ((Why.BEFORE, as_dialled(table, one)) for one in dict.fromkeys([*before[:1], *often]))
    yield from ((Why.BEST, as_dialled(table, one)) for one in _best(character))


def _before(history: History, character_id: str) -> Iterator[Declaration]:
    """This character's earlier Tasks, the latest first, with only what belongs to any such Task."""
    for step in reversed(history.done):
        task = step.after.task or step.after.last_task
        began = task is not None and task.number >= step.before.next_number
        declared = task.declaration if task is not None and began else None
        if declared is None or declared.character_id != character_id or declared.action is not None:
            continue
        yield Declaration(
            character_id=character_id,
            attribute=declared.attribute,
            discipline=declared.discipline,
            focus=declared.focus,
            label=declared.label,
        )


def _best(character: Character) -> Iterator[Declaration]:
    """The highest discipline with the highest attribute, then the next ones down."""
    attributes = sorted(Attribute, key=lambda one: -getattr(character.attributes, one))
    disciplines = sorted(Discipline, key=lambda one: -getattr(character.disciplines, one))
    for discipline in disciplines[:BEST]:
        yield Declaration(character_id=character.character_id, attribute=attributes[0], discipline=discipline)


def differing(table: Table, declared: Declaration, *, unpaid: bool) -> Iterator[tuple[str, str, Declaration]]:
    """Each declaration that differs from `declared` in one choice, by the field of that choice and its value."""
    yield from (("attribute", one.value, replace(declared, attribute=one)) for one in Attribute)
    yield from (("discipline", one.value, replace(declared, discipline=one)) for one in Discipline)
    yield "focus", "yes", replace(declared, focus=True)
    yield "focus", "", replace(declared, focus=False)
    yield from (("difficulty", str(one), replace(declared, difficulty=one)) for one in range(HARDEST_UNASKED + 1))
    yield from bonus_dice(table, declared, unpaid=unpaid)
    yield from helped(table, declared)


def bonus_dice(table: Table, declared: Declaration, *, unpaid: bool) -> Iterator[tuple[str, str, Declaration]]:
    """More dice: for players by Momentum as long as the pool has it, what is missing as Threat; by Determination.

    Where the pools cannot pay for those chosen, `unpaid`, Threat pays in them too what Momentum cannot any more.
    """
    payer = _payer(table, declared)
    already = sum(one.payer is not Payer.DETERMINATION for one in declared.purchases)
    most = MOST_BONUS_DICE - (len(declared.purchases) - already)
    for bought in range(most + 1):
        kept = _first(declared.purchases, bought)
        kept = _payable(table, kept) if unpaid else kept
        more = _paid(table, payer, kept, max(0, bought - already))
        yield "dice", str(bought), replace(declared, purchases=(*kept, *more))
    character = next((one for one in table.characters if one.character_id == declared.character_id), None)
    values = [one.text for one in character.values if not one.struck] if character is not None else []
    others = tuple(one for one in declared.purchases if one.payer is not Payer.DETERMINATION)
    others = _payable(table, others) if unpaid else others
    if character is not None and character.determination and values and len(others) < MOST_BONUS_DICE:
        point = Purchase(payer=Payer.DETERMINATION)
        cited = declared.value or values[0]
        yield "determination", "yes", replace(declared, purchases=(point, *others), value=cited)
        yield "determination", "", replace(declared, purchases=others, value="")


def _first(purchases: Sequence[Purchase], bought: int) -> tuple[Purchase, ...]:
    """The first bonus dice with their chosen prices, and those of Determination."""
    kept: list[Purchase] = []
    for one in purchases:
        if one.payer is Payer.DETERMINATION or bought > 0:
            kept.append(one)
            bought -= one.payer is not Payer.DETERMINATION
    return tuple(kept)


def _payable(table: Table, purchases: Sequence[Purchase]) -> tuple[Purchase, ...]:
    """The bonus dice with Threat for what the pool does not hold any more; as they are where it has enough (BUY-3)."""
    dice: list[Purchase] = []
    left = momentum_to_declare(table)
    for one in purchases:
        price = price_of_die(one, dice, profile=profile(table)).momentum
        short = max(0, price - left)
        left -= price - short
        dice.append(replace(one, threat_part=one.threat_part + short) if short else one)
    return tuple(dice)


def _paid(table: Table, payer: Payer, before: Sequence[Purchase], count: int) -> tuple[Purchase, ...]:
    """Bonus dice to buy; Threat pays what Momentum cannot (BUY-3)."""
    dice: list[Purchase] = []
    ruled = profile(table)
    prices = (price_of_die(one, before[:place], profile=ruled) for place, one in enumerate(before))
    left = max(0, momentum_to_declare(table) - sum(one.momentum for one in prices))
    for _ in range(count):
        die = Purchase(payer=payer)
        price = price_of_die(die, (*before, *dice), profile=ruled).momentum
        if price > left:
            die = replace(die, threat_part=price - left)
        left -= min(price, left)
        dice.append(die)
    return tuple(dice)


def _payer(table: Table, declared: Declaration) -> Payer:
    """Who pays for a bonus die unless somebody says otherwise."""
    known = next((one.payer for one in declared.purchases if one.payer is not Payer.DETERMINATION), None)
    if known is not None:
        return known
    character = next((one for one in table.characters if one.character_id == declared.character_id), None)
    npc = character is None or character.standing is not Standing.PLAYER
    return Payer.MOMENTUM if not npc and momentum_to_declare(table) else Payer.THREAT


def helped(table: Table, declared: Declaration) -> Iterator[tuple[str, str, Declaration]]:
    """One helper more with the best attribute beside the same discipline, or without them; likewise the ship."""
    leader = next((one for one in table.characters if one.character_id == declared.character_id), None)
    _, discipline = declared.skills
    helping = {one.character_id for one in declared.assists}
    able = may_help(table)
    for one in table.characters:
        if one.character_id == declared.character_id or one.character_id not in able:
            continue
        if leader and one.standing is not leader.standing:
            continue
        others = tuple(each for each in declared.assists if each.character_id != one.character_id)
        best = max(Attribute, key=functools.partial(getattr, one.attributes))
        help_given = Assistance(character_id=one.character_id, attribute=best, discipline=discipline)
        assists = others if one.character_id in helping else (*others, help_given)
        yield "help", one.character_id, replace(declared, assists=assists)
    for ship in table.ships:
        if ship.crew is None and not _against(table, ship.ship_id, declared.character_id):
            with_ship = declared.ship is not None and declared.ship.ship_id == ship.ship_id
            system = max(System, key=functools.partial(getattr, ship.systems))
            aid = ShipAssistance(ship_id=ship.ship_id, system=system, department=discipline)
            yield "ship", ship.ship_id, replace(declared, ship=None if with_ship else aid)


def _against(table: Table, ship_id: str, character_id: str) -> bool:
    """Whether all who fight in that ship, and the ship itself, fight on another side than the character."""
    fighters = table.conflict.combatants if table.conflict is not None else ()
    own = {one.side for one in fighters if one.combatant_id == character_id}
    aboard = {one.side for one in fighters if ship_id in {one.combatant_id, one.ship_id}}
    return bool(own and aboard) and not own & aboard


def cost_of(table: Table, declaration: Declaration) -> Cost:
    """The total price of a declaration's bonus dice."""
    prices = prices_of(table, declaration)
    spent = sum(one.threat_spent for one in prices)
    return Cost(
        momentum=sum(one.momentum for one in prices),
        threat=spent or sum(one.threat_added for one in prices),
        determination=sum(one.determination for one in prices),
        threat_spent=spent > 0,
    )


def _possible(table: Table, declaration: Declaration) -> bool:
    try:
        decide(table, DeclareTask(declaration=declaration))
    except Refusal:
        return False
    return True
