"""What a form of a character or a ship showed when it was opened, so that what others saved meanwhile is not lost.

The form carries that in a hidden field. A field that this form left alone keeps what was saved meanwhile. Lists are put
together line by line. Only where both changed the same field otherwise is the form refused, and shown again.
A program that says what it saw is refused instead where it would take back what others saved since.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

import msgspec

from kiosk.errors import StaleError, WireError
from kiosk.storage.wire import encode
from kiosk.views.stage.names import titled
from kiosk.web.fighting_fields import MARK, NUMBERS, WEAPON, ability_lines, own_numbers, ship_weapon_lines
from kiosk.web.form_fields import Form, Raw, lines, text
from rules.game import Character, Command, Refusal, Ship, Table, decide, evolve
from rules.words import Phrase, joined_by, say, sentences

SEEN: Final = "seen"
"""The hidden field with all fields as the form showed them, as a JSON object of texts."""

_LISTS: Final = frozenset({"focuses", "values", "abilities", "ship_weapons"})
"""Fields with a text a line."""

_NAMES: Final = frozenset({"character_name", "ship_name"})
"""Fields with the name of what is changed."""

_PREFIXES: Final = ("attribute_", "discipline_", "system_", "department_", WEAPON)
"""The beginnings of the names of fields with a number for each word, or a tick."""


def seen_of_character(one: Mapping[str, Any]) -> str:
    """What the form of a character, as it is in the view, shows of it: the content of `SEEN`."""
    return msgspec.json.encode(_of_character(one)).decode()


def seen_of_ship(one: Mapping[str, Any]) -> str:
    """The same for a ship."""
    return msgspec.json.encode(_of_ship(one)).decode()


@dataclass(frozen=True, slots=True)
class Merged:
    """A form together with what was saved since it was opened.

    `form` holds what was typed where both changed a field; `clash` then says what it is now, and is None otherwise.
    `onto` is the character or the ship that `form` is to replace: it must still be that one when the form is done.
    """

    form: Form
    clash: Phrase | None = None
    onto: Character | Ship | None = None

    def require_still(self, table: Table) -> None:
        """Raise `StaleError` if somebody saved again since this was put together, or there is a clash."""
        if self.clash is not None:
            raise StaleError(self.clash)
        if self.onto is not None and self.onto not in (*table.characters, *table.ships):
            raise StaleError(_again(self.onto.name))


def merged(action: str, form: Form, table: Table) -> Merged:
    """`form` for `action` with what was saved in `table` since it was opened.

    It stays as it is where it makes somebody new, or does not say what it saw. Raises `WireError` where that cannot be
    read.
    """
    if action not in _OPENED or SEEN not in form:
        return Merged(form)
    onto, now = _OPENED[action](form, table)
    if onto is None:
        return Merged(form)
    was, made, clashes = _read(form[SEEN]), dict(form), dict[str, str]()
    if action in _WHOLE:
        return Merged(form, _again(onto.name) if was != now else None, onto)
    for name in now.keys() | was.keys():
        box = name.startswith(WEAPON)
        if name not in form and not (box and form.get(MARK)):
            continue
        then, saved = was.get(name, ""), now.get(name, "")
        if _same(name, text(form, name), then):
            made[name] = saved
        elif _same(name, saved, then) or _same(name, saved, text(form, name)):
            continue
        elif name in _LISTS:
            made[name] = _joined(lines(form, name), lines(was, name), lines(now, name))
        else:
            clashes[name] = saved
    return Merged(made, _told(onto.name, clashes, table) if clashes else None, onto)


def require_kept(command: Command, seen: Character | Ship, table: Table) -> None:
    """Raise `StaleError` where `command` would take back what others saved in `table` since its sender saw `seen`.

    What the command leaves as it is now, and what somebody else saved alike, counts for nothing. Raises `WireError`
    where `seen` is not what the command replaces.
    """
    shown, id_of, among = _CARDS[type(seen)]
    wanted = id_of(command)
    if id_of(seen) != wanted:
        raise WireError("What you saw has another id than what you replace. Send what you saw of that one.", SEEN)
    onto = next((one for one in among(table) if id_of(one) == wanted), None)
    if onto is None:
        return  # the rules refuse what is gone
    try:
        after = reduce(evolve, decide(table, command), table)
    except Refusal:
        return  # the rules say so themselves
    replaced = next(one for one in among(after) if id_of(one) == wanted)
    then, now, sent = shown(_raw(seen)), shown(_raw(onto)), shown(_raw(replaced))
    lost = {
        name: saved
        for name in dict.fromkeys([*now, *then])
        if not _same(name, saved := now.get(name, ""), then.get(name, ""))
        and not _same(name, saved, sent.get(name, ""))
    }
    if lost:
        now_to_do = say("Read the table again before you replace it.")
        raise StaleError(sentences(_now(onto.name, lost, table), now_to_do))


def _raw(one: object) -> Raw:
    made: Raw = msgspec.json.decode(encode(one))
    return made


def _of_character(one: Mapping[str, Any]) -> dict[str, str]:
    return {
        "character_name": one["name"],
        "player_id": one["player_id"],
        "standing": one["standing"],
        **{f"attribute_{name}": str(number) for name, number in one["attributes"].items()},
        **{f"discipline_{name}": str(number) for name, number in one["disciplines"].items()},
        "focuses": "\n".join(one["focuses"]),
        "values": "\n".join(each["text"] for each in one["values"]),
        "determination": str(one["determination"]),
        "stress_max": str(one["body"]["stress_max"]),
        "resistance": str(one["body"]["resistance"]),
        "abilities": ability_lines(one),
        **{f"{WEAPON}{name}": "yes" for name in one["weapons"]},
    }


def _of_ship(one: Mapping[str, Any]) -> dict[str, str]:
    return {
        "ship_name": one["name"],
        "scale": str(one["scale"]),
        "crew": one["crew"] or "",
        **{f"system_{name}": str(number) for name, number in one["systems"].items()},
        **{f"department_{name}": str(number) for name, number in one["departments"].items()},
        "ship_weapons": ship_weapon_lines(one),
        **{name: "" if number is None else str(number) for name, number in own_numbers(one).items()},
    }


def _character_now(form: Form, table: Table) -> tuple[Character | None, dict[str, str]]:
    found = next((one for one in table.characters if one.character_id == text(form, "character_id")), None)
    return found, _of_character(_raw(found)) if found is not None else {}


def _ship_now(form: Form, table: Table) -> tuple[Ship | None, dict[str, str]]:
    found = next((one for one in table.ships if one.ship_id == text(form, "ship_id")), None)
    return found, _of_ship(_raw(found)) if found is not None else {}


_OPENED: Final[Mapping[str, Callable[[Form, Table], tuple[Character | Ship | None, dict[str, str]]]]] = {
    "character": _character_now,
    "ship": _ship_now,
    "foe": _character_now,
}
"""By the action of a form: what it changes, and the fields that it would show now."""


_WHOLE: Final = frozenset({"foe"})
"""Actions of forms that have no fields of what they show: they replace it as a whole, so that any change clashes."""


_CARDS: Final[
    Mapping[
        type,
        tuple[
            Callable[[Raw], dict[str, str]], Callable[[object], str], Callable[[Table], tuple[Character | Ship, ...]]
        ],
    ]
] = {
    Character: (_of_character, lambda one: getattr(one, "character_id", ""), lambda table: table.characters),
    Ship: (_of_ship, lambda one: getattr(one, "ship_id", ""), lambda table: table.ships),
}
"""Of what can be replaced: its fields, its id, and where it stands."""


def _read(seen: str) -> dict[str, str]:
    try:
        return msgspec.json.decode(seen, type=dict[str, str])
    except msgspec.DecodeError:
        raise WireError("This form is too old or not from this kiosk. Try once more from this page.", SEEN) from None


def _same(name: str, one: str, other: str) -> bool:
    if name in _LISTS:
        return lines({name: one}, name) == lines({name: other}, name)
    return one.strip() == other.strip()


def _joined(typed: list[str], then: list[str], saved: list[str]) -> str:
    """The lines saved meanwhile, without those that the form took out, and with those that it put in."""
    kept = [one for one in saved if one in typed or one not in then]
    return "\n".join([*kept, *(one for one in typed if one not in then and one not in kept)])


def _told(name: str, clashes: Mapping[str, str], table: Table) -> Phrase:
    return sentences(_now(name, clashes, table), say("What you typed still stands here: save again to replace it."))


def _now(name: str, changed: Mapping[str, str], table: Table) -> Phrase:
    """What others have made of the fields in `changed`."""
    what = [joined_by(": ", [_label(field), _value(field, saved, table)]) for field, saved in changed.items()]
    return say("{name} was changed meanwhile. Now it is {what}.", name=name, what=joined_by(", ", what))


def _again(name: str) -> Phrase:
    return say("{name} was changed meanwhile. What you typed still stands here: save again.", name=name)


def _label(field: str) -> str | Phrase:
    if field in _NAMES:
        return say("Name")
    if field == "player_id":
        return say("Played by")
    return titled(next((field.removeprefix(one) for one in _PREFIXES if field.startswith(one)), field))


def _value(field: str, saved: str, table: Table) -> str | Phrase:
    if field == "player_id":
        return next((one.name for one in table.players if one.player_id == saved), say("The gamemaster"))
    if field == "crew" and not saved:
        return say("The players' own")
    if field in NUMBERS and not saved:
        return say("what its ratings give")
    if field.startswith(WEAPON):
        return say("yes") if saved else say("no")
    if field in _LISTS:
        return ", ".join(lines({field: saved}, field)) or say("nothing")
    return titled(saved) if field in {"standing", "crew"} else saved
