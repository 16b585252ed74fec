"""The vote of a d20's faces: certain where they agree, soft where they do not."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import DieKind, Symbol
from vision.errors import ReaderError
from vision.pose.crops import FACE_PIXELS, die_crop, face_patch, normalised
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, icosahedron, layout_hypotheses, lying, see
from vision.pose.networks import CUBE_FACES, Networks
from vision.read.face_memory import FaceMemory
from vision.read.faces import _cube_verdict, _vote, read_d20s
from vision.read.reader import load_reader
from vision.training.scenes import scene

POSE = Pose((100.0, 100.0), 50.0, np.eye(3))


def told(numbers: list[int], surely: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rows = np.full((len(numbers), 21), (1 - surely) / 20)
    for row, number in zip(rows, numbers, strict=True):
        row[number - 1] = surely
    return rows


@given(st.integers(0, 119), st.floats(0.3, 0.999))
def test_faces_that_agree_with_a_layout_make_its_number_likeliest(row: int, surely: float) -> None:
    layout = layout_hypotheses()[row]
    shown = [0, *icosahedron().neighbours[0]]
    logs = _vote(told([int(layout[face]) for face in shown], surely), shown).odds
    assert int(np.argmax(logs)) + 1 == layout[0]


@given(st.integers(0, 119))
def test_neighbours_carry_a_top_face_that_cannot_be_read(row: int) -> None:
    layout = layout_hypotheses()[row]
    shown = [0, *icosahedron().neighbours[0]]
    rows = told([int(layout[face]) for face in shown], 0.95)
    rows[0, :] = 1 / 21
    logs = _vote(rows, shown).odds
    chances = np.exp(logs - logs.max())
    assert int(np.argmax(logs)) + 1 == layout[0]
    assert chances.max() / chances.sum() > 0.9


def test_a_number_that_another_face_shows_is_not_on_top_too() -> None:
    rows = told([9, 16, 18, 11], 0.99)
    rows[0, :] = 0.001
    rows[0, [8, 15]] = 0.5
    logs = _vote(rows, [0, *icosahedron().neighbours[0]]).odds
    assert logs[8] - logs[15] > 1.5


def test_a_makers_own_layout_is_believed_less_but_not_turned_into_another_number() -> None:
    layout = layout_hypotheses()[0]
    shown = [0, *icosahedron().neighbours[0]]
    strange = [7, 1, 2, 3]
    own = _vote(told(strange, 0.9), shown).odds
    known = _vote(told([int(layout[face]) for face in shown], 0.9), shown).odds
    assert int(np.argmax(own)) + 1 == 7
    assert own.max() < known.max()


def test_faces_that_pass_for_one_number_over_and_over_are_rather_none_that_is_read() -> None:
    shown = [0, *icosahedron().neighbours[0]]
    roman, numbers = (_vote(told(faces, 0.9), shown) for faces in ([11, 11, 11, 20], [7, 1, 2, 3]))
    assert roman.odds.max() - roman.unread < numbers.odds.max() - numbers.unread - math.log(20)
    assert numbers.own[6] > math.log(0.5)
    layout = layout_hypotheses()[0]
    known = _vote(told([int(layout[face]) for face in shown], 0.9), shown)
    assert known.own[layout[0] - 1] < math.log(0.1)


@pytest.mark.parametrize(
    ("style", "face", "kind"),
    [
        ("pips", 5, DieKind.D6),
        ("numeral", 2, DieKind.D6),
        ("challenge", 1, DieKind.CHALLENGE),
        ("challenge", Symbol.EFFECT, DieKind.CHALLENGE),
        ("challenge", Symbol.BLANK, DieKind.CHALLENGE),
    ],
)
def test_a_cubes_face_tells_its_kind(style: str, face: int | Symbol, kind: DieKind) -> None:
    row = np.full(len(CUBE_FACES), 0.001)
    row[CUBE_FACES.index((style, face))] = 0.984
    verdict = _cube_verdict(row, POSE, 1.0)
    assert verdict.kind is kind
    assert verdict.best[0] == face


@pytest.mark.parametrize(
    ("style", "face", "counts"),
    [("pips", 4, 1), ("numeral", 1, 1), ("numeral", 4, 2), ("challenge", Symbol.EFFECT, 2), ("challenge", 2, 2)],
)
def test_a_strange_sign_counts_twice_except_against_pips_and_a_one(style: str, face: int | Symbol, counts: int) -> None:
    row = np.zeros(len(CUBE_FACES))
    row[CUBE_FACES.index((style, face))] = 0.9
    row[CUBE_FACES.index(("strange", None))] = 0.1
    shown, chance = _cube_verdict(row, POSE, 1.0).best
    assert shown == face
    assert chance == pytest.approx(0.9**counts, abs=0.03)  # a strange sign may be an Effect or a 2 as well


def test_how_legible_a_d20s_other_faces_are_is_told() -> None:
    """Of a smooth d20 hardly anything can be read; of one with clear numerals all can."""
    clear = scene(41, (DieKind.D20,))
    (seen,) = load_reader().look(clear.picture).found
    assert seen.verdict.legible > 0.9
    memory = FaceMemory(np.full((200, 200), 128, np.uint8), Networks())
    camera = Camera(200, 200)
    pose = Pose((100.0, 100.0), 60.0, lying(np.array(STRAIGHT_UP), 0.3))
    (smooth,) = read_d20s(memory, [[pose]], camera, likely=[1.0])
    assert smooth.legible < 0.5


def test_a_patch_keeps_the_face_upright_and_level() -> None:
    picture = np.zeros((200, 200), np.uint8)
    camera = Camera(200, 200)
    view = see(icosahedron(), Pose((100, 100), 70, lying(np.array(STRAIGHT_UP), 0.9)), camera)
    corners = view.points[list(icosahedron().faces[0])]
    cv2.fillConvexPoly(picture, corners.round().astype(np.int32), 255)
    cv2.circle(picture, tuple(int(v) for v in corners[0].round()), 20, 120, -1)
    patch = face_patch(picture, view, 0)
    assert patch[2, FACE_PIXELS // 2] == 120  # the first corner is at the top
    assert patch[-3, FACE_PIXELS // 2] in (0, 255)
    assert patch[FACE_PIXELS // 2, FACE_PIXELS // 2] == 255
    assert patch[3, 3] == 0
    assert patch[3, -3] == 0


def test_crops_reach_beyond_the_picture_and_are_normalised() -> None:
    grey = np.random.default_rng(1).integers(0, 255, (120, 160), dtype=np.uint8)
    crop = die_crop(grey, (-20.0, 130.0), 60.0)
    batch = normalised(np.array([crop, np.full_like(crop, 7)]))
    assert batch[0].mean() == pytest.approx(0, abs=1e-4)
    assert batch[0].std() == pytest.approx(1, abs=1e-3)
    assert np.abs(batch[1]).max() == 0


def test_a_missing_and_a_damaged_model_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=r"spots\.onnx is missing\. Install"):
        Networks(tmp_path)
    (tmp_path / "spots.onnx").write_bytes(b"not a network")
    with pytest.raises(ReaderError, match=r"spots\.onnx is damaged"):
        Networks(tmp_path)
