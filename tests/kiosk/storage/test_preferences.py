"""How the room's speaker talks is chosen at the kiosk and outlives a restart; a broken file costs nothing else."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from kiosk.compose import build
from kiosk.config import load_config
from kiosk.storage.preferences import FILE_NAME, Preferences, PreferencesFile
from tests.kiosk.desk import Desk, got, post

BARE: dict[str, object] = {
    "camera.source": "off",
    "tray.url": "off",
    "panel.enabled": False,
    "voice.enabled": False,
    "voice.length": "terse",
}


def test_length_and_silence_are_chosen_through_the_api() -> None:
    with Desk() as desk:
        client = desk.client()
        assert post(client, "/api/v1/voice", {"length": "full"})[1]["length"] == "full"
        assert post(client, "/api/v1/voice", {"muted": True})[1]["length"] == "full"
        voice = got(client, "/api/v1/table")["voice"]
        assert (voice["muted"], voice["length"]) == (True, "full")
        status, problem = post(client, "/api/v1/voice", {"length": "epic"})
        assert (status, desk.voice.length) == (400, "full")
        assert "length" in problem["detail"]


def test_what_was_chosen_outlives_a_restart_and_the_settings_are_the_default(tmp_path: Path) -> None:
    for length, muted in (("terse", False), ("full", True)):
        kiosk = build(load_config(None, BARE), tmp_path / "data")
        voice = kiosk.services.voice
        assert (voice.length, voice.muted) == (length, muted)
        voice.length, voice.muted = "full", True
        kiosk.stop()
    assert sorted(one.name for one in (tmp_path / "data").glob("preferences*")) == [FILE_NAME]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"length": "epic"}', b'{"muted": 1}', b"\xff\x00"])
def test_a_broken_file_is_told_and_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture, body: bytes) -> None:
    place = tmp_path / FILE_NAME
    place.write_bytes(body)
    with caplog.at_level(logging.WARNING):
        assert PreferencesFile(place).load() == Preferences()
    assert str(place) in caplog.text


def test_a_disk_that_takes_nothing_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = PreferencesFile(tmp_path / "missing" / FILE_NAME)
    with caplog.at_level(logging.WARNING):
        file.change(muted=True)
        file.change(muted=False)
    assert caplog.text.count("is kept once the disk takes it") == 1
