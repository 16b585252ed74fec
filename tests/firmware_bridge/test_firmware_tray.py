"""The portable firmware whole, from the reader chips' registers to the frames: rolls, hands, dead spots, faults."""

from __future__ import annotations

import zlib
from itertools import pairwise

import pytest

from firmware_bridge.messages import (
    Acknowledge,
    Beat,
    Configure,
    Die,
    Hello,
    HelloRequest,
    KindCode,
    Ping,
    Pong,
    Reset,
    ResetCause,
    Result,
    Ring,
    RollEnd,
    SideCode,
    Snapshot,
    StateCode,
    Tag,
    Taught,
)
from firmware_bridge.rolls import roll_digest
from tests.firmware_bridge.desk import Desk, only

D20_UP, D20_DOWN, D20_OTHER = "04a1b2c3d4e580", "04a1b2c3d4e581", "10203040"
CHALLENGE, D6_DOWN = "01020304050607080910", "10203041"
STRANGER = "deadbeef"
D20_ID, OTHER_ID, CHALLENGE_ID, D6_ID = 0xD1CE0001, 0xD1CE0002, 0xD1CE0003, 0xD1CE0004


def tag(uid: str) -> int:
    return zlib.crc32(bytes.fromhex(uid))


def meaning(uid: str, die: int, kind: KindCode, face: int, side: SideCode = SideCode.UP) -> Taught:
    return Taught(tag(uid), die, kind, face, side)


TEACH = {
    one.tag: one
    for one in (
        meaning(D20_UP, D20_ID, KindCode.D20, 17),
        meaning(D20_DOWN, D20_ID, KindCode.D20, 1, SideCode.DOWN),
        meaning(D20_OTHER, OTHER_ID, KindCode.D20, 4),
        meaning(CHALLENGE, CHALLENGE_ID, KindCode.CHALLENGE, 4),
        meaning(D6_DOWN, D6_ID, KindCode.D6, 2, SideCode.DOWN),
    )
}
SHAKY = 40
"""Per cent of looks at which a tag at a dead spot answers."""


def shown(desk: Desk, slot: int) -> tuple[StateCode, int, int, int]:
    """State, face, kind and roll of a slot."""
    die = desk.die(slot)
    return StateCode(die.state), die.face, die.kind, die.roll


def assert_ended(desk: Desk, roll: int, *slots: int) -> None:
    """The newest end is that roll's, over just these slots' dice as they were told."""
    assert (desk.end.roll, desk.end.count) == (roll, len(slots))
    assert desk.end.digest == roll_digest(desk.die(slot) for slot in slots)
    assert max(die.event for die in desk.of(Die)) < desk.end.event


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


def test_a_throw_is_one_roll_with_every_kind_of_die() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        told = desk.throw({0: D20_UP, 1: D20_OTHER, 2: CHALLENGE, 3: D6_DOWN})
        assert [shown(desk, slot) for slot in range(4)] == [
            (StateCode.SETTLED, 17, KindCode.D20, 1),
            (StateCode.SETTLED, 4, KindCode.D20, 1),
            (StateCode.SETTLED, 4, KindCode.CHALLENGE, 1),
            (StateCode.SETTLED, 5, KindCode.D6, 1),
        ]
        assert [desk.die(slot).die_id for slot in range(4)] == [D20_ID, OTHER_ID, CHALLENGE_ID, D6_ID]
        assert_ended(desk, 1, 0, 1, 2, 3)
        assert len(only(told, RollEnd)) == 1
        assert [one.event for one in told if isinstance(one, Die | RollEnd)] == list(range(1, 10))
        assert not desk.faults


