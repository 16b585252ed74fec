"""Commands and events for the tables that a house plays (RULES section 19, tables)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rules.deciding.checks import profile, require_nothing_open, short_text
from rules.deciding.decision import Command, Draft, Event
from rules.deciding.telling import Narration, NarrationKind, longer, same
from rules.errors import Refusal
from rules.house.tables import HouseTablesError, as_plain, house_tables
from rules.state.changing import replace
from rules.state.house import HouseTables
from rules.state.options import TableOptions
from rules.state.table import Table
from rules.tasks.determination import change_determination
from rules.words import Phrase, counted, listed, say, spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptHouseTables(Command):
    """Play with these tables from now on, in the place of those adopted before; empty ones are the rules' own."""

    tables: HouseTables

    undone: ClassVar[Phrase | None] = say("adopting the house tables")

    def decide(self, draft: Draft) -> None:
        """Play with these tables from now on; nothing happens where they are those in force.

        Refuses tables with a fault, naming its place, and a change while a Task or a throw is in hand. Who has more
        Determination than the new maximum keeps the maximum (DET-8).
        """
        source = short_text(self.tables.source, say("where the tables come from"))
        try:
            tables = house_tables(as_plain(self.tables), source)
        except HouseTablesError as wrong:
            raise Refusal("SETUP", wrong.problems[0].removeprefix(": ")) from wrong
        if tables == draft.table.house:
            return
        require_nothing_open(draft.table)
        ruled = profile(replace(draft.table, house=tables))
        if ruled.determination_start > ruled.determination_maximum:
            raise Refusal("DET-8", "Determination cannot start above its maximum; change one of the two options.")
        draft.record(HouseTablesAdopted(tables=tables))
        for one in draft.table.characters:
            over = one.determination - ruled.determination_maximum
            if over > 0:
                change_determination(draft, one, -over, say("the new maximum"), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseTablesAdopted(Event):
    """These tables hold from now on."""

    tables: HouseTables

    weight: ClassVar[int | None] = 240

    def fold(self, table: Table) -> Table:
        return replace(table, house=self.tables)

    def told(self, _: Table, __: Table) -> Narration:
        said = house_words(self.tables)
        if not said:
            return same(say("The rules' own tables hold."), NarrationKind.INFO)
        source = spoken(self.tables.source)
        return longer(
            say("House tables hold."),
            say("They set {said}.", said=said),
            say("From {source}.", source=source) if source else "",
            NarrationKind.INFO,
        )


def house_words(house: HouseTables) -> Phrase:
    """What a house has settled for itself: "2 weapons and 1 spend"; empty where it plays the rules' tables."""
    parts = (
        (len(house.weapons), "weapon"),
        (len(house.spends), "spend"),
        (len({one.action for one in house.stations}), "station action"),
        (len(house.breaches), "Scale's Breaches"),
        (len(house.ship_weapons), "ship weapon"),
        (len(house.shaken), "shaken result"),
        (sum(getattr(house.options, name) is not None for name in TableOptions.__slots__), "option"),
    )
    return listed([counted(number, noun) for number, noun in parts if number])
