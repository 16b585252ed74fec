"""`trueroll doctor`: what is wrong and what to do. Checks each part of the kiosk without starting it.

Each check returns a `Finding` in words. A part that is merely absent is no fault: the table plays without it.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import pwd
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory, gettempdir
from typing import Final

import click

from kiosk.clock import SystemClock
from kiosk.commands.bundle import write_bundle
from kiosk.commands.kept_files import faults
from kiosk.commands.options import config_option, configured, data_option
from kiosk.commands.running import Running, parts_at, running_on
from kiosk.config import Config, is_loopback, settled_by
from kiosk.engine import Engine
from kiosk.errors import (
    ConfigError,
    GlossaryError,
    JournalDamagedError,
    JournalError,
    JournalFullError,
    JournalNewerError,
    system_words,
)
from kiosk.i18n.glossary import own_file, replacing
from kiosk.i18n.languages import FOLDER, Languages
from kiosk.ports import SetAside, SourceView
from kiosk.speech.speech import find_program, has_sound_output
from kiosk.storage.backup import cut_off
from kiosk.storage.begun import Mark
from kiosk.storage.checkpoint import FILE_NAME as CHECKPOINT_NAME
from kiosk.storage.checkpoint import CheckpointFile
from kiosk.storage.damage_words import altered_words, damage_words, unfollowed_words
from kiosk.storage.folder import LOCK_NAME, has_room, no_disk
from kiosk.storage.house_file import PART as HOUSE_TABLES
from kiosk.storage.house_file import REMEDY as HOUSE_REMEDY
from kiosk.storage.house_file import house_file, load_house_tables
from kiosk.storage.journal import FileJournal, open_for_reading
from kiosk.storage.journal_file import SCHEMA_VERSION, connect_for_reading
from kiosk.storage.journal_names import DAMAGED_NAME, IN_MEMORY, RESCUED, journals_beside, wal_of
from kiosk.storage.journal_troubles import plainly
from kiosk.storage.kept_file import read_kept
from kiosk.storage.kept_twice import JournalKeptTwice, open_kept_twice, tried
from kiosk.storage.paths import JOURNAL_NAME, data_folder
from kiosk.storage.preferences import FILE_NAME as PREFERENCES_NAME
from kiosk.storage.preferences import PreferencesFile
from kiosk.storage.rejoining import RejoinError, lacking
from kiosk.storage.second_copy import SecondCopy, second_copy_of
from kiosk.storage.start_files import StartFiles
from kiosk.storage.told_once import FILE_NAME as TOLD_NAME
from kiosk.storage.told_once import ToldOnce
from kiosk.storage.unfailing import ends_with_the_machine, rescued_elsewhere
from kiosk.storage.whole_decisions import whole_in
from kiosk.storage.write_ahead_log import behind_the_log, reached_by, read_wal
from kiosk.web.access import PROXY, own_network_address
from kiosk.web.network import PART as NETWORK
from rules.dice import SourceState
from rules.game import history, house_words
from rules.words import Phrase, masked, masked_address

CONNECT_SECONDS: Final = 1.0
"""How long the doctor waits for a connection to the port that the kiosk would use."""
ADAPTERS: Final = Path("/sys/class/bluetooth")
"""Where Linux names its Bluetooth adapters."""
HERE: Final = "this machine"
"""The name of the finding on who counts as the kiosk itself."""
OF_PEOPLE: Final = range(1000, 60_000)
"""The numbers that Debian gives to users who are people."""
NO_LOGIN: Final = frozenset({"nologin", "false"})
"""The shells of users who cannot log in."""
SET_ASIDE: Final = "set aside"
"""The name of the finding on a damaged journal that was set aside."""

BESIDE: Final = "kept beside"
"""The name of the finding on a journal that was written beside another."""

MOST_NAMED: Final = 12
"""Decisions that are named at most."""

TRYING: Final = "trueroll-doctor-"
"""The beginning of the name of the folder for trying the next start on a copy."""

_AS_ITS_OWNER: Final = "Run this as the user that the kiosk runs as, or choose another folder with --data."
"""What to do where the data folder or a file in it may not be read."""


_HAS_ALL: Final = "The journal in its place has all of it: the file may be deleted."
"""What to do about a rescued journal that was put behind the one that it continues."""

_FIRST_START: Final = (
    "Before the first start that is as it should be: a new table begins there. If the table has played before, see "
    "that its disk is plugged in and mounted, or name the right folder with --data."
)
"""What it means that there is no journal."""


class FindingState(StrEnum):
    """How a part is."""

    WELL = "well"
    ABSENT = "absent"
    WRONG = "wrong"


_AS_TOLD: Final = {
    SourceState.READY: FindingState.WELL,
    SourceState.STARTING: FindingState.WELL,
    SourceState.OFF: FindingState.ABSENT,
    SourceState.ABSENT: FindingState.ABSENT,
    SourceState.LOST: FindingState.WRONG,
    SourceState.INCOMPATIBLE: FindingState.WRONG,
}
"""The finding for each state of a source that the running kiosk reports."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One part: how it is, what was found, and what a person can do (empty when nothing)."""

    part: str
    health: FindingState
    what: str
    remedy: str = ""

    def __post_init__(self) -> None:
        """Hide what a quoted error tells of who may log in: the last door before a screen and the bundle."""
        object.__setattr__(self, "what", masked(self.what))
        object.__setattr__(self, "remedy", masked(self.remedy))


