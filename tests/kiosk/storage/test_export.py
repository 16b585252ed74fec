"""Names of people in the Markdown export: inert, on one line, and readable."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kiosk.storage.export import as_markdown, tell
from rules.deciding.decision import name_of
from rules.history import Decision, begin, decide
from rules.setup.setting_up import SetUpTable
from rules.state.vocabulary import Ruleset
from tests.kiosk.desk import StillClock
from tests.kiosk.memory_journal import MemoryJournal


def exported(name: str) -> str:
    """The export of a table whose one player is called `name`, as its event holds it."""
    journal = MemoryJournal(StillClock())
    command = SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",))
    events = decide(begin(), command)
    journal.append(Decision(number=1, by="t", command=name_of(command), events=events), None)
    told, table = tell(journal)
    players = (replace(table.players[0], name=name),)
    return as_markdown(told, replace(table, players=players))


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "[x](javascript:alert(1))", "a|b\n# h", "&lt;b&gt;", "`code`", "*big*"]
)
def test_a_players_name_is_inert_in_markdown(name: str) -> None:
    line = next(one for one in exported(name).splitlines() if one.startswith("* Players:"))
    shown = line.removeprefix("* Players: ")
    assert re.search(r"(?<!\\)[<>\[\]`*|#&]", shown) is None
    assert re.sub(r"\\(.)", r"\1", shown) == " ".join(name.split())
