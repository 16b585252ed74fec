"""Replays a recorded journal against the game as it is, and says where the first difference lies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.recorded import game
from tests.recorded.game import Decision, Event, Hashes, Hashing, History, Words
from tests.recorded.kept import Journal, Kept, applied

JOINED: Final[Mapping[str, str]] = {
    "ship_state_changed": "state",
    "body_changed": "body",
    "conflict_changed": "conflict",
    "attack_changed": "attack",
}
"""Events that stood beside another one when the journals were recorded, and the field in which that one has it now."""

MENDED: Final[Mapping[str, tuple[tuple[str, frozenset[int]], ...]]] = {
    # A reason that came as text is what somebody typed, and said in no other language.
    "C-75": tuple(
        (f"fight_on_foot, {ruleset}, seed 3", frozenset({47, 50}))
        for ruleset in ("starter", "core-1e", "second-edition")
    ),
    # Create Trait is thrown with the department that was named, at every station.
    "S2E-6": (
        ("tests/rules/test_ships2e_rounds.py::test_officers_make_traits_rally_and_transport", frozenset({8})),
        ("tests/rules/test_ships2e_play.py::test_every_chain_comes_to_its_end[17]", frozenset({10})),
    ),
    # Scan for Weakness and Targeting Solution name the ship that they count against.
    "S2E-X4": (("tests/rules/test_ships2e_stations.py::test_a_weakness_may_pierce_instead", frozenset({8})),),
    "S2E-T3": (
        ("ship_duel, second-edition, seed 11", frozenset({14})),
        ("ship_duel, second-edition, seed 12", frozenset({21, 74})),
        ("ship_duel, second-edition, seed 14", frozenset({18, 27})),
    ),
    # Defensive Fire is of an energy weapon.
    "S2E-T4": (("ship_duel, second-edition, seed 12", frozenset({62})),),
    # A Task that was given and not taken yet fills the cap too.
    "C-8": (("ship_duel, second-edition, seed 12", frozenset({32})),),
    # Guard and the like answer no Opposed Task.
    "OPP-1": (
        ("evening, starter, seed 21", frozenset({29})),
        ("evening, core-1e, seed 21", frozenset({29})),
        ("evening, second-edition, seed 21", frozenset({29, 48})),
    ),
}
"""Decisions that a mended rule decides otherwise today, by that rule: their recorded events are folded as they are.

Each is a journal with the numbers of its decisions. One that is decided as it was recorded has no place here.
"""


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Words of German recordings that are said otherwise since form 2 of the journal, and in which decisions.

    Names that people of the plays typed are translated no more. Some reasons of the program are that stayed English:
    where `live`, only as a command is decided anew, for a journal of form 1 has them as finished sentences.
    """

    was: str
    now: str
    decisions: Mapping[str, frozenset[int]]
    live: bool = False


SAID_OTHERWISE: Final = msgspec.json.decode(
    (Path(__file__).parent / "said_otherwise.json").read_bytes(), type=tuple[Otherwise, ...], strict=False
)
"""All of them. In every other decision the German is as it was recorded."""


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
    return (_decision(one, tuple(game.event_of(text) for text in one.events)) for one in journal.decisions)


def folded_differs(journal: Journal, decisions: Iterable[Decision]) -> Difference | None:
    """The first difference where `journal` as it was read back is folded; None where all is one."""
    hashing, at, state = Hashing(), game.history.begin(), Hashes()
    for one, decision in zip(journal.decisions, decisions, strict=True):
        before, at = at, game.history.evolve(at, decision)
        state = applied(state, one.state)
        told = game.said(before.present, decision.events, at.present) or (None, None)
        what = _who(one, decision) or _table(state, hashing.of(at.present)) or _told("English", one.english, told[0])
        what = what or _told("German", _german(journal, one, live=False), told[1])
        if what:
            return Difference(journal.name, one.number, one.name, what)
    return None


