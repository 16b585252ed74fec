"""The shell's protocols for the rooms round it, and the values that pass between them.

In: nothing; this module knows none of the rooms. Out: protocols (time, sources of dice, a voice, a journal, what pages
are sent, something that throws in a demonstration) that the rooms fulfil, and `compose` puts together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from gettext import NullTranslations
from types import MappingProxyType
from typing import Annotated, Final, Literal, Protocol

from msgspec import Meta, Struct

from rules.dice import Reading, SourceKind, SourceStatus
from rules.game import Decision, Event, Narration
from rules.words import Catalog, Phrase

Length = Literal["terse", "normal", "full"]
"""How much is said of each outcome."""

Rate = Annotated[float, Meta(ge=0.8, le=2.5)]
"""How fast somebody is spoken to, as a multiple of the kiosk's usual words a minute."""

Volume = Annotated[int, Meta(ge=10, le=200)]
"""How loud, in hundredths of the kiosk's usual loudness."""

Timbre = Literal["plain", "deep", "bright", "soft"]
"""The sound of the voice; its language is chosen apart."""

ENGLISH: Final = "en"
"""The code of the language in which the sources are written."""


class Manner(Struct, frozen=True, kw_only=True):
    """How somebody is spoken to, the room or one listener: speed, loudness, voice, and which sounds come before words.

    `earcons` are the players' own sounds before their results, `tones` tell how it went; a listener hears neither until
    they choose it.
    """

    rate: Rate = 1.0
    volume: Volume = 100
    voice: Timbre = "plain"
    earcons: bool = False
    tones: bool = False


USUAL: Final = Manner()
"""How everybody is spoken to who has chosen nothing."""

ROOM: Final = Manner(tones=True)
"""How the room is spoken to until somebody chooses: it hears each weight of an outcome, too."""


@dataclass(frozen=True, slots=True)
class Sounds:
    """The names of the sounds of what was last said: whose it is and how it went; empty where there is none."""

    player: str = ""
    how: str = ""

    def wanted(self, *, earcons: bool, tones: bool) -> tuple[str, ...]:
        """What a listener hears who wants players' `earcons`, or `tones` of how it went, or both."""
        return tuple(name for name, on in ((self.player, earcons), (self.how, tones)) if name and on)


SILENT: Final = Sounds()
"""No sound."""


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language that somebody reads and hears: its code, its own name, where its lines begin, and its words.

    `script` holds what scripts need of it, as static/js/language.js reads it; empty in English.
    """

    code: str
    name: str
    direction: str
    catalog: Catalog
    script: Mapping[str, object]


SOURCE_LANGUAGE: Final = Language(ENGLISH, "English", "ltr", NullTranslations(), MappingProxyType({}))
"""What everything is written in."""


class SourceView(Struct, frozen=True, kw_only=True):
    """A part of the kiosk that can come and go, in words: what it is doing and what a person can do about it."""

    source: Annotated[str, Meta(description="`camera`, `tray`, `panel`, `voice` or `journal`.")]
    state: Annotated[str, Meta(description="`absent`, `starting`, `ready`, `lost`, `incompatible` or `off`.")]
    what: str
    remedy: str = ""
    notice: Annotated[str, Meta(description="What those who wait for dice should know of those that lie there.")] = ""
    faulty: Annotated[bool, Meta(description="Whether a part of it fails while it answers.")] = False


class Clock(Protocol):
    """The time; tests replace it."""

    def now(self) -> float:
        """Seconds since 1970-01-01 UTC, as the machine believes."""

    def monotonic(self) -> float:
        """Seconds that never run backwards, from an arbitrary start."""


class DiceSource(Protocol):
    """A device that reads dice: the camera or the tray."""

    @property
    def kind(self) -> SourceKind:
        """Which one it is."""

    def start(self, report: Callable[[Reading], None], tell: Callable[[SourceStatus], None]) -> None:
        """Begin; `report` and `tell` are called from the source's own thread and never block it for long."""

    def stop(self) -> None:
        """End within a few seconds; never raises, twice is fine."""

    def picture(self, key: str) -> bytes | None:
        """The JPEG of a die kept under `DieReading.picture`, or None where it is no longer kept."""


