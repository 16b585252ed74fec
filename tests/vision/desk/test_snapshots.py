"""Pictures that people take of a throw with a camera of their own."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from rules.dice import Box, DieKind, DieState, SourceKind
from tests.bench.vision_closeups import close_up
from tests.bench.vision_lenses import SIZE as WIDE_SIZE
from tests.vision.carded import up_of
from tests.vision.photographs import ABSENT, FOLDER, overlap, photographs
from tests.vision.taken import by_phone, lens_of, with_exif
from vision.desk.snapshots import Snapshots
from vision.errors import PictureError, PictureTooLargeError
from vision.frames.pictures import encode_jpeg, load_picture
from vision.read.reader import PictureReader, load_reader
from vision.table.calibration import Calibration, MadeBy
from vision.table.setup import EmptyTray, TableSetup
from vision.training.scenes import Scene, scene
from vision.watch.album import PICTURES_KEPT

pytestmark = pytest.mark.slow

SIZE = (4032, 3024)
"""Twelve megapixels."""
WIDE = lens_of(104.0, *WIDE_SIZE)
"""What a phone's ultra-wide camera writes."""


@cache
def reader() -> PictureReader:
    return load_reader()


@cache
def tray() -> Scene:
    """Twelve megapixels of two d20s and a Challenge Die, the dice some 270 pixels across."""
    width, height = (one // 2 for one in SIZE)
    small = scene(45, (DieKind.D20, DieKind.D20, DieKind.CHALLENGE), size=(width, height), radius=(65, 70))
    dice = tuple(
        replace(
            one,
            box=Box(*(2 * side for side in (one.box.x, one.box.y, one.box.width, one.box.height))),
            centre=(2 * one.centre[0], 2 * one.centre[1]),
        )
        for one in small.dice
    )
    return Scene(np.asarray(cv2.resize(small.picture, SIZE, interpolation=cv2.INTER_CUBIC), np.uint8), dice)


@cache
def taken() -> bytes:
    """The same as a phone held upright writes it."""
    return by_phone(np.rot90(tray().picture), (SIZE[1], SIZE[0]))


def test_twelve_megapixels_taken_upright_are_read_with_boxes_where_a_viewer_shows_them() -> None:
    made = Snapshots(reader())
    reading = made.read(taken()).reading
    assert (reading.source, reading.found) == (SourceKind.PHONE, True)
    true = {
        (one.kind, one.face): Box(one.box.y, SIZE[0] - one.box.x - one.box.width, one.box.height, one.box.width)
        for one in tray().dice
    }
    assert {(die.kind, die.face) for die in reading.dice} == set(true)
    for die in reading.dice:
        assert (die.state, die.source) == (DieState.READ, SourceKind.PHONE)
        assert die.face is not None
        assert overlap(die.box, true[die.kind, die.face]) > 0.6
        crop = made.picture(die.picture or "")
        assert crop is not None
        assert crop.startswith(b"\xff\xd8")
        by_itself = made.cut_out(die.picture or "")
        assert by_itself is not None
        assert by_itself[8:12] == b"WEBP"


def test_a_picture_that_tells_its_wide_lens_is_read_by_that() -> None:
    """Of 104 degrees; read as of a usual phone, these dice are asked about, and two are too few to show the lens."""
    tray = scene(6_200_000, (DieKind.D20,) * 2, size=WIDE_SIZE, hfov=104.0)
    file = encode_jpeg(tray.picture, quality=95)
    bare, tagged = (Snapshots(reader()).read(one).reading.dice for one in (file, with_exif(file, lens=WIDE)))
    assert all(die.state is not DieState.READ for die in bare)
    assert sorted(str(die.face) for die in tagged) == sorted(str(one.face) for one in tray.dice)


def test_the_same_file_has_the_same_name_for_ever_and_another_one_another() -> None:
    first, again = Snapshots(reader()).read(taken()), Snapshots(reader()).read(taken())
    assert first == again
    assert first.reading.reading_id == Snapshots.name_of(taken()) != Snapshots.name_of(taken() + b"\0")


def test_what_is_known_of_the_tables_own_camera_says_nothing_of_another_one() -> None:
    """A calibration and an empty tray of the same shape, which would hide all dice and lean them by 40 degrees."""
    grey = cv2.cvtColor(np.ascontiguousarray(np.rot90(tray().picture)), cv2.COLOR_BGR2GRAY)
    height, width = grey.shape
    leaning = Calibration(width, height, tuple(up_of(40, 0)), MadeBy.CARD, corners=((0, 0), (9, 0), (9, 9), (0, 9)))
    at_table = PictureReader(reader().networks, 40.0, TableSetup(leaning, EmptyTray(np.asarray(grey, np.uint8))))
    assert Snapshots(at_table).read(taken()) == Snapshots(reader()).read(taken())


def test_of_a_mirrored_picture_no_d20_counts_and_that_is_told() -> None:
    turned = encode_jpeg(np.ascontiguousarray(scene(61, (DieKind.D20,) * 5).picture[:, ::-1]), quality=95)
    told = Snapshots(reader()).read(turned)
    assert all(die.state is not DieState.READ for die in told.reading.dice)
    assert told.notice.startswith("The picture is mirrored.")


def test_a_mirrored_picture_is_turned_over_through_its_own_lens() -> None:
    """Of 104 degrees: through the table's lens these dice could not be read turned over either."""
    tray = scene(6_200_001, (DieKind.D20,) * 3, size=WIDE_SIZE, hfov=104.0)
    turned = encode_jpeg(np.ascontiguousarray(tray.picture[:, ::-1]), quality=95)
    assert Snapshots(reader()).read(with_exif(turned, lens=WIDE)).notice.startswith("The picture is mirrored.")


def test_what_is_no_whole_picture_is_refused() -> None:
    for data in (b"", b"<svg/>", b"\0\0\0\x18ftypheic", taken()[:200_000], taken()[:40]):
        with pytest.raises(PictureError):
            Snapshots(reader()).read(data)


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(PictureTooLargeError, match="100 megapixels"):
        Snapshots(reader()).read(b"P5 10000 10000 255\n")


def test_only_the_newest_pictures_of_dice_are_kept() -> None:
    made = Snapshots(reader())
    first = made.read(taken()).reading.dice[0].picture or ""
    jpeg = encode_jpeg(scene(45, (DieKind.D20,) * 4).picture)
    for number in range(PICTURES_KEPT // 4):
        assert len(made.read(jpeg + bytes([number])).reading.dice) == 4
    assert made.picture(first) is None


@pytest.mark.skipif(not FOLDER.is_dir(), reason=ABSENT)
def test_a_real_photograph_blown_up_to_twelve_megapixels_is_read() -> None:
    picture = load_picture(FOLDER / "dicetower" / "d20_04.jpg").pixels
    (die,) = Snapshots(reader()).read(by_phone(picture, (3024, 4032))).reading.dice
    assert (die.kind, die.face, die.state) == (DieKind.D20, 4, DieState.READ)


@pytest.mark.skipif(not FOLDER.is_dir(), reason=ABSENT)
def test_a_cube_that_fills_the_picture_is_asked_about(*, whole: bool) -> None:
    cubes = [one for one in photographs() if one.die == "dicetower-D6"]
    for photograph in cubes if whole else cubes[:2]:
        assert photograph.box is not None
        cut, there = close_up(load_picture(photograph.file).pixels, photograph.box, 0.98, 640)
        assert reader().read(cut) == ()
        (die,) = Snapshots(reader()).read(encode_jpeg(cut, quality=95)).reading.dice
        assert (die.state, die.face) == (DieState.DOUBTFUL, None)
        assert die.guesses[0].face == photograph.value
        assert overlap(die.box, there) > 0.8


def test_of_pictures_without_dice_nothing_is_asked_about() -> None:
    for seed in (45, 46, 47):
        assert Snapshots(reader()).read(encode_jpeg(scene(seed, ()).picture)).reading.dice == ()
