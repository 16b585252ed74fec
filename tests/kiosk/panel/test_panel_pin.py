"""The PIN typed in by the panel's buttons alone: no digit is said or shown, and what it opens ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from kiosk.errors import AccessError
from kiosk.panel.spoken_menu import LEFT_ALONE
from kiosk.panel.spoken_pin import LEAST
from kiosk.web.access import PIN_LENGTHS, PIN_SECONDS
from tests.kiosk.desk import GAMEMASTER_CODE, post
from tests.kiosk.panel.test_panel_link import Rig
from tests.kiosk.panel.test_panel_rights import BROWSER, PIN, keys, phone, rig, set_pin

__all__ = ["rig"]

Press = Callable[..., object]


def enter(rig: Rig) -> None:
    """Open the menu at the PIN's first digit."""
    rig.press("next")
    rig.press_until("The gamemaster's part")
    rig.press("confirm")
    assert rig.link.shown == "The table's PIN. First digit. It stands at zero."


def dial(rig: Rig, pin: str, press: Press | None = None) -> list[str]:
    """Dial it; all that was said or shown meanwhile."""
    press, said = press or rig.press, []
    for digit in pin:
        for _ in range(int(digit)):
            press("next")
            said.append(rig.link.shown)
        press("confirm")
        said.append(rig.link.shown)
    return said


def locked(client: FlaskClient) -> bool:
    """Whether a page of that browser at the kiosk asks for the PIN."""
    answer = client.get("/api/v1/me", **BROWSER).get_json(force=True)
    return bool(answer["locked"])


def finish(rig: Rig) -> None:
    rig.press_until("That is all", "previous")
    rig.press("confirm")


def test_the_least_of_a_pin_is_the_same_here_and_there() -> None:
    assert PIN_LENGTHS[0] == LEAST


def test_the_pin_is_dialled_and_no_digit_is_said(rig: Rig) -> None:
    set_pin(rig)
    enter(rig)
    said = dial(rig, PIN)
    assert set(said) == {
        "Click.",
        "Second digit. It stands at zero.",
        "Third digit. It stands at zero.",
        "Fourth digit. It stands at zero.",
        "Fifth digit, or that is all. It stands at zero.",
    }, "each press says the same, and none where it stands"
    finish(rig)
    assert rig.link.shown.startswith("The gamemaster's part is open for half an hour; this menu locks it.")
    assert not any(digit in " ".join(said) for digit in PIN)
    rig.press_until("Set how hard")
    other = rig.desk.client()
    assert locked(other), "a browser there asks all the same"
    rig.desk.clock.ticks += PIN_SECONDS
    rig.press("next")
    rig.press_until("The gamemaster's part")


@pytest.mark.parametrize("pin", ["00000000", "11111111"])
def test_the_longest_pin_needs_no_end(rig: Rig, pin: str) -> None:
    assert post(rig.client, "/api/v1/pin", {"pin": pin})[0] == 200
    rig.desk.clock.ticks += PIN_SECONDS + 1
    enter(rig)
    dial(rig, pin)
    assert rig.link.shown.startswith("The gamemaster's part is open")


def test_a_wrong_pin_is_said_to_be_wrong_and_counts(rig: Rig) -> None:
    set_pin(rig)
    enter(rig)
    dial(rig, "1111")
    for _ in range(5):
        with pytest.raises(AccessError):
            rig.desk.access.unlock("127.0.0.1", "9999")
    finish(rig)
    assert rig.link.shown.startswith("That is not the PIN.")
    assert rig.outputs.sounded[-1] == "refused"
    rig.press_until("The gamemaster's part")
    rig.press("confirm")
    dial(rig, PIN)
    finish(rig)
    assert rig.link.shown.startswith("Too many wrong tries.")
    assert rig.desk.access.locked_here()


def test_going_back_leaves_the_pin_and_half_of_one_is_left_to_nobody(rig: Rig) -> None:
    set_pin(rig)
    enter(rig)
    dial(rig, PIN[:3])
    rig.press("confirm!")
    assert rig.link.shown.startswith("What now? The gamemaster's part.")
    rig.press("confirm")
    assert rig.link.shown == "The table's PIN. First digit. It stands at zero."
    dial(rig, PIN[:3])
    rig.desk.clock.ticks += LEFT_ALONE
    rig.link.turn()
    rig.press("next")
    assert "digit" not in rig.link.shown


def test_what_was_opened_is_locked_from_the_menu_for_every_browser_there(rig: Rig) -> None:
    set_pin(rig)
    assert post(rig.client, "/api/v1/pin/unlock", {"pin": PIN}, **BROWSER)[0] == 200
    rig.press("next")
    rig.press_until("Lock the gamemaster's part")
    rig.press("confirm")
    assert rig.link.shown.startswith("The gamemaster's part is locked.")
    assert rig.desk.access.locked_here()
    assert locked(rig.client)


def test_keys_at_the_kiosk_dial_it_too_and_the_gamemasters_device_needs_none(rig: Rig) -> None:
    set_pin(rig)
    here, gamemaster = rig.desk.client(), phone(rig, gamemaster_code=GAMEMASTER_CODE)

    def press(gesture: str) -> None:
        assert keys(rig, here, gesture, **BROWSER) == [200]

    while "The gamemaster's part" not in rig.link.shown:
        press("next")
    press("confirm")
    dial(rig, PIN, press)
    while "That is all" not in rig.link.shown.partition(".")[0]:
        press("previous")
    press("confirm")
    while "Set how hard" not in rig.link.shown:
        press("next")
    rig.desk.access.lock_all()
    keys(rig, gamemaster, "back", "back", "next")
    assert "The gamemaster's part" not in rig.link.shown
