"""Two languages that nobody speaks: words two fifths longer, of letters that English does not have.

The kiosk itself speaks them, in place of its other languages: one is written from the left, one from the right.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final
from unittest.mock import patch

from kiosk.i18n.languages import Languages
from kiosk.ports import Language
from kiosk.storage.preferences import FILE_NAME, PreferencesFile
from kiosk.views.page_words import WORDS_OF_SCRIPTS
from tests.e2e.warm import WarmProgram, kiosk

SCRIPTS: Final = Path(__file__).parents[2] / "kiosk" / "static" / "js"

NAMED: Final = Path(__file__).parents[2] / "build" / "long_words"
"""Where a file for each of them lies, as the kiosk finds its languages."""

LONGER: Final = 0.4
"""How much longer than English a word becomes; German and French are said to need a third more."""

_LETTERS: Final = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "åþçđéƒğħîĵķłɱñøþǫřšŧůʋŵẋýžÅÞÇĐÉƑĞĦÎĴĶŁƜÑØÞǪŘŠŦŮƲŴẊÝŽ",
)
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_PLACE: Final = re.compile(r"(\{\w+\}|%\(\w+\)s)")
_TEMPLATE: Final = re.compile(r"(?<![\w.$])t\(\s*\"((?:[^\"\\]|\\.)*)\"")


@cache
def longer(text: str) -> str:
    """`text` in the long language; its places stay."""
    return "".join(part if _PLACE.fullmatch(part) else _WORD.sub(_longer_word, part) for part in _PLACE.split(text))


def _longer_word(found: re.Match[str]) -> str:
    strange = found[0].translate(_LETTERS)
    return strange + strange[-1].lower() * -(-int(len(strange) * LONGER * 10) // 10)


class _Longer:
    """Every template, longer; see `rules.words.Catalog`."""

    def gettext(self, message: str, /) -> str:
        return longer(message)

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return longer(singular if number == 1 else plural)


@cache
def _of_scripts() -> MappingProxyType[str, object]:
    words: dict[str, object] = {str(term): longer(str(term)) for term in WORDS_OF_SCRIPTS}
    for path in SCRIPTS.glob("*.js"):
        words |= {one: longer(one) for one in _TEMPLATE.findall(path.read_text(encoding="utf-8"))}
    return MappingProxyType(words)


CODES: Final = MappingProxyType({"ltr": "eo", "rtl": "he"})
"""The code of each, by where its lines begin: a browser knows it, and nothing of the kiosk is written in it."""


class LongWords(Languages):
    """English and these two."""

    def __init__(self, *, own: tuple[Path, ...] = ()) -> None:
        NAMED.mkdir(parents=True, exist_ok=True)
        for code in CODES.values():
            (NAMED / f"{code}.po").touch()
        super().__init__(NAMED, own)

    def _language(self, code: str) -> Language:
        direction = next(one for one, name in CODES.items() if name == code)
        return Language(code, code, direction, _Longer(), _of_scripts())


def speaking() -> None:
    """Be `trueroll` where these languages are."""
    with patch("kiosk.compose.Languages", LongWords):
        kiosk()


class LongWorded(WarmProgram):
    """The real program with nothing connected, in a room that chose the language of that direction."""

    main = staticmethod(speaking)

    def __init__(self, data: Path, direction: str = "ltr") -> None:
        data.mkdir()
        PreferencesFile(data / FILE_NAME).change(language=CODES[direction])
        super().__init__(data, "--camera", "off", "--tray", "off")
