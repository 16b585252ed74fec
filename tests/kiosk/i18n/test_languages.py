"""Each listener has a language: pages, the live stream, refusals and speech; the room keeps its own."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from babel.messages.catalog import Catalog

from kiosk.errors import GlossaryError
from kiosk.i18n import languages as module
from kiosk.i18n.glossary import read_glossary, replacing
from kiosk.i18n.languages import Languages, signs_kept
from kiosk.i18n.room import Room
from kiosk.ports import SOURCE_LANGUAGE
from kiosk.storage.paths import settings_place
from kiosk.storage.preferences import PreferencesFile
from rules.dice import SourceState
from rules.words import say, sentences
from tests.kiosk.desk import GAMEMASTER_CODE, HEADERS, PHONE, TABLE_CODE, Desk, got, post, send
from tests.kiosk.strange import english_in, strange_words
from tests.kiosk.web.test_pages import PAGES, set_up
from tests.words import kept, written

CODES = ("eo", "he")


def strange_file(code: str) -> str:
    """A whole file of words in which each template is strange and begins with the language's code."""
    book = Catalog(locale=code, fuzzy=False)
    words = strange_words()
    for message in kept():
        if not isinstance(message.id, str):
            forms = (f"{code} {words[message.id[-1]]}",) * book.num_plurals
            book.add(tuple(message.id), forms, locations=message.locations)
        elif message.id:
            book.add(message.id, f"{code} {words[message.id]}", locations=message.locations)
    return written(book, code)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("translations")
    for code in CODES:
        (made / f"{code}.po").write_text(strange_file(code), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def languages(folder: Path) -> Languages:
    return Languages(folder)


@pytest.fixture
def desk(languages: Languages) -> Iterator[Desk]:
    with Desk(room=Room(languages), settings={"server.open_to_network": True}) as made:
        yield made


@pytest.fixture
def unread() -> Iterator[None]:
    """What is known of languages is read anew, and no other test has it."""
    module.known_as.cache_clear()
    yield
    module.known_as.cache_clear()


@pytest.mark.usefixtures("unread")
def test_the_names_of_languages_need_nothing_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "babel", None)
    known = {("en", "English"), ("de", "Deutsch"), ("es", "Español"), ("fr", "Français")}
    assert known <= set(Languages().names())  # a language more needs no other test: CONTRIBUTING's recipe


def test_a_page_is_in_the_language_that_the_browser_likes_best_of_those_there_are(desk: Desk) -> None:
    client = desk.client()
    for wanted, code, direction in (
        ("fr, he;q=0.8, eo;q=0.5", "he", "rtl"),
        ("eo-XX", "eo", "ltr"),
        ("fr", "en", "ltr"),
        ("", "en", "ltr"),
        ("eo;q=0, " * 99, "en", "ltr"),
        ("*;;q=x", "en", "ltr"),
    ):
        page = client.get("/", headers={"Accept-Language": wanted}).get_data(as_text=True)
        assert f'<html lang="{code}" dir="{direction}"' in page
        assert (f"{code} {strange_words()['Choose a part']}" in page) is (code != "en")


def test_what_the_device_chose_comes_before_the_browser_and_lasts(desk: Desk) -> None:
    client = desk.client()
    status, listener = post(client, "/api/v1/listener", {"language": "eo"})
    assert (status, listener["language"]) == (200, "eo")
    assert '<html lang="eo"' in client.get("/play", headers={"Accept-Language": "he"}).get_data(as_text=True)
    assert '<html lang="he"' in client.get("/play?language=he").get_data(as_text=True)
    assert '<html lang="eo"' in client.get("/play?language=fr").get_data(as_text=True)


def test_the_tables_screen_is_in_the_rooms_language_on_whatever_device(desk: Desk) -> None:
    client = desk.client()
    post(client, "/api/v1/listener", {"language": "eo"})
    assert '<html lang="en"' in client.get("/display").get_data(as_text=True)
    desk.room.choose("he")
    assert '<html lang="he" dir="rtl"' in client.get("/display").get_data(as_text=True)
    assert got(client, "/api/v1/table")["room_language"] == "he"
    assert '<html lang="he"' in desk.client().get("/", headers={"Accept-Language": "eo"}).get_data(as_text=True), (
        "the kiosk's own browser follows the room until somebody chooses there"
    )
    phone = desk.client().get("/", headers={"Accept-Language": "eo"}, environ_overrides=PHONE)
    assert '<html lang="eo"' in phone.get_data(as_text=True)


