"""Replays a recorded journal against the game as it is, and says where the first difference lies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.recorded import game
from tests.recorded.excuses import Excuse, Mended, put_right, refused_as
from tests.recorded.game import Decision, Event, Hashes, Hashing, History, Words
from tests.recorded.kept import Journal, Kept, applied

JOINED: Final[Mapping[str, str]] = {
    "ship_state_changed": "state",
    "body_changed": "body",
    "conflict_changed": "conflict",
    "attack_changed": "attack",
    "agenda_changed": "steps",
}
"""Events that stood beside another one when the journals were recorded, and the field in which that one has it now."""


ENGLISH: Final = "English"
GERMAN: Final = "German"
LANGUAGES: Final = (ENGLISH, GERMAN)
"""The languages of the recordings."""


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Words of recordings that are said otherwise since form 2 of the journal, and in which decisions.

    Names that people of the plays typed are translated no more. Some reasons of the program are that stayed English:
    where `live`, only as a command is decided anew, for a journal of form 1 has them as finished sentences.
    """

    was: str
    now: str
    decisions: Mapping[str, frozenset[int]]
    live: bool = False
    language: str = GERMAN


SAID_OTHERWISE: Final = msgspec.json.decode(
    (Path(__file__).parent / "said_otherwise.json").read_bytes(), type=tuple[Otherwise, ...], strict=False
)
"""All of them. In every other decision the words are as they were recorded."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What is first found to be other than recorded."""

    journal: str
    number: int
    name: str
    what: str

    def __str__(self) -> str:
        return f"{self.journal}: decision {self.number}, {self.name}: {self.what}"


def read_back(journal: Journal) -> Iterator[Decision]:
    """The decisions of `journal` with their events as the game reads them now."""
    decided = game.events_of([one.events for one in journal.decisions])
    return (_decision(one, events) for one, events in zip(journal.decisions, decided, strict=True))


def folded_differs(journal: Journal, decisions: Iterable[Decision]) -> Difference | None:
    """The first difference where `journal` as it was read back is folded; None where all is one."""
    hashing, at, state = Hashing(), game.history.begin(), Hashes()
    for one, decision in zip(journal.decisions, decisions, strict=True):
        before, at = at, game.history.evolve(at, decision)
        state = applied(state, one.state)
        told = game.said(before.present, decision.events, at.present) or (None, None)
        what = _who(one, decision) or _table(state, hashing.of(at.present))
        for language, now in zip(LANGUAGES, told, strict=True):
            what = what or _told(language, _recorded(journal, one, language, live=False), now)
        if what:
            return Difference(journal.name, one.number, one.name, what)
    return None


def decided_differs(journal: Journal, mended: Sequence[Mended]) -> Difference | None:
    """The first difference where the kept commands are decided anew; None where all is as recorded.

    A decision for which no command was kept is folded. So is one that `mended` excuses, after its present result was
    compared with its excuse.
    """
    excuses = {number: (row.rule, one) for row in mended for number, one in row.decisions.get(journal.name, {}).items()}
    for step in steps_of(journal):
        if step.one.number in excuses:
            rule, excuse = excuses[step.one.number]
            found = excused(step, excuse.sent)
            if not found.needed:
                what = f"is decided as recorded, and needs no excuse by {rule}"
            else:
                what = "" if found == excuse else f"is excused by {rule} as {excuse}, and is {found}"
        else:
            try:
                what = next((str(apart) for apart in step.decided(step.one.command)), "")
            except game.Refusal as refusal:
                what = f"is refused now: {refusal}"
        if what:
            return Difference(journal.name, step.one.number, step.one.name, what)
    return None


@dataclass(frozen=True, slots=True)
class Apart:
    """One thing that is other than recorded: where, as `now` of an excuse names it, and in words."""

    place: str
    now: Any
    what: str

    def __str__(self) -> str:
        return self.what


@dataclass(frozen=True, slots=True)
class Step:
    """A decision of a journal, where it is made."""

    journal: Journal
    one: Kept
    events: tuple[Event, ...]
    before: History
    state: Hashes
    hashing: Hashing

    def decided(self, command: Mapping[str, Any] | None) -> Iterator[Apart]:
        """The difference between the result of `command` and the recorded one; empty without a command. The result of
        the same events is checked by folding a journal. Raises `Refusal` where the game refuses it.
        """
        events = self.events if command is None else game.history.decide(self.before, game.command_of(command))
        return self._apart(events, live=command is not None)

    def _apart(self, events: tuple[Event, ...], *, live: bool) -> Iterator[Apart]:
        if [*map(game.event_raw, events)] == [*map(game.event_raw, self.events)]:
            return
        after = game.history.evolve(self.before, _decision(self.one, events))
        told = game.said(self.before.present, events, after.present) or (None, None)
        yield from _stream(self.events, events)
        found = self.hashing.of(after.present)
        if table := _table(self.state, found):
            yield Apart("table", _other(self.state, found), table)
        for language, now in zip(LANGUAGES, told, strict=True):
            if words := _told(language, _recorded(self.journal, self.one, language, live=live), now):
                yield Apart(language, now, words)


