"""Letting phones in and keeping them out, over the API: the gamemaster's to choose.

At the kiosk itself that is whoever stands there, once the table's PIN was typed in where there is one.
"""

from __future__ import annotations

from typing import Annotated, Final

from flask import Response, request
from msgspec import Meta, Struct

from kiosk.storage.wire import decode_as
from kiosk.web.access import AccessLevel
from kiosk.web.route import Route, answered
from kiosk.web.services import Services


class NetworkChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether phones in the network are let in."""

    let_in: Annotated[bool, Meta(description="False closes the kiosk to them at once.")]


class NetworkView(Struct, frozen=True, kw_only=True):
    """Whether phones reach the kiosk, and what is in the way of choosing otherwise."""

    open_to_network: bool
    settled: Annotated[str, Meta(description="Why it cannot be chosen while the kiosk runs; empty where it can.")]
    trouble: Annotated[str, Meta(description="Why phones could not be let in when that was wanted last.")]


def _shown(kiosk: Services) -> NetworkView:
    network = kiosk.network
    return NetworkView(open_to_network=network.is_open, settled=network.settled or "", trouble=network.trouble)


def get_network(kiosk: Services) -> Response:
    """Whether phones reach the kiosk."""
    return answered(_shown(kiosk))


def post_network(kiosk: Services) -> Response:
    """Let phones in, or keep them out."""
    kiosk.network.choose(let_in=decode_as(request.get_data(), NetworkChoice).let_in)
    return answered(_shown(kiosk))


NETWORK: Final[tuple[Route, ...]] = (
    Route(
        method="GET",
        path="/api/v1/network",
        name="getNetwork",
        summary="Whether phones in the network reach the kiosk, and what is in the way of choosing otherwise",
        handler=get_network,
        needs=AccessLevel.PLAYER,
        answer=NetworkView,
        problems=(401,),
    ),
    Route(
        method="POST",
        path="/api/v1/network",
        name="chooseNetwork",
        summary="Let phones in or keep them out, at once and kept over a restart",
        handler=post_network,
        needs=AccessLevel.GAMEMASTER,
        body=NetworkChoice,
        answer=NetworkView,
        problems=(400, 401, 403, 409, 413),
    ),
)
"""The operations by which the kiosk is opened to the network and closed again."""
