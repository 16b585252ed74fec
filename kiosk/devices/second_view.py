"""A tray's camera as the second view of the throws that the table's camera reads: two witnesses, one throw.

In: readings of both. Out: one reading for each throw. What both read alike is surer, what only one could read counts
where the other does not deny it, and what differs is asked about. The first to come waits for the other, for a moment.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from rules.dice import (
    FACES,
    DieKind,
    DieReading,
    DieState,
    Face,
    Guess,
    Reading,
    SourceKind,
    as_challenge_face,
)
from rules.words import Phrase, say

log = logging.getLogger(__name__)

SAME_THROW: Final = 1.5
"""Seconds between the times at which both saw the dice at rest: nobody throws twice as quickly."""

PATIENCE: Final = 1.2
"""Seconds that the first waits for the other: what a tray's picture takes over USB and to be read, twice over."""

MOST_NOTED: Final = 8
"""Most tray pictures being read, and most past throws that a late view is compared with."""

DIFFER: Final = say(
    "A tray's camera and the table's camera saw different dice, the second one too late to be asked about."
)
"""What is said where the other view comes once the throw has counted."""

LOOK: Final = say("Compare what counted with what lies there. Undo it, and enter the dice, where it is wrong.")
"""What to do then."""

ALIKE: Final = say("A tray's camera and the table's camera see the same dice.")
"""What is said once both agree again."""


@dataclass(frozen=True, slots=True)
class _View:
    """A reading, and when its dice were seen at rest."""

    reading: Reading
    at: float


class SecondView:
    """Stands between the sources and `report`. Every method may be called from any thread.

    `sees` says whether a source of that kind is ready to see the same throw; `tell` is given what went wrong and what
    to do. `clock` is seconds that never run back, as the tray's own times are. The first view waits for `patience`
    seconds, and both may have seen the dice at rest `same_throw` seconds apart.
    """

    def __init__(
        self,
        report: Callable[[Reading], None],
        *,
        sees: Callable[[SourceKind], bool],
        tell: Callable[[Phrase, Phrase | None], None],
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
        same_throw: float = SAME_THROW,
    ) -> None:
        self._report = report
        self._sees = sees
        self._tell = tell
        self._clock = clock
        self._patience = patience
        self._same_throw = same_throw
        self._lock = threading.Lock()
        self._noted: dict[str, float] = {}
        self._waiting: _View | None = None
        self._timer: threading.Timer | None = None
        self._alone: deque[_View] = deque(maxlen=MOST_NOTED)
        """The newest throws that counted by one view: over a slow wire another throw comes before the view of this."""
        self._differed = False

    def noted(self, reading_id: str, at: float) -> None:
        """Note that the reading of that name is from a tray's camera, with its dice at rest at `at`."""
        with self._lock:
            self._noted[reading_id] = at
            while len(self._noted) > MOST_NOTED:
                del self._noted[next(iter(self._noted))]

    def report(self, reading: Reading) -> None:
        """Accept a reading of any source."""
        with self._lock:
            at = self._clock() if reading.source is SourceKind.CAMERA else self._noted.pop(reading.reading_id, None)
            if at is not None and reading.dice:
                told = self._taken(_View(reading, at))
            else:
                told = [*(self._no_more_waiting() if not reading.dice else ()), reading]
            for one in told:  # in the order in which they came, whatever thread brings them
                self._report(one)

    def stop(self) -> None:
        """Report what waits."""
        with self._lock:
            for one in self._no_more_waiting():
                self._report(one)

    def _of_one_throw(self, one: _View, other: _View) -> bool:
        return one.reading.source is not other.reading.source and abs(one.at - other.at) <= self._same_throw

    def _taken(self, seen: _View) -> list[Reading]:
        other = self._waiting
        if other is not None and self._of_one_throw(other, seen):
            self._stop_waiting()
            both = joined(*sorted((other.reading, seen.reading), key=lambda one: one.source is not SourceKind.CAMERA))
            if self._differed and all(die.state is DieState.READ for die in both.dice):
                self._differed = False
                self._tell(ALIKE, None)
            return [both]
        told = self._no_more_waiting()
        counted = next((one for one in self._alone if self._of_one_throw(one, seen)), None)
        if counted is not None:
            self._compare_late(counted.reading, seen.reading)
            return told
        if not self._sees(_OTHER[seen.reading.source]):
            self._alone.append(seen)
            return [*told, seen.reading]
        self._waiting = seen
        self._timer = threading.Timer(self._patience, self._end_wait, (seen,))
        self._timer.daemon = True
        self._timer.start()
        return told

    def _end_wait(self, seen: _View) -> None:
        """Let `seen` count by itself, if it still waits, because the other view has not come."""
        with self._lock:
            if self._waiting is seen:
                for one in self._no_more_waiting():
                    self._report(one)

    def _no_more_waiting(self) -> list[Reading]:
        """The waiting reading, which now counts by itself; empty if there is none."""
        waiting = self._waiting
        self._stop_waiting()
        if waiting is None:
            return []
        self._alone.append(waiting)
        return [waiting.reading]

    def _stop_waiting(self) -> None:
        self._waiting = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _compare_late(self, counted: Reading, late: Reading) -> None:
        """Compare a late view with a throw that has counted already; the late view never counts."""
        if all(die.state is DieState.READ for die in joined(counted, late).dice):
            return
        log.warning("%s %s", DIFFER, LOOK)
        self._differed = True
        self._tell(DIFFER, LOOK)


