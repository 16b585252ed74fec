"""The bench that weighs the thresholds: its curve, its estimates, and what it keeps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.dice import DieKind, DieState
from tests.bench.vision_gathered import Setting, Sort, Told, fingerprint, gather
from tests.bench.vision_thresholds import DRAWS, Held, calibration, fitted, report, rows
from vision.read.evidence import Evidence
from vision.read.reader import PictureReader, Seen, load_reader

pytestmark = pytest.mark.slow


def dice(count: int, modesty: float, seed: int = 1) -> list[Told]:
    """Dice that are wrong as often as their confidence says, its log odds `modesty` times as large."""
    rng = np.random.default_rng(seed)
    told = []
    for number in range(count):
        odds = float(rng.uniform(0, 6))
        wrong = rng.random() < 1 / (1 + np.exp(modesty * odds))
        setting = list(Setting)[number // 5 % 3]
        evidence = Evidence(DieKind.D20, float(1 / (1 + np.exp(-odds))))
        guess = 5 if wrong else 7
        told.append(Told(Sort.D20S, number // 5, setting, DieKind.D20, 7, DieKind.D20, guess, DieState.READ, evidence))
    return told


@pytest.fixture
def drawn_seldom(monkeypatch: pytest.MonkeyPatch, *, whole: bool) -> None:
    """A fifth of the draws enclose what is true as well, only not by as much."""
    if not whole:
        monkeypatch.setattr("tests.bench.vision_thresholds.DRAWS", DRAWS // 5)


@pytest.mark.parametrize("modesty", [0.7, 1.0, 1.6])
def test_the_curve_is_found(modesty: float) -> None:
    curve = fitted(Held.of(dice(6000, modesty)))
    assert curve.slope == pytest.approx(modesty, abs=0.15)
    assert curve.shift == pytest.approx(0.0, abs=0.25)


def test_nothing_wrong_leaves_the_confidence_to_speak_for_itself() -> None:
    curve = fitted(Held.of([one for one in dice(300, 1.0) if one.right]))
    assert np.isfinite([curve.shift, curve.slope]).all()
    assert curve.wrong(np.array([0.0]))[0] < 0.5


@pytest.mark.usefixtures("drawn_seldom")
def test_the_estimates_enclose_what_is_true() -> None:
    held = Held.of(dice(12_000, 1.0))
    some = rows(held, (0.8, 0.95, 0.99))
    assert [row.called for row in some] == sorted((row.called for row in some), reverse=True)
    for row in some:
        true = 1000 * float(1 - held.confidence[held.called(row.threshold)].mean())
        assert row.expected == pytest.approx(true, rel=0.35)
        assert true < row.upper < row.expected * 2.5
        assert row.counted > true
        assert row.holds is (row.upper <= 1)


def test_a_reader_that_is_too_modest_is_off_by_that_and_not_after_the_curve() -> None:
    _, as_is, after = calibration(Held.of(dice(12_000, 2.0)))
    assert after < 0.015 < as_is


def test_another_readers_trays_are_told_apart_by_code_networks_and_fonts(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()

    def written(name: str, text: str = "") -> dict[Sort, str]:
        (tmp_path / name).write_text(text)
        return {sort: fingerprint((Path("A.ttf"),), sort, tmp_path) for sort in Sort}

    written("models/faces.onnx")
    written("models/cubes.onnx")
    first = written("reader.py")
    assert written("reader.py") == first
    assert fingerprint((Path("B.ttf"),), Sort.D20S, tmp_path) != first[Sort.D20S]
    code = written("reader.py", "threshold = 1")
    cubes = written("models/cubes.onnx", "other")
    every = written("models/faces.onnx", "other")
    assert [sort for sort in Sort if code[sort] == first[sort]] == []
    assert [sort for sort in Sort if cubes[sort] == code[sort]] == [Sort.D20S], "which no network of cubes reads"
    assert [sort for sort in Sort if every[sort] == cubes[sort]] == []


@pytest.mark.usefixtures("drawn_seldom")
def test_what_was_looked_at_is_kept_and_told(tmp_path: Path) -> None:
    file, trays = tmp_path / "gathered", {Sort.D20S: 2, Sort.CUBES: 1, Sort.STRANGE: 1}
    looked: list[int] = []

    class Counting(PictureReader):
        def look(self, picture: NDArray[np.uint8], scale: float = 1.0) -> Seen:
            looked.append(1)
            return super().look(picture, scale)

    reader = load_reader()
    counting = Counting(reader.networks)
    told = gather(counting, (), trays, file)
    assert len(looked) == sum(trays.values())
    assert gather(counting, (), trays, file) == told
    assert len(looked) == sum(trays.values())
    assert {one.sort for one in told} == set(Sort)
    assert sum(one.right for one in told) > 0.8 * sum(one.kind is not None for one in told)
    assert not any(one.right for one in told if one.sort is Sort.STRANGE)
    text = "\n".join(report(told))
    assert "| d20, plain | 13 |" in text
