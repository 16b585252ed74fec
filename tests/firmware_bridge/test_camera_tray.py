"""The camera tray's program: its codec beside the host's, and the whole of it on MicroPython over a pseudo-terminal."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from unittest.mock import MagicMock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.actions import Action, Send, Show
from firmware_bridge.framing import LONG, LONG_PAYLOAD, MAXIMUM_PAYLOAD, FrameDecoder, WireFrame, encode_frame
from firmware_bridge.link import SerialLink, open_link
from firmware_bridge.messages import Beat, FaultCode, Reset, SceneCode
from firmware_bridge.pictures import TrayPicture
from firmware_bridge.session import TraySession
from firmware_bridge.supervisor import TraySupervisor
from firmware_bridge.wording import Situation
from tests.firmware_bridge.camera_tray import LOOK, PROGRAM, CameraTray
from vision.ports import Pixels


def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("camera_tray_main", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


TRAY = program()
JPEG = b"\xff\xd8" + Random(5).randbytes(40_000)  # noqa: S311 - the same bytes every time


def grey(*dice: tuple[int, int], noise: int = 0) -> Pixels:
    """A look at dice of nine by nine greys, with their first columns and rows."""
    random = np.random.default_rng(len(dice))
    look = 100 + random.integers(-noise, noise + 1, (LOOK[1], LOOK[0]))
    for x, y in dice:
        look[y : y + 9, x : x + 9] = 180
    return look.astype(np.uint8)


@given(st.integers(0, 255), st.binary(max_size=MAXIMUM_PAYLOAD))
def test_its_frames_are_those_of_the_host(code: int, payload: bytes) -> None:
    frame = WireFrame(code, 9, payload)
    wire = TRAY.framed(code, 9, payload)
    assert FrameDecoder(long_frames=True).feed(wire) == [frame]
    if code != LONG:
        assert TRAY.Frames().feed(encode_frame(frame)) == [(code, 9, payload)]


@given(st.integers(0, LONG_PAYLOAD), st.sampled_from([b"\x00", b"\x01", b"\x01\x00", bytes(range(256))]))
def test_its_long_frames_are_read_by_the_host(size: int, pattern: bytes) -> None:
    payload = (pattern * size)[:size]
    assert FrameDecoder(long_frames=True).feed(TRAY.framed(LONG, 1, payload)) == [WireFrame(LONG, 1, payload)]


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_any_bytes_are_taken(pieces: list[bytes]) -> None:
    frames = TRAY.Frames()
    for piece in pieces:
        frames.feed(piece)
    frames.feed(b"\x00")
    assert frames.feed(encode_frame(WireFrame(2, 1, b"\x07\x00"))) == [(2, 1, b"\x07\x00")]


@pytest.mark.parametrize(
    ("wire", "counted"),
    [
        ("0005410000", "malformed"),
        ("0003010100", "short"),
        ("00" + "41" * 60 + "00", "overlong"),
        ("0004020207035f9f00", "bad_checksum"),
    ],
)
def test_each_frame_that_is_dropped_is_counted_as_what_it_is(wire: str, counted: str) -> None:
    frames = TRAY.Frames()
    assert frames.feed(bytes.fromhex(wire)) == []
    counts = {name: getattr(frames, name) for name in ("bad_checksum", "overlong", "malformed", "short")}
    assert counts == {**dict.fromkeys(counts, 0), counted: 1}


@pytest.mark.parametrize("at", [(0, 0), (13, 7), (80, 60), (LOOK[0] - 9, LOOK[1] - 9)])
def test_one_die_anywhere_is_motion_and_noise_is_none(at: tuple[int, int]) -> None:
    motion = TRAY.Motion()
    assert not motion.moved(grey(noise=10).tobytes())
    assert not motion.moved(np.roll(grey(noise=10), 7).tobytes())
    assert motion.moved(grey(at, noise=10).tobytes())
    assert not motion.moved(grey(at, noise=10).tobytes())


class Host:
    """A session over the tray's port; `spoil` may change what arrives."""

    def __init__(self, tray: CameraTray, session: TraySession, spoil: Callable[[bytes], bytes] = bytes) -> None:
        self._tray, self.session, self._spoil = tray, session, spoil
        self._link: SerialLink | None = None
        self._frames = FrameDecoder(long_frames=True)
        self._beats = 0
        self.pictures: list[TrayPicture] = []

    def until(self, holds: Callable[[], bool], seconds: float = 30.0) -> None:
        """Talk until `holds`."""
        end = time.monotonic() + seconds
        if self._link is None:
            self._link = open_link(str(self._tray.port))
            self._do(self.session.opened(time.monotonic()))
        while not holds():
            now = time.monotonic()
            assert now < end, (self.session.condition, self.session.counts)
            data = self._spoil(self._link.read(min(self.session.deadline - now, 0.05)))
            self._beats += sum(frame.code == Beat.CODE for frame in self._frames.feed(data))
            now = time.monotonic()
            self._do(self.session.data_received(data, now) if data else self.session.tick(now))

    @property
    def boot_id(self) -> int:
        return self.session.hello.boot_id if self.session.hello is not None else 0

    def until_there_are(self, pictures: int) -> None:
        """Talk until that number of pictures has come."""
        self.until(lambda: len(self.pictures) >= pictures)

    def until_it_looks(self) -> None:
        """Talk until the tray is ready and has seen what lies there."""
        self._beats = 0
        self.until(lambda: self.session.condition.situation is Situation.READY and self._beats > 0)

    def send(self, action: Send) -> None:
        assert self._link is not None
        self._link.write(action.data)

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
        self._link = None

    def _do(self, actions: list[Action]) -> None:
        for action in actions:
            if isinstance(action, Send):
                self.send(action)
            elif isinstance(action, Show):
                self.pictures.append(action.picture)


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[CameraTray]:
    with CameraTray(tmp_path) as made:
        yield made


