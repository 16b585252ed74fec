"""What a shaken ship may suffer, as data: the list that a commander chooses from (S2E-13, C-39).

In: nothing. Out: `RESULTS` by name. A house may put its own list in its place, in its own words or these labels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rules.words import say


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakenRow:
    """One result: its label, and what it does."""

    name: str
    label: str
    meaning: str


_TABLE: Final = (
    ShakenRow(name="lose_reserve_power", label=say("Lose Reserve Power"), meaning=say("Reserve Power is used up")),
    ShakenRow(
        name="system_out", label=say("A system goes out"), meaning=say("a system is unusable until it is restored")),
    ShakenRow(name="complication", label=say("A Complication"), meaning=say("the ship has a Complication more")),
)  # fmt: skip
"""What can happen to a shaken ship, where a house adds nothing."""


RESULTS: Final[Mapping[str, ShakenRow]] = MappingProxyType({one.name: one for one in _TABLE})
"""The usual list: Reserve Power, a system out, a Complication."""


def results_of(chosen: tuple[str, ...]) -> tuple[str, ...]:
    """The list that a table plays: its own, or the usual one."""
    return chosen or tuple(RESULTS)


def row_of(result: str) -> ShakenRow | None:
    """The row that a result names, by its name or its label; None for words of a house's own."""
    named = result.strip().casefold()
    return next((one for one in RESULTS.values() if named in (one.name, one.label.casefold())), None)


def label_of(result: str) -> str:
    """A result in words; one of a house's own is its own label."""
    row = row_of(result)
    return row.label if row is not None else result
