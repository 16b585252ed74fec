"""Skins: each keeps its contrast, their colours stand in one place, and each device chooses its own."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from flask.testing import FlaskClient

from kiosk.settings import Theme
from kiosk.views.page_words import SKINS
from kiosk.web.listeners import COOKIE
from tests.kiosk.desk import GAMEMASTER_CODE, PHONE, Desk, got, post
from tests.kiosk.web.test_form_results import Forms
from tests.kiosk.web.test_pages import read
from tests.kiosk.web.test_persons import opened

STATIC = Path(__file__).parents[3] / "kiosk" / "static"
BASE = (STATIC / "base.css").read_text(encoding="utf-8")
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(")

WORDS = ("text", "soft", "accent", "success", "failure", "warn")
"""What is read."""
EDGES = ("edge", "focus", "threat")
"""What a control is told by, and the teeth of Threat."""
GROUNDS = ("ground", "panel")
"""What it stands on, beside the colours of the backdrop."""


def skins(css: str) -> dict[str, dict[str, str]]:
    """The custom properties of each skin; what one leaves out is as the first has it."""
    blocks = re.findall(r'(?:^|\n)(?:(:root, \[data-theme\], ))?\[data-theme="([^"]+)"\] \{([^}]*)\}', css)
    assert [bool(everywhere) for everywhere, *_ in blocks] == [True] + [False] * (len(blocks) - 1), "on each card, too"
    found = {name: dict(re.findall(r"--([\w-]+): ([^;]+);", body)) for _, name, body in blocks}
    first = next(iter(found.values()))
    return {name: first | own for name, own in found.items()}


def light(colour: str) -> float:
    """Relative luminance (WCAG)."""
    digits = colour.removeprefix("#")
    pairs = [one * 2 for one in digits] if len(digits) == 3 else [digits[at : at + 2] for at in (0, 2, 4)]
    parts = [int(one, 16) / 255 for one in pairs]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: str, other: str) -> float:
    """The contrast of two colours."""
    lights = sorted((light(one), light(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def faults(skin: dict[str, str]) -> list[str]:
    """What is too weak: words below 7:1 (1.4.6), edges below 3:1 (1.4.11)."""
    grounds = {name: skin[name] for name in GROUNDS}
    grounds |= {f"backdrop {one}": one for one in re.findall(r"#\w+", skin["backdrop"])}
    pairs = [(*pair, 7.0) for pair in product(WORDS, grounds)] + [(*pair, 3.0) for pair in product(EDGES, grounds)]
    found = [f"{name} on {on}" for name, on, least in pairs if ratio(skin[name], grounds[on]) < least]
    return [*found, *(["on-accent"] if ratio(skin["on-accent"], skin["accent"]) < 7 else [])]


@pytest.mark.parametrize("name", get_args(Theme))
def test_each_skin_keeps_its_contrast(name: str) -> None:
    assert faults(skins(BASE)[name]) == []


def test_the_check_sees_a_skin_made_bad() -> None:
    good = skins(BASE)["paper"]
    assert faults(good | {"soft": "#8a7a66"}) == [
        "soft on ground",
        "soft on panel",
        "soft on backdrop #fbf6e9",
        "soft on backdrop #f4ecd8",
    ]
    assert "edge on ground" in faults(good | {"edge": good["hair"]})
    assert faults(good | {"on-accent": good["text"]}) == ["on-accent"]
    assert "text on backdrop #888" in faults(good | {"backdrop": "linear-gradient(#888, #fff)"})


def test_there_are_as_many_as_can_be_chosen_and_none_looks_like_another() -> None:
    found = skins(BASE)
    assert list(found) == list(get_args(Theme)) == [value for value, _ in SKINS]
    assert len({(one["ground"], one["accent"]) for one in found.values()}) == len(found) >= 4


def test_colours_stand_in_one_place() -> None:
    after = BASE.partition("*, *::before")[2]
    assert after
    others = {one.name: one.read_text(encoding="utf-8") for one in STATIC.glob("*.css")}
    for name, css in (others | {"base.css": after}).items():
        assert COLOUR.findall(css) == [], name


def chosen(client: FlaskClient, skin: str, back: str = "/play") -> int:
    """Choose a skin by the form; the status of the answer."""
    form = Forms(read(client, f"/colours?back={back}")).to("/colours")
    return client.post("/colours", data=form | {"skin": skin}).status_code


def theme(client: FlaskClient, path: str) -> str:
    """The skin that the page wears."""
    return read(client, path).partition('data-theme="')[2].partition('"')[0]


@pytest.mark.parametrize("path", ["/display", "/play", "/gm", "/text", "/setup", "/conflict", "/", "/me", "/settings"])
def test_every_kind_of_page_leads_to_the_colours_and_wears_them(path: str) -> None:
    with Desk() as desk:
        mine, others = desk.client(), desk.client()
        assert f'href="/colours?back={path}' in read(mine, path)
        assert chosen(mine, "candlelight", path) == 303
        assert theme(mine, path) == "candlelight"
        assert theme(others, path) == "dark", "another device stays as it is"
        assert got(mine, "/api/v1/table")["screen"]["theme"] == "dark"
        assert chosen(mine, "") == 303
        assert theme(mine, path) == "dark"


def test_a_page_about_what_is_not_there_wears_the_devices_colours_too() -> None:
    with Desk() as desk:
        mine, page = desk.client(), {"Accept": "text/html"}
        assert chosen(mine, "paper") == 303
        assert '<html lang="en" dir="ltr" data-theme="paper">' in mine.get("/nowhere", headers=page).text
        assert 'data-theme=""' in desk.client().get("/nowhere", headers=page).text


def test_the_tables_screen_says_that_this_browser_keeps_its_own_colours() -> None:
    """Also on the gamemaster's own phone: the list is about the room's screen."""
    with opened() as desk:
        phone = desk.client()
        phone.environ_base.update(PHONE)
        assert post(phone, "/api/v1/join", {"gamemaster_code": GAMEMASTER_CODE})[0] == 200
        for mine in (desk.client(), phone):
            assert "Colours of the table's screen" in read(mine, "/screen")
            assert "This browser has colours of its own" not in read(mine, "/screen")
            assert chosen(mine, "paper") == 303
            assert "This browser has colours of its own: Paper." in read(mine, "/screen")


def test_the_letters_chosen_for_the_tables_screen_change_the_page_of_no_other_device() -> None:
    with Desk() as desk:
        mine, others = desk.client(), desk.client()

        def pages() -> dict[str, str]:
            """What another device gets, without the stamps of the page and the marks of its taps."""
            paths = ("/play", "/gm", "/conflict", "/me")
            return {path: re.sub(r'(data-as-of|name="tap" value)="[^"]*"', "", read(others, path)) for path in paths}

        before, display = pages(), read(others, "/display")
        form = Forms(read(mine, "/screen")).to("/screen")
        assert (
            mine.post(
                "/screen", data=form | {"theme": "dark", "diagonal_inches": "24", "distance_metres": "4"}
            ).status_code
            == 303
        )
        assert pages() == before
        assert read(others, "/display") != display, "the table's screen alone"


def test_a_skin_is_kept_beside_what_the_device_chose_of_the_voice() -> None:
    with Desk() as desk:
        client = desk.client()
        post(client, "/api/v1/listener", {"length": "terse"})
        assert chosen(client, "paper") == 303
        assert {key: got(client, "/api/v1/listener")[key] for key in ("length", "skin")} == {
            "length": "terse",
            "skin": "paper",
        }
        assert post(client, "/api/v1/listener", {"skin": "lime"})[0] == 400
        assert chosen(client, "lime") == 400
        client.set_cookie(COOKIE, "spoilt")
        assert theme(client, "/play") == "dark"


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "/nowhere", "javascript:1", ""])
def test_the_way_back_is_never_to_elsewhere(back: str) -> None:
    with Desk() as desk:
        page = desk.client().get("/colours", query_string={"back": back}, environ_overrides=PHONE).text
        assert 'class="button" href="/"' in page
