"""The web application: routes, checks that every request passes, and headers that every answer carries."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.routing import Rule

from kiosk.config import is_loopback
from kiosk.i18n.current import (
    GLOBALS,
    as_said,
    joined_names,
    page_gettext,
    page_language,
    page_ngettext,
    page_number_words,
    page_words,
)
from kiosk.views.reference import reference_of
from kiosk.web.api import ROUTES, serve
from kiosk.web.asking import trusted_by_browser
from kiosk.web.compiled import KeptTemplates
from kiosk.web.compression import compressed
from kiosk.web.headers import OPENER, SECURITY_HEADERS
from kiosk.web.imported import OnceAPage, nothing_made
from kiosk.web.language_pages import set_request_language
from kiosk.web.live_parts import LivePartsOf
from kiosk.web.pages import pages
from kiosk.web.permissions import OF_HELD
from kiosk.web.picture_uploads import LARGEST_BODY, LARGEST_UPLOAD, require_size
from kiosk.web.problems import http_problem, problem
from kiosk.web.route import Route
from kiosk.web.services import Services
from kiosk.web.static_files import serve_static
from rules.dice import FACES

__all__ = ["compile_templates", "create_app"]

TEMPLATES: Final = Path(__file__).parents[1] / "templates"
"""Where the templates of all pages lie."""


class _Address(Rule):
    """A route that compiles the code for making its addresses on first use.

    Werkzeug compiles it for each route at the start, which takes most of the time to make the application.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:  # noqa: FBT001, FBT002 - as Werkzeug has it
        compiled = cache(super()._compile_builder)
        return lambda rule, /, **values: compiled(append_unknown)(rule, **values)


class _Application(Flask):
    url_rule_class = _Address


def create_app(services: Services) -> Flask:
    """The application for one kiosk. Handlers find `services` under `app.extensions["trueroll"]`."""
    app = _Application("kiosk")
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_UPLOAD
    app.config["MAX_FORM_MEMORY_SIZE"] = 2 * LARGEST_BODY  # its reader takes in 64 KiB of a file at a time
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    app.extensions["trueroll"] = services
    _prepare_templates(app)
    serve_static(app)
    app.context_processor(nothing_made)
    app.context_processor(page_language)
    app.context_processor(lambda: {"reference": reference_of(services.views.present().table)})
    app.jinja_env.globals["picture_kept"] = lambda key: bool(key) and services.sources.picture(key) is not None
    app.jinja_env.globals["cut_out_kept"] = lambda key: bool(key) and services.sources.has_cut_out(key)
    services.hub.parts = LivePartsOf(app, services)
    for route in ROUTES:
        app.add_url_rule(route.path, route.name, _view_of(route), methods=[route.method])
    app.register_blueprint(pages)
    app.before_request(lambda: set_request_language(services))
    app.before_request(lambda: _require_own_name(services))
    app.before_request(lambda: require_size(request))
    app.after_request(compressed)
    app.after_request(_with_headers)
    app.register_error_handler(Exception, problem)
    return app


def _prepare_templates(app: Flask) -> None:
    """Set everything with which templates are compiled."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(page_gettext, page_ngettext, newstyle=True)  # type: ignore[attr-defined]  # the extension adds it
    app.jinja_env.globals |= {"gettext": page_words, "ngettext": page_number_words}
    app.jinja_env.filters["join"] = joined_names
    app.jinja_env.finalize = as_said
    app.jinja_env.globals |= {**GLOBALS, "FACES": FACES, "OF_HELD": OF_HELD}
    app.jinja_env.template_class = OnceAPage
    app.jinja_env.bytecode_cache = app.jinja_env.bytecode_cache or KeptTemplates(TEMPLATES)


def compile_templates() -> None:
    """Have every template compiled and kept: whoever installs the kiosk may write beside them, and it may not."""
    app = _Application("kiosk")
    _prepare_templates(app)
    app.register_blueprint(pages)  # which brings the filters
    for path in TEMPLATES.glob("*.html"):
        app.jinja_env.get_template(path.name)


def _view_of(route: Route) -> Callable[..., Response]:
    return lambda **_values: serve(route)


def _require_own_name(services: Services) -> Response | None:
    if services.access.host_allowed(request.host):
        return None
    return http_problem(421)


def _heeds_opener() -> bool:
    """Whether the browser obeys that header: on plain http over a network it ignores it, and complains."""
    try:
        named = urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        return False  # no name at all, which the kiosk does not go by either
    return trusted_by_browser() or is_loopback(named)


def _with_headers(answer: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        if name != OPENER or _heeds_opener():
            answer.headers.setdefault(name, value)
    if request.path.startswith(("/api/", "/healthz")):
        answer.headers.setdefault("Cache-Control", "no-store")
    return answer
