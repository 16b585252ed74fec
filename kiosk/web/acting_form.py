"""The form of an action in a conflict: what it is preset to, what was chosen in it, and its chances in words.

An attack is preset to the first weapon and foe that the rules allow now; the rules set the best distance themselves
where the form names none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final

from kiosk.errors import WireError, words_of
from kiosk.storage.wire import command_of, output
from kiosk.views.stage import titled
from kiosk.web.acting_chances import acting_choices, as_thrown
from kiosk.web.chances import completed, odds_as_they_are, percent, price_words
from kiosk.web.form_fields import Form, Raw, text, whole, yes
from kiosk.web.presets import Choice
from rules.game import (
    ActionScope,
    Attribute,
    ChoiceKind,
    Declaration,
    DeclareTask,
    DicePrice,
    Discipline,
    Refusal,
    Table,
)
from rules.words import Phrase, joined_by, say, say_count

_BONUS_DICE: Final = range(1, 4)
_MODIFIERS: Final = range(1, 3)

MOST_TRIED: Final = 24
"""Pairs of weapon and target that are tried for the one that a form is preset to."""

LEAVING: Final = frozenset({"sprint", "maneuver", "impulse"})
"""What leads out of one's zone: it is preset to the nearest other one of the map, without one to the next zone."""


def acted(form: Form, _table: Raw) -> list[Raw]:
    """An action of the menu: a Minor Action at once, any other as a Task."""
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
            {"reason": text(form, f"reason{row}"), "change": whole(form, f"change{row}")}
            for row in _MODIFIERS
            if whole(form, f"change{row}")
        ],
        "purchases": [_purchase(form, row) for row in _BONUS_DICE if text(form, f"purchase{row}")],
        "action": action,
    }
    return [{"command": "declare_task", "declaration": declaration}]


def _purchase(form: Form, row: int) -> Raw:
    payer = text(form, f"purchase{row}")
    return {"payer": payer, "threat_part": whole(form, f"threat_part{row}") if payer == "momentum" else 0}


def filled_in(table: Table, one: Raw, acting: Raw, given: Form) -> Raw:
    """What the form of the action `one` shows: its fields as they were sent or are preset, and its chances.

    * `chosen`: the value of each field; `open`: whether it was sent just now, or is wanted.
    * `odds`: the chances in words, empty where no dice are thrown; `chance`: that of success alone; `difficulty`:
      what the rules make of it, None where they refuse the form as it stands.
    * `why_not`, `choices`: where its chances were asked for without script, what stands against it, and the chance of
      each other choice.
    """
    sent = text(given, "deed") == one["name"] and text(given, "scope") == one["scope"]
    chosen = dict(given) if sent else _preset(table, one, acting)
    made: Raw = {
        "chosen": chosen,
        "open": sent or f"{one['scope']}/{one['name']}" == acting["wanted"],
        "odds": "",
        "chance": "",
        "difficulty": None,
        "choices": (),
    }
    if one["minor"] or not one["thrown"] or not one["possible"]:
        return made
    try:
        declared = declaration_in(chosen)
        complete = completed(table, declared)
        odds = odds_as_they_are(table, complete) if complete.rolled else None
    except (Refusal, WireError) as problem:
        return made | ({"odds": words_of(problem)} if sent else {})
    if odds is None:
        return made
    made |= {"odds": odds.words, "chance": percent(odds.chance), "difficulty": odds.difficulty}
    if sent and given.get("ask"):
        every = acting_choices(table, declared).choices
        others = (
            each for each in every if each.declaration != output(as_thrown(declared, complete)) and _listed(each, one)
        )
        made["choices"] = tuple(_choice_words(each, one) for each in others)
    return made


def declaration_in(form: Form) -> Declaration:
    """The declaration in the fields of an action's form. Raises `WireError` for what is no declaration."""
    command = command_of(acted({**form, "minor": ""}, {})[0]).command  # only what throws dice has odds
    if not isinstance(command, DeclareTask):
        raise TypeError(f"declare_task made a {type(command).__name__}")
    return command.declaration


def fielded(one: Raw, name: str) -> Raw | None:
    """The field of that name in the form of an action; None where it has none."""
    return next((field for field in one["fields"] if field["name"] == name), None)


def _preset(table: Table, one: Raw, acting: Raw) -> dict[str, str]:
    chosen = {"character_id": acting["who"], "deed": one["name"], "scope": one["scope"]}
    chosen["attribute"] = _suggested(one, one["attributes"], Attribute.CONTROL)
    chosen["discipline"] = _suggested(one, one["disciplines"], Discipline.COMMAND)
    for field in one["fields"]:
        if field["kind"] == ChoiceKind.NUMBER:
            usual = one["usual"] if field["name"] == "level" and one["usual"] is not None else field["least"]
            chosen[field["name"]] = str(usual)
    zones, beyond = fielded(one, "zone_id"), fielded(one, "zones")
    if one["name"] in LEAVING and beyond is not None:
        chosen["zones"] = str(min(1, beyond["most"]))
    if one["name"] in LEAVING and zones is not None:
        chosen["zone_id"] = next((zone for zone, _ in zones["values"]), "")
    ways = list(islice(_ways(one, acting), MOST_TRIED))
    armed = one["possible"] and not one["minor"] and fielded(one, "weapon") is not None
    return chosen | (next((way for way in ways if _allowed(table, chosen | way)), ways[0]) if armed else ways[0])


def _suggested(one: Raw, several: Sequence[tuple[str, str]], usual: str) -> str:
    """What a Task is preset to be thrown with, where its action leaves a choice."""
    if one["settled"] or len(several) == 1:
        return ""
    return several[0][0] if several else str(usual)


def _ways(one: Raw, acting: Raw) -> Iterator[dict[str, str]]:
    """Each value of what is chosen among some, the likeliest first; who is struck or shot at is a foe who can act."""
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


def _listed(each: Choice, one: Raw) -> bool:
    """Whether the form of an action has a choice: on foot no ship can be aimed at."""
    field = fielded(one, each.field)
    return field is None or not each.value or not field["values"] or each.value in dict(field["values"])


def _choice_words(each: Choice, one: Raw) -> Phrase:
    """One choice with its chance, and with its price where it has one: `2 bonus dice: 92 %, 3 Threat added`."""
    words = say("{choice}: {chance}", choice=_named(each, one), chance=percent(each.chance))
    cost = each.price
    price = price_words(
        DicePrice(
            momentum=cost.momentum,
            threat_added=0 if cost.threat_spent else cost.threat,
            threat_spent=cost.threat if cost.threat_spent else 0,
            determination=cost.determination,
        )
    )
    return joined_by(", ", [words, price]) if each.field in {"dice", "determination"} and price else words


def _named(each: Choice, one: Raw) -> str:
    if each.field == "dice":
        return say_count(int(each.value), "{number} bonus die", "{number} bonus dice")
    if each.field == "determination":
        return say("Determination") if each.value else say("No Determination")
    field = fielded(one, each.field)
    if each.field == "focus" or (field is not None and field["kind"] == ChoiceKind.YES_OR_NO):
        label = say("A focus applies") if field is None else field["label"]
        return label if each.value else say("Not: {choice}", choice=label)
    named: dict[str, str] = dict(field["values"]) if field is not None else {}
    otherwise: str = field["otherwise"] if field is not None else ""
    return named.get(each.value) or (titled(each.value) if each.value else otherwise or say("None in particular"))
