"""Dice in doubt: a search over poses finds how they lie by what their faces read as, and invents no die."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import DieKind, DieState
from vision.frames.pictures import load_picture
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, Solid, cube, icosahedron
from vision.pose.networks import KIND_CUBE, KIND_D20, KINDS, Judgement, Networks
from vision.pose.posing import PosedDie, spun
from vision.pose.table_normal import TableNormal
from vision.read.face_memory import FaceMemory
from vision.read.faces import Verdict, read_cubes, read_d20s
from vision.read.reader import PictureReader
from vision.read.search import Search, in_doubt
from vision.read.thresholds import THRESHOLDS
from vision.training.cube_samples import any_cube
from vision.training.glyphs import Fonts
from vision.training.paint import light_at_random, look_at_random, paint_die
from vision.training.scenes import TrueDie, finish, scene, tray
from vision.training.throws import FULL_TURN, d20, readable_look, resting

TRAYS = Path(__file__).parents[1] / "ray_traced"
UP = TableNormal(np.array(STRAIGHT_UP), math.radians(3.0), 3)
CAMERA = Camera(1280, 720)
Picture = NDArray[np.uint8]


@cache
def networks() -> Networks:
    """Loaded by the first test that asks: every worker collects them all, and most run none of these."""
    return Networks()


def grey_of(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def search_in(picture: Picture) -> Search:
    grey = grey_of(picture)
    return Search(grey, CAMERA, UP, networks(), FaceMemory(grey, networks()))


def placed(solid: Solid, pose: Pose, judged: float = 0.99) -> PosedDie:
    """A place that the first looks held for a die of this solid, in no pose to speak of."""
    kinds = [0.0] * KINDS
    kinds[KIND_D20 if solid.name == "d20" else KIND_CUBE] = judged
    judgement = Judgement(tuple(kinds), 0.0, 0.0, 1.0, 0.0, 0.0, (0.0, 0.0))
    return PosedDie(judgement, solid, pose, 0.01, (), 0.9, 0.01)


def misplaced(true: TrueDie, solid: Solid) -> Pose:
    """A pose as far off as shadows lead the pose network: spun, moved and too large."""
    turn = math.pi / (4 if solid.name == "cube" else 3)
    return spun(Pose(true.centre, 0.5 * true.box.width, np.diag([1.0, -1.0, -1.0])), turn / 2).moved(0.1, -0.08, 1.1)


@pytest.mark.parametrize("seed", [4, pytest.param(5, marks=pytest.mark.long)])
def test_a_misplaced_d20_is_found_by_its_numbers(seed: int) -> None:
    tray = scene(seed, (DieKind.D20,) * 3)
    search = search_in(tray.picture)
    for true in tray.dice:
        pose = misplaced(true, icosahedron())
        found = search.better(placed(icosahedron(), pose), [pose])
        (verdict,) = read_d20s(search.memory, [[found.pose]], CAMERA, likely=[found.fits], most=8)
        assert found.fits > 0.8
        assert verdict.best[0] == true.face


@pytest.mark.parametrize("kind", [DieKind.CHALLENGE, DieKind.D6])
def test_a_misplaced_cube_is_found_by_its_upper_face(kind: DieKind) -> None:
    tray = scene(9, (kind,) * 3)
    search = search_in(tray.picture)
    for true in tray.dice:
        pose = misplaced(true, cube())
        found = search.better(placed(cube(), pose), [pose])
        (verdict,) = read_cubes(search.grey, [[found.pose]], CAMERA, networks())
        assert found.fits > 0.9
        assert verdict.best[0] == true.face


def test_the_same_picture_always_gets_the_same_pose() -> None:
    tray = scene(4, (DieKind.D20,))
    pose = misplaced(tray.dice[0], icosahedron())
    first, second = (search_in(tray.picture).better(placed(icosahedron(), pose), [pose]) for _ in range(2))
    assert first.fits == second.fits
    assert np.array_equal(first.pose.rotation, second.pose.rotation)


@pytest.mark.parametrize("solid", [icosahedron(), cube()])
def test_no_pose_explains_a_place_without_a_die(solid: Solid) -> None:
    empty = scene(12, ()).picture
    print_on_it = cv2.putText(empty.copy(), "17 REACH", (500, 380), cv2.FONT_HERSHEY_SIMPLEX, 2, (20, 20, 20), 5)
    for picture in (empty, np.asarray(print_on_it, np.uint8)):
        pose = Pose((560.0, 360.0), 50.0, np.diag([1.0, -1.0, -1.0]))
        assert search_in(picture).better(placed(solid, pose), [pose]).fits < THRESHOLDS.posed[DieKind.D20]


def test_what_surely_leans_is_not_explained_otherwise() -> None:
    pose = Pose((640.0, 360.0), 50.0, np.diag([1.0, -1.0, -1.0]))
    tray = scene(4, (DieKind.D20,))
    (verdict,) = read_d20s(search_in(tray.picture).memory, [[pose]], CAMERA, likely=[0.9])
    lying = placed(icosahedron(), pose)
    slanted = np.array([math.sin(0.3), 0.0, -math.cos(0.3)])
    assert in_doubt(replace(lying, fits=0.99), verdict, UP)
    assert not in_doubt(replace(lying, fits=0.99), verdict, TableNormal(slanted, UP.spread, UP.witnesses))
    assert in_doubt(replace(lying, fits=0.99), verdict, TableNormal(slanted, UP.spread, 0)), "nothing tells what is up"


@pytest.mark.parametrize(("glance", "judged", "worth"), [(0.28, 0.95, True), (0.28, 0.6, False), (0.1, 0.95, False)])
def test_a_wrong_pose_of_what_surely_is_a_die_is_worth_a_search(*, glance: float, judged: float, worth: bool) -> None:
    pose = Pose((640.0, 360.0), 50.0, np.diag([1.0, -1.0, -1.0]))
    misfit = replace(placed(icosahedron(), pose, judged), glance=glance, fits=0.05, likely=0.12)
    verdict = Verdict(DieKind.D20, {20: 0.01}, pose, 0.07)
    assert in_doubt(misfit, verdict, UP) is worth


def test_dice_that_are_sure_at_once_are_not_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    tray = scene(800_000, (DieKind.D20,) * 5)
    monkeypatch.setattr(Search, "better", None)
    assert [die.state for die in PictureReader(networks()).read(tray.picture)] == [DieState.READ] * 5


def read_so(name: str) -> list[tuple[DieKind, object]]:
    dice = PictureReader(networks()).read(load_picture(TRAYS / name).pixels)
    return [(die.kind, die.face) for die in dice if die.state is DieState.READ]


def test_dice_of_which_none_was_posed_at_first_tell_each_other_what_is_up() -> None:
    assert read_so("07003.jpg") == [(DieKind.D20, 2), (DieKind.D20, 8), (DieKind.D20, 20)]


def test_a_metal_d20_on_striped_cloth_is_seen_at_a_closer_look() -> None:
    assert read_so("07006.jpg") == [(DieKind.D20, 12)]


def test_a_d20_that_was_posed_into_its_own_shadow_is_read() -> None:
    assert read_so("07008.jpg").count((DieKind.D20, 18)) == 2


def heap(seed: int) -> Picture:
    """A d20 that lies upon another die, which it hides in large part."""
    rng, fonts, up = np.random.default_rng(seed), Fonts(), np.array(STRAIGHT_UP)
    picture, light = tray(rng, (1280, 720)), light_at_random(rng)
    look = next(look for look in iter(lambda: look_at_random(rng), None) if readable_look(look, 60.0))
    radius, (x, y) = float(rng.uniform(35, 60)), (rng.uniform(350, 900), rng.uniform(220, 500))
    way, far = rng.uniform(0, 6.28), rng.uniform(0.5, 1.0) * radius
    for size, spot in ((radius, (x, y)), (1.06 * radius, (x + math.cos(way) * far, y + math.sin(way) * far))):
        die = d20(rng, fonts) if rng.random() < 0.6 else any_cube(rng, fonts, "numeral")[0]
        pose = resting(die, spot, size, up, float(rng.uniform(0, FULL_TURN)))
        paint_die(picture, die.solid, pose, CAMERA, letters=die.letters, look=look, light=light)
    return finish(picture, rng)


def test_what_else_its_first_square_held_is_asked_about() -> None:
    dice = PictureReader(networks()).read(heap(24))
    assert sorted(die.state for die in dice) == [DieState.DOUBTFUL, DieState.READ]
