"""A journal in memory, for tests that need none on a disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from kiosk.errors import IdempotencyError, JournalFullError
from kiosk.ports import Clock, Entry, SecondCopyState, SetAside
from kiosk.storage.journal import require_next
from kiosk.storage.journal_troubles import FULL_WORDS
from rules.history import Decision
from rules.undo import DecisionRedone, DecisionUndone
from rules.words import Phrase, say


class MemoryJournal:
    """A journal that keeps the promises of `ports.Journal` except that it ends with the program."""

    set_aside: SetAside | None = None
    altered: Mapping[int, str] = MappingProxyType({})
    trouble: Phrase | None = None
    second_copy = SecondCopyState.WELL
    copied_anew = 0
    times_copied_anew = 0

    def __init__(self, clock: Clock, *, capacity: int | None = None) -> None:
        self._clock = clock
        self._capacity = capacity
        self._entries: list[Entry] = []
        self._decisions: list[Decision] = []
        self._keys: dict[str, tuple[Decision, int]] = {}

    @property
    def sequence(self) -> int:
        """The number of the last event kept."""
        return len(self._entries)

    @property
    def decision(self) -> int:
        """The number of the last decision kept."""
        return self._decisions[-1].number if self._decisions else 0

    def mend_indexes(self) -> bool:
        """See `ports.Journal`."""
        return False

    def older_altered(self) -> Mapping[int, str]:
        """See `ports.Journal`."""
        return {}

    def append(self, decision: Decision, idempotency: str | None = None, *, at: float | None = None) -> int:
        """See `ports.Journal`. `capacity` is the number of events there is room for."""
        require_next(decision, self.decision)
        if idempotency is not None and idempotency in self._keys:
            raise IdempotencyError(say("The key {key} was used before.", key=repr(idempotency)))
        if self._capacity is not None and self.sequence + len(decision.events) > self._capacity:
            raise JournalFullError(FULL_WORDS)
        now = self._clock.now() if at is None else at
        self._entries += [
            Entry(
                sequence=number,
                decision=decision.number,
                by=decision.by,
                time=now,
                event=event,
                person=decision.person,
                command=decision.command,
                key=idempotency if number == self.sequence + 1 else None,
            )
            for number, event in enumerate(decision.events, start=self.sequence + 1)
        ]
        self._decisions.append(decision)
        if idempotency is not None:
            self._keys[idempotency] = (decision, self.sequence)
        return self.sequence

    def keep(self) -> None:
        """See `ports.Journal`."""

    def known(self, idempotency: str) -> tuple[Decision, int] | None:
        """See `ports.Journal`."""
        return self._keys.get(idempotency)

    def decisions(self, after: int = 0) -> Iterator[Decision]:
        """See `ports.Journal`."""
        return (decision for decision in tuple(self._decisions) if decision.number > after)

    def dated(self) -> Iterator[tuple[Decision, float, str | None]]:
        """See `storage.export.ReadJournal`."""
        firsts = {one.decision: one for one in reversed(self._entries)}
        return ((one, firsts[one.number].time, firsts[one.number].key) for one in self._decisions)

    def taken_back(self) -> frozenset[int]:
        """See `storage.export.ReadJournal`."""
        undone: set[int] = set()
        for one in self._entries:
            if isinstance(one.event, DecisionUndone):
                undone.add(one.event.decision)
            elif isinstance(one.event, DecisionRedone):
                undone.discard(one.event.decision)
        return frozenset(undone)

    def leave_out(self, most: int) -> bool:
        """See `ports.Journal`: nothing is damaged here."""
        raise NotImplementedError(most)

    def end_before(self, decision: int) -> None:
        """See `ports.Journal`."""
        self._decisions = [one for one in self._decisions if one.number < decision]
        self._entries = [one for one in self._entries if one.decision < decision]

    def entries(self, after: int = 0, limit: int = 1000) -> tuple[Entry, ...]:
        """See `ports.Journal`."""
        return tuple(self._entries[max(after, 0) : max(after, 0) + limit])

    def close(self) -> None:
        """Nothing to let go of."""