def steps_of(journal: Journal) -> Iterator[Step]:
    """The decisions of `journal`, each where the recorded events before it lead to."""
    hashing, at, state = Hashing(), game.history.begin(), Hashes()
    for one, kept in zip(journal.decisions, read_back(journal), strict=True):
        state = applied(state, one.state)
        yield Step(journal, one, kept.events, at, state, hashing)
        at = game.history.evolve(at, kept)


def excused(step: Step, sent: Mapping[str, Any]) -> Excuse:
    """The present result of a recorded command, and of the one changed by `sent` if it is refused."""
    command = step.one.command
    try:
        return Excuse(now=_now(step.decided(command)))
    except game.Refusal as refusal:
        refused = refused_as(refusal)
    if command is None or not sent:
        return Excuse(refused=refused)
    try:
        now = _now(step.decided(put_right(command, sent)))
    except game.Refusal as refusal:
        now = {"refused": list(refused_as(refusal))}
    return Excuse(refused=refused, sent=dict(sent), now=now)


def _now(apart: Iterable[Apart]) -> dict[str, Any]:
    return {one.place: one.now for one in apart}


def _decision(one: Kept, events: tuple[Event, ...]) -> Decision:
    return Decision(number=one.number, by=one.by, command=one.name, events=events)


def _stream(kept: tuple[Event, ...], events: tuple[Event, ...]) -> Iterator[Apart]:
    """How two event streams differ, but for events that are joined now."""
    if kept == events:
        return
    names, kept_names = [[game.name_of(one) for one in row if not _joined(one)] for row in (events, kept)]
    if names != kept_names:
        now = [{game.name_of(one): game.plain(one)} for one in events if not _joined(one)]
        yield Apart("events", now, f"the events were {kept_names}, are {names}")
        return
    apart = [(game.name_of(one), game.plain(one)) for one in kept if _joined(one)]
    for one in filter(_joined, events):
        if (game.name_of(one), game.plain(one)) not in apart:
            yield Apart(game.name_of(one), game.plain(one), f"the event {game.name_of(one)} was not recorded so")
    carried = {field: [told.get(field) for name, told in apart if JOINED[name] == field] for field in JOINED.values()}
    pairs = zip((one for one in kept if not _joined(one)), (one for one in events if not _joined(one)), strict=True)
    for number, (old, new) in enumerate(pairs):
        before, after = game.plain(old), game.plain(new)
        for field in JOINED.values():
            if field not in before and after.get(field) in carried[field]:
                after.pop(field, None)
        for place, was, now in _differing(before, after):
            told = f"the event {names[number]}: {place} was {json.dumps(was)}, is {json.dumps(now)}"
            yield Apart(f"{number} {names[number]}{place.removeprefix('$')}", now, told)


def _joined(event: Event) -> bool:
    return game.name_of(event) in JOINED


def _who(one: Kept, found: Decision) -> str:
    recorded = _decision(one, found.events)
    return "" if found == recorded else f"was decision {recorded.number} by {recorded.by}, {recorded.command}"


def _table(recorded: Hashes, found: Hashes) -> str:
    other = _other(recorded, found)
    return f"the table differs in: {', '.join(other)}" if other else ""


def _other(recorded: Hashes, found: Hashes) -> list[str]:
    return [name for name in sorted(recorded | found) if recorded.get(name) != found.get(name)]


def _told(language: str, recorded: Words | None, found: Words | None) -> str:
    return "" if recorded == found else f"{language}: was {recorded}, is {found}"


def _recorded(journal: Journal, one: Kept, language: str, *, live: bool) -> Words | None:
    """What was recorded in a language, with what is meant to be said otherwise."""
    words = one.english if language == ENGLISH else one.german
    for row in SAID_OTHERWISE:
        here = row.language == language and one.number in row.decisions.get(journal.name, ())
        if words is not None and here and (live or not row.live):
            words = [re.sub(rf"\b{row.was}\b", row.now, each) if isinstance(each, str) else each for each in words]
    return words


def _differing(old: Any, new: Any, place: str = "$") -> Iterator[tuple[str, Any, Any]]:  # noqa: ANN401 - what JSON holds
    """Where two values of JSON differ, and what either is there."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from _differing(old.get(key), new.get(key), f"{place}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _differing(one, other, f"{place}[{number}]")
    elif old != new:
        yield place, old, new
