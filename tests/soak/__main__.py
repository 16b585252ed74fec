"""`make soak`: what takes too long for `make test`, on the tray's real firmware. ARGS="replug=200 frames=100000"."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from firmware_bridge.taught import TaughtDice
from tests.firmware_bridge.emulated import EmulatedTray
from tests.firmware_bridge.tagged import TAUGHT, Chatter, Host, replug, throw_until

REPLUGS = 200
FRAMES = 100_000


def open_files() -> int:
    """How many files this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def replugging(folder: Path, times: int) -> str:
    """Pull the whole cable and put it back, a die thrown and read in between."""
    before = open_files()
    with EmulatedTray(folder / "tray", eeprom=folder / "eeprom") as tray, Host(tray.port) as host:
        replug(tray, host, times=times)
    left = open_files() - before
    if left:
        raise AssertionError(f"{left} files are still open")
    return f"{times} times unplugged and replugged: {times} dice thrown, {len(host.thrown)} read, none wrong"


def noise(folder: Path, frames: int, taught: TaughtDice = TAUGHT) -> str:
    """One byte in a hundred garbled, both ways, while dice are thrown and PINGs fill the wire."""
    chatter = Chatter()
    with EmulatedTray(folder / "tray", eeprom=folder / "eeprom", dtr_reset=False) as tray:
        host = Host(tray.port, taught, opens=chatter.open)
        with host:
            host.ready()
            tray.send("noise 1 11")
            thrown = throw_until(tray, host, lambda: chatter.frames >= frames)
            tray.send("noise 0")
            host.ready()
    if host.faces != thrown:
        raise AssertionError(f"thrown {thrown}, read {host.faces}")
    return (
        f"{chatter.frames} frames with 1 % of their bytes garbled: {2 * len(thrown)} dice thrown, all read, none wrong"
    )


def main() -> None:
    """Run all, or what ARGS asks for, and print a line for each."""
    wanted = dict(word.split("=", 1) for word in sys.argv[1:]) or {"replug": str(REPLUGS), "frames": str(FRAMES)}
    for name, run in (("replug", replugging), ("frames", noise)):
        if name in wanted:
            start = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                said = run(Path(folder), int(wanted[name]))
            print(f"{said} ({time.monotonic() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
