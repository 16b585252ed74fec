"""The camera's workplace for pages, API and terminal: calibrating, hints, own dice, misreadings kept as cases.

In: what a person asks. Out: words. The work itself is the camera's (`vision.desk.workbench`), which is loaded only
where the camera is: `at_work` hands the workbench out, and says what it refuses, or that there is none, in words.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta, Struct

from kiosk.devices.camera_words import (
    calibration_words,
    face_words,
    hint_words,
    learnt_words,
    next_words,
    throw_words,
    why_words,
)
from kiosk.errors import CameraDeskError
from kiosk.sources import Sources
from rules.dice import FACES, DiceError, DieKind, DieReading, DieState, Face, SourceKind, SourceState, Symbol
from rules.words import Phrase, say, sentences
from vision.errors import ReaderFailedError, VisionError

if TYPE_CHECKING:
    from vision.desk.hints import Hint
    from vision.desk.workbench import Workbench

Corner = tuple[float, float]
"""A corner as it was touched, in pixels of the picture."""
_NOT_LOOKING: Final = frozenset({SourceState.LOST, SourceState.ABSENT, SourceState.OFF})
"""The states in which a camera sends no pictures."""

REFUSALS: Final = (VisionError, DiceError, OSError)
"""The errors of the workbench; `why_words` has words for each."""

USUAL_CORNERS: Final[tuple[Corner, ...]] = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
"""Where the four corners begin on the page, as shares of the picture, clockwise from the upper left."""


class HintView(Struct, frozen=True, kw_only=True):
    """One finding on the picture."""

    kind: str
    fine: bool
    words: str


class CheckView(Struct, frozen=True, kw_only=True):
    """What the camera's newest picture lacks, and how the camera is calibrated."""

    hints: Annotated[tuple[HintView, ...], Meta(description="Empty while there is no picture.")]
    calibration: str
    why: Annotated[
        str, Meta(description="Why nothing can be told of a picture, or no new one comes; empty where all is well.")
    ]


class SeenDie(Struct, frozen=True, kw_only=True):
    """One die of the last throw, to be taught or put right."""

    place: int
    kind: DieKind
    face: Face | None
    sure: bool
    picture: str | None
    name: str

    @property
    def read_as(self) -> str:
        """The reader's result, as a sentence."""
        if self.face is None:
            return say("It was not read. What does it show?")
        if self.sure:
            return say("It was read as {face}. What does it show?", face=face_words(self.face))
        return say("It was not surely read; most likely {face}. What does it show?", face=face_words(self.face))


class OwnDieView(Struct, frozen=True, kw_only=True):
    """One die that was taught."""

    die_id: str
    name: str
    kind: DieKind
    faces: tuple[Face, ...]
    of: int
    throws: int

    @property
    def next(self) -> str:
        """How to teach more of its faces, as a sentence."""
        return next_words([face for face in FACES[self.kind] if face not in self.faces])


