"""Signs that differ from a die's body by colour alone: they show in grey once the die has been looked at in colour."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.bench.vision_colours import coloured_tray, counted
from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, Solid, cube, icosahedron, lying, see
from vision.read.ink import with_coloured_ink
from vision.read.reader import PictureReader, load_reader
from vision.training.glyphs import Fonts

CAMERA = Camera(640, 480)
BLUE, RED, WHITE = (210, 40, 40), (35, 36, 119), (250, 250, 250)
"""Blue and red of one grey (60), and white."""
SOLIDS = (icosahedron(), cube())


def inked(solid: Solid, ink: tuple[int, int, int], light: float = 1.0) -> tuple[NDArray[np.uint8], Pose]:
    """A blue die with a bar in this ink on its upper face, and how it lies."""
    pose = Pose((320, 240), 90, lying(np.array(STRAIGHT_UP), 0.4))
    picture = np.full((480, 640, 3), (120, 150, 130), np.uint8)
    view = see(solid, pose, CAMERA)
    cv2.fillPoly(picture, [np.round(view.outline()).astype(np.int32)], BLUE)
    x, y = np.round(view.centres[0]).astype(int).tolist()
    cv2.rectangle(picture, (x - 6, y - 22), (x + 6, y + 22), ink, -1)
    return (picture * light).astype(np.uint8), pose


def grey_of(picture: NDArray[np.uint8]) -> Grey:
    """The picture in grey."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def step(grey: Grey, solid: Solid, pose: Pose) -> float:
    """How much lighter the sign is than its body."""
    patch = face_patch(grey, see(solid, pose, CAMERA), 0).astype(float)
    return float(patch[18:22, 18:22].mean() - np.median(patch[:, 30:33]))


@pytest.mark.parametrize("solid", SOLIDS, ids=[one.name for one in SOLIDS])
def test_red_on_blue_of_one_grey_shows(solid: Solid) -> None:
    picture, pose = inked(solid, RED)
    plain = grey_of(picture)
    assert abs(step(plain, solid, pose)) < 8
    shown = with_coloured_ink(picture, plain, CAMERA, [(solid, pose)])
    assert abs(step(shown, solid, pose)) > 100
    beside = np.ones(plain.shape, np.uint8)
    cv2.fillPoly(beside, [np.round(see(solid, pose, CAMERA).outline()).astype(np.int32)], 0)
    assert np.array_equal(shown[beside > 0], plain[beside > 0]), "nothing changes beside the die"


def test_what_shows_in_grey_stays_as_it_is() -> None:
    picture, pose = inked(cube(), WHITE)
    plain = grey_of(picture)
    assert with_coloured_ink(picture, plain, CAMERA, [(cube(), pose)]) is plain
    blank, pose = inked(cube(), BLUE)
    plain = grey_of(blank)
    assert with_coloured_ink(blank, plain, CAMERA, [(cube(), pose)]) is plain


def test_a_sign_is_as_light_in_any_light() -> None:
    steps = []
    for light in (0.45, 0.8, 1.0):
        picture, pose = inked(cube(), RED, light)
        steps.append(step(with_coloured_ink(picture, grey_of(picture), CAMERA, [(cube(), pose)]), cube(), pose))
    assert all(one > 60 for one in steps) or all(one < -60 for one in steps), "a taught look would be another"


def test_ink_is_added_once_where_two_places_overlap() -> None:
    picture, pose = inked(cube(), RED)
    plain, once = grey_of(picture), [(cube(), pose)]
    twice = with_coloured_ink(picture, plain, CAMERA, once * 2)
    assert np.array_equal(twice, with_coloured_ink(picture, plain, CAMERA, once))


@pytest.fixture(scope="module")
def reader() -> PictureReader:
    return load_reader()


def test_dice_in_colour_alone_are_read(reader: PictureReader) -> None:
    """Looked at in grey, two of these six are read wrongly: signs that do not show, taken for blank faces."""
    picture, dice = coloured_tray(8_800_001, Fonts())
    counts = counted(reader, iter([(picture, dice)]))
    assert sum(one["wrong"] for one in counts.values()) == 0
    assert sum(one["read"] for one in counts.values()) == 6
