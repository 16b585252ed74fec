"""What can be asked about the tables that a house plays (RULES section 19, tables)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.state_house import HouseTables


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptHouseTables:
    """Play with these tables from now on, in the place of those adopted before; empty ones are the rules' own."""

    tables: HouseTables
