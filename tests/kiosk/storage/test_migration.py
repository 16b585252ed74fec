"""Journals of form 1 are read as they are, and brought to form 2 whole or not at all."""

from __future__ import annotations

import json
import logging
import lzma
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kiosk.engine import Engine
from kiosk.errors import JournalFullError
from kiosk.storage.journal import open_for_reading, open_journal
from kiosk.storage.kept_twice import open_kept_twice
from kiosk.storage.migration import OldTexts, old_texts
from rules.tasks.traits import AddTrait
from tests.kiosk.desk import StillClock
from tests.kiosk.forked import ended
from tests.kiosk.storage.test_journal import flip
from tests.recorded import game
from tests.recorded.kept import FORM_1

CLOCK = StillClock()

FILES = sorted(FORM_1.glob("*.sqlite.xz"))
"""Journals as 0.1.0 kept them, one of each ruleset."""

OURS = OldTexts(frozenset())
"""A journal in which nobody gave a roll a label."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(lzma.decompress(FILES[0].read_bytes()))
    return path


def version_of(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.close()
    return found


def rows_of(path: Path, columns: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(path) as connection:
        rows = connection.execute(f"SELECT {columns} FROM journal ORDER BY sequence").fetchall()  # noqa: S608 - columns named below
    connection.close()
    return rows


def told(path: Path) -> list[object]:
    """All that is said of the decisions in the journal, in English and in German, and the table at the end."""
    opened = open_for_reading(path, CLOCK)
    at, found = game.history.begin(), list[object]()
    for one in opened.decisions():
        before, at = at, game.history.evolve(at, one)
        found.append(game.said(before.present, one.events, at.present))
    opened.close()
    return [*found, game.Hashing().of(at.present)]


@pytest.mark.parametrize("index", [True, False])
def test_what_sqlite_reads_of_a_damaged_journal_is_at_the_table(old: Path, *, index: bool) -> None:
    """Once the table began empty where a page was garbage: nothing was taken from a file without checksums."""
    with closing(open_for_reading(old, CLOCK)) as opened:
        made, pages = list(opened.decisions()), old.stat().st_size // 4096
    with sqlite3.connect(old) as connection:
        asked = "SELECT rootpage FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex%'"
        page = connection.execute(asked).fetchone()[0] - 1 if index else pages * 2 // 3
    connection.close()
    content = bytearray(old.read_bytes())
    content[page * 4096 : (page + 1) * 4096] = b"garbage!" * 512
    old.write_bytes(content)
    with closing(open_kept_twice(old, CLOCK)) as journal:
        there, aside = list(journal.decisions()), journal.set_aside
        assert aside is not None
        assert (aside.begins_empty, aside.cut, journal.altered) == (False, not index, {})
        assert (old.parent / aside.name).read_bytes() == content, "it is kept"
        assert there == made[: len(there)]
        assert len(there) == len(made) if index else len(there) > len(made) // 3


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.partition(".")[0])
def test_table_and_words_are_the_same_before_and_after(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite3"
    file.write_bytes(lzma.decompress(path.read_bytes()))
    bytes_before, before, untouched = file.read_bytes(), told(file), rows_of(file, "sequence, by, command, time")
    assert file.read_bytes() == bytes_before, "whoever only reads changes nothing"
    open_journal(file, CLOCK).close()
    assert version_of(file) == 2
    assert told(file) == before
    assert rows_of(file, "sequence, by, command, time") == untouched
    assert any('{"say":' in event for (event,) in rows_of(file, "event"))
    assert (tmp_path / "journal.before-2.sqlite3").stat().st_mode & 0o777 == 0o600
    assert told(tmp_path / "journal.before-2.sqlite3") == before
    assert version_of(tmp_path / "journal.before-2.sqlite3") == 1


@pytest.mark.parametrize(
    "fault", ["ALTER", "UPDATE journal SET event", "UPDATE journal SET checksum", "PRAGMA user_version=", "COMMIT"]
)
def test_an_end_between_two_statements_leaves_the_old_journal(
    old: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ended(BaseException):
        """Stands for the power going out: nothing after it is done, not even to roll back."""

    class Faulty(sqlite3.Connection):
        gone = False

        def _look(self, statement: str) -> None:
            if self.gone or statement.startswith(fault):
                self.gone = True
                raise Ended

        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:  # noqa: ANN401 - what SQLite takes
            self._look(statement)
            return super().execute(statement, *values)

        def executemany(self, statement: str, *values: Any) -> sqlite3.Cursor:  # noqa: ANN401 - likewise
            self._look(statement)
            return super().executemany(statement, *values)

    before = told(old)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *places, **how: connect(*places, **{**how, "factory": Faulty}))
    with pytest.raises(Ended):
        open_journal(old, CLOCK)
    monkeypatch.undo()
    assert version_of(old) == 1
    assert told(old) == before
    open_journal(old, CLOCK).close()
    assert version_of(old) == 2
    assert told(old) == before


def test_a_text_that_was_damaged_before_is_told_after(old: Path, caplog: pytest.LogCaptureFixture) -> None:
    [(sequence, number)] = [row for row in rows_of(old, "sequence, decision") if row[0] == 40]
    flip(old, "event", sequence, "v")
    open_journal(old, CLOCK).close()
    assert version_of(old) == 2
    assert f"as they were written: {number}." in caplog.text


def test_the_log_says_once_what_was_done_and_where_the_old_journal_is(
    old: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    decisions = len(set(rows_of(old, "decision")))
    open_journal(old, CLOCK).close()
    open_journal(old, CLOCK).close()
    [line] = [one.getMessage() for one in caplog.records if "form 1 to form 2" in one.getMessage()]
    assert f"with its {decisions} decisions" in line
    assert str(old.with_name("journal.before-2.sqlite3")) in line


def copies(path: Path) -> list[Path]:
    return sorted(path.parent.glob("journal.before-2*"))


@pytest.mark.parametrize("ending", [b"", b"SQLite format 3\x00"])
def test_a_copy_that_was_never_finished_is_none(old: Path, ending: bytes) -> None:
    before = told(old)
    copies_begun = old.with_name("journal.before-2.sqlite3")
    copies_begun.write_bytes(ending)
    open_journal(old, CLOCK).close()
    assert copies_begun.read_bytes() == ending, "it may be somebody else's"
    assert told(old.with_name("journal.before-2-2.sqlite3")) == before


def test_another_journals_copy_is_none_of_this_one(old: Path) -> None:
    before = told(old)
    first = old.with_name("journal.before-2.sqlite3")
    first.write_bytes(lzma.decompress(FILES[1].read_bytes()))
    other = told(first)
    open_journal(old, CLOCK).close()
    assert told(first) == other
    assert told(old.with_name("journal.before-2-2.sqlite3")) == before


def test_a_kill_while_the_copy_is_written_leaves_no_part_of_it(old: Path) -> None:
    before = told(old)
    program = f"""
