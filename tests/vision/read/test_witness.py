"""The second witness: what a recogniser of print says of a d20's upper face, and what becomes of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import DieKind, DieReading, DieState, Face
from vision.frames.pictures import load_picture
from vision.pose.crops import patch_map
from vision.pose.geometry import STRAIGHT_UP, Array, Camera, Pose, icosahedron, lying, see
from vision.pose.networks import LETTERS, PRINT_SIZE, RECOGNISER, Networks, Scores
from vision.read.evidence import Evidence
from vision.read.reader import PictureReader, load_reader
from vision.read.thresholds import RECOGNISED, RECOGNISED_ROMAN
from vision.read.witness import asks_the_witness, heard, numbers_told, odds_of, upright_patches
from vision.training.scenes import scene

CAMERA = Camera(640, 480)
POSE = Pose((320, 240), 90, lying(np.array(STRAIGHT_UP), 0.4))


def told(roman: float = 0.0, **numbers: float) -> Array:
    """What the recogniser says: `n17=0.9`; nothing else is likely."""
    result: Array = np.full(21, 0.001)
    result[20] = roman
    for name, chance in numbers.items():
        result[int(name[1:]) - 1] = chance
    return result


def chances(**numbers: float) -> dict[Face, float]:
    """The chances of an own reading."""
    return {number: numbers.get(f"n{number}", 0.0) for number in range(1, 21)}


def numbered(text: str, turn: int) -> NDArray[np.uint8]:
    """A picture of a die whose upper face carries the text, its top towards that corner."""
    picture = np.full((480, 640, 3), (40, 30, 120), np.uint8)
    view = see(icosahedron(), POSE, CAMERA)
    drawn = np.full((96, 96, 3), (40, 30, 120), np.uint8)
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.1, 4)
    cv2.putText(drawn, text, (48 - wide // 2, 48 + high // 2), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (235, 240, 230), 4)
    middle = 47.5
    spin = cv2.getRotationMatrix2D((middle, middle), -120.0 * turn, 1.0)
    spun = cv2.warpAffine(drawn, spin, (96, 96), borderMode=cv2.BORDER_REPLICATE)
    into = patch_map(view, 0, 96, 0.75)
    cv2.warpAffine(spun, into, (640, 480), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    return picture


@pytest.fixture(scope="module")
def networks() -> Networks:
    return Networks(names=(RECOGNISER,))


@pytest.mark.parametrize(("text", "number"), [("7", 7), ("13", 13), ("6.", 6), ("9.", 9), ("20", 20), ("16", 16)])
def test_a_printed_number_is_told_whichever_corner_it_points_to(text: str, number: int, networks: Networks) -> None:
    view = see(icosahedron(), POSE, CAMERA)
    for turn in range(3):
        patches = upright_patches(numbered(text, turn), view)
        assert [patch.shape for patch in patches] == [(*PRINT_SIZE[::-1], 3)] * 3
        said = numbers_told(networks.written(patches))
        assert said[:, :20].max(axis=0).argmax() + 1 == number
        assert said[turn, number - 1] == said[:, number - 1].max() > 0.5


def test_a_roman_number_is_told_as_one(networks: Networks) -> None:
    view = see(icosahedron(), POSE, CAMERA)
    for text in ("V", "XII"):
        said = numbers_told(networks.written(upright_patches(numbered(text, 0), view)))
        assert said[0, 20] > RECOGNISED_ROMAN


def test_all_ways_to_spread_a_number_over_the_places_count() -> None:
    """By hand: every way of three places, each of which shows nothing, a 1 or a 7."""
    rng = np.random.default_rng(3)
    chance = rng.random((1, 3, 1 + len(LETTERS)))
    chance /= chance.sum(axis=2, keepdims=True)
    column = {"": 0, "1": 1 + LETTERS.index("1"), "7": 1 + LETTERS.index("7")}
    by_text: dict[str, float] = {}
    for way in product(column, repeat=3):
        text = "".join(letter for letter, before in zip(way, ("", *way), strict=False) if letter != before)
        by_text[text] = by_text.get(text, 0.0) + float(
            np.prod([chance[0, n, column[one]] for n, one in enumerate(way)])
        )
    said = numbers_told(chance.astype(np.float32))[0]
    assert said[[0, 6, 10, 16]] == pytest.approx([by_text[text] for text in ("1", "7", "11", "17")], rel=1e-5)


def test_the_number_that_both_tell_becomes_surer() -> None:
    own = chances(n17=0.7, n7=0.2, n1=0.05)
    after = heard(own, told(n17=0.95))
    assert after[17] > 0.99
    assert sum(after.values()) < 1


def test_a_witness_that_tells_another_number_makes_none_surer() -> None:
    own = chances(n10=0.5, n18=0.4)
    assert heard(own, told(n18=0.95)) == own
    unsure = heard(own, told(n3=0.95))
    assert max(unsure.values()) < 0.5, "it says something else: no face is surer than before"


@pytest.mark.parametrize("number", [1, 11])
def test_strokes_that_may_be_roman_make_nothing_surer(number: int) -> None:
    own = chances(**{f"n{number}": 0.9})
    assert heard(own, told(**{f"n{number}": 0.99}))[number] <= 0.9


def test_where_a_roman_number_is_read_nothing_is_heard() -> None:
    own = chances(n7=0.6)
    assert heard(own, told(n7=0.98, roman=2 * RECOGNISED_ROMAN)) == own
    assert heard(own, told(n7=0.98))[7] > 0.9


def test_what_a_chance_weighs_grows_with_it() -> None:
    steps = [odds for _, odds in RECOGNISED]
    assert steps == sorted(steps)
    assert steps[0] < 0 < steps[-1]
    assert [least for least, _ in RECOGNISED] == sorted(least for least, _ in RECOGNISED)
    assert np.log(odds_of(np.full(20, 1.0))[1]) == pytest.approx(steps[-1])


def test_it_is_asked_where_nothing_but_the_face_of_a_d20_is_in_doubt() -> None:
    (seen,) = load_reader().look(scene(41, (DieKind.D20,)).picture).found
    unsure = replace(seen.evidence, face=0.6) if seen.evidence is not None else Evidence(DieKind.D20, 0.6)

    def asked(evidence: Evidence) -> bool:
        return asks_the_witness(replace(seen, evidence=evidence))

    assert asked(unsure)
    assert not asked(replace(unsure, face=0.999)), "it is sure"
    assert not asked(replace(unsure, up=0.9)), "another face may be up"
    assert not asked(replace(unsure, fits=0.5)), "its pose is in doubt"
    assert not asked(replace(unsure, flat=0.5)), "it may be print"
    assert asked(replace(unsure, face=0.97, illegible=True)), "its other faces cannot be made out"
    taught = replace(seen, evidence=unsure, verdict=replace(seen.verdict, owner="mine"))
    assert not asks_the_witness(taught)
    assert not asks_the_witness(
        replace(seen, evidence=Evidence(DieKind.D6, 0.6), verdict=replace(seen.verdict, kind=DieKind.D6))
    )


class UnsureNetworks(Networks):
    """The real networks, whose reader of numbers is less sure of each: it gives more than a fifth to no number."""

    def numbers(self, patches: Sequence[NDArray[np.uint8]]) -> Scores:
        scores = super().numbers(patches)
        scores[:, 20] += 0.22 * scores[:, :20].sum(axis=1)
        scores[:, :20] *= 0.78
        return scores


class SilentNetworks(UnsureNetworks):
    """Such networks, whose recogniser sees nothing anywhere."""

    def written(self, patches: Sequence[NDArray[np.uint8]]) -> Scores:
        nothing = np.zeros((len(patches), 12, 1 + len(LETTERS)), np.float32)
        nothing[:, :, 0] = 1
        return nothing


def test_a_faint_number_that_both_tell_is_read_and_by_one_alone_it_is_asked_about() -> None:
    """A path-traced tray of 640 by 360 pixels; a 9 lies below its middle. Enlarged it needs no witness."""
    picture = load_picture(Path(__file__).parents[1] / "pictures" / "second_witness.jpg").pixels

    def nine(reader: PictureReader) -> DieReading:
        boxes = [(one, one.box) for one in reader.look(picture).readings if one.box is not None]
        return min(boxes, key=lambda each: math.dist((each[1].x, each[1].y), (336, 228)))[0]

    alone, both = (nine(PictureReader(networks)) for networks in (SilentNetworks(), UnsureNetworks()))
    assert (alone.state, alone.face) == (DieState.DOUBTFUL, None)
    assert alone.guesses[0].face == 9
    assert (both.state, both.face) == (DieState.READ, 9)
    assert both.confidence > alone.confidence
