"""What the shell asks of the world: time, sources of dice, a voice, a journal, something that throws in a demo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from kiosk.speech.earcons import Sounds
from kiosk.storage.preferences import Length, Manner
from rules.dice import Reading, SourceKind, SourceStatus
from rules.history import Decision
from rules.messages import Event
from rules.narrate import Narration


class Clock(Protocol):
    """Time, so that tests can hold it still."""

    def now(self) -> float:
        """Seconds since 1970-01-01 UTC, as the machine believes."""

    def monotonic(self) -> float:
        """Seconds that never run backwards, from an arbitrary start."""


class DiceSource(Protocol):
    """A place dice come from by themselves: the camera or the tray."""

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

    def say(self, narration: Narration, sounds: Sounds = ...) -> None:
        """Queue a narration, after the sounds that the room wants; returns at once and never raises."""

    def repeat(self, words: Narration | None = None, *, full: bool = False) -> None:
        """Say `words` again, else the last narration, in the chosen length or in full; nothing where there was none."""

    def ask(self, words: Narration) -> None:
        """Answer somebody who asked for it, in the chosen length, as soon as no outcome is being said."""

    def prompt(self, words: Narration, *, at_once: bool) -> None:
        """Say what the panel's menu says, in place of what it said before; `at_once` cuts off what is being said."""

    def wav(self, text: str, manner: Manner = ..., language: str = ...) -> bytes | None:
        """The audio of `text` as a WAV file in a listener's manner and language, or None where no voice is at hand."""

    @property
    def speaks(self) -> bool:
        """Whether what is said can be heard in the room now."""

    def tell_when_begun(self, listener: Callable[[Narration], None]) -> None:
        """Call `listener` when a narration begins to sound, or will not."""

    def stop(self) -> None:
        """Fall silent and let go; twice is fine."""


class Demo(Protocol):
    """A make-believe tray and camera for trying the kiosk out."""

    def throw(self, where: SourceKind, dice: tuple[str, ...]) -> None:
        """Throw one die of each kind named in `dice` (`d20`, `challenge`) on the make-believe `where`.

        Raises `KioskError` where that source is not there.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One event as the journal keeps it; `sequence` rises by one with every event of the table."""

    sequence: int
    decision: int
    by: str
    time: float
    event: Event


class Journal(Protocol):
    """Decisions in order, durable before `append` returns. Used by one writing thread; reading is allowed from any.

    A decision is kept whole or not at all, and exactly once for each idempotency key.
    """

    @property
    def sequence(self) -> int:
        """The number of the last event kept; 0 when empty."""

    def append(self, decision: Decision, idempotency: str | None = None) -> int:
        """Keep `decision` durably and return the sequence of its last event.

        Raises `JournalFullError` when there is no room, `JournalError` when it cannot be kept for another reason;
        nothing of the decision is kept then. A decision without events is refused with ValueError.
        """

    def known(self, idempotency: str) -> tuple[Decision, int] | None:
        """The decision kept under this key with the sequence of its last event, or None."""

    def decisions(self, after: int = 0) -> Iterator[Decision]:
        """Every decision with a number above `after`, in order."""

    def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        """Up to `limit` entries with a sequence above `after`, in order."""

    def close(self) -> None:
        """Let go of the file; twice is fine."""
