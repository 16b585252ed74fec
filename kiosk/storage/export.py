"""Exports the session: the journal as Markdown, CSV or JSON. In: the journal.

Out: text, written as it is made, and from JSON the same journal again. Every decision is told in the words that were
spoken for it; one that was undone is still there, and says so.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import Annotated, Final, Protocol, TextIO

import msgspec
from msgspec import Meta

from kiosk.errors import KioskError, WireError
from kiosk.storage.typed_text import harmless, visible_in
from kiosk.storage.wire import PHRASE_HEAD, encode, event_json, event_of, kept_event
from rules.game import Decision, History, SessionStarted, history, narrate


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
    key: str | None = None

    @property
    def when(self) -> str:
        """The moment in ISO 8601, UTC, to the second."""
        return f"{datetime.fromtimestamp(self.time, UTC).replace(microsecond=0, tzinfo=None).isoformat()}Z"


class ReadJournal(Protocol):
    """The part of a journal that an export needs."""

    def dated(self) -> Iterator[tuple[Decision, float, str | None]]:
        """Every decision in order, with its time (seconds since 1970, UTC) and its idempotency key."""

    def taken_back(self) -> frozenset[int]:
        """The decisions that are undone at the end."""


Called = Callable[[str], str]
"""Returns the name of the person with an id; empty for nobody."""

LATEST: Final = 253_402_300_800
"""The end of the year 9999, in seconds since 1970-01-01 UTC: later is no date."""

FIRST_LINE: Final = '{"decisions":['
"""How an export as JSON begins; a decision a line follows, then the table."""


def write_export(journal: ReadJournal, form: str, out: TextIO, called: Called = lambda _: "") -> None:
    """Write every decision of `journal` to `out` in a form of `FORMS`, one after the other, whatever their number."""
    told = _ToldDecisions(journal, called)
    FORMS[form](told, out)


class _ToldDecisions:
    """Every decision in words, once; `table` is the one at the end, after that."""

    def __init__(self, journal: ReadJournal, called: Called) -> None:
        self._journal = journal
        self._called = called
        self.table = history.begin().present

    def __iter__(self) -> Iterator[ExportedDecision]:
        undone = self._journal.taken_back()
        past, gap = history.begin(), False
        for decision, time, key in self._journal.dated():
            before = past.present
            gap = gap or decision.number != past.next_decision
            past, followed = history.follow(past, decision, gap=gap)
            narration = narrate(before, decision.events, past.present) if followed else None
            yield ExportedDecision(
                decision,
                time,
                narration.full if narration else "",
                decision.number not in undone,
                self._called(decision.person),
                key,
            )
        self.table = past.present


def _as_markdown(told: _ToldDecisions, out: TextIO) -> None:
    """Write the evening for people: the crew, the pools, and a line a decision under its date (UTC)."""
    with TemporaryFile("w+", encoding="utf-8") as body:
        date = ""
        for one in told:
            started = any(isinstance(event, SessionStarted) for event in one.decision.events)
            begins = started or (bool(one.sentence) and not date)  # a day stands under an evening, the first one too
            if begins or (one.sentence and one.when[:10] != date):
                date = one.when[:10]
                body.write(f"## From {one.when}\n\n" if begins else f"### {date}\n\n")
            if one.sentence:
                sentence = _plain(one.sentence)
                whose = f" (by {_plain(one.person)})" if one.person else ""
                told_now = sentence if one.stands else f"~~{sentence}~~ (undone)"
                body.write(f"* {one.when[11:16]} {told_now}{whose}\n")
        table = told.table
        out.write(f"# Session log\n\n* Ruleset: {table.ruleset}\n")
        out.write(f"* Players: {_names(one.name for one in table.players)}\n")
        out.write(f"* Characters: {_names(one.name for one in table.characters)}\n")
        out.write(f"* At the end: {table.momentum} Momentum, {table.threat} Threat\n\n")
        body.seek(0)
        shutil.copyfileobj(body, out)


def _as_csv(told: _ToldDecisions, out: TextIO) -> None:
    """Write a row a decision. A field that a spreadsheet would treat as a formula begins with an apostrophe."""
    rows = csv.writer(out)
    rows.writerow(("decision", "time", "by", "command", "stands", "sentence", "person"))
    for one in told:
        decision = one.decision
        stands = str(one.stands).lower()
        said = (one.sentence, one.person)
        fields = (str(decision.number), one.when, decision.by, decision.command, stands, *said)
        rows.writerow([f"'{field}" if field[:1] in _FORMULA else field for field in fields])


def _as_json(told: _ToldDecisions, out: TextIO) -> None:
    """Everything: each decision with its events in the form of the API, and the table at the end.

    `kept` stands beside events that the journal keeps otherwise. `brought_in` makes the same journal of it.
    """
    out.write(f"{FIRST_LINE}\n")
    before = ""
    for one in told:
        decision = one.decision
        kept = [kept_event(event) for event in decision.events]
        sent = [
            event_json(event).decode() if PHRASE_HEAD in one else one
            for event, one in zip(decision.events, kept, strict=True)
        ]
        line: dict[str, object] = {
            "decision": decision.number,
            "time": one.when,
            "at": one.time,
            "by": decision.by,
            "person": one.person,
            "person_id": decision.person,
            "command": decision.command,
            "key": one.key,
            "stands": one.stands,
            "sentence": one.sentence,
            "events": [msgspec.Raw(event) for event in sent],
        }
        if kept != sent:
            line["kept"] = [msgspec.Raw(event) for event in kept]
        out.write(f"{before}{encode(line).decode()}")
        before = ",\n"
    out.write(f'\n],"table":{encode(told.table).decode()}}}\n')


FORMS: Final[dict[str, Callable[[_ToldDecisions, TextIO], None]]] = {
    "markdown": _as_markdown,
    "csv": _as_csv,
    "json": _as_json,
}
"""The forms by the name that `--format` takes."""


class _ExportLine(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of an export as it is read again."""

    decision: Annotated[int, Meta(ge=1, lt=(1 << 63) - 1)]
    at: Annotated[float, Meta(ge=0, lt=LATEST)]
    by: str
    person_id: str
    command: str
    key: str | None = None
    events: tuple[msgspec.Raw, ...]
    kept: tuple[msgspec.Raw, ...] = ()


