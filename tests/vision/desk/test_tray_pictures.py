"""Pictures of a tray with a camera of its own, one after another: what is new in each."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from rules.dice import Box, DieKind, DieReading, DieState, SourceKind
from vision.desk.tray_pictures import TrayPictures
from vision.errors import MIRRORED, PictureError
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


class Elsewhere(Told):
    """A reader whose dice can be read only turned over, and only through the tray's own lens."""

    def __init__(self, *, own: bool) -> None:
        super().__init__()
        self.own = own

    def elsewhere(self, hfov: float | None, supposed: float) -> Elsewhere:
        assert (hfov or supposed) > 0
        return Elsewhere(own=True)

    def survey(self, picture: Pixels) -> Survey:
        readable = self.own and picture[0, 0].sum() < picture[0, -1].sum()
        unsure = DieReading(DieKind.D20, None, 0.5, DieState.DOUBTFUL, SourceKind.CAMERA, Box(10, 10, 20, 20))
        return Survey((die(17, 10), die(3, 60)) if readable else (unsure, replace(unsure, box=Box(60, 10, 20, 20))))


def test_a_mirrored_picture_is_turned_over_through_the_trays_own_lens() -> None:
    picture = np.full((90, 120, 3), 128, np.uint8)
    picture[:, :60] = 200
    pictures = TrayPictures(cast("PictureReader", Elsewhere(own=False)))
    assert pictures.read("tray:1", encode_jpeg(picture)).notice == MIRRORED


def test_what_is_no_picture_changes_nothing() -> None:
    reader = Told()
    pictures = TrayPictures(cast("PictureReader", reader))
    reader.dice = (die(17, 10),)
    assert pictures.read("tray:1", GREY).reading is not None
    with pytest.raises(PictureError):
        pictures.read("tray:2", GREY[:50])
    assert pictures.read("tray:3", GREY).reading is None
