"""Texts that a journal kept filled are known again, whole or sentence by sentence, at a bounded cost."""

from __future__ import annotations

import pytest

from kiosk.i18n.old_texts import MOST_TOGETHER, old_text

WORDS = {
    "Trouble aboard {ship}": "Ärger an Bord: {ship}",
    "the warp core of {ship}": "der Warpkern von {ship}",
    "{target} is hidden": "{target} ist verborgen",
    "Check the name.": "Prüfe den Namen.",
    "Check the name. Look at the tray.": "Name und Schale prüfen.",
}


class Asked:
    """A catalog of `WORDS` that counts what it is asked for."""

    def __init__(self) -> None:
        self.times = 0

    def gettext(self, message: str) -> str:
        assert message, "the empty text is the head of a translators' file"
        self.times += 1
        return WORDS.get(message, message)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Trouble aboard the Defiant", "Ärger an Bord: the Defiant"),
        ("Trouble aboard the warp core of Ada", "Ärger an Bord: der Warpkern von Ada"),
        ("Ada waits. Check the name.", "Ada waits. Prüfe den Namen."),
        ("Check the name. Ada waits. It is hidden", "Prüfe den Namen. Ada waits. It ist verborgen"),
        ("Ada waits. Check the name. Look at the tray.", "Ada waits. Name und Schale prüfen."),
        ("Check the name.  Ada waits. ", "Prüfe den Namen.  Ada waits. "),
        ("Ada waits. Ben waits.", None),
        ("Ada waits", None),
    ],
)  # fmt: skip
def test_what_is_known_of_a_text_is_said_and_the_rest_stays(text: str, said: str | None) -> None:
    assert old_text(text, Asked().gettext) == said


@pytest.mark.parametrize(
    "text",
    [
        " ".join(["Go on."] * 66),
        " ".join(f"Die {one} is hidden." for one in range(20)),
        " ".join(f"Die {one} is hidden. Go on." for one in range(20)),
    ],
)
def test_a_label_of_many_sentences_costs_no_more_than_a_few_lookups_for_each(text: str) -> None:
    asked = Asked()
    old_text(text, asked.gettext)
    assert asked.times <= 2 * MOST_TOGETHER * text.count(".")
