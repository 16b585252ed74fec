"""The form of an action in a conflict: what it is preset to, what was chosen in it, and its chances in words.

An attack is preset to the first weapon and foe that the rules allow now; the rules set the best distance themselves
where the form names none. Movement is preset to the first foe out of Reach: who has only a melee weapon reaches nobody
else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any, Final

from kiosk.errors import WireError, words_of
from kiosk.storage.wire import command_of
from kiosk.views.option_fields import cost
from kiosk.web.acting_chances import acting_choices
from kiosk.web.chances import completed, odds_as_they_are, percent, ways_to_buy
from kiosk.web.choice_buttons import of_dice, touched
from kiosk.web.form_fields import Form, Raw, declared_as, text, whole, yes
from kiosk.web.presets import Choices, cost_of
from rules.game import (
    MOVEMENT,
    Action,
    ActionScope,
    ChoiceKind,
    Declaration,
    DeclareTask,
    Refusal,
    Table,
    as_dialled,
)
from rules.words import Phrase, say

_BONUS_DICE: Final = range(1, 4)
"""The numbers of a form's rows of bonus dice: three can be bought (BUY-1)."""
_MODIFIERS: Final = range(1, 3)
"""The numbers of a form's rows of modifiers."""

_DIALLED: Final = ("difficulty", "complication_range")
"""The fields in which the form of a Task that people describe carries what the gamemaster has set."""

MOST_TRIED: Final = 24
"""Most pairs of weapon and target tried to find a form's preset."""

LEAVING: Final = frozenset({"sprint", "maneuver", "impulse"})
"""Actions that leave one's zone: preset to the nearest other zone of the map, or to the next zone without a map."""


def acted(form: Form, _table: Raw) -> list[Raw]:
    """The command for an action of the menu: a Minor Action at once, any other as a Task, in line if it has to wait."""
    action: Raw = {
        "name": text(form, "deed"),
        "scope": text(form, "scope"),
        "target_id": text(form, "target_id"),
        "ship_id": text(form, "ship_id"),
        "also_id": text(form, "also_id"),
        "weapon": text(form, "weapon"),
        "lethal": yes(form, "lethal"),
        "one_handed": yes(form, "one_handed"),
        "in_cover": yes(form, "in_cover"),
        "weakness": yes(form, "weakness"),
        "threat_part": whole(form, "threat_part"),
        "effect": text(form, "effect"),
        "zones": whole(form, "zones"),
        "zone_id": text(form, "zone_id"),
        "note": text(form, "note"),
        "at_range": text(form, "at_range") or None,
        "system": text(form, "system") or None,
        "level": whole(form, "level") if text(form, "level") else None,
    }
    who = text(form, "character_id")
    if yes(form, "minor"):
        threat = whole(form, "price_threat")
        return [{"command": "take_minor_action", "character_id": who, "action": action, "threat_part": threat}]
    declaration: Raw = {
        "character_id": who,
        "attribute": text(form, "attribute") or None,
        "discipline": text(form, "discipline") or None,
        "focus": yes(form, "focus"),
        "value": text(form, "value"),
        "modifiers": [
            {
                "reason": text(form, f"reason{row}"),
                "change": whole(form, f"change{row}"),
                "circumstance": text(form, f"circumstance{row}") or None,
            }
            for row in _MODIFIERS
            if whole(form, f"change{row}") or text(form, f"circumstance{row}")
        ],
        "purchases": [_purchase(form, row) for row in _BONUS_DICE if text(form, f"purchase{row}")],
        "action": action,
    }
    declaration |= {name: whole(form, name) for name in _DIALLED if text(form, name)}
    return [declared_as(form, declaration)]


def _purchase(form: Form, row: int) -> Raw:
    payer = text(form, f"purchase{row}")
    return {"payer": payer, "threat_part": whole(form, f"threat_part{row}") if payer == "momentum" else 0}


def button_of(move: Raw) -> Raw:
    """A Minor Action as its button: its words, its price, and the fields of its form."""
    words = move["own_label"] or move["label"]
    return {"label": words, "cost": cost(move["price"]), "fields": _fields_of_move(move["command"])}


def _fields_of_move(command: Raw) -> dict[str, str]:
    """The fields of the form that takes a Minor Action, as `acted` reads them."""
    action = command["action"]
    fields = {"character_id": command["character_id"], "deed": action["name"], "scope": action["scope"], "minor": "yes"}
    return fields | {"target_id": action["target_id"], "price_threat": str(command["threat_part"])}


