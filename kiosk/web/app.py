"""The web application: routes, checks that every request passes, and headers that every answer carries."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, request

from kiosk.i18n.current import GLOBALS, as_said, page_gettext, page_language, page_ngettext
from kiosk.web.api import ROUTES, serve
from kiosk.web.compression import compressed
from kiosk.web.headers import SECURITY_HEADERS
from kiosk.web.language_pages import set_request_language
from kiosk.web.live_parts import LivePartsOf
from kiosk.web.pages import pages
from kiosk.web.picture_uploads import LARGEST_BODY, LARGEST_UPLOAD, require_size
from kiosk.web.problems import http_problem, problem
from kiosk.web.route import Route
from kiosk.web.services import Services

__all__ = ["create_app"]


def create_app(services: Services) -> Flask:
    """The application for one kiosk. Handlers find `services` under `app.extensions["trueroll"]`."""
    app = Flask("kiosk")
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_UPLOAD
    app.config["MAX_FORM_MEMORY_SIZE"] = 2 * LARGEST_BODY  # its reader takes in 64 KiB of a file at a time
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    app.extensions["trueroll"] = services
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(page_gettext, page_ngettext, newstyle=True)  # type: ignore[attr-defined]  # the extension adds it
    app.jinja_env.finalize = as_said
    app.jinja_env.globals |= GLOBALS
    app.context_processor(page_language)
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


def _view_of(route: Route) -> Callable[..., Response]:
    return lambda **_values: serve(route)


def _require_own_name(services: Services) -> Response | None:
    if services.access.host_allowed(request.host):
        return None
    return http_problem(421)


def _with_headers(answer: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        answer.headers.setdefault(name, value)
    if request.path.startswith(("/api/", "/healthz")):
        answer.headers.setdefault("Cache-Control", "no-store")
    return answer
