"""How `trueroll doctor` looks at what is kept: the journal, its second copy, and the files beside it.

Nothing is written: the next start is tried on a copy.
"""

from __future__ import annotations

import dataclasses
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory, gettempdir
from typing import Final

from kiosk.clock import SystemClock
from kiosk.commands.findings import AS_REPORTED, Finding, FindingState, reported
from kiosk.commands.kept_files import faults
from kiosk.engine import Engine
from kiosk.errors import JournalDamagedError, JournalError, JournalFullError, JournalNewerError, system_words
from kiosk.ports import SetAside, SourceView
from kiosk.storage.backup import cut_off
from kiosk.storage.begun import Mark
from kiosk.storage.checkpoint import FILE_NAME as CHECKPOINT_NAME
from kiosk.storage.checkpoint import CheckpointFile
from kiosk.storage.damage_words import altered_words, damage_words, unfollowed_words
from kiosk.storage.folder import has_room, no_disk
from kiosk.storage.journal import FileJournal, open_for_reading
from kiosk.storage.journal_file import SCHEMA_VERSION, connect_for_reading
from kiosk.storage.journal_names import BESIDE, DAMAGED_NAME, IN_MEMORY, RESCUED, journals_beside, wal_of
from kiosk.storage.journal_troubles import plainly
from kiosk.storage.kept_twice import JournalKeptTwice, open_kept_twice, tried
from kiosk.storage.paths import JOURNAL_NAME, data_folder
from kiosk.storage.rejoining import RejoinError, lacking
from kiosk.storage.second_copy import SecondCopy, second_copy_of
from kiosk.storage.start_files import StartFiles
from kiosk.storage.told_once import FILE_NAME as TOLD_NAME
from kiosk.storage.told_once import ToldOnce
from kiosk.storage.unfailing import ends_with_the_machine, rescued_elsewhere
from kiosk.storage.whole_decisions import whole_in
from kiosk.storage.write_ahead_log import behind_the_log, reached_by, read_wal
from rules.dice import SourceState
from rules.game import history
from rules.words import Phrase

SET_ASIDE: Final = "set aside"
"""The name of the finding on a damaged journal that was set aside."""

MOST_NAMED: Final = 12
"""Decisions that are named at most."""

TRYING: Final = "trueroll-doctor-"
"""The beginning of the name of the folder for trying the next start on a copy."""

AS_ITS_OWNER: Final = "Run this as the user that the kiosk runs as, or choose another folder with --data."
"""What to do where the data folder or a file in it may not be read."""

_HAS_ALL: Final = "The journal in its place has all of it: the file may be deleted."
"""What to do about a rescued journal that was put behind the one that it continues."""

FIRST_START: Final = (
    "Before the first start that is as it should be: a new table begins there. If the table has played before, see "
    "that its disk is plugged in and mounted, or name the right folder with --data."
)
"""What it means that there is no journal."""


def takes_nothing(folder: Path) -> bool:
    """Whether its disk can only be read, is full, or fails."""
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY) or not has_room(folder)
    except OSError:
        return True


def nearest(data: Path) -> Path:
    """The folder itself, or the nearest one above it that is there and can be seen."""
    return next((folder for folder in (data, *data.parents) if os.path.exists(folder)), Path("/"))  # noqa: PTH110 - no error for what may not be seen


def journal_finding(data: Path, told: SourceView | None) -> Finding:
    """The journal in that folder, with what the running kiosk reports of it, if one runs."""
    found = _journal_found(data / JOURNAL_NAME)
    if told is None or AS_REPORTED[SourceState(told.state)] is not FindingState.WRONG:
        return found
    now = reported(told)
    if found.health is not FindingState.WRONG or found.what == now.what:
        return now
    return Finding(now.part, now.health, f"{now.what} {found.what}", f"{now.remedy} {found.remedy}".strip())


