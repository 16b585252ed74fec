"""Plays journals and keeps them: the tests of the rules, the stories and courses of play by seed, as the game is now.

Whatever is decided and taken in while something is played is seen here, for `decide` and `evolve` of the history are
watched. Of the many plays of the tests those are kept that show what no other kept one shows.
"""

from __future__ import annotations

import json
import lzma
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pytest

from kiosk.storage.journal import open_journal
from rules.words import Phrase
from rules.words import Said as Template
from tests.recorded import game
from tests.recorded.game import Command, Decision, Event, Hashing, History, Table
from tests.recorded.kept import FOLDER, FORM_2, Journal, Kept, changed, write

STORIES: Final = "tests/stories"
SUBJECTS: Final = "tests/rules"
LEFT_OUT: Final = "not properties and not True"
"""Tests that play at random, and stories told a second time with restarts."""

MOST_DECISIONS: Final = 2200
"""How many decisions of the tests are kept, beside the stories and the plays by seed."""

FILES: Final = tuple(f"ship_duel, {ruleset}, seed 11" for ruleset in ("starter", "core-1e", "second-edition"))
"""The courses of play that are kept as the kiosk's own files too, each named for its ruleset."""

PEOPLE: Final = ("gamemaster", "player", "kiosk")
"""Who sends commands; readings come from their sources."""

START: Final = 1_700_000_000.0
"""When the journals in the kiosk's own form begin; a decision is made each second."""


@dataclass(frozen=True, slots=True)
class Made:
    """A decision as it was taken in, and where it led."""

    before: History
    decision: Decision
    after: History
    command: Command | None
    where: str


@dataclass
class Watch:
    """All that was decided and taken in."""

    made: dict[int, Made] = field(default_factory=dict)
    asked: dict[int, tuple[tuple[Event, ...], Command]] = field(default_factory=dict)
    branched: set[int] = field(default_factory=set)

    def leaves(self) -> Iterator[Made]:
        """The last decision of each course of play."""
        return (one for key, one in self.made.items() if key not in self.branched)

    def course(self, last: Made | None) -> list[Made] | None:
        """The decisions that led to `last` from the empty table on; None where the play began elsewhere."""
        course: list[Made] = []
        while last is not None:
            course.append(last)
            begun = last.before
            last = self.made.get(id(begun))
        empty = course and course[-1].before == game.history.begin()
        return course[::-1] if empty else None


@contextmanager
def watched() -> Iterator[Watch]:
    """Record the history's `decide` and `evolve`. Start it before tests are imported."""
    watch, decide, evolve = Watch(), game.history.decide, game.history.evolve

    def seen_decide(history: History, command: Command) -> tuple[Event, ...]:
        events = decide(history, command)
        if events:  # no events are the same object each time
            watch.asked[id(events)] = events, command
        return events

    def seen_evolve(history: History, decision: Decision) -> History:
        after = evolve(history, decision)
        command = watch.asked.get(id(decision.events), (None, None))[1]
        where = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
        watch.made[id(after)] = Made(history, decision, after, command, where)
        watch.branched.add(id(history))
        return after

    patch = pytest.MonkeyPatch()
    patch.setattr(game.history, "decide", seen_decide)
    patch.setattr(game.history, "evolve", seen_evolve)
    try:
        yield watch
    finally:
        patch.undo()


# --- what is kept -------------------------------------------------------------------------------------------------


