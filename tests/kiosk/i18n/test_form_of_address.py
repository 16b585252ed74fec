"""How a translation addresses people: a table is several, so German and Spanish say what one says to several."""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.pofile import read_po

TRANSLATIONS = Path(__file__).parents[3] / "kiosk" / "i18n" / "translations"

_TO_ONE = re.compile(
    r"(?:^|[.:;] )(?:Tira|Toca|Toma|Pon|Quita|Usa|Mira|Introduce|Enfoca|Desenchufa|Comprueba|Borra|Di|Haz)\b"
    r"(?=[ ,])(?! (?:Momento|Amenaza|un d20 de nuevo))"
    r"|\b(?:inténta|envía|sáca|tóma|devuélve|apága|olvída|pulsa|restáura)l[oa]s?\b|\bvuelve a (?:poner|enchufar)"
    r"|\b(?:tus|detén|elige otra)\b",
    re.IGNORECASE,
)
"""Imperatives and words that address one person, as far as they are unmistakable."""

_TO_ONE_IN_GERMAN = re.compile(
    r"\b(?:du|dich|dir|dein(?:e[mnrs]?)?|gib|nimm|sieh|wirf|brich|vergiss|lies|komm|geh|lass|sag|zieh|steck|stell|leg)\b"
    r"|(?:^|[.:;,] |\b(?:oder|und|dann|erst|zuerst) )"
    r"(?:wähle|nenne|sage|prüfe|lege|schreibe|starte|beende|stelle|schließe|füge|versuche|speichere|nutze|mache|drücke"
    r"|bringe|bezahle|installiere|bewahre|schicke|räume|tippe|berühre|drehe|lerne|warte|handle|repariere|öffne)\b",
    re.IGNORECASE,
)


def addresses_one(text: str, language: str = "es") -> bool:
    """Whether words address one person."""
    return (_TO_ONE_IN_GERMAN if language == "de" else _TO_ONE).search(text) is not None


def texts_of(language: str) -> list[str]:
    """All that is said in a language."""
    with (TRANSLATIONS / f"{language}.po").open("rb") as file:
        catalog = read_po(file)
    return [
        text
        for one in catalog
        if one.id
        for text in ([one.string] if isinstance(one.string, str) else one.string or ())
    ]


def test_spanish_addresses_the_table_as_several() -> None:
    texts = texts_of("es")
    assert len(texts) > 3000
    assert [text for text in texts if addresses_one(text)] == []
    assert addresses_one("Toca el dado que no cuenta.")
    assert not addresses_one("Tocad el dado que no cuenta.")


def test_german_addresses_the_table_as_several() -> None:
    texts = texts_of("de")
    assert len(texts) > 3000
    assert [text for text in texts if addresses_one(text, "de")] == []
    assert addresses_one("Wirf: die Kamera sieht zu.", "de")
    assert addresses_one("Ein Angriff braucht ein Ziel; wähle eines.", "de")
    assert not addresses_one("Werft: die Kamera sieht zu.", "de")


def test_french_has_one_word_for_the_gamemaster() -> None:
    texts = " ".join(texts_of("fr"))
    assert len(re.findall(r"\bMJ\b", texts)) > 50
    assert re.findall(r"\b[Mm]eneu\w+(?: de jeu)?|\b[Mm]a[iî]tre de jeu", texts) == []


def test_french_has_one_word_for_the_kiosk() -> None:
    texts = " ".join(texts_of("fr"))
    assert len(re.findall(r"\bborne\b", texts)) > 50
    assert re.findall(r"\b[Kk]iosques?\b", texts) == []