def session() -> TraySession:
    return TraySession(nonce=7, start_id="test")


def test_a_throw_becomes_its_picture_once_and_is_known_to_another_host(tray: CameraTray) -> None:
    host = Host(tray, session())
    host.until_it_looks()
    assert "its camera looks at the dice" in host.session.condition.what
    tray.show(JPEG, grey((30, 40)))
    host.until(lambda: host.session.scene is SceneCode.ROLLING)
    host.until(lambda: bool(host.pictures))
    assert host.pictures == [TrayPicture("tray:00ca3e7a:00000001:1:1", JPEG)]
    host.close()
    other = Host(tray, session())
    other.until(lambda: bool(other.pictures))
    other.close()
    assert [one.reading_id for one in other.pictures] == ["tray:00ca3e7a:00000001:1:1"]
    assert other.pictures[0].found, "it was at rest before this host came"


def test_no_die_can_be_taught_on_it(tray: CameraTray) -> None:
    supervisor = TraySupervisor(str(tray.port))
    supervisor.start(lambda _: None, lambda _: None)
    try:
        end = time.monotonic() + 30
        while "reads no tags" not in supervisor.obstacle:
            assert time.monotonic() < end, supervisor.obstacle
            time.sleep(0.02)
        assert supervisor.tagless == supervisor.obstacle
        assert supervisor.workshop() is None
        assert "has no readers to tell of" in supervisor.untold
        assert not supervisor.test_lamps(), "it answers RING with 1: it knows none"
    finally:
        supervisor.stop()