import os, signal, sqlite3
from pathlib import Path
from kiosk.storage.journal import open_journal
from tests.kiosk.desk import StillClock

def kill_at_a_copy(*_):
    for path in Path({str(old.parent)!r}).glob("journal.before-2*"):
        os.kill(os.getpid(), signal.SIGKILL)

class Watched(sqlite3.Connection):
    def backup(self, target):
        super().backup(target, pages=1, progress=kill_at_a_copy)

connect = sqlite3.connect
def watched(*places, **how):
    connection = connect(*places, **{{**how, "factory": Watched}})
    connection.set_progress_handler(kill_at_a_copy, 1)
    return connection

sqlite3.connect = watched
open_journal(Path({str(old)!r}), StillClock())
"""
    assert ended(program) == -9
    assert version_of(old) == 1
    open_journal(old, CLOCK).close()
    [copy] = copies(old)
    assert copy.name == "journal.before-2.sqlite3"
    assert told(copy) == before == told(old)


def test_a_kill_after_the_copy_makes_no_second_one(old: Path) -> None:
    program = f"""
import os, signal
from pathlib import Path
from kiosk.storage import journal, journal_file
from tests.kiosk.desk import StillClock
journal_file.migrate = lambda _: os.kill(os.getpid(), signal.SIGKILL)
journal.open_journal(Path({str(old)!r}), StillClock())
"""
    assert ended(program) == -9
    open_journal(old, CLOCK).close()
    assert [copy.name for copy in copies(old)] == ["journal.before-2.sqlite3"]


def event(kind: str, **fields: object) -> str:
    return json.dumps({"event": kind, **fields}, separators=(",", ":"))


def kept(text: str, command: str = "", typed: frozenset[str] = frozenset()) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(OldTexts(typed).kept(text, command))
    return changed


def test_a_template_comes_back_with_what_fills_it() -> None:
    old = event("pool_changed", pool="threat", change=1, after=3, reason="Ada is Menacing")
    assert kept(old)["reason"] == {"say": "{character} is Menacing", "fills": {"character": "Ada"}}
    assert kept(old, "adjust_pool")["reason"] == "Ada is Menacing", "there somebody typed it"
    old = event("pool_changed", pool="threat", change=1, after=3, reason="A Complication made: a rumour")
    wanted = {"say": "{reason}: {note}", "fills": {"reason": {"say": "A Complication made"}, "note": "a rumour"}}
    assert kept(old)["reason"] == wanted


def modified(reason: str, change: int, **action: str) -> object:
    """The reason of a modifier of a Task as it comes back, `action` the Task's own."""
    modifier: dict[str, object] = {"reason": reason, "change": change}
    OURS._change({"action": action or None, "modifiers": [modifier]}, "", frozenset())  # noqa: SLF001 - of all events
    return modifier["reason"]


