"""House tables: plain rows, as a file holds them, checked one by one and made a value; every fault named by its place.

In: nested dicts as a TOML or JSON reader gives them. Out: `HouseTables`, or every fault at once. Reads no file.

The tables: `weapons`, `spends`, `stations`, `breaches`, `ship_weapons`, `shaken`, `options`. A row of a weapon, spend
or station that the rules know changes only the keys that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar, get_args, get_type_hints

from rules.conflict import spends as fighting
from rules.deciding.rows import SpendRule
from rules.errors import RulesError
from rules.house.reading import (
    LONGEST_TEXT,
    Reader,
    WrongValueError,
    choice,
    choices,
    shown,
    text,
    texts,
    traits,
    truth,
    whole,
)
from rules.rulesets.weapons import EFFECTS, QUALITIES, WEAPONS
from rules.ships import spends as shared
from rules.ships.cards import SHIP_EFFECTS, SHIP_QUALITIES
from rules.ships.first import spends as first
from rules.ships.second import spends as second
from rules.ships.stations import STATION_ACTIONS
from rules.state.changing import replace
from rules.state.house import HouseBreaches, HouseSpend, HouseStationAction, HouseTables
from rules.state.options import TableOptions
from rules.state.people import Weapon, WeaponTrait
from rules.state.ships import ShipWeapon
from rules.state.vocabulary import (
    AttackType,
    Attribute,
    Availability,
    Discipline,
    Range,
    Ruleset,
    ShipWeaponKind,
    System,
)
from rules.tasks import pools

_Row = TypeVar("_Row")


Plain: TypeAlias = Mapping[str, Any]
"""A table as a reader of files gives it: texts, whole numbers, truths, lists and tables."""


HIGHEST: Final = 20
"""The highest rating, price or number of Breaches that is no slip of the finger."""


MOST_ROWS: Final = 200
"""The most rows of one table."""


FIXED_SPENDS: Final = {
    "create_opportunity": "bonus dice have prices of their own",
}
"""Spends that no house table changes, and why."""


class HouseTablesError(RulesError, ValueError):
    """House tables with faults; `problems` has a sentence for each, and names source, table, row and key."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


_WEAPON: Final[dict[str, Reader]] = {
    "label": text,
    "attack": choice(AttackType),
    "rating": whole(0, HIGHEST),
    "two_handed": truth,
    "effects": traits(EFFECTS),
    "qualities": traits(QUALITIES),
    "availability": choice(Availability),
    "opportunity": whole(0, HIGHEST),
    "escalation": whole(0, HIGHEST),
}
"""How each key of a house's weapon is read."""


_SPEND: Final[dict[str, Reader]] = {
    "label": text,
    "cost": whole(0, HIGHEST),
    "most": whole(1, HIGHEST),
    "repeatable": truth,
    "immediate": truth,
}
"""How each key of a house's spend is read."""


_STATION: Final[dict[str, Reader]] = {
    "attributes": choices(Attribute),
    "discipline": choice(Discipline),
    "ship_system": choice(System),
    "ship_department": choice(Discipline),
    "difficulty": whole(0, HIGHEST),
    "power": whole(0, HIGHEST),
}
"""How each key of a station's action is read, for all rulesets or for one."""


_BREACHES: Final[dict[str, Reader]] = {
    "damaged": whole(0, HIGHEST),
    "disabled": whole(1, HIGHEST),
    "destroyed": whole(1, HIGHEST + 1),
}
"""How the Breaches of a ship's Scale are read: at which number a system is damaged, disabled, destroyed."""


_SHIP_WEAPON: Final[dict[str, Reader]] = {
    "kind": choice(ShipWeaponKind),
    "rating": whole(0, HIGHEST),
    "optimal_range": choice(Range),
    "effects": traits(SHIP_EFFECTS),
    "qualities": traits(SHIP_QUALITIES),
}
"""How each key of a ship's weapon is read."""


_SHAKEN: Final[dict[str, Reader]] = {"results": texts}
"""How the table of a shaken ship's results is read."""


def _option_reader(hint: object) -> Reader:
    kind = next(one for one in get_args(hint) if one is not type(None))
    if issubclass(kind, StrEnum):
        return choice(kind)
    return truth if kind is bool else whole(0, HIGHEST)


_OPTIONS: Final[dict[str, Reader]] = {name: _option_reader(hint) for name, hint in get_type_hints(TableOptions).items()}
"""How each option of the table is read, by the type of its field."""


