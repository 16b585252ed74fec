"""The calibration of a camera: the direction "up", the lens's field of view, and the tray's place.

Made once from a picture of the printed card (`card`) or from the tray's four corners as a person pointed at them, and
kept as a file. With it the reader knows which of a die's faces is up, looks only inside the tray, and straightens the
picture of a distorting lens.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import CalibrationError, Unusable
from vision.frames.kept import NoFileError, read_kept
from vision.pose.crops import Grey
from vision.pose.geometry import Array, Camera, across, cross, unit
from vision.pose.table_normal import CAMERA_SPREAD
from vision.pose.thresholds import CALIBRATED
from vision.table.card import Sighting, find_card
from vision.table.thresholds import (
    BEND_MATTERS,
    CARD_FEW,
    CARD_MARKER,
    CARD_OFF,
    CARD_OFF_FEW,
    CARD_OFF_SHARP,
    CARD_WHOLE,
    CORNERS_UP,
    FOCAL_ERROR,
    SAME_SHAPE,
    TRAY_AREA,
    VIEWS_APART,
    VIEWS_OFF,
)

FILE_NAME: Final = "calibration.json"
"""The calibration's file in the data folder."""
_FORM: Final = 1
"""The version of the file format; other versions are not read."""
_NOISE: Final = 0.35
"""Pixels by which a marker's corner is usually off."""
_USUAL_WIDTH: Final = 0.18
"""The usual error of the supposed focal length, as a logarithm."""
_USUAL_BEND: Final = 0.05
"""The usual distortion of lenses (the first radial coefficient), either way."""
_WIDTHS: Final = (36.0, 110.0)
"""The narrowest and widest field of view considered, in degrees."""
_RIGHT_ANGLE: Final = 0.012
"""How far a tray's corner, pointed at by hand, is off a right angle, as a cosine."""
Point = tuple[float, float]
"""A place in a picture, in pixels from its upper left corner."""
Point3 = tuple[float, float, float]
"""A place in space, in the calibration's own unit."""


class MadeBy(StrEnum):
    """How a calibration was made."""

    CARD = "card"
    HAND = "hand"
    LENS = "lens"


_SPREADS: Final = {MadeBy.CARD: math.radians(1.5), MadeBy.HAND: math.radians(4.0), MadeBy.LENS: CAMERA_SPREAD}
"""How far "up" may be off, in radians, by how the calibration was made."""


