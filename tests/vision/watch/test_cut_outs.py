"""A die by itself: cut out along its outline, upright however it lay, and only as long as its picture is kept."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import Box, DieKind, DieReading, DieState, SourceKind
from vision.frames.pictures import Picture
from vision.ports import Pixels, Silhouette, Survey
from vision.read.reader import PictureReader, load_reader
from vision.training.scenes import Scene, scene
from vision.watch import album as album_module
from vision.watch.album import Album, reading_name
from vision.watch.cut_outs import LARGEST, cut_out

pytestmark = pytest.mark.slow

KINDS = (DieKind.D20, DieKind.D20, DieKind.D20, DieKind.D20, DieKind.CHALLENGE, DieKind.D6)


@cache
def reader() -> PictureReader:
    return load_reader()


@cache
def tray() -> Scene:
    return scene(11, KINDS, size=(1280, 720), radius=(50, 60))


@cache
def seen(turns: int = 0) -> tuple[Pixels, Survey]:
    """The tray, turned by so many quarters, and what is seen there."""
    picture = np.ascontiguousarray(np.rot90(tray().picture, turns))
    return picture, reader().survey(picture)


def shown(data: bytes) -> NDArray[np.uint8]:
    made = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert made is not None
    return np.asarray(made, np.uint8)


def read_d20s(turns: int = 0) -> dict[object, NDArray[np.uint8]]:
    """Each d20 that is read, by its face, by itself."""
    picture, survey = seen(turns)
    return {
        die.face: shown(cut_out(picture, survey.silhouettes[die.box], str(die.face)))
        for die in survey.dice
        if die.kind is DieKind.D20 and die.state is DieState.READ and die.box is not None
    }


def test_every_die_whose_pose_is_known_has_an_outline_in_its_box() -> None:
    picture, survey = seen()
    assert len(survey.silhouettes) == len(survey.dice) == len(KINDS)
    for box, die in survey.silhouettes.items():
        points = np.array(die.outline)
        assert points.min() >= -1
        assert (points.max(axis=0) <= np.array(picture.shape[1::-1]) + 1).all()
        low, high = points.min(axis=0), points.max(axis=0)
        assert abs(low[0] - box.x) < 0.1 * box.width
        assert abs(high[1] - box.y - box.height) < 0.1 * box.height


def test_what_lies_beside_the_die_is_transparent_and_the_die_is_not() -> None:
    picture, survey = seen()
    for die in survey.silhouettes.values():
        made = shown(cut_out(picture, die, ""))
        side = made.shape[0]
        assert made.shape == (side, side, 4)
        assert side <= LARGEST
        assert {int(made[y, x, 3]) for y in (0, side - 1) for x in (0, side - 1)} == {0}
        assert made[side // 2, side // 2, 3] == 255
        share = float((made[..., 3] > 127).mean())
        assert 0.4 < share < 0.95, "most of the square is the die"


def test_of_the_table_nothing_is_seen_at_a_dies_round_corners() -> None:
    """The outline is a sharp hexagon, the die in it a bright one with round corners on a dark table."""
    turns = np.arange(6) * np.pi / 3
    corners = np.column_stack([150 + 90 * np.cos(turns), 150 + 90 * np.sin(turns)])
    picture = np.zeros((300, 300, 3), np.uint8)
    inner = (150 + (corners - 150) * 0.7).round().astype(np.int32)
    cv2.fillConvexPoly(picture, inner, (200, 220, 240))
    cv2.polylines(picture, [inner], isClosed=True, color=(200, 220, 240), thickness=46, lineType=cv2.LINE_AA)
    outline = tuple((float(x), float(y)) for x, y in corners)
    made = shown(cut_out(picture, Silhouette(outline=outline, face=outline), ""))
    dark = (made[..., :3].max(axis=2) < 100) & (made[..., 3] > 127)
    assert dark.sum() < 0.002 * made[..., 3].size
    assert (made[..., 3] > 127).mean() > 0.5, "the die is whole"


def test_a_d20_stands_upright_however_the_picture_is_turned() -> None:
    """Only the turn of the picture differs, and the numeral's top is found again."""
    before, after = read_d20s(), read_d20s(turns=1)
    both = before.keys() & after.keys()
    assert len(both) >= 3
    alike = [_alike(before[face], after[face]) for face in both]
    assert sum(one > 0.8 for one in alike) >= len(both) - 1, alike


