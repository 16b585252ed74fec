"""Deciding which of the disputed points a table settles for itself, at its beginning or on any evening after."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

from rules.deciding.checks import profile, require_nothing_open, require_ready
from rules.deciding.decision import Command, Draft
from rules.errors import Refusal
from rules.setup.events import OptionsChanged
from rules.state.changing import replace
from rules.state.options import TableOptions
from rules.state.table import Table
from rules.tasks.determination import DeterminationChanged
from rules.words import Phrase, say, worded


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOptions(Command):
    """Play on by other options, all of which are given; those left None follow the ruleset (section 19)."""

    options: TableOptions

    undone: ClassVar[Phrase | None] = say("the change of the table's rules")

    def decide(self, draft: Draft) -> None:
        """Play on by other options, from the next roll: nothing that was decided is decided anew.

        Refused while a roll is open, as it would begin by one rule and end by another. Who has more Determination than
        the
        new maximum keeps the maximum (DET-8).
        """
        require_ready(draft.table)
        require_nothing_open(draft.table)
        require_options(draft.table, self.options)
        if self.options == draft.table.options:
            return
        draft.record(OptionsChanged(before=draft.table.options, options=self.options))
        most = profile(replace(draft.table, options=self.options)).determination_maximum
        for one in draft.table.characters:
            if one.determination > most:
                draft.record(
                    DeterminationChanged(
                        character_id=one.character_id,
                        name=one.name,
                        change=most - one.determination,
                        after=most,
                        reason=say("the new maximum"),
                        value="",
                    )
                )


MOST_OF_AN_OPTION = 20
"""The largest number a table option takes; more is a slip of the finger."""


def require_options(table: Table, options: TableOptions) -> None:
    """Refuse options that this table cannot play: numbers out of range, Determination that starts above its maximum."""
    for one in fields(options):
        value = getattr(options, one.name)
        if isinstance(value, int) and not isinstance(value, bool) and not 0 <= value <= MOST_OF_AN_OPTION:
            words = worded(one.name)
            raise Refusal(
                "SETUP",
                "The option {option} goes from 0 to {most}; choose one of these.",
                option=words,
                most=MOST_OF_AN_OPTION,
            )
    ruled = profile(replace(table, options=options))
    if ruled.determination_start > ruled.determination_maximum:
        raise Refusal("DET-8", "Determination cannot start above its maximum; change one of the two options.")
