"""Detects when the dice have come to rest, from frames and their times, without any I/O.

Every frame becomes a `Glance`: a small grey picture without its slow changes of brightness, so that daylight, soft
shadows and the camera's exposure hardly touch it, and a coarse map of brightness. Looks are compared with the one
at which the present stillness began, not with the frame before: a die that creeps is seen as well as one that leaps.
Where the brightness of most of the picture leaps at once, a lamp was switched or the camera was turned elsewhere;
that is no motion of dice, but the scene is looked at afresh, and settles again.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.ports import Frame, Pixels

LARGEST_WINDOW: Final = 0.4
"""The longest settle window, in seconds."""

_COLUMNS: Final = 320
"""The width of the small picture for detecting motion, in pixels."""
_ROWS: Final = 180
"""The height of the small picture, in pixels."""
LOOK_SHAPE: Final = (_ROWS, _COLUMNS)
"""The small picture's rows and columns."""
_CELLS: Final = (16, 9)
"""The cells, across and down, whose brightness distinguishes a lamp from a die."""
_NEIGHBOURHOOD: Final = (25, 25)
"""Pixels of the small picture against whose mean a pixel's contrast counts."""
_ZERO: Final = np.zeros((_ROWS, _COLUMNS), np.int16)
"""No contrast anywhere."""
_NOISE_STEP: Final = 4
"""The step between pixels sampled for the noise."""
_QUIET_SHARE: Final = 0.7
"""The share of the quietest pixels that measure the noise: see `noise_between`."""
_TO_DEVIATION: Final = 2.11
"""Their mean difference times this is the standard deviation of normal noise."""
_NOISE_FACTOR: Final = 4.0
"""Changes below this number of standard deviations of the noise are ignored."""
_NOISE_PACE: Final = 0.2
"""The weight of the latest noise in its running mean."""
_INTERVAL_PACE: Final = 0.2
"""The weight of the latest interval between frames in its running mean."""
_AGREEING: Final = 3
"""Frames that must agree that nothing moves."""
_RENEWAL: Final = 2.0
"""Seconds after which the reference look is renewed at rest."""
_ROUNDING: Final = 1e-6
"""Seconds by which sums of frame times may be off."""
_DARK: Final = 40.0
"""Grey levels added to the light around: in the dark noise would be blown up."""
_MIDDLE: Final = 88.0
"""The light, in grey levels, in which a contrast counts as it is."""
_LUMPS: Final = np.full((_ROWS, _COLUMNS), 255 * 3.5 / 9, np.uint8)
"""The mean of nine pixels of which four have changed: a lone pixel is noise, a die is not."""


class Change(StrEnum):
    """What differs between two looks."""

    NOTHING = "nothing"
    PART = "part"
    SCENE = "scene"


class Settling(StrEnum):
    """The result of a frame: something moves, everything has come to rest, or the whole scene changed."""

    MOTION = "motion"
    SETTLED = "settled"
    SCENE = "scene"


@dataclass(frozen=True, slots=True)
class SettleSettings:
    """What counts as motion and as rest. The defaults suit dice of 20 pixels and more in a frame 1280 wide.

    Attributes:
        window: seconds of stillness that make a rest, above 0 and at most `LARGEST_WINDOW`.
        contrast: change of local contrast, in grey levels at middling light, beyond the picture's noise.
        share_of_contrast: share of the contrast itself that a change must exceed; forgives imperfect light.
        smallest_patch: pixels of the 320 x 180 look that must change together.
        brightness: grey levels by which a cell of the coarse map must leap to count as relit.
        scene: share of the cells that must leap at once for the whole scene to count as changed.
        gap: seconds without a frame after which stillness must be shown anew (or three usual intervals, if longer).
    """

    window: float = 0.3
    contrast: float = 8.0
    share_of_contrast: float = 0.15
    smallest_patch: int = 8
    brightness: float = 12.0
    scene: float = 0.6
    gap: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a window that would report early or late."""
        if not 0 < self.window <= LARGEST_WINDOW:
            msg = f"a settle window of {self.window} s is outside 0 to {LARGEST_WINDOW} s"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A frame made small: local contrast (signed, as if in middling light), and the coarse map of brightness."""

    contrast: npt.NDArray[np.int16]
    brightness: npt.NDArray[np.int16]


