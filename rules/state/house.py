"""The tables of the rules as one house plays them: rows that stand in the place of the rules' own, or beside them.

In: a file that `rules.house.tables` checked, adopted by a command. Out: a frozen value on the table; lookups get it
through `Profile.house`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rules.state.options import TableOptions
from rules.state.people import Weapon
from rules.state.ships import ShipWeapon
from rules.state.vocabulary import Attribute, Discipline, Ruleset, System


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseSpend:
    """What a house changes of one Momentum spend (POOL-4); None leaves it as the rules have it."""

    name: str
    label: str | None = None
    cost: int | None = None
    most: int | None = None
    repeatable: bool | None = None
    immediate: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseStationAction:
    """What a house changes of one station's action (STN, S2E), in one ruleset or in all; None leaves it as it is."""

    action: str
    ruleset: Ruleset | None = None
    attributes: tuple[Attribute, ...] | None = None
    discipline: Discipline | None = None
    ship_system: System | None = None
    ship_department: Discipline | None = None
    difficulty: int | None = None
    power: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseBreaches:
    """From how many Breaches a system of a ship of that Scale is damaged, disabled, destroyed (BRCH-1).

    `damaged` 0 leaves that state out, as the rules do at Scale 1.
    """

    scale: int
    damaged: int
    disabled: int
    destroyed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseTables:
    """Everything that a house sets apart from the rules' tables; empty where it plays them as they are.

    * `source`: the name of the file it came from, for people to see.
    * `options`: what the house plays of the disputed points unless a table says otherwise (section 19).
    * `ship_weapons`: rows that take the place of a ship's own weapon of the same name (SATK-1).
    * `shaken`: what the commander of a shaken ship may choose, in words (S2E-13, C-39); empty for the usual list.
    """

    source: str = ""
    weapons: tuple[Weapon, ...] = ()
    spends: tuple[HouseSpend, ...] = ()
    stations: tuple[HouseStationAction, ...] = ()
    breaches: tuple[HouseBreaches, ...] = ()
    ship_weapons: tuple[ShipWeapon, ...] = ()
    shaken: tuple[str, ...] = ()
    options: TableOptions = field(default_factory=TableOptions)


THE_RULES_OWN: Final = HouseTables()
"""The rules' tables as they are."""
