"""Who is choosing a Task, or an action of their Turn, on a player's page just now: told in one quiet line.

In: forms that somebody opens or changes, decisions, pages that go. Out: that line, for each page with it. It is kept
nowhere, and soon forgotten. It is no decision: nothing of it is in the journal or spoken, and it waits for no table
that is published.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from kiosk.clock import SystemClock
from kiosk.engine import Committed
from kiosk.hub import Hub
from kiosk.i18n.current import page_catalog
from kiosk.ports import Clock, Language
from kiosk.storage.wire import encode
from rules.game import LinedUp, Standing, TakeMinorAction, TaskDeclared, name_of
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

SHOWN_ON: Final = frozenset({"display", "phone", "fight", "gm"})
"""The pages that have the line, as `LivePage` names them."""

MOST_KEPT: Final = 256
"""Most forms whose content is remembered: far more than pages can be open."""

_Place = tuple[str, str]
"""A form: the character that it is for, and the page that it is open on; empty of a page without script."""


@dataclass(frozen=True, slots=True)
class OpenForm:
    """A form that is open for the character `name`: by whom, until when.

    `live` says whether its page was live when it was touched, `acts` whether it is an action's of their Turn.
    """

    name: str
    person: str
    until: float
    live: bool
    acts: bool = False


def words_of_choosers(names: Iterable[str], acting: int = 0) -> Phrase | str:
    """Who is choosing, as a sentence; empty for nobody. `acting` of them choose actions, the others Tasks."""
    short = [one if len(one) <= LONGEST else f"{one[: LONGEST - 1].rstrip()}…" for one in names]
    many = len(short) > MOST_NAMED or (len(short) > 1 and len(", ".join(short)) > TOGETHER)
    together = joined_by(", ", short)
    if not short:
        return ""
    if len(short) == 1:
        return (
            say("{who} is choosing an action.", who=together)
            if acting
            else say("{who} is choosing a Task.", who=together)
        )
    if acting:
        several = say("{number} people are choosing.", number=len(short))
        return several if many else say("Choosing: {names}.", names=together)
    several = say("{number} people are choosing Tasks.", number=len(short))
    return several if many else say("Choosing Tasks: {names}.", names=together)


def _newest(forms: Iterable[tuple[str, OpenForm]]) -> dict[str, OpenForm]:
    """By id, the form that was touched last; in the order of those that came first."""
    found: dict[str, OpenForm] = {}
    for its_id, one in forms:
        if its_id not in found or one.until >= found[its_id].until:
            found[its_id] = one
    return found


def _declared(events: Iterable[object]) -> Iterator[str]:
    """Who declared a Task with those events, for now or for later."""
    for event in events:
        if isinstance(event, TaskDeclared):
            yield event.task.declaration.character_id
        elif isinstance(event, LinedUp):
            yield event.declaration.character_id


class Choosing:
    """The choosers of one kiosk. Any thread may call, and waits for no page: pages are told by a thread of its own."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._telling = threading.Lock()
        self._choosers: dict[_Place, OpenForm] = {}
        self._holds: dict[_Place, object] = {}
        self._acts: set[_Place] = set()
        self._told: frozenset[tuple[str, str, bool, bool]] = frozenset()
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

    def touched(
        self,
        character_id: str,
        name: str,
        person: str,
        holds: object,
        *,
        opened: bool,
        tab: str = "",
        acts: bool = False,
    ) -> None:
        """Somebody's form for that character is open on the page `tab` and `holds` this; just `opened`, or asked for.

        A page asks for its open form again whenever the table changes: one that holds the same was not touched.
        """
        place = (character_id, tab)
        with self._lock:
            self._move_in(place, holds)
            if not opened and self._holds.get(place) == holds:
                return
            self._holds.pop(place, None)
            self._holds[place] = holds
            (self._acts.add if acts else self._acts.discard)(place)
            for oldest in [*self._holds][:-MOST_KEPT]:
                del self._holds[oldest]
                self._acts.discard(oldest)
            until = self._clock.monotonic() + SECONDS
            self._choosers[place] = OpenForm(name, person, until, tab in self._live(), acts)
            if self._news() != self._told:
                self._wake(0.0)

    def _move_in(self, place: _Place, holds: object) -> None:
        """The form that the page was loaded with is that page's as soon as it asks for the same. The lock is held."""
        first = (place[0], "")
        if not place[1] or first not in self._choosers or self._holds.get(first) != holds:
            return
        self._holds[place] = self._holds.pop(first)
        self._choosers[place] = replace(self._choosers.pop(first), live=place[1] in self._live())

    def turned(self, character_id: str, holds: object, tab: str = "") -> None:
        """The open form for that character holds this because the gamemaster's dial was turned: that is no touch."""
        with self._lock:
            self._holds[character_id, tab] = holds

    def decided(self, committed: Committed) -> None:
        """Forget whoever declared, acted, has no Turn any more or plays no longer; to be called after each commit."""
        table = committed.present.table
        players = {one.character_id for one in table.characters if one.standing is Standing.PLAYER}
        turn = table.conflict.turn if table.conflict is not None else None
        acting = {turn.combatant_id, turn.guest_id} if turn is not None else set[str]()
        acted = committed.decision.command == name_of(TakeMinorAction)
        declared = set(_declared(committed.decision.events))
        with self._lock:
            for place in [one for one in self._acts if acted or one[0] not in acting or one[0] in declared]:
                self._acts.discard(place)
                self._holds.pop(place, None)  # the same form is told again, in this Turn or in the next
            over = {
                its_id for (its_id, _), one in self._choosers.items() if one.acts and (acted or its_id not in acting)
            }
            gone = {its_id for its_id, _ in self._choosers} - players
        for character_id in gone | over | declared:
            self._forget(character_id)

    def closed(self, character_id: str, person: str, tab: str = "") -> None:
        """A page of that person shows no form for that character: it is missed soon, unless it is there again.

        Forms on their other pages stay. A page that is being loaded names no `tab`: it is another one.
        """
        with self._lock:
            soon = self._clock.monotonic() + LOOK
            if tab:
                self._holds.pop((character_id, tab), None)  # also where its time was over
            for place in ((character_id, tab), (character_id, "")):
                one = self._choosers.get(place)
                if one is not None and one.person == person:
                    self._choosers[place] = replace(one, until=min(one.until, soon))
                    self._holds.pop(place, None)
                    self._wake(LOOK)

    def choosers(self, *, person: str = "", me: str = "") -> dict[str, OpenForm]:
        """Who is choosing, by id, but for those of that person and `me`: of two forms, the one touched last."""
        with self._lock:
            now = self._clock.monotonic()
            there = [(its_id, one) for (its_id, _), one in self._choosers.items() if one.until > now]
        return _newest((its_id, one) for its_id, one in there if its_id != me and not (person and one.person == person))

    def line(self, language: Language, *, person: str = "", me: str = "") -> str:
        """The words of the line, but for that person and `me`; empty where nobody else is choosing."""
        found = self.choosers(person=person, me=me).values()
        words = words_of_choosers([one.name for one in found], sum(one.acts for one in found))
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
            gone = {place for place, one in self._choosers.items() if one.live and place[1] not in live}
            for place in gone:
                self._holds.pop(place, None)  # a form that is opened again there is told again
            kept = {place: one for place, one in self._choosers.items() if one.until > now and place not in gone}
            self._choosers = kept
            if kept:
                self._wake(max(0.1, min(one.until for one in kept.values()) - now))
            hub = self._hub
        if hub is not None:
            self._tell(hub)

    def _tell(self, hub: Hub) -> None:
        with self._telling:
            with self._lock:
                before, self._told = self._told, self._news()
                is_news = before != self._told
            if is_news:
                hub.publish_beside()

    def _news(self) -> frozenset[tuple[str, str, bool, bool]]:
        """What lines can differ by: each form's id, name and kind, and whether it is the newest. The lock is held."""
        newest = _newest((its_id, one) for (its_id, _), one in self._choosers.items())
        return frozenset(
            (its_id, one.name, one.acts, newest[its_id] is one) for (its_id, _), one in self._choosers.items()
        )

    def _forget(self, character_id: str) -> None:
        """Somebody chooses no more; the same form, asked for once more by a page that is behind, is no touch."""
        with self._lock:
            for place in [one for one in self._choosers if one[0] == character_id]:
                del self._choosers[place]
                self._wake(0.0)

    def _left(self) -> None:
        """A page went: it is missed soon."""
        with self._lock:
            if self._choosers:
                self._wake(LOOK)

    def _live(self) -> frozenset[str]:
        """The pages that are live, as each names itself."""
        return self._hub.tabs if self._hub is not None else frozenset()

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
