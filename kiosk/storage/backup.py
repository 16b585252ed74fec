"""All that is kept, in one file with a manifest and checksums; and back again, once all of it was found whole.

A backup is a zip: each file of the data folder but those that the kiosk makes again by itself, the journal, and
`manifest.json` last. A file that cannot be read is left out, and named. The journal in it is a whole copy, also while
a kiosk runs. Restoring deletes nothing: what was there before is moved into a folder of its own, and the journal
changes places last, in one step.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Annotated, Final

import msgspec
from msgspec import Meta, Struct

from kiosk.errors import JournalError, JournalFullError, KioskError, system_words
from kiosk.ports import Clock
from kiosk.storage.begun import BEGUN
from kiosk.storage.export import LATEST
from kiosk.storage.folder import LOCK_NAME, HeldFolder
from kiosk.storage.journal import open_for_reading
from kiosk.storage.journal_troubles import why_not_kept
from kiosk.storage.kept_twice import open_kept_twice, tried
from kiosk.storage.paths import JOURNAL_NAME
from kiosk.storage.replacing import OWNERS_ALONE, sync
from kiosk.storage.second_copy import second_copy_of
from rules.words import Phrase, say

log = logging.getLogger(__name__)

FORM: Final = 1
"""The form of the manifest that this version writes and reads."""

MANIFEST: Final = "manifest.json"
"""The file in a backup that names the others."""

CUT_OFF: Final = ".trueroll-"
"""The beginning of the name of the folder in which a backup is being made, beside its file."""

MOST_FILES: Final = 20_000
"""Files in a backup at most: a few hundred cases, and all else by the dozen."""
MOST_BYTES: Final = 8 << 30
"""Bytes that a backup may unpack to: a card has more, and no season nearly as many."""
LARGEST_MANIFEST: Final = 8 << 20
"""Bytes of the longest manifest that is read."""
CHUNK: Final = 1 << 18
"""Bytes copied at a time."""

AFRESH: Final = (LOCK_NAME, "checkpoint.json", BEGUN, JOURNAL_NAME, f"{JOURNAL_NAME}-wal", f"{JOURNAL_NAME}-shm")
"""Files that are not copied as they are: made again by themselves, or, like the journal, copied by SQLite."""
AFRESH_HERE: Final = frozenset({*AFRESH, second_copy_of(Path(JOURNAL_NAME)).name, MANIFEST}) - {JOURNAL_NAME}
"""Names never in a backup: beside another journal they would change it."""
BEFORE: Final = "before-restore-"
"""The beginning of the name of the folder with the files from before a restore; the time follows."""
RESTORING: Final = ".restoring-"
"""The beginning of the name of the folder into which a backup is unpacked; the time follows."""
ASIDE: Final = (BEFORE, RESTORING, "backups")
"""The beginnings of the names of folders that are not part of the kept data."""

BROKEN: Final = (
    KeyError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    msgspec.MsgspecError,
    zlib.error,
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
)
"""The errors of `zipfile`, `zlib` and `json` for damaged data."""

Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""A checksum, in hexadecimal digits."""


class BackupError(KioskError):
    """A backup that cannot be made, or cannot be trusted; the message says why, and that nothing was changed."""


class Packed(Struct, frozen=True, kw_only=True):
    """One file of a backup."""

    name: str
    size: Annotated[int, Meta(ge=0)]
    sha256: Sha256