def brought_in(lines: Iterable[str]) -> Iterator[tuple[Decision, float, str | None]]:
    """The decisions of an export as JSON, a line each as `write_export` wrote them, with times and keys.

    Raises `ExportError` for anything else.
    """
    numbered = enumerate(lines, start=1)
    last, past, gap = 0, history.begin(), False
    if next(numbered, (0, ""))[1].rstrip() != FIRST_LINE:
        raise ExportError("This is no export as JSON. Make one with: trueroll export --json --output FILE")
    for number, line in numbered:
        if line.startswith("]"):
            return
        try:
            one = msgspec.json.decode(line.rstrip().removesuffix(","), type=_ExportLine)
            events = tuple(event_of(_harmless(bytes(event))) for event in one.kept or one.events)
        except (msgspec.MsgspecError, WireError, ValueError, RecursionError) as error:
            raise ExportError(f"Line {number} of the export cannot be read: {error}.") from error
        if events:
            decision = Decision(
                number=one.decision, by=one.by, command=one.command, events=events, person=one.person_id
            )
            if decision.number <= last:
                raise ExportError(f"Line {number} of the export is out of order. Make it anew.")
            last = decision.number
            gap = gap or decision.number != past.next_decision
            past = _followed(past, decision, number, gap=gap)
            yield decision, one.at, one.key
    raise ExportError("The export ends before its end: it was cut off. Make it anew.")


def _harmless(event: bytes) -> bytes:
    """An event without control characters in its texts: somebody may have written them into the file.

    What people type at the table has none; a name that 0.1.0 took may. Almost all events have neither those nor an
    escape that could stand for one.
    """
    if b"\\" not in event and event.decode().isprintable():
        return event
    return msgspec.json.encode(visible_in(msgspec.json.decode(event), harmless))


def _followed(past: History, decision: Decision, line: int, *, gap: bool) -> History:
    """The table after that decision, as the kiosk would read it at its start. Raises `ExportError`."""
    try:
        return history.follow(past, decision, gap=gap)[0]
    except Exception as error:
        raise ExportError(f"Line {line} of the export cannot be followed: it is of other rules than these.") from error


class ExportError(KioskError):
    """An export that cannot be imported; nothing of it was."""


_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""The first characters of a field that a spreadsheet would treat as a formula."""
_MARKED: Final = str.maketrans({char: f"\\{char}" for char in "\\`*_{}[]<>#|~&"})
"""Characters with a meaning in Markdown or HTML, each with a backslash before it."""


def _plain(text: str) -> str:
    """`text` on one line, with what Markdown would take for marks or HTML made harmless."""
    return " ".join(text.split()).translate(_MARKED)


def _names(names: Iterable[str]) -> str:
    return ", ".join(_plain(name) for name in names) or "none"
