"""Picture files as phones write them."""

from __future__ import annotations

import struct

import cv2

from vision.ports import Pixels

TURNED_RIGHT = 6
"""The Exif orientation of a picture that has to be turned right to stand upright: a phone held upright writes it."""


def exif(orientation: int) -> bytes:
    """An Exif block that says nothing else."""
    return b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)


def with_exif(jpeg: bytes, orientation: int) -> bytes:
    """The JPEG file with that orientation."""
    body = b"Exif\0\0" + exif(orientation)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


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