def test_the_rooms_language_outlives_a_restart(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    Room(Languages(folder), "eo", PreferencesFile(file)).choose("he")
    again = Room(Languages(folder), "eo", PreferencesFile(file))
    assert (again.chosen, again.language.direction) == ("he", "rtl")
    assert Room(Languages(folder), "eo", PreferencesFile(tmp_path / "none.json")).chosen == "eo"
    assert Room(Languages(folder), "xx").chosen == ""


def test_the_form_of_the_page_chooses_for_the_device_and_for_the_room(desk: Desk) -> None:
    client = desk.client()
    token = desk.access.form_token(desk.access.identify("127.0.0.1", None), None)
    answer = client.post("/language", data={"token": token, "language": "eo"})
    assert answer.status_code == 303
    assert '<html lang="eo"' in client.get("/language").get_data(as_text=True)
    assert client.post("/language", data={"token": token, "whose": "room", "language": "he"}).status_code == 303
    assert desk.room.chosen == "he"
    for refused in ({"language": "xx"}, {"whose": "room", "language": "xx"}, {"language": "eo", "token": "old"}):
        page = client.post("/language", data={"token": token, **refused})
        assert page.status_code in {400, 403}
        assert "eo øøøø" in page.get_data(as_text=True)
    guest = desk.client().post("/language", data={"whose": "room", "language": "eo"}, environ_overrides=PHONE)
    assert guest.status_code == 403
    assert desk.room.chosen == "he"


def parsed(raw: bytes) -> list[tuple[str, dict[str, object]]]:
    found = []
    for block in raw.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(":"))
        if "data" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def test_listeners_of_two_languages_hear_the_same_decision_at_once_each_in_their_own(desk: Desk) -> None:
    set_up(desk.client())
    streams = {code: desk.hub.subscribe(language=desk.room.languages.language(code)) for code in ("eo", "he", "en")}
    iterators = {code: iter(one) for code, one in streams.items()}
    first = {code: parsed(next(one))[0][1] for code, one in iterators.items()}
    desk.views.show_menu("")
    client = desk.client()
    told: dict[str, dict[str, object]] = {}

    def follow(code: str) -> None:
        for chunk in iterators[code]:
            tables = [body for name, body in parsed(chunk) if name == "table"]
            if tables:
                told[code] = tables[-1]
                return

    threads = [threading.Thread(target=follow, args=(code,)) for code in iterators]
    for one in threads:
        one.start()
    post(client, "/api/v1/commands", {"command": "start_scene", "name": "Dock"})
    for one in threads:
        one.join(20)
    for stream in streams.values():
        stream.close()
    assert set(told) == {"eo", "he", "en"}
    words = {code: str(body["narration"]["normal"]) for code, body in told.items()}  # type: ignore[index]  # it is an object
    assert words["eo"].startswith("eo ")
    assert words["he"].startswith("he ")
    assert words["eo"].replace("eo ", "") == words["he"].replace("he ", "")
    assert len({json.dumps(body["table"]) for body in told.values()}) == 1, "values to compare are never translated"
    assert first["en"]["sequence"] == first["eo"]["sequence"]


def test_a_refusal_is_in_the_language_of_whoever_asked(desk: Desk) -> None:
    client = desk.client()
    for code in ("en", *CODES):
        status, problem = post(client, f"/api/v1/commands?language={code}", {"command": "undo"})
        assert status == 409
        assert problem["detail"].startswith(f"{code} ") is (code != "en")
        assert problem["title"].startswith(f"{code} ") is (code != "en")
        missing = client.get(f"/nothing?language={code}", headers={"Accept": "text/html"}).get_data(as_text=True)
        assert f'<html lang="{code}"' in missing
        assert (f"<h1>{code} " in missing) is (code != "en")


@pytest.mark.parametrize("path", ["/camera/card.gif", "/camera/seen.png", "/dice/own-dice.json", "/dice/cases.zip"])
def test_a_file_that_there_is_not_is_refused_in_the_language_of_whoever_asked(desk: Desk, path: str) -> None:
    answer = desk.client().get(f"{path}?language=eo")
    assert answer.status_code in {404, 409}
    assert answer.get_data(as_text=True).startswith("eo ")


