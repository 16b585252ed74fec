"""Texts that were kept with their places filled are known again, whole or sentence by sentence, at a bounded cost."""

from __future__ import annotations

import pytest

from kiosk.i18n.recalled import MOST_TOGETHER, recalled

WORDS = {
    "{source} watches the tray.": "{source} beobachtet die Schale.",
    "the video {name}": "das Video {name}",
    "Check the name.": "Prüfe den Namen.",
    "Check the name. Look at the tray.": "Name und Schale prüfen.",
    "{die} is complete.": "{die} ist vollständig.",
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
        ("the video a.mp4 watches the tray.", "das Video a.mp4 beobachtet die Schale."),
        ("Ada waits. Check the name.", "Ada waits. Prüfe den Namen."),
        ("Check the name. Ada waits. It is complete.", "Prüfe den Namen. Ada waits. It ist vollständig."),
        ("Ada waits. Check the name. Look at the tray.", "Ada waits. Name und Schale prüfen."),
        ("Check the name.  Ada waits. ", "Prüfe den Namen.  Ada waits. "),
        ("Ada waits. Ben waits.", None),
        ("Ada waits", None),
    ],
)  # fmt: skip
def test_what_is_known_of_a_text_is_said_and_the_rest_stays(text: str, said: str | None) -> None:
    assert recalled(text, Asked().gettext) == said


@pytest.mark.parametrize(
    "text",
    [
        " ".join(["Go on."] * 66),
        " ".join(f"Die {one} is complete." for one in range(20)),
        " ".join(f"Die {one} is complete. Go on." for one in range(20)),
    ],
)
def test_a_label_of_many_sentences_costs_no_more_than_a_few_lookups_for_each(text: str) -> None:
    asked = Asked()
    recalled(text, asked.gettext)
    assert asked.times <= 2 * MOST_TOGETHER * text.count(".")
