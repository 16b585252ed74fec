"""The long journals that are measured: the same from the same seed, however often their writing was cut off."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from kiosk.storage.journal import open_for_reading
from rules.undo import DecisionRedone
from tests.bench.seasons import write_season
from tests.kiosk.desk import StillClock


def end_of(path: Path) -> tuple[int, str]:
    """The last decision and its checksum, which answers for every row before it."""
    with closing(open_for_reading(path, StillClock())) as journal:
        return journal.decision, journal.checksum_at(journal.decision)


def test_a_season_that_was_cut_off_is_gone_on_with(tmp_path: Path) -> None:
    whole, cut, other = (tmp_path / name / "journal.sqlite3" for name in ("whole", "cut", "other"))
    write_season(whole, 60, seed=7)
    for rolls in (1, 25, 60):
        write_season(cut, rolls, seed=7)
    assert end_of(cut) == end_of(whole)
    write_season(other, 60, seed=8)
    assert end_of(other) != end_of(whole)
    with closing(open_for_reading(whole, StillClock())) as journal:
        assert any(isinstance(one.event, DecisionRedone) for one in journal.entries(limit=10_000))