def examine(config: Config, data: Path) -> tuple[Finding, ...]:
    """Look at every part. Reads only, and asks a running kiosk for the state of what it uses.

    A kiosk that runs on the folder `data` is found wherever it listens and whatever options it was started with.
    """
    try:
        running, unseen = running_on(data), ""
    except OSError as error:
        running, unseen = None, error.strerror or str(error)
    parts = (running.parts if running is not None else None) or {}
    checks: tuple[tuple[str, Callable[[], Finding]], ...] = (
        ("camera", lambda: _camera(config)),
        ("tray", lambda: _tray(config)),
        ("bluetooth", lambda: _bluetooth(data)),
        ("voice", _voice),
        (HOUSE_TABLES, lambda: _house(config)),
        ("panel", lambda: _panel(config)),
        ("languages", lambda: _languages(config, data)),
        (NETWORK, lambda: _network(config, data)),
    )
    return (
        _python(),
        _kiosk(config, data, running, unseen),
        _journal(data, parts.get("journal")),
        *_folder(data),
        *_journals_set_aside(data),
        *_restore(data),
        _files(data),
        _board(data),
        *(_told_now(parts[part], config, check) if part in parts else check() for part, check in checks),
        *((_told(parts[PROXY]),) if PROXY in parts else ()),
        _this_machine(config, pwd.getpwall()),
    )


def _languages(config: Config, data: Path) -> Finding:
    """The languages there are, and the table's own words for the terms of the rules."""
    folders = (*((config.path.parent,) if config.path is not None else ()), data)
    languages = Languages(own=folders)
    own = [(code, file) for code in languages.codes if (file := own_file(folders, code)) is not None]
    try:
        for code, file in own:
            replacing(FOLDER, file, code)
    except GlossaryError as error:
        return Finding("languages", FindingState.WRONG, str(error), "Mend the file, then start the kiosk again.")
    room = config.language.room
    if room and room not in languages:
        what = f"There is no language {room!r}. There are: {', '.join(languages.codes)}."
        return Finding("languages", FindingState.WRONG, what, "Set language.room to one of them.")
    words = "".join(f" Words of the table's own: {file}." for _, file in own)
    return Finding("languages", FindingState.WELL, f"There are: {', '.join(languages.codes)}.{words}")


