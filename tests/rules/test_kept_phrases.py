"""A phrase is kept as its template and fills, and comes back as the same phrase."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any

import pytest

from rules.dice import DieKind
from rules.words import (
    Phrase,
    as_kept,
    capitalized,
    from_kept,
    known,
    listed,
    say,
    say_count,
    sentences,
    spoken,
    translated,
)
from rules.words.phrases import altered


class Shouting(NullTranslations):
    """A language of the same words in capitals."""

    def gettext(self, message: str) -> str:
        return "".join(one.upper() if place % 2 == 0 else one for place, one in enumerate(_parts(message)))

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        return self.gettext(singular if number == 1 else plural)


def _parts(template: str) -> list[str]:
    """What stands outside and inside of places, in turn."""
    parts = []
    for at, piece in enumerate(template.split("{")):
        inside, _, outside = piece.partition("}")
        parts += [piece] if at == 0 else ["{" + inside + "}", outside]
    return parts


PHRASES = [
    (say("Trouble aboard {ship}", ship="Bar"), "TROUBLE ABOARD Bar"),
    (say("Work on {track}", track=say("the core of {ship}", ship="Bar")), "WORK ON THE CORE OF Bar"),
    (say_count(1, "{number} die of {who}", "{number} dice of {who}", who="Ada"), "1 DIE OF Ada"),
    (say_count(-2, "{number} die", "{number} dice"), "MINUS 2 DICE"),
    (say("aimed at {kind}", kind=DieKind.CHALLENGE), "AIMED AT CHALLENGE"),
    (listed(["Ada", say("Guard"), 3]), "Ada, GUARD AND 3"),
    (sentences(say("One."), "Two."), "ONE. Two."),
    (capitalized(say("raise shields")), "RAISE SHIELDS"),
    (spoken(say("{a} / {b}", a="x", b="y")), "x y"),
    (known("Show {brackets}"), "SHOW {brackets}"),
]


@pytest.mark.parametrize(("phrase", "loud"), PHRASES, ids=[str(one) for one, _ in PHRASES])
def test_it_is_said_as_before_in_every_language(phrase: Phrase, loud: str) -> None:
    kept = as_kept(phrase)
    assert isinstance(kept, dict)
    again = from_kept(kept)
    assert again == phrase
    assert translated(again, Shouting()) == translated(phrase, Shouting()) == loud
    assert as_kept(again) == kept


def test_what_can_be_said_in_one_way_only_is_kept_as_text() -> None:
    assert as_kept(say("")) == ""
    assert as_kept(altered(say("a"), str.upper)) == "A"


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"say": 1},
        {"say": "{a}", "fills": {"b": 1}},
        {"say": "{a.__class__}", "fills": {"a": 1}},
        {"say": "{a}", "fills": {"a": [1]}},
        {"say": "{a}", "fills": {"a": 1}, "more": 1},
        {"say": "x", "altered": "eval"},
        {"say": ["x", {"nothing": 1}], "joint": ""},
        {"say": "{number}", "several": "{other}", "number": 1, "fills": {"number": "1"}},
    ],
)
def test_what_holds_no_phrase_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"phrase|places|fills"):
        from_kept(wrong)
