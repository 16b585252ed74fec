"""How it is told which tables a house plays."""

from __future__ import annotations

from typing import Final

from rules import events_house as eh
from rules.narrating.telling import Narration, NarrationKind, Sentences, longer, same
from rules.phrases import Phrase, say
from rules.state import Table
from rules.state_house import HouseTables
from rules.state_options import TableOptions
from rules.wording import counted, joined, spoken


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
    return joined([counted(number, noun) for number, noun in parts if number])


def _adopted(event: eh.HouseTablesAdopted, _: Table, __: Table) -> Narration:
    said = house_words(event.tables)
    if not said:
        return same(say("The rules' own tables hold."), NarrationKind.INFO)
    source = spoken(event.tables.source)
    return longer(
        say("House tables hold."),
        say("They set {said}.", said=said),
        say("From {source}.", source=source) if source else "",
        NarrationKind.INFO,
    )


SENTENCES: Final[Sentences] = {eh.HouseTablesAdopted: _adopted}
"""The event of house tables."""
