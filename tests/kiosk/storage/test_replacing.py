"""A file that is replaced is the old one or the new one, and its owner's alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from kiosk.storage.replacing import replace_file
from vision.table.folder import keep


def test_a_file_is_replaced_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    for content in (b"one", b"two"):
        replace_file(path, content)
        assert path.read_bytes() == content
        assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["kept.json"]


def test_a_file_that_others_may_read_is_replaced_by_one(tmp_path: Path) -> None:
    path = tmp_path / "kept.toml"
    replace_file(path, b"one", 0o644)
    assert path.stat().st_mode & 0o777 == 0o644


def test_what_lies_in_the_way_is_not_written_through(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("theirs")
    (tmp_path / "kept.json.new").symlink_to(other)
    replace_file(tmp_path / "kept.json", b"ours")
    assert other.read_text() == "theirs"


def test_a_disk_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.json"
    replace_file(path, b"old")

    def failing(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(OSError, match="No space"):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["kept.json"]


def test_the_disk_has_the_file_before_its_new_name_and_the_name_before_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    synced, renamed = os.fsync, Path.replace

    def sync(descriptor: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        synced(descriptor)

    def rename(beside: Path, path: Path) -> Path:
        done.append("name")
        return renamed(beside, path)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", rename)
    for replaced in (replace_file, keep):
        replaced(tmp_path / "kept.json", b"new")
        assert done == ["file", "name", "folder"]
        done.clear()
