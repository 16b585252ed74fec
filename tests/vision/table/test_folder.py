"""The files of a table's setup: what is in their place is told, and nothing is left half written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rules.dice import DieKind
from vision.errors import VisionError
from vision.pose.geometry import STRAIGHT_UP
from vision.table.calibration import Calibration, MadeBy
from vision.table.folder import TableFolder
from vision.table.setup import TableSetup
from vision.table.view import Outlook
from vision.taught.own_dice import OwnDie


def test_a_picture_that_cannot_be_kept_leaves_nothing_beside(tmp_path: Path) -> None:
    (tmp_path / "empty-tray.jpg").mkdir()
    with pytest.raises(IsADirectoryError):
        TableFolder(tmp_path).keep_empty(TableSetup(), np.zeros((9, 9, 3), np.uint8))
    assert [one.name for one in tmp_path.iterdir()] == ["empty-tray.jpg"]


def test_what_could_not_be_read_is_kept_when_its_part_is_kept_anew(tmp_path: Path) -> None:
    """It is in no memory: taught dice would be lost with the first that is taught again."""
    folder, setup = TableFolder(tmp_path), TableSetup()
    names = ("calibration.json", "empty-tray.jpg", "own-dice.json")
    for number in range(2):
        for name, load in zip(names, (folder.calibration, folder.empty, folder.dice), strict=True):
            (tmp_path / name).write_bytes(b"{ %d" % number)
            with pytest.raises(VisionError):
                load()
        for _ in range(2):
            folder.keep_calibration(setup, Calibration(640, 480, STRAIGHT_UP, MadeBy.LENS) if number else None)
            folder.keep_empty(setup, None)
            folder.keep_dice(setup, (OwnDie("0011aabb", "Red", DieKind.D6),))
    kept = [f"{Path(one).stem}.damaged{more}{Path(one).suffix}" for more in ("", "-2") for one in names]
    assert [(tmp_path / one).read_bytes() for one in kept] == [b"{ 0"] * 3 + [b"{ 1"] * 3
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted([*kept, "calibration.json", "own-dice.json"])
    assert len(folder.dice()) == 1


def test_what_the_camera_saw_belongs_to_one_calibration(tmp_path: Path) -> None:
    """Another one with the same numbers was made of another picture; a damaged view is seen anew."""
    folder, made = TableFolder(tmp_path), Calibration(640, 480, STRAIGHT_UP, MadeBy.HAND)
    contrast = np.random.default_rng(1).normal(0, 12, (180, 320)).astype(np.float32)
    known = np.random.default_rng(2).random((180, 320)) < 0.9
    setup = folder.keep_calibration(TableSetup(), made)
    folder.keep_view(Outlook(contrast, known, lasting=True), made)
    seen = folder.view(Calibration(640, 480, STRAIGHT_UP, MadeBy.HAND))
    assert seen is not None
    assert (seen.lasting, seen.known.tolist()) == (True, known.tolist())
    assert np.abs(seen.contrast - np.clip(contrast, -42, 42))[known].max() < 0.5
    assert folder.view(Calibration(640, 480, STRAIGHT_UP, MadeBy.CARD)) is None
    folder.keep_calibration(setup, made)
    assert folder.view(made) is not None, "the same calibration, written again"
    folder.keep_calibration(setup, Calibration(640, 480, STRAIGHT_UP, MadeBy.HAND))
    assert folder.view(made) is None
    for damage in (b"", b"{", b"null", b'{"form": 1}', b"\xff", b"[" * 100_000, b'{"form": 1, "calibration": 1}'):
        (tmp_path / "calibration-view.json").write_bytes(damage)
        assert folder.view(made) is None


@pytest.mark.parametrize("shape", [(1, 1), (100, 60), (320, 180), (181, 320)])
def test_a_view_of_another_size_is_damaged_and_no_loss(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, shape: tuple[int, int]
) -> None:
    folder, made = TableFolder(tmp_path), Calibration(640, 480, STRAIGHT_UP, MadeBy.HAND)
    folder.keep_view(Outlook(np.ones(shape, np.float32), np.ones(shape, np.bool_)), made)
    assert folder.view(made) is None
    assert "is damaged" in caplog.text
