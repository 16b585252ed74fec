"""Follows a source across losses.

A live source is read by a thread of its own, so that a driver which hangs can be left behind: the thread is a daemon,
nothing waits for it, and a fresh stream is opened beside it. Only the newest frame is kept. A recording is read in
the caller's own thread, frame after frame.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Final

from rules.words import Phrase, capitalized, say
from vision.errors import SourceAwayError, SourceError, SourceLostError
from vision.ports import Frame, FrameSource, Pace, PacedStream

_log = logging.getLogger(__name__)

ABANDONED_AT_MOST: Final = 3
"""Most hanging threads left behind; then the next attempt waits for one of them."""
_FAREWELL: Final = 0.4
"""Seconds that a camera's thread has to end before it is left behind."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The source is gone (or was never there); reported once. `before` is the number of frames seen until then."""

    what: Phrase
    remedy: Phrase
    before: int


@dataclass(frozen=True, slots=True)
class Found:
    """The source is back after a loss; the next item is its frame."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Waiting times in seconds.

    Attributes:
        first: for the first frame after opening began.
        stale: for each further frame; a source that is silent for longer counts as lost.
        pauses: before each new attempt; the last one repeats.
    """

    first: float = 8.0
    stale: float = 2.0
    pauses: tuple[float, ...] = (0.2, 0.5, 1.0, 2.0)


class Follower:
    """Iterates over the frames of a source, and over its losses and returns.

    Frames of a live source are numbered and timed over all its reopenings, from the first frame on; frames that
    came while the caller was busy are counted but not seen. With `must_open`, a live source that is not there at
    the start raises its `SourceError` instead of being waited for. A recording raises it in any case, unless it is
    only away (`SourceAwayError`): then it is read again until it is back, and its further frames come later by as long.
    """

    def __init__(
        self,
        source: FrameSource,
        *,
        clock: Callable[[], float] = time.monotonic,
        patience: Patience | None = None,
        must_open: bool = False,
    ) -> None:
        """Nothing is opened before the iteration begins."""
        self._source = source
        self._clock = clock
        self._patience = patience or Patience()
        self._must_open = must_open
        self._stopped = threading.Event()
        self._change = threading.Condition()
        self._attempt: _Attempt | None = None
        self._left_behind: list[threading.Thread] = []

    def stop(self) -> None:
        """End the iteration soon, from any thread; a hanging driver does not delay it."""
        self._stopped.set()
        with self._change:
            self._change.notify_all()

    def keep_pace(self, pace: Pace) -> None:
        """Tell the present stream of a live source how often pictures are wanted, if it supports that.

        For the iterating thread; a newly opened stream begins watchful.
        """
        if self._attempt is not None:
            self._attempt.keep_pace(pace)

    def __iter__(self) -> Generator[Frame | Lost | Found]:
        """See the class."""
        return self._live() if self._source.live else self._recorded()

    def _recorded(self) -> Generator[Frame | Lost | Found]:
        stream = self._source.open()
        seen = failures = 0
        late = since = 0.0
        try:
            while not self._stopped.is_set():
                try:
                    frame = stream.read()
                except SourceAwayError as why:
                    if not failures:
                        since = self._clock()
                        yield Lost(why.what, why.remedy, seen)
                    pauses = self._patience.pauses
                    self._stopped.wait(pauses[min(failures, len(pauses) - 1)])
                    failures += 1
                    continue
                if failures:
                    failures = 0
                    late += self._clock() - since
                    yield Found()
                if frame is None:
                    return
                seen += 1
                yield replace(frame, t=frame.t + late) if late else frame
        finally:
            stream.close()

    def _live(self) -> Generator[Frame | Lost | Found]:
        numbering = _Numbering()
        told = False
        failures = 0
        try:
            while not self._stopped.is_set():
                why: SourceError | None = None
                for item in self._one_opening(numbering):
                    if isinstance(item, SourceError):
                        why = item
                        continue
                    failures = 0
                    if told:
                        told = False
                        yield Found()
                    yield item
                if why is None:
                    return
                if self._must_open and numbering.count == 0:
                    raise why
                if not told:
                    told = True
                    yield Lost(why.what, why.remedy, numbering.count)
                pauses = self._patience.pauses
                self._stopped.wait(pauses[min(failures, len(pauses) - 1)])
                failures += 1
        finally:
            self._abandon()
            # A driver that comes back while the interpreter ends would abort the program, so it is given time to.
            for thread in self._left_behind:
                thread.join(_FAREWELL)

    def _one_opening(self, numbering: _Numbering) -> Iterator[Frame | SourceError]:
        """The frames of one stream, closed by the reason why there are no more; nothing after `stop`."""
        self._abandon()
        if len(self._left_behind) >= ABANDONED_AT_MOST:
            yield SourceLostError(
                say("The driver of {source} hangs.", source=self._source.name),
                say("Unplug it, or restart the computer."),
            )
            return
        attempt = self._attempt = _Attempt(self._source, numbering, self._clock, self._change)
        attempt.start()
        longest = self._patience.first
        while not self._stopped.is_set():
            item = attempt.take(longest, self._stopped)
            if self._stopped.is_set():
                return
            if item is None:
                yield SourceLostError(
                    say(
                        "{source} has sent no picture for {seconds} s.",
                        source=capitalized(self._source.name),
                        seconds=f"{longest:g}",
                    ),
                    say("Check its cable, power and network."),
                )
                return
            yield item
            if isinstance(item, SourceError):
                return
            longest = self._patience.stale

    def _abandon(self) -> None:
        if self._attempt is not None:
            self._attempt.abandon()
            self._left_behind.append(self._attempt.thread)
            self._attempt = None
        self._left_behind = [thread for thread in self._left_behind if thread.is_alive()]


