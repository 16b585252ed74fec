"""Cameras over tables, as streams: what each picture would show without its fault, and what the fault makes of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np

from rules.dice import Box, DieKind, DieReading, DieState, SourceKind
from vision.errors import Blindness
from vision.frames.settling import SettleSettings
from vision.ports import Frame, GoesOn, Pixels
from vision.pose.geometry import STRAIGHT_UP
from vision.table.calibration import Calibration, MadeBy
from vision.table.view import Outlook, as_view_text, view_from_text
from vision.training.scenes import scene
from vision.watch.throws import EventKind, ThrowTracker

SIZE: Final = (1280, 720)
THROWN: Final = (DieKind.D20, DieKind.D20, DieKind.CHALLENGE)
FAULT_AT: Final = 9.0
"""Seconds of an ordinary evening before anything goes wrong: some throws, and a tray at rest."""
GRAINS: Final = 3
"""So many pictures of noise, one after another."""
MADE: Final = 8
"""So many pictures that were made of others are kept."""
THROWS: Final = 4
"""So many throws, one after another."""

CALIBRATION: Final = "calibrated"
"""Names a camera's calibration."""
MADE_THEN: Final = Calibration(*SIZE, STRAIGHT_UP, MadeBy.HAND)
"""The calibration that views are bound to."""

Picture = Callable[[float], Pixels]
"""What a camera without noise shows at a time."""


def once(make: Callable[..., Pixels]) -> Callable[..., Pixels]:
    """As `make`, which makes the same of the same picture once: most of a stream is a few pictures over and over."""
    made: dict[tuple[object, ...], tuple[Pixels, Pixels]] = {}

    def shown(picture: Pixels, *how: object) -> Pixels:
        key = (id(picture), *how)
        if key not in made:
            if len(made) >= MADE:
                made.clear()
            made[key] = picture, make(picture, *how)  # the picture is kept with it, so that no other has its id
        return made[key][1]

    return shown


@dataclass(frozen=True, slots=True)
class Table:
    """A table and its camera: which dice, which cloth, with a rim or without, how noisy, how many pictures a second."""

    name: str
    seed: int
    rim: bool = True
    noise: float = 2.0
    fps: float = 7.0
    colour: tuple[int, int, int] | None = None
    light: float = 1.0


@cache
def _grain(number: int) -> np.ndarray:
    return np.random.default_rng(700 + number).standard_normal((SIZE[1], SIZE[0], 3), dtype=np.float32)


@lru_cache(maxsize=12)
def _noise(number: int, strength: float) -> np.ndarray:
    """The noise of a picture, in whole steps."""
    return np.rint(_grain(number) * strength).astype(np.int16)


@cache
def _bare(table: Table) -> Pixels:
    """The cloth alone."""
    base = scene(table.seed * 100 + 50, (), size=SIZE).picture
    if table.colour is None:
        return base
    shade = cv2.cvtColor(base, cv2.COLOR_BGR2GRAY).astype(np.float32)
    coloured = np.array(table.colour, np.float32) * (shade / shade.mean())[..., None]
    return np.asarray(np.clip(coloured, 0, 255), np.uint8)


