"""The session on paper and back again: nothing is lost, and names are inert in Markdown."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from kiosk.cli import main
from kiosk.storage import journal as journal_module
from kiosk.storage.export import ExportError, brought_in, write_export
from kiosk.storage.journal import open_journal
from rules import history as past
from rules.deciding.decision import name_of
from rules.history import Decision, History, begin, decide
from rules.setup.events import PlayerRemoved
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from rules.tasks.traits import AddTrait
from rules.undo import DecisionUndone, Redo, Undo
from tests.contracts.test_journals import ROLL
from tests.kiosk.desk import StillClock
from tests.kiosk.memory_journal import MemoryJournal
from tests.kiosk.storage.test_journal import decision

DAY = 24 * 3600.0


def exported(name: str, form: str = "markdown") -> str:
    """The export of a table whose one player is called `name`."""
    journal = MemoryJournal(StillClock())
    command = SetUpTable(ruleset=Ruleset.CORE_1E, players=(name,))
    journal.append(Decision(number=1, by="t", command=name_of(command), events=decide(begin(), command)), None)
    out = io.StringIO()
    write_export(journal, form, out)
    return out.getvalue()


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "[x](javascript:alert(1))", "&lt;b&gt;", "`code`", "*big*"]
)
def test_a_players_name_is_inert_in_markdown(name: str) -> None:
    line = next(one for one in exported(name).splitlines() if one.startswith("* Players:"))
    shown = line.removeprefix("* Players: ")
    assert re.search(r"(?<!\\)[<>\[\]`*|#&]", shown) is None
    assert re.sub(r"\\(.)", r"\1", shown) == " ".join(name.split())


def test_every_day_in_markdown_stands_under_an_evening() -> None:
    """Also what was done before the first session began."""
    clock = StillClock()
    journal = MemoryJournal(clock)
    for number in range(1, 4):
        journal.append(decision(number, "Fog"))
        clock.wall += DAY * (number - 1)
    out = io.StringIO()
    write_export(journal, "markdown", out)
    assert re.findall("^##+ (?:From)?", out.getvalue(), re.MULTILINE) == ["## From", "### "]


def kept(data: Path) -> list[Decision]:
    """A journal of several days with all that there is to keep of a decision."""
    clock = StillClock()
    made = [
        decision(1, 'Fog "and" {rain} \\ \u00a0='),
        Decision(number=2, by="tray", command="report_reading", events=(ROLL,)),
        Decision(
            number=5, by="player", command="remove", events=(PlayerRemoved(player_id="p", name="A"),), person="4f"
        ),
    ]
    with closing(open_journal(data / "journal.sqlite3", clock)) as journal:
        for one in made:
            journal.append(one, f"key-{one.number}" if one.number != 2 else None)
            clock.wall += DAY + 0.123456
    return made


def rows(data: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(data / "journal.sqlite3")) as journal:
        return journal.execute("SELECT * FROM journal ORDER BY sequence").fetchall()


def run(*words: str) -> str:
    return CliRunner().invoke(main, list(words)).output


def test_an_export_as_json_brings_the_same_journal_back(tmp_path: Path) -> None:
    one, other, file = tmp_path / "one", tmp_path / "other", str(tmp_path / "season.json")
    made = kept(one)
    run("export", "--json", "--data", str(one), "--output", file)
    told = json.loads(Path(file).read_text())
    assert [row["decision"] for row in told["decisions"]] == [1, 2, 5]
    assert told["table"]["players"] == []
    assert "has 5 decisions" in run("import", "--data", str(other), file)
    assert rows(other) == rows(one), "times, keys, persons and checksums, too"
    with closing(open_journal(other / "journal.sqlite3", StillClock())) as journal:
        assert list(journal.decisions()) == made
    assert "There is a journal" in run("import", "--data", str(other), file)
    cut, whole = tmp_path / "cut.json", Path(file).read_text()
    for spoilt, why in ((whole[5:], "no export"), (whole[: whole.index('"decision":5') + 60], "cannot be read")):
        cut.write_text(spoilt)
        assert re.search(why, run("import", "--data", str(tmp_path / "third"), str(cut)))
        assert not (tmp_path / "third" / "journal.sqlite3").exists(), "all or nothing"


def test_no_control_character_comes_in_by_an_import(tmp_path: Path) -> None:
    """Once a name in an export that somebody had written by hand could look like another line, or turn its words."""
    file, made = tmp_path / "season.json", tmp_path / "one"
    with closing(open_journal(made / "journal.sqlite3", StillClock())) as journal:
        names = ("Fog", "Night\u00a0Rain", 'Say \\ "now"')
        for number, name in enumerate(names, start=1):
            journal.append(decision(number, name))
    run("export", "--json", "--data", str(made), "--output", str(file))
    whole = file.read_text()
    assert "has 3 decisions" in run("import", "--data", str(tmp_path / "same"), str(file))
    assert rows(tmp_path / "same") == rows(made), "what does no harm stays to the last space"
    file.write_text(whole.replace('"Fog', '"Fog\\u001b[31m \u202eold\\u2028\u200b'))
    run("import", "--data", str(tmp_path / "other"), str(file))
    with closing(open_journal(tmp_path / "other" / "journal.sqlite3", StillClock())) as journal:
        assert next(iter(journal.decisions())) == decision(1, "Fog [31m old")


@given(minds=st.lists(st.sampled_from("trur"), max_size=30), page=st.integers(1, 5))
def test_what_does_not_stand_is_found_without_reading_all(minds: list[str], page: int) -> None:
    """As the table itself has it: a trait is added, an undo or a redo follows where there is something for it."""
    setting_up = SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",))
    whole = begin()
    with TemporaryDirectory() as room, pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal_module, "PAGE", page)
        with closing(open_journal(Path(room) / "journal.sqlite3", StillClock())) as journal:
            for mind in minds:
                adds = AddTrait(name=f"Fog {journal.decision}") if whole.done else setting_up
                commands = {"t": adds, "u": Undo(), "r": Redo()}
                if (mind == "u" and not whole.done) or (mind == "r" and not whole.undone):
                    continue
                events = decide(whole, commands[mind])
                one = Decision(number=journal.decision + 1, by="t", command=name_of(commands[mind]), events=events)
                journal.append(one)
                whole = past.evolve(whole, one)
            made = {one.number for one in journal.decisions() if one.command not in {"undo", "redo"}}
            assert made - journal.taken_back() == {one.number for one in whole.done}


def test_each_form_says_the_day_as_well_as_the_hour(tmp_path: Path) -> None:
    kept(tmp_path)
    told = run("export", "--data", str(tmp_path))
    assert "## From 2023-11-14T22:13:20Z\n\n* 22:13 " in told
    assert "### 2023-11-15\n\n* 22:13 " in told
    assert "### 2023-11-15\n\n* 22:13 " in told
    found = list(csv.DictReader(io.StringIO(run("export", "--format", "csv", "--data", str(tmp_path)))))
    assert [row["time"] for row in found] == ["2023-11-14T22:13:20Z", "2023-11-15T22:13:20Z", "2023-11-16T22:13:20Z"]


def test_what_is_no_export_says_so() -> None:
    with pytest.raises(ExportError, match="no export"):
        list(brought_in(["hello"]))
    with pytest.raises(ExportError, match="Line 2"):
        list(brought_in(['{"decisions":[\n', '{"decision":1}\n', '],"table":{}}\n']))
    with pytest.raises(ExportError, match="cut off"):
        list(brought_in(['{"decisions":[\n']))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"decision": 1}, "Line 3 of the export is out of order"),
        ({"decision": 1 << 70}, "Line 3 of the export cannot be read"),
        ({"at": 1e300}, "Line 3 of the export cannot be read"),
        ({"events": [{"event": "decision_undone", "decision": 7, "command": "roll"}]}, "Line 3 .* cannot be followed"),
    ],
)
def test_what_no_kiosk_could_start_with_is_not_brought_in(
    tmp_path: Path, changed: dict[str, object], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "season.json"
    kept(tmp_path / "one")
    run("export", "--json", "--data", str(tmp_path / "one"), "--output", str(file))
    head, one, two, *rest = file.read_text().split("\n")
    row = json.loads(two.rstrip().removesuffix(",")) | changed
    if "events" in changed:
        row.pop("kept", None)
    file.write_text("\n".join((head, one, f"{json.dumps(row, separators=(',', ':'))},", *rest)))
    really = past.evolve

    def evolve(history: History, decision: Decision) -> History:
        if isinstance(decision.events[0], DecisionUndone):
            raise KeyError(decision.number)
        return really(history, decision)

    monkeypatch.setattr(past, "evolve", evolve)
    assert re.search(why, run("import", "--data", str(tmp_path / "other"), str(file)))
    assert not (tmp_path / "other" / "journal.sqlite3").exists()


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_decision_is_written_before_the_next_is_read(form: str) -> None:
    """So that a long season takes no more memory than a short one."""
    out = io.StringIO()
    written: list[int] = []

    class Watched(MemoryJournal):
        def dated(self) -> Iterator[tuple[Decision, float, str | None]]:
            for one in super().dated():
                written.append(out.tell())
                yield one

    journal = Watched(StillClock())
    for number in range(1, 41):
        journal.append(decision(number, "Fog"))
    write_export(journal, form, out)
    assert len(set(written)) == 40
    assert written == sorted(written)
