"""Who is choosing a Task on a player's page just now: told in one quiet line, kept nowhere, and soon forgotten.

In: forms of Tasks that somebody opens or changes, decisions, pages that go. Out: that line, for each page with it.
It is no decision: nothing of it is in the journal or spoken, and it waits for no table that is published.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from kiosk.clock import SystemClock
from kiosk.engine import Committed
from kiosk.hub import Hub
from kiosk.i18n.current import page_catalog
from kiosk.ports import Clock, Language
from kiosk.storage.wire import encode
from rules.game import LinedUp, Standing, TaskDeclared
from rules.words import Phrase, joined_by, say

SECONDS: Final = 45.0
"""How long somebody counts as choosing who changes nothing in the open form."""

LOOK: Final = 1.5
"""Seconds until a page that went is missed: one that is loaded again is back by then."""

MOST_NAMED: Final = 3
"""Most who are named; of more their number is told."""

LONGEST: Final = 16
"""Letters of a name at most: the line is one."""

TOGETHER: Final = 24
"""Letters of several names at most, in one line of a phone; of longer ones their number is told."""

SHOWN_ON: Final = frozenset({"display", "phone", "gm"})
"""The pages that have the line, as `LivePage` names them."""

_PHONE: Final = "phone"
"""The page on which Tasks are declared."""


@dataclass(frozen=True, slots=True)
class OpenForm:
    """A character for whom a form is open: by whom, until when, and whether their page was live when it was touched."""

    name: str
    person: str
    until: float
    live: bool


def words_of_choosers(names: Iterable[str]) -> Phrase | str:
    """Who is choosing, as a sentence; empty for nobody."""
    short = [one if len(one) <= LONGEST else f"{one[: LONGEST - 1].rstrip()}…" for one in names]
    if not short:
        return ""
    if len(short) > MOST_NAMED or (len(short) > 1 and len(", ".join(short)) > TOGETHER):
        return say("{number} people are choosing Tasks.", number=len(short))
    if len(short) > 1:
        return say("Choosing Tasks: {names}.", names=joined_by(", ", short))
    return say("{who} is choosing a Task.", who=short[0])


class Choosing:
    """The choosers of one kiosk. Any thread may call, and waits for no page: pages are told by a thread of its own."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._telling = threading.Lock()
        self._choosers: dict[str, OpenForm] = {}
        self._holds: dict[str, object] = {}
        self._told: frozenset[tuple[str, str]] = frozenset()
        self._timer: threading.Timer | None = None
        self._due = 0.0
        self._hub: Hub | None = None

    def follow(self, hub: Hub) -> None:
        """Tell the pages of `hub`, and forget who closes theirs."""
        self._hub = hub
        hub.beside = self.part
        hub.left = self._left

    def close(self) -> None:
        """Tell nobody any more."""
        with self._lock:
            self._hub = None
            if self._timer is not None:
                self._timer.cancel()

    def touched(self, character_id: str, name: str, person: str, holds: object, *, opened: bool) -> None:
        """Somebody's form for that character is open and `holds` this; just `opened`, or asked for once more.

        A page asks for its open form again whenever the table changes: one that holds the same was not touched.
        """
        with self._lock:
            if not opened and self._holds.get(character_id) == holds:
                return
            self._holds[character_id] = holds
            until = self._clock.monotonic() + SECONDS
            is_new = character_id not in self._choosers
            self._choosers[character_id] = OpenForm(name, person, until, person in self._live())
            if is_new:
                self._wake(0.0)

    def turned(self, character_id: str, holds: object) -> None:
        """The open form for that character holds this because the gamemaster's dial was turned: that is no touch."""
        with self._lock:
            self._holds[character_id] = holds

    def decided(self, committed: Committed) -> None:
        """Forget whoever declared, or plays no longer; to be called after each commit."""
        players = {one.character_id for one in committed.present.table.characters if one.standing is Standing.PLAYER}
        with self._lock:
            gone = self._choosers.keys() - players
        for character_id in gone:
            self._forget(character_id)
        for event in committed.decision.events:
            if isinstance(event, TaskDeclared):
                self._forget(event.task.declaration.character_id)
            elif isinstance(event, LinedUp):
                self._forget(event.declaration.character_id)

    def closed(self, character_id: str, person: str) -> None:
        """A page of that person shows no form for that character: it is missed soon, unless it is there again."""
        with self._lock:
            one = self._choosers.get(character_id)
            if one is None or one.person != person:
                return
            self._choosers[character_id] = replace(one, until=min(one.until, self._clock.monotonic() + LOOK))
            self._holds.pop(character_id, None)
            self._wake(LOOK)

    def names(self, *, person: str = "", me: str = "") -> tuple[str, ...]:
        """Who is choosing, but for those of that person and `me`."""
        with self._lock:
            now = self._clock.monotonic()
            there = [(its_id, one) for its_id, one in self._choosers.items() if one.until > now]
        return tuple(one.name for its_id, one in there if its_id != me and not (person and one.person == person))

    def line(self, language: Language, *, person: str = "", me: str = "") -> str:
        """The words of the line, but for that person and `me`; empty where nobody else is choosing."""
        words = words_of_choosers(self.names(person=person, me=me))
        return words.rendered(page_catalog(language)) if isinstance(words, Phrase) else words

    def part(self, page: str, language: Language) -> bytes:
        """See `Hub.beside`: the line for the page of a stream, whose own choice is not told to it."""
        name, _, person, me = (page.split("/", 3) + [""] * 3)[:4]
        return encode({"choosing": self.line(language, person=person, me=me)} if name in SHOWN_ON else {})

    def sweep(self) -> None:
        """Forget whose time is over or whose page has gone, and tell the pages what has changed."""
        with self._lock:
            now, live = self._clock.monotonic(), self._live()
            self._timer = None
            gone = {its_id for its_id, one in self._choosers.items() if one.live and one.person not in live}
            for its_id in gone:
                self._holds.pop(its_id, None)  # a form that is opened again there is told again
            kept = {its_id: one for its_id, one in self._choosers.items() if one.until > now and its_id not in gone}
            self._choosers = kept
            if kept:
                self._wake(max(0.1, min(one.until for one in kept.values()) - now))
            hub = self._hub
        if hub is not None:
            self._tell(hub)

    def _tell(self, hub: Hub) -> None:
        with self._telling:
            with self._lock:
                now = frozenset((its_id, one.name) for its_id, one in self._choosers.items())
            if now != self._told:
                self._told = now
                hub.publish_beside()

    def _forget(self, character_id: str) -> None:
        """Somebody chooses no more; the same form, asked for once more by a page that is behind, is no touch."""
        with self._lock:
            if self._choosers.pop(character_id, None) is not None:
                self._wake(0.0)

    def _left(self) -> None:
        """A page went: it is missed soon."""
        with self._lock:
            if self._choosers:
                self._wake(LOOK)

    def _live(self) -> frozenset[str]:
        """The persons with a live page on which Tasks are declared; whoever decides for all is the empty one."""
        pages = self._hub.pages if self._hub is not None else ()
        return frozenset((one.split("/", 3) + [""] * 3)[2] for one in pages if one.startswith(_PHONE))

    def _wake(self, delay: float) -> None:
        """Sweep in that time at the latest. The lock is held."""
        due = self._clock.monotonic() + delay
        if self._hub is None or (self._timer is not None and self._due <= due):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._due, self._timer = due, threading.Timer(delay, self.sweep)
        self._timer.daemon = True
        self._timer.start()
