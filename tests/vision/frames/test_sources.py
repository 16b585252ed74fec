"""Where frames come from: names, files, folders, addresses and losses."""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import cv2
import numpy as np
import pytest

from rules.words import Phrase
from tests.vision.taken import TakenWith, with_exif
from tests.vision.toys import Script, rolling, still, tray
from vision.errors import SourceError, SourceLostError
from vision.frames.cameras import CameraDevice, NetworkStream, Picamera, VideoFile, as_pixels
from vision.frames.folders import USUAL_HOLD, Folder
from vision.frames.follow import ABANDONED_AT_MOST, Follower, Found, Lost, Patience
from vision.frames.pictures import decode_picture, encode_jpeg
from vision.frames.sources import Frame, FrameSource, Pixels, open_source

ONE = (300, 200, 7)
QUICK = Patience(first=5.0, stale=3.0, pauses=(0.01,))
HASTY = Patience(first=5.0, stale=0.4, pauses=(0.01,))


def write_folder(folder: Path, pictures: list[Pixels], *, suffix: str = ".png", first: int = 0) -> Path:
    folder.mkdir(exist_ok=True)
    for number, picture in enumerate(pictures, start=first):
        assert cv2.imwrite(str(folder / f"frame_{number:04d}{suffix}"), picture)
    return folder


def write_video(path: Path, pictures: list[Pixels], *, fps: float = 20.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (640, 360))
    assert writer.isOpened()
    for picture in pictures:
        writer.write(picture)
    writer.release()
    return path


def play(source: FrameSource, *, at_most: int = 10_000) -> list[Frame]:
    stream = source.open()
    seen: list[Frame] = []
    try:
        while len(seen) < at_most and (frame := stream.read()) is not None:
            seen.append(frame)
    finally:
        stream.close()
    return seen


@contextmanager
def mjpeg_server(
    pictures: list[Pixels], *, pace: float = 0.02, cut_off: Collection[int] = (), end_mark: bool = True
) -> Iterator[str]:
    """A camera on the network that shows its pictures once to each who asks, some by half, and then hangs up.

    Some cameras leave out the `end_mark` of a picture.
    """
    parts = [encode_jpeg(picture)[: None if end_mark else -2] for picture in pictures]
    parts = [part[: len(part) // 2] if number in cut_off else part for number, part in enumerate(parts)]
    with sent_by_network(parts, pace=pace) as address:
        yield address


@contextmanager
def sent_by_network(parts: list[bytes], *, pace: float) -> Iterator[str]:
    """The same of files as they are sent."""
    ended = threading.Event()

    class CameraDevice(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                for part in parts:
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(part)}\r\n\r\n"
                    self.wfile.write(head.encode() + part + b"\r\n")
                    if ended.wait(pace):
                        return
            except OSError:
                return

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), CameraDevice)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/stream"
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


def test_names_choose_their_sources(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "frames", [tray()])
    video = write_video(tmp_path / "film.avi", still(3))
    assert isinstance(open_source("0"), CameraDevice)
    assert isinstance(open_source("/dev/video7"), CameraDevice)
    assert isinstance(open_source("picamera2"), Picamera)
    assert isinstance(open_source("http://camera.local/stream"), NetworkStream)
    assert isinstance(open_source("RTSP://camera.local/1"), NetworkStream)
    assert isinstance(open_source(str(folder)), Folder)
    assert isinstance(open_source(str(folder / "frame_0000.png")), Folder)
    assert isinstance(open_source(str(video)), VideoFile)


def test_a_folder_in_memory_is_a_folder() -> None:
    with TemporaryDirectory(dir="/dev/shm") as room:
        folder = write_folder(Path(room) / "frames", [tray()])
        assert isinstance(open_source(str(folder)), Folder)
        assert isinstance(open_source(str(folder / "frame_0000.png")), Folder)
        with pytest.raises(SourceError, match="no file or folder"):
            open_source(f"{room}/later")


