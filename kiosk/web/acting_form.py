"""The form of an action in a conflict: what it is preset to, what was chosen in it, and its chances in words.

An attack is preset to the first weapon and foe that the rules allow now; the rules set the best distance themselves
where the form names none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any, Final

from kiosk.errors import WireError, words_of
from kiosk.storage.wire import command_of, output
from kiosk.views.stage import titled
from kiosk.web.acting_chances import acting_choices
from kiosk.web.chances import completed, odds_as_they_are, percent, price_words
from kiosk.web.form_fields import Form, Raw, text, whole, yes
from kiosk.web.presets import Choice
from rules.game import Attribute, Declaration, DeclareTask, DicePrice, Discipline, Range, Refusal, Table
from rules.words import Phrase, joined_by, say, say_count

_BONUS_DICE: Final = range(1, 4)
_MODIFIERS: Final = range(1, 3)

MOST_TRIED: Final = 24
"""Pairs of weapon and target that are tried for the one that a form is preset to."""

LEAVING: Final = frozenset({"sprint", "maneuver", "impulse"})
"""What leads out of one's zone: it is preset to the nearest other one of the map."""

_CHECKS: Final[Mapping[str, Phrase]] = {
    "focus": say("A focus applies"),
    "lethal": say("Meant to kill"),
    "one_handed": say("A two-handed weapon in one hand"),
    "in_cover": say("In cover already"),
    "weakness": say("Strikes its weakness"),
}
"""What is ticked in the form, as its chance names it."""

_LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "target_id": ("targets", "ship_targets", "tracks"),
    "weapon": ("weapons", "mounted"),
    "effect": ("charges",),
    "at_range": ("ranges",),
    "system": ("systems",),
    "zone_id": ("zones", "zones_of_ship"),
}
"""The lists of the page that name what can be chosen in a field."""


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
        "attribute": text(form, "attribute"),
        "discipline": text(form, "discipline"),
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
        whole = completed(table, declared)
        odds = odds_as_they_are(table, whole) if whole.rolled else None
    except (Refusal, WireError) as problem:
        return made | ({"odds": words_of(problem)} if sent else {})
    if odds is None:
        return made
    made |= {"odds": odds.words, "chance": percent(odds.chance), "difficulty": odds.difficulty}
    if sent and given.get("ask"):
        every = acting_choices(table, declared).choices
        others = (each for each in every if each.declaration != output(declared) and _listed(each, acting))
        made["choices"] = tuple(_choice_words(each, acting) for each in others)
    return made


def declaration_in(form: Form) -> Declaration:
    """The declaration in the fields of an action's form. Raises `WireError` for what is no declaration."""
    command = command_of(acted({**form, "minor": ""}, {})[0]).command  # only what throws dice has odds
    if not isinstance(command, DeclareTask):
        raise TypeError(f"declare_task made a {type(command).__name__}")
    return command.declaration


def _preset(table: Table, one: Raw, acting: Raw) -> dict[str, str]:
    chosen = {"character_id": acting["who"], "deed": one["name"], "scope": one["scope"], "level": "1"}
    if {"zones", "level"} <= set(one["needs"]):
        chosen |= {"zones": "1", "level": "0"}  # to the next zone, and hard where somebody says so
    chosen["attribute"] = one["attributes"][0][0] if one["attributes"] else Attribute.CONTROL.value
    chosen["discipline"] = one["disciplines"][0][0] if one["disciplines"] else Discipline.COMMAND.value
    if "ship_id" in one["needs"]:
        chosen["ship_id"] = acting["ship"]
    if "zone_id" in one["needs"] and one["name"] in LEAVING:
        lies = acting["zones_of_ship" if one["scope"] == "bridge" else "zones"][1:2]
        chosen["zone_id"] = lies[0][0] if lies else ""
    if "at_range" in one["needs"] and "weapon" not in one["needs"]:
        chosen["at_range"] = Range.CLOSE.value
    ways = list(islice(_ways(one, acting), MOST_TRIED))
    armed = one["possible"] and not one["minor"] and "weapon" in one["needs"]
    return chosen | (next((way for way in ways if _allowed(table, chosen | way)), ways[0]) if armed else ways[0])


def _ways(one: Raw, acting: Raw) -> Iterator[dict[str, str]]:
    """Each weapon with each foe who can act; one way without either where the action needs none."""
    needs = one["needs"]
    weapons = [name for name, _ in acting["mounted" if one["scope"] == "bridge" else "weapons"]]
    if "target_ship" in needs:
        targets = [ship for ship, _ in acting["ship_targets"]]
    elif one["name"] == "extended":
        targets = [track for track, _ in acting["tracks"]]
    else:
        targets = acting["foes"] if "weapon" in needs else []
    armed = weapons if "weapon" in needs else []
    for weapon, target in product(armed or [""], targets or [""]):
        yield {"weapon": weapon, "target_id": target}


def _allowed(table: Table, chosen: Form) -> bool:
    try:
        completed(table, declaration_in(chosen))
    except Refusal:
        return False
    return True


def _listed(one: Choice, acting: Raw) -> bool:
    """Whether the form has the choice: on foot no ship can be aimed at."""
    lists = _LISTS.get(one.field, ())
    return not lists or not one.value or any(one.value == key for name in lists for key, _ in acting[name])


def _choice_words(one: Choice, acting: Raw) -> Phrase:
    """One choice with its chance, and with its price where it has one: `2 bonus dice: 92 %, 3 Threat added`."""
    words = say("{choice}: {chance}", choice=_named(one, acting), chance=percent(one.chance))
    cost = one.price
    price = price_words(
        DicePrice(
            momentum=cost.momentum,
            threat_added=0 if cost.threat_spent else cost.threat,
            threat_spent=cost.threat if cost.threat_spent else 0,
            determination=cost.determination,
        )
    )
    return joined_by(", ", [words, price]) if one.field in {"dice", "determination"} and price else words


def _named(one: Choice, acting: Raw) -> str:
    if one.field == "dice":
        return say_count(int(one.value), "{number} bonus die", "{number} bonus dice")
    if one.field == "determination":
        return say("Determination") if one.value else say("No Determination")
    if one.field in _CHECKS:
        return _CHECKS[one.field] if one.value else say("Not: {choice}", choice=_CHECKS[one.field])
    named: dict[str, Any] = {key: words for name in _LISTS.get(one.field, ()) for key, words in acting[name]}
    return named.get(one.value) or (titled(one.value) if one.value else say("None in particular"))
