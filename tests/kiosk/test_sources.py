"""The parts that come and go: told once each, and none can spoil another."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest

from kiosk.devices.demo import DemoStage
from kiosk.errors import KioskError
from kiosk.ports import SourceView
from kiosk.sources import Sources
from rules.dice import DieKind, Reading, SourceKind, SourceState, SourceStatus


class Tray:
    """A source that does what it is told, or fails at it."""

    kind = SourceKind.TRAY

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.calls: list[str] = []

    def start(self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None]) -> None:
        self._call("start")
        report(Reading("tray/1", SourceKind.TRAY, ()))
        tell(SourceStatus(SourceKind.TRAY, SourceState.READY, "The tray is ready."))

    def stop(self) -> None:
        self._call("stop")

    def picture(self, key: str) -> bytes | None:
        self._call("picture")
        return key.encode() if key == "mine" else None

    def _call(self, what: str) -> None:
        self.calls.append(what)
        if self.fails:
            raise OSError("the cable is cut")


class Camera(Tray):
    """Another source."""

    kind = SourceKind.CAMERA

    def latest(self) -> bytes:
        return b"all of it"


def test_a_source_that_fails_costs_itself_alone() -> None:
    broken, well = Camera(fails=True), Tray()
    sources = Sources((broken, well))
    readings: list[Reading] = []
    sources.start(readings.append)
    assert [(view.source, view.state) for view in sources.views()] == [("camera", "lost"), ("tray", "ready")]
    assert "the cable is cut" in sources.views()[0].what
    assert len(readings) == 1
    assert sources.picture("mine") == b"mine"
    sources.stop()
    assert broken.calls == ["start", "picture", "stop"]
    assert well.calls == ["start", "picture", "stop"]


def test_a_change_is_told_once_and_a_listener_that_fails_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    sources = Sources()
    told: list[SourceView] = []

    def fail(_: SourceView) -> None:
        raise ValueError("a page went wrong")

    sources.listen(fail)
    sources.listen(told.append)
    for _ in range(3):
        sources.tell(SourceStatus(SourceKind.TRAY, SourceState.LOST, "The tray is gone.", "Plug it in."))
    assert told == [SourceView(source="tray", state="lost", what="The tray is gone.", remedy="Plug it in.")]
    assert "a page went wrong" in caplog.text


def test_a_part_that_is_lost_and_found_is_logged_once_each_way(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    sources = Sources()
    sources.set("journal", SourceState.READY, "Recording.")
    for number in range(5):
        sources.set("journal", SourceState.LOST, f"No room, try {number}.")
    sources.set("journal", SourceState.READY, "Recording again.")
    assert [record.levelname for record in caplog.records] == ["INFO", "WARNING", "INFO"]


def test_the_whole_picture_comes_from_whoever_has_one() -> None:
    assert Sources((Tray(), Camera())).camera_picture() == b"all of it"
    assert Sources((Tray(),)).camera_picture() is None
    assert Sources().picture("mine") is None


def test_the_demonstration_throws_only_where_it_can_and_ends_what_it_began() -> None:
    stage = DemoStage()
    thrown: list[tuple[DieKind, ...]] = []
    ended: list[bool] = []
    stage.add(SourceKind.TRAY, thrown.append, lambda: ended.append(True))
    stage.throw(SourceKind.TRAY, ("d20", "d20"))
    assert thrown == [(DieKind.D20, DieKind.D20)]
    with pytest.raises(KioskError, match="camera is not there"):
        stage.throw(SourceKind.CAMERA, ("d20",))
    stage.add(SourceKind.CAMERA, lambda _: 1 // 0)
    with pytest.raises(KioskError, match="could not throw"):
        stage.throw(SourceKind.CAMERA, ("d20",))
    stage.stop()
    stage.stop()
    assert ended == [True]


def test_an_address_with_a_password_is_told_without_it() -> None:
    """A library quoted it in an error."""
    sources, told = Sources(), list[SourceView]()
    sources.listen(told.append)
    words = "No tray at socket://u:pw9@127.0.0.1:9: http://h/?token=pw9."
    sources.tell(SourceStatus(SourceKind.TRAY, SourceState.LOST, words, words, notice=words))
    sources.set("server", SourceState.LOST, words, words)
    assert len(told) == 2
    assert "pw9" not in str(told)
    assert told[0].what == "No tray at socket://***@127.0.0.1:9: http://h/?***"
