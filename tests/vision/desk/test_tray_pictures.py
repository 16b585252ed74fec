"""Pictures of a tray with a camera of its own, one after another: what is new in each."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from rules.dice import Box, DieKind, DieReading, DieState, SourceKind
from vision.desk.tray_pictures import TrayPictures
from vision.errors import PictureError
from vision.frames.pictures import encode_jpeg
from vision.ports import Pixels, Survey
from vision.read.reader import PictureReader

GREY = encode_jpeg(np.full((90, 120, 3), 128, np.uint8))


class Told:
    """A reader that sees what it is told."""

    def __init__(self) -> None:
        self.dice: tuple[DieReading, ...] = ()

    def elsewhere(self, hfov: float | None, supposed: float) -> Told:
        assert (hfov or supposed) > 0
        return self

    def survey(self, picture: Pixels) -> Survey:
        assert picture.size
        return Survey(self.dice)

    def read(self, picture: Pixels) -> tuple[DieReading, ...]:
        return self.survey(picture).dice


def die(face: int, x: int) -> DieReading:
    return DieReading(DieKind.D20, face, 1.0, DieState.READ, SourceKind.CAMERA, Box(x, 10, 20, 20))


def test_what_is_new_is_a_reading_what_lies_as_it_lay_is_none() -> None:
    reader = Told()
    pictures = TrayPictures(cast("PictureReader", reader))
    assert pictures.read("tray:1", GREY).reading is None, "an empty tray is no news"
    reader.dice = (die(17, 10), die(3, 60))
    thrown = pictures.read("tray:2", GREY, found=True).reading
    assert thrown is not None
    assert (thrown.reading_id, thrown.source, thrown.found) == ("tray:2", SourceKind.TRAY, True)
    assert [(one.face, one.source) for one in thrown.dice] == [(17, SourceKind.TRAY), (3, SourceKind.TRAY)]
    crop = pictures.picture(thrown.dice[0].picture or "")
    assert crop is not None
    assert crop.startswith(b"\xff\xd8")
    assert pictures.read("tray:3", GREY).reading is None, "they lie as they lay"
    reader.dice = (die(17, 80), die(3, 30))
    moved = pictures.read("tray:4", GREY).reading
    assert moved is not None
    assert (moved.lay_before, moved.found) == (True, False)
    reader.dice = ()
    cleared = pictures.read("tray:5", GREY).reading
    assert cleared is not None
    assert (cleared.reading_id, cleared.dice) == ("tray:5", ())


def test_what_is_no_picture_changes_nothing() -> None:
    reader = Told()
    pictures = TrayPictures(cast("PictureReader", reader))
    reader.dice = (die(17, 10),)
    assert pictures.read("tray:1", GREY).reading is not None
    with pytest.raises(PictureError):
        pictures.read("tray:2", GREY[:50])
    assert pictures.read("tray:3", GREY).reading is None