@pytest.mark.parametrize("spec", ["", "  ", "ftp://there/x", "no/such/thing", "-1", "٣"])
def test_a_name_that_is_none_is_refused_with_the_choices(spec: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_source(spec)
    assert caught.value.what
    assert "://" in caught.value.remedy or "picamera2" in caught.value.remedy


def test_a_pipe_is_no_source(tmp_path: Path) -> None:
    import os  # noqa: PLC0415 - for this test alone

    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="neither a file nor a folder"):
        open_source(str(tmp_path / "pipe"))


@pytest.mark.parametrize("address", ["http://", "http://[bad", "rtsp://someone:secret@", "rtsp://someone:secret@[::1"])
def test_an_address_that_leads_nowhere_is_refused_and_its_password_kept(address: str) -> None:
    with pytest.raises(SourceError, match="not complete") as caught:
        open_source(address)
    assert "secret" not in str(caught.value)


def test_a_device_name_that_no_system_has_is_refused() -> None:
    with pytest.raises(SourceError, match="no file or folder"):
        open_source("/dev/\0")


@pytest.mark.parametrize("spec", ["99", "/dev/video99"])
def test_a_camera_that_is_not_there_says_what_to_do(spec: str) -> None:
    with pytest.raises(SourceError, match="99") as caught:
        open_source(spec).open()
    assert "camera" in caught.value.remedy


def test_an_address_that_does_not_answer_says_so_and_keeps_the_password() -> None:
    source = open_source("http://owner:secret@127.0.0.1:9/stream?key=secret")
    with pytest.raises(SourceError, match=r"127\.0\.0\.1:9") as caught:
        source.open()
    assert "secret" not in str(caught.value) + source.name
    assert NetworkStream("rtsp://a:b@host:554/one?x=1").name == "the stream rtsp://***@host:554/one?***"
    assert NetworkStream("http://h/user=a&password=b/c").name == "the stream http://h/user=***"


