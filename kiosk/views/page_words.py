"""Words of closed sets as pages show them, and those that scripts look up by a value of the table.

In: names of `rules` and of the kiosk's sources. Out: phrases, so that each listener has them in their own language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from markupsafe import Markup

from kiosk.i18n.current import as_said, as_typed, shown_now
from kiosk.settings import Theme
from kiosk.views.stage.names import titled
from rules.dice import DieState, SourceKind, SourceState
from rules.game import TOLD
from rules.words import Phrase, known, say, worded

SOURCES: Final[tuple[Phrase, ...]] = (
    say("camera"),
    say("tray"),
    say("bluetooth"),
    say("panel"),
    say("voice"),
    say("journal"),
    say("data folder"),
    say("listener"),
    say("network"),
    say("files"),
    say("backup"),
    say("proxy"),
    say("restore"),
    say("second view"),
    say("second copy"),
    say("kept beside"),
    say("power"),
    say("processor"),
    say("disk"),
)
"""Parts of the kiosk that come and go."""

SOURCE_STATES: Final[tuple[Phrase, ...]] = (
    say("absent"),
    say("starting"),
    say("ready"),
    say("lost"),
    say("incompatible"),
    say("off"),
)
"""What such a part is doing."""

SKINS: Final[tuple[tuple[Theme, Phrase], ...]] = (
    ("dark", say("Dark")),
    ("light", say("Light")),
    ("paper", say("Paper")),
    ("candlelight", say("Candlelight")),
    ("black-yellow", say("Black and yellow, strongest contrast")),
)
"""The colours that a device can choose, by their names in the stylesheet."""

CONNECTED: Final = frozenset(kind.value for kind in SourceKind) | {"panel", "voice", "listener"}
"""Parts that can be out of reach. The others, such as the journal, are files."""

ATTENTION: Final = say("needs attention")
"""The word for a file in the state `lost`: the text beside it says what happened, and what to do."""

AT_FAULT: Final = say("connected, with a fault")
"""The word for a part that answers but cannot be used until its fault is mended."""

WITH_FAULT: Final = say("ready, with a fault")
"""The word for a part that is ready although something in it fails."""

DIE_STATES: Final[tuple[Phrase, ...]] = (
    say("read"),
    say("doubtful"),
    say("cocked"),
    say("moving"),
    say("in hand"),
)
"""How sure a source is of a die."""

LISTED: Final[tuple[Phrase, ...]] = (
    say("momentum"),
    say("threat"),
    say("determination"),
    say("player"),
    say("supporting"),
    say("basic"),
    say("proficient"),
    say("talented"),
    say("exceptional"),
    say("minor"),
    say("minor npc"),
    say("notable"),
    say("notable npc"),
    say("talent"),
    say("major"),
    say("close"),
    say("medium"),
    say("long"),
    say("extreme"),
    say("contact"),
)
"""Members of a vocabulary that only the pages' lists use."""

WORDS_OF_SCRIPTS: Final[tuple[Phrase, ...]] = (
    *(word for words in TOLD.values() for word in words),
    *SOURCES,
    *SOURCE_STATES,
    *DIE_STATES,
    *LISTED,
)
"""The words that `term` of static/js/language.js looks up: a page's catalog holds all of them."""


def in_trouble(one: Mapping[str, Any]) -> bool:
    """Whether the part is one that a person must mend, such as a file, not one to plug in again."""
    return one["source"] not in CONNECTED and one["state"] == SourceState.LOST


def source_words(one: Mapping[str, Any]) -> Phrase:
    """The state of a part, as a sentence: "Camera: lost"."""
    fault = WITH_FAULT if one["state"] == SourceState.READY else AT_FAULT
    state = ATTENTION if in_trouble(one) else fault if one.get("faulty") else worded(one["state"])
    return say("{source}: {state}.", source=titled(one["source"]), state=state)


def not_kept_words(why: str) -> Phrase:
    """What every screen says while decisions are in memory alone."""
    return say(
        "Nothing is being kept: {why}. What is decided now is lost if the kiosk is switched off.", why=known(why)
    )


def trait_words(trait: Mapping[str, Any]) -> Phrase:
    """A trait with what it is: `Smoke (Complication, potency 2)`."""
    name, kind, potency = trait["name"], titled(trait["kind"]), trait["potency"]
    if potency > 1:
        return say("{name} ({kind}, potency {potency})", name=name, kind=kind, potency=potency)
    return say("{name} ({kind})", name=name, kind=kind)


