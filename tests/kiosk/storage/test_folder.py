"""The folder of the kiosk's files: whether its disk is there, and has room for one more decision."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from kiosk.storage import folder as folder_module
from kiosk.storage.folder import (
    LOCK_NAME,
    ROOM_OF_A_DECISION,
    HeldFolder,
    empty_place,
    has_room,
    held_at,
    missing_disk,
    no_disk,
    why_unwritten,
)
from kiosk.storage.paths import UNIT, service_folders


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
    assert empty_place(data, {tmp_path / "media": 2}) == tmp_path / "media" / "ada" / "stick"
    assert empty_place(data, {tmp_path / "media": 1}) == tmp_path / "media" / "ada"
    assert empty_place(data.parents[1], {tmp_path / "media": 2}) == tmp_path / "media" / "ada"
    assert empty_place(data, {tmp_path / "mnt": 1}) is None
    assert empty_place(Path("/proc/self"), {Path("/proc"): 1}) is None, "something is mounted there"


@pytest.mark.parametrize(
    ("mount", "missing"),
    [("/run", True), ("/run/media", False), ("/run/media/ada/stick", False), ("/run/media/ada/stick/trueroll", False)],
)
def test_only_a_disk_at_or_below_the_place_for_disks_is_one_there(
    monkeypatch: pytest.MonkeyPatch, mount: str, *, missing: bool
) -> None:
    monkeypatch.setattr("os.path.realpath", str)
    monkeypatch.setattr("os.path.ismount", lambda path: str(path) in {"/", mount})
    found = empty_place(Path("/run/media/ada/stick/trueroll"))
    assert found == (Path("/run/media/ada/stick") if missing else None)
    assert empty_place(Path("/mnt/disk/trueroll")) == Path("/mnt/disk")


def test_a_folder_that_may_be_chosen_without_a_disk_is_not_told_as_one_where_a_disk_belongs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(folder_module, "empty_place", lambda _: tmp_path)
    monkeypatch.setattr(folder_module, "missing_disk", lambda _: None)
    assert no_disk(tmp_path, is_new=False) is None
    told = no_disk(tmp_path, is_new=True)
    assert told is not None
    assert told[0].startswith(f"No disk is mounted at {tmp_path}, where disks are mounted.")
    assert told[1].endswith("If none does, all is well.")
    monkeypatch.setattr(folder_module, "missing_disk", lambda _: tmp_path)
    told = no_disk(tmp_path, is_new=False)
    assert told is not None
    assert "where one belongs" in told[0]


def test_the_folders_of_the_service_are_those_that_its_unit_says(tmp_path: Path) -> None:
    own, packaged = tmp_path / "etc", tmp_path / "usr"
    assert service_folders([own, packaged], tmp_path) == (tmp_path / "trueroll",), "the usual one"
    packaged.mkdir()
    (packaged / UNIT).write_text("[Service]\n# StateDirectory=no\nStateDirectory=one two:three\n")
    assert service_folders([own, packaged], tmp_path) == (tmp_path / "one", tmp_path / "two")
    (own / f"{UNIT}.d").mkdir(parents=True)
    (own / f"{UNIT}.d" / "own.conf").write_text("[Service]\nStateDirectory=four\n")
    assert service_folders([own, packaged], tmp_path) == tuple(tmp_path / one for one in ("one", "two", "four"))
    (own / f"{UNIT}.d" / "own.conf").write_text("[Service]\nStateDirectory=\nStateDirectory = four\n")
    assert service_folders([own, packaged], tmp_path) == (tmp_path / "four",)
    (own / UNIT).mkdir()
    (own / f"{UNIT}.d" / "own.conf").write_bytes(b"\xff\n")
    assert service_folders([own, packaged], tmp_path) == (tmp_path / "trueroll",), "it cannot be read"


def test_the_unit_that_is_installed_names_the_usual_folder(tmp_path: Path) -> None:
    units = Path(__file__).parents[3] / "hardware" / "os"
    assert service_folders([units], tmp_path) == service_folders([tmp_path], tmp_path)


@pytest.mark.parametrize(
    ("flags", "free", "why"),
    [(os.ST_RDONLY, 0, errno.EROFS), (0, ROOM_OF_A_DECISION - 1, errno.ENOSPC), (0, 1 << 30, errno.EIO)],
)
def test_a_disk_that_took_nothing_is_asked_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: int, free: int, why: int
) -> None:
    disk = SimpleNamespace(f_flag=flags, f_blocks=1 << 31, f_bfree=free, f_bavail=free, f_frsize=1)
    monkeypatch.setattr(os, "statvfs", lambda _: disk)
    assert why_unwritten(tmp_path).errno == why


@pytest.mark.parametrize(
    ("tried", "why"), [(errno.EDQUOT, errno.EDQUOT), (errno.EROFS, errno.EROFS), (errno.EOPNOTSUPP, errno.EIO)]
)
def test_a_quota_is_told_by_a_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tried: int, why: int) -> None:
    def refusing(*_: object) -> None:
        raise OSError(tried, os.strerror(tried))

    monkeypatch.setattr(os, "posix_fallocate", refusing)
    assert why_unwritten(tmp_path).errno == why
    assert list(tmp_path.iterdir()) == []


def test_an_address_that_a_full_disk_did_not_take_is_nobodys_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Once the log said that somebody had garbled it when room came."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with HeldFolder(tmp_path) as held:
        with monkeypatch.context() as patched:
            patched.setattr(os, "pwrite", full)
            held.announce("http://127.0.0.1:8080/")
        held.look()
        assert not caplog.text
        assert held_at(tmp_path / LOCK_NAME) == "http://127.0.0.1:8080/"
        (tmp_path / LOCK_NAME).write_bytes(b"")
        held.look()
        assert "was emptied or garbled" in caplog.text
