"""The parts of cards for fights, as fields of the set-up page: weapons, abilities, Stress, a ship's crew and weapons.

A line is read as a person writes it: `Fast Recovery 2`, `Extraordinary Attribute 1: daring`, and of a ship's weapons
`Phasers; energy; 7; medium; piercing 2, high yield`.
"""

from __future__ import annotations

from typing import Any, Final

from kiosk.errors import WireError
from kiosk.i18n.current import said_now
from kiosk.views.crew import READY_WEAPONS, USUAL_WEAPONS, ready_weapon
from kiosk.views.option_fields import Json
from kiosk.views.stage.names import titled
from kiosk.web.form_fields import Form, Raw, lines, text, whole, yes
from rules.game import (
    PLAYBOOK,
    SHIP_EFFECTS,
    CrewQuality,
    Range,
    ShipWeaponKind,
    Table,
    profile,
    ship_numbers,
    weapons_of,
)
from rules.words import Phrase, joined_by, say, worded

MARK: Final = "fights"
"""The hidden field that says that a form carries these fields, so that a form without them changes none."""

WEAPON: Final = "weapon_"
"""Begins the name of each weapon's field."""
_MOUNT: Final = "mount_"
"""Begins the name of the field of each ready weapon for a ship."""
NUMBERS: Final = {
    "shields": "shields_max",
    "resistance": "resistance",
    "power": "power_max",
    "crew_support": "crew_support_max",
}
"""What a ship may have of its own in place of what its ratings give (C-73), and where its state keeps each."""
_KINDS: Final = {"energy": say("energy weapon"), "torpedo": say("torpedo")}
"""The kinds of ships' weapons in a word."""
_PARTS: Final = range(3, 6)
"""How many parts a line about a ship's weapon may have."""


def of_fights(table: Table) -> dict[str, Any]:
    """What the lists of these fields offer."""
    return {
        "weapons_offered": [(one.name, one.label) for one in weapons_of(profile(table))],
        "abilities_offered": joined_by(", ", [row.label for row in PLAYBOOK.abilities]),
        "mounts_offered": [(f"{_MOUNT}{key}", _mount_words(key), key in USUAL_WEAPONS) for key in READY_WEAPONS],
        "crews_offered": [(one.value, titled(one.value)) for one in CrewQuality],
    }


def of_character(form: Form) -> Raw:
    """A character's part for fights; nothing where the form carries none."""
    if not yes(form, MARK):
        return {}
    made: Raw = {
        "weapons": [name.removeprefix(WEAPON) for name in form if name.startswith(WEAPON) and yes(form, name)],
        "abilities": [_ability(line) for line in lines(form, "abilities")],
        "resistance": whole(form, "resistance"),
    }
    if text(form, "stress_max"):
        made["stress_max"] = whole(form, "stress_max")
    return made


def of_ship(form: Form, before: Json | None) -> Raw:
    """A ship's part for fights; what the form does not carry stays as it was `before`.

    Its own Shields, Resistance, Power and Crew Support are kept so, and an empty field follows its ratings (C-73).
    """
    kept = own_numbers(before)
    numbers = {name: whole(form, name) if text(form, name) else None for name in NUMBERS if name in form}
    made: Raw = {"crew": before["crew"] if before else None} | {name: kept[name] for name in NUMBERS} | numbers
    if not yes(form, MARK):
        return made
    ready = [ready_weapon(key, said_now) for key in READY_WEAPONS if yes(form, f"{_MOUNT}{key}")]
    typed = [_ship_weapon(line) for line in lines(form, "ship_weapons")]
    return made | {"crew": text(form, "crew") or None, "weapons": [*ready, *typed]}


def own_numbers(ship: Json | None) -> dict[str, int | None]:
    """Those of `NUMBERS` that a ship has otherwise than its ratings give them (SHIP-2, C-73); None for the rest."""
    if ship is None:
        return dict.fromkeys(NUMBERS)
    usual = ship_numbers(
        scale=ship["scale"],
        structure=ship["systems"]["structure"],
        security=ship["departments"]["security"],
        engines=ship["systems"]["engines"],
    )
    has = {name: ship["state"][kept] for name, kept in NUMBERS.items()}
    return {name: None if number == getattr(usual, name) else number for name, number in has.items()}