ATTACK = {"name": "attack", "scope": "personal"}
SHOT = {"name": "fire_weapon", "scope": "bridge"}


@pytest.mark.parametrize(
    ("reason", "change", "action"),
    [
        ("Cover", 1, {}),  # the program's word, and no modifier of its own
        ("Cover", 1, ATTACK),
        ("Target is prone", 1, {}),  # a modifier of attacks alone
        ("Guard", 1, SHOT),
        ("Override", 1, ATTACK),
        ("aimed at the moon", 1, ATTACK),
        ("Target is prone", -1, ATTACK),  # which makes an attack harder
        ("Night Vision", 1, {}),
        ("Breaches of trust", 1, {}),  # which is no system
        ("Breaches of trust", 1, SHOT),
        ("aimed at the moon", 1, SHOT),
        ("The door is hidden", 1, SHOT),  # which is no ship
        ("Evasive Action of my cat", 1, SHOT),
        ("Everyone flies an Attack Pattern", -1, SHOT),
    ],
)
def test_a_typed_reason_stays_where_the_program_gives_none_like_it(
    reason: str, change: int, action: dict[str, str]
) -> None:
    assert modified(reason, change, **action) == reason


def test_a_reason_of_the_program_is_said_in_each_language() -> None:
    for reason, change, action in (
        ("Create Problem", 2, {}),
        ("Swift Task", 1, {}),
        ("Night Vision", -1, {}),
        ("Target is prone", 1, ATTACK),
        ("Override", 1, SHOT),
    ):
        assert modified(reason, change, **action) == {"say": reason}
    aimed = {"say": "aimed at the {system}", "fills": {"system": {"say": "engines"}}}
    assert modified("aimed at the engines", 1, **SHOT) == aimed
    breached = {"say": "Breaches of {system}", "fills": {"system": {"say": "sensors"}}}
    assert modified("Breaches of sensors", 1) == breached


