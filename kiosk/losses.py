"""Losses of what is kept, and their returns, told on the screens and aloud: the journal, its copy, the files beside it.

Enters: the data folder, and what its parts say of themselves. Leaves: what happened and what to do, among the sources.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from kiosk.devices.bluetooth_desk import FILE_NAME as BLUETOOTH_NAME
from kiosk.devices.bluetooth_desk import KeptDie
from kiosk.devices.teaching_file import FILE_NAME as TEACHING_NAME
from kiosk.devices.teaching_file import Kept
from kiosk.engine import Committed, Engine
from kiosk.errors import NO_FOLDER, KioskError, system_words
from kiosk.ports import Journal, SecondCopyState, SetAside, Voice
from kiosk.sources import Sources
from kiosk.storage.backup import cut_off, sweep
from kiosk.storage.damage_words import (
    WHO_WROTE,
    altered_words,
    damage_words,
    kept_aside_words,
    rescued_words,
    second_copy_words,
    unfollowed_words,
)
from kiosk.storage.folder import no_disk
from kiosk.storage.journal_names import BESIDE, DAMAGED_NAME, RESCUED, journals_beside, looks_of
from kiosk.storage.journal_troubles import ANOTHER_KIOSK, ANOTHER_PROGRAM, DAMAGED, FILE_GONE, FOLDER_GONE, NO_FILE
from kiosk.storage.kept_file import FilesInPlay, KnownFile
from kiosk.storage.persons import FILE_NAME as PERSONS_NAME
from kiosk.storage.persons import Person, Persons
from kiosk.storage.preferences import FILE_NAME as PREFERENCES_NAME
from kiosk.storage.preferences import Preferences, PreferencesFile
from kiosk.storage.told_once import ToldOnce
from kiosk.storage.unfailing import (
    ANOTHER,
    UnfailingJournal,
    ends_with_the_machine,
    rescued_elsewhere,
)
from kiosk.storage.wire import kept_event
from kiosk.views.hidden import FILE_NAME as HIDDEN_NAME
from kiosk.views.page_words import not_kept_words
from kiosk.web.access import FILE_NAME as CODES_NAME
from kiosk.web.access import Access, Secrets
from kiosk.web.services import Services
from rules.dice import SourceState
from rules.game import Decision, Narration, NarrationKind
from rules.words import Phrase, say, sentences

log = logging.getLogger(__name__)

FOLDER: Final = "data folder"
"""The name of the part for the data folder."""

SECOND_COPY: Final = "second copy"
"""The name of the part for the journal's second copy."""

_ROOM: Final = say("Free some space on the kiosk's disk, or give it another one. All is kept by itself then.")
"""The advice if the disk cannot be written."""

_BACK: Final = say(
    "Put it back, or plug its disk in again: all is kept by itself then. What was deleted is made anew within a minute."
)
"""The advice if the data folder is gone."""

_FOLDER: Final = say(
    "Give the kiosk a folder that it may write to, with --data or by other rights. All is kept by itself then."
)
"""The advice if the data folder cannot be made or used."""

_REMEDIES: Final[Mapping[str, Phrase]] = {
    ANOTHER: say("Put the card or disk from before back in. To play the table on this one, start the kiosk again."),
    ANOTHER_KIOSK: say("End the other kiosk. All is kept by itself then."),
    ANOTHER_PROGRAM: say("End the other program. All is kept by itself then."),
    NO_FILE: say(
        "See that the journal in the data folder is a file that the kiosk may write to, and move away what is none. "
        "All is kept by itself then."
    ),
    DAMAGED: say("All is kept by itself in ten seconds: what was damaged is set aside, and nothing of it is deleted."),
    system_words(OSError(errno.EROFS, "")): say(
        "Make the disk writable again, or give the kiosk another one. All is kept by itself then."
    ),
    system_words(OSError(errno.EIO, "")): say(
        "Look whether its plug is in, or give the kiosk another disk: this one may be worn out. All is kept by itself "
        "then."
    ),
    FOLDER_GONE: _BACK,
    FILE_GONE: _BACK,
    **dict.fromkeys((system_words(OSError(one, "")) for one in NO_FOLDER), _FOLDER),
}
"""The advice for each reason why nothing is saved; `_ROOM` for all others."""


def tell_folder(sources: Sources, data_dir: Path, begun: str) -> None:
    """Report what is wrong with the folder: its disk is not mounted, or a restore was cut off. A new table is logged.

    Leftovers of a restore are deleted if nothing depends on them.
    """
    if begun:
        log.info("%s", begun)
    if (words := no_disk(data_dir, is_new=bool(begun))) is not None:
        sources.set(FOLDER, SourceState.LOST, *words)
    with suppress(OSError):
        if (cut := cut_off(data_dir)) is not None:
            sources.set("restore", SourceState.LOST, cut.what, cut.remedy)
        sweep(data_dir)


