"""Names in Arabic on every page: each is set apart from the words round it, and comes back as it was typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from kiosk.i18n.current import apart_now, page_catalog
from kiosk.ports import SOURCE_LANGUAGE
from kiosk.storage.typed_text import visible
from kiosk.views.page_words import number_kept, numbered
from rules.state.vocabulary import System, TraitKind
from rules.words import capitalized, joined_by, listed, say, spoken
from tests.kiosk.desk import Desk, got, post, send
from tests.kiosk.web.test_person_pages import BROWSER
from tests.kiosk.web.test_persons import opened

ARABIC: Final = re.compile("[\u0600-\u06ff]")
APART: Final = re.compile("\u2068[^\u2068\u2069]*\u2069")
VOID: Final = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
SEEN: Final = frozenset({"aria-label", "alt", "title", "placeholder", "data-said", "data-told", "data-yes"})

KEPT: Final = frozenset({"value", "href", "id", "data-listener"})
"""Attributes that come back to the kiosk."""

LAYLA, OMAR, GUARD, SHIP = "ليلى القمر", "عمر", "الحارس ٢", "نجمة"
PAGES: Final = (
    *("/", "/setup", "/display", "/screen", "/gm", "/conflict", "/text", "/reference", "/me", "/voice", "/keys"),
    *("/play", "/play/sheet", "/play/fight", "/play/log", "/play/table", "/play/sheet?change=yes", "/play?choose=yes"),
    *("/gm?declare=yes", "/play?declare=yes", "/text?declare=yes&more=yes"),
)


class _Page(HTMLParser):
    """Finds what is shown in Arabic among other words without being set apart, and field values that are set apart."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.found = 0
        self.apart: set[str] = set()
        self._within: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name, value in attrs:
            if name in SEEN:
                self._look(value or "", name)
            elif name in KEPT and "\u2068" in (value or ""):
                self.faults.append(f"{tag} {name}={value}: set apart where nobody reads it")
        if tag not in VOID:
            self._within.append((tag, given.get("dir") == "auto" or tag == "bdi"))

    def handle_endtag(self, tag: str) -> None:
        while self._within and self._within.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if any(tag == "textarea" for tag, _ in self._within):
            if "\u2068" in data:
                self.faults.append(f"textarea: {data}")
        elif not any(auto for _, auto in self._within):
            self._look(data, "/".join(tag for tag, _ in self._within[-3:]))
        else:
            self.found += bool(ARABIC.search(data))

    def _look(self, shown: str, where: str) -> None:
        self.found += bool(ARABIC.search(shown))
        self.apart.update(APART.findall(shown))
        left = APART.sub("", shown)
        if ARABIC.search(left) or "\u2068" in left or "\u2069" in left:
            self.faults.append(f"{where}: {shown.strip()}")


def looked_at(html: str) -> _Page:
    page = _Page()
    page.feed(html)
    return page


def table(client: FlaskClient) -> dict[str, Any]:
    found: dict[str, Any] = got(client, "/api/v1/table")["table"]
    return found


def ids(client: FlaskClient) -> dict[str, str]:
    now = table(client)
    people = {one["name"]: one["character_id"] for one in now["characters"]}
    return people | {one["name"]: one["ship_id"] for one in now["ships"]}


def set_table(client: FlaskClient) -> None:
    send(client, "set_up_table", ruleset="core-1e", players=["سلمى", "Ben"])
    known = {
        "attributes": dict.fromkeys(("control", "daring", "fitness", "insight", "presence", "reason"), 9),
        "disciplines": dict.fromkeys(("command", "conn", "security", "engineering", "science", "medicine"), 3),
        "weapons": ["phaser_type_2", "phaser_type_3"],
    }
    first = table(client)["players"][0]["player_id"]
    send(client, "save_character", name=LAYLA, focuses=["نجوم"], values=["لا أترك أحدا"], player_id=first, **known)
    send(client, "save_character", name=OMAR, focuses=["طب"], values=["السلام"], **known)
    send(client, "save_character", name=GUARD, standing="notable_npc", **known)
    ship = {"systems": dict.fromkeys([one.value for one in System], 9), "departments": known["disciplines"]}
    phasers = {"name": "ليزر", "kind": "energy", "rating": 7, "optimal_range": "medium"}
    send(client, "save_ship", name=SHIP, scale=4, weapons=[phasers], **ship)
    send(client, "start_scene", name="الجسر")
    send(client, "add_trait", name="ظلام", kind="trait")
    send(client, "begin_extended_task", label="شفرة", work=6, magnitude=2, resistance=0, difficulty=2)


def moments(client: FlaskClient) -> Iterator[str]:
    """What the pages are looked at in."""
    set_table(client)
    who = ids(client)
    yield "set up"
    task = {"character_id": who[LAYLA], "attribute": "control", "discipline": "security", "difficulty": 1}
    send(client, "ask_for_task", **task, label="افتح الباب")
    yield "asked for"
    send(client, "declare_task", declaration=task | {"label": "افتح الباب", "opposed": True, "opponent_id": who[GUARD]})
    yield "declared"
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=[1, 20])
    yield "opposed"
    send(client, "undo")
    send(client, "undo")
    send(client, "declare_task", declaration=task | {"label": "افتح الباب"})
    send(client, "enter_dice", request=table(client)["request"]["number"], faces=[1, 20])
    yield "with a Complication"
    send(client, "take_complication", name="انذار")
    yield "done"
    fighters = [{"combatant_id": who[name]} for name in (LAYLA, OMAR, GUARD)]
    send(client, "start_conflict", kind="personal", combatants=fighters)
    yield "a fight"
    send(client, "begin_turn", combatant_id=who[LAYLA])
    yield "a Turn"
    action = {"name": "attack", "target_id": who[GUARD], "weapon": "phaser_type_2"}
    send(client, "declare_task", declaration={"character_id": who[LAYLA], "action": action})
    yield "an attack"


