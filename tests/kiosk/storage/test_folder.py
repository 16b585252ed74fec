"""The folder of the kiosk's files: whether its disk has room for one more decision."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from kiosk.storage.folder import ROOM_OF_A_DECISION, has_room


@pytest.mark.parametrize(
    ("blocks", "owners", "others", "owner", "room"),
    [
        (1000, ROOM_OF_A_DECISION - 1, ROOM_OF_A_DECISION - 1, True, False),
        (1000, ROOM_OF_A_DECISION, 0, True, True),
        (1000, ROOM_OF_A_DECISION, ROOM_OF_A_DECISION - 1, False, False),
        (1000, ROOM_OF_A_DECISION, ROOM_OF_A_DECISION, False, True),
        (0, 0, 0, True, True),
    ],
    ids=["a byte too few", "what is kept for the owner", "and not for others", "just enough", "it says nothing"],
)
def test_a_decision_has_room_where_the_disk_says_so(
    monkeypatch: pytest.MonkeyPatch, blocks: int, owners: int, others: int, *, owner: bool, room: bool
) -> None:
    disk = SimpleNamespace(f_blocks=blocks, f_bfree=owners, f_bavail=others, f_frsize=1)
    monkeypatch.setattr(os, "statvfs", lambda _: disk)
    monkeypatch.setattr(os, "geteuid", lambda: 0 if owner else 1000)
    assert has_room(Path("/any")) is room


def test_a_disk_that_cannot_be_asked_may_have_room(tmp_path: Path) -> None:
    assert has_room(tmp_path / "gone")
