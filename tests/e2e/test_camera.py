"""Dice from a camera: pictures arrive in a folder, as frames, and the outcome is on a screen that nobody touched.

The folder goes through the same source, settling, reading and questions as a live camera. Rendered pictures carry the
test everywhere; real photographs do where they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from rules.dice import DieKind
from tests.e2e.camera_folder import Camera
from tests.e2e.conftest import pages_of
from tests.e2e.crew import DISCIPLINES, declaration, set_up
from tests.e2e.program import Program, source, until
from tests.e2e.warm import WarmProgram
from tests.vision.photographs import ABSENT, FOLDER

ENDED = re.compile("succeeds|triumphs|fails")
"""How a Task's headline on the table's screen ends."""


@pytest.fixture(scope="module")
def camera(tmp_path_factory: pytest.TempPathFactory) -> Camera:
    """A camera over a tray that goes on from test to test."""
    made = Camera(tmp_path_factory.mktemp("camera") / "frames")
    made.looks()
    return made


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, camera: Camera) -> Iterator[Program]:
    """Its kiosk: what reads dice is loaded once."""
    data = tmp_path_factory.mktemp("kiosk") / "data"
    with WarmProgram(data, "--camera", str(camera.folder), "--tray", "off") as program:
        until(lambda: source(program, "camera").get("state") == "ready")
        set_up(program)
        yield program


@pytest.fixture
def kiosk(running: Program) -> Program:
    """That kiosk, with nothing under way."""
    while running.table()["table"]["task"] is not None:
        running.send("undo")
    return running


def ada(kiosk: Program) -> str:
    """Who throws."""
    return str(kiosk.table()["table"]["characters"][0]["character_id"])


@pytest.fixture
def display(browser: Browser, kiosk: Program) -> Iterator[Page]:
    with pages_of(browser, kiosk) as opened:
        page = opened("/display", 1280, 720)
        expect(page.locator("#link")).to_have_attribute("data-state", re.compile("live"))
        yield page


def shown(kiosk: Program) -> str:
    """The headline of every screen; that the table's own shows it is looked at once, below."""
    stage = kiosk.table()["stage"]
    return str(stage["telling"]["headline"] if stage["telling"] else stage["word"])


def test_rendered_dice_become_the_outcome_on_the_display(kiosk: Program, camera: Camera, display: Page) -> None:
    """A file that is no picture is passed over."""
    kiosk.send("declare_task", declaration=declaration(ada(kiosk)))
    expect(display.locator(".stage-word")).to_have_text("Throw 2 d20s")
    camera.sees_no_picture()
    camera.stage.throw([DieKind.D20, DieKind.D20])
    camera.looks()
    expect(display.locator(".stage-word")).to_have_text(ENDED, timeout=20_000)
    dice = kiosk.table()["table"]["task"]["dice"]
    assert Counter(die["die"]["face"] for die in dice) == Counter(die.face for die in camera.stage.truth())
    assert {die["die"]["source"] for die in dice} == {"camera"}


def test_one_die_too_few_is_said_and_the_same_throw_completed_by_hand(kiosk: Program, camera: Camera) -> None:
    kiosk.send("declare_task", declaration=declaration(ada(kiosk)))
    camera.stage.throw([DieKind.D20])
    camera.looks()
    until(lambda: any("1 d20 under the camera, 2 expected" in one for one in kiosk.table()["questions"]))
    request = kiosk.table()["table"]["request"]["number"]
    kiosk.send("enter_dice", request=request, faces=[4, 13])
    assert {die["die"]["source"] for die in kiosk.table()["table"]["task"]["dice"]} == {"manual"}
    assert shown(kiosk) == "Ada Lindqvist succeeds"


def test_dice_thrown_with_nothing_declared_are_shown_and_counted_afterwards(kiosk: Program, camera: Camera) -> None:
    camera.stage.throw([DieKind.D20, DieKind.D20])
    camera.looks()
    until(lambda: shown(kiosk) == "Free roll")
    kiosk.send("declare_task", declaration=declaration(ada(kiosk)))
    kiosk.send("attach_free_roll", number=kiosk.table()["table"]["free_rolls"][-1]["number"])
    assert ENDED.search(shown(kiosk))


@pytest.mark.skipif(not FOLDER.is_dir(), reason=ABSENT)
def test_a_real_photograph_becomes_the_ships_die(kiosk: Program, camera: Camera) -> None:
    character = ada(kiosk)
    systems = dict.fromkeys(("communications", "computers", "engines", "sensors", "structure", "weapons"), 9)
    kiosk.send("save_ship", name="Far Lantern", scale=4, systems=systems, departments=DISCIPLINES)
    ship = kiosk.table()["table"]["ships"][0]["ship_id"]
    helped = declaration(character, ship={"ship_id": ship, "system": "sensors", "department": "science"})
    kiosk.send("declare_task", declaration=helped)
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[9, 19])
    assert shown(kiosk) == "Throw 1 d20"
    camera.sees(FOLDER / "dicetower" / "d20_04.jpg")
    until(lambda: shown(kiosk) == "Ada Lindqvist succeeds")
    ships_die = kiosk.table()["table"]["task"]["dice"][-1]
    assert (ships_die["die"]["face"], ships_die["die"]["source"], ships_die["successes"]) == (4, "camera", 1)
