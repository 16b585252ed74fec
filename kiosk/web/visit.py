"""One request for a page: who asks, what the table is, and the page rendered whole on the server."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from flask import Response, current_app, render_template, request
from werkzeug.exceptions import HTTPException

from kiosk.errors import AccessError, KioskError, TooManyTriesError, words_of
from kiosk.i18n.current import language_now, page_catalog
from kiosk.storage.persons import Person, Persons
from kiosk.storage.wire import in_words_of
from kiosk.views.bridge import bridge, played_by_somebody
from kiosk.views.conflict_view import foes_of_fights, gone_with_fights
from kiosk.views.crew import NAMES
from kiosk.views.house_rules import RULESETS, any_chosen, chosen, house_rule_groups, in_play
from kiosk.views.page_words import SKINS
from kiosk.views.phone import TABS
from kiosk.views.stage.names import known_as
from kiosk.views.view import all_taken, invites, nothing_thrown
from kiosk.views.work import player
from kiosk.web.access import COOKIE, SENT_AWAY, AccessLevel, Identity
from kiosk.web.asking import sender, trusted_by_browser, who_asks
from kiosk.web.conflict_forms import of_conflict
from kiosk.web.declaring_form import DIAL, OPEN, declaring
from kiosk.web.fighting_fields import ability_lines, of_fights, own_numbers, ship_weapon_lines
from kiosk.web.form_fields import Typed
from kiosk.web.form_results import marks
from kiosk.web.invitation import invitation, owners_settings
from kiosk.web.listeners import Listener, listener_of
from kiosk.web.live_parts import (
    BACK,
    LivePage,
    acting_on_bridge,
    decides_for_all,
    held_of,
    hidden_rolls,
    holders_for,
    may_take_back,
    newest_parts,
    on_tabs,
    others_holders_for,
    person_of,
    shown_by,
    shown_on,
    tab_now,
    without_taps,
    worked,
)
from kiosk.web.page_lists import lists_of
from kiosk.web.panel_rights import may_press
from kiosk.web.persons_routes import absent, had_before, with_cookie
from kiosk.web.problems import status_of
from kiosk.web.seen import seen_of_character, seen_of_ship
from kiosk.web.services import Services
from rules.game import LONGEST_NAME, Standing
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for a page: the kiosk, who asks, and the table's view as plain values."""

    services: Services
    who: Identity
    cookie: str | None
    view: dict[str, Any]

    @property
    def table(self) -> dict[str, Any]:
        """The table in the view."""
        table: dict[str, Any] = self.view["table"]
        return table


def visit() -> Visit:
    """The present request's visit."""
    services: Services = current_app.extensions["trueroll"]
    cookie = request.cookies.get(COOKIE)
    who = who_asks(services)
    return Visit(
        services,
        who,
        cookie,
        msgspec.to_builtins(services.views.current(), enc_hook=in_words_of(page_catalog(language_now()))),
    )


