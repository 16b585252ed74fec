"""Pictures of icon fonts: which glyphs teach, and how they come onto a die."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.dice import Symbol
from tests.bench.ray_traced.emblems import EMBLEMS
from tests.bench.ray_traced.looks import Part
from vision.training import emblems, icons
from vision.training.cube_samples import any_cube, label_of
from vision.training.drawing import EDGE
from vision.training.emblems import emblem
from vision.training.glyphs import TEXTURE_PIXELS, Fonts, Hand, Mask
from vision.training.icons import icon, icons_in, is_picture

SHEET = """
@font-face { src: url("../fonts/tools.woff?v=1"); }
.ic-wrench:before, .ic-spanner:before {
  content: "\\f001";
}
.ic-flash:before { content: "\\f002"; }
.ic-hammer::before { content: '\\F003'; }
.ic-mallet:before { content: "\\f004"; }
.ic-nothing:before { content: "\\f005"; }
.ic-hairs:before { content: "\\f006"; }
"""


def shape(corners: int) -> Mask:
    """A filled shape, cut tightly."""
    turns = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    outline = np.column_stack([40 + 39 * np.cos(turns), 30 + 29 * np.sin(turns)])
    mask = np.asarray(cv2.fillPoly(np.zeros((60, 80), np.uint8), [outline.astype(np.int32)], 255), np.uint8)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def hairs() -> Mask:
    """Fine lines, of which a die's size leaves grey."""
    mask = np.zeros((60, 80), np.uint8)
    mask[::4] = 255
    return mask


GLYPHS = {"\uf001": shape(3), "\uf003": shape(5), "\uf004": shape(5), "\uf006": hairs()}


def drawn(_file: Path, text: str) -> Mask | None:
    """The glyphs of no real font; it has a box for what it lacks."""
    if text == "\uf005":
        return None
    return GLYPHS.get(text, shape(4) if text == "\U0010fffd" else shape(7))


def test_the_glyphs_that_a_style_sheet_names_are_taken_once_and_none_that_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tools.css").write_text(SHEET)
    (tmp_path / "tools.ttf").write_bytes(b"")
    monkeypatch.setattr(icons, "_glyph", drawn)
    found = icons_in([tmp_path])
    assert [one.tobytes() for one in found] == [GLYPHS["\uf001"].tobytes(), GLYPHS["\uf003"].tobytes()]


def test_without_a_style_sheet_unicode_names_the_glyphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "signs.otf").write_bytes(b"")
    asked: list[str] = []

    def noted(_file: Path, text: str) -> Mask | None:
        asked.append(text)
        return shape(4)

    monkeypatch.setattr(icons, "_glyph", noted)
    assert icons_in([tmp_path]) == [], "all look like the box for what the font lacks"
    assert {"\u2620", "\U0001f409", "\u2665"} <= set(asked), "a skull, a dragon, a heart"
    assert not {"\u26a1", "\u2693", "\u2604", "\u271a", "\U0001f319", "\U0001f451", "\u231b", "\U0001f332"} & set(asked)


def test_no_glyph_named_like_a_sign_that_measures_may_teach() -> None:
    held_back = {*EMBLEMS[Part.CALIBRATE], *EMBLEMS[Part.BLIND]}
    assert len(held_back) == 8
    likes = {
        "flash",
        "lightning",
        "crescent",
        "night",
        "medkit",
        "plus",
        "tree",
        "eco",
        "queen",
        "timer-sand",
        "meteor",
    }
    for name in held_back | likes:
        for glyph in (f".mdi-{name}:before", f".fa-{name}-o:before", f".ic-alarm-{name}:before", name.upper()):
            assert not is_picture(glyph), glyph
    assert all(not is_picture(name) for name in ("CIRCLED LATIN LETTER A", ".fa-arrow-up:before", ".el-bold:before"))
    assert all(is_picture(name) for name in (".fa-bug:before", "SKULL AND CROSSBONES", ".mdi-castle:before", "DRAGON"))


def test_an_icon_lies_in_the_middle_as_large_as_asked() -> None:
    for glyph in (shape(3), np.ascontiguousarray(shape(5).T)):
        texture = icon(glyph, 0.35)
        assert texture.shape == (TEXTURE_PIXELS, TEXTURE_PIXELS)
        rows, columns = np.flatnonzero(texture.any(axis=1)), np.flatnonzero(texture.any(axis=0))
        assert abs(max(rows[-1] - rows[0], columns[-1] - columns[0]) + 1 - 0.7 * EDGE) < 4
        assert abs(columns[0] + columns[-1] - TEXTURE_PIXELS) < 5


def test_half_of_the_effects_are_icons_where_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emblems, "_FRAMED", 0.0)
    rng, picture = np.random.default_rng(3), np.full((80, 80), 255, np.uint8)
    hands = [Hand.chosen(rng, Fonts(), cube=True) for _ in range(200)]
    other = [not np.array_equal(emblem(hand), emblem(hand, [picture])) for hand in hands]
    full = [bool((emblem(hand, [picture]) > 0).sum() == (emblem(hand, [picture]) > 200).sum()) for hand in hands]
    assert 70 < sum(one and two for one, two in zip(other, full, strict=True)) < 130
    effect = label_of("challenge", Symbol.EFFECT)
    for _ in range(20):
        die, labels = any_cube(rng, Fonts(icons=[picture]), "challenge")
        one, two = (die.letters[face].texture for face, label in labels.items() if label == effect)
        assert np.array_equal(one, two)
