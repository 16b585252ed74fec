"""Values of a table are computed once for each who may act, and again for another table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.views.of_table import TABLES, OfTable
from rules.state.table import Table
from tests.rules.tabletop import Game


class Worker:
    """Counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, table: Table, who_id: str) -> int:
        self.asked.append(who_id)
        return table.momentum


def test_each_is_worked_out_once_for_each_table() -> None:
    table, kept, work = Game(momentum=2).table, OfTable[int](), Worker()
    assert [kept.of(table, who, work) for who in ("ann", "bob", "ann")] == [2, 2, 2]
    assert work.asked == ["ann", "bob"]
    later = replace(table, momentum=3)
    assert [kept.of(one, "ann", work) for one in (later, table, later)] == [3, 2, 3], "pages may show the one before"
    assert work.asked == ["ann", "bob", "ann"]


def test_only_the_last_tables_are_kept() -> None:
    table, kept, work = Game().table, OfTable[int](), Worker()
    for one in (table, *(replace(table, momentum=number) for number in range(TABLES)), table):
        kept.of(one, "ann", work)
    assert len(work.asked) == TABLES + 2


def test_what_fails_is_asked_again() -> None:
    table, kept, work = Game().table, OfTable[int](), Worker()

    def failing(_: Table, who_id: str) -> int:
        raise LookupError(who_id)

    with pytest.raises(LookupError):
        kept.of(table, "ann", failing)
    assert kept.of(table, "ann", work) == table.momentum