def _alike(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """How alike the middles of two cut-outs are; 1 at most."""
    first, second = (cv2.resize(cv2.cvtColor(each[..., :3], cv2.COLOR_BGR2GRAY), (96, 96)) for each in (one, other))
    return float(cv2.matchTemplate(first, second[24:72, 24:72], cv2.TM_CCOEFF_NORMED).max())


def test_without_a_numeral_a_die_is_turned_as_little_as_sets_an_edge_upright() -> None:
    square = Silhouette(
        outline=((10.0, 12.0), (50.0, 8.0), (54.0, 48.0), (14.0, 52.0)),
        face=((10.0, 12.0), (50.0, 8.0), (54.0, 48.0), (14.0, 52.0)),
    )
    picture = np.zeros((64, 64, 3), np.uint8)
    made = shown(cut_out(picture, square, ""))
    rows, columns = np.nonzero(made[..., 3] > 127)
    width, height = np.ptp(columns) + 1, np.ptp(rows) + 1
    assert abs(float(len(rows)) / float(width * height) - 1) < 0.05, "its edges are level"


def test_the_album_cuts_out_what_it_keeps_and_forgets_it_with_its_picture() -> None:
    picture, survey = seen()
    album = Album(kept=1)
    first, second = survey.dice[:2]
    album.put("first", picture, first, survey.silhouettes[_box(first)])
    made = album.cut_out("first")
    assert made is not None
    assert album.has_cut_out("first")
    assert album.cut_out("first") is made, "it is made once"
    album.put("second", picture, second)
    assert (album.get("first"), album.cut_out("first")) == (None, None)
    assert album.get("second") is not None
    assert album.cut_out("second") is None, "nobody knows how it lies"
    assert [album.has_cut_out(key) for key in ("first", "second")] == [False, False]


def test_the_whole_picture_of_a_throw_marks_the_die_and_is_forgotten_with_it() -> None:
    """On a picture of one colour nothing but the ring is seen; it is made smaller than the camera gave it."""
    picture = np.full((1000, 2000, 3), 90, np.uint8)
    die = DieReading(DieKind.D20, 7, 1.0, DieState.READ, SourceKind.CAMERA, box=Box(1500, 200, 100, 80))
    album = Album(kept=1)
    album.put("first", picture, die)
    data = album.whole("first")
    assert data is not None
    whole = shown(data)
    assert whole.shape == (640, 1280, 3)
    rows, columns = np.nonzero(np.abs(whole.mean(axis=2) - 90) > 40)
    middle = ((rows.min() + rows.max()) / 2, (columns.min() + columns.max()) / 2)
    assert np.allclose(middle, (240 * 0.64, 1550 * 0.64), atol=2)
    assert np.ptp(columns) > 100 * 0.64, "the ring leaves the die in sight"
    album.put("second", picture, die)
    assert (album.whole("first"), album.whole("second") is not None) == (None, True)


def _box(die: DieReading) -> Box:
    assert die.box is not None
    return die.box


def test_a_die_in_the_corner_of_the_picture_is_cut_out_too() -> None:
    picture, survey = seen()
    die = survey.dice[0]
    box = _box(die)
    part = np.ascontiguousarray(picture[box.y :, box.x :])
    album = Album()
    cornered = replace(die, box=Box(0, 0, box.width, box.height))
    album.put("corner", part, cornered, survey.silhouettes[box].moved((box.x, box.y)))
    made = album.cut_out("corner")
    assert made is not None
    whole = cut_out(picture, survey.silhouettes[box], str(die.face) if die.kind is DieKind.D20 else "")
    assert _alike(shown(made), shown(whole)) > 0.9


def given(source: SourceKind) -> tuple[Album, tuple[DieReading, ...]]:
    """Two dice far apart in a bright picture, as `source` keeps them."""
    picture = Picture(np.full((1000, 1600, 3), 200, np.uint8), 1600, 1000)
    boxes = (Box(200, 300, 60, 50), Box(1200, 500, 60, 60))
    dice = [DieReading(DieKind.D20, 7, 1.0, DieState.READ, source, box=one) for one in boxes]
    album = Album()
    return album, album.kept_with("throw", picture, dice, {}, source)


def test_of_a_phones_picture_nothing_is_kept_further_than_a_die_from_the_dice() -> None:
    album, dice = given(SourceKind.PHONE)
    data = album.whole(dice[1].picture or "")
    assert data is not None
    whole = shown(data)
    assert whole.shape == (380, 1180, 3), "from a die beyond the first to a die beyond the last"
    assert whole[0:160, :170].mean() > 190, "the first die and what lies round it"
    assert whole[205:, 1005:1010].mean() > 190
    assert whole[:, 190:990].max() < 30, "nothing between the dice"
    assert whole[200:, :170].max() < 30
    rows, columns = np.nonzero(np.abs(whole.mean(axis=2) - 200)[205:375, 1005:1175] > 60)
    assert np.allclose((rows.mean() + 205, columns.mean() + 1005), (290, 1090), atol=2), "the die asked for is marked"
    assert dice[1].box == Box(1200, 500, 60, 60)
    assert len(shown(album.get(dice[0].picture or "") or b"")) == 80


def test_no_key_of_a_picture_tells_another(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [(die.picture or "").split("-") for die in given(SourceKind.TRAY)[1]]
    assert [(key[0], len(key[1]), key[-1]) for key in keys] == [("throw", 16, "0"), ("throw", 16, "1")]
    assert reading_name("boot-1").rpartition("-")[2] != reading_name("boot-2").rpartition("-")[2]
    before = reading_name("boot-1")
    monkeypatch.setattr(album_module, "_SECRET", bytes(32))
    assert reading_name("boot-1") != before, "it hangs on what only this start knows"