def page(
    template: str, now: Visit, *, status: int = 200, given: Mapping[str, str] | None = None, **more: object
) -> Response:
    """Render `template`. `given` holds what a refused form carried, so that nobody types it twice."""
    table = now.table
    action = str((request.view_args or {}).get("action", ""))
    typed = Typed(given or {}, action)
    screen = now.services.screen.now
    listener = listener_of(request.cookies)
    from_stage = _from_stage(template, now)
    parts: dict[str, Any] = {
        "view": now.view,
        "table": table,
        "now": now.view["stage"],
        "words": lists_of(now.view),
        "marks": marks(now.services.access.form_token(now.who, now.cookie), typed, now.view["about"]),
        "theme": listener.skin
        or (screen.theme if template == "display.html" or from_stage else now.services.config.display.theme),
        "skins": SKINS,
        "listener": listener,
        "listener_kept": msgspec.json.encode(_here(listener, template, now.who)).decode(),
        "flip": (template == "display.html" or from_stage) and screen.flip,
        "given": typed,
        "refused": action if given else "",
        "zip": zip,
        "seen_of_character": seen_of_character,
        "seen_of_ship": seen_of_ship,
        "joined": now.who.role >= AccessLevel.PLAYER,
        "is_gamemaster": now.who.role >= AccessLevel.GAMEMASTER,
        "has_camera": now.services.camera is not None,
        "person": now.who.person,
        "locked": now.who.locked,
        "absent": absent(now.services),
        "has_pin": now.services.access.has_pin,
        "here": now.who.local,
        "from_stage": from_stage,
        "sent_away": SENT_AWAY if now.who.sent_away else "",
        "given_away": _given_away(now),
        "given_to": _given_to(now),
        "choosing_now": _who_is_choosing(template, now),
    }
    if template in _WAITING:
        parts |= _of_wait(now.services.access.waits(sender(now.services) or ""))
    if template == "me.html":
        parts |= _of_person(now) | {"withheld": not now.who.local and not trusted_by_browser()}
    if template in _WORKED:
        table_now, held = now.services.views.present().table, held_of(now.services, now.who)
        back = may_take_back(now.services, person_of(now.who))
        parts |= worked(table_now, now.view, gamemaster=_sees_all(template, now), me=_me(now), held=held, back=back)
        parts["back"] = _WORKED[template]
    if template in _SHOWING:
        present = now.services.views.present()
        parts |= shown_by(present.table, present.history, now.view)
    if template == "play.html":
        tab = LivePage(str(more.setdefault("tab", LivePage.PHONE.value)))
        holders = holders_for(now.services, now.who)
        parts |= on_tabs(now.services, now.view, tab, _me(now), _acted(given), holders=holders)
        parts["mine"] = _of_player(now)
        parts["titles"] = {name: words for name, _, words in TABS}
        parts["back"] = BACK[tab]
    if template in _DECLARING:
        parts["declare"] = _declared(template, now, typed, given or {})
    if template in _OF_ONE:
        parts |= _OF_ONE[template](now)
    if template == "conflict.html":
        parts |= _of_conflict(now, given or {})
        parts |= _taps_in_menu(parts["work"], parts["acting"])
        typed.begin("page", {})  # what is beside its forms shows nothing of one
    live = _live_page(template, now, more)
    if live == LivePage.GAMEMASTER:
        parts["hidden_rolls"] = hidden_rolls(now.services.hidden)
        parts["bridge_acting"] = acting_on_bridge(now.services, now.view, _acted(given))
    parts |= invitation(now.services, now.who) if template in _INVITING else {}
    # What the page is made of may be newer than these parts: one that it does not have is sent.
    newest = newest_parts(now.services, live, now.who, parts.get("me", "")) if live else {}
    html = render_template(template, **parts, **more)
    html = html.replace('data-shows=""', f'data-shows="{shown_on(html, newest)}"', 1)
    answer = Response(html, status=status, mimetype="text/html")
    answer.headers["Cache-Control"] = "no-store"
    return _remembering(answer, from_stage=from_stage)


def _declared(template: str, now: Visit, typed: Typed, given: Mapping[str, str]) -> dict[str, Any]:
    """The values of the part in which a Task is declared."""
    history = now.services.views.present().history
    # The form of a Task carries `OPEN` whichever button was pressed: declare it, ask for it, roll it hidden.
    refused = typed.of("declare") or bool(given.get(OPEN))
    asked = {**given, OPEN: "yes", "more": "yes"} if refused else request.args
    me = "" if template == "gm.html" else _me(now)
    holders = holders_for(now.services, now.who)
    page = LivePage.PHONE if template == "play.html" else LivePage.GAMEMASTER
    made = declaring(
        now.view,
        history,
        asked,
        gamemaster=_sees_all(template, now),
        me=me,
        holders=holders,
        others_holders=others_holders_for(now.services, now.who, page),
    )
    if made["form"] is not None and not _sees_all(template, now):
        note_chooser(now, made["form"], asked)
    elif template == "play.html":
        now.services.choosing.closed(me, person_of(now.who) or "")
    return made