@dataclass(frozen=True)
class Calibration:
    """A camera over a table, for pictures of `width` x `height` pixels.

    `up` is the table's "up" (unit, camera frame); `hfov` the horizontal field of view in degrees, `hfov_known` whether
    the picture told it; `bend` the lens's first radial coefficient (r in focal lengths; below 0: barrel); `corners` the
    tray's corners in pixels, in order round it, or () where the whole picture counts. `scale` is pixels a millimetre in
    the middle of the picture, None if nothing of known size was seen; `residual` how far the card's corners were off
    the solution, in pixels.
    """

    width: int
    height: int
    up: Point3
    made_by: MadeBy
    hfov: float = 60.0
    hfov_known: bool = False
    bend: float = 0.0
    corners: tuple[Point, ...] = ()
    scale: float | None = None
    residual: float | None = None

    @property
    def spread(self) -> float:
        """How far `up` may be off, in radians."""
        return _SPREADS[self.made_by]

    @property
    def witnesses(self) -> int:
        """The number of dice agreeing on "up" for which it counts; 0 for one of the lens alone."""
        return 0 if self.made_by is MadeBy.LENS else CALIBRATED

    @property
    def lean(self) -> float:
        """How far the camera is from looking straight down, in degrees."""
        return math.degrees(math.acos(min(1.0, max(-1.0, -self.up[2]))))

    @property
    def bends(self) -> bool:
        """Whether the lens distorts so much that pictures must be straightened."""
        return abs(self.bend) > BEND_MATTERS

    def for_picture(self, width: int, height: int) -> Calibration | None:
        """The same for pictures of another size; None if their aspect ratio differs: they show something else."""
        if abs(width / height - self.width / self.height) > SAME_SHAPE * self.width / self.height:
            return None
        by = width / self.width
        return replace(
            self,
            width=width,
            height=height,
            corners=tuple((x * by, y * by) for x, y in self.corners),
            scale=None if self.scale is None else self.scale * by,
        )

    def turned(self) -> Calibration:
        """The same for pictures that were turned by a half."""
        x, y, z = self.up
        return replace(self, up=(-x, -y, z), corners=tuple((self.width - x, self.height - y) for x, y in self.corners))

    def straightened(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture without the lens's distortion."""
        focal = Camera(self.width, self.height, self.hfov).focal
        inner = _inner(focal, self.width, self.height)
        return np.asarray(cv2.undistort(picture, inner, np.array([self.bend, 0.0, 0.0, 0.0])), np.uint8)

    def straight(self, points: Array) -> Array:
        """Pixels of the picture as given to pixels of the straightened one."""
        if not len(points):
            return points
        inner = _inner(Camera(self.width, self.height, self.hfov).focal, self.width, self.height)
        bend = np.array([self.bend, 0.0, 0.0, 0.0])
        moved = cv2.undistortPoints(points.reshape(-1, 1, 2).astype(np.float64), inner, bend, P=inner)
        return np.asarray(moved, np.float64).reshape(-1, 2)

    def bent(self, points: Array) -> Array:
        """Pixels of the straightened picture to pixels of the picture as given."""
        focal = Camera(self.width, self.height, self.hfov).focal
        middle = np.array([self.width / 2, self.height / 2])
        rays = (points - middle) / focal
        result: Array = middle + rays * (1 + self.bend * (rays**2).sum(axis=1, keepdims=True)) * focal
        return result

    def holds(self, point: Point, spare: float = 0.0) -> bool:
        """Whether a pixel of the straightened picture lies in the tray, or no more than `spare` pixels beside it."""
        if not self.corners:
            return True
        outline = self.straight(np.array(self.corners)) if self.bends else np.array(self.corners)
        return cv2.pointPolygonTest(outline.astype(np.float32), point, measureDist=True) >= -spare


def by_card(grey: Grey, *, hfov: float = 60.0, before: Calibration | None = None) -> Calibration:
    """Calibrate from a picture in which the card lies flat on the table.

    `hfov` is what the lens is supposed to be; one that was measured `before` is kept. If the four corner pieces were
    cut off and lie in the tray's corners, they are its corners; otherwise the whole picture counts, or the corners
    that were pointed at before. Raises `CalibrationError` where too little of the card shows, or shows clearly.
    """
    height, width = grey.shape[:2]
    sighting = find_card(grey)
    if mirrored(grey, sighting):
        raise CalibrationError(Unusable.MIRRORED)
    tips = sighting.tips()
    board, spots = sighting.board
    cut = bool(tips)
    if len(board):
        whole, all_spots = sighting.whole
        plane, _ = cv2.findHomography(board, spots)
        if plane is not None and len(whole) > len(board):
            placed = cv2.perspectiveTransform(whole.reshape(-1, 1, 2), plane).reshape(-1, 2)
            size = float(np.linalg.norm(np.ptp(np.asarray(placed), axis=0)))
            off = float(np.abs(np.asarray(placed) - all_spots).max())
            if off < CARD_WHOLE * size:
                board, spots, cut = whole, all_spots, False
    if len(board) < 8:  # noqa: PLR2004 - two markers: one alone tells tilt only roughly
        if not tips:
            raise CalibrationError(Unusable.NO_CARD)
        return replace(by_corners(tips, (width, height), hfov=hfov), made_by=MadeBy.CARD)
    measured = before.for_picture(width, height) if before is not None else None
    fixed = measured if measured is not None and measured.hfov_known else None
    kept = tips if cut else (measured.corners if measured is not None else ())
    solved = _solved(board, spots, (width, height), fixed.hfov if fixed else hfov, fixed.bend if fixed else None)
    side = float(np.linalg.norm(np.diff(spots.reshape(-1, 4, 2), axis=1), axis=2).mean())
    allowed = CARD_OFF_SHARP if len(spots) > 4 * CARD_FEW else CARD_OFF_FEW
    if (solved.residual or 0.0) > allowed * side:
        raise CalibrationError(Unusable.CARD_FAR if side < CARD_MARKER else Unusable.CARD_UNSHARP)
    return replace(solved, corners=kept, hfov_known=solved.hfov_known or fixed is not None)


def by_corners(
    corners: Sequence[Point], size: tuple[int, int], *, hfov: float = 60.0, before: Calibration | None = None
) -> Calibration:
    """Calibrate from the corners of a rectangular tray (or sheet), in order round it.

    The lens is measured only if the camera looks at a slant; else it is `hfov`, or as measured `before`. Raises
    `CalibrationError` for corners that are no four, crossed, or too near to one another.
    """
    width, height = size
    spots = np.array(corners, dtype=np.float64)
    if spots.shape != (4, 2) or not np.isfinite(spots).all():
        raise CalibrationError(Unusable.NOT_FOUR)
    area = cv2.contourArea(spots.astype(np.float32), oriented=True)
    if not cv2.isContourConvex(spots.astype(np.float32)) or abs(area) < TRAY_AREA * width * height:
        raise CalibrationError(Unusable.NO_TRAY)
    measured = before.for_picture(width, height) if before is not None else None
    if measured is not None and measured.hfov_known:
        straight = measured.straight(spots) if measured.bends else spots
        up, _ = _rectangle_up(straight, Camera(width, height, measured.hfov))
        return replace(measured, up=_three(up), made_by=MadeBy.HAND, corners=_pairs(spots), residual=None)
    widths = np.arange(across(_WIDTHS[0], width, height), _WIDTHS[1], 0.5)
    costs = []
    for one in widths.tolist():
        _, skew = _rectangle_up(spots, Camera(width, height, one))
        costs.append((skew / _RIGHT_ANGLE) ** 2 + _unusual(width, one, hfov))
    best = float(widths[int(np.argmin(costs))])
    up, _ = _rectangle_up(spots, Camera(width, height, best))
    if -up[2] < CORNERS_UP:
        raise CalibrationError(Unusable.NO_TRAY)
    known = _narrow(np.array(costs), widths)
    return Calibration(
        width, height, _three(up), MadeBy.HAND, hfov=best, hfov_known=known, corners=_pairs(spots),
        scale=None,
    )  # fmt: skip


def by_views(pictures: Sequence[Grey], *, hfov: float = 60.0) -> tuple[float, float, float]:
    """Measure the lens from three or more pictures of the card held at slants: field of view, bend, pixels off.

    Raises `CalibrationError` where fewer than three show enough of it, they differ in size, are too like one another
    (`VIEWS_APART`), contradict one another, or leave the lens unsure.
    """
    if len({picture.shape for picture in pictures}) > 1:
        raise CalibrationError(Unusable.SIZES_DIFFER)
    boards, views = [], []
    for picture in pictures:
        board, spots = find_card(picture).board
        if len(board) >= 16:  # noqa: PLR2004 - four markers
            boards.append(np.column_stack([board, np.zeros(len(board))]).astype(np.float32))
            views.append(spots.astype(np.float32))
    if len(boards) < 3:  # noqa: PLR2004 - fewer views leave focal length and slant entangled
        raise CalibrationError(Unusable.FEW_VIEWS)
    height, width = pictures[0].shape[:2]
    start = _inner(Camera(width, height, hfov).focal, width, height)
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS
        | cv2.CALIB_FIX_PRINCIPAL_POINT
        | cv2.CALIB_FIX_ASPECT_RATIO
        | cv2.CALIB_ZERO_TANGENT_DIST
        | cv2.CALIB_FIX_K2
        | cv2.CALIB_FIX_K3
    )
    off, inner, bend, turns, _, errors, _, _ = cv2.calibrateCameraExtended(
        boards, views, (width, height), start, np.zeros(5), flags=flags
    )
    normals = np.array([np.asarray(cv2.Rodrigues(turn)[0], np.float64)[:, 2] for turn in turns])
    if float((normals @ normals.T).min()) > math.cos(VIEWS_APART):
        raise CalibrationError(Unusable.ALIKE)
    if float(off) > VIEWS_OFF:
        raise CalibrationError(Unusable.LENS_OFF)
    told = math.degrees(2 * math.atan(width / (2 * float(inner[0, 0]))))
    unsure = float(np.ravel(errors)[0]) / float(inner[0, 0])
    if not _WIDTHS[0] / 2 < told < 150.0 or unsure > FOCAL_ERROR:  # noqa: PLR2004 - no lens that this serves
        raise CalibrationError(Unusable.ALIKE)
    return told, float(np.ravel(bend)[0]), float(off)


