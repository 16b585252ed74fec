"""The languages that the kiosk can be read and heard in: English from the source, the others from translators' files.

In: `translations/<language>.po`, the glossaries beside them, and a table's own. Out: for each one a `Language`. A
file is read when it is first wanted, once; a broken one costs that language alone, which then speaks English.
"""

from __future__ import annotations

import json
import logging
import re
import threading
from collections.abc import Callable, Mapping
from functools import cache
from gettext import NullTranslations, c2py
from pathlib import Path
from types import MappingProxyType
from typing import Final

from kiosk.errors import GlossaryError
from kiosk.i18n.glossary import Replacing, own_file, replacing
from kiosk.ports import ENGLISH, SOURCE_LANGUAGE, Language

log = logging.getLogger(__name__)

FOLDER: Final = Path(__file__).parent / "translations"
"""Where the catalogues and glossaries of all languages lie."""

ABOUT: Final = FOLDER / "languages.json"
"""Name and direction of each language, written by `make words`: Babel itself would take 11 MB for four."""

SCRIPTS: Final = "kiosk/static/js/"
"""The folder of the scripts: messages from there are sent to the browser."""

TERMS: Final = ("kiosk/views/page_words.py", "rules/state/glossary.py")
"""The modules whose words scripts look up by a value of the table."""

NO_BREAK: Final = "\u00a0"
"""A space at which no line ends."""

SPACED_SIGNS: Final = MappingProxyType({"fr": re.compile(r"(?<=\S) (?=[:;!?»])|(?<=«) ")})
"""By language the spaces that belong to a sign, at which no line may begin or end: translators type plain ones."""


class KnownWords(NullTranslations):
    """The translations of a `.po` file, like Python's own `GNUTranslations` but without the `.mo` form in between.

    That form would take half as long again to load a language.
    """

    def __init__(
        self, single: Mapping[str, str], plural: Mapping[str, tuple[str, ...]], form_of: Callable[[int], int]
    ) -> None:
        """`plural` holds the plural forms by singular; `form_of` gives the index of a number's form."""
        super().__init__()
        self._single = single
        self._plural = plural
        self._form_of = form_of

    def gettext(self, message: str) -> str:
        """The translation, or the message itself."""
        found = self._single.get(message)
        return self.ngettext(message, message, 1) if found is None else found

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The translation for that number, or one of the two messages."""
        forms = self._plural.get(msgid1)
        if forms is None:
            return msgid1 if n == 1 else msgid2
        return forms[self._form_of(n)]


class Translations:
    """The words of one language; the empty message, which holds the file's header, stays empty."""

    def __init__(self, translations: NullTranslations) -> None:
        self._translations = translations

    def gettext(self, message: str, /) -> str:
        """See `rules.words.Catalog`."""
        return self._translations.gettext(message) if message else ""

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        """See `rules.words.Catalog`."""
        return self._translations.ngettext(singular, plural, number)


