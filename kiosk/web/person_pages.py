"""The pages of persons: one's name and characters, the PIN at the kiosk itself, and the gamemaster's actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.errors import AccessError, KioskError, TooManyTriesError, WireError, words_of
from kiosk.web.access import PIN_COOKIE, PIN_LENGTHS, AccessLevel
from kiosk.web.asking import sender
from kiosk.web.live_parts import BACK, decides_for_all
from kiosk.web.new_character import make_character
from kiosk.web.persons_routes import (
    MeChange,
    PersonChange,
    change_me,
    change_person,
    set_pin,
    with_cookie,
    with_pin_cookie,
)
from kiosk.web.problems import status_of
from kiosk.web.visit import PLAYS, Visit, own_path, page, require_unclaimed, shows, visit, waiting
from rules.game import Refusal

person_pages = Blueprint("person_pages", __name__)

YEAR_SECONDS: Final = 365 * 24 * 3600
"""How long a phone remembers its chosen character."""

BACK_KEY: Final = "back"
"""The key of the PIN's pad that takes the last digit away."""

LONGEST_FIELD: Final = 240
"""Most characters read of a field."""


@person_pages.get("/me")
def me() -> Response:
    """Who one is, and whom one plays."""
    return page("me.html", visit())


@person_pages.post("/me")
def choose() -> AnyResponse:
    """Keep the name, take a character, leave one or ask for one; who took one goes on to play.

    The character that somebody chose to `play` is taken if necessary; just looking takes nobody, and so does acting for
    whom another plays, where one decides for everybody.
    """
    now = visit()
    form = request.form
    play, take, leave, ask = (_field(form, name) or None for name in ("play", "take", "leave", "ask"))
    if play is not None:
        return _play(now, play)
    making = _field(form, "make")
    made: list[str | None] = []
    taken = take

    def done() -> None:
        nonlocal taken
        now.services.access.require(now.who, AccessLevel.PLAYER)
        named = (_field(form, "character_name"), _field(form, "character_value"))
        taken = make_character(now, making, *named) if making else take
        require_unclaimed(now, _field(form, "called"))
        name = _field(form, "called") or (_field(form, "name") if "name" in form else None)
        change = MeChange(name=name, take=taken, leave=leave, ask=ask)
        made.append(change_me(now.services, now.who, change))

    refused = _refused(now, "me.html", done)
    if refused is not None:
        return refused
    stays = leave is not None or (_field(form, "called") and not _plays_somebody(now))
    answer = redirect("/me" if stays else "/play", 303)
    if leave is not None and leave == request.cookies.get(PLAYS):
        answer.delete_cookie(PLAYS, path="/")  # the phone goes on with another of theirs
    if taken is not None and _has_to_remember(now, taken):
        _plays(answer, taken)
    return with_cookie(answer, made[0]) if made[0] is not None else answer


def _plays_somebody(now: Visit) -> bool:
    """Whether the visitor has a character."""
    mine = now.services.access.persons.find(now.who.person)
    return mine is not None and bool(mine.characters)


def _play(now: Visit, character_id: str) -> AnyResponse:
    """Remember that character as the chosen one, and go to the tab where it was chosen."""
    made: list[str | None] = []

    def done() -> None:
        now.services.access.persons.heard(now.who.person)
        owner = now.services.access.persons.owner(character_id)
        others = owner is not None and owner.person_id != now.who.person
        takes = not decides_for_all(now.who) if others else owner is None
        if now.who.role >= AccessLevel.PLAYER and takes:
            made.append(change_me(now.services, now.who, MeChange(take=character_id)))

    refused = _refused(now, "me.html", done)
    if refused is not None:
        return refused
    back = _field(request.form, "back")
    answer = redirect(back if back in BACK.values() else "/play", 303)
    _plays(answer, character_id)
    return with_cookie(answer, made[0]) if made and made[0] is not None else answer


def _has_to_remember(now: Visit, character_id: str) -> bool:
    """Whether the phone has to remember that character: it remembers one already, or theirs has others before it."""
    mine = now.services.access.persons.find(now.who.person)
    return PLAYS in request.cookies or (mine is not None and mine.characters[:1] != (character_id,))


