"""The data folder: made on first use, and locked by one kiosk at a time, which writes its address into the lock."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import re
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from kiosk.errors import JournalBusyError, JournalError, system_words
from rules.words import Phrase, say

log = logging.getLogger(__name__)

LOCK_NAME: Final = "kiosk.lock"
"""The lock file in the data folder."""
LONGEST_ADDRESS: Final = 1024
"""Most bytes read of a lock file."""

ROOM_OF_A_DECISION: Final = 1 << 16
"""Bytes that a decision may need: some pages of the journal and of its log, and a line of the second copy. On a disk
with less nothing is begun, so that the screens say so before a decision is refused."""

_TOLD_BY_A_TRY: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
"""The errors of a try that say why. Others may be its own: not every disk has files without a name."""

LOOKERS_SECONDS: Final = 0.1
"""Seconds before a second attempt to lock: a mere check takes far less."""

FSTAB: Final = Path("/etc/fstab")
"""The file that says which disk is mounted on which folder at the start."""
MOUNTED: Final = Path("/proc/self/mountinfo")
"""The file that lists what is mounted."""
FOR_DISKS: Final[Mapping[Path, int]] = MappingProxyType({Path("/media"): 2, Path("/run/media"): 2, Path("/mnt"): 1})
"""Folders for removable disks, and how many levels below them a disk is mounted: at `USER/DISK`, or at `DISK`."""


class HeldFolder:
    """A data folder that no other kiosk may use until `release`; the system releases it too when this program ends.

    With `or_wait` a folder that cannot be made or written now is accepted: it is locked as far as possible, and fully
    by a later `hold`. Raises `JournalBusyError` while another kiosk holds it, `JournalError` where it cannot be made or
    written to.
    """

    def __init__(self, path: Path, *, or_wait: bool = False) -> None:
        self.path = path
        self._descriptor: int | None = None
        self._whole = False
        self._address = b""
        self._unwritten = False
        """Whether the disk did not take it."""
        try:
            self.hold()
        except JournalBusyError:
            raise
        except JournalError:
            if not or_wait:
                raise
            self._look_held()

    def hold(self) -> None:
        """Lock it fully, if it is not yet, also after the folder was replaced. Raises as the class says."""
        if self._whole and self._is_in_place():
            return
        self._whole = False
        descriptor = self._opened()
        if self._descriptor is not None:
            os.close(self._descriptor)  # the lock of a disk that could only be read
        self._descriptor = descriptor
        self._lock_it()
        self._write_address()
        self._whole = True

    def _is_in_place(self) -> bool:
        """Whether the lock that is held is the one in the folder, which may have been removed and made anew."""
        if self._descriptor is None:
            return False
        try:
            there, held = (self.path / LOCK_NAME).stat(), os.fstat(self._descriptor)
        except OSError:
            return False
        return os.path.samestat(there, held)

    def _opened(self) -> int:
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = self.path / LOCK_NAME
            if os.path.lexists(lock) and not lock.is_file():  # it holds nothing: what is in its place is moved aside
                log.warning("%s was no file; it is kept as %s.", lock, lock.replace(lock.with_stem("kiosk.damaged")))
            return os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise JournalError(
                say(
                    "The data folder {path} cannot be used: {why}. Choose another with --data.",
                    path=str(self.path),
                    why=system_words(error),
                )
            ) from error

    def _look_held(self) -> None:
        """Hold a read-only lock file, if there is one."""
        with suppress(OSError):
            self._descriptor = os.open(self.path / LOCK_NAME, os.O_RDONLY | os.O_NONBLOCK)
            self._lock_it()

    def _lock_it(self) -> None:
        if self._descriptor is None:
            return
        try:
            _lock(self._descriptor)
        except OSError:
            os.close(self._descriptor)
            self._descriptor = None
            raise JournalBusyError(
                say(
                    "Another kiosk already uses the data folder {path}. End it first, or choose another with --data.",
                    path=str(self.path),
                )
            ) from None

    def announce(self, address: str) -> None:
        """Write this kiosk's address for others (`held_at`). On a full disk nothing is written."""
        self._address = address.encode()
        self._write_address()

    def look(self) -> None:
        """Lock the present lock file again and write the address into it, whatever happened to it.

        Nothing where the folder is gone. Raises as the class says.
        """
        if is_gone(self.path):
            return
        was_held = self._descriptor is not None
        try:
            self.hold()
        except JournalBusyError:
            if was_held:
                log.warning("%s was taken away, and another kiosk uses the folder now: end one of them.", LOCK_NAME)
            raise
        if self._descriptor is not None and os.pread(self._descriptor, LONGEST_ADDRESS, 0) != self._address:
            if not self._unwritten:
                log.warning("%s was emptied or garbled, and says again where this kiosk is found.", LOCK_NAME)
            self._write_address()

    def _write_address(self) -> None:
        if self._descriptor is not None:
            self._unwritten = True
            with suppress(OSError):
                os.ftruncate(self._descriptor, 0)
                self._unwritten = os.pwrite(self._descriptor, self._address, 0) < len(self._address)

    def release(self) -> None:
        """Release it; twice is fine."""
        if self._descriptor is not None:
            descriptor, self._descriptor, self._whole = self._descriptor, None, False
            with suppress(OSError):
                os.ftruncate(descriptor, 0)
            os.close(descriptor)

    def __enter__(self) -> Self:
        """Already held."""
        return self

    def __exit__(self, *_: object) -> None:
        """Release."""
        self.release()


