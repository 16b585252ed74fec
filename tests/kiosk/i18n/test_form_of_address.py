"""How a translation addresses people: a table is several, so Spanish says to them what it says to several."""

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


def addresses_one(text: str) -> bool:
    """Whether Spanish words address one person."""
    return _TO_ONE.search(text) is not None


def test_spanish_addresses_the_table_as_several() -> None:
    with (TRANSLATIONS / "es.po").open("rb") as file:
        catalog = read_po(file)
    texts = [
        text
        for one in catalog
        if one.id
        for text in ([one.string] if isinstance(one.string, str) else one.string or ())
    ]
    assert len(texts) > 3000
    assert [text for text in texts if addresses_one(text)] == []
    assert addresses_one("Toca el dado que no cuenta.")
    assert not addresses_one("Tocad el dado que no cuenta.")
