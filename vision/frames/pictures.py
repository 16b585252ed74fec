"""Still pictures: from a file or bytes to upright pixels, within bounds.

The *picture as given* is what a viewer that honours Exif orientation shows: `Picture.width` and `height` are its
size, and every box that leaves this room is in its pixels. Larger pictures than `WORKING_PIXELS` are worked on
as a smaller copy; `Picture.box_as_given` leads boxes back. Of an animation the first picture counts, transparent
pixels are laid on white, 16-bit channels are brought to 8 bits.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import cv2
import numpy as np

from rules.dice import Box
from rules.words import joined_by, say
from vision.errors import PictureError, PictureTooLargeError
from vision.frames.exif import UPRIGHT
from vision.frames.picture_header import PictureHeader, PictureKind, read_header
from vision.frames.quiet import hush_opencv
from vision.ports import Pixels

WORKING_PIXELS: Final = 3840 * 2160
"""Pictures of more pixels than this are worked on as a smaller copy."""
LARGEST_PIXELS: Final = 64_000_000
"""Pictures of more pixels than this are refused."""
LARGEST_FILE: Final = 256 * 1024 * 1024
"""Files of more bytes than this are refused."""
LARGEST_DECODED: Final = 256 * 1024 * 1024
"""Pictures that would take more bytes than this while being decoded are refused."""

_JPEG_QUALITY: Final = 85
"""How well pictures are kept for people to look at, of 100."""
_JPEG_END: Final = b"\xff\xd9"
"""The marker at the end of a JPEG file."""
_NEVER_CAME: Final = 128
"""The value that libjpeg gives to pixels after the end of the data."""
_MORE_DATA: Final = bytes(range(1, 255))
"""Data added before the end of a JPEG file that ends too soon, to find which pixels were there."""
_WHITE: Final = 255
"""The brightest value of a channel."""
_TURNS: Final[dict[int, tuple[int | None, int | None]]] = {
    1: (None, None),
    2: (None, 1),
    3: (cv2.ROTATE_180, None),
    4: (None, 0),
    5: (cv2.ROTATE_90_CLOCKWISE, 1),
    6: (cv2.ROTATE_90_CLOCKWISE, None),
    7: (cv2.ROTATE_90_COUNTERCLOCKWISE, 1),
    8: (cv2.ROTATE_90_COUNTERCLOCKWISE, None),
}
"""Exif orientation: the turn, then the mirror, that set a stored picture upright (CIPA DC-008, tag 0x0112)."""
_SIDEWAYS: Final = frozenset({5, 6, 7, 8})
"""The Exif orientations of pictures that are stored lying on a side."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Upright pixels to work on, and the size of the picture as given (never smaller than the pixels).

    `hfov` is the field of view along the longer side in degrees, where the file tells it.
    """

    pixels: Pixels
    width: int
    height: int
    hfov: float | None = None

    def box_as_given(self, box: Box) -> Box:
        """The box in pixels of the picture as given, from a box in working pixels."""
        rows, columns = self.pixels.shape[:2]
        across, down = self.width / columns, self.height / rows
        left, top = round(box.x * across), round(box.y * down)
        right, bottom = round((box.x + box.width) * across), round((box.y + box.height) * down)
        return Box(left, top, right - left, bottom - top)


def load_picture(path: str | os.PathLike[str]) -> Picture:
    """Read the picture file at `path`. Raises `PictureError` naming the file and what is wrong with it."""
    if not os.fspath(path):
        raise PictureError(say("no picture is named; name a JPEG or PNG file"))
    try:
        return decode_picture(_file_bytes(Path(path)))
    except PictureTooLargeError as why:
        raise PictureTooLargeError(joined_by(": ", (str(path), why.what))) from why
    except PictureError as why:
        raise PictureError(joined_by(": ", (str(path), why.what))) from why


def decode_picture(data: bytes) -> Picture:
    """Decode the bytes of a picture file.

    Raises `PictureError` for what is no picture, is damaged or cut off (half a picture would hide dice without a
    word), and `PictureTooLargeError` beyond `LARGEST_PIXELS` or `LARGEST_DECODED`.
    """
    if not data:
        raise PictureError(say("the file is empty; save or copy it again"))
    header = read_header(data)
    _require_size(header)
    if not header.whole:
        raise PictureError(say("the picture is cut off before its end; save or copy it again"))
    hush_opencv()
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), _flags(header))
    except (cv2.error, MemoryError) as why:
        raise PictureError(
            say("the {kind} picture cannot be decoded; save it again as JPEG or PNG", kind=str(header.kind))
        ) from why
    if decoded is None:
        raise PictureError(
            say("the {kind} picture is damaged or of a rare sort; save it again as JPEG or PNG", kind=str(header.kind))
        )
    if header.kind is PictureKind.JPEG and _ends_early(data, decoded, _flags(header)):
        raise PictureError(say("the picture is cut off before its end; save or copy it again"))
    pixels = _upright(_opaque(_small(decoded)), header.orientation)
    width, height = header.width, header.height
    if header.kind is PictureKind.TIFF:  # OpenCV turns TIFF pictures by itself
        sideways = (pixels.shape[0] > pixels.shape[1]) != (height > width)
    else:
        sideways = header.orientation in _SIDEWAYS
    return Picture(pixels, *((height, width) if sideways else (width, height)), hfov=header.hfov)


def _ends_early(data: bytes, decoded: cv2.typing.MatLike, flags: int) -> bool:
    """Whether a JPEG picture ends before all its data: the rest is then middle grey, which may also be its own colour.

    To decide, data are added: they change only an incomplete picture.
    """
    if not bool((decoded[-1] == _NEVER_CAME).all()):
        return False
    end = data.rfind(_JPEG_END)
    again = cv2.imdecode(np.frombuffer(data[:end] + _MORE_DATA + data[end:], np.uint8), flags)
    return again is None or not np.array_equal(again, decoded)


def encode_jpeg(pixels: Pixels, *, widest: int | None = None, quality: int = _JPEG_QUALITY) -> bytes:
    """The pixels as a JPEG file, at most `widest` pixels wide."""
    rows, columns = pixels.shape[:2]
    if widest is not None and columns > widest:
        size = (widest, max(1, round(rows * widest / columns)))
        pixels = cast("Pixels", cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))
    done, coded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise PictureError(say("the picture cannot be written as JPEG"))
    return coded.tobytes()


def encode_png(pixels: Pixels) -> bytes:
    """The pixels as a PNG file, without loss."""
    done, coded = cv2.imencode(".png", pixels)
    if not done:
        raise PictureError(say("the picture cannot be written as PNG"))
    return coded.tobytes()


MARGIN: Final = 0.25
"""What is shown round a die, as a share of its box's larger side."""


