"""Drawing the map of a scene, saying who is where, and moving there (RNG-1, SHIP-9).

The map belongs to the scene: it may be drawn before a conflict begins, outlasts it, and is gone with the next scene.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, ClassVar, Final

from rules.conflict.events import MapDrawn, MapPutAway, Moved, Placed, ZoneChanged
from rules.conflict.order import combatant_name
from rules.conflict.positions import parted, require_map, require_place, require_zone, zone_of
from rules.deciding.checks import find_character, require_ready, require_text
from rules.deciding.decision import Command, Draft
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.conflict import Conflict
from rules.state.places import Zone, ZoneMap
from rules.state.table import Table
from rules.state.vocabulary import ConflictKind, Layout, Terrain
from rules.words import Phrase, listed, say


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawMap(Command):
    """Name the zones of the scene, in an order. A zone that has its name already stays what it is, with who is in it.

    `links` are further pairs that adjoin, by name or id.
    """

    zones: tuple[str, ...]
    layout: Layout = Layout.LINE
    links: tuple[tuple[str, str], ...] = ()

    undone: ClassVar[Phrase | None] = say("the map")

    def decide(self, draft: Draft) -> None:
        """RNG-1: zones, and which of them adjoin."""
        require_ready(draft.table)
        zones = _named(draft.table, self.zones)
        links = _links(zones, self.layout, self.links)
        before = draft.table.zone_map
        ids = {one.zone_id for one in zones}
        places = tuple(one for one in before.places if one.zone_id in ids) if before is not None else ()
        drawn = ZoneMap(zones=zones, links=links, places=places)
        if drawn != before:
            conflict = _in_reach_still(replace(draft.table, zone_map=drawn))
            draft.record(MapDrawn(zone_map=drawn, conflict=conflict))


@dataclass(frozen=True, slots=True, kw_only=True)
class PutMapAway(Command):
    """The table keeps no map any more."""

    undone: ClassVar[Phrase | None] = say("putting the map away")

    def decide(self, draft: Draft) -> None:
        """Ranges are said by hand again."""
        require_map(draft.table)
        draft.record(MapPutAway())


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeZone(Command):
    """Say what a zone is called and what counts in it: see `Zone`. What is None stays as it is."""

    zone_id: str
    name: str | None = None
    terrain: Terrain | None = None
    hazardous: bool | None = None
    difficulty: int | None = None
    concealment: int | None = None
    dark: bool | None = None
    cover: int | None = None
    hazard: int | None = None

    undone: ClassVar[Phrase | None] = say("the change of a zone")

    def decide(self, draft: Draft) -> None:
        """S2E-5, S2E-9, DMG-1, DMG-2: the gamemaster says what a zone is like."""
        zone = require_zone(draft.table, self.zone_id)
        given: dict[str, Any] = {
            "terrain": self.terrain,
            "hazardous": self.hazardous,
            "difficulty": self.difficulty,
            "concealment": self.concealment,
            "dark": self.dark,
            "cover": self.cover,
            "hazard": self.hazard,
        }
        for name, most, rule in _NUMBERS:
            number = given[name]
            if number is not None and not 0 <= number <= most:
                raise Refusal(rule, "The numbers of a zone go from 0 to {most}; choose one of these.", most=most)
        if self.name is not None:
            given["name"] = _free_name(draft.table, zone, self.name)
        changed = replace(zone, **{name: value for name, value in given.items() if value is not None})
        if changed != zone:
            draft.record(ZoneChanged(zone=changed))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceAt(Command):
    """The gamemaster says in which zone characters and ships are; off the map where `zone_id` is empty."""

    who_ids: tuple[str, ...]
    zone_id: str = ""

    undone: ClassVar[Phrase | None] = say("who is where")

    def decide(self, draft: Draft) -> None:
        """RNG-1: somebody is put where they are, whatever the way there costs."""
        require_ready(draft.table)
        zone_map = require_map(draft.table)
        zone = require_zone(draft.table, self.zone_id) if self.zone_id else None
        if not self.who_ids:
            raise Refusal("RNG-1", "Say who is there; choose one of those listed.")
        for who in dict.fromkeys(self.who_ids):
            if all(one.ship_id != who for one in draft.table.ships):
                find_character(draft.table, who)
            here = zone_map.zone_of(who)
            if here == zone:
                continue
            name = combatant_name(draft.table, who)
            if zone is not None:
                _require_no_ship(draft.table, who, name)
            conflict = _in_reach_still(_with_place(draft.table, who, self.zone_id))
            there = zone.name if zone is not None else ""
            draft.record(Placed(who_id=who, name=name, zone_id=self.zone_id, zone=there, conflict=conflict))
        board(draft)


def board(draft: Draft) -> None:
    """RNG-1: where ships fight, who serves on a ship of the map has no zone of their own any more."""
    seats = draft.table.conflict.combatants if draft.table.conflict is not None else ()
    for one in seats:
        if _serves_on(draft.table, one.combatant_id) and zone_of(draft.table, one.combatant_id) is not None:
            name = combatant_name(draft.table, one.combatant_id)
            conflict = _in_reach_still(_with_place(draft.table, one.combatant_id, ""))
            draft.record(Placed(who_id=one.combatant_id, name=name, zone_id="", zone="", conflict=conflict))


def _serves_on(table: Table, who: str) -> str:
    """The ship of the map that somebody serves on in a fight of ships, as an id; empty where there is none."""
    conflict = table.conflict
    seat = conflict.combatant(who) if conflict is not None and conflict.kind is ConflictKind.STARSHIP else None
    if seat is None or seat.ship_id in ("", who) or zone_of(table, seat.ship_id) is None:
        return ""
    return seat.ship_id


def _require_no_ship(table: Table, who: str, name: str) -> None:
    """RNG-1: who serves on a ship of the map is where that is."""
    ship_id = _serves_on(table, who)
    if ship_id:
        ship = combatant_name(table, ship_id)
        raise Refusal(
            "RNG-1", "{name} is aboard {ship}, and is where that is; put {ship} there instead.", name=name, ship=ship
        )


MOST_ZONES: Final = 24
"""The most zones of a map; a longer list is a slip of the finger."""


_NUMBERS: Final = (
    ("difficulty", 5, "TASK-2"),
    ("concealment", 5, "S2E-9"),
    ("cover", 20, "DMG-2"),
    ("hazard", 20, "DMG-1"),
)
"""The numbers of a zone, the most of each, and the rule that has them."""


def move_to(draft: Draft, who_id: str, zone_id: str) -> None:
    """Somebody moves on the map: out of the Reach of all in other zones. Off it where `zone_id` is empty.

    Whether the way is open and paid is for whoever asks.
    """
    here = require_place(draft.table, who_id)
    if here.zone_id == zone_id:
        return
    zone = require_zone(draft.table, zone_id).name if zone_id else ""
    draft.record(
        Moved(
            who_id=who_id,
            name=combatant_name(draft.table, who_id),
            zone_id=zone_id,
            zone=zone,
            conflict=_in_reach_still(_with_place(draft.table, who_id, zone_id)),
        )
    )


def _with_place(table: Table, who_id: str, zone_id: str) -> Table:
    return replace(table, zone_map=require_map(table).with_place(who_id, zone_id))


def _in_reach_still(table: Table) -> Conflict | None:
    """The conflict without the Reach of those who are in different zones (RNG-1); None where that changes nothing."""
    if table.conflict is None:
        return None
    reach = tuple(pair for pair in table.conflict.reach if not parted(table, *pair))
    return replace(table.conflict, reach=reach) if reach != table.conflict.reach else None


def _named(table: Table, names: tuple[str, ...]) -> tuple[Zone, ...]:
    """A zone for each name, those that are on the map already as they are."""
    cleaned = [require_text(one, say("the zone's name")) for one in names]
    if not cleaned:
        raise Refusal("RNG-1", "Name the zones of the map, at least one.")
    if len(cleaned) > MOST_ZONES:
        raise Refusal("RNG-1", "A map has at most {most} zones; leave some out.", most=MOST_ZONES)
    if len({one.casefold() for one in cleaned}) < len(cleaned):
        raise Refusal("RNG-1", "Two zones have the same name; give each its own.")
    before = table.zone_map.zones if table.zone_map is not None else ()
    kept = {one.name.casefold(): one for one in before}
    taken = {one.zone_id for one in before}
    free = (name for name in (f"zone-{number}" for number in range(1, 2 * MOST_ZONES + 1)) if name not in taken)
    return tuple(kept.get(one.casefold()) or Zone(zone_id=next(free), name=one) for one in cleaned)


def _links(zones: tuple[Zone, ...], layout: Layout, more: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Which zones adjoin, each pair once, in the order of the zones."""
    ids = [one.zone_id for one in zones]
    laid: Iterable[tuple[str, str]] = {
        Layout.LINE: pairwise(ids),
        Layout.ALL: combinations(ids, 2),
        Layout.LINKS: (),
    }[layout]
    pairs = [*laid, *((_found(zones, first), _found(zones, second)) for first, second in more)]
    place = {one: number for number, one in enumerate(ids)}
    ordered = [(min(pair, key=place.__getitem__), max(pair, key=place.__getitem__)) for pair in pairs]
    if any(first == second for first, second in ordered):
        raise Refusal("RNG-1", "A zone does not adjoin itself; link two of them.")
    return tuple(sorted(dict.fromkeys(ordered), key=lambda pair: (place[pair[0]], place[pair[1]])))


def _found(zones: tuple[Zone, ...], named: str) -> str:
    wanted = named.strip().casefold()
    for one in zones:
        if wanted in (one.zone_id.casefold(), one.name.casefold()):
            return one.zone_id
    names = listed([one.name for one in zones])
    raise Refusal("RNG-1", "No zone is called {named}; link two of these: {names}.", named=named.strip(), names=names)


def _free_name(table: Table, zone: Zone, name: str) -> str:
    cleaned = require_text(name, say("the zone's name"))
    others = require_map(table).zones
    if any(one.zone_id != zone.zone_id and one.name.casefold() == cleaned.casefold() for one in others):
        raise Refusal("RNG-1", "Two zones have the same name; give each its own.")
    return cleaned
