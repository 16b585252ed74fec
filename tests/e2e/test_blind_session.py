"""A session by ear and keyboard alone: join, declare, throw, hear, correct a die, spend, undo, fight a round."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.blind import BlindPlayer
from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, set_up
from tests.e2e.program import Program
from tests.e2e.warm import WarmProgram

NETWORK = '[server]\nopen_to_network = true\nhost = "127.0.0.1"\n[access]\ntrust_this_machine = false\n'


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Program]:
    """A table that asks for its codes, with a character and somebody to fight."""
    data = tmp_path / "data"
    with WarmProgram(data, "--camera", "off", "--tray", "off") as program:
        ada = set_up(program)
        player = program.table()["table"]["players"][0]["player_id"]
        program.send(
            "save_character",
            character_id=ada,
            name="Ada Lindqvist",
            attributes=ATTRIBUTES,
            disciplines=DISCIPLINES,
            focuses=["Transporters"],
            weapons=["phaser_type_2"],
            player_id=player,
        )
        sheet = dict.fromkeys(("control", "daring", "fitness", "insight", "presence", "reason"), 9)
        skills = dict.fromkeys(("command", "conn", "security", "engineering", "science", "medicine"), 2)
        program.send("save_character", name="Gorn", attributes=sheet, disciplines=skills, standing="notable_npc")
        assert program.stop() == 0
    settings = tmp_path / "trueroll.toml"
    settings.write_text(NETWORK)
    with WarmProgram(data, "--camera", "off", "--tray", "off", "--config", str(settings)) as program:
        yield program


def codes(program: Program) -> tuple[str, str]:
    """The table's code and the gamemaster's, as somebody at the table reads them out."""
    kept = json.loads((program.data / "access.json").read_text())
    return kept["table_code"], kept["gamemaster_code"]


@pytest.fixture
def ada(browser: Browser, table: Program) -> Iterator[BlindPlayer]:
    player = BlindPlayer(browser, table.address)
    yield player
    player.close()


@pytest.fixture
def gamemaster(browser: Browser, table: Program) -> Iterator[BlindPlayer]:
    person = BlindPlayer(browser, table.address)
    yield person
    person.close()


def join(person: BlindPlayer, code: str, page: str) -> None:
    person.open("/join")
    person.type("textbox", "Table code", code)
    person.key("Enter")
    person.find("heading", page)
    person.live()


def join_as_ada(person: BlindPlayer, code: str) -> None:
    """Join, and take the character."""
    join(person, code, "Who you are")
    person.press("button", "Play Ada Lindqvist")
    person.find("heading", "Player")
    person.live()


def test_a_session_from_joining_to_the_next_round(table: Program, ada: BlindPlayer, gamemaster: BlindPlayer) -> None:
    """One evening on the devices of two people: what is opened once stays open, as at a table."""
    code, master = codes(table)
    join_as_ada(ada, code)
    task_with_a_mistake(ada)
    join(gamemaster, master, "Gamemaster")
    round_of_a_fight(ada, gamemaster)


def task_with_a_mistake(ada: BlindPlayer) -> None:
    """Declared, thrown, corrected, spent, and the last decision taken back; a wrong face is said, and has the focus."""
    ada.press("link", "Declare a Task")
    ada.choose("Attribute", "Control", begins=True)
    ada.choose("Discipline", "Engineering", begins=True)
    ada.press("checkbox", "A focus applies")
    ada.choose("Difficulty", "1", begins=True)
    ada.press("button", "Declare", exact=True)
    ada.hear("Throw 2 d20s.")  # a slow answer is told of in the same breath
    ada.focus_comes_to("textbox", "Die 1 of 2")

    ada.key("2", "1", "Enter", "7", "Enter")
    ada.hear("Die 1 cannot show 21")
    ada.focus_comes_to("textbox", "Die 1 of 2")
    ada.key("Control+a", "4", "Control+a", "1", "9", "Enter")
    assert ada.hear("Success").startswith("Success. 2 successes against Difficulty 1.")
    for key, words in (("p", "Momentum 0, Threat"), ("t", "Momentum to spend or save"), ("d", "Target Number 15")):
        ada.key(key)
        ada.hear(words)
    ada.key("r")
    again = ada.hear("Success")
    ada.key("r")
    assert ada.hear("Success") == again, "the same words are said again"

    ada.unfold("A die was misread")
    ada.unfold("Die 2: 19")
    ada.press("button", "Die 2 shows 2", within="Die 2 shows", exact=True)
    ada.hear("Triumph. 4 successes against Difficulty 1.")
    ada.press("button", "Obtain Information")
    ada.hear("Obtain Information")
    ada.press("button", "Done: save", within="What can be done now")
    ada.hear("Momentum")
    ada.press("button", "Pools")
    saved = ada.hear("Momentum 2,")
    ada.press("button", "Undo")
    ada.hear("Taken back")
    ada.press("button", "Pools")
    assert ada.hear("Momentum 0,") != saved


def round_of_a_fight(ada: BlindPlayer, gamemaster: BlindPlayer) -> None:
    """Ada strikes, the gamemaster settles the hit, and both hear the next Round begin."""
    gamemaster.open("/conflict")
    gamemaster.choose("Who begins", "Ada Lindqvist")
    gamemaster.press("button", "Begin", exact=True)
    gamemaster.hear("Conflict, Round 1. Ada Lindqvist begins.")
    ada.hear("Conflict, Round 1.")
    ada.press("button", "Begin Lindqvist's Turn")
    ada.hear("Ada Lindqvist's Turn.")
    ada.key("t")
    ada.hear("It is Ada Lindqvist's Turn.")

    ada.press("link", "Table", exact=True)
    ada.live()
    ada.press("link", "Fights and ship duels")
    ada.live()
    ada.unfold("Attack")
    ada.choose("At whom", "Gorn")
    ada.press("button", "Attack", exact=True)
    ada.hear("Throw 2 d20s.")
    ada.find("textbox", "Die 1 of 2").focus()
    ada.key("2", "Space", "3", "Enter")
    ada.hear("Success")
    ada.press("button", "Go on to the damage", within="What can be done now")
    thrown = re.search(r"Throw (\d+) Challenge Dice", ada.hear("Challenge Dice"))
    assert thrown
    ada.focus_comes_to("textbox", "Die 1 of")
    ada.key(*("1" * int(thrown[1])), "Enter")
    ada.hear("damage before Resistance")
    ada.press("button", "Settle the damage", within="What can be done now")
    ada.hear("hits Gorn")
    gamemaster.hear("Gorn suffers the Injury, or avoids it")
    gamemaster.press("button", "Gorn suffers the Injury", within="What can be done now")
    gamemaster.hear("Gorn is injured")
    ada.hear("Gorn is injured")
    ada.press("button", "End the Turn", within="What can be done now")
    ada.hear("Ada Lindqvist is done.")
    gamemaster.press("button", "Begin the next Round", within="What can be done now")
    gamemaster.hear("Round 2.")
    ada.hear("Round 2.")
