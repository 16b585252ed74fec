"""The session on paper: the journal as Markdown, CSV or JSON.

Enters: the journal. Leaves: text. Every decision is told in the words that were spoken for it; one that was undone is
still there, and says so.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import msgspec

from kiosk.ports import Entry, Journal
from kiosk.storage.wire import encode, event_json
from rules.game import Decision, DecisionRedone, DecisionUndone, SessionStarted, Table, history, narrate


@dataclass(frozen=True, slots=True)
class ExportedDecision:
    """One decision: its time (seconds since 1970, UTC), what it came to in words, and whether it still stands.

    `person` is what whoever decided is called; empty where it was nobody in particular.
    """

    decision: Decision
    time: float
    sentence: str
    stands: bool
    person: str = ""

    @property
    def when(self) -> str:
        """The moment in ISO 8601, UTC, to the second."""
        return datetime.fromtimestamp(self.time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def tell(journal: Journal, called: Callable[[str], str] = lambda _: "") -> tuple[tuple[ExportedDecision, ...], Table]:
    """Every decision of `journal` in words, and the table as it stands at its end.

    `called` says what the person with an id is called.
    """
    times = {entry.decision: entry.time for entry in _entries(journal)}
    past = history.begin()
    said: list[tuple[Decision, str]] = []
    undone: set[int] = set()
    for decision in journal.decisions():
        before = past.present
        past = history.evolve(past, decision)
        narration = narrate(before, decision.events, past.present)
        said.append((decision, narration.full if narration else ""))
        for event in decision.events:
            if isinstance(event, DecisionUndone):
                undone.add(event.decision)
            elif isinstance(event, DecisionRedone):
                undone.discard(event.decision)
    told = tuple(
        ExportedDecision(
            decision, times[decision.number], sentence, decision.number not in undone, called(decision.person)
        )
        for decision, sentence in said
    )
    return told, past.present


def as_markdown(told: tuple[ExportedDecision, ...], table: Table) -> str:
    """The evening as a person would keep it: the crew, the pools, and a line a decision."""
    lines = ["# Session log", ""]
    lines += [f"* Ruleset: {table.ruleset}", f"* Players: {_names(one.name for one in table.players)}"]
    lines += [f"* Characters: {_names(one.name for one in table.characters)}"]
    lines += [f"* At the end: {table.momentum} Momentum, {table.threat} Threat", ""]
    for one in told:
        if any(isinstance(event, SessionStarted) for event in one.decision.events):
            lines += [f"## From {one.when}", ""]
        if one.sentence:
            sentence = _plain(one.sentence)
            whose = f" (by {_plain(one.person)})" if one.person else ""
            lines.append(f"* {one.when[11:16]} " + (sentence if one.stands else f"~~{sentence}~~ (undone)") + whose)
    return "\n".join(lines) + "\n"


def as_csv(told: tuple[ExportedDecision, ...], table: Table) -> str:  # noqa: ARG001 - one form for all three
    """A row a decision. A field that a spreadsheet would take for a formula begins with an apostrophe."""
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(("decision", "time", "by", "command", "stands", "sentence", "person"))
    for one in told:
        decision = one.decision
        stands = str(one.stands).lower()
        said = (one.sentence, one.person)
        fields = (str(decision.number), one.when, decision.by, decision.command, stands, *said)
        rows.writerow([f"'{field}" if field[:1] in _FORMULA else field for field in fields])
    return out.getvalue()


def as_json(told: tuple[ExportedDecision, ...], table: Table) -> str:
    """Everything: each decision with its events in the form of the API, and the table at the end."""
    decisions = [
        {
            "decision": one.decision.number,
            "time": one.when,
            "by": one.decision.by,
            "person": one.person,
            "command": one.decision.command,
            "stands": one.stands,
            "sentence": one.sentence,
            "events": [msgspec.Raw(event_json(event)) for event in one.decision.events],
        }
        for one in told
    ]
    return encode({"table": table, "decisions": decisions}).decode() + "\n"


FORMS: Final[dict[str, Callable[[tuple[ExportedDecision, ...], Table], str]]] = {
    "markdown": as_markdown,
    "csv": as_csv,
    "json": as_json,
}
"""The forms by the name that `--format` takes."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_PAGE: Final = 1000
"""Events read from the journal at a time."""
_MARKED: Final = str.maketrans({char: f"\\{char}" for char in "\\`*_{}[]<>#|~&"})


def _plain(text: str) -> str:
    """`text` on one line, with what Markdown would take for marks or HTML made harmless."""
    return " ".join(text.split()).translate(_MARKED)


def _names(names: Iterable[str]) -> str:
    return ", ".join(_plain(name) for name in names) or "none"


def _entries(journal: Journal) -> Iterator[Entry]:
    after = 0
    while page := journal.entries(after=after, limit=_PAGE):
        yield from page
        after = page[-1].sequence