@pytest.mark.parametrize("face", range(1, 21))
def test_the_face_up_of_a_d20_follows_from_the_face_down(face: int) -> None:
    with Desk({tag(D20_UP): meaning(D20_UP, D20_ID, KindCode.D20, face, SideCode.DOWN)}) as desk:
        desk.throw({0: D20_UP}, 1000)
        assert shown(desk, 0) == (StateCode.SETTLED, 21 - face, KindCode.D20, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        Taught(tag(D20_UP), D20_ID, KindCode.D20, 21, 0),
        Taught(tag(D20_UP), D20_ID, KindCode.D20, 0, 0),
        Taught(tag(D20_UP), D20_ID, KindCode.D20, 5, 2),
        Taught(tag(D20_UP), D20_ID, KindCode.CHALLENGE, 4, SideCode.DOWN),
        Taught(tag(D20_UP), D20_ID, KindCode.CHALLENGE, 5, 0),
        Taught(tag(D20_UP), D20_ID, KindCode.D6, 7, 0),
        Taught(tag(D20_UP), D20_ID, 4, 1, 0),
        Taught(tag(D20_UP), 0, KindCode.NOT_KNOWN, 0, 0),
    ],
)
def test_a_meaning_that_cannot_be_is_no_value(wrong: Taught) -> None:
    with Desk({wrong.tag: wrong}) as desk:
        desk.throw({0: D20_UP})
        assert shown(desk, 0) == (StateCode.FAULT, 0, KindCode.NOT_KNOWN, 1)
        assert desk.die(0).die_id == tag(D20_UP)
        assert_ended(desk, 1, 0)


def test_without_an_answer_the_die_is_a_fault_after_a_second_and_right_when_it_comes() -> None:
    with Desk(TEACH, answers=False) as desk:
        desk.run(500)
        desk.do("hit 500 100", f"tag 1 {D20_UP}")
        told = desk.run(1000)
        asked = [when for when, message in desk.heard if isinstance(message, Tag)]
        assert set(desk.of(Tag)) == {Tag(1, tag(D20_UP))}
        assert all(200 <= later - earlier <= 250 for earlier, later in pairwise(asked))
        assert not only(told, RollEnd), "it may still be answered"
        desk.run(500)
        assert shown(desk, 1)[0] is StateCode.FAULT
        assert_ended(desk, 1, 1)
        desk.say(TEACH[tag(D20_UP)])
        desk.run(100)
        assert shown(desk, 1) == (StateCode.SETTLED, 17, KindCode.D20, 1)
        assert_ended(desk, 1, 1)
        before = len(desk.of(Tag))
        desk.run(600)
        assert len(desk.of(Tag)) == before, "answered: no more questions"


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


def test_a_nudge_is_a_change_of_the_same_roll() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP, 1: CHALLENGE})
        desk.do("beam 1")
        desk.run(200)
        desk.do("lift 0")
        told = desk.run(400)
        assert [one.state for one in only(told, Die)] == [StateCode.HANDLING]
        desk.do("hit 300 50", f"tag 0 {D20_DOWN}")
        assert not only(desk.run(1500), RollEnd), "the hand is still there"
        desk.do("beam 0")
        desk.run(600)
        assert shown(desk, 0) == (StateCode.SETTLED, 20, KindCode.D20, 1)
        assert_ended(desk, 1, 0, 1)


def test_a_die_put_into_another_well_by_hand_stays_in_its_roll() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP, 1: CHALLENGE})
        desk.do("beam 1")
        desk.run(200)
        desk.do("lift 0")
        desk.run(300)
        desk.do(f"tag 3 {D20_UP}")
        desk.run(300)
        desk.do("beam 0")
        desk.run(800)
        assert shown(desk, 3) == (StateCode.SETTLED, 17, KindCode.D20, 1)
        assert shown(desk, 0)[0] is StateCode.REMOVED
        assert_ended(desk, 1, 1, 3)


def test_a_bump_that_moves_nothing_is_no_roll() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP})
        desk.do("hit 900 200")
        assert desk.run(2000) == []


def test_taking_some_dice_ends_no_roll_and_taking_the_last_one_does() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP, 1: CHALLENGE})
        desk.do("lift 0")
        told = desk.run(600)
        assert [(one.slot, one.state) for one in only(told, Die)] == [(0, StateCode.REMOVED)]
        assert not only(told, RollEnd)
        desk.do("lift 1")
        desk.run(600)
        assert (desk.end.count, desk.end.digest) == (0, 0xFFFF)


def test_a_die_that_lies_still_while_others_are_thrown_belongs_to_the_new_roll() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP})
        desk.throw({1: CHALLENGE})
        assert shown(desk, 0) == (StateCode.SETTLED, 17, KindCode.D20, 2)
        assert_ended(desk, 2, 0, 1)


