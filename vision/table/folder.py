"""The files in the data folder with the setup of a table."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Final

from vision.errors import PictureError, VisionError
from vision.frames.kept import NoFileError, read_kept
from vision.frames.pictures import encode_jpeg
from vision.ports import Pixels
from vision.table import calibration
from vision.table.calibration import Calibration, load_calibration
from vision.table.setup import EMPTY_DAMAGED, EMPTY_NAME, EMPTY_NO_FILE, EmptyTray, TableSetup, decoded_empty
from vision.table.view import FILE_NAME as VIEW_NAME
from vision.table.view import Outlook, ViewError, as_view_text, view_from_text
from vision.taught import own_dice
from vision.taught.own_dice import OwnDie, load_dice

_log = logging.getLogger(__name__)

_QUALITY: Final = 92
"""How well the picture of the empty tray is kept, of 100: its details are compared."""


def keep(file: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, even in a power cut. Returns once it is on the disk. Raises `OSError`."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.new")
    try:
        with beside.open("wb") as made:
            made.write(content.encode() if isinstance(content, str) else content)
            made.flush()
            os.fsync(made.fileno())
        beside.replace(file)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    folder = os.open(file.parent, os.O_RDONLY)  # so that the disk has the name, too
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class TableFolder:
    """Loads and saves a `TableSetup`, each part in a file of its own, so that damage costs one part alone.

    A file that could not be read stays until its part is kept anew, and is kept as `NAME.damaged` then, with a number
    if there is one: what is in it is nowhere else, and a person may have mended it meanwhile.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._unread: set[str] = set()

    def load(self) -> TableSetup:
        """All that is kept. Raises `VisionError` for the first part that is damaged."""
        return TableSetup(self.calibration(), self.empty(), self.dice())

    def calibration(self) -> Calibration | None:
        """The calibration. Raises `CalibrationError` for a damaged one."""
        with self._noted(calibration.FILE_NAME):
            return load_calibration(self.folder / calibration.FILE_NAME)

    def empty(self) -> EmptyTray | None:
        """The empty tray. Raises `PictureError` for a damaged picture."""
        with self._noted(EMPTY_NAME):
            try:
                return decoded_empty(read_kept(self.folder / EMPTY_NAME))
            except FileNotFoundError:
                return None
            except NoFileError as why:
                raise PictureError(EMPTY_NO_FILE) from why
            except OSError as why:
                raise PictureError(EMPTY_DAMAGED) from why

    def dice(self) -> tuple[OwnDie, ...]:
        """The dice that were taught. Raises `OwnDiceError` for a damaged file."""
        with self._noted(own_dice.FILE_NAME):
            return load_dice(self.folder / own_dice.FILE_NAME)

    def keep_calibration(self, setup: TableSetup, made: Calibration | None) -> TableSetup:
        """Keep a calibration, or none, and give the setup with it. Raises `OSError`.

        What was seen with another one is removed: it was another place, though the numbers may be the same.
        """
        if made is not setup.calibration:
            with suppress(OSError):
                (self.folder / VIEW_NAME).unlink(missing_ok=True)
        file = self._cleared(calibration.FILE_NAME)
        if made is None:
            file.unlink(missing_ok=True)
        else:
            keep(file, calibration.as_text(made))
        return replace(setup, calibration=made)

    def view(self, of: Calibration) -> Outlook | None:
        """What the camera saw with this calibration; None where it is not known. A damaged one is logged, and no loss.

        It is seen anew.
        """
        try:
            return view_from_text(read_kept(self.folder / VIEW_NAME).decode(), of)
        except FileNotFoundError:
            return None
        except (ViewError, OSError, UnicodeDecodeError):
            _log.warning("%s is damaged. What the camera sees at its first rest takes its place.", VIEW_NAME)
            return None

    def keep_view(self, view: Outlook, of: Calibration) -> None:
        """Keep what the camera saw with this calibration. Raises `OSError`."""
        keep(self.folder / VIEW_NAME, as_view_text(view, of))

    def keep_empty(self, setup: TableSetup, picture: Pixels | None) -> TableSetup:
        """Keep a picture of the empty tray, or none, and give the setup with it. Raises `OSError`."""
        file = self._cleared(EMPTY_NAME)
        if picture is None:
            file.unlink(missing_ok=True)
            return replace(setup, empty=None)
        keep(file, encode_jpeg(picture, quality=_QUALITY))
        return replace(setup, empty=EmptyTray.of(picture))

    def keep_dice(self, setup: TableSetup, dice: tuple[OwnDie, ...]) -> TableSetup:
        """Keep the dice that were taught, and give the setup with them. Raises `OSError`."""
        keep(self._cleared(own_dice.FILE_NAME), own_dice.as_text(dice))
        return replace(setup, dice=dice)

    @contextmanager
    def _noted(self, name: str) -> Iterator[None]:
        """Note whether the file of that name can be read."""
        try:
            yield
        except VisionError:
            self._unread.add(name)
            raise
        self._unread.discard(name)

    def _cleared(self, name: str) -> Path:
        """The place of that name, from which a file that could not be read has gone. Raises `OSError`."""
        file = self.folder / name
        if name in self._unread and file.is_file():
            kept = (f"{file.stem}.damaged{'' if number == 1 else f'-{number}'}{file.suffix}" for number in count(1))
            file.rename(next(one for one in map(file.with_name, kept) if not os.path.lexists(one)))
        self._unread.discard(name)
        return file
