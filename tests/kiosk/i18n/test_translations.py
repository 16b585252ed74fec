"""The translators' files: nothing is missing, every place is kept, and what is spoken can be spoken."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Final

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from kiosk.i18n.glossary import read_glossary
from kiosk.i18n.languages import FOLDER
from tests.words import PYTHON, collected, kept, templates_of

LANGUAGES: Final = sorted(path.stem for path in FOLDER.glob("*.po"))

COMPLETE: Final = ("de", "es", "fr")
"""Languages in which not one template may stay English."""

MOST_TIMES: Final = 1.6
SPARE: Final = 16
"""The largest ratio of a translation's length to the English one, plus a long word: a label of a few letters easily
doubles,
as "Undo" does, while a whole sentence of these languages takes some 30 % more. Pages are tried with such words in
tests/e2e/test_long_words.py."""

UNSPOKEN: Final = re.compile(
    r"[\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}\N{MULTIPLICATION SIGN}→←÷±≥≤•*_|\\^~<>{}\[\]#]|\s-\d|\.\.\.|…\w"
)
"""What a voice spells out, leaves out or stumbles over."""

TYPED: Final = re.compile(r"[`/=@|]|\bsudo\b|\.toml|--")
"""A template about addresses, files and commands: it is read, not heard."""

_PERCENT: Final = re.compile(r"%\((\w+)\)s")


@cache
def book_of(language: str) -> Catalog:
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def messages(language: str) -> Iterator[tuple[str, str, Message]]:
    """Each translation that is there beside the English template of the same form."""
    for message in book_of(language):
        if not message.id:
            continue
        if isinstance(message.id, str):
            forms = [(message.id, str(message.string or ""))]
        else:
            one, several = message.id
            given = message.string if isinstance(message.string, tuple | list) else ()
            forms = [(one if place == 0 else several, str(text or "")) for place, text in enumerate(given)]
        for english, text in forms:
            if text:
                yield english, text, message


def places(template: str) -> frozenset[str]:
    found = {name for _, name, _, _ in Formatter().parse(template) if name is not None} if "{" in template else set()
    return frozenset(found) | frozenset(_PERCENT.findall(template))


def test_every_template_is_in_the_files_of_the_translators() -> None:
    """After a change of words: `make words`."""
    wanted = {one.id if isinstance(one.id, str) else tuple(one.id) for one in collected() if one.id}
    for name, book in ({"pot": kept()} | {code: book_of(code) for code in LANGUAGES}).items():
        found = {one.id if isinstance(one.id, str) else tuple(one.id) for one in book if one.id}
        assert wanted - found == set(), f"{name}: run make words"
        assert name != "pot" or found == wanted, "run make words"


def lacking_in(book: Catalog) -> list[object]:
    found: list[object] = []
    for message in book:
        forms = (message.string,) if isinstance(message.string, str) or message.string is None else message.string
        if message.id and (message.fuzzy or not forms or not all(forms)):
            found.append(message.id)
    return found


def test_a_line_that_moves_changes_nothing_for_the_translators(tmp_path: Path) -> None:
    lines = ['say("Threat")\n', 'say_count(2, "{number} die", "{number} dice")\n', 'say("Aim")\n']
    found = []
    for number, order in enumerate(itertools.permutations(lines)):
        path = tmp_path / f"{number}.py"
        path.write_text("\n\n".join(order) + order[0])
        found.append(templates_of(path, "python", PYTHON))
    assert found == [["Aim", "Threat", ("{number} die", "{number} dice")]] * 6


def test_nothing_stays_english() -> None:
    assert {code: lacking for code in COMPLETE if (lacking := lacking_in(book_of(code)))} == {}


def test_what_stays_english_is_found() -> None:
    book = Catalog(locale="de")
    book.add("Back", "Zurück")
    book.add(("one", "several"), ("eins", "viele"))
    assert lacking_in(book) == []
    book.add("Undo", "")
    book.add("Redo", "Wieder", flags=("fuzzy",))
    book.add(("{number} die", "{number} dice"), ("{number} Würfel", ""))
    assert lacking_in(book) == ["Undo", "Redo", ("{number} die", "{number} dice")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_places_of_its_template(language: str) -> None:
    wrong = [
        (english, text)
        for english, text, message in messages(language)
        if places(text) | {"number", "num"} != places(english) | {"number", "num"}
        or (isinstance(message.id, str) and places(text) != places(english))
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_finds_room_on_the_screens(language: str) -> None:
    wrong = [
        (len(english), len(text), english, text)
        for english, text, _ in messages(language)
        if len(text) > MOST_TIMES * len(english) + SPARE
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_spoken_can_be_spoken(language: str) -> None:
    """No signs, no minus sign, no marks of the page: what the English template does without, the translation does."""
    wrong = []
    for english, text, message in messages(language):
        from_rules = any(str(where).startswith(("rules/", "kiosk/panel/spoken")) for where, _ in message.locations)
        bare, plain = re.sub(r"\{\w+\}", "x", text), re.sub(r"\{\w+\}", "x", english)
        if from_rules and not TYPED.search(english) and UNSPOKEN.search(bare) and not UNSPOKEN.search(plain):
            wrong.append((english, text))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_ends_as_its_template(language: str) -> None:
    """Sentences are put together: one without its end would run into the next; a name with one would break it."""
    ends = tuple(".!?:,")
    wrong = [
        (english, text)
        for english, text, _ in messages(language)
        if english.endswith(ends) is not text.replace("\u00a0", " ").rstrip("»“").endswith(ends)
        or (english[:1].isalnum() and text[:1].isspace())
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_forms_of_the_glossary_are_those_of_the_translations(language: str) -> None:
    """A term that stands nowhere cannot be replaced by a table's own."""
    path = FOLDER / f"{language}.glossary.toml"
    terms = read_glossary(path)
    texts = "\n".join(text for _, text, _ in messages(language)).casefold()
    lost = [
        (term, form, words)
        for term, forms in terms.items()
        for form, words in forms.items()
        if not re.search(rf"(?<!\w){re.escape(words.casefold())}(?!\w)", texts)
    ]
    assert lost == []
    owners: dict[str, str] = {}
    for term, forms in terms.items():
        for words in forms.values():
            assert owners.setdefault(words, term) == term, f"{words!r} is a form of {owners[words]} and of {term}"
