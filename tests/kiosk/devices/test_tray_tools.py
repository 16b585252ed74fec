"""Firmware from a file by the real programs: avrdude and real boot loaders on the emulated board, mpremote.

In the long form alone, because a board takes its time. `scripts/system-packages.sh` installs what it takes.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kiosk.devices.tray_desk import TrayDesk
from kiosk.devices.tray_update import find_program
from kiosk.devices.trays import Trays
from rules.dice import SourceState, SourceStatus
from tests.firmware_bridge.camera_tray import PROGRAM, CameraTray
from tests.firmware_bridge.emulated import BENCH_FIRMWARE, BUILD, EmulatedTray, build
from tests.kiosk.devices.test_trays import no_reader

pytestmark = pytest.mark.long

PATIENCE = 150.0
LOADERS = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")
"""Where Debian's package arduino-core-avr keeps what Arduino burns into its boards."""
OLD_NANO = LOADERS / "atmega" / "ATmegaBOOT_168_atmega328.hex"


def optiboot(to: Path) -> Path:
    """Optiboot 4.4, as Arduino burns it into an Uno, from its source; without its three flashes, or it is too long.

    (Debian's compiler makes more of them than half a kilobyte, so that Debian's own file ends beyond the chip.)
    """
    flags = ["-Os", "-fno-inline-small-functions", "-fno-split-wide-types", "-mrelax", "-mmcu=atmega328p"]
    flags += ["-DF_CPU=16000000L", "-DLED_START_FLASHES=0", "-DBAUD_RATE=115200", "-nostartfiles", "-w"]
    flags += ["-Wl,--section-start=.text=0x7e00", "-Wl,--section-start=.version=0x7ffe", "-Wl,--relax"]
    elf, made = to / "optiboot.elf", to / "optiboot.hex"
    subprocess.run(["avr-gcc", *flags, "-o", elf, LOADERS / "optiboot" / "optiboot.c"], check=True)
    subprocess.run(["avr-objcopy", "-j", ".text", "-O", "ihex", elf, made], check=True)
    return made


def old_nano(_: Path) -> Path:
    """What Nanos had before: 57,600 Bd."""
    return OLD_NANO


class Kiosk:
    """A kiosk as far as writing to its one tray goes."""

    def __init__(self, port: str) -> None:
        self.desk = TrayDesk()
        self.told: list[SourceStatus] = []
        self.trays = Trays((port,), self.desk, no_reader)
        self.trays.start(lambda _: None, self.told.append)

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, (self.told[-3:], self.desk.update.said)
            time.sleep(0.05)

    def is_ready(self) -> bool:
        return bool(self.told) and self.told[-1].state is SourceState.READY

    def write(self, name: str, data: bytes) -> str:
        """What is said in the end of that file."""
        self.desk.write(1, name, data)
        self.desk.update.wait(PATIENCE)
        return str(self.desk.update.said)


@pytest.fixture
def begin() -> Iterator[Callable[[str], Kiosk]]:
    made: list[Kiosk] = []

    def begun(port: str) -> Kiosk:
        made.append(Kiosk(port))
        made[-1].until(made[-1].is_ready)
        return made[-1]

    yield begun
    for one in made:
        one.trays.stop()


def image(elf: Path, form: str, to: Path) -> bytes:
    """The firmware `elf` as `ihex` or `binary`."""
    subprocess.run(["avr-objcopy", "-O", form, "-R", ".eeprom", elf, to], check=True)
    return to.read_bytes()


@pytest.mark.parametrize("loader", [optiboot, old_nano])
def test_avrdude_writes_to_a_board_and_what_is_no_tray_can_be_written_over(
    loader: Callable[[Path], Path], tmp_path: Path, begin: Callable[[str], Kiosk]
) -> None:
    assert find_program("avrdude"), "sudo apt install avrdude"
    assert OLD_NANO.exists(), "sudo apt install arduino-core-avr"
    build("firmware", str(BENCH_FIRMWARE.relative_to(BUILD.parent)))
    with EmulatedTray(tmp_path / "port", loader=loader(tmp_path)) as board:
        kiosk = begin(board.port)
        assert "other.hex is written" in kiosk.write("other.hex", image(BENCH_FIRMWARE, "ihex", tmp_path / "other.hex"))
        kiosk.until(lambda: kiosk.told[-1].state is SourceState.LOST)  # a firmware that is not a tray's
        (offered,) = kiosk.desk.view().firmware
        assert offered.takes == ".hex,.bin", "a state that can be left"
        tray = BUILD / "firmware" / "tray.elf"
        assert "tray.bin is written" in kiosk.write("tray.bin", image(tray, "binary", tmp_path / "tray.bin"))
        kiosk.until(kiosk.is_ready)


def test_mpremote_writes_another_program_to_a_camera_tray(tmp_path: Path, begin: Callable[[str], Kiosk]) -> None:
    newer = PROGRAM.read_text(encoding="utf-8").replace("_FIRMWARE = 0x0100", "_FIRMWARE = 0x0205").encode()
    with CameraTray(tmp_path / "tray") as board:
        kiosk = begin(str(board.port))
        assert "main.py is written" in kiosk.write("main.py", newer)
        assert (board.files / "main.py").read_bytes() == newer
        kiosk.until(lambda: kiosk.is_ready() and "firmware 2.5" in kiosk.told[-1].what)
