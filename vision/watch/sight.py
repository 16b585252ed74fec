"""Detects whether the camera sees: dark, dazzled, frozen, flashing, covered, out of focus or moved.

Pure: pictures come in with their times, and what is wrong comes out once it has lasted. It reuses the result of the
rest detector; only sharpness is measured on the picture itself, now and then at rest.

Every fault is detected by something that no table does by itself. In doubt there is no fault: a plain cover over a
plain tray is missed, so that an emptied tray is never called covered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box
from vision.errors import Blindness
from vision.frames.settling import Glance, look_at
from vision.ports import Frame, GoesOn, Pixels
from vision.table.view import Contrast, Outlook
from vision.watch.thresholds import (
    BACK_IN_VIEW,
    BLUR_FALL,
    BLUR_LEAST,
    BLUR_MOST,
    CELL_LEAPT,
    CELLS_LEAPT,
    DARKEST_SEEN,
    DAZZLED_LEVEL,
    EARLY_LASTS,
    EARLY_LEAST,
    EARLY_PLACES,
    EARLY_SPAN,
    FADED,
    FLASH_AGAIN,
    FLASH_CELL,
    FLASH_CELLS,
    FLASH_LASTS,
    FLASH_LEVEL,
    FLASH_TURNS,
    FLASH_WITHIN,
    FOCUS_EDGES,
    FOCUS_EVERY,
    FOCUS_STEP,
    LANDMARK_PLACES,
    LANDMARK_RESTS,
    LANDMARKS_LEAST,
    NOISE_PAIRS,
    OUT_OF_VIEW,
    PART_LEAST,
    PARTS_OUT,
    SIGHT_BACK,
    SIGHT_LASTS,
    STRUCTURE,
    STRUCTURE_GONE,
    STRUCTURE_LEAST,
    STRUCTURE_SHARE,
)

_ROW_STEP: Final = 16
"""The step between the rows that are compared with the picture before, and measured for sharpness."""
_ROWS_TOGETHER: Final = 4
"""Neighbouring rows added up against noise."""
_WIDE: Final = 24
"""Pixels within which an edge rises, however unsharp."""
_STEEP: Final = 3
"""Pixels within which a sharp edge rises."""
_SMOOTH: Final = (5, 5)
"""Pixels of the small picture over which its contrast is averaged, against noise."""
_STRONGEST: Final = 40
"""A contrast, in grey levels, that counts as much as any stronger one."""
_DICE_REACH: Final = 0.6
"""The margin round a die, as a share of its side, that does not count as table: its shadow lies there."""
_PLACES: Final = (4, 4)
"""The parts of a picture, down and across, over which landmarks must be spread."""
_OLDEST: Final = 100
"""Rests after which a landmark does not grow any older."""
Number = TypeVar("Number", np.float32, np.bool_)
"""The type of a small picture's points."""