def ability_lines(character: Json | None) -> str:
    """A character's abilities, a line each, as they are typed."""
    return "\n".join(_ability_line(one) for one in (character["abilities"] if character else ()))


def ship_weapon_lines(ship: Json | None) -> str:
    """A ship's weapons, a line each, as they are typed."""
    return "\n".join(_ship_weapon_line(one) for one in (ship["weapons"] if ship else ()))


def _ability_line(one: Json) -> str:
    row = PLAYBOOK.ability_rows.get(one["name"])
    label = row.label if row is not None else titled(one["name"])
    number = f" {one['amount']}" if one["amount"] else ""
    return f"{label}{number}{': ' + one['note'] if one['note'] else ''}"


def _ability(line: str) -> Raw:
    named, _, note = line.partition(":")
    name, amount = _numbered(named)
    known = {row.label.casefold(): row.name for row in PLAYBOOK.abilities}
    if name.casefold() not in known:
        raise WireError(
            say("No special ability is called {name}. Choose one of those listed.", name=repr(name[:40])), "abilities"
        )
    return {"name": known[name.casefold()], "amount": amount, "note": note.strip().lower()}


def _numbered(words: str) -> tuple[str, int]:
    """`Fast Recovery 2` as its name and its number, 0 where it has none."""
    name, _, number = words.strip().rpartition(" ")
    if name and number.isdecimal():
        return name.strip(), int(number[:4])
    return words.strip(), 0


def _mount_words(key: str) -> Phrase:
    name, kind, rating, at_range = READY_WEAPONS[key]
    return joined_by(", ", [name, _KINDS[kind], say("rating {rating}", rating=rating), worded(at_range)])


def _ship_weapon_line(one: Json) -> str:
    traits = [_trait_words(each) for each in (*one["effects"], *one["qualities"])]
    parts = [one["name"], one["kind"], str(one["rating"]), one["optimal_range"], ", ".join(traits)]
    return "; ".join(part for part in parts if part)


def _trait_words(one: Json) -> str:
    return f"{one['name'].replace('_', ' ')}{' ' + str(one['amount']) if one['amount'] else ''}"


def _ship_weapon(line: str) -> Raw:
    parts = [part.strip() for part in line.split(";")]
    shown = line[:60]
    if len(parts) not in _PARTS:
        raise WireError(
            say(
                "A ship's weapon is written as name; energy or torpedo; rating; range; effects. {shown} is not.",
                shown=repr(shown),
            ),
            "ship_weapons",
        )
    name, kind, rating, at_range, traits = (*parts, "", "")[:5]
    if kind.lower() not in set(ShipWeaponKind):
        raise WireError(
            say("A ship's weapon is energy or torpedo, not {typed}.", typed=repr(kind[:20])), "ship_weapons"
        )
    if not rating.isdecimal():
        raise WireError(
            say("A ship's weapon has a rating, a whole number, not {typed}.", typed=repr(rating[:20])), "ship_weapons"
        )
    if at_range and at_range.lower() not in set(Range):
        raise WireError(
            say("A range is close, medium, long or extreme, not {typed}.", typed=repr(at_range[:20])), "ship_weapons"
        )
    named = [_numbered(one) for one in traits.split(",") if one.strip()]
    all_traits = [{"name": trait.lower().replace(" ", "_").replace("-", "_"), "amount": x} for trait, x in named]
    return {
        "name": name,
        "kind": kind.lower(),
        "rating": int(rating[:4]),
        "optimal_range": at_range.lower() or Range.MEDIUM.value,
        "effects": [one for one in all_traits if one["name"] in SHIP_EFFECTS],
        "qualities": [one for one in all_traits if one["name"] not in SHIP_EFFECTS],
    }
