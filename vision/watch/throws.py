"""Turns frames into throws: motion, rest, and new dice.

No threads, no clock and no camera: frames go in, `ThrowEvent`s come out, for the kiosk and the terminal alike.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from rules.dice import Box, DieKind, DieReading, DieState, Face
from rules.words import Phrase
from vision.errors import NO_WORDS, Blindness, ReaderError, ReaderFailedError
from vision.frames.settling import SettleDetector, SettleSettings, Settling
from vision.ports import Frame, Reader, Silhouette, Survey, UncountedDie, as_it_is_now, remembered, surveyed
from vision.read.readings import same_kind, same_place, zoomed
from vision.watch.hands import Hues, hand_came, hues_of
from vision.watch.sight import Outlooks, Sight
from vision.watch.thresholds import (
    BLIND_AGAIN,
    CALM_AFTER,
    HAND_AGAIN,
    LONGEST_HAND,
    LOOK_AGAIN,
    VOTE_WITNESSES,
)

_log = logging.getLogger(__name__)

UNFINISHED: Final = frozenset({DieState.MOVING, DieState.IN_HAND})
"""A picture with a die in one of these states is not reported; it is read again until they are gone."""


class EventKind(StrEnum):
    """The kinds of events, named as in `trueroll watch`."""

    MOTION = "motion"
    SETTLED = "settled"
    READING = "reading"
    CLEARED = "cleared"
    LOST = "lost"
    FOUND = "found"


@dataclass(frozen=True, slots=True, eq=False)
class ThrowEvent:
    """An event at `frame`; `dice` belong to a reading, their boxes in pixels of `frame.image`.

    `lay_before`: the same faces lay there right before, at other places, and the tray was never empty since; `found`:
    they lay there at the first look, before anything moved; `others` are dice of kinds that are not read, which lie
    beside them; `reader` is the one that read them, with what it knew of its table then; `silhouettes` tell how the
    dice lie, by their boxes.
    """

    kind: EventKind
    frame: Frame
    dice: tuple[DieReading, ...] = ()
    lay_before: bool = False
    found: bool = False
    others: tuple[UncountedDie, ...] = ()
    reader: Reader | None = None
    silhouettes: Mapping[Box, Silhouette] = field(default_factory=dict)


class ThrowTracker:
    """Turns frames into events: one reading for each settled throw, and none for unchanged dice.

    Dice nudged, turned, added or removed afterwards make a new reading of all dice, so that a wrong count can be mended
    on the tray. A passing hand, a shadow or a lamp does not. A hand that rests in the picture holds the reading back,
    for `LONGEST_HAND` seconds at most: dice may be beneath it. An empty tray is reported once, and only after dice were
    there. While the camera does not see (`blindness`), nothing is read, and no tray is called empty.

    `calibrated` names the camera's calibration, None where it has none; `views` keep what it saw then. Each picture
    that settled is read within `around`; what that gives, if anything, is called once something there may be dice.
    """

    def __init__(
        self,
        reader: Reader,
        settings: SettleSettings | None = None,
        calibrated: Callable[[], object | None] | None = None,
        views: Outlooks | None = None,
        around: Callable[[], AbstractContextManager[Callable[[], None] | None]] = nullcontext,
    ) -> None:
        """Begin with nothing known of the tray."""
        self._reader = reader
        self._around = around
        self._sight = Sight(calibrated, views)
        self._detector = SettleDetector(settings)
        self._still: deque[Frame] = deque(maxlen=1 + VOTE_WITNESSES)
        self._known: tuple[DieReading, ...] = ()
        self._occupied = False
        self._scene = 0
        self._look_again: float | None = None
        self._moved = False
        self._free: Hues | None = None
        self._hand_since: float | None = None
        self._seen = Survey(())
        self._moved_words = NO_WORDS
        self._learning_fails = False
        self._busy_at = self._fed_at = 0.0

    @property
    def calm(self) -> bool:
        """Whether nothing has happened for `CALM_AFTER` seconds, so that fewer frames are enough for a while."""
        return self._detector.at_rest and self._fed_at - self._busy_at >= CALM_AFTER

    @property
    def others(self) -> tuple[UncountedDie, ...]:
        """The dice of kinds that are not read, as they lay at the last look."""
        return self._seen.others

    @property
    def camera_moved(self) -> Phrase:
        """The message if the camera was moved before the last throw; else `NO_WORDS`."""
        return self._moved_words

    @property
    def blindness(self) -> Blindness | None:
        """The lasting fault that keeps the camera from seeing, if any."""
        return self._sight.fault

    @property
    def moved_since_calibrated(self) -> bool:
        """Whether nothing of the table is where it was when the camera was calibrated."""
        return self._sight.moved

    def restart(self) -> None:
        """Start again after a loss of the source. Unchanged dice are not reported again."""
        self._detector.restart()
        self._sight.restart()
        self._still.clear()
        self._look_again = self._free = self._hand_since = None

    def feed(self, frame: Frame) -> Iterator[ThrowEvent]:
        """Take the next frame. Raises `ReaderError` when the reader breaks on it; the next throw may be fed then."""
        settling = self._detector.feed(frame)
        if (look := self._detector.newest) is not None:
            self._sight.feed(frame, look, noise=self._detector.noise, at_rest=self._detector.at_rest)
        self._fed_at = frame.t
        if settling is not None or self._look_again is not None:
            self._busy_at = frame.t
        if frame.scene != self._scene:
            self._scene, self._known, self._moved = frame.scene, (), True
            self._free = self._hand_since = None
            if settling is None:
                self._detector.restart()
                self._detector.feed(frame)
                self._still.clear()
        if settling in (Settling.MOTION, Settling.SCENE):
            self._still.clear()
            self._look_again = None
        self._still.append(frame)
        if settling is Settling.SCENE:
            self._free = None
        if settling is Settling.MOTION:
            self._moved = True
            self._hand_since = None
            yield ThrowEvent(EventKind.MOTION, frame)
        elif settling is Settling.SETTLED:
            yield ThrowEvent(EventKind.SETTLED, frame)
            yield from self._look(frame)
        elif self._look_again is not None and frame.t >= self._look_again and self._detector.at_rest:
            yield from self._look(frame)

    def _look(self, frame: Frame) -> Iterator[ThrowEvent]:
        self._look_again = None
        if not self._sight.sees_now:
            self._look_again = frame.t + BLIND_AGAIN
            return
        if self._held_back(frame):
            self._look_again = frame.t + HAND_AGAIN
            return
        reader = as_it_is_now(self._reader)
        with self._around() as noticed:
            dice = self._read(frame, reader, noticed)
        if any(die.state in UNFINISHED for die in dice):
            self._look_again = frame.t + LOOK_AGAIN
            return
        known, self._known = self._known, dice
        occupied, self._occupied = self._occupied, bool(dice)
        if not dice:
            if occupied:
                yield ThrowEvent(EventKind.CLEARED, frame)
        elif same_dice(known, dice):
            self._known = known
        else:
            found, lay_before = not self._moved, faces_of(known) == faces_of(dice)
            yield ThrowEvent(
                EventKind.READING,
                frame,
                dice,
                lay_before=lay_before,
                found=found,
                others=self._seen.others,
                reader=reader,
                silhouettes=self._seen.silhouettes,
            )
            self._moved_words = self._learnt(frame)  # nobody waits for it any more
        if (look := self._detector.newest) is not None:
            self._sight.learn(frame, look, [die.box for die in dice if die.box is not None])

    def _learnt(self, frame: Frame) -> Phrase:
        """Let the reader learn from a throw that was reported: whatever fails there never costs the throw."""
        try:
            told = remembered(self._reader, frame.image, self._seen)
        except Exception:  # noqa: BLE001 - the throw counts, whatever broke beside it
            if not self._learning_fails:
                _log.exception("nothing could be learnt of the camera from a throw; throws are read as before")
            self._learning_fails = True
            return NO_WORDS
        self._learning_fails = False
        return told

    def _held_back(self, frame: Frame) -> bool:
        """Whether a hand has come in since the last reading, and has rested for less than `LONGEST_HAND`."""
        hues = hues_of(frame.image)
        if self._free is None or not hand_came(self._free, hues):
            self._free, self._hand_since = hues, None
            return False
        self._hand_since = frame.t if self._hand_since is None else self._hand_since
        return frame.t - self._hand_since < LONGEST_HAND

    def _read(self, frame: Frame, reader: Reader, noticed: Callable[[], None] | None) -> tuple[DieReading, ...]:
        """Read the newest frame; for doubtful dice, also the other frames of the same rest."""
        try:
            self._seen = surveyed(reader, frame.image, noticed)
            dice = self._seen.dice
            if all(die.state is DieState.READ for die in dice):
                return dice
            rest = list(self._still)[-self._detector.agreeing :]
            others = [one for one in rest if one.image is not frame.image]
            return vote(dice, [reader.read(one.image) for one in others])
        except ReaderError:
            raise
        except Exception as why:
            raise ReaderFailedError(why) from why


def vote(dice: Sequence[DieReading], others: Sequence[Sequence[DieReading]]) -> tuple[DieReading, ...]:
    """Settle doubtful dice by other pictures of the same rest.

    A doubtful die becomes read only where two other pictures read it, both the same, and none otherwise; a die that is
    read in this picture stays as it is. One picture's luck never outvotes doubt. A 1 or 2 is the same as a d6's and as
    a Challenge Die's.
    """
    return tuple(_settled(die, others) if die.state is DieState.DOUBTFUL else die for die in dice)


def _settled(die: DieReading, others: Sequence[Sequence[DieReading]]) -> DieReading:
    seen = [other for dice in others for other in dice if same_kind(die, other) and same_place(die, other)]
    read = [other for other in seen if other.state is DieState.READ]
    if len(read) < VOTE_WITNESSES or len({other.face for other in read}) > 1:
        return die
    surest = min(read, key=lambda other: other.confidence)
    return replace(surest, box=die.box)


def same_dice(before: Sequence[DieReading], now: Sequence[DieReading]) -> bool:
    """Whether the same dice lie unchanged: as many, each in its place, none with another face.

    A face that is no longer known does not count as a change; a newly known one does: a cocked die was set straight, or
    a lamp was lit. A 1 or 2 is the same as a d6's and as a Challenge Die's.
    """
    if len(before) != len(now):
        return False
    left = list(before)
    for die in now:
        match = next((other for other in left if _unchanged(other, die)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def faces_of(dice: Sequence[DieReading]) -> Counter[tuple[bool, Face | None]]:
    """The number of dice with each face, d20s apart from the others; moving dice does not change it."""
    return Counter((die.kind is DieKind.D20, die.face) for die in dice)


def as_given(dice: Sequence[DieReading], frame: Frame) -> tuple[DieReading, ...]:
    """The dice with boxes in pixels of the picture as given, where `frame` is a smaller copy."""
    return tuple(replace(die, box=zoomed(die.box, frame.zoom)) if die.box else die for die in dice)


def _unchanged(before: DieReading, now: DieReading) -> bool:
    forgotten = before.state is DieState.READ and now.state is not DieState.READ
    alike = forgotten or (before.face, before.state) == (now.face, now.state)
    return same_kind(before, now) and same_place(before, now) and alike