def filled_in(table: Table, one: Raw, acting: Raw, given: Form) -> Raw:
    """What the form of the action `one` shows: its fields as they were sent or are preset, and its chances.

    * `chosen`: the value of each field; `open`: whether it was sent just now, or is wanted.
    * `odds`: the chances in words, empty where no dice are thrown; of a form that is open and that the rules refuse as
      it stands, why. `chance`: that of success alone; `difficulty`: what the rules make of it, None where they refuse.
    * Of a form that is open: `fields`, `attributes` and `disciplines` with the chance of each choice in its words,
      `ticks` with that of a tick in a box, `dice` for buttons, `instead` what would let it be.
    """
    sent = text(given, "deed") == one["name"] and text(given, "scope") == one["scope"]
    chosen = _preset(table, one, acting)
    if sent:  # the gamemaster's settings are in no field of the form, and may have changed since
        chosen = _possible(one, {**given, **dict.fromkeys(_DIALLED, "")}, chosen) | _dialled(table, one, acting["who"])
    made: Raw = {
        "chosen": chosen,
        "open": sent or f"{one['scope']}/{one['name']}" == acting["wanted"],
        "odds": "",
        "chance": "",
        "difficulty": None,
        "ticks": {},
        "dice": (),
        "payers": (),
        "instead": None,
    }
    if one["minor"] or not one["thrown"] or not one["possible"]:
        return made
    try:
        if made["open"]:
            return made | _shown(table, one, chosen)
        complete = completed(table, declaration_in(chosen))
        odds = odds_as_they_are(table, complete) if complete.rolled else None
    except (Refusal, WireError) as problem:
        return made | ({"odds": words_of(problem)} if made["open"] else {})
    if odds is None:
        return made
    return made | {"odds": odds.words, "chance": percent(odds.chance), "difficulty": odds.difficulty}


def _shown(table: Table, one: Raw, chosen: dict[str, str]) -> Raw:
    """What an open form shows besides, with the touched choices applied."""
    declared = declaration_in(chosen)
    chosen = _paid_with(chosen, declared)
    found = acting_choices(table, declared)
    for field, value in touched(chosen):
        made = next((each for each in found.choices if (each.field, each.value) == (field, value)), None)
        if made is not None:
            chosen = _paid_with(chosen, made.declaration)
            declared = declaration_in(chosen)
            found = acting_choices(table, declared)
    shown: Raw = {"chosen": chosen, "odds": found.odds.words if found.odds is not None else found.why_not}
    if found.odds is not None:
        shown |= {"chance": percent(found.odds.chance), "difficulty": found.odds.difficulty}
    stands = (found.chance, cost_of(table, declared))
    buttons = (of_dice(each, declared, stands, f"{one['key']}-") for each in found.choices)
    shown["dice"] = [each for each in buttons if each is not None]
    shown["payers"] = ways_to_buy(table, declared)
    if found.instead is not None:
        shown["instead"] = button_of(found.instead)
    return shown | _with_chances(one, found)


def _paid_with(chosen: Form, declared: Any) -> dict[str, str]:  # noqa: ANN401  # an object made from `Declaration`
    """The fields with the bonus dice of `declared`, and the Value that one of Determination cites."""
    kept = {name: value for name, value in chosen.items() if not name.startswith(("purchase", "threat_part"))}
    kept |= {name: chosen[name] for name in ("threat_part",) if name in chosen}
    for row, one in zip(_BONUS_DICE, declared.purchases, strict=False):
        kept |= {f"purchase{row}": str(one.payer), f"threat_part{row}": str(one.threat_part)}
    return kept | {"value": declared.value}


def _with_chances(one: Raw, found: Choices) -> Raw:
    """The lists of a form with the chance of each choice in its words, and the boxes with that of a tick in them."""
    chances = {(each.field, each.value): percent(each.chance) for each in found.choices}

    def told(name: str, value: str, words: str) -> Phrase | str:
        chance = chances.get((name, value))
        return say("{choice}: {chance}", choice=words, chance=chance) if chance else words

    def listed(name: str, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, Phrase | str]]:
        return [(value, told(name, value, words)) for value, words in pairs]

    def field_with(field: Raw) -> Raw:
        if field["kind"] != ChoiceKind.ONE_OF:
            return field
        otherwise = told(field["name"], "", field["otherwise"]) if field["otherwise"] else ""
        return field | {"values": listed(field["name"], field["values"]), "otherwise": otherwise}

    fields = [field_with(field) for field in one["fields"]]
    boxes = ["focus", *(field["name"] for field in fields if field["kind"] == ChoiceKind.YES_OR_NO)]
    ticks = {name: chances.get((name, "yes"), "") for name in boxes}
    skills = {f"{name}s": listed(name, one[f"{name}s"]) for name in ("attribute", "discipline")}
    return {"fields": fields, "ticks": ticks, **skills}


