"""From a tag on an emulated reader, through the tray's real firmware, to what the page in Chromium shows."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware_bridge.taught import FILE_NAME, TagSide, TaughtDice, written
from rules.dice import DieKind, Face, Symbol
from tests.e2e.conftest import pages_of
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program, source, until
from tests.e2e.warm import WarmProgram
from tests.firmware_bridge.emulated import EmulatedTray
from tests.firmware_bridge.tagged import TaggedDie

D20S = [TaggedDie(number, DieKind.D20, side=TagSide.DOWN) for number in range(4)]
CHALLENGE_DICE = [TaggedDie(10 + number, DieKind.CHALLENGE) for number in range(3)]
CHALLENGE_SIDES: list[list[tuple[Face, int]]] = [
    [(1, 0), (2, 0), (Symbol.BLANK, 0)],
    [(Symbol.BLANK, 1), (Symbol.EFFECT, 0), (Symbol.EFFECT, 1)],
]
"""Its six sides: each face, and which of the sides that show it."""
PICKED_UP = 0.7
"""Seconds between taking dice up and throwing them again; no hand is quicker."""
PAINTED = 30_000
"""Milliseconds; a busy machine paints late."""


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[EmulatedTray]:
    with EmulatedTray(tmp_path / "tray", eeprom=tmp_path / "eeprom", dtr_reset=False) as made:
        yield made


@pytest.fixture
def program(tmp_path: Path, tray: EmulatedTray) -> Iterator[Program]:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    taught = TaughtDice(tuple(die.taught for die in (*D20S, *CHALLENGE_DICE)))
    (data / FILE_NAME).write_text(written(taught), encoding="utf-8")
    with WarmProgram(data, "--camera", "off", "--tray", tray.port) as started:
        until(lambda: source(started, "tray").get("state") == "ready", 60)
        yield started


def is_empty(program: Program) -> bool:
    """Whether the kiosk knows that nothing lies on the tray."""
    return not program.get("/api/v1/tray").body["places"]


def free_rolls(program: Program) -> list[list[Face | None]]:
    return [[die["face"] for die in roll["dice"]] for roll in program.table()["table"]["free_rolls"]]


def test_every_face_of_a_d20_and_a_challenge_die_reaches_the_page(
    tray: EmulatedTray, program: Program, browser: Browser, *, whole: bool
) -> None:
    """In the short form the tray is full of d20s and of Challenge Dice once; `test_firmware_tray` has every face."""
    set_up(program)
    first_number = program.table()["table"]["next_number"]
    firsts = range(1 if whole else 17, 21, 4)
    sides = CHALLENGE_SIDES if whole else [CHALLENGE_SIDES[0][:2] + CHALLENGE_SIDES[1][1:2]]
    with pages_of(browser, program) as opened:
        throw_and_see(tray, program, opened("/display", 1280, 720), firsts, sides)
    numbers = [roll["number"] for roll in program.table()["table"]["free_rolls"]]
    throws = len(firsts) + len(sides)
    last = range(max(0, throws - 5), throws)
    assert numbers == [first_number + place for place in last], "every throw, each once; the last five are kept"


def throw_and_see(
    tray: EmulatedTray, program: Program, page: Page, firsts: Sequence[int], dice: Sequence[Sequence[tuple[Face, int]]]
) -> None:
    """Four d20s with the faces from each of `firsts` on, then Challenge Dice."""
    for first in firsts:
        faces = range(first, first + 4)
        tray.throw({slot: D20S[slot].uid(face) for slot, face in enumerate(faces)})
        shown = page.locator("#stage .die-face")
        for slot, face in enumerate(faces):
            expect(shown.nth(slot)).to_have_attribute("aria-label", f"d20: {face}", timeout=PAINTED)
        tray.clear(0, 1, 2, 3)
        until(partial(is_empty, program), 60)
        time.sleep(PICKED_UP)
    for sides in dice:
        tray.throw({slot: CHALLENGE_DICE[slot].uid(side, nth) for slot, (side, nth) in enumerate(sides)})
        shown = page.locator("#stage .die-face")
        for slot, (side, _) in enumerate(sides):
            words = "Effect" if side is Symbol.EFFECT else str(side)
            expect(shown.nth(slot)).to_have_attribute("aria-label", f"Challenge Die: {words}", timeout=PAINTED)
        tray.clear(0, 1, 2)
        until(partial(is_empty, program), 60)
        time.sleep(PICKED_UP)


def test_a_throw_counts_once_through_lost_acknowledgements_kills_and_resets(
    tray: EmulatedTray, program: Program
) -> None:
    program.send("declare_task", declaration=declaration(set_up(program)))
    tray.send("lose 20")
    tray.throw({0: D20S[0].uid(4), 1: D20S[1].uid(13)})
    until(lambda: (program.table()["table"]["task"] or {}).get("outcome") is not None, 60)
    view = program.table()
    task, sequence = view["table"]["task"], view["sequence"]
    assert [die["die"]["face"] for die in task["dice"]] == [4, 13]
    program.kill()
    tray.send("lose 0")
    program.start()
    until(lambda: source(program, "tray").get("state") == "ready", 60)
    tray.send("reset external")
    time.sleep(3.0)  # the tray starts, is asked for everything, and tells it again
    until(lambda: source(program, "tray").get("state") == "ready", 60)
    assert program.table()["table"]["task"] == task
    assert not free_rolls(program)
    assert program.table()["sequence"] == sequence, "the journal took in nothing more"


def test_a_kiosk_killed_at_any_moment_of_a_throw_reads_it_once(tray: EmulatedTray, program: Program) -> None:
    set_up(program)
    for number, delay in enumerate((0.2, 0.7), start=1):
        tray.throw({0: D20S[0].uid(number)})
        time.sleep(delay)
        program.kill()
        program.start()
        until(lambda: [number] in free_rolls(program), 60)  # noqa: B023 - it is called in this round only
        tray.clear(0)
        until(partial(is_empty, program), 60)
        time.sleep(PICKED_UP)
    known = [faces for faces in free_rolls(program) if faces != [None]]
    assert known == [[1], [2]], "a die whose meaning nobody told in time may have been asked about, once"
