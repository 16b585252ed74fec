"""The persons at the table: the holder of each device, their name, and the characters that they took.

They lie in a small file in the data folder, beside the codes. The journal keeps only their ids.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from kiosk.errors import KioskError, system_words
from kiosk.storage.kept_file import Tell, read_kept
from kiosk.storage.replacing import replace_file
from kiosk.storage.typed_text import visible
from rules.game import LONGEST_NAME
from rules.words import say

log = logging.getLogger(__name__)

FILE_NAME: Final = "persons.json"
"""The file in the data folder."""

MOST: Final = 200
"""Most persons remembered, including those sent away: more than ever sit at one table."""

ID_BYTES: Final = 6
"""Bytes of a person's id, so that no two devices share one, even if the file is lost."""

Part = Literal["player", "gamemaster"]
"""The part that a person joined for."""


class Person(Struct, frozen=True, kw_only=True):
    """Somebody with a device. `number` counts all who ever joined, and is the name of those without one.

    `asks` is the character of somebody else that they ask the gamemaster for, as whoever lost their phone does.
    `lost` is the character that was last given from them to `lost_to`, by id, until they take one again; `given` the
    one that they were given last, until they do something. `lost_here` and `given_here`: at the kiosk's own screen,
    where anybody may have done it. `at_kiosk`: their device is that screen itself, no phone.
    A person no longer `here` was sent away: they have nothing, and are remembered for their decisions.
    """

    person_id: str
    number: int
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    part: Part = "player"
    characters: tuple[str, ...] = ()
    here: bool = True
    asks: str = ""
    lost: str = ""
    lost_to: str = ""
    lost_here: bool = False
    given: str = ""
    given_here: bool = False
    at_kiosk: bool = False

    @property
    def called(self) -> str:
        """The name that others read, else that they are the gamemaster, the table's screen, or a phone's number."""
        if self.name:
            return self.name
        if self.part == "gamemaster":
            return say("The gamemaster")
        return say("Table's screen") if self.at_kiosk else say("Phone {number}", number=self.number)


@dataclass(frozen=True, slots=True)
class _Register:
    """All persons in the order in which they came, and by id."""

    persons: tuple[Person, ...]
    by_id: dict[str, Person]


