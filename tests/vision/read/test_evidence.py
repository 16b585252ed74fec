"""What a reading's confidence is made of, and that each doubt by itself keeps a die from being called read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import DieKind, DieState, Symbol
from vision.pose.geometry import STRAIGHT_UP, Camera, Pose, cube, icosahedron, lying
from vision.pose.networks import KINDS, Judgement
from vision.pose.posing import PosedDie
from vision.pose.table_normal import CAMERA_SPREAD, TableNormal
from vision.read.doubt import found
from vision.read.evidence import Evidence
from vision.read.faces import Verdict
from vision.read.thresholds import THRESHOLDS

SURE = {kind: Evidence(kind, 0.999) for kind in DieKind}
CAMERA = Camera(640, 480)
DOUBTS: list[dict[str, float]] = [
    {"face": 0.9},
    {"die": 0.5},
    {"up": 0.9},
    {"flat": 0.1},
    {"support": 0.7},
    {"fits": 0.9},
    {"likely": 0.6},
    {"cut_off": True},
    {"in_ranks": True},
    {"washed_out": True},
    {"glared": True},
    {"illegible": True},
    {"brighter": 0.9},
    {"aside": True},
    {"outlined": False},
    {"part": True},
    {"thing": True},
]


@pytest.mark.parametrize("kind", DieKind)
@pytest.mark.parametrize("doubt", DOUBTS, ids=lambda doubt: next(iter(doubt)))
def test_any_one_doubt_keeps_a_die_from_being_read(kind: DieKind, doubt: dict[str, float]) -> None:
    assert SURE[kind].sure()
    doubted = replace(SURE[kind], **doubt)  # type: ignore[arg-type]  # a doubt is a number or a flag by its name
    assert not doubted.sure()


@pytest.mark.parametrize("doubt", DOUBTS, ids=lambda doubt: next(iter(doubt)))
def test_a_kind_is_open_alone_where_nothing_else_is_in_doubt(doubt: dict[str, float]) -> None:
    doubted = replace(SURE[DieKind.D6], **doubt)  # type: ignore[arg-type]  # likewise
    assert not replace(doubted, of_kind=0.9).kind_open()
    either = replace(SURE[DieKind.D6], of_kind=0.9)
    assert either.kind_open()
    assert either.sure()
    assert not SURE[DieKind.D6].kind_open()


@pytest.mark.parametrize("kind", DieKind)
def test_a_suspicion_outweighs_every_bar(kind: DieKind) -> None:
    certain = Evidence(kind, 1.0, cut_off=True)
    assert certain.confidence() < min(THRESHOLDS.read.values())


def test_a_taught_die_needs_no_pose_that_the_network_likes() -> None:
    assert Evidence(DieKind.D20, 0.99, fits=0.7, likely=0.3, taught=True).sure()


chances = st.floats(0, 1)


@given(chances, chances, chances, chances, chances)
def test_confidence_is_a_chance_and_no_doubt_adds_to_it(
    face: float, die: float, up: float, flat: float, brighter: float
) -> None:
    whole = Evidence(DieKind.D20, face, die=die, up=up, flat=flat, brighter=brighter).confidence()
    assert 0 <= whole <= min(face, die, up, brighter)


def seen(grey: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> DieState:
    """The reading of a blank cube whose faces the network is sure of."""
    pose = Pose((320.0, 240.0), 60.0, lying(np.array(STRAIGHT_UP), 0.2))
    kinds = (0.0, 0.0, 1.0, *[0.0] * (KINDS - 3))
    place = PosedDie(Judgement(kinds, 0, 0, 1, 0, 0, (0, 0)), cube(), pose, 1.0, glance=0.9, fits=1.0)
    verdict = Verdict(DieKind.CHALLENGE, {Symbol.BLANK: 0.999}, pose, 1.0)
    return found(grey, CAMERA, place, verdict, TableNormal(np.array(STRAIGHT_UP), CAMERA_SPREAD, 3)).reading.state


def test_a_blank_face_that_is_washed_out_by_light_may_carry_a_sign() -> None:
    picture = np.full((480, 640), 90, np.uint8)
    assert seen(picture) is DieState.READ
    picture[200:280, 280:360] = 236
    assert seen(picture) is DieState.READ
    picture[200:280, 280:360] = 255
    assert seen(picture) is DieState.DOUBTFUL


@pytest.mark.parametrize(
    ("words", "doubted"),
    [
        ("it may be print", replace(SURE[DieKind.D6], flat=0.5)),
        ("it lies in ranks", replace(SURE[DieKind.D6], in_ranks=True)),
        ("its face is not sure", replace(SURE[DieKind.D6], flat=0.05, face=0.6)),
        ("a blank face is washed out", replace(SURE[DieKind.D6], washed_out=True)),
        ("a glare may hide pips", replace(SURE[DieKind.D6], glared=True)),
        ("its other faces are hardly legible", replace(SURE[DieKind.D20], illegible=True)),
        ("the pose does not fit, or is not flat", replace(SURE[DieKind.D6], fits=0.5, likely=0.5)),
    ],
)
def test_what_is_doubted_most_is_named(words: str, doubted: Evidence) -> None:
    assert SURE[DieKind.D6].main_doubt() == ""
    assert doubted.main_doubt() == words
    assert doubted.print_feared() is (words in {"it may be print", "it lies in ranks"})


@pytest.mark.parametrize(
    ("words", "doubts"),
    [
        ("it lies in ranks", {"in_ranks": True, "washed_out": True}),
        ("the upper face is hardly a whole face", {"support": 0.0, "cut_off": True}),
        ("a blank face is washed out", {"washed_out": True, "fits": 0.99, "face": 0.95}),
        ("it may be print", {"flat": 0.5, "in_ranks": True, "face": 0.8}),
    ],
)
def test_of_two_doubts_one_that_holds_is_named(words: str, doubts: dict[str, object]) -> None:
    assert replace(SURE[DieKind.D6], **doubts).main_doubt() == words  # type: ignore[arg-type]  # as above


@pytest.mark.parametrize(
    ("legible", "chance", "printed", "state"),
    [
        (0.4, 0.97, None, DieState.DOUBTFUL),
        (0.6, 0.97, None, DieState.READ),
        (0.4, 0.995, None, DieState.READ),
        (0.4, 0.995, 0.3, DieState.DOUBTFUL),  # it was asked for less than that, and what it reads is no proof
        (0.4, 0.97, 0.7, DieState.READ),
        (0.6, 0.97, 0.3, DieState.READ),
    ],
)
def test_a_hand_that_can_hardly_be_read_is_believed_only_beyond_doubt(
    legible: float, chance: float, printed: float | None, state: DieState
) -> None:
    """A path-traced 15 in an outlined font looked like a 12; its neighbours could not be made out."""
    pose = Pose((320.0, 240.0), 60.0, lying(np.array(STRAIGHT_UP), 0.2))
    kinds = (0.0, 1.0, *[0.0] * (KINDS - 2))
    place = PosedDie(Judgement(kinds, 0, 0, 1, 0, 0, (0, 0)), icosahedron(), pose, 1.0, glance=0.9, fits=1.0)
    said = () if printed is None else tuple(printed if number == 12 else 0.0 for number in range(1, 21))
    verdict = Verdict(DieKind.D20, {12: chance, 15: 0.001}, pose, 1.0, legible=legible, printed=said)
    grey = np.full((480, 640), 90, np.uint8)
    up = TableNormal(np.array(STRAIGHT_UP), CAMERA_SPREAD, 3)
    assert found(grey, CAMERA, place, verdict, up).reading.state is state