class Outlooks(Protocol):
    """Keeps what a calibrated camera saw, for the next start."""

    def view_of(self, calibration: object) -> Outlook | None:
        """What is kept for this calibration, None where nothing is."""

    def keep_view(self, calibration: object, view: Outlook) -> None:
        """Keep this instead. A disk that takes nothing raises nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """The last good picture: the amount of structure, and the brightness of its cells."""

    structure: int
    brightness: NDArray[np.int16]


class Sight:
    """Judges one camera's pictures.

    `calibrated` names its calibration, None where it has none: a camera without one may be moved. `views` has what was
    seen with it before; without them that is not known until the table was seen.
    """

    def __init__(self, calibrated: Callable[[], object | None] | None = None, views: Outlooks | None = None) -> None:
        """Begin with nothing known of the camera but its view."""
        self._calibrated = calibrated or (lambda: None)
        self._views = views
        self._earlier: _Seen | None = None
        self._begin()

    def restart(self) -> None:
        """Forget the pictures after a loss of the source, which may be another camera now.

        Only the structure of a table that is never bare is remembered until it is seen again: a camera that comes back
        without it is covered, which could not be detected otherwise.
        """
        self._earlier = self._before if self._before is not None and self._landmarks.known else self._earlier
        self._begin()

    def _begin(self) -> None:
        self._fault: Blindness | None = None
        self._since: dict[Blindness, float] = {}
        self._well_since: float | None = None
        self._sees_now = True
        self._freeze = _Freeze()
        self._flash = _Flash()
        self._focus = _Focus()
        self._landmarks = _Landmarks(self._views)
        self._before: _Seen | None = None
        self._barest: int | None = None

    @property
    def fault(self) -> Blindness | None:
        """The lasting fault that keeps the camera from seeing, if any; a moved camera still sees."""
        return None if self._fault is Blindness.MOVED else self._fault

    @property
    def moved(self) -> bool:
        """Whether the camera was moved since it was calibrated."""
        return self._fault is Blindness.MOVED

    @property
    def sees_now(self) -> bool:
        """Whether the newest picture by itself may show dice: a black one may not, however short it lasts."""
        return self._sees_now and self.fault is None

    def feed(self, frame: Frame, look: Glance, *, noise: float, at_rest: bool) -> None:
        """Take the next picture with what the detector made of it; `noise` is that of two looks, in grey levels."""
        if not _is_a_cameras(frame):
            return
        smooth = _smooth(look)
        bound = STRUCTURE + 4.0 * noise / _SMOOTH[0]
        structure = int(np.count_nonzero(np.abs(smooth) >= bound))
        wrong = self._wrong(frame, look, smooth, structure, at_rest=at_rest)
        self._sees_now = wrong not in _NOTHING_TO_SEE
        if wrong is None and at_rest:
            self._before, self._earlier = _Seen(structure, look.brightness), None
        self._judge(wrong, frame.t)

    def learn(self, frame: Frame, look: Glance, dice: Sequence[Box]) -> None:
        """Learn the look of the table from a picture at rest with dice at these places."""
        if self._sees_now and _is_a_cameras(frame):
            smooth = _smooth(look)
            self._landmarks.learn(smooth, _free(smooth.shape, frame.image, dice), self._calibrated(), frame.t)

    def _wrong(
        self, frame: Frame, look: Glance, smooth: Contrast, structure: int, *, at_rest: bool
    ) -> Blindness | None:
        """What is wrong with this picture, judged by it and those before; the gravest first."""
        frozen = self._freeze.feed(frame, still=at_rest)
        flashing = self._flash.feed(look, frame.t)
        brightest, darkest = int(look.brightness.max()), int(look.brightness.min())
        found = (
            (Blindness.FROZEN, frozen),
            (Blindness.FLASHING, flashing),
            (Blindness.DARK, brightest <= DARKEST_SEEN),
            (Blindness.DAZZLED, darkest >= DAZZLED_LEVEL and structure < STRUCTURE_GONE),
            (Blindness.COVERED, self._covered(look, structure, at_rest=at_rest)),
        )
        present = [one for one, is_so in found if is_so]
        self._since = {one: since for one, since in self._since.items() if one in present or not present}
        for one in present:  # a fault hidden by a graver one lasts meanwhile, too
            self._since.setdefault(one, frame.t)
        if present:
            return present[0]
        if not at_rest:
            self._focus.look_at_once()
            return self._fault if self._fault in _TOLD_AT_REST else None
        was = self._fault
        faded = self._landmarks.faded(smooth)
        if self._focus.lost(frame, otherwise=faded or was is Blindness.BLURRED):
            return Blindness.BLURRED
        moved = self._landmarks.gone(smooth, self._calibrated(), frame.t, were_gone=was is Blindness.MOVED)
        return Blindness.MOVED if moved else None

    def _covered(self, look: Glance, structure: int, *, at_rest: bool) -> bool:
        """Whether all that could be seen went away, together with the light or with what never goes away.

        What comes to rest in view afterwards lies on a table from which a patterned cloth was taken away.
        """
        before = self._before or self._earlier
        barest, self._barest = self._barest, None
        if before is None or structure >= max(STRUCTURE_GONE, STRUCTURE_SHARE * before.structure):
            return False
        leapt = float((np.abs(look.brightness - before.brightness) > CELL_LEAPT).mean()) >= CELLS_LEAPT
        known = self._landmarks.known or before is self._earlier
        if not (known or (leapt and before.structure >= STRUCTURE_LEAST)):
            return False
        self._barest = structure if barest is None else min(barest, structure)
        return not at_rest or structure < self._barest + STRUCTURE_GONE

    def _judge(self, wrong: Blindness | None, t: float) -> None:
        """Report a fault once it has lasted, and its end once that has lasted."""
        if wrong is None:
            self._since.clear()
            if self._fault is not None:
                self._well_since = t if self._well_since is None else self._well_since
                if t - self._well_since >= SIGHT_BACK:
                    self._fault = self._well_since = None
            return
        self._well_since = None
        if wrong in _TOLD_AT_REST:
            self._since = {one: since for one, since in self._since.items() if one is wrong}
        if t - self._since.setdefault(wrong, t) >= SIGHT_LASTS.get(wrong, 0.0):
            self._fault = wrong


_NOTHING_TO_SEE: Final = frozenset({Blindness.DARK, Blindness.DAZZLED, Blindness.COVERED, Blindness.BLURRED})
"""Faults that stop reading from their first picture on: they look like an empty tray."""
_TOLD_AT_REST: Final = frozenset({Blindness.BLURRED, Blindness.MOVED})
"""Faults that can be judged only at rest, and so stay while a hand moves through the picture."""


class _Freeze:
    """Distinguishes a stopped stream from a table at rest: its pictures are identical, in spite of earlier noise."""

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None
        self._same_since: float | None = None
        self._noisy = self._same = 0

    def feed(self, frame: Frame, *, still: bool) -> bool:
        """Whether the newest pictures are identical, although those of the table at rest never were."""
        rows = frame.image[::_ROW_STEP].copy()
        same = self._last is not None and np.array_equal(rows, self._last)
        self._last = rows
        if not same:
            if still:  # a stream that repeats pictures at rest has no noise to judge by
                self._noisy = 0 if self._same > 1 else self._noisy + 1
            self._same, self._same_since = 0, None
            return False
        self._same += 1
        self._same_since = frame.t if self._same_since is None else self._same_since
        return frame.goes_on is GoesOn.BY_ITSELF and self._noisy >= NOISE_PAIRS and self._same > 1


class _Flash:
    """Counts how often the light of the whole picture turns, up and down."""

    def __init__(self) -> None:
        self._extreme: NDArray[np.int16] | None = None
        self._rising: bool | None = None
        self._turns: deque[float] = deque(maxlen=2 * FLASH_TURNS)

    def feed(self, look: Glance, t: float) -> bool:
        """Whether it does so over and over."""
        cells = look.brightness
        if self._extreme is None:
            self._extreme = cells
            return False
        change = float(np.median(cells - self._extreme))
        if self._rising is not None and (change > 0) == self._rising and change:
            self._extreme = cells
        elif abs(change) >= FLASH_LEVEL:
            alike = (cells - self._extreme) * np.sign(change) >= FLASH_CELL
            if float(alike.mean()) >= FLASH_CELLS:
                self._turns.append(t)
            self._extreme, self._rising = cells, change > 0
        recent = [one for one in self._turns if t - one <= FLASH_WITHIN]
        enough = len(recent) >= FLASH_TURNS and recent[-1] - recent[0] >= FLASH_LASTS
        return enough and t - recent[-1] <= FLASH_AGAIN


class _Focus:
    """Compares the sharpness of the clearest edges with that of the camera's earlier pictures."""

    def __init__(self) -> None:
        self._looked: float | None = None
        self._sharpest = 0.0
        self._lost = False

    def look_at_once(self) -> None:
        """Measure again at the next rest, because the picture changed."""
        self._looked = None

    def lost(self, frame: Frame, *, otherwise: bool) -> bool:
        """Whether no edge is sharp in a picture at rest; `otherwise` if it has too few edges."""
        if self._looked is not None and 0 <= frame.t - self._looked < FOCUS_EVERY:
            return self._lost
        self._looked = frame.t
        sharpness = sharpness_of(frame.image)
        if sharpness is None:
            self._lost = otherwise
            return self._lost
        fallen = self._sharpest > 0 and sharpness <= min(BLUR_LEAST, BLUR_FALL * self._sharpest)
        self._lost = sharpness <= BLUR_MOST or fallen
        self._sharpest = max(self._sharpest, sharpness)
        return self._lost


