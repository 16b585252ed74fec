"""The pictures of single dice that people may look at, the newest ones alone."""

from __future__ import annotations

import hashlib
import itertools
import secrets
import threading
import weakref
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from rules.dice import Box, DieKind, DieReading, SourceKind
from vision.frames.pictures import Picture, crop_corner, cropped, decode_picture, encode_jpeg
from vision.ports import Pixels, Silhouette
from vision.watch.cut_outs import cut_out

PICTURES_KEPT: Final = 50
"""Pictures of single dice that are kept; older ones are forgotten."""
_WIDEST: Final = 1280
"""The most pixels across of the whole picture of a throw: it is for people to look at."""
_SECRET: Final = secrets.token_bytes(32)
"""Of this start alone: without it no key is found."""
_RINGS: Final = (((0, 0, 0), 3), ((255, 255, 255), 1))
"""Colour and share of the pen of the ring round a marked die: one of the two is seen on any table."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A die's picture (JPEG), how the die lies in it where that is known, and the number that it shows, if any.

    `whole` is the picture of the whole throw, which its dice share, and `place` the die's middle and reach in it. Of a
    phone's picture it is what lies within a die of the dice.
    """

    picture: bytes
    whole: bytes
    place: tuple[int, int, int]
    silhouette: Silhouette | None
    numeral: str


class Album:
    """The newest pictures by key, for any thread; none is written to a disk."""

    def __init__(self, kept: int = PICTURES_KEPT) -> None:
        self._kept = kept
        self._pictures: OrderedDict[str, _Kept] = OrderedDict()
        self._cut: dict[str, bytes] = {}
        self._last: tuple[weakref.ref[Pixels], bytes] | None = None
        self._lock = threading.Lock()

    def put(self, key: str, picture: Pixels, die: DieReading, silhouette: Silhouette | None = None) -> None:
        """Keep the part of `picture` round a die with a box; the oldest picture is dropped if necessary."""
        if die.box is None:
            raise ValueError("only a die with a box has a picture")
        kept = _Kept(
            encode_jpeg(cropped(picture, die.box)),
            self._whole_of(picture),
            _place_in_whole(picture, die.box),
            None if silhouette is None else silhouette.moved(crop_corner(die.box)),
            str(die.face) if die.kind is DieKind.D20 and die.face is not None else "",
        )
        with self._lock:
            self._pictures[key] = kept
            for old in list(itertools.islice(self._pictures, max(0, len(self._pictures) - self._kept))):
                del self._pictures[old]
                self._cut.pop(old, None)

    def kept_with(
        self,
        name: str,
        picture: Picture,
        dice: Sequence[DieReading],
        silhouettes: Mapping[Box, Silhouette],
        source: SourceKind,
    ) -> tuple[DieReading, ...]:
        """`dice` as `source` gives them: with the boxes of the picture as it came, each kept under a key of its own.

        Of a phone's picture only what lies within a die of the dice is kept: hands, faces and papers are nobody's.
        """
        shown, corner = picture.pixels, (0, 0)
        if source is SourceKind.PHONE:
            shown, corner = _round_dice(picture.pixels, [die.box for die in dice if die.box is not None])
        named, found = reading_name(name), []
        for place, die in enumerate(dice):
            given = replace(die, source=source)
            if die.box is not None:
                key, lies = f"{named}-{place}", silhouettes.get(die.box)
                there = replace(die, box=_moved(die.box, corner))
                self.put(key, shown, there, None if lies is None else lies.moved(corner))
                given = replace(given, box=picture.box_as_given(die.box), picture=key)
            found.append(given)
        return tuple(found)

    def get(self, key: str) -> bytes | None:
        """The JPEG picture kept under `key`; None where there is none (any more)."""
        with self._lock:
            kept = self._pictures.get(key)
        return kept.picture if kept is not None else None

    def whole(self, key: str) -> bytes | None:
        """The whole picture of that die's throw (JPEG) with a ring round the die; None where it is not kept."""
        with self._lock:
            kept = self._pictures.get(key)
        if kept is None:
            return None
        shown = decode_picture(kept.whole).pixels.copy()
        column, row, reach = kept.place
        for colour, share in _RINGS:
            cv2.circle(shown, (column, row), reach, colour, share * max(1, reach // 16), cv2.LINE_AA)
        return encode_jpeg(shown)

    def _whole_of(self, picture: Pixels) -> bytes:
        """`picture` as it is kept, made once for all dice of a throw."""
        with self._lock:
            last = self._last
        if last is not None and last[0]() is picture:
            return last[1]
        made = encode_jpeg(picture, widest=_WIDEST)
        with self._lock:
            self._last = (weakref.ref(picture), made)
        return made

    def has_cut_out(self, key: str) -> bool:
        """Whether the die of that picture can be cut out."""
        with self._lock:
            kept = self._pictures.get(key)
        return kept is not None and kept.silhouette is not None

    def cut_out(self, key: str) -> bytes | None:
        """The die of that picture by itself, upright (see `cut_outs`); None where it is not kept or its pose unknown.

        It is made when it is first asked for.
        """
        with self._lock:
            kept, made = self._pictures.get(key), self._cut.get(key)
        if made is not None or kept is None or kept.silhouette is None:
            return made
        made = cut_out(decode_picture(kept.picture).pixels, kept.silhouette, kept.numeral)
        with self._lock:
            if key in self._pictures:
                self._cut[key] = made
        return made


def reading_name(start: str) -> str:
    """What the keys of the reading `start` begin with. Nobody finds them from those of another reading."""
    return f"{start}-{hashlib.blake2b(start.encode(), key=_SECRET, digest_size=8).hexdigest()}"


def _round_dice(picture: Pixels, boxes: Sequence[Box]) -> tuple[Pixels, tuple[int, int]]:
    """The part of `picture` with all of `boxes`, black further than a die from each, and its first pixel."""
    if not boxes:
        return picture[:1, :1], (0, 0)
    rows, columns = picture.shape[:2]
    near = [_grown(one, (columns, rows)) for one in boxes]
    left, top = (min(one[side] for one in near) for side in (0, 1))
    right, bottom = (max(one[side] for one in near) for side in (2, 3))
    part = np.zeros_like(picture[top:bottom, left:right])
    for west, north, east, south in near:
        part[north - top : south - top, west - left : east - left] = picture[north:south, west:east]
    return part, (left, top)


def _grown(box: Box, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The left, top, right and bottom of `box` with a margin of its larger side, inside a picture of that size."""
    margin, (columns, rows) = max(box.width, box.height), size
    left, top = min(max(0, box.x - margin), columns - 1), min(max(0, box.y - margin), rows - 1)
    right, bottom = min(columns, box.x + box.width + margin), min(rows, box.y + box.height + margin)
    return left, top, max(left + 1, right), max(top + 1, bottom)


def _moved(box: Box, corner: tuple[int, int]) -> Box:
    return Box(box.x - corner[0], box.y - corner[1], box.width, box.height)


def _place_in_whole(picture: Pixels, box: Box) -> tuple[int, int, int]:
    """The middle of `box` and how far a ring round it reaches, in pixels of the picture as it is kept."""
    scale = min(1.0, _WIDEST / picture.shape[1])
    middle = (box.x + box.width / 2, box.y + box.height / 2)
    return round(middle[0] * scale), round(middle[1] * scale), round(0.8 * max(box.width, box.height) * scale)
