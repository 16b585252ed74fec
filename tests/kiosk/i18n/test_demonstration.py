"""What a demonstration shows and says is in the listener's language: its buttons, and why nothing was thrown."""

from __future__ import annotations

import re
from random import Random
from typing import Final

import pytest

from firmware_bridge.simulator import SLOTS, SimulatedTray
from kiosk.devices.demo import DemoStage, Thrower
from kiosk.errors import KioskError
from kiosk.i18n.room import Room
from rules.dice import DieKind, SourceKind, SourceState, SourceStatus
from tests.kiosk.desk import HEADERS, LANGUAGES, Desk, send

BUTTON: Final = re.compile(r'"/api/v1/demo/throw"[^>]*>(?:<svg.*?</svg>)?(?:<span>)?([^<]+)<')
ENGLISH: Final = re.compile(r"\b(?:and|between|camera|dice|is|not|the|throw|tray)\b", re.IGNORECASE)
"""Words that no sentence of the other languages has."""


def throw_too_many(_: tuple[DieKind, ...]) -> None:
    SimulatedTray(Random(19)).throw_some([DieKind.D20] * (SLOTS + 1), 0.0)  # noqa: S311 - nothing lands


def buttons(desk: Desk, language: str) -> list[str]:
    """What stands on the buttons that throw, on the pages where three Challenge Dice are awaited from the tray."""
    client = desk.client()
    send(client, "set_up_table", ruleset="core-1e", players=["Ada"])
    send(client, "declare_challenge", count=3)
    desk.sources.tell(SourceStatus(SourceKind.TRAY, SourceState.READY, "Ready."))
    pages = [client.get(path, headers={"Accept-Language": language}).text for path in ("/display", "/gm", "/play")]
    assert all("watching" in one or language != "en" for one in pages[1:])
    return [word for page in pages for word in BUTTON.findall(page)]


def sentences(language: str, thrower: Thrower) -> list[str]:
    """What a demonstration shows and says, where `thrower` is its tray and its camera is not there."""
    stage = DemoStage()
    stage.add(SourceKind.TRAY, thrower)
    with Desk(demo=stage, room=Room(LANGUAGES, language)) as desk:
        told = buttons(desk, language)
        for where in ("tray", "camera"):
            headers = {**HEADERS, "Accept-Language": language}
            answer = desk.client().post("/api/v1/demo/throw", json={"where": where}, headers=headers)
            told.append(answer.get_json()["detail"])
    return told


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_nothing_that_a_demonstration_says_stays_english(language: str) -> None:
    said = sentences(language, throw_too_many)
    assert len(said) == 10, said
    assert [one for one in said if ENGLISH.search(one)] == []


def test_a_sentence_of_a_demonstration_that_stays_english_is_found() -> None:
    def jam(_: tuple[DieKind, ...]) -> None:
        raise KioskError("the tray is jammed")

    assert len([one for one in sentences("de", jam) if ENGLISH.search(one)]) == 1
    assert all(ENGLISH.search(one) for one in sentences("en", throw_too_many))


def test_outside_of_a_demonstration_no_button_throws() -> None:
    with Desk() as desk:
        assert buttons(desk, "en") == []
