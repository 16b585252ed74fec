"""Signs are said in words, in each language, and nothing else is touched."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.i18n.languages import Languages
from kiosk.ports import SOURCE_LANGUAGE
from kiosk.speech.sayable import sayable

LANGUAGES = Languages()


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("Stress 2/5", "Stress 2 of 5"),
        ("Resistance \u22122", "Resistance minus 2"),
        ("-1 Difficulty", "minus 1 Difficulty"),
        ("faces 1\u20132", "faces 1 to 2"),
        ("\u2265 4 successes", "at least 4 successes"),
        ("Momentum \u22646.", "Momentum at most 6."),
        ("2\u00d7 damage", "2 times damage"),
        ("3 \u00d7 4", "3 times 4"),
        ("Control + Engineering", "Control plus Engineering"),
        ("Ann & Bob", "Ann and Bob"),
        ("Shields 3 \u2192 2", "Shields 3 then 2"),
        ("Okoro (Lieutenant): ready.", "Okoro, Lieutenant: ready."),
        ("(hidden) Brack", "hidden, Brack"),
        ("Late \u2014 very late", "Late, very late"),
        ("*U.S.S.* Far_Lantern", "U.S.S. Far Lantern"),
        ("\u26a0 Warp core", "Warp core"),
    ],
)
def test_a_sign_is_said_in_words(written: str, heard: str) -> None:
    assert sayable(written, SOURCE_LANGUAGE.catalog) == heard


@pytest.mark.parametrize(
    "plain",
    [
        "Success. 2 successes against Difficulty 1. 1 Momentum.",
        "Okafor throws 3 d20s again. In place of 2 and 3.",
        "Re-Roll Damage, costs 1 Momentum.",
        "Who else? It's 50 %, and 1,5 or 2.5.",
        "S2E-8 and THR-2",
        "2026-11-21, and 1/2/3",
    ],
)
def test_words_and_figures_stay_as_they_are(plain: str) -> None:
    assert sayable(plain, SOURCE_LANGUAGE.catalog) == plain


@pytest.mark.parametrize(
    ("code", "heard"),
    [
        ("de", "2 von 5, mindestens 4, minus 3, 2 mal, 1 bis 6"),
        ("es", "2 de 5, al menos 4, menos 3, 2 veces, 1 a 6"),
        ("fr", "2 sur 5, au moins 4, moins 3, 2 fois, 1 \u00e0 6"),
    ],
)
def test_each_language_has_its_words(code: str, heard: str) -> None:
    written = "2/5, \u2265 4, \u22123, 2\u00d7, 1\u20136"
    assert sayable(written, LANGUAGES.language(code).catalog) == heard


@given(st.text(alphabet="ab1 2,.:-+/\u00d7\u2265\u2212\u2013()*&\u2026", max_size=40))
def test_figures_stay_in_their_order_and_brackets_go(written: str) -> None:
    heard = sayable(written, SOURCE_LANGUAGE.catalog)
    assert re.findall(r"\d+", heard) == re.findall(r"\d+", written)
    assert not re.search(r"[()*\u2026]", heard)