def test_a_modifier_that_names_a_ship_of_the_journal_is_the_programs(old: Path) -> None:
    decided(old, "save_ship", event("ship_saved", ship={"ship_id": "ship-9", "name": "Bar"}, next_number=10))
    with sqlite3.connect(old) as connection:
        found = old_texts(connection)
    connection.close()
    modifiers: list[dict[str, object]] = [
        {"reason": "Bar is hidden", "change": 1},
        {"reason": "The bar is hidden", "change": 1},
    ]
    found._change({"action": SHOT, "modifiers": modifiers}, "", frozenset())  # noqa: SLF001 - of all events
    assert modifiers[0]["reason"] == {"say": "{target} is hidden", "fills": {"target": "Bar"}}
    assert modifiers[1]["reason"] == "The bar is hidden"


def test_trouble_aboard_is_the_programs_only_with_the_ships_own_name() -> None:
    fields: dict[str, Any] = {"ship_id": "s", "name": "Bar", "system": None}
    old = event("ship_complicated", trait="Trouble aboard Bar", **fields)
    typed = event("ship_complicated", trait="Trouble aboard the bar", **fields)
    assert OURS.kept(typed, "complicate_ship") == typed
    assert kept(old, "complicate_ship")["trait"] == {"say": "Trouble aboard {ship}", "fills": {"ship": "Bar"}}


def decided(path: Path, command: str, *events: str) -> None:
    """Add a decision to a journal of form 1."""
    with sqlite3.connect(path) as connection:
        rows = "SELECT coalesce(max(sequence), 0), coalesce(max(decision), 0) FROM journal"
        [(sequence, number)] = connection.execute(rows)
        connection.executemany(
            "INSERT INTO journal (sequence, decision, position, by, command, event, time) "
            "VALUES (?, ?, ?, '', ?, ?, 1)",
            [(sequence + at + 1, number + 1, at, command, text) for at, text in enumerate(events)],
        )
    connection.close()


def brought(path: Path, count: int) -> list[str]:
    """The last events of the journal once it has form 2."""
    open_journal(path, CLOCK).close()
    return [text for (text,) in rows_of(path, "event")[-count:]]


def trait(name: str) -> str:
    fields = {"trait_id": "trait-9", "name": name, "kind": "complication", "potency": 1}
    return event("trait_added", trait=fields, next_number=10)


TYPED = [
    *((command, trait("Trouble aboard the bar"))
      for command in ("take_complication", "make_spend", "make_it_so", "spend_threat", "avoid_injury")),
    ("add_trait", trait("Worse off")),
    ("strike_hazard", event("damage_settled", attacker="The core of X")),
    *(("adjust_pool", event("pool_changed", pool="threat", change=1, after=3, reason=reason))
      for reason in ("Cover", "Guard", "Work on my novel", "restored")),
    ("adjust_power", event("power_changed", ship_id="s", name="Bar", power=3, change=-1, why="put right")),
    ("declare_task", event("acted", action={"note": "Nothing of that is left to lose"})),
]  # fmt: skip


@pytest.mark.parametrize(("command", "text"), TYPED)
def test_what_people_typed_stays_in_a_journal_that_is_brought_to_this_form(old: Path, command: str, text: str) -> None:
    """The texts as they are: what an event of form 1 holds is looked at whether or not this version knows the event."""
    decided(old, command, text)
    with sqlite3.connect(old) as connection:
        found = old_texts(connection)
        [(number,)] = connection.execute("SELECT max(decision) FROM journal")
    connection.close()
    raw = json.loads(text)
    assert not found._change(raw, command, found._given.get(number, frozenset()))  # noqa: SLF001 - all events


def test_a_trait_beside_its_ships_complication_is_the_programs(old: Path) -> None:
    fields = {"ship_id": "s", "name": "Bar", "system": None}
    for name in ("Trouble aboard Bar", "Trouble aboard the bar"):
        decided(old, "complicate_ship", event("ship_complicated", trait=name, **fields), trait(name))
    ours, our_trait, typed, typed_trait = brought(old, 4)
    phrase = {"say": "Trouble aboard {ship}", "fills": {"ship": "Bar"}}
    assert json.loads(ours)["trait"] == json.loads(our_trait)["trait"]["name"] == phrase
    assert json.loads(typed)["trait"] == json.loads(typed_trait)["trait"]["name"] == "Trouble aboard the bar"


