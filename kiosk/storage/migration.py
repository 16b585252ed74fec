"""Converts a journal from version 1 to version 2: finished sentences become templates with their fills.

In: events of version 1, with every word in English. Out: the same with the program's own words as `rules.words.kept`
writes them. What a person typed stays unchanged. The lists here are those from when version 2 began, and never change.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec

from kiosk.errors import WireError
from kiosk.storage.wire import event_of
from rules.words import SAY, say

PAGE: Final = 1000
"""Events changed at a time."""

TEXTS: Final = Path(__file__).parent / "texts_of_form_1.txt"
"""The program's texts without placeholders in events of version 1, one a line."""

_GONE: Final = (
    say("the system of {ship} that has a Complication"),
    say("the system of {target} hit"),
    say("the system of {target} that is hit"),
)
"""Reasons that journals hold and the program gives no more: said here, they stay translated."""
_WHYS: Final = (
    *map(str, _GONE),
    "The core of {source}",
    "Persistent damage of {ship}",
    "Stabilise the warp core of {ship}",
    "Work on {track}",
    "aimed at the {system}",
    "Breaches of {system}",
    "Evasive Action of {name}",
    "{target} flies an Attack Pattern",
    "{target} is hidden",
    "leaving: {terrain}",
    "the Turn of {combatant} is over",
    "the warp core of {ship}",
    "who is injured as the Structure of {ship} is hit",
    "{character} enters",
    "{character} is Menacing",
    "{character} leaves it",
    "{character}'s own Threat",
    "{combatant} acts again",
    "{name}'s own Threat",
    "{ship} broke free",
    "{target} is enraged",
    "{target} stays up",
    "{weapon} taken along",
    "{reason}: {note}",
)
"""The templates of the reasons that version 1 kept filled."""
_TROUBLES: Final = ("Trouble with the {system} of {ship}", "Trouble aboard {ship}")
"""The templates of the traits that version 1 kept filled."""
_TEMPLATES: Final = {
    "why": _WHYS,
    "reason": _WHYS,
    "label": ("Stabilise the warp core of {ship}",),
    "trait": _TROUBLES,
    "attacker": ("The core of {source}",),
    "note": (),
    "complication": (),
    "name": _TROUBLES,
}
"""The fields in which form 1 kept words of the program, and the templates that each may hold filled."""

_OWN_WORDS: Final = frozenset({"system", "terrain", "weapon", "reason", "track"})
"""The placeholders that the program fills with its own words; the others hold names and notes that people typed."""

_SYSTEMS: Final = ("communications", "computers", "engines", "sensors", "structure", "weapons")
"""All values of the placeholder for a system."""

_SHIPS: Final = frozenset({"name", "target"})
"""The placeholders that a modifier fills with a ship's name."""

_ALL: Final = {
    "note": frozenset({"Nothing of that is left to lose"}),
    "complication": frozenset({"Worse off"}),
    "name": frozenset({"Worse off"}),
}
"""All that the program itself ever put into the fields that are people's otherwise."""

_TYPED_REASONS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "adjust_pool": frozenset({"put right"}),
        "adjust_power": frozenset({"the gamemaster"}),
        "adjust_stress": frozenset({"put right", "restored"}),
    }
)
"""The commands in which people give the reason, each with those that it gave itself, or offered.

In their events any other reason fits a template by chance only. Nothing tells these words from the same ones typed.
"""

_BESIDE: Final = {"reason": frozenset({"change"}), "note": frozenset({"result"})}
"""The fields beside one that the program fills. A reason without them is a member of a closed set."""

_ANY, _ON_FOOT, _ON_THE_BRIDGE = ("", "personal", "bridge"), ("personal",), ("bridge",)
"""The scopes of a Task's action in which a modifier was given."""
_HARDER: Final = dict.fromkeys(("Create Problem", "Surge of Activity", "Swift Task", "an enemy in Reach"), _ANY) | {
    "the ship is damaged": _ANY,
    "Breaches of {system}": _ANY,
    "Deadly weapon used to stun": _ON_FOOT,
    "Guard": _ON_FOOT,
    "Non-lethal weapon used to kill": _ON_FOOT,
    "Target is prone": _ON_FOOT,
    "Two-handed weapon in one hand": _ON_FOOT,
    "a Debilitating weapon": _ON_FOOT,
    "Evasive Action": _ON_THE_BRIDGE,
    "Evasive Action of {name}": _ON_THE_BRIDGE,
    "Override": _ON_THE_BRIDGE,
    "a Devastating weapon": _ON_THE_BRIDGE,
    "a Hidden weapon": _ON_THE_BRIDGE,
    "aimed at a system": _ON_THE_BRIDGE,
    "aimed at the {system}": _ON_THE_BRIDGE,
    "extreme range": _ON_THE_BRIDGE,
    "from the bridge": _ON_THE_BRIDGE,
    "further Breaches": _ON_THE_BRIDGE,
    "long range": _ON_THE_BRIDGE,
    "medium range": _ON_THE_BRIDGE,
    "off the weapon's best range": _ON_THE_BRIDGE,
    "the Shields are down": _ON_THE_BRIDGE,
    "the same role again": _ON_THE_BRIDGE,
    "{target} is hidden": _ON_THE_BRIDGE,
}
"""The modifiers that the program itself ever gave to make a Task harder, with their scopes."""
_EASIER: Final = {
    "Breakthroughs": _ANY,
    "Machine": _ANY,
    "Night Vision": _ANY,
    "Attack Pattern": _ON_THE_BRIDGE,
    "a Damage Report": _ON_THE_BRIDGE,
    "a charted hazard": _ON_THE_BRIDGE,
    "a plotted course": _ON_THE_BRIDGE,
    "the probe": _ON_THE_BRIDGE,
    "{target} flies an Attack Pattern": _ON_THE_BRIDGE,
}
"""The modifiers that the program itself ever gave to make a Task easier, by the scope of its action.

Nothing in form 1 tells them from those that people typed; any other reason of a modifier is somebody's own.
"""

