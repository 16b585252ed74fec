"""The folder of the kiosk's files: whether its disk is there, and has room for one more decision."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from kiosk.storage.folder import ROOM_OF_A_DECISION, empty_place, has_room, missing_disk


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


def place(number: int, root: str, folder: Path) -> str:
    """A line of /proc/self/mountinfo."""
    told = str(folder).replace(" ", "\\040")
    return f"{number} 20 8:1 {root} {told} rw,relatime shared:1 - ext4 /dev/sda1 rw\n"


@pytest.mark.parametrize(
    ("there", "missing"),
    [("/", False), ("/another", False), ("", True), ("itself", True)],
    ids=["a disk", "a folder of another disk", "nothing", "the service's own folder on itself"],
)
def test_a_disk_that_is_not_mounted_where_it_belongs_is_missed(tmp_path: Path, there: str, *, missing: bool) -> None:
    disk = tmp_path / "a disk"
    data = disk / "trueroll"
    data.mkdir(parents=True)
    fstab, mounted = tmp_path / "fstab", tmp_path / "mountinfo"
    told = str(disk).replace(" ", "\\040")
    fstab.write_text(f"# {tmp_path} is none\n\nUUID=1 / ext4 defaults 0 1\nLABEL=data {told} ext4 nofail 0 2\n")
    lines = place(1, "/", Path("/"))
    if there:
        lines += place(2, there if there != "itself" else told, disk)
    mounted.write_text(lines)
    assert missing_disk(data, fstab=fstab, mounted=mounted) == (disk if missing else None)
    assert missing_disk(tmp_path / "elsewhere", fstab=fstab, mounted=mounted) is None
    assert missing_disk(data, fstab=tmp_path / "none", mounted=mounted) is None


def test_an_empty_place_for_disks_is_told_apart_from_a_disk(tmp_path: Path) -> None:
    data = tmp_path / "media" / "ada" / "stick" / "trueroll"
    assert empty_place(data, (tmp_path / "media",)) == tmp_path / "media" / "ada"
    assert empty_place(data, (tmp_path / "mnt",)) is None
    assert empty_place(Path("/proc/self"), (Path("/proc"),)) is None, "something is mounted there"
