"""Reading the map: how far two are from each other, the way there, who is Close, and where everybody is, in words.

RNG-1, SHIP-9: distance is the least number of zones from one to the other. Without a map, and between those of whom one
is not on it, nothing is known, and people say the distance themselves; so they may where no way leads to the other.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import Final

from rules.conflict.numbers import RANGES, range_of
from rules.conflict.order import combatant_name
from rules.deciding.checks import profile
from rules.deciding.decision import ActionRow
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.glossary import RANGE_WORDS
from rules.state.places import Zone, ZoneMap
from rules.state.table import Table
from rules.state.tasks import Modifier
from rules.state.vocabulary import ActionScope, Circumstance, InjuryState, Range, Terrain
from rules.words import NOTHING, Phrase, capitalized, counted, joined_by, listed, say, sentences, spoken, worded


def way(zone_map: ZoneMap, start: str, end: str, cost: Callable[[Zone], int] = lambda _: 0) -> tuple[Zone, ...] | None:
    """The zones of the shortest way, both ends too; of several as short the one that is cheapest to leave zone by zone.

    None where no way leads there.
    """
    zones = {one.zone_id: one for one in zone_map.zones}
    if start not in zones or end not in zones:
        return None
    waiting: list[tuple[int, int, tuple[str, ...]]] = [(0, 0, (start,))]
    done: set[str] = set()
    while waiting:
        steps, paid, gone = heapq.heappop(waiting)
        here = gone[-1]
        if here == end:
            return tuple(zones[one] for one in gone)
        if here in done:
            continue
        done.add(here)
        for other in zone_map.neighbours(here):
            if other in zones and other not in done:
                heapq.heappush(waiting, (steps + 1, paid + cost(zones[here]), (*gone, other)))
    return None


def distance(zone_map: ZoneMap, start: str, end: str) -> int | None:
    """How many zones away one zone is from another (RNG-1); None where no way leads there."""
    adjoining: dict[str, set[str]] = {one.zone_id: set() for one in zone_map.zones}
    for first, second in zone_map.links:
        if first in adjoining and second in adjoining:
            adjoining[first].add(second)
            adjoining[second].add(first)
    seen = here = {start} & adjoining.keys()
    for far in range(len(adjoining)):
        if end in here:
            return far
        here = {other for one in here for other in adjoining[one]} - seen
        seen = seen | here
    return None


def zones_between(table: Table, first_id: str, second_id: str) -> int | None:
    """How many zones two are apart; None where the map does not say."""
    zone_map = table.zone_map
    first = zone_map.zone_of(first_id) if zone_map is not None else None
    second = zone_map.zone_of(second_id) if zone_map is not None else None
    if zone_map is None or first is None or second is None:
        return None
    return distance(zone_map, first.zone_id, second.zone_id)


def range_between(table: Table, first_id: str, second_id: str) -> Range | None:
    """The range between two (RNG-1); None where the map does not say."""
    zones = zones_between(table, first_id, second_id)
    return None if zones is None else range_of(zones)


def parted(table: Table, first_id: str, second_id: str) -> bool:
    """Whether the map says that two are in different zones, and so in nobody's Reach of the other (RNG-1)."""
    zone_map = table.zone_map
    first = zone_map.zone_of(first_id) if zone_map is not None else None
    second = zone_map.zone_of(second_id) if zone_map is not None else None
    return first is not None and second is not None and first.zone_id != second.zone_id


def zone_of(table: Table, who_id: str) -> Zone | None:
    """The zone that somebody is in; None without a map, and for who is not on it."""
    return table.zone_map.zone_of(who_id) if table.zone_map is not None else None


def require_map(table: Table) -> ZoneMap:
    """The map of this scene. Refuses where none is drawn."""
    if table.zone_map is None:
        raise Refusal("RNG-1", "No map is drawn; name the zones first, or leave the zone out.")
    return table.zone_map


