"""The tray's real firmware on the emulated board, the real pyserial, and the supervisor as the kiosk runs it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.check_rules import Rule, RuleVerdict
from firmware_bridge.checking import THROW, Check
from firmware_bridge.link import open_link
from firmware_bridge.taught import TaughtDice
from rules.dice import DieState, SourceState, Symbol
from tests.firmware_bridge.emulated import HIT, WARM_UP, EmulatedTray
from tests.firmware_bridge.tagged import CHALLENGE, D20, OTHER_D20, STRANGER, TAUGHT, THIRD_D20, Host

pytestmark = pytest.mark.slow

QUIET = 1.2
"""Seconds in which a reading that must not come would have come several times over."""


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[EmulatedTray]:
    with EmulatedTray(tmp_path / "tray", eeprom=tmp_path / "eeprom") as made:
        yield made


@pytest.fixture
def host(tray: EmulatedTray) -> Iterator[Host]:
    with Host(tray.port) as made:
        made.ready()
        yield made


def test_a_full_tray_is_one_reading_with_every_die(tray: EmulatedTray, host: Host) -> None:
    tray.throw({0: D20.uid(17), 1: OTHER_D20.uid(20), 2: THIRD_D20.uid(1), 3: CHALLENGE.uid(Symbol.EFFECT)})
    reading = host.reads(17, 20, 1, Symbol.EFFECT)
    assert [die.kind for die in reading.dice] == ["d20", "d20", "d20", "challenge"]
    assert {die.state for die in reading.dice} == {DieState.READ}
    assert len(host.thrown) == 1


def test_two_tags_on_one_reader_are_cocked_and_never_a_value(tray: EmulatedTray, host: Host) -> None:
    tray.send(WARM_UP, HIT, f"tag 0 {D20.uid(4)}", f"tag 0 {OTHER_D20.uid(9)}", f"tag 1 {CHALLENGE.uid(2)}")
    reading = host.reads(None, 2)
    assert reading.dice[0].state is DieState.COCKED
    tray.send(f"lift 0 {OTHER_D20.uid(9)}")
    host.reads(4, 2)


def test_a_die_that_nobody_taught_is_asked_about_until_it_is_taught(tray: EmulatedTray) -> None:
    with Host(tray.port, TaughtDice()) as host:
        host.ready()
        tray.throw({0: D20.uid(8)})
        assert host.reads(None).dice[0].state is DieState.DOUBTFUL
        host.says("Nobody has taught the die in place 1")
        host.file.change(lambda _: TAUGHT)
        host.reads(8)


def test_a_strangers_tag_is_no_value(tray: EmulatedTray, host: Host) -> None:
    tray.throw({0: STRANGER, 1: D20.uid(3)})
    reading = host.reads(None, 3)
    assert reading.dice[0].state is DieState.DOUBTFUL


def test_a_tag_at_a_dead_spot_never_becomes_a_wrong_value(tray: EmulatedTray, host: Host) -> None:
    tray.send(WARM_UP, HIT, f"weak 0 {D20.uid(12)} 35", f"tag 1 {OTHER_D20.uid(6)}")
    assert host.listener.wait(lambda: bool(host.thrown), 30)
    time.sleep(QUIET)
    assert {faces[0] for faces in host.faces if len(faces) == 2} <= {None, 12}
    tray.send(f"weak 0 {D20.uid(12)} 100", HIT)
    host.reads(12, 6)


def test_the_hand_stays_over_the_tray_and_nothing_is_read_until_it_goes(tray: EmulatedTray, host: Host) -> None:
    tray.send("beam broken")
    tray.throw({0: D20.uid(2), 1: OTHER_D20.uid(19)})
    time.sleep(QUIET)
    assert not host.thrown
    tray.send("beam clear")
    host.reads(2, 19)
    assert len(host.thrown) == 1


def test_a_die_lifted_after_settling_takes_nothing_back(tray: EmulatedTray, host: Host) -> None:
    tray.throw({0: D20.uid(5), 1: OTHER_D20.uid(7)})
    host.reads(5, 7)
    tray.clear(1)
    time.sleep(QUIET)
    assert host.faces == [[5, 7]], "some of the dice were taken: no new reading"
    tray.clear(0)
    host.cleared()
    tray.throw({0: D20.uid(20)})
    host.reads(20)
    assert len(host.thrown) == 2


def test_a_die_that_lies_still_belongs_to_the_next_throw(tray: EmulatedTray, host: Host) -> None:
    tray.throw({0: D20.uid(5)})
    host.reads(5)
    tray.throw({1: OTHER_D20.uid(7)})
    host.reads(5, 7)


def test_dice_that_lay_there_at_the_start_are_no_throw(tmp_path: Path) -> None:
    with EmulatedTray(tmp_path / "tray", eeprom=tmp_path / "eeprom") as tray:
        tray.send(f"tag 0 {D20.uid(5)}")
        with Host(tray.port) as host:
            host.ready()
            time.sleep(QUIET)
            assert not host.thrown


def test_a_reader_that_fails_is_named_and_its_die_is_no_value(tray: EmulatedTray, host: Host) -> None:
    tray.throw({0: D20.uid(5), 1: OTHER_D20.uid(7)})
    host.reads(5, 7)
    tray.send("reader 1 stuck")
    host.says("the reader under place 2 fails")
    tray.send(HIT)
    assert host.listener.wait(lambda: host.faces[-1] == [5, None], 30), host.faces
    tray.send("reader 1 present")
    tray.send(HIT)
    host.reads(5, 7)


@pytest.mark.parametrize("how", ["stuck", "hung"])
def test_a_reader_whose_chip_hangs_costs_the_others_nothing(tray: EmulatedTray, host: Host, how: str) -> None:
    tray.send(f"reader 0 {how}")
    host.says("the reader under place 1 fails")
    tray.throw({1: OTHER_D20.uid(11)})
    assert host.listener.wait(lambda: any(11 in faces for faces in host.faces), 30), host.faces


def test_slots_are_counted_up_to_the_highest_reader_there_is(tmp_path: Path) -> None:
    with EmulatedTray(tmp_path / "tray", eeprom=tmp_path / "eeprom") as tray:
        tray.send("reader 1 absent", "reader 3 absent", "reset power")
        with Host(tray.port) as host:
            host.says("3 places for dice")
            host.ready()
            tray.throw({0: D20.uid(5), 2: CHALLENGE.uid(1)})
            host.reads(5, 1)
            tray.send("reader 3 present")
            host.says("4 places for dice")
            host.ready()
            tray.throw({3: OTHER_D20.uid(11)})
            host.reads(5, 1, 11)


def test_the_trays_number_is_kept_and_its_boots_are_counted(tmp_path: Path) -> None:
    names = []
    for _ in range(2):
        with EmulatedTray(tmp_path / "tray", eeprom=tmp_path / "eeprom") as tray, Host(tray.port) as host:
            host.ready()
            tray.throw({0: D20.uid(5)})
            names.append(host.reads(5).reading_id)
    trays, boots = zip(*(name.split(":")[1:3] for name in names), strict=True)
    assert len(set(trays)) == 1
    assert len(set(boots)) == 2


def test_two_trays_are_two(tmp_path: Path) -> None:
    with (
        EmulatedTray(tmp_path / "one", seed=1) as one,
        EmulatedTray(tmp_path / "other", seed=2) as other,
        Host(one.port) as first,
        Host(other.port) as second,
    ):
        first.ready()
        second.ready()
        one.throw({0: D20.uid(1)})
        other.throw({0: D20.uid(20)})
        names = {first.reads(1).reading_id.split(":")[1], second.reads(20).reading_id.split(":")[1]}
        assert len(names) == 2


def test_a_second_program_on_the_port_is_refused_and_disturbs_nobody(tray: EmulatedTray, host: Host) -> None:
    with Host(tray.port) as second:
        second.says("Another program")
        assert second.listener.state is not SourceState.READY
        tray.throw({0: D20.uid(14)})
        host.reads(14)
        assert not second.thrown


def test_the_firmware_keeps_every_rule_of_the_page(tmp_path: Path, whole: bool) -> None:  # noqa: FBT001 - a fixture
    """Without those of a tray with a camera; in short without the rules that take a restart."""
    faces = [4, 17]
    with EmulatedTray(tmp_path / "tray") as tray:

        def ask(what: str) -> None:
            if len(faces) < 2:
                tray.clear(0)
            if what == THROW:
                tray.throw({0: D20.uid(faces.pop())})

        check = Check(
            lambda: open_link(tray.port),
            time.monotonic,
            time.sleep,
            ask=ask,
            taught=TAUGHT,
            restarts=whole,
            patience=10,
        )
        found = {finding.rule: finding for finding in check.run()}
    assert [one for one in found.values() if one.verdict is RuleVerdict.BROKEN] == []
    of_restarts = set() if whole else {Rule.BOOT_ID, Rule.RESTART, Rule.HELLOS, Rule.SILENCE, Rule.NOT_SEEN}
    of_cameras = {Rule.PICTURES}
    untried = {rule for rule, one in found.items() if one.verdict is RuleVerdict.UNTRIED}
    assert untried == {Rule.ONE_PLACE} | of_cameras | of_restarts


def test_one_die_over_two_wells_is_one_die_that_is_asked_about(tray: EmulatedTray, host: Host) -> None:
    tray.throw({0: D20.uid(3), 1: D20.uid(17), 2: OTHER_D20.uid(20)})
    reading = host.reads(None, 20)
    assert [die.state for die in reading.dice] == [DieState.COCKED, DieState.READ]


def test_a_tray_of_which_no_reader_answers_is_a_fault(tmp_path: Path) -> None:
    with EmulatedTray(tmp_path / "tray", dtr_reset=False) as unpowered:
        unpowered.send(*(f"reader {slot} absent" for slot in range(4)), "reset power")
        with Host(unpowered.port) as asks:
            asks.becomes(SourceState.LOST)
            asks.says("measure 3.3 V at the regulator's output")
            unpowered.send(*(f"reader {slot} present" for slot in range(4)))
            asks.says("4 places for dice")
            asks.ready()
            unpowered.throw({0: D20.uid(5), 3: OTHER_D20.uid(11)})
            asks.reads(5, 11)
