"""Who sent the present request: the cookies, the address, and whether a browser's page or a program asks."""

from __future__ import annotations

from flask import g, request

from kiosk.web.access import COOKIE, PIN_COOKIE, Identity
from kiosk.web.services import Services


def trusted_by_browser() -> bool:
    """Whether the browser treats the kiosk's pages as secure, as on https, also behind the owner's proxy.

    On plain http over a network it does not, and then it sends no such header either.
    """
    return request.is_secure or "Sec-Fetch-Site" in request.headers


def sender(kiosk: Services) -> str | None:
    """The address that the present request counts as sent from: see `Access.sender`."""
    if "sender" in g:
        known: str | None = g.sender
        return known
    headers = {name.upper().replace("-", "_"): value for name, value in request.headers.items()}
    version = request.environ.get("SERVER_PROTOCOL", "").removeprefix("HTTP/")
    g.sender = found = kiosk.access.sender(request.remote_addr, headers, version)
    return found


def by_program() -> bool:
    """Whether a program sent the present request: a browser says of each where it came from."""
    return "Sec-Fetch-Site" not in request.headers and "Origin" not in request.headers


def who_asks(kiosk: Services) -> Identity:
    """Who sent the present request."""
    cookies = request.cookies
    return kiosk.access.identify(sender(kiosk), cookies.get(COOKIE), cookies.get(PIN_COOKIE), program=by_program())