def sharpness_of(image: Pixels) -> float | None:
    """The share of its height that one of the sharper edges rises within 3 pixels; None in a picture with few edges.

    About 0.95 in a sharp picture; a Gaussian blur of 4 pixels makes it 0.4, one of 10 pixels 0.27.
    """
    height, width = image.shape[:2]
    if height < _ROW_STEP or width < 3 * _WIDE:
        return None
    last = height - height % _ROW_STEP
    green = (image[row:last:_ROW_STEP, :, 1] for row in range(_ROWS_TOGETHER))
    rows: NDArray[np.int16] = np.stack(list(green)).sum(axis=0, dtype=np.int16)
    many = (width - _WIDE) // _WIDE
    wide = np.abs(rows[:, _WIDE:] - rows[:, :-_WIDE])[:, : many * _WIDE].reshape(len(rows), many, _WIDE)
    at = wide.argmax(axis=2)
    rise = np.take_along_axis(wide, at[:, :, None], axis=2)[:, :, 0]
    row, place = np.nonzero(rise >= FOCUS_STEP * _ROWS_TOGETHER)
    if len(row) < FOCUS_EDGES:
        return None
    begin = at[row, place] + place * _WIDE
    along = begin[:, None] + np.arange(_WIDE - _STEEP + 1)
    steep = np.abs(rows[row[:, None], along + _STEEP] - rows[row[:, None], along]).max(axis=1)
    return float(np.percentile(steep / rise[row, place], 90))


