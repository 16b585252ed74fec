"""The camera's thread for the kiosk, and a stream of JSON objects for the terminal."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Final

from rules.dice import Box, DieReading, Reading, SourceKind, SourceState, SourceStatus
from rules.words import Phrase, capitalized, say, sentences
from vision.errors import (
    BLIND,
    MIRRORED,
    MOVED_CALIBRATED,
    NO_WORDS,
    READING,
    ReaderError,
    SourceError,
    SourceLostError,
)
from vision.frames.follow import Follower, Found, Lost, Patience
from vision.frames.pictures import encode_jpeg
from vision.frames.settling import SettleSettings
from vision.frames.sources import open_source
from vision.ports import Frame, FrameSource, GoesOn, Pace, Pixels, Reader, UncountedDie, look_through
from vision.read.mirror import Mirror
from vision.read.readings import zoomed
from vision.read.uncounted import uncounted_in_words
from vision.watch.album import Album, reading_name
from vision.watch.sight import Outlooks
from vision.watch.throws import EventKind, ThrowEvent, ThrowTracker, as_given

LATEST_WIDTH: Final = 640
"""Width in pixels that `Watcher.latest` is brought to, at most."""

_STOP_WITHIN: Final = 2.0
"""Seconds that the thread has to end."""

LONG: Final = 1.0
"""Seconds of reading after which those who wait are told of it: with less nobody's thought is broken off."""

_log = logging.getLogger(__name__)

_WHAT_A_CAMERA_ADDS: Final = say("With a camera above the table, dice are read as they lie.")
"""The message without a camera."""
_MEANWHILE: Final = say("Enter the dice by hand.")
"""The advice without a camera."""


@dataclass(frozen=True, eq=False)
class SeenThrow:
    """The picture of the last throw that was reported, and its dice with boxes in that picture's pixels.

    `mirrored` tells that the picture was found to be mirrored: then none of its d20s is read. `reader` is the one that
    read them, with what it knew of its table then.
    """

    picture: Pixels
    dice: tuple[DieReading, ...]
    reading: Reading
    mirrored: bool = False
    reader: Reader | None = None


Report = Callable[[Reading], None]
"""Takes each throw."""
Tell = Callable[[SourceStatus], None]
"""Receives the camera's state, whenever that changes."""
Notice = Callable[[Phrase], None]
"""Receives messages about the dice on the tray."""


