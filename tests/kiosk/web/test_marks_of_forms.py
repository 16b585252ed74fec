"""Every form of every page is about what the kiosk compares its tap with, or it would be refused for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from html.parser import HTMLParser
from random import Random
from typing import Any, Final

import pytest

from kiosk.errors import StaleError, WireError
from kiosk.storage.wire import command_of
from kiosk.views.about import ANY_TIME, mark_of, require_about
from kiosk.views.option_fields import taken
from kiosk.web.forms import commands_of
from rules.game import Refusal, Ruleset
from tests.kiosk.desk import Desk, StillClock, got
from tests.kiosk.memory_journal import MemoryJournal
from tests.recorded.plays import fighting, relaxed
from tests.rules.tabletop import Game
from tests.rules.wild import fight_on_foot, ship_duel

PAGES: Final = (
    "/gm",
    "/play",
    "/play?declare=yes",
    "/play/fight",
    "/play/table",
    "/conflict",
    "/text",
    "/gm?declare=yes",
)

ROUNDS: Final = 4
"""How often each page is looked at in a course of play, which goes on between."""

EVERYWHERE: Final = frozenset({"option", "adjust_stress", "set_difficulty", "use_value", "start_scene", "undo"})
"""Forms that each course of play has on its pages."""

BESIDE: Final = frozenset({"say_row", "hidden", "back_to", "join", "hold"})
"""Forms that decide nothing by themselves, or by a way of their own."""


class Forms(HTMLParser):
    """Reads the forms of a page, each as its action, what it is about, and its fields as a browser would send them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str, dict[str, str]]] = []
        self._fields: dict[str, str] | None = None
        self._list = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._fields = {}
            action = given.get("action", "").rpartition("/")[2]
            self.found.append((action, given.get("data-act", ""), self._fields))
        elif self._fields is None:
            return
        elif tag == "input":
            self._entered(given)
        elif tag == "select":
            self._list = given.get("name", "")
        elif tag == "option" and self._list and given.get("value") and ("selected" in given or not self._chosen()):
            self._fields[self._list] = given["value"]
        elif tag == "button" and given.get("name"):
            self._fields.setdefault(given["name"], given.get("value", ""))
        if tag == "button" and given.get("data-act"):
            action = given.get("formaction", self.found[-1][0]).rpartition("/")[2]
            self.found.insert(-1, (action, given["data-act"], self._fields))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._fields = None
        if tag == "select":
            self._list = ""

    def _chosen(self) -> bool:
        return bool(self._fields and self._fields.get(self._list))

    def _entered(self, given: dict[str, str]) -> None:
        assert self._fields is not None
        kind, name = given.get("type", "text"), given.get("name", "")
        if kind in {"checkbox", "radio"}:
            if "checked" in given or (kind == "radio" and name not in self._fields) or name.startswith("die"):
                self._fields[name] = given.get("value", "on")
        elif name:
            typed = {"number": given.get("min") or "1", "text": "1"}.get(kind, "")
            self._fields[name] = given.get("value") or typed


def sent(desk: Desk, page: str) -> Iterator[tuple[str, str]]:
    """Each form of `page` that can be sent as it stands, and why its tap would be refused as too late: mostly empty."""
    client = desk.client()
    state = got(client, "/api/v1/table")
    for action, act, fields in Forms(client.get(page).get_data(as_text=True)).found:
        about = fields.get("about") or (mark_of(state["about"], act) if act and act not in ANY_TIME else "")
        if action in BESIDE or not about:
            continue
        with suppress(WireError, Refusal):
            offered = {one["option_id"]: one for one in state["options"]}
            asked: Any = (
                [taken(offered[fields["option"]], fields)]
                if action == "option"
                else commands_of(action, fields, state["table"])
            )
            first = {name: value for name, value in next(iter(asked), {}).items() if name != "player_name"}
            if not first:
                continue
            try:
                require_about(desk.views.present(), command_of(first).command, about)
            except StaleError:
                yield action, f"{page}: {action} about {act} sends {first['command']}"
            else:
                yield action, ""


@pytest.mark.parametrize(
    ("scene", "ruleset", "seed"),
    [
        (Game, Ruleset.CORE_1E, 21),
        (fight_on_foot, Ruleset.CORE_1E, 11),
        (fight_on_foot, Ruleset.SECOND_EDITION, 12),
        (ship_duel, Ruleset.CORE_1E, 13),
        (ship_duel, Ruleset.SECOND_EDITION, 14),
    ],
)
def test_what_a_form_is_about_is_what_its_command_is_compared_with(
    scene: Callable[[Ruleset], Game], ruleset: Ruleset, seed: int
) -> None:
    game, journal, chance = scene(ruleset), MemoryJournal(StillClock()), Random(seed)  # noqa: S311 - the course of play
    for decision in game.decisions:
        journal.append(decision)
    move = relaxed if scene is Game else fighting
    seen: set[str] = set()
    with Desk(journal=journal) as desk:
        me = desk.views.present().table.characters[0].character_id
        for page in PAGES * ROUNDS:
            with suppress(Refusal):
                desk.engine.submit(move(desk.views.present().table, chance), "test")
            for action, late in sent(desk, f"{page}{'&' if '?' in page else '?'}me={me}"):
                assert not late
                seen.add(action)
    assert seen >= EVERYWHERE