class _Landmarks:
    """The fixed parts of the table that are seen at every rest: a rim, a pattern."""

    def __init__(self, views: Outlooks | None = None) -> None:
        self._views = views
        self._begin(None)

    def _begin(self, calibration: object | None) -> None:
        """Forget all but what is kept for this calibration."""
        self._calibration = calibration
        self._contrast: Contrast | None = None
        self._age: NDArray[np.uint8] | None = None
        self._mask: NDArray[np.bool_] | None = None
        self._early: NDArray[np.bool_] | None = None
        self._unsure_since: float | None = None
        self._kept = self._views.view_of(calibration) if self._views is not None and calibration is not None else None
        if self._kept is not None:
            self._contrast = self._kept.contrast
            self._age = np.where(self._kept.known, LANDMARK_RESTS if self._kept.lasting else 1, 0).astype(np.uint8)
            self._find()

    @property
    def known(self) -> bool:
        """Whether there is enough of it, in enough parts of the picture."""
        return self._mask is not None

    def learn(self, now: Contrast, free: NDArray[np.bool_], calibration: object | None, t: float) -> None:
        """Learn from a picture at rest; places not `free` hide the table.

        After a new calibration all begins anew, and without one where nothing of it is left.
        """
        if calibration is not self._calibration:
            self._begin(calibration)
        self._doubt(now, t)
        if calibration is not None and self._elsewhere(now, BACK_IN_VIEW):
            return  # it may have been moved: the calibration refers to its place then
        share = self._share(now)
        if calibration is None and share is not None and share < OUT_OF_VIEW:
            self._begin(None)
        before, age, was_early = self._contrast, self._age, self._early is not None
        if before is None or age is None:
            self._contrast, self._age = now, np.where(free, 1, 0).astype(np.uint8)
        else:
            same = (before * now > 0) & (np.abs(now) >= np.abs(before) / 2)
            kept = np.where(free & same, (before * 3 + now) / 4, np.where(free, now, before))
            self._contrast = kept.astype(np.float32)
            older = np.where(same, np.minimum(age, _OLDEST) + 1, 1)
            self._age = np.where(free, older, age).astype(np.uint8)
        self._find()
        if self._early is not None and not was_early:
            self._unsure_since = t
        self._keep()

    def gone(self, now: Contrast, calibration: object | None, t: float, *, were_gone: bool) -> bool:
        """Whether none of it is at its old place. Only a calibration depends on the places."""
        if calibration is None:
            return False
        if calibration is not self._calibration:
            self._begin(calibration)
        self._doubt(now, t)
        return self._elsewhere(now, BACK_IN_VIEW if were_gone else OUT_OF_VIEW)

    def _doubt(self, now: Contrast, t: float) -> None:
        """Trust the first rest once it has lasted, as a hand may lie there; forget it where it did not last."""
        if self._unsure_since is None or self._mask is not None:
            self._unsure_since = None
        elif self._early is not None and (self._share(now) or 0.0) < BACK_IN_VIEW:
            self._begin(self._calibration)
        elif t - self._unsure_since >= EARLY_LASTS:
            self._unsure_since = None
            self._keep()

    def faded(self, now: Contrast) -> bool:
        """Whether all of it is at its old place, but with little contrast left."""
        mask = self._mask
        if mask is None or self._contrast is None or (share := self._share(now)) is None or share < BACK_IN_VIEW:
            return False
        was = self._contrast[mask]
        return float((was * now[mask]).sum()) < FADED * float((was**2).sum())

    def _keep(self) -> None:
        """Keep the first view with a calibration, and once more when it is known what lasts.

        After that it stays as it is: a camera that sinks a little each evening has moved, too.
        """
        if self._views is None or self._calibration is None or self._contrast is None or self._age is None:
            return
        lasting = self._mask is not None
        sure = self._early is not None and self._unsure_since is None
        if not (sure or lasting) or (self._kept and (self._kept.lasting or not lasting)):
            return
        self._kept = Outlook(self._contrast, self._age >= (LANDMARK_RESTS if lasting else 1), lasting)
        self._views.keep_view(self._calibration, self._kept)

    def _find(self) -> None:
        """Find what belongs to the table; of what was seen only once much more is needed."""
        self._mask = self._found(LANDMARK_RESTS, LANDMARKS_LEAST, LANDMARK_PLACES)
        early = self._found(1, EARLY_LEAST, EARLY_PLACES) if self._calibration is not None else None
        self._early = early if early is not None and _is_wide(early) else None

    def _found(self, rests: int, least: int, places: int) -> NDArray[np.bool_] | None:
        if self._contrast is None or self._age is None:
            return None
        mask = (self._age >= rests) & (np.abs(self._contrast) >= STRUCTURE)
        if np.count_nonzero(mask) < least:
            return None
        return mask if int(_parted(mask).any(axis=(1, 3)).sum()) >= places else None

    def _share(self, now: Contrast) -> float | None:
        """How much of it is seen at its old place, as a correlation; None if too little is known."""
        mask = self._mask if self._mask is not None else self._early
        if mask is None or self._contrast is None:
            return None
        was, is_now = (np.clip(one[mask], -_STRONGEST, _STRONGEST) for one in (self._contrast, now))
        return float((was * is_now).sum() / np.sqrt(max(1.0, float((was**2).sum() * (is_now**2).sum()))))

    def _elsewhere(self, now: Contrast, bound: float) -> bool:
        """Whether less than `bound` of it is seen at its old place, all over the picture.

        Paper that is taken away, however black on white, was in some parts of the picture alone.
        """
        share = self._share(now)
        mask = self._mask if self._mask is not None else self._early
        unsure = self._mask is None and self._unsure_since is not None
        if unsure or share is None or share >= bound or mask is None or self._contrast is None:
            return False
        was, is_now = (np.where(mask, np.clip(one, -_STRONGEST, _STRONGEST), 0) for one in (self._contrast, now))
        both, one, other = (_parted(product).sum(axis=(1, 3)) for product in (was * is_now, was**2, is_now**2))
        told = _parted(mask).sum(axis=(1, 3)) >= PART_LEAST
        out = both < bound * np.sqrt(np.maximum(1.0, one * other))
        return int((told & out).sum()) >= PARTS_OUT * max(1, int(told.sum()))