def kept_of(name: str, course: Sequence[tuple[Decision, Command | None]]) -> Journal:
    """A course of play with what each of its decisions led to, live and as its journal gives it back."""
    hashing = Hashing()
    live = again = game.history.begin()
    state: dict[str, str] = {}
    kept = []
    for decision, command in course:
        texts = tuple(game.event_raw(event) for event in decision.events)
        read = replace(decision, events=tuple(game.event_of(text) for text in texts))
        live, live_before = game.history.evolve(live, decision), live.present
        again, again_before = game.history.evolve(again, read), again.present
        after = hashing.of(live.present)
        if after != hashing.of(again.present):
            raise ValueError(f"{name}: the journal of decision {decision.number} gives another table back")
        heard = game.said(live_before, decision.events, live.present) or (None, None)
        told = game.said(again_before, read.events, again.present) or (None, None)
        if heard != told:
            raise ValueError(f"{name}: decision {decision.number} is told otherwise from the journal")
        kept.append(
            Kept(
                number=decision.number,
                by=decision.by,
                name=decision.command,
                command=None if command is None else game.command_raw(command),
                events=texts,
                state=changed(state, after),
                english=heard[0],
                german=heard[1],
            )
        )
        state = after
    return Journal(name, tuple(kept))


def _said(course: Sequence[Made]) -> list[tuple[Decision, Command | None]]:
    """A course of play with somebody who sent each command: tests have nobody."""
    return [(replace(one.decision, by=_by(one)), one.command) for one in course]


def _by(one: Made) -> str:
    reading = getattr(one.command, "reading", None)
    return str(reading.source.value) if reading is not None else PEOPLE[one.decision.number % len(PEOPLE)]


def features_of(course: Sequence[Made]) -> set[tuple[str, ...]]:
    """What a course of play shows: its commands, its events by ruleset, and the sentences that are said."""
    found: set[tuple[str, ...]] = set()
    for one in course:
        table = one.after.present
        if one.command is not None:
            found.add(("command", game.name_of(one.command), table.ruleset.value))
        found |= {("event", game.name_of(event), table.ruleset.value) for event in one.decision.events}
        found |= {("says", template) for template in _templates(one.before.present, one.decision.events, table)}
    return found


def _templates(before: Table, events: tuple[Event, ...], after: Table) -> set[str]:
    told = game.narrate(before, events, after)
    found: set[str] = set()
    left: list[Any] = [] if told is None else [told.full, told.terse]
    while left:
        one = left.pop()
        if isinstance(one, Template):
            found.add(one.template)
        if isinstance(one, Phrase):
            left += one.inside()
            left += [getattr(one, "words", "")]
    return found


def chosen(courses: dict[str, list[Made]], shown: set[tuple[str, ...]], most: int) -> Iterator[tuple[str, list[Made]]]:
    """Of `courses` those that show most that was not shown, for their length, until they hold `most` decisions."""
    left = {name: features_of(course) - shown for name, course in courses.items()}
    while most > 0 and left:
        best = max(left, key=lambda name: (len(left[name]) / (len(courses[name]) + 5), name))
        new = left.pop(best)
        if not new:
            return
        yield best, courses[best]
        most -= len(courses[best])
        left = {name: rest - new for name, rest in left.items()}


def tests_played(watch: Watch, folder: str) -> dict[str, list[Made]]:
    """The courses that the tests of `folder` play, the longest of each test under its name."""
    seen = set(watch.made)
    if pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-k", LEFT_OUT, folder]) != pytest.ExitCode.OK:
        raise SystemExit(f"The tests of {folder} fail: what does not hold is not recorded.")
    courses: dict[str, list[Made]] = {}
    for leaf in watch.leaves():
        if id(leaf.after) in seen or (course := watch.course(leaf)) is None:
            continue
        name = leaf.where
        while name in courses and len(courses[name]) != len(course):
            name += "'"
        courses[name] = course
    return courses


