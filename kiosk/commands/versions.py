"""The installed versions of trueroll, and which of them runs.

`current` is a link to the one that runs, `previous` to the one before. A version is unpacked beside, tried, and only
then linked, in one step. Until it has run for three minutes it is on trial: the file `trial` says what to go back to,
and hardware/os/trueroll-versions counts its starts. Whatever is cut off, `current` is a whole version.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kiosk.commands.update_file import UpdateError, manifest_of, unpack
from kiosk.storage.replacing import replace_file, sync

VERSIONS: Final = "versions"
"""The folder of all versions."""
CURRENT: Final = "current"
"""The link to the version that runs."""
PREVIOUS: Final = "previous"
"""The link to the version before."""
TRIAL: Final = "trial"
"""The file that is there while a version is on trial: a word and its value in each line."""
WHOLE: Final = "whole"
"""The file written last into a version's folder: it marks a complete one that was tried."""
ASIDE: Final = ".aside"
"""The suffix of a version's folder while the same version is installed again."""
LOCK: Final = "update.lock"
"""The file that whoever changes versions holds locked."""
BACKUPS: Final = "backups"
"""The folder in the data folder for copies of all that is kept; no part of a backup itself."""
FOR_ALL: Final = 0o644
"""Mode of what says which version runs: the kiosk's user reads it, and only root writes it."""
ROOM_FACTOR: Final = 4
"""Bytes that an installed version takes for each byte of its update, with room for what is unpacked meanwhile."""


@dataclass(frozen=True, slots=True)
class TriedVersion:
    """The result of a trial: `form` is the journal's schema before it, `backup` the copy of the data."""

    form: int
    backup: Path


@dataclass(frozen=True, slots=True)
class Means:
    """How a version is installed, how it is tried on a copy of `data`, and how the kiosk is stopped and started.

    Each raises `UpdateError` with a reason.
    """

    data: Path
    environment: Callable[[Path], None]
    try_out: Callable[[Path], TriedVersion]
    stop: Callable[[], None]
    start: Callable[[], None]