def house_tables(tables: Plain, source: str) -> HouseTables:
    """The house's tables out of plain ones that `source` held. Raises `HouseTablesError` with every fault there is."""
    reading = _Reading(source)
    made = HouseTables(source=source)
    for name, rows in tables.items():
        if name not in _TABLES:
            reading.fault(f"there is no table {name!r}{_nearest(name, _TABLES)}")
        elif not isinstance(rows, Mapping):
            reading.fault(f"{name} must be a table with a row for each thing, not {shown(rows)}")
        elif len(rows) > MOST_ROWS:
            reading.fault(f"{name} has {len(rows)} rows; at most {MOST_ROWS} are read")
        elif long := [row for row in rows if not 1 <= len(row) <= LONGEST_TEXT]:
            reading.fault(f"{name} has a row whose name is empty or too long: {shown(long[0])}")
        else:
            made = replace(made, **{name: _TABLES[name](reading, rows)})
    if reading.problems:
        raise HouseTablesError(tuple(reading.problems))
    return made


class _Reading:
    """One file being checked: the faults found so far."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.problems: list[str] = []

    def fault(self, what: str) -> None:
        self.problems.append(f"{self.source}: {what}." if not what.endswith("?") else f"{self.source}: {what}")

    def row(self, place: str, row: object, readers: Mapping[str, Reader]) -> dict[str, Any] | None:
        """What a row says, key by key; None where it is no row. Faults are noted with their place."""
        if not isinstance(row, Mapping):
            self.fault(f"{place} must be a table of keys, not {shown(row)}")
            return None
        found: dict[str, Any] = {}
        for key, value in row.items():
            if key not in readers:
                self.fault(f"{place}: there is no key {key!r}{_nearest(key, readers)}")
                continue
            try:
                found[key] = readers[key](value)
            except WrongValueError as wrong:
                self.fault(f"{place}: {key} {wrong}")
        return found

    def require(self, place: str, row: object, *keys: str) -> None:
        """Note each of the keys that a row lacks."""
        for key in keys:
            if isinstance(row, Mapping) and key not in row:
                self.fault(f"{place}: {key} is missing; add it")


MOST_NAMED: Final = 12
"""Names that a fault lists where none is like the wrong one; the pages that show it have room for no more."""


def _nearest(name: object, known: Mapping[str, object]) -> str:
    near = get_close_matches(str(name), known, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    names = tuple(known)
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"; there are {', '.join(names[:MOST_NAMED])}{more}"


def _weapons(reading: _Reading, rows: Plain) -> tuple[Weapon, ...]:
    return tuple(_made(_weapon(reading, name, row) for name, row in rows.items()))


def _weapon(reading: _Reading, name: str, row: object) -> Weapon | None:
    place = f"weapon {name!r}"
    before = len(reading.problems)
    said = reading.row(place, row, _WEAPON)
    if said is None:
        return None
    known = WEAPONS.get(name)
    if known is not None:
        return replace(known, **said)
    reading.require(place, row, "attack", "rating")
    if len(reading.problems) > before:
        return None
    return Weapon(**{"name": name, "label": name.replace("_", " ").title(), **said})


SPENDS: Final[Mapping[str, SpendRule]] = MappingProxyType(
    {row.name: row for room in (pools, fighting, shared, first, second) for row in room.ROWS}
)
"""Every Momentum spend of every room by its name."""


def _spends(reading: _Reading, rows: Plain) -> tuple[HouseSpend, ...]:
    return tuple(_made(_spend(reading, name, row) for name, row in rows.items()))


def _spend(reading: _Reading, name: str, row: object) -> HouseSpend | None:
    place = f"spend {name!r}"
    if name not in SPENDS:
        reading.fault(f"{place}: the rules have no such spend{_nearest(name, SPENDS)}")
        return None
    if name in FIXED_SPENDS:
        reading.fault(f"{place} cannot be changed here: {FIXED_SPENDS[name]}")
        return None
    said = reading.row(place, row, _SPEND)
    if said is not None and name == "create_problem" and "most" in said:
        reading.fault(f"{place}: most is the option create_problem_cap; set that instead")
        return None
    return HouseSpend(name=name, **said) if said is not None else None


def _stations(reading: _Reading, rows: Plain) -> tuple[HouseStationAction, ...]:
    return tuple(one for action, row in rows.items() for one in _station(reading, action, row))


def _station(reading: _Reading, action: str, row: object) -> Iterator[HouseStationAction]:
    """One action's keys, and beneath them those of single rulesets."""
    place = f"station action {action!r}"
    known = {name: one for table in STATION_ACTIONS.values() for name, one in table.items()}
    if action not in known:
        reading.fault(f"{place}: no station has such an action{_nearest(action, known)}")
        return
    if not isinstance(row, Mapping):
        reading.row(place, row, _STATION)
        return
    rulesets = {one.value: one for one in Ruleset}
    common = {key: value for key, value in row.items() if key not in rulesets}
    said = reading.row(place, common, _STATION) if common else {}
    if said:
        yield HouseStationAction(action=action, **said)
    for name, ruleset in rulesets.items():
        if name not in row:
            continue
        if action not in STATION_ACTIONS[ruleset]:
            reading.fault(f"{place}: {name} has no such action")
            continue
        inner = reading.row(f"{place} in {name}", row[name], _STATION)
        if inner:
            yield HouseStationAction(action=action, ruleset=ruleset, **inner)


