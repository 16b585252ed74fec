"""The reader on rendered trays: it reads most dice, and what it calls read is right."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import DieKind, DieReading, DieState, Face, SourceKind, Symbol
from tests.bench.own_scenes import owned, throw
from vision.frames.pictures import load_picture
from vision.pose.crops import Grey
from vision.pose.networks import Networks, Scores
from vision.read.detection import Detection
from vision.read.overlaps import large_enough
from vision.read.reader import PictureReader, explained, load_reader
from vision.table.calibration import Calibration, MadeBy
from vision.table.setup import TableSetup
from vision.training.glyphs import Fonts
from vision.training.scenes import Scene, TrueDie, scene

pytestmark = pytest.mark.slow

PICTURES = Path(__file__).parents[1] / "pictures"
MIX = (DieKind.D20, DieKind.D20, DieKind.D20, DieKind.CHALLENGE, DieKind.D6, None)


@cache
def reader() -> PictureReader:
    return load_reader()


def pairs(tray: Scene, dice: tuple[DieReading, ...]) -> Iterator[tuple[TrueDie | None, DieReading]]:
    for die in dice:
        assert die.box is not None
        middle = (die.box.x + die.box.width / 2, die.box.y + die.box.height / 2)
        near = min(tray.dice, key=lambda true: math.dist(true.centre, middle), default=None)
        yield (near if near is not None and math.dist(near.centre, middle) < 30 else None), die


def test_rendered_trays_are_read_and_never_wrongly(*, whole: bool) -> None:
    read = right = known = 0
    wrong = []
    for seed in range(300, 308 if whole else 304):
        tray = scene(seed, MIX)
        known += sum(die.kind is not None for die in tray.dice)
        for true, die in pairs(tray, reader().read(tray.picture)):
            if die.state is not DieState.READ:
                continue
            read += 1
            if true is not None and (true.kind, true.face) == (die.kind, die.face):
                right += 1
            else:
                wrong.append((seed, true, die))
    assert not wrong
    assert right == read
    assert read >= 0.6 * known


@pytest.mark.parametrize("seed", [61, pytest.param(62, marks=pytest.mark.long)])
def test_a_picture_taken_upright_is_read_like_one_that_lies(seed: int) -> None:
    """It is as wide as it sees: with the field of view of the longer side its outer dice would seem to lean."""
    picture = scene(seed, (DieKind.D20,) * 5 + (DieKind.CHALLENGE,) * 3 + (DieKind.D6,) * 2).picture

    def read(one: NDArray[np.uint8]) -> list[str]:
        return sorted(f"{die.kind} {die.face}" for die in reader().read(one) if die.state is DieState.READ)

    assert len(read(picture)) == 10
    assert read(np.ascontiguousarray(np.rot90(picture))) == read(picture)


def test_what_a_person_says_of_the_lens_rules_then_what_it_tells_then_the_usual() -> None:
    networks = reader().networks
    open_, said = PictureReader(networks), PictureReader(networks, 75.0)
    assert (open_.hfov, said.hfov) == (60.0, 75.0)
    for one in (open_, said):
        one.look_through(102.0)
    assert (open_.hfov, said.hfov) == (102.0, 75.0)
    assert (open_.as_now().hfov, open_.untaught().hfov, open_.elsewhere(40.0).hfov) == (102.0, 102.0, 40.0)
    open_.look_through(None)
    assert open_.hfov == 60.0
    calibrated = Calibration(1280, 720, (0.0, 0.0, -1.0), MadeBy.CARD, hfov=70.0)
    for one in (said, open_):
        one.look_through(102.0)
        one.table = TableSetup(calibration=calibrated)
        assert one.look(np.full((720, 1280, 3), 90, np.uint8)).camera.hfov == 70.0, "measured at the table"


def test_committed_pictures_are_read_exactly() -> None:
    cases = json.loads((PICTURES / "expected.json").read_text())
    assert cases
    for name, expected in cases.items():
        dice = reader().read(load_picture(PICTURES / name).pixels)
        got = [[str(die.kind), die.face, str(die.state)] for die in dice]
        assert got == expected, name


def test_a_large_sign_is_not_taken_for_the_whole_of_its_die() -> None:
    dice = reader().read(load_picture(PICTURES / "sign.jpg").pixels)
    assert [die.face for die in dice if die.kind is DieKind.CHALLENGE and die.state is DieState.READ] == [Symbol.EFFECT]


def test_what_is_far_smaller_than_a_die_that_was_read_is_no_die() -> None:
    read = reader().find(load_picture(PICTURES / "d20s.jpg").pixels)[0]
    assert read.reading.state is DieState.READ
    doubtful = replace(read.reading, state=DieState.DOUBTFUL, face=None)

    def beside(size: float, face: Face = 7, chance: float = 0.4) -> Detection:
        pose = replace(read.verdict.pose, radius=size * read.verdict.pose.radius)
        verdict = replace(read.verdict, pose=pose, chances={face: chance, 8: 0.1})
        return replace(read, verdict=verdict, reading=doubtful)

    assert large_enough([read, beside(0.45), beside(0.7)]) == [read, beside(0.7)]
    assert large_enough([beside(0.45), beside(1.0)]) == [beside(0.45), beside(1.0)], "nothing read gives the measure"
    cube = replace(beside(0.45), verdict=replace(beside(0.45).verdict, kind=DieKind.CHALLENGE))
    assert large_enough([read, cube]) == [read, cube], "a cube is measured by cubes"
    splinter = replace(beside(0.36), verdict=replace(beside(0.36).verdict, kind=DieKind.CHALLENGE))
    assert large_enough([read, splinter]) == [read], "no cube is that small beside a d20"
    shows = beside(0.45, chance=0.7)
    assert large_enough([read, shows]) == [read, shows], "what shows a face may be a small die"
    assert large_enough([read, beside(0.45, Symbol.BLANK, 0.9)]) == [read], "whatever is smooth looks blank"


@pytest.mark.parametrize("size", [(4000, 1), (4000, 10), (1, 1), (39, 5000)])
def test_a_sliver_of_a_picture_holds_no_dice(size: tuple[int, int]) -> None:
    assert reader().read(np.zeros((*size, 3), np.uint8)) == ()


def test_readings_are_well_formed() -> None:
    tray = scene(41, MIX)
    dice = reader().read(tray.picture)
    assert dice
    for die in dice:
        assert die.source is SourceKind.CAMERA
        assert die.box is not None
        assert 0 <= die.box.x < 1280
        assert die.box.x + die.box.width <= 1280
        assert die.box.y + die.box.height <= 720
        assert (die.face is None) == (die.state is DieState.DOUBTFUL)
        assert all(0 < guess.chance <= 1 for guess in die.guesses)


def test_the_same_picture_gives_the_same_reading() -> None:
    tray = scene(42, MIX)
    assert reader().read(tray.picture) == load_reader().read(tray.picture)


def test_a_smeared_die_is_not_read() -> None:
    tray = scene(43, (DieKind.D20, DieKind.D20, DieKind.D20))
    smeared = np.asarray(cv2.blur(tray.picture, (35, 35)), dtype=np.uint8)
    assert all(die.state is not DieState.READ for die in reader().read(smeared))


class CountingNetworks(Networks):
    """The real networks, and how many patches of numbers they were asked about."""

    patches = 0

    def numbers(self, patches: Sequence[Grey]) -> Scores:
        self.patches += len(patches)
        return super().numbers(patches)


def test_dice_that_show_nothing_legible_are_not_looked_at_over_and_over() -> None:
    networks = CountingNetworks()
    tray = scene(800_000, (DieKind.D20,) * 5)
    blurred = np.asarray(cv2.GaussianBlur(tray.picture, (0, 0), 9), dtype=np.uint8)
    dice = PictureReader(networks).read(blurred)
    assert all(die.state is not DieState.READ for die in dice)
    assert networks.patches < 250 * len(dice), "two looks, smaller squares, and a search that is given up early"


def test_litter_is_not_read() -> None:
    rng = np.random.default_rng(3)
    picture = np.full((720, 1280, 3), (90, 110, 60), np.uint8)
    for _ in range(12):
        spot = (int(rng.integers(80, 1200)), int(rng.integers(80, 640)))
        colour = tuple(int(value) for value in rng.integers(0, 255, 3))
        cv2.circle(picture, spot, int(rng.integers(30, 60)), colour, -1, cv2.LINE_AA)
    cv2.putText(picture, "ACE 17", (300, 400), cv2.FONT_HERSHEY_SIMPLEX, 3, (250, 250, 250), 9, cv2.LINE_AA)
    assert all(die.state is not DieState.READ for die in reader().read(picture))


@pytest.mark.parametrize("seed", [pytest.param(7, marks=pytest.mark.long), 13])
def test_roman_numerals_that_nobody_taught_are_asked_about(seed: int) -> None:
    rng = np.random.default_rng(seed)
    die = owned("roman", rng, Fonts())
    for _ in range(4):
        picture, _lies = throw(rng, [die], up_now=int(rng.integers(20)))
        assert [one.state for one in reader().read(picture)] == [DieState.DOUBTFUL]


@pytest.mark.parametrize("shape", [(1, 1, 3), (30, 2000, 3), (64, 64, 3), (720, 1280, 3)])
def test_noise_is_not_read(shape: tuple[int, int, int]) -> None:
    noise = np.random.default_rng(4).integers(0, 255, shape, dtype=np.uint8)
    assert all(die.state is not DieState.READ for die in reader().read(noise))


def test_explaining_adds_a_legend_below_the_picture() -> None:
    tray = scene(44, (DieKind.D20, DieKind.CHALLENGE))
    shown = explained(tray.picture, reader())
    assert shown.shape[1] == 1280
    assert shown.shape[0] > 720
    empty = np.full((120, 160, 3), 90, np.uint8)
    assert explained(empty, reader()).shape == (200, 960, 3), "how wide the lens sees, and that no dice were found"
    wider = PictureReader(reader().networks, 75.0)
    assert not np.array_equal(explained(empty, wider), explained(empty, reader()))


def test_dice_are_explained_as_they_were_reported_where_other_pictures_had_a_say() -> None:
    picture = scene(44, (DieKind.D20, DieKind.CHALLENGE)).picture
    told = reader().read(picture)
    alone = explained(picture, reader())
    assert np.array_equal(explained(picture, reader(), told=told), alone)
    doubted = [replace(die, face=None, state=DieState.DOUBTFUL) for die in told]
    assert not np.array_equal(explained(picture, reader(), told=doubted), alone)
    assert np.array_equal(explained(picture, reader(), told=told[:1]), alone), "another number of dice is another throw"


def test_a_picture_of_40_megapixels_is_read_like_its_smaller_self() -> None:
    small = cv2.imread(str(Path(__file__).parents[1] / "pictures" / "d20s.jpg"))
    assert small is not None
    grown = 7300 / small.shape[1]
    large = np.asarray(cv2.resize(small, None, fx=grown, fy=grown), dtype=np.uint8)
    reader = load_reader()
    seen = [die.face for die in reader.read(np.asarray(small, dtype=np.uint8))]
    dice = reader.read(large)
    assert [die.face for die in dice if die.face is not None]
    assert all(die.face in seen for die in dice if die.face is not None)
    assert max(die.box.x + die.box.width for die in dice if die.box) > 1920