def _possible(one: Raw, given: dict[str, str], usual: Form) -> dict[str, str]:
    """The fields as sent; a choice that the form no longer offers becomes the preset."""
    for field in one["fields"]:
        name = field["name"]
        there = {value for value, _ in field["values"]} | ({""} if field["otherwise"] else set())
        if field["kind"] == ChoiceKind.ONE_OF and given.get(name, "") not in there:
            given[name] = usual.get(name, "")
    return given


def declaration_in(form: Form) -> Declaration:
    """The declaration in the fields of an action's form. Raises `WireError` for an invalid declaration."""
    command = command_of(acted({**form, "minor": "", "line": ""}, {})[0]).command  # only Tasks with dice have odds
    if not isinstance(command, DeclareTask):
        raise TypeError(f"declare_task made a {type(command).__name__}")
    return command.declaration


def fielded(one: Raw, name: str) -> Raw | None:
    """The field of that name in the form of an action; None where it has none."""
    return next((field for field in one["fields"] if field["name"] == name), None)


def _preset(table: Table, one: Raw, acting: Raw) -> dict[str, str]:
    chosen = {"character_id": acting["who"], "deed": one["name"], "scope": one["scope"]}
    chosen["attribute"] = _suggested(one, one["attributes"])
    chosen["discipline"] = _suggested(one, one["disciplines"])
    for field in one["fields"]:
        if field["kind"] == ChoiceKind.NUMBER:
            usual = one["usual"] if field["name"] == "level" and one["usual"] is not None else field["least"]
            chosen[field["name"]] = str(usual)
    chosen |= _dialled(table, one, acting["who"])
    zones, beyond = fielded(one, "zone_id"), fielded(one, "zones")
    if one["name"] in LEAVING and beyond is not None:
        chosen["zones"] = str(min(1, beyond["most"]))
    if one["name"] in LEAVING and zones is not None:
        chosen["zone_id"] = next((zone for zone, _ in zones["values"]), "")
    into = fielded(one, "target_id") if one["name"] == MOVEMENT else None
    if into is not None:
        farther = (each for each, _ in into["values"] if each in acting["foes"] and each not in acting["near"])
        chosen["target_id"] = next(farther, "")
    ways = list(islice(_ways(one, acting), MOST_TRIED))
    armed = one["possible"] and not one["minor"] and fielded(one, "weapon") is not None
    return chosen | (next((way for way in ways if _allowed(table, chosen | way)), ways[0]) if armed else ways[0])


def _dialled(table: Table, one: Raw, who: str) -> dict[str, str]:
    """The gamemaster's settings for the next Task, if the action's Difficulty is free."""
    action = Action(name=one["name"], scope=ActionScope(one["scope"]))
    plain = Declaration(character_id=who, action=action)
    dialled = as_dialled(table, plain)
    return {name: str(getattr(dialled, name)) for name in _DIALLED} if dialled != plain else {}


def _suggested(one: Raw, several: Sequence[tuple[str, str]]) -> str:
    """The preset attribute and discipline, if the action leaves a choice."""
    return "" if one["settled"] or len(several) == 1 else several[0][0]


def _ways(one: Raw, acting: Raw) -> Iterator[dict[str, str]]:
    """The values of a field, the likeliest first; as targets only foes who can act."""
    armed = fielded(one, "weapon") is not None
    picked = [each for each in one["fields"] if each["kind"] == ChoiceKind.ONE_OF and not each["otherwise"]]
    values = []
    for field in picked:
        ids = [value for value, _ in field["values"]]
        foes = armed and field["name"] == "target_id" and one["scope"] == ActionScope.PERSONAL
        values.append([each for each in ids if each in acting["foes"] or not foes] or [""])
    for way in product(*values):
        yield {field["name"]: value for field, value in zip(picked, way, strict=True)}


def _allowed(table: Table, chosen: Form) -> bool:
    try:
        completed(table, declaration_in(chosen))
    except Refusal:
        return False
    return True
