"""A folder of picture files, in name order, as a source of frames.

A folder may be a recording, whose pictures follow one another as frames, or a collection of unrelated stills:

* with `fps` it is a recording: one picture, one frame, `fps` a second;
* with `hold` it is a collection: each picture stands for `hold` seconds, long enough to come to rest, as if a
  throw lay in the tray; all the frames of a picture carry its number, and each picture is a scene of its own;
* with neither the folder decides: where three pictures in a row show the same scene at rest, it is a recording at
  30 frames a second, as a camera's would be; otherwise a collection whose pictures stand for `USUAL_HOLD` seconds.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

from rules.words import Phrase, capitalized, say
from vision.errors import NO_WORDS, PictureError, SourceAwayError, SourceError, SourceLostError
from vision.frames.cameras import USUAL_FPS
from vision.frames.pictures import load_picture
from vision.frames.settling import Change, Glance, SettleSettings, compare, look_at
from vision.ports import Frame, FrameStream, GoesOn

USUAL_HOLD: Final = 1.5
"""Seconds that each picture of a collection stands."""
STILL_FPS: Final = 10.0
"""Frames a second while a picture stands."""

_SUFFIXES: Final = frozenset(
    {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff", ".pnm", ".ppm", ".pgm", ".pbm"}
)
"""The endings of picture files; other files in a folder are skipped."""
_LOOKED_AT: Final = 60
"""Pictures examined to decide whether a folder is a recording."""
_AT_REST: Final = 3
"""Pictures in a row with the same scene that make a folder a recording."""
_RESCAN: Final = 1.0
"""Seconds between two listings of the folder."""
_TRIES: Final = 3
"""Attempts to read a file, which may not be complete yet."""

_log = logging.getLogger(__name__)


class Folder:
    """The pictures of a folder, or one picture file, as frames.

    Args:
        path: the folder, or a single picture.
        fps: frames a second of a recording, above 0; not together with `hold`.
        hold: seconds that each picture of a collection stands, above 0.
        follow: never end: the last picture stays, and pictures that arrive in the folder are shown as they come, before
            those that were there from the start.
        wanted: whether dice are called for; of several unrelated stills that were there from the start the next one is
            shown only then. Without it they step on by themselves.
    """

    live = False

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        fps: float | None = None,
        hold: float | None = None,
        follow: bool = False,
        wanted: Callable[[], bool] | None = None,
    ) -> None:
        """Name the folder; raises `SourceError` where `fps` and `hold` contradict or are not above 0."""
        if fps is not None and hold is not None:
            raise SourceError(say("A folder is played by fps or by hold, not by both."), say("Leave one of them out."))
        if not all(one is None or one > 0 for one in (fps, hold)):
            raise SourceError(say("fps and hold are numbers above 0."), say("Give such a number, or leave them out."))
        self._path = Path(path)
        self._fps = fps
        self._hold = hold
        self._follow = follow
        self._wanted = wanted or _always
        name = self._path.name
        self.name = say("the folder {name}", name=name) if self._path.is_dir() else say("the picture {name}", name=name)

    def open(self) -> FrameStream:
        """Begin at the first picture. Raises `SourceError` where there is none."""
        paths = _pictures(self._path)
        if not paths:
            raise SourceError(
                say("There is no picture in {path}.", path=str(self._path)), say("Put JPEG or PNG files there.")
            )
        fps, hold = self._fps, self._hold
        if fps is None and hold is None:
            fps, hold = (USUAL_FPS, None) if is_recording(paths) else (None, USUAL_HOLD)
        return FolderStream(
            self._path, paths, fps=fps or STILL_FPS, hold=hold, follow=self._follow, wanted=self._wanted
        )


class FolderStream:
    """The pictures being played; damaged ones are named and passed over, keeping their number.

    A folder that cannot be reached is a `SourceAwayError` at each `read`, until it is back; its pictures that were
    shown are not shown again.
    """

    def __init__(
        self,
        folder: Path,
        paths: list[Path],
        *,
        fps: float,
        hold: float | None,
        follow: bool,
        wanted: Callable[[], bool],
    ) -> None:
        """Play `paths` (stills when `wanted`), and what else appears in `folder` when `follow`."""
        self._folder = folder
        self._waiting = list(enumerate(paths))
        self._known = set(paths)
        self._numbered = len(paths)
        self._may_wait = set(paths) if hold is not None and len(paths) > 1 else set[Path]()
        self._wanted = wanted
        self._ahead: Frame | None = None
        self._fps = fps
        self._repeats = 1 if hold is None else max(1, round(hold * fps))
        self._stills = hold is not None
        self._follow = follow
        self._tick = 0
        self._shown: Frame | None = None
        self._left = 0
        self._scanned = 0.0
        self._tries: dict[Path, int] = {}
        self._count = 0
        self._given_up: dict[Path, _Saved] = {}
        self._passed_over: Path | None = None
        self._open = True

    def read(self) -> Frame | None:
        """The next frame; see `vision.ports.FrameStream`."""
        if not self._open:
            return None
        t = self._tick / self._fps
        if self._left == 0:
            self._next(t)
        shown = self._shown or self._ahead
        if shown is None:
            raise SourceLostError(
                say("None of the pictures in {path} can be read.", path=str(self._folder)),
                say("Put JPEG or PNG files there."),
            )
        if self._left == 0 and not self._follow and not self._waiting:
            return None
        rests = self._left == 0
        self._left = max(0, self._left - 1)
        self._tick += 1
        return replace(shown, t=t, note=self._waits() if rests else NO_WORDS, goes_on=self._goes_on())

    def _goes_on(self) -> GoesOn:
        if self._folder in self._known:
            return GoesOn.NEVER
        if self._waiting:
            held = self._wanted is not _always and self._waiting[0][1] in self._may_wait
            return GoesOn.CALLED_FOR if held else GoesOn.BY_ITSELF
        return GoesOn.PUT_THERE if self._follow else GoesOn.BY_ITSELF

    def _waits(self) -> Phrase:
        """The source's note while a picture stays."""
        if self._passed_over:
            return say(
                "The file {name} is no picture that can be read; save it there anew.", name=self._passed_over.name
            )
        folder = self._folder.name
        if self._waiting:
            source = capitalized(say("the folder {name}", name=folder))
            return say("{source} shows its next picture when dice are called for.", source=source)
        if self._folder in self._known:
            return say("The picture {name} stays as it is.", name=folder)
        shown = say("All {count} pictures", count=self._count) if self._count > 1 else say("The one picture")
        return say("{shown} of {folder} shown; waiting for new ones put there.", shown=shown, folder=folder)

    def close(self) -> None:
        """Stop playing."""
        self._open = False

    def _next(self, t: float) -> None:
        """Show the next picture that can be read, if there is one and it need not wait."""
        if self._follow and t - self._scanned >= _RESCAN:
            self._rescan(t)
        while self._waiting:
            number, path = self._waiting[0]
            waits = path in self._may_wait and not self._wanted()
            if waits and (self._shown or self._ahead):
                return
            try:
                picture = load_picture(path)
            except PictureError as why:
                if path != self._folder:
                    self._listed()
                del self._waiting[0]
                self._pass_over(path, why)
                continue
            zoom = picture.width / picture.pixels.shape[1]
            scene = number + 1 if self._stills else 0
            frame = Frame(picture.pixels, number, t, zoom, scene=scene, hfov=picture.hfov)
            if waits:
                self._ahead = replace(frame, unread=True)
                return
            del self._waiting[0]
            self._shown, self._ahead = frame, None
            self._left = self._repeats
            self._count += 1
            self._passed_over = None
            return

    def _rescan(self, t: float) -> None:
        if self._folder in self._known:  # a single picture stays as it is, whatever becomes of its file
            return
        paths = self._listed()
        self._scanned = t
        for path in [one for one, saved in self._given_up.items() if _saved(one) != saved]:
            del self._given_up[path], self._tries[path]
            self._known.discard(path)
            self._passed_over = None if path == self._passed_over else self._passed_over
        new = []
        for path in paths:
            if path not in self._known:
                new.append((self._numbered, path))
                self._numbered += 1
                self._known.add(path)
        come = [one for one in self._waiting if one[1] not in self._may_wait]
        self._waiting = [*come, *new, *(one for one in self._waiting if one[1] in self._may_wait)]

    def _listed(self) -> list[Path]:
        """The pictures in the folder now. Raises `SourceAwayError` where it cannot be reached."""
        try:
            return _pictures(self._folder)
        except SourceError as why:
            if self._folder.exists():
                raise SourceAwayError(why.what, why.remedy) from why
            raise SourceAwayError(
                say("The folder {name} is gone.", name=self._folder.name),
                say("Put it back; trueroll looks for it by itself."),
            ) from why

    def _pass_over(self, path: Path, why: PictureError) -> None:
        """Skip an unreadable file, which may be incomplete yet: it is tried a few times, then only if it changes."""
        self._tries[path] = self._tries.get(path, 0) + 1
        if self._follow and self._tries[path] < _TRIES:
            self._known.discard(path)
        else:
            self._given_up[path] = _saved(path)
            self._passed_over = path
            _log.warning("passed over: %s", why)


_Saved = tuple[int, int] | None
"""When a file was saved, and its size; None where it is gone."""


def _saved(path: Path) -> _Saved:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _always() -> bool:
    """Dice are always wanted."""
    return True


def is_recording(paths: list[Path]) -> bool:
    """Whether the pictures are a recording, in which a scene rests for some frames, or unrelated stills."""
    settings = SettleSettings()
    anchor: Glance | None = None
    agreeing = 0
    for look in islice(_looks(paths), _LOOKED_AT):
        if anchor is not None and compare(anchor, look, settings) is Change.NOTHING:
            agreeing += 1
            if agreeing == _AT_REST:
                return True
        else:
            anchor, agreeing = look, 1
    return False


def _looks(paths: list[Path]) -> Iterator[Glance]:
    for path in paths:
        try:
            yield look_at(load_picture(path).pixels)
        except PictureError:
            continue


def _pictures(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    try:
        return sorted(one for one in path.iterdir() if one.suffix.lower() in _SUFFIXES and one.is_file())
    except OSError as why:
        raise SourceError(
            say("The folder {path} cannot be read: {reason}.", path=str(path), reason=str(why.strerror)),
            say("Check its name and its rights."),
        ) from why