def test_a_wrong_code_is_refused_in_the_phones_language(desk: Desk) -> None:
    phone = {**PHONE}
    answer = desk.client().post(
        "/api/v1/join", json={"code": "XXXXXX"}, headers={**HEADERS, "Accept-Language": "eo"}, environ_overrides=phone
    )
    assert answer.get_json()["detail"].startswith("eo ")
    assert TABLE_CODE not in answer.get_data(as_text=True)


def test_what_is_heard_is_what_is_written_in_the_listeners_language(desk: Desk) -> None:
    client = desk.client()
    set_up(client)
    for code in ("en", *CODES):
        narration = got(client, f"/api/v1/table?language={code}")["narration"]
        for length in ("terse", "normal", "full"):
            heard = client.get(f"/api/v1/speech/{narration['id']}.wav?length={length}&language={code}").data.decode()
            assert heard.startswith(f"RIFF{narration[length]} {code} ")


def test_a_command_that_is_offered_comes_back_as_the_journal_keeps_it(desk: Desk) -> None:
    """Whoever taps an option in another language leaves no words of that language in the journal."""
    client = desk.client()
    set_up(client)
    declaration = {"attribute": "reason", "discipline": "science", "difficulty": 0}
    character = got(client, "/api/v1/table")["table"]["characters"][0]["character_id"]
    send(client, "declare_task", declaration={"character_id": character, **declaration})
    plain = got(client, "/api/v1/table")["options"]
    strange = got(client, "/api/v1/table?language=eo")["options"]
    assert [one["command"] for one in plain] == [one["command"] for one in strange]
    assert plain
    assert [one["label"] for one in plain] != [one["label"] for one in strange]


def test_scripts_get_the_words_that_they_need_and_no_page_more_than_it_may_weigh(desk: Desk) -> None:
    page = desk.client().get("/play?language=eo").get_data(as_text=True)
    block = page.split('<script type="application/json" id="catalog">')[1].split("</script>")[0]
    found = msgspec.json.decode(block)
    assert found["engines"] == "eo øøøøøøø"
    assert "<" not in block
    assert 'id="catalog"' not in desk.client().get("/play").get_data(as_text=True)


def test_a_broken_or_missing_file_costs_its_language_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "eo.po").write_bytes(b'msgid "\xff broken')
    (tmp_path / "he.po").write_text('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n')
    languages = Languages(tmp_path)
    assert languages.language("eo") is SOURCE_LANGUAGE
    assert languages.language("xx") is SOURCE_LANGUAGE
    assert languages.language("he").catalog.gettext("Back") == "Back"
    assert [one.message for one in caplog.records].count(
        "The words of 'eo' cannot be read; English is shown and said in their place."
    ) == 1
    assert languages.language("eo") is SOURCE_LANGUAGE
    assert len(caplog.records) == 1


@pytest.mark.usefixtures("unread")
def test_a_broken_babel_costs_the_translations_alone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "babel", None)
    assert desk.services.room.languages.names() == [("en", "English"), ("eo", "eo"), ("he", "he")]
    client = desk.client()
    for path in ("/", "/language", "/display"):
        assert client.get(path).status_code == 200


GLOSSARY = '[Complication]\nsingular = "Komplikation"\nplural = "Komplikationen"\n[Threat]\nsingular = "dräu"\n'


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "eo.glossary.toml").write_text(GLOSSARY)
    (tmp_path / "eo.po").write_text(
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        'msgid "{Komplikation} open"\nmsgstr "{Komplikation}: Komplikation, KomplikationX, Dräu"\n\n'
        'msgid "{number} Complication"\nmsgid_plural "{number} Complications"\n'
        'msgstr[0] "{number} Komplikation"\nmsgstr[1] "{number} Komplikationen"\n'
    )
    made = tmp_path / "own"
    made.mkdir()
    return made


def test_a_table_replaces_whole_terms_in_all_their_forms(own: Path) -> None:
    (own / "glossary.eo.toml").write_text(
        '[Complication]\nsingular = "Verwicklung"\nplural = "Verwicklungen"\n[Threat]\nsingular = "bedroh"\n'
    )
    catalog = Languages(own.parent, (own,)).language("eo").catalog
    assert catalog.gettext("{Komplikation} open") == "{Komplikation}: Verwicklung, KomplikationX, Bedroh"
    assert catalog.ngettext("{number} Complication", "{number} Complications", 2) == "{number} Verwicklungen"
    assert catalog.ngettext("{number} Complication", "{number} Complications", 1) == "{number} Verwicklung"


