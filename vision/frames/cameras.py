"""Live cameras, network streams and video files through OpenCV, and CSI cameras through picamera2.

Only calls that OpenCV 4.x and 5.x share are used. CSI modules on libcamera cannot be read by `cv2.VideoCapture`; they
need the operating system's `python3-picamera2`, which is imported only on demand.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, cast

import cv2
import numpy as np

from rules.words import Phrase, capitalized, masked_address, say
from vision.errors import PictureError, SourceError, SourceLostError
from vision.frames.modules import module_hfov
from vision.frames.pictures import decode_picture
from vision.frames.quiet import hush_opencv
from vision.ports import Frame, FrameStream, Pace, Pixels

WIDTH: Final = 1280
"""The width requested from a camera, in pixels."""
HEIGHT: Final = 720
"""The height requested from a camera, in pixels."""
USUAL_FPS: Final = 30.0
"""Frames a second where a recording does not say."""

_FASTEST: Final = 1000.0
"""Frames a second above which a source's own value is not believed."""
_CONNECT_MS: Final = 3000
"""Milliseconds after which a stream that does not answer is given up."""
_SILENCE_MS: Final = 3000
"""Milliseconds after which a stream that sends nothing more is lost."""
_BGR: Final = 3
"""The channels of a colour picture, which are as many as the dimensions of its array."""
_AS_SENT: Final = -1.0
"""The format in which FFmpeg's frames come as they were sent, not decoded."""
_MOTION_JPEG: Final = cv2.VideoWriter.fourcc(*"MJPG")
"""The form in which usual webcams send large pictures fast enough."""
_NAP: Final = 0.02
"""Seconds between two checks of the pace wanted of a CSI camera."""
_END: Final = b"\xff\xd9"
"""The mark that ends a JPEG picture."""
_LAST_BYTES: Final = 64
"""Bytes at a picture's end among which its end mark is looked for: filling may follow the mark."""
_ENDLESS_PICTURES: Final = 5
"""Pictures without an end mark, at the start of a stream, after which it is assumed never to send one."""
_DAMAGED_SECONDS: Final = 1.0
"""Seconds of damaged pictures alone after which a stream is lost, before it counts as silent (`follow`)."""

_log = logging.getLogger(__name__)


class CaptureStream:
    """An open `cv2.VideoCapture`. `fps` gives a recording's times; a live stream is timed by `clock`."""

    def __init__(
        self,
        capture: cv2.VideoCapture,
        name: Phrase,
        *,
        fps: float | None,
        clock: Callable[[], float] = time.monotonic,
        as_sent: bool = False,
    ) -> None:
        """Take over an opened capture; `as_sent` says that it gives JPEG pictures instead of pixels."""
        self._capture = capture
        self._name = name
        self._fps = fps
        self._clock = clock
        self._as_sent = as_sent
        self._begun: float | None = None
        self._index = 0
        self._damaged_since: float | None = None
        self._told = False
        self._endless: int | None = 0
        self._taken = self._grabbed = -math.inf
        self._pace = Pace.WATCHFUL

    def keep_pace(self, pace: Pace) -> None:
        """See `vision.ports.PacedStream`; a recording gives every picture at any pace."""
        self._pace = pace

    def read(self) -> Frame | None:
        """The next frame that is whole; see `vision.ports.FrameStream`."""
        while True:
            image = self._next()
            if image is None:
                self._require_end()
                return None
            pixels = self._decoded(image) if self._as_sent else as_pixels(image)
            if pixels is not None:
                break
        self._taken = self._grabbed
        if self._begun is None:
            self._begun = self._clock()
        t = self._index / self._fps if self._fps else self._clock() - self._begun
        frame = Frame(pixels, self._index, t)
        self._index += 1
        return frame

    def _next(self) -> cv2.typing.MatLike | None:
        """The driver's next picture, skipping some of a live stream's; None if there is none."""
        try:
            while self._capture.grab():
                if self._fps is None and not self._due():
                    continue
                there, image = self._capture.retrieve()
                return image if there else None
        except cv2.error as why:
            _log.debug("%s: the driver failed: %s", self._name, why)
        return None

    def _due(self) -> bool:
        """Whether the newest picture is wanted: waiting for the next one would miss the pace by more."""
        before, self._grabbed = self._grabbed, self._clock()
        return self._grabbed - self._taken + (self._grabbed - before) / 2 >= self._pace.value

    def _decoded(self, sent: cv2.typing.MatLike) -> Pixels | None:
        """A JPEG picture's pixels; None for a damaged one, the first of which is logged.

        Raises if only damaged ones come.
        """
        coded = np.asarray(sent, np.uint8).tobytes()
        if self._endless is not None:  # some cameras never send the mark that ends a picture
            self._endless = None if _END in coded[-_LAST_BYTES:] else self._endless + 1
        if self._endless is not None and self._endless >= _ENDLESS_PICTURES:
            coded += _END
        try:
            pixels = decode_picture(coded).pixels
        except PictureError as why:
            now = self._clock()
            self._damaged_since = now if self._damaged_since is None else self._damaged_since
            if not self._told:
                self._told = True
                _log.warning("%s sends damaged pictures, which are passed over", self._name)
            if now - self._damaged_since > _DAMAGED_SECONDS:
                raise SourceLostError(
                    say("{source} sends damaged pictures.", source=capitalized(self._name)),
                    say("Check its network, or have it send smaller ones."),
                ) from why
            return None
        self._damaged_since = None
        return pixels

    def close(self) -> None:
        """Release the device."""
        with contextlib.suppress(cv2.error):
            self._capture.release()

    def _require_end(self) -> None:
        """Raise unless this is the ordinary end of a recording."""
        if self._fps is None:
            raise SourceLostError(
                say("{source} stopped sending pictures.", source=capitalized(self._name)),
                say("Check its cable, power and network."),
            )
        if self._index == 0:
            raise SourceLostError(
                say("{source} holds no picture that can be decoded.", source=capitalized(self._name)),
                say("Convert it to MP4 or MJPG."),
            )


