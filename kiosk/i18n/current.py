"""The language of the present request, for pages and texts; `kiosk.web.language_pages` determines it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeGuard

import msgspec
from flask import g, has_app_context
from jinja2 import pass_context, pass_eval_context
from jinja2.filters import do_join
from jinja2.nodes import EvalContext
from jinja2.runtime import Context
from markupsafe import Markup, escape

from kiosk.ports import SOURCE_LANGUAGE, Language
from rules.words import Phrase, SetApart, translated


def language_now() -> Language:
    """The language in which the present request is answered, or a part of a page rendered; English outside of both."""
    found: Language = g.get("language", SOURCE_LANGUAGE) if has_app_context() else SOURCE_LANGUAGE
    return found


def said_now(text: str) -> str:
    """`text` in the language of the present request."""
    return translated(text, language_now().catalog)


def shown_now(text: str) -> str:
    """`text` as a page shows it: as `said_now`, with names set apart that are written in the other direction."""
    return translated(text, page_catalog(language_now())) if isinstance(text, Phrase) else apart_now(text)


def apart_now(typed: str) -> str:
    """What somebody typed, set apart where it is written in the other direction than the page."""
    return apart_in(language_now().direction)(typed)


@lru_cache(maxsize=64)
def page_catalog(language: Language) -> SetApart:
    """The words of `language` for pages: what people typed in the other direction is set apart."""
    return SetApart(language.catalog, apart_in(language.direction))


def apart_in(direction: str) -> Callable[[str], str]:
    """Sets words apart that have letters of the other direction than `direction`, so that what follows stays in place.

    What is set apart already, whole or in part, stays as it is.
    """
    return _apart_on_the_left if direction == "ltr" else _apart_on_the_right


def _apart_on_the_left(typed: str) -> str:
    if typed.isascii() or FIRST_STRONG in typed or not _FROM_THE_RIGHT.search(typed):
        return typed
    return f"{FIRST_STRONG}{typed}{APART_NO_MORE}"


def _apart_on_the_right(typed: str) -> str:
    if FIRST_STRONG in typed or not _FROM_THE_LEFT.search(typed):
        return typed
    return f"{FIRST_STRONG}{typed}{APART_NO_MORE}"


FIRST_STRONG: Final = "\u2068"
"""Begins what is set apart: its first letter tells its direction."""

APART_NO_MORE: Final = "\u2069"
"""Ends it."""

_RIGHT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""The letters of scripts that are written from the right."""

_FROM_THE_RIGHT: Final = re.compile(f"[{_RIGHT}]")
"""One of them."""

_FROM_THE_LEFT: Final = re.compile(rf"[^\W\d_{_RIGHT}]")
"""Any other letter."""


def as_said(value: object) -> object:
    """A value for a template: a `Phrase` as the page shows it, a name from the right set apart, all else unchanged.

    On a page from the right, names from the left are set apart within sentences alone: by itself a text may be a code.
    What has to stay as it was typed, such as the value of a field, comes by `as_typed`.
    """
    if not _is_words(value) or (value.isascii() and not isinstance(value, Phrase)):
        return value
    return shown_now(value) if isinstance(value, Phrase) or language_now().direction == "ltr" else value


def _is_words(value: object) -> TypeGuard[str]:
    """Whether it is a text that no markup has been made of."""
    return isinstance(value, str) and not isinstance(value, Markup)


def as_typed(value: object) -> Markup:
    """The filter for the value of a field, which comes back as it was: nothing in it is set apart."""
    return escape(said_now(value) if isinstance(value, str) else value)


@pass_context
def page_words(context: Context, template: str, /, **fills: object) -> str:
    """`_` of the templates with its places filled: names are set apart."""
    return _filled(context, page_gettext(template), fills)


@pass_context
def page_number_words(context: Context, one: str, several: str, number: int, /, **fills: object) -> str:
    """The same of what counts something."""
    return _filled(context, page_ngettext(one, several, number), {"num": number, **fills})


def _filled(context: Context, words: str, fills: Mapping[str, object]) -> str:
    filled = {name: shown_now(one) if _is_words(one) else one for name, one in fills.items()}
    return Markup(words) % filled if context.eval_ctx.autoescape else words % filled  # noqa: S704 - our own words


@pass_eval_context
def joined_names(context: EvalContext, all_of_them: Iterable[object], joint: str) -> str:
    """The filter `join` for words, each set apart."""
    joined: str = do_join(context, [as_said(one) for one in all_of_them], joint)
    return joined


def script_catalog() -> Markup:
    """The words that scripts of the present page need, as static/js/language.js reads them; none of them in English."""
    script = language_now().script
    told = msgspec.json.encode(dict(script)).decode() if script else ""
    return Markup(told.replace("<", "\\u003c"))  # noqa: S704 - JSON in which no tag can begin


def page_language() -> dict[str, str]:
    """The variables with which every page states its language."""
    language = language_now()
    return {"language": language.code, "direction": language.direction}


def page_gettext(template: str) -> str:
    """`_` of the templates."""
    return language_now().catalog.gettext(template)


def page_ngettext(one: str, several: str, number: int) -> str:
    """`ngettext` of the templates."""
    return language_now().catalog.ngettext(one, several, number)


GLOBALS: Final[dict[str, Any]] = {"script_catalog": script_catalog}
"""What templates may call."""
