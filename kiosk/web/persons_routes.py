"""Persons over the API: who asks, the characters that they take, and what the gamemaster does about others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeVar

from flask import Response, request
from msgspec import Meta, Struct
from werkzeug.wrappers import Response as AnyResponse

from kiosk.errors import KioskError, WireError
from kiosk.storage.persons import Part, Person
from kiosk.storage.wire import LONGEST_TEXT, decode_as
from kiosk.web.access import COOKIE, PIN_COOKIE, PIN_LENGTHS, AccessLevel, Identity
from kiosk.web.asking import sender, who_asks
from kiosk.web.route import CHANGE_FAILS, Route, answered
from kiosk.web.services import Services
from rules.game import LONGEST_NAME
from rules.words import Phrase, say

Id = Annotated[str, Meta(max_length=LONGEST_TEXT)]
"""An id of the table or of a person, as a request names it."""

Name = Annotated[str, Meta(max_length=4 * LONGEST_NAME)]
"""A name as it is typed; one that no screen has room for is refused in words."""

AnyAnswer = TypeVar("AnyAnswer", bound=AnyResponse)
"""An answer of Flask's or werkzeug's own."""

COOKIE_SECONDS: Final = 30 * 24 * 3600
"""How long a browser keeps who it is."""


ABSENT_SECONDS: Final = 30 * 60.0
"""For how long nothing is heard of a device before its person counts as not here."""

LONG_MINUTES: Final = 120
"""From how many minutes on they are told in hours."""


class Me(Struct, frozen=True, kw_only=True):
    """Who asks: what they may do, and the person that they are, with an empty id where they are none yet."""

    role: Literal["guest", "player", "gamemaster"]
    person_id: str = ""
    name: str = ""
    characters: Annotated[tuple[str, ...], Meta(description="Ids of the characters that they took.")] = ()
    locked: Annotated[bool, Meta(description="At the kiosk itself, before the table's PIN was typed in.")] = False
    sent_away: Annotated[bool, Meta(description="The gamemaster sent them away.")] = False


class MeChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody says of themselves: a name, a character that they take, leave, or ask the gamemaster for.

    What is left out stays as it is.
    """

    name: Name | None = None
    take: Id | None = None
    leave: Id | None = None
    ask: Annotated[Id | None, Meta(description="A character that another plays: the gamemaster may give it.")] = None


class AtTable(Struct, frozen=True, kw_only=True):
    """Somebody at the table, as the gamemaster sees them."""

    person_id: str
    name: str
    called: Annotated[str, Meta(description="The name, else which phone it is.")]
    part: Part
    characters: tuple[str, ...]


class AllPersons(Struct, frozen=True, kw_only=True):
    """Everybody at the table, in the order in which they came."""

    persons: tuple[AtTable, ...]


class PersonChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the gamemaster does about somebody.

    `give` gives them `character_id`, whoever had it; `free` takes it from them; `refuse` leaves it with who has it,
    where they asked for it; `name` calls them `name`; `send_away` takes them off the table, until they join again.
    """

    action: Literal["give", "free", "refuse", "name", "send_away"]
    person_id: Id
    character_id: Id = ""
    name: Name = ""


class Renewal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which code is made anew. Nobody who has joined loses their place."""

    code: Literal["table", "gamemaster"]


class Renewed(Struct, frozen=True, kw_only=True):
    """The table's new code; the gamemaster's is shown at the kiosk itself."""

    table_code: str


