"""Another look at dice in doubt: the picture turned by a half."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import Box, DieKind, DieReading, DieState, Face, Guess, SourceKind, Symbol
from vision.frames.pictures import load_picture
from vision.ports import Silhouette, Survey
from vision.read.evidence import Evidence
from vision.read.reader import load_reader
from vision.read.upside_down import Turned, turned, with_another_look
from vision.table.calibration import Calibration, MadeBy
from vision.table.setup import EmptyTray, TableSetup
from vision.training.scenes import scene

TRAYS = Path(__file__).parents[1] / "ray_traced"
PICTURES = Path(__file__).parents[1] / "pictures"
SIZE = (640, 480)
ASLANT = np.array([0.1, -0.2, -0.97])
HERE, THERE = Box(100, 200, 50, 40), Box(400, 60, 44, 46)
BOXES = st.builds(Box, st.integers(0, 500), st.integers(0, 400), st.integers(1, 100), st.integers(1, 80))


def read(face: Face, box: Box, kind: DieKind = DieKind.D20) -> DieReading:
    return DieReading(kind=kind, face=face, confidence=0.97, state=DieState.READ, source=SourceKind.CAMERA, box=box)


def in_doubt(box: Box, *guesses: Guess, state: DieState = DieState.DOUBTFUL) -> DieReading:
    return replace(read(1, box), face=None, confidence=0.5, state=state, guesses=guesses)


def seen_again(*dice: DieReading) -> Turned:
    outline = Silhouette(((1.0, 2.0), (3.0, 4.0), (5.0, 0.0)), ((1.0, 2.0), (3.0, 4.0), (5.0, 0.0)))
    return Turned(*SIZE, dice, {one.box: outline for one in dice if one.box is not None}, (ASLANT,) * len(dice))


@given(st.lists(BOXES, max_size=4))
def test_what_lies_upside_down_lies_at_its_place_again(boxes: list[Box]) -> None:
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    for box in boxes:
        picture[box.y : box.y + box.height, box.x : box.x + box.width] = 255
    over = turned(picture)
    anew = seen_again(*(read(7, box) for box in boxes))
    for one, before in zip(anew.back().dice, anew.dice, strict=True):
        assert one.box is not None
        assert before.box is not None
        at = np.s_[one.box.y : one.box.y + one.box.height, one.box.x : one.box.x + one.box.width]
        assert over[at].all()
        assert (one.box.width, one.box.height) == (before.box.width, before.box.height)
    again = anew.back().back()
    assert (again.dice, again.silhouettes) == (anew.dice, anew.silhouettes)
    assert all((one == (-0.1, 0.2, -0.97)).all() for one in anew.back().normals)


def test_a_doubtful_die_is_settled_by_what_is_read_at_its_place() -> None:
    told = Survey((in_doubt(HERE, Guess(12, 0.8)), read(3, THERE)))
    again = seen_again(read(12, replace(HERE, x=HERE.x + 2)), read(5, THERE))
    seen = with_another_look(told, again, {0})
    assert [die.face for die in seen.dice] == [12, 3]  # what was read at once stays
    assert seen.dice[0].box in seen.silhouettes
    assert len(seen.silhouettes) == 1
    assert seen.tops is not None
    assert len(seen.tops.normals) == 1  # the memory of the camera is told of what was settled


@pytest.mark.parametrize(
    ("die", "again"),
    [
        pytest.param(in_doubt(HERE, Guess(7, 0.6)), [read(12, HERE)], id="two looks that disagree"),
        pytest.param(in_doubt(HERE), [read(1, HERE, DieKind.D6)], id="another kind"),
        pytest.param(in_doubt(HERE), [read(12, replace(HERE, x=HERE.x + 20))], id="another place"),
        pytest.param(in_doubt(HERE), [read(12, HERE), read(12, HERE)], id="two dice at once"),
        pytest.param(in_doubt(HERE), [in_doubt(HERE, Guess(12, 0.9))], id="doubtful again"),
    ],
)
def test_what_does_not_settle_a_die_leaves_it_as_it_was(die: DieReading, again: list[DieReading]) -> None:
    told = Survey((die,))
    assert with_another_look(told, seen_again(*again), {0}).dice == (die,)


def test_what_rather_leans_upside_down_settles_nothing() -> None:
    told = Survey((in_doubt(HERE, Guess(Symbol.EFFECT, 0.7)),))
    told = replace(told, dice=(replace(told.dice[0], kind=DieKind.CHALLENGE),))
    again = seen_again(read(7, THERE), read(Symbol.EFFECT, HERE, DieKind.CHALLENGE))
    assert with_another_look(told, replace(again, leaning=frozenset({0})), {0}).dice[0].face is Symbol.EFFECT
    assert with_another_look(told, replace(again, leaning=frozenset({1})), {0}).dice[0] == told.dice[0]


def test_a_leaning_cube_that_looks_flat_upside_down_stays_in_doubt() -> None:
    picture, reader = load_picture(PICTURES / "cube_leaning.jpg").pixels, load_reader()
    again = reader.upside_down(picture, reader.look_at_its_size(picture))
    assert again is not None
    effects = [die for die in again.dice if die.face is Symbol.EFFECT and die.state is DieState.READ]
    assert len(effects) == 1  # which alone would settle the die
    dice = reader.read(picture)
    assert [die.face for die in dice if die.state is DieState.READ] == [4, 2, 8]
    (leaning,) = [die for die in dice if die.state is DieState.DOUBTFUL]
    assert leaning.guesses[0].face is Symbol.EFFECT


def test_a_die_of_which_more_is_in_doubt_than_its_pose_and_face_stays_in_doubt() -> None:
    told = Survey((in_doubt(HERE, Guess(12, 0.9)),))
    assert with_another_look(told, seen_again(read(12, HERE)), ()).dice == told.dice


@pytest.mark.parametrize(
    ("doubt", "unclear"),
    [
        ({"face": 0.4}, True),
        ({"fits": 0.1, "support": 0.1, "outlined": False}, True),
        ({"face": 0.4, "up": 0.8}, False),  # under another lens than is supposed it would be read wrongly
        ({"illegible": True}, False),  # a mirrored d20, or letters that nobody taught
        ({"face": 0.4, "flat": 0.6}, False),
        ({"face": 0.4, "leans": 0.9}, False),
        ({"part": True}, False),
        ({"thing": True}, False),
        ({"cut_off": True}, False),
        ({"in_ranks": True}, False),
        ({"washed_out": True}, False),
        ({"glared": True}, False),
        ({"whole_tray": True}, False),
        ({"brighter": 0.3, "aside": True}, False),
    ],
)
def test_only_its_pose_and_its_face_may_be_unclear(doubt: dict[str, Any], *, unclear: bool) -> None:
    evidence = replace(Evidence(DieKind.CHALLENGE, 0.99), **doubt)
    assert not evidence.sure()
    assert evidence.only_unclear() is unclear


def test_a_die_that_was_not_seen_before_is_asked_about_in_its_order_from_the_left() -> None:
    first, last = replace(HERE, x=20), replace(HERE, x=580)
    told = Survey((in_doubt(first), in_doubt(last)), maybe_print=frozenset({1}))
    missed = read(Symbol.EFFECT, THERE, DieKind.CHALLENGE)
    seen = with_another_look(told, seen_again(missed), {0})
    assert [die.box for die in seen.dice] == [first, THERE, last]
    assert (seen.dice[1].state, seen.dice[1].face) == (DieState.DOUBTFUL, None)
    assert seen.dice[1].guesses[0].face is Symbol.EFFECT
    assert seen.maybe_print == {2}
    assert with_another_look(seen, seen_again(missed), {1}).dice[1].state is DieState.READ  # it stands there in doubt


def test_the_setup_of_a_table_turns_with_its_pictures() -> None:
    empty = EmptyTray(np.arange(12, dtype=np.uint8).reshape(3, 4))
    calibration = Calibration(4, 3, (0.3, -0.1, -0.9), MadeBy.CARD, corners=((0, 0), (3, 0), (3, 2), (0, 2)))
    setup = TableSetup(calibration, empty)
    over = setup.turned()
    corners = ((4, 3), (1, 3), (1, 1), (4, 1))
    assert over.calibration == replace(calibration, up=(-0.3, 0.1, -0.9), corners=corners)
    assert over.empty is not None
    assert (over.empty.grey == turned(empty.grey)).all()
    again = over.turned()
    assert again.calibration == calibration
    assert again.empty is not None
    assert (again.empty.grey == empty.grey).all()


def test_a_path_traced_d6_of_which_only_the_face_is_unclear_is_read_upside_down() -> None:
    picture, reader = load_picture(TRAYS / "592010.jpg").pixels, load_reader()
    seen = reader.look_at_its_size(picture)
    told = reader.survey(picture)
    won = [
        (one.face, one.box)
        for one, before in zip(told.dice, seen.readings, strict=True)
        if one.state is DieState.READ and before.state is DieState.DOUBTFUL
    ]
    ((face, box),) = won
    assert face == 5  # as the index of these trays says
    assert box in told.silhouettes
    assert {one for one in seen.readings if one.state is DieState.READ} <= set(told.dice)
    assert reader.settled_upside_down(picture, seen)[0].face == face  # which `--explain` shows


def test_a_picture_that_may_be_mirrored_is_not_turned_for_its_d20s() -> None:
    mirrored = np.ascontiguousarray(scene(61, (DieKind.D20,) * 3).picture[:, ::-1])
    reader = load_reader()
    seen = reader.look_at_its_size(mirrored)
    assert sum(one.reading.state is DieState.DOUBTFUL for one in seen.found) > 1
    assert reader.upside_down(mirrored, seen) is None


def test_where_nothing_is_unclear_no_picture_is_turned(evaluations: list[int]) -> None:
    tray = scene(3, (DieKind.D20,) * 3)
    reader = load_reader()
    reader.look_at_its_size(tray.picture)
    once = sum(evaluations)
    told = reader.survey(tray.picture)
    assert all(die.state is DieState.READ for die in told.dice)
    assert sum(evaluations) == 2 * once