def decided_differs(journal: Journal) -> Difference | None:
    """The first difference where the kept commands are decided anew; None where all is as recorded.

    A decision for which no command was kept is folded, and so is one of `MENDED`, which has to be decided otherwise.
    """
    hashing, at, state = Hashing(), game.history.begin(), Hashes()
    mended = {number: rule for rule, rows in MENDED.items() for name, numbers in rows for number in numbers
              if name == journal.name}  # fmt: skip
    for one, kept in zip(journal.decisions, read_back(journal), strict=True):
        state = applied(state, one.state)
        what, after = _decided(journal, one, at, state, hashing)
        if one.number in mended:
            if not what:
                what = f"is decided as recorded, and needs no excuse by {mended[one.number]}"
                return Difference(journal.name, one.number, one.name, what)
            after = game.history.evolve(at, kept)
        elif what:
            return Difference(journal.name, one.number, one.name, what)
        at = after
    return None


def _decided(journal: Journal, one: Kept, at: History, state: Hashes, hashing: Hashing) -> tuple[str, History]:
    """How a kept command differs from what was recorded as it is decided anew, if it does, and what follows from it."""
    kept = tuple(game.event_of(text) for text in one.events)
    try:
        events = kept if one.command is None else game.history.decide(at, game.command_of(one.command))
    except game.Refusal as refusal:
        return f"is refused now: {refusal}", at
    after = game.history.evolve(at, _decision(one, events))
    told = game.said(at.present, events, after.present) or (None, None)
    what = _stream(kept, events) or _table(state, hashing.of(after.present))
    german = _german(journal, one, live=one.command is not None)
    return what or _told("English", one.english, told[0]) or _told("German", german, told[1]), after


def _decision(one: Kept, events: tuple[Event, ...]) -> Decision:
    return Decision(number=one.number, by=one.by, command=one.name, events=events)


def _stream(kept: tuple[Event, ...], events: tuple[Event, ...]) -> str:
    """How two event streams differ, but for events that are joined now."""
    if kept == events:
        return ""
    names, kept_names = [[game.name_of(one) for one in row if not _joined(one)] for row in (events, kept)]
    if names != kept_names:
        return f"the events were {kept_names}, are {names}"
    apart = [(game.name_of(one), game.plain(one)) for one in kept if _joined(one)]
    for one in filter(_joined, events):
        if (game.name_of(one), game.plain(one)) not in apart:
            return f"the event {game.name_of(one)} was not recorded so"
    carried = {field: [told.get(field) for name, told in apart if JOINED[name] == field] for field in JOINED.values()}
    pairs = zip((one for one in kept if not _joined(one)), (one for one in events if not _joined(one)), strict=True)
    for old, new in pairs:
        before, after = game.plain(old), game.plain(new)
        for field in JOINED.values():
            if field not in before and after.get(field) in carried[field]:
                after.pop(field, None)
        if told := _first(before, after):
            return f"the event {game.name_of(new)}: {told}"
    return ""


def _joined(event: Event) -> bool:
    return game.name_of(event) in JOINED


def _who(one: Kept, found: Decision) -> str:
    recorded = _decision(one, found.events)
    return "" if found == recorded else f"was decision {recorded.number} by {recorded.by}, {recorded.command}"


def _table(recorded: Hashes, found: Hashes) -> str:
    other = [name for name in sorted(recorded | found) if recorded.get(name) != found.get(name)]
    return f"the table differs in: {', '.join(other)}" if other else ""


def _told(language: str, recorded: Words | None, found: Words | None) -> str:
    return "" if recorded == found else f"{language}: was {recorded}, is {found}"


def _german(journal: Journal, one: Kept, *, live: bool) -> Words | None:
    """What was recorded in German, with what is meant to be said otherwise."""
    words = one.german
    for row in SAID_OTHERWISE:
        if words is not None and one.number in row.decisions.get(journal.name, ()) and (live or not row.live):
            words = [re.sub(rf"\b{row.was}\b", row.now, length) for length in words]
    return words


def _first(old: Any, new: Any, place: str = "$") -> str:  # noqa: ANN401  # what JSON holds
    """Where two values of JSON first differ; empty where they do not."""
    if isinstance(old, dict) and isinstance(new, dict):
        pairs: Iterator[tuple[str, Any, Any]] = (
            (f"{place}.{key}", old.get(key), new.get(key)) for key in sorted(old.keys() | new.keys())
        )
        return next((told for at, one, other in pairs if (told := _first(one, other, at))), "")
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        rows = enumerate(zip(old, new, strict=True))
        return next((told for at, (one, other) in rows if (told := _first(one, other, f"{place}[{at}]"))), "")
    return "" if old == new else f"{place} was {json.dumps(old)}, is {json.dumps(new)}"
