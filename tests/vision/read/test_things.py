"""What looks like a die and is none: one that was read is asked about, and nobody is asked about the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import Box, DieKind, DieReading, DieState, SourceKind, Symbol
from tests.bench.vision_things import told_apart
from vision.pose.crops import THING_PIXELS, colour_batch, thing_square
from vision.pose.geometry import STRAIGHT_UP, Array, Camera, Pose, cube, lying
from vision.pose.networks import KINDS, Judgement, Networks
from vision.pose.places import found_beside, seen_after_all, without_faces
from vision.pose.posing import Judged, PosedDie, dice_in_colour, surely_dice
from vision.pose.proposals import Proposal
from vision.pose.things import things_among
from vision.pose.thresholds import DIE_SURELY, THING_RATHER, THING_SURELY
from vision.read.asking import asked_about, counted
from vision.read.detection import Detection
from vision.read.die_evidence import Shown
from vision.read.evidence import Evidence
from vision.read.faces import Verdict
from vision.read.flat import Flatness
from vision.read.overlaps import hidden
from vision.read.things import dice_after_all, without_things
from vision.taught.likeness import NO_OWN_DICE

CAMERA, CUBE = Camera(640, 480), cube()
JUDGED = Judgement((0.0, 0.0, 1.0, *[0.0] * (KINDS - 3)), 0, 0, 1, 0, 0, (0, 0))


class Telling(Networks):
    """In place of the networks: says of each square the same, and keeps how many it was asked about."""

    def __init__(self, odds: float) -> None:
        self.odds, self.asked = odds, 0

    def things(self, squares: Sequence[NDArray[np.uint8]]) -> Array:
        self.asked += len(squares)
        return np.full(len(squares), self.odds)


def die(state: DieState, *, at: tuple[float, float] = (320.0, 240.0), owner: str | None = None) -> Detection:
    """A cube that shows a 2, read or not."""
    pose = Pose(at, 40.0, lying(np.array(STRAIGHT_UP), 0.3))
    face = 2 if state is DieState.READ else None
    reading = DieReading(DieKind.D6, face, 0.98, state, SourceKind.CAMERA, Box(280, 200, 80, 80))
    verdict = Verdict(DieKind.D6, {2: 0.999}, pose, 1.0, owner=owner)
    return Detection(JUDGED, pose, verdict, reading, evidence=Evidence(DieKind.D6, 0.98))


def told(odds: float, *dice: Detection) -> list[DieReading]:
    """What is told of the dice where the network says this of each square."""
    picture = np.full((480, 640, 3), 90, np.uint8)
    shown = Shown(picture, picture[..., 0], picture[..., 0], CAMERA, Telling(odds), NO_OWN_DICE, None)
    return [one.reading for one in without_things(shown, dice)[0]]


def test_what_is_read_and_may_be_no_die_is_asked_about() -> None:
    assert told(THING_SURELY - 0.1, die(DieState.READ)) == [die(DieState.READ).reading]
    (feared,) = told(THING_SURELY + 0.1, die(DieState.READ))
    assert (feared.state, feared.face) == (DieState.DOUBTFUL, None)
    assert feared.confidence == pytest.approx(0.98 * 0.9)


def test_nobody_is_asked_about_what_surely_is_no_die() -> None:
    doubtful, one = die(DieState.DOUBTFUL), die(DieState.READ, owner="mine")
    unsure = replace(doubtful, die=0.9)
    assert told(THING_SURELY - 0.1, unsure, one) == [doubtful.reading, one.reading]
    assert told(THING_SURELY + 0.1, unsure, one) == [one.reading]


def test_a_larger_thing_that_was_left_out_is_not_asked_about_as_beneath_a_die() -> None:
    small, large = die(DieState.READ), die(DieState.DOUBTFUL, at=(330.0, 240.0))
    large = replace(large, pose=replace(large.pose, radius=110.0))
    seen = [Judged(JUDGED, large.pose, 0.9)]
    assert len(hidden(seen, [small], CAMERA)) == 1, "something else lies beneath"
    assert hidden(seen, [small], CAMERA, [large]) == []


def test_dice_that_were_taught_lean_are_cut_off_or_are_sure_d20s_are_left_as_they_are() -> None:
    cube_read = die(DieState.READ)
    sure = replace(cube_read, verdict=replace(cube_read.verdict, kind=DieKind.D20))
    some = [die(DieState.READ, owner="mine"), die(DieState.DOUBTFUL, at=(20.0, 240.0)), sure]
    some.append(die(DieState.COCKED))
    assert told(THING_SURELY + 9, *some) == [one.reading for one in some]


def test_a_square_holds_the_surroundings_and_goes_on_beyond_the_picture() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[40:60, 40:60] = (10, 200, 30)
    square = thing_square(picture, (50.0, 50.0), 20.0)
    assert square.shape == (THING_PIXELS, THING_PIXELS, 3)
    green = square[..., 1] > 100
    assert green.mean() == pytest.approx(1 / 16, abs=0.01)  # 20 of 80 pixels each way
    assert np.array_equal(thing_square(picture, (2.0, 2.0), 20.0)[:20, :20], np.zeros((20, 20, 3)))
    batch = colour_batch(np.stack([square, square]))
    assert batch.shape == (2, 3, THING_PIXELS, THING_PIXELS)
    assert abs(float(batch.mean())) < 1e-4


def test_only_what_is_no_die_in_all_four_turns_is_none() -> None:
    class InThreeTurns(Telling):
        def things(self, squares: Sequence[NDArray[np.uint8]]) -> Array:
            return super().things(squares) if self.asked < 3 else np.zeros(len(squares))

    square = np.zeros((THING_PIXELS, THING_PIXELS, 3), np.uint8)
    assert things_among(InThreeTurns(THING_SURELY + 1), [square]) == []
    once = Telling(THING_SURELY + 1)
    assert things_among(once, [square, square]) == [0, 1]
    assert once.asked == 8
    die_there = Telling(0.0)
    assert things_among(die_there, [square, square]) == []
    assert die_there.asked == 2  # dice cost one look each


def test_where_no_die_is_read_nobody_is_asked_about_what_rather_is_none() -> None:
    asked = [die(DieState.DOUBTFUL), die(DieState.COCKED)]
    assert told(THING_RATHER + 0.1, *asked) == []
    assert len(told(THING_RATHER - 0.1, *asked)) == 2
    assert len(told(THING_RATHER + 0.1, *asked, die(DieState.READ))) == 3
    assert len(told(THING_RATHER + 9, die(DieState.COCKED, owner="mine"), die(DieState.COCKED, at=(20.0, 240.0)))) == 2


def after_all(odds: float, *dice: Detection) -> list[DieReading]:
    """What is told of after all of these that nobody was to be asked about."""
    picture = np.full((480, 640, 3), 90, np.uint8)
    shown = Shown(picture, picture[..., 0], picture[..., 0], CAMERA, Telling(odds), NO_OWN_DICE, None)
    return [one.reading for one in dice_after_all(shown, dice)]


def test_what_surely_is_a_die_is_asked_about_however_strange_its_face() -> None:
    strange = die(DieState.DOUBTFUL)
    assert after_all(-DIE_SURELY - 0.1, strange) == [strange.reading]
    assert after_all(-DIE_SURELY + 0.1, strange) == []


def test_print_and_what_the_edge_cuts_off_are_not_asked_about_for_looking_like_dice() -> None:
    doubtful = die(DieState.DOUBTFUL)
    strange = replace(doubtful, contradicted=True, verdict=replace(doubtful.verdict, chances={2: 0.01}))
    printed = replace(strange, flat=Flatness(0.999, 1, 1))
    in_ranks = replace(strange, flat=Flatness(0.0, 20, 20))
    assert asked_about([doubtful, strange, printed, in_ranks]) == ([doubtful], [strange])
    assert after_all(-9.0, die(DieState.DOUBTFUL, at=(20.0, 240.0))) == []


def test_a_cube_that_a_closer_look_finds_must_look_like_a_die_in_colour_too() -> None:
    picture = np.full((480, 640, 3), 90, np.uint8)
    pose = die(DieState.DOUBTFUL).pose
    as_d20 = replace(JUDGED, kinds=(0.0, 1.0, *[0.0] * (KINDS - 2)))
    cube, d20, nothing = (
        Judged(one, pose, 0.9) for one in (JUDGED, as_d20, replace(JUDGED, kinds=(1.0, *[0.0] * (KINDS - 1))))
    )
    assert surely_dice(picture, [cube, d20, nothing], Telling(-DIE_SURELY - 0.1)) == [d20, cube]
    assert surely_dice(picture, [cube, d20, nothing], Telling(0.0)) == [d20]


def test_dice_and_other_things_are_told_apart(*, whole: bool) -> None:
    (dice, silenced), (things, caught) = told_apart(20 if whole else 3, Networks())
    assert min(dice, things) > 10
    assert silenced == 0
    assert caught > 0.2 * things


def test_a_die_whose_kind_is_open_counts_where_a_closer_look_finds_it_if_it_looks_like_one_in_colour() -> None:
    """Cubes that touch look like a d10 or a d12 in grey, too."""
    picture = np.full((480, 640, 3), 90, np.uint8)
    open_kind = Judged(replace(JUDGED, kinds=(0.0, 0.1, 0.6, 0.0, 0.0, 0.3, 0.0)), die(DieState.DOUBTFUL).pose, 0.6)
    may_be_none = replace(open_kind, judgement=replace(JUDGED, kinds=(0.2, 0.1, 0.6, 0.0, 0.0, 0.1, 0.0)))
    of_another = replace(open_kind, judgement=replace(JUDGED, kinds=(0.0, 0.0, 0.1, 0.0, 0.0, 0.9, 0.0)))
    found = surely_dice(picture, [open_kind, may_be_none, of_another], Telling(-DIE_SURELY - 0.1))
    assert found == [open_kind]
    assert surely_dice(picture, [open_kind], Telling(0.0)) == []


def test_what_a_closer_look_sees_where_a_place_was_found_already_counts_for_that_place() -> None:
    pose = die(DieState.DOUBTFUL).pose
    found, glimpsed = Judged(JUDGED, pose, 0.0), Judged(JUDGED, pose.moved(3.0, 0.0), 0.7)
    seen = Proposal((pose.centre[0] + 5, pose.centre[1]), 44.0, 0.55)
    assert seen_after_all([found, glimpsed], [seen]) == [replace(found, glance=0.55)]
    assert seen_after_all([found], [replace(seen, radius=90.0)]) == []


def test_a_printed_hexagon_that_was_found_already_is_no_die_after_all() -> None:
    """To the closer look and to the one in grey it is a d20."""
    picture = np.full((480, 640, 3), 90, np.uint8)
    as_d20 = Judged(replace(JUDGED, kinds=(0.0, 1.0, *[0.0] * (KINDS - 2))), die(DieState.DOUBTFUL).pose, 0.7)
    assert dice_in_colour(picture, [as_d20], Telling(0.0)) == []
    assert dice_in_colour(picture, [as_d20], Telling(-DIE_SURELY - 0.1)) == [as_d20]


def numeral(state: DieState = DieState.READ) -> Detection:
    """A Challenge Die that shows a 1, elsewhere."""
    one = die(state, at=(100.0, 100.0))
    verdict = replace(one.verdict, kind=DieKind.CHALLENGE, chances={1: 0.999})
    return replace(one, verdict=verdict, reading=replace(one.reading, kind=DieKind.CHALLENGE))


def test_what_is_unproven_counts_only_beside_a_numeral_that_is_read() -> None:
    unproven, proof = replace(die(DieState.READ), unproven=True), numeral()
    assert counted([unproven]) == []
    assert [one.unproven for one in counted([unproven, numeral(DieState.DOUBTFUL)])] == [False]
    assert counted([unproven, replace(proof, unproven=True)]) == []
    assert [one.unproven for one in counted([unproven, proof])] == [True, False]


def test_an_unproven_blank_square_never_counts() -> None:
    one = die(DieState.READ)
    verdict = replace(one.verdict, kind=DieKind.CHALLENGE, chances={Symbol.BLANK: 1.0})
    assert [one.unproven for one in counted([replace(one, verdict=verdict, unproven=True), numeral()])] == [False]


@pytest.mark.parametrize(("flat", "strange"), [(0.9, 1), (0.97, 0)])
def test_beside_a_numeral_only_what_surely_is_print_is_left_out(flat: float, strange: int) -> None:
    one = die(DieState.DOUBTFUL)
    verdict = replace(one.verdict, kind=DieKind.CHALLENGE, chances={Symbol.BLANK: 1.0})
    one = replace(one, verdict=verdict, flat=Flatness(flat))
    assert asked_about([one]) == ([], [])
    asked, others = asked_about([one, numeral()])
    assert (len(asked), len(others)) == (1, strange)


@pytest.mark.parametrize(
    ("one", "strange"),
    [
        pytest.param(replace(die(DieState.DOUBTFUL), flat=Flatness(0.985, 1, 1)), 1, id="no side shows in this light"),
        pytest.param(replace(die(DieState.DOUBTFUL), flat=Flatness(0.998, 1, 1)), 0, id="print"),
        pytest.param(replace(die(DieState.DOUBTFUL), flat=Flatness(0.985, 9, 9)), 0, id="a mat"),
        pytest.param(replace(die(DieState.DOUBTFUL), flat=Flatness(0.985, 1, 1), die=0.9), 0, id="hardly a die"),
        pytest.param(replace(die(DieState.DOUBTFUL), flat=Flatness(0.985, 1, 1), likely=0.9), 0, id="hardly its pose"),
    ],
)
def test_beside_a_numeral_what_shows_a_face_and_no_side_may_be_a_die_after_all(one: Detection, strange: int) -> None:
    assert asked_about([one]) == ([], [])
    asked, others = asked_about([one, numeral()])
    assert (len(asked), len(others)) == (1, strange)


def test_what_looks_like_a_thing_is_asked_about_beside_a_numeral_if_it_surely_shows_a_face() -> None:
    one = die(DieState.DOUBTFUL)
    assert told(THING_SURELY + 0.1, one) == []
    assert len(told(THING_SURELY + 0.1, one, die(DieState.DOUBTFUL, owner="mine"))) == 1
    sure = replace(die(DieState.READ), verdict=replace(one.verdict, kind=DieKind.D20))
    assert len(told(THING_SURELY + 0.1, one, sure)) == 2
    for unsure in (replace(one, die=0.9), replace(one, likely=0.9)):
        assert len(told(THING_SURELY + 0.1, unsure, sure)) == 1


def posed_die(at: tuple[float, float], radius: float, fits: float = 1.0, sure: float = 1.0) -> PosedDie:
    judgement = Judgement((1 - sure, 0.0, sure, *[0.0] * (KINDS - 3)), 0, 0, 1, 0, 0, (0, 0))
    return PosedDie(judgement, CUBE, Pose(at, radius, lying(np.array(STRAIGHT_UP), 0.3)), fits, (), 0.5, fits)


def test_two_dice_in_what_hardly_fits_one_are_found() -> None:
    pair = [posed_die((300.0, 240.0), 40.0), posed_die((370.0, 240.0), 40.0)]
    assert found_beside([posed_die((335.0, 240.0), 90.0, fits=0.8)], pair) == tuple(
        replace(one, unproven=True) for one in pair
    )
    assert found_beside([posed_die((335.0, 240.0), 90.0)], pair) == ()
    assert found_beside([posed_die((335.0, 240.0), 90.0, fits=0.8)], pair[:1]) == ()


def test_what_is_hardly_a_die_makes_no_die_a_face_of_it() -> None:
    small = posed_die((300.0, 240.0), 40.0)
    assert without_faces([small, posed_die((310.0, 240.0), 100.0, sure=0.5)]) == [small]
    assert small not in without_faces([small, posed_die((310.0, 240.0), 100.0)])
