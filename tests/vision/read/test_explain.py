"""The picture that explains a reading: letters that can be read, and a word where a person would wonder."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import Box, DieState
from tests.vision.read.test_outline import die
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, icosahedron, lying
from vision.pose.networks import KINDS, Judgement
from vision.pose.posing import Considered, OtherDie, PosedDie
from vision.pose.proposals import Proposal
from vision.read.explain import draw, words_beside
from vision.read.mirror import as_mirrored

GREY = 128
CAMERA = Camera(960, 400)
POSE = Pose((300.0, 200.0), 50.0, lying(np.array(STRAIGHT_UP), 0.0))


def drawn(considered: Considered) -> NDArray[np.uint8]:
    """The drawing of an evenly grey picture without its legend."""
    return draw(np.full((400, 960, 3), GREY, np.uint8), considered, (), (), CAMERA)[:400]


def place(likely: float) -> PosedDie:
    """A thing that was posed as a d20 where `POSE` lies."""
    judgement = Judgement((0.0, 1.0, *[0.0] * (KINDS - 2)), 0, 0, 1, 0, 0, (0, 0))
    return PosedDie(judgement, icosahedron(), POSE, likely, fits=likely)


def test_the_dark_rim_of_letters_is_no_wider_than_they_are() -> None:
    other = Considered((), (OtherDie("d8", POSE, 0.9),), ())
    ring = np.zeros((400, 960), np.uint8)
    cv2.circle(ring, (300, 200), 50, 255, 5)
    shown = drawn(other)
    letters = (shown.max(axis=2) > GREY + 40) & (ring == 0)
    rim = (shown.max(axis=2) < GREY - 40) & (ring == 0)
    assert letters.any()
    assert rim.any()
    for axis in (0, 1):
        lit, dark = np.flatnonzero(letters.any(axis=axis)), np.flatnonzero(rim.any(axis=axis))
        assert lit[0] - 3 <= dark[0]
        assert dark[-1] <= lit[-1] + 3


def test_what_a_die_shows_is_written_above_its_frame() -> None:
    box = Box(200, 150, 200, 120)
    read = replace(die(POSE).reading, box=box)
    shown = draw(np.full((400, 960, 3), GREY, np.uint8), Considered((), (), ()), (), (read,), CAMERA)[:400]
    changed = (shown != GREY).any(axis=2)
    assert changed[box.y - 20 : box.y - 2, box.x : box.x + 60].any()
    assert not changed[box.y + 3 : box.y + box.height - 3, box.x + 3 : box.x + box.width - 3].any(), "the die itself"


@pytest.mark.parametrize("places", [(), (place(0.2),), (place(0.95),)])
def test_a_ring_that_looked_like_a_die_and_is_none_says_why(places: tuple[PosedDie, ...]) -> None:
    looked_like = drawn(Considered(places, (), (Proposal(POSE.centre, 50.0, 0.8),)))
    hardly = drawn(Considered(places, (), (Proposal(POSE.centre, 50.0, 0.2),)))
    assert (looked_like != hardly).any()
    changed = np.argwhere((looked_like != hardly).any(axis=2))
    assert all(math.dist((x, y), POSE.centre) < 250 for y, x in changed.tolist())


def test_each_reason_has_words_of_its_own() -> None:
    reasons = [
        drawn(Considered(places, (), (Proposal(POSE.centre, 50.0, 0.8),)))
        for places in ((), (place(0.2),), (place(0.95),))
    ]
    assert len({picture.tobytes() for picture in reasons}) == 3


def test_a_die_that_other_pictures_settled_says_so_instead_of_its_doubt() -> None:
    read = die(POSE)
    assert read.evidence is not None
    doubt = replace(read.evidence, washed_out=True)
    doubtful = replace(read, reading=replace(read.reading, state=DieState.DOUBTFUL, face=None), evidence=doubt)
    assert "doubtful: a blank face is washed out" in words_beside(doubtful, doubtful.reading)
    settled = words_beside(doubtful, read.reading)
    assert "doubtful here, read in other pictures of the same rest" in settled
    assert not any(line.startswith("doubtful:") for line in settled)


def test_a_die_that_is_doubted_for_the_whole_pictures_sake_names_no_doubt_of_its_own() -> None:
    read = die(POSE)
    (turned,) = as_mirrored([read.reading])
    lines = words_beside(read, turned)
    assert lines[0] == "d20 doubtful, ?"
    assert not any(line.startswith("doubtful") for line in lines)
