"""The simulated tray keeps the rules of the page, and its commands say what they did."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from firmware_bridge.errors import SimulatorError
from firmware_bridge.framing import FrameDecoder, encode_frame
from firmware_bridge.messages import (
    Acknowledge,
    Beat,
    Configure,
    Die,
    Hello,
    HelloRequest,
    KindCode,
    Message,
    Ping,
    Pong,
    Reset,
    ResetCause,
    Result,
    ResultCode,
    Ring,
    RollEnd,
    Snapshot,
    StateCode,
    Taught,
    Unknown,
    decode,
)
from firmware_bridge.simulator import SLOTS, SimulatedTray
from firmware_bridge.simulator_commands import COMMANDS, parse_die, parse_kinds, perform
from rules.dice import DiceError, DieKind, Symbol


def tray(seed: int = 1) -> SimulatedTray:
    return SimulatedTray(Random(seed))  # noqa: S311 - a repeatable tray


def ask(one: SimulatedTray, now: float, *messages: Message) -> list[Message | Unknown]:
    one.receive(b"".join(encode_frame(message.to_frame(1)) for message in messages), now)
    return heard(one)


def heard(one: SimulatedTray) -> list[Message | Unknown]:
    return [decode(frame).message for frame in FrameDecoder().feed(one.take_output())]


def test_only_hello_until_the_host_knows_the_boot() -> None:
    one = tray()
    one.throw([(DieKind.D20, 17)], 0.0)
    for step in range(40):
        one.advance(step / 10)
    said = heard(one)
    assert {type(message) for message in said} == {Hello}
    assert len(said) == 8
    ask(one, 4.0, Snapshot(one.boot_id ^ 1))
    one.advance(4.6)
    assert {type(message) for message in heard(one)} == {Hello}
    assert {type(message) for message in ask(one, 5.0, Snapshot(one.boot_id))} >= {Die, RollEnd}


def test_answers() -> None:
    one = tray()
    (hello,) = ask(one, 0.01, HelloRequest(1, 0, 99))
    assert isinstance(hello, Hello)
    assert (hello.nonce, hello.boot_id, hello.reset_cause) == (99, one.boot_id, ResetCause.POWER)
    assert ask(one, 0.02, Ping(7)) == [Pong(7)]
    assert ask(one, 0.03, Ring(1, 2, 3, 4)) == [Result(1, Ring.CODE, ResultCode.DONE)]
    assert ask(one, 0.04, Configure(1, 2)) == [Result(1, Configure.CODE, ResultCode.UNKNOWN)]
    boot = one.boot_id
    ask(one, 0.05, Reset(0))
    assert one.boot_id == boot
    ask(one, 0.05, Reset(Reset.MAGIC))
    assert one.boot_id != boot


def test_an_event_is_repeated_every_225_ms_until_acknowledged() -> None:
    one = tray()
    ask(one, 0.0, Snapshot(one.boot_id))
    one.throw([(DieKind.D20, 17)], 0.0)
    times = []
    for step in range(250):
        one.advance(step / 1000)
        times += [step for message in heard(one) if isinstance(message, Die)]
    assert times == [0, 225]
    ask(one, 0.25, Acknowledge(1))
    one.advance(0.29)
    assert not [message for message in heard(one) if isinstance(message, Die)]


def test_it_beats_every_500_ms() -> None:
    one = tray()
    ask(one, 0.0, Snapshot(one.boot_id))
    beats = []
    for step in range(2050):
        one.advance(step / 1000)
        beats += [message for message in heard(one) if isinstance(message, Beat)]
    assert [beat.uptime for beat in beats] == [50, 550, 1050, 1550]


def test_what_it_throws_by_itself_is_chance_and_repeatable() -> None:
    counts: Counter[object] = Counter()
    one = tray(5)
    for _ in range(600):
        counts.update(face for _, face in one.throw_some([DieKind.CHALLENGE] * 2, 0.0))
    assert counts.keys() == {1, 2, Symbol.BLANK, Symbol.EFFECT}
    assert all(130 < counts[face] < 270 for face in (1, 2))  # 200 expected of 1,200
    assert all(310 < counts[face] < 490 for face in (Symbol.BLANK, Symbol.EFFECT))  # 400 expected
    assert tray(9).throw_some([DieKind.D20] * 5, 0.0) == tray(9).throw_some([DieKind.D20] * 5, 0.0)


@pytest.mark.parametrize("count", [0, SLOTS + 1])
def test_it_has_places_for_so_many_dice(count: int) -> None:
    with pytest.raises(SimulatorError, match="between 1 and 16"):
        tray().throw([(DieKind.D20, 1)] * count, 0.0)


def test_a_face_that_no_die_has_changes_nothing() -> None:
    one = tray()
    one.throw([(DieKind.D20, 5)], 0.0)
    before = one.dice
    with pytest.raises(DiceError):
        one.throw([(DieKind.D20, 21)], 1.0)
    assert one.dice == before


def test_every_byte_garbled_is_no_byte_right() -> None:
    one = tray()
    one.faults.garble = 100.0
    assert ask(one, 0.0, Ping(1)) == []


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("throw d20:4 challenge:effect", "thrown: d20 4, challenge effect"),
        ("clear", "the tray is empty"),
        ("garble 2.5", "2.5 % of the bytes are damaged, each way"),
        ("drop-acks on", "acknowledgements are ignored"),
        ("drop-acks off", "acknowledgements are heard"),
        ("stall", "the tray has frozen"),
        ("resume", "the tray runs"),
        ("major 2", "the tray restarted with protocol version 2"),
        ("places 2", "the tray restarted and says that it has 2 places"),
        ("noise", "the boot loader's noise went over the wire"),
        ("", ""),
    ],
)
def test_commands_say_what_they_did(line: str, answer: str) -> None:
    assert perform(tray(), line, 0.0) == answer


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("dance", "'dance' is no command"),
        ("throw", "between 1 and 16"),
        ("throw d20", "'d20' is no die"),
        ("throw d20:21", "cannot show 21"),
        ("throw d12:3", "'d12:3' is no die"),
        ("roll 2d12", "no number of dice"),
        ("roll 99d20", "between 1 and 16"),
        ("garble lots", "a percentage from 0 to 100"),
        ("garble nan", "a percentage from 0 to 100"),
        ("cocked", "a slot from 0 to 15"),
        ("cocked 3", "no die in slot 3"),
        ("drop-acks perhaps", "on or off"),
        ("major 256", "a major version from 0 to 255"),
        ("places 17", "a number of places from 0 to 16"),
    ],
)
def test_commands_that_cannot_be_obeyed_say_why(line: str, complaint: str) -> None:
    with pytest.raises(SimulatorError, match=complaint):
        perform(tray(), line, 0.0)


def test_a_die_is_turned_but_never_changed_for_another() -> None:
    one = tray()
    perform(one, "throw d20:4", 0.0)
    with pytest.raises(SimulatorError, match="slot 0 is a d20, not a d6"):
        perform(one, "settle 0 d6:3", 1.0)
    perform(one, "settle 0 d20:3", 1.0)
    assert one.dice[0].face == 3


def test_a_tagged_die_that_is_laid_still_again_shows_what_its_tag_means() -> None:
    one = tray()
    one.receive(encode_frame(Snapshot(one.boot_id).to_frame(1)), 0.0)
    perform(one, "tags 0:f1ad3adf 1:0000abcd", 0.0)
    one.receive(encode_frame(Taught(0xF1AD3ADF, 7, KindCode.D20, 17, 0).to_frame(2)), 0.1)
    one.advance(0.2)
    perform(one, "settle 0", 0.2)
    assert one.dice[1].state == StateCode.ROLLING, "the other still rolls, and nobody has said what it is"
    one.advance(2.0)
    perform(one, "hold 0", 3.0)
    perform(one, "settle 0", 4.0)
    perform(one, "settle 1", 4.0)
    shown = [(die.kind, die.face, die.state) for die in one.dice]
    assert shown == [(KindCode.D20, 17, StateCode.SETTLED), (KindCode.NOT_KNOWN, 0, StateCode.FAULT)]
    with pytest.raises(SimulatorError, match="shows what its tag means"):
        perform(one, "settle 1 d20:5", 5.0)


def test_help_lists_every_command_and_status_every_die() -> None:
    one = tray()
    listed = perform(one, "help", 0.0)
    assert all(command.usage in listed and command.does in listed for command in COMMANDS.values())
    perform(one, "throw d20:4 challenge:effect", 0.0)
    perform(one, "cocked 1", 1.0)
    status = perform(one, "status", 1.0)
    assert "slot 0: d20 4, rolling, roll 1" in status
    assert "slot 1: challenge effect, cocked, roll 1" in status


def test_dice_as_people_write_them() -> None:
    assert parse_die("D20:17") == (DieKind.D20, 17)
    assert parse_kinds(["2d20", "challenge"]) == (DieKind.D20, DieKind.D20, DieKind.CHALLENGE)
