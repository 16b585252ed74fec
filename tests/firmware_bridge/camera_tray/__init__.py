"""The camera tray as tests use it: its own program on MicroPython, at the other end of a pseudo-terminal.

MicroPython is the system's package where there is one (Debian 13 has it), else the wheel of the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tty
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

import cv2
import numpy as np

from vision.ports import Pixels

PROGRAM: Final = Path(__file__).parents[3] / "firmware_bridge" / "camera_tray" / "main.py"
STAND_IN: Final = Path(__file__).with_name("stand_in.py")
LOOK: Final = (160, 120)
"""Columns and rows of a look."""


def micropython() -> list[str]:
    """How MicroPython is started."""
    there = shutil.which("micropython")
    return [there] if there else [sys.executable, "-m", "micropython_unix"]


class CameraTray:
    """A running camera tray; `port` is a link to its port. It sees what was shown last, and nothing at first.

    `show` puts a picture below the camera, `fail` breaks the camera. `replug` is another boot at another port.
    """

    def __init__(self, folder: Path, *, boot_id: int = 1) -> None:
        self.port: Final = folder / "port"
        self.files: Final = folder / "files"
        """Where the board keeps what is copied onto it; its own program lies elsewhere until then."""
        self._folder = folder / "sees"
        self._folder.mkdir(parents=True)
        self.files.mkdir()
        self._boot_id = boot_id
        self._count = 0
        self._master = -1
        self._process: subprocess.Popen[bytes] | None = None
        self.show(b"", np.full((LOOK[1], LOOK[0]), 100, np.uint8))
        self._plug()

    def show(self, jpeg: bytes, look: Pixels) -> None:
        """Below the camera lies what `jpeg` shows, and `look` is how it looks in greys."""
        self._count += 1
        (self._folder / f"{self._count}.grey").write_bytes(look.tobytes())
        (self._folder / f"{self._count}.jpg").write_bytes(jpeg)
        self._become(str(self._count))

    def show_picture(self, picture: Pixels) -> None:
        """The same for a picture."""
        encoded, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
        assert encoded
        small = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), LOOK, interpolation=cv2.INTER_AREA)
        self.show(jpeg.tobytes(), small.astype(np.uint8))

    def fail(self) -> None:
        """The camera breaks, until something is shown."""
        self._become("nothing")

    def replug(self) -> None:
        """Pull the cable and put it back."""
        self.unplug()
        self._boot_id += 1000
        self._plug()

    def unplug(self) -> None:
        """Pull the cable."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            os.close(self._master)
            self.port.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()

    def _become(self, name: str) -> None:
        fresh = self._folder / "now.new"
        fresh.write_text(name, encoding="ascii")
        fresh.replace(self._folder / "now")

    def _plug(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(os.ttyname(slave))
        os.close(slave)
        arguments = [*micropython(), str(STAND_IN), str(PROGRAM.parent), str(self._folder), str(self._boot_id)]
        environment: Mapping[str, str] = os.environ
        self._process = subprocess.Popen(
            arguments, stdin=self._master, stdout=self._master, env=environment, cwd=self.files
        )
