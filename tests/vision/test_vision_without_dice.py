"""The bench of tables without dice: the same pictures each time, every picture counted once, and sums that are true."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.bench.vision_without_dice import FIRST_SEED, SORTS, main, picture_of, table


def test_a_seed_is_a_picture_and_each_sort_has_its_turn(*, whole: bool) -> None:
    """The short form draws each third sort, the mats among them, which are drawn by themselves."""
    numbers = range(0, len(SORTS), 1 if whole else 3)
    drawn = [picture_of(FIRST_SEED + number) for number in numbers]
    turns = list(SORTS)[FIRST_SEED % len(SORTS) :] + list(SORTS)[: FIRST_SEED % len(SORTS)]
    assert [sort for sort, _ in drawn] == [turns[number] for number in numbers]
    assert "mat" in {sort for sort, _ in drawn}
    assert np.array_equal(picture_of(FIRST_SEED)[1], drawn[0][1])
    assert all(picture.std() > 3 for _, picture in drawn)  # something lies there


def test_what_is_in_the_index_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {"seed": FIRST_SEED, "sort": "hand", "false": 2, "questions": 3}
    (tmp_path / "index.jsonl").write_text(json.dumps(known) + "\n")
    monkeypatch.setattr("sys.argv", ["bench", "--out", str(tmp_path), "--scenes", "2"])
    assert main() == 0
    lines = [json.loads(line) for line in (tmp_path / "index.jsonl").read_text().splitlines()]
    assert lines[0] == known
    assert [line["seed"] for line in lines] == [FIRST_SEED, FIRST_SEED + 1]
    assert "| hand | 1 | 2 | 3 | 1 (" in capsys.readouterr().out


def test_the_table_adds_up() -> None:
    lines = [{"sort": "mug", "false": 0, "questions": n % 2} for n in range(8)]
    told = list(table([*lines, {"sort": "hand", "false": 1, "questions": 0}]))
    assert "| mug | 8 | 0 | 4 | 4 (21.5% to 78.5%) |" in told
    assert any(line.startswith("| all | 9 | 1 | 4 | 4 (") for line in told)
    assert "1 of 9, at most 43.50% (95 %)" in told[-1]
