"""Print and flat things are no dice: mats, notes, tiles, dominoes, keys; and dice that lie on print still are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import DieKind, DieState, Face, Symbol
from vision.pose.geometry import STRAIGHT_UP, Array, Camera, Pose, cube, icosahedron, lying, tilted, unit
from vision.pose.networks import Judgement
from vision.pose.posing import PosedDie
from vision.pose.table_normal import CAMERA_SPREAD, TableNormal
from vision.read.faces import Verdict
from vision.read.flat import Flatness, flatness
from vision.read.reader import PictureReader, load_reader
from vision.training.glyphs import Fonts
from vision.training.paint import light_at_random
from vision.training.scenes import TrueDie, finish, lay, paint, scene

pytestmark = pytest.mark.slow

Picture = NDArray[np.uint8]

CAMERA = Camera(1280, 720)
STRAIGHT = np.array(STRAIGHT_UP)
SPOTS = ((200.0, 150.0), (240.0, 560.0), (480.0, 360.0), (900.0, 120.0), (1000.0, 600.0), (1120.0, 330.0))
SURE = Judgement((0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0, 1.0, 0.0, 0.0, (0.0, 0.0))


def lies(
    spot: tuple[float, float], *, shows: Face = 3, spin: float | None = None, flat: float = 0.0, up: Array = STRAIGHT
) -> tuple[PosedDie, Verdict]:
    """A cube at a pixel, thrown or spun so; `flat` is the share of the sight's lean by which it leans to the camera."""
    towards = -CAMERA.ray(spot)
    turn = lying(unit((1 - flat) * up / up[2] + flat * towards / towards[2]) * -1.0, spot[0] if spin is None else spin)
    pose = Pose(spot, 50.0, turn)
    return PosedDie(SURE, cube(), pose, 1.0), Verdict(DieKind.D6, {shows: 0.95}, pose, 1.0)


def d20(spot: tuple[float, float], *, narrow: float) -> tuple[PosedDie, Verdict]:
    place, verdict = lies(spot, flat=narrow)
    return PosedDie(SURE, icosahedron(), place.pose, 1.0), verdict


def told(
    things: Sequence[tuple[PosedDie, Verdict]], up: Array = STRAIGHT, *, looks: Mapping[int, float] | None = None
) -> list[Flatness]:
    places, verdicts = zip(*things, strict=True)
    return flatness(CAMERA, places, verdicts, TableNormal(up, CAMERA_SPREAD), looks or {})


def test_cubes_that_show_their_sides_are_solid() -> None:
    assert all(one.chance < 0.02 for one in told([lies(spot) for spot in SPOTS]))
    assert all(told([lies(spot)])[0].chance < 0.02 for spot in SPOTS), "also alone"


@pytest.mark.parametrize("shows", [3, Symbol.BLANK])
def test_what_shows_no_sides_anywhere_is_flat(shows: Face) -> None:
    assert all(one.chance > 0.8 for one in told([lies(spot, flat=0.63, shows=shows) for spot in SPOTS]))


def test_one_that_leans_to_the_camera_among_dice_is_doubted_and_its_neighbours_are_not() -> None:
    things = [lies(spot, flat=0.63 * (number == 3)) for number, spot in enumerate(SPOTS)]
    chances = [one.chance for one in told(things)]
    assert chances.pop(3) > 0.1
    assert all(chance < 0.02 for chance in chances)


def test_a_badly_posed_die_near_the_middle_is_no_print() -> None:
    things = [lies(spot) for spot in SPOTS]
    assert told([*things, lies((760.0, 440.0), flat=1.3)])[-1].chance < 0.08, "print would lean by half as much"


def test_squares_that_show_nothing_say_nothing_of_those_that_show_a_face() -> None:
    mat = [lies((x, y), flat=0.63, shows=Symbol.BLANK, spin=0.1) for x, y in SPOTS]
    die = lies((640.0, 330.0), shows=5)
    assert told([*mat, die])[-1].chance < 0.05


def test_two_that_lie_side_on_side_near_the_middle_are_rather_a_domino() -> None:
    edge = 50.0 * 2 / math.sqrt(3)
    spin = 0.3 - math.pi / 4  # a pose's first axis points to a corner: the edges lie at 0.3

    def beside(apart: float, along: float, turned: float = 0.0) -> float:
        way = (math.cos(along) * edge * apart, math.sin(along) * edge * apart)
        things = [lies((620.0, 350.0), spin=spin), lies((620.0 + way[0], 350.0 + way[1]), spin=spin + turned)]
        return max(one.chance for one in told([*things, lies(SPOTS[0])]))

    assert beside(1.0, 0.3) > 0.4
    assert beside(0.9, 0.3 + math.pi / 2) > 0.4
    assert beside(1.0, 0.3, turned=math.pi / 2) > 0.4
    for apart, along, turned in ((1.6, 0.3, 0.0), (1.0, 0.6, 0.0), (1.0, 0.3, 0.3)):
        assert beside(apart, along, turned) < 0.05