def test_a_straggler_of_a_throw_belongs_to_it() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP}, 900)
        assert_ended(desk, 1, 0)
        desk.do(f"tag 1 {CHALLENGE}")
        desk.run(1000)
        assert_ended(desk, 1, 0, 1)


def test_dice_that_lay_there_at_the_start_or_were_placed_without_a_hit_were_not_thrown() -> None:
    with Desk(TEACH, setup=(f"tag 0 {D20_UP}",)) as desk:
        desk.run(4000)
        desk.do(f"tag 1 {CHALLENGE}")
        desk.run(1500)
        assert [shown(desk, slot)[::3] for slot in (0, 1)] == [(StateCode.SETTLED, 0)] * 2
        assert not desk.of(RollEnd)
        desk.throw({2: D20_OTHER})
        assert_ended(desk, 1, 0, 1, 2)


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


def test_a_die_that_flies_through_the_beam_is_no_hand() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("beam 1", "run 20", "beam 0")
        desk.throw({0: D20_UP})
        assert all(one.state != StateCode.HANDLING for one in desk.of(Die))


@pytest.mark.parametrize("rest", [None, CHALLENGE])
def test_a_dead_spot_is_cocked_and_never_another_value(rest: str | None) -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("hit 500 100", f"weak 0 {D20_UP} {SHAKY}", *([f"tag 1 {rest}"] if rest else []))
        desk.run(12_000)
        assert {(one.face, one.kind) for one in desk.of(Die) if one.slot == 0 and one.face} <= {(17, KindCode.D20)}
        assert {one.state for one in desk.of(Die) if one.slot == 0} >= {StateCode.COCKED}
        assert {one.roll for one in desk.of(Die)} == {1}
        desk.do(f"weak 0 {D20_UP} 100")
        desk.run(3000)
        assert shown(desk, 0) == (StateCode.SETTLED, 17, KindCode.D20, 1)
        assert_ended(desk, 1, *([0, 1] if rest else [0]))


@pytest.mark.parametrize(
    ("other", "kind", "die"), [(D20_DOWN, KindCode.D20, D20_ID), (D20_OTHER, 0, 0), (STRANGER, 0, 0)]
)
def test_two_tags_are_cocked_and_of_one_die_only_if_both_are(other: str, kind: int, die: int) -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("hit 500 100", f"tag 0 {D20_UP}", f"tag 0 {other}")
        desk.run(1500)
        assert shown(desk, 0) == (StateCode.COCKED, 0, kind, 1)
        assert (desk.die(0).die_id, desk.die(0).confidence) == (die, 0)
        assert {one.tag for one in desk.of(Tag)} == {tag(D20_UP), tag(other)}
        assert_ended(desk, 1, 0)
        desk.do(f"lift 0 {other}")
        desk.run(1500)
        assert shown(desk, 0) == (StateCode.SETTLED, 17, KindCode.D20, 1)
        assert_ended(desk, 1, 0)


def test_three_tags_at_once_are_cocked() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("hit 500 100", *(f"tag 2 {uid}" for uid in (D20_UP, D20_OTHER, CHALLENGE, D6_DOWN)))
        desk.run(2000)
        assert shown(desk, 2)[:2] == (StateCode.COCKED, 0)
        assert all(one.face == 0 for one in desk.of(Die))


@pytest.mark.parametrize("length", [4, 7, 10])
def test_every_pair_of_tags_is_told_apart_wherever_their_numbers_part(length: int) -> None:
    base = bytes((0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x23, 0x99, 0xAA))[:length]
    for bit in range(0, 8 * length, 5):
        other = bytearray(base)
        other[bit // 8] ^= 1 << bit % 8
        if 0x88 in (other[0], other[3 * (length > 4)], other[6 * (length > 7)]):
            continue  # 0x88 may not begin a level's part: it is the cascade tag
        with Desk() as desk:
            desk.run(100)
            desk.do(f"tag 0 {base.hex()}", f"tag 0 {other.hex()}")
            desk.run(400)
            assert {one.tag for one in desk.of(Tag)} == {tag(base.hex()), tag(other.hex())}, bit


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
        desk.do("button 1", "run 3100", "button 0")
        desk.run(500)
        assert desk.restarts == [ResetCause.COMMAND, ResetCause.BUTTON]
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
