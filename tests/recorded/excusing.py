"""Writes the present results of recorded commands that a mended rule decides differently: `python -m tests.recorded
excuse`.

Of a command that is refused it leaves out what is refused, a field at a time, until it is decided. What a person wrote
as `sent` stays as long as it is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from tests.recorded.excuses import Excuse, Mended
from tests.recorded.game import OutOfRangeError
from tests.recorded.kept import Journal
from tests.recorded.replaying import Step, excused, steps_of

WHO_DOES_WHAT: Final = frozenset({"command", "character_id", "name", "scope"})
"""Fields without which it would be another command."""


def excused_anew(rows: Sequence[Mended], journals: Iterable[Journal]) -> tuple[Mended, ...]:
    """`rows` with each excuse as it is today; one that is needed no more is left out."""
    asked = {
        (name, number): one.sent
        for row in rows
        for name, excuses in row.decisions.items()
        for number, one in excuses.items()
    }
    names = {name for name, _ in asked}
    found = {
        (journal.name, step.one.number): made
        for journal in journals
        if journal.name in names
        for step in steps_of(journal)
        if (sent := asked.get((journal.name, step.one.number))) is not None and (made := _excuse(step, sent)).needed
    }
    return tuple(
        Mended(
            row.rule,
            row.why,
            {
                name: {number: found[name, number] for number in excuses if (name, number) in found}
                for name, excuses in row.decisions.items()
            },
        )
        for row in rows
    )


def _excuse(step: Step, sent: Mapping[str, Any]) -> Excuse:
    as_it_is = excused(step, {})
    if as_it_is.refused is None or step.one.command is None:
        return as_it_is
    if sent and "refused" not in (kept := excused(step, sent)).now:
        return kept
    return _put_right(step, step.one.command) or as_it_is


def _put_right(step: Step, command: Mapping[str, Any]) -> Excuse | None:
    """Its result without the fewest fields for which it is refused; None if it stays refused."""
    reached = {frozenset[str](): excused(step, {}).refused}
    while reached:
        tried = {
            without | {field}: (found, refusal)
            for without, refusal in reached.items()
            for field in _fields(command)
            if field not in without and (found := _without(step, without | {field})) is not None
        }
        decided = [found for found, _ in tried.values() if found.now.keys().isdisjoint(("refused", "events"))]
        if decided:
            return min(decided, key=lambda found: len(found.now))
        reached = {
            without: now
            for without, (found, refusal) in tried.items()
            if "refused" in found.now and (now := tuple(found.now["refused"])) != refusal
        }
    return None


def _without(step: Step, fields: frozenset[str]) -> Excuse | None:
    """Its result without these fields; None if the game cannot read it then."""
    try:
        return excused(step, dict.fromkeys(sorted(fields)))
    except (OutOfRangeError, msgspec.ValidationError):
        return None


def _fields(command: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """The paths of the fields that say something, but for who does what."""
    for name, value in command.items():
        if isinstance(value, dict):
            yield from _fields(value, f"{place}{name}.")
        elif value and name not in WHO_DOES_WHAT:
            yield f"{place}{name}"