class Watcher:
    """Watches one source of frames and reports each settled throw once.

    Args:
        source: a source, or the name of one (see `vision.frames.sources`); a named folder is followed for new pictures.
        reader: turns pictures into dice; used by the watcher's own thread alone.
        start_id: names this start of the kiosk; with it, reading and picture keys are unique for ever.
        clock: seconds that never run backwards.
        fps, hold: as for `vision.frames.sources.open_source`; they concern named sources alone.
        settings: what counts as motion and rest.
        patience: how long to wait for a silent camera, and between attempts to reopen it.
        wanted: whether dice are called for; unrelated stills step on only then, so that each is somebody's throw.
            Asked from the watcher's thread, often. Without it they step on by themselves. It concerns named sources.
        expected: whether a person named this source: then one that is not there is lost, not merely absent.
        calibrated: names the camera's calibration; None where it has none, or one that holds wherever it stands.
        views: keep what the camera saw when it was calibrated.
    """

    kind = SourceKind.CAMERA

    def __init__(
        self,
        source: str | FrameSource,
        *,
        reader: Reader,
        start_id: str,
        clock: Callable[[], float] = time.monotonic,
        fps: float | None = None,
        hold: float | None = None,
        settings: SettleSettings | None = None,
        patience: Patience | None = None,
        wanted: Callable[[], bool] | None = None,
        expected: bool = False,
        calibrated: Callable[[], object | None] | None = None,
        views: Outlooks | None = None,
    ) -> None:
        """Nothing is opened before `start`."""
        self._source = source
        self._start_id = start_id
        self._clock = clock
        self._fps = fps
        self._hold = hold
        self._patience = patience or Patience()
        self._wanted = wanted
        self._expected = expected
        self._reader = reader
        self._tracker = ThrowTracker(reader, settings, calibrated, views, self._long)
        self._mirror = Mirror(reader)
        self._album = Album()
        self._stopped = threading.Event()
        self._follower: Follower | None = None
        self._thread: threading.Thread | None = None
        self._newest: Frame | None = None
        self._last: SeenThrow | None = None
        self._count = 0
        self._told: tuple[SourceState, Phrase, Phrase, Phrase] | None = None
        self._logged: tuple[SourceState, Phrase, Phrase] | None = None
        self._telling = threading.Lock()
        self._reader_fails = False
        self._report: Report = _nobody
        self._tell: Tell = _nobody

    def start(self, report: Report, tell: Tell) -> None:
        """Watch; `report` and `tell` are called from the watcher's thread. Raises `RuntimeError` the second time."""
        if self._thread is not None:
            raise RuntimeError("this watcher was started before; make another one")
        self._report, self._tell = report, tell
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End within two seconds; a driver that hangs is left behind. After it, nothing more is reported."""
        self._stopped.set()
        follower = self._follower
        if follower is not None:
            follower.stop()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_STOP_WITHIN)

    def picture(self, key: str) -> bytes | None:
        """The JPEG picture of a die by its `DieReading.picture`; None once it is forgotten."""
        return self._album.get(key)

    def whole(self, key: str) -> bytes | None:
        """The whole picture of that die's throw: see `Album.whole`."""
        return self._album.whole(key)

    def has_cut_out(self, key: str) -> bool:
        """Whether `cut_out` has that die."""
        return self._album.has_cut_out(key)

    def cut_out(self, key: str) -> bytes | None:
        """The die of that picture by itself, upright, as WebP; None once forgotten, or where its pose is not known."""
        return self._album.cut_out(key)

    def latest(self) -> bytes | None:
        """The newest frame as a JPEG picture at most `LATEST_WIDTH` wide; None before the first frame."""
        frame = self._newest
        return None if frame is None else encode_jpeg(frame.image, widest=LATEST_WIDTH)

    def newest(self) -> Pixels | None:
        """The newest frame's pixels; None before the first frame and after `stop`. Not to be changed."""
        frame = self._newest
        return None if frame is None or self._stopped.is_set() else frame.image

    def last_throw(self) -> SeenThrow | None:
        """The last throw that was reported and was not empty; None after `stop`."""
        return None if self._stopped.is_set() else self._last

    @property
    def goes_on(self) -> GoesOn:
        """The cause of the next picture, by the newest frame."""
        frame = self._newest
        return GoesOn.BY_ITSELF if frame is None else frame.goes_on

    def _run(self) -> None:
        failures = 0
        while not self._stopped.is_set():
            seen = self._newest
            try:
                source = self._opened()
                self._follow(source)
            except SourceError as why:
                self._say_gone(why.what, why.remedy, lost=isinstance(why, SourceLostError))
            except Exception:  # noqa: BLE001 - whatever broke, the camera comes back by itself
                _log.exception("the camera's thread failed and starts again")
                self._say(SourceState.LOST, say("The camera's part failed; it starts again."), _MEANWHILE)
            else:
                self._say(SourceState.OFF, say("{source} has come to its end.", source=capitalized(source.name)))
                return
            failures = 0 if self._newest is not seen else failures + 1
            pauses = self._patience.pauses
            self._stopped.wait(pauses[min(failures, len(pauses) - 1)])

    def _opened(self) -> FrameSource:
        if not isinstance(self._source, str):
            return self._source
        return open_source(
            self._source, fps=self._fps, hold=self._hold, follow=True, wanted=self._wanted, clock=self._clock
        )

    def _follow(self, source: FrameSource) -> None:
        if self._told is None:
            self._say(SourceState.STARTING, say("Looking at {source}.", source=source.name))
        follower = self._follower = Follower(source, clock=self._clock, patience=self._patience)
        if self._stopped.is_set():
            return
        with closing(iter(follower)) as items:
            self._take(items, follower, source)

    def _take(self, items: Iterable[Frame | Lost | Found], follower: Follower, source: FrameSource) -> None:
        begun: float | None = None
        for item in items:
            if self._stopped.is_set():
                return
            if isinstance(item, Lost):
                self._say_gone(item.what, item.remedy)
                continue
            if isinstance(item, Found):
                self._tracker.restart()
                continue
            if begun is None:
                begun = self._clock() - item.t
                self._tracker.restart()
            if not source.live and self._stopped.wait(max(0.0, begun + item.t - self._clock())):
                return
            look_through(self._reader, item.hfov)
            self._newest = item
            if not item.unread:
                self._look(item)
                follower.keep_pace(_pace(self._tracker))
            if (blind := self._tracker.blindness) is not None:
                what, remedy = BLIND[blind]
                self._say(SourceState.LOST, what, sentences(remedy, _MEANWHILE), sentences(what, remedy))
            elif not self._reader_fails:
                notice = self._notice()
                what = item.note or say("{source} watches the tray.", source=capitalized(source.name))
                self._say(SourceState.READY, what, notice, notice)

    def _notice(self) -> Phrase:
        """The message for those who wait for dice."""
        if self._mirror.mirrored:
            return MIRRORED
        if self._tracker.moved_since_calibrated:
            return MOVED_CALIBRATED
        return self._tracker.camera_moved or uncounted_in_words(self._tracker.others)

    def _look(self, frame: Frame) -> None:
        try:
            for event in self._tracker.feed(frame):
                if event.kind in (EventKind.READING, EventKind.CLEARED) and not self._stopped.is_set():
                    self._reader_fails = False
                    dice = self._mirror.judged(event.frame.image, event.dice)
                    self._report(self._reading(replace(event, dice=dice)))
        except ReaderError as why:
            if not self._reader_fails:
                _log.warning("%s (%s)", why, getattr(why, "cause", type(why).__name__))
            self._reader_fails = True
            self._say(
                SourceState.LOST,
                say("The camera sees the dice, but their reader fails."),
                say("Enter the dice by hand; the next throw is tried again."),
            )

    @contextmanager
    def _long(self) -> Iterator[Callable[[], None]]:
        """Within it a picture is read. If that takes `LONG`, it is told until the next word on the camera's state.

        A thread of its own tells it: the watcher's is busy. Once the picture is read it is silent, and until what is
        given was called, as something may lie there: nobody waits for an empty tray.
        """
        read, lies_there = threading.Event(), threading.Event()

        def tell() -> None:
            if not read.wait(LONG):
                lies_there.wait()
                with self._telling:
                    told = None if read.is_set() or self._told is None else self._told
                    if told is not None and told[0] is SourceState.READY:
                        self._say_now(told[0], told[1], told[2], READING)

        threading.Thread(target=tell, name="camera reads", daemon=True).start()
        try:
            yield lies_there.set
        finally:
            with self._telling:
                read.set()
            lies_there.set()

    def _reading(self, event: ThrowEvent) -> Reading:
        number = self._count
        self._count += 1
        named, dice = reading_name(f"{self._start_id}-{number}"), []
        for place, (seen, given) in enumerate(
            zip(event.dice, as_given(event.dice, event.frame), strict=True),
        ):
            key = f"{named}-{place}"
            if seen.box is not None:
                self._album.put(key, event.frame.image, seen, event.silhouettes.get(seen.box))
                given = replace(given, picture=key)  # noqa: PLW2901 - the same die, with its picture
            dice.append(given)
        reading = Reading(
            f"{self._start_id}:{number}",
            SourceKind.CAMERA,
            tuple(dice),
            lay_before=event.lay_before,
            found=event.found,
        )
        if event.dice:
            self._last = SeenThrow(event.frame.image, event.dice, reading, self._mirror.mirrored, event.reader)
        return reading

    def _say_gone(self, what: Phrase, remedy: Phrase, *, lost: bool = False) -> None:
        """Report that there is no camera: as a loss if one was there, or should have been."""
        gone = lost or self._expected or self._newest is not None
        if gone:
            self._say(SourceState.LOST, what, sentences(remedy, _MEANWHILE))
        else:
            self._say(SourceState.ABSENT, what, sentences(_WHAT_A_CAMERA_ADDS, remedy))

    def _say(self, state: SourceState, what: Phrase, remedy: Phrase = NO_WORDS, notice: Phrase = NO_WORDS) -> None:
        """Report and log a change once."""
        with self._telling:
            self._say_now(state, what, remedy, notice)

    def _say_now(self, state: SourceState, what: Phrase, remedy: Phrase, notice: Phrase) -> None:
        if self._told is not None and self._told[:2] == (state, what) and self._told[3] == notice:
            return
        if self._stopped.is_set():
            return
        self._told = (state, what, remedy, notice)
        level = logging.WARNING if state is SourceState.LOST else logging.INFO  # one that never was is no fault
        if notice != READING and (state, what, notice) != self._logged:  # a slow reader says the former of each throw
            self._logged = state, what, notice
            _log.log(level, "%s %s", what, remedy)
        self._tell(SourceStatus(SourceKind.CAMERA, state, what, remedy, notice=notice))


