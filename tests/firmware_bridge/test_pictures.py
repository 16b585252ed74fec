"""Pictures of a tray with a camera: fetched in chunks, resumed, acknowledged, and given out once. Time is a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.actions import Action, Show
from firmware_bridge.describe import frame_data, frame_words
from firmware_bridge.framing import FrameDecoder, WireFrame
from firmware_bridge.messages import (
    Acknowledge,
    Beat,
    Capability,
    Chunk,
    Hello,
    Message,
    PictureReady,
    SceneCode,
    SceneSeen,
    Snapshot,
    Unknown,
    Want,
    decode,
)
from firmware_bridge.pictures import IN_VAIN, LARGEST, MOST_REPLACED, TRIES, PictureBook, TrayPicture
from firmware_bridge.rolls import TrayIdentity
from firmware_bridge.session import TraySession
from firmware_bridge.wording import Situation
from tests.firmware_bridge.test_session import pass_time, said, wire

HELLO = Hello(1, 1, 0, 0x0101, 0xCA, 0xB007, 1, 0, Capability.PICTURES, 100)
JPEG = Random(3).randbytes(5000)  # noqa: S311 - the same bytes every time
PICTURE = PictureReady(1, 1, len(JPEG), crc32(JPEG), 640, 480, 1200)
NAMED = "tray:000000ca:0000b007:1:1"


def shown(actions: Iterable[Action]) -> list[TrayPicture]:
    return [action.picture for action in actions if isinstance(action, Show)]


def ready(hello: Hello = HELLO) -> TraySession:
    one = TraySession(nonce=41, start_id="start")
    one.opened(0.0)
    one.data_received(wire(hello), 0.0)
    assert one.condition.situation is Situation.READY
    return one


@dataclass
class CameraTray:
    """What answers a session: the newest picture, `drops` says which chunks get lost."""

    picture: PictureReady = PICTURE
    data: bytes = JPEG
    drops: Callable[[int], bool] = lambda _: False
    size: int = 1024
    acknowledged: list[int] = field(default_factory=list)
    wanted: list[Want] = field(default_factory=list)
    sent: int = 0

    def answer(self, messages: Iterable[Message | Unknown]) -> bytes:
        out = b""
        for message in messages:
            if isinstance(message, Acknowledge):
                self.acknowledged.append(message.event)
            elif isinstance(message, Want):
                self.wanted.append(message)
                assert message.event == self.picture.event
                for start in range(message.offset, message.offset + message.length, self.size):
                    end = min(start + self.size, message.offset + message.length)
                    self.sent += 1
                    if not self.drops(self.sent):
                        out += wire(Chunk(message.event, start, self.data[start:end]))
        return out

    def hold(self, session: TraySession, now: float, seconds: float = 60.0) -> list[TrayPicture]:
        """Announce the picture, and talk until nothing is wanted any more; what is given out."""
        actions = session.data_received(wire(self.picture), now)
        end, seen = now + seconds, shown(actions)
        while now < end and (self.picture.event not in self.acknowledged):
            data = self.answer(said(actions))
            if not data:
                now = max(now, session.deadline)
                actions = session.tick(now)
            else:
                now += 0.002
                actions = session.data_received(data, now)
            seen += shown(actions)
            self.answer(one for one in said(actions) if isinstance(one, Acknowledge))
        return seen


def test_a_picture_comes_whole_is_acknowledged_and_given_out_once() -> None:
    session, tray = ready(), CameraTray()
    assert tray.hold(session, 1.0) == [TrayPicture(NAMED, JPEG)]
    assert (tray.acknowledged, tray.wanted) == ([1], [Want(1, 0, 5000)])
    again = session.data_received(wire(PICTURE), 2.0)
    assert (said(again), shown(again)) == ([Acknowledge(1)], [])


@given(st.integers(0, 2**32), st.integers(1, 1024))
def test_lost_chunks_are_asked_for_again(seed: int, size: int) -> None:
    """Three in ten are lost, and never as many in a row as make the bridge give up (`IN_VAIN`)."""
    random = Random(seed)  # noqa: S311 - the same losses every time
    tray = CameraTray(drops=lambda sent: random.random() < 0.3 and sent % 3 > 0, size=max(size, 100))
    assert tray.hold(ready(), 1.0) == [TrayPicture(NAMED, JPEG)]


def test_what_has_come_stays_over_a_lost_connection() -> None:
    session = ready()
    first = CameraTray(drops=lambda number: number > 3)
    actions = session.data_received(wire(PICTURE), 1.0)
    session.data_received(first.answer(said(actions)), 1.01)
    session.opened(2.0)
    assert Snapshot(HELLO.boot_id) in said(session.data_received(wire(replace(HELLO, uptime=2000)), 2.0))
    second = CameraTray()
    assert second.hold(session, 2.1) == [TrayPicture(NAMED, JPEG)]
    assert [one.offset for one in second.wanted] == [3072], "the first three chunks are not sent again"


def test_another_boot_begins_its_pictures_anew() -> None:
    session = ready()
    assert CameraTray().hold(session, 1.0)
    session.data_received(wire(replace(HELLO, boot_id=0xB008)), 3.0)
    other = CameraTray()
    assert other.hold(session, 3.1) == [TrayPicture("tray:000000ca:0000b008:1:1", JPEG)]


def test_a_newer_picture_takes_the_place_of_one_that_is_being_fetched() -> None:
    session = ready()
    session.data_received(wire(PICTURE, Chunk(1, 0, JPEG[:1024])), 1.0)
    newer = CameraTray(picture=replace(PICTURE, event=2, roll=2))
    assert [one.reading_id for one in newer.hold(session, 1.1)] == ["tray:000000ca:0000b007:2:2"]
    late = session.data_received(wire(PICTURE), 5.0)
    assert (said(late), shown(late)) == ([Acknowledge(1)], []), "the older one is over"


@pytest.mark.parametrize("by", ["check", "event"])
def test_pictures_that_replace_one_another_for_ever_are_told_once_until_one_comes(by: str) -> None:
    """Whether the tray changes the picture it announced, or announces a new one at each repeat."""
    session, now, told = ready(), 1.0, list[TrayPicture]()
    for number in range(1, 4 * MOST_REPLACED):
        now += 0.2
        other = replace(PICTURE, **{by: number})
        told += shown(session.data_received(wire(other, Chunk(other.event, 0, JPEG[:1024])), now))
    assert [(one.data, one.restless) for one in told] == [(b"", True)]
    last = CameraTray(picture=replace(PICTURE, event=4 * MOST_REPLACED))
    assert [(one.data, one.restless) for one in last.hold(session, now + 1)] == [(JPEG, False)]


def test_spoilt_bytes_are_fetched_three_times_and_then_given_up() -> None:
    tray = CameraTray(picture=replace(PICTURE, check=1))
    assert tray.hold(ready(), 1.0) == [TrayPicture(NAMED, b"")]
    assert len(tray.wanted) == TRIES


def test_a_picture_that_stays_cut_off_is_told_once_and_still_comes() -> None:
    """Nobody was told that the dice were never read: the tray was ready, and the asking went on in silence."""
    book, given = PictureBook(TrayIdentity(0xCA, 0xB007)), []
    book.announced(PICTURE, 1.0)
    book.came(Chunk(1, 0, JPEG[:1024]), 1.0)
    for _ in range(3 * IN_VAIN):
        assert book.ask_at is not None
        told, picture = book.due(book.ask_at)
        assert told == [Want(1, 1024, len(JPEG) - 1024)]
        given += [picture] if picture is not None else []
    assert given == [TrayPicture(NAMED, b"")]
    assert book.came(Chunk(1, 1024, JPEG[1024:]), 99.0)[1] == TrayPicture(NAMED, JPEG)


@pytest.mark.parametrize("size", [0, LARGEST + 1, 2**32 - 1])
def test_a_size_that_no_picture_has_is_not_fetched(size: int) -> None:
    actions = ready().data_received(wire(replace(PICTURE, size=size)), 1.0)
    assert said(actions) == [Acknowledge(1)]
    assert shown(actions) == [TrayPicture(NAMED, b"")]


def test_what_lay_there_at_the_start_is_no_roll_and_what_settled_before_the_greeting_is_found() -> None:
    lay_there = ready().data_received(wire(replace(PICTURE, roll=0)), 1.0)
    assert (said(lay_there), shown(lay_there)) == ([Acknowledge(1)], [])
    (one,) = CameraTray(picture=replace(PICTURE, device_time=90)).hold(ready(), 1.0)
    assert one.found


def test_a_tray_that_sends_no_chunks_is_asked_ever_more_slowly() -> None:
    session = ready()
    session.data_received(wire(PICTURE), 1.0)
    asked = 0
    for now in range(2, 22):
        session.data_received(wire(Beat(now, 1, 0, 0, 0, 0)), float(now))
        asked += sum(isinstance(one, Want) for one in said(pass_time(session, float(now), now + 0.99)))
    assert 5 < asked < 15


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6000), st.integers(1, 1024)), max_size=40))
def test_no_chunks_make_a_picture_up(chunks: list[tuple[int, int, int]]) -> None:
    session = ready()
    session.data_received(wire(PICTURE), 1.0)
    for event, offset, size in chunks:
        assert not shown(session.data_received(wire(Chunk(event, offset, bytes(size))), 1.1))


def test_what_the_tray_sees_is_known() -> None:
    session = ready()
    for code in (SceneCode.ROLLING, SceneCode.DARK, SceneCode.REST):
        session.data_received(wire(SceneSeen(code, 1, 5)), 1.0)
        assert session.scene is code
        assert ("sees too little" in session.condition.notice) == (code is SceneCode.DARK)
    session.data_received(wire(SceneSeen(99, 1, 5)), 1.0)
    assert session.scene is SceneCode.REST


def test_a_ready_camera_tray_names_its_camera_and_no_places() -> None:
    assert ready().condition.what == "Dice tray 000000ca is ready: its camera looks at the dice, firmware 1.1."
    assert "8 places" in ready(replace(HELLO, slots=8)).condition.what


def test_the_monitor_shows_how_long_a_chunk_is_and_the_data_what_is_in_it() -> None:
    frame = Chunk(1, 1024, b"\xff\xd8").to_frame(3)
    assert frame_words(frame) == "CHUNK #3 event=1 offset=1024 data=2 bytes"
    assert frame_data(frame)["data"] == "ffd8"
    (received,) = FrameDecoder(long_frames=True).feed(wire(Chunk(1, 0, b"\x00")))
    assert decode(received).message == Chunk(1, 0, b"\x00")
    assert isinstance(received, WireFrame)


def test_the_monitor_shows_a_firmware_as_people_write_it() -> None:
    assert "firmware=1.1" in frame_words(replace(HELLO, firmware=0x0101).to_frame(4))