def tell_mounted(sources: Sources, data_dir: Path) -> None:
    """Report that the folder's missing disk is there now, for as long as it is."""
    told = sources.view(FOLDER)
    if told is None:
        return
    there = no_disk(data_dir, is_new=True) is None
    if there and told.state == SourceState.LOST:
        sources.set(FOLDER, SourceState.READY, say("The disk of the data folder is mounted now."))
    elif not there and told.state == SourceState.READY:
        sources.forget(FOLDER)  # the journal reports what that means for the table


def files_in_play(services: Services, data_dir: Path) -> FilesInPlay:
    """The files beside the journal whose content is in memory.

    For the camera's any JSON counts as intact: a person may change them by hand, and the next start reads them.
    """
    known: list[tuple[str, type[object], Callable[[], bool]]] = [
        (CODES_NAME, Secrets, functools.partial(_written_anew, services.access)),
        (PERSONS_NAME, tuple[Person, ...], services.access.persons.write_anew),
        (HIDDEN_NAME, tuple[dict[str, object], ...], services.hidden.write_anew),
        (TEACHING_NAME, Kept, services.tray.under_way.write_anew),
        (BLUETOOTH_NAME, tuple[KeptDie, ...], services.bluetooth.write_anew),
    ]
    if services.preferences is not None:
        known.append((PREFERENCES_NAME, Preferences, services.preferences.write_anew))
    files = [KnownFile(data_dir / name, shape, write, well=looks_of(data_dir / name)) for name, shape, write in known]
    if (bench := services.camera_desk.bench) is not None:
        files += [
            KnownFile(path, dict[str, object], write, well=looks_of(path), holds=functools.partial(bench.holds, path))
            for path, write in bench.files().items()
        ]
    return FilesInPlay(
        files,
        lambda what, over: services.sources.set(
            "files", SourceState.READY if over else SourceState.LOST, what, WHO_WROTE
        ),
    )


def _written_anew(access: Access) -> bool:
    try:
        access.keep_again()
    except KioskError:
        return False
    return True


def tell_files(sources: Sources, told: Sequence[Phrase]) -> None:
    """Report which files beside the journal could not be used, if any."""
    if told:
        sources.set("files", SourceState.LOST, sentences(*told), say("What was in it begins anew; all else goes on."))


class JournalLosses:
    """Reports what happened to the journal at `path`: at the start, and once it is saved again after a trouble.

    An empty table is reported until it is set up anew.
    """

    def __init__(self, sources: Sources, journal: UnfailingJournal, told: ToldOnce, engine: Engine, path: Path) -> None:
        self._sources = sources
        self._journal = journal
        self._told = told
        self._engine = engine
        self._path = path
        self._aside: SetAside | None = None
        """The last report on a file that was set aside."""
        self._rest: list[tuple[Phrase, Phrase]] = []
        """The reports made together with that on an empty table."""
        self._empty: Phrase | None = None
        """The words on the screens about the empty table."""

    def tell_of_the_start(self) -> None:
        """Report what happened since the last run, if anything. Files set aside in play are included."""
        journal, told = self._journal, self._told
        tell_second_copy(self._sources, journal)
        aside, found = journal.set_aside or self._still_empty(), journal.altered
        self._aside = journal.set_aside
        empty = aside is not None and aside.begins_empty
        if aside is not None and empty:
            told.begins_empty(aside.name)
        news = told.news(found)
        left_out = {one.number for one in aside.left_out} if aside is not None else set()
        altered = tuple(number for number in news if number not in left_out)  # neither file has them unaltered
        stray = told.news({one.number: _print_of(one) for one in self._engine.unfollowed})
        words = []
        before = told.new_names(one.name for one in journals_beside(self._path, DAMAGED_NAME))
        if earlier := [one for one in before if one not in _names_of(aside)]:
            words.append(kept_aside_words(earlier))
        if aside is not None:
            words.append(damage_words(aside))
        if altered:
            words.append(altered_words(altered, found, journal, told.behind))
        if stray:
            words.append(unfollowed_words(stray, journal))
        if words:
            shown = self._show(words)
            self._empty = shown if empty else None
            self._rest = [one for one in words if aside is None or one != damage_words(aside)]

    def _still_empty(self) -> SetAside | None:
        """The loss at an earlier start that left the table empty; None once it is set up anew."""
        if self._engine.present().table.ready:
            self._told.is_set_up()
        if self._journal.trouble is not None:
            lost = self._told.empty_since  # the rest of the disk is not known
        else:
            lost = self._told.lost_before(self._path, self._journal.decision)
        return SetAside(lost) if lost is not None else None

    def _show(self, words: Sequence[tuple[Phrase, Phrase]]) -> Phrase:
        what = sentences(*(one for one, _ in words))
        self._sources.set("journal", SourceState.LOST, what, words[0][1])
        return what

    def committed(self, committed: Committed) -> None:
        """End the report on the empty table once it is set up anew; later reports stay."""
        if self._empty is None or not committed.present.table.ready:
            return
        empty, self._empty = self._empty, None
        shown = self._sources.view("journal")
        if shown is None or shown.what != empty:
            return
        if self._rest:
            self._show(self._rest)
        else:
            self._sources.set("journal", SourceState.READY, say("The table is set up anew."))

    def kept_again(self) -> Phrase:
        """Report on the screens after the end of a trouble; returns the words to say aloud."""
        before, self._aside = self._aside, self._journal.set_aside
        aside = self._aside or self._still_empty()
        if self._journal.kept_beside:
            what, remedy = _beside_words(self._journal.kept_beside)
            self._sources.set("journal", SourceState.LOST, what, remedy)
            return what
        if aside is not None and aside.begins_empty and self._engine.present().table.ready:
            if aside != before and aside.name:
                return self._show([kept_aside_words([aside.name])])  # it was set up while nothing could be read
        elif aside is not None:
            what = self._show([damage_words(aside)])
            if aside.begins_empty:
                self._told.begins_empty(aside.name)
                self._empty, self._rest = what, []
            return what
        what = say("Everything is kept again, also what was decided in between.")
        self._sources.set("journal", SourceState.READY, what)
        return what


