"""What the first bytes of a picture file say, read before anything is decoded.

A file of a few kilobytes may claim to be a picture of a thousand megapixels, and decoders believe it; so the size is
known, and bounded, before a decoder sees the file. Only kinds of file whose size can be told this way are accepted.
Sources: ITU-T T.81 annex B (JPEG), the PNG specification (third edition), RFC 9649 (WebP), GIF89a, TIFF 6.0.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from rules.words import say
from vision.errors import PictureError
from vision.frames.exif import BYTE_ORDERS, UPRIGHT, Exif, exif_of


class PictureKind(StrEnum):
    """The kinds of picture file that are accepted."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    BMP = "BMP"
    GIF = "GIF"
    TIFF = "TIFF"
    PNM = "PNM"


@dataclass(frozen=True, slots=True)
class PictureHeader:
    """The header of a picture file.

    `width` and `height` are in stored pixels, before `orientation` (Exif, 1 to 8) is applied. `alpha` says that some
    pixels may be transparent, `deep` that a channel has 16 bits, `whole` that the end of the file is there, as far
    as the kind lets one tell. `hfov` is the field of view along the longer side in degrees, where the file tells it.
    """

    kind: PictureKind
    width: int
    height: int
    orientation: int = 1
    alpha: bool = False
    deep: bool = False
    whole: bool = True
    hfov: float | None = None


_TIFF_WIDTH: Final = 0x0100
"""The TIFF tag of the width in pixels."""
_TIFF_HEIGHT: Final = 0x0101
"""The TIFF tag of the height in pixels."""
_TIFF_SHORT: Final = 3
"""The TIFF type of a number of two bytes."""
_JPEG_SIZES: Final = frozenset({*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0)})
"""The JPEG markers (SOF) whose segment tells the size."""
_JPEG_BARE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""The JPEG markers that have no segment."""
_SCAN, _END, _APP1, _FILL = 0xDA, 0xD9, 0xE1, 0xFF
"""The JPEG markers of pixels, of the end and of Exif, and the byte that may fill up before a marker."""
_PNG_WITH_ALPHA: Final = frozenset({4, 6})
"""The PNG colour types with a channel for transparency."""
_DEEP: Final = 16
"""The bits a channel of a picture of more than 256 shades."""
_BYTE: Final = 255
"""The brightest value of one byte."""
_OLD_BMP: Final = 12
"""The length of the oldest header of a BMP file, whose sizes have two bytes."""
_PNM_START: Final = re.compile(rb"P([1-6])(?:\s|#[^\n]*\n)+(\d+)(?:\s|#[^\n]*\n)+(\d+)(?:(?:\s|#[^\n]*\n)+(\d+))?\s")
"""A PNM file's kind, width, height and highest value, with comments between them."""
_PNM_BITMAPS: Final = frozenset({1, 4})
"""The PNM kinds that have no highest value."""


def read_header(data: bytes) -> PictureHeader:
    """The kind and size of a picture file. Raises `PictureError` where it is none of the accepted kinds or damaged."""
    for starts, parse in _PARSERS:
        if data.startswith(starts):
            try:
                header = parse(data)
            except (struct.error, IndexError) as why:
                raise PictureError(say("the file is cut off or damaged; save or copy it again")) from why
            if header.width < 1 or header.height < 1:
                raise PictureError(say("the file says that its picture has no width or no height; save it again"))
            return header
    kinds = ", ".join(PictureKind)
    raise PictureError(say("the file is no picture that can be read; use one of {kinds}", kinds=kinds))


def _jpeg(data: bytes) -> PictureHeader:
    width = height = 0
    exif: Exif | None = None
    at = 2
    while True:
        while data[at] != _FILL or data[at + 1] == _FILL:
            at += 1
        marker = data[at + 1]
        at += 2
        if marker in (_SCAN, _END):
            break
        if marker in _JPEG_BARE:
            continue
        (length,) = struct.unpack_from(">H", data, at)
        if marker in _JPEG_SIZES:
            height, width = struct.unpack_from(">HH", data, at + 3)
        elif marker == _APP1 and exif is None and data[at + 2 : at + 8] == b"Exif\0\0":
            exif = exif_of(data[at + 8 : at + length])
        at += max(2, length)
    # In the coded scans 0xFF is always followed by 0, so that an end marker there is the end.
    whole = marker == _SCAN and data.find(b"\xff\xd9", at) > 0
    return _taken(PictureHeader(PictureKind.JPEG, width, height, whole=whole), exif)


