"""Deciding which tables a house plays: checked again, adopted whole, and kept in the journal.

In: a command with the tables as a value. Out: an event with the same, so that a replay never looks at a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from rules import commands_house as ch
from rules import events_house as eh
from rules.deciding.draft import Draft, profile, require_nothing_open, short_text
from rules.deciding.values import change_determination
from rules.errors import Refusal
from rules.house_tables import HouseTablesError, as_plain, house_tables
from rules.phrases import say


def adopt_house_tables(draft: Draft, command: ch.AdoptHouseTables) -> None:
    """Play with these tables from now on; nothing happens where they are those in force.

    Refuses tables with a fault, naming its place, and a change while a Task or a throw is in hand. Who has more
    Determination than the new maximum keeps the maximum (DET-8).
    """
    source = short_text(command.tables.source, say("where the tables come from"))
    try:
        tables = house_tables(as_plain(command.tables), source)
    except HouseTablesError as wrong:
        raise Refusal("SETUP", wrong.problems[0].removeprefix(": ")) from wrong
    if tables == draft.table.house:
        return
    require_nothing_open(draft.table)
    ruled = profile(replace(draft.table, house=tables))
    if ruled.determination_start > ruled.determination_maximum:
        raise Refusal("DET-8", "Determination cannot start above its maximum; change one of the two options.")
    draft.record(eh.HouseTablesAdopted(tables=tables))
    for one in draft.table.characters:
        over = one.determination - ruled.determination_maximum
        if over > 0:
            change_determination(draft, one, -over, say("the new maximum"), "")


DECIDERS: Final[Mapping[type, Callable[[Draft, Any], None]]] = {ch.AdoptHouseTables: adopt_house_tables}
"""What decides the command about house tables."""
