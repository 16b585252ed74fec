"""The emulated board, driven by a small firmware that does what a test tells it over the wire."""

from __future__ import annotations

import os
import stat
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from tests.firmware_bridge.emulated import BENCH_FIRMWARE, PATIENCE, EmulatedTray

pytestmark = pytest.mark.slow

VERSION_REGISTER = bytes((0x80 | 0x37 << 1, 0))
POWER, EXTERNAL, WATCHDOG = 0x01, 0x02, 0x08

CATCHES_UP = 300
"""Milliseconds by which the board may have been behind before, and makes up for."""


SLOW_START = 41
"""Milliseconds that the bench firmware takes before it begins to count them."""


class Bench:
    """The board and its wire."""

    def __init__(self, tray: EmulatedTray) -> None:
        self.tray = tray
        self.wire = serial.Serial(tray.port, 115200, timeout=PATIENCE, exclusive=True)
        self.started()

    def started(self) -> None:
        """Wait for the byte that the firmware sends at its start."""
        assert self.wire.read(1) == b"!"

    def ask(self, sent: bytes, count: int) -> bytes:
        self.wire.write(sent)
        answer = self.wire.read(count)
        assert len(answer) == count
        return answer

    def reset_flags(self) -> int:
        return self.ask(b"m", 1)[0]

    def milliseconds(self) -> int:
        return int.from_bytes(self.ask(b"t", 4), "little")

    def pin(self, number: int) -> bool:
        return bool(self.ask(b"p", 1)[0] >> number & 1)

    def piezo(self) -> int:
        return int.from_bytes(self.ask(b"a", 2), "little")

    def spi(self, slot: int, data: bytes) -> bytes:
        self.wire.write(bytes((ord("x"), slot, len(data))))
        return b"".join(self.ask(bytes((byte,)), 1) for byte in data)


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[EmulatedTray]:
    with EmulatedTray(tmp_path / "tray", firmware=BENCH_FIRMWARE, eeprom=tmp_path / "eeprom") as made:
        yield made


@pytest.fixture
def bench(tray: EmulatedTray) -> Iterator[Bench]:
    made = Bench(tray)
    with made.wire:
        yield made


def closes(wire: serial.Serial) -> None:
    """Close as a host that leaves DTR alone: HUPCL cleared."""
    import termios  # noqa: PLC0415 - for this one only

    settings = termios.tcgetattr(wire.fileno())
    settings[2] &= ~termios.HUPCL
    termios.tcsetattr(wire.fileno(), termios.TCSANOW, settings)
    wire.close()


def test_every_reader_answers_on_its_own_select_line(bench: Bench) -> None:
    bench.tray.send("reader 1 absent", "reader 2 stuck")
    assert [bench.spi(slot, VERSION_REGISTER)[1] for slot in range(4)] == [0x92, 0xFF, 0x00, 0x92]
    bench.tray.send("reader 1 present", "reader 2 hung")
    assert [bench.spi(slot, VERSION_REGISTER)[1] for slot in range(4)] == [0x92] * 4


def test_registers_of_two_readers_are_kept_apart(bench: Bench) -> None:
    while any(bench.spi(slot, b"\x82\x00")[1] & 0x10 for slot in (0, 1)):
        continue  # their oscillators start, and until then they take no writes
    bench.spi(0, b"\x5a\x12")  # ModWidthReg of the first two
    bench.spi(1, b"\x5a\x34")
    assert [bench.spi(slot, b"\xda\x00")[1] for slot in (0, 1)] == [0x12, 0x34]


def test_sensors_reach_their_pins(bench: Bench) -> None:
    assert (bench.pin(2), bench.pin(3)) == (True, False)
    bench.tray.send("button down", "beam broken")
    assert (bench.pin(2), bench.pin(3)) == (False, True)
    bench.tray.send("reset external")
    bench.started()
    assert (bench.pin(2), bench.pin(3)) == (False, True), "a reset moves no finger"
    bench.tray.send("button up", "beam clear")
    assert (bench.pin(2), bench.pin(3)) == (True, False)


def test_a_hit_decays(bench: Bench) -> None:
    assert bench.piezo() < 10
    bench.tray.send("piezo 4000 3000")
    assert bench.piezo() > 200
    end = time.monotonic() + PATIENCE
    while bench.piezo() >= 10:
        assert time.monotonic() < end


def test_lamps_are_decoded_from_the_edges_of_the_data_line(bench: Bench) -> None:
    colours = bytes(range(1, 7))
    assert bench.ask(bytes((ord("l"), len(colours))) + colours, 1) == b"l"
    assert bench.tray.heard("lamp 2 1 3 5 4 6 0 0 0 ")
    assert bench.ask(bytes((ord("l"), len(colours))) + colours, 1) == b"l"
    assert bench.ask(b"eA", 1) == b"A"
    assert sum(line.startswith("lamp") for line in bench.tray.told) == 1, "only a change is told"