def view_of(picture: Pixels, hidden: Sequence[Box]) -> Outlook:
    """What one picture shows of the table, but for the places that something hides: dice, or a card."""
    smooth = _smooth(look_at(picture))
    return Outlook(smooth, _free(smooth.shape, picture, hidden))


def _is_wide(mask: NDArray[np.bool_]) -> bool:
    """Whether it spans most of the picture both ways, as a rim does, and a sheet of paper does not."""
    spans = (np.ptp(np.percentile(places, (5, 95))) for places in np.nonzero(mask))
    return all(float(span) >= EARLY_SPAN * side for span, side in zip(spans, mask.shape, strict=True))


def _is_a_cameras(frame: Frame) -> bool:
    """Whether a camera sent it, and nobody put it there."""
    return not frame.scene and frame.goes_on in (GoesOn.BY_ITSELF, GoesOn.STAGED)


def _smooth(look: Glance) -> Contrast:
    return np.asarray(cv2.blur(look.contrast, _SMOOTH), np.float32)


def _parted(small: NDArray[Number]) -> NDArray[Number]:
    """A small picture by its parts: their row, the row in them, their column, the column in them."""
    rows, columns = (side // many for side, many in zip(small.shape, _PLACES, strict=True))
    return small[: rows * _PLACES[0], : columns * _PLACES[1]].reshape(_PLACES[0], rows, _PLACES[1], columns)


def _free(shape: tuple[int, ...], image: Pixels, dice: Sequence[Box]) -> NDArray[np.bool_]:
    """Where no dice lie, in the small picture."""
    free = np.ones(shape[:2], np.bool_)
    down, across = shape[0] / image.shape[0], shape[1] / image.shape[1]
    for box in dice:
        reach = _DICE_REACH * max(box.width, box.height)
        top, left = max(0, int((box.y - reach) * down)), max(0, int((box.x - reach) * across))
        free[
            top : int((box.y + box.height + reach) * down) + 1, left : int((box.x + box.width + reach) * across) + 1
        ] = 0
    return free