def note_chooser(now: Visit, form: Mapping[str, Any], asked: Mapping[str, str]) -> None:
    """Let the table know that somebody of it has that `form` of a player's Task open, as it was `asked` for."""
    name = _told_of(now, form["who"])
    if not name:
        return
    choosing, holds = now.services.choosing, (form["chosen"], form["more"], form["part"])
    if asked.get(DIAL, form["dial"]) != form["dial"]:
        choosing.turned(form["who"], holds, tab_now())
    else:
        person = person_of(now.who) or ""
        choosing.touched(form["who"], name, person, holds, opened=DIAL not in asked, tab=tab_now())


def note_actor(now: Visit, who: str, asked: Mapping[str, str]) -> None:
    """Let the table know that somebody has the form of an action for the Turn of `who` open, as it was `asked` for."""
    name = "" if who in holders_for(now.services, now.who) else _told_of(now, who)
    if name:
        holds = {field: value for field, value in asked.items() if field not in _OF_NO_CHOICE}
        person = person_of(now.who) or ""
        now.services.choosing.touched(who, name, person, holds, opened=False, tab=tab_now(), acts=True)


_OF_NO_CHOICE: Final = frozenset({"complication_range", "difficulty", "language", "tab"})
"""Fields of an action's form that are not somebody's choice: the gamemaster's dial is in it, too."""


def _told_of(now: Visit, character_id: str) -> str:
    """What the table calls a player's character of whom others are told what their player chooses; else empty.

    Not where a gamemaster looks at the page of somebody whom they do not play. At the kiosk's own screen anybody may
    be at it, unless the PIN was typed in.
    """
    access, who = now.services.access, now.who
    mine = next((one for one in now.table["characters"] if one["character_id"] == character_id), None)
    if who.role < AccessLevel.PLAYER or mine is None or mine["standing"] != Standing.PLAYER:
        return ""
    leads = who.role >= AccessLevel.GAMEMASTER and (access.has_pin or not who.local)
    person = access.persons.find(who.person) if who.person else None
    plays = person is not None and character_id in person.characters
    return "" if leads and not plays else known_as(now.services.views.present().table, str(mine["name"]))


def _who_is_choosing(template: str, now: Visit) -> str:
    """Who is choosing a Task, in words, but for whoever asks for the page."""
    choosing, language = now.services.choosing, language_now()
    if template not in {"play.html", "text.html"}:
        return choosing.line(language)
    return choosing.line(language, person=person_of(now.who) or "", me=_me(now) if template == "play.html" else "")


def _given_away(now: Visit) -> Phrase | str:
    """To whom the visitor's character was given, and by whom, as long as they took no other since; else empty."""
    persons = now.services.access.persons
    mine = persons.find(now.who.person) if now.who.person else None
    owner = persons.owner(mine.lost) if mine is not None and mine.lost else None
    name = next((one["name"] for one in now.table["characters"] if mine and one["character_id"] == mine.lost), "")
    if owner is None or not name or (mine is not None and mine.lost_to not in {"", owner.person_id}):
        return ""
    if mine is not None and mine.lost_here:
        if owner.at_kiosk:
            return say("{name} is played at the table's screen now.", name=name)
        return say("At the table's screen {name} was given to {person}.", name=name, person=owner.called)
    return say("The gamemaster gave {name} to {person}.", name=name, person=owner.called)


def _given_to(now: Visit) -> Phrase | str:
    """Whom the visitor was given, and by whom, until they do something; else empty."""
    mine = now.services.access.persons.find(now.who.person) if now.who.person else None
    name = next((one["name"] for one in now.table["characters"] if mine and one["character_id"] == mine.given), "")
    if not name or mine is None:
        return ""
    if mine.given_here:
        return say("At the table's screen you were given {name}.", name=name)
    return say("The gamemaster gave you {name}.", name=name)


