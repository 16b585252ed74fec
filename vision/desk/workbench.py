"""What a person can do with the camera: calibrate, teach dice, keep misreadings, see what the reader saw.

Everything takes effect at once: the table's reader uses the new setup from its next picture on.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol, TypeVar, runtime_checkable

import cv2
import numpy as np

from rules.dice import Box, DieKind, DieReading, DieState, Face, as_challenge_face, require_face
from rules.words import say
from vision.desk import cases
from vision.desk.cases import Expected
from vision.desk.enrolment import EnrolmentPicture, learnt
from vision.desk.evening import after_answer, said_before, without_twins
from vision.desk.hints import SIZES, Hint, look_over
from vision.desk.sizes import SizeWatch
from vision.desk.snapshots import Snapshots
from vision.desk.tray_pictures import TrayPictures
from vision.errors import (
    CalibrationError,
    DiceThereError,
    OwnDiceError,
    OwnDiceFault,
    ReaderFailedError,
    SourceError,
    Unusable,
    VisionError,
)
from vision.frames.pictures import encode_png
from vision.ports import GoesOn, Pixels
from vision.pose.geometry import STRAIGHT_UP, across
from vision.pose.thresholds import LONGEST_SIDE
from vision.read.detection import Detection
from vision.read.mirror import PictureReading, SecondLook, told_by
from vision.read.reader import PictureReader, explained
from vision.read.readings import same_kind
from vision.table.calibration import FILE_NAME as CALIBRATION_NAME
from vision.table.calibration import Calibration, MadeBy, by_card, by_corners, by_views
from vision.table.card import pieces
from vision.table.folder import TableFolder
from vision.table.setup import TableSetup
from vision.table.view import Outlook
from vision.taught.own_dice import FILE_NAME as OWN_DICE_NAME
from vision.taught.own_dice import MOST_DICE, OwnDie, as_text, checked_name, from_text
from vision.watch.sight import view_of
from vision.watch.watcher import SeenThrow


class Eye(Protocol):
    """What sees the table: a watcher, or a still picture."""

    def newest(self) -> Pixels | None:
        """The newest picture, None where there is none."""

    def last_throw(self) -> SeenThrow | None:
        """The last throw that was reported."""


@runtime_checkable
class Watching(Eye, Protocol):
    """An eye on a source with many pictures."""

    @property
    def goes_on(self) -> GoesOn:
        """What brings the next one."""


_HELD_LIKELY: Final = 0.5
"""The least chance of a face that the reader would suggest."""
_MOST_IN_PLAY: Final = 24
"""Most dice of a kind with a name that nobody gave, so that room is left for those that people name."""

AnyEye = TypeVar("AnyEye", bound=Eye)
"""The type of the eye that `attend` takes and returns."""

_log = logging.getLogger(__name__)


class NoPictureError(SourceError):
    """Nothing has been seen yet."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__(say("There is no camera picture now."), say("Wait until the camera is ready, and throw once."))


