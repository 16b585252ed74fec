"""The calibration card and what is learnt from it, or from corners pointed at, on pictures of the real drawing."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import DieKind, DieState
from tests.vision.carded import onto, photographed, up_of
from vision.errors import CalibrationError, Unusable
from vision.ports import Pixels
from vision.pose.crops import Grey
from vision.pose.geometry import Array, Camera
from vision.read.reader import load_reader
from vision.table.calibration import (
    Calibration,
    MadeBy,
    as_text,
    by_card,
    by_corners,
    by_views,
    from_text,
    load_calibration,
)
from vision.table.card import find_card
from vision.table.card_paper import RULER, Paper, Words, card_pdf, card_svg
from vision.table.folder import keep
from vision.table.setup import TableSetup
from vision.training.scenes import scene

pytestmark = pytest.mark.slow

BLACK = r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"'
WORDS = Words("above (the board)", "below", "ruler")


def apart(calibration: Calibration, up: Array) -> float:
    """Degrees between what was found to be up and what is."""
    return math.degrees(math.acos(min(1.0, float(np.array(calibration.up) @ up))))


def grey(picture: Pixels) -> Grey:
    return np.ascontiguousarray(picture[..., 0])


@pytest.mark.parametrize("lean", [(0.0, 0.0), (4.0, -9.0), (0.0, 14.0), (22.0, 5.0)])
def test_the_card_tells_what_is_up(lean: tuple[float, float]) -> None:
    camera, up = Camera(1280, 720, 63), up_of(*lean)
    picture, _ = photographed(camera, up, 560)
    made = by_card(grey(picture), hfov=60.0)
    assert apart(made, up) < 0.7
    assert made.scale == pytest.approx(camera.focal / 560, rel=0.03)
    assert made.corners == ()
    assert made.made_by is MadeBy.CARD
    if abs(lean[1]) + abs(lean[0]) > 10:
        assert made.hfov_known
        assert made.hfov == pytest.approx(63, abs=2)


def test_a_narrow_camera_that_is_held_upright_is_measured() -> None:
    camera, up = Camera(720, 1280, 28), up_of(12, -12)
    picture, _ = photographed(camera, up, 460)
    made = by_card(grey(picture), hfov=36.0)
    assert made.hfov_known
    assert made.hfov == pytest.approx(28, abs=1)
    assert apart(made, up) < 0.7


def test_a_card_seen_straight_on_leaves_the_lens_as_it_was_supposed() -> None:
    picture, _ = photographed(Camera(1280, 720, 75), up_of(0, 0), 560)
    made = by_card(grey(picture), hfov=60.0)
    assert not made.hfov_known
    assert made.hfov == pytest.approx(60, abs=3)
    assert made.lean < 1.0


def test_corners_that_were_cut_off_give_the_tray() -> None:
    camera, up = Camera(1280, 720, 60), up_of(8, -3)
    picture, corners = photographed(camera, up, 560, tray=(380, 250))
    made = by_card(grey(picture))
    assert len(made.corners) == 4
    assert np.abs(np.array(made.corners) - corners).max() < 2.0
    assert apart(made, up) < 1.0
    middle = corners.mean(axis=0)
    assert made.holds((float(middle[0]), float(middle[1])))
    assert not made.holds((5.0, 5.0))


def test_corners_alone_tell_what_is_up_where_the_board_is_missing() -> None:
    camera, up = Camera(1280, 720, 60), up_of(10, 6)
    picture, _ = photographed(camera, up, 560, tray=(420, 300))
    covered = picture.copy()
    covered[200:520, 380:900] = 90
    assert not set(find_card(grey(covered)).corners) - {0, 1, 2, 3}
    assert apart(by_card(grey(covered)), up) < 2.0


def test_no_card_and_one_that_shows_badly_are_refused() -> None:
    picture = grey(photographed(Camera(1280, 720), up_of(4, -6), 560)[0])
    far = grey(photographed(Camera(1280, 720), up_of(4, -6), 1600)[0])
    for wrong, why in (
        (np.full((720, 1280), 90, np.uint8), Unusable.NO_CARD),
        (np.ascontiguousarray(picture[:, ::-1]), Unusable.MIRRORED),
        (np.asarray(cv2.GaussianBlur(picture, (0, 0), 4.0), np.uint8), Unusable.CARD_UNSHARP),
        (far, Unusable.CARD_FAR),
    ):
        with pytest.raises(CalibrationError) as refused:
            by_card(wrong)
        assert refused.value.why is why


def test_where_the_card_does_not_tell_the_lens_the_supposed_one_stays() -> None:
    camera, up = Camera(1280, 720, 60), up_of(4, -6)
    soft = np.asarray(cv2.GaussianBlur(grey(photographed(camera, up, 560)[0]), (0, 0), 3.0), np.uint8)
    made = by_card(soft, hfov=60.0)
    assert (made.hfov, made.hfov_known) == (60.0, False)
    assert apart(made, up) < 1.5


@given(right=st.floats(-12, 12), down=st.floats(-12, 12), first=st.integers(0, 3))
def test_the_corners_of_a_tray_tell_what_is_up(right: float, down: float, first: int) -> None:
    camera, up = Camera(1280, 720, 60), up_of(right, down)
    spots = np.column_stack([[-190, 190, 190, -190], [-120, -120, 120, 120], np.ones(4)]) @ onto(camera, up, 600).T
    pixels = (spots[:, :2] / spots[:, 2:]).tolist()
    turned = [(x, y) for x, y in pixels[first:] + pixels[:first]]
    made = by_corners(turned, (1280, 720))
    assert apart(made, up) < 2.5
    assert made.made_by is MadeBy.HAND


@pytest.mark.parametrize(
    ("corners", "why"),
    [
        ([(0, 0), (100, 0), (100, 100)], Unusable.NOT_FOUR),
        ([(0, 0), (float("nan"), 0), (9, 9), (0, 9)], Unusable.NOT_FOUR),
        ([(100, 100), (900, 600), (900, 100), (100, 600)], Unusable.NO_TRAY),
        ([(100, 100), (110, 100), (110, 110), (100, 110)], Unusable.NO_TRAY),
        ([(600, 100), (680, 100), (1270, 700), (10, 700)], Unusable.NO_TRAY),
    ],
)
def test_corners_of_no_tray_are_refused(corners: list[tuple[float, float]], why: Unusable) -> None:
    with pytest.raises(CalibrationError) as refused:
        by_corners(corners, (1280, 720))
    assert refused.value.why is why


def test_the_lens_is_measured_by_slanted_views() -> None:
    camera = Camera(1280, 720, 70)
    leans = [(18.0, 0.0), (-14.0, 12.0), (0.0, -20.0), (10.0, 16.0)]
    views = [grey(photographed(camera, up_of(*lean), 420, bend=-0.1)[0]) for lean in leans]
    told, bend, off = by_views(views)
    assert told == pytest.approx(70, abs=2)
    assert bend == pytest.approx(-0.1, abs=0.06)  # the card fills the middle only, where little bends
    assert off < 1.0
    with pytest.raises(CalibrationError):
        by_views(views[:2])
    with pytest.raises(CalibrationError) as alike:
        by_views([views[0]] * 4)
    assert alike.value.why is Unusable.ALIKE
    with pytest.raises(CalibrationError) as refused:
        by_views([*views, np.zeros((10, 10), np.uint8)])
    assert refused.value.why is Unusable.SIZES_DIFFER


def test_a_bent_picture_is_straightened_and_pixels_find_their_way_back() -> None:
    made = Calibration(1280, 720, (0.0, 0.0, -1.0), MadeBy.CARD, hfov=70.0, bend=-0.12)
    assert made.bends
    points = np.array([[100.0, 90.0], [640.0, 360.0], [1200.0, 650.0]])
    assert np.abs(made.bent(made.straight(points)) - points).max() < 0.1
    assert np.abs(made.straight(points)[1] - points[1]).max() < 0.01
    assert made.straightened(np.zeros((720, 1280, 3), np.uint8)).shape == (720, 1280, 3)


def test_a_calibration_serves_pictures_of_the_same_shape_alone() -> None:
    made = by_corners([(100, 100), (1180, 100), (1180, 620), (100, 620)], (1280, 720))
    half = made.for_picture(640, 360)
    assert half is not None
    assert half.corners[0] == pytest.approx((50, 50))
    assert made.for_picture(640, 480) is None


def test_a_calibration_is_kept_and_a_damaged_one_is_told(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "calibration.json"
    assert load_calibration(file) is None
    made = by_corners([(100, 100), (1180, 120), (1160, 620), (90, 600)], (1280, 720))
    keep(file, as_text(made))
    assert load_calibration(file) == made
    text = as_text(made)
    for wrong in ("", "{}", "[]", text.replace('"form": 1', '"form": 9'), re.sub(r'"up": \[', '"up": [7, ', text),
                  text.replace('"hfov": ', '"hfov": -'), text.replace('"made_by": "hand"', '"made_by": "magic"'),
                  text.replace('"width": 1280', '"width": 0')):  # fmt: skip
        with pytest.raises(CalibrationError) as refused:
            from_text(wrong)
        assert refused.value.why is Unusable.DAMAGED
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(CalibrationError):
        load_calibration(file)


@pytest.mark.parametrize("paper", list(Paper))
def test_the_card_is_a_whole_page_of_true_size(paper: Paper) -> None:
    drawing = card_svg(WORDS, paper)
    wide, high = (float(value) for value in re.findall(r'(?:width|height)="([\d.]+)mm"', drawing)[:2])
    lines = re.findall(
        r'x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)" stroke="#000" stroke-width="0.25"/>', drawing
    )
    assert max(abs(float(x) - float(to)) for x, _, to, _ in lines) == pytest.approx(RULER)
    for x, y, across, along in re.findall(
        r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', drawing
    ):
        assert 0 < float(x) < float(x) + float(across) < wide
        assert 0 < float(y) < float(y) + float(along) < high
    sheet = card_pdf(WORDS, paper)
    assert sheet.startswith(b"%PDF-1.4")
    assert rb"above \(the board\)" in sheet
    table = int(sheet.rsplit(b"startxref\n", 1)[1].split()[0])
    assert sheet[table : table + 4] == b"xref"
    for place in re.findall(rb"(\d{10}) 00000 n", sheet):
        assert re.match(rb"\d+ 0 obj", sheet[int(place) :])


def test_the_printed_drawing_itself_is_found_by_the_camera() -> None:
    """The SVG's rectangles, painted as a printer would, are the card that is looked for."""
    sheet = np.full((210 * 5, 297 * 5), 255, np.uint8)
    for found in re.findall(BLACK, card_svg(WORDS)):
        x, y, wide, high = (float(value) * 5 for value in found)
        sheet[round(y) : round(y + high), round(x) : round(x + wide)] = 0
    seen = find_card(np.asarray(cv2.GaussianBlur(sheet, (0, 0), 1.5), np.uint8))
    assert sorted(seen.corners) == list(range(13))
    tips = np.array(seen.tips())
    assert np.abs(np.ptp(tips, axis=0) - (255 * 5, 180 * 5)).max() < 5


