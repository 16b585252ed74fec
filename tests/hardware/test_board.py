"""The board's health from made trees of /proc and /sys, and from a machine that tells nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hardware.board import BoardHealth, Power, advice, board_model, read_board
from hardware.board_watch import BoardWatch

HEALTHY = BoardHealth(
    model="Raspberry Pi 5 Model B Rev 1.0",
    temperature=48.3,
    power=Power(under_voltage=False, was_under_voltage=False, throttled=False, soft_limit=False),
    disk_free=20_000_000_000,
    disk_total=32_000_000_000,
    memory_available=3_000_000_000,
    memory_total=4_000_000_000,
)


def put(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    put(tmp_path, "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    put(tmp_path, "proc/meminfo", "MemTotal:        4000 kB\nMemAvailable:    3000 kB\nHugePages_Total:       7\n")
    put(tmp_path, "sys/class/thermal/thermal_zone0/type", "nvme-thermal\n")
    put(tmp_path, "sys/class/thermal/thermal_zone0/temp", "31000\n")
    put(tmp_path, "sys/class/thermal/thermal_zone1/type", "cpu-thermal\n")
    put(tmp_path, "sys/class/thermal/thermal_zone1/temp", "48312\n")
    put(tmp_path, "sys/devices/platform/soc/soc:firmware/get_throttled", "50000\n")
    return tmp_path


def test_a_pi_tells_everything(pi: Path) -> None:
    health = read_board(pi, pi)
    assert health.model == "Raspberry Pi 5 Model B Rev 1.0"
    assert health.temperature == pytest.approx(48.312)
    assert health.power == Power(
        under_voltage=False,
        was_under_voltage=True,
        frequency_capped=False,
        throttled=False,
        was_throttled=True,
        soft_limit=False,
    )
    assert (health.memory_available, health.memory_total) == (3000 * 1024, 4000 * 1024)
    assert health.disk_free is not None
    assert health.disk_total is not None
    assert 0 <= health.disk_free <= health.disk_total


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("0", Power(False, False, False, False, False, False)),  # noqa: FBT003 - the six flags in order
        ("0x1", Power(True, False, False, False, False, False)),  # noqa: FBT003 - the six flags in order
        ("2", Power(False, False, True, False, False, False)),  # noqa: FBT003 - the six flags in order
        ("4", Power(False, False, False, True, False, False)),  # noqa: FBT003 - the six flags in order
        ("8", Power(False, False, False, False, False, True)),  # noqa: FBT003 - the six flags in order
        ("50005", Power(True, True, False, True, True, False)),  # noqa: FBT003 - the six flags in order
    ],
)
def test_each_flag_of_the_firmware(pi: Path, flags: str, expected: Power) -> None:
    put(pi, "sys/devices/platform/soc/soc:firmware/get_throttled", flags)
    assert read_board(pi, pi).power == expected


@pytest.mark.parametrize(("alarm", "low"), [("0\n", False), ("1\n", True)])
def test_the_voltage_sensor_serves_where_the_firmware_is_not_passed_on(
    tmp_path: Path, alarm: str, *, low: bool
) -> None:
    put(tmp_path, "sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    put(tmp_path, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    put(tmp_path, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", alarm)
    assert read_board(tmp_path, tmp_path).power == Power(under_voltage=low)


def test_what_a_machine_does_not_tell_is_absent(tmp_path: Path) -> None:
    health = read_board(tmp_path / "no such folder", tmp_path)
    assert health == BoardHealth(None, None, None, None, None, None, None)
    assert advice(health) == ()


def test_garbled_files_are_absent_facts(pi: Path) -> None:
    for zone in (0, 1):
        put(pi, f"sys/class/thermal/thermal_zone{zone}/temp", "warm\n")
    put(pi, "sys/devices/platform/soc/soc:firmware/get_throttled", "\n")
    put(pi, "proc/meminfo", "MemTotal\nMemAvailable: many kB\n")
    (pi / "proc/device-tree/model").write_bytes(b"\0\xff\0")
    health = read_board(pi, pi)
    assert (health.temperature, health.power, health.memory_available, health.memory_total) == (None,) * 4


def test_this_machine_can_be_read() -> None:
    health = read_board(Path.cwd())
    assert health.memory_total is not None
    assert health.memory_total > 10_000_000
    assert health.disk_total is not None


def test_a_model_of_nothing_is_none(tmp_path: Path) -> None:
    put(tmp_path, "proc/device-tree/model", "\0")
    assert board_model(tmp_path) is None


@pytest.mark.parametrize(
    ("health", "words"),
    [
        (replace(HEALTHY, power=Power(under_voltage=True)), "voltage is too low"),
        (replace(HEALTHY, power=Power(under_voltage=False, was_under_voltage=True)), "was too low at some time"),
        (replace(HEALTHY, power=Power(under_voltage=False, throttled=True)), "slowing itself down"),
        (replace(HEALTHY, temperature=84.6), "at 85 °C"),
        (replace(HEALTHY, disk_free=120_000_000), "120 MB of disk"),
        (replace(HEALTHY, disk_free=65_536), "66 kB of disk"),
        (replace(HEALTHY, memory_available=100_000_000), "100 MB of memory"),
    ],
)
def test_each_trouble_has_one_sentence_of_advice(health: BoardHealth, words: str) -> None:
    (told,) = advice(health)
    assert words in told
    for news in BoardWatch().feed(health, 0.0):
        assert told == f"{news.what} {news.remedy}", "the doctor says what the screens say"


def test_a_healthy_board_needs_no_advice() -> None:
    assert advice(HEALTHY) == ()