def watch_events(
    follower: Follower, reader: Reader, *, settings: SettleSettings | None = None, notice: Notice | None = None
) -> Generator[dict[str, object]]:
    """The events of the source that `follower` follows, as the JSON objects that `trueroll watch` prints.

    Recordings are read as fast as they can be, to their end; a live source until `follower.stop()`, with its losses.
    `notice` is told once, in a sentence, that the picture is mirrored, and each time that the camera was moved.
    Raises `SourceError` as the follower does, `ReaderError` when the reader fails on a picture. Close it
    (`contextlib.closing`) when leaving before its end, so that the camera is let go at once.
    """
    tracker, mirror = ThrowTracker(reader, settings), Mirror(reader)
    newest: Frame | None = None
    lost = False
    moved = NO_WORDS
    with closing(iter(follower)) as items:
        for item in items:
            if isinstance(item, Lost):
                lost = True
                yield _told(EventKind.LOST, newest.index if newest else 0, newest.t if newest else 0.0)
                continue
            if isinstance(item, Found):
                continue
            newest = item
            if lost:
                lost = False
                tracker.restart()
                yield _told(EventKind.FOUND, item.index, item.t)
            look_through(reader, item.hfov)
            for event in tracker.feed(item):
                before, dice = mirror.mirrored, mirror.judged(event.frame.image, event.dice)
                if notice is not None and mirror.mirrored and not before:
                    notice(MIRRORED)
                yield _event(replace(event, dice=dice), item)
            if notice is not None and tracker.camera_moved and not moved:
                notice(tracker.camera_moved)
            moved = tracker.camera_moved
            follower.keep_pace(_pace(tracker))