@cache
def thrown(table: Table, number: int) -> tuple[Pixels, tuple[Box, ...]]:
    """The table after a throw, or emptied for number -1; and where its dice lie."""
    seed = table.seed * 100 + number
    made = scene(seed, THROWN if number >= 0 else (), size=SIZE)
    picture = _bare(table).copy()
    for die in made.dice:
        box = die.box
        spot = (slice(box.y, box.y + box.height), slice(box.x, box.x + box.width))
        middle, axes = (box.width // 2, box.height // 2), (box.width // 2 - 2, box.height // 2 - 2)
        mask = np.zeros((box.height, box.width), np.uint8)
        cv2.ellipse(mask, middle, axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
        share = (mask / 255.0)[..., None]
        picture[spot] = (made.picture[spot] * share + picture[spot] * (1 - share)).astype(np.uint8)
    if table.rim:
        cv2.rectangle(picture, (60, 40), (SIZE[0] - 70, SIZE[1] - 50), (70, 110, 150), 14, cv2.LINE_AA)
        cv2.rectangle(picture, (40, 20), (SIZE[0] - 50, SIZE[1] - 30), (30, 50, 70), 8, cv2.LINE_AA)
    if table.light != 1.0:
        picture = np.clip(picture * table.light, 0, 255).astype(np.uint8)
    return picture, tuple(die.box for die in made.dice)


class Told:
    """A reader that knows where the dice lie: what is judged here is the picture, not its dice."""

    def __init__(self) -> None:
        self.boxes: tuple[Box, ...] = ()
        self.asked = 0

    def read(self, _: Pixels) -> tuple[DieReading, ...]:
        """As it was told."""
        self.asked += 1
        return tuple(DieReading(DieKind.D20, 7, 0.99, DieState.READ, SourceKind.CAMERA, box=box) for box in self.boxes)


def hand(picture: Pixels, reach: float, *, tone: tuple[int, int, int] = (120, 150, 200)) -> Pixels:
    """An arm that reaches in from the right, `reach` pixels far."""
    shown = picture.copy()
    tip = round(SIZE[0] - reach)
    cv2.rectangle(shown, (tip, 260), (SIZE[0], 430), tone, -1)
    for finger in range(4):
        cv2.ellipse(shown, (tip, 280 + 43 * finger), (90, 17), 0, 0, 360, tone, -1, cv2.LINE_AA)
    return shown


def evening(table: Table, t: float) -> tuple[Pixels, tuple[Box, ...]]:
    """Throws every two seconds: a hand for half of one, then dice at rest."""
    number = int(t // 2)
    picture, boxes = thrown(table, number % THROWS)
    into = t - 2 * number
    if into < 0.5 and number:
        return hand(thrown(table, (number - 1) % THROWS)[0], 200 + 900 * math.sin(into / 0.5 * math.pi)), boxes
    return picture, boxes


@dataclass
class Course:
    """What was told of a stream: each fault with the time at which it began to be told, and None where it ended."""

    told: list[tuple[float, Blindness | None]] = field(default_factory=list)
    events: list[EventKind] = field(default_factory=list)
    asked: int = 0

    @property
    def faults(self) -> list[Blindness]:
        return [one for _, one in self.told if one is not None]


def noisy(table: Table, picture: Pixels, number: int) -> Pixels:
    """The picture as the table's camera sends it."""
    return cv2.add(picture, _noise(number % GRAINS, table.noise), dtype=cv2.CV_8U).astype(np.uint8, copy=False)


@lru_cache(maxsize=24)
def _sent(table: Table, throw: int, grain: int) -> Pixels:
    """A table at rest as its camera sends it: most of a stream, so it is made once."""
    return noisy(table, thrown(table, throw)[0], grain)


@dataclass
class Kept:
    """What was seen with a calibration, as it goes from one evening to the next; and how often it was kept."""

    view: Outlook | None = None
    times: int = 0

    def view_of(self, calibration: object) -> Outlook | None:
        return self.view if calibration == CALIBRATION else None

    def keep_view(self, _: object, view: Outlook) -> None:
        self.view = view_from_text(as_view_text(view, MADE_THEN), MADE_THEN)
        self.times += 1


class _Playing:
    """A tracker under way, and what it has told."""

    def __init__(self, *, calibrated: bool, views: Kept | None = None) -> None:
        self.reader = Told()
        self.tracker = ThrowTracker(self.reader, SettleSettings(), (lambda: CALIBRATION) if calibrated else None, views)
        self.found = Course()
        self.last: Pixels | None = None
        self._before: Blindness | None = None

    def feed(self, frame: Frame) -> None:
        """Take the next picture."""
        self.last = frame.image
        self.found.events += [event.kind for event in self.tracker.feed(frame)]
        now = Blindness.MOVED if self.tracker.moved_since_calibrated else self.tracker.blindness
        if now is not self._before:
            self.found.told.append((frame.t, now))
            self._before = now


@lru_cache(maxsize=4)
def _after_evening(table: Table, *, calibrated: bool) -> _Playing:
    """What begins each course at `FAULT_AT`, played once: to be copied."""
    playing = _Playing(calibrated=calibrated)
    for sent in stream(table, 0, math.ceil(FAULT_AT * table.fps), lambda t: evening(table, t), playing.reader):
        playing.feed(sent)
    return playing


def course(
    table: Table,
    seconds: float,
    shown: Callable[[float], tuple[Pixels, tuple[Box, ...]]],
    *,
    after_evening: bool = False,
    frozen: tuple[float, float] | None = None,
    calibrated: bool = True,
    goes_on: GoesOn = GoesOn.BY_ITSELF,
    lost_at: float | None = None,
    views: Kept | None = None,
) -> Course:
    """Play a stream of so many seconds to a tracker; between the times of `frozen` the same picture comes again.

    With `after_evening` it shows an `evening` before `FAULT_AT`. At `lost_at` the camera is lost and found again.
    """
    playing, begin = _Playing(calibrated=calibrated, views=views), 0
    if after_evening:
        playing, begin = deepcopy(_after_evening(table, calibrated=calibrated)), math.ceil(FAULT_AT * table.fps)
    for sent in stream(table, begin, round(seconds * table.fps), shown, playing.reader):
        image = sent.image
        if frozen is not None and frozen[0] <= sent.t < frozen[1] and playing.last is not None:
            image = playing.last
        if lost_at is not None and sent.t >= lost_at:
            playing.tracker.restart()
            lost_at = None
        playing.feed(Frame(image, sent.index, sent.t, goes_on=goes_on))
    playing.found.asked = playing.reader.asked
    return playing.found


def stream(
    table: Table, begin: int, end: int, shown: Callable[[float], tuple[Pixels, tuple[Box, ...]]], reader: Told
) -> Iterator[Frame]:
    """The pictures from number `begin` to before `end` as they come; the reader knows the dice of each."""
    send = once(lambda picture, grain: noisy(table, picture, grain))
    for number in range(begin, end):
        t = number / table.fps
        picture, reader.boxes = shown(t)
        at_rest = next((throw for throw in range(-1, THROWS) if thrown(table, throw)[0] is picture), None)
        grain = number % GRAINS
        sent = send(picture, grain) if at_rest is None else _sent(table, at_rest, grain)
        yield Frame(sent, number, t)
