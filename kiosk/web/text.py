"""The forms of the pages: each posts here, and the answer leads back to the page it came from.

A form that is sent twice counts once and is answered the same twice: its key is kept in the journal with what it asked.
A page's own script sends the same fields with the API's header, and is answered as by the API.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote, urlencode

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.engine import CommandResult, Present
from kiosk.errors import AccessError, AskFirstError, KioskError, StaleError, WireError, words_of
from kiosk.storage.wire import command_of, decode_as, encode
from kiosk.views.about import gone_on, require_about
from kiosk.views.counted import too_late
from kiosk.views.hidden import HiddenChange
from kiosk.views.holders import waits_for_another
from kiosk.views.option_fields import taken
from kiosk.views.phone import TABS
from kiosk.views.reference import PART
from kiosk.web.access import AccessLevel
from kiosk.web.api import applied, require_own_page
from kiosk.web.desk_forms import DONE
from kiosk.web.form_fields import Form, whole
from kiosk.web.form_results import TOKEN, key_of, new_key
from kiosk.web.forms import commands_of, d20s_of, declaration_of
from kiosk.web.hearing import say_row
from kiosk.web.live_parts import BACK, LivePage, others_holders_for
from kiosk.web.messages import role_needed
from kiosk.web.permissions import require_may
from kiosk.web.picture_uploads import posted_picture, taken_in
from kiosk.web.problems import status_of
from kiosk.web.route import HEADER
from kiosk.web.seen import Merged, merged
from kiosk.web.visit import Visit, joined, page, visit
from rules.game import Command, Next, Refusal, SaveCharacter, Table, Unchanged, Undo
from rules.words import Phrase, say

forms = Blueprint("forms", __name__)

CONFIRMED: Final = "confirmed"
"""The field of a form that says yes to its question."""

WRONG: Final = "wrong"
"""Where a refused form that is shown again says which of its fields is wrong."""

BACK_TO: Final = "back_to"
"""The form that takes back several decisions."""

SAY_ROW: Final = "say_row"
"""The form that has a row of the books read aloud in the room."""

HIDDEN: Final = "hidden"
"""The forms of a roll that only the gamemaster sees."""

_BACK: Final = {
    "/reference": "reference.html",
    "/setup": "setup.html",
    "/text": "text.html",
    "/conflict": "conflict.html",
    **dict.fromkeys((path for _, path, _ in TABS), "play.html"),
    "/gm": "gm.html",
    "/display": "display.html",
}
"""The pages whose forms post here, with the template that shows a refusal."""


@forms.post("/text/<action>")
def act(action: str) -> AnyResponse:
    """Do what the form asks, then lead back; a refusal is shown in words on the same page, with what was typed."""
    now = visit()
    if action == "picture":
        return _take_picture(now)
    by_script = HEADER in request.headers and TOKEN not in request.form
    return _sent_by_script(now, action) if by_script else _posted(now, action)


def _posted(now: Visit, action: str) -> AnyResponse:
    form = request.form
    back = form.get("back", "/text")
    back = back if back in _BACK else "/text"
    try:
        _require_own_form(now)
        if action == "join":
            return joined(now, form)
        if action == "hold":
            now.services.access.require(now.who, AccessLevel.PLAYER)
            now.services.hold_screen(held=form.get("held") == "yes")
            return redirect(back, 303)
        if action in _BESIDE:
            _BESIDE[action](now)
        elif action == BACK_TO:
            _take_back_to(now, form.get("about"))
        else:
            _apply_once(now, action, form.get("about"))
    except (Refusal, KioskError) as error:
        return _refused(back, error, _brought_up_to_date(now, action, form))
    return redirect(back if action == BACK_TO else _onward(action, back), 303)


def _sent_by_script(now: Visit, action: str) -> AnyResponse:
    """Do what the form asks, where the table is still the one that its field `about` names; errors go to the API's."""
    require_own_page(now.services)
    now.services.access.require(now.who, AccessLevel.PLAYER)
    about = request.form.get("about")
    if action in _BESIDE:
        _BESIDE[action](now)
        return applied(CommandResult(now.services.engine.present().sequence, ()))
    result = _take_back_to(now, about) if action == BACK_TO else _apply_once(now, action, about)
    return applied(result or CommandResult(now.services.engine.present().sequence, ()))


def _say_row(now: Visit) -> None:
    """Have a row of the books said in the room."""
    now.services.access.require(now.who, AccessLevel.PLAYER)
    say_row(now.services, request.form.get("row", ""))


