"""What a journal in a file promises beyond the contract: power cuts, damage, later versions, full disks."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import stat
import time
import tracemalloc
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from kiosk.engine import Engine
from kiosk.errors import JournalBusyError, JournalDamagedError, JournalError, JournalFullError, JournalNewerError
from kiosk.ports import SetAside
from kiosk.storage.folder import HeldFolder
from kiosk.storage.journal import open_for_reading, open_journal
from kiosk.storage.journal_file import SCHEMA_VERSION
from kiosk.storage.rows import Row, checksum_of
from rules.history import Decision
from rules.tasks.traits import TraitRemoved
from tests.kiosk.desk import StillClock
from tests.kiosk.forked import ended

CLOCK = StillClock()


def decision(number: int, text: str = "Fog") -> Decision:
    event = TraitRemoved(trait_id=f"t{number}", name=text)
    return Decision(number=number, by="Ada", command="remove_trait", events=(event, event))


def test_it_asks_sqlite_for_durability(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path, CLOCK)
    asked = journal._connection.execute  # noqa: SLF001 - the promise is a setting of this very connection
    assert asked("PRAGMA journal_mode").fetchone() == ("wal",)
    assert asked("PRAGMA synchronous").fetchone() == (2,)
    assert asked("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    journal.close()


def test_a_season_is_read_in_little_memory(tmp_path: Path) -> None:
    """What is read at once stays with the kiosk all evening, twice with the second copy: 6 MB of 65."""
    with closing(open_journal(tmp_path / "journal.sqlite3", CLOCK)) as journal:
        for number in range(1, 41):
            one = decision(number, "Fog " * 120)
            journal.append(replace(one, events=one.events * 40))
        tracemalloc.start()
        try:
            assert sum(len(rows) for _, rows in journal.members(0)) == 40 * 80
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert most < 1_000_000
        (kept,) = journal._connection.execute("PRAGMA cache_size").fetchone()  # noqa: SLF001 - a setting of this very one
        assert -512 <= kept < 0, "in KiB"


def test_everything_is_there_after_opening_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "journal.sqlite3"
    journal = open_journal(path, CLOCK)
    journal.append(decision(1), "key")
    journal.close()
    again = open_journal(path, CLOCK)
    assert list(again.decisions()) == [decision(1)]
    assert again.known("key") == (decision(1), 2)
    assert again.append(decision(2)) == 4
    again.close()


@pytest.mark.parametrize("ended", ["well", "by a pulled plug"])
def test_it_is_read_where_nothing_can_be_written_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: str
) -> None:
    path = tmp_path / "data" / "journal.sqlite3"
    journal = open_journal(path, CLOCK)
    journal.append(decision(1))
    if ended == "well":
        journal.close()
    else:
        copy = Path(shutil.copytree(path.parent, tmp_path / "copy"))
        journal.close()
        path = copy / path.name
        path.with_name(f"{path.name}-shm").unlink()
    really = sqlite3.connect

    class Refusing(sqlite3.Connection):
        def execute(self, *_asked: str) -> sqlite3.Cursor:  # type: ignore[override]  # what is asked here has no values
            error = sqlite3.OperationalError("unable to open database file")
            error.sqlite_errorname = "SQLITE_CANTOPEN"
            raise error

    def connect(where: object, **how: object) -> sqlite3.Connection:
        kind = Refusing if str(where).startswith(path.as_uri()) else sqlite3.Connection
        return really(where, **{**how, "factory": kind})  # type: ignore[call-overload, no-any-return]  # passed on as it came

    monkeypatch.setattr(sqlite3, "connect", connect)
    there = sorted(path.parent.iterdir())
    journal = open_for_reading(path, CLOCK)
    assert list(journal.decisions()) == [decision(1)]
    assert sorted(path.parent.iterdir()) == there
    journal.close()


def test_a_kill_right_after_the_commit_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    program = (
        "import os, signal; from pathlib import Path; from kiosk.storage.journal import open_journal;"
        "from tests.kiosk.storage.test_journal import CLOCK, decision;"
        f"journal = open_journal(Path({str(path)!r}), CLOCK); journal.append(decision(1), 'key');"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert ended(program) == -9
    journal = open_journal(path, CLOCK)
    assert list(journal.decisions()) == [decision(1)]
    journal.close()


def test_a_journal_of_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    open_journal(path, CLOCK).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(JournalNewerError, match=r"later version.*--data"):
        open_journal(path, CLOCK)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", [b"this is no journal at all" * 50, b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_damaged_journal_is_set_aside_by_name_and_kept(
    tmp_path: Path, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(damage)
    journal = open_journal(path, CLOCK)
    journal.append(decision(1))
    journal.close()
    [aside] = tmp_path.glob("journal.damaged-20231114T221320Z.sqlite3")
    assert journal.set_aside == SetAside(aside.name)
    assert aside.read_bytes() == damage
    assert str(aside) in caplog.text


def test_damage_inside_a_real_journal_is_found_and_a_second_one_gets_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    for _ in range(2):
        journal = open_journal(path, CLOCK)
        for number in range(1, 60):
            journal.append(decision(number, "x" * 300))
        journal.close()
        spoilt = bytearray(path.read_bytes())
        spoilt[8192:16384] = b"\xa5" * 8192
        path.write_bytes(spoilt)
    journal = open_journal(path, CLOCK)
    assert journal.sequence == 0
    journal.close()
    assert len(list(tmp_path.glob("journal.damaged-*.sqlite3"))) == 2


def test_an_event_that_this_version_does_not_know_is_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path, CLOCK)
    journal.append(decision(1))
    journal.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE journal SET event = ?", ('{"event":"dice_levitated"}',))
        rows = connection.execute("SELECT * FROM journal ORDER BY sequence").fetchall()
        connection.execute("UPDATE journal SET checksum = ? WHERE sequence = 1", (checksum_of("", rows),))
    connection.close()
    again = open_journal(path, CLOCK)
    for read in (lambda: list(again.decisions()), again.entries):
        with pytest.raises(JournalError, match=r"Decision 1 .* Install the version that wrote it") as told:
            read()
        assert not isinstance(told.value, JournalDamagedError)
    again.close()


DAMAGE = [
    "UPDATE journal SET event = replace(event, 'trait_removed', 'trait_rumoved') WHERE sequence = 5",
    "UPDATE journal SET event = substr(event, 2) WHERE sequence = 6",
    "UPDATE journal SET event = CAST(x'7b22e5' AS TEXT) WHERE sequence = 5",
    "UPDATE journal SET decision = 1, position = position + 64 WHERE decision = 3",
    "UPDATE journal SET decision = 67 WHERE decision = 3",
    "UPDATE journal SET decision = 67 WHERE sequence = 5",
]
"""What makes the third decision unreadable."""


def damaged(path: Path, damage: str) -> None:
    """A journal of five decisions, of which the third cannot be read."""
    journal = open_journal(path, CLOCK)
    for number in range(1, 6):
        journal.append(decision(number), f"key-{number}")
    journal.close()
    spoil(path, damage)


def rows_of(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    connection.text_factory = bytes
    rows = connection.execute("SELECT * FROM journal ORDER BY sequence").fetchall()
    connection.close()
    return rows


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_decision_that_cannot_be_read_is_damaged_and_the_journal_goes_on_before_it(
    tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "journal.sqlite3"
    damaged(path, damage)
    whole = rows_of(path)
    journal = open_journal(path, CLOCK)
    with pytest.raises(
        JournalDamagedError, match=r"Decision 3 .* is damaged\..*doctor` says what the next start makes of it"
    ) as told:
        list(journal.decisions())
    assert told.value.decision == 3
    journal.end_before(3)
    assert list(journal.decisions()) == [decision(1), decision(2)]
    assert [one.sequence for one in journal.entries()] == [1, 2, 3, 4]
    assert journal.known("key-2") == (decision(2), 4)
    assert journal.known("key-4") is None
    assert journal.append(decision(3, "Rain"), "key-4") == 6
    assert not list(journal.broken())
    assert journal.set_aside == SetAside("journal.damaged-20231114T221320Z.sqlite3", 3)
    journal.close()
    assert rows_of(tmp_path / journal.set_aside.name) == whole
    again = open_journal(path, CLOCK)
    assert list(again.decisions()) == [decision(1), decision(2), decision(3, "Rain")]
    assert again.set_aside is None
    again.close()


@pytest.mark.parametrize("damage", DAMAGE)
def test_all_but_the_damaged_decision_stay_and_the_gap_is_named(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "journal.sqlite3"
    damaged(path, damage)
    whole = rows_of(path)
    journal = open_journal(path, CLOCK)
    assert journal.leave_out(1)
    others = [decision(number) for number in (1, 2, 4, 5)]
    assert list(journal.decisions()) == others
    assert list(journal.altered) == [3]
    assert journal.set_aside is not None
    assert [one.number for one in journal.set_aside.left_out] == [3]
    assert journal.known("key-3") is None, "a tray may report it once more"
    assert not journal.leave_out(9), "nothing more is damaged"
    assert journal.append(decision(6), "key-6") == 12
    others.append(decision(6))
    journal.close()
    assert [rows_of(one) for one in tmp_path.glob("journal.damaged-*")] == [whole], "one copy"
    again = open_journal(path, CLOCK)
    assert list(again.decisions()) == others
    assert list(again.broken()) == [3]
    again.close()


@pytest.mark.parametrize(
    ("damages", "lost"),
    [
        (["UPDATE journal SET decision = 0 WHERE decision = 4"], [4]),
        (["UPDATE journal SET decision = 0 WHERE sequence = 7"], [4]),
        (["UPDATE journal SET decision = 0 WHERE sequence = 1"], [1]),
        (["UPDATE journal SET decision = 67 WHERE decision = 3"], [3]),
        (["UPDATE journal SET decision = 67 WHERE sequence = 5"], [3]),
        (
            [
                "UPDATE journal SET decision = 67 WHERE sequence = 6",
                "UPDATE journal SET event = '{' WHERE decision = 5",
            ],
            [3, 5],
        ),
        (["UPDATE journal SET event = '{' WHERE decision IN (3, 4, 5)"], [3, 4, 5]),
        (
            [
                "UPDATE journal SET decision = 67 WHERE sequence = 16",
                "UPDATE journal SET event = '' WHERE sequence = 1",
            ],
            [1, 8],
        ),
        (["UPDATE journal SET by = 'Bob' WHERE decision = 3", "UPDATE journal SET event = '' WHERE decision = 4"], [4]),
    ],
)
def test_no_whole_decision_goes_with_the_damaged_ones(tmp_path: Path, damages: list[str], lost: list[int]) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(open_journal(path, CLOCK)) as journal:
        for number in range(1, 9):
            journal.append(decision(number))
    for one in damages:
        spoil(path, one)
    with closing(open_journal(path, CLOCK)) as journal:
        before = rows_of(path)
        assert not journal.leave_out(len(lost) - 1), "more than may be left out: nothing is"
        assert rows_of(path) == before
        assert journal.leave_out(len(lost))
        assert [one.number for one in journal.decisions()] == [one for one in range(1, 9) if one not in lost]
        assert journal.set_aside is not None
        assert [one.number for one in journal.set_aside.left_out] == lost
        assert {one.command for one in journal.set_aside.left_out} == {"remove_trait"}


def of_a_later_version(path: Path, number: int) -> None:
    """The events of that decision are such as only a later version knows; all else is as it wrote it."""
    connection = sqlite3.connect(path)
    asked = "SELECT * FROM journal ORDER BY sequence"
    connection.execute("UPDATE journal SET event = ? WHERE decision = ?", ('{"event":"dice_levitated"}', number))
    before = ""
    for _, members in groupby(connection.execute(asked).fetchall(), key=lambda row: row[1]):
        rows = list(members)
        before = checksum_of(before, rows)
        connection.execute("UPDATE journal SET checksum = ? WHERE sequence = ?", (before, rows[0][0]))
    connection.commit()
    connection.close()


@pytest.mark.parametrize("gap", ["an earlier start's", "this start's", "found later"])
def test_what_a_later_version_wrote_behind_a_gap_is_no_damage(tmp_path: Path, gap: str) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(open_journal(path, CLOCK)) as journal:
        for number in range(1, 9):
            journal.append(decision(number))
    of_a_later_version(path, 4)
    spoil(path, "UPDATE journal SET event = '{' WHERE decision = 3")
    if gap == "an earlier start's":
        spoil(path, "DELETE FROM journal WHERE decision = 3")
    elif gap == "found later":
        spoil(path, "DELETE FROM journal WHERE decision = 3")
        spoil(path, "UPDATE journal SET event = '{' WHERE decision = 2")
    whole = rows_of(path)
    with closing(open_journal(path, CLOCK)) as journal:
        with pytest.raises(JournalError, match=r"Decision 4 .* Install the version that wrote it") as told:
            Engine(journal)
        assert not isinstance(told.value, JournalDamagedError)
        assert journal.decision == 8
    assert rows_of(path) == whole, "nothing is deleted"
    assert not list(tmp_path.glob("*damaged*"))


def test_a_character_of_an_event_s_name_that_changed_behind_a_gap_is_damage(tmp_path: Path) -> None:
    """The kiosk starts, and goes on without that decision alone."""
    path = tmp_path / "journal.sqlite3"
    with closing(open_journal(path, CLOCK)) as journal:
        for number in range(1, 9):
            journal.append(decision(number))
    spoil(path, "DELETE FROM journal WHERE decision = 3")
    spoil(path, "UPDATE journal SET event = replace(event, 'trait_removed', 'trait_remoted') WHERE sequence = 7")
    with closing(open_journal(path, CLOCK)) as journal:
        Engine(journal)
        assert [one.number for one in journal.decisions()] == [1, 2, 5, 6, 7, 8]
        assert journal.set_aside is not None
        assert [one.number for one in journal.set_aside.left_out] == [4]


def test_of_several_missing_decisions_each_is_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(open_journal(path, CLOCK)) as journal:
        for number in range(1, 9):
            journal.append(decision(number))
    spoil(path, "DELETE FROM journal WHERE decision IN (2, 3, 4, 6)")
    with closing(open_journal(path, CLOCK)) as journal:
        assert list(journal.altered) == list(journal.broken()) == [2, 3, 4, 6]
        assert list(journal.broken(3)) == [4, 6]
    spoil(path, "UPDATE journal SET decision = 1099511627776 WHERE decision = 8")
    with closing(open_journal(path, CLOCK)) as journal:
        assert list(journal.broken()) == [2, 3, 4, 6, 8], "not all up to there"


def test_the_first_copy_is_named_where_the_journal_ends_after_others_were_left_out(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    damaged(path, DAMAGE[0])
    with closing(open_journal(path, CLOCK)) as journal:
        assert journal.leave_out(1)
        assert journal.set_aside is not None
        first = journal.set_aside
        journal.end_before(5)
        assert journal.set_aside == replace(first, decision=5)


def test_without_a_place_to_keep_the_damaged_journal_it_is_read_and_nothing_is_added(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    damaged(path, DAMAGE[0])
    whole = rows_of(path)
    in_the_way = tmp_path / "journal.damaged-20231114T221320Z.sqlite3.new"
    in_the_way.mkdir()
    journal = open_journal(path, CLOCK)
    journal.end_before(3)
    assert journal.set_aside == SetAside("", 3)
    assert [one.number for one in journal.decisions()] == [1, 2]
    for _ in range(2):
        with pytest.raises(JournalError, match="nothing was done"):
            journal.append(decision(3))
    assert rows_of(path) == whole
    in_the_way.rmdir()
    assert journal.append(decision(3)) == 6
    assert [one.number for one in journal.decisions()] == [1, 2, 3]
    journal.close()


@pytest.mark.parametrize("statement", ["BEGIN", "DELETE", "COMMIT"])
def test_a_kill_while_a_damaged_journal_is_set_aside_loses_nothing(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "journal.sqlite3"
    damaged(path, DAMAGE[0])
    whole = rows_of(path)
    program = f"""
