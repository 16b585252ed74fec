"""A camera that is a folder: pictures are dropped into it, of a rendered tray or from somewhere else."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2

from vision.training.stage import Stage

SEED = 5
AFTER_TUMBLING = 10.0


class Camera:
    """A folder that pictures are dropped into; each arrives whole."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir()
        self._seen = 0
        self._stage_time = 0.0
        self.stage = Stage(SEED, clock=lambda: self._stage_time)

    def sees(self, picture: Path) -> None:
        """A picture from somewhere else."""
        self._seen += 1
        arriving = self.folder / f"{self._seen:04}.part"
        shutil.copyfile(picture, arriving)
        arriving.rename(self.folder / f"{self._seen:04}{picture.suffix}")

    def sees_no_picture(self) -> None:
        """A file that holds something else."""
        self._seen += 1
        (self.folder / f"{self._seen:04}.jpg").write_bytes(b"this is no picture")

    def looks(self) -> None:
        """The rendered tray as it lies now."""
        self._stage_time += AFTER_TUMBLING
        whole = self.folder.parent / "look.png"
        cv2.imwrite(str(whole), self.stage.frame())
        self.sees(whole)
