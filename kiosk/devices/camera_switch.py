"""A camera that a person can stop: it releases the device, and stays stopped until it is started again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from kiosk.ports import DiceSource
from rules.dice import Reading, SourceKind, SourceState, SourceStatus
from rules.words import say

log = logging.getLogger(__name__)

STOPPED: Final = say("The camera is stopped: it sees nothing and reads nothing.")
"""The state of a camera that somebody has stopped."""
REMEDY: Final = say("Enter the dice by hand, or let the gamemaster start the camera again.")
"""What people can do then."""


FILE_NAME: Final = "camera-stopped"
"""In the data folder while somebody has stopped the camera."""

AGAIN: Final = say("The camera looks again.")
"""What is said when it is started."""


class CameraChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether the camera looks; a stopped one stays so, restarts included, until it is started."""

    running: bool


class CameraView(Struct, frozen=True, kw_only=True):
    """Whether the camera looks."""

    running: Annotated[bool, Meta(description="False from the stop until somebody starts it again.")]


class StopMark:
    """Remembers over a restart that the camera was stopped: a file that is there, or is not."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def stopped(self) -> bool:
        """Whether the camera was stopped; also where the folder cannot be looked into."""
        try:
            return self._path.exists()
        except OSError:
            return True

    def keep(self, stopped: bool) -> None:  # noqa: FBT001 - the one thing it keeps
        """Save it; a failing disk is logged."""
        try:
            if stopped:
                self._path.touch(mode=0o600)
            else:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            log.warning("That the camera was stopped or started is not kept over a restart: %s.", error)


class SwitchedCamera:
    """The camera as a source with a switch. `make` gives a new one each time: a stopped one is never used again.

    `keep` is called with each change, so that a restart does not open an eye that somebody closed.
    """

    def __init__(
        self,
        make: Callable[[], DiceSource],
        *,
        stopped: bool = False,
        keep: Callable[[bool], None] = lambda _stopped: None,
    ) -> None:
        self._make = make
        self._stopped = stopped
        self._keep = keep
        self._lock = threading.Lock()
        self._camera: DiceSource | None = None
        self._report: Callable[[Reading], None] | None = None
        self._tell: Callable[[SourceStatus], None] | None = None

    @property
    def kind(self) -> SourceKind:
        """The camera."""
        return SourceKind.CAMERA

    @property
    def running(self) -> bool:
        """Whether it looks, or would as soon as a camera is there."""
        return not self._stopped

    def start(self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None]) -> None:
        """Begin, unless it was stopped."""
        with self._lock:
            self._report, self._tell = report, tell
            if self._stopped:
                tell(_status())
                return
            self._begin()

    def stop(self) -> None:
        """End with the kiosk; whether it looks after the next start stays as it was chosen."""
        with self._lock:
            camera, self._camera = self._camera, None
            self._report = self._tell = None
        if camera is not None:
            camera.stop()

    def switch(self, *, running: bool) -> bool:
        """Start or stop the camera at once. False if nothing changed."""
        with self._lock:
            if running is not self._stopped:
                return False
            self._stopped = not running
            camera, self._camera = self._camera, None
            if camera is not None:
                camera.stop()
            if running:
                self._begin()
            elif self._tell is not None:
                self._tell(_status())
            self._keep(not running)  # with the lock held: two hands at once leave what the later one chose
        return True

    def picture(self, key: str) -> bytes | None:
        """The picture of a die, while the camera looks."""
        camera = self._camera
        return camera.picture(key) if camera is not None else None

    def whole(self, key: str) -> bytes | None:
        """The whole picture of that die's throw, while the camera looks."""
        found: Callable[[str], bytes | None] | None = getattr(self._camera, "whole", None)
        return found(key) if found is not None else None

    def has_cut_out(self, key: str) -> bool:
        """Whether `cut_out` has that die."""
        found: Callable[[str], bool] | None = getattr(self._camera, "has_cut_out", None)
        return found is not None and found(key)

    def cut_out(self, key: str) -> bytes | None:
        """The die of that picture by itself, while the camera looks."""
        found: Callable[[str], bytes | None] | None = getattr(self._camera, "cut_out", None)
        return found(key) if found is not None else None

    def latest(self) -> bytes | None:
        """The newest picture; None while the camera is stopped."""
        found: Callable[[], bytes | None] | None = getattr(self._camera, "latest", None)
        return found() if found is not None else None

    def _begin(self) -> None:
        """Make and start a camera. Called with the lock held."""
        if self._report is None or self._tell is None:
            return
        self._camera = self._make()
        self._camera.start(self._report, self._tell)


def _status() -> SourceStatus:
    return SourceStatus(SourceKind.CAMERA, SourceState.OFF, STOPPED, REMEDY)