def tell_damage(
    sources: Sources, journal: UnfailingJournal, told: ToldOnce, engine: Engine, path: Path
) -> JournalLosses:
    """Report what happened to the journal since the last run, and rescued files; returns the reporter for later."""
    damage = JournalLosses(sources, journal, told, engine, path)
    damage.tell_of_the_start()
    engine.listen(damage.committed)
    _tell_rescued(sources, told, path)
    return damage


def _tell_rescued(sources: Sources, told: ToldOnce, path: Path) -> None:
    """Report rescued journals that belong to the one at `path`, once; the log names each."""
    beside, elsewhere = journals_beside(path, RESCUED), rescued_elsewhere(path)
    if left := told.new_names((*(one.name for one in beside), *map(str, elsewhere)), RESCUED):
        passing = [str(one) for one in elsewhere if str(one) in left and ends_with_the_machine(one)]
        sources.set(BESIDE, SourceState.LOST, *rescued_words(left, passing))


def _names_of(aside: SetAside | None) -> tuple[str, ...]:
    """The files named in those words."""
    return () if aside is None else (aside.name, *_names_of(aside.earlier))


def tell_second_copy(sources: Sources, journal: Journal) -> None:
    """Report the second copy's state when it is not well, or well again; nothing for a copy in memory."""
    if journal.trouble is not None:
        return
    state = journal.second_copy
    if state is not SecondCopyState.WELL:
        words = second_copy_words(state, journal.copied_anew, journal.times_copied_anew)
        sources.set(SECOND_COPY, SourceState.LOST, *words)
    elif sources.view(SECOND_COPY) is not None:
        sources.set(SECOND_COPY, SourceState.READY, say("The second copy of the journal is written again."))


def _print_of(decision: Decision) -> str:
    """The mark by which it is known that this inapplicable decision was reported."""
    what = "".join((f"not followed {decision.number}\n", *map(kept_event, decision.events)))
    return hashlib.sha256(what.encode(errors="surrogatepass")).hexdigest()


def keep_the_rest(data_dir: Path, access: Access, preferences: PreferencesFile, persons: Persons) -> None:
    """Save the files beside the journal that could not be saved while the disk failed."""
    preferences.keep_again()
    persons.keep_again()
    if not (data_dir / CODES_NAME).exists():  # otherwise it may be one that could not be read
        with suppress(KioskError):
            access.keep_again()


def tell_trouble(sources: Sources, voice: Voice, damage: JournalLosses, why: str | None) -> None:
    """Report whether decisions are saved, on every screen and aloud."""
    if why is not None:
        what = not_kept_words(why)
        sources.set("journal", SourceState.LOST, what, _REMEDIES.get(why, _ROOM))
    else:
        what = damage.kept_again()
    voice.ask(Narration(terse=what, normal=what, full=what, kind=NarrationKind.INFO))


def _beside_words(name: str) -> tuple[Phrase, Phrase]:
    """The message about a table begun in memory because the journal could not be read, and what to do."""
    return (
        say("The journal can be read again, and holds another table. This one is kept beside it as {name}.", name=name),
        say("Start the kiosk again to go on with the table from before."),
    )
