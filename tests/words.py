"""Collects every template that a person reads or hears, for those who translate: `python -m tests.words`.

Writes `trueroll.pot` in `kiosk/i18n/translations` and brings each `.po` beside it up to it. No translation is lost: one
whose template is gone stays at the end of its file. Each template stands with the files that have it, not with lines.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

import firmware_bridge
import hardware
import kiosk
import rules
import vision
from kiosk import errors
from kiosk.i18n.languages import ABOUT, FOLDER, told_by_babel
from kiosk.web.startup import TRANSLATED, WORDS

ROOT: Final = Path(kiosk.__file__).parents[1]
TEMPLATE: Final = FOLDER / "trueroll.pot"

PYTHON: Final[dict[str, Any]] = {
    "say": (1,),
    "say_count": (2, 3),
    "known": (1,),
    "_plural": (1, 2),
    "Refusal": (2,),
    "http_problem": (2,),
    "_picture": (2,),
    "_Kind": (2,),
} | {
    name: (1,) for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.KioskError)
}
"""Where each call of the source takes its templates, counted from 1."""

_CALL: Final = re.compile(rf"\b({'|'.join(PYTHON)})\s*\(")

JINJA: Final[dict[str, Any]] = {"_": None, "gettext": None, "ngettext": (1, 2)}
SCRIPT: Final[dict[str, Any]] = {"t": (1,)}

WIDTH: Final = 120


def sources() -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """Every file that may hold templates, with how it is read and which calls take them."""
    for package in (rules, kiosk, vision, firmware_bridge, hardware):
        for path in sorted(Path(str(package.__file__)).parent.rglob("*.py")):
            yield path, "python", PYTHON
    here = Path(kiosk.__file__).parent
    for path in sorted((here / "templates").glob("*.html")):
        yield path, "jinja2.ext:babel_extract", JINJA
    for path in sorted((here / "static").rglob("*.js")):
        yield path, "javascript", SCRIPT


@cache
def collected() -> Catalog:
    """Every template, with the files it stands in. Not to be changed."""
    book = Catalog(charset="utf-8", fuzzy=False)
    for path, method, calls in sources():
        where = str(path.relative_to(ROOT))
        for message in templates_of(path, method, calls):
            book.add(message, locations=[(where, 0)])
    return book


@cache
def kept() -> Catalog:
    """Every template as `trueroll.pot` has it, which a test holds to be what is collected. Not to be changed."""
    with TEMPLATE.open("rb") as file:
        return read_po(file)


def templates_of(path: Path, method: str, calls: dict[str, Any]) -> list[str | tuple[str, ...]]:
    """The templates of one file by their words, so that a line which moves changes nothing in the files of words."""
    if method == "python" and not _CALL.search(path.read_text(encoding="utf-8")):
        return []  # to take it to pieces would take long, in each worker of the tests
    with path.open("rb") as file:
        found = {message for _, message, _, _ in extract(method, file, calls, options={"silent": "false"})}
    return sorted(
        (one for one in found if one and one != ("",)), key=lambda one: (one,) if isinstance(one, str) else one
    )


def head(language: str, plural_forms: str) -> str:
    """How a file of words begins."""
    lines = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"]
    if language:
        lines = [f"Language: {language}", *lines, f"Plural-Forms: {plural_forms}"]
        title = f"# The words of trueroll in {told_by_babel(language)[0]}. How to work on them: docs/languages.md"
    else:
        title = "# Every template of trueroll. Written by `make words`; see docs/languages.md"
    return "\n".join([title, 'msgid ""', 'msgstr ""', *(f'"{line}\\n"' for line in lines), "", ""])


def written(book: Catalog, language: str = "") -> str:
    """A file of words as text."""
    out = io.BytesIO()
    write_po(out, book, width=WIDTH, omit_header=True, sort_by_file=False, include_lineno=False)
    body = out.getvalue().decode()
    return head(language, str(book.plural_forms) if language else "") + body.lstrip("\n")


def renewed(path: Path, template: Catalog) -> str:
    """The translator's file at `path`, made anew with what is collected now and all that was translated."""
    language = path.stem
    with path.open("rb") as file:
        book = read_po(file, locale=language)
    book.update(template, no_fuzzy_matching=True)
    return written(book, language)


def first_words(files: dict[Path, str]) -> str:
    """What is said before anything is loaded, as `startup` reads it: from translators' `files`, where they say it."""
    languages: dict[str, dict[str, str]] = {}
    for path, text in files.items():
        book = read_po(io.BytesIO(text.encode()), locale=path.stem)
        found = {place: book.get(str(words)) for place, words in WORDS.items()}
        languages[path.stem] = {place: str(one.string) for place, one in found.items() if one and one.string}
    return json.dumps(languages, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def about(codes: Iterable[str]) -> str:
    """What the kiosk says of each language before it has read its file."""
    told = {code: dict(zip(("name", "direction"), told_by_babel(code), strict=True)) for code in codes}
    return json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def all_files() -> dict[Path, str]:
    """Each file with what it has to hold now."""
    template = collected()
    books = {path: renewed(path, template) for path in sorted(FOLDER.glob("*.po"))}
    beside = {TRANSLATED: first_words(books), ABOUT: about(path.stem for path in books)}
    return {TEMPLATE: written(template)} | beside | books


def main() -> None:
    """Write every file, and print how much each language lacks."""
    for path, text in all_files().items():
        path.write_text(text, encoding="utf-8")
        if path in {TRANSLATED, ABOUT}:
            continue
        with path.open("rb") as file:
            book = read_po(file, locale=None if path == TEMPLATE else path.stem)
        lacking = [one for one in book if one.id and not all(_forms(one.string))]
        count = sum(1 for one in book if one.id)
        left = "" if path == TEMPLATE else f", {len(lacking)} without a translation"
        print(f"{path.name}: {count} templates{left}")  # noqa: T201  # what it is asked for


def _forms(string: Any) -> tuple[str, ...]:  # noqa: ANN401  # as Babel has it
    return (string or "",) if string is None or isinstance(string, str) else tuple(string)


if __name__ == "__main__":
    main()
