"""The hub: what was committed goes to every live page, and no slow page holds up another.

Whoever publishes sends it to one page after the other, without waking a thread for each: that took longer than all
else. Publishing waits for no page. One that falls behind is disconnected; its browser comes back by itself with
`Last-Event-ID` and gets what it missed from the journal.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Final, TypeAlias

from kiosk.engine import Committed
from kiosk.errors import HubFullError, JournalError
from kiosk.ports import SOURCE_LANGUAGE, Encoder, Journal, Language, LiveParts, SourceView
from rules.game import Event
from rules.words import say

log = logging.getLogger(__name__)


class KeptPlace(StrEnum):
    """Whose a live page is. Each has places that nobody else can take."""

    KIOSK = "kiosk"
    GAMEMASTER = "gamemaster"
    TABLE = "table"
    GUEST = "guest"


MOST_LIVE: Final = {KeptPlace.KIOSK: 48, KeptPlace.GAMEMASTER: 16, KeptPlace.TABLE: 48, KeptPlace.GUEST: 16}
"""Live pages at most: one server thread each."""

MOST_OF_ONE: Final = {KeptPlace.GAMEMASTER: 6, KeptPlace.TABLE: 6, KeptPlace.GUEST: 12}
"""Live pages of one person; of strangers, of one address: a table's phones may be behind one router."""

QUEUE_LENGTH: Final = 64
"""Most messages waiting for one page whose line is not open yet; with more it is disconnected: half a minute of the
busiest table."""

HEARTBEAT_SECONDS: Final = 3.0
"""A comment this often lets the server notice that a page has gone."""

RETRY_MILLISECONDS: Final = 1000
"""How soon a browser comes back after a break."""

DISPLAY: Final = "display"
"""How the `page` of a table's screen begins. Those are sent the news first."""

LONGEST_REPLAY: Final = 1000
"""Events sent again after a break; a page that missed more is told so and has the snapshot."""


def message(name: str, data: bytes, event_id: int | None = None) -> bytes:
    """One Server-Sent Event. Only journal events carry an id, so that no other can move a page's place."""
    head = b"" if event_id is None else b"id: %d\n" % event_id
    return head + b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"


Line: TypeAlias = Callable[[bytes], bool]
"""Sends to one page at once and without waiting; False if the page is gone or reads too slowly. Any thread may call."""


class Subscription:
    """One live page. Iterate over it for the bytes to send; `close` when the page is gone.

    With `line`, what is published goes by it once the opening is out, and the iteration has the beats alone.
    """

    def __init__(
        self,
        hub: Hub,
        opening: Callable[[], tuple[bytes, int]],
        heartbeat: float,
        language: Language,
        *,
        page: str = "",
        with_hidden: bool = False,
        place: KeptPlace = KeptPlace.KIOSK,
        who: str = "",
        tab: str = "",
        line: Line | None = None,
    ) -> None:
        self.language: Final = language
        self.page: Final = page
        self.place: Final = place
        self.who: Final = who
        self.tab: Final = tab
        self.with_hidden: Final = with_hidden
        self._hub = hub
        self._opening = opening
        self._heartbeat = heartbeat
        self._line = line
        self._open_line: Line | None = None
        self._sent = 0
        self._turn = threading.Lock()
        self._waiting: queue.SimpleQueue[tuple[int, bytes] | None] = queue.SimpleQueue()
        self._ended = threading.Event()

    def offer(self, sequence: int, data: bytes) -> bool:
        """Send or queue `data` without waiting; False when the page has fallen too far behind."""
        with self._turn:
            if self._open_line is not None:
                return sequence <= self._sent or self._open_line(data)
            if self._waiting.qsize() >= QUEUE_LENGTH:
                return False
            self._waiting.put((sequence, data))
            return True

    def end(self) -> None:
        """Make the iteration stop soon."""
        self._ended.set()
        self._waiting.put(None)

    def close(self) -> None:
        """Give the place back; twice is fine."""
        self._hub.leave(self)

    def __iter__(self) -> Iterator[bytes]:
        """Yields the opening, then what is published, or a beat; ends when the hub disconnects the page."""
        try:
            opening, self._sent = self._opening()
            yield opening
            while not self._ended.is_set():
                self._open_when_all_is_out()
                try:
                    item = self._waiting.get(timeout=self._heartbeat)
                except queue.Empty:
                    yield _BEAT
                    continue
                if item is None:
                    return
                sequence, data = item
                if sequence > self._sent:
                    yield data
        finally:
            with self._turn:
                self._open_line = None
            self.close()

    def _open_when_all_is_out(self) -> None:
        """Have what is published from now on sent by the line, unless something older still waits for the iteration."""
        with self._turn:
            if self._waiting.empty():
                self._open_line = self._line


