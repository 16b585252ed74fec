"""Recordings: written by a conversation, replayed to the same readings, refused with the line when broken."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.actions import Action, Send
from firmware_bridge.conversation import Direction, Passed, PortChanged
from firmware_bridge.describe import reading_words
from firmware_bridge.errors import RecordingError
from firmware_bridge.framing import encode_frame
from firmware_bridge.messages import Die, Hello, KindCode, Message, RollEnd, StateCode
from firmware_bridge.recording import Recording, head_line, line_of, read_recording, replay
from firmware_bridge.rolls import roll_digest
from firmware_bridge.session import TraySession
from rules.dice import DieKind, DieReading, DieState, Doubt, Reading, SourceKind, Symbol
from tests.firmware_bridge.wire import Wire, shown

passed = st.lists(
    st.builds(Passed, st.floats(0, 1e6), st.sampled_from(Direction), st.binary(max_size=60)), max_size=10
).map(lambda lines: sorted(lines, key=lambda one: one.time))


def text_of(lines: Iterable[str]) -> str:
    """The whole lines as the text of a file."""
    return "".join(f"{line}\n" for line in lines)


def recorded() -> tuple[Wire, list[str]]:
    """A conversation on a wire, and its recording."""
    wire, lines = Wire(), [head_line(77)]

    class Recorder(TraySession):
        def data_received(self, data: bytes, now: float) -> list[Action]:
            lines.append(line_of(Passed(now, Direction.IN, data)))
            actions = super().data_received(data, now)
            lines.extend(
                line_of(Passed(now, Direction.OUT, action.data)) for action in actions if isinstance(action, Send)
            )
            return actions

    wire.session = Recorder(nonce=77, start_id="wire")
    wire.open()
    wire.run(1)
    wire.throw((DieKind.D20, 17), (DieKind.CHALLENGE, Symbol.EFFECT))
    wire.run(1)
    wire.throw((DieKind.D20, 2))
    wire.run(1)
    return wire, lines


def test_a_replay_gives_the_same_readings() -> None:
    wire, lines = recorded()
    session = TraySession(nonce=77, start_id="replay")
    assert [reading for _, reading in replay(read_recording(text_of(lines)), session)] == wire.readings
    assert [shown(reading) for reading in wire.readings] == [
        [(DieKind.D20, 17), (DieKind.CHALLENGE, Symbol.EFFECT)],
        [],
        [(DieKind.D20, 2)],
    ]


def test_a_plain_tray_is_replayed_with_its_quiet() -> None:
    one = Recording(5, (Passed(4.0, Direction.IN, b"d20 17\n"), Passed(4.2, Direction.IN, b"d20 3\n")))
    found = list(replay(one, TraySession(nonce=5, start_id="replay")))
    assert [(round(at, 1), [die.face for die in reading.dice]) for at, reading in found] == [(4.7, [17, 3])]


@given(st.integers(1, 0xFFFF), passed)
def test_lines_survive_writing_and_reading(nonce: int, lines: list[Passed]) -> None:
    found = read_recording(text_of([head_line(nonce), *map(line_of, lines), ""]))
    assert found.nonce == nonce
    assert [(one.direction, one.data) for one in found.passed] == [(one.direction, one.data) for one in lines]
    assert all(abs(one.time - line.time) < 1e-5 for one, line in zip(found.passed, lines, strict=True))


@given(st.lists(st.text(max_size=60), max_size=5))
def test_any_text_is_a_recording_or_refused(lines: list[str]) -> None:
    complaint = ""
    try:
        assert read_recording(text_of([head_line(1), *lines])).nonce == 1
    except RecordingError as error:
        complaint = str(error)
    assert complaint == "" or complaint.startswith("line ")


GOOD = '{"t": 1, "direction": "in", "hex": "00"}'


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([], "is empty"),
        (["no json"], "no trueroll recording"),
        (["[]"], "no trueroll recording"),
        (["{}"], "no trueroll recording"),
        ([json.dumps({"trueroll": "tray recording", "version": 2, "nonce": 1})], "Update trueroll|format 2"),
        ([json.dumps({"trueroll": "tray recording", "version": 1, "nonce": 0})], "nonce from 1 to 65535"),
        ([head_line(1), "[" * 100_000], "line 2"),
        ([head_line(1), GOOD, '{"t": 0.5, "direction": "in", "hex": "00"}'], "line 3 of the recording goes back"),
        ([head_line(1), '{"t": NaN, "direction": "in", "hex": "00"}'], "line 2 .* needs a time"),
        ([head_line(1), '{"t": 1e300, "direction": "in", "hex": "00"}'], "line 2 .* from 0 to 31622400 seconds"),
        ([head_line(1), f'{{"t": {10**400}, "direction": "in", "hex": "00"}}'], "line 2 .* needs a time"),
        ([head_line(1), '{"t": true, "direction": "in", "hex": "00"}'], "line 2 .* needs a time"),
        ([head_line(1), '{"t": 1, "direction": "up", "hex": "00"}'], "line 2 .* in or out"),
        ([head_line(1), '{"t": 1, "direction": "in", "hex": "0g"}'], "line 2 .* hex"),
    ],
)
def test_what_is_no_recording_says_which_line(lines: list[str], complaint: str) -> None:
    with pytest.raises(RecordingError, match=complaint):
        read_recording(text_of(lines))


@given(st.data())
def test_of_a_recording_that_was_cut_off_the_whole_lines_are_read(data: st.DataObject) -> None:
    lines = [head_line(7), *(line_of(Passed(float(one), Direction.IN, bytes(one))) for one in range(4))]
    whole = text_of(lines)
    cut = whole[: data.draw(st.integers(len(lines[0]), len(whole)))]
    left = cut.rpartition("\n")[2]
    found = read_recording(cut)
    whole_lines = cut.count("\n") - 1 + (left in lines[1:]) if "\n" in cut else 0
    assert [len(one.data) for one in found.passed] == list(range(whole_lines))
    assert found.cut_off == ("" if left in lines else left)
    assert read_recording(cut + "\n" + "\x00" * 40 if left in lines else cut).passed == found.passed


RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.jsonl"))


def test_there_are_recordings_to_play() -> None:
    assert {path.stem for path in RECORDINGS} >= {"an_evening", "a_plain_tray"}


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recording_is_a_test(path: Path) -> None:
    """What `trueroll tray replay` printed of it once, it prints for ever: record, look at the readings, keep both."""
    recording = read_recording(path.read_text(encoding="utf-8"))
    found = replay(recording, TraySession(nonce=recording.nonce, start_id="replay"))
    told = "".join(f"{now:9.3f}  {reading_words(reading)}\n" for now, reading in found)
    assert told == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_a_port_that_went_and_came_back_is_replayed_with_its_gap() -> None:
    lines = [
        head_line(5),
        line_of(Passed(4.0, Direction.IN, b"d20 17\n")),
        line_of(PortChanged(4.1, None)),
        line_of(PortChanged(9.0, 6)),
        line_of(Passed(13.0, Direction.IN, b"d20 3\n")),
        line_of(PortChanged(14.0, None)),
    ]
    recording = read_recording(text_of(lines))
    assert [(before, port.nonce) for before, port in recording.ports] == [(1, None), (1, 6), (2, None)]
    found = list(replay(recording, TraySession(nonce=5, start_id="replay")))
    assert [[die.face for die in reading.dice] for _, reading in found] == [[3]], "half a roll went with the port"


def test_a_tray_that_was_away_meanwhile_is_greeted_in_the_replay_too() -> None:
    hello = Hello(1, 0, 0, 0x0102, 0xAA, 0xBB, 1, 8, 15, 100)
    die = Die(1, 1, 0, 0, KindCode.D20, 17, StateCode.SETTLED, 100, 0, 0)
    end = RollEnd(2, 1, 1, roll_digest([die]))
    asked = replace(hello, nonce=701)

    def wire(*messages: Message) -> bytes:
        return b"".join(encode_frame(one.to_frame(number)) for number, one in enumerate(messages))

    lines = [
        head_line(77),
        line_of(PortChanged(0.5, None)),
        line_of(PortChanged(60.0, 700)),
        line_of(Passed(60.1, Direction.IN, wire(asked, die, end))),
    ]
    found = list(replay(read_recording(text_of(lines)), TraySession(nonce=77, start_id="replay")))
    assert [reading_words(reading) for _, reading in found] == ["d20 17"]


@pytest.mark.parametrize("line", ['{"t": 1, "port": "open"}', '{"t": 1, "port": "ajar"}', '{"t": -1, "port": "gone"}'])
def test_a_port_that_did_neither_is_refused(line: str) -> None:
    with pytest.raises(RecordingError, match="line 2"):
        read_recording(text_of([head_line(1), line]))


def test_dice_without_a_face_are_told_by_what_keeps_it() -> None:
    dice = tuple(
        DieReading(DieKind.D20, None, 0.0, DieState.DOUBTFUL, SourceKind.TRAY, doubt=doubt) for doubt in (*Doubt, None)
    )
    assert reading_words(Reading("r", SourceKind.TRAY, dice)) == (
        "a die that nobody has taught, a die that is cocked, or two in one place, d20 doubtful"
    )