class Persons:
    """Keeps the persons at `path`, without one in memory. Every method may be called from any thread.

    A disk that fails costs only that changes are kept over a restart, which the log tells. `new_id` gives each person
    a text that nobody else ever had, and `tell` is told where the file cannot be used.
    """

    def __init__(
        self,
        path: Path | None = None,
        new_id: Callable[[], str] = lambda: secrets.token_hex(ID_BYTES),
        tell: Tell = None,
    ) -> None:
        self._path = path
        self._new_id = new_id
        self._lock = threading.Lock()
        self._changed: Callable[[], None] = lambda: None
        self._kept = True
        kept = read_kept(path, tuple[Person, ...], tell) if path is not None else None
        self._now = _register(kept or ())

    def listen(self, changed: Callable[[], None]) -> None:
        """Call `changed` after each change."""
        self._changed = changed

    @property
    def all(self) -> tuple[Person, ...]:
        """Everybody who is remembered; a value that never changes."""
        return self._now.persons

    @property
    def here(self) -> tuple[Person, ...]:
        """Those at the table, in the order in which they came."""
        return tuple(one for one in self._now.persons if one.here)

    def find(self, person_id: str) -> Person | None:
        """The person with that id, also one who was sent away."""
        return self._now.by_id.get(person_id)

    def called(self, person_id: str) -> str:
        """The name of the person with that id; empty for nobody."""
        found = self.find(person_id)
        return found.called if found is not None else ""

    def owner(self, character_id: str) -> Person | None:
        """Who took that character."""
        return next((one for one in self._now.persons if character_id in one.characters), None)

    def join(self, person_id: str, part: Part, name: str = "", *, at_kiosk: bool = False) -> Person:
        """The person with that id at the table in that part, else somebody new; an empty `name` changes none.

        `at_kiosk`: who is new plays at the kiosk's own screen.
        """
        with self._lock:
            found = self.find(person_id) if person_id else None
            if found is None:
                numbers = (one.number for one in self._now.persons)
                found = Person(person_id=self._new_id(), number=max(numbers, default=0) + 1, at_kiosk=at_kiosk)
                self._make_room()
            joined = msgspec.structs.replace(found, part=part, here=True, name=person_name(name) or found.name)
            self._keep(joined)
        self._changed()
        return joined

    def call(self, person_id: str, name: str) -> None:
        """Rename somebody. Raises `KioskError` for a name that no screen has room for."""
        self._change(person_id, lambda one: msgspec.structs.replace(one, name=person_name(name), given=""))

    def take(
        self, person_id: str, character_id: str, *, from_others: bool = False, given: bool = False, here: bool = False
    ) -> None:
        """Give somebody that character. Raises `KioskError` if another has it, unless `from_others`.

        `given`: it is not they who take it, so their pages tell them. `here`: that was done at the kiosk's own screen,
        by nobody in particular.
        """
        with self._lock:
            mine, owner = self._require(person_id), self.owner(character_id)
            if owner is not None and owner.person_id != person_id:
                if not from_others:
                    raise KioskError(
                        say(
                            "{person} plays this character. Choose another, or ask the gamemaster to give it to you.",
                            person=owner.called,
                        )
                    )
                left = _without(owner, character_id)
                self._keep(msgspec.structs.replace(left, lost=character_id, lost_to=person_id, lost_here=here))
            if character_id not in mine.characters:
                told = character_id if given else ""
                all_theirs = (*mine.characters, character_id)
                self._keep(msgspec.structs.replace(mine, characters=all_theirs, lost="", given=told, given_here=here))
            for one in self._now.persons:
                if one.asks == character_id or (one.asks and one.person_id == person_id):
                    self._keep(msgspec.structs.replace(one, asks=""))
        self._changed()

    def ask(self, person_id: str, character_id: str) -> None:
        """Somebody asks the gamemaster for that character, which another has; empty: they ask for none any more."""
        self._change(person_id, lambda one: msgspec.structs.replace(one, asks=character_id))

    def heard(self, person_id: str) -> None:
        """Somebody goes on: what they were given is no news any more. Nothing for nobody."""
        found = self.find(person_id)
        if found is not None and found.given:
            self._change(person_id, lambda one: msgspec.structs.replace(one, given=""))

    def leave(self, person_id: str, character_id: str) -> None:
        """Take that character from somebody."""
        self._change(person_id, lambda one: _without(one, character_id))

    def send_away(self, person_id: str) -> None:
        """Send somebody away; their characters become free."""
        self._change(
            person_id,
            lambda one: msgspec.structs.replace(one, here=False, characters=(), part="player", asks="", given=""),
        )

    def _change(self, person_id: str, change: Callable[[Person], Person]) -> None:
        with self._lock:
            self._keep(change(self._require(person_id)))
        self._changed()

    def _require(self, person_id: str) -> Person:
        found = self.find(person_id)
        if found is None or not found.here:
            raise KioskError(say("That person is no longer at the table. Look at who is, then choose again."))
        return found

    def _make_room(self) -> None:
        """Forget somebody if the limit is reached: first those sent away, then those without a character."""
        persons = self._now.persons
        if len(persons) < MOST:
            return
        idle = [one for one in persons if not one.characters and one.part == "player"]
        gone = next((one for one in persons if not one.here), next(iter(idle), None))
        if gone is None:
            raise KioskError(say("{most} persons are at the table. Send one away first.", most=MOST))
        self._now = _register(one for one in persons if one is not gone)

    def _keep(self, changed: Person) -> None:
        """`changed` in place of the same person as before, also on the disk."""
        persons = [changed if one.person_id == changed.person_id else one for one in self._now.persons]
        if self.find(changed.person_id) is None:
            persons.append(changed)
        self._now = _register(persons)
        self._write()

    def keep_again(self) -> None:
        """Save the file if that failed before, or if it is gone."""
        with self._lock:
            gone = bool(self._now.persons) and self._path is not None and not self._path.exists()
            if gone or not self._kept:
                self._write()

    def write_anew(self) -> bool:
        """Write everybody again; whether that succeeded."""
        with self._lock:
            self._write()
            return self._kept

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            replace_file(self._path, msgspec.json.encode(self._now.persons) + b"\n")
        except OSError as error:
            if self._kept:
                log.warning("Who plays which character is kept once the disk takes it: %s.", system_words(error))
            self._kept = False
        else:
            self._kept = True


def person_name(typed: str) -> str:
    """`typed` as a name: on one line, without invisible characters.

    Raises `KioskError` for one above `LONGEST_NAME`.
    """
    name = " ".join(visible(typed).split())
    if len(name) > LONGEST_NAME:
        raise KioskError(
            say("A name has up to {most} characters, and this one has {number}.", most=LONGEST_NAME, number=len(name))
        )
    return name


def _register(persons: Iterable[Person]) -> _Register:
    listed = tuple(persons)
    return _Register(listed, {one.person_id: one for one in listed})


def _without(person: Person, character_id: str) -> Person:
    left = tuple(one for one in person.characters if one != character_id)
    return msgspec.structs.replace(person, characters=left, given="" if person.given == character_id else person.given)
