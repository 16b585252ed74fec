"""How Extended Tasks are told: begun, moved on, finished, given up."""

from __future__ import annotations

from typing import Final

from rules import events_extended as ee
from rules.narrating.telling import Narration, NarrationKind, Sentences, ended, longer, reason, same
from rules.phrases import Phrase, capitalized, known, listed, say
from rules.state import Table
from rules.state_extended import ExtendedTrack
from rules.wording import counted, faces_words, spoken


def track_words(track: ExtendedTrack) -> Phrase:
    """How far an Extended Task has come: "6 of 8 Work, 1 of 3 Breakthroughs"."""
    if track.progress:
        return say("{marked} of {work} Progress", marked=track.marked, work=track.work)
    made = min(track.breakthroughs, track.magnitude)
    return say(
        "{marked} of {work} Work, {made} of {magnitude} Breakthroughs",
        marked=track.marked,
        work=track.work,
        made=made,
        magnitude=track.magnitude,
    )


def _began(event: ee.ExtendedTaskBegan, _: Table, __: Table) -> Narration:
    track = event.track
    if track.progress:
        terms = say(
            "Progress {work}, Resistance {resistance}, Difficulty {base_difficulty}.",
            work=track.work,
            resistance=track.resistance,
            base_difficulty=track.base_difficulty,
        )
    else:
        terms = say(
            "Work {work}, Magnitude {magnitude}, Resistance {resistance}, Difficulty {base_difficulty}.",
            work=track.work,
            magnitude=track.magnitude,
            resistance=track.resistance,
            base_difficulty=track.base_difficulty,
        )
    return longer(say("Extended Task: {track}.", track=spoken(known(track.label))), terms, "", NarrationKind.DECLARED)


def _marked(event: ee.WorkMarked, _: Table, __: Table) -> Narration:
    if event.track.progress:
        made = say("{points} Progress", points=event.amount) if event.amount else say("No Progress done")
    else:
        made = say("{points} Work", points=event.amount) if event.amount else say("No Work done")
    if event.breakthroughs:
        made = listed([made, counted(event.breakthroughs, "Breakthrough")])
    thrown = say("{who} threw {faces}.", who=spoken(event.who), faces=faces_words(event.faces)) if event.faces else ""
    return longer(
        ended(made),
        say("{track} has {progress}.", track=spoken(known(event.track.label)), progress=track_words(event.track)),
        thrown,
        NarrationKind.OUTCOME,
    )


def _finished(event: ee.ExtendedTaskFinished, _: Table, __: Table) -> Narration:
    return same(say("{track} is finished.", track=capitalized(spoken(known(event.track.label)))), NarrationKind.OUTCOME)


def _ended(event: ee.ExtendedTaskEnded, _: Table, __: Table) -> Narration:
    return longer(
        say("{track} ends unfinished.", track=capitalized(spoken(known(event.track.label)))),
        reason(event.why),
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