def test_a_file_that_is_no_film_says_so(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    path.write_bytes(b"no film " * 1000)
    with pytest.raises(SourceError, match="no video"):
        open_source(str(path)).open()


def test_a_film_gives_every_frame_with_its_own_time(tmp_path: Path) -> None:
    path = write_video(tmp_path / "film.avi", rolling(12))
    seen = play(open_source(str(path)))
    assert [frame.index for frame in seen] == list(range(12))
    assert seen[4].t == pytest.approx(0.2)
    assert play(open_source(str(path), fps=10))[4].t == pytest.approx(0.4)


def test_with_fps_a_folder_is_a_recording_one_picture_one_frame(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "frames", [*rolling(5), *still(5, ONE)])
    seen = play(open_source(str(folder), fps=5))
    assert [frame.index for frame in seen] == list(range(10))
    assert [frame.t for frame in seen] == [pytest.approx(number / 5) for number in range(10)]
    assert {frame.scene for frame in seen} == {0}


def test_with_hold_each_picture_stands(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "stills", [tray(ONE), tray((100, 50, 3))])
    seen = play(open_source(str(folder), hold=0.5))
    assert [frame.index for frame in seen] == [0] * 5 + [1] * 5
    assert [frame.scene for frame in seen] == [1] * 5 + [2] * 5
    assert [frame.t for frame in seen] == [pytest.approx(number / 10) for number in range(10)]


def test_with_neither_the_folder_decides(tmp_path: Path) -> None:
    recording = write_folder(tmp_path / "recording", [*rolling(6), *still(6, ONE)])
    assert len(play(open_source(str(recording)))) == 12
    stills = write_folder(tmp_path / "stills", [tray((40 * number, 50, 3)) for number in range(4)])
    assert len(play(open_source(str(stills)))) == 4 * round(USUAL_HOLD * 10)


def test_fps_and_hold_contradict(tmp_path: Path) -> None:
    for fps, hold in ((5.0, 1.0), (0.0, None), (None, -1.0)):
        with pytest.raises(SourceError, match="fps"):
            open_source(str(tmp_path), fps=fps, hold=hold)


def test_damaged_pictures_are_passed_over_and_keep_their_number(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = write_folder(tmp_path / "frames", rolling(4))
    (folder / "frame_0001.png").write_bytes(b"no picture")
    (folder / "notes.txt").write_text("not for the camera")
    assert [frame.index for frame in play(open_source(str(folder), fps=5))] == [0, 2, 3]
    assert [record.message for record in caplog.records if "frame_0001" in record.message]


def test_a_folder_without_a_picture_that_can_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no picture"):
        open_source(str(tmp_path)).open()
    (tmp_path / "a.png").write_bytes(b"no picture")
    with pytest.raises(SourceLostError, match="None of the pictures"):
        play(open_source(str(tmp_path), fps=5))


def test_pictures_of_different_sizes_are_one_folder(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "frames", [tray(), tray(width=300, height=200), tray(width=64, height=200)])
    assert [frame.image.shape[1] for frame in play(open_source(str(folder), fps=5))] == [640, 300, 64]


def test_a_followed_folder_stays_and_shows_what_arrives(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "frames", [tray(ONE)])
    stream = open_source(str(folder), hold=0.5, follow=True).open()
    before = [stream.read() for _ in range(30)]
    assert {frame.index for frame in before if frame is not None} == {0}
    (folder / "zz_half.png").write_bytes(b"half a pict")
    write_folder(folder, [tray((50, 50, 3))], first=1)
    after = [frame.index for frame in (stream.read() for _ in range(60)) if frame is not None]
    assert len(after) == 60
    assert 1 in after
    assert cv2.imwrite(str(folder / "zz_half.png"), tray((90, 90, 4)))
    (folder / "later.jpg").write_bytes(encode_jpeg(tray((400, 90, 4))))
    last = [frame.scene for frame in (stream.read() for _ in range(60)) if frame is not None]
    assert last[-1] > 1
    stream.close()
    assert stream.read() is None


def test_mjpeg_over_http_is_followed_and_its_end_is_a_loss() -> None:
    with mjpeg_server([*still(30), *rolling(10), *still(30, ONE)]) as address:
        items = []
        follower = Follower(open_source(address), patience=QUICK)
        for item in follower:
            items.append(item)
            if isinstance(item, Found):
                follower.stop()
    pictures = [item for item in items if isinstance(item, Frame)]
    assert len(pictures) > 10
    assert pictures[0].image.shape == (360, 640, 3)
    assert [type(item) for item in items if not isinstance(item, Frame)] == [Lost, Found]


def test_what_is_cut_off_of_a_streamed_picture_is_not_filled_with_the_one_before(
    caplog: pytest.LogCaptureFixture,
) -> None:
    before, after = tray((300, 280, 7)), tray((300, 80, 3))
    with mjpeg_server([*[before] * 4, *[after] * 12], pace=0.12, cut_off={4, 5, 6, 7, 10}) as address:
        stream = open_source(address).open()
        seen = [frame.image for frame in (stream.read() for _ in range(11)) if frame is not None]
        with pytest.raises(SourceLostError, match="stopped sending"):
            stream.read()
        stream.close()
    sent = [decode_picture(encode_jpeg(picture)).pixels for picture in (before, after)]
    assert [[np.array_equal(image, one) for one in sent] for image in seen] == [[True, False]] * 4 + [[False, True]] * 7
    assert len([record for record in caplog.records if "damaged" in record.message]) == 1


def test_a_stream_that_turns_to_damaged_pictures_alone_is_lost_for_that_reason() -> None:
    with mjpeg_server(still(80), pace=0.1, cut_off=range(3, 80)) as address:
        follower = Follower(open_source(address))
        lost = next(item for item in follower if isinstance(item, Lost))
        follower.stop()
    assert "damaged pictures" in lost.what
    assert "network" in lost.remedy


def test_a_stream_that_is_damaged_from_its_first_picture_on_is_never_looked_at() -> None:
    with mjpeg_server(still(80), pace=0.1, cut_off=range(80)) as address:
        follower = Follower(open_source(address))
        first = next(iter(follower))
        follower.stop()
    assert isinstance(first, Lost)
    assert first.before == 0


def test_a_camera_that_never_ends_its_pictures_is_read_all_the_same() -> None:
    picture = tray()
    with mjpeg_server([picture] * 20, pace=0.1, end_mark=False) as address:
        stream = open_source(address).open()
        frame = stream.read()
        stream.close()
    assert frame is not None
    assert np.array_equal(frame.image, decode_picture(encode_jpeg(picture)).pixels)


def test_a_lost_camera_is_said_once_and_found_again_once() -> None:
    gone = SourceLostError(Phrase("The cable is out."), Phrase("Put it in."))
    script = Script(tray(), tray(), gone, gone, gone, tray(), tray(), pace=0.03)
    items = []
    follower = Follower(script, patience=QUICK)
    for item in follower:
        items.append(item)
        if sum(isinstance(one, Frame) for one in items) == 4:
            follower.stop()
    told = [item for item in items if not isinstance(item, Frame)]
    assert [type(item) for item in told] == [Lost, Found]
    assert told[0] == Lost(Phrase("The cable is out."), Phrase("Put it in."), 2)
    numbers = [item.index for item in items if isinstance(item, Frame)]
    assert numbers == sorted(set(numbers))  # of frames that came while the test was busy, only the newest is seen
    assert script.opened == 4


def test_a_camera_that_blocks_is_left_behind_and_opened_anew() -> None:
    script = Script(tray(), Script.HANG, tray(), pace=0.02)
    items = []
    follower = Follower(script, patience=HASTY)
    for item in follower:
        items.append(item)
        if isinstance(item, Frame) and any(isinstance(one, Found) for one in items):
            follower.stop()
    lost = next(item for item in items if isinstance(item, Lost))
    assert "no picture for 0.4 s" in lost.what
    assert script.opened >= 2
    script.let_go.set()


def test_hanging_drivers_do_not_pile_up() -> None:
    script = Script(Script.HANG)
    follower = Follower(script, patience=Patience(first=0.05, stale=0.05, pauses=(0.01,)))
    threading.Timer(1.0, follower.stop).start()
    items = list(follower)
    assert [type(item) for item in items] == [Lost]
    assert script.opened == ABANDONED_AT_MOST
    script.let_go.set()


def test_a_camera_absent_at_the_start_is_waited_for_or_refused() -> None:
    script = Script(tray(), absent=2)
    with pytest.raises(SourceError, match="no scripted camera"):
        list(Follower(script, patience=QUICK, must_open=True))
    items = []
    follower = Follower(Script(tray(), absent=2), patience=QUICK)
    for item in follower:
        items.append(item)
        if isinstance(item, Frame):
            follower.stop()
    assert [type(item) for item in items] == [Lost, Found, Frame]


def test_a_driver_that_breaks_in_its_own_way_is_a_loss() -> None:
    class Broken(Script):
        def next(self) -> Pixels:
            raise ZeroDivisionError("inside the driver")

    follower = Follower(Broken(tray()), patience=QUICK)
    lost = next(iter(follower))
    follower.stop()
    assert isinstance(lost, Lost)
    assert "inside the driver" in lost.what


def test_without_picamera2_the_reason_and_the_remedy_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceError, match="picamera2 cannot be used") as caught:
        Picamera().open()
    assert "apt install" in caught.value.remedy


def test_picamera2_gives_frames_and_its_failures_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Picamera2:
        """Behaves as the library's class of that name, as far as it is used."""

        pictures = 3

        def create_video_configuration(self, main: dict[str, object]) -> dict[str, object]:
            return main

        def configure(self, configuration: dict[str, object]) -> None:
            self.size = configuration["size"]

        def start(self) -> None:
            assert self.size == (1280, 720)

        def capture_array(self, name: str) -> Pixels:
            assert name == "main"
            self.pictures -= 1
            if self.pictures < 0:
                raise RuntimeError("Camera frontend has timed out!")
            return cv2.resize(tray(), (1280, 720)).astype(np.uint8)

        def stop(self) -> None:
            raise RuntimeError("already stopped")

        def close(self) -> None:
            """Nothing is held."""

    library = types.ModuleType("picamera2")
    library.Picamera2 = Picamera2  # type: ignore[attr-defined]  # a module made at run time
    monkeypatch.setitem(sys.modules, "picamera2", library)
    with pytest.raises(SourceLostError, match="timed out"):
        play(Picamera())
    monkeypatch.setattr(Picamera2, "start", Picamera2.stop)
    with pytest.raises(SourceError, match="does not start"):
        Picamera().open()


@pytest.mark.parametrize(
    ("model", "size", "crop", "degrees"),
    [
        ("imx708", (4608, 2592), (0, 0, 4608, 2592), 66.0),
        ("imx708", (4608, 2592), (768, 432, 3072, 1728), 46.8),  # 1536 x 864, its fast mode
        ("imx708_wide_noir", (4608, 2592), (0, 0, 4608, 2592), 102.0),
        ("imx219", (3280, 2464), (680, 692, 1920, 1080), 38.9),  # 1920 x 1080, cut out of the middle
        ("ov5647", (2592, 1944), (0, 243, 2592, 1458), 53.5),
        ("ov5647", None, None, 53.5),
        ("ov5647", (2592, 1944), (0, 0, 0, 0), 53.5),
        ("ov5647", (2592, 1944), (), None),
        ("imx477", (4056, 3040), (0, 440, 4056, 2160), None),  # any lens may be screwed on
        ("", (4056, 3040), (0, 0, 4056, 3040), None),
    ],
)
def test_picamera2_tells_how_wide_its_module_sees_in_the_mode_it_chose(
    model: str, size: object, crop: object, degrees: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Picamera2(_Module):
        camera_properties: ClassVar = {"Model": model, "PixelArraySize": size}

        def capture_metadata(self) -> dict[str, object]:
            assert self.started, "the mode is known once it runs"
            return {"ScalerCrop": crop}

    library = types.ModuleType("picamera2")
    library.Picamera2 = Picamera2  # type: ignore[attr-defined]  # a module made at run time
    monkeypatch.setitem(sys.modules, "picamera2", library)
    told = [frame.hfov for frame in play(Picamera(), at_most=2)]
    assert told == [None if degrees is None else pytest.approx(degrees, abs=0.05)] * 2


class _Module:
    """A picamera2 camera that gives the same picture for ever."""

    started = False

    def create_video_configuration(self, main: dict[str, object]) -> dict[str, object]:
        return main

    def configure(self, configuration: dict[str, object]) -> None:
        self.size = configuration["size"]

    def start(self) -> None:
        self.started = True

    def capture_array(self, _: str) -> Pixels:
        return tray()

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        """Nothing is held."""


def test_each_picture_of_a_folder_tells_its_own_lens(tmp_path: Path) -> None:
    for number, lens in enumerate((None, TakenWith(26), TakenWith(13))):
        data = encode_jpeg(cv2.resize(tray(), (400, 300)).astype(np.uint8))
        (tmp_path / f"{number}.jpg").write_bytes(data if lens is None else with_exif(data, lens=lens))
    told = [frame.hfov for frame in play(Folder(tmp_path, hold=0.1))]
    assert told == [None, pytest.approx(67.3, abs=0.1), pytest.approx(106.2, abs=0.1)]


def test_drivers_pictures_of_every_depth_become_eight_bit_colour() -> None:
    for picture in (np.zeros((4, 5), np.uint8), np.zeros((4, 5, 1), np.uint8), np.zeros((4, 5, 4), np.uint8)):
        assert as_pixels(picture).shape == (4, 5, 3)
    deep = as_pixels(np.array([[0, 1000], [2000, 4000]], np.uint16))
    assert deep.dtype == np.uint8
    assert deep.max() == 255