def test_reset_causes_are_those_of_the_chip(bench: Bench) -> None:
    bench.tray.send("reset power")
    bench.started()
    assert bench.reset_flags() == POWER
    bench.tray.send("reset external")
    bench.started()
    assert bench.reset_flags() == EXTERNAL
    assert bench.ask(b"d", 1) == b"d"
    bench.started()
    assert bench.reset_flags() == WATCHDOG
    assert bench.ask(b"eA", 1) == b"A"
    assert bench.tray.heard("watchdog")
    bench.tray.send("wait 60")
    assert bench.tray.told.count("watchdog") == 1, "a start that takes 40 ms outlives it: the new period counts at once"


def test_a_hang_lasts_until_the_watchdog_or_a_reset(bench: Bench) -> None:
    bench.tray.send("hang")
    bench.wire.timeout = 0.3
    bench.wire.write(b"eA")
    assert bench.wire.read(1) == b"", "this firmware has no watchdog running"
    bench.wire.timeout = PATIENCE
    bench.tray.send("reset external")
    bench.started()
    assert bench.ask(b"eA", 1) == b"A"


def test_a_stall_stops_the_boards_own_clock(bench: Bench) -> None:
    before, real = bench.milliseconds(), time.monotonic()
    bench.tray.send("stall 1.5")
    after, taken = bench.milliseconds(), time.monotonic() - real
    assert taken >= 1.4
    assert after - before <= (taken - 1.5) * 1000 + CATCHES_UP


def test_waiting_counts_the_boards_own_time_since_its_start(bench: Bench) -> None:
    bench.tray.send("wait 600")
    assert bench.milliseconds() >= 600 - SLOW_START
    bench.tray.send("reset external", "wait 600")
    bench.started()
    assert bench.milliseconds() >= 600 - SLOW_START


def test_the_board_keeps_to_the_monotonic_clock(bench: Bench) -> None:
    before, real = bench.milliseconds(), time.monotonic()
    time.sleep(2.0)
    passed, taken = bench.milliseconds() - before, (time.monotonic() - real) * 1000
    assert passed <= taken + CATCHES_UP, "it never runs ahead"
    assert passed >= taken / 20, "a busy machine may slow it, but not so much"


def test_the_wire_is_no_faster_than_its_bit_rate(bench: Bench) -> None:
    start = time.monotonic()
    for _ in range(16):
        bench.ask(b"f\xff", 255)
    taken = time.monotonic() - start
    assert taken >= 16 * 255 * 10 / 115200 * 0.9


def test_bytes_that_the_firmware_leaves_are_lost_as_in_the_chip(bench: Bench) -> None:
    bench.wire.write(b"s\x05" + b"eB" * 20)  # deaf for 5 ms: for nearly all of these bytes
    answered = bench.wire.read(1)
    assert answered == b"s"
    end = time.monotonic() + PATIENCE
    while b"Z" not in answered:
        assert time.monotonic() < end
        bench.wire.write(b"eZ")  # again and again: a half command may be left over from before
        time.sleep(0.02)
        answered += bench.wire.read(bench.wire.in_waiting)
    assert answered.count(b"B") < 10


def test_the_eeprom_outlives_the_run(tmp_path: Path) -> None:
    for expected in (0xFF, 0x42):
        with EmulatedTray(tmp_path / "tray", firmware=BENCH_FIRMWARE, eeprom=tmp_path / "eeprom") as tray:
            bench = Bench(tray)
            with bench.wire:
                assert bench.ask(b"r\x05", 1)[0] == expected
                bench.ask(b"w\x05\x42", 1)
                assert bench.ask(b"r\x05", 1) == b"\x42"
                assert expected == 0x42 or tray.heard("eeprom saved")
    assert (tmp_path / "eeprom").stat().st_size == 1024


def test_opening_the_port_resets_the_board_unless_dtr_stays(bench: Bench) -> None:
    bench.wire.timeout, begun, end = 2.0, b"", time.monotonic() + PATIENCE
    while begun != b"!":
        assert time.monotonic() < end
        bench.wire.close()
        time.sleep(0.1)  # a busy emulator may miss so short a pause, as it may any
        bench.wire.open()
        begun = bench.wire.read(1)
    bench.wire.timeout = PATIENCE
    bench.milliseconds()
    closes(bench.wire)
    time.sleep(0.1)
    bench.wire.open()
    assert bench.ask(b"eA", 1) == b"A", "DTR never fell: no reset, no byte of a start"


