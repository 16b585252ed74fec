"""How Extended Tasks are told: begun, moved on, finished, given up."""

from __future__ import annotations

from typing import Final

from rules import events_extended as ee
from rules.narrating.telling import Narration, NarrationKind, Sentences, longer, same, sentence
from rules.state import Table
from rules.state_extended import ExtendedTrack
from rules.wording import counted, faces_words, spoken


def track_words(track: ExtendedTrack) -> str:
    """How far an Extended Task has come: "6 of 8 Work, 1 of 3 Breakthroughs"."""
    if track.progress:
        return f"{track.marked} of {track.work} Progress"
    made = min(track.breakthroughs, track.magnitude)
    return f"{track.marked} of {track.work} Work, {made} of {track.magnitude} Breakthroughs"


def _began(event: ee.ExtendedTaskBegan, _: Table, __: Table) -> Narration:
    track = event.track
    if track.progress:
        terms = f"Progress {track.work}, Resistance {track.resistance}, Difficulty {track.base_difficulty}."
    else:
        terms = (
            f"Work {track.work}, Magnitude {track.magnitude}, Resistance {track.resistance}, "
            f"Difficulty {track.base_difficulty}."
        )
    return longer(f"Extended Task: {spoken(track.label)}.", terms, "", NarrationKind.DECLARED)


def _marked(event: ee.WorkMarked, _: Table, __: Table) -> Narration:
    kind = "Progress" if event.track.progress else "Work"
    made = f"{event.amount} {kind}" if event.amount else f"No {kind} done"
    if event.breakthroughs:
        made = f"{made} and {counted(event.breakthroughs, 'Breakthrough')}"
    thrown = f"{spoken(event.who)} threw {faces_words(event.faces)}." if event.faces else ""
    return longer(
        f"{made}.",
        f"{spoken(event.track.label)} has {track_words(event.track)}.",
        thrown,
        NarrationKind.OUTCOME,
    )


def _finished(event: ee.ExtendedTaskFinished, _: Table, __: Table) -> Narration:
    return same(f"{sentence(spoken(event.track.label))[:-1]} is finished.", NarrationKind.OUTCOME)


def _ended(event: ee.ExtendedTaskEnded, _: Table, __: Table) -> Narration:
    return longer(
        f"{sentence(spoken(event.track.label))[:-1]} ends unfinished.",
        sentence(spoken(event.why)),
        "",
        NarrationKind.CHANGE,
    )


SENTENCES: Final[Sentences] = {
    ee.ExtendedTaskBegan: _began,
    ee.WorkMarked: _marked,
    ee.ExtendedTaskFinished: _finished,
    ee.ExtendedTaskEnded: _ended,
}
"""The events of Extended Tasks, each told in its order."""