def require_zone(table: Table, zone_id: str) -> Zone:
    """The zone with that id. Refuses one that the map does not have."""
    zone_map = require_map(table)
    zone = zone_map.zone(zone_id)
    if zone is None:
        names = listed([one.name for one in zone_map.zones])
        raise Refusal("RNG-1", "The map has no such zone; choose one of these: {names}.", names=names)
    return zone


def require_place(table: Table, who_id: str) -> Zone:
    """The zone that somebody is in. Refuses for who is not on the map."""
    require_map(table)
    zone = zone_of(table, who_id)
    if zone is None:
        name = combatant_name(table, who_id)
        raise Refusal("RNG-1", "{name} is not on the map; say first in which zone they are.", name=name)
    return zone


def at_known_range(action: Action, known: Range | None, name: str, *, no_way: bool = False) -> Action:
    """The action with the range that the map knows to what is called `name`. Refuses one that says another (RNG-1).

    Where `no_way` leads there it is Extreme, unless the action says how far it is.
    """
    if known is None:
        return replace(action, at_range=Range.EXTREME) if no_way and action.at_range is None else action
    if action.at_range not in (None, known):
        raise Refusal(
            "RNG-1",
            "On the map {name} is at {known}, not at {given}; leave the range out, or put right who is where.",
            name=name,
            known=RANGE_WORDS[known],
            given=RANGE_WORDS[action.at_range],
        )
    return replace(action, at_range=known)


def over_known_zones(action: Action, known: int) -> Action:
    """The action with as many zones as the map counts. Refuses one that says another number (RNG-1)."""
    if action.zones not in (0, known):
        raise Refusal(
            "RNG-1",
            "On the map that is {known} away, not {given}; leave the number out.",
            known=counted(known, "zone"),
            given=counted(action.zones, "zone"),
        )
    return replace(action, zones=known)


def within(
    table: Table, who_id: str, most: int, cost: Callable[[Zone], int] = lambda _: 0
) -> Iterator[tuple[Zone, ...]]:
    """The way to each other zone that somebody can come to by going `most` zones at most, in the map's order."""
    here = zone_of(table, who_id)
    if table.zone_map is None or here is None:
        return
    for one in table.zone_map.zones:
        found = way(table.zone_map, here.zone_id, one.zone_id, cost)
        if found is not None and 1 <= len(found) - 1 <= most:
            yield found


def hardest(path: tuple[Zone, ...]) -> int:
    """The added Difficulty of moving somebody: that of the hardest zone left on the way (ACT-6, SHIP-9)."""
    return max((one.difficulty for one in path[:-1]), default=0)


def concealed(table: Table, who_id: str) -> tuple[Modifier, ...]:
    """The added Difficulty of the target's zone for attacks and scans (S2E-9); Night Vision ignores its darkness."""
    return concealing(zone_of(table, who_id))


def concealing(zone: Zone | None) -> tuple[Modifier, ...]:
    """The added Difficulty of a zone for attacks and scans on anything in it."""
    if zone is None or not zone.concealment:
        return ()
    dark = Circumstance.DARKNESS if zone.dark else None
    reason = say("concealed: {zone}", zone=spoken(zone.name))
    return (Modifier(reason=reason, change=zone.concealment, circumstance=dark),)


def situated(table: Table, actor_id: str, row: ActionRow, action: Action) -> Action:
    """RNG-1: an action on foot with the range to its target and the number of zones to its destination."""
    if row.scope is not ActionScope.PERSONAL or (table.zone_map is None and not action.zone_id):
        return action
    if row.to_zone or action.zone_id:
        action = _bound_for(table, actor_id, action)
    if not action.target_id:
        return action
    known, name = range_between(table, actor_id, action.target_id), combatant_name(table, action.target_id)
    return at_known_range(action, known, name, no_way=parted(table, actor_id, action.target_id))