def _png(data: bytes) -> PictureHeader:
    width, height, depth, colour = struct.unpack_from(">IIBB", data, 16)
    alpha = colour in _PNG_WITH_ALPHA
    exif: Exif | None = None
    whole = False
    for name, start, length in _png_chunks(data):
        if name == b"tRNS":
            alpha = True
        elif name == b"eXIf" and exif is None:
            exif = exif_of(data[start : start + length])
        elif name == b"IEND":
            whole = True
    return _taken(PictureHeader(PictureKind.PNG, width, height, alpha=alpha, deep=depth == _DEEP, whole=whole), exif)


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    at = 8
    while at + 12 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        yield name, at + 8, length
        at += 12 + length


def _webp(data: bytes) -> PictureHeader:
    if data[8:12] != b"WEBP":
        raise PictureError(say("the file is no picture: it is sound or film in a RIFF file; use a JPEG or PNG picture"))
    (size,) = struct.unpack_from("<I", data, 4)
    whole = len(data) >= size + 8
    width = height = 0
    exif: Exif | None = None
    alpha = False
    at = 12
    while at + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        body = data[at + 8 : at + 8 + length]
        if name == b"VP8X":
            alpha = alpha or bool(body[0] & 0x10)
            width, height = (int.from_bytes(body[start : start + 3], "little") + 1 for start in (4, 7))
        elif name == b"VP8 " and not width:
            width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", body, 6))
        elif name == b"VP8L" and not width:
            (bits,) = struct.unpack_from("<I", body, 1)
            width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
            alpha = bool(bits >> 28 & 1)
        elif name == b"EXIF" and exif is None:
            exif = exif_of(body.removeprefix(b"Exif\0\0"))
        at += 8 + length + length % 2
    return _taken(PictureHeader(PictureKind.WEBP, width, height, alpha=alpha, whole=whole), exif)


def _bmp(data: bytes) -> PictureHeader:
    (size,) = struct.unpack_from("<I", data, 14)
    width, height = struct.unpack_from("<HH" if size == _OLD_BMP else "<ii", data, 18)
    return PictureHeader(PictureKind.BMP, abs(width), abs(height))


def _gif(data: bytes) -> PictureHeader:
    width, height = struct.unpack_from("<HH", data, 6)
    return PictureHeader(PictureKind.GIF, width, height, whole=b"\x3b" in data[-16:])


def _tiff(data: bytes) -> PictureHeader:
    tags = _tags(data)
    header = PictureHeader(PictureKind.TIFF, tags.get(_TIFF_WIDTH, 0), tags.get(_TIFF_HEIGHT, 0), deep=True)
    return replace(_taken(header, exif_of(data)), orientation=UPRIGHT)  # OpenCV turns it by itself


def _pnm(data: bytes) -> PictureHeader:
    found = _PNM_START.match(data[:4096])
    if found is None:
        raise PictureError(say("the file begins like a PNM picture and goes on otherwise; use a JPEG or PNG picture"))
    kind, width, height, brightest = (int(number or _BYTE) for number in found.groups())
    deep = kind not in _PNM_BITMAPS and brightest > _BYTE
    return PictureHeader(PictureKind.PNM, width, height, deep=deep)


def _taken(header: PictureHeader, exif: Exif | None) -> PictureHeader:
    """The header with what the camera wrote beside the picture."""
    if exif is None or not header.width or not header.height:
        return header
    return replace(header, orientation=exif.orientation, hfov=exif.hfov(header.width, header.height))


def _tags(data: bytes) -> dict[int, int]:
    """The whole-number tags of the first directory of a TIFF file."""
    order = BYTE_ORDERS.get(data[:2])
    if order is None:
        return {}
    (at,) = struct.unpack_from(order + "I", data, 4)
    (count,) = struct.unpack_from(order + "H", data, at)
    tags: dict[int, int] = {}
    for number in range(count):
        tag, kind = struct.unpack_from(order + "HH", data, at + 2 + 12 * number)
        layout = order + ("H" if kind == _TIFF_SHORT else "I")
        (value,) = struct.unpack_from(layout, data, at + 10 + 12 * number)
        tags[tag] = max(value, tags.get(tag, 0))  # given twice, the larger counts: sizes are bounded by it
    return tags


_PARSERS: Final[tuple[tuple[bytes | tuple[bytes, ...], Callable[[bytes], PictureHeader]], ...]] = (
    (b"\xff\xd8\xff", _jpeg),
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"RIFF", _webp),
    (b"BM", _bmp),
    ((b"GIF87a", b"GIF89a"), _gif),
    ((b"II*\0", b"MM\0*"), _tiff),
    (tuple(b"P%d" % kind for kind in range(1, 7)), _pnm),
)
"""The first bytes of each kind of file, and the function that reads its header."""