def cropped(pixels: Pixels, box: Box) -> Pixels:
    """The part of the picture inside `box`, widened by `MARGIN` of its larger side and kept inside the picture."""
    rows, columns = pixels.shape[:2]
    extra = round(max(box.width, box.height) * MARGIN)
    left, top = (min(one, most - 1) for one, most in zip(crop_corner(box), (columns, rows), strict=True))
    right = max(left + 1, min(columns, box.x + box.width + extra))
    bottom = max(top + 1, min(rows, box.y + box.height + extra))
    return pixels[top:bottom, left:right]


def crop_corner(box: Box) -> tuple[int, int]:
    """The picture's pixel that becomes the first pixel of `cropped`."""
    extra = round(max(box.width, box.height) * MARGIN)
    return max(0, box.x - extra), max(0, box.y - extra)


def _file_bytes(path: Path) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise PictureError(say("this is a folder, not a picture; name the pictures in it"))
        if not stat.S_ISREG(status.st_mode):
            raise PictureError(say("this is a device or a pipe, not a picture file"))
        if status.st_size > LARGEST_FILE:
            raise PictureTooLargeError(
                say(
                    "the file has {size} MiB, more than the {most} MiB that are read",
                    size=status.st_size // 2**20,
                    most=LARGEST_FILE // 2**20,
                )
            )
        return path.read_bytes()
    except FileNotFoundError as why:
        raise PictureError(say("there is no such file; check the name")) from why
    except (OSError, ValueError) as why:
        reason = getattr(why, "strerror", None) or str(why)
        raise PictureError(say("the file cannot be read: {reason}", reason=reason)) from why


def _require_size(header: PictureHeader) -> None:
    pixels = header.width * header.height
    if pixels > LARGEST_PIXELS:
        raise PictureTooLargeError(
            say(
                "the picture has {width} x {height} pixels ({size} megapixels); up to {most} megapixels are read, so "
                "make it smaller",
                width=header.width,
                height=header.height,
                size=f"{pixels / 1e6:.0f}",
                most=f"{LARGEST_PIXELS / 1e6:.0f}",
            )
        )
    channels = 4 if header.alpha or header.kind is PictureKind.GIF else 3
    if pixels * channels * (2 if header.alpha and header.deep else 1) > LARGEST_DECODED:
        raise PictureTooLargeError(
            say(
                "the picture of {size} megapixels with transparency would take too much memory; make it smaller or "
                "save it as JPEG",
                size=f"{pixels / 1e6:.0f}",
            )
        )


def _flags(header: PictureHeader) -> int:
    if header.alpha:
        return cv2.IMREAD_UNCHANGED
    colour = cv2.IMREAD_COLOR
    pixels = header.width * header.height
    if header.kind is PictureKind.JPEG and pixels > 4 * WORKING_PIXELS:
        colour = cv2.IMREAD_REDUCED_COLOR_2  # libjpeg halves while it decodes: a quarter of the memory
    return colour | cv2.IMREAD_IGNORE_ORIENTATION


def _small(decoded: cv2.typing.MatLike) -> cv2.typing.MatLike:
    rows, columns = decoded.shape[:2]
    if rows * columns <= WORKING_PIXELS:
        return decoded
    shrink = (WORKING_PIXELS / (rows * columns)) ** 0.5
    size = (max(1, int(columns * shrink)), max(1, int(rows * shrink)))
    return cv2.resize(decoded, size, interpolation=cv2.INTER_AREA)


def _opaque(decoded: cv2.typing.MatLike) -> Pixels:
    """Eight bits, three channels; what is transparent shows white, as paper would."""
    if decoded.dtype == np.uint16:
        decoded = np.right_shift(decoded, 8, dtype=np.uint16).astype(np.uint8)
    if decoded.ndim == 2:  # noqa: PLR2004 - rows and columns, no channels
        return cast("Pixels", cv2.cvtColor(decoded, cv2.COLOR_GRAY2BGR))
    if decoded.shape[2] == 4:  # noqa: PLR2004 - blue, green, red, alpha
        alpha = decoded[:, :, 3:].astype(np.uint16)
        laid = (decoded[:, :, :3] * alpha + _WHITE * (_WHITE - alpha)) // _WHITE
        return laid.astype(np.uint8)
    return np.ascontiguousarray(decoded[:, :, :3], dtype=np.uint8)


def _upright(pixels: Pixels, orientation: int) -> Pixels:
    if orientation == UPRIGHT:
        return pixels
    turn, mirror = _TURNS[orientation]
    if turn is not None:
        pixels = cast("Pixels", cv2.rotate(pixels, turn))
    if mirror is not None:
        pixels = cast("Pixels", cv2.flip(pixels, mirror))
    return pixels
