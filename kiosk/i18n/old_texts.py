"""Texts of journals kept before version 2 of the form: templates filled, known again by their template.

Events and tables hold texts, not phrases. What is shown of them after a restart goes through `rules.words.known`,
which asks the catalog for the whole text; a text whose template is listed here is found by its template then. Several
sentences that were put together are found one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from rules.words import Phrase, Said, say

KEPT: Final[tuple[Phrase, ...]] = (
    say("The core of {source}"),
    say("Persistent damage of {ship}"),
    say("Stabilise the warp core of {ship}"),
    say("Trouble aboard {ship}"),
    say("Trouble with the {system} of {ship}"),
    say("Work on {track}"),
    say("aimed at the {system}"),
    say("Breaches of {system}"),
    say("Evasive Action of {name}"),
    say("{target} flies an Attack Pattern"),
    say("{target} is hidden"),
    say("leaving: {terrain}"),
    say("the Turn of {combatant} is over"),
    say("the system of {ship} that has a Complication"),
    say("the system of {target} hit"),
    say("the system of {target} that is hit"),
    say("the warp core of {ship}"),
    say("who is injured as the Structure of {ship} is hit"),
    say("{character} enters"),
    say("{character} is Menacing"),
    say("{character} leaves it"),
    say("{character}'s own Threat"),
    say("{combatant} acts again"),
    say("{name}'s own Threat"),
    say("{ship} broke free"),
    say("{target} is enraged"),
    say("{target} stays up"),
    say("{weapon} taken along"),
    say("{reason}: {note}"),
)
"""Every template that an event or a table keeps filled; the first that fits a text is taken."""


MOST_TOGETHER: Final = 4
"""Sentences that are looked up as one text among others; what the program says whole is looked up whole."""


def old_text(text: str, gettext: Callable[[str], str]) -> str | None:
    """`text` in another language, where it is one of the templates filled or made of such; None where it is not.

    `gettext` is the catalog's own and is asked for no empty text. What fills a place is translated where the catalog
    has it. People type some of these texts: however many sentences one has, each is looked up a few times only.
    """
    found = template_of(text)
    if found is None:
        return _sentence_by_sentence(text, gettext)
    template, fills = found
    translation = gettext(template)
    if translation == template:
        return None
    return _PLACE.sub(lambda place: _said(fills[place[1]], gettext) if place[1] in fills else place[0], translation)


def _said(text: str, gettext: Callable[[str], str]) -> str:
    """`text` as the catalog has it or as an old text, else as it is."""
    said = gettext(text)
    return (old_text(text, gettext) or text) if said == text else said


def _sentence_by_sentence(text: str, gettext: Callable[[str], str]) -> str | None:
    """`text` with what is known of it, the longest runs of sentences first; None where nothing is."""
    left = _BETWEEN_SENTENCES.split(text)
    told: list[str] = []
    while left:
        runs = (" ".join(left[:count]) for count in range(min(MOST_TOGETHER, len(left)), 0, -1))
        known = ((run, said) for run in runs if (said := _whole(run, gettext)) != run)
        run, said = next(known, (left[0], left[0]))
        told.append(said)
        left = left[len(_BETWEEN_SENTENCES.split(run)) :]
    joined = " ".join(told)
    return joined if joined != text else None


def _whole(text: str, gettext: Callable[[str], str]) -> str:
    """`text` as one sentence or one template of several, else as it is."""
    if not text:
        return text
    said = gettext(text)
    return (old_text(text, gettext) or text) if said == text and template_of(text) is not None else said


_PLACE: Final = re.compile(r"\{(\w+)\}")
_BETWEEN_SENTENCES: Final = re.compile(r"(?<=[.!?]) ")


@lru_cache(maxsize=256)
def template_of(text: str) -> tuple[str, dict[str, str]] | None:
    """The template of which `text` is the filled form, and what fills its places; None where it is none."""
    for template, pattern in _PATTERNS:
        if (found := pattern.fullmatch(text)) is not None:
            return template, found.groupdict()
    return None


def _pattern(template: str) -> re.Pattern[str]:
    """What the template fits; one without a word of its own fits no more than part of a sentence."""
    parts = _PLACE.split(template)
    fill = ".+" if any(one.isalpha() for one in "".join(parts[::2])) else "[^.!?]+"
    return re.compile("".join(f"(?P<{one}>{fill})" if place % 2 else re.escape(one) for place, one in enumerate(parts)))


def _own_words(template: str) -> int:
    return len(_PLACE.sub("", template))


_FILLED: Final = [one.template for one in KEPT if isinstance(one, Said) and "{" in one]
_PATTERNS: Final = tuple((one, _pattern(one)) for one in sorted(_FILLED, key=_own_words, reverse=True))
