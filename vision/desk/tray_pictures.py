"""Pictures that a dice tray with a camera sends, each of dice at rest.

In: a picture file's bytes with the name of its reading. Out: a `Reading`, as the table's camera would report it, or
none where nothing is new.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.dice import DieReading, Reading, SourceKind
from rules.words import Phrase
from vision.errors import MIRRORED
from vision.frames.pictures import decode_picture
from vision.read.mirror import SecondLook, told_by
from vision.read.reader import PictureReader
from vision.read.uncounted import uncounted_in_words
from vision.watch.album import Album
from vision.watch.throws import faces_of, same_dice

FIELD_OF_VIEW: Final = 66.0
"""Degrees across a picture that does not tell its lens: the usual one of these boards (OV2640: 66; an OpenMV's: 71)."""


@dataclass(frozen=True, slots=True)
class SeenInTray:
    """What a picture told: `reading` is None where the dice lie as they lay, `notice` for those who wait for dice."""

    reading: Reading | None
    notice: Phrase


class TrayPictures:
    """Reads the pictures of one tray, one after another. Used by one thread; pictures of dice are for any.

    The tray's camera is not the table's: of what `reader` knows, only the taught dice are used.
    """

    def __init__(self, reader: PictureReader) -> None:
        """Nothing is kept but what lay there last, and the newest pictures of single dice, in memory."""
        self._reader = reader
        self._second_look = SecondLook()
        self._album = Album()
        self._known: tuple[DieReading, ...] = ()

    def read(self, reading_id: str, data: bytes, *, found: bool = False) -> SeenInTray:
        """What the picture of the reading `reading_id` shows; boxes are in pixels of the picture as given.

        `found` says that nobody saw its dice thrown. Raises `PictureError` for what is no picture.
        """
        picture = decode_picture(data)
        told = told_by(self._reader.elsewhere(picture.hfov, FIELD_OF_VIEW), picture.pixels, self._second_look)
        known, self._known = self._known, told.dice
        notice = MIRRORED if told.mirrored else uncounted_in_words(told.survey.others)
        if same_dice(known, told.dice):
            self._known = known
            return SeenInTray(None, notice)
        named = reading_id.replace(":", "-")
        dice = self._album.kept_with(named, picture, told.dice, told.survey.silhouettes, SourceKind.TRAY)
        lay_before = bool(dice) and faces_of(known) == faces_of(told.dice)
        return SeenInTray(
            Reading(reading_id, SourceKind.TRAY, dice, lay_before=lay_before, found=found and bool(dice)), notice
        )

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
