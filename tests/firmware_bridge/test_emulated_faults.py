"""What can go wrong between the real firmware and the host: cable, noise, stall, hang, resets, restarts.

The outcome is always the same two things: no wrong die, ever; and each throw once, where the tray still knows it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.dice import SourceState, Symbol
from tests.firmware_bridge.emulated import EmulatedTray
from tests.firmware_bridge.tagged import CHALLENGE, D20, OTHER_D20, Chatter, Forgetful, Host, replug, throw_until

pytestmark = pytest.mark.slow

QUIET = 1.2
"""Seconds in which a reading that must not come would have come several times over."""


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[EmulatedTray]:
    """A board that opening the port does not reset, so that what it knows can be asked for."""
    with EmulatedTray(tmp_path / "tray", eeprom=tmp_path / "eeprom", dtr_reset=False) as made:
        yield made


@pytest.fixture
def host(tray: EmulatedTray) -> Iterator[Host]:
    with Host(tray.port) as made:
        made.ready()
        yield made


@pytest.mark.parametrize("after", [pytest.param(1, marks=pytest.mark.long), 33])
def test_the_cable_out_during_the_handshake(tray: EmulatedTray, after: int) -> None:
    tray.send(f"cut {after}")
    with Host(tray.port) as host:
        assert tray.wait(lambda: True)
        until = time.monotonic() + 30
        while Path(tray.port).is_symlink():
            assert time.monotonic() < until
            time.sleep(0.01)
        tray.send("join")
        host.ready()
        tray.throw({0: D20.uid(9)})
        host.reads(9)


@pytest.mark.parametrize("after", [20, pytest.param(47, marks=pytest.mark.long)])
def test_the_cable_out_during_a_frame(tray: EmulatedTray, host: Host, after: int) -> None:
    tray.send(f"cut {after}")
    tray.throw({0: D20.uid(16), 1: CHALLENGE.uid(Symbol.BLANK)})
    host.becomes(SourceState.LOST)
    tray.send("join")
    host.ready()
    host.reads(16, Symbol.BLANK)
    time.sleep(QUIET)
    assert len({reading.reading_id for reading in host.thrown}) == 1
    assert len(host.thrown) == 1, "the tray told it again, the host knew it"


def test_lost_acknowledgements_make_repeats_and_no_second_reading(tray: EmulatedTray) -> None:
    forgetful = Forgetful(acknowledgements=3)
    with Host(tray.port, opens=forgetful.open) as host:
        host.ready()
        tray.throw({0: D20.uid(16), 1: CHALLENGE.uid(1)})
        assert host.listener.wait(lambda: forgetful.left == 0, 30), "the tray did not repeat"
        host.reads(16, 1)
        time.sleep(QUIET)
        assert host.faces == [[16, 1]]


def test_the_cable_out_during_an_acknowledgement(tray: EmulatedTray, host: Host) -> None:
    tray.throw({0: D20.uid(16)})
    host.reads(16)
    tray.throw({1: OTHER_D20.uid(3)})
    host.reads(16, 3)
    tray.send("cut")  # its acknowledgements are on their way
    host.becomes(SourceState.LOST)
    tray.send("join")
    host.ready()
    time.sleep(QUIET)
    assert host.faces == [[16], [16, 3]]


def test_a_host_that_starts_again_hears_the_same_reading_under_the_same_name(tray: EmulatedTray) -> None:
    names = []
    with Host(tray.port) as first:
        first.ready()
        tray.throw({0: D20.uid(13)})
        names.append(first.reads(13).reading_id)
    with Host(tray.port) as second:
        names.append(second.reads(13).reading_id)
    assert names[0] == names[1], "so that the journal can know it again"


def test_a_reset_makes_no_throw_of_dice_that_lie_there(tray: EmulatedTray, host: Host) -> None:
    tray.throw({0: D20.uid(13)})
    host.reads(13)
    tray.send("reset power")
    time.sleep(QUIET)
    host.ready()
    assert len(host.thrown) == 1
    tray.clear(0)
    tray.throw({0: D20.uid(2)})
    host.reads(2)
    assert len(host.thrown) == 2


def test_a_stall_is_told_and_ends_by_itself(tray: EmulatedTray, host: Host) -> None:
    tray.send("stall 3")
    host.becomes(SourceState.LOST)
    host.ready()
    tray.throw({0: D20.uid(6)})
    host.reads(6)
    assert len(host.thrown) == 1


def test_a_firmware_that_hangs_is_restarted_by_its_watchdog(tray: EmulatedTray, host: Host) -> None:
    tray.throw({0: D20.uid(6)})
    first = host.reads(6).reading_id
    tray.send("hang")
    host.becomes(SourceState.LOST)
    assert tray.heard("watchdog")
    host.ready()
    tray.clear(0)
    tray.throw({0: D20.uid(7)})
    second = host.reads(7).reading_id
    assert first.split(":")[2] != second.split(":")[2], "it knows that it started anew"
    assert len(host.thrown) == 2


def test_plugging_out_and_in_again_and_again(tmp_path: Path) -> None:
    with EmulatedTray(tmp_path / "tray", eeprom=tmp_path / "eeprom") as tray, Host(tray.port) as host:
        replug(tray, host, times=3)


def test_one_byte_in_a_hundred_garbled_never_makes_a_wrong_die(tray: EmulatedTray) -> None:
    chatter = Chatter()
    with Host(tray.port, opens=chatter.open) as host:
        host.ready()
        tray.send("noise 1 7")
        thrown = throw_until(tray, host, lambda: chatter.frames >= 1000)
        tray.send("noise 0")
        host.ready()
    assert host.faces == thrown