def _network(config: Config, data: Path) -> Finding:
    """Whether phones reach the kiosk, and who says so."""
    settled = settled_by(config)
    chosen = PreferencesFile(data / PREFERENCES_NAME).load().phones
    if not (config.server.open_to_network and not is_loopback(config.host) if settled else chosen):
        remedy = settled or "To let phones in, choose that on the kiosk's own page /setup; it holds at once."
        return Finding(NETWORK, FindingState.ABSENT, "Closed: only this machine reaches the pages.", remedy)
    return Finding(
        NETWORK,
        FindingState.WELL,
        f"Open: phones reach the pages at http://{own_network_address()}:{config.server.port}/. "
        + (settled or "That was chosen at the kiosk, and is taken back there on /setup."),
    )


def _this_machine(config: Config, users: Iterable[pwd.struct_passwd]) -> Finding:
    """Who counts as the kiosk itself, beside whoever stands before its screen."""
    if not config.access.trust_this_machine:
        return Finding(HERE, FindingState.WELL, "Pages opened on this machine need a code, as in the network.")
    people = sum(one.pw_uid in OF_PEOPLE and Path(one.pw_shell).name not in NO_LOGIN for one in users)
    if people < 2:  # noqa: PLR2004 - one has the machine for themselves
        return Finding(HERE, FindingState.WELL, "Pages opened on this machine need no code.")
    return Finding(
        HERE,
        FindingState.WELL,
        f"{people} people can log in, and each of them counts as the kiosk itself.",
        "Where one of them is not trusted with the table, set trust_this_machine = false under [access].",
    )


def _told_now(part: SourceView, config: Config, check: Callable[[], Finding]) -> Finding:
    """A part as the running kiosk reports it; for a file mended since, that the kiosk must restart to read it."""
    told = _told(part)
    if part.source == "tray" and any(one in part.remedy for one in _left_out(config)):
        return dataclasses.replace(told, health=FindingState.WRONG)
    if part.source != HOUSE_TABLES or told.health is not FindingState.WRONG:
        return told
    now = check()
    if now.health is FindingState.WRONG:
        return now
    what = f"{now.what} The running kiosk read it before it was mended."
    return Finding(told.part, FindingState.ABSENT, what, "Start the kiosk again to play by it.")


def _told(part: SourceView) -> Finding:
    """A part as the running kiosk reports it."""
    health = FindingState.WRONG if part.faulty else _AS_TOLD[SourceState(part.state)]
    return Finding(part.source, health, part.what, part.remedy)


def _python() -> Finding:
    here = ".".join(str(part) for part in sys.version_info[:3])
    return Finding("program", FindingState.WELL, f"trueroll {version('trueroll')} on Python {here}.")


def _kiosk(config: Config, data: Path, running: Running | None, unseen: str) -> Finding:
    if unseen:
        return Finding(
            "kiosk", FindingState.WRONG, f"The data folder {data} cannot be looked into: {unseen}.", _AS_ITS_OWNER
        )
    if running is None:
        return _other_kiosk(config, data)
    if not running.address:
        return _silent(config, data)
    if running.parts is None:
        what = f"A kiosk holds the data folder {data}, but does not answer at {running.address}."
        return Finding("kiosk", FindingState.WRONG, what, "See its log. If it hangs, end it and start it again.")
    return Finding("kiosk", FindingState.WELL, f"Running at {running.address}.")


def _silent(config: Config, data: Path) -> Finding:
    """A kiosk holds the folder but left no address: it has none yet, or could not write it."""
    address = f"http://127.0.0.1:{config.server.port}/"
    if not _takes_nothing(data):
        what = (
            f"A kiosk holds {data}, and {LOCK_NAME} there does not say where it listens: it is starting, or ending, or "
            "another program emptied that file, which a running kiosk puts right within seconds."
        )
        if parts_at(address) is not None:
            what += f" One answers at {address}; it may be of another folder."
        return Finding("kiosk", FindingState.ABSENT, what, "Look again in a moment.")
    what = f"A kiosk holds {data}, but cannot write its address there: the disk takes nothing."
    if parts_at(address) is not None:
        what += f" One answers at {address}; it may be of another folder."
    return Finding("kiosk", FindingState.WRONG, what, "Make room on it, or let it be written to.")