class _Numbering:
    """Counts the frames of a source over all its streams, and knows when the first came."""

    def __init__(self) -> None:
        self.count = 0
        self._begun = 0.0

    def stamp(self, frame: Frame, now: float) -> Frame:
        if self.count == 0:
            self._begun = now
        self.count += 1
        return replace(frame, index=self.count - 1, t=now - self._begun)


class _Attempt:
    """One opening of a live source, read by a thread of its own into a slot for the newest frame."""

    def __init__(
        self, source: FrameSource, numbering: _Numbering, clock: Callable[[], float], change: threading.Condition
    ) -> None:
        self._source = source
        self._numbering = numbering
        self._clock = clock
        self._change = change
        self._newest: Frame | SourceError | None = None
        self._abandoned = False
        self._paced: PacedStream | None = None
        self.thread = threading.Thread(target=self._run, name=f"frames of {source.name}", daemon=True)

    def start(self) -> None:
        self.thread.start()

    def abandon(self) -> None:
        """Ignore the thread from now on; it closes its stream once its driver returns."""
        with self._change:
            self._abandoned = True

    def keep_pace(self, pace: Pace) -> None:
        if self._paced is not None:
            self._paced.keep_pace(pace)

    def take(self, longest: float, stopped: threading.Event) -> Frame | SourceError | None:
        """The newest frame not yet taken, or the reason for its absence; None after `longest` seconds."""
        with self._change:
            self._change.wait_for(lambda: self._newest is not None or stopped.is_set(), longest)
            item, self._newest = self._newest, None
            return item

    def _run(self) -> None:
        try:
            stream = self._source.open()
        except SourceError as why:
            self._put(why)
            return
        except Exception as why:  # noqa: BLE001 - a driver's error must not look like silence
            _log.debug("opening %s failed", self._source.name, exc_info=True)
            failed = say("{source} cannot be opened: {reason}.", source=self._name(), reason=str(why))
            self._put(SourceError(failed, say("Try another camera.")))
            return
        self._paced = stream if isinstance(stream, PacedStream) else None
        try:
            while not self._abandoned:
                frame = stream.read()
                if frame is None:
                    ended = say("{source} ended.", source=self._name())
                    self._put(SourceLostError(ended, say("Start the stream again.")))
                    return
                self._put(frame)
        except SourceError as why:
            self._put(why)
        except Exception as why:  # noqa: BLE001 - as above
            _log.debug("reading %s failed", self._source.name, exc_info=True)
            failed = say("{source} failed: {reason}.", source=self._name(), reason=str(why))
            self._put(SourceLostError(failed, say("Unplug it and plug it in again.")))
        finally:
            stream.close()

    def _name(self) -> Phrase:
        """The source's name at the beginning of a sentence."""
        return capitalized(self._source.name)

    def _put(self, item: Frame | SourceError) -> None:
        with self._change:
            if self._abandoned:
                return
            self._newest = self._numbering.stamp(item, self._clock()) if isinstance(item, Frame) else item
            self._change.notify_all()
