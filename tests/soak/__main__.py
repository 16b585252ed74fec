"""`make soak`: what takes too long for `make test`.

On the tray's real firmware, cables are pulled and frames are garbled: ARGS="replug=200 frames=100000". Then the tests
run in their long form, from a new seed that is printed: ARGS="tests=tests/rules seed=7" runs those of a folder or file
again from that one. Without ARGS all of it runs, for hours.
"""

from __future__ import annotations

import secrets
import subprocess
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


def long_tests(place: str, seed: str) -> int:
    """The tests under `place` in their long form, each without a limit of time; pytest's exit status."""
    command = [sys.executable, "-m", "pytest", "--length=long", f"--hypothesis-seed={seed}", "--timeout=0"]
    return subprocess.run([*command, "--numprocesses=2", "--dist=loadfile", place], check=False).returncode


def main() -> int:
    """Run all, or what ARGS asks for, and print a line for each; the exit status."""
    wanted = dict(word.split("=", 1) for word in sys.argv[1:]) or {
        "replug": str(REPLUGS),
        "frames": str(FRAMES),
        "tests": "tests",
    }
    for name, run in (("replug", replugging), ("frames", noise)):
        if name in wanted:
            start = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                said = run(Path(folder), int(wanted[name]))
            print(f"{said} ({time.monotonic() - start:.0f} s)", flush=True)
    if "tests" not in wanted:
        return 0
    return long_tests(wanted["tests"], wanted.get("seed", str(secrets.randbits(32))))


if __name__ == "__main__":
    sys.exit(main())