def _breaches(reading: _Reading, rows: Plain) -> tuple[HouseBreaches, ...]:
    return tuple(_made(_breach(reading, scale, row) for scale, row in rows.items()))


def _breach(reading: _Reading, scale: str, row: object) -> HouseBreaches | None:
    place = f"breaches at Scale {scale!r}"
    if not (str(scale).isascii() and str(scale).isdigit() and 1 <= int(scale) <= HIGHEST):
        reading.fault(f"{place}: a Scale is a whole number from 1 to {HIGHEST}")
        return None
    before = len(reading.problems)
    said = reading.row(place, row, _BREACHES)
    reading.require(place, row, *_BREACHES)
    if said is None or len(reading.problems) > before:
        return None
    made = HouseBreaches(scale=int(scale), **said)
    if not made.damaged < made.disabled < made.destroyed:
        reading.fault(f"{place}: damaged, disabled and destroyed must rise, not {made.damaged}, {made.disabled}, "
                      f"{made.destroyed}")  # fmt: skip
        return None
    return made


def _ship_weapons(reading: _Reading, rows: Plain) -> tuple[ShipWeapon, ...]:
    return tuple(_made(_ship_weapon(reading, name, row) for name, row in rows.items()))


def _ship_weapon(reading: _Reading, name: str, row: object) -> ShipWeapon | None:
    place = f"ship weapon {name!r}"
    before = len(reading.problems)
    said = reading.row(place, row, _SHIP_WEAPON)
    if said is None:
        return None
    reading.require(place, row, "kind", "rating")
    return ShipWeapon(name=name, **said) if len(reading.problems) == before else None


def _shaken(reading: _Reading, rows: Plain) -> tuple[str, ...]:
    said = reading.row("shaken", rows, _SHAKEN)
    return said.get("results", ()) if said is not None else ()


def _options(reading: _Reading, rows: Plain) -> TableOptions:
    return TableOptions(**(reading.row("options", rows, _OPTIONS) or {}))


def _made(rows: Iterator[_Row | None]) -> Iterator[_Row]:
    return (one for one in rows if one is not None)


_TABLES: Final[dict[str, Callable[[_Reading, Plain], Any]]] = {
    "weapons": _weapons,
    "spends": _spends,
    "stations": _stations,
    "breaches": _breaches,
    "ship_weapons": _ship_weapons,
    "shaken": _shaken,
    "options": _options,
}
"""What makes each table of a house out of its plain rows."""


def as_plain(house: HouseTables) -> dict[str, Any]:
    """The tables in the form that `house_tables` reads: reading them again makes the same value."""
    stations: dict[str, dict[str, Any]] = {}
    for one in house.stations:
        row = stations.setdefault(one.action, {})
        (row if one.ruleset is None else row.setdefault(one.ruleset.value, {})).update(_keys(one, "action", "ruleset"))
    plain: dict[str, Any] = {
        "weapons": {one.name: _keys(one, "name") for one in house.weapons},
        "spends": {one.name: _keys(one, "name") for one in house.spends},
        "stations": stations,
        "breaches": {str(one.scale): _keys(one, "scale") for one in house.breaches},
        "ship_weapons": {one.name: _keys(one, "name") for one in house.ship_weapons},
        "shaken": {"results": list(house.shaken)} if house.shaken else {},
        "options": _keys(house.options),
    }
    return {name: rows for name, rows in plain.items() if rows}


def _keys(row: Any, *without: str) -> dict[str, Any]:  # noqa: ANN401 - any row of the tables
    named = {one.name: getattr(row, one.name) for one in fields(row) if one.name not in without}
    return {name: _plain(value) for name, value in named.items() if value is not None}


def _plain(value: Any) -> Any:  # noqa: ANN401 - any value of a row
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, WeaponTrait):
        return f"{value.name} {value.amount}" if value.amount else value.name
    return value.value if isinstance(value, StrEnum) else value
