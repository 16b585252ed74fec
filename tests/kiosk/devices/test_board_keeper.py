"""The board is looked at now and then, and what fails there costs that look alone."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from hardware.board import BoardHealth
from hardware.board_watch import Trouble, TroubleNews
from kiosk import compose
from kiosk.devices import board_keeper
from kiosk.devices.board_keeper import BoardKeeper
from kiosk.sources import Sources
from tests.hardware.test_board import HEALTHY
from tests.kiosk.desk import SilentVoice


def test_a_look_that_fails_costs_itself_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_keeper, "LOOK_SECONDS", 0.01)
    looks = iter([HEALTHY, None, replace(HEALTHY, temperature=91.0), HEALTHY])
    told: list[TroubleNews] = []
    cool = threading.Event()

    def read() -> BoardHealth:
        found = next(looks, HEALTHY)
        if found is None:
            raise OSError("of a sort")
        return found

    def tell(news: TroubleNews) -> None:
        told.append(news)
        if news.over:
            cool.set()

    keeper = BoardKeeper(read, tell)
    keeper.start()
    assert cool.wait(20)
    keeper.stop()
    keeper.stop()
    assert [(one.trouble, one.over) for one in told] == [(Trouble.HEAT, False), (Trouble.HEAT, True)]


def test_a_trouble_is_on_the_list_of_parts_and_aloud_with_what_to_do() -> None:
    sources, voice = Sources(), SilentVoice()
    health = [replace(HEALTHY, disk_free=1_000_000)]
    keeper = BoardKeeper(lambda: health[0], lambda news: compose._tell_board(sources, voice, news))  # noqa: SLF001 - what `build` listens with
    keeper.look()
    keeper.look()
    [part] = sources.views()
    assert (part.source, part.state) == ("disk", "lost")
    assert part.what.startswith("Only 1 MB of disk are free.")
    assert part.remedy
    health[0] = HEALTHY
    keeper.look()
    [part] = sources.views()
    assert (part.state, part.remedy) == ("ready", "")
    assert [one.normal.partition(".")[0] for one in voice.answers] == [
        "Only 1 MB of disk are free",
        "There is room on the disk again",
    ]
