"""A 1 or 2 without a frame: its sides and the other cubes tell whether it is a d6's or a Challenge Die's."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import DieKind, DieState, Face, Symbol
from tests.bench.vision_kinds import SORTS, table
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, cube, lying, see
from vision.pose.networks import CUBE_FACES, SIDE_SHOWS, Judgement, Networks
from vision.pose.posing import PosedDie
from vision.pose.table_normal import TableNormal
from vision.read.doubt import found
from vision.read.faces import Verdict, _cube_verdict
from vision.read.kinds import kinds_told, sides_say
from vision.read.reader import load_reader
from vision.read.sides import SIDE_PIXELS, side_patch, visible_sides
from vision.training.glyphs import Fonts
from vision.training.scenes import scene
from vision.watch.watcher import die_as_json

pytestmark = pytest.mark.slow

CAMERA = Camera(640, 480, 60.0)
UP = np.array(STRAIGHT_UP)
ORANGE, BLUE = (30, 120, 230), (200, 60, 20)


@pytest.fixture(scope="module")
def networks() -> Networks:
    return Networks()


def verdict(style: str, face: Face, at: tuple[float, float] = (320.0, 240.0), alone: float = 1.0) -> Verdict:
    """Of a cube whose upper patch shows that; `alone` is the chance of it, the rest goes to the other kind's."""
    row = np.full(len(CUBE_FACES), 1e-5)
    row[CUBE_FACES.index((style, face))] = alone
    if alone < 1:
        row[CUBE_FACES.index(("challenge", face))] = 1 - alone
    return _cube_verdict(row, Pose(at, 40.0, lying(UP, 0.3)), 1.0)


def bare(at: tuple[float, float] = (320.0, 240.0)) -> Verdict:
    """A 1 that may be either's, by default in the middle, where no side shows."""
    return verdict("numeral", 1, at, alone=0.65)


def cloth(*dots: tuple[Verdict, tuple[int, int, int]]) -> NDArray[np.uint8]:
    """A grey cloth with a square of a colour where each verdict's die lies."""
    picture = np.full((480, 640, 3), 90, np.uint8)
    for one, colour in dots:
        x, y = (round(value) for value in one.pose.centre)
        cv2.rectangle(picture, (x - 28, y - 28), (x + 28, y + 28), colour, -1)
    return picture


def decided(networks: Networks, *dots: tuple[Verdict, tuple[int, int, int]]) -> list[Verdict]:
    picture = cloth(*dots)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return kinds_told(picture, grey, CAMERA, networks, [one for one, _ in dots])


def test_each_side_speaks_for_whom_it_can_belong_to() -> None:
    said = dict(zip(SIDE_SHOWS, sides_say(np.eye(len(SIDE_SHOWS))), strict=True))
    assert said["effect"] > 2
    assert said["blank"] > 2
    assert said["three to six"] < -2
    assert abs(said["one or two"]) < 0.5
    assert abs(said["pips"]) < 0.5


def test_a_lone_one_that_nothing_tells_is_rather_a_d6s_and_doubtful(networks: Networks) -> None:
    (one,) = decided(networks, (bare(), ORANGE))
    assert (one.kind, one.best[0]) == (DieKind.D6, 1)
    assert 0.7 < one.kind_chance < 0.9


def test_one_sure_challenge_die_of_its_colour_beside_it_makes_it_one_too(networks: Networks) -> None:
    effect = verdict("challenge", Symbol.EFFECT, (150.0, 150.0))
    one, other = decided(networks, (bare(), ORANGE), (effect, ORANGE))
    assert one.kind is other.kind is DieKind.CHALLENGE
    assert one.kind_chance > 0.92
    assert set(one.chances) == {1, 2, Symbol.BLANK, Symbol.EFFECT}


def test_pips_beside_it_say_nothing(networks: Networks) -> None:
    effect, pips = verdict("challenge", Symbol.EFFECT, (150.0, 150.0)), verdict("pips", 5, (500.0, 300.0))
    (alone, *_), (beside, *_) = (
        decided(networks, (bare(), ORANGE), (effect, BLUE)),
        decided(networks, (bare(), ORANGE), (effect, BLUE), (pips, BLUE)),
    )
    assert beside.kind is DieKind.CHALLENGE
    assert beside.kind_chance == pytest.approx(alone.kind_chance)


def test_a_numeral_d6_beside_it_makes_it_one_too(networks: Networks) -> None:
    one, _ = decided(networks, (bare(), ORANGE), (verdict("numeral", 5, (150.0, 150.0)), ORANGE))
    assert one.kind is DieKind.D6
    assert one.kind_chance > 0.98


def test_between_both_kinds_the_colour_counts_and_without_it_the_kind_is_open(networks: Networks) -> None:
    effect, five = verdict("challenge", Symbol.EFFECT, (150.0, 150.0)), verdict("numeral", 5, (500.0, 300.0))
    like_effect, _, _ = decided(networks, (bare(), ORANGE), (effect, ORANGE), (five, BLUE))
    like_five, _, _ = decided(networks, (bare(), ORANGE), (effect, BLUE), (five, ORANGE))
    like_both, _, _ = decided(networks, (bare(), ORANGE), (effect, ORANGE), (five, ORANGE))
    assert like_effect.kind is DieKind.CHALLENGE
    assert like_five.kind is DieKind.D6
    assert like_both.kind_chance < 0.92


