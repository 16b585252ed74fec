"""Small real things for the tests: a painted tray, a reader of coloured blobs, cameras with faults."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box, DieKind, DieReading, DieState, SourceKind
from rules.words import Phrase
from vision.errors import SourceError, SourceLostError
from vision.ports import Frame, FrameStream, Pixels
from vision.table.setup import TableSetup

Spot = tuple[int, int, int]
"""Left, top, and the face that is painted."""

SIDE = 40


def tray(
    *spots: Spot, width: int = 640, height: int = 360, light: float = 1.0, noise: float = 2.0, seed: int = 0
) -> Pixels:
    """A dark textured tray with numbered red squares; the reader tells the face by the square's blue."""
    return _painted(spots, (width, height), light, noise, seed % _GRAINS).copy()


@lru_cache(maxsize=24)
def _painted(spots: tuple[Spot, ...], size: tuple[int, int], light: float, noise: float, grained: int) -> Pixels:
    width, height = size
    picture = _cloth(width, height).copy()
    for left, top, face in spots:
        square = picture[top : top + SIDE, left : left + SIDE]
        square[:] = (face * 10, 20, 220)
        cv2.putText(square, str(face), (4, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (face * 10, 140, 230), 2)
    grain = _grains()[grained][:height, :width] * np.float32(noise)
    lit = cv2.scaleAdd(picture.astype(np.float32), light, grain)
    return np.clip(lit, 0, 255, out=lit).astype(np.uint8)


@cache
def _cloth(width: int, height: int) -> Pixels:
    """The tray itself."""
    woven = (np.indices((height, width)).sum(axis=0) % 16 * 2 + 30).astype(np.uint8)
    return np.repeat(woven[:, :, None], 3, axis=2)


_GRAINS = 12
"""So many pictures differ in their noise."""


@cache
def _grains() -> NDArray[np.float32]:
    """The noise of each."""
    return np.random.default_rng(5).normal(0, 1, (_GRAINS, 480, 640, 3)).astype(np.float32)


class BlobReader:
    """Reads the squares of `tray`: a real reader of a very simple die. Counts how often it was asked."""

    def __init__(self, *, doubts: int = 0) -> None:
        """The first `doubts` pictures are read with doubt."""
        self.asked = 0
        self.table = TableSetup()
        self._doubts = doubts

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        """Every red square, from left to right."""
        self.asked += 1
        blue, green, red = (channel.astype(np.int16) for channel in cv2.split(picture))
        mask = ((red - green > 60) & (red - blue > 0) & (red > 100)).astype(np.uint8)
        opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        count, _, found, _ = cv2.connectedComponentsWithStats(opened)
        dice = []
        for number in range(1, count):
            x, y, width, height, area = (int(one) for one in found[number])
            if area < 200:
                continue
            inside = picture[y + height // 2 :, x:][: height // 3, :width]
            light = float(inside[:, :, 2].mean()) / 220
            face = round(float(inside[:, :, 0].mean()) / light / 10)
            sure = self.asked > self._doubts and 1 <= face <= 20
            dice.append(
                DieReading(
                    DieKind.D20,
                    face if sure else None,
                    0.99 if sure else 0.4,
                    DieState.READ if sure else DieState.DOUBTFUL,
                    SourceKind.CAMERA,
                    box=Box(x, y, width, height),
                )
            )
        return tuple(sorted(dice, key=lambda die: die.box.x if die.box else 0))


class FragileReader(BlobReader):
    """One that breaks on the first picture it is asked about."""

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        """As a blob reader, but for the first."""
        if not self.asked:
            self.asked += 1
            raise ZeroDivisionError("of a sort")
        return super().read(picture)


class Script:
    """A live camera that plays a script: pictures, errors to raise, `HANG` to block until let go, in turn.

    An event holds the script at the picture before it until it is set, so that no test depends on the machine's pace.

    Each opening goes on with the script where the last stopped. At its end the last picture repeats.
    """

    live = True
    name = Phrase("the scripted camera")
    HANG = "hang"

    def __init__(self, *steps: Pixels | Exception | str | threading.Event, pace: float = 0.01, absent: int = 0) -> None:
        """Frames come every `pace` seconds; the first `absent` openings fail."""
        self._steps = list(steps)
        self.pace = pace
        self._absent = absent
        self._shown: Pixels = tray()
        self.opened = 0
        self.closed = 0
        self.let_go = threading.Event()

    def open(self) -> FrameStream:
        """Fail as often as told, then play."""
        self.opened += 1
        if self.opened <= self._absent:
            raise SourceError(Phrase("There is no scripted camera."), Phrase("Plug it in."))
        return _ScriptStream(self)

    def next(self) -> Pixels:
        """The next picture of the script."""
        time.sleep(self.pace)
        step = self._steps[0]
        if isinstance(step, threading.Event):
            if not step.is_set():
                return self._shown
            self._steps.pop(0)
            step = self._steps[0]
        if len(self._steps) > 1:
            self._steps.pop(0)
        if isinstance(step, Exception):
            raise step
        if isinstance(step, str):
            self.let_go.wait(30)
            raise SourceLostError(Phrase("The scripted camera was let go."))
        if isinstance(step, threading.Event):
            msg = "one event after another holds nothing"
            raise TypeError(msg)
        self._shown = step
        return step


class _ScriptStream:
    def __init__(self, script: Script) -> None:
        self._script = script
        self._index = 0

    def read(self) -> Frame | None:
        frame = Frame(self._script.next(), self._index, self._index * self._script.pace)
        self._index += 1
        return frame

    def close(self) -> None:
        self._script.closed += 1


def frames(pictures: Sequence[Pixels], *, fps: float = 30.0, begin: float = 0.0, first: int = 0) -> list[Frame]:
    """The pictures as a stream."""
    return [Frame(picture, first + number, begin + number / fps) for number, picture in enumerate(pictures)]


def still(count: int, *spots: Spot, light: float = 1.0, noise: float = 2.0) -> list[Pixels]:
    """So many pictures of the same tray, each with its own noise."""
    return [tray(*spots, light=light, noise=noise, seed=seed) for seed in range(count)]


def rolling(count: int, face: int = 7) -> list[Pixels]:
    """A square that crosses the tray."""
    return [tray((40 + 14 * step % 540, 60 + 5 * step % 200, face), seed=step) for step in range(count)]
