"""The language of the present request, for pages and texts; `kiosk.web.language_pages` determines it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
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
    """`text` as a page shows it: as `said_now`, with names set apart that are written from the right."""
    return translated(text, page_catalog(language_now())) if isinstance(text, Phrase) else apart_now(text)


def apart_now(typed: str) -> str:
    """What somebody typed, set apart where it has letters that are written from the right: what follows stays in place.

    Every language of the kiosk is written from the left. What is set apart already, whole or in part, stays as it is.
    """
    if typed.isascii() or FIRST_STRONG in typed or not _FROM_THE_RIGHT.search(typed):
        return typed
    return f"{FIRST_STRONG}{typed}{APART_NO_MORE}"


@lru_cache(maxsize=64)
def page_catalog(language: Language) -> SetApart:
    """The words of `language` for pages: what people typed from the right is set apart."""
    return SetApart(language.catalog, apart_now)


FIRST_STRONG: Final = "\u2068"
"""Begins what is set apart: its first letter tells its direction."""

APART_NO_MORE: Final = "\u2069"
"""Ends it."""

_FROM_THE_RIGHT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""A letter of a script that is written from the right."""


def as_said(value: object) -> object:
    """A value for a template: a `Phrase` as the page shows it, a name from the right set apart, all else unchanged.

    What has to stay as it was typed, such as the value of a field, comes by `as_typed`.
    """
    return shown_now(value) if _is_words(value) else value


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
