"""A picture walks forward through the reader: what it has left, it enters no more."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import PurePath
from types import FrameType

import numpy as np
import pytest

import vision
from rules.dice import DieKind, DieState
from tests.bench.own_dice import taught
from tests.bench.own_scenes import owned, throw
from vision.read import reader as the_reader
from vision.read.reader import PictureReader, load_reader
from vision.table.setup import TableSetup
from vision.training.glyphs import Fonts
from vision.training.scenes import scene

pytestmark = pytest.mark.slow

ROOT = PurePath(str(vision.__file__)).parent

TOOLS = {"crops", "geometry", "networks", "face_memory"}
"""Modules that every step uses: no steps."""

AGAIN = {"table_normal"}
"""What may be entered once more: what is up is asked anew where something is rather print."""


def walked(look: Callable[[], object]) -> list[str]:
    """The modules that the reader enters, in order, each named once for as long as it is not left."""
    entered: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        caller = frame.f_back
        if event != "call" or caller is None or caller.f_code.co_filename != the_reader.__file__:
            return
        place, name = PurePath(frame.f_code.co_filename), frame.f_code.co_name
        step = place.is_relative_to(ROOT) and place != PurePath(str(the_reader.__file__)) and place.stem not in TOOLS
        whole = name[0] not in "_<" and not isinstance(getattr(type(frame.f_locals.get("self")), name, None), property)
        if step and whole and place.stem not in entered[-1:]:
            entered.append(place.stem)

    sys.setprofile(note)
    try:
        look()
    finally:
        sys.setprofile(None)
    return entered


def returns(entered: list[str]) -> list[str]:
    """The modules that were entered again after they had been left."""
    return [one for place, one in enumerate(entered) if one in entered[:place] and one not in AGAIN]


@pytest.fixture(scope="module")
def reader() -> PictureReader:
    return load_reader()


def test_a_picture_goes_back_to_nothing_that_it_has_left(reader: PictureReader) -> None:
    kinds = (DieKind.D20,) * 4 + (DieKind.CHALLENGE,) * 4 + (DieKind.D6, None)
    tray = scene(703, kinds, size=(1920, 1080), radius=(30.0, 130.0)).picture
    entered = walked(lambda: reader.look(tray))
    assert {"places", "closer", "search", "kinds", "flat", "doubt", "outline", "cut_off", "overlaps"} <= set(entered)
    assert returns(entered) == []
    assert any(one.reading.state is DieState.READ for one in reader.look(tray).found)


def test_neither_does_one_with_dice_that_were_taught(reader: PictureReader) -> None:
    rng = np.random.default_rng(970_000)
    dice = [owned("signs", rng, Fonts()), owned("challenge signs", rng, Fonts())]
    at_table = reader.untaught()
    own = taught(at_table, rng, dice, 2)
    at_table.table = TableSetup(dice=own)
    entered = walked(lambda: at_table.look(throw(rng, dice)[0]))
    assert "as_taught" in entered
    assert returns(entered) == []


def test_a_way_back_is_seen() -> None:
    assert returns(["posing", "closer", "doubt", "closer", "table_normal"]) == ["closer"]
    assert returns(["table_normal", "flat", "table_normal"]) == []
