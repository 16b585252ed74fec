"""Which tag is which face of which die: pure values, and the text that keeps them.

Free of I/O and of the wire: a tag is known by its number (docs/tray-protocol.md, "Tagged dice"). The text is TOML, for
people to read, keep and mend; every mistake in it is named with its place.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, TypeVar

from firmware_bridge.errors import TaughtError
from rules.dice import FACES, DieKind, Face, Symbol
from rules.words import Phrase, joined_by, say

FILE_NAME: Final = "taught-dice.toml"
"""The file's name in the data folder."""

LONGEST_NAME: Final = 40
"""Characters in a die's name."""

MOST_DICE: Final = 200
"""Dice in one file: more than anybody owns, few enough to look through at once."""

STEPS: Final[dict[DieKind, tuple[Face, ...]]] = {
    DieKind.D20: FACES[DieKind.D20],
    DieKind.CHALLENGE: (1, 2, Symbol.BLANK, Symbol.BLANK, Symbol.EFFECT, Symbol.EFFECT),
    DieKind.D6: FACES[DieKind.D6],
}
"""The sides of each die, as faces, in the order in which they are taught: one tag each."""

DAMAGED_REMEDY: Final = say(
    "Bring it back from a backup, or mend it by hand. Else move it away, and teach the dice again."
)
"""What to do about a file that is none any more."""

REMEDY: Final = say("Mend the file, or move it away and teach the dice again.")
"""What to do about a file with a mistake in it."""

_VERSION: Final = 1
"""The version of the file's form: a file of another is not read."""
_HIGHEST_TAG: Final = 0xFFFFFFFF
"""The highest number of a tag, which has four bytes."""
_TAG: Final = re.compile(r"[0-9a-f]{8}")
"""A tag's number, as the file has it: eight hexadecimal digits."""
_HEAD: Final = "# Which tag is which face of which die. Written by trueroll; `trueroll tray teach` teaches a die.\n"
"""The first line of the file."""

_Word = TypeVar("_Word", bound=StrEnum)


class TagSide(StrEnum):
    """What a tag's face means: the one that is up while the tag is read, or the one that the tag sits under."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one tag stands for: a face of the die `die_id`, and on which `side` it is while the tag is read."""

    die_id: int
    kind: DieKind
    face: Face
    side: TagSide


@dataclass(frozen=True, slots=True)
class TaughtDie:
    """One die: its `name`, and the numbers of its tags in the order of `STEPS`.

    Raises `TaughtError` for a wrong number of tags, a tag that appears twice or is no u32 above 0, a name that is
    empty, too long or not printable, and for side `DOWN` on a Challenge Die, whose opposite sides follow no sum.
    """

    name: str
    kind: DieKind
    tags: tuple[int, ...]
    side: TagSide = TagSide.UP

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", checked_name(self.name))
        if self.kind is DieKind.CHALLENGE and self.side is TagSide.DOWN:
            raise TaughtError(say("the tags of a Challenge Die can only be taught by the face that is up"))
        if len(self.tags) != len(STEPS[self.kind]):
            raise TaughtError(
                say(
                    "a {kind} has {right} tags, not {count}",
                    kind=self.kind,
                    right=len(STEPS[self.kind]),
                    count=len(self.tags),
                )
            )
        for tag in self.tags:
            if not 0 < tag <= _HIGHEST_TAG:
                raise TaughtError(say("{tag} is no tag number", tag=tag))
        twice = [tag for tag, times in Counter(self.tags).items() if times > 1]
        if twice:
            raise TaughtError(say("tag {tag} stands for two of its faces", tag=f"{twice[0]:08x}"))

    @property
    def die_id(self) -> int:
        """The die's number on the wire: that of its first tag, which no other die has."""
        return self.tags[0]

    def faces(self) -> tuple[tuple[Face, int], ...]:
        """Each side as face and tag."""
        return tuple(zip(STEPS[self.kind], self.tags, strict=True))


