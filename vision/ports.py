"""The protocols between the parts of `vision`: frames come in, dice go out.

A `FrameSource` is a place frames come from; each `open()` gives a `FrameStream` of its own, so that one that hangs
in its driver can be left behind while a fresh one is tried. A `Reader` turns one picture into dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from rules.dice import Box, DieReading
from rules.words import Phrase
from vision.errors import NO_WORDS

Pixels = npt.NDArray[np.uint8]
"""A picture: rows x columns x (blue, green, red), eight bits each."""


class GoesOn(StrEnum):
    """The cause of a source's next picture."""

    BY_ITSELF = "by itself"
    """A camera, or a recording that is being played."""
    CALLED_FOR = "called for"
    """The next of several stills comes once dice are called for."""
    PUT_THERE = "put there"
    """All pictures of the folder were shown; only new files follow."""
    NEVER = "never"
    """A single picture stays as it is."""
    STAGED = "staged"
    """A simulated tray changes when somebody throws on it."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a stream: its number from 0, and the seconds since the stream began.

    In a folder of stills that each stand for a while, `index` is the picture's number, so it repeats. `zoom` is
    how many pixels of the picture as given one pixel of `image` stands for (1 unless a huge picture was reduced).
    Where a source knows that a picture has nothing to do with the one before, its `scene` is another number, above 0:
    what lies in it is a throw of its own, even if it looks the same. A scene that goes on is 0. `note` is what the
    source has to say of itself meanwhile, as a sentence; empty while it simply watches. `unread` marks a picture whose
    turn has not come: people may look at it and calibrate by it, and no dice are read in it yet.
    `goes_on` tells what brings the next picture. `hfov` is the field of view along the longer side in degrees, where
    the camera or the picture's file tells it.
    """

    image: Pixels
    index: int
    t: float
    zoom: float = 1.0
    scene: int = 0
    note: Phrase = NO_WORDS
    unread: bool = False
    goes_on: GoesOn = GoesOn.BY_ITSELF
    hfov: float | None = None


@runtime_checkable
class FrameStream(Protocol):
    """An open source. Used by one thread alone."""

    def read(self) -> Frame | None:
        """Wait for the next frame; None when a recording has ended.

        Raises `SourceLostError` when a live source stops delivering.
        """

    def close(self) -> None:
        """Let go of the device. Never raises; closing twice is fine."""


class Pace(Enum):
    """How often a live stream's pictures are wanted: the seconds between two at least, by its clock."""

    WATCHFUL = 0.065
    """Dice may be on their way, and their rest is to be seen when it comes: every picture of a usual network camera,
    every other one of 30 a second."""
    CALM = 0.3
    """Nothing has moved for a while: decoding more pictures would cost more than a table at rest may."""


@runtime_checkable
class PacedStream(Protocol):
    """A live stream that skips pictures when fewer are wanted, without decoding them if possible."""

    def keep_pace(self, pace: Pace) -> None:
        """From now on, even for a picture that is being waited for; may be called by any thread."""


@runtime_checkable
class FrameSource(Protocol):
    """A place that frames come from."""

    @property
    def name(self) -> Phrase:
        """The source in words for messages, without passwords: `camera 0`, `the folder throws`."""

    @property
    def live(self) -> bool:
        """True where frames come at their own pace, only the newest counts, and a loss may be mended by reopening.

        False for recordings: every frame is handed on, as fast as it is asked for, and `Frame.t` says when it is due.
        """

    def open(self) -> FrameStream:
        """Begin a stream. Raises `SourceError` that says what is missing and what to do."""


@runtime_checkable
class Reader(Protocol):
    """Turns a picture into dice."""

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        """Every die in the picture, boxes in its pixels; a die that cannot be known is doubtful, never guessed."""


@runtime_checkable
class Noticer(Protocol):
    """A reader that calls `noticed`, where somebody set it, once it sees that a picture may hold dice to be read."""

    noticed: Callable[[], None] | None


