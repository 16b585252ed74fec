"""How many people a station of the second edition seats, and who finds no seat as they sit down (S2E-22)."""

from __future__ import annotations

from typing import Final

from rules.conflict.lasting import effects_named
from rules.conflict.order import combatant_name, is_able
from rules.deciding.checks import profile
from rules.errors import Refusal
from rules.ships.numbers import has_second_seat
from rules.ships.stations import STATION_ACTIONS
from rules.state.conflict import Combatant
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.vocabulary import Discipline, Ruleset
from rules.words import known, listed, say_count

SEAT_DEPARTMENT: Final[dict[str, Discipline]] = {
    "command": Discipline.COMMAND,
    "operations": Discipline.ENGINEERING,
    "sensors": Discipline.SCIENCE,
    "tactical": Discipline.SECURITY,
}
"""The department that gives a station its second seat (S2E-22)."""


COMMAND: Final = "command"
"""The station of whoever commands a ship."""


STATIONS: Final = frozenset(row.station for row in STATION_ACTIONS[Ruleset.SECOND_EDITION].values() if row.station)
"""The stations of the bridge; other places aboard hold as many as like."""


def seats(ship: Ship, station: str) -> int:
    """How many people a station seats: a second one where its department is 4 or more (S2E-22)."""
    department = SEAT_DEPARTMENT.get(station)
    return 1 + (department is not None and has_second_seat(getattr(ship.departments, department)))


def require_seat(table: Table, others: tuple[Combatant, ...], one: Combatant) -> None:
    """S2E-22: refuse somebody who sits down at a station where others have every seat.

    Who is on the way to another place leaves a seat, and has one there.
    """
    ship = _aboard(table, one)
    if not profile(table).seats_are_counted or one.station not in STATIONS or ship is None:
        return
    there = [
        each.combatant_id
        for each in others
        if each.combatant_id != one.combatant_id
        and _aboard(table, each) is ship
        and _bound_for(table, each) == one.station
    ]
    if len(there) >= seats(ship, one.station):
        raise Refusal(
            "S2E-22",
            say_count(
                len(there),
                "No seat is left at {station} on {ship}, where {names} sits; choose another station.",
                "No seat is left at {station} on {ship}, where {names} sit; choose another station.",
                station=known(one.station),
                ship=ship.name,
                names=listed([combatant_name(table, each) for each in there]),
            ),
        )


def commander(table: Table, ship_id: str) -> str:
    """Who decides for a players' ship: who sits at its command and can act, as an id; empty where nobody does."""
    seated = table.conflict.combatants if table.conflict is not None else ()
    there = (one.combatant_id for one in seated if one.station == COMMAND and _is_aboard(table, one, ship_id))
    return next((one for one in there if is_able(table, one)), "")


def _is_aboard(table: Table, one: Combatant, ship_id: str) -> bool:
    ship = _aboard(table, one)
    return ship is not None and ship.ship_id == ship_id


def _aboard(table: Table, one: Combatant) -> Ship | None:
    """The ship that somebody is aboard of: where none is named, the only one without a crew of its own."""
    ids = [one.ship_id] if one.ship_id else [ship.ship_id for ship in table.ships if ship.crew is None]
    return next((ship for ship in table.ships if [ship.ship_id] == ids), None)


def _bound_for(table: Table, one: Combatant) -> str:
    under_way = effects_named(table, "changing_position", owner_id=one.combatant_id)
    return under_way[-1].note if under_way else one.station