def own_path(path: str, otherwise: str = "/") -> str:
    """`path` where it is one of the kiosk's own pages, else `otherwise`."""
    try:
        current_app.url_map.bind("").match(path, method="GET")
    except HTTPException:
        return otherwise
    return path if path.startswith("/") and not path.startswith("//") else otherwise


def _here(listener: Listener, template: str, who: Identity) -> Listener:
    """`listener` as this page keeps it: the table's screen on a player's own device presses no buttons of the panel."""
    if template != "display.html" or may_press(who):
        return listener
    return msgspec.structs.replace(listener, keys=msgspec.structs.replace(listener.keys, panel=False))


def _remembering(answer: Response, *, from_stage: bool) -> Response:
    """`answer` with the cookie by which the next page knows whether it leads back to the display."""
    if from_stage:
        answer.set_cookie(_AWAY, "yes", httponly=True, samesite="Strict", path="/")
    elif _AWAY in request.cookies:
        answer.delete_cookie(_AWAY, path="/")
    return answer


def _from_stage(template: str, now: Visit) -> bool:
    """Whether the page was opened at the kiosk's own screen from the table's display, at once or over other pages."""
    opened = request.args.get("from") == "stage" or _AWAY in request.cookies
    return opened and now.who.local and template != "display.html"


def _live_page(template: str, now: Visit, more: Mapping[str, object]) -> LivePage | None:
    """Whose parts the page is sent, if any."""
    if template == "gm.html" and now.who.role >= AccessLevel.GAMEMASTER:
        return LivePage.GAMEMASTER
    return {"display.html": LivePage.DISPLAY, "play.html": LivePage(str(more.get("tab", LivePage.PHONE)))}.get(template)


def _of_first_steps(now: Visit) -> dict[str, Any]:
    """The step of the first start that the table's screen shows, if any, to whoever may set up the table."""
    wanted, ruleset = request.args.get("step", ""), request.args.get("ruleset", "")
    present = now.services.views.present()
    step = ""
    if now.who.role >= AccessLevel.GAMEMASTER:
        network = now.services.network
        if not now.table["ready"]:
            known = ruleset in {one.value for one in RULESETS}
            step = wanted if wanted == "ruleset" or (wanted == "crew" and known) else "language"
        elif wanted == "phones" and not network.is_open and not network.settled:
            step = wanted
    return {
        "first_step": step,
        "first_ruleset": ruleset,
        "begun": now.services.begun,
        "languages": now.services.room.languages.names(),
        "all_in": request.args.get("everybody") == "in",
        "nothing_thrown": nothing_thrown(present.table),
        "invites": invites(present.history, now.services.access.persons.all),
        "all_taken": all_taken(present.table, now.services.access.persons.all),
    }


_INVITING: Final = frozenset({"gm.html", "setup.html", "display.html"})
"""Templates that say how phones join."""

_WORKED: Final = {"text.html": "/text", "play.html": "/play", "gm.html": "/gm", "conflict.html": "/conflict"}
"""Templates that offer what can be done now, each with the page that its forms lead back to."""


PLAYS: Final = "trueroll-plays"
"""The cookie in which a phone remembers its chosen character."""

_DECLARING: Final = frozenset({"text.html", "play.html", "gm.html"})
"""Templates on which Tasks are declared."""


_AWAY: Final = "trueroll_away"
"""The cookie of the kiosk's own screen while it shows pages that were opened from the table's display."""

_SHOWING: Final = frozenset({"display.html", "play.html"})
"""Templates with parts of `_live.html` that show more than the view has."""


def _me(now: Visit) -> str:
    """Whom the visitor plays: as the page was asked for, else the first character that they took, else the only one."""
    wanted = request.args.get("me", "") or request.args.get("character_id", "")
    return player(now.table["characters"], wanted or _leads_with(now))