class Languages:
    """The languages of `folder`. `own` is where a table keeps glossaries of its own, `glossary.<language>.toml`."""

    def __init__(self, folder: Path = FOLDER, own: tuple[Path, ...] = ()) -> None:
        self._folder = folder
        self._own = own
        self._lock = threading.Lock()
        self._read: dict[str, Language] = {ENGLISH: SOURCE_LANGUAGE}
        self.codes: Final[tuple[str, ...]] = (ENGLISH, *sorted(path.stem for path in folder.glob("*.po")))

    def __contains__(self, code: str) -> bool:
        """Whether there is this language."""
        return code in self.codes

    def language(self, code: str) -> Language:
        """The language of that code; English where there is none, or its file is broken."""
        found = self._read.get(code)
        if found is not None:
            return found
        if code not in self.codes:
            return SOURCE_LANGUAGE
        with self._lock:
            if code not in self._read:
                self._read[code] = self._load(code)
            return self._read[code]

    def names(self) -> list[tuple[str, str]]:
        """Each language's code and its own name, English first."""
        return [(code, SOURCE_LANGUAGE.name if code == ENGLISH else own_name(code)) for code in self.codes]

    def warm(self, code: str) -> threading.Thread:
        """Read that language's file in a thread of its own, so that the room does not wait for its first word.

        The others are read when somebody first asks for them: most tables never do, and each takes memory.
        """
        reading = threading.Thread(target=self.language, args=(code,), name="languages", daemon=True)
        reading.start()
        return reading

    def _load(self, code: str) -> Language:
        try:
            return self._language(code)
        except Exception:
            log.exception("The words of %r cannot be read; English is shown and said in their place.", code)
            return SOURCE_LANGUAGE

    def _language(self, code: str) -> Language:
        from babel.messages.pofile import read_po  # noqa: PLC0415  # a broken Babel costs the translations alone

        with (self._folder / f"{code}.po").open("rb") as file:
            book = read_po(file, locale=code)
        terms = self._glossary(code)
        single: dict[str, str] = {}
        plural: dict[str, tuple[str, ...]] = {}
        script: dict[str, str] = {}
        for message in book:
            if not message.id or message.fuzzy:
                continue
            said = _replaced(message.string, terms, code)
            key = message.id if isinstance(message.id, str) else message.id[0]
            if isinstance(message.id, str) and isinstance(said, str):
                if said:
                    single[key] = said
            elif said:
                plural[key] = tuple(one or message.id[min(at, 1)] for at, one in enumerate(said))
            needed = any(str(place).startswith((SCRIPTS, *TERMS)) for place, _ in message.locations)
            if needed and (forms := _forms(said)):
                script[key] = forms[0]
        return Language(
            code,
            own_name(code),
            direction_of(code),
            Translations(KnownWords(single, plural, c2py(book.plural_expr))),
            MappingProxyType(script),
        )

    def _glossary(self, code: str) -> Replacing:
        """The table's own words; none if its file cannot be used, which is logged."""
        try:
            return replacing(self._folder, own_file(self._own, code), code)
        except GlossaryError as error:
            log.warning("%s Until then the words are as they came.", error)
            return Replacing({})


def own_name(code: str) -> str:
    """A language's name as those who speak it write it: "Deutsch"; its code where nothing knows it."""
    return known_as(code)[0]


def direction_of(code: str) -> str:
    """Where the language's lines begin: `ltr` or `rtl`."""
    return known_as(code)[1]


@cache
def known_as(code: str) -> tuple[str, str]:
    """Name and direction, from the file that `make words` wrote, else from Babel."""
    try:
        known = json.loads(ABOUT.read_text(encoding="utf-8"))[code]
        return str(known["name"]), str(known["direction"])
    except (OSError, ValueError, LookupError, TypeError):
        return told_by_babel(code)


def told_by_babel(code: str) -> tuple[str, str]:
    """A language's own name and direction; its code and `ltr` if Babel is broken or does not know it."""
    try:
        from babel import Locale  # noqa: PLC0415  # a broken Babel costs the translations alone

        found = Locale.parse(code)
        name = str(found.get_language_name() or code).capitalize()
        direction = "rtl" if found.character_order == "right-to-left" else "ltr"
    except Exception:
        log.debug("the name of %r is not known", code, exc_info=True)
        return code, "ltr"
    return name, direction


def _replaced(string: str | tuple[str, ...] | list[str] | None, terms: Replacing, code: str) -> str | tuple[str, ...]:
    if string is None:
        return ""
    if isinstance(string, str):
        return signs_kept(terms.applied(string), code)
    return tuple(signs_kept(terms.applied(one or ""), code) for one in string)


def signs_kept(words: str, code: str) -> str:
    """The words of that language with each sign on the line of what it belongs to."""
    spaces = SPACED_SIGNS.get(code)
    return spaces.sub(NO_BREAK, words) if spaces is not None else words


def _forms(string: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    forms = (string,) if isinstance(string, str) else tuple(string or ())
    return forms if all(forms) else ()