def mirrored(grey: Grey, sighting: Sighting) -> bool:
    """Whether the card shows only in the picture's mirror image; `sighting` is what the picture itself shows of it.

    Some markers look like others in a mirror, so that a few sightings prove nothing.
    """
    if len(sighting.corners) > CARD_FEW:
        return False
    other = find_card(np.ascontiguousarray(grey[:, ::-1]))
    return len(other.corners) > max(CARD_FEW, 2 * len(sighting.corners))


def _solved(board: Array, spots: Array, size: tuple[int, int], hfov: float, bend: float | None) -> Calibration:
    """The plane of the board, and the likeliest lens; with `bend` given the lens is known."""
    width, height = size
    flat = np.column_stack([board, np.zeros(len(board))])

    def fit(one: float, curve: float) -> tuple[float, float, Array, Array]:
        inner = _inner(Camera(width, height, one).focal, width, height)
        lens = np.array([curve, 0.0, 0.0, 0.0])
        _, turn, place = cv2.solvePnP(flat, spots, inner, lens, flags=cv2.SOLVEPNP_IPPE)
        turn, place = cv2.solvePnPRefineLM(flat, spots, inner, lens, turn, place)
        seen, _ = cv2.projectPoints(flat, turn, place, inner, lens)
        off = float(((np.asarray(seen).reshape(-1, 2) - spots) ** 2).sum())
        cost = off / _NOISE**2 + _unusual(width, one, hfov) + (curve / _USUAL_BEND) ** 2
        return cost, math.sqrt(off / len(spots)), np.asarray(turn), np.asarray(place)

    least = across(_WIDTHS[0], width, height)
    widths = [hfov] if bend is not None else np.arange(least, _WIDTHS[1], 2.0).tolist()
    curve = bend or 0.0
    costs = [fit(one, curve)[0] for one in widths]
    best = widths[int(np.argmin(costs))]
    if bend is None:
        for reach, step in ((2.0, 0.5), (1.0, 0.25)):
            curves = np.clip(curve + np.linspace(-0.3, 0.3, 25) * (reach / 2.0), -0.4, 0.4).tolist()
            curve = min(curves, key=lambda one: fit(best, one)[0])
            best = min(np.arange(best - reach, best + reach, step).tolist(), key=lambda one: fit(one, curve)[0])
    known = bend is None and _narrow(np.array(costs), np.array(widths))
    if bend is None and not known:
        best = hfov
        curve = min(np.clip(curve + np.linspace(-0.3, 0.3, 25), -0.4, 0.4).tolist(), key=lambda one: fit(best, one)[0])
    _, off, turn, place = fit(best, curve)
    rotation, _ = cv2.Rodrigues(turn)
    up = -np.asarray(rotation, np.float64)[:, 2]
    if off > CARD_OFF or -up[2] < CORNERS_UP:  # markers that are not where they were printed, or a mirror's
        raise CalibrationError(Unusable.NO_CARD)
    camera = Camera(width, height, best)
    depth = float(up @ place.ravel()) / float(up[2])
    return Calibration(
        width,
        height,
        _three(up),
        MadeBy.CARD,
        hfov=float(best),
        hfov_known=known,
        bend=float(curve),
        scale=camera.focal / depth,
        residual=off,
    )


