"""The table's screen is chosen once, seen by everyone at once, kept, and its letters reach the farthest player."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from kiosk.compose import build
from kiosk.config import load_config
from kiosk.views.screen import LARGEST_KEY_SHARE, Screen, ScreenChoice, letter_share, readable_metres
from kiosk.web.screen_form import shown
from tests.kiosk.desk import Desk, got, post
from tests.kiosk.storage.test_preferences import BARE
from tests.kiosk.web.test_pages import read, words

LEAST_ANGLE = 20 / 60


def screen(diagonal: float = 24.0, distance: float = 2.0) -> Screen:
    return Screen(diagonal_inches=diagonal, distance_metres=distance, theme="dark", flip=False, wait_for_voice=False)


@given(st.floats(3, 120), st.floats(0.3, 10))
def test_letters_are_seen_large_enough_from_where_they_are_said_to_be(diagonal: float, distance: float) -> None:
    """UX.md: 20 minutes of arc; worked out backwards from the letters on the screen."""
    given_screen = screen(diagonal, distance)
    share = min(LARGEST_KEY_SHARE, letter_share(given_screen))
    height = diagonal * 25.4 * 9 / math.hypot(16, 9)
    capital = share / 100 * height * 0.67
    angle = math.degrees(math.atan(capital / (readable_metres(given_screen) * 1000)))
    assert angle == pytest.approx(LEAST_ANGLE, rel=0.001)
    assert readable_metres(given_screen) <= distance


@pytest.mark.parametrize(("diagonal", "distance", "pixels"), [(24, 2, 63), (24, 3, 94), (43, 3, 53)])
def test_letters_are_as_large_as_measured(diagonal: float, distance: float, pixels: int) -> None:
    """The sizes of UX.md on screens 1,080 pixels high."""
    assert letter_share(screen(diagonal, distance)) / 100 * 1080 == pytest.approx(pixels, abs=1)


def test_a_screen_that_is_too_small_says_how_far_it_reaches() -> None:
    assert shown(screen()).far_enough
    small = shown(screen(7, 3))
    assert not small.far_enough
    assert float(small.readable) < 3


def choose(client: FlaskClient, **fields: str) -> tuple[int, str]:
    token = re.search(r'name="token" value="([^"]*)"', read(client, "/screen"))
    assert token is not None
    answer = client.post("/screen", data={"token": token[1], **fields}, follow_redirects=True)
    return answer.status_code, answer.get_data(as_text=True)


def test_it_is_chosen_on_its_page_and_seen_on_every_page() -> None:
    with Desk() as desk:
        client = desk.client()
        status, page = choose(client, diagonal_inches="43", distance_metres="3,5", theme="light", flip="yes")
        assert (status, desk.screen.now.distance_metres, desk.screen.now.flip) == (200, 3.5, True)
        assert "43 inches, read from 3.5 metres" in words(page)
        assert 'data-theme="light"' in read(client, "/display")
        assert 'data-theme="dark"' in read(client, "/play"), "a phone's colours are its own"
        assert "data-flip" in read(client, "/display")
        assert "data-flip" not in read(client, "/play")
        assert got(client, "/api/v1/table")["screen"]["theme"] == "light"
        choose(client, diagonal_inches="43", distance_metres="3.5", theme="light")
        assert "data-flip" not in read(client, "/display")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"diagonal_inches": "large", "distance_metres": "2", "theme": "dark"}, "The diagonal must be a number"),
        ({"diagonal_inches": "24", "distance_metres": "", "theme": "dark"}, "The distance must be a number"),
        ({"diagonal_inches": "2", "distance_metres": "2", "theme": "dark"}, "from 3 to 120 inches"),
        ({"diagonal_inches": "nan", "distance_metres": "2", "theme": "dark"}, "from 3 to 120 inches"),
        ({"diagonal_inches": "24", "distance_metres": "2", "theme": "pink"}, "choose the colours from the list"),
    ],
)
def test_what_is_no_screen_is_refused_in_words_and_changes_nothing(fields: dict[str, str], said: str) -> None:
    with Desk() as desk:
        before = desk.screen.now
        status, page = choose(desk.client(), **fields)
        assert status == 400
        assert said in words(page)
        assert desk.screen.now == before


def test_a_form_from_elsewhere_changes_nothing() -> None:
    with Desk() as desk:
        fields = {"token": "stolen", "diagonal_inches": "24", "distance_metres": "2", "theme": "light"}
        assert desk.client().post("/screen", data=fields).status_code == 403
        assert desk.screen.now.theme == "dark"


def test_the_api_changes_only_what_it_names() -> None:
    with Desk() as desk:
        status, body = post(desk.client(), "/api/v1/screen", {"theme": "black-yellow"})
        assert (status, body["theme"], body["diagonal_inches"]) == (200, "black-yellow", 24.0)
        assert post(desk.client(), "/api/v1/screen", {"theme": "lime"})[0] == 400


def test_what_was_chosen_outlives_a_restart_beside_what_was_chosen_for_the_voice(tmp_path: Path) -> None:
    for diagonal, muted in ((24.0, False), (55.0, True)):
        kiosk = build(load_config(None, BARE), tmp_path / "data")
        services = kiosk.services
        assert (services.screen.now.diagonal_inches, services.voice.muted) == (diagonal, muted)
        services.screen.choose(ScreenChoice(diagonal_inches=55.0))
        services.voice.muted = True
        kiosk.stop()
