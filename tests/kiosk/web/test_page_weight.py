"""How much a phone loads before it can be used: one page, with the styles and modules that it really takes."""

from __future__ import annotations

import gzip
import re

import pytest
from flask.testing import FlaskClient

from kiosk.web.compression import LEVEL
from tests.kiosk.desk import Desk, send
from tests.kiosk.web.test_pages import PAGES, press, read, set_up


def loaded_with(page: str, client: FlaskClient) -> dict[str, bytes]:
    """The style sheets, scripts and drawings of ours that a page loads, by address, without letters."""
    named = set(re.findall(r'(?:href|src)="(/static/version-\w+/[^"#]+)', page))
    return {one: client.get(one, buffered=True).data for one in named if not one.endswith(".woff2")}


def sent(body: bytes) -> int:
    """Bytes on the way to a browser."""
    return len(gzip.compress(body, LEVEL))


def test_first_load_is_light(desk: Desk) -> None:
    client = desk.client()
    set_up(client)
    pages = {path: read(client, path) for path in (*PAGES, "/conflict")}
    assert sum(map(len, loaded_with(pages["/play"], client).values())) > 100_000, (
        "scripts are found with all they import"
    )
    sizes = {
        path: sum(sent(body) for body in (page.encode(), *loaded_with(page, client).values()))
        for path, page in pages.items()
    }
    assert max(sizes.values()) < 69_000, sizes


@pytest.mark.parametrize("ruleset", ["core-1e", "second-edition"])
def test_a_ship_duel_is_light_too(desk: Desk, ruleset: str) -> None:
    """The sample crew at their stations against another ship: as many actions as anybody has to choose from."""
    client = desk.client()
    for command in ("set_up", "sample_crew"):
        assert press(client, command, back="/setup", ruleset=ruleset, players="Ada\nBen")[0] == 200
    found = client.get("/api/v1/table").get_json()["table"]
    own = found["ships"][0]
    numbers = {name: own[name] for name in ("systems", "departments", "weapons")}
    send(client, "save_ship", name="Black Comet", scale=4, crew="talented", **numbers)
    foe = client.get("/api/v1/table").get_json()["table"]["ships"][-1]["ship_id"]
    people = [one["character_id"] for one in found["characters"]]
    seats = [
        {"combatant_id": one, "ship_id": own["ship_id"], "station": station}
        for one, station in zip(people, ("tactical", "helm", "command", "sensors"), strict=False)
    ]
    send(client, "start_conflict", kind="starship", combatants=[*seats, {"combatant_id": foe}], begins=people[0])
    send(client, "begin_turn", combatant_id=people[0])
    fight = f"/play/fight?me={people[0]}"
    pages = {path: read(client, path) for path in ("/conflict", fight, "/gm", "/display")}
    assert pages["/conflict"].count('class="action"') > 30
    assert pages[fight].count('class="action"') > 30
    sizes = {
        path: sum(sent(part) for part in (page.encode(), *loaded_with(page, client).values()))
        for path, page in pages.items()
    }
    assert max(sizes.values()) < 76_000, sizes