class Manifest(Struct, frozen=True, kw_only=True):
    """What a backup holds: `made` is in seconds since 1970-01-01 UTC, `decisions` the journal's last number.

    `left_out` are the files that could not be read.
    """

    form: int
    made_by: str
    made: Annotated[float, Meta(ge=0, lt=LATEST)]
    decisions: Annotated[int, Meta(ge=0)]
    files: tuple[Packed, ...]
    left_out: tuple[str, ...] = ()

    @property
    def when(self) -> str:
        """When it was made, in ISO 8601, UTC."""
        return datetime.fromtimestamp(self.made, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore, and the folder with the files from before; empty if there were none.

    `altered` are the decisions that were not as they were written when the backup was made.
    """

    manifest: Manifest
    before: str
    altered: tuple[int, ...] = ()


def left_out_words(made: Manifest) -> Phrase:
    """The words on files that are not in the backup."""
    names = ", ".join(made.left_out)
    return say("These files cannot be read, and are not in it: {names}.", names=names)


def usual_name(clock: Clock) -> str:
    """The name of a backup made now; names sort by time."""
    return f"trueroll-{datetime.fromtimestamp(clock.now(), UTC):%Y%m%dT%H%M%SZ}.zip"


def back_up(data: Path, file: Path, clock: Clock, copy_journal: Callable[[Path], int] | None = None) -> Manifest:
    """Write all that is kept in `data` to `file`, and read it back. A kiosk may run meanwhile.

    That kiosk itself gives `copy_journal`, which copies the journal with what waits for the disk, and returns its last
    decision. Returns once the disk has it. Raises `BackupError`; then there is no `file`, or the one that was there
    before.
    """
    beside = file.with_name(f"{file.name}.new")
    try:
        with TemporaryDirectory(prefix=CUT_OFF, dir=file.parent) as room:
            journal = Path(room) / JOURNAL_NAME
            decisions = copy_journal(journal) if copy_journal is not None else _copied(data, journal, clock)
            decisions = _healed(journal, second_copy_of(data / JOURNAL_NAME), clock, decisions)
            with open(beside, "wb", opener=_owners) as made:
                manifest = _written(made, [*_files(data), (JOURNAL_NAME, journal)], decisions, clock)
                made.flush()
                os.fsync(made.fileno())
        verified(beside)
        beside.replace(file)
        sync(file.parent)
    except JournalFullError as error:
        raise BackupError(_unwritten(file, why_not_kept(error))) from error
    except JournalError as error:
        # a copy that a pulled stick did not take fails as the kiosk's own journal would
        there = _trouble_in(file.parent)
        raise BackupError(str(error) if there is None else _unwritten(file, system_words(there))) from error
    except OSError as error:
        raise BackupError(_unwritten(file, system_words(error))) from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    return manifest


def _trouble_in(folder: Path) -> OSError | None:
    """The error of a folder that takes no file now; None if it takes one."""
    try:
        with TemporaryFile(dir=folder) as probe:
            probe.write(b"trueroll")
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        return error
    return None


def _unwritten(file: Path, why: Phrase) -> Phrase:
    return say("The backup {path} cannot be written: {why}.", path=str(file), why=why)


def _copied(data: Path, journal: Path, clock: Clock) -> int:
    with closing(open_for_reading(data / JOURNAL_NAME, clock)) as present:
        present.copy_to(journal)
        return present.decision


def _healed(journal: Path, lines: Path, clock: Clock, last: int) -> int:
    """Mend that copy of the journal as a start of the kiosk would, by the second copy; its last decision then.

    Decisions that neither has whole are copied unchanged, if they can be read. Raises `JournalError` where it cannot.
    """
    if not _broken(journal, clock):
        return last
    if lines.is_file():
        shutil.copyfile(lines, second_copy_of(journal))
        with tried(), closing(open_kept_twice(journal, clock)) as mended:
            last = mended.decision
    with closing(open_for_reading(journal, clock)) as copied:
        for _ in copied.decisions():
            pass
    for number in _broken(journal, clock):
        log.warning("Decision %d is not as it was written; the backup holds what it says.", number)
    return last


def _broken(journal: Path, clock: Clock) -> list[int]:
    """The decisions that are not as they were written."""
    with closing(open_for_reading(journal, clock)) as copied:
        return list(copied.broken())


def _owners(path: str, flags: int) -> int:
    return os.open(path, flags, OWNERS_ALONE)


def _files(data: Path) -> Iterator[tuple[str, Path]]:
    """Each file to keep, with its name in a backup, in order."""
    for one in sorted(data.rglob("*")):
        name = one.relative_to(data)
        if not one.is_file() or one.is_symlink() or name.name.endswith(".new") or _is_aside(name):
            continue
        if name.name in AFRESH or one == second_copy_of(data / JOURNAL_NAME):
            continue
        yield name.as_posix(), one


def _is_aside(name: Path) -> bool:
    return len(name.parts) > 1 and name.parts[0].startswith(ASIDE)


def _written(made: IO[bytes], files: list[tuple[str, Path]], decisions: int, clock: Clock) -> Manifest:
    packed: list[Packed] = []
    left_out: list[str] = []
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files:
            if name == JOURNAL_NAME:
                packed.append(_added(archive, name, path))  # its copy: without that there is no backup
                continue
            if not _is_safe(name) or not _can_be_read(path):
                log.warning("%a cannot be read, so it is not in the backup.", name)
                left_out.append(name.encode(errors="replace").decode())
                continue
            with suppress(FileNotFoundError):  # the kiosk took it away just now
                packed.append(_added(archive, name, path))
        manifest = Manifest(
            form=FORM,
            made_by=version("trueroll"),
            made=clock.now(),
            decisions=decisions,
            files=tuple(packed),
            left_out=tuple(left_out),
        )
        archive.writestr(MANIFEST, json.dumps(msgspec.to_builtins(manifest), indent=1))
    return manifest


def _can_be_read(path: Path) -> bool:
    """Whether the file can be read completely; a file that is gone counts as readable."""
    try:
        with path.open("rb") as file:
            while file.read(CHUNK):
                pass
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _added(archive: zipfile.ZipFile, name: str, path: Path) -> Packed:
    """Add a file as it is at this moment: the kiosk may replace it meanwhile. Raises `OSError`."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as source:
        told = zipfile.ZipInfo.from_file(path, name, strict_timestamps=False)  # a Pi without a clock wakes up in 1970
        told.compress_type = zipfile.ZIP_DEFLATED
        with archive.open(told, "w", force_zip64=True) as out:
            while part := source.read(CHUNK):
                size += len(part)
                digest.update(part)
                out.write(part)
    return Packed(name=name, size=size, sha256=digest.hexdigest())


def verified(file: Path) -> Manifest:
    """The manifest of a backup of which every file is whole. Raises `BackupError` for any other file."""
    return _looked_through(file, lambda _name: None)


def checked(file: Path, clock: Clock) -> tuple[Manifest, tuple[int, ...]]:
    """The same for a backup that can be restored: its journal is also read decision by decision.

    With the decisions that were not as they were written, or missing, when it was made.
    """
    with TemporaryDirectory(prefix=CUT_OFF) as room:
        journal = Path(room) / JOURNAL_NAME
        manifest = _looked_through(file, lambda name: journal if name == JOURNAL_NAME else None)
        return manifest, _altered_in(journal, manifest, clock)


def _looked_through(file: Path, place: Callable[[str], Path | None]) -> Manifest:
    """Read a backup from beginning to end, and write each file to its `place`, if any. Raises `BackupError`."""
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = _manifest(archive)
            for packed in manifest.files:
                target = place(packed.name)
                digest, size = hashlib.sha256(), 0
                with archive.open(packed.name) as source, _opened(target) as out:
                    while part := source.read(CHUNK):
                        size += len(part)
                        if size > packed.size:
                            break
                        digest.update(part)
                        out.write(part)
                    if target is not None:
                        out.flush()
                        os.fsync(out.fileno())
                if size != packed.size or digest.hexdigest() != packed.sha256:
                    raise BackupError(
                        say("The backup is damaged: {name} is not as it was. Nothing was changed.", name=packed.name)
                    )
            return manifest
    except OSError as error:
        why = system_words(error)
        raise BackupError(
            say("The backup {path} cannot be read: {why}. Nothing was changed.", path=str(file), why=why)
        ) from error
    except BROKEN as error:
        raise BackupError(
            say("{path} is no backup of trueroll, or a damaged one. Nothing was changed.", path=str(file))
        ) from error


def _opened(target: Path | None) -> IO[bytes]:
    if target is None:
        return Path(os.devnull).open("wb")
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    return open(target, "wb", opener=_owners)


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    """The manifest, after a check that it names exactly the files there, and no path outside. Raises as `BROKEN`."""
    if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
        raise ValueError("too long a manifest")
    raw = json.loads(archive.read(MANIFEST))
    if isinstance(raw, dict) and isinstance(raw.get("form"), int) and raw["form"] > FORM:
        raise BackupError(say("A later version of trueroll made this backup. Install that one. Nothing was changed."))
    manifest = msgspec.convert(raw, Manifest)
    names = [one.name for one in manifest.files]
    if sorted([MANIFEST, *names]) != sorted(archive.namelist()) or len(set(names)) != len(names):
        raise ValueError("the manifest names other files")
    if len(names) > MOST_FILES or sum(one.size for one in manifest.files) > MOST_BYTES or JOURNAL_NAME not in names:
        raise ValueError("too much, or no journal")
    if not all(map(_is_safe, names)):
        raise ValueError("a name that leads elsewhere")
    return manifest


def _is_safe(name: str) -> bool:
    path = PurePosixPath(name)
    told = name.isprintable() and name and "\\" not in name and not path.is_absolute() and path.as_posix() == name
    return bool(told) and ".." not in path.parts and path.parts[0] not in AFRESH_HERE


def restore(file: Path, data: Path, clock: Clock) -> Restored:
    """Put what the backup `file` holds in the place of all that is kept in `data`.

    It is unpacked beside and looked through first, the journal decision by decision. What was there is moved into a
    folder `before-restore-…`. Raises `BackupError` where it cannot be trusted, `JournalBusyError` while a kiosk runs on
    the folder, `JournalError` where that cannot be used; nothing was changed then.
    """
    with _gone_if_refused(data), HeldFolder(data):
        stamp = f"{datetime.fromtimestamp(clock.now(), UTC):%Y%m%dT%H%M%SZ}"
        room = data / f"{RESTORING}{stamp}"
        for former in _rooms(data):
            shutil.rmtree(former, ignore_errors=True)
        try:
            manifest = _looked_through(file, lambda name: room / name)
            altered = _altered_in(room / JOURNAL_NAME, manifest, clock)
            before = _change_places(data, room, stamp)
        except OSError as error:
            raise BackupError(
                say(
                    "The backup cannot be unpacked into {path}: {why}. Nothing was changed.",
                    path=str(data),
                    why=system_words(error),
                )
            ) from error
        finally:
            shutil.rmtree(room, ignore_errors=True)
    return Restored(manifest, before, altered)


@contextmanager
def _gone_if_refused(data: Path) -> Iterator[None]:
    """Remove a folder that was made for a restore which was refused, and its lock: nothing was changed then."""
    new = [one for one in (data / LOCK_NAME, data, *data.parents) if not os.path.lexists(one)]
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for one in new:
                one.unlink() if one.name == LOCK_NAME else one.rmdir()
        raise


@dataclass(frozen=True, slots=True)
class CutOff:
    """A restore that a power cut ended: `before` is the folder of what was there, empty where nothing was moved yet.

    `room` is the folder into which the backup was unpacked: while it is there, the restore is reported.
    """

    before: str
    room: str

    @property
    def what(self) -> Phrase:
        """What happened, in words."""
        if not self.before:
            return say("A restore was cut off before it changed the journal.")
        return say(
            "A restore was cut off: the journal is the one from before, and some of the other files are missing."
        )

    @property
    def remedy(self) -> Phrase:
        """What to do."""
        if not self.before:
            return say("To go on with that backup, stop the kiosk and restore it once more.")
        return say(
            "Stop the kiosk and restore the same backup once more. What was there before is in {folder}. "
            "To go on without that backup, delete {room}.",
            folder=self.before,
            room=self.room,
        )


def cut_off(data: Path) -> CutOff | None:
    """The restore into `data` that was cut off, if any. Reads only."""
    found = [_cut_off(data, room) for room in _rooms(data)]
    return max((one for one in found if one is not None), key=lambda one: one.before, default=None)


def sweep(data: Path) -> None:
    """Delete the leftovers of restores that changed nothing, or were completed."""
    for room in _rooms(data):
        cut = _cut_off(data, room)
        if cut is None or not cut.before:
            shutil.rmtree(room, ignore_errors=True)


def _rooms(data: Path) -> list[Path]:
    try:
        return sorted(one for one in data.glob(f"{RESTORING}*") if one.is_dir())
    except OSError:
        return []


def _cut_off(data: Path, room: Path) -> CutOff | None:
    """The state of a restore by its unpacking folder: the journal is moved out last."""
    before = sorted(data.glob(f"{BEFORE}{room.name.removeprefix(RESTORING)}*"))
    if (room / JOURNAL_NAME).exists():
        return CutOff(before[-1].name if before else "", room.name)
    return None if before or not any(room.iterdir()) else CutOff("", room.name)


def _altered_in(path: Path, manifest: Manifest, clock: Clock) -> tuple[int, ...]:
    """The decisions of an unpacked journal that are not as they were written. Raises `BackupError` for what is cut."""
    try:
        with closing(open_for_reading(path, clock)) as journal:
            for _ in journal.decisions():
                pass
            if journal.decision == manifest.decisions:
                return tuple(journal.broken())
    except JournalError as error:
        raise BackupError(
            say("The backup is damaged: its journal cannot be read to its end. Take an older one. Nothing was changed.")
        ) from error
    raise BackupError(say("The backup is damaged: its journal ends elsewhere. Nothing was changed."))


def _change_places(data: Path, room: Path, stamp: str) -> str:
    """Move the present files aside and the restored ones in, the journal last; returns the name of the folder aside."""
    number, before = 1, data / f"{BEFORE}{stamp}"
    while before.exists():
        number += 1
        before = data / f"{BEFORE}{stamp}-{number}"
    present = f"{(data.resolve() / JOURNAL_NAME).as_uri()}?mode=rw"
    with suppress(sqlite3.Error), closing(sqlite3.connect(present, uri=True)) as old:
        old.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # so that it is one file, even in a power cut
    # looked at only now: what a killed kiosk left beside its journal went with the last connection
    there = [one for one in sorted(data.iterdir()) if one.name != LOCK_NAME and not one.name.startswith(ASIDE)]
    if there:
        before.mkdir(mode=0o700)
    journal = data / JOURNAL_NAME
    lines = second_copy_of(journal)
    if journal.exists():  # first: a disk that links no files needs room for it
        try:
            os.link(journal, before / JOURNAL_NAME)
        except OSError:
            shutil.copy2(journal, before / JOURNAL_NAME)
    aside = sorted((one for one in there if one != journal), key=lambda one: one != lines)
    # the lines go first: those of another journal would restore that one
    moves = [(one, before / one.name) for one in aside]
    moves += [(one, data / one.name) for one in sorted(room.iterdir()) if one.name != JOURNAL_NAME]
    done: list[tuple[Path, Path]] = []
    try:
        for source, target in moves:
            source.rename(target)
            done.append((source, target))
        if there:
            sync(before)
        (room / JOURNAL_NAME).replace(journal)
    except OSError as error:
        for source, target in reversed(done):
            with suppress(OSError):
                target.rename(source)
        with suppress(OSError):
            (before / JOURNAL_NAME).unlink(missing_ok=True)
            before.rmdir()
        if before.exists():  # a failing disk gave not all of it back: that is no reason to delete it
            raise BackupError(
                say(
                    "The backup cannot be unpacked into {path}: {why}. The journal was not changed; other files from "
                    "before are in {folder} now.",
                    path=str(data),
                    why=system_words(error),
                    folder=before.name,
                )
            ) from error
        raise
    sync(data)
    return before.name if there else ""