def test_a_board_without_that_circuit_is_not_reset(tmp_path: Path) -> None:
    with EmulatedTray(tmp_path / "tray", firmware=BENCH_FIRMWARE, dtr_reset=False) as tray:
        tray.send("wait 100")
        with serial.Serial(tray.port, 115200, timeout=PATIENCE) as wire:
            wire.write(b"eA")
            assert wire.read(1) == b"A", "the byte of its start was sent to nobody and is lost"


def test_the_cable_comes_back_under_the_same_name(bench: Bench) -> None:
    bench.milliseconds()
    bench.tray.send("cut")
    assert not os.path.lexists(bench.tray.port)
    with pytest.raises(serial.SerialException):
        bench.wire.read(1)
    bench.wire.close()
    bench.tray.send("join")
    assert stat.S_ISCHR(Path(bench.tray.port).stat().st_mode)
    bench.wire.open()
    bench.started()
    assert bench.reset_flags() & POWER == 0, "the data lines were cut, not the power"


def test_pulling_the_whole_cable_takes_the_power_too(tmp_path: Path) -> None:
    with EmulatedTray(tmp_path / "tray", firmware=BENCH_FIRMWARE, dtr_reset=False) as tray:
        tray.send("reset external", "wait 100", "unplug")
        assert not os.path.lexists(tray.port)
        assert tray.answer("wait 1").startswith("error")
        tray.send("replug", "wait 100")
        with serial.Serial(tray.port, 115200, timeout=PATIENCE) as wire:
            wire.write(b"m")
            assert wire.read(1)[0] == POWER


def test_a_cable_can_go_after_so_many_bytes(bench: Bench) -> None:
    bench.tray.send("cut 3")
    bench.wire.write(b"f\xff")
    arrived = 0

    def read() -> None:
        nonlocal arrived
        while True:
            arrived += len(bench.wire.read(1))

    with pytest.raises(serial.SerialException):
        read()
    assert arrived <= 3


def test_bytes_are_dropped_and_garbled_as_told(bench: Bench) -> None:
    bench.tray.send("drop 2")
    bench.wire.write(b"f\x05")
    assert bench.wire.read(3) == b"\x02\x01\x00"
    bench.tray.send("lose 2")
    bench.wire.write(b"eAeB")
    assert bench.wire.read(1) == b"B"
    bench.tray.send("noise 10 3")
    bench.wire.write(b"f\xff")
    bench.wire.timeout = 5.0
    wrong = sum(got != 254 - place for place, got in enumerate(bench.wire.read(255)))
    bench.tray.send("noise 0")
    assert 5 <= wrong <= 70 or wrong == 255, "about 25, or all if the command itself was garbled"


def test_wrong_lines_are_refused_with_the_right_form(tray: EmulatedTray) -> None:
    for line in (
        "tag 4 04a1b2c3",
        "tag 0 04a1b2",
        "tag 0 zza1b2c3",
        "lift 0",
        "weak 0 04a1b2c3 101",
        "reader 0 broken",
        "piezo high 3",
        "beam half",
        "button",
        "reset brown-out",
        "stall -1",
        "noise 200",
        "drop x",
        "tag 0 04a1b2c3 more words than any",
        "dance",
    ):
        assert tray.answer(line).startswith("error "), line
    tray.send("tag 0 04a1b2c3", "lift 0 04a1b2c3")


def test_nothing_is_kept_for_who_comes_later(bench: Bench) -> None:
    ran = bench.milliseconds() + SLOW_START
    bench.wire.write(b"f\xff")
    closes(bench.wire)
    bench.tray.send(f"wait {ran + 300}")
    bench.wire.open()
    assert bench.ask(b"eZ", 1) == b"Z"


def test_a_round_trip_is_quick(bench: Bench) -> None:
    def once() -> float:
        start = time.monotonic()
        bench.ask(b"eA", 1)
        return time.monotonic() - start

    assert statistics.median(once() for _ in range(50)) < 0.1


def test_it_ends_with_its_input_and_takes_its_link_along(tmp_path: Path) -> None:
    tray = EmulatedTray(tmp_path / "tray", firmware=BENCH_FIRMWARE)
    assert tray.close() == 0
    assert not os.path.lexists(tray.port)


def test_a_file_in_the_place_of_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "tray").write_text("a letter")
    with pytest.raises(AssertionError, match="did not start"):
        EmulatedTray(tmp_path / "tray", firmware=BENCH_FIRMWARE)
    assert (tmp_path / "tray").read_text() == "a letter"
