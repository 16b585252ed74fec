"""The engine: one thread decides, commits, and only then tells anyone.

In: commands from pages and panel, readings from sources; all are queued. Out: committed decisions, to listeners whose
errors are only logged. The state is a fold of the journal, so a kiosk that was killed goes on where it was.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field
from typing import Final, Protocol

from kiosk.errors import (
    CLOSING,
    EngineBusyError,
    EngineError,
    EngineStoppedError,
    EngineUncertainError,
    IdempotencyError,
    JournalDamagedError,
    JournalError,
    KioskError,
    system_words,
)
from kiosk.ports import Journal
from rules.dice import Reading
from rules.game import (
    Command,
    Decision,
    Event,
    History,
    Narration,
    Next,
    Refusal,
    ReportReading,
    Table,
    name_of,
    narrate,
)
from rules.game import history as past
from rules.words import say

log = logging.getLogger(__name__)

ANSWER_SECONDS: Final = 10.0
"""How long a caller waits: a commit on a tired SD card takes a second or two."""

LONGEST_QUEUE: Final = 256
"""Commands waiting at most; beyond it something sends them in a loop. Readings are always taken."""

RETRY_SECONDS: Final = 2.0
"""Seconds between two attempts to save what is in memory, and two checks of the saved files."""

CHECKPOINT_AFTER: Final = 1000
"""Decisions after which a new checkpoint saves the next start enough time to be worth writing."""

MOST_LEFT_OUT: Final = 64
"""Most damaged decisions that a start skips; with more, the table is as it was before the first."""

NARRATIONS_KEPT: Final = 64
"""Narrations that can still be asked for as audio."""


@dataclass(frozen=True, slots=True)
class NarrationRecord:
    """A narration and the number of the decision it tells of, as text, by which pages ask for its audio."""

    narration_id: str
    narration: Narration


@dataclass(frozen=True, slots=True)
class Present:
    """The present state: the journal's last sequence, the history, the last narration, and the newest decision.

    `newest` is None until something is decided after a start.
    """

    sequence: int
    history: History
    said: NarrationRecord | None = None
    newest: Decision | None = field(default=None, compare=False)

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.history.present


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The answer to a command: its events (none of a throw that came again) and the sequence of the last of them."""

    sequence: int
    events: tuple[Event, ...]
    said: NarrationRecord | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    """A decision that is durable; its events are numbered up to `present.sequence`."""

    decision: Decision
    said: NarrationRecord | None
    present: Present


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The history up to decision `decision`, whose last event is `sequence`, and what was last said then."""

    sequence: int
    decision: int
    history: History
    said: NarrationRecord | None


class Checkpoints(Protocol):
    """Keeps a checkpoint beside the journal; it may forget it at any time."""

    def load(self, journal: Journal) -> Checkpoint | None:
        """A checkpoint of this very journal made by these very rules; None where there is none to rely on."""

    def save(self, checkpoint: Checkpoint, journal: Journal) -> None:
        """Keep `checkpoint`; never raises for a disk that fails."""


def reading_key(reading: Reading) -> str:
    """The idempotency key of a reading."""
    return f"reading:{reading.source}:{reading.reading_id}"


Fits = Callable[[Present], None]
"""Raises if a command no longer fits the present state when its turn comes."""


@dataclass(frozen=True, slots=True)
class _Job:
    command: Command
    by: str
    idempotency: str | None
    answer: Future[CommandResult]
    following: tuple[Next, ...] = ()
    fits: Fits | None = None
    person: str = ""


Listener = Callable[[Committed], None]
"""Takes each decision once the journal has it, on the engine's thread."""