def _journal_found(path: Path) -> Finding:
    if os.path.islink(path) and not os.path.exists(path):  # noqa: PTH110, PTH114 - no error for what may not be seen
        remedy = (
            "Plug in the disk that it leads to. Or move it away: the next start brings the journal back from its "
            "second copy, where that is there."
        )
        return Finding("journal", FindingState.WRONG, f"{path} is a link to a file that is not there.", remedy)
    if not os.path.exists(path):  # noqa: PTH110 - as above
        return _journal_to_be(path)
    if not os.access(path, os.R_OK):
        return Finding("journal", FindingState.WRONG, f"This user may not read {path}.", AS_ITS_OWNER)
    return _journal_there(path)


def _journal_to_be(path: Path) -> Finding:
    place = nearest(path.parent)
    if not place.is_dir():
        return Finding("journal", FindingState.WRONG, f"{place} is no folder.", "Choose a folder with --data.")
    if not os.access(place, os.W_OK | os.X_OK):
        return Finding("journal", FindingState.WRONG, f"{place} cannot be written to.", "Choose a folder with --data.")
    if StartFiles.of(path).know_a_table:
        return _damaged(path, f"{path} is gone.")
    there = f"{path.parent} holds no journal." if path.parent.is_dir() else f"There is no folder {path.parent}."
    return Finding("journal", FindingState.ABSENT, there, FIRST_START)


def folder_findings(data: Path) -> tuple[Finding, ...]:
    """Whether the folder's disk is missing; a removable one counts as missing only without a journal."""
    words = no_disk(data, is_new=not os.path.exists(data / JOURNAL_NAME))  # noqa: PTH110 - no error for what may not be seen
    return (Finding("data folder", FindingState.WRONG, *map(str, words)),) if words is not None else ()


def _journal_there(path: Path) -> Finding:
    if not path.is_file():
        remedy = "Move it away: the next start brings the journal back from its second copy, where that is there."
        return Finding("journal", FindingState.WRONG, f"{path} is no file.", remedy)
    if not path.stat().st_size:
        return _damaged(path, f"{path} is empty: somebody or something took out what was in it.")
    try:
        connection = connect_for_reading(path)
        try:
            form: int = connection.execute("PRAGMA user_version").fetchone()[0]
            sound: str = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.Error as error:
        return _damaged(path, f"{path} {plainly(error)}.")
    if form > SCHEMA_VERSION:
        return _damaged(path, f"{path} was written by a later version, or its head is damaged.")
    if sound != "ok":
        return _damaged(path, f"{path} is damaged.")
    return _indexes(path, _decisions_there(path))


def _indexes(path: Path, told: Finding) -> Finding:
    """The finding on a journal, or on its indexes where all else is well."""
    if told.health is not FindingState.WELL:
        return told
    try:
        with closing(connect_for_reading(path)) as connection:
            sound: str = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        return _damaged(path, f"{path} {plainly(error)}.")
    if sound == "ok":
        return told
    what = f"{path}: an index is damaged. Every decision is as it was written."
    return Finding("journal", FindingState.WRONG, what, "Start the kiosk anew: it makes the index anew.")


def _why(error: JournalError) -> str:
    """What is wrong, without the advice to ask the doctor."""
    return str(error).partition(" `trueroll doctor`")[0]


def _damaged(path: Path, what: str) -> Finding:
    """What is wrong with a journal, and what the next start would do with it, tried on a copy."""
    return Finding("journal", FindingState.WRONG, what, _next_start(path))


def _next_start(path: Path) -> str:
    """What the next start says of the journal, and what to do then."""
    with tried(), TemporaryDirectory(prefix=TRYING) as room:
        try:
            copy = StartFiles.of(path).copy_to(Path(room))
            with closing(open_kept_twice(copy, SystemClock())) as journal:
                engine = Engine(journal, checkpoints=CheckpointFile(copy.with_name(CHECKPOINT_NAME)))
                altered = {**journal.older_altered(), **journal.altered}
                words = _start_words(journal, altered, engine)
        except JournalNewerError:
            return "The kiosk does not start. Install the version that wrote it; nothing is changed until then."
        except JournalFullError:
            return (
                f"What the next start makes of it cannot be tried: there is no room in {gettempdir()}. Keep the file."
            )
        except JournalError as error:
            return f"The kiosk does not start on it: {error}"
        except OSError as error:
            return f"What the next start makes of it cannot be tried: {error.strerror or error}. Keep the file."
    return f"The next start, tried on a copy, ends with {words}"