def test_spoilt_bytes_cost_time_and_nothing_else(tray: CameraTray) -> None:
    random = Random(11)  # noqa: S311 - the same noise every time

    def spoil(data: bytes) -> bytes:
        if random.random() < 0.2 and data:
            at = random.randrange(len(data))
            return data[:at] + data[at + random.randrange(40) :]
        return data

    host = Host(tray, session(), spoil)
    host.until_it_looks()
    for number in range(2):
        tray.show(JPEG[number:], grey((30 + 20 * number, 40)))
        host.until_there_are(number + 1)
    host.close()
    assert [one.data for one in host.pictures] == [JPEG, JPEG[1:]]
    assert host.session.counts["bad_checksum"] + host.session.counts["malformed"] > 0


def test_reset_and_replug_begin_a_new_boot_and_count_nothing_twice(tray: CameraTray) -> None:
    host = Host(tray, session())
    host.until_it_looks()
    tray.show(JPEG, grey((30, 40)))
    host.until(lambda: bool(host.pictures))
    host.send(host.session.send(Reset(Reset.MAGIC)))
    host.until(lambda: host.boot_id == 2)
    host.close()
    tray.replug()
    host.until(lambda: host.boot_id == 1001)
    host.until_it_looks()
    tray.show(JPEG[:9000], grey((90, 40)))
    host.until(lambda: len(host.pictures) > 1)
    host.close()
    assert [one.reading_id[-12:] for one in host.pictures] == ["00000001:1:1", "000003e9:1:1"]


def test_a_camera_that_fails_is_told_and_comes_back(tray: CameraTray) -> None:
    host = Host(tray, session())
    host.until_it_looks()
    tray.fail()
    host.until(lambda: (FaultCode.CAMERA, 0xFF) in host.session.faults)
    assert "the camera fails" in host.session.condition.what
    tray.show(JPEG, grey((30, 40)))
    host.until(lambda: bool(host.pictures))
    host.close()
    assert host.pictures[0].data == JPEG


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> dict[str, MagicMock]:
    """What can be imported on a board: nothing of a board's own until a test says so."""
    for name in ("pyb", "sensor", "camera"):
        monkeypatch.setitem(sys.modules, name, None)
    found = {"machine": MagicMock(), "micropython": MagicMock()}
    for name, module in found.items():
        monkeypatch.setitem(sys.modules, name, module)
    found["machine"].unique_id.return_value = b"a board"
    found["console"] = MagicMock()
    monkeypatch.setattr(TRAY, "Console", found["console"])
    return found


def test_an_openmv_without_pyb_is_one_all_the_same(
    modules: dict[str, MagicMock], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The RT1062 and the N6: it was taken for an ESP32, and its `camera` is not there."""
    begun: list[tuple[object, object]] = []
    monkeypatch.setattr(TRAY, "run", lambda eyes, wire, *_: begun.append((eyes, wire)))
    for pyb in (None, ModuleType("pyb")):
        monkeypatch.setitem(sys.modules, "pyb", pyb)
        monkeypatch.setitem(sys.modules, "sensor", MagicMock())
        TRAY.main()
        eyes, wire = begun.pop()
        assert isinstance(eyes, TRAY.Csi)
        assert wire is modules["console"].return_value
        modules["micropython"].kbd_intr.assert_called_with(-1)


def test_an_openmv_with_pyb_has_its_port_from_there(
    modules: dict[str, MagicMock], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pyb", "sensor"):
        monkeypatch.setitem(sys.modules, name, MagicMock())
    eyes, wire = TRAY.board()
    assert (type(eyes), type(wire)) == (TRAY.Csi, TRAY.Vcp)
    assert not modules["micropython"].kbd_intr.called


def test_an_esp32_is_known_by_its_camera_and_no_board_by_none(
    modules: dict[str, MagicMock], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RuntimeError, match="no camera: neither"):
        TRAY.board()
    assert not modules["micropython"].kbd_intr.called, "so that a tool can still copy another program"
    monkeypatch.setitem(sys.modules, "camera", MagicMock())
    eyes, wire = TRAY.board()
    assert isinstance(eyes, TRAY.Esp)
    assert wire is modules["console"].return_value
