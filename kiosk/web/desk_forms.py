"""Answers forms that do not concern the table, of a desk or the settings: each is done once, and its outcome shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from flask import redirect, request
from werkzeug.wrappers import Response as AnyResponse

from kiosk.errors import AccessError, KioskError, words_of
from kiosk.web.access import AccessLevel
from kiosk.web.form_results import key_of, new_key
from kiosk.web.problems import status_of
from kiosk.web.visit import Visit, page

DONE = "done"
"""The query that names the form whose outcome a page shows."""

Parts = Callable[[Visit], dict[str, Any]]
"""What the page shows of its desk."""


def answer_form(
    now: Visit, template: str, parts: Parts, asked: Callable[[], str], *, keep_typed: bool = True, back: str = ""
) -> AnyResponse:
    """Do once what the form `asked` of a gamemaster, and lead back to its page, where `outcome` shows the result.

    That page is at the form's own address, or at `back`. A refusal is shown on the page at once, with the typed text if
    `keep_typed`.
    """
    access = now.services.access
    key = key_of(request.path, request.form) or new_key()
    try:
        if not access.form_token_right(request.form.get("token", ""), now.who, now.cookie):
            raise AccessError("This form is too old or not from this kiosk. Try once more from this page.")
        access.require(now.who, AccessLevel.GAMEMASTER)
        now.services.form_results.once(key, asked)
    except KioskError as error:
        more = {**parts(now), "problem": words_of(error)}
        return page(template, now, status=status_of(error), given=request.form if keep_typed else None, **more)
    return redirect(f"{back or request.path}?{urlencode({DONE: key})}", 303)


def outcome(now: Visit) -> str:
    """The outcome of the form that led to the present page; empty if none did."""
    return now.services.form_results.said(request.args.get(DONE, ""))