def _takes_nothing(folder: Path) -> bool:
    """Whether its disk can only be read, is full, or fails."""
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY) or not has_room(folder)
    except OSError:
        return True


def _other_kiosk(config: Config, data: Path) -> Finding:
    """No kiosk runs on this folder; another program on its port would keep it from starting."""
    address = f"http://127.0.0.1:{config.server.port}/"
    if parts_at(address) is not None:
        what = f"Not running on {data}. Another kiosk, with another data folder, answers at {address}."
        return Finding("kiosk", FindingState.ABSENT, what, "To look at that one, give its folder with --data.")
    if _answers(config.server.port):
        what = f"Not running, and another program has port {config.server.port}."
        return Finding("kiosk", FindingState.ABSENT, what, "Start it on another: trueroll run --port 8081")
    return Finding("kiosk", FindingState.ABSENT, "Not running.", "Start it with: trueroll run")


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=CONNECT_SECONDS).close()
    except OSError:
        return False
    return True


def _nearest(data: Path) -> Path:
    """The folder itself, or the nearest one above it that is there and can be seen."""
    return next((folder for folder in (data, *data.parents) if os.path.exists(folder)), Path("/"))  # noqa: PTH110 - no error for what may not be seen


def _journal(data: Path, told: SourceView | None) -> Finding:
    found = _journal_found(data / JOURNAL_NAME)
    if told is None or _AS_TOLD[SourceState(told.state)] is not FindingState.WRONG:
        return found
    now = _told(told)
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
        return Finding("journal", FindingState.WRONG, f"This user may not read {path}.", _AS_ITS_OWNER)
    return _journal_there(path)


def _journal_to_be(path: Path) -> Finding:
    place = _nearest(path.parent)
    if not place.is_dir():
        return Finding("journal", FindingState.WRONG, f"{place} is no folder.", "Choose a folder with --data.")
    if not os.access(place, os.W_OK | os.X_OK):
        return Finding("journal", FindingState.WRONG, f"{place} cannot be written to.", "Choose a folder with --data.")
    if StartFiles.of(path).know_a_table:
        return _damaged(path, f"{path} is gone.")
    there = f"{path.parent} holds no journal." if path.parent.is_dir() else f"There is no folder {path.parent}."
    return Finding("journal", FindingState.ABSENT, there, _FIRST_START)


def _folder(data: Path) -> tuple[Finding, ...]:
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
        remedy = _AS_ITS_OWNER if isinstance(error, PermissionError) else "Move it away: the next start writes it anew."
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


def _files(data: Path) -> Finding:
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


def _restore(data: Path) -> tuple[Finding, ...]:
    """A restore that was cut off."""
    try:
        cut = cut_off(data)
    except OSError:
        return ()  # the finding on the journal reports an unreadable folder
    return () if cut is None else (Finding("restore", FindingState.WRONG, str(cut.what), str(cut.remedy)),)


def _journals_set_aside(data: Path) -> tuple[Finding, ...]:
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


def _board(data: Path) -> Finding:
    from hardware.board import advice, in_bytes, read_board  # noqa: PLC0415 - each part is loaded by its own check

    health = read_board(_nearest(data))
    told = advice(health)
    free = f"{in_bytes(health.disk_free)} of disk free" if health.disk_free is not None else "disk unknown"
    warmth = f", {health.temperature:.0f} °C" if health.temperature is not None else ""
    return Finding(
        "board",
        FindingState.WRONG if told else FindingState.WELL,
        f"{health.model or 'Not a Raspberry Pi'}; {free}{warmth}.",
        " ".join(told),
    )


