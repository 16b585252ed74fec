"""Pictures that people take of a throw with a camera of their own, each a reading by itself.

In: a picture file's bytes. Out: its dice as a `Reading`, as the table's camera would report them. These pictures come
from another camera, so that of the table's setup only the taught dice are used.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Final

from rules.dice import Reading, SourceKind
from rules.words import Phrase
from vision.errors import MIRRORED
from vision.frames.pictures import decode_picture
from vision.read.framed import framed
from vision.read.mirror import SecondLook, told_by
from vision.read.reader import PictureReader
from vision.read.uncounted import uncounted_in_words
from vision.watch.album import Album

FIELD_OF_VIEW: Final = 67.0
"""Degrees along a phone's picture that does not tell its lens: the main one's, 26 mm before film of 36 x 24 mm."""
_ID_LETTERS: Final = 32
"""Letters of a picture's checksum that make its name."""


@dataclass(frozen=True, slots=True)
class TakenPicture:
    """The reading of such a picture, and a remark for people (may be empty)."""

    reading: Reading
    notice: Phrase


class Snapshots:
    """Reads pictures at the table of `reader`. Every method may be called from any thread."""

    def __init__(self, reader: PictureReader) -> None:
        """Nothing is kept but the newest pictures of single dice, in memory."""
        self._reader = reader
        self._second_look = SecondLook()
        self._album = Album()

    @staticmethod
    def name_of(data: bytes) -> str:
        """The id of the reading of this file: the same file is the same throw for ever."""
        return hashlib.sha256(data).hexdigest()[:_ID_LETTERS]

    def read(self, data: bytes) -> TakenPicture:
        """What a picture file shows; boxes are in pixels of the picture as given.

        The reading is `found`, for nobody saw these dice thrown. Raises `PictureError` for what cannot be read.
        """
        picture = decode_picture(data)
        reader = self._reader.elsewhere(picture.hfov, FIELD_OF_VIEW)
        told = told_by(reader, picture.pixels, self._second_look)
        if not told.dice:
            told = replace(told, survey=replace(told.survey, dice=framed(reader, picture.pixels)))
        name = self.name_of(data)
        dice = self._album.kept_with(name, picture, told.dice, told.survey.silhouettes, SourceKind.PHONE)
        notice = MIRRORED if told.mirrored else uncounted_in_words(told.survey.others)
        return TakenPicture(Reading(name, SourceKind.PHONE, dice, found=True), notice)

    def picture(self, key: str) -> bytes | None:
        """The JPEG picture of a die by its `DieReading.picture`; None once it is forgotten."""
        return self._album.get(key)

    def whole(self, key: str) -> bytes | None:
        """The whole picture of that die's throw: see `Album.whole`."""
        return self._album.whole(key)

    def has_cut_out(self, key: str) -> bool:
        """Whether `cut_out` has that die."""
        return self._album.has_cut_out(key)

    def cut_out(self, key: str) -> bytes | None:
        """The die of that picture by itself: see `Album.cut_out`."""
        return self._album.cut_out(key)
