"""What happened to the tables that a house plays. The tables are carried whole, so that a replay needs no file."""

from __future__ import annotations

from dataclasses import dataclass

from rules.state_house import HouseTables


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseTablesAdopted:
    """These tables hold from now on."""

    tables: HouseTables