def _camera(config: Config) -> Finding:
    try:
        importlib.import_module("vision.read.reader")
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        return Finding("camera", FindingState.WRONG, f"Pictures cannot be read: {error}.", "Run: make install")
    found = sorted(str(device) for device in Path("/dev").glob("video*"))
    library = f"OpenCV {version('opencv-python-headless')}"
    if config.camera.source == "off":
        return Finding("camera", FindingState.ABSENT, f"Switched off in the settings ({library}).")
    if not found and config.camera.source == "auto":
        return Finding(
            "camera",
            FindingState.ABSENT,
            f"None found ({library}).",
            "Plug in a USB camera to have dice read by themselves; entering them by hand always works.",
        )
    used = ", ".join(found) or masked_address(config.camera.source)
    return Finding("camera", FindingState.WELL, f"{used} ({library}).")


def _most_trays() -> int:
    most: int = importlib.import_module("kiosk.devices.trays").MOST_TRAYS
    return most


def _left_out(config: Config) -> list[str]:
    """The trays in the settings beyond the largest number."""
    return config.tray.url.split()[_most_trays() :]


def _tray(config: Config) -> Finding:
    try:
        discover = importlib.import_module("firmware_bridge.discover")
        named = [None] if config.tray.url == "auto" else config.tray.url.split()
        ports = [port for one in named for port in discover.ports_of(one)]
        others = discover.usb_ports()
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        return Finding("tray", FindingState.WRONG, f"pyserial does not work: {error}.", "Run: make install")
    if config.tray.url == "off":
        return Finding("tray", FindingState.ABSENT, "Switched off in the settings.")
    if left_out := _left_out(config):
        names = ", ".join(masked_address(one) for one in left_out)
        said = f"More than {_most_trays()} trays cannot be used at once: {names} is left out."
        return Finding("tray", FindingState.WRONG, said, "Take those out of tray.url.")
    if not ports:
        hint = f" If one of these is it, name it with --tray: {', '.join(others)}." if others else ""
        return Finding("tray", FindingState.ABSENT, "None found.", f"Plug in a dice tray to have its dice read.{hint}")
    shut = [port for port in ports if "://" not in port and not os.access(port, os.R_OK | os.W_OK)]
    if shut:
        return Finding(
            "tray",
            FindingState.WRONG,
            f"{', '.join(shut)} cannot be opened.",
            "Plug it in; if it is, add yourself to the group dialout and log in again.",
        )
    return Finding("tray", FindingState.WELL, f"{', '.join(ports)}. `trueroll tray monitor` shows what it says.")


def _bluetooth(data: Path) -> Finding:
    """The paired Bluetooth dice and the adapter; none is fine."""
    from kiosk.devices.bluetooth_desk import FILE_NAME, KeptDie  # noqa: PLC0415 - each part is loaded by its own check

    paired = read_kept(data / FILE_NAME, tuple[KeptDie, ...]) or ()
    if not paired:
        return Finding("bluetooth", FindingState.ABSENT, "No dice are paired.", "To pair Pixels or GoDice, open /tray.")
    names = f"Paired: {', '.join(one.name for one in paired)}."
    try:
        importlib.import_module("firmware_bridge.bluetooth.supervisor").load_bleak()
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        return Finding("bluetooth", FindingState.WRONG, f"{names} bleak does not work: {error}.", "Run: make install")
    adapters = sorted(one.name for one in ADAPTERS.glob("hci*"))
    if not adapters:
        remedy = (
            "Plug one in, or switch it on (`rfkill list` says whether it is off). Enter the dice by hand until then."
        )
        return Finding("bluetooth", FindingState.WRONG, f"{names} This computer has no Bluetooth adapter.", remedy)
    return Finding("bluetooth", FindingState.WELL, f"{names} Adapter: {', '.join(adapters)}.")


