"""The kiosk's parts that come and go: the sources of dice, and the state in words of everything a person can mend."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from msgspec import structs

from kiosk.ports import DiceSource, SourceView
from rules.dice import Reading, SourceKind, SourceState, SourceStatus
from rules.words import Phrase, known, masked, say

log = logging.getLogger(__name__)

_STARTING: Final = {
    SourceKind.CAMERA: say("The camera is starting."),
    SourceKind.TRAY: say("The tray is starting."),
    SourceKind.BLUETOOTH: say("The Bluetooth dice are starting."),
    SourceKind.PHONE: say("Reading phones' pictures is starting."),
    SourceKind.MANUAL: say("Entering by hand is starting."),
}
"""The message for each source until it reports itself."""

_WELL: Final = frozenset({SourceState.READY, SourceState.OFF, SourceState.STARTING})
"""States that nobody has to mend."""

_FAULTS: Final = frozenset({SourceState.LOST, SourceState.INCOMPATIBLE})
"""States that are logged as a warning even when they are the first report."""


STOP_SECONDS: Final = 1.5
"""How long the kiosk's end waits for its sources: a picture that is being read, a port that is let go."""


class Sources:
    """Starts and stops the sources, and knows how each part is.

    Every change is told to the listeners, on whatever thread it came.
    """

    def __init__(self, sources: tuple[DiceSource, ...] = ()) -> None:
        self._sources = sources
        self._lock = threading.Lock()
        self._views: dict[str, SourceView] = {}
        self._listeners: list[Callable[[SourceView], None]] = []

    def listen(self, listener: Callable[[SourceView], None]) -> None:
        """Call `listener` with each change; its errors are only logged."""
        self._listeners.append(listener)

    def start(self, report: Callable[[Reading], None]) -> None:
        """Start every source; one that cannot start costs itself alone."""
        for source in self._sources:
            try:
                source.start(report, self.tell)
            except Exception as error:
                log.exception("The %s could not be started.", source.kind)
                self.set(
                    source.kind.value,
                    SourceState.LOST,
                    say("The {source} could not be started: {error}", source=source.kind, error=str(error)),
                    say("Dice can be entered by hand. `trueroll doctor` says more."),
                )

    def stop(self) -> None:
        """Stop every source, all at once; one that takes longer than `STOP_SECONDS` is left behind."""
        stopping = [
            threading.Thread(target=_stopped, args=(source,), name=f"stop {source.kind}", daemon=True)
            for source in self._sources
        ]
        for one in stopping:
            one.start()
        end = time.monotonic() + STOP_SECONDS
        for one in stopping:
            one.join(max(0.0, end - time.monotonic()))

    def expect(self, kind: SourceKind) -> None:
        """List a source before it has reported itself; nothing is logged."""
        self._keep(SourceView(source=kind.value, state=SourceState.STARTING.value, what=_STARTING[kind]))

    def tell(self, status: SourceStatus) -> None:
        """Accept a source's report of itself; the source has logged it already."""
        self._keep(
            SourceView(
                source=status.source,
                state=status.state,
                what=known(status.what),
                remedy=known(status.remedy),
                notice=known(status.notice),
                faulty=status.faulty,
            )
        )

    def set(self, source: str, state: SourceState, what: str, remedy: str = "") -> None:
        """Accept the state of a part, in words."""
        view = SourceView(source=source, state=state.value, what=known(what), remedy=known(remedy))
        before = self._views.get(source)
        if self._keep(view) and (before is None or (before.state in _WELL) != (view.state in _WELL)):
            fine = view.state in _WELL or (before is None and view.state not in _FAULTS)
            log.log(logging.INFO if fine else logging.WARNING, "%s %s", what, remedy)

    def forget(self, source: str) -> None:
        """Remove a part from the list."""
        with self._lock:
            self._views.pop(source, None)

    def views(self) -> tuple[SourceView, ...]:
        """The state of each part, in the order of their first reports."""
        with self._lock:
            return tuple(self._views.values())

    def view(self, name: str) -> SourceView | None:
        """The state of the part of this name; None if it never reported."""
        with self._lock:
            return self._views.get(name)

    def picture(self, key: str) -> bytes | None:
        """The JPEG kept under `key` by whichever source has it."""
        for source in self._sources:
            try:
                picture = source.picture(key)
            except Exception:
                log.exception("The %s could not give a picture.", source.kind)
                continue
            if picture is not None:
                return picture
        return None

    def whole(self, key: str) -> bytes | None:
        """The whole picture of the throw of that die, as JPEG with the die marked, where a source keeps it."""
        return self._made("whole", key)

    def has_cut_out(self, key: str) -> bool:
        """Whether a source has the die of that picture by itself."""
        asked = (getattr(source, "has_cut_out", None) for source in self._sources)  # a tray has no pictures
        return any(one(key) for one in asked if one is not None)

    def cut_out(self, key: str) -> bytes | None:
        """The die of the picture kept under `key` by itself, as WebP, where a source can cut it out."""
        return self._made("cut_out", key)

    def _made(self, what: str, key: str) -> bytes | None:
        """What the first source that has the picture of that key makes of it."""
        for source in self._sources:
            make = getattr(source, what, None)  # a tray has no pictures
            made: bytes | None = make(key) if make is not None else None
            if made is not None:
                return made
        return None

    def camera_picture(self) -> bytes | None:
        """The newest picture of the camera, where there is one."""
        for source in self._sources:
            latest = getattr(source, "latest", None)  # only a camera has a picture of the whole tray
            if latest is not None:
                found: bytes | None = latest()
                return found
        return None

    def _keep(self, view: SourceView) -> bool:
        """Store `view` without secrets and inform the listeners; False if nothing changed."""
        view = structs.replace(
            view, what=_discreet(view.what), remedy=_discreet(view.remedy), notice=_discreet(view.notice)
        )
        with self._lock:
            if self._views.get(view.source) == view:
                return False
            self._views[view.source] = view
        for listener in self._listeners:
            try:
                listener(view)
            except Exception:
                log.exception("a listener failed at a change of the %s", view.source)
        return True


def _discreet(words: str) -> Phrase:
    """`words` without what lets somebody in: the last door before a screen.

    Sources hide the secrets of addresses themselves. Words in which one is left lose their translation with it.
    """
    shown = masked(words)
    return known(words if shown == words else shown)


def _stopped(source: DiceSource) -> None:
    try:
        source.stop()
    except Exception:
        log.exception("The %s did not stop cleanly.", source.kind)