def _at_row(back: str) -> str:
    """The page that a form was on, with its table open and at the row that was said."""
    topic, _, key = request.form.get("row", "").partition(PART)
    return f"{back}?{urlencode({'topic': topic})}#row-{quote(topic)}-{quote(key.replace(' ', '-'))}"


def _hide(now: Visit) -> None:
    """Take a step of a hidden roll: the one that the form names, else the declaration of its Task."""
    now.services.access.require(now.who, AccessLevel.GAMEMASTER)
    form = request.form
    step = form.get("step", "declare")
    change: dict[str, Any] = {"action": step, "idempotency": key_of(request.path, form)}
    if step == "declare":
        change["declaration"] = declaration_of(form)
    else:
        change |= {"roll_id": form.get("roll_id", ""), "faces": d20s_of(form)}
    now.services.hidden.do(decode_as(encode(change), HiddenChange), "gamemaster", now.who.person)


_BESIDE: Final[Mapping[str, Callable[[Visit], None]]] = {SAY_ROW: _say_row, HIDDEN: _hide}
"""Forms that decide nothing at the table."""


def _take_picture(now: Visit) -> AnyResponse:
    """Read the picture that the form brings; its fields are looked at once there is room for it."""

    def sent() -> tuple[bytes, str]:
        _require_own_form(now)
        return posted_picture()

    try:
        now.services.access.require(now.who, AccessLevel.PLAYER)
        notice = taken_in(now.services, sent).notice
    except (Refusal, KioskError) as error:
        return _refused("/text", error)
    if not notice:
        return redirect("/text", 303)
    key = new_key()
    now.services.form_results.once(key, lambda: notice)
    return redirect(f"/text?{urlencode({DONE: key})}", 303)


def _require_own_form(now: Visit) -> None:
    if not now.services.access.form_token_right(request.form.get("token", ""), now.who, now.cookie):
        raise AccessError("This form is too old or not from this kiosk. Try once more from this page.")


def _refused(back: str, error: Exception, given: Mapping[str, str] | None = None) -> AnyResponse:
    """The form's page with the reason of the refusal."""
    status = 403 if isinstance(error, AccessError) else status_of(error)
    asks = isinstance(error, AskFirstError)
    tab = next((name for name, path, _ in TABS if path == back), "phone")
    if given is not None and isinstance(error, WireError):
        given = {**given, WRONG: error.place}
    return page(_BACK[back], visit(), status=status, given=given, problem=words_of(error), asks_first=asks, tab=tab)


def _brought_up_to_date(now: Visit, action: str, form: Mapping[str, str]) -> Mapping[str, str]:
    """What a refused form is shown again with: what was typed, and what others saved since in what was left alone."""
    try:
        return merged(action, form, now.services.engine.present().table).form
    except WireError:
        return form


def _onward(action: str, back: str) -> str:
    """Where a form that was done leads: `/setup` and a player's Sheet say what it came to."""
    form = request.form
    if action == SAY_ROW:
        return _at_row(back)
    if (onward := form.get("onward")) in {"/play", "/display"}:
        return onward
    if back == "/display":
        steps = {"step": "crew", "ruleset": form.get("ruleset", "")} if action == "undo" else {"step": "phones"}
        return f"{back}?{urlencode(steps)}"
    if back == "/setup" and (told := visit().view["narration"]):
        return f"{back}?{urlencode({'done': action, 'told': told['id']})}"
    if action == "character" and back == "/play/sheet":
        told = visit().view["narration"]
        done = {"done": action, "told": told["id"]} if told else {}
        return f"{back}?{urlencode({'me': form.get('character_id', ''), **done})}"
    who = form.get("who", "")
    return f"{back}?{urlencode({'who': who})}" if who and back == "/conflict" else back


def _apply_once(now: Visit, action: str, about: str | None = None) -> CommandResult | None:
    """Do what the form asks, unless it was done when the same form came before, or all is so already: then None."""
    engine = now.services.engine
    key = key_of(request.path, request.form)
    try:
        form = merged(action, request.form, engine.present().table)
        return _apply(now, _commands(action, now, form.form), key, about, form)
    except Unchanged:
        return None
    except (Refusal, KioskError) as error:
        # The table that the first one left may well refuse the second, as one that gives an answer twice.
        if key is not None and engine.knows(key):
            return None
        late = action == "enter" and not isinstance(error, AccessError)
        if late and (told := _counted_before(now)) is not None:
            raise StaleError(told) from error
        raise


