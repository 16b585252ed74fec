"""The conversation: greeting, heartbeat, loss, versions, dialects. Time is a number here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.actions import Action, Changed, Reopen, Report, Send
from firmware_bridge.framing import FrameDecoder, WireFrame, encode_frame
from firmware_bridge.messages import (
    MAJOR,
    MINOR,
    WHOLE_TRAY,
    Acknowledge,
    Beat,
    Capability,
    Die,
    Fault,
    FaultCode,
    Hello,
    HelloRequest,
    KindCode,
    Levels,
    Message,
    Ping,
    Pong,
    ReaderState,
    RollEnd,
    Sense,
    Snapshot,
    StateCode,
    Tag,
    Taught,
    Unknown,
    decode,
)
from firmware_bridge.plain import parse_line
from firmware_bridge.rolls import roll_digest
from firmware_bridge.session import TraySession
from firmware_bridge.wording import Situation
from rules.dice import DieKind, DieState, Reading, SourceState

HELLO = Hello(1, 0, 0, 0x0102, 0xAA, 0xBB, 1, 8, 15, 100)
DIE = Die(1, 1, 0, 0, KindCode.D20, 17, StateCode.SETTLED, 100, 0, 0)
END = RollEnd(2, 1, 1, roll_digest([DIE]))


def wire(*messages: Message) -> bytes:
    return b"".join(encode_frame(message.to_frame(number)) for number, message in enumerate(messages))


def said(actions: Iterable[Action]) -> list[Message | Unknown]:
    data = b"".join(action.data for action in actions if isinstance(action, Send))
    return [decode(frame).message for frame in FrameDecoder().feed(data)]


def readings(actions: Iterable[Action]) -> list[Reading]:
    return [action.reading for action in actions if isinstance(action, Report)]


def situations(actions: Iterable[Action]) -> list[Situation]:
    return [action.condition.situation for action in actions if isinstance(action, Changed)]


def session() -> TraySession:
    return TraySession(nonce=41, start_id="start")


def pass_time(one: TraySession, start: float, end: float) -> list[Action]:
    """Tick whenever the session asks to, and at `end`; checks that it never asks for the past again and again."""
    actions: list[Action] = []
    steps = 0
    while (at := max(one.deadline, start)) < end:
        actions += one.tick(at)
        steps += 1
        assert steps < 100 * (end - start) + 10
    return actions + one.tick(end)


def ready(now: float = 0.0) -> TraySession:
    one = session()
    one.opened(now)
    assert situations(one.data_received(wire(HELLO), now)) == [Situation.READY]
    return one


def test_greeting_asks_every_300_ms_for_3_s_then_ever_more_slowly() -> None:
    one = session()
    assert said(one.opened(0.0)) == [HelloRequest(MAJOR, MINOR, 42)]
    assert len(said(pass_time(one, 0.0, 2.99))) == 9
    actions = pass_time(one, 2.99, 3.0)
    assert situations(actions) == [Situation.SILENT]
    assert one.condition.state is SourceState.LOST
    times = []
    now = 3.0
    while now < 25:
        now = one.deadline
        if said(one.tick(now)):
            times.append(round(now - 3.0, 6))
    assert times[:6] == [0.5, 1.5, 3.5, 7.5, 11.5, 15.5]


def test_a_port_that_never_answers_is_reopened_once_in_30_s() -> None:
    one = session()
    one.opened(0.0)
    assert Reopen() not in pass_time(one, 0.0, 29.9)
    assert pass_time(one, 29.9, 60.0).count(Reopen()) == 1


def test_every_hello_is_answered_with_the_snapshot_of_its_boot() -> None:
    one = session()
    one.opened(0.0)
    answer = said(one.data_received(wire(replace(HELLO, nonce=42)), 0.1))
    assert Snapshot(0xBB) in answer
    assert one.condition.state is SourceState.READY
    assert "000000aa" in one.condition.what
    assert said(one.data_received(wire(HELLO), 0.2)) == [Snapshot(0xBB)]


def test_an_answer_to_an_older_question_is_ignored() -> None:
    one = session()
    one.opened(0.0)
    one.data_received(wire(replace(HELLO, nonce=41)), 0.1)
    assert one.condition.situation is Situation.GREETING


def test_events_before_the_greeting_are_neither_taken_nor_acknowledged() -> None:
    one = session()
    one.opened(0.0)
    actions = one.data_received(wire(DIE, END), 0.1)
    assert said(actions) == []
    assert readings(actions) == []
    assert one.counts["before_greeting"] == 2


def test_each_event_is_acknowledged_each_time_and_counts_once() -> None:
    one = ready()
    actions = one.data_received(wire(DIE, END, DIE, END), 1.0)
    assert said(actions) == [Acknowledge(1), Acknowledge(2), Acknowledge(1), Acknowledge(2)]
    assert len(readings(actions)) == 1
    assert one.counts["repeats"] == 2


def test_a_reopened_port_with_the_same_boot_tells_nothing_twice() -> None:
    one = ready()
    one.data_received(wire(DIE, END), 1.0)
    one.opened(10.0)
    actions = one.data_received(wire(HELLO, DIE, END), 10.1)
    assert readings(actions) == []


def test_a_new_boot_counts_its_events_anew() -> None:
    one = ready()
    (first,) = readings(one.data_received(wire(DIE, END), 1.0))
    (second,) = readings(one.data_received(wire(replace(HELLO, boot_id=0xCC), DIE, END), 2.0))
    assert first.reading_id != second.reading_id


def beats(*moments: tuple[int, int]) -> bytes:
    """BEATs, each with its uptime and its newest event."""
    return wire(*(Beat(uptime, event, 0, 0, 0, 0) for uptime, event in moments))


def test_a_replugged_tray_that_keeps_its_boot_id_loses_no_throw() -> None:
    one = ready()
    (first,) = readings(one.data_received(wire(DIE, END) + beats((6000, 2), (6500, 2)), 1.0))
    one.opened(10.0)
    asked = said(one.data_received(wire(replace(HELLO, uptime=2000)), 10.1))
    assert HelloRequest(MAJOR, MINOR, 43) in asked
    assert not [message for message in asked if isinstance(message, Snapshot)]
    actions = one.data_received(wire(replace(HELLO, nonce=43, uptime=2003)), 10.2)
    assert Snapshot(HELLO.boot_id) in said(actions)
    (second,) = readings(one.data_received(wire(DIE, END), 11.0))
    assert first.reading_id != second.reading_id
    assert one.counts["starts_untold"] == 1
    one.opened(20.0)
    assert readings(one.data_received(wire(replace(HELLO, uptime=9000), DIE, END), 20.1)) == [], "the same start"


def test_events_that_begin_anew_are_a_new_start_although_the_uptime_has_gone_on() -> None:
    one = ready()
    other = replace(DIE, face=4)
    known = wire(DIE, END, replace(DIE, event=8), replace(END, event=9)) + beats((600, 9), (1100, 9))
    assert len(readings(one.data_received(known, 1.0))) == 2
    anew = wire(other, replace(END, digest=roll_digest([other])))
    assert readings(one.data_received(anew, 10.0)) == []
    assert Snapshot(HELLO.boot_id) in said(one.data_received(beats((2000, 2), (2500, 2)), 10.1))
    assert len(readings(one.data_received(anew, 10.2))) == 1


def test_a_roll_that_counted_before_its_start_was_noticed_counts_once() -> None:
    one = ready()
    one.data_received(wire(replace(DIE, event=8), replace(END, event=9)) + beats((600, 9), (1100, 9)), 1.0)
    known = readings(one.data_received(wire(DIE, END) + beats((1600, 2), (2100, 2)) + wire(DIE, END), 10.0))
    assert (len(known), one.counts["starts_untold"]) == (1, 1)


@pytest.mark.parametrize("damaged", [(100, 9), (0x7000_0000, 9), (1600, 2), (1600, 700)])
def test_one_beat_that_passed_its_checksum_by_chance_begins_no_start(damaged: tuple[int, int]) -> None:
    one = ready()
    one.data_received(wire(DIE, END) + beats((600, 9), (1100, 9), damaged, (2100, 9), (2600, 9)), 1.0)
    assert one.counts["starts_untold"] == 0


def test_uptime_and_events_that_come_round_are_no_new_start() -> None:
    one = ready()
    one.data_received(beats((0xFFFF_FE00, 0xFFFE), (0xFFFF_FFF0, 0xFFFF), (0x1E4, 0), (0x3D8, 1)), 1.0)
    assert one.counts["starts_untold"] == 0


def test_a_tray_without_places_is_a_fault_with_its_likeliest_cause() -> None:
    one = session()
    one.opened(0.0)
    (changed,) = [a for a in one.data_received(wire(replace(HELLO, slots=0)), 0.0) if isinstance(a, Changed)]
    assert changed.condition.state is SourceState.LOST
    assert "3.3 V" in changed.condition.remedy
    one.opened(5.0)
    one.data_received(wire(replace(HELLO, boot_id=2)), 5.0)
    assert one.condition.state is SourceState.READY


def test_readers_that_all_fall_silent_are_a_fault_with_its_cause_and_one_is_a_fault_beside_the_others() -> None:
    one = ready()
    one.data_received(wire(*(Fault(FaultCode.READER, slot, 0) for slot in range(HELLO.slots - 1))), 1.0)
    assert (one.condition.state, one.condition.faulty) == (SourceState.READY, True)
    assert one.condition.remedy.count("Most likely") == 1
    one.data_received(wire(Fault(FaultCode.READER, HELLO.slots - 1, 0)), 1.1)
    assert one.condition.state is SourceState.LOST
    assert "3.3 V" in one.condition.remedy
    one.data_received(wire(Beat(2000, 0, 0, 0, 0, 0)), 14.0)
    assert (one.condition.state, one.condition.faulty) == (SourceState.READY, False)


@pytest.mark.parametrize(
    ("strange", "answer"),
    [
        (replace(DIE, slot=8), [Acknowledge(DIE.event)]),
        (replace(DIE, slot=WHOLE_TRAY), [Acknowledge(DIE.event)]),
        (Fault(1, 8, 0), []),
        (Tag(8, 77), [Taught(77, 0, KindCode.NOT_KNOWN, 0, 0)]),
    ],
)
def test_a_place_that_the_tray_does_not_have_is_refused(strange: Die | Fault | Tag, answer: list[Message]) -> None:
    one = ready()
    told = said(one.data_received(wire(strange), 1.0))
    assert [message for message in told if isinstance(message, Acknowledge | Taught)] == answer
    assert (one.places, one.faults, one.counts["beyond_places"]) == ((), (), 1)
    nowhere = strange.slot == WHOLE_TRAY
    named = "a die without telling its place" if nowhere else f"place {strange.slot + 1} and says that it has only 8"
    assert named in one.condition.remedy
    one.data_received(wire(replace(HELLO, slots=9)), 1.2)
    assert bool(one.condition.remedy) == (strange.slot > 8), "a reader that answers late is a place from then on"


STRAY = replace(DIE, event=2, slot=8, face=20)


@pytest.mark.parametrize("stray", [STRAY, replace(STRAY, kind=KindCode.NOT_KNOWN, die_id=9), replace(STRAY, state=2)])
@pytest.mark.parametrize("counted", [True, False])
def test_a_die_of_no_place_costs_itself_and_not_its_roll(stray: Die, *, counted: bool) -> None:
    """Whether the tray counts it or not: by the digest the host knows; its face is never believed."""
    one = ready()
    dice = [DIE, stray] if counted else [DIE]
    end = RollEnd(3, 1, len(dice), roll_digest(dice))
    (reading,) = readings(one.data_received(wire(DIE, stray, end), 1.0))
    told = [(die.kind, die.face, die.state, die.doubt) for die in reading.dice]
    asked = (DieKind.D20, None, DieState.DOUBTFUL, None)
    assert told == [(DieKind.D20, 17, DieState.READ, None), asked][: len(dice)]
    assert not [message for message in said(one.tick(2.5)) if isinstance(message, Snapshot)]


@pytest.mark.parametrize("second", [(), (9,)])
def test_a_die_that_is_told_of_beyond_the_places_too_stands_where_it_lies(second: tuple[int, ...]) -> None:
    """A tray that repeats a die in a place that it does not have makes no second die of it, and no doubt."""
    one = ready()
    lying = replace(DIE, die_id=0x4D)
    dice = [lying, *(replace(lying, event=slot, slot=slot) for slot in (8, *second))]
    (reading,) = readings(one.data_received(wire(*dice, RollEnd(10, 1, len(dice), roll_digest(dice))), 1.0))
    assert [(die.face, die.state) for die in reading.dice] == [(17, DieState.READ)]


def test_the_workshop_asks_and_keeps_what_the_tray_says() -> None:
    one = ready()
    assert not [message for message in said(one.sense(1.0)) if isinstance(message, Sense)], "a tray of 1.0"
    one.data_received(wire(replace(HELLO, minor=1)), 1.0)
    assert Sense(42) in said(one.sense(1.1))
    levels, reader = Levels(9, 2, 0), ReaderState(1, 0x92, 0, 7)
    one.data_received(wire(levels, reader, ReaderState(200, 0, 0, 0)), 1.2)
    health = one.health
    assert health is not None
    assert (health.levels, health.readers) == (levels, (reader,))
    one.data_received(wire(Levels(700, 2, 0)), 1.5)
    peaks = []
    for now in (2.0, 4.5, 5.0):
        one.data_received(wire(Levels(3, 2, 0)), now)
        assert one.health is not None
        peaks.append((one.health.levels.piezo, one.health.peak))
    assert peaks == [(3, 700), (3, 700), (3, 3)], "a knock can be seen for some seconds"
    one.data_received(wire(replace(HELLO, minor=1, boot_id=9)), 5.3)
    assert one.health is None, "another start has not told yet"


def test_what_a_tray_counted_of_damaged_frames_is_summed_up() -> None:
    one = ready()
    one.data_received(wire(Beat(600, 0, 1, 2, 0, 0, malformed=4, short=8, overruns=16)), 1.0)
    assert (one.counts["dropped_by_tray"], one.counts["overruns_of_tray"]) == (15, 16)


def test_a_restarted_host_gives_the_same_roll_the_same_name() -> None:
    names: set[str] = set()
    for _ in range(2):
        names.update(reading.reading_id for reading in readings(ready().data_received(wire(DIE, END), 1.0)))
    assert len(names) == 1


def test_silence_is_mute_after_1_6_s_and_reopened_after_5_s() -> None:
    one = ready()
    one.data_received(wire(Beat(1, 0, 0, 0, 0, 0)), 1.0)
    assert situations(pass_time(one, 1.0, 2.59)) == []
    assert situations(pass_time(one, 2.59, 2.6)) == [Situation.MUTE]
    actions = pass_time(one, 2.6, 5.99)
    assert Reopen() not in actions
    assert HelloRequest(MAJOR, MINOR, 42) in said(actions)
    assert pass_time(one, 5.99, 20.0).count(Reopen()) == 1


def test_a_mute_tray_that_beats_again_is_ready_at_once() -> None:
    one = ready()
    pass_time(one, 0.0, 2.0)
    assert situations(one.data_received(wire(Beat(1, 0, 0, 0, 0, 0)), 2.0)) == [Situation.READY]


def test_a_tray_heard_again_after_silence_is_asked_for_everything_anew() -> None:
    one = ready()
    pass_time(one, 0.0, 3.0)
    one.taught_anew(3.0)  # nobody hears that now
    assert Snapshot(0xBB) in said(one.data_received(wire(Beat(3100, 0, 0, 0, 0, 0)), 3.1))
    assert Snapshot(0xBB) not in said(one.data_received(wire(Beat(3600, 0, 0, 0, 0, 0)), 3.6))


def test_the_faults_of_a_start_end_with_it() -> None:
    one = ready()
    faults = []
    for message in (Fault(1, 2, 0), replace(HELLO, boot_id=0xBC)):
        one.data_received(wire(message), 0.1)
        faults.append(one.faults)
    assert faults == [((1, 2),), ()]
    assert "fails" not in one.condition.remedy


def test_what_lies_in_a_place_is_known_again_after_half_of_all_event_numbers() -> None:
    one = ready()
    one.data_received(wire(DIE, END), 0.1)
    gone = replace(DIE, event=40_000, state=StateCode.REMOVED)
    clear = RollEnd(40_001, 1, 0, roll_digest([]))
    one.data_received(wire(gone, clear), 0.2)
    asked = said(pass_time(one, 0.2, 1.3))
    assert Snapshot(0xBB) in asked
    one.data_received(wire(clear, Beat(1, 40_001, 0, 0, 0, 0)), 1.4)
    assert one.places == ()


def test_garbled_bytes_are_no_sign_of_life() -> None:
    one = ready()
    for step in range(20):
        one.data_received(b"\x00\x05garbled\x00", step / 10)
    assert one.condition.situation is Situation.MUTE


@pytest.mark.parametrize(("major", "update"), [(0, "Update the tray's firmware"), (2, "Update trueroll")])
def test_another_major_version_is_refused_with_what_to_update(major: int, update: str) -> None:
    one = session()
    one.opened(0.0)
    actions = one.data_received(wire(replace(HELLO, major=major, minor=7), DIE, END), 0.1)
    assert one.condition.state is SourceState.INCOMPATIBLE
    assert f"version {major}.7" in one.condition.what
    assert update in one.condition.remedy
    assert said(actions) == []
    assert readings(actions) == []
    assert Reopen() not in pass_time(one, 0.1, 120.0)
    one.data_received(wire(HELLO), 120.0)
    assert one.condition.situation is Situation.READY


def test_a_future_hello_needs_only_its_first_two_bytes() -> None:
    one = session()
    one.opened(0.0)
    one.data_received(encode_frame(WireFrame(Hello.CODE, 0, b"\x03\x01")), 0.1)
    assert "version 3.1" in one.condition.what


def test_a_higher_minor_version_is_fine_and_its_news_are_counted() -> None:
    one = session()
    one.opened(0.0)
    newer = replace(HELLO, minor=9)
    one.data_received(encode_frame(WireFrame(Hello.CODE, 0, newer.to_bytes() + b"more")), 0.1)
    one.data_received(encode_frame(WireFrame(0xA0, 0, b"news")), 0.2)
    assert one.condition.situation is Situation.READY
    assert one.counts["messages_with_more_fields"] == 1
    assert one.counts["unknown_types"] == 1


def test_a_payload_too_short_is_counted() -> None:
    one = ready()
    assert said(one.data_received(encode_frame(WireFrame(Die.CODE, 0, b"\x01")), 0.5)) == []
    assert one.counts["undersized_messages"] == 1


def test_a_port_that_echoes_is_no_tray() -> None:
    one = session()
    for _ in range(5):
        echo = b"".join(action.data for action in one.opened(0.0) if isinstance(action, Send))
        one.data_received(echo, 0.1)
    assert one.condition.situation is Situation.GREETING
    assert one.counts["echoes"] == 5


def test_the_round_trip_is_measured() -> None:
    one = session()
    one.opened(0.0)
    (ping,) = [message for message in said(one.data_received(wire(HELLO), 0.1)) if isinstance(message, Ping)]
    one.data_received(wire(Pong(ping.nonce + 1)), 0.102)
    assert one.round_trip is None
    one.data_received(wire(Pong(ping.nonce)), 0.103)
    assert one.round_trip == pytest.approx(0.003)


def test_a_fault_is_believed_for_as_long_as_the_tray_repeats_it() -> None:
    one = ready()
    one.data_received(wire(Fault(1, 4, 0)), 1.0)
    assert list(one.faults) == [(1, 4)]
    for step in range(3, 30):
        one.data_received(wire(Beat(step, 0, 0, 0, 0, 0)), step / 2)
    assert list(one.faults) == []


def test_a_fault_is_named_while_it_lasts() -> None:
    one = ready()
    one.data_received(wire(Fault(1, 4, 0), Fault(3, 0xFF, 0)), 1.0)
    assert one.condition.state is SourceState.READY
    assert "the reader under place 5" in one.condition.remedy
    assert "the light beam" in one.condition.remedy
    for step in range(3, 30):
        one.data_received(wire(Beat(step, 0, 0, 0, 0, 0)), step / 2)
    assert one.condition.remedy == ""


def test_a_tray_whose_only_eye_fails_is_not_ready_until_it_sees_again() -> None:
    one = session()
    one.opened(0.0)
    one.data_received(
        wire(replace(HELLO, slots=0, capabilities=Capability.PICTURES), Fault(FaultCode.CAMERA, 255, 0)), 0.1
    )
    assert (one.condition.situation, one.condition.state) == (Situation.READY, SourceState.LOST)
    assert "the camera fails" in one.condition.what
    for now in range(1, 14):
        one.data_received(wire(Pong(0)), float(now))
    assert one.condition.state is SourceState.READY


def test_a_die_of_an_unknown_kind_is_named_as_a_reason_to_update() -> None:
    one = ready()
    strange = replace(DIE, kind=9)
    assert readings(one.data_received(wire(strange, replace(END, digest=roll_digest([strange]))), 1.0)) == []
    assert "Update trueroll" in one.condition.remedy


def test_missing_dice_are_asked_for_with_a_snapshot() -> None:
    one = ready()
    one.data_received(wire(END), 0.5)
    one.data_received(wire(Beat(1, 0, 0, 0, 0, 0)), 1.4)
    actions = pass_time(one, 1.4, 1.6)
    assert Snapshot(0xBB) in said(actions)
    assert len(readings(one.data_received(wire(DIE, END), 1.7))) == 1


def test_plain_lines_during_the_greeting_are_kept_until_it_is_over() -> None:
    one = session()
    one.opened(0.0)
    assert readings(one.data_received(b"d20 17\r\nchallenge effect\r\n", 1.0)) == []
    actions = pass_time(one, 1.0, 4.0)
    assert situations(actions) == [Situation.PLAIN]
    assert one.condition.state is SourceState.READY
    (reading,) = readings(actions)
    assert [die.face for die in reading.dice] == [17, "effect"]
    assert all(die.weak for die in reading.dice)
    assert said(pass_time(one, 4.0, 60.0)) == []


def test_dice_that_nobody_has_taught_are_named_as_people_say_it() -> None:
    one = ready()
    stranger = replace(DIE, die_id=5, kind=KindCode.NOT_KNOWN, face=0, state=StateCode.FAULT, confidence=0)
    one.data_received(wire(stranger), 0.1)
    assert "the die in place 1. Teach it" in one.condition.remedy
    one.data_received(wire(replace(stranger, event=2, slot=1, die_id=6)), 0.1)
    assert "the dice in places 1 and 2. Teach them" in one.condition.remedy
    one.data_received(wire(replace(stranger, event=3, slot=3, die_id=7)), 0.1)
    assert "the dice in places 1, 2 and 4. Teach them" in one.condition.remedy


def test_two_plain_throws_during_the_greeting_stay_two() -> None:
    one = session()
    one.opened(0.0)
    one.data_received(b"d20 17\n", 0.4)
    one.data_received(b"d20 3\nchallenge effect\n", 1.6)
    one.data_received(b"d20 8\n", 2.8)
    at_once = one.tick(3.0)
    assert [[die.face for die in reading.dice] for reading in readings(at_once)] == [[17], [3, "effect"]]
    (last,) = readings(pass_time(one, 3.0, 5.0))
    assert [die.face for die in last.dice] == [8]


def test_a_plain_tray_silent_for_long_shows_itself_with_its_first_throw() -> None:
    one = session()
    one.opened(0.0)
    pass_time(one, 0.0, 20.0)
    one.data_received(b"d20 1", 20.0)
    assert situations(one.data_received(b"7\n", 20.1)) == [Situation.PLAIN]
    (reading,) = readings(pass_time(one, 20.1, 21.0))
    assert reading.dice[0].face == 17


def test_a_tray_that_speaks_in_frames_never_makes_a_plain_die() -> None:
    one = session()
    one.opened(0.0)
    actions = one.data_received(b"d20 17\n" + wire(HELLO) + b"d20 17\n", 0.5)
    actions += one.data_received(b"d20 17\nd20 3\n", 0.6)
    actions += pass_time(one, 0.6, 10.0)
    assert readings(actions) == []


def test_lines_before_the_first_frame_are_none_whatever_the_frame_says() -> None:
    one = session()
    one.opened(0.0)
    one.data_received(b"d20 17\n", 0.4)
    one.data_received(wire(Beat(1, 0, 0, 0, 0, 0)), 0.5)
    actions = pass_time(one, 0.5, 9.0)
    assert situations(actions) == [Situation.SILENT]
    assert readings(actions) == []


def test_a_frame_ends_the_plain_dialect() -> None:
    one = session()
    one.opened(0.0)
    one.data_received(b"d20 17\n", 0.5)
    pass_time(one, 0.5, 3.2)
    actions = one.data_received(b"d20 4\n" + wire(Beat(1, 0, 0, 0, 0, 0)), 3.3)
    assert situations(actions) == [Situation.GREETING]
    assert readings(pass_time(one, 3.3, 9.0)) == []


def test_reopening_forgets_half_a_line_half_a_frame_and_half_a_roll() -> None:
    one = session()
    one.opened(0.0)
    one.data_received(b"d20 17\nd20 1", 1.0)
    one.opened(2.0)
    one.data_received(b"7\n", 2.1)
    assert readings(pass_time(one, 2.1, 10.0)) == []


has_plain_line = re.compile(rb"[\r\n]")


@given(
    st.lists(st.tuples(st.binary(max_size=80), st.floats(0, 4)), max_size=30),
    st.sampled_from(["greeted", "not greeted"]),
)
def test_no_bytes_raise_and_none_make_a_die(pieces: list[tuple[bytes, float]], start: str) -> None:
    one = session()
    one.opened(0.0)
    if start == "greeted":
        one.data_received(wire(HELLO), 0.0)
    now = 0.0
    found: list[Reading] = []
    for data, wait in pieces:
        found += readings(pass_time(one, now, now + wait))
        now += wait
        found += readings(one.data_received(data, now))
    found += readings(pass_time(one, now, now + 40))
    stream = b"".join(data for data, _ in pieces)
    assert found == [] or any(parse_line(line) for line in has_plain_line.split(stream))


@given(
    st.lists(st.sampled_from([wire(HELLO), wire(DIE), wire(END), wire(Beat(1, 2, 0, 0, 0, 0)), b"\x00", b"d20 3\n"]))
)
def test_pieces_of_a_real_conversation_in_any_order_show_only_its_die(pieces: list[bytes]) -> None:
    one = session()
    one.opened(0.0)
    found = [reading for piece in pieces for reading in readings(one.data_received(piece, 0.5))]
    found += readings(pass_time(one, 0.5, 10.0))
    framed = [reading for reading in found if not any(die.weak for die in reading.dice)]
    assert len(framed) <= 1
    assert all([die.face for die in reading.dice] == [17] for reading in framed)
    if framed:
        assert wire(HELLO) in pieces


def test_dice_that_were_not_seen_thrown_are_told_of_until_they_are_thrown_or_lifted() -> None:
    one = ready()
    assert one.condition.notice == ""
    lying = replace(DIE, roll=0)
    one.data_received(wire(lying), 0.1)
    assert "did not see thrown" in one.condition.notice
    assert one.condition.notice in one.condition.remedy
    one.data_received(wire(replace(DIE, event=2)), 0.2)
    assert one.condition.notice == ""
    one.data_received(wire(replace(lying, event=3)), 0.3)
    assert one.condition.notice
    one.data_received(wire(replace(lying, event=4, state=StateCode.REMOVED, face=0)), 0.4)
    assert one.condition.notice == ""


def test_one_who_teaches_is_not_told_of_the_dice_that_are_laid_down_for_it() -> None:
    teaching = [True]
    one = TraySession(nonce=41, start_id="start", teaching=lambda: teaching[0])
    one.opened(0.0)
    one.data_received(wire(HELLO), 0.0)
    stranger = replace(DIE, roll=0, die_id=5, kind=KindCode.NOT_KNOWN, face=0, state=StateCode.FAULT, confidence=0)
    one.data_received(wire(stranger), 0.1)
    assert (one.condition.notice, one.condition.remedy) == ("", "")
    teaching[0] = False
    one.tick(0.2)
    assert one.condition.notice
    assert "Nobody has taught" in one.condition.remedy