class Voice(Protocol):
    """Says narrations aloud, where the machine can."""

    @property
    def available(self) -> bool:
        """Whether anything can be spoken here."""

    @property
    def muted(self) -> bool:
        """Whether the owner asked for silence at the speaker; phones may still fetch the audio."""

    @muted.setter
    def muted(self, value: bool) -> None: ...

    @property
    def length(self) -> Length:
        """How much the speaker says of each outcome."""

    @length.setter
    def length(self, value: Length) -> None: ...

    @property
    def manner(self) -> Manner:
        """How the speaker speaks, and which sounds it makes."""

    @manner.setter
    def manner(self, value: Manner) -> None: ...

    def say(self, narration: Narration, sounds: Sounds = SILENT) -> None:
        """Queue a narration, after the sounds that the room wants; returns at once and never raises."""

    def repeat(self, words: Narration | None = None, *, full: bool = False) -> None:
        """Say `words` again, else the last narration, in the chosen length or in full; nothing where there was none."""

    def ask(self, words: Narration) -> None:
        """Answer somebody who asked for it, in the chosen length, as soon as no outcome is being said."""

    def prompt(self, words: Narration, *, at_once: bool) -> None:
        """Say what the panel's menu says, in place of what it said before; `at_once` cuts off all but outcomes."""

    def wav(self, text: str, manner: Manner = USUAL, language: str = ENGLISH) -> bytes | None:
        """The audio of `text` as a WAV file in a listener's manner and language, or None where no voice is at hand."""

    @property
    def speaks(self) -> bool:
        """Whether what is said can be heard in the room now."""

    def tell_when_begun(self, listener: Callable[[Narration], None]) -> None:
        """Call `listener` when a narration begins to sound, or will not."""

    def stop(self) -> None:
        """Fall silent and release the output; twice is fine."""


class Demo(Protocol):
    """A simulated tray and camera for trying the kiosk out."""

    def throw(self, where: SourceKind, dice: tuple[str, ...]) -> None:
        """Throw one die of each kind named in `dice` (`d20`, `challenge`) on the simulated `where`.

        Raises `KioskError` where that source is not there.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One event as the journal keeps it; `sequence` rises by one with every event of the table.

    `by`, `person` and `command` are those of its `Decision`; `key` is the idempotency key that came with it, at its
    first event.
    """

    sequence: int
    decision: int
    by: str
    time: float
    event: Event
    person: str = ""
    command: str = ""
    key: str | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A decision that no file has whole: its number, and the name of its command as far as that can be read."""

    number: int
    command: str


@dataclass(frozen=True, slots=True)
class SetAside:
    """A damaged journal that another one replaces.

    * `name`: the file that it is kept as, empty while there is no room for one; nothing can be added then.
    * `decision`: the damaged one, if those before it could be kept; 0 if none could.
    * `restored`: how many decisions came back from the second copy. Then `name` is empty if the file was gone or too
      short; `cut` says that the copy is damaged at its end, so that the number of later ones is unknown, `unsure` that
      there may be none, and `pieced` that the copy had not all of them: some are from the damaged file itself.
    * `left_out`: the decisions without which the journal goes on.
    * `earlier`: what happened before that at the same start.
    * `anew_from`: set if both files were damaged in play: the first decision in memory, with which the journal begins.

    If none of these is set, the file was empty, and no second copy had more.
    """

    name: str
    decision: int = 0
    restored: int = 0
    cut: bool = False
    left_out: tuple[LeftOut, ...] = ()
    earlier: SetAside | None = None
    anew_from: int = 0
    pieced: bool = False
    unsure: bool = False

    @property
    def begins_empty(self) -> bool:
        """Whether nothing of what was decided came back."""
        return not (self.decision or self.restored or self.left_out or self.anew_from)


class SecondCopyState(StrEnum):
    """How the second copy of a journal is."""

    WELL = "well"
    """Intact, or not there yet."""
    WRITTEN_ANEW = "written anew"
    """It was damaged or emptied; the journal was whole, and it was written anew from that."""
    OF_ANOTHER = "of another table"
    """It was another table's. It is kept, and was written anew from the journal."""
    NOT_WRITTEN = "not written"
    """It cannot be written; the journal is kept."""