_TELLING: Final = """
    command = 'strike_hazard' OR event LIKE '%"label":"_%' OR event LIKE '{"event":"ship_complicated"%'
    OR event LIKE '%"complication":"Worse off"%' OR event LIKE '{"event":"ship_saved"%'
"""
"""The events that tell who gave a word, and what ships are called."""

_PLACE: Final = re.compile(r"\{(\w+)\}")
"""A placeholder of a template."""


class OldTexts:
    """Events of one journal of form 1 in form 2.

    `typed` are the texts of that journal that people gave their rolls and hazards; `given` are, by decision, the names
    that the program gave to traits; `ships` are the names that its ships ever had.
    """

    def __init__(
        self,
        typed: frozenset[str],
        given: Mapping[int, frozenset[str]] = MappingProxyType({}),
        ships: frozenset[str] = frozenset(),
    ) -> None:
        self._typed = typed
        self._given = given
        self._ships = ships

    def kept(self, text: str, command: str, decision: int = 0) -> str:
        """The event `text`, of that decision by `command`, in version 2; unchanged if this version cannot read it."""
        try:
            raw = msgspec.json.decode(text)
            if not self._change(raw, command, self._given.get(decision, frozenset())):
                return text
            changed = msgspec.json.encode(raw).decode()
            event_of(changed)
        except (ValueError, WireError):
            return text  # whoever reads it is told
        return changed

    def _change(
        self,
        value: Any,  # noqa: ANN401 - what JSON holds
        command: str,
        given: frozenset[str],
        scope: str = "",
    ) -> bool:
        """Put phrases for texts of the program in `value`; whether there were any. `scope` is that of the action."""
        changed = False
        if isinstance(value, dict):
            scope = _scope(value, scope)
            for field, one in value.items():
                if isinstance(one, dict | list):
                    changed |= self._change(one, command, given, scope)
                elif isinstance(one, str) and one and self._may_be_ours(field, one, value, command):
                    phrase = _phrase(one, field) if field != "name" or one in given else None
                    if phrase is not None and _fits(phrase, field, value, scope, self._ships):
                        value[field], changed = phrase, True
        elif isinstance(value, list):
            for one in value:
                changed |= self._change(one, command, given, scope)
        return changed

    def _may_be_ours(self, field: str, text: str, around: dict[str, Any], command: str) -> bool:
        """Whether the program may have written `text` into `field` of the object `around`."""
        if field not in _TEMPLATES:
            return False
        if field == "label" and "action" in around:
            return around["action"] is not None
        if field == "label" and "track_id" in around:
            return bool(around.get("purpose"))
        if not _BESIDE.get(field, frozenset()) <= around.keys():
            return False
        if field in {"reason", "why"} and command in _TYPED_REASONS:
            return text in _TYPED_REASONS[command]
        return text not in self._typed or field not in {"label", "why", "attacker"}


def _scope(value: dict[str, Any], around: str) -> str:
    """The scope of the action of the Task that `value` declares, empty without one; else that of what is `around`."""
    if "modifiers" not in value:
        return around
    action = value.get("action")
    return str(action.get("scope", "personal")) if isinstance(action, dict) else ""


def _fits(
    phrase: dict[str, Any],
    field: str,
    around: dict[str, Any],
    scope: str = "",
    ships: frozenset[str] = frozenset(),
) -> bool:
    """Whether `phrase` is the program's there, and not by chance typed by somebody."""
    if field == "reason" and "event" not in around:
        change = around["change"]
        ours = _HARDER if isinstance(change, int) and change > 0 else _EASIER
        named = {fill for place, fill in phrase.get("fills", {}).items() if place in _SHIPS}
        return scope in ours.get(str(phrase[SAY]), ()) and named <= ships
    if field == "trait":
        return bool(phrase.get("fills", {}).get("ship") == around.get("name"))
    return field != "name" or "potency" in around