def _plays(answer: AnyResponse, character_id: str) -> None:
    """Have the phone remember that character as the chosen one."""
    answer.set_cookie(PLAYS, character_id, max_age=YEAR_SECONDS, samesite="Strict", path="/", httponly=True)


@person_pages.get("/pin")
def pin() -> Response:
    """Where the PIN is typed in at the kiosk itself."""
    return page("pin.html", visit())


@person_pages.post("/pin")
def unlock() -> AnyResponse:
    """Open the gamemaster's part, or lock it again; a key of the page's pad is typed, and tries nothing yet."""
    now = visit()
    made: list[str] = []
    pressed = _pressed(request.form)

    def done() -> None:
        access, address = now.services.access, sender(now.services) or ""
        if pressed:
            return
        if request.form.get("action") == "lock":
            access.lock(address)
        else:
            made.append(access.unlock(address, _field(request.form, "pin"), request.cookies.get(PIN_COOKIE)))

    refused = _refused(now, "pin.html", done)
    if refused is not None:
        return refused
    if pressed:
        return page("pin.html", visit(), pressed=pressed, typed=_typed(_field(request.form, "pin"), pressed))
    back = own_path(request.form.get("back", ""), "/gm")
    return with_pin_cookie(redirect(back, 303), made[0]) if made else redirect("/pin?now=locked", 303)


@person_pages.post("/persons")
def change() -> AnyResponse:
    """Apply the gamemaster's change of a person, a code or the PIN; the page shows the new state.

    A key of the new PIN's pad is typed, and sets nothing yet; so does the button that shows the digits.
    """
    now = visit()
    form = request.form
    pressed, action = _pressed(form), _field(form, "action")
    made: list[str | None] = []

    def done() -> None:
        access = now.services.access
        access.require(now.who, AccessLevel.GAMEMASTER)
        match action:
            case "renew":
                access.renew_code(gamemaster=form.get("code") == "gamemaster")
                now.services.hub.publish_table()
            case "pin" if pressed:
                pass
            case "pin":
                made.append(set_pin(now.services, now.who, _field(form, "pin")))
            case "give" | "free" | "send_away" as asked:
                person, character = _field(form, "person_id"), _field(form, "character_id")
                wanted = PersonChange(action=asked, person_id=person, character_id=character)
                change_person(now.services, now.who, wanted)
            case _:
                raise WireError("This form is not one of this page's. Load the page again.")

    refused = _refused(now, "setup.html", done)
    if refused is not None:
        return refused
    if pressed:
        typed, shown = _typed(_field(form, "pin"), pressed), shows(form)
        return page("setup.html", visit(), pressed=pressed, typed=typed, shown=shown)
    answer = redirect("/setup?pin=changed" if action == "pin" else "/setup#persons", 303)
    return with_pin_cookie(answer, made[0]) if made and made[0] is not None else answer


def _pressed(form: Mapping[str, str]) -> str:
    """The key of the PIN's pad that sent the form, or the one that shows what is typed; else empty."""
    return _field(form, "key") or ("show" if "show" in form else "")


def _typed(before: str, key: str) -> str:
    """What stands in the PIN's field after that key of the pad."""
    digit = key if key in set("0123456789") else ""
    return before[:-1] if key == BACK_KEY else (before + digit)[: PIN_LENGTHS[-1]]


def _field(form: Mapping[str, str], name: str) -> str:
    return form.get(name, "").strip()[:LONGEST_FIELD]


def _refused(now: Visit, template: str, done: Callable[[], None]) -> AnyResponse | None:
    """Do it; the page with the refusal in words where that is not possible."""
    more: dict[str, Any]
    try:
        if not now.services.access.form_token_right(request.form.get("token", ""), now.who, now.cookie):
            raise AccessError("This form is too old or not from this kiosk. Try once more from this page.")
        done()
    except TooManyTriesError:
        return waiting("/pin")
    except (KioskError, Refusal) as error:
        more = {"problem": words_of(error)}
        return page(template, visit(), status=status_of(error), given=request.form, **more)
    return None