class CameraDevice:
    """A camera of the operating system, by number (`0`) or device (`/dev/video0`)."""

    live = True

    def __init__(self, which: int | str, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Name the camera; nothing is opened yet."""
        self._which = which
        self._clock = clock
        self.name = say("camera {number}", number=which)

    def open(self) -> FrameStream:
        """Open the camera at 1280 x 720. Raises `SourceError` that tells absent, forbidden and busy apart."""
        device = Path(self._which if isinstance(self._which, str) else f"/dev/video{self._which}")
        if (isinstance(self._which, str) or Path("/dev").is_dir()) and not device.exists() and _is_linux():
            raise SourceError(
                say("There is no {source} ({device} does not exist).", source=self.name, device=str(device)),
                say("Plug the camera in, or name another one; a CSI camera is called picamera2."),
            )
        # A name that stays with the camera, as those in /dev/v4l/by-id do, leads to another device after each replug.
        which = str(device.resolve()) if isinstance(self._which, str) else self._which
        capture = _capture(which, cv2.CAP_V4L2 if _is_linux() else cv2.CAP_ANY)
        if capture is None:
            if device.exists() and not os.access(device, os.R_OK | os.W_OK):
                raise SourceError(
                    say("{source} may not be opened by this user.", source=capitalized(self.name)),
                    say("Add the user to the group video."),
                )
            raise SourceError(
                say("{source} cannot be opened.", source=capitalized(self.name)),
                say("Close the other program that uses it, or name another camera."),
            )
        for setting, value in (
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
            (cv2.CAP_PROP_FRAME_WIDTH, WIDTH),
            (cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ):
            capture.set(setting, value)
        return CaptureStream(capture, self.name, fps=None, clock=self._clock)


class NetworkStream:
    """A camera on the network: MJPEG over HTTP, RTSP, or whatever else FFmpeg reads from an address."""

    live = True

    def __init__(self, address: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Name the address; a user and password in it are used and never shown."""
        self._address = address
        self._clock = clock
        self.name = say("the stream {address}", address=masked_address(address))

    def open(self) -> FrameStream:
        """Connect, for at most three seconds. Raises `SourceError` when nothing answers with pictures."""
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _CONNECT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _SILENCE_MS]
        capture = _capture(self._address, cv2.CAP_FFMPEG, limits)
        if capture is None:
            raise SourceError(
                say("{source} does not answer with pictures.", source=capitalized(self.name)),
                say("Check the address and the network."),
            )
        # FFmpeg fills what is missing of a JPEG picture with the one before: dice that are gone would be read again.
        jpegs = int(capture.get(cv2.CAP_PROP_FOURCC)) == _MOTION_JPEG
        as_sent = jpegs and bool(capture.set(cv2.CAP_PROP_FORMAT, _AS_SENT))
        return CaptureStream(capture, self.name, fps=None, clock=self._clock, as_sent=as_sent)


class VideoFile:
    """A recording in a file. Frames are timed by its own rate, or by `fps` where that is given."""

    live = False

    def __init__(self, path: str | os.PathLike[str], *, fps: float | None = None) -> None:
        """Name the file; nothing is opened yet."""
        self._path = Path(path)
        self._fps = fps
        self.name = say("the video {name}", name=self._path.name)

    def open(self) -> FrameStream:
        """Open from the first frame. Raises `SourceError` for what is no video."""
        if not self._path.is_file():
            raise SourceError(say("There is no video file {path}.", path=str(self._path)), say("Check the name."))
        capture = _capture(str(self._path), cv2.CAP_FFMPEG) or _capture(str(self._path), cv2.CAP_ANY)
        if capture is None:
            raise SourceError(
                say("{path} is no video or picture that can be read.", path=str(self._path)),
                say("Use MJPG, MP4 or WebM, or a picture file."),
            )
        told = float(capture.get(cv2.CAP_PROP_FPS))
        usual = told if math.isfinite(told) and 0 < told <= _FASTEST else USUAL_FPS
        return CaptureStream(capture, self.name, fps=self._fps or usual)


