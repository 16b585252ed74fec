"""What every source of frames owes its users, fake and real: the same suite over each of them."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from tests.vision.frames.test_sources import sent_by_network, write_folder, write_video
from tests.vision.toys import BlobReader, Script, rolling, still, tray
from vision.errors import SourceError
from vision.frames.cameras import Picamera
from vision.frames.pictures import encode_jpeg
from vision.frames.sources import Frame, FrameSource, FrameStream, Pixels, StageSource, open_source
from vision.watch.throws import EventKind, ThrowTracker

ONE = (300, 200, 7)


@cache
def throw() -> list[Pixels]:
    """An empty tray, a die that rolls, and one that lies."""
    return [*still(12), *rolling(6), *still(20, ONE)]


Make = Callable[[Path, ExitStack], FrameSource]


class _Replay:
    """Gives the pictures of a throw in turn, the last for ever."""

    def __init__(self) -> None:
        self._left = list(throw())

    def frame(self) -> Pixels:
        return self._left.pop(0) if len(self._left) > 1 else self._left[0]


def _film(folder: Path, _: ExitStack) -> FrameSource:
    return open_source(str(write_video(folder / "film.avi", throw())))


def _recording(folder: Path, _: ExitStack) -> FrameSource:
    return open_source(str(write_folder(folder / "frames", throw(), suffix=".jpg")), fps=20)


def _stills(folder: Path, _: ExitStack) -> FrameSource:
    return open_source(str(write_folder(folder / "stills", [tray(), tray(ONE)])), hold=1.0)


def _followed(folder: Path, _: ExitStack) -> FrameSource:
    return open_source(str(write_folder(folder / "stills", [tray(), tray(ONE)])), hold=1.0, follow=True)


def _network(_: Path, stack: ExitStack) -> FrameSource:
    # FFmpeg looks at some pictures to learn the stream before it hands on the first.
    return open_source(stack.enter_context(sent_by_network(encoded(), pace=0.03)))


@cache
def encoded() -> list[bytes]:
    """A throw as JPEG files, and the dice at rest for a while."""
    return [*map(encode_jpeg, throw()), *[encode_jpeg(tray(ONE))] * 200]


def _stage(_: Path, stack: ExitStack) -> FrameSource:
    replay = _Replay()
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    stack.callback(now.clear)
    return StageSource(replay, clock=lambda: now[0], sleep=sleep)


def _scripted(_: Path, stack: ExitStack) -> FrameSource:
    script = Script(*throw(), pace=0.04)
    stack.callback(script.let_go.set)
    return script


def _csi(_: Path, stack: ExitStack) -> FrameSource:
    class Picamera2:
        camera_properties: ClassVar = {"Model": "imx708_wide", "PixelArraySize": (4608, 2592)}

        def __init__(self) -> None:
            self._replay = _Replay()

        def capture_metadata(self) -> dict[str, object]:
            return {"ScalerCrop": (0, 0, 4608, 2592)}

        def create_video_configuration(self, main: dict[str, object]) -> dict[str, object]:
            return main

        def configure(self, configuration: dict[str, object]) -> None:
            assert configuration["format"] == "RGB888"

        def start(self) -> None:
            """Ready at once."""

        def capture_array(self, _: str) -> Pixels:
            return self._replay.frame()

        def stop(self) -> None:
            """Nothing runs."""

        def close(self) -> None:
            """Nothing is held."""

    library = types.ModuleType("picamera2")
    library.Picamera2 = Picamera2  # type: ignore[attr-defined]  # a module made at run time
    patch = stack.enter_context(pytest.MonkeyPatch.context())
    patch.setitem(sys.modules, "picamera2", library)
    ticks = iter(range(1_000_000))
    return Picamera(clock=lambda: next(ticks) / 20)


SOURCES: dict[str, Make] = {
    "film": _film,
    "recording": _recording,
    "stills": _stills,
    "followed folder": _followed,
    "network": _network,
    "stage": _stage,
    "scripted": _scripted,
    "csi": _csi,
}


@pytest.fixture(params=SOURCES)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FrameSource]:
    with ExitStack() as stack:
        yield SOURCES[request.param](tmp_path, stack)


def first_frames(stream: FrameStream, count: int = 30) -> list[Frame]:
    seen: list[Frame] = []
    while len(seen) < count and (frame := stream.read()) is not None:
        seen.append(frame)
    return seen


def test_it_is_what_the_seam_says(source: FrameSource) -> None:
    assert isinstance(source, FrameSource)
    assert source.name
    assert isinstance(source.live, bool)
    stream = source.open()
    assert isinstance(stream, FrameStream)
    stream.close()


def test_frames_are_eight_bit_colour_numbered_and_timed_forwards(source: FrameSource) -> None:
    stream = source.open()
    seen = first_frames(stream)
    stream.close()
    assert len(seen) >= 20
    assert seen[0].index == 0
    for before, frame in pairwise(seen):
        assert frame.index - before.index in (0, 1)
        assert frame.t >= before.t
    for frame in seen:
        assert frame.image.dtype == np.uint8
        assert frame.image.shape == (360, 640, 3)
        assert frame.zoom == 1.0
        assert frame.hfov is None or 0 < frame.hfov < 180


def test_a_picture_that_was_handed_on_does_not_change_later(source: FrameSource) -> None:
    stream = source.open()
    early = first_frames(stream, 3)
    kept = [frame.image.copy() for frame in early]
    first_frames(stream, 10)
    assert all(np.array_equal(frame.image, copy) for frame, copy in zip(early, kept, strict=True))
    stream.close()


def test_closing_twice_is_fine(source: FrameSource) -> None:
    stream = source.open()
    first_frames(stream, 2)
    stream.close()
    stream.close()


def test_a_source_opens_again_after_it_was_closed(source: FrameSource) -> None:
    for _ in range(2):
        stream = source.open()
        assert first_frames(stream, 3)
        stream.close()


def test_a_throw_before_it_is_read_once(source: FrameSource) -> None:
    stream = source.open()
    tracker = ThrowTracker(BlobReader())
    faces = []
    for _ in range(90):
        frame = stream.read()
        if frame is None:
            break
        faces += [[die.face for die in event.dice] for event in tracker.feed(frame) if event.kind is EventKind.READING]
        if faces and source.live:
            break
    stream.close()
    assert faces == [[7]]


@pytest.mark.parametrize("spec", ["98", "/dev/video98", "picamera2", "http://127.0.0.1:9/", "empty", "absent.avi"])
def test_a_source_that_is_not_there_names_itself_and_a_remedy(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError) as caught:
        open_source(spec).open()
    assert caught.value.what
    assert caught.value.remedy
    assert str(caught.value) == f"{caught.value.what} {caught.value.remedy}"
