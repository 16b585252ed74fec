"""What is read of a cube beside the looks of taught ones: surer where both agree, a question where they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import pytest

from rules.dice import DieKind, DieReading, DieState, Face, SourceKind, Symbol
from vision.desk.enrolment import EnrolmentPicture, learnt
from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import STRAIGHT_UP, Array, Camera, Pose, cube, lying, see
from vision.pose.networks import CUBE_FACES, Judgement, Networks, Scores
from vision.read.detection import Detection
from vision.read.evidence import Evidence
from vision.read.faces import Verdict, read_cubes
from vision.read.thresholds import EVEN
from vision.taught.likeness import OwnDice, code_like
from vision.taught.own_dice import FaceLook, OwnDie

CAMERA = Camera(320, 240)
POSE = Pose((160.0, 120.0), 70.0, lying(np.array(STRAIGHT_UP), 0.0))
GREY = (120.0, 128.0, 128.0)
COLOUR: Array = np.array(GREY)
NONE = ("none", None)
ONE, TWO, EFFECT = ("challenge", 1), ("challenge", 2), ("challenge", Symbol.EFFECT)


class Says(Networks):
    """Networks that take every cube's patch for the same."""

    def __init__(self, chances: Mapping[tuple[str, Face | None], float]) -> None:
        rest = (1 - sum(chances.values())) / (len(CUBE_FACES) - len(chances))
        self.row = np.array([chances.get(one, rest) for one in CUBE_FACES], np.float32)

    def cubes(self, patches: Sequence[Grey]) -> Scores:
        return np.tile(self.row, (len(patches), 1))


def shows(face: Face) -> Grey:
    """A picture of a cube whose upper face has a frame with as many bars as its number, or nothing."""
    picture = np.full((240, 320), 150, np.uint8)
    if face is Symbol.BLANK:
        return picture
    cv2.circle(picture, (160, 120), 30, 60, 4, cv2.LINE_AA)
    for bar in range(int(face) if isinstance(face, int) else 0):
        cv2.line(picture, (154 + 9 * bar, 110), (154 + 9 * bar, 130), 60, 3, cv2.LINE_AA)
    return picture


def known(
    *faces: Face,
    kind: DieKind = DieKind.CHALLENGE,
    colour: tuple[float, float, float] = GREY,
    read_so: bool | None = None,
) -> OwnDice:
    """A die of which these faces were shown, and whether the networks `read_so` then."""
    view = see(cube(), POSE, CAMERA)
    codes = [code_like(face_patch(shows(face), view, 0), kind, ()) for face in faces]
    looks = [FaceLook(face, code, read_so=read_so) for face, code in zip(faces, codes, strict=True)]
    return OwnDice.of([OwnDie("00000001", "x", kind, tuple(looks), {}, colour, len(faces), len(faces))])


def read(face: Face, says: Mapping[tuple[str, Face | None], float], own: OwnDice) -> Verdict:
    """What is read where a cube shows `face` and the network says something."""
    (verdict,) = read_cubes(shows(face), [[POSE]], CAMERA, Says(says), own=own, colours=[COLOUR])
    return verdict


def sure(verdict: Verdict) -> bool:
    return Evidence(verdict.kind, verdict.best[1], support=verdict.support).sure()


def test_a_face_that_was_never_shown_is_not_taken_for_one_that_was() -> None:
    assert read(1, {TWO: 0.4, ("strange", None): 0.5}, known(1)).best[0] == 1, "where nothing else is seen, it tells"
    verdict = read(2, {TWO: 0.98}, known(1))
    assert not sure(verdict)
    assert {face for face, chance in verdict.chances.items() if chance > 0.2} == {1, 2}
    assert sure(read(2, {TWO: 0.98}, known(1, 2)))


def test_what_reads_a_taught_face_as_the_person_does_tells_another_face_from_it() -> None:
    assert sure(read(2, {TWO: 0.98}, known(1, read_so=True)))
    assert read(2, {TWO: 0.98}, known(1, read_so=True)).best[0] == 2
    assert not sure(read(2, {TWO: 0.6}, known(1, read_so=True)))


def test_so_it_does_on_a_die_that_is_hardly_the_taught_one() -> None:
    """A similar look of one die is no reason to ask about another die."""
    orange = (200.0, 160.0, 120.0)
    told = read(2, {TWO: 0.98}, known(1, colour=orange, read_so=True))
    assert sure(told)
    assert told.best[0] == 2
    assert not sure(read(2, {TWO: 0.98}, known(1, colour=orange, read_so=False)))
    faint = read(Symbol.BLANK, {("challenge", Symbol.BLANK): 0.98}, known(1, colour=orange, read_so=True))
    assert faint.best[0] is Symbol.BLANK