class PicameraStream:
    """An open picamera2 camera."""

    def __init__(
        self,
        camera: Any,  # noqa: ANN401 - picamera2 has no types
        clock: Callable[[], float],
        sleep: Callable[[float], None],
        hfov: float | None = None,
    ) -> None:
        """Take over a started camera; `hfov` are the degrees along the longer side of its pictures, if known."""
        self._camera = camera
        self._clock = clock
        self._sleep = sleep
        self._hfov = hfov
        self._begun = clock()
        self._index = 0
        self._taken = -math.inf
        self._pace = Pace.WATCHFUL

    def keep_pace(self, pace: Pace) -> None:
        """See `vision.ports.PacedStream`."""
        self._pace = pace

    def read(self) -> Frame | None:
        """The next frame; see `vision.ports.FrameStream`."""
        while self._clock() - self._taken < self._pace.value:
            self._sleep(_NAP)
        try:
            image = self._camera.capture_array("main")
        except Exception as why:
            raise SourceLostError(
                say("The CSI camera stopped: {reason}.", reason=str(why)), say("Check its ribbon cable.")
            ) from why
        self._taken = self._clock()
        frame = Frame(as_pixels(image), self._index, self._clock() - self._begun, hfov=self._hfov)
        self._index += 1
        return frame

    def close(self) -> None:
        """Stop and release the camera."""
        for step in (self._camera.stop, self._camera.close):
            try:
                step()
            except Exception as why:  # noqa: BLE001 - closing never raises, whatever the driver does
                _log.debug("the CSI camera would not close: %s", why)


class Picamera:
    """A CSI camera module on a Raspberry Pi, through the operating system's picamera2."""

    live = True
    name = say("the CSI camera")

    def __init__(
        self, *, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Nothing is imported or opened yet."""
        self._clock = clock
        self._sleep = sleep

    def open(self) -> FrameStream:
        """Start the camera at 1280 x 720. Raises `SourceError` with the reason why it or its library will not."""
        try:
            from picamera2 import Picamera2  # noqa: PLC0415 - absent but on a Pi, and slow to import
        except Exception as why:  # a half-installed libcamera fails in its own ways
            raise SourceError(
                say("picamera2 cannot be used here: {error}: {reason}.", error=type(why).__name__, reason=str(why)),
                say(
                    "On a Raspberry Pi: sudo apt install python3-picamera2, and make .venv with --system-site-packages."
                ),
            ) from why
        try:
            camera = Picamera2()
            # In picamera2 "RGB888" names the order in a register; in memory it is blue, green, red.
            camera.configure(camera.create_video_configuration(main={"size": (WIDTH, HEIGHT), "format": "RGB888"}))
            camera.start()
        except Exception as why:
            raise SourceError(
                say("The CSI camera does not start: {reason}.", reason=str(why)),
                say("Check its ribbon cable; rpicam-hello --list-cameras lists it."),
            ) from why
        return PicameraStream(camera, self._clock, self._sleep, _module_hfov(camera))


def _module_hfov(camera: Any) -> float | None:  # noqa: ANN401 - picamera2 has no types
    """How wide a started CSI camera sees; None where its library or its driver does not say it as expected."""
    try:
        return module_hfov(camera.camera_properties, camera.capture_metadata())
    except Exception as why:  # noqa: BLE001 - it only helps to read; the pictures come without it
        _log.debug("the CSI camera does not tell its lens: %s", why)
        return None


def as_pixels(image: cv2.typing.MatLike) -> Pixels:
    """A driver's picture as eight-bit blue, green, red."""
    if image.dtype != np.uint8:
        image = cv2.normalize(image, np.empty_like(image), 0, 255, cv2.NORM_MINMAX).astype(np.uint8)
    if image.ndim != _BGR or image.shape[2] == 1:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    elif image.shape[2] > _BGR:
        image = np.ascontiguousarray(image[:, :, :_BGR])
    return cast("Pixels", image)


def _capture(what: int | str, backend: int, settings: Sequence[int] = ()) -> cv2.VideoCapture | None:
    """An opened capture, or None where OpenCV cannot open it."""
    hush_opencv()
    try:
        capture = cv2.VideoCapture(what, backend, list(settings)) if settings else cv2.VideoCapture(what, backend)
    except (cv2.error, OSError) as why:
        _log.debug("OpenCV cannot open it: %s", why)
        return None
    if capture.isOpened():
        return capture
    capture.release()
    return None


def _is_linux() -> bool:
    return Path("/sys/class").is_dir()
