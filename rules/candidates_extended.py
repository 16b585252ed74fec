"""What could be chosen about Extended Tasks now; `rules.options` tries each (EXT-T1)."""

from __future__ import annotations

from collections.abc import Iterator

from rules import commands_extended as ce
from rules.candidate import Candidate, Role
from rules.phrases import say
from rules.state import Table


def extended_tasks(table: Table) -> Iterator[Candidate]:
    """Giving up each Extended Task that runs; working on one needs words, and is declared."""
    for track in table.extended:
        yield Candidate(
            option_id=f"end_extended_task:{track.track_id}",
            label=say("Give up the Extended Task {track}", track=track.label),
            command=ce.EndExtendedTask(track_id=track.track_id),
            rule="EXT-T1",
            role=Role.GAMEMASTER,
            free=True,
        )