def _bound_for(table: Table, actor_id: str, action: Action) -> Action:
    """The action with its zone, a target's where none is named, and with how far it is."""
    target = zone_of(table, action.target_id) if action.target_id else None
    zone_id = action.zone_id or (target.zone_id if target is not None else "")
    if not zone_id or (not action.zone_id and zone_of(table, actor_id) is None):
        return action
    if target is not None and target.zone_id != zone_id:
        name = combatant_name(table, action.target_id)
        raise Refusal("RNG-1", "{name} is in {zone}; go there, or leave them out.", name=name, zone=target.name)
    here, zone = require_place(table, actor_id), require_zone(table, zone_id)
    return over_known_zones(replace(action, zone_id=zone_id), require_way(table, here, zone))


def require_way(table: Table, here: Zone, zone: Zone) -> int:
    """How many zones away a zone is. Refuses one to which no way leads."""
    far = distance(require_map(table), here.zone_id, zone.zone_id)
    if far is None:
        raise Refusal("RNG-1", "No way leads from {here} to {zone}; link them first.", here=here.name, zone=zone.name)
    return far


def path_to(
    table: Table, who_id: str, zone_id: str, cost: Callable[[Zone], int] = lambda zone: zone.difficulty
) -> tuple[Zone, ...]:
    """The way from somebody's zone to another; nowhere without a map or a zone."""
    here = zone_of(table, who_id)
    if table.zone_map is None or here is None or not zone_id:
        return ()
    return way(table.zone_map, here.zone_id, zone_id, cost) or ()


def require_named(table: Table, who_id: str, zone_id: str) -> None:
    """Refuse to move somebody who is on the map without saying where to."""
    here = zone_of(table, who_id)
    if here is None or zone_id:
        return
    zone_map = require_map(table)
    near = [one.name for one in map(zone_map.zone, zone_map.neighbours(here.zone_id)) if one is not None]
    name = combatant_name(table, who_id)
    raise Refusal(
        "RNG-1", "Say to which zone {name} moves; next to {here} lie: {names}.", name=name, here=here.name,
        names=listed(near),
    )  # fmt: skip


# --- in words -----------------------------------------------------------------------------------------------


def there(table: Table, zone_id: str) -> tuple[str, ...]:
    """Who of this table is in a zone: no one who left it, and none that is dead or destroyed."""
    if table.zone_map is None:
        return ()
    alive = {one.character_id for one in table.characters if one.body.injury is not InjuryState.DEAD}
    alive |= {one.ship_id for one in table.ships if not one.state.destroyed}
    return tuple(one for one in table.zone_map.inside(zone_id) if one in alive)


def bands_from(table: Table, who_id: str) -> dict[Range, tuple[str, ...]]:
    """Who is at which range from somebody, as ids; ranges at which nobody is are left out."""
    if table.zone_map is None:
        return {}
    others = [who for one in table.zone_map.zones for who in there(table, one.zone_id) if who != who_id]
    known = {one: range_between(table, who_id, one) for one in others}
    bands = {band: tuple(one for one in others if known[one] is band) for band in RANGES}
    return {band: ids for band, ids in bands.items() if ids}


def ranges_words(table: Table, who_id: str) -> Phrase:
    """How far the others are from somebody: "Close range: Brack. Long range: Dorr and the raider."."""
    return sentences(
        *(
            say("{range}: {names}.", range=capitalized(RANGE_WORDS[band]), names=_names(table, ids))
            for band, ids in bands_from(table, who_id).items()
        )
    )


def close_words(table: Table, who_id: str) -> Phrase:
    """Who is in the same zone with somebody."""
    near = bands_from(table, who_id).get(Range.CLOSE, ())
    if not near:
        return say("Nobody else is Close.")
    return say("Close to {names}.", names=_names(table, near))


def zone_words(table: Table, zone: Zone) -> Phrase:
    """Who is in a zone: "Bridge: Okafor and Brack."."""
    inside = there(table, zone.zone_id)
    name = spoken(zone.name)
    if not inside:
        return say("{zone}: nobody.", zone=name)
    return say("{zone}: {names}.", zone=name, names=_names(table, inside))