def _unusual(width: int, one: float, other: float) -> float:
    """How much a lens differs from the supposed one, as twice a negative log-likelihood."""
    apart = math.log(Camera(width, width, one).focal / Camera(width, width, other).focal)
    return (apart / _USUAL_WIDTH) ** 2


def _narrow(costs: Array, widths: Array) -> bool:
    """Whether the likeliest lens is certain within some 8 degrees."""
    likely = widths[costs < costs.min() + 4.0]
    return len(widths) > 1 and float(np.ptp(likely)) <= 8.0  # noqa: PLR2004 - see above


def _rectangle_up(spots: Array, camera: Camera) -> tuple[Array, float]:
    """The normal of a rectangle seen with these corners, and the cosine between its sides (0 where it is one)."""
    rays = np.column_stack([(spots - (camera.width / 2, camera.height / 2)) / camera.focal, np.ones(4)])
    sides = [cross(rays[n], rays[(n + 1) % 4]) for n in range(4)]
    across, along = unit(cross(sides[0], sides[2])), unit(cross(sides[1], sides[3]))
    normal = unit(cross(across, along))
    return (-normal if normal[2] > 0 else normal), abs(float(across @ along))


def _inner(focal: float, width: int, height: int) -> Array:
    return np.array([[focal, 0.0, width / 2], [0.0, focal, height / 2], [0.0, 0.0, 1.0]])


