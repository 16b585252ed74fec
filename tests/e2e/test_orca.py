"""One short scene by ear: Orca says what the pages mean, and the keys that one presses land where it says they do.

`test_blind_session.py` plays a whole evening by roles and names, without a screen reader.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.crew import set_up
from tests.e2e.orca import Orca, listening
from tests.e2e.program import Program, until

WHOLE = {"kind": "d20", "confidence": 1.0, "state": "read", "source": "manual"}
DOUBTFUL = {**WHOLE, "face": None, "state": "doubtful", "guesses": [{"face": 6, "chance": 0.5}]}


def declare(orca: Orca) -> None:
    """A Task of the first preset, declared by keys alone."""
    orca.seek("Tab", "Control + Engineering Difficulty 1")
    orca.press("Return")
    orca.hears("Declare push button")
    orca.press("Return")


def throw_by_hand(orca: Orca, kiosk: Program, *faces: int) -> None:
    """Such a Task, thrown by keys alone; its dice are those that were typed."""
    declare(orca)
    for place, face in enumerate(faces, 1):
        orca.hears(f"Die {place} of {len(faces)}")
        orca.press(*str(face))
    orca.hears("Count these dice")
    orca.press("Return")
    until(lambda: [one["die"]["face"] for one in task_of(kiosk)["dice"]] == list(faces))


def task_of(kiosk: Program) -> dict[str, Any]:
    """The Task in hand, else the one whose spending has just ended."""
    table = kiosk.table()["table"]
    found: dict[str, Any] = table["task"] or table["last_task"]
    return found


@pytest.mark.timeout(300)  # a person at the keys waits for words
def test_a_short_scene(kiosk: Program, tmp_path: Path) -> None:
    """A Task, one of its dice doubtful, a spend, and a hidden roll whose dice are typed, heard by nobody else."""
    set_up(kiosk)
    with listening(tmp_path) as orca:
        orca.open(f"{kiosk.address}/play")
        declare(orca)
        orca.hears("Die 1 of 2")
        reading = {"reading_id": "doubtful", "source": "manual", "dice": [{**WHOLE, "face": 4}, DOUBTFUL]}
        kiosk.send("report_reading", reading=reading)
        orca.hears("Someone must look at the dice. Die 2 may show 6. What does it show?")
        orca.seek("shift+h", "Look at the dice heading")
        orca.seek("b", "It shows 6 push button")
        orca.press("Return")
        orca.hears("Success. 2 successes against Difficulty 1. 1 Momentum.")
        assert [one["die"]["face"] for one in task_of(kiosk)["dice"]] == [4, 6], "what was heard is what was chosen"

        orca.hears("Done: save 1 Momentum push button")
        orca.seek("b", "Obtain Information, 1 Momentum push button")
        orca.press("Return")
        orca.hears("Obtain Information. It costs 1 Momentum of this Task, none left.")
        assert task_of(kiosk)["momentum_left"] == 0

        orca.open(f"{kiosk.address}/gm")
        orca.seek("k", "Ask for a Task, or roll link")
        orca.press("Return")
        orca.seek("h", "Threat and Momentum heading")
        orca.seek("shift+b", "Roll it hidden push button")
        said = kiosk.table()["narration"]
        orca.press("Return")
        orca.hears("Die 1 of 2")
        orca.press("3", "9")
        orca.hears("Count these dice")
        orca.press("Return")
        orca.hears(
            "Hidden roll 1: Ada Lindqvist, Target Number 15. Success. 2 successes against Difficulty 1. 1 Momentum."
        )
        assert kiosk.table()["narration"] == said, "nobody else hears it"


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_long_evening(kiosk: Program, tmp_path: Path) -> None:
    """Task after Task by keys alone, with every weight of an outcome; each is undone, heard, and thrown again."""
    set_up(kiosk)
    with listening(tmp_path) as orca:
        orca.open(f"{kiosk.address}/play")
        for faces, told in (
            ((4, 11), "Success. 2 successes against Difficulty 1."),
            ((19, 18), "Failure. 0 successes against Difficulty 1."),
            ((3, 20), "Success. 1 success against Difficulty 1. 1 Complication."),
            ((4, 3), "Success. 2 successes against Difficulty 1."),
        ):
            throw_by_hand(orca, kiosk, *faces)
            orca.hears(told)
            orca.seek("b", "Undo: the dice that were entered push button")
            orca.press("Return")
            orca.hears("Die 1 of 2")
            assert task_of(kiosk)["dice"] == []
            kiosk.send("undo")


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_turn_of_a_fight(kiosk: Program, tmp_path: Path) -> None:
    """From whose Turn it is to what an attack did; after the dice the focus is on the first choice of who acts."""
    ada = set_up(kiosk)
    card = kiosk.table()["table"]["characters"][0]
    numbers = {"attributes": card["attributes"], "disciplines": card["disciplines"]}
    kiosk.send("save_character", name="Brack", standing="minor_npc", **numbers)
    brack = kiosk.table()["table"]["characters"][1]["character_id"]
    kiosk.send("take_weapon", character_id=ada, weapon="phaser_type_2")
    seats = [{"combatant_id": one} for one in (ada, brack)]
    kiosk.send("start_conflict", kind="personal", combatants=seats, begins=ada)
    with listening(tmp_path) as orca:
        orca.open(f"{kiosk.address}/play")
        orca.seek("b", "Begin Lindqvist's Turn push button")
        orca.press("Return")
        orca.hears("Ada Lindqvist's Turn.")
        orca.seek("k", "Choose another action link")
        orca.press("Return")
        orca.read()
        orca.seek("Tab", "Attack, Difficulty 2")
        orca.press("Return")
        orca.seek("Tab", "Attack push button")
        orca.press("Return")
        for place, face in enumerate((1, 3), 1):
            orca.hears(f"Die {place} of 2")
            orca.press(str(face), *(["space"] if face == 1 else []))
        orca.hears("Count these dice")
        orca.press("Return")
        orca.hears("Success. 3 successes against Difficulty 2.")
        orca.hears("Obtain Information, 1 Momentum push button")
        orca.seek("b", "Go on to the damage push button")
        orca.press("Return")
        orca.hears("Die 1 of")
        assert kiosk.table()["table"]["request"]["kind"] == "challenge", "the damage is thrown next"