@pytest.mark.parametrize("colour", [GREY, (120.0, 150.0, 128.0)])
def test_what_looks_just_like_an_effect_that_was_taught_is_asked_about_however_it_is_read(
    colour: tuple[float, float, float],
) -> None:
    own = known(Symbol.EFFECT, colour=colour, read_so=True)
    assert not sure(read(Symbol.EFFECT, {ONE: 0.98}, own))
    told = read(2, {TWO: 0.98}, own)
    assert sure(told)
    assert told.best[0] == 2


@pytest.mark.parametrize(("said", "face", "read_so"), [
    (("strange", None), Symbol.EFFECT, True), (EFFECT, Symbol.EFFECT, True), (ONE, Symbol.EFFECT, False),
    (("strange", None), 1, False), (ONE, 1, True),
])  # fmt: skip
def test_networks_know_an_effect_from_other_faces_if_they_see_a_sign(
    said: tuple[str, Face | None], face: Face, *, read_so: bool
) -> None:
    """Which emblem a maker draws no network need know."""
    picture, says = shows(Symbol.EFFECT), Says({said: 0.98})
    (verdict,) = read_cubes(picture, [[POSE]], CAMERA, says)
    reading = DieReading(verdict.kind, None, 0.5, DieState.DOUBTFUL, SourceKind.CAMERA)
    one = Detection(
        Judgement((0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0), 0, 0, 1, 0, 0, (0, 0)), POSE, verdict, reading, solid="cube"
    )
    shown = EnrolmentPicture(np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8), CAMERA, (one,))
    after = learnt(OwnDie("00000001", "x", DieKind.CHALLENGE), shown, one, face, says)
    assert after.faces == (face,)
    assert after.read_so(face) is read_so


def test_a_sign_that_is_mistaken_for_a_face_of_the_die_is_known_once_both_were_shown() -> None:
    """The networks take the 1 that was taught for a 2."""
    told = read(1, {TWO: 0.98}, known(1, 2, read_so=False))
    assert sure(told)
    assert told.best[0] == 1
    assert not sure(read(1, {TWO: 0.98}, known(1, read_so=False)))


def test_of_a_die_whose_every_face_was_shown_the_looks_outweigh_the_network() -> None:
    assert read(1, {EFFECT: 0.98}, known(1, 2, Symbol.BLANK, Symbol.EFFECT)).best[0] == 1
    assert not sure(read(1, {EFFECT: 0.98}, known(1, 2, Symbol.BLANK)))


def test_a_face_that_may_be_blank_is_no_surer_for_looking_like_a_blank_one() -> None:
    """A faint sign hardly shows."""
    blank = ("challenge", Symbol.BLANK)
    told = read(Symbol.BLANK, {blank: 0.8, EFFECT: 0.15}, known(1, 2, Symbol.EFFECT, Symbol.BLANK, read_so=True))
    assert not sure(told)
    assert sure(read(Symbol.BLANK, {blank: 0.98}, known(1, 2, Symbol.EFFECT, Symbol.BLANK, read_so=True)))


def test_chances_add_up_to_one_at_most() -> None:
    each: tuple[dict[tuple[str, Face | None], float], ...] = ({TWO: 0.98}, {TWO: 0.5, ONE: 0.4}, {EFFECT: 0.9})
    for said in each:
        for own in (known(1), known(1, 2, read_so=True), known(1, 2, Symbol.EFFECT, Symbol.BLANK)):
            assert sum(read(2, said, own).chances.values()) <= 1 + 1e-9


@pytest.mark.parametrize("colour", [GREY, (120.0, 190.0, 90.0)])
def test_a_taught_die_never_makes_a_sure_reading_less_sure(colour: tuple[float, float, float]) -> None:
    """A d6's 2 looks like the Challenge Die's that was taught: whichever it is, it shows 2."""
    bare: dict[tuple[str, Face | None], float] = {("pips", 2): 0.99}
    before = read(2, bare, OwnDice())
    after = read(2, bare, known(1, 2, colour=colour))
    assert after.best[0] == 2
    assert after.best[1] >= before.best[1] > 0.95


def test_what_is_smooth_is_no_die_for_looking_like_a_blank_face() -> None:
    shadow = read(Symbol.BLANK, {NONE: 0.995}, known(1, 2, Symbol.BLANK))
    assert shadow.support < 0.1
    assert read(1, {NONE: 0.995}, known(1, 2, Symbol.BLANK)).support > EVEN, "a sign that was shown is on a die"