@pytest.mark.parametrize("narrow", [0.2, 0.38, 0.75])
def test_d20s_tell_that_the_lens_is_narrower_than_was_said(narrow: float) -> None:
    cubes = [lies(spot, flat=narrow) for spot in SPOTS[:3]]
    d20s = [d20(spot, narrow=narrow) for spot in SPOTS[3:]]
    assert all(one.chance < 0.02 for one in told([*cubes, *d20s]))


def test_what_lacks_its_sides_is_flat_and_under_a_narrower_lens_less_surely_so() -> None:
    looks = dict.fromkeys(range(len(SPOTS)), 3.0)
    wide, narrow = (told([lies(spot, flat=share) for spot in SPOTS], looks=looks) for share in (0.1, 0.4))
    alone = told([lies(spot, flat=0.4) for spot in SPOTS])
    assert all(one.chance < 0.5 for one in wide), "they lean as dice do"
    assert all(one.chance > other.chance for one, other in zip(narrow, alone, strict=True))
    d20s = [d20(spot, narrow=0.4) for spot in SPOTS[3:]]
    beside = told([*(lies(spot, flat=0.4) for spot in SPOTS[:3]), *d20s], looks=dict.fromkeys(range(3), 3.0))
    assert all(one.chance < 0.2 for one in beside), "the d20s tell the lens"


def test_sides_that_are_seen_speak_for_a_die_that_leans_to_the_camera() -> None:
    things = [lies(spot, flat=0.63 * (number == 3)) for number, spot in enumerate(SPOTS)]
    plain, seen, lacking = (told(things, looks=looks)[3].chance for looks in ({}, {3: -1.5}, {3: 1.5}))
    assert plain > 0.1
    assert seen < 0.01
    assert lacking > plain


@pytest.mark.parametrize("hfov", [35.0, pytest.param(60.0, marks=pytest.mark.long)])
def test_cubes_alone_are_read_also_under_a_narrower_lens_than_told_and_none_is_left_out(
    hfov: float, *, whole: bool
) -> None:
    kinds = [DieKind.D6, DieKind.CHALLENGE, DieKind.D6, DieKind.CHALLENGE]
    states: Counter[DieState | None] = Counter()
    for seed in range(4_400_000, 4_400_006 if whole else 4_400_003):
        tray = scene(seed, kinds, hfov=hfov, radius=(40, 90))
        dice = reader().read(tray.picture)
        for true in tray.dice:
            near = [
                die.state
                for die in dice
                if die.box
                and math.dist(true.centre, (die.box.x + die.box.width / 2, die.box.y + die.box.height / 2)) < 25
            ]
            states[near[0] if near else None] += 1
    assert states[None] == 0
    assert states[DieState.READ] >= 0.75 * states.total()


def test_d20s_that_show_the_lens_as_it_was_told_tell_what_is_flat_beside_them() -> None:
    flat = [lies(spot, flat=0.63) for spot in SPOTS[:3]]
    wide = [d20(spot, narrow=0.0) for spot in SPOTS[3:]]
    assert all(one.chance > 0.5 for one in told([*flat, *wide])[:3])


@pytest.mark.parametrize("way", [0.0, 1.6, 3.1, 4.7])
def test_under_a_camera_that_stands_askew_dice_are_no_print(way: float) -> None:
    sine = math.sin(math.radians(10))
    up = tilted(sine * math.cos(way), sine * math.sin(way))
    assert all(one.chance < 0.02 for one in told([lies(spot, up=up) for spot in SPOTS]))


def test_solids_but_cubes_and_nothing_at_all_are_never_flat() -> None:
    assert flatness(CAMERA, [], [], TableNormal(STRAIGHT, CAMERA_SPREAD)) == []
    assert told([d20(spot, narrow=0.9) for spot in SPOTS]) == [Flatness()] * len(SPOTS)


def test_six_parallel_cubes_lie_in_ranks_and_thrown_ones_do_not() -> None:
    ranks = told([lies(spot, spin=0.3 + math.pi / 2 * number) for number, spot in enumerate(SPOTS)])
    assert all(one.in_ranks and one.ranks == len(SPOTS) for one in ranks)
    thrown = told([lies(spot, spin=0.25 * number) for number, spot in enumerate(SPOTS)])
    assert not any(one.in_ranks for one in thrown)


def test_a_die_that_happens_to_lie_parallel_to_a_mats_squares_is_not_one_of_them() -> None:
    mat = [lies(spot, shows=Symbol.BLANK, spin=0.1) for spot in SPOTS]
    assert not told([*mat, lies((640.0, 330.0), shows=5, spin=0.1)])[-1].in_ranks


@cache
def reader() -> PictureReader:
    return load_reader()


def table(colour: tuple[int, int, int] = (60, 90, 60)) -> Picture:
    return np.full((720, 1280, 3), colour, np.uint8)


def seen(picture: Picture) -> Picture:
    """As a camera sees it: a little soft, a little noisy, unevenly lit."""
    light = np.linspace(0.8, 1.05, picture.shape[1])[None, :, None]
    return finish(np.asarray(picture * light, np.float32), np.random.default_rng(1))