def _pace(tracker: ThrowTracker) -> Pace:
    return Pace.CALM if tracker.calm else Pace.WATCHFUL


def die_as_json(die: DieReading) -> dict[str, object]:
    """A die in the form that `trueroll read` and `trueroll watch` print: numbers as numbers, symbols as words.

    `kinds` only where the kind is open.
    """
    told: dict[str, object] = {
        "kind": die.kind.value,
        "face": die.face if die.face is None or isinstance(die.face, int) else die.face.value,
        "confidence": round(die.confidence, 4),
        "state": die.state.value,
        "box": None if die.box is None else _corner_and_size(die.box),
    }
    return {**told, "kinds": [kind.value for kind in die.kinds]} if die.kinds else told


def others_as_json(others: Iterable[UncountedDie]) -> list[dict[str, object]]:
    """Dice of other kinds in the form that `trueroll read` and `trueroll watch` print."""
    return [{"kind": one.kind, "box": _corner_and_size(one.box)} for one in others]


def _corner_and_size(box: Box) -> list[int]:
    return [box.x, box.y, box.width, box.height]


def _event(event: ThrowEvent, frame: Frame) -> dict[str, object]:
    """One event for `trueroll watch`; dice of other kinds only if there are any."""
    told = _told(event.kind, frame.index, frame.t, as_given(event.dice, frame))
    others = [replace(one, box=zoomed(one.box, frame.zoom)) for one in event.others]
    return {**told, "others": others_as_json(others)} if others else told


def _told(kind: EventKind, frame: int, t: float, dice: tuple[DieReading, ...] = ()) -> dict[str, object]:
    return {"event": kind.value, "frame": frame, "t": round(t, 3), "dice": [die_as_json(die) for die in dice]}


def _nobody(_: object) -> None:
    """Before `start`, nobody listens."""
