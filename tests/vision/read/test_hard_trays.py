"""Path-traced trays that are hard on purpose: their tables, how dice are laid, what is true of them, and the marks."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from rules.dice import DieKind
from tests.bench.ray_traced.emblems import EMBLEMS
from tests.bench.ray_traced.looks import (
    FRAMES,
    INKS,
    LAMPS,
    LAYOUTS,
    MATERIALS,
    SENSORS,
    SORTS,
    TABLES,
    Ink,
    Layout,
    Mask,
    Part,
    Row,
    Sensor,
    family,
    finished,
    fonts_of,
    planned,
)
from tests.bench.ray_traced.numbering import Numbering, numbered
from tests.bench.ray_traced.placing import between, laid
from tests.bench.ray_traced.sensors import sensed
from tests.bench.ray_traced.truth import CONTRAST, MOST_HIDDEN, Shown, legible, shown, touching, washed_out
from tests.bench.vision_ray_traced import Traced, groups, marks, matched
from vision.ports import Pixels
from vision.pose.geometry import cube, icosahedron

ROWS: dict[str, tuple[Row, ...]] = {
    "materials": MATERIALS,
    "inks": INKS,
    "lamps": LAMPS,
    "tables": TABLES,
    "layouts": LAYOUTS,
    "sensors": SENSORS,
    "frames": FRAMES,
}


@pytest.mark.parametrize("axis", ROWS)
def test_sorts_name_rows_that_are_there(axis: str) -> None:
    names = {row.name for row in ROWS[axis]}
    assert len(names) == len(ROWS[axis])
    for sort in SORTS:
        assert set(getattr(sort, axis)) <= names


@pytest.mark.parametrize("part", Part)
def test_a_plan_holds_rows_of_its_part_and_of_its_sort(part: Part) -> None:
    for seed in range(60):
        sort = SORTS[seed % len(SORTS)]
        plan = planned(np.random.default_rng(seed), part, sort)
        for axis, row in (("lamps", plan.lamps), ("tables", plan.table), ("layouts", plan.layout)):
            held = {one.name for one in ROWS[axis] if part in one.parts}
            named = set(getattr(sort, axis)) & held
            assert row.name in (named or held)


@pytest.mark.parametrize("axis", ["materials", "lamps", "tables", "inks"])
def test_the_blind_part_has_rows_that_no_other_part_has(axis: str) -> None:
    assert any(row.parts == {Part.BLIND} for row in ROWS[axis])


def test_no_two_parts_share_a_sign_or_a_family_of_fonts() -> None:
    files = [Path(f"{name}-{cut}.ttf") for name in map("face{:03d}x".format, range(60)) for cut in ("Bold", "Regular")]
    parts = [fonts_of(part, files) for part in Part]
    assert sorted(file for part in parts for file in part) == sorted(files)
    for one, other in combinations(Part, 2):
        assert not set(EMBLEMS[one]) & set(EMBLEMS[other])
        assert not {family(file) for file in fonts_of(one, files)} & {family(file) for file in fonts_of(other, files)}


@pytest.mark.parametrize("ink", [one for one in INKS if one.apart is not None], ids=lambda one: one.name)
def test_ink_stands_as_far_off_the_body_as_its_row_says(ink: Ink) -> None:
    rng, (least, most) = np.random.default_rng(4), ink.apart or (0, 0)
    for material in MATERIALS:
        finish = finished(rng, material, ink)
        grey = abs(float((np.array(finish.body) - np.array(finish.filled)) @ [0.299, 0.587, 0.114])) * 255
        assert least <= round(grey, 6) <= most


@pytest.mark.parametrize("numbering", Numbering)
def test_a_d20_carries_each_number_once(numbering: Numbering) -> None:
    assert sorted(numbered(np.random.default_rng(3), numbering)) == list(range(1, 21))


def test_a_spin_down_d20_has_each_number_beside_the_next() -> None:
    values, solid = numbered(np.random.default_rng(0), Numbering.SPIN_DOWN), icosahedron()
    for number in range(1, 20):
        assert values.index(number + 1) in solid.neighbours[values.index(number)]


DICE = [(icosahedron(), 1.26), (cube(), 1.36)] * 4


@pytest.mark.parametrize("layout", [row for row in LAYOUTS if not row.falls], ids=lambda row: row.name)
def test_no_die_is_laid_into_another(layout: Layout) -> None:
    for seed in range(5):
        placed = [one for one in laid(np.random.default_rng(seed), DICE, (14.0, 8.0), layout) if one is not None]
        assert len(placed) > 4
        assert all(between(one.outline, other.outline) >= 0 for one, other in combinations(placed, 2))


def test_dice_that_are_to_touch_do() -> None:
    layout = next(row for row in LAYOUTS if row.name == "touching")
    placed = [one for one in laid(np.random.default_rng(1), DICE, (14.0, 8.0), layout) if one is not None]
    near = [min(between(one.outline, other.outline) for other in placed if other is not one) < 0.05 for one in placed]
    assert sum(near) >= len(placed) - 1


SQUARE = np.array([[20.0, 20], [120, 20], [120, 120], [20, 120]])
FACE = np.array([[28.0, 28], [112, 28], [112, 112], [28, 112]])


def bar(width: int = 60) -> Mask:
    mask = np.zeros((256, 256), np.uint8)
    mask[60:196, 128 - width // 2 : 128 + width // 2] = 255
    return mask


def drawn(ink: tuple[int, int, int], body: tuple[int, int, int] = (90, 90, 90), rows: int = 256) -> Pixels:
    picture = np.full((140, 140, 3), body, np.uint8)
    small = cv2.resize(np.where(np.arange(256)[:, None] < rows, bar(), 0).astype(np.uint8), (100, 100))
    picture[20:120, 20:120][small > 127] = ink
    return picture


def test_contrast_is_how_far_ink_is_off_the_body_beside_it() -> None:
    told = shown(drawn((150, 150, 150)), bar(), SQUARE, FACE)
    assert told is not None
    assert told.contrast == pytest.approx(60, abs=2)
    assert told.share > 0.95
    assert told.sign == pytest.approx(53, abs=2)


def test_ink_of_another_colour_but_the_same_grey_shows() -> None:
    told = shown(drawn((90, 60, 149)), bar(), SQUARE, FACE)
    assert told is not None
    assert told.contrast > 50


def test_half_of_a_sign_missing_is_half_shown() -> None:
    told = shown(drawn((190, 190, 190), rows=140), bar(), SQUARE, FACE)
    assert told is not None
    assert 0.45 < told.share < 0.72


def test_a_sign_without_ink_is_told_by_light_and_shade() -> None:
    picture = drawn((90, 90, 90))
    nothing = shown(picture, bar(), SQUARE, FACE, engraved=True)
    picture[46:96, 56:60], picture[46:96, 80:84] = 40, 140
    told = shown(picture, bar(), SQUARE, FACE, engraved=True)
    assert nothing is not None
    assert told is not None
    assert not legible(nothing, radius=30, hidden=0.0, washed=0.0, logo=False)
    assert legible(told, radius=30, hidden=0.0, washed=0.0, logo=False)


def test_glare_over_a_face_takes_no_contrast_from_it() -> None:
    picture = drawn((20, 20, 20)).astype(np.int16)
    picture += np.linspace(0, 120, 140, dtype=np.int16)[:, None, None]
    told = shown(np.clip(picture, 0, 255).astype(np.uint8), bar(), SQUARE, FACE)
    assert told is not None
    assert told.contrast == pytest.approx(70, abs=8)
    assert legible(told, radius=30, hidden=0.0, washed=0.0, logo=False)


def test_ink_on_a_body_of_blotches_as_far_apart_is_not_legible() -> None:
    picture = drawn((170, 170, 170))
    blotches = cv2.resize(np.random.default_rng(5).integers(0, 2, (20, 20), np.uint8), (140, 140), interpolation=0)
    picture[blotches > 0] = 170
    told = shown(picture, bar(), SQUARE, FACE)
    assert told is not None
    assert not legible(told, radius=30, hidden=0.0, washed=0.0, logo=False)


def test_a_blank_face_has_no_sign_and_is_legible() -> None:
    assert shown(drawn((1, 1, 1)), np.zeros((256, 256), np.uint8), SQUARE, FACE) is None
    assert legible(None, radius=30, hidden=0, washed=0.0, logo=False)


def test_a_blank_face_in_glare_is_not_legible() -> None:
    picture = drawn((255, 255, 255), body=(252, 255, 251))
    washed = washed_out(picture, FACE)
    assert washed == 1.0
    assert washed_out(drawn((90, 90, 90)), FACE) == 0.0
    assert not legible(None, radius=30, hidden=0.0, washed=washed, logo=False)


PLAIN = Shown(contrast=120, uneven=10, share=0.9, sign=20)


@pytest.mark.parametrize(
    ("sign", "radius", "hidden", "logo"),
    [
        (replace(PLAIN, contrast=CONTRAST - 1), 30, 0.0, False),
        (replace(PLAIN, share=0.3), 30, 0.0, False),
        (replace(PLAIN, uneven=100), 30, 0.0, False),
        (replace(PLAIN, sign=5.0), 30, 0.0, False),
        (PLAIN, 8, 0.0, False),
        (PLAIN, 30, MOST_HIDDEN + 0.1, False),
        (PLAIN, 30, 0.0, True),
    ],
)
def test_what_is_faint_worn_blotched_small_hidden_or_a_logo_is_not_legible(
    sign: Shown, radius: float, hidden: float, *, logo: bool
) -> None:
    assert legible(PLAIN, radius=30, hidden=0.0, washed=0.0, logo=False)
    assert not legible(sign, radius=radius, hidden=hidden, washed=0.0, logo=logo)


def test_outlines_touch_when_they_nearly_meet() -> None:
    square = np.array([[0.0, 0], [40, 0], [40, 40], [0, 40]])
    assert touching(square, square + np.array([41, 0]), 28.0)
    assert not touching(square, square + np.array([50, 0]), 28.0)


@pytest.mark.parametrize("sensor", SENSORS, ids=lambda row: row.name)
def test_each_camera_gives_a_picture_of_its_size(sensor: Sensor) -> None:
    light = np.full((90, 160, 3), 0.4, np.float32)
    light[30:60, 60:90] = 0.05
    picture = sensed(light, np.random.default_rng(2), sensor, (320, 180))
    assert picture.shape == (180, 320, 3)
    assert picture.dtype == np.uint8
    assert picture[80:100, 130:170].mean() + 40 < picture[10:40, 10:100].mean()


def row(**changes: object) -> dict[str, Any]:
    told = {"kind": "d20", "value": 4, "flat": True, "legible": True, "lean": 0.0, "radius": 30.0, "askew": 5.0}
    return {**told, "sort": "metal", "touching": False, **changes}


def test_the_marks_count_legible_dice_by_kind_and_those_nobody_asks_about() -> None:
    dice = [
        Traced("a", row(), None),
        Traced("a", row(legible=False), None),
        Traced("a", row(kind="d8", value=None), None),
    ]
    dice += [Traced("a", row(flat=False, lean=30.0), None)]
    lines = "\n".join(marks(dice))
    assert f"| {DieKind.D20} | 1 | 0.0% (0.0% to 79.3%) | 0: - | 100.0% (20.7% to 100.0%) |" in lines
    assert f"| {DieKind.D6} | 0 | - | 0: - | - |" in lines
    assert "Cocked dice called read: 0 of 1" in lines
    assert "Flat dice that are not legible: 1, called read 0, wrongly 0" in lines


def test_the_marks_are_told_apart_by_what_the_index_says() -> None:
    lines = "\n".join(groups([Traced("a", row(), None), Traced("a", row(sort="heap", radius=95.0), None)]))
    assert "| sort |" in lines
    assert "| metal | 1 |" in lines
    assert "| 25 to 40 | 1 |" in lines
    assert "| 90 and more | 1 |" in lines
    assert "| material |" not in lines


def test_what_was_found_is_the_nearest_die_and_of_two_heaped_ones_the_upper() -> None:
    beside, under, over = row(), row(hidden=0.9), row(hidden=0.1)
    middles = [(0.0, 0.0), (60.0, 0.0), (66.0, 0.0)]
    assert matched([beside, under, over], middles, [(61.0, 0.0), (4.0, 0.0)]) == [1, None, 0]
    assert matched([beside, under, over], middles, [(500.0, 0.0)]) == [None, None, None]