@dataclass(frozen=True, slots=True)
class TaughtDice:
    """All dice that have been taught. Raises `TaughtError` where two share a name or a tag, or there are too many."""

    dice: tuple[TaughtDie, ...] = ()
    _meanings: dict[int, Meaning] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.dice) > MOST_DICE:
            raise TaughtError(
                say("{count} dice are too many; {most} can be kept", count=len(self.dice), most=MOST_DICE)
            )
        names: set[str] = set()
        owners: dict[int, str] = {}
        meanings: dict[int, Meaning] = {}
        for die in self.dice:
            if die.name.casefold() in names:
                raise TaughtError(
                    say("two dice are called {name}", name=die.name), say("Give one of them another name.")
                )
            names.add(die.name.casefold())
            for face, tag in die.faces():
                if tag in owners:
                    raise TaughtError(
                        say(
                            "tag {tag} of {die} belongs to {owner} already",
                            tag=f"{tag:08x}",
                            die=die.name,
                            owner=owners[tag],
                        ),
                        say("Forget {die} first, if it is the same die.", die=owners[tag]),
                    )
                owners[tag] = die.name
                meanings[tag] = Meaning(die.die_id, die.kind, face, die.side)
        object.__setattr__(self, "_meanings", meanings)

    def meaning(self, tag: int) -> Meaning | None:
        """The meaning of `tag`; None if nobody has taught it."""
        return self._meanings.get(tag)

    def die(self, die_id: int) -> TaughtDie | None:
        """The die with this number."""
        return next((die for die in self.dice if die.die_id == die_id), None)

    def owner(self, tag: int) -> TaughtDie | None:
        """The die that `tag` belongs to."""
        meaning = self._meanings.get(tag)
        return self.die(meaning.die_id) if meaning is not None else None

    def with_die(self, die: TaughtDie, instead_of: int | None = None) -> TaughtDice:
        """These and `die`, which takes the place of `instead_of` where that is given. Raises `TaughtError`."""
        if instead_of is not None and self.die(instead_of) is not None:
            return TaughtDice(tuple(die if one.die_id == instead_of else one for one in self.dice))
        return TaughtDice((*self.dice, die))

    def renamed(self, die_id: int, name: str) -> TaughtDice:
        """These with another name for one. Raises `TaughtError`."""
        self._require(die_id)
        return TaughtDice(tuple(replace(one, name=name) if one.die_id == die_id else one for one in self.dice))

    def without(self, die_id: int) -> TaughtDice:
        """These without one. Raises `TaughtError`."""
        self._require(die_id)
        return TaughtDice(tuple(one for one in self.dice if one.die_id != die_id))

    def _require(self, die_id: int) -> None:
        if self.die(die_id) is None:
            raise TaughtError(
                say("no die {number} has been taught", number=f"{die_id:08x}"), say("Look at the list of dice again.")
            )


def checked_name(name: str) -> str:
    """`name` without blanks around it. Raises `TaughtError` when it is empty, too long or not printable."""
    stripped = " ".join(name.split())
    if not stripped:
        raise TaughtError(say("the die needs a name"), say("Call it as you would at the table, for example Red d20."))
    if len(stripped) > LONGEST_NAME:
        raise TaughtError(say("a die's name has at most {most} characters", most=LONGEST_NAME))
    if not stripped.isprintable():
        raise TaughtError(say("a die's name needs characters that can be seen"))
    return stripped


def written(taught: TaughtDice) -> str:
    """The file's text for `taught`; `read` gives the same back."""
    parts = [f"{_HEAD}version = {_VERSION}\n"]
    for die in taught.dice:
        tags = "".join(f'  {{ face = {_toml(face)}, tag = "{tag:08x}" }},\n' for face, tag in die.faces())
        name = json.dumps(die.name, ensure_ascii=False)
        parts.append(f'\n[[die]]\nname = {name}\nkind = "{die.kind}"\nside = "{die.side}"\ntags = [\n{tags}]\n')
    return "".join(parts)


def read(text: str, name: str = FILE_NAME) -> TaughtDice:
    """What the file called `name` says. Raises `TaughtError` naming file, die and entry of the first mistake."""
    if not text.strip():
        raise TaughtError(say("{place} is empty: what was in it is gone", place=name), DAMAGED_REMEDY)
    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise TaughtError(_unreadable(name, str(error)), DAMAGED_REMEDY) from None
    if found.get("version") != _VERSION:
        raise TaughtError(
            say(
                "{place}: version has to be {right}, not {found}",
                place=name,
                right=_VERSION,
                found=repr(found.get("version")),
            ),
            REMEDY,
        )
    _only(found, {"version", "die"}, Phrase(name))
    dice = found.get("die", [])
    if not isinstance(dice, list):
        raise TaughtError(say("{place}: dice are written as [[die]]", place=name), REMEDY)
    made = tuple(
        _die(one, say("{file}, die {number}", file=name, number=number)) for number, one in enumerate(dice, start=1)
    )
    try:
        return TaughtDice(made)
    except TaughtError as error:
        raise TaughtError(joined_by(": ", (name, error.what)), error.remedy or REMEDY) from None