class Engine:
    """The one writer.

    `trouble` is called with why the journal keeps nothing, once it does, and with None when it keeps decisions again.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        trouble: Callable[[str | None], None] | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> None:
        self._journal = journal
        self._tell_trouble = trouble
        self._checkpoints = checkpoints
        self._checkpointed = 0
        self._trouble: str | None = None
        self._keep_the_rest: Callable[[], None] = lambda: None
        self._tell_looked: Callable[[], None] = lambda: None
        self._listeners: list[Listener] = []
        self._jobs: queue.SimpleQueue[_Job | threading.Event | None] = queue.SimpleQueue()
        self._narrations: dict[str, NarrationRecord] = {}
        self._stopping = threading.Event()
        self._decision = 0
        self._unfollowed: tuple[Decision, ...] = ()
        self._present = self._load(checkpoints.load(journal) if checkpoints is not None else None)
        self._quiet: Callable[[], bool] = lambda: False
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def listen(self, *listeners: Listener) -> None:
        """Call these after each commit, on the engine's thread: soon over, their errors only logged."""
        self._listeners.extend(listeners)

    def when_kept_again(self, keep: Callable[[], None]) -> None:
        """Call this, on the engine's thread, once the journal keeps decisions again."""
        self._keep_the_rest = keep

    def keep_free_throws(self, wanted: Callable[[], bool]) -> None:
        """Take in no free throw of a source while `wanted` says so: everybody would be told of it."""
        self._quiet = wanted

    def when_looked(self, tell: Callable[[], None]) -> None:
        """Call this, on the engine's thread, after each check of the journal between decisions."""
        self._tell_looked = tell

    def start(self) -> None:
        """Begin to take commands."""
        self._journal.keep()
        self._look_at_journal()
        present, decision = self._present, self._decision  # values: they can be kept while the table goes on
        self._thread.start()
        if decision - self._checkpointed >= CHECKPOINT_AFTER:
            keep = threading.Thread(target=self._checkpoint, args=(present, decision), name="checkpoint", daemon=True)
            keep.start()

    def stop(self) -> None:
        """Finish what is being applied, refuse the rest, end the thread; twice is fine."""
        if not self._stopping.is_set():
            self._stopping.set()
            self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join(ANSWER_SECONDS)
            if not self._thread.is_alive() and self._decision - self._checkpointed >= CHECKPOINT_AFTER:
                self._checkpoint(self._present, self._decision)

    def present(self) -> Present:
        """What is true now; a snapshot that never changes."""
        return self._present

    def knows(self, idempotency: str) -> bool:
        """Whether a decision was recorded under that key. Raises `JournalError` where the journal cannot be read."""
        return self._journal.known(idempotency) is not None

    def narration(self, narration_id: str) -> Narration | None:
        """A recent narration by its id."""
        said = self._narrations.get(narration_id)
        return said.narration if said is not None else None

    @property
    def unfollowed(self) -> tuple[Decision, ...]:
        """The decisions in the journal that no longer apply, because earlier ones are missing."""
        return self._unfollowed

    @property
    def trouble(self) -> str | None:
        """Why the journal keeps nothing at present, in words; None when all is well."""
        return self._trouble

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive() and not self._stopping.is_set()

    def progresses(self, within: float = ANSWER_SECONDS) -> bool:
        """Whether the thread still makes progress; for the watchdog."""
        if not self.alive:
            return False
        seen = threading.Event()
        self._jobs.put(seen)
        return seen.wait(within)

    def submit(
        self,
        command: Command,
        by: str,
        idempotency: str | None = None,
        within: float = ANSWER_SECONDS,
        fits: Fits | None = None,
        *,
        person: str = "",
    ) -> CommandResult:
        """Apply `command` and return its result, durable and published; `person` is who decided.

        A command with a known key gets its earlier answer; any other is first checked by `fits` when its turn comes.
        Raises `rules.errors.Refusal` (nothing changed), `JournalFullError` and other `JournalError` (nothing changed),
        `EngineBusyError` (not applied), `EngineUncertainError` (perhaps applied), `EngineStoppedError`.
        """
        return self._answered(_Job(command, by, idempotency, Future(), fits=fits, person=person), within)

    def submit_all(
        self,
        first: Command,
        following: Sequence[Next],
        by: str,
        idempotency: str | None = None,
        *,
        within: float = ANSWER_SECONDS,
        fits: Fits | None = None,
        person: str = "",
    ) -> CommandResult:
        """Apply `first` and what follows as one decision, named for `first`: all of it or, if one is refused, nothing.

        One undo takes all of it back, and what was applied before under the same key is answered again; `fits` and
        `person` are as `submit` has them. Neither undo nor redo can be among them. Raises what `submit` raises, and
        what one of `following` raises.
        """
        return self._answered(_Job(first, by, idempotency, Future(), tuple(following), fits, person), within)

    def _answered(self, job: _Job, within: float) -> CommandResult:
        if self._jobs.qsize() >= LONGEST_QUEUE:
            raise EngineBusyError("Too much is being asked of the table at once. Wait a moment, then try again.")
        answer = self._enqueue(job)
        try:
            return answer.result(within)
        except FutureTimeoutError:
            if answer.cancel():
                raise EngineBusyError("The table did not get to this in time, so it was not done. Try again.") from None
            raise EngineUncertainError(
                "The kiosk's disk is slow and this is still being recorded. Look at the table before trying again."
            ) from None
        except CancelledError:
            raise EngineStoppedError(CLOSING) from None

    def report(self, reading: Reading) -> None:
        """Queue a source's reading; returns at once. The same reading counts once, also across restarts."""
        if self._stopping.is_set():
            log.info("A reading of the %s came while the kiosk was closing down; it was not taken in.", reading.source)
            return
        command, key = ReportReading(reading=reading), reading_key(reading)
        self._enqueue(_Job(command, reading.source.value, key, Future(), fits=self._require_told))

    def _require_told(self, present: Present) -> None:
        table = present.table
        if table.request is None and table.held is None and self._quiet():
            raise KioskError("A hidden roll waits for its dice, so these were told to nobody.")

    def _enqueue(self, job: _Job) -> Future[CommandResult]:
        if self._stopping.is_set():
            raise EngineStoppedError(CLOSING)
        self._jobs.put(job)
        return job.answer

    def _load(self, start: Checkpoint | None = None) -> Present:
        """Load the journal; from a damaged one, every decision that can be read and still applies."""
        while True:
            try:
                return self._read(start)
            except JournalDamagedError as error:
                if self._journal.leave_out(MOST_LEFT_OUT):
                    log.error("Decision %d of the journal is damaged.", error.decision)  # noqa: TRY400 - it is no fault of the program
                    continue
                log.error("Decision %d of the journal is damaged. The table is as it was before it.", error.decision)  # noqa: TRY400 - as above
                self._journal.end_before(error.decision)

    def _read(self, start: Checkpoint | None) -> Present:
        history, said = past.begin(), None
        self._decision = 0
        if start is not None:
            history, said = start.history, start.said
            self._decision = self._checkpointed = start.decision
        recent: deque[tuple[Table, Decision, Table]] = deque(maxlen=NARRATIONS_KEPT)
        gap = False
        unfollowed: list[Decision] = []
        for decision in self._journal.decisions(self._decision):
            gap = gap or decision.number != self._decision + 1
            before = history.present
            history, followed = past.follow(history, decision, gap=gap)
            self._decision = decision.number
            if followed:
                recent.append((before, decision, history.present))
            else:
                unfollowed.append(decision)
        if unfollowed:
            numbers = ", ".join(str(one.number) for one in unfollowed)
            log.error("What is missing before these decisions keeps them from being followed: %s.", numbers)
        self._unfollowed = tuple(unfollowed)
        if said is not None:
            self._remember(said)
        for before, decision, after in recent:
            said = self._narrate(before, decision, after) or said
        return Present(self._journal.sequence, history, said)

    def _checkpoint(self, present: Present, decision: int) -> None:
        if self._checkpoints is not None and self._journal.trouble is None:
            self._checkpoints.save(Checkpoint(present.sequence, decision, present.history, present.said), self._journal)
            self._checkpointed = decision

    def _run(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=RETRY_SECONDS)
            except queue.Empty:
                self._keep()
                continue
            if job is None:
                break
            if isinstance(job, threading.Event):
                job.set()
            elif job.answer.set_running_or_notify_cancel():
                self._answer(job)
        while not self._jobs.empty():
            left = self._jobs.get()
            if isinstance(left, _Job):
                left.answer.cancel()

    def _keep(self) -> None:
        """Save what waits. Failures are reported and retried: without this thread nothing is decided any more."""
        try:
            self._journal.keep()
        except Exception as error:
            words = system_words(error) if isinstance(error, OSError) else say("the system's log says why")
            if words != self._trouble:  # once for each, not every two seconds
                log.exception("keeping what was decided failed")
            self._in_trouble(words)
        else:
            self._look_at_journal()
            try:
                self._tell_looked()
            except Exception:
                log.exception("telling how the journal looks failed")

    def _answer(self, job: _Job) -> None:
        try:
            result = self._apply(job)
        except JournalError as error:
            if not isinstance(error, IdempotencyError):
                self._in_trouble(self._journal.trouble or str(error))
            self._refused(job, error)
        except (Refusal, KioskError) as error:
            self._refused(job, error)
        except Exception:
            log.exception("%s by %s failed", name_of(job.command), job.by)
            job.answer.set_exception(
                EngineError("Something in the kiosk is broken, so this was not done. `trueroll doctor` says more.")
            )
        else:
            job.answer.set_result(result)

    def _refused(self, job: _Job, error: Exception) -> None:
        """Answer that the command was refused; it is never applied later."""
        if isinstance(job.command, ReportReading):
            log.info("A reading of the %s was refused: %s", job.by, error)
        job.answer.set_exception(error)

    def _apply(self, job: _Job) -> CommandResult:
        command = name_of(job.command)
        if job.idempotency is not None and (known := self._journal.known(job.idempotency)) is not None:
            decision, sequence = known
            if decision.command != command:
                raise IdempotencyError(
                    say(
                        "This idempotency key was already used for {command}. Send each command with its own.",
                        command=decision.command,
                    )
                )
            return CommandResult(sequence, decision.events, self._narrations.get(str(decision.number)))
        present = self._present
        if job.fits is not None:
            job.fits(present)
        events = past.decide(present.history, job.command, *job.following)
        if not events:
            return CommandResult(present.sequence, ())
        decision = Decision(number=self._decision + 1, by=job.by, command=command, events=events, person=job.person)
        if self._journal.trouble is not None:
            self._keep()  # before it is added to: so a checkpoint can follow at once
        sequence = self._journal.append(decision, job.idempotency)
        self._decision = decision.number
        try:
            history = past.evolve(present.history, decision)
            said = self._narrate(present.table, decision, history.present)
            self._present = Present(sequence, history, said or present.said, decision)
        except Exception:
            log.exception(
                "decision %d was recorded but could not be followed; reading the journal again", decision.number
            )
            again = self._load()
            if decision in self._unfollowed:
                raise  # as without a gap before it: what is asked now fits the present state
            self._present, said = again, None
        self._look_at_journal()
        self._publish(Committed(decision, said, self._present))
        return CommandResult(sequence, events, said)

    def _narrate(self, before: Table, decision: Decision, after: Table) -> NarrationRecord | None:
        try:
            narration = narrate(before, decision.events, after)
        except Exception:
            log.exception("decision %d could not be put into words", decision.number)
            return None
        if narration is None:
            return None
        said = NarrationRecord(str(decision.number), narration)
        self._remember(said)
        return said

    def _remember(self, said: NarrationRecord) -> None:
        """Keep a narration as the newest for whoever asks for it; beyond `NARRATIONS_KEPT` the oldest is forgotten."""
        self._narrations.pop(said.narration_id, None)
        self._narrations[said.narration_id] = said
        if len(self._narrations) > NARRATIONS_KEPT:
            del self._narrations[next(iter(self._narrations))]

    def _publish(self, committed: Committed) -> None:
        for listener in self._listeners:
            try:
                listener(committed)
            except Exception:
                log.exception("a listener failed at decision %d", committed.decision.number)

    def _look_at_journal(self) -> None:
        """Report whether decisions are saved, if that has changed."""
        if (trouble := self._journal.trouble) is not None:
            self._in_trouble(trouble)
        elif self._trouble is not None:
            log.info("The journal keeps decisions again.")
            self._trouble = None
            try:
                self._checkpoint_anew()
                self._keep_the_rest()
            except Exception:
                log.exception("what lies beside the journal could not be kept")
            self._tell_safely(None)

    def _checkpoint_anew(self) -> None:
        """Write a checkpoint of a journal that began anew, before anybody is informed.

        It has only the latest decisions: without a checkpoint a pulled plug takes the table back to nothing.
        """
        if self._journal.set_aside is not None and self._journal.set_aside.anew_from:
            self._checkpoint(self._present, self._decision)

    def _in_trouble(self, words: str) -> None:
        if self._trouble is None:
            log.error("The journal keeps nothing: %s", words)
        if self._trouble != words:
            self._trouble = words
            self._tell_safely(words)

    def _tell_safely(self, words: str | None) -> None:
        if self._tell_trouble is None:
            return
        try:
            self._tell_trouble(words)
        except Exception:
            log.exception("telling of the journal's state failed")
