"""Makes each plain form count once: the key that each form carries, and the result of sending it.

A page is drawn with a new key in each of its forms. A form sent twice with the same content counts once: pressed twice,
loaded again, sent anew after no answer came. What it asks of the table is kept under its key in the journal; what it
asks of anything else, as of the camera's desk or the settings, in `FormResults`.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from itertools import count
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from kiosk.views.about import mark_of
from kiosk.web.form_fields import Typed

FIELD: Final = "tap"
"""The field in which a form carries its key."""

TOKEN: Final = "token"  # noqa: S105 - the name of a field
"""The field that shows a form to be one of ours."""

KEPT: Final = 256
"""Most forms whose outcome is kept: more than anybody sends again."""

_MARKS: Final = Markup(
    '<input type="hidden" name="token" value="{token}"><input type="hidden" name="tap" value="{tap}">'
)
"""The hidden fields of a form: who may send it, and which sending of it this is."""

_SEEN: Final = Markup('<input type="hidden" name="about" value="{mark}">')
"""The hidden field with the mark of the table as the page showed it."""

_DATED: Final = frozenset(
    {"option", "undo", "redo", "back_to", "correct_die", "correct_scored_die", "drop_die", "dismiss_throw", "reroll"}
)
"""Forms that would decide something else once the table has gone on: they carry its mark."""

_LINES_UP: Final = frozenset({"declare_task", "line_up"})
"""Commands that wait where the table has gone on: without script no mark keeps them from that."""


def _is_dated(action: str, of: str) -> bool:
    return action in _DATED and of not in _LINES_UP


def new_key() -> str:
    """A key that nothing else has."""
    return secrets.token_urlsafe(9)


def marks(token: str, typed: Typed, seen: Mapping[str, str]) -> Callable[..., Markup]:
    """The hidden fields for the forms of a page: `token`, and a unique key for each form.

    A form says what it does, and what it is about, so that `typed` is shown in the one that was refused. One that does
    not name what it decides, as what is taken back, carries the mark of what was `seen`: of the command `of`. A button
    that names nothing, as Undo at the table's screen, is about what is newest: its form is not `dated`.
    """
    page = new_key()
    forms = count(1)

    def written(action: str = "", of: str = "", *, dated: bool = True, **about: object) -> Markup:
        typed.begin(action, {name: str(value) for name, value in about.items()})
        made = _MARKS.format(token=token, tap=f"{page}.{next(forms)}")
        marked = dated and _is_dated(action, of)
        return made + _SEEN.format(mark=mark_of(seen, of or action)) if marked else made

    return written


def key_of(path: str, form: MultiDict[str, str]) -> str | None:
    """The key of `form` as it was sent to `path`; None where the form carries none.

    A form that was changed before it was sent again has another key.
    """
    if not form.get(FIELD):
        return None
    sent = sorted((name, value) for name, value in form.items(multi=True) if name != TOKEN)
    return hashlib.sha256(f"{path}?{urlencode(sent)}".encode()).hexdigest()[:40]


class FormResults:
    """The results of the newest forms. Every method may be called from any thread."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Future[str]] = OrderedDict()

    def once(self, key: str, do: Callable[[], str]) -> str:
        """The result of `do`, called once for each key; a second sending waits for the first and gets the same.

        If `do` raises, nothing was done: whoever waited gets the error, and the next sending tries again.
        """
        with self._lock:
            known = self._known.get(key)
            mine: Future[str] = Future()
            if known is None:
                self._known[key] = mine
                if len(self._known) > self._most:
                    self._known.popitem(last=False)
        if known is not None:
            return known.result()
        try:
            said = do()
        except BaseException as error:
            with self._lock:
                self._known.pop(key, None)
            mine.set_exception(error)
            raise
        mine.set_result(said)
        return said

    def said(self, key: str) -> str:
        """The result of the form with that key; empty if it is unknown, forgotten or still in progress."""
        with self._lock:
            known = self._known.get(key)
        return known.result() if known is not None and known.done() and known.exception() is None else ""
