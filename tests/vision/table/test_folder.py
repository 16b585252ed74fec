"""The files of a table's setup: what is in their place is told, and nothing is left half written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.table.folder import TableFolder
from vision.table.setup import TableSetup


def test_a_picture_that_cannot_be_kept_leaves_nothing_beside(tmp_path: Path) -> None:
    (tmp_path / "empty-tray.jpg").mkdir()
    with pytest.raises(IsADirectoryError):
        TableFolder(tmp_path).keep_empty(TableSetup(), np.zeros((9, 9, 3), np.uint8))
    assert [one.name for one in tmp_path.iterdir()] == ["empty-tray.jpg"]