def character_words(one: Mapping[str, Any], players: Sequence[Mapping[str, Any]], person: str = "") -> Phrase:
    """A character as a list names it: `Ada (Player, played by Ann, Determination 1)`.

    `person` is whose device plays it, where somebody's does: the place at the table is then nobody else's.
    """
    standing, left = titled(one["standing"]), one["determination"]
    player = person or next((each["name"] for each in players if each["player_id"] == one["player_id"]), "")
    if not player:
        return say("{name} ({standing}, Determination {left})", name=one["name"], standing=standing, left=left)
    return say(
        "{name} ({standing}, played by {player}, Determination {left})",
        name=one["name"],
        standing=standing,
        player=player,
        left=left,
    )


def word_of(face: object) -> str:
    """What a die shows, within a sentence: `17`, `blank`."""
    return worded(str(face))


def held_words(die: Mapping[str, Any], number: int) -> Phrase:
    """A die that a person must look at: `Die 2: d20, not read, doubtful`."""
    face = word_of(die["face"]) if die["face"] is not None else say("not read")
    if die["state"] == DieState.READ:
        return say("Die {number}: {kind}, {face}", number=number, kind=worded(die["kind"]), face=face)
    state = worded(die["state"])
    return say("Die {number}: {kind}, {face}, {state}", number=number, kind=worded(die["kind"]), face=face, state=state)


def numbered(words: str) -> str:
    """`words` with no end of a line between a number and its word; what is markup stays it."""
    return _as_it_was(words, _BEFORE_ITS_WORD.sub("\u00a0", str(words)))


_BEFORE_ITS_WORD: Final = re.compile(r"(?<=\d) (?=[^\W\d_])")
"""The space in "6 damage"."""


def number_kept(name: str) -> str:
    """`name`, or what a headline says of it, with no end of a line before the number at its end; markup stays it."""
    return _as_it_was(name, _LAST_NUMBER.sub("\u00a0", name))


def parts_kept(words: str) -> str:
    """`words` with an end of a line only between its parts, which commas divide: no number stands alone in a line."""
    return _as_it_was(words, str(words).replace(" ", "\u00a0").replace(",\u00a0", ", "))


def _as_it_was(words: str, kept: str) -> str:
    return Markup(kept) if isinstance(words, Markup) else kept  # noqa: S704 - a space of it is another one


_LAST_NUMBER: Final = re.compile(r" (?=\d+\u2069?(?:$|:))")
"""The space in "Guard 2"."""


def end_kept(headline: str) -> str:
    """`headline` with its last two words, if short, in one line: none stands alone below the others."""
    before, _, last = headline.rpartition(" ")
    second = before.rpartition(" ")[2]
    return f"{before}\u00a0{last}" if before.count(" ") > 1 and len(second + last) < _SHORT else headline


_SHORT: Final = 20
"""How many letters of two words never break a line by themselves."""


def one_line(words: object, *, apart: bool = False) -> str:
    """`words` for a page, of which each word that is too long for any line is one that a phone cuts short.

    It is there as a whole, so that it is read aloud, found and copied whole. `apart`, as of a button: a number stays in
    one line with its word, and a few words with the colon that ends them; where a part is marked, all of the words are
    one part of what shows them.
    """
    shown = as_said(words)
    if isinstance(shown, Markup):
        return shown
    first, colon, rest = (numbered(str(shown)) if apart else str(shown)).partition(": ")
    told = apart and bool(colon) and " " in first and len(first) < _SHORT
    parts = _LONG.split(rest if told else f"{first}{colon}{rest}")  # every second one is long
    made = Markup("").join(_CUT_SHORT.format(part) if place % 2 else part for place, part in enumerate(parts))
    made = _TOLD_FIRST.format(first) + made if told else made
    return _APART.format(made) if apart and (told or len(parts) > 1) else made


_LONG: Final = re.compile(r"(\S{28,})")
"""A word of more letters than a narrow phone has room for in a headline."""
_CUT_SHORT: Final = Markup('<span class="long">{}</span>')
"""Such a word in its place."""
_TOLD_FIRST: Final = Markup('<span class="told-first">{}:</span> ')
"""A few words before what they are said of."""
_APART: Final = Markup("<span>{}</span>")
"""All the words in one."""

FILTERS: Final[Mapping[str, Callable[..., str]]] = MappingProxyType(
    {
        "as_typed": as_typed,
        "character_words": character_words,
        "end_kept": end_kept,
        "held_words": held_words,
        "number_kept": number_kept,
        "numbered": numbered,
        "one_line": one_line,
        "parts_kept": parts_kept,
        "source_words": source_words,
        "told": shown_now,
        "trait_words": trait_words,
        "word_of": word_of,
    }
)
"""Filters of the templates. `told` is for words that are put into another sentence: they are translated at once."""
