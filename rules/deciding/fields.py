"""What may be chosen for one field of an action: by name, by number or in words of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from rules.state.table import Table

Those: TypeAlias = Callable[[Table, str], Iterable[str] | None]
"""The names or ids that who acts may choose at a table, in their order; None where nobody is asked for them now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow:
    """What an action takes for one field of `Action`.

    * `name`: the field. `optional`: it may be left out. `alone`: it may be where there is only one to choose.
    * `those`: what may be chosen of it now. `labels`: every name of a closed list with its words, where they are no
      names of the table; another name is refused, and where words of one's own fit as well (`free`) one that is
      nearly such a name.
    * `within`: the numbers that may be chosen, from the least to the most.
    * `asked`: what a form calls it; `otherwise`: what leaving it out means; `none`: what is said, as a sentence, where
      it has to be chosen and there is nothing to choose. `rule`: what a wrong name is refused with.
    * `helps`: whom it names is helped, so that one's own side comes first, and not foes.
    """

    name: str
    optional: bool = False
    alone: bool = False
    those: Those | None = None
    labels: tuple[tuple[str, str], ...] = ()
    free: bool = False
    within: Callable[[Table, str], range] | None = None
    asked: str = ""
    otherwise: str = ""
    none: str = ""
    rule: str = ""
    helps: bool = False

    def names(self, table: Table, actor_id: str) -> tuple[str, ...]:
        """Every name that it knows, choosable now or not."""
        if self.labels:
            return tuple(name for name, _ in self.labels)
        return tuple(self.those(table, actor_id) or ()) if self.those is not None else ()


HARDEST: Final = 10
"""The largest Difficulty that somebody names for an action; more is a slip of the finger."""


def within(least: int, most: int) -> Callable[[Table, str], range]:
    """The same numbers at every table, both ends included."""
    return lambda _, __: range(least, most + 1)
