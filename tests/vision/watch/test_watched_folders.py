"""Folders of pictures instead of a camera, as the watcher shows them to the kiosk."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.dice import SourceState
from tests.vision.toys import BlobReader, still, tray
from tests.vision.watching import ONE, TWO, Listener, watching
from vision.frames.sources import StageSource
from vision.ports import GoesOn, Pixels
from vision.watch.watcher import Watcher

pytestmark = pytest.mark.slow


def test_a_folder_of_stills_is_a_throw_each_and_then_waits_for_more(tmp_path: Path) -> None:
    for number, spot in enumerate((ONE, TWO)):
        assert cv2.imwrite(str(tmp_path / f"{number}.png"), tray(spot))
    with watching(str(tmp_path)) as (_, heard):
        heard.until(lambda: len(heard.readings) == 2)
        assert heard.faces == [[7], [12]]
        ended = f"All 2 pictures of {tmp_path.name} shown; waiting for new ones put there."
        heard.until(lambda: heard.statuses[-1].what == ended)
        assert cv2.imwrite(str(tmp_path / "2.png"), tray(ONE))
        heard.until(lambda: len(heard.readings) == 3)
        assert heard.faces[2] == [7]
        heard.until(lambda: "All 3 pictures" in heard.statuses[-1].what)


def test_a_file_put_there_that_is_no_picture_is_told_until_another_comes(tmp_path: Path) -> None:
    assert cv2.imwrite(str(tmp_path / "0.png"), tray(ONE))
    assert cv2.imwrite(str(tmp_path / "1.png"), tray(TWO))
    with watching(str(tmp_path)) as (_, heard):
        heard.until(lambda: len(heard.readings) == 2)
        (tmp_path / "2.jpg").write_bytes(b"no picture")
        told = "The file 2.jpg is no picture that can be read; save it there anew."
        heard.until(lambda: heard.statuses[-1].what == told)
        assert heard.statuses[-1].state is SourceState.READY
        assert cv2.imwrite(str(tmp_path / "3.png"), tray(ONE))
        heard.until(lambda: len(heard.readings) == 3)
        heard.until(lambda: "All 3 pictures" in heard.statuses[-1].what)


def test_a_file_that_is_no_picture_is_looked_at_again_once_it_is_saved_anew_and_forgotten_once_it_goes(
    tmp_path: Path,
) -> None:
    assert cv2.imwrite(str(tmp_path / "0.png"), tray(ONE))
    assert cv2.imwrite(str(tmp_path / "1.png"), tray(TWO))
    with watching(str(tmp_path)) as (_, heard):
        heard.until(lambda: len(heard.readings) == 2)
        for name in ("2.png", "3.png"):
            (tmp_path / name).write_bytes(b"no picture")
            heard.until(lambda name=name: name in heard.statuses[-1].what)  # type: ignore[misc]  # bound at once
        (tmp_path / "3.png").unlink()
        heard.until(lambda: "All 2 pictures" in heard.statuses[-1].what)
        assert cv2.imwrite(str(tmp_path / "2.png"), tray(ONE))
        heard.until(lambda: len(heard.readings) == 3)
        heard.until(lambda: "All 3 pictures" in heard.statuses[-1].what)


def test_the_next_still_is_shown_only_when_dice_are_wanted(tmp_path: Path) -> None:
    for number, spot in enumerate((ONE, TWO)):
        assert cv2.imwrite(str(tmp_path / f"{number}.png"), tray(spot))
    wanted = threading.Event()
    waiting = f"The folder {tmp_path.name} shows its next picture when dice are called for."
    with watching(str(tmp_path), wanted=wanted.is_set) as (watcher, heard):
        for number in (1, 2):
            heard.until(lambda: heard.statuses[-1:] != [] and heard.statuses[-1].what == waiting)
            time.sleep(1.0)  # as long as a picture that is shown needs to be read
            assert len(heard.readings) == number - 1
            assert watcher.newest() is not None  # to calibrate by, before any dice are called for
            assert watcher.goes_on is GoesOn.CALLED_FOR
            wanted.set()
            heard.until(lambda: len(heard.readings) == number)  # noqa: B023 - used within the turn
            wanted.clear()
        assert heard.faces == [[7], [12]]
        heard.until(lambda: heard.statuses[-1].what.startswith("All 2 pictures"))
        assert watcher.goes_on is GoesOn.PUT_THERE
        assert cv2.imwrite(str(tmp_path / "2.png"), tray(ONE))
        heard.until(lambda: len(heard.readings) == 3)  # whoever puts a picture there now means it now
        watcher.stop()


def test_a_still_put_there_later_does_not_wait_for_those_before_it(tmp_path: Path) -> None:
    """Whoever puts a picture there while a question about the dice is open answers it."""
    for number, spot in enumerate((ONE, TWO)):
        assert cv2.imwrite(str(tmp_path / f"{number}.png"), tray(spot))
    box: list[Listener] = []
    with watching(str(tmp_path), wanted=lambda: not (box and box[0].readings)) as (_, heard):
        box.append(heard)
        heard.until(lambda: bool(heard.statuses) and "when dice are called for" in heard.statuses[-1].what)
        assert heard.faces == [[7]]
        assert cv2.imwrite(str(tmp_path / "9.png"), tray((200, 300, 3)))
        heard.until(lambda: len(heard.readings) == 2)
        assert heard.faces == [[7], [3]]


def test_a_recording_goes_on_whether_dice_are_wanted_or_not(tmp_path: Path) -> None:
    for number, picture in enumerate(still(40, ONE)):
        assert cv2.imwrite(str(tmp_path / f"{number:02d}.png"), picture)
    watcher = Watcher(str(tmp_path), reader=BlobReader(), start_id="boot", wanted=lambda: False)
    listener = Listener()
    watcher.start(listener.readings.append, listener.statuses.append)
    try:
        listener.until(lambda: bool(listener.readings))
        assert watcher.goes_on in {GoesOn.BY_ITSELF, GoesOn.PUT_THERE}  # it may have come to its end meanwhile
    finally:
        watcher.stop()


def test_a_single_picture_says_that_it_stays(tmp_path: Path) -> None:
    assert cv2.imwrite(str(tmp_path / "one.png"), tray(ONE))
    with watching(str(tmp_path / "one.png")) as (watcher, heard):
        heard.until(lambda: bool(heard.readings))
        assert watcher.goes_on is GoesOn.NEVER
        heard.until(lambda: heard.statuses[-1].what == "The picture one.png stays as it is.")


def test_a_folder_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    with watching(str(tmp_path / "later")) as (_, heard):
        heard.until(lambda: bool(heard.statuses))
        assert heard.states == [SourceState.ABSENT]
        (tmp_path / "later").mkdir()
        heard.until(lambda: len(heard.statuses) >= 2)
        assert cv2.imwrite(str(tmp_path / "later" / "0.png"), tray(ONE))
        heard.until(lambda: bool(heard.readings))
        assert heard.faces == [[7]]


def test_a_folder_that_is_moved_away_is_lost_once_and_found_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder, elsewhere = tmp_path / "throws", tmp_path / "elsewhere"
    folder.mkdir()
    assert cv2.imwrite(str(folder / "0.png"), tray(ONE))
    caplog.set_level(logging.INFO, "vision.watch.watcher")
    with watching(str(folder)) as (_, heard):
        heard.until(lambda: bool(heard.readings) and "waiting for new ones" in heard.statuses[-1].what)
        folder.rename(elsewhere)
        heard.until(lambda: heard.states[-1] is SourceState.LOST)
        assert heard.statuses[-1].what == "The folder throws is gone."
        time.sleep(0.5)  # it is looked for several times meanwhile
        assert heard.states.count(SourceState.LOST) == 1
        elsewhere.rename(folder)
        heard.until(lambda: heard.states[-1] is SourceState.READY)
        assert heard.faces == [[7]]  # what was shown is not thrown again
        assert cv2.imwrite(str(folder / "1.png"), tray(TWO))
        heard.until(lambda: len(heard.readings) == 2)
        assert heard.faces == [[7], [12]]
        assert heard.states.count(SourceState.LOST) == 1
    logged = [one.getMessage() for one in caplog.records]
    assert sum("The folder throws is gone." in one for one in logged) == 1


def test_stills_without_dice_end_with_what_brings_the_next_one(tmp_path: Path) -> None:
    """No throw was seen then: whoever asks is to put a picture there, for none waits to be called for."""
    for number, grey in enumerate((40, 120)):
        assert cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((360, 640, 3), grey, np.uint8))
    wanted = threading.Event()
    with watching(str(tmp_path), wanted=wanted.is_set) as (watcher, heard):
        heard.until(lambda: watcher.goes_on is GoesOn.CALLED_FOR)
        wanted.set()
        heard.until(lambda: watcher.goes_on is GoesOn.PUT_THERE)
        assert watcher.last_throw() is None


def test_a_make_believe_tray_is_told() -> None:
    class Bare:
        def frame(self) -> Pixels:
            return tray()

    with watching(StageSource(Bare())) as (watcher, heard):
        heard.until(lambda: watcher.goes_on is GoesOn.STAGED)
