"""Shared by the camera commands: one picture from any source, and the data folder locked while writing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kiosk.devices.camera_words import why_words
from kiosk.errors import JournalBusyError, JournalError
from kiosk.storage.folder import HeldFolder
from kiosk.storage.paths import data_folder
from rules.dice import DiceError, Reading, SourceKind

if TYPE_CHECKING:
    from vision.desk.workbench import Workbench
    from vision.ports import Frame, Pixels
    from vision.watch.watcher import SeenThrow

_FRAMES: Final = 12
"""A camera's first pictures are dark or blurred: exposure and focus take a moment."""
_WAIT: Final = 10.0
"""Seconds that a camera has to send its first pictures."""


class StillEye:
    """A source with one still picture, for the workbench."""

    def __init__(self, frame: Frame, bench: Workbench) -> None:
        self._picture = frame.image
        self._bench = bench
        bench.look_through(frame.hfov)

    def newest(self) -> Pixels | None:
        """The picture."""
        return self._picture

    def last_throw(self) -> SeenThrow | None:
        """The dice in the picture, as a throw."""
        from vision.watch.watcher import SeenThrow  # noqa: PLC0415  # only where a camera is in use

        told = self._bench.told(self._picture)
        return SeenThrow(self._picture, told.dice, Reading("", SourceKind.CAMERA, told.dice), told.mirrored)


def seen(source: str) -> Frame:
    """One picture of a camera, an address, a file or a folder (its first). Raises `VisionError`."""
    from vision.frames.pictures import load_picture  # noqa: PLC0415  # likewise
    from vision.frames.sources import open_source  # noqa: PLC0415  # only where a camera is in use
    from vision.ports import Frame  # noqa: PLC0415  # likewise

    if Path(source).is_file():
        picture = load_picture(source)
        return Frame(picture.pixels, 0, 0.0, hfov=picture.hfov)
    stream = open_source(source).open()
    with closing(stream):
        until = time.monotonic() + _WAIT
        frame = stream.read()
        for _ in range(_FRAMES):
            after = stream.read() if time.monotonic() < until else None
            frame = after if after is not None else frame
    if frame is None:
        raise click.ClickException(f"{source} gives no picture; check the camera, or name a picture file.")
    return frame


@contextmanager
def bench_at(data: Path | None, hfov: float | None = None, *, teaching: bool = False) -> Iterator[Workbench]:
    """A workbench on the data folder, locked against the kiosk; errors end the command with a message.

    `hfov` is the field of view that a person says the camera has. With `teaching`, objects that look like no die are
    listed, too.
    """
    try:
        from vision.desk.workbench import Workbench  # noqa: PLC0415  # likewise
        from vision.errors import VisionError  # noqa: PLC0415  # a broken camera library costs these commands alone
        from vision.read.reader import load_reader  # noqa: PLC0415  # likewise
    except Exception as error:
        raise click.ClickException(f"The camera's library does not load here ({error}). Run: make install") from error
    try:
        held = HeldFolder(data_folder(data))
    except JournalBusyError as error:
        raise click.ClickException(
            "A kiosk runs and owns the camera. Do this on its pages /camera and /dice."
        ) from error
    except JournalError as error:
        raise click.ClickException(str(error)) from error
    with held as folder:
        try:
            reader = load_reader(hfov=hfov)
            bench = Workbench(reader.telling_all() if teaching else reader, folder.path)
            for broken in bench.load():
                click.echo(f"Left aside: {why_words(broken)}", err=True)
            yield bench
        except (VisionError, DiceError) as error:
            raise click.ClickException(str(why_words(error))) from error
        except OSError as error:
            raise click.ClickException(str(why_words(error))) from error