def _three(vector: Array) -> Point3:
    x, y, z = (float(value) for value in vector)
    return x, y, z


def _pairs(points: Array) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in points)


def as_text(calibration: Calibration) -> str:
    """The calibration as the text of its file (JSON)."""
    fields = {name: getattr(calibration, name) for name in Calibration.__dataclass_fields__}
    return json.dumps({"form": _FORM, **fields}, indent=1) + "\n"


def from_text(text: str) -> Calibration:
    """The calibration of a file's text. Raises `CalibrationError` where that is none."""
    try:
        raw = json.loads(text)
        if raw.pop("form") != _FORM:
            raise CalibrationError(Unusable.DAMAGED)
        raw["made_by"] = MadeBy(raw["made_by"])
        right, down, ahead = (float(part) for part in raw["up"])
        if abs(math.hypot(right, down, ahead) - 1) > 1e-6:  # noqa: PLR2004 - rounding
            raise CalibrationError(Unusable.DAMAGED)
        raw["up"] = (right, down, ahead)
        raw["corners"] = tuple((float(x), float(y)) for x, y in raw["corners"])
        made = Calibration(**raw)
        Camera(made.width, made.height, made.hfov)
        if made.width < 1 or made.height < 1 or made.up[2] > 0 or len(made.corners) not in (0, 4):
            raise CalibrationError(Unusable.DAMAGED)
        _ = made.for_picture(made.width, made.height), made.bends, made.lean
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as why:
        raise CalibrationError(Unusable.DAMAGED) from why
    return made


def load_calibration(file: Path) -> Calibration | None:
    """The calibration kept in `file`; None where there is none. Raises `CalibrationError` for a damaged one."""
    try:
        return from_text(read_kept(file).decode())
    except FileNotFoundError:
        return None
    except NoFileError as why:
        raise CalibrationError(Unusable.NO_FILE) from why
    except (OSError, UnicodeDecodeError) as why:
        raise CalibrationError(Unusable.DAMAGED) from why
