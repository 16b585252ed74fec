"""What changes with the table on the kiosk's own pages, rendered by the templates that make the pages themselves.

In: the present view. Out: JSON of HTML by the id of the element that it replaces, made once for each view, page and
language. `static/js/parts.js` puts it in place.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

import msgspec
from flask import Flask, g, get_template_attribute
from jinja2.environment import TemplateModule

from kiosk.i18n.current import language_now
from kiosk.ports import Language
from kiosk.storage.wire import encode, in_words_of
from kiosk.views.conflict_view import conflict_view
from kiosk.views.hidden import HiddenView
from kiosk.views.page_words import source_words
from kiosk.views.stage import turn_holder
from kiosk.views.view import TableView
from kiosk.web.services import Services
from rules.game import Table

log = logging.getLogger(__name__)

TEMPLATE: Final = "_live.html"
"""Holds a macro for each part."""

WELL: Final = frozenset({"ready", "off", "absent"})
"""States of a source that the table's screen need not mention."""


class LivePage(StrEnum):
    """The pages that have such parts."""

    DISPLAY = "display"
    PHONE = "phone"
    GAMEMASTER = "gm"


PARTS: Final[Mapping[LivePage, Mapping[str, str]]] = MappingProxyType(
    {
        LivePage.DISPLAY: {
            "troubles": "what_is_wrong",
            "scene-traits": "scene_traits",
            "stage": "stage_of_photographs",
            "fight": "conflict_beside",
            "pools": "pools_and_turn",
        },
        LivePage.PHONE: {
            "pools": "pools",
            "stage": "stage",
            "scene-traits": "note_of_traits",
            "where-told": "where_told",
        },
        LivePage.GAMEMASTER: {
            "pools": "pools",
            "stage": "stage",
            "scene-traits": "note_of_traits",
            "traits": "traits_to_remove",
        },
    }
)
"""The ids of each page's parts, each with the macro that renders it."""


def shown_by(table: Table, view: Mapping[str, Any]) -> dict[str, Any]:
    """What the parts are made of, for a page of their own and for the page that they stand on."""
    return {
        "view": view,
        "table": view["table"],
        "now": view["stage"],
        "fight": conflict_view(table),
        "troubles": [(source_words(one), one["remedy"]) for one in view["sources"] if _worth_telling(one)],
        "turn": turn_holder(table),
    }


def _worth_telling(part: Mapping[str, Any]) -> bool:
    """What is not well, and what somebody has stopped and can start again."""
    return part["state"] not in WELL or (part["state"] == "off" and bool(part["remedy"]))


class LivePartsOf:
    """Renders the parts of a page: see `ports.LiveParts`. Any thread may ask."""

    def __init__(self, app: Flask, services: Services) -> None:
        self._app = app
        self._services = services
        self._lock = threading.Lock()
        self._view: TableView | None = None
        self._made: dict[tuple[str, str], bytes] = {}

    def __call__(self, page: str, language: Language) -> bytes:
        """What cannot be rendered is logged and left out: the table itself goes on being published."""
        with self._lock:
            view = self._services.views.current()
            if view is not self._view:
                self._view, self._made = view, {}
            key = (page, language.code)
            if key not in self._made:
                self._made[key] = self._rendered(LivePage(page), view, language)
            return self._made[key]

    def _rendered(self, page: LivePage, view: TableView, language: Language) -> bytes:
        try:
            return self._html_of(page, view, language)
        except Exception:
            log.exception("The parts of the page %s cannot be shown.", page)
            return b"{}"

    def _html_of(self, page: LivePage, view: TableView, language: Language) -> bytes:
        with self._app.app_context():
            g.language = language
            values = msgspec.to_builtins(view, enc_hook=in_words_of(language.catalog))
            template = self._app.jinja_env.get_template(TEMPLATE)
            self._app.update_template_context(given := shown_by(view.table, values))
            macros = template.make_module(given)
            return encode({part: _html(macros, name) for part, name in PARTS[page].items()})


def hidden_stages(rolls: Sequence[HiddenView]) -> dict[str, str]:
    """What the stage would show of each hidden roll, HTML by its id. Needs the context of a request."""
    stage = get_template_attribute("_parts.html", "hidden_stage")
    in_words = in_words_of(language_now().catalog)
    return {one.roll_id: str(stage(one.roll_id, msgspec.to_builtins(one.stage, enc_hook=in_words))) for one in rolls}


def _html(macros: TemplateModule, name: str) -> str:
    try:
        return str(getattr(macros, name)())
    except Exception:
        log.exception("The part %s of the page cannot be shown.", name)
        return ""