def _unreadable(name: str, reason: str) -> Phrase:
    """The message about a file that is no TOML, with the line if the parser names one."""
    if (line := re.search(r"at line (\d+)", reason)) is not None:
        return say(
            "{place} is damaged, or was changed by hand, and cannot be read: line {line} is not written as it should "
            "be",
            place=name,
            line=line[1],
        )
    return say("{place} is damaged, or was changed by hand, and cannot be read", place=name)


def _toml(face: Face) -> str:
    return str(face) if isinstance(face, int) else f'"{face}"'


def _only(found: dict[str, Any], known: set[str], place: Phrase) -> None:
    others = sorted(set(found) - known)
    if others:
        raise TaughtError(say("{place}: {word} is not known here", place=place, word=repr(others[0])), REMEDY)


def _die(found: object, place: Phrase) -> TaughtDie:
    if not isinstance(found, dict):
        raise TaughtError(say("{place} is no table", place=place), REMEDY)
    _only(found, {"name", "kind", "side", "tags"}, place)
    name = found.get("name")
    if not isinstance(name, str):
        raise TaughtError(say("{place}: name is missing or no text", place=place), REMEDY)
    place = say("{place} ({name})", place=place, name=_shown(name[:LONGEST_NAME]))
    kind = _word(DieKind, found.get("kind"), joined_by(": ", (place, "kind")))
    side = _word(TagSide, found.get("side", TagSide.UP), joined_by(": ", (place, "side")))
    tags = found.get("tags")
    if not isinstance(tags, list):
        raise TaughtError(say("{place}: tags are missing", place=place), REMEDY)
    entries = [
        _entry(one, kind, say("{die}, tag {number}", die=place, number=number))
        for number, one in enumerate(tags, start=1)
    ]
    try:
        return TaughtDie(name, kind, _in_order(entries, kind), side)
    except TaughtError as error:
        raise TaughtError(joined_by(": ", (place, error.what)), REMEDY) from None


def _shown(name: str) -> str:
    """A name as a message shows it: what cannot be seen, or turns the direction of writing, as its number."""
    return name if name.isprintable() else repr(name)[1:-1]


def _word(words: type[_Word], found: object, place: Phrase) -> _Word:
    try:
        return words(str(found))
    except ValueError:
        raise TaughtError(
            say(
                "{place} has to be one of {words}, not {found}",
                place=place,
                words=", ".join(words),
                found=repr(found),
            ),
            REMEDY,
        ) from None


def _entry(found: object, kind: DieKind, place: Phrase) -> tuple[Face, int]:
    if not isinstance(found, dict):
        raise TaughtError(say('{place} is not written as {{ face = 1, tag = "0123abcd" }}', place=place), REMEDY)
    _only(found, {"face", "tag"}, place)
    face, tag = found.get("face"), found.get("tag")
    if type(face) not in (int, str) or face not in FACES[kind]:
        raise TaughtError(say("{place}: a {kind} has no face {face}", place=place, kind=kind, face=repr(face)), REMEDY)
    if not isinstance(tag, str) or _TAG.fullmatch(tag) is None:
        raise TaughtError(
            say("{place}: a tag number has 8 digits 0-9 and a-f, not {tag}", place=place, tag=repr(tag)), REMEDY
        )
    return face, int(tag, 16)


def _in_order(entries: list[tuple[Face, int]], kind: DieKind) -> tuple[int, ...]:
    if Counter(face for face, _ in entries) != Counter(STEPS[kind]):
        wrong = Counter(face for face, _ in entries)
        wrong.subtract(STEPS[kind])
        face = next(face for face, times in wrong.items() if times)
        raise TaughtError(
            say(
                "face {face} has {count} tags, not {right}",
                face=face,
                count=Counter(one for one, _ in entries)[face],
                right=STEPS[kind].count(face),
            )
        )
    return tuple(tag for _, tag in sorted(entries, key=lambda entry: STEPS[kind].index(entry[0])))