def _start_words(journal: JournalKeptTwice, altered: Mapping[int, str], engine: Engine) -> str:
    """The number of decisions after a start, and what the start reports as changed."""
    told: list[tuple[Phrase, Phrase]] = []
    aside = journal.set_aside
    if aside is not None:
        told.append(damage_words(_unnamed(aside)))
    left_out = {one.number for one in aside.left_out} if aside is not None else set()
    if others := [number for number in altered if number not in left_out]:
        told.append(altered_words(others, altered, journal))
    if engine.unfollowed:
        told.append(unfollowed_words([one.number for one in engine.unfollowed], journal))
    says = " ".join((*(str(what) for what, _ in told), *([str(told[0][1])] if told else [])))
    return (
        f"decision {journal.decision} as its last. {says}".rstrip() if journal.decision else f"an empty table. {says}"
    )


def _unnamed(aside: SetAside) -> SetAside:
    """The words without file names that exist only in the copy."""
    earlier = _unnamed(aside.earlier) if aside.earlier is not None else None
    name = f"{Path(JOURNAL_NAME).stem}.damaged-….sqlite3" if aside.name else ""
    return dataclasses.replace(aside, name=name, earlier=earlier)


def _decisions_there(path: Path) -> Finding:
    """Whether each decision of a journal that can be read is as it was written."""
    try:
        told = Mark(path).told()  # these first: what a running kiosk adds is not behind what is read later
        wal = read_wal(path)
        journal = open_for_reading(path, SystemClock())
        try:
            broken = list(journal.broken())
            unfolded, is_set_up = _unfolded(journal)
            last = journal.decision
            reached = reached_by(told, journal)
            hides = _hides(path, wal, journal, reached)
        finally:
            journal.close()
    except JournalDamagedError as error:
        return _damaged(path, f"{path}: decision {error.decision} is damaged.")
    except JournalError as error:
        return _damaged(path, _why(error))
    wrong = []
    if broken:
        wrong.append(f"these decisions are missing, or not as they were written: {', '.join(map(str, broken))}")
    elif hides:
        wrong.append(f"what came last, in {path.name}-wal, is damaged")
    if 0 < last < reached:
        wrong.append(f"it ends with decision {last}, and the table had {reached}")
    if wrong:
        return _damaged(path, f"{path}: {'; '.join(wrong)}.")
    if unfolded:
        what = f"{path}: decision {unfolded} can be read and not be followed: it is of other rules than these."
        return Finding("journal", FindingState.WRONG, what, "Install the version that wrote it, and keep the file.")
    lost = ToldOnce(path.with_name(TOLD_NAME)).lost_before(path, last)
    if lost is not None and not is_set_up:
        return Finding("journal", FindingState.WRONG, *map(str, damage_words(SetAside(lost))))
    return _second_copy(path, last)


def _hides(path: Path, wal: bytes, journal: FileJournal, reached: int) -> bool:
    """Whether a damage of that write-ahead log hides decisions, as far as it can be looked at."""
    try:
        return behind_the_log(path, wal, journal, SecondCopy(second_copy_of(path)), reached) is not None
    except OSError:
        return False


def _unfolded(journal: FileJournal) -> tuple[int, bool]:
    """The first decision that cannot be applied (0 if none), and whether the table is set up then.

    Raises `JournalError` for one that cannot be read.
    """
    past = history.begin()
    for decision in journal.decisions():
        try:
            past = history.evolve(past, decision)
        except Exception:  # noqa: BLE001 - a damaged event may raise anything
            return decision.number, past.present.ready
    return 0, past.present.ready