class ThrowGoneError(SourceError):
    """The throw in question is no longer the last one."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__(say("Another throw has come meanwhile. Look at its dice below, and say what they show."))


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """What the reader found in a picture, with the setup of that moment."""

    picture: Pixels
    table: TableSetup
    reading: PictureReading


class Workbench:
    """Every method may be called from any thread; those that look at a picture take a tenth of a second or so.

    Args:
        reader: the one that watches the table; its `table` is replaced whenever something is kept.
        folder: where the parts are kept.
    """

    def __init__(self, reader: PictureReader, folder: Path) -> None:
        self._reader = reader
        self._second_look = SecondLook()
        self._size = SizeWatch(reader, longest=LONGEST_SIDE)
        self._told: _Told | None = None
        self._shrunk: tuple[Pixels, Pixels] | None = None
        self._folder = TableFolder(folder)
        self._cases = folder / cases.FOLDER_NAME
        self._eye: Eye | None = None
        self._view: tuple[Calibration, Outlook] | None = None
        self._case = cases.LastCase("", "", {})
        self._lesson = LastLesson()
        self._said_once: tuple[OwnDie, ...] = ()
        self._fails = False
        self._lock = threading.Lock()

    def snapshots(self) -> Snapshots:
        """What reads pictures of other cameras with what was taught here, now and later."""
        return Snapshots(self._reader)

    def tray_pictures(self) -> TrayPictures:
        """What reads the pictures of a tray with a camera of its own, with what was taught here, now and later."""
        return TrayPictures(self._reader)

    def attend(self, eye: AnyEye) -> AnyEye:
        """Look through this eye from now on; give it back."""
        self._eye = eye
        return eye

    def look_through(self, hfov: float | None) -> None:
        """From now on the eye's pictures see so many degrees along their longer side; None where nothing tells."""
        self._reader.look_through(hfov)

    @property
    def setup(self) -> TableSetup:
        """What is known of the table now."""
        return self._reader.table

    @property
    def calibrated_place(self) -> Calibration | None:
        """The calibration, if it depends on the camera's place: one of the lens alone does not.

        None also for pictures of another shape, for which it does not count.
        """
        kept = self.setup.calibration
        if kept is None or not kept.witnesses:
            return None
        newest = self._eye.newest() if self._eye is not None else None
        return kept if newest is None or kept.for_picture(newest.shape[1], newest.shape[0]) else None

    def view_of(self, calibration: object) -> Outlook | None:
        """What the camera saw with this calibration; None where it is not known."""
        seen = self._view
        return seen[1] if seen is not None and seen[0] is calibration else None

    def keep_view(self, calibration: object, view: Outlook) -> None:
        """Keep what the camera saw with its present calibration. A disk that takes nothing is logged."""
        with self._lock:
            if isinstance(calibration, Calibration) and calibration is self.setup.calibration:
                self._see(calibration, view)

    def _see(self, calibration: Calibration, view: Outlook) -> None:
        self._view = calibration, view
        try:
            self._folder.keep_view(view, calibration)
        except OSError as why:
            _log.warning("What the camera sees could not be kept (%s): a move while it is off is not noticed.", why)

    def load(self) -> tuple[VisionError, ...]:
        """Load what is kept; damaged files are skipped and reported, and left out of what `holds` says."""
        told: list[VisionError] = []
        setup = TableSetup()
        try:
            setup = replace(setup, calibration=self._folder.calibration())
        except VisionError as why:
            told.append(why)
        try:
            setup = replace(setup, empty=self._folder.empty())
        except VisionError as why:
            told.append(why)
        try:
            setup = replace(setup, dice=self._folder.dice())
        except VisionError as why:
            told.append(why)
        kept = setup.calibration
        view = self._folder.view(kept) if kept is not None else None
        self._view = (kept, view) if kept is not None and view is not None else None
        self._reader.table = setup
        return tuple(told)

    def files(self) -> dict[Path, Callable[[], bool]]:
        """The JSON files, each with the function that writes its present content again.

        That function returns False while somebody is at work, or if writing fails.
        """
        return {
            self._folder.folder / CALIBRATION_NAME: lambda: self._kept_anew(
                lambda: self._folder.keep_calibration(self.setup, self.setup.calibration)
            ),
            self._folder.folder / OWN_DICE_NAME: lambda: self._kept_anew(
                lambda: self._folder.keep_dice(self.setup, self.setup.dice)
            ),
        }

    def holds(self, path: Path) -> bool:
        """Whether there is something in memory to write to that one of the `files`: it may be all that is left of it.

        There is nothing of a file that could not be read until something new was kept.
        """
        return bool(self.setup.dice) if path.name == OWN_DICE_NAME else self.setup.calibration is not None

    def _kept_anew(self, keep: Callable[[], object]) -> bool:
        if not self._lock.acquire(blocking=False):
            return False
        try:
            keep()
        except OSError:
            return False
        finally:
            self._lock.release()
        return True

    def picture(self) -> Pixels:
        """The newest picture, no larger than it is read at. Raises `NoPictureError`."""
        found = self._eye.newest() if self._eye is not None else None
        if found is None:
            raise NoPictureError
        shrink = LONGEST_SIDE / max(found.shape[:2])
        if shrink >= 1:
            return found
        last = self._shrunk
        if last is None or last[0] is not found:
            small = cv2.resize(found, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            last = self._shrunk = found, np.asarray(small, np.uint8)
        return last[1]

    def told(self, picture: Pixels) -> PictureReading:
        """What the reader finds in a picture at this table.

        The result is cached for the last picture and setup, because pages ask repeatedly.
        """
        table, last = self.setup, self._told
        if last is not None and last.picture is picture and last.table is table:
            return last.reading
        with self._in_words():
            reading = told_by(self._reader.as_now(), picture, self._second_look)
        if self.setup is table:
            self._told = _Told(picture, table, reading)
        return reading

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        """The dice in it."""
        return self.told(picture).dice

    def measure_lens(self, pictures: Sequence[Pixels]) -> tuple[float, float, float]:
        """Measure and keep the lens by pictures of the card held at slants: field of view, bend, pixels off.

        Raises `CalibrationError`.
        """
        if not pictures:
            raise CalibrationError(Unusable.FEW_VIEWS)
        greys = [np.asarray(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), np.uint8) for one in pictures]
        height, width = greys[0].shape
        told, bend, off = by_views(greys, hfov=across(self._reader.hfov, width, height))
        with self._lock:
            kept = self.setup.calibration
            known = kept.for_picture(width, height) if kept is not None else None
            known = known or Calibration(width, height, STRAIGHT_UP, MadeBy.LENS)
            made = replace(known, hfov=told, hfov_known=True, bend=bend)
            self._reader.table = self._folder.keep_calibration(self.setup, made)
        return told, bend, off

    def hints(self) -> tuple[Hint, ...]:
        """What the newest picture lacks. Raises `NoPictureError`."""
        picture = self.picture()
        told = self.told(picture)
        hints = look_over(picture, told.dice, self.setup.calibration, turned=told.mirrored)
        known = told.mirrored or any(one.kind in SIZES for one in hints)
        size = self._size.hint(picture, told.dice) if not known else None
        return hints if size is None or size.kind not in SIZES else (*hints, size)

    def by_card(self) -> None:
        """Calibrate by the card in the newest picture. Raises `NoPictureError` and `CalibrationError`."""
        picture = self.picture()
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        with self._lock:
            hfov = across(self._reader.hfov, grey.shape[1], grey.shape[0])
            made = by_card(grey, hfov=hfov, before=self.setup.calibration)
            self._place(made, picture)

    def by_corners(self, corners: Sequence[tuple[float, float]]) -> None:
        """Calibrate by the tray's corners, as shares (0..1) of the picture's width and height, in order round it.

        Raises `NoPictureError` and `CalibrationError`.
        """
        picture = self.picture()
        height, width = picture.shape[:2]
        spots = [(x * width, y * height) for x, y in corners]
        with self._lock:
            hfov = across(self._reader.hfov, width, height)
            made = by_corners(spots, (width, height), hfov=hfov, before=self.setup.calibration)
            self._place(made, picture)

    def _place(self, made: Calibration, picture: Pixels) -> None:
        """Keep a calibration that was made by this picture, and what that shows of the table beside dice and card."""
        setup = self._folder.keep_calibration(self.setup, made)
        self._view = None
        with suppress(VisionError), self._in_words():
            seen = self._reader.elsewhere(self._reader.hfov).telling_all().survey(picture)
            grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
            boxes = [*(die.box for die in seen.dice if die.box), *(one.box for one in seen.others), *pieces(grey)]
            self._see(made, view_of(picture, boxes))
        self._reader.table = setup

    def forget_calibration(self) -> None:
        """Use the whole picture again, from a camera assumed to look straight down."""
        with self._lock:
            self._reader.table = self._folder.keep_calibration(self.setup, None)

    def remember_empty(self, *, printed: bool = False) -> None:
        """Take the newest picture as the empty tray's.

        Raises `NoPictureError`, and `DiceThereError` where a die is read in it, unless a person says that what looks
        like dice there is `printed`: all that lies there is no die afterwards.
        """
        picture = self.picture()
        if not printed:
            with self._in_words():
                dice = self._reader.without_empty().read(picture)
            if any(die.state is DieState.READ for die in dice):
                raise DiceThereError(len(dice))
        with self._lock:
            self._reader.table = self._folder.keep_empty(self.setup, picture)

    def forget_empty(self) -> None:
        """Forget the empty tray."""
        with self._lock:
            self._reader.table = self._folder.keep_empty(self.setup, None)

    def explained(self) -> bytes:
        """What the reader made of the last throw (or of the newest picture), as a PNG picture for people.

        Raises `NoPictureError`.
        """
        last = self.last_throw()
        with self._in_words():
            if last is None:
                return encode_png(explained(self.picture(), self._reader))
            reader, told = (last.reader, last.dice) if isinstance(last.reader, PictureReader) else (self._reader, ())
            return encode_png(explained(last.picture, reader, mirrored=last.mirrored, told=told))

    def last_throw(self) -> SeenThrow | None:
        """The last throw that was reported."""
        return self._eye.last_throw() if self._eye is not None else None

    @property
    def goes_on(self) -> GoesOn:
        """What brings the next picture."""
        return self._eye.goes_on if isinstance(self._eye, Watching) else GoesOn.BY_ITSELF

    def put_right(self, place: int, kind: DieKind, face: Face, *, reading_id: str = "", now: str = "") -> str:
        """Keep the last throw as a test case: its die number `place` (from 0) shows `face`, the others what was read.

        Another die of the same throw joins the same case. `reading_id` is the throw that the person saw; `now` stamps
        the case's name. Gives the case's name. Raises `ThrowGoneError` where that throw is gone, `OwnDiceError` where
        there is no such die or it was read just so, `DiceError`, `OSError`.
        """
        last, die = self._die(place, reading_id)
        require_face(kind, face)
        if die.state is DieState.READ and die.face == face and same_kind(die, replace(die, kind=kind, face=face)):
            raise OwnDiceError(OwnDiceFault.READ_SO)
        with self._lock:
            before = self._case
            again = before.reading_id == last.reading.reading_id and before.name in self.case_names()
            said = {**(before.said if again else {}), place: (kind, face)}
            read = {n: (one.kind, one.face) for n, one in enumerate(last.dice) if one.face is not None}
            boxes = {n: one.box for n, one in enumerate(last.dice) if one.box is not None}
            shows = {**read, **said}
            expected = [Expected(*shows[n], boxes[n]) for n in sorted(shows.keys() & boxes.keys())]
            name = before.name if again else f"{now}{secrets.token_hex(4)}"
            by = last.reader if isinstance(last.reader, PictureReader) else self._reader
            cases.keep_case(self._cases, name, last.picture, expected, last.dice, hfov=by.known_hfov)
            self._case = cases.LastCase(last.reading.reading_id, name, said)
        return name

    def teach(
        self, name: str, place: int, kind: DieKind, face: Face, *, reading_id: str = "", sure: bool = False
    ) -> OwnDie:
        """Learn that die number `place` of the last throw is the die called `name` and shows `face`.

        A name that is not known yet is a new die. A die that was read as showing another face is learnt only where the
        person is `sure`, and of a mirrored picture none: it would not be known in a true one. Raises `NoPictureError`,
        `CalibrationError`, `OwnDiceError`, `DiceError` and `OSError`.
        """
        last, die = self._die(place, reading_id)
        return self._learn(last, die, name, kind, face, sure=sure)

    def _learn(self, last: SeenThrow, die: DieReading, name: str, kind: DieKind, face: Face, *, sure: bool) -> OwnDie:
        require_face(kind, face)
        if last.mirrored:
            raise CalibrationError(Unusable.MIRRORED)
        if not sure and _read_otherwise(die, kind, face):
            raise OwnDiceError(OwnDiceFault.READ_OTHERWISE)
        with self._in_words():
            seen = self._reader.telling_all().look_at_its_size(last.picture)
        found = _found_at(seen.found, seen.readings, die)
        if found is None:
            raise OwnDiceError(OwnDiceFault.NOT_SEEN)
        bare = checked_name(name)
        with self._lock:
            own = {one.die_id: one for one in self.setup.dice}
            known = next((one for one in own.values() if one.name.casefold() == bare.casefold()), None)
            if known is None:
                if len(own) >= MOST_DICE:
                    raise OwnDiceError(OwnDiceFault.MANY)
                known = OwnDie(secrets.token_hex(4), bare, kind)
            if known.kind is not kind:
                raise OwnDiceError(OwnDiceFault.TAKEN)
            shown = EnrolmentPicture(seen.picture, seen.camera, seen.found)
            known = self._lesson.start_from(known, (last.reading.reading_id, die.box, known.die_id), face)
            own[known.die_id] = after = learnt(known, shown, found, face, self._reader.networks)
            kept = self._folder.keep_dice(self.setup, tuple(own.values()))
            self._reader.table = replace(kept, evening=without_twins(kept.evening, after))
        return after

    def learn_answer(self, last: SeenThrow, picture: str, kind: DieKind, face: Face) -> OwnDie | None:
        """Learn a person's answer about the doubtful die of that `picture`; returns the die that is kept.

        A taught die that was recognised learns another look. Of any other one a new die is made, called by its
        kind and a number, where the reader had no face to suggest.

        None where nothing is kept. What the person confirmed is remembered for the evening. An answer that contradicts
        a likely face of a cube is remembered only when given twice: otherwise a slip of the finger would be believed
        ever after. Raises as `teach` does.
        """
        place = next((number for number, die in enumerate(last.reading.dice) if die.picture == picture), None)
        if place is None:
            return None
        die = last.dice[place]
        if die.state is not DieState.DOUBTFUL or (die.kind is DieKind.D20) is not (kind is DieKind.D20):
            return None
        likely = next((one.face for one in die.guesses if one.chance >= _HELD_LIKELY), None)
        names = {one.die_id: one.name for one in self.setup.dice}
        name = names.get(die.die_id or "")
        if die.kind is kind and likely in (None, face):
            if name is None and likely is None and not self._of_evening(die):
                free = (f"{kind} {number}" for number in range(1, _MOST_IN_PLAY + 1))
                taken = {one.casefold() for one in names.values()}  # as `_learn` compares them
                name = next((one for one in free if one not in taken), None)
            if name is not None:
                return self._learn(last, die, name, kind, face, sure=False)
        if likely in (None, face) or kind is not DieKind.D20:
            self._remember(last, die, (kind, face), twice=likely not in (None, face))
        return None

    def _of_evening(self, die: DieReading) -> bool:
        return any(one.die_id == die.die_id for one in self.setup.evening)

    def _remember(self, last: SeenThrow, die: DieReading, answer: tuple[DieKind, Face], *, twice: bool) -> None:
        """Remember an answer for the evening; with `twice`, only the second time it is given."""
        require_face(*answer)
        if last.mirrored:
            return
        with self._in_words():
            seen = self._reader.telling_all().look_at_its_size(last.picture)
        found = _found_at(seen.found, seen.readings, die)
        if found is None:
            raise OwnDiceError(OwnDiceFault.NOT_SEEN)
        shown, networks = EnrolmentPicture(seen.picture, seen.camera, seen.found), self._reader.networks
        with self._lock:
            if twice and not said_before(self._said_once, shown, found, answer):
                self._said_once = after_answer(self._said_once, shown, found, answer, networks)
                return
            evening = after_answer(self.setup.evening, shown, found, answer, networks)
            self._reader.table = replace(self.setup, evening=evening)

    def forget_evening(self) -> None:
        """Forget the dice learnt from this evening's answers."""
        with self._lock:
            self._said_once = ()
            self._reader.table = replace(self.setup, evening=())

    def agrees(self, place: int, kind: DieKind, face: Face) -> bool:
        """Whether die number `place` of the last throw was not read as another face. Raises as `teach` does."""
        return not _read_otherwise(self._die(place, "")[1], kind, require_face(kind, face))

    def rename(self, die_id: str, name: str) -> None:
        """Give a taught die another name. Raises `OwnDiceError` and `OSError`."""
        bare = checked_name(name)
        with self._lock:
            self._require(die_id)
            if any(one.name.casefold() == bare.casefold() and one.die_id != die_id for one in self.setup.dice):
                raise OwnDiceError(OwnDiceFault.TAKEN)
            self._keep_dice(replace(one, name=bare) if one.die_id == die_id else one for one in self.setup.dice)

    def forget(self, die_id: str) -> None:
        """Forget a taught die. Raises `OwnDiceError` and `OSError`."""
        with self._lock:
            self._require(die_id)
            self._keep_dice(one for one in self.setup.dice if one.die_id != die_id)

    def exported_dice(self) -> str:
        """The taught dice as the text of a file."""
        return as_text(self.setup.dice)

    def import_dice(self, text: str) -> int:
        """Take dice from a file's text; one of the same id is replaced. Gives how many came. Raises `OwnDiceError`."""
        try:
            new = from_text(text)
        except OwnDiceError as why:
            raise OwnDiceError(OwnDiceFault.NO_DICE) from why
        with self._lock:
            kept = {one.die_id: one for one in self.setup.dice} | {one.die_id: one for one in new}
            if len(kept) > MOST_DICE:
                raise OwnDiceError(OwnDiceFault.MANY)
            self._keep_dice(kept.values())
        return len(new)

    def case_names(self) -> tuple[str, ...]:
        """The names of the test cases that are kept."""
        return tuple(case.case_id for case in cases.cases(self._cases))

    def exported_cases(self) -> bytes:
        """All test cases as a ZIP file."""
        return cases.exported(self._cases)

    def forget_case(self, case_id: str) -> bool:
        """Delete a test case; whether there was one."""
        return cases.forget(self._cases, case_id)

    def _die(self, place: int, reading_id: str) -> tuple[SeenThrow, DieReading]:
        last = self.last_throw()
        if last is None:
            raise NoPictureError
        if reading_id and last.reading.reading_id != reading_id:
            raise ThrowGoneError
        if not 0 <= place < len(last.dice):
            raise OwnDiceError(OwnDiceFault.NOT_SEEN)
        return last, last.dice[place]

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Turn failures of the reader into an error for people; logged once."""
        try:
            yield
        except VisionError:
            raise
        except Exception as why:
            if not self._fails:
                _log.warning("the reader fails on a picture (%s: %s)", type(why).__name__, why)
            self._fails = True
            raise ReaderFailedError(why) from why
        self._fails = False

    def _require(self, die_id: str) -> None:
        if all(one.die_id != die_id for one in self.setup.dice):
            raise OwnDiceError(OwnDiceFault.UNKNOWN)

    def _keep_dice(self, dice: Iterable[OwnDie]) -> None:
        self._reader.table = self._folder.keep_dice(self.setup, tuple(dice))


def _read_otherwise(die: DieReading, kind: DieKind, face: Face) -> bool:
    """Whether `die` was read as another face; equal faces of a d6 and a Challenge Die count as the same."""
    if die.state is not DieState.READ or die.face is None:
        return False
    if DieKind.D20 in {die.kind, kind} or die.kind is kind:
        return (die.kind, die.face) != (kind, face)
    return as_challenge_face(die.kind, die.face) != as_challenge_face(kind, face)


def _found_at(found: Sequence[Detection], readings: Sequence[DieReading], die: DieReading) -> Detection | None:
    """The one of `found` whose reading has its middle in the box of `die`, the nearest to its middle."""
    if die.box is None:
        return None
    x, y = die.box.x + die.box.width / 2, die.box.y + die.box.height / 2
    near = [
        (abs(one.box.x + one.box.width / 2 - x) + abs(one.box.y + one.box.height / 2 - y), number)
        for number, one in enumerate(readings)
        if one.box is not None
    ]
    far, number = min(near, default=(float("inf"), -1))
    return found[number] if far < 0.4 * (die.box.width + die.box.height) else None


Where = tuple[str, Box | None, str]
"""The throw's name, the die's box in it, and which taught die it is said to be."""


class LastLesson:
    """Keeps a taught die as it was before its last lesson, so that a mistaken face can be corrected."""

    def __init__(self) -> None:
        """Begin without one."""
        self._where: Where | None = None
        self._before: OwnDie | None = None
        self._face: Face | None = None

    def start_from(self, die: OwnDie, where: Where, face: Face) -> OwnDie:
        """The die to teach `face`: `die`, or its state before it learnt another face at the same place."""
        if where != self._where or self._before is None:
            self._where, self._before = where, die
        elif face != self._face:
            die = replace(self._before, name=die.name)
        self._face = face
        return die