def word(picture: Picture, text: str, middle: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 3)
    corner = (middle[0] - width // 2, middle[1] + height // 2)
    cv2.putText(picture, text, corner, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 3, cv2.LINE_AA)


def gridded(step: int) -> Picture:
    picture = table((150, 200, 215))
    for x in range(13, 1280, step):
        cv2.line(picture, (x, 0), (x, 720), (60, 80, 90), 2, cv2.LINE_AA)
    for y in range(7, 720, step):
        cv2.line(picture, (0, y), (1280, y), (60, 80, 90), 2, cv2.LINE_AA)
    return picture


def notes() -> Picture:
    picture = table((70, 100, 140))
    for number in range(6):
        x, y = 80 + number * 195, 140 + number % 2 * 260
        cv2.rectangle(picture, (x, y), (x + 70, y + 70), (130, 240, 200), -1)
        word(picture, str(number + 1), (x + 35, y + 35), 1.5, (30, 30, 30))
    return picture


def pips(picture: Picture, middle: tuple[int, int], number: int, apart: int) -> None:
    spots = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)]}
    spots[4] = [(-1, -1), (1, 1), (-1, 1), (1, -1)]
    spots[5] = [*spots[4], (0, 0)]
    spots[6] = [*spots[4], (-1, 0), (1, 0)]
    for across, down in spots[number]:
        cv2.circle(picture, (middle[0] + across * apart, middle[1] + down * apart), 8, (20, 20, 20), -1, cv2.LINE_AA)


def dominoes() -> Picture:
    picture = table()
    for number in range(8):
        x, y = 120 + number % 4 * 270, 100 + number // 4 * 320
        cv2.rectangle(picture, (x, y), (x + 90, y + 180), (225, 235, 240), -1)
        cv2.line(picture, (x + 8, y + 90), (x + 82, y + 90), (60, 60, 60), 2)
        pips(picture, (x + 45, y + 45), number % 6 + 1, 24)
        pips(picture, (x + 45, y + 135), number * 2 % 6 + 1, 24)
    return picture


def dice_on_a_page() -> Picture:
    picture = table((245, 245, 245))
    for number in range(12):
        x, y = 130 + number % 6 * 180, 160 + number // 6 * 260
        cv2.rectangle(picture, (x, y), (x + 90, y + 90), (0, 0, 0), 3)
        pips(picture, (x + 45, y + 45), number % 6 + 1, 24)
    return picture


def keys(count: int = 20) -> Picture:
    picture = table((40, 40, 45))
    for number in range(count):
        x, y = 480 + number % 4 * 85, 180 + number // 4 * 95
        cv2.rectangle(picture, (x, y), (x + 68, y + 68), (75, 75, 80), -1)
        word(picture, "789/456x123-0.=+C()%"[number], (x + 34, y + 34), 1.2, (240, 240, 240))
    return picture


def few_keys() -> Picture:
    return keys(4)


@pytest.mark.parametrize(
    "made", [notes, dominoes, dice_on_a_page, few_keys, pytest.param(keys, marks=pytest.mark.long)]
)
def test_flat_things_are_neither_read_nor_called_cocked(made: Callable[[], Picture]) -> None:
    dice = reader().read(seen(made()))
    assert not [die for die in dice if die.state is DieState.READ]
    assert sum(die.state is DieState.COCKED for die in dice) <= 1


@pytest.mark.long  # takes five seconds of a core; no short test holds a mat without dice
@pytest.mark.parametrize("step", [48, 75])
def test_a_printed_mat_holds_no_dice(step: int) -> None:
    assert reader().read(seen(gridded(step))) == ()


@pytest.mark.parametrize("seed", [pytest.param(3, marks=pytest.mark.long), 4])
def test_dice_on_a_printed_mat_are_found_and_nothing_beside_them(seed: int, evaluations: list[int]) -> None:
    """Its squares lie in ranks, so that no pose is sought for them: that took 6,703 evaluations."""
    rng = np.random.default_rng(seed)
    picture = gridded(64).astype(np.float32)
    light = light_at_random(rng)
    kinds = [DieKind.D20, DieKind.D6, DieKind.D20, DieKind.D6]
    laid = lay(rng, kinds, CAMERA, up=STRAIGHT, radius=52.0, fonts=Fonts(), plain_on=np.array((150.0, 200.0, 215.0)))
    truths: list[TrueDie] = [paint(picture, one, CAMERA, light) for one in laid]
    dice = reader().read(finish(picture, rng))
    truths.sort(key=lambda true: true.centre)
    assert len(dice) == len(truths)
    for true, die in zip(truths, dice, strict=True):
        assert die.box is not None
        assert math.dist(true.centre, (die.box.x + die.box.width / 2, die.box.y + die.box.height / 2)) < 25
        assert die.state is not DieState.COCKED
        assert die.face in (true.face, None)
    assert sum(evaluations) < 3_000
