"""A glare that hides pips, so that another number would look the same, is asked about."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.dice import DieKind, DieState
from vision.frames.pictures import load_picture
from vision.pose.crops import FACE_PIXELS, Grey
from vision.read.glare import may_hide_pips
from vision.read.reader import load_reader

PICTURES = Path(__file__).parents[1] / "pictures"
SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def face(number: int, *, body: int = 120, ink: int = 20, step: float = 8.75) -> Grey:
    """The patch of a face with that many pips."""
    patch = np.full((FACE_PIXELS, FACE_PIXELS), body, np.uint8)
    middle = (FACE_PIXELS - 1) / 2
    for right, down in SPOTS[number]:
        cv2.circle(patch, (round(middle + right * step), round(middle + down * step)), 3, ink, -1)
    return patch


def glared(patch: Grey, *, until: int) -> Grey:
    """The patch with its first columns white."""
    white = patch.copy()
    white[:, :until] = 255
    return white


@pytest.mark.parametrize("number", SPOTS)
@pytest.mark.parametrize(("body", "ink"), [(120, 20), (120, 255), (220, 255), (238, 60), (255, 20)])
@pytest.mark.parametrize("step", [7.5, 9.0])
def test_pips_without_a_glare_are_sure_in_any_colours(number: int, body: int, ink: int, step: float) -> None:
    patch = face(number, body=body, ink=ink, step=step)
    assert not may_hide_pips(patch, number)
    assert not may_hide_pips(np.rot90(patch).copy(), number)


@pytest.mark.parametrize(
    ("true", "until", "told"),
    [
        (3, 25, 2),  # one corner is left, which 2 to 5 have
        (2, 25, 2),
        (5, 25, 2),
        (5, 16, 5),  # the middle and two corners: 5 alone
        (6, 16, 6),  # a side of three: 6 alone
        (1, 16, 1),  # the middle, and no corner
        (4, 16, 4),  # two corners at one side, no middle: 4 alone
    ],
)
def test_what_shows_beside_a_glare_must_tell_the_number(true: int, until: int, told: int) -> None:
    for turn in range(4):
        patch = np.rot90(glared(face(true), until=until), turn).copy()
        assert may_hide_pips(patch, told) is (told == 2), turn


def test_a_3_of_which_a_glare_leaves_less_is_asked_about() -> None:
    dice = load_reader().read(load_picture(PICTURES / "pips_under_glare.jpg").pixels)
    (pips,) = [die for die in dice if die.kind is DieKind.D6]
    assert (pips.state, pips.guesses[0].face) == (DieState.DOUBTFUL, 2)
    assert 15 in {die.face for die in dice if die.state is DieState.READ}