class Pin(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table's PIN."""

    pin: Annotated[
        str, Meta(max_length=PIN_LENGTHS[-1], description="4 to 8 digits; empty, where it is set, for none.")
    ]


class PinState(Struct, frozen=True, kw_only=True):
    """Whether the table has a PIN, and whether the gamemaster's part is open to who asks."""

    has_pin: bool
    locked: bool


def me_of(kiosk: Services, who: Identity) -> Me:
    """`who` in the form of the API."""
    found = kiosk.access.persons.find(who.person) if who.person else None
    return Me(
        role=_ROLES[who.role],
        person_id=who.person,
        name=found.name if found is not None else "",
        characters=_at_table(kiosk, found) if found is not None else (),
        locked=who.locked,
        sent_away=who.sent_away,
    )


_ROLES: Final[dict[AccessLevel, Literal["guest", "player", "gamemaster"]]] = {
    AccessLevel.GUEST: "guest",
    AccessLevel.PLAYER: "player",
    AccessLevel.GAMEMASTER: "gamemaster",
}
"""What each level of access is called on the wire."""


def _at_table(kiosk: Services, person: Person) -> tuple[str, ...]:
    """The characters of `person` that are at the table."""
    there = {one.character_id for one in kiosk.engine.present().table.characters}
    return tuple(one for one in person.characters if one in there)


def with_cookie(answer: AnyAnswer, cookie: str) -> AnyAnswer:
    """`answer` with the cookie of a person, out of scripts' reach and never sent by other sites."""
    answer.set_cookie(COOKIE, cookie, max_age=COOKIE_SECONDS, httponly=True, samesite="Strict", path="/")
    return answer


def with_pin_cookie(answer: AnyAnswer, token: str) -> AnyAnswer:
    """`answer` with the cookie that the right PIN earned; the browser forgets it when it is closed."""
    answer.set_cookie(PIN_COOKIE, token, httponly=True, samesite="Strict", path="/")
    return answer


def change_me(kiosk: Services, who: Identity, change: MeChange) -> str | None:
    """Apply somebody's change of themselves; returns the cookie of a person made for it. Raises `KioskError`.

    Whom another has, nobody takes so, the gamemaster neither: they are asked for, and given by an answer.
    """
    person, cookie = kiosk.access.settle_in(who)
    persons = kiosk.access.persons
    if change.name is not None:
        persons.call(person, change.name)
    if change.leave is not None:
        persons.leave(person, change.leave)
    if change.take is not None:
        require_character(kiosk, change.take)
        persons.take(person, change.take)
    if change.ask is not None:
        require_character(kiosk, change.ask)
        persons.ask(person, change.ask)
    return cookie


def require_character(kiosk: Services, character_id: str) -> None:
    """Raise `KioskError` where no character at the table has that id."""
    if all(one.character_id != character_id for one in kiosk.engine.present().table.characters):
        raise KioskError(say("That character is not at the table. Choose one of those who are."))


def change_person(kiosk: Services, who: Identity, change: PersonChange) -> None:
    """Do what the gamemaster, or `who` stands at the kiosk's own screen, does about somebody. Raises `KioskError`."""
    persons = kiosk.access.persons
    match change.action:
        case "give":
            require_character(kiosk, change.character_id)
            name = _name_before(persons.find(change.person_id), persons.owner(change.character_id), change.character_id)
            anybody = who.local and not kiosk.access.has_pin
            given = who.person != change.person_id
            persons.take(change.person_id, change.character_id, from_others=True, given=given, here=anybody)
            if name:
                persons.call(change.person_id, name)
        case "free":
            persons.leave(change.person_id, change.character_id)
        case "refuse":
            persons.ask(change.person_id, "")
        case "name":
            persons.call(change.person_id, change.name)
        case "send_away":
            persons.send_away(change.person_id)


def _name_before(person: Person | None, owner: Person | None, character_id: str) -> str:
    """The name that a nameless person had as `owner`, if they asked for that character as theirs; else empty.

    An owner who plays somebody else too goes on playing, and keeps the name alone.
    """
    if person is None or owner is None or owner is person or person.name or person.asks != character_id:
        return ""
    return owner.name if owner.characters == (character_id,) else ""


def set_pin(kiosk: Services, who: Identity, pin: str) -> str | None:
    """Set the PIN, or go without; where it was set at the kiosk itself, the cookie that keeps that browser open."""
    kiosk.access.set_pin(pin)
    return kiosk.access.unlock(sender(kiosk) or "", pin) if pin and who.local else None


def absent(kiosk: Services) -> dict[str, Phrase]:
    """Those at the table of whose device nothing is heard, by id, with since when in a sentence; phones may sleep.

    Who joined again with another phone, and plays nobody with the old one, is gone with that as soon as it is closed.
    """
    live = kiosk.hub.live
    here = kiosk.access.persons.here
    silent = {one.person_id: kiosk.access.silent(one.person_id) for one in here}
    again = say("Joined again with another phone.")
    return {
        one: _last_here(seconds)
        for one, seconds in silent.items()
        if one not in live and (seconds is None or seconds >= ABSENT_SECONDS)
    } | {
        one.person_id: again
        for one in here
        if one.person_id not in live and not one.characters and _is_older(one, here)
    }


def _is_older(person: Person, here: Sequence[Person]) -> bool:
    """Whether somebody of the same name joined later."""
    return any(_namesakes(one, person) and one.number > person.number for one in here)


def _namesakes(one: Person, other: Person) -> bool:
    return bool(one.name) and one.name.casefold() == other.name.casefold() and one.person_id != other.person_id


def had_before(here: Sequence[Person], mine: Person | None) -> frozenset[str]:
    """The characters that somebody likely had with another phone: whom they ask for, or lost, or a namesake has."""
    if mine is None or mine.characters:
        return frozenset()
    others = (each for one in here if _namesakes(one, mine) for each in one.characters)
    return frozenset({mine.asks, mine.lost, *others} - {""})


def _last_here(seconds: float | None) -> Phrase:
    if seconds is None:
        return say("Not here since the kiosk was started.")
    minutes = int(seconds) // 60
    if minutes < LONG_MINUTES:
        return say("Last here {minutes} minutes ago.", minutes=minutes)
    return say("Last here {hours} hours ago.", hours=minutes // 60)


def get_me(kiosk: Services) -> Response:
    """Who asks."""
    return answered(me_of(kiosk, who_asks(kiosk)))


def post_me(kiosk: Services) -> Response:
    """Change one's name, take a character, leave one."""
    change = decode_as(request.get_data(), MeChange)
    if change == MeChange():
        raise WireError("Say what changes: name, take, leave or ask.")
    who = who_asks(kiosk)
    cookie = change_me(kiosk, who, change)
    if cookie is None:
        return answered(me_of(kiosk, who))
    known = kiosk.access.identify(sender(kiosk), cookie, program=True)
    return with_cookie(answered(me_of(kiosk, known)), cookie)


def get_persons(kiosk: Services) -> Response:
    """Everybody at the table."""
    return answered(_everybody(kiosk))


def post_persons(kiosk: Services) -> Response:
    """What the gamemaster does about somebody."""
    change_person(kiosk, who_asks(kiosk), decode_as(request.get_data(), PersonChange))
    return answered(_everybody(kiosk))


def _everybody(kiosk: Services) -> AllPersons:
    return AllPersons(
        persons=tuple(
            AtTable(
                person_id=one.person_id,
                name=one.name,
                called=one.called,
                part=one.part,
                characters=_at_table(kiosk, one),
            )
            for one in kiosk.access.persons.here
        )
    )


def post_codes(kiosk: Services) -> Response:
    """Make one of the codes anew."""
    asked = decode_as(request.get_data(), Renewal)
    kiosk.access.renew_code(gamemaster=asked.code == "gamemaster")
    kiosk.hub.publish_table()
    return answered(Renewed(table_code=kiosk.access.table_code))


def post_unlock(kiosk: Services) -> Response:
    """Open the gamemaster's part at the kiosk itself."""
    pin = decode_as(request.get_data(), Pin).pin
    token = kiosk.access.unlock(sender(kiosk) or "", pin, request.cookies.get(PIN_COOKIE))
    return with_pin_cookie(answered(PinState(has_pin=True, locked=False)), token)


def post_pin(kiosk: Services) -> Response:
    """Set the table's PIN, or go without."""
    token = set_pin(kiosk, who_asks(kiosk), decode_as(request.get_data(), Pin).pin)
    answer = answered(PinState(has_pin=kiosk.access.has_pin, locked=False))
    return answer if token is None else with_pin_cookie(answer, token)


PERSONS: Final[tuple[Route, ...]] = (
    Route(
        method="GET",
        path="/api/v1/me",
        name="whoAmI",
        summary="Who asks: what they may do, their name, and the characters that they took",
        handler=get_me,
        answer=Me,
    ),
    Route(
        method="POST",
        path="/api/v1/me",
        name="changeMe",
        summary="Change one's name, take a character or leave one; makes a person of a browser at the kiosk itself",
        handler=post_me,
        needs=AccessLevel.PLAYER,
        body=MeChange,
        answer=Me,
        problems=CHANGE_FAILS,
    ),
    Route(
        method="GET",
        path="/api/v1/persons",
        name="getPersons",
        summary="Everybody at the table, with the characters that they took",
        handler=get_persons,
        needs=AccessLevel.PLAYER,
        answer=AllPersons,
        problems=(401,),
    ),
    Route(
        method="POST",
        path="/api/v1/persons",
        name="changePerson",
        summary="Give somebody a character or take it, call them by a name, or send them away",
        handler=post_persons,
        needs=AccessLevel.GAMEMASTER,
        body=PersonChange,
        answer=AllPersons,
        problems=CHANGE_FAILS,
    ),
    Route(
        method="POST",
        path="/api/v1/codes",
        name="renewCode",
        summary="Make the table's or the gamemaster's code anew; who has joined stays",
        handler=post_codes,
        needs=AccessLevel.GAMEMASTER,
        body=Renewal,
        answer=Renewed,
        problems=CHANGE_FAILS,
    ),
    Route(
        method="POST",
        path="/api/v1/pin",
        name="setPin",
        summary="Set the PIN that the gamemaster's part asks for at the kiosk itself, or go without",
        handler=post_pin,
        needs=AccessLevel.GAMEMASTER,
        body=Pin,
        answer=PinState,
        problems=CHANGE_FAILS,
    ),
    Route(
        method="POST",
        path="/api/v1/pin/unlock",
        name="unlock",
        summary="Type the PIN in at the kiosk itself; the gamemaster's part is open for half an hour",
        handler=post_unlock,
        needs=AccessLevel.PLAYER,
        body=Pin,
        answer=PinState,
        problems=(*CHANGE_FAILS, 429),
    ),
)
"""The routes of persons, of the codes and of the PIN."""