def _leads_with(now: Visit) -> str:
    """The phone's character: the one chosen there, else the first that its person took.

    One that is another's only whoever decides for everybody goes on acting for.
    """
    persons, chosen = now.services.access.persons, request.cookies.get(PLAYS, "")
    owner, mine = persons.owner(chosen), persons.find(now.who.person) if now.who.person else None
    there = any(one["character_id"] == chosen for one in now.table["characters"])
    if there and (owner is None or owner == mine or decides_for_all(now.who)):
        return chosen
    return mine.characters[0] if mine is not None and mine.characters else ""


def _of_player(now: Visit) -> dict[str, Any]:
    """Who is played at this phone, or can be chosen, and who is played by others.

    `playing`: the name of who was chosen, empty where nobody was, or another is to be; `for_whom`: who plays them, in
    words, where that is another; `change`: whether one can be; `before`: whom they most likely had before. `all` of
    them keep their places, as others take theirs.
    """
    persons, everybodys = now.services.access.persons, decides_for_all(now.who)
    mine = persons.find(now.who.person) if now.who.person else None
    players = [one for one in now.table["characters"] if one["standing"] == Standing.PLAYER]
    owners = {one["character_id"]: persons.owner(one["character_id"]) for one in players}
    lent = {each: owner.called for each, owner in owners.items() if owner not in {None, mine} and not everybodys}
    asks, before = mine.asks if mine is not None else "", had_before(persons.here, mine)
    leads = request.args.get("me", "") or _leads_with(now)
    choosing = request.args.get("choose") == "yes"  # else it is a choice of a form
    everybody = [_with_who_plays(one, persons, mine) | {"lent": one["character_id"] in lent} for one in players]
    chosen = next((one for one in everybody if one["character_id"] == leads), None) if not choosing else None
    return {
        "playing": chosen["name"] if chosen else "",
        "for_whom": chosen["taken"] if chosen else "",
        "leads": leads,
        "choosing": choosing,
        "change": len(players) > 1 or bool(mine and mine.characters),
        "open": [one for one in players if one["character_id"] not in lent],
        "before": before,
        "all": everybody,
        "lent": [
            {"name": one["name"], "id": one["character_id"], "body": one["body"], "owner": lent[one["character_id"]]}
            | {"asked": one["character_id"] == asks, "before": one["character_id"] in before}
            for one in players
            if one["character_id"] in lent
        ],
    }


def _sees_all(template: str, now: Visit) -> bool:
    """Whether the page also offers the gamemaster's controls."""
    return template != "play.html" and now.who.role >= AccessLevel.GAMEMASTER


_WAITING: Final = frozenset({"join.html", "pin.html"})
"""The pages that take a code or a PIN, and tell how long none is taken."""


def _of_wait(seconds: int) -> dict[str, Any]:
    told = words_of(TooManyTriesError(seconds)) if seconds else ""
    return {"waits": seconds, "waits_told": told, "waited": "waiting" in request.args}


def joined(now: Visit, form: Mapping[str, str]) -> Response:
    """Take a typed code; a right one leads on with a cookie, a wrong one back to the form with words.

    The button that shows the gamemaster's code as it is typed tries nothing.
    """
    if "show" in form:
        return page("join.html", now, given=form, shown=shows(form))
    access = now.services.access
    given = form.get("gamemaster_code", "").strip()
    code = given or form.get("code", "")
    is_table_code = hmac.compare_digest(_bare(code), _bare(access.table_code))
    is_gamemasters = hmac.compare_digest(_bare(code), _bare(access.gamemaster_code))
    # A code in the other's field is understood; whether it counts is for `join`, with its limit.
    gamemaster = is_gamemasters or (bool(given) and not is_table_code)
    try:
        made = access.join(
            sender(now.services) or "",
            code,
            gamemaster=gamemaster,
            cookie=now.cookie,
            name=form.get("name", ""),
        )
    except TooManyTriesError:
        return waiting("/join", form.get("name", ""))
    except KioskError as error:
        status = 401 if isinstance(error, AccessError) else status_of(error)
        return page("join.html", now, status=status, given=form, problem=words_of(error), shown=shows(form))
    return with_cookie(
        Response(status=303, headers={"Location": "/gm" if gamemaster else _first_page(now, made)}), made
    )