def _counted_before(now: Visit) -> Phrase | None:
    """That another's dice were counted as the throw that the form names; raises `AccessError` where none are taken."""
    now.services.access.require(now.who, AccessLevel.PLAYER)
    number = whole(request.form, "request")  # raises what the refusal said already
    return too_late(now.services.engine.present().history, number, visit().view["persons"], but=now.who.person)


def _take_back_to(now: Visit, about: str | None) -> CommandResult | None:
    """Undo the newest decisions one by one until the one that the form names stands, once the gamemaster said yes.

    Each is taken back by itself, so that each can be brought back. Raises `AskFirstError` with the question before.
    """
    engine, access = now.services.engine, now.services.access
    access.require(now.who, AccessLevel.GAMEMASTER)
    key = key_of(request.path, request.form) or new_key()
    number = whole(request.form, "number")
    done = engine.present().history.done
    later = [one for one in done if one.number > number]
    if engine.knows(f"{key}.0") or not later:
        return None
    if len(later) == len(done):
        raise StaleError("That is too long ago to be taken back to. Take back the newest decisions by themselves.")
    if request.form.get(CONFIRMED) != "yes":
        one = say("This takes back 1 decision. Do you want that?")
        several = say("This takes back {count} decisions, the newest first. Do you want that?", count=len(later))
        raise AskFirstError(one if len(later) == 1 else several)
    result: CommandResult | None = None
    for place, step in enumerate(reversed(later)):

        def fits(present: Present, expected: int = step.number) -> None:
            if about is not None and expected == later[-1].number:
                require_about(present, Undo(), about, now.services.access.persons.all)
            if not present.history.done or present.history.done[-1].number != expected:
                raise StaleError(gone_on(present, now.services.access.persons.all))

        result = engine.submit(Undo(), now.who.by, f"{key}.{place}", fits=fits, person=now.who.person)
    return result


def _commands(action: str, now: Visit, form: Form) -> Iterable[dict[str, Any]]:
    if action != "option":
        return commands_of(action, form, now.table)
    wanted = form.get("option", "")
    option = next((one for one in now.view["options"] if one["option_id"] == wanted), None)
    if option is None:
        raise StaleError(gone_on(now.services.engine.present(), now.services.access.persons.all))
    if form.get("price", _price(option)) != _price(option):
        raise WireError("That is not possible any more. Look at what is offered now.", "option")
    return [taken(option, form)]


def _price(option: Mapping[str, Any]) -> str:
    """The price in an option's form: the present one may differ from the one seen."""
    price = option["price"]
    return f"{price['momentum']} {price['threat']} {price['determination']}"


def _apply(
    now: Visit, commands: Iterable[dict[str, Any]], key: str | None, about: str | None, form: Merged
) -> CommandResult | None:
    """Do all that a form asks as one decision: all of it or nothing, once for `key`, and one undo takes it back."""
    services = now.services
    asked: list[Command] = []
    following: list[Next] = []
    for raw in (_in_line(now, one) for one in commands):
        player = raw.get("player_name")
        command = command_of({key: value for key, value in raw.items() if key != "player_name"}).command
        services.access.require(now.who, role_needed(command))
        asked.append(command)
        following.append(functools.partial(_of_player, command, player))
    if not asked:
        return None
    confirmed = request.form.get(CONFIRMED) == "yes"

    def fits(present: Present) -> None:
        require_may(services.access.persons, now.who, present, asked, confirmed=confirmed)
        form.require_still(present.table)
        if about is not None:
            require_about(present, asked[0], about, services.access.persons.all)

    return services.engine.submit_all(asked[0], following[1:], now.who.by, key, fits=fits, person=now.who.person)


def _in_line(now: Visit, raw: dict[str, Any]) -> dict[str, Any]:
    """A declaration in line where it would end another person's outcome, though its page was opened before that.

    A page's own script says what it saw: there the command is refused instead.
    """
    if raw["command"] != "declare_task" or "about" in request.form:
        return raw
    table, who = now.services.engine.present().table, raw["declaration"]["character_id"]
    page = LivePage.PHONE if request.form.get("back", "").startswith(BACK[LivePage.PHONE]) else LivePage.GAMEMASTER
    waits = waits_for_another(table, who, others_holders_for(now.services, now.who, page))
    return {"command": "line_up", "declaration": raw["declaration"], "waits": True} if waits else raw


def _of_player(command: Command, player: str | None, table: Table) -> Command:
    """`command` with the id of the player whose name the sample crew carries, as `table` has it."""
    if player is None or not isinstance(command, SaveCharacter):
        return command
    return replace(command, player_id=next((one.player_id for one in table.players if one.name == player), ""))