class Installation:
    """The folder `root` with its versions. Whoever changes it holds `held`. All that writes may raise `OSError`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.versions = root / VERSIONS

    @property
    def current(self) -> str:
        """The name of the version that runs; empty where there is none."""
        return self._linked(CURRENT)

    @property
    def previous(self) -> str:
        """The name of the version to go back to; empty where there is none."""
        before = self._linked(PREVIOUS)
        return "" if before == self.current else before

    @property
    def trial(self) -> dict[str, str]:
        """What the trial says; empty while none is on."""
        try:
            lines = (self.root / TRIAL).read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return {}
        return dict(line.split(" ", 1) for line in lines if " " in line)

    @contextmanager
    def held(self) -> Iterator[None]:
        """While it lasts nobody else changes versions. Raises `UpdateError` while somebody does."""
        with (self.root / LOCK).open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UpdateError("Another update runs. Wait for its end.") from None
            yield

    def update(self, file: Path, means: Means) -> str:
        """Install the update `file`, try it, let it run, and return its name.

        Raises `UpdateError` where it is not whole, cannot be installed or does not run; the present version goes on.
        """
        name = manifest_of(file).name  # first: what is no update leaves nothing behind
        with self.held():
            if name == self.current and self._is_whole(name):
                raise UpdateError(f"{name} runs already.")
            self._clear()
            if not self._is_whole(name):
                self._install(file, name, means)
            try:
                tried = means.try_out(self.versions / name)
                self._mark_whole(name)
            except (UpdateError, OSError):
                self._drop_refused(name)
                raise
            self._switch(name, tried, means.data)
            self._drop_backups(means.data)
            means.stop()
            means.start()
        return name

    def _install(self, file: Path, name: str, means: Means) -> None:
        room = shutil.disk_usage(self.root).free
        needed = ROOM_FACTOR * file.stat().st_size
        if room < needed:
            raise UpdateError(
                f"The update needs {needed >> 20} MB in {self.root}, and {room >> 20} MB are free. Make room first."
            )
        folder = self.versions / name
        before = self.versions / f"{name}{ASIDE}"
        if folder.exists():
            folder.rename(before)  # it may be the one that runs, and all that there is, whatever its mark says
        try:
            folder.mkdir(parents=True)
            unpack(file, folder)
            means.environment(folder)
        except (UpdateError, OSError):
            shutil.rmtree(folder, ignore_errors=True)
            self._put_back()
            raise

    def _mark_whole(self, name: str) -> None:
        """Mark a version that was tried: no start takes one whose trial was cut off, even where all others are lost."""
        if not self._is_whole(name):
            os.sync()  # what pip wrote is on the disk before the mark says so
            replace_file(self.versions / name / WHOLE, f"{name}\n".encode(), FOR_ALL)
        shutil.rmtree(self.versions / f"{name}{ASIDE}", ignore_errors=True)

    def _drop_refused(self, name: str) -> None:
        """Delete a version that did not run, so that no start takes it where all others are lost."""
        if name not in {self.current, self.previous, self.trial.get("back", "")}:
            with suppress(OSError):
                (self.versions / name / WHOLE).unlink(missing_ok=True)
            shutil.rmtree(self.versions / name, ignore_errors=True)
        self._put_back()

    def _put_back(self) -> None:
        """Put a set-aside version back unless a complete one took its place, as trueroll-versions does."""
        for before in self.versions.glob(f"*{ASIDE}"):
            folder = before.with_name(before.name.removesuffix(ASIDE))
            if not self._is_whole(folder.name):
                shutil.rmtree(folder, ignore_errors=True)
                before.rename(folder)

    def _switch(self, name: str, tried: TriedVersion, data: Path) -> None:
        before, now = self.trial, self.current
        on_trial = before.get("new") == now and self._is_whole(before.get("back", ""))
        # One that is on trial itself is none to go back to: both give way to the one that lasted, with its data.
        back = before["back"] if on_trial else now
        if back and back != name:
            trial = {
                "new": name,
                "back": back,
                "starts": "0",
                "data": str(data),
                "form": before.get("form", "") if on_trial else str(tried.form),
                "backup": before.get("backup", "") if on_trial else str(tried.backup),
            }
            lines = "".join(f"{key} {value}\n" for key, value in trial.items())
            replace_file(self.root / TRIAL, lines.encode(), FOR_ALL)
            self._link(PREVIOUS, back)
        self._link(CURRENT, name)
        if back == name != now:  # the one that lasted was installed once more: that is a way back
            (self.root / TRIAL).unlink(missing_ok=True)
            self._link(PREVIOUS, now)

    def _drop_backups(self, data: Path) -> None:
        """Delete the backups of updates that can no longer be rolled back."""
        kept = {backup_name(self.current), backup_name(self.previous), Path(self.trial.get("backup", "")).name}
        for one in (data / BACKUPS).glob(backup_name("*")):
            if one.name not in kept:
                with suppress(OSError):
                    one.unlink()

    def roll_back(self, means: Means, *, with_data: Callable[[Path], None] | None = None) -> str:
        """Let the version before run again, once it was tried on a copy of the data, and return its name.

        `with_data` puts the data back, too, as the backup has it that it is given. Raises `UpdateError` where there is
        no version before, where it does not run with the present data, or where no backup is there.
        """
        with self.held():
            before, now = self.previous, self.current
            if not before or not self._is_whole(before):
                raise UpdateError("There is no version before this one. Nothing was changed.")
            trial = self.trial
            ours = trial.get("new") == now  # a cut-off update may have left the trial of a version that never ran
            backup = Path(trial["backup"]) if ours and "backup" in trial else means.data / BACKUPS / backup_name(now)
            if with_data is None:
                means.try_out(self.versions / before)
            elif not backup.is_file():
                raise UpdateError(f"There is no backup from before {now}: {backup} is not there. Nothing was changed.")
            means.stop()
            try:
                if with_data is not None:
                    with_data(backup)
                self._link(CURRENT, before)
                (self.root / TRIAL).unlink(missing_ok=True)
                self._link(PREVIOUS, now)
            finally:
                means.start()  # whichever is linked: a way back that is not taken does not end the table
        return before

    def _linked(self, link: str) -> str:
        try:
            return (self.root / link).readlink().name
        except FileNotFoundError:
            return ""

    def _is_whole(self, name: str) -> bool:
        return bool(name) and (self.versions / name / WHOLE).is_file()

    def _link(self, link: str, name: str) -> None:
        """Point `link` to the version `name`, atomically and synced to disk."""
        beside = self.root / f"{link}.new"
        beside.unlink(missing_ok=True)
        beside.symlink_to(f"{VERSIONS}/{name}")
        beside.replace(self.root / link)
        sync(self.root)

    def _clear(self) -> None:
        """Delete versions that are no longer needed or were cut off, except one that is linked."""
        self._put_back()
        kept = {self.current, self.previous, self.trial.get("back", "")}
        if self.trial and self.trial.get("new") != self.current:
            (self.root / TRIAL).unlink()  # it was cut off before its version was linked
        with suppress(FileNotFoundError):
            for one in self.versions.iterdir():
                if one.name not in kept:
                    (one / WHOLE).unlink(missing_ok=True)
                    shutil.rmtree(one, ignore_errors=True)


def backup_name(version: str) -> str:
    """The name of the backup that is made before `version` runs."""
    return f"before-{version}.zip"