def shows(form: Mapping[str, str]) -> bool:
    """Whether a field that hides what is typed shows it now: as its button says, else as it did before."""
    return form.get("show", form.get("shown", "")) == "yes"


def waiting(path: str, name: str = "") -> Response:
    """Leads to a page that counts down after too many wrong codes, and says when one is taken again."""
    asked = urlencode({"waiting": "yes", "name": name[:LONGEST_NAME]})
    return Response(status=303, headers={"Location": f"{path}?{asked}"})


def _first_page(now: Visit, cookie: str) -> str:
    """The first page after joining: to choose or make a character, as long as they have none."""
    access = now.services.access
    who = access.identify(None, cookie)
    mine = access.persons.find(who.person)
    return "/me" if now.table["ready"] and mine is not None and not mine.characters else "/play"


def _is_free(now: Visit, character: Mapping[str, Any]) -> bool:
    """Whether it is a player's, and nobody has taken it."""
    owner = now.services.access.persons.owner(character["character_id"])
    return character["standing"] == Standing.PLAYER and owner is None


def _of_person(now: Visit) -> dict[str, Any]:
    """The person who asks, their characters, those who are free, and those of others with who plays them."""
    persons = now.services.access.persons
    mine = persons.find(now.who.person) if now.who.person else None
    own = mine.characters if mine is not None else ()
    characters = now.table["characters"]
    others = ((one, persons.owner(one["character_id"])) for one in characters if one["character_id"] not in own)
    return {
        "me": mine,
        "own_characters": [one for one in characters if one["character_id"] in own],
        "free_characters": [one for one in characters if _is_free(now, one)],
        "others_characters": [(one, owner.called) for one, owner in others if owner is not None],
        "playable": [
            _with_who_plays(one, persons, mine)
            for one in characters
            if one["standing"] == Standing.PLAYER and one["character_id"] not in own
        ],
        "before": had_before(persons.here, mine),
        "unclaimed": _unclaimed(now, mine),
    }


def require_unclaimed(now: Visit, name: str) -> None:
    """Raise `KioskError` where somebody at the table is called so, as where two tap one name; an empty one is free."""
    others = (one for one in now.services.access.persons.here if one.person_id != now.who.person)
    if name and any(one.name.casefold() == name.casefold() for one in others):
        raise KioskError(say("Somebody at the table is called {name} already. Choose another name.", name=name))


def _unclaimed(now: Visit, mine: Person | None) -> list[str]:
    """The players' names that no person at the table has, for one who has none yet and plays nobody.

    A name that ends in a number stands for a place alone, as those of the first start do.
    """
    if now.who.role != AccessLevel.PLAYER or now.who.local or (mine is not None and (mine.name or mine.characters)):
        return []
    taken = {one.name.casefold() for one in now.services.access.persons.here}
    names = [str(one["name"]) for one in now.table["players"]]
    return [one for one in names if one.casefold() not in taken and not one[-1:].isdigit()]


def _with_who_plays(character: Mapping[str, Any], persons: Persons, mine: Person | None) -> dict[str, Any]:
    """The character with `taken`: who plays it, in words; empty where nobody does, or `mine` is who asks."""
    owner = persons.owner(character["character_id"])
    return {**character, "taken": say("played by {name}", name=owner.called) if owner not in {None, mine} else ""}


def _bare(code: str) -> bytes:
    """A code as `Access.join` reads it: capitals, without spaces and hyphens."""
    return "".join(one for one in code.upper() if one not in " -").encode()