def test_no_line_of_french_begins_with_a_sign_or_ends_with_an_opening_one() -> None:
    catalog = Languages().language("fr").catalog
    assert catalog.gettext("Also hit: {names}.") == "Aussi touchés\u00a0: {names}."
    assert signs_kept("Qui ? Vous ! Ceci ; « cela » : rien", "fr") == (
        "Qui\u00a0? Vous\u00a0! Ceci\u00a0; «\u00a0cela\u00a0»\u00a0: rien"
    )
    assert signs_kept("Wer ? « x »", "de") == "Wer ? « x »"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[Complication]\nsingular = 'X'", "'Complication' lacks the form 'plural'"),
        ("[Complications]\nsingular = 'X'", "there is no term 'Complications'"),
        ("[Complication]\nsingular = 'X'\nplural = 'Y'\ndual = 'Z'", "has no form 'dual'"),
        ("[Complication]\nsingular = 'X'\nplural = ''", "'Complication', form 'plural'"),
        ("[Complication]\nsingular = '100 %'\nplural = 'Y'", "'Complication', form 'singular'"),
        ("[Complication]\nsingular = '<b>X'\nplural = 'Y'", "without any of {}%<>&"),
        ("[Complication]\nsingular = 'X'\nplural = '{Y}'", "'Complication', form 'plural'"),
        ("Complication = 'X'", "write [Complication]"),
        ("[Complication", "is not valid TOML"),
    ],
)
def test_a_wrong_glossary_is_told_with_its_place_and_leaves_the_words_as_they_came(
    own: Path, text: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    file = own / "glossary.eo.toml"
    file.write_text(text)
    with pytest.raises(GlossaryError, match=r"glossary\.eo\.toml") as found:
        replacing(own.parent, file, "eo")
    assert told in str(found.value)
    catalog = Languages(own.parent, (own,)).language("eo").catalog
    assert "Komplikation," in catalog.gettext("{Komplikation} open")
    assert told in caplog.text


def test_a_glossary_that_is_there_reads(own: Path) -> None:
    assert read_glossary(own.parent / "eo.glossary.toml")["Threat"] == {"singular": "dräu"}


OWN = ("English", "Esperanto", "XQZ", "eo", "Eo", "he", "d20", "http", "join", TABLE_CODE, GAMEMASTER_CODE)
"""Names of languages and of what is plugged in, and codes."""


RULE = re.compile(r"[A-Z0-9]+-[A-Z]?\d+")
"""The number of a rule, which is the same in every language."""


class Shown(HTMLParser):
    """What a page shows, and what of its attributes is read; lines of a settings file are the same for all."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._hidden = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden = tag if tag in {"script", "style", "code"} else ""
        read = [text for name, text in attrs if name in {"aria-label", "alt", "title", "placeholder"} and text]
        self.found += [text for text in read if not RULE.fullmatch(text)]

    def handle_endtag(self, tag: str) -> None:
        if tag == self._hidden:
            self._hidden = ""

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.found.append(data)


def test_pages_leave_nothing_but_names_in_english(desk: Desk) -> None:
    client = desk.client()
    desk.room.choose("eo")
    set_up(client)
    gone = "The dice tray at {address} is gone: it was unplugged, or a second program reads its port."
    lost = sentences(say(gone, address="XQZ"), say("Enter the dice by hand."))
    desk.sources.set("tray", SourceState.LOST, lost, say("Plug it in again; trueroll reconnects by itself."))
    table = got(client, "/api/v1/table")["table"]
    named = " ".join(one["name"] for kind in ("characters", "players", "ships") for one in table[kind])
    typed = " ".join(
        text for one in table["characters"] for text in (*one["focuses"], *(v["text"] for v in one["values"]))
    )
    place = re.findall(r"\w+", str(settings_place()))
    names = frozenset({*f"{named} {typed}".split(), "trueroll", *OWN, *place})
    declaration = {"attribute": "reason", "discipline": "science", "difficulty": 1}
    character = table["characters"][0]["character_id"]
    for step in range(3):
        for path in (*PAGES, "/conflict", "/tray"):
            page = client.get(f"{path}?language=eo").get_data(as_text=True)
            words = {word for text in Shown(page).found for word in english_in(text, names)}
            assert words == set(), path
        if step == 0:
            send(client, "declare_task", declaration={"character_id": character, **declaration})
        elif step == 1:
            request = got(client, "/api/v1/table")["table"]["request"]
            send(client, "enter_dice", request=request["number"], faces=[1] * request["count"])
