"""Folding the events of Extended Tasks into the table; as in `rules.evolving`, none can fail or asks a rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rules import events_extended as ee
from rules.state import Table


def _began(table: Table, event: ee.ExtendedTaskBegan) -> Table:
    return replace(table, extended=(*table.extended, event.track), next_number=event.next_number)


def _work_marked(table: Table, event: ee.WorkMarked) -> Table:
    tracks = tuple(event.track if one.track_id == event.track.track_id else one for one in table.extended)
    return replace(table, extended=tracks)


def _gone(table: Table, event: ee.ExtendedTaskFinished | ee.ExtendedTaskEnded) -> Table:
    return replace(table, extended=tuple(one for one in table.extended if one.track_id != event.track.track_id))


EXTENDED_FOLDS: Final[dict[type, Callable[[Table, Any], Table]]] = {
    ee.ExtendedTaskBegan: _began,
    ee.WorkMarked: _work_marked,
    ee.ExtendedTaskFinished: _gone,
    ee.ExtendedTaskEnded: _gone,
}
"""How each event of an Extended Task changes the table."""