def is_gone(folder: Path) -> bool:
    """Whether there is no such folder. An unreadable one may be there (`Path.is_dir` raises then)."""
    try:
        return not stat.S_ISDIR(folder.stat().st_mode)
    except OSError as error:
        return error.errno in {errno.ENOENT, errno.ENOTDIR}


def missing_disk(folder: Path, *, fstab: Path = FSTAB, mounted: Path = MOUNTED) -> Path | None:
    """The mount point of that folder's disk by `fstab`, if it is not mounted; None if it is, or none belongs there.

    A service may have its own folder mounted onto itself: that is no disk.
    """
    lies = Path(os.path.realpath(folder))
    try:
        lines = [line.split() for line in fstab.read_text(errors="replace").splitlines()]
        there = [line.split() for line in mounted.read_text(errors="replace").splitlines()]
    except OSError:
        return None
    wanted = {_named(line[1]) for line in lines if len(line) > 2 and not line[0].startswith("#")}  # noqa: PLR2004 - the disk, its place, its kind
    others = {_named(line[4]) for line in there if len(line) > 4 and line[3] != line[4]}  # noqa: PLR2004 - as above
    for place in (lies, *lies.parents):
        if place in wanted and place not in others and not os.path.ismount(place):
            return place
    return None


def no_disk(folder: Path, *, is_new: bool) -> tuple[Phrase, Phrase] | None:
    """The message if that folder's disk is not mounted, and what to do; None if it is.

    A place for disks that come and go is looked at where the table `is_new` alone: it may be kept without one.
    """
    if (place := missing_disk(folder)) is not None:
        return no_disk_words(place)
    if is_new and (place := empty_place(folder)) is not None:
        return no_disk_words(place, belongs=False)
    return None


def _named(place: str) -> Path:
    """A folder as these files write it: spaces and backslashes in octal."""
    return Path(re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), place))


def empty_place(folder: Path, places: Mapping[Path, int] = FOR_DISKS) -> Path | None:
    """The place of a removable disk in which that folder lies, if no disk is mounted there; else None.

    A disk mounted farther up is another one: `/run` itself is in memory.
    """
    lies = Path(os.path.realpath(folder))
    above = next((one for one in places if one in lies.parents), None)
    if above is None or any(os.path.ismount(one) for one in (lies, *lies.parents) if one.is_relative_to(above)):
        return None
    return above.joinpath(*lies.relative_to(above).parts[: places[above]])


def no_disk_words(place: Path, *, belongs: bool = True) -> tuple[Phrase, Phrase]:
    """The message if no disk is mounted at `place`, and what to do.

    A disk `belongs` there if the system says so; otherwise the folder may be there on purpose.
    """
    if not belongs:
        return (
            say(
                "No disk is mounted at {place}, where disks are mounted. What is kept there now lies on another disk, "
                "and is hidden once one is mounted.",
                place=str(place),
            ),
            say(
                "If a disk belongs there, stop the kiosk, plug the disk in or mount it, then start the kiosk again. If "
                "none does, all is well."
            ),
        )
    return (
        say(
            "No disk is mounted at {place}, where one belongs. What is kept there now lies on another disk, and is "
            "hidden once one is mounted.",
            place=str(place),
        ),
        say("Stop the kiosk, plug the disk in or mount it, then start the kiosk again."),
    )


def begun_words(folder: Path) -> Phrase:
    """The message, given once, for a new table without a trace of an earlier one.

    It is mostly the owner's first, where nothing was lost; so it frightens nobody.
    """
    return say(
        "This table is new, and is kept in {folder}. If you expected one from before, it is on another card or disk.",
        folder=str(folder),
    )


def has_room(folder: Path) -> bool:
    """Whether the disk of that folder has room for a decision; True if unknown."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return True
    free = disk.f_bfree if os.geteuid() == 0 else disk.f_bavail  # some is kept for the system's owner
    return not disk.f_blocks or free * disk.f_frsize >= ROOM_OF_A_DECISION


def why_unwritten(folder: Path) -> OSError:
    """What keeps that folder's disk from being written, where a write just failed: no room, read-only, or its failure.

    The disk is asked, as SQLite does not say.
    """
    try:
        if os.statvfs(folder).f_flag & os.ST_RDONLY:
            return _error(errno.EROFS)
        if not has_room(folder):
            return _error(errno.ENOSPC)
        _try_room(folder)
    except OSError as error:
        return _error(error.errno if error.errno in _TOLD_BY_A_TRY else errno.EIO)
    return _error(errno.EIO)


def _try_room(folder: Path) -> None:
    """Take the room of a decision for a moment, without a name: a quota is told by this alone. Raises `OSError`."""
    descriptor = os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    try:
        os.posix_fallocate(descriptor, 0, ROOM_OF_A_DECISION)
    finally:
        os.close(descriptor)


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def held_at(lock: Path) -> str | None:
    """The address of the kiosk that holds the folder of `lock`, empty until it is written; None if there is none.

    Raises `OSError` where the lock is there and cannot be looked at.
    """
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe would be waited for
    except FileNotFoundError:
        return None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            said = os.pread(descriptor, LONGEST_ADDRESS, 0).decode(errors="replace")
            return said if said.startswith("http") and said.isprintable() else ""  # somebody may have garbled it
        return None
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    """Lock it, with a second attempt: someone may just be checking. Raises `OSError` where another kiosk holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        time.sleep(LOOKERS_SECONDS)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
