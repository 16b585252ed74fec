"""What a person may still say about an option before taking it: a name, a note, which dice, points paid as Threat.

The twin of `static/js/options.js`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kiosk.errors import WireError

_NAMES: Final[dict[str, dict[str, str]]] = {
    "make_spend": {"note": "Note"},
    "take_complication": {"name": "What the Complication is"},
    "make_it_so": {"advantage": "The Advantage"},
    "use_value_against": {"complication": "The Complication"},
    "reroll_dice": {"value": "Value cited"},
}
"""Texts that a command takes, with their labels; only those that the command carries are asked for."""


def fields_of(option: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """`fields` to show with `option`, and `cost` in words."""
    command = option["command"]
    fields: list[dict[str, Any]] = [
        {"name": name, "label": label, "kind": "text", "value": command[name]}
        for name, label in _NAMES.get(command["command"], {}).items()
        if name in command
    ]
    most = option["price"]["momentum"]
    if option["price"]["threat_allowed"] and most and "threat_part" in command:
        fields.append(
            {
                "name": "threat_part",
                "label": "Points of it as Threat",
                "kind": "number",
                "least": 0,
                "most": most,
                "value": command["threat_part"],
            }
        )
    if "positions" in command:
        fields.append({"name": "positions", "label": "Which dice", "kind": "positions", "dice": _dice(command, table)})
    return {"fields": fields, "cost": cost(option["price"])}


def cost(price: Mapping[str, Any]) -> str:
    """A price in words: `2 Momentum or Threat`."""
    parts = []
    if price["momentum"]:
        parts.append(f"{price['momentum']} Momentum{' or Threat' if price['threat_allowed'] else ''}")
    if price["threat"]:
        parts.append(f"{price['threat']} Threat")
    if price["determination"]:
        parts.append(f"{price['determination']} Determination")
    return " and ".join(parts)


def taken(option: Mapping[str, Any], form: Mapping[str, str], positions: list[str]) -> dict[str, Any]:
    """The command of `option` with what the form adds. Raises `WireError` for a number that is none."""
    command = dict(option["command"])
    try:
        for name in _NAMES.get(command["command"], {}):
            if name in command and name in form:
                command[name] = form[name].strip()
        if "threat_part" in command and form.get("threat_part"):
            command["threat_part"] = int(form["threat_part"][:9])
        if "positions" in command:
            command["positions"] = [int(one[:9]) for one in positions]
    except ValueError:
        raise WireError("Points must be a whole number.", "threat_part") from None
    if "positions" in command and not command["positions"]:
        raise WireError("Choose at least one die to throw again.", "positions")
    return command


def _dice(command: Mapping[str, Any], table: Mapping[str, Any]) -> list[dict[str, Any]]:
    if command["command"] == "reroll_challenge":
        roll = table["challenge"]
        return [{"position": place, "face": die["face"]} for place, die in enumerate(roll["dice"] if roll else [])]
    task = table["task"]
    return [
        {"position": place, "face": die["die"]["face"]}
        for place, die in enumerate(task["dice"] if task else [])
        if not die["die"]["fixed"]
    ]