def _second_copy(path: Path, last: int) -> Finding:
    """Whether each line of a sound journal's second copy is right; the last is written a moment after the journal."""
    second = SecondCopy(second_copy_of(path))
    if not second.path.exists():
        return Finding("journal", FindingState.WELL, f"{path} is sound. Its second copy is made at the next start.")
    try:
        end = second.end()
    except OSError as error:
        what = f"{path} is sound. Its second copy {second.path} cannot be read: {system_words(error)}."
        remedy = AS_ITS_OWNER if isinstance(error, PermissionError) else "Move it away: the next start writes it anew."
        return Finding("journal", FindingState.WRONG, what, remedy)
    if end is not None and end[0] > last + 1:
        return _damaged(path, f"{path} ends with decision {last}, and its second copy has {end[0]}.")
    if end is None or end[0] < last - 1:
        what = f"{path} is sound. Its second copy {second.path} is damaged, or not of this journal."
        return Finding("journal", FindingState.WRONG, what, "Start the kiosk anew: it writes it from the journal.")
    return _compared(path, second, end[0])


def _compared(path: Path, second: SecondCopy, last: int) -> Finding:
    """Whether each line of the second copy says what a sound journal does, up to that decision."""
    try:
        with closing(open_for_reading(path, SystemClock())) as journal:
            wrong = list(second.wrong((rows for _, rows in journal.members(0)), last))
    except (JournalError, OSError) as error:
        what = f"{path} is sound. Its second copy {second.path} cannot be compared with it: {error}."
        return Finding("journal", FindingState.WRONG, what, "Run trueroll doctor once more.")
    if wrong:
        numbers = ", ".join(map(str, wrong[:MOST_NAMED])) + (", …" if len(wrong) > MOST_NAMED else "")
        what = (
            f"{path} is sound. In its second copy {second.path} these decisions are missing, or not alike: {numbers}."
        )
        remedy = "Stop the kiosk, move the second copy away, and start the kiosk: it writes it from the journal."
        return Finding("journal", FindingState.WRONG, what, remedy)
    return Finding("journal", FindingState.WELL, f"{path} is sound, and so is its second copy.")


def files_finding(data: Path) -> Finding:
    """The files beside the journal: own dice, calibration, empty tray, cases, choices, codes, persons."""
    try:
        wrong = list(faults(data))
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        return Finding(
            "files", FindingState.WRONG, f"The kept files cannot be looked at: {error}.", "Run: make install"
        )
    if not wrong:
        return Finding("files", FindingState.WELL, "What is kept beside the journal can be read.")
    remedy = "The kiosk starts without them. Bring them back from a backup, or make them anew on its pages."
    return Finding("files", FindingState.WRONG, " ".join(wrong), remedy)


def restore_findings(data: Path) -> tuple[Finding, ...]:
    """A restore that was cut off."""
    try:
        cut = cut_off(data)
    except OSError:
        return ()  # the finding on the journal reports an unreadable folder
    return () if cut is None else (Finding("restore", FindingState.WRONG, str(cut.what), str(cut.remedy)),)


def set_aside_findings(data: Path) -> tuple[Finding, ...]:
    """Each journal beside the one in use; no fault, but its decisions are not at the table."""
    kinds = ((DAMAGED_NAME, SET_ASIDE), (RESCUED, BESIDE), (IN_MEMORY, BESIDE))
    try:
        found = [(one, part) for name, part in kinds for one in journals_beside(data / JOURNAL_NAME, name)]
    except OSError:
        found = []  # the finding on the folder reports that it cannot be read
    found += ((one, BESIDE) for one in rescued_elsewhere(data / JOURNAL_NAME))
    return tuple(_in_time(one, _set_aside(one, part, data)) for one, part in found)


