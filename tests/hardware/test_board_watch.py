"""Low voltage, heat and a full card: each told once when it begins, and once when it is over."""

from __future__ import annotations

from dataclasses import replace

from hardware.board import HOT, LITTLE_DISK, BoardHealth, Power
from hardware.board_watch import STEADY_SECONDS, BoardWatch, Trouble
from tests.hardware.test_board import HEALTHY

LOW = replace(HEALTHY, power=Power(under_voltage=True))
NOTHING = BoardHealth(None, None, None, None, None, None, None)


def told(watch: BoardWatch, health: BoardHealth, now: float) -> list[tuple[Trouble, bool]]:
    found = watch.feed(health, now)
    assert all(one.what and bool(one.remedy) is not one.over for one in found), "what to do, while something is to do"
    return [(one.trouble, one.over) for one in found]


def test_low_voltage_is_told_once_and_its_end_only_after_a_steady_minute() -> None:
    watch = BoardWatch()
    assert told(watch, HEALTHY, 0) == []
    assert told(watch, LOW, 10) == [(Trouble.POWER, False)]
    assert told(watch, LOW, 20) == []
    assert told(watch, HEALTHY, 30) == []
    assert told(watch, LOW, 40) == []
    assert told(watch, HEALTHY, 40 + STEADY_SECONDS - 1) == []
    assert told(watch, HEALTHY, 40 + STEADY_SECONDS) == [(Trouble.POWER, True)]
    assert told(watch, HEALTHY, 400) == []
    assert told(watch, LOW, 410) == [(Trouble.POWER, False)]


def test_heat_is_told_once_though_it_wavers() -> None:
    watch = BoardWatch()
    degrees = (60.0, HOT, HOT - 1, HOT + 3, HOT - 4.9, HOT - 5, HOT - 1)
    found = [told(watch, replace(HEALTHY, temperature=one), n) for n, one in enumerate(degrees)]
    assert found == [[], [(Trouble.HEAT, False)], [], [], [], [(Trouble.HEAT, True)], []]


def test_a_full_card_is_told_before_nothing_can_be_kept() -> None:
    watch = BoardWatch()
    free = (LITTLE_DISK, LITTLE_DISK - 1, 0, LITTLE_DISK + 1, 2 * LITTLE_DISK)
    found = [told(watch, replace(HEALTHY, disk_free=one), n) for n, one in enumerate(free)]
    assert found == [[], [(Trouble.DISK, False)], [(Trouble.DISK, False)], [], [(Trouble.DISK, True)]]


def test_a_disk_that_goes_on_filling_up_is_told_anew_at_each_half_and_aloud_once() -> None:
    watch = BoardWatch()
    news = [one for free in (150, 149, 80, 70, 30) for one in watch.feed(replace(HEALTHY, disk_free=free * 10**6), 0)]
    assert [(str(one.what), one.aloud) for one in news] == [
        ("Only 150 MB of disk are free.", True),
        ("Only 70 MB of disk are free.", False),
        ("Only 30 MB of disk are free.", False),
    ]


def test_a_disk_without_a_byte_is_no_news_at_each_look() -> None:
    watch = BoardWatch()
    found = [told(watch, replace(HEALTHY, disk_free=0), now) for now in range(3)]
    assert found == [[(Trouble.DISK, False)], [], []]


def test_a_computer_that_tells_nothing_has_no_troubles() -> None:
    watch = BoardWatch()
    assert [told(watch, NOTHING, now) for now in range(0, 600, 10)] == [[]] * 60
    watch.feed(LOW, 600)
    assert told(watch, NOTHING, 1200) == [], "that it is over must be told by the board"