def _answered(now: Visit) -> dict[str, str] | None:
    """What the visitor asked for, in words, and where it can be heard; None where nothing was asked."""
    what = request.args.get("ask", "")
    told = now.view[f"{what}_told"] if what in {"pools", "turn", "where"} else now.view["again_told"]
    if what not in {"again", "more", "pools", "turn", "where"} or told is None:
        return None
    length = "full" if what == "more" else listener_of(request.cookies).length
    return {"words": told[length], "sound": f"/api/v1/speech/{told['id']}.wav?length={length}"}


_MINOR_FIELDS: Final = frozenset({"target_id", "weapon", "price_threat"})
"""What the form of a Minor Action asks for beyond the tap that the same page has: how its price is paid, too."""


def _of_conflict(now: Visit, given: Mapping[str, str]) -> dict[str, Any]:
    """The conflict, and the menu of who is asked for."""
    who = request.args.get("who") or request.form.get("who", "")
    gamemaster = now.who.role >= AccessLevel.GAMEMASTER
    history = now.services.views.present().history
    holders = holders_for(now.services, now.who)
    made = of_conflict(
        history,
        now.services.views.menus,
        who,
        _acted(given),
        gamemaster=gamemaster,
        holders=holders,
        played=played_by_somebody(now.view["persons"]),
    )
    if made["acting"] is not None:
        made["acting"] = without_taps(now.view, made["acting"], _MINOR_FIELDS, wanted=_acted(given).get("deed", ""))
    return made


def _taps_in_menu(work: Mapping[str, Any], menu: Mapping[str, Any] | None) -> dict[str, Any]:
    """Of a page with a menu the Minor Actions that are one tap stand in it, `taps`, and not among what can be done."""
    if menu is None:
        return {}
    taps = [
        one
        for one in work["options"]
        if one["command"]["command"] == "take_minor_action" and one["command"]["character_id"] == menu["who"]
    ]
    rest = [one for one in work["options"] if one not in taps]
    return {"work": {**work, "options": rest}, "acting": {**menu, "taps": taps}}


def _acted(given: Mapping[str, str] | None) -> Mapping[str, str]:
    """The form of an action that was refused, or that the address asks for."""
    return given or request.args


def _of_bridge(now: Visit) -> dict[str, Any]:
    """What the gamemaster's bridge shows."""
    return {"bridge": bridge(now.services.views.present().table, now.view["persons"])}


def _of_setup(now: Visit) -> dict[str, Any]:
    """What is being changed, the house rules, and the gamemaster's code on the kiosk's own screen only."""
    wanted = request.args.get("character") or request.form.get("character_id", "")
    ship = request.args.get("ship") or request.form.get("ship_id", "")
    access = now.services.access
    edited = next((one for one in now.table["characters"] if one["character_id"] == wanted), None)
    edited_ship = next((one for one in now.table["ships"] if one["ship_id"] == ship), None)
    return {
        "played_by": {each: one["called"] for one in now.view["persons"] for each in one["characters"]},
        "edited": edited,
        "edited_ship": edited_ship,
        "gone": gone_with_fights(now.services.views.present().table),
        "foes_of_fights": foes_of_fights(now.services.views.present().table),
        "ability_lines": ability_lines(edited),
        "ship_weapon_lines": ship_weapon_lines(edited_ship),
        "own_numbers": own_numbers(edited_ship),
        **of_fights(now.services.views.present().table),
        "house_rules": house_rule_groups(),
        "house_rules_in_play": in_play(now.table["options"]),
        "house_rules_typed": any_chosen(request.form),
        "house_rules_chosen": chosen(now.table["options"]),
        "sample_names": NAMES,
        "owners_settings": owners_settings(now.services.config),
        "gamemaster_code": access.gamemaster_code
        if now.who.local and not now.who.locked and access.open_to_network
        else "",
    }


_OF_ONE: Final[Mapping[str, Callable[[Visit], dict[str, Any]]]] = MappingProxyType(
    {
        "display.html": _of_first_steps,
        "setup.html": _of_setup,
        "gm.html": _of_bridge,
        "text.html": lambda now: {"answered": _answered(now), **_of_bridge(now)},
    }
)
"""The values that only one template shows."""
