"""The panel's three buttons and its lamp, against a real engine."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pytest

from kiosk.panel_link import LampWord, PanelLink, lamp_for, yes_for
from tests.kiosk.desk import Desk, got, send
from tests.kiosk.test_api import DECLARATION, set_up


class Lamp:
    """Keeps what it was asked to show."""

    def __init__(self) -> None:
        self.shown: list[LampWord] = []

    def show_word(self, word: LampWord) -> None:
        self.shown.append(word)


class Rig:
    """A desk with a panel."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.lamp = Lamp()
        self.link = PanelLink(desk.engine, desk.voice, self.lamp)
        desk.engine.listen(self.link.committed)
        self.client = desk.client()
        self.character = set_up(self.client)

    def throw(self, *faces: int, **declared: Any) -> None:  # noqa: ANN401 - any field of a declaration
        declaration = {"character_id": self.character, **DECLARATION, **declared}
        send(self.client, "declare_task", declaration=declaration)
        request = self.desk.engine.present().table.request
        assert request is not None
        send(self.client, "enter_dice", request=request.number, faces=list(faces))


@pytest.fixture
def rig() -> Iterator[Rig]:
    with Desk() as desk:
        yield Rig(desk)


def test_confirm_finishes_spending_then_takes_the_complication(rig: Rig) -> None:
    rig.throw(1, 20)
    rig.link.pressed("confirm")
    task = rig.desk.engine.present().table.task
    assert task is not None
    assert task.complications_open == 1
    rig.link.pressed("confirm")
    assert rig.desk.engine.present().table.task is None
    assert rig.desk.journal.entries()[-1].by == "panel"
    assert rig.desk.voice.repeats == 0


def test_confirm_with_nothing_to_confirm_repeats_what_is_asked(rig: Rig) -> None:
    rig.link.pressed("confirm")
    send(rig.client, "declare_task", declaration={"character_id": rig.character, **DECLARATION})
    assert yes_for(rig.desk.engine.present().table) is None, "a press never stands for dice"
    rig.link.pressed("confirm")
    rig.link.pressed("repeat")
    assert rig.desk.voice.repeats == 3


def test_undo_takes_the_last_decision_back_and_at_the_start_repeats(rig: Rig) -> None:
    before = rig.desk.engine.present().table
    send(rig.client, "add_trait", name="Fog")
    rig.link.pressed("undo")
    assert rig.desk.engine.present().table == before
    for _ in range(3):
        rig.link.pressed("undo")
    assert rig.desk.voice.repeats == 1


def test_the_lamp_follows_the_roll(rig: Rig) -> None:
    rig.link.refresh()
    rig.throw(1, 15)
    rig.link.pressed("confirm")
    rig.throw(16, 17)
    assert [one for one, _ in groupby(rig.lamp.shown)] == ["off", "waiting", "success", "waiting", "failure"]
    assert lamp_for(rig.desk.engine.present().table, "the disk is full") == "trouble"


def test_a_throw_that_needs_a_person_asks(rig: Rig) -> None:
    send(rig.client, "declare_task", declaration={"character_id": rig.character, **DECLARATION})
    die = {"kind": "d20", "face": 4, "confidence": 1.0, "state": "read", "source": "manual"}
    send(rig.client, "report_reading", reading={"reading_id": "r1", "source": "manual", "dice": [die] * 3})
    assert rig.lamp.shown[-1] == "asking"
    assert got(rig.client, "/api/v1/table")["questions"]
    rig.link.pressed("confirm")
    assert rig.desk.voice.repeats == 1


def test_a_closed_kiosk_does_not_make_a_press_fail(rig: Rig) -> None:
    rig.desk.engine.stop()
    rig.link.pressed("undo")
    assert rig.desk.voice.repeats == 1