def test_a_framed_one_beside_it_speaks_against_a_bare_one(networks: Networks) -> None:
    effect, framed = verdict("challenge", Symbol.EFFECT, (150.0, 150.0)), verdict("challenge", 2, (500.0, 300.0))
    without, _ = decided(networks, (bare(), ORANGE), (effect, ORANGE))
    beside, _, _ = decided(networks, (bare(), ORANGE), (effect, ORANGE), (framed, ORANGE))
    assert without.kind is DieKind.CHALLENGE
    assert beside.kind_chance < without.kind_chance - 0.1


def test_a_taught_challenge_die_with_a_bare_one_speaks_for_others_of_its_set(networks: Networks) -> None:
    taught = replace(verdict("challenge", 1, (150.0, 150.0)), owner="a1")
    one, _ = decided(networks, (bare(), ORANGE), (taught, ORANGE))
    assert one.kind is DieKind.CHALLENGE
    assert one.kind_chance > 0.92


def test_one_or_two_pips_and_framed_numerals_are_told_by_themselves(networks: Networks) -> None:
    effect = verdict("challenge", Symbol.EFFECT, (150.0, 150.0))
    pips, framed = verdict("pips", 2), verdict("challenge", 2, (500.0, 300.0))
    assert decided(networks, (pips, ORANGE), (effect, ORANGE), (framed, ORANGE)) == [pips, effect, framed]
    assert (pips.kind, pips.shared, framed.kind) == (DieKind.D6, None, DieKind.CHALLENGE)


def test_what_hardly_is_a_die_says_nothing(networks: Networks) -> None:
    clutter = verdict("challenge", Symbol.EFFECT, (500.0, 300.0))
    row = np.full(len(CUBE_FACES), 0.01 / len(CUBE_FACES))
    row[-1] = 0.99
    row[CUBE_FACES.index(("numeral", 2))] = row[CUBE_FACES.index(("challenge", 2))] = 0.002
    for nothing in (
        replace(clutter, chances=dict.fromkeys(clutter.chances, 0.01)),
        _cube_verdict(row, clutter.pose, 0.01),
    ):
        one, other = decided(networks, (bare(), ORANGE), (nothing, ORANGE))
        assert (one.kind, other) == (DieKind.D6, nothing)
        assert one.kind_chance == decided(networks, (bare(), ORANGE))[0].kind_chance


def test_an_open_kind_is_no_doubt_about_the_face(networks: Networks) -> None:
    effect, five = verdict("challenge", Symbol.EFFECT, (150.0, 150.0)), verdict("numeral", 5, (500.0, 300.0))
    dots = ((bare(), ORANGE), (effect, ORANGE), (five, ORANGE))
    one = decided(networks, *dots)[0]
    grey = np.asarray(cv2.cvtColor(cloth(*dots), cv2.COLOR_BGR2GRAY), np.uint8)
    judgement = Judgement((0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0, 1.0, 0.0, 0.0, (0.0, 0.0))
    place = PosedDie(judgement, cube(), one.pose, 1.0, glance=1.0)
    reading = found(grey, CAMERA, place, one, TableNormal(UP, math.radians(4))).reading
    assert (reading.state, reading.face) == (DieState.READ, 1)
    assert reading.kinds == (DieKind.D6, DieKind.CHALLENGE)


def test_a_side_is_cut_out_upright_as_a_square() -> None:
    picture = np.zeros((480, 640), np.uint8)
    view = see(cube(), Pose((520.0, 240.0), 60.0, lying(UP, math.pi / 4)), CAMERA)
    sides = visible_sides(view)
    assert len(sides) == 1
    corners = view.points[list(cube().faces[sides[0]])]
    cv2.fillConvexPoly(picture, corners.round().astype(np.int32), 90)
    upper = [
        corner
        for corner in corners.tolist()
        if any(np.allclose(corner, top) for top in view.points[list(cube().faces[0])])
    ]
    middle = corners.mean(axis=0)
    triangle = np.array([*upper, middle])
    cv2.fillConvexPoly(picture, triangle.round().astype(np.int32), 200)
    patch = side_patch(picture, view, sides[0])
    half = SIDE_PIXELS // 2
    assert patch[8, half] == 200
    assert patch[-8, half] == patch[half, 8] == patch[half, -8] == 90


def test_rendered_tables_are_told_apart(*, whole: bool) -> None:
    reader = load_reader()
    right = wrong = 0
    rounds = 4 if whole else 1
    for number, sort in enumerate(("Challenge Dice", "numeral d6s", "with pip d6s") * rounds):
        assert sort in SORTS
        picture, laid = table(500 + number, sort, Fonts())
        for one in reader.find(picture):
            true = min(laid, key=lambda lies: math.dist(lies.pose.centre, one.pose.centre))
            if one.reading.state is DieState.READ and true.die.face in {1, 2} and true.die.style != "pips":
                right += one.reading.kind is true.die.kind
                wrong += one.reading.kind is not true.die.kind
    assert right >= 2.5 * rounds
    assert wrong == 0


def test_a_lone_bare_2_is_read_and_may_be_of_either_kind() -> None:
    (die,) = load_reader().read(scene(135, (DieKind.D6,)).picture)
    assert (die.state, die.kind, die.face) == (DieState.READ, DieKind.D6, 2)
    assert die.kinds == (DieKind.D6, DieKind.CHALLENGE)
    assert die_as_json(die)["kinds"] == ["d6", "challenge"]


def test_where_its_sides_or_others_tell_the_kind_nothing_more_is_said() -> None:
    dice = load_reader().read(scene(9, (DieKind.D20, DieKind.D20)).picture)
    assert all(die.kinds == () and "kinds" not in die_as_json(die) for die in dice)
