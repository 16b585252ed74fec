"""Teaching over a restart: the die under way goes on, and what was laid down for it never counts."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from firmware_bridge.messages import StateCode
from firmware_bridge.supervisor import TraySupervisor
from firmware_bridge.taught import TaughtDie
from firmware_bridge.taught_file import TaughtFile
from firmware_bridge.teaching import Teaching, TrayPlace
from kiosk.devices.teaching_file import TeachingFile
from kiosk.devices.tray_desk import FORGOTTEN_AFTER, TrayChange, TrayDesk
from rules.dice import DieKind, Face, SourceState
from rules.words import Phrase
from tests.firmware_bridge.listening import Listener, MemoryTray

PATIENCE = 30.0


class OnePlace:
    """A tray with a tag on it."""

    obstacle = tagless = ""
    untold = Phrase("It does not tell.")
    firmware = None

    def workshop(self) -> None:
        """It does not tell."""

    def test_lamps(self) -> bool:
        return False

    def __init__(self, tag: int) -> None:
        self.places = (TrayPlace(0, tag, sure=True, words=Phrase("something")),)


class Kiosk:
    """One run of the kiosk, as far as teaching goes, on a tray that outlasts it."""

    def __init__(self, memory: MemoryTray, data: Path) -> None:
        self.listener, self.now = Listener(), 0.0
        self.told: list[str] = []
        self.desk = TrayDesk(
            TaughtFile(data / "dice.toml"), clock=lambda: self.now, under_way=TeachingFile(data / "teaching.json")
        )
        self.desk.tell = lambda what, _: self.told.append(what)
        self.desk.load()
        self.desk.resume()
        self.tray = TraySupervisor(
            "memory",
            open_link=memory.open_link,
            taught=self.desk.file,
            hold_back=self.desk.teaching_now,
            held_roll=self.desk.under_way.held_roll,
            keep_held=self.desk.under_way.hold,
        )
        self.desk.use(self.tray)
        self.tray.start(self.listener.report, self.listener.tell)
        assert self.listener.wait_state(SourceState.READY, PATIENCE)

    @property
    def thrown(self) -> list[list[Face | None]]:
        return [[die.face for die in reading.dice] for reading in self.listener.readings if reading.dice]


def rests(memory: MemoryTray) -> bool:
    """Wait until what lies on the tray has been told and acknowledged."""
    return memory.wait(
        lambda tray: (
            bool(tray.dice) and all(die.state == StateCode.SETTLED for die in tray.dice) and not tray.unacknowledged
        ),
        PATIENCE,
    )


@pytest.mark.parametrize("end", ["restart first", "restart after"])
def test_what_was_laid_down_for_teaching_is_no_throw_after_a_restart(end: str, tmp_path: Path) -> None:
    memory = MemoryTray()
    kiosk = Kiosk(memory, tmp_path)
    kiosk.desk.do(TrayChange(action="begin", name="Red", kind=DieKind.D6))
    memory.throw((DieKind.D20, 17))
    assert rests(memory)
    if end == "restart after":
        kiosk.desk.do(TrayChange(action="stop"))
    kiosk.tray.stop()
    again = Kiosk(memory, tmp_path)
    try:
        assert again.desk.teaching_now() == (end == "restart first")
        if end == "restart first":
            assert again.told == ["Red is being taught. Dice on the tray count for nothing until it is done."]
            assert rests(memory)
            again.desk.do(TrayChange(action="stop"))
            assert again.told[1:] == ["No die is being taught any more; dice on the tray count again."]
        memory.command("settle 0 d20:5")  # the same roll still
        assert rests(memory)
        memory.throw((DieKind.D20, 4))
        assert again.listener.wait_faces(4, timeout=PATIENCE)
    finally:
        again.tray.stop()
    assert kiosk.thrown == []
    assert again.thrown == [[4]]


def test_a_die_laid_down_while_the_kiosk_was_away_is_no_throw_either(tmp_path: Path) -> None:
    memory = MemoryTray()
    kiosk = Kiosk(memory, tmp_path)
    kiosk.desk.do(TrayChange(action="begin", name="Red", kind=DieKind.D6))
    kiosk.tray.stop()
    memory.throw((DieKind.D20, 17))
    again = Kiosk(memory, tmp_path)
    try:
        assert rests(memory)
        again.now = FORGOTTEN_AFTER + 1
        assert not again.desk.teaching_now()
        memory.throw((DieKind.D20, 4))
        assert again.listener.wait_faces(4, timeout=PATIENCE)
    finally:
        again.tray.stop()
    assert again.thrown == [[4]]
    assert TeachingFile(tmp_path / "teaching.json").teaching is None, "what was given up does not come back"


def test_steps_that_were_taken_need_not_be_taken_again(tmp_path: Path) -> None:
    desk = TrayDesk(TaughtFile(), under_way=TeachingFile(tmp_path / "teaching.json"))
    desk.do(TrayChange(action="begin", name="Red", kind=DieKind.CHALLENGE))
    for tag in (5, 6, 7):
        desk.use(OnePlace(tag))
        desk.do(TrayChange(action="take"))
    desk.do(TrayChange(action="undo"))
    again = TrayDesk(TaughtFile(), under_way=TeachingFile(tmp_path / "teaching.json"))
    again.resume()
    view = again.view().teaching
    assert view is not None
    assert (view.name, view.kind, view.step) == ("Red", DieKind.CHALLENGE, 3)


def test_a_die_that_was_kept_just_before_the_power_went_is_not_taught_on(tmp_path: Path) -> None:
    under_way = TeachingFile(tmp_path / "teaching.json")
    under_way.keep(Teaching("Red", DieKind.D6, tags=(1, 2, 3, 4, 5)))
    dice = TaughtFile()
    dice.change(lambda taught: taught.with_die(TaughtDie("Red", DieKind.D6, (1, 2, 3, 4, 5, 6))))
    desk = TrayDesk(dice, under_way=TeachingFile(tmp_path / "teaching.json"))
    desk.resume()
    assert not desk.teaching_now()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\x00",
        b'{"teaching": {"name": "", "kind": "d6"}}',
        b'{"teaching": {"name": "Red", "kind": "d6", "tags": [1, 2, 3, 4, 5, 6]}}',
        b'{"teaching": {"name": "Red", "kind": "challenge", "side": "down"}}',
        b'{"teaching": 4}',
    ],
)
def test_a_file_that_makes_no_sense_is_no_teaching(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "teaching.json"
    path.write_bytes(content)
    desk = TrayDesk(TaughtFile(), under_way=TeachingFile(path))
    desk.resume()
    assert not desk.teaching_now()
    assert desk.do(TrayChange(action="begin", name="Blue")).teaching is not None
    kept = TeachingFile(path).teaching
    assert kept is not None
    assert kept.name == "Blue"


def test_a_disk_that_fails_costs_no_teaching_and_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "kiosk")
    one = TeachingFile(tmp_path / "nowhere" / "teaching.json")
    one.hold("tray:1:2:3")
    one.hold("tray:1:2:4")
    one.keep(Teaching("Red", DieKind.D6))
    assert one.held_roll == "tray:1:2:4"
    assert one.teaching == Teaching("Red", DieKind.D6)
    assert len(caplog.records) == 1
