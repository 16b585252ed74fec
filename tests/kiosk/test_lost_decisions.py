"""Any decision that no file has any more: the kiosk starts without it, and every page can be opened."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from kiosk.compose import build
from kiosk.config import load_config
from kiosk.engine import Engine
from kiosk.storage.journal import open_journal
from rules.history import Decision
from rules.state.vocabulary import Ruleset
from tests.bench import conflicts
from tests.bench.seasons import season
from tests.conftest import SEED
from tests.kiosk.desk import StillClock
from tests.kiosk.test_compose import BARE

PAGES = ("display", "gm", "conflict", "play", "play/log", "text")
STRIDE = 9
"""In the short form, one decision of this number is lost."""


def rolls() -> list[Decision]:
    return list(season(6, SEED))


def brawl() -> list[Decision]:
    return conflicts.busy_round().decisions


def on_foot() -> list[Decision]:
    return conflicts.on_foot().decisions


def of_ships() -> list[Decision]:
    return conflicts.of_ships(Ruleset.CORE_1E).decisions


@pytest.mark.parametrize("played", [rolls, brawl, on_foot, of_ships])
def test_the_table_goes_on_without_any_one_decision(
    tmp_path: Path, played: Callable[[], list[Decision]], *, whole: bool
) -> None:
    decisions = played()
    assert len(decisions) > STRIDE
    for lost in decisions[:: 1 if whole else STRIDE]:
        data = tmp_path / str(lost.number)
        data.mkdir()
        with closing(open_journal(data / "journal.sqlite3", StillClock())) as journal:
            for one in decisions:
                if one is not lost:
                    journal.append(one)
            engine = Engine(journal)
            present = engine.present()
            assert journal.set_aside is None, f"what is missing is no damage: {lost}"
            assert list(journal.decisions()) == [one for one in decisions if one is not lost]
            assert engine.unfollowed == (), f"all others can be followed without {lost}"
            assert present.sequence == journal.sequence
        if whole:
            kiosk = build(load_config(None, BARE), data)
            try:
                kiosk.start()
                for page in PAGES:
                    with urllib.request.urlopen(kiosk.address + page, timeout=20) as answer:  # noqa: S310 - our own
                        assert answer.status == 200, (page, lost)
            finally:
                kiosk.stop()
