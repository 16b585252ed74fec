"""A loudspeaker for a machine without one: the real espeak-ng, whose sound goes into a pipe instead of a sound card."""

from __future__ import annotations

import os
import shutil
import threading
import time
from pathlib import Path

HEADER_BYTES = 44
QUIET_SECONDS = 0.6


class Loudspeaker:
    """`environment` makes a kiosk play here; `heard` is each utterance: when its first sample came, its bytes.

    While `held` is there, no sound comes out: whatever is said next takes until it is gone.
    """

    def __init__(self, folder: Path) -> None:
        program = shutil.which("espeak-ng")
        assert program, "espeak-ng is missing; scripts/system-packages.sh installs it."
        self.heard: list[tuple[float, int]] = []
        self.held = folder / "held"
        self._pipe = folder / "sound"
        self._over = False
        bin_folder, runtime = folder / "bin", folder / "runtime"
        bin_folder.mkdir()
        runtime.mkdir()
        (runtime / "pipewire-0").touch()
        os.mkfifo(self._pipe)
        script = bin_folder / "espeak-ng"
        script.write_text(
            f'#!/bin/sh\ncase "$*" in *--stdout*) exec {program} "$@";; esac\n'
            f"while [ -e {self.held} ]; do sleep 0.05; done\n"
            f'exec {program} "$@" --stdout > {self._pipe}\n'
        )
        script.chmod(0o755)
        self.environment = {"PATH": f"{bin_folder}:{os.environ['PATH']}", "XDG_RUNTIME_DIR": str(runtime)}
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while not self._over:
            with self._pipe.open("rb", buffering=0) as sound:
                got, first = 0, 0.0
                while chunk := sound.read(4096):
                    got += len(chunk)
                    if not first and got > HEADER_BYTES:
                        first = time.time()
                if first:
                    self.heard.append((first, got))

    def wait_for_more(self, count: int) -> None:
        """Wait until more than `count` utterances were heard; fail after 20 s."""
        deadline = time.monotonic() + 20
        while len(self.heard) <= count:
            assert time.monotonic() < deadline, "nothing more was heard"
            time.sleep(0.01)

    def until_quiet(self) -> int:
        """Wait until nothing new has been heard for a while; how many utterances were heard by then."""
        count, since = len(self.heard), time.monotonic()
        while time.monotonic() - since < QUIET_SECONDS:
            time.sleep(0.02)
            if len(self.heard) != count:
                count, since = len(self.heard), time.monotonic()
        return count

    def close(self) -> None:
        """Listen no more."""
        self._over = True
        deadline = time.monotonic() + 20
        while self._thread.is_alive() and time.monotonic() < deadline:
            os.close(os.open(self._pipe, os.O_RDWR | os.O_NONBLOCK))  # lets the listener's open return
            self._thread.join(0.05)