def _in_time(path: Path, told: Finding) -> Finding:
    """The finding, with what to do first if the file is gone after a reboot."""
    if not ends_with_the_machine(path) or told.remedy == _HAS_ALL:
        return told
    first = "Copy it to a disk first: it is gone once this machine is started again."
    return dataclasses.replace(told, remedy=f"{first} {told.remedy}")


def _set_aside(path: Path, part: str, data: Path) -> Finding:
    whole: list[int] = []
    last, nothing = 0, "nothing in it can be read"
    try:
        with closing(open_for_reading(path, SystemClock())) as journal:
            whole, why = _whole_in(journal)
            last, nothing = journal.decision, "no decision in it is whole"
    except JournalError as error:
        why = _why(error)
    what = f"{path}: of its decisions up to {last} these are whole: {_spans(whole)}. {why}".rstrip()
    if (why or wal_of(path).exists()) and len(found := _restorable(path)) > len(whole):
        whole, why = found, ""
        what = f"{path}: it is damaged. {len(whole)} decisions in it are whole: {_spans(whole)}."
    if not whole:
        return Finding(part, FindingState.ABSENT, f"{path}: {nothing}. {why}", "Keep the file.")
    if part == BESIDE:
        what += " They were in memory, and the journal in its place did not take them."
    remedy = "Keep the file."
    if whole[0] == 1 and not why:
        remedy += (
            f" To see the table that these make, copy it as {JOURNAL_NAME} into a new folder{_with_wal(path)}, then: "
            "trueroll run --port 8081 --data THAT_FOLDER"
        )
    elif part == BESIDE:
        remedy += " The decisions before these are in the journal of their own table: keep that, too."
    if part == BESIDE:
        remedy = _continuing(path, data / JOURNAL_NAME, remedy)
    return Finding(part, FindingState.ABSENT, what, remedy)


def _restorable(path: Path) -> list[int]:
    """The decisions that a start would find in a damaged journal, where SQLite does not read all."""
    try:
        return whole_in(path)
    except OSError:
        return []


def _with_wal(path: Path) -> str:
    """What else is to be copied."""
    return f", and {wal_of(path).name} as {wal_of(Path(JOURNAL_NAME)).name}" if wal_of(path).exists() else ""


def _continuing(path: Path, journal: Path, else_: str) -> str:
    """What to do about a rescued journal: join it to the one that it continues, or else keep it."""
    try:
        with (
            closing(open_for_reading(path, SystemClock())) as rescued,
            closing(open_for_reading(journal, SystemClock())) as present,
        ):
            found = lacking(present, rescued)
    except RejoinError as error:
        return f"It does not continue the journal in its place. {error} {else_}"
    except JournalError:
        return else_
    if found is None:
        return _HAS_ALL
    where = "" if journal.parent == data_folder() else f"--data {quote(str(journal.parent))} "
    return (
        f"The journal in its place ends with decision {found[0] - 1}, and this file continues it. Before the table is "
        f"played on, stop the kiosk, then: trueroll rejoin {where}{quote(str(path))}"
    )


def _whole_in(journal: FileJournal) -> tuple[list[int], str]:
    """The intact decisions, and what prevented further reading, if anything."""
    whole: list[int] = []
    after = -1
    try:
        altered = set(journal.broken())
        while after < journal.decision:
            try:
                for one in journal.decisions(max(after, 0)):
                    after = one.number
                    if after not in altered:
                        whole.append(after)
                break
            except JournalDamagedError as error:
                if error.decision <= after:
                    break
                after = error.decision
    except JournalError as error:
        return whole, str(error)
    return whole, ""


def _spans(numbers: list[int]) -> str:
    """Numbers that rise, in words: `1 to 41, 43`."""
    spans: list[list[int]] = []
    for one in numbers:
        if spans and one == spans[-1][-1] + 1:
            spans[-1] = [spans[-1][0], one]
        else:
            spans.append([one])
    return ", ".join(" to ".join(map(str, span)) for span in spans)