class Hub:
    """Hands committed decisions and changes of sources to live pages.

    `snapshot` gives the JSON of the table as it is now, in a language and for a page (empty for a program), together
    with its sequence; `encoder` writes the rest; `parts`, once there is a web side, renders what a page of the kiosk's
    own shows of the table. Each message is made once for each language and page in use. `most` is of live pages in
    every place; None leaves it to `MOST_LIVE`. `beside` gives the words that a page shows beside the table, which
    `publish_beside` sends alone; `left` is called whenever a page has gone, and has to be over at once.
    """

    parts: LiveParts | None = None
    beside: LiveParts | None = None
    left: Callable[[], None] | None = None

    def __init__(
        self,
        journal: Journal,
        snapshot: Callable[[Language, str], tuple[bytes, int]],
        encoder: Encoder,
        *,
        most: int | None = None,
        heartbeat: float = HEARTBEAT_SECONDS,
    ) -> None:
        self._journal = journal
        self._snapshot = snapshot
        self._encoder = encoder
        self._most = MOST_LIVE if most is None else dict.fromkeys(KeptPlace, most)
        self._heartbeat = heartbeat
        self._lock = threading.Lock()
        self._publishing = threading.Lock()
        self._subscribers: set[Subscription] = set()
        self._closed = False

    @property
    def subscribers(self) -> int:
        """How many pages are live."""
        return len(self._subscribers)

    @property
    def tabs(self) -> frozenset[str]:
        """The live pages as each names itself, those that do."""
        with self._lock:
            return frozenset(one.tab for one in self._subscribers if one.tab)

    @property
    def live(self) -> frozenset[str]:
        """Who has a live page, as `subscribe` has their names."""
        with self._lock:
            return frozenset(one.who for one in self._subscribers)

    def subscribe(
        self,
        last_event_id: int | None = None,
        language: Language = SOURCE_LANGUAGE,
        *,
        page: str = "",
        with_hidden: bool = False,
        place: KeptPlace = KeptPlace.KIOSK,
        who: str = "",
        tab: str = "",
        line: Line | None = None,
    ) -> Subscription:
        """A place for one page of that language; raises `HubFullError` when all places for `who` are taken.

        With `page`, that page's parts are sent before each table. `with_hidden` adds a notice when the gamemaster's
        hidden rolls change. `tab` is how the page names itself, whatever it shows; `line` is as of `Subscription`.

        Its first message is `snapshot`; a page that comes back with the id of the last event it saw then gets every
        event since, or `behind` with the number missed where they are too many.
        """
        subscription = Subscription(
            self,
            lambda: self._open(last_event_id, language, page),
            self._heartbeat,
            language,
            page=page,
            with_hidden=with_hidden,
            place=place,
            who=who,
            tab=tab,
            line=line,
        )
        with self._lock:
            if self._closed:
                raise HubFullError("The kiosk is closing down.")
            if (full := self._full(place, who)) is not None:
                raise full
            self._subscribers.add(subscription)
        return subscription

    def opening(self, language: Language, page: str = "") -> bytes:
        """What a page of that language is sent first, without a place for what follows."""
        return self._open(None, language, page)[0]

    def full(self, place: KeptPlace, who: str) -> HubFullError | None:
        """The error that `subscribe` would raise now for want of a place for `who`; None if one is free."""
        with self._lock:
            return self._full(place, who)

    def _full(self, place: KeptPlace, who: str) -> HubFullError | None:
        alike = [one for one in self._subscribers if one.place is place]
        of_one = sum(one.who == who for one in alike) if who else 0
        for taken, most in ((len(alike), self._most[place]), (of_one, MOST_OF_ONE.get(place, self._most[place]))):
            if taken >= most:
                return HubFullError(
                    say("All {most} live places are taken. Ask for the table every few seconds instead.", most=most)
                )
        return None

    def leave(self, subscription: Subscription) -> None:
        """Take a page off the list; one that is not on it is fine."""
        with self._lock:
            self._subscribers.discard(subscription)
        if self.left is not None and subscription.page:
            self.left()

    def publish(self, committed: Committed) -> None:
        """Tell every page of a decision: its events, then the table as it is now."""
        decision = committed.decision
        first = committed.present.sequence - len(decision.events) + 1
        events = b"".join(
            self._event(event, sequence, decision.number, decision.by, decision.person)
            for sequence, event in enumerate(decision.events, start=first)
        )
        with self._publishing:
            self._send(committed.present.sequence, lambda *listened: events + self._table(*listened))

    def publish_source(self, status: SourceView) -> None:
        """Tell every page that a source changed, and send the table again, which shows the sources."""
        with self._publishing:
            self._send(
                _ALWAYS,
                lambda *listened: message("source", self._encoder.source(status, listened[0])) + self._table(*listened),
            )

    def publish_table(self) -> None:
        """Send the table again although nothing was decided, as after muting the voice."""
        with self._publishing:  # else an older table could be sent after a newer decision
            self._send(_ALWAYS, self._table)

    def publish_hidden(self) -> None:
        """Tell the gamemaster's pages to fetch the hidden rolls again."""
        with self._lock:
            masters = tuple(one for one in self._subscribers if one.with_hidden)
        self._offer(masters, _ALWAYS, lambda *_listened: _HIDDEN_CHANGED)

    def publish_beside(self) -> None:
        """Send what pages show beside the table: no table waits for it, and none comes with it."""
        with self._lock:
            pages = tuple(one for one in self._subscribers if one.page)
        self._offer(pages, _ALWAYS, lambda language, page: self._beside_of(page, language))

    def close(self) -> None:
        """Disconnect every page."""
        with self._lock:
            self._closed = True
            leaving = tuple(self._subscribers)
        for subscription in leaving:
            subscription.end()

    def _event(self, event: Event, sequence: int, decision: int, by: str, person: str) -> bytes:
        return message("journal", self._encoder.event(event, sequence, decision, by, person), sequence)

    def _table(self, language: Language, page: str) -> bytes:
        return self._parts_of(page, language) + message("table", self._snapshot(language, page)[0])

    def _parts_of(self, page: str, language: Language) -> bytes:
        return message("parts", self.parts(page, language)) if page and self.parts is not None else b""

    def _beside_of(self, page: str, language: Language) -> bytes:
        return message("beside", self.beside(page, language)) if page and self.beside is not None else b""

    def _send(self, sequence: int, data: Callable[[Language, str], bytes]) -> None:
        with self._lock:
            present = tuple(self._subscribers)
        self._offer(present, sequence, data)

    def _offer(
        self, subscribers: tuple[Subscription, ...], sequence: int, data: Callable[[Language, str], bytes]
    ) -> None:
        alike: dict[tuple[Language, str], list[Subscription]] = {}
        for one in subscribers:
            alike.setdefault((one.language, one.page), []).append(one)
        for listened in sorted(alike, key=_is_not_display):
            made = data(*listened)
            for subscription in alike[listened]:
                if not subscription.offer(sequence, made):
                    self.leave(subscription)
                    subscription.end()

    def _open(self, last_event_id: int | None, language: Language, page: str) -> tuple[bytes, int]:
        """The first bytes for a page and the sequence they reach."""
        table, sequence = self._snapshot(language, page)
        parts = [b"retry: %d\n\n" % RETRY_MILLISECONDS, message("snapshot", table), self._parts_of(page, language)]
        parts.append(self._beside_of(page, language))
        if last_event_id is not None and last_event_id < sequence:
            missed = sequence - last_event_id
            try:
                entries = self._journal.entries(after=last_event_id, limit=missed) if missed <= LONGEST_REPLAY else None
            except JournalError as error:
                log.warning("A page cannot be told again what it missed: %s", error)
                entries = None
            if entries is None:
                parts.append(message("behind", b'{"missed":%d}' % missed))
            else:
                parts += [self._event(one.event, one.sequence, one.decision, one.by, one.person) for one in entries]
        return b"".join(parts), sequence


def _is_not_display(listened: tuple[Language, str]) -> bool:
    """Whether it is another page than the table's screen, at which everybody looks."""
    return not listened[1].startswith(DISPLAY)


_ALWAYS: Final = 2**63
"""A sequence above all others, for messages that are not from the journal."""

_HIDDEN_CHANGED: Final = message("hidden", b"{}")
"""The message that makes a gamemaster's page fetch the hidden rolls again."""

_BEAT: Final = message("beat", b"0")
"""Sent in silence, so that pages know that the kiosk is there: they cannot see a comment."""
