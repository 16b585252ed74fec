"""Pull the plug between every two steps of a roll: what was shown is there afterwards, exactly once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.crew import declaration, set_up
from tests.e2e.warm import WarmProgram

Step = tuple[str, dict[str, Any]]

NO_SOURCES = ("--camera", "off", "--tray", "off")
"""Looking for a camera and a tray costs more than a start."""


def _steps(character: str) -> list[Step]:
    bought = [{"payer": "threat"}]
    return [
        ("declare_task", {"declaration": declaration(character, purchases=bought, complication_range=2)}),
        ("enter_dice", {"faces": [1, 4, 19]}),
        ("make_spend", {"spend": "obtain_information", "times": 1}),
        ("undo", {}),
        ("redo", {}),
        ("finish_spending", {}),
        ("take_complication", {"name": "Smoke on the bridge"}),
        ("declare_challenge", {"count": 3, "label": "Falling rocks"}),
        ("enter_dice", {"faces": [2, "effect", "blank"]}),
        ("close_challenge", {}),
    ]


def _shown(view: dict[str, Any]) -> dict[str, Any]:
    return {key: view[key] for key in ("sequence", "table", "options", "undo", "redo")}


def test_killed_between_every_two_steps_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    program = WarmProgram(tmp_path / "data", *NO_SOURCES)
    with program:
        character = set_up(program)
        for command, fields in _steps(character):
            before = program.table()
            answers = {"request": before["table"]["request"]["number"]} if command == "enter_dice" else {}
            program.send(command, **fields, **answers)
            shown = program.table()
            assert shown["sequence"] > before["sequence"]
            program.kill()
            program.start()
            assert _shown(program.table()) == _shown(shown), f"after {command}"
        table = program.table()["table"]
    assert table["threat"] == 5, "2 for each player and 1 for the bought die"
    assert table["momentum"] == 1, "4 successes against Difficulty 2, 1 spent"
    assert [trait["name"] for trait in table["traits"]] == ["Smoke on the bridge"]


def test_the_same_tap_sent_again_after_a_crash_counts_once(tmp_path: Path) -> None:
    program = WarmProgram(tmp_path / "data", *NO_SOURCES)
    with program:
        set_up(program)
        tap = {"command": "gain_threat", "event": "threatening_scene", "amount": 2, "idempotency": "one-tap"}
        first = program.post("/api/v1/commands", tap)
        assert first.status == 200, first
        program.kill()
        program.start()
        again = program.post("/api/v1/commands", tap)
        assert again.status == 200
        assert again.body["sequence"] == first.body["sequence"]
        assert program.table()["table"]["threat"] == 6


@pytest.mark.parametrize("signal_first", [True, False])
def test_missed_events_arrive_on_resume(tmp_path: Path, *, signal_first: bool) -> None:
    program = WarmProgram(tmp_path / "data", *NO_SOURCES)
    with program:
        set_up(program)
        seen = program.table()["sequence"]
        program.send("adjust_pool", pool="threat", change=1)
        if signal_first:
            program.stop()
        else:
            program.kill()
        program.start()
        stream = program.events(last_event_id=seen)
        assert next(stream)[0] == "snapshot"
        event, number, data = next(stream)
        assert event == "journal"
        assert int(number) == seen + 1
        assert data["event"]["event"] == "pool_changed"
