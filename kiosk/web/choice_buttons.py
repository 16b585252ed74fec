"""The buttons for the choices of a form that throws dice: the chance, price and state of each.

In: the choices that the rules allow, with their chances, and the declaration as the form stands. Out: what the macro
`quick` of `_parts.html` renders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from kiosk.web.chances import percent, price_words
from kiosk.web.form_fields import Form, Raw
from kiosk.web.presets import Choice, Cost, PricedDeclaration
from rules.game import Declaration, DicePrice, Payer
from rules.words import Phrase, say, say_count

CHOOSE: Final = "choose"
"""The field of the buttons that were touched: the choices to be made in the form as it stands, parted by spaces."""

NOT: Final = "no"
"""The value that takes a choice back."""


def touched(given: Form) -> Iterator[tuple[str, str]]:
    """The field and the value of each choice that was touched, in that order."""
    for one in given.get(CHOOSE, "").split():
        field, _, value = one.partition("/")
        yield field, "" if value == NOT else value


def as_bought(purchases: Iterable[Any]) -> str:
    """Bonus dice as the list's value, which `forms.declaration_of` reads."""
    return " ".join(f"{one.payer}/{one.threat_part}" if one.threat_part else str(one.payer) for one in purchases)


Stands = tuple[float, Cost]
"""The chance of a form as it stands, and what its bonus dice cost."""


def button(
    one: Choice | PricedDeclaration, words: Phrase | str, stands: Stands, *, pressed: bool, key: str = ""
) -> Raw:
    """A choice as a button, with the chance and the price that it brings; `key` tells forms of a page apart.

    What is pressed brings those of the form as it stands: what taking it back would come to stands nowhere.
    """
    chance, price = stands if pressed else (one.chance, one.price)
    named = one.field if one.field == "determination" else f"{one.field}-{one.value}"
    return {
        "choose": f"{one.field}/{one.value or NOT}",
        "words": words,
        "chance": percent(chance),
        "id": f"{key}choose-{named}",
        "price": _price(price) if one.field in {"dice", "determination"} else "",
        "pressed": pressed,
        "label": "",
    }


def of_dice(one: Choice | PricedDeclaration, declared: Declaration, stands: Stands, key: str = "") -> Raw | None:
    """The button for that number of bonus dice, or for the one of Determination; None if it is not shown.

    Determination that is chosen is offered to be taken back, and the other way round.
    """
    if one.field == "dice":
        words = say_count(int(one.value), "{number} bonus die", "{number} bonus dice")
        pressed = as_bought(one.declaration.purchases) == as_bought(declared.purchases)
        return button(one, words, stands, pressed=pressed, key=key)
    point = any(each.payer is Payer.DETERMINATION for each in declared.purchases)
    if one.field == "determination" and (one.value == "yes") != point:
        return button(one, say("Determination"), stands, pressed=point, key=key)
    return None


def _price(cost: Cost) -> Phrase:
    added, spent = (0, cost.threat) if cost.threat_spent else (cost.threat, 0)
    return price_words(
        DicePrice(momentum=cost.momentum, threat_added=added, threat_spent=spent, determination=cost.determination)
    )