def record() -> None:
    """Play everything and keep it in `journals/`; say which commands and events nothing showed."""
    with watched() as watch:
        from tests.recorded.plays import all_played, scripted  # noqa: PLC0415  # what plays must be imported watched

        written = {name: watch.course(watch.made[id(end)]) or [] for name, end in scripted()}
        by_seed = {name: watch.course(watch.made[id(end)]) or [] for name, end in all_played()}
        stories = tests_played(watch, STORIES)
        subjects = tests_played(watch, SUBJECTS)
    shown: set[tuple[str, ...]] = set().union(
        *(features_of(course) for course in (*written.values(), *by_seed.values(), *stories.values()))
    )
    picked = dict(chosen(subjects, shown, MOST_DECISIONS))
    shown |= set().union(*(features_of(course) for course in picked.values()))
    FOLDER.mkdir(exist_ok=True)
    for title, courses in (("scripted", written), ("seeds", by_seed), ("stories", stories), ("subjects", picked)):
        keep(title, courses)
    keep_files({name: _said(by_seed[name]) for name in FILES})
    commands = {one[1] for one in shown if one[0] == "command"}
    events = {one[1] for one in shown if one[0] == "event"}
    sys.stdout.write(f"commands that nothing shows: {sorted(game.COMMANDS.keys() - commands)}\n")
    sys.stdout.write(f"events that nothing shows: {sorted(game.EVENTS.keys() - events)}\n")


def record_scripted() -> None:
    """Play anew what is written out, and keep that alone: no other journal changes."""
    with watched() as watch:
        from tests.recorded.plays import scripted  # noqa: PLC0415  # what plays must be imported watched

        keep("scripted", {name: watch.course(watch.made[id(end)]) or [] for name, end in scripted()})


def keep(title: str, courses: Mapping[str, Sequence[Made]]) -> None:
    """Keep courses of play in one file of `journals/`."""
    write(FOLDER / f"{title}.jsonl.xz", [kept_of(name, _said(course)) for name, course in courses.items()])


def keep_older(paths: Sequence[Path]) -> None:
    """Keep the journals of older forms with what their events lead to now.

    Each was made by the code of the commit that its name begins with: tests of that commit were played, and their
    events written as that commit's journal wrote them. `paths` are files of JSON lines: one with the journal's name,
    then one a decision with its number, who sent it, its command's name and its events.
    """
    journals = []
    for path in paths:
        blocks: list[tuple[str, list[dict[str, Any]]]] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if "journal" in row:
                blocks.append((row["journal"], []))
            else:
                blocks[-1][1].append(row)
        journals += [_older(name, rows) for name, rows in blocks]
    write(FOLDER / "older.jsonl.xz", journals)


def _older(name: str, rows: Sequence[dict[str, Any]]) -> Journal:
    """A journal with its events as they were written, not as they would be written now."""
    course = [
        Decision(number=row["n"], by=row["by"], command=row["name"], events=tuple(map(game.event_of, row["events"])))
        for row in rows
    ]
    journal = kept_of(name, [(one, None) for one in course])
    pairs = zip(journal.decisions, rows, strict=True)
    return replace(journal, decisions=tuple(replace(one, events=tuple(row["events"])) for one, row in pairs))


class Ticking:
    """A clock that a decision takes a second of."""

    def __init__(self) -> None:
        self._now = START

    def now(self) -> float:
        """The next second."""
        self._now += 1
        return self._now

    def monotonic(self) -> float:
        """The same seconds."""
        return self.now()


def keep_files(courses: Mapping[str, Sequence[tuple[Decision, Command | None]]]) -> None:
    """Courses of play in the present form of the kiosk's own file, with what they lead to."""
    FORM_2.mkdir(exist_ok=True)
    write(FORM_2 / "seeds.jsonl.xz", [kept_of(name, course) for name, course in courses.items()])
    for name, course in courses.items():
        keep_as_file(FORM_2 / f"{name.split(', ')[1]}.sqlite.xz", [one for one, _ in course])


def keep_as_file(path: Path, course: Sequence[Decision]) -> None:
    """A course of play in the form in which the kiosk keeps it, compressed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "journal.sqlite"
        opened = open_journal(file, Ticking())
        for one in course:
            opened.append(one, f"recorded-{one.number}" if one.number % 3 else None)
        opened.close()
        path.write_bytes(lzma.compress(file.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
