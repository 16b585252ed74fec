"""Folding adopted house tables into the table; as in `rules.evolving`, it cannot fail and asks no rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rules import events_house as eh
from rules.state import Table


def _adopted(table: Table, event: eh.HouseTablesAdopted) -> Table:
    return replace(table, house=event.tables)


HOUSE_FOLDS: Final[dict[type, Callable[[Table, Any], Table]]] = {eh.HouseTablesAdopted: _adopted}
"""How adopting house tables changes the table."""
