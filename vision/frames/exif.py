"""What a camera wrote into its picture's file: how the picture lies, and how wide its lens sees.

Sources: CIPA DC-008 (Exif 2.32) for the tags, which stand in directories as TIFF 6.0 has them; CIPA DCG-001 for the
focal length "in 35 mm film", which compares diagonals. Files come from anybody: nothing here raises, and each of the
two directories is walked through once, wherever it is said to begin.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Final

UPRIGHT: Final = 1
"""The orientation of a picture that lies as it is shown (1 of the 8 of Exif)."""
BYTE_ORDERS: Final = {b"II": "<", b"MM": ">"}
"""How a block's first two bytes say in which order the bytes of its numbers come."""

_ORIENTATION, _MORE = 0x0112, 0x8769
"""The tags of how a picture lies, and of where the directory of its taking begins."""
_WIDTH, _HEIGHT, _FOCAL, _ZOOM, _EQUIVALENT = 0xA002, 0xA003, 0x920A, 0xA404, 0xA405
"""In that directory: PixelXDimension, PixelYDimension, FocalLength, DigitalZoomRatio and FocalLengthIn35mmFilm."""
_SHORT, _LONG, _RATIONAL = 3, 4, 5
"""The types of numbers of two bytes, of four, and of a numerator and a denominator of four bytes each."""

_DIAGONAL: Final = math.hypot(36, 24)
"""Millimetres from corner to corner of the film that lenses are compared by."""
_EQUIVALENTS: Final = (9.0, 200.0)
"""Equivalent focal lengths that are believed. Wider lenses are fisheyes; some cameras write nonsense in thousands."""
_FACTORS: Final = (0.5, 15.0)
"""Equivalent by true focal length that is believed: the film's diagonal by the sensor's, which has 3 to 80 mm.

Some iPhones write an equivalent that grows as their pictures get smaller: 177 mm, of a lens of 3.99.
"""
_ASPECTS: Final = (1.0, 4 / 3, 3 / 2, 16 / 9)
"""The shapes in which cameras take pictures. Others were cut out of one, or put together from several."""
_SAME_ASPECT: Final = 0.01
"""The share by which two shapes may differ and count as the same: sides are rounded to whole blocks."""
_SAME_ZOOM: Final = 0.05
"""How much of a digital zoom does not matter. Whether the equivalent contains it or not differs between makers."""


@dataclass(frozen=True, slots=True)
class Exif:
    """What a block tells: the orientation (1 to 8), and of the lens what stands there, None where nothing does.

    `size` is the picture's as it was taken, in pixels.
    """

    orientation: int = UPRIGHT
    equivalent: float | None = None
    focal: float | None = None
    zoom: float | None = None
    size: tuple[float, float] | None = None

    def hfov(self, width: int, height: int) -> float | None:
        """The field of view along the longer side of the stored picture, in degrees.

        None where the file does not say, where the picture was cut out of a larger one, and for what no lens has.
        """
        aspect = _aspect(width, height)
        told = self.equivalent
        if told is None or not _EQUIVALENTS[0] <= told <= _EQUIVALENTS[1]:
            return None
        if self.focal and not _FACTORS[0] <= told / self.focal <= _FACTORS[1]:
            return None
        if self.zoom and abs(self.zoom - 1) > _SAME_ZOOM:
            return None
        if self.size is not None and not _same(aspect, _aspect(*self.size)):
            return None
        if not any(_same(aspect, usual) for usual in _ASPECTS):
            return None
        longer = _DIAGONAL * aspect / math.hypot(aspect, 1)
        return 2 * math.degrees(math.atan(longer / 2 / told))


def exif_of(block: bytes) -> Exif:
    """What an Exif block, or a TIFF file, tells. Never raises: what makes no sense is left out."""
    order = BYTE_ORDERS.get(block[:2])
    if order is None:
        return Exif()
    first = _Directory(block, order, _number(block, order + "I", 4))
    orientation = int(first.get(_ORIENTATION) or UPRIGHT)
    taken = _Directory(block, order, first.get(_MORE))
    width, height = taken.get(_WIDTH), taken.get(_HEIGHT)
    return Exif(
        orientation=orientation if orientation in range(1, 9) else UPRIGHT,
        equivalent=taken.get(_EQUIVALENT),
        focal=taken.get(_FOCAL),
        zoom=taken.get(_ZOOM),
        size=(width, height) if width and height else None,
    )


class _Directory:
    """The single numbers of a directory; of what is given twice, the first."""

    def __init__(self, block: bytes, order: str, at: float | None) -> None:
        """Walk through the one that begins at `at`; None, or a place beyond the end, is an empty one."""
        self._block, self._order = block, order
        self._fields: dict[int, tuple[int, bytes]] = {}
        begin = len(block) if at is None else int(at)
        count = _number(block, order + "H", begin) or 0
        rows = block[begin + 2 : begin + 2 + 12 * int(count)]
        for tag, kind, many, value in struct.iter_unpack(order + "HHI4s", rows[: len(rows) // 12 * 12]):
            if many == 1:
                self._fields.setdefault(tag, (kind, value))

    def get(self, tag: int) -> float | None:
        """The number of this tag; None where there is none."""
        kind, value = self._fields.get(tag, (0, b""))
        if kind == _SHORT:
            return _number(value, self._order + "H", 0)
        if kind == _LONG:
            return _number(value, self._order + "I", 0)
        if kind == _RATIONAL:
            at = _number(value, self._order + "I", 0) or 0
            part, whole = (_number(self._block, self._order + "I", int(at) + step) for step in (0, 4))
            return part / whole if part is not None and whole else None
        return None


def _number(data: bytes, layout: str, at: int) -> int | None:
    """The whole number that stands there; None beyond the end."""
    if at + struct.calcsize(layout) > len(data):
        return None
    found: int = struct.unpack_from(layout, data, at)[0]
    return found


def _aspect(width: float, height: float) -> float:
    """The longer side by the shorter one."""
    return max(width, height) / min(width, height)


def _same(one: float, other: float) -> bool:
    return abs(one / other - 1) <= _SAME_ASPECT
