"""Dice that lay there before anybody looked are named as such, and never cover what happened."""

from __future__ import annotations

from typing import Any

from rules.dice import DieKind, DieReading, DieState, Reading, SourceKind
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.throwing import ReportReading
from tests.kiosk.views.test_stage_lasting import Play


def find(play: Play, *faces: int) -> dict[str, Any]:
    dice = tuple(DieReading(DieKind.D20, face, 1.0, DieState.READ, SourceKind.CAMERA) for face in faces)
    number = play.history.next_decision
    play.do(ReportReading(reading=Reading(f"start:{number}", SourceKind.CAMERA, dice, found=True)))
    return play.stage()


def test_they_are_shown_as_what_they_are() -> None:
    play = Play()
    shown = find(play, 4, 17)
    assert (shown["kind"], shown["word"]) == ("free", "Lay there already")
    assert [one["face"] for one in shown["dice"]] == ["4", "17"]


def test_they_cover_neither_an_outcome_nor_that_no_table_is_set_up() -> None:
    play = Play()
    play.task(0, (1, 2))
    play.finish()
    assert find(play, 4, 17)["kind"] == "outcome"
    assert len(play.history.present.free_rolls) == 1, "they can still be counted by who says so"


def test_those_that_counted_are_no_roll_after_a_restart() -> None:
    play = Play()
    play.throw("seen", 9, 12)
    before = play.history.present
    find(play, 12, 9)
    assert play.history.present.free_rolls == before.free_rolls


def test_they_answer_what_is_awaited() -> None:
    """They may have been thrown while the kiosk started; nobody throws them twice."""
    play = Play()
    play.task(0, (1, 2))
    play.finish()
    play.do(DeclareChallenge(count=1))
    dice = (DieReading(DieKind.CHALLENGE, 2, 1.0, DieState.READ, SourceKind.CAMERA),)
    play.do(ReportReading(reading=Reading("start:0", SourceKind.CAMERA, dice, found=True)))
    assert play.stage()["word"] == "2 points"
