"""Every file in the data folder, emptied and garbled: it costs itself, is told, and never prevents a start."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kiosk.commands.doctor import examine
from kiosk.compose import Kiosk, build
from kiosk.config import load_config
from kiosk.storage.kept_file import fault_of, read_kept
from kiosk.storage.kept_twice import open_kept_twice
from rules.dice import DieKind
from rules.words import Phrase
from tests.kiosk.desk import StillClock
from tests.kiosk.storage.test_journal import decision
from vision.pose.geometry import STRAIGHT_UP
from vision.table.calibration import Calibration, MadeBy
from vision.table.setup import TableSetup
from vision.taught.own_dice import OwnDie

DAMAGES = {
    "emptied": b"",
    "zeroed": bytes(4096),
    "noise": b"\xa5\x00\xff{" * 500,
    "nested": b"[" * 100_000,
    "other": b'{"a": [1, {}]}',
    "null": b"null",
}
MADE_AGAIN = frozenset({"checkpoint.json", "told.json", "kiosk.lock", "journal.lines"})
"""What is lost with these is made again by itself."""
JSON = ("access.json", "persons.json", "preferences.json", "hidden.json", "teaching.json", "bluetooth-dice.json")
CAMERAS = {
    "calibration.json": "The kept calibration is damaged.",
    "empty-tray.jpg": "The kept picture of the empty tray is damaged.",
    "own-dice.json": "The kept dice, own-dice.json in the data folder, are damaged.",
}
NO_FILES = (
    "The kept calibration, calibration.json in the data folder, is no file. Move it away.",
    "The kept picture of the empty tray, empty-tray.jpg in the data folder, is no file. Move it away.",
    "The kept dice, own-dice.json in the data folder, are no file. Move it away.",
)
FILES = (*JSON, *CAMERAS, "taught-dice.toml", "journal.sqlite3", *sorted(MADE_AGAIN))
HARMLESS = frozenset({("preferences.json", "other"), ("teaching.json", "other")})
"""What a file of another version may hold: nothing that this one knows."""


def started(data: Path) -> list[str]:
    """What a kiosk on that folder tells of its parts, once it was put together."""
    settings = {"server.port": 0, "camera.source": str(data.parent / "throws"), "tray.url": "off"}
    kiosk: Kiosk = build(load_config(None, settings), data, clock=StillClock())
    try:
        return [f"{one.what} {one.remedy}" for one in kiosk.services.sources.views() if one.state == "lost"]
    finally:
        kiosk.stop()


@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_all_files_at_once_prevent_no_start(tmp_path: Path, damage: str) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "throws").mkdir()
    (data / "cases").mkdir()
    for name in (*FILES, "cases/case.json"):
        (data / name).write_bytes(DAMAGES[damage])
    told = " ".join(started(data))
    for name in (one for one in JSON if (one, damage) not in HARMLESS):
        assert f"{name} was damaged; it is kept as {name.removesuffix('.json')}.damaged.json." in told, name
        assert (data / f"{name.removesuffix('.json')}.damaged.json").read_bytes() == DAMAGES[damage]
    for words in CAMERAS.values():
        assert words in told
    assert "taught-dice.toml" in told
    journal = "empty or gone" if damage == "emptied" else "damaged, and no second copy brought it back"
    assert f"The journal was {journal}" in told
    assert "the table begins empty." in told
    assert not [one for one in started(data) if ".damaged.json" in one], "it is told once"


@pytest.mark.parametrize("what", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(f"nowhere/{path.name}")])
def test_what_is_no_file_in_the_place_of_each_prevents_no_start(tmp_path: Path, what: Callable[[Path], None]) -> None:
    """A pipe that nobody writes into would be waited for."""
    data = tmp_path / "data"
    (data / "cases").mkdir(parents=True)
    (tmp_path / "throws").mkdir()
    for name in (*FILES, "cases/case.json"):
        what(data / name)
    told = " ".join(started(data))
    for name in JSON:
        assert f"{name} cannot be read: it is no file. Move it away" in told or f"{name} is a link to a file" in told
    for words in CAMERAS.values() if (data / "calibration.json").is_symlink() else NO_FILES:
        assert words in told
    assert "taught-dice.toml is no file" in told or "taught-dice.toml is a link to a file that is not there" in told
    assert os.path.lexists(data / "kiosk.damaged.lock")
    assert [one.what for one in examine(load_config(None, {"camera.source": "off"}), data) if one.part == "files"]


@pytest.mark.parametrize("name", ["journal.sqlite3", *sorted(MADE_AGAIN)])
def test_what_is_kept_twice_or_made_again_comes_back(tmp_path: Path, name: str) -> None:
    data = tmp_path / "data"
    (tmp_path / "throws").mkdir()
    for damage in (b"", DAMAGES["noise"]):
        path = data / "journal.sqlite3"
        journal = open_kept_twice(path, StillClock())
        if not journal.sequence:
            journal.append(decision(1))
        journal.close()
        (data / name).write_bytes(damage)
        told = started(data)
        journal = open_kept_twice(path, StillClock())
        assert list(journal.decisions()) == [decision(1)]
        journal.close()
        assert bool(told) == name.startswith("journal."), "one of the two files is told, and what is made again is not"


CALIBRATION = Calibration(640, 480, STRAIGHT_UP, MadeBy.LENS)
DIE = OwnDie("0011aabb", "Red", DieKind.D6)
IN_PLAY = (*JSON, "calibration.json", "own-dice.json")
"""What the running kiosk has in memory."""
TEN_SECONDS = 5
"""Looks of them, one every two seconds, after which a damage that is over is no trouble any more."""


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Kiosk]:
    (tmp_path / "throws").mkdir()
    settings = {"server.port": 0, "camera.source": str(tmp_path / "throws"), "tray.url": "off"}
    kiosk = build(load_config(None, settings), tmp_path / "data", clock=StillClock())
    kiosk.start()
    kiosk.services.engine.stop()  # whose thread looks by itself
    yield kiosk
    kiosk.stop()


def looked(kiosk: Kiosk) -> list[str]:
    """What is told of the files once they were looked at twice, as in four seconds."""
    kiosk.services.sources.forget("files")
    for _ in range(2):
        kiosk.services.engine._keep()  # noqa: SLF001 - what it does every two seconds
    return [one.what for one in kiosk.services.sources.views() if one.source == "files"]


def test_files_that_are_damaged_in_play_are_written_anew_from_memory(playing: Kiosk, tmp_path: Path) -> None:
    data, services = tmp_path / "data", playing.services
    person = services.access.persons.join("", "player", "Ada")
    services.tray.under_way.hold("tray:1:2")
    assert services.preferences is not None
    services.preferences.change(language="de")
    services.hidden.write_anew()
    services.bluetooth.write_anew()
    assert services.camera_desk.bench is not None
    services.camera_desk.bench._reader.table = TableSetup(CALIBRATION, dice=(DIE,))  # noqa: SLF001 - as measured and taught
    for write in services.camera_desk.bench.files().values():
        write()
    held = {name: (data / name).read_bytes() for name in IN_PLAY}
    for number, damage in enumerate((b"", b"\xa5\x00\xff{" * 500), 1):
        for name in IN_PLAY:
            (data / name).write_bytes(damage)
        services.engine._keep()  # noqa: SLF001 - as above
        assert all((data / name).read_bytes() == damage for name in IN_PLAY), "who writes them may not be done"
        [told] = looked(playing)
        for name in IN_PLAY:
            kept = f"{name.removesuffix('.json')}.damaged{'-2' * (number - 1)}.json"
            assert f"{name} was damaged while the kiosk ran." in told
            assert f"the damaged one is kept as {kept}." in told
            assert (data / kept).read_bytes() == damage
        assert {name: (data / name).read_bytes() for name in IN_PLAY} == held
        assert looked(playing) == [], "it is told once"
    assert services.access.persons.all == (person,)
    states: list[tuple[str, bool]] = []
    for _ in range(TEN_SECONDS):
        services.engine._keep()  # noqa: SLF001 - as above
    services.sources.forget("files")
    (data / "hidden.json").write_bytes(b"{")
    [words] = looked(playing)
    for _ in range(TEN_SECONDS):
        services.engine._keep()  # noqa: SLF001 - as above
        states += [(one.state, one.what == words) for one in services.sources.views() if one.source == "files"]
    assert set(states[:-1]) == {("lost", True)}
    assert states[-1] == ("ready", True), "it is whole"


def test_a_damaged_file_that_memory_lacks_is_left_to_who_mends_it(tmp_path: Path) -> None:
    """Own dice that could not be read at the start, mended by hand with a slip, and a calibration that nobody made."""
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "throws").mkdir()
    slips = {"own-dice.json": b'{"form": 1, "dice": [ many', "calibration.json": b"{", "access.json": b"{"}
    (data / "own-dice.json").write_bytes(slips["own-dice.json"])
    (data / "access.json").mkdir()
    settings = {"server.port": 0, "camera.source": str(tmp_path / "throws"), "tray.url": "off"}
    kiosk = build(load_config(None, settings), data, clock=StillClock())
    kiosk.start()
    kiosk.services.engine.stop()  # as above
    try:
        (data / "access.json").rmdir()
        for more in (b"", b"\n"):
            for name, slip in slips.items():
                (data / name).write_bytes(slip + more)
            assert looked(kiosk) == []
            assert {name: (data / name).read_bytes() for name in slips} == {n: slip + more for n, slip in slips.items()}
        assert not list(data.glob("*.damaged*.json"))
        kiosk.services.access.keep_again()
        looked(kiosk)
        (data / "access.json").write_bytes(b"{")
        assert looked(kiosk), "it was whole again"
    finally:
        kiosk.stop()


def test_what_a_person_changes_in_play_and_what_is_deleted_is_left(playing: Kiosk, tmp_path: Path) -> None:
    data = tmp_path / "data"
    change = dict.fromkeys(IN_PLAY, b"{}") | {
        "access.json": b'{"secret":"a","table_code":"b","gamemaster_code":"c"}',
        **dict.fromkeys(("persons.json", "hidden.json", "bluetooth-dice.json"), b"[]"),
    }
    for name, held in change.items():
        (data / name).write_bytes(held)
    (data / "taught-dice.toml").write_text("")
    assert looked(playing) == []
    assert {name: (data / name).read_bytes() for name in change} == change
    for name in change:
        (data / name).unlink()
    assert looked(playing) == []
    assert not [name for name in change if (data / name).exists()]
    (data / "access.json").mkdir()
    assert looked(playing) == []


def test_a_damaged_file_waits_for_a_disk_that_takes_it(
    playing: Kiosk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data" / "access.json"
    held = path.read_bytes()
    path.write_bytes(b"tea")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("kiosk.web.access.replace_file", full)
        assert looked(playing) == []
        assert not path.exists()
    assert [one.split(".")[0] for one in looked(playing)] == ["access"]
    assert path.read_bytes() == held


def test_who_only_looks_leaves_a_damaged_file_where_it_is(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "one.json"
    path.write_bytes(b"{")
    assert read_kept(path, dict[str, int]) is None
    assert "is damaged" in caplog.text
    assert path.read_bytes() == b"{"
    told: list[Phrase] = []
    assert read_kept(path, dict[str, int], told.append) is None
    assert told == ["one.json was damaged; it is kept as one.damaged.json."]
    assert read_kept(path, dict[str, int], told.append) is None
    assert fault_of(path, dict[str, int]) is None
    path.mkdir()
    assert read_kept(path, dict[str, int], told.append) is None
    assert told[1:] == ["one.json cannot be read: it is no file. Move it away, then start the kiosk again."]
    assert fault_of(path, dict[str, int]) == told[1]
    path.rmdir()
    path.symlink_to("nowhere")
    assert read_kept(path, dict[str, int], told.append) is None
    assert told[2:] == ["one.json is a link to a file that is not there."]
    assert fault_of(path, dict[str, int]) == told[2]
    path.unlink()
    for held, words in (
        (b"", "is empty: what was in it is gone."),
        (b"{", "is damaged: what is in it cannot be read."),
    ):
        path.write_bytes(held)
        assert fault_of(path, dict[str, int]) == f"one.json {words}"
