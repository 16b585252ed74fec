"""What can last at a table, as data: names, what it means in words, and the rule it comes from.

In: nothing. Out: `LASTING`, by the names that `LastingEffect.name` carries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class LastingRow:
    """One thing that lasts. `label` is its name in words, `meaning` what holds meanwhile."""

    name: str
    rule: str
    label: str
    meaning: str


_TABLE: Final = (
    LastingRow(name="guard", rule="ACT-8", label="Guard", meaning="attacks on the guarded are 1 harder"),
    LastingRow(name="aim", rule="ACT-3", label="Aim", meaning="the next attack may throw a d20 again"),
)

LASTING: Final[Mapping[str, LastingRow]] = MappingProxyType({one.name: one for one in _TABLE})
"""Everything that can last, by name."""
