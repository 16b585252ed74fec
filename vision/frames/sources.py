"""Chooses the source of frames by its name on the command line or in the settings.

| name | source |
|---|---|
| `0`, `1`, … | the operating system's camera of that number |
| `/dev/video0` | that camera device |
| `picamera2` | a CSI camera on a Raspberry Pi |
| `http://…`, `rtsp://…` | MJPEG, RTSP or another stream that FFmpeg reads |
| a folder | its pictures in name order (see `vision.frames.folders`) |
| a picture file | that picture, standing still |
| a video file | its frames |
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from rules.words import say
from vision.errors import PictureError, SourceError
from vision.frames.cameras import HEIGHT, WIDTH, CameraDevice, NetworkStream, Picamera, VideoFile, as_pixels
from vision.frames.folders import Folder
from vision.frames.picture_header import read_header
from vision.ports import Frame, FrameSource, FrameStream, GoesOn, Pixels, RenderedTray

__all__ = ["HEIGHT", "WIDTH", "Frame", "FrameSource", "FrameStream", "Pixels", "StageSource", "open_source"]

_SCHEMES: Final = frozenset({"http", "https", "rtsp", "rtsps", "rtmp", "tcp", "udp", "srt"})
"""How the address of a network stream begins."""
_HEAD: Final = 1024 * 1024
"""Bytes at a file's beginning in which a picture's header lies."""
_STAGE_FPS: Final = 10.0
"""Frames a second of pictures that are rendered as they are asked for."""
_MEMORY: Final = "/dev/shm/"  # noqa: S108 - nothing is written there
"""How folders and files that lie in memory are named: as if they were devices."""


def open_source(
    spec: str,
    *,
    fps: float | None = None,
    hold: float | None = None,
    follow: bool = False,
    wanted: Callable[[], bool] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> FrameSource:
    """Choose the source that `spec` names (see the table above); its `open()` then opens it.

    `fps` times the frames of a folder or a video file. `hold`, `follow` and `wanted` concern folders alone; see
    `vision.frames.folders.Folder`. Raises `SourceError` for a name that is none of these.
    """
    name = spec.strip()
    if not name:
        raise SourceError(
            say("No source is named."), say("Use 0, /dev/video0, picamera2, an address, a video file or a folder.")
        )
    if name.isdecimal() and name.isascii() and not Path(name).exists():
        return CameraDevice(int(name), clock=clock)
    if name == "picamera2":
        return Picamera(clock=clock)
    scheme, separator, _ = name.partition("://")
    if separator:
        if scheme.lower() in _SCHEMES:
            _require_host(name)
            return NetworkStream(name, clock=clock)
        raise SourceError(
            say("Addresses of the sort {sort}:// are not known.", sort=scheme), say("Use {sorts}.", sorts=_sorts())
        )
    if name.startswith("/dev/") and not name.startswith(_MEMORY) and "\0" not in name:
        return CameraDevice(name, clock=clock)
    return _from_disk(Path(name), fps=fps, hold=hold, follow=follow, wanted=wanted)


class StageSource:
    """A simulated tray, rendered ten times a second, like a live camera."""

    live = True
    name = say("the demonstration camera")

    def __init__(
        self,
        stage: RenderedTray,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Look at `stage`; `clock` and `sleep` set the pace."""
        self._stage = stage
        self._clock = clock
        self._sleep = sleep

    def open(self) -> FrameStream:
        """Always succeeds."""
        return _StageStream(self._stage, self._clock, self._sleep)


class _StageStream:
    def __init__(self, stage: RenderedTray, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._stage = stage
        self._clock = clock
        self._sleep = sleep
        self._begun = clock()
        self._index = 0

    def read(self) -> Frame | None:
        due = self._begun + self._index / _STAGE_FPS
        self._sleep(max(0.0, due - self._clock()))
        picture, t = as_pixels(self._stage.frame()), self._clock() - self._begun
        frame = Frame(picture, self._index, t, goes_on=GoesOn.STAGED)
        self._index += 1
        return frame

    def close(self) -> None:
        """There is nothing to release."""


def _from_disk(
    path: Path, *, fps: float | None, hold: float | None, follow: bool, wanted: Callable[[], bool] | None
) -> FrameSource:
    if path.is_dir() or _is_picture(path):
        return Folder(path, fps=fps, hold=hold, follow=follow, wanted=wanted)
    if path.is_file():
        return VideoFile(path, fps=fps)
    if path.exists():
        raise SourceError(
            say("{path} is neither a file nor a folder.", path=str(path)),
            say("Name a camera, an address, a file or a folder."),
        )
    raise SourceError(
        say("There is no file or folder {path}, and no camera of that name.", path=str(path)),
        say("Use 0, /dev/video0, picamera2, an address (http://, rtsp://), a video file or a folder of pictures."),
    )


def _is_picture(path: Path) -> bool:
    """True for a picture file, also a damaged one of a known kind; false for films, which share some kinds' starts."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            read_header(file.read(_HEAD))
    except (OSError, PictureError):
        return False
    return True


def _require_host(address: str) -> None:
    """Raise `SourceError` for an address that leads nowhere; its password is not repeated."""
    try:
        if urlsplit(address).hostname:
            return
    except ValueError:
        pass
    raise SourceError(
        say("The stream's address is not complete."), say("Write it as http://name:port/path or rtsp://name/path.")
    )


def _sorts() -> str:
    return ", ".join(f"{scheme}://" for scheme in sorted(_SCHEMES))