def test_nobody_is_asked_about_the_card_itself(*, whole: bool) -> None:
    for lean, distance in (((6.0, -8.0), 560.0), ((0.0, 0.0), 420.0))[: 2 if whole else 1]:
        picture, _ = photographed(Camera(1280, 720), up_of(*lean), distance, tray=(380, 250))
        reader = load_reader()
        seen = reader.look_at_its_size(picture)
        assert seen.readings == ()
        assert seen.considered.places == (), "nor is any marker explained, which takes long"
        reader.table = TableSetup(calibration=by_card(grey(picture)))
        assert reader.read(picture) == ()


def test_the_reader_looks_inside_the_tray_alone() -> None:
    tray = scene(44, (DieKind.D20,) * 3)
    inner = max(tray.dice, key=lambda die: die.centre[0])
    x, y = inner.centre
    near = [(x - 90, y - 90), (x + 90, y - 90), (x + 90, y + 90), (x - 90, y + 90)]
    plain = load_reader()
    assert len(plain.read(tray.picture)) == 3
    made = replace(by_corners([(9, 9), (1270, 9), (1270, 710), (9, 710)], (1280, 720)), corners=tuple(near))
    plain.table = TableSetup(calibration=made)
    assert len(plain.read(tray.picture)) == 1


def test_a_calibrated_camera_reads_a_lone_die_under_a_lean_as_the_face_that_is_up(*, whole: bool) -> None:
    """Uncalibrated, a lean of 14 degrees leaves lone dice in doubt or worse; calibrated they are read, none wrongly."""
    reader = load_reader()
    counts = {True: [0, 0], False: [0, 0]}
    trays = 8 if whole else 4
    for seed in range(960_000, 960_000 + trays):
        rng = np.random.default_rng(seed)
        askew = np.radians(rng.normal(0, 9.0, 2))
        up = np.array([math.sin(askew[0]), math.sin(askew[1]), 0.0])
        up[2] = -math.sqrt(1 - up[0] ** 2 - up[1] ** 2)
        tray = scene(seed, (DieKind.D20,), lean=9.0)
        made = Calibration(1280, 720, (float(up[0]), float(up[1]), float(up[2])), MadeBy.CARD)
        for known in (True, False):
            reader.table = TableSetup(calibration=made if known else None)
            for die in reader.read(tray.picture):
                read = die.state is DieState.READ
                counts[known][0] += read
                counts[known][1] += read and die.face != tray.dice[0].face
    assert counts[True][1] == 0
    assert counts[True][0] >= counts[False][0]
    assert counts[True][0] >= 0.75 * trays