class CameraDesk:
    """Every method may be called from any thread. `bench` is put there by whoever has a camera."""

    def __init__(self, bench: Workbench | None = None, now: Callable[[], float] = time.time) -> None:
        self.bench = bench
        self._now = now
        self.damaged = ""

    def take_up(self, bench: Workbench) -> None:
        """Use this bench; damaged files are listed in `damaged` and left unchanged."""
        broken = bench.load()
        self.bench = bench
        if broken:
            self.damaged = sentences(*(why_words(one) for one in broken))

    @property
    def there(self) -> bool:
        """Whether a camera is in use."""
        return self.bench is not None

    def tell_damage(self, sources: Sources) -> None:
        """Report the damaged files among the parts."""
        if self.damaged:
            sources.set("camera setup", SourceState.LOST, self.damaged, say("Until then the camera works without it."))

    def check(self, sources: Sources) -> CheckView:
        """What the newest picture lacks, or the camera's own words in `sources` if there is no picture."""
        bench = self.bench
        hints, why = _hints_of(bench) if bench is not None else ((), "")
        told = tuple(HintView(kind=one.kind.value, fine=one.fine, words=hint_words(one)) for one in hints)
        return CheckView(
            hints=told,
            calibration=calibration_words(bench.setup.calibration if bench else None),
            why=why or _why_none(sources, seen=bool(told)),
        )

    def corners(self) -> tuple[Corner, ...]:
        """The tray's corners as shares of the picture; the usual ones where none are kept."""
        kept = self.bench.setup.calibration if self.bench is not None else None
        if kept is None or not kept.corners:
            return USUAL_CORNERS
        return tuple((x / kept.width, y / kept.height) for x, y in kept.corners)

    def calibrate(self, action: str, corners: Sequence[Corner] = (), *, printed: bool = False) -> str:
        """Do one of the page's actions and say what was done. Raises `CameraDeskError`.

        A tray in which dice are read is kept as the empty one only where a person says that they are `printed` there.
        """
        with self.at_work() as bench:
            if action == "card":
                bench.by_card()
                return say("The card was found. {how}", how=calibration_words(bench.setup.calibration))
            if action == "corners":
                bench.by_corners(corners)
                return say("The corners are kept. {how}", how=calibration_words(bench.setup.calibration))
            if action == "empty":
                bench.remember_empty(printed=printed)
                return say("The empty tray is kept: what lies there now is no die.")
            if action == "forget-empty":
                bench.forget_empty()
                return say("The empty tray is forgotten.")
            bench.forget_calibration()
            return say("The calibration is forgotten.")

    def seen(self) -> tuple[str, tuple[SeenDie, ...]]:
        """The last throw's name and its dice, from left to right."""
        bench = self.bench
        last = bench.last_throw() if bench is not None else None
        if bench is None or last is None:
            return "", ()
        names = {die.die_id: die.name for die in bench.setup.dice}
        given = last.reading.dice
        return last.reading.reading_id, tuple(
            SeenDie(
                place=place,
                kind=die.kind,
                face=_likeliest(die),
                sure=die.state is DieState.READ,
                picture=given[place].picture,
                name=names.get(die.die_id or "", ""),
            )
            for place, die in enumerate(last.dice)
        )

    def how_to_throw(self, sources: Sources) -> Phrase:
        """How to make a throw with the present source of pictures."""
        camera = sources.view(SourceKind.CAMERA)
        if camera is not None and camera.state in _NOT_LOOKING:
            return sentences(camera.what, camera.remedy)
        return throw_words(self.bench.goes_on if self.bench is not None else None)

    def dice(self) -> tuple[OwnDieView, ...]:
        """The dice that were taught."""
        kept = self.bench.setup.dice if self.bench is not None else ()
        return tuple(
            OwnDieView(
                die_id=die.die_id,
                name=die.name,
                kind=die.kind,
                faces=die.faces,
                of=len(FACES[die.kind]),
                throws=die.throws,
            )
            for die in kept
        )

    def teach(self, name: str, place: int, shown: str, reading_id: str, *, sure: bool = False) -> str:
        """Learn a die of the last throw; `shown` is kind and face, as `d20 17`.

        One that was read as another face is learnt only where the person is `sure`. Raises `CameraDeskError`.
        """
        with self.at_work() as bench:
            kind, face = parsed(shown)
            die = bench.teach(name, place, kind, face, reading_id=reading_id, sure=sure)
        learnt = learnt_words(die.name, len(die.faces), kind)
        return sentences(learnt, next_words([one for one in FACES[kind] if one not in die.faces]))

    def put_right(self, place: int, shown: str, reading_id: str) -> str:
        """Keep the last throw as a test case in which a die shows `shown`. Raises `CameraDeskError`."""
        with self.at_work() as bench:
            kind, face = parsed(shown)
            stamp = time.strftime("%Y%m%d-%H%M%S-", time.localtime(self._now()))
            name = bench.put_right(place, kind, face, reading_id=reading_id, now=stamp)
        return say("Kept as the test case {name}.", name=name)

    @contextmanager
    def at_work(self) -> Iterator[Workbench]:
        """The workbench; within this context its refusals, and its absence, raise `CameraDeskError`."""
        if self.bench is None:
            raise CameraDeskError(say("No camera is in use. `trueroll doctor` says why."))
        try:
            yield self.bench
        except REFUSALS as error:
            raise CameraDeskError(why_words(error)) from error


def _hints_of(bench: Workbench) -> tuple[tuple[Hint, ...], str]:
    """What the newest picture lacks, and why its reader fails, if so; both empty without a picture."""
    try:
        return bench.hints(), ""
    except ReaderFailedError as error:
        return (), why_words(error)
    except REFUSALS:
        return (), ""


def _why_none(sources: Sources, *, seen: bool) -> str:
    """Why there is no picture, or after one was `seen`, why no new one comes; empty while pictures come."""
    camera = sources.view(SourceKind.CAMERA)
    said = [one for one in (camera.what, camera.remedy) if one] if camera is not None else []
    if seen:
        return sentences(*said) if camera is not None and camera.state in _NOT_LOOKING else ""
    return sentences(say("There is no picture yet."), *said)


def parsed(shown: str) -> tuple[DieKind, Face]:
    """Kind and face of `d20 17` or `challenge effect`. Raises `CameraDeskError`."""
    kind, _, face = shown.strip().lower().partition(" ")
    try:
        return DieKind(kind), int(face) if face.isascii() and face.isdigit() else Symbol(face)
    except ValueError:
        raise CameraDeskError(say("Choose what the die shows.")) from None


def _likeliest(die: DieReading) -> Face | None:
    return die.face if die.face is not None else (die.guesses[0].face if die.guesses else None)
