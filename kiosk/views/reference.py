"""The tables of the books as pages show them: all of them on one page, and beside each choice its own row.

In: the table's rules. Out: rows with their words, for `_reference.html` and for whoever asks to hear one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kiosk.storage.wire import command_of
from rules.game import (
    COMMANDS,
    EXPLAINED,
    BuyDie,
    Profile,
    ReferenceRow,
    ReferenceTable,
    TakeMinorAction,
    Topic,
    name_of,
    profile,
    reference,
    reference_row,
    row_about,
    weapons_of,
)
from rules.game import Table as GameTable

PART: Final = "/"
"""Stands between the topic and the key of a row where both are one word, as in `difficulty/2`."""

MARK_BYTES: Final = 4
"""Bytes of a mark: enough that no two rules of a season share one."""

_ONE_OF_MANY: Final = frozenset({BuyDie, TakeMinorAction})
"""Commands of small buttons beside each other: the table of all of them stands at their head, or on its page alone."""

_EXPLAINED: Final = frozenset(name for name, kind in COMMANDS.items() if kind in EXPLAINED - _ONE_OF_MANY)
"""Commands whose options have their row beside them."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The tables of one table's rules."""

    profile: Profile

    @property
    def mark(self) -> str:
        """A mark of these rules, by which a page notices that its tables are old."""
        return hashlib.blake2b(repr(self.profile).encode(), digest_size=MARK_BYTES).hexdigest()

    @property
    def tables(self) -> tuple[ReferenceTable, ...]:
        """All of them, in the order in which they are shown."""
        return tuple(reference(self.profile).values())

    def table(self, topic: str) -> ReferenceTable | None:
        """The table of that topic; None where the ruleset has none."""
        return reference(self.profile).get(Topic(topic))

    def row(self, topic: str, key: str) -> ReferenceRow | None:
        """One row; None where there is none."""
        return reference_row(self.profile, topic, key)

    def option(self, option: Mapping[str, Any]) -> ReferenceRow | None:
        """The row that says what an option of the view buys or does; None where no table has it."""
        if option["command"]["command"] not in _EXPLAINED:
            return None
        return self._about(option)

    def minors(self, options: Iterable[Mapping[str, Any]]) -> list[ReferenceRow]:
        """The rows of the Minor Actions among some options, each once."""
        name = name_of(TakeMinorAction)
        found = (self._about(one) for one in options if one["command"]["command"] == name)
        return list(dict.fromkeys(one for one in found if one is not None))

    def _about(self, option: Mapping[str, Any]) -> ReferenceRow | None:
        found = row_about(self.profile, command_of(dict(option["command"])).command)
        return self.row(*found) if found is not None else None

    def weapons(self, names: Iterable[str]) -> list[ReferenceRow]:
        """The rows of these weapons, each followed by those of its effects and qualities; each row once."""
        known = {one.name: one for one in weapons_of(self.profile)}
        wanted: dict[tuple[Topic, str], None] = {}
        for name in names:
            if (weapon := known.get(name)) is not None:
                wanted[Topic.WEAPONS, name] = None
                wanted |= {(Topic.WEAPON_EFFECTS, one.name): None for one in weapon.effects}
                wanted |= {(Topic.WEAPON_QUALITIES, one.name): None for one in weapon.qualities}
        found = (self.row(topic, key) for topic, key in wanted)
        return [one for one in found if one is not None]

    def mounted(self) -> list[ReferenceRow]:
        """The tables about ships' weapons: their Difficulties, effects and qualities."""
        return [row for topic in _MOUNTED if (one := self.table(topic)) is not None for row in one.rows]

    def breaches(self, scale: int) -> list[ReferenceRow]:
        """What Breaches do to a ship of that Scale: thresholds, conditions of its systems, immediate effects."""
        tables = (self.table(topic) for topic in _BREACHED)
        of_scale = self.row(Topic.BREACHES, str(scale))
        return [*([of_scale] if of_scale is not None else []), *(row for one in tables if one for row in one.rows)]


_MOUNTED: Final = (Topic.SHIP_WEAPONS, Topic.SHIP_EFFECTS, Topic.SHIP_QUALITIES)
"""The tables about what a ship carries."""

_BREACHED: Final = (Topic.CONDITIONS, Topic.IMPACTS)
"""The tables about what Breaches lead to, besides that of the ship's Scale."""


def reference_of(table: GameTable) -> Reference:
    """The tables of the rules that `table` plays."""
    return Reference(profile(table))


def row_named(table: GameTable, name: str) -> ReferenceRow | None:
    """The row of `topic/key`; None where no table has it."""
    topic, _, key = name.partition(PART)
    return reference_row(profile(table), topic, key)