def old_texts(connection: sqlite3.Connection) -> OldTexts:
    """Finds in a journal of version 1 which words people gave, and which the program, up to a page that is damaged."""
    typed: set[str] = set()
    ships: set[str] = set()
    given = defaultdict[int, set[str]](set)
    asked = f"SELECT decision, command, event FROM journal WHERE {_TELLING}"  # noqa: S608 - this module's own
    for decision, command, text in _to_the_damage(connection.execute(asked)):
        try:
            raw = msgspec.json.decode(text)
        except ValueError:
            continue
        typed.update(_typed(raw, hazard=command == "strike_hazard"))
        given[decision].update(_given(raw))
        ships.update(ships_named(raw))
    names = {decision: frozenset(names) for decision, names in given.items()}
    return OldTexts(frozenset(typed), names, frozenset(ships))


def _to_the_damage(rows: Iterator[Any]) -> Iterator[Any]:
    try:
        yield from rows
    except sqlite3.DatabaseError as error:
        if not getattr(error, "sqlite_errorname", "").startswith("SQLITE_CORRUPT"):
            raise


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the events of a journal of form 1 to form 2, and give it room for people and checksums.

    Within the caller's transaction.
    """
    old = old_texts(connection)
    connection.execute("ALTER TABLE journal ADD COLUMN person TEXT NOT NULL DEFAULT ''")
    connection.execute("ALTER TABLE journal ADD COLUMN checksum TEXT")
    after = 0
    page = "SELECT sequence, event, command, decision FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?"
    while rows := connection.execute(page, (after, PAGE)).fetchall():
        sound = (row for row in rows if "\ufffd" not in row[1])  # damaged bytes stay as they are, to be told
        kept = ((old.kept(event, command, number), sequence, event) for sequence, event, command, number in sound)
        changed = [(new, sequence) for new, sequence, event in kept if new != event]
        connection.executemany("UPDATE journal SET event = ? WHERE sequence = ?", changed)
        after = rows[-1][0]


def _typed(value: Any, *, hazard: bool) -> Iterator[str]:  # noqa: ANN401 - what JSON holds
    """What people typed: the labels of Tasks, Extended Tasks and Challenge Dice, and what a hazard is called."""
    if isinstance(value, dict):
        if hazard and isinstance(value.get("attacker"), str):
            yield value["attacker"]
        label = value.get("label")
        if isinstance(label, str) and label:
            task = "complication_range" in value and value.get("action") is None
            track = "track_id" in value and not value.get("purpose")
            roll = "count" in value and "who" in value
            if task or track or roll:
                yield label
        for one in value.values():
            yield from _typed(one, hazard=hazard)
    elif isinstance(value, list):
        for one in value:
            yield from _typed(one, hazard=hazard)


def _given(raw: Any) -> Iterator[str]:  # noqa: ANN401 - what JSON holds
    """The names that the program gives to traits beside this event."""
    if isinstance(raw, dict):
        for field in ("trait", "complication"):
            text = raw.get(field)
            if isinstance(text, str) and (phrase := _phrase(text, field)) is not None and _fits(phrase, field, raw):
                yield text


def ships_named(raw: Any) -> Iterator[str]:  # noqa: ANN401 - what JSON holds
    """The name of the ship that this event of form 1 brings or changes, if it does."""
    if isinstance(raw, dict) and raw.get("event") == "ship_saved" and isinstance(raw.get("ship"), dict):
        name = raw["ship"].get("name")
        if isinstance(name, str):
            yield name


@cache
def _whole() -> frozenset[str]:
    return frozenset(TEXTS.read_text(encoding="utf-8").splitlines())


@lru_cache(maxsize=1024)
def _phrase(text: str, field: str) -> dict[str, Any] | None:
    """`text` as the journal keeps a phrase; None if it is not the program's."""
    if text in _ALL.get(field, ()):
        return {SAY: text}
    if field in {"why", "reason", "label"}:
        if text in _whole():
            return {SAY: text}
        small = text[:1].lower() + text[1:]
        if small in _whole():
            return {SAY: {SAY: small}, "altered": "capital"}
    for template, pattern in _patterns(field):
        found = pattern.fullmatch(text)
        if found is not None:
            return {SAY: template, "fills": {place: _fill(place, fill) for place, fill in found.groupdict().items()}}
    return None


def _fill(place: str, text: str) -> object:
    if place == "system":
        return {SAY: text}
    return (_phrase(text, "why") or text) if place in _OWN_WORDS else text


@cache
def _patterns(field: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The templates of a field, those with most words of their own first."""
    templates = sorted(_TEMPLATES[field], key=lambda one: len(_PLACE.sub("", one)), reverse=True)
    return tuple((one, _pattern(one)) for one in templates)


def _pattern(template: str) -> re.Pattern[str]:
    """The pattern that the template matches; a template without own words matches only part of a sentence."""
    parts = _PLACE.split(template)
    fill = ".+" if any(one.isalpha() for one in "".join(parts[::2])) else "[^.!?]+"
    fills = {"system": "|".join(_SYSTEMS)}
    return re.compile(
        "".join(
            f"(?P<{one}>{fills.get(one, fill)})" if place % 2 else re.escape(one) for place, one in enumerate(parts)
        )
    )