@dataclass(frozen=True, slots=True)
class UncountedDie:
    """A die of a kind that trueroll does not read ("d4", "d8", "d10" or "d12"), its box in pixels of the picture."""

    kind: str
    box: Box


@dataclass(frozen=True, slots=True)
class Silhouette:
    """How a die lies in a picture, in its pixels: the corners of its outline, and those of its upper face, in order."""

    outline: tuple[tuple[float, float], ...]
    face: tuple[tuple[float, float], ...]

    def moved(self, corner: tuple[int, int]) -> Silhouette:
        """The same in a crop of the picture whose first pixel is `corner`."""
        left, top = corner
        outline, face = (tuple((x - left, y - top) for x, y in points) for points in (self.outline, self.face))
        return Silhouette(outline, face)


@dataclass(frozen=True, eq=False)
class Tops:
    """The upper faces (unit normals, camera frame) of dice that were read without a remembered camera pose."""

    normals: tuple[npt.NDArray[np.float64], ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """The dice in a picture, and those of other kinds, which do not count.

    `maybe_print` are the places in `dice` of those of which only that they may be print keeps them from being read;
    `tops` the upper faces of those that were read without any memory of the camera, for `Rememberer.remember`;
    `silhouettes` those of the dice whose pose is known, by their boxes; `hfov` the field of view that the dice showed
    (degrees along the longer side), where nothing told it and they showed a wider one than was supposed.
    """

    dice: tuple[DieReading, ...]
    others: tuple[UncountedDie, ...] = ()
    maybe_print: frozenset[int] = frozenset()
    tops: Tops | None = None
    silhouettes: Mapping[Box, Silhouette] = field(default_factory=dict, hash=False)
    hfov: float | None = None


@runtime_checkable
class Surveyor(Protocol):
    """A reader that also recognises dice of other kinds."""

    def survey(self, picture: Pixels) -> Survey:
        """What `Reader.read` gives, and the dice of other kinds, from left to right."""


@runtime_checkable
class TableReader(Protocol):
    """A reader with the setup of one table: the camera's pose, the empty tray, the taught dice."""

    def untaught(self) -> Reader:
        """The same reader without the setup: for pictures of this camera that are mirrored or of another size."""

    def as_now(self) -> Reader:
        """A copy of the reader with its present knowledge, unaffected by later learning."""


@runtime_checkable
class Rememberer(Protocol):
    """A reader that learns its camera's pose from throws."""

    def remember(self, picture: Pixels, told: Survey) -> Phrase:
        """Learn from a reported throw; returns a message if the camera was moved, else `NO_WORDS`."""


@runtime_checkable
class LensReader(Protocol):
    """A reader to which it matters how wide the lens of its pictures sees."""

    def look_through(self, hfov: float | None) -> None:
        """From now on pictures see so many degrees along their longer side; None where nothing tells."""


def look_through(reader: Reader, hfov: float | None) -> None:
    """Tell the reader of the lens of the pictures that come now; see `LensReader`."""
    if isinstance(reader, LensReader):
        reader.look_through(hfov)


def surveyed(reader: Reader, picture: Pixels, noticed: Callable[[], None] | None = None) -> Survey:
    """Everything that this reader finds in the picture; `noticed` as `Noticer` has it, at once where it is none."""
    if isinstance(reader, Noticer):
        reader.noticed = noticed
    elif noticed is not None:
        noticed()
    return reader.survey(picture) if isinstance(reader, Surveyor) else Survey(reader.read(picture))


def remembered(reader: Reader, picture: Pixels, told: Survey) -> Phrase:
    """Let the reader learn from a throw; returns a message if its camera was moved, else `NO_WORDS`."""
    return reader.remember(picture, told) if isinstance(reader, Rememberer) else NO_WORDS


def as_it_is_now(reader: Reader) -> Reader:
    """A copy of the reader with its present knowledge of the table."""
    return reader.as_now() if isinstance(reader, TableReader) else reader


@runtime_checkable
class RenderedTray(Protocol):
    """A simulated tray whose present picture can be rendered."""

    def frame(self) -> Pixels:
        """The present picture of the tray."""
