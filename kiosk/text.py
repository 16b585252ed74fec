"""The forms of the pages without script: each posts here, and the answer leads back to the page it came from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.errors import AccessError, KioskError, WireError
from kiosk.forms import commands_of
from kiosk.messages import role_needed
from kiosk.option_fields import taken
from kiosk.problems import status_of
from kiosk.visit import Visit, joined, page, visit
from kiosk.wire import command_of
from rules.errors import Refusal

forms = Blueprint("forms", __name__)

_BACK: Final = {"/setup": "setup.html", "/text": "text.html"}
"""Pages whose forms post here, with the template that shows a refusal."""


@forms.post("/text/<action>")
def act(action: str) -> AnyResponse:
    """Do what the form asks, then lead back; a refusal is shown in words on the same page, with what was typed."""
    now = visit()
    form = request.form
    back = form.get("back", "/text")
    back = back if back in _BACK else "/text"
    try:
        if not now.services.access.form_token_right(form.get("token", ""), now.who, now.cookie):
            raise AccessError("This form is too old or not from this kiosk. Try once more from this page.")
        if action == "join":
            return joined(now, form)
        _apply(now, _commands(action, now))
    except (Refusal, KioskError) as error:
        status = 403 if isinstance(error, AccessError) else status_of(error)
        return page(_BACK[back], visit(), status=status, given=form, problem=str(error))
    return redirect(back, 303)


def _commands(action: str, now: Visit) -> Iterable[dict[str, Any]]:
    form = request.form
    if action != "option":
        return commands_of(action, form, now.table)
    wanted = form.get("option", "")
    option = next((one for one in now.view["options"] if one["option_id"] == wanted), None)
    if option is None:
        raise WireError("That is not possible any more. Look at what is offered now.", "option")
    return [taken(option, form)]


def _apply(now: Visit, commands: Iterable[dict[str, Any]]) -> None:
    services = now.services
    for raw in commands:
        ready = _with_player(now, raw)
        asked = command_of(ready)
        services.access.require(now.who, role_needed(asked.command))
        services.engine.submit(asked.command, now.who.by)


def _with_player(now: Visit, raw: dict[str, Any]) -> dict[str, Any]:
    """`raw` with the player's id in place of the name that the sample crew carries."""
    if "player_name" not in raw:
        return raw
    rest = {key: value for key, value in raw.items() if key != "player_name"}
    players = now.services.engine.present().table.players
    return {**rest, "player_id": next((one.player_id for one in players if one.name == raw["player_name"]), "")}