def test_a_reason_that_was_offered_is_the_programs(old: Path) -> None:
    """Each command's own: "restored" was offered for Stress alone."""
    body = {"stress": 1, "stress_max": 9}
    decided(old, "adjust_pool", event("pool_changed", pool="threat", change=1, after=3, reason="put right"))
    decided(old, "adjust_stress", event("stress_changed", character_id="c", name="Ada", why="restored", **body))
    pool, stress = (json.loads(text) for text in brought(old, 2))
    assert pool["reason"] == {"say": "put right"}
    assert stress["why"] == {"say": "restored"}


def test_what_somebody_called_a_roll_stays_as_it_was_typed() -> None:
    request = {"number": 2, "role": "step", "kind": "challenge", "count": 4, "who": "Ada", "why": "Work on my novel"}
    awaited = event("throw_awaited", request=request, next_number=3)
    assert kept(awaited, typed=frozenset({"Work on my novel"}))["request"]["why"] == "Work on my novel"
    wanted = {"say": "Work on {track}", "fills": {"track": "my novel"}}
    assert kept(awaited)["request"]["why"] == wanted


def test_an_event_that_this_version_cannot_read_stays_as_it_is() -> None:
    for text in (
        '{"event":"dice_levitated","why":"a hit"}',
        "no JSON",
        '{"event":"pool_changed","change":1,"reason":"saved"}',
    ):
        assert OURS.kept(text, "") == text


def test_a_full_disk_leaves_the_old_journal_to_be_read(
    old: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before, connect = told(old), sqlite3.connect

    def small(*places: Any, **how: Any) -> sqlite3.Connection:  # noqa: ANN401 - what SQLite takes
        connection: sqlite3.Connection = connect(*places, **how)
        connection.execute("PRAGMA max_page_count=1")  # SQLite takes the present size for it
        return connection

    monkeypatch.setattr(sqlite3, "connect", small)
    journal = open_journal(old, CLOCK)
    assert "no room" in caplog.text
    last = list(journal.decisions())[-1]
    with pytest.raises(JournalFullError):
        journal.append(replace(last, number=last.number + 1))
    assert version_of(old) == 1
    assert told(old) == before
    monkeypatch.undo()
    journal._connection.execute("PRAGMA max_page_count=100000")  # noqa: SLF001 - somebody frees some space
    assert journal.append(replace(last, number=last.number + 1)) == journal.sequence
    assert list(journal.decisions())[-2:] == [last, replace(last, number=last.number + 1)]
    assert not list(journal.broken())
    journal.close()
    assert version_of(old) == 2
    assert told(old)[: len(before) - 1] == before[:-1]
    assert [path.name for path in old.parent.glob("journal.before-2*")] == ["journal.before-2.sqlite3"]


def test_a_kiosk_that_started_without_room_records_when_there_is_some(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def small(*places: Any, **how: Any) -> sqlite3.Connection:  # noqa: ANN401 - what SQLite takes
        connection: sqlite3.Connection = connect(*places, **how)
        connection.execute("PRAGMA max_page_count=1")
        return connection

    monkeypatch.setattr(sqlite3, "connect", small)
    journal = open_journal(old, CLOCK)
    monkeypatch.undo()
    troubles: list[str | None] = []
    engine = Engine(journal, trouble=troubles.append)
    engine.start()
    with pytest.raises(JournalFullError):
        engine.submit(AddTrait(name="Fog"), "Ada")
    table = engine.present().table
    journal._connection.execute("PRAGMA max_page_count=100000")  # noqa: SLF001 - somebody frees some space
    engine.submit(AddTrait(name="Fog"), "Ada")
    assert len(engine.present().table.traits) == len(table.traits) + 1
    assert troubles[-1] is None
    engine.stop()
    journal.close()
