"""The language of the present request, for pages and texts; `kiosk.web.language_pages` determines it."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from flask import g, has_app_context
from markupsafe import Markup

from kiosk.ports import SOURCE_LANGUAGE, Language
from rules.words import Phrase, translated


def language_now() -> Language:
    """The language in which the present request is answered, or a part of a page rendered; English outside of both."""
    found: Language = g.get("language", SOURCE_LANGUAGE) if has_app_context() else SOURCE_LANGUAGE
    return found


def said_now(text: str) -> str:
    """`text` in the language of the present request."""
    return translated(text, language_now().catalog)


def as_said(value: object) -> object:
    """A value for a template: a `Phrase` in the page's language, anything else unchanged."""
    return said_now(value) if isinstance(value, Phrase) else value


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