def where_words(table: Table) -> Phrase:
    """Where everybody is, zone by zone; those whom nobody put anywhere last. Zones where nobody is are left out."""
    if table.zone_map is None:
        return NOTHING
    zones = [zone_words(table, one) for one in table.zone_map.zones if there(table, one.zone_id)]
    missing = unplaced(table)
    off = say("Not on the map: {names}.", names=_names(table, missing)) if missing else ""
    return sentences(*(zones or [say("Nobody is on the map yet.")]), off)


def ranges_told(table: Table, who_id: str) -> Phrase:
    """How far the others are from somebody, with their name; empty where the map does not say."""
    ranges = ranges_words(table, who_id)
    if not ranges:
        return NOTHING
    return sentences(say("From {name}:", name=spoken(combatant_name(table, who_id))), ranges)


def place_of(table: Table, combatant_id: str) -> str:
    """The id whose place on the map counts for somebody: their own, or that of the ship they serve on."""
    if zone_of(table, combatant_id) is not None or table.conflict is None:
        return combatant_id
    seat = table.conflict.combatant(combatant_id)
    return seat.ship_id if seat is not None and seat.ship_id else combatant_id


def zone_features_words(table: Table, zone_map: ZoneMap, zone: Zone) -> Phrase:
    """What a zone is like and what adjoins it: "Bridge: cover 2 Challenge Dice, next to Corridor."."""
    said = [one for one in (*feature_words(table, zone), neighbour_words(zone_map, zone)) if one]
    return say("{zone}: {features}.", zone=spoken(zone.name), features=joined_by(", ", said)) if said else NOTHING


def feature_words(table: Table, zone: Zone) -> tuple[Phrase, ...]:
    """The features of a zone that count in the rules, in words.

    Ships of the second edition pay to leave terrain, and nothing makes that a harder Task for them (S2E-5).
    """
    terrain = zone.terrain is not Terrain.OPEN_SPACE
    harder = not (profile(table).terrain_is_paid and _of_ships(table))
    features = (
        (terrain or zone.hazardous, _terrain_words(zone)),
        (harder and bool(zone.difficulty), say("leaving is {number} harder", number=zone.difficulty)),
        (zone.dark and not zone.concealment, say("dark")),
        (
            bool(zone.concealment),
            say("dark, attacks and scans are {number} harder", number=zone.concealment)
            if zone.dark
            else say("attacks and scans are {number} harder", number=zone.concealment),
        ),
        (bool(zone.cover), say("cover {dice}", dice=counted(zone.cover, "Challenge Die"))),
        (bool(zone.hazard), say("hazard {dice}", dice=counted(zone.hazard, "Challenge Die"))),
    )
    return tuple(words for holds, words in features if holds)


def _of_ships(table: Table) -> bool:
    """Whether the map holds ships, and nobody on foot."""
    ships = {one.ship_id for one in table.ships}
    there = {one.who_id for one in table.zone_map.places} if table.zone_map is not None else set()
    return bool(there) and there <= ships


def _terrain_words(zone: Zone) -> Phrase:
    place = worded(zone.terrain)
    return say("{place}, hazardous", place=place) if zone.hazardous else place


def neighbour_words(zone_map: ZoneMap, zone: Zone) -> Phrase:
    """The neighbours of a zone: "next to Corridor and Turbolift"; empty if there are none."""
    near = [one for one in map(zone_map.zone, zone_map.neighbours(zone.zone_id)) if one is not None]
    if not near:
        return NOTHING
    return say("next to {names}", names=listed([spoken(one.name) for one in near]))


def unplaced(table: Table) -> tuple[str, ...]:
    """Who takes part in the conflict and is not on the map, people aboard a ship by their ship."""
    if table.zone_map is None or table.conflict is None:
        return ()
    ids = dict.fromkeys(one.ship_id or one.combatant_id for one in table.conflict.combatants)
    return tuple(one for one in ids if table.zone_map.zone_of(one) is None)


def _names(table: Table, ids: tuple[str, ...]) -> Phrase:
    return listed([spoken(combatant_name(table, one)) for one in ids])


FARTHEST_WALK: Final = 1
"""Zones that the Minor Action Movement covers at most: anywhere within Medium range (ACT-3)."""
