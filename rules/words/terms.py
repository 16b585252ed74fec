"""Words for dice, counts and names as a voice can say them: no symbol, and "minus" where a number falls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, LiteralString, TypeAlias

from rules.dice.readings import DieKind, Face, as_challenge_face
from rules.words.phrases import Fill, Phrase, altered, known, listed, say, say_count

Count: TypeAlias = tuple[LiteralString, LiteralString]
"""The template for one and that for several, as `say_count` takes them."""


def _plural(one: LiteralString, several: LiteralString) -> Count:
    """Marks templates for those who translate."""
    return one, several


COUNTED: Final[dict[str, Count]] = {
    "Breach": _plural("{number} Breach", "{number} Breaches"),
    "Breakthrough": _plural("{number} Breakthrough", "{number} Breakthroughs"),
    "Challenge Die": _plural("{number} Challenge Die", "{number} Challenge Dice"),
    "Complication": _plural("{number} Complication", "{number} Complications"),
    "Effect": _plural("{number} Effect", "{number} Effects"),
    "Injury": _plural("{number} Injury", "{number} Injuries"),
    "Momentum": _plural("{number} Momentum", "{number} Momentum"),
    "Threat": _plural("{number} Threat", "{number} Threat"),
    "blank die": _plural("{number} blank die", "{number} blank dice"),
    "bonus die": _plural("{number} bonus die", "{number} bonus dice"),
    "d20": _plural("{number} d20", "{number} d20s"),
    "d6": _plural("{number} d6", "{number} d6s"),
    "die": _plural("{number} die", "{number} dice"),
    "helper": _plural("{number} helper", "{number} helpers"),
    "hour": _plural("{number} hour", "{number} hours"),
    "option": _plural("{number} option", "{number} options"),
    "player": _plural("{number} player", "{number} players"),
    "Scale's Breaches": _plural("{number} Scale's Breaches", "{number} Scales' Breaches"),
    "shaken result": _plural("{number} shaken result", "{number} shaken results"),
    "ship weapon": _plural("{number} ship weapon", "{number} ship weapons"),
    "spend": _plural("{number} spend", "{number} spends"),
    "station action": _plural("{number} station action", "{number} station actions"),
    "success": _plural("{number} success", "{number} successes"),
    "turn": _plural("{number} turn", "{number} turns"),
    "weapon": _plural("{number} weapon", "{number} weapons"),
    "zone": _plural("{number} zone", "{number} zones"),
}
"""Everything that is counted on its own, by its name for one."""


KIND_WORDS: Final[dict[DieKind, tuple[Phrase, Phrase]]] = {
    DieKind.D20: (say("d20"), say("d20s")),
    DieKind.CHALLENGE: (say("Challenge Die"), say("Challenge Dice")),
    DieKind.D6: (say("d6"), say("d6s")),
}
"""One die and several of each kind."""


_IN_A_NAME: Final = frozenset("'\u2019.,?!\u2068\u2069")
"""The signs that names and short notes have, and that a voice does not spell out; the last two set a name apart."""

_DOUBLE_NAME: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
"""The hyphen between two letters, as of Osei-Bonsu: a voice does not spell that out either."""

_REMEMBERED: Final = 1024
"""Texts whose spoken form is remembered: a table says the same names over and over."""


def counted(number: int, noun: str) -> Phrase:
    """A number with a noun of `COUNTED`: "1 success", "2 successes"."""
    return say_count(number, *COUNTED[noun])


def dice_words(count: int, kind: DieKind) -> Phrase:
    """A number of dice that names their kind: "1 d20", "3 Challenge Dice"."""
    return counted(count, str(KIND_WORDS[kind][0]))


def spoken(text: str) -> str:
    """Somebody's own words without what a voice would spell out; a `Phrase` stays one."""
    return altered(text, sayable) if isinstance(text, Phrase) else sayable(text)


@lru_cache(_REMEMBERED)
def sayable(text: str) -> str:
    """See `spoken`, for one language."""
    return "-".join(_plain(part) for part in _DOUBLE_NAME.split(text))


def _plain(text: str) -> str:
    kept = "".join(one if one.isalnum() or one in _IN_A_NAME else " " for one in text)
    return " ".join(kept.split())


def faces_words(faces: Sequence[Face]) -> Phrase:
    """What dice show, one after the other: "4, blank and effect"."""
    return listed([face_word(face) for face in faces])


def face_word(face: Face) -> Fill:
    """What one die shows: a number, blank or effect."""
    return face if isinstance(face, int) else known(str(face))


def challenge_words(faces: Sequence[Face]) -> Phrase:
    """What Challenge Dice show, also those thrown with a d6: "2, blank and effect" (CD-1)."""
    return faces_words([as_challenge_face(DieKind.D6, face) if isinstance(face, int) else face for face in faces])