MISSING: Final = "missing "
"""The prefix of the checksum that stands for a missing decision: see `Journal.altered`."""


class Journal(Protocol):
    """Decisions in order, durable before `append` returns, but for `trouble`.

    Used by one writing thread; reading is allowed from any.

    A decision is kept whole or not at all, and exactly once for each idempotency key.
    """

    @property
    def sequence(self) -> int:
        """The number of the last event kept; 0 when empty."""

    @property
    def decision(self) -> int:
        """The number of the last decision kept; 0 when empty."""

    @property
    def set_aside(self) -> SetAside | None:
        """The damaged journal in whose place this one stands; None where there was none."""

    @property
    def altered(self) -> Mapping[int, str]:
        """The latest decisions found altered when the journal was opened, each with a checksum of its present content.

        The checksum is unique across journals. A missing decision is included, with `MISSING` before the checksum of
        the one after it.
        """

    @property
    def second_copy(self) -> SecondCopyState:
        """How the second copy is; what was wrong with it since the start stays told."""

    @property
    def copied_anew(self) -> int:
        """The last decision in the second copy when it was last rewritten; 0 if it never was."""

    @property
    def times_copied_anew(self) -> int:
        """How often the second copy was rewritten since the journal was opened, as far as reported."""

    @property
    def trouble(self) -> Phrase | None:
        """Why nothing is kept at present, as part of a sentence; None when all is well."""

    def mend_indexes(self) -> bool:
        """Make the indexes anew where one is damaged; whether one was. Looked at now. Raises `JournalError`."""

    def older_altered(self) -> Mapping[int, str]:
        """As `altered`, of all decisions before those; looked at now, which takes long in a long journal.

        Where there are any, the next opening looks at all and restores what it can.
        """

    def append(self, decision: Decision, idempotency: str | None = None, *, at: float | None = None) -> int:
        """Keep `decision` durably and return the sequence of its last event; `at` is when it was made, else now.

        A journal that says why nothing is kept (`trouble`) has it in memory alone. Raises `JournalFullError` without
        room, and `JournalError` if it cannot be saved for another reason. One that goes on in memory raises
        `EngineStoppedError` once it is closed. In each case nothing of the decision is kept. A decision without events
        is refused with ValueError.
        """

    def keep(self) -> None:
        """Try again to keep durably what is in memory alone, and look whether what is kept is still there.

        Called by the writing thread, every few seconds. One that does not go on in memory raises `JournalGoneError`.
        """

    def known(self, idempotency: str) -> tuple[Decision, int] | None:
        """The decision kept under this key with the sequence of its last event, or None."""

    def decisions(self, after: int = 0) -> Iterator[Decision]:
        """Every decision with a number above `after`, in order.

        Raises `JournalDamagedError` at one that is not as it was written and cannot be read, `JournalError` at one
        that a later version wrote.
        """

    def leave_out(self, most: int) -> bool:
        """Go on without the decisions that are damaged and cannot be read, and with all others; the file is kept.

        Whether that could be done: where there is none, or more than `most`, nothing is. What a second copy has whole
        is there again instead. Raises `JournalError` where a later version wrote one of the others.
        """

    def end_before(self, decision: int) -> None:
        """Set the journal aside as it is, and go on with the decisions before that one."""

    def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        """Up to `limit` entries with a sequence above `after`, in order. Raises as `decisions`."""

    def close(self) -> None:
        """Close the file; twice is fine."""


LiveParts = Callable[[str, Language], bytes]
"""The parts of the page of that name that change with the table, in that language: JSON of HTML by the part's id."""


class Encoder(Protocol):
    """Writes what live pages are sent as JSON."""

    def event(self, event: Event, sequence: int, decision: int, by: str, person: str) -> bytes:
        """One event of the journal, with its place and who asked for it; the same in every language."""

    def source(self, source: SourceView, language: Language) -> bytes:
        """The state of a part of the kiosk, in that language."""
