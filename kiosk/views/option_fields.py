"""Options as forms: the fields that a person may fill before taking one, and one form for re-rolling dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from kiosk.errors import WireError
from rules.words import Phrase, joined_by, say

Json = Mapping[str, Any]
"""An object of the API as it was read: the view, or a part of it."""

OF_CHALLENGE: Final = frozenset({"reroll_challenge", "reroll_damage", "reroll_ship_damage"})
"""Commands that throw Challenge Dice again; the last two throw an attack's damage again."""

ELSEWHERE: Final = OF_CHALLENGE | {"reroll_dice", "correct_die", "drop_die", "dismiss_throw", "attach_free_roll"}
"""Commands that have a form of their own, beside the dice they are about."""

DONE: Final = MappingProxyType({"command": "finish_spending"})
"""Ends the spending on a Task."""

GOES_ON: Final = MappingProxyType({"command": "follow_through"})
"""Continues to the consequences of a success."""

ONWARD: Final = (
    GOES_ON,
    MappingProxyType({"command": "settle_damage"}),
    MappingProxyType({"command": "settle_ship_hit"}),
    MappingProxyType({"command": "settle_hit", "reductions": 0}),
    DONE,
)
"""What ends the buying: before consequences, for damage, for a ship's damage in each edition, for a Task.

The first of these that is offered is the main thing to do, because nothing else can continue before.
"""

GIVES_UP: Final = "end_extended_task"
"""The command that gives up the work of many Tasks."""

_TAKES_BACK: Final = "withdraw_task"
"""The command that takes back a Task before its dice."""

REASONS: Final = {
    "inspiration": say("Inspiration: 1 Determination, and a Value"),
    "aim": say("Aim: one die"),
    "accurate_aim": say("Aim with an Accurate weapon"),
    "ship_system": say("The ship's systems: one die"),
}
"""The reasons for throwing dice again, with the words on their buttons."""

ADVANTAGE: Final = say("What the Advantage is")
"""The label of the one required text field, that of Create Advantage."""

_TEXTS: Final[dict[str, dict[str, str]]] = {
    "make_spend": {"note": say("Note")},
    "take_complication": {"name": say("What the Complication is")},
    "avoid_injury": {"complication": say("What the Complication is")},
}
"""Texts that a command takes, with their labels."""


def listed(view: Json) -> list[dict[str, Any]]:
    """The options of `view` that are offered in a list, each with `fields` to show and `cost` in words.

    What ends the buying follows what Momentum pays for, after a hit as after any Task; adding to Threat comes after it.
    Taking the Task back and giving up an Extended Task come last; the latter `asks` first.
    """
    offered = [option for option in view["options"] if option["command"]["command"] not in ELSEWHERE]
    return [
        {**one, "fields": _fields(one), "cost": cost(one["price"]), "asks": one["command"]["command"] == GIVES_UP}
        for one in sorted(offered, key=_place)
    ]


def _place(option: Json) -> int:
    price = option["price"]
    if option["command"]["command"] in {GIVES_UP, _TAKES_BACK}:
        return 3
    if price["threat"] and not price["threat_spent"]:
        return 2
    return 1 if option["command"] in ONWARD else 0


def rerolls(view: Json) -> dict[str, Any] | None:
    """The form for throwing chosen dice again; None where nothing may be.

    `command`, `dice`, `reasons` and `values`, and the `cost` in words where no reason says it.
    """
    table = view["table"]
    commands = [option["command"] for option in view["options"]]
    challenge = next((option for option in view["options"] if option["command"]["command"] in OF_CHALLENGE), None)
    if challenge is not None:
        command = challenge["command"]["command"]
        thrown = [die["face"] for die in table["challenge"]["dice"]] if command == "reroll_challenge" else None
        faces = table["attack"]["faces"] if thrown is None else thrown
        dice = list(enumerate(faces))
        return {"command": command, "dice": dice, "reasons": [], "values": [], "cost": cost(challenge["price"])}
    offered = [one for one in commands if one["command"] == "reroll_dice"]
    if not offered:
        return None
    places = sorted({place for one in offered for place in one["positions"]})
    dice = table["task"]["dice"]
    return {
        "command": "reroll_dice",
        "dice": [(place, dice[place]["die"]["face"]) for place in places],
        "reasons": [(reason, REASONS[reason]) for reason in _once(one["reason"] for one in offered)],
        "values": [value for value in _once(one["value"] for one in offered) if value],
        "cost": "",
    }


def fits(roll: Json, request: Json) -> bool:
    """Whether a free roll can serve as the awaited throw: not counted yet, with the right number and kind of dice."""
    right = all((die["kind"] == "d20") == (request["kind"] == "d20") for die in roll["dice"])
    return right and not roll["attached"] and len(roll["dice"]) == request["count"]


def cost(price: Json) -> Phrase:
    """A price in words: `2 Momentum`. That Threat may be added instead is an option beside it, with its own price."""
    parts = []
    momentum, threat, determination = price["momentum"], price["threat"], price["determination"]
    if momentum:
        parts.append(say("{number} Momentum", number=momentum))
    if threat and price["threat_spent"]:
        parts.append(say("{number} Threat", number=threat))
    elif threat:
        parts.append(say("{number} Threat added", number=threat))
    if determination:
        parts.append(say("{number} Determination", number=determination))
    return joined_by(", ", parts)


def taken(option: Json, form: Mapping[str, str]) -> dict[str, Any]:
    """The command of `option` with the form's fields. Raises `WireError` for an invalid number."""
    command = dict(option["command"])
    for name in _texts(command):
        if name in form:
            command[name] = form[name].strip()
    if "threat_part" in command and form.get("threat_part"):
        try:
            command["threat_part"] = int(form["threat_part"][:9])
        except ValueError:
            raise WireError("Points must be a whole number.", "threat_part") from None
    return command


def _fields(option: Json) -> list[dict[str, Any]]:
    command, price = option["command"], option["price"]
    fields: list[dict[str, Any]] = []
    for name, label in _texts(command).items():
        needed = name == option["asks_for"]
        asked = ADVANTAGE if needed else label
        fields.append({"name": name, "label": asked, "kind": "text", "value": command[name], "required": needed})
    if price["threat_allowed"] and price["momentum"] > 1 and "threat_part" in command:
        least = command["threat_part"]
        number = {"kind": "number", "value": least, "most": least + price["momentum"]}
        fields.append({"name": "threat_part", "label": say("Points of it as Threat"), **number})
    return fields


def _texts(command: Json) -> dict[str, str]:
    """The texts that belong to a command as it stands.

    An Injury avoided for points has no Complication, and a Complication that is taken away needs no words.
    """
    if command["command"] == "avoid_injury" and command["how"] != "complication":
        return {}
    if command["command"] == "make_spend" and command["trait_id"]:
        return {}
    return _TEXTS.get(command["command"], {})


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))
