"""Where everybody is, for every screen: a list that reads well aloud, and a plain picture of the zones.

The picture says nothing beyond the list, which a screen reader reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from typing import Final

from rules.game import (
    Table,
    Zone,
    ZoneMap,
    combatant_name,
    feature_words,
    neighbour_words,
    place_of,
    ranges_told,
    there,
    unplaced,
    zone_words,
)
from rules.words import Phrase, capitalized, joined_by, listed, say, spoken

WIDE, LINE, GAP, EDGE = 200, 24, 26, 3
"""The width of a zone, the height of a line, the gap between zones and the margin, in units of the picture."""

EM: Final = 26
"""The em of the words beside the picture, in its units; its own letters, of 20, are a little smaller."""

MOST_LETTERS: Final = 17
"""Most letters of a name in a zone; the list has the whole name."""

MOST_NAMES: Final = 4
"""Most names in a zone of the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneView:
    """One zone: its `words` for the list, what it is `like`, what it is `beside`, and where it is drawn.

    `title` and `lines` are written into it. `like` and `beside` are sentences, empty where there is nothing to say.
    """

    zone_id: str
    name: str
    words: str
    like: str
    beside: str
    x: int
    y: int
    title: str
    lines: tuple[str, ...]
    acting: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkView:
    """A line of the picture between two zones that adjoin."""

    x1: int
    y1: int
    x2: int
    y2: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereView:
    """The map. `from_turn` says how far the others are from whose Turn it is, `missing` who is not on it.

    `ems` is how wide the picture is, so that its letters keep the size of the words beside it.
    """

    zones: tuple[ZoneView, ...]
    links: tuple[LinkView, ...]
    width: int
    height: int
    ems: str
    zone_width: int
    zone_height: int
    from_turn: str
    missing: str


def where_view(table: Table) -> WhereView | None:
    """The map as it is shown now, None where the table keeps none."""
    zone_map = table.zone_map
    if zone_map is None:
        return None
    turn = table.conflict.turn if table.conflict is not None else None
    actor = place_of(table, turn.combatant_id) if turn is not None else ""
    spots = _spots(zone_map)
    missing = [spoken(combatant_name(table, one)) for one in unplaced(table)]
    rows = max(row for _, row in spots.values()) + 1
    columns = max(column for column, _ in spots.values()) + 1
    crowd = max(len(there(table, one.zone_id)) for one in zone_map.zones)
    high = LINE * (1 + min(max(crowd, 1), MOST_NAMES)) + LINE // 2
    corners = {
        zone_id: (EDGE + column * (WIDE + GAP), EDGE + row * (high + GAP)) for zone_id, (column, row) in spots.items()
    }
    width = 2 * EDGE + columns * (WIDE + GAP) - GAP
    return WhereView(
        zones=tuple(_zone(table, zone_map, zone, corners[zone.zone_id], actor) for zone in zone_map.zones),
        links=tuple(_link(corners[first], corners[second], high) for first, second in zone_map.links),
        width=width,
        height=2 * EDGE + rows * (high + GAP) - GAP,
        ems=f"{width / EM:.1f}em",
        zone_width=WIDE,
        zone_height=high,
        from_turn=ranges_told(table, actor) if actor else "",
        missing=say("Not on the map: {names}.", names=listed(missing)) if missing else "",
    )


def _zone(table: Table, zone_map: ZoneMap, zone: Zone, corner: tuple[int, int], actor: str) -> ZoneView:
    ids = there(table, zone.zone_id)
    names = [combatant_name(table, one) for one in ids]
    x, y = corner
    like = joined_by(", ", feature_words(table, zone))
    beside = neighbour_words(zone_map, zone)
    shown = names if len(names) <= MOST_NAMES else names[: MOST_NAMES - 1]
    more = [f"+ {len(names) - len(shown)}"] if len(shown) < len(names) else []
    return ZoneView(
        zone_id=zone.zone_id,
        name=zone.name,
        words=zone_words(table, zone),
        like=_sentence(like),
        beside=_sentence(beside),
        x=x,
        y=y,
        title=_short(zone.name),
        lines=(*map(_short, shown), *more),
        acting=bool(actor) and actor in ids,
    )


def _sentence(words: Phrase) -> Phrase:
    return say("{words}.", words=capitalized(words)) if words else words


def _spots(zone_map: ZoneMap) -> dict[str, tuple[int, int]]:
    """Column and row of each zone, in a nearly square grid.

    Each row begins at the end of the one before, so that zones in a line stay beside each other.
    """
    columns = ceil(sqrt(len(zone_map.zones)))
    spots = {}
    for place, zone in enumerate(zone_map.zones):
        row, column = divmod(place, columns)
        spots[zone.zone_id] = (column if row % 2 == 0 else columns - 1 - column, row)
    return spots


def _link(first: tuple[int, int], second: tuple[int, int], high: int) -> LinkView:
    """A line from the middle of one zone to that of another, by their corners."""
    (x1, y1), (x2, y2) = first, second
    return LinkView(x1=x1 + WIDE // 2, y1=y1 + high // 2, x2=x2 + WIDE // 2, y2=y2 + high // 2)


def _short(name: str) -> str:
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"
