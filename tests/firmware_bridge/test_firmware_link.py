"""How the portable firmware talks, and what it does when something fails: greeting, repeats, readers, memory, time."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_bridge.messages import (
    WHOLE_TRAY,
    Acknowledge,
    Beat,
    Configure,
    Die,
    FaultCode,
    Hello,
    HelloRequest,
    KindCode,
    Levels,
    Ping,
    Pong,
    ReaderState,
    Reset,
    ResetCause,
    Result,
    Ring,
    RollEnd,
    Sense,
    SensedFlag,
    Snapshot,
    StateCode,
    Tag,
)
from tests.firmware_bridge.desk import Desk, only
from tests.firmware_bridge.desk_dice import (
    CHALLENGE,
    CHALLENGE_ID,
    D6_DOWN,
    D20_ID,
    D20_OTHER,
    D20_UP,
    TEACH,
    assert_ended,
    meaning,
    shown,
    tag,
)

pytestmark = pytest.mark.slow


def test_it_greets_until_it_is_known_and_then_beats() -> None:
    with Desk(greets=False, cause=ResetCause.WATCHDOG) as desk:
        desk.do(f"tag 0 {D20_UP}")
        desk.run(1900)
        hellos = desk.of(Hello)
        assert len(desk.heard) == len(hellos) == 4, "no die, no beat, no question before SNAPSHOT"
        assert {(one.nonce, one.slots, one.reset_cause) for one in hellos} == {(0, 4, ResetCause.WATCHDOG)}
        desk.say(HelloRequest(1, 0, 0x1234), Ping(77), Snapshot(hellos[0].boot_id + 1))
        assert [one.nonce for one in desk.of(Hello)[4:]] == [0x1234]
        assert desk.of(Pong) == [Pong(77)]
        desk.run(600)
        assert not desk.of(Beat)
        desk.say(Snapshot(hellos[0].boot_id))
        told = desk.run(1600)
        assert len(desk.of(Beat)) in (3, 4)
        assert only(told, Tag)
        assert not only(told, Hello)


def test_a_beat_counts_everything_that_was_lost_or_damaged() -> None:
    with Desk() as desk:
        desk.run(600)
        desk.do("overruns 9", "hear 00050100", "hear 0003010100", "hear 00010100", "run 600")
        beat = desk.of(Beat)[-1]
        assert (beat.malformed, beat.short, beat.overruns, beat.bad_checksum) == (1, 2, 9, 0)


def test_the_workshop_hears_of_every_reader_and_sensor() -> None:
    with Desk(TEACH, setup=("reader 3 absent",)) as desk:
        desk.say(Sense(1))
        desk.throw({0: D20_UP})
        assert not desk.of(Levels), "before SNAPSHOT it says nothing"
        desk.do("beam 1", "reader 1 stuck")
        desk.run(500)
        desk.say(Sense(2))
        (levels,) = desk.of(Levels)
        assert (levels.piezo > 100, levels.floor < 10, levels.flags) == (True, True, SensedFlag.BEAM_INTERRUPTED)
        readers = desk.of(ReaderState)
        assert [(one.slot, one.tag) for one in readers] == [(0, tag(D20_UP)), (1, 0), (2, 0), (3, 0)]
        assert [one.version not in {0, 255} for one in readers] == [True, False, True, False]
        assert [one.errors > 0 for one in readers] == [False, True, False, False]
        desk.say(Sense(3))
        assert desk.of(Levels)[-1].piezo < 10, "a hit is told once"


def test_a_tray_of_which_no_reader_answers_says_that_all_of_them_fail() -> None:
    with Desk(setup=tuple(f"reader {slot} absent" for slot in range(4))) as desk:
        desk.run(12_000)
        assert {one.slots for one in desk.of(Hello)} == {0}
        assert desk.faults == [(FaultCode.READER, WHOLE_TRAY)] * 3


def test_readers_that_come_back_are_places_within_seconds() -> None:
    """A loose wire: the tray said until now that it has to be unplugged."""
    with Desk(TEACH, setup=("reader 1 absent", "reader 3 absent")) as desk:
        desk.throw({0: D20_UP})
        before = (desk.die(0).event, desk.end.event)
        desk.do("reader 1 present")
        desk.run(6000)
        assert {one.slots for one in desk.of(Hello)} == {3}, "a place between others needs no other number"
        desk.throw({1: CHALLENGE})
        assert shown(desk, 1)[0] is StateCode.SETTLED
        told = len(desk.of(Hello))
        desk.do("reader 3 present")
        desk.run(6000)
        assert [one.slots for one in desk.of(Hello)[told:]] == [4], "greeted anew, and answered"
        desk.throw({3: D6_DOWN})
        assert shown(desk, 3)[0] is StateCode.SETTLED
        assert not desk.faults
        assert before[0] <= desk.die(0).event


def test_a_tray_without_any_reader_finds_all_of_them_when_their_supply_comes() -> None:
    absent = tuple(f"reader {slot} absent" for slot in range(4))
    with Desk(TEACH, setup=absent) as desk:
        desk.run(11_000)
        assert {one.slots for one in desk.of(Hello)} == {0}
        faults = len(desk.faults)
        desk.do(*(line.replace("absent", "present") for line in absent))
        desk.run(6000)
        assert desk.of(Hello)[-1].slots == 4
        desk.throw({0: D20_UP, 3: CHALLENGE})
        assert_ended(desk, desk.end.roll, 0, 3)
        desk.run(11_000)
        assert len(desk.faults) <= faults + 1, "the fault has ended"


def test_until_the_new_places_are_answered_the_tray_greets_and_tells_nothing() -> None:
    with Desk(TEACH, setup=("reader 3 absent",)) as desk:
        desk.run(600)
        desk.greets = False
        desk.do("reader 3 present")
        desk.run(6000)
        beats, hellos = len(desk.of(Beat)), len(desk.of(Hello))
        desk.throw({3: CHALLENGE})
        assert len(desk.of(Beat)) == beats
        assert len(desk.of(Hello)) > hellos
        assert not desk.of(Die)
        desk.say(Snapshot(desk.of(Hello)[0].boot_id))
        desk.run(1000)
        assert shown(desk, 3)[0] is StateCode.SETTLED


def test_snapshot_tells_all_again_under_the_old_numbers_and_asks_anew() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP, 2: CHALLENGE})
        numbers = [desk.die(0).event, desk.die(2).event, desk.end.event]
        desk.say(Snapshot(desk.of(Hello)[0].boot_id))
        told = desk.run(600)
        assert [one.event for one in told if isinstance(one, Die | RollEnd)] == numbers, "the same meaning is no news"
        assert {one.slot for one in only(told, Tag)} == {0, 2}
        desk.teach = {**TEACH, tag(D20_UP): meaning(D20_UP, D20_ID, KindCode.D20, 3)}
        desk.say(Snapshot(desk.of(Hello)[0].boot_id))
        desk.run(600)
        assert shown(desk, 0) == (StateCode.SETTLED, 3, KindCode.D20, 1)
        assert_ended(desk, 1, 0, 2)


def test_a_hand_that_stays_holds_the_roll_open_and_is_a_fault_after_a_minute() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("beam 1")
        desk.throw({0: D20_UP})
        assert shown(desk, 0)[0] is StateCode.HANDLING
        desk.do("run 40000")
        assert not desk.of(RollEnd)
        assert not desk.faults
        desk.do("run 20000")
        assert desk.faults[0] == (3, 0xFF)
        assert not desk.of(RollEnd)
        desk.do("beam 0")
        desk.run(600)
        assert_ended(desk, 1, 0)
        desk.run(6000)
        assert desk.faults == [(3, 0xFF)]


def test_unacknowledged_events_repeat_and_the_newest_of_a_slot_replaces_the_older() -> None:
    with Desk(TEACH, acknowledges=False) as desk:
        desk.throw({0: D20_UP}, 2000)
        settled, end = desk.die(0), desk.end
        told = desk.run(2000)
        assert set(told) == {settled, end}
        times = [when for when, message in desk.heard if message == end]
        assert all(200 <= later - earlier <= 250 for earlier, later in pairwise(times))
        desk.say(Acknowledge(end.event), Acknowledge(end.event + 1000))
        assert set(desk.run(600)) == {settled}
        desk.say(Acknowledge(settled.event))
        assert desk.run(600) == []


def test_events_wrap_from_65535_to_0() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("event 65534")
        desk.throw({0: D20_UP})
        assert [one.event for one in desk.of(Die)] == [65535, 0]
        assert desk.end.event == 1
        desk.run(600)
        assert desk.of(Beat)[-1].last_event == 1


def test_the_clock_may_come_round_during_a_throw() -> None:
    with Desk(TEACH, uptime=(1 << 32) - 1000) as desk:
        desk.run(500)
        desk.throw({0: D20_UP, 1: CHALLENGE}, 2000)
        assert desk.die(0).device_time < 2000
        assert_ended(desk, 1, 0, 1)
        desk.run(1000)
        assert len(desk.of(Beat)) >= 5


@pytest.mark.parametrize("how", ["stuck", "absent", "hung"])
def test_a_reader_that_fails_is_told_costs_only_its_own_die_and_comes_back(how: str) -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP, 1: CHALLENGE})
        desk.do(f"reader 1 {how}")
        desk.run(1000)
        assert desk.faults == [(1, 1)]
        assert (desk.die(1).state, desk.die(1).face, desk.die(1).kind) == (StateCode.FAULT, 0, KindCode.CHALLENGE)
        assert desk.die(1).die_id == CHALLENGE_ID
        assert_ended(desk, 1, 0, 1)
        desk.run(5500)
        assert desk.faults == [(1, 1)] * 2
        assert desk.of(Beat)[-1].reader_errors > 10
        desk.do("lift 1", f"tag 1 {D6_DOWN}", "reader 1 present")
        desk.run(6000)
        assert shown(desk, 1) == (StateCode.SETTLED, 5, KindCode.D6, 1), "not what lay there before it failed"
        assert_ended(desk, 1, 0, 1)
        desk.throw({2: D20_OTHER})
        assert_ended(desk, 2, 0, 1, 2)


def test_a_bus_that_garbles_bytes_costs_looks_and_never_makes_a_value() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("garble 10")
        desk.throw({0: D20_UP, 1: D20_OTHER, 2: CHALLENGE, 3: D6_DOWN}, 15_000)
        faces = [(die.slot, die.kind, die.face) for die in desk.of(Die) if die.face]
        assert set(faces) <= {(0, 1, 17), (1, 1, 4), (2, 2, 4), (3, 3, 5)}
        assert desk.of(Beat)[-1].reader_errors > 20
        desk.do("garble 0")
        desk.run(4000)
        assert [desk.die(slot).face for slot in range(4)] == [17, 4, 4, 5]
        assert_ended(desk, 1, 0, 1, 2, 3)


def test_slots_are_counted_up_to_the_highest_reader() -> None:
    with Desk(TEACH, setup=("reader 1 absent", "reader 3 absent")) as desk:
        desk.throw({0: D20_UP, 2: CHALLENGE})
        assert desk.of(Hello)[0].slots == 3
        assert_ended(desk, 1, 0, 2)
        assert not desk.faults
    with Desk(setup=tuple(f"reader {slot} absent" for slot in range(4))) as desk:
        desk.run(1000)
        assert desk.of(Hello)[0].slots == 0
        assert desk.of(Beat)


def test_a_full_serial_port_delays_events_and_loses_none() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("room 0")
        desk.throw({0: D20_UP, 1: CHALLENGE})
        assert not desk.of(Die)
        desk.do("room 255")
        desk.run(600)
        assert_ended(desk, 1, 0, 1)
        assert desk.of(Beat)[-1].unsent > 0


def test_music_under_the_table_is_no_throw_for_long() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("hit 150 60000", f"tag 0 {D20_UP}")
        desk.do("run 30000")
        assert desk.die(0).state == StateCode.SETTLED or desk.run(1000)
        assert shown(desk, 0)[0] is StateCode.SETTLED
        assert not desk.faults


def test_a_piezo_that_shakes_all_the_time_is_a_fault_and_its_end_is_the_end_of_it() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("hit 1000 20000", f"tag 0 {D20_UP}", "run 12000")
        assert set(desk.faults) == {(2, 0xFF)}
        assert not desk.of(RollEnd), "it moves, as far as anybody can feel"
        desk.do("run 12000")
        told = len(desk.faults)
        desk.throw({1: CHALLENGE}, 6000)
        assert len(desk.faults) == told
        assert_ended(desk, desk.end.roll, 0, 1)


def test_the_lamps_do_as_they_are_told_and_stay_within_a_usb_ports_current() -> None:
    with Desk() as desk:
        desk.run(300)
        desk.say(Ring(1, 255, 255, 255))
        desk.run(100)
        assert set(desk.lamps[-1]) == {255 * 256 // 765}
        desk.say(Ring(1, 10, 20, 30))
        desk.run(100)
        assert desk.lamps[-1] == bytes((20, 10, 30)) * 12, "green, red, blue"
        desk.say(Ring(3, 90, 0, 0))
        desk.run(2100)
        assert {lamps.index(90) // 3 for lamps in desk.lamps[-12:]} == set(range(12))
        desk.say(Ring(0, 90, 0, 0))
        desk.run(100)
        assert not any(desk.lamps[-1])
        desk.say(Ring(4, 1, 1, 1), Configure(3, 1500))
        assert [(one.command, one.code) for one in desk.of(Result)] == [(5, 0)] * 4 + [(5, 2), (6, 1)]


def test_it_restarts_on_command_and_by_its_button_with_a_new_boot() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP})
        desk.say(Reset(0x1234))
        assert not desk.restarts
        desk.say(Reset(Reset.MAGIC))
        desk.run(500)
        desk.do("button 1", "run 2900", "button 0", "run 500")
        assert desk.restarts == [ResetCause.COMMAND]
        desk.do("button 1", "run 3100", "run 9000")
        assert desk.restarts == [ResetCause.COMMAND, ResetCause.BUTTON], "once, however long it is held"
        desk.do("button 0")
        desk.run(500)
        starts = {one.boot_id: one for one in desk.of(Hello)}
        assert [one.reset_cause for one in starts.values()] == [ResetCause.POWER, ResetCause.COMMAND, ResetCause.BUTTON]
        assert len({one.tray_id for one in starts.values()}) == 1
        assert shown(desk, 0)[3] == 0, "it lay there at the start"


def test_no_boot_id_is_heard_twice_wherever_the_power_fails_while_it_is_written() -> None:
    with Desk() as desk:
        desk.run(100)
        for lost_after in range(40):
            desk.do(f"cut {lost_after % 7}", "start 1 0", "start 1 0")
            desk.run(100)
        boots = [one.boot_id for one in desk.of(Hello)]
        assert len(boots) == len(set(boots)) == 41
        assert len({one.tray_id for one in desk.of(Hello)}) == 1
        desk.do("wear", "start 1 0")
        desk.run(600)
        assert desk.of(Hello)[-1].boot_id not in boots
        assert desk.faults == [(6, 0xFF)], "it says that it cannot count any more"


def test_no_turn_keeps_the_main_loop_for_long() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP, 1: CHALLENGE, 2: D20_OTHER})
        desk.do(f"tag 0 {D20_OTHER}", "reader 3 hung")
        desk.run(2000)
        assert 0 < desk.longest_turn < 500, "microseconds; the serial port's ring holds 11000"
