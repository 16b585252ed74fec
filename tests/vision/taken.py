"""Picture files as phones write them."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

import cv2

from vision.ports import Pixels

TURNED_RIGHT = 6
"""The Exif orientation of a picture that has to be turned right to stand upright: a phone held upright writes it."""


Fraction = tuple[int, int]
"""A numerator and a denominator."""


@dataclass(frozen=True)
class TakenWith:
    """What a camera writes of its lens: millimetres as of 35 mm film, its own, the digital zoom, the picture's size."""

    equivalent: int
    focal: Fraction | None = None
    zoom: Fraction | None = None
    size: tuple[int, int] | None = None


def exif(orientation: int, lens: TakenWith | None = None, *, order: str = "<") -> bytes:
    """An Exif block that says nothing else."""
    start = {"<": b"II*\0", ">": b"MM\0*"}[order]
    if lens is None:
        return start + struct.pack(order + "IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    first = struct.pack(order + "IHHHIHHHHIII", 8, 2, 0x0112, 3, 1, orientation, 0, 0x8769, 4, 1, 38, 0)
    fractions = {tag: one for tag, one in ((0x920A, lens.focal), (0xA404, lens.zoom)) if one is not None}
    sizes = dict(zip((0xA002, 0xA003), lens.size or (), strict=False))
    behind = 38 + 2 + 12 * (len(fractions) + len(sizes) + 1) + 4
    rows, values = b"", b""
    for tag, fraction in fractions.items():
        rows += struct.pack(order + "HHII", tag, 5, 1, behind + len(values))
        values += struct.pack(order + "II", *fraction)
    for tag, side in sizes.items():
        rows += struct.pack(order + "HHII", tag, 4, 1, side)
    rows += struct.pack(order + "HHIHH", 0xA405, 3, 1, lens.equivalent, 0)
    return start + first + struct.pack(order + "H", len(rows) // 12) + rows + bytes(4) + values


def with_exif(jpeg: bytes, orientation: int = 1, lens: TakenWith | None = None) -> bytes:
    """The JPEG file with that orientation and lens."""
    body = b"Exif\0\0" + exif(orientation, lens)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def lens_of(hfov: float, width: int, height: int) -> TakenWith:
    """What the camera of such pictures writes: whole millimetres."""
    longer = math.hypot(36, 24) * max(width, height) / math.hypot(width, height)
    return TakenWith(round(longer / 2 / math.tan(math.radians(hfov) / 2)), size=(width, height))


def by_phone(picture: Pixels, size: tuple[int, int] = (3024, 4032), quality: int = 90) -> bytes:
    """The picture as a phone held upright stores it: on its side, its border drawn out to `size` (width, height)."""
    width, height = size
    scale = min(width / picture.shape[1], height / picture.shape[0])
    large = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    down, across = height - large.shape[0], width - large.shape[1]
    edges = (down // 2, down - down // 2, across // 2, across - across // 2)
    upright = cv2.copyMakeBorder(large, *edges, cv2.BORDER_REPLICATE)
    lying = cv2.rotate(upright, cv2.ROTATE_90_COUNTERCLOCKWISE)
    done, data = cv2.imencode(".jpg", lying, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return with_exif(data.tobytes(), TURNED_RIGHT)