def _voice() -> Finding:
    if find_program() is None:
        return Finding(
            "voice",
            FindingState.ABSENT,
            "espeak-ng is not installed.",
            "To hear outcomes: sudo apt-get install espeak-ng",
        )
    if not has_sound_output():
        return Finding(
            "voice", FindingState.ABSENT, "No sound output; phones can still play the voice.", "Connect a speaker."
        )
    return Finding("voice", FindingState.WELL, "espeak-ng and a sound output are there.")


def _house(config: Config) -> Finding:
    path = house_file(config)
    if path is None:
        return Finding(HOUSE_TABLES, FindingState.ABSENT, "The rules' own tables are played.")
    try:
        words = house_words(load_house_tables(path))
    except ConfigError as error:
        return Finding(HOUSE_TABLES, FindingState.WRONG, str(error), HOUSE_REMEDY)
    return Finding(HOUSE_TABLES, FindingState.WELL, f"{path} sets {words or 'nothing'}.")


def _panel(config: Config) -> Finding:
    if not config.panel.enabled:
        return Finding("panel", FindingState.ABSENT, "Switched off in the settings.")
    part = importlib.import_module("kiosk.panel.part")
    try:
        panel = importlib.import_module("hardware.panel")
        panel.open_panel(part.panel_pins(config), clock=time.monotonic).stop()
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        if refused := part.pins_refused(error):
            return Finding("panel", FindingState.WRONG, *(str(words) for words in refused))
        remedy = str(getattr(error, "remedy", "")) or "Run: make install"
        return Finding("panel", FindingState.ABSENT, f"{str(getattr(error, 'what', error)).rstrip('.')}.", remedy)
    return Finding("panel", FindingState.WELL, "The pins are there. docs/wiring.md says which go where.")


def to_do(findings: Sequence[Finding]) -> str:
    """What to do now, one thing a line, the journal first."""
    wrong = [one for one in findings if one.health is FindingState.WRONG]
    if not wrong:
        none = any(one.part == "journal" and one.health is FindingState.ABSENT for one in findings)
        return f"Nothing is wrong, but there is no journal. {_FIRST_START}" if none else "Nothing is wrong."
    ordered = sorted(wrong, key=lambda one: one.part != "journal")
    steps = (f"{number}. {one.part}: {one.remedy or one.what}" for number, one in enumerate(ordered, start=1))
    return "\n".join(("What to do:", *steps, "If that does not help, ask with: trueroll doctor --bundle FILE.zip"))


def _bundled(file: Path, config: Config, data: Path, findings: Iterable[Finding]) -> None:
    try:
        write_bundle(file, config, data, (dataclasses.asdict(one) for one in findings))
    except FileExistsError:
        raise click.ClickException(f"{file} is there already. Name a file that is not.") from None
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}. Choose another place.") from error
    click.echo(f"{file} holds no codes, no names and nothing of the game. It was sent to nobody.", err=True)


@click.command()
@config_option
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option(
    "--bundle",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what a helper needs, without codes, names or the game, to this new zip file. Nothing is sent.",
)
def doctor(config_path: Path | None, data_path: Path | None, bundle: Path | None, *, as_json: bool) -> None:
    """Look at every part and say what is wrong and what to do. Exit status 1 when something is wrong."""
    config, data = configured(config_path), data_folder(data_path)
    findings = examine(config, data)
    widest = max(len(finding.part) for finding in findings)
    for finding in findings:
        if as_json:
            click.echo(json.dumps(dataclasses.asdict(finding), ensure_ascii=False))
        else:
            click.echo(f"{finding.health.upper():7} {finding.part:{widest}} {finding.what}")
            if finding.remedy:
                click.echo(f"{'':{8 + widest}} {finding.remedy}")
    if not as_json:
        click.echo(f"\n{to_do(findings)}")
    if bundle is not None:
        _bundled(bundle, config, data, findings)
    if any(finding.health is FindingState.WRONG for finding in findings):
        sys.exit(1)