import os, signal
from pathlib import Path
from kiosk.storage.journal import open_journal
from tests.kiosk.desk import StillClock
journal = open_journal(Path({str(path)!r}), StillClock())
journal._connection.set_trace_callback(
    lambda asked: os.kill(os.getpid(), signal.SIGKILL) if asked.startswith({statement!r}) else None
)
journal.end_before(3)
"""
    assert ended(program) == -9
    assert rows_of(path) == whole
    journal = open_journal(path, CLOCK)
    journal.end_before(3)
    assert [one.number for one in journal.decisions()] == [1, 2]
    journal.close()
    assert [rows_of(one) for one in sorted(tmp_path.glob("journal.damaged-*"))] == [whole, whole]


def test_a_full_disk_refuses_and_the_journal_goes_on_when_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path, CLOCK, most_pages=40)

    def fill() -> None:
        for number in range(1, 10_000):
            journal.append(decision(number, "x" * 2000))

    with pytest.raises(JournalFullError, match=r"not done.*Free some space"):
        fill()
    kept = len(list(journal.decisions()))
    assert kept > 5
    assert journal.sequence == kept * 2
    journal.close()
    roomy = open_journal(path, CLOCK)
    assert [one.number for one in roomy.decisions()] == list(range(1, kept + 1))
    assert roomy.append(decision(kept + 1)) == kept * 2 + 2
    roomy.close()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError, match="--data"):
        open_journal(tmp_path / "file" / "journal.sqlite3", CLOCK)
    with pytest.raises(JournalError, match="--data"):
        HeldFolder(tmp_path / "file" / "data")


def test_a_second_kiosk_on_the_same_folder_is_told(tmp_path: Path) -> None:
    with HeldFolder(tmp_path / "data"), pytest.raises(JournalBusyError, match="Another kiosk"):
        HeldFolder(tmp_path / "data")
    HeldFolder(tmp_path / "data").release()


def test_a_killed_kiosk_does_not_hold_the_folder(tmp_path: Path) -> None:
    program = (
        "import os, signal; from pathlib import Path; from kiosk.storage.folder import HeldFolder;"
        f"held = HeldFolder(Path({str(tmp_path)!r})); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert ended(program) == -9
    HeldFolder(tmp_path).release()


def test_closing_twice_is_fine_and_using_it_afterwards_is_an_error_in_words(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "journal.sqlite3", CLOCK)
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="cannot be used"):
        journal.append(decision(1))


def test_another_program_that_holds_the_file_costs_the_decision_not_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path, CLOCK)
    journal.append(decision(1))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    begun = time.monotonic()
    with pytest.raises(JournalError, match="locked"):
        journal.append(decision(2))
    assert time.monotonic() - begun < 30
    other.execute("ROLLBACK")
    other.close()
    assert journal.append(decision(2)) == 4
    journal.close()
    assert [one.name for one in tmp_path.iterdir()] == ["journal.sqlite3"]  # the write-ahead log was folded in


def spoil_index(path: Path) -> None:
    """Let a bit fall over in the last entry of the index of the rows of decisions."""
    with sqlite3.connect(path) as connection:
        page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex%'").fetchone()[
            0
        ]
    connection.close()
    content = bytearray(path.read_bytes())
    content[page * 4096 - 1] ^= 8
    path.write_bytes(content)


def spoil(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def test_who_asked_is_kept_beside_the_role(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "journal.sqlite3", CLOCK)
    given = replace(decision(1), person="p7")
    journal.append(given)
    journal.append(decision(2))
    assert list(journal.decisions()) == [given, decision(2)]
    assert [one.person for one in journal.entries()] == ["p7", "p7", "", ""]
    journal.close()


@pytest.mark.parametrize(
    ("damage", "broken"),
    [
        ("UPDATE journal SET time = time + 1 WHERE sequence = 4", [2]),
        ("UPDATE journal SET event = replace(event, 'Fog', 'Dog') WHERE sequence = 3", [2]),
        ("UPDATE journal SET by = 'Ben' WHERE sequence = 1", [1]),
        ("UPDATE journal SET person = 'p1' WHERE sequence = 8", [4]),
        ("UPDATE journal SET checksum = NULL WHERE decision = 3", [3, 4]),
        ("DELETE FROM journal WHERE decision = 2", [2]),
        ("DELETE FROM journal WHERE sequence = 6", [3]),
        ("UPDATE journal SET idempotency = 'other' WHERE sequence = 1", [1]),
    ],
)
def test_a_decision_that_is_not_as_it_was_written_is_named_and_the_table_goes_on(
    tmp_path: Path, damage: str, broken: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path, CLOCK)
    for number in range(1, 5):
        journal.append(decision(number), f"key-{number}")
    assert not list(journal.broken())
    journal.close()
    open_journal(path, CLOCK).close()
    assert not caplog.records
    spoil(path, damage)
    again = open_journal(path, CLOCK)
    assert list(again.broken()) == broken
    assert f"as they were written: {', '.join(map(str, broken))}." in caplog.text
    again.append(decision(9))
    assert list(again.broken(after=4)) == []
    again.close()


def flip(path: Path, column: str, sequence: int, character: str) -> None:
    """Set the high bit of the first `character` in a text of the file, as worn-out memory does."""
    with sqlite3.connect(path) as connection:
        place = f"FROM journal WHERE sequence = {sequence}"
        [(kept,)] = connection.execute(f"SELECT CAST({column} AS BLOB) {place}")
        spoilt = kept.replace(character.encode(), bytes([ord(character) | 0x80]), 1)
        assert spoilt != kept
        change = f"UPDATE journal SET {column} = CAST(? AS TEXT) WHERE sequence = ?"  # noqa: S608 - likewise
        connection.execute(change, (spoilt, sequence))
    connection.close()


@pytest.mark.parametrize(
    ("column", "character"), [("event", "F"), ("by", "A"), ("command", "r"), ("person", "p"), ("idempotency", "k")]
)
def test_a_bit_that_fell_over_in_a_text_costs_that_text_alone(
    tmp_path: Path, column: str, character: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path, CLOCK)
    for number in range(1, 4):
        journal.append(replace(decision(number), person="p7"), f"key-{number}")
    journal.close()
    flip(path, column, 3, character)
    again = open_journal(path, CLOCK)
    assert again.set_aside is None
    assert "as they were written: 2." in caplog.text
    assert [one.number for one in again.decisions()] == [1, 2, 3]
    assert str(list(again.decisions())[1]).count("\ufffd") == (column != "idempotency")
    assert len(again.entries()) == 6
    assert again.append(decision(4)) == 8
    again.close()
    reading = open_for_reading(path, CLOCK)
    assert list(reading.broken()) == [2]
    reading.close()


def test_a_bit_that_fell_over_in_a_checksum_is_told(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path, CLOCK)
    journal.append(decision(1))
    kept = journal._checksum  # noqa: SLF001 - which characters it has is chance
    journal.close()
    flip(path, "checksum", 1, kept[0])
    again = open_journal(path, CLOCK)
    assert list(again.broken()) == [1]
    again.close()


def test_after_a_last_decision_without_its_first_row_the_next_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path, CLOCK)
    for number in (1, 2):
        journal.append(decision(number))
    journal.close()
    spoil(path, "DELETE FROM journal WHERE decision = 2 AND position = 0")
    again = open_journal(path, CLOCK)
    again.append(decision(3))
    assert list(again.broken()) == [2]
    assert list(again.broken(after=2)) == []
    again.close()


def test_the_checksum_is_what_it_always_was() -> None:
    row: Row = (1, 1, 0, "gm", "undo", '{"event":"decision_undone","decision":1}', 1.5, None, "", None)
    first = checksum_of("", [row])
    assert first == hashlib.sha256(b"\n1 1 0 1.5 'gm' 'undo' None '' " + row[5].encode() + b"\n").hexdigest()
    assert checksum_of(first, [row]) != first