_OTHER: Final = {SourceKind.CAMERA: SourceKind.TRAY, SourceKind.TRAY: SourceKind.CAMERA}
"""Who else sees what each of them sees."""


def joined(first: Reading, second: Reading) -> Reading:
    """One reading of what two views saw of one throw. It goes by the name of `first`, with its boxes and pictures.

    Where the views lie to each other is not known, so that dice are matched by what they show.
    """
    lying = [die for die in first.dice if die.state is not DieState.IN_HAND]
    others = [die for die in second.dice if die.state is not DieState.IN_HAND]
    pairs = sorted(
        ((_fit(one, other), -here, -there) for here, one in enumerate(lying) for there, other in enumerate(others)),
        reverse=True,
    )
    twins: dict[int, int] = {}
    for fit, here, there in pairs:
        if fit > 0 and -here not in twins and -there not in twins.values():
            twins[-here] = -there
    dice = [
        _of_both(die, others[twins[place]]) if place in twins else _asked(die, die) for place, die in enumerate(lying)
    ]
    dice += [_asked(other, other) for place, other in enumerate(others) if place not in twins.values()]
    dice += [die for die in first.dice if die.state is DieState.IN_HAND]
    return replace(
        first,
        dice=tuple(dice),
        lay_before=first.lay_before and second.lay_before,
        found=first.found and second.found,
    )


_NO_WORD: Final = 1e-3
"""The fit of two dice if one has no guess at all; below that of any real guess."""


def _fit(one: DieReading, other: DieReading) -> float:
    """How likely both are the same die, from 0 (never) to 1; near 0 for different faces."""
    if (one.kind is DieKind.D20) is not (other.kind is DieKind.D20):
        return 0.0
    mine, theirs = _chances(one), _chances(other)
    if not mine or not theirs:
        return _NO_WORD
    return max(sum(chance * theirs.get(face, 0.0) for face, chance in mine.items()), _NO_WORD / 10)


def _chances(die: DieReading) -> dict[Face, float]:
    """The chance of each face; a plain d6 counts as the Challenge Die that it replaces."""
    if die.state is DieState.READ and die.face is not None:
        return {_shown(die.kind, die.face): 1.0}
    chances: dict[Face, float] = {}
    for guess in die.guesses:
        face = _shown(die.kind, guess.face)
        chances[face] = chances.get(face, 0.0) + guess.chance
    return chances


def _shown(kind: DieKind, face: Face) -> Face:
    return face if kind is DieKind.D20 else as_challenge_face(kind, face)


def _of_both(one: DieReading, other: DieReading) -> DieReading:
    """The die from both views, with the box and the picture of `one`."""
    if DieState.COCKED in {one.state, other.state}:
        return one if one.state is DieState.COCKED else replace(_asked(one, other), state=DieState.COCKED)
    read = [die for die in (one, other) if die.state is DieState.READ and die.face is not None]
    faces = {_shown(die.kind, die.face) for die in read if die.face is not None}
    denied = any(chances and not faces & chances.keys() for chances in (_chances(one), _chances(other)))
    if len(faces) != 1 or denied:
        return _asked(one, other)
    surest = 1.0
    for die in read:
        surest *= 1.0 - die.confidence
    said = read[0]
    return replace(
        one,
        kind=said.kind,
        kinds=said.kinds,
        face=said.face,
        confidence=1.0 - surest,
        state=DieState.READ,
        guesses=(),
        doubt=None,
    )


def _asked(one: DieReading, other: DieReading) -> DieReading:
    """`one` as a doubtful die, with the guesses of both views."""
    if one is other and one.state is not DieState.READ:
        return one
    chances: dict[Face, float] = {}
    for die in (one,) if one is other else (one, other):
        said = (Guess(die.face, 1.0),) if die.state is DieState.READ and die.face is not None else die.guesses
        for guess in said:
            chances[guess.face] = chances.get(guess.face, 0.0) + guess.chance
    chances = {face: chance for face, chance in chances.items() if face in FACES[one.kind]}
    whole = sum(chances.values())
    guesses = sorted((Guess(face, chance / whole) for face, chance in chances.items()), key=lambda guess: -guess.chance)
    return replace(one, face=None, confidence=0.0, state=DieState.DOUBTFUL, guesses=tuple(guesses), kinds=())
