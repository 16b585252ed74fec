"""Dice that the picture's edge cuts off are asked about, never read; what else lies there is left alone."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from rules.dice import DieKind, DieState, Symbol
from tests.bench.vision_edges import FIRST_SEED, CutDie, cut_dice, edge_without_dice, fate
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, cube, lying
from vision.pose.networks import Judgement
from vision.pose.posing import Considered, Judged, OtherDie, PosedDie
from vision.pose.proposals import Proposal
from vision.pose.table_normal import CAMERA_SPREAD, TableNormal
from vision.read.cut_off import is_cut, left_at_the_edge
from vision.read.doubt import found
from vision.read.faces import Verdict
from vision.read.overlaps import without_told
from vision.read.reader import PictureReader, Seen, load_reader
from vision.training.glyphs import Fonts

pytestmark = pytest.mark.slow

CAMERA = Camera(1280, 720)
LIKE_A_D8 = Judgement((0.05, 0.1, 0.1, 0.0, 0.75, 0.0, 0.0), 0.0, 0.0, 1.0, 0.0, 0.0, (0.0, 0.0))
FIRST = FIRST_SEED + 3
"""The first tray of dice that are cut off, in the short form."""


@cache
def reader() -> PictureReader:
    return load_reader()


@cache
def seen_at_the_edge(seed: int) -> tuple[Seen, tuple[CutDie, ...]]:
    """What is made of a tray with dice that are cut off, and what lies there."""
    picture, dice = cut_dice(seed, Fonts())
    return reader().look(picture), dice


def at(x: float, y: float, radius: float = 50.0) -> Pose:
    return Pose((x, y), radius, np.eye(3))


def seen_at(*places: Pose, glance: float = 0.6, judgement: Judgement = LIKE_A_D8) -> Considered:
    judged = tuple(Judged(judgement, place, glance) for place in places)
    others = tuple(OtherDie("d8", place, 0.75) for place in places)
    return Considered((), others, (), judged, judged)


def test_dice_that_the_edge_cuts_off_are_doubtful_and_carry_guesses(*, whole: bool) -> None:
    first, trays = (FIRST_SEED, 24) if whole else (FIRST, 3)
    fates = []
    guessed = 0
    for seed in range(first, first + trays):
        seen, dice = seen_at_the_edge(seed)
        fates += [fate(seen, one) for one in dice]
        for one in dice:
            near = [die for die in seen.found if math.dist(die.pose.centre, one.pose.centre) < 0.75 * one.pose.radius]
            guessed += any(die.reading.guesses for die in near)
            assert all(die.reading.face is None for die in near)
    assert len(fates) == 2 * trays
    assert "read" not in fates
    assert fates.count("asked") >= 0.93 * len(fates)
    assert guessed >= 0.75 * len(fates)


def test_a_cube_of_which_a_corner_is_cut_off_is_not_read() -> None:
    camera = Camera(640, 480)
    turned = Pose((36.0, 240.0), 47.0, lying(np.array(STRAIGHT_UP), math.pi / 4))
    kinds = (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    states = []
    for pose in (turned, turned.moved(0.5, 0.0, 1.0)):
        place = PosedDie(replace(LIKE_A_D8, kinds=kinds), cube(), pose, 1.0, glance=0.9)
        verdict = Verdict(DieKind.CHALLENGE, {Symbol.EFFECT: 0.999}, pose, 1.0)
        grey = np.full((480, 640), 90, np.uint8)
        states.append(
            found(grey, camera, place, verdict, TableNormal(np.array(STRAIGHT_UP), CAMERA_SPREAD, 3)).reading.state
        )
    assert states == [DieState.DOUBTFUL, DieState.READ]


def test_litter_walls_and_shadows_at_the_edge_are_left_alone(*, whole: bool) -> None:
    for seed in range(FIRST_SEED + 1, FIRST_SEED + (12 if whole else 4)):
        at_the_edge = [one for one in reader().look(edge_without_dice(seed)).found if is_cut(one.pose, CAMERA)]
        assert at_the_edge == [], seed


def test_what_is_left_of_a_die_is_told_although_it_looks_like_one_of_another_kind() -> None:
    assert [one.place.centre for one in left_at_the_edge(seen_at(at(20, 300)), (), CAMERA)] == [(20, 300)]


def test_a_whole_die_of_another_kind_is_not_told() -> None:
    assert left_at_the_edge(seen_at(at(60, 300)), (), CAMERA) == []


def test_what_surely_is_of_another_kind_is_not_told() -> None:
    surely = replace(LIKE_A_D8, kinds=(0.0, 0.0, 0.005, 0.0, 0.995, 0.0, 0.0))
    assert left_at_the_edge(seen_at(at(20, 300), judgement=surely), (), CAMERA) == []


def test_what_may_be_nothing_or_was_not_glimpsed_is_not_told() -> None:
    perhaps = replace(LIKE_A_D8, kinds=(0.3, 0.1, 0.1, 0.0, 0.5, 0.0, 0.0))
    assert left_at_the_edge(seen_at(at(20, 300), judgement=perhaps), (), CAMERA) == []
    unseen = seen_at(at(20, 300), glance=0.0)
    assert left_at_the_edge(unseen, (), CAMERA) == []
    glimpsed = replace(unseen, proposals=(Proposal((30, 310), 60, 0.5),))
    assert len(left_at_the_edge(glimpsed, (), CAMERA)) == 1


def test_a_face_of_a_die_that_is_cut_off_is_no_other_one() -> None:
    both = seen_at(at(20, 300, 30), at(25, 310, 70))
    assert [one.place.radius for one in left_at_the_edge(both, (), CAMERA)] == [70]


def test_a_mat_that_the_edge_cuts_off_is_not_asked_about() -> None:
    row = [at(100.0 * n, 5) for n in range(2, 6)]
    assert len(left_at_the_edge(seen_at(*row[:3]), (), CAMERA)) == 3
    assert left_at_the_edge(seen_at(*row), (), CAMERA) == []


def test_where_things_inside_look_like_dice_and_are_none_those_at_the_edge_are_left_alone() -> None:
    inner = (at(400, 300), at(600, 300))
    mixed = replace(seen_at(at(20, 300), *inner), others=())
    assert left_at_the_edge(mixed, (), CAMERA) == []
    assert len(left_at_the_edge(seen_at(at(20, 300), *inner), (), CAMERA)) == 1  # dice of another kind explain them


def test_a_die_that_is_told_is_not_named_as_one_of_another_kind_besides() -> None:
    told, _ = seen_at_the_edge(FIRST)
    pose = told.found[0].verdict.pose
    twice = replace(
        told.considered, others=(OtherDie("d8", pose, 0.9), OtherDie("d12", pose.moved(3.0, 0.0, 1.0), 0.9))
    )
    assert [one.name for one in without_told(twice, told.found[:1]).others] == ["d12"]