@pytest.fixture
def desk() -> Iterator[Desk]:
    with opened() as made:
        yield made


def test_names_from_the_right_are_set_apart_on_every_page_at_every_moment(desk: Desk) -> None:
    client = desk.client()
    faults: list[str] = []
    found, apart = 0, set[str]()
    for moment in moments(client):
        me = ids(client)[LAYLA]
        for path in PAGES:
            asked = f"{path}{'&' if '?' in path else '?'}me={me}" if path.startswith("/play") else path
            page = looked_at(client.get(asked, headers=BROWSER).text)
            found += page.found
            apart |= page.apart
            faults += [f"{moment}, {path}: {one}" for one in page.faults]
    assert found > 1000
    assert not faults, "\n".join(dict.fromkeys(faults))
    assert not [one for one in apart if ":" in one or " (" in one], "one name each, and no sentence"
    assert {f"\u2068{one}\u2069" for one in (LAYLA, OMAR, GUARD, SHIP)} <= apart


def test_names_of_somebody_who_plays_many_are_cut_one_by_one(desk: Desk) -> None:
    """A mark that is never closed would turn whatever follows."""
    client = desk.client()
    set_table(client)
    card = {"attributes": dict.fromkeys(("control", "daring", "fitness", "insight", "presence", "reason"), 9)}
    card |= {"disciplines": dict.fromkeys(("command", "conn", "security", "engineering", "science", "medicine"), 3)}
    long = f"{LAYLA} " * 5
    for place in range(3):
        send(client, "save_character", name=f"{long}{place}", **card)
    persons = desk.services.access.persons
    salma = persons.join("", "player", "سلمى").person_id
    for one in table(client)["characters"]:
        if one["name"].startswith(long):
            persons.take(salma, one["character_id"])
    here = client.get("/display").text.partition('<ul id="here"')[2].partition("</ul>")[0]
    short = f"\u2068{long[:27]}…\u2069"
    assert f"\u2068سلمى\u2069 plays {short}, {short}, …." in here, here
    assert looked_at(client.get("/display").text).faults == []


def test_a_page_that_does_not_set_them_apart_is_noticed() -> None:
    good = f"<p>\u2068{LAYLA}\u2069: 2</p><bdi>{LAYLA}</bdi><input value='{LAYLA}'><textarea>{OMAR}</textarea>"
    assert looked_at(good).faults == []
    bad = f"<p>{LAYLA}: 2</p><a title='{OMAR}'></a><input value='\u2068{OMAR}\u2069'><textarea>\u2068</textarea>"
    assert len(looked_at(bad).faults) == 4
    assert len(looked_at(f"<p>\u2068{LAYLA}</p><p>\u2068{LAYLA}…, \u2068{OMAR}\u2069</p>").faults) == 2, "never closed"


def test_only_what_is_written_in_the_other_direction_is_set_apart() -> None:
    page = page_catalog(SOURCE_LANGUAGE)
    hit = say("{name} hits {who}: {damage} damage", name=LAYLA, who="Brack", damage=5)
    assert hit.rendered(page) == f"\u2068{LAYLA}\u2069 hits Brack: 5 damage"
    assert hit.rendered(SOURCE_LANGUAGE.catalog) == f"{LAYLA} hits Brack: 5 damage", "a voice and the journal have none"
    assert numbered(number_kept(hit.rendered(page))).endswith("Brack: 5\u00a0damage")
    assert number_kept(f"\u2068{OMAR} 2\u2069: 3 damage") == f"\u2068{OMAR}\u00a02\u2069: 3 damage"
    both = listed([LAYLA, joined_by(": ", [OMAR, "Ada"])]).rendered(page)
    assert both == f"\u2068{LAYLA}\u2069 and \u2068{OMAR}\u2069: Ada"
    kind = say("{kind} {name}", kind=capitalized(TraitKind.TRAIT), name=capitalized(spoken(OMAR)))
    assert kind.rendered(page) == f"Trait \u2068{OMAR}\u2069"
    assert say("Taken back: {what}.", what=spoken(hit)).rendered(page).startswith(f"Taken back: \u2068{LAYLA}\u2069")
    assert [apart_now(one) for one in ("Ada", OMAR, "12")] == ["Ada", f"\u2068{OMAR}\u2069", "12"]
    assert apart_now(f"\u2068{OMAR}\u2069, 3") == f"\u2068{OMAR}\u2069, 3"


def test_a_name_that_was_copied_from_a_page_is_the_same_name(desk: Desk) -> None:
    client = desk.client()
    set_table(client)
    assert visible(f" \u2068{OMAR}\u2069, Ada") == f" {OMAR}, Ada"
    status, told = post(client, "/api/v1/commands", {"command": "add_player", "name": "\u2068سلمى\u2069"})
    assert (status, told["detail"]) == (409, "\u2068سلمى\u2069 is already at the table; choose another name.")
    assert LAYLA in [one["name"] for one in table(client)["characters"]], "programs have names as they are"


def test_fields_for_names_and_notes_follow_what_is_typed(desk: Desk) -> None:
    client = desk.client()
    set_table(client)
    who = ids(client)[LAYLA]
    for path in (f"/setup?character={who}", f"/play/sheet?change=yes&me={who}", "/gm?declare=yes", "/me", "/text"):
        html = client.get(path, headers=BROWSER).text
        fields = re.findall(r'<textarea [^>]*>|<input [^>]*type="text"[^>]*>', html)
        assert fields, path
        assert [one for one in fields if 'dir="auto"' not in one and 'inputmode="numeric"' not in one] == [], path
