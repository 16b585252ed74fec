"""The messages about a damaged journal, with what to do: for screens, log and doctor."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from kiosk.errors import JournalError
from kiosk.ports import MISSING, Journal, LeftOut, SecondCopyState, SetAside
from rules.game import Command, command_words
from rules.words import Phrase, say, say_count, sentences

MOST_NAMED: Final = 3
"""Most lost decisions named one by one."""


def unfollowed_words(decisions: Sequence[int], journal: Journal) -> tuple[Phrase, Phrase]:
    """The message about decisions that no longer apply, and what to do."""
    what = say_count(
        len(decisions),
        "Decision {first} of the journal does not fit without those that are missing: it stays there and counts for "
        "nothing.",
        "{number} decisions of the journal, from {first} on, do not fit without those that are missing: they stay "
        "there and count for nothing.",
        first=decisions[0],
    )
    return _with_what_they_were(what, decisions, journal), _COMPARE


WHO_WROTE: Final = say(
    "Make a backup now, and look for the program that wrote into the data folder. If there was none, give the "
    "kiosk a new card or disk."
)
"""The advice when something was damaged while the kiosk ran."""

_COMPARE: Final = say("Compare the table with your notes, and enter again what is missing.")
"""The advice when decisions are missing."""


def damage_words(journal: SetAside) -> tuple[Phrase, Phrase]:
    """The message about a damaged journal, and what to do."""
    what, remedy = _last_damage_words(journal, _files(journal)) if not journal.anew_from else _anew_words(journal)
    if journal.decision and journal.left_out:
        what = sentences(*_left_out_sentences(journal.left_out), what)
    if journal.earlier is not None:
        what = sentences(damage_words(journal.earlier)[0], what)
    return what, remedy


def _files(journal: SetAside) -> int:
    """The words for several damaged journals, each with its name."""
    return bool(journal.name) + (_files(journal.earlier) if journal.earlier is not None else 0)


def _last_damage_words(journal: SetAside, files: int) -> tuple[Phrase, Phrase]:
    """The message about the newest of several damaged journals."""
    number, name = journal.decision, journal.name
    if journal.restored:
        return _restored_words(journal)
    if journal.left_out and not number:
        return _left_out_words(journal, files)
    if not number and not name:
        return (
            say("The journal was empty or gone, and its second copy holds nothing either: the table begins empty."),
            say(
                "If there was a season in it, stop the kiosk and bring a backup back with `trueroll restore FILE`, "
                "before the table is set up anew."
            ),
        )
    if not number:
        return (
            say(
                "The journal was damaged, and no second copy brought it back: the table begins empty. The damaged "
                "journal is kept as {name}.",
                name=name,
            ),
            sentences(
                say(
                    "Stop the kiosk and bring a backup back with `trueroll restore FILE`, before the table is set up "
                    "anew."
                ),
                say_count(
                    files,
                    "Keep that file: `trueroll doctor` says what in it can be read.",
                    "Keep each file that is named: `trueroll doctor` says what in them can be read.",
                ),
            ),
        )
    before = say("Decision {number} of the journal is damaged, and the table is as it was before it.", number=number)
    if not name:
        return before, say(
            "Free some space on the kiosk's disk: until the damaged journal can be kept, nothing is recorded."
        )
    return sentences(before, say("The damaged journal is kept as {name}.", name=name)), sentences(
        _COMPARE,
        say_count(
            files,
            "Keep that file; nothing in it was deleted.",
            "Keep each file that is named; nothing in them was deleted.",
        ),
    )


def second_copy_words(state: SecondCopyState, copied_anew: int, times: int = 1) -> tuple[Phrase, Phrase]:
    """The message about a second copy that is not well, and what to do.

    `copied_anew` and `times` are as `ports.Journal` has them: by them a later loss is other words, so that a screen
    reader says them.
    """
    if state is SecondCopyState.WRITTEN_ANEW:
        what = say(
            "The second copy of the journal was damaged or gone. It was written anew from the journal, up to "
            "decision {number}.",
            number=copied_anew,
        )
        again = say("It has happened {times} times since the kiosk was started.", times=times)
        return (
            sentences(what, *((again,) if times > 1 else ())),
            say("Nothing is lost. Should it happen again, give the kiosk a new card or disk."),
        )
    if state is SecondCopyState.OF_ANOTHER:
        return (
            say(
                "The second copy beside the journal is another table's. It is kept as journal.other-table-….lines, and "
                "this table goes on by its journal."
            ),
            say(
                "If this is the wrong table, stop the kiosk, move journal.sqlite3 out of the data folder, give that "
                "file the name journal.lines, and start the kiosk again."
            ),
        )
    return (
        say("The second copy of the journal cannot be written. The journal itself is kept."),
        say("Nothing is lost. The system's log says why: see to that, then start the kiosk again."),
    )


def _anew_words(journal: SetAside) -> tuple[Phrase, Phrase]:
    """The message about a journal that begins anew from memory, and what to do."""
    told = [
        say(
            "The journal and its second copy were damaged while the kiosk ran. What is left of the journal is kept as "
            "{name}.",
            name=journal.name,
        )
        if journal.name
        else say("The journal and its second copy were emptied while the kiosk ran."),
        say("The table goes on as it was: all of it was in memory, and is kept again.")
        if journal.anew_from == 1
        else say(
            "The table goes on as it was. A new journal is kept from decision {number} on; those before it can be read "
            "nowhere any more.",
            number=journal.anew_from,
        ),
    ]
    return sentences(*told), WHO_WROTE


def index_words() -> tuple[Phrase, Phrase]:
    """The message about an index that was damaged, and what to do."""
    return (
        say("An index of the journal was damaged. It was made anew: every decision is there."),
        say("Nothing is lost. Should it happen again, give the kiosk a new card or disk."),
    )


def kept_aside_words(names: Sequence[str]) -> tuple[Phrase, Phrase]:
    """The message about damaged journals not reported yet, and what to do."""
    return (
        say_count(
            len(names),
            "The journal was damaged before this start. What is left of it is kept as {names}.",
            "The journal was damaged before this start, more than once. What is left of it is kept as {names}.",
            names=", ".join(names),
        ),
        say("Compare the table with your notes once. Keep each file that is named: `trueroll doctor` can look at it."),
    )


def rescued_words(names: Sequence[str], passing: Sequence[str] = ()) -> tuple[Phrase, Phrase]:
    """The message about rescued journals, and what to do. Those in `passing` are gone after a reboot."""
    keep = say_count(
        len(names),
        "Before the table is played on, stop the kiosk and run `trueroll rejoin FILE` with that file: it puts what the "
        "journal lacks behind it, or says why it cannot.",
        "Before the table is played on, stop the kiosk and run `trueroll rejoin FILE` with each file, the oldest "
        "first: it puts what the journal lacks behind it, or says why it cannot.",
    )
    copy = say_count(
        len(passing),
        "Copy {names} to a disk first: it is gone once this machine is started again.",
        "Copy {names} to a disk first: they are gone once this machine is started again.",
        names=", ".join(passing),
    )
    return (
        say("When the kiosk ended, what its journal had not taken was written to {names}.", names=", ".join(names)),
        sentences(copy, keep) if passing else keep,
    )


def _left_out_words(journal: SetAside, files: int) -> tuple[Phrase, Phrase]:
    """The message about skipped decisions, each with its subject, and what to do."""
    kept = say("The damaged journal is kept as {name}.", name=journal.name)
    return sentences(*_left_out_sentences(journal.left_out), kept), sentences(
        say_count(len(journal.left_out), "The table goes on without it.", "The table goes on without them."),
        _COMPARE,
        say_count(files, "Keep that file.", "Keep each file that is named."),
    )


def _left_out_sentences(left_out: Sequence[LeftOut]) -> list[Phrase]:
    told = [_left_out(one) for one in left_out[:MOST_NAMED]]
    more = len(left_out) - len(told)
    if more:
        told.append(say_count(more, "One more is lost as well.", "{number} more are lost as well."))
    return told


def _about(number: int, journal: Journal) -> Phrase | None:
    """The words for the decision of that number; None if it is missing or unreadable."""
    try:
        found = next(journal.decisions(number - 1), None)
    except JournalError:
        return None
    if found is None or found.number != number or found.command not in Command.kinds:
        return None
    return say("Decision {number}: {what}.", number=number, what=command_words(found.command))


def _left_out(lost: LeftOut) -> Phrase:
    if lost.command not in Command.kinds:
        return say("Decision {number} of the journal can be read nowhere any more.", number=lost.number)
    return say(
        "Decision {number} of the journal ({what}) can be read nowhere any more.",
        number=lost.number,
        what=command_words(lost.command),
    )


def _restored_words(journal: SetAside) -> tuple[Phrase, Phrase]:
    """The message about a journal restored from its second copy, and what to do."""
    if journal.cut:
        kept = say("The damaged journal is kept as {name}.", name=journal.name) if journal.name else None
        return sentences(*_end_words(journal), *((kept,) if kept else ())), say(
            "Compare the table with your notes, and enter again what is missing, or bring a backup back. Give the "
            "kiosk a new card or disk."
        )
    if journal.pieced:
        return say(
            "The journal was damaged, and its second copy was damaged or gone: what is whole in either was put "
            "together. The damaged one is kept as {name}.",
            name=journal.name,
        ), say(
            "Compare the table with your notes, and enter again what is missing, or bring a backup back. Give the "
            "kiosk a new card or disk."
        )
    if journal.name:
        what = say(
            "The journal was damaged; its second copy brought it back. The damaged one is kept as {name}.",
            name=journal.name,
        )
    else:
        what = say_count(
            journal.restored,
            "One decision was missing from the journal; its second copy brought it back.",
            "{number} decisions were missing from the journal; its second copy brought them back.",
        )
    return what, say(
        "Compare the table with your notes once. Should it happen again, give the kiosk a new card or disk."
    )


def _end_words(journal: SetAside) -> list[Phrase]:
    """The words about a journal whose end is lost in both files, or may be."""
    lost = journal.left_out
    follow = [one.number for one in lost] == list(range(journal.restored + 1, journal.restored + len(lost) + 1))
    if lost and follow and not any(one.command for one in lost):
        return [
            say_count(
                len(lost),
                "The last decision, number {first}, is lost: neither the journal nor its second copy has it any more. "
                "The table is as it was before it.",
                "The last {number} decisions, {first} to {last}, are lost: neither the journal nor its second copy has "
                "them any more. The table is as it was before them.",
                first=lost[0].number,
                last=lost[-1].number,
            )
        ]
    return [_cut_words(journal), *_left_out_sentences(lost)]


def _cut_words(journal: SetAside) -> Phrase:
    """The words about a damaged end of which it is not known how far it went, or known what stood there."""
    if journal.unsure:
        return say_count(
            journal.restored,
            "The end of the journal is damaged, and its second copy does not reach so far: one decision came back. "
            "Whether more came after it cannot be told.",
            "The end of the journal is damaged, and its second copy does not reach so far: {number} decisions came "
            "back. Whether more came after them cannot be told.",
        )
    return say_count(
        journal.restored,
        "The journal was damaged, and so is the end of its second copy: one decision came back. What came after "
        "it is lost.",
        "The journal was damaged, and so is the end of its second copy: {number} decisions came back. What came "
        "after them is lost.",
    )


def altered_words(
    decisions: Sequence[int], found: Mapping[int, str], journal: Journal, behind: Collection[int] = ()
) -> tuple[Phrase, Phrase]:
    """The message about altered and missing decisions, and what to do.

    `found` has them as `Journal.altered` does; the first are told with what they were. Of those missing that are
    `behind`, the decision directly behind them is another than when they were told: see `ToldOnce.behind`.
    """
    missing = [one for one in decisions if found[one].startswith(MISSING) and one not in behind]
    altered = [one for one in decisions if not found[one].startswith(MISSING)]
    words = []
    if altered:
        what = say_count(
            len(altered),
            "Decision {first} of the journal is not as it was written; the table goes on with what it says.",
            "{number} decisions of the journal, from {first} on, are not as they were written; the table goes on with "
            "what they say.",
            first=altered[0],
        )
        words.append(_with_what_they_were(what, altered, journal))
    changed = [one for one in decisions if one in behind]
    for last in (one for one in changed if one + 1 not in changed):  # of each gap its end
        what = say(
            "The decision behind decision {last} of the journal, which is missing, is not as it was when that was "
            "told; the table goes on with what it says.",
            last=last,
        )
        words.append(_with_what_they_were(what, [last + 1], journal))
    if missing:
        what = say_count(
            len(missing),
            "Decision {first} of the journal is missing; the table goes on without it.",
            "{number} decisions of the journal, from {first} on, are missing; the table goes on without them.",
            first=missing[0],
        )
        words.append(what)
    return sentences(*words), say(
        "Nothing else is lost: compare the table with your notes, and correct what is wrong. "
        "`trueroll doctor` names each decision."
    )


def _with_what_they_were(what: Phrase, decisions: Sequence[int], journal: Journal) -> Phrase:
    about = [_about(one, journal) for one in decisions[:MOST_NAMED]]
    return sentences(what, *(one for one in about if one))