def look_at(image: Pixels) -> Glance:
    """Make a picture of any size small enough to be compared in well under a millisecond."""
    thinned = cv2.resize(image, (2 * _COLUMNS, 2 * _ROWS), interpolation=cv2.INTER_NEAREST)
    grey = cv2.resize(cv2.cvtColor(thinned, cv2.COLOR_BGR2GRAY), (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA)
    cells = cv2.resize(grey, _CELLS, interpolation=cv2.INTER_AREA)
    around = cv2.blur(grey, _NEIGHBOURHOOD)
    # Relative to the light that falls there, so that a lamp or a shadow, which multiplies, leaves it as it is.
    beyond = cv2.subtract(grey, around, dtype=cv2.CV_32F)
    light = around.astype(np.float32) + np.float32(_DARK)
    contrast = cv2.divide(beyond, light, scale=_DARK + _MIDDLE).astype(np.int16)
    return Glance(contrast, cells.astype(np.int16))


def compare(before: Glance, now: Glance, settings: SettleSettings, noise: float = 0.0) -> Change:
    """Whether a part or the whole scene changed; `noise` is the usual difference of two still looks."""
    leapt = np.abs(now.brightness - before.brightness) > settings.brightness
    if float(leapt.mean()) >= settings.scene:
        return Change.SCENE
    difference = cv2.absdiff(before.contrast, now.contrast)
    strongest = cv2.max(cv2.absdiff(before.contrast, _ZERO), cv2.absdiff(now.contrast, _ZERO))
    bound = cv2.addWeighted(
        strongest, settings.share_of_contrast, _ZERO, 0.0, settings.contrast + _NOISE_FACTOR * noise
    )
    changed = cv2.compare(difference, bound, cv2.CMP_GT)
    lumps = cv2.compare(cv2.blur(changed, (3, 3)), _LUMPS, cv2.CMP_GT)  # a lone pixel is noise, a die is not
    return Change.PART if cv2.countNonZero(lumps) >= settings.smallest_patch else Change.NOTHING


def noise_between(before: Glance, now: Glance) -> float:
    """The camera's noise as the standard deviation between two looks, in grey levels.

    Measured on the quietest 70 % of the pixels, so that things which move in less than 30 % of the picture do not
    count; of normally distributed noise, those differ by 1 / 2.11 of the standard deviation on average.
    """
    few = now.contrast[::_NOISE_STEP, ::_NOISE_STEP] - before.contrast[::_NOISE_STEP, ::_NOISE_STEP]
    quiet = int(few.size * _QUIET_SHARE)
    return _TO_DEVIATION * float(np.partition(np.abs(few), quiet, axis=None)[:quiet].mean())


class SettleDetector:
    """Says when things move and when they have come to rest. One detector follows one stream.

    A rest needs the window to pass with three frames that agree, or `LARGEST_WINDOW` with two (slow cameras). The
    first rest of a stream is said as well: the dice may have been there before the camera was.
    """

    def __init__(self, settings: SettleSettings | None = None) -> None:
        """Begin without a reference."""
        self._settings = settings or SettleSettings()
        self.restart()

    def restart(self) -> None:
        """Forget the scene, as after the loss of a camera, so that the next rest is reported."""
        self._anchor: Glance | None = None
        self._newest: Glance | None = None
        self._since = 0.0
        self._agreeing = 0
        self._last: float | None = None
        self._interval = 0.0
        self._noise: float | None = None
        self._at_rest = False
        self._moving = False

    @property
    def at_rest(self) -> bool:
        """True from the frame that settled until something changes."""
        return self._at_rest

    @property
    def agreeing(self) -> int:
        """How many of the newest frames agree with one another, the newest included; 0 before the first."""
        return self._agreeing

    @property
    def newest(self) -> Glance | None:
        """What the newest frame looks like; None before the first."""
        return self._newest

    @property
    def noise(self) -> float:
        """The camera's noise between two looks, in grey levels; 0 while it is unknown."""
        return self._noise or 0.0

    def feed(self, frame: Frame) -> Settling | None:
        """Process the next frame; times must not run backwards. Returns the change, if any."""
        look = self._newest = look_at(frame.image)
        stale = self._gap(frame.t)
        if self._anchor is None:
            self._agreeing = 1
            self._begin(look, frame.t)
            return None
        noise = noise_between(self._anchor, look)
        self._noise = noise if self._noise is None else self._noise + _NOISE_PACE * (noise - self._noise)
        change = compare(self._anchor, look, self._settings, self._noise)
        if change is not Change.NOTHING:
            was_moving = self._moving
            self._moving = was_moving or change is Change.PART
            self._at_rest = False
            self._agreeing = 1
            self._begin(look, frame.t)
            if change is Change.SCENE:
                return Settling.SCENE
            return None if was_moving else Settling.MOTION
        self._agreeing += 1
        if self._at_rest:
            self._keep(look, frame.t)
            return None
        if stale:
            self._agreeing = 1
            self._begin(look, frame.t)
            return None
        return self._settle(look, frame.t)

    def _gap(self, t: float) -> bool:
        """True when so long passed since the last frame that things may have moved and come back."""
        if self._last is None:
            self._last = t
            return False
        interval, self._last = max(0.0, t - self._last), t
        stale = interval > max(self._settings.gap, 3.0 * self._interval)
        self._interval += (interval - self._interval) * (_INTERVAL_PACE if self._interval else 1.0)
        return stale

    def _begin(self, look: Glance, t: float) -> None:
        self._anchor, self._since = look, t

    def _settle(self, look: Glance, t: float) -> Settling | None:
        still = t - self._since + _ROUNDING
        enough = still >= LARGEST_WINDOW or (still >= self._settings.window and self._agreeing >= _AGREEING)
        if not enough:
            return None
        self._at_rest, self._moving = True, False
        self._keep(look, t, at_once=True)
        return Settling.SETTLED

    def _keep(self, look: Glance, t: float, *, at_once: bool = False) -> None:
        """Follow daylight: at rest, the reference look is renewed every other second."""
        if at_once or t - self._since >= _RENEWAL:
            self._begin(look, t)
